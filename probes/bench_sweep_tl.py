"""The same sweep by transformer-lens, run by bench_sweep.py inside an environment that has it.

Reads a job (JSON) on its first line, then sweeps once for every further line. Imports no cuescope.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import torch

NAMES = {"encoder": "encoder_blocks.{}.attn", "decoder": "decoder_blocks.{}.self_attn"}
NAMES["cross"] = "decoder_blocks.{}.cross_attn"


def bridge(folder: str) -> Any:
    from tokenizers import Tokenizer, models
    from transformer_lens.model_bridge import TransformerBridge
    from transformers import AutoModelForSeq2SeqLM, PreTrainedTokenizerFast

    known = {"</s>": 0, "<unk>": 1, "<pad>": 2}  # never used: the job is ids
    words = Tokenizer(models.WordLevel(known, unk_token="<unk>"))
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=words, eos_token="</s>", unk_token="<unk>", pad_token="<pad>"
    )
    model = AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    return TransformerBridge.boot_transformers(folder, hf_model=model, tokenizer=tokenizer)


def sweep(model: Any, job: dict[str, Any]) -> list[float]:
    base, twin, inputs = (torch.tensor(job[k]) for k in ("base", "twin", "inputs"))
    names = {
        (site, layer): NAMES[site].format(layer) + ".o.hook_in"
        for site, (layers, _) in job["sites"].items()
        for layer in range(layers)
    }
    said: dict[str, torch.Tensor] = {}

    def keep(x: torch.Tensor, hook: Any) -> None:
        said[hook.name] = x

    def lean(source: torch.Tensor, hooks: list[Any]) -> float:
        logits = model.run_with_hooks(source, decoder_input=inputs, fwd_hooks=hooks)[0, -1]
        return float(logits[job["feminine"]] - logits[job["masculine"]])

    lean(twin, [(name, keep) for name in names.values()])
    plain = lean(base, [])
    found = []
    for (site, _), name in names.items():
        heads = job["sites"][site][1]
        for head in range(heads):

            def edit(x: torch.Tensor, hook: Any, head: int = head, heads: int = heads) -> Any:
                twin, x = said[hook.name], x.clone()
                if x.ndim == 4:  # heads apart: [row, position, head, width of a head]
                    x[:, :, head] = twin[:, :, head]
                    return x
                width = x.shape[-1] // heads
                part = slice(head * width, (head + 1) * width)
                x[..., part] = twin[..., part]
                return x

            found.append(lean(base, [(name, edit)]) - plain)
    return found


def main() -> None:
    job = json.loads(sys.stdin.readline())
    torch.set_num_threads(job["threads"])
    torch.set_grad_enabled(False)
    stdout, sys.stdout = sys.stdout, sys.stderr
    model = bridge(job["folder"])
    print("ready", file=stdout, flush=True)
    for _ in sys.stdin:
        start = time.process_time()
        found = sweep(model, job)
        cpu = time.process_time() - start
        print(json.dumps({"cpu": cpu, "effects": found}), file=stdout, flush=True)


if __name__ == "__main__":
    main()
