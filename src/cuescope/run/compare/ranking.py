"""Models in order by each measure, and do the orders agree? (Paper B, tables 13 and 14.)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from cuescope.measures.relative import delta_entropy
from cuescope.run.compare import paired
from cuescope.run.compare.entries import Entry
from cuescope.run.findings import PairOf
from cuescope.stats.rank import Correlation, rank_correlation

ACCURACY = "Gender Acc."  # the measure that others are correlated with, as in paper B
LOWER = ("|pro − anti|", "ΔH")  # better when lower; the rest is better when higher


@dataclass(frozen=True)
class Ranking:
    """Runs on the same pairs in order, by each measure, and do the orders agree?"""

    labels: tuple[str, ...]
    pairs: int
    scores: Mapping[str, Mapping[str, float]]  # measure → run → value
    correlations: Mapping[str, tuple[Correlation, ...]]  # each measure with gender accuracy

    @property
    def lower(self) -> tuple[str, ...]:
        """The measures that are better when they are lower."""
        return tuple(name for name in self.scores if name.startswith(LOWER))

    def to_json(self) -> dict[str, Any]:
        """For files."""
        return {
            "runs": list(self.labels),
            "pairs": self.pairs,
            "scores": {name: dict(values) for name, values in self.scores.items()},
            "lower_is_better": list(self.lower),
            "correlations": [
                {"measure": name, "with": ACCURACY, **asdict(one)}
                for name, several in self.correlations.items()
                for one in several
            ],
        }


def rankings(
    runs: Sequence[Entry], rows: Mapping[str, paired.Rows]
) -> tuple[tuple[Ranking, ...], list[str]]:
    """A ranking of each group of runs that share pairs, and what could not be ranked, and why."""
    notes: list[str] = []
    groups = [group for group in _groups(runs, rows) if len(group) > 1]
    return tuple(_rank(group, rows, notes) for group in groups), notes


def _groups(runs: Sequence[Entry], rows: Mapping[str, paired.Rows]) -> list[list[Entry]]:
    """Runs that all share some pairs with each other, in the order given."""
    groups: list[list[Entry]] = []
    for run in runs:
        for group in groups:
            if paired.common([rows[one.label] for one in (*group, run)]):
                group.append(run)
                break
        else:
            groups.append([run])
    return groups


def _rank(group: list[Entry], rows: Mapping[str, paired.Rows], notes: list[str]) -> Ranking:
    all_rows = [rows[run.label] for run in group]
    keys = [
        key
        for key in paired.common(all_rows)
        if not any(twin["skipped"] for own in all_rows for twin in own[key]["twins"])
    ]
    scores: dict[str, dict[str, float]] = {}
    for run in group:
        pairs = [rows[run.label][key] for key in keys]
        for name, value in _measured(pairs).items():
            scores.setdefault(name, {})[run.label] = value
    for name in dict.fromkeys(name for run in group for name in run.measures):
        reasons = [paired.why_not(group[0].findings, run.findings, name) for run in group]
        if any(reasons):
            notes.append(f"ΔH ({name}) is not ranked: {next(filter(None, reasons))}")
        elif deltas := _deltas(group, name):
            scores[f"ΔH ({name})"] = deltas
        else:
            notes.append(f"ΔH ({name}) is not ranked: no contrast set is in all runs")
    whole = {
        name: values
        for name, values in scores.items()
        if len(values) == len(group) and np.isfinite(list(values.values())).all()
    }
    labels = tuple(run.label for run in group)
    return Ranking(labels, len(keys), whole, _correlate(whole, notes))


def _measured(pairs: Sequence[PairOf]) -> dict[str, float]:
    """What models are ranked by, on the given pairs."""
    twins = [twin for pair in pairs for twin in pair["twins"]]

    def share(right: list[bool]) -> float:
        return float(np.mean(right)) if right else float("nan")

    by_set = {
        name: share([t["correct"] for t in twins if t["set"] == name]) for name in ("pro", "anti")
    }
    return {
        ACCURACY: share([t["correct"] for t in twins]),
        "Acc. female": share([t["correct"] for t in twins if t["gold"] == "female"]),
        "MPA": share([paired.both_right(pair) for pair in pairs]),
        "strict MPA": share([paired.both_right(pair, strict=True) for pair in pairs]),
        LOWER[0]: abs(by_set["pro"] - by_set["anti"]),
    }


def _deltas(group: Sequence[Entry], name: str) -> dict[str, float]:
    """ΔH of the mean entropies over the contrast sets that all runs have."""
    values = {run.label: paired.contrasts(run.findings, name) for run in group}
    keys = paired.common(list(values.values()))
    if not keys:
        return {}
    means = {label: np.mean([of[key] for key in keys], axis=0) for label, of in values.items()}
    return {label: float(delta_entropy(mean[0], mean[1])) for label, mean in means.items()}


def _correlate(
    scores: Mapping[str, Mapping[str, float]], notes: list[str]
) -> dict[str, tuple[Correlation, ...]]:
    """Each measure's order against that of gender accuracy (paper B, table 14)."""
    truth = scores.get(ACCURACY, {})
    if len(truth) < 3:
        notes.append("rank correlations need three runs on the same pairs")
        return {}
    found = {}
    for name, values in scores.items():
        if name == ACCURACY:
            continue
        if min(len(set(truth.values())), len(set(values.values()))) < 2:
            notes.append(f"{name}: all runs have the same value, so there is no order to correlate")
            continue
        found[name] = tuple(
            rank_correlation(truth, values, method) for method in ("kendall", "spearman")
        )
    return found
