"""What results show in a notebook: their numbers, as HTML that no text can break out of."""

from __future__ import annotations

import subprocess
import sys
from html.parser import HTMLParser
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from cuescope.data.contrast import pair
from cuescope.data.items import Item
from cuescope.gender.reading import Reading
from cuescope.measures.agreement import compare
from cuescope.measures.minimal_pairs import mpa
from cuescope.measures.uncertainty import Uncertainty
from cuescope.measures.verdict import Verdict
from cuescope.run import html as run_html
from cuescope.run.score import Score
from cuescope.run.study import Study
from cuescope.sampling.samples import Sample, Samples
from cuescope.show.tables import Table
from cuescope.signature import Signature
from cuescope.stats import html
from cuescope.stats.scores import Scores
from cuescope.stats.value import Value

EVIL = "<script>alert(1)</script> \" ' & </td></table> שלום 👩🏽‍🔧 \ud800"
TAGS = {"div", "table", "tr", "th", "td", "b", "span"}


class Seen(HTMLParser):
    """The tags that open and close, the attributes, and the text as a reader sees it."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags, self.open, self.said, self.attributes = set(), [], "", {}
        self.cells = []
        self.feed(source)
        assert not self.open, "every tag is closed"

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.open.append(tag)
        self.attributes.update(attrs)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.said += data + " "
        if self.open and self.open[-1] in ("td", "th"):
            self.cells[-1] += data


def scores(measure: str = "attention", least: float = 0.0) -> Scores:
    values = np.random.default_rng(0).uniform(least, 0.5, (4, 2, 3))
    rows = pd.DataFrame({"length": [5] * 4, "pair": [0, 1, 2, 3]})
    return Scores(values, EVIL, measure, rows, {EVIL: 3})


def score() -> Score:
    def item(cue, gold, set_):
        return Item(
            f"The nurse said {cue} left.", (4, 9), (15, 15 + len(cue)), gold, "female", set_
        )

    pro, anti = item("she", "female", "pro"), item("he", "male", "anti")
    reading = Reading("feminine", (0, 1))
    sets = {
        "pro": (Verdict(pro, "A enfermeira", reading),),
        "anti": (Verdict(anti, "A enfermeira", reading),),
    }
    judged = (pair(pro, anti, 0), sets["pro"][0], sets["anti"][0])
    return Score(sets, (judged,))


def study() -> Study:
    one = Uncertainty(("o", "a"), (96, 32), np.eye(2), "gender", labels=("m", "f"))
    facts = Signature(samples=128, epsilon=0.02, seed=0)
    return Study((), {}, {EVIL: [one] * 6}, facts)


VALUE = Value(EVIL, 0.557, 0.532, 0.581, 1584, Signature(model=EVIL))
CLEAN = EVIL.removesuffix("\ud800")  # pandas takes no lone surrogates
FRAME = pd.DataFrame({(CLEAN, "F"): [0.414], (CLEAN, "N"): [np.nan]}, index=[CLEAN])
SHOWN = {
    "value": lambda: VALUE,
    "plain value": lambda: Value("ΔH", -0.25, -0.3, -0.2, 40, percent=False),
    "empty value": lambda: Value("Pro-F", float("nan"), 0, 0, 0),
    "mpa": lambda: mpa([], [], []),
    "scores": scores,
    "grid": lambda: scores().mean(),
    "score": score,
    "study": study,
    "comparison": lambda: compare(scores(), scores("effect")),
    "samples": lambda: Samples(
        EVIL, tuple(Sample((n,), f"{EVIL} {n}", 12 - n, -1.0, -1.0) for n in range(12)), 0.02, 7
    ),
    "table": lambda: Table(EVIL, FRAME, FRAME > 0, notes=(EVIL,)),
}


@pytest.mark.parametrize("name", SHOWN)
def test_well_formed_and_escaped(name):
    made = SHOWN[name]()._repr_html_()
    seen = Seen(made)
    assert seen.tags <= TAGS
    assert set(seen.attributes) <= {"style", "title", "dir"}
    assert "<script" not in made
    assert "http" not in made
    made.encode("utf-8")
    assert len(made) < 20_000


def said(one) -> Seen:
    return Seen(one._repr_html_())


def test_values_have_their_interval():
    seen = said(VALUE)
    assert "55.7 %" in seen.said
    assert "[53.2, 58.1] (n=1584)" in seen.said
    assert "model:" in seen.attributes["title"]
    assert "-0.250" in said(SHOWN["plain value"]()).said
    assert "undefined" in said(SHOWN["empty value"]()).said


def test_a_grid_shows_every_head_in_its_colour():
    grid = scores().mean()
    seen = said(grid)
    numbers = [cell for cell in seen.cells if "." in cell]
    assert numbers == [f"{v:.2f}" for v in grid.values.ravel()]
    made = grid._repr_html_()
    assert made.count("background:rgb(") == 6
    assert "background:rgb(0,34,78);color:#fff" in made, "the largest, in white on blue"
    assert made.count("font-weight:bold") == 2 + 1 + 3 + int((grid.values > 0.2).sum())
    low, high = grid.low[1, 2], grid.high[1, 2]
    assert f'title="1.2: {grid.values[1, 2]:.3f} [{low:.3f}, {high:.3f}]"' in made


def test_signed_and_empty_heads():
    values = np.array([[[-0.4, 0.0, -0.001, np.nan]]])
    rows = pd.DataFrame({"length": [5]})
    made = Scores(values, "cross", "effect", rows).mean()._repr_html_()
    assert "background:rgb(127,59,8);color:#fff" in made
    assert "background:rgb(245,242,236);color:#000" in made
    assert "-0.00" not in Seen(made).said
    assert 'title="no value"' in made


def test_colours_are_those_of_the_figures():
    from cuescope.show.figures.canvas import colour_map

    for level in np.linspace(0, 1, 21):
        for name in ("one", "two", "gender"):
            theirs = colour_map(name)(level, bytes=True)[:3]
            ours = html.colour(float(level), name)
            assert np.abs(np.subtract(ours, np.array(theirs, int))).max() <= 2, (name, level)


def test_wholes_say_what_they_are():
    seen = said(score())
    assert "100.0 %" in seen.said
    assert "MPA = 0.0 %" in seen.said
    assert "samples 128, epsilon 0.02, seed 0" in said(study()).said
    assert "2 more translations" in said(SHOWN["samples"]()).said
    assert "ρ = " in said(SHOWN["comparison"]()).said
    cells = said(SHOWN["table"]()).cells
    assert cells[-2:] == ["0.41", "N/A"]


def test_a_run_in_short():
    run = SimpleNamespace(
        mt=SimpleNamespace(name=EVIL),
        pairs=[1] * 9,
        lang="pt",
        score=score(),
        unfinished=2,
        unread="",
    )
    seen = Seen(run_html.run(run))  # type: ignore[arg-type]
    assert "9 pairs" in seen.said
    assert "2 translations cut off" in seen.said


def test_a_very_long_text_is_cut():
    assert len(html.table([["w" * 10_000]])) < 1_000


def test_no_heavy_import():
    heavy = "{'torch', 'matplotlib', 'pandas'}"
    code = f"import cuescope.stats.html, sys; print({heavy} & set(sys.modules))"
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert made.stdout.strip() == "set()"
