"""When a noun's gender is decided before its sentence ends, and that it then stays so."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from cuescope.data.items import Item
from cuescope.gender.forms import entry
from cuescope.gender.locate import find_first
from cuescope.gender.settled import settled
from cuescope.measures.alone import Genders, read_alone


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
        ("Der Arzt war m", "doctor", "de", None),  # no rule of its own: decided at the end
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
    return [(row[0].replace("[", "").replace("]", ""), row[1]) for row in rows]


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["es", "fr", "it", "pt"])
def test_whatever_follows_nothing_changes(lang):
    """Each beginning of each sentence, going on as it does and as any other does."""
    rng, rows, decided = random.Random(0), _phrases(lang), 0
    for text, noun in rows:
        if entry(noun, lang) is None:
            continue
        item = Item(f"The {noun} left.", (4, 4 + len(noun)), None, "neutral")
        for cut in range(2, len(text)):
            early = settled(text[:cut].strip(), noun, lang)
            if early is None:
                continue
            decided += 1
            other = rng.choice(rows)[0]
            for whole in (text, text[:cut].strip() + other[rng.randrange(len(other)) :]):
                assert read_alone(item, whole, lang).gender == early, (text[:cut], whole)
    assert decided > 50
