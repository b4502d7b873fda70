"""Finding the translation of an English noun: by the lexicon, with and without an aligner."""

from __future__ import annotations

import pytest

from cuescope.errors import CueScopeError
from cuescope.gender import locate
from cuescope.gender.forms import entry, surfaces
from cuescope.gender.lexicon import lexicon

ROMANCE = ("es", "it", "pt", "fr")


@pytest.mark.parametrize(
    ("text", "noun", "lang", "found"),
    [
        ("El desarrollador discutió con la diseñadora.", "designer", "es", "diseñadora"),
        ("El Desarrollador discutió.", "the developer", "es", "Desarrollador"),
        ("Los abogados hablaron.", "lawyer", "es", "abogados"),
        ("Los abogados hablaron.", "Lawyers", "es", "abogados"),
        ("Llamó al director ejecutivo ayer.", "CEO", "es", "director ejecutivo"),
        ("Las trabajadoras sociales.", "social workers", "es", "trabajadoras sociales"),
        ("Habló con el hairdresser.", "hairdresser", "es", "hairdresser"),
        ("Un obrero de la construcción.", "construction worker", "es", "obrero de la construcción"),
        ("La empresa de mudanzas llamó.", "mover", "es", "empresa de mudanzas"),
        ("Ha chiesto all'addetta alle pulizie.", "cleaner", "it", "addetta alle pulizie"),
        ("L’infermiera entra.", "nurse", "it", "infermiera"),
        ("Gli uomini entrano.", "men", "it", "uomini"),
        ("Il dottor Rossi.", "doctor", "it", "dottor"),
        ("As médicas chegaram.", "physician", "pt", "médicas"),
        ("Os cirurgiões chegaram.", "surgeons", "pt", "cirurgiões"),
        ("O trabalhador da construção civil.", "laborer", "pt", "trabalhador"),
        ("L'agente d'entretien arrive.", "cleaner", "fr", "agente d'entretien"),
        ("Les grands-mères arrivent.", "grandmother", "fr", "grands-mères"),
        ("La PDG arrive.", "ceo", "fr", "PDG"),
        ("Les professeures arrivent.", "teacher", "fr", "professeures"),
    ],
)
def test_found_by_the_lexicon(text: str, noun: str, lang: str, found: str) -> None:
    span = locate(text, noun, lang)
    assert span is not None
    assert text[slice(*span)] == found


def test_the_usual_translation_goes_before_a_loose_one() -> None:
    text = "L'inserviente era amichevole con il pulitore."
    assert locate(text, "cleaner", "it") == (36, 44)
    assert locate(text, "janitor", "it") == (2, 13)


def test_the_aligner_chooses_between_two() -> None:
    text = "El asesor se reunió con el asesor."
    assert locate(text, "advisor", "es") == (3, 9)
    assert locate(text, "advisor", "es", near=(27, 33)) == (27, 33)


def test_an_aligner_off_by_a_word_is_mended() -> None:
    text = "Der zzz: la flurbina habló."
    assert locate(text, "flurber", "es", near=(9, 11)) == (12, 20)  # the article
    assert locate(text, "flurber", "es", near=(12, 20)) == (12, 20)
    assert locate(text, "flurber", "es") is None
    assert locate("...", "nurse", "es", near=(0, 3)) is None


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(CueScopeError, match="'tlh'"):
        locate("Qapla'", "nurse", "tlh")


@pytest.mark.parametrize("lang", ROMANCE)
def test_every_form_is_found_where_it_stands(lang: str) -> None:
    """Whatever form of an entry a sentence has, in whatever number, it is found."""
    for known in lexicon(lang).values():
        for form in (*known.masculine, *known.feminine, *known.epicene):
            assert locate(f"xx {form} yy", known.english, lang) is not None, (known.english, form)


@pytest.mark.parametrize("lang", ROMANCE)
@pytest.mark.parametrize(
    "noun",
    [
        "accountant advisee attendant auditor ceo cashier clerk construction worker cosmetologist",
        "dietician groundskeeper housekeeper laborer medical records technician mover nanny",
        "onlooker paralegal roofer salesperson sheriff speech pathologist truck driver",
    ],
)
def test_challenge_set_professions_are_covered(noun: str, lang: str) -> None:
    known = lexicon(lang)
    rest = noun
    for name in sorted((n for n in known if n in noun), key=len, reverse=True):
        rest = rest.replace(name, "")
    assert not rest.strip(), f"no entry for {rest}"


def test_columns_of_an_entry() -> None:
    known = entry("cleaning lady", "es")
    assert known is not None
    forms = surfaces(known, "es")
    assert forms["limpiadoras",].gender == "feminine"
    assert forms["limpiador",].gender == "masculine"
    assert known.loose <= {*known.masculine, *known.feminine, *known.epicene}
