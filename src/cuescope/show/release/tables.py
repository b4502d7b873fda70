"""What two releases differ in, and what became of a gate's rules, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from cuescope.show.tables import Table
from cuescope.stats.shown import shown

if TYPE_CHECKING:
    from cuescope.run.release import Gate, Release
    from cuescope.run.release.gate import Rule
    from cuescope.run.release.versus import Compared
    from cuescope.stats.value import Value

P_NOTE = "p: McNemar's, which takes sentences (pairs) for independent; the intervals do not"


def share(value: Value) -> str:
    """A share in per cent with its interval."""
    return str(shown(value.value, value.low, value.high))


def points(value: Value) -> str:
    """A difference in points, with its sign and its paired interval."""
    return str(shown(value.value, value.low, value.high, unit="points", signed=True))


def p_of(p: float) -> str:
    """A p value for people."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _row(one: Compared) -> dict[str, str]:
    return {
        "Before": share(one.before),
        "After": share(one.after),
        "Change": points(one.change),
        "Broke": f"{one.broke:,}",
        "Mended": f"{one.mended:,}",
        "n": f"{one.change.n:,}",
    }


def differences(found: Release) -> Table:
    """Every measure in both, with its paired change."""
    rows = {one.label: {**_row(one), "p": p_of(one.test.p)} for one in found.measures}
    notes = (
        f"After: {found.second.label}; before: {found.first.label}; in %, the change in points, "
        f"its 95 % interval paired, over nouns and templates. {P_NOTE}.",
        "MPA: both sentences of a pair, alike but for the cue, have the right gender; strict: "
        "and their noun phrases do not contradict themselves. Accuracy: single sentences, male "
        "or female by their cue, pro where the cue is as the stereotype says, anti where it is "
        "not. Broke: right before, wrong after; mended: the other way round.",
    )
    title = f"{found.second.label} against {found.first.label}"
    return Table(title, _frame(rows), notes=notes, wrap=True)


def rules(found: Gate) -> Table:
    """The rules of a gate, each with its numbers and what became of it."""
    rows = {
        f"{rule.measure.name} {demand(rule)}": {
            **_row(rule.measure),
            "p": "" if rule.p is None else p_of(rule.p),
            "": ("FAIL: " if rule.failed else "ok: ") + rule.said,
        }
        for rule in found.rules
    }
    note = (
        "In %, changes in points with paired 95 % intervals over nouns and templates. p: how "
        "often a drop is so large by chance if the true one is no larger than allowed, before and "
        "after exchanged whole nouns at a time; adjusted for the number of rules (Tarone)"
    )
    return Table(f"gate: {verdict(found)}", _frame(rows), notes=(note,), wrap=True)


def verdict(found: Gate) -> str:
    """Passed, or what failed."""
    failed = [rule.measure.name for rule in found.rules if rule.failed]
    return f"failed ({', '.join(failed)})" if failed else "passed"


def demand(rule: Rule) -> str:
    """A rule as it was asked for."""
    return f"≥ {rule.least:g} %" if rule.least is not None else f"drop ≤ {rule.allowed:g}"


def _frame(rows: dict[str, dict[str, Any]]) -> pd.DataFrame:
    made = pd.DataFrame.from_dict(rows, orient="index")
    made.index.name = "Measure"
    return made
