"""Figures. matplotlib is imported when one is drawn, not before.

Each takes `ax` and returns the axes it drew on; `save` writes them for print.
"""

from __future__ import annotations

from cuescope.show.figures.arcs import arcs
from cuescope.show.figures.bars import bars
from cuescope.show.figures.canvas import save
from cuescope.show.figures.circuit import circuit
from cuescope.show.figures.compare import compare
from cuescope.show.figures.heatmap import heatmap
from cuescope.show.figures.saliency import saliency
from cuescope.show.figures.steps import steps
from cuescope.show.figures.violin import binned, violin

__all__ = [
    "arcs",
    "bars",
    "binned",
    "circuit",
    "compare",
    "heatmap",
    "saliency",
    "save",
    "steps",
    "violin",
]
