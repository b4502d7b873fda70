"""Choosing and contrastive decoding: they act where a cue is, and nowhere else."""

from __future__ import annotations

import pytest
import torch
from typer.testing import CliRunner

import cuescope as cs
from cuescope.commands.cli import app
from cuescope.data.items import Item
from cuescope.errors import CueScopeError
from cuescope.measures.verdict import NAMED, judge
from cuescope.mend import Mend
from cuescope.mend.choose import choosing
from cuescope.mend.contrastive import contrastive, twin
from cuescope.mend.revise import Given, Outcome, revising
from cuescope.models.decoding import Hypothesis

PLAIN = ["The mechanic repaired the old car.", "It rains in the north.", "They met the nurse."]
ITEMS = [
    Item("The engineer called because she was late.", (4, 12), (28, 31), "female"),
    Item("The nurse called because he was late.", (4, 9), (25, 27), "male"),
    Item("The manager thanked the carpenter and paid her.", (24, 33), (43, 46), "female"),
    Item("The driver met the secretary because she needed a chair.", (4, 10), (37, 40), "female"),
    Item("The victim called because he was late.", (4, 10), (26, 28), "male"),
    Item("The nurse called because she was late.", (4, 9), (25, 28), "female"),
]


@pytest.fixture(params=["marian", "m2m"])
def mt(request, tiny_model) -> cs.Translator:
    return tiny_model(request.param)


@torch.no_grad()
def test_going_on_from_a_prefix_is_the_same_walk(mt):
    """From any piece of the greedy translation greedy decoding comes to the same, scored."""
    texts = [item.text for item in ITEMS[:2]]
    plain = mt.generate(texts)
    for count in (len(mt.tokenizer.forced), 3):
        on = mt.generate(texts, prefixes=[one.ids[:count] for one in plain])
        assert [one.ids for one in on] == [one.ids for one in plain]
        for text, one in zip(texts, on, strict=True):
            assert one.score == pytest.approx(_logprob(mt, text, one), abs=1e-3)
    other = mt.generate(texts[:1], prefixes=[(*plain[0].ids[:2], plain[0].ids[2] + 1)])[0]
    assert other.ids[2] == plain[0].ids[2] + 1
    assert mt.generate([], prefixes=[]) == []


def _logprob(mt: cs.Translator, text: str, one: Hypothesis) -> float:
    """The slow way: teacher-forced, token by token."""
    ids = torch.tensor([one.ids])
    source = mt.batch([text])
    states = mt.engine.encode(source.ids, source.mask)
    logits = mt.engine.project(mt.engine.decode(states, source.mask, mt.decoder_inputs(ids)))[0]
    logits[:, list(mt.engine.barred)] = -torch.inf
    told = logits.log_softmax(-1).gather(-1, ids[0][:, None])[:, 0]
    return float(told[len(mt.tokenizer.forced) :].sum())


def test_prefixes_that_do_not_fit_are_refused(mt):
    with pytest.raises(CueScopeError, match="cannot begin so"):
        mt.generate(["A nurse."], prefixes=[])
    with pytest.raises(CueScopeError, match="cannot begin so"):
        mt.generate(["A nurse."], prefixes=[mt.tokenizer.forced], beam=2)


def test_a_reviser_is_gone_after_its_with(mt):
    def all_short(texts, found):
        return [
            Outcome(t, Hypothesis(one.ids[:1], False), "chosen")
            for t, one in zip(texts, found, strict=True)
        ]

    plain = mt.generate(PLAIN)
    with revising(mt, "short", all_short) as log:
        assert [len(one.ids) for one in mt.generate(PLAIN)] == [1, 1, 1]
        assert log.changed == 3
        assert log.counts == {"chosen": 3}
        assert mt.signature["under"] == "short"
        with pytest.raises(CueScopeError, match="step by step"):
            mt.translate(PLAIN, beam=2)
    with pytest.raises(ZeroDivisionError), revising(mt, "short", all_short):
        raise ZeroDivisionError
    assert mt.generate(PLAIN) == plain
    assert "under" not in mt.signature


@pytest.mark.slow
def test_contrasting_with_no_weight_is_translating(mt):
    texts = [item.text for item in ITEMS] + PLAIN
    plain = mt.translate(texts)
    with contrastive(mt, 0.0, plausible=0.0).on(mt) as log:
        assert mt.translate(texts) == plain
    assert log.counts == {"as likely against the twin": 6, "no cue": 3}
    with contrastive(mt, 1.0, plausible=0.0).on(mt) as log:
        moved = mt.translate(texts)
    assert moved[6:] == plain[6:]  # no cue: as they were
    assert log.changed == sum(a != b for a, b in zip(moved, plain, strict=True)) > 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The cook hid her hat.", ("The cook hid his hat.", "")),
        ("She saw herself.", ("He saw himself.", "")),
        ("They left.", ("", "no cue")),
        ("He saw her.", ("", "pronouns of two genders")),
        ("My wife said she left.", ("", "no twin: another word shows the gender too")),
    ],
)
def test_twins(text, expected):
    assert twin(text) == expected


def test_given_referents_are_asked_by_their_sentence():
    item = ITEMS[0]
    other = Item(item.text, item.focus, item.cue, "male")
    assert Given([item]).find(item.text) is item
    assert Given([item, other]).find(item.text) == "two referents are given"


def test_a_language_that_nobody_reads_is_an_error(tiny_model):
    mt = tiny_model("bart")
    with pytest.raises(CueScopeError, match="gender of nouns cannot be read"):
        choosing(mt).on(mt, ITEMS)


# -- on a real model -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def chosen(firefox):
    texts = [item.text for item in ITEMS] + PLAIN
    plain = firefox.translate(texts)
    with choosing(firefox).on(firefox, ITEMS) as log:
        made = firefox.translate(texts)
    return plain, made, log


@pytest.mark.model
def test_the_noun_takes_the_cues_gender(chosen):
    plain, made, log = chosen
    assert plain[0].startswith("O engenheiro ")
    assert made[0].startswith("A engenheira ")
    assert made[1].startswith("O enfermeiro ")
    assert made[2].startswith("O gerente ")
    assert "a carpinteira" in made[2]
    assert log.outcomes[4].reason == "no candidate has the noun in the cue's gender"
    assert log.outcomes[5].reason == "has the cue's gender already"
    assert [one.reason for one in log.outcomes[6:]] == ["no referent is given"] * 3
    assert log.changed == sum(a != b for a, b in zip(plain, made, strict=True))


@pytest.mark.model
def test_right_or_plain_and_nobody_else_changes(chosen):
    """What is not the plain translation has the cue's gender; the other person keeps their own."""
    plain, made, _ = chosen
    before, after = judge(ITEMS, plain[:6], "pt"), judge(ITEMS, made[:6], "pt")
    for old, new in zip(before, after, strict=True):
        assert new.translation == old.translation or new.reading.gender == NAMED[new.item.gold]
        assert new.reading.consistent
    manager = [Item(ITEMS[2].text, (4, 11), None, "neutral")]
    genders = [judge(manager, [texts[2]], "pt")[0].reading.gender for texts in (plain, made)]
    assert genders == ["masculine", "masculine"]
    assert made[6:] == plain[6:]  # no cue: bit-identical


@pytest.mark.model
def test_by_rules_and_from_a_file(firefox, chosen, tmp_path):
    plain, made, _ = chosen
    choosing(firefox).save(tmp_path / "choosing.safetensors")
    mend = Mend.load(tmp_path / "choosing.safetensors")
    texts = [ITEMS[2].text, "The cook met the nurse before she left.", PLAIN[0]]
    with mend.on(firefox) as log:
        assert firefox.signature["under"] == "choosing by rules"
        found = firefox.translate(texts)
    assert (found[0], found[2]) == (made[2], plain[6])
    assert [one.reason for one in log.outcomes[1:]] == [
        "after 'before' the pronoun may mean either",
        "no cue",
    ]


@pytest.mark.slow
@pytest.mark.model
def test_by_the_command_line(firefox, tmp_path):
    run, out = CliRunner(), str(tmp_path / "found.mend")
    fit = ["mend", "fit", "firefox:en-pt", "--kind", "choosing", "--found", "--out", out]
    assert "Mend('choosing', tries 8, found 1" in run.invoke(app, fit).output
    with Mend.load(out).on(firefox, ITEMS) as log:
        firefox.translate([ITEMS[3].text])
    assert log.counts == {"verb and cause say nothing sure together": 1}
    heads = run.invoke(app, [*fit, "--encoder", "2.1"])
    assert "changes no head" in str(heads.exception)
