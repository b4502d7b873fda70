"""Argos packages and CTranslate2 folders, dequantised into the matching Hugging Face architecture.

Post-norm models (OPUS-MT) become Marian, pre-norm ones (NLLB, M2M100, Argos' own) M2M100, those
with normalised embeddings mBART.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import sentencepiece
import torch
from torch import nn

from cuescope.errors import CueScopeError, refusal
from cuescope.models import ct2_file, ct2_package, languages
from cuescope.models.ct2_file import Variables
from cuescope.models.ct2_package import Package
from cuescope.models.decoding import Limits
from cuescope.models.families import family_of
from cuescope.models.hf_engine import HuggingFaceEngine
from cuescope.models.tokenizers import SentencePieceTokenizer, Tag
from cuescope.models.translator import Translator

_ACTIVATIONS = {0: "relu", 1: "gelu_new", 2: "swish", 3: "gelu"}
_IGNORED = re.compile(r".*/(alignment_\w+|embeddings_merge)$")
_TAG = re.compile(r"__[a-z]{2,3}__|[a-z]{3}_[A-Z][a-z]{3}|[a-z]{2}_[A-Z]{2}")

_unsupported = refusal(
    "{} is a CTranslate2 model that cuescope does not rebuild",
    expected="a Transformer like Marian, M2M100 or mBART, with stored position encodings",
    do="load the original model instead",
)


def load(
    path: Path, name: str, src: str | None, tgt: str | None, attention: str = "sdpa"
) -> Translator:
    """A Translator from a folder or an `.argosmodel` package, which is read without unpacking."""
    with ct2_package.opened(path) as package:
        about = package.json("metadata.json")
        src, tgt = src or about.get("from_code"), tgt or about.get("to_code")
        model = package.inside("model") if package.has("model/model.bin") else package
        variables = ct2_file.read(model.read("model.bin"), f"{path.name}: model.bin")
        settings = model.json("config.json")
        sides = [model.vocabulary(side) for side in ("source", "target")]
        network = build(variables, settings, sides, name, attention)
        tokenizer = _tokenizer(package, settings, sides, name, src, tgt)
        engine = HuggingFaceEngine(network, family_of(network.config.model_type, name))
    limits = Limits(most=min(512, engine.longest))
    return Translator(name, engine, tokenizer, engine.family, src, tgt, limits)


def _tokenizer(
    package: Package,
    settings: dict[str, Any],
    sides: list[list[str]],
    name: str,
    src: str | None,
    tgt: str | None,
) -> SentencePieceTokenizer:
    models = [entry for entry in package.names() if entry.endswith((".spm", ".model"))]
    if not models:
        raise CueScopeError(
            f"{name} has no SentencePiece model beside it",
            expected="sentencepiece.model, or source.spm and target.spm, in the folder",
            found=", ".join(sorted(package.names())[:8]),
            do="copy it there from the model that was converted",
        )
    source, target = (
        sentencepiece.SentencePieceProcessor(
            model_proto=package.read(file if file in models else models[0])
        )
        for file in ("source.spm", "target.spm")
    )
    ids = [{piece: i for i, piece in enumerate(side)} for side in sides]
    eos = settings.get("eos_token", "</s>")
    prefix, forced = _tags(sides, ids, name, src, tgt)
    bos = settings.get("bos_token", "<s>")
    return SentencePieceTokenizer(
        source,
        target,
        vocabulary=ids[0],
        target_vocabulary=ids[1],
        prefix=[*([(ids[0][bos], bos)] if settings.get("add_source_bos") else []), *prefix],
        suffix=[(ids[0][eos], eos)] if _ends_sources(settings) else [],
        forced=forced,
        eos=eos,
        unk=settings.get("unk_token", "<unk>"),
    )


def _ends_sources(settings: dict[str, Any]) -> bool:
    """Does a source end with `</s>`?

    Models converted from transformers expect it though they leave it to the caller: one knows them
    by a decoder that does not start with `<s>`. OpenNMT's expect it only if they say so.
    """
    converted = settings.get("decoder_start_token") != (settings.get("bos_token") or "<s>")
    return converted or bool(settings.get("add_source_eos", True))


def _tags(
    sides: list[list[str]], ids: list[dict[str, int]], name: str, src: str | None, tgt: str | None
) -> tuple[list[Tag], list[Tag]]:
    """What goes before the source and what the decoder must emit first, if there are languages."""
    codes = [piece for piece in sides[0] if piece.startswith(">>") and piece.endswith("<<")]
    if codes:
        code = languages.code(tgt, codes, name, "tgt")
        return [(ids[0][code], code)], []
    tags = [piece for piece in sides[0] if _TAG.fullmatch(piece)]
    if not tags:
        return [], []
    first, second = (languages.code(v, tags, name, k) for v, k in ((src, "src"), (tgt, "tgt")))
    return [(ids[0][first], first)], [(ids[1][second], second)]


def build(
    variables: Variables,
    settings: dict[str, Any],
    sides: list[list[str]],
    name: str,
    attention: str,
) -> Any:
    """The Hugging Face model with the variables as its weights; all of them must find a place."""
    if variables.specification not in ("TransformerSpec", "TransformerBase", "TransformerBig"):
        raise _unsupported(name, f"a model of kind {variables.specification}")
    for side in ("encoder", "decoder"):
        for option in ("rms_norm", "multi_query_attention", "alibi", "scale_alibi", "rotary_dim"):
            if variables.flag(f"{side}/{option}") and f"{side}/{option}" in variables:
                raise _unsupported(name, f"{side}/{option}")
        variables.flag(f"{side}/alibi_use_positive_positions")
    model = _empty(variables, settings, sides, attention)
    _Filler(variables, model).fill(sides)
    left = [v for v in variables.unused() if not _IGNORED.match(v)]
    if left:
        raise _unsupported(name, f"variables without a place: {', '.join(left[:4])}")
    return model


def _empty(
    variables: Variables, settings: dict[str, Any], sides: list[list[str]], attention: str
) -> Any:
    from transformers import (
        M2M100Config,
        M2M100ForConditionalGeneration,
        MarianConfig,
        MarianMTModel,
        MBartConfig,
        MBartForConditionalGeneration,
    )

    norms = {bool(variables.flag(f"{side}/pre_norm", 1)) for side in ("encoder", "decoder")}
    if len(norms) > 1:
        raise _unsupported("the model", "pre_norm on one side only")
    pre_norm = norms.pop()
    kinds: tuple[Any, Any] = (MarianConfig, MarianMTModel)
    if pre_norm:
        kinds = (M2M100Config, M2M100ForConditionalGeneration)
    if "encoder/layernorm_embedding/gamma" in variables:
        kinds = (MBartConfig, MBartForConditionalGeneration)
    shape: dict[str, Any] = {}
    _check_sizes(variables, sides)
    for side in ("encoder", "decoder"):
        shape[f"{side}_layers"] = _layers(variables, side)
        shape[f"{side}_attention_heads"] = variables.flag(f"{side}/num_heads", 8)
        inner = variables.take(f"{side}/layer_0/ffn/linear_0/weight").shape[0]
        shape[f"{side}_ffn_dim"] = inner
    target, width = sides[1], variables.take("decoder/embeddings/weight").shape[1]
    eos = target.index(settings.get("eos_token", "</s>"))
    # A pad that no text can hold: the vocabulary's own, or one more row (as Marian has it).
    pad = next((target.index(p) for p in ("<pad>", "<blank>") if p in target), len(target))
    start = pad
    if not variables.flag("decoder/start_from_zero_embedding"):
        start = target.index(settings.get("decoder_start_token") or target[eos])
    zero_start = start == pad
    positions = len(variables.take("decoder/position_encodings/encodings"))
    sinusoids = kinds[0].model_type == "m2m_100"  # its table has a row for the pad id
    config = kinds[0](
        **shape,
        vocab_size=len(sides[0]) + (pad == len(target)),
        decoder_vocab_size=len(target) + (pad == len(target)),
        d_model=width,
        activation_function=_ACTIVATIONS[variables.flag("encoder/activation")],
        scale_embedding=_scaled(variables, width),
        max_position_embeddings=max(positions, pad + 1 if sinusoids else 0),
        pad_token_id=pad,
        eos_token_id=eos,
        decoder_start_token_id=start,
        forced_eos_token_id=None,
        share_encoder_decoder_embeddings=_tied(variables),
        tie_word_embeddings=_tied(variables),
        attn_implementation=attention,
    )
    variables.flag("decoder/activation")
    with torch.device("meta"):  # nothing is drawn at random: the file fills every weight
        model = kinds[1](config)
    model.to_empty(device="cpu").eval()
    with torch.no_grad():
        for tensor in (*model.parameters(), *model.buffers()):
            tensor.zero_()
    model.tie_weights()
    model.config.max_position_embeddings = positions
    if zero_start or pad == len(target):
        model.generation_config.bad_words_ids = [[pad]]
    return model


def _check_sizes(variables: Variables, sides: list[list[str]]) -> None:
    """Raise, before anything is allocated, if vocabularies and tables are not of one size."""
    tables = (_source_embeddings(variables), "decoder/embeddings/weight")
    for name, pieces, side in zip(tables, sides, ("encoder", "decoder"), strict=True):
        table = variables.take(name)
        heads = variables.flag(f"{side}/num_heads", 8)
        if table.ndim != 2 or len(table) < len(pieces) or heads < 1 or table.shape[1] % heads:
            raise _unsupported(
                "the model", f"{len(pieces):,} pieces, {name} of {table.shape}, {heads} heads"
            )


def _scaled(variables: Variables, width: int) -> bool:
    """Are embeddings scaled by √width? Said by an int8, or by the factor; unsaid is a yes."""
    factors = set()
    for side in ("encoder", "decoder"):
        names = (f"{side}/scale_embeddings", f"{side}/embeddings/multiply_by_sqrt_depth")
        said = [variables.take(name) for name in names if name in variables]
        if not said:
            factors.add(width**0.5)
        elif said[0].dtype.kind == "i":
            factors.add(width**0.5 if said[0] else 1.0)
        else:
            factors.add(float(said[0]))
    if np.allclose(list(factors), 1.0):
        return False
    if np.allclose(list(factors), width**0.5):
        return True
    raise _unsupported("the model", f"embeddings scaled by {', '.join(map(str, sorted(factors)))}")


def _source_embeddings(variables: Variables) -> str:
    """The source embeddings' name: older files have one table and no number."""
    numbered = "encoder/embeddings_0/weight"
    return numbered if numbered in variables else "encoder/embeddings/weight"


def _tied(variables: Variables) -> bool:
    return variables.aliases.get(_source_embeddings(variables)) is not None


def _layers(variables: Variables, side: str) -> int:
    found = (re.match(rf"{side}/layer_(\d{{1,4}})/", name) for name in variables.raw)
    numbers = {int(match.group(1)) for match in found if match}
    if numbers != set(range(len(numbers))) or not numbers:
        raise _unsupported("the model", f"{side} layers {sorted(numbers)[:8]}, some between lost")
    return len(numbers)


class _Filler:
    """Copies variables into the modules of a BART-like model."""

    def __init__(self, variables: Variables, model: Any) -> None:
        self.variables, self.model = variables, model
        self.biased: dict[str, set[bool]] = {}  # by kind of projection

    @torch.no_grad()
    def fill(self, sides: list[list[str]]) -> None:
        for side in ("encoder", "decoder"):
            stack = getattr(self.model.model, side)
            names = {"encoder": _source_embeddings(self.variables)}
            name = names.get(side, "decoder/embeddings/weight")
            self._rows(name, stack.embed_tokens.weight)
            self._positions(f"{side}/position_encodings/encodings", stack.embed_positions)
            for number, layer in enumerate(stack.layers):
                at = f"{side}/layer_{number}"
                self._attention(f"{at}/self_attention", layer.self_attn, 3)
                self._norm(f"{at}/self_attention", layer.self_attn_layer_norm)
                if side == "decoder":
                    self._attention(f"{at}/attention", layer.encoder_attn, 1)
                    self._norm(f"{at}/attention", layer.encoder_attn_layer_norm)
                self._linear(f"{at}/ffn/linear_0", [layer.fc1])
                self._linear(f"{at}/ffn/linear_1", [layer.fc2])
                self._norm(f"{at}/ffn", layer.final_layer_norm)
            for key in ("layer_norm", "layernorm_embedding"):
                stored = f"{side}/{key}/gamma" in self.variables
                if stored != hasattr(stack, key):
                    raise _unsupported("the model", f"{'a' if stored else 'no'} {side}/{key}")
                if stored:
                    self._norm(side, getattr(stack, key), key)
        self._rows("decoder/projection/weight", self.model.lm_head.weight)
        if "decoder/projection/bias" in self.variables:
            bias = self._tensor("decoder/projection/bias")
            self.model.final_logits_bias[0, : len(bias)] = bias

    def _tensor(self, name: str) -> torch.Tensor:
        return torch.from_numpy(np.ascontiguousarray(self.variables.weight(name)))

    def _rows(self, name: str, parameter: torch.Tensor) -> None:
        value = self._tensor(name)
        parameter[: len(value)] = value
        parameter[len(value) :] = 0  # the extra row is pad and start: the zero vector

    def _positions(self, name: str, module: nn.Module) -> None:
        value = self._tensor(name)
        if hasattr(module, "weights"):  # M2M100's sinusoids: a row's place is pad + 1 + position
            ahead = int(module.padding_idx) + 1  # type: ignore[arg-type]
            module.weights = torch.cat([torch.zeros(ahead, value.shape[1]), value])
        else:  # mBART's table has two rows before the first position
            ahead = int(getattr(module, "offset", 0))
            module.weight[ahead : ahead + len(value)] = value  # type: ignore[index, operator]

    def _attention(self, at: str, attention: Any, stacked: int) -> None:
        projections = [attention.q_proj, attention.k_proj, attention.v_proj]
        groups = [projections[:stacked], projections[stacked:]]
        groups = [group for group in groups if group] + [[attention.out_proj]]
        for number, group in enumerate(groups):
            kind = "output" if number == len(groups) - 1 else "input"
            self._linear(f"{at}/linear_{number}", group, f"an attention's {kind}")

    def _linear(self, name: str, linears: list[nn.Linear], kind: str = "a feed-forward") -> None:
        """One stored matrix is the rows of one or more projections.

        A network has biases in all projections of a kind, or in none: one that is alone is lost.
        """
        biased = self.biased.setdefault(kind, set())
        biased.add(f"{name}/bias" in self.variables)
        if len(biased) > 1:
            raise _unsupported("the model", f"{kind} projection with a bias, and one without")
        for part in ("weight", "bias"):
            if part == "bias" and f"{name}/{part}" not in self.variables:
                values = (torch.zeros(()),) * len(linears)
            else:
                values = self._tensor(f"{name}/{part}").chunk(len(linears))
            for linear, value in zip(linears, values, strict=True):
                getattr(linear, part).copy_(value)

    def _norm(self, at: str, norm: nn.LayerNorm, key: str = "layer_norm") -> None:
        norm.weight.copy_(self._tensor(f"{at}/{key}/gamma"))
        norm.bias.copy_(self._tensor(f"{at}/{key}/beta"))
