"""Fixtures: small models of every family, the real models of the cache, the reference data."""

from __future__ import annotations

import os

os.environ["HF_HUB_OFFLINE"] = "1"  # read once, when the hub's library is imported

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import torch

import cuescope as cs
import shared_data
import tiny
from browsing import browser as browser
from cuescope.models import catalog

torch.set_num_threads(1)  # small models lose more to threads than they win
TinyModel = Callable[..., cs.Translator]


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reaches the network; those that serve files to themselves say so."""
    monkeypatch.setenv("CUESCOPE_OFFLINE", "1")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.fixture(scope="session")
def shared() -> Callable[..., Path]:
    """The path of reference data, by its parts."""
    return shared_data.shared


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """The folder of a small model, made once."""

    @cache
    def make(family: str, layers: tuple[int, int] = (2, 2), **facts: object) -> Path:
        return tiny.FAMILIES[family](tmp_path_factory.mktemp(family), layers, **facts)

    return make


@pytest.fixture(scope="session")
def tiny_model(tiny_folder: Callable[..., Path]) -> TinyModel:
    """A small model, opened anew; the guards, which take most of the time, run at the first."""
    checked = set()

    def load(family: str, layers: tuple[int, int] = (2, 2), **options: str) -> cs.Translator:
        folder = str(tiny_folder(family, layers))
        kind = (folder, *sorted(options.items()))
        mt = cs.load(folder, **tiny.languages(family), check=kind not in checked, **options)
        checked.add(kind)
        return mt

    return load


@pytest.fixture(scope="session")
def small_model(tmp_path_factory: pytest.TempPathFactory) -> cs.Translator:
    """A small model that has learnt the pairs of tests/small_run.py by heart."""
    import small_run

    return small_run.model(tmp_path_factory.mktemp("small") / "model")


def _real(name: str) -> cs.Translator:
    if not catalog.folder_of(name).is_dir():
        reason = f"{name} is not in the cache: `make models` fetches it"
        if os.environ.get("CUESCOPE_REQUIRE_MODELS"):
            pytest.fail(reason)
        pytest.skip(reason)
    return cs.load(name)


@pytest.fixture(scope="session")
def firefox() -> cs.Translator:
    """Firefox's English→Portuguese model."""
    return _real("firefox:en-pt")


@pytest.fixture(scope="session")
def opus() -> cs.Translator:
    """A real OPUS-MT model, Chinese→English."""
    return _real("argos:zh-en")
