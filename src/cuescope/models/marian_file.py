"""Reads Marian's binary model files, as Firefox ships them: names, shapes, int8 or float data."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from cuescope.errors import CueScopeError

FLOAT32, INT8_QUANTISED = 0x0404, 0x4101
_CONFIG = "special:model.yml"
_MOST_TENSORS = 100_000  # a larger count can only be a corrupt header


@dataclass(frozen=True)
class MarianFile:
    """A model file's own configuration and its tensors as float32, each (in, out) as named."""

    config: dict[str, Any]
    tensors: dict[str, np.ndarray]


class _Cursor:
    """Reads onwards through the bytes; running past the end is an error for people."""

    def __init__(self, data: bytes, path: Path) -> None:
        self.data, self.path, self.at = data, path, 0

    def take(self, size: int) -> bytes:
        end = self.at + size
        if size < 0 or end > len(self.data):
            raise _corrupt(self.path, f"{len(self.data):,} bytes; at least {end:,} are promised")
        piece, self.at = self.data[self.at : end], end
        return piece

    def numbers(self, letter: str, count: int) -> tuple[int, ...]:
        layout = f"<{count}{letter}"
        return struct.unpack(layout, self.take(struct.calcsize(layout)))


def _corrupt(path: Path, found: str) -> CueScopeError:
    return CueScopeError(
        f"{path.name} is not a whole Marian model file",
        expected="a Marian binary model, version 1 (model.*.bin as Firefox ships it)",
        found=found,
        do=f"get the file again; it was read from {path}",
    )


def read(path: Path) -> MarianFile:
    """All tensors of a Marian binary file, dequantised."""
    cursor = _Cursor(path.read_bytes(), path)
    version, count = cursor.numbers("Q", 2)
    if version != 1 or not 0 < count < _MOST_TENSORS:
        raise _corrupt(path, f"version {version}, {count:,} tensors")
    headers = [cursor.numbers("Q", 4) for _ in range(count)]
    names = [_name(cursor.take(header[0]), path) for header in headers]
    shapes = [cursor.numbers("i", min(header[2], 8)) for header in headers]
    cursor.take(cursor.numbers("Q", 1)[0])  # padding up to the aligned data
    config: dict[str, Any] | None = None
    tensors: dict[str, np.ndarray] = {}
    for name, shape, (_, kind, _, length) in zip(names, shapes, headers, strict=True):
        data = cursor.take(length)
        if name == _CONFIG:
            config = _parse_config(data, path)
        elif not name.endswith("_QuantMultA"):  # activations' multipliers: our arithmetic is float
            tensors[name] = _tensor(name, shape, kind, data, path)
    if config is None:
        raise _corrupt(path, f"no {_CONFIG} among its {count} entries")
    return MarianFile(config, tensors)


def _name(raw: bytes, path: Path) -> str:
    try:
        return raw.rstrip(b"\0").decode("utf-8")
    except UnicodeDecodeError as error:
        raise _corrupt(path, f"a tensor name that is no text: {raw[:20]!r}") from error


def _parse_config(data: bytes, path: Path) -> dict[str, Any]:
    try:
        config = yaml.safe_load(data.rstrip(b"\0").decode("utf-8"))
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise _corrupt(path, f"a configuration that is no YAML: {error}") from error
    if not isinstance(config, dict):
        raise _corrupt(path, f"a configuration of type {type(config).__name__}")
    return config


def _tensor(name: str, shape: tuple[int, ...], kind: int, data: bytes, path: Path) -> np.ndarray:
    size = int(np.prod(shape, dtype=np.int64))
    if kind not in (FLOAT32, INT8_QUANTISED):
        raise CueScopeError(
            f"{path.name}: tensor {name} has a type that cuescope does not read",
            expected=f"float32 ({FLOAT32:#x}) or intgemm int8 ({INT8_QUANTISED:#x})",
            found=f"{kind:#x}",
            do="convert the model to float32, or use Firefox's intgemm.alphas file",
        )
    needed = size * 4 if kind == FLOAT32 else size + 4
    if size <= 0 or needed > len(data):
        raise _corrupt(path, f"tensor {name} of shape {shape} in {len(data)} bytes")
    if kind == FLOAT32:
        return np.frombuffer(data, "<f4", size).reshape(shape).copy()
    multiplier = np.frombuffer(data, "<f4", 1, size)[0]
    if not np.isfinite(multiplier) or multiplier < np.finfo(np.float32).tiny * 256:
        raise _corrupt(path, f"tensor {name} with the multiplier {multiplier}")
    values = np.frombuffer(data, np.int8, size).astype(np.float32) / multiplier
    # Quantised matrices lie transposed, ready for the int8 product; embeddings do not.
    if name.endswith("Wemb"):
        return np.asarray(values.reshape(shape))
    return np.ascontiguousarray(values.reshape(shape[::-1]).T)
