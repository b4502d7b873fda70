"""The page of a comparison: the answer first, then the papers' tables with small plots."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from cuescope.show.compare import strips
from cuescope.show.compare.strips import Strips
from cuescope.show.compare.tables import tables
from cuescope.show.compare.words import answer
from cuescope.show.release import sentences
from cuescope.show.report.page import frame
from cuescope.show.report.page import page as shell
from cuescope.stats.html import escape

if TYPE_CHECKING:
    from cuescope.run.compare import SideBySide
    from cuescope.show.tables import Table

_LONG = 32  # characters; longer names are broken
_INTERVAL = re.compile(r"(\S+) (\[.*\])(\*?)")
_NUMBER = re.compile(r"[-+]?[\d.,]+( \[.*\])?\*?|< [\d.]+|N/A|")
_CLASS = {True: ' class="text"', False: ""}
_SECTIONS = {  # heading, what it says, tables
    "accuracy": (
        "Gender accuracy",
        "The share of sentences whose noun has the gender that the cue shows, by set: the cue as "
        "the stereotype says (PRO-S) and against it (ANTI-S).",
        ("accuracy",),
    ),
    "pairs": (
        "Minimal pairs",
        "A pair counts only if both its sentences are right: then the model followed the cue. "
        "Strictly, the noun phrase must agree with itself too.",
        ("mpa", "breakdown", "measures"),
    ),
    "differences": (
        "Differences",
        "On the pairs that two runs share. The same nouns are left out in both runs, so what the "
        "runs have in common cancels out.",
        ("difference",),
    ),
    "heads": ("Heads", "What carries the cue to the noun.", ("heads", "same heads")),
    "entropy": (
        "How sure they are",
        "Entropy of the samples, in nats: of sentences whose pronoun tells the gender and of "
        "those with <i>they</i>.",
        ("entropy",),
    ),
    "rankings": (
        "Rankings",
        "Do the measures put the models in the same order?",
        ("ranking", "correlations"),
    ),
    "runs": ("The runs", "", ("runs",)),
}


def page(found: SideBySide) -> str:
    """One self-contained HTML file."""
    made = tables(found)
    parts = {name: _section(name, found, made) for name in _SECTIONS}
    links = {name: _SECTIONS[name][0] for name, html in parts.items() if html}
    if changed := _sentences(found):
        links["sentences"] = "Sentences"
    headline, *more = answer(found)
    main = (
        f"<section><h1>{_bidi(headline)}</h1>"
        f"{''.join(f'<p>{_bidi(text)}</p>' for text in more)}{_notes(found)}</section>"
        f"{''.join(parts.values())}{changed}"
    )
    body = frame(links, main, _signatures(found))
    return shell(f"{headline} · cuescope", body, styles=("compare.css",))


def _section(name: str, found: SideBySide, known: Mapping[str, Table]) -> str:
    title, told, wanted = _SECTIONS[name]
    made = [
        html_table(table, _strip(key, found))
        for key, table in known.items()
        if re.sub(r" \d+$", "", key) in wanted
    ]
    if not made:
        return ""
    text = f"<p>{told}</p>" if told else ""
    return f'<section id="{name}"><h2>{title}</h2>{text}{"".join(made)}</section>'


def _sentences(found: SideBySide) -> str:
    """Which sentences broke or were mended, run against run."""
    made = "".join(
        f"<h3>{_bidi(f'{one.second.label} against {one.first.label}')}</h3>{told}"
        for one in found.releases
        if (told := "".join(sentences.html(one, kind) for kind in sentences.HEADINGS))
    )
    return f'<section id="sentences"><h2>Sentences</h2>{made}</section>' if made else ""


def _strip(table: str, found: SideBySide) -> Strips | None:
    """The small plot at the end of a table's rows, if it has one."""
    if table == "accuracy":
        return strips.accuracy(found)
    if table == "mpa":
        return strips.minimal_pairs(found)
    if table.startswith("difference"):
        return strips.difference(found.versus[int(table.split()[1]) - 1])
    return None


def html_table(table: Table, strip: Strips | None = None) -> str:
    """A table as HTML: intervals set smaller, words to the left, notes below, all escaped."""
    cells = table.cells()
    words = [not all(map(_NUMBER.fullmatch, map(str, cells[name]))) for name in cells.columns]
    keys = [key if isinstance(key, tuple) else (key,) for key in table.frame.index]
    rows = []
    for at in range(len(keys)):
        data = "".join(
            f"<td{_CLASS[word]}>{_cell(str(value))}</td>"
            for value, word in zip(cells.iloc[at], words, strict=True)
        )
        plot = f"<td>{strip.drawn[at]}</td>" if strip else ""
        rows.append(f"<tr>{_row_heads(keys, at)}{data}{plot}</tr>")
    notes = "".join(f'<p class="note">{_bidi(note)}</p>' for note in table.notes)
    legend = strip.legend if strip else ""
    grouped = " grouped" if table.frame.index.nlevels > 1 else ""
    return (
        f'<div class="keep"><h3>{_bidi(table.title)}</h3><div class="scroll" tabindex="0" '
        f'role="region" aria-label="{escape(table.title)}"><table class="numbers{grouped}">'
        f"<thead>{_headings(table, words, bool(strip))}</thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>{legend}{notes}</div>"
    )


def _row_heads(keys: list[tuple[object, ...]], at: int) -> str:
    """The names of a row; a first name that goes on below is said once."""
    *groups, own = keys[at]
    made = ""
    for name in groups:
        if at and keys[at - 1][0] == name:
            continue
        rows = next((n for n, key in enumerate(keys[at:]) if key[0] != name), len(keys) - at)
        made += f'<th scope="rowgroup" rowspan="{rows}" class="text group">{_name(name)}</th>'
    return f'{made}<th scope="row" class="text">{_name(own)}</th>'


def _name(name: object) -> str:
    text = str(name)
    return f'<span class="{"long" if len(text) > _LONG else "name"}">{_bidi(text)}</span>'


def _headings(table: Table, words: list[bool], strip: bool) -> str:
    columns = [c if isinstance(c, tuple) else (c,) for c in table.frame.columns]
    names = [str(name or "") for name in table.frame.index.names]
    depth = len(columns[0])
    rows = []
    for level in range(depth):
        left = names if level == depth - 1 else [""] * len(names)
        cells = [f'<th scope="col" class="text">{escape(name)}</th>' for name in left]
        before = None
        for column, word in zip(columns, words, strict=True):
            again = level < depth - 1 and column[: level + 1] == before
            text = "" if again else escape(column[level])
            cells.append(f'<th scope="col"{_CLASS[word]}>{text}</th>')
            before = column[: level + 1]
        end = '<th scope="col"><span class="unseen">Plot</span></th>' if strip else ""
        rows.append(f"<tr>{''.join(cells)}{end}</tr>")
    return "".join(rows)


def _cell(text: str) -> str:
    if _NUMBER.fullmatch(text):
        text = text.replace("-", "−")
    met = _INTERVAL.fullmatch(text)
    if not met:
        return _bidi(text)
    value, interval, star = met.groups()
    shown = f"<b>{escape(value)}*</b>" if star else escape(value)
    return f'{shown}<span class="ci">{escape(interval)}</span>'


def _notes(found: SideBySide) -> str:
    if not found.notes:
        return ""
    items = "".join(f"<li>{_bidi(note)}</li>" for note in found.notes)
    return f'<ul class="note">{items}</ul>'


def _signatures(found: SideBySide) -> str:
    rows = "".join(
        f"<dt>{_bidi(run.label)}</dt><dd><code>{escape(run.findings['signature'])}</code></dd>"
        for run in found.runs
    )
    return f'<dl class="facts">{rows}</dl>'


def _bidi(text: str) -> str:
    """Text that cannot turn the direction of what stands beside it."""
    return f"<bdi>{escape(text)}</bdi>"
