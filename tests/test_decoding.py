"""Greedy and beam search against exhaustive search and plain loops."""

from __future__ import annotations

import itertools

import pytest
import torch

import cuescope as cs
import tiny
from cuescope.models import decoding
from cuescope.models.decoding import Limits, largest


class Markov:
    """An Engine whose next word depends on the last one only: all sequences can be listed."""

    vocabulary, rows, start_id, pad_id, target_pad_id, eos_id = 5, 6, 5, 5, 5, 0
    barred: tuple[int, ...] = (1,)
    longest = 20
    module = torch.nn.Identity()

    def __init__(self, seed: int) -> None:
        generator = torch.Generator().manual_seed(seed)
        self.table = torch.randn(6, 5, generator=generator) * 2

    def encode(self, ids, mask):
        return ids[..., None].float()

    def start(self, states, mask):
        return Rows()

    def step(self, tokens, state):
        return self.table[tokens], state

    def project(self, hidden):
        return hidden.clone()


class Rows:
    """A state with nothing in it."""

    def select(self, rows):
        return self

    def newest(self):
        return torch.zeros(1, 0)

    def after(self, steps):
        return self


def every_sequence(engine, most):
    """All finished sequences of at most `most` tokens with their log probability per token."""
    logp = engine.table.log_softmax(-1)
    for length in range(1, most + 1):
        for body in itertools.product((2, 3, 4), repeat=length - 1):
            ids = (*body, 0)
            total, last = 0.0, engine.start_id
            for token in ids:
                total += float(logp[last, token])
                last = token
            yield ids, total / len(ids)


@pytest.mark.parametrize("seed", range(12))
def test_a_wide_beam_finds_the_best_sequence(seed):
    engine, most = Markov(seed), 5
    ids = torch.zeros(1, 3, dtype=torch.long)
    wide = 81  # as many as there are open prefixes before the last step: nothing is pruned
    best = max(every_sequence(engine, most), key=lambda pair: pair[1])
    finished = [h for h in _beam(engine, ids, most, wide) if h.finished]
    assert finished[0].ids == best[0]
    assert finished[0].score == pytest.approx(best[1], abs=1e-5)


def _beam(engine, ids, most, width):
    mask = torch.ones_like(ids)
    return decoding.beam(engine, engine.encode(ids, mask), mask, (), Limits(most=most), width)[0]


@pytest.mark.parametrize("seed", range(6))
def test_a_beam_of_one_is_greedy(seed):
    engine = Markov(seed)
    ids = torch.zeros(2, 3, dtype=torch.long)
    mask = torch.ones_like(ids)
    states = engine.encode(ids, mask)
    limits = Limits(most=6)
    greedy = decoding.greedy(engine, states, mask, (), limits)
    beams = decoding.beam(engine, states, mask, (), limits, 1)
    assert [g.ids for g in greedy] == [b[0].ids for b in beams]
    assert 1 not in greedy[0].ids, "barred"


@pytest.mark.slow
def test_finished_rows_leave_without_disturbing_others(firefox):
    """A batch of very different lengths, against one sentence at a time."""
    texts = ["No.", *tiny.SENTENCES[:3], "Yes, she did.", "A."]
    together = firefox.translate(texts, batch_size=6)
    alone = [firefox.translate(text)[0] for text in texts]
    assert together == alone
    assert firefox.translate(texts, batch_size=2) == alone
    assert firefox.translate(texts, beam=4) == [firefox.translate(t, beam=4)[0] for t in texts]


def test_the_limit_is_kept_and_said(tiny_model):
    mt = tiny_model("marian")
    mt.limits = Limits(factor=0, extra=3)
    found = mt.generate(tiny.SENTENCES[:3])
    assert all(len(h.ids) <= 3 for h in found)
    assert all(h.finished == (h.ids[-1] == mt.engine.eos_id) for h in found)


def test_a_model_that_is_not_a_number_is_said(tiny_folder):
    mt = cs.load(str(tiny_folder("marian")), check=False)
    with torch.no_grad():
        mt.engine.module.model.decoder.layers[0].fc1.weight.fill_(float("nan"))
    for call in (
        lambda: mt.translate("a"),
        lambda: mt.translate("a", beam=2),
        lambda: mt.score(["a"], ["b"]),
    ):
        with pytest.raises(cs.CueScopeError, match="not numbers"):
            call()


@pytest.mark.parametrize("options", [{"beam": 0}, {"batch_size": 0}])
def test_options_out_of_range(tiny_model, options):
    with pytest.raises(cs.CueScopeError, match="out of range"):
        tiny_model("marian").translate("a", **options)


def test_nothing_in_nothing_out(tiny_model):
    assert tiny_model("marian").translate([]) == []
    assert tiny_model("marian").score([], []) == []


@pytest.mark.parametrize(
    ("rows", "beams", "words"),
    [(3, 1, 50), (4, 5, 128), (7, 5, 1000), (2, 3, 4), (2, 5, 4000), (1, 2, 129)],
)
def test_the_largest_are_those_of_sorting_all(rows, beams, words):
    random = torch.Generator().manual_seed(words)
    scores = torch.randn(rows, beams, generator=random)
    logp = torch.randn(rows, beams, words, generator=random).log_softmax(-1)
    logp[..., 0] = -torch.inf
    scores[0, -1] = -torch.inf if beams > 1 else 0.0
    sums = (scores[:, :, None] + logp).flatten(1)
    wanted = sums.sort(1, descending=True).values[:, :10]
    best, beam, word = largest(scores, logp, 10)
    assert torch.equal(best, wanted)
    assert torch.equal(sums.gather(1, beam * words + word), best)
