"""Runs side by side: what may be compared is compared, and what may not is said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from cuescope.errors import CueScopeError
from cuescope.measures.registry import known
from cuescope.run.compare import paired
from cuescope.run.compare.entries import Entry, entries
from cuescope.run.compare.paired import Difference
from cuescope.run.compare.ranking import Ranking, rankings
from cuescope.run.findings import measured
from cuescope.run.release import Release
from cuescope.run.release import versus as turned
from cuescope.run.release.sides import of_findings


@dataclass(frozen=True)
class Versus:
    """The second run against the first, over the pairs that both have."""

    first: str
    second: str
    pairs: int
    differences: tuple[Difference, ...]

    def to_json(self) -> dict[str, Any]:
        """For files."""
        facts = {"first": self.first, "second": self.second, "pairs": self.pairs}
        return {**facts, "measures": [one.to_json() for one in self.differences]}


@dataclass(frozen=True)
class SameHeads:
    """One model on two challenge sets: do the same heads carry the cue?"""

    first: str
    second: str
    story: str
    site: str
    rho: float
    heads: int


@dataclass(frozen=True)
class SideBySide:
    """Runs side by side: paper A's tables 1 to 3, paper B's rankings, paired differences."""

    runs: tuple[Entry, ...]
    versus: tuple[Versus, ...]
    rankings: tuple[Ranking, ...]
    same_heads: tuple[SameHeads, ...]
    notes: tuple[str, ...]
    releases: tuple[Release, ...] = field(default=(), repr=False)  # with the sentences

    def to_json(self) -> dict[str, Any]:
        """Everything, for `--json`; of the sentences those that broke or were mended."""
        made: dict[str, Any] = _without_nan(
            {
                "runs": [run.to_json() for run in self.runs],
                "differences": [one.to_json() for one in self.versus],
                "rankings": [one.to_json() for one in self.rankings],
                "same_heads": [asdict(one) for one in self.same_heads],
                "changes": [
                    {"first": one.first.label, "second": one.second.label, "changes": changes}
                    for one in self.releases
                    if (changes := one.to_json()["changes"])
                ],
                "notes": list(self.notes),
            }
        )
        return made


def side_by_side(*folders: str | Path) -> SideBySide:
    """Compare two runs or more, by their folders.

    Differences and rankings are of the pairs that the runs share. A run that shares neither
    pairs nor weights with another cannot be compared, and that is an error.
    """
    runs = entries([Path(folder) for folder in folders])
    rows = {run.label: paired.keyed(run.findings) for run in runs}
    notes: list[str] = []
    versus, releases = [], []
    for a, b in combinations(runs, 2):
        ours, theirs = rows[a.label], rows[b.label]
        keys = paired.common([ours, theirs])
        if shared := len(keys):
            notes += _said(a, b, shared)
            found = tuple(paired.differences(a.findings, b.findings))
            versus.append(Versus(a.label, b.label, shared, found))
            judged = any(paired.unskipped(ours[key], theirs[key]) for key in keys)
            if judged and a.findings["lang"] == b.findings["lang"]:
                releases.append(turned(*(of_findings(one.label, one.findings) for one in (a, b))))
        else:
            notes.append(f"{a.label} and {b.label} share no pair: no difference is measured")
    _refuse_strangers(runs, versus)
    heads = tuple(one for a, b in combinations(runs, 2) for one in _same_heads(a, b))
    ranked, more = rankings(runs, rows)
    said = tuple(dict.fromkeys([*notes, *more]))
    return SideBySide(runs, tuple(versus), ranked, heads, said, tuple(releases))


def _said(a: Entry, b: Entry, shared: int) -> list[str]:
    """What a reader of the difference of two runs must know."""
    notes = []
    counts = [len(run.findings["pairs"]) for run in (a, b)]
    if {shared} != set(counts):
        notes.append(
            f"{a.label} and {b.label} share {shared:,} pairs of {counts[0]:,} and {counts[1]:,}: "
            "their difference is over those"
        )
    if a.findings["lang"] != b.findings["lang"]:
        notes.append(
            f"{a.label} translates into {a.findings['lang']}, {b.label} into {b.findings['lang']}: "
            "their difference is of model and language together"
        )
    declared = {one.name for one in known()}
    for name, one in (a.findings["measures"] | b.findings["measures"]).items():
        if name not in declared:
            notes.append(f"{one['label']} is shown, not compared: its code is not here")
    for name in dict.fromkeys([*a.measures, *b.measures]):
        if reason := paired.why_not(a.findings, b.findings, name):
            notes.append(f"ΔH ({name}) of {a.label} and {b.label} is not compared: {reason}")
    return notes


def _same_heads(a: Entry, b: Entry) -> list[SameHeads]:
    """Heads mean the same only in the same weights: then their effects can be correlated."""
    from scipy import stats

    if a.findings["model"]["weights"] != b.findings["model"]["weights"]:
        return []
    found = []
    for story, name, site in measured(a.findings):
        theirs = b.findings["heads"].get(story, {}).get(name)
        effects = [each["effect"] for each in (site, theirs) if each]
        grids = [np.abs(np.array(e["all"]["scores"], dtype=float)).ravel() for e in effects if e]
        if len(grids) < 2:
            continue
        known = np.isfinite(grids[0]) & np.isfinite(grids[1])
        if known.sum() > 2 and all(np.ptp(grid[known]) for grid in grids):
            rho = float(stats.spearmanr(grids[0][known], grids[1][known]).statistic)
            found.append(SameHeads(a.label, b.label, story, name, rho, int(known.sum())))
    return found


def _refuse_strangers(runs: Sequence[Entry], versus: Sequence[Versus]) -> None:
    """A run that has neither pairs nor weights in common with any other is an error."""
    met = {label for one in versus for label in (one.first, one.second)}
    weights = [run.findings["model"]["weights"] for run in runs]
    for run, own in zip(runs, weights, strict=True):
        if run.label not in met and weights.count(own) < 2:
            raise CueScopeError(
                f"{run.label} has nothing in common with the other runs",
                expected="the same challenge set, or the same model",
                found=", ".join(f"{one.label} on {one.findings['data']['name']}" for one in runs),
                do="investigate the models with the same --data",
            )


def _without_nan(value: Any) -> Any:
    """The same with None for what is not finite: JSON has no NaN."""
    if isinstance(value, Mapping):
        return {key: _without_nan(of) for key, of in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_nan(of) for of in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value
