"""Two releases of a system on the same sentences: what fell, what rose, which sentences."""

from cuescope.run.release.gate import Gate, gate
from cuescope.run.release.sides import Side, opened
from cuescope.run.release.versus import Release, versus

__all__ = ["Gate", "Release", "Side", "gate", "opened", "versus"]
