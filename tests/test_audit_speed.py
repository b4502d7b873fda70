"""The speed audit: its knobs, its numbers, its tables, its folder."""

from __future__ import annotations

import json
from functools import partial

import numpy as np
import pytest
import sacrebleu
import torch
from scipy import stats
from typer.testing import CliRunner

import cuescope as cs
import tiny
import tiny_firefox
from cuescope.audit import edits, knobs, systems, timing, workers
from cuescope.audit.knobs import Knobs
from cuescope.audit.settings import SpeedSettings
from cuescope.audit.speed import speed
from cuescope.audit.systems import Model
from cuescope.commands.cli import app
from cuescope.errors import CueScopeError
from cuescope.files import chunks
from cuescope.inside.translator import Translator
from cuescope.measures.corpus import BLEU, CHRF
from cuescope.run.store import Store
from cuescope.show.audit import speed_tables, words
from cuescope.show.audit.page import speed_page
from cuescope.show.figures.drops import drops
from cuescope.signature import Signature
from said_speed import grid, knob

SAID = ["O gato dorme no telhado hoje.", "Ela é a nova médica da cidade.", "Sim.", "A casa caiu"]
MEANT = ["O gato dorme hoje no telhado.", "Ela é a nova médica.", "Sim, claro.", "A casa caiu."]


# -- knobs -------------------------------------------------------------------------------------


def test_rounded_weights_are_the_nearest_of_their_grid(tiny_model):
    mt, plain = tiny_model("marian"), tiny_model("marian")
    edits.round_weights(mt, 4)
    before = dict(plain.engine.module.named_parameters())
    for name, weight in mt.engine.module.named_parameters():
        old = before[name]
        if weight.ndim < 2 or "embed_positions" in name:
            assert torch.equal(weight, old)
            continue
        for row in range(0, len(weight), 17):
            levels = old[row].abs().max() / 7 * torch.arange(-7, 8)
            nearest = (old[row][:, None] - levels).abs().min(-1).values
            torch.testing.assert_close((weight[row] - old[row]).abs(), nearest, atol=1e-6, rtol=0)


def test_fewer_layers_are_those_that_are_left(tiny_model):
    """A decoder without its last layer gives the hidden states that went into that layer."""
    whole, mt = (tiny_model("marian", (2, 3)) for _ in range(2))
    seen = []
    layers = whole.engine.module.get_decoder().layers
    layers[2].register_forward_pre_hook(lambda _, given: seen.append(given[0]))
    whole.logits(tiny.SENTENCES[:2], tiny.SENTENCES[3:5])
    edits.drop_layers(mt, 1)
    wanted = whole.engine.project(seen[0])
    assert torch.equal(mt.logits(tiny.SENTENCES[:2], tiny.SENTENCES[3:5]), wanted)
    assert mt.sites["decoder"][0] == 2
    with pytest.raises(CueScopeError, match="cannot lose"):
        edits.drop_layers(mt, 2)


@pytest.mark.parametrize("edit", [edits.dynamic_int8, edits.bfloat16])
@pytest.mark.parametrize("kind", ["marian", "firefox"])
def test_other_arithmetic_is_near(kind, edit, tiny_model, tmp_path):
    load = (
        (lambda: tiny_model("marian"))
        if kind == "marian"
        else (lambda: cs.load(str(place), check=False))
    )
    place = tiny_firefox.folder(tmp_path / "f") if kind == "firefox" else None
    plain, mt = load(), load()
    edit(mt)
    sides = (tiny.SENTENCES[:3], tiny.SENTENCES[3:6])
    wanted, found = plain.logits(*sides), mt.logits(*sides)
    assert found.dtype == torch.float32
    assert 0 < float((found - wanted).abs().mean()) < 0.1 * float(wanted.std())
    assert len(mt.translate(tiny.SENTENCES[:3], beam=2)) == 3  # padded and searched as well


def test_the_grid_says_what_cannot_run(tiny_folder, tmp_path):
    here, there = Model(str(tiny_folder("marian"))), Model(str(tiny_firefox.folder(tmp_path / "f")))
    assert "no lexical shortlist" in systems.absent(here, Knobs(shortlist=True))
    assert "only Firefox's" in systems.absent(here, Knobs(engine="bergamot"))
    assert "recurrent" in systems.absent(there, Knobs(engine="ctranslate2"))
    assert systems.absent(there, Knobs(shortlist=True)) == ""
    full = knobs.rows(True, (6, 2))
    assert len({row.key for row in full}) == len(full)
    assert len({row.knobs for row in full}) == len(full)  # nothing is measured twice
    assert [row.key for row in knobs.chosen(full, ("bs1",))] == ["baseline", "bs1"]
    with pytest.raises(CueScopeError, match="no such knob"):
        knobs.chosen(full, ("bs2",))


def test_what_never_ends_is_cut_off_and_counted(tmp_path):
    """A model of chance runs on: its translations are as long as they may be, and are counted."""
    model = Model(str(tiny_firefox.folder(tmp_path / "f")))
    system = systems.opened(model, Knobs(beam=1))
    texts = tiny.SENTENCES[:5]
    said, found = system.says(texts), system.mt.generate(texts)
    assert [one.cut for one in said] == [not one.finished for one in found]
    assert any(one.cut for one in said)
    for text, one in zip(texts, found, strict=True):
        most = 2 * len(system.mt.tokenise(text))
        assert len(one.ids) == most if not one.finished else len(one.ids) <= most


@pytest.mark.slow
def test_ctranslate2_says_the_same(tmp_path, monkeypatch):
    """A model that knows sentences by heart says them in CTranslate2's int8 too."""
    pytest.importorskip("ctranslate2")
    monkeypatch.setenv("CUESCOPE_CACHE", str(tmp_path / "cache"))
    known = {"The nurse left.": "A enfermeira saiu.", "She was late.": "Ela estava atrasada."}
    model = Model(str(tiny.taught(tmp_path / "taught", known, "pt")))
    for beam in (1, 2):
        system = systems.opened(model, Knobs(beam=beam, engine="ctranslate2"))
        said = system.says([*known])
        assert [one.text for one in said] == [*known.values()] == model.load().translate([*known])
        assert [one.cut for one in said] == [False] * len(known)
    assert system.seconds([*known]) > 0
    assert len([*(tmp_path / "cache" / "ctranslate2").iterdir()]) == 2  # one folder and the lock


# -- numbers -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("ours", "theirs"), [(BLEU, "corpus_bleu"), (CHRF, "corpus_chrf")])
def test_corpus_metrics_are_sacrebleus(ours, theirs, shared):
    texts = [shared("flores", f"en-pt.dev.{n}").read_text("utf-8").splitlines()[:60]
             for n in ("native.pt", "pt")]  # fmt: skip
    for said, meant in (texts, (SAID * 3, MEANT * 3)):
        wanted = getattr(sacrebleu, theirs)(said, [meant]).score
        table = ours.rows(said, meant)
        assert 100 * ours.value(table).value == pytest.approx(wanted, abs=1e-6)
    both = ours.rows(texts[0], texts[1]), ours.rows([t[:-9] for t in texts[0]], texts[1])
    fall = 1 - ours.value(both[1]).value / ours.value(both[0]).value
    assert ours.drop(*both).value == pytest.approx(fall)
    assert ours.drop(both[0], both[0]).value == 0
    assert ours.value(ours.rows(["x"], ["y z"])).value == 0


def test_a_ratio_is_taken_round_by_round():
    times, base = [1.0, 2.2, 2.9, 4.4], [2.0, 4.0, 6.0, 8.0]
    found = timing.ratio(times, base, Signature())
    logs = np.log(np.divide(times, base))
    low, high = stats.t.interval(0.95, 3, logs.mean(), stats.sem(logs))
    assert (found.value, found.low, found.high) == pytest.approx(np.exp([logs.mean(), low, high]))


def test_rounds_are_interleaved_and_kept():
    asked: list[str] = []
    kept: dict[int, dict[str, float]] = {1: {"a": 7.0, "b": 8.0, "c": 9.0}}
    clocks = {name: (lambda name=name: asked.append(name) or float(len(asked))) for name in "abc"}

    def store(number, make):
        return kept[number] if number in kept else make()

    found = timing.rounds(clocks, 3, store)
    assert asked == ["a", "b", "c", "c", "a", "b"]
    assert found[1] == kept[1]
    assert found[2] == {"a": 5.0, "b": 6.0, "c": 4.0}


PRINTED = {  # columns of the paper's tables with their printed last row: 4a en-es, 4a en-de, 4b
    "BLEU": ([33.2, 32.7, 32.9, 32.9, 32.7, 32.7], 1.5),
    "pro": ([80.9, 79.5, 78.6, 77.9, 77.7, 79.8], 3.9),
    "MoFc": ([41.7, 42.8, 33.6, 35.9, 33.8, 37.2], 21.4),
    "FoMc": ([48.1, 48.2, 44.3, 41.7, 46.3, 48.1], 13.5),
    "anti de": ([39.7, 39.2, 33.0, 32.6, 35.9, 33.2], 17.9),
    "anti stacked": ([44.2, 44.9, 38.5, 36.2, 40.4, 34.9], 22.3),
    "anti stacked de": ([39.7, 39.2, 32.2, 29.1, 28.9, 23.3], 41.3),
}


@pytest.mark.parametrize("column", PRINTED)
def test_the_last_row_is_the_papers(column):
    values, printed = PRINTED[column]
    assert 100 * speed_tables.max_drop(values) == pytest.approx(printed, abs=0.15)


def test_a_knob_that_breaks_the_model_is_a_point_and_bears_on_no_trend():
    times, falls = (0.4, 0.6, 0.9), (0.3, 0.1, 0.0)
    rows = [knob(time, anti=fall) for time, fall in zip(times, falls, strict=True)]
    found = grid(*rows, knob(1.6, anti=1.0, BLEU=1.0))()
    first = drops(found)[0]
    trend = [line for line in first.lines if line.get_linestyle() == "-" and line.zorder == 2][-1]
    x = 100 * (1 - np.array(times))
    slope, start = np.polyfit(x, 100 * np.array(falls), 1)
    np.testing.assert_allclose(trend.get_xdata(), [x.min(), x.max()])
    np.testing.assert_allclose(trend.get_ydata(), start + slope * np.array([x.min(), x.max()]))
    points = [one.lines[0].get_xdata() for one in first.containers]
    assert all(min(some) == pytest.approx(-60) for some in points)


# -- the whole ---------------------------------------------------------------------------------


@pytest.fixture
def settings(tiny_folder, tmp_path, monkeypatch):
    """A small grid on a small model and a small test set."""
    monkeypatch.setenv("CUESCOPE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "a.en").write_text("\n".join(tiny.SENTENCES[:3]), "utf-8")
    (tmp_path / "a.pt").write_text("\n".join(tiny.SENTENCES[3:6]), "utf-8")

    def make(model=None, **changes):
        use = {"lang": "pt", "pairs": 6, "timed": 2, "rounds": 2, "jobs": 1} | changes
        return SpeedSettings(
            str(model or tiny_folder("marian")), str(tmp_path / "a.en"), str(tmp_path / "a.pt"),
            out=str(tmp_path / use.pop("out", "out")), **use,
        )  # fmt: skip

    return make


@pytest.mark.slow
def test_the_audit_is_whole_and_goes_on(settings, monkeypatch):
    use = settings(knobs=("bs1", "bits4", "int8", "shortlist"))
    count = [0]
    plain = workers.opened

    def breaks(model, one):
        count[0] += 1
        if count[0] == 3:
            raise KeyboardInterrupt
        return plain(model, one)

    monkeypatch.setattr(workers, "opened", breaks)
    with pytest.raises(KeyboardInterrupt):
        speed(use)
    assert {one.name for one in use.folder.glob("said-*")} >= {"said-baseline.jsonl"}
    found = speed(use)
    assert count[0] == 3 + 2  # baseline and bs1 were kept
    told = json.loads((use.folder / "speed.json").read_text("utf-8"))
    rows = {row["knob"]: row for row in told["rows"]}
    assert "no lexical shortlist" in rows["shortlist"]["absent"]
    assert rows["baseline"]["time"]["value"] == 1
    assert rows["bs1"]["time"]["n"] == 2
    assert set(rows["bs1"]["values"]) >= {"pro", "anti", "fofc", "BLEU", "chrF", "mpa"}
    assert rows["int8"]["values"]["pro"]["n"] == 6
    monkeypatch.setattr(workers, "opened", None)
    monkeypatch.setattr(systems, "opened", None)
    again = speed(use)
    assert again.to_json() == found.to_json()  # nothing is done twice, times included
    with pytest.raises(CueScopeError, match="holds another run"):
        speed(settings(model=tiny.marian(use.folder.parent, (1, 1))))


@pytest.mark.slow
def test_firefox_has_its_own_rows(settings, tmp_path):
    model = tiny_firefox.folder(tmp_path / "f")
    found = speed(settings(model=model, knobs=("shortlist", "ctranslate2", "stacked-shortlist")))
    by = {one.row.key: one for one in found.rows}
    assert "recurrent" in by["ctranslate2"].absent
    assert by["shortlist"].values["BLEU"].n == 3
    page = speed_page([found])
    assert "was not run: CTranslate2 has no recurrent decoder" in page
    assert "Tables 4a and 4b" in page
    assert page.count("data:image/png") <= 1
    said = " ".join(words.speed(found))
    assert "Not run: CTranslate2, int8 (CTranslate2 has no recurrent decoder" in said


@pytest.mark.slow
def test_more_processes_say_the_same(tmp_path):
    texts = [f"{text} {n}" for n in range(28) for text in tiny.SENTENCES[:5]]
    model = Model(str(tiny_firefox.folder(tmp_path / "f")))
    mt, found = Translator.of(model.load()), {}
    for jobs in (1, 2):
        done: list[int] = []
        with workers.crew(mt, jobs):
            make = workers.says(model, Knobs(beam=1), done.append)
            lines = Store().lines("x", Signature(), texts, make, chunk=20, progress=done.append)
            assert list(workers.each([partial(len, texts), partial(max, 1, 2)])) == [140, 2]
        found[jobs] = lines
        assert sum(done) == len(texts)
        assert (chunks.workers(), workers._open) == (None, {})
    assert found[1] == found[2]
    assert [line["source"] for line in found[1]] == texts


@pytest.mark.slow
def test_an_audit_on_two_processes_finds_the_same(settings, tmp_path):
    """Translations and readings come from workers; all but the times is as from one process."""
    model = tiny_firefox.folder(tmp_path / "f")  # workers open it without transformers
    found = [
        speed(settings(model, knobs=("bs1",), jobs=jobs, out=f"out-{jobs}")).to_json()
        for jobs in (1, 2)
    ]
    for one in found:
        for row in one["rows"]:
            row.pop("time"), row.pop("seconds_per_100")
    assert found[0] == found[1]
    assert found[0]["rows"][1]["values"]["anti"]["n"] == 6


@pytest.mark.slow
def test_the_command_writes_the_report(settings):
    use = settings()
    args = ["audit", "speed", use.model, "--test-set", use.sources, use.references, "--lang", "pt",
            "--out", use.out, "--pairs", "4", "--timed", "2", "--rounds", "2", "--jobs", "1",
            "--knobs", "bs1"]  # fmt: skip
    done = CliRunner().invoke(app, args, catch_exceptions=False)
    assert done.exit_code == 0
    assert "max rel. % drop" in done.stdout
    assert "report: " in done.stdout
    assert "<h1>Does speed cost her gender?</h1>" in (use.folder / "report.html").read_text("utf-8")


def test_mistakes_are_told(settings, tmp_path):
    (tmp_path / "a.pt").write_text("uma linha", "utf-8")
    with pytest.raises(CueScopeError, match="line by line"):
        speed(settings())
    with pytest.raises(CueScopeError, match="no such grid"):
        settings(grid="large")
    with pytest.raises(CueScopeError, match="rounds out of range"):
        settings(rounds=1)


@pytest.mark.slow
def test_a_yaml_file_asks_for_it(settings, tmp_path):
    use, path = settings(), tmp_path / "audit.yaml"
    given = {"audit": "speed", **use.facts(), "knobs": ["bs1"], "out": use.out, "jobs": 1}
    path.write_text(json.dumps(given), "utf-8")  # JSON is YAML
    done = CliRunner().invoke(app, ["run", str(path), "--dry-run"], catch_exceptions=False)
    assert f"{use.out}: model {use.model}" in done.stdout
    assert not use.folder.exists()
    done = CliRunner().invoke(app, ["run", str(path)], catch_exceptions=False)
    assert (use.folder / "report.html").is_file()
    for wrong, told in (({"audit": "size"}, "which audit"), ({"beam": 3}, "no setting 'beam'")):
        path.write_text(json.dumps({**given, **wrong}), "utf-8")
        with pytest.raises(CueScopeError, match=told):
            CliRunner().invoke(app, ["run", str(path)], catch_exceptions=False)
    path.write_text(json.dumps({"audit": "speed", "model": use.model}), "utf-8")
    with pytest.raises(CueScopeError, match="which sources"):
        CliRunner().invoke(app, ["run", str(path)], catch_exceptions=False)
