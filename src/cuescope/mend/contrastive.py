"""Source-contrastive decoding: what the sentence makes likely and its twin does not. No heads.

Each step takes the token with the largest log p(token | sentence) - weight · log p(token | twin),
among those that the sentence itself makes plausible. The twin is the sentence with its pronouns in
the other gender; a sentence without one is left as it is. The control that every head must beat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import torch

from cuescope.data.contrast import contrast
from cuescope.data.items import Item
from cuescope.data.marks import obstacle
from cuescope.data.pronouns import pronouns
from cuescope.errors import CueScopeError
from cuescope.mend.mend import Mend
from cuescope.mend.revise import Log, Outcome, revising
from cuescope.models import decoding
from cuescope.models.decoding import Hypothesis
from cuescope.models.engine import Engine, State
from cuescope.models.translator import by_length

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from torch import Tensor

    from cuescope.models.translator import Translator

BATCH = 32
WEIGHTS = (0.3, 0.5, 0.7, 0.9)  # from which a fit takes the best


def contrastive(
    mt: Translator, weight: float, *, plausible: float = 1e-3, fitted: str = "nothing"
) -> Mend:
    """Contrastive decoding, as a mend: `contrastive(mt, 0.7)`.

    A token is plausible if its probability is at least this share of the likeliest one's.
    """
    for name, value in (("weight", weight), ("plausible", plausible)):
        if not 0 <= value <= 1:
            raise CueScopeError(f"{name} out of range", expected="0 to 1", found=str(value))
    return Mend.of(mt, "contrastive", {"weight": weight, "plausible": plausible}, fitted=fitted)


def apply(
    mend: Mend, mt: Translator, items: Sequence[Item] | None = None
) -> AbstractContextManager[Log]:
    """Translations contrasted for as long as the `with`; it hands out the log.

    The twin needs no referent, so that `items` are not asked for.
    """
    reviser = Contraster(mt, mend.numbers["weight"], mend.numbers["plausible"])
    return revising(mt, f"contrastive {mend.numbers['weight']:g}", reviser)


def twin(text: str) -> tuple[str, str]:
    """The sentence with its pronouns in the other gender; or nothing, and why.

    >>> twin("The nurse left as she was ill.")
    ('The nurse left as he was ill.', '')
    >>> twin("His wife is ill, but she works.")
    ('', 'pronouns of two genders')
    """
    found = [one for one in pronouns(text) if one.gender != "neutral"]
    if not found:
        return "", "no cue"
    if len({one.gender for one in found}) > 1:
        return "", "pronouns of two genders"
    first, *more = (one.span for one in found)
    item = Item(text, first, first, found[0].gender, more_cues=tuple(more))
    reason, _ = obstacle(item)
    if reason:
        return "", f"no twin: {reason}"
    versions = contrast(item)
    return (versions.he if item.gold == "female" else versions.she).text, ""


@dataclass(frozen=True)
class Contraster:
    """Revises translations: those of sentences with a twin are decoded against it."""

    mt: Translator
    weight: float
    plausible: float

    @torch.no_grad()
    def __call__(self, texts: Sequence[str], found: list[Hypothesis]) -> Iterator[Outcome]:
        """What becomes of each translation, in order."""
        twins = [twin(text) for text in texts]
        rows = [row for row, (other, _) in enumerate(twins) if other]
        made: dict[int, Hypothesis] = {}
        lengths = [len(self.mt.tokenise(texts[row])) for row in rows]
        for some in by_length(lengths, BATCH):
            batch = [rows[at] for at in some]
            sides = [texts[row] for row in batch], [twins[row][0] for row in batch]
            made |= zip(batch, self._decode(*sides), strict=True)
        for row, (text, plain) in enumerate(zip(texts, found, strict=True)):
            new = made.get(row, plain)
            reason = "contrasted" if new.ids != plain.ids else "as likely against the twin"
            yield Outcome(text, new, twins[row][1] or reason, plain)

    def _decode(self, ours: Sequence[str], theirs: Sequence[str]) -> list[Hypothesis]:
        engine = self.mt.engine
        source, other = self.mt.batch(ours), self.mt.batch(theirs)
        against = engine.start(engine.encode(other.ids, other.mask), other.mask)
        both: Any = _Both(engine, against, self.weight, self.plausible)
        states = engine.encode(source.ids, source.mask)
        forced = self.mt.tokenizer.forced
        return decoding.greedy(both, states, source.mask, forced, self.mt.limits)


class _States(NamedTuple):
    ours: State
    theirs: State

    def select(self, rows: Tensor) -> _States:
        return _States(self.ours.select(rows), self.theirs.select(rows))


@dataclass(frozen=True)
class _Both:
    """An engine that steps sentence and twin side by side, and projects the contrast."""

    engine: Engine
    against: State
    weight: float
    plausible: float

    def __getattr__(self, name: str) -> Any:
        return getattr(self.engine, name)

    def start(self, states: Tensor, mask: Tensor) -> _States:
        return _States(self.engine.start(states, mask), self.against)

    def step(self, tokens: Tensor, state: _States) -> tuple[Tensor, _States]:
        ours, state_ours = self.engine.step(tokens, state.ours)
        theirs, state_theirs = self.engine.step(tokens, state.theirs)
        return torch.cat([ours, theirs], -1), _States(state_ours, state_theirs)

    def project(self, hidden: Tensor) -> Tensor:
        ours, theirs = (
            decoding.bar(self.engine, self.engine.project(half)).log_softmax(-1)
            for half in hidden.chunk(2, -1)
        )
        floor = ours.amax(-1, keepdim=True) + torch.tensor(self.plausible).log()
        contrasted = ours - self.weight * theirs.clamp(min=-1e4)
        return contrasted.masked_fill(ours < floor, -torch.inf)
