"""Attention maps of some pairs, small enough to travel inside a report."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from cuescope.data.items import sample
from cuescope.files.chunks import each
from cuescope.run.findings import MapOf, SalientOf

if TYPE_CHECKING:
    from torch import Tensor

    from cuescope.inside.ready import Subject
    from cuescope.models.translator import Progress, Translator
    from cuescope.run.run import Run

_MOST = 1_500_000  # bytes of all maps in a report
_STEPS = 24  # of the integration behind the saliency of a sentence
Head = tuple[int, int]


def maps_of(run: Run, ranks: Mapping[str, Sequence[Head]], progress: Progress) -> dict[str, Any]:
    """The maps of chosen pairs, and which pair has which; the strongest heads if not all fit."""
    chosen = _choose(run)
    twins = [one for pair in chosen.values() for one in pair]
    heads = {site: list(ranked[: _fitting(twins, ranks)]) for site, ranked in ranks.items()}
    choices = {(one.item.text, one.item.focus): one for two in run.twins for one in two.sentences}

    shown = {site: some for site, some in heads.items() if site != "decoder"}  # the rest is large
    work = []
    for one in twins:
        ready = choices.get((one.item.text, one.item.focus))
        work.append((one.item.text, partial(_map, run.mt, one, shown, ready)))
    sentences: list[MapOf] = []
    for made in each(work):
        sentences.append(made)
        progress(1)
    places = {str(index): (2 * n, 2 * n + 1) for n, index in enumerate(chosen)}
    return {"maps": {"heads": heads, "sentences": sentences}, "pairs": places}


def _map(
    mt: Translator, one: Subject, heads: Mapping[str, Sequence[Head]], ready: Subject | None
) -> MapOf:
    return {**map_of(mt, one, heads), "saliency": _salient(mt, ready)}


def map_of(mt: Translator, one: Subject, heads: Mapping[str, Sequence[Head]]) -> MapOf:
    """The attention of one sentence, of these heads; a site without heads is empty."""
    from cuescope.inside.read.maps import attention_maps

    made = attention_maps(mt, one.item.text, one.target)

    def packed(site: str) -> str:
        return _packed(made[site].weights, heads.get(site, [])) if site in made else ""

    found: MapOf = {
        "source": list(one.encoding.pieces),
        "target": list(one.target.pieces),
        "noun": list(one.noun),
        "cue": list(one.cue),
        "steps": list(one.steps),
        "encoder": packed("encoder"),
        "cross": packed("cross"),
    }
    return {**found, "decoder": packed("decoder")} if heads.get("decoder") else found


def _salient(mt: Translator, ready: Subject | None) -> SalientOf | None:
    """Which words speak for the feminine form; None where there is no choice, or no captum."""
    from importlib.util import find_spec

    from cuescope.inside.saliency import of_subject

    if ready is None or find_spec("captum") is None:
        return None
    found, _ = of_subject(mt, ready, _STEPS, 4 * _STEPS)
    return {
        "values": [round(value, 3) for value in found.values.tolist()],
        "whole": found.whole,
        "missed": found.missed,
    }


def _choose(run: Run) -> dict[int, tuple[Subject, Subject]]:
    """Pairs of both kinds, drawn from all: the noun follows the cue in half of them if so many
    are there."""
    ready = {(one.item.text, one.item.focus): one for one in run.subjects}
    kinds: dict[bool, dict[int, tuple[Subject, Subject]]] = {True: {}, False: {}}
    for pair in run.pairs:
        found = [ready.get((item.text, item.focus)) for item in pair]
        if found[0] is not None and found[1] is not None:
            follows = found[0].accurate and found[1].accurate
            kinds[follows][pair.index] = (found[0], found[1])
    most = run.settings.examples
    follow = _sample(kinds[True], most - min(most // 2, len(kinds[False])))
    ignore = _sample(kinds[False], most - len(follow))
    return dict(sorted({**follow, **ignore}.items()))


def _sample(pairs: dict[int, Any], most: int) -> dict[int, Any]:
    return {key: pairs[key] for key in sample(list(pairs), most)} if most else {}


def _fitting(twins: Sequence[Subject], ranks: Mapping[str, Sequence[Head]]) -> int:
    """How many heads of each site may be kept, so that all maps stay within their size."""
    most = max((len(ranked) for ranked in ranks.values()), default=0)
    each = sum(len(one.encoding) * (len(one.encoding) + len(one.target)) for one in twins)
    return min(most, max(1, int(_MOST * 3 / 4 / max(each, 1))))


def _packed(weights: Tensor, heads: Sequence[Head]) -> str:
    """Base64 of bytes [head, query, key], 255 a weight of 1."""
    shares = weights.float().cpu().numpy()
    picked = np.stack([shares[head] for head in heads]) if heads else np.zeros((0, 0, 0))
    return b64encode(np.rint(255 * picked).astype(np.uint8).tobytes()).decode()
