"""How sure a mended model is: entropy of the noun's gender for he and she, and for they."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cuescope.inside.ready import target_language
from cuescope.measures.parts import part
from cuescope.mend.judge import Judged
from cuescope.run.study import contrast_sets, study

if TYPE_CHECKING:
    from cuescope.data.items import Pairs
    from cuescope.inside.translator import Translator
    from cuescope.mend.mend import Mend
    from cuescope.stats.value import Value

NAMES = {"H unambiguous": "h_cue", "H ambiguous": "h_they", "ΔH": "delta_h"}
SAMPLED = ("louder", "tuned", "gated")  # kinds that act on samples as on translations
SAMPLES = 64


def entropies(
    mt: Translator, mends: Mapping[str, Mend], pairs: Pairs, sets: int, samples: int = SAMPLES
) -> dict[str, dict[str, Value]]:
    """H(GE) and ΔH on so many contrast sets of the pairs, of the plain model and of each mend.

    All draw with the same seed; kinds that only act on greedy translation are left out.
    """
    drawn, _ = contrast_sets([pair.pro for pair in pairs], sets)
    gender = {"ge": part("ge", target_language(mt), "", "")}
    systems: dict[str, Any] = {"plain": nullcontext}
    systems |= {
        name: (lambda one=one: one.on(mt)) for name, one in mends.items() if one.kind in SAMPLED
    }
    found = {}
    for name, on in systems.items():
        with on():
            values = study(mt, drawn, gender, samples=samples).values["ge"]
        found[name] = {short: values[label] for label, short in NAMES.items()}
    return found


def beside(found: Sequence[Judged], sure: Mapping[str, Mapping[str, Value]]) -> list[Judged]:
    """What was judged, with the entropies of those that have them."""
    return [replace(one, values={**one.values, **sure.get(one.name, {})}) for one in found]
