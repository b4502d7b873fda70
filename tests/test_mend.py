"""A mend is a value: it acts inside its `with`, is saved and read again, and refuses what is not
its own."""

from __future__ import annotations

import pytest
import torch

import cuescope as cs
from cuescope.errors import CueScopeError
from cuescope.mend import Mend, slices
from cuescope.mend.louder import louder

SOURCES = ["The mechanic called because she was late.", "The nurse said that he was tired."]
TARGETS = ["O mecânico falaram com a enfermeira.", "O médico e a enfermeira falaram."]
HEADS = {"encoder": [(0, 1), (1, 3)]}


@pytest.fixture(params=["marian", "bart", "m2m"])
def mt(request, tiny_model) -> cs.Translator:
    return tiny_model(request.param)


def tuned(mt: cs.Translator, heads=HEADS, seed: int = 0) -> Mend:
    """Slices moved at random."""
    generator = torch.Generator().manual_seed(seed)
    values = {
        name: value + 0.3 * torch.randn(value.shape, generator=generator)
        for name, value in slices.read(mt, heads).items()
    }
    return Mend("tuned", mt.name, mt.weights_hash, heads, values=values, fitted={"data": "noise"})


@torch.no_grad()
def logits(mt: cs.Translator) -> torch.Tensor:
    return mt.logits(SOURCES, TARGETS)


def test_louder_is_scaling(mt):
    plain, mend = logits(mt), louder(mt, 3.0, **HEADS)
    with mt.scale(3.0, **HEADS):
        scaled = logits(mt)
    with mend.on(mt):
        assert "louder 3 encoder 0.1+1.3" in mt.signature["under"]
        torch.testing.assert_close(logits(mt), scaled, rtol=1e-4, atol=1e-4)
    assert not torch.allclose(plain, scaled, atol=1e-3)
    assert torch.equal(logits(mt), plain)


def test_tuned_slices_are_only_theirs_and_go_again(mt):
    before = {name: value.clone() for name, value in mt.engine.module.state_dict().items()}
    plain, mend = logits(mt), tuned(mt)
    with mend.on(mt):
        inside = {name: value.clone() for name, value in mt.engine.module.state_dict().items()}
        assert not torch.allclose(logits(mt), plain, atol=1e-3)
        mt.translate(SOURCES)
    moved = sum(int((inside[name] != value).sum()) for name, value in before.items())
    assert moved == mend.size  # every weight of the heads, and no other
    with pytest.raises(ZeroDivisionError), mend.on(mt):
        raise ZeroDivisionError
    assert all(torch.equal(v, before[n]) for n, v in mt.engine.module.state_dict().items())
    assert torch.equal(logits(mt), plain)


def test_a_slice_is_the_head(tiny_model):
    """With another head's slices zeroed, a head's own ablation is the zero of its output slice."""
    mt = tiny_model("marian")
    zero = {n: torch.zeros_like(v) for n, v in slices.read(mt, {"cross": [(1, 2)]}, "o").items()}
    with mt.ablate(cross=[(1, 2)]):
        wanted = logits(mt)
    with slices.placed(mt, zero, "zero", {"cross": [(1, 2)]}):
        torch.testing.assert_close(logits(mt), wanted, rtol=1e-4, atol=1e-5)


def test_saved_and_read_again(mt, tmp_path):
    for mend in (tuned(mt), louder(mt, 2.0, fitted="simplegen", **HEADS)):
        mend.save(tmp_path / "a.mend")
        again = Mend.load(tmp_path / "a.mend")
        assert again.signature == mend.signature
        again.save(tmp_path / "b.mend")
        assert (tmp_path / "a.mend").read_bytes() == (tmp_path / "b.mend").read_bytes()
        with mend.on(mt):
            first = logits(mt)
        with again.on(mt):
            assert torch.equal(logits(mt), first)


def test_mends_nest_and_the_signature_says_both(tiny_model):
    mt = tiny_model("marian")
    with tuned(mt).on(mt), louder(mt, 2.0, cross=[(0, 0)]).on(mt):
        assert mt.signature["under"].count("&") == 1
        assert mt.signature["weights"] != mt.weights_hash  # the model's own, whatever is on


def test_other_weights_heads_and_shapes_are_refused(tiny_model):
    mt, other = tiny_model("marian"), tiny_model("bart")
    with pytest.raises(CueScopeError, match="not for"):
        tuned(mt).on(other)
    with pytest.raises(CueScopeError, match="no such head"):
        Mend("louder", mt.name, mt.weights_hash, {"encoder": [(9, 0)]}, {"factor": 2}).on(mt)
    with pytest.raises(CueScopeError, match="no such kind"):
        Mend("magic", mt.name, mt.weights_hash)
    mend = tuned(mt)
    cut = {name: value[:-1] for name, value in mend.values.items()}
    with pytest.raises(CueScopeError, match="does not fit"):
        Mend("tuned", mt.name, mt.weights_hash, HEADS, values=cut).on(mt).__enter__()
    fewer = dict(list(mend.values.items())[:-1])
    with pytest.raises(CueScopeError, match="does not fit"):
        Mend("tuned", mt.name, mt.weights_hash, HEADS, values=fewer).on(mt)
    same = slices.read(mt, HEADS)
    with pytest.raises(CueScopeError, match="changes nothing"):
        Mend("tuned", mt.name, mt.weights_hash, HEADS, values=same).on(mt).__enter__()
    with pytest.raises(CueScopeError, match="where noun and cue stand"):
        Mend("floor", mt.name, mt.weights_hash, HEADS, {"least": 0.3}).on(mt)


def test_what_is_no_mend(tiny_model, tmp_path):
    from safetensors.torch import save_file

    path = tmp_path / "a.mend"
    tuned(tiny_model("marian")).save(path)
    whole = path.read_bytes()
    foreign = tmp_path / "foreign.safetensors"
    save_file({"a": torch.zeros(2)}, foreign)
    altered = bytearray(whole)
    altered[-1] ^= 1
    for data in (whole[:-5], whole[:20], b"", b"text", foreign.read_bytes(), bytes(altered)):
        path.write_bytes(data)
        with pytest.raises(CueScopeError, match="is not a mend"):
            Mend.load(path)
    with pytest.raises(CueScopeError, match="is not a mend"):
        Mend.load(tmp_path / "none")
