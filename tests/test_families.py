"""Every Hugging Face family: the wrapped model is the bare model, to the last bit."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import torch
from transformers import AutoModelForSeq2SeqLM

import cuescope as cs
import tiny
from cuescope.inside.ready import target_language
from cuescope.models import checks
from cuescope.models.tokenizers import FastTokenizer

LAYERS = [(6, 6), (12, 12), (3, 1)]
SOURCES = tiny.SENTENCES[:4]
TARGETS = tiny.SENTENCES[3:7]


def bare_logits(model, mt, sources, targets):
    """The obvious way: the model called as its documentation says."""
    source, target = mt.batch(sources), mt.target_batch(targets)
    with torch.no_grad():
        return model(
            input_ids=source.ids,
            attention_mask=source.mask,
            decoder_input_ids=mt.decoder_inputs(target.ids),
        ).logits


@pytest.mark.slow
@pytest.mark.parametrize("attention", ["eager", "sdpa"])
@pytest.mark.parametrize("layers", LAYERS, ids=str)
@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_logits_equal_the_bare_models_bit_for_bit(tiny_folder, family, layers, attention):
    folder = tiny_folder(family, layers)
    mt = cs.load(str(folder), attention=attention, check=False, **tiny.languages(family))
    bare = AutoModelForSeq2SeqLM.from_pretrained(folder, attn_implementation=attention).eval()
    many = mt.logits(SOURCES, TARGETS)
    assert torch.equal(many, bare_logits(bare, mt, SOURCES, TARGETS))
    one = mt.logits(SOURCES[:1], TARGETS[:1])
    assert torch.equal(one, bare_logits(bare, mt, SOURCES[:1], TARGETS[:1]))
    length = one.shape[1]
    assert torch.allclose(one[0], many[0, :length], atol=1e-3 * float(many.abs().max()))
    assert float(many.std()) > 0.5, "a flat model would pass any comparison"


@pytest.mark.slow
@pytest.mark.parametrize("beam", [1, 3])
@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_translations_equal_those_of_generate(tiny_model, family, beam):
    """Greedy and beam search against transformers' own, one sentence at a time."""
    mt = tiny_model(family)
    most = 14
    mt.limits = cs.models.decoding.Limits(most=most)
    found = mt.generate(SOURCES, beam=beam)
    for text, best in zip(SOURCES, found, strict=True):
        batch = mt.batch([text])
        theirs = mt.engine.module.generate(
            input_ids=batch.ids,
            attention_mask=batch.mask,
            num_beams=beam,
            do_sample=False,
            max_new_tokens=most,
            forced_eos_token_id=None,
            forced_bos_token_id=mt.tokenizer.forced[0] if mt.tokenizer.forced else None,
        )[0, 1:].tolist()
        assert list(best.ids) == theirs[: len(best.ids)]
        assert set(theirs[len(best.ids) :]) <= {mt.engine.pad_id}


@pytest.mark.slow
@pytest.mark.parametrize("layers", [(2, 2), (3, 1)], ids=str)
@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_all_guards_hold(tiny_model, family, layers):
    found = checks.run(tiny_model(family, layers))
    assert {c.name: c.detail for c in found if c.ok is False} == {}
    assert len(found) == len(checks.ALL) + 1


@pytest.mark.parametrize("layers", [(3, 1)], ids=str)
@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_sites_are_counted(tiny_model, family, layers):
    mt = tiny_model(family, layers)
    assert mt.sites == {"encoder": (3, 4), "decoder": (1, 4), "cross": (1, 4)}
    assert mt.head_slice("encoder", 2, 3) == slice(24, 32)
    assert mt.out_proj("cross", 0).in_features == 32
    for bad in (("encoder", 3, 0), ("cross", 1, 0), ("encoder", 0, 4), ("middle", 0, 0)):
        with pytest.raises(cs.CueScopeError, match="no such head"):
            mt.head_slice(*bad)


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_scores_are_log_probabilities(tiny_model, family):
    """Against the obvious sum over the softmax; forced tags are given, not scored."""
    mt = tiny_model(family)
    for text, target, scored in zip(SOURCES, TARGETS, mt.score(SOURCES, TARGETS), strict=True):
        ids = mt.tokenise_target(target).ids
        logp = mt.logits([text], [target])[0].log_softmax(-1)
        forced = len(mt.tokenizer.forced)
        wanted = [float(logp[step, token]) for step, token in enumerate(ids)][forced:]
        # one row and a batch are rounded apart, and some processors' kernels more than others'
        assert scored.logprobs == pytest.approx(wanted, rel=5e-5, abs=1e-4)
        assert scored.logprob == pytest.approx(sum(wanted), rel=5e-5, abs=1e-3)


def test_states_are_values(tiny_model, firefox):
    """Advancing or choosing from a state leaves it as it was: the prefix tree stands on this."""
    for mt in (tiny_model("marian"), tiny_model("t5"), firefox):
        engine, batch = mt.engine, mt.batch(SOURCES)
        start = engine.start(engine.encode(batch.ids, batch.mask), batch.mask)
        tokens = torch.full((len(SOURCES),), engine.start_id)
        first, after = engine.step(tokens, start)
        again, _ = engine.step(tokens, start)
        assert torch.equal(first, again)
        follow = torch.tensor([5, 6, 7, 8])
        whole, _ = engine.step(follow, after)
        rows = torch.tensor([2, 0, 2])
        chosen, _ = engine.step(follow[rows], after.select(rows))
        assert torch.allclose(chosen, whole[rows], atol=1e-5)
        repeat, _ = engine.step(follow, after)
        assert torch.equal(whole, repeat)


@pytest.mark.slow
def test_a_new_family_is_a_row(tmp_path, monkeypatch):
    """T5's layout with other facts: mT5 (docs/adding-a-model.md has a BART-shaped one)."""
    from transformers import MT5Config, MT5ForConditionalGeneration

    from cuescope.models import families

    folder = tiny.t5(tmp_path, kinds=(MT5Config, MT5ForConditionalGeneration))
    with pytest.raises(cs.CueScopeError, match="does not open"):
        cs.load(str(folder))
    t5 = families.family_of("t5", "")
    row = replace(t5, name="mT5", model_type="mt5", tags="none", scale="")
    monkeypatch.setattr(families, "FAMILIES", families.FAMILIES)  # undone afterwards
    families.add(row)
    known = families.FAMILIES
    families.add(row)  # a cell that is run twice
    assert known == families.FAMILIES
    with pytest.raises(cs.CueScopeError, match="of mt5 already"):
        families.add(replace(row, name="another"))
    mt = cs.load(str(folder))
    assert {c.name: c.detail for c in checks.run(mt) if c.ok is False} == {}
    assert mt.tokenise("The nurse slept.").offsets[0] == (0, 3)


@pytest.mark.slow
@pytest.mark.parametrize(
    "wrong",
    [{"cross": "decoder"}, {"decoder": "cross"}, {"query": "key", "key": "query"}],
    ids=lambda wrong: " ".join(wrong),
)
def test_a_row_that_mixes_sides_up_is_found(tiny_model, wrong):
    """Its heads are heads, of another site: only the tokens they look at tell."""
    mt = tiny_model("bart")
    taken = {name: getattr(mt.family, other) for name, other in wrong.items()}
    mt.family = replace(mt.family, **taken)
    assert [c.name for c in checks.run(mt) if c.ok is False] == [checks.sides.__doc__]


def test_every_row_has_a_small_model(tiny_folder):
    from cuescope.models.families import FAMILIES

    configs = [(tiny_folder(family) / "config.json").read_bytes() for family in tiny.FAMILIES]
    made = {json.loads(config)["model_type"] for config in configs}
    assert made == {row.model_type for row in FAMILIES} - {""}


@pytest.mark.slow
@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_ids_that_are_not_the_models_own_are_found(tiny_model, family, monkeypatch):
    """The other guards compare the model with itself on our ids: this one asks its tokenizer."""
    mt = tiny_model(family)
    right = mt.tokenizer

    class Wrong:
        """One id of one side dropped: the first (BART's `<s>`, a tag) or the last (`</s>`)."""

        forced, own, decode, target_pieces = (
            right.forced,
            right.own,
            right.decode,
            right.target_pieces,
        )

        def __init__(self, side, part):
            self.side, self.part = side, part

        def source(self, text):
            return self.cut(right.source(text), "source")

        def target(self, text):
            return self.cut(right.target(text), "target")

        def cut(self, found, side):
            if side != self.side:
                return found
            return replace(
                found,
                ids=found.ids[self.part],
                pieces=found.pieces[self.part],
                offsets=found.offsets[self.part],
            )

    name = checks.ids.__doc__
    assert {c.name: c.ok for c in checks.run(mt, (checks.ids,))}[name] is True
    for side in ("source", "target"):
        for part in (slice(1, None), slice(None, -1)):
            mt.tokenizer = Wrong(side, part)
            found = {c.name: c for c in checks.run(mt, (checks.ids,))}[name]
            assert found.ok is False
            assert found.detail.startswith(side)
            with pytest.raises(cs.CueScopeError, match="own tokenizer"):
                checks.require(mt)


@pytest.mark.slow
@pytest.mark.parametrize("added", [False, True], ids=["in the vocabulary", "added"])
def test_a_tag_that_is_a_token(tmp_path, added):
    """MADLAD: `<2pt>` before the source, told by the vocabulary, and no word."""
    folder = str(tiny.madlad(tmp_path, added=added))
    for name in ("pt", "<2pt>"):
        mt = cs.load(folder, tgt=name)
        assert mt.family.name == "T5 with tags (MADLAD)"
        encoding = mt.tokenise("The nurse slept.")
        assert "<2pt>" in encoding.pieces[:2]
        words = encoding.find("The")[0]
        assert encoding.offsets[:words] == (None,) * words
        assert encoding.words[0] == words
    assert "<2zh>" in cs.load(folder, tgt="zh").tokenise("A nurse.").pieces[:2]
    assert target_language(mt) == "pt"
    with pytest.raises(cs.CueScopeError, match="needs to be told the language: tgt="):
        cs.load(folder)


@pytest.mark.slow
def test_languages_that_a_folder_says(tmp_path, tiny_folder, capsys):
    """The tokenizer's word, else the folder's name; what was assumed is said."""
    mt = cs.load(str(tiny_folder("marian")))
    assert (mt.src, mt.tgt) == ("en", "pt")
    assert "say" not in capsys.readouterr().err
    assert cs.load(str(tiny_folder("marian")), tgt="it").tgt == "it"
    assert "translates into pt; taken is it" in capsys.readouterr().err
    folder = tmp_path / "opus-mt-en-fr"
    folder.mkdir()
    tiny.marian(folder)
    path = folder / "tokenizer_config.json"
    told = json.loads(path.read_text())
    path.write_text(json.dumps({k: v for k, v in told.items() if not k.endswith("_lang")}))
    mt = cs.load(str(folder))
    assert (mt.src, mt.tgt) == ("en", "fr")
    assert "does not say its languages; taken from its name: en→fr" in capsys.readouterr().err


def test_fsmt_is_refused_with_its_reason(tmp_path):
    """Before anything of it is read: its attention cannot be stood around."""
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "fsmt", "langs": ["en", "de"]}))
    with pytest.raises(cs.CueScopeError, match="no head of it can be read or patched"):
        cs.load(str(tmp_path))


def test_language_names(tiny_folder):
    """`en` is enough where one code begins with it; a missing or unknown one is said."""
    folder = str(tiny_folder("nllb"))
    mt = cs.load(folder, src="en", tgt="pt")
    assert mt.tokenise("a").pieces[0] == "eng_Latn"
    assert mt.tokenizer.target_pieces(mt.tokenizer.forced) == ("por_Latn",)
    for options, said in [
        ({}, "needs to be told the language: src="),
        ({"src": "en"}, "needs to be told the language: tgt="),
        ({"src": "en", "tgt": "xx"}, "does not know one language 'xx'"),
    ]:
        with pytest.raises(cs.CueScopeError, match=said):
            cs.load(folder, **options)
    with pytest.raises(cs.CueScopeError, match="needs to be told"):
        cs.load(str(tiny_folder("t5")))


@pytest.mark.slow
def test_opus_with_several_targets(tmp_path):
    """`>>fra<<` goes before the source as one token, and is no word."""
    folder = str(tiny.marian(tmp_path, codes=(">>fra<<", ">>por<<")))
    for name in ("fr", "fra", ">>fra<<"):
        encoding = cs.load(folder, tgt=name).tokenise("The nurse slept.")
        assert encoding.pieces[0] == ">>fra<<"
        assert encoding.offsets[0] is None
        assert encoding.find("nurse")
    with pytest.raises(cs.CueScopeError, match="tgt="):
        cs.load(folder)


def test_a_tokenizer_without_offsets_is_refused_in_words():
    from transformers import MarianTokenizer

    slow = MarianTokenizer.__new__(MarianTokenizer)  # written in Python, as PLBart's is
    with pytest.raises(cs.CueScopeError, match="where a piece stands") as said:
        FastTokenizer(slow)
    assert said.value.found == "MarianTokenizer, which is written in Python"
