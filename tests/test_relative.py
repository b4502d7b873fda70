"""ΔI, ΔLogProb, norm-H and ΔH: the formulas, the published tables, and every zero."""

from __future__ import annotations

import math

import numpy as np
import pytest

import cuescope as cs
from cuescope.measures.relative import (
    delta_entropy,
    delta_logprob,
    delta_surprisal,
    norm_entropy,
    of_means,
    relative,
)

INF = math.inf


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (3.0, 1.0, 1.0),
        (1.0, 3.0, -1.0),
        (0.0, 0.0, 0.0),
        (0.0, 0.4, -2.0),
        (0.4, 0.0, 2.0),
        (INF, 2.0, 2.0),
        (2.0, INF, -2.0),
        (INF, INF, 0.0),
        (0.0, INF, -2.0),
    ],
)
def test_every_case_of_a_relative_difference(first, second, expected):
    assert float(relative(np.array(first), np.array(second))) == pytest.approx(expected)
    assert float(delta_surprisal(np.array(first), np.array(second))) == pytest.approx(expected)


def test_log_probabilities_have_the_sign_of_surprisal():
    assert float(delta_logprob(np.array(-10.0), np.array(-30.0))) == pytest.approx(-1)
    assert float(delta_logprob(np.array(-0.0), np.array(0.0))) == 0
    assert float(delta_logprob(np.array(0.0), np.array(-5.0))) == pytest.approx(-2)


def test_the_published_log_probabilities():
    """Paper B: Table 12's means give Table 2's ΔLogProb."""
    rows = [(-149.7, -149.78, 0.00), (-197.1, -195.11, 0.01), (-283.91, -281.71, 0.01)]
    for correct, incorrect, printed in rows:
        found = float(delta_logprob(np.array(correct), np.array(incorrect)))
        assert round(abs(found), 2) == printed


def test_the_published_entropies():
    """Paper B's Table 15 divides by the unambiguous entropy alone, not by the mean of both."""
    rows = [  # unambiguous, ambiguous, printed
        (1.23, 1.12, 0.09),
        (1.79, 1.45, 0.19),
        (1.79, 1.43, 0.20),
        (1.96, 2.16, -0.10),
        (1.83, 2.29, -0.25),
        (0.33, 0.22, 0.33),
        (0.46, 0.17, 0.63),
        (0.21, 0.13, 0.38),
        (0.25, 0.09, 0.64),
    ]
    unamb, amb, printed = map(np.array, zip(*rows, strict=True))
    assert delta_entropy(unamb, amb, by="first") == pytest.approx(printed, abs=0.0051)
    assert abs(delta_entropy(unamb, amb) - printed).max() > 0.2


def test_against_a_first_of_zero():
    assert float(relative(np.array(0.0), np.array(0.3), by="first")) == -INF
    assert float(relative(np.array(0.0), np.array(0.0), by="first")) == 0


def test_normalised_entropy():
    rng = np.random.default_rng(0)
    h = rng.exponential(size=(20, 3))
    h[3] = 0
    found = norm_entropy(h)
    assert found.mean(-1) == pytest.approx(np.ones(20))
    assert found[0] == pytest.approx(h[0] / h[0].mean())
    assert (found[3] == 1).all()


def test_intervals_over_items():
    rng = np.random.default_rng(2)
    inside = 0
    for _ in range(200):
        rows = rng.normal(loc=1, size=(60, 1))
        found = of_means(
            "H",
            rows,
            lambda m: m[..., 0],
        )
        inside += found.low <= 1 <= found.high
    assert 0.88 < inside / 200 < 0.99
    assert repr(found).startswith(f"H = {found.value:.3f} [")
    assert of_means("H", np.zeros((0, 1)), lambda m: m[..., 0]).n == 0


def test_a_mean_of_infinities_is_refused():
    with pytest.raises(cs.CueScopeError, match="not finite"):
        of_means("I", [[1.0], [INF]], lambda m: m[..., 0])


def test_a_ratio_that_is_nowhere_defined_has_no_value():
    """A model that is sure of everything: 0 / 0 in every redraw, and no crash."""
    found = of_means("ΔH", np.zeros((4, 2)), lambda m: m[..., 0] / m[..., 1])
    assert np.isnan([found.value, found.low, found.high]).all()
