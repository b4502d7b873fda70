from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest
from typer.testing import CliRunner

from cuescope.commands import data
from cuescope.errors import CueScopeError
from cuescope.signature import hash_file
from shared_data import shared


def run(*args: str) -> str:
    result = CliRunner().invoke(data.app, list(args))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout


def test_the_sets_are_listed() -> None:
    shown = run("list")
    assert all(name in shown for name in ("simplegen", "relationships", "winomt:DIR"))


def test_the_sentences_are_shown() -> None:
    assert len(run("show", "simplegen", "--set", "fofc").splitlines()) == 518
    with pytest.raises(CueScopeError, match="no such set"):
        run("show", "simplegen", "--set", "xoxc")


def test_winomt_is_fetched_by_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, Path, str]] = []

    def download(url: str, target: Path, sha256: str, *, label: str) -> Path:
        asked.append((url, target, sha256))
        return target

    fetch = ModuleType("cuescope.files.fetch")
    fetch.download = download  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "cuescope.files.fetch", fetch)
    run("get", "winomt", "--to", str(tmp_path / "w"))
    assert [target.name for _, target, _ in asked] == ["en.txt", "en_pro.txt", "en_anti.txt"]
    assert all(url.endswith(target.name) for url, target, _ in asked)
    with pytest.raises(CueScopeError, match="nothing to fetch"):
        run("get", "simplegen")
    monkeypatch.setenv("CUESCOPE_DATA", str(tmp_path))
    assert run("get", "winomt").endswith("use --data winomt\n")
    assert {target.parent for _, target, _ in asked[3:]} == {tmp_path / "winomt"}


def test_the_hashes_are_those_of_the_reference_files() -> None:
    for name, sha256 in data._WINOMT.items():
        assert hash_file(shared("winomt", name)) == sha256
