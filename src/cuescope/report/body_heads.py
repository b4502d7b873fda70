"""The section on heads: for every site its grids, figures and strongest heads."""

from __future__ import annotations

from collections.abc import Iterator

from cuescope.findings import Agreement, Findings, Site
from cuescope.report import tables
from cuescope.report.page import prose
from cuescope.report.say import SITES, many, rho, rounded

_MEASURES = {
    "attention": (
        "Attention",
        "How much {who} looks at the cue. A dot marks heads above the uniform share. Split by the "
        "gender of the cue.",
    ),
    "effect": (
        "Causal effect",
        "The share of the gap between the twins that returns when this head alone speaks as in "
        "the twin; 100 % is the whole gap. Split by the sentence it is patched into. Heads that "
        "carry the cue show their number.",
    ),
    "gradient": (
        "Attribution",
        "The causal effect as a gradient estimates it, for all heads at once.",
    ),
}


def heads(found: Findings, rule: str) -> str:
    """All sites that were measured, and a word on those that were not."""
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
        f"<p>{prose(rule)} Layers go down, heads across, both from 0. Point at a head, or "
        "move with the arrow keys; choose it to see its attention in the examples.</p>"
        f"{''.join(parts)}{told}</section>"
    )


def _site(name: str, site: Site) -> str:
    title = SITES[name][0].upper() + SITES[name][1:]
    shape = f"{many(site['layers'], 'layer')} × {many(site['heads'], 'head')}"
    halves, between = site["halves"], "; ".join(_agreements(site["agreements"]))
    note = (
        "" if halves is None else f"Effects on two halves of the pairs: ρ = {rounded(halves, 2)}. "
    )
    note += f"Over the heads, {between}." if between else ""
    return (
        f'<div class="site"><h3>{title}, {shape}</h3>{"".join(_grids(name, site))}'
        f'<div class="columns">{"".join(_figures(name, site))}</div>'
        f'<p class="note">{note}</p>{tables.heads(site)}</div>'
    )


def _grids(name: str, site: Site) -> Iterator[str]:
    who = "the step that emits the noun" if name == "cross" else "the noun"
    for key, (title, what) in _MEASURES.items():
        if site[key] is None:  # type: ignore[literal-required]
            yield f'<h4>{title}</h4><p class="note">Not measured.</p>'
            continue
        yield (
            f'<figure class="keep"><figcaption><h4>{title}</h4>'
            f'<p class="note">{what.format(who=who)}</p></figcaption>'
            f'<div class="grids" data-site="{name}" data-measure="{key}"></div></figure>'
        )


def _figures(name: str, site: Site) -> Iterator[str]:
    wanted = {
        "scatter": ("Attention against effect", site["attention"] and site["effect"]),
        "steps": ("The fewest heads that carry it", site["together"]),
    }
    for kind, (title, there) in wanted.items():
        if there:
            yield (
                f'<figure class="keep"><figcaption><h4>{title}</h4></figcaption>'
                f'<div class="{kind}" data-site="{name}"></div></figure>'
            )


def _agreements(found: list[Agreement]) -> Iterator[str]:
    for each in found:
        if each["rho"] is None:
            continue
        first, second = ("attribution" if n == "gradient" else n for n in each["names"])
        yield f"{first} and {second}: ρ = {rho(each)}"
