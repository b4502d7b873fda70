"""Options that are one of a few names: a name that is none of them is refused, never guessed."""

from __future__ import annotations

from typing import Any, Literal, get_args

from cuescope.errors import CueScopeError
from cuescope.inside.edit.louder import Value
from cuescope.inside.effect.feed import Side, Where
from cuescope.inside.effect.measure import Measure, Normalise

KINDS: dict[str, Any] = {
    "into": Side,
    "side": Side,
    "where": Where,
    "measure": Measure,
    "normalise": Normalise,
    "value": Value,
    "baseline": Literal["end", "twin"],
}
_BOTH = "measure each way, and take the mean with `cuescope.stats.scores.both_ways(male, female)`"


def check_options(**given: object) -> None:
    """Raise for a value that its option does not have.

    >>> check_options(normalise="max")
    Traceback (most recent call last):
    cuescope.errors.CueScopeError: no such normalise
      expected: mean, pair or none
      found:    'max'
    """
    for name, value in given.items():
        *most, last = get_args(KINDS[name])
        if value not in (*most, last):
            raise CueScopeError(
                f"no such {name}",
                expected=f"{', '.join(most)} or {last}",
                found=repr(value),
                do=_BOTH if (name, value) == ("into", "both") else "",
            )
