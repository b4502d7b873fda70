"""Do the parts of findings fit each other? Of the right types they still may not: grids of another
size than the site, spans outside of their sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cuescope.errors import CueScopeError

_GRIDS = ("attention", "attention_at_noun", "effect", "attribution")


def check(found: Any, where: str) -> None:
    """Raise at the first part that does not fit the others."""
    for place, expected in (*_sites(found["heads"]), *_pairs(found)):
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
                if site[measure] is not None and "all" not in site[measure]:
                    yield f"{measure} of {name}, {story}", "a grid for all"


def _sized(rows: Any, size: tuple[int, int]) -> bool:
    return len(rows) == size[0] and all(len(row) == size[1] for row in rows)


def _pairs(found: Any) -> Iterator[tuple[str, str]]:
    maps = len(found["maps"]["sentences"]) if found["maps"] else 0
    for number, pair in enumerate(found["pairs"]):
        if pair["map"] and not all(0 <= at < maps for at in pair["map"]):
            yield f"the map of pair {number}", f"two of {maps} maps"
        if len(pair["twins"]) != 2:
            yield f"pair {number}", "two twins"
        for twin in pair["twins"]:
            for name, text in (("focus", "source"), ("cue", "source"), ("span", "translation")):
                span = twin[name]
                if span is not None and not 0 <= span[0] <= span[1] <= len(twin[text]):
                    yield f"the {name} of pair {number}", "a place in its sentence"
