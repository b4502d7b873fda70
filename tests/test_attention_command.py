"""`cuescope attention` and the heatmap: what is printed, written and drawn."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import typer
from typer.testing import CliRunner

import cuescope as cs
from cuescope.commands.attention import attention
from cuescope.figures import heatmap
from cuescope.scores import Scores


@pytest.fixture(scope="module")
def run():
    app = typer.Typer()
    app.command()(attention)
    return lambda *args: CliRunner().invoke(app, ["firefox:en-pt", *args])


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


def test_one_site_is_one_object(run, tmp_path):
    out = tmp_path / "a.json"
    result = run("--data", "simplegen", "--limit", "3", "--json", str(out))
    assert result.exit_code == 0, result.output
    assert set(json.loads(out.read_text())) >= {"site", "scores", "n", "signature", "skipped"}


def test_mistakes_are_said_before_anything_is_translated(run):
    for args, said in [
        (("--site", "decoder"), "no such site"),
        (("--site", "encoder", "--measure", "heat"), "no such measure"),
    ]:
        result = run("--data", "simplegen", *args)
        assert isinstance(result.exception, cs.CueScopeError)
        assert said in str(result.exception)


def grid(values, measure="attention"):
    rows = pd.DataFrame({"length": [4] * len(values)})
    return Scores(np.asarray(values, float), "encoder", measure, rows)


def test_heatmap_marks_what_is_above_the_threshold():
    pytest.importorskip("matplotlib").use("Agg")
    ax = heatmap(grid([[[0.1, 0.6, 0.2], [0.3, 0.0, 0.1]]]))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("head", "layer")
    image = ax.images[0]
    assert image.get_array().shape == (2, 3)
    assert image.get_clim() == (0, 0.6)
    assert image.cmap.name == "cividis"
    assert ax.collections[0].get_offsets().tolist() == [[1, 0], [0, 1]]
    assert heatmap(grid([[[0.1]]]), ax=ax) is ax


def test_heatmap_panels_share_one_scale_and_signs_have_a_middle():
    pytest.importorskip("matplotlib").use("Agg")
    axes = heatmap({"she": grid([[[0.1]]], "effect"), "he": grid([[[-0.4]]], "effect")})
    assert [ax.images[0].get_clim() for ax in axes] == [(-0.4, 0.4)] * 2
    assert len(axes[0].figure.axes) == 3, "two panels, one colour bar"
    with pytest.raises(cs.CueScopeError, match="nothing to draw"):
        heatmap(grid([[[np.nan]]]))
    with pytest.raises(cs.CueScopeError, match="do not match"):
        heatmap({"a": grid([[[1]]]), "b": grid([[[1]]])}, ax=axes[0])


def test_figures_import_no_matplotlib():
    code = "import cuescope.figures, sys; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
