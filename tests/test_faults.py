"""A run survives: killed at every file operation, on a full or failing disk, with damaged files.

The same results and the same findings, value by value, as without a break; or one clear sentence,
and then, run again, the same.
"""

from __future__ import annotations

import random
import re
import shutil

import pytest

from cuescope import CueScopeError
from faults import ERRORS, Crash, Disk
from small_run import SmallRun

pytestmark = pytest.mark.slow
UNKNOWN = "is damaged, or cannot be read"  # of run.json


@pytest.fixture(scope="module")
def work(small_model):
    return SmallRun(small_model)


@pytest.fixture(scope="module")
def truth(work, tmp_path_factory):
    """The results without a break, and the operations that it took."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("truth") / "run"
        told = work(folder.parent / "first", patch)
        with Disk(folder).under(patch) as disk:
            assert work(folder, patch) == told
        assert work(folder, patch) == told
    return told, disk.seen, folder


def said_or_done(work, folder, monkeypatch):
    """The results, or what is said of this folder."""
    try:
        return work(folder, monkeypatch)
    except CueScopeError as error:
        return re.sub(r"^\S+ ", "", error.what)  # without the place


def test_every_kind_of_file_is_written(truth):
    told, seen, folder = truth
    kinds = {path.suffix for path in folder.iterdir() if not path.name.startswith(".")}
    assert kinds >= {".json", ".jsonl", ".npz", ".csv", ".txt", ".html"}
    assert set(seen) >= {"makedirs", "open", "mkstemp", "write", "fsync", "chmod", "replace"}
    assert isinstance(told["effect"]["encoder"], dict), "the heads were measured"
    assert told["findings"]["heads"]["cue after"]["encoder"]["effect"], "and gathered"


def killed(work, told, folder, monkeypatch, at, how):
    """Crash at one operation, and go on."""
    with Disk(folder, at, how).under(monkeypatch), pytest.raises(Crash):
        work(folder, monkeypatch)
    left = [path.name for path in folder.glob(".*") if path.name != ".lock"]
    assert len(left) <= 1, "no more than the file that was being written"
    assert work(folder, monkeypatch) == told, (at, how)
    shutil.rmtree(folder)


def test_killed_at_every_operation_the_run_goes_on(work, truth, tmp_path, monkeypatch):
    """Before each of them, the folder's birth first; in the middle of each write; after some.

    After one is before the next: the folder is the same.
    """
    told, seen, _ = truth
    assert len(seen) > 70
    for at, name in enumerate(seen):
        killed(work, told, tmp_path / f"{at}", monkeypatch, at, "before")
        if name == "write":
            killed(work, told, tmp_path / f"{at}", monkeypatch, at, "middle")
    for at in (*range(0, len(seen), 12), len(seen) - 1):
        killed(work, told, tmp_path / f"{at}", monkeypatch, at, "after")


def test_an_error_of_the_disk_is_one_sentence(work, truth, tmp_path, monkeypatch):
    """At each operation, in turn for want of room and for a fault; then the run goes on."""
    told, seen, _ = truth
    for at, name in enumerate(seen):
        folder = tmp_path / f"{at}"
        error = ERRORS[at % len(ERRORS)]
        with Disk(folder, at, error).under(monkeypatch), pytest.raises(CueScopeError) as said:
            work(folder, monkeypatch)
        assert "cannot be written" in said.value.what, (at, name)
        assert said.value.do
        if at % 3 == 0:
            assert work(folder, monkeypatch) == told, (at, name)
            shutil.rmtree(folder)


def test_what_cannot_be_read_back_is_made_anew(work, truth, tmp_path, monkeypatch):
    told, _, whole = truth
    folder = tmp_path / "run"
    shutil.copytree(whole, folder)
    with Disk(folder).under(monkeypatch) as disk:
        work(folder, monkeypatch)
    reads = [at for at, name in enumerate(disk.seen) if name == "read"]
    assert len(reads) >= 3
    for at in reads:
        with Disk(folder, at, ERRORS[1]).under(monkeypatch):
            # of run.json: whose folder it is must be known
            assert said_or_done(work, folder, monkeypatch) in (told, UNKNOWN), at
        assert work(folder, monkeypatch) == told


def test_damage_to_any_kept_file_is_seen(work, truth, tmp_path, monkeypatch):
    """Cut off, a bit flipped, empty, of another run: made anew, or said."""
    told, _, whole = truth
    rng, folder = random.Random(3), tmp_path / "run"
    names = sorted(
        path.name for path in whole.iterdir() if path.suffix in (".json", ".jsonl", ".npz")
    )
    names.remove("findings.json")  # written at the end, not read by a run
    assert len(names) >= 7
    for name in names:
        data = (whole / name).read_bytes()
        at = rng.randrange(len(data))
        flipped = data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]
        for damaged in (data[:at], flipped, b"", data[: len(data) // 2] + data, data[::-1]):
            shutil.copytree(whole, folder)
            (folder / name).write_bytes(damaged)
            unread = (UNKNOWN, "holds another run")  # which a changed letter may say
            allowed = (told, *unread) if name == "run.json" else (told,)
            assert said_or_done(work, folder, monkeypatch) in allowed, name
            shutil.rmtree(folder)


def test_the_folder_gone_in_the_middle(work, truth, tmp_path, monkeypatch):
    """Taken away under the run: the run says so, and the next one begins anew."""
    told, seen, _ = truth
    for at in range(3, len(seen), 4):
        folder = tmp_path / f"{at}"
        disk = Disk(folder)
        real = disk.does

        def does(name, run, half=None, *, at=at, disk=disk, folder=folder, real=real):
            if len(disk.seen) == at:
                shutil.rmtree(folder, ignore_errors=True)
            return real(name, run, half)

        disk.does = does
        with disk.under(monkeypatch):
            said = ("cannot be written", "was taken away while the run went on")
            assert said_or_done(work, folder, monkeypatch) in (told, *said), at
        assert work(folder, monkeypatch) == told
