from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cuescope.data import pairs, relationships
from cuescope.errors import CueScopeError
from cuescope.measures.relationships import (
    COLUMNS,
    Relationships,
    occupations,
    possessive_gender,
    read,
)
from shared_data import shared


@pytest.mark.parametrize(("lang", "count"), [("es", 50), ("fr", 47), ("it", 45)])
def test_occupations_that_show_a_gender(lang: str, count: int) -> None:
    used, left_out = relationships.occupations(lang)
    assert len(used) == count
    assert len(used) + len(left_out) == 50
    assert len(relationships.items(lang)) == count * 2 * 5 * 3 * 2
    assert ("analyst" in left_out) == (lang != "es")


@pytest.mark.parametrize(
    ("noun", "gender", "lang", "phrase"),
    [
        ("juez", "male", "es", "el juez"),
        ("artista", "female", "es", "la artista"),
        ("étudiante", "female", "fr", "l'étudiante"),
        ("sénateur", "male", "fr", "le sénateur"),
        ("psicologo", "male", "it", "lo psicologo"),
        ("studente", "male", "it", "lo studente"),
        ("studentessa", "female", "it", "la studentessa"),
        ("senatore", "male", "it", "il senatore"),
        ("autrice", "female", "it", "l'autrice"),
    ],
)
def test_articles(noun: str, gender: str, lang: str, phrase: str) -> None:
    assert relationships.with_article(noun, gender, lang) == phrase  # type: ignore[arg-type]


def test_items_and_pairs_hold_the_same_subject() -> None:
    for lang in relationships.LANGUAGES:
        for item in relationships.items(lang):
            assert item.text[: item.focus[1]].endswith(item.text[slice(*item.focus)])
            assert item.focus[0] in (2, 3)
    for twin in pairs("relationships"):
        assert (twin.pro.set, twin.anti.set) == ("diff_gender", "same_gender")
        assert twin.pro.text[slice(*twin.pro.focus)] == twin.anti.text[slice(*twin.anti.focus)]


@pytest.mark.parametrize(
    ("text", "gender"),
    [
        ("The judge kissed his wife.", "male"),
        ("Her wife kissed the judge.", "female"),
        ("The judge kissed their wife.", "neutral"),
        ("The judge kissed history.", "unknown"),
        ("", "unknown"),
    ],
)
def test_the_possessive_decides(text: str, gender: str) -> None:
    assert possessive_gender(text) == gender


def two_systems() -> Relationships:
    files = {name: shared("relationships", f"{name}.csv") for name in ("google", "amazon")}
    return Relationships.of(files, shared("relationships", "occupations.tsv"))


def test_paper_c() -> None:
    result = two_systems()
    assert result.accuracy("google", "same_gender").value == pytest.approx(0.386, abs=0.0005)
    assert result.accuracy("amazon", "same_gender").value == pytest.approx(0.510, abs=0.0005)
    for model in ("google", "amazon"):
        assert result.accuracy(model, "diff_gender").value >= 0.998
        assert result.mcnemar(model).p < 0.001
    fit = result.regression
    assert fit is not None
    assert fit.nobs == 2 * 3690
    assert set(fit.terms) == {
        "Intercept",
        "subject_gender[T.male]",
        "lang[T.Italian]",
        "lang[T.Spanish]",
        "model[T.google]",
        "relationship_word_category[T.FRIEND]",
        "relationship_word_category[T.SPOUSE]",
        "income",
        "women_pct",
        "age",
    }
    # the signs of Table 2, which has one system more
    positive = {name for name, term in fit.terms.items() if term["coef"] > 0}
    assert positive == {"Intercept", "lang[T.Spanish]"}


def test_one_system_and_no_figures_will_do() -> None:
    result = Relationships.of({"x": shared("relationships", "google.csv")})
    assert result.regression is not None
    assert not any(name.startswith(("model", "income")) for name in result.regression.terms)
    assert result.to_json()["regression"]["nobs"] == 3690


def test_missing_figures_are_named_and_average() -> None:
    result = two_systems()
    assert "president" in result.without_figures()["income"]
    figures = occupations(shared("relationships", "occupations.tsv"))
    assert np.isnan(figures.loc["president", "income"])


def csv_file(tmp_path: Path, *rows: str) -> Path:
    path = tmp_path / "system.csv"
    path.write_text("\n".join([",".join(COLUMNS), *rows]) + "\n", "utf-8")
    return path


GOOD = "el juez besó a su novio.,es,juez,novio,male,romance,male,same_gender,judge,boyfriend,FRIEND"


def test_a_row_is_judged(tmp_path: Path) -> None:
    frame = read(csv_file(tmp_path, f"{GOOD},The judge kissed his boyfriend.", f"{GOOD},"))
    assert frame["correct"].tolist() == [True, False]
    assert frame["model"].tolist() == ["system"] * 2


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        (f"{GOOD}", "line 2: wrong number of columns"),
        (f"{GOOD},x,y", "line 2: wrong number of columns"),
        (f"{GOOD.replace(',male,romance', ',M,romance')},x", "line 2: unknown subject_gender"),
    ],
)
def test_a_bad_row_is_named(tmp_path: Path, row: str, complaint: str) -> None:
    with pytest.raises(CueScopeError, match=complaint):
        read(csv_file(tmp_path, row))


def test_generated_sentences_need_no_csv(tmp_path: Path) -> None:
    path = tmp_path / "system.txt"
    rows = [row for lang in relationships.LANGUAGES for row in relationships.rows(lang)]
    lines = [f"{row['sent']} ||| The {row['subject_word_en']} and his partner." for row in rows]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    result = Relationships.of({"his": path})
    assert len(result.frame) == 8520
    assert result.accuracy("his", "same_gender").value == 0.5
    assert tuple(rows[0]) == COLUMNS[:-1]
    path.write_text("el gato besó a su novio. ||| The cat.\n", "utf-8")
    with pytest.raises(CueScopeError, match="line 1: not a sentence of this set"):
        read(path)


def test_no_regression_says_why(tmp_path: Path) -> None:
    result = Relationships.of({"x": csv_file(tmp_path, f"{GOOD},The judge kissed his boyfriend.")})
    assert result.regression is None
    assert "right and wrong" in result.to_json()["regression"]["problem"]


@pytest.mark.parametrize("lang", relationships.LANGUAGES)
def test_the_words_of_a_row_stand_in_its_sentence(lang: str) -> None:
    for row in relationships.rows(lang):
        assert f"{row['relationship_word']}" in row["sent"]
        assert not row["relationship_word"].startswith(("su", "son ", "sa ", "il ", "la "))


def test_bad_figures_are_named(tmp_path: Path) -> None:
    path = tmp_path / "o.tsv"
    path.write_text("occupation\tincome\twomen_pct\tage\njudge\tmuch\t\t\n", "utf-8")
    with pytest.raises(CueScopeError, match="line 2: not a number"):
        occupations(path)
    path.write_text("occupation\tincome\n", "utf-8")
    with pytest.raises(CueScopeError, match="line 1: missing column"):
        occupations(path)
