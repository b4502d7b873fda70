"""A run about the other person: the same translations, with the cue that is not about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from cuescope.data.items import Pair, sample
from cuescope.errors import Unfit
from cuescope.measures.off_target import SIDES, OffTarget, Side, off_target
from cuescope.run.findings import GridOf, SelectivityOf, Story, number
from cuescope.run.tried import tried

if TYPE_CHECKING:
    from cuescope.inside.ready import Ready, Twins
    from cuescope.measures.verdict import Verdict
    from cuescope.models.translator import Progress
    from cuescope.run.run import Run
    from cuescope.signature import Signature
    from cuescope.stats.scores import Grid, Scores

Judged = tuple[Pair, tuple["Verdict", "Verdict"]]
_SHARE = 2  # of the pairs on which the heads are measured, one in so many


def others_of(run: Run) -> Iterator[Judged]:
    """The pairs whose other noun is read in both translations, with that noun as the focus."""
    for pair, (pro, anti) in zip(run.pairs, run.verdicts, strict=True):
        if pro.other and anti.other and not (pro.other.skipped or anti.other.skipped):
            yield Pair(pro.other.item, anti.other.item, pair.index), (pro.other, anti.other)


def both_choices(run: Run) -> tuple[Ready[Twins], Story]:
    """Twins whose contrast lies at the other noun, of pairs that have one at the focus noun too.

    Of one story, that of most pairs, and with translations that are alike up to either choice: no
    words said before it differ.
    """
    small, others = run.small, run.small.others
    if others is None:
        raise Unfit("no sentence names another person", found=f"{len(small.pairs)} pairs")
    story_of = {pair: story for story, some in small.stories.items() for pair in some}
    stories = [story_of.get(one.pair.index) for one in others.twins]
    alike = Counter(story for story in stories if story and not story.endswith("own words"))
    if not alike:
        raise Unfit("no pair has a choice at both nouns", found=f"{len(others.twins)} at the other")
    first = alike.most_common(1)[0][0]
    kept = others.twins.without(
        [_reason(one, story, first) for one, story in zip(others.twins, stories, strict=True)]
    )
    places = sample(range(len(kept)), max(1, run.settings.heads // _SHARE))
    drawn = set(places)
    return kept.without(["" if n in drawn else "not drawn" for n in range(len(kept))]), first


def _reason(one: Twins, story: Story | None, first: Story) -> str:
    if story != first:
        return "no choice at the focus noun" if story is None else f"another story: {story}"
    return "the twins part before the other noun" if one.female_own is not None else ""


def off_targets(run: Run, progress: Progress) -> dict[str, Any]:
    """By site, what every head does to either noun of the same pairs; or why it is not known."""

    def patched(site: str, side: Side) -> Scores:
        name, facts = _kept_as(run, site, side)
        twins, _ = both_choices(run)

        def make() -> Scores:
            return run.mt.patch(twins, site, into=side, normalise="none", progress=progress)

        return run.store.scores(name, facts, make)

    return _by_site(run, lambda site: {side: patched(site, side) for side in SIDES})


def kept_off_targets(run: Run) -> dict[str, Any] | None:
    """The same of what is kept, both of the effects and of these."""
    effects = [run.small.kept("effect", site, into=s) for site in _sites(run) for s in SIDES]
    if None in effects:
        return None
    if run.small.others is None:  # nothing to keep: the reason is as soon found again
        return _by_site(run, lambda site: {})
    kept = {
        site: {side: run.store.kept_scores(*_kept_as(run, site, side)) for side in SIDES}
        for site in _sites(run)
    }
    if any(None in sides.values() for sides in kept.values()):
        return None
    return _by_site(run, lambda site: kept[site])


def _by_site(run: Run, off: Callable[[str], Any]) -> dict[str, Any]:
    def made(site: str) -> OffTarget:
        twins, _ = both_choices(run)
        if not len(twins):
            raise Unfit("no pair has a choice at both nouns", found=str(twins.skipped))
        names = {one.pair.index: one.pair.pro.noun.lower() for one in twins}
        on = {side: run.small.patch(site, into=side) for side in SIDES}
        return off_target(on, off(site), names)

    return {site: tried(partial(made, site)) for site in _sites(run)}


def _sites(run: Run) -> list[str]:
    return [site for site in run.settings.sites if site in run.mt.sites]


def _kept_as(run: Run, site: str, side: Side) -> tuple[str, Signature]:
    facts = run.small.facts(site=site, measured="other noun", into=side, one_in=_SHARE)
    return f"other-noun-{site}-{side}", facts


def selectivity_of(run: Run, sites: Mapping[str, Any]) -> SelectivityOf | None:
    """What the findings say of it."""
    there = {site: one for site, one in sites.items() if isinstance(one, OffTarget)}
    if not there:
        return None
    twins, story = both_choices(run)
    return {
        "story": story,
        "pairs": len(twins),
        "skipped": dict(twins.skipped),
        "sites": {
            site: {
                "on": _grid(one.on),
                "off": _grid(one.off),
                "spill": _grid(one.spill),
                "whole": number(one.whole),
            }
            for site, one in there.items()
        },
    }


def _grid(grid: Grid) -> GridOf:
    made: Any = grid.to_json()
    return {
        "scores": made["scores"],
        "low": made["low"],
        "high": made["high"],
        "n": grid.n,
        "unit": "pair",
        "threshold": None,
    }
