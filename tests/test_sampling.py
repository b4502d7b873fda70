"""Tree sampling against enumerated probabilities, teacher forcing and independent sampling."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest
import torch
from scipy import stats as scipy_stats

import cuescope as cs
import tiny
from cuescope.inside.translator import Translator
from cuescope.models.decoding import Limits
from cuescope.models.families import FIREFOX
from cuescope.models.spans import Encoding
from cuescope.sampling import Samples, tree
from cuescope.sampling.independent import independent
from cuescope.sampling.truncate import allowed
from test_decoding import Markov

MOST, EPSILON = 4, 0.15


class Letters:
    """A tokenizer of one token: the Markov engine does not look at the source."""

    forced: tuple[int, ...] = ()

    def source(self, text):
        return Encoding(text, (2,), (text,), ((0, len(text)),))

    def decode(self, ids):
        return "".join(".?abc"[i] for i in ids)


class Known(Markov):
    module = torch.nn.Linear(1, 1)


def markov(seed: int) -> Translator:
    limits = Limits(factor=0, extra=MOST)
    return Translator("markov", Known(seed), Letters(), FIREFOX, limits=limits)  # type: ignore[arg-type]


def rule(logits: list[float], epsilon: float) -> dict[int, float]:
    """The ε rule in plain floats: id 1 is barred."""
    raw = {i: math.exp(x) for i, x in enumerate(logits) if i != 1}
    p = {i: v / sum(raw.values()) for i, v in raw.items()}
    kept = {i: v for i, v in p.items() if v >= epsilon or v == max(p.values())}
    return {i: v / sum(kept.values()) for i, v in kept.items()}


def enumerated(engine: Markov, epsilon: float) -> dict[tuple[int, ...], float]:
    """The probability of every sequence, finished or cut off."""
    after = {last: rule(engine.table[last].tolist(), epsilon) for last in range(6)}
    found = {}
    for length in range(1, MOST + 1):
        for body in itertools.product((2, 3, 4), repeat=length - 1):
            for end in (0,) if length < MOST else (0, 2, 3, 4):
                steps = itertools.pairwise((engine.start_id, *body, end))
                p = math.prod(after[a].get(b, 0.0) for a, b in steps)
                if p > 0:
                    found[(*body, end)] = p
    return found


def fit(samples: Samples, exact: dict[tuple[int, ...], float]) -> tuple[float, float]:
    """p of the χ² test, and the total variation, of samples against exact probabilities."""
    drawn = {s.ids: s.count for s in samples}
    keys = sorted({*drawn, *exact}, key=lambda ids: exact.get(ids, 0.0))
    counts = np.array([drawn.get(ids, 0) for ids in keys], dtype=float)
    expected = samples.n * np.array([exact.get(ids, 0.0) for ids in keys])
    variation = float(abs(counts - expected).sum() / (2 * samples.n))
    if counts[expected == 0].sum():
        return 0.0, variation  # something impossible was drawn
    rare = np.cumsum(expected) < 10  # as is usual, cells of few are taken together
    often = zip(counts[~rare], expected[~rare], strict=True)
    cells = [(counts[rare].sum(), expected[rare].sum()), *often]
    cells = [cell for cell in cells if cell[1] > 0]
    seen, wanted = map(np.array, zip(*cells, strict=True))
    if len(cells) == 1:
        return 1.0, variation
    return float(scipy_stats.chisquare(seen, wanted * seen.sum() / wanted.sum()).pvalue), variation


# -- exact in distribution -------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.0, EPSILON, 0.6])
@pytest.mark.parametrize("seed", range(5))
def test_exact_in_distribution(seed, epsilon):
    mt, n = markov(seed), 200_000
    exact = enumerated(mt.engine, epsilon)
    assert sum(exact.values()) == pytest.approx(1)
    p, variation = fit(mt.sample("x", n, epsilon=epsilon)[0], exact)
    assert p > 1e-3
    assert variation < 2 * math.sqrt(len(exact) / n)


@pytest.mark.parametrize("seed", range(3))
def test_equal_to_independent_sampling(seed):
    mt, n = markov(seed), 20_000
    exact = enumerated(mt.engine, EPSILON)
    alone = independent(mt, "x", n, EPSILON, seed)
    assert fit(alone, exact)[0] > 1e-3
    ours = {s.ids: s.count for s in mt.sample("x", n, epsilon=EPSILON)[0]}
    theirs = {s.ids: s.count for s in alone}
    table = [(ours.get(k, 0), theirs.get(k, 0)) for k in exact if ours.get(k, 0) > 5]
    assert scipy_stats.chi2_contingency(np.array(table).T).pvalue > 1e-3


def test_many_small_draws_are_one_large_one():
    """Counts of 128 at many seeds, as they are used, added up."""
    mt, total = markov(1), {}
    for seed in range(300):
        for s in mt.sample("x", 128, epsilon=EPSILON, seed=seed)[0]:
            total[s.ids] = total.get(s.ids, 0) + s.count
    rows = tuple(cs.sampling.Sample(ids, "", count, 0, 0) for ids, count in total.items())
    assert fit(Samples("x", rows, EPSILON, 0), enumerated(mt.engine, EPSILON))[0] > 1e-3


def _cut(logits, keep):
    return logits.masked_fill(~keep, -math.inf)


def _first_takes_the_rest(engine, logits, epsilon):
    found = allowed(engine, logits, epsilon)
    whole = found.logprob.double().exp()
    first = torch.cat([found.rows[:1] + 1, found.rows.diff()]) > 0
    mass = torch.zeros(len(logits), dtype=whole.dtype).index_add_(0, found.rows, whole)
    return found._replace(probability=whole + first * (1 - mass)[found.rows])


def _reweighed(how):
    def wrong(engine, logits, epsilon):
        found = allowed(engine, logits, epsilon)
        p = how(found.probability)
        mass = torch.zeros(len(logits), dtype=p.dtype).index_add_(0, found.rows, p)
        return found._replace(probability=p / mass[found.rows])

    return wrong


def _barred_after(engine, logits, epsilon):
    best = logits.index_fill(1, torch.tensor([1]), -math.inf).amax(-1, keepdim=True)
    return allowed(engine, _cut(logits, (logits.softmax(-1) >= epsilon) | (logits == best)), 0)


def _relative(engine, logits, epsilon):
    p = logits.index_fill(1, torch.tensor([1]), -math.inf).softmax(-1)
    return allowed(engine, _cut(logits, p >= epsilon * p.amax(-1, keepdim=True)), 0)


MUTANTS = {
    "barred tokens stay": lambda e, x, eps: allowed(type("Open", (), {"barred": ()}), x, eps),
    "barred after the cut": _barred_after,
    "relative to the most likely": _relative,
    "no cut": lambda e, x, eps: allowed(e, x, 0.0),
    "a cut too high": lambda e, x, eps: allowed(e, x, 1.3 * eps),
    "only the most likely": lambda e, x, eps: allowed(e, x, 0.999),
    "uniform over what is left": _reweighed(torch.ones_like),
    "sharpened": _reweighed(lambda p: p**1.05),
    "not renormalised, the first takes the rest": _first_takes_the_rest,
}


@pytest.mark.parametrize("how", MUTANTS)
def test_a_wrong_rule_is_found_out(how, monkeypatch):
    """Each mistake fails the very test that the right rule passes."""
    models = [markov(seed) for seed in range(12)]
    exact = [enumerated(mt.engine, EPSILON) for mt in models]

    def worst():
        drawn = (mt.sample("x", 200_000, epsilon=EPSILON)[0] for mt in models)
        return min(fit(samples, p)[0] for samples, p in zip(drawn, exact, strict=True))

    assert worst() > 1e-3
    monkeypatch.setattr(tree, "allowed", MUTANTS[how])
    assert worst() < 1e-9


# -- the numbers of each sequence -------------------------------------------------------------


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_every_family_against_teacher_forcing(tiny_model, family, monkeypatch):
    """Both log probabilities, and the counts, from a plain forward over the drawn sequences."""
    mt = tiny_model(family)
    project = mt.engine.project  # flatter, so that there is something to draw
    flat = lambda logits: 2 * logits / logits.std(-1, keepdim=True)  # noqa: E731
    monkeypatch.setattr(mt.engine, "project", lambda hidden: flat(project(hidden)))
    mt.limits = Limits(factor=0, extra=3 + len(mt.tokenizer.forced))
    n, epsilon = 20_000, 0.06
    text = tiny.SENTENCES[0]
    drawn = mt.sample([tiny.SENTENCES[2], text], n, epsilon=epsilon)[1]
    batch, forced = mt.batch([text]), len(mt.tokenizer.forced)
    states = mt.engine.encode(batch.ids, batch.mask)
    exact = {}
    for sample in drawn:
        ids = torch.tensor([sample.ids])
        hidden = mt.engine.decode(states, batch.mask, mt.decoder_inputs(ids))
        logits = mt.engine.project(hidden)[0].double()
        whole = logits.log_softmax(-1)
        barred = logits.clone()
        barred[:, list(mt.engine.barred)] = -math.inf
        p = barred.softmax(-1)
        p[(p < epsilon) & (p < p.amax(-1, keepdim=True))] = 0
        p = (p / p.sum(-1, keepdim=True)).log()
        steps = range(forced, len(sample.ids))
        assert sample.ids[:forced] == mt.tokenizer.forced
        assert not set(sample.ids[forced:]) & set(mt.engine.barred)
        assert sample.logprob == pytest.approx(
            sum(float(whole[t, sample.ids[t]]) for t in steps), abs=1e-3
        )
        truncated = sum(float(p[t, sample.ids[t]]) for t in steps)
        assert sample.truncated == pytest.approx(truncated, abs=1e-3)
        assert sample.finished == (sample.ids[-1] == mt.engine.eos_id)
        exact[sample.ids] = math.exp(truncated)
    assert len(exact) > 2, "flat enough to tell"
    missing = 1 - sum(exact.values())
    assert -1e-6 < missing < 0.02
    exact = {ids: p / (1 - missing) for ids, p in exact.items()}
    assert fit(drawn, exact)[0] > 1e-3


def test_log_probability_is_that_of_score(firefox):
    text = "The nurse said that she was tired."
    samples = firefox.sample(text)[0]
    for sample in samples:
        (scored,) = firefox.score([text], [sample.text])
        if scored.encoding.ids == sample.ids:
            assert sample.logprob == pytest.approx(scored.logprob, abs=1e-3)
    assert all(s.truncated >= s.logprob - 1e-6 for s in samples)
    assert samples.n == 128 == sum(samples.texts.values())
    assert [s.count for s in samples] == sorted((s.count for s in samples), reverse=True)


# -- seeds, batches, memory -------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_batches_and_chunks_change_nothing(tiny_model, family):
    mt = tiny_model(family)
    mt.limits = Limits(factor=0, extra=6)
    texts = [*tiny.SENTENCES[:4], tiny.SENTENCES[0]]
    together = mt.sample(texts, 64, epsilon=0.05)
    drawn = [{s.ids: s.count for s in samples} for samples in together]
    assert [s.source for s in together] == texts
    for options in ({"batch_size": 2}, {"batch_size": 1}, {"rows": 3}, {"rows": 1}):
        again = tree.sample(mt, texts[::-1], 64, 0.05, 0, **options)[::-1]
        assert [{s.ids: s.count for s in samples} for samples in again] == drawn, options
        assert [s.evaluations for s in again] == [s.evaluations for s in together]


def test_seeds_and_sources_differ():
    mt = markov(0)
    a, b = mt.sample(["x", "y"], 500, epsilon=0)
    assert a.sequences != b.sequences, "a source of its own is drawn on its own"
    assert mt.sample("x", 500, epsilon=0)[0] == a
    assert mt.sample("x", 500, epsilon=0, seed=1)[0].sequences != a.sequences


def test_each_prefix_is_evaluated_once():
    mt = markov(2)
    samples = mt.sample("x", 1000, epsilon=EPSILON)[0]
    prefixes = {s.ids[:length] for s in samples for length in range(len(s.ids))}
    assert samples.evaluations == len(prefixes)
    alone = independent(mt, "x", 1000, EPSILON, 0)
    assert alone.evaluations == sum(len(s.ids) * s.count for s in alone)


@pytest.mark.slow
def test_no_more_rows_at_once_than_allowed(tiny_model, monkeypatch):
    mt = tiny_model("marian")
    mt.limits = Limits(factor=0, extra=6)
    step, widest = mt.engine.step, 0

    def counted(tokens, state):
        nonlocal widest
        widest = max(widest, len(tokens))
        return step(tokens, state)

    monkeypatch.setattr(mt.engine, "step", counted)
    tree.sample(mt, tiny.SENTENCES, 100, 0.01, 0, rows=7)
    assert 4 <= widest <= 7


def test_works_under_an_intervention(tiny_model):
    """A head that is ablated draws what a model without its columns draws."""
    whole, cut = tiny_model("marian"), tiny_model("marian")
    with torch.no_grad():
        cut.out_proj("cross", 1).weight[:, cut.head_slice("cross", 1, 2)] = 0
    texts = tiny.SENTENCES[:3]
    for mt in (whole, cut):
        mt.limits = Limits(factor=0, extra=5)
    with whole.ablate(cross=[(1, 2)]):
        under = whole.sample(texts, 200)
    assert [s.texts for s in under] == [s.texts for s in cut.sample(texts, 200)]
    assert [s.texts for s in under] != [s.texts for s in whole.sample(texts, 200)]


def test_samples_survive_json():
    samples = markov(0).sample("x", 50)[0]
    assert Samples.from_json(json.loads(json.dumps(samples.to_json()))) == samples


# -- mistakes ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n": 0}, "nothing to draw"),
        ({"n": -3}, "nothing to draw"),
        ({"epsilon": -0.1}, "ε out of range"),
        ({"epsilon": 1.0}, "ε out of range"),
        ({"epsilon": math.nan}, "ε out of range"),
        ({"batch_size": 0}, "batch_size out of range"),
    ],
)
def test_out_of_range(options, message):
    with pytest.raises(cs.CueScopeError, match=message):
        markov(0).sample("x", **options)


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_model_that_gives_no_numbers(value):
    mt = markov(0)
    mt.engine.table[3, 2] = value
    with pytest.raises(cs.CueScopeError, match="not numbers"):
        mt.sample("x", 500, epsilon=0)


def test_an_empty_source_is_refused(tiny_model):
    with pytest.raises(cs.CueScopeError, match="is empty"):
        tiny_model("marian").sample(["A nurse.", " "])
    assert tiny_model("marian").sample([]) == []


@pytest.mark.slow
@pytest.mark.parametrize("family", ["marian", "t5", "firefox"])
def test_under_a_resampled_ablation_a_prefix_is_where_it_is(family, request, tiny_model):
    """Few prefixes at a time go depth first: the place is the state's, not the count of calls."""
    mt = request.getfixturevalue("firefox") if family == "firefox" else tiny_model(family)
    heads = {site: [(0, 0), (1, 2)] for site in mt.sites if site != "encoder"}
    texts = tiny.SENTENCES[:3]
    before, mt.limits = mt.limits, type(mt.limits)(most=8)
    try:
        with mt.ablate(value="resample", over=texts, **heads):
            few, many = (tree.sample(mt, texts, 24, 0.01, 0, rows=rows) for rows in (2, 4096))
    finally:
        mt.limits = before
    for one, other in zip(few, many, strict=True):
        assert [(s.ids, s.count) for s in one] == [(s.ids, s.count) for s in other]
    assert any(len(one) > 4 for one in many), "no tree to go down"
