"""Options that are one of a few names: a name that is none of them is refused, never guessed."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args

from cuescope.errors import CueScopeError

Side = Literal["male", "female"]  # one of the twins
Into = Literal["male", "female", "both"]  # the twin that is patched; both: the mean of the two
Where = Literal["all", "noun", "cue"]  # positions of the source
Measure = Literal["logit difference", "probability", "gender"]  # what an effect is an effect on
Normalise = Literal["mean", "pair", "none"]  # by the mean gap, each pair's own, or not at all
Value = Literal["zero", "mean", "resample"]  # what an ablated head says
Baseline = Literal["end", "twin"]  # where integrated gradients start
Weight = Literal["attention", "norm"]  # of a cell: α, or ‖α·v·W_O‖

KINDS: dict[str, Any] = {
    "side": Side,
    "into": Into,
    "where": Where,
    "measure": Measure,
    "normalise": Normalise,
    "value": Value,
    "baseline": Baseline,
}


def check_options(**given: object) -> None:
    """Raise for a value that its option does not have.

    >>> check_options(normalise="max")
    Traceback (most recent call last):
    cuescope.errors.CueScopeError: no such normalise
      expected: mean, pair or none
      found:    'max'
    """
    for name, value in given.items():
        check_option(name, value, KINDS[name])


def check_option(name: str, value: object, kind: Any) -> None:
    """The same for one option, of one kind: some verbs take less than others."""
    *most, last = get_args(kind)
    if value not in (*most, last):
        raise CueScopeError(
            f"no such {name}", expected=f"{', '.join(most)} or {last}", found=repr(value)
        )


@dataclass(frozen=True)
class Patching:
    """How a head is made to speak as in the twin, and in what its effect is told.

    >>> [one.side for one in Patching(into="both").ways()]
    ['male', 'female']
    """

    into: Into = "male"
    where: Where = "all"
    measure: Measure = "logit difference"
    normalise: Normalise = "mean"

    def __post_init__(self) -> None:
        check_options(**asdict(self))

    @property
    def side(self) -> Side:
        """The twin that is patched, where it is one."""
        assert self.into != "both"
        return self.into

    def ways(self) -> tuple[Patching, ...]:
        """The same into each twin that is patched: one, or the male and the female."""
        return tuple(replace(self, into=side) for side in self.sides)

    @property
    def sides(self) -> tuple[Side, ...]:
        """The twins that are patched."""
        return get_args(Side) if self.into == "both" else (self.side,)

    def facts(self) -> dict[str, str]:
        """What a signature says."""
        names = ("measure", "into", "where", "normalise")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True)
class Integrating:
    """Integrated gradients of the words: of which twin, from where, in what, in how many steps."""

    side: Side = "female"
    baseline: Baseline = "end"
    measure: Measure = "logit difference"
    steps: int = 50

    def __post_init__(self) -> None:
        check_options(side=self.side, baseline=self.baseline, measure=self.measure)
