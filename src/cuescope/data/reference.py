"""Where reference data and models lie: one place that a user can name, never in the repository."""

from __future__ import annotations

import os
from pathlib import Path

from cuescope.errors import CueScopeError
from cuescope.files.fetch import cache

FETCHED = ("winomt",)  # what `cuescope data get` can fetch
_ROOT = Path(__file__).resolve().parents[3]  # of a checkout; an installed package has none


def folder(kind: str = "data") -> Path:
    """The folder of the reference data, or of the `models`, whether it is there or not.

    CUESCOPE_DATA (CUESCOPE_MODELS) names it; else it is `../shared/data` beside a checkout, if that
    is there; else `data` in the user's cache, where `cuescope data get` puts things.
    """
    named = os.environ.get(f"CUESCOPE_{kind.upper()}")
    if named:
        return Path(named).expanduser()
    beside = _ROOT.parent / "shared" / kind
    checkout = (_ROOT / "pyproject.toml").is_file()
    return beside if checkout and beside.is_dir() else cache() / kind


def find(*parts: str, within: Path | None = None) -> Path:
    """A file or folder of the reference data, or an error that says how to have it."""
    name = "/".join(parts)
    how = "name the folder that holds it: CUESCOPE_DATA=DIR; docs/data.md says where it is from"
    if parts[0] in FETCHED:
        how = f"`cuescope data get {parts[0]}`, or name the folder that holds it: CUESCOPE_DATA=DIR"
    return _there((within or folder()).joinpath(*parts), f"the reference data {name!r}", how)


def model(name: str) -> Path:
    """The folder of a reference model (opus-mt-en-fr), or an error that says how to have it."""
    how = "name the folder that holds it: CUESCOPE_MODELS=DIR"
    return _there(folder("models") / name, f"the reference model {name!r}", how)


def _there(path: Path, what: str, how: str) -> Path:
    if path.exists():
        return path
    found = f"nothing there, in {'a' if path.parent.is_dir() else 'no'} folder {path.parent}"
    raise CueScopeError(f"{what} is not on this machine", expected=str(path), found=found, do=how)
