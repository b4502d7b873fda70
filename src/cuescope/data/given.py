"""A look at what a system is said to have translated: blank, untranslated, another language."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cuescope.codes import english_name
from cuescope.data.columns import spaced
from cuescope.errors import CueScopeError

REFUSED = 0.5  # of the lines: with more of them blank or untranslated it is the wrong file
TOLD = 0.01  # of the lines: fewer sentences that stayed as they were are a system's own


class Doubt(CueScopeError):
    """What is odd about a file; `grave`: it is refused, unless the caller means it."""

    def __init__(self, what: str, expected: str, found: str, grave: bool) -> None:
        do = "give the right file or --lang; if you mean it, --force (force=True)"
        super().__init__(what, expected=expected, found=found, do=do)
        self.grave = grave

    def note(self) -> str:
        """In a line, where it is not refused."""
        return f"{self.what}: {self.found}"


def doubts(
    path: str | Path, sources: Sequence[str], texts: Sequence[str], lang: str
) -> list[Doubt]:
    """All that is odd about the translations of a file, the worst first."""
    from cuescope.gender.languages import identify

    name = english_name(lang)
    blank = [at_ for at_, text in enumerate(texts) if not text]
    pairs = [(a, s, t) for a, (s, t) in enumerate(zip(sources, texts, strict=True)) if t]
    copied = [a for a, source, text in pairs if spaced(source) == spaced(text)]
    made = [text for a, source, text in pairs if spaced(source) != spaced(text)]
    english = [a for a, s, t in pairs if spaced(s) != spaced(t) and identify.looks_english(t, lang)]
    found = [
        _counted(path, blank, texts, "blank lines", f"a translation on every line, in {name}", 0),
        _counted(path, copied, texts, "lines that are the source itself", f"lines in {name}", TOLD),
        _counted(path, english, texts, "lines that look English", f"lines in {name}", TOLD),
    ]
    other = identify.another(made, lang)
    if other is not None:
        what = f"this looks like {english_name(other)}" if other else f"this does not look {name}"
        found.append(Doubt(f"{path}: {what}", name, f"{made[0][:80]!r} …", True))
    return sorted(filter(None, found), key=lambda one: not one.grave)


def _counted(
    path: str | Path, lines: list[int], texts: Sequence[str], what: str, expected: str, told: float
) -> Doubt | None:
    if len(lines) <= told * len(texts):
        return None
    found = f"{len(lines):,} of {len(texts):,}, the first: line {lines[0] + 1}"
    return Doubt(f"{path}: {what}", expected, found, len(lines) > REFUSED * len(texts))


def refuse(odd: Sequence[Doubt]) -> None:
    """Raise the first grave doubt."""
    for doubt in odd:
        if doubt.grave:
            raise doubt
