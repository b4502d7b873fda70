"""A mend is a value: what it changes in a model, what it was fitted on, and on which weights."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cuescope.errors import CueScopeError
from cuescope.inside.heads import Heads
from cuescope.signature import Signature

if TYPE_CHECKING:
    from pathlib import Path

    from torch import Tensor

    from cuescope.data.items import Item
    from cuescope.models.translator import Translator

# kind → the module of this room that has `apply(mend, mt, items)`, a context manager
KINDS = {
    "louder": "louder",
    "floor": "floor",
    "debiased": "debiased",
    "tuned": "tuned",
    "gated": "gated",
    "choosing": "choose",
    "contrastive": "contrastive",
}


_FEW = 8  # heads that are named one by one where people read


@dataclass(frozen=True, eq=False)
class Mend:
    """What is changed in a model of these weights, and what it was fitted on.

    >>> mend = Mend("louder", model="a", weights="0123", heads={"encoder": ((2, 1),)},
    ...             numbers={"factor": 6.0}, fitted={"data": "simplegen"})
    >>> mend
    Mend('louder', encoder 2.1, factor 6, fitted on simplegen)
    """

    kind: str
    model: str  # its name, for people
    weights: str  # the hash of the weights that it is for: `mt.weights_hash`
    heads: Heads = field(default_factory=dict)  # by site
    numbers: Mapping[str, float] = field(default_factory=dict)  # what the kind is set to
    values: Mapping[str, Tensor] = field(
        default_factory=dict
    )  # new weights, for `tuned` and `gated`
    fitted: Mapping[str, str] = field(default_factory=dict)  # data, its hash, seed …

    @classmethod
    def of(
        cls,
        mt: Translator,
        kind: str,
        numbers: Mapping[str, float],
        heads: Heads | None = None,
        fitted: str = "nothing",
    ) -> Mend:
        """A mend of this model that is all numbers: no new weights."""
        weights = mt.signature["weights"]
        return cls(kind, mt.name, weights, heads or {}, numbers, fitted={"data": fitted})

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise CueScopeError(
                "no such kind of mend", expected=", ".join(KINDS), found=repr(self.kind)
            )
        heads = {
            site: tuple((int(a), int(b)) for a, b in some) for site, some in self.heads.items()
        }
        object.__setattr__(self, "heads", heads)

    def __repr__(self) -> str:
        said = [
            f"{site} {named(some) if len(some) <= _FEW else f'{len(some)} heads'}"
            for site, some in self.heads.items()
        ]
        said += [f"{name} {value:g}" for name, value in self.numbers.items()]
        if "data" in self.fitted:
            said.append(f"fitted on {self.fitted['data']}")
        return f"Mend({', '.join([repr(self.kind), *said])})"

    @property
    def size(self) -> int:
        """How many weights it holds."""
        return sum(value.numel() for value in self.values.values())

    @property
    def signature(self) -> Signature:
        """All that makes it: kind, heads, numbers, a hash of its values, what it was fitted on."""
        facts: dict[str, object] = {"mend": self.kind, "model": self.model, "weights": self.weights}
        facts |= {site: named(some) for site, some in self.heads.items()}
        facts |= {name: f"{value:g}" for name, value in self.numbers.items()}
        if self.values:
            from cuescope.mend.store import hash_values

            facts["values"] = hash_values(self.values)
        return Signature(facts | {f"fit-{name}": said for name, said in self.fitted.items()})

    def on(
        self, mt: Translator, items: Sequence[Item] | None = None
    ) -> AbstractContextManager[Any]:
        """The mended model, for anything inside: `with mend.on(mt): mt.translate(…)`.

        `items` say where noun and cue stand, for kinds that must be told (floor, choosing).
        """
        self.check(mt)
        module = importlib.import_module(f"cuescope.mend.{KINDS[self.kind]}")
        made: AbstractContextManager[Any] = module.apply(self, mt, items)
        return made

    def check(self, mt: Translator) -> None:
        """Raise unless the model has the weights, and the heads, that the mend is for."""
        found = mt.signature["weights"]
        if found != self.weights:
            raise CueScopeError(
                f"this mend is not for {mt.name}",
                expected=f"the weights {self.weights} of {self.model}",
                found=found,
                do="load the model that it was fitted on, or fit a mend for this one",
            )
        for site, some in self.heads.items():
            for layer, head in some:
                mt.head_slice(site, layer, head)

    def save(self, path: Path | str) -> None:
        """One safetensors file: the values, and all else as JSON in its header."""
        from cuescope.mend.store import save

        save(self, path)

    @classmethod
    def load(cls, path: Path | str) -> Mend:
        """A mend as it was saved; anything else is an error."""
        from cuescope.mend.store import load

        return load(path)


def named(heads: Sequence[tuple[int, int]]) -> str:
    """Heads as people write them.

    >>> named([(2, 1), (0, 7)])
    '2.1+0.7'
    """
    return "+".join(f"{layer}.{head}" for layer, head in heads)
