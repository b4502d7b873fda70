"""When a noun's gender is decided before its sentence ends, and that it then stays so."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace

import pytest

from cuescope.data.items import Item
from cuescope.gender import languages
from cuescope.gender.forms import entry, surfaces
from cuescope.gender.languages import Language, get
from cuescope.gender.locate import find_first
from cuescope.gender.settled import settled
from cuescope.gender.words import words
from cuescope.measures.alone import Genders, beside, read_alone


@pytest.mark.parametrize(
    ("text", "noun", "lang", "gender"),
    [
        ("A médica do hos", "doctor", "pt", "feminine"),
        ("O médico f", "doctor", "pt", "masculine"),
        ("O médico", "doctor", "pt", None),  # may become médicos
        ("O médico,", "doctor", "pt", None),  # a letter must have been written
        ("O médico-", "doctor", "pt", None),
        ("O médico - ", "doctor", "pt", None),
        ("O", "doctor", "pt", None),
        ("", "doctor", "pt", None),
        ("A enfermeira chamou o médico p", "doctor", "pt", "masculine"),
        ("A enfermeira chamou a en", "doctor", "pt", None),
        ("A ex-médica ch", "doctor", "pt", None),  # a compound: the reader looks about
        ("A medica ch", "doctor", "pt", None),  # without its accent: the right form may come
        ("Alguém per", "someone", "pt", "neutral"),
        ("O empregado d", "barista", "pt", None),  # empregado de bar, a longer form, may come
        ("O empregado de b", "barista", "pt", None),
        ("O empregado de bar p", "barista", "pt", "masculine"),
        ("O empregado foi e", "barista", "pt", "masculine"),
        ("Le médecin a d", "doctor", "fr", "masculine"),
        ("La médecin a d", "doctor", "fr", "feminine"),
        ("Médecin a d", "doctor", "fr", None),  # open: a predicate may tell
        ("L'infirmière a d", "nurse", "fr", "feminine"),
        ("L'élève a d", "student", "fr", None),  # shows nothing yet
        ("L'élève est très f", "student", "fr", None),
        ("L'élève est venue à l", "student", "fr", "feminine"),
        ("L'élève est venue", "student", "fr", None),  # may become venues
        ("L'élève chante parce", "student", "fr", "neutral"),  # its own verb says nothing
        ("Il aime l'écrivain, m", "writer", "fr", None),  # ", mécontente"
        ("Il aime l'écrivain parce q", "writer", "fr", "masculine"),
        ("L'écrivain est venue ch", "writer", "fr", "feminine"),
        ("O chefe ouviu a presidente que f", "president", "pt", "feminine"),
        ("Cada presidente que f", "president", "pt", None),
        ("Der Arzt war m", "doctor", "de", "masculine"),
        ("Der Arzt w", "doctor", "de", None),  # Arzt*in, Arzt:in
        ("Die Ärztin war m", "doctor", "de", "feminine"),
        ("Die Hirnchirurgin war m", "surgeon", "de", "feminine"),
        ("Die Angestellten waren n", "employee", "de", None),
        ("Die Angestellten waren nicht d", "employee", "de", "neutral"),
        ("Die Angestellten , d", "employee", "de", None),  # a relative pronoun may tell
        ("Sie dankte der angestellten", "employee", "de", None),  # a capital may come
        ("Врач сказала , ч", "doctor", "ru", "feminine"),
        ("Врач с", "doctor", "ru", None),  # its verb may tell
        ("Врач в больнице с", "doctor", "ru", None),
        ("Она видела врача , ч", "doctor", "ru", None),  # ", чья"
        ("Медсестра сказала , ч", "nurse", "ru", "feminine"),
        ("Лікарка сказала , щ", "doctor", "uk", "feminine"),
        ("A glimmerer da ci", "glimmerer", "pt", None),  # not in the lexicon
    ],
)
def test_settled(text, noun, lang, gender):
    assert settled(text, noun, lang) == gender


def test_the_first_form_counts():
    assert find_first("A doutora é médico.", "doctor", "pt").span == (2, 9)
    assert find_first("A enfermeira saiu.", "doctor", "pt").span is None
    assert find_first("A doutora.", "glimmerer", "pt").reason == (
        "noun not found: no entry for 'glimmerer'"
    )
    item = Item("The doctor left as she was ill.", (4, 10), (19, 22), "female")
    assert read_alone(item, "A doutora, um médico, saiu.", "pt").gender == "feminine"
    assert read_alone(item, "", "pt").gender == "unknown"
    assert Genders([item], "pt")(0, "Saiu.", True) == "unknown"


def test_a_noun_that_no_lexicon_knows_is_aligned():
    item = Item("The glimmerer left.", (4, 13), None, "neutral")
    assert read_alone(item, "A glimerista saiu.", "pt").gender == "feminine"


def _phrases(lang):
    """The sentences of a language's table of phrases, with their English nouns."""
    lines = (
        (Path(__file__).parent / "gender_tables" / f"{lang}.tsv").read_text("utf-8").splitlines()
    )
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    named = {"de", "ru", "uk"}.isdisjoint({lang})  # the table says the English noun
    for marked, told, *_ in rows:
        noun = told if named else _english(marked[marked.find("[") + 1 : marked.find("]")], lang)
        yield marked.replace("[", "").replace("]", ""), noun


def _english(form, lang):
    """The first noun of the lexicon that may look so, or nothing."""
    key = tuple(word.form.lower() for word in words(form, lang))
    return next((e.english for e in get(lang).lexicon.values() if key in surfaces(e, lang)), "")


@pytest.mark.parametrize(
    ("text", "others", "gender"),
    [
        ("La dirigeante a", None, None),  # nobody knows who else is there
        ("La dirigeante a", ("designer",), "feminine"),
        ("La dirigeante a", (), "feminine"),
        ("La dirigeante a", ("chief",), None),  # a chief may be called so too
        ("La dirigeante a", ("designer", "glimmerer"), None),  # and nobody knows what this is
        ("Le chef de service a", ("designer",), "masculine"),
        ("Le chef de service a", ("chief",), "masculine"),  # chef alone is a usual form
    ],
)
def test_a_seldom_form_that_can_be_nobody_else(text, others, gender):
    assert settled(f"{text} v", "manager", "fr", others) == gender
    span = find_first(f"{text} vu la directrice.", "manager", "fr", others).span
    usual = gender is None and text.startswith("La")
    assert text[slice(*span)] == ("" if usual else text.split(" ", 1)[1].removesuffix(" a"))


def test_others_are_those_of_the_source():
    item = Item("The manager met the chief as she left.", (4, 11), (29, 32), "female")
    assert beside(item.text, item.focus) == ("chief",)
    said = "La dirigeante a vu le directeur."
    assert read_alone(item, said, "fr").gender == "masculine"
    other = Item("The manager met the nurse as she left.", (4, 11), (29, 32), "female")
    assert read_alone(other, said, "fr").gender == "feminine"
    assert Genders([item, other], "fr")(0, "La dirigeante a v", False) is None
    assert Genders([item, other], "fr")(1, "La dirigeante a v", False) == "feminine"


def test_a_reader_that_looks_at_the_text_is_followed_to_the_end():
    """Of a user's rules nobody knows what they look at, unless they say so."""
    rules = get("de").rules
    plain = SimpleNamespace(read_phrase=rules.read_phrase, inflections=rules.inflections)
    words_only = SimpleNamespace(**vars(plain), by_words=True)
    for reader, gender in ((plain, None), (words_only, "masculine")):
        mine = Language(
            code="de-mine",
            name="My German",
            three="deu",
            reader=reader,
            nouns="doctor\tArzt\tÄrztin",
            partners="der/die",
            function_words=frozenset({"der", "die"}),
        )
        languages.add(mine)
        try:
            assert settled("Der Arzt war m", "doctor", "de-mine") == gender
        finally:
            languages.remove("de-mine")


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["de", "es", "fr", "it", "pt", "ru", "uk"])
def test_whatever_follows_nothing_changes(lang):
    """Each beginning of each sentence, going on as it does and as any other does."""
    rng, rows, decided = random.Random(0), list(_phrases(lang)), 0
    for text, noun in rows:
        if entry(noun, lang) is None:
            continue
        item = Item(f"The {noun} left.", (4, 4 + len(noun)), None, "neutral")
        for cut in range(2, len(text)):
            early = settled(text[:cut].strip(), noun, lang, beside(item.text, item.focus))
            if early is None:
                continue
            decided += 1
            other = rng.choice(rows)[0]
            for whole in (text, text[:cut].strip() + other[rng.randrange(len(other)) :]):
                assert read_alone(item, whole, lang).gender == early, (text[:cut], whole)
    assert decided > 50
