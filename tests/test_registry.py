"""Measures that declare themselves: one declaration, and every place shows the number."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path

import pytest
from rich.console import Console

import cuescope.measures
from cuescope.commands import summary
from cuescope.errors import CueScopeError
from cuescope.measures import registry
from cuescope.measures.registry import Measure, known, register
from cuescope.run.compare import side_by_side
from cuescope.run.compare.paired import differences
from cuescope.run.findings import measures, read, write
from cuescope.run.judged import judged
from cuescope.run.score import Score
from cuescope.show.compare.page import page
from cuescope.show.compare.tables import tables
from cuescope.show.report import render
from test_compare import made, named

MOVES = "The twins' nouns show different genders."


def row(pair, pro, anti):
    shown = {pro.reading.gender, anti.reading.gender}
    return (len(shown) == 2, 1) if shown <= {"masculine", "feminine"} else (0, 0)


@pytest.fixture
def moves(monkeypatch):
    """A measure of one's own, for one test."""
    known()
    monkeypatch.setattr(registry, "_KNOWN", dict(registry._KNOWN))
    return register(Measure("moves", "moves with <it>", MOVES, row))


def score_of(found) -> Score:
    pairs = [judged(pair) for pair in found["pairs"]]
    sets = {"pro": tuple(p for _, p, _ in pairs), "anti": tuple(a for _, _, a in pairs)}
    return Score(sets, tuple(pairs), all_pairs=True)


def findings_with(outcomes: str, name: str):
    """A run whose measures are those that its pairs have."""
    found = made(outcomes, name)
    found["measures"] = measures(score_of(found).measures())
    return found


def test_built_in_measures_are_what_the_score_says():
    """The registered numbers against those of MPA and ΔS, bound by bound."""
    score = score_of(made("BnpaBBnnBpnn" * 3))
    found = score.measures()
    assert list(found) == ["mpa", "strict_mpa", "pro_f", "pro_m", "unchanged", "delta_s"]
    assert score.mpa is not None
    theirs = (score.mpa.value, score.mpa.strict, score.mpa.pro_f, score.mpa.pro_m, score.delta_s())
    others = [one for name, one in found.items() if name != "unchanged"]
    for mine, value in zip(others, theirs, strict=True):
        assert (mine.name, mine.n, mine.over) == (value.name, value.n, value.over)
        assert (mine.value, mine.low, mine.high) == (value.value, value.low, value.high)
    assert found["mpa"].value == 12 / 36
    one_set = Score({"pro": score.sets["pro"]}).measures()
    assert one_set == {}  # no pair, and nothing to set pro against


@pytest.mark.parametrize(
    ("genders", "counted"),
    [
        (("masculine", "masculine"), 1),
        (("feminine", "feminine"), 1),
        (("neutral", "neutral"), 0),
        (("unknown", "unknown"), 0),
        (("masculine", "feminine"), 0),
        (("masculine", "neutral"), 0),
    ],
)
def test_unchanged_is_one_gender_in_both_twins(genders, counted):
    found = made("B")
    for twin, gender in zip(found["pairs"][0]["twins"], genders, strict=True):
        twin["gender"] = gender
    value = score_of(found).measures()["unchanged"]
    assert (value.value, value.n) == (counted, 1)


def test_one_declaration_shows_everywhere(moves, tmp_path, monkeypatch):
    first, second = findings_with("BpapBpap", "one"), findings_with("BBapBBap", "two")
    assert first["measures"]["moves"]["value"] == 2 / 8  # B moves, and so would n; p and a do not
    folders = [tmp_path / name for name in ("one", "two")]
    for folder, found in zip(folders, (first, second), strict=True):
        write(folder, found)
    gap = named(differences(first, second), moves.label)
    assert (gap.value.value, gap.test.only_second) == (pytest.approx(2 / 8), 2)
    assert moves.label in str(side_by_side(*folders).to_json()["differences"])

    # From here on its code is not there: the folder tells it all the same.
    monkeypatch.setattr(
        registry, "_KNOWN", {k: v for k, v in registry._KNOWN.items() if k != "moves"}
    )
    found = read(folders[0])
    report = render(found)
    assert report.count("moves with &lt;it&gt;</th>") == 1
    assert MOVES.replace("'", "&#x27;") in report
    assert report.count('<th scope="row">MPA</th>') == 1
    screen = io.StringIO()
    summary.show(found, Console(file=screen, width=160))
    assert "moves with <it>" in screen.getvalue()
    both = side_by_side(*folders)
    table = tables(both)["measures"].frame
    assert table.loc[("moves with <it>", "two"), "Value"].startswith("50.0 [")
    assert "moves with &lt;it&gt;" in page(both)
    assert any("moves with <it> is shown, not compared" in note for note in both.notes)
    told = json.loads(json.dumps(both.to_json()))
    assert told["runs"][1]["measures"]["moves"]["value"] == 4 / 8


def test_a_file_in_the_package_is_all_it_takes(moves, tmp_path, monkeypatch):
    """`docs/adding-a-measure.md`: in the project, the same file in `cuescope/measures/`."""
    text = (Path(__file__).parents[1] / "docs" / "adding-a-measure.md").read_text("utf-8")
    file = re.search(r"^```python moves.py\n(.*?)^```", text, re.M | re.S)
    assert file
    (tmp_path / "moved.py").write_text(file[1].replace('"moves"', '"moved"'), "utf-8")
    monkeypatch.setattr(cuescope.measures, "__path__", [*cuescope.measures.__path__, str(tmp_path)])
    try:
        assert [one.name for one in known() if "other" not in one.label and one.name != "spill"][
            4:
        ] == [
            "moved",
            "unchanged",
            "delta_s",
            "moves",
        ]
        score = score_of(made("Bpn"))
        assert score.measures()["moved"].value == score.measures()["moves"].value == 2 / 3
    finally:
        sys.modules.pop("cuescope.measures.moved", None)


def test_a_number_is_no_share(moves):
    mean = Measure(
        "words", "words", "Words.", lambda p, a, b: (len(a.translation), 1), unit="number"
    )
    value = mean.value(mean.units(score_of(made("Bn")).judged, {}))
    assert not value.percent
    assert "%" not in value.brief()


def test_names_are_told_apart(moves):
    register(moves)  # again, as in a notebook
    taken = Measure("mpa", "mine", "Mine.", row)
    with pytest.raises(CueScopeError, match="two measures are called mpa"):
        register(taken)
    uneven = Measure("uneven", "uneven", "Wrong.", lambda p, a, b: [1] * (1 + a.correct))
    with pytest.raises(CueScopeError, match="differ in length"):
        uneven.value(score_of(made("Bn")).judged)


@pytest.mark.parametrize(
    "wrong", [{"unit": "percent"}, {"needs": "pair"}, {"row": lambda *_: True}, {"row": len}]
)
def test_a_measure_that_cannot_be_is_said_by_name(wrong):
    facts = {"name": "odd", "label": "odd", "says": "", "row": lambda *_: (1, 1)} | wrong
    with pytest.raises(CueScopeError, match="the measure odd"):
        Measure(**facts).table([(1, 2, 3)])
