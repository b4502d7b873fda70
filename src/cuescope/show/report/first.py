"""The first screen: a picture before the numbers. One pair, four marks, the way of the cue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from cuescope.run.findings import Findings, Number, PairOf, Span, TwinOf
from cuescope.show.report.headline import Outcome, by_order, commonest, outcome
from cuescope.show.report.page import prose
from cuescope.show.report.say import ORDERS, cue_word, cues, is_pronoun, many, share
from cuescope.stats.html import escape

GENDERS = {"male": "masculine", "female": "feminine"}
_NEAR = 70  # characters kept around a mark of a long sentence
_OUTCOMES: dict[Outcome, str] = {
    "unchanged": "the noun has the same gender in both twins",
    "follows": "the noun has the right gender in both twins",
    "none": "the noun shows no gender in either twin",
    "turned": "the noun's gender differs, but is not right in both twins",
    "unread": "the noun's gender could not be read in one twin or both",
}


def screen(findings: Findings, flow: str = "") -> str:
    """The pair and the way of the cue, the marks beside them; nothing of what is not there."""
    columns = [f"<div>{part}</div>" for part in (_pair(findings) + flow, _marks(findings)) if part]
    return f'<div class="first">{"".join(columns)}</div>' if columns else ""


def example(findings: Findings) -> PairOf | None:
    """One pair, by rule: of the order told first, the outcome that most pairs have, with its
    attention in the page and a pronoun for a cue if any has; of these the shortest, the first."""
    if not findings["pairs"]:
        return None
    kind, _ = commonest(_first(findings))
    some = [pair for pair in _first(findings) if outcome(pair) == kind]
    kept = [pair for pair in some if pair["map"] is not None and findings["maps"]] or some
    kept = [pair for pair in kept if _by_pronoun(pair)] or kept
    return min(kept, key=lambda pair: sum(len(twin["source"]) for twin in pair["twins"]))


def _by_pronoun(pair: PairOf) -> bool:
    return all(is_pronoun(twin["source"][slice(*twin["cue"] or (0, 0))]) for twin in pair["twins"])


def _first(findings: Findings) -> list[PairOf]:
    """The pairs that the headline tells of first."""
    parts = by_order(findings)
    return next(iter(parts.values())) if len(parts) > 1 else findings["pairs"]


def _pair(findings: Findings) -> str:
    pair = example(findings)
    if pair is None:
        return ""
    some = _first(findings)
    kind, n = commonest(some)
    looked = pair["map"] is not None and findings["maps"]
    often = "as in most pairs" if 2 * n > len(some) else "the commonest outcome of pairs"
    where = (
        f" with {ORDERS[pair['order']][0]}" if pair["order"] and len(by_order(findings)) > 1 else ""
    )
    rule = (
        f"Chosen by rule: {_OUTCOMES[kind]}, {often}{where} ({n:,} of {len(some):,}); of these the "
        f"shortest{' with a pronoun' * _by_pronoun(pair)}"
        f"{' whose attention was kept' if looked else ''}."
    )
    order = {"male": 0, "female": 1}
    twins = sorted(pair["twins"], key=lambda twin: order.get(twin["gold"], 2))
    words = (
        f"The <dfn>cue</dfn> is the word that says whether the noun is a man or a woman"
        f"{_here(twins)}. Two sentences alike but for the cue are <dfn>twins</dfn>."
    )
    link = f' <a class="needs-js" href="#pair-{pair["index"]}">'
    more = f"{link}Open this pair</a>" if looked else ""
    return (
        '<figure class="example keep"><figcaption><h2>One pair</h2>'
        f'<p class="note">{words}</p></figcaption>{"".join(map(_twin, twins))}'
        f'<p class="note">{prose(rule)}{more}</p></figure>'
    )


def _here(twins: Sequence[TwinOf]) -> str:
    cues = [twin["source"][slice(*twin["cue"])] for twin in twins if twin["cue"]]
    return f", here “{escape(cues[0])}” and “{escape(cues[1])}”" if len(cues) == 2 else ""


def _twin(twin: TwinOf) -> str:
    source = [(twin["focus"], "noun"), *([(twin["cue"], "cue")] if twin["cue"] else [])]
    spans: list[tuple[Span, str]] = [(twin["span"], "noun")] if twin["span"] else []
    target = [((e["start"], e["end"]), f"evidence {e['gender']}") for e in twin["evidence"]]
    sign, said = _read(twin)
    gold = escape(GENDERS.get(twin["gold"], twin["gold"]))
    return (
        f'<div class="twin {escape(twin["gold"])}">{_marked(twin["source"], source)}'
        f"{_marked(twin['translation'], [*spans, *target])}"
        f'<p class="reading">The cue is {gold}, the noun {said} {sign}</p></div>'
    )


def _read(twin: TwinOf) -> tuple[str, str]:
    """A sign, and what the noun is; what shows no gender is not wrong by the cue but without it."""
    if twin["skipped"]:
        return '<span class="soft">?</span>', "was not read"
    if twin["gender"] == "unknown":
        return '<span class="soft">?</span>', "was not found"
    if twin["gender"] == "neutral":
        return '<span class="soft">○</span>', "shows no gender"
    sign = '<span class="right">✓</span>' if twin["correct"] else '<span class="wrong">✗</span>'
    return sign, f"is {escape(twin['gender'])}"


def _marked(text: str, spans: Sequence[tuple[Span, str]]) -> str:
    """A sentence with its marks, which may overlap; what lies far from all of them is left out."""
    edges = sorted({0, len(text), *(min(at, len(text)) for span, _ in spans for at in span)})
    parts = []
    for start, end in pairwise(edges):
        kinds = " ".join(kind for (a, b), kind in spans if a <= start and end <= b)
        piece = text[start:end]
        if not kinds and len(piece) > 3 * _NEAR:
            piece = f"{piece[:_NEAR]} … {piece[-_NEAR:]}"
        parts.append(
            f'<mark class="{escape(kinds)}">{escape(piece)}</mark>' if kinds else escape(piece)
        )
    return f'<p class="sentence" dir="auto">{"".join(parts)}</p>'


def _marks(findings: Findings) -> str:
    """How often the noun has the cue's gender: he and she, with and against the stereotype."""
    several = {o: one for o, one in findings["orders"].items() if one["pairs"]}
    parts: list[tuple[str, Mapping[str, Any]]] = [("", findings["accuracy"])]
    if len(several) > 1:
        parts = [(ORDERS[order][1], one["accuracy"]) for order, one in several.items()]
    shown = [(title, rows) for title, by in parts if (rows := _rows(by, findings))]
    if not shown:
        return ""
    inner = "".join(
        (f'<tr><th colspan="3" class="part" scope="rowgroup">{title}</th></tr>' if title else "")
        + "".join(_row(label, who, number) for label, who, number in rows)
        for title, rows in shown
    )
    return (
        '<figure class="marks keep"><figcaption><h2>How often the noun is right</h2>'
        f'<p class="note">The share of sentences whose noun has the gender of the '
        f"{cue_word(findings)}.</p></figcaption>"
        f'<table><thead class="unseen"><tr><th scope="col">sentences</th><th scope="col">share'
        '</th><th scope="col">numbers</th></tr></thead>'
        f"<tbody>{_axis()}{inner}</tbody></table>"
        '<p class="note">The bar is an <dfn>interval</dfn> of 95 %: were the sentences drawn anew, '
        "such bars would hold the true share about 95 times in 100. "
        f"Here: {escape(findings['redrawn'])}.</p></figure>"
    )


def _rows(by: Mapping[str, Any], findings: Findings) -> list[tuple[str, str, Number]]:
    words = {"male": "“he”", "female": "“she”"} if _all_pronouns(findings) else _CUES
    other = {"male": "female", "female": "male"}

    def label(who: str, name: str) -> str:
        sides = {"pro": GENDERS[who], "anti": GENDERS[other[who]]}
        if name in sides:
            return f"{words[who]}, {sides[name]} stereotype"
        return words[who] + f", {name}" * (len(by) > 1)

    return [
        (label(who, name), who, n)
        for who in ("male", "female")
        for name in by
        if (n := by[name].get(who)) and n["n"] and n["value"] is not None
    ]


_CUES = {"male": "masculine cue", "female": "feminine cue"}


def _all_pronouns(findings: Findings) -> bool:
    """Is every cue “he” or “she” itself?"""
    return cues(findings) == {"he", "she"}


def _row(label: str, who: str, number: Number) -> str:
    value, low, high = number["value"] or 0.0, number["low"], number["high"]
    bar = ""
    if low is not None and high is not None and low < high:
        ends = f'x1="{_place(low)}" x2="{_place(high)}" y1="50%" y2="50%"'
        bar = f'<line class="interval" {ends}/>'
    guides = "".join(
        f'<line class="guide" x1="{_place(v)}" x2="{_place(v)}" y1="0" y2="100%"/>'
        for v in (0.0, 0.5, 1.0)
    )
    told = share(number)
    n = "" if "(" in told else f" <small>of {many(number['n'], 'sentence')}</small>"
    return (
        f'<tr class="{who}"><th scope="row">{escape(label)}</th><td class="track">'
        f'<svg aria-hidden="true" height="24" width="100%">{guides}{bar}'
        f'<circle class="mean" cx="{_place(value)}" cy="50%" r="5.5"/></svg></td>'
        f"<td>{prose(told)}{n}</td></tr>"
    )


def _axis() -> str:
    ends = "".join(
        f'<text x="{_place(v)}" y="12" text-anchor="middle">{100 * v:.0f}</text>'
        for v in (0.0, 0.5, 1.0)
    )
    return (
        '<tr class="axis" aria-hidden="true"><td></td><td class="track">'
        f'<svg height="16" width="100%">{ends}</svg></td><td>%</td></tr>'
    )


def _place(share: float) -> str:
    """A place along the track, which leaves room for the mark at both ends."""
    return f"{3 + 94 * min(1.0, max(0.0, share)):.1f}%"
