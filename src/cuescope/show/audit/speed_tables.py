"""Tables 4a and 4b of paper D, what stands beside them, and the relative drops of figure 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from cuescope.audit.knobs import BASELINE
from cuescope.audit.knobs import Table as Kind
from cuescope.audit.speed import Measured, Speed
from cuescope.audit.systems import FACTOR
from cuescope.show.tables.shape import Table
from cuescope.stats.shown import shown
from cuescope.stats.value import Value

PAPER = {  # column → value, in the order of tables 4a and 4b
    "time": "time",
    "BLEU": "BLEU",
    "pro": "pro",
    "anti": "anti",
    "Δ": "delta",
    "FoFc": "fofc",
    "MoFc": "mofc",
    "ΔFC": "delta_fc",
    "MoMc": "momc",
    "FoMc": "fomc",
    "ΔMC": "delta_mc",
}
BESIDE = {
    "chrF": "chrF",
    "inconclusive": "inconclusive",
    "MPA": "mpa",
    "strict MPA": "strict_mpa",
    "other noun feminine, she": "other_she",
    "other noun feminine, he": "other_he",
    "other noun turns": "other_turns",
}
DROPS = {"BLEU": "BLEU", "chrF": "chrF"} | {
    name: name.lower() for name in ("pro", "anti", "FoFc", "MoFc", "MoMc", "FoMc")
}
TITLES: dict[Kind, str] = {
    "alone": "Each speed-up alone (table 4a)",
    "stacked": "Speed-ups stacked (table 4b)",
}
MOST = "max rel. % drop"
LIMIT = f"cut off at {FACTOR:g} times the sub-words of their source"


def max_drop(values: Sequence[float]) -> float | None:
    """The paper's last row: from the highest to the lowest of a column, relative to the highest.

    >>> round(max_drop([48.1, 48.2, 44.3, 41.7]), 3)
    0.135
    """
    return None if not values or max(values) <= 0 else 1 - min(values) / max(values)


def paper_table(found: Speed, kind: Kind) -> Table:
    """Table 4a or 4b: time as a ratio to the baseline, all else in per cent."""
    rows = found.of(kind)
    cells = {_label(one, kind): _cells(one, PAPER) for one in rows}
    last: dict[str, str] = {}
    for column, name in PAPER.items():
        drop = None if column.startswith("Δ") else max_drop(_numbers(rows, name))
        last[column] = "" if drop is None else str(shown(drop))
    cells[MOST] = last
    notes = (
        "Time: CPU on one core, where the baseline takes 1, geometric mean and interval over "
        f"{found.counts['rounds']} interleaved rounds of {found.counts['timed sentences']} "
        "sentences. All else in per cent.",
        f"{MOST}: from the highest to the lowest of the column, as the paper's numbers have it.",
        *_notes(rows),
    )
    return Table(_title(TITLES[kind], found), _frame(cells), notes=notes, wrap=True)


def beside_table(found: Speed) -> Table:
    """What the paper does not have: chrF, inconclusive, minimal pairs, the other person's noun."""
    told = {_key(one): _cells(one, BESIDE) for one in found.rows}
    frame = _frame(told)
    frame = frame[[c for c in frame.columns if any(v for v in frame[c])]]
    pairs = found.counts["pairs with two people"]
    where = f"of {pairs} pairs with two people" if pairs else "of SimpleGEN's few pairs with one"
    notes = (f"The other noun is {where}: nothing should turn it.", _cut(found), _seconds(found))
    return Table(_title("Beside the paper, in per cent", found), frame, notes=notes, wrap=True)


def drops_table(found: Speed) -> Table:
    """The relative drops that figure 1 draws, each against the baseline on the same sentences."""
    told = {}
    for one in found.rows[1:]:
        cells = {"time": "" if one.time is None else _faster(one.time)}
        cells |= {c: _shown(one.drops.get(name)) for c, name in DROPS.items()}
        told[_key(one)] = cells
    notes = (
        "A drop below 0 is a rise. Intervals are paired: the same nouns and templates (for BLEU "
        "and chrF the same sentences) are left out of both.",
    )
    title = _title("Relative % drop from the baseline (figure 1)", found)
    return Table(title, _frame(told), notes=notes, wrap=True)


def _faster(time: Value) -> str:
    low, high = (1 - time.high, 1 - time.low) if time.sure else (None, None)
    return str(shown(1 - time.value, low, high))


def _title(text: str, found: Speed) -> str:
    return f"{text}: {found.model}"


def _label(one: Measured, kind: Kind) -> str:
    name = one.row.label
    if one.row is not BASELINE:
        plain = _bare(one)
        name = f"+{plain}" if kind == "stacked" else f"bl w/ {plain}"
    return f"{name} (not run)" if one.absent else name


def _key(one: Measured) -> str:
    return _label(one, one.row.tables[0])


def _cells(one: Measured, columns: Mapping[str, str]) -> dict[str, str]:
    values = one.values | ({"time": one.time} if one.time else {})
    return {column: _shown(values.get(name)) for column, name in columns.items()}


def _shown(value: Value | None) -> str:
    if value is None:
        return ""
    if value.number() is None:
        return "N/A"
    if value.percent:
        bounds = (value.low, value.high) if value.sure else (None, None)
        return str(shown(value.value, *bounds))
    return str(shown(value.value, value.low, value.high, unit="number", digits=2))


def _numbers(rows: Sequence[Measured], name: str) -> list[float]:
    found = [one.time if name == "time" else one.values.get(name) for one in rows]
    return [value.value for value in found if value is not None and value.n]


def _frame(cells: Mapping[str, Mapping[str, str]]) -> pd.DataFrame:
    made = pd.DataFrame.from_dict({k: dict(v) for k, v in cells.items()}, orient="index")
    made.index.name = "model"
    return made.fillna("")


def _notes(rows: Sequence[Measured]) -> list[str]:
    by: dict[str, list[str]] = {}
    for one in rows:
        if one.row.note and not one.absent:
            by.setdefault(one.row.note, []).append(_bare(one))
    left = [f"{_bare(one)} was not run: {one.absent}." for one in rows if one.absent]
    return [*(f"{', '.join(labels)}: {note}." for note, labels in by.items()), *left]


def _bare(one: Measured) -> str:
    return one.row.label.removeprefix("+")


def _cut(found: Speed) -> str:
    """Translations that came to no end of their own: of a knob that breaks a model, nearly all."""
    told = [f"{_key(one)} {one.cut:,}" for one in found.rows if one.cut]
    silent = [_key(one) for one in found.rows if one.cut is None and not one.absent]
    unknown = f" (not known of {', '.join(silent)})" if silent else ""
    of = f"{found.counts['translations']:,}"
    return f"Of {of} translations each, {LIMIT}: {'; '.join(told) or 'none'}{unknown}."


def _seconds(found: Speed) -> str:
    told = [f"{_key(o)} {o.seconds:.1f}" for o in found.rows if o.seconds is not None]
    return "Seconds of CPU for 100 sentences, on this machine only: " + "; ".join(told) + "."
