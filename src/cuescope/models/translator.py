"""Translator: the one interface to every translation model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import torch
from torch import Tensor, nn

from cuescope.errors import CueScopeError, one_each
from cuescope.models import decoding, identity
from cuescope.models.decoding import Hypothesis, Limits
from cuescope.models.engine import Engine
from cuescope.models.families import Family
from cuescope.models.spans import Encoding
from cuescope.models.tokenizers import Tokenizer
from cuescope.models.turn import Turn
from cuescope.signature import Signature

_MOST_LOGITS = 1 << 28  # numbers in one batch that is scored: a gigabyte
CELLS = 2**22  # most cells [row, query, key] of a batch: no limit below 256 tokens
Progress = Callable[[int], None]  # told how many more sentences are done
Revise = Callable[[Sequence[str], list[Hypothesis], int], list[Hypothesis]]  # texts, found, beam


class Batch(NamedTuple):
    """Encoded sentences, padded on the right. `mask` is 1 where there is a token."""

    ids: Tensor
    mask: Tensor
    encodings: tuple[Encoding, ...]


class Scored(NamedTuple):
    """A given translation under the model: log probability of each token that it had to choose."""

    encoding: Encoding
    logprobs: tuple[float, ...]

    @property
    def logprob(self) -> float:
        """Log probability of the whole translation, its end included, forced tags not."""
        return sum(self.logprobs)


@dataclass(eq=False)
class Translator:
    """A translation model: tokenise, translate, score, and know its heads.

    Made by `cuescope.load`. Sites are `encoder`, `decoder`, `cross`; heads are (layer, head).
    """

    name: str
    engine: Engine
    tokenizer: Tokenizer
    family: Family
    src: str | None = None
    tgt: str | None = None
    limits: Limits = field(default_factory=Limits)
    interventions: list[str] = field(default_factory=list, repr=False)  # those that are on now
    turn: Turn = field(default_factory=Turn, repr=False)  # of the threads that look inside
    recalled: int = field(default=0, repr=False)  # how often kept results stood for running it
    revise: Revise | None = field(default=None, repr=False)  # a mend that acts on translations
    _weights: identity.Weights = field(default_factory=identity.Weights, init=False, repr=False)

    def __repr__(self) -> str:
        shape = ", ".join(f"{s} {n}×{h}" for s, (n, h) in self.sites.items())
        return f"Translator({self.name!r}, {self.family.name}: {shape} heads)"

    # -- text ------------------------------------------------------------------------------

    def tokenise(self, text: str) -> Encoding:
        """A source sentence as the model sees it, with character offsets."""
        return self.tokenizer.source(text)

    def tokenise_target(self, text: str) -> Encoding:
        """A translation as the decoder would emit it."""
        return self.tokenizer.target(text)

    def batch(self, texts: Sequence[str]) -> Batch:
        """Source sentences, padded on the right."""
        return self.pad([self._source(t, n) for n, t in enumerate(texts, 1)])

    def target_batch(self, texts: Sequence[str]) -> Batch:
        """Translations, padded on the right."""
        return self.pad([self._target(t, n) for n, t in enumerate(texts, 1)], target=True)

    def unfit(self, text: str) -> str:
        """Why a sentence cannot be translated; empty if it can."""
        try:
            self._source(text, 1)
        except CueScopeError as error:
            return f"{error.what.removeprefix('sentence 1 is ')} ({error.found})"
        return ""

    def _source(self, text: str, number: int) -> Encoding:
        encoding = self.tokenise(text)
        if not encoding.words:
            raise CueScopeError(
                f"sentence {number} is empty",
                expected="a sentence with at least one word",
                found=repr(text),
                do="leave empty sentences out",
            )
        self._check_length(encoding, f"sentence {number}")
        highest = max(encoding.ids)
        if highest >= self.engine.rows:
            raise CueScopeError(
                f"the tokenizer of {self.name} does not belong to its weights",
                expected=f"ids below {self.engine.rows}",
                found=f"{highest} ({encoding.pieces[encoding.ids.index(highest)]})",
                do="take both from the same model",
            )
        return encoding

    def _target(self, text: str, number: int) -> Encoding:
        encoding = self.tokenise_target(text)
        self._check_length(encoding, f"translation {number}")
        return encoding

    def _check_length(self, encoding: Encoding, what: str) -> None:
        if len(encoding) > self.engine.longest:
            raise CueScopeError(
                f"{what} is too long for {self.name}",
                expected=f"at most {self.engine.longest} sub-words",
                found=f"{len(encoding):,} in {encoding.text[:40]!r}…",
                do="split it into sentences: the model translates one at a time",
            )

    def pad(self, encodings: Sequence[Encoding], *, target: bool = False) -> Batch:
        """Sentences already encoded, or translations as they were emitted, as one batch."""
        pad = self.engine.target_pad_id if target else self.engine.pad_id
        longest = max((len(e) for e in encodings), default=0)
        ids = torch.full((len(encodings), longest), pad)
        mask = torch.zeros_like(ids)
        for row, encoding in enumerate(encodings):
            ids[row, : len(encoding)] = torch.tensor(encoding.ids)
            mask[row, : len(encoding)] = 1
        return Batch(ids.to(self.device), mask.to(self.device), tuple(encodings))

    # -- translating -----------------------------------------------------------------------

    def translate(
        self,
        texts: Sequence[str] | str,
        *,
        beam: int = 1,
        batch_size: int = 64,
        progress: Progress | None = None,
    ) -> list[str]:
        """Translations in the order of the texts; greedy, or the best of a beam."""
        found = self.generate(texts, beam=beam, batch_size=batch_size, progress=progress)
        return [self.tokenizer.decode(best.ids) for best in found]

    @torch.no_grad()
    def generate(
        self,
        texts: Sequence[str] | str,
        *,
        beam: int = 1,
        batch_size: int = 64,
        progress: Progress | None = None,
        prefixes: Sequence[tuple[int, ...]] | None = None,
    ) -> list[Hypothesis]:
        """The emitted ids of each translation, and whether it came to its end.

        With `prefixes` each translation goes on, greedily, from ids that are given.
        """
        texts = _sentences(texts)
        _at_least_one(beam=beam, batch_size=batch_size)
        if prefixes is not None:
            self._check_prefixes(prefixes, len(texts), beam)
        encodings = [self._source(text, number) for number, text in enumerate(texts, 1)]
        found: list[Hypothesis | None] = [None] * len(encodings)
        for rows in by_length([len(e) for e in encodings], max(1, batch_size // beam)):
            batch = self.pad([encodings[row] for row in rows])
            begun = None if prefixes is None else [prefixes[row] for row in rows]
            for row, best in zip(rows, self._search(batch, beam, begun), strict=True):
                found[row] = best
            if progress:
                progress(len(rows))
        made = [best for best in found if best is not None]
        if self.revise is None or prefixes is not None:
            return made
        return self.revise(texts, made, beam)

    def _search(
        self, batch: Batch, beam: int, prefixes: Sequence[tuple[int, ...]] | None = None
    ) -> list[Hypothesis]:
        states = self.engine.encode(batch.ids, batch.mask)
        args = (self.engine, states, batch.mask, self.tokenizer.forced, self.limits)
        if beam == 1:
            return decoding.greedy(*args, prefixes)
        return [found[0] for found in decoding.beam(*args, width=beam)]

    def _check_prefixes(self, prefixes: Sequence[tuple[int, ...]], count: int, beam: int) -> None:
        """Raise unless there is one for each text, with the tags that are forced, and no beam."""
        forced = self.tokenizer.forced
        tagged = all(ids[: len(forced)] == forced for ids in prefixes)
        if len(prefixes) != count or beam > 1 or not tagged:
            raise CueScopeError(
                "these translations cannot begin so",
                expected=f"{count} prefixes that begin with the ids {forced}, and beam=1",
                found=f"{len(prefixes)}, beam={beam}",
            )

    # -- teacher forcing -------------------------------------------------------------------

    def logits(self, sources: Sequence[str], targets: Sequence[str]) -> Tensor:
        """Teacher-forced logits [sentence, step, vocabulary]; step t emits target token t."""
        return self._forced(self.batch(sources), self.target_batch(targets))

    def _forced(self, source: Batch, target: Batch) -> Tensor:
        states = self.engine.encode(source.ids, source.mask)
        hidden = self.engine.decode(states, source.mask, self.decoder_inputs(target.ids))
        return self.engine.project(hidden)

    def decoder_inputs(self, target_ids: Tensor) -> Tensor:
        """What the decoder is fed to emit these ids: the start, then all but the last."""
        start = torch.full_like(target_ids[:, :1], self.engine.start_id)
        return torch.cat([start, target_ids[:, :-1]], 1)

    @torch.no_grad()
    def score(
        self,
        sources: Sequence[str],
        targets: Sequence[str],
        *,
        batch_size: int = 32,
        progress: Progress | None = None,
    ) -> list[Scored]:
        """Log probabilities of given translations, token by token; forced tags are not scored."""
        _at_least_one(batch_size=batch_size)
        one_each(sources, targets)
        found: list[Scored | None] = [None] * len(sources)
        encodings = [self._target(target, number) for number, target in enumerate(targets, 1)]
        forced = len(self.tokenizer.forced)
        lengths = [len(e) for e in encodings]
        fitting = _MOST_LOGITS // (max(lengths, default=1) * self.engine.vocabulary)
        for rows in by_length(lengths, max(1, min(batch_size, fitting))):
            target = self.pad([encodings[row] for row in rows], target=True)
            logits = self._forced(self.batch([sources[row] for row in rows]), target)
            chosen = logits.gather(-1, target.ids.clamp(max=logits.shape[-1] - 1)[..., None])
            logp = chosen[..., 0] - decoding.check_finite(logits).logsumexp(-1)
            for row, encoding, line in zip(rows, target.encodings, logp.tolist(), strict=True):
                found[row] = Scored(encoding, tuple(line[forced : len(encoding)]))
            if progress:
                progress(len(rows))
        return [scored for scored in found if scored is not None]

    # -- sites and heads -------------------------------------------------------------------

    @cached_property
    def sites(self) -> dict[str, tuple[int, int]]:
        """Layers and heads of each site that the model has."""
        return self.family.sites(self.engine.module)

    def attention(self, site: str, layer: int) -> nn.Module:
        """The attention module of a site's layer."""
        self._check(site, layer)
        return self.family.attention(self.engine.module, site, layer)

    def out_proj(self, site: str, layer: int) -> nn.Linear:
        """The projection whose input is the heads side by side."""
        return self.family.out_proj(self.attention(site, layer))

    def head_slice(self, site: str, layer: int, head: int) -> slice:
        """A head's place in the input of `out_proj`: this is what a head is."""
        self._check(site, layer, head)
        width = self.out_proj(site, layer).in_features // self.sites[site][1]
        return slice(head * width, (head + 1) * width)

    def _check(self, site: str, layer: int, head: int = 0) -> None:
        layers, heads = self.sites.get(site, (0, 0))
        if not (0 <= layer < layers and 0 <= head < heads):
            known = ", ".join(f"{s} {n} layers × {h} heads" for s, (n, h) in self.sites.items())
            raise CueScopeError(
                f"{self.name} has no such head",
                expected=f"{known}; both counted from 0",
                found=f"{site}, layer {layer}, head {head}",
                do="see `mt.sites`",
            )

    # -- identity --------------------------------------------------------------------------

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return next(self.engine.module.parameters()).device

    @property
    def weights_hash(self) -> str:
        """Hash of every weight as it is now: changes if anything touched the model."""
        return identity.weights_hash(self.engine.module)

    def still(self) -> AbstractContextManager[None]:
        """For many questions between which nothing runs: the weights are looked at once."""
        return self._weights.still(self.engine.module, under=bool(self.interventions))

    @property
    def signature(self) -> Signature:
        """The model's part in every result's signature, with the interventions that are on."""
        under = [] if self.turn.elsewhere else self.interventions  # those of this thread
        facts = {"src": self.src, "tgt": self.tgt, "under": " & ".join(under)}
        known = {name: fact for name, fact in facts.items() if fact}
        own = {
            "model": identity.short_name(self.name),
            "weights": self._weights.of(self.engine.module, under=bool(self.interventions)),
            "config": identity.config_hash(self),
            "tokenizer": self.tokenizer.fingerprint,
        }
        return Signature(own) | {**known, **identity.libraries(self)}


def _at_least_one(**sizes: int) -> None:
    for name, value in sizes.items():
        if value < 1:
            raise CueScopeError(f"{name} out of range", expected="1 or more", found=str(value))


def _sentences(given: object) -> Sequence[str]:
    """Sentences, or one alone."""
    texts = [given] if isinstance(given, str) else given
    strange = texts if not isinstance(texts, Sequence) else None
    if strange is None and isinstance(texts, Sequence):
        strange = next((one for one in texts if not isinstance(one, str)), None)
        if strange is None:
            return texts
    raise CueScopeError(
        "only text can be translated",
        expected="a sentence, or a list of them",
        found=f"{type(strange).__name__}: {strange!r}"[:80],
    )


def by_length(lengths: Sequence[int], size: int, each: int = 1) -> Iterator[list[int]]:
    """Indices in batches of like length, longest first, so that memory peaks at once.

    Fewer of long ones, of which `each` takes so many rows: attention grows with their square.

    >>> list(by_length([3, 9, 4], 2)), list(by_length([900] * 9, 64))
    ([[1, 2], [0]], [[0, 1, 2, 3, 4], [5, 6, 7, 8]])
    """
    order = sorted(range(len(lengths)), key=lambda i: -lengths[i])
    while order:
        most = max(1, min(size, CELLS // (each * max(lengths[order[0]], 1) ** 2)))
        yield order[:most]
        del order[:most]
