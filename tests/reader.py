"""A reader of files: a whole file that is damaged, and what must hold of what is still read."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import cuescope as cs
from mutations import damaged


@dataclass
class Reader:
    """A reader: the file that is damaged, how, and what is done with it."""

    file: Path
    read: Callable[[], object]
    damage: Callable[[random.Random], bytes] | None = None
    whole: bytes = field(init=False)

    def __post_init__(self) -> None:
        self.whole = self.file.read_bytes()
        self.read()  # the whole file is fine

    def tried(self, rng: random.Random) -> str:
        """Damage the file and read it: `read`, or what was said."""
        self.file.write_bytes(self.damage(rng) if self.damage else damaged(self.whole, rng))
        said = ""
        try:
            self.read()
        except cs.CueScopeError as error:
            said = str(error)
        finally:
            self.file.write_bytes(self.whole)
        assert len(said) < 4000, "a complaint is short"
        return "said" if said else "read"


def file_in(folder: Path, name: str, content: str | bytes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return folder / name
