"""The report: one self-contained HTML file of what a run found, and the answer in plain words."""

from __future__ import annotations

from cuescope.report.answer import Answer, Point, answer
from cuescope.report.page import page

__all__ = ["Answer", "Point", "answer", "page"]
