"""The card tells planted heads apart; each check fails where it should."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import planted_heads
from cuescope.inside.effect.card_sets import random_sets
from cuescope.inside.effect.patch import patch
from cuescope.inside.effect.sets import greedy, split
from cuescope.inside.options import Patching
from cuescope.measures import card_rules as rules
from cuescope.measures.card import CHECKS, Card
from cuescope.measures.carriers import Carrier, carriers
from cuescope.measures.off_target import off_target
from cuescope.run.card import Bench
from cuescope.stats.scores import both_ways
from cuescope.stats.value import Value
from sentences import fragments


def bench_of(mt):
    """As a run makes it, of twins with given forms."""
    twins = planted_heads.made(mt)
    mine, others = split(twins)
    sides = {
        side: patch(mt, twins, how=Patching(into=side))["encoder"] for side in ("male", "female")
    }
    effects = {**sides, "all": both_ways(**sides)}
    chosen = [(step.layer, step.head) for step in greedy(mt, mine, most=6, least=0.02)]
    pairs = {one.pair.index for one in mine}
    kept = effects["all"]
    frames = kept.split("template")
    return Bench(
        mt, "cue after", pairs, others, {"encoder": effects}, {"encoder": chosen},
        {"encoder": {f"frame {at}": frame for at, frame in enumerate(frames.values())}},
        {"encoder": beside(mt, sides)},
    )  # fmt: skip


def beside(mt, sides):
    """What every head does to the other person, on the same pairs."""
    there = planted_heads.made(mt, other=True)
    how = {side: Patching(into=side, normalise="none") for side in sides}
    off = {side: patch(mt, there, how=one)["encoder"] for side, one in how.items()}
    return off_target(sides, off, {one.pair.index: planted_heads.OTHER_NOUN for one in there})


def cards_of(bench):
    heads = carriers({"encoder": bench.effects["encoder"]["all"]})["encoder"]
    return {card.name: card for card in bench.cards("encoder", heads)}


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    return bench_of(planted_heads.build(tmp_path_factory.mktemp("planted")))


@pytest.fixture(scope="module")
def cards(bench):
    return cards_of(bench)


def test_the_set_is_what_was_planted(bench):
    assert set(bench.sets["encoder"]) == {(0, 0), (1, 0), (1, 1)}


def test_a_head_that_carries_passes(cards):
    card = cards["0.0"]
    verdicts = {check.name: check.verdict for check in card.checks}
    assert verdicts.pop("no head") in ("passes", "fails")  # all choices are right: nothing to turn
    assert set(verdicts.values()) == {"passes"}, card
    assert [check.name for check in card.checks] == list(CHECKS)
    effect = card["carries"].numbers["effect"].value
    assert effect == pytest.approx(0.6, abs=0.06)  # 0.6 of 0.6 + 0.4
    assert card["ablation"].numbers["zero"].value == pytest.approx(0.6, abs=0.06)


def test_a_head_that_only_looks_fails(cards):
    card = cards["0.1"]
    names = ("carries", "directions", "held out", "ablation", "dose", "same answer", "minimal")
    for name in (*names, "transfer", "blocks"):
        assert card[name].verdict == "fails", card


def test_noise_fails(cards):
    for name in ("0.2", "0.3", "1.2", "1.3"):
        assert cards[name]["carries"].verdict == "fails", cards[name]
        assert cards[name]["held out"].verdict == "fails"
        assert cards[name]["minimal"].verdict == "fails"


def test_doubled_heads_carry_it_and_are_not_missed(cards):
    for name in ("1.0", "1.1"):
        card = cards[name]
        assert card["carries"].verdict == "passes", card
        assert card["carries"].numbers["effect"].value == pytest.approx(0.2, abs=0.04)
        assert card["ablation"].verdict == "fails", card
        assert card["ablation"].numbers["zero"].value == pytest.approx(0.0, abs=0.02)
        assert card["dose"].verdict == "fails"
        assert card["blocks"].verdict == "fails"  # the block that joins them restores twice as much


@pytest.mark.slow
def test_what_later_heads_take_back_is_seen(tmp_path):
    card = cards_of(bench_of(planted_heads.build(tmp_path, doubled=0.0, taken_back=0.7)))["0.0"]
    assert card["repair"].verdict == "fails", card
    lost, frozen = (card["repair"].numbers[n].value for n in ("lost", "frozen"))
    assert lost == pytest.approx(1.0, abs=0.1)  # of the gap that is left: 0.3 of what it writes
    assert frozen == pytest.approx(lost / 0.3, rel=0.1)


@pytest.mark.slow
def test_a_head_that_moves_both_people_is_not_selective(cards, tmp_path):
    card = cards_of(bench_of(planted_heads.build(tmp_path, doubled=0.0, both=True)))["0.0"]
    assert card["carries"].verdict == "passes"
    assert card["selective"].verdict == "fails", card
    on, off = (card["selective"].numbers[name].value for name in ("on target", "off target"))
    assert off == pytest.approx(on, rel=0.1)
    assert cards["0.0"]["selective"].numbers["off target"].value == pytest.approx(0.0, abs=0.02)


def test_a_set_without_its_best_head_is_one_of_many(bench):
    poor = Bench(
        bench.mt, bench.story, bench.chosen, bench.held, bench.effects,
        {"encoder": [(0, 1), (0, 2), (1, 3)]}, {}, {},
    )  # fmt: skip
    found = cards_of(poor)
    card = found["0.1"]
    for name in ("random", "faithful", "complete", "minimal"):
        assert card[name].verdict == "fails", card
    outside = found["0.0"]
    assert [outside[n].verdict for n in ("random", "faithful", "complete")] == ["not measured"] * 3
    assert outside["minimal"].verdict == "fails"
    assert card["transfer"].verdict == "not measured"


def test_a_card_is_told_and_kept(cards):
    card = cards["0.0"]
    again = Card.from_json(card.to_json())
    assert repr(again) == repr(card)
    assert "passes" in repr(card)
    assert "0.0" in card._repr_html_()
    assert card["dose"].question.asks in str(card.to_json())


def test_random_sets_are_as_large_and_in_the_same_layers():
    chosen = [(0, 1), (2, 3), (2, 4)]
    drawn, told = random_sets(chosen, 6, 8, 200)
    assert len({frozenset(one) for one in drawn}) == len(drawn) == 200
    assert told == "200 random sets of 3 in the same layers"
    assert all(sorted(layer for layer, _ in one) == [0, 2, 2] for one in drawn)
    assert set(chosen) not in map(set, drawn)
    few, told = random_sets([(0, 1), (2, 3)], 6, 8, 200)
    assert (len(few), told) == (200, "200 random sets of 2 in any layers")
    assert random_sets(chosen, 6, 8, 200) == random_sets(chosen, 6, 8, 200)


def up(value=0.3, low=0.2, high=0.4):
    return Value("", value, low, high, 48)


FLAT = up(0.01, -0.1, 0.1)
NONE = Value("", 0.3, np.nan, np.nan, 1)


CASES = [
    *(
        (rules.carries(Carrier("encoder", 2, 1, 0.3, 0.2, 0.4, p, word), 48, "nouns"), verdict)
        for word, p, verdict in (
            ("carries", 0.0001, "passes"),
            ("little", 0.01, "fails"),
            ("unsure", 0.2, "fails"),
            ("opposes", 0.01, "fails"),
        )
    ),
    (rules.directions(up(), up()), "passes"),
    (rules.directions(up(), FLAT), "fails"),
    (rules.directions(up(), NONE), "not measured"),
    (rules.held_out(up(), up()), "passes"),
    (rules.held_out(FLAT, up()), "fails"),
    (rules.held_out(up(), FLAT), "fails"),
    (rules.ablation({"zero": up(), "mean": up()}), "passes"),
    (rules.ablation({"zero": FLAT, "mean": up()}), "fails"),
    (rules.dose({0: up(0.5), 1: up(1.0), 2: up(1.4)}, up()), "passes"),
    (rules.dose({0: up(0.5), 1: up(1.0), 2: up(0.9)}, up()), "fails"),
    (rules.dose({0: up(0.5), 1: up(1.0), 2: up(1.4), 4: up(0.1)}, up()), "passes"),
    (rules.dose({0: up(0.5), 1: up(1.0), 2: up(1.4)}, FLAT), "fails"),
    (rules.repair(up(0.3), up(0.5)), "passes"),
    (rules.repair(up(0.2), up(0.5)), "fails"),
    (rules.repair(up(), FLAT), "not measured"),
    (rules.same_answer(FLAT, up(), up()), "passes"),
    (rules.same_answer(up(), up(), FLAT), "fails"),
    (rules.random_sets(up(), FLAT, Value("", 0.005, np.nan, np.nan, 201), ""), "passes"),
    (rules.random_sets(up(), up(), Value("", 0.2, np.nan, np.nan, 201), ""), "fails"),
    (rules.faithful(up(0.9), [up()], up()), "passes"),
    (rules.faithful(up(0.5), [up()], up()), "fails"),
    (rules.complete(up(0.1), None), "passes"),
    (rules.complete(up(0.5), up()), "fails"),
    (rules.minimal(up(0.03, 0.01, 0.05)), "passes"),
    (rules.minimal(up(0.01, 0.005, 0.05)), "fails"),
    (rules.transfer({"names": up()}), "passes"),
    (rules.transfer({"names": up(), "relatives": FLAT}), "fails"),
    (rules.transfer({}), "not measured"),
    (rules.selective(up(), up(0.1)), "passes"),
    (rules.selective(up(), up(0.2)), "fails"),
    (rules.selective(up(), up(-0.2)), "fails"),
    (rules.selective(FLAT, FLAT), "not measured"),
    (rules.blocks(up(), FLAT, "block"), "passes"),
    (rules.blocks(FLAT, up(), "block"), "fails"),
    (rules.no_head(up(0.1), {"×2": up(0.5)}, up(0.4)), "passes"),
    (rules.no_head(up(0.1), {"×2": up(0.2)}, up(0.4)), "fails"),
]


@pytest.mark.parametrize(("check", "verdict"), CASES)
def test_each_check_is_judged(check, verdict):
    assert check.verdict == verdict
    assert verdict == "passes" or check.why


def test_no_reason_without_a_case():
    """Every text of the rules is told by a check above: in its reason, or as a number's name."""
    told = "\n".join(" ".join((check.verdict, check.why, *check.numbers)) for check, _ in CASES)
    known = [text for text in fragments(Path(rules.__file__)) if text not in CHECKS]
    assert not [text for text in known if text not in told]
