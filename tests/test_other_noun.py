"""The other person of a sentence: found in English, read in the translation, counted by hand."""

from __future__ import annotations

from collections import Counter
from math import inf

import pytest

from cuescope.data import winomt
from cuescope.data.items import Item, Pair
from cuescope.data.others import other, others, people_of, second
from cuescope.measures.other_noun import selectivity
from cuescope.measures.verdict import judge
from shared_data import shared

PEOPLE = [
    ("The chief executive officer met two nurses.", ["chief executive officer", "nurses"]),
    ("The student council asked the teacher.", ["teacher"]),  # part of a name of something else
    ("The guard accused the cook.", ["guard", "cook"]),  # accused: a noun in the lists
    ("They cook and guard the house.", []),
    ("The chef gave the clerk money.", ["chef", "clerk"]),  # two objects, no *clerk money*
    ("The manager was a famous lawyer.", ["manager"]),  # said of the manager
    ("There is a lawyer.", ["lawyer"]),
    ("He works as a clerk for the judge.", ["judge"]),
    ("It is the lawyer's friend.", ["lawyer"]),
    ("The baker and cook left the chair.", ["baker", "cook"]),
    ("Customers like someone patient.", ["Customers", "someone"]),
    ("", []),
]


@pytest.mark.parametrize(("text", "found"), PEOPLE)
def test_people_of_a_sentence(text, found):
    assert [text[slice(*span)] for span in people_of(text)] == found


def item(text: str, noun: str, cue: str, gold: str) -> Item:
    start, at = text.index(noun), text.index(f" {cue}") + 1
    return Item(text, (start, start + len(noun)), (at, at + len(cue)), gold)


def test_the_other_is_neither_focus_nor_cue_nor_gendered():
    text = "The nurse told her brother and the nurse that she met the clerk."
    one = item(text, "nurse", "she", "female")
    assert [text[slice(*span)] for span in others(one)] == ["brother", "nurse", "clerk"]
    span, why = other(one)
    assert (text[slice(*span)], why) == ("clerk", "")
    alone = item("The nurse said that she left.", "nurse", "she", "female")
    assert other(alone) == (None, "no other person")


@pytest.mark.slow
def test_finder_against_winomts_second_nouns():
    """What docs/selectivity.md prints."""
    folder = shared("winomt")
    gold = second(folder)
    items = winomt.read(folder / "en.txt")
    assert {len(spans) for spans in gold.values()} == {1}
    theirs = [set(gold[one.text, one.noun.lower()]) for one in items]
    ours = [set(others(one)) for one in items]
    both = sum(len(a & b) for a, b in zip(ours, theirs, strict=True))
    assert both / sum(map(len, ours)) > 0.96  # the rest: third people, whom WinoMT does not list
    assert both / sum(map(len, theirs)) > 0.99
    chosen = [other(one)[0] for one in items]
    assert sum(a in b for a, b in zip(chosen, theirs, strict=True)) / len(items) > 0.99


# she, he: what the clerk is in each; the lawyer is the focus noun
LAWYER = {"f": "A advogada", "m": "O advogado"}
CLERK = {"f": "a secretária", "m": "o secretário", "-": "o carro", "s": "o advogado"}


def pairs_of(rows: list[str]):
    """Pairs from `focus she, focus he, other she, other he`."""
    made, items, texts = [], [], []
    for at, (she, he, she_other, he_other) in enumerate(rows):
        twins = []
        for gold, cue, focus, beside in (
            ("female", "she", she, she_other),
            ("male", "he", he, he_other),
        ):
            text = f"The lawyer called the secretary because {cue} was late {at} times."
            twins.append(item(text, "lawyer", cue, gold))
            texts.append(f"{LAWYER[focus]} ligou para {CLERK[beside]} {at} vezes.")
        items += twins
        made.append(Pair(*twins, at))
    verdicts = judge(items, texts, "pt", others=True)
    return list(zip(made, verdicts[::2], verdicts[1::2], strict=True))


def test_counts_worked_out_by_hand():
    found = selectivity(pairs_of(["fmfm", "fmmm", "fmff", "mmmm", "fmf-", "fm-m"]))
    assert found.left_out == Counter({"other noun not found in the translation": 2})
    assert (found.turns.value, found.turns.n) == (1 / 4, 4)
    assert (found.she.value, found.he.value) == (2 / 4, 1 / 4)
    assert (found.focus.value, found.other.value) == (3 / 4, 1 / 4)
    assert found.spill.value == pytest.approx(1 / 3)
    assert found.times[0] == pytest.approx(3)
    assert found.times[2] == inf  # one noun that turned may be none: no upper bound


def test_nothing_turns_is_undefined_and_not_selective():
    found = selectivity(pairs_of(["mmmm", "mmmm"]))
    assert found.spill.number() is None
    assert "undefined" in found.spill.brief()


def test_a_verdict_has_no_other_unless_asked():
    (one,) = judge(
        [item("The lawyer told the cook she left.", "lawyer", "she", "female")], [""], "pt"
    )
    assert one.other is None
