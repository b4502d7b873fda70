"""Of every change that bears on a number: the store keeps it apart, and the signature names it."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest
import torch

import cuescope as cs
from cuescope import signature
from cuescope.gender import languages
from cuescope.models.decoding import Limits
from cuescope.run import exact_stage, looking, stages
from cuescope.run.settings import Settings

PAIRS = list(cs.pairs("simplegen"))[:6]
SETTINGS = Settings("tiny", data="simplegen", heads=4, sets=2, samples=4)


class World:
    """Whatever a run is made of; a change is made to it before the run."""

    def __init__(self, mt, patch):
        self.mt, self.patch, self.pairs, self.settings = mt, patch, PAIRS, SETTINGS
        self.lang = "pt"

    def kept(self):
        """The signature that is printed, and the facts under which each stage is kept."""
        run = cs.investigate(self.mt, self.pairs, settings=self.settings, lang=self.lang)
        heads = {
            name: str(looking.kept_as(run.small, name, "encoder", {"into": "male"})[1])
            for name in ("effect", "attribution")
        }
        return str(run.facts(**run.settings.numbers())), {
            "translate": str(run.signature),
            "uncertainty": str(stages._sampled(run)),
            "exact": str(exact_stage.facts(run)),
            **heads,
        }

    def pair(self, **change):
        first = self.pairs[0]
        self.pairs = [replace(first, pro=replace(first.pro, **change)), *self.pairs[1:]]


def _set(world, **changes):
    world.settings = replace(world.settings, **changes)


def _vocabulary(world):
    ids = world.mt.tokenizer._sides["source"]._ids
    first, second = list(ids)[5:7]
    ids[first], ids[second] = ids[second], ids[first]


def _lexicon(world):
    known = languages.find("pt")
    other = replace(known, contractions={**known.contractions, "x": ("a", "o")})
    world.patch.setattr(languages, "find", lambda lang: other)


def _code(world):
    world.patch.setattr(signature, "code", lambda: "another")


def _libraries(world):
    world.patch.setattr(torch, "__version__", "9.9")


def _weights(world):
    next(world.mt.engine.module.parameters()).data[0, 0] += 1e-4


def _config(name, value):
    return lambda world: setattr(world.mt.engine.module.config, name, value)


ALL = ("translate", "effect", "attribution", "uncertainty", "exact")
HEADS = ("effect", "attribution")
CHANGES = {
    "weights in memory": (_weights, ALL),
    "heads of the network": (_config("encoder_attention_heads", 8), ALL),
    "activation": (_config("activation_function", "gelu"), ALL),
    "length limit": (lambda w: setattr(w.mt, "limits", Limits(most=9)), ALL),
    "end of sentence": (lambda w: setattr(w.mt.engine, "eos_id", 5), ALL),
    "barred tokens": (lambda w: setattr(w.mt.engine, "barred", (7,)), ALL),
    "vocabulary": (_vocabulary, ALL),
    "languages": (lambda w: setattr(w.mt, "src", "xx"), ALL),
    "libraries": (_libraries, ALL),
    "code": (_code, ALL),
    "lexicon": (_lexicon, HEADS),
    "language of reading": (lambda w: setattr(w, "lang", "es"), HEADS),
    "noun of a pair": (lambda w: w.pair(noun="x"), HEADS),
    "stereotype of a pair": (lambda w: w.pair(stereotype="female"), HEADS),
    "a sentence": (lambda w: w.pair(text=w.pairs[0].pro.text + "!"), ALL[:3]),
    "fewer pairs": (lambda w: setattr(w, "pairs", w.pairs[:5]), ("translate", *HEADS)),
    "limit": (lambda w: _set(w, limit=4), ("translate", *HEADS)),
    "pairs for heads": (lambda w: _set(w, heads=2), HEADS),
    "seed": (lambda w: _set(w, seed=1), ("uncertainty",)),
    "epsilon": (lambda w: _set(w, epsilon=0.03), ("uncertainty", "exact")),
    "samples": (lambda w: _set(w, samples=5), ("uncertainty",)),
    "contrast sets": (lambda w: _set(w, sets=1), ("uncertainty", "exact")),
    "width": (lambda w: _set(w, exact=0.02), ("exact",)),
    "measures": (lambda w: _set(w, measures=("ge", "s3e"), similarity="chars"), ("uncertainty",)),
}


@pytest.fixture(scope="module")
def unchanged(tiny_model):
    first, again = (World(tiny_model("marian"), None).kept() for _ in range(2))
    assert first == again, "no change, the same facts"
    return first


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES)
def test_every_change_is_named_and_kept_apart(tiny_model, monkeypatch, unchanged, change):
    make, stages_of_it = CHANGES[change]
    printed, kept = unchanged
    world = World(tiny_model("marian"), monkeypatch)
    make(world)
    told, now = world.kept()
    assert told != printed, "the printed signature does not name it"
    assert {name for name in stages_of_it if now[name] != kept[name]} == set(stages_of_it)


def test_pages_are_no_part_of_the_code_of_a_number(tmp_path, monkeypatch):
    """Another report does not make a number another one; another rule or table does."""
    package = tmp_path / "cuescope"
    for place in ("show/page.py", "measures/rule.py", "gender/table.tsv"):
        (package / place).parent.mkdir(parents=True)
        (package / place).write_text("1")
    monkeypatch.setattr(signature, "__file__", str(package / "signature.py"))
    fresh = signature.code.__wrapped__
    before = fresh()
    (package / "show/page.py").write_text("2")
    assert fresh() == before
    (package / "gender/table.tsv").write_text("2")
    assert fresh() != before


def test_a_signature_goes_to_a_worker_and_comes_back():
    facts = signature.Signature(data="simplegen", seed=7)
    again = pickle.loads(pickle.dumps(facts))
    assert (str(again), type(again)) == (str(facts), signature.Signature)
