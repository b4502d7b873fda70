"""Firefox's translation models: a folder with a Marian file and SentencePiece vocabularies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from cuescope.errors import CueScopeError, one_of
from cuescope.files.documents import short
from cuescope.models import marian_file
from cuescope.models.marian_net import OWN_ATTENTION, Around, Attention, MarianNet, NetConfig
from cuescope.models.tokenizers import SentencePieceTokenizer, open_sentencepiece

# What a configuration may say without changing the network that is built here.
_ONLY: dict[str, tuple[Any, ...]] = {
    "type": ("transformer",),
    "transformer-decoder-autoreg": ("rnn", "self-attention"),
    "dec-cell": ("ssru",),
    "transformer-ffn-activation": ("relu", "swish", "gelu"),
    "transformer-ffn-depth": (2,),
    "transformer-decoder-ffn-depth": (0, 2),
    "transformer-train-position-embeddings": (False,),
    "transformer-no-projection": (False,),
    "transformer-no-affine": (False,),
    "transformer-rnn-projection": (False,),
    "transformer-pool": (False,),
    "transformer-tied-layers": ([], None),
    "lemma-dim-emb": (0,),
    "lemma-dependency": ("", None),
    "factors-combine": ("sum", "", None),
    "ulr": (False,),
    "right-left": (False,),
    "input-types": ([], None),
    "output-omit-bias": (False,),
}


def find_files(folder: Path) -> tuple[Path, Path, Path]:
    """The model file and the source and target vocabularies in a folder."""
    models = sorted(folder.glob("model*.bin"))
    vocabularies = sorted(folder.glob("*vocab*.spm"))
    source = [v for v in vocabularies if "srcvocab" in v.name] or vocabularies
    target = [v for v in vocabularies if "trgvocab" in v.name] or vocabularies
    if len(models) != 1 or len(source) != 1 or len(target) != 1:
        raise CueScopeError(
            f"{folder} is not a folder with one Firefox model",
            expected="one model*.bin and one vocab*.spm (or srcvocab*.spm and trgvocab*.spm)",
            found=", ".join(p.name for p in [*models, *vocabularies]) or "neither",
            do="put each model into a folder of its own",
        )
    return models[0], source[0], target[0]


class _Own:
    """What Marian feeds a model: SentencePiece's own ids, and the end of the sentence."""

    def __init__(self, source: Any, target: Any) -> None:
        self._sides = (source, target)

    def __call__(self, text: str, *, target: bool = False) -> list[int]:
        side = self._sides[target]
        return [*side.encode(text, out_type=int), side.eos_id()]


def load(folder: Path, attention: str = "sdpa") -> tuple[MarianNet, SentencePieceTokenizer]:
    """The network and the tokenizer of a Firefox model's folder."""
    one_of(attention, OWN_ATTENTION, "no such attention for a model of Firefox's")
    model, source, target = find_files(folder)
    file = marian_file.read(model)
    net = build(file, model.name)
    first = open_sentencepiece(source)
    pieces = first, first if target == source else open_sentencepiece(target)
    tokenizer = SentencePieceTokenizer(*pieces, own=_Own(*pieces))
    sizes = (tokenizer.source_size, tokenizer.target_size)
    if sizes != (net.config.source_vocabulary, net.config.target_vocabulary):
        raise CueScopeError(
            f"{model.name} and its vocabulary do not belong together",
            expected=f"{net.config.source_vocabulary}, {net.config.target_vocabulary} pieces",
            found=f"{sizes[0]}, {sizes[1]} in {source.name}, {target.name}",
            do="take both files from the same release of the model",
        )
    net.config._attn_implementation = attention
    return net, tokenizer


def build(file: marian_file.MarianFile, name: str) -> MarianNet:
    """The network that a Marian file describes; every tensor must find its place."""
    for option, allowed in _ONLY.items():
        value = file.config.get(option, allowed[0])
        if option == "dec-cell" and not _recurrent(file.config):
            continue
        if value not in allowed:
            raise CueScopeError(
                f"{name} uses a part of Marian that cuescope does not build",
                expected=f"{option}: {' or '.join(map(str, allowed))}",
                found=f"{option}: {value}",
                do="open an issue with the model's name; the other options are supported",
            )
    taker = _Taker(dict(file.tensors), name)
    config = _configure(file, taker)
    if config.width % config.heads:
        raise CueScopeError(
            f"{name} has a configuration that no network can have",
            expected="a width that its heads share evenly",
            found=f"width {config.width}, {config.heads} heads",
            do="get the file again",
        )
    with torch.no_grad(), _Undrawn():
        net = MarianNet(config)
    _fill(net, taker)
    if taker.left:
        raise CueScopeError(
            f"{name} holds parameters that its configuration does not explain",
            expected="every tensor to have a place in the network",
            found=", ".join(sorted(taker.left)[:5]),
            do="open an issue with the model's name; a result would be silently wrong",
        )
    return net.eval().requires_grad_(False)


def _recurrent(options: dict[str, Any]) -> bool:
    return bool(options.get("transformer-decoder-autoreg", "rnn") == "rnn")


class _Undrawn(TorchFunctionMode):
    """Inside, no weight is drawn at random: the file fills them all, or one that is no number shows
    that it did not."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        known = kwargs or {}
        if func in (nn.init.kaiming_uniform_, nn.init.uniform_, nn.init.normal_):
            return (args[0] if args else known["tensor"]).fill_(torch.nan)
        return func(*args, **known)


class _Taker:
    """Hands out the file's tensors once each, checked by shape."""

    def __init__(self, tensors: dict[str, np.ndarray], name: str) -> None:
        self.left, self.name = tensors, name

    def peek(self, *keys: str) -> np.ndarray:
        for key in keys:
            if key in self.left:
                return self.left[key]
        raise self._missing(" or ".join(keys), sorted(self.left)[:5])

    def fill(self, key: str, parameter: Tensor, transposed: bool = False) -> None:
        if key not in self.left:
            raise self._missing(key, sorted(self.left)[:5])
        value = torch.from_numpy(self.left.pop(key))
        value = value.T if transposed else value.reshape(-1) if parameter.ndim == 1 else value
        if value.shape != parameter.shape:
            raise self._missing(f"{key} of shape {tuple(parameter.shape)}", list(value.shape))
        with torch.no_grad():
            parameter.copy_(value)

    def _missing(self, expected: str, found: list[Any]) -> CueScopeError:
        return CueScopeError(
            f"{self.name} does not hold the network that its configuration describes",
            expected=f"tensor {expected}",
            found=f"{', '.join(map(str, found))} …",
            do="get the file again; if it is whole, open an issue with the model's name",
        )


class _Numbers:
    """The options that shape the network, none larger than the file's tensors can explain."""

    def __init__(self, options: dict[str, Any], taker: _Taker) -> None:
        self.options, self.name = options, taker.name
        shapes = [side for tensor in taker.left.values() for side in tensor.shape]
        self.most = max(len(taker.left), *shapes, 1)

    def __call__(
        self, option: str, exactly: int | None = None, *, least: int = 1, default: object = None
    ) -> int:
        found = self.options.get(option, default)
        whole = isinstance(found, int) and not isinstance(found, bool)
        if not whole or not least <= found <= self.most or exactly not in (None, found):
            raise CueScopeError(
                f"{self.name} has a configuration that no network can have",
                expected=f"{option}: {exactly or f'a number from {least} to {self.most:,}'}",
                found=f"{option}: {short(found)}",
                do="get the file again",
            )
        return int(found)


def _configure(file: marian_file.MarianFile, taker: _Taker) -> NetConfig:
    options = file.config
    said = _Numbers(options, taker)
    inner = said("transformer-dim-ffn")
    return NetConfig(
        width=said("dim-emb", taker.peek("Wemb", "decoder_Wemb").shape[-1]),
        heads=said("transformer-heads"),
        encoder_layers=said("enc-depth"),
        decoder_layers=said("dec-depth"),
        encoder_ffn=inner,
        decoder_ffn=said("transformer-decoder-dim-ffn", least=0, default=0) or inner,
        activation=options.get("transformer-ffn-activation", "relu"),
        preprocess=options.get("transformer-preprocess", ""),
        postprocess=options.get("transformer-postprocess", "dan"),
        top=options.get("transformer-postprocess-top", ""),
        embedding=options.get("transformer-postprocess-emb", "d"),
        recurrent=_recurrent(options),
        source_vocabulary=taker.peek("Wemb", "encoder_Wemb").shape[0],
        target_vocabulary=taker.peek("Wemb", "decoder_Wemb").shape[0],
    )


def _fill(net: MarianNet, taker: _Taker) -> None:
    stack: Any
    for side, stack in (("encoder", net.encoder), ("decoder", net.decoder)):
        if "n" in net.config.embedding:
            _fill_norm(taker, f"{side}_emb", stack.embedding_norm, "_pre")
        if "n" in net.config.top:
            _fill_norm(taker, f"{side}_top", stack.top_norm)
        for number, layer in enumerate(stack.layers, 1):
            at = f"{side}_l{number}"
            if side == "encoder" or not net.config.recurrent:
                _fill_attention(taker, f"{at}_self", layer.self_attn)
            else:
                taker.fill(f"{at}_rnn_W", layer.rnn.input.weight, transposed=True)
                taker.fill(f"{at}_rnn_Wf", layer.rnn.forget.weight, transposed=True)
                taker.fill(f"{at}_rnn_bf", layer.rnn.forget.bias)
            if side == "encoder":
                _fill_around(taker, f"{at}_self_Wo", layer.self_attn_around)
            else:
                inside = "rnn_ffn" if net.config.recurrent else "self_Wo"
                _fill_around(taker, f"{at}_{inside}", layer.past_around)
                _fill_attention(taker, f"{at}_context", layer.encoder_attn)
                _fill_around(taker, f"{at}_context_Wo", layer.encoder_attn_around)
            for linear, index in ((layer.ffn.fc1, 1), (layer.ffn.fc2, 2)):
                taker.fill(f"{at}_ffn_W{index}", linear.weight, transposed=True)
                taker.fill(f"{at}_ffn_b{index}", linear.bias)
            _fill_around(taker, f"{at}_ffn_ffn", layer.ffn_around)
    _fill_embeddings(net, taker)


def _fill_attention(taker: _Taker, at: str, attention: Attention) -> None:
    for letter, name in zip("qkvo", ("q_proj", "k_proj", "v_proj", "out_proj"), strict=True):
        linear = attention.get_submodule(name)
        assert isinstance(linear, nn.Linear)
        taker.fill(f"{at}_W{letter}", linear.weight, transposed=True)
        taker.fill(f"{at}_b{letter}", linear.bias)


def _fill_around(taker: _Taker, at: str, around: Around) -> None:
    for norm, ending in ((around.before, "_pre"), (around.after, "")):
        if isinstance(norm, nn.LayerNorm):
            _fill_norm(taker, at, norm, ending)


def _fill_norm(taker: _Taker, at: str, norm: nn.Module, ending: str = "") -> None:
    assert isinstance(norm, nn.LayerNorm)
    taker.fill(f"{at}_ln_scale{ending}", norm.weight)
    taker.fill(f"{at}_ln_bias{ending}", norm.bias)


def _fill_embeddings(net: MarianNet, taker: _Taker) -> None:
    """Marian ties in three ways: all in `Wemb`, source and target, or target and output."""
    tables = {"encoder": net.encoder.embed_tokens, "decoder": net.decoder.embed_tokens}
    shared = "Wemb" in taker.left
    sources = {side: taker.peek("Wemb" if shared else f"{side}_Wemb") for side in tables}
    for side, table in tables.items():
        with torch.no_grad():
            table.weight[:-1] = torch.from_numpy(sources[side])
            table.weight[-1] = 0
    if shared:
        net.encoder.embed_tokens = net.decoder.embed_tokens
    for key in ("Wemb", "encoder_Wemb", "decoder_Wemb"):
        taker.left.pop(key, None)
    if "decoder_ff_logit_out_W" in taker.left:
        taker.fill("decoder_ff_logit_out_W", net.output.weight, transposed=True)
    else:  # tied: the output rows are the embedding's own memory, without the zero row
        net.output.weight = nn.Parameter(net.decoder.embed_tokens.weight.detach()[:-1])
    taker.fill("decoder_ff_logit_out_b", net.output.bias)
