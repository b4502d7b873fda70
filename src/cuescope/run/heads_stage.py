"""The stages that measure every head: attention, patching, attribution; on the run's small part."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from cuescope.run.tried import tried

if TYPE_CHECKING:
    from cuescope.models.translator import Progress
    from cuescope.run.run import Run
    from cuescope.stats.scores import Scores

Measured = dict[Any, Any]  # by site (and order): what was measured, or in words why it could not be
Side = Literal["male", "female"]
_SIDES: tuple[Side, Side] = ("male", "female")


def attention(run: Run, progress: Progress) -> Measured:
    """How much the noun looks at the cue; in `cross`, the step at which its gender is chosen, where
    the effect is measured, and, as "cross noun", the steps that emit it."""
    return {
        name: tried(
            partial(
                run.small.attention, site, query=query, progress=progress if name == site else None
            )
        )
        for name, site, query in looks(run)
    }


def kept_attention(run: Run) -> Measured | None:
    """What of it is kept."""
    kept = {
        name: run.small.kept("attention", site, query=query) for name, site, query in looks(run)
    }
    return {name: scores for name, scores in kept.items() if scores is not None} or None


def looks(run: Run) -> Iterator[tuple[str, str, Literal["noun", "choice"]]]:
    """Under which name, at which site, from which row."""
    for site in sites(run):
        if site == "encoder":
            yield site, site, "noun"
        elif site == "cross":
            yield site, site, "choice"
            yield "cross noun", site, "noun"


def effect(run: Run, progress: Progress) -> Measured:
    """What each head carries: it speaks as in the twin, either way."""
    small = run.small
    return _both_sides(small, lambda site, into: small.patch(site, into=into, progress=progress))


def attribution(run: Run, progress: Progress) -> Measured:
    """The same by gradients."""
    small = run.small
    return _both_sides(
        small, lambda site, into: small.attribute(site, into=into, progress=progress)
    )


def _both_sides(run: Run, made: Callable[[str, Side], Scores]) -> Measured:
    """Scores patched into the male and into the female twin, by site."""

    def both(site: str) -> dict[str, Scores]:
        return {into: made(site, into) for into in _SIDES}

    return {site: tried(partial(both, site)) for site in sites(run)}


def kept_sides(measure: str, run: Run) -> Measured | None:
    """The sites of which both directions are kept."""
    ways = {
        site: {into: run.small.kept(measure, site, into=into) for into in _SIDES}
        for site in sites(run)
    }
    return {site: way for site, way in ways.items() if None not in way.values()} or None


def sites(run: Run) -> list[str]:
    """The sites that the settings ask for and the model has."""
    return [site for site in run.settings.sites if site in run.mt.sites]
