"""A user's own pairs, of plain items with no set, line or number: what was joined stays joined."""

from __future__ import annotations

import numpy as np
import pytest

import cuescope as cs
import twins_of
from cuescope.data.items import Item, Pair, numbered
from cuescope.gender.reading import Reading
from cuescope.inside.read.attention import attention, table, twin_subjects
from cuescope.measures.agreement import compare
from cuescope.measures.verdict import Verdict
from cuescope.models.decoding import Hypothesis
from cuescope.run.run import Run
from cuescope.run.settings import Settings
from cuescope.signature import Signature
from cuescope.stats.scores import both_ways

NOUNS = ("nurse", "clerk", "farmer", "plumber")


def own() -> list[Pair]:
    """Four pairs as one writes them: every field that can be left out is left out."""
    made = []
    for noun in NOUNS:
        focus = (4, 4 + len(noun))
        he, she = f"The {noun} said he left.", f"The {noun} said she left."
        at = he.index(" he") + 1
        male = Item(he, focus, (at, at + 2), "male")
        made.append(Pair(male, Item(she, focus, (at, at + 3), "female"), 0))
    return made


def run_of(mt, pairs) -> Run:
    texts = [item.text for pair in pairs for item in pair]
    made = {text: Hypothesis((2,), True) for text in texts}
    return Run(mt, numbered(pairs), made, "pt", Signature(), Settings("tiny"))


def test_mpa_is_that_of_the_verdicts(tiny_model):
    """right/wrong, wrong/right, right/wrong, right/right: one pair of four."""
    run = run_of(tiny_model("marian"), own())
    readings = [(1, 0), (0, 1), (1, 0), (1, 1)]
    gender = {("male", 1): "masculine", ("male", 0): "feminine"}
    gender |= {("female", 1): "feminine", ("female", 0): "masculine"}
    vars(run)["verdicts"] = tuple(
        tuple(
            Verdict(item, "x", Reading(gender[item.gold, right], True))
            for item, right in zip(pair, both, strict=True)
        )
        for pair, both in zip(run.pairs, readings, strict=True)
    )
    assert run.mpa().value.value == 0.25
    assert run.mpa().value.n == 4
    assert run.accuracy()["other"]["all"].value == pytest.approx(5 / 8)


def test_pairs_are_told_apart_by_their_places():
    found = numbered(own())
    assert [pair.index for pair in found] == [0, 1, 2, 3]
    assert [item.pair for pair in found for item in pair] == [0, 0, 1, 1, 2, 2, 3, 3]
    kept = cs.pairs("simplegen")[:5]
    assert numbered(kept) == tuple(kept)  # their own numbers tell them apart


def test_heads_of_own_pairs(tiny_model):
    """Attention by pair, effects both ways, and both together: four pairs, not one."""
    mt = tiny_model("marian")
    given = [(f"O médico {noun}", f"A enfermeira {noun}") for noun in NOUNS]
    ready = mt_twins(mt, own(), given)
    assert [one.row()["pair"] for one in ready] == [0, 1, 2, 3]
    male, female = (mt.patch(ready, "cross", into=into) for into in ("male", "female"))
    both = both_ways(male, female)
    assert len(both) == 4
    for at in range(4):
        assert both.values[at] == pytest.approx((male.values[at] + female.values[at]) / 2)
    assert compare(male, female).n == 4


def mt_twins(mt, pairs, forms):
    from cuescope.inside.ready import twins

    return twins(mt, pairs, forms=forms)


def test_accurate_pairs_of_the_attention_table(tiny_model, monkeypatch):
    from cuescope.inside import ready as subjects

    mt = tiny_model("marian")
    right = iter([1, 0, 0, 1, 1, 0, 1, 1])
    named = {("male", 1): "masculine", ("male", 0): "feminine"}
    named |= {("female", 1): "feminine", ("female", 0): "masculine"}

    def judged(items, texts, lang, **_):
        readings = [Reading(named[item.gold, next(right)], True, span=(0, 1)) for item in items]
        return [Verdict(*one) for one in zip(items, texts, readings, strict=True)]

    monkeypatch.setattr(subjects, "judge", judged)
    monkeypatch.setattr(subjects, "target_language", lambda *_: "pt")
    ready = twin_subjects(mt, own())
    rows = table(list(ready))
    assert rows["pair"].tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert rows.groupby("pair")["accurate_pair"].all().tolist() == [False, False, False, True]
    looks = attention(mt, ready, ("encoder",))["encoder"]
    assert len(looks.by_pair()) == 4
    assert np.isfinite(looks.by_pair().values).all()
    assert twins_of.make(mt)[1].row()["pair"] == 1
