"""Findings of any size and shape, made up but plausible: for report and compare, no model."""

from __future__ import annotations

from functools import cache

import numpy as np

from cuescope.run.findings import SCHEMA, Findings
from findings_heads import agreement, blocks_of, card_of, maps_of, site_of
from findings_pairs import (
    HOSTILE,
    accuracy_of,
    confusion_of,
    measures_of,
    number,
    order_of,
    pair_of,
    share,
)
from findings_samples import certified_of, uncertainty_of

__all__ = ["HOSTILE", "agreement", "findings", "gaps", "many", "number"]


def findings(
    pairs: int = 24,
    *,
    sites: dict[str, tuple[int, int]] | None = None,
    carriers: dict[str, dict[tuple[int, int], float]] | None = None,
    right: float = 0.1,
    uncertainty: bool = True,
    maps: int = 12,
    hostile: bool = False,
    name: str = "firefox:en-pt",
    seed: int = 0,
    before: int = 0,
) -> Findings:
    """`carriers` are the effects of the heads that matter, `right` the share of pairs that follow
    the cue, `maps` the number of pairs with attention maps; `hostile` puts nasty text everywhere.
    Of the pairs, the last `before` have their cue before the noun.
    """
    rng = np.random.default_rng(seed)
    sites = {"encoder": (6, 8), "cross": (2, 8)} if sites is None else sites
    if carriers is None:
        carriers = {"encoder": {(2, 1): 0.41, (0, 7): 0.38}, "cross": {(1, 2): 0.94}}
        carriers = {
            site: {
                h: v for h, v in heads.items() if h[0] < sites[site][0] and h[1] < sites[site][1]
            }
            for site, heads in carriers.items()
            if site in sites
        }
    made = [
        pair_of(i, rng, right, hostile, "cue before" if i >= pairs - before else "cue after")
        for i in range(pairs)
    ]
    shown = maps_of(made[:maps], sites, carriers, rng) if maps and made else None
    golds = {s: [t for p in made for t in p["twins"] if t["set"] == s] for s in ("pro", "anti")}
    both = [p for p in made if all(t["correct"] for t in p["twins"])]
    return {
        "schema": SCHEMA,
        "version": "0.1.0",
        "signature": f"model:{name}|weights:0123456789ab|data:simplegen|seed:{seed}|version:0.1.0",
        "settings": {"samples": 128, "epsilon": 0.02, "seed": seed, "heads": 120, "quick": False},
        "model": {
            "name": HOSTILE[0] if hostile else name,
            "src": "en",
            "tgt": "pt",
            "family": "marian",
            "parameters": 16_900_000,
            "sites": sites,
            "weights": "0123456789abcdef" * 4,
        },
        "data": {
            "name": HOSTILE[1] if hostile else "simplegen",
            "pairs": pairs,
            "sentences": 2 * pairs,
            "left_out": {"words differ": 18} if pairs else {},
        },
        "lang": "pt",
        "guards": [
            {"name": "logits are finite numbers", "ok": True, "detail": "from -31.2 to 12.9"},
            {"name": "wrapped logits equal the bare model's", "ok": None, "detail": "own network"},
            {"name": "zeroing any head reaches the output", "ok": True, "detail": "64 heads"},
        ],
        "unfinished": 0,
        "accuracy": {s: accuracy_of(twins) for s, twins in golds.items()},
        "f1": {
            s: {
                "male": share(7 * len(t), 10 * len(t)),
                "female": share(len(t), 5 * len(t)),
                "delta_g": share(len(t), 2 * len(t)),
            }
            for s, t in golds.items()
        },
        "confusion": {s: confusion_of(twins) for s, twins in golds.items()},
        "measures": measures_of(made),
        "with_pronouns": {
            "accuracy": {s: accuracy_of(twins) for s, twins in golds.items()},
            "mpa": share(len(both) + 1, len(made) + 1),
        }
        if pairs
        else None,
        "orders": {
            order: order_of(some)
            for order in ("cue after", "cue before")
            if (some := [p for p in made if p["order"] == order]) or order == "cue after"
        },
        "heads": {
            order: {
                site: site_of(site, shape, carriers.get(site, {}), rng, len(some))
                for site, shape in sites.items()
            }
            for order in ("cue after", "cue before")
            if (some := [p for p in made if p["order"] == order]) or order == "cue after"
        },
        "rule": "A head carries the cue if the one rule says so.",
        "cards": [
            card_of(site, layer, head, hostile)
            for site in sites
            for layer, head in list(carriers.get(site, {}))[:4]
        ],
        "blocks": {"cue after": blocks_of(pairs)} if carriers else {},
        "redrawn": "nouns are redrawn with all their sentences",
        "uncertainty": uncertainty_of(min(pairs, 40), rng, hostile) if uncertainty else None,
        "certified": certified_of(min(pairs, 40)) if uncertainty and pairs else None,
        "pairs": made,
        "maps": shown,
        "notes": [],
    }


def gaps() -> Findings:
    """Everything that may be missing is missing somewhere: cues, spans, cells, intervals, maps."""
    found = findings(
        9, sites={"encoder": (3, 4), "cross": (1, 4)}, carriers={"encoder": {(1, 1): 0.3}}
    )
    sites = found["heads"]["cue after"]
    site = sites["encoder"]
    for grid in (site["effect"] or {}).values():
        grid["scores"][0][0] = grid["low"][0][0] = grid["high"][0][0] = None
        grid["low"][1][1] = grid["high"][1][1] = None
    for grid in (site["attention"] or {}).values():
        grid["threshold"] = None
    site["agreements"][0] |= {"rho": None, "low": None, "high": None, "auc": None, "r": None}
    site["agreements"][1] |= {"low": None, "high": None, "ceiling": None}
    site["halves"], site["together"] = None, None
    sites["cross"] |= {"attribution": None, "agreements": [], "skipped": {}}
    sites["cross"] |= {"attention_at_noun": None, "together": {"steps": [], **_PARTS}}
    pair = found["pairs"][0]
    pair["stereotype"] = None
    pair["twins"][0] |= {"cue": None, "span": None, "evidence": []}
    for one in found["maps"]["sentences"] if found["maps"] else []:
        one["cross"], one["cue"] = "", []
    study = found["uncertainty"]
    assert study
    for each in study["sets"]:
        each["shares"] = {}
    study["feminine"] = {}
    for measure in study["measures"].values():
        measure["entropy"] = {version: [0.0] * 9 for version in ("he", "she", "they")}
        measure["values"] = {name: number(None) for name in measure["values"]}
    found["f1"], found["guards"] = {}, []
    found["with_pronouns"], found["orders"]["cue after"]["moved"] = None, None
    found["measures"], found["orders"]["cue after"]["measures"] = {}, {}
    return found


_PARTS = {"chosen_on": 12, "judged_on": 12}


@cache
def many() -> Findings:
    """1,500 pairs, each with maps: more than a page may hold."""
    return findings(1500, maps=1500)
