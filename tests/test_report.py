"""The report without a browser: the answer in words, escaping, size, contrast, what is missing."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from cuescope.run.findings import Findings, Number
from cuescope.show.report import answer, page, render
from cuescope.show.report.data import fitted, packed
from cuescope.show.report.page import static
from cuescope.show.report.verdicts import VERDICTS, verdict
from cuescope.stats.palette import NAMED, SCALES
from findings_of import HOSTILE, findings, gaps, many, number


def said(found: Any, part: int) -> str:
    point = answer(found).points[part]
    return " ".join((*point.lines, *point.details))


SURER = "With “{}” it is surer than with “they”, as it should be"
LESS_SURE = "With “{}” it is less sure than with “they”, the wrong way"
OPEN = "Whether it is surer with “{}” than with “they” cannot be told"
GAPS = {SURER: (-0.6, -0.2), LESS_SURE: (0.1, 0.3), OPEN: (-0.018, 0.012)}


def entropies(found: Findings) -> dict[str, Number]:
    assert found["uncertainty"] is not None
    return found["uncertainty"]["measures"]["ge"]["values"]


@pytest.mark.parametrize("he", GAPS)
@pytest.mark.parametrize("she", GAPS)
def test_each_pronoun_against_they(he: str, she: str) -> None:
    """What is true of *she* alone is not said of *he*."""
    found = findings(50)
    for version, words in (("he", he), ("she", she)):
        low, high = GAPS[words]
        entropies(found)[f"H {version} − they"] = number((low + high) / 2, low, high)
    for version, true in (("he", he), ("she", she)):
        for words in GAPS:
            assert (words.format(version) in said(found, 2)) == (words == true)
    assert "“he” or “she”" not in said(found, 2)


def test_the_paired_difference_is_told_with_its_interval() -> None:
    found = findings(50)
    entropies(found)["H he − they"] = number(-0.003, -0.018, 0.012)
    entropies(found)["ΔH"] = number(0.1, 0.05, 0.15)
    told = "cannot be told: H of the same sentences differs by −0.003 [−0.018, 0.012]."
    assert told in said(found, 2)
    assert "ΔH, “he” and “she” together against “they”, is 0.10 [0.05, 0.15]." in said(found, 2)
    for label in ("H he − they", "H she − they", "ΔH"):
        del entropies(found)[label]
    assert not re.search("with “they”|ΔH|of the same sentences", said(found, 2))


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (0.2, 0.4, "less sure of “she” than of “he”"),
        (-0.4, -0.2, "The model is surer of “she” than of “he”"),
        (-0.1, 0.1, "Whether it is surer of “she” or of “he” cannot be told"),
    ],
)
def test_he_against_she(low: float, high: float, words: str) -> None:
    """Paired: the intervals of norm-H, each alone, may meet and the difference be told."""
    found = findings(50)
    entropies(found)["norm-H she − he"] = number((low + high) / 2, low, high)
    for version in ("he", "she"):
        entropies(found)[f"norm-H {version}"] = number(1.0, 0.5, 1.5)
    every = "less sure of “she” than", "model is surer of “she”", "surer of “she” or of “he” cannot"
    assert words in said(found, 2)
    assert sum(one in said(found, 2) for one in every) == 1


def test_what_was_not_measured_is_said() -> None:
    found = findings(30, uncertainty=False, maps=0)
    sites = found["heads"]["cue after"]
    sites["encoder"]["effect"] = None
    del sites["cross"]
    text = said(found, 1)
    assert "what the 48 encoder heads carry was not measured." in text
    assert "The cross-attention heads were not measured." in text
    assert said(found, 2) == "How sure the model is was not measured."
    html = render(found)
    assert "Not measured." in html
    assert "Attention maps were not kept in this run." in html


def test_nothing_at_all() -> None:
    found = findings(0)
    told = answer(found)
    assert told.verdict == "Not known: no pair was translated."
    assert "no pair could be used (no contrast" in said(found, 1)
    assert "nan" not in str(told).lower()
    assert "No pair was translated." in render(found)


def test_gaps_are_told_and_nothing_breaks() -> None:
    html = render(gaps())
    for words in (
        "Not measured.",
        "The wrapped model was not checked.",
        "No word of",
        "Not known",
        "of 12 encoder heads",
    ):
        assert words in html
    assert "None" not in html.partition('<script id="data"')[0].partition("<body>")[2]


def test_nouns_without_a_stereotype() -> None:
    found = findings(1, maps=0)
    by = {"all": number(0.5), "male": number(1.0), "female": number(0.0)}
    found["accuracy"] = found["orders"]["cue after"]["accuracy"] = {"other": by}  # type: ignore[dict-item]
    for twin in found["pairs"][0]["twins"]:
        twin["set"] = "other"
    found["pairs"][0]["stereotype"] = None
    assert "where the noun has no known stereotype" in said(found, 0)
    data, _ = packed(found)
    assert data["names"][data["pairs"][0][5][0][0]] == "other"
    assert ">OTHER</th>" in render(found)


def test_the_answer_prints_on_a_terminal() -> None:
    told = answer(findings(40))
    lines = str(told).splitlines()
    assert lines[0] == told.question
    assert lines[1] == told.headline
    assert told.verdict in lines
    assert told.rule in lines


# -- pairs ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("genders", "right", "consistent", "wanted"),
    [
        (("masculine", "masculine"), (True, False), (True, True), "ignores"),
        (("masculine", "feminine"), (True, True), (True, True), "follows"),
        (("masculine", "neutral"), (True, False), (True, True), "partly"),
        (("masculine", "feminine"), (True, True), (True, False), "inconsistent"),
        (("masculine", "unknown"), (True, False), (True, True), "unknown"),
        (("neutral", "neutral"), (False, False), (True, True), "neutral"),
    ],
)
def test_verdicts(genders: Any, right: Any, consistent: Any, wanted: str) -> None:
    pair: Any = {
        "twins": [
            {"gender": g, "correct": r, "consistent": c, "skipped": ""}
            for g, r, c in zip(genders, right, consistent, strict=True)
        ]
    }
    assert verdict(pair) == wanted
    assert wanted in VERDICTS


def test_a_word_inside_a_contraction_is_kept() -> None:
    found = findings(6, maps=0)
    mark = found["pairs"][0]["twins"][0]["evidence"][0]
    data, _ = packed(found)
    assert len(data["pairs"][0][5][0][10][0]) == 4
    mark["word"] = "a"
    data, _ = packed(found)
    assert data["pairs"][0][5][0][10][0][4] == "a"


# -- the page ------------------------------------------------------------------------------


def embedded(html: str) -> Any:
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', html, re.S)
    assert found
    return json.loads(found[1])


def test_hostile_text_stays_text() -> None:
    html = render(findings(12, hostile=True))
    assert len(re.findall(r"<script", html)) == 3  # theme, data, the report's own
    assert "<img" not in html
    assert "\u2028" not in html
    assert html.count("</script>") == 3
    pairs = embedded(html)["pairs"]
    assert pairs[0][5][0][1].startswith(HOSTILE[0])
    assert pairs[5][5][0][1].startswith("long long")


def test_nothing_is_asked_from_elsewhere() -> None:
    html = render(findings(12))
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", html)
    assert "url(" not in html
    assert "default-src 'none'" in html
    assert "unsafe" not in html.partition("<style>")[0]
    assert "innerHTML" not in html
    assert " style=" not in html


def test_tables_have_the_papers_shape() -> None:
    html = render(findings(60))
    for words in ("All", "Male", "Female", "F1 male", "ΔG", "MPA", "strict MPA", "Pro-F", "Pro-M"):
        assert f">{words}</th>" in html
    assert "norm-H" in html
    assert "ΔS" in html
    for section in ("answer", "heads", "accuracy", "certainty", "examples", "method"):
        assert f'<section id="{section}"' in html


def test_the_same_findings_make_the_same_page() -> None:
    assert render(findings(10)) == render(findings(10))


@pytest.mark.slow
def test_size_with_maps_of_every_pair() -> None:
    html = render(many())
    assert len(html.encode()) <= 5_000_000
    assert "To keep the file small" in html


def test_maps_are_cut_by_heads_then_by_sentences() -> None:
    maps = findings(20, maps=20)["maps"]
    assert maps is not None
    whole, told = fitted(maps, 10_000_000)
    assert whole is maps
    assert told == ""
    fewer, told = fitted(maps, 60_000)
    assert fewer is not None
    assert len(fewer["heads"]["encoder"]) < 8
    assert "strongest heads" in told
    fewest, told = fitted(maps, 20_000)
    assert fewest is not None
    assert len(fewest["sentences"]) % 2 == 0
    assert "of 40 sentences" in told
    assert fitted(maps, 10)[0] is None


def test_pairs_whose_maps_were_cut_have_none() -> None:
    data, _ = packed(findings(20, maps=20), room=45_000)
    kept = len(data["maps"]["sentences"])
    assert 0 < kept < 40
    assert sum(row[4] is not None for row in data["pairs"]) == kept // 2


def test_page_shell() -> None:
    html = page("<t>", "<main>x</main>", data={"a": "</script>"})
    assert "<title>&lt;t&gt;</title>" in html
    assert html.count("</script>") == 2  # theme and data


# -- colours -------------------------------------------------------------------------------


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


COLOURS = {
    name: (light, dark)
    for name, light, dark in re.findall(
        r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", static("page.css")
    )
}


@pytest.mark.parametrize("theme", [0, 1])
@pytest.mark.parametrize("ground", ["paper", "card", "shade", "accent-soft"])
@pytest.mark.parametrize("ink", ["ink", "soft", "accent", "he", "she", "they", "bad", "good"])
def test_text_contrast(ink: str, ground: str, theme: int) -> None:
    assert contrast(COLOURS[ink][theme], COLOURS[ground][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1])
def test_focus_is_visible_and_reversed_text_readable(theme: int) -> None:
    assert contrast(COLOURS["focus"][theme], COLOURS["paper"][theme]) >= 3
    assert contrast(COLOURS["paper"][theme], COLOURS["accent"][theme]) >= 4.5  # the chosen head


@pytest.mark.parametrize("scale", ["one", "two", "gender"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_scales_run_one_way_in_lightness(scale: str, theme: str) -> None:
    steps = [luminance(colour) for colour in SCALES[scale][theme == "dark"]]
    middle = 0 if scale == "one" else len(steps) // 2
    away = steps[middle:] if theme == "dark" else [-each for each in steps[middle:]]
    assert away == sorted(away)
    back = steps[middle::-1] if theme == "dark" else [-each for each in steps[middle::-1]]
    assert back == sorted(back)


def test_figures_have_the_colours_of_the_page() -> None:
    """One colour language: what the palette names, the style sheet names alike."""
    assert {name: list(two) for name, two in NAMED.items()} == {
        name: list(COLOURS[name]) for name in NAMED
    }


def test_certified_probabilities_stand_beside_the_samples() -> None:
    found = findings(30)
    page = render(found)
    assert "Certified, beside the samples" in page
    assert "20.0 – 20.4" in page  # P(feminine) of “she”, per cent
    assert "−0.20 – −0.10" in page
    assert "1 sentence is wider than asked" in page
    assert "than 95 % of chance in 2 sentences" in page
    found["certified"] = None
    assert "Certified, beside" not in render(found)
