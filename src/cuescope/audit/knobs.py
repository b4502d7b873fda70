"""The knobs that make translation faster (paper D), alone and stacked, for one model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from cuescope.errors import CueScopeError

Engine = Literal["float32", "bfloat16", "int8", "ctranslate2", "bergamot"]
Table = Literal["alone", "stacked"]
BITS = (8, 6, 4)
GRIDS = {"full": "every knob", "small": "bs=1, int8 and CTranslate2: for larger models"}


@dataclass(frozen=True)
class Knobs:
    """How a model is run: all that a row of the tables may change."""

    beam: int = 5
    bits: int = 0  # weights rounded to so many, computed in float; 0: as they are stored
    drop: int = 0  # decoder layers left out, from the last
    shortlist: bool = False
    engine: Engine = "float32"

    def name(self) -> str:
        """As a signature names them.

        >>> Knobs(beam=1, bits=4).name()
        'beam1+bits4+drop0+all+float32'
        """
        words = "shortlist" if self.shortlist else "all"
        return f"beam{self.beam}+bits{self.bits}+drop{self.drop}+{words}+{self.engine}"

    def words(self) -> str:
        """For people.

        >>> Knobs(beam=1, shortlist=True, engine="bergamot").words()
        "bs=1, shortlist, Firefox's engine"
        """
        engine = {
            "float32": "",
            "bfloat16": "bfloat16",
            "int8": "dynamic int8",
            "ctranslate2": "CTranslate2, int8",
            "bergamot": "Firefox's engine",
        }[self.engine]
        layers = "decoder layer" if self.drop == 1 else "decoder layers"
        parts = [
            f"bs={self.beam}",
            f"{self.bits}-bit weights" * bool(self.bits),
            f"{self.drop} {layers} less" * bool(self.drop),
            "shortlist" * self.shortlist,
            engine,
        ]
        return ", ".join(filter(None, parts))


@dataclass(frozen=True)
class Row:
    """A line of table 4a (alone) or 4b (stacked)."""

    key: str  # for --knobs, and the name of its file
    label: str
    knobs: Knobs
    tables: tuple[Table, ...]
    note: str = ""


BASELINE = Row("baseline", "baseline (bl)", Knobs(), ("alone", "stacked"))


def rows(firefox: bool, layers: tuple[int, int], grid: str = "full") -> list[Row]:
    """The rows for a model with so many encoder and decoder layers; the baseline comes first.

    What cannot run on this machine is a row all the same: it says why.
    """
    alone = [Row("bs1", "bs=1", Knobs(beam=1), ("alone", "stacked"))]
    if grid == "full":
        rounded = "weights rounded, computed in float32: what the bits cost, no gain of time"
        alone += [
            Row(f"bits{n}", f"{n}-bit weights", Knobs(bits=n), ("alone",), rounded) for n in BITS
        ]
        alone += [Row("bf16", "bfloat16", Knobs(engine="bfloat16"), ("alone",))]
    alone += [Row("int8", "dynamic int8", Knobs(engine="int8"), ("alone",))]
    if grid == "full":
        alone += [Row("shortlist", "shortlist", Knobs(shortlist=True), ("alone",))]
        alone += [
            Row(f"drop{n}", f"decoder ({layers[0]}, {layers[1] - n})", Knobs(drop=n), ("alone",))
            for n in dict.fromkeys((1, layers[1] // 2))
            if 0 < n < layers[1]
        ]
    alone += [Row("ctranslate2", "CTranslate2, int8", Knobs(engine="ctranslate2"), ("alone",))]
    native = "Firefox's engine, which searches greedily: compare it with bs=1"
    if grid == "full":
        engine = Knobs(beam=1, engine="bergamot")
        alone += [Row("bergamot", "Firefox's engine (bs=1)", engine, ("alone",), native)]
    return [BASELINE, *alone, *_stacked(firefox, layers, grid)]


def _stacked(firefox: bool, layers: tuple[int, int], grid: str) -> list[Row]:
    """Table 4b after +bs=1: each row adds to the one before, or says in whose place it stands."""

    def row(key: str, label: str, knobs: Knobs, note: str = "") -> Row:
        return Row(f"stacked-{key}", f"+{label}", knobs, ("stacked",), note)

    greedy = Knobs(beam=1)
    if firefox and grid == "full":
        short = replace(greedy, shortlist=True)
        return [
            row("shortlist", "shortlist", short),
            row("drop", f"decoder ({layers[0]}, {layers[1] - 1})", replace(short, drop=1)),
            row(
                "bergamot",
                "Firefox's engine",
                replace(short, engine="bergamot"),
                "what Firefox runs: bs=1, shortlist, its own int8 arithmetic, all decoder layers",
            ),
        ]
    half = layers[1] // 2
    found = [row("int8", "dynamic int8", replace(greedy, engine="int8"))]
    if half:
        less = replace(greedy, engine="int8", drop=half)
        found.append(row("drop", f"decoder ({layers[0]}, {layers[1] - half})", less))
    whole = "in place of dynamic int8, with all decoder layers"
    found.append(
        row("ctranslate2", "CTranslate2, int8", replace(greedy, engine="ctranslate2"), whole)
    )
    return found


def chosen(all_rows: list[Row], names: tuple[str, ...]) -> list[Row]:
    """The rows of these names, and the baseline; all if none is named."""
    known = {row.key: row for row in all_rows}
    if unknown := [name for name in names if name not in known]:
        raise CueScopeError("no such knob", expected=", ".join(known), found=", ".join(unknown))
    return [row for row in all_rows if not names or row.key in (*names, BASELINE.key)]
