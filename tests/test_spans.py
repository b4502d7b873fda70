"""Spans: characters ↔ sub-words, the same for every tokenizer."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tiny
from cuescope import CueScopeError
from cuescope.models.spans import Encoding, find

# text, word, which occurrence
CASES = [
    ("The mechanic called because she was late.", "mechanic", 0),
    ("The mechanic called because she was late.", "she", 0),
    ("The mechanic called because she was late.", "late", 0),
    ("SHE called THE MECHANIC.", "MECHANIC", 0),
    ("the construction worker met the worker", "construction worker", 0),
    ("the construction worker met the worker", "worker", 1),
    ("L'impiegato dell'ufficio parla all'avvocata: perché?", "impiegato", 0),
    ("L’impiegato dell’ufficio parla all’avvocata: perché?", "avvocata", 0),
    ("My co-worker's lawyer slept.", "co-worker", 0),
    ("My co-worker's lawyer slept.", "lawyer", 0),
    ("O médico e a enfermeira falaram.", "médico", 0),
    ("O me\u0301dico e a enfermeira falaram.", "me\u0301dico", 0),
    ("Die Ärztin ging nach Århus.", "Ärztin", 0),
    ("a na\u00efve ﬁne oﬃcer said", "oﬃcer", 0),
    ("  two  blanks   between  words ", "between", 0),
    ("Ｆｕｌｌ width nurse", "Ｆｕｌｌ", 0),
    ("“nurse”, she said…", "nurse", 0),
    ("«Nurse»—she—left", "she", 0),
    ("Врач сказала, что она устала.", "она", 0),
    ("she said she, she!", "she", 2),
    ("a tab\there and nurse", "nurse", 0),
    ("nurse", "nurse", 0),
    ("<b> the nurse >>fra<< ||| _ ▁", "nurse", 0),
    ("😀 the nurse 👩‍🔧 slept", "nurse", 0),
]


@pytest.mark.parametrize("family", tiny.FAMILIES)
@pytest.mark.parametrize(("text", "word", "occurrence"), CASES)
def test_word_is_where_its_subwords_are(tiny_model, family, text, word, occurrence):
    encoding = model(tiny_model, family).tokenise(text)
    start, end = find(text, word, occurrence)
    assert text[start:end] == word
    positions = encoding.positions(start, end)
    assert encoding.span(positions) == (start, end)
    pieces = "".join(encoding.pieces[i] for i in positions)
    if not {"<unk>", "�"} & set(re.findall("<unk>|�", pieces)):  # unknown, or half a character
        plain = unicodedata.normalize("NFKC", pieces.replace("▁", " ").strip())
        wanted = unicodedata.normalize("NFKC", word)
        assert plain.replace(" ", "") == wanted.replace(" ", "")


@pytest.mark.slow
@pytest.mark.parametrize(("text", "word", "occurrence"), CASES)
@pytest.mark.model
def test_real_tokenizers(firefox, opus, text, word, occurrence):
    for mt in (firefox, opus):
        start, end = find(text, word, occurrence)
        encoding = mt.tokenise(text)
        assert encoding.span(encoding.positions(start, end)) == (start, end)


_MODELS: dict[str, object] = {}


def model(tiny_model, family):
    """One open model per family: hypothesis calls the test often."""
    if family not in _MODELS:
        _MODELS[family] = tiny_model(family)
    return _MODELS[family]


@pytest.mark.parametrize("family", tiny.FAMILIES)
@given(
    text=st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn")), max_size=40)
)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_text_keeps_its_characters(tiny_model, family, text):
    """Offsets run forward, stay inside the text, and every letter belongs to some position."""
    encoding = model(tiny_model, family).tokenise(text)
    places = [at for at in encoding.offsets if at is not None]
    assert all(0 <= a <= b <= len(text) for a, b in places)
    assert all(a[0] <= b[0] for a, b in pairwise(places))
    covered = {i for a, b in places for i in range(a, b)}
    letters = {m.start() for m in re.finditer(r"[a-zA-ZÀ-ÿа-я0-9]", text)}
    assert letters <= covered


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_tags_and_end_of_sentence_are_no_words(tiny_model, family):
    mt = model(tiny_model, family)
    text = "The nurse slept."
    source, target = mt.tokenise(text), mt.tokenise_target(text)
    assert source.offsets[-1] is None
    assert target.offsets[-1] is None
    for i, at in enumerate(source.offsets):
        if at is None:
            assert i not in source.words
            with pytest.raises(CueScopeError, match="no words"):
                source.span([i])
    forced = mt.tokenizer.forced
    assert target.ids[: len(forced)] == forced
    assert len(target.words) == len(target) - len(forced) - 1


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_ids_are_those_of_transformers(tiny_model, tiny_folder, family):
    """Our tokenizers add offsets, they do not change a single id."""
    from transformers import AutoTokenizer

    theirs = AutoTokenizer.from_pretrained(tiny_folder(family))
    mt = model(tiny_model, family)
    words = tiny.languages(family)
    if family in tiny.LANGUAGES:
        theirs.src_lang, theirs.tgt_lang = words["src"], words["tgt"]
    prompt = {"t5": "translate English to German: ", "madlad": "<2pt> "}.get(family, "")
    for text in tiny.SENTENCES:
        assert list(mt.tokenise(text).ids) == theirs(prompt + text).input_ids
        assert list(mt.tokenise_target(text).ids) == theirs(text_target=text).input_ids
        assert mt.tokenizer.decode(mt.tokenise_target(text).ids) == text


def test_special_tokens_in_a_sentence_stay_text_or_are_said(tiny_model):
    for family in tiny.FAMILIES:
        mt = model(tiny_model, family)
        try:
            encoding = mt.tokenise("the nurse </s> slept")
        except CueScopeError as error:
            assert "the model's own marks" in str(error)  # noqa: PT017
        else:
            assert mt.engine.eos_id not in encoding.ids[:-1], family


BAD = [
    (lambda e: e.positions(3, 2), "outside the text"),
    (lambda e: e.positions(-1, 2), "outside the text"),
    (lambda e: e.positions(0, 99), "outside the text"),
    (lambda e: e.positions(1, 2), "no sub-word"),
    (lambda e: e.find("cook"), "not in the sentence"),
    (lambda e: e.find("chef", 1), "not in the sentence 2 times"),
    (lambda e: e.find(""), "not in the sentence"),
    (lambda e: e.span([]), "no words"),
]


@pytest.mark.parametrize(("call", "said"), BAD)
def test_bad_spans_are_said(call, said):
    encoding = Encoding("a chef", (5, 6, 0), ("▁a", "▁chef", "</s>"), ((0, 1), (2, 6), None))
    with pytest.raises(CueScopeError, match=said):
        call(encoding)


def test_a_part_of_a_word_is_not_the_word():
    with pytest.raises(CueScopeError):
        find("The cheerleader slept", "leader")
    with pytest.raises(CueScopeError):
        find("the cafe\u0301 closed", "cafe")
