"""Reading and writing text files: errors with file and line, nothing half-written."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from cuescope.errors import CueScopeError


def read_lines(path: Path | str) -> list[str]:
    """The lines of a UTF-8 text file without their ends; `-` is standard input."""
    try:
        data = sys.stdin.buffer.read() if str(path) == "-" else Path(path).read_bytes()
    except OSError as error:
        raise CueScopeError(
            f"{path} cannot be read",
            expected="a text file",
            found=error.strerror or str(error),
            do="check the path",
        ) from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise CueScopeError(
            f"{path}, line {line}: not UTF-8",
            expected="text in UTF-8",
            found=f"the byte {data[error.start]:#04x}",
            do="convert it, for example with `iconv -t UTF-8`",
        ) from error
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def read_sentences(path: Path | str) -> list[str]:
    """One sentence per line; an empty line or an empty file is an error."""
    sentences = read_lines(path)
    for number, sentence in enumerate(sentences, 1):
        if not sentence.strip():
            raise CueScopeError(
                f"{path}, line {number}: empty",
                expected="one sentence on every line",
                found="an empty line",
                do="take the line out",
            )
    if not sentences:
        raise CueScopeError(
            f"{path} is empty", expected="one sentence per line", found="no line at all"
        )
    return sentences


@contextmanager
def atomic(path: Path | str) -> Iterator[IO[str]]:
    """A text file that appears or replaces the old one when all is written; `-` is stdout."""
    if str(path) == "-":
        yield sys.stdout
        return
    target = Path(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, scratch = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise CueScopeError(
            f"{path} cannot be written",
            expected="a folder one may write to",
            found=error.strerror or str(error),
            do="choose another place",
        ) from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            yield stream
        os.chmod(scratch, 0o644)
        os.replace(scratch, target)
    except BaseException:
        Path(scratch).unlink(missing_ok=True)
        raise
