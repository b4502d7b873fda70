"""Sentences and twins made ready for a model: where noun and cue stand, and what to contrast."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeVar, overload

from cuescope.data.items import Item, Pair, Pairs, numbered
from cuescope.errors import CueScopeError, Unfit
from cuescope.gender import languages
from cuescope.gender.reading import Reading
from cuescope.inside.contrast import (
    PARTED,
    Contrast,
    from_forms,
    from_texts,
    from_translations,
    own_prefix,
)
from cuescope.measures.verdict import Verdict, judge
from cuescope.models.languages import short, written
from cuescope.models.spans import Encoding
from cuescope.signature import hash_text

if TYPE_CHECKING:
    from cuescope.models.decoding import Hypothesis
    from cuescope.models.translator import Progress, Translator

Positions = tuple[int, ...]
T = TypeVar("T")


@dataclass(frozen=True)
class Made:
    """Translations of items, and the readings of their nouns, where they were made before."""

    hypotheses: Sequence[Hypothesis]
    readings: Sequence[Reading]


class Placed(NamedTuple):
    """Where noun and cue of an item stand among the sub-words of its source."""

    encoding: Encoding
    noun: Positions
    cue: Positions


@dataclass(frozen=True)
class Making:
    """How items are translated and their nouns read, where that was not done before."""

    batch_size: int = 64
    aligner: str = "builtin"
    progress: Progress | None = None

    def of(self, mt: Translator, items: Sequence[Item], lang: str) -> Made:
        """Translate the items and read their nouns; without `lang`, no noun is read."""
        texts = [item.text for item in items]
        hypotheses = mt.generate(texts, batch_size=self.batch_size, progress=self.progress)
        if not lang:
            return Made(hypotheses, [Reading("unknown", True)] * len(items))
        translations = [mt.tokenizer.decode(best.ids) for best in hypotheses]
        verdicts = judge(items, translations, lang, engine=self.aligner)
        return Made(hypotheses, [verdict.reading for verdict in verdicts])


@dataclass(frozen=True)
class Subject:
    """One item under one model: its source positions, its translation, the noun's steps in it."""

    item: Item
    encoding: Encoding
    noun: Positions
    cue: Positions
    target: Encoding  # what the model emitted, with the characters of each token
    steps: Positions  # the steps that emit the noun's sub-words
    reading: Reading
    choice: Contrast | None = None  # where its gender is chosen, if its pair has a contrast

    @property
    def accurate(self) -> bool:
        """Has the noun the gold gender in the translation?"""
        return Verdict(self.item, self.target.text, self.reading).correct

    def row(self) -> dict[str, Any]:
        """What a table says of the sentence."""
        item = self.item
        return {
            "text": item.text,
            "pair": item.pair,
            "set": item.set,
            "noun": item.noun,
            "template": item.template or None,
            "gold": item.gold,
            "stereotype": item.stereotype,
            "stereotyped": item.stereotyped,
            "order": item.order,
            "translation": self.target.text,
            "gender": self.reading.gender,
            "accurate": self.accurate,
            "length": len(self.encoding.words),
        }


@dataclass(frozen=True)
class Twins:
    """Two sentences that differ in the cue, and the place at which their translations would.

    Where these part before the noun there is no such place: then `contrast` is the male
    sentence's own, and `female_own` that of the female one.
    """

    pair: Pair
    male: Subject
    female: Subject
    contrast: Contrast
    female_own: Contrast | None = None

    def at(self, side: Literal["male", "female"]) -> Contrast:
        """The choice as the sentence of this side meets it."""
        return self.female_own or self.contrast if side == "female" else self.contrast

    def twin(self, side: Literal["male", "female"]) -> Subject:
        """One of the two sentences."""
        return self.female if side == "female" else self.male

    @property
    def sentences(self) -> tuple[Subject, Subject]:
        """Both, in the order of the pair, each with its choice."""
        male = replace(self.male, choice=self.at("male"))
        female = replace(self.female, choice=self.at("female"))
        return (male, female) if self.pair.pro.gold == "male" else (female, male)

    @property
    def like_length(self) -> bool:
        """Do both have the same number of sub-words, so that every position has its twin?"""
        return len(self.male.encoding) == len(self.female.encoding)

    def row(self) -> dict[str, Any]:
        """What a table says of the pair."""
        pro = self.pair.pro
        return {
            "text": self.male.item.text,
            "pair": self.pair.index,
            "set": "pair",
            "noun": pro.noun,
            "template": pro.template or None,
            "stereotype": pro.stereotype or (pro.gold if pro.set == "pro" else None),
            "order": pro.order,
            "accurate": self.male.accurate and self.female.accurate,
            "length": len(self.male.encoding.words),
            "contrast": self.contrast.origin,
            "step": self.contrast.step,
        }


class Ready(Sequence[T], Generic[T]):
    """What can be used, in order, and how many could not be used, by reason.

    `lang` is the language in which the nouns were read; empty if none was.
    """

    def __init__(
        self, kept: Iterable[T], skipped: Mapping[str, int], data: str = "", lang: str = ""
    ) -> None:
        self._kept, self.skipped = tuple(kept), dict(skipped)
        self.data, self.lang = data, lang

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Ready[T]: ...
    def __getitem__(self, index: int | slice) -> T | Ready[T]:
        if isinstance(index, slice):
            return Ready(self._kept[index], self.skipped, self.data, self.lang)
        return self._kept[index]

    def __len__(self) -> int:
        return len(self._kept)

    def __repr__(self) -> str:
        left = ", ".join(f"{n} {reason}" for reason, n in self.skipped.items())
        return f"Ready({len(self)} to use; skipped: {left or 'none'})"

    def without(self, reasons: Sequence[str]) -> Ready[T]:
        """Those whose reason is empty; the others are added to the skipped, by reason."""
        kept = [one for one, reason in zip(self, reasons, strict=True) if not reason]
        counted = Counter(self.skipped) + Counter(filter(None, reasons))
        return Ready(kept, counted, self.data, self.lang)

    def facts(self, mt: Translator) -> dict[str, str]:
        """What a signature says: the data, and the language where the model does not say it."""
        lang = self.lang if self.lang != short(mt.tgt) else ""
        return {"data": self.data, **({"lang": lang} if lang else {})}


def subjects(
    mt: Translator,
    items: Sequence[Item],
    *,
    lang: str | None = None,
    made: Made | Making = Making(),
    any_language: bool = False,
) -> Ready[Subject]:
    """Items made ready: translated, noun and cue found on both sides; the rest by reason.

    `lang` is the target language, if the model does not say it; `made`: what was made of the items
    before, or how to make it. In `any_language`: where there are no gender rules, the source side
    alone is found.
    """
    lang = "" if any_language and not has_rules(mt, lang) else target_language(mt, lang)
    made = made.of(mt, items, lang) if isinstance(made, Making) else made
    found = list(_subjects(mt, items, lang, made))
    kept = [one for one in found if isinstance(one, Subject)]
    return Ready(kept, Counter(o for o in found if isinstance(o, str)), _hash(items), lang)


def sentences(twins: Ready[Twins]) -> Ready[Subject]:
    """Both twins of every pair as single sentences, each with the choice that it meets."""
    skipped = {reason: 2 * count for reason, count in twins.skipped.items()}
    return Ready([s for one in twins for s in one.sentences], skipped, twins.data, twins.lang)


def twins(
    mt: Translator,
    pairs: Sequence[Pair],
    *,
    forms: Sequence[tuple[str, str]] | None = None,
    lang: str | None = None,
    made: Made | Making = Making(),
    any_language: bool = False,
) -> Ready[Twins]:
    """Pairs made ready, each with its contrast; the rest by reason.

    `lang` is the target language, if the model does not say it; `made`: what was made before of the
    twins, one after the other, or how to make it.

    `forms` gives the two translations of each pair, (feminine, masculine), instead of searching
    for them, as do the references of a set; no lexicon of the target language is needed then. In
    `any_language`: where there are no gender rules, pairs without forms are skipped.
    """
    if forms is not None and len(forms) != len(pairs):
        raise CueScopeError(
            "target forms do not match the pairs",
            expected=f"{len(pairs)}, one (feminine, masculine) per pair",
            found=str(len(forms)),
        )
    left_out = len(getattr(pairs, "left_out", ()))
    pairs = numbered(pairs)
    items = [item for pair in pairs for item in pair]
    choices = [pair.forms for pair in pairs] if forms is None else forms
    blind = forms is not None or ((any_language or all(choices)) and not has_rules(mt, lang))
    told = written(lang or mt.tgt)
    lang = "" if blind else target_language(mt, lang)
    made = made.of(mt, items, lang) if isinstance(made, Making) else made
    found = iter(_subjects(mt, items, lang, made))
    kept: list[Twins] = []
    skipped = Counter({"not minimal": left_out} if left_out else {})
    for pair, choice in zip(pairs, choices, strict=True):
        two = _twins(mt, pair, next(found), next(found), lang, choice, told)
        if isinstance(two, Twins):
            kept.append(two)
        else:
            skipped[two] += 1
    return Ready(kept, skipped, _hash(items), lang)


def is_subject(item: Item) -> bool:
    """Does the noun's phrase open the sentence, as the subject of an English one does?

    >>> is_subject(Item("The nurse said he left.", (4, 9), (15, 17), "male"))
    True
    """
    return len(item.text[: item.focus[0]].split()) <= 1


def subject_pairs(pairs: Pairs) -> Pairs:
    """The pairs whose focus noun opens the sentence."""
    return Pairs(p for p in (*pairs, *pairs.left_out) if is_subject(p.pro))


def has_rules(mt: Translator, lang: str | None = None) -> bool:
    """Can the gender of nouns be read in what this model writes?"""
    wanted = lang or mt.tgt
    return bool(languages.find(wanted) or languages.find(short(wanted)))


def target_language(mt: Translator, lang: str | None = None) -> str:
    """The two letters of the language that a model translates into, or of the one named."""
    wanted = lang or mt.tgt
    found = wanted if languages.find(wanted) else short(wanted)
    if found is None or found not in languages.codes():
        raise Unfit(
            f"the gender of nouns cannot be read in the output of {mt.name}: "
            "no gender rules for its target language",
            expected=f"one of {', '.join(languages.codes())}",
            found=lang or mt.tgt or "a model that does not say its target language",
            do="name it (lang=, --lang), or give the target forms: "
            "twins(mt, pairs, forms=[(feminine, masculine), …])",
        )
    return found


def output_language(mt: Translator, lang: str | None = None) -> str:
    """The same where no noun need be read: with gender rules or without, but known by name."""
    if has_rules(mt, lang) or has_rules(mt) or not (lang or mt.tgt):
        return target_language(mt, lang)
    return written(lang or mt.tgt)


def _subjects(
    mt: Translator, items: Sequence[Item], lang: str, made: Made
) -> Iterator[Subject | str]:
    """Each item made ready, or the reason why it cannot be."""
    for item, best, reading in zip(items, made.hypotheses, made.readings, strict=True):
        place, target = placed(mt, item), emitted(mt, best.ids)
        if place is None:
            yield "no cue"
        elif lang and (reading.span is None or reading.gender == "unknown"):
            yield "noun not found in the translation"
        else:
            steps = target.positions(*reading.span) if reading.span else ()
            yield Subject(item, *place, target, steps, reading)


def placed(mt: Translator, item: Item) -> Placed | None:
    """Where noun and cue stand in the source, whatever its translation; None without a cue."""
    if item.cue is None:
        return None
    encoding = mt.tokenise(item.text)
    cues = {p for span in (item.cue, *item.more_cues) for p in encoding.positions(*span)}
    return Placed(encoding, encoding.positions(*item.focus), tuple(sorted(cues)))


def _twins(
    mt: Translator,
    pair: Pair,
    pro: Subject | str,
    anti: Subject | str,
    lang: str,
    forms: tuple[str, str] | None,
    told: str,
) -> Twins | str:
    for one in (pro, anti):
        if isinstance(one, str):
            return one
    assert isinstance(pro, Subject)
    assert isinstance(anti, Subject)
    by_gold = {one.item.gold: one for one in (pro, anti)}
    if set(by_gold) != {"male", "female"}:
        return "no male and female twin"
    male, female = by_gold["male"], by_gold["female"]
    if forms is not None:
        made = from_texts(mt, *forms)
    elif not lang:
        return languages.without(told)
    else:
        made = from_translations(mt, male, female, lang) or from_forms(mt, male, female, lang)
    if made != PARTED:
        return made if isinstance(made, str) else Twins(pair, male, female, made)
    own, hers = (own_prefix(mt, one, lang) for one in (male, female))
    for found in (own, hers):
        if isinstance(found, str):
            return found
    assert isinstance(own, Contrast)
    assert isinstance(hers, Contrast)
    return Twins(pair, male, female, own, hers)


def emitted(mt: Translator, ids: Sequence[int]) -> Encoding:
    """What a decoder emitted, with the characters of its translation that each token stands for."""
    text = mt.tokenizer.decode(ids)
    again = mt.tokenise_target(text)
    if again.ids == tuple(ids):
        return again
    # Another segmentation of the same text: see how the text grows token by token.
    offsets: list[tuple[int, int] | None] = []
    done = 0
    for count in range(1, len(ids) + 1):
        reached = min(len(mt.tokenizer.decode(ids[:count])), len(text))
        start = done + (len(text[done:reached]) - len(text[done:reached].lstrip()))
        offsets.append((start, reached) if reached > done else None)
        done = max(done, reached)
    return Encoding(text, tuple(ids), mt.tokenizer.target_pieces(ids), tuple(offsets))


def _hash(items: Sequence[Item]) -> str:
    return hash_text(item.text for item in items)
