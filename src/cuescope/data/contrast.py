"""Minimal pairs checked, and the he / she / they versions of a sentence."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from dataclasses import replace

from cuescope.data.agreement import Change, agreement
from cuescope.data.items import ContrastSet, Gold, Item, Pair, Span
from cuescope.data.marks import obstacle
from cuescope.data.pronouns import in_gender, pronouns, roles_of
from cuescope.errors import CueScopeError

_WORDS = re.compile(r"[\w'’-]+|[^\w\s]")


def pair(pro: Item, anti: Item, index: int) -> Pair:
    """Twins as a pair; the reason is filled in where they differ in more than the cue.

    >>> a = Item("The nurse said he left.", (4, 9), (15, 17), "male")
    >>> pair(a, Item("The nurse said she left.", (4, 9), (15, 18), "female"), 0).minimal
    True
    >>> pair(a, Item("The nurse said she has left.", (4, 9), (15, 18), "female"), 0).reason
    "words differ: '' / 'has'"
    """
    return Pair(pro, anti, index, _difference(pro, anti))


def _difference(pro: Item, anti: Item) -> str:
    if pro.noun.lower() != anti.noun.lower():
        return f"the focus nouns differ: {pro.noun!r} / {anti.noun!r}"
    if pro.gold == anti.gold:
        return f"both are {pro.gold}"
    ours, theirs = _masked(pro), _masked(anti)
    if ours == theirs:
        return _other_role(pro, anti)
    for what, a, b, c, d in difflib.SequenceMatcher(a=ours, b=theirs, autojunk=False).get_opcodes():
        if what != "equal":
            return f"words differ: {' '.join(ours[a:b])!r} / {' '.join(theirs[c:d])!r}"
    return ""


def _other_role(pro: Item, anti: Item) -> str:
    """*demanded her pay* / *demanded he pay*: pronouns that stand for different things."""
    for mine, theirs in zip(_forms(pro), _forms(anti), strict=True):
        roles = set(roles_of(mine)), set(roles_of(theirs))
        if all(roles) and not roles[0] & roles[1]:
            return f"the cues cannot have the same role: {mine!r} / {theirs!r}"
    return ""


def _forms(item: Item) -> list[str]:
    return [item.text[slice(*span)].lower() for span in sorted(_cues(item))]


def _masked(item: Item) -> list[str]:
    """The words with the cues blanked; a pronoun of another's stays as it is."""
    text = item.text
    for start, end in sorted(_cues(item), reverse=True):
        text = f"{text[:start]}_{text[end:]}"
    return _WORDS.findall(text)


def _cues(item: Item) -> tuple[Span, ...]:
    return (*((item.cue,) if item.cue else ()), *item.more_cues)


def contrast(item: Item) -> ContrastSet:
    """The he, she and they versions, verbs and all; the item itself is one of them, unchanged.

    There are none, and the error says why, unless every mark of the person changes with it.

    >>> nurse = Item("The nurse left as she was ill.", (4, 9), (18, 21), "female")
    >>> [version.text for version in contrast(nurse)]  # doctest: +NORMALIZE_WHITESPACE
    ['The nurse left as he was ill.', 'The nurse left as she was ill.',
     'The nurse left as they were ill.']
    """
    reason, word = obstacle(item)
    if reason:
        raise CueScopeError(
            f"no he / she / they versions: {reason}",
            expected="pronouns as cues, and no other mark of the person's gender",
            found=f"{word!r} in {item.text!r}",
            do="leave the item out; name all of its cues, if a pronoun is missing among them",
        )
    genders: tuple[Gold, ...] = ("male", "female", "neutral")
    return ContrastSet(*(_in_gender(item, gender) for gender in genders))


def _in_gender(item: Item, gender: Gold) -> Item:
    if gender == item.gold:
        return item
    changes: list[Change] = []
    cues = _cues(item)
    for pronoun in pronouns(item.text):
        if pronoun.span not in cues:
            continue
        form = item.text[slice(*pronoun.span)]
        changes.append(Change(*pronoun.span, in_gender(pronoun, gender, form)))
        if pronoun.role == "subject" and "neutral" in (gender, item.gold):
            changes += agreement(item.text, pronoun.end, plural=gender == "neutral")
    text, moved = _apply(item.text, changes)
    return replace(
        item,
        text=text,
        gold=gender,
        reference="",
        focus=moved(item.focus),
        cue=moved(item.cue) if item.cue else None,
        more_cues=tuple(map(moved, item.more_cues)),
    )


def _apply(text: str, changes: list[Change]) -> tuple[str, Callable[[Span], Span]]:
    """The changed text, and a function that carries a span of the old text over to it."""
    changes = sorted(set(changes))

    def moved(span: Span) -> Span:
        shift = sum(len(c.new) - (c.end - c.start) for c in changes if c.end <= span[0])
        grown = sum(
            len(c.new) - (c.end - c.start) for c in changes if span[0] <= c.start < c.end <= span[1]
        )
        return span[0] + shift, span[1] + shift + grown

    pieces, done = [], 0
    for start, end, new in changes:
        pieces += [text[done:start], new]
        done = end
    return "".join([*pieces, text[done:]]), moved
