"""Two runs on the same pairs: differences with paired intervals, and McNemar's test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import isfinite
from typing import Any

import numpy as np

from cuescope.measures.registry import Judged, Measure, known
from cuescope.measures.relative import delta_entropy, of_means
from cuescope.measures.verdict import JudgedPair, Verdict
from cuescope.run.findings import ContrastOf, Entropies, Findings, PairOf, TwinOf
from cuescope.run.judged import judged
from cuescope.stats import McNemar, mcnemar, measured
from cuescope.stats import holm as adjusted
from cuescope.stats.intervals import APART, FACTORS, Array, Clusters, ratio
from cuescope.stats.value import Value

Key = tuple[Any, ...]
Rows = dict[Key, PairOf]


@dataclass(frozen=True)
class Difference:
    """One measure of the second run less that of the first, over the pairs that both have."""

    measure: str
    value: Value
    test: McNemar | None = None
    p: float | None = None  # McNemar's, adjusted after Holm

    def to_json(self) -> dict[str, Any]:
        """For files."""
        found: dict[str, Any] = {"measure": self.measure, "value": self.value.number()}
        found |= {"n": self.value.n, "over": self.value.over}
        low, high = self.value.interval() or (None, None)
        tested = None
        if self.test:
            facts = {name: getattr(self.test, name) for name in ("only_first", "only_second")}
            tested = {**facts, "p": self.test.p, "p_holm": self.p}
        return {**found, "low": low, "high": high, "mcnemar": tested}


def keyed(findings: Findings) -> Rows:
    """The pairs of a run by what their sentences say; a repeated pair is told by its count."""
    keys = [
        tuple((t["set"], t["source"], tuple(t["focus"]), t["gold"]) for t in pair["twins"])
        for pair in findings["pairs"]
    ]
    return dict(zip(_counted(keys), findings["pairs"], strict=True))


def _counted(keys: Sequence[Key]) -> list[Key]:
    """Each key with how often it came before.

    >>> _counted([("a",), ("b",), ("a",)])
    [('a', 0), ('b', 0), ('a', 1)]
    """
    seen: Counter[Key] = Counter()
    made = []
    for key in keys:
        made.append((*key, seen[key]))
        seen[key] += 1
    return made


def common(runs: Sequence[Mapping[Key, Any]]) -> list[Key]:
    """The keys that all have, in the order of the first."""
    return [key for key in runs[0] if all(key in other for other in runs[1:])]


def contrasts(findings: Findings, name: str) -> dict[Key, tuple[float, float]]:
    """By contrast set: H of the unambiguous versions (the mean of he and she), H of they."""
    assert findings["uncertainty"] is not None
    entropies: Entropies = findings["uncertainty"]["measures"][name]
    he, she, they = (entropies["entropy"][version] for version in ("he", "she", "they"))
    values = [((a + b) / 2, c) for a, b, c in zip(he, she, they, strict=True)]
    return dict(zip(_sets(findings), values, strict=True))


def _sets(findings: Findings) -> dict[Key, ContrastOf]:
    """The contrast sets of a run by what their sentences say."""
    sets = findings["uncertainty"]["sets"] if findings["uncertainty"] else []
    texts = [(one["noun"], *sorted(one["texts"].items())) for one in sets]
    return dict(zip(_counted(texts), sets, strict=True))


def both_right(pair: PairOf, strict: bool = False) -> bool:
    """Are all twins right (and, strictly, do their noun phrases agree with themselves)?"""
    return all(t["correct"] and (t["consistent"] or not strict) for t in pair["twins"])


def differences(first: Findings, second: Findings) -> list[Difference]:
    """Accuracy by set and gender, all measures, and ΔH of the second run less the first.

    The same nouns are left out in both runs, so what the runs share cancels out. McNemar's test
    asks whether the sentences (pairs) that only one of them gets right lean to one side.
    """
    a, b = keyed(first), keyed(second)
    keys = common([a, b])
    rows = [(a[key], b[key]) for key in keys]
    found = [*_accuracies(rows), *_registered(rows)] if rows else []
    return holm([*found, *_entropies(first, second)])


def holm(found: Sequence[Difference]) -> list[Difference]:
    """The p of every test, adjusted for their number: smallest first, times what is left.

    >>> tests = [Difference("a", Value("a", 0, 0, 0, 1), McNemar(0, 9, 0, p)) for p in (0.04, 0.01)]
    >>> [one.p for one in holm(tests)]
    [0.04, 0.02]
    """
    tested = [one.test.p for one in found if one.test]
    ps = iter(adjusted(tested))
    return [replace(one, p=next(ps) if one.test else None) for one in found]


def _redrawn(
    name: str,
    rows: Sequence[Sequence[float]],
    statistic: Callable[[Array], Array],
    n: int,
    pairs: Sequence[PairOf],
) -> Value:
    """A statistic of the rows' sums (a row a pair), its interval over what the pairs share."""
    shared = Clusters(**{name: [pair.get(name) for pair in pairs] for name in FACTORS})
    table = np.asarray(rows, dtype=float)
    return replace(measured(name, table, statistic, shared, bounds=APART), n=n)


def _share(sums: Array) -> Array:
    """Of (first, second, there): the difference of the two shares of what is there."""
    return np.asarray((sums[..., 1] - sums[..., 0]) / sums[..., 2])


def _accuracies(rows: Sequence[tuple[PairOf, PairOf]]) -> list[Difference]:
    """By set and gold gender, over the sentences that neither run skipped."""
    twins = [unskipped(one, other) for one, other in rows]
    sets = dict.fromkeys(a["set"] for pair in twins for a, _ in pair)
    found = []
    for name, who in product(sets, ("all", "male", "female")):
        kept = [
            [(a, b) for a, b in pair if a["set"] == name and who in ("all", a["gold"])]
            for pair in twins
        ]
        label = f"accuracy {name} {who}"
        flat = [both for pair in kept for both in pair]
        if not flat:
            continue
        cells = [
            [sum(a["correct"] for a, _ in p), sum(b["correct"] for _, b in p), len(p)] for p in kept
        ]
        test = mcnemar([a["correct"] for a, _ in flat], [b["correct"] for _, b in flat])
        pairs = [one for one, _ in rows]
        found.append(Difference(label, _redrawn(label, cells, _share, len(flat), pairs), test))
    return found


def unskipped(one: PairOf, other: PairOf) -> list[tuple[TwinOf, TwinOf]]:
    """The twins of a pair that neither run skipped."""
    both = zip(one["twins"], other["twins"], strict=True)
    return [(a, b) for a, b in both if not (a["skipped"] or b["skipped"])]


def _registered(rows: Sequence[tuple[PairOf, PairOf]]) -> list[Difference]:
    """Every registered measure, over the pairs (sentences) that neither run skipped."""
    pairs: list[list[JudgedPair]] = [[], []]
    sets: list[dict[str, list[Verdict]]] = [{}, {}]
    for both in rows:
        made = [judged(pair) for pair in both]
        there = [not any(one.skipped for one in twins) for twins in _twins(made)]
        for at, one in enumerate(made):
            if all(there):
                pairs[at].append(one)
            for twin, verdict, counts in zip(both[at]["twins"], one[1:], there, strict=True):
                if counts:
                    sets[at].setdefault(twin["set"], []).append(verdict)
    found = []
    for measure in known():
        first, second = (measure.units(pairs[at], sets[at]) for at in (0, 1))
        if not first or len(first) != len(second):  # a folder of an earlier release tells less
            continue
        value = measure.difference(first, second)
        if isfinite(value.value):
            value = replace(value, n=len(first))
            found.append(Difference(measure.label, value, _tested(measure, first, second)))
    return found


def _twins(made: Sequence[JudgedPair]) -> list[tuple[Verdict, ...]]:
    """The verdicts of all runs on the one twin, and on the other."""
    return list(zip(*((pro, anti) for _, pro, anti in made), strict=True))


def _tested(measure: Measure, first: Sequence[Judged], second: Sequence[Judged]) -> McNemar | None:
    """McNemar's test, of a share whose units are there in both runs, each a hit or none."""
    a, b = measure.table(first), measure.table(second)
    plain = measure.statistic is ratio and a.shape[1] == 2 and np.isin(a, (0, 1)).all()
    if not plain or not np.isin(b, (0, 1)).all() or not (a[:, 1] == b[:, 1]).all():
        return None
    there = a[:, 1] > 0
    return mcnemar((a[there, 0] > 0).tolist(), (b[there, 0] > 0).tolist())


def why_not(first: Findings, second: Findings, name: str) -> str:
    """Why the entropies of two runs cannot be set against each other; empty if they can.

    >>> why_not({"uncertainty": None}, {"uncertainty": None}, "ge")
    'not measured in both'
    """
    a, b = first["uncertainty"], second["uncertainty"]
    if a is None or b is None or name not in a["measures"] or name not in b["measures"]:
        return "not measured in both"
    for what in ("samples", "epsilon"):
        if a[what] != b[what]:  # type: ignore[literal-required]
            return f"{what} {a[what]} against {b[what]}"  # type: ignore[literal-required]
    parts = [one["measures"][name]["part"] for one in (a, b)]
    if parts[0] != parts[1] and first["lang"] == second["lang"]:
        return f"{parts[0]} against {parts[1]}"
    if not common([contrasts(first, name), contrasts(second, name)]):
        return "no contrast set in both"
    return ""


def _entropies(first: Findings, second: Findings) -> list[Difference]:
    measured = first["uncertainty"]["measures"] if first["uncertainty"] else {}
    found = []
    for name in measured:
        if why_not(first, second, name):
            continue
        a, b = contrasts(first, name), contrasts(second, name)
        keys, sets = common([a, b]), _sets(first)
        shared = Clusters(**{n: [sets[key].get(n) for key in keys] for n in FACTORS})
        label = f"ΔH ({name})"
        rows = [[*a[key], *b[key]] for key in keys]
        found.append(Difference(label, of_means(label, rows, _gap, shared, bounds=(-4.0, 4.0))))
    return found


def _gap(means: Array) -> Array:
    """ΔH of the second less ΔH of the first, from mean entropies."""
    deltas = [delta_entropy(means[..., at], means[..., at + 1]) for at in (0, 2)]
    return np.asarray(deltas[1] - deltas[0])
