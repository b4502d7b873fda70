"""WinoMT: three files, one line an item, `gender TAB index TAB sentence TAB noun`."""

from __future__ import annotations

import re
from pathlib import Path

from cuescope.data.contrast import pair
from cuescope.data.items import GOLDS, Gold, Item, Pair, Pairs, Span
from cuescope.data.pronouns import cue_spans
from cuescope.errors import CueScopeError
from cuescope.files import at, read_lines

FILES = {"reg": "en.txt", "pro": "en_pro.txt", "anti": "en_anti.txt"}
_OTHER: dict[Gold, Gold] = {"male": "female", "female": "male"}


def read(path: str | Path, name: str = "reg") -> list[Item]:
    """The items of one WinoMT file; a line that does not hold is an error with file and line."""
    return [_item(line, i, name, path) for i, line in enumerate(read_lines(path))]


def folder(path: str | Path) -> dict[str, list[Item]]:
    """The sets found in a WinoMT folder: reg, pro, anti.

    Items of reg take the stereotype of their sentence in pro or anti, where those are there.
    """
    place = Path(path)
    sets = {
        name: read(place / file, name) for name, file in FILES.items() if (place / file).exists()
    }
    if not sets:
        raise CueScopeError(
            f"no WinoMT in {place}",
            expected=f"at least one of {', '.join(FILES.values())}",
            found="none of them",
            do="name the folder that holds them, or run `cuescope data get winomt`",
        )
    known = {(i.text, i.noun): i.stereotype for s in ("pro", "anti") for i in sets.get(s, ())}
    if "reg" in sets:
        from dataclasses import replace

        sets["reg"] = [replace(i, stereotype=known.get((i.text, i.noun))) for i in sets["reg"]]
    return sets


def pairs(path: str | Path, *, all_pairs: bool = False) -> Pairs:
    """Line i of pro with line i of anti; pairs that are not minimal only with `all_pairs`."""
    sets = folder(path)
    for name in ("pro", "anti"):
        if name not in sets:
            raise CueScopeError(
                "minimal pairs need both twins",
                expected=FILES[name],
                found=f"no such file in {path}",
            )
    return Pairs(twins(sets["pro"], sets["anti"]), all_pairs=all_pairs)


def twins(pro: list[Item], anti: list[Item]) -> list[Pair]:
    """All pairs by line, each with the reason if it is not minimal."""
    if len(pro) != len(anti):
        raise CueScopeError(
            "pro and anti are not line by line",
            expected=f"{len(pro)} lines in each",
            found=f"{len(anti)} in anti",
            do="take both files from the same release",
        )
    return [pair(a, b, i) for i, (a, b) in enumerate(zip(pro, anti, strict=True))]


def _item(line: str, number: int, name: str, path: str | Path) -> Item:
    columns = line.split("\t")
    if len(columns) != 4:
        raise CueScopeError(
            f"{at(path, number)}: wrong number of columns",
            expected="gender, index, sentence, noun, separated by tabs",
            found=f"{len(columns)} columns: {line[:80]!r}",
        )
    gold, index, text, noun = columns
    if gold not in GOLDS:
        raise CueScopeError(
            f"{at(path, number)}: unknown gender", expected=", ".join(GOLDS), found=repr(gold)
        )
    focus = _focus(text, index, noun, path, number)
    cues = cue_spans(text, focus, gold)
    stereotype = gold if name == "pro" else _OTHER.get(gold) if name == "anti" else None
    return Item(
        text=text,
        focus=focus,
        cue=cues[0] if cues else None,
        more_cues=cues[1:],
        gold=gold,
        stereotype=stereotype,
        set=name,
        line=number,
        pair=number if name in ("pro", "anti") else None,
        noun=noun,
    )


def _focus(text: str, index: str, noun: str, path: str | Path, number: int) -> Span:
    """The noun's characters, from the index of its first word."""
    starts = [m.start() for m in re.finditer(r"\S+", text)]
    if index.isdigit() and int(index) < len(starts) and noun:
        start = starts[int(index)]
        end = start + len(noun)
        if text[start:end].lower() == noun.lower() and not text[end : end + 1].isalnum():
            return start, end
    words = text.split()
    there = words[int(index)] if index.isdigit() and int(index) < len(words) else "no such word"
    raise CueScopeError(
        f"{at(path, number)}: the index does not point at the noun",
        expected=f"{noun!r} at word {index} (from 0)",
        found=f"{there!r} in {text!r}",
        do="correct the index column",
    )
