"""Translation models, opened: `load` gives a Translator for any of them."""

from __future__ import annotations

import importlib
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cuescope.errors import CueScopeError

if TYPE_CHECKING:
    from cuescope.models.families import FAMILIES
    from cuescope.models.translator import Translator

__all__ = ["FAMILIES", "Translator", "load"]
_WHERE = {"FAMILIES": "families", "Translator": "translator"}  # torch comes with a model only


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'cuescope.models' has no attribute {name!r}")
    return getattr(importlib.import_module(f"cuescope.models.{_WHERE[name]}"), name)


def load(
    name: str,
    *,
    src: str | None = None,
    tgt: str | None = None,
    device: str = "cpu",
    attention: str = "sdpa",
    check: bool = True,
) -> Translator:
    """Open a translation model and check that it is what it seems.

    `name`: `firefox:en-pt`, `argos:zh-en`, a folder (Firefox, CTranslate2, Hugging Face), an
    `.argosmodel` file, or a name on the Hugging Face hub. Models of many languages need `src` and
    `tgt`.
    `attention`: how a model attends, `sdpa` or `eager`.
    """
    from cuescope.models import catalog
    from cuescope.models.decoding import Limits
    from cuescope.models.families import FIREFOX
    from cuescope.models.translator import Translator

    kind, place = catalog.locate(name)
    _progress_bars()
    if kind == "firefox":
        from cuescope.models import firefox

        net, tokenizer = firefox.load(Path(place), attention)
        pair = name.removeprefix("firefox:").split("-") if name.startswith("firefox:") else ()
        src, tgt = (*pair, None, None)[:2] if not (src or tgt) else (src, tgt)
        mt = Translator(name, net, tokenizer, FIREFOX, src, tgt, Limits(factor=2.5))
    elif kind == "ctranslate2":
        from cuescope.models import ctranslate2

        mt = ctranslate2.load(Path(place), name, src, tgt, attention)
    else:
        from cuescope.models import huggingface

        opened = huggingface.load(place, src, tgt, attention)
        mt = Translator(name, *opened, Limits(most=opened.engine.longest))
    try:
        mt.engine.module.to(device)
    except (RuntimeError, AssertionError) as error:  # unknown to torch, or not in this build
        raise CueScopeError(
            "no such device",
            expected="cpu; cuda or mps where there is one",
            found=f"{device}: {str(error).splitlines()[0]}",
            do="leave it out, or name cpu",
        ) from None
    if check:
        from cuescope.models import checks

        checks.require(mt)
    return mt


def _progress_bars() -> None:
    """Import what transformers draws bars with, without its advice to install widgets."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="IProgress not found")
        importlib.import_module("tqdm.auto")
