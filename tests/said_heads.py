"""Every sentence on heads, checks, circuit and the other person: what makes it true, or not."""

from __future__ import annotations

from typing import Any

from findings_of import findings, number
from sentences import Change, Said, all_of, nothing, put, site, site_put, within
from test_circuit import made_up


def measure(name: str, *numbers: float) -> Change:
    """Of the other person's noun."""
    words = {"label": name, "says": "so.", "unit": "share"}
    return lambda f: f["measures"].update({name: {**number(*numbers), **words}})


others = all_of(measure("other_turns", 0.1), measure("other_she", 0.3), measure("other_he", 0.2))


def off_target(found: Any) -> None:
    grid = site(found)["effect"]["all"]
    parts = {"on": grid, "off": grid, "spill": grid, "whole": number(0.3, n=20)}
    told = {"story": "cue after", "pairs": 20, "skipped": {}, "sites": {"encoder": parts}}
    found["selectivity"] = told


def story(name: str) -> Change:
    """The heads of the only story are of another one."""

    def change(found: Any) -> None:
        found["heads"] = {name: next(iter(found["heads"].values()))}

    return change


HEADS = [
    Said(
        r"How much the noun looks at the cue\. A dot marks heads above the uniform share\. Split",
        nothing,
        site_put(attention=None),
    ),
    Said(
        r"How much the step at which the gender is chosen looks at the cue\.",
        nothing,
        site_put("cross", attention=None),
    ),
    Said(
        r"^Attention, noun\nThe same at the steps that emit the noun's own sub-words",
        nothing,
        site_put("cross", attention_at_noun=None),
    ),
    Said(
        r"The share of the gap between the twins that returns when this head alone speaks as in "
        r"the twin; 100 % is the whole gap\. .* carry the cue show their number\.",
        nothing,
        put(heads={}),
    ),
    Said(
        r"The causal effect as a gradient estimates it",
        nothing,
        all_of(site_put(attribution=None), site_put("cross", attribution=None)),
    ),
    Said(
        r"Effects on two halves of the pairs: ρ = 0\.97 \[0\.90, 0\.99\], mean and range of 100 "
        r"splits\. Over the heads, attention and effect: ρ = 0\.27",
        nothing,
        all_of(site_put(halves=None), site_put("cross", halves=None)),
    ),
    Said(
        r"^Attention against effect",
        nothing,
        all_of(site_put(attention=None), site_put("cross", attention=None)),
    ),
    Said(
        r"^The fewest heads that carry it",
        nothing,
        all_of(site_put(together=None), site_put("cross", together=None)),
    ),
    Said(
        r"The cue stands in the source, where these heads do not look\.",
        lambda f: f["heads"]["cue after"].update(decoder=site(f) | {"attention": None}),
        lambda f: f["heads"]["cue after"].pop("decoder"),
    ),
    Said(
        r"attention \(at the choice\) and effect: ρ = 0\.27 .*; attribution and effect: ρ = 0\.99",
        nothing,
        site_put("cross", agreements=[]),
    ),
    Said(r"^The strongest heads", nothing, put(heads={})),
    *(
        Said(rf"With {told}: of 48 encoder heads, two carry", story(name), story("cue after"))
        for name, told in (
            (
                "cue after, own words",
                "the cue after the noun and the translations parted before it",
            ),
            ("cue before", "the cue before the noun and the translations alike up to it"),
            (
                "cue before, own words",
                "the cue before the noun and the translations parted before it",
            ),
        )
    ),
    # -- checks
    Said(
        r"No head is said to carry the cue in this run, or the checks were not made\.",
        put(cards=[]),
        put(cards=findings(60)["cards"]),
    ),
    Said(
        r"^Measured on 24 pairs with 9 nouns\. Passes: see when pointing at a check\.",
        nothing,
        lambda f: [one.update(measured_on="3 pairs with 2 nouns") for one in f["cards"]],
    ),
    Said(
        r"^encoder 2\.1\n1 of 2 passed",
        nothing,
        lambda f: [one.update(checks=one["checks"][:1]) for one in f["cards"]],
    ),
    Said(
        r"^fails\ninto male 40 % \[30, 50\]into female 1\.0 % \[−10\.0, 10\.0\]not into the female",
        nothing,
        lambda f: [one["checks"][1].update(verdict="passes", why="") for one in f["cards"]],
    ),
    Said(
        r"^Besides the heads, by layer\nlayer\nfeed-forward, everywhere\nat the noun\nat the cue\n"
        r"all that leaves the layer, at the noun\nat the cue\ndecoder's feed-forward\n",
        nothing,
        put(blocks={}),
    ),
    Said(
        r"What returns of the gap, in per cent of it, when a block of a layer speaks as in the "
        r"twin: 60 pairs\. Heads move the cue",
        nothing,
        within("blocks", "cue after", pairs=9),
    ),
    # -- circuit
    Said(
        r"^The way of the cue",
        put(circuit=made_up()),
        put(circuit=None),
    ),
    Said(
        r"No circuit: no head is known to carry the cue in this run, or it was not measured\.",
        put(circuit=None),
        put(circuit=made_up()),
    ),
    Said(
        r"What the heads that carry the cue pass to each other, on 24 pairs with the cue after the "
        r"noun, none of them among those on which the heads were found; patched both ways\.$",
        put(circuit=made_up()),
        within("circuit", apart=False),
    ),
    Said(
        r"those on which the heads were found among them, as there are too few others; patched "
        r"both ways\. Left out: twins of different length \(3\)\.",
        put(circuit=made_up() | {"apart": False, "skipped": {"twins of different length": 3}}),
        within("circuit", skipped={}),
    ),
    Said(
        r"Total: the share of the gap .* points to the cue's own gender\.",
        put(circuit=made_up()),
        put(circuit=None),
    ),
    Said(
        r"The sender speaks as in the twin, .* positions where 1 % or more passes\.",
        put(circuit=made_up()),
        put(circuit=None),
    ),
    # -- the other person
    Said(
        r"The pronoun is not about the other person of the sentence\. Their noun is feminine in "
        r"30 % \[25, 35\] of 50 pairs under she and in 20 % \[15, 25\] under he; it turns with the "
        r"cue in 10 % \[5, 15\]\.",
        others,
        measure("other_he", 0.25),
    ),
    Said(
        r"The focus noun does not move in these pairs: there is nothing to set that against\.",
        others,
        measure("spill", 0.4),
    ),
    Said(
        r"a spill-over of 0\.40 \[0\.20, 0\.60\]: the cue turns mostly whom it is about\.",
        all_of(others, measure("spill", 0.4, 0.2, 0.6)),
        measure("spill", 0.4, 0.2, 1.0),
    ),
    Said(
        r"Against the focus noun that is a spill-over of .*: the other noun moves too, and perhaps "
        r"as much\.",
        all_of(others, measure("spill", 0.8, 0.4, 1.2)),
        measure("spill", 0.8, -0.1, 1.2),
    ),
    Said(
        r"a spill-over of 0\.00: without an interval, it cannot be said whether the cue knows whom",
        all_of(others, measure("spill", 0.0), within("measures", "spill", low=None, high=None)),
        measure("spill", 0.0, -0.5, 1.2),
    ),
    Said(
        r"too wide an interval to say whether the cue knows whom it is about\.",
        all_of(others, measure("spill", 0.8, -0.1, 1.2)),
        measure("spill", 0.8, 0.1, 1.2),
    ),
    Said(
        r"the other noun moves more than the one it is about\.",
        all_of(others, measure("spill", 1.8, 1.1, 2.4)),
        measure("spill", 1.8, 0.9, 2.4),
    ),
    Said(
        r"No sentence of this set names another person of open gender, or none was asked for\.",
        nothing,
        others,
    ),
    Said(
        r"Pairs in no count of the other noun: not found \(2\)\.",
        all_of(others, put(others_left_out={"not found": 2})),
        put(others_left_out={}),
    ),
    Said(
        r"What the heads do to the other noun was not measured\.",
        nothing,
        off_target,
    ),
    Said(
        r"^Heads that carry the cue, on target and off\n(.*\n)*?encoder: the cue itself\n100\.0\n"
        r"–\n0\.30 \[0\.25, 0\.35\]\nencoder 2\.1\n41\.0",
        off_target,
        lambda f: f["selectivity"]["sites"]["encoder"].update(whole=number(0.5)),
    ),
    Said(
        r"On: the share of the gap .* is selective\. 20 pairs with the cue after the noun, patched "
        r"both ways\.",
        off_target,
        within("selectivity", pairs=21),
    ),
]
