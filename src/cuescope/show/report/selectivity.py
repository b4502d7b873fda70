"""What the cue, and each head that carries it, does to the other person of the sentence."""

from __future__ import annotations

from collections.abc import Iterator

from cuescope.run.findings import Findings, GridOf, Number, OffTargetOf
from cuescope.show.report.say import SITES, STORIES, bounds, cue_word, many, percent, plain, reasons
from cuescope.show.report.tables import NONE, cell, table

_BLIND = 1.0  # spill-over of a cue that turns both nouns alike


def others(findings: Findings) -> Iterator[str]:
    """In words, for the answer: whom else the cue turns. Nothing where nobody else is named."""
    by = findings["measures"]
    turns, she, he, spill = (by.get(n) for n in ("other_turns", "other_she", "other_he", "spill"))
    if turns is None or she is None or he is None or not turns["n"]:
        return
    yield (
        f"The {cue_word(findings)} is not about the other person of the sentence. Their noun is "
        f"feminine in {percent(*bounds(she))} of {many(she['n'], 'pair')} under she and in "
        f"{percent(*bounds(he))} under he; it turns with the cue in {percent(*bounds(turns))}."
        f"{_over(spill)}"
    )


def _over(spill: Number | None) -> str:
    """The spill-over, and as much of a verdict as its interval allows."""
    if spill is None or spill["value"] is None:
        return " The focus noun does not move in these pairs: there is nothing to set that against."
    told = f" Against the focus noun that is a spill-over of {plain(spill)}: "
    low, high = spill["low"], spill["high"]
    if low is None or high is None:
        return (
            f"{told}without an interval, it cannot be said whether the cue knows whom it is about."
        )
    if low <= 0 < _BLIND <= high:
        return told + "too wide an interval to say whether the cue knows whom it is about."
    if high < _BLIND:
        return told + "the cue turns mostly whom it is about."
    if low > _BLIND:
        return told + "the other noun moves more than the one it is about."
    return told + "the other noun moves too, and perhaps as much."


def section(findings: Findings) -> str:
    """The heads that carry the cue, towards either noun."""
    return f'<section id="selectivity"><h2>Selectivity</h2>{"".join(_parts(findings))}</section>'


def _parts(findings: Findings) -> Iterator[str]:
    yield (
        "<p>A cue should turn the noun that it is about, and leave the other person of the "
        "sentence alone.</p>"
    )
    left = findings.get("others_left_out") or {}
    if "other_turns" not in findings["measures"]:
        yield '<p class="note">No sentence of this set names another person of open gender'
        yield ", or none was asked for.</p>"
    elif left:
        yield f'<p class="note">Pairs in no count of the other noun: {reasons(left)}.</p>'
    told = findings.get("selectivity")
    if told is None:
        yield '<p class="note">What the heads do to the other noun was not measured.</p>'
        return
    rows = [
        row
        for site, one in told["sites"].items()
        for row in _rows(findings, told["story"], site, one)
    ]
    note = (
        "On: the share of the gap between the twins at the focus noun that returns when the head "
        "alone speaks as in the twin. Off: what the same does at the other noun, in the same unit. "
        "Spill-over: off over on. The cue itself: the whole gap at the other noun over that at the "
        "focus noun; a head with that spill-over passes on what the model makes of the cue, one "
        f"with less is selective. {many(told['pairs'], 'pair')} with {STORIES[told['story']]}, "
        "patched both ways."
    )
    yield table("Heads that carry the cue, on target and off", _HEAD, rows, note)


_HEAD = ("", "on target, %", "off target, %", "spill-over")


def _rows(findings: Findings, story: str, site: str, one: OffTargetOf) -> Iterator[list[str]]:
    name = SITES.get(site, site)
    yield [f"{name}: the cue itself", "100.0", NONE, cell(one["whole"], unit="number", digits=2)]
    known = findings["heads"].get(story, {}).get(site)  # type: ignore[call-overload]
    words = known["carrying"] if known else {}
    for head in (head for head, word in words.items() if word == "carries"):
        layer, number = map(int, head.split("."))
        at = [_at(one[grid], layer, number) for grid in ("on", "off", "spill")]  # type: ignore[literal-required]
        yield [f"{name} {head}", cell(at[0]), cell(at[1]), cell(at[2], unit="number", digits=2)]


def _at(grid: GridOf, layer: int, head: int) -> Number:
    value, low, high = (grid[name][layer][head] for name in ("scores", "low", "high"))  # type: ignore[literal-required]
    return {"value": value, "low": low, "high": high, "n": grid["n"]}
