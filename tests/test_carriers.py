"""Carriers: one rule, over all heads of all sites; attention against effect, with limits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cuescope.measures.agreement import compare
from cuescope.measures.carriers import FEWEST, LEAST, NOUNS, RULE, carriers
from cuescope.stats.scores import Scores


def effects(planted, *, pairs=120, nouns=18, by_noun=0.0, noise=0.3, seed=0, site="encoder"):
    """Effects of 48 heads, most of them 0, with noise and with a part that nouns share."""
    rng = np.random.default_rng(seed)
    noun = np.arange(pairs) % nouns
    values = noise * rng.normal(size=(pairs, 6, 8))
    values += by_noun * rng.normal(size=(nouns, 6, 8))[noun]
    for head, size in planted.items():
        values[(slice(None), *head)] += size
    rows = pd.DataFrame({"pair": range(pairs), "noun": [f"noun {n}" for n in noun]})
    return Scores(values, site, "effect", rows, unit="pair", per=np.ones(pairs))


def words(found):
    return {one.name: one.word for one in found if one.word != "little"}


def test_the_rule_names_what_was_planted():
    planted = {(2, 1): 0.4, (0, 7): 0.25, (3, 3): -0.3, (5, 5): 0.03}
    heads = carriers({"encoder": effects(planted, noise=0.1)})["encoder"]
    assert words(heads) == {"2.1": "carries", "0.7": "carries", "3.3": "opposes"}
    first = heads[0]
    assert (first.name, first.carries) == ("2.1", True)
    assert first.low < first.value < first.high
    assert first.to_json()["word"] == "carries"
    assert str(int(100 * LEAST)) in RULE
    assert str(FEWEST) in RULE
    assert str(NOUNS) in RULE


def test_few_pairs_or_few_nouns_name_nothing():
    planted = {(2, 1): 0.4}
    for few in ({"pairs": FEWEST - 1}, {"nouns": NOUNS - 1}):
        heads = carriers({"encoder": effects(planted, noise=0.1, **few)})["encoder"]
        assert words(heads)["2.1"] == "unsure"


@pytest.mark.slow
def test_noise_that_nouns_share_names_nobody():
    """Of 100 runs without any carrier hardly one names a head; uncorrected, most would."""
    named = uncorrected = 0
    for seed in range(100):
        sites = {
            site: effects({}, by_noun=0.25, seed=2 * seed + at, site=site)
            for at, site in enumerate(("encoder", "cross"))
        }
        found = [one for heads in carriers(sites).values() for one in heads]
        named += any(one.carries or one.opposes for one in found)
        uncorrected += any(abs(one.value) >= LEAST and one.low * one.high > 0 for one in found)
    assert named <= 10
    assert uncorrected > 90


def test_a_head_that_seems_to_share_nothing_is_not_surer_for_it():
    """Few nouns and templates push all heads a little; by chance, of some it does not show."""
    named = 0
    for seed in range(40):
        rng, pairs = np.random.default_rng(seed), 40
        noun, template = rng.integers(8, size=pairs), rng.integers(6, size=pairs)
        values = 0.45 * rng.normal(size=(pairs, 8, 8))
        for codes in (noun, template):
            values += 0.16 * rng.normal(size=(8, 8, 8))[codes]
        rows = pd.DataFrame({"pair": range(pairs), "noun": noun, "template": template})
        scores = Scores(values, "encoder", "effect", rows, unit="pair", per=np.ones(pairs))
        named += any(one.carries or one.opposes for one in carriers({"encoder": scores})["encoder"])
    assert named <= 2  # 5, if such heads are as sure as single pairs make them


def test_more_sites_ask_more_of_each_head():
    one = effects({(0, 0): 0.2}, noise=0.6)
    alone = carriers({"encoder": one})["encoder"]
    beside = carriers({"encoder": one, "cross": effects({}, seed=5, site="cross")})["encoder"]
    p = {head.name: head.p for head in alone}
    assert all(head.p >= p[head.name] for head in beside if head.name == "0.0")


def test_attention_against_effect_tells_of_the_carriers():
    """Two heads carry and rank first in attention; the rest is noise, and so is ρ."""
    rng = np.random.default_rng(1)
    effect = effects({(2, 1): 0.4, (0, 7): 0.3})
    looks = np.abs(0.02 + 0.005 * rng.normal(size=(120, 6, 8)))
    looks[:, 2, 1], looks[:, 0, 7] = 0.5, 0.3
    attention = Scores(looks, "encoder", "attention", effect.rows, unit="pair")
    found = compare(attention, effect)
    assert found.ranks == {"2.1": 1, "0.7": 2}
    assert found.auc == 1.0
    assert found.r > 0.9
    assert found.rho < 0.6
    assert found.ceiling < 0.8
    assert found.low < found.rho < found.high
    made = found.to_json()
    assert made["carriers"] == {"2.1": 1, "0.7": 2}
    assert made["interval"] == [found.low, found.high]
    told = repr(found)
    assert "of at most" in told
    assert "2.1 rank 1, 0.7 rank 2, AUC 1.00" in told


def test_the_ceiling_is_what_a_noisy_copy_reaches():
    """Two noisy measures of the same thing correlate about as far as their ceiling says."""
    truth = {(a, b): 0.02 * (8 * a + b) for a in range(6) for b in range(8)}
    first, second = (effects(truth, noise=4.0, seed=seed) for seed in (1, 2))
    found = compare(first, second, carriers=[])
    assert found.rho == pytest.approx(found.ceiling, abs=0.15)
    assert found.rho < 0.95
    assert np.isnan(found.auc)


def test_measures_that_share_their_noise_have_no_ceiling():
    """Attribution follows the effect pair by pair: it agrees further than either with itself."""
    effect = effects({(2, 1): 0.1}, noise=4.0)
    found = compare(replace(effect, measure="attribution"), effect, carriers=[])
    assert found.rho > 0.99
    assert np.isnan(found.ceiling)
    assert "at most" not in repr(found)
