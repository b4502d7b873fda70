"""Does a run come out again? A random tenth of it is computed anew and compared, value by value.

Translations and samples must be the same tokens. Where floating point decides between two tokens
that the model holds for equally likely (another batch, other threads, another machine), the
near-tie is named; attention and effects must agree within a tolerance.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cuescope.errors import CueScopeError, Unfit
from cuescope.run import heads_stage, looking
from cuescope.run.kept_files import read_lines, read_scores
from cuescope.run.settings import Settings
from cuescope.run.store import Store
from cuescope.sampling.samples import Samples

if TYPE_CHECKING:
    from cuescope.inside.translator import Translator
    from cuescope.models.translator import Progress
    from cuescope.run.run import Run
    from cuescope.stats.scores import Scores

TIE = 1e-3  # of a logit: what the order of sums can move, with room
NEAR = 1e-4  # of the largest value of a grid: float32, other batches
EDGE = 0.01  # of the samples of a sentence
_MODEL = ("weights", "config", "tokenizer")


@dataclass(frozen=True)
class Compared:
    """What was computed anew of one thing, and how it lies to what is kept."""

    what: str
    anew: int
    total: int
    differing: tuple[str, ...]  # what is not as it was, in words
    ties: tuple[str, ...] = ()  # what differs at a near-tie, in words
    gap: float | None = None  # the largest difference of numbers

    @property
    def ok(self) -> bool:
        """Is all of it as it was, near-ties apart?"""
        return not self.differing


def settings_of(found: Any) -> Settings:
    """The settings that a run's findings were made with."""
    given = {"model": found["model"]["name"], "data": found["data"]["name"], **found["settings"]}
    told = {one.name: given[one.name] for one in fields(Settings) if one.name in given}
    lists = {name: tuple(value) for name, value in told.items() if isinstance(value, list)}
    return Settings(**{**told, **lists})


def verify(
    folder: Path,
    run: Run,
    *,
    share: float = 0.1,
    seed: int = 0,
    progress: Progress | None = None,
) -> Iterator[Compared]:
    """Compute a share of a kept run anew; nothing in its folder is touched."""
    if not 0 < share <= 1:
        raise CueScopeError("share out of range", expected="above 0, up to 1", found=str(share))
    rng = random.Random(seed)
    yield _translations(run, rng, share)
    yield from _samples(folder, run, rng, share)
    for name, some, make in _measures(run):
        path = folder / f"{name}.npz"
        if path.is_file():
            kept = read_scores(path)
            yield (
                _scores(name, kept, some, make, rng, share)
                if kept is not None
                else Compared(name, 0, 0, (f"{path.name} is damaged",))
            )
        if progress:
            progress(1)


def opened(folder: Path, mt: Translator, pairs: Sequence[Any], settings: Settings) -> Run:
    """The run as it is kept: its translations, with the model that made them."""
    from cuescope.run.investigate import run_of

    facts, lines = read_lines(folder / "translations.jsonl")
    then = dict(fact.split(":", 1) for fact in facts.split("|") if ":" in fact)
    now = mt.signature
    for name in _MODEL:
        if then.get(name) != now[name]:
            raise CueScopeError(
                f"{folder} was made with another model",
                expected=f"{name} {then.get(name)}",
                found=f"{name} {now[name]}",
                do="give the model that it was made with: --model",
            )
    run = run_of(mt, pairs, lines, settings)
    if lost := {item.text for pair in run.pairs for item in pair} - set(run.hypotheses):
        raise CueScopeError(
            f"{folder} holds no translation of a sentence of the set",
            expected="the set that it was made with",
            found=f"{len(lost)} others, such as {min(lost)!r}",
            do="restore the data file as it was",
        )
    return replace(run, store=Store())


def _drawn(every: Sequence[Any], share: float, rng: random.Random) -> list[Any]:
    return rng.sample(list(every), min(len(every), ceil(share * len(every))))


def _translations(run: Run, rng: random.Random, share: float) -> Compared:
    texts = _drawn(sorted(run.hypotheses), share, rng)
    differing: list[str] = []
    ties: list[str] = []
    for text, anew in zip(texts, run.mt.generate(texts), strict=True):
        then = run.hypotheses[text].ids
        if anew.ids != then:
            gap = _gap(run.mt, text, then, anew.ids)
            told = f"{text!r}: {run.mt.tokenizer.decode(then)!r}, now "
            told += f"{run.mt.tokenizer.decode(anew.ids)!r} (logits {gap:.1e} apart)"
            (ties if gap <= TIE else differing).append(told)
    return Compared("translations", len(texts), len(run.hypotheses), tuple(differing), tuple(ties))


def _gap(mt: Translator, text: str, then: Sequence[int], now: Sequence[int]) -> float:
    """How far apart the logits of two tokens are where two translations part."""
    import torch

    same = [a == b for a, b in zip(then, now, strict=False)]
    at = same.index(False) if False in same else len(same)
    if at >= min(len(then), len(now)):
        return float("inf")  # one is the beginning of the other: a limit, no choice
    batch = mt.batch([text])
    given = torch.tensor([then[: at + 1]], device=mt.device)
    with torch.no_grad():
        states = mt.engine.encode(batch.ids, batch.mask)
        hidden = mt.engine.decode(states, batch.mask, mt.decoder_inputs(given))
        logits = mt.engine.project(hidden)[0, at]
    return abs(float(logits[then[at]] - logits[now[at]]))


def _samples(folder: Path, run: Run, rng: random.Random, share: float) -> Iterator[Compared]:
    path = folder / "samples.jsonl"
    if not path.is_file():
        return
    use = run.settings
    _, lines = read_lines(path)
    some = _drawn(sorted(lines, key=str), share, rng)
    texts = [line["source"] for line in some]
    anew = run.mt.sample(texts, use.samples, epsilon=use.epsilon, seed=use.seed)
    differing: list[str] = []
    ties: list[str] = []
    for line, now in zip(some, anew, strict=True):
        then = Samples.from_json(line)
        counts = [Counter({one.ids: one.count for one in drawn}) for drawn in (then, now)]
        moved = max((counts[0] - counts[1]).total(), (counts[1] - counts[0]).total())
        if moved:  # a draw at the very edge between two tokens may fall to the other side
            told = f"{moved} of {then.n} samples of {line['source']!r}"
            (ties if moved <= EDGE * then.n else differing).append(told)
    yield Compared("samples", len(some), len(lines), tuple(differing), tuple(ties))


def _measures(run: Run) -> Iterator[tuple[str, Run, Any]]:
    """Every kind of scores: its name, the run that it is of, and how it is measured."""
    small = run.small
    for _, site, query in heads_stage.looks(run):
        name, _ = looking.kept_as(small, "attention", site, {"query": query})
        yield name, small, lambda one, s=site, q=query: one.attention(s, query=q)
    for verb, measure in (("patch", "effect"), ("attribute", "attribution")):
        for site in run.mt.sites:
            for into in ("male", "female"):
                name, _ = looking.kept_as(small, measure, site, {"into": into})
                yield name, small, lambda one, v=verb, s=site, i=into: getattr(one, v)(s, into=i)


def _scores(
    name: str, kept: Scores, run: Run, make: Any, rng: random.Random, share: float
) -> Compared:
    """The scores of some of the pairs, beside those that are kept."""
    numbers = sorted(set(kept.rows["pair"]))
    wanted = set(_drawn(numbers, share, rng))
    some = run.only(wanted)
    try:
        anew = make(some)
    except Unfit as error:
        return Compared(name, 0, len(numbers), (f"{name}: {error.what}",))
    there = [n for n, pair in enumerate(kept.rows["pair"]) if pair in wanted]
    if anew.rows["pair"].tolist() != kept.rows["pair"].iloc[there].tolist():
        return Compared(name, len(wanted), len(numbers), (f"{name}: other pairs can be used",))
    then, now = kept.values[there], anew.values
    if kept.per is not None and anew.per is not None:  # shares of the mean gap of fewer pairs
        now = now * (kept.per[there].mean() / anew.per.mean())
    gap = float(np.nanmax(np.abs(now - then), initial=0.0))
    limit = NEAR * max(1.0, float(np.nanmax(np.abs(kept.values), initial=0.0)))
    same = np.isnan(now) == np.isnan(then)
    differing = () if gap <= limit and same.all() else (f"{name}: {gap:.1e} apart",)
    return Compared(name, len(wanted), len(numbers), differing, gap=gap)
