"""Does an exported mend do in Firefox what it does here?

Exports a mend, takes sentences through Firefox's own engine (Bergamot, WebAssembly in node) with
the plain and the mended file, and compares with our float arithmetic on the same weights; with
--all, judges both in the engine on WinoMT and on FLORES. With --time, only how long it takes:
seconds of its CPU on FLORES lines once it is warm, in turn, round after round.

python probes/mend_engine.py MEND [--to DIR] [--pairs 100] [--all] [--time 12]
"""

from __future__ import annotations

import argparse
import tempfile
from contextlib import ExitStack
from pathlib import Path

from rich.console import Console

import cuescope as cs
from cuescope.audit import timing
from cuescope.data import reference
from cuescope.errors import in_words
from cuescope.mend import Mend, engine, fold, table
from cuescope.mend.export import export
from cuescope.mend.judge import Material, judged
from cuescope.mend.lessons import plain
from cuescope.models import catalog
from cuescope.show.tables.shape import Table
from cuescope.signature import Signature

LINES, WARM = 120, 30  # of FLORES: timed, and before the clock starts


def flores(lang: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """FLORES dev with its reference."""
    folder = reference.find("flores")
    texts = [(folder / f"en-{lang}.dev.{s}").read_text("utf-8") for s in ("en", lang)]
    return tuple(texts[0].splitlines()), tuple(texts[1].splitlines())


def timed(folders: dict[str, Path], count: int) -> None:
    """The mended file's time where the plain one takes 1, with an interval over the rounds."""
    texts = flores("pt")[0][:LINES]
    with ExitStack() as stack:
        sessions = {name: stack.enter_context(engine.Session(f)) for name, f in folders.items()}
        clocks = {
            name: lambda session=session: session.ask(texts, warm=WARM).seconds
            for name, session in sessions.items()
        }
        found = timing.rounds(clocks, count)
    mended, plain = ([one[name] for one in found] for name in ("mended", "plain"))
    print(f"CPU of {LINES} lines: plain {min(plain):.2f} s at best, mended {min(mended):.2f} s")
    print(f"ratio: {timing.ratio(mended, plain, Signature()).brief()}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mend", type=Path)
    parser.add_argument("--to", type=Path)
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--time", type=int, default=0, metavar="ROUNDS")
    options = parser.parse_args()
    engine.fetch()
    mend = Mend.load(options.mend)
    mt = cs.load(mend.model)
    to = options.to or Path(tempfile.mkdtemp()) / "mended"
    folders = {"plain": Path(catalog.locate(mt.name)[1]), "mended": export(mend, mt, to)}
    if options.time:
        return timed(folders, options.time)
    pairs = cs.pairs("winomt").sample(0 if options.all else options.pairs)
    texts = [item.text for pair in pairs.sample(options.pairs) for item in pair]
    for name, folder in folders.items():
        here = (mt if name == "plain" else fold.fold(mend, mt)).translate(texts)
        there = engine.translate(folder, texts)
        same = sum(a == b for a, b in zip(here, there, strict=True))
        print(f"{name}: {same} of {len(texts)} sentences word for word as in Firefox's engine")
    ordinary, references = flores("pt") if options.all else ((), ())
    material = Material(pairs, "pt", tuple(plain(12, seed=5, held_out=True)), ordinary, references)
    systems = {
        name: lambda texts, _, folder=folder: engine.translate(folder, texts)
        for name, folder in folders.items()
    }
    found = judged(systems, material)
    title = f"In Firefox's own engine, {len(pairs):,} pairs of WinoMT"
    Console(width=110).print(Table(title, table.frame(found), wrap=True).to_rich())


if __name__ == "__main__":
    in_words(main)
