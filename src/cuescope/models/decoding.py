"""Greedy and beam search over any Engine: cached, and finished rows leave."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from cuescope.errors import CueScopeError
from cuescope.models.engine import Engine


@dataclass(frozen=True)
class Hypothesis:
    """What a decoder emitted: the ids after its start, `</s>` included if it came to an end."""

    ids: tuple[int, ...]
    finished: bool
    score: float | None = None  # log probability; of a beam, normalised by length


@dataclass(frozen=True)
class Limits:
    """How long a translation may get: `factor` × source + `extra`, never over `most` tokens."""

    factor: float = 3.0
    extra: int = 8
    most: int = 512

    def of(self, source: int) -> int:
        """Most tokens for a source of this length.

        >>> Limits(factor=2, extra=3, most=20).of(5), Limits(most=20).of(50)
        (13, 20)
        """
        return min(self.most, int(self.factor * source) + self.extra)


def greedy(
    engine: Engine,
    states: Tensor,
    mask: Tensor,
    forced: tuple[int, ...],
    limits: Limits,
    prefixes: Sequence[tuple[int, ...]] | None = None,
) -> list[Hypothesis]:
    """The most likely token at each step, for a whole batch.

    With `prefixes` each row begins with its own ids (`forced` among them) and is scored.
    """
    rows = states.shape[0]
    begun = prefixes or [forced] * rows
    scores = [0.0] * rows
    budget = [limits.of(int(n)) for n in mask.sum(1)]
    emitted: list[list[int]] = [[] for _ in range(rows)]
    finished: set[int] = set()
    closed: set[int] = set()
    alive = list(range(rows))
    state = engine.start(states, mask)
    tokens = torch.full((rows,), engine.start_id, device=states.device)
    for step in range(max(budget, default=0)):
        hidden, state = engine.step(tokens, state)
        given = [begun[row][step] if step < len(begun[row]) else -1 for row in alive]
        told = torch.tensor(given, device=states.device)
        gained = [0.0] * len(alive)
        if step < len(forced):
            tokens = told
        else:
            logits = bar(engine, engine.project(check_finite(hidden)))
            tokens = (
                torch.where(told < 0, logits.argmax(-1), told) if prefixes else logits.argmax(-1)
            )
            if prefixes:
                gained = logits.log_softmax(-1).gather(-1, tokens[:, None])[:, 0].tolist()
        for row, token, gain in zip(alive, tokens.tolist(), gained, strict=True):
            if row in closed:
                continue
            emitted[row].append(token)
            scores[row] += gain
            if token == engine.eos_id and step >= len(begun[row]):
                finished.add(row)
            if row in finished or len(emitted[row]) >= budget[row]:
                closed.add(row)
        keep = [place for place, row in enumerate(alive) if row not in closed]
        if not keep:
            break
        # Choosing rows copies the whole cache: worth it once an eighth of them is done.
        if len(keep) <= len(alive) * 7 // 8:
            chosen = torch.tensor(keep, device=states.device)
            state, tokens = state.select(chosen), tokens[chosen]
            alive = [alive[place] for place in keep]
    return [
        Hypothesis(tuple(ids), row in finished, scores[row] if prefixes else None)
        for row, ids in enumerate(emitted)
    ]


def bar(engine: Engine, logits: Tensor) -> Tensor:
    """Logits, or log probabilities, in which what must not be generated cannot win."""
    for barred in engine.barred:
        logits[..., barred] = -torch.inf
    return logits


def check_finite(values: Tensor) -> Tensor:
    """The values, unless they are no numbers: a choice made from those is meaningless."""
    if bool(values.isnan().any()):
        raise CueScopeError(
            "the model's output is not numbers",
            expected="finite hidden states and logits",
            found="NaN",
            do="check the weights (`cuescope check MODEL`) and the interventions in force",
        )
    return values


def beam(
    engine: Engine,
    states: Tensor,
    mask: Tensor,
    forced: tuple[int, ...],
    limits: Limits,
    width: int,
    length_penalty: float = 1.0,
) -> list[list[Hypothesis]]:
    """The best `width` hypotheses of each row, best first: log probability / length^penalty.

    A row ends when no open hypothesis can still beat its worst finished one, judged at the
    present length, as transformers' `generate(early_stopping=False)` does.
    """
    searches = [_Search(width, limits.of(int(n)), length_penalty) for n in mask.sum(1)]
    alive = list(range(len(searches)))
    state = engine.start(states, mask)
    tokens = torch.full((len(alive),), engine.start_id, device=states.device)
    scores = torch.zeros(len(alive), 1, device=states.device)
    for step in range(max(search.budget for search in searches)):
        hidden, state = engine.step(tokens, state)
        live = scores.shape[1]
        if step < len(forced):
            tokens = torch.full_like(tokens, forced[step])
            for row in alive:
                searches[row].force(forced[step])
            continue
        logits = engine.project(check_finite(hidden))
        logp = bar(engine, logits.log_softmax(-1)).view(len(alive), live, -1)
        best, parents, chosen = largest(scores, logp, 2 * width)
        keep: list[int] = []  # rows of the state, in their new order
        following: list[int] = []
        scored: list[list[float]] = []
        staying: list[int] = []
        triples = zip(best.tolist(), parents.tolist(), chosen.tolist(), strict=True)
        for place, (row, (points, sources, words)) in enumerate(zip(alive, triples, strict=True)):
            going = searches[row].advance(points, sources, words, engine.eos_id)
            if going is None:
                continue
            staying.append(row)
            scored.append([point for point, _, _ in going])
            keep += [place * live + source for _, source, _ in going]
            following += [word for _, _, word in going]
        alive = staying
        if not alive:
            break
        tokens = torch.tensor(following, device=states.device)
        state = state.select(torch.tensor(keep, device=states.device))
        scores = torch.tensor(scored, device=states.device)
    return [search.results() for search in searches]


BLOCK = 128  # words of which only the best is looked at first


def largest(scores: Tensor, logp: Tensor, count: int) -> tuple[Tensor, Tensor, Tensor]:
    """The `count` best of scores [row, beam] + logp [row, beam, word], best first: sum, beam, word.

    Whoever is among the best is in one of the `count` blocks with the best first: only those are
    sorted, which takes a tenth of the time of sorting all.
    """
    rows, beams, words = logp.shape
    whole = words // BLOCK
    tops = logp[..., : whole * BLOCK].view(rows, beams, whole, BLOCK).amax(-1)
    tops = (scores[:, :, None] + tops).flatten(1)
    block = tops.topk(min(count, tops.shape[1]), dim=1).indices
    inside = torch.arange(BLOCK, device=logp.device)
    last = torch.arange(whole * BLOCK, words, device=logp.device)  # too few for a block
    every = torch.arange(beams, device=logp.device).repeat_interleave(len(last))
    beam = torch.cat(
        [(block // max(whole, 1)).repeat_interleave(BLOCK, 1), every.expand(rows, -1)], 1
    )
    word = (block % max(whole, 1))[..., None] * BLOCK + inside
    word = torch.cat([word.flatten(1), last.repeat(beams).expand(rows, -1)], 1)
    row = torch.arange(rows, device=logp.device)[:, None]
    sums = scores.gather(1, beam) + logp[row, beam, word]
    best, at = sums.topk(min(count, sums.shape[1]), dim=1)
    return best, beam.gather(1, at), word.gather(1, at)


class _Search:
    """One source's beam: open hypotheses in order, finished ones with their normalised score."""

    def __init__(self, width: int, budget: int, penalty: float) -> None:
        self.width, self.budget, self.penalty = width, budget, penalty
        self.open: list[tuple[int, ...]] = [()]
        self.finished: list[Hypothesis] = []

    def force(self, token: int) -> None:
        self.open = [(*ids, token) for ids in self.open]

    def advance(
        self, points: list[float], parents: list[int], words: list[int], eos: int
    ) -> list[tuple[float, int, int]] | None:
        """Take the step's candidates, best first; the open ones that go on, or None at the end."""
        going: list[tuple[float, int, int]] = []
        for rank, (point, parent, word) in enumerate(zip(points, parents, words, strict=True)):
            if point == -math.inf:
                break
            if word == eos:
                if rank < self.width:
                    self._finish((*self.open[parent], word), point, True)
            elif len(going) < self.width:
                going.append((point, parent, word))
        if not going:
            return None
        going += [(-math.inf, *going[0][1:])] * (self.width - len(going))  # rows stay of one width
        self.open = [(*self.open[parent], word) for _, parent, word in going]
        length = len(self.open[0])
        if len(self.finished) >= self.width:
            worst = min(h.score for h in self.finished if h.score is not None)
            if worst >= going[0][0] / length**self.penalty:
                return None
        if length >= self.budget:
            for ids, (point, _, _) in zip(self.open, going, strict=True):
                if point > -math.inf:
                    self._finish(ids, point, False)
            return None
        return going

    def _finish(self, ids: tuple[int, ...], point: float, finished: bool) -> None:
        score = point / len(ids) ** self.penalty
        self.finished.append(Hypothesis(ids, finished, score))
        self.finished.sort(key=lambda h: -(h.score or 0.0))
        del self.finished[self.width :]

    def results(self) -> list[Hypothesis]:
        return self.finished
