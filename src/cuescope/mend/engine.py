"""Firefox's own engine: Bergamot as WebAssembly, run by node on the very files that we write.

Nothing of it is in this repository: `cuescope mend engine` fetches it by name into the cache.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from importlib.resources import files as resources
from pathlib import Path
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
    return timed(folder, texts).said


def timed(
    folder: Path | str, texts: Sequence[str], *, shortlist: Path | None = None, warm: int = 0
) -> Timed:
    """The same with its time, after `warm` sentences, and with a shortlist if one is given."""
    if lacking := missing():
        raise CueScopeError(
            "Firefox's engine is not at hand", expected="node and the engine", found=f"no {lacking}"
        )
    model, source, target = find_files(Path(folder))
    vocabularies = [source] if source == target else [source, target]
    script = resources("cuescope.mend").joinpath("engine.js").read_text("utf-8")
    with tempfile.TemporaryDirectory() as scratch:
        program, given = Path(scratch) / "engine.mjs", Path(scratch) / "texts.json"
        program.write_text(script, "utf-8")
        given.write_text(json.dumps(list(texts)), "utf-8")
        asked = (program, place(), given, warm, model, shortlist or "-", *vocabularies)
        args = ["node", *map(str, asked)]
        try:
            done = subprocess.run(args, capture_output=True, text=True, timeout=_WAIT)
        except subprocess.TimeoutExpired:
            raise _failed(model, f"no answer in {_WAIT} seconds") from None
    if done.returncode:
        raise _failed(model, (done.stderr.strip().splitlines() or ["nothing said"])[-1])
    return Timed(**json.loads(done.stdout))


def _failed(model: Path, found: str) -> CueScopeError:
    return CueScopeError(
        f"Firefox's engine did not translate with {model.name}",
        expected="a model and a vocabulary that it opens",
        found=found[:300],
        do="see `cuescope check` on the folder",
    )
