"""Writes Marian's binary files, and computes their network the slow, obvious way, in numpy."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import yaml

OPTIONS: dict[str, Any] = {
    "type": "transformer",
    "dim-emb": 16,
    "transformer-heads": 4,
    "enc-depth": 3,
    "dec-depth": 2,
    "transformer-dim-ffn": 24,
    "transformer-ffn-activation": "relu",
    "transformer-ffn-depth": 2,
    "transformer-preprocess": "",
    "transformer-postprocess": "dan",
    "transformer-postprocess-emb": "d",
    "transformer-postprocess-top": "",
    "transformer-decoder-autoreg": "rnn",
    "dec-cell": "ssru",
    "tied-embeddings-all": True,
    "transformer-tied-layers": [],
}
VOCABULARY = 40


def tensors(options: dict[str, Any], seed: int = 0) -> dict[str, np.ndarray]:
    """Random weights under Marian's names for what the options describe."""
    draw = np.random.default_rng(seed)
    width = options["dim-emb"]
    inners = {"encoder": options["transformer-dim-ffn"]}
    inners["decoder"] = options.get("transformer-decoder-dim-ffn") or inners["encoder"]
    found: dict[str, np.ndarray] = {}

    def put(name: str, *shape: int) -> None:
        found[name] = draw.normal(0, 0.5, shape).astype(np.float32)

    def norms(at: str) -> None:
        endings = [
            e
            for e, ops in (("_pre", "preprocess"), ("", "postprocess"))
            if "n" in options[f"transformer-{ops}"]
        ]
        for ending in endings:
            put(f"{at}_ln_scale{ending}", 1, width)
            put(f"{at}_ln_bias{ending}", 1, width)

    def attention(at: str) -> None:
        for letter in "qkvo":
            put(f"{at}_W{letter}", width, width)
            put(f"{at}_b{letter}", 1, width)
        norms(f"{at}_Wo")

    recurrent = options["transformer-decoder-autoreg"] == "rnn"
    for side, depth in (("encoder", options["enc-depth"]), ("decoder", options["dec-depth"])):
        inner = inners[side]
        for layer in range(1, depth + 1):
            at = f"{side}_l{layer}"
            if side == "decoder" and recurrent:
                put(f"{at}_rnn_W", width, width)
                put(f"{at}_rnn_Wf", width, width)
                put(f"{at}_rnn_bf", 1, width)
                norms(f"{at}_rnn_ffn")
            else:
                attention(f"{at}_self")
            if side == "decoder":
                attention(f"{at}_context")
            put(f"{at}_ffn_W1", width, inner)
            put(f"{at}_ffn_b1", 1, inner)
            put(f"{at}_ffn_W2", inner, width)
            put(f"{at}_ffn_b2", 1, width)
            norms(f"{at}_ffn_ffn")
        if "n" in options["transformer-postprocess-top"]:
            put(f"{side}_top_ln_scale", 1, width)
            put(f"{side}_top_ln_bias", 1, width)
        if not options["tied-embeddings-all"]:
            put(f"{side}_Wemb", VOCABULARY, width)
    if options["tied-embeddings-all"]:
        put("Wemb", VOCABULARY, width)
    else:
        put("decoder_ff_logit_out_W", width, VOCABULARY)
    put("decoder_ff_logit_out_b", 1, VOCABULARY)
    return found


def pack(options: dict[str, Any], weights: dict[str, np.ndarray], *, int8: bool = False) -> bytes:
    """The bytes of a model file; matrices as int8 with their multiplier if asked."""
    entries = []
    for name, value in weights.items():
        if int8 and name.split("_")[-1][0] == "W":
            multiplier = np.float32(127 / np.abs(value).max())
            stored = value if name.endswith("Wemb") else value.T
            data = np.round(stored * multiplier).astype(np.int8).tobytes() + multiplier.tobytes()
            entries.append((name, 0x4101, value.shape, data + b"\0" * (-len(data) % 256)))
        else:
            entries.append((name, 0x404, value.shape, value.tobytes()))
    if int8:
        entries.append(("encoder_l1_self_Wq_QuantMultA", 0x404, (1, 1), b"\0" * 256))
    config = yaml.safe_dump(options).encode() + b"\0"
    entries.append(("special:model.yml", 0x101, (len(config),), config))
    out = struct.pack("<QQ", 1, len(entries))
    names = [name.encode() + b"\0" for name, *_ in entries]
    for raw, (_, kind, shape, data) in zip(names, entries, strict=True):
        out += struct.pack("<4Q", len(raw), kind, len(shape), len(data))
    out += b"".join(names)
    out += b"".join(struct.pack(f"<{len(shape)}i", *shape) for _, _, shape, _ in entries)
    padding = -(len(out) + 8) % 256
    return out + struct.pack("<Q", padding) + b"\0" * padding + b"".join(e[3] for e in entries)


class Oracle:
    """One sentence through the network, loop by loop, straight from the description."""

    def __init__(self, options: dict[str, Any], weights: dict[str, np.ndarray]) -> None:
        self.o, self.w = options, {k: v.astype(np.float64) for k, v in weights.items()}

    def logits(self, source: list[int], target: list[int]) -> np.ndarray:
        """Logits that follow the start and each of `target` but the last."""
        x = self.embed("encoder", source)
        for layer in range(1, self.o["enc-depth"] + 1):
            x = self.around(
                x,
                f"encoder_l{layer}_self_Wo",
                lambda y, at=f"encoder_l{layer}_self": self.attend(at, y, y),
            )
            x = self.ffn(x, f"encoder_l{layer}")
        context = self.top(x, "encoder")
        x = self.embed("decoder", [None, *target[:-1]])
        for layer in range(1, self.o["dec-depth"] + 1):
            at = f"decoder_l{layer}"
            if self.o["transformer-decoder-autoreg"] == "rnn":
                x = self.around(x, f"{at}_rnn_ffn", lambda y, at=at: self.recur(at, y))
            else:
                x = self.around(
                    x,
                    f"{at}_self_Wo",
                    lambda y, at=at: self.attend(f"{at}_self", y, y, causal=True),
                )
            x = self.around(
                x, f"{at}_context_Wo", lambda y, at=at: self.attend(f"{at}_context", y, context)
            )
            x = self.ffn(x, at)
        out = self.w.get("decoder_ff_logit_out_W")
        out = self.w["Wemb"].T if out is None else out
        return self.top(x, "decoder") @ out + self.w["decoder_ff_logit_out_b"]

    def embed(self, side: str, ids: list[int | None]) -> np.ndarray:
        table = self.w.get("Wemb", self.w.get(f"{side}_Wemb"))
        width = self.o["dim-emb"]
        rows = []
        for position, i in enumerate(ids):
            row = np.zeros(width) if i is None else table[i] * np.sqrt(width)
            for k in range(width // 2):
                angle = position * 10000 ** (-k / (width // 2 - 1))
                row = (
                    row
                    + np.eye(width)[k] * np.sin(angle)
                    + np.eye(width)[k + width // 2] * np.cos(angle)
                )
            rows.append(row)
        return np.array(rows)

    def norm(self, x: np.ndarray, at: str, ending: str = "") -> np.ndarray:
        scale, bias = self.w[f"{at}_ln_scale{ending}"][0], self.w[f"{at}_ln_bias{ending}"][0]
        return (x - x.mean(-1, keepdims=True)) / np.sqrt(
            x.var(-1, keepdims=True) + 1e-9
        ) * scale + bias

    def top(self, x: np.ndarray, side: str) -> np.ndarray:
        return self.norm(x, f"{side}_top") if "n" in self.o["transformer-postprocess-top"] else x

    def around(self, x: np.ndarray, at: str, block: Any) -> np.ndarray:
        y = self.norm(x, at, "_pre") if "n" in self.o["transformer-preprocess"] else x
        y = block(y)
        for letter in self.o["transformer-postprocess"]:
            y = y + x if letter == "a" else self.norm(y, at) if letter == "n" else y
        return y

    def ffn(self, x: np.ndarray, at: str) -> np.ndarray:
        w, at = self.w, f"{at}_ffn"
        act = {"relu": lambda v: np.maximum(v, 0), "swish": lambda v: v / (1 + np.exp(-v))}
        act = act[self.o["transformer-ffn-activation"]]
        return self.around(
            x,
            f"{at}_ffn",
            lambda y: act(y @ w[f"{at}_W1"] + w[f"{at}_b1"]) @ w[f"{at}_W2"] + w[f"{at}_b2"],
        )

    def recur(self, at: str, x: np.ndarray) -> np.ndarray:
        cell, out = np.zeros(x.shape[1]), []
        for row in x:
            forget = 1 / (1 + np.exp(-(row @ self.w[f"{at}_rnn_Wf"] + self.w[f"{at}_rnn_bf"][0])))
            cell = forget * cell + (1 - forget) * (row @ self.w[f"{at}_rnn_W"])
            out.append(np.maximum(cell, 0))
        return np.array(out)

    def attend(
        self, at: str, x: np.ndarray, context: np.ndarray, causal: bool = False
    ) -> np.ndarray:
        q, k, v = (
            z @ self.w[f"{at}_W{c}"] + self.w[f"{at}_b{c}"]
            for c, z in (("q", x), ("k", context), ("v", context))
        )
        size = q.shape[1] // self.o["transformer-heads"]
        out = np.zeros_like(q)
        for head in range(self.o["transformer-heads"]):
            part = slice(head * size, (head + 1) * size)
            for i in range(len(q)):
                seen = i + 1 if causal else len(k)
                scores = np.array([q[i, part] @ k[j, part] for j in range(seen)]) / np.sqrt(size)
                weights = np.exp(scores - scores.max())
                weights /= weights.sum()
                out[i, part] = sum(weights[j] * v[j, part] for j in range(seen))
        return out @ self.w[f"{at}_Wo"] + self.w[f"{at}_bo"]
