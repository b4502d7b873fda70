"""The live page and the notebook's page in a real browser, with Firefox's own model."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import pytest

import cuescope as cs
from cuescope.show.live.page import serving

pytestmark = [pytest.mark.slow, pytest.mark.model]
TEXT = "The mechanic called because she was late."


class Tab:
    """The live page; counts its answers, and what went wrong."""

    def __init__(self, browser: Any, url: str) -> None:
        self.wrong: list[str] = []
        self.answers = 1
        self.tab = tab = browser.new_page(viewport={"width": 1200, "height": 900})
        home = url.split("?")[0]
        tab.on("console", lambda m: self.wrong.append(m.text))
        tab.on("pageerror", lambda e: self.wrong.append(str(e)))
        tab.on("request", lambda r: r.url.startswith(home) or self.wrong.append(r.url))
        tab.goto(url)
        self.wait()

    def wait(self) -> None:
        self.tab.wait_for_selector(f'html[data-ready="{self.answers}"]', timeout=60_000)

    def click(self, find: str) -> None:
        self.answers += 1
        self.tab.locator(find).first.click()
        self.wait()

    def text(self, find: str) -> str:
        return str(self.tab.locator(find).inner_text())


@pytest.fixture(scope="module")
def live(browser: Any, firefox: cs.Translator) -> Iterator[Tab]:
    with serving(cs.Translator.of(firefox)) as server:
        threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
        yield Tab(browser, server.url)
        server.shutdown()


def test_the_pronoun_is_swapped(live: Tab, capsys: pytest.CaptureFixture[str]) -> None:
    """New translation, P(feminine) and attention; how long it takes is printed, not judged."""
    took = []
    for version in ("he", "she", "he", "she", "he"):
        live.click(f'[data-version="{version}"]')
        took.append(float(live.tab.evaluate("document.documentElement.dataset.took")))
    assert "porque ele estava atrasado" in live.text("#found")
    he, arcs = live.text("#meter"), live.tab.locator("path.arc").count()
    live.click('[data-version="she"]')
    assert "porque ela estava atrasada" in live.text("#found")
    assert live.text("#meter") != he
    assert arcs > 0
    assert live.wrong == []
    with capsys.disabled():
        print(f"\nswap to new translation and attention: {median(took):.0f} ms (median of 5)")


def test_a_head_is_turned_up_and_put_back(live: Tab) -> None:
    before = live.text("#meter")
    live.tab.locator('td[data-head="encoder:2:1"]').first.click()
    live.click('[data-factor="4"]')
    assert "Changed: encoder 2.1 × 4." in live.text("#edits")
    assert "with no head changed" in live.text("#meter")
    assert live.text("#meter") != before
    live.click("#back")
    assert live.text("#meter") == before
    assert live.wrong == []


def test_a_mistake_is_said_and_the_page_goes_on(live: Tab) -> None:
    live.tab.locator("#text").fill("<b>The cook</b> met the nurse before she left.")
    live.click("#ask button")
    assert "whose gender?" in live.text("#wrong")
    live.tab.locator("#noun").fill("nurse")
    live.click("#ask button")
    assert not live.tab.locator("#wrong").is_visible()
    assert "<b>" in live.text("#found")
    live.tab.locator("#noun").fill("")
    live.tab.locator("#text").fill(TEXT)
    live.click("#ask button")
    refused = [w for w in live.wrong if "422" not in w]  # the browser tells of the refused question
    assert refused == []


def test_arcs_in_a_notebook(browser: Any, firefox: cs.Translator, tmp_path: Path) -> None:
    """The cell's output in a page: scripts run in their frame, a head chosen redraws the arcs."""
    explored = cs.explore(cs.Translator.of(firefox), TEXT)
    host = tmp_path / "cell.html"
    host.write_text(f"<!doctype html><meta charset=utf-8>{explored._repr_html_()}", "utf-8")
    tab, wrong = browser.new_page(), []
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.on(
        "request", lambda r: r.url.startswith(("file:", "about:", "data:")) or wrong.append(r.url)
    )
    tab.goto(host.as_uri())
    frame = tab.frame_locator("iframe")
    frame.locator("#explore .arcs").wait_for()
    assert frame.locator("#explore optgroup").count() == 2
    assert frame.locator("#explore option").count() == 64
    assert "Head 1.6" in frame.locator(".status").inner_text()  # looks most from noun to cue
    frame.locator('td[data-head="cross:0:6"]').click()
    assert "Translation above, source below" in frame.locator(".arc-figure figcaption").inner_text()
    assert wrong == []
