from __future__ import annotations

import json
from pathlib import Path

import pytest

from cuescope.data import load, pairs
from cuescope.errors import CueScopeError

HEADER = "text\tfocus\tgold\tcue\tstereotype\tset\tpair"
ROWS = [
    "The nurse said he left.\tnurse\tmale\the\tfemale\tanti\t0",
    "The nurse said she left.\t4:9\tfemale\t\tfemale\tpro\t0",
]


def tsv(tmp_path: Path, *lines: str) -> str:
    path = tmp_path / "own.tsv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def test_tsv_and_json_lines_say_the_same(tmp_path: Path) -> None:
    from_tsv = load(tsv(tmp_path, HEADER, *ROWS))
    names = HEADER.split("\t")
    objects = [{k: v for k, v in zip(names, row.split("\t"), strict=True) if v} for row in ROWS]
    objects[1] |= {"focus": [4, 9], "pair": 0}  # type: ignore[dict-item]
    path = tmp_path / "own.jsonl"
    path.write_text("\n".join(map(json.dumps, objects)) + "\n\n", encoding="utf-8")
    assert load(path) == from_tsv
    assert [i.text[slice(*(i.cue or (0, 0)))] for i in from_tsv] == ["he", "she"]
    assert [i.line for i in from_tsv] == [0, 1]


def test_pairs_by_number_the_stereotype_first(tmp_path: Path) -> None:
    (pair,) = pairs(tsv(tmp_path, HEADER, *ROWS))
    assert (pair.pro.gold, pair.anti.gold, pair.minimal) == ("female", "male", True)


def test_a_lonely_twin_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CueScopeError, match="pair 0 is not a pair"):
        pairs(tsv(tmp_path, HEADER, ROWS[0]))


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (["text\tfocus"], "line 1: missing column"),
        (["text\tfocus\tgold\tcolour"], "line 1: unknown column"),
        ([], "line 1: missing column"),
        ([HEADER, "a\tb"], "line 2: wrong number of columns"),
        ([HEADER, "A cook.\tcook\tbig\t\t\t\t"], "line 2: unknown gold"),
        ([HEADER, "A cook.\tchef\tmale\t\t\t\t"], "line 2: the focus 'chef' stands 0 times"),
        ([HEADER, "A cook, a cook.\tcook\tmale\t\t\t\t"], "stands 2 times"),
        ([HEADER, "A cook.\t2:99\tmale\t\t\t\t"], "line 2: the focus lies outside"),
        ([HEADER, "A cook.\tcook\tmale\t\t\t\tx"], "line 2: pair is no number"),
        ([HEADER, "A cook.\tcook\t\t\t\t\t"], "line 2: gold is empty"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, lines: list[str], complaint: str) -> None:
    with pytest.raises(CueScopeError, match=complaint):
        load(tsv(tmp_path, *lines))


def test_bad_json_is_named(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text('{"text": "A cook."\n', encoding="utf-8")
    with pytest.raises(CueScopeError, match="line 1: not JSON"):
        load(path)


@pytest.mark.parametrize("spec", ["winogender", "winomt", "own.doc"])
def test_an_unknown_set_is_an_error(
    spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUESCOPE_DATA", str(tmp_path))  # WinoMT is not there
    with pytest.raises(CueScopeError):
        load(spec)


def test_a_missing_file_is_an_error() -> None:
    with pytest.raises(CueScopeError, match="cannot be read"):
        load("not-there.tsv")
