"""Marian's files and network against a slow oracle; damaged files are said to be damaged."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from cuescope import CueScopeError
from cuescope.models import catalog, firefox, marian_file
from marian_writer import OPTIONS, Oracle, pack, tensors

SOURCE, TARGET = [5, 9, 3, 17, 0], [4, 8, 2, 0]
SHAPES = {
    "as Firefox ships it": {},
    "self-attention": {"transformer-decoder-autoreg": "self-attention"},
    "pre-norm": {
        "transformer-preprocess": "n",
        "transformer-postprocess": "da",
        "transformer-postprocess-top": "n",
        "transformer-decoder-autoreg": "self-attention",
    },
    "deep and narrow": {"enc-depth": 7, "dec-depth": 1, "dim-emb": 8, "transformer-heads": 2},
    "swish, nothing tied": {"transformer-ffn-activation": "swish", "tied-embeddings-all": False},
    "one layer each": {"enc-depth": 1, "dec-depth": 1, "transformer-heads": 1},
}


def open_net(tmp_path, options, weights, **how):
    path = tmp_path / "model.bin"
    path.write_bytes(pack(options, weights, **how))
    return firefox.build(marian_file.read(path), path.name)


def logits_of(net, source, target):
    ids = torch.tensor([source])
    mask = torch.ones_like(ids)
    inputs = torch.tensor([[net.start_id, *target[:-1]]])
    return net.project(net.decode(net.encode(ids, mask), mask, inputs))[0].numpy()


@pytest.mark.parametrize("changed", SHAPES.values(), ids=SHAPES)
def test_network_equals_the_oracle(tmp_path, changed):
    options = OPTIONS | changed
    weights = tensors(options)
    net = open_net(tmp_path, options, weights)
    wanted = Oracle(options, weights).logits(SOURCE, TARGET)
    assert np.abs(wanted).max() > 1
    np.testing.assert_allclose(logits_of(net, SOURCE, TARGET), wanted, atol=2e-4)


def test_padding_and_steps_change_nothing(tmp_path):
    for changed in SHAPES.values():
        options = OPTIONS | changed
        net = open_net(tmp_path, options, tensors(options))
        pad = net.pad_id
        ids = torch.tensor([[*SOURCE, pad, pad], [5, 9, 3, 17, 6, 7, 0]])
        mask = (ids != pad).long()
        states = net.encode(ids, mask)
        inputs = torch.tensor([[net.start_id, *TARGET[:-1]]] * 2)
        together = net.project(net.decode(states, mask, inputs))
        np.testing.assert_allclose(together[0], logits_of(net, SOURCE, TARGET), atol=2e-4)
        state = net.start(states, mask)
        for step in range(inputs.shape[1]):
            hidden, state = net.step(inputs[:, step], state)
            np.testing.assert_allclose(net.project(hidden), together[:, step], atol=2e-4)


def test_int8_is_dequantised(tmp_path):
    weights = tensors(OPTIONS)
    net = open_net(tmp_path, OPTIONS, weights, int8=True)
    rounded = {}
    for name, value in weights.items():
        scale = 127 / np.abs(value).max()
        is_matrix = name.split("_")[-1][0] == "W"
        rounded[name] = np.round(value * scale) / scale if is_matrix else value
    wanted = Oracle(OPTIONS, rounded).logits(SOURCE, TARGET)
    np.testing.assert_allclose(logits_of(net, SOURCE, TARGET), wanted, atol=2e-4)


@pytest.mark.model
def test_the_real_model_equals_the_oracle(request):
    """Six layers of 256 in float64 loops: slow, and the last word."""
    mt = request.getfixturevalue("firefox")
    folder = catalog.folder_of("firefox:en-pt")
    file = marian_file.read(next(folder.glob("model*.bin")))
    source = mt.tokenise("The mechanic called because she was late.").ids
    target = mt.tokenise_target("O mecânico chamou porque ela estava atrasada.").ids
    wanted = Oracle(file.config, file.tensors).logits(list(source), list(target))
    ours = logits_of(mt.engine, source, target)
    np.testing.assert_allclose(ours, wanted, atol=2e-3)
    assert (ours.argmax(-1) == wanted.argmax(-1)).all()


GOOD = pack(OPTIONS, tensors(OPTIONS), int8=True)


@given(st.integers(0, len(GOOD) - 1))
@settings(max_examples=60, deadline=None)
def test_every_truncation_is_said(tmp_path_factory, length):
    path = tmp_path_factory.mktemp("cut") / "model.bin"
    path.write_bytes(GOOD[:length])
    with pytest.raises(CueScopeError, match="not a whole Marian model file"):
        marian_file.read(path)


def _broken(what):
    options, weights = dict(OPTIONS), tensors(OPTIONS)
    if what == "version":
        return b"\2" + GOOD[1:]
    if what == "extra":
        weights["decoder_l1_extra_W"] = np.ones((2, 2), np.float32)
    elif what == "missing":
        del weights["encoder_l2_self_Wk"]
    elif what == "shape":
        weights["encoder_l2_self_Wk"] = np.ones((16, 8), np.float32)
    elif what == "type":
        at = GOOD.find((0x4101).to_bytes(8, "little"))
        return GOOD[:at] + (0x208).to_bytes(8, "little") + GOOD[at + 8 :]
    else:
        options |= what
    return pack(options, weights)


BROKEN = [
    ("version", "not a whole Marian model file"),
    ("type", "a type that cuescope does not read"),
    ("extra", "does not explain"),
    ("missing", "encoder_l2_self_Wk"),
    ("shape", "encoder_l2_self_Wk of shape"),
    ({"transformer-decoder-autoreg": "average-attention"}, "a part of Marian"),
    ({"dec-cell": "gru"}, "a part of Marian"),
    ({"type": "s2s"}, "a part of Marian"),
    ({"transformer-train-position-embeddings": True}, "a part of Marian"),
    ({"transformer-heads": 3}, "heads"),
]


@pytest.mark.parametrize(("what", "said"), BROKEN, ids=str)
def test_damage_is_said(tmp_path, what, said):
    path = tmp_path / "model.bin"
    path.write_bytes(_broken(what))
    with pytest.raises(CueScopeError, match=said):
        firefox.build(marian_file.read(path), path.name)


def test_every_tensor_is_needed(tmp_path):
    path, every = tmp_path / "model.bin", tensors(OPTIONS)
    assert len(every) > 40
    for name in every:
        path.write_bytes(pack(OPTIONS, {k: v for k, v in every.items() if k != name}))
        with pytest.raises(CueScopeError):
            firefox.build(marian_file.read(path), path.name)


def test_a_flipped_byte_does_not_crash(tmp_path):
    """Whatever a disk does to the header, the answer is an error for people or other numbers."""
    draw = np.random.default_rng(1)
    path = tmp_path / "model.bin"
    for at in draw.integers(0, 6000, 200):
        path.write_bytes(GOOD[:at] + bytes([GOOD[at] ^ 0xFF]) + GOOD[at + 1 :])
        try:
            firefox.build(marian_file.read(path), path.name)
        except CueScopeError as error:
            assert str(error).count("\n") >= 3  # noqa: PT017


@pytest.mark.model
def test_folders(tmp_path):
    with pytest.raises(CueScopeError, match="holds no model"):
        catalog.locate(str(tmp_path))
    (tmp_path / "model.a.bin").write_bytes(GOOD)
    spm = next(catalog.folder_of("firefox:en-pt").glob("*.spm"))
    (tmp_path / "vocab.a.spm").write_bytes(spm.read_bytes())
    assert catalog.locate(str(tmp_path))[0] == "firefox"
    with pytest.raises(CueScopeError, match="eager or sdpa"):
        firefox.load(tmp_path, "flash")
    with pytest.raises(CueScopeError, match="do not belong together"):
        firefox.load(tmp_path)
    (tmp_path / "vocab.a.spm").write_bytes(b"nonsense")
    with pytest.raises(CueScopeError, match="not a whole SentencePiece model"):
        firefox.load(tmp_path)
    (tmp_path / "model.b.bin").write_bytes(GOOD)
    with pytest.raises(CueScopeError, match="one Firefox model"):
        firefox.load(tmp_path)
