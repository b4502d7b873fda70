"""Settings: one dataclass for Python, the command line and YAML; the schema is what it says."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import jsonschema
import pytest
import yaml

from cuescope import CueScopeError
from cuescope.audit.settings import KINDS, of_yaml, schema
from cuescope.run.settings import Settings, entries, load

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
        ("model: m\nonly: [nothing]\n", "of translate, check"),
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
    "path", sorted((CONFIGS / "audits").glob("*.yaml")), ids=lambda path: path.name
)
def test_the_shipped_audits_hold(path):
    assert of_yaml(path, entries(path))
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
    kinds = [(Settings, set()), *((kind, {"audit"}) for kind in KINDS.values())]
    for (kind, more), told in zip(kinds, schema()["anyOf"], strict=True):
        assert all(one.metadata["told"] for one in fields(kind))
        names = {one.name for one in fields(kind)} | more
        assert set(told["properties"]) == names | {"$schema", "runs"}
        assert set(told["properties"]["runs"]["items"]["properties"]) == names


SPEED = {"model": "m", "sources": "dev.en", "references": "dev.pt"}
COUPLES = {"model": "m", "langs": ["pt"]}


@pytest.mark.parametrize(
    "given",
    [
        {"audit": "speed", **SPEED, "rounds": 3},
        {"audit": "relationships", **COUPLES},
        {"audit": "speed", "rounds": 3, "runs": [SPEED, {**SPEED, "out": "other"}]},
        {"runs": [{"audit": "relationships", **COUPLES}]},
    ],
)
def test_the_schema_takes_the_audits_that_the_loader_takes(given, tmp_path):
    jsonschema.validate(given, schema())
    path = written(tmp_path, yaml.safe_dump(given))
    assert of_yaml(path, entries(path))


@pytest.mark.parametrize(
    "given",
    [
        {"audit": "taste", **SPEED},
        {"audit": "speed", "model": "m"},  # which test set?
        {"audit": "speed", **SPEED, "langs": ["pt"]},
        {"audit": "speed", **SPEED, "rounds": 1},
        {"audit": "relationships", **COUPLES, "langs": ["xx"]},
        {"audit": "speed", "runs": [{**SPEED, "audit": "relationships"}]},
        {"runs": [COUPLES]},
    ],
)
def test_the_schema_refuses_the_audits_that_the_loader_refuses(given, tmp_path):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(given, schema())
    path = written(tmp_path, yaml.safe_dump(given))
    with pytest.raises(CueScopeError):
        of_yaml(path, entries(path))


def test_stages_sites_and_measures_are_named_once():
    """The settings, the shell, the report and its script take the names from one place each."""
    from cuescope.commands import complete
    from cuescope.inside.read.attention import LOOKING
    from cuescope.measures.parts import MEASURES
    from cuescope.models.sites import SITES
    from cuescope.run.stages import NAMES, STAGES, TRANSLATE, plan
    from cuescope.show.report import answer_certainty, say

    known = {one.name: one.metadata.get("known") for one in fields(Settings)}
    assert known["only"] == NAMES == tuple(stage.name for stage in plan(()))
    assert plan(["effect"]) == [TRANSLATE, next(s for s in STAGES if s.name == "effect")]
    assert known["sites"] == tuple(SITES) == tuple(name for name, _ in complete.sites(""))
    assert say.SITES is SITES
    assert set(LOOKING) < set(SITES)
    script = Path(say.__file__).with_name("state.js").read_text("utf-8")
    assert dict(
        re.findall(r'(\w+): "([^"]+)"', script.partition("SITES = ")[2].partition("}")[0])
    ) == (SITES)
    assert known["measures"] == tuple(MEASURES) == tuple(name for name, _ in complete.measures(""))
    assert set(answer_certainty.MEASURES) == set(MEASURES)


def test_a_former_name_of_a_stage_is_told(tmp_path):
    with pytest.raises(CueScopeError, match="write attribution for gradient"):
        load(written(tmp_path, "model: m\nonly: [gradient]\n"))


def test_what_does_not_bear_on_a_number_is_not_told():
    told = Settings("m", out="/somewhere", threads=2).to_json()
    assert not {"out", "threads", "similarity", "equivalence"} & set(told)
    assert "similarity" in Settings("m", measures=("s3e", "ge")).to_json()
