"""The pages of the audits: the answer, the paper's tables, the figure, where it disagrees."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from typing import Any

from cuescope._version import __version__
from cuescope.audit.speed import Measured, Speed
from cuescope.show.audit import speed_tables as tables
from cuescope.show.audit import words
from cuescope.show.compare.page import html_table
from cuescope.show.report.page import frame, prose
from cuescope.show.report.page import page as shell
from cuescope.stats.html import escape

_EXAMPLES = 8


def page(title: str, headline: str, parts: dict[str, tuple[str, str]], signature: str) -> str:
    """One self-contained file of sections: id → (name, HTML)."""
    sections = {key: name for key, (name, _) in parts.items()}
    main = f"<section><h1>{escape(headline)}</h1></section>" + "".join(
        f'<section id="{key}"><h2>{escape(name)}</h2>{inner}</section>'
        for key, (name, inner) in parts.items()
    )
    foot = (
        f"cuescope {escape(__version__)} · one file, no network · signature "
        f"<code>{escape(signature)}</code>"
    )
    return shell(f"{title} · cuescope", frame(sections, main, foot), styles=("compare.css",))


def picture(axes: Any, told: str) -> str:
    """A figure inside the page; `told` is what those hear who do not see it."""
    one = axes[0] if isinstance(axes, Sequence) else axes
    figure = one.get_figure(root=True)
    made = io.BytesIO()
    figure.savefig(made, format="png", dpi=150, bbox_inches="tight", facecolor="white")
    import matplotlib.pyplot as plt

    plt.close(figure)
    coded = base64.b64encode(made.getvalue()).decode()
    return f'<figure><img alt="{escape(told)}" src="data:image/png;base64,{coded}" /></figure>'


def speed_page(models: Sequence[Speed]) -> str:
    """The page of one or more models' grids."""
    from cuescope.show.figures.drops import drops

    parts: dict[str, tuple[str, str]] = {}
    for number, found in enumerate(models, 1):
        mark = f"-{number}" if len(models) > 1 else ""
        of = f": {found.model}" if len(models) > 1 else ""
        said = f"<p>{words.WHAT}</p>" * (number == 1)
        said += "".join(f"<p>{prose(line)}</p>" for line in words.speed(found))
        parts[f"answer{mark}"] = (f"Answer{of}", said)
        shown = [
            html_table(tables.paper_table(found, "alone")),
            html_table(tables.paper_table(found, "stacked")),
        ]
        parts[f"tables{mark}"] = (f"Tables 4a and 4b{of}", "".join(shown))
        if any(one.drops for one in found.rows[1:]):
            figure = picture(drops(found), "Relative drops over the drop in time; see the table")
            parts[f"drops{mark}"] = (
                f"Relative drops{of}",
                figure + html_table(tables.drops_table(found)),
            )
        parts[f"beside{mark}"] = (f"Beside{of}", html_table(tables.beside_table(found)))
        parts[f"lost{mark}"] = (f"Examples{of}", _lost(found))
        parts[f"method{mark}"] = (f"Method{of}", _method(found))
    names = ", ".join(found.model for found in models)
    signature = " | ".join(str(found.signature) for found in models)
    return page(f"Speed against bias: {names}", words.SPEED, parts, signature)


def _lost(found: Speed) -> str:
    """Sentences of SimpleGEN that a knob says otherwise than the baseline, a few a knob."""
    from cuescope.data import simplegen

    known = {item.text for name in simplegen.SETS for item in simplegen.items(name)}
    made = []
    for one in found.rows[1:]:
        if not one.said:
            continue
        unlike = [
            (text, said, one.said[text])
            for text, said in found.baseline.said.items()
            if text in known and one.said[text] != said
        ]
        made.append(_unlike(one, sorted(unlike), len(known & found.baseline.said.keys())))
    return "".join(made) or "<p>No knob ran.</p>"


def _unlike(one: Measured, unlike: list[tuple[str, str, str]], of: int) -> str:
    step = max(1, len(unlike) // _EXAMPLES)
    rows = "".join(
        "<tr>" + "".join(f'<td class="text"><bdi>{escape(t)}</bdi></td>' for t in row) + "</tr>"
        for row in unlike[::step][:_EXAMPLES]
    )
    label = escape(one.row.label)
    head = "".join(
        f'<th scope="col" class="text">{name}</th>' for name in ("English", "baseline", label)
    )
    told = f"{len(unlike)} of {of} SimpleGEN sentences are translated otherwise"
    if not rows:
        return f"<h3>{label}</h3><p>{told}.</p>"
    return (
        f"<details><summary>{label}: {told}</summary>"
        f'<div class="scroll" tabindex="0" role="region" aria-label="{label}">'
        f'<table class="numbers sentences"><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div></details>"
    )


def _method(found: Speed) -> str:
    counts = ", ".join(f"{count} {name}" for name, count in found.counts.items() if count)
    return (
        f"<p>{escape(counts)}. SimpleGEN is judged by {escape(found.protocol)}; minimal pairs and "
        "the other noun by the lexica. Intervals are of 95 %, over nouns and templates, for BLEU "
        "and chrF over sentences, for times over rounds. Knobs are of a model that was not trained "
        f"again for them.</p><p class='note'>{escape(found.settings.words())}</p>"
    )
