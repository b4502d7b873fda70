"""Judging: what is counted, against hand-made systems; lessons and targets; the command."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from cuescope.commands.cli import app
from cuescope.data.items import Item, Pair, Pairs
from cuescope.errors import CueScopeError
from cuescope.inside.edit.floor import floor
from cuescope.inside.ready import placed
from cuescope.measures import verdict
from cuescope.measures.parts import part
from cuescope.mend import fit, judge, lessons, sure, table
from cuescope.mend.choose import choosing
from cuescope.mend.louder import louder
from cuescope.mend.targets import changed
from cuescope.run.study import contrast_sets, study
from cuescope.show.figures.front import best, front

FREE = ("The lake is deep.",)
NOUNS = {"mechanic": ("O mecânico", "A mecânica"), "engineer": ("O engenheiro", "A engenheira")}
OTHERS = {"nurse": ("ao enfermeiro", "à enfermeira"), "teacher": ("ao professor", "à professora")}


def pairs() -> Pairs:
    made = []
    for noun in NOUNS:
        for other in OTHERS:
            start, twins = f"The {noun} told the {other} that ", []
            for gold, cue in (("male", "he"), ("female", "she")):
                text = f"{start}{cue} was late."
                span = (len(start), len(start) + len(cue))
                at = len(made)
                twins.append(Item(text, (4, 4 + len(noun)), span, gold, pair=at, noun=noun))
            made.append(Pair(*twins, len(made)))
    return Pairs(made)


def system(focus: bool, other: bool, free: str = "O lago é profundo."):
    """Turns the focus noun, or the other noun, where the sentence says she."""

    def says(texts, _):
        found = []
        for text in texts:
            she, words = " she " in text, text.split()
            if text in FREE:
                found.append(free)
                continue
            first, second = NOUNS[words[1]][focus and she], OTHERS[words[4]][other and she]
            pronoun = "ela" if she else "eles" if " they " in text else "ele"
            found.append(f"{first} disse {second} que {pronoun} estava atrasado.")
        return found

    return says


def test_gain_and_damage_are_counted():
    material = judge.Material(pairs(), "pt", FREE, FREE, ("O lago é profundo.",))
    systems = {
        "plain": system(False, False),
        "aimed": system(True, False),
        "loud": system(True, True, "O lago é fundo."),
    }
    plain, aimed, loud = judge.judged(systems, material, keep=True)
    numbers = {
        one.name: [
            round(one.values[n].value, 2) for n in ("strict_mpa", "male", "female", "other_she")
        ]
        for one in (plain, aimed, loud)
    }
    assert numbers == {
        "plain": [0.0, 1.0, 0.0, 0.0],
        "aimed": [1.0, 1.0, 1.0, 0.0],
        "loud": [1.0, 1.0, 1.0, 1.0],
    }
    assert aimed.change["strict_mpa"].value == loud.change["other_she"].value == 1.0
    assert aimed.change["other_she"].value == 0.0
    assert [one.values["free_changed"].value for one in (aimed, loud)] == [0.0, 1.0]
    assert aimed.values["they_changed"].value == 0.0
    assert [table.aimed(one) for one in (plain, aimed, loud)] == [None, True, False]
    assert loud.quality["BLEU"] < plain.quality["BLEU"]
    assert judge.by_noun(aimed, ["mechanic"])["seen"].n == 2
    shown = table.frame([plain, aimed, loud])
    assert list(shown.columns) == ["plain", "aimed", "loud"]
    assert "+100.0" in shown.loc["strict MPA", "aimed"]
    assert "nan" not in shown.to_string()  # every pair changed alike: no interval to give
    assert all(-1 <= x <= 1 for v in aimed.change.values() for x in (v.low, v.high) if x == x)
    assert json.dumps(table.to_json([plain, aimed, loud]))


def test_groups_and_time_stand_in_the_table():
    """SimpleGEN's groups, counted by hand: who turns every she has all of them right."""
    some = [item for pair in pairs() for item in pair]
    he, she = (tuple(i for i in some if i.gold == gold) for gold in ("male", "female"))
    groups = {"momc": he, "fofc": she[:2], "fomc": he[:2], "mofc": she}
    material = judge.Material(pairs(), "pt", groups=groups)
    systems = {"plain": system(False, False), "aimed": _slowly(system(True, False))}
    plain, aimed = judge.judged(systems, material)
    right = [[one.values[n].value for n in groups] for one in (plain, aimed)]
    assert right == [[1.0, 0.0, 1.0, 0.0], [1.0, 1.0, 1.0, 1.0]]
    assert plain.values["delta"].value == pytest.approx(4 / 6 - 2 / 6)
    assert aimed.values["delta"].value == 0.0
    assert aimed.quality["time"] > 1
    assert "time" not in plain.quality
    shown = table.frame([plain, aimed])
    assert shown.loc["MoFc (she, male stereotype): right", "aimed"].startswith("100")
    without = judge.Material(pairs(), "pt")
    assert str(without.signature) != str(material.signature)


def _slowly(says):
    def slow(texts, items):
        sum(n * n for n in range(3_000_000))
        return says(texts, items)

    return slow


@pytest.mark.slow
def test_entropies_are_those_of_a_study_under_the_mend(tiny_model):
    mt = tiny_model("marian")
    mend, some = louder(mt, 4.0, encoder=[(0, 1)]), pairs()
    mends = {"loud": mend, "choosing": choosing(mt)}
    found = sure.entropies(mt, mends, some, 2, samples=16)
    assert list(found) == ["plain", "loud"]  # choosing does not act on samples
    sets, _ = contrast_sets([pair.pro for pair in some], 2)
    with mend.on(mt):
        wanted = study(mt, sets, {"ge": part("ge", "pt", "", "")}, samples=16).values["ge"]
    assert found["loud"]["h_cue"].value == wanted["H unambiguous"].value
    assert found["loud"]["delta_h"].value == wanted["ΔH"].value
    judged = judge.judged({"plain": system(False, False)}, judge.Material(some, "pt"))
    (plain,) = sure.beside(judged, found)
    assert plain.values["h_they"] is found["plain"]["h_they"]
    assert "H(GE), they" in table.frame([plain]).index


def test_the_card_recommends_only_what_is_aimed(tiny_model):
    mend = louder(tiny_model("marian"), 2.0, encoder=[(0, 1)])
    material = judge.Material(pairs(), "pt")
    for other, said in ((False, "This mend is aimed"), (True, "**Not recommended:**")):
        systems = {"plain": system(False, False), "mended": system(True, other)}
        assert said in table.card(mend, judge.judged(systems, material), "four pairs")


def test_nothing_to_judge():
    with pytest.raises(CueScopeError, match="nothing to judge"):
        judge.judged({}, judge.Material(pairs(), "pt"))


def test_lessons_are_twins_of_unseen_nouns():
    some, apart = lessons.lessons(1), lessons.lessons(1, held_out=True)
    assert len(some) > 500
    assert not {one.pair.pro.template for one in some} & {one.pair.pro.template for one in apart}
    winomt = {"nurse", "developer", "mechanic", "secretary", "driver", "lawyer"}
    assert not winomt & {*lessons.nouns(), *lessons.nouns(held_out=True)}
    for one in [*some, *apart]:
        male, female = one.pair
        assert male.noun == male.text[slice(*male.focus)] == female.text[slice(*female.focus)]
        assert male.text[slice(*male.cue)].lower() in ("he", "him", "his")
        assert female.text[slice(*female.cue)].lower() in ("she", "her")
        assert "{" not in male.text + female.text
        if one.other:
            noun, his, hers = one.other
            assert noun == male.text[slice(*his)] == female.text[slice(*hers)] != male.noun
    means = [letter for template, letter in lessons.templates() if "{b}" in template]
    assert 0.2 < means.count("a") / len(means) < 0.6
    assert all(judge.free(text) for text in lessons.plain(2))
    sure = {one.pair.pro.template: one.sure for one in some}
    assert sure["The {a} annoyed the {b} because {sbj} was singing loudly."] is False
    assert sure["The {a} fired the {b} and wished {obj} good luck."] is True
    assert sure["The {a} opened the window because {sbj} was hot."] is True
    assert sure["The {a} told the {b} to follow {obj}."] is True
    by_template = dict(lessons.templates())
    assert by_template["The {a} told the {b} to follow {obj}."] == "a"
    senses = [by_template[one.pair.pro.template] for one in apart if not one.sure]
    assert 0.4 < senses.count("a") / len(senses) < 0.6  # what is held out has both alike


def test_templates_apart_are_in_no_fit():
    some, known = lessons.apart(2), dict(lessons.templates())
    assert len(some) > 100
    assert not {one.pair.pro.template for one in some} & set(known)
    assert {one.pair.pro.noun for one in some} <= set(lessons.nouns(held_out=True))
    assert {one.sure for one in some} == {True, False}
    assert all(one.other for one in some)


def test_a_turned_phrase_is_found_in_words():
    assert changed("Ele viu o médico.", "Ele viu a médica.") == [(8, 9), (10, 17)]
    assert changed("O rio.", "O rio.") == []


def test_heads_for_control_are_others(tiny_model):
    mt = tiny_model("marian")
    drawn = fit.at_random(mt, {"encoder": [(0, 1), (1, 3)]}, seed=1)
    assert len(drawn["encoder"]) == 2
    assert not {(0, 1), (1, 3)} & set(drawn["encoder"])
    with pytest.raises(CueScopeError, match="too few other heads"):
        fit.at_random(mt, {"cross": [(a, b) for a in range(2) for b in range(3)]})


def test_the_front_is_what_no_other_beats():
    points = {"plain": (0.07, 0.1), "aimed": (0.5, 0.2), "worse": (0.4, 0.3), "loud": (0.7, 0.9)}
    assert best(points) == ["plain", "aimed", "loud"]
    assert len(front(points).texts) == 4
    with pytest.raises(CueScopeError, match="nothing to draw"):
        front({})


def test_the_command_shows_a_mend_and_refuses_others(tiny_model, tmp_path):
    path = tmp_path / "a.mend"
    louder(tiny_model("marian"), 2.0, fitted="lessons", encoder=[(0, 1)]).save(path)
    shown = CliRunner().invoke(app, ["mend", "show", str(path)])
    assert "Mend('louder', encoder 0.1, factor 2, fitted on lessons)" in shown.output
    for words, said in (
        (["show", str(tmp_path / "none")], "is not a mend"),
        (["fit", "x", "--out", "y", "--kind", "magic"], "not fitted"),
        (["fit", "x", "--out", "y", "--people", "nine"], "people"),
    ):
        found = CliRunner().invoke(app, ["mend", *words])
        assert isinstance(found.exception, CueScopeError)
        assert said in str(found.exception)


@pytest.mark.slow
@pytest.mark.model
def test_a_floor_has_the_share_with_most_pairs_right(firefox, monkeypatch):
    """Against a count of our own, under the floor itself, on a few lessons."""
    few = lessons.lessons(1, held_out=True)[:12]
    monkeypatch.setattr(fit.lessons, "lessons", lambda *_, **__: few)
    items, right = list(lessons.items(few)), {}
    texts = [item.text for item in items]
    for least in (0.2, 0.9):
        places = [placed(firefox, item) for item in items]
        with floor(firefox, places, least, encoder=[(2, 1), (0, 7)]):
            said = firefox.translate(texts)
        verdicts = [one.correct for one in verdict.judge(items, said, "pt")]
        right[least] = sum(verdicts[n] and verdicts[n + 1] for n in range(0, len(items), 2))
    mend = fit.fit_floor(firefox, {"encoder": [(2, 1), (0, 7)]}, least=(0.2, 0.9))
    assert (mend.kind, mend.fitted["data"]) == ("floor", "lessons")
    assert right[mend.numbers["least"]] == max(right.values())
    assert judge.mended(mend, firefox)(["The lake is deep."], None) == ["O lago é profundo."]
