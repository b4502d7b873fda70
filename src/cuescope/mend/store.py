"""Mends in files: safetensors, with the facts as JSON in the header. No pickle."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypedDict

from safetensors import SafetensorError, safe_open
from safetensors.torch import save as pack
from torch import Tensor

from cuescope import files
from cuescope.errors import CueScopeError, first_line
from cuescope.files.documents import checksum
from cuescope.files.shapes import check
from cuescope.mend.mend import Mend

_SUM = "crc32"
_NUMBERS = {  # without which a kind is not known whole
    "louder": ("factor",),
    "floor": ("least",),
    "choosing": ("found", "tries"),
    "contrastive": ("weight", "plausible"),
}
FORMAT = "cuescope mend 1"  # the one key of the header: the order of several is not kept


class _Facts(TypedDict):
    """What the header says."""

    kind: str
    model: str
    weights: str
    heads: dict[str, list[tuple[int, int]]]
    numbers: dict[str, float]
    fitted: dict[str, object]


def save(mend: Mend, path: Path | str) -> None:
    """Write a mend whole or not at all; the same mend gives the same bytes."""
    facts: dict[str, Any] = {
        "kind": mend.kind,
        "model": mend.model,
        "weights": mend.weights,
        "heads": mend.heads,
        "numbers": dict(mend.numbers),
        "fitted": dict(mend.fitted),
        "values": hash_values(mend.values),
    }
    facts[_SUM] = checksum(json.loads(json.dumps(facts, sort_keys=True)))
    header = {FORMAT: json.dumps(facts, sort_keys=True, ensure_ascii=False)}
    values = {name: value.contiguous() for name, value in sorted(mend.values.items())}
    files.write(path, pack(values, header))


def load(path: Path | str) -> Mend:
    """Read a mend; a foreign, cut or altered file is an error."""
    path = Path(path)
    try:
        with safe_open(path, "pt") as opened:
            header = opened.metadata() or {}
            values = {name: opened.get_tensor(name) for name in opened.keys()}  # noqa: SIM118
    except (OSError, SafetensorError, RuntimeError) as error:  # the last: torch cannot map it
        raise _not_a_mend(path, first_line(error)) from None
    if FORMAT not in header:
        raise _not_a_mend(path, f"safetensors without a header {FORMAT!r}")
    try:
        facts: dict[str, Any] = json.loads(header[FORMAT])
        total = facts.pop(_SUM, None)  # which mends of earlier releases do not have
        if total not in (None, checksum(dict(sorted(facts.items())))):
            raise _not_a_mend(path, "facts that are not those it was saved with")
        stated = facts.pop("values")
        check(facts, _Facts, path.name)
        mend = Mend(**facts, values=values)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise _not_a_mend(path, f"a header that does not fit: {error}") from None
    if stated != hash_values(values):
        raise _not_a_mend(path, "values that are not those it was saved with")
    if lacking := [name for name in _NUMBERS.get(mend.kind, ()) if name not in mend.numbers]:
        raise _not_a_mend(path, f"a {mend.kind} one without its {lacking[0]}")
    for name, value in values.items():
        if not (value.is_floating_point() and bool(value.isfinite().all())):
            raise _not_a_mend(path, f"values that are no weights: {name}")
    return mend


def hash_values(values: Mapping[str, Tensor]) -> str:
    """Short hash of named tensors, shape and type included."""
    digest = hashlib.sha256()
    for name, value in sorted(values.items()):
        digest.update(f"{name} {value.dtype} {list(value.shape)}\n".encode())
        digest.update(value.detach().cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()[:12]


def _not_a_mend(path: Path, found: str) -> CueScopeError:
    return CueScopeError(
        f"{path} is not a mend",
        expected="a file that `cuescope mend fit` or `Mend.save` wrote",
        found=found,
        do="check the path, or fit it again",
    )
