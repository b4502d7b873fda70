"""The files in which a run is kept, and how damage to them is seen: lines, and scores of heads."""

from __future__ import annotations

import io
import json
import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile
from zlib import error as ZlibError

import numpy as np

from cuescope.files.documents import checksum
from cuescope.signature import Signature
from cuescope.stats.scores import Scores

_SUM = "crc32"
# What a file that was cut off or changed on the disk may raise as it is read
DAMAGED = (
    ValueError,
    KeyError,
    OSError,
    TypeError,
    AttributeError,
    EOFError,
    BadZipFile,
    ZlibError,
    RuntimeError,  # NotImplementedError and RecursionError among them
    MemoryError,
    OverflowError,
    struct.error,
)
Line = dict[str, Any]


# -- documents -----------------------------------------------------------------------------


def packed_document(made: Any, facts: str) -> bytes:
    """A plain document, with the facts that it was made of and its checksum."""
    saved = {"facts": facts, _SUM: checksum(made), "result": made}
    return json.dumps(saved, ensure_ascii=False, indent=1, allow_nan=False).encode()


def document_of(path: Path, facts: str) -> Any:
    """The document, if it was made of these facts; else None."""
    saved = json.loads(path.read_bytes())
    if saved["facts"] != facts:
        return None
    if saved[_SUM] != checksum(saved["result"]):
        raise ValueError("another checksum")
    return saved["result"]


# -- lines ---------------------------------------------------------------------------------


def packed_lines(records: Sequence[Line], first: int) -> str:
    """Lines from the number `first` on; the number is in the checksum, so that none can move."""
    numbered = enumerate(records, first)
    summed = ({**record, _SUM: checksum([at, record])} for at, record in numbered)
    return "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in summed)


def read_lines(path: Path) -> tuple[str, list[Line]]:
    """The facts of a kept file, and its whole lines; what was cut off in the middle is dropped."""
    facts, found, _ = checked_lines(path)
    return facts, found


def checked_lines(path: Path) -> tuple[str, list[Line], bool]:
    """The same, and whether all is well: a last line may be cut off, no other may be damaged."""
    if not path.is_file():
        return "", [], True
    found: list[Line] = []
    try:
        texts = path.read_bytes().decode("utf-8", "replace").split("\n")
    except OSError:
        return "", [], False  # a disk that does not give it back
    for number, text in enumerate(texts[:-1]):
        record = _whole(text, number)
        if record is None:
            break
        found.append(record)
    whole = bool(found) and len(found) == len(texts) - 1
    return (str(found[0].get("facts")), found[1:], whole) if found else ("", [], False)


def _whole(text: str, number: int) -> Line | None:
    """A line as it was written, and where; None if it was cut off, damaged or moved."""
    try:
        record = json.loads(text)
        stated = record.pop(_SUM) if isinstance(record, dict) else None
        return record if stated == checksum([number, record]) else None
    except (ValueError, KeyError, RecursionError):
        return None


# -- scores --------------------------------------------------------------------------------


def packed_scores(made: Scores, facts: str) -> bytes:
    """Scores with the facts that they were made of."""
    buffer = io.BytesIO()
    about = json.dumps({"facts": facts, **_about(made)}, ensure_ascii=False)
    np.savez_compressed(buffer, values=made.values, about=np.array(about))
    return buffer.getvalue()


def scores_of(path: Path, facts: str) -> Scores | None:
    """The scores, if they were made of these facts; else None."""
    scores, about = _opened(path)
    return scores if about == facts else None


def read_scores(path: Path) -> Scores | None:
    """The scores that a run kept, whatever they were made of; None if there are none."""
    try:
        return _opened(path)[0]
    except (*DAMAGED, FileNotFoundError):
        return None


def _opened(path: Path) -> tuple[Scores, str]:
    """Scores, and the facts that they were made of."""
    with np.load(path, allow_pickle=False) as saved:
        about = json.loads(str(saved["about"]))
        return _unpacked(saved["values"], about), about["facts"]


def _about(made: Scores) -> dict[str, Any]:
    rows = made.rows.astype(object).where(made.rows.notna(), None)
    return {
        "site": made.site,
        "measure": made.measure,
        "unit": made.unit,
        "per": None if made.per is None else made.per.tolist(),
        "skipped": dict(made.skipped),
        "signature": dict(made.signature),
        "rows": {str(name): column.tolist() for name, column in rows.items()},
    }


def _unpacked(values: Any, meta: dict[str, Any]) -> Scores:
    import pandas as pd

    return Scores(
        values,
        meta["site"],
        meta["measure"],
        pd.DataFrame(meta["rows"]),
        meta["skipped"],
        Signature(meta["signature"]),
        meta["unit"],
        None if meta["per"] is None else np.array(meta["per"]),
    )


class Kind(NamedTuple):
    """How a result is written with its facts, and read back if it is of the facts asked for."""

    ending: str
    pack: Callable[[Any, str], bytes]
    read: Callable[[Path, str], Any]


DOCUMENT = Kind("json", packed_document, document_of)
SCORES = Kind("npz", packed_scores, scores_of)
