"""Attention to the cue: the right rows, the right columns, nobody lost."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

import cuescope as cs
import tiny
import twins_of
from cuescope import data
from cuescope.data.items import Item
from cuescope.gender.reading import Reading
from cuescope.inside.read.attention import attend, attention, twin_subjects
from cuescope.inside.read.capture import Places, capture
from cuescope.inside.read.maps import attention_maps
from cuescope.inside.ready import Ready, Subject, emitted, sentences, subject_pairs
from cuescope.models.decoding import Limits

MODELS = [*tiny.FAMILIES, "firefox"]
SENTENCES = [
    Item("The mechanic called because she was late.", (4, 12), (28, 31), "female", pair=0),
    Item("The mechanic called because he was late.", (4, 12), (28, 30), "male", pair=0),
    Item("A nurse and the construction worker said that he went.", (16, 35), (46, 48), "male"),
]


@pytest.fixture
def model(request, tiny_model):
    name = request.param
    mt = request.getfixturevalue(name) if name == "firefox" else tiny_model(name, (3, 2))
    mt.limits = Limits(most=9) if name != "firefox" else mt.limits
    return mt


def by_hand(mt, items=SENTENCES):
    """Subjects of any model, a random one's words too: the noun is said to be its steps 1 to 3."""
    found = []
    for item, best in zip(items, mt.generate([i.text for i in items]), strict=True):
        encoding, target = mt.tokenise(item.text), emitted(mt, best.ids)
        noun, cue = encoding.positions(*item.focus), encoding.positions(*item.cue)
        steps = tuple(range(1, min(4, len(target.ids))))
        found.append(Subject(item, encoding, noun, cue, target, steps, Reading("unknown", True)))
    return Ready(found, {"no cue": 1}, "by hand")


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS, indirect=True)
def test_encoder_cells_are_those_of_the_whole_map(model):
    ready = by_hand(model)
    scores = attention(model, ready, ["encoder"], batch_size=2)["encoder"]
    for subject, found in zip(ready, scores.values, strict=True):
        weights = attention_maps(model, subject.item.text)["encoder"].weights
        wanted = weights[:, :, list(subject.noun)][..., list(subject.cue)].mean((-1, -2))
        assert np.allclose(found, wanted.numpy(), atol=1e-5)
        pieces = "".join(subject.encoding.pieces[i] for i in subject.cue)
        assert subject.item.text[slice(*subject.item.cue)] in pieces.replace("▁", "")


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS, indirect=True)
def test_cross_rows_are_the_steps_that_emit_the_noun(model):
    """Decode step by step and look while each token is chosen: no off-by-one can hide."""
    ready = by_hand(model)
    scores = attention(model, ready, ["cross"])["cross"]
    engine, forced = model.engine, len(model.tokenizer.forced)
    for subject, found in zip(ready, scores.values, strict=True):
        batch, cells = model.pad([subject.encoding]), []
        with torch.no_grad():
            state = engine.start(engine.encode(batch.ids, batch.mask), batch.mask)
            fed = torch.tensor([engine.start_id])
            for step, token in enumerate(subject.target.ids):
                with capture(model, {"cross": Places(None, [subject.cue])}) as seen:
                    hidden, state = engine.step(fed, state)
                logits = engine.project(hidden)
                logits[:, list(engine.barred)] = -torch.inf
                assert step < forced or int(logits.argmax()) == token
                cells.append(seen.mean("cross")[0])
                fed = torch.tensor([token])
        emitting = torch.stack([cells[step] for step in subject.steps]).mean(0)
        shifted = torch.stack([cells[step - 1] for step in subject.steps]).mean(0)
        assert np.allclose(found, emitting.numpy(), atol=1e-5)
        assert not np.allclose(found, shifted.numpy(), atol=1e-3), "the step before is another row"


@pytest.mark.slow
@pytest.mark.parametrize("family", ["marian", "nllb", "t5"])
def test_at_the_choice_is_the_models_own_eager_attention(tiny_model, family):
    """transformers' own weights at the row that chooses, under the contrast's prefix, by hand."""
    mt = tiny_model(family, (3, 2), attention="eager")
    twins = twins_of.make(mt)
    ready = sentences(twins)
    found = attention(mt, ready, ["cross"], query="choice")["cross"]
    assert found.signature["query"] == "choice"
    assert len(found) == 2 * len(twins)
    for subject, values in zip(ready, found.values, strict=True):
        source = mt.batch([subject.item.text])
        fed = torch.tensor([[mt.engine.start_id, *subject.choice.prefix]])
        with torch.no_grad():
            out = mt.engine.module(
                input_ids=source.ids,
                attention_mask=source.mask,
                decoder_input_ids=fed,
                output_attentions=True,
            )
        wanted = [layer[0, :, -1, list(subject.cue)].mean(-1) for layer in out.cross_attentions]
        assert np.allclose(values, torch.stack(wanted).numpy(), atol=1e-5)


def test_the_choice_is_where_the_effect_is_measured(firefox):
    """Article and noun are other steps; a sentence without a contrast is counted."""
    ready = sentences(firefox.twins(data.pairs("simplegen")[11:17]))
    chosen = attention(firefox, ready, ["cross"], query="choice")["cross"]
    emitted_at = attention(firefox, ready, ["cross"])["cross"]
    elsewhere = [s.choice.step not in s.steps for s in ready]
    assert any(elsewhere)
    differ = np.abs(chosen.values - emitted_at.values).max((1, 2)) > 1e-4
    assert differ[elsewhere].all()
    lost = Ready([replace(ready[0], choice=None), *ready[1:]], {"no cue": 2})
    found = attention(firefox, lost, ["cross"], query="choice")["cross"]
    assert np.allclose(found.values, chosen.values[1:], atol=1e-5)
    assert found.skipped == {"no cue": 2, "no contrast between the twins": 1}


@pytest.mark.parametrize("model", MODELS, indirect=True)
def test_a_batch_of_one_equals_a_batch_of_many(model):
    ready, sites = by_hand(model), ["encoder", "cross"]
    many = attention(model, ready, sites, measure="norm")
    one = attention(model, ready, sites, measure="norm", batch_size=1)
    for site in sites:
        assert many[site].values.shape == (3, *model.sites[site])
        assert np.allclose(many[site].values, one[site].values, rtol=1e-3, atol=1e-5)


def test_the_encoder_alone_runs_no_decoder(tiny_model, monkeypatch):
    mt = tiny_model("marian")
    ready = by_hand(mt)
    monkeypatch.setattr(type(mt.engine), "decode", None)
    assert len(attention(mt, ready)["encoder"]) == 3


def test_other_places_can_be_asked_for(tiny_model):
    mt = tiny_model("marian")
    ready = by_hand(mt)

    def ends(subject):
        return (len(subject.encoding) - 1,)

    found = attention(mt, ready, key=ends)["encoder"]
    assert found.signature["key"] == "ends"
    assert not np.allclose(found.values, attention(mt, ready)["encoder"].values)
    turned = attention(mt, ready, query="cue", key="noun")["encoder"]
    assert turned.signature["query"] == "cue"


def test_a_sentence_without_the_noun_is_counted(tiny_model):
    mt = tiny_model("marian")
    first, *rest = by_hand(mt)
    lost = Subject(
        *(getattr(first, f) for f in ("item", "encoding", "noun", "cue", "target")),
        (),
        first.reading,
    )
    both = attention(mt, Ready([lost, *rest], {"no cue": 1}), ["encoder", "cross"])
    assert len(both["encoder"]) == 3
    assert len(both["cross"]) == 2
    assert both["cross"].skipped == {"no cue": 1, "noun not found in the translation": 1}


def test_mistakes_are_said(tiny_model):
    mt = tiny_model("marian")
    ready = by_hand(mt)
    for options, said in [
        ({"sites": ["decoder"]}, "no such site"),
        ({"sites": ["cross"], "query": "cue"}, "has no place in the translation"),
        ({"measure": "heat"}, "no such measure"),
        ({"query": "verb"}, "no such query"),
        ({"key": "choice"}, "no such key"),
        ({"query": "choice"}, "a step of the decoder"),
    ]:
        with pytest.raises(cs.CueScopeError, match=said):
            attention(mt, ready, **options)
    with pytest.raises(cs.CueScopeError, match="no sentence can be used"):
        attention(mt, Ready([], {"no cue": 4}))


def test_nothing_is_left(firefox):
    before = firefox.weights_hash, firefox.engine.module.config
    ready = by_hand(firefox)
    attend(firefox, ready, ["encoder", "cross"])
    assert (firefox.weights_hash, firefox.engine.module.config) == before


@pytest.mark.slow
def test_firefox_on_simplegen(firefox):
    """A real model and real pairs: the rows say what the splits need, pairs average twins."""
    pairs = data.pairs("simplegen")
    ready = twin_subjects(firefox, pairs[:30])
    assert (
        twin_subjects(firefox, data.items.Pairs([pairs.left_out[0], pairs[0]])).skipped[
            "pair not minimal"
        ]
        == 2
    )
    found = attention(firefox, ready, ["encoder", "cross"])
    for site, scores in found.items():
        assert scores.site == site
        assert np.isfinite(scores.values).all()
        assert (scores.values >= 0).all()
        assert (scores.values <= 1).all()
        assert scores.mean("pair").n == scores.rows["pair"].nunique()
        assert {"gold", "set", "accurate", "accurate_pair", "length"} <= set(scores.rows)
        assert sum(map(len, scores.split("gold").values())) == len(scores)
    again = attention(firefox, ready, ["encoder"])["encoder"]
    assert np.array_equal(again.values, found["encoder"].values)


@pytest.mark.slow
def test_firefox_has_cue_heads(firefox, shared):
    """WinoMT, focus noun first: two encoder heads stand out, in either half of the pairs."""
    pairs = subject_pairs(data.pairs("winomt", shared("winomt")))
    ready = twin_subjects(firefox, pairs[:120])
    scores = attention(firefox, ready)["encoder"].by_pair()
    threshold = scores.threshold()
    for half in (slice(0, None, 2), slice(1, None, 2)):
        part = cs.Scores(scores.values[half], "encoder", "attention", scores.rows[half])
        top = part.mean().top(2)
        assert {(0, 7), (2, 1)} == set(zip(top["layer"], top["head"], strict=True))
        assert (top["low"] > threshold).all()


@pytest.mark.parametrize("family", ["m2m", "nllb", "mbart"])
def test_language_tags_are_no_words(tiny_model, family):
    """The forced tag is emitted first; no place that is looked at or from is a tag."""
    mt = tiny_model(family)
    mt.limits = Limits(most=9)
    for subject in by_hand(mt):
        assert subject.target.ids[: len(mt.tokenizer.forced)] == mt.tokenizer.forced != ()
        assert subject.target.offsets[0] is None
        assert set(subject.noun) | set(subject.cue) <= set(subject.encoding.words)
        assert subject.row()["length"] == len(subject.encoding) - 2, "tag and end are not counted"
