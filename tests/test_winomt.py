from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from cuescope.data import load, pairs, winomt
from cuescope.errors import CueScopeError
from shared_data import shared

LINE = "female\t1\tThe nurse called because she was late.\tnurse"


def write(tmp_path: Path, text: str, name: str = "en.txt") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_an_item_has_its_spans(tmp_path: Path) -> None:
    (item,) = winomt.read(write(tmp_path, LINE + "\n"))
    assert item.text[slice(*item.focus)] == "nurse"
    assert item.cue is not None
    assert item.text[slice(*item.cue)] == "she"
    assert (item.gold, item.line, item.set, item.stereotype) == ("female", 0, "reg", None)


def test_a_noun_of_two_words_and_a_double_space(tmp_path: Path) -> None:
    line = "male\t2\tAsk the  construction worker; he knows.\tconstruction worker\n"
    (item,) = winomt.read(write(tmp_path, line))
    assert item.text[slice(*item.focus)] == "construction worker"


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("female\t2\tThe nurse called because she was late.\tnurse", "does not point at the noun"),
        ("female\t99\tThe nurse called.\tnurse", "does not point at the noun"),
        ("female\tone\tThe nurse called.\tnurse", "does not point at the noun"),
        ("female\t1\tThe nurses called.\tnurse", "does not point at the noun"),
        ("female\t1\tThe nurse called.", "wrong number of columns"),
        ("feminine\t1\tThe nurse called.\tnurse", "unknown gender"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, complaint: str) -> None:
    path = write(tmp_path, f"{LINE}\n{line}\n")
    with pytest.raises(CueScopeError, match=complaint) as error:
        winomt.read(path)
    assert f"{path}, line 2" in str(error.value)


def test_an_empty_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CueScopeError, match="no WinoMT"):
        winomt.folder(tmp_path)


def test_twins_of_different_length_are_an_error(tmp_path: Path) -> None:
    items = winomt.read(write(tmp_path, LINE + "\n"))
    with pytest.raises(CueScopeError, match="not line by line"):
        winomt.twins(items, [*items, *items])


def test_the_three_files_are_read_whole() -> None:
    sets = winomt.folder(shared("winomt"))
    assert {name: len(items) for name, items in sets.items()} == {
        "reg": 3888,
        "pro": 1584,
        "anti": 1584,
    }
    golds = Counter(item.gold for item in sets["reg"])
    assert golds == {"male": 1826, "female": 1822, "neutral": 240}
    for item in load(f"winomt:{shared('winomt')}"):
        assert item.text[slice(*item.focus)].lower() == item.noun.lower()
        assert item.cue is not None
    assert all(i.stereotyped == "pro" for i in sets["pro"])
    assert all(i.stereotyped == "anti" for i in sets["anti"])


def test_twenty_pairs_are_not_minimal_and_say_why() -> None:
    both = pairs("winomt", shared("winomt"), all_pairs=True)
    left_out = {pair.index: pair.reason for pair in both if not pair.minimal}
    assert len(left_out) == 20
    assert {1569, 1571} <= set(left_out)
    assert left_out[962] == "the cues cannot have the same role: 'her' / 'he'"
    assert left_out[684] == "words differ: 'careless' / 'rude'"
    assert left_out[1569] == "the focus nouns differ: 'physician' / 'tailor'"
    kept = pairs("winomt", shared("winomt"))
    assert len(kept) == 1564
    assert [pair.index for pair in kept.left_out] == list(left_out)
    assert repr(kept) == "Pairs(1564 pairs, 20 left out)"


def test_the_cue_is_not_someone_elses_pronoun() -> None:
    item = winomt.folder(shared("winomt"))["anti"][1027]
    assert "hide his behavior from the manager" in item.text
    assert item.cue is not None
    assert item.text[slice(*item.cue)] == "her"
