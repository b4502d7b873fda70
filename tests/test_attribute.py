"""Attribution against what it estimates, against captum's promise, and nnsight's numbers."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import tiny
import twins_of
from cuescope import CueScopeError
from cuescope.inside.effect import feed as feeding
from cuescope.inside.effect.attribution import attribute
from cuescope.inside.effect.inputs import input_attribution
from cuescope.inside.effect.patch import patch
from cuescope.inside.options import Integrating, Patching

RAW = Patching(normalise="none")
SHARP = ("t5", "madlad")  # one network: its attention is not scaled


def slope_by_differences(mt, twins, site, layer, head, step):
    """The obvious estimate: move a head a little way to the twin, divide by the way."""
    donors, _ = feeding.from_twin(mt, twins, "male", [site], "all")
    fed = feeding.feed(mt, twins, "male")
    part = mt.head_slice(site, layer, head)

    def lean(way):
        def edit(_, args):
            x = args[0].clone()
            x[..., part] += way * (donors[site, layer].values - x)[..., part]
            return (x,)

        handle = mt.out_proj(site, layer).register_forward_pre_hook(edit)
        logits = mt.engine.project(feeding.hidden_of(mt, fed))
        handle.remove()
        rows = torch.arange(len(twins))
        return (logits[rows, fed.feminine] - logits[rows, fed.masculine]).double()

    return ((lean(step) - lean(-step)) / (2 * step)).numpy()


@pytest.mark.slow
@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_gradients_equal_small_differences(tiny_model, family):
    mt = tiny_model(family)
    mt.engine.module.double()
    twins = twins_of.make(mt, like=True, count=2)
    found = attribute(mt, twins, tuple(mt.sites), RAW)
    with torch.no_grad():
        for site in mt.sites:
            for head in ((0, 0), (1, 3)):
                # T5 takes its softmax in single precision, whatever the weights are in.
                step, rel, least = (1e-3, 6e-2, 1e-2) if family in SHARP else (1e-5, 1e-3, 1e-6)
                wanted = slope_by_differences(mt, twins, site, *head, step)
                assert found[site].values[:, *head] == pytest.approx(wanted, rel=rel, abs=least)
    assert found["encoder"].signature["steps"] == "0"
    modules = list(mt.engine.module.modules())
    assert not any(m._forward_hooks or m._forward_pre_hooks for m in modules)
    assert not any(p.requires_grad for p in mt.engine.module.parameters())


@pytest.mark.slow
def test_it_finds_the_heads_that_patching_finds(firefox, shared):
    from scipy.stats import spearmanr

    from cuescope.data import pairs
    from cuescope.inside.ready import subject_pairs

    some = subject_pairs(pairs("winomt", shared("winomt")))[:14]
    twins = firefox.twins(some)
    effect = patch(firefox, twins)["encoder"].mean().values
    for steps, least in ((0, 0.5), (4, 0.8)):
        guess = attribute(firefox, twins, steps=steps)["encoder"].mean().values
        assert spearmanr(effect.ravel(), guess.ravel()).statistic > least
        assert set(np.argsort(-effect.ravel())[:2]) <= set(np.argsort(-guess.ravel())[:4])


def test_integration_needs_twins_of_like_length(tiny_model):
    mt = tiny_model("marian")
    twins = twins_of.make(mt)
    like = sum(one.like_length for one in twins)
    found = attribute(mt, twins, ("cross",), steps=3)["cross"]
    assert len(found) == like
    assert found.skipped == {feeding.UNLIKE: len(twins) - like}
    assert len(attribute(mt, twins, ("cross",))["cross"]) == len(twins)


@pytest.mark.slow
@pytest.mark.parametrize("family", [*tiny.FAMILIES, "firefox"])
def test_captum_accounts_for_the_whole_gap(request, tiny_model, family):
    """Completeness: the parts sum to the difference; from the twin, all of it is the cue's."""
    pytest.importorskip("captum")
    mt = request.getfixturevalue("firefox") if family == "firefox" else tiny_model(family)
    twins = twins_of.make(mt, like=True, count=1)
    gap = patch(mt, twins, how=RAW)["encoder"].rows.gap[0]
    table = input_attribution(mt, twins, Integrating(baseline="twin", steps=60))
    assert table.value.sum() - table.delta[0] == pytest.approx(gap, abs=1e-3)
    if family not in SHARP:  # its unscaled attention turns too sharply for this many steps
        assert abs(table.delta[0]) < 0.1 * abs(gap) + 0.05
    cue = table[table.role == "cue"].value.sum()
    if (table.role == "cue").sum() == 1:
        assert cue == pytest.approx(table.value.sum(), abs=1e-4)
    ends = input_attribution(mt, twins, Integrating(steps=8))
    assert len(ends) == len(twins[0].female.encoding)
    assert set(ends.role) == {"noun", "cue", "other"}


@pytest.mark.parametrize("family", ["marian", "m2m", "t5", "firefox"])
def test_nnsight_sees_the_same_numbers(request, tiny_model, family):
    pytest.importorskip("nnsight")
    mt = request.getfixturevalue("firefox") if family == "firefox" else tiny_model(family)
    twins = twins_of.make(mt, count=1)
    fed = feeding.feed(mt, twins, "male")
    with torch.no_grad():
        hidden = feeding.hidden_of(mt, fed)
        wanted = mt.engine.project(hidden)
        with feeding.recorded(mt, [("encoder", 1)]) as seen:
            feeding.hidden_of(mt, fed)
    model = mt.nnsight()
    path = mt.family.encoder.format(1) + "." + mt.family.out
    module = model
    for name in path.split("."):
        module = module[int(name)] if name.isdigit() else getattr(module, name)
    names = ("ids", "mask", "inputs")
    if family != "firefox":
        names = ("input_ids", "attention_mask", "decoder_input_ids")
    with torch.no_grad(), model.trace(**dict(zip(names, fed[:3], strict=True))):
        said = module.input.save()
        out = (model.output if family == "firefox" else model.output.logits).save()
    assert torch.equal(said, seen["encoder", 1])
    assert torch.allclose(out[0, fed.steps[0]], wanted[0], atol=1e-5)


def test_no_captum(tiny_model, monkeypatch):
    import sys

    mt = tiny_model("marian")
    monkeypatch.setitem(sys.modules, "captum", None)
    monkeypatch.setitem(sys.modules, "captum.attr", None)
    monkeypatch.setitem(sys.modules, "nnsight", None)
    with pytest.raises(CueScopeError, match="pip install captum"):
        input_attribution(mt, twins_of.make(mt, count=1))
    with pytest.raises(CueScopeError, match="pip install nnsight"):
        mt.nnsight()
