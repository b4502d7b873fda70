"""The relationship audit: Portuguese sentences, the four-way choice, heads, pages."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

import tiny
from cuescope.audit import possessive as inside
from cuescope.audit.possessive import Possessive, forms, fours, pairs_of, possessive
from cuescope.audit.relationships import audit
from cuescope.audit.settings import RelationshipSettings
from cuescope.commands.cli import app
from cuescope.data import relationships as data
from cuescope.errors import CueScopeError
from cuescope.gender import read
from cuescope.inside.translator import Translator
from cuescope.measures.relationships import Relationships
from cuescope.models import load
from cuescope.show.audit import couples

JOBS = ("analyst", "lawyer", "nurse")


# -- the Portuguese set ------------------------------------------------------------------------


def test_the_portuguese_set_is_whole():
    rows = data.rows("pt")
    assert len(rows) == len({row["sent"] for row in rows}) == 3000
    assert data.occupations("pt")[1] == {}  # the article always tells
    assert data.LANGUAGES == ("es", "fr", "it")  # the paper's set stays the paper's
    english = [one.english for one in data.occupations("pt")[0]]
    assert english == [one.english for one in data.occupations("es")[0]]
    words = {(row["relationship_word"], row["relationship_word_en"]) for row in rows}
    assert words == {("namorado", "boyfriend"), ("namorada", "girlfriend"), ("noivo", "fiance"),
                     ("noiva", "fiancee"), ("marido", "husband"), ("esposa", "wife")}  # fmt: skip


def test_each_portuguese_noun_has_the_gender_that_it_should():
    """Read by the project's own Portuguese rules, in a sentence of the set."""
    for one in data.occupations("pt")[0]:
        for gender, phrase in (("masculine", one.male), ("feminine", one.female)):
            text = f"{phrase} beijou alguém."
            noun = phrase.partition(" ")[2]
            start = text.index(noun)
            found = read(text, (start, start + len(noun.split()[0])), "pt", noun=one.english)
            assert found.gender == gender, phrase


# -- the choice --------------------------------------------------------------------------------


def some_rows():
    return [row for row in data.rows("pt") if row["subject_word_en"] in JOBS]


def test_four_sentences_differ_in_the_two_genders():
    found = fours(some_rows())
    assert len(found) == len(JOBS) * 5 * 3
    for four in found[:3]:
        assert {(r["subject_gender"], r["relationship_gender"]) for r in four.values()} == {*four}
        assert len({row["relationship_topic"] for row in four.values()}) == 1
    assert fours(some_rows()[:3]) == []


def test_a_choice_is_one_only_after_the_same_words():
    four = fours(some_rows())[0]
    sents = [row["sent"] for row in four.values()]
    words = ("his boyfriend", "her girlfriend", "her wife", "his wife")
    said = {text: f"the lawyer met {one}." for text, one in zip(sents, words, strict=True)}
    wanted = tuple(f"the lawyer met {one} boyfriend." for one in ("her", "his"))
    assert forms(four, said) == wanted
    assert "part before" in forms(four, {**said, sents[2]: "the attorney met her wife."})
    assert "without" in forms(four, {**said, sents[2]: "the lawyer met their wife."})


def test_twins_change_one_gender_and_ask_for_her():
    four = fours(some_rows())[0]
    for whose, at in (("subject", 0), ("partner", 1)):
        for number, pair in enumerate(pairs_of(four, whose, 5)):
            assert pair.index == 10 + number
            by = {row["sent"]: genders for genders, row in four.items()}
            male, female = by[pair.pro.text], by[pair.anti.text]
            assert (pair.pro.gold, pair.anti.gold) == ("male", "female")
            assert male[1 - at] == female[1 - at]  # the other gender is held
            wanted = ("male", "female") if whose == "subject" else ("female", "male")
            assert (male[at], female[at]) == wanted
            cue = pair.anti.text[slice(*pair.anti.cue)]
            assert cue.startswith("a " if whose == "subject" else "seu ")


def test_who_decides_is_counted_as_defined():
    """leaning [four, partner male / female, subject male / female]; > 0 is her."""
    her, his = 2.0, -1.0
    table = np.array([
        [[his, her], [his, her]],  # the subject
        [[her, her], [his, his]],  # the partner: her with a man
        [[his, his], [his, his]],
        [[her, her], [her, her]],
        [[her, her], [his, her]],
    ])  # fmt: skip
    some = fours(some_rows())[:5]
    found = {name: value.value for name, value in inside._decided(table, some, None).items()}
    assert found == dict.fromkeys(found, 0.2)
    pull = inside._pull(table, some, None)
    assert pull["subject"].value == pytest.approx(np.mean([3, 0, 0, 0, 1.5]))
    assert pull["partner"].value == pytest.approx(np.mean([0, 3, 0, 0, 1.5]))
    assert pull["ratio"].value == pytest.approx(1)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A small model that knows a few sentences by heart: the partner decides in all of them."""
    known = {}
    for row in some_rows():
        if row["relationship_topic"] == "romance" and row["relationship_word_category"] == "SPOUSE":
            word = "her husband" if row["relationship_gender"] == "male" else "his wife"
            known[row["sent"]] = f"the {row['subject_word_en']} kissed {word}."
    return tiny.taught(tmp_path_factory.mktemp("couples") / "pt-en", known, "en"), known


@pytest.mark.slow
def test_the_pulls_are_those_of_the_logits(model):
    folder, known = model
    mt = Translator.of(load(str(folder), check=False))
    rows = [row for row in some_rows() if row["sent"] in known]
    found = possessive(mt, rows, known, 0)
    assert isinstance(found, Possessive)
    assert found.fours == len(JOBS)
    assert found.decided["by the partner"].value == 1
    moved = {"subject": [], "partner": []}
    for four in fours(rows):
        her, his = forms(four, known)
        ids = [mt.tokenise_target(text).ids for text in (her, his)]
        step = next(n for n, (a, b) in enumerate(zip(*ids, strict=False)) if a != b)
        lean = {}
        for genders, row in four.items():
            with torch.no_grad():
                logits = mt.logits([row["sent"]], [her])[0, step]
            lean[genders] = float(logits[ids[0][step]] - logits[ids[1][step]])
        moved["subject"].append(
            np.mean([lean["female", p] - lean["male", p] for p in ("male", "female")])
        )
        moved["partner"].append(
            np.mean([lean[s, "male"] - lean[s, "female"] for s in ("male", "female")])
        )
    for whose, wanted in moved.items():
        assert found.pull[whose].value == pytest.approx(np.mean(wanted), abs=1e-3)
    assert {key for key, _ in found.heads} == {"subject", "partner"}
    again = possessive(mt, rows, dict.fromkeys(known, "they wed."), 0)
    assert again == "no four sentences share one choice between his and her"


# -- the whole ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_models_and_given_outputs_stand_side_by_side(model, tmp_path, shared):
    folder, _ = model
    out = tmp_path / "out"
    google = tmp_path / "google.csv"
    lines = shared("relationships", "google.csv").read_text("utf-8").splitlines()
    google.write_text("\n".join([lines[0], *lines[1::15]]), "utf-8")
    args = ["audit", "relationships", str(folder), "--langs", "pt,es", "--src", "pt", "--tgt", "en",
            "--translations", f"google={google}", "--limit", "24", "--heads", "4", "--jobs", "1",
            "--occupations", str(shared("relationships", "occupations.tsv")),
            "--out", str(out)]  # fmt: skip
    done = CliRunner().invoke(app, args, catch_exceptions=False)
    told = json.loads((out / "relationships.json").read_text("utf-8"))
    alone = Relationships.of({"google": google}).accuracy("google", "same_gender")
    assert told["accuracy"]["google"]["same_gender"] == alone.value  # exactly as `score`
    page = (out / "report.html").read_text("utf-8")
    assert "<h1>Whose wife is it?</h1>" in page
    assert "data:image/png" in page
    assert (out / "figure-2.png").is_file()
    assert "it translates from pt" in " ".join(done.stdout.split())


def test_what_is_kept_is_not_translated_again(model, tmp_path, monkeypatch):
    folder, _ = model
    use = RelationshipSettings(str(folder), out=str(tmp_path / "a"), langs=("pt",), src="pt",
                               tgt="en", limit=8, heads=0, jobs=1)  # fmt: skip
    first = audit([use])
    monkeypatch.setattr("cuescope.audit.workers.opened", None)
    assert audit([use]).to_json() == first.to_json()
    assert first.inside[str(folder)] == "no heads were asked for"
    assert "nothing can be told" in " ".join(couples.answer(first))


def test_mistakes_are_told(tiny_folder, tmp_path):
    with pytest.raises(CueScopeError, match="nothing to audit"):
        audit([])
    with pytest.raises(CueScopeError, match="langs out of range"):
        RelationshipSettings("m", langs=("de",))
    wrong = RelationshipSettings(str(tiny_folder("marian")), out=str(tmp_path / "a"), tgt="pt")
    with pytest.raises(CueScopeError):
        audit([wrong])
