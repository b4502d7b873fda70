"""What the audits found, in sentences that are true of their numbers."""

from __future__ import annotations

from cuescope.audit.speed import Measured, Speed
from cuescope.stats.shown import shown
from cuescope.stats.value import Value

SPEED = "Does speed cost her gender?"
WHAT = (
    "Translation is made faster by knobs: a narrower beam, rounder weights, fewer words to choose "
    "from. BLEU may hardly move; here, beside it, how often an occupation has the right gender: "
    "with the stereotype (pro) and against it (anti). MoFc: men's occupations, feminine cue; "
    "likewise MoMc, FoFc, FoMc. Δ: pro less anti."
)


def of_share(value: Value) -> str:
    """A share with its interval, for a sentence."""
    if value.number() is None:
        return "an undefined share"
    bounds = (value.low, value.high) if value.sure else (None, None)
    return str(shown(value.value, *bounds, sign=" %", minus="−"))


def _score(value: Value) -> str:
    """BLEU: of a hundred, but no share of anything."""
    return of_share(value).replace(" %", "", 1)


def speed(found: Speed) -> list[str]:
    """The answer for one model: the baseline, the fastest knob, and who loses more."""
    base = found.baseline.values
    lines = [
        f"{found.model}, beam 5, in float: BLEU {_score(base['BLEU'])}, correct with the "
        f"stereotype {of_share(base['pro'])}, against it {of_share(base['anti'])}; women in men's "
        f"occupations (MoFc) {of_share(base['mofc'])}."
    ]
    missing = [one for one in found.rows if one.absent]
    left = [f"Not run: {one.row.label.removeprefix('+')} ({one.absent})." for one in missing]
    whole = [one for one in found.rows[1:] if not one.broken]
    left += [
        f"{one.row.label.removeprefix('+')} breaks the model: less than a tenth of the baseline's "
        "BLEU is left; it counts among no knobs above."
        for one in found.rows
        if one.broken
    ]
    faster = [one for one in whole if one.time is not None and one.time.high < 1]
    if not faster:
        none = "No knob that still translates is clearly faster than the baseline on this machine."
        return [*lines, none, *left]
    fastest = min(faster, key=lambda one: one.time.value if one.time else 1.0)
    lines.append(_fastest(fastest))
    more = [one for one in faster if one.drops["anti"].value > max(0, one.drops["BLEU"].value)]
    sure = [one for one in faster if one.drops["anti"].low > 0]
    lines.append(
        f"Knobs that are clearly faster: {len(faster)}. Of them {len(more)} lose relatively more "
        f"of the accuracy against the stereotype than of BLEU; that this accuracy falls at all is "
        f"clear for {len(sure)}."
    )
    return [*lines, *left]


def _fastest(one: Measured) -> str:
    assert one.time is not None
    time = str(shown(one.time.value, one.time.low, one.time.high, unit="number", digits=2))
    return (
        f"The fastest ({one.row.knobs.words()}) takes {time} of the baseline's time. "
        f"From the baseline to it, BLEU falls by {of_share(one.drops['BLEU'])} of itself, pro by "
        f"{of_share(one.drops['pro'])}, anti by {of_share(one.drops['anti'])}, MoFc by "
        f"{of_share(one.drops['mofc'])}. A fall below 0 is a rise."
    )
