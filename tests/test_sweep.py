"""The wavefront equals the obvious loop: one forward per head, with a plain hook."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

import tiny
import twins_of
from cuescope import CueScopeError
from cuescope.data.contrast import pair
from cuescope.data.items import Item
from cuescope.inside.contrast import Contrast
from cuescope.inside.effect import feed as feeding
from cuescope.inside.effect.ablation import ablation
from cuescope.inside.effect.attribution import attribute
from cuescope.inside.effect.measure import normalised
from cuescope.inside.effect.patch import ROWS, patch
from cuescope.inside.options import Patching
from cuescope.inside.ready import Ready

FAMILIES = [*tiny.FAMILIES]


def naive(mt, twins, site, into, where="all"):
    """Each pair alone, each head alone: patched by hand, read from all logits."""
    usable = [t for t in twins if site != "encoder" or where != "all" or t.like_length]
    return np.stack([one_pair(mt, one, site, into, where) for one in usable])


def one_pair(mt, one, site, into, where):
    layers, heads = mt.sites[site]
    base, donor = one.twin(into), one.twin(feeding.other(into))
    choice = one.at(into)  # the twin is fed the words of the sentence that is patched
    prefix = torch.tensor([[mt.engine.start_id, *choice.prefix]])

    def lean(subject):
        batch = mt.batch([subject.item.text])
        states = mt.engine.encode(batch.ids, batch.mask)
        logits = mt.engine.project(mt.engine.decode(states, batch.mask, prefix))[0, -1]
        return float(logits[choice.feminine] - logits[choice.masculine])

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


def check(mt, twins, rows=ROWS, **options):
    sites = tuple(mt.sites)
    if mt.family.tags == "token":  # T5's sharp attention again: here it exceeds float32's noise
        mt.engine.module.double()
    with torch.no_grad():
        wave = patch(mt, twins, sites, Patching(normalise="none", **options), rows=rows)
        for site in sites:
            slow = naive(mt, twins, site, options.get("into", "male"), options.get("where", "all"))
            assert wave[site].values.shape == slow.shape
            scale = max(1.0, float(np.abs(wave[site].rows[["base", "twin"]]).to_numpy().max()))
            assert np.abs(wave[site].values - slow).max() < 2e-5 * scale
            # The first decoder layer sees the same words in both twins: its heads have no effect.
            deep = site != "decoder" or mt.sites[site][0] > 1
            assert not deep or np.abs(slow).max() > 1e-3, "nothing would equal anything"


@pytest.mark.slow
@pytest.mark.parametrize("layers", [(2, 2), (3, 1), (1, 3)], ids=str)
@pytest.mark.parametrize("family", FAMILIES)
def test_wavefront_equals_one_forward_per_head(tiny_model, family, layers):
    """Padded: the pairs are of different lengths and go in one batch."""
    mt = tiny_model(family, layers)
    check(mt, twins_of.make(mt), rows=10_000)


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_unpadded_and_into_the_other_side(tiny_model, family):
    mt = tiny_model(family)
    check(mt, twins_of.make(mt), rows=1, into="female")


def own_prefixes(mt, twins):
    """The same twins, the female ones with a choice of their own, elsewhere."""
    made = []
    for one in twins:
        start = len(mt.tokenizer.forced)
        prefix = (*one.contrast.prefix[:start], *one.contrast.prefix[start:][::-1], 7)
        hers = Contrast(prefix, one.contrast.masculine, one.contrast.feminine, "own prefix")
        made.append(replace(one, female_own=hers))
    return Ready(made, {}, "tiny")


@pytest.mark.slow
@pytest.mark.parametrize("into", ["male", "female"])
@pytest.mark.parametrize("family", ["marian", "nllb", "t5"])
def test_each_twin_has_its_own_prefix(tiny_model, family, into):
    mt = tiny_model(family)
    twins = own_prefixes(mt, twins_of.make(mt))
    check(mt, twins, into=into)
    common = patch(mt, twins_of.make(mt), ("cross",), Patching(into, normalise="none"))["cross"]
    own = patch(mt, twins, ("cross",), Patching(into, normalise="none"))["cross"]
    assert np.allclose(own.values, common.values, atol=1e-5) is (into == "male")


def test_ablation_needs_one_prefix(tiny_model):
    mt = tiny_model("marian")
    first, *rest = twins_of.make(mt)
    both = Ready([*own_prefixes(mt, [first]), *rest], {})
    found = ablation(mt, both, value="zero", normalise="none")["encoder"]
    assert len(found) == len(rest)
    assert found.skipped == {"twins whose translations part before the noun": 1}


@pytest.mark.parametrize(
    ("options", "known"),
    [
        ({"normalise": "max"}, "mean, pair or none"),
        ({"into": "twin"}, "male, female or both"),
        ({"where": "verb"}, "all, noun or cue"),
        ({"measure": "surprise"}, "logit difference, probability or gender"),
    ],
    ids=str,
)
def test_an_option_that_is_none_is_refused(tiny_model, options, known):
    """No name is taken for another."""
    mt = tiny_model("marian")
    twins = twins_of.make(mt, like=True)
    [(name, _)] = options.items()
    for measured in (mt.patch, mt.attribute):
        with pytest.raises(CueScopeError, match=f"no such {name}") as caught:
            measured(twins, "encoder", **options)
        assert caught.value.expected == known
    if name in ("into", "where"):
        with pytest.raises(CueScopeError, match=f"no such {name}"):
            mt.patched(twins, encoder=[(0, 0)], **options).__enter__()
    if name in ("normalise", "measure"):
        with pytest.raises(CueScopeError, match=f"no such {name}"):
            ablation(mt, twins, **options)
    with pytest.raises(CueScopeError, match="no such value"):
        ablation(mt, twins, value="median")


@pytest.mark.parametrize("measured", [patch, attribute])
def test_both_is_the_mean_of_the_two_directions(tiny_model, measured):
    """As shares of the gap, and as bare changes, which count towards the twin's gender."""
    mt = tiny_model("marian")
    twins = twins_of.make(mt, like=True)
    with pytest.raises(CueScopeError, match="no such into"):  # one sentence is run at a time
        mt.patched(twins, encoder=[(0, 0)], into="both").__enter__()
    for normalise, sign in (("mean", 1), ("none", -1)):
        done = []
        hows = [Patching(into, normalise=normalise) for into in ("male", "female", "both")]
        male, female = (measured(mt, twins, ("cross",), how)["cross"].values for how in hows[:2])
        both = measured(mt, twins, ("cross",), hows[2], progress=done.append)["cross"]
        np.testing.assert_allclose(both.values, (male + sign * female) / 2, atol=1e-9)
        assert both.signature["into"] == "both"
        assert sum(done) == 2 * len(twins)


def test_given_heads_are_told_for_both_directions(tiny_model):
    mt = tiny_model("marian")
    twins, given = twins_of.make(mt, like=True), {"cross": [(0, 0)]}
    rows = [
        mt.patch(twins, "cross", into=into, given=given).rows["given"].to_numpy()
        for into in ("male", "female", "both")
    ]
    np.testing.assert_allclose(rows[2], (rows[0] + rows[1]) / 2)


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_noun_only(tiny_model, family):
    mt = tiny_model(family)
    check(mt, twins_of.make(mt), where="noun")


@pytest.mark.slow
def test_firefox(firefox):
    check(firefox, twins_of.make(firefox)[:2])


@pytest.mark.parametrize("family", ["marian", "t5"])
def test_cue_only_reaches_the_encoder_only(tiny_model, family):
    mt = tiny_model(family)
    twins = twins_of.make(mt, like=True)
    wave = patch(mt, twins, ("encoder",), Patching(where="cue", normalise="none"))["encoder"]
    assert np.allclose(wave.values, naive(mt, twins, "encoder", "male", "cue"), atol=1e-4)
    with pytest.raises(CueScopeError, match="the cue stands in no position"):
        patch(mt, twins, ("cross",), Patching(where="cue"))


def test_probability_and_shares(tiny_model):
    mt = tiny_model("marian")
    twins = twins_of.make(mt, like=True)
    raw = patch(mt, twins, how=Patching(normalise="none"))["encoder"]
    share = patch(mt, twins, how=Patching(normalise="pair"))["encoder"]
    assert np.allclose(share.values, raw.values / raw.rows.gap.to_numpy()[:, None, None])
    probability = patch(mt, twins, how=Patching(normalise="none", measure="probability"))["encoder"]
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
        how=Patching(normalise="none"),
        heads={"encoder": [(1, 2)]},
        given={"encoder": [(0, 1)], "cross": [(1, 0)]},
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
    from cuescope.inside.effect.measure import gender_scores

    male = Item("The teacher slept because he was tired.", (4, 11), (26, 28), "male")
    female = Item("The teacher slept because she was tired.", (4, 11), (26, 29), "female")
    twins = firefox.twins([pair(male, female, 0)])
    heads = [(0, 7), (2, 1), (4, 4)]
    how = Patching(measure="gender", normalise="none")
    found = patch(firefox, twins, how=how, heads={"encoder": heads})["encoder"]
    plain = gender_scores(firefox, [male], firefox.translate(male.text))
    assert found.rows.base[0] == plain[0]
    for head in heads:
        with firefox.patched(twins, encoder=[head]):
            text = firefox.translate(male.text)
        change = gender_scores(firefox, [male], text) - plain
        assert found.values[0, *head] == change[0]
    with pytest.raises(CueScopeError, match="swept over encoder heads"):
        patch(firefox, twins, ("cross",), Patching(measure="gender"))
    with pytest.raises(CueScopeError, match="no such measure"):
        patch(firefox, twins, how=Patching(measure="surprise"))


def test_twins_that_do_not_differ_have_no_gap(tiny_model):
    mt = tiny_model("marian")
    one = twins_of.make(mt, like=True, count=1)[0]
    same = type(one)(one.pair, one.male, one.male, one.contrast)
    with pytest.raises(CueScopeError, match="no gap to restore"):
        patch(mt, Ready([same], {}))


def test_a_gap_of_rounding_is_none():
    """Other processors add up in another order: equal twins differ in the last bits there."""
    change = np.array([[1e-7], [1e-7]])
    with pytest.raises(CueScopeError, match="no gap to restore"):
        normalised(change, np.array([2.4e-7, -4.8e-7]), "mean")
    shares, _ = normalised(change, np.array([2e-4, 2e-4]), "mean")
    assert shares.ravel().tolist() == pytest.approx([5e-4, 5e-4])


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
