"""The first screen: the pair that the rule names, marks where the numbers are, nothing invented."""

from __future__ import annotations

import re
from typing import Any

import pytest

from cuescope.run.findings import Findings
from cuescope.show.report import answer, render
from cuescope.show.report.first import example, screen
from findings_of import HOSTILE, findings, gaps, number


def text(html: str) -> str:
    """What is read, without tags."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html)).replace("\N{NO-BREAK SPACE}", " ")


def all_of(found: Findings, gender: str) -> None:
    for pair in found["pairs"]:
        for twin in pair["twins"]:
            twin.update(gender=gender, correct=False, skipped="")


def test_the_pair_is_the_shortest_of_the_commonest_outcome_that_can_be_opened() -> None:
    """By hand: the rule as its caption says it."""
    found = findings(60, right=0.4)
    pair = example(found)
    assert pair
    genders = [{t["gender"] for t in p["twins"]} for p in found["pairs"]]
    same = [p for p, g in zip(found["pairs"], genders, strict=True) if len(g) == 1]
    kept = [p for p in same if p["map"] is not None and not any(t["skipped"] for t in p["twins"])]
    assert len(same) > 30
    lengths = [sum(len(t["source"]) for t in p["twins"]) for p in kept]
    assert pair["index"] == kept[lengths.index(min(lengths))]["index"]
    said = text(screen(found))
    assert f"as in most pairs ({len(same)} of 60); of these the shortest with a pronoun" in said


def test_every_sentence_shown_is_one_of_the_pair() -> None:
    found = findings(40, before=15)
    pair = example(found)
    assert pair
    shown = re.findall(r'<p class="sentence" dir="auto">(.*?)</p>', screen(found))
    plain = [re.sub(r"<[^>]+>", "", one) for one in shown]
    wanted = {t[part] for t in pair["twins"] for part in ("source", "translation")}
    assert set(plain) == wanted
    assert f'href="#pair-{pair["index"]}"' in screen(found)


def test_noun_and_cue_are_marked_where_they_stand() -> None:
    found = findings(12)
    pair = example(found)
    assert pair
    html = screen(found)
    for twin in pair["twins"]:
        cue = twin["source"][slice(*twin["cue"] or (0, 0))]
        assert f'<mark class="cue">{cue}</mark>' in html
    assert html.count(f'<mark class="noun">{pair["noun"]}</mark>') == 2


def test_a_noun_that_shows_no_gender_does_not_ignore_the_cue() -> None:
    found = findings(12)
    all_of(found, "neutral")
    said = text(screen(found))
    assert "the noun shows no gender in either twin" in said
    assert "shows no gender ○" in said
    assert "✗" not in said
    assert "does not change" not in answer(found).headline


def test_what_was_not_read_is_not_judged() -> None:
    found = findings(12)
    all_of(found, "unknown")
    said = text(screen(found))
    assert "the noun was not found ?" in said
    assert "✗" not in said


@pytest.mark.parametrize("before", [0, 25])
def test_the_marks_stand_where_the_numbers_are(before: int) -> None:
    """Four for each order: the place along the track is the share, the bar its interval."""
    found = findings(60, before=before)
    html = screen(found)
    rows = re.findall(r'<tr class="(male|female)">(.*?)</tr>', html)
    parts: list[Any] = [found["accuracy"]]
    if before:
        parts = [one["accuracy"] for one in found["orders"].values()]
    wanted = [
        (who, by[name][who])
        for by in parts
        for who in ("male", "female")
        for name in ("pro", "anti")
    ]
    assert [who for who, _ in rows] == [who for who, _ in wanted]
    for (_, row), (_, one) in zip(rows, wanted, strict=True):
        dot = re.search(r'cx="([\d.]+)%"', row)
        assert dot
        assert float(dot[1]) == pytest.approx(3 + 94 * one["value"], abs=0.06)
        bar = re.search(r'class="interval" x1="([\d.]+)%" x2="([\d.]+)%"', row)
        assert bool(bar) == (one["low"] < one["high"])
        if bar:
            ends = [3 + 94 * min(1, max(0, one[end])) for end in ("low", "high")]
            assert [float(bar[1]), float(bar[2])] == pytest.approx(ends, abs=0.06)


def test_stereotypes_are_named_by_side() -> None:
    found = findings(24)
    found["accuracy"]["anti"]["female"] = number(0.123, 0.1, 0.2, 77)
    row = next(r for r in re.findall(r"<tr.*?</tr>", screen(found)) if "of 77 sentences" in r)
    assert "“she”, masculine stereotype" in text(row)
    assert "12 % [10, 20]" in text(row)


def test_names_of_cues_only_where_they_are_all_alike() -> None:
    found = findings(24)
    twin = found["pairs"][0]["twins"][0]
    twin["cue"] = (0, 3)  # “The”
    assert "masculine cue, feminine stereotype" in text(screen(found))
    assert "“he”, " not in text(screen(found))


def test_words_are_explained_once_where_they_are_first_used() -> None:
    found = findings(40)
    page = render(found)
    words = re.findall(r"<dfn>(.*?)</dfn>", page)
    assert sorted(words) == ["cue", "gap", "interval", "twins"]
    section = page[page.index('id="answer"') : page.index('<section id="heads"')]
    plain = re.sub(r"<details>.*?</details>", "", section)
    for word in ("AUC", "norm-H", "ΔH"):
        assert word in section
        assert word not in plain


def test_no_picture_of_nothing() -> None:
    assert screen(findings(0)) == ""
    assert "interval" not in screen(gaps() | {"accuracy": {}})  # type: ignore[operator]


def test_hostile_words_stay_words() -> None:
    found = findings(12, hostile=True)
    html = screen(found)
    assert "<script" not in html
    assert "<img" not in html
    assert "alert(1)" in html or any(nasty[:9] in text(html) for nasty in HOSTILE)
    assert len(html) < 20_000


def test_figures_stand_without_scripts() -> None:
    """Static drawings: every head with a value a cell, carriers with their number."""
    found = findings(40)
    page = render(found)
    still = re.findall(r"<noscript>(<svg.*?</svg>)</noscript>", page)
    effect = next(s for s in still if "Causal effect of the encoder heads" in s)
    assert effect.count("<rect") == 48
    assert re.findall(r'class="(?:deep|ink)">(\d+)<', effect) == ["38", "41"]
    assert sum("Entropy of every sentence" in s for s in still) == len(
        found["uncertainty"]["measures"] if found["uncertainty"] else ()
    )
    assert any("The fewest heads that carry it" in s and "75 %" in s for s in still)
