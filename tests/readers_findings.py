"""Readers of what was found: findings in show, report and comparison, and kept scores."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cuescope as cs
from cuescope.commands.summary import show
from cuescope.run import findings
from cuescope.run.compare import side_by_side
from cuescope.run.kept_score import summed
from cuescope.run.release import versus
from cuescope.run.release.sides import opened
from cuescope.show.compare.page import page
from cuescope.show.compare.tables import tables
from cuescope.show.release.page import page as release_page
from cuescope.show.report import render
from findings_of import findings as found_of
from mutations import damaged, reshaped
from reader import Reader, file_in
from said_heads import off_target
from test_circuit import made_up
from test_older import of_schema_1, of_schema_2

Use = Callable[[Path, Path], object]  # of the folder with the damaged findings, and of another
SITES = {"encoder": (2, 2), "cross": (1, 2)}  # few heads: every kind of entry is met often
SET = "text\tfocus\tcue\tgold\tset\tpair\n" + "".join(
    f"The {noun} said that {cue} slept.\t{noun}\t{cue}\t{gold}\t{cue}\t{number}\n"
    for number, noun in enumerate(("cook", "nurse"))
    for gold, cue in (("male", "he"), ("female", "she"))
)
SAID = {
    "one.it": "Il cuoco dorme.\nLa cuoca dorme.\nL'infermiere dorme.\nL'infermiera dorme.\n",
    "two.it": "Il cuoco dorme.\nIl cuoco dorme.\nL'infermiere dorme.\nL'infermiera dorme.\n",
}


def kept_findings(folder: Path) -> Reader:
    """findings.json, with its checksum: what was written, or nothing."""
    findings.write(folder, found_of(6))
    truth = findings.read(folder)

    def read() -> None:
        assert findings.read(folder) == truth, "a number that was not written"

    return Reader(folder / findings.NAME, read)


def everything(seed: int = 0) -> Any:
    """Findings in which every part is there."""
    found: Any = found_of(4, sites=SITES, maps=1, seed=seed, before=1)
    off_target(found)
    found["circuit"] = made_up()
    return json.loads(json.dumps(found))


def findings_in(use: Use) -> Callable[[Path], Reader]:
    """Findings of another shape, of this release or an earlier one, without a checksum."""

    def make(folder: Path) -> Reader:
        told = everything()
        documents = [told, told, of_schema_1(told), of_schema_2(told)]
        path = file_in(folder / "one", findings.NAME, json.dumps(told))
        file_in(folder / "two", findings.NAME, json.dumps(everything(2)))

        def damage(rng: random.Random) -> bytes:
            return json.dumps(reshaped(rng.choice(documents), rng)).encode()

        return Reader(path, lambda: use(folder / "one", folder / "two"), damage)

    return make


def shown(one: Path, _: Path) -> None:
    """As `cuescope show` does."""
    from rich.console import Console

    show(findings.read(one), Console(file=io.StringIO()))


def reported(one: Path, _: Path) -> None:
    """As the report does."""
    render(findings.read(one)).encode()


def compared(one: Path, two: Path) -> None:
    """As `cuescope compare` does: tables, page, numbers."""
    from rich.console import Console

    found = side_by_side(one, two)
    for table in tables(found).values():
        Console(file=io.StringIO()).print(table.to_rich())
    page(found).encode()
    json.dumps(found.to_json(), ensure_ascii=False, allow_nan=False).encode()


def kept_score(folder: Path) -> Reader:
    """What `score --json` wrote, against another release: its bytes damaged, or its values."""
    data = file_in(folder, "mine.tsv", SET)
    for name, text in SAID.items():
        made = cs.score(str(data), {"": file_in(folder, name, text)}, "it")
        file_in(folder, f"{name[:3]}.json", json.dumps(made.to_json(), ensure_ascii=False))
    path = folder / "one.json"
    told = json.loads(path.read_text("utf-8"))
    whole = opened(path).score.to_json()

    def damage(rng: random.Random) -> bytes:
        if rng.random() < 0.3:
            return damaged(json.dumps(summed(told)).encode(), rng)
        return json.dumps(reshaped(told, rng)).encode()

    def read() -> None:
        one = opened(path)
        if "crc32" in json.loads(path.read_bytes()):
            assert one.score.to_json() == whole, "a number that was not written"
        found = versus(one, opened(folder / "two.json"))
        release_page([found]).encode()
        json.dumps(found.to_json(), ensure_ascii=False, allow_nan=False).encode()

    return Reader(path, read, damage)
