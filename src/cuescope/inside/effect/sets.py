"""Sets of heads: which pairs work together, and how few heads carry most of the gap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cuescope.errors import CueScopeError, Unfit
from cuescope.inside.effect.patch import ROWS, patched
from cuescope.inside.effect.ways import together
from cuescope.inside.heads import Head, Heads, every_head
from cuescope.inside.options import Patching
from cuescope.inside.ready import Ready, Twins
from cuescope.stats import measured
from cuescope.stats.intervals import Clusters, ratio
from cuescope.stats.scores import Scores
from cuescope.stats.value import Value

if TYPE_CHECKING:
    import pandas as pd

    from cuescope.models.translator import Progress, Translator

Named = tuple[str, int, int]  # site, layer, head


@dataclass(frozen=True)
class Step:
    """A head taken into the set, and the share of the gap that the set restores with it.

    `held` is that share on pairs that had no say in the choice, if some were kept for it.
    """

    site: str
    layer: int
    head: int
    restored: float
    held: Value | None = None


class _Work(NamedTuple):
    """How heads are patched, so many rows at a time; who is told."""

    how: Patching
    rows: int = ROWS
    progress: Progress | None = None


def greedy(
    mt: Translator,
    twins: Ready[Twins],
    sites: Sequence[str] = ("encoder",),
    how: Patching = Patching(into="both"),
    *,
    enough: float = 0.9,
    most: int = 12,
    least: float = 0.0,
    judged: Ready[Twins] | None = None,
    rows: int = ROWS,
    progress: Progress | None = None,
) -> list[Step]:
    """Heads taken one by one, each the one that restores most with those before it.

    Ends when `enough` of the mean gap is restored, after `most` heads, or when none restores more
    than `least` on top; one climb for each. A set chosen on some pairs looks better on them than
    it is: every step is `held` against those `judged` apart, such as the other half of `split`.
    """
    work = _Work(_of_the_mean_gap(how), rows, progress)
    chosen: dict[str, list[Head]] = {}
    steps: list[Step] = []
    restored = 0.0
    while restored < enough and len(steps) < most:
        left = {
            site: [head for head in heads if head not in chosen.get(site, ())]
            for site, heads in every_head(mt, sites).items()
        }
        if not any(left.values()):
            break  # all are taken
        found = _patched(mt, twins, left, chosen, work)
        best = max(_candidates(found), key=lambda step: step.restored)
        if best.restored <= restored + least:
            break
        steps.append(best)
        restored = best.restored
        chosen.setdefault(best.site, []).append((best.layer, best.head))
    if judged is None:
        return steps
    taken = [(step.site, step.layer, step.head) for step in steps]
    return [
        replace(step, held=_share(mt, judged, taken[: at + 1], work))
        for at, step in enumerate(steps)
    ]


def _of_the_mean_gap(how: Patching) -> Patching:
    """Shares of sets are added up and compared: they are of the mean gap, or nothing."""
    if how.normalise != "mean":
        raise CueScopeError(
            "sets of heads restore a share of the mean gap",
            expected='normalise="mean"',
            found=repr(how.normalise),
        )
    return how


def split(twins: Ready[Twins]) -> tuple[Ready[Twins], Ready[Twins]]:
    """Two halves about as large, of other nouns; of other pairs where there is one noun only."""
    counts = Counter(one.pair.pro.noun for one in twins)
    if len(twins) < 2:
        raise Unfit(
            "too few pairs to choose heads on some and judge them on others",
            expected="two pairs",
            found=f"{len(twins)}",
        )
    sizes, half = [0, 0], {}
    for noun, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        half[noun] = sizes.index(min(sizes))
        sizes[half[noun]] += count
    parts: tuple[list[Twins], list[Twins]] = ([], [])
    for at, one in enumerate(twins):
        parts[half[one.pair.pro.noun] if len(counts) > 1 else at % 2].append(one)
    first, second = (Ready(part, twins.skipped, twins.data) for part in parts)
    return first, second


def _patched(
    mt: Translator,
    twins: Ready[Twins],
    heads: Heads,
    given: Heads,
    work: _Work,
) -> dict[str, Scores]:
    """What each head and the given ones restore together, in one direction or the mean of both."""
    how, rows, progress = work
    ways = patched(mt, twins, heads, given, how, rows, progress)
    return together([{site: _total(scores) for site, scores in way.items()} for way in ways])


def _total(scores: Scores) -> Scores:
    """A head's own share with that of the given heads."""
    if "given" not in scores.rows:
        return scores
    given = scores.rows["given"].to_numpy(dtype=float)
    return replace(scores, values=scores.values + given[:, None, None])


def _candidates(found: Mapping[str, Scores]) -> Iterator[Step]:
    """Each swept head with the share that is restored once it joins the given ones."""
    for site, scores in found.items():
        assert scores.per is not None
        restored = scores.values.sum(0) / scores.per.sum()
        for layer, head in np.argwhere(~np.isnan(restored)):
            yield Step(site, int(layer), int(head), float(restored[layer, head]))


def pairs(
    mt: Translator,
    twins: Ready[Twins],
    heads: Sequence[Named],
    how: Patching = Patching(),
) -> pd.DataFrame:
    """Two heads at once, for some heads: what both restore, and how far that is from the sum."""
    import pandas as pd

    work = _Work(_of_the_mean_gap(how))
    if len(set(heads)) < 2:
        raise CueScopeError("pairs need two heads or more", found=str(heads))
    alone = {one: _restored(mt, twins, [one], work) for one in heads}
    rows = []
    for number, first in enumerate(heads):
        for second in heads[number + 1 :]:
            both = _restored(mt, twins, [first, second], work)
            sum_of = alone[first] + alone[second]
            rows.append(
                {"first": first, "second": second, "both": both, "interaction": both - sum_of}
            )
    return pd.DataFrame(rows)


def _restored(mt: Translator, twins: Ready[Twins], heads: Sequence[Named], work: _Work) -> float:
    """The share of the gap that some heads restore together."""
    found = _scores_of(mt, twins, heads, work)
    return next(iter(_candidates({found.site: found}))).restored


def _share(mt: Translator, twins: Ready[Twins], heads: Sequence[Named], work: _Work) -> Value:
    """The same with its interval."""
    found, (_, layer, head) = _scores_of(mt, twins, heads, work), heads[-1]
    assert found.per is not None
    table = np.stack([found.values[:, layer, head], found.per], axis=1)
    shared = Clusters.of_rows(found.rows)
    return measured("restored", table, ratio, shared, signature=found.signature)


def _scores_of(mt: Translator, twins: Ready[Twins], heads: Sequence[Named], work: _Work) -> Scores:
    """Of the last head, the others given."""
    *given, (site, layer, head) = heads
    fixed: dict[str, list[Head]] = {}
    for name, a, b in given:
        fixed.setdefault(name, []).append((a, b))
    return _patched(mt, twins, {site: [(layer, head)]}, fixed, work)[site]
