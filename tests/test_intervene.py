"""Interventions: what they do, that they nest, that they raise, that nothing stays."""

from __future__ import annotations

import pytest
import torch

import tiny
import twins_of
from cuescope import CueScopeError
from cuescope.inside.edit.outputs import said
from cuescope.inside.effect.feed import matched
from cuescope.inside.heads import every_head
from cuescope.models.decoding import Limits

FAMILIES = [*tiny.FAMILIES]
SOURCES, TARGETS = tiny.SENTENCES[:3], tiny.SENTENCES[3:6]


@pytest.fixture(params=[*FAMILIES, "firefox"], scope="module")
def mt(request, tiny_model):
    if request.param == "firefox":
        return request.getfixturevalue("firefox")
    found = tiny_model(request.param)
    found.limits = Limits(most=10)
    return found


@pytest.fixture(autouse=True)
def _as_it_was(request):
    """Whatever a test does, the model is bit-identical afterwards, and bare."""
    if "mt" not in request.fixturenames:
        yield
        return
    mt = request.getfixturevalue("mt")
    before, engine = mt.weights_hash, mt.engine
    yield
    modules = list(mt.engine.module.modules())
    assert not any(m._forward_hooks or m._forward_pre_hooks for m in modules)
    assert mt.weights_hash == before
    assert mt.engine is engine


def logits(mt, sources=SOURCES, targets=TARGETS):
    with torch.no_grad():
        return mt.logits(sources, targets)


def close(a, b):
    return float((a - b).abs().max()) < 3e-5 * max(1.0, float(b.abs().max()))


@pytest.mark.slow
@pytest.mark.parametrize("site", ["encoder", "cross"])
def test_ablating_equals_subtracting_the_slice_of_w_o(mt, site):
    """Guard 5: zeroing a head is zeroing the columns of W_O, for every head."""
    whole = logits(mt)
    projection = mt.out_proj(site, 1)
    for head in range(mt.sites[site][1]):
        with mt.ablate(**{site: [(1, head)]}):
            found = logits(mt)
        kept = projection.weight.data
        projection.weight.data = kept.clone()
        projection.weight.data[:, mt.head_slice(site, 1, head)] = 0
        wanted = logits(mt)
        projection.weight.data = kept
        assert close(found, wanted)
        assert not torch.equal(found, whole)


@pytest.mark.parametrize("value", ["zero", "mean", "resample"])
def test_generation_runs_under_an_ablation(mt, value):
    """What is generated is what teacher forcing under the same ablation prefers."""
    over = tiny.SENTENCES[:2]
    heads = {site: [(0, 0), (1, 2)] for site in mt.sites}
    with mt.ablate(value=value, over=over, **heads):
        found = mt.generate(SOURCES)
        alone = mt.generate(SOURCES[0])
        again = mt.generate(SOURCES)
        for source, best in zip(SOURCES, found, strict=True):
            batch = mt.batch([source])
            inputs = mt.decoder_inputs(torch.tensor([best.ids]))
            with torch.no_grad():
                states = mt.engine.encode(batch.ids, batch.mask)
                rows = mt.engine.project(mt.engine.decode(states, batch.mask, inputs))[0]
            for step, token in enumerate(best.ids):
                if step >= len(mt.tokenizer.forced) and token not in mt.engine.barred:
                    rows[step, list(mt.engine.barred)] = -torch.inf
                    assert rows[step, token] > rows[step].max() - 1e-3
    assert found == again
    assert alone[0] == found[0]


def test_mean_is_the_mean_over_words(mt):
    over = tiny.SENTENCES[:2]
    pool = said(mt, [("encoder", 0)], over)["encoder", 0]
    assert len(pool) == sum(len(mt.tokenise(text)) for text in over)
    seen = {}
    part = mt.head_slice("encoder", 0, 1)

    def keep(_, args):
        seen["x"] = args[0]

    with mt.ablate(value="mean", over=over, encoder=[(0, 1)]):
        handle = mt.out_proj("encoder", 0).register_forward_pre_hook(keep)
        logits(mt)
        handle.remove()
    wanted = pool.mean(0)[part].expand_as(seen["x"][..., part])
    assert torch.allclose(seen["x"][..., part], wanted)


def test_scaling(mt):
    heads = {"encoder": [(1, 0)], "cross": [(0, 1)]}
    whole = logits(mt)
    with mt.scale(1.0, **heads):
        assert torch.equal(logits(mt), whole)
    with mt.scale(0.0, **heads):
        silent = logits(mt)
    with mt.ablate(**heads):
        assert torch.equal(logits(mt), silent)
    with mt.scale(0.5, **heads), mt.scale(2.0, **heads):
        assert close(logits(mt), whole)
    with mt.scale(3.0, **heads):
        assert not close(logits(mt), whole)


def test_a_heads_own_activation_changes_nothing(mt):
    """Guard 2, first half: a sentence as its own twin."""
    twins = twins_of.make(mt, like=True)
    own = [type(one)(one.pair, one.male, one.male, one.contrast) for one in twins]
    texts = [one.male.item.text for one in twins]
    targets = TARGETS[:1] * len(texts)
    whole = logits(mt, texts, targets)
    with mt.patched(own, into="female", **every_head(mt, tuple(mt.sites))):
        assert torch.equal(logits(mt, texts, targets), whole)


@pytest.mark.slow
def test_everything_from_the_twin_is_the_twin(mt):
    """Guard 2, second half: embeddings and every head; and generation too."""
    twins = twins_of.make(mt, like=True)
    ours, theirs = ([getattr(one, side).item.text for one in twins] for side in ("male", "female"))
    targets = TARGETS[:1] * len(ours)
    heads = every_head(mt, tuple(mt.sites))
    wanted, generated = logits(mt, theirs, targets), mt.generate(theirs)
    assert not close(logits(mt, ours, targets), wanted)
    with mt.patched(twins, embeddings=True, **heads):
        assert close(logits(mt, ours, targets), wanted)
        assert mt.generate(ours) == generated
    with mt.patched(twins, **heads):
        assert not torch.equal(logits(mt, ours, targets), logits(mt, ours[::-1], targets))


@pytest.mark.slow
def test_patching_holds_in_any_order_and_in_generation(mt):
    """Rows are known by their sentence: batches, orders and beams do not matter."""
    twins = twins_of.make(mt, like=True)
    texts = [one.male.item.text for one in twins]
    heads = {"encoder": [(0, 1), (1, 0)], "cross": [(1, 1)]}
    with mt.patched(twins, **heads):
        found = mt.translate(texts)
        assert mt.translate(texts[::-1]) == found[::-1]
        assert [mt.translate(text)[0] for text in texts] == found
        assert len(mt.translate(texts, beam=2)) == len(texts)


def test_noun_and_cue_together_are_less_than_all(mt):
    twins = [one for one in twins_of.make(mt, like=True) if matched(one, "male", "cue")]
    texts = [one.male.item.text for one in twins]
    targets = TARGETS[:1] * len(texts)
    heads = {"encoder": every_head(mt, ["encoder"])["encoder"]}
    found = {}
    for where in ("all", "noun", "cue"):
        with mt.patched(twins, where=where, **heads):
            found[where] = logits(mt, texts, targets)
    assert not close(found["noun"], found["cue"])
    assert not close(found["all"], found["cue"])


def test_a_floor_under_the_cue(mt):
    twins = twins_of.make(mt)
    subjects = [one.female for one in twins]
    texts = [one.item.text for one in subjects]
    whole = logits(mt, texts, TARGETS[:1] * len(texts))
    with mt.floor(subjects, 0.0, encoder=[(0, 1)]):
        assert close(logits(mt, texts, TARGETS[:1] * len(texts)), whole)
    with mt.floor(subjects, 0.9, encoder=[(0, 1), (1, 0)]):
        assert not close(logits(mt, texts, TARGETS[:1] * len(texts)), whole)
        mt.translate(texts)
    with (
        pytest.raises(CueScopeError, match="noun and cue are not known"),
        mt.floor(subjects, 0.5, encoder=[(0, 1)]),
    ):
        mt.translate("The nurse slept.")


def test_the_floor_is_what_the_noun_gives(tiny_model):
    """Read back by capture, which stands outside and sees the plain weights, and by the output."""
    from cuescope.inside.edit.floor import _raised

    alpha = torch.tensor([[[[0.5, 0.3, 0.1, 0.1], [0.1, 0.1, 0.4, 0.4]]]])
    cues = torch.tensor([[False, False, True, True]])
    lifted = _raised(alpha, cues, 0.6)
    assert torch.allclose(lifted.sum(-1), torch.ones(1, 1, 2))
    assert torch.allclose(lifted[0, 0, 0], torch.tensor([0.25, 0.15, 0.3, 0.3]))
    assert torch.equal(lifted[0, 0, 1], alpha[0, 0, 1])
    nothing = _raised(torch.tensor([[[[1.0, 0.0, 0.0, 0.0]]]]), cues, 0.5)
    assert torch.allclose(nothing[0, 0, 0], torch.tensor([0.5, 0.0, 0.25, 0.25]))


def _stopped(mt):
    assert mt.signature["under"].endswith("encoder 0.0")
    raise KeyboardInterrupt


@pytest.mark.slow
def test_signatures_say_what_is_on(mt):
    """A result made under an intervention must not look like one of the plain model."""
    twins = twins_of.make(mt, like=True)
    plain = mt.signature
    with mt.scale(4.0, encoder=[(1, 0), (0, 1)]):
        assert mt.signature["under"] == "scale 4 encoder 1.0+0.1"
        with mt.ablate(cross=[(0, 0)], value="mean", over=SOURCES):
            both = mt.signature["under"].split(" & ")
            assert len(both) == 2
            assert both[1].startswith("ablate mean seed 0 over ")
            effect = mt.patch(twins, "encoder")
            assert effect.signature["under"] == mt.signature["under"]
    assert mt.signature == plain
    for intervention in (
        mt.patched(twins, encoder=[(0, 0)], into="female"),
        mt.floor([twins[0].male], 0.5, encoder=[(0, 0)]),
    ):
        with pytest.raises(KeyboardInterrupt), intervention:
            _stopped(mt)
    assert mt.signature == plain


def test_what_met_nothing_raises(mt):
    """Guard 3."""
    twins = twins_of.make(mt, like=True)
    for intervention in (
        mt.ablate(encoder=[(0, 0)]),
        mt.scale(2.0, cross=[(0, 0)]),
        mt.patched(twins, encoder=[(0, 0)]),
        mt.floor([twins[0].male], 0.5, encoder=[(0, 0)]),
    ):
        with pytest.raises(CueScopeError, match="met nothing"), intervention:
            pass
    batch = mt.batch(SOURCES)
    with pytest.raises(CueScopeError, match="cross layer 0 met nothing"), mt.ablate(cross=[(0, 0)]):
        mt.engine.encode(batch.ids, batch.mask)
    with pytest.raises(ZeroDivisionError), mt.ablate(cross=[(0, 0)]):
        _ = 1 / 0


def test_what_met_another_shape_raises(mt):
    twins = twins_of.make(mt, like=True)
    with (
        pytest.raises(CueScopeError, match="without a twin"),
        mt.patched(twins, encoder=[(0, 0)]),
    ):
        mt.translate("The nurse slept.")
    batch = mt.batch([one.male.item.text for one in twins])
    inputs = torch.full((1, 2), mt.engine.start_id)

    def run_one_of_them():
        with mt.patched(twins, cross=[(0, 0)]):
            states = mt.engine.encode(batch.ids, batch.mask)
            mt.engine.decode(states[:1], batch.mask[:1], inputs)

    with pytest.raises(CueScopeError, match="other sentences than the encoder"):
        run_one_of_them()


def test_unlike_twins_are_refused_where_positions_have_no_match(tiny_model):
    mt = tiny_model("marian")
    unlike = twins_of.make(mt, like=False)
    assert len(unlike)
    texts = [one.male.item.text for one in unlike]
    with (
        pytest.raises(CueScopeError, match="different length"),
        mt.patched(unlike, encoder=[(0, 0)]),
    ):
        mt.translate(texts)
    with mt.patched(unlike, where="noun", encoder=[(0, 0)]), mt.patched(unlike, cross=[(0, 0)]):
        assert len(mt.translate(texts)) == len(texts)


def test_no_such_head(tiny_model):
    mt = tiny_model("marian")
    for heads in ({"encoder": [(9, 0)]}, {"middle": [(0, 0)]}, {}):
        with pytest.raises(CueScopeError, match=r"no such head|no head"), mt.ablate(**heads):
            pass
    with pytest.raises(CueScopeError, match="no such value"):
        mt.ablate(value="median", encoder=[(0, 0)]).__enter__()
    mt.src = "zh"
    with pytest.raises(CueScopeError, match="over="), mt.ablate(value="mean", encoder=[(0, 0)]):
        pass
