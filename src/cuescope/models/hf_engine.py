"""A Hugging Face encoder-decoder as an Engine, with its own modules and its own cache."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from cuescope.models.engine import taken
from cuescope.models.families import Family

if TYPE_CHECKING:
    from transformers import EncoderDecoderCache  # takes seconds: imported by those who have one


@dataclass(frozen=True)
class CacheState:
    """transformers' cache with what its steps need besides; copied, never changed in place."""

    cache: EncoderDecoderCache
    states: Tensor
    mask: Tensor

    def select(self, rows: Tensor) -> CacheState:
        """The state of these rows."""
        return CacheState(_copy(self.cache, rows), self.states[rows], self.mask[rows])

    def newest(self) -> Tensor:
        """The keys and values of the last step, layer by layer: [row, numbers]."""
        layers = self.cache.self_attention_cache.layers
        last = [part[:, :, -1].flatten(1) for one in layers for part in (one.keys, one.values)]
        return torch.cat(last, 1)

    def after(self, steps: Tensor) -> CacheState:
        """These rows' sources after other steps, as `newest` told them: [row, step, numbers]."""
        cache = _copy(self.cache)
        for layer in cache.self_attention_cache.layers:
            layer.keys, layer.values, steps = taken(steps, layer.keys, layer.values)
        return CacheState(cache, self.states, self.mask)


def _copy(cache: EncoderDecoderCache, rows: Tensor | None = None) -> EncoderDecoderCache:
    """A cache whose layers can be advanced or chosen from without touching this one's."""
    halves = []
    for half in (cache.self_attention_cache, cache.cross_attention_cache):
        new = copy.copy(half)
        new.layers = [copy.copy(layer) for layer in half.layers]
        if rows is not None:
            for layer in new.layers:
                layer.batch_select_indices(rows)
        halves.append(new)
    return type(cache)(*halves)


class HuggingFaceEngine:
    """Calls the model's own encoder, decoder and output layer, so that no bit differs."""

    def __init__(self, model: Any, family: Family) -> None:
        self._model, self.family = model.eval().requires_grad_(False), family
        config, settings = model.config, model.generation_config
        self._encoder, self._decoder = model.get_encoder(), model.get_decoder()
        self._bias: Tensor | None = getattr(model, family.bias) if family.bias else None
        self._scale = (
            config.d_model**-0.5 if family.scale and getattr(config, family.scale) else None
        )
        self.vocabulary = int(model.lm_head.out_features)
        self.rows = int(model.get_input_embeddings().num_embeddings)
        self.start_id = int(_first(settings.decoder_start_token_id, config.decoder_start_token_id))
        self.pad_id = self.target_pad_id = int(_first(config.pad_token_id, settings.pad_token_id))
        self.eos_id = int(_first(settings.eos_token_id, config.eos_token_id))
        single = [words[0] for words in settings.bad_words_ids or [] if len(words) == 1]
        self.barred = tuple(sorted({*single, *(settings.suppress_tokens or [])}))
        # T5 counts distances and has no last position; this bounds the memory.
        self.longest = int(getattr(config, "max_position_embeddings", None) or 1024)

    @property
    def module(self) -> nn.Module:
        """The bare model."""
        module: nn.Module = self._model
        return module

    def encode(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Encoder states."""
        out: Tensor = self._encoder(input_ids=ids, attention_mask=mask).last_hidden_state
        return out

    def decode(self, states: Tensor, mask: Tensor, inputs: Tensor) -> Tensor:
        """Teacher-forced hidden states."""
        return self._decode(states, mask, inputs, None)

    def start(self, states: Tensor, mask: Tensor) -> CacheState:
        """An empty cache."""
        from transformers import DynamicCache, EncoderDecoderCache

        return CacheState(EncoderDecoderCache(DynamicCache(), DynamicCache()), states, mask)

    def step(self, tokens: Tensor, state: CacheState) -> tuple[Tensor, CacheState]:
        """One token further."""
        cache = _copy(state.cache)
        hidden = self._decode(state.states, state.mask, tokens[:, None], cache)
        return hidden[:, 0], CacheState(cache, state.states, state.mask)

    def project(self, hidden: Tensor) -> Tensor:
        """Logits."""
        if self._scale is not None:
            hidden = hidden * self._scale
        logits: Tensor = self._model.lm_head(hidden)
        return logits if self._bias is None else logits + self._bias

    def pick(self, hidden: Tensor, ids: Tensor) -> Tensor:
        """Only the logits of these ids."""
        head, bias = self._model.lm_head, self._bias
        if self._scale is not None:
            hidden = hidden * self._scale
        logits: Tensor = (head.weight[ids] @ hidden[..., None])[..., 0]
        for extra in (head.bias, None if bias is None else bias[0]):
            logits = logits if extra is None else logits + extra[ids]
        return logits

    def _decode(
        self, states: Tensor, mask: Tensor, inputs: Tensor, cache: EncoderDecoderCache | None
    ) -> Tensor:
        out: Tensor = self._decoder(
            input_ids=inputs,
            encoder_hidden_states=states,
            encoder_attention_mask=mask,
            past_key_values=cache,
            use_cache=cache is not None,
        ).last_hidden_state
        return out


def _first(*values: Any) -> Any:
    """The first value that is set; of several ids the first."""
    found = next((v for v in values if v is not None), 0)
    return found[0] if isinstance(found, (list, tuple)) else found
