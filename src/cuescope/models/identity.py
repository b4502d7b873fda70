"""What makes a model the one that it is: weights, configuration, tokenizer, limits.

A result belongs to all of them: other heads or another vocabulary over the same weights is another
model, and so are weights that were changed in memory.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

import torch
from torch import Tensor, nn

from cuescope.signature import hash_text

if TYPE_CHECKING:
    from cuescope.models.translator import Translator

# Where a configuration came from, and which kernel attends: the network is the same.
_ASIDE = ("name_or_path", "transformers_version", "attn_implementation", "architectures", "dtype")
_ENGINE = (
    *("vocabulary", "rows", "start_id", "pad_id", "target_pad_id"),
    *("eos_id", "barred", "longest"),
)


def weights_hash(module: nn.Module) -> str:
    """Hash of every weight as it is now."""
    digest = hashlib.sha256()
    for name, value in sorted(module.state_dict().items()):
        digest.update(name.encode())
        digest.update(_bytes(value))
    return digest.hexdigest()[:12]


class Weights:
    """The hash of a module's weights, made again only where a quick look says that they changed."""

    def __init__(self) -> None:
        self._look: tuple[int, ...] = ()
        self._hash = ""
        self._still = 0  # how many say that nothing runs now

    def of(self, module: nn.Module, *, under: bool = False) -> str:
        """The hash as it is now; under an intervention, which is told besides, as it was before."""
        if self._hash and (under or self._still):
            return self._hash
        if (look := _look(module)) != self._look:
            self._look, self._hash = look, weights_hash(module)
        return self._hash

    @contextmanager
    def still(self, module: nn.Module, *, under: bool = False) -> Iterator[None]:
        """Inside, one look stands for all."""
        self.of(module, under=under)
        self._still += 1
        try:
            yield
        finally:
            self._still -= 1


def _look(module: nn.Module) -> tuple[int, ...]:
    """A checksum of each tensor's bytes: a quarter of the time of the hash.

    torch counts changes of a tensor, but not those by way of `.data`: the bytes are read, always.
    """
    tied: dict[int, Tensor] = {}  # tensors that begin at one place in memory: the longest
    for value in module.state_dict().values():
        known = tied.get(value.data_ptr())
        if known is None or value.nbytes > known.nbytes:
            tied[value.data_ptr()] = value
    return tuple(crc32(_bytes(value)) for value in tied.values())


def _bytes(value: Tensor) -> Any:
    """A tensor's bytes in order, whatever their kind; nothing is copied if they lie so."""
    return value.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy()


def libraries(mt: Translator) -> dict[str, str]:
    """The releases of what computes: torch, and whose network and tokenizer it is."""
    used = ["transformers"] if type(mt.engine.module).__module__.startswith("transformers") else []
    pieces = "sentencepiece" if "SentencePiece" in type(mt.tokenizer).__name__ else "tokenizers"
    device = {} if mt.device.type == "cpu" else {"device": mt.device.type}
    return {"torch": torch.__version__, **{n: _release(n) for n in (*used, pieces)}, **device}


@cache
def _release(name: str) -> str:
    return version(name)


def short_name(name: str) -> str:
    """A model's name without the way to it on this machine; a hub name stays whole.

    >>> short_name("firefox:en-pt"), short_name("Helsinki-NLP/opus-mt-en-it")
    ('firefox:en-pt', 'Helsinki-NLP/opus-mt-en-it')
    """
    return Path(name).resolve().name if Path(name).exists() else name


def config_hash(mt: Translator) -> str:
    """Hash of what shapes the network and the search, besides its weights."""
    engine = {name: getattr(mt.engine, name) for name in _ENGINE}
    facts = [_plain(mt.engine.module.config), engine, asdict(mt.limits), mt.tokenizer.forced]
    return hash_text([json.dumps(facts, sort_keys=True, default=str)])


def _plain(config: Any) -> dict[str, Any]:
    told = vars(config) if is_dataclass(config) else config.to_dict()
    return {n: value for n, value in told.items() if not any(aside in n for aside in _ASIDE)}
