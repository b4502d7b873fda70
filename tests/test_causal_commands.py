"""`patch` and `ablate` from the command line, on the real model."""

from __future__ import annotations

import json

import pytest
import typer
from typer.testing import CliRunner

from cuescope import CueScopeError
from cuescope.commands import ablate, patch

app = typer.Typer()
app.command()(patch.patch)
app.command()(ablate.ablate)


def run(*args):
    result = CliRunner().invoke(app, [*map(str, args)], catch_exceptions=True)
    if isinstance(result.exception, CueScopeError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def data(shared, firefox):
    return f"winomt:{shared('winomt')}"


@pytest.mark.slow
def test_patch(data, tmp_path):
    out = tmp_path / "out.json"
    shown = run(
        *("patch", "firefox:en-pt", "--data", data, "--subject", "--limit", 5),
        *("--site", "encoder,cross", "--json", out, "--threads", 1),
    )
    made = json.loads(out.read_text())
    assert [one["site"] for one in made] == ["encoder", "cross"]
    assert (len(made[0]["scores"]), len(made[0]["scores"][0])) == (6, 8)
    assert made[0]["n"] == 5
    assert "model:firefox:en-pt" in made[0]["signature"]
    assert -1 <= made[0]["halves"] <= 1
    assert {(h["layer"], h["head"]) for h in made[0]["top"][:2]} == {(2, 1), (0, 7)}
    assert "share of the gap restored" in shown
    assert set(made[0]["by"]["order"]) == {"cue after"}
    assert "the cue after the noun" not in shown, "one order alone is the whole"


@pytest.mark.slow
def test_the_two_orders_of_noun_and_cue_are_told_apart(firefox, tmp_path):
    out = tmp_path / "out.json"
    shown = run(
        *("patch", "firefox:en-pt", "--data", "simplegen", "--limit", 12),
        *("--site", "cross", "--json", out, "--threads", 1),
    )
    made = json.loads(out.read_text())
    parts = made["by"]["order"]
    assert sum(part["n"] for part in parts.values()) == made["n"]
    for order, part in parts.items():
        best = max(value for row in part["scores"] for value in row)
        assert f"the {order} the noun (n={part['n']}): " in shown
        assert f"{best:.3f}" in shown


@pytest.mark.slow
def test_patch_by_attribution_and_ablate(data, tmp_path):
    common = ("firefox:en-pt", "--data", data, "--subject", "--limit", 3, "--threads", 1)
    run("patch", *common, "--attribution", "--json", tmp_path / "a.json")
    run("ablate", *common, "--value", "zero", "--json", tmp_path / "b.json")
    for name, measure in (("a", "attribution"), ("b", "ablation")):
        made = json.loads((tmp_path / f"{name}.json").read_text())
        assert (made["measure"], made["site"], made["n"]) == (measure, "encoder", 3)


@pytest.mark.parametrize(
    ("command", "options", "said"),
    [
        ("patch", ["--into", "twin"], "--into"),
        ("patch", ["--where", "verb"], "--where"),
        ("patch", ["--measure", "bleu"], "--measure"),
        ("patch", ["--site", "decoder"], "no such head"),
        ("ablate", ["--value", "median"], "--value"),
    ],
)
def test_mistakes(data, command, options, said):
    with pytest.raises(CueScopeError, match=said):
        run(command, "firefox:en-pt", "--data", data, "--limit", 1, *options)
