"""Numbers and lists in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cuescope.data.items import Order
from cuescope.models.sites import SITES as SITES
from cuescope.run.findings import Findings, Number, Story
from cuescope.stats.shown import shown

ORDERS: dict[Order, tuple[str, str]] = {  # in a list, at the head of a sentence
    "cue after": ("the cue after the noun", "With the cue after the noun"),
    "cue before": ("the cue before the noun", "With the cue before the noun"),
}
STORIES: dict[Story, str] = {
    "cue after": "the cue after the noun",
    "cue after, own words": "the cue after the noun and the translations parted before it",
    "cue before": "the cue before the noun and the translations alike up to it",
    "cue before, own words": "the cue before the noun and the translations parted before it",
}
_SMALL = "no one two three four five six seven eight nine ten eleven twelve".split()
_PRONOUNS = frozenset("he she him her his hers himself herself they them their themselves".split())


def story_of(findings: Findings, story: Story) -> str:
    """A story in a list; what the translations share is not known where no noun was read."""
    order: Order = "cue after" if story.startswith("cue after") else "cue before"
    return ORDERS[order][0] if findings.get("unread") else STORIES[story]


def percent(
    value: float | None, low: float | None = None, high: float | None = None, digits: int = 0
) -> str:
    """A share with its interval; one decimal where whole numbers would say too little.

    >>> percent(0.414, 0.37, 0.46), percent(0.096, 0.035, 0.238), percent(None)
    ('41 % [37, 46]', '9.6 % [3.5, 23.8]', 'not measured')
    """
    if value is None:
        return "not measured"
    digits = max(digits, decimals(value))
    return str(shown(value, low, high, digits=digits, sign=" %", minus="−"))


def decimals(value: float) -> int:
    """How many decimals a share is told with, in per cent."""
    return 1 if 0 < abs(value) < 0.0995 or 0.99 < value < 1 else 0


def apart(one: Number, other: Number) -> tuple[str, str]:
    """Two shares, with as many decimals as it takes to tell their values apart.

    >>> both = ({"value": v, "low": 0.15, "high": 0.42, "n": 300} for v in (0.2633, 0.2567))
    >>> apart(*both)
    ('26.3 % [15.0, 42.0]', '25.7 % [15.0, 42.0]')
    """
    told = [(share(one, digits), share(other, digits)) for digits in range(3)]
    return next((two for two in told if two[0].split()[0] != two[1].split()[0]), told[0])


def share(number: Number | None, digits: int = 0) -> str:
    """A share of the findings in words; where all or none are counted, redrawing tells no interval.

    >>> share({"value": 1.0, "low": 1.0, "high": 1.0, "n": 84})
    '100 % (all of 84)'
    """
    if number is None:
        return "not measured"
    value, low, high = bounds(number)
    if value in (0.0, 1.0) and low == high:
        return f"{percent(value)} ({'all' if value else 'none'} of {number['n']:,})"
    return percent(value, low, high, digits)


def plain(number: Number | None, digits: int = 2) -> str:
    """An entropy or a ratio with its interval.

    >>> plain({"value": 0.4512, "low": 0.4, "high": 0.5, "n": 9})
    '0.45 [0.40, 0.50]'
    """
    if number is None or number["value"] is None:
        return "not measured"
    value, low, high = bounds(number)
    return str(shown(value or 0.0, low, high, unit="number", digits=digits, minus="−"))


def bounds(number: Number) -> tuple[float | None, float | None, float | None]:
    """Value, low and high; a number of nothing has none."""
    if not number["n"]:
        return None, None, None
    return number["value"], number["low"], number["high"]


def counted(n: int) -> str:
    """A count in a sentence: words up to twelve.

    >>> counted(2), counted(0), counted(1314)
    ('two', 'no', '1,314')
    """
    return _SMALL[n] if 0 <= n < len(_SMALL) else f"{n:,}"


def many(n: int, thing: str) -> str:
    """A number of things.

    >>> many(1, "pair"), many(1200, "pair")
    ('1 pair', '1,200 pairs')
    """
    return f"{n:,} {thing}{'' if n == 1 else 's'}"


def listed(parts: Sequence[str], joint: str = "and") -> str:
    """Parts with commas.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    *before, last = parts or [""]
    return f"{', '.join(before)} {joint} {last}" if before else last


def reasons(found: Mapping[str, int]) -> str:
    """Counts with their reasons, the most frequent first.

    >>> reasons({"too long": 1, "no cue": 4})
    'no cue (4), too long (1)'
    """
    ordered = sorted(found.items(), key=lambda each: -each[1])
    return ", ".join(f"{why} ({count:,})" for why, count in ordered if count)


def model_name(findings: Findings) -> str:
    """The model, and the intervention that was on."""
    on = findings["model"].get("under")
    return f"{findings['model']['name']} under “{on}”" if on else findings["model"]["name"]


def cue_word(findings: Findings, order: Order | None = None) -> str:
    """What the cues of this set (of one order) are called: pronouns, if they all are."""
    words = cues(findings, order=order)
    return "pronoun" if words and all(map(is_pronoun, words)) else "cue"


def is_pronoun(word: str) -> bool:
    """Is it one of those that a cue may be?"""
    return word.casefold() in _PRONOUNS


def cues(findings: Findings, gold: str | None = None, order: Order | None = None) -> set[str]:
    """The cues of a set: of one gender, of one order of noun and cue."""
    return {
        twin["source"][slice(*twin["cue"])].casefold()
        for pair in findings["pairs"]
        if order in (None, pair["order"])
        for twin in pair["twins"]
        if twin["cue"] and gold in (None, twin["gold"])
    }
