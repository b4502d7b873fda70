"""Heads of made-up findings: grids of a site, how its measures agree, attention maps."""

from __future__ import annotations

import base64
import re
from typing import Any

import numpy as np

from cuescope.measures.card import Card, Check
from cuescope.run.findings import (
    Agreement,
    BlocksOf,
    CardOf,
    GridOf,
    MapOf,
    Maps,
    PairOf,
    Site,
    TwinOf,
)
from cuescope.stats.value import Value
from findings_pairs import CUES, HOSTILE, number


def _grid(values: Any, n: int, unit: Any, threshold: float | None = None) -> GridOf:
    if not n:
        empty: Any = [[None] * values.shape[1] for _ in values]
        return GridOf(scores=empty, low=empty, high=empty, n=0, unit=unit, threshold=None)
    spread = 0.01 + 0.1 * np.abs(values)
    low, high = (values - spread).round(4).tolist(), (values + spread).round(4).tolist()
    return GridOf(
        scores=values.round(4).tolist(), low=low, high=high, n=n, unit=unit, threshold=threshold
    )


def site_of(name: str, shape: tuple[int, int], carriers: Any, rng: Any, pairs: int) -> Site:
    attention = rng.dirichlet(np.full(12, 0.5), size=shape)[..., 0]
    effect = rng.normal(0.0, 0.012, shape)
    for (layer, head), value in carriers.items():
        effect[layer, head], attention[layer, head] = value, 0.3 + 0.4 * rng.random()
    attribution = effect * 1.1 + rng.normal(0, 0.004, shape)

    def three(values: Any, unit: Any, threshold: float | None = None) -> Any:
        parts = {"male": values * 0.85, "female": values * 1.15, "all": values}
        counts = {"male": pairs, "female": pairs, "all": pairs if unit == "pair" else 2 * pairs}
        return {w: _grid(parts[w], counts[w], unit, threshold) for w in ("all", "male", "female")}

    taken, restored = [], 0.0
    for (layer, head), value in sorted(carriers.items(), key=lambda kv: -kv[1]):
        restored += value * 0.95
        taken.append({"layer": layer, "head": head, "restored": number(restored, n=pairs // 2)})
    ranks = np.argsort(np.argsort(-attention, axis=None)).reshape(shape) + 1
    carry = {f"{a}.{b}": int(ranks[a, b]) for (a, b), v in carriers.items() if v >= 0.05}
    looks = name != "decoder"
    at = "choice" if name == "cross" else ""
    pairs_of = [("attribution", "effect", 0.99, "")]
    if looks:
        pairs_of = [
            ("attention", "effect", 0.27, at),
            *pairs_of,
            ("attention", "attribution", 0.3, at),
        ]
    return Site(
        layers=shape[0],
        heads=shape[1],
        attention=three(attention, "item", 1 / 12) if looks else None,
        attention_at_noun=three(attention, "item", 1 / 12) if name == "cross" else None,
        effect=three(effect, "pair"),
        attribution=three(attribution, "pair"),
        carrying={
            f"{a}.{b}": "carries" if v >= 0.05 else "opposes"
            for (a, b), v in carriers.items()
            if abs(v) >= 0.05
        },
        enough=pairs > 0,
        agreements=[
            agreement((a, b), rho, where, pairs, shape[0] * shape[1], carry)
            for a, b, rho, where in pairs_of
        ],
        halves=number(0.97, 0.9, 0.99, 100),
        together={"chosen_on": pairs // 2, "judged_on": pairs - pairs // 2, "steps": taken},  # type: ignore[typeddict-item]
        skipped={"effect": {"no contrast: the other gender's form is not known": 4}},
    )


def agreement(
    names: tuple[str, str],
    rho: float,
    at: str = "",
    n: int = 50,
    heads: int = 48,
    carriers: dict[str, int] | None = None,
) -> Agreement:
    """Two measures of the heads, with an interval of ±0.05."""
    return Agreement(
        names=names,
        at=at,
        rho=rho,
        low=rho - 0.05,
        high=min(1.0, rho + 0.05),
        over="pairs",
        ceiling=0.9,
        r=rho,
        auc=0.99 if carriers else None,
        carriers=carriers or {},
        heads=heads,
        n=n,
    )


def card_of(site: str, layer: int, head: int, hostile: bool) -> CardOf:
    """A check of each kind: one that passes, one that fails, one that was not made."""
    nan = float("nan")
    effect, p = Value("", 0.4, 0.3, 0.5, 60), Value("", 0.001, nan, nan, 60, percent=False)
    why = HOSTILE[0] if hostile else "not into the female sentence"
    numbers = {"into male": effect, "into female": Value("", 0.01, -0.1, 0.1, 60)}
    checks = (
        Check("carries", "passes", {"effect": effect, "p adjusted": p}),
        Check("directions", "fails", numbers, why),
        Check("random", "not measured", {}, "the smallest set was not searched"),
    )
    made: Any = Card(site, "cue after", layer, head, checks, "24 pairs with 9 nouns").to_json()
    shaped: CardOf = made
    return shaped


def blocks_of(pairs: int) -> BlocksOf:
    kinds = [("encoder feed-forward", "all"), ("encoder stream", "noun")]
    return {
        "pairs": pairs,
        "blocks": [
            {"site": site, "layer": layer, "where": where, "restored": number(0.1 * layer)}
            for site, where in kinds
            for layer in range(3)
        ],
    }


def _pieces(text: str) -> list[str]:
    """Words as sub-words; a long text is cut, as a model would."""
    return [f"▁{w}" for w in re.findall(r"\w+|[^\w\s]", text)[:40]] + ["</s>"]


def maps_of(pairs: list[PairOf], sites: Any, carriers: Any, rng: Any) -> Maps:
    heads: dict[str, list[tuple[int, int]]] = {}
    for site in ("encoder", "cross"):
        if site in sites:
            first = sorted(carriers.get(site, {}), key=lambda h: -carriers[site][h])
            every = [(a, b) for a in range(sites[site][0]) for b in range(sites[site][1])]
            heads[site] = (first + [h for h in every if h not in first])[:8]
    sentences: list[MapOf] = []
    for pair in pairs:
        for twin in pair["twins"]:
            sentences.append(_map(twin, pair["noun"], heads, rng))
        pair["map"] = (len(sentences) - 2, len(sentences) - 1)
    return Maps(heads=heads, sentences=sentences)


def _map(twin: TwinOf, noun: str, heads: Any, rng: Any) -> MapOf:
    source, target = _pieces(twin["source"]), _pieces(twin["translation"])
    at = [i for i, piece in enumerate(source) if piece == f"▁{noun}"]
    cue = [i for i, piece in enumerate(source) if piece == f"▁{CUES[twin['gold']]}"]

    def drawn(rows: int, site: str) -> str:
        weights = rng.dirichlet(np.full(len(source), 0.2), size=(len(heads.get(site, [])), rows))
        if site == "encoder" and len(weights) and at and cue:
            weights[0, at] = 0.05 / len(source)
            weights[0, at, cue[0]] = 0.9
        return base64.b64encode((weights * 255).round().astype(np.uint8).tobytes()).decode()

    values = [round(0.1 * (place - len(source) // 2), 3) for place in range(len(source))]
    return MapOf(
        source=source,
        target=target,
        noun=at,
        cue=cue,
        steps=[1],
        saliency={"values": values, "whole": sum(values) - 0.02, "missed": 0.02},
        encoder=drawn(len(source), "encoder"),
        cross=drawn(len(target), "cross"),
    )
