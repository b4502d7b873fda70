"""A whole run: every stage on the real model, kept, resumed, run alone; and its commands."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import numpy as np
import pytest
from typer.testing import CliRunner

import cuescope as cs
from cuescope.commands.cli import app
from cuescope.run import findings, heads_stage, stages
from cuescope.run.settings import Settings
from cuescope.run.stages import Size
from cuescope.stats.scores import both_ways

pytestmark = pytest.mark.model
SMALL = {"limit": 24, "heads": 8, "sets": 2, "samples": 8, "examples": 1}
OPTIONS = [word for name, value in SMALL.items() for word in (f"--{name}", str(value))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, firefox):
    """A small run, made by the command as a user would."""
    assert firefox
    place = tmp_path_factory.mktemp("runs") / "run"
    made = command("investigate", "firefox:en-pt", "--out", str(place), *OPTIONS)
    assert made.exit_code == 0, made.output
    assert made.output.rstrip().endswith(f"report: {place / 'report.html'}")
    return place


@pytest.fixture(scope="module")
def found(folder):
    return findings.read(folder)


@pytest.fixture(scope="module")
def run(firefox):
    return cs.investigate(firefox, cs.pairs("simplegen"), data="simplegen", **SMALL)


def command(*words):
    return CliRunner().invoke(app, list(words))


@pytest.mark.slow
def test_a_run_folder_holds_everything(folder):
    names = {path.name for path in folder.iterdir()}
    assert names >= {
        "translations.jsonl",
        "alignments.txt",
        "sentences.csv",
        "attention-encoder.npz",
        "attention-cross.npz",
        "attention-cross-choice.npz",
        "effect-encoder-male.npz",
        "attribution-cross-female.npz",
        "together-encoder-cue-after.json",
        "samples.jsonl",
        "uncertainty.json",
        "exact.jsonl",
        "exact.json",
        "statistics.json",
        "findings.json",
        "report.html",
        "run.json",
    }
    first = (folder / "alignments.txt").read_text("utf-8").split("\n")[0]
    source, target, links = first.split(" ||| ")
    for link in links.split():
        i, j = map(int, link.split("-"))
        assert i < len(source.split())
        assert j < len(target.split())


@pytest.mark.slow
def test_findings_are_what_the_api_gives(found, run):
    """The document of the command line against the library's own results, number by number."""
    accuracy = run.accuracy()["anti"]["female"]
    assert found["accuracy"]["anti"]["female"]["value"] == accuracy.value
    assert found["measures"]["mpa"]["value"] == run.mpa().value.value
    small = run.thin(SMALL["heads"], usable=True)
    site = found["heads"]["cue after"]["encoder"]
    np.testing.assert_allclose(
        site["attention"]["female"]["scores"],
        small.attention("encoder").where(gold="female", order="cue after").mean().values,
        atol=1e-6,
    )
    there = list(small.stories["cue after"])
    ways = [small.patch("encoder", into=into) for into in ("male", "female")]
    ways = [way.take(way.rows["pair"].isin(there).to_numpy()) for way in ways]
    np.testing.assert_allclose(
        site["effect"]["all"]["scores"], both_ways(*ways).mean().values, atol=1e-5
    )
    study = run.uncertainty()
    assert found["uncertainty"]["measures"]["ge"]["entropy"]["she"] == pytest.approx(
        study.entropies("ge")[:, 1].tolist()
    )
    exact = run.certified()
    assert found["certified"]["values"]["H she"] == pytest.approx(exact.values["H she"])
    low, high = found["certified"]["values"]["P(feminine) she"]
    assert 0 <= low <= high <= low + 0.011
    assert found["certified"]["exhausted"] == exact.certified.exhausted == 0
    assert len(found["pairs"]) == 24
    half = run.thin(SMALL["heads"] // 2, usable=True).stories[
        "cue after"
    ]  # a climb a head: on half of the pairs
    assert site["together"]["chosen_on"] + site["together"]["judged_on"] == len(half)


@pytest.mark.slow
def test_cross_attention_is_compared_at_the_step_of_the_choice(run):
    """The main one is where the effect is measured; the steps that emit the noun are beside it."""
    measured = heads_stage.attention(run, lambda done: None)
    assert list(measured) == ["encoder", "cross", "cross noun"]
    assert measured["cross"].signature["query"] == "choice"
    assert measured["cross noun"].signature["query"] == "noun"
    small = run.thin(SMALL["heads"], usable=True)
    assert set(measured["cross"].rows["pair"]) == {one.pair.index for one in small.twins}


@pytest.mark.slow
def test_both_ways_is_the_mean_of_both(run):
    small = run.thin(SMALL["heads"], usable=True)
    male, female = (small.patch("cross", into=into) for into in ("male", "female"))
    mean = both_ways(male, female)
    np.testing.assert_allclose(mean.values, (male.values + female.values) / 2)
    assert mean.rows["pair"].tolist() == male.rows["pair"].tolist()


@pytest.mark.slow
def test_maps_are_the_models_own(found, firefox):
    """Unpacked, a map's rows are shares of 1, and the strongest head leads the list."""
    import base64

    from cuescope.inside.read.maps import attention_maps

    maps = found["maps"]
    pair = next(pair for pair in found["pairs"] if pair["map"])
    for twin, place in zip(pair["twins"], pair["map"], strict=True):
        one = maps["sentences"][place]
        size = len(one["source"])
        packed = np.frombuffer(base64.b64decode(one["encoder"]), np.uint8)
        weights = packed.reshape(len(maps["heads"]["encoder"]), size, size) / 255
        np.testing.assert_allclose(weights.sum(-1), 1, atol=size / 255)
        layer, head = maps["heads"]["encoder"][0]
        truth = attention_maps(firefox, twin["source"])["encoder"].weights[layer, head]
        np.testing.assert_allclose(weights[0], truth.numpy(), atol=0.5 / 255 + 1e-6)
    effects = [
        np.abs(np.array(sites["encoder"]["effect"]["all"]["scores"]))
        for sites in found["heads"].values()
    ]
    assert any(effect[layer, head] == effect.max() for effect in effects)


@pytest.mark.slow
def test_a_second_time_nothing_is_measured_again(folder, monkeypatch, firefox):
    """All from the folder, even the samples: the model is asked for nothing."""
    before = json.loads((folder / "findings.json").read_bytes())
    before.pop("crc32")
    for verb in ("generate", "sample", "patch", "attribute"):
        monkeypatch.setattr(type(firefox), verb, None)
    settings = Settings("firefox:en-pt", **SMALL)
    run = cs.investigate(firefox, cs.pairs("simplegen"), out=folder, settings=settings)
    found = stages.findings(run)
    assert json.loads(json.dumps(found)) == before


@pytest.mark.slow
def test_one_stage_alone_keeps_the_others(folder, tmp_path):
    """--only runs what it names; the rest comes from the folder, or is said to be missing."""
    place = tmp_path / "part"
    shutil.copytree(folder, place)
    for path in place.glob("effect-*"):
        path.unlink()
    arguments = ["firefox:en-pt", "--out", str(place), *OPTIONS]
    made = command("investigate", *arguments, "--only", "attribution")
    assert made.exit_code == 0, made.output
    part = findings.read(place)
    encoder = part["heads"]["cue after"]["encoder"]
    assert encoder["effect"] is None
    assert encoder["attention"] is not None
    assert part["uncertainty"] is not None
    made = command("investigate", *arguments, "--only", "effect")
    whole = findings.read(place)
    assert whole["heads"] == findings.read(folder)["heads"]


@pytest.mark.slow
def test_a_stage_alone_imports_nothing_of_the_others(folder, tmp_path):
    """only=gender: neither how heads are read nor their effects are imported, made or written.

    And nothing of transformers, which takes longer to import than this run takes.
    """
    program = """
import sys
import cuescope as cs
from cuescope.run import stages
from cuescope.run.settings import Settings
settings = Settings("firefox:en-pt", limit=4, heads=2, sets=1, samples=4, only=("gender",))
mt = cs.load("firefox:en-pt", check=False)
run = cs.investigate(mt, cs.pairs("simplegen"), out=sys.argv[1], settings=settings)
found = stages.findings(run, settings.only)
assert found["measures"]["mpa"]["n"] == 4 and found["uncertainty"] is None
assert "transformers" not in sys.modules
print(*(name for name in sys.modules if name.startswith("cuescope.inside.")))
"""
    place = tmp_path / "run"
    made = subprocess.run(
        [sys.executable, "-c", program, str(place)], capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
    rooms = {".".join(name.split(".")[:3]) for name in made.stdout.split()}
    assert "cuescope.inside.ready" in rooms
    assert not rooms & {f"cuescope.inside.{room}" for room in ("effect", "read", "edit")}
    assert not [path.name for path in place.iterdir() if path.suffix == ".npz"]


@pytest.mark.slow
def test_what_is_kept_is_what_was_made(folder, firefox):
    """Every stage answers from the folder what it made, and None where nothing is kept."""
    settings = Settings("firefox:en-pt", **SMALL)
    kept, bare = (
        cs.investigate(firefox, cs.pairs("simplegen"), out=place, settings=settings)
        for place in (folder, None)
    )
    for stage in stages.STAGES:
        assert stage.kept(bare) is None, stage.name
        assert (stage.kept(kept) is None) is (stage.name == "gender"), stage.name
    effect = next(stage for stage in stages.STAGES if stage.name == "effect")
    assert set(effect.kept(kept)) == {"encoder", "cross"}


@pytest.mark.slow
def test_both_directions_come_from_what_is_kept(folder, firefox, monkeypatch):
    monkeypatch.setattr("cuescope.inside.effect.patch.patch", None)
    settings = Settings("firefox:en-pt", **SMALL)
    run = cs.investigate(firefox, cs.pairs("simplegen"), out=folder, settings=settings)
    small = run.small
    ways = [small.patch("cross", into=into) for into in ("male", "female")]
    np.testing.assert_array_equal(small.patch("cross", into="both").values, both_ways(*ways).values)


@pytest.mark.slow
def test_a_folder_that_says_gradient_still_opens(found, tmp_path):
    former = json.loads(json.dumps(found))
    for sites in former["heads"].values():
        for site in sites.values():
            site["gradient"] = site.pop("attribution")
            for each in site["agreements"]:
                each["names"] = [n.replace("attribution", "gradient") for n in each["names"]]
            if "attribution" in site["skipped"]:
                site["skipped"]["gradient"] = site["skipped"].pop("attribution")
    (tmp_path / "findings.json").write_text(json.dumps(former), "utf-8")
    assert findings.read(tmp_path) == json.loads(json.dumps(found))


@pytest.mark.slow
def test_show_needs_no_model(folder, monkeypatch):
    monkeypatch.setattr(cs.Translator, "__post_init__", None, raising=False)
    made = command("show", str(folder))
    assert made.exit_code == 0
    assert "strict MPA" in made.output
    assert "Which heads carry it?" in made.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--only", "effekt"], "only out of range"),
        (["--only", "gradient"], "write attribution for gradient"),
        (["--measures", "xyz"], "measures out of range"),
        (["--data", "nothing.tsv"], "nothing.tsv"),
    ],
)
def test_mistakes_write_nothing(tmp_path, words, said):
    place = tmp_path / "run"
    made = command("investigate", "firefox:en-pt", "--out", str(place), *words)
    assert isinstance(made.exception, cs.CueScopeError)
    assert said in str(made.exception)
    assert not place.exists()


@pytest.mark.slow
def test_another_models_folder_is_not_overwritten(tmp_path, firefox):
    (tmp_path / "run.json").write_text(json.dumps({"model": "other", "weights": "x", "data": "d"}))
    with pytest.raises(cs.CueScopeError, match="holds another run"):
        cs.investigate(firefox, cs.pairs("simplegen")[:2], out=tmp_path)


def test_a_run_is_measured_on_the_model_that_translated(firefox, tmp_path):
    """Under an intervention or without one: mixing the two is refused, in the folder too."""
    pairs = cs.pairs("simplegen")[:2]
    with firefox.scale(4.0, encoder=[(2, 1)]):
        run = cs.investigate(firefox, pairs, out=tmp_path / "run")
        assert run.signature["under"] == "scale 4 encoder 2.1"
    for measure in (run.attention, run.patch):
        with pytest.raises(cs.CueScopeError, match="not as it was in this run"):
            measure("encoder")
    with pytest.raises(cs.CueScopeError, match="not as it was"):
        run.uncertainty()
    with pytest.raises(cs.CueScopeError, match="holds another run"):
        cs.investigate(firefox, pairs, out=tmp_path / "run")
    with firefox.scale(4.0, encoder=[(2, 1)]):
        assert run.attention("encoder").signature["under"]


@pytest.mark.slow
def test_dry_run_says_what_would_be_done(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c.yaml").write_text(
        "model: firefox:en-pt\nlimit: 10\nheads: 4\nonly: [effect]\nsites: [cross]\n"
    )
    made = command("run", "c.yaml", "--dry-run")
    assert made.exit_code == 0, made.output
    assert "10 of 1,314" in made.output
    assert "patching every head" in made.output
    assert "attribution" not in made.output
    assert "8 workers: " in made.output
    assert [path.name for path in tmp_path.iterdir()] == ["c.yaml"]


def test_sizes_are_known_beforehand():
    settings = Settings("m", heads=50, sites=("encoder", "decoder"))
    assert Size.of(settings, 20, {"encoder": 1, "cross": 1}) == (20, 20, settings.sets, 20)
