"""Figures. matplotlib is imported when one is drawn, not before."""

from __future__ import annotations

from cuescope.figures.heatmap import heatmap

__all__ = ["heatmap"]
