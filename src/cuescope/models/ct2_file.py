"""Reads CTranslate2's binary model files: variables, quantised or not, and aliases."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

import numpy as np

from cuescope.errors import CueScopeError

_TYPES: dict[int, np.dtype] = {
    0: np.dtype("<f4"),
    1: np.dtype("i1"),
    2: np.dtype("<i2"),
    3: np.dtype("<i4"),
    4: np.dtype("<f2"),
    5: np.dtype("<u2"),  # bfloat16: the upper half of a float32
}
_BFLOAT16 = 5
_OLDEST, _NEWEST = 2, 6  # versions of the file's layout


@dataclass
class Variables:
    """A model file's variables by name, with account kept of what was used."""

    specification: str
    raw: dict[str, np.ndarray]
    aliases: dict[str, str]
    used: set[str] = field(default_factory=set)

    def __contains__(self, name: str) -> bool:
        return self.aliases.get(name, name) in self.raw

    def take(self, name: str) -> np.ndarray:
        """A variable as it is stored."""
        self.used.add(name)
        name = self.aliases.get(name, name)
        if name not in self.raw:
            raise CueScopeError(
                "the CTranslate2 model lacks a part of its network",
                expected=f"a variable {name}",
                found=f"{len(self.raw)} others ({self.specification})",
                do="convert the model again; only Transformer translation models are opened",
            )
        self.used.add(name)
        return self.raw[name]

    def flag(self, name: str, default: int = 0) -> int:
        """A number that is an option of the network."""
        return int(self.take(name)) if name in self else default

    def weight(self, name: str) -> np.ndarray:
        """A weight as float32: int8 by row and int16 as a whole are divided by their scale."""
        value = self.take(name)
        if value.dtype.kind == "i":
            self.used.add(f"{name}_scale")  # of an alias: an alias of its scale
            name = self.aliases.get(name, name)
            scale = self.take(f"{name}_scale").astype(np.float32)
            return value.astype(np.float32) / (scale[:, None] if scale.size > 1 else scale)
        return value.astype(np.float32)

    def unused(self) -> list[str]:
        """Variables, and other names of some, that nothing has asked for."""
        return sorted({*self.raw, *self.aliases} - self.used)


def read(data: bytes, name: str) -> Variables:
    """All variables of a `model.bin`."""
    try:
        return _read(data)
    except (struct.error, ValueError, KeyError, UnicodeDecodeError, OverflowError) as error:
        raise CueScopeError(
            f"{name} is not a whole CTranslate2 model",
            expected=f"a model.bin of layout {_OLDEST} to {_NEWEST}, as long as its header says",
            found=f"{len(data):,} bytes; {error}",
            do="get or convert the model again",
        ) from error


def _read(data: bytes) -> Variables:
    at = 0

    def number(letter: str) -> int:
        nonlocal at
        (value,) = struct.unpack_from(f"<{letter}", data, at)
        at += struct.calcsize(letter)
        return int(value)

    def piece(length: int) -> bytes:
        nonlocal at
        if at + length > len(data):
            raise ValueError(f"{at + length:,} are promised")
        at += length
        return data[at - length : at]

    def text() -> str:
        return piece(number("H")).rstrip(b"\0").decode("utf-8")

    version = number("I")
    if not _OLDEST <= version <= _NEWEST:
        raise ValueError(f"layout version {version}")
    specification, _ = text(), number("I")
    raw: dict[str, np.ndarray] = {}
    for _ in range(number("I")):
        name = text()
        shape = [number("I") for _ in range(number("B"))]
        if version >= 4:
            kind = number("B")
            size = number("I")
        else:  # older layouts name the width of an element and the number of elements
            width, count = number("B"), number("I")
            kind = {4: 0, 1: 1, 2: 2}[width]
            size = width * count
        value = np.frombuffer(piece(size), _TYPES[kind]).reshape(shape)
        if kind == _BFLOAT16:
            value = (value.astype(np.uint32) << 16).view(np.float32)
        raw[name] = value
    aliases = {}
    if version >= 3:
        for _ in range(number("I")):
            alias = text()
            aliases[alias] = text()
    return Variables(specification, raw, aliases)
