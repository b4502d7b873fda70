"""Sentences and twins made ready for a model: where noun and cue stand, and what to contrast."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

from cuescope.data.items import Item, Pair, Pairs, numbered
from cuescope.errors import CueScopeError
from cuescope.gender.counterpart import counterpart
from cuescope.gender.reading import Reading
from cuescope.judge import Verdict, judge
from cuescope.models.languages import short
from cuescope.signature import hash_text
from cuescope.spans import Encoding

if TYPE_CHECKING:
    from cuescope.models.decoding import Hypothesis
    from cuescope.models.translator import Progress, Translator

Positions = tuple[int, ...]
T = TypeVar("T")


@dataclass(frozen=True)
class Contrast:
    """Where a model must choose a gender: after `prefix` it emits one of two tokens.

    `prefix` are emitted ids, forced tags included, without the decoder's start.
    """

    prefix: Positions
    feminine: int
    masculine: int
    origin: Literal["translations", "forms"]  # the twins' own translations, or given forms

    @property
    def step(self) -> int:
        """The decoding step at which the choice falls."""
        return len(self.prefix)


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
            "translation": self.target.text,
            "gender": self.reading.gender,
            "accurate": self.accurate,
            "length": len(self.encoding.words),
        }


@dataclass(frozen=True)
class Twins:
    """Two sentences that differ in the cue, and the place at which their translations would."""

    pair: Pair
    male: Subject
    female: Subject
    contrast: Contrast

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
            "accurate": self.male.accurate and self.female.accurate,
            "length": len(self.male.encoding.words),
            "contrast": self.contrast.origin,
            "step": self.contrast.step,
        }


class Ready(Sequence[T], Generic[T]):
    """What can be used, in order, and how many could not be used, by reason."""

    def __init__(self, kept: Iterable[T], skipped: Mapping[str, int], data: str = "") -> None:
        self._kept, self.skipped, self.data = tuple(kept), dict(skipped), data

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Ready[T]: ...
    def __getitem__(self, index: int | slice) -> T | Ready[T]:
        if isinstance(index, slice):
            return Ready(self._kept[index], self.skipped, self.data)
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
        return Ready(kept, counted, self.data)


def subjects(
    mt: Translator, items: Sequence[Item], *, progress: Progress | None = None, **options: Any
) -> Ready[Subject]:
    """Items made ready: translated, noun and cue found on both sides; the rest by reason."""
    found = list(_subjects(mt, items, progress=progress, **options))
    kept = [one for one in found if isinstance(one, Subject)]
    return Ready(kept, Counter(o for o in found if isinstance(o, str)), _hash(items))


def twins(
    mt: Translator,
    pairs: Sequence[Pair],
    *,
    forms: Sequence[tuple[str, str]] | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Ready[Twins]:
    """Pairs made ready, each with its contrast; the rest by reason.

    `forms` gives the two translations of each pair, (feminine, masculine), instead of searching
    for them; no lexicon of the target language is needed then.
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
    options["judged"] = forms is None
    found = iter(_subjects(mt, items, progress=progress, **options))
    kept: list[Twins] = []
    skipped = Counter({"not minimal": left_out} if left_out else {})
    for number, pair in enumerate(pairs):
        made = _twins(mt, pair, next(found), next(found), forms[number] if forms else None)
        if isinstance(made, Twins):
            kept.append(made)
        else:
            skipped[made] += 1
    return Ready(kept, skipped, _hash(items))


def is_subject(item: Item) -> bool:
    """Does the noun's phrase open the sentence, as the subject of an English one does?

    >>> is_subject(Item("The nurse said he left.", (4, 9), (15, 17), "male"))
    True
    """
    return len(item.text[: item.focus[0]].split()) <= 1


def subject_pairs(pairs: Pairs) -> Pairs:
    """The pairs whose focus noun opens the sentence."""
    return Pairs(p for p in (*pairs, *pairs.left_out) if is_subject(p.pro))


def target_language(mt: Translator, lang: str | None = None) -> str:
    """The two letters of the language that a model translates into, or of the one named."""
    from cuescope.gender import LANGUAGES

    found = short(lang or mt.tgt)
    if found not in LANGUAGES:
        raise CueScopeError(
            f"the gender of nouns cannot be read in the output of {mt.name}: "
            "no gender rules for its target language",
            expected=f"one of {', '.join(LANGUAGES)}",
            found=lang or mt.tgt or "a model that does not say its target language",
            do="name it (lang=, --lang), or give the target forms: "
            "twins(mt, pairs, forms=[(feminine, masculine), …])",
        )
    return found


def _subjects(
    mt: Translator,
    items: Sequence[Item],
    *,
    judged: bool = True,
    hypotheses: Sequence[Hypothesis] | None = None,
    readings: Sequence[Reading] | None = None,
    batch_size: int = 64,
    aligner: str = "builtin",
    progress: Progress | None = None,
) -> Iterator[Subject | str]:
    """Each item made ready, or the reason why it cannot be; a run gives what it has made."""
    if hypotheses is None:
        texts = [item.text for item in items]
        hypotheses = mt.generate(texts, batch_size=batch_size, progress=progress)
    targets = [emitted(mt, h.ids) for h in hypotheses]
    if not judged:
        readings = [Reading("unknown", True)] * len(items)
    elif readings is None:
        lang = target_language(mt)
        verdicts = judge(items, [t.text for t in targets], lang, engine=aligner)
        readings = [verdict.reading for verdict in verdicts]
    for item, target, reading in zip(items, targets, readings, strict=True):
        encoding = mt.tokenise(item.text)
        if item.cue is None:
            yield "no cue"
        elif item.cue[0] < item.focus[0]:
            yield "cue before noun"
        elif judged and (reading.span is None or reading.gender == "unknown"):
            yield "noun dropped in the translation"
        else:
            cues = {p for span in (item.cue, *item.more_cues) for p in encoding.positions(*span)}
            steps = target.positions(*reading.span) if reading.span else ()
            noun = encoding.positions(*item.focus)
            yield Subject(item, encoding, noun, tuple(sorted(cues)), target, steps, reading)


def _twins(
    mt: Translator, pair: Pair, pro: Subject | str, anti: Subject | str, forms: Any
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
        made = _from_texts(mt, *forms)
    else:
        made = _from_translations(male, female) or _from_forms(mt, male, female)
    return made if isinstance(made, str) else Twins(pair, male, female, made)


def _from_translations(male: Subject, female: Subject) -> Contrast | None:
    """The twins' own translations, where they part by the gender of the noun's phrase."""
    if (male.reading.gender, female.reading.gender) != ("masculine", "feminine"):
        return None
    at = _common(male.target.ids, female.target.ids)
    within = all(at in _phrase(one) for one in (male, female))
    ids = male.target.ids
    return Contrast(ids[:at], female.target.ids[at], ids[at], "translations") if within else None


def _phrase(one: Subject) -> Positions:
    """The steps of the noun and of the words that show its gender."""
    marks = [(mark.start, mark.end) for mark in one.reading.evidence]
    spans = [*marks, *([one.reading.span] if one.reading.span else [])]
    return tuple(range(one.target.positions(*min(spans))[0], max(one.steps) + 1))


def _from_forms(mt: Translator, male: Subject, female: Subject) -> Contrast | str:
    """What the model chose for the twins alike, against the same phrase in the other gender."""
    lang, reason = target_language(mt), "no contrast: the other gender's form is not known"
    for one in (male, female):
        text = one.target.text
        other = counterpart(text, one.reading, lang, one.item.noun)
        if other is None:
            continue
        texts = (text, other) if one.reading.gender == "feminine" else (other, text)
        made = _from_texts(mt, *texts)
        if isinstance(made, str):
            reason = made
        elif made.step > _common(male.target.ids, female.target.ids):
            reason = "no contrast: the twins' translations part before the noun"
        else:
            return made
    return reason


def _from_texts(mt: Translator, feminine: str, masculine: str) -> Contrast | str:
    """Two translations contrasted at the first sub-word where they part."""
    ours, theirs = (mt.tokenise_target(text).ids for text in (feminine, masculine))
    at = _common(ours, theirs)
    if at >= min(len(ours), len(theirs)):
        return "no contrast: the two forms are one"
    return Contrast(ours[:at], ours[at], theirs[at], "forms")


def _common(a: Sequence[int], b: Sequence[int]) -> int:
    """How many first tokens are shared."""
    return sum(1 for _ in takewhile(lambda ab: ab[0] == ab[1], zip(a, b, strict=False)))


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
