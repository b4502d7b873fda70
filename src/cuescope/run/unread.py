"""A run into a language without gender rules: what is known of it without reading a noun."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cuescope.errors import Unfit
from cuescope.gender.reading import Reading
from cuescope.measures.verdict import Verdict, judge

if TYPE_CHECKING:
    from cuescope.run.run import Run

_BY_GENDER = ("ge", "s3e")  # measures of uncertainty that ask for it; S3E's α is tuned on GE


def judged(run: Run) -> list[Verdict]:
    """A verdict on every twin; without rules one in no count: its noun was not looked for."""
    items = [item for pair in run.pairs for item in pair]
    texts = [run.translations[item.text] for item in items]
    if not run.unread:
        return judge(items, texts, run.lang, others=True)
    none = Reading("unknown", True, reason=run.unread)
    both = zip(items, texts, strict=True)
    return [Verdict(item, text, none, skipped=run.unread) for item, text in both]


def refuse(run: Run, what: str) -> None:
    """Raise for a number that cannot be had without reading nouns."""
    if run.unread:
        raise Unfit(
            f"{what} cannot be measured: {run.unread}",
            expected="a target language whose gender can be read",
            found=run.lang,
            do="add its rules: cs.languages.add, docs/adding-a-language.md",
        )


def looks(run: Run, site: str, query: object) -> None:
    """Raise for attention from a place of the translation that only reading would find."""
    if site == "cross" and (query == "noun" or (query == "choice" and not len(run.twins))):
        refuse(run, "attention from the translation")


def measures(run: Run, names: Sequence[str]) -> tuple[str, ...]:
    """The measures of uncertainty that can be taken; none of them: an error."""
    left = tuple(name for name in names if not run.unread or name not in _BY_GENDER)
    if not left:
        refuse(run, "the entropy of gender")
    return left
