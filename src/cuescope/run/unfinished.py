"""A run that has not come to its end: where it is, and how to go on; a file of its folder."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from cuescope import files

NAME = "unfinished.json"


@dataclass(frozen=True)
class Unfinished:
    """The stage that was begun last, those before it, and the command that goes on."""

    stage: str
    done: tuple[str, ...]
    command: str

    def lines(self, folder: Path) -> list[str]:
        """For people."""
        done = ", ".join(self.done) or "nothing yet"
        return [
            f"{folder}: not finished",
            f"  begun last: {self.stage}",
            f"  before it:  {done}",
            f"  to go on:   {self.command}",
        ]


def note(folder: Path, at: Unfinished) -> None:
    """Write down where a run is."""
    files.write(folder / NAME, json.dumps(asdict(at), ensure_ascii=False), parents=False)


def read(folder: Path) -> Unfinished | None:
    """Where a run stopped; None if it came to its end, or nothing is known of it."""
    try:
        told = json.loads((folder / NAME).read_bytes())
        return Unfinished(told["stage"], tuple(told["done"]), told["command"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def over(folder: Path) -> None:
    """The run came to its end."""
    files.remove(folder / NAME)
