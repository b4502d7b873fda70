"""Gender readings in es, it, pt, fr: tables of phrases, invariants, speed, spaCy."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuescope.errors import CueScopeError
from cuescope.gender import languages, locate, read
from cuescope.gender.lexicon import lexicon
from cuescope.gender.romance.reader import inflections

TABLES = Path(__file__).parent / "gender_tables"
ROMANCE = ("es", "it", "pt", "fr")


def rows() -> list[tuple[str, ...]]:
    found = []
    for lang in ROMANCE:
        for line in (TABLES / f"{lang}.tsv").read_text("utf-8").splitlines():
            if not line.startswith("#"):
                found.append((lang, *(line + "\t").split("\t")[:6]))
    return found


@pytest.mark.parametrize(
    ("lang", "phrase", "noun", "gender", "consistent", "evidence", "beyond"), rows()
)
def test_phrase(
    lang: str, phrase: str, noun: str, gender: str, consistent: str, evidence: str, beyond: str
) -> None:
    start, end = phrase.index("["), phrase.index("]") - 1
    text = phrase.replace("[", "").replace("]", "")
    reading = read(text, (start, end), lang, noun=noun or None)
    marks = reading.evidence or reading.beyond
    shown = (reading.with_pronouns, reading.consistent, marks[0].word if marks else "")
    assert shown == (gender, consistent == "yes", evidence), str(reading)
    assert reading.gender == ("neutral" if beyond else gender), str(reading)
    assert bool(reading.beyond) == (beyond == "beyond"), str(reading)


def test_what_translates_the_cue_is_told() -> None:
    text = "Os médicos femininos chegaram."
    assert str(read(text, (3, 10), "pt", noun="doctor")) == (
        "masculine: Os (article: masculine), médicos (noun form: masculine)"
        "; set aside: femininos (names the sex: feminine)"
    )
    text = "Ein weiblicher Arzt kam."
    aside = read(text, (15, 19), "de", noun="doctor").aside
    assert [(mark.word, mark.gender) for mark in aside] == [("weiblicher", "feminine")]


def test_a_pronoun_is_the_second_reading() -> None:
    text = "Il capo vide l'assistente e la salutò."
    reading = read(text, (15, 25), "it", noun="assistant")
    assert (reading.gender, reading.with_pronouns) == ("neutral", "feminine")
    assert (reading.by("phrase"), reading.by("pronouns")) == ("neutral", "feminine")
    assert reading.evidence == ()
    assert [mark.word for mark in reading.beyond] == ["la"]


def test_tables_are_broad() -> None:
    counts = {lang: sum(row[0] == lang for row in rows()) for lang in ROMANCE}
    assert min(counts.values()) >= 180, counts


@pytest.mark.slow
@pytest.mark.parametrize("lang", ROMANCE)
def test_lexicon_forms_say_their_column(lang: str) -> None:
    """A masculine form never reads as feminine by itself, nor the other way round."""
    for entry in lexicon(lang).values():
        for forms, wrong in ((entry.masculine, "feminine"), (entry.feminine, "masculine")):
            for form in forms:
                got = read(form, (0, len(form)), lang, noun=entry.english)
                assert got.gender != wrong, (entry.english, form, str(got))


@pytest.mark.parametrize(
    "shown", ["doctora", "la doctora", "a la", "la doc", "doctora muy", "cansada"]
)
def test_a_span_may_be_slightly_off(shown: str) -> None:
    text = "El jefe llamó a la doctora muy cansada."
    start = text.index(shown)
    reading = read(text, (start, start + len(shown)), "es", noun="doctor")
    assert reading.gender == "feminine", str(reading)


def test_evidence_points_into_the_text() -> None:
    text = "Ha parlato all'infermiera e l’ha ringraziata."
    reading = read(text, (14, 25), "it", noun="nurse")
    for mark in reading.evidence:
        assert text[mark.start : mark.end].lower().startswith(mark.word.lower())


def test_a_text_without_words_is_unknown() -> None:
    assert all(read("\r", (0, 1), lang).gender == "unknown" for lang in ROMANCE)


@pytest.mark.slow
@given(st.text(max_size=60), st.sampled_from(ROMANCE), st.data())
def test_any_text_gets_a_reading(text: str, lang: str, data: st.DataObject) -> None:
    if not text:
        return
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    reading = read(text, (start, end), lang)
    assert reading.gender in ("masculine", "feminine", "neutral", "unknown")
    if reading.gender in ("masculine", "feminine"):
        assert reading.evidence
        assert reading.evidence[0].gender == reading.gender
        assert all(0 <= mark.start < mark.end <= len(text) for mark in reading.evidence)


@pytest.mark.parametrize(
    ("form", "lang", "plural"),
    [
        ("campeón", "es", "campeones"),
        ("juez", "es", "jueces"),
        ("joven", "es", "jóvenes"),
        ("uomo", "it", "uomini"),
        ("collega", "it", "colleghe"),
        ("medico", "it", "medici"),
        ("cirurgião", "pt", "cirurgiões"),
        ("policial", "pt", "policiais"),
        ("homem", "pt", "homens"),
        ("principal", "fr", "principaux"),
        ("monsieur", "fr", "messieurs"),
        ("grand-père", "fr", "grands-pères"),
    ],
)
def test_plurals(form: str, lang: str, plural: str) -> None:
    assert plural in inflections(form, lang)


def test_languages_and_mistakes() -> None:
    assert languages.codes() == ("de", "es", "fr", "it", "pt", "ru", "uk")
    with pytest.raises(CueScopeError, match="'xx'"):
        read("La casa", (0, 2), "xx")
    with pytest.raises(CueScopeError, match="span"):
        read("La casa", (3, 30), "es")
    with pytest.raises(CueScopeError, match="engine"):
        read("La casa", (0, 2), "es", engine="guess")


@pytest.mark.slow
def test_spacy_reads_french() -> None:
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed")
    if not any(spacy.util.is_package(f"fr_core_news_{size}") for size in ("sm", "md", "lg")):
        pytest.skip("no French spaCy model is installed")
    text = "Le patron parle à la caissière."
    assert read(text, (21, 30), "fr", engine="spacy").gender == "feminine"
    assert read(text, (3, 9), "fr", engine="spacy").gender == "masculine"


def test_missing_spacy_model_is_named() -> None:
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed")
    if any(spacy.util.is_package(f"uk_core_news_{size}") for size in ("sm", "md", "lg")):
        pytest.skip("a Ukrainian spaCy model is installed")
    with pytest.raises(CueScopeError, match="spacy download uk_core_news_sm"):
        read("лікар", (0, 5), "uk", engine="spacy")


def test_reading_is_fast() -> None:
    text = "El desarrollador discutió con la diseñadora porque no le gustaba el diseño."
    read(text, (34, 44), "es", noun="designer")  # lists are read once
    began = time.process_time()
    for i in range(4000):
        sentence = f"{text} {i}"
        span = locate(sentence, "designer", "es")
        assert span is not None
        read(sentence, span, "es", noun="designer")
    assert time.process_time() - began < 3


# English nouns of one sex: *la amante* of a mistress, *el joven* of a lad.
SEXED = (
    "abbess|baroness|best man|boy|chap|fellow|gal|girl|governess|granddaughter|grandson|"
    "great-granddaughter|great-grandson|guy|heiress|hostess|lad|landlady|lass|master|mistress|"
    "nanny|nephew|niece|old man|young lady|young man"
).split("|")
# A woman's word that is also said of men (*la guardia*), a man's that is (*vainqueur*).
EITHER = {"es": "guardia", "it": "guardia governante spia", "pt": "guarda ama", "fr": "garde hôte"}


@pytest.mark.parametrize("lang", ROMANCE)
def test_a_form_stands_in_one_column(lang: str) -> None:
    """*Diretor* as masculine for one noun and common for another would be neutral everywhere."""
    columns: dict[str, set[str]] = {}
    for entry in lexicon(lang).values():
        for column in ("masculine", "feminine", "epicene"):
            for form in getattr(entry, column) if entry.english not in SEXED else ():
                columns.setdefault(form.lower(), set()).add(column)
    twice = {form for form, where in columns.items() if len(where) > 1}
    assert twice <= set(EITHER[lang].split()), twice
