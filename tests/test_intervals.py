"""Intervals over nouns and templates: against slow loops, and by how often they hold the truth."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

import planted
from cuescope import CueScopeError
from cuescope.data import pairs
from cuescope.measures.minimal_pairs import mpa
from cuescope.stats import discoveries, share
from cuescope.stats.intervals import Clusters, estimate, ratio


def slow(rows, drop):
    """The ratio of what is left, row by row."""
    kept = [row for at, row in enumerate(rows) if not drop(at)]
    return sum(row[0] for row in kept) / sum(row[1] for row in kept)


def left_out(rows, labels):
    """The jackknife by its definition: each label's rows are taken away in turn."""
    whole, names = slow(rows, lambda at: False), sorted(set(labels))
    apart = [slow(rows, lambda at, n=name: labels[at] == n) - whole for name in names]
    return (len(names) - 1) / len(names) * sum(x * x for x in apart)


def example(seed=0):
    rng = np.random.default_rng(seed)
    noun = rng.integers(0, 6, 90).tolist()
    template = rng.integers(0, 5, 90).tolist()
    gap = rng.gamma(3.0, 1.0, 90)
    change = gap * (0.4 + 0.2 * rng.normal(size=6)[noun] + 0.1 * rng.normal(size=5)[template])
    return np.stack([change, gap], 1), noun, template


def test_two_ways_add_up_less_what_they_share():
    rows, noun, template = example()
    cells = list(zip(noun, template, strict=True))
    wanted = left_out(rows, noun) + left_out(rows, template) - left_out(rows, cells)
    found = estimate(rows, ratio, Clusters(noun=noun, template=template))
    assert wanted > left_out(rows, cells)
    assert found.error**2 == pytest.approx(wanted)
    assert found.over == "6 nouns × 5 templates"


def test_one_way_is_the_spread_of_redrawn_nouns():
    """Redraw noun labels with replacement, rebuild the sample row by row, divide the sums."""
    rows = planted.sentences(planted.alone(50), "share 25", 0.7, 0, 1, 4)[0][:, 0]
    noun = planted.alone(50).noun
    rng, drawn = np.random.default_rng(1), []
    by_noun = [rows[noun == name] for name in range(50)]
    for _ in range(800):
        sample = [row for name in rng.integers(0, 50, 50) for row in by_noun[name]]
        drawn.append(sum(r[0] for r in sample) / sum(r[1] for r in sample))
    found = estimate(rows, ratio, Clusters(noun=noun.tolist()))
    assert found.error == pytest.approx(np.std(drawn), rel=0.1)


def test_nouns_that_come_once_are_the_plain_interval():
    rows, *_ = example()
    alone = estimate(rows, ratio, Clusters(noun=[f"n{n}" for n in range(90)]))
    plain = estimate(rows, ratio)
    assert (alone.low, alone.high) == pytest.approx((plain.low, plain.high))
    error = np.sqrt(left_out(rows, list(range(90))))
    assert plain.high - plain.value == pytest.approx(scipy_stats.t.ppf(0.975, 89) * error)


def test_what_cannot_be_left_out_is_not_and_that_is_said():
    rows, noun, template = example()
    one_noun = estimate(rows, ratio, Clusters(noun=["nurse"] * 90, template=template))
    assert one_noun.over == "5 templates"
    nothing = estimate(rows, ratio, Clusters(noun=["nurse"] * 90))
    assert (nothing.over, nothing.low) == ("", estimate(rows, ratio).low)
    some = Clusters(noun=noun, template=[None, "", *template[2:]])  # these two stand alone
    assert estimate(rows, ratio, some).over == "6 nouns × 7 templates"
    with pytest.raises(CueScopeError, match="do not match"):
        estimate(rows, ratio, Clusters(noun=noun[:-1]))


def test_one_unit_has_no_interval_and_says_so():
    for value in (share("MPA", 1, 1), share("MPA", 0, 1)):
        assert value.interval() is None
        assert value.brief() == f"MPA = {100 * value.value:.1f} % (n=1)"


def test_all_or_nothing_has_the_exact_bounds():
    """Four of four: the lowest share of which that would be seen in 2.5 % of all cases."""
    value = share("MPA", 4, 4)
    assert value.low**4 == pytest.approx(0.025)
    assert value.high == 1
    assert share("MPA", 0, 4).high == pytest.approx(1 - value.low)


def test_a_pair_says_what_its_interval_is_over():
    some = list(pairs("simplegen"))
    right = [(pair.index % 5 == 0, True) for pair in some]
    shared = Clusters.of(pair.pro for pair in some)
    made = mpa(some, right, right, clusters=shared)
    assert made.value.over == "18 nouns × 33 templates"
    assert made.value.brief().endswith("(n=1314, 18 nouns × 33 templates)")
    assert made.to_json()["over"] == "18 nouns × 33 templates"
    assert (
        "7 nouns"
        in mpa(
            [p for p in some if p.pro.stereotype == "female"],
            [r for p, r in zip(some, right, strict=True) if p.pro.stereotype == "female"],
            [r for p, r in zip(some, right, strict=True) if p.pro.stereotype == "female"],
            clusters=Clusters.of(p.pro for p in some if p.pro.stereotype == "female"),
        ).value.over
    )


def test_discoveries_are_those_of_scipy():
    ps = np.random.default_rng(0).random(40) ** 3
    assert discoveries(ps.tolist()) == pytest.approx(scipy_stats.false_discovery_control(ps))
    assert np.isnan(discoveries([0.01, float("nan")])[1])


@pytest.mark.parametrize("kind", ["share 10", "share 25", "mean", "ratio"])
def test_intervals_hold_the_truth_on_planted_grids(kind):
    """95 % of them, within what so few worlds can tell; a plain one fails where nouns matter."""
    for name, effect in (
        ("18 nouns × 33 templates", "noun"),
        ("18 nouns × 33 templates", "template"),
        ("18 nouns × 33 templates", "both"),
        ("18 nouns × 33 templates", "none"),
        ("40 nouns", "noun"),
        ("60 unequal nouns", "noun"),
        ("60 nouns", "none"),
    ):
        planned = (planted.GRIDS[name], kind, *planted.PLANTED[effect])
        held, plain, _ = planted.covered(*planned, worlds=600, seed=11)
        assert 0.92 <= held <= 0.98, (name, kind, effect, held)
        assert effect == "none" or plain < 0.8, (name, kind, effect, plain)
