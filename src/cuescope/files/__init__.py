"""Text files in and out: every complaint with file and line, nothing half-written."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from cuescope.errors import CueScopeError


def read_lines(path: str | Path) -> list[str]:
    """The lines of a UTF-8 file, split at newlines only, without a last empty one; `-` is stdin."""
    try:
        data = sys.stdin.buffer.read() if str(path) == "-" else Path(path).read_bytes()
    except (OSError, ValueError) as error:  # the latter: no file can be called so
        raise CueScopeError(
            f"{path} cannot be read",
            expected="a text file",
            found=getattr(error, "strerror", None) or str(error),
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


def write(path: str | Path, content: str | bytes, *, parents: bool = True) -> None:
    """Write a file whole or not at all; `-` is standard output; `parents`: make its folder."""
    data = content.encode() if isinstance(content, str) else content
    if str(path) == "-":
        sys.stdout.buffer.write(data)
        return
    path = Path(path)
    try:
        if parents:
            os.makedirs(path.parent, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise unwritable(path, error) from None
    try:
        _write_to(handle, data)  # whole on the disk before it takes the name
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)  # mkstemp's own 0600 would surprise
        os.replace(name, path)
        _sync_folder(path.parent)
    except OSError as error:
        with suppress(OSError):  # a disk that fails may not take it away either
            Path(name).unlink(missing_ok=True)
        raise unwritable(path, error) from None


def append(path: Path, text: str) -> None:
    """Add lines to a file, on the disk before anything else is done."""
    try:
        _write_to(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666), text.encode())
    except OSError as error:
        raise unwritable(path, error) from None


def remove(path: Path) -> None:
    """Take a file away, if it is there."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise unwritable(path, error) from None


def _write_to(handle: int, data: bytes) -> None:
    """All bytes to an open file, through to the disk; the file is closed."""
    try:
        left = memoryview(data)
        while left:
            left = left[os.write(handle, left) :]
        os.fsync(handle)
    finally:
        os.close(handle)


def _sync_folder(folder: Path) -> None:
    """A new name is on the disk too: without this a power cut could take it back."""
    if os.name == "nt":  # which cannot open a folder
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


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
        os.makedirs(path.parent, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise unwritable(path.parent, error) from None
    try:
        if not _taken(handle, wait):
            yield False
            return
        _held.add(path)
        try:
            yield True
        finally:
            _held.discard(path)
    finally:
        os.close(handle)  # which ends the lock


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
