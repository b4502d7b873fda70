"""What a release is told by: a kept score, a run's folder, translation files, or one in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cuescope.errors import CueScopeError
from cuescope.files import read_lines
from cuescope.files.documents import json_of
from cuescope.measures.verdict import JudgedPair, Verdict
from cuescope.run import findings
from cuescope.run.score import Score, score
from cuescope.run.score_simplegen import score_simplegen

if TYPE_CHECKING:
    from cuescope.run.findings import Findings
    from cuescope.run.run import Run

Key = tuple[Any, ...]
_AGAIN = "score the translations again, with --json"


@dataclass(frozen=True)
class Side:
    """One release: its name, its language, its verdicts."""

    label: str
    lang: str
    score: Score = field(repr=False)

    @cached_property
    def sentences(self) -> dict[Key, Verdict]:
        """By what the sentence says; one that stands in several sets is there once."""
        found: dict[Key, Verdict] = {}
        for verdicts in self.score.sets.values():
            seen: Counter[Key] = Counter()
            for one in verdicts:
                key = sentence(one)
                found.setdefault((*key, seen[key]), one)
                seen[key] += 1
        return found

    @cached_property
    def sets(self) -> dict[str, dict[Key, Verdict]]:
        """The same set by set."""
        alone = {name: Side(name, self.lang, _only(found)) for name, found in self._named()}
        return {name: one.sentences for name, one in alone.items()}

    def _named(self) -> list[tuple[str, tuple[Verdict, ...]]]:
        return [(name, found) for name, found in self.score.sets.items() if name != "all"]

    @cached_property
    def pairs(self) -> dict[Key, JudgedPair]:
        """The pairs that count, by what their sentences say."""
        seen: Counter[Key] = Counter()
        found = {}
        for one in self.score.kept:
            key = (sentence(one[1]), sentence(one[2]))
            found[(*key, seen[key])] = one
            seen[key] += 1
        return found


def sentence(verdict: Verdict) -> Key:
    """What tells a sentence from others: its words, its noun, the gender that is right."""
    return verdict.item.text, verdict.item.focus, verdict.item.gold


def _only(verdicts: tuple[Verdict, ...]) -> Score:
    return Score({"": verdicts})


def opened(
    what: str | Path | Score | Run | Side, *, data: str | None = None, lang: str | None = None
) -> Side:
    """A release by its folder, its kept score, its translation files, or as it is in memory.

    Translation files need `data` and `lang`; those of several sets are `pro=FILE,anti=FILE`.
    """
    if isinstance(what, Side):
        return what
    if isinstance(what, Score):
        return Side("score", what.signature.get("lang", ""), what)
    if not isinstance(what, str | Path):
        _refuse_unread(what.mt.name, what.unread)
        return Side(what.mt.name, what.lang, what.score)
    path = Path(what)
    if path.is_dir() or path.name == findings.NAME:
        return of_findings(path.name if path.is_dir() else path.parent.name, findings.read(path))
    if path.suffix == ".json":
        return _kept(path)
    if data is None or lang is None:
        raise CueScopeError(
            f"{what}: translations of what, into which language?",
            expected="a run's folder, the .json of `cuescope score --json`, or --data and --lang",
            found="a file of translations" if path.is_file() else "no such file or folder",
        )
    files = _files(str(what))
    made = score_simplegen(files, lang).score if data == "simplegen" else score(data, files, lang)
    return Side(_label(str(what)), lang, made)


def all_opened(
    what: Sequence[str | Path], *, data: str | None = None, lang: str | None = None
) -> list[Side]:
    """Two releases or more, each with a name that tells it from the others."""
    if len(what) < 2:
        raise CueScopeError(
            "nothing to compare with", expected="two releases or more", found=str(len(what))
        )
    sides = [opened(one, data=data, lang=lang) for one in what]
    labels = [side.label for side in sides]
    return [
        side if labels.count(side.label) == 1 else replace(side, label=str(one))
        for side, one in zip(sides, what, strict=True)
    ]


def _label(what: str) -> str:
    """The names of the files, without their folders.

    >>> _label("pro=old/pro.it,anti=old/anti.it"), _label("new.it")
    ('old', 'new.it')
    """
    places = [Path(place) for place in _files(what).values()]
    return places[0].name if len(places) == 1 else places[0].parent.name or places[0].name


def _files(what: str) -> dict[str, str]:
    """SET=FILE,SET=FILE or one FILE."""
    if Path(what).exists() or "=" not in what:
        return {"": what}
    parts = (one.partition("=") for one in what.split(","))
    return {name.strip(): path.strip() for name, _, path in parts}


def of_findings(label: str, findings: Findings) -> Side:
    """A run by its findings."""
    from cuescope.run.judged import judged
    from cuescope.signature import Signature

    _refuse_unread(label, findings.get("unread", ""))
    pairs = [judged(pair) for pair in findings["pairs"]]
    sets: dict[str, list[Verdict]] = {}
    for told, (_, *twins) in zip(findings["pairs"], pairs, strict=True):
        for twin, verdict in zip(told["twins"], twins, strict=True):
            sets.setdefault(twin["set"], []).append(verdict)
    made = Score(
        {name: tuple(verdicts) for name, verdicts in sets.items()},
        tuple(pairs),
        all_pairs=True,
        signature=Signature(run=findings["signature"]),
    )
    return Side(label, findings["lang"], made)


def _refuse_unread(label: str, why: str) -> None:
    """Releases are told apart by what their nouns show."""
    if why:
        raise CueScopeError(
            f"the nouns of {label} were not read: {why}",
            expected="runs into a language whose gender can be read",
            found=why,
            do="add its rules: docs/adding-a-language.md; `compare` shows the heads of both",
        )


def _kept(path: Path) -> Side:
    from cuescope.run import kept_score

    told: Any = json_of("\n".join(read_lines(path)), f"{path} is no kept score", _AGAIN)
    if isinstance(told, Mapping) and "schema" in told:
        return of_findings(path.stem, findings.read(path))
    if not isinstance(told, Mapping) or "sets" not in told or "pairs" not in told:
        raise CueScopeError(
            f"{path} is no kept score",
            expected="what `cuescope score --json` writes, but for relationships",
            found=", ".join(list(told)[:6]) if isinstance(told, Mapping) else type(told).__name__,
            do=_AGAIN,
        )
    made = kept_score.read(told, path)
    return Side(path.stem, made.signature.get("lang", ""), made)
