"""The run folder: kept things come back equal, an interrupted run goes on, mistakes are said."""

from __future__ import annotations

import errno
import json
import random
import subprocess
import sys
from zlib import crc32

import numpy as np
import pandas as pd
import pytest

from cuescope import CueScopeError
from cuescope.errors import Unfit
from cuescope.run.store import ABOUT, Store, clear, locked
from cuescope.run.tried import tried
from cuescope.signature import Signature
from cuescope.stats.scores import Scores

FACTS = Signature(model="m", seed=1)
TEXTS = [f"sentence {n} «é» \u2028 <b>" for n in range(7)]


def upper(some):
    return [{"source": text, "up": text.upper()} for text in some]


class Counted:
    """A maker that counts its calls, and can break at one of them."""

    def __init__(self, make, break_at=None):
        self.make, self.calls, self.break_at = make, [], break_at

    def __call__(self, *args):
        self.calls.append(args)
        if len(self.calls) == self.break_at:
            raise KeyboardInterrupt
        return self.make(*args)


def scores():
    rows = pd.DataFrame(
        {"text": ["a", "b"], "pair": [3, 4], "stereotype": ["male", None], "ok": [True, False]}
    )
    values = np.array([[[0.1, np.nan]], [[1 / 3, -2.0]]])
    return Scores(values, "encoder", "effect", rows, {"no cue": 2}, Signature(a=1), unit="pair")


def test_scores_come_back_equal(tmp_path):
    make = Counted(scores)
    first = Store(tmp_path).scores("effect", FACTS, make)
    again = Store(tmp_path).scores("effect", FACTS, make)
    assert len(make.calls) == 1
    np.testing.assert_array_equal(again.values, first.values)
    assert again.rows["stereotype"].isna().tolist() == [False, True]
    assert again.rows["ok"].tolist() == [True, False]
    same = ("site", "measure", "unit", "skipped")
    assert [getattr(again, n) for n in same] == [getattr(first, n) for n in same]
    assert str(again.signature) == str(first.signature)


@pytest.mark.parametrize("kind", ["json", "scores", "lines"])
def test_other_facts_are_measured_anew(tmp_path, kind):
    make = Counted({"json": lambda: {"a": 1}, "scores": scores, "lines": upper}[kind])
    for facts in (FACTS, FACTS, FACTS | {"seed": 2}):
        store = Store(tmp_path)
        if kind == "lines":
            store.lines("x", facts, TEXTS, make, chunk=100)
        else:
            getattr(store, kind)("x", facts, make)
    assert len(make.calls) == 2


def test_without_a_folder_it_is_kept_in_memory():
    store, make = Store(), Counted(lambda: 7)
    assert store.json("x", FACTS, make) == store.json("x", FACTS, make) == 7
    assert len(make.calls) == 1


def test_an_interrupted_run_goes_on(tmp_path):
    """Whole chunks are kept; what comes out is what one run without a break gives."""
    broken = Counted(upper, break_at=3)
    with pytest.raises(KeyboardInterrupt):
        Store(tmp_path).lines("x", FACTS, TEXTS, broken, chunk=3)
    with (tmp_path / "x.jsonl").open("a") as stream:
        stream.write('{"source": "cut off in the mid')
    told, rest = [], Counted(upper)
    found = Store(tmp_path).lines("x", FACTS, TEXTS, rest, chunk=3, progress=told.append)
    assert rest.calls == [(TEXTS[6:],)]
    assert told == [6]
    assert found == upper(TEXTS)
    assert Store(tmp_path).lines("x", FACTS, TEXTS, None, chunk=3) == found


def test_a_half_chunk_is_made_whole(tmp_path):
    Store(tmp_path).lines("x", FACTS, TEXTS, upper, chunk=3)
    lines = (tmp_path / "x.jsonl").read_text("utf-8").split("\n")
    (tmp_path / "x.jsonl").write_text("\n".join([*lines[:6], ""]), "utf-8")  # the facts, and 5 of 7
    rest = Counted(upper)
    assert Store(tmp_path).lines("x", FACTS, TEXTS, rest, chunk=3) == upper(TEXTS)
    assert [len(call[0]) for call in rest.calls] == [3, 1]


@pytest.mark.parametrize("damage", [b"", b"{", b"PK\x03\x04 not a zip", b"[1]"])
def test_a_damaged_file_is_made_anew(tmp_path, damage):
    for name, kind, make in (("a.json", "json", lambda: 3), ("b.npz", "scores", scores)):
        (tmp_path / name).write_bytes(damage)
        counted = Counted(make)
        getattr(Store(tmp_path), kind)(name.partition(".")[0], FACTS, counted)
        assert len(counted.calls) == 1, name


def test_what_is_kept_is_a_question(tmp_path):
    """Of these facts it is there or it is not; nothing is made, nothing raises."""
    store = Store(tmp_path)
    store.json("there", FACTS, lambda: 1)
    store.scores("there", FACTS, scores)
    for asked in (store, Store(tmp_path)):
        assert asked.kept_json("there", FACTS) == 1
        np.testing.assert_array_equal(asked.kept_scores("there", FACTS).values, scores().values)
        for name, facts in (("not", FACTS), ("there", Signature(model="m", seed=2))):
            assert asked.kept_json(name, facts) is None
            assert asked.kept_scores(name, facts) is None
    (tmp_path / "there.json").write_text("{cut o")
    assert Store(tmp_path).kept_json("there", FACTS) is None


def test_a_folder_is_one_runs(tmp_path):
    store = Store(tmp_path / "run")
    store.claim({"model": "a", "data": "d"})
    store.claim({"model": "a", "data": "d"})
    with pytest.raises(CueScopeError, match="holds another run") as told:
        store.claim({"model": "b", "data": "d"})
    assert (told.value.expected, told.value.found) == ("model b", "model a")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.tex").write_text("x")
    with pytest.raises(CueScopeError, match="no run's folder"):
        Store(tmp_path / "other").claim({"model": "a"})


def test_clearing_takes_only_what_a_run_left(tmp_path):
    (tmp_path / "notes.csv").write_text("mine")
    clear(tmp_path)  # no run's folder: nothing is touched
    assert (tmp_path / "notes.csv").exists()
    folder = tmp_path / "run"
    Store(folder).claim({"model": "a"})
    Store(folder).json("x", FACTS, lambda: 1)
    (folder / "paper.pdf").write_text("mine")
    clear(folder)
    assert sorted(path.name for path in folder.iterdir()) == [".lock", "paper.pdf"]


def test_a_clearing_that_was_stopped_can_be_done_again(tmp_path, monkeypatch):
    """Whichever file it had come to: the folder is a run's until nothing else of it is there."""
    made = ("a.json", "b.jsonl", "c.npz", "d.csv", "e.txt", "report.html", ".x.npz.12345678")
    for stop in range(len(made) + 1):
        folder = tmp_path / str(stop)
        Store(folder).claim({"model": "a"})
        for name in made:
            (folder / name).write_text("x")
        gone = []

        def remove(path, *, gone=gone, stop=stop):
            if len(gone) == stop:
                raise KeyboardInterrupt
            gone.append(path)
            path.unlink()

        with monkeypatch.context() as patch:
            patch.setattr("cuescope.files.remove", remove)
            with pytest.raises(KeyboardInterrupt):
                clear(folder)
        clear(folder)
        assert [path.name for path in folder.iterdir()] == [".lock"], stop


def test_what_is_damaged_is_made_anew_and_said(tmp_path, capsys):
    def kept():
        store = Store(tmp_path)
        store.json("a", FACTS, lambda: 3)
        store.scores("b", FACTS, scores)
        store.lines("c", FACTS, TEXTS, upper, chunk=3)
        return capsys.readouterr().err

    assert kept() == kept() == ""
    for name in ("a.json", "b.npz", "c.jsonl"):
        path = tmp_path / name
        whole = path.read_bytes()
        at = len(whole) - 3  # not in the facts: a file of other facts is another run's
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert kept() == f"{path} is damaged, or cannot be read: it is made anew\n"
        assert kept() == ""
    lines = (tmp_path / "c.jsonl").read_bytes()
    (tmp_path / "c.jsonl").write_bytes(lines[:-9])  # as a kill in the middle of a write leaves it
    assert kept() == ""


def test_one_run_at_a_time(tmp_path):
    """A run of this process may ask again, another process may not, until it is given back."""
    code = f"from cuescope.run.store import *\nwith locked(Path({str(tmp_path / 'run')!r})): pass"

    def other() -> str:
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stderr

    with locked(tmp_path / "run"), locked(tmp_path / "run"):
        assert "is being written by another run" in other()
    assert other() == ""


def test_a_crash_at_the_claim_leaves_a_folder_that_can_be_claimed(tmp_path):
    (tmp_path / ".run.json.k3x_9abz").write_text("{cut o")
    (tmp_path / ".lock").touch()
    Store(tmp_path).claim({"model": "a"})
    assert sorted(path.name for path in tmp_path.iterdir()) == [".lock", ABOUT], "tidied up"
    (tmp_path / ABOUT).write_text("[]")
    with pytest.raises(CueScopeError, match=f"{ABOUT} is damaged, or cannot be read"):
        Store(tmp_path).claim({"model": "a"})
    clear(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [".lock"]
    Store(tmp_path).claim({"model": "b"})


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["json", "scores", "lines"])
def test_a_changed_byte_is_seen(tmp_path, kind):
    """Of a kept file with one byte changed, nothing is taken that was not written."""

    def kept(make: Counted) -> object:
        store = Store(tmp_path)
        if kind == "lines":
            return store.lines("x", FACTS, TEXTS, make, chunk=3)
        made = getattr(store, kind)("x", FACTS, make)
        return str(made.values.tolist()) if kind == "scores" else made  # NaN is not itself

    made = {"json": lambda: {"a": [1.5, "ä"]}, "scores": scores, "lines": upper}[kind]
    truth = kept(Counted(made))
    (path,) = tmp_path.glob("x.*")
    whole, rng = path.read_bytes(), random.Random(5)
    for _ in range(300):
        at, bit = rng.randrange(len(whole)), 1 << rng.randrange(8)
        path.write_bytes(whole[:at] + bytes([whole[at] ^ bit]) + whole[at + 1 :])
        assert kept(Counted(made)) == truth, (at, bit)


def test_a_full_disk_is_no_note(tmp_path, monkeypatch):
    """What cannot be written ends the run: only sentences that do not fit a measure are told."""

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(CueScopeError, match="cannot be written") as told:
        tried(lambda: Store(tmp_path).json("x", FACTS, lambda: 1))
    assert "No space left" in told.value.found
    with pytest.raises(CueScopeError, match="cannot be written"):
        Store(tmp_path).lines("x", FACTS, TEXTS, upper, chunk=3)
    assert not list(tmp_path.glob("*.json*"))

    def unfit() -> None:
        raise Unfit("no pair can be used", found="none")

    assert tried(unfit) == "no pair can be used: none"


def test_files_say_what_they_came_from(tmp_path):
    Store(tmp_path).json("x", FACTS, lambda: {"ä": [1]})
    assert json.loads((tmp_path / "x.json").read_bytes()) == {
        "facts": str(FACTS),
        "crc32": crc32('{"ä": [1]}'.encode()),
        "result": {"ä": [1]},
    }


def test_scores_keep_their_gaps(tmp_path):
    """A kept share of the gap is still over the gaps of whatever pairs are left."""
    import numpy as np
    import pandas as pd

    from cuescope.run.store import Store
    from cuescope.signature import Signature
    from cuescope.stats.scores import Scores

    rows = pd.DataFrame({"pair": [0, 1], "noun": ["nurse", "clerk"], "template": ["a", None]})
    made = Scores(
        np.ones((2, 1, 1)), "cross", "effect", rows, unit="pair", per=np.array([0.5, 1.5])
    )
    facts = Signature(data="x")
    Store(tmp_path).scores("effect", facts, lambda: made)
    kept = Store(tmp_path).scores("effect", facts, lambda: None)
    assert kept.per.tolist() == [0.5, 1.5]
    assert kept.where(noun="clerk").mean().values.item() == 1 / 1.5
    plain = Scores(np.ones((2, 1, 1)), "cross", "attention", rows)
    Store(tmp_path).scores("attention", facts, lambda: plain)
    assert Store(tmp_path).scores("attention", facts, lambda: None).per is None
