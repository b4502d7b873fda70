"""The other people of an English sentence: person nouns that are neither the focus nor the cue."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path

from cuescope.data.cues.english import people, word_class
from cuescope.data.cues.phrases import Sentence
from cuescope.data.items import Item, Span
from cuescope.data.lists import word_list
from cuescope.data.marks import is_gendered
from cuescope.errors import CueScopeError
from cuescope.files import at, read_lines
from cuescope.gender.forms import singulars

_LONGEST = 3  # words of a name in the lists: *chief executive officer*
_BEFORE = 3  # words between a determiner and its noun
_LINKS = frozenset({"and", "or", ",", "-", "/"})
_WORDS = re.compile(r"\S+")


def others(item: Item) -> tuple[Span, ...]:
    """The person nouns beside the focus noun and the cues, in the order of the text.

    >>> text = "The nurse told the young clerk that she knew a judge."
    >>> [text[slice(*s)] for s in others(Item(text, (4, 9), (36, 39), "female"))]
    ['clerk', 'judge']
    """
    taken = [item.focus, *([item.cue] if item.cue else []), *item.more_cues]
    return tuple(
        span
        for span in people_of(item.text)
        if not any(span[0] < end and start < span[1] for start, end in taken)
    )


def other(item: Item) -> tuple[Span | None, str]:
    """The other person whose gender the cue does not tell: the first that English leaves open.

    Without one, the reason. A second mention of the focus noun is no other person.

    >>> other(Item("The nurse told her brother that she left.", (4, 9), (32, 35), "female"))
    (None, 'the other person has a gender in English')
    """
    found = [span for span in others(item) if not _again(item, span)]
    if not found:
        return None, "no other person"
    open_ones = [span for span in found if not is_gendered(item.text[slice(*span)].split()[-1])]
    if not open_ones:
        return None, "the other person has a gender in English"
    return open_ones[0], ""


def _again(item: Item, span: Span) -> bool:
    return item.text[slice(*span)].lower() in (item.noun.lower(), item.text[slice(*item.focus)])


def people_of(text: str) -> list[Span]:
    """All person nouns of a text, the longest name at each place, told from verbs and modifiers.

    >>> text = "The chief executive officer will guard the student council with a guard."
    >>> [text[slice(*span)] for span in people_of(text)]
    ['chief executive officer', 'guard']
    """
    sentence, found = Sentence(text), list[tuple[int, int]]()
    place, count = 0, len(sentence.words)
    while place < count:
        sizes = range(min(_LONGEST, count - place), 0, -1)
        size = next((n for n in sizes if _named(sentence, place, n)), 0)
        if size and _heads(sentence, place, place + size, found):
            found.append((place, place + size))
        place += size or 1
    return [(sentence.words[a].start, sentence.words[b - 1].end) for a, b in found]


@cache
def _person(noun: str) -> bool:
    """Is a noun, of one word or more, in the lists, whatever its number? What is more often a
    thing (*chair*), or nobody in particular (*people*), is none."""
    listed = people() | word_class("professions")
    return any(one in listed for one in singulars(noun)) and not any(
        one in word_class("ambiguous") for one in singulars(noun)
    )


def _named(sentence: Sentence, place: int, size: int) -> bool:
    words = sentence.words[place : place + size]
    gaps = {sentence.text[a.end : b.start] for a, b in pairwise(words)}
    return gaps <= {" "} and _person(" ".join(word.form.lower() for word in words))


def _heads(sentence: Sentence, first: int, end: int, found: list[tuple[int, int]]) -> bool:
    """Does the name head a noun phrase: a determiner before it, and no noun of its phrase after?"""
    if sentence.word(first) in word_class("indefinites"):
        return True
    if not _led(sentence, first, end, found) or _modifies(sentence, first, end):
        return False
    return sentence.word(end) in ("'s", "'") or not _describes(sentence, first)


def _led(sentence: Sentence, first: int, end: int, found: list[tuple[int, int]]) -> bool:
    """A determiner (a name's 's) near before it, or a list that began with a person; a plural
    needs neither."""
    plural = _plural(sentence.word(end - 1))
    for back in range(1, _BEFORE + 2):
        word = sentence.word(first - back)
        if word in word_class("determiners") or word in ("'s", "'"):
            return True
        if word in _LINKS and any(stop == first - back for _, stop in found):
            return True
        if sentence.closed(word) or sentence.verbal(first - back, first):
            break
        if any(stop == first - back + 1 for _, stop in found):  # the guard accused her
            return False
    return plural and sentence.word(first - 1) != "to"


def _plural(word: str) -> bool:
    return len(singulars(word)) > 1 and not word.endswith("ss") and word not in people()


def _modifies(sentence: Sentence, first: int, end: int) -> bool:
    """Is the name part of a longer noun phrase: *student council*, *patient care*?"""
    word = sentence.word(end)
    if sentence.closed(word) or sentence.verb(word):
        return False
    if any(word in word_list(name) for name in ("pasts", "base_verbs")):
        return False
    if word in word_class("adjectives") or word in word_class("times"):
        return False
    verb = sentence.word(sentence.phrase_start(first) - 1)  # gave the clerk money: two objects
    if verb in word_list("giving") or verb in word_list("showing"):
        return False
    return not word.endswith(("ed", "ing", "ly", "s"))


def _describes(sentence: Sentence, first: int) -> bool:
    """Is it said of somebody, and no person more: *she was a famous judge*, *works as a clerk*?"""
    start = sentence.phrase_start(first)
    before = sentence.word(start - 1)
    while before in word_class("adverbs"):
        start -= 1
        before = sentence.word(start - 1)
    if before in word_class("be") or before in ("become", "becomes", "became"):
        return sentence.word(start - 2) not in ("there", "here")
    return before == "as" and sentence.word(start) in ("a", "an")


def second(path: str | Path) -> dict[tuple[str, str], tuple[Span, ...]]:
    """WinoMT's own second nouns, by sentence and primary noun, from `secondary.txt` and `en.txt`.

    The two go line by line. A line without a noun, or with the primary one again, adds nothing.
    """
    place = Path(path)
    ours, theirs = (read_lines(place / name) for name in ("en.txt", "secondary.txt"))
    if len(ours) != len(theirs):
        raise CueScopeError(
            f"{place / 'secondary.txt'} is not line by line as en.txt",
            expected=f"{len(ours)} lines",
            found=f"{len(theirs)}",
        )
    found: dict[tuple[str, str], tuple[Span, ...]] = {}
    for number, (line, own) in enumerate(zip(theirs, ours, strict=True)):
        _, first, text, primary = own.split("\t")
        columns = line.split("\t")
        if len(columns) != 4 or columns[2] != text:
            raise CueScopeError(
                f"{at(place / 'secondary.txt', number)}: not the sentence of en.txt",
                expected=f"gender, index, {text!r}, noun",
                found=repr(line[:80]),
            )
        _, index, _, noun = columns
        spans = found.setdefault((text, primary.lower()), ())
        if noun and index != first:
            start = [m.start() for m in _WORDS.finditer(text)][int(index)]
            if (start, start + len(noun)) not in spans:
                found[text, primary.lower()] = (*spans, (start, start + len(noun)))
    return found
