"""Do the parts of findings fit each other? Of the right types they still may not: grids of another
size than the site, spans outside of their sentences."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from cuescope.data.items import GOLDS
from cuescope.errors import CueScopeError
from cuescope.measures.accuracy import GENDERS

_GRIDS = ("attention", "attention_at_noun", "effect", "attribution")
_WHO = ("all", "male", "female")
_VERSIONS = ("he", "she", "they")
_SITES, _SPOTS = ("encoder", "decoder", "cross"), ("cue", "noun", "end", "other")


def check(found: Any, where: str) -> None:
    """Raise at the first part that does not fit the others."""
    parts = (_sites(found["heads"]), _pairs(found), _certified(found), _confusion(found))
    for place, expected in chain(*parts, _circuit(found), _entropies(found)):
        raise CueScopeError(
            f"{where}: {place} does not fit the rest",
            expected=expected,
            found="something else",
            do="run `cuescope investigate` again",
        )


def _sites(heads: Any) -> Iterator[tuple[str, str]]:
    for story, sites in heads.items():
        for name, site in sites.items():
            size = (site["layers"], site["heads"])
            for measure in _GRIDS:
                for who, grid in (site[measure] or {}).items():
                    if not all(_sized(grid[part], size) for part in ("scores", "low", "high")):
                        yield f"{measure} ({who}) of {name}, {story}", f"{size[0]} × {size[1]}"
                if site[measure] is not None and set(site[measure]) != set(_WHO):
                    yield f"{measure} of {name}, {story}", f"a grid for {', '.join(_WHO)}"


def _sized(rows: Any, size: tuple[int, int]) -> bool:
    return len(rows) == size[0] and all(len(row) == size[1] for row in rows)


def _certified(found: Any) -> Iterator[tuple[str, str]]:
    known = found.get("certified")
    for name, ends in known["values"].items() if known else ():
        if len(ends) != 2:
            yield f"{name}, certified", "two ends"


def _confusion(found: Any) -> Iterator[tuple[str, str]]:
    for name, golds in found["confusion"].items():
        if len({tuple(readings) for readings in golds.values()}) > 1:
            yield f"the confusion table of {name}", "the same readings in each row"


def _circuit(found: Any) -> Iterator[tuple[str, str]]:
    known = found.get("circuit")
    if not known:
        return
    names = [one["name"] for one in known["heads"]]
    for one in known["heads"]:
        if one["site"] not in _SITES:
            yield f"the site of {one['name']} in the circuit", f"one of {', '.join(_SITES)}"
        if not all(set(spots) <= set(_SPOTS) for spots in one["looks"].values()):
            yield f"where {one['name']} looks", f"at {', '.join(_SPOTS)}"
    for edge in known["edges"]:
        if not {edge["sender"], edge["receiver"]} <= set(names):
            yield "a path of the circuit", "two of its heads"


def _entropies(found: Any) -> Iterator[tuple[str, str]]:
    study = found["uncertainty"]
    for name, one in study["measures"].items() if study else ():
        sizes = {version: len(values) for version, values in one["entropy"].items()}
        if sizes != dict.fromkeys(_VERSIONS, len(study["sets"])):
            yield f"the entropies ({name})", f"{', '.join(_VERSIONS)} of {len(study['sets'])} sets"


def _pairs(found: Any) -> Iterator[tuple[str, str]]:
    maps = len(found["maps"]["sentences"]) if found["maps"] else 0
    for number, pair in enumerate(found["pairs"]):
        if pair["map"] and not all(0 <= at < maps for at in pair["map"]):
            yield f"the map of pair {number}", f"two of {maps} maps"
        if len(pair["twins"]) != 2:
            yield f"pair {number}", "two twins"
        for twin in pair["twins"]:
            if twin["gold"] not in GOLDS:
                yield f"the gold gender of pair {number}", f"one of {', '.join(GOLDS)}"
            if not {twin["gender"], twin["with_pronouns"]} <= set(GENDERS):
                yield f"a reading of pair {number}", f"one of {', '.join(GENDERS)}"
            for name, text in (("focus", "source"), ("cue", "source"), ("span", "translation")):
                span = twin[name]
                if span is not None and not 0 <= span[0] <= span[1] <= len(twin[text]):
                    yield f"the {name} of pair {number}", "a place in its sentence"
