"""Runs unlike most: no language, no stereotype, no cue, nothing translated, the same twice."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest
from typer.testing import CliRunner

import cuescope as cs
from cuescope.commands.cli import app
from cuescope.data.items import Pair
from cuescope.models import catalog
from cuescope.models.decoding import Limits

pytestmark = pytest.mark.model


@pytest.mark.slow
def test_a_folder_that_does_not_say_its_language(firefox, tmp_path):
    """--lang is enough: the noun is read, contrasted and looked into."""
    mt = cs.load(str(catalog.folder_of(firefox.name)))
    assert mt.tgt is None
    run = cs.investigate(mt, cs.pairs("simplegen")[11:13], lang="pt")
    assert len(run.patch("cross")) == 2
    assert (mt.tgt, run.facts()["lang"]) == (None, "pt")


def test_nouns_without_a_stereotype_are_a_set_of_their_own(firefox):
    """A user's own twins: nothing is said of stereotypes that nobody gave."""
    pairs = [
        Pair(*(replace(item, stereotype=None, set="") for item in pair), pair.index)
        for pair in cs.pairs("simplegen")[11:13]
    ]
    run = cs.investigate(firefox, pairs)
    assert set(run.accuracy()) == {"other"}
    assert run.accuracy()["other"]["all"].n == 4
    assert run.mpa().value.n == 2


@pytest.mark.slow
def test_a_set_that_cannot_be_looked_into_is_said(firefox, tmp_path):
    """No cue is known in any sentence: the numbers are there, the heads are not, and why."""
    pairs = [
        Pair(*(replace(item, cue=None, more_cues=()) for item in pair), pair.index)
        for pair in cs.pairs("simplegen")[:4]
    ]
    run = cs.investigate(firefox, pairs, sets=2, samples=4, heads=2)
    found = run.findings()
    assert found["measures"]["mpa"]["n"] == 4
    assert found["orders"] == found["heads"] == {}
    assert any("no cue" in note for note in found["notes"])
    assert run.report(tmp_path / "r.html").stat().st_size > 10_000


@pytest.mark.slow
@pytest.mark.parametrize("family", ["marian", "nllb", "mbart", "t5"])
def test_a_model_that_translates_nothing_is_reported_too(tiny_model, family, tmp_path):
    """Untrained models of every family: no noun is found, and the report says so, and why."""
    mt = tiny_model(family)
    mt.limits = Limits(most=8)
    settings = {"heads": 2, "sets": 1, "samples": 4}  # every site that the model has
    mt.tgt = mt.tgt or "pt"
    run = cs.investigate(mt, cs.pairs("simplegen")[11:15], lang="pt", **settings)
    found = run.findings()
    for sites in found["heads"].values():
        assert set(sites) == {"encoder", "cross", "decoder"}
        assert sites["decoder"]["attention"] is None
    assert any("noun not found" in note or "no pair" in note for note in found["notes"])
    assert run.report(tmp_path / "r.html").stat().st_size > 10_000


@pytest.mark.slow
def test_runs_of_a_file_are_compared_where_they_can_be(tmp_path, monkeypatch, firefox):
    """Two runs and their page; runs that share nothing are there all the same, and it is said."""
    assert firefox
    monkeypatch.chdir(tmp_path)
    folder = catalog.folder_of(firefox.name)
    less = {"limit": 8, "heads": 4, "sets": 1, "samples": 4, "examples": 1}
    lines = [f"{name}: {value}" for name, value in less.items()]
    lines.append("only: [attention, effect, uncertainty]")
    runs = [
        "{model: firefox:en-pt, out: a}",
        f"{{model: '{folder}', lang: pt, seed: 1, out: b}}",
    ]
    (tmp_path / "two.yaml").write_text("\n".join([*lines, "runs:", *(f"- {r}" for r in runs)]))
    made = CliRunner().invoke(app, ["run", "two.yaml"])
    assert made.exit_code == 0, made.output
    assert (tmp_path / "artifacts" / "compare.html").stat().st_size > 10_000
    (tmp_path / "artifacts" / "compare.html").unlink()
    twice = [runs[0], "{model: firefox:en-pt, out: c}"]  # the same run under another name
    shutil.copytree("a", "c")  # so that it is read, not made again
    (tmp_path / "two.yaml").write_text("\n".join([*lines, "runs:", *(f"- {r}" for r in twice)]))
    made = CliRunner().invoke(app, ["run", "two.yaml"])
    assert made.exit_code == 0, made.output
    assert "the runs are not compared: the same run twice" in made.output
