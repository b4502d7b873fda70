"""Does a translation model use the gender cue, which heads carry it, and how sure is it?

>>> import cuescope as cs
>>> mt = cs.load("firefox:en-pt")                                            # doctest: +SKIP
>>> mt.translate("The mechanic called because she was late.")                # doctest: +SKIP
['O mecânico chamou porque ela estava atrasada.']
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from cuescope._version import __version__
from cuescope.errors import CueScopeError

if TYPE_CHECKING:
    from cuescope.data import ContrastSet, Item, Pair, pairs
    from cuescope.figures.arcs import arcs
    from cuescope.figures.bars import bars
    from cuescope.figures.compare import compare
    from cuescope.figures.heatmap import heatmap
    from cuescope.figures.steps import steps
    from cuescope.figures.violin import violin
    from cuescope.models import Translator, load
    from cuescope.run import Run, investigate
    from cuescope.scores import Scores
    from cuescope.scoring import score
    from cuescope.spans import Encoding

# Looked up on first use: torch is not imported by `import cuescope`.
_WHERE = {
    "ContrastSet": "data",
    "Encoding": "spans",
    "Item": "data",
    "Pair": "data",
    "Run": "run",
    "Scores": "scores",
    "Translator": "models",
    "arcs": "figures",
    "bars": "figures",
    "compare": "figures",
    "heatmap": "figures",
    "investigate": "run",
    "load": "models",
    "pairs": "data",
    "score": "scoring",
    "steps": "figures",
    "violin": "figures",
}

__all__ = [
    "ContrastSet",
    "CueScopeError",
    "Encoding",
    "Item",
    "Pair",
    "Run",
    "Scores",
    "Translator",
    "__version__",
    "arcs",
    "bars",
    "compare",
    "heatmap",
    "investigate",
    "load",
    "pairs",
    "score",
    "steps",
    "violin",
]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'cuescope' has no attribute {name!r}")
    return getattr(importlib.import_module(f"cuescope.{_WHERE[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
