"""On target and off: planted heads by hand, and a run about the other people of its sentences."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import torch

import cuescope as cs
from cuescope.data.contrast import pair
from cuescope.errors import Unfit
from cuescope.measures.off_target import off_target
from cuescope.run import stages
from cuescope.run.others import both_choices
from cuescope.show.report import render
from cuescope.stats.scores import Scores
from test_other_noun import item

PAIRS = 40
BOTH, ONE, OTHER, NOISE = (0, 0), (0, 1), (1, 0), (1, 1)  # planted heads
SHARES = {BOTH: (0.5, 0.5), ONE: (0.3, 0.0), OTHER: (0.0, 0.4), NOISE: (0.0, 0.0)}


def planted(noise: float = 0.0):
    """Heads that move both nouns, one, the other, none; the other noun's gap is half as large."""
    rng = np.random.default_rng(1)
    gap = rng.uniform(1, 3, PAIRS)
    rows = pd.DataFrame({"pair": range(PAIRS), "noun": [f"n{i % 10}" for i in range(PAIRS)]})
    on, off = {}, {}
    for side, sign in (("male", 1.0), ("female", -1.0)):
        mine, theirs = (np.zeros((PAIRS, 2, 2)) for _ in range(2))
        for head, (here, there) in SHARES.items():
            mine[:, *head] = here * sign * gap + noise * rng.normal(size=PAIRS)
            theirs[:, *head] = there * sign * gap + noise * rng.normal(size=PAIRS)
        ours = rows.assign(gap=sign * gap)
        scale = sign * gap.mean()
        on[side] = Scores(
            mine / scale, "encoder", "effect", ours, unit="pair", per=gap / gap.mean()
        )
        beside = rows.assign(gap=sign * gap / 2)
        off[side] = Scores(theirs, "encoder", "effect", beside, unit="pair")
    return on, off, {n: f"o{n % 7}" for n in range(PAIRS)}


def test_planted_heads_by_hand():
    found = off_target(*planted())
    for head, (here, there) in SHARES.items():
        assert found.on.values[head] == pytest.approx(here)
        assert found.off.values[head] == pytest.approx(there)
    assert found.spill.values[BOTH] == pytest.approx(1)
    assert found.spill.values[ONE] == pytest.approx(0)
    assert np.isinf(found.spill.values[OTHER])  # something over nothing: no spill-over of a share
    assert found.whole.value == pytest.approx(0.5)
    assert found.on.over == "7 other nouns × 10 nouns"


def test_intervals_tell_them_apart():
    found = off_target(*planted(noise=0.3))
    assert found.spill.low[BOTH] > 0.6
    assert found.spill.high[ONE] < 0.4
    assert found.off.low[OTHER] > 0.2
    assert found.on.low[NOISE] < 0 < found.on.high[NOISE]
    one = found.head(*BOTH)
    assert one["on"].low < 0.5 < one["on"].high


def test_only_pairs_that_have_both():
    on, off, names = planted()
    fewer = {side: one.take(np.arange(5)) for side, one in off.items()}
    assert off_target(on, fewer, names).on.n == 5
    with pytest.raises(Unfit, match="both nouns"):
        off_target(on, {side: one.take([]) for side, one in off.items()}, names)


FRAMES = [
    ("The {} called the {} because {} was late.", "mechanic", "cook"),
    ("The {} thanked the {} because {} was grateful.", "lawyer", "nurse"),
    ("The {} visited the {} because {} was lonely.", "farmer", "engineer"),
    ("The {} helped the {} because {} was kind.", "teacher", "manager"),
]


@pytest.fixture(scope="module")
def run(firefox):
    made = []
    for number, (frame, noun, other) in enumerate(FRAMES):
        she, he = (
            item(frame.format(noun, other, cue), noun, cue, gold)
            for cue, gold in (("she", "female"), ("he", "male"))
        )
        made.append(pair(he, she, number))
    return cs.investigate(firefox, made, heads=8, sites=("encoder",))


@pytest.mark.model
def test_a_run_about_the_others(run):
    others = run.others
    assert [one.pro.noun for one in others.pairs] == [other for *_, other in FRAMES]
    for one, beside in zip(run.twins, others.twins, strict=True):
        assert beside.contrast.step > one.contrast.step  # the other noun comes later


@pytest.mark.slow
@pytest.mark.model
def test_off_target_is_a_patch_towards_the_other_noun(run):
    """The stage against one head at a time, patched by hand, at the other noun's own choice."""
    found = stages.measure(run, only=("effect", "others"))["others"]["encoder"]
    twins, story = both_choices(run)
    assert story == "cue after"
    assert len(twins) >= 3  # of a pair whose focus noun turns, the twins part before the other
    head = (2, 1)
    changes, gaps = {}, {}
    for side in ("male", "female"):
        changes[side], gaps[side] = by_hand(run, twins, side, head)
    there = {one.pair.index for one in twins}
    plain = [one for one in run.twins if one.pair.index in there]
    focus = {side: by_hand(run, plain, side, head) for side in changes}
    means = {side: gap.mean() for side, (_, gap) in focus.items()}
    off = np.mean([changes[side].mean() / means[side] for side in means])
    on = np.mean([focus[side][0].mean() / means[side] for side in means])
    assert found.off.values[head] == pytest.approx(off, abs=1e-4)
    assert found.on.values[head] == pytest.approx(on, abs=1e-4)
    whole = np.mean([gaps[side].mean() / means[side] for side in means])
    assert found.whole.value == pytest.approx(whole, abs=1e-4)


def by_hand(run, twins, side, head):
    """Change and gap of each pair: one sentence, one head, one forward at a time."""
    changes, gaps = [], []
    for one in twins:
        choice = one.at(side)

        def leans(text, choice=choice):
            batch = run.mt.batch([text])
            forced = torch.tensor([[*choice.prefix, choice.feminine]])
            with torch.no_grad():
                states = run.mt.engine.encode(batch.ids, batch.mask)
                inputs = run.mt.decoder_inputs(forced)
                hidden = run.mt.engine.decode(states, batch.mask, inputs)
                at = run.mt.engine.project(hidden)[0, choice.step]
            return float(at[choice.feminine] - at[choice.masculine])

        mine = getattr(one, side).item.text
        theirs = getattr(one, "female" if side == "male" else "male").item.text
        base = leans(mine)
        with run.mt.patched([one], encoder=[head], into=side):
            changes.append(leans(mine) - base)
        gaps.append(leans(theirs) - base)
    return np.array(changes), np.array(gaps)


@pytest.mark.slow
@pytest.mark.model
def test_it_is_found_and_shown(run):
    found = stages.findings(run, only=("effect", "others"))
    told = found["selectivity"]
    assert told["pairs"] >= 3
    assert told["pairs"] + sum(told["skipped"].values()) == len(FRAMES)
    assert set(told["sites"]) == {"encoder"}
    page = render(found)
    assert "on target and off" in page
    assert "is not about the other person" in page
    assert "encoder: the cue itself" in page.replace("Encoder", "encoder")
