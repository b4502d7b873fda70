"""Guards: what must hold of a wrapped model before any number of it is believed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from cuescope.errors import CueScopeError
from cuescope.models.families import configurations
from cuescope.models.hf_engine import HuggingFaceEngine
from cuescope.models.translator import Translator
from cuescope.models.turn import own

_SHORT = "The mechanic called because she was late."
_LONG = (
    "The mechanic's co-worker met an employee at the café: he said “naïve”, then left for Århus."
)
_TOLERANCE = 1e-4  # of the largest logit: float32 sums in another order


class Check(NamedTuple):
    """One guard's verdict. `ok` None: the guard does not apply to this model."""

    name: str
    ok: bool | None
    detail: str


class _Probe:
    """A short and a long sentence with the model's own translations, shared by the guards."""

    def __init__(self, mt: Translator) -> None:
        self.mt, self.sources = mt, [_SHORT, _LONG]
        # enough steps to compare; a broken model may never end a sentence
        limits = replace(mt.limits, most=min(24, mt.limits.most))
        found = [h.ids for h in replace(mt, limits=limits).generate(self.sources)]
        width = max(map(len, found))
        pad = mt.engine.target_pad_id
        self.targets = torch.tensor([[*ids, *[pad] * (width - len(ids))] for ids in found])
        self.lengths = [len(ids) for ids in found]
        self.inputs = mt.decoder_inputs(self.targets.to(mt.device))

    def hidden(self, rows: list[int]) -> Tensor:
        """Teacher-forced hidden states of some of the sentences, as one batch."""
        batch = self.mt.batch([self.sources[row] for row in rows])
        states = self.mt.engine.encode(batch.ids, batch.mask)
        return self.mt.engine.decode(states, batch.mask, self.inputs[rows])

    def logits(self, rows: list[int]) -> Tensor:
        """The same as logits."""
        return self.mt.engine.project(self.hidden(rows))

    @cached_property
    def together(self) -> Tensor:
        """The logits of both sentences in one batch, under the model as it was opened."""
        return self.logits([0, 1])


def _close(a: Tensor, b: Tensor) -> tuple[bool, str]:
    gap, size = float((a - b).abs().max()), float(b.abs().max())
    return gap <= _TOLERANCE * max(size, 1.0), f"largest difference {gap:.1e}"


def finite(probe: _Probe) -> tuple[bool, str]:
    """logits are finite numbers"""
    logits = probe.together
    return bool(logits.isfinite().all()), f"from {logits.min():.1f} to {logits.max():.1f}"


def bare(probe: _Probe) -> tuple[bool | None, str]:
    """wrapped logits equal the bare model's, bit for bit"""
    engine = probe.mt.engine
    if not isinstance(engine, HuggingFaceEngine):
        return None, "the network is cuescope's own"
    batch = probe.mt.batch(probe.sources)
    theirs = engine.module(
        input_ids=batch.ids, attention_mask=batch.mask, decoder_input_ids=probe.inputs
    ).logits
    return bool(torch.equal(probe.together, theirs)), f"{theirs.numel():,} logits"


def batching(probe: _Probe) -> tuple[bool, str]:
    """a batch of one equals a batch of many (right padding)"""
    together, alone = probe.together, probe.logits([0])
    return _close(together[0, : probe.lengths[0]], alone[0, : probe.lengths[0]])


def stepping(probe: _Probe) -> tuple[bool, str]:
    """decoding step by step equals teacher forcing"""
    engine, batch = probe.mt.engine, probe.mt.batch(probe.sources)
    state = engine.start(engine.encode(batch.ids, batch.mask), batch.mask)
    steps = []
    shown = min(probe.lengths)
    for step in range(shown):
        hidden, state = engine.step(probe.inputs[:, step], state)
        steps.append(engine.project(hidden))
    return _close(torch.stack(steps, 1), probe.together[:, :shown])


def ids(probe: _Probe) -> tuple[bool | None, str]:
    """ids are those of the model's own tokenizer, on both sides"""
    own = probe.mt.tokenizer.own
    if own is None:
        return None, "CTranslate2 leaves tokenising to its caller"
    count = 0
    for text in probe.sources:
        for target in (False, True):
            ours = (probe.mt.tokenise_target if target else probe.mt.tokenise)(text).ids
            theirs = tuple(own(text, target=target))
            if ours != theirs:
                side = "target" if target else "source"
                return False, f"{side} {text[:20]!r}…: {_unlike(ours, theirs)}"
            count += len(ours)
    return True, f"{count} ids"


def _unlike(ours: tuple[int, ...], theirs: tuple[int, ...]) -> str:
    """Where two lists of ids part."""
    same = [a == b for a, b in zip(ours, theirs, strict=False)]
    at = same.index(False) if False in same else len(same)
    shown = [" ".join(map(str, some[at : at + 3])) or "nothing" for some in (ours, theirs)]
    return f"from id {at} on ours are {shown[0]}, its own {shown[1]}"


def spans(probe: _Probe) -> tuple[bool, str]:
    """spans of words and sub-words round-trip"""
    words = 0
    for text in probe.sources:
        encoding = probe.mt.tokenise(text)
        for match in re.finditer(r"\w+", text):
            positions = encoding.positions(*match.span())
            start, end = encoding.span(positions)
            pieces = "".join(encoding.pieces[i] for i in positions).replace("▁", "")
            wanted = unicodedata.normalize("NFKC", match.group())
            known = "<unk>" in pieces or "�" in pieces or wanted.casefold() in pieces.casefold()
            if not (start <= match.start() and match.end() <= end and known):
                return False, f"{match.group()!r} → {pieces!r} at {start}:{end}"
            words += 1
    return True, f"{words} words"


def tags(probe: _Probe) -> tuple[bool | None, str]:
    """the forced language tag is emitted, and is no word"""
    mt = probe.mt
    forced = mt.tokenizer.forced
    if not forced:
        return None, "one pair of languages"
    encoding = mt.tokenise_target("x")
    first = tuple(probe.targets[0, : len(forced)].tolist())
    no_words = all(at is None for at in encoding.offsets[: len(forced)])
    shown = " ".join(mt.tokenizer.target_pieces(forced))
    return first == forced == encoding.ids[: len(forced)] and no_words, shown


def heads(probe: _Probe) -> tuple[bool, str]:
    """zeroing any head reaches the output, and equals subtracting its W_O slice"""
    mt, silent, count = probe.mt, [], 0
    for site, (layers, number) in mt.sites.items():
        parts = [mt.head_slice(site, 0, head) for head in range(number)]
        for layer in range(layers):
            projection = mt.out_proj(site, layer)
            seen: list[Tensor] = []
            with _zeroed(projection, parts, seen):  # row h without head h, the last row whole
                hidden = probe.hidden([0] * (number + 1))
            whole = projection(seen[0][-1])
            for head, part in enumerate(parts):
                kept = seen[0][-1][..., part] @ projection.weight[:, part].T
                if not _close(whole - kept, projection(seen[1][head]))[0]:
                    return False, f"{site} {layer}.{head}: slice and W_O disagree"
                if torch.equal(hidden[head], hidden[-1]):
                    silent.append(f"{site} {layer}.{head}")
            count += number
    return not silent, f"{count} heads" if not silent else f"no effect: {', '.join(silent[:4])}"


def sides(probe: _Probe) -> tuple[bool, str]:
    """every site looks from its own side to its own: queries and keys have those lengths"""
    mt, row = probe.mt, 1
    batch = mt.batch([probe.sources[row]])
    source, target = batch.ids.shape[1], batch.ids.shape[1] // 2  # no side can pass for the other
    wanted = {"encoder": (source, source), "decoder": (target, target), "cross": (target, source)}
    projections = (mt.family.query, mt.family.key)
    inputs = probe.inputs[[row]].repeat(1, 1 + target // probe.inputs.shape[1])[:, :target]
    with ExitStack() as stack:
        seen = {
            (site, layer): stack.enter_context(_lengths(mt.attention(site, layer), projections))
            for site, (layers, _) in mt.sites.items()
            for layer in range(layers)
        }
        mt.engine.decode(mt.engine.encode(batch.ids, batch.mask), batch.mask, inputs)
    for (site, layer), found in seen.items():
        if tuple(found) != wanted[site]:
            return False, f"{site} {layer}: queries × keys {found}, not {[*wanted[site]]}"
    return True, f"{source} source, {target} target tokens"


@contextmanager
def _lengths(module: nn.Module, names: tuple[str, ...]) -> Iterator[list[int]]:
    """How many tokens each of these projections is given; 0 unless it is asked."""
    seen = [0] * len(names)

    def noting(at: int) -> Callable[[nn.Module, tuple[Any, ...]], None]:
        def before(_: nn.Module, args: tuple[Any, ...]) -> None:
            seen[at] = args[0].shape[-2]

        return before

    handles = [
        getattr(module, name).register_forward_pre_hook(own(noting(at)))
        for at, name in enumerate(names)
    ]
    try:
        yield seen
    finally:
        for handle in handles:
            handle.remove()


@contextmanager
def _zeroed(projection: nn.Linear, parts: list[slice], seen: list[Tensor]) -> Iterator[None]:
    def before(_: nn.Module, args: tuple[Any, ...]) -> tuple[Tensor, ...]:
        edited = args[0].clone()
        for row, part in enumerate(parts):
            edited[row, ..., part] = 0
        seen[:] = [args[0], edited]
        return (edited, *args[1:])

    handle = projection.register_forward_pre_hook(own(before))
    try:
        yield
    finally:
        handle.remove()


def kernels(probe: _Probe) -> tuple[bool, str]:
    """fused attention equals plain attention"""
    configs = configurations(probe.mt.engine.module)
    used = [config._attn_implementation for config in configs]
    logits = {}
    try:
        for name in ("sdpa", "eager"):
            for config in configs:
                config._attn_implementation = name
            logits[name] = probe.logits([0, 1])
    finally:
        for config, name in zip(configs, used, strict=True):
            config._attn_implementation = name
    shown = probe.lengths[0]
    return _close(logits["sdpa"][0, :shown], logits["eager"][0, :shown])


Guard = Callable[[_Probe], tuple[bool | None, str]]
ON_LOAD: tuple[Guard, ...] = (finite, ids, batching, stepping, tags, spans)
ALL: tuple[Guard, ...] = (finite, bare, ids, batching, stepping, kernels, tags, spans, sides, heads)


@torch.no_grad()
def run(mt: Translator, guards: tuple[Guard, ...] = ALL) -> list[Check]:
    """The guards' verdicts, and last that they left the weights as they were."""
    before = mt.weights_hash
    with mt.turn.taken():
        probe = _Probe(mt)
        found = [Check((guard.__doc__ or "").strip(), *guard(probe)) for guard in guards]
    after = mt.weights_hash
    hooks = sum(
        len(m._forward_hooks) + len(m._forward_pre_hooks) for m in mt.engine.module.modules()
    )
    untouched = Check(
        "weights are untouched, no hook is left", before == after and not hooks, after
    )
    return [*found, untouched]


def require(mt: Translator) -> None:
    """Raise if a loaded model does not behave as a translation model must."""
    probe = _Probe(mt)
    with torch.no_grad():
        for guard in ON_LOAD:
            ok, detail = guard(probe)
            if ok is False:
                raise CueScopeError(
                    f"{mt.name} was opened, but does not behave as it must",
                    expected=(guard.__doc__ or "").strip(),
                    found=detail,
                    do=f"see `cuescope check {mt.name}`; the files may be damaged or mismatched",
                )
