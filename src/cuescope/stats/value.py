"""A number that says what it is, how sure it is, and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite

from cuescope.signature import Signature
from cuescope.stats.shown import Shown, shown


@dataclass(frozen=True)
class Value:
    """A share, or a plain number, with its interval, its n and its signature.

    >>> Value("accuracy", 0.557, 0.532, 0.581, 1584)
    accuracy = 55.7 % [53.2, 58.1] (n=1584)
    """

    name: str
    value: float
    low: float
    high: float
    n: int
    signature: Signature = field(default_factory=Signature, compare=False)
    percent: bool = True  # a share; entropies and their ratios are plain numbers
    over: str = ""  # what the interval leaves out in turn, as "18 nouns"; empty: single units

    def __float__(self) -> float:
        return self.value

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)

    def brief(self) -> str:
        """The value without its signature."""
        return f"{self.name} = {self.shown()} {self.units()}"

    def shown(self) -> Shown:
        """The number and its bounds as text."""
        if self.n == 0 or not isfinite(self.value):
            return Shown("undefined")
        bounds = (self.low, self.high) if self.sure else (None, None)
        if self.percent:
            return shown(self.value, *bounds, sign=" %")
        return shown(self.value, *bounds, unit="number")

    def units(self) -> str:
        """How many units are behind it, and what its interval leaves out in turn."""
        return f"(n={self.n}{f', {self.over}' if self.over else ''})"

    def __repr__(self) -> str:
        facts = self.signature.without_version()
        return f"{self.brief()} {self.signature}" if facts else self.brief()

    def _repr_html_(self) -> str:
        from cuescope.stats import html

        return html.value(self)

    @property
    def sure(self) -> bool:
        """Has it an interval? One unit alone has none."""
        return self.n > 0 and isfinite(self.low) and isfinite(self.high)

    def number(self) -> float | None:
        """The value for JSON, which knows no NaN: None where nothing was counted, or 0 over 0."""
        return self.value if self.n and isfinite(self.value) else None

    def interval(self) -> list[float] | None:
        """The bounds for JSON."""
        return [self.low, self.high] if self.sure else None
