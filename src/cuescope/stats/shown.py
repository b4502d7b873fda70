"""A number and its interval as text: the one place where they are rounded."""

from __future__ import annotations

import math
from dataclasses import dataclass
from math import isfinite
from typing import Literal

Unit = Literal["share", "points", "number"]  # points: a difference of shares


@dataclass(frozen=True)
class Shown:
    """The parts of a number that is shown; without bounds it has no interval."""

    value: str
    low: str = ""
    high: str = ""

    @property
    def interval(self) -> str:
        """The bounds in brackets; empty without any."""
        return f"[{self.low}, {self.high}]" if self.low else ""

    def __str__(self) -> str:
        return f"{self.value} {self.interval}".rstrip()


def shown(
    value: float,
    low: float | None = None,
    high: float | None = None,
    *,
    unit: Unit = "share",
    digits: int | None = None,
    sign: str = "",
    minus: str = "-",
    signed: bool = False,
) -> Shown:
    """Shares and points in per cent with one decimal, numbers with three, unless told otherwise.

    `sign` stands behind the value, `minus` before what is below 0; signed: a plus before the rest.

    >>> str(shown(0.061, 0.049, 0.074, sign=" %")), str(shown(-0.1, unit="number", minus="−"))
    ('6.1 % [4.9, 7.4]', '−0.100')
    """
    times = 1.0 if unit == "number" else 100.0
    places = (3 if unit == "number" else 1) if digits is None else digits

    def text(one: float) -> str:
        return rounded(times * one, places, minus=minus, signed=signed)

    if low is None or high is None or not (isfinite(low) and isfinite(high)):
        return Shown(text(value) + sign)
    return Shown(text(value) + sign, text(low), text(high))


def rounded(value: float, digits: int, *, minus: str = "−", signed: bool = False) -> str:
    """A number with a true minus, and no minus before a zero.

    >>> rounded(-0.004, 2), rounded(-1.25, 1), rounded(-0.004, 2, signed=True)
    ('0.00', '−1.2', '+0.00')
    """
    text = f"{value:.{digits}f}"
    if float(text) == 0:
        text = text.lstrip("-")
    plus = "+" if signed and not text.startswith("-") else ""
    return plus + text.replace("-", minus)


def outwards(interval: tuple[float, float], digits: int = 3) -> str:
    """An interval for people: rounded outwards, so that it still holds what it held.

    >>> outwards((0.12345, 0.12351)), outwards((0.5, 0.5)), outwards((-0.2, 1.0), 1)
    ('0.123 – 0.124', '0.500', '−0.2 – 1.0')
    """
    scale = 10**digits
    low = math.floor(interval[0] * scale + 1e-9) / scale
    high = math.ceil(interval[1] * scale - 1e-9) / scale
    ends = [f"{end + 0.0:.{digits}f}".replace("-", "−") for end in (low, high)]
    return ends[0] if low == high else " – ".join(ends)
