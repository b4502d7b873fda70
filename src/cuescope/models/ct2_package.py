"""The files of a CTranslate2 model: a folder, or a package of Argos, which is never unpacked."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cuescope.errors import CueScopeError, first_line
from cuescope.files.documents import json_of

_LARGEST, _TEXT = 16 << 30, 256 << 20  # bytes: of a model, of a vocabulary or a configuration
_DENSEST = 200  # weights shrink to a half, vocabularies to a tenth; what shrinks more is a bomb


@dataclass(frozen=True)
class Package:
    """A place with files: `root` is a folder, or a `zipfile.Path`, which reads like one."""

    root: Any
    label: str

    def has(self, name: str) -> bool:
        """Is there such a file?"""
        return bool((self.root / name).is_file())

    def names(self) -> list[str]:
        """What lies here."""
        return [entry.name for entry in self.root.iterdir()]

    def inside(self, name: str) -> Package:
        """A folder of it."""
        return Package(self.root / name, self.label)

    def read(self, name: str, most: int = _LARGEST) -> bytes:
        """A file's bytes, if they are no more than such a file can have."""
        if not self.has(name):
            raise CueScopeError(
                f"{self.root} lacks {name}",
                expected=f"{name} beside the other files of the model",
                found=", ".join(sorted(self.names())[:8]) or "nothing",
                do="convert or get the model again",
            )
        place = self.root / name
        size, packed = _sizes(place)
        if size > most or size > _DENSEST * max(packed, 1 << 10):
            raise CueScopeError(
                f"{self.label}: {name} is too large to be what it says",
                expected=f"at most {most >> 20:,} MiB, packed to no less than 1 in {_DENSEST}",
                found=f"{size:,} bytes, packed into {packed:,}",
                do="do not use it",
            )
        data: bytes = place.read_bytes()
        return data

    def json(self, name: str) -> dict[str, Any]:
        """A JSON file with options; none where there is no such file."""
        if not self.has(name):
            return {}
        found = json_of(self.read(name, _TEXT), f"{self.label}: {name} is not JSON")
        if not isinstance(found, dict):
            raise CueScopeError(f"{self.label}: {name}", expected="options by name")
        return found

    def vocabulary(self, side: str) -> list[str]:
        """The pieces of a side, each at the place of its id."""
        for name in (f"{side}_vocabulary.txt", "shared_vocabulary.txt"):
            stem = name.removesuffix(".txt")
            if self.has(f"{stem}.json"):
                return self._pieces(f"{stem}.json")
            if self.has(name):
                return self.read(name, _TEXT).decode("utf-8").rstrip("\n").split("\n")
        return self._pieces("shared_vocabulary.json")

    def _pieces(self, name: str) -> list[str]:
        found = json_of(self.read(name, _TEXT), f"{self.label}: {name} is not JSON")
        if not isinstance(found, list) or not all(isinstance(piece, str) for piece in found):
            raise CueScopeError(f"{self.label}: {name}", expected="a list of pieces")
        return found


@contextmanager
def opened(path: Path) -> Iterator[Package]:
    """The files of a folder or a package; whatever is wrong with them is said in words."""
    try:
        yield Package(path if path.is_dir() else _zipped(path), path.name)
    except CueScopeError:
        raise
    except Exception as error:  # zipfile, numpy, torch, transformers, sentencepiece: each its own
        kind = "CTranslate2 model" if path.is_dir() else "Argos package"
        raise CueScopeError(
            f"{path.name} is not a whole {kind}",
            expected="metadata.json, sentencepiece.model and model/model.bin of one model",
            found=f"{type(error).__name__}: {first_line(error)[:200]}",
            do="get or convert the model again",
        ) from error


def _zipped(path: Path) -> Any:
    """The one folder inside a package, or its top."""
    inside = zipfile.Path(zipfile.ZipFile(path))
    folders = [entry for entry in inside.iterdir() if entry.is_dir()]
    return folders[0] if len(folders) == 1 else inside


def _sizes(place: Any) -> tuple[int, int]:
    """Bytes of a file, and those that it takes on the disk."""
    if isinstance(place, Path):
        size = place.stat().st_size
        return size, size
    about = place.root.getinfo(place.at)
    return about.file_size, about.compress_size
