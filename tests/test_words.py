"""Words: where they are cut, and that nothing of the text is lost."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuescope.gender.words import words

LANGUAGES = ("de", "en", "es", "fr", "it", "pt", "ru", "uk")

CASES = [
    ("it", "L'impiegata parla all'avvocato.", "L' impiegata parla a l' avvocato ."),
    ("it", "L’amica dell’ingegnere", "L' amica di l' ingegnere"),
    ("it", "Un po' d'acqua col medico", "Un po' d' acqua con il medico"),
    ("it", "Ha detto 'grazie' all'uscita", "Ha detto ' grazie ' a l' uscita"),
    ("it", "'L'infermiera'", "' L' infermiera '"),
    ("it", "nello studio degli avvocati", "in lo studio di gli avvocati"),
    ("it", "tecnico-scientifico", "tecnico-scientifico"),
    ("fr", "Aujourd'hui quelqu'un l'appelle", "Aujourd'hui quelqu'un l' appelle"),
    ("fr", "la secrétaire-comptable d’aujourd’hui", "la secrétaire-comptable d' aujourd'hui"),
    ("fr", "dit-elle à l'infirmier", "dit-elle à l' infirmier"),
    ("fr", "Où va-t-il ?", "Où va-t-il ?"),
    ("fr", "donne-le-moi au rendez-vous", "donne-le-moi à le rendez-vous"),
    ("fr", "jusqu'ici, lorsqu'elle", "jusqu' ici , lorsqu' elle"),
    ("fr", "peut-être aux prud'hommes", "peut-être à les prud'hommes"),
    ("pt", "a filha do médico", "a filha de o médico"),
    ("pt", "disse-lhe à porta, pelo menos", "disse-lhe a a porta , por o menos"),
    ("pt", "viu-os no dia-a-dia", "viu-os em o dia-a-dia"),
    ("pt", "chamá-la à primeira-ministra", "chamá-la a a primeira-ministra"),
    ("pt", "um copo d'água", "um copo d' água"),
    ("es", "Al hijo del cocinero", "A el hijo de el cocinero"),
    ("es", "¿Quién llamó?", "¿ Quién llamó ?"),
    ("es", "El señor O'Brien", "El señor O'Brien"),
    ("de", "Zum Arzt im Haus", "Zu dem Arzt in dem Haus"),
    ("de", "Wie geht's Hans' Frau?", "Wie geht 's Hans ' Frau ?"),
    ("de", "die Arzt-Helferin", "die Arzt-Helferin"),
    ("en", "The nurse's well-known idea", "The nurse 's well-known idea"),
    ("en", "He didn’t say they'll come", "He did n't say they 'll come"),
    ("en", "the nurses' 'friend'", "the nurses ' ' friend '"),
    ("en", "Mrs O'Brien's dog", "Mrs O'Brien 's dog"),
    ("en", "The designer 's proposal", "The designer 's proposal"),
    ("uk", "Її ім'я, здоров’я", "Її ім'я , здоров'я"),
    ("uk", "комп\u02bcютер", "комп'ютер"),
    ("ru", "Врач-терапевт пришёл.", "Врач-терапевт пришёл ."),
]


@pytest.mark.parametrize(("lang", "text", "expected"), CASES)
def test_forms(lang: str, text: str, expected: str) -> None:
    assert [w.form for w in words(text, lang)] == expected.split()


def test_halves_of_a_contraction_share_their_place() -> None:
    a, article = words("parla all’amica", "it")[1:3]
    assert (a.form, article.form) == ("a", "l'")
    assert a[1:] == article[1:] == (6, 10)


def test_a_mark_stays_with_its_letter() -> None:
    assert [w.form for w in words("me\u0301dico", "es")] == ["me\u0301dico"]


_TEXT = st.text(st.sampled_from("aeilndqu'’ʼ-tT .,«»_éÀßİя1\u0301\n\u00a0")) | st.text()


@given(_TEXT, st.sampled_from(LANGUAGES))
def test_offsets_index_the_text(text: str, lang: str) -> None:
    found = words(text, lang)
    places = [(w.start, w.end) for w in found]
    for word, place in zip(found, places, strict=True):
        assert word.form
        if places.count(place) == 1:
            plain = text[word.start : word.end].replace("’", "'").replace("ʼ", "'")
            assert word.form == plain


@given(_TEXT, st.sampled_from(LANGUAGES))
def test_no_character_is_lost_or_used_twice(text: str, lang: str) -> None:
    places = list(dict.fromkeys((w.start, w.end) for w in words(text, lang)))
    assert all(a[1] <= b[0] for a, b in pairwise(places))
    covered = {k for start, end in places for k in range(start, end)}
    assert covered == {k for k, c in enumerate(text) if not c.isspace()}
