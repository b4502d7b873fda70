"""A mend folded into the weights: another model, that needs no intervention any more."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from cuescope.errors import CueScopeError
from cuescope.mend import gated, slices
from cuescope.mend.mend import KINDS, Mend
from cuescope.models.turn import Turn

if TYPE_CHECKING:
    from torch import Tensor

    from cuescope.models.translator import Translator

T = TypeVar("T", bound="Translator")
FOLDED = (
    "louder",
    "tuned",
    "gated",
)  # kinds that are weights; the others act while a sentence is decoded


def values(mend: Mend, mt: Translator) -> Mapping[str, Tensor]:
    """The weights that a mend puts into a model; an error for kinds that have none."""
    mend.check(mt)
    if mend.kind not in FOLDED:
        raise CueScopeError(
            f"a mend of the kind {mend.kind} cannot be folded into weights",
            expected=" or ".join(FOLDED),
            found=mend.kind,
            do="use it as it is: `with mend.on(mt)`",
        )
    made: Mapping[str, Tensor] = importlib.import_module(
        f"cuescope.mend.{KINDS[mend.kind]}"
    ).values(mend, mt)
    return made


def fold(mend: Mend, mt: T) -> T:
    """A copy of the model with the mend in its weights; its logits are those under the mend."""
    changed = values(mend, mt)
    engine = deepcopy(mt.engine)
    made = replace(mt, name=f"{mt.name} {mend.kind}", engine=engine, interventions=[], turn=Turn())
    (gated.widen if mend.kind == "gated" else slices.put)(made, changed)
    return made
