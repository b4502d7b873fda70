"""How sure a made-up model is: entropies and samples of contrast sets."""

from __future__ import annotations

from typing import Any

import numpy as np

from findings_pairs import HOSTILE, NOUNS, number


def uncertainty_of(sets: int, rng: Any, hostile: bool) -> Any:
    scale = {"he": 0.15, "she": 0.45, "they": 0.25}
    entropy = {v: rng.gamma(1.2, s / 1.2, sets).round(4).tolist() for v, s in scale.items()}
    entropy["he"] = [0.0 if rng.random() < 0.3 else h for h in entropy["he"]]
    mean = {v: float(np.mean(h)) if h else 0.0 for v, h in entropy.items()}
    values = {f"H {v}": number(m, m * 0.8, m * 1.2, sets) for v, m in mean.items()}
    total = sum(mean.values()) / 3 or 1.0
    values |= {
        f"norm-H {v}": number(m / total, m / total * 0.9, m / total * 1.1, sets)
        for v, m in mean.items()
    }
    sure = (mean["he"] + mean["she"]) / 2
    delta = (sure - mean["they"]) / ((sure + mean["they"]) / 2 or 1.0)
    values |= {
        f"H {v} − they": number(gap, gap - 0.05, gap + 0.05, sets)
        for v in ("he", "she")
        for gap in [mean[v] - mean["they"]]
    }
    gap = (mean["she"] - mean["he"]) / total
    values |= {
        "norm-H she − he": number(gap, gap - 0.1, gap + 0.1, sets),
        "H unambiguous": number(sure, sure * 0.85, sure * 1.15, sets),
        "H ambiguous": values["H they"],
        "ΔH": number(delta, delta - 0.12, delta + 0.12, sets),
        "ΔH, printed": number(delta, delta - 0.12, delta + 0.12, sets),
    }
    contrast = []
    for place in range(sets):
        noun = list(NOUNS)[place % len(NOUNS)]
        shares = {}
        for version, share in (("he", 0.03), ("she", 0.22), ("they", 0.1)):
            feminine = float(np.clip(rng.normal(share, 0.08), 0, 1).round(3))
            shares[version] = {"masculine": 1 - feminine, "feminine": feminine}
        texts = {v: f"The {noun} called because {v} left." for v in ("he", "she", "they")}
        if hostile:
            texts = {v: HOSTILE[place % len(HOSTILE)] + t for v, t in texts.items()}
        contrast.append(
            {
                "noun": noun,
                "template": None,
                "stereotype": NOUNS[noun][0],
                "texts": texts,
                "shares": shares,
            }
        )
    measure = {
        "part": "gender of the noun",
        "alpha": None,
        "certain": 3,
        "values": values,
        "entropy": entropy,
    }
    return {
        "samples": 128,
        "epsilon": 0.02,
        "measures": {"ge": measure},
        "feminine": {
            v: number(
                float(np.mean([c["shares"][v]["feminine"] for c in contrast])) if sets else None,
                n=sets,
            )
            for v in ("he", "she", "they")
        },
        "sets": contrast,
        "left_out": {"the cue is no pronoun": 12},
    }


def certified_of(sets: int) -> Any:
    values = {"ΔH": [-0.2, -0.1]}
    for at, version in enumerate(("he", "she", "they"), 1):
        values |= {f"P(feminine) {version}": [0.1 * at, 0.1 * at + 0.004]}
        values |= {f"H {version}": [0.2 * at, 0.2 * at + 0.02], f"norm-H {version}": [0.9, 1.1]}
    one = {"feminine": [0.1, 0.104], "masculine": [0.896, 0.9]}
    wide = {"feminine": [0.1, 0.22], "masculine": [0.78, 0.9]}
    return {
        "width": 0.01,
        "epsilon": 0.02,
        "evaluations": 46.1,
        "sentences": 3 * sets,
        "exhausted": 1,
        "majority": 3 * sets,
        "values": values,
        "sets": [{"he": wide, "she": one, "they": one}]
        + [dict.fromkeys(("he", "she", "they"), one)] * (sets - 1),
        "signature": "model:test",
        "outside": 2,
    }
