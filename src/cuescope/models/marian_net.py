"""Marian's transformer as a torch module, built from the model file's own configuration.

Any depth, width and number of heads; decoder with a simple recurrent unit (Firefox) or with
self-attention. Module names follow Hugging Face's Marian, so that the same hooks fit both.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from cuescope.models.engine import taken

_ACTIVATIONS: dict[str, Any] = {"relu": F.relu, "swish": F.silu, "gelu": F.gelu}


@dataclass
class NetConfig:
    """The facts that shape the network. `_attn_implementation` names one of `ATTENTION`."""

    width: int
    heads: int
    encoder_layers: int
    decoder_layers: int
    encoder_ffn: int
    decoder_ffn: int
    activation: str = "relu"
    preprocess: str = ""
    postprocess: str = "dan"
    top: str = ""  # layer norm after each stack
    embedding: str = "d"  # layer norm after the embeddings
    recurrent: bool = True  # simple recurrent unit in place of decoder self-attention
    source_vocabulary: int = 32_000
    target_vocabulary: int = 32_000
    _attn_implementation: str = "sdpa"


def eager(
    module: nn.Module, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, **kw: Any
) -> tuple[Tensor, Tensor]:
    """Plain attention that also returns its weights [batch, head, query, key]."""
    scores = query @ key.transpose(-1, -2) * kw["scaling"]
    weights = (scores if mask is None else scores + mask).softmax(-1)
    return (weights @ value).transpose(1, 2), weights


def sdpa(
    module: nn.Module, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, **kw: Any
) -> tuple[Tensor, None]:
    """torch's own attention, as transformers calls it; it keeps no weights."""
    heads = F.scaled_dot_product_attention(query, key, value, attn_mask=mask, scale=kw["scaling"])
    return heads.transpose(1, 2).contiguous(), None


Attend = Callable[..., tuple[Tensor, Tensor | None]]
ATTENTION: dict[str, Attend] = {"eager": eager, "sdpa": sdpa}  # `inside` adds names of its own
OWN_ATTENTION = tuple(ATTENTION)


class Attention(nn.Module):
    """Multi-head attention; a head is its slice of the input of `out_proj`."""

    def __init__(self, config: NetConfig) -> None:
        super().__init__()
        self.config, self.num_heads = config, config.heads
        self.head_dim = config.width // config.heads
        self.scaling = self.head_dim**-0.5
        self.is_causal = False  # causality comes with the mask, never from a default
        self.q_proj = nn.Linear(config.width, config.width)
        self.k_proj = nn.Linear(config.width, config.width)
        self.v_proj = nn.Linear(config.width, config.width)
        self.out_proj = nn.Linear(config.width, config.width)

    def keys_values(self, context: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values of a context, kept by a decoder for all its steps."""
        return self._split(self.k_proj(context)), self._split(self.v_proj(context))

    def _split(self, x: Tensor) -> Tensor:
        return x.view(*x.shape[:-1], self.num_heads, self.head_dim).transpose(1, 2)

    def forward(self, x: Tensor, kv: tuple[Tensor, Tensor], mask: Tensor | None) -> Tensor:
        """Attend from `x` [batch, query, width] to keys and values already split by head."""
        attend = ATTENTION[self.config._attn_implementation]
        query = self._split(self.q_proj(x))
        heads, _ = attend(self, query, *kv, mask, scaling=self.scaling, dropout=0.0)
        out: Tensor = self.out_proj(heads.flatten(-2))
        return out


class Recurrence(nn.Module):
    """Marian's simple recurrent unit: f = σ(x·Wf + bf); c = f⊙c + (1−f)⊙(x·W); relu(c)."""

    def __init__(self, config: NetConfig) -> None:
        super().__init__()
        self.input = nn.Linear(config.width, config.width, bias=False)
        self.forget = nn.Linear(config.width, config.width)

    def forward(self, x: Tensor, cell: Tensor | None) -> tuple[Tensor, Tensor]:
        """All steps of `x` [batch, target, width] from a first cell; also the last cell."""
        forget = self.forget(x).sigmoid()
        fresh = (1 - forget) * self.input(x)
        cell = torch.zeros_like(x[:, 0]) if cell is None else cell
        cells = []
        for step in range(x.shape[1]):
            cell = torch.addcmul(fresh[:, step], forget[:, step], cell)
            cells.append(cell)
        return F.relu(torch.stack(cells, 1)), cell


class Around(nn.Module):
    """What surrounds a block: Marian's letters a (add the input), n (normalise), d (dropout)."""

    def __init__(self, config: NetConfig) -> None:
        super().__init__()
        self.letters = config.postprocess
        self.before = _norm(config) if "n" in config.preprocess else nn.Identity()
        self.after = _norm(config) if "n" in config.postprocess else nn.Identity()

    def forward(self, out: Tensor, x: Tensor) -> Tensor:
        """The block's output with its input added and normalised, in the order of the letters."""
        for letter in self.letters:
            if letter == "a":
                out = out + x
            elif letter == "n":
                out = self.after(out)
        return out


def _norm(config: NetConfig) -> nn.LayerNorm:
    return nn.LayerNorm(config.width, eps=1e-9)


class FeedForward(nn.Module):
    """W2·act(W1·x)."""

    def __init__(self, config: NetConfig, inner: int) -> None:
        super().__init__()
        self.fc1 = nn.Linear(config.width, inner)
        self.fc2 = nn.Linear(inner, config.width)
        self.activation = _ACTIVATIONS[config.activation]

    def forward(self, x: Tensor) -> Tensor:
        """Position by position."""
        out: Tensor = self.fc2(self.activation(self.fc1(x)))
        return out


class EncoderLayer(nn.Module):
    """Self-attention and a feed-forward block."""

    def __init__(self, config: NetConfig) -> None:
        super().__init__()
        self.self_attn, self.self_attn_around = Attention(config), Around(config)
        self.ffn, self.ffn_around = FeedForward(config, config.encoder_ffn), Around(config)

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        """[batch, source, width] → the same."""
        y = self.self_attn_around.before(x)
        x = self.self_attn_around(self.self_attn(y, self.self_attn.keys_values(y), mask), x)
        out: Tensor = self.ffn_around(self.ffn(self.ffn_around.before(x)), x)
        return out


Memory = Tensor | tuple[Tensor, Tensor] | None  # a cell, or keys and values so far


class DecoderLayer(nn.Module):
    """Recurrence or self-attention, cross-attention, feed-forward."""

    def __init__(self, config: NetConfig) -> None:
        super().__init__()
        if config.recurrent:
            self.rnn = Recurrence(config)
        else:
            self.self_attn = Attention(config)
        self.past_around = Around(config)
        self.encoder_attn, self.encoder_attn_around = Attention(config), Around(config)
        self.ffn, self.ffn_around = FeedForward(config, config.decoder_ffn), Around(config)

    def past(self, x: Tensor, memory: Memory) -> tuple[Tensor, Memory]:
        """What the layer knows of the words so far."""
        if isinstance(memory, Tensor) or hasattr(self, "rnn"):
            return self.rnn(x, memory)  # type: ignore[no-any-return]
        keys, values = self.self_attn.keys_values(x)
        if memory is not None:
            keys, values = torch.cat([memory[0], keys], 2), torch.cat([memory[1], values], 2)
        mask = None
        if x.shape[1] > 1:
            mask = x.new_full((x.shape[1], keys.shape[2]), -math.inf).triu_(
                1 + keys.shape[2] - x.shape[1]
            )[None, None]
        return self.self_attn(x, (keys, values), mask), (keys, values)

    def forward(
        self, x: Tensor, memory: Memory, context: tuple[Tensor, Tensor], mask: Tensor | None
    ) -> tuple[Tensor, Memory]:
        """[batch, target, width] after `memory` → the same and the memory that follows."""
        out, memory = self.past(self.past_around.before(x), memory)
        x = self.past_around(out, x)
        y = self.encoder_attn(self.encoder_attn_around.before(x), context, mask)
        x = self.encoder_attn_around(y, x)
        return self.ffn_around(self.ffn(self.ffn_around.before(x)), x), memory


class Stack(nn.Module):
    """Embeddings, positions and layers of one side."""

    def __init__(self, config: NetConfig, layers: list[nn.Module], embed: nn.Embedding) -> None:
        super().__init__()
        self.embed_tokens = embed
        self.layers = nn.ModuleList(layers)
        self.embedding_norm = _norm(config) if "n" in config.embedding else nn.Identity()
        self.top_norm = _norm(config) if "n" in config.top else nn.Identity()
        self.scale = math.sqrt(config.width)

    def embed(self, ids: Tensor, first: int = 0) -> Tensor:
        """Scaled embeddings plus positions, counted from `first`."""
        x = self.embed_tokens(ids) * self.scale
        out: Tensor = self.embedding_norm(x + sinusoids(first, ids.shape[1], x))
        return out


def sinusoids(first: int, count: int, like: Tensor) -> Tensor:
    """Marian's positions: sines in the first half, cosines in the second."""
    half = like.shape[-1] // 2
    rates = torch.exp(torch.arange(half, device=like.device) * (-math.log(1e4) / (half - 1)))
    angles = torch.arange(first, first + count, device=like.device)[:, None] * rates
    return torch.cat([angles.sin(), angles.cos()], 1).to(like.dtype)


@dataclass(frozen=True)
class NetState:
    """Decoder state: a memory and the context's keys and values per layer."""

    memories: tuple[Memory, ...]
    contexts: tuple[tuple[Tensor, Tensor], ...]
    mask: Tensor | None
    at: int = 0

    def select(self, rows: Tensor) -> NetState:
        """The state of these rows."""

        def pick(memory: Any) -> Any:
            if memory is None:
                return None
            return memory[rows] if isinstance(memory, Tensor) else tuple(m[rows] for m in memory)

        return replace(
            self,
            memories=tuple(map(pick, self.memories)),
            contexts=tuple(map(pick, self.contexts)),
            mask=pick(self.mask),
        )

    def newest(self) -> Tensor:
        """The cells, or the keys and values of the last step, layer by layer: [row, numbers]."""
        parts: list[Tensor] = []
        for memory in self.memories:
            if isinstance(memory, Tensor):
                parts.append(memory)
            else:
                parts += [one[:, :, -1].flatten(1) for one in memory or ()]
        return torch.cat(parts, 1)

    def after(self, steps: Tensor) -> NetState:
        """These rows' sources after other steps, as `newest` told them: [row, step, numbers]."""
        memories: list[Memory] = []
        for memory in self.memories:
            assert memory is not None, "a state before its first step has nothing to go by"
            if isinstance(memory, Tensor):  # a cell holds all that was before it
                memories.append(steps[:, -1, : memory.shape[1]])
                steps = steps[..., memory.shape[1] :]
            else:
                keys, values, steps = taken(steps, *memory)
                memories.append((keys, values))
        return replace(self, memories=tuple(memories), at=steps.shape[1])


class MarianNet(nn.Module):
    """The network as an Engine. The row after the vocabulary is the zero vector: pad and start."""

    def __init__(self, config: NetConfig) -> None:
        super().__init__()
        self.config = config
        source = nn.Embedding(config.source_vocabulary + 1, config.width)
        target = nn.Embedding(config.target_vocabulary + 1, config.width)
        self.encoder = Stack(
            config, [EncoderLayer(config) for _ in range(config.encoder_layers)], source
        )
        self.decoder = Stack(
            config, [DecoderLayer(config) for _ in range(config.decoder_layers)], target
        )
        self.output = nn.Linear(config.width, config.target_vocabulary)
        self.vocabulary, self.rows = config.target_vocabulary, config.source_vocabulary + 1
        self.pad_id, self.start_id = config.source_vocabulary, config.target_vocabulary
        self.target_pad_id = self.start_id
        self.eos_id = 0  # </s> ends
        self.barred: tuple[int, ...] = (1,)  # <unk> is never generated
        self.longest = 1024  # positions have no end of their own; this bounds the memory

    @property
    def module(self) -> nn.Module:
        """The module to hook: this one."""
        return self

    def encode(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Encoder states."""
        x = self.encoder.embed(ids)
        bias = _bias(mask, x)
        for layer in self.encoder.layers:
            x = layer(x, bias)
        out: Tensor = self.encoder.top_norm(x)
        return out

    def decode(self, states: Tensor, mask: Tensor, inputs: Tensor) -> Tensor:
        """Teacher-forced hidden states."""
        return self._advance(inputs, self.start(states, mask))[0]

    def start(self, states: Tensor, mask: Tensor) -> NetState:
        """The state before the first word; the context's keys and values are made once."""
        layers: Any = self.decoder.layers
        contexts = tuple(layer.encoder_attn.keys_values(states) for layer in layers)
        return NetState((None,) * len(layers), contexts, _bias(mask, states))

    def step(self, tokens: Tensor, state: NetState) -> tuple[Tensor, NetState]:
        """One word further."""
        hidden, state = self._advance(tokens[:, None], state)
        return hidden[:, 0], state

    def project(self, hidden: Tensor) -> Tensor:
        """Logits."""
        out: Tensor = self.output(hidden)
        return out

    def pick(self, hidden: Tensor, ids: Tensor) -> Tensor:
        """Only the logits of these ids."""
        return (self.output.weight[ids] @ hidden[..., None])[..., 0] + self.output.bias[ids]

    def forward(self, ids: Tensor, mask: Tensor, inputs: Tensor) -> Tensor:
        """Teacher-forced logits in one call, for tools that trace a module."""
        return self.project(self.decode(self.encode(ids, mask), mask, inputs))

    def _advance(self, inputs: Tensor, state: NetState) -> tuple[Tensor, NetState]:
        x, memories = self.decoder.embed(inputs, state.at), []
        layers = zip(self.decoder.layers, state.memories, state.contexts, strict=True)
        for layer, memory, context in layers:
            x, memory = layer(x, memory, context, state.mask)
            memories.append(memory)
        after = replace(state, memories=tuple(memories), at=state.at + inputs.shape[1])
        return self.decoder.top_norm(x), after


def _bias(mask: Tensor, like: Tensor) -> Tensor | None:
    """0 / 1 over the source → what is added to the scores; nothing where nothing is padded."""
    if bool(mask.all()):
        return None
    zeros = torch.zeros(mask.shape, device=mask.device, dtype=like.dtype)
    return zeros.masked_fill(mask == 0, -math.inf)[:, None, None]
