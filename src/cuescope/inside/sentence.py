"""One sentence under one model: whose gender it is, how it is translated, where it is chosen."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import torch

from cuescope.data.contrast import contrast
from cuescope.data.items import Item
from cuescope.data.pronouns import cue_spans, pronouns
from cuescope.data.referent import referent
from cuescope.errors import CueScopeError, Unfit
from cuescope.gender.reading import Reading
from cuescope.inside.certified import as_item
from cuescope.inside.contrast import Contrast, from_texts, own_prefix
from cuescope.inside.effect import feed as feeding
from cuescope.inside.effect.measure import preference
from cuescope.inside.ready import Subject, emitted, target_language
from cuescope.models.spans import find

if TYPE_CHECKING:
    from cuescope.models.translator import Translator


def item_of(given: Item | str, noun: str | None = None, cue: str | None = None) -> Item:
    """A sentence as an item: with the noun named, or by the rules for whose pronoun it is.

    >>> item = item_of("The cook met the nurse before she left.", noun="nurse")
    >>> item.noun, item.text[slice(*item.cue)], item.gold
    ('nurse', 'she', 'female')
    """
    if isinstance(given, Item):
        if noun or cue:
            raise CueScopeError(
                "an item says its noun and its cue itself",
                expected="an item, or a text with noun= and cue=",
                found=f"an item, and {noun or cue!r}",
            )
        return given
    if noun is None and cue is None:
        return referent(given).item or as_item(given)
    focus = find(given, noun) if noun else as_item(given).focus
    if cue is not None:
        span = find(given, cue)
        known = {one.gender for one in pronouns(given) if one.span == span}
        return Item(given, focus, span, known.pop() if known else "neutral")
    genders = {one.gender for one in pronouns(given) if one.gender != "neutral"}
    if len(genders) > 1:
        raise CueScopeError(
            "pronouns of two genders: which is the cue?",
            expected="cue=",
            found=", ".join(given[slice(*one.span)] for one in pronouns(given)),
        )
    gold = genders.pop() if genders else "neutral"
    spans = cue_spans(given, focus, gold)
    return Item(given, focus, spans[0] if spans else None, gold, more_cues=spans[1:])


def twin_of(item: Item) -> Item | None:
    """The same sentence with the cue in the other gender; None where that is no swap of pronouns.

    >>> twin_of(item_of("The nurse left as she was ill.")).text
    'The nurse left as he was ill.'
    """
    if item.gold == "neutral" or item.cue is None:
        return None
    try:
        found = contrast(item)
    except CueScopeError:
        return None
    return found.he if item.gold == "female" else found.she


def subject_of(
    mt: Translator,
    item: Item,
    *,
    lang: str | None = None,
    forms: tuple[str, str] | None = None,
) -> tuple[Subject, str]:
    """The sentence translated and read, with its choice; else why there is none.

    `forms`: two translations, (feminine, masculine), in place of the gender rules.
    """
    target = emitted(mt, mt.generate(item.text)[0].ids)
    encoding = mt.tokenise(item.text)
    cues = {
        at
        for span in (item.cue, *item.more_cues)
        if span is not None
        for at in encoding.positions(*span)
    }
    reading = Reading("unknown", True)
    if forms is None:
        from cuescope.measures.alone import read_alone

        lang = target_language(mt, lang)
        reading = read_alone(item, target.text, lang)
    steps = target.positions(*reading.span) if reading.span else ()
    noun = encoding.positions(*item.focus)
    made = Subject(item, encoding, noun, tuple(sorted(cues)), target, steps, reading)
    choice = from_texts(mt, *forms) if forms else _chosen(mt, made, lang or "")
    if isinstance(choice, str):
        return made, choice.removeprefix("no contrast: ")
    return replace(made, choice=choice), ""


def _chosen(mt: Translator, one: Subject, lang: str) -> Contrast | str:
    if one.reading.gender == "unknown":
        return one.reading.reason or "noun not found in the translation"
    return own_prefix(mt, one, lang)


@torch.no_grad()
def leaning_of(mt: Translator, one: Subject) -> float:
    """P(feminine) of the two forms, after the sentence's own words."""
    assert one.choice is not None
    fed = feeding.fed(mt, [one.item.text], [one.choice])
    hidden = feeding.hidden_of(mt, fed)
    return float(preference(mt, hidden, fed.feminine, fed.masculine, "probability"))


def chosen(one: tuple[Subject, str]) -> Subject:
    """The sentence, which must have a choice."""
    subject, why = one
    if subject.choice is None:
        raise Unfit(
            f"where {subject.item.noun!r} gets its gender is not known: {why}",
            expected="a translation in which the noun stands in one of two known forms",
            found=repr(subject.target.text),
            do="give both translations: forms=(feminine, masculine)",
        )
    return subject
