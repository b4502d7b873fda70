"""The grammatical gender in which a noun appears in a translation, with the evidence."""

from __future__ import annotations

from cuescope.errors import CueScopeError
from cuescope.gender import languages
from cuescope.gender.forms import entry
from cuescope.gender.locate import locate
from cuescope.gender.reading import Evidence, Gender, Reading
from cuescope.gender.words import words

__all__ = ["Evidence", "Gender", "Reading", "languages", "locate", "read"]


def read(
    text: str, span: tuple[int, int], lang: str, *, noun: str | None = None, engine: str = "rules"
) -> Reading:
    """The gender in which the noun (phrase) at `span` of a translation appears.

    `noun` is the English source noun, if known. `engine="spacy"` asks the user's spaCy model.

    >>> print(read("Falou à carpinteiro.", (8, 19), "pt"))
    feminine (inconsistent): a (article: feminine), carpinteiro (noun form: masculine)
    """
    language = languages.get(lang)
    if not 0 <= span[0] < span[1] <= len(text):
        raise CueScopeError(
            "the span is not in the text",
            expected=f"0 <= start < end <= {len(text)}",
            found=str(span),
            do="give character offsets of this very text",
        )
    if engine == "spacy":
        from cuescope.gender.spacy_engine import read_phrase

        return read_phrase(text, span, lang)
    if engine != "rules":
        raise CueScopeError("no such gender engine", expected="rules or spacy", found=engine)
    known = entry(noun, lang) if noun else None
    reading: Reading = language.rules.read_phrase(text, words(text, lang), span, lang, known)
    return reading
