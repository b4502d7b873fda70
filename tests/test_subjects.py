"""Pairs made ready: spans, contrasts, reasons."""

from __future__ import annotations

import pytest

import twins_of
from cuescope import CueScopeError
from cuescope.data.contrast import pair
from cuescope.data.items import Item, Pairs
from cuescope.gender import read
from cuescope.gender.counterpart import counterpart
from cuescope.inside.contrast import from_translations
from cuescope.inside.ready import (
    Twins,
    emitted,
    is_subject,
    subject_pairs,
    subjects,
    target_language,
    twins,
)


def item(text, noun, cue, gold, **facts):
    at, where = text.index(noun), text.index(f" {cue} ") + 1
    return Item(text, (at, at + len(noun)), (where, where + len(cue)), gold, gold, **facts)


def make_pair(frame, noun, index=0, cues=("he", "she")):
    male, female = (frame.format(cue) for cue in cues)
    return pair(item(male, noun, cues[0], "male"), item(female, noun, cues[1], "female"), index)


OTHER = [
    ("pt", "O mecânico chegou.", "mecânico", "mechanic", "A mecânica chegou."),
    ("pt", "Falou ao médico hoje.", "médico", "doctor", "Falou à médica hoje."),
    ("pt", "A enfermeira dormiu.", "enfermeira", "nurse", "O enfermeiro dormiu."),
    ("pt", "O assistente chegou.", "assistente", "assistant", "A assistente chegou."),
    ("es", "El abogado del juez.", "abogado", "lawyer", "La abogada del juez."),
    ("es", "Habló al abogado.", "abogado", "lawyer", "Habló a la abogada."),
    ("it", "La studentessa legge.", "studentessa", "student", "Lo studente legge."),
    ("it", "Il cuoco mangia.", "cuoco", "cook", "La cuoca mangia."),
    ("it", "Il dottore e la avvocata.", "avvocata", "lawyer", "Il dottore e l'avvocato."),
    ("fr", "Le boulanger dort.", "boulanger", "baker", "La boulangère dort."),
    ("de", "Der Lehrer schläft.", "Lehrer", "teacher", "Die Lehrerin schläft."),
    ("fr", "Les infirmiers dorment.", "infirmiers", "nurse", "Les infirmières dorment."),
    ("fr", "L'ingénieur dort.", "ingénieur", "engineer", "L'ingénieure dort."),
    ("fr", "Elle est ingénieure.", "ingénieure", "engineer", "Elle est ingénieur."),
    ("fr", "Les femmes de ménage.", "femmes de ménage", "housekeeper", "Les hommes de ménage."),
    ("pt", "Elas são médicos.", "médicos", "physician", "Elas são médicas."),
    ("pt", "Esses médicos saíram.", "médicos", "physician", None),  # *esses* is not turned
    ("fr", "Leur médecin dort.", "médecin", "physician", None),  # *docteure* is another word
]


@pytest.mark.parametrize(("lang", "text", "form", "noun", "wanted"), OTHER, ids=str)
def test_the_other_gender(lang, text, form, noun, wanted):
    start = text.index(form)
    reading = read(text, (start, start + len(form)), lang, noun=noun)
    assert counterpart(text, reading, lang, noun) == wanted


def test_no_other_gender():
    reading = read("Alguém chegou.", (0, 6), "pt")
    assert counterpart("Alguém chegou.", reading, "pt", "someone") is None


def test_a_contrast_of_forms(firefox):
    """The model ignores the cue: its own phrase against the same in the other gender."""
    [one] = twins(firefox, [make_pair("The mechanic called because {} was late.", "mechanic")])
    assert one.contrast.origin == "forms"
    assert one.contrast.prefix == ()
    pieces = firefox.tokenizer.target_pieces([one.contrast.feminine, one.contrast.masculine])
    assert pieces == ("▁A", "▁O")
    assert one.male.encoding.span(one.male.noun) == one.male.item.focus
    assert one.female.encoding.span(one.female.cue) == one.female.item.cue
    assert not one.row()["accurate"]
    assert one.row()["length"] == len(one.male.encoding.words)


def test_a_contrast_of_the_twins_own_translations(firefox):
    """Where they part by gender, in the middle of the sentence."""
    frame = "The cook prepared a dish for the teacher because {} is hungry."
    [one] = twins(firefox, [make_pair(frame, "teacher")])
    assert one.contrast.origin == "translations"
    pieces = firefox.tokenizer.target_pieces([one.contrast.feminine, one.contrast.masculine])
    assert pieces == ("▁a", "▁o")
    assert one.male.target.ids[: one.contrast.step] == one.contrast.prefix
    assert one.female.target.ids[one.contrast.step] == one.contrast.feminine
    assert one.row()["accurate"]
    said = [one.male.target.pieces[step] for step in one.male.steps]
    assert "".join(said).replace("▁", " ").strip() == "professor"


def test_reasons(firefox):
    """Each pair that cannot be used is counted."""
    good = make_pair("The mechanic called because {} was late.", "mechanic")
    no_cue = Item("The nurse slept.", (4, 9), None, "male")
    both = [good, pair(no_cue, no_cue, 2)]
    found = twins(firefox, Pairs(both, all_pairs=True))
    assert len(found) == 1
    assert found.skipped == {"no cue": 1}
    assert twins(firefox, Pairs(both)).skipped["not minimal"] == 1
    singles = subjects(firefox, [good.pro, no_cue])
    assert (len(singles), singles.skipped) == (1, {"no cue": 1})
    assert "1 no cue" in repr(found)


def test_a_dropped_noun(firefox, monkeypatch):
    from cuescope.gender.reading import Reading
    from cuescope.measures.verdict import Verdict

    def lost(items, translations, lang, engine):
        return [
            Verdict(i, t, Reading("unknown", True))
            for i, t in zip(items, translations, strict=True)
        ]

    monkeypatch.setattr("cuescope.inside.ready.judge", lost)
    pairs = [make_pair("The mechanic called because {} was late.", "mechanic")]
    assert twins(firefox, pairs).skipped == {"noun not found in the translation": 1}


def test_given_forms(tiny_model):
    mt = tiny_model("marian")
    found = twins_of.make(mt)
    for one in found:
        step = one.contrast.step
        assert one.contrast.origin == "forms"
        assert one.contrast.feminine != one.contrast.masculine
        assert step > 0
    same = twins(mt, [one.pair for one in found], forms=[("a", "a")] * len(found))
    assert same.skipped == {"no contrast: the two forms are one": len(found)}
    with pytest.raises(CueScopeError, match="do not match the pairs"):
        twins(mt, [found[0].pair], forms=[])
    mt.tgt = None
    with pytest.raises(CueScopeError, match="no gender rules"):
        target_language(mt)


@pytest.mark.parametrize("family", ["marian", "nllb", "mbart", "t5"])
def test_forced_tags_are_in_the_prefix(tiny_model, family):
    mt = tiny_model(family)
    forced = mt.tokenizer.forced
    for one in twins_of.make(mt):
        assert one.contrast.prefix[: len(forced)] == forced
        assert one.male.target.offsets[: len(forced)] == (None,) * len(forced)


def test_another_segmentation_of_the_same_text(firefox):
    """A decoder need not cut words as the tokenizer would."""
    whole = firefox.tokenise_target("O médico")
    spelt = [i for c in ("▁O", "▁m", "é", "d", "ico") for i in [_id(firefox, c)]]
    if None in spelt or tuple(spelt) == whole.ids[:-1]:
        pytest.skip("the vocabulary has no other pieces")
    found = emitted(firefox, (*spelt, whole.ids[-1]))
    assert found.text == "O médico"
    assert [found.text[slice(*at)] for at in found.offsets if at] == ["O", "m", "é", "d", "ico"]


def _id(mt, piece):
    found = mt.tokenizer._sides["target"].id(piece)
    return found if mt.tokenizer.target_pieces([found]) == (piece,) else None


def test_subjects_of_sentences(shared):
    from cuescope.data import pairs

    all_pairs = pairs("winomt", shared("winomt"))
    some = subject_pairs(all_pairs)
    assert (len(some), len(some.left_out)) == (388, 5)
    assert all(is_subject(one.anti) for one in some)
    assert all(one.pro.text.lower().startswith(("the", "a", one.pro.noun)) for one in some)


def test_the_same_gender_is_no_contrast_of_translations(firefox):
    [one] = twins(firefox, [make_pair("The mechanic called because {} was late.", "mechanic")])
    assert isinstance(one, Twins)
    assert from_translations(firefox, one.male, one.female, "pt") is None


def before_pair(frame, cues, noun, golds=("male", "female"), index=0):
    """Twins whose cue, perhaps of several words, opens the sentence."""
    made = []
    for cue, gold in zip(cues, golds, strict=True):
        text = frame.format(cue)
        at, where = text.index(noun), text.index(cue)
        made.append(Item(text, (at, at + len(noun)), (where, where + len(cue)), gold, noun=noun))
    return pair(*made, index)


def test_order():
    after = Item("The nurse said he left.", (4, 9), (15, 17), "male")
    first = Item("He is a nurse.", (8, 13), (0, 2), "male")
    both = Item("He and the nurse of his.", (11, 16), (20, 23), "male", more_cues=((0, 2),))
    none = Item("The nurse slept.", (4, 9), None, "male")
    orders = [one.order for one in (after, first, both, none)]
    assert orders == ["cue after", "cue before", "cue before", None]


def test_a_cue_before_the_noun_has_each_twins_own_prefix(firefox):
    """ "Meu marido é …", "Minha esposa é …": no common prefix, so each is contrasted after its own
    words; the two tokens are the noun's forms, and the sentence's own is what it emitted."""
    made = before_pair("My {} is a director.", ("husband", "wife"), "director")
    [one] = twins(firefox, [made])
    assert one.row()["order"] == one.male.row()["order"] == "cue before"
    assert one.row()["contrast"] == "own prefix"
    assert one.at("male") is one.contrast
    for side, word in (("male", "marido"), ("female", "esposa")):
        subject, choice = getattr(one, side), one.at(side)
        assert subject.target.ids[: choice.step] == choice.prefix
        assert word in firefox.tokenizer.decode(choice.prefix)
        assert subject.target.ids[choice.step] in (choice.feminine, choice.masculine)
        assert choice.step <= subject.steps[-1] + 1, "its article, or the noun (diretor, diretor|a)"
    assert [s.choice for s in one.sentences] == [one.at("male"), one.at("female")]
    assert [s.item.text for s in one.sentences] == [made.pro.text, made.anti.text]


def test_a_cue_before_the_noun_and_one_prefix(firefox):
    """Where the translations part at the noun's own phrase, nothing differs from other pairs."""
    made = before_pair("{} mechanics are rare.", ("Men", "Women"), "mechanics")
    found = twins(firefox, [made])
    for one in found:
        assert one.row()["order"] == "cue before"
        assert one.contrast.origin in ("translations", "forms", "own prefix")
    assert len(found) + sum(found.skipped.values()) == 1


def test_the_cues_own_translation_is_no_contrast_of_the_noun(firefox):
    """ "Homens trabalhadores", "Mulheres trabalhadoras" part at man and woman: not by gender."""
    made = before_pair("{} laborers are rare.", ("Men", "Women"), "laborers")
    for one in twins(firefox, [made]):
        for side in ("male", "female"):
            choice = one.at(side)
            words = firefox.tokenizer.target_pieces([choice.feminine, choice.masculine])
            assert not {"▁Mulheres", "▁Homens"} & set(words)


def test_a_cue_of_several_words(firefox):
    made = before_pair("{} is a director.", ("My old uncle", "My old aunt"), "director")
    [one] = twins(firefox, [made])
    for subject in (one.male, one.female):
        assert len(subject.cue) >= 3
        assert subject.encoding.span(subject.cue) == subject.item.cue


def test_the_language_is_the_callers(firefox):
    """A model that does not say its language is told it, each time, and never keeps it."""
    pairs = [make_pair("The mechanic called because {} was late.", "mechanic")]
    kept, firefox.tgt = firefox.tgt, None
    try:
        with pytest.raises(CueScopeError, match="no gender rules"):
            twins(firefox, pairs)
        found = twins(firefox, pairs, lang="pt")
        assert (len(found), found.lang, firefox.tgt) == (1, "pt", None)
        assert firefox.patch(found, "cross").signature["lang"] == "pt"
        heads = {"encoder": [(0, 7)]}
        options = {"measure": "gender", "normalise": "none", "heads": heads}
        assert len(firefox.patch(found, "encoder", **options)) == 1
    finally:
        firefox.tgt = kept
    assert "lang" not in firefox.patch(found, "cross").signature
