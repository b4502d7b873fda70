"""Phrases for the gender tests: tables with a [bracketed] span, and MT-GenEval's marked text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from cuescope.gender.lexicon import Entry
from cuescope.gender.reading import Reading
from cuescope.gender.words import Word, words
from shared_data import shared

Reader = Callable[[str, list[Word], tuple[int, int], str, Entry | None], Reading]
ROOT = Path(__file__).parents[1]


def table(lang: str) -> list[tuple[str, ...]]:
    """Rows of `gender_tables/LANG.tsv`: phrase, gender, consistent, a word of the evidence."""
    text = (ROOT / "tests" / "gender_tables" / f"{lang}.tsv").read_text("utf-8")
    return [tuple(row.split("\t")) for row in text.splitlines() if not row.startswith("#")]


def bracketed(phrase: str) -> tuple[str, tuple[int, int]]:
    """The text and the span of its [part]."""
    start, end = phrase.index("["), phrase.index("]") - 1
    return phrase.replace("[", "").replace("]", ""), (start, end)


def marked(lang: str, part: int) -> Iterator[tuple[str, tuple[int, int], str]]:
    """Every marked phrase of the even (0) or odd (1) rows, with its text and gender."""
    for gender in ("feminine", "masculine"):
        path = shared("geneval") / f"{gender}.en_{lang}.{lang}"
        for line in path.read_text("utf-8").splitlines()[part::2]:
            text, spans = _unmarked(line)
            yield from ((text, span, gender) for span in spans)


def _unmarked(line: str) -> tuple[str, list[tuple[int, int]]]:
    text, spans = "", []
    for piece in re.split(r"(</?[FM]>)", line):
        if piece in ("<F>", "<M>"):
            start = len(text)
        elif piece in ("</F>", "</M>"):
            spans.append((start, len(text)))
        else:
            text += piece
    return text, spans


def shares(
    read: Reader, lang: str, part: int, has_noun: Callable[[list[Word]], bool]
) -> tuple[int, float, float]:
    """How many marked phrases with a noun, the share read right, the share left open."""
    count = right = left_open = 0
    for text, span, gender in marked(lang, part):
        tokens = words(text, lang)
        if not has_noun([w for w in tokens if w.start < span[1] and w.end > span[0]]):
            continue
        got = read(text, tokens, span, lang, None).gender
        count += 1
        right += got == gender
        left_open += got in ("neutral", "unknown")
    return count, right / count, left_open / count
