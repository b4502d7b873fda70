"""Alignment: spans, invariants, engines, gold links."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cuescope.align import ENGINES, HEURISTICS, Alignment, align
from cuescope.align.gold import f1, read_gold
from cuescope.align.prior import function_words, prior
from cuescope.errors import CueScopeError
from cuescope.gender.words import Word
from shared_data import shared

ROOT = Path(__file__).resolve().parents[1]
GOLD = Path(__file__).parent / "gold_links"


SPANS = [  # one sentence alone: only the shipped knowledge and the diagonal help
    ("it", "The nurse slept.", "L'infermiera dormiva.", "nurse", "infermiera"),
    (
        "it",
        "The doctor called the baker.",
        "Il dottore ha chiamato il fornaio.",
        "doctor",
        "dottore",
    ),
    ("it", "She thanked the mechanic.", "Ha ringraziato la meccanica.", "mechanic", "meccanica"),
    ("it", "My father is a writer.", "Mio padre è uno scrittore.", "father", "padre"),
    (
        "es",
        "The secretary found the book.",
        "La secretaria encontró el libro.",
        "secretary",
        "secretaria",
    ),
    (
        "es",
        "The friend of the architect left.",
        "La amiga del arquitecto se fue.",
        "architect",
        "arquitecto",
    ),
    ("es", "I saw my sister yesterday.", "Ayer vi a mi hermana.", "sister", "hermana"),
    (
        "pt",
        "He told the carpenter to wait.",
        "Disse ao carpinteiro que esperasse.",
        "carpenter",
        "carpinteiro",
    ),
    (
        "pt",
        "The old teacher was tired.",
        "A velha professora estava cansada.",
        "teacher",
        "professora",
    ),
    (
        "fr",
        "The girl thanked the director.",
        "La fille a remercié la directrice.",
        "director",
        "directrice",
    ),
    (
        "fr",
        "Today the analyst wrote a letter.",
        "Aujourd'hui, l'analyste a écrit une lettre.",
        "analyst",
        "analyste",
    ),
    ("de", "The woman called the pilot.", "Die Frau rief die Pilotin an.", "pilot", "Pilotin"),
    (
        "ru",
        "The mechanic thanked his wife.",
        "Механик поблагодарил свою жену.",
        "mechanic",
        "Механик",
    ),
    (
        "uk",
        "The journalist saw the doctor.",
        "Журналістка побачила лікаря.",
        "journalist",
        "Журналістка",
    ),
]


@pytest.mark.parametrize(("lang", "source", "target", "noun", "expected"), SPANS)
def test_one_sentence(lang: str, source: str, target: str, noun: str, expected: str) -> None:
    [pair] = align([source], [target], "en", lang)
    start = source.index(noun)
    span = pair.target_span(start, start + len(noun))
    assert span is not None
    assert target[slice(*span)] == expected


def test_into_english() -> None:
    [pair] = align(
        ["La secretaria llamó a su madre."], ["The secretary called her mother."], "es", "en"
    )
    span = pair.target_span(24, 29)
    assert span is not None
    assert "The secretary called her mother."[slice(*span)] == "mother"


def _alignment(source: str, target: str, links: str, lang: str = "it") -> Alignment:
    def cut(text: str) -> tuple[Word, ...]:
        found, at = [], 0
        for form in text.split():
            found.append(Word(form, at, at + len(form)))
            at += len(form) + 1
        return tuple(found)

    pairs = tuple(tuple(map(int, p.split("-"))) for p in links.split())
    return Alignment(cut(source), cut(target), pairs, ("en", lang))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("source", "target", "links", "asked", "expected"),
    [
        (
            "the officer ran",
            "l' agente di polizia corse",
            "0-0 1-1 1-3 2-4",
            "officer",
            "agente di polizia",
        ),
        (
            "the officer ran",
            "l' agente di polizia corse",
            "1-0 1-1 1-2 1-3",
            "officer",
            "agente di polizia",
        ),
        ("the officer ran", "l' agente corse", "0-0 1-0 1-1 2-2", "the officer", "l' agente"),
        ("the manager ran", "il capo corse forte", "1-1 1-2 2-2 2-3", "manager", "capo"),
        ("the manager ran", "il capo corse", "1-0 2-2", "manager", "il"),
        ("the manager ran", "il capo , corse", "1-1 1-2", "manager", "capo"),
        ("the manager ran fast", "il capo corse via molto presto", "1-1 1-5", "manager", "capo"),
        (
            "the police officer",
            "l' agente di polizia",
            "1-3 2-1",
            "police officer",
            "agente di polizia",
        ),
        ("the manager ran", "il capo corse", "2-2", "manager", None),
    ],
)
def test_span(source: str, target: str, links: str, asked: str, expected: str | None) -> None:
    start = source.index(asked)
    span = _alignment(source, target, links).target_span(start, start + len(asked))
    assert (span and target[slice(*span)]) == expected


_EN = st.lists(st.sampled_from(["the", "nurse", "saw", "a", "doctor", ".", "and"]), max_size=7)
_IT = st.lists(st.sampled_from(["la", "infermiera", "vide", "un", "medico", ".", "e"]), max_size=7)
_TEXTS = st.lists(st.tuples(_EN.map(" ".join), _IT.map(" ".join)), min_size=1, max_size=6)


@settings(deadline=None, max_examples=40)
@given(_TEXTS, st.randoms(use_true_random=False))
def test_order_and_repeats_do_not_matter(texts: list[tuple[str, str]], random) -> None:  # type: ignore[no-untyped-def]
    shuffled = texts[:]
    random.shuffle(shuffled)

    def links(
        pairs: list[tuple[str, str]],
    ) -> list[tuple[tuple[str, str], tuple[tuple[int, int], ...]]]:
        found = align([s for s, _ in pairs], [t for _, t in pairs], "en", "it")
        return sorted((pair, a.links) for pair, a in zip(pairs, found, strict=True))

    assert links(shuffled) == links(texts)
    twice = links(texts + texts)
    assert len(twice) == 2 * len(texts)
    assert len(set(twice)) == len(set(texts))  # equal pairs have equal links


@settings(deadline=None, max_examples=40)
@given(_TEXTS)
def test_heuristics_are_nested(texts: list[tuple[str, str]]) -> None:
    sources, targets = [s for s, _ in texts], [t for _, t in texts]
    order = ("intersection", "grow-diag", "grow-diag-final-and", "union")
    found = [align(sources, targets, "en", "it", heuristic=h) for h in order]
    for less, more in pairwise(found):
        assert all(set(a.links) <= set(b.links) for a, b in zip(less, more, strict=True))
    for pair in found[-1]:
        assert all(i < len(pair.source) and j < len(pair.target) for i, j in pair.links)


def test_grow_diag_final_and() -> None:
    forward, backward = frozenset({(0, 0), (1, 1), (3, 4)}), frozenset({(0, 0), (1, 2), (4, 3)})
    expected = {
        "intersection": {(0, 0)},
        "grow-diag": {(0, 0), (1, 1), (1, 2)},
        "grow-diag-final-and": {(0, 0), (1, 1), (1, 2), (3, 4), (4, 3)},
        "union": {(0, 0), (1, 1), (1, 2), (3, 4), (4, 3)},
    }
    assert {name: set(merge(forward, backward)) for name, merge in HEURISTICS.items()} == expected


def test_empty_sides() -> None:
    found = align(["", "a b", "", "The nurse."], ["", "", "c", "L'infermiera."], "en", "it")
    assert [len(a.links) for a in found] == [0, 0, 0, 3]
    assert found[1].target_span(0, 1) is None
    assert align([], [], "en", "it") == []


def test_long_lines() -> None:
    long = "parola " * 5000
    [pair] = align(["The nurse slept."], [long], "en", "it")  # a model that repeats itself
    assert len(pair.target) == 5000
    with pytest.raises(CueScopeError, match="pair 2 is too long"):
        align(["a", long], ["b", long], "en", "it")


def test_mistakes_are_named() -> None:
    with pytest.raises(CueScopeError, match="line by line"):
        align(["a", "b"], ["c"], "en", "it")
    with pytest.raises(CueScopeError, match="no such engine"):
        align(["a"], ["b"], "en", "it", engine="giza")
    with pytest.raises(CueScopeError, match="no such heuristic"):
        align(["a"], ["b"], "en", "it", heuristic="grow")
    with pytest.raises(CueScopeError, match="itself"):
        align(["a"], ["b"], "en", "it", engine="systran-align", heuristic="union")


@pytest.mark.parametrize("engine", ["systran-align", "eflomal"])
def test_a_missing_engine_is_not_replaced(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr("importlib.import_module", absent)
    with pytest.raises(CueScopeError, match=f"pip install {engine}"):
        align(["a"], ["b"], "en", "it", engine=engine)


@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_engines_agree_on_easy_text(engine: str) -> None:
    if engine != "builtin":
        pytest.importorskip(engine.replace("-", "_"))
    nouns = {"mechanic": "meccanico", "doctor": "medico", "cook": "cuoco", "tailor": "sarto"}
    verbs = {"saw": "vide", "called": "chiamò", "paid": "pagò"}
    triples = [(e, v, x) for e in nouns for v in verbs for x in nouns]
    rows = [(f"{e} {v} {x}", f"{nouns[e]} {verbs[v]} {nouns[x]}") for e, v, x in triples]
    found = align([s for s, _ in rows], [t for _, t in rows], "en", "it", engine=engine)
    right = sum(a.links == ((0, 0), (1, 1), (2, 2)) for a in found)
    assert right >= 0.9 * len(rows)


def test_prior_knows_function_words_inflections_and_look_alikes() -> None:
    source, target = (
        ["the", "called", "dentist", "mechanic"],
        ["la", "llamaron", "dentistas", "механиком"],
    )
    weigh = prior(source, target, ("en", "es"))
    table = weigh(np.repeat([1, 2, 3, 4], 4), np.tile([1, 2, 3, 4], 4)).reshape(4, 4)
    assert table.argmax(1).tolist() == [0, 1, 2, 3]
    assert table.diagonal().min() > 0.3
    assert table[0, 1:].max() == 0
    assert {"the", "she"} <= function_words("en")
    assert function_words("xx") == frozenset()


@pytest.mark.parametrize("lang", ["it", "es", "pt"])
def test_gold_links_alone(lang: str) -> None:
    gold = read_gold(GOLD / f"{lang}.tsv")
    sources, targets = [g.source for g in gold], [g.target for g in gold]
    assert sum(len(g.links) for g in gold) >= 200
    ours = f1(align(sources, targets, "en", lang), gold)
    assert ours >= 0.86
    pytest.importorskip("systran_align")
    assert ours >= f1(align(sources, targets, "en", lang, engine="systran-align"), gold)


def test_a_bad_gold_line_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.tsv").write_text("# comment\na\tb\t0-0\na\tb\t0:0\n")
    with pytest.raises(CueScopeError, match="line 3"):
        read_gold(tmp_path / "x.tsv")


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    """The benchmark, if what it compares with is there."""
    pytest.importorskip("systran_align")
    shared("translations")
    spec = spec_from_file_location("bench_align", ROOT / "probes" / "bench_align.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize("name", ["opus-mt/en-it.pro", "google/en-es", "google/en-de"])
def test_same_focus_noun_as_fast_align(bench: ModuleType, name: str) -> None:
    found = bench.compare(shared("translations") / f"{name}.txt")
    assert found["same"] >= 0.97


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["it", "es", "pt"])
def test_gold_links_with_real_text(bench: ModuleType, lang: str) -> None:
    ours, theirs = bench.judge(lang, "builtin"), bench.judge(lang, "systran-align")
    for kind in ("with text", "alone", "one by one"):
        assert ours[kind] >= theirs[kind]
