"""Lines in, files out: nothing half-written, every complaint with file and line."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from cuescope.errors import CueScopeError


def read_lines(path: str | Path) -> list[str]:
    """The lines of a UTF-8 file, split at newlines only, without a last empty one."""
    path = Path(path)
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError:
        raise CueScopeError(f"no such file: {path}", do="check the path") from None
    except IsADirectoryError:
        raise CueScopeError(
            f"{path} is a folder", expected="a file", do="name a file inside it"
        ) from None
    except PermissionError:
        raise CueScopeError(f"{path} may not be read", do="check its permissions") from None
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise CueScopeError(
            f"{path}, line {line}: not UTF-8", expected="UTF-8 text", do="convert the file"
        ) from None
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def at(path: str | Path, line: int) -> str:
    """Where: file and line, the line counted from 1 as editors do."""
    return f"{path}, line {line + 1}"


def write(path: str | Path, content: str | bytes) -> Path:
    """Write a file whole or not at all."""
    path = Path(path)
    data = content.encode() if isinstance(content, str) else content
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise CueScopeError(
            f"{path} cannot be written", found=error.strerror or "", do="choose another place"
        ) from None
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)  # mkstemp's own 0600 would surprise
        os.replace(name, path)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise CueScopeError(
            f"{path} cannot be written", found=error.strerror or "", do="choose another place"
        ) from None
    return path
