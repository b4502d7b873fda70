"""What was judged, as one table: for the terminal, for JSON and for the card of an export."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

from cuescope.mend.judge import Judged

if TYPE_CHECKING:
    import pandas as pd

    from cuescope.mend.mend import Mend
    from cuescope.stats.value import Value

ROWS = {
    "strict_mpa": "strict MPA",
    "male": "accuracy, male",
    "female": "accuracy, female",
    "other_she": "other noun feminine, she",
    "other_he": "other noun feminine, he",
    "other_turns": "other noun turns",
    "they_changed": "they: translations changed",
    "free_changed": "no cue: changed",
    "ordinary_changed": "ordinary text, no cue: changed",
    "momc": "SimpleGEN MoMc (he, male stereotype): right",
    "fomc": "FoMc (he, female stereotype): right",
    "fofc": "FoFc (she, female stereotype): right",
    "mofc": "MoFc (she, male stereotype): right",
    "delta": "Δ, with the stereotype less against it",
    "h_cue": "H(GE), he and she",
    "h_they": "H(GE), they",
    "delta_h": "ΔH",
    "BLEU": "BLEU",
    "chrF": "chrF",
    "time": "CPU time of the pairs, ratio",
}
AIMED = 0.10  # most that the other noun may turn more, for a mend to be called aimed


def frame(found: Sequence[Judged]) -> pd.DataFrame:
    """A column a system, a row a measure, each number with its interval."""
    import pandas as pd

    cells = {one.name: {ROWS[row]: _cell(one, row) for row in ROWS} for one in found}
    made = pd.DataFrame(cells)
    return made[(made != "").any(axis=1)]


def _cell(one: Judged, row: str) -> str:
    if row in one.quality:
        return f"{one.quality[row]:.{2 if row == 'time' else 1}f}"
    if row not in one.values:
        return ""
    said = str(one.values[row].shown())
    if row in one.change:
        said += f"; {signed(one.change[row])}"
    return said


def signed(value: Value) -> str:
    """A change in points with its interval; without one where every pair changed alike."""
    points = [f"{100 * x:+.1f}".replace("-", "−") for x in (value.value, value.low, value.high)]
    return points[0] if isnan(value.low) else f"{points[0]} [{points[1]}, {points[2]}]"


def aimed(one: Judged) -> bool | None:
    """Does the other noun stay (at most ten points more feminine under she)? None: not asked."""
    if "other_she" not in one.change:
        return None
    return one.change["other_she"].value <= AIMED


def to_json(found: Sequence[Judged]) -> list[dict[str, Any]]:
    """All numbers, for programs."""
    return [
        {
            "system": one.name,
            "values": {n: _number(v) for n, v in one.values.items()},
            "change": {n: _number(v) for n, v in one.change.items()},
            "quality": one.quality,
            "aimed": aimed(one),
        }
        for one in found
    ]


def _number(value: Value) -> dict[str, Any]:
    return {"value": value.number(), "interval": value.interval(), "n": value.n, "over": value.over}


def card(mend: Mend, found: Sequence[Judged], on: str) -> str:
    """The README of an exported model: what it is, what was judged, whether it is recommended."""
    table = frame(found)
    head = "| | " + " | ".join(table.columns) + " |"
    lines = [
        f"| {name} | " + " | ".join(row) + " |"
        for name, row in zip(table.index, table.values, strict=True)
    ]
    return "\n".join(
        [
            f"# {mend.model}, mended by cuescope",
            "",
            f"{mend!r}: {mend.size:,} weights of `{mend.weights}` are new.",
            "",
            _verdict(found),
            "",
            f"Judged on {on}. Shares with 95 % intervals over nouns and templates; after a",
            "semicolon the change, pair by pair.",
            "",
            head,
            "|---" * (len(table.columns) + 1) + "|",
            *lines,
            "",
            f"`{mend.signature}`",
            "",
        ]
    )


def _verdict(found: Sequence[Judged]) -> str:
    """Is the mend recommended, and by which number?"""
    if len(found) < 2 or (said := aimed(found[-1])) is None:
        return "Whether it turns the other person of a sentence was not judged."
    change = signed(found[-1].change["other_she"])
    turns = f"under *she* the other person turns feminine {change} points more often"
    most = f"({100 * AIMED:.0f} at most)"
    if said:
        return f"This mend is aimed: {turns} {most}."
    return f"**Not recommended:** {turns} {most}. It is not aimed."
