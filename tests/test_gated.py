"""Gated units: added to the file and to the network alike, and nothing where they are off."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import torch

import cuescope as cs
from cuescope.errors import CueScopeError
from cuescope.mend import Mend, engine, export, fit, fold, gated, lessons, quiet, sense
from cuescope.mend.gate import Gate, Gating
from cuescope.models import catalog, marian_file, marian_grow
from cuescope.models import firefox as net_of
from marian_writer import OPTIONS, Oracle, pack, tensors
from test_mend import logits as tiny_logits

WIDTH = OPTIONS["dim-emb"]
SOME = tuple(lessons.templates()[::60])
SOURCE, TARGET = [5, 9, 11, 0], [7, 8, 0]


def names(depths=(OPTIONS["enc-depth"], OPTIONS["dec-depth"])) -> list[str]:
    sides = zip(("encoder", "decoder"), depths, strict=True)
    return [f"{side}.{n}" for side, depth in sides for n in range(depth)]


def units(seed: int = 0, bias: float = 0.0, count: int = 64, width: int = WIDTH, blocks=None):
    draw = np.random.default_rng(seed)
    return {
        name: marian_grow.Units(
            draw.normal(0, 0.3, (width, count)),
            np.full(count, bias),
            draw.normal(0, 0.3, (count, width)),
        )
        for name in blocks or names()
    }


def with_units(old: dict[str, np.ndarray], some) -> dict[str, np.ndarray]:
    """The definition: columns of W1, numbers of b1, rows of W2; zeros where there are no units."""
    new = dict(old)
    for name in names():
        side, layer = name.split(".")
        at = f"{side}_l{int(layer) + 1}_ffn_"
        u = some.get(name)
        if u is None:
            u = marian_grow.Units(*(np.zeros_like(part) for part in some["encoder.0"]))
        new[f"{at}W1"] = np.concatenate([old[f"{at}W1"], u.into], 1)
        new[f"{at}b1"] = np.concatenate([old[f"{at}b1"], u.bias[None]], 1)
        new[f"{at}W2"] = np.concatenate([old[f"{at}W2"], u.out], 0)
    return new


@pytest.mark.parametrize("int8", [False, True])
@pytest.mark.parametrize("side", ["", "encoder"], ids=["both sides", "encoder alone"])
def test_a_grown_file_is_the_network_with_more_units(tmp_path, int8, side):
    path = tmp_path / "model.bin"
    path.write_bytes(pack(OPTIONS, tensors(OPTIONS), int8=int8))
    before, some = marian_file.read(path), units()
    some = {name: value for name, value in some.items() if name.startswith(side)}
    grown = tmp_path / "grown.bin"
    grown.write_bytes(marian_grow.grown(path, some))
    after = marian_file.read(grown)
    assert after.config["transformer-dim-ffn"] == OPTIONS["transformer-dim-ffn"] + 64
    wanted = with_units(before.tensors, some)
    for name, value in wanted.items():
        step = np.abs(before.tensors[name]).max() / 127 if int8 and "_W" in name else 0.0
        within = np.clip(value, -127 * step, 127 * step) if step else value
        assert after.tensors[name].shape == value.shape
        assert np.abs(after.tensors[name] - within).max() <= step / 2 + 1e-6, name
    old = {one.name: one for one in marian_file.entries(path.read_bytes(), path)}
    for one in marian_file.entries(grown.read_bytes(), grown):
        if "_ffn_" not in one.name and one.name != marian_file.CONFIG:
            a, b = old[one.name], one
            assert (
                path.read_bytes()[a.start : a.start + a.length]
                == grown.read_bytes()[b.start : b.start + b.length]
            )
    options = {**OPTIONS, "transformer-dim-ffn": after.config["transformer-dim-ffn"]}
    net = net_of.build(after, "grown")
    ids = torch.tensor([SOURCE])
    with torch.no_grad():
        found = net(ids, torch.ones_like(ids), torch.tensor([[net.start_id, *TARGET[:-1]]]))[0]
    slow = Oracle(options, after.tensors).logits(SOURCE, TARGET)
    assert np.abs(found.numpy() - slow).max() < 1e-3
    plain = Oracle(OPTIONS, before.tensors).logits(SOURCE, TARGET)
    assert np.abs(slow - plain).max() > 1e-2


@pytest.mark.parametrize("side", ["", "encoder"], ids=["both sides", "encoder alone"])
def test_a_decoder_of_a_width_of_its_own_grows_if_it_has_units(tmp_path, side):
    own = "transformer-decoder-dim-ffn"
    path, grown = tmp_path / "model.bin", tmp_path / "grown.bin"
    path.write_bytes(pack(options := {**OPTIONS, own: 40}, tensors(options)))
    some = {name: value for name, value in units().items() if name.startswith(side)}
    grown.write_bytes(marian_grow.grown(path, some))
    config = marian_file.read(grown).config
    assert config["transformer-dim-ffn"] == OPTIONS["transformer-dim-ffn"] + 64
    assert config[own] == (40 if side else 104)
    after = marian_file.read(grown)
    net = net_of.build(after, "grown")  # refuses matrices that are not as wide as it says
    ids = torch.tensor([SOURCE])
    with torch.no_grad():
        found = net(ids, torch.ones_like(ids), torch.tensor([[net.start_id, *TARGET[:-1]]]))[0]
    slow = Oracle(after.config, after.tensors).logits(SOURCE, TARGET)
    assert np.abs(found.numpy() - slow).max() < 1e-3
    old = marian_file.read(path).tensors
    for name, value in after.tensors.items():
        kept = name.startswith("decoder") and bool(side)
        assert "_ffn_" not in name or not kept or np.array_equal(value, old[name])


def test_units_that_are_off_change_nothing(tmp_path):
    path = tmp_path / "model.bin"
    path.write_bytes(pack(OPTIONS, tensors(OPTIONS), int8=True))
    grown = tmp_path / "grown.bin"
    grown.write_bytes(marian_grow.grown(path, units(bias=-1e3)))
    old, new = marian_file.read(path), marian_file.read(grown)
    options = {**OPTIONS, "transformer-dim-ffn": new.config["transformer-dim-ffn"]}
    slow = Oracle(options, new.tensors).logits(SOURCE, TARGET)
    assert np.array_equal(slow, Oracle(OPTIONS, old.tensors).logits(SOURCE, TARGET))


@pytest.mark.parametrize(
    "some",
    [units(count=10), {}, {**units(), **units(count=128, blocks=["encoder.0"])}],
    ids=["ten", "none", "odd"],
)
def test_a_width_that_the_engine_cannot_take_is_refused(tmp_path, some):
    path = tmp_path / "model.bin"
    path.write_bytes(pack(OPTIONS, tensors(OPTIONS), int8=True))
    with pytest.raises(CueScopeError, match="cannot be grown"):
        marian_grow.grown(path, some)


def test_a_model_without_such_blocks_is_refused(tiny_model):
    mt = tiny_model("t5")
    mend = Mend("gated", mt.name, mt.weights_hash, values={"encoder.0.in": torch.zeros(64, 4)})
    with pytest.raises(CueScopeError, match="cannot have gated units"), mend.on(mt):
        tiny_logits(mt)


def some_units(mt: cs.Translator, bias: float, count: int = 8) -> Mend:
    """Random units of any model's shapes."""
    torch.manual_seed(0)
    values = {}
    for name, block in gated.blocks(mt).items():
        width = block.fc1.in_features
        values |= {
            f"{name}.in": torch.randn(count, width),
            f"{name}.bias": torch.full((count,), bias),
            f"{name}.out": torch.randn(width, count),
        }
    return Mend("gated", mt.name, mt.weights_hash, values=values)


@pytest.mark.parametrize("family", ["marian", "m2m", "mbart", "bart"])
def test_units_beside_any_block_are_rectified(tiny_model, family):
    """By the definition: block(x) + out · max(0, in · x + bias), of smooth units too."""
    mt = tiny_model(family)
    mend = some_units(mt, bias=-0.5)
    heard: dict[str, torch.Tensor] = {}
    with mend.on(mt):
        blocks = gated.blocks(mt)
        said = {}
        hooks = []
        for n, block in blocks.items():
            hooks.append(
                block.fc1.register_forward_pre_hook(
                    lambda _, args, n=n: heard.__setitem__(n, args[0])
                )
            )
            hooks.append(
                block.fc2.register_forward_hook(lambda _, __, out, n=n: said.__setitem__(n, out))
            )
        tiny_logits(mt)
        for hook in hooks:
            hook.remove()
    assert {name.split(".")[0] for name in heard} == {"encoder", "decoder"}
    for n, block in gated.blocks(mt).items():
        into, bias, out = (mend.values[f"{n}.{part}"] for part in gated.PARTS)
        acts = {"relu": torch.relu, "gelu": torch.nn.functional.gelu}
        act = acts.get(gated.activation(mt), torch.nn.functional.silu)
        plain = block.fc2(act(block.fc1(heard[n])))
        wanted = plain + (heard[n] @ into.T + bias).clamp(min=0) @ out.T
        before = heard[n] @ into.T + bias
        assert (before > 0).any()
        assert (before < 0).any()
        slack = 0.3 / gated.SHARP * out.abs().sum(1).max()  # at the threshold a smooth unit is soft
        assert (said[n] - wanted).abs().max() < slack + 1e-4


@pytest.mark.parametrize("family", ["marian", "m2m"])
def test_units_that_are_off_leave_every_family_as_it_was(tiny_model, family):
    mt = tiny_model(family)
    wanted = tiny_logits(mt)
    with some_units(mt, bias=-1e3).on(mt):
        assert torch.allclose(tiny_logits(mt), wanted, rtol=0, atol=1e-5)
    with some_units(mt, bias=0.0).on(mt):
        assert not torch.allclose(tiny_logits(mt), wanted, atol=1e-3)
    assert torch.equal(tiny_logits(mt), wanted)


def a_mend(mt: cs.Translator, bias: float) -> Mend:
    """Random units of the real model's shapes, on its file's grid."""
    some = units(bias=bias, width=256, blocks=names((6, 2)))
    values = {}
    for name, u in some.items():
        for part, value in zip(gated.PARTS, (u.into.T, u.bias, u.out.T), strict=True):
            values[f"{name}.{part}"] = torch.tensor(value * 0.2, dtype=torch.float32)
    return export.snapped(Mend("gated", mt.name, mt.weights_hash, values=values), mt)


TEXTS = ["The engineer called because she was late.", "The river flows through the city."]


@pytest.mark.slow
@pytest.mark.model
def test_mended_folded_and_exported_are_one_model(firefox, tmp_path):
    plain, before = firefox.translate(TEXTS), firefox.weights_hash
    mend = a_mend(firefox, bias=0.0)
    with mend.on(firefox):
        said, wanted = firefox.translate(TEXTS), firefox.logits(TEXTS, plain)
        assert "gated" in firefox.signature["under"]
    assert firefox.weights_hash == before
    assert firefox.translate(TEXTS) == plain
    made = fold.fold(mend, firefox)
    assert torch.equal(made.logits(TEXTS, plain), wanted)
    to = export.export(mend, firefox, tmp_path / "grown")
    again = cs.load(str(to))
    torch.testing.assert_close(again.logits(TEXTS, plain), wanted, rtol=1e-4, atol=1e-4)
    assert again.translate(TEXTS) == said
    assert Mend.load(to / "mend.safetensors").signature == mend.signature
    wrong = Mend("gated", mend.model, mend.weights, values=dict(list(mend.values.items())[:3]))
    with pytest.raises(CueScopeError, match="does not fit"), wrong.on(firefox):
        pass


@pytest.mark.slow
@pytest.mark.model
@pytest.mark.skipif(bool(engine.missing()), reason=f"not at hand: {engine.missing()}")
def test_firefox_own_engine_opens_a_grown_file(firefox, tmp_path):
    place = Path(catalog.locate("firefox:en-pt")[1])
    off = export.export(a_mend(firefox, bias=-1e3), firefox, tmp_path / "off")
    on = export.export(a_mend(firefox, bias=0.0), firefox, tmp_path / "on")
    plain, same, other = (engine.translate(one, TEXTS) for one in (place, off, on))
    assert plain == same != other


@pytest.mark.model
def test_units_are_balanced_on_the_files_grid(firefox):
    """Whole numbers of the grid that sum to zero into every place: the engine's shift stays."""
    grids = export.file_grids(firefox)
    mend = a_mend(firefox, bias=0.0)
    assert set(grids) == set(names((6, 2)))
    for name, grid in grids.items():
        whole = mend.values[f"{name}.out"] * grid.out
        assert torch.allclose(whole, whole.round(), atol=1e-3)
        assert whole.abs().max() <= 127.01
        assert (whole.round().sum(1) == 0).all()
        assert not mend.values[f"{name}.in"][-gated.BALLAST :].any()
    again = export.snapped(mend, firefox)
    assert again.signature == mend.signature


@pytest.mark.model
def test_louder_units_fire_where_they_did_and_say_more(firefox):
    mend = a_mend(firefox, bias=-0.5)
    more = gated.louder(mend.values, 1.5)
    for name, value in mend.values.items():
        assert torch.equal(more[name], value * (1.5 if name.endswith(".out") else 1.0))
    again = export.snapped(Mend("gated", mend.model, mend.weights, values=more), firefox)
    for block in export.file_grids(firefox):
        for part in ("in", "bias"):
            name = f"{block}.{part}"
            assert torch.equal(again.values[name], mend.values[name])


def test_one_sided_weights_are_balanced_too():
    whole = torch.full((3, 64), 127.0)
    gated._balance(whole)
    assert (whole.sum(1) == 0).all()
    assert whole.abs().max() <= 127


@pytest.mark.slow
@pytest.mark.model
def test_a_short_fit_is_silent_without_a_cue(firefox, monkeypatch):
    """Six steps on a few lessons: units fire at a cue, and never in sentences without one."""
    monkeypatch.setattr(fit.lessons, "templates", lambda: SOME)
    every = fit.lessons.sense
    monkeypatch.setattr(fit.lessons, "sense", lambda *a, **kw: every(*a, **kw)[::60])
    batch = fit.quiet.Quiet.batch
    monkeypatch.setattr(
        fit.quiet.Quiet, "batch", lambda one, count, **kw: batch(one, min(count, 16), **kw)
    )
    how = Gating(steps=6, every=6, batch=8, quiet=8, still=2, anew=(0.5,), fresh=4)
    told: list[float] = []
    mend, skipped = fit.fit_gated(firefox, times=1, how=how, told=lambda *a: told.append(a[2]))
    assert mend.kind == "gated"
    learned, asked, wrong = map(int, re.findall(r"\d+", mend.fitted["sense"]))
    assert 0 < learned < asked - wrong < asked
    assert len(told) == 1
    assert sum(skipped.values()) < 60
    seen: dict[bool, float] = {}
    with mend.on(firefox):
        heard = [TEXTS[0], "The engineer met the cook and paid her.", "He lost his keys."]
        for cue, texts in ((True, heard), (False, [*TEXTS[1:], "They saw us at noon."])):
            tops = []
            hooks = [
                block.fc1.register_forward_hook(
                    lambda _, __, out, tops=tops: tops.append(float(out[..., -64:].max()))
                )
                for block in gated.blocks(firefox).values()
            ]
            firefox.translate(texts)
            for hook in hooks:
                hook.remove()
            seen[cue] = max(tops)
    assert seen[False] < 0 < seen[True]


@pytest.mark.model
def test_detectors_of_sides_fire_where_their_side_is_meant(firefox):
    """Made-up pronoun states, apart along one direction: half of the units tell either side."""
    some = quiet.Quiet(firefox, ["The cook saw the river.", "The train was late."] * 40)
    one = Gate(firefox, export.file_grids(firefox), some, Gating(sides=8))
    torch.manual_seed(3)
    with one.attached():
        firefox.engine.encode(*some.batch(8))
    states = one.seen[sense.BLOCK].flatten(0, 1).repeat(40, 1)[:1200]
    states = states + 0.3 * torch.randn_like(states)
    way = torch.nn.functional.normalize(torch.randn(256), dim=0)
    first, second = states[:600] + 6 * way, states[600:] - 6 * way
    with one.attached():
        one.split(sense.Sides(first, second, torch.cat([first, second])))
    into, bias = (one.units[f"{sense.BLOCK}.{part}"] for part in ("in", "bias"))
    on = [(states @ into.T + bias).mean(0)[:8] for states in (first, second)]
    assert (on[0][:4] > on[1][:4]).all()
    assert (on[0][4:] < on[1][4:]).all()
    assert not into[8:].any()
    before = {name: value.clone() for name, value in one.units.items()}
    with one.attached():
        one.split(sense.Sides(first[:50], second, torch.cat([first, second])))
    assert all(torch.equal(one.units[name], value) for name, value in before.items())  # too few
