"""What a cause says of someone: that they wish, need, feel, can, did well or badly."""

from __future__ import annotations

import re
from functools import cache

from cuescope.data.lists import rows

_THING = "thing: "


@cache
def _table() -> list[tuple[str, re.Pattern[str]]]:
    return [(kind, re.compile(said)) for kind, said in rows("predicates.tsv", "cuescope.data.cues")]


def predicate(said: str) -> str:
    """The kind of what is said of someone, or nothing.

    >>> predicate("was very grateful"), predicate("could help"), predicate("wore a hat")
    ('feel', 'able', '')
    """
    return _kind(said, of_things=False)


def of_things(said: str) -> str:
    """The same of what someone has.

    >>> of_things("car broke down"), of_things("idea was very good"), of_things("birthday")
    ('broken', 'good thing', 'feast')
    """
    return _kind(said, of_things=True)


def _kind(said: str, *, of_things: bool) -> str:
    plain = dict(_table())["adverbs"].sub("", said)
    for kind, pattern in _table():
        fits = kind != "adverbs" and kind.startswith(_THING) == of_things
        if fits and pattern.match(plain):
            return kind.removeprefix(_THING)
    return ""
