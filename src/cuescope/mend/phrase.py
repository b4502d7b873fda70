"""Ways to begin a translation so that a noun's phrase takes a gender: prefixes to go on from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

import torch

from cuescope.data.items import Item
from cuescope.gender.counterpart import Shown, Turned, turned
from cuescope.gender.reading import Reading
from cuescope.mend.seen import Seen

if TYPE_CHECKING:
    from cuescope.models.translator import Translator

Ids = tuple[int, ...]
Case = tuple[Item, Seen, Shown]
Ways = Callable[["Translator", Sequence[Case]], list[list[Ids]]]  # prefixes of each case
Until = Literal["first", "last", "beyond", "noun"]
FORMS = 3  # of the lexicon's nouns in the other gender, those most like the one that stands there


def turned_round(until: Until) -> Ways:
    """The phrase turned by rule, up to the last word that changes: the least that is changed.

    `beyond` goes one token further, where the model would go on with the noun (*empregado|r*).
    """

    def ways(mt: Translator, cases: Sequence[Case]) -> list[list[Ids]]:
        return [_turned(mt, *case, 0, until) for case in cases]

    return ways


def opened(mt: Translator, cases: Sequence[Case]) -> list[list[Ids]]:
    """The first word turned and the noun left open, the noun kept, or another noun in its place."""
    found = []
    for case in cases:
        made = _turned(mt, *case, 0, "first") + _turned(mt, *case, 0, "noun")
        made += [ids for choice in range(1, FORMS) for ids in _turned(mt, *case, choice, "last")]
        found.append(list(dict.fromkeys(made)))
    return found


def _turned(
    mt: Translator, item: Item, seen: Seen, to: Shown, choice: int, until: Until
) -> list[Ids]:
    made = turned(seen.text, seen.focus, to, seen.lang, item.noun, choice)
    return _begun(mt, seen.text, seen.focus, made, until)


def turned_back(mt: Translator, seen: Seen, plain: Seen) -> list[Ids]:
    """The first of the others whose gender has changed, put back into the one of the plain text."""
    for (noun, now), (_, before) in zip(seen.others, plain.others, strict=True):
        if now.gender != before.gender and before.gender in ("masculine", "feminine"):
            made = turned(seen.text, now, before.gender, seen.lang, noun)
            return _begun(mt, seen.text, now, made, "last")
    return []


def _begun(
    mt: Translator, text: str, reading: Reading, made: Turned | None, until: Until
) -> list[Ids]:
    """The one prefix that ends with the first or last word that changes, or with the noun."""
    if made is None or reading.span is None:
        return []
    noun = max(made.last, reading.span[1] + len(made.text) - len(text))
    end = {"first": made.first, "noun": noun}.get(until, made.last)
    encoding = mt.tokenise_target(made.text)
    count = encoding.positions(end - 1, end)[-1] + 1 + (until == "beyond")
    return [encoding.ids[: min(count, len(encoding) - 1)]]


def likeliest(tries: int) -> Ways:
    """The model's own: where the phrase begins, its likeliest words other than the plain one's."""

    def ways(mt: Translator, cases: Sequence[Case]) -> list[list[Ids]]:
        return [_likeliest(mt, *case, tries) for case in cases]

    return ways


@torch.no_grad()
def _likeliest(mt: Translator, item: Item, seen: Seen, to: Shown, tries: int) -> list[Ids]:
    spans = [(mark.start, mark.end) for mark in seen.focus.evidence]
    spans += [seen.focus.span] if seen.focus.span else []
    if not spans or not tries:
        return []
    encoding = mt.tokenise_target(seen.text)
    first = encoding.positions(*min(spans))[0]
    last = encoding.positions(*max(spans))[-1]
    logits = mt.logits([item.text], [seen.text])[0].log_softmax(-1)
    found: list[tuple[float, Ids]] = []
    before = 0.0
    for step in range(first, last + 1):
        best, tokens = logits[step].topk(tries + 1)
        for value, token in zip(best.tolist(), tokens.tolist(), strict=True):
            if token != encoding.ids[step] and token != mt.engine.eos_id:
                found.append((before + value, (*encoding.ids[:step], token)))
        before += float(logits[step, encoding.ids[step]])
    return [ids for _, ids in sorted(found, reverse=True)[:tries]]
