"""A run that can write its report: what `cuescope.investigate` gives."""

from __future__ import annotations

from pathlib import Path

from cuescope import files
from cuescope.run.investigate import investigate
from cuescope.run.run import Run

__all__ = ["Run", "investigate"]


def report(run: Run, path: str | Path = "report.html") -> Path:
    """Write everything as one self-contained page; returns its path."""
    from cuescope.show.report import render

    files.write(path, render(run.findings()))
    return Path(path)


Run.report = report
