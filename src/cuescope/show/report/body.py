"""The page's sections, from the answer to the method; scripts fill in the figures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from cuescope.run.findings import Findings
from cuescope.show.report import circuit, first, selectivity, static, tables
from cuescope.show.report.answer import Answer, Point
from cuescope.show.report.body_heads import heads
from cuescope.show.report.cards import cards
from cuescope.show.report.certified import certified
from cuescope.show.report.page import frame, prose
from cuescope.show.report.say import many
from cuescope.stats.html import escape


class Section(NamedTuple):
    """A part of the page: its name in the bar above, and its `<section id=…>` as HTML."""

    name: str
    make: Callable[[Told], str]


class Told(NamedTuple):
    """What a section is made from: it computes nothing, it shows."""

    findings: Findings
    said: Answer
    maps_left: str  # which maps are not in the page, and why


def body(findings: Findings, said: Answer, maps_left: str) -> str:
    """All that stands between <body> and the scripts."""
    told = Told(findings, said, maps_left)
    sections = [section.make(told) for section in SECTIONS.values()]
    foot = (
        f"cuescope {escape(findings['version'])} · one file, no network · signature "
        f"<code>{escape(findings['signature'])}</code>"
    )
    return "\n".join(
        (
            frame(
                {key: section.name for key, section in SECTIONS.items()},
                "\n".join(sections),
                foot,
            ),
            '<div id="tip" role="tooltip" hidden></div>',
            '<div id="live" class="unseen" aria-live="polite"></div>',
            '<a id="chosen" class="no-print" href="#examples" hidden></a>',
        )
    )


def _answer(findings: Findings, said: Answer) -> str:
    failed = any(guard["ok"] is False for guard in findings["guards"])
    notes = "".join(f"<li>{prose(each)}</li>" for each in said.caveats)
    caveats = f'<div class="caveats{" failed" * failed}"><h2>Limits</h2><ul>{notes}</ul></div>'
    model, data = findings["model"], findings["data"]
    facts = {
        "Model": f"<strong>{escape(model['name'])}</strong> · {escape(model['src'])} → "
        f"{escape(model['tgt'])} · {escape(model['family'])} · {_millions(model['parameters'])}",
        "Data": f"<strong>{escape(data['name'])}</strong> · {many(data['pairs'], 'minimal pair')}, "
        f"{many(data['sentences'], 'sentence')}",
        "Signature": f'<code id="signature">{escape(findings["signature"])}</code> '
        '<button type="button" class="needs-js no-print" id="copy">Copy</button>',
    }
    flow = circuit.picture(findings)
    return (
        f'<section id="answer" aria-labelledby="headline">'
        f'<p class="kicker">{escape(said.question)}</p>'
        f'<h1 id="headline">{prose(said.headline)}</h1><p class="lead">{prose(said.evidence)}</p>'
        f"{first.screen(findings, flow)}"
        f'<div class="points"><p class="verdict">{prose(said.verdict)} {prose(said.lead)}</p>'
        f"{''.join(_point(point, flow) for point in said.points)}</div>"
        f"{caveats if notes else ''}{_about(facts)}</section>"
    )


_GAP = (
    "The <dfn>gap</dfn> is how much more the model leans to the feminine form with the feminine "
    "cue than with the masculine one."
)


def _point(point: Point, flow: str) -> str:
    """A question and its answer; what needs a statistician waits behind "details"."""
    lines = "".join(f"<p>{prose(line)}</p>" for line in point.lines)
    if not flow and any("gap between" in line for line in point.lines):
        lines += f'<p class="note">{_GAP}</p>'
    more = "".join(f"<p>{prose(line)}</p>" for line in point.details)
    details = f"<details><summary>Details</summary>{more}</details>" if more else ""
    return f'<div class="point"><h2>{escape(point.question)}</h2><div>{lines}{details}</div></div>'


def _millions(parameters: int) -> str:
    if parameters < 1_000_000:
        return f"{parameters:,} parameters"
    return f"{parameters / 1e6:,.{0 if parameters >= 1e8 else 1}f} million parameters"


def _about(facts: dict[str, str], kind: str = "about") -> str:
    rows = "".join(f"<div><dt>{k}</dt><dd>{v}</dd></div>" for k, v in facts.items())
    return f'<dl class="{kind}">{rows}</dl>'


def _accuracy(findings: Findings) -> str:
    return (
        '<section id="accuracy"><h2>Translations</h2><p>Does the noun take the gender that the cue '
        f"asks for?</p>{tables.accuracy(findings)}{tables.measures(findings)}"
        f"{tables.confusion(findings)}</section>"
    )


def _certainty(findings: Findings) -> str:
    study = findings["uncertainty"]
    if study is None:
        told = "<p>How sure the model is was not measured in this run.</p>"
    elif not study["sets"]:
        told = "<p>No contrast set could be sampled.</p>"
    else:
        names = [*study["measures"]]
        if any(each["shares"] for each in study["sets"]):
            names.append("shares")
        figures = "".join(
            f'<figure class="violins keep" data-measure="{escape(name)}">'
            f"{static.dots(study, name)}</figure>"
            for name in names
        )
        told = (
            f"<p>{study['samples']} translations of the “he”, “she” and “they” version of every "
            f"sentence were drawn (ε&nbsp;=&nbsp;{study['epsilon']:g}). “They” leaves the gender "
            "open: a model that reads the cue is surer of “he” and “she”.</p>"
            f'{tables.entropies(findings)}<div class="columns">{figures}</div>'
        )
    told += certified(findings)
    return f'<section id="certainty"><h2>Certainty</h2>{told}</section>'


def _examples(findings: Findings, maps_left: str) -> str:
    if not findings["pairs"]:
        inner = "<p>No pair was translated.</p>"
    else:
        inner = (
            f"{tables.verdicts(findings)}<h3 class='needs-js'>Pair by pair</h3>"
            '<div id="pairs" class="needs-js"></div>'
            '<noscript><p class="note">The list of pairs needs JavaScript.</p></noscript>'
        )
    left = f'<p class="note">{escape(maps_left)}</p>' if maps_left else ""
    if findings["maps"] is None and findings["pairs"]:
        left = '<p class="note">Attention maps were not kept in this run.</p>'
    return f'<section id="examples"><h2>Examples</h2>{inner}{left}</section>'


def _method(findings: Findings) -> str:
    given = {k: v for k, v in findings["settings"].items() if v not in (None, "", [], ())}
    settings = {escape(k): escape(_setting(v)) for k, v in given.items()}
    settings["weights"] = f"<code>{escape(findings['model']['weights'])}</code>"
    return (
        '<section id="method"><h2>Method</h2><p>Intervals are of 95 %, '
        f"{escape(findings['redrawn'])}. The same settings, data and weights give the same "
        "numbers.</p>"
        f"<h3>Settings</h3>{_about(settings, 'settings')}{tables.guards(findings)}</section>"
    )


def _setting(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{k} {_setting(v)}" for k, v in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_setting, value))
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


SECTIONS: dict[str, Section] = {  # by id, in their order on the page
    "answer": Section("Answer", lambda told: _answer(told.findings, told.said)),
    "heads": Section("Heads", lambda told: heads(told.findings, told.said.rule)),
    "cards": Section("Checks", lambda told: cards(told.findings)),
    "circuit": Section("Circuit", lambda told: circuit.section(told.findings)),
    "selectivity": Section("Selectivity", lambda told: selectivity.section(told.findings)),
    "accuracy": Section("Translations", lambda told: _accuracy(told.findings)),
    "certainty": Section("Certainty", lambda told: _certainty(told.findings)),
    "examples": Section("Examples", lambda told: _examples(told.findings, told.maps_left)),
    "method": Section("Method", lambda told: _method(told.findings)),
}
