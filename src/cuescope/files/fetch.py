"""Getting files: hash-checked, resumable, atomic. A killed download leaves nothing half-made."""

from __future__ import annotations

import http.client
import os
import shutil
import sys
import tarfile
import tempfile
import urllib.error
import urllib.request
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from cuescope.errors import CueScopeError, first_line
from cuescope.files import unwritable
from cuescope.signature import hash_file

_PIECE = 1 << 18


def cache() -> Path:
    """The user's cache folder: CUESCOPE_CACHE, or `cuescope` in the system's cache folder."""
    named = os.environ.get("CUESCOPE_CACHE")
    if named:
        return Path(named).expanduser() if named.startswith("~/") else Path(named)
    if os.environ.get("XDG_CACHE_HOME"):
        return Path(os.environ["XDG_CACHE_HOME"]) / "cuescope"
    try:
        return Path.home() / ".cache" / "cuescope"
    except RuntimeError:
        raise CueScopeError(
            "there is no place for the cache",
            expected="CUESCOPE_CACHE, XDG_CACHE_HOME or HOME to name one",
            found="none of them, and a user without a home",
            do="set CUESCOPE_CACHE to a folder that one may write to",
        ) from None


def offline() -> bool:
    """Has the user said that the network is not to be used?"""
    return os.environ.get("CUESCOPE_OFFLINE", "") not in ("", "0")


def _folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(path, error) from None


def say(message: str) -> None:
    """A line about what is being fetched, on the error stream: output stays clean."""
    print(message, file=sys.stderr)


def lost(path: Path) -> None:
    """Say that a kept file cannot be used, and what becomes of it."""
    say(f"{path} is damaged, or cannot be read: it is made anew")


def download(
    url: str, target: Path, sha256: str | None = None, *, label: str = "", most: int = 16 << 30
) -> Path:
    """Fetch a file to `target`. A part from an earlier try is continued; the hash decides.

    A body of more than `most` bytes is not received.
    """
    if target.exists() and (sha256 is None or hash_file(target) == sha256):
        return target
    label = label or target.name
    if offline():
        raise CueScopeError(
            f"{label} is not on this machine, and the network is off",
            expected=f"the file {target.name} in {target.parent}",
            found="CUESCOPE_OFFLINE is set",
            do="unset CUESCOPE_OFFLINE and try again",
        )
    _folder(target.parent)
    part = target.with_name(target.name + ".part")
    try:
        _receive(url, part, label, most)
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise CueScopeError(
            f"{label} could not be fetched",
            expected="an answer from the server",
            found=str(reason) or type(error).__name__,
            do="check the connection and try again: what has come so far is kept",
        ) from error
    verify(part, sha256, label)
    try:
        os.replace(part, target)
    except OSError as error:
        raise unwritable(target, error) from None
    return target


def verify(path: Path, sha256: str | None, label: str) -> None:
    """Delete the file and raise if it is not the expected one."""
    if sha256 is None or (found := hash_file(path)) == sha256:
        return
    path.unlink()
    raise CueScopeError(
        f"{label} is not the file that was expected",
        expected=f"sha256 {sha256}",
        found=f"sha256 {found}",
        do="try again; if it stays so, the file was changed at its source: do not use it",
    )


def _receive(url: str, part: Path, label: str, most: int) -> None:
    have = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})
    try:
        answer = urllib.request.urlopen(request, timeout=60)
    except urllib.error.HTTPError as error:
        if error.code != http.client.REQUESTED_RANGE_NOT_SATISFIABLE:
            raise
        return  # the whole file is here already; its hash decides
    with answer:
        resumed = getattr(answer, "status", None) == http.client.PARTIAL_CONTENT
        size = int(answer.headers.get("Content-Length") or 0)
        say(f"{'resuming' if resumed else 'getting'} {label} ({size / 1e6:.0f} MB)")
        received = 0
        with _opened(part, "ab" if resumed else "wb") as put:
            while piece := answer.read(_PIECE):
                received += len(piece)
                if have * resumed + received > most:
                    raise ConnectionError(f"more than {most:,} bytes, which no such file has")
                put(piece)
        if size and received < size:
            raise ConnectionError(f"the connection broke after {received:,} of {size:,} bytes")


@contextmanager
def _opened(path: Path, mode: str) -> Iterator[Callable[[bytes], object]]:
    """What puts bytes into a file: a full disk is not taken for a broken connection."""

    def put(piece: bytes) -> None:
        left = memoryview(piece)
        try:
            while left:
                left = left[stream.write(left) :]
        except OSError as error:
            raise unwritable(path, error) from None

    try:
        stream = path.open(mode, buffering=0)  # what cannot be written is said here, not at its end
    except OSError as error:
        raise unwritable(path, error) from None
    with stream:
        yield put


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """A folder that appears at `target` only once it is complete."""
    _folder(target.parent)
    try:
        # what cannot be cleared away is an empty folder, and no reason to call this a failure
        with tempfile.TemporaryDirectory(
            dir=target.parent, prefix=".new-", ignore_cleanup_errors=True
        ) as scratch:
            made = Path(scratch) / "folder"
            made.mkdir()
            yield made
            if target.exists():
                shutil.rmtree(target)
            os.replace(made, target)
    except OSError as error:
        raise unwritable(target, error) from None


def extract(archive: Path, wanted: Mapping[str, str], folder: Path) -> None:
    """Take single files out of a zip or tar archive: path inside → new name in the folder."""
    left = dict(wanted)
    try:
        for name, stream in _members(archive, left):
            with (folder / left.pop(name)).open("wb") as out:
                shutil.copyfileobj(stream, out)
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error) as error:
        raise CueScopeError(
            f"{archive.name} cannot be read",
            expected="a whole zip or tar archive, and a disk that gives it back",
            found=first_line(error),
            do="try again; if it stays so, look after the disk",
        ) from None
    if left:
        raise CueScopeError(
            f"{archive.name} does not hold what it should",
            expected=", ".join(left),
            found="no such member",
            do="try again; if it stays so, open an issue",
        )


def _members(archive: Path, names: Iterable[str]) -> Iterator[tuple[str, IO[bytes]]]:
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as zipped:
            for name in set(names) & set(zipped.namelist()):
                with zipped.open(name) as stream:
                    yield name, stream
    else:
        with tarfile.open(archive) as tarred:
            for member in tarred:
                if member.isfile() and member.name in names:
                    yield member.name, cast("IO[bytes]", tarred.extractfile(member))
