"""Figures. matplotlib is imported when one is drawn, not before."""

from __future__ import annotations

from cuescope.figures.compare import compare
from cuescope.figures.heatmap import heatmap
from cuescope.figures.violin import binned, violin

__all__ = ["binned", "compare", "heatmap", "violin"]
