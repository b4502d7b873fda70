"""What gated units are fitted on: text without a cue, words that only look like one, and whose
words are to stay."""

from __future__ import annotations

import pytest
import torch

from cuescope.data.lists import rows
from cuescope.mend import judge, lessons, quiet
from cuescope.mend.targets import targets
from cuescope.mend.tune import Tuner

ALIKE = [row[0] for row in rows("alike.tsv", "cuescope.mend.sentences")]


def test_words_that_begin_as_a_pronoun_stand_where_people_stood():
    texts = [one.pair.pro.text for one in lessons.lessons(1)[:40]]
    found = quiet.alike(quiet.without_cue(texts))
    assert len(found) > 30
    assert all(any(word in text for word in ALIKE) for text in found)
    assert all(judge.free(text) for text in found)
    assert all(word.lower().startswith(quiet.CUES) for word in ALIKE)
    assert not set(ALIKE) & {*lessons.nouns(), *lessons.nouns(held_out=True), "sheriff"}
    assert quiet.alike(["The lake is deep."]) == []  # nobody is in it


@pytest.mark.model
def test_quiet_batches_have_a_cue_only_as_the_beginning_of_a_word(firefox):
    plain = ["The cook saw the river.", "The train was late on Monday."] * 8
    one = quiet.Quiet(firefox, plain)
    assert not any(one.shown(one.batch(16)[0]).any() for _ in range(4))
    hidden = firefox.batch(["The sherry was cold."]).ids
    assert one.shown(hidden).sum() == 1
    for blind, parts in ((True, 16), (False, 16)):
        ids, mask = one.batch(16, blind=blind)
        assert ids.shape == mask.shape
        assert len(ids) == parts


@pytest.mark.slow
@pytest.mark.model
def test_the_other_persons_words_are_known_and_weigh_more(firefox):
    some = [one for one in lessons.lessons(1) if one.other and one.sure][:6]
    made, _ = targets(firefox, list(lessons.items(some)))
    assert any(one.focus for one in made)
    named = [one for one in made if one.other]
    assert len(named) > len(made) / 2
    assert not any(one.focus & one.other for one in made)
    held = [one.only_held for one in named]
    assert all(
        not a.focus and a.other == b.focus | b.other for a, b in zip(held, named, strict=True)
    )
    once, thrice = (Tuner(firefox, 1.0, held, other) for other in (1.0, 3.0))
    lots = [tuner.lot(held) for tuner in (once, thrice)]
    at = [sorted(one.other) for one in held]
    for row, steps in enumerate(at):
        assert (lots[1].weight[row, steps] == 3.0).all()
    assert lots[1].weight.sum() - lots[0].weight.sum() == 2 * sum(map(len, at))
    with torch.no_grad():
        assert float(thrice.loss(lots[1])) == pytest.approx(0.0, abs=1e-4)  # nothing has moved yet
