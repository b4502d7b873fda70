"""Folding is the same arithmetic, and an exported folder is the folded model, byte for byte."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

import cuescope as cs
from cuescope.errors import CueScopeError
from cuescope.mend import Mend, engine, export, fold, slices
from cuescope.mend.floor import floor
from cuescope.mend.louder import louder
from cuescope.models import catalog, marian_file
from marian_writer import OPTIONS, pack, tensors
from test_mend import HEADS, logits, tuned

SENTENCES = ["The engineer called because she was late.", "The river flows through the city."]


@pytest.mark.slow
@pytest.mark.parametrize("family", ["marian", "bart", "m2m"])
def test_folded_is_the_intervention_bit_for_bit(family, tiny_model, tmp_path):
    mt = tiny_model(family)
    plain = logits(mt)
    for mend in (tuned(mt), louder(mt, 3.0, encoder=[(0, 1)], cross=[(1, 2)])):
        with mend.on(mt):
            wanted, said = logits(mt), mt.translate(SENTENCES)
        made = fold.fold(mend, mt)
        assert torch.equal(logits(made), wanted)
        assert made.weights_hash != mt.weights_hash == mend.weights
        to = export.export(mend, mt, tmp_path / mend.kind)
        again = cs.load(str(to), src=mt.src, tgt=mt.tgt)
        assert torch.equal(logits(again), wanted)
        assert again.translate(SENTENCES) == said
        assert Mend.load(to / "mend.safetensors").signature == mend.signature
        assert "not judged" in (to / "README.md").read_text("utf-8")
    assert torch.equal(logits(mt), plain)


def test_what_cannot_be_folded_or_exported(tiny_model, tmp_path):
    mt = tiny_model("marian")
    with pytest.raises(CueScopeError, match="cannot be folded"):
        export.export(floor(mt, 0.3, **HEADS), mt, tmp_path / "a")
    with pytest.raises(CueScopeError, match="not for"):
        export.export(tuned(mt), tiny_model("bart"), tmp_path / "a")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("mine")
    with pytest.raises(CueScopeError, match="is there already"):
        export.export(tuned(mt), mt, tmp_path / "full")
    assert [one.name for one in tmp_path.iterdir()] == ["full"]


@pytest.mark.parametrize("growth", [0.5, 4.0])
def test_only_the_named_matrix_changes(tmp_path, growth):
    """int8 by int8: within the old range the other weights keep their bytes."""
    path = tmp_path / "model.bin"
    path.write_bytes(pack(OPTIONS, tensors(OPTIONS), int8=True))
    before = path.read_bytes()
    name = "encoder_l2_self_Wv"
    old = marian_file.read(path).tensors
    new = old[name].copy()
    new[:, 4:8] *= growth
    path.write_bytes(marian_file.replaced(path, {name: new}))
    after, now = path.read_bytes(), marian_file.read(path).tensors
    here = next(one for one in marian_file.entries(before, path) if one.name == name)
    assert len(after) == len(before)
    assert after[: here.start] == before[: here.start]
    assert after[here.start + new.size + 4 :] == before[here.start + new.size + 4 :]
    step = max(np.abs(new).max(), np.abs(old[name]).max()) / 127
    assert np.abs(now[name] - new).max() <= step / 2 + 1e-6
    if growth < 1:
        untouched = np.ones(new.shape, bool)
        untouched[:, 4:8] = False
        assert (now[name][untouched] == old[name][untouched]).all()
    again = marian_file.replaced(path, {name: now[name]})
    assert again == after  # what lies on the grid stays on it


def test_a_foreign_or_cut_file_is_refused(tmp_path):
    path = tmp_path / "model.bin"
    whole = pack(OPTIONS, tensors(OPTIONS), int8=True)
    for data in (whole[:-9], whole[:40], b"", b"text" * 20):
        path.write_bytes(data)
        with pytest.raises(CueScopeError, match="not a whole Marian"):
            marian_file.replaced(path, {})
    path.write_bytes(whole)
    for name, shape in (("encoder_l9_self_Wv", (16, 16)), ("encoder_l1_self_Wv", (16, 8))):
        with pytest.raises(CueScopeError, match="no place for"):
            marian_file.replaced(path, {name: np.zeros(shape, np.float32)})


@pytest.fixture(scope="module")
def exported(firefox, tmp_path_factory) -> tuple[Mend, Path]:
    """Two heads of the real model made three times louder, as a tuned mend on the file's grid."""
    values = slices.read(firefox, {"encoder": [(2, 1), (0, 7)]})
    values = {n: v * (3.0 if n.endswith("o") else 1.0) for n, v in values.items()}
    mend = Mend(
        "tuned", firefox.name, firefox.weights_hash, {"encoder": [(2, 1), (0, 7)]}, values=values
    )
    mend = export.snapped(mend, firefox)
    return mend, export.export(mend, firefox, tmp_path_factory.mktemp("export") / "pt")


@pytest.mark.slow
@pytest.mark.model
def test_firefox_opened_again_is_the_folded_model(firefox, exported):
    mend, folder = exported
    again, made = cs.load(str(folder)), fold.fold(mend, firefox)
    assert again.weights_hash == made.weights_hash
    place = Path(catalog.locate("firefox:en-pt")[1])
    names = {one.name for one in folder.iterdir()}
    assert names == {
        "README.md",
        "mend.safetensors",
        "model.enpt.intgemm.alphas.bin",
        "vocab.enpt.spm",
    }
    assert (folder / "vocab.enpt.spm").read_bytes() == (place / "vocab.enpt.spm").read_bytes()
    with mend.on(firefox):
        assert firefox.translate(SENTENCES) == again.translate(SENTENCES)
    assert again.translate(SENTENCES[:1])[0].startswith("A engenheira")


@pytest.mark.slow
@pytest.mark.model
@pytest.mark.skipif(bool(engine.missing()), reason=f"not at hand: {engine.missing()}")
def test_firefox_own_engine_says_it(firefox, exported):
    _, folder = exported
    place = Path(catalog.locate("firefox:en-pt")[1])
    before, after = (engine.translate(one, SENTENCES) for one in (place, folder))
    assert before[0].startswith("O engenheiro")
    assert after[0].startswith("A engenheira")
    assert before[1] == after[1]
    (folder / "vocab.enpt.spm").write_bytes(b"no vocabulary")
    with pytest.raises(CueScopeError, match="did not translate"):
        engine.translate(folder, SENTENCES)
