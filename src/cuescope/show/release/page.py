"""A comparison of releases as one self-contained page, and a gate as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuescope.show.compare.page import html_table
from cuescope.show.release import sentences, tables
from cuescope.show.report.page import frame
from cuescope.show.report.page import page as shell
from cuescope.stats.html import escape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cuescope.run.release import Gate, Release
    from cuescope.run.release.versus import Compared


def headline(found: Release) -> str:
    """By minimal pairs, or by accuracy where there are none; sure only if the interval says so."""
    one = found.named.get("mpa") or found.named["all"]
    where = "minimal pair accuracy" if one.name == "mpa" else "gender accuracy"
    if not one.broke and not one.mended:
        return f"{found.second.label} and {found.first.label} are right in the same {_units(one)}"
    told = tables.points(one.change).replace("-", "−")
    v = one.change
    sure = v.sure and (v.low > 0 or v.high < 0)
    if not sure:
        both = f"{found.second.label} and {found.first.label}"
        return f"{both} do not clearly differ in {where}: {told} points"
    way = "better" if v.value > 0 else "worse"
    return f"{found.second.label} is {way} than {found.first.label}: {where} {told} points"


def _units(one: Compared) -> str:
    return f"{one.change.n:,} {'pairs' if one.name == 'mpa' else 'sentences'}"


def page(releases: Sequence[Release]) -> str:
    """Each release against the first: the differences, then the sentences."""
    parts = []
    for at, one in enumerate(releases):
        notes = "".join(f"<li>{escape(note)}</li>" for note in one.notes)
        parts.append(
            f'<section id="release{at}"><h1>{escape(headline(one))}</h1>'
            f"{f'<ul class=note>{notes}</ul>' if notes else ''}"
            f"{html_table(tables.differences(one))}"
            f"<h2>Sentences</h2>{sentences.html(one, 'broke')}{sentences.html(one, 'mended')}"
            f"{'' if one.pairs or one.sentences else '<p>No reading changed.</p>'}</section>"
        )
    links = {f"release{at}": escape(one.second.label) for at, one in enumerate(releases)}
    sides = {side.label: side for one in releases for side in (one.first, one.second)}
    facts = "".join(
        f"<dt>{escape(label)}</dt><dd><code>{escape(side.score.signature)}</code></dd>"
        for label, side in sides.items()
    )
    body = frame(links, "".join(parts), f'<dl class="facts">{facts}</dl>')
    return shell(f"{headline(releases[0])} · cuescope", body, styles=("compare.css",))


def markdown(found: Gate, most: int = 20) -> str:
    """A gate for the comment of a pull request."""
    mark = "✅" if found.passed else "❌"
    release = found.release
    rows = [
        f"| {rule.measure.name} | {tables.demand(rule)} | {tables.share(rule.measure.before)} | "
        f"{tables.share(rule.measure.after)} | {tables.points(rule.measure.change)} | "
        f"{'' if rule.p is None else tables.p_of(rule.p)} | "
        f"{'**FAIL** ' if rule.failed else 'ok: '}{rule.said} |"
        for rule in found.rules
    ]
    notes = [f"- {escape(note)}" for note in release.notes]
    return "\n".join(
        [
            f"### {mark} Gender cue: gate {tables.verdict(found)}",
            "",
            f"`{release.second.label}` against `{release.first.label}`, "
            f"into {release.second.lang}.",
            "",
            "| measure | allowed | before % | after % | change, points | p | |",
            "|---|---|---|---|---|---|---|",
            *rows,
            "",
            *notes,
            "",
            *sentences.markdown(release, "broke", most),
            *sentences.markdown(release, "mended", most),
            "<sub>Intervals: 95 %, paired, over nouns and templates. p: how often a drop "
            "is so large by chance if the true one is no larger than allowed, before and after "
            "exchanged whole nouns at a time; adjusted for the number of rules (Tarone).</sub>",
            "",
        ]
    )
