"""Projections not made twice: hooks around linear layers that leave out rows and positions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from cuescope.inside.heads import Hook
from cuescope.models.families import Family

# rows → how many of the first rows differ, and which of them each row equals; None: all differ
Same = Callable[[int], tuple[int, Tensor] | None]
Read = Callable[[int], Tensor | None]  # rows → the one position of each row that is read
_RECURRENT = "rnn"  # Marian's recurrent unit needs every position


def sharing(attention: nn.Module, family: Family, names: Sequence[str], same: Same) -> list[Hook]:
    """Project only rows that differ, and give every row its own."""
    hooks = []
    for name in names:

        def fewer(x: Tensor) -> tuple[Tensor, Any] | None:
            found = same(len(x))
            return None if found is None else (x[: found[0]], found[1])

        module = getattr(attention, getattr(family, name))
        hooks += _around(module, fewer, lambda out, index: out[index])
    return hooks


def reading(layer: nn.Module, family: Family, read: Read) -> list[Hook]:
    """In the last layer, project only the position that is read; the others get the same values.

    Keys and values are left whole: they are how positions see each other.
    """
    hooks = []
    for name, module in layer.named_modules():
        parts = name.split(".")
        whole = parts[-1] in (family.key, family.value) or _RECURRENT in parts
        if not isinstance(module, nn.Linear) or whole:
            continue

        def one(x: Tensor) -> tuple[Tensor, Any] | None:
            at = read(len(x)) if x.ndim == 3 and x.shape[1] > 1 else None
            if at is None:
                return None
            return x[torch.arange(len(x), device=x.device), at][:, None], x.shape[1]

        hooks += _around(module, one, lambda out, count: out.expand(-1, count, -1))
    return hooks


def _around(module: nn.Module, less: Any, more: Callable[[Tensor, Any], Tensor]) -> list[Hook]:
    """Give a module less to do, and make its output whole again."""
    kept: list[Any] = []

    def before(_: nn.Module, args: tuple[Any, ...]) -> tuple[Any, ...] | None:
        found = less(args[0])
        kept[:] = [] if found is None else [found[1]]
        return None if found is None else (found[0], *args[1:])

    def after(_: nn.Module, __: Any, out: Tensor) -> Tensor | None:
        return more(out, kept.pop()) if kept else None

    return [Hook(module, before), Hook(module, after, after=True)]
