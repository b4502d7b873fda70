"""Entropies against hand-computed values; clusters, parts, corrections, the command."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

import cuescope as cs
from cuescope.commands.uncertainty import uncertainty
from cuescope.data.items import Item
from cuescope.measures.equivalence import Gender, Normalised
from cuescope.measures.similarity import CharNGrams
from cuescope.measures.uncertainty import Group, Uncertainty, measure, same, tune_alpha
from cuescope.run.study import Study, contrast_sets, study
from cuescope.signature import Signature
from test_sampling import Letters, markov

NURSE = Item("The nurse said that she was tired.", (4, 9), (20, 23), "female")


class Table:
    """A similarity written down."""

    name = "table"

    def __init__(self, **values: float) -> None:
        self.values = values

    def kernels(self, groups):
        def like(a, b):
            return 1.0 if a == b else self.values["".join(sorted(a + b))]

        return [np.array([[like(a, b) for b in g.texts] for a in g.texts]) for g in groups]


def seen(counts, part, given=(), **options):
    return measure([Group.of(counts, given=given, item=NURSE)], part, **options)[0]


# -- values by hand ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "entropy"),
    [
        ({"a": 128}, 0.0),
        ({"a": 64, "b": 64}, math.log(2)),
        ({"a": 96, "b": 32}, 0.75 * math.log(4 / 3) + 0.25 * math.log(4)),
        ({"a": 2, "A!": 2, "b": 4}, math.log(2)),
        ({"a": 1, "b": 1, "c": 1, "d": 1}, math.log(4)),
    ],
)
def test_entropy_over_clusters(counts, entropy):
    assert seen(counts, Normalised()).entropy() == pytest.approx(entropy, abs=1e-12)


def test_entropy_of_similarities():
    """S(a,b)=.5, S(a,c)=0, S(b,c)=.2; shares ½, ¼, ¼: worked out on paper."""
    part = Table(ab=0.5, ac=0.0, bc=0.2)
    one = seen({"a": 4, "b": 2, "c": 2}, part)
    i = {"a": -math.log(0.625), "b": -math.log(0.55), "c": -math.log(0.3)}
    for text, value in i.items():
        assert one.surprisal(text) == pytest.approx(value, abs=1e-12)
    assert one.entropy() == pytest.approx(0.5 * i["a"] + 0.25 * i["b"] + 0.25 * i["c"], abs=1e-12)
    squared = seen({"a": 4, "b": 2, "c": 2}, part, alpha=2)
    assert squared.surprisal("b") == pytest.approx(-math.log(0.125 + 0.25 + 0.01), abs=1e-12)
    assert squared.entropy() == pytest.approx(one.at(2).entropy())
    assert one.at(1e6).entropy() == pytest.approx(1.5 * math.log(2)), "α → ∞: every text alone"


def test_gender_entropy_reads_the_noun():
    texts = {
        "A enfermeira disse que estava cansada.": 96,
        "O enfermeiro disse que estava cansado.": 16,
        "O enfermeiro disse que ela estava cansada.": 16,
    }
    one = seen(texts, Gender("pt"))
    assert one.clusters == (96, 32)
    assert one.shares == {"feminine": 0.75, "masculine": 0.25}
    assert one.entropy() == pytest.approx(0.5623351)


def test_surprisal_of_a_reference():
    """A given translation counts as one more sample, unless it was drawn or told not to."""
    one = seen({"a": 3, "b": 1}, Normalised(), given=["A.", "c", "b"])
    assert one.surprisal("b") == pytest.approx(math.log(4))
    assert one.surprisal("A.") == pytest.approx(-math.log(4 / 5))
    assert one.surprisal("c") == pytest.approx(math.log(5))
    assert one.surprisal("A.", itself=False) == pytest.approx(-math.log(3 / 4))
    assert one.surprisal("c", itself=False) == math.inf
    assert one.entropy() == seen({"a": 3, "b": 1}, Normalised()).entropy(), (
        "not moved by references"
    )
    with pytest.raises(cs.CueScopeError, match="was not measured"):
        one.surprisal("d")


def test_surprisal_without_underflow():
    """Paper B's Table 12 prints surprisals over 200: similarity^α in logarithms."""
    one = seen({"a": 4}, Table(ab=0.5), given=["b"], alpha=2000)
    assert one.surprisal("b", itself=False) == pytest.approx(2000 * math.log(2))


def test_bounds_whatever_the_part():
    rng = random.Random(3)
    for _ in range(30):
        counts = {c * rng.randint(1, 5): rng.randint(1, 9) for c in "abcdefg"[: rng.randint(1, 7)]}
        for part in (Normalised(), CharNGrams()):
            one = seen(counts, part)
            assert 0 <= one.entropy() <= math.log(one.n) + 1e-12
            assert 0 <= seen(counts, part, alpha=50).entropy() <= math.log(len(counts)) + 1e-12


# -- a known probability ----------------------------------------------------------------------


@pytest.mark.parametrize("p", [0.1, 0.3, 0.5])
def test_gender_entropy_of_a_known_probability(p):
    """128 samples, many times: as often within one and two standard errors as they should be."""
    rng, texts = np.random.default_rng(1), ("A enfermeira chegou.", "O enfermeiro chegou.")
    kernel = measure([Group.of(dict.fromkeys(texts, 1), item=NURSE)], Gender("pt"))[0].similarity
    truth = -p * math.log(p) - (1 - p) * math.log(1 - p)
    plain, corrected, errors = [], [], []
    for women in rng.binomial(128, p, size=400):
        one = Uncertainty(texts, (int(women), int(128 - women)), kernel, "gender")
        plain.append(one.entropy())
        corrected.append(one.entropy("miller-madow"))
        errors.append(one.standard_error(200))
    off = np.abs(np.array(plain) - truth) / np.array(errors)
    if p != 0.5:  # there the entropy is at its top and its distribution no bell
        assert 0.58 < (off < 1).mean() < 0.78
        assert (off < 2).mean() > 0.91
        assert np.mean(errors) == pytest.approx(np.std(plain), rel=0.15)
    assert np.mean(plain) < truth, "the plug-in is too low"
    assert abs(np.mean(corrected) - truth) < abs(np.mean(plain) - truth)


class Nurses(Letters):
    """The second word of the Markov engine is a woman, the others are men."""

    def decode(self, ids):
        return "A enfermeira chegou." if ids[0] == 2 else "O enfermeiro chegou."


def test_gender_entropy_of_a_sampled_model():
    """A model that makes the nurse a woman with probability .3, sampled 128 times by each seed."""
    mt = replace(markov(0), tokenizer=Nurses())
    mt.engine.table[:] = torch.tensor([0.0, 0.0, 0.3, 0.7, 0.0]).log()
    mt.engine.table[2:5] = torch.tensor([1.0, 0.0, 0.0, 0.0, 0.0]).log()
    truth = -0.3 * math.log(0.3) - 0.7 * math.log(0.7)
    drawn = [mt.sample("The nurse came.", seed=seed)[0] for seed in range(60)]
    measured = measure([Group.of(one.texts, item=NURSE) for one in drawn], Gender("pt"))
    off = [abs(one.entropy() - truth) / one.standard_error() for one in measured]
    assert off[0] < 1
    assert 0.5 < np.mean([z < 1 for z in off]) < 0.85
    assert max(off) < 4.5


def test_corrections_lower_the_bias():
    rng, shares = np.random.default_rng(0), np.full(8, 1 / 8)
    found = {"none": [], "miller-madow": [], "jackknife": []}
    for counts in rng.multinomial(40, shares, size=500):
        one = Uncertainty(tuple("abcdefgh"), tuple(map(int, counts)), np.eye(8), "cells")
        for name, values in found.items():
            values.append(one.entropy(name))
    bias = {name: abs(np.mean(values) - math.log(8)) for name, values in found.items()}
    assert bias["none"] > 0.07
    assert bias["miller-madow"] < bias["none"] / 5
    assert bias["jackknife"] < bias["none"] / 5


def test_jackknife_by_leaving_out_one_at_a_time():
    counts, kernel = (3, 2, 1), CharNGrams().kernels([Group.of({"aa": 3, "ab": 2, "cd": 1})])[0]
    one = Uncertainty(("aa", "ab", "cd"), counts, kernel, "x")
    samples = [0, 0, 0, 1, 1, 2]
    without = []
    for left in range(6):
        rest = samples[:left] + samples[left + 1 :]
        without.append(-np.mean([math.log(np.mean([kernel[i, j] for j in rest])) for i in rest]))
    assert one.entropy("jackknife") == pytest.approx(6 * one.entropy() - 5 * np.mean(without))
    with pytest.raises(cs.CueScopeError, match="makes no clusters"):
        one.entropy("miller-madow")


def test_alpha_is_tuned_on_gender():
    """Similarity .98 between genders and .6 between wordings: a large α sees the gender."""
    rng = np.random.default_rng(0)
    kernel = np.array(
        [[1, 0.98, 0.97, 0.96], [0.98, 1, 0.96, 0.97], [0.97, 0.96, 1, 0.98], [0.96, 0.97, 0.98, 1]]
    )
    gendered = same(["m", "f", "m", "f"])
    similar, gender = [], []
    for _ in range(40):
        counts = tuple(map(int, rng.multinomial(128, rng.dirichlet(np.full(4, 0.5)))))
        similar.append(Uncertainty(tuple("abcd"), counts, kernel, "s"))
        gender.append(Uncertainty(tuple("abcd"), counts, gendered, "g"))
    found = tune_alpha(similar, gender)
    assert found.correlation == max(found.tried.values())
    by_hand = np.corrcoef(
        [s.at(found.alpha).entropy() for s in similar], [g.entropy() for g in gender]
    )
    assert found.correlation == pytest.approx(by_hand[0, 1])
    with pytest.raises(cs.CueScopeError, match="cannot be tuned"):
        tune_alpha(similar[:2], gender[:2])
    with pytest.raises(cs.CueScopeError, match="cannot be tuned"):
        tune_alpha(similar, [replace(gender[0]) for _ in similar])


# -- mistakes ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "message"),
    [({}, "no samples"), ({"a": 0}, "no samples"), ({"": 120, " ": 8}, "every sample is empty")],
)
def test_nothing_to_measure(counts, message):
    with pytest.raises(cs.CueScopeError, match=message):
        Group.of(counts)


def test_other_mistakes():
    with pytest.raises(cs.CueScopeError, match="focus noun"):
        measure([Group.of({"a": 1})], Gender("pt"))
    with pytest.raises(cs.CueScopeError):
        Gender("xx")
    for alpha in (0, -1, math.nan, math.inf):
        with pytest.raises(cs.CueScopeError, match="α out of range"):
            seen({"a": 1}, Normalised(), alpha=alpha)
    with pytest.raises(cs.CueScopeError, match="no such correction"):
        seen({"a": 1}, Normalised()).entropy("grassberger")
    assert seen({"": 5, "a": 5}, Normalised()).entropy() == pytest.approx(math.log(2))


# -- the study and the command ----------------------------------------------------------------


def test_a_study_of_contrast_sets(firefox):
    sets, left_out = contrast_sets(cs.data.load("simplegen"), 4)
    assert sum(left_out.values()) == 1944 + 144 + 18, "see test_contrast.py"
    parts = {"ge": Gender("pt"), "s3e": CharNGrams(), "se": Normalised()}
    found = study(firefox, sets, parts, samples=32, alpha=8)
    frame = found.table()
    assert list(frame["version"]) == ["he", "she", "they"] * 4
    for name in parts:
        h = found.entropies(name)
        assert h.shape == (4, 3)
        value = found.values[name]["H unambiguous"]
        assert value.value == pytest.approx(h[:, :2].mean())
        assert value.low <= value.value <= value.high
        assert found.values[name]["norm-H he"].n == 4
        assert frame[f"H {name}"].to_numpy() == pytest.approx(h.ravel())
    assert found.measured["s3e"][0].alpha == 8
    json.dumps(found.to_json(), allow_nan=False)
    before = list(found.samples.values())
    again = study(firefox, sets, parts, samples=32, alpha=8, drawn=before)
    assert again.values == found.values
    for wrong in (before[:-1], [replace(one, seed=1) for one in before]):
        with pytest.raises(cs.CueScopeError, match="not those that were asked for"):
            study(firefox, sets, parts, samples=32, alpha=8, drawn=wrong)
    with pytest.raises(cs.CueScopeError, match="S3E has no α"):
        study(firefox, sets, {"s3e": CharNGrams()})


def test_versions_are_compared_within_their_sentence():
    """he is 0.1 below they in each sentence, whose entropies are far apart: [−0.1, −0.1]."""
    sets, _ = contrast_sets(cs.data.load("simplegen"), 40)
    they = np.linspace(0.2, 2.0, 40)
    wobble = np.where(np.arange(40) % 2, 0.1, -0.1)
    table = np.stack([they - 0.1, they + wobble, they], axis=1)
    one = [SimpleNamespace(entropy=lambda h=h: h, part="made up") for h in table.ravel()]
    values = Study(tuple(sets), {}, {"ge": one}, Signature()).values["ge"]
    he, she = values["H he − they"], values["H she − they"]
    assert [he.value, he.low, he.high] == pytest.approx([-0.1] * 3)
    assert she.value == pytest.approx(0)
    assert -0.1 < she.low < 0 < she.high < 0.1
    assert values["H he"].high > values["H they"].low, "alone, their intervals meet"
    gap = values["norm-H she − he"]
    assert gap.value == pytest.approx(np.mean((table[:, 1] - table[:, 0]) / table.mean(1)))
    assert gap.low <= gap.value <= gap.high


@pytest.fixture
def command():
    import typer

    app = typer.Typer()
    app.command()(uncertainty)
    runner = CliRunner()
    return lambda *args: runner.invoke(app, ["firefox:en-pt", *args])


@pytest.mark.slow
def test_the_command(command, tmp_path, firefox):
    out = tmp_path / "out.json"
    options = ["--samples", "16", "--limit", "2", "--measures", "ge,se,s3e", "--alpha", "8"]
    named = ["--similarity", "chars", "--equivalence", "normalised", "--json", str(out)]
    found = command(*options, *named)
    assert found.exit_code == 0, found.output
    assert "ΔH" in found.output
    saved = json.loads(out.read_text("utf-8"))
    assert saved["n"] == 2
    assert set(saved["measures"]) == {"ge", "se", "s3e"}
    assert len(saved["items"]) == 6


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--samples", "0"], "nothing to draw"),
        (["--epsilon", "1.5"], "ε out of range"),
        (["--measures", "entropy"], "no such measure"),
    ],
)
def test_the_command_refuses(command, options, message):
    with pytest.raises(cs.CueScopeError, match=message):
        raise command(*options).exception
