"""The enumerated tree against every sequence there is, and against the plain best-first search."""

from __future__ import annotations

import json
import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import cuescope as cs
import tiny
import twins_of
from cuescope.inside.heads import every_head
from cuescope.models.decoding import Limits
from cuescope.sampling.bounds import ROUNDING, Bounds
from cuescope.sampling.enumerate import _Source, bounds
from cuescope.sampling.grow import Prefix, Tree
from test_sampling import EPSILON, enumerated, markov, rule

WIDTHS = [0.3, 0.1, 0.01, 1e-3, 0.0]


def first_letter(_number, text, ended):
    """Which of a and b comes first, decided as soon as one is there; c tells nothing."""
    return next((letter for letter in text if letter in "ab"), "neither" if ended else None)


def at_the_end(number, text, ended):
    """The same, decided late."""
    return first_letter(number, text, ended) if ended else None


def by_label(engine, epsilon, decode):
    """Probability and likeliest sequence of each label, from the list of all sequences."""
    every = {}
    for ids, p in enumerated(engine, epsilon).items():
        every.setdefault(first_letter(0, decode(ids), True), []).append(p)
    mass = {label: min(1.0, math.fsum(ps)) for label, ps in every.items()}
    return mass, {label: max(ps) for label, ps in every.items()}


def one_by_one(mt, decide, epsilon, width):
    """Evaluations of a best-first search that looks at one prefix at a time."""
    frontier, looked = {(): 1.0}, 0
    while sum(frontier.values()) > width + 1e-12:
        ids = max(sorted(frontier), key=lambda ids: frontier[ids])
        mass, looked = frontier.pop(ids), looked + 1
        row = mt.engine.table[ids[-1] if ids else mt.engine.start_id].tolist()
        for token, p in rule(row, epsilon).items():
            child = (*ids, token)
            ended = token == 0 or len(child) >= mt.limits.of(1)
            if decide(0, mt.tokenizer.decode(child), ended) is None:
                frontier[child] = mass * p
    return looked


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10_000),
    epsilon=st.sampled_from([0.0, 0.02, EPSILON, 0.4]),
    width=st.sampled_from(WIDTHS),
    decide=st.sampled_from([first_letter, at_the_end]),
)
def test_every_interval_contains_the_truth(seed, epsilon, width, decide):
    mt = markov(seed)
    mass, best = by_label(mt.engine, epsilon, mt.tokenizer.decode)
    (found,) = bounds(mt, ["x"], decide, epsilon=epsilon, width=width, best=True)
    assert found.reached
    for label in {*mass, *found.mass}:
        low, high = found.interval(label)
        assert low <= mass.get(label, 0.0) <= high
        assert high - low <= width + 2.01 * ROUNDING
    assert math.fsum(found.mass.values()) + found.undecided == pytest.approx(1, abs=1e-9)
    if found.majority:
        assert mass[found.majority] == max(mass.values())
    for label, likely in found.best.items():
        assert first_letter(0, likely.text, True) == label
        assert math.exp(likely.truncated) <= best[label] + 1e-6
        if likely.certain:
            assert math.exp(likely.truncated) == pytest.approx(best[label], abs=1e-6)
    if not width:
        assert set(found.best) == set(mass)
        assert all(likely.certain for likely in found.best.values())


@pytest.mark.parametrize("decide", [first_letter, at_the_end])
@pytest.mark.parametrize("seed", range(8))
def test_no_more_is_looked_at_than_one_at_a_time(seed, decide):
    for width in WIDTHS[:-1]:
        mt = markov(seed)
        (found,) = bounds(mt, ["x"], decide, epsilon=EPSILON, width=width)
        assert found.evaluations <= one_by_one(mt, decide, EPSILON, width)


def test_deciding_early_saves_and_says_the_same():
    mt = markov(3)
    for width in WIDTHS:
        early, late = (
            bounds(mt, ["x"], d, epsilon=0.02, width=width)[0] for d in (first_letter, at_the_end)
        )
        assert early.evaluations < late.evaluations or width > 0.2
        for label in {*early.mass, *late.mass}:
            (a, b), (c, d) = early.interval(label), late.interval(label)
            assert max(a, c) <= min(b, d)


@pytest.mark.slow
@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_every_family_batch_and_memory(tiny_model, family, monkeypatch):
    """Each family against teacher forcing; states that were let go are made again alike."""
    mt = tiny_model(family)
    project = mt.engine.project  # flatter, so that there is something to enumerate
    flat = lambda logits: 2 * logits / logits.std(-1, keepdim=True)  # noqa: E731
    monkeypatch.setattr(mt.engine, "project", lambda hidden: flat(project(hidden)))
    mt.limits = Limits(factor=0, extra=3 + len(mt.tokenizer.forced))
    texts, epsilon = tiny.SENTENCES[:2], 0.08

    def decide(number, text, ended):
        return text[:1] or ("empty" if ended else None)

    def late(number, text, ended):
        return decide(number, text, ended) if ended else None

    found = bounds(mt, texts, late, epsilon=epsilon, width=0)
    assert [b.source for b in found] == texts
    for text, one in zip(texts, found, strict=True):
        assert one.mass == pytest.approx(_forced(mt, text, epsilon, late), abs=ROUNDING)
    for options in ({"kept": 1, "rows": 3}, {"batch_size": 1}):
        again = bounds(mt, texts[::-1], late, epsilon=epsilon, width=0, **options)[::-1]
        for one, other in zip(found, again, strict=True):
            assert other.mass == pytest.approx(one.mass, abs=ROUNDING), options
            assert other.evaluations >= one.evaluations
    early = bounds(mt, texts, decide, epsilon=epsilon, width=0.01, best=True)
    for one, other in zip(found, early, strict=True):
        for label, mass in one.mass.items():
            low, high = other.interval(label)
            assert low <= mass <= high


def _forced(mt, text, epsilon, decide):
    """Every sequence by whole forward passes, from the definition."""
    batch, forced = mt.batch([text]), mt.tokenizer.forced
    states = mt.engine.encode(batch.ids, batch.mask)
    stack, mass = [(forced, 1.0)], {}
    while stack:
        ids, p = stack.pop()
        inputs = torch.tensor([[mt.engine.start_id, *ids]])
        hidden = mt.engine.decode(states, batch.mask, inputs)[:, -1]
        logits = mt.engine.project(hidden)[0].double()
        logits[list(mt.engine.barred)] = -math.inf
        share = logits.softmax(-1)
        share[(share < epsilon) & (share < share.max())] = 0
        share /= share.sum()
        for token in share.nonzero()[:, 0].tolist():
            child, q = (*ids, token), p * float(share[token])
            ended = token == mt.engine.eos_id or len(child) >= mt.limits.of(len(batch.ids[0]))
            if ended:
                label = decide(0, mt.tokenizer.decode(child), True)
                mass[label] = mass.get(label, 0.0) + q
            else:
                stack.append((child, q))
    return mass


def test_states_are_bounded(tiny_model, monkeypatch):
    mt = tiny_model("marian")
    mt.limits = Limits(factor=0, extra=6)
    most, grow = 0, Tree.grow

    def counted(tree, prefixes, least):
        nonlocal most
        done = grow(tree, prefixes, least)
        most = max(most, tree.states.held.total())
        return done

    monkeypatch.setattr(Tree, "grow", counted)
    bounds(mt, tiny.SENTENCES, at_the_end, width=0.2, most=60, rows=8, kept=16)
    assert 8 < most <= 16


def test_what_is_spent_is_said():
    mt = markov(1)
    (found,) = bounds(mt, ["x"], at_the_end, epsilon=0, width=0.001, most=5)
    assert not found.reached
    assert found.evaluations == 5
    assert found.undecided > 0.001
    mass, _ = by_label(mt.engine, 0, mt.tokenizer.decode)
    for label, truth in mass.items():
        low, high = found.interval(label)
        assert low <= truth <= high


def test_under_an_intervention(tiny_model):
    """A head that is ablated has the bounds of a model without its columns."""
    whole, cut = tiny_model("marian"), tiny_model("marian")
    with torch.no_grad():
        cut.out_proj("cross", 1).weight[:, cut.head_slice("cross", 1, 2)] = 0
    for mt in (whole, cut):
        mt.limits = Limits(factor=0, extra=4)

    def decide(number, text, ended):
        return text if ended else None

    def of(mt):
        return [b.mass for b in bounds(mt, tiny.SENTENCES[:3], decide, epsilon=0.1)]

    with whole.ablate(cross=[(1, 2)]):
        under = of(whole)
    for ours, theirs in zip(under, of(cut), strict=True):
        assert ours == pytest.approx(theirs, abs=ROUNDING)
    assert under != of(whole)


@pytest.mark.parametrize("kept", [4096, 1])
def test_everything_from_the_twin_has_the_twins_bounds(tiny_model, kept):
    """A sentence and its twin step side by side, twice over; steps let go are made again alike."""
    mt = tiny_model("marian")
    mt.limits = Limits(factor=0, extra=4)
    twins = twins_of.make(mt, like=True)
    ours, theirs = ([getattr(one, side).item.text for one in twins] for side in ("male", "female"))

    def of(texts, **options):
        whole = {"epsilon": 0.05, "width": 0.0, **options}
        found = bounds(mt, texts, lambda _, text, ended: text if ended else None, **whole)
        return [one.mass for one in found]

    wanted, heads = of(theirs), every_head(mt, tuple(mt.sites))
    plain = zip(of(ours), wanted, strict=True)
    assert all(one != pytest.approx(other, abs=ROUNDING) for one, other in plain)
    with mt.patched(twins, **heads), mt.patched(twins, embeddings=True, **heads):
        found = of(ours, kept=kept)
    for one, other in zip(found, wanted, strict=True):
        assert one == pytest.approx(other, abs=ROUNDING)


def test_what_is_far_less_likely_waits():
    """Not a hundred prefixes of a thousandth before one of a third, should nothing be left then."""
    masses = [0.3, 0.2, 0.1, *[0.001] * 395, 0.005]
    source = _Source(0, "x", [Prefix(0, (i,), mass, None) for i, mass in enumerate(masses)])
    assert [one.mass for one in source.needed(0.01)] == [0.3, 0.2, 0.1, 0.005, *[0.001] * 28]
    source.open = source.open[3:]
    later = source.needed(0.0105)
    assert [later[0].mass, len(later)] == [0.005, 396 - 10]
    assert source.needed(0.41) == []


def test_bounds_survive_json():
    (found,) = bounds(markov(0), ["x"], first_letter, best=True)
    assert found.best
    assert Bounds.from_json(json.loads(json.dumps(found.to_json()))) == found


@pytest.mark.parametrize(
    ("mass", "undecided", "majority"),
    [
        ({"f": 0.6, "m": 0.3}, 0.1, "f"),
        ({"f": 0.45, "m": 0.4}, 0.15, None),
        ({"f": 0.4}, 0.6, None),  # of a label that was never met
        ({"f": 0.51}, 0.49, "f"),
        ({"f": 0.5, "m": 0.5}, 0.0, None),
        ({}, 1.0, None),
    ],
)
def test_majority(mass, undecided, majority):
    assert Bounds("x", mass, undecided, 1, 0.02, 0.01).majority == majority


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epsilon": 1.0}, "ε out of range"),
        ({"width": 1.0}, "width out of range"),
        ({"width": -0.1}, "width out of range"),
        ({"width": math.nan}, "width out of range"),
        ({"most": 0}, "most out of range"),
        ({"batch_size": 0}, "batch_size out of range"),
        ({"kept": 0}, "kept out of range"),
    ],
)
def test_out_of_range(options, message):
    with pytest.raises(cs.CueScopeError, match=message):
        bounds(markov(0), ["x"], first_letter, **options)


def test_a_label_is_asked_for_at_the_end():
    with pytest.raises(cs.CueScopeError, match="no label"):
        bounds(markov(0), ["x"], lambda number, text, ended: None)


def test_nothing_to_enumerate():
    assert bounds(markov(0), [], first_letter) == []
