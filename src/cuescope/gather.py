"""From a run's measures to its findings: the one document that report and compare read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any

from cuescope import __version__
from cuescope.comparison import compare, halves
from cuescope.findings import (
    SCHEMA,
    Agreement,
    Entropies,
    Findings,
    GridOf,
    PairOf,
    Site,
    TwinOf,
    UncertaintyOf,
    number,
)
from cuescope.judge import Verdict, evidence
from cuescope.scores import Scores, both_ways
from cuescope.uncertainty import VERSIONS, Study

if TYPE_CHECKING:
    from cuescope.run import Run


def gather(run: Run, parts: Mapping[str, Any]) -> Findings:
    """All that the stages found; what they did not measure is null or empty."""
    score, mt = run.score, run.mt
    accuracy: Any = run.accuracy()
    uncertainty: Any = parts.get("uncertainty")
    maps: Any = parts.get("maps")
    shown = maps["pairs"] if isinstance(maps, dict) else {}
    return {
        "schema": SCHEMA,
        "version": __version__,
        "signature": str(run.facts()),
        "settings": run.settings.told(),
        "model": {
            "name": mt.name,
            "under": run.signature.get("under", ""),
            "src": mt.src or "",
            "tgt": mt.tgt or run.lang,
            "family": mt.family.name,
            "parameters": sum(p.numel() for p in mt.engine.module.parameters()),
            "sites": dict(mt.sites),
            "weights": mt.signature["weights"],
        },
        "data": {
            "name": run.settings.data,
            "pairs": len(run.pairs),
            "sentences": len({item.text for pair in run.pairs for item in pair}),
            "left_out": dict(run.left_out),
        },
        "lang": run.lang,
        "guards": parts.get("check") or [],
        "unfinished": run.unfinished,
        "accuracy": {
            name: {who: number(value) for who, value in values.items()}
            for name, values in accuracy.items()
        },
        "f1": {
            name: {who: number(value) for who, value in score.f1(name).items()}
            for name in score.sets
        },
        "confusion": {
            name: {
                gold: {str(k): n for k, n in row.items()}
                for gold, row in score.confusion(name).items()
            }
            for name in score.sets
        },
        "mpa": {
            name: number(getattr(run.mpa(), name)) for name in ("value", "strict", "pro_f", "pro_m")
        },
        "delta_s": number(score.delta_s()) if {"pro", "anti"} <= set(score.sets) else None,
        "sites": {site: _site(run, site, parts) for site in run.settings.sites if site in mt.sites},
        "uncertainty": None if isinstance(uncertainty, str) else uncertainty,
        "pairs": list(_pairs(run, shown)),
        "maps": maps["maps"] if isinstance(maps, dict) else None,
        "notes": list(dict.fromkeys(_notes(parts))),
    }


def _notes(parts: Mapping[str, Any]) -> Iterator[str]:
    """What could not be measured, and why."""
    for stage, part in parts.items():
        if isinstance(part, str):
            yield f"{stage}: {part}"
        elif stage in ("attention", "effect", "gradient", "together"):
            for site, found in part.items():
                if isinstance(found, str):
                    yield f"{stage}, {site}: {found}"


def grid(scores: Scores) -> GridOf:
    """The mean of scores as plain JSON."""
    made = scores.mean().to_json()
    return {
        "scores": made["scores"],
        "low": made["low"],
        "high": made["high"],
        "n": made["n"],
        "unit": made["unit"],
        "threshold": made["threshold"],
    }


def _site(run: Run, site: str, parts: Mapping[str, Any]) -> Site:
    """What is known of a site: grids by gender, how the measures agree, the smallest set."""
    found: dict[str, Any] = {
        name: (parts.get(name) or {}).get(site) for name in ("attention", "effect", "gradient")
    }
    looks = found["attention"] if isinstance(found["attention"], Scores) else None
    ways: dict[str, Any] = {
        name: found[name] for name in ("effect", "gradient") if isinstance(found[name], dict)
    }
    means = {name: both_ways(**way) for name, way in ways.items()}
    if looks is not None:
        means["attention"] = looks
    grids: dict[str, Any] = {
        name: {"all": grid(means[name]), **{into: grid(one) for into, one in way.items()}}
        for name, way in ways.items()
    }
    if looks is not None:
        golds = looks.split("gold")
        split = {who: grid(golds[who]) for who in ("male", "female") if who in golds}
        grids["attention"] = {"all": grid(looks.by_pair()), **split}
    taken = (parts.get("together") or {}).get(site)
    carried = means.get("effect")
    return {
        "layers": run.mt.sites[site][0],
        "heads": run.mt.sites[site][1],
        "attention": grids.get("attention"),
        "effect": grids.get("effect"),
        "gradient": grids.get("gradient"),
        "agreements": [
            _agreement((a, b), means[a], means[b])
            for a, b in (("attention", "effect"), ("gradient", "effect"), ("attention", "gradient"))
            if a in means and b in means
        ],
        "halves": halves(carried).number() if carried is not None and len(carried) > 3 else None,
        "together": taken if isinstance(taken, list) else [],
        "skipped": {
            name: dict(
                Counter(one.skipped)
                + Counter((run.subjects if name == "attention" else run.twins).skipped)
            )
            for name, one in means.items()
        },
    }


def _agreement(names: tuple[str, str], a: Scores, b: Scores) -> Agreement:
    found = compare(a, b)
    rho, low, high = (x if isfinite(x) else None for x in (found.rho, found.low, found.high))
    return {"names": names, "rho": rho, "low": low, "high": high, "n": found.n}


def uncertainty_of(study: Study, left_out: Counter[str]) -> UncertaintyOf:
    """A study as plain JSON."""
    shares = study.measured.get("ge")
    return {
        "samples": int(study.signature["samples"]),
        "epsilon": float(study.signature["epsilon"]),
        "measures": {name: _entropies(study, name) for name in study.measured},
        "sets": [
            {
                "noun": one.they.noun,
                "template": one.they.template,
                "stereotype": one.they.stereotype,
                "texts": {v: item.text for v, item in zip(VERSIONS, one, strict=True)},
                "shares": {
                    version: {str(k): float(v) for k, v in shares[3 * at + n].shares.items()}
                    for n, version in enumerate(VERSIONS)
                }
                if shares
                else {},
            }
            for at, one in enumerate(study.sets)
        ],
        "left_out": dict(left_out),
    }


def _entropies(study: Study, name: str) -> Entropies:
    first, table = study.measured[name][0], study.entropies(name)
    return {
        "part": first.part,
        "alpha": first.alpha,
        "certain": study.certain(name),
        "values": {label: number(value) for label, value in study.values[name].items()},
        "entropy": {version: table[:, n].tolist() for n, version in enumerate(VERSIONS)},
    }


def _pairs(run: Run, shown: Mapping[str, tuple[int, int]]) -> Iterator[PairOf]:
    for pair, (pro, anti) in zip(run.pairs, run.verdicts, strict=True):
        yield {
            "index": pair.index,
            "noun": pair.pro.noun,
            "template": pair.pro.template,
            "stereotype": pair.pro.stereotype,
            "twins": [_twin(pro), _twin(anti)],
            "map": shown.get(str(pair.index)),
        }


def _twin(verdict: Verdict) -> TwinOf:
    item, reading = verdict.item, verdict.reading
    marks: list[Any] = evidence(reading)
    return {
        "set": item.stereotyped or "other",
        "source": item.text,
        "focus": item.focus,
        "cue": item.cue,
        "gold": item.gold,
        "translation": verdict.translation,
        "span": reading.span,
        "gender": reading.gender,
        "correct": verdict.correct,
        "consistent": verdict.consistent,
        "evidence": marks,
        "skipped": verdict.skipped,
    }
