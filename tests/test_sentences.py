"""Every sentence of report, terminal and comparison: said where it is true, not where it is false.

The rows are in said_answer.py, said_page.py and said_compare.py. The last test finds texts in the
code that no row makes true.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import cuescope
from cuescope.show.report import render
from findings_of import findings
from said_answer import ANSWER
from said_compare import ALWAYS as ALWAYS_COMPARED
from said_compare import BOTH, COMPARED, Compared, compared
from said_first import FIRST
from said_heads import HEADS
from said_page import ALWAYS, PAGE
from said_unread import UNREAD
from sentences import Said, fragments, of_page, printed, sentence, spoken, told

ROWS = [*FIRST, *ANSWER, *HEADS, *PAGE, *UNREAD]
ROOT = Path(cuescope.__file__).parent


@pytest.mark.parametrize("said", ROWS, ids=lambda said: said.pattern[:60])
def test_said_where_true_and_not_where_false(said: Said) -> None:
    true, false = spoken(said)
    assert re.search(said.pattern, true, re.M)
    assert not re.search(said.pattern, false, re.M)


def test_many_heads_are_not_all_listed() -> None:
    carriers = {"encoder": {(layer, 3): 0.4 - 0.02 * layer for layer in range(12)}}
    text = told(findings(40, sites={"encoder": (24, 16)}, carriers=carriers))
    assert "of 384 encoder heads, twelve carry" in text
    assert "and seven more; the next" in text


def test_what_is_always_said_is_of_every_run() -> None:
    for found in (findings(0), findings(60)):
        page = of_page(render(found))
        assert [text for text in ALWAYS if text not in page] == []
    page = compared(BOTH)
    assert [text for text in ALWAYS_COMPARED if text not in page] == []


FILES = {"sentences.csv": "sentence by sentence", "statistics.json": "all numbers"}


def test_files_are_named_where_they_are(tmp_path: Path) -> None:
    for name, what in FILES.items():
        assert f"{what}: " not in printed(findings(9), tmp_path)
        (tmp_path / name).touch()
        assert f"{what}: {tmp_path / name}" in printed(findings(9), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("said", COMPARED, ids=lambda said: said.pattern[:60])
def test_said_of_runs_side_by_side(said: Compared) -> None:
    assert re.search(said.pattern, compared(said.true), re.M)
    assert not re.search(said.pattern, compared(said.false), re.M)


@cache
def _heard() -> str:
    """What the rows say, and what is always said."""
    rows = (sentence(spoken(said)[0], said.pattern) for said in ROWS)
    pairs = (sentence(compared(said.true), said.pattern) for said in COMPARED)
    return "\n".join((*rows, *pairs, *ALWAYS, *ALWAYS_COMPARED, *FILES.values())).casefold()


MODULES = [
    ROOT / "commands/summary.py",
    *sorted(ROOT.glob("show/report/[!_]*.py")),
    *sorted(ROOT.glob("show/compare/[!_]*.py")),
    *sorted(ROOT.glob("run/compare/*.py")),
]
NAMES = ("H unambiguous", "H ambiguous")  # of values: not shown
SHELL = ROOT / "show/report/page.py"  # says nothing of a run


@pytest.mark.slow
@pytest.mark.parametrize("module", [m for m in MODULES if m != SHELL], ids=lambda m: m.stem)
def test_no_sentence_without_a_row(module: Path) -> None:
    """A text that a module can put into a sentence stands in the sentence of a row."""
    known = [text for text in fragments(module) if text not in NAMES]
    assert not [text for text in known if text.casefold() not in _heard()]


def test_a_new_sentence_is_missed(tmp_path: Path) -> None:
    """Text in pieces, with marks and places for numbers; names and errors are none."""
    new = tmp_path / "new.py"
    new.write_text(
        "def told(n):\n"
        '    """What it is good for."""\n'
        "    if n['key of some thing'] < 0:\n"
        "        raise ValueError('what a user reads')\n"
        "    return f'<p>All of these {n} heads are <b>very</b> good ones.</p>'\n"
    )
    assert [*fragments(new)] == ["All of these", "heads are", "good ones."]
    assert "all of these" not in _heard()
