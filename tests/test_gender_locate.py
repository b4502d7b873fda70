"""Finding the translation of an English noun: by the lexicon, with and without an aligner."""

from __future__ import annotations

import pytest

from cuescope.data.items import Item
from cuescope.errors import CueScopeError
from cuescope.gender import locate
from cuescope.gender.forms import entry, surfaces
from cuescope.gender.lexicon import lexicon
from cuescope.gender.locate import find, find_first
from cuescope.gender.settled import settled
from cuescope.measures.verdict import judge

ROMANCE = ("es", "it", "pt", "fr")
EVERY = (*ROMANCE, "de", "ru", "uk")


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
        ("La violonchelista y la epidemióloga hablaron.", "epidemiologist", "es", "epidemióloga"),
        ("O coveiro e a relojoeira riram.", "watchmaker", "pt", "relojoeira"),
        ("La truccatrice e il calciatore risero.", "makeup artist", "it", "truccatrice"),
        ("Le chef de projet et la grutière parlaient.", "crane operator", "fr", "grutière"),
        ("Die Winzerin sprach mit der Augenärztin.", "ophthalmologist", "de", "Augenärztin"),
        ("Die Lehrkräfte lachten.", "teachers", "de", "Lehrkräfte"),
        ("Sie dankte den Reinigungskräften.", "cleaner", "de", "Reinigungskräften"),
        ("Die Tätowiererin lachte.", "tattoo artist", "de", "Tätowiererin"),
        ("La neurochirurga rise.", "neurosurgeon", "it", "neurochirurga"),
        ("A viticultora riu.", "viticulturist", "pt", "viticultora"),
        ("Вона подякувала скелелазці.", "climber", "uk", "скелелазці"),
        ("Крановщица позвонила психотерапевту.", "crane operator", "ru", "Крановщица"),
        ("Він подякував координаторці.", "coordinator", "uk", "координаторці"),
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


def at(text: str, word: str) -> tuple[int, int]:
    return text.index(word), text.index(word) + len(word)


@pytest.mark.parametrize(
    ("lang", "noun", "text", "word"),
    [
        ("pt", "groundskeeper", "As pessoas riam do estaleiro.", "estaleiro"),
        ("pt", "clerk", "Os homens clérigos são raros.", "clérigos"),
        ("pt", "attendant", "O carpinteiro construiu a mesa.", "mesa"),
        ("pt", "construction worker", "O engenheiro civil saiu.", "civil"),
        ("it", "attendant", "Il falegname costruì una scrivania.", "scrivania"),
        ("it", "clerk", "La ditta aveva commesso alcuni errori.", "commesso"),
        ("it", "clerk", "La ditta non ha mai commesso alcun errore.", "commesso"),
        ("it", "laborer", "Il capo gli diede una mano.", "mano"),
        ("it", "driver", "La corda era stata tirata.", "tirata"),
        ("it", "editor", "Il capo voleva ridurre i costi.", "ridurre"),
        ("it", "analyst", "Il capo lesse l'analisi.", "analisi"),
        ("it", "mechanic", "Spiegò i termini di economia meccanica.", "meccanica"),
        ("pt", "physician", "O caixa devia o dinheiro médico.", "médico"),
        ("pt", "physician", "O físico saiu.", "físico"),
        ("fr", "secretary", "Il écrit au secrétariat.", "secrétariat"),
        ("es", "employee", "El jefe había empleado a tres.", "empleado"),
        ("es", "tailor", "Construyó la casa a medida.", "medida"),
        ("fr", "employee", "Le patron avait déjà employé trois amis.", "employé"),
        ("fr", "writer", "La concierge lui tendit un livre.", "tendit"),
        ("de", "employee", "Die angestellten Köche kamen.", "angestellten"),
        ("de", "cleaner", "Er sprach mit dem Reinigungsmittel.", "Reinigungsmittel"),
        ("ru", "cashier", "Аналитик подошел к кассе.", "кассе"),
        ("uk", "hairdresser", "Розробник відвідав перукарню.", "перукарню"),
    ],
)
def test_another_word_is_not_the_noun(lang: str, noun: str, text: str, word: str) -> None:
    found = find(text, noun, lang, near=at(text, word))
    assert found.span is None
    assert found.reason == f"noun not found: {word!r} is not a translation of {noun!r}"


@pytest.mark.parametrize(
    ("lang", "noun", "text", "found"),
    [
        ("it", "clerk", "Il commesso aveva chiamato la cliente.", "commesso"),
        ("it", "clerk", "Ha visto che era il commesso.", "commesso"),
        ("it", "nurse", "Parlava con l'ex-infermiera.", "ex-infermiera"),
        ("pt", "employee", "A loja tem empregados.", "empregados"),
        ("fr", "farmer", "On riait de la fermiere.", "fermiere"),
        ("es", "doctor", "Llego la medica.", "medica"),
        ("de", "surgeon", "Der Hirnchirurg kam.", "Hirnchirurg"),
        ("de", "nurse", "die krankenschwester kam", "krankenschwester"),
        ("de", "employee", "Die Angestellten kamen.", "Angestellten"),
        ("ru", "doctor", "Мы ждали женщину-врача.", "женщину-врача"),
        ("ru", "attendant", "Шериф спросил сопровождающего, где меню.", "сопровождающего"),
        ("uk", "physician", "Касир винен лікареві гроші.", "лікареві"),
        ("de", "mover", "Der Koch rief den Antragsteller an.", "Antragsteller"),
        ("de", "supervisor", "Die Teamleiterin rief an.", "Teamleiterin"),
        ("fr", "attendant", "Il parlait à la standardiste.", "standardiste"),
        ("fr", "nanny", "L'assistante maternelle arrive.", "assistante maternelle"),
        ("it", "attendant", "Chiese al sorvegliante di entrare.", "sorvegliante"),
        ("es", "groundskeeper", "Llamó al guardaparque.", "guardaparque"),
        ("pt", "hygienist", "O hygienista saiu.", "hygienista"),
        ("pt", "truck driver", "A camionista saiu.", "camionista"),
        ("ru", "nanny", "Пришла воспитательница.", "воспитательница"),
        ("uk", "supervisor", "Прийшла очільниця.", "очільниця"),
    ],
)
def test_the_noun_in_another_dress(lang: str, noun: str, text: str, found: str) -> None:
    assert find(text, noun, lang).span == at(text, found)


@pytest.mark.parametrize(
    ("lang", "text", "word", "taken"),
    [
        ("it", "Il capo chiamò il soffiatore ieri.", "soffiatore", True),
        ("it", "Il capo chiamò la flurbina ieri.", "flurbina", True),
        ("it", "Il capo diede una mano ieri.", "mano", False),
        ("it", "Il capo voleva ridurre i costi.", "ridurre", False),
        ("it", "Il capo aveva soffiato molto.", "soffiato", False),
        ("it", "Il capo fece una dichiarazione.", "dichiarazione", False),
        ("es", "Habló con la vidriera.", "vidriera", True),
        ("es", "Lo hizo con atención.", "atención", False),
        ("de", "Er rief den Flurbenmacher an.", "Flurbenmacher", True),
        ("de", "Er gab ihr eine Erklärung.", "Erklärung", False),
        ("ru", "Он позвал стеклодува.", "стеклодува", True),
        ("ru", "Он позвал на помощь.", "помощь", False),
    ],
)
def test_a_noun_that_no_lexicon_knows_must_be_a_person(
    lang: str, text: str, word: str, taken: bool
) -> None:
    found = find(text, "glassblower", lang, near=at(text, word))
    assert (found.span == at(text, word)) == taken
    assert taken or found.reason == f"noun not found: {word!r} cannot be a person"


def test_the_guard_stands_before_every_verdict() -> None:
    """`investigate`, `score` on any set and SimpleGEN all judge by it, and say why."""
    item = Item("People laughed at the groundskeeper.", (22, 35), None, "male")
    (missing,) = judge([item], ["As pessoas riam do estaleiro."], "pt")
    assert (missing.reading.gender, missing.correct) == ("unknown", False)
    assert "is not a translation of 'groundskeeper'" in str(missing.reading)
    (found,) = judge([item], ["As pessoas riam do jardineiro."], "pt")
    assert (found.reading.gender, found.reading.reason) == ("masculine", "")


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(CueScopeError, match="'tlh'"):
        locate("Qapla'", "nurse", "tlh")


@pytest.mark.slow
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


def test_a_form_that_is_seldom_meant_waits_for_a_better_one() -> None:
    """*Gerente* may stand for a supervisor, but not where one is named; only an aligner knows."""
    text = "O gerente pagou ao supervisor."
    assert find_first(text, "supervisor", "pt").span == at(text, "supervisor")
    assert find_first(text, "manager", "pt").span == at(text, "gerente")
    assert find_first("O gerente saiu.", "supervisor", "pt").span == (2, 9)
    assert find(text, "supervisor", "pt", near=at(text, "gerente")).span == at(text, "gerente")
    assert settled("O gerente pagou a", "supervisor", "pt") is None
    assert settled("O gerente pagou a", "manager", "pt") == "masculine"


@pytest.mark.parametrize(
    ("text", "noun", "lang"),
    [
        ("La macchina ha dato una dimostrazione.", "machinist", "it"),
        ("Подошёл к кассе и ждал.", "cashier", "ru"),
        ("Er dankte dem Umzug.", "mover", "de"),
        ("El aspirador se rompió.", "cleaner", "es"),
        ("Le cirage est vide.", "hairdresser", "fr"),
        ("O estaleiro abriu.", "groundskeeper", "pt"),
        ("Відвідав перукарню і пішов.", "hairdresser", "uk"),
    ],
)
def test_a_thing_is_no_person(text: str, noun: str, lang: str) -> None:
    """More synonyms may not make a thing a translation, wherever an aligner points."""
    for i, word in enumerate(text.split()):
        start = len(" ".join(text.split()[:i])) + (i > 0)
        assert find(text, noun, lang, near=(start, start + len(word))).span is None, word


def test_common_occupations_are_known_in_every_language() -> None:
    """What the lexica of all languages share: an English noun of one is one of the others."""
    shared = set.intersection(*(set(lexicon(lang)) for lang in EVERY))
    assert len(shared) >= 780


@pytest.mark.parametrize(
    ("text", "word", "lang", "person"),
    [
        ("Trabaja como cetrera.", "cetrera", "es", True),
        ("Elle est fauconnière.", "fauconnière", "fr", True),
        ("Muchas cetreras vinieron.", "cetreras", "es", True),
        ("La frase era verdadera.", "verdadera", "es", False),
        ("Elle est fatiguée.", "fatiguée", "fr", False),
    ],
)
def test_a_trade_needs_no_article(text: str, word: str, lang: str, person: bool) -> None:
    """A noun that no lexicon has: the aligner's word is taken where it can be somebody."""
    start = text.index(word)
    found = find(text, "falconer", lang, near=(start, start + len(word)))
    assert (found.span is not None) == person
