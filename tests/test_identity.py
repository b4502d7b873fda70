"""A signature names the model: what bears on a number changes it, what does not leaves it alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

import cuescope as cs
from cuescope import CueScopeError
from cuescope.gender import languages
from cuescope.models import identity
from cuescope.models.decoding import Limits


def weights(mt: cs.Translator) -> None:
    next(mt.engine.module.parameters()).data[0, 0] += 1e-4


def heads(mt: cs.Translator) -> None:
    mt.engine.module.config.encoder_attention_heads += 1


def activation(mt: cs.Translator) -> None:
    mt.engine.module.config.activation_function = "gelu"


def limits(mt: cs.Translator) -> None:
    mt.limits = Limits(most=9)


def end(mt: cs.Translator) -> None:
    mt.engine.eos_id += 1


def barred(mt: cs.Translator) -> None:
    mt.engine.barred = (*mt.engine.barred, 7)


def vocabulary(mt: cs.Translator) -> None:
    ids = mt.tokenizer._sides["source"]._ids
    first, second = list(ids)[5:7]
    ids[first], ids[second] = ids[second], ids[first]
    vars(mt.tokenizer).pop("fingerprint", None)


@pytest.mark.parametrize("change", [weights, heads, activation, limits, end, barred, vocabulary])
def test_what_makes_the_model_is_in_its_signature(tiny_model, change):
    mt = tiny_model("marian")
    before = mt.signature
    assert mt.signature == before, "asking twice changes nothing"
    change(mt)
    assert mt.signature != before


def _by_data(value: torch.Tensor) -> None:
    value.data[0] += 1e-3


def _in_place(value: torch.Tensor) -> None:
    with torch.no_grad():
        value.mul_(1.0001)


def _rows_swapped(value: torch.Tensor) -> None:
    value.data[[0, 1]] = value.data[[1, 0]].clone()


def _columns_swapped(value: torch.Tensor) -> None:
    value.data[:, [0, 1]] = value.data[:, [1, 0]].clone()


def _by_numpy(value: torch.Tensor) -> None:
    value.detach().numpy()[0, 0] += 1e-3


def _other_memory(value: torch.Tensor) -> None:
    value.data = value.data.clone() * 1.0001


@pytest.mark.parametrize(
    "change", [_by_data, _in_place, _rows_swapped, _columns_swapped, _by_numpy, _other_memory]
)
def test_weights_changed_in_memory_are_noticed_however_they_were(tiny_model, change):
    """The hash is kept between two questions: the quick look must see every way to change them."""
    mt = tiny_model("marian")
    every = dict(mt.engine.module.named_parameters())
    for name in ("model.shared.weight", "model.encoder.layers.1.fc2.weight"):
        before = mt.signature["weights"]
        change(every[name])
        assert mt.signature["weights"] == mt.weights_hash != before


def test_one_look_stands_for_all_where_nothing_runs(tiny_model, monkeypatch):
    mt = tiny_model("marian")
    looks, real = [], identity._look
    monkeypatch.setattr(identity, "_look", lambda module: looks.append(1) or real(module))
    before = mt.signature
    with mt.still():
        assert {str(mt.signature) for _ in range(5)} == {str(before)}
        assert len(looks) == 2  # the first question's, and that of `still`
    weights(mt)
    assert mt.signature != before
    weights(mt)
    with mt.still():
        assert mt.signature["weights"] == mt.weights_hash, "looked at when it began"


@pytest.mark.parametrize("kind", [torch.float16, torch.bfloat16, torch.float64])
def test_weights_of_any_precision_have_a_hash(tiny_model, kind):
    mt = tiny_model("marian")
    plain = mt.signature["weights"]
    mt.engine.module.to(kind)
    assert mt.signature["weights"] == mt.weights_hash != plain


def test_the_kernel_of_attention_and_the_folder_are_not(tiny_model):
    mt = tiny_model("marian")
    before = mt.signature
    mt.engine.module.set_attn_implementation("eager")
    assert mt.signature == before


def test_no_path_of_a_machine_is_in_it(tiny_model):
    mt = tiny_model("marian")
    assert "/" in mt.name
    assert "/" not in mt.signature["model"]


def test_under_an_intervention_the_weights_are_those_before(tiny_model):
    mt = tiny_model("marian")
    plain = mt.signature
    with mt.scale(2.0, encoder=[(0, 0)]), torch.no_grad():
        weights(mt)  # as a tuned mend does
        assert mt.signature["weights"] == plain["weights"]
        assert mt.signature["under"]
        mt.translate("a b c")
    assert mt.signature["weights"] != plain["weights"]


def test_a_run_is_of_its_weights(tiny_model):
    mt = tiny_model("marian")
    run = cs.investigate(mt, list(cs.pairs("simplegen"))[:4], lang="pt")
    run.facts()
    weights(mt)
    with pytest.raises(CueScopeError, match="not as it was in this run") as told:
        run.facts()
    assert told.value.found.startswith("weights ")


@pytest.mark.slow
def test_all_that_is_known_of_the_pairs_counts(tiny_model):
    mt, pairs = tiny_model("marian"), list(cs.pairs("simplegen"))[:4]
    first = cs.investigate(mt, pairs, lang="pt").facts()
    for change in ({"noun": "x"}, {"stereotype": "female"}, {"template": "t"}, {"gold": "neutral"}):
        others = [replace(pairs[0], pro=replace(pairs[0].pro, **change)), *pairs[1:]]
        assert cs.investigate(mt, others, lang="pt").facts() != first, change
    assert cs.investigate(mt, pairs, lang="es").facts() != first


def test_another_lexicon_is_another_fingerprint():
    pt = languages.get("pt")
    other = replace(pt, contractions={**pt.contractions, "x": ("a", "o")})
    assert replace(pt).fingerprint == pt.fingerprint != other.fingerprint
