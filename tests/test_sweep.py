"""The wavefront equals the obvious loop: one forward per head, with a plain hook."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import tiny
import twins_of
from cuescope import CueScopeError
from cuescope.data.contrast import pair
from cuescope.data.items import Item
from cuescope.hooks import feed as feeding
from cuescope.hooks.sweep import patch
from cuescope.subjects import Ready

FAMILIES = [*tiny.FAMILIES]


def naive(mt, twins, site, into, where="all"):
    """Each pair alone, each head alone: patched by hand, read from all logits."""
    usable = [t for t in twins if site != "encoder" or where != "all" or t.like_length]
    return np.stack([one_pair(mt, one, site, into, where) for one in usable])


def one_pair(mt, one, site, into, where):
    layers, heads = mt.sites[site]
    base, donor = feeding.of(one, into), feeding.of(one, feeding.other(into))
    prefix = torch.tensor([[mt.engine.start_id, *one.contrast.prefix]])

    def lean(subject):
        batch = mt.batch([subject.item.text])
        states = mt.engine.encode(batch.ids, batch.mask)
        logits = mt.engine.project(mt.engine.decode(states, batch.mask, prefix))[0, -1]
        return float(logits[one.contrast.feminine] - logits[one.contrast.masculine])

    plain, found = lean(base), np.zeros((layers, heads))
    for layer in range(layers):
        said = []
        projection = mt.out_proj(site, layer)
        handle = projection.register_forward_pre_hook(lambda _, args, s=said: s.append(args[0]))
        assert lean(donor) != plain
        handle.remove()
        for head in range(heads):
            part = mt.head_slice(site, layer, head)

            def edit(_, args, part=part, twin=said[0]):
                x = args[0].clone()
                if where == "all":
                    x[..., part] = twin[..., part]
                elif site == "encoder":
                    ours, theirs = getattr(base, where), getattr(donor, where)
                    x[:, list(ours), part] = twin[:, list(theirs), part]
                else:
                    x[:, -1, part] = twin[:, -1, part]
                return (x,)

            handle = projection.register_forward_pre_hook(edit)
            found[layer, head] = lean(base) - plain
            handle.remove()
    return found


def check(mt, twins, **options):
    sites = tuple(mt.sites)
    if mt.family.tags == "token":  # T5's sharp attention again: here it exceeds float32's noise
        mt.engine.module.double()
    with torch.no_grad():
        wave = patch(mt, twins, sites, normalise="none", **options)
        options.pop("rows", None)
        for site in sites:
            slow = naive(mt, twins, site, options.get("into", "male"), options.get("where", "all"))
            assert wave[site].values.shape == slow.shape
            scale = max(1.0, float(np.abs(wave[site].rows[["base", "twin"]]).to_numpy().max()))
            assert np.abs(wave[site].values - slow).max() < 2e-5 * scale
            # The first decoder layer sees the same words in both twins: its heads have no effect.
            deep = site != "decoder" or mt.sites[site][0] > 1
            assert not deep or np.abs(slow).max() > 1e-3, "nothing would equal anything"


@pytest.mark.parametrize("layers", [(2, 2), (3, 1), (1, 3)], ids=str)
@pytest.mark.parametrize("family", FAMILIES)
def test_wavefront_equals_one_forward_per_head(tiny_model, family, layers):
    """Padded: the pairs are of different lengths and go in one batch."""
    mt = tiny_model(family, layers)
    check(mt, twins_of.make(mt), rows=10_000)


@pytest.mark.parametrize("family", FAMILIES)
def test_unpadded_and_into_the_other_side(tiny_model, family):
    mt = tiny_model(family)
    check(mt, twins_of.make(mt), rows=1, into="female")


@pytest.mark.parametrize("family", FAMILIES)
def test_noun_only(tiny_model, family):
    mt = tiny_model(family)
    check(mt, twins_of.make(mt), where="noun")


def test_firefox(firefox):
    check(firefox, twins_of.make(firefox)[:2])


@pytest.mark.parametrize("family", ["marian", "t5"])
def test_cue_only_reaches_the_encoder_only(tiny_model, family):
    mt = tiny_model(family)
    twins = twins_of.make(mt, like=True)
    wave = patch(mt, twins, ("encoder",), where="cue", normalise="none")["encoder"]
    assert np.allclose(wave.values, naive(mt, twins, "encoder", "male", "cue"), atol=1e-4)
    with pytest.raises(CueScopeError, match="the cue stands in no position"):
        patch(mt, twins, ("cross",), where="cue")


def test_probability_and_shares(tiny_model):
    mt = tiny_model("marian")
    twins = twins_of.make(mt, like=True)
    raw = patch(mt, twins, normalise="none")["encoder"]
    share = patch(mt, twins, normalise="pair")["encoder"]
    assert np.allclose(share.values, raw.values / raw.rows.gap.to_numpy()[:, None, None])
    probability = patch(mt, twins, normalise="none", measure="probability")["encoder"]
    wanted = 1 / (1 + np.exp(-raw.rows.base))
    assert np.allclose(probability.rows.base, wanted, atol=1e-6)
    assert probability.signature["measure"] == "probability"


def test_unlike_lengths_are_counted_where_the_site_needs_like_ones(tiny_model):
    mt = tiny_model("marian")
    twins = twins_of.make(mt)
    unlike = sum(not one.like_length for one in twins)
    assert 0 < unlike < len(twins)
    found = patch(mt, twins, ("encoder", "cross"))
    assert len(found["encoder"]) == len(twins) - unlike
    assert found["encoder"].skipped == {feeding.UNLIKE: unlike}
    assert len(found["cross"]) == len(twins)
    assert found["cross"].skipped == {}


def test_given_heads_are_patched_all_the_time(tiny_model):
    """One head given and another swept equals both patched at once."""
    mt = tiny_model("marian")
    twins = twins_of.make(mt, like=True)
    both = patch(
        mt,
        twins,
        heads={"encoder": [(1, 2)]},
        given={"encoder": [(0, 1)], "cross": [(1, 0)]},
        normalise="none",
    )["encoder"]
    with torch.no_grad(), mt.patched(twins, encoder=[(0, 1), (1, 2)], cross=[(1, 0)]):
        fed = feeding.feed(mt, twins, "male")
        logits = mt.engine.project(feeding.hidden_of(mt, fed))
    rows = torch.arange(len(twins))
    lean = logits[rows, fed.feminine] - logits[rows, fed.masculine]
    total = both.rows.base + both.rows.given + both.values[:, 1, 2]
    assert np.allclose(total, lean.numpy(), atol=1e-4)
    assert np.isnan(both.values[:, 0]).all()


def test_the_gender_of_the_generated_noun(firefox):
    """Swept in one batch, and generated again under each head's own intervention."""
    from cuescope.hooks.measure import gender_scores

    male = Item("The teacher slept because he was tired.", (4, 11), (26, 28), "male")
    female = Item("The teacher slept because she was tired.", (4, 11), (26, 29), "female")
    twins = firefox.twins([pair(male, female, 0)])
    heads = [(0, 7), (2, 1), (4, 4)]
    options = {"measure": "gender", "normalise": "none", "heads": {"encoder": heads}}
    found = patch(firefox, twins, **options)["encoder"]
    plain = gender_scores(firefox, [male], firefox.translate(male.text))
    assert found.rows.base[0] == plain[0]
    for head in heads:
        with firefox.patched(twins, encoder=[head]):
            text = firefox.translate(male.text)
        change = gender_scores(firefox, [male], text) - plain
        assert found.values[0, *head] == change[0]
    with pytest.raises(CueScopeError, match="swept over encoder heads"):
        patch(firefox, twins, ("cross",), measure="gender")
    with pytest.raises(CueScopeError, match="no such measure"):
        patch(firefox, twins, measure="surprise")


def test_twins_that_do_not_differ_have_no_gap(tiny_model):
    mt = tiny_model("marian")
    one = twins_of.make(mt, like=True, count=1)[0]
    same = type(one)(one.pair, one.male, one.male, one.contrast)
    with pytest.raises(CueScopeError, match="no gap to restore"):
        patch(mt, Ready([same], {}))


def test_nothing_is_left_behind(tiny_model):
    mt = tiny_model("m2m")
    before = mt.weights_hash
    patch(mt, twins_of.make(mt), tuple(mt.sites))
    modules = list(mt.engine.module.modules())
    assert not any(m._forward_hooks or m._forward_pre_hooks for m in modules)
    assert mt.weights_hash == before


def test_no_pairs(tiny_model):
    with pytest.raises(CueScopeError, match="no pair can be used"):
        patch(tiny_model("marian"), Ready([], {"no cue": 3}))
