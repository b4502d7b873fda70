"""Figures. matplotlib is imported when one is drawn, not before.

Each takes `ax` and returns the axes it drew on; `save` writes them for print.
"""

from __future__ import annotations

from cuescope.figures.arcs import arcs
from cuescope.figures.bars import bars
from cuescope.figures.canvas import save
from cuescope.figures.compare import compare
from cuescope.figures.heatmap import heatmap
from cuescope.figures.steps import steps
from cuescope.figures.violin import binned, violin

__all__ = ["arcs", "bars", "binned", "compare", "heatmap", "save", "steps", "violin"]
