"""The circuit of a run: its document, its picture and its figure."""

from __future__ import annotations

import json
import re

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("Agg")
import matplotlib.pyplot as plt

import cuescope as cs
from cuescope.errors import CueScopeError
from cuescope.inside.effect.edges import Node, flow
from cuescope.run.circuit import Circuit
from cuescope.show.circuit import SEEN, WIDEST, drawn, strongest
from cuescope.show.figures import circuit as figure
from cuescope.show.report import render
from cuescope.signature import Signature
from findings_of import findings, number

HEADS = {"encoder": [(0, 7), (2, 1)], "cross": [(1, 2)]}


def head(site, layer, number_, total, direct):
    return {
        "name": f"{site} {layer}.{number_}",
        "site": site,
        "layer": layer,
        "head": number_,
        "total": number(total, total - 0.1, total + 0.1, 24),
        "direct": number(direct, direct, direct, 24),
        "looks": {"noun": {"cue": 0.6, "noun": 0.05, "end": 0.3, "other": 0.05}},
        "words": {"noun": [{"word": "<she>", "weight": 0.6, "n": 12}]},
        "writes": {"noun": number(0.3, 0.2, 0.4, 24)},
    }


def edge(sender, receiver, by, value, where="all"):
    effect = number(value, value - 0.05, value + 0.05, 24)
    return {"sender": sender, "receiver": receiver, "by": by, "where": where, "effect": effect}


def made_up():
    return {
        "story": "cue after",
        "pairs": 24,
        "apart": True,
        "skipped": {},
        "heads": [
            head("encoder", 0, 7, 0.4, 0.0),
            head("encoder", 2, 1, 0.5, 0.0),
            head("cross", 1, 2, 0.9, 0.9),
        ],
        "edges": [
            edge("encoder 0.7", "encoder 2.1", "value", 0.01),
            edge("encoder 0.7", "cross 1.2", "value", 0.25),
            edge("encoder 2.1", "cross 1.2", "value", 0.5),
            edge("encoder 2.1", "cross 1.2", "key", -0.1),
            edge("encoder 2.1", "cross 1.2", "value", 0.48, "noun"),
        ],
    }


def test_what_is_drawn():
    drawing = drawn(made_up())
    places = {dot.label: dot for dot in drawing.dots}
    assert {"cue", "noun", "end", "0.7", "2.1", "1.2"} <= set(places)
    assert places["noun"].y > places["0.7"].y > places["2.1"].y > places["1.2"].y
    paths = [line for line in drawing.lines if line.kind == "path"]
    assert sorted(line.share for line in paths) == [0.25, 0.5, 0.9]  # 1 % is below what is drawn
    assert min(abs(line.share) for line in paths) >= SEEN
    assert {line.width / line.share for line in paths} == {WIDEST}
    assert strongest(made_up())["encoder 2.1", "cross 1.2"]["by"] == "value"


def test_picture_on_the_first_screen():
    found = findings(24)
    found["circuit"] = made_up()
    page = render(found)
    first = page[: page.index('id="heads"')]
    svg = re.search(r"<svg.*?</svg>", first, re.S)
    assert svg
    assert svg[0].count("<circle") == 3
    assert "style=" not in svg[0]  # the page's policy lets no inline style through
    assert "&lt;she&gt; 60 % (12)" in page
    assert "<she>" not in page
    assert page.count('id="circuit"') == 1


def test_without_a_circuit_it_is_said():
    page = render(findings(24))
    assert "<svg viewBox" not in page[: page.index('id="heads"')]
    assert "No circuit" in page


def test_figure():
    axes = figure(Circuit(made_up(), Signature()))
    assert len(axes.collections) == 3  # heads
    assert {text.get_text() for text in axes.texts} >= {"25 % value", "90 %", "cue"}
    plt.close("all")
    with pytest.raises(CueScopeError, match="nothing to draw"):
        figure(Circuit(made_up() | {"heads": []}, Signature()))


@pytest.mark.slow
@pytest.mark.model
def test_circuit_of_a_run(firefox):
    """The document says what `flow` says, both directions together; it is plain JSON."""
    run = cs.investigate(firefox, cs.pairs("simplegen")[3:700:100], heads=4)
    found = run.circuit(HEADS, pairs=4)
    told = found.document
    assert json.loads(json.dumps(told)) == told
    assert not told["apart"] or told["pairs"] == 4
    heads = {one["name"]: one for one in told["heads"]}
    assert heads["cross 1.2"]["direct"]["value"] == pytest.approx(
        heads["cross 1.2"]["total"]["value"], abs=1e-4
    )
    for one in heads.values():
        for spots in one["looks"].values():
            assert sum(spots.values()) == pytest.approx(1, abs=1e-3)
    assert set(found.edges()["receiver"]) == {"encoder 2.1", "cross 1.2"}
    with pytest.raises(CueScopeError):
        run.circuit({"encoder": [(99, 0)]})
    with pytest.raises(CueScopeError, match="no circuit"):
        run.circuit()  # four pairs: no head is known to carry anything
    nodes = [Node(site, *at) for site, some in HEADS.items() for at in some]
    wanted = [one for one in run.twins if one.like_length and one.pair.pro.order == "cue after"]
    wanted = [one for one in wanted if one.female_own is None]
    if told["pairs"] == len(wanted):
        by_hand = []
        for side in ("male", "female"):
            flows = flow(firefox, wanted, nodes, side)
            by_hand.append(flows.total[nodes[1]].mean() / flows.gap.mean())
        assert heads["encoder 2.1"]["total"]["value"] == pytest.approx(np.mean(by_hand), abs=1e-6)
