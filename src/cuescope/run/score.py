"""Score any system's output on a challenge set: no model needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cuescope import data as sets_of
from cuescope.data import plain, simplegen, translations, winomt
from cuescope.data.given import doubts, refuse
from cuescope.data.items import Gold, Item, Pair
from cuescope.errors import CueScopeError
from cuescope.files import read_lines
from cuescope.gender.reading import By, Gender
from cuescope.measures import accuracy as measure
from cuescope.measures.minimal_pairs import MPA, mpa
from cuescope.measures.other_noun import Selectivity, selectivity
from cuescope.measures.registry import known
from cuescope.measures.verdict import JudgedPair, Verdict, judge
from cuescope.signature import Signature, hash_text
from cuescope.stats.intervals import Clusters
from cuescope.stats.value import Value

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Score:
    """The verdicts on one or more sets, and what is measured from them."""

    sets: Mapping[str, tuple[Verdict, ...]] = field(repr=False)
    judged: tuple[JudgedPair, ...] = field(default=(), repr=False)  # both twins of these have one
    all_pairs: bool = False
    signature: Signature = field(default_factory=Signature)
    clustered: bool = True  # intervals over nouns and templates, not over single sentences
    warnings: tuple[str, ...] = ()  # what is odd about the files: blank lines, untranslated ones

    @property
    def plain(self) -> Score:
        """The same, with intervals as if no sentence had anything in common with another."""
        return replace(self, clustered=False)

    def _clusters(self, *names: str) -> Clusters | None:
        kept = (v.item for name in names for v in self.sets[name] if not v.skipped)
        return Clusters.of(kept) if self.clustered else None

    def _columns(self, name: str, reading: By = "phrase") -> tuple[list[Gold], list[Gender]]:
        if name not in self.sets:
            raise CueScopeError(
                "no such set", expected=", ".join(self.sets), found=name, do="give its translations"
            )
        verdicts = [v for v in self.sets[name] if not v.skipped]
        return [v.item.gold for v in verdicts], [v.reading.by(reading) for v in verdicts]

    def accuracy(self, name: str, reading: By = "phrase") -> dict[str, Value]:
        """Gender accuracy of one set: all, male, female; by the noun's phrase, or with pronouns."""
        columns, shared = self._columns(name, reading), self._clusters(name)
        found = measure.accuracy(*columns, signature=self.signature, clusters=shared)
        return {who: _named(value, reading) for who, value in found.items()}

    def f1(self, name: str) -> dict[str, Value]:
        """F1 by gender and ΔG of one set."""
        columns = self._columns(name)
        return measure.f1(*columns, signature=self.signature, clusters=self._clusters(name))

    def confusion(self, name: str) -> dict[Gold, dict[Gender, int]]:
        """Gold gender against reading."""
        return measure.confusion(*self._columns(name))

    def delta_s(self) -> Value:
        """ΔS, pro against anti."""
        pro, anti = self._columns("pro"), self._columns("anti")
        shared = self._clusters("pro", "anti")
        return measure.delta_s(pro, anti, signature=self.signature, clusters=shared)

    @cached_property
    def mpa(self) -> MPA | None:
        """Minimal pair accuracy, where both twins were scored: by the noun's own phrase."""
        return self._mpa("phrase")

    @cached_property
    def mpa_with_pronouns(self) -> MPA | None:
        """The same with pronouns as a last resort, where the phrase shows no gender."""
        return self._mpa("pronouns")

    def _mpa(self, reading: By) -> MPA | None:
        judged = [(p, a, b) for p, a, b in self.judged if not (a.skipped or b.skipped)]
        if not judged:
            return None
        kept = [(p, a, b) for p, a, b in judged if self.all_pairs or p.minimal]
        made = mpa(
            [p for p, _, _ in kept],
            [(a.correct_by(reading), b.correct_by(reading)) for _, a, b in kept],
            [(a.consistent, b.consistent) for _, a, b in kept],
            left_out=[p for p, _, _ in judged if not (self.all_pairs or p.minimal)],
            signature=self.signature,
            clusters=Clusters.of(p.pro for p, _, _ in kept) if self.clustered else None,
        )
        return replace(
            made,
            value=_named(made.value, reading),
            strict=_named(made.strict, reading),
            pro_f=_named(made.pro_f, reading),
            pro_m=_named(made.pro_m, reading),
        )

    @cached_property
    def kept(self) -> list[JudgedPair]:
        """The pairs that count: both twins scored, and minimal unless all are wanted."""
        both = [(p, a, b) for p, a, b in self.judged if not (a.skipped or b.skipped)]
        return [one for one in both if self.all_pairs or one[0].minimal]

    def selectivity(self) -> Selectivity:
        """What the cue does to the focus noun, and to the other person of the same sentences."""
        return selectivity(self.kept, signature=self.signature, clustered=self.clustered)

    def measures(self) -> dict[str, Value]:
        """Every registered measure by name, those that have something to ask here."""
        made = {measure: measure.units(self.kept, self.sets) for measure in known()}
        return {
            measure.name: measure.value(units, signature=self.signature, clustered=self.clustered)
            for measure, units in made.items()
            if units
        }

    def _repr_html_(self) -> str:
        from cuescope.run import html

        return html.score(self)

    def to_json(self) -> dict[str, Any]:
        """The schema of the command line."""
        from cuescope.run import kept_score

        found: dict[str, Any] = {"sets": {}}
        for name, verdicts in self.sets.items():
            found["sets"][name] = {
                **measure.summary(*self._columns(name), self._clusters(name)),
                "accuracy_with_pronouns": _with_pronouns(self.accuracy(name, "pronouns")),
                "empty": sum(not v.translation for v in verdicts),
                "skipped": [
                    {"line": v.item.line, "reason": v.skipped} for v in verdicts if v.skipped
                ],
                "items": [kept_score.row(v) for v in verdicts],
            }
        if self.mpa is not None:
            found["mpa"] = self.mpa.to_json()
        if self.mpa_with_pronouns is not None:
            found["mpa_with_pronouns"] = self.mpa_with_pronouns.to_json()
        if {"pro", "anti"} <= set(self.sets):
            gap = self.delta_s()
            found["delta_s"] = gap.number()
            found["intervals"] = {"delta_s": gap.interval()}
        found["measures"] = {
            name: {"value": one.number(), "interval": one.interval(), "n": one.n, "over": one.over}
            for name, one in self.measures().items()
        }
        found |= {"pairs": kept_score.pairs(self), "warnings": list(self.warnings)}
        return {**found, "signature": str(self.signature)}

    def table(self) -> pd.DataFrame:
        """One row a sentence, with the evidence in words."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "set": name,
                    "line": v.item.line,
                    "pair": v.item.pair,
                    "source": v.item.text,
                    "translation": v.translation,
                    "noun": v.item.noun,
                    "gold": v.item.gold,
                    "stereotype": v.item.stereotype,
                    "order": v.item.order,
                    "gender": v.reading.gender,
                    "gender_with_pronouns": v.reading.with_pronouns,
                    "correct": v.correct,
                    "correct_with_pronouns": v.correct_by("pronouns"),
                    "consistent": v.consistent,
                    "found": v.translation[slice(*v.reading.span)] if v.reading.span else "",
                    "evidence": ", ".join(map(str, v.reading.evidence)),
                    "beyond": ", ".join(map(str, v.reading.beyond)),
                    "aside": ", ".join(map(str, v.reading.aside)),
                    "reason": v.reading.reason,
                    "skipped": v.skipped,
                }
                for name, verdicts in self.sets.items()
                for v in verdicts
            ]
        )


def _named(value: Value, reading: By) -> Value:
    """A value by the second reading says so in its name."""
    return value if reading == "phrase" else replace(value, name=f"{value.name} with pronouns")


def _with_pronouns(values: Mapping[str, Value]) -> dict[str, Any]:
    numbers = {name: value.number() for name, value in values.items()}
    return {**numbers, "intervals": {name: value.interval() for name, value in values.items()}}


def score(
    data: str,
    outputs: Mapping[str, str | Path],
    lang: str,
    *,
    engine: str = "builtin",
    all_pairs: bool = False,
    force: bool = False,
) -> Score:
    """Score translations of WinoMT (`winomt:DIR`) or of a user's own set.

    `outputs` maps a set (reg, pro, anti; the `set` column of one's own data; `""` for all of it)
    to the file of its translations. A file that is blank, untranslated or in another language is
    refused unless `force` says that it is meant.
    """
    if not isinstance(outputs, Mapping):
        raise CueScopeError(
            "which set does the file translate?",
            expected='files by set, as {"pro": "pro.it", "anti": "anti.it"}, {"": FILE} for all',
            found=repr(outputs)[:80],
        )
    items, pairs = _challenge(data)
    outputs = {_set(name, path, items, data): path for name, path in outputs.items()}
    read = {
        name: translations.read(path, [item.text for item in items[name]])
        for name, path in outputs.items()
    }
    warnings: list[str] = []
    for name, path in outputs.items():
        odd = doubts(path, [item.text for item in items[name]], read[name].texts, lang)
        if not force:
            refuse(odd)
        warnings += (doubt.note() for doubt in odd)
    flat = [item for name in read for item in items[name]]
    texts = [text for made in read.values() for text in made.texts]
    verdicts = iter(judge(flat, texts, lang, engine=engine, others=True))
    signature = Signature(
        data=data.partition(":")[0],
        sets="+".join(filter(None, outputs)) or "all",
        sources=hash_text(item.text for item in flat),
        translations=hash_text(texts),
        lang=lang,
        aligner=engine,
        pairs="all" if all_pairs else "minimal",
    )
    sets = {
        name or "all": tuple(
            replace(next(verdicts), skipped=made.skipped.get(number, ""))
            for number in range(len(made.texts))
        )
        for name, made in read.items()
    }
    judged = tuple(joined(pairs, sets))
    return Score(sets, judged, all_pairs=all_pairs, signature=signature, warnings=tuple(warnings))


def joined(pairs: Sequence[Pair], sets: Mapping[str, Sequence[Verdict]]) -> Iterator[JudgedPair]:
    """Pairs with the verdicts on both twins; in a file's items, set and line tell each apart."""
    verdict = {(v.item.set, v.item.line): v for verdicts in sets.values() for v in verdicts}
    for pair in pairs:
        pro, anti = (verdict.get((twin.set, twin.line)) for twin in pair)
        if pro is not None and anti is not None:
            yield pair, pro, anti


def _challenge(data: str) -> tuple[dict[str, list[Item]], list[Pair]]:
    """A challenge set's items by set, with all of one's own under `""`, and its pairs."""
    if data.startswith("winomt"):
        sets = winomt.folder(sets_of.place(data))
        both = {"pro", "anti"} <= set(sets)
        return sets, winomt.twins(sets["pro"], sets["anti"]) if both else []
    if data == "simplegen":
        return {name: simplegen.items(name) for name in simplegen.SETS}, list(
            simplegen.pairs(all_pairs=True)
        )
    items = sets_of.load(data)
    sets = {"": items}
    for item in items:
        if item.set:
            sets.setdefault(item.set, []).append(item)
    return sets, list(plain.pairs(data, all_pairs=True))


def _set(name: str, path: str | Path, sets: Mapping[str, list[Item]], data: str) -> str:
    """The set that a file translates: as named, or the only one with as many lines."""
    if name in sets:
        return name
    lines = len(read_lines(path)) if not name else -1
    fitting = [known for known, items in sets.items() if len(items) == lines]
    if len(fitting) == 1:
        return fitting[0]
    raise CueScopeError(
        f"no set {name!r} in {data}" if name else f"{path}: which set is translated here?",
        expected=" or ".join(f"{known}=FILE" for known in sets if known),
        found=f"{name}=FILE" if name else "FILE",
    )
