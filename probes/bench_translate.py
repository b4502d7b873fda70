"""How fast is greedy translation? cuescope beside transformers' `generate`, in one run.

Two contests, each with the same sentences, batches, threads and number of steps for both:
1. Firefox's model beside a Marian model of the same shape (6+2 layers, width 256, 8 heads, 32,001
   pieces) whose decoder has self-attention; `generate` is made to take as many steps in each batch
   as Firefox's model took.
2. a real OPUS-MT (6+6, width 512), the same module and weights for both; outputs must be equal.
`generate` gets its best configuration: sorted by length, SDPA, cache, no search options.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from transformers import MarianConfig, MarianMTModel

import cuescope as cs
from cuescope.data import reference
from cuescope.errors import in_words
from cuescope.models.translator import by_length

Work = Callable[[], Any]


def batches(mt: cs.Translator, texts: list[str], size: int) -> list[list[str]]:
    lengths = [len(mt.tokenise(text)) for text in texts]
    return [[texts[row] for row in rows] for rows in by_length(lengths, size)]


def marian_like(mt: cs.Translator) -> MarianMTModel:
    """A Marian model of the shape of Firefox's, with random weights."""
    c = mt.engine.module.config
    pieces = c.target_vocabulary + 1
    return MarianMTModel(
        MarianConfig(
            vocab_size=pieces,
            d_model=c.width,
            encoder_layers=c.encoder_layers,
            decoder_layers=c.decoder_layers,
            encoder_attention_heads=c.heads,
            decoder_attention_heads=c.heads,
            encoder_ffn_dim=c.encoder_ffn,
            decoder_ffn_dim=c.decoder_ffn,
            activation_function="relu",
            pad_token_id=pieces - 1,
            eos_token_id=0,
            decoder_start_token_id=pieces - 1,
            forced_eos_token_id=None,
            attn_implementation="sdpa",
        )
    ).eval()


def generate(
    model: MarianMTModel, mt: cs.Translator, texts: list[str], **how: int
) -> list[list[int]]:
    batch = mt.batch(texts)
    found = model.generate(
        input_ids=batch.ids, attention_mask=batch.mask, do_sample=False, num_beams=1, **how
    )
    return found[:, 1:].tolist()


def contest(name: str, sentences: int, rounds: int, ours, theirs) -> float:  # type: ignore[no-untyped-def]
    """Interleaved rounds, so that a busy machine is fair to both; the ratio of the medians."""
    seconds: dict[str, list[float]] = {"cuescope": [], "generate": []}
    for _ in range(rounds):
        for who, work in (("cuescope", ours), ("generate", theirs)):
            began = time.perf_counter()
            work()
            seconds[who].append(time.perf_counter() - began)
    medians = {who: statistics.median(times) for who, times in seconds.items()}
    ratio = medians["generate"] / medians["cuescope"]
    print(f"\n{name}: {sentences:,} sentences, {torch.get_num_threads()} thread(s)")
    for who, median in medians.items():
        print(f"  {who:9} {median:7.2f} s  {sentences / median:7.1f} sentences per second")
    print(f"  cuescope is {ratio:.2f} times as fast")
    return ratio


def firefox_work(mt: cs.Translator, texts: list[str], size: int) -> tuple[Work, Work]:
    """Ours and theirs on Firefox's shape."""
    model = marian_like(mt)
    work = batches(mt, texts, size)
    steps = [max(len(h.ids) for h in mt.generate(batch, batch_size=size)) for batch in work]

    def theirs() -> None:
        for batch, step in zip(work, steps, strict=True):
            generate(model, mt, batch, min_new_tokens=step, max_new_tokens=step)

    generate(model, mt, work[-1], max_new_tokens=2)  # nothing is measured cold
    return lambda: mt.generate(texts, batch_size=size), theirs


def firefox(texts: list[str], size: int, rounds: int) -> float:
    work = firefox_work(cs.load("firefox:en-pt"), texts, size)
    return contest("Firefox's shape", len(texts), rounds, *work)


def chinese(count: int) -> list[str]:
    """Sentences of our own for a model out of Chinese."""
    who = "护士 医生 律师 机械师 老师 秘书 工程师 司机 厨师 经理 会计 警察 作家 农民".split()
    why = "很累 生病了 忘了时间 想休息 找到了工作 喜欢音乐 没有钱 在等朋友 要去北京".split()
    what = ["回家了", "打了一个很长的电话", "没有来", "写了一封信", "停了车", "离开了办公室"]
    every = [f"{a}{c}，因为{p}{b}。" for p in "他她" for c in what for b in why for a in who]
    return every[:count]


def opus_work(
    mt: cs.Translator, texts: list[str], size: int
) -> tuple[Work, Work, dict[str, list[int]]]:
    """Ours and theirs on the same weights; what theirs says, once it has run."""
    work = batches(mt, texts, size)
    model = mt.engine.module
    outputs: dict[str, list[int]] = {}

    def theirs() -> None:
        for batch in work:
            for text, ids in zip(batch, generate(model, mt, batch, max_new_tokens=64), strict=True):
                outputs[text] = ids

    return lambda: mt.generate(texts, batch_size=size), theirs, outputs


def opus(count: int, size: int, rounds: int) -> float:
    mt, texts = cs.load("argos:zh-en"), chinese(count)
    ours, theirs, outputs = opus_work(mt, texts, size)
    ratio = contest("OPUS-MT, same weights", len(texts), rounds, ours, theirs)
    same = sum(
        list(best.ids) == outputs[text][: len(best.ids)]
        for text, best in zip(texts, mt.generate(texts, batch_size=size), strict=True)
    )
    print(f"  the same output for {same:,} of {len(texts):,} sentences")
    return ratio


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sentences", type=int, default=1584)
    parser.add_argument("--opus-sentences", type=int, default=256)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--winomt", type=Path, help="file of the sentences")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    path = args.winomt or reference.find("winomt", "en_pro.txt")
    lines = path.read_text("utf-8").splitlines()[: args.sentences]
    firefox([line.split("\t")[2] for line in lines], args.batch_size, args.rounds)
    opus(args.opus_sentences, args.batch_size, args.rounds)


if __name__ == "__main__":
    in_words(main)
