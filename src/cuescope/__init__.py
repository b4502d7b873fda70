"""Does a translation model use the gender cue, which heads carry it, and how sure is it?

>>> import cuescope as cs
>>> mt = cs.load("firefox:en-pt")                                            # doctest: +SKIP
>>> mt.translate("The mechanic called because she was late.")                # doctest: +SKIP
['O mecânico chamou porque ela estava atrasada.']
"""

# ruff: noqa: E402
import sys

# Begun as `python -m cuescope`, Python looks for every module in the working folder first: a
# torch.py there would be run. So this comes before any import that is looked for.
_AS_MODULE = sys.argv[:1] == ["-m"] and sys.orig_argv[-len(sys.argv)] in ("cuescope", "-mcuescope")
if _AS_MODULE and not sys.flags.safe_path:
    del sys.path[0]

import importlib
from typing import TYPE_CHECKING, Any

from cuescope._version import __version__
from cuescope.errors import CueScopeError

if TYPE_CHECKING:
    from cuescope.data import ContrastSet, Item, Pair, pairs
    from cuescope.gender import languages
    from cuescope.inside.translator import Translator, load
    from cuescope.models.spans import Encoding
    from cuescope.run.investigate import investigate
    from cuescope.run.run import Run
    from cuescope.run.score import score
    from cuescope.show.figures.arcs import arcs
    from cuescope.show.figures.bars import bars
    from cuescope.show.figures.compare import compare
    from cuescope.show.figures.heatmap import heatmap
    from cuescope.show.figures.saliency import saliency
    from cuescope.show.figures.steps import steps
    from cuescope.show.figures.violin import violin
    from cuescope.show.live.explore import explore
    from cuescope.stats.scores import Scores

# Looked up on first use: torch is not imported by `import cuescope`.
_WHERE = {
    "ContrastSet": "data",
    "Encoding": "models.spans",
    "Item": "data",
    "Pair": "data",
    "Run": "show.bound",
    "Scores": "stats.scores",
    "Translator": "inside.translator",
    "arcs": "show.figures",
    "bars": "show.figures",
    "compare": "show.figures",
    "explore": "show.live.explore",
    "heatmap": "show.figures",
    "investigate": "show.bound",
    "languages": "gender",
    "load": "inside.translator",
    "pairs": "data",
    "saliency": "show.figures",
    "score": "run.score",
    "steps": "show.figures",
    "violin": "show.figures",
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
    "explore",
    "heatmap",
    "investigate",
    "languages",
    "load",
    "pairs",
    "saliency",
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
