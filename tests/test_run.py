"""The main job: one pass of translations, and everything measured on it."""

from __future__ import annotations

import numpy as np
import pytest

import cuescope as cs
from cuescope.inside.read.attention import attention
from cuescope.inside.ready import subjects, target_language, twins

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def run(firefox):
    return cs.investigate(firefox, cs.pairs("simplegen")[:40])


@pytest.mark.slow
def test_what_is_inside_comes_from_the_same_translations(run, firefox, monkeypatch):
    """Attention and effects of a run are those of a fresh pass, without translating again."""
    run = run.thin(12)
    items = [item for pair in run.pairs for item in pair]
    fresh = attention(firefox, subjects(firefox, items), ("encoder",))["encoder"]
    effect = firefox.patch(twins(firefox, run.pairs), "encoder")
    monkeypatch.setattr(type(firefox), "generate", None)
    np.testing.assert_allclose(run.attention("encoder").values, fresh.values, atol=1e-6)
    np.testing.assert_allclose(run.patch("encoder").values, effect.values, atol=1e-5)
    assert run.attention("cross").values.shape == (len(run.subjects), 2, 8)


@pytest.mark.slow
def test_two_heads_carry_the_cue(run):
    """The finding that this toolkit tells, small: 0.7 and 2.1 lead by effect."""
    top = run.patch("encoder").mean("pair").top(2)
    assert set(zip(top["layer"], top["head"], strict=True)) == {(0, 7), (2, 1)}


def test_numbers(run):
    accuracy = run.accuracy()
    assert accuracy["pro"]["all"].n == accuracy["anti"]["all"].n == 40
    assert accuracy["pro"]["all"].value > accuracy["anti"]["all"].value
    assert "model:firefox:en-pt" in repr(run.mpa().value)
    assert len(run.table()) == 80


def test_thinning_judges_nothing_again(run, monkeypatch):
    from cuescope.measures import verdict as judge

    whole = dict(zip((pair.index for pair in run.pairs), run.verdicts, strict=True))
    assert len(run.twins)
    monkeypatch.setattr(judge, "judge", None)
    for small in (run.thin(7), run.thin(7, usable=True)):
        assert len(small.pairs) == len(small.verdicts) == 7
        for pair, verdicts in zip(small.pairs, small.verdicts, strict=True):
            assert verdicts is whole[pair.index]
        assert len(small.subjects) <= 14


def test_thinning_takes_half_of_each_order(firefox):
    """As far as there are so many: else the other order has the rest; in order."""
    every = cs.pairs("simplegen")
    before = [p for p in every if p.pro.order == "cue before"][:7]
    after = [p for p in every if p.pro.order == "cue after"][:30]
    run = cs.investigate(firefox, [*after, *before])
    for most, few in ((10, 5), (14, 7), (20, 7), (9, 4)):
        chosen = run.thin(most).pairs
        assert len(chosen) == most
        assert sum(p.pro.order == "cue before" for p in chosen) == few
        places = [run.pairs.index(pair) for pair in chosen]
        assert places == sorted(places)
    assert run.thin(6).pairs[-1].pro.order == "cue before"


@pytest.mark.slow
def test_the_language_of_a_run_is_no_models(firefox):
    """Spanish first changes nothing of Portuguese afterwards, nor the model."""
    pairs = cs.pairs("simplegen")[11:17]
    kept, firefox.tgt = firefox.tgt, None
    try:
        fresh = cs.investigate(firefox, pairs, lang="pt")
        wanted = [one.contrast for one in fresh.twins]
        spanish = cs.investigate(firefox, pairs, lang="es")
        assert [one.contrast for one in spanish.twins] != wanted
        again = cs.investigate(firefox, pairs, lang="pt")
        assert firefox.tgt is None
        assert [one.contrast for one in again.twins] == wanted
        assert (again.facts()["lang"], spanish.facts()["lang"]) == ("pt", "es")
        assert again.patch("cross").signature["lang"] == "pt"
    finally:
        firefox.tgt = kept


@pytest.mark.slow
def test_both_steps_of_cross_attention_are_kept_apart(firefox, tmp_path):
    run = cs.investigate(firefox, cs.pairs("simplegen")[11:15], out=tmp_path)
    chosen, noun = run.attention("cross", query="choice"), run.attention("cross")
    names = {path.name for path in tmp_path.glob("attention-*.npz")}
    assert names == {"attention-cross-choice.npz", "attention-cross.npz"}
    assert not np.allclose(chosen.values, noun.values)
    again = cs.investigate(firefox, run.pairs, out=tmp_path).attention("cross", query="choice")
    assert np.array_equal(again.values, chosen.values)


def test_thinning_keeps_the_spread(run):
    assert len(run.thin(10).pairs) == 10
    assert run.thin(100).pairs == run.pairs


def test_a_models_own_code_names_the_language(tiny_model):
    """NLLB says por_Latn, which is pt: two letters of the code would be another language."""
    mt = tiny_model("nllb")
    mt.tgt = "por_Latn"
    assert target_language(mt) == "pt"
    assert target_language(mt, "it") == "it"


def test_mistakes_are_said(firefox, tiny_model):
    with pytest.raises(cs.CueScopeError, match="no pairs"):
        cs.investigate(firefox, [])
    mt, pairs = tiny_model("marian"), cs.pairs("simplegen")[:2]
    with pytest.raises(cs.CueScopeError, match="cannot be read in the output"):
        cs.investigate(mt, pairs, lang="en")
    mt.tgt = "en"
    run = cs.investigate(mt, pairs)
    with pytest.raises(cs.CueScopeError, match="accuracy cannot be measured"):
        run.accuracy()
