"""Several processes at once, on one run folder and on one cache: no mixture, no traceback."""

from __future__ import annotations

import os
import random
import time
from functools import partial

import pytest

from cuescope import CueScopeError
from cuescope.files.chunks import each
from cuescope.models import catalog, sources
from cuescope.run.kept_files import read_lines
from cuescope.run.store import Store, locked
from cuescope.signature import Signature
from test_cli import run

TEXTS = [f"sentence {n}" for n in range(6)]
ROUNDS = 25

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")


def at_once(work, count):
    """Exit codes of so many processes that each do `work(number)`: 0 done, 3 refused."""
    children = []
    for number in range(count):
        child = os.fork()
        if child == 0:
            code = 1  # anything but a result or a refusal
            try:
                work(number)
                code = 0
            except CueScopeError as error:
                code = 3 if "another run" in error.what else 4
            finally:
                os._exit(code)
        children.append(child)
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 4])
def test_one_folder(tmp_path, count):
    """One writes, the others are refused, or come after it and find another run's folder."""
    for turn in range(ROUNDS):
        folder = tmp_path / f"{turn}"

        def work(number, folder=folder, turn=turn):
            time.sleep(random.Random(f"{turn} {number}").random() * 0.004)
            facts = Signature(seed=number)

            def make(some):
                return [{"source": text, "seed": number} for text in some]

            with locked(folder):
                store = Store(folder)
                store.claim({"model": "m", "seed": str(number)})
                store.lines("x", facts, TEXTS, make, chunk=2)
                store.json("y", facts, lambda: number)

        codes = at_once(work, count)
        assert set(codes) <= {0, 3}, codes
        assert codes.count(0) == 1, "one has it"
        winner = codes.index(0)
        facts, lines = read_lines(folder / "x.jsonl")
        assert facts == str(Signature(seed=winner))
        assert [line["seed"] for line in lines] == [winner] * len(TEXTS)
        assert Store(folder).kept_json("y", Signature(seed=winner)) == winner


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 4])
def test_chunks_of_several_seeds_never_mix(tmp_path, count):
    """From Python, where nobody locked the folder: each measures its own seed, and is killed."""
    for turn in range(ROUNDS):
        folder = tmp_path / f"{turn}"
        folder.mkdir()

        def measured(number, killed=None, folder=folder):
            def chunk(n):
                time.sleep(0.001)
                if n == killed:
                    os._exit(9)
                return [number, n]

            work = [(f"chunk {n}", partial(chunk, n)) for n in range(6)]
            return Store(folder).json("x", Signature(seed=number), lambda: list(each(work)))

        def work(number, turn=turn, measured=measured):
            measured(number, killed=random.Random(f"{turn} {number}").randrange(2, 8))

        codes = at_once(work, count)
        assert set(codes) <= {0, 3, 9}, codes
        log = folder / "x.part.jsonl"
        first = log.read_text().split("\n")[0] if log.exists() else ""  # it tells whose log it is
        for number in sorted(range(count), key=lambda n: str(Signature(seed=n)) not in first):
            assert measured(number) == [[number, n] for n in range(6)]


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 4])
def test_one_cache(tmp_path, monkeypatch, count):
    """A model that several want is fetched once, and is whole for all of them."""
    monkeypatch.delenv("CUESCOPE_OFFLINE", raising=False)
    assert run("models", "list").returncode == 0  # here: else each child imports it all
    for turn in range(ROUNDS):
        cache = tmp_path / f"{turn}"
        monkeypatch.setenv("CUESCOPE_CACHE", str(cache))

        def fetched(src, tgt, folder, cache=cache):
            with (cache / "fetched").open("a") as stream:
                stream.write("once\n")
            (folder / "model.bin").write_bytes(b"a" * 1000)
            time.sleep(0.002)
            (folder / "vocab.spm").write_bytes(b"b" * 1000)

        monkeypatch.setattr(sources, "from_mozilla", fetched)

        def work(_):
            done = run("models", "get", "firefox:en-xx")
            assert done.returncode == 0, done.stderr
            assert "Traceback" not in done.stderr
            kind, place = catalog.locate("firefox:en-xx")
            assert kind == "firefox"
            assert place

        assert at_once(work, count) == [0] * count
        assert (cache / "fetched").read_text() == "once\n"
        assert not list((cache / "models").glob(".new-*"))
