"""The tables of a comparison: paper A's 1 to 3, paper B's 13 to 15, differences, heads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from cuescope.run.compare.ranking import Ranking
from cuescope.run.findings import Number, Site, measured
from cuescope.show.report.carriers import carriers, effects, ranked
from cuescope.show.report.say import ORDERS, plain
from cuescope.show.tables import Table, correlation_table, ranking_table
from cuescope.stats.shown import Unit, shown

if TYPE_CHECKING:
    from cuescope.run.compare import SideBySide, Versus
    from cuescope.run.compare.entries import Entry

_NAMES = {"reg": "REG", "pro": "PRO-S", "anti": "ANTI-S"}
_PAPERS = ("mpa", "strict_mpa", "pro_f", "pro_m")  # in the tables of paper A
_POINTS: dict[bool, Unit] = {True: "points", False: "number"}
_SHOWN = 4  # heads of a kind that are named


def tables(found: SideBySide) -> dict[str, Table]:
    """By name, in the order of the page."""
    several = len(found.rankings) > 1
    made = {
        "runs": _runs(found.runs),
        "accuracy": _accuracy(found.runs),
        "mpa": _minimal_pairs(found.runs),
        "breakdown": _breakdown(found.runs),
        "measures": _measures(found.runs),
        **{
            f"difference {at}": _difference(one, last=at == len(found.versus))
            for at, one in enumerate(found.versus, 1)
        },
        "heads": _heads(found.runs),
        "same heads": _same_heads(found),
        "entropy": _entropy(found.runs),
    }
    for at, ranking in enumerate(found.rankings, 1):
        suffix = f" {at}" if several else ""
        made[f"ranking{suffix}"] = _ranking(ranking)
        if ranking.correlations:
            made[f"correlations{suffix}"] = correlation_table(ranking.correlations)
    return {name: table for name, table in made.items() if len(table.frame)}


def _frame(rows: Mapping[Any, Mapping[str, Any]], names: Sequence[str]) -> pd.DataFrame:
    made = pd.DataFrame.from_dict(dict(rows), orient="index")
    keys: Any = list(rows)
    if len(names) > 1:
        made.index = pd.MultiIndex.from_tuples(keys, names=list(names))
    else:
        made.index = pd.Index(keys, name=names[0], dtype=object)
    return made


def percent(number: Number | None, unit: Unit = "share") -> str:
    """A value and its interval; shares in per cent.

    >>> percent({"value": 0.061, "low": 0.049, "high": 0.074, "n": 1584})
    '6.1 [4.9, 7.4]'
    """
    if number is None or number["value"] is None:
        return "N/A"
    return str(shown(number["value"], number["low"], number["high"], unit=unit))


def _runs(runs: Sequence[Entry]) -> Table:
    rows = {}
    for run in runs:
        model, data = run.findings["model"], run.findings["data"]
        sites = " ".join(f"{name} {a}×{b}" for name, (a, b) in model["sites"].items())
        rows[run.label] = {
            "Into": run.findings["lang"],
            "Challenge set": data["name"],
            "Pairs": f"{data['pairs']:,}",
            "Layers × heads": sites,
            "Parameters": f"{model['parameters'] / 1e6:.0f} M",
        }
    return Table("Runs", _frame(rows, ["Run"]), wrap=True)


def sets_of(runs: Sequence[Entry]) -> list[str]:
    """The sets that any run was scored on, the papers' order first."""
    sets = dict.fromkeys(name for run in runs for name in run.findings["accuracy"])
    return [name for name in dict.fromkeys((*_NAMES, *sets)) if name in sets]


def _accuracy(runs: Sequence[Entry]) -> Table:
    rows = {
        (_NAMES.get(name, name), run.label): {
            who.capitalize(): percent(run.findings["accuracy"][name].get(who))
            for who in ("all", "male", "female")
        }
        for name in sets_of(runs)
        for run in runs
        if name in run.findings["accuracy"]
    }
    title = "Gender accuracy in %, with 95 % intervals (paper A, table 1)"
    return Table(title, _frame(rows, ["Set", "Model"]), wrap=True)


def minimal_pairs_of(run: Entry) -> dict[str, Mapping[str, Number]]:
    """All pairs, each order of noun and cue where both occur, and the wider reading."""
    orders, wide = run.findings["orders"], run.findings["with_pronouns"]
    parts: dict[str, Mapping[str, Number]] = {"all": run.findings["measures"]}
    if len(orders) > 1:
        parts |= {ORDERS[order][0]: one["measures"] for order, one in orders.items()}
    if wide:
        parts["with pronouns"] = {"mpa": wide["mpa"]}
    return {name: measures for name, measures in parts.items() if "mpa" in measures}


def _minimal_pairs(runs: Sequence[Entry]) -> Table:
    rows = {
        (run.label, name): {
            "MPA": percent(one["mpa"]),
            "strict MPA": percent(one["strict_mpa"]) if "strict_mpa" in one else "",
            "Pairs": f"{one['mpa']['n']:,}",
        }
        for run in runs
        for name, one in minimal_pairs_of(run).items()
    }
    note = (
        "with pronouns: pronouns and other words about the noun decide where its phrase shows no "
        "gender"
    )
    frame = _frame(rows, ["Model", "Of"])
    return Table("Minimal pair accuracy in % (paper A, table 2)", frame, notes=(note,))


def _breakdown(runs: Sequence[Entry]) -> Table:
    rows = {
        run.label: {
            "Pro-F": percent(run.findings["measures"].get("pro_f")),
            "Pro-M": percent(run.findings["measures"].get("pro_m")),
            "Right pairs": f"{run.findings['measures']['pro_f']['n']:,}",
        }
        for run in runs
        if "pro_f" in run.findings["measures"]
    }
    return Table("The right pairs by stereotype, in % (paper A, table 3)", _frame(rows, ["Model"]))


def _measures(runs: Sequence[Entry]) -> Table:
    """The measures that the papers' tables do not hold, run beside run."""
    declared = {n: one for run in reversed(runs) for n, one in run.findings["measures"].items()}
    rest = {name: one for name, one in declared.items() if name not in _PAPERS}
    rows = {
        (one["label"], run.label): {
            "Value": percent(number, number["unit"]),
            "n": f"{number['n']:,}",
        }
        for name, one in rest.items()
        for run in runs
        if (number := run.findings["measures"].get(name))
    }
    notes = (*(f"{one['label']}: {one['says']}" for one in rest.values()), "Shares in %")
    frame = _frame(rows, ["Measure", "Model"]) if rows else pd.DataFrame()
    return Table("More measures, run by run", frame, notes=notes, wrap=True)


def _difference(versus: Versus, last: bool) -> Table:
    rows, bold = {}, {}
    for one in versus.differences:
        v, unit = one.value, _POINTS[one.value.percent]
        rows[one.measure] = {
            "Difference": str(shown(v.value, v.low, v.high, unit=unit, signed=True)),
            "n": f"{v.n:,}",
            "Only first": str(one.test.only_first) if one.test else "",
            "Only second": str(one.test.only_second) if one.test else "",
            "p": _p(one.p) if one.p is not None else "",
        }
        clear = v.low > 0 or v.high < 0
        bold[one.measure] = {name: clear and name == "Difference" for name in rows[one.measure]}
    notes = [
        f"{versus.second} (second) less {versus.first} (first), over {versus.pairs:,} pairs that "
        "both have; in points of %, ΔH as it is"
    ]
    if last:
        notes.append(
            "* the paired 95 % interval leaves out 0. Only first, only second: sentences, or "
            "pairs where a measure is of pairs, that are a hit in one alone; p: McNemar's, as if "
            "independent, after Holm"
        )
    title = f"{versus.second} against {versus.first}"
    frame = _frame(rows, ["Measure"])
    marked = _frame(bold, ["Measure"]) if bold else None
    return Table(title, frame, marked, notes=tuple(notes), wrap=True)


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _heads(runs: Sequence[Entry]) -> Table:
    rows = {}
    for run in runs:
        for story, name, site in measured(run.findings):
            rows[run.label, f"{name}, {story}"] = {
                "Heads": str(site["layers"] * site["heads"]),
                "Carry the cue": _carriers(site),
                "Look at it": _lookers(site),
                "ρ attention, effect": _rho(site),
            }
    rules = dict.fromkeys(run.findings["rule"] for run in runs)
    note = (
        "layer.head. Look: attention above the uniform share (in cross, at the step of the "
        "choice). Heads of different models do not correspond"
    )
    return Table("Heads", _frame(rows, ["Model", "Site"]), notes=(*rules, note), wrap=True)


def _carriers(site: Site) -> str:
    """The heads that carry the cue, by the rule of the report."""
    if not site["effect"]:
        return "N/A"
    if not site["enough"]:
        return "too few pairs"
    unsure = any(one.carrying == "unsure" and one.value > 0 for one in effects(site))
    none = "none clearly" if unsure else "none"
    return _named((f"{one.name} {100 * one.value:.0f} %" for one in carriers(site)), none)


def _lookers(site: Site) -> str:
    """The heads whose attention is above the uniform share."""
    if not site["attention"]:
        return "N/A"
    grid = site["attention"]["all"]
    if (least := grid["threshold"]) is None:
        return "N/A"
    return _named(f"{one.name} {one.value:.2f}" for one in ranked(grid) if one.value >= least)


def _named(heads: Iterable[str], none: str = "none") -> str:
    """The first few, and how many more."""
    shown = [one.replace(" ", "\N{NO-BREAK SPACE}") for one in heads]
    more = f" … {len(shown) - _SHOWN}\N{NO-BREAK SPACE}more" if len(shown) > _SHOWN else ""
    return ", ".join(shown[:_SHOWN]) + more or none


def _rho(site: Site) -> str:
    for one in site["agreements"]:
        if set(one["names"]) == {"attention", "effect"} and one["at"] != "noun":
            number: Number = {"value": one["rho"], "low": one["low"], "high": one["high"], "n": 1}
            return plain(number).replace("−", "-")  # as all numbers of these tables
    return "N/A"


def _same_heads(found: SideBySide) -> Table:
    rows = {
        (f"{one.first} / {one.second}", f"{one.site}, {one.story}"): {
            "ρ": one.rho,
            "Heads": str(one.heads),
        }
        for one in found.same_heads
    }
    note = "Spearman's ρ of the heads' effects (in size) in two runs of the same weights"
    return Table("The same heads in both runs?", _frame(rows, ["Runs", "Site"]), notes=(note,))


def _entropy(runs: Sequence[Entry]) -> Table:
    """Unambiguous, ambiguous and ΔH of every measure (paper B, tables 4 and 15)."""
    columns = {"Unamb.": "H unambiguous", "Amb.": "H ambiguous", "ΔH": "ΔH"}
    rows = {}
    for run in runs:
        cells: dict[Any, float | None] = {}
        for name, one in run.measures.items():
            for label, key in columns.items():
                number = one["values"].get(key)
                cells[name.upper(), label] = number["value"] if number else None
        if cells:
            rows[run.findings["lang"], run.label] = cells
    if not rows:
        return Table("Entropy", pd.DataFrame())
    frame = _frame(rows, ["Lang.", "Model"]).astype(float)
    columns_of: Any = list(frame.columns)
    frame.columns = pd.MultiIndex.from_tuples(columns_of)
    note = "ΔH below 0: less sure of the ambiguous source, as it should be"
    title = "Entropy of unambiguous and ambiguous inputs (paper B, tables 4 and 15)"
    return Table(title, frame, digits=3, notes=(note,))


def _ranking(ranking: Ranking) -> Table:
    """Best first, each with its value; runs of the same value have a = behind it."""
    scores = {
        name: {f"{label} {_value(name, values, label)}": values[label] for label in values}
        for name, values in ranking.scores.items()
    }
    made = ranking_table(scores, lower=ranking.lower)
    told = f"over {ranking.pairs:,} pairs that all have; =: the same value as another"
    notes = (told, f"lower is better: {', '.join(ranking.lower)}")
    title = "Models ranked by each measure, best first (paper B, table 13)"
    return Table(title, made.frame, notes=notes, wrap=True)


def _value(name: str, values: Mapping[str, float], label: str) -> str:
    value, same = values[label], list(values.values()).count(values[label]) > 1
    shown = f"{value:+.2f}" if name.startswith("ΔH") else f"{100 * value:.1f}"
    return f"{shown} =" if same else shown
