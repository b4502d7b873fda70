"""The report: one self-contained HTML file of what a run found, and the answer in plain words."""

from __future__ import annotations

__all__ = []
