"""Hard-debiasing: equal to editing the weights, on the encoder only, and gone afterwards."""

from __future__ import annotations

import copy

import pytest
import torch

import cuescope as cs
from cuescope.data.cues.english import word_class
from cuescope.errors import CueScopeError
from cuescope.inside.edit.debias import debias, neutral
from cuescope.inside.edit.gender_direction import gender_direction, one_token, source_embedding
from cuescope.inside.edit.outputs import ablate

FAMILIES = ["marian", "m2m", "nllb", "mbart", "t5"]
SENTENCES = ["The nurse met the mechanic.", "A lawyer and the nurse said that he was late."]
TARGETS = ["O médico e a enfermeira", "La ingeniera llegó tarde"]


def whole_words(mt: cs.Translator) -> tuple[list[str], list[tuple[str, str]]]:
    """Words of one token in a small model's vocabulary, and pairs out of them for a direction."""
    texts = " ".join(SENTENCES).replace(".", "").split()
    known = list(one_token(mt, texts).ids)
    assert len(known) >= 4, known
    return known[:2], [(known[2], known[3])]


def edited_by_hand(mt: cs.Translator, words: dict[str, int], vector: torch.Tensor) -> torch.Tensor:
    """Encoder states of a copy whose embedding rows are edited: the slow, obvious way."""
    other = copy.deepcopy(mt)
    with torch.no_grad():
        table = source_embedding(other).weight
        for token in words.values():
            table[token] -= (table[token] @ vector) * vector
    batch = other.batch(SENTENCES)
    return other.engine.encode(batch.ids, batch.mask)


@pytest.mark.parametrize("family", FAMILIES)
@torch.no_grad()
def test_equals_edited_weights_on_the_encoder_only(tiny_model, family: str):
    mt = tiny_model(family)
    words, pairs = whole_words(mt)
    batch = mt.batch(SENTENCES)
    plain, before = mt.engine.encode(batch.ids, batch.mask), mt.weights_hash
    inputs = mt.decoder_inputs(mt.target_batch(TARGETS).ids)
    ahead = mt.engine.decode(plain, batch.mask, inputs)
    with debias(mt, words, pairs=pairs) as found:
        states = mt.engine.encode(batch.ids, batch.mask)
        behind = mt.engine.decode(plain, batch.mask, inputs)
    assert torch.allclose(
        states, edited_by_hand(mt, found.words, found.direction.vector), atol=1e-5
    )
    assert not torch.allclose(states, plain, atol=1e-4)
    assert torch.equal(ahead, behind)  # the decoder's own embeddings are left alone
    assert torch.equal(mt.engine.encode(batch.ids, batch.mask), plain)
    assert mt.weights_hash == before
    assert found.edited == sum(int((batch.ids == t).sum()) for t in found.words.values())


def test_the_decoder_is_left_alone_where_it_would_emit_the_word(tiny_model):
    """A word that is edited in the source is not when the decoder is fed it."""
    mt = tiny_model("marian")
    words, pairs = whole_words(mt)
    with torch.no_grad(), debias(mt, words, pairs=pairs) as found:
        mt.logits(SENTENCES, SENTENCES)
    ids = mt.batch(SENTENCES).ids
    assert found.edited == sum(int((ids == token).sum()) for token in found.words.values())


def test_hooks_are_gone_after_an_exception(tiny_model):
    mt = tiny_model("marian")
    words, pairs = whole_words(mt)
    engine, plain = mt.engine, mt.translate(SENTENCES)
    with pytest.raises(RuntimeError, match="stop"), debias(mt, words, pairs=pairs):
        raise RuntimeError("stop")
    assert mt.engine is engine
    assert not source_embedding(mt)._forward_hooks
    assert mt.translate(SENTENCES) == plain


def test_what_met_nothing_raises(tiny_model):
    mt = tiny_model("marian")
    words, pairs = whole_words(mt)
    with pytest.raises(CueScopeError, match="met nothing"), debias(mt, words, pairs=pairs):
        pass
    with pytest.raises(CueScopeError, match="is one token"), debias(mt, ["xyzzyx"], pairs=pairs):
        mt.translate(SENTENCES)
    with pytest.raises(CueScopeError, match="gender direction"):
        gender_direction(mt, [("xyzzyx", "qwrty")])


def test_skipped_words_have_reasons(firefox: cs.Translator):
    asked = ["nurse", "doctor", "carpenter", "she", "☃"]
    with debias(firefox, asked) as found:
        firefox.translate(["The nurse left."])
    assert set(found.words) == {"nurse", "doctor"}
    assert found.skipped["carpenter"].startswith("3 tokens")
    assert found.skipped["she"] == "defines the direction"
    assert found.skipped["☃"].startswith("unknown")
    assert found.met == {"nurse"}
    assert "1 tokens edited" in repr(found)


def test_gender_direction_of_a_real_model(firefox: cs.Translator):
    found = gender_direction(firefox)
    assert len(found.pairs) + len(found.skipped) == 10
    assert float(found.vector.norm()) == pytest.approx(1, abs=1e-5)
    ids = one_token(firefox, ["she", "he", "sister", "brother", "wife", "husband"]).ids
    along = {w: float(source_embedding(firefox).weight[i] @ found.vector) for w, i in ids.items()}
    assert along["she"] > 0 > along["he"]
    # pairs that the direction was not made from
    assert along["sister"] > along["brother"]
    assert along["wife"] > along["husband"]


def test_debiased_translation_of_a_real_model(firefox: cs.Translator):
    sentences = ["The nurse said that he was tired.", "The president arrived."]
    plain, before = firefox.translate(sentences), firefox.weights_hash
    with debias(firefox) as found:
        single = firefox.translate(sentences[:1]) + firefox.translate(sentences[1:])
        assert firefox.translate(sentences) == single
        assert firefox.translate(sentences, beam=3)
    assert found.met == {"nurse", "president"}
    assert firefox.translate(sentences) == plain
    assert firefox.weights_hash == before


def test_signatures_say_that_it_was_on(firefox: cs.Translator):
    with debias(firefox):
        assert firefox.signature["under"].startswith("debias ")
        firefox.translate("The nurse slept.")
    assert "under" not in firefox.signature


def test_debiasing_nests(firefox: cs.Translator):
    with debias(firefox, ["nurse"]) as outer, debias(firefox, ["doctor"]) as inner:
        firefox.translate(["The nurse met the doctor."])
    assert (outer.met, inner.met) == ({"nurse"}, {"doctor"})


def test_debiasing_holds_under_other_interventions(firefox: cs.Translator):
    sentences, translations = ["The nurse left."], ["A enfermeira saiu."]
    with ablate(firefox, encoder=[(0, 0)]):
        ablated = firefox.score(sentences, translations)[0].logprob
        with debias(firefox, ["nurse"]):
            both = firefox.score(sentences, translations)[0].logprob
    with debias(firefox, ["nurse"]), ablate(firefox, encoder=[(0, 0)]):
        turned = firefox.score(sentences, translations)[0].logprob
    assert both != pytest.approx(ablated, abs=1e-4)
    assert both == pytest.approx(turned, abs=1e-5)


def test_neutral_is_orthogonal_and_can_keep_its_length():
    torch.manual_seed(0)
    vectors, g = torch.randn(5, 8), torch.nn.functional.normalize(torch.randn(8), dim=0)
    rest = neutral(vectors, g)
    assert torch.allclose(rest @ g, torch.zeros(5), atol=1e-6)
    assert torch.allclose(neutral(rest, g), rest, atol=1e-6)
    kept = neutral(vectors, g, keep_norm=True)
    assert torch.allclose(kept.norm(dim=-1), vectors.norm(dim=-1), atol=1e-5)
    assert torch.allclose(kept @ g, torch.zeros(5), atol=1e-5)


def test_professions_are_many_and_no_gendered_words():
    words = word_class("professions")
    assert len(words) > 180
    assert not words & {"actress", "waitress", "businessman", "she", "he"}


def test_as_a_mend_it_is_the_same_and_asks_for_no_profession(firefox: cs.Translator):
    from cuescope.mend import fold
    from cuescope.mend.debiased import debiased

    sentences, mend = (
        ["The nurse said that he was tired.", "The president arrived."],
        debiased(firefox),
    )
    with debias(firefox):
        edited = firefox.score(sentences, sentences)
    with mend.on(firefox):
        assert firefox.score(sentences, sentences) == edited
    lake = firefox.translate("The lake is deep.")
    with mend.on(firefox):
        assert firefox.translate("The lake is deep.") == lake
    with pytest.raises(CueScopeError, match="cannot be folded"):
        fold.fold(mend, firefox)
