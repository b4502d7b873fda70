"""Run folders opened: each with its findings and a short name that tells it from the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from cuescope.errors import CueScopeError
from cuescope.run import findings
from cuescope.run.findings import Entropies, Findings

_KEPT = ("model", "data", "lang", "signature", "settings", "accuracy", "measures", "orders")
_LONGEST = 48  # characters of a label
_OF_A_SITE = ("layers", "heads", "carrying", "together", "agreements", "halves")


@dataclass(frozen=True)
class Entry:
    """One run: a short name, its folder, its findings."""

    label: str
    folder: Path
    findings: Findings = field(repr=False)

    @property
    def measures(self) -> dict[str, Entropies]:
        """The measures of uncertainty that were taken, by name."""
        return self.findings["uncertainty"]["measures"] if self.findings["uncertainty"] else {}

    def to_json(self) -> dict[str, Any]:
        """The numbers of the run, without its sentences."""
        found: dict[str, Any] = dict(self.findings)
        return {
            "label": self.label,
            "folder": str(self.folder),
            **{name: found.get(name) for name in _KEPT},
            "heads": {
                story: {
                    name: {fact: site[fact] for fact in _OF_A_SITE} for name, site in sites.items()
                }
                for story, sites in found["heads"].items()
            },
            "entropies": {name: one["values"] for name, one in self.measures.items()},
        }


def entries(folders: Sequence[Path]) -> tuple[Entry, ...]:
    """Open two runs or more, all different."""
    if len(folders) < 2:
        raise CueScopeError(
            "nothing to compare with",
            expected="two run folders or more",
            found=str(len(folders)),
            do="cuescope compare RUN RUN",
        )
    read = [findings.read(folder) for folder in folders]
    for first, second in combinations(range(len(read)), 2):
        places = folders[first], folders[second]
        if places[0].resolve() == places[1].resolve() or _same(read[first], read[second]):
            raise CueScopeError(
                "the same run twice",
                expected="different runs",
                found=" and ".join(map(str, places)),
                do="name each run once",
            )
    return tuple(map(Entry, _labels(read, folders), folders, read))


def _same(a: Findings, b: Findings) -> bool:
    """Do two documents say the same, however long it took?"""
    return {**a, "seconds": None} == {**b, "seconds": None}


def _labels(read: Sequence[Findings], folders: Sequence[Path]) -> list[str]:
    """The model's name; then intervention, languages, data and folder, where runs are alike."""
    places = [(folder if folder.is_dir() else folder.parent).resolve() for folder in folders]
    names = [one["model"]["name"] for one in read]
    short = [_short(name) for name in names]
    labels = [
        label if len({n for n, s in zip(names, short, strict=True) if s == label}) == 1 else name
        for name, label in zip(names, short, strict=True)
    ]
    for more in (
        [one["model"].get("under", "") or "plain" for one in read],
        [f"{one['model']['src']}→{one['model']['tgt']}" for one in read],
        [_short(one["data"]["name"]) for one in read],
        [place.name for place in places],
        [str(folder) for folder in folders],
    ):
        pairs = list(zip(labels, more, strict=True))
        labels = [
            f"{label}, {extra}" if len({e for n, e in pairs if n == label}) > 1 else label
            for label, extra in pairs
        ]
    return labels


def _short(name: str) -> str:
    """The last part of a folder, a file or a hub name, no longer than a table can hold.

    >>> _short("firefox:en-pt"), _short("/home/me/my-model"), _short("winomt:data/winomt")
    ('firefox:en-pt', 'my-model', 'winomt')
    """
    kind, _, place = name.partition(":")
    name = kind if "/" in place else Path(name).name or name
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
