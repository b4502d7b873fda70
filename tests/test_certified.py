"""Certified genders: entropies as intervals, the verb, and the reader's word that never changes."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import cuescope as cs
from cuescope.commands.cli import app
from cuescope.inside.certified import as_item, ge_between
from cuescope.measures import relative
from cuescope.measures.alone import Genders, read_alone
from cuescope.measures.box import (
    entropy_between,
    mean_between,
    norm_between,
    relative_between,
)
from cuescope.run.settings import Settings
from cuescope.sampling.bounds import Bounds
from cuescope.stats.shown import outwards

NURSE = cs.Item("The nurse said that she was tired.", (4, 9), (20, 23), "female")


def entropy(p):
    return -sum(x * math.log(x) for x in p if x > 0)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(st.floats(0, 1), min_size=4, max_size=4), st.floats(0, 0.5), st.integers(0, 99))
def test_no_probabilities_inside_leave_the_interval(weights, undecided, seed):
    """However the undecided part falls, the entropy lies between the ends, which are met."""
    total = sum(weights)
    certain = [
        (1 - undecided) * w / total if total > 1e-6 else (1 - undecided) / 4 for w in weights
    ]
    box = [(low, min(1.0, low + undecided)) for low in certain]
    low, high = entropy_between(box)
    rng = np.random.default_rng(seed)
    for share in (*rng.dirichlet([0.3] * 4, 50), *np.eye(4)):
        assert low - 1e-9 <= entropy(np.array(certain) + undecided * share) <= high + 1e-9
    ends = [entropy(np.array(certain) + undecided * corner) for corner in np.eye(4)]
    assert low == pytest.approx(min(ends), abs=1e-9)
    fine = max(entropy(np.array(certain) + undecided * s) for s in rng.dirichlet([1] * 4, 500))
    assert high >= fine - 1e-9


_H = st.tuples(st.sampled_from([0.0, 0.1, 0.4]), st.sampled_from([0.0, 0.01, 0.3]))


@settings(max_examples=80, deadline=None, derandomize=True)
@given(st.lists(_H, min_size=3, max_size=3), st.integers(0, 99))
def test_norm_h_and_delta_h_of_what_lies_inside(ends, seed):
    intervals = [(low, low + more) for low, more in ends]
    norm, delta = (
        norm_between(intervals),
        relative_between(mean_between(intervals[:2]), intervals[2]),
    )
    rng = np.random.default_rng(seed)
    corners = np.array(np.meshgrid(*intervals)).reshape(3, -1).T
    inside = rng.uniform([a for a, _ in intervals], [b for _, b in intervals], (50, 3))
    for h in (*corners, *inside):
        for (low, high), value in zip(norm, relative.norm_entropy(h), strict=True):
            assert low - 1e-9 <= value <= high + 1e-9
        value = float(relative.delta_entropy(h[:2].mean(), h[2]))
        assert delta[0] - 1e-9 <= value <= delta[1] + 1e-9


def test_certainty_is_certain():
    sure = Bounds("x", {"feminine": 1.0}, 0.0, 3, 0.02, 0.01)
    assert ge_between(sure) == (0.0, 0.0)
    assert norm_between([(0.0, 0.0)] * 3) == [(1.0, 1.0)] * 3
    assert relative_between((0.0, 0.0), (0.0, 0.0)) == (0.0, 0.0)
    half = Bounds("x", {"feminine": 0.5, "masculine": 0.5}, 0.0, 3, 0.02, 0.01)
    assert ge_between(half) == pytest.approx((math.log(2), math.log(2)), abs=1e-8)


def test_shown_outwards():
    assert outwards((0.1239, 0.1241)) == "0.123 – 0.125"
    assert outwards((-0.0001, 0.0)) == "−0.001 – 0.000"


@pytest.mark.parametrize("text", ["The nurse told the doctor.", "It rained."])
def test_a_plain_text_must_name_one_person(text):
    with pytest.raises(cs.CueScopeError, match="whose gender"):
        as_item(text)


@pytest.mark.model
def test_the_verb(firefox):
    """Samples lie inside as far as chance allows; the best of each gender was found."""
    clerk = cs.Item("The clerk called because she was late.", (4, 9), (25, 28), "female")
    found = firefox.enumerate([NURSE, clerk, NURSE, "The nurse left."], 0.005, best=True)
    assert found[0] is found[2]
    assert found.exhausted == 0
    assert "width:0.005" in str(found.signature)
    drawn = firefox.sample([item.text for item in found.items], 4096)
    for item, one, samples in zip(found.items, found, drawn, strict=True):
        genders: dict[str, float] = {}
        for text, count in samples.texts.items():
            gender = read_alone(item, text, "pt").gender
            genders[gender] = genders.get(gender, 0.0) + count / samples.n
        for gender in {*genders, *one.mass}:
            low, high = one.interval(gender)
            error = 4 * math.sqrt(max(high * (1 - low), 1e-3) / samples.n)
            assert low - error <= genders.get(gender, 0.0) <= high + error
        for gender, likely in one.best.items():
            assert read_alone(item, likely.text, "pt").gender == gender
            same = [s for s in samples if read_alone(item, s.text, "pt").gender == gender]
            assert not likely.certain or all(s.truncated <= likely.truncated + 1e-3 for s in same)
    table = found.table()
    assert list(table["noun"]) == ["nurse", "clerk", "nurse", "nurse"]
    assert "certified probabilities of 4 sources" in found._repr_html_()


@pytest.mark.model
def test_under_an_intervention_the_signature_says_so(firefox):
    teacher = cs.Item(
        "The lawyer called the teacher to ask her the performance of the kid.",
        (22, 29),
        (37, 40),
        "female",
    )
    plain = firefox.enumerate(teacher)
    with firefox.ablate(encoder=[(2, 1), (4, 5)]):
        under = firefox.enumerate(teacher)
    assert "under" in under.signature
    assert "under" not in plain.signature
    assert under[0].mass != plain[0].mass


@pytest.mark.slow
@pytest.mark.model
def test_what_is_decided_stays_decided(firefox):
    """Every prefix of real samples: once the reader has spoken, each continuation reads the same.

    The same over whole challenge sets is in probes/settled.py.
    """
    items = [
        *(pair.pro for pair in cs.pairs("simplegen").sample(12)),
        *(pair.anti for pair in cs.pairs("simplegen").sample(12, seed=1)),
    ]
    decide, decided = Genders(items, "pt"), 0
    for number, (item, samples) in enumerate(
        zip(items, firefox.sample([item.text for item in items], 32), strict=True)
    ):
        for sample in samples:
            final = read_alone(item, sample.text, "pt").gender
            for cut in range(1, len(sample.ids)):
                early = decide(number, firefox.tokenizer.decode(sample.ids[:cut]), False)
                assert early in (None, final), (sample.text, cut)
                decided += early is not None
    assert decided > 500


@pytest.mark.parametrize("width", [1.0, 1.5, -0.1, math.nan])
def test_a_width_that_cannot_be(width):
    with pytest.raises(cs.CueScopeError, match="exact out of range"):
        Settings("firefox:en-pt", exact=width)


@pytest.mark.slow
@pytest.mark.model
def test_the_command(firefox, tmp_path):
    """Beside the samples of the same sentences, in the table and in the file."""
    assert firefox
    path = tmp_path / "out.json"
    words = ["uncertainty", "firefox:en-pt", "--limit", "2", "--samples", "8", "--exact"]
    made = CliRunner().invoke(app, [*words, "--best", "--width", "0.02", "--json", str(path)])
    assert made.exit_code == 0, made.output
    assert "evaluations a sentence" in made.output
    told = json.loads(path.read_text("utf-8"))["certified"]
    assert told["sentences"] == 6
    assert told["exhausted"] == 0
    for three in told["sets"]:
        for genders in three.values():
            assert sum(low for low, _ in genders.values()) <= 1
            assert sum(high for _, high in genders.values()) >= 1 - 1e-9
    low, high = told["values"]["P(feminine) she"]
    assert 0 <= low <= high <= low + 0.0203
    for texts, best, three in zip(told["texts"], told["best"], told["sets"], strict=True):
        assert list(texts) == list(best) == ["he", "she", "they"]
        for version, genders in best.items():
            for gender, likely in genders.items():  # no translation is likelier than its gender
                assert math.exp(likely["logprob"]) <= three[version][gender][1]
    first = told["best"][0]["he"]
    assert all(likely["text"] for likely in first.values())
    assert "most probable translations" in made.output
    made = CliRunner().invoke(app, [*words[:-1], "--best"])
    assert isinstance(made.exception, cs.CueScopeError)
    made = CliRunner().invoke(app, [*words, "--width", "2"])
    assert isinstance(made.exception, cs.CueScopeError)
