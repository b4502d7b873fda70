"""The page's sections, from the answer to the method; scripts fill in the figures."""

from __future__ import annotations

from typing import Any

from cuescope.findings import Findings, Site
from cuescope.report import tables
from cuescope.report.answer import Answer
from cuescope.report.page import escape
from cuescope.report.say import SITES, many

_SECTIONS = {
    "answer": "Answer",
    "heads": "Heads",
    "accuracy": "Translations",
    "certainty": "Certainty",
    "examples": "Examples",
    "method": "Method",
}
_MEASURES = {
    "attention": (
        "Attention",
        "How much {who} looks at the cue. A dot marks heads above the uniform share. Split by the "
        "gender of the cue.",
    ),
    "effect": (
        "Causal effect",
        "The share of the gap between the twins that returns when this head alone speaks as in the "
        "twin; 100 % is the whole gap. Split by the sentence it is patched into. Heads that carry the "
        "cue show their number.",
    ),
    "gradient": (
        "Attribution",
        "The causal effect as a gradient estimates it, for all heads at once.",
    ),
}


def body(found: Findings, said: Answer, maps_left: str) -> str:
    """All that stands between <body> and the scripts."""
    links = "".join(f'<li><a href="#{key}">{name}</a></li>' for key, name in _SECTIONS.items())
    return "\n".join(
        (
            '<a class="skip" href="#answer">Skip to the answer</a>',
            '<header class="top"><div class="wrap"><a class="brand" href="#answer">cuescope</a>'
            f'<nav aria-label="Sections"><ul>{links}</ul></nav>'
            '<button id="theme" type="button" class="needs-js">Dark</button></div></header>',
            '<main class="wrap">',
            _answer(found, said),
            _heads(found, said),
            _accuracy(found),
            _certainty(found),
            _examples(found, maps_left),
            _method(found),
            "</main>",
            f'<footer><div class="wrap">cuescope {escape(found["version"])} · one file, no network · '
            f"signature <code>{escape(found['signature'])}</code></div></footer>",
            '<div id="tip" role="tooltip" hidden></div>',
            '<div id="live" class="unseen" aria-live="polite"></div>',
            '<a id="chosen" class="no-print" href="#examples" hidden></a>',
        )
    )


def _answer(found: Findings, said: Answer) -> str:
    points = "".join(
        f'<div class="point"><h2>{escape(point.question)}</h2><div>'
        f"{''.join(f'<p>{escape(line)}</p>' for line in point.lines)}</div></div>"
        for point in said.points
    )
    failed = any(guard["ok"] is False for guard in found["guards"])
    notes = "".join(f"<li>{escape(each)}</li>" for each in said.caveats)
    caveats = f'<div class="caveats{" failed" * failed}"><h2>Limits</h2><ul>{notes}</ul></div>'
    model, data = found["model"], found["data"]
    facts = {
        "Model": f"<strong>{escape(model['name'])}</strong> · {escape(model['src'])} → "
        f"{escape(model['tgt'])} · {escape(model['family'])} · {_millions(model['parameters'])}",
        "Data": f"<strong>{escape(data['name'])}</strong> · {many(data['pairs'], 'minimal pair')}, "
        f"{many(data['sentences'], 'sentence')}",
        "Signature": f'<code id="signature">{escape(found["signature"])}</code> '
        '<button type="button" class="needs-js no-print" id="copy">Copy</button>',
    }
    return (
        f'<section id="answer" aria-labelledby="question"><div class="hero"><div>'
        f'<h1 id="question">{escape(said.question)}</h1>'
        f'<p class="verdict">{escape(said.verdict)}</p></div>{_facts(facts)}</div>'
        f'<div class="points">{points}</div>{caveats if notes else ""}</section>'
    )


def _millions(parameters: int) -> str:
    if parameters < 1_000_000:
        return f"{parameters:,} parameters"
    return f"{parameters / 1e6:,.{0 if parameters >= 1e8 else 1}f} million parameters"


def _facts(facts: dict[str, str]) -> str:
    rows = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts.items())
    return f'<dl class="facts">{rows}</dl>'


def _heads(found: Findings, said: Answer) -> str:
    parts = [_site(name, found["sites"][name]) for name in SITES if name in found["sites"]]
    absent = [
        f"The {SITES[name]} heads were not measured."
        if name in found["model"]["sites"]
        else f"This model has no {SITES[name]} heads."
        for name in SITES
        if name not in found["sites"]
    ]
    told = f'<p class="note">{" ".join(absent)}</p>' if absent else ""
    return (
        '<section id="heads"><h2>Heads</h2>'
        f"<p>{escape(said.rule)} Layers go down, heads across, both from 0. Point at a head, or "
        "move with the arrow keys; choose it to see its attention in the examples.</p>"
        f"{''.join(parts)}{told}</section>"
    )


def _site(name: str, site: Site) -> str:
    rows = []
    who = "the step that emits the noun" if name == "cross" else "the noun"
    for key, (title, what) in _MEASURES.items():
        if site[key] is None:  # type: ignore[literal-required]
            rows.append(f'<h4>{title}</h4><p class="note">Not measured.</p>')
            continue
        rows.append(
            f'<figure class="keep"><figcaption><h4>{title}</h4><p class="note">{what.format(who=who)}</p></figcaption>'
            f'<div class="grids" data-site="{name}" data-measure="{key}"></div></figure>'
        )
    both = site["attention"] is not None and site["effect"] is not None
    figures = (
        f'<figure class="keep"><figcaption><h4>Attention against effect</h4></figcaption>'
        f'<div class="scatter" data-site="{name}"></div></figure>'
        if both
        else ""
    )
    if site["together"]:
        figures += (
            "<figure class='keep'><figcaption><h4>The fewest heads that carry it</h4></figcaption>"
            f'<div class="steps" data-site="{name}"></div></figure>'
        )
    halves = (
        ""
        if site["halves"] is None
        else f"Effects on two halves of the pairs: ρ = {site['halves']:.2f}. "
    )
    agree = (
        "; ".join(
            f"{a['names'][0]} and {a['names'][1]}: ρ = {a['rho']:.2f}"
            + (
                ""
                if a["low"] is None or a["high"] is None
                else f" [{a['low']:.2f}, {a['high']:.2f}]"
            )
            for a in site["agreements"]
            if a["rho"] is not None
        )
        .replace("-", "−")
        .replace("gradient", "attribution")
    )
    note = f'<p class="note">{halves}{f"Over the heads, {agree}." if agree else ""}</p>'
    title = SITES[name][0].upper() + SITES[name][1:]
    return (
        f'<div class="site"><h3>{title}, {site["layers"]} layers × {site["heads"]} heads</h3>'
        f'{"".join(rows)}<div class="columns">{figures}</div>{note}{tables.heads(site)}</div>'
    )


def _accuracy(found: Findings) -> str:
    return (
        '<section id="accuracy"><h2>Translations</h2><p>Does the noun take the gender that the cue '
        f"asks for?</p>{tables.accuracy(found)}{tables.minimal_pairs(found)}"
        f"{tables.confusion(found)}</section>"
    )


def _certainty(found: Findings) -> str:
    study = found["uncertainty"]
    if study is None:
        told = "<p>How sure the model is was not measured in this run.</p>"
    elif not study["sets"]:
        told = "<p>No contrast set could be sampled.</p>"
    else:
        figures = "".join(
            f'<figure class="keep"><div class="violins" data-measure="{escape(name)}"></div></figure>'
            for name in study["measures"]
        )
        if any(each["shares"] for each in study["sets"]):
            figures += (
                '<figure class="keep"><div class="violins" data-measure="shares"></div></figure>'
            )
        told = (
            f"<p>{study['samples']} translations of the “he”, “she” and “they” version of every "
            f"sentence were drawn (ε = {study['epsilon']:g}). “They” leaves the gender open: a model "
            "that reads the cue is surer of “he” and “she”.</p>"
            f'{tables.entropies(found)}<div class="columns">{figures}</div>'
        )
    return f'<section id="certainty"><h2>Certainty</h2>{told}</section>'


def _examples(found: Findings, maps_left: str) -> str:
    if not found["pairs"]:
        inner = "<p>No pair was translated.</p>"
    else:
        inner = (
            f"{tables.verdicts(found)}<h3 class='needs-js'>Pair by pair</h3>"
            '<div id="pairs" class="needs-js"></div>'
            '<noscript><p class="note">The list of pairs needs JavaScript.</p></noscript>'
        )
    left = f'<p class="note">{escape(maps_left)}</p>' if maps_left else ""
    if found["maps"] is None and found["pairs"]:
        left = '<p class="note">Attention maps were not kept in this run.</p>'
    return f'<section id="examples"><h2>Examples</h2>{inner}{left}</section>'


def _method(found: Findings) -> str:
    settings = {escape(k): escape(_setting(v)) for k, v in found["settings"].items()}
    seconds = found.get("seconds", {})
    if seconds:
        times = " · ".join(f"{escape(name)} {value:,.0f} s" for name, value in seconds.items())
        settings["time"] = times
    settings["weights"] = f"<code>{escape(found['model']['weights'])}</code>"
    return (
        '<section id="method"><h2>Method</h2><p>Intervals are 95 % bootstrap intervals over pairs or '
        "sentences. The same settings, data and weights give the same numbers.</p>"
        f"<h3>Settings</h3>{_facts(settings)}{tables.guards(found)}</section>"
    )


def _setting(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{k} {_setting(v)}" for k, v in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_setting, value))
    if value is None:
        return "not set"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
