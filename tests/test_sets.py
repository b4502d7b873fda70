"""Sets of heads, paths, ablations and comparisons, each against the obvious way."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
import torch

import twins_of
from cuescope import CueScopeError
from cuescope.inside.edit.outputs import said
from cuescope.inside.effect import feed as feeding
from cuescope.inside.effect import sets
from cuescope.inside.effect.ablation import ablation
from cuescope.inside.effect.patch import patch
from cuescope.inside.effect.paths import paths
from cuescope.inside.heads import every_head
from cuescope.inside.options import Patching
from cuescope.measures.agreement import compare, halves
from cuescope.stats.scores import Scores


def lean(mt, twins, side):
    fed = feeding.feed(mt, twins, side)
    with torch.no_grad():
        logits = mt.engine.project(feeding.hidden_of(mt, fed))
    rows = torch.arange(len(twins))
    return (logits[rows, fed.feminine] - logits[rows, fed.masculine]).double().numpy()


def restored(mt, twins, heads, into="male"):
    """The share that some heads restore, by the context manager."""
    base, twin = lean(mt, twins, into), lean(mt, twins, feeding.other(into))
    with mt.patched(twins, into=into, **heads):
        now = lean(mt, twins, into)
    return float((now - base).mean() / (twin - base).mean())


def test_together_is_chosen_on_one_half_and_scored_on_the_other(tiny_model):
    mt = tiny_model("marian")
    twins = twins_of.make(mt, like=True)
    mine, others = sets.split(twins)
    assert {one.pair.pro.noun for one in mine}.isdisjoint(one.pair.pro.noun for one in others)
    assert len(mine) + len(others) == len(twins)
    steps = sets.greedy(mt, mine, judged=others, enough=2.0, most=2)
    assert steps
    chosen = []
    for step in steps:
        chosen.append((step.layer, step.head))
        for half, told in ((mine, step.restored), (others, step.held.value)):
            both = [restored(mt, half, {"encoder": chosen}, into) for into in ("male", "female")]
            assert told == pytest.approx(np.mean(both), abs=1e-4)
        assert step.held.n == len(others)


@pytest.mark.parametrize("family", ["marian", "t5"])
def test_greedy_takes_the_best_each_time(tiny_model, family):
    mt = tiny_model(family)
    twins = twins_of.make(mt, like=True)
    steps = sets.greedy(mt, twins, how=Patching(into="male"), enough=2.0, most=2)
    chosen = []
    for step in steps:
        tried = {
            head: restored(mt, twins, {"encoder": [*chosen, head]})
            for head in every_head(mt, ["encoder"])["encoder"]
            if head not in chosen
        }
        best = max(tried, key=tried.get)
        assert (step.layer, step.head) == best
        assert step.restored == pytest.approx(tried[best], abs=1e-4)
        chosen.append(best)


def test_greedy_ends_when_enough_is_restored(tiny_model):
    mt = tiny_model("marian")
    twins = twins_of.make(mt, like=True)
    steps = sets.greedy(mt, twins, ("encoder", "cross"), enough=0.05)
    assert steps[-1].restored >= 0.05
    assert all(step.restored < 0.05 for step in steps[:-1])
    with pytest.raises(CueScopeError, match="no such into"):
        sets.greedy(mt, twins, how=Patching(into="twin"))
    with pytest.raises(CueScopeError, match="share of the mean gap"):
        sets.greedy(mt, twins, how=Patching(normalise="none"))


def test_pairs_of_heads(tiny_model):
    mt = tiny_model("m2m")
    twins = twins_of.make(mt, like=True)
    heads = [("encoder", 0, 1), ("encoder", 1, 2), ("cross", 0, 0)]
    table = sets.pairs(mt, twins, heads)
    assert len(table) == 3
    for row in table.itertuples():
        by_site = {}
        for site, layer, head in (row.first, row.second):
            by_site.setdefault(site, []).append((layer, head))
        both = restored(mt, twins, by_site)
        alone = [restored(mt, twins, {s: [(a, b)]}) for s, a, b in (row.first, row.second)]
        assert row.both == pytest.approx(both, abs=1e-4)
        assert row.interaction == pytest.approx(both - sum(alone), abs=2e-4)
    with pytest.raises(CueScopeError, match="two heads"):
        sets.pairs(mt, twins, heads[:1])


@pytest.mark.slow
@pytest.mark.parametrize("family", ["marian", "m2m", "nllb", "mbart", "t5"])
@pytest.mark.parametrize("value", ["zero", "mean", "resample"])
def test_the_ablation_sweep_equals_one_ablation_per_head(tiny_model, family, value):
    mt = tiny_model(family)
    twins, over = twins_of.make(mt), ["The nurse slept.", "He went home."]
    found = ablation(mt, twins, tuple(mt.sites), value=value, over=over, normalise="none")
    whole = lean(mt, twins, "female") - lean(mt, twins, "male")
    for site in mt.sites:
        for head in ((0, 1), (1, 3)):
            with mt.ablate(value=value, over=over, **{site: [head]}):
                gap = lean(mt, twins, "female") - lean(mt, twins, "male")
            assert found[site].values[:, *head] == pytest.approx(whole - gap, abs=2e-4)
    assert found["encoder"].signature["value"] == value


@pytest.mark.parametrize("family", ["marian", "t5"])
def test_paths_by_hand(tiny_model, family):
    """One sender and one receiver, step by step with plain hooks."""
    mt = tiny_model(family, (3, 1))
    twins = twins_of.make(mt, like=True, count=1)
    sender, receiver = (0, 1), (2, 3)
    found = paths(mt, twins, sender, normalise="none")
    assert np.isnan(found.values[:, 0]).all()
    layers = range(3)
    fed = {side: feeding.feed(mt, twins, side) for side in ("male", "female")}

    def run(side, hooks):
        handles = [register(hook) for register, hook in hooks]
        with torch.no_grad():
            hidden = feeding.hidden_of(mt, fed[side])
            pair = mt.engine.pick(hidden, torch.stack([fed[side].feminine, fed[side].masculine], 1))
        for handle in handles:
            handle.remove()
        return float(pair[0, 0] - pair[0, 1])

    said_by = {"male": {}, "female": {}}
    for side, kept in said_by.items():
        keep = [
            (
                mt.out_proj("encoder", n).register_forward_pre_hook,
                lambda _, a, n=n, kept=kept: kept.__setitem__(n, a[0]),
            )
            for n in layers
        ]
        run(side, keep)
    values = {}

    def freeze(n):
        def before(_, args):
            x = said_by["male"][n].clone()
            if n == sender[0]:
                part = mt.head_slice("encoder", *sender)
                x[..., part] = said_by["female"][n][..., part]
            return (x,)

        return before

    v_proj = getattr(mt.attention("encoder", receiver[0]), mt.family.value)
    frozen = [(mt.out_proj("encoder", n).register_forward_pre_hook, freeze(n)) for n in layers]
    run("male", [*frozen, (v_proj.register_forward_hook, lambda _, a, o: values.update(v=o))])

    def receive(_, args, out):
        out = out.clone()
        part = mt.head_slice("encoder", *receiver)
        noun = list(twins[0].male.noun)
        out[:, noun, part] = values["v"][:, noun, part]
        return out

    wanted = run("male", [(v_proj.register_forward_hook, receive)]) - run("male", [])
    assert found.values[0, *receiver] == pytest.approx(wanted, abs=1e-5)
    with pytest.raises(CueScopeError, match="no layer comes after"):
        paths(mt, twins, (2, 0))


def test_said_covers_emitted_steps(tiny_model):
    mt = tiny_model("marian")
    mt.limits = type(mt.limits)(most=6)
    texts = ["The nurse slept.", "He went home."]
    pools = said(mt, [("cross", 0), ("encoder", 1)], texts)
    assert len(pools["cross", 0]) == sum(len(h.ids) for h in mt.generate(texts))


def scores(values, measure="effect", pairs=None):
    rows = pd.DataFrame({"pair": range(len(values)) if pairs is None else pairs})
    return Scores(np.asarray(values), "encoder", measure, rows, unit="pair")


def test_compare_ranks_heads():
    rng = np.random.default_rng(0)
    truth = np.arange(1.0, 9.0).reshape(2, 4)
    a = scores(truth + 0.01 * rng.normal(size=(30, 2, 4)), "attention")
    b = scores(-truth + 0.01 * rng.normal(size=(30, 2, 4)))
    found = compare(a, b)
    assert (found.rho, found.n) == (1.0, 30)
    assert compare(a, b, size=False).rho == -1.0
    assert np.isnan(found.low)  # eight heads are too few for an interval over heads
    swapped = truth.copy()
    swapped[0, 0], swapped[1, 3] = 8.0, 1.0
    worse = compare(a, scores(np.repeat(swapped[None], 30, 0)))
    assert worse.rho < 0
    assert {(r.layer, r.head) for r in worse.disagree(2).itertuples()} == {(0, 0), (1, 3)}
    assert worse.to_json()["names"] == ["attention", "effect"]
    assert "ρ = " in repr(found)


def test_compare_uses_the_pairs_that_both_have():
    rng = np.random.default_rng(1)
    values = rng.normal(size=(6, 2, 2))
    a, b = scores(values, pairs=range(6)), scores(values[::-1][:4], pairs=[5, 4, 3, 2])
    found = compare(a, b)
    assert (found.n, round(found.rho, 9)) == (4, 1.0)
    with pytest.raises(CueScopeError, match="no pair in common"):
        compare(a, scores(values, pairs=range(10, 16)))
    other = Scores(values, "cross", "effect", a.rows, unit="pair")
    with pytest.raises(CueScopeError, match="not of the same heads"):
        compare(a, other)


def test_halves_are_disjoint():
    """Noise alone does not correlate with itself."""
    rng = np.random.default_rng(2)
    noise = halves(scores(rng.normal(size=(40, 6, 8))))
    assert abs(noise.value) < 0.3
    assert noise.low < noise.value < noise.high
    assert noise.over == "200 splits by pair"
    steady = np.arange(48.0).reshape(1, 6, 8) + 0.1 * rng.normal(size=(40, 6, 8))
    assert halves(scores(steady)).value > 0.99


def test_a_scatter(tmp_path):
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("agg")
    from cuescope.show.figures.compare import compare as scatter

    rng = np.random.default_rng(3)
    a, b = scores(rng.normal(size=(5, 3, 4)), "attention"), scores(rng.normal(size=(5, 3, 4)))
    ax = scatter(a, b)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("attention", "effect")
    assert len(ax.collections[0].get_offsets()) == 12
    assert len(ax.texts) >= 5
    ax.figure.savefig(tmp_path / "scatter.png")
    plt.close(ax.figure)


@pytest.mark.slow
def test_a_few_heads_of_firefox_carry_the_cue(firefox, shared):
    """Stable: two disjoint halves of the pairs rank all heads alike, and agree on the first."""
    from cuescope.data import pairs
    from cuescope.inside.ready import subject_pairs

    twins = firefox.twins(subject_pairs(pairs("winomt", shared("winomt")))[:60])
    found = patch(firefox, twins)["encoder"]
    assert halves(found).value >= 0.8
    assert halves(found, size=False).value >= 0.8
    mean = found.mean().values
    order = np.argsort(-mean, axis=None)
    top = [tuple(map(int, np.unravel_index(n, mean.shape))) for n in order[:2]]
    assert set(top) == {(2, 1), (0, 7)}
    assert mean.ravel()[order[:2]].sum() > 0.6
    texts = {side: [getattr(t, side).item for t in twins[:30]] for side in ("female", "male")}
    steered = {}
    for factor, side in itertools.product((1.0, 4.0), texts):
        from cuescope.inside.effect.measure import gender_scores

        with firefox.scale(factor, encoder=top):
            out = firefox.translate([i.text for i in texts[side]])
        steered[factor, side] = (gender_scores(firefox, texts[side], out) == 1).mean()
    assert steered[4.0, "female"] > steered[1.0, "female"] + 0.3
    assert steered[4.0, "male"] <= steered[1.0, "male"] + 0.05
