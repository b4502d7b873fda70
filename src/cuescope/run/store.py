"""The run folder: what was measured is kept there, and is not measured again.

Each file names the facts that it came from. A file of other facts (another seed, more samples, a
newer release) is measured anew; a run that was interrupted goes on where it stopped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from cuescope import files
from cuescope.errors import CueScopeError
from cuescope.files.chunks import KIND, keeping, workers
from cuescope.files.fetch import lost
from cuescope.run.kept_files import (
    DAMAGED,
    DOCUMENT,
    SCORES,
    Kind,
    Line,
    checked_lines,
    packed_lines,
)
from cuescope.signature import Signature
from cuescope.stats.scores import Scores

ABOUT, _LOCK = "run.json", ".lock"
_KINDS = ("json", "jsonl", "npz", "csv", "txt", "html")
# What a write that was killed leaves: the name that it would have had, and mkstemp's letters
_LEFT = re.compile(rf"\..+\.({'|'.join(_KINDS)})\.[a-z0-9_]{{8}}")
Lines = Callable[[Sequence[str]], Sequence[Line]]


class Store:
    """Results by name and by the facts behind them: in memory, and in a folder if there is one."""

    def __init__(self, folder: str | Path | None = None) -> None:
        self.folder = Path(folder) if folder is not None else None
        self._memory: dict[tuple[str, str, str], Any] = {}
        self._claimed = False
        self.made = 0  # lines, since it was opened

    # -- three kinds of results ------------------------------------------------------------

    def json(self, name: str, facts: Signature, make: Callable[[], Any]) -> Any:
        """A plain document, as it is kept, or made and kept."""
        return self._result(DOCUMENT, name, facts, make)

    def kept_json(self, name: str, facts: Signature) -> Any:
        """The document if it is kept; else None."""
        return self._kept(DOCUMENT, name, facts)

    def scores(self, name: str, facts: Signature, make: Callable[[], Scores]) -> Scores:
        """Scores of the heads, per sentence or pair, as they are kept, or made and kept."""
        made: Scores = self._result(SCORES, name, facts, make)
        return made

    def kept_scores(self, name: str, facts: Signature) -> Scores | None:
        """The scores if they are kept; else None."""
        kept: Scores | None = self._kept(SCORES, name, facts)
        return kept

    def _result(self, kind: Kind, name: str, facts: Signature, make: Callable[[], Any]) -> Any:
        """What is kept, or made now; its chunks (`files.chunks.kept`) are in a log until then."""
        kept = self._kept(kind, name, facts)
        if kept is not None:
            return kept
        log = self.folder / f"{name}{KIND}" if self.folder else None
        with self._alone():
            with keeping(log, str(facts)):
                made = make()
            if self.folder:
                self._write(self.folder / f"{name}.{kind.ending}", kind.pack(made, str(facts)))
            self._memory[name, kind.ending, str(facts)] = made
        return made

    def _kept(self, kind: Kind, name: str, facts: Signature) -> Any:
        """What is in memory, or in the folder and of these facts; else None."""
        key = (name, kind.ending, str(facts))
        path = self.folder / f"{name}.{kind.ending}" if self.folder else None
        if key not in self._memory and path and path.is_file():
            try:
                kept = kind.read(path, str(facts))
            except DAMAGED:
                return lost(path)
            if kept is not None:
                self._memory[key] = kept
        return self._memory.get(key)

    def _alone(self) -> AbstractContextManager[None]:
        """Nobody else writes the folder meanwhile: two would mix their chunks in one log."""
        return locked(self.folder) if self.folder else nullcontext()

    def lines(
        self,
        name: str,
        facts: Signature,
        texts: Sequence[str],
        make: Lines,
        *,
        chunk: int,
        progress: Callable[[int], None] | None = None,
    ) -> list[Line]:
        """A line for each text, made and kept `chunk` by `chunk`.

        A chunk is always made whole, so that a resumed run gives what one without a break gives.
        """
        key = (name, "jsonl", str(facts))
        if key in self._memory:
            return list(self._memory[key])
        path = self.folder / f"{name}.jsonl" if self.folder else None
        kept, known, whole = checked_lines(path) if path else ("", [], True)
        if path and not whole:
            lost(path)
        known = known if kept == str(facts) else []
        known = known[: len(known) if len(known) == len(texts) else len(known) // chunk * chunk]
        if progress and known:
            progress(len(known))
        if len(known) < len(texts):
            with self._alone():
                if path:
                    self._write(path, packed_lines([{"facts": str(facts)}, *known], 0))
                rest = range(len(known), len(texts), chunk)
                for made in _lines([texts[at : at + chunk] for at in rest], make, progress):
                    self._append(path, known, made)
        self._memory[key] = known
        return list(known)

    def _append(self, path: Path | None, known: list[Line], made: Sequence[Line]) -> None:
        """A chunk is on the disk before the next is asked for."""
        if path:
            self.there()
            files.append(path, packed_lines(made, 1 + len(known)))
        known.extend(made)
        self.made += len(made)

    # -- the folder itself -----------------------------------------------------------------

    def write(self, name: str, content: str | bytes) -> None:
        """A file for people; nothing is read back from it."""
        if self.folder:
            self._write(self.folder / name, content)

    def _write(self, path: Path, content: str | bytes) -> None:
        self.there()
        files.write(path, content, parents=not self._claimed)

    def there(self) -> None:
        """Raise if the folder was taken away since it became this run's."""
        if self._claimed and self.folder and not (self.folder / ABOUT).is_file():
            raise CueScopeError(
                f"{self.folder} was taken away while the run went on",
                expected=f"{ABOUT} in it, as it was written",
                found="no such file",
                do="run it again; what was in the folder is lost",
            )

    def claim(self, about: dict[str, str]) -> None:
        """Make the folder this run's; one that holds another run, or other things, is refused."""
        if self.folder is not None:
            with locked(self.folder):
                _check_about(self.folder, about)
                for left in filter(_left, self.folder.iterdir()):
                    files.remove(left)
                files.write(self.folder / ABOUT, json.dumps(about, ensure_ascii=False, indent=1))
            self._claimed = True


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """The folder for one run at a time; the system ends the lock, whatever becomes of the run."""
    with files.locked(folder / _LOCK) as ours:
        if not ours:
            raise CueScopeError(
                f"{folder} is being written by another run",
                do="wait for it, or name another folder (--out)",
            )
        yield


def clear(folder: Path) -> None:
    """Take away what a run left in its folder, and nothing else.

    The name of the run goes last, so that a folder half cleared can still be; lines go after the
    documents that were made of them, which would else stand without them.
    """
    if (folder / ABOUT).is_file():
        names = [*(f"*.{kind}" for kind in _KINDS[:-1]), "report.html"]
        found = {path for name in names for path in folder.glob(name)}
        found |= set(filter(_left, folder.iterdir()))
        rest = found - {folder / ABOUT}
        for path in sorted(rest, key=lambda path: (path.suffix == ".jsonl", path.name)):
            files.remove(path)
        files.remove(folder / ABOUT)


def _left(path: Path) -> bool:
    """Is it what a killed write left?"""
    return bool(_LEFT.fullmatch(path.name))


def about_of(folder: Path) -> dict[str, Any]:
    """Whose run a folder holds; empty if it holds none."""
    try:
        known = json.loads((folder / ABOUT).read_bytes())
    except DAMAGED:
        known = None
    return known if isinstance(known, dict) else {}


def _check_about(folder: Path, about: dict[str, str]) -> None:
    path = folder / ABOUT
    if not path.is_file():
        # a hidden file is the lock, or what a crash left of the claim itself
        if there := sorted(p.name for p in folder.glob("*") if not p.name.startswith(".")):
            raise CueScopeError(
                f"{folder} is not empty, and no run's folder",
                expected=f"a new folder, or one with {ABOUT}",
                found=", ".join(there[:5]),
                do="name another folder: --out",
            )
        return
    known = about_of(folder)
    if not known:
        raise CueScopeError(
            f"{path} is damaged, or cannot be read",
            expected="whose run the folder holds",
            found="nothing that can be read",
            do="try again; if it stays so, begin anew (--fresh) or name another folder (--out)",
        )
    differing = [name for name in about if known.get(name) != about[name]]
    if differing:
        raise CueScopeError(
            f"{folder} holds another run",
            expected=", ".join(f"{name} {about[name]}" for name in differing),
            found=", ".join(f"{name} {known.get(name)}" for name in differing),
            do="name another folder (--out), or begin anew (--fresh)",
        )


def _lines(
    pieces: Sequence[Sequence[str]], make: Lines, progress: Callable[[int], None] | None
) -> Iterator[Sequence[Line]]:
    """The lines of each piece: made here, or by workers, who tell nobody how far they are."""
    if (crew := workers()) is None:
        for piece in pieces:
            yield make(piece)
        return
    with closing(crew([partial(make, piece) for piece in pieces])) as found:  # type: ignore[type-var]
        for piece, made in zip(pieces, found, strict=True):
            yield made
            if progress:
                progress(len(piece))
