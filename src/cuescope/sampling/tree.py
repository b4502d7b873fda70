"""Sampling down the prefix tree: each distinct prefix is evaluated once, whatever n is.

n samples stand at the empty prefix. How many of those at a prefix go on with each token is one
multinomial draw, and only prefixes that hold a sample are looked at: the same distribution as n
independent draws. Each prefix has a random generator of its own, made from the seed, the source and
its tokens, so that no draw depends on what else is in the batch.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from cuescope.errors import CueScopeError
from cuescope.models.decoding import check_finite
from cuescope.models.engine import State
from cuescope.sampling.samples import Sample, Samples
from cuescope.sampling.truncate import Allowed, allowed, check

if TYPE_CHECKING:
    from cuescope.models.translator import Progress, Translator

_ROWS = 512  # prefixes advanced at once: at 32,000 words 64 MB of logits


@dataclass
class _Source:
    """What has been drawn for one source."""

    text: str
    budget: int
    evaluations: int = 0
    done: list[tuple[tuple[int, ...], int, float, float, bool]] = field(default_factory=list)


@dataclass(slots=True)
class _Prefix:
    """A node of the tree: how many samples stand there, and how likely they got there."""

    source: _Source
    ids: tuple[int, ...]
    count: int
    logprob: float
    truncated: float
    digest: Any  # of seed, source and ids

    def child(self, token: int, count: int, logprob: float, truncated: float) -> _Prefix:
        digest = self.digest.copy()
        digest.update(token.to_bytes(4, "little"))
        return _Prefix(
            self.source,
            (*self.ids, token),
            count,
            self.logprob + logprob,
            self.truncated + truncated,
            digest,
        )

    def split(self, probability: np.ndarray[Any, Any]) -> list[int]:
        """How many of the samples go on with each token."""
        if len(probability) == 1:
            return [self.count]
        key = int.from_bytes(self.digest.digest()[:16], "little")
        rng = np.random.Generator(np.random.Philox(key=key))
        counts: list[int] = rng.multinomial(self.count, probability).tolist()
        return counts


@dataclass
class _Group:
    """Prefixes of one length that are advanced together: rows of their parents' state."""

    parents: State
    rows: list[int] | None  # None: all, in order
    prefixes: list[_Prefix]

    def halves(self) -> list[_Group]:
        rows = list(range(len(self.prefixes))) if self.rows is None else self.rows
        half = len(rows) // 2
        return [
            _Group(self.parents, rows[part], self.prefixes[part])
            for part in (slice(half), slice(half, None))
        ]

    def state(self, device: torch.device) -> Any:
        """The state, one row a prefix; chosen as late as can be, so that few copies wait."""
        if self.rows is None:
            return self.parents
        return self.parents.select(torch.tensor(self.rows, device=device))


@torch.no_grad()
def sample(
    mt: Translator,
    texts: Sequence[str],
    n: int,
    epsilon: float,
    seed: int,
    *,
    batch_size: int = 64,
    rows: int = _ROWS,
    progress: Progress | None = None,
) -> list[Samples]:
    """`n` ε-samples of each text, in the order of the texts; see `Translator.sample`."""
    from cuescope.models.translator import by_length

    check(n, epsilon)
    for name, value in (("batch_size", batch_size), ("rows", rows)):
        if value < 1:
            raise CueScopeError(f"{name} out of range", expected="1 or more", found=str(value))
    distinct = list(dict.fromkeys(texts))
    lengths = [len(encoding) for encoding in mt.batch(distinct).encodings]
    found: dict[str, Samples] = {}
    for chosen in by_length(lengths, batch_size):
        batch = mt.batch([distinct[place] for place in chosen])
        sources = [
            _Source(encoding.text, mt.limits.of(len(encoding))) for encoding in batch.encodings
        ]
        states = mt.engine.encode(batch.ids, batch.mask)
        _descend(mt, sources, mt.engine.start(states, batch.mask), n, epsilon, seed, rows)
        for source in sources:
            found[source.text] = _collect(mt, source, epsilon, seed)
        if progress:
            progress(len(chosen))
    return [found[text] for text in texts]


def _descend(
    mt: Translator,
    sources: list[_Source],
    start: State,
    n: int,
    epsilon: float,
    seed: int,
    most: int,
) -> None:
    """Draw all samples of a batch of sources; at most `most` prefixes are advanced at once."""
    roots = []
    for source in sources:
        digest = hashlib.blake2b(f"{seed}\0{source.text}\0".encode(), digest_size=16)
        roots.append(_Prefix(source, (), n, 0.0, 0.0, digest))
    stack = [_Group(start, None, roots)]
    while stack:
        group = stack.pop()
        if len(group.prefixes) > most:
            stack += group.halves()
        elif (following := _advance(mt, group, epsilon)) and following.prefixes:
            stack.append(following)


def _advance(mt: Translator, group: _Group, epsilon: float) -> _Group:
    """Evaluate each prefix of a group once and split its samples over the next tokens."""
    engine, forced = mt.engine, mt.tokenizer.forced
    prefixes, step = group.prefixes, len(group.prefixes[0].ids)
    fed = [prefix.ids[-1] if step else engine.start_id for prefix in prefixes]
    tokens = torch.tensor(fed, device=mt.device)
    hidden, state = engine.step(tokens, group.state(mt.device))
    check_finite(hidden)
    for prefix in prefixes:
        prefix.source.evaluations += 1
    following = _Group(state, [], [])
    if step < len(forced):
        children = [[prefix.child(forced[step], prefix.count, 0.0, 0.0)] for prefix in prefixes]
    else:
        children = _split(prefixes, allowed(engine, engine.project(hidden), epsilon))
    assert following.rows is not None
    for row, family in enumerate(children):
        for child in family:
            ended = child.ids[-1] == engine.eos_id and step >= len(forced)
            if ended or len(child.ids) >= child.source.budget:
                child.source.done.append(
                    (child.ids, child.count, child.logprob, child.truncated, ended)
                )
            else:
                following.rows.append(row)
                following.prefixes.append(child)
    if following.rows == list(range(len(prefixes))):
        following.rows = None  # nothing ended and nothing split: the state serves as it is
    return following


def _split(prefixes: list[_Prefix], found: Allowed) -> list[list[_Prefix]]:
    """The children of each prefix that hold a sample."""
    bounds = np.searchsorted(_numpy(found.rows), np.arange(len(prefixes) + 1)).tolist()
    tokens, logprob = found.tokens.tolist(), found.logprob.tolist()
    probability = _numpy(found.probability)
    families = []
    for prefix, low, high in zip(prefixes, bounds, bounds[1:], strict=False):
        counts = prefix.split(probability[low:high])
        families.append(
            [
                prefix.child(tokens[at], count, logprob[at], math.log(probability[at]))
                for at, count in enumerate(counts, low)
                if count
            ]
        )
    return families


def _numpy(values: Tensor) -> np.ndarray[Any, Any]:
    return values.cpu().numpy()


def _collect(mt: Translator, source: _Source, epsilon: float, seed: int) -> Samples:
    """The distinct sequences of a source, the most frequent first."""
    drawn = sorted(source.done, key=lambda row: (-row[1], row[0]))
    sequences = tuple(
        Sample(ids, mt.tokenizer.decode(ids), count, logprob, truncated, ended)
        for ids, count, logprob, truncated, ended in drawn
    )
    return Samples(source.text, sequences, epsilon, seed, source.evaluations)
