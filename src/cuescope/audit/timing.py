"""Times that can be compared: every system in turn, round after round, each against the baseline.

A machine's speed drifts; within a round it is about the same for all. So a ratio is taken inside
each round, and its interval is over the rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from cuescope.signature import Signature
from cuescope.stats.value import Value

Clock = Callable[[], float]


def rounds(
    clocks: Mapping[str, Clock],
    count: int,
    kept: Callable[[int, Callable[[], dict[str, float]]], dict[str, float]] | None = None,
    told: Callable[[int], None] | None = None,
) -> list[dict[str, float]]:
    """Seconds of each system in each round; the order turns by one from round to round.

    `kept(n, make)` may give a round that was timed before.
    """
    names = list(clocks)

    def one(number: int) -> dict[str, float]:
        found: dict[str, float] = {}
        for at in range(len(names)):
            name = names[(at + number) % len(names)]
            found[name] = clocks[name]()
            if told:
                told(1)
        return {name: found[name] for name in names}

    return [
        kept(number, lambda at=number: one(at)) if kept else one(number)  # type: ignore[misc]
        for number in range(count)
    ]


def ratio(times: Sequence[float], baseline: Sequence[float], signature: Signature) -> Value:
    """How long it takes where the baseline takes 1: the geometric mean, a t-interval over rounds.

    >>> ratio([1.0, 2.0, 1.5], [2.0, 4.0, 3.0], Signature()).shown().value
    '0.500'
    """
    from scipy import stats

    logs = np.log(np.asarray(times) / np.asarray(baseline))
    n, mean = len(logs), float(logs.mean())
    low = high = float("nan")
    if n > 1:
        wide = float(stats.t.ppf(0.975, n - 1)) * float(logs.std(ddof=1)) / np.sqrt(n)
        low, high = float(np.exp(mean - wide)), float(np.exp(mean + wide))
    return Value(
        "time", float(np.exp(mean)), low, high, n, signature, percent=False, over=f"{n} rounds"
    )
