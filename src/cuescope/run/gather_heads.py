"""What the stages found of the heads, for each story by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any, cast

from cuescope.data.items import Order
from cuescope.measures.agreement import compare, halves
from cuescope.measures.carriers import Carrier, carriers, enough
from cuescope.run.findings import Agreement, GridOf, Number, Site, Story, Together, number
from cuescope.stats.scores import Scores, both_ways

if TYPE_CHECKING:
    from cuescope.run.run import Run

_WAYS = ("effect", "attribution")
_COMPARED = (("attention", "effect"), ("attribution", "effect"), ("attention", "attribution"))
_LEAST = 4  # pairs, to be halved
AT_NOUN = "cross noun"  # attention in cross at the steps that emit the noun


def heads_of(run: Run, parts: Mapping[str, Any]) -> dict[Story, dict[str, Site]]:
    """By story and site; the rule for carrying is applied to all heads of all of them at once."""
    sites = [site for site in run.settings.sites if site in run.mt.sites]
    pairs = run.small.stories
    found = {(s, site): _measured(parts, pairs[s], site) for s in pairs for site in sites}
    effects = {key: made["effect"]["all"] for key, made in found.items() if "effect" in made}
    judged = carriers(effects)
    return {
        story: {
            site: _site(run, parts, story, site, found[story, site], judged.get((story, site), []))
            for site in sites
        }
        for story in pairs
    }


def moved_of(parts: Mapping[str, Any], order: Order) -> Number | None:
    """How often the cue moves the choice its way, over the pairs of the site that has most."""
    ways = [way["male"] for way in (parts.get("effect") or {}).values() if isinstance(way, dict)]
    some = [one.where(order=order) for one in ways if (one.rows["order"] == order).any()]
    return number(max(some, key=len).moved()) if some else None


def _measured(parts: Mapping[str, Any], pairs: Collection[int], site: str) -> dict[str, Any]:
    """Scores by measure and by gender, of some pairs; what was not measured is not there."""
    made: dict[str, Any] = {}
    for name in _WAYS:
        way = (parts.get(name) or {}).get(site)
        if isinstance(way, dict):
            some = {into: _of(scores, pairs) for into, scores in way.items()}
            if all(map(len, some.values())):
                made[name] = {"all": both_ways(**some), **some}
    looks = parts.get("attention") or {}
    for name, key in (("attention", site), ("attention_at_noun", AT_NOUN)):
        scores = looks.get(key) if name == "attention" or site == "cross" else None
        if isinstance(scores, Scores) and len(chosen := _of(scores, pairs)):
            made[name] = {"all": chosen, **chosen.split("gold")}
    return made


def _of(scores: Scores, pairs: Collection[int]) -> Scores:
    return scores.take(scores.rows["pair"].isin(list(pairs)).to_numpy())


def _site(
    run: Run,
    parts: Mapping[str, Any],
    story: Story,
    site: str,
    found: Mapping[str, Any],
    judged: list[Carrier],
) -> Site:
    grids: dict[str, Any] = {
        name: {who: grid(one.by_pair() if who == "all" else one) for who, one in by.items()}
        for name, by in found.items()
    }
    means = {name: by["all"] for name, by in found.items()}
    effect = means.get("effect")
    taken: Any = (parts.get("together") or {}).get((site, story))
    return {
        "layers": run.mt.sites[site][0],
        "heads": run.mt.sites[site][1],
        "attention": grids.get("attention"),
        "attention_at_noun": grids.get("attention_at_noun"),
        "effect": grids.get("effect"),
        "attribution": grids.get("attribution"),
        "carrying": {one.name: one.word for one in judged if one.word != "little"},
        "enough": effect is not None and enough(effect),
        "agreements": [
            _agreement((a, b), "choice" if "attention" in (a, b) and site == "cross" else "", made)
            for a, b in _COMPARED
            if (made := _compared(means.get(a), means.get(b), judged)) is not None
        ]
        + _at_noun(means, judged),
        "halves": _halves(effect),
        "together": cast(Together, taken) if isinstance(taken, dict) else None,
        "skipped": {
            name: _skipped(run, name, site, one)
            for name, one in means.items()
            if name != "attention_at_noun"
        },
    }


def _skipped(run: Run, name: str, site: str, scores: Scores) -> dict[str, int]:
    """Why sentences (or pairs) of the whole run have no value."""
    if name != "attention":
        before = Counter(run.twins.skipped)
    elif site == "cross":  # at the choice: both sentences of a pair without one
        before = Counter({why: 2 * n for why, n in run.twins.skipped.items()})
    else:
        before = Counter(run.subjects.skipped)
    return dict(Counter(scores.skipped) + before)


def _compared(a: Scores | None, b: Scores | None, judged: list[Carrier]) -> Any:
    if a is None or b is None:
        return None
    return compare(a, b, carriers=[(one.layer, one.head) for one in judged if one.carries])


def _at_noun(means: Mapping[str, Scores], judged: list[Carrier]) -> list[Agreement]:
    """Paper A's own cells against the effect, which falls at another step."""
    found = _compared(means.get("attention_at_noun"), means.get("effect"), judged)
    return [_agreement(("attention", "effect"), "noun", found)] if found is not None else []


def _agreement(names: tuple[str, str], at: str, found: Any) -> Agreement:
    facts = {name: getattr(found, name) for name in ("rho", "low", "high", "ceiling", "r", "auc")}
    known: Any = {name: value if isfinite(value) else None for name, value in facts.items()}
    made: Any = {
        "names": names,
        "at": at,
        **known,
        "over": "heads" if isfinite(found.low) else "",
        "carriers": found.ranks,
        "heads": len(found.heads),
        "n": found.n,
    }
    shaped: Agreement = made
    return shaped


def _halves(effect: Scores | None) -> Number | None:
    """ρ between halves: its bounds hold most of the splits, its n is their number."""
    if effect is None or len(effect) < _LEAST:
        return None
    found = halves(effect)
    if not isfinite(found.value):
        return None
    return {"value": found.value, "low": found.low, "high": found.high, "n": found.splits}


def grid(scores: Scores) -> GridOf:
    """The mean of scores as plain JSON."""
    made = scores.mean().to_json()
    wanted = ("scores", "low", "high", "n", "unit", "threshold")
    found: Any = {name: made[name] for name in wanted}
    shaped: GridOf = found
    return shaped
