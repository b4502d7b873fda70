"""The same module in nnsight's hands, for free-form tracing."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cuescope.errors import CueScopeError

if TYPE_CHECKING:
    from cuescope.models.translator import Translator


def nnsight(mt: Translator) -> Any:
    """`NNsight(module)` of the model itself. nnsight is imported now: it adds `.save` everywhere.

    A head is a slice of the *input* of `out_proj` there too: `mt.head_slice` gives it.
    """
    try:
        module = import_module("nnsight")
    except ImportError:
        raise CueScopeError(
            "tracing needs nnsight",
            expected="nnsight 0.8",
            found="not installed",
            do="pip install nnsight==0.8.1",
        ) from None
    return module.NNsight(mt.engine.module)
