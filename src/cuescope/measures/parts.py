"""The measures of uncertainty by name: what makes two samples alike in each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cuescope.measures.uncertainty import Part

MEASURES = {"ge": "gender entropy", "s3e": "similarity-sensitive", "se": "semantic entropy"}


def part(name: str, lang: str, similarity: str, equivalence: str, loose: bool = False) -> Part:
    """What `ge`, `s3e` or `se` compares samples by; the models are named by their user."""
    from cuescope.measures import equivalence as same
    from cuescope.measures import similarity as like
    from cuescope.measures.nli import NLI

    if name == "ge":
        return same.Gender(lang)
    if name == "s3e":
        named = {"use": like.UniversalSentenceEncoder, "chars": like.CharNGrams}
        return named[similarity]() if similarity in named else like.Embedding(similarity)
    if equivalence == "normalised":
        return same.Normalised()
    return NLI(equivalence, "loose" if loose else "strict")
