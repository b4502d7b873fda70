"""Settings: one dataclass for Python, the command line and YAML; the schema is what it says."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import jsonschema
import pytest
import yaml

from cuescope import CueScopeError
from cuescope.run.settings import STAGES, Settings, load, schema
from cuescope.run.stages import STAGES as STEPS

CONFIGS = Path(__file__).parents[1] / "configs"


def written(tmp_path, text):
    path = tmp_path / "config.yaml"
    path.write_text(text, "utf-8")
    return path


def test_a_file_is_the_dataclass(tmp_path):
    [found] = load(written(tmp_path, "model: firefox:en-pt\nsamples: 64\nonly: [effect, maps]\n"))
    assert found == Settings("firefox:en-pt", samples=64, only=("effect", "maps"))


def test_runs_share_what_stands_above_them(tmp_path):
    text = "data: simplegen\nheads: 9\nruns:\n  - model: a/b\n  - {model: c, heads: 3}\n"
    first, second = load(written(tmp_path, text))
    assert (first.model, first.heads, second.model, second.heads) == ("a/b", 9, "c", 3)
    assert first.folder == Path("artifacts/a-b-simplegen")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no settings"),
        ("- a\n", "holds no settings"),
        ("model: [", "is not YAML"),
        ("data: simplegen\n", "which model"),
        ("model: m\nsample: 3\n", "no setting 'sample'"),
        ("model: m\nsamples: many\n", "samples"),
        ("model: m\nsamples: true\n", "a whole number"),
        ("model: m\nsamples: 1\n", "2 or more"),
        ("model: 5\n", "expected: text"),
        ("model: m\nonly: [nothing]\n", "of check, translate"),
        ("model: m\nmeasures: []\n", "at least one"),
        ("model: m\nmeasures: {a: b}\n", "a list of names"),
        ("model: m\nruns: []\n", "a list of settings"),
        ("model: m\nruns: [{}, {}]\n", "two runs in one folder"),
    ],
)
def test_mistakes_are_said_with_the_file(tmp_path, text, said):
    path = written(tmp_path, text)
    with pytest.raises(CueScopeError) as told:
        load(path)
    assert said in str(told.value)
    assert str(path) in str(told.value)


def test_the_schema_in_the_repository_is_this_one():
    """`cuescope run --schema > configs/schema.json` when a setting changes."""
    assert json.loads((CONFIGS / "schema.json").read_text("utf-8")) == schema()


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.yaml")), ids=lambda path: path.name)
def test_the_shipped_files_hold(path):
    assert load(path)
    jsonschema.validate(yaml.safe_load(path.read_text("utf-8")), schema())


@pytest.mark.parametrize(
    "wrong", [{"sample": 3}, {"samples": 1}, {"samples": "many"}, {"sites": ["middle"]}]
)
def test_the_schema_refuses_what_the_loader_refuses(wrong, tmp_path):
    given = {"model": "m", **wrong}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(given, schema())
    with pytest.raises(CueScopeError):
        load(written(tmp_path, yaml.safe_dump(given)))


def test_every_setting_is_explained():
    assert all(one.metadata["told"] for one in fields(Settings))
    assert set(schema()["properties"]) == {one.name for one in fields(Settings)} | {
        "$schema",
        "runs",
    }


def test_the_stages_are_those_that_are_run():
    assert [name for name in STAGES if name != "translate"] == [stage.name for stage in STEPS]


def test_what_does_not_bear_on_a_number_is_not_told():
    told = Settings("m", out="/somewhere", threads=2).told()
    assert not {"out", "threads", "similarity", "equivalence"} & set(told)
    assert "similarity" in Settings("m", measures=("s3e", "ge")).told()
