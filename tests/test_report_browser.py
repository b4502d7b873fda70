"""The report in a real browser, from the disk: what shows, what moves, and that nothing leaks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cuescope.show.report import render
from cuescope.show.report.body import SECTIONS
from findings_of import HOSTILE, findings, gaps, many

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Reports of several shapes, rendered once."""
    place = tmp_path_factory.mktemp("report")
    large = {"encoder": (24, 16), "decoder": (2, 16), "cross": (12, 16)}
    made = {
        "plain": findings(60),
        "both": findings(60, before=25),
        "large": findings(40, sites=large),
        "tiny": findings(4, sites={"encoder": (3, 4)}, uncertainty=False, maps=0),
        "hostile": findings(12, hostile=True),
        "empty": findings(0),
        "gaps": gaps(),
        "many": many(),
    }
    for name, found in made.items():
        (place / f"{name}.html").write_text(render(found), encoding="utf-8")
    return place


class Reader:
    """Opens reports; a tab is kept for the next test unless a fresh one is asked for."""

    def __init__(self, browser: Any, folder: Path) -> None:
        self.browser, self.folder = browser, folder
        self.tabs: dict[Any, Any] = {}
        self.wrong: list[str] = []

    def __call__(
        self,
        name: str,
        hash: str = "#answer",
        size: tuple[int, int] = (1280, 900),
        fresh: bool = False,
        **options: Any,
    ) -> Any:
        key = (name, size, *options.items())
        if fresh or key not in self.tabs:
            return self.open(key, name, hash, size, options)
        tab = self.tabs[key]
        tab.mouse.move(2, 2)
        tab.evaluate("to => { location.hash = '#top'; location.hash = to; }", hash)
        tab.wait_for_timeout(60)  # the page follows the link
        return tab

    def open(self, key: Any, name: str, hash: str, size: tuple[int, int], options: Any) -> Any:
        shape = {"width": size[0], "height": size[1]}
        context = self.browser.new_context(viewport=shape, reduced_motion="reduce", **options)
        tab = self.tabs[key] = context.new_page()
        address, wrong = (self.folder / f"{name}.html").as_uri(), self.wrong
        tab.on("console", lambda message: wrong.append(f"console: {message.text}"))
        tab.on("pageerror", lambda error: wrong.append(f"error: {error}"))
        tab.on("dialog", lambda dialog: wrong.append(f"dialog: {dialog.message}"))
        tab.on("request", lambda r: r.url.split("#")[0] == address or wrong.append(r.url[:90]))
        tab.goto(address + hash)
        if options.get("java_script_enabled", True):
            tab.wait_for_selector("html[data-ready]", timeout=15_000)
        return tab


@pytest.fixture(scope="module")
def reader(browser: Any, folder: Path) -> Reader:
    return Reader(browser, folder)


@pytest.fixture
def show(reader: Reader) -> Iterator[Reader]:
    """Open a report; at the end, nothing may have complained or been asked for."""
    reader.wrong.clear()
    yield reader
    assert reader.wrong == []


def cell(tab: Any, head: str, measure: str = "effect", who: str = "all") -> Any:
    site = head.split(":")[0]
    mount = f'.grids[data-site="{site}"][data-measure="{measure}"]'
    return tab.locator(f'{mount} td[data-head="{head}"][data-who="{who}"]')


@pytest.mark.parametrize("name", ["large", "empty", "gaps"])
def test_loads_without_a_complaint(show: Reader, name: str) -> None:
    tab = show(name)
    assert tab.locator("main > section").count() == len(SECTIONS)
    assert tab.locator(".verdict").inner_text()


def test_pointing_at_a_head_shows_its_value_and_links_it(show: Reader) -> None:
    tab = show("plain")
    head = cell(tab, "encoder:2:1")
    head.scroll_into_view_if_needed()
    head.hover()
    shown = tab.locator("#tip").inner_text()
    assert "encoder 2.1" in shown
    assert "effect 41 % [36 %, 46 %] (n = 60 pairs)" in shown
    assert "attention 0." in shown
    assert tab.locator('.scatter circle[data-head="encoder:2:1"].linked').count() == 1
    tab.mouse.move(2, 2)
    assert tab.locator("#tip").is_hidden()


def test_the_keyboard_walks_a_grid_and_chooses(show: Reader) -> None:
    tab = show("plain")
    cell(tab, "encoder:0:0").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        tab.keyboard.press(key)
    focused = "document.activeElement.dataset.head"
    assert tab.evaluate(focused) == "encoder:2:1"
    assert "effect 41 %" in tab.locator("#tip").inner_text()
    tab.keyboard.press("Enter")
    assert tab.evaluate("location.hash") == "#head-encoder-2.1"
    assert "encoder 2.1" in tab.locator("#chosen").inner_text()
    tab.keyboard.press("Home")
    tab.keyboard.press("ArrowUp")
    assert tab.evaluate(focused) == "encoder:1:0"
    stops = tab.locator('.grids [tabindex="0"]').count()
    assert stops == tab.locator(".grids table").count()  # one stop a grid, not one a head


def test_every_control_is_reached_by_tab_with_a_visible_focus(show: Reader) -> None:
    tab = show("plain", "", fresh=True)
    seen, bare = set(), []
    for _ in range(100):
        tab.keyboard.press("Tab")
        what = tab.evaluate(
            """() => { const e = document.activeElement, s = getComputedStyle(e);
            const inner = [e, ...e.querySelectorAll("rect")].map((n) => getComputedStyle(n));
            const ring = inner.some((i) => parseFloat(i.strokeWidth) >= 3);
            const drawn = s.outlineStyle !== "none" || ring;
            return [e.id || e.className.baseVal || e.className || e.tagName, e.tagName, drawn]; }"""
        )
        seen.add(what[0])
        if not what[2] and what[1] != "BODY":
            bare.append(what)
    assert bare == []
    assert {"skip", "theme", "copy", "search", "stereotype", "pair-head"} <= seen


def test_a_click_opens_a_pair_with_everything_marked(show: Reader) -> None:
    tab = show("plain", "#pair-0")
    row = tab.locator('li[data-pair="3"]')
    assert row.locator(".pair-view").count() == 0
    row.locator(".pair-head").click()
    assert row.locator("mark.cue").first.inner_text() in ("he", "she")
    assert row.locator(".twin").first.locator("mark.noun").first.inner_text() == "secretary"
    assert row.locator("mark.evidence").count() >= 2
    labels = row.locator("rt").all_inner_texts()
    assert {"cue", "noun", "article"} <= set(labels)
    assert "(article) is" in row.locator(".because").first.inner_text()
    assert tab.evaluate("location.hash") == "#pair-3"
    row.locator(".pair-head").press("Enter")
    assert row.locator(".pair-view").count() == 0


def test_a_head_chosen_anywhere_redraws_the_arcs(show: Reader) -> None:
    show("plain", "#head-encoder-2.1")
    tab = show("plain", "#pair-1")
    view = tab.locator('li[data-pair="1"] .attention')
    assert "Head 2.1: the noun gives the cue 0.90" in view.locator(".status").first.inner_text()
    before = view.locator("path.arc").count()
    cell(tab, "encoder:0:7").click()
    assert view.locator("select").input_value() == "encoder:0:7"
    assert "Head 0.7" in view.locator(".status").first.inner_text()
    assert view.locator("path.arc").count() != before
    view.locator("select").select_option("cross:1:2")
    assert "Translation above, source below" in view.locator("figcaption").first.inner_text()
    assert "the step that emits the noun" in view.locator(".status").first.inner_text()


def test_the_words_that_speak_for_the_feminine_form(show: Reader) -> None:
    tab = show("plain", "#pair-1")
    lines = tab.locator('li[data-pair="1"] .salient figure')
    assert lines.count() == 2
    first = lines.first.locator(".part")
    assert first.nth(0).inner_text().split() == ["The", "−0.40"]
    assert lines.first.locator(".part.noun").inner_text().split()[0] == "nurse"
    assert "the integration missed 0.02" in lines.first.inner_text()
    pale, deep = (first.nth(n).evaluate("n => getComputedStyle(n).backgroundColor") for n in (4, 0))
    assert pale != deep


def test_a_token_isolates_its_arcs(show: Reader) -> None:
    show("plain", "#head-encoder-2.1")
    tab = show("plain", "#pair-1")
    figure = tab.locator('li[data-pair="1"] .arc-figure').first
    noun = figure.locator('.token.noun[data-axis="above"]')
    noun.hover()
    assert figure.locator("path.arc:not(.off)").count() == 1
    assert "looks at" in figure.locator(".status").inner_text()
    figure.locator('.token[data-axis="above"]').first.focus()
    tab.keyboard.press("ArrowRight")
    assert "“nurse” looks at" in figure.locator(".status").inner_text()
    tab.keyboard.press("ArrowDown")
    assert "is looked at by" in figure.locator(".status").inner_text()


def test_search_filters_and_pages(show: Reader) -> None:
    tab = show("plain", "#pair-0")
    shown = tab.locator("#shown")
    assert shown.inner_text() == "Pairs 1 to 20 of 60"
    tab.get_by_role("button", name="Next").click()
    assert shown.inner_text() == "Pairs 21 to 40 of 60"
    tab.locator("#search").fill("SECRETARIA late")  # accents and case do not matter
    tab.get_by_text("Pairs 1 to 2 of 2", exact=True).wait_for()
    tab.locator("#search").fill("no such words")
    tab.get_by_text("No pair matches.").wait_for()
    tab.locator("#search").fill("")
    tab.get_by_text("Pairs 1 to 20 of 60", exact=True).wait_for()
    tab.locator('[data-verdict="follows"]').click()
    assert tab.locator('[data-verdict="follows"]').get_attribute("aria-pressed") == "true"
    assert set(tab.locator(".chip").all_inner_texts()) == {"✓ follows the cue"}
    tab.locator("#stereotype").select_option("female")
    nouns = tab.locator(".pair-head .line").all_inner_texts()
    assert nouns
    assert all(any(n in line for n in ("nurse", "secretary", "clerk")) for line in nouns)


def test_scatter_and_violins_speak(show: Reader) -> None:
    tab = show("plain")
    dot = tab.locator('.scatter circle[data-head="encoder:0:7"]')
    dot.focus()
    assert "encoder 0.7" in tab.locator("#tip").inner_text()
    catch = tab.locator('.violins[data-measure="ge"] .catch').first
    assert catch.get_attribute("aria-label").startswith("he: mean 0.")
    catch.focus()
    assert "median" in tab.locator("#tip").inner_text()


def test_dark_by_the_system_and_by_the_button(show: Reader) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    assert show("tiny", color_scheme="dark").evaluate(ground) == "rgb(20, 22, 26)"
    tab = show("tiny", fresh=True)
    assert tab.evaluate(ground) == "rgb(251, 250, 247)"
    tab.locator("#theme").click()
    assert tab.evaluate(ground) == "rgb(20, 22, 26)"
    assert tab.locator("#theme").inner_text() == "Light"
    tab.reload()
    assert tab.evaluate(ground) == "rgb(20, 22, 26)"


@pytest.mark.parametrize(("name", "width"), [("large", 360), ("hostile", 320), ("both", 320)])
def test_a_phone_does_not_scroll_sideways(show: Reader, name: str, width: int) -> None:
    tab = show(name, size=(width, 740))
    for row in range(min(6, tab.locator(".pair-head").count())):
        head = tab.locator(".pair-head").nth(row)
        if head.get_attribute("aria-expanded") == "false":
            head.click()
    assert tab.evaluate("document.documentElement.scrollWidth") == width


def test_hostile_text_is_shown_as_text_and_runs_nothing(show: Reader) -> None:
    tab = show("hostile", "#pair-0")  # an alert would be a complaint
    assert HOSTILE[0] in tab.locator(".kicker").inner_text()
    for index in range(6):
        row = tab.locator(f'li[data-pair="{index}"]')
        if row.locator(".pair-view").count() == 0:
            row.locator(".pair-head").click()
        text = row.locator(".sentence").first.text_content()
        assert text.startswith(HOSTILE[index][:40].strip())
        noun = row.locator(".twin").first.locator("mark.noun").first.inner_text()
        assert noun in ("mechanic", "nurse", "carpenter", "secretary", "driver", "clerk")
    assert tab.locator("main img, main script, main iframe").count() == 0


def test_a_long_sentence_is_shortened_and_opens(show: Reader) -> None:
    tab = show("hostile", "#pair-5")
    sentence = tab.locator('li[data-pair="5"] .sentence').first
    assert len(sentence.text_content()) < 1000
    sentence.locator(".more").click()
    assert len(sentence.text_content()) > 10_000


def test_deep_links(show: Reader) -> None:
    tab = show("plain", "#pair-45", fresh=True)
    assert tab.locator('li[data-pair="45"] .pair-view').count() == 1
    tab.goto(tab.url.split("#")[0] + "#head-cross-1.2")
    tab.wait_for_selector('td.chosen[data-head="cross:1:2"]')


def test_missing_parts_are_said(show: Reader) -> None:
    tab = show("tiny")
    assert "was not measured in this run" in tab.locator("#certainty").inner_text()
    assert "This model has no cross-attention heads." in tab.locator("#heads").inner_text()
    assert "not kept" in tab.locator("#examples").inner_text()


def test_first_paint_and_size_with_many_pairs(show: Reader, folder: Path) -> None:
    assert (folder / "many.html").stat().st_size <= 5_000_000
    tab = show("many", fresh=True)
    entries = "performance.getEntriesByName('first-contentful-paint').map(e => e.startTime)"
    print("first paint:", *tab.evaluate(entries), "ms")  # a busy machine's is nobody's fault
    assert tab.locator(".pair-head").count() == 20  # what makes it quick: the others wait


def test_without_scripts_answer_and_tables_are_there(show: Reader) -> None:
    tab = show("plain", java_script_enabled=False)
    assert "of 48 encoder heads, two carry" in tab.locator("#answer").inner_text()
    assert tab.locator("table.numbers").count() >= 6
    assert tab.locator("#theme").is_hidden()
    assert tab.locator(".first .twin").count() == 2
    for kind in (".grids", ".scatter", ".steps", ".violins"):  # drawn by scripts where there are
        box = tab.locator(f"{kind} svg.still").first.bounding_box()
        assert box, kind
        assert box["width"] > 100, kind
    assert show("plain").locator("svg.still").count() == 0


def test_the_list_prints_whole_on_request(show: Reader) -> None:
    tab = show("plain", "#pair-0", fresh=True)
    tab.evaluate(
        "window.print = () => { window.printed = document.querySelectorAll('.pair-head').length; }"
    )
    tab.locator("#print-all").click()
    assert tab.evaluate("window.printed") == 60
    tab.evaluate("dispatchEvent(new Event('afterprint'))")
    assert tab.locator(".pair-head").count() == 20


def test_details_open_for_the_printer(show: Reader) -> None:
    tab = show("plain", fresh=True)
    assert not tab.get_by_text("norm-H", exact=False).first.is_visible()
    tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert (
        tab.locator("#answer details[open]").count() == tab.locator("#answer details").count() > 0
    )


def test_a_pairs_title_is_a_sentence_that_exists(show: Reader) -> None:
    tab = show("plain", "#pair-0")
    sources = {t["source"] for p in findings(60)["pairs"] for t in p["twins"]}
    for line in tab.locator(".pair-head .line").all():
        own = line.evaluate(
            """n => { const own = n.cloneNode(true); own.querySelector('small')?.remove();
            return own.textContent.trim(); }"""
        )
        assert own in sources


def test_arcs_of_the_end_are_faded(show: Reader) -> None:
    show("plain", "#head-encoder-2.1")
    tab = show("plain", "#pair-1")
    ends = tab.locator('li[data-pair="1"] path.arc.end')
    assert ends.count() > 0
    assert {e.get_attribute("stroke-opacity") for e in ends.all()} == {"0.12"}


def test_a_heap_of_zeros_is_drawn_as_dots(show: Reader) -> None:
    """`gaps` has nothing but zeros: no density, a dot a sentence, all in sight."""
    tab = show("gaps")
    assert tab.locator(".violins .body").count() == 0
    assert tab.locator('.violins[data-measure="ge"] .sample').count() == 27
    assert show("plain").locator('.violins[data-measure="ge"] .body').count() == 3


def test_print_keeps_every_section_and_drops_the_controls(show: Reader, tmp_path: Path) -> None:
    tab = show("plain", color_scheme="dark")
    tab.emulate_media(media="print")
    for section in ("answer", "heads", "accuracy", "certainty", "examples", "method"):
        box = tab.locator(f"#{section}").bounding_box()
        assert box
        assert box["height"] > 100
    assert tab.locator(".top").is_hidden()
    assert tab.locator("#search").is_hidden()
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    made = tab.pdf(path=str(tmp_path / "report.pdf"), format="A4", print_background=True)
    assert made.count(b"/Type /Page\n") >= 4 or made.count(b"/Type /Page") >= 4


PAPER = (688, 1000)  # what A4 leaves between its margins, in pixels of CSS


@pytest.mark.parametrize("name", ["both", "hostile"])
def test_no_table_is_wider_than_the_paper(show: Reader, name: str) -> None:
    tab = show(name, size=PAPER)
    tab.emulate_media(media="print")
    ends = "[...document.querySelectorAll('table')].map(t => t.getBoundingClientRect().right)"
    tables = tab.evaluate(ends)
    assert len(tables) > 8
    assert max(tables) <= PAPER[0] + 1


def test_two_orders_are_told_apart(show: Reader) -> None:
    """Every figure of the heads is of one order, says which, and the pairs can be chosen by it."""
    tab = show("both")
    orders = [m.get_attribute("data-story") for m in tab.locator("#heads [data-site]").all()]
    assert set(orders) == {"cue after", "cue before"}
    assert orders.count("cue after") == orders.count("cue before")
    labels = [t.get_attribute("aria-label") for t in tab.locator("#heads table[role=grid]").all()]
    assert all("cue after the noun" in t or "cue before the noun" in t for t in labels)
    tab.locator("#order").select_option("cue before")
    tab.get_by_text("Pairs 1 to 20 of 25", exact=True).wait_for()
    assert all(
        line.startswith("Because") for line in tab.locator(".pair-head .line").all_inner_texts()
    )
