"""`cuescope attention`: what is printed and written."""

from __future__ import annotations

import json

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

import cuescope as cs
from cuescope.commands.attention import attention


@pytest.fixture(scope="module")
def run():
    app = typer.Typer()
    app.command()(attention)
    return lambda *args: CliRunner().invoke(app, ["firefox:en-pt", *args])


@pytest.mark.slow
def test_both_sites(run, firefox, tmp_path):
    out = tmp_path / "a.json"
    result = run(
        "--data", "simplegen", "--site", "encoder,cross", "--limit", "8", "--json", str(out)
    )
    assert result.exit_code == 0, result.output
    for said in (
        "attention, encoder",
        "attention, cross",
        "* above the uniform share",
        "strongest:",
    ):
        assert said in result.output
    made = json.loads(out.read_text())
    assert [part["site"] for part in made] == ["encoder", "cross"]
    for part, (layers, heads) in zip(made, firefox.sites.values(), strict=True):
        assert np.array(part["scores"]).shape == (layers, heads)
        assert part["n"] <= 8
        assert part["unit"] == "pair"
        assert f"weights:{firefox.weights_hash}" in part["signature"]
        assert set(part["by"]["gold"]) == {"female", "male"}
        assert set(part["by"]["order"]) == {"cue after", "cue before"}
    assert "the cue before the noun (n=" in result.output


@pytest.mark.slow
def test_one_site_is_one_object(run, tmp_path):
    out = tmp_path / "a.json"
    result = run("--data", "simplegen", "--limit", "3", "--json", str(out))
    assert result.exit_code == 0, result.output
    assert set(json.loads(out.read_text())) >= {"site", "scores", "n", "signature", "skipped"}


@pytest.mark.slow
def test_mistakes_are_said_before_anything_is_translated(run):
    for args, said in [
        (("--site", "decoder"), "no such site"),
        (("--site", "encoder", "--measure", "heat"), "no such measure"),
    ]:
        result = run("--data", "simplegen", *args)
        assert isinstance(result.exception, cs.CueScopeError)
        assert said in str(result.exception)
