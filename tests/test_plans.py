"""Plans equal the obvious way: one pair, one forward, plain hooks written from the definition."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace

import numpy as np
import pytest
import torch

import tiny
import twins_of
from cuescope import CueScopeError
from cuescope.data.items import Pair
from cuescope.inside.edit.outputs import said
from cuescope.inside.effect import feed as feeding
from cuescope.inside.effect.plans import FEED_FORWARD, STREAM, Edit, climb, module_of
from cuescope.inside.effect.shares import lost, restored, with_donors
from cuescope.inside.options import Patching


def lean(mt, subject, choice):
    batch = mt.batch([subject.item.text])
    prefix = torch.tensor([[mt.engine.start_id, *choice.prefix]])
    states = mt.engine.encode(batch.ids, batch.mask)
    logits = mt.engine.project(mt.engine.decode(states, batch.mask, prefix))[0, -1]
    return float(logits[choice.feminine] - logits[choice.masculine])


def hook(mt, place, call):
    """`call(x)` sees, and may replace, what heads or a block say."""
    if place[0] in mt.sites:
        return mt.out_proj(*place).register_forward_pre_hook(
            lambda _, args: None if (x := call(args[0])) is None else (x,)
        )

    def after(_, __, out):
        first = out[0] if isinstance(out, tuple) else out
        found = call(first)
        if found is None:
            return None
        return (found, *out[1:]) if isinstance(out, tuple) else found

    return module_of(mt, place).register_forward_hook(after)


def seen_in(mt, subject, choice, place):
    kept = []
    handle = hook(mt, place, lambda x: kept.append(x.clone()))
    lean(mt, subject, choice)
    handle.remove()
    return kept[0]


def naive(mt, one, plan, into):
    """One sentence under one plan, every donor run for itself."""
    base, twin, choice = one.twin(into), one.twin(feeding.other(into)), one.at(into)
    with ExitStack() as stack:
        edits = []
        for edit in plan:
            if edit.says == "twin":
                new = seen_in(mt, twin, choice, edit.place)
            elif edit.says == "own":
                new = seen_in(mt, base, choice, edit.place)
            elif edit.says == "zero":
                new = torch.zeros(1, 1, mt.out_proj(*edit.place).in_features)
            else:
                new = said(mt, [edit.place], None)[edit.place].mean(0)[None, None]
            part = slice(None) if edit.head is None else mt.head_slice(*edit.place, edit.head)
            edits.append((edit, part, new))
        for edit, part, new in edits:

            def call(x, edit=edit, part=part, new=new):
                x, old = x.clone(), x[..., part]
                moved = old + edit.dose * (new[..., part] - old)
                if edit.where == "all":
                    x[..., part] = moved
                else:
                    at, there = getattr(base, edit.where), getattr(twin, edit.where)
                    x[:, list(at), part] = new[:, list(there), part]
                return x

            stack.callback(hook(mt, edit.place, call).remove)
        return lean(mt, base, choice)


def plans_of(mt):
    last = mt.sites["encoder"][0] - 1
    deep = mt.sites["cross"][0] - 1
    encoder = [Edit("encoder", n, h) for n in range(last + 1) for h in range(4)]
    return [
        [Edit("encoder", 0, 1)],
        [Edit("encoder", 0, 1), Edit("encoder", last, 2), Edit("cross", deep, 0)],
        encoder[1:],
        [Edit("cross", 0, 3), Edit("cross", deep, 1)],
        [Edit("encoder", last, 0, "zero"), Edit("cross", 0, 2, "mean")],
        [Edit("encoder", 0, 2, "zero", -1.0)],
        [Edit("encoder", 0, 0, "mean"), *(Edit("encoder", last, h, "own") for h in range(4))],
        [Edit(FEED_FORWARD["encoder"], last, None)],
        [Edit(FEED_FORWARD["encoder"], 0, None, where="noun")],
        [Edit(FEED_FORWARD["decoder"], deep, None)],
        [Edit(STREAM, 0, None, where="cue")],
        [Edit(STREAM, last, None)],
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "into"), [*((family, "male") for family in tiny.FAMILIES), ("marian", "female")]
)
def test_a_climb_equals_one_forward_per_plan(tiny_model, family, into):
    mt = tiny_model(family, (2, 2))
    made = twins_of.make(mt, like=True)
    alike = [all(feeding.matched(one, into, w) for w in ("noun", "cue")) for one in made]
    twins = made.without(["" if fits else "unlike" for fits in alike])
    assert len(twins)
    mt.engine.module.double()
    plans = plans_of(mt)
    found = climb(mt, twins, plans, into)
    moved = np.abs(found.values - found.base).max(1)
    assert moved.min() > 1e-6, "nothing would equal anything"
    with torch.no_grad():
        slow = np.array([[naive(mt, one, plan, into) for one in twins] for plan in plans])
        twin = [lean(mt, one.twin(feeding.other(into)), one.at(into)) for one in twins]
    assert found.values == pytest.approx(slow, abs=1e-6)
    assert found.twin == pytest.approx(twin, abs=1e-6)
    # All that leaves the encoder is the twin's: so is the choice.
    assert found.values[-1] == pytest.approx(found.twin, abs=1e-6)


def test_donors_are_other_sentences_of_the_same_shape(tiny_model):
    mt = tiny_model("marian")
    twins = twins_of.make(mt, like=True)
    clerk = [
        replace(one, pair=Pair(*(replace(i, noun="clerk") for i in one.pair), 100 + at))
        for at, one in enumerate(twins)
    ]
    chosen = with_donors([*twins, *clerk])
    assert len(chosen) == 2 * len(twins)
    for one, other in chosen:
        assert one.pair.pro.noun != other.pair.pro.noun
        assert len(one.male.encoding) == len(other.female.encoding)
        assert one.contrast.step == other.contrast.step
    assert with_donors([twins[0]]) == []


@pytest.mark.parametrize("family", ["marian", "t5"])
def test_a_sentence_as_its_own_donor(tiny_model, family):
    """With the same cue it says what it says; with the other one, what the twin says."""
    mt = tiny_model(family)
    twins = twins_of.make(mt, like=True)
    heads = [("encoder", 0, 1), ("encoder", 1, 2), ("cross", 1, 0)]
    plans = [[Edit(*head, says)] for head in heads for says in ("same", "other", "twin")]
    found = climb(mt, twins, plans, "female", others=twins)
    for same, other, twin in zip(*(found.values[n::3] for n in range(3)), strict=True):
        assert same == pytest.approx(found.base, abs=1e-4)
        assert other == pytest.approx(twin, abs=1e-4)
        assert np.abs(twin - found.base).max() > 1e-3


@pytest.mark.slow
def test_shares_are_those_of_the_sweep_and_of_the_ablation(tiny_model):
    from cuescope.inside.effect.ablation import ablation
    from cuescope.inside.effect.patch import patch

    mt = tiny_model("marian")
    twins = twins_of.make(mt, like=True)
    heads = [(site, 1, head) for site in ("encoder", "cross") for head in range(4)]
    found = restored(mt, twins, [[Edit(*head)] for head in heads])
    gone = lost(mt, twins, [[Edit(*head, "mean")] for head in heads])
    for site in ("encoder", "cross"):
        swept = patch(mt, twins, (site,), Patching(into="both"))[site].mean()
        ablated = ablation(mt, twins, (site,))[site].mean()
        for at, (name, layer, head) in enumerate(heads):
            if name == site:
                one = found.value("restored", at)
                assert one.value == pytest.approx(swept.values[layer, head], abs=1e-5)
                assert one.low == pytest.approx(swept.low[layer, head], rel=1e-3)
                assert gone.value("lost", at).value == pytest.approx(
                    ablated.values[layer, head], abs=1e-5
                )


def test_what_cannot_be_run_is_refused(tiny_model):
    mt = tiny_model("marian")
    twins = twins_of.make(mt, like=True)
    for plans in ([[]], [[Edit("encoder", 9, 0)]], [[Edit("encoder", 0, 0, "same")]]):
        with pytest.raises(CueScopeError):
            climb(mt, twins, plans, "male")
    with pytest.raises(CueScopeError):
        climb(mt, twins, [[Edit("encoder", 0, 0, "zero", where="noun")]], "male")
