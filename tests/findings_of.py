"""Findings of any size and shape, made up but plausible: for report and compare, no model."""

from __future__ import annotations

import base64
import re
from collections import Counter
from functools import cache
from typing import Any

import numpy as np

from cuescope.data.items import Order
from cuescope.measures.card import Card, Check
from cuescope.measures.registry import known
from cuescope.run.findings import (
    SCHEMA,
    Agreement,
    BlocksOf,
    CardOf,
    Findings,
    GridOf,
    MapOf,
    Maps,
    MeasureOf,
    Number,
    OrderOf,
    PairOf,
    Site,
    TwinOf,
)
from cuescope.stats.value import Value

CUES = {"male": "he", "female": "she"}
NOUNS = {  # noun, its stereotype, the translation's forms: masculine, feminine
    "mechanic": ("male", "O mecânico", "A mecânica"),
    "nurse": ("female", "O enfermeiro", "A enfermeira"),
    "carpenter": ("male", "O carpinteiro", "A carpinteira"),
    "secretary": ("female", "O secretário", "A secretária"),
    "driver": ("male", "O motorista", "A motorista"),
    "clerk": ("female", "O escrivão", "A escrivã"),
}
ENDS = ("was late", "had a cold", "needed the money", "forgot the key", "lives nearby")
HOSTILE = (
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(2)><!--",
    "\"quotes\" & 'apostrophes' &amp; \\u003c \u2028 ${x}",
    "\u05d4\u05e8\u05d5\u05e4\u05d0\u05d4 \u0627\u0644\u0637\u0628\u064a\u0628\u0629 \u202e",
    "👩‍🔧🏳️‍🌈 e\u0301",
    "long " * 2000,
)


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
        _pair(i, rng, right, hostile, "cue before" if i >= pairs - before else "cue after")
        for i in range(pairs)
    ]
    shown = _maps(made[:maps], sites, carriers, rng) if maps and made else None
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
        "accuracy": {s: _accuracy(twins) for s, twins in golds.items()},
        "f1": {
            s: {
                "male": _share(7 * len(t), 10 * len(t)),
                "female": _share(len(t), 5 * len(t)),
                "delta_g": _share(len(t), 2 * len(t)),
            }
            for s, t in golds.items()
        },
        "confusion": {s: _confusion(twins) for s, twins in golds.items()},
        "measures": _measures(made),
        "with_pronouns": {
            "accuracy": {s: _accuracy(twins) for s, twins in golds.items()},
            "mpa": _share(len(both) + 1, len(made) + 1),
        }
        if pairs
        else None,
        "orders": {
            order: _order(some)
            for order in ("cue after", "cue before")
            if (some := [p for p in made if p["order"] == order]) or order == "cue after"
        },
        "heads": {
            order: {
                site: _site(site, shape, carriers.get(site, {}), rng, len(some))
                for site, shape in sites.items()
            }
            for order in ("cue after", "cue before")
            if (some := [p for p in made if p["order"] == order]) or order == "cue after"
        },
        "rule": "A head carries the cue if the one rule says so.",
        "cards": [
            _card(site, layer, head, hostile)
            for site in sites
            for layer, head in list(carriers.get(site, {}))[:4]
        ],
        "blocks": {"cue after": _blocks(pairs)} if carriers else {},
        "redrawn": "nouns are redrawn with all their sentences",
        "uncertainty": _uncertainty(min(pairs, 40), rng, hostile) if uncertainty else None,
        "certified": _certified(min(pairs, 40)) if uncertainty and pairs else None,
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


def number(
    value: float | None, low: float | None = None, high: float | None = None, n: int = 50
) -> Number:
    """A value with its interval, ±0.05 unless told."""
    if value is None:
        return {"value": None, "low": None, "high": None, "n": n}
    return {
        "value": value,
        "low": value - 0.05 if low is None else low,
        "high": value + 0.05 if high is None else high,
        "n": n,
    }


def _share(hits: int, n: int) -> Number:
    if not n:
        return {"value": None, "low": None, "high": None, "n": 0}
    p, spread = hits / n, 1.96 * (hits / n * (1 - hits / n) / n) ** 0.5
    return {"value": p, "low": max(0.0, p - spread), "high": min(1.0, p + spread), "n": n}


def _measures(pairs: list[PairOf]) -> dict[str, MeasureOf]:
    both = [p for p in pairs if all(t["correct"] for t in p["twins"])]
    female = sum(p["stereotype"] == "female" for p in both)
    strict = sum(all(t["consistent"] for t in p["twins"]) for p in both)
    shares = {
        "mpa": _share(len(both), len(pairs)),
        "strict_mpa": _share(strict, len(pairs)),
        "pro_f": _share(female, len(both)),
        "pro_m": _share(len(both) - female, len(both)),
    }
    if pairs:
        shares["delta_s"] = number(0.21, 0.17, 0.25, 2 * len(pairs))
    told = {one.name: one for one in known()}
    return {
        name: {
            **share,
            "label": told[name].label,
            "says": told[name].says,
            "unit": told[name].unit,
        }
        for name, share in shares.items()
    }


def _order(pairs: list[PairOf]) -> OrderOf:
    twins = [t for p in pairs for t in p["twins"]]
    n = len(pairs)
    return OrderOf(
        pairs=n,
        accuracy={s: _accuracy([t for t in twins if t["set"] == s]) for s in ("pro", "anti")},
        measures=_measures(pairs),
        moved=_share(n - n // 20, n) if n else None,
    )


def _accuracy(twins: list[TwinOf]) -> Any:
    def of(who: str) -> Number:
        chosen = [t["correct"] for t in twins if who in ("all", t["gold"])]
        return _share(sum(chosen), len(chosen))

    return {who: of(who) for who in ("all", "male", "female")}


def _confusion(twins: list[TwinOf]) -> dict[str, dict[str, int]]:
    counted = Counter((t["gold"], t["gender"]) for t in twins)
    genders = ("masculine", "feminine", "neutral", "unknown")
    return {g: {r: counted[g, r] for r in genders} for g in ("male", "female", "neutral")}


def _pair(index: int, rng: Any, right: float, hostile: bool, order: Order) -> PairOf:
    noun = list(NOUNS)[index % len(NOUNS)]
    stereotype, *forms = NOUNS[noun]
    end = ENDS[index // len(NOUNS) % len(ENDS)]
    drawn = rng.random()
    kind = "follows" if drawn < right else "unknown" if drawn > 0.97 else "stays"
    kind = "odd" if 0.9 < drawn <= 0.93 else kind
    nasty = HOSTILE[index % len(HOSTILE)] if hostile else ""
    twins = []
    for name in ("pro", "anti"):
        gold = stereotype if name == "pro" else {"male": "female", "female": "male"}[stereotype]
        source = f"{nasty}The {noun} called because {CUES[gold]} {end}."
        if order == "cue before":
            source = f"{nasty}Because {CUES[gold]} {end}, the {noun} called."
        focus = source.index(noun, len(nasty))
        cue = source.index(f" {CUES[gold]} ", len(nasty)) + 1
        sex = gold if kind == "follows" else stereotype if noun != "clerk" else "male"
        phrase = forms[0 if sex == "male" else 1]
        if kind == "odd" and name == "anti":
            phrase = f"{'A' if phrase[0] == 'O' else 'O'} {phrase[2:]}"
        translation = (
            f"{nasty}{phrase} ligou porque {'ele' if gold == 'male' else 'ela'} foi {end}."
        )
        gender = {"male": "masculine", "female": "feminine"}[sex]
        if kind == "unknown" and name == "anti":
            gender = "unknown"
        start = len(nasty)
        evidence = [
            (start, start + 1, "article"),
            (start + 2, start + len(phrase), "noun form"),
        ]
        found = gender != "unknown"
        twins.append(
            TwinOf(
                set=name,
                source=source,
                focus=(focus, focus + len(noun)),
                cue=(cue, cue + len(CUES[gold])),
                gold=gold,
                translation=translation,
                span=(start + 2, start + len(phrase)) if found else None,
                gender=gender,
                with_pronouns=gender,
                correct=gender == {"male": "masculine", "female": "feminine"}[gold],
                consistent=not (kind == "odd" and name == "anti"),
                evidence=[
                    {"start": a, "end": b, "word": translation[a:b], "rule": rule, "gender": gender}
                    for a, b, rule in (evidence if found else [])
                ],
                skipped="" if found else "the noun was not found",
            )
        )
    return PairOf(
        index=index,
        noun=noun,
        template=None,
        stereotype=stereotype,
        order=order,
        twins=twins,
        map=None,
    )


def _grid(values: Any, n: int, unit: Any, threshold: float | None = None) -> GridOf:
    if not n:
        empty: Any = [[None] * values.shape[1] for _ in values]
        return GridOf(scores=empty, low=empty, high=empty, n=0, unit=unit, threshold=None)
    spread = 0.01 + 0.1 * np.abs(values)
    low, high = (values - spread).round(4).tolist(), (values + spread).round(4).tolist()
    return GridOf(
        scores=values.round(4).tolist(), low=low, high=high, n=n, unit=unit, threshold=threshold
    )


def _site(name: str, shape: tuple[int, int], carriers: Any, rng: Any, pairs: int) -> Site:
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


def _card(site: str, layer: int, head: int, hostile: bool) -> CardOf:
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


def _blocks(pairs: int) -> BlocksOf:
    kinds = [("encoder feed-forward", "all"), ("encoder stream", "noun")]
    return {
        "pairs": pairs,
        "blocks": [
            {"site": site, "layer": layer, "where": where, "restored": number(0.1 * layer)}
            for site, where in kinds
            for layer in range(3)
        ],
    }


def _certified(sets: int) -> Any:
    values = {"ΔH": [-0.2, -0.1]}
    for at, version in enumerate(("he", "she", "they"), 1):
        values |= {f"P(feminine) {version}": [0.1 * at, 0.1 * at + 0.004]}
        values |= {f"H {version}": [0.2 * at, 0.2 * at + 0.02], f"norm-H {version}": [0.9, 1.1]}
    one = {"feminine": [0.1, 0.104], "masculine": [0.896, 0.9]}
    return {
        "width": 0.01,
        "epsilon": 0.02,
        "evaluations": 46.1,
        "sentences": 3 * sets,
        "exhausted": 1,
        "majority": 3 * sets,
        "values": values,
        "sets": [dict.fromkeys(("he", "she", "they"), one)] * sets,
        "signature": "model:test",
        "outside": 2,
    }


def _uncertainty(sets: int, rng: Any, hostile: bool) -> Any:
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


def _pieces(text: str) -> list[str]:
    """Words as sub-words; a long text is cut, as a model would."""
    return [f"▁{w}" for w in re.findall(r"\w+|[^\w\s]", text)[:40]] + ["</s>"]


def _maps(pairs: list[PairOf], sites: Any, carriers: Any, rng: Any) -> Maps:
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

    return MapOf(
        source=source,
        target=target,
        noun=at,
        cue=cue,
        steps=[1],
        encoder=drawn(len(source), "encoder"),
        cross=drawn(len(target), "cross"),
    )
