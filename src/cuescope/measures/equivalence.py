"""Which translations count as one: by the focus noun's gender, by entailment, by their words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

from cuescope.data.items import Item
from cuescope.errors import CueScopeError
from cuescope.measures.uncertainty import Group

_NO_WORD = re.compile(r"[^\w\s]|_")
Ask = Callable[[list[tuple[str, str]]], list[str]]  # premise, hypothesis → label


class Normalised:
    """Equal up to case, punctuation, accents written apart, and blanks. Needs no model.

    >>> Normalised.form("A  casa, é «azul»!")
    'a casa é azul'
    """

    name = "normalised text"

    @staticmethod
    def form(text: str) -> str:
        """What is left of a text."""
        plain = unicodedata.normalize("NFKC", text).casefold()
        return " ".join(_NO_WORD.sub(" ", plain).split())

    def labels(self, groups: Sequence[Group]) -> list[list[str]]:
        """The normalised texts."""
        return [[self.form(text) for text in group.texts] for group in groups]


class Gender:
    """Equal where the focus noun has the same gender; `neutral` and `unknown` are classes too."""

    def __init__(self, lang: str, *, align: str = "builtin") -> None:
        from cuescope.gender.languages import get

        get(lang)  # a language without rules is an error
        self.lang, self.align, self.name = lang, align, f"gender ({lang})"

    def labels(self, groups: Sequence[Group]) -> list[list[str]]:
        """The gender of the focus noun in each text; all sources are aligned together."""
        from cuescope.measures.verdict import judge

        items: list[Item] = []
        texts: list[str] = []
        for group in groups:
            if group.item is None:
                raise CueScopeError(
                    "gender entropy needs to know the focus noun",
                    expected="Group.of(samples, item=…)",
                    found="samples without an item",
                    do="read the sources as a challenge set (`cs.data.load`)",
                )
            items += [group.item] * len(group.texts)
            texts += group.texts
        verdicts = iter(judge(items, texts, self.lang, engine=self.align))
        return [[next(verdicts).reading.gender for _ in group.texts] for group in groups]


def by_entailment(
    groups: Sequence[Sequence[str]], ask: Ask, *, strict: bool = True
) -> list[list[int]]:
    """Cluster numbers of each group's texts, which must be distinct, by two-way entailment.

    A text joins the first leader that it agrees with, or leads a cluster of its own; once in, it
    never moves. All texts left over meet the next leader together, over all groups at once, and the
    second direction is asked only where the first did not decide.

    strict: both entail. loose: neither contradicts, and not both are neutral.
    """
    found = [[-1] * len(texts) for texts in groups]
    leaders = [0] * len(groups)
    while any(-1 in numbers for numbers in found):
        pairs: list[tuple[int, int, int]] = []  # group, leader, other
        for g, numbers in enumerate(found):
            if -1 not in numbers:
                continue
            leader = numbers.index(-1)
            numbers[leader] = leaders[g]
            leaders[g] += 1
            pairs += [(g, leader, t) for t in range(leader + 1, len(numbers)) if numbers[t] < 0]
        forward = ask([(groups[g][a], groups[g][b]) for g, a, b in pairs])
        open_ = [
            (pair, label)
            for pair, label in zip(pairs, forward, strict=True)
            if label == "entailment" or (not strict and label != "contradiction")
        ]
        back = ask([(groups[g][b], groups[g][a]) for (g, a, b), _ in open_])
        for ((g, _, b), first), second in zip(open_, back, strict=True):
            if strict:
                agree = second == "entailment"
            else:
                agree = second != "contradiction" and "entailment" in (first, second)
            if agree:
                found[g][b] = leaders[g] - 1
    return found
