"""The validity cards: for every story one table, a check a row, a head a column."""

from __future__ import annotations

from collections.abc import Iterator

from cuescope.run.findings import BlocksOf, CardOf, CheckOf, Findings, Story
from cuescope.show.report.page import prose
from cuescope.show.report.say import SITES, many, story_of
from cuescope.show.report.tables import cell, table
from cuescope.stats.html import escape
from cuescope.stats.shown import shown

_SHOWN = 6  # numbers of a cell; the rest when pointing at it


def cards(findings: Findings) -> str:
    """The section."""
    stories = dict.fromkeys(card["story"] for card in findings["cards"])
    inner = "".join(_story(findings, story) for story in stories)
    if not inner:
        inner = "<p>No head is said to carry the cue in this run, or the checks were not made.</p>"
    lead = (
        "A claim about a head is worth as much as the checks that it passed. Heads and sets are "
        "chosen on some nouns and measured on the others; only the rule itself, selectivity, and "
        "other orders and sets are over all their pairs. Shares are of the gap between the twins, "
        "with 95 % intervals."
    )
    return f'<section id="cards"><h2>Checks</h2><p>{lead}</p>{inner}</section>'


def lines(findings: Findings) -> Iterator[str]:
    """Each card in a line, for the screen."""
    for card in findings["cards"]:
        passed, asked = _count(card)
        failed = [check["label"] for check in card["checks"] if check["verdict"] == "fails"]
        where = f"{SITES.get(card['site'], card['site'])} {card['layer']}.{card['head']}"
        rest = f"; fails: {', '.join(failed)}" if failed else ""
        story = story_of(findings, card["story"])
        yield f"{where}, {story}: {passed} of {asked} checks passed{rest}"


def _story(findings: Findings, story: Story) -> str:
    here = [card for card in findings["cards"] if card["story"] == story]
    names = list(dict.fromkeys(check["name"] for card in here for check in card["checks"]))
    by_head = [{check["name"]: check for check in card["checks"]} for card in here]
    rows = []
    for name in names:
        first = next(checks[name] for checks in by_head if name in checks)
        asked = f"{escape(first['label'])} <small>{escape(first['asks'])}</small>"
        cells = [_cell(checks[name]) if name in checks else "–" for checks in by_head]
        rows.append([f'<span title="passes: {escape(first["passes"])}">{asked}</span>', *cells])
    head = ["check", *(_column(card) for card in here)]
    note = f"Measured on {escape(here[0]['measured_on'])}. Passes: see when pointing at a check."
    title = story_of(findings, story)
    made = table(
        f"{title[0].upper()}{title[1:]}: {many(len(here), 'head')}",
        head,
        rows,
        note,
        range(len(head)),
    )
    blocks = findings["blocks"].get(story)
    return f'<div class="cards">{made}</div>{_blocks(blocks) if blocks else ""}'


def _column(card: CardOf) -> str:
    passed, asked = _count(card)
    where = escape(SITES.get(card["site"], card["site"]))
    return f"{where} {card['layer']}.{card['head']} <small>{passed} of {asked} passed</small>"


def _count(card: CardOf) -> tuple[int, int]:
    """How many checks passed, of how many that were made."""
    verdicts = [check["verdict"] for check in card["checks"]]
    return verdicts.count("passes"), len(verdicts) - verdicts.count("not measured")


def _cell(check: CheckOf) -> str:
    kind = {"passes": "passes", "fails": "fails"}.get(check["verdict"], "unasked")
    told = [_told(name, number) for name, number in check["numbers"].items()]
    lines = [*told[:_SHOWN], *([check["why"]] if check["why"] else [])]
    rest = f' title="{escape(" · ".join(told))}"' if len(told) > _SHOWN else ""
    small = "<br>".join(prose(line) for line in lines)
    return f'<b class="{kind}"{rest}>{check["verdict"]}</b><small>{small}</small>'


def _told(name: str, number: object) -> str:
    """A number with its name, shares in whole per cent.

    >>> _told("zero", {"value": 0.31, "low": 0.2, "high": 0.4, "n": 9, "unit": "share"})
    'zero 31 % [20, 40]'
    """
    one: dict[str, object] = dict(number)  # type: ignore[call-overload]
    value, low, high = (one[key] for key in ("value", "low", "high"))
    if not isinstance(value, float | int):
        return f"{name} –"
    bounds = (low, high) if isinstance(low, float) and isinstance(high, float) else (None, None)
    if one.get("unit") == "number":
        return f"{name} {shown(value, *bounds, unit='number', minus='−')}"
    digits = 0 if abs(value) >= 0.0995 else 1
    return f"{name} {shown(value, *bounds, digits=digits, sign=' %', minus='−')}"


def _blocks(found: BlocksOf) -> str:
    """Feed-forward blocks and the stream, a layer a row."""
    columns: dict[tuple[str, str], str] = {
        ("encoder feed-forward", "all"): "feed-forward, everywhere",
        ("encoder feed-forward", "noun"): "at the noun",
        ("encoder feed-forward", "cue"): "at the cue",
        ("encoder stream", "noun"): "all that leaves the layer, at the noun",
        ("encoder stream", "cue"): "at the cue",
        ("decoder feed-forward", "all"): "decoder's feed-forward",
    }
    known = {(b["site"], b["where"], b["layer"]): b["restored"] for b in found["blocks"]}
    layers = 1 + max((layer for _, _, layer in known), default=-1)
    rows = [
        [str(layer), *(cell(known.get((*column, layer)), digits=0) for column in columns)]
        for layer in range(layers)
    ]
    note = (
        f"What returns of the gap, in per cent of it, when a block of a layer speaks as in the "
        f"twin: {many(found['pairs'], 'pair')}. Heads move the cue from its place to the noun's; a "
        "feed-forward block works where it stands."
    )
    return table("Besides the heads, by layer", ["layer", *columns.values()], rows, note)
