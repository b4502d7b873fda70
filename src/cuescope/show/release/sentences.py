"""The sentences that broke or were mended, side by side: for a screen, a pull request, a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cuescope.stats.html import escape

if TYPE_CHECKING:
    from cuescope.measures.verdict import Verdict
    from cuescope.run.release import Release
    from cuescope.run.release.versus import Change, Kind

HEADINGS: dict[Kind, str] = {"broke": "Broke", "mended": "Mended"}


def counted(found: Release, kind: Kind) -> str:
    """How many pairs and further sentences.

    The sentences of those pairs are not counted again.
    """
    pairs = sum(one.kind == kind for one in found.pairs)
    alone = sum(one.kind == kind for one in found.sentences)
    return f"{_many(pairs, 'pair')}, {_many(alone, 'sentence')} beyond {_those(pairs)}"


def _those(pairs: int) -> str:
    return "it" if pairs == 1 else "them"


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def read_as(verdict: Verdict) -> str:
    """The gender that was read, and by what."""
    marks = ", ".join(f"{mark.word} ({mark.rule})" for mark in verdict.reading.evidence)
    return (
        f"{verdict.reading.gender}: {marks or verdict.reading.reason or 'nothing shows a gender'}"
    )


def lines(found: Release, kind: Kind, most: int) -> Iterator[str]:
    """For a screen: each sentence with both translations below."""
    changes = found.changes(kind)
    if not changes:
        return
    yield f"{HEADINGS[kind]}: {counted(found, kind)}"
    for one in changes[:most] if most else changes:
        pair = f"pair {one.index}: " if one.index is not None else ""
        yield f"  {pair}{one.noun}"
        for before, after in one.sentences:
            yield f"    {before.item.text} ({before.item.gold})"
            yield f"      before {_mark(before)} {before.translation}  [{read_as(before)}]"
            yield f"      after  {_mark(after)} {after.translation}  [{read_as(after)}]"
    if most and len(changes) > most:
        yield f"  … {len(changes) - most:,} more: --sentences 0 prints all, --json tells all"


def _mark(verdict: Verdict) -> str:
    return "✓" if verdict.correct else "✗"


def markdown(found: Release, kind: Kind, most: int) -> list[str]:
    """For a pull request: a folded table."""
    changes = found.changes(kind)
    if not changes:
        return []
    rows = [
        f"| {_md(before.item.text)} ({before.item.gold}) | {_cell(before)} | {_cell(after)} |"
        for one in (changes[:most] if most else changes)
        for before, after in one.sentences
    ]
    more = [f"\n… {len(changes) - most:,} more"] if most and len(changes) > most else []
    return [
        f"<details{' open' if kind == 'broke' else ''}><summary>{HEADINGS[kind]}: "
        f"{counted(found, kind)}</summary>\n",
        "| source | before | after |",
        "|---|---|---|",
        *rows,
        *more,
        "\n</details>\n",
    ]


def _cell(verdict: Verdict) -> str:
    return f"{_mark(verdict)} {_md(verdict.translation)}<br>*{_md(read_as(verdict))}*"


def _md(text: str) -> str:
    """Text that no sign of Markdown or HTML in it can turn into something else."""
    plain = escape(text)
    for sign in "\\`*_[]|~#@":
        plain = plain.replace(sign, f"&#{ord(sign)};")
    return plain.replace("\n", " ")


def html(found: Release, kind: Kind) -> str:
    """For a page: a table, all of them."""
    changes = found.changes(kind)
    if not changes:
        return ""
    rows = "".join(_rows(changes))
    return (
        f"<details{' open' if kind == 'broke' else ''}><summary>{HEADINGS[kind]}: "
        f'{escape(counted(found, kind))}</summary><div class="scroll" tabindex="0" role="region" '
        f'aria-label="{HEADINGS[kind]}"><table class="numbers sentences"><thead><tr>'
        '<th scope="col" class="text">Source</th><th scope="col" class="text">Before</th>'
        f'<th scope="col" class="text">After</th></tr></thead><tbody>{rows}</tbody></table></div>'
        "</details>"
    )


def _rows(changes: Sequence[Change]) -> Iterator[str]:
    for one in changes:
        for before, after in one.sentences:
            source = f"<bdi>{escape(before.item.text)}</bdi>"
            gold = f'<span class="ci">{escape(before.item.gold)}</span>'
            cells = "".join(
                f'<td class="text">{_mark(v)} <bdi>{escape(v.translation)}</bdi>'
                f'<span class="ci">{escape(read_as(v))}</span></td>'
                for v in (before, after)
            )
            yield f'<tr><th scope="row" class="text">{source}{gold}</th>{cells}</tr>'
