"""Mends: changes to a model as values that are fitted, judged, folded into weights and exported."""

from __future__ import annotations

from cuescope.mend.mend import Mend

__all__ = ["Mend"]
