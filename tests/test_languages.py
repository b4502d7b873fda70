"""The registry of languages: one file each, a user's own in a script, nothing keyed by code."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import cuescope
from cuescope.codes import english_name
from cuescope.errors import CueScopeError
from cuescope.gender import languages, locate, read
from cuescope.gender.counterpart import counterpart
from cuescope.gender.words import words
from cuescope.models.languages import code

CATALAN = languages.Romance(
    code="ca",
    name="Catalan",
    three="cat",
    nouns="mechanic\tmecànic\tmecànica\nlawyer\tadvocat\tadvocada\nplumber\t\t\tlampista\n",
    grammar="article\tm/f\tel/la els/les un/una\ncontracted\tm/f\tal/a_la\ndeterminer\tc\tl'\n",
    contractions={"al": ("a", "el")},
    elided={"el": "l'", "la": "l'"},
    plurals=(("ca", ("ques",)), ("a", ("es",)), ("", ("s",))),
)


@pytest.fixture
def catalan(monkeypatch):
    """Catalan, for one test."""
    languages.add(CATALAN)
    yield CATALAN
    languages.remove("ca")


def _read(text: str, noun: str) -> tuple[str, bool, str | None]:
    span = locate(text, noun, "ca")
    assert span is not None
    reading = read(text, span, "ca", noun=noun)
    return reading.gender, reading.consistent, counterpart(text, reading, "ca", noun)


@pytest.mark.parametrize(
    ("text", "noun", "expected"),
    [
        ("El mecànic ve.", "mechanic", ("masculine", True, "La mecànica ve.")),
        ("El mecànica ve.", "mechanic", ("masculine", False, "La mecànica ve.")),
        ("Truca al mecànic.", "mechanic", ("masculine", True, "Truca a la mecànica.")),
        ("L'advocada ve.", "lawyer", ("feminine", True, "L'advocat ve.")),
        ("La lampista ve.", "plumber", ("feminine", True, "El lampista ve.")),
        ("Cada lampista ve.", "plumber", ("neutral", True, None)),
    ],
)
def test_two_tables_are_enough(catalan, text, noun, expected):
    assert _read(text, noun) == expected


def test_plurals_are_found(catalan):
    assert locate("Les mecàniques venen.", "mechanic", "ca") == (4, 14)
    assert locate("Els advocats venen.", "lawyer", "ca") == (4, 12)


def test_elisions_and_contractions_are_the_languages_own(catalan):
    assert [word.form for word in words("L'advocat truca al metge.", "ca")] == [
        *("L'", "advocat", "truca", "a", "el", "metge", "."),
    ]
    languages.remove("ca")
    assert [word.form for word in words("L'advocat al", "ca")] == ["L'advocat", "al"]
    languages.add(CATALAN)


def test_models_know_its_names(catalan):
    assert english_name("ca") == "Catalan"
    assert code("ca", ["cat_Latn", "por_Latn"], "a model", "tgt") == "cat_Latn"


def test_adding_again_replaces_and_nothing_is_remembered(catalan):
    assert locate("La cuinera ve.", "cook", "ca") is None
    languages.add(replace(CATALAN, nouns="cook\tcuiner\tcuinera"))
    assert _read("La cuinera ve.", "cook") == ("feminine", True, "El cuiner ve.")
    assert locate("El mecànic ve.", "mechanic", "ca") is None


@pytest.mark.parametrize(
    ("lost", "named"),
    [
        ({"nouns": ""}, "no nouns"),
        ({"nouns": "cook\tcuiner"}, "no nouns"),
        ({"grammar": "article\tm\tel"}, "no grammar (determiners of both genders)"),
        ({"grammar": "determiner\tm/f\tel/la"}, "no grammar (articles)"),
        ({"plurals": ()}, "no plurals"),
        ({"reader": None}, "no reader.read_phrase; no reader.inflections"),
        ({"reader": object()}, "no reader.read_phrase; no reader.inflections"),
        ({"name": "", "code": "xx"}, "no name"),
        ({"code": "Català"}, "no code"),
    ],
)
def test_what_is_missing_is_named(lost, named):
    with pytest.raises(CueScopeError, match="is not complete") as error:
        languages.add(replace(CATALAN, **lost))
    assert named in error.value.found
    assert "ca" not in languages.codes()


def test_all_that_is_missing_is_named_at_once():
    with pytest.raises(CueScopeError) as error:
        languages.add(languages.Language("xx"))
    for part in ("name", "nouns", "reader.read_phrase", "partners", "function_words"):
        assert f"no {part}" in error.value.found


@pytest.mark.parametrize(
    ("lost", "named"),
    [
        ({"nouns": "cook\n"}, "too few columns"),
        ({"nouns": "nowhere.tsv"}, "cannot be read"),
        ({"grammar": "article\tx\tel"}, "no such gender"),
    ],
)
def test_a_broken_table_is_an_error(lost, named):
    with pytest.raises(CueScopeError, match=named):
        languages.add(replace(CATALAN, **lost))


def test_tables_may_be_files(tmp_path):
    for name in ("nouns", "grammar"):
        (tmp_path / name).write_text(getattr(CATALAN, name), "utf-8")
    made = replace(CATALAN, nouns=str(tmp_path / "nouns"), grammar=tmp_path / "grammar")
    assert (made.lexicon, made.lists) == (CATALAN.lexicon, CATALAN.lists)


def test_the_projects_own_stay():
    with pytest.raises(CueScopeError, match="has the language 'pt' itself"):
        languages.add(replace(CATALAN, code="pt"))
    with pytest.raises(CueScopeError, match="no language 'pt' of your own"):
        languages.remove("pt")


def test_no_torch_comes_with_the_languages():
    asked = "import sys, cuescope as cs; print(cs.languages.codes()[0], 'torch' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["de", "False"]


def test_reading_one_language_loads_no_other():
    asked = (
        "import sys; from cuescope.gender import read; read('O médico', (2, 8), 'pt'); "
        "print([m for m in sys.modules if m.startswith('cuescope.gender.') "
        "and (m.split('.')[2] in ('german', 'slavic') or m[-3:] in ('.es', '.it', '.fr', '.de'))])"
    )
    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


@pytest.mark.parametrize("room", ["gender", "align", "inside", "show"])
def test_nothing_else_is_keyed_by_language(room):
    """No dict of codes outside the languages' own files."""
    root = Path(cuescope.__file__).parent
    known = set(languages.codes()) - {"es"}  # also an ending
    for path in (root / room).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            keys = node.keys if isinstance(node, ast.Dict) else []
            found = {key.value for key in keys if isinstance(key, ast.Constant)}
            assert not found & known, f"{path}: {found & known}"


@pytest.mark.parametrize("room", ["gender", "align", "inside", "show"])
def test_no_rule_asks_for_one_language(room):
    """What is known of one language is a field of it: no `lang == "uk"` outside its own file."""
    root = Path(cuescope.__file__).parent
    for path in (root / room).rglob("*.py"):
        assert not list(_asked(path.read_text("utf-8"))), path
    assert list(_asked('x = a and lang == "uk"')) == ["uk"]
    assert list(_asked('x = language not in ("de", "en")')) == ["de"]


def _asked(text: str) -> Iterator[str]:
    """The languages' codes to which a variable of that name is compared."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Compare) and ast.unparse(node.left) in ("lang", "language", "tgt"):
            told = (one.value for one in ast.walk(node) if isinstance(one, ast.Constant))
            yield from (code for code in told if code in languages.codes())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"grammar": "articel\tm/f\tel/la\n"}, "no such kind in the grammar"),
        ({"grammar": "article\tm/f\tel/la lo\n"}, "half a pair"),
        ({"plurals": (("r", "res"), ("", "s"))}, "is not complete"),
        ({"plurals": {"": "s"}}, "is not complete"),
    ],
)
def test_a_slip_in_the_tables_is_said(change, said):
    given = {"nouns": "cook\tcuiner\tcuinera\n", "grammar": "article\tm/f\tel/la\n"}
    given |= {"code": "xx", "name": "X", "plurals": (("", ("s",)),)}
    with pytest.raises(CueScopeError, match=said):
        languages.add(languages.Romance(**given | change))
