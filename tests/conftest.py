"""Fixtures: small models of every family, the real models of the cache, the reference data."""

from __future__ import annotations

import copy
import gc
import os

os.environ["HF_HUB_OFFLINE"] = "1"  # read once, when the hub's library is imported

from collections.abc import Callable, Iterator
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

# Files begin in this order: those that fork while a worker is small, then those that take longest,
# so that two workers end together. All others come after, as they stand in the folder.
FIRST = (
    "test_processes",
    "test_strangers",
    "test_notebooks",
    "test_stages",
    "test_odd_runs",
    "test_families",
    "test_docs",
    "test_sweep",
    "test_ctranslate2",
    "test_interrupted",
    "test_audit_speed",
    "test_sets",
    "test_faults",
    "test_capture",
    "test_figures",
    "test_plans",
    "test_firefox",
    "test_gated",
    "test_intervene",
    "test_weights",
    "test_align",
    "test_sentences",
    "test_gender_romance",
    "test_spans",
    "test_attention",
    "test_report_browser",
)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Order files by FIRST; what collecting made is never garbage, so it is not looked through.

    Whatever asks for a real model has the mark `model`, by whichever way it asks.
    """
    for item in items:
        if {"firefox", "opus"} & {*getattr(item, "fixturenames", ())}:
            item.add_marker(pytest.mark.model)
    place = {name: at for at, name in enumerate(FIRST)}
    items.sort(key=lambda item: place.get(item.path.stem, len(FIRST)))
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reaches the network; those that serve files to themselves say so."""
    monkeypatch.setenv("CUESCOPE_OFFLINE", "1")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.fixture(scope="session", autouse=True)
def _not_forced_to_the_disk() -> Iterator[None]:
    """Files are written, but no test waits for the disk: only a loss of power would show it."""

    def fsync(descriptor: int) -> None:
        os.fstat(descriptor)  # one that is no file is refused, as ever

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        yield


@pytest.fixture(scope="session", autouse=True)
def _guarded_once() -> Iterator[None]:
    """Opening a model guards it; the very same one, opened again in this process, was guarded."""
    from cuescope.models import checks

    real, passed = checks.require, set()

    def require(mt: cs.Translator) -> None:
        before = dict(vars(mt.tokenizer))
        if not hasattr(mt.tokenizer, "fingerprint"):  # a test's own
            return real(mt)
        kernel = mt.engine.module.config._attn_implementation
        known = (str(mt.signature), kernel, id(mt.family), *map(id, checks.ON_LOAD))
        if "fingerprint" not in before:  # the question leaves nothing behind
            vars(mt.tokenizer).pop("fingerprint", None)
        if known not in passed:
            real(mt)
            passed.add(known)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checks, "require", require)
        yield


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
    """A small model, as it was opened: guarded once, and a copy for each who asks."""

    @cache
    def opened(family: str, layers: tuple[int, int], **options: str) -> cs.Translator:
        return cs.load(str(tiny_folder(family, layers)), **tiny.languages(family), **options)

    def load(family: str, layers: tuple[int, int] = (2, 2), **options: str) -> cs.Translator:
        return copy.deepcopy(opened(family, layers, **options))

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
