"""Certified probabilities of gender: the tree enumerated, the reader saying when it is decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cuescope.data.items import Item
from cuescope.inside.certified import Certified, as_item
from cuescope.inside.ready import target_language
from cuescope.measures.alone import Genders
from cuescope.sampling.enumerate import MOST, bounds
from cuescope.signature import hash_text

if TYPE_CHECKING:
    from cuescope.inside.translator import Translator
    from cuescope.models.translator import Progress


@dataclass(frozen=True)
class Enumerating:
    """How far the tree is enumerated; see `cuescope.sampling.enumerate.bounds`."""

    width: float = 0.01
    epsilon: float = 0.02
    most: int = MOST
    best: bool = False
    batch_size: int = 64


def certify(
    mt: Translator,
    sources: Sequence[Item | str],
    how: Enumerating,
    *,
    lang: str | None = None,
    progress: Progress | None = None,
) -> Certified:
    """The bounds of each source, in order; an item that comes twice is enumerated once."""
    target = target_language(mt, lang)
    items = [as_item(one) for one in sources]
    distinct = list(dict.fromkeys((item.text, item.focus, item.noun) for item in items))
    first = {(item.text, item.focus, item.noun): item for item in reversed(items)}
    decide = Genders([first[key] for key in distinct], target)
    texts = [text for text, _, _ in distinct]
    found = bounds(mt, texts, decide, **vars(how), progress=progress)
    known = dict(zip(distinct, found, strict=True))
    facts = {
        "data": hash_text(f"{text}{focus}" for text, focus, _ in distinct),
        "lang": target,
        "width": how.width,
        "epsilon": how.epsilon,
        "most": how.most,
    }
    return Certified(
        tuple(items),
        tuple(known[item.text, item.focus, item.noun] for item in items),
        mt.signature | facts,
    )
