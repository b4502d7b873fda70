"""The picture of the circuit on the first screen, and its numbers further down."""

from __future__ import annotations

from collections.abc import Iterator

from cuescope.run.findings import CircuitOf, Findings, Number
from cuescope.run.numbers import WordOf
from cuescope.show.circuit import WIDTH, Drawing, drawn
from cuescope.show.report.say import SITES, many, reasons, story_of
from cuescope.show.report.tables import NONE, cell, table
from cuescope.stats.html import escape

_R = 13  # of a head's circle


def picture(findings: Findings) -> str:
    """The sentence, the heads it passes, as wide as their effects; nothing without a circuit."""
    told = findings.get("circuit")
    if not told:
        return ""
    drawing = drawn(told)
    inner = "".join((*_lines(drawing), *_dots(drawing)))
    said = (
        "From the sentence, below, up to the gender of its noun. Circles are attention heads, by "
        "layer and number. Solid lines are what a head passes on, as wide as the share of the gap "
        "that returns through it; dotted lines are where it looks from the noun. The "
        "<dfn>gap</dfn> between twins is how much more the model leans to the feminine form with "
        "the feminine cue than with the masculine one."
    )
    return (
        '<figure class="circuit keep"><h2>The way of the cue</h2>'
        f'<svg viewBox="0 0 {WIDTH} {drawing.height:.0f}" role="img" '
        f'aria-label="The heads that carry the cue">{inner}</svg>'
        f'<figcaption class="note">{said} Numbers: <a href="#circuit">Circuit</a>.</figcaption>'
        "</figure>"
    )


def _lines(drawing: Drawing) -> Iterator[str]:
    for one in drawing.lines:
        dash = ' stroke-dasharray="2 4"' if one.kind == "look" else ""
        width = one.width if one.kind == "path" else 0.6 + 2 * one.share
        fade = 0.55 if one.kind == "path" else 0.4
        yield (
            f'<line x1="{one.x1:.0f}" y1="{one.y1:.0f}" x2="{one.x2:.0f}" y2="{one.y2:.0f}" '
            f'stroke="currentColor" stroke-width="{width:.1f}" stroke-opacity="{fade}"{dash}/>'
        )
        if one.label:
            x, y = one.middle
            yield f'<text class="said" x="{x:.0f}" y="{y:.0f}">{escape(one.label)}</text>'


def _dots(drawing: Drawing) -> Iterator[str]:
    for one in drawing.dots:
        label = escape(one.label)
        if one.kind in ("spot", "choice"):
            down = 18 if one.kind == "spot" else -8
            yield f'<text class="spot" x="{one.x:.0f}" y="{one.y + down:.0f}">{label}</text>'
            continue
        shape = f'cx="{one.x:.0f}" cy="{one.y:.0f}" r="{_R}"'
        yield f'<circle class="{escape(one.kind)}" {shape}/>'
        yield f'<text class="head" x="{one.x:.0f}" y="{one.y + 4:.0f}">{label}</text>'


def section(findings: Findings) -> str:
    """Heads and paths in tables."""
    told = findings.get("circuit")
    inner = (
        "".join(_tables(findings, told))
        if told
        else (
            '<p class="note">No circuit: no head is known to carry the cue in this run, or it was '
            "not measured.</p>"
        )
    )
    return f'<section id="circuit"><h2>Circuit</h2>{inner}</section>'


def _tables(findings: Findings, told: CircuitOf) -> Iterator[str]:
    apart = (
        "none of them among those on which the heads were found"
        if told["apart"]
        else "those on which the heads were found among them, as there are too few others"
    )
    left = f" Left out: {reasons(told['skipped'])}." if told["skipped"] else ""
    yield (
        "<p>What the heads that carry the cue pass to each other, on "
        f"{many(told['pairs'], 'pair')} with {story_of(findings, told['story'])}, {apart}; patched "
        f"both ways.{escape(left)}</p>"
    )
    rows = [
        [
            escape(_named(one["name"])),
            cell(one["total"]),
            cell(one["direct"]),
            *(_looks(one["words"].get(start) or one["words"].get("choice")) for start in ("noun",)),
            _writes(one["writes"]),
        ]
        for one in told["heads"]
    ]
    head = ("", "total, %", "direct, %", "looks for", "writes along")
    note = (
        "Total: the share of the gap that returns when the head alone speaks as in the twin. "
        "Direct: the same with all other heads held as they were; the decoder reads encoder heads "
        "through other heads only. Looks for: the source words that get most of its attention, "
        "from the noun, or from the step of the choice in cross-attention; of words in three "
        "sentences or more, whose number stands behind. Writes along: cosine of what it writes "
        "differently in the twin with the twins' difference at the end of encoder or decoder; "
        "above 0 it points to the cue's own gender."
    )
    yield table("Heads", head, rows, note, text=(3, 4))
    edges = sorted(told["edges"], key=lambda one: -abs(one["effect"]["value"] or 0.0))
    whole = [one for one in edges if one["where"] == "all"][:12]
    at = {(e["sender"], e["receiver"], e["by"], e["where"]): e["effect"] for e in edges}
    spots = ("cue", "noun", "end", "other")
    rows = [
        [
            f"{escape(_named(one['sender']))} → {escape(_named(one['receiver']))}",
            one["by"],
            cell(one["effect"]),
            *(cell(at.get((one["sender"], one["receiver"], one["by"], spot))) for spot in spots),
        ]
        for one in whole
    ]
    note = (
        "The sender speaks as in the twin, all other heads are held; what so reaches the query, "
        "key or value of the receiver is carried into it alone, everywhere or at some source "
        "positions. "
        "Shares of the gap in per cent. The twelve strongest of all; positions where 1 % or more "
        "passes."
    )
    yield table("Paths", ("", "by", "all", *spots), rows, note, text=(1,))


def _named(name: str) -> str:
    site, _, head = name.partition(" ")
    return f"{SITES.get(site, site)} {head}"


def _looks(words: list[WordOf] | None) -> str:
    shown = (f"{escape(w['word'])} {100 * w['weight']:.0f} % ({w['n']})" for w in (words or [])[:3])
    return ", ".join(shown) or NONE


def _writes(writes: dict[str, Number]) -> str:
    return ", ".join(
        f"{escape(where)} {cell(value, unit='number', digits=2)}" for where, value in writes.items()
    )
