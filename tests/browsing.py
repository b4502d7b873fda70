"""A real browser, for the tests that need one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

BROWSER = shutil.which("chromium")
SWITCHES = (
    "--no-sandbox --disable-gpu --disable-background-networking --disable-component-update "
    "--disable-sync --no-first-run"
).split()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api") if not _required() else _playwright()
    if BROWSER is None:
        reason = "there is no chromium on this machine"
        pytest.fail(reason) if _required() else pytest.skip(reason)
    with playwright.sync_playwright() as started:
        running = started.chromium.launch(executable_path=BROWSER, args=SWITCHES)
        yield running
        running.close()


def _required() -> bool:
    return os.environ.get("CUESCOPE_REQUIRE_BROWSER") == "1"


def _playwright() -> Any:
    from playwright import sync_api

    return sync_api
