"""How a run keeps what it sees inside the model, and who is told how far it is."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from cuescope.inside.options import Patching
    from cuescope.inside.ready import Ready, Twins
    from cuescope.models.translator import Progress
    from cuescope.run.run import Run
    from cuescope.signature import Signature
    from cuescope.stats.scores import Scores


class _Verb(NamedTuple):
    name: str  # of the method of Run that measures it
    label: str  # for people, while it is measured


_VERBS = {
    "attention": _Verb("attention", "attention"),
    "effect": _Verb("patch", "patching"),
    "attribution": _Verb("attribute", "gradients"),
    "ablation": _Verb("ablate", "ablating"),
}
T = TypeVar("T")
Bar = Callable[[str, int], AbstractContextManager["Progress"]]


@contextmanager
def _silent(label: str, total: int) -> Iterator[Progress]:
    yield lambda done: None


_BARS: list[Bar] = [_silent]


def show_with(bar: Bar) -> None:
    """Show the progress of what is asked for by hand with this bar: a run knows of no screen."""
    _BARS[:] = [bar]


@contextmanager
def watched(label: str, total: int, progress: Progress | None) -> Iterator[Progress]:
    """The caller's own progress, or a bar."""
    if progress is not None:
        yield progress
        return
    with _BARS[0](label, total) as told:
        yield told


def scores(
    run: Run,
    measure: str,
    site: str,
    options: Mapping[str, object],
    ready: Callable[[], Ready[T]],
    make: Callable[[Ready[T], Progress], Scores],
    progress: Progress | None,
) -> Scores:
    """Scores from the store, or measured on what is ready and kept; those under given functions
    are not kept."""

    def made() -> Scores:
        some = ready()
        with watched(f"{_VERBS[measure].label}, {site}", len(some), progress) as told:
            return make(some, told)

    if any(map(callable, options.values())):
        return made()
    return run.store.scores(*kept_as(run, measure, site, options), made)


def kept_as(
    run: Run, measure: str, site: str, options: Mapping[str, object]
) -> tuple[str, Signature]:
    """Name and facts of scores; of the options, the direction and those not as by default."""
    usual = inspect.signature(getattr(type(run), _VERBS[measure].name)).parameters
    told = {n: v for n, v in options.items() if n == "into" or v != usual[n].default}
    name = "-".join(map(str, [measure, site, *told.values()])).replace(" ", "-")
    return name, run.facts(site=site, measured=measure, **told)


def each_way(
    run: Run,
    measure: str,
    site: str,
    how: Patching,
    make: Callable[[Ready[Twins], Patching, Progress], Scores],
    progress: Progress | None,
    **more: object,
) -> Scores:
    """Scores patched into one twin, or the mean of both: each direction is kept by itself."""
    from cuescope.inside.effect.ways import each_way as ways

    def kept(one: Patching) -> dict[str, Scores]:
        def measured(twins: Ready[Twins], told: Progress) -> Scores:
            return make(twins, one, told)

        options = {**asdict(one), **more}
        return {site: scores(run, measure, site, options, lambda: run.twins, measured, progress)}

    return ways(how, kept)[site]
