"""Captured attention is eager's, costs no bit of the logits, and leaves nothing behind."""

from __future__ import annotations

import copy

import pytest
import torch
from transformers import AutoModelForSeq2SeqLM
from transformers.masking_utils import AttentionMaskInterface
from transformers.modeling_utils import AttentionInterface

import cuescope as cs
import tiny
from cuescope.inside.heads import places, recorded
from cuescope.inside.interface import attending
from cuescope.inside.read.capture import Places, capture
from cuescope.inside.read.maps import attention_maps
from cuescope.inside.read.rollout import rollout
from cuescope.inside.read.values import value_norms
from cuescope.models.families import FIREFOX
from cuescope.models.marian_net import ATTENTION, MarianNet, NetConfig

LAYERS = [(2, 2), (3, 1)]
GAPS = {"eager": 2e-6, "sdpa": 2e-4}  # SDPA's own states differ a little, T5's peaks make it more
SOURCES = [tiny.SENTENCES[i] for i in (0, 1, 8)]
TARGETS = [tiny.SENTENCES[i] for i in (3, 6, 4)]
PADDED = {"padded": slice(0, 3), "one": slice(0, 1)}


@pytest.fixture(scope="session")
def net(firefox):
    """Our own network with decoder self-attention and random weights, 3 + 2 layers."""
    torch.manual_seed(0)
    config = NetConfig(32, 4, 3, 2, 64, 64, recurrent=False)
    engine = MarianNet(config).eval().requires_grad_(False)
    return cs.Translator("random", engine, firefox.tokenizer, FIREFOX)


def forward(mt, source, target):
    states = mt.engine.encode(source.ids, source.mask)
    return mt.engine.project(mt.engine.decode(states, source.mask, mt.decoder_inputs(target.ids)))


def seen_in(mt, sources, targets, places, **options):
    source, target = mt.batch(sources), mt.target_batch(targets)
    with torch.no_grad(), capture(mt, places, **options) as seen:
        logits = forward(mt, source, target)
    return seen, logits, source, target


def eager_maps(folder, mt, source, target):
    """The obvious way: the folder's model, eager, asked for all its attentions."""
    model = AutoModelForSeq2SeqLM.from_pretrained(folder, attn_implementation="eager").eval()
    with torch.no_grad():
        out = model(
            input_ids=source.ids,
            attention_mask=source.mask,
            decoder_input_ids=mt.decoder_inputs(target.ids),
            output_attentions=True,
        )
    named = {
        "encoder": out.encoder_attentions,
        "decoder": out.decoder_attentions,
        "cross": out.cross_attentions,
    }
    return {site: torch.stack(maps, 1) for site, maps in named.items()}


def hooked_maps(mt, source, target):
    """The obvious way for our network: q and k from the projections, padding one by one."""
    found = {}
    for site, (layers, heads) in mt.sites.items():
        found[site] = []
        for layer in range(layers):
            module, seen = mt.attention(site, layer), {}
            handles = [
                getattr(module, name).register_forward_hook(
                    lambda m, args, out, name=name, seen=seen: seen.__setitem__(name, out)
                )
                for name in ("q_proj", "k_proj")
            ]
            with torch.no_grad():
                forward(mt, source, target)
            for handle in handles:
                handle.remove()
            split = [seen[n].unflatten(-1, (heads, -1)) for n in ("q_proj", "k_proj")]
            q, k = (part.transpose(1, 2) for part in split)
            scores = q @ k.mT / q.shape[-1] ** 0.5
            if site == "decoder":
                scores += torch.full(scores.shape[-2:], -torch.inf).triu(1)
            else:
                scores[(source.mask == 0)[:, None, None].expand_as(scores)] = -torch.inf
            found[site].append(scores.softmax(-1))
    return {site: torch.stack(maps, 1) for site, maps in found.items()}


def check_full(mt, oracle, which, gap=1e-5):
    sources, targets = SOURCES[PADDED[which]], TARGETS[PADDED[which]]
    source, target = mt.batch(sources), mt.target_batch(targets)
    with torch.no_grad():
        bare = forward(mt, source, target)
    seen, logits, source, target = seen_in(mt, sources, targets, dict.fromkeys(mt.sites, Places()))
    assert torch.equal(logits, bare), "attached, the logits are the same to the last bit"
    with torch.no_grad():
        assert torch.equal(forward(mt, source, target), bare), "and after detaching"
    wanted = oracle(mt, source, target)
    for site, (layers, heads) in mt.sites.items():
        cells = seen.cells(site)
        assert cells.shape[:3] == (len(sources), layers, heads)
        for row, (source_row, target_row) in enumerate(
            zip(source.encodings, target.encodings, strict=True)
        ):
            rows = len(source_row) if site == "encoder" else len(target_row)
            mine, theirs = cells[row, :, :, :rows], wanted[site][row, :, :, :rows]
            assert torch.allclose(mine, theirs, atol=gap)
            assert torch.allclose(mine.sum(-1), torch.ones(()), atol=1e-5)
            if site != "decoder":
                assert float(mine[..., len(source_row) :].sum()) == 0, "padding gets nothing"
        assert float(cells.std()) > 0.01, "uniform attention would pass any comparison"


@pytest.mark.slow
@pytest.mark.parametrize("which", PADDED)
@pytest.mark.parametrize("used", GAPS)
@pytest.mark.parametrize("layers", LAYERS, ids=str)
@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_rows_sum_to_one_and_equal_eager(tiny_folder, tiny_model, family, layers, used, which):
    folder, mt = tiny_folder(family, layers), tiny_model(family, layers, attention=used)
    check_full(mt, lambda *given: eager_maps(folder, *given), which, GAPS[used])


@pytest.mark.slow
@pytest.mark.parametrize("which", PADDED)
def test_rows_of_our_network_equal_those_of_its_projections(firefox, net, which):
    check_full(firefox, hooked_maps, which)
    check_full(net, hooked_maps, which)


MODELS = [*tiny.FAMILIES, "firefox", "net"]


@pytest.fixture
def model(request, tiny_model):
    name = request.param
    return request.getfixturevalue(name) if name in ("firefox", "net") else tiny_model(name, (3, 1))


PLACES = Places([[1, 2], [4], [2, 3, 5]], [[3], [1, 5], [6, 2]])


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS, indirect=True)
def test_wanted_cells_are_those_of_the_full_map(model):
    sites = list(model.sites)
    full, *_ = seen_in(model, SOURCES, TARGETS, dict.fromkeys(sites, Places()))
    some, *_ = seen_in(model, SOURCES, TARGETS, dict.fromkeys(sites, PLACES))
    for site in sites:
        whole, cells = full.cells(site), some.cells(site)
        assert cells.shape[-2:] == (3, 2)
        for row, (queries, keys) in enumerate(zip(*PLACES, strict=True)):
            wanted = whole[row][:, :, list(queries)][..., list(keys)]
            mine = cells[row, :, :, : len(queries), : len(keys)]
            assert torch.allclose(mine, wanted, atol=1e-6)
            assert (
                cells[row].isnan().sum()
                == (6 - len(queries) * len(keys)) * wanted[..., 0, 0].numel()
            )
            assert torch.allclose(some.mean(site)[row], wanted.mean((-1, -2)), atol=1e-6)


@pytest.mark.parametrize("model", MODELS, indirect=True)
def test_a_batch_of_one_equals_a_batch_of_many(model):
    sites = list(model.sites)
    many, *_ = seen_in(model, SOURCES, TARGETS, dict.fromkeys(sites, PLACES))
    for row in range(3):
        alone = Places(*([part[row]] for part in PLACES))
        one, *_ = seen_in(
            model, SOURCES[row : row + 1], TARGETS[row : row + 1], dict.fromkeys(sites, alone)
        )
        for site in sites:
            assert torch.allclose(one.mean(site)[0], many.mean(site)[row], atol=1e-5)


def state(mt):
    """Everything that a capture could leave behind."""
    module = mt.engine.module
    return (
        mt.weights_hash,
        sorted(AttentionInterface._global_mapping),
        sorted(AttentionMaskInterface._global_mapping),
        sorted(ATTENTION),
        [copy.deepcopy(vars(m.config)) for m in module.modules() if hasattr(m, "config")],
        sum(len(m._forward_hooks) + len(m._forward_pre_hooks) for m in module.modules()),
    )


def run_and_fail(mt, source, target):
    forward(mt, source, target)
    raise ZeroDivisionError


@pytest.mark.parametrize("model", MODELS, indirect=True)
def test_nothing_is_left_after_an_exception(model):
    with attending(model, lambda call, attend: attend(call)):
        pass  # our name for the function stays known from the first time on
    before = state(model)
    source, target = model.batch(SOURCES), model.target_batch(TARGETS)
    bare = forward(model, source, target)
    for context in (
        lambda: capture(model, {"encoder": PLACES}),
        lambda: recorded(model, [("cross", 0)]),
        lambda: capture(model, {"cross": PLACES}, weigh=value_norms(model)),
    ):
        with pytest.raises(ZeroDivisionError), context():
            run_and_fail(model, source, target)
        assert state(model) == before
    with pytest.raises(ZeroDivisionError), attending(model, lambda call, attend: 1 / 0):
        forward(model, source, target)
    assert state(model) == before
    assert torch.equal(forward(model, source, target), bare)


@pytest.mark.parametrize("attention", ["eager", "sdpa"])
@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_they_nest_and_take_any_implementation(tiny_model, family, attention):
    mt = tiny_model(family, attention=attention)
    source, target = mt.batch(SOURCES), mt.target_batch(TARGETS)
    with torch.no_grad():
        bare = forward(mt, source, target)
        with capture(mt, {"encoder": PLACES}) as outer, capture(mt, {"encoder": PLACES}) as inner:
            assert torch.equal(forward(mt, source, target), bare)
    assert torch.equal(outer.mean("encoder"), inner.mean("encoder"))


def test_what_was_not_met_is_said(tiny_model, firefox):
    mt = tiny_model("marian")
    source = mt.batch(SOURCES)
    both = {"encoder": PLACES, "cross": PLACES}
    far = Places([[0], [0], [99]], [[0]] * 3)

    def encode(rows=3, times=1):
        for _ in range(times):
            mt.engine.encode(source.ids[:rows], source.mask[:rows])

    def raises(said):
        return pytest.raises(cs.CueScopeError, match=said)

    with raises("no cross attention was met"), capture(mt, both):
        encode()
    with raises("another shape"), capture(mt, {"encoder": PLACES}):
        encode(rows=2)
    with raises("another shape"), capture(mt, {"encoder": far}):
        encode()
    with raises("met twice"), capture(mt, {"encoder": PLACES}):
        encode(times=2)
    with raises("met twice"), capture(mt, {"cross": Places(None, PLACES.keys)}):
        mt.translate(SOURCES)
    with raises("has no decoder attention"), capture(firefox, {"decoder": PLACES}):
        pass


@pytest.mark.parametrize("model", MODELS, indirect=True)
def test_left_padding_is_refused(model):
    batch = model.batch(SOURCES)
    said = pytest.raises(cs.CueScopeError, match="padded on the left")
    with said, torch.no_grad(), capture(model, {"encoder": Places()}):
        model.engine.encode(batch.ids.flip(1), batch.mask.flip(1))


@pytest.mark.parametrize("model", MODELS, indirect=True)
def test_heads_add_up_to_the_attention_block(model):
    source, target = model.batch(SOURCES), model.target_batch(TARGETS)
    for site, (layers, heads) in model.sites.items():
        outputs = {}
        handles = [
            model.out_proj(site, layer).register_forward_hook(
                lambda m, args, out, layer=layer, outputs=outputs: outputs.__setitem__(layer, out)
            )
            for layer in range(layers)
        ]
        with torch.no_grad(), recorded(model, places(model, [site])) as seen:
            forward(model, source, target)
        for handle in handles:
            handle.remove()
        for layer in range(layers):
            out = model.out_proj(site, layer)
            parts = [model.head_slice(site, layer, head) for head in range(heads)]
            written = [seen[site, layer][..., part] @ out.weight[:, part].T for part in parts]
            total = sum(written) + (0 if out.bias is None else out.bias)
            assert torch.allclose(total, outputs[layer], atol=1e-4)


@pytest.mark.parametrize("model", MODELS, indirect=True)
def test_value_norms_equal_the_long_way(model):
    """‖α·v·W_O‖ made vector by vector, from the values that the module itself saw."""
    sites, calls = dict.fromkeys(model.sites, PLACES), []

    def keep(call, attend):
        calls.append(call)
        return attend(call)

    plain, *_ = seen_in(model, SOURCES, TARGETS, sites)
    with attending(model, keep):
        normed, *_ = seen_in(model, SOURCES, TARGETS, sites, weigh=value_norms(model))
    values = {id(call.module): call.value for call in calls}
    for site, (layers, heads) in model.sites.items():
        for layer in range(layers):
            value = values[id(model.attention(site, layer))]
            for head in range(heads):
                part = model.head_slice(site, layer, head)
                written = value[:, head] @ model.out_proj(site, layer).weight[:, part].T
                for row, (queries, keys) in enumerate(zip(*PLACES, strict=True)):
                    alpha = plain.cells(site)[row, layer, head, : len(queries), : len(keys)]
                    wanted = (alpha[..., None] * written[row, list(keys)]).norm(dim=-1)
                    mine = normed.cells(site)[row, layer, head, : len(queries), : len(keys)]
                    assert torch.allclose(mine, wanted, atol=1e-5, rtol=1e-3)


@pytest.mark.parametrize("model", MODELS, indirect=True)
def test_maps_name_both_axes(model):
    maps = attention_maps(model, SOURCES[0], TARGETS[0])
    assert list(maps) == list(model.sites)
    for found in maps.values():
        assert found.weights.shape[2:] == (len(found.queries), len(found.keys))
    assert maps["cross"].queries == model.tokenise_target(TARGETS[0]).pieces
    assert maps["cross"].keys == model.tokenise(SOURCES[0]).pieces


@pytest.mark.parametrize("model", MODELS, indirect=True)
def test_rollout_gives_each_state_away_once(model):
    found = rollout(model, SOURCES[0], TARGETS[0])
    assert torch.allclose(found.encoder.sum(1), torch.ones(()), atol=1e-5)
    maps = attention_maps(model, SOURCES[0], TARGETS[0])
    first = maps["encoder"].weights.mean(1)
    half = torch.eye(first.shape[-1]) / 2
    by_hand = torch.linalg.multi_dot([*(layer / 2 + half for layer in first.flip(0)), half * 2])
    assert torch.allclose(found.encoder, by_hand, atol=1e-6)
    if "decoder" in model.sites:
        both = found.source.sum(1) + found.target.sum(1)
        assert torch.allclose(both, torch.ones(()), atol=1e-5)
        assert found.target.triu(1).sum() == 0
    else:
        assert found.source is None
