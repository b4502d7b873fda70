"""Text files in and out: every complaint with file and line, nothing half-written."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cuescope.errors import CueScopeError


def read_lines(path: str | Path) -> list[str]:
    """The lines of a UTF-8 file, split at newlines only, without a last empty one; `-` is stdin."""
    try:
        data = sys.stdin.buffer.read() if str(path) == "-" else Path(path).read_bytes()
    except OSError as error:
        raise CueScopeError(
            f"{path} cannot be read",
            expected="a text file",
            found=error.strerror or str(error),
            do="check the path",
        ) from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n")
        raise CueScopeError(
            f"{at(path, line)}: not UTF-8",
            expected="text in UTF-8",
            found=f"the byte {data[error.start]:#04x}",
            do="convert it, for example with `iconv -t UTF-8`",
        ) from None
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def at(path: str | Path, line: int) -> str:
    """Where: file and line, the line counted from 1 as editors do.

    >>> at("en.txt", 0)
    'en.txt, line 1'
    """
    return f"{path}, line {line + 1}"


def read_sentences(path: str | Path) -> list[str]:
    """One sentence per line; an empty line or an empty file is an error."""
    sentences = read_lines(path)
    for line, sentence in enumerate(sentences):
        if not sentence.strip():
            raise CueScopeError(
                f"{at(path, line)}: empty",
                expected="one sentence on every line",
                found="an empty line",
                do="take the line out",
            )
    if not sentences:
        raise CueScopeError(
            f"{path} is empty",
            expected="one sentence per line",
            found="no line at all",
            do="check that it is the right file",
        )
    return sentences


def write(path: str | Path, content: str | bytes) -> None:
    """Write a file whole or not at all; `-` is standard output."""
    data = content.encode() if isinstance(content, str) else content
    if str(path) == "-":
        sys.stdout.buffer.write(data)
        return
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise unwritable(path, error) from None
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())  # whole on the disk before it takes the name
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)  # mkstemp's own 0600 would surprise
        os.replace(name, path)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise unwritable(path, error) from None


def append(path: Path, text: str) -> None:
    """Add lines to a file, on the disk before anything else is done."""
    try:
        with path.open("a", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise unwritable(path, error) from None


def unwritable(path: Path, error: OSError) -> CueScopeError:
    """What is said where nothing can be written."""
    return CueScopeError(
        f"{path} cannot be written",
        expected="a place that one may write to",
        found=error.strerror or str(error),
        do="choose another place",
    )


_held: set[Path] = set()  # locks of this process: what holds one may ask for it again


@contextmanager
def locked(path: Path, *, wait: bool = False) -> Iterator[bool]:
    """A lock between processes, at a file of its own; False if another process has it.

    The system ends it, whatever becomes of the process.
    """
    path = path.absolute()
    if path in _held:
        yield True
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        stream = path.open("a")
    except OSError as error:
        raise unwritable(path.parent, error) from None
    with stream:
        if not _taken(stream.fileno(), wait):
            yield False
            return
        _held.add(path)
        try:
            yield True
        finally:
            _held.discard(path)


def _taken(handle: int, wait: bool) -> bool:
    try:
        import fcntl
    except ImportError:  # not on Windows
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True
