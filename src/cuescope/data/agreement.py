"""English verb agreement between he / she and they."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from cuescope.data.lists import word_list

_SINGULAR = {
    "is": "are",
    "was": "were",
    "has": "have",
    "does": "do",
    "isn't": "aren't",
    "wasn't": "weren't",
    "hasn't": "haven't",
    "doesn't": "don't",
}
_PLURAL = {plural: singular for singular, plural in _SINGULAR.items()}
_MODALS = word_list("modals")
_ADVERBS = word_list("adverbs")
# Pasts that neither end in -ed nor differ enough from a present form to be seen by their shape.
_PASTS = word_list("pasts")
_DETERMINERS = word_list("determiners")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|[^\w\s]")
_HAVE_AFTER_S = word_list("have_after_s")


class Change(NamedTuple):
    """One replacement in a text."""

    start: int
    end: int
    new: str


def plural_verb(verb: str) -> str | None:
    """A third-person singular present (or *was*) as *they* takes it; None for any other word.

    >>> [plural_verb(v) for v in ("was", "goes", "tries", "watches", "likes", "passed", "discuss")]
    ['were', 'go', 'try', 'watch', 'like', None, None]
    """
    return _inflected(verb, _SINGULAR, _plural)


def _plural(low: str) -> str | None:
    if not low.endswith("s") or low.endswith(("ss", "us", "'s")) or len(low) < 3 or low in _ADVERBS:
        return None
    if low.endswith("ies") and len(low) > 4:
        return low[:-3] + "y"
    if low.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")):
        return low[:-2]
    return low[:-1]


def singular_verb(verb: str) -> str | None:
    """A plural present (or *were*) as *he* and *she* take it; None for pasts and modals.

    >>> [singular_verb(v) for v in ("were", "go", "try", "watch", "like", "passed", "won")]
    ['was', 'goes', 'tries', 'watches', 'likes', None, None]
    """
    return _inflected(verb, _PLURAL, _singular)


def _inflected(
    verb: str, irregular: dict[str, str], regular: Callable[[str], str | None]
) -> str | None:
    low = verb.lower().replace("’", "'")
    return irregular[low] if low in irregular else regular(low)


def _singular(low: str) -> str | None:
    if low in _MODALS or low in _PASTS or low.endswith(("ed", "ing")) or not low.isalpha():
        return None
    if low.endswith("y") and low[-2:-1] not in "aeiou":
        return low[:-1] + "ies"
    return low + ("es" if low.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")


def agreement(text: str, subject_end: int, *, plural: bool) -> list[Change]:
    """The changes that make the verbs of the subject pronoun ending at `subject_end` agree.

    >>> agreement("because she never likes tea and is late", 11, plural=True)
    [Change(start=18, end=23, new='like'), Change(start=32, end=34, new='are')]
    """
    inflect = plural_verb if plural else singular_verb
    clitic = _clitic(text, subject_end, plural)
    if clitic:
        return [clitic]
    words = [(m.group(), *m.span()) for m in _WORD.finditer(text, subject_end)]
    at = _skip_adverbs(words, 0)
    if at >= len(words) or not words[at][0][0].isalpha():
        return []
    new = inflect(words[at][0])
    if new is None:
        return []
    changes = [Change(words[at][1], words[at][2], new)]
    return changes + _coordinated(words, at + 1, inflect)


def _clitic(text: str, end: int, plural: bool) -> Change | None:
    """*she's* → *they're* or *they've*, and back."""
    match = re.compile(r"['’](s|re|ve)\b").match(text, end)
    if match is None or (match.group(1) == "s") is not plural:
        return None
    rest = _WORD.findall(text, match.end())
    has = bool(rest) and (rest[0].lower() in _HAVE_AFTER_S)
    return Change(*match.span(), ("'ve" if has else "'re") if plural else "'s")


def _skip_adverbs(words: list[tuple[str, int, int]], at: int) -> int:
    while at < len(words) and (
        words[at][0].lower() in _ADVERBS
        or (
            words[at][0].lower().endswith("ly")
            and words[at][0].lower() not in ("rely", "apply", "reply", "fly")
        )
    ):
        at += 1
    return at


def _coordinated(
    words: list[tuple[str, int, int]], start: int, inflect: Callable[[str], str | None]
) -> list[Change]:
    """Further verbs of the same subject: *likes tea and wants it*, not *likes cats and dogs*."""
    changes = []
    for i in range(start, len(words)):
        if words[i][0] in (".", ";", "!", "?"):
            break
        if words[i][0].lower() not in ("and", "or", "but"):
            continue
        at = _skip_adverbs(words, i + 1)
        if at >= len(words):
            break
        word, begin, end = words[at]
        follower = words[at + 1][0].lower() if at + 1 < len(words) else "."
        auxiliary = word.lower() in _SINGULAR or word.lower() in _PLURAL
        seen = auxiliary or (
            (word.lower().endswith("s") or inflect is singular_verb)
            and word.lower() not in _DETERMINERS
            and (follower in _DETERMINERS or follower.endswith("ly"))
        )
        new = inflect(word) if seen else None
        if new is not None:
            changes.append(Change(begin, end, new))
    return changes
