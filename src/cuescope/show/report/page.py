"""The shell of every page: head, style, theme, print, escaping. One file, and no request ever."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

from cuescope.stats.html import escape

_BREAKS = str.maketrans({c: f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"})


def page(
    title: str,
    body: str,
    *,
    data: Any = None,
    styles: Sequence[str] = (),
    scripts: Sequence[str] = (),
    connect: str = "'none'",
) -> str:
    """A whole page: `body` is HTML, `styles` and `scripts` are names of files beside this one.

    `data` is put into `<script id="data">` as JSON. The policy lets nothing run but these very
    scripts (by hash) and nothing be fetched, but from where `connect` says.

    >>> "<title>A &lt; B</title>" in page("A < B", "<main></main>")
    True
    """
    early = static("theme.js")
    inner = "".join(static(name) for name in scripts)
    late = f"(() => {{\n{inner}}})();" if inner else ""  # one scope, and none of the page's
    style = "\n".join(static(name) for name in ("page.css", *styles))
    policy = (
        f"default-src 'none'; connect-src {connect}; img-src data:; base-uri 'none'; "
        "form-action 'none'; "
        f"style-src {_hash(style)}; script-src {' '.join(_hash(s) for s in (early, late) if s)}"
    )
    told = (
        "" if data is None else f'<script id="data" type="application/json">{embed(data)}</script>'
    )
    return "".join(
        (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            '<meta name="color-scheme" content="light dark">\n',
            '<meta name="referrer" content="no-referrer">\n',
            '<link rel="icon" href="data:,">\n',
            f"<title>{escape(title)}</title>\n",
            f"<style>{style}</style>\n<script>{early}</script>\n</head>\n<body>\n",
            body,
            f"\n{told}\n",
            f"<script>{late}</script>\n" if late else "",
            "</body>\n</html>\n",
        )
    )


def frame(sections: Mapping[str, str], main: str, footer: str) -> str:
    """What every page has around its sections (id → name): the way in, the bar above, the foot."""
    links = "".join(f'<li><a href="#{key}">{name}</a></li>' for key, name in sections.items())
    return (
        '<a class="skip" href="#main">Skip to the content</a>'
        '<header class="top"><div class="wrap"><a class="brand" href="#main">cuescope</a>'
        f'<nav aria-label="Sections"><ul>{links}</ul></nav>'
        '<button id="theme" type="button" class="needs-js">Dark</button></div></header>'
        f'<main id="main" class="wrap">{main}</main>'
        f'<footer><div class="wrap">{footer}</div></footer>'
    )


def prose(line: str) -> str:
    """Escaped text in which a number stays on the line of its sign, an interval on one line.

    >>> prose("5 % < 6 % [5, 7]")
    '5\\xa0% &lt; 6\\xa0% [5,\\xa07]'
    """
    text = re.sub(r"\[([^\[\]]*), ([^\[\]]*)\]", "[\\1,\N{NO-BREAK SPACE}\\2]", escape(line))
    return text.replace(" %", "\N{NO-BREAK SPACE}%").replace("= ", "=\N{NO-BREAK SPACE}")


def embed(data: Any) -> str:
    """JSON that no text in it can end: `</script>`, `<!--` and line separators are escaped.

    >>> embed({"a": "</script>"})
    '{"a":"\\\\u003c/script\\\\u003e"}'
    """
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.translate(_BREAKS)


def static(name: str) -> str:
    """A style or script of this package."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
