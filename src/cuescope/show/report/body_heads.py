"""The section on heads: by story, for every site its grids, figures and heads."""

from __future__ import annotations

from collections.abc import Iterator

from cuescope.run.findings import Agreement, Findings, GridOf, Site, Story
from cuescope.show.report import static, tables
from cuescope.show.report.answer_heads import absent, correlation
from cuescope.show.report.page import prose
from cuescope.show.report.say import SITES, many, plain, story_of

_MEASURES = {
    "attention": (
        "Attention",
        "How much {who} looks at the cue. A dot marks heads above the uniform share. Split by the "
        "gender of the cue.",
    ),
    "attention_at_noun": (
        "Attention, noun",
        "The same at the steps that emit the noun's own sub-words, as paper A measures it; the "
        "gender is often chosen before, at the article.",
    ),
    "effect": (
        "Causal effect",
        "The share of the gap between the twins that returns when this head alone speaks as in "
        "the twin; 100 % is the whole gap. Split by the sentence it is patched into. Heads that "
        "carry the cue show their number.",
    ),
    "attribution": (
        "Attribution",
        "The causal effect as a gradient estimates it, for all heads at once.",
    ),
}


def heads(findings: Findings, rule: str) -> str:
    """Every story and site that was measured, and a word on what was not."""
    parts, there = [], set()
    for story, sites in findings["heads"].items():
        shown = [name for name in SITES if name in sites]
        there.update(shown)
        if shown:
            title = story_of(findings, story)
            parts.append(f"<h3>{title[0].upper()}{title[1:]}</h3>")
            parts += [_site(story, name, sites[name]) for name in shown]
    left = absent(findings, there)
    told = f'<p class="note">{" ".join(left)}</p>' if left else ""
    return (
        '<section id="heads"><h2>Heads</h2>'
        f"<p>{prose(rule)} Layers go down, heads across, both from 0. Point at a head, or "
        "move with the arrow keys; choose it to see its attention in the examples.</p>"
        f"{''.join(parts)}{told}</section>"
    )


def _site(story: Story, name: str, site: Site) -> str:
    title = SITES[name][0].upper() + SITES[name][1:]
    shape = f"{many(site['layers'], 'layer')} × {many(site['heads'], 'head')}"
    halves, between = site["halves"], "; ".join(_agreements(site["agreements"]))
    note = ""
    if halves is not None and halves["value"] is not None:
        note = (
            f"Effects on two halves of the pairs: ρ = {plain(halves)}, mean and range of "
            f"{halves['n']} splits. "
        )
    note += f"Over the heads, {between}." if between else ""
    return (
        f'<div class="site"><h4>{title}, {shape}</h4>{"".join(_grids(story, name, site))}'
        f'<div class="columns">{"".join(_figures(story, name, site))}</div>'
        f'<p class="note">{note}</p>{tables.heads(name, site)}</div>'
    )


def _grids(story: Story, name: str, site: Site) -> Iterator[str]:
    who = "the step at which the gender is chosen" if name == "cross" else "the noun"
    for key, (title, what) in _MEASURES.items():
        if key == "attention_at_noun" and name != "cross":
            continue
        if site[key] is None:  # type: ignore[literal-required]
            why = "Not measured."
            if name == "decoder" and key == "attention":
                why = "The cue stands in the source, where these heads do not look."
            yield f'<h5>{title}</h5><p class="note">{why}</p>'
            continue
        yield (
            f'<figure class="keep"><figcaption><h5>{title}</h5>'
            f'<p class="note">{what.format(who=who)}</p></figcaption>'
            f'<div class="grids" data-story="{story}" data-site="{name}" data-measure="{key}">'
            f"{_still(site, name, key)}</div></figure>"
        )


def _still(site: Site, name: str, measure: str) -> str:
    """The grid of all pairs for readers without scripts."""
    found: GridOf = site[measure]["all"]  # type: ignore[literal-required]
    return static.grid(found, site, measure, f"{_MEASURES[measure][0]} of the {SITES[name]} heads")


def _figures(story: Story, name: str, site: Site) -> Iterator[str]:
    wanted = {
        "scatter": ("Attention against effect", site["attention"] and site["effect"]),
        "steps": ("The fewest heads that carry it", site["together"] and site["together"]["steps"]),
    }
    for kind, (title, there) in wanted.items():
        if there:
            still = {"scatter": static.scatter, "steps": static.steps}[kind](site, title)
            yield (
                f'<figure class="keep"><figcaption><h5>{title}</h5></figcaption>'
                f'<div class="{kind}" data-story="{story}" data-site="{name}">{still}</div>'
                "</figure>"
            )


def _agreements(found: list[Agreement]) -> Iterator[str]:
    for each in found:
        first, second = each["names"]
        where = f" (at the {each['at']})" if each["at"] else ""
        if each["rho"] is not None:
            yield f"{first}{where} and {second}: {correlation(each)}"
