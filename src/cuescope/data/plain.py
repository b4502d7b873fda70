"""A user's own challenge set: TSV with a header, or JSON lines, with the same names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cuescope.data.contrast import pair
from cuescope.data.items import GOLDS, Item, Pairs, Span
from cuescope.data.pronouns import cue_spans
from cuescope.errors import CueScopeError
from cuescope.files import at, read_lines
from cuescope.files.documents import json_of, short

REQUIRED = ("text", "focus", "gold")
OPTIONAL = ("cue", "stereotype", "set", "pair", "noun", "lang", "template", "reference")


Bad = Callable[[str], None]  # told of what is skipped, with its place
Unfit = Callable[[str], str]  # why a sentence is of no use, if it is of none


def read(path: str | Path, bad: Bad | None = None, unfit: Unfit | None = None) -> list[Item]:
    """The items of a .tsv or .jsonl file; see docs/data.md.

    A row that cannot be read is an error, or, if `bad` is given, told and skipped; likewise a
    sentence that is `unfit`.
    """
    path = Path(path)
    rows = _json_rows(path, bad) if path.suffix in (".jsonl", ".json") else _tsv_rows(path, bad)
    found = []
    for number, (line, row) in enumerate(rows):
        with skipping(bad):
            made = item(row, line, number, path)
            if reason := unfit(made.text) if unfit else "":
                raise CueScopeError(f"{at(path, line)}: {reason}")
            found.append(made)
    return found


@contextmanager
def skipping(bad: Bad | None) -> Iterator[None]:
    """An error inside is told, if anyone wants to know; else it is an error."""
    try:
        yield
    except CueScopeError as error:
        if bad is None:
            raise
        bad(f"{error.what}{f', found {error.found}' if error.found else ''}")


def pairs(
    path: str | Path,
    *,
    all_pairs: bool = False,
    skip_bad: bool = False,
    unfit: Unfit | None = None,
) -> Pairs:
    """Items that share a `pair`, the one that follows the stereotype (or comes first) as `pro`."""
    said: list[str] = []
    bad = said.append if skip_bad else None
    made = paired(read(path, bad, unfit), path, all_pairs=all_pairs, bad=bad)
    made.bad = tuple(said)
    return made


def paired(
    items: Iterable[Item], path: str | Path, *, all_pairs: bool = False, bad: Bad | None = None
) -> Pairs:
    """Items that share a number, as pairs; `path` is where they stand."""
    grouped: dict[int, list[Item]] = {}
    for one in items:
        if one.pair is not None:
            grouped.setdefault(one.pair, []).append(one)
    found = []
    for index, members in sorted(grouped.items()):
        if len(members) != 2:
            with skipping(bad):
                raise CueScopeError(
                    f"{path}: pair {index} is not a pair",
                    expected="two items with this number",
                    found=f"{len(members)} (line{'s' * (len(members) > 1)} "
                    f"{', '.join(str(m.line + 1) for m in members)})",
                )
            continue
        pro, anti = sorted(members, key=lambda item: item.stereotyped == "anti")
        found.append(pair(pro, anti, index))
    return Pairs(found, all_pairs=all_pairs)


def _tsv_rows(path: Path, bad: Bad | None) -> list[tuple[int, dict[str, Any]]]:
    lines = read_lines(path)
    header = lines[0].split("\t") if lines else []
    check_names(header, path, 0)
    rows = []
    for number, line in enumerate(lines[1:], start=1):
        if not line.strip():
            continue
        columns = line.split("\t")
        with skipping(bad):
            if len(columns) != len(header):
                raise CueScopeError(
                    f"{at(path, number)}: wrong number of columns",
                    expected=f"{len(header)}: {', '.join(header)}",
                    found=str(len(columns)),
                )
            filled = zip(header, columns, strict=True)
            rows.append((number, {name: value for name, value in filled if value != ""}))
    return rows


def _json_rows(path: Path, bad: Bad | None) -> list[tuple[int, dict[str, Any]]]:
    rows = []
    for number, line in enumerate(read_lines(path)):
        if not line.strip():
            continue
        with skipping(bad):
            rows.append((number, _object(line, path, number)))
    return rows


def _object(line: str, path: Path, number: int) -> dict[str, Any]:
    row = json_of(line, f"{at(path, number)}: not JSON")
    if not isinstance(row, dict):
        raise CueScopeError(f"{at(path, number)}: not an object", found=line[:60])
    check_names(list(row), path, number)
    return {k: v for k, v in row.items() if v is not None}


def check_names(
    names: list[str], path: str | Path, number: int, needed: Sequence[str] = REQUIRED
) -> None:
    """Raise for a column that is missing, or that nobody knows."""
    known = (*REQUIRED, *OPTIONAL)
    missing = [name for name in needed if name not in names]
    strange = [name for name in names if name not in known]
    if missing or strange:
        raise CueScopeError(
            f"{at(path, number)}: {'missing' if missing else 'unknown'} column",
            expected=f"{', '.join(needed)}, and optionally "
            f"{', '.join(name for name in known if name not in needed)}",
            found=f"no {', '.join(missing)}" if missing else ", ".join(strange),
            do="see docs/data.md",
        )


def item(row: Mapping[str, Any], line: int, number: int, path: str | Path) -> Item:
    """An item from a row's columns."""
    missing = [name for name in REQUIRED if name not in row]
    if missing:
        raise CueScopeError(
            f"{at(path, line)}: {missing[0]} is empty",
            expected=", ".join(GOLDS) if missing[0] == "gold" else "a value",
            found="nothing",
        )
    for name in ("gold", "stereotype"):
        if name in row and not (isinstance(row[name], str) and row[name] in GOLDS):
            raise CueScopeError(
                f"{at(path, line)}: unknown {name}",
                expected=", ".join(GOLDS),
                found=short(row[name]),
            )
    if not isinstance(row["text"], str):
        raise CueScopeError(
            f"{at(path, line)}: text is no text", expected="a sentence", found=short(row["text"])
        )
    text = row["text"]
    focus = _span(row["focus"], text, "focus", path, line)
    if "cue" in row:
        cues: tuple[Span, ...] = (_span(row["cue"], text, "cue", path, line),)
    else:
        cues = cue_spans(text, focus, row["gold"])
    try:
        pair_number = int(row["pair"]) if "pair" in row else None
    except (TypeError, ValueError, OverflowError):
        raise CueScopeError(
            f"{at(path, line)}: pair is no number", expected="an integer", found=short(row["pair"])
        ) from None
    return Item(
        text=text,
        focus=focus,
        cue=cues[0] if cues else None,
        more_cues=cues[1:],
        gold=row["gold"],
        stereotype=row.get("stereotype"),
        set=str(row.get("set", "")),
        line=number,
        pair=pair_number,
        noun=str(row.get("noun", "")),
        lang=str(row.get("lang", "en")),
        template=str(row.get("template", "")),
        reference=str(row.get("reference", "")).strip(),
    )


def _span(given: Any, text: str, name: str, path: str | Path, line: int) -> Span:
    """Offsets as given, or where the given word stands, which must be once."""
    if isinstance(given, list) and len(given) == 2 and all(isinstance(x, int) for x in given):
        start, end = given
    elif offsets := re.fullmatch(r"(\d{1,9}):(\d{1,9})", str(given)):
        start, end = int(offsets[1]), int(offsets[2])
    else:
        places = [m.span() for m in re.finditer(rf"(?<!\w){re.escape(str(given))}(?!\w)", text)]
        if len(places) != 1:
            raise CueScopeError(
                f"{at(path, line)}: the {name} {short(given)} stands {len(places)} times",
                expected="once in the text",
                found=repr(text[:200]),
                do=f"give {name} as character offsets, start:end",
            )
        return places[0]
    if not 0 <= start < end <= len(text) or not text[start:end].strip():
        raise CueScopeError(
            f"{at(path, line)}: the {name} lies outside the text",
            expected=f"a word, 0 <= start < end <= {len(text)}",
            found=f"{start}:{end}",
        )
    return start, end
