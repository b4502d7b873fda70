"""One way into every attention module: transformers' AttentionInterface, for as long as a `with`.

Hugging Face's models and our own network both ask it for the function that attends; we stand
around the one in force (SDPA stays SDPA), and are gone afterwards.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor, nn
from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS, AttentionMaskInterface
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS, AttentionInterface

from cuescope.models.translator import Translator


@dataclass(frozen=True)
class Call:
    """What an attention module asks for: heads apart, [batch, head, position, width of a head]."""

    module: nn.Module
    query: Tensor
    key: Tensor
    value: Tensor
    mask: (
        Tensor | None
    )  # bool (may see) or added to the scores, [batch, 1 or head, 1 or query, key]
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def scaling(self) -> float:
        """The factor on the scores."""
        given = self.options.get("scaling")
        return float(self.query.shape[-1] ** -0.5 if given is None else given)

    @property
    def causal(self) -> bool:
        """Must a query not see later keys, though no mask says so? As SDPA's caller decides it."""
        given = self.options.get("is_causal")
        causal = getattr(self.module, "is_causal", True) if given is None else given
        return bool(causal) and self.mask is None and self.query.shape[2] > 1


Output = tuple[Tensor, Tensor | None]
Around = Callable[[Call, Callable[[Call], Output]], Output]
_numbers = itertools.count()


@contextmanager
def attending(mt: Translator, around: Around) -> Iterator[None]:
    """Inside, every attention call of the model goes through `around(call, attend)`.

    `attend` is the function that was in force, so these nest; what `around` returns is used.
    """
    configs = _configs(mt.engine.module)
    before = [config._attn_implementation for config in configs]
    names = {used: f"cuescope-{next(_numbers)}" for used in dict.fromkeys(before)}
    try:
        for used, name in names.items():
            AttentionInterface.register(name, _function(used, around))
            AttentionMaskInterface.register(name, ALL_MASK_ATTENTION_FUNCTIONS[used])
        for config, used in zip(configs, before, strict=True):
            config._attn_implementation = names[used]
        yield
    finally:
        for config, used in zip(configs, before, strict=True):
            config._attn_implementation = used
        for name in names.values():
            AttentionInterface._global_mapping.pop(name, None)
            AttentionMaskInterface._global_mapping.pop(name, None)


def _configs(module: nn.Module) -> list[Any]:
    """Every configuration in use: T5's stacks have copies of their own."""
    found = {id(c): c for m in module.modules() if (c := getattr(m, "config", None)) is not None}
    return list(found.values())


def _function(used: str, around: Around) -> Callable[..., Output]:
    def attend(call: Call) -> Output:
        function = ALL_ATTENTION_FUNCTIONS.get_interface(used, _plain(call.module))
        found: Output = function(
            call.module, call.query, call.key, call.value, call.mask, **call.options
        )
        return found

    def function(
        module: nn.Module,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        attention_mask: Tensor | None,
        **options: Any,
    ) -> Output:
        return around(Call(module, query, key, value, attention_mask, options), attend)

    return function


def _plain(module: nn.Module) -> Any:
    """The eager function of the file that a module was written in."""
    home = sys.modules[type(module).__module__]
    return getattr(home, "eager_attention_forward", None) or getattr(home, "eager", None)
