"""From a run's measures to its findings: the one document that report and compare read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from cuescope._version import __version__
from cuescope.data.items import ORDERS, Order
from cuescope.measures.carriers import RULE
from cuescope.measures.other_noun import left_out
from cuescope.measures.relative import of_means
from cuescope.measures.verdict import Verdict, evidence
from cuescope.run.findings import (
    SCHEMA,
    CircuitOf,
    Entropies,
    Findings,
    Number,
    OrderOf,
    OtherOf,
    PairOf,
    TwinOf,
    UncertaintyOf,
    WithPronouns,
    measures,
    number,
)
from cuescope.run.findings_exact import CertifiedOf
from cuescope.run.gather_heads import heads_of, moved_of
from cuescope.run.others import selectivity_of
from cuescope.run.study import VERSIONS, Study
from cuescope.stats.intervals import PART, Clusters

if TYPE_CHECKING:
    from cuescope.gender.reading import By
    from cuescope.run.run import Run
    from cuescope.run.score import Score


def gather(run: Run, parts: Mapping[str, Any]) -> Findings:
    """All that the stages found; what they did not measure is null or empty."""
    score, mt = run.score, run.mt
    uncertainty: Any = parts.get("uncertainty")
    maps: Any = parts.get("maps")
    cards: Any = parts.get("card")
    circuit: Any = parts.get("circuit")
    flow: CircuitOf | None = None if isinstance(circuit, str) else circuit
    shown = maps["pairs"] if isinstance(maps, dict) else {}
    return {
        "schema": SCHEMA,
        "version": __version__,
        "signature": str(run.facts(**run.settings.numbers())),
        "settings": run.settings.to_json(),
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
        "unread": run.unread,
        "accuracy": {} if run.unread else _accuracy(score),
        "f1": {
            name: {who: number(value) for who, value in score.f1(name).items()}
            for name in ([] if run.unread else score.sets)
        },
        "confusion": {
            name: {
                gold: {str(k): n for k, n in row.items()}
                for gold, row in score.confusion(name).items()
            }
            for name in ([] if run.unread else score.sets)
        },
        "measures": measures(score.measures()),
        "others_left_out": dict(left_out(score.kept)),
        "circuit": flow,
        "selectivity": selectivity_of(run, parts.get("others") or {}),
        "with_pronouns": _with_pronouns(score),
        "orders": _orders(run, parts),
        "heads": heads_of(run, parts),
        "rule": RULE,
        "cards": cards["cards"] if isinstance(cards, dict) else [],
        "blocks": cards["blocks"] if isinstance(cards, dict) else {},
        "redrawn": _redrawn(run),
        "uncertainty": None if isinstance(uncertainty, str) else uncertainty,
        "certified": _certified(parts.get("exact"), uncertainty),
        "pairs": list(_pairs(run, shown)),
        "maps": maps["maps"] if isinstance(maps, dict) else None,
        "notes": list(dict.fromkeys(_notes(parts, run.unread))),
    }


def _accuracy(score: Score, reading: By = "phrase") -> Any:
    return {
        name: {who: number(value) for who, value in score.accuracy(name, reading).items()}
        for name in score.sets
    }


def _with_pronouns(score: Score) -> WithPronouns | None:
    wide = score.mpa_with_pronouns
    if wide is None:
        return None
    return {"accuracy": _accuracy(score, "pronouns"), "mpa": number(wide.value)}


def _orders(run: Run, parts: Mapping[str, Any]) -> dict[Order, OrderOf]:
    """Each order of noun and cue that the pairs have, by itself."""
    found: dict[Order, OrderOf] = {}
    for order in ORDERS:
        small = run.of_order(order)
        if small is not None:
            found[order] = {
                "pairs": len(small.pairs),
                "accuracy": {} if run.unread else _accuracy(small.score),
                "measures": measures(small.score.measures()),
                "moved": moved_of(parts, order),
            }
    return found


def _redrawn(run: Run) -> str:
    """What the intervals are over, in words."""
    over = Clusters.of(p.pro for p in run.pairs).over if run.unread else run.mpa().value.over
    alone = "each pair is taken to stand alone"
    shared = f"by a jackknife over what sentences share ({over} in the pairs)"
    return shared if over else alone


def _notes(parts: Mapping[str, Any], unread: str) -> Iterator[str]:
    """What could not be measured, and why; what is for want of rules `unread` tells once."""
    patched = any(isinstance(way, dict) for way in (parts.get("effect") or {}).values())
    follow = ("together", "card", "circuit") if unread and not patched else ()
    for note in _all_notes({stage: part for stage, part in parts.items() if stage not in follow}):
        if not unread or unread not in note:
            yield note


_MEASURED = {  # stages that people do not know by name
    "effect": "patching",
    "together": "the smallest set of heads",
    "card": "checks of a head",
    "circuit": "paths between the heads",
    "uncertainty": "entropies",
    "exact": "certified probabilities",
}


def _all_notes(parts: Mapping[str, Any]) -> Iterator[str]:
    for stage, part in parts.items():
        what = f"Not measured: {_MEASURED.get(stage, stage)}"
        if isinstance(part, str):
            yield f"{what}: {part}"
        elif stage == "card":
            yield from (f"{what}, {note}" for note in part["notes"])
        elif stage in ("attention", "effect", "attribution", "together"):
            for site, found in part.items():
                if isinstance(found, str):
                    where = ", ".join(site) if isinstance(site, tuple) else site
                    yield f"{what}, {where}: {found}"


def uncertainty_of(study: Study, left_out: Counter[str]) -> UncertaintyOf:
    """A study as plain JSON."""
    shares = study.measured.get("ge")
    return {
        "samples": int(study.signature["samples"]),
        "epsilon": float(study.signature["epsilon"]),
        "measures": {name: _entropies(study, name) for name in study.measured},
        "feminine": _feminine(study),
        "sets": [
            {
                "noun": one.they.noun,
                "template": one.they.template or None,
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


def _certified(exact: Any, study: Any) -> CertifiedOf | None:
    """What was enumerated, and how the samples of the same sentences lie to it."""
    if not isinstance(exact, dict):
        return None
    known = cast("CertifiedOf", exact)
    if isinstance(study, dict) and len(study["sets"]) == len(known["sets"]):
        known = {**known, "outside": _outside(known, cast("UncertaintyOf", study))}
    return known


def _outside(certified: CertifiedOf, study: UncertaintyOf) -> int:
    """Sentences whose sampled share of feminine lies further from its interval than 95 % chance."""
    found = 0
    for bounds, drawn in zip(certified["sets"], study["sets"], strict=True):
        for version, shares in drawn["shares"].items():
            low, high = bounds[version]["feminine"]
            end = min(max(shares.get("feminine", 0.0), low), high)
            error = np.sqrt(max(end * (1 - end), 1 / study["samples"]) / study["samples"])
            found += bool(abs(shares.get("feminine", 0.0) - end) > 1.96 * error)
    return found


def _feminine(study: Study) -> dict[str, Number]:
    """The mean share of feminine samples by version, if the samples' gender was read."""
    shares = study.measured.get("ge")
    if not shares:
        return {}
    rows = np.array([one.shares.get("feminine", 0.0) for one in shares]).reshape(-1, len(VERSIONS))
    shared = Clusters.of(one.they for one in study.sets)
    made = {}
    for at, version in enumerate(VERSIONS):
        mine = rows[:, [at]]
        value = of_means(version, mine, lambda means: means[..., 0], shared, bounds=PART)
        made[version] = number(value)
    return made


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
            "template": pair.pro.template or None,
            "stereotype": pair.pro.stereotype,
            "order": pair.pro.order,
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
        "with_pronouns": reading.with_pronouns,
        "correct": verdict.correct,
        "consistent": verdict.consistent,
        "evidence": marks,
        "skipped": verdict.skipped,
        "other": _other(verdict.other) if verdict.other else None,
    }


def _other(verdict: Verdict) -> OtherOf:
    marks: list[Any] = evidence(verdict.reading)
    return {
        "noun": verdict.item.noun,
        "focus": verdict.item.focus,
        "span": verdict.reading.span,
        "gender": verdict.reading.gender,
        "evidence": marks,
        "skipped": verdict.skipped,
    }
