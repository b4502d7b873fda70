"""`cuescope investigate` on a disk that fails: exit code 2, one sentence, and it goes on after."""

from __future__ import annotations

import json

import pytest

from cuescope.run import findings
from faults import ERRORS, WRITING, Disk
from test_cli import run

ASKED = ("--limit", "4", "--heads", "4", "--sets", "2", "--samples", "4", "--examples", "1")
ONLY = ("--only", "gender,attention,effect,uncertainty,maps", "--lang", "pt", "--threads", "1")
PLACES = 5


@pytest.mark.slow
def test_an_error_of_the_disk_ends_the_command_in_words(small_model, tmp_path, monkeypatch):
    def command(folder, at=None, error=None):
        with Disk(folder, at, error or "before").under(monkeypatch) as disk:
            words = ("investigate", small_model.name, "--out", folder, *ASKED, *ONLY)
            return run(*words), disk.seen

    done, seen = command(tmp_path / "whole")
    assert done.returncode == 0, done.stderr
    truth = json.loads((tmp_path / "whole" / findings.NAME).read_text("utf-8"))
    writing = [at for at, name in enumerate(seen) if name in WRITING]
    places = [writing[len(writing) * n // PLACES] for n in range(PLACES)] + [writing[-1]]
    for number, at in enumerate(places):
        folder = tmp_path / str(number)
        done, _ = command(folder, at, ERRORS[number % 2])
        assert done.returncode == 2, f"{seen[at]} ({at} of {len(seen)}): {done.stderr}"
        told = [line for line in done.stderr.splitlines() if line.startswith("cuescope: ")]
        assert len(told) == 1, done.stderr
        assert "cannot be written" in told[0]
        assert "Traceback" not in done.stderr
        if number % 3 == 1:  # the same command goes on, and finds what a run without a break finds
            assert command(folder)[0].returncode == 0
            assert json.loads((folder / findings.NAME).read_text("utf-8")) == truth
