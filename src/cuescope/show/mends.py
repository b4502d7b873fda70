"""The page of judged mends: what each gains and damages, the table, the front of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from cuescope.mend import table
from cuescope.mend.judge import Judged
from cuescope.show.audit.page import page, picture
from cuescope.show.compare.page import html_table
from cuescope.show.figures.front import Point, best, front
from cuescope.show.report.page import prose
from cuescope.show.tables.shape import Table
from cuescope.stats.html import escape
from cuescope.stats.value import Value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from cuescope.mend.mend import Mend

QUESTION = "Does the mended model follow the cue, and leave the rest alone?"
NOTE = "After a semicolon: the change against the plain model in points, pair by pair."


def points(found: Sequence[Judged]) -> dict[str, Point]:
    """Gain and damage of each system whose sentences name another person."""
    return {
        one.name: (one.values["strict_mpa"].value, one.values["other_she"].value)
        for one in found
        if one.values.get("other_she") and one.values["other_she"].number() is not None
    }


def judged_table(found: Sequence[Judged], on: str) -> Table:
    """A column a system, a row a measure."""
    return Table("Mends judged", table.frame(found), notes=(f"On {on}.", NOTE), wrap=True)


def answer(found: Sequence[Judged]) -> list[str]:
    """What was found, in sentences that are true of the numbers."""
    plain, *mends = found
    lines = [
        f"The {plain.name} model has both twins of a pair right in {_of(plain, 'strict_mpa')} of "
        f"the pairs{_noun(plain)}."
    ]
    lines += [_mended(one) for one in mends]
    named = [name for name in best(points(found)) if name != plain.name]
    if named:
        lines.append(
            "On the front, where no other system gains as much with as little damage: "
            f"{', '.join(named)}."
        )
    return lines


def _mended(one: Judged) -> str:
    said = f"{one.name}: {_of(one, 'strict_mpa')}, {_change(one, 'strict_mpa')}{_noun(one)}"
    if "other_she" in one.change:
        said += f", {_change(one, 'other_she')}"
    verdict = {
        True: "It is aimed: the other noun turns at most ten points more.",
        False: "It is not aimed: the other noun turns by more than ten points. Not recommended.",
        None: "Whether it is aimed was not judged.",
    }[table.aimed(one)]
    held = [
        f"{_of(one, name)} of {what}"
        for name, what in (
            ("free_changed", "the sentences without a cue"),
            ("ordinary_changed", "the ordinary lines without a cue"),
        )
        if name in one.values
    ]
    kept = f" Its translation is another in {' and '.join(held)}." if held else ""
    return f"{said}. {verdict}{kept}"


def _of(one: Judged, name: str) -> str:
    return str(one.values[name].shown())


def _noun(one: Judged) -> str:
    if "other_she" not in one.values:
        return ""
    return f"; under she the other noun is feminine in {_of(one, 'other_she')}"


def _change(one: Judged, name: str) -> str:
    value: Value = one.change[name]
    return f"{table.signed(value)} points pair by pair"


def figure(found: Sequence[Judged]) -> Axes:
    """Gain against damage."""
    return front(points(found))


def mends_page(found: Sequence[Judged], mends: Mapping[str, Mend], on: str) -> str:
    """One self-contained file."""
    said = "".join(f"<p>{prose(line)}</p>" for line in answer(found))
    parts = {
        "answer": ("Answer", said),
        "table": ("By everything at once", html_table(judged_table(found, on))),
    }
    if points(found):
        told = "Gain against damage, a dot a system; the table has the numbers"
        parts["front"] = ("The front", picture(figure(found), told))
    rows = "".join(
        f"<p><b>{escape(name)}</b>: {escape(repr(one))}; {one.size:,} weights of its own. "
        f"<code>{escape(str(one.signature))}</code></p>"
        for name, one in mends.items()
    )
    parts["mends"] = ("What each one is", rows)
    signature = " ".join(str(one.signature) for one in mends.values())
    model = next(iter(mends.values())).model
    return page(f"Mends: {model}", QUESTION, parts, signature)
