"""What a system is said to have translated is looked at: other forms, blanks, other languages."""

from __future__ import annotations

import json

import pytest

from cuescope.data import translations
from cuescope.data.given import doubts, refuse
from cuescope.errors import CueScopeError
from cuescope.gender.languages import identify
from shared_data import shared

SOURCES = ["The cook saw the clerk because he was late.", "A clerk left."]
ITALIAN = ["Il cuoco ha visto l'impiegato perché era in ritardo.", "Un impiegato se n'è andato."]
FORMS = {
    "tsv": [f"{s}\t{t}" for s, t in zip(SOURCES, ITALIAN, strict=True)],
    "tsv, turned": [f"{t}\t{s}" for s, t in zip(SOURCES, ITALIAN, strict=True)],
    "tsv with a head": ["id\tsource\ttranslation"]
    + [f"{n}\t{s}\t{t}" for n, (s, t) in enumerate(zip(SOURCES, ITALIAN, strict=True))],
    "json lines": [json.dumps({"src": s, "mt": t}) for s, t in zip(SOURCES, ITALIAN, strict=True)],
    "json lines without sources": [json.dumps({"id": 1, "translation": t}) for t in ITALIAN],
    "bars": [f"{s} ||| {t}" for s, t in zip(SOURCES, ITALIAN, strict=True)],
    "plain": ITALIAN,
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_translations(tmp_path, form):
    path = tmp_path / "out"
    path.write_text("\n".join(FORMS[form]) + "\n", "utf-8")
    assert translations.read(path, SOURCES) == (ITALIAN, {})


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (["a\tb", "c\td"], "which column holds the translations"),
        (["a\tb", "c\td\te"], "in other numbers than others"),
        (['{"text": "a"}', '{"text": "b"}'], "which column holds the translations"),
        (['{"mt": "a"}', "{broken}"], "line 2: not JSON"),
        ([f"{s}\tx\ty" for s in SOURCES], "which column holds the translations"),
    ],
)
def test_what_is_not_clear_is_refused(tmp_path, lines, complaint):
    path = tmp_path / "out"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    with pytest.raises(CueScopeError, match=complaint):
        translations.read(path, SOURCES)


def test_a_tab_in_a_translation_is_no_table(tmp_path):
    path = tmp_path / "out"
    path.write_text("Il\tcuoco.\nUn impiegato.\nUn altro.\n", "utf-8")
    assert translations.read(path, ["a", "b", "c"]).texts[1] == "Un impiegato."


def grave(texts, lang="it", sources=None):
    found = doubts("out.it", sources or [f"s{n}" for n in range(len(texts))], texts, lang)
    return [one.what for one in found if one.grave], [one.what for one in found if not one.grave]


def test_blank_and_untranslated_files():
    sources = ["The cook saw the clerk."] * 10
    assert grave(sources, sources=sources)[0] == ["out.it: lines that are the source itself"]
    assert grave([""] * 6 + ITALIAN * 2)[0] == ["out.it: blank lines"]
    assert grave(["", *ITALIAN * 4]) == ([], ["out.it: blank lines"])
    assert grave([*ITALIAN * 4, "The cook saw the clerk because he was late."])[1] == [
        "out.it: lines that look English"
    ]
    assert grave(ITALIAN) == ([], [])
    with pytest.raises(CueScopeError, match="if you mean it, --force"):
        refuse(doubts("out.it", sources, sources, "it"))


def test_a_language_of_ones_own_with_few_words_is_not_judged():
    assert identify.another(ITALIAN * 20, "xx") is None


FILES = {
    **{f"google/en-{lang}.txt": lang for lang in ("de", "es", "fr", "it", "ru", "uk")},
    "opus-mt/en-it.pro.txt": "it",
    "firefox/en-pt.pro.txt": "pt",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_real_outputs_are_known_by_their_function_words(name):
    """In their own language nothing is said; in any other, the true one; in pieces of 50 too."""
    lines = shared("translations", *name.split("/")).read_text("utf-8").splitlines()
    texts = [line.partition("|||")[2] for line in lines]
    for start in range(0, len(texts), 100):
        some = texts[start : start + 50]
        assert identify.another(some, FILES[name]) is None
        for lang in ("de", "es", "fr", "it", "pt", "ru", "uk"):
            if lang != FILES[name]:
                assert identify.another(some, lang) == FILES[name]
    assert sum(identify.looks_english(text, FILES[name]) for text in texts) < 0.01 * len(texts)
