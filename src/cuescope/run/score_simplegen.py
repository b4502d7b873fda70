"""SimpleGEN scored by up to three protocols, side by side: a dictionary, Table A8, the lexica."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cuescope.data import simplegen, translations
from cuescope.data.given import doubts, refuse
from cuescope.data.items import Gold, Item
from cuescope.errors import CueScopeError
from cuescope.files import at, read_lines
from cuescope.measures.simplegen import (
    Forms,
    Outcome,
    SimpleGen,
    check,
    dictionary,
    occupation,
    of_gender,
    table_a8,
)
from cuescope.measures.verdict import Verdict, evidence, judge
from cuescope.run import kept_score
from cuescope.run.score import Score, joined
from cuescope.signature import Signature, hash_text

if TYPE_CHECKING:
    import pandas as pd

OURS, PRINTED = "cuescope", "Table A8"
Judged = tuple[Item, str]


@dataclass(frozen=True)
class SimpleGenScore:
    """Outcomes by protocol; `chosen` is the one whose counts are the result."""

    protocols: Mapping[str, SimpleGen] = field(repr=False)
    chosen: str
    judged: Mapping[str, tuple[Judged, ...]] = field(repr=False)
    verdicts: Mapping[str, tuple[Verdict, ...]] = field(repr=False)
    warnings: tuple[str, ...] = ()  # what is odd about the files

    @property
    def result(self) -> SimpleGen:
        """The chosen protocol's outcomes."""
        return self.protocols[self.chosen]

    @property
    def score(self) -> Score:
        """The verdicts as those of any other set, with their pairs: for comparisons."""
        return Score(
            self.verdicts,
            tuple(joined(simplegen.pairs(all_pairs=True), self.verdicts)),
            signature=self.result.signature,
            warnings=self.warnings,
        )

    def _rows(self) -> list[dict[str, Any]]:
        rows = []
        for name, judged in self.judged.items():
            for number, (item, text) in enumerate(judged):
                row: dict[str, Any] = {
                    "set": name,
                    "line": number,
                    "source": item.text,
                    "translation": text,
                    "noun": item.noun,
                    "gold": item.gold,
                }
                row |= {p: made.outcomes[name][number] for p, made in self.protocols.items()}
                if name in self.verdicts:
                    reading = self.verdicts[name][number].reading
                    row |= {
                        "gender": reading.gender,
                        "consistent": reading.consistent,
                        "evidence": evidence(reading),
                        "reason": reading.reason,
                    }
                rows.append(row)
        return rows

    def to_json(self) -> dict[str, Any]:
        """The schema of the command line."""
        result = self.result.to_json()
        result["protocol"] = self.chosen
        result["protocols"] = {name: made.counts() for name, made in self.protocols.items()}
        result["items"] = [
            {("outcome" if k == self.chosen else k): v for k, v in row.items()}
            for row in self._rows()
        ]
        for name, verdicts in self.verdicts.items():
            result["sets"][name]["items"] = [kept_score.row(one) for one in verdicts]
        if self.verdicts:
            result["pairs"] = kept_score.pairs(self.score)
        return {**result, "warnings": list(self.warnings)}

    def table(self) -> pd.DataFrame:
        """One row a sentence, with each protocol's outcome and the evidence in words."""
        import pandas as pd

        rows = self._rows()
        for row in rows:
            if "evidence" in row:
                row["evidence"] = ", ".join(
                    f"{e['word']} ({e['rule']}: {e['gender']})" for e in row["evidence"]
                )
        return pd.DataFrame(rows)


def score_simplegen(
    outputs: Mapping[str, str | Path],
    lang: str | None,
    *,
    sources: Mapping[str, str | Path] | None = None,
    expected: Gold | None = None,
    dictionary_file: str | Path | None = None,
    engine: str = "builtin",
    force: bool = False,
) -> SimpleGenScore:
    """Score translations of SimpleGEN sentences by the lexica, or by a dictionary file if given.

    Files that are blank, untranslated or in another language are refused unless `force` is given.
    """
    warnings: list[str] = []
    forms = None if dictionary_file is None else dictionary(dictionary_file)
    printed = table_a8(lang or "")
    entries = [*(forms or {}), *(printed or {})]
    judged: dict[str, tuple[Judged, ...]] = {}
    for name, path in outputs.items():
        source_file = (sources or {}).get(name, (sources or {}).get(""))
        items, texts = _read(name, path, source_file, expected, entries)
        odd = doubts(path, [item.text for item in items], texts, lang) if lang else []
        if not force:
            refuse(odd)
        warnings += (doubt.note() for doubt in odd)
        label = name or _common_set(items)
        judged[label] = tuple(zip(items, texts, strict=True))
    flat = [pair for pairs in judged.values() for pair in pairs]
    facts = Signature(
        data="simplegen",
        sources=hash_text(item.text for item, _ in flat),
        translations=hash_text(text for _, text in flat),
        lang=lang or "-",
    )
    given = {name: tuple(item for item, _ in pairs) for name, pairs in judged.items()}
    protocols: dict[str, SimpleGen] = {}
    if forms is not None and dictionary_file is not None:
        label = Path(dictionary_file).name
        known = facts | {"protocol": label}
        protocols[label] = SimpleGen(by_forms(judged, forms), known, given)
    if printed is not None:
        known = facts | {"protocol": PRINTED}
        protocols[PRINTED] = SimpleGen(by_forms(judged, printed), known, given)
    verdicts = _verdicts(judged, lang, engine, needed=forms is None)
    if verdicts:
        outcomes = {
            name: tuple(of_gender(v.reading.gender, v.item.gold) for v in found)
            for name, found in verdicts.items()
        }
        known = facts | {"protocol": OURS, "aligner": engine}
        protocols[OURS] = SimpleGen(outcomes, known, given)
    chosen = OURS if forms is None else next(iter(protocols))
    return SimpleGenScore(protocols, chosen, judged, verdicts, tuple(warnings))


def _verdicts(
    judged: Mapping[str, tuple[Judged, ...]], lang: str | None, engine: str, *, needed: bool
) -> dict[str, tuple[Verdict, ...]]:
    """Readings by the project's lexica; a dictionary alone needs neither them nor a language."""
    if not needed:
        from cuescope.gender.languages import find

        if find(lang) is None:
            return {}
    if lang is None:
        raise CueScopeError("which language?", expected="--lang", do="name the target language")
    flat = [pair for pairs in judged.values() for pair in pairs]
    found = iter(judge([i for i, _ in flat], [t for _, t in flat], lang, engine=engine))
    return {name: tuple(next(found) for _ in pairs) for name, pairs in judged.items()}


def by_forms(
    judged: Mapping[str, tuple[Judged, ...]], forms: Forms
) -> dict[str, tuple[Outcome, ...]]:
    """The dictionary's outcomes; a source without an entry of it stays inconclusive."""
    made: dict[str, tuple[Outcome, ...]] = {}
    for name, pairs in judged.items():
        outcomes: list[Outcome] = []
        for item, text in pairs:
            entry = occupation(item.text, forms)
            outcomes.append(check(text, forms[entry], item.gold) if entry else "inconclusive")
        made[name] = tuple(outcomes)
    return made


def _read(
    name: str,
    path: str | Path,
    source_file: str | Path | None,
    expected: Gold | None,
    entries: Sequence[str],
) -> tuple[list[Item], list[str]]:
    """The items that a file translates, and its translations."""
    if source_file is not None:
        sources = [line.strip() for line in read_lines(source_file)]
        texts = _whole(path, sources)
        where: str | Path = source_file
    elif any("|||" in line for line in read_lines(path)):
        sources, texts = translations.split(path)
        where = path
    elif name in simplegen.SETS:
        own = simplegen.items(name)
        return own, _whole(path, [item.text for item in own])
    else:
        raise CueScopeError(
            f"{path}: which sentences are these translations of?",
            expected="--sources FILE, `source ||| translation` lines, or SET=FILE",
            found="translations alone",
            do=f"SET is one of {', '.join(simplegen.SETS)}",
        )
    known = {item.text: item for each in simplegen.SETS for item in simplegen.items(each)}
    items = [
        _item(text, number, known.get(text), expected, entries, where)
        for number, text in enumerate(sources)
    ]
    return items, texts


def _whole(path: str | Path, sources: Sequence[str]) -> list[str]:
    """The translations, every line of them: SimpleGEN has one release only."""
    texts, skipped = translations.read(path, sources)
    if skipped:
        raise CueScopeError(next(iter(skipped.values())), expected=sources[min(skipped)])
    return texts


def _item(
    text: str,
    number: int,
    known: Item | None,
    expected: Gold | None,
    entries: Sequence[str],
    where: str | Path,
) -> Item:
    if known is not None:
        return replace(known, gold=expected or known.gold)
    entry = occupation(text, entries)
    if entry is None or expected is None:
        raise CueScopeError(
            f"{at(where, number)}: not a SimpleGEN sentence",
            expected="one of its sentences, or --expected and an occupation of the dictionary",
            found=repr(text),
        )
    start = text.lower().index(entry)
    return Item(text, (start, start + len(entry)), None, expected, line=number)


def _common_set(items: Sequence[Item]) -> str:
    names = {item.set for item in items}
    return names.pop() if len(names) == 1 and "" not in names else "all"
