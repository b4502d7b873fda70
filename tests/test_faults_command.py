"""`cuescope investigate` on a disk that fails, killed, and several at once: whole commands.

A share of `probes/faults.py`, which takes every file operation.
"""

from __future__ import annotations

import os
import shutil

import pytest

from cuescope.errors import CueScopeError, in_words
from faults import ERRORS, Disk
from faulty_command import KILLED, at_once, command, in_a_child, learnt, left, on, prepared
from faulty_command import one_sentence as told

EVERY = 40  # operations, of some three hundred
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system"),
]


@pytest.fixture(scope="module")
def place(small_model, tmp_path_factory):
    """A folder with a run that nothing disturbed; the model is open."""
    folder = tmp_path_factory.mktemp("commands")
    learnt(folder)
    with prepared(small_model):
        disk = Disk(folder / "whole")
        done = on(disk, lambda: command(small_model, folder / "whole"))
        assert done.returncode == 0, done.stderr
        yield folder, disk.seen


@pytest.fixture
def goes_on(small_model, place):
    """The same command comes to the same bytes, findings and report among them."""

    def check(folder):
        done = command(small_model, folder)
        assert done.returncode == 0, done.stderr
        assert left(folder) == left(place[0] / "whole"), folder.name
        shutil.rmtree(folder)

    return check


def test_an_error_of_the_disk_ends_the_command_in_words(small_model, place, goes_on):
    folder, seen = place
    assert len(seen) > 250
    places = [*range(3), *range(EVERY, len(seen), EVERY), len(seen) - 1]  # the birth, the end
    assert seen[-1] == "unlink", "the note of an unfinished run goes last"
    for number, at in enumerate(places):
        mine = folder / f"error {at}"
        done = on(Disk(mine, at, ERRORS[number % 2]), lambda m=mine: command(small_model, m))
        assert "cannot be written" in told(done), f"{seen[at]} ({at})"
        goes_on(mine)


def test_killed_as_the_system_kills_it_goes_on(small_model, place, goes_on):
    folder, seen = place
    for at in (*range(4), *range(EVERY, len(seen), EVERY)):
        mine = folder / f"killed {at}"
        disk = Disk(mine, at, "middle", lambda: os._exit(KILLED))
        code = in_a_child(lambda d=disk, m=mine: on(d, lambda: command(small_model, m)))
        assert code == KILLED, seen[at]
        goes_on(mine)


def test_what_cannot_be_read_back_is_said(small_model, place, goes_on):
    folder, _ = place
    mine = folder / "unread"
    shutil.copytree(folder / "whole", mine)
    disk = Disk(mine)
    on(disk, lambda: command(small_model, mine))
    reads = [at for at, name in enumerate(disk.seen) if name == "read"]
    assert len(reads) >= 10
    for at in reads[::4]:
        done = on(Disk(mine, at, ERRORS[1]), lambda: command(small_model, mine))
        if done.returncode:
            assert "is damaged, or cannot be read" in told(done)
        else:
            assert "is damaged, or cannot be read: it is made anew" in done.stderr
    goes_on(mine)


@pytest.mark.parametrize("count", [2, 4])
def test_several_at_once_on_one_folder(small_model, place, goes_on, count):
    """One has it; another is refused in words, or comes after it and finds all done."""
    for turn in range(3):
        mine = place[0] / f"{count} at once, {turn}"
        codes = at_once(small_model, mine, count, turn)
        assert set(codes) <= {0, 2}, codes
        assert 0 in codes
        goes_on(mine)


def test_whatever_the_system_refuses_is_said(capsys):
    """An error that nobody foresaw is one sentence, and a reader who has seen enough is none."""

    def refused():
        raise PermissionError(13, "Permission denied", "/a/place")

    with pytest.raises(SystemExit) as end:
        in_words(refused)
    assert end.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith("cuescope: /a/place cannot be read or written")
    assert "Permission denied" in said

    def closed():
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        in_words(closed)
    with pytest.raises(SystemExit):
        in_words(lambda: (_ for _ in ()).throw(CueScopeError("x")))
