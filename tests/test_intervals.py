"""Intervals over nouns and templates: against slow loops, and by how often they hold the truth."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

import planted
from cuescope import CueScopeError
from cuescope.data import pairs
from cuescope.measures.minimal_pairs import mpa
from cuescope.stats import holm, intervals, share
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


def test_holm_is_that_of_statsmodels():
    from statsmodels.stats.multitest import multipletests

    ps = np.random.default_rng(0).random(40) ** 3
    assert holm(ps.tolist()) == pytest.approx(multipletests(ps, method="holm")[1])
    assert np.isnan(holm([0.01, float("nan")])[1])


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["share 5", "share 25", "mean", "ratio"])
def test_intervals_hold_the_truth_on_planted_grids(kind):
    """95 % of them, within what so few worlds can tell; a plain one fails where nouns matter."""
    for grid, effect, shape in (
        ("18 nouns × 33 templates", "noun", "normal"),
        ("18 nouns × 33 templates", "both", "normal"),
        ("18 nouns × 33 templates", "none", "normal"),
        ("12 nouns × 8 templates", "both", "normal"),
        ("60 unequal nouns", "noun", "normal"),
        ("22 nouns × 16 templates", "as one", "laplace"),
        ("34 nouns", "noun", "uniform"),
    ):
        made = planted.covered(planted.Case(grid, kind, effect, shape), worlds=500, seed=11)
        assert 0.92 <= made.held <= 0.985, (grid, kind, effect, made)
        assert effect == "none" or made.plain < 0.85, (grid, kind, effect, made)


def test_few_templates_that_matter_little_do_not_set_the_width():
    """Eighteen nouns that matter and four templates that do not: about as wide as for nouns."""
    grid = planted.crossed(18, 4)
    table, _ = planted.sentences(grid, "mean", 0.7, 0.0, 400, 2)
    both = estimate(table, ratio, grid.clusters)
    nouns = estimate(table, ratio, Clusters(noun=grid.noun.tolist()))
    widths = [np.median(one.high - one.low) for one in (both, nouns)]
    assert widths[0] < 1.3 * widths[1]
    four = both.error * scipy_stats.t.ppf(0.975, 3) * 2  # what it would be if they set it
    assert widths[0] < 0.8 * np.median(four)


def test_the_critical_value_is_the_factors_own_weighted_by_their_variance():
    rows, noun, template = example()
    found = estimate(rows, ratio, Clusters(noun=noun, template=template))
    ways = [left_out(rows, noun), left_out(rows, template)]
    sizes = [np.bincount(labels) for labels in (noun, template)]
    df = [s.sum() ** 2 / np.square(s).sum() - 1 for s in sizes]
    for at, labels in enumerate((noun, template)):  # few that matter most are fewer
        gone = [[name == one for name in labels] for one in sorted(set(labels))]
        apart = [slow(rows, lambda n, one=one: one[n]) for one in gone]
        kurtosis, k = max(0.0, scipy_stats.kurtosis(apart)), len(apart)
        df[at] = min(df[at], 2 / (2 / (k - 1) + kurtosis / k))
    own = [scipy_stats.t.ppf(0.975, d) for d in df]
    times = np.dot(ways, own) / sum(ways)
    assert found.high - found.value == pytest.approx(times * found.error)


def test_p_is_below_five_per_cent_where_the_interval_misses_0():
    grid = planted.crossed(12, 8)
    table, _ = planted.sentences(grid, "mean", 0.3, 0.3, 300, 5)
    found = estimate(table, ratio, grid.clusters)
    misses, same = found.low * found.high > 0, found.spread.largest == found.spread.variance
    assert ((found.p < 0.05) == misses)[same].all()
    assert same.any()
    assert not (found.p < 0.05)[~misses].any()  # never surer than the interval
    plain = estimate(table[:, 0], ratio)
    t = abs(plain.value / plain.error)
    assert plain.p == pytest.approx(2 * scipy_stats.t.sf(t, len(table) - 1))


def test_a_test_of_many_takes_the_largest_of_the_ways():
    rows, noun, template = example()
    rows[:, 0] = rows[:, 1] * (0.4 + 0.3 * np.random.default_rng(3).normal(size=6)[noun])
    found = estimate(rows, ratio, Clusters(noun=noun, template=template))
    own = left_out(rows, noun)  # templates only spread what the nouns do over the cells
    assert found.error**2 < own
    assert found.spread.cautious().variance == pytest.approx(own)


def test_a_share_has_every_value_at_which_it_would_not_be_rare():
    """By its definition, on nouns alone; one noun has most of the hits, so that df are few."""
    noun = np.repeat(np.arange(6), 10)
    hits = np.concatenate([np.arange(10) < n for n in (7, 1, 0, 2, 0, 1)])
    apart = [hits[noun != one].mean() - hits.mean() for one in range(6)]
    df = 2 / (2 / 5 + scipy_stats.kurtosis(apart) / 6)
    assert df < 5
    p, t = hits.mean(), scipy_stats.t.ppf(0.975, df)
    variance = 5 / 6 * np.square(apart).sum()
    shares = np.linspace(0, 1, 100_001)  # one by one: none is looked for
    grown = variance * (shares * (1 - shares) / (p * (1 - p))) ** 1.75
    among = shares[np.abs(shares - p) <= t * np.sqrt(grown)]
    among = among[(among > 0) & (among < 1)]
    found = share("MPA", hits.tolist(), None, Clusters(noun=noun.tolist()))
    assert [found.low, found.high] == pytest.approx([among[0], among[-1]], abs=2e-5)


def test_single_units_have_wilsons_own():
    """Where nothing is shared it is the textbook's, but for Student's in place of 1.96."""
    hits, n, t = [True] * 7 + [False] * 33, 40, scipy_stats.t.ppf(0.975, 39)
    found, p, t2 = share("accuracy", hits), 7 / 40, t * t * n / (n - 1)  # the jackknife's n - 1
    middle, wide = p + t2 / (2 * n), np.sqrt(t2 * (p * (1 - p) / n + t2 / (4 * n * n)))
    bounds = [(middle + way * wide) / (1 + t2 / n) for way in (-1, 1)]
    assert [found.low, found.high] == pytest.approx(bounds)


def test_hits_of_one_template_alone_do_not_leave_everything_open():
    """Four of 72, all in one of four templates: little is known, and yet more than nothing."""
    noun, template = np.repeat(np.arange(18), 4), np.tile(np.arange(4), 18)
    hits = (template == 0) & (noun < 4)
    clusters = Clusters(noun=noun.tolist(), template=template.tolist())
    found = share("MPA", hits.tolist(), None, clusters)
    assert found.low < 0.02
    assert 0.4 < found.high < 0.7


def test_what_has_bounds_has_no_interval_outside():
    rows = np.array([[0.0, 1], [0.1, 1], [0.9, 1], [0.0, 1]])
    free, bound = estimate(rows, ratio), estimate(rows, ratio, bounds=(0.0, 1.0))
    assert free.low < 0 == bound.low
    assert bound.high == free.high < 1


def test_no_hit_is_as_sure_as_there_are_cells():
    """Sentences with the same noun and template are no more than one."""
    noun, template = [0, 0, 0, 1, 1, 1], ["a", "a", "b", "a", "b", "b"]
    found = share("MPA", [False] * 6, None, Clusters(noun=noun, template=template))
    cells = 6**2 / (2**2 + 1 + 1 + 2**2)  # four, two of them double
    assert found.high == pytest.approx(1 - 0.025 ** (1 / cells))


def test_a_share_is_never_less_sure_than_of_nouns_that_are_all_or_nothing():
    """One noun of forty has nearly all misses: as if one of forty had gone wrong, no wider."""
    noun = np.repeat(np.arange(40), 40)
    hits = np.array([n != 3 or at % 8 == 0 for at, n in enumerate(noun)])
    found = share("MPA", hits.tolist(), None, Clusters(noun=noun.tolist()))
    p, k = hits.mean(), scipy_stats.t.ppf(0.975, 39) ** 2 / 40
    wide = np.sqrt(k * p * (1 - p) + k * k / 4)  # Wilson's of forty units
    assert found.low == pytest.approx((p + k / 2 - wide) / (1 + k))


@pytest.mark.parametrize("growth", [1.0, intervals.GROWTH])
def test_one_share_has_the_ends_that_it_has_among_many(growth):
    """A single number is worked out by itself, to the same bits."""
    rng = np.random.default_rng(3)
    shares = np.array([0.0, 1.0, np.nan, 0.5, *rng.random(400)])
    errors = np.array([0.1, 0.1, 0.1, 0.0, *rng.exponential(0.3, 400)])
    errors[-2:] = np.nan, np.inf
    with np.errstate(divide="ignore", invalid="ignore"):
        many = intervals._not_rare(shares, errors, growth)
        single = [
            intervals._not_rare(np.asarray(one), np.asarray(error), growth)
            for one, error in zip(shares, errors, strict=True)
        ]
    np.testing.assert_array_equal(np.stack(single, axis=1), many)
    assert np.isfinite(many).mean() > 0.9
