"""The house: imports between rooms go one way, deferred and typing-only ones too."""

from __future__ import annotations

import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import import_graph as graph


@pytest.fixture(scope="module")
def imports():
    return graph.imports(graph.SOURCE)


def test_imports_go_down_only(imports):
    assert graph.back(imports) == []


def test_no_cycle_between_rooms(imports):
    assert graph.cycle(imports) == []


def test_every_room_has_its_place():
    named = set(graph.ORDER) - {"__main__", "_version"}
    here = set(graph.top(graph.SOURCE))
    assert here <= named
    assert named - here <= set(graph.COMING)
    assert len(graph.ORDER) == len(set(graph.ORDER))


def test_few_names_at_the_top():
    assert len({*graph.top(graph.SOURCE), *graph.COMING}) <= 18


def test_measures_and_what_they_stand_on_name_no_torch(imports):
    assert graph.naming(imports, "torch", graph.NO_TORCH) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "rooms", [graph.NO_TORCH, ("show.report", "show.compare", "run.findings", "run.gather")]
)
def test_importing_them_leaves_torch_out(rooms):
    """In a process of its own: what is imported when they are, by whomever."""
    names = [
        f"cuescope.{name}"
        for name in graph.modules(graph.SOURCE)
        if any(name == each or name.startswith(f"{each}.") for each in rooms)
    ]
    assert len(names) >= len(rooms)
    said = subprocess.run(
        [
            sys.executable,
            "-c",
            "import importlib, sys\n"
            "for name in sys.argv[1:]:\n"
            "    importlib.import_module(name)\n"
            "    assert 'torch' not in sys.modules, name\n",
            *names,
        ],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(graph.SOURCE.parent), "PATH": ""},
    )
    assert said.returncode == 0, said.stderr


PLANTED = {
    "at the top": "from cuescope.run.settings import Settings\n",
    "deferred": "def late():\n    from cuescope.run import settings\n",
    "for types": (
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from cuescope.run.settings import Settings\n"
    ),
    "relative": "def late():\n    from ..run import settings\n",
    "plain": "import cuescope.run.settings as later\n",
    "by name": "import importlib\nnow = importlib.import_module('cuescope.run.settings')\n",
    "by the front door": "import cuescope as cs\n",
    "in a method": "class A:\n    def b(self):\n        if b:\n            import cuescope.run\n",
}


@pytest.mark.parametrize("text", PLANTED.values(), ids=PLANTED)
def test_a_planted_back_edge_is_found(text, tmp_path):
    source = _copied(tmp_path)
    (source / "stats" / "planted.py").write_text(text, "utf-8")
    found = graph.imports(source)
    back = graph.back(found)
    assert len(back) == 1, back
    assert back[0].startswith("stats.planted:")
    for_real = "TYPE_CHECKING" not in text and "as cs" not in text
    assert bool(graph.cycle(found)) == for_real


def test_planted_torch_and_a_room_without_a_place_are_found(tmp_path):
    source = _copied(tmp_path)
    (source / "align" / "planted.py").write_text("def f():\n    import torch.nn as nn\n", "utf-8")
    (source / "cellar.py").write_text("from cuescope import errors\n", "utf-8")
    found = graph.imports(source)
    assert graph.naming(found, "torch", ("measures",)) == ["align.planted:2 imports torch.nn"]
    assert graph.back(found) == ["cellar:1 imports errors"]


def test_the_picture_is_drawn_from_the_imports(tmp_path):
    rooms = runpy.run_path(str(graph.SOURCE.parents[1] / "docs" / "rooms.py"))
    drawn = rooms["draw"]()
    assert drawn == rooms["PICTURE"].read_text("utf-8"), "python docs/rooms.py"
    source = _copied(tmp_path)
    (source / "align" / "planted.py").write_text("import cuescope.stats.value\n", "utf-8")
    assert rooms["draw"](source) != drawn  # a new import is a new arrow


def _copied(folder: Path) -> Path:
    """The source tree, Python alone."""
    ignore = shutil.ignore_patterns("__pycache__", "*.tsv", "*.js", "*.css")
    return Path(shutil.copytree(graph.SOURCE, folder / "cuescope", ignore=ignore))
