"""What does it cost to see how 512 nouns attend to their cues?

Time against the plain forward pass (SDPA, no hooks; limit 1.15×), memory against
`output_attentions=True` with eager attention (limit 1/20 of what it needs beyond the plain pass).
On Firefox's English→Portuguese model and on OPUS-MT's shape with random weights; both methods
take turns on every batch, so that a noisy machine is fair to both. Equality is asserted.

python probes/bench_capture.py [--sentences 512] [--repeats 5] [--threads 1]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

import torch

import cuescope as cs
from cuescope import data
from cuescope.errors import in_words
from cuescope.inside.interface import attending
from cuescope.inside.read.attention import attend
from cuescope.inside.ready import Subject, subjects
from cuescope.inside.translator import Translator
from cuescope.models.families import family_of
from cuescope.models.hf_engine import HuggingFaceEngine
from cuescope.models.translator import by_length

TIME, MEMORY = 1.15, 1 / 20
SITES = {"encoder": ["encoder"], "encoder and cross": ["encoder", "cross"]}
Run = Callable[[list[Subject]], Any]


def opus_shape(like: Translator) -> Translator:
    """6+6 layers, 8 heads, d 512, 58,101 words, random weights; the tokenizer is borrowed."""
    from transformers import MarianConfig, MarianMTModel

    config = MarianConfig(
        vocab_size=58_101,
        d_model=512,
        encoder_layers=6,
        decoder_layers=6,
        encoder_attention_heads=8,
        decoder_attention_heads=8,
        encoder_ffn_dim=2048,
        decoder_ffn_dim=2048,
        pad_token_id=58_100,
        eos_token_id=0,
        decoder_start_token_id=58_100,
        activation_function="swish",
        scale_embedding=True,
        max_position_embeddings=512,
        init_std=0.1,  # peaked attention, so that equality says something
    )
    torch.manual_seed(0)
    family = family_of("marian", "random")
    engine = HuggingFaceEngine(MarianMTModel(config), family)
    return Translator("OPUS-MT shape, random", engine, like.tokenizer, family)


def plain(mt: Translator, sites: list[str]) -> Run:
    """The forward pass alone."""

    def run(batch: list[Subject]) -> None:
        source = mt.pad([s.encoding for s in batch])
        states = mt.engine.encode(source.ids, source.mask)
        if "cross" in sites:
            target = mt.pad([s.target for s in batch], target=True)
            mt.engine.decode(states, source.mask, mt.decoder_inputs(target.ids))

    return run


def captured(mt: Translator, sites: list[str]) -> Run:
    """Ours."""

    def run(batch: list[Subject]) -> dict[str, torch.Tensor]:
        seen = attend(mt, batch, sites)
        return {site: seen.mean(site) for site in sites}

    return run


def eager(mt: Translator, sites: list[str]) -> Run:
    """Every map, as `output_attentions=True` keeps them, then the same cells."""

    def run(batch: list[Subject]) -> dict[str, torch.Tensor]:
        kept: dict[int, torch.Tensor] = {}

        def keep(call: Any, attention: Any) -> Any:
            out, weights = attention(call)
            kept[id(call.module)] = weights
            return out, weights

        with attending(mt, keep):
            plain(mt, sites)(batch)
        found = {}
        for site in sites:
            layers = range(mt.sites[site][0])
            maps = [kept[id(mt.attention(site, layer))] for layer in layers]
            rows = []
            for row, s in enumerate(batch):
                queries = list(s.noun if site == "encoder" else s.steps)
                cells = [m[row][:, queries][..., list(s.cue)].mean((-1, -2)) for m in maps]
                rows.append(torch.stack(cells))
            found[site] = torch.stack(rows)
        return found

    return run


def switch(mt: Translator, name: str) -> None:
    """Attention by this implementation."""
    for module in mt.engine.module.modules():
        if getattr(module, "config", None) is not None:
            module.config._attn_implementation = name


def peak(run: Run, batch: list[Subject]) -> int:
    """Most bytes that torch held at once while this ran."""
    run(batch)
    return held(lambda: run(batch))


def held(work: Callable[[], Any]) -> int:
    """The same of anything that is not cold."""
    with torch.profiler.profile(
        activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True
    ) as profile:
        work()
    events = profile.profiler.kineto_results.events()
    now = most = 0
    for event in sorted((e for e in events if e.name() == "[memory]"), key=lambda e: e.start_ns()):
        now += event.nbytes()
        most = max(most, now)
    return most


def bench(mt: Translator, ready: Sequence[Subject], repeats: int) -> bool:
    batches = [
        [ready[row] for row in rows] for rows in by_length([len(s.encoding) for s in ready], 64)
    ]
    good = True
    for name, sites in SITES.items():
        bare, ours, theirs = plain(mt, sites), captured(mt, sites), eager(mt, sites)
        found = [ours(batch) for batch in batches]
        base, mine = (max(peak(run, batch) for batch in batches[:1]) for run in (bare, ours))
        switch(mt, "eager")
        wanted = [theirs(batch) for batch in batches]
        full = peak(theirs, batches[0])
        switch(mt, "sdpa")
        gap = max(
            float((a[s] - b[s]).abs().max())
            for a, b in zip(found, wanted, strict=True)
            for s in sites
        )
        assert gap < 1e-4, f"captured and eager attention differ by {gap:.1e}"
        times: dict[str, list[float]] = {"plain": [], "captured": []}
        for repeat in range(repeats):
            spent = dict.fromkeys(times, 0.0)
            for number, batch in enumerate(batches):
                order = [("plain", bare), ("captured", ours)]
                for which, run in order if (repeat + number) % 2 else order[::-1]:
                    begin = time.perf_counter()
                    run(batch)
                    spent[which] += time.perf_counter() - begin
            for which, seconds in spent.items():
                times[which].append(seconds)
        ratio = median(c / p for c, p in zip(times["captured"], times["plain"], strict=True))
        extra, whole = mine - base, full - base
        kept = sum(v.numel() * 4 for part in found for v in part.values())
        print(f"{mt.name}, {name}: {len(ready)} sentences, largest difference to eager {gap:.0e}")
        print(
            f"  time   plain {median(times['plain']):.2f} s, captured "
            f"{median(times['captured']):.2f} s: {ratio:.3f}× (limit {TIME}×)"
        )
        print(
            f"  memory beyond the plain pass, batch of {len(batches[0])}: eager"
            f" {whole / 1e6:.1f} MB, captured {extra / 1e6:.3f} MB:"
            f" 1/{whole / max(extra, 1):.0f} (limit 1/20); kept for all {kept / 1e3:.0f} kB"
        )
        good &= ratio <= TIME and extra <= whole * MEMORY
    return good


@torch.no_grad()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sentences", type=int, default=512)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    items = [i for i in data.load("winomt") if i.cue and i.cue > i.focus]
    firefox = cs.load("firefox:en-pt")
    ready = subjects(firefox, items[: options.sentences * 9 // 8])[: options.sentences]
    print(f"torch {torch.__version__}, {options.threads} thread(s), medians of {options.repeats}")
    good = [bench(mt, ready, options.repeats) for mt in (firefox, opus_shape(firefox))]
    if not all(good):
        raise SystemExit("over a limit")


if __name__ == "__main__":
    in_words(main)
