"""The report: one self-contained HTML file of what a run found, and the answer in plain words."""

from __future__ import annotations

from cuescope.run.findings import Findings
from cuescope.show.report.answer import Answer, Point, answer
from cuescope.show.report.body import body
from cuescope.show.report.data import packed
from cuescope.show.report.page import page
from cuescope.show.report.say import model_name

__all__ = ["Answer", "Point", "answer", "page", "render"]

_SCRIPTS = (
    "dom state colour grids chart scatter steps violins "  # figures
    "marked arcs picker salient pair filters pairs main"  # examples
).split()


def render(findings: Findings) -> str:
    """The report of some findings: one HTML file that asks for nothing else."""
    data, left = packed(findings)
    title = f"{model_name(findings)} on {findings['data']['name']} · cuescope"
    return page(
        title,
        body(findings, answer(findings), left),
        data=data,
        styles=["report.css"],
        scripts=[f"{name}.js" for name in _SCRIPTS],
    )
