"""Every sentence of the speed audit: what makes it true, and what makes it false."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from cuescope.audit.knobs import BASELINE, Knobs, Row
from cuescope.audit.settings import SpeedSettings
from cuescope.audit.speed import Measured, Speed
from cuescope.data import simplegen
from cuescope.signature import Signature
from cuescope.stats.value import Value
from said_audit import Audited, share

NAMES = ("BLEU", "chrF", "pro", "anti", "fofc", "mofc", "momc", "fomc")
TEXTS = [item.text for item in simplegen.items("momc")][:5]
SAID = dict.fromkeys(TEXTS, "O médico chegou.")


def ratio(value: float, wide: float = 0.1) -> Value:
    return Value("time", value, value - wide, value + wide, 5, percent=False)


BASE = Measured(
    BASELINE, "", ratio(1, 0), 2.5, {name: share(0.5) for name in NAMES}, {}, SAID, cut=0
)


def knob(time: float = 0.5, key: str = "bs1", **facts: Any) -> Measured:
    """A row; `facts` are its drops, by name, or what a `Measured` has."""
    drops = {name: share(facts.pop(name, 0.0)) for name in NAMES}
    row = Row(key, facts.pop("label", "bs=1"), Knobs(beam=1), ("alone", "stacked"))
    row = replace(row, note=facts.pop("note", ""))
    made = Measured(row, "", ratio(time), 1.0, BASE.values, drops, SAID, cut=0)
    return replace(made, **facts)


def missing(why: str) -> Measured:
    row = Row("ctranslate2", "CTranslate2, int8", Knobs(engine="ctranslate2"), ("alone",))
    return Measured(row, why)


def grid(*rows: Measured, base: Measured = BASE, two: int = 60) -> Callable[[], Speed]:
    counts = {
        "pairs": 40,
        "test sentences": 9,
        "pairs with two people": two,
        "timed sentences": 8,
        "rounds": 5,
        "translations": 1234,
    }
    use = SpeedSettings("m", "a.en", "a.pt")
    return partial(
        Speed, "a model", "pt", "cuescope's lexica", (base, *rows), counts, use, Signature()
    )


def of_base(**values: float) -> Measured:
    return replace(BASE, values=BASE.values | {k: share(v) for k, v in values.items()})


ONE = grid(knob())
SPEED = [
    Audited(
        r"a model, beam 5, in float: BLEU 61\.0 \[56\.0, 66\.0\], correct with the stereotype "
        r"62\.0 % \[.*\], against it 63\.0 % \[.*\]; women in men's occupations \(MoFc\) 64\.0 %",
        grid(base=of_base(BLEU=0.61, pro=0.62, anti=0.63, mofc=0.64)),
        ONE,
    ),
    Audited(
        r"BLEU an undefined share",
        grid(base=replace(BASE, values=BASE.values | {"BLEU": Value("x", np.nan, 0, 1, 0)})),
        ONE,
    ),
    Audited(
        r"^No knob that still translates is clearly faster than the baseline on this machine\.",
        grid(knob(0.95), knob(0.2, "drop1", BLEU=1.0), missing("no engine")),
        ONE,
    ),
    Audited(
        r"^The fastest \(bs=1\) takes 0\.30 \[0\.20, 0\.40\] of the baseline's time\. From the "
        r"baseline to it, BLEU falls by 1\.0 % \[.*\] of itself, pro by 2\.0 % \[.*\], anti by "
        r"3\.0 % \[.*\], MoFc by −4\.0 % \[.*\]\. A fall below 0 is a rise\.",
        grid(knob(0.5), knob(0.3, BLEU=0.01, pro=0.02, anti=0.03, mofc=-0.04)),
        grid(knob(0.2), knob(0.3, BLEU=0.01, pro=0.02, anti=0.03, mofc=-0.04)),
    ),
    Audited(
        r"^Knobs that are clearly faster: 3\. Of them 1 lose relatively more of the accuracy "
        r"against the stereotype than of BLEU; that this accuracy falls at all is clear for 2\.",
        # BLEU that rose with an accuracy that stayed is no loss; slower ones are not counted
        grid(
            knob(BLEU=-0.02, anti=0.0),
            knob(BLEU=0.01, anti=0.3),
            knob(BLEU=0.2, anti=0.1),
            knob(1.5, BLEU=0.0, anti=0.3),
        ),
        grid(
            knob(BLEU=-0.02, anti=0.01),
            knob(BLEU=0.01, anti=0.3),
            knob(BLEU=0.2, anti=0.1),
            knob(1.5, BLEU=0.0, anti=0.3),
        ),
    ),
    Audited(r"^Not run: CTranslate2, int8 \(no engine\)\.", grid(missing("no engine")), ONE),
    Audited(r"^bl w/ CTranslate2, int8 \(not run\)", grid(missing("no engine")), ONE),
    Audited(r"CTranslate2, int8 was not run: no engine\.", grid(missing("no engine")), ONE),
    Audited(r"bs=1: what it does\.", grid(knob(note="what it does")), ONE),
    Audited(
        r"The other noun is of 60 pairs with two people: nothing should turn it\.",
        ONE,
        grid(knob(), two=0),
    ),
    Audited(
        r"The other noun is of SimpleGEN's few pairs with one: nothing", grid(knob(), two=0), ONE
    ),
    Audited(
        r"Of 1,234 translations each, cut off at 2 times the sub-words of their source: "
        r"bl w/ bs=1 1,200\.",
        grid(knob(cut=1200)),
        ONE,
    ),
    Audited(r"sub-words of their source: none\.", ONE, grid(knob(cut=1))),
    Audited(r"sub-words of their source: none \(not known of bl w/ bs=1\)\.",
            grid(knob(cut=None)), ONE),
    Audited(
        r"Seconds of CPU for 100 sentences, on this machine only: baseline \(bl\) 2\.5; "
        r"bl w/ bs=1 7\.0\.",
        grid(knob(seconds=7.0)),
        ONE,
    ),
    Audited(r"^max rel\. % drop$\n37\.5$", grid(knob(0.8), knob(0.625)), grid(knob(0.8))),
    Audited(
        r"^max rel\. % drop$\n20\.0$",
        grid(knob(0.8), knob(0.625, "drop1", label="less", BLEU=0.95)),
        grid(knob(0.8), knob(0.625, "drop1", label="less", BLEU=0.85)),
    ),
    Audited(
        r"as the paper's numbers have it; without less, with less than a tenth of the BLEU\.",
        grid(knob(0.8), knob(0.625, "drop1", label="less", BLEU=0.95)),
        grid(knob(0.8), knob(0.625, "drop1", label="less", BLEU=0.85)),
    ),
    Audited(
        r"^The trends of the figure are of all knobs; without less, with less than a tenth",
        grid(knob(0.8), knob(0.625, "drop1", label="less", BLEU=0.95)),
        grid(knob(0.8), knob(0.625, "drop1", label="less", BLEU=0.85)),
    ),
    Audited(
        r"^less breaks the model: less than a tenth of the baseline's BLEU is left; it counts "
        r"among no knobs above\.",
        grid(knob(), knob(0.2, "drop1", label="less", BLEU=0.95)),
        grid(knob(), knob(0.2, "drop1", label="less", BLEU=0.85)),
    ),
    Audited(
        r"^Knobs that are clearly faster: 1\.",
        grid(knob(), knob(0.2, "drop1", label="less", BLEU=0.95)),
        grid(knob(), knob(0.2, "drop1", label="less", BLEU=0.85)),
    ),
    Audited(
        r"^Relative drops over the drop in time; see the table$", ONE, grid(missing("no engine"))
    ),
    Audited(r"^Relative drops$", ONE, grid(missing("no engine"))),
    Audited(
        r"bs=1: 1 of 5 SimpleGEN sentences are translated otherwise",
        grid(knob(said=SAID | {TEXTS[0]: "A médica chegou."})),
        ONE,
    ),
    Audited(r"^No knob ran\.$", grid(missing("no engine")), ONE),
]  # fmt: skip
ALWAYS_SPEED = (
    "Does speed cost her gender?",
    "Translation is made faster by knobs: a narrower beam, rounder weights, fewer words to choose "
    "from. BLEU may hardly move; here, beside it, how often an occupation has the right gender: "
    "with the stereotype (pro) and against it (anti). MoFc: men's occupations, feminine cue; "
    "likewise MoMc, FoFc, FoMc. Δ: pro less anti.",
    "Each speed-up alone (table 4a): a model",
    "Speed-ups stacked (table 4b): a model",
    "Time: CPU on one core, where the baseline takes 1, geometric mean and interval over 5 "
    "interleaved rounds of 8 sentences. All else in per cent.",
    "max rel. % drop: from the highest to the lowest of the column, as the paper's numbers have "
    "it.",
    "The trends of the figure are of all knobs.",
    "A drop below 0 is a rise. Intervals are paired: the same nouns and templates (for BLEU and "
    "chrF the same sentences) are left out of both.",
    "Relative % drop from the baseline (figure 1): a model",
    "Beside the paper, in per cent: a model",
    "· one file, no network · signature",
    "Speed against bias: a model",
    "Tables 4a and 4b",
    ". SimpleGEN is judged by cuescope's lexica; minimal pairs and the other noun by the lexica. "
    "Intervals are of 95 %, over nouns and templates, for BLEU and chrF over sentences, for times "
    "over rounds. Knobs are of a model that was not trained again for them.",
)
