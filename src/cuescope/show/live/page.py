"""The live page: the report's components around a sentence that can be typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuescope.show.live.explore import COMPONENTS, PARTS
from cuescope.show.live.look import LONGEST, Asked, look
from cuescope.show.live.server import Server
from cuescope.show.report.page import page
from cuescope.stats.html import escape
from cuescope.stats.palette import SCALES

if TYPE_CHECKING:
    from cuescope.inside.translator import Translator

FIRST = "The mechanic called because she was late."


def serving(
    mt: Translator, *, port: int = 0, lang: str | None = None, first: str = FIRST
) -> Server:
    """A server of the live page; `serve_forever` starts it, and nothing leaves this machine."""

    def ask(given: Any) -> dict[str, Any]:
        return look(mt, Asked.of(given), lang)

    return Server(live_page(mt, first), ask, port)


def live_page(mt: Translator, first: str) -> str:
    """The page before any question: the form, and places for what comes."""
    sites = {site: list(shape) for site, shape in mt.sites.items()}
    body = (
        '<main class="wrap" id="live-page"><h1>One sentence, live</h1>'
        f'<p class="note">{escape(mt.name)}, on this machine. Nothing is sent anywhere else.</p>'
        '<form id="ask"><label for="text">Sentence</label>'
        f'<input id="text" name="text" autocomplete="off" maxlength="{LONGEST}" '
        f'value="{escape(first)}"><label for="noun">Noun</label>'
        '<input id="noun" name="noun" autocomplete="off" placeholder="found by rule">'
        '<button type="submit">Translate</button></form>'
        '<div id="swap" class="chips" role="group" aria-label="Pronoun"></div>'
        '<p id="wrong" role="alert" hidden></p>'
        '<section id="found" aria-live="polite"></section>'
        '<section id="edits"></section><section id="figures"></section>'
        '<noscript><p class="note">This page needs JavaScript.</p></noscript></main>'
        f"{PARTS}"
    )
    return page(
        f"{mt.name} live · cuescope",
        body,
        data={"heads": {}, "maps": None, "scales": SCALES, "sites": sites},
        styles=["report.css", "explore.css", "live.css"],
        scripts=[f"{name}.js" for name in (*COMPONENTS, "marked", "sentence", "live")],
        connect="'self'",
    )
