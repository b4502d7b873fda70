"""Marian's binary files with wider feed-forward blocks: units added, all else as it was.

Marian gives every block of a side the same width, so the other blocks get units of zeros.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cuescope.errors import CueScopeError
from cuescope.models.marian_file import CONFIG, FLOAT32, INT8_QUANTISED, Entry, entries

_WIDTH, _DECODER_WIDTH = "transformer-dim-ffn", "transformer-decoder-dim-ffn"
_ALIGNED = 256  # bytes; where every tensor of a file begins
STEP = 64  # the engine's int8 product takes inner widths in such steps


class Units(NamedTuple):
    """Units of one block, as Marian writes matrices: (width, count), (count), (count, width)."""

    into: np.ndarray
    bias: np.ndarray
    out: np.ndarray


class Grid(NamedTuple):
    """What a block's file can hold: the multipliers of both matrices (0: float), and the largest
    activation that its engine tells apart."""

    into: float
    out: float
    ceiling: float


FREE = Grid(0.0, 0.0, float("inf"))  # float weights: nothing is rounded, nothing cut off


_BLOCK = re.compile(r"(encoder|decoder)_l(\d+)_ffn_W1")


def _name(tensor: str) -> str:
    """encoder.0 for encoder_l1_ffn_W1; nothing for other tensors."""
    found = _BLOCK.fullmatch(tensor)
    return f"{found[1]}.{int(found[2]) - 1}" if found else ""


def grids(path: Path) -> dict[str, Grid]:
    """The grid of each feed-forward block, by name: encoder.0, …, decoder.1."""
    data = path.read_bytes()
    there = {one.name: one for one in entries(data, path)}
    found: dict[str, Grid] = {}
    for first in there:
        if name := _name(first):
            second = f"{first[:-1]}2"
            scale = there.get(f"{second}_QuantMultA")
            most = 127 / _float(data, scale.start) if scale else float("inf")
            found[name] = Grid(_step(data, there[first]), _step(data, there[second]), most)
    return found


def _float(data: bytes, at: int) -> float:
    return float(np.frombuffer(data, "<f4", 1, at)[0])


def _step(data: bytes, one: Entry) -> float:
    size = int(np.prod(one.shape))
    return _float(data, one.start + size) if one.kind == INT8_QUANTISED else 0.0


def grown(path: Path, units: Mapping[str, Units]) -> bytes:
    """A file with units added to its blocks, as many to each, on their old grid."""
    data = path.read_bytes()
    listed = entries(data, path)
    there = {one.name: one for one in listed}
    counts = {len(some.bias) for some in units.values()}
    if len(counts) != 1 or min(counts) % STEP:
        raise CueScopeError(
            f"{path.name} cannot be grown",
            expected=f"as many units for every block, a multiple of {STEP}",
            found=", ".join(map(str, sorted(counts))) or "none",
        )
    count = counts.pop()
    config = data[there[CONFIG].start :][: there[CONFIG].length]
    own = re.search(rb"^transformer-decoder-dim-ffn: *(\d+)", config, re.MULTILINE)
    apart = bool(own and int(own[1]))  # the decoder's width is its own
    spoken = not apart or any(name.startswith("decoder") for name in units)
    sides = ("encoder", "decoder") if spoken else ("encoder",)
    widths = [_WIDTH, _DECODER_WIDTH] if apart and spoken else [_WIDTH]
    for name in widths:
        config = _wider(config, name, count, path)
    new: dict[str, tuple[tuple[int, ...], bytes]] = {CONFIG: ((len(config),), config)}
    for first in [one.name for one in listed if _name(one.name).startswith(sides)]:
        second, bias = f"{first[:-1]}2", there[f"{first[:-2]}b1"]
        width = there[first].shape[0]
        zero = Units(np.zeros((width, count)), np.zeros(count), np.zeros((count, width)))
        some = units.get(_name(first), zero)
        old = np.frombuffer(data, "<f4", bias.shape[-1], bias.start)
        whole = np.concatenate([old, some.bias]).astype("<f4")
        new[bias.name] = (1, whole.size), whole.tobytes()
        for name, added, axis in ((first, some.into, 1), (second, some.out, 0)):
            new[name] = _joined(data, there[name], added, axis)
    return _written(data, listed, new)


def _wider(config: bytes, name: str, count: int, path: Path) -> bytes:
    said, times = re.subn(
        rf"^({name}: *)(\d+)".encode(),
        lambda m: m[1] + str(int(m[2]) + count).encode(),
        config,
        flags=re.MULTILINE,
    )
    if times != 1:
        raise CueScopeError(
            f"{path.name} does not say how wide its blocks are",
            expected=name,
            found=f"{times} times",
        )
    return said


def _joined(data: bytes, one: Entry, added: np.ndarray, axis: int) -> tuple[tuple[int, ...], bytes]:
    """A matrix with more columns (axis 1) or rows; the old numbers keep their bytes."""
    size = int(np.prod(one.shape))
    if one.kind == FLOAT32:
        old = np.frombuffer(data, "<f4", size, one.start).reshape(one.shape)
        whole = np.concatenate([old, added.astype("<f4")], axis)
        return whole.shape, np.ascontiguousarray(whole).tobytes()
    old = np.frombuffer(data, np.int8, size, one.start).reshape(one.shape[::-1]).T
    steps = np.clip(np.rint(added * np.float32(_step(data, one))), -127, 127).astype(np.int8)
    whole = np.concatenate([old, steps], axis)
    multiplier = data[one.start + size : one.start + size + 4]
    return whole.shape, np.ascontiguousarray(whole.T).tobytes() + multiplier


def _written(
    data: bytes, listed: list[Entry], new: Mapping[str, tuple[tuple[int, ...], bytes]]
) -> bytes:
    """The file again, with some tensors of other shapes."""
    heads, names, shapes, parts = b"", b"", b"", []
    for one in listed:
        shape, held = new.get(one.name, (one.shape, data[one.start : one.start + one.length]))
        if one.name != CONFIG and one.name in new:
            held += b"\0" * (-len(held) % _ALIGNED)
        name = one.name.encode() + b"\0"
        heads += struct.pack("<4Q", len(name), one.kind, len(shape), len(held))
        names, shapes = names + name, shapes + struct.pack(f"<{len(shape)}i", *shape)
        parts.append(held)
    top = struct.pack("<2Q", 1, len(listed)) + heads + names + shapes
    padding = -(len(top) + 8) % _ALIGNED
    return top + struct.pack("<Q", padding) + b"\0" * padding + b"".join(parts)
