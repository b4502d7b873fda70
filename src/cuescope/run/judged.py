"""The pairs of a document as judged pairs again, so that any measure can be taken of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cuescope.data.items import Item, Pair
from cuescope.gender.reading import Evidence, Reading
from cuescope.measures.verdict import JudgedPair, Verdict
from cuescope.run.findings import PairOf, TwinOf


def judged(pair: PairOf) -> JudgedPair:
    """A pair with the verdicts on its twins, as the document tells them."""
    pro, anti = (_verdict(pair, twin) for twin in pair["twins"])
    return Pair(pro.item, anti.item, pair["index"]), pro, anti


def _verdict(pair: PairOf, twin: TwinOf) -> Verdict:
    told: Any = twin
    gender: Any = pair["stereotype"]
    item = Item(
        twin["source"],
        tuple(told["focus"]),
        tuple(told["cue"]) if twin["cue"] else None,
        told["gold"],
        stereotype=gender,
        set=twin["set"],
        pair=pair["index"],
        noun=pair["noun"],
        template=pair.get("template") or "",
    )
    marks = tuple(Evidence(**mark) for mark in told["evidence"])
    wider = told["with_pronouns"]
    beyond = () if wider == told["gender"] else (Evidence("", 0, 0, "as told", wider),)
    span = tuple(told["span"]) if twin["span"] else None
    reading = Reading(told["gender"], twin["consistent"], marks, span, beyond)
    other = _other(item, twin)
    return Verdict(item, twin["translation"], reading, skipped=twin["skipped"], other=other)


def _other(item: Item, twin: TwinOf) -> Verdict | None:
    told: Any = twin.get("other")
    if not told:
        return None
    marks = tuple(Evidence(**mark) for mark in told["evidence"])
    span = tuple(told["span"]) if told["span"] else None
    focus = replace(item, focus=tuple(told["focus"]), noun=told["noun"], stereotype=None)
    reading = Reading(told["gender"], True, marks, span)
    return Verdict(focus, twin["translation"], reading, skipped=told["skipped"])
