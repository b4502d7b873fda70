"""Marian's binary model files, as Firefox ships them: names, shapes, int8 or float data.

They are read, and written again with some matrices replaced: every other byte stays.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cuescope.errors import CueScopeError
from cuescope.files.documents import yaml_of

FLOAT32, INT8_QUANTISED = 0x0404, 0x4101
CONFIG = "special:model.yml"
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


@dataclass(frozen=True)
class Entry:
    """A tensor of a file: its type, its shape and where its data lie."""

    name: str
    kind: int
    shape: tuple[int, ...]
    start: int
    length: int


def entries(data: bytes, path: Path) -> list[Entry]:
    """The tensors that a file's bytes hold, in order; `path` is for complaints."""
    cursor = _Cursor(data, path)
    version, count = cursor.numbers("Q", 2)
    if version != 1 or not 0 < count < _MOST_TENSORS:
        raise _corrupt(path, f"version {version}, {count:,} tensors")
    headers = [cursor.numbers("Q", 4) for _ in range(count)]
    names = [_name(cursor.take(header[0]), path) for header in headers]
    shapes = [cursor.numbers("i", min(header[2], 8)) for header in headers]
    cursor.take(cursor.numbers("Q", 1)[0])  # padding up to the aligned data
    found = []
    for name, shape, (_, kind, _, length) in zip(names, shapes, headers, strict=True):
        found.append(Entry(name, kind, shape, cursor.at, length))
        cursor.take(length)
    return found


def read(path: Path) -> MarianFile:
    """All tensors of a Marian binary file, dequantised."""
    data = path.read_bytes()
    config: dict[str, Any] | None = None
    tensors: dict[str, np.ndarray] = {}
    listed = entries(data, path)
    for one in listed:
        if one.name == CONFIG:
            config = _parse_config(_data(one, data), path)
        elif not one.name.endswith("_QuantMultA"):  # of activations: our arithmetic is float
            tensors[one.name] = _tensor(one.name, one.shape, one.kind, _data(one, data), path)
    if config is None:
        raise _corrupt(path, f"no {CONFIG} among its {len(listed)} entries")
    return MarianFile(config, tensors)


def _data(entry: Entry, data: bytes) -> bytes:
    return data[entry.start : entry.start + entry.length]


def replaced(path: Path, matrices: dict[str, np.ndarray]) -> bytes:
    """A file's bytes with these matrices (in, out) in place of its own; all else byte for byte."""
    data = bytearray(path.read_bytes())
    there = {one.name: one for one in entries(bytes(data), path)}
    for name, matrix in matrices.items():
        one = there.get(name)
        if one is None or one.shape != matrix.shape:
            raise CueScopeError(
                f"{path.name} has no place for {name}",
                expected=f"a tensor of shape {matrix.shape}",
                found=str(one.shape) if one else f"{len(there)} others",
                do="take the file that the mend was fitted on",
            )
        if one.kind == FLOAT32:
            packed = np.ascontiguousarray(matrix, "<f4").tobytes()
        elif one.kind == INT8_QUANTISED:
            packed = _quantised(
                name, matrix, float(np.frombuffer(data, "<f4", 1, one.start + matrix.size)[0])
            )
        else:
            raise _corrupt(path, f"tensor {name} of type {one.kind:#x}")
        data[one.start : one.start + len(packed)] = packed
    return bytes(data)


def _quantised(name: str, matrix: np.ndarray, multiplier: float) -> bytes:
    """A matrix as int8 with its multiplier: the old one if all weights fit, else what loses less.

    One multiplier serves a whole matrix. With the old one, untouched weights keep their very bytes
    and too large ones are cut; with a new one all are rounded anew.
    """
    stored = np.asarray(matrix if name.endswith("Wemb") else matrix.T, np.float32)
    largest = float(np.abs(stored).max())
    tries = [np.float32(multiplier)]
    if largest * multiplier > 127.5:
        tries.append(np.float32(127 / largest))
    made = [(m, np.clip(np.rint(stored * m), -127, 127).astype(np.int8)) for m in tries]
    chosen, whole = min(made, key=lambda one: float(((one[1] / one[0] - stored) ** 2).sum()))
    return bytes(whole.tobytes() + chosen.tobytes())


def _name(raw: bytes, path: Path) -> str:
    try:
        return raw.rstrip(b"\0").decode("utf-8")
    except UnicodeDecodeError as error:
        raise _corrupt(path, f"a tensor name that is no text: {raw[:20]!r}") from error


def _parse_config(data: bytes, path: Path) -> dict[str, Any]:
    try:
        config = yaml_of(data.rstrip(b"\0").decode("utf-8"), "its configuration")
    except (UnicodeDecodeError, CueScopeError) as error:
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
