"""ε-sampling: n translations of a source as counts over the distinct ones."""

from __future__ import annotations

from cuescope.sampling.samples import Sample, Samples

__all__ = ["Sample", "Samples"]
