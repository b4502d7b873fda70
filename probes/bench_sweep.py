"""How long does it take to patch every head of a translation model from a twin?

One run, all methods taking turns, one pair, every head of every site: the wavefront; plain hooks
with one forward per head (and the same with the encoder run only where it must be); nnsight, one
trace per head; transformer-lens in an environment of its own (--lens PYTHON). Same sentences, same
prefix, same threads; all must agree to 1e-5 of the largest logit. Limits: wavefront ≥ 10× faster
than plain hooks, ≥ 12× than the two others. Ratios are of processor time (what else the machine
does is not ours), wall time is shown beside it. Random weights at the shapes of OPUS-MT and
NLLB-600M.

At NLLB's shape the loops take many minutes: with --every K they run one head in K, their time is
scaled to all heads (they do the same work for each); equality is then asserted on those heads.

python probes/bench_sweep.py [--shape opus|nllb] [--repeats 5] [--every K] [--lens PYTHON]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

import cuescope as cs
from bench_capture import opus_shape
from cuescope.data.contrast import pair
from cuescope.data.items import Item
from cuescope.errors import in_words
from cuescope.inside.effect import feed as feeding
from cuescope.inside.effect.patch import patch
from cuescope.inside.heads import recorded
from cuescope.inside.options import Patching
from cuescope.inside.ready import Ready, Twins, twins
from cuescope.inside.translator import Translator
from cuescope.models.decoding import Limits
from cuescope.models.families import family_of
from cuescope.models.hf_engine import HuggingFaceEngine

SOURCE = "The developer argued with the designer because {} did not like the design."
FORMS = (
    "Quanto à ideia do escritório, o desenvolvedor argumentou com a",
    "Quanto à ideia do escritório, o desenvolvedor argumentou com o",
)
LIMITS = {"plain hooks": 10.0, "nnsight": 12.0, "transformer-lens": 12.0}
Run = Callable[[], np.ndarray]


def nllb_shape(like: Translator, layers: int = 12) -> Translator:
    """12+12 layers, 16 heads, d 1024, 256,206 words, random weights; the tokenizer is borrowed."""
    from transformers import M2M100Config, M2M100ForConditionalGeneration

    sides = {
        f"{side}_{name}": value
        for side in ("encoder", "decoder")
        for name, value in {"layers": layers, "attention_heads": 16, "ffn_dim": 4096}.items()
    }
    config = M2M100Config(
        vocab_size=256_206, d_model=1024, activation_function="relu", scale_embedding=True, **sides
    )
    torch.manual_seed(0)
    family = family_of("m2m_100", "random")
    engine = HuggingFaceEngine(M2M100ForConditionalGeneration(config), family)
    fewer = "" if layers == 12 else f", {layers}+{layers} layers of 12+12"
    return Translator(f"NLLB-600M shape, random{fewer}", engine, like.tokenizer, family)


def one_pair(mt: Translator) -> Ready[Twins]:
    def item(cue: str, gold: Any) -> Item:
        at = SOURCE.index("{}")
        return Item(SOURCE.format(cue), (4, 13), (at, at + len(cue)), gold)

    mt.limits = Limits(most=2)
    return twins(mt, [pair(item("he", "male"), item("she", "female"), 0)], forms=[FORMS])


def wavefront(mt: Translator, ready: Ready[Twins]) -> Run:
    def run() -> np.ndarray:
        found = patch(mt, ready, tuple(mt.sites), Patching(normalise="none"))
        return np.concatenate([scores.values[0].ravel() for scores in found.values()])

    return run


class Loop:
    """One forward per head."""

    def __init__(self, mt: Translator, ready: Ready[Twins], every: int) -> None:
        self.mt, self.one, self.every = mt, ready[0].contrast, every
        self.base, self.twin = (feeding.feed(mt, ready, side) for side in ("male", "female"))
        self.places = [(s, layer) for s, (n, _) in mt.sites.items() for layer in range(n)]

    def heads(self) -> list[tuple[str, int, int]]:
        """Those that are run: one in `every`."""
        found = [(s, layer, h) for s, layer in self.places for h in range(self.mt.sites[s][1])]
        return found[:: self.every]

    def lean(self, logits: torch.Tensor) -> float:
        """The feminine logit less the masculine."""
        return float(logits[self.one.feminine] - logits[self.one.masculine])

    def forward(self, fed: feeding.Feed, states: Any = None) -> float:
        """The bare model, as its documentation says."""
        given = {"input_ids": fed.ids} if states is None else {"encoder_outputs": (states,)}
        out = self.mt.engine.module(
            **given, attention_mask=fed.mask, decoder_input_ids=fed.inputs, use_cache=False
        )
        return self.lean(out.logits[0, -1])

    def largest(self) -> float:
        """The size of the base's logits."""
        return float(self.mt.engine.project(feeding.hidden_of(self.mt, self.base)).abs().max())

    def hooks(self, cached: bool) -> Run:
        """A plain hook for each head; `cached`: the encoder runs only for its own heads."""

        def run() -> np.ndarray:
            mt = self.mt
            with recorded(mt, self.places) as said:
                self.forward(self.twin)
            plain, found = self.forward(self.base), []
            states = mt.engine.encode(self.base.ids, self.base.mask) if cached else None
            for site, layer, head in self.heads():
                twin, part = said[site, layer], mt.head_slice(site, layer, head)

                def edit(_: Any, args: Any, part: slice = part, twin: Any = twin) -> Any:
                    x = args[0].clone()
                    x[..., part] = twin[..., part]
                    return (x,)

                handle = mt.out_proj(site, layer).register_forward_pre_hook(edit)
                found.append(self.forward(self.base, None if site == "encoder" else states))
                handle.remove()
            return np.array(found) - plain

        return run

    def nnsight(self) -> Run:
        """A trace for each head."""
        model = self.mt.nnsight()
        mt, lean = self.mt, self.lean
        given = {
            "input_ids": self.base.ids,
            "attention_mask": self.base.mask,
            "decoder_input_ids": self.base.inputs,
            "use_cache": False,
        }

        def at(site: str, layer: int) -> Any:
            side = model.model.encoder if site == "encoder" else model.model.decoder
            name = "encoder_attn" if site == "cross" else "self_attn"
            return getattr(side.layers[layer], name).out_proj

        def run() -> np.ndarray:
            with recorded(mt, self.places) as said:
                self.forward(self.twin)
            plain, found = self.forward(self.base), []
            for site, layer, head in self.heads():
                twin, module = said[site, layer], at(site, layer)
                part = mt.head_slice(site, layer, head)
                with model.trace(**given):
                    module.input[..., part] = twin[..., part]
                    logits = model.output.logits[0, -1].save()
                found.append(lean(logits))
            return np.array(found) - plain

        return run


class Lens:
    """transformer-lens in its own process, one sweep for each line that it is sent."""

    def __init__(self, python: str, loop: Loop, threads: int, folder: str) -> None:
        loop.mt.engine.module.save_pretrained(folder)
        job = {
            "folder": folder,
            "threads": threads,
            "base": loop.base.ids.tolist(),
            "twin": loop.twin.ids.tolist(),
            "inputs": loop.base.inputs.tolist(),
            "feminine": loop.one.feminine,
            "masculine": loop.one.masculine,
            "heads": loop.heads(),
            "sites": loop.mt.sites,
        }
        script = Path(__file__).with_name("bench_sweep_tl.py")
        self.process = subprocess.Popen(
            [python, str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.cpu = 0.0
        assert self._ask(json.dumps(job)).strip() == "ready", "transformer-lens did not start"

    def _ask(self, line: str) -> str:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline()

    def __call__(self) -> np.ndarray:
        """One sweep over there."""
        answer = json.loads(self._ask("go"))
        self.cpu = answer["cpu"]
        return np.array(answer["effects"])


def peak(run: Run) -> float:
    """Most memory in use while it runs, beyond what was in use before, in MB."""

    def resident() -> float:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6

    done, seen = threading.Event(), [resident()]

    def watch() -> None:
        while not done.wait(0.001):
            seen.append(resident())

    thread = threading.Thread(target=watch)
    thread.start()
    run()
    done.set()
    thread.join()
    return max(seen) - seen[0]


def bench(mt: Translator, repeats: int, lens: str | None, threads: int, every: int) -> bool:
    ready = one_pair(mt)
    loop = Loop(mt, ready, every)
    _ = mt.signature  # hashes the weights once
    heads, run_heads = sum(a * b for a, b in mt.sites.values()), len(loop.heads())
    factor = (heads + 2) / (run_heads + 2)  # two forwards besides: the twin's and the base's
    shape = f"{loop.base.ids.shape[1]} source, {loop.base.inputs.shape[1]} target sub-words"
    print(f"{mt.name}: {heads} heads, {shape}, {threads} thread(s), {repeats} repeats in turns")
    if every > 1:
        print(f"  the loops run {run_heads} heads; their time is scaled to {heads}", flush=True)
    runs: dict[str, Run] = {
        "wavefront": wavefront(mt, ready),
        "plain hooks": loop.hooks(cached=False),
        "plain hooks, encoder kept": loop.hooks(cached=True),
        "nnsight": loop.nnsight(),
    }
    folder = tempfile.TemporaryDirectory()
    if lens:
        runs["transformer-lens"] = Lens(lens, loop, threads, folder.name)
    else:
        print("transformer-lens: not run; name the python of its environment with --lens")
    memory = {name: peak(run) for name, run in runs.items() if not isinstance(run, Lens)}
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in runs}
    effects: dict[str, np.ndarray] = {}
    for _ in range(repeats):
        for name, run in runs.items():
            wall, cpu = time.perf_counter(), time.process_time()
            effects[name] = run()
            cpu = run.cpu if isinstance(run, Lens) else time.process_time() - cpu
            scale = 1.0 if name == "wavefront" else factor
            times[name].append((cpu * scale, (time.perf_counter() - wall) * scale))
    middle = {name: np.median(np.array(spent), 0) for name, spent in times.items()}
    good = True
    assert np.abs(effects["wavefront"]).max() > 1e-3, "no effect at all"
    size = max(1.0, loop.largest())
    print(f"  largest logit {size:.1f}; Δ is the largest difference of an effect")
    for name, (cpu, wall) in middle.items():
        ours = effects["wavefront"]
        gap = np.abs(effects[name] - (ours if name == "wavefront" else ours[::every])).max()
        ratio, used = cpu / middle["wavefront"][0], memory.get(name)
        verdict = "" if name not in LIMITS else f"(limit ≥ {LIMITS[name]:.0f}×)"
        shown = f"+{used:7.1f} MB" if used is not None else " " * 11
        print(
            f"  {name:26} {cpu:8.3f} s {ratio:6.1f}×  wall {wall:8.3f} s  {shown}  Δ {gap:.0e} "
            + verdict,
            flush=True,
        )
        assert gap < 1e-5 * size, f"{name} does not agree"
        good &= bool(ratio >= LIMITS.get(name, 0.0))
    folder.cleanup()
    return good


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shape", choices=["opus", "nllb"], default="opus")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--every", type=int, default=1, help="the loops run one head in K")
    parser.add_argument("--lens", help="python of an environment with transformer-lens 4.3")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.set_grad_enabled(False)
    shape = {"opus": opus_shape, "nllb": nllb_shape}[options.shape]
    mt = shape(cs.load("firefox:en-pt"))
    good = bench(mt, options.repeats, options.lens, options.threads, options.every)
    raise SystemExit(0 if good else 1)


if __name__ == "__main__":
    in_words(main)
