"""Seeded damage to files: what disks, downloads, editors and strangers do to them."""

from __future__ import annotations

import json
import random
from typing import Any

WORDS = (
    *(b"\0", b"\xff", b"\xed\xa0\x80", b"\n", b"\r\n", b"\t", b'"', b"{", b"[" * 400, b"|||"),
    *(b"-1", b"9" * 5000, b"1e999", b"NaN", b"null", b"\\ud800", "\u2028".encode(), b"<b>"),
    *(b"\xff\xff\xff\xff", b"\0\0\0\x80", b"\0" * 64, "é".encode("latin-1"), b"%s", b"../../x"),
)
STRANGE = (
    None,
    True,
    -1,
    0,
    10**30,
    1.5,
    "",
    "x" * 300,
    [],
    {},
    [[]],
    {"x": None},
    "<b>",
    "\ud800",
)


def damaged(data: bytes, rng: random.Random) -> bytes:
    """One to three changes of the bytes."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.randrange(len(data) + 1)
        end = min(len(data), at + rng.choice((1, 2, 4, 8, 64, len(data) // 4 + 1)))
        kind = rng.randrange(9)
        if kind == 0 and data:
            at = min(at, len(data) - 1)
            data = data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]
        elif kind == 1:
            data = data[:at]
        elif kind == 2:
            data = data[:at] + data[end:]
        elif kind == 3:
            data = data[:at] + data[at:end] * 2 + data[end:]
        elif kind == 4:
            data = data[:at] + rng.choice(WORDS) + data[at:]
        elif kind == 5:
            word = rng.choice(WORDS)
            data = data[:at] + word + data[at + len(word) :]
        elif kind == 6:
            data = data[:at] + rng.randbytes(end - at) + data[end:]
        elif kind == 7:
            lines = data.split(b"\n")
            one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines[one], lines[two] = lines[two], lines[one]
            data = b"\n".join(lines)
        else:  # a number near the beginning, where headers are
            at = rng.randrange(min(len(data), 256) + 1)
            data = data[:at] + rng.choice(WORDS[-7:-3]) + data[at + 4 :]
    return data


def reshaped(document: Any, rng: random.Random) -> Any:
    """A JSON document with one node taken out, doubled, or replaced by something strange."""
    told = json.loads(json.dumps(document))
    places: list[tuple[Any, Any]] = []

    def walk(node: Any) -> None:
        keys = list(node) if isinstance(node, dict) else range(len(node))
        for key in keys:
            places.append((node, key))
            if isinstance(node[key], dict | list):
                walk(node[key])

    walk(told)
    for _ in range(rng.choice((1, 1, 2))):
        node, key = rng.choice(places)
        kind = rng.randrange(4)
        if isinstance(node, list) and key >= len(node):
            continue
        if kind == 0:
            node.pop(key, None) if isinstance(node, dict) else node.pop(key)
        elif kind == 1 and isinstance(node, list):
            node.append(node[key])
        elif kind == 2 and isinstance(node, dict):
            other = rng.choice(places)
            moved = other[0].get(other[1]) if isinstance(other[0], dict) else None
            node[key] = json.loads(json.dumps(moved))  # a copy: it may hold this very node
        else:
            node[key] = rng.choice(STRANGE)
    return json.loads(json.dumps(told))
