"""How long a run will take: a few chunks of each of its stages are timed, and multiplied.

Four small runs of pairs drawn at random, on one thread, after one that is not counted, which loads
lexica and libraries; what workers share is told apart from what one process does alone. Seconds are
CPU seconds: as many pass where each worker has its own core.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt
from statistics import mean, stdev
from time import process_time
from typing import TYPE_CHECKING, Any

from cuescope.data.items import Pair, sample
from cuescope.errors import CueScopeError, Unfit
from cuescope.files import chunks
from cuescope.run import circuit, stages
from cuescope.run.card import MOST, Bench, Known, judged, pairs_of
from cuescope.run.card_stage import known_of
from cuescope.run.investigate import investigate
from cuescope.run.stages import Size

if TYPE_CHECKING:
    from cuescope.inside.translator import Translator
    from cuescope.run.run import Run
    from cuescope.run.settings import Settings

PILOTS, _PAIRS, _SETS, _BATCH = 4, 6, 3, 32
FEWEST = 2 * PILOTS
_T = 3.182  # Student's t of four values, 95 %
MAY_BE = ("card", "circuit")  # made only where heads are found that carry the cue


@dataclass(frozen=True)
class Expected:
    """One stage: seconds that workers share, and seconds of this process, of each small run."""

    name: str
    units: int
    shared: tuple[float, ...] = ()
    here: tuple[float, ...] = ()

    @property
    def seconds(self) -> tuple[float, ...]:
        """On one worker."""
        return tuple(map(sum, zip(self.shared, self.here, strict=True)))


def interval(seconds: Sequence[float], least: Sequence[float] = ()) -> tuple[float, float, float]:
    """Mean and 95 % interval of what some small runs say; its low end is that of `least`.

    >>> [round(one, 1) for one in interval([9.0, 10.0, 10.0, 11.0])]
    [10.0, 8.7, 11.3]
    """
    low, high = (_T * stdev(some) / sqrt(len(some)) for some in (least or seconds, seconds))
    return mean(seconds), max(0.0, mean(least or seconds) - low), mean(seconds) + high


def in_all(found: Sequence[Expected], workers: int) -> tuple[float, float, float]:
    """Seconds of the whole run on so many workers, their start not counted."""

    def total(some: Sequence[Expected]) -> list[float]:
        return [
            sum(one.here[at] + one.shared[at] / workers for one in some if one.shared)
            for at in range(PILOTS)
        ]

    return interval(total(found), total([one for one in found if one.name not in MAY_BE]))


def forecast(
    mt: Translator,
    pairs: Sequence[Pair],
    settings: Settings,
    told: Callable[[int], None] = lambda done: None,
) -> list[Expected]:
    """What each stage is expected to take; nothing is kept."""
    if len(pairs) < FEWEST:
        raise CueScopeError(
            "too few pairs to time", expected=f"{FEWEST} or more", found=str(len(pairs))
        )
    each = min(_PAIRS, len(pairs) // PILOTS)
    drawn = sample(list(pairs), each * PILOTS)
    many = sample(list(pairs), min(len(pairs), _BATCH * PILOTS))
    size = Size.of(settings, len(pairs), mt.sites)
    wanted = stages.plan(settings.only)
    times: dict[str, list[tuple[float, float]]] = {stage.name: [] for stage in wanted}
    few = {"sets": min(_SETS, settings.sets), "examples": min(4, settings.examples)}
    use = replace(settings, limit=0, heads=each, transfer=(), **few)  # type: ignore[arg-type]
    use = replace(use, engine="serial", workers=0, ray=None)
    for at in (0, *range(PILOTS)):
        run = investigate(mt, drawn[at::PILOTS], settings=use)
        pilot = Size.of(use, each, mt.sites)
        for stage in wanted:
            if stage is stages.TRANSLATE:
                took = _translated(mt, many[at::PILOTS], size.pairs)
            elif stage.name == "card":
                took = _cards(run, settings, at)
            elif stage.name == "circuit":
                took = _circuit(run)
            elif stage.name == "check" and at:
                took = times["check"][-1]  # the same for every set
            else:
                ratio = stage.units(size) / max(1, stage.units(pilot))
                took = _timed(partial(stage.make, run, _silent), ratio)
            times[stage.name].append(took)
            told(1)
    return [
        Expected(stage.name, stage.units(size), *zip(*times[stage.name][1:], strict=True))
        for stage in wanted
    ]


def _silent(done: int) -> None:
    pass


def _timed(make: Callable[[], Any], ratio: float) -> tuple[float, float]:
    """Seconds of the chunks that workers share, and the others, times so many."""
    within = 0.0

    def each(calls: Sequence[Callable[[], Any]]) -> Iterator[Any]:
        nonlocal within
        for call in calls:
            begun = process_time()
            made = call()
            within += process_time() - begun
            yield made

    start = process_time()
    with chunks.shared(each):
        make()
    return within * ratio, (process_time() - start - within) * ratio


def _translated(mt: Translator, pairs: Sequence[Pair], size: int) -> tuple[float, float]:
    """Sentences in batches as large as a run's."""
    texts = sorted({item.text for pair in pairs for item in pair}, key=len)
    shared, _ = _timed(lambda: list(chunks.each([("", lambda: mt.generate(texts))])), 1.0)
    return shared * 2 * size / len(texts), 0.0


def _strongest(run: Run) -> tuple[Known, dict[Any, list[Any]]]:
    """What is known of a small run, and its heads by story and site, the strongest first."""
    needed = ("effect", "together", "others")
    known = known_of(run, *(stages.measure(run, needed)[name] for name in needed))
    found = judged(run, known)
    return known, {key: sorted(some, key=lambda one: -one.value) for key, some in found.items()}


def _cards(run: Run, settings: Settings, at: int) -> tuple[float, float]:
    """Cards of one site and story, as many as a run makes at most; times sites and stories."""
    known, heads = _strongest(run)
    key = sorted(heads, key=lambda one: (-len(run.stories.get(one.story, ())), one.site))
    if not key:
        return 0.0, 0.0
    first = [one for one in key if one.story == key[0].story]
    chosen = first[at % len(first)]
    try:
        bench = Bench.of(run, known, chosen.story)
        pairs = pairs_of(settings.heads) / len(bench.held)
        return _timed(lambda: bench.cards(chosen.site, heads[chosen][:MOST]), pairs * len(key))
    except Unfit:
        return 0.0, 0.0


def _circuit(run: Run) -> tuple[float, float]:
    """Paths between as many heads as a run takes at most."""
    _, heads = _strongest(run)
    every = sorted((one for some in heads.values() for one in some), key=lambda one: -one.value)
    named: dict[str, list[Any]] = {}
    for one in dict.fromkeys((one.site, one.layer, one.head) for one in every):
        if sum(map(len, named.values())) < circuit.MOST:
            named.setdefault(one[0], []).append(one[1:])
    found: list[Any] = []
    try:
        shared, here = _timed(lambda: found.append(circuit.circuit(run, named)), 1.0)
    except Unfit:
        return 0.0, 0.0
    ratio = circuit.PAIRS / max(1, found[0]["pairs"])
    return shared * ratio, here * ratio
