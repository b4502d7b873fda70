"""Pairs made ready: spans, contrasts, reasons."""

from __future__ import annotations

import pytest

import twins_of
from cuescope import CueScopeError
from cuescope.data.contrast import pair
from cuescope.data.items import Item, Pairs
from cuescope.gender import read
from cuescope.gender.counterpart import counterpart
from cuescope.subjects import (
    Twins,
    _from_translations,
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
    before = make_pair("Because {} was late the nurse called.", "nurse", 1, ("he", "she"))
    both = [good, pair(no_cue, no_cue, 2), before]
    found = twins(firefox, Pairs(both, all_pairs=True))
    assert len(found) == 1
    assert found.skipped == {"no cue": 1, "cue before noun": 1}
    assert twins(firefox, Pairs(both)).skipped["not minimal"] == 1
    singles = subjects(firefox, [good.pro, no_cue, before.pro])
    assert (len(singles), singles.skipped) == (1, {"no cue": 1, "cue before noun": 1})
    assert "1 no cue" in repr(found)


def test_a_dropped_noun(firefox, monkeypatch):
    from cuescope.gender.reading import Reading
    from cuescope.judge import Verdict

    def lost(items, translations, lang, engine):
        return [
            Verdict(i, t, Reading("unknown", True))
            for i, t in zip(items, translations, strict=True)
        ]

    monkeypatch.setattr("cuescope.subjects.judge", lost)
    pairs = [make_pair("The mechanic called because {} was late.", "mechanic")]
    assert twins(firefox, pairs).skipped == {"noun dropped in the translation": 1}


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
    assert _from_translations(one.male, one.female) is None
