"""Runs side by side: differences, rankings and tables against values worked out by hand."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from cuescope.errors import CueScopeError
from cuescope.run.compare import side_by_side
from cuescope.run.compare.paired import differences
from cuescope.run.findings import Findings, write
from cuescope.show.compare.page import page
from cuescope.show.compare.tables import tables
from findings_of import findings, number
from test_cli import fails, run

WORDS = {"male": "masculine", "female": "feminine"}
OTHER = {"male": "female", "female": "male"}


def made(outcomes: str, name: str = "a-model", weights: str = "1", **facts: object) -> Findings:
    """A run of one pair a letter: B both twins right, p only pro, a only anti, n neither.

    The nouns are female by stereotype in even places, male in odd ones.
    """
    found = findings(len(outcomes), name=name, maps=0)
    found["model"]["weights"] = weights
    for pair, letter in zip(found["pairs"], outcomes, strict=True):
        stereotype = "female" if pair["index"] % 2 == 0 else "male"
        pair["stereotype"] = stereotype
        for twin in pair["twins"]:
            twin["gold"] = stereotype if twin["set"] == "pro" else OTHER[stereotype]
            twin["source"] += f" {twin['set']} {pair['index']}"
            twin["correct"] = letter == "B" or letter == twin["set"][0]
            twin["gender"] = WORDS[twin["gold"] if twin["correct"] else OTHER[twin["gold"]]]
            twin["with_pronouns"] = twin["gender"]
            twin["consistent"], twin["skipped"] = True, ""
    return {**found, **facts}  # type: ignore[typeddict-item]


def entropies(found: Findings, he: float, she: float, they: float) -> Findings:
    """The same entropies for every contrast set."""
    study = found["uncertainty"]
    assert study is not None
    for place, one in enumerate(study["sets"]):
        one["texts"] = {v: f"{v} {place}" for v in ("he", "she", "they")}
    count = len(study["sets"])
    each = {"he": [he] * count, "she": [she] * count, "they": [they] * count}
    study["measures"]["ge"]["entropy"] = each
    return found


def saved(tmp_path: Path, *runs: Findings) -> list[Path]:
    for place, found in enumerate(runs):
        write(tmp_path / f"run{place}", found)
    return [tmp_path / f"run{place}" for place in range(len(runs))]


def named(found, measure):
    return next(one for one in found if one.measure == measure)


# -- differences ---------------------------------------------------------------------------


def test_differences_by_hand():
    """Eight pairs: the second run gets six more right, and loses none."""
    found = differences(made("nnnnnnBB"), made("BBBBBBBB"))
    mpa = named(found, "MPA")
    assert mpa.value.value == pytest.approx(6 / 8)
    assert (mpa.test.only_first, mpa.test.only_second) == (0, 6)
    assert mpa.test.p == pytest.approx(2 * 0.5**6)  # six of six one way
    pro = named(found, "accuracy pro female")  # places 0, 2, 4, 6, of which 6 was right before
    assert (pro.value.value, pro.value.n) == (pytest.approx(3 / 4), 4)
    assert named(found, "accuracy anti female").value.n == 4  # the male nouns, against stereotype


def test_the_interval_leaves_out_each_noun_in_both_runs():
    first, second = made("BnnpaBnnBpnn" * 5, "x"), made("BBnBaBBnnBpB" * 5, "y")
    found = named(differences(first, second), "accuracy pro all").value
    right = [[t["correct"] for p in r["pairs"] for t in p["twins"][:1]] for r in (first, second)]
    gap = np.array(right[1], dtype=float) - np.array(right[0], dtype=float)
    nouns = np.array([pair["noun"] for pair in first["pairs"]])
    names = sorted(set(nouns))
    apart = [gap[nouns != name].mean() - gap.mean() for name in names]
    error = np.sqrt((len(names) - 1) / len(names) * np.square(apart).sum())
    assert found.value == pytest.approx(gap.mean())
    assert found.over == f"{len(names)} nouns"
    times = (found.high - found.value) / error
    df = 2 / (2 / (len(names) - 1) + max(0.0, stats.kurtosis(apart)) / len(names))
    assert times == pytest.approx(stats.t.ppf(0.975, df))


def test_pairing_makes_the_interval_narrower():
    """The runs differ in two pairs of sixty; unpaired intervals would hide that."""
    outcomes = "Bn" * 30
    found = named(differences(made(outcomes), made("BB" + outcomes[2:])), "MPA").value
    assert found.value == pytest.approx(1 / 60)
    assert found.high - found.low < 0.08


def test_pro_f_by_hand():
    """Right pairs: first BB.. (one female, one male), second three, two of them female."""
    pro_f = named(differences(made("BBnn"), made("BBBn")), "Pro-F").value
    assert pro_f.value == pytest.approx(2 / 3 - 1 / 2)
    assert not any(d.measure == "Pro-F" for d in differences(made("nnnn"), made("BBBn")))


def test_delta_h_by_hand():
    """ΔH = (0.3 − 0.1) / 0.2 = 1 against (0.1 − 0.3) / 0.2 = −1."""
    first = entropies(made("Bn"), 0.2, 0.4, 0.1)
    second = entropies(made("nn"), 0.0, 0.2, 0.3)
    gap = named(differences(first, second), "ΔH (ge)").value
    assert gap.value == pytest.approx(-2)
    assert gap.interval() is None  # of one contrast set
    second["uncertainty"]["samples"] = 64
    assert not any("ΔH" in one.measure for one in differences(first, second))


def test_skipped_sentences_do_not_count():
    second = made("BBBB")
    second["pairs"][0]["twins"][0]["skipped"] = "another sentence"
    found = differences(made("nnnn"), second)
    assert named(found, "accuracy pro all").value.n == 3
    assert named(found, "accuracy anti all").value.n == 4
    assert named(found, "MPA").value.n == 3


def test_only_common_pairs_are_compared_and_it_is_said(tmp_path):
    small = made("BBBBBB")
    small["pairs"] = small["pairs"][2:]
    found = side_by_side(*saved(tmp_path, made("nnnnnn", "one"), small))
    assert found.versus[0].pairs == 4
    assert any("share 4 pairs of 6 and 4" in note for note in found.notes)
    assert found.rankings[0].pairs == 4


def test_repeated_pairs_are_told_apart():
    doubled = made("nnBB")
    for at in (2, 3):
        for one, other in zip(doubled["pairs"][at]["twins"], doubled["pairs"][0]["twins"],
                              strict=True):  # fmt: skip
            one |= {"source": other["source"], "gold": other["gold"], "focus": other["focus"]}
    assert named(differences(doubled, doubled), "MPA").value.n == 4


# -- what may be compared ------------------------------------------------------------------


def test_other_language_is_said(tmp_path):
    spanish = made("BBnn", "es-model", lang="es")
    found = side_by_side(*saved(tmp_path, made("nnnn", "pt-model"), spanish))
    assert "pt-model translates into pt, es-model into es" in found.notes[0]


def test_the_same_weights_on_other_data(tmp_path):
    """No pair in common, so no difference; but heads are the same, and can be correlated."""
    other = made("BBnn")
    other["data"]["name"] = "mine.tsv"
    for pair in other["pairs"]:
        for twin in pair["twins"]:
            twin["source"] += " elsewhere"
    found = side_by_side(*saved(tmp_path, made("nnnn"), other))
    assert found.versus == ()
    assert found.rankings == ()
    assert [one.rho for one in found.same_heads] == pytest.approx([1.0, 1.0])  # made alike
    assert [run.label for run in found.runs] == ["a-model, simplegen", "a-model, mine.tsv"]
    assert "share no pair" in found.notes[0]
    other["model"]["weights"] = "2"
    with pytest.raises(CueScopeError, match="nothing in common") as error:
        side_by_side(*saved(tmp_path, made("nnnn"), other))
    assert "mine.tsv" in str(error.value)


def test_labels_tell_runs_apart(tmp_path):
    names = ("Helsinki-NLP/opus-mt-en-pt", "mine/opus-mt-en-pt", "firefox:en-pt", "x" * 99)
    runs = [made("Bn" * n, name, str(n)) for n, name in enumerate(names, 1)]
    labels = [run.label for run in side_by_side(*saved(tmp_path, *runs)).runs]
    assert labels[:3] == [names[0], names[1], names[2]]
    assert len(labels[3]) < 50
    same = [made("Bn"), made("nn")]
    assert [r.label for r in side_by_side(*saved(tmp_path, *same)).runs] == [
        "a-model, run0",
        "a-model, run1",
    ]


# -- the papers' tables --------------------------------------------------------------------


@pytest.fixture
def three(tmp_path):
    """Made so that accuracy and MPA put the models in opposite orders."""
    a = entropies(made("Bnnn", "a"), 0.2, 0.4, 0.1)  # 2 of 8 right, MPA 1/4
    b = entropies(made("pppn", "b"), 0.1, 0.1, 0.1)  # 3 of 8, 0
    c = entropies(made("ppaB", "c"), 0.1, 0.1, 0.3)  # 5 of 8, 1/4
    for run_, share in ((a, 0.061), (b, None), (c, 0.38)):
        made_ = number(share, share and share - 0.01, share and share + 0.01, 4)
        run_["measures"]["mpa"].update(made_)
    return saved(tmp_path, a, b, c)


def test_rankings_by_hand(three):
    ranking = side_by_side(*three).rankings[0]
    assert ranking.scores["Gender Acc."] == {"a": 2 / 8, "b": 3 / 8, "c": 5 / 8}
    assert ranking.scores["MPA"] == {"a": 1 / 4, "b": 0, "c": 1 / 4}
    assert ranking.scores["|pro − anti|"] == {"a": 0, "b": 3 / 4, "c": 1 / 4}
    assert ranking.scores["ΔH (ge)"] == pytest.approx({"a": 1, "b": 0, "c": -1})
    assert ranking.lower == ("|pro − anti|", "ΔH (ge)")
    kendall, spearman = ranking.correlations["ΔH (ge)"]
    assert (kendall.value, spearman.value) == pytest.approx((-1, -1))
    assert spearman.p == pytest.approx(1 / 3)  # 2 of the 6 orders of three models
    kendall, _ = ranking.correlations["MPA"]
    assert kendall.value == pytest.approx(stats.kendalltau([2, 3, 5], [1, 0, 1]).statistic)


def test_tables_have_the_papers_shape(three):
    made = tables(side_by_side(*three))
    one = made["accuracy"].frame
    assert list(one.columns) == ["All", "Male", "Female"]
    assert list(one.index) == [(s, m) for s in ("PRO-S", "ANTI-S") for m in "abc"]
    two = made["mpa"].frame
    assert two.loc[("a", "all"), "MPA"] == "6.1 [5.1, 7.1]"
    assert two.loc[("b", "all"), "MPA"] == "N/A"
    assert list(made["breakdown"].frame.columns[:2]) == ["Pro-F", "Pro-M"]
    order = made["ranking"].frame
    assert order["Gender Acc."].tolist() == ["c 62.5", "b 37.5", "a 25.0"]
    assert order["ΔH (ge)"].tolist() == ["c -1.00", "b +0.00", "a +1.00"]
    assert order["MPA"].tolist() == ["a 25.0 =", "c 25.0 =", "b 0.0"]
    assert made["correlations"].frame.index.get_level_values(0)[0] == "Spearman"
    assert made["heads"].frame.iloc[0]["Carry the cue"].replace("\xa0", " ") == (
        "2.1 41 %, 0.7 38 %"
    )
    assert list(made["entropy"].frame.columns) == [("GE", c) for c in ("Unamb.", "Amb.", "ΔH")]
    gap = made["difference 1"]
    assert gap.title == "b against a"
    assert gap.frame.loc["MPA", "Only first"] == "1"


def test_few_measures(tmp_path):
    """What was not measured is left out; nothing breaks."""
    bare = []
    for name in ("x", "y"):
        one = made("BnBn" if name == "x" else "nnnn", name)
        one |= {
            "uncertainty": None,
            "orders": {},
            "heads": {},
            "accuracy": {},
            "measures": {},
        }
        one["with_pronouns"] = None
        bare.append(one)
    found = side_by_side(*saved(tmp_path, *bare))
    assert set(tables(found)) == {"runs", "difference 1", "ranking"}
    assert 'id="heads"' not in page(found)


# -- page and command ----------------------------------------------------------------------


def test_the_page_says_the_answer_and_escapes(tmp_path):
    runs = [findings(12, hostile=True, right=share, seed=7) for share in (0.1, 0.9)]
    text = page(side_by_side(*saved(tmp_path, *runs)))
    assert "<script>alert" not in text
    assert "onerror=alert(2)>" not in text
    assert "&lt;img src=x onerror" in text
    assert not re.search(r'(src|href)="(?!#|data:)', text)


def test_the_answer_needs_interval_and_test(tmp_path):
    clear = saved(tmp_path / "clear", made("n" * 40, "low"), made("B" * 30 + "n" * 10, "high"))
    text = page(side_by_side(*clear))
    assert "high follows the cue in 75.0\xa0% of the 40 pairs, low in 0.0\xa0%" in text
    assert "high follows the cue more often than low: +75.0 points" in text
    assert "0.001 after Holm, as if pairs were independent" in text
    unsure = saved(tmp_path / "unsure", made("Bn" * 20, "low"), made("nB" * 20, "high"))
    text = page(side_by_side(*unsure))
    assert "Both follow the cue in 50.0\xa0% of the 40 pairs" in text
    assert "high and low do not clearly differ: +0.0 points" in text


@pytest.mark.slow
def test_command(three, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    done = run("compare", *three, "--json", "out.json")
    assert done.returncode == 0, done.stderr
    assert "page: artifacts/compare.html" in done.stdout
    for words in ("paper A, table 1", "paper A, table 2", "paper A, table 3", "paper B, table 13",
                  "b against a", "c against b"):  # fmt: skip
        assert words in done.stdout
    assert (tmp_path / "artifacts/compare.html").read_text().startswith("<!doctype html>")
    found = json.loads((tmp_path / "out.json").read_text())
    assert [one["label"] for one in found["runs"]] == ["a", "b", "c"]
    assert "pairs" not in found["runs"][0]
    (mpa,) = (m for m in found["differences"][0]["measures"] if m["measure"] == "MPA")
    assert mpa["value"] == pytest.approx(-1 / 4)
    assert mpa["mcnemar"]["only_first"] == 1
    piped = run("compare", *three, "--json", "-", "--out", tmp_path / "x.html")
    assert json.loads(piped.stdout) == found | {
        "runs": [one | {"folder": str(p)} for one, p in zip(found["runs"], three, strict=True)]
    }


def test_errors(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    one, two = saved(tmp_path, made("BnBn", "x"), made("nnBn", "y"))
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/findings.json").write_text("{")
    (tmp_path / "thin").mkdir()
    (tmp_path / "thin/findings.json").write_text('{"schema": 2}')
    copy = tmp_path / "copy"
    write(copy, deepcopy(made("BnBn", "x")) | {"seconds": {"translate": 1.0}})
    for folders, said in [
        ([one], "two run folders or more"),
        ([one, tmp_path / "none"], "no such file or folder"),
        ([one, tmp_path / "empty"], "is not a run folder"),
        ([one, tmp_path / "broken"], "is not a run's findings"),
        ([one, tmp_path / "thin"], "nothing under data, lang"),
        ([one, two, one], "the same run twice"),
        ([one, copy], "the same run twice"),
    ]:
        fails(run("compare", *folders), said)
    assert not (tmp_path / "artifacts").exists(), "nothing half-written"


@pytest.mark.slow
def test_in_a_browser(three, tmp_path):
    """Opens from disk without a request or an error, and no page scrolls sideways."""
    driver = pytest.importorskip("playwright.sync_api")
    if not Path("/usr/bin/chromium").exists():
        pytest.skip("no chromium")
    file = tmp_path / "compare.html"
    file.write_text(page(side_by_side(*three)), "utf-8")
    with driver.sync_playwright() as play:
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for width, scheme in ((1200, "light"), (390, "dark")):
            view = browser.new_context(
                viewport={"width": width, "height": 800}, color_scheme=scheme, offline=True
            )
            tab, said, asked = view.new_page(), [], []
            tab.on("console", lambda message, said=said: said.append(message.text))
            tab.on("pageerror", lambda error, said=said: said.append(str(error)))
            tab.on("request", lambda request, asked=asked: asked.append(request.url))
            tab.goto(file.as_uri())
            assert said == []
            assert [url for url in asked if not url.startswith("data:")] == [file.as_uri()]
            assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
            before = tab.evaluate("getComputedStyle(document.body).backgroundColor")
            tab.click("#theme")
            assert tab.evaluate("getComputedStyle(document.body).backgroundColor") != before
            tab.keyboard.press("Tab")
        browser.close()
