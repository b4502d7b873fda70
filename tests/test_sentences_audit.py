"""Every sentence of the audits' pages: said where it is true, not where it is false."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import cuescope
from said_audit import Audited, told
from said_couples import ALWAYS_COUPLES, COUPLES, PLAIN
from said_speed import ALWAYS_SPEED, ONE, SPEED
from sentences import fragments, sentence

AUDITED = [*SPEED, *COUPLES]
MODULES = sorted((Path(cuescope.__file__).parent / "show/audit").glob("[!_]*.py"))


@pytest.mark.parametrize("said", AUDITED, ids=lambda said: said.pattern[:60])
def test_said_where_true_and_not_where_false(said: Audited) -> None:
    assert re.search(said.pattern, told(said.true), re.M)
    assert not re.search(said.pattern, told(said.false), re.M)


def test_what_is_always_said_is_of_every_audit() -> None:
    for made, always in ((ONE, ALWAYS_SPEED), (PLAIN, ALWAYS_COUPLES)):
        page = told(made)
        assert [text for text in always if text not in page] == []


@cache
def _heard() -> str:
    """What the rows say, and what is always said."""
    rows = (sentence(told(said.true), said.pattern) for said in AUDITED)
    return "\n".join((*rows, *ALWAYS_SPEED, *ALWAYS_COUPLES)).casefold()


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.stem)
def test_no_sentence_without_a_row(module: Path) -> None:
    """A text that a module can put into a sentence stands in the sentence of a row."""
    assert not [text for text in fragments(module) if text.casefold() not in _heard()]
