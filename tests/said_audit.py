"""What the pages of the audits say, as text; the rows are in said_speed.py and said_couples.py."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple
from unittest.mock import patch

from cuescope.audit.speed import Speed
from cuescope.show.audit import couples
from cuescope.show.audit.page import speed_page
from cuescope.stats.value import Value
from sentences import of_page


class Audited(NamedTuple):
    """A sentence, an audit of which it is true, and one of which it is false."""

    pattern: str
    true: Callable[[], Any]
    false: Callable[[], Any]


@cache
def told(make: Callable[[], Any]) -> str:
    """All that the page of an audit says; a picture says what it is called."""
    found = make()

    def named(_: Any, text: str) -> str:
        return f"<p>{text}</p>"

    with (
        patch("cuescope.show.audit.page.picture", named),
        patch("cuescope.show.audit.couples.picture", named),
        patch("cuescope.show.figures.drops.drops", lambda _: None),
        patch("cuescope.show.audit.couples.figure", lambda _: None),
    ):
        speed = isinstance(found, Speed)
        return of_page(speed_page([found]) if speed else couples.couples_page(found))


def share(value: float, wide: float = 0.05) -> Value:
    return Value("x", value, value - wide, value + wide, 40)
