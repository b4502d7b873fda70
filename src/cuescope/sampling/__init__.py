"""ε-sampling: n translations of a source as counts; enumeration: bounds without samples."""

from __future__ import annotations

from cuescope.sampling.bounds import Bounds, Likely
from cuescope.sampling.samples import Sample, Samples

__all__ = ["Bounds", "Likely", "Sample", "Samples"]
