"""The findings as the page's scripts read them: rows instead of names, and no more than fits."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

from cuescope.run.findings import EvidenceOf, Findings, Maps, PairOf, TwinOf
from cuescope.show.report.page import embed
from cuescope.show.report.verdicts import VERDICTS, verdict
from cuescope.stats.palette import SCALES

ROOM = 4_200_000  # bytes for the data, so that the page stays under 5 MB


class _Names:
    """Texts that come again and again, each told once."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        return self.places.setdefault(text, len(self.places))


def packed(findings: Findings, room: int = ROOM) -> tuple[dict[str, Any], str]:
    """The data of the page, and a word on the maps that had to be left out, if any."""
    names = _Names()
    pairs = [_pair(pair, names) for pair in findings["pairs"]]
    study = findings["uncertainty"]
    data: dict[str, Any] = {
        "heads": findings["heads"],
        "uncertainty": study
        and {
            "measures": study["measures"],
            "sets": study["sets"],
            "feminine": study.get("feminine", {}),
        },
        "scales": SCALES,
        "verdicts": {name: words[0] for name, words in VERDICTS.items()},
        "names": list(names.places),
        "pairs": pairs,
        "maps": None,
    }
    if findings["maps"] is None or not findings["maps"]["sentences"]:
        return data, ""
    maps, left = fitted(findings["maps"], room - len(embed(data).encode()))
    data["maps"] = maps
    if maps is not None and (kept := len(maps["sentences"])) < len(findings["maps"]["sentences"]):
        for row in pairs:
            row[4] = row[4] if row[4] and max(row[4]) < kept else None
    return data, left


def _pair(pair: PairOf, names: _Names) -> list[Any]:
    stereotype = names(pair["stereotype"]) if pair["stereotype"] else None
    twins = [_twin(twin, pair["stereotype"], names) for twin in pair["twins"]]
    order = names(pair["order"]) if pair["order"] else None
    return [
        pair["index"],
        pair["noun"],
        stereotype,
        names(verdict(pair)),
        pair["map"],
        twins,
        order,
    ]


def _twin(twin: TwinOf, stereotype: str | None, names: _Names) -> list[Any]:
    side = {None: "", twin["gold"]: "pro"}.get(stereotype, "anti")
    told = " ".join(dict.fromkeys(filter(None, (side, twin["set"]))))
    return [
        names(told),
        twin["source"],
        twin["focus"],
        twin["cue"],
        names(twin["gold"]),
        twin["translation"],
        twin["span"],
        names(twin["gender"]),
        int(twin["correct"]),
        int(twin["consistent"]),
        [_evidence(e, twin["translation"], names) for e in twin["evidence"]],
        names(twin["skipped"]),
    ]


def _evidence(one: EvidenceOf, text: str, names: _Names) -> list[Any]:
    """The word is told only where it is not what stands there: the article in a contraction."""
    row: list[Any] = [one["start"], one["end"], names(one["rule"]), names(one["gender"])]
    return row if one["word"] == text[one["start"] : one["end"]] else [*row, one["word"]]


def fitted(maps: Maps, room: int) -> tuple[Maps | None, str]:
    """As many heads as fit for all sentences, at least four a site; then as many sentences."""
    total, heads = len(maps["sentences"]), max(map(len, maps["heads"].values()), default=0)
    for most in range(heads, 3, -1):
        fewer = _with(maps, most)
        if size(fewer) <= room:
            left = f"the {most} strongest heads of each site" if most < heads else ""
            return fewer, f"To keep the file small, it holds {left}." if left else ""
    fewer = _with(maps, min(heads, 4))
    count = len(fewer["sentences"])
    while count and size({**fewer, "sentences": fewer["sentences"][:count]}) > room:
        count = count * 3 // 4 // 2 * 2  # both twins of a pair, or neither
    if not count:
        return None, "The attention maps are left out: the file would be too large."
    told = f"{count:,} of {total:,} sentences and the four strongest heads of each site"
    return (
        {**fewer, "sentences": fewer["sentences"][:count]},
        f"To keep the file small, it holds the attention of {told}.",
    )


def size(maps: Maps) -> int:
    """About how many bytes the maps take."""
    texts = 0
    for one in maps["sentences"]:
        pieces = sum(len(piece.encode()) + 3 for piece in (*one["source"], *one["target"]))
        texts += pieces + len(one["encoder"]) + len(one["cross"]) + 120
    return texts


def _with(maps: Maps, most: int) -> Maps:
    """The maps of the first heads of each site."""
    have = maps["heads"]
    if all(len(heads) <= most for heads in have.values()):
        return maps
    sentences = []
    for one in maps["sentences"]:
        n, m = len(one["source"]), len(one["target"])
        cells = {"encoder": n * n, "cross": m * n}
        cut = {site: _cut(one[site], most * cells[site]) for site in ("encoder", "cross")}  # type: ignore[literal-required]
        sentences.append({**one, **cut})
    shown: dict[str, Sequence[tuple[int, int]]] = {s: heads[:most] for s, heads in have.items()}
    return {"heads": shown, "sentences": sentences}  # type: ignore[typeddict-item]


def _cut(text: str, most: int) -> str:
    return base64.b64encode(base64.b64decode(text)[:most]).decode()
