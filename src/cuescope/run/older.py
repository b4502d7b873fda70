"""Findings of an earlier release, read as those of this one: what they do not hold is said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# Without these a document is no run's findings.
NEEDED = ("version", "signature", "settings", "model", "data", "lang", "pairs")
# What may not be in a document yet: what stands in its place, and what it is in words.
DEFAULTS: dict[str, tuple[Callable[[], Any], str]] = {
    "guards": (list, "checks of the wrapped model"),
    "unfinished": (int, "count of translations cut off"),
    "unread": (str, ""),
    "accuracy": (dict, "accuracy"),
    "f1": (dict, "F1"),
    "confusion": (dict, "confusion table"),
    "measures": (dict, "measures of pairs"),
    "others_left_out": (dict, ""),  # the section on selectivity says it itself
    "selectivity": (lambda: None, ""),
    "circuit": (lambda: None, ""),
    "with_pronouns": (lambda: None, "second reading, with pronouns"),
    "orders": (dict, "numbers by order of noun and cue"),
    "heads": (dict, "heads by order of noun and cue"),
    "rule": (str, "rule for which heads carry the cue"),
    "cards": (list, "cards of the heads"),
    "blocks": (dict, ""),
    "redrawn": (
        lambda: "each sentence taken to stand alone",
        "word on what its intervals are over",
    ),
    "uncertainty": (lambda: None, "samples"),
    "maps": (lambda: None, "attention maps"),
    "notes": (list, ""),
}
_MPA = {"value": "mpa", "strict": "strict_mpa", "pro_f": "pro_f", "pro_m": "pro_m"}


def missing(found: dict[str, Any]) -> list[str]:
    """What a document must hold and does not."""
    return sorted(name for name in NEEDED if name not in found)


def opened(found: dict[str, Any], schema: int) -> dict[str, Any]:
    """A document of this release or an earlier one, whole; a note says what is not in it."""
    found = dict(found)
    if found["schema"] < 3:
        _to_3(found)
    _to_attribution(found.get("heads", {}))
    for pair in found["pairs"]:
        pair.setdefault("template", None)
        pair.setdefault("order", _order(pair))
        for twin in pair["twins"]:
            twin.setdefault("with_pronouns", twin["gender"])
    absent = [name for name in DEFAULTS if name not in found]
    for name in absent:
        found[name] = DEFAULTS[name][0]()
    if words := [DEFAULTS[name][1] for name in absent if DEFAULTS[name][1]]:
        found["notes"] = [*found["notes"], f"{_told(words)}{_mixed(found)}"]
    return {**found, "schema": schema}


def _to_attribution(heads: dict[str, Any]) -> None:
    """Attribution was once called gradient."""
    former = {"gradient": "attribution"}
    for site in (site for sites in heads.values() for site in sites.values()):
        if "gradient" in site:
            site["attribution"] = site.pop("gradient")
            for each in site["agreements"]:
                each["names"] = [former.get(name, name) for name in each["names"]]
            site["skipped"] = {former.get(n, n): why for n, why in site["skipped"].items()}


def _told(words: list[str]) -> str:
    *before, last = (f"no {word}" for word in words)
    listed = f"{', '.join(before)} and {last}" if before else last
    return f"This folder was written by an earlier release: it holds {listed}."


def _mixed(found: dict[str, Any]) -> str:
    """Schema 1 measured the heads over both orders together, which are two stories."""
    if found.pop("sites", None):
        return " Its heads were measured over both orders together, and are not shown."
    return ""


def _to_3(found: dict[str, Any]) -> None:
    """Until schema 2, MPA and ΔS stood under names of their own."""
    parts = found.pop("mpa", {})
    shift = found.pop("delta_s", None)
    made = {_MPA[name]: number for name, number in parts.items() if name in _MPA}
    if shift:
        made["delta_s"] = shift
    if made:
        found.setdefault("measures", _declared(made))
    for order in found.get("orders", {}).values():
        mine = order.pop("mpa", {})
        order.setdefault("measures", _declared({_MPA[name]: n for name, n in mine.items()}))


def _declared(numbers: dict[str, Any]) -> dict[str, Any]:
    from cuescope.measures.registry import known

    told = {one.name: {"label": one.label, "says": one.says, "unit": one.unit} for one in known()}
    return {name: {**number, **told[name]} for name, number in numbers.items()}


def _order(pair: dict[str, Any]) -> str | None:
    """Where the cue stands, seen from the noun."""
    twin = pair["twins"][0]
    if twin["cue"] is None:
        return None
    return "cue before" if twin["cue"][0] < twin["focus"][0] else "cue after"
