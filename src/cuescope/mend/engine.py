"""Firefox's own engine: Bergamot as WebAssembly, run by node on the very files that we write.

Nothing of it is in this repository: `cuescope mend engine` fetches it by name into the cache.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import weakref
from collections.abc import Sequence
from importlib.resources import files as resources
from pathlib import Path
from threading import Timer
from time import monotonic
from typing import NamedTuple

from cuescope import files
from cuescope.errors import CueScopeError
from cuescope.files.fetch import cache, offline, say
from cuescope.models.firefox import find_files

PACKAGE, VERSION = "@browsermt/bergamot-translator", "0.4.9"
_WAIT = 3600  # seconds; an engine that hangs is ended


def place() -> Path:
    """The folder of the engine: CUESCOPE_BERGAMOT, or in the user's cache."""
    named = os.environ.get("CUESCOPE_BERGAMOT")
    return Path(named) if named else cache() / "bergamot" / "node_modules" / PACKAGE


def missing() -> str:
    """What is not at hand for the engine to run; empty if nothing."""
    if shutil.which("node") is None:
        return "node (Debian: `apt install nodejs npm`)"
    there = (place() / "translator.js").is_file() and (place() / "worker/package.json").is_file()
    return "" if there else f"{PACKAGE} {VERSION} (`cuescope mend engine` fetches it)"


def fetch() -> Path:
    """Get the engine by name and version from the user's npm registry; its scripts are not run."""
    if not missing():
        return place()
    npm = shutil.which("npm")
    if npm is None or offline():
        raise CueScopeError(
            "Firefox's engine cannot be fetched",
            expected="npm and the network",
            found="no npm" if npm is None else "CUESCOPE_OFFLINE",
            do="`apt install nodejs npm`, or name its folder: CUESCOPE_BERGAMOT=DIR",
        )
    folder = cache() / "bergamot"
    folder.mkdir(parents=True, exist_ok=True)
    say(f"getting {PACKAGE} {VERSION} from npm")
    options = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(folder)]
    done = subprocess.run(
        [npm, "install", *options, f"{PACKAGE}@{VERSION}"], capture_output=True, text=True
    )
    if done.returncode or not (place() / "translator.js").is_file():
        raise CueScopeError(
            f"npm did not install {PACKAGE} {VERSION}",
            expected=str(place()),
            found=(done.stderr.strip().splitlines() or ["nothing said"])[-1],
            do="check the connection and npm's settings",
        )
    files.write(place() / "worker" / "package.json", '{"type": "commonjs"}')
    return place()


class Timed(NamedTuple):
    """What the engine said, and the seconds of CPU that it took once it was warm."""

    said: list[str]
    seconds: float


def translate(folder: Path | str, texts: Sequence[str]) -> list[str]:
    """Sentences through Firefox's engine with the model of a folder."""
    with Session(folder) as session:
        return session.ask(texts).said


class Session:
    """The engine with the model of a folder, loaded once; with a shortlist if one is given."""

    def __init__(self, folder: Path | str, shortlist: Path | None = None) -> None:
        if lacking := missing():
            raise CueScopeError(
                "Firefox's engine is not at hand",
                expected="node and the engine",
                found=f"no {lacking}",
            )
        self._model, source, target = find_files(Path(folder))
        vocabularies = [source] if source == target else [source, target]
        script = resources("cuescope.mend").joinpath("engine.js").read_text("utf-8")
        scratch = tempfile.TemporaryDirectory()
        program, self._said = Path(scratch.name) / "engine.mjs", Path(scratch.name) / "said"
        program.write_text(script, "utf-8")
        asked = (program, place(), self._model, shortlist or "-", *vocabularies)
        with self._said.open("w") as said:
            self._node = subprocess.Popen(
                ["node", *map(str, asked)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=said,
                encoding="utf-8",
            )
        self._end = weakref.finalize(self, _ended, self._node, scratch)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def ask(self, texts: Sequence[str], warm: int = 0) -> Timed:
        """What it says to these texts; its time is taken after the first `warm` of them."""
        assert self._node.stdin
        assert self._node.stdout
        begun, late = monotonic(), Timer(_WAIT, self._node.kill)
        late.daemon = True
        late.start()
        try:
            self._node.stdin.write(f"{json.dumps({'texts': list(texts), 'warm': warm})}\n")
            self._node.stdin.flush()
            answer = self._node.stdout.readline()
        except OSError:  # it is gone: why is in what it said
            answer = ""
        finally:
            late.cancel()
        if answer:
            return Timed(**json.loads(answer))
        self._node.wait()
        lines = self._said.read_text("utf-8", "replace").strip().splitlines()
        if monotonic() - begun >= _WAIT:
            lines.append(f"no answer in {_WAIT} seconds")
        raise _failed(self._model, (lines or ["nothing said"])[-1])


def _ended(node: subprocess.Popen[str], scratch: tempfile.TemporaryDirectory[str]) -> None:
    """Let the engine go, with its files."""
    node.kill()
    node.communicate()
    scratch.cleanup()


def _failed(model: Path, found: str) -> CueScopeError:
    return CueScopeError(
        f"Firefox's engine did not translate with {model.name}",
        expected="a model and a vocabulary that it opens",
        found=found[:300],
        do="see `cuescope check` on the folder",
    )
