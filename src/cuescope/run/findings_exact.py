"""What enumeration found, as it stands in findings.json."""

from __future__ import annotations

from typing import NotRequired, TypedDict

Ends = tuple[float, float]  # low, high


class LikelyOf(TypedDict):
    """The most probable translation of a gender; certain where none left over can be more so."""

    text: str
    logprob: float  # under the ε-truncated model
    certain: bool


class CertifiedOf(TypedDict):
    """The same sentences enumerated: intervals [low, high] that contain what is asked."""

    width: float  # asked for
    epsilon: float
    evaluations: float  # a sentence
    sentences: int
    exhausted: int  # sentences whose intervals are wider than asked
    majority: int  # sentences whose likeliest gender is certain
    values: dict[str, Ends]  # "P(feminine) she", "H he", "norm-H she", "ΔH" …
    sets: list[dict[str, dict[str, Ends]]]  # he, she, they → gender → interval
    signature: str
    texts: NotRequired[list[dict[str, str]]]  # the sources: he, she, they
    best: NotRequired[list[dict[str, dict[str, LikelyOf]]]]  # he, she, they → gender, if searched
    outside: NotRequired[
        int
    ]  # sentences whose sampled share of feminine is off by more than chance
