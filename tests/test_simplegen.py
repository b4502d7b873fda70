from __future__ import annotations

import re
from pathlib import Path

import pytest

import cuescope as cs
from cuescope.data import load, pairs, simplegen
from cuescope.errors import CueScopeError
from cuescope.measures.simplegen import (
    SimpleGen,
    check,
    dictionary,
    occupation,
    of_gender,
    table_a8,
)
from cuescope.run.score_simplegen import score_simplegen
from shared_data import shared

COUNTS = {"momc": 814, "mofc": 814, "fomc": 518, "fofc": 518}


@pytest.mark.parametrize(("name", "count"), COUNTS.items())
def test_the_counts_of_paper_d(name: str, count: int) -> None:
    items = simplegen.items(name)
    assert len(items) == len({item.text for item in items}) == count


@pytest.mark.parametrize("name", COUNTS)
def test_the_sentences_are_those_released(name: str) -> None:
    released = shared("simplegen", f"{name}.en.src").read_text("utf-8").splitlines()
    assert {item.text for item in simplegen.items(name)} == {line.strip() for line in released}


def test_every_item_knows_its_noun_and_cue() -> None:
    for item in load("simplegen"):
        there = item.text[slice(*item.focus)].lower()
        assert there in (item.noun, simplegen.plural(item.noun))
        assert item.cue is not None
        cue = item.text[slice(*item.cue)].lower()
        assert any(cue in values for values in simplegen.KEYWORDS[item.gold].values())
        assert (item.stereotype == item.gold) == (item.set in ("momc", "fofc"))


def test_pairs_differ_only_in_the_cue() -> None:
    both = pairs("simplegen", all_pairs=True)
    left_out = [p for p in both if not p.minimal]
    assert (len(both), len(left_out)) == (1332, 18)
    assert {p.reason for p in left_out} == {"words differ: '.' / '!'", "words differ: '!' / '.'"}
    assert all(p.pro.pair == p.anti.pair == p.index for p in both)
    assert all(p.pro.stereotyped == "pro" for p in both)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("La directora llegó.", "correct"),
        ("El director llegó.", "wrong"),
        ("El DIRECTOR llegó.", "wrong"),
        ("La directora y el director.", "correct"),
        ("La directorazo llegó.", "inconclusive"),
        ("La directiva llegó.", "inconclusive"),
        ("", "inconclusive"),
    ],
)
def test_the_dictionary_check(text: str, expected: str) -> None:
    forms = {"director": {"male": ("director",), "female": ("directora",)}}
    assert check(text, forms["director"], "female") == expected  # type: ignore[arg-type]


def test_the_longest_occupation_is_meant() -> None:
    assert occupation("A truck driver and a clerk", ["driver", "truck driver"]) == "truck driver"
    assert occupation("The directors left.", ["director", "directors"]) == "directors"
    assert occupation("The directory", ["director"]) is None


def test_a_reading_is_an_outcome() -> None:
    assert of_gender("feminine", "female") == "correct"
    assert of_gender("masculine", "female") == "wrong"
    assert of_gender("neutral", "male") == of_gender("unknown", "male") == "inconclusive"


@pytest.mark.parametrize(
    ("protocol", "counts"), [("released", (354, 127, 333)), ("printed", (330, 216, 268))]
)
def test_paper_d_exactly(protocol: str, counts: tuple[int, int, int]) -> None:
    forms = (
        dictionary(shared("simplegen", "dictionary.en-es.csv"))
        if protocol == "released"
        else table_a8("es")
    )
    assert forms is not None
    sources = shared("simplegen", "mofc.en.src").read_text("utf-8").splitlines()
    texts = shared("simplegen", "mofc.seed101.en-es.out").read_text("utf-8").splitlines()
    entries = [occupation(source, forms) for source in sources]
    assert None not in entries
    made = SimpleGen(
        {
            "mofc": tuple(
                check(text, forms[entry or ""], "female")
                for entry, text in zip(entries, texts, strict=True)
            )
        }
    )
    assert tuple(made.counts().values()) == counts
    assert made.correct("mofc").value == pytest.approx(counts[0] / 814)


def test_the_page_prints_what_the_command_gives() -> None:
    """The table of docs/score.md, made again from the paper's released system."""
    page = (Path(__file__).parents[1] / "docs" / "score.md").read_text("utf-8")
    rows = re.findall(r"^\| ([^|]+?) \| (\d+) \| (\d+) \| (\d+) \|$", page, flags=re.MULTILINE)
    printed = {name: tuple(map(int, counts)) for name, *counts in rows}
    found = score_simplegen(
        {"": shared("simplegen", "mofc.seed101.en-es.out")},
        "es",
        sources={"": shared("simplegen", "mofc.en.src")},
        expected="female",
        dictionary_file=shared("simplegen", "dictionary.en-es.csv"),
    )
    names = {"dictionary.en-es.csv": "released dictionary"}
    made = {
        names.get(name, name): tuple(one.counts().values()) for name, one in found.protocols.items()
    }
    assert printed == made


def test_deltas_need_their_sets() -> None:
    made = SimpleGen(
        {
            "momc": ("correct", "correct"),
            "fomc": ("correct", "wrong"),
            "fofc": ("correct", "inconclusive"),
            "mofc": ("wrong", "wrong"),
        }
    )
    deltas = {name: value.value for name, value in made.deltas().items()}
    assert deltas == {"delta": 0.5, "delta_fc": 0.5, "delta_mc": 0.5}
    assert SimpleGen({"momc": ("correct",)}).deltas() == {}


def test_a_dictionary_with_a_short_row_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("English,Masc,Fem\nclerk,empleado,empleada\nnurse,enfermero\n", "utf-8")
    with pytest.raises(CueScopeError, match="line 3: wrong number of columns"):
        dictionary(path)


@pytest.mark.slow
def test_a_real_model_is_judged_by_the_nouns_own_phrase(firefox: cs.Translator) -> None:
    """The cue's translation read as the noun's gender made 24 % of what is 17 %."""
    run = cs.investigate(firefox, pairs("simplegen"), limit=260)
    assert run.mpa().value.value == pytest.approx(0.17, abs=0.04)
    readings = [verdict.reading for twins in run.verdicts for verdict in twins]
    assert not any(mark.rule == "names the sex" for one in readings for mark in one.evidence)
    assert any(one.aside for one in readings)
    missing = [one.reason for one in readings if one.gender == "unknown"]
    assert missing
    assert all(reason.startswith("noun not found: ") for reason in missing)
