"""One way into every attention module, for as long as a `with`.

A Hugging Face model asks transformers' AttentionInterface for the function that attends, our own
network its `ATTENTION`; we stand around the one in force (SDPA stays SDPA), and are gone
afterwards.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from torch import Tensor, nn

from cuescope.models.families import configurations
from cuescope.models.marian_net import ATTENTION, NetConfig
from cuescope.models.translator import Translator
from cuescope.models.turn import alone, own


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
_NAME = "cuescope-"
_standing: dict[int, list[Around]] = {}  # by configuration, the last one outermost


@alone
def attending(mt: Translator, around: Around) -> Iterator[None]:
    """Inside, every attention call of the model goes through `around(call, attend)`.

    `attend` is the function that was in force, so these nest; what `around` returns is used.
    """
    configs = configurations(mt.engine.module)
    before = [config._attn_implementation for config in configs]
    around = own(around)
    try:
        for config, used in zip(configs, before, strict=True):
            _standing.setdefault(id(config), []).append(around)
            config._attn_implementation = _named(config, used)
        yield
    finally:
        for config, used in zip(configs, before, strict=True):
            config._attn_implementation = used
            _standing[id(config)].pop()
            if not _standing[id(config)]:
                del _standing[id(config)]


def _within(around: Around, attend: Callable[[Call], Output]) -> Callable[[Call], Output]:
    return lambda call: around(call, attend)


def _named(config: Any, used: str) -> str:
    """Our name for a function; it stays known, for a call under way as the `with` ends."""
    if used.startswith(_NAME):
        return used
    if not isinstance(config, NetConfig):
        _known_to_transformers(used)
    elif _NAME + used not in ATTENTION:
        ATTENTION[_NAME + used] = _standing_around(lambda module: ATTENTION[used])
    return _NAME + used


@cache
def _known_to_transformers(used: str) -> None:
    """Register our name there; imported for its own models alone, because that takes seconds."""
    from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS, AttentionMaskInterface
    from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS, AttentionInterface

    def in_force(module: nn.Module) -> Callable[..., Output]:
        home = sys.modules[type(module).__module__]
        eager = getattr(home, "eager_attention_forward", None)
        function: Callable[..., Output] = ALL_ATTENTION_FUNCTIONS.get_interface(used, eager)
        return function

    AttentionInterface.register(_NAME + used, _standing_around(in_force))
    AttentionMaskInterface.register(_NAME + used, ALL_MASK_ATTENTION_FUNCTIONS[used])


def _standing_around(
    in_force: Callable[[nn.Module], Callable[..., Output]],
) -> Callable[..., Output]:
    """A module's function in force, with all that stand around it now; without any, itself."""

    def attend(call: Call) -> Output:
        function = in_force(call.module)
        return function(call.module, call.query, call.key, call.value, call.mask, **call.options)

    def function(
        module: nn.Module,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        attention_mask: Tensor | None,
        **options: Any,
    ) -> Output:
        around: Callable[[Call], Output] = attend
        for one in tuple(_standing.get(id(module.config), ())):
            around = _within(one, around)
        return around(Call(module, query, key, value, attention_mask, options))

    return function
