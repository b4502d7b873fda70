"""Romance forms for both genders at once: *o(a) médico(a)*, *el/la analista*, *étudiant·e·s*."""

from __future__ import annotations

from cuescope.gender.reading import Evidence
from cuescope.gender.romance.determiners import DETERMINERS
from cuescope.gender.romance.phrase import Noun
from cuescope.gender.romance.words import weigh
from cuescope.gender.words import Word

_JOINTS = frozenset("/(·•*:.")
_ROOT = 3  # letters in which the two forms of a noun begin alike
_ENDINGS = frozenset(
    "a as o os e es ora oras ra ras na nas da das ne nes le les re ère ères ière ières euse euses "
    "rice rices trice trices tora toras ssa sse essa esse".split()
)


def inclusive(words: list[Word], noun: Noun | None, lang: str) -> Evidence | None:
    """The noun as evidence of neither gender, if its form or its articles are of both.

    All of it is written together: a space ends it.
    """
    if noun is None or not (_two_forms(words, noun, lang) or _two_articles(words, noun, lang)):
        return None
    start, end = words[noun.first].start, words[noun.last].end
    form = " ".join(word.form for word in words[noun.first : noun.last + 1])
    return Evidence(form, start, end, "inclusive form", "neutral")


def _tight(words: list[Word], i: int, form: frozenset[str]) -> bool:
    """Does word `i` have one of these forms, and follow the word before it without a space?"""
    return 0 < i < len(words) and words[i].form in form and words[i].start == words[i - 1].end


def _two_forms(words: list[Word], noun: Noun, lang: str) -> bool:
    """*médico(a)*, *directeur/directrice*, *directeur/la directrice*."""
    at = noun.last + 2
    if not _tight(words, at - 1, _JOINTS) or at >= len(words):
        return False
    if _tight(words, at, _ENDINGS):
        return True
    form = words[at].form.lower()
    beside = words[at].start == words[at - 1].end and words[at - 1].form == "/"
    shown = weigh(form, lang)
    other = shown.gender not in ("neutral", noun.form.gender)
    same = form[:_ROOT] == words[noun.first].form.lower()[:_ROOT]
    return beside and other and (same or shown.kind in DETERMINERS)


def _two_articles(words: list[Word], noun: Noun, lang: str) -> bool:
    """Two articles of different gender in one: *el/la*, *o(a)*, *los/as*."""
    i = noun.first - 1
    i -= i > 0 and words[i].form == ")"
    second, i = i, i - 1
    i -= i > 0 and words[i].start == words[second].start  # à is a + a
    if i < 1 or not _tight(words, i, _JOINTS) or words[second].start != words[i].end:
        return False
    one, two = (weigh(words[at].form.lower(), lang) for at in (i - 1, second))
    if one.kind not in DETERMINERS or one.gender == "neutral":
        return False
    ending = two.kind not in DETERMINERS and words[second].form in _ENDINGS
    return ending or (two.kind in DETERMINERS and two.gender not in ("neutral", one.gender))
