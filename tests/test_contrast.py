from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuescope.data import ContrastSet, Item, contrast, load, winomt
from cuescope.data.agreement import plural_verb, singular_verb
from cuescope.data.contrast import pair
from cuescope.data.items import Gold
from cuescope.data.marks import obstacle
from cuescope.data.pronouns import GENDER, cue_spans, pronouns
from cuescope.errors import CueScopeError
from cuescope.run.study import contrast_sets
from shared_data import shared


def item(text: str, noun: str, gold: Gold) -> Item:
    start = text.index(noun)
    focus = (start, start + len(noun))
    cue, *more = cue_spans(text, focus, gold)
    return Item(text, focus, cue, gold, more_cues=tuple(more))


VERSIONS = [
    ("The chef left because he was ill.", "The chef left because they were ill."),
    ("The chef left because he is ill.", "The chef left because they are ill."),
    ("The chef left because he has a cold.", "The chef left because they have a cold."),
    ("The chef left because he had a cold.", "The chef left because they had a cold."),
    ("The chef says he does not cook.", "The chef says they do not cook."),
    ("The chef says he doesn't cook.", "The chef says they don't cook."),
    ("The chef says he wasn't late.", "The chef says they weren't late."),
    ("The chef says he's late.", "The chef says they're late."),
    ("The chef says he's been late.", "The chef says they've been late."),
    ("The chef says he will come.", "The chef says they will come."),
    ("The chef said he couldn't come.", "The chef said they couldn't come."),
    ("The chef smiles because he always wins.", "The chef smiles because they always win."),
    ("The chef knows he really tries.", "The chef knows they really try."),
    ("The chef said he watches the oven.", "The chef said they watch the oven."),
    ("The chef said he goes home.", "The chef said they go home."),
    ("The chef said he passes the salt.", "The chef said they pass the salt."),
    ("The chef asked that he discuss it.", "The chef asked that they discuss it."),
    ("The chef said he likes tea and is ill.", "The chef said they like tea and are ill."),
    ("The chef says he likes cats and dogs.", "The chef says they like cats and dogs."),
    (
        "The chef said he cooks fish and serves it.",
        "The chef said they cook fish and serve it.",
    ),
    ("The chef hurt himself.", "The chef hurt themselves."),
    ("The chef lost his hat.", "The chef lost their hat."),
    ("The chef said the hat was his.", "The chef said the hat was theirs."),
    ("The guest saw the chef and paid him.", "The guest saw the chef and paid them."),
    ("The chef said he broke his arm.", "The chef said they broke their arm."),
    ("When the chef came, He was late.", "When the chef came, They were late."),
]


@pytest.mark.parametrize(("male", "neutral"), VERSIONS)
def test_he_becomes_they(male: str, neutral: str) -> None:
    assert contrast(item(male, "chef", "male")).they.text == neutral


# *they discuss* does not say whether it was a subjunctive
@pytest.mark.parametrize(("male", "neutral"), [v for v in VERSIONS if "discuss" not in v[0]])
def test_they_becomes_he(male: str, neutral: str) -> None:
    assert contrast(item(neutral, "chef", "neutral")).he.text == male


@pytest.mark.parametrize(
    ("female", "male"),
    [
        ("The guest met the chef and paid her.", "The guest met the chef and paid him."),
        ("The guest met the chef and took her hat.", "The guest met the chef and took his hat."),
        ("The guest gave the chef her money.", "The guest gave the chef his money."),
        ("We liked the chef and gave her money.", "We liked the chef and gave him money."),
        ("We met the chef and lent her huge car.", "We met the chef and lent his huge car."),
        ("We met the chef and gave her bad advice.", "We met the chef and gave him bad advice."),
        ("We met the chef and gave her new shoes.", "We met the chef and gave him new shoes."),
        (
            "We cooked for the chef and hoped her enjoy.",
            "We cooked for the chef and hoped him enjoy.",
        ),
        ("The guest told the chef to let her rest.", "The guest told the chef to let him rest."),
        ("We asked the chef to keep her safe.", "We asked the chef to keep him safe."),
        ("We asked the chef about her hourly rate.", "We asked the chef about his hourly rate."),
        (
            "We saw the chef and watched her carefully.",
            "We saw the chef and watched him carefully.",
        ),
        ("The guest drove the chef to her family.", "The guest drove the chef to his family."),
        ("We met the chef and drove her home.", "We met the chef and drove him home."),
        ("The chef said the hat was hers.", "The chef said the hat was his."),
        ("The chef hurt herself.", "The chef hurt himself."),
    ],
)
def test_her_is_told_apart(female: str, male: str) -> None:
    assert contrast(item(female, "chef", "female")).he.text == male


def test_spans_move_with_the_text() -> None:
    late = Item("Though she was late, the chef won.", (25, 29), (7, 10), "female")
    for version in contrast(late):
        assert version.text[slice(*version.focus)] == "chef"
        assert version.cue is not None
        assert version.text[slice(*version.cue)] in ("he", "she", "they")


# the sentence with its [noun] and {cues}, and why it has no versions ("" if it has)
NOUN, WORD = "the cue is no pronoun", "another word shows the gender too"
OTHER, PLACE = "a pronoun beside the cue keeps its gender", "an object pronoun stands where"


@pytest.mark.parametrize(
    ("text", "gold", "reason"),
    [
        ("My {wife} is a [chef].", "female", NOUN),
        ("{Female} [chefs] are rare.", "female", NOUN),
        ("The [chef] left.", "neutral", NOUN),
        ("My {brother} enjoys {his} work as a [chef].", "male", WORD),
        ("My brother enjoys {his} work as a [chef].", "male", WORD),
        ("The [chef] is a {woman} who loves {her} job.", "female", WORD),
        ("We paid the [chef] because {he} is a very generous man.", "male", WORD),
        ("We paid the [chef] because {she} is a very generous man.", "female", WORD),
        ("The [waitress] said {she} left.", "female", WORD),
        ("The [policeman] said {he} left.", "male", WORD),
        ("{She} met her new [stepmother].", "female", WORD),
        ("The female [chef] said {she} left.", "female", WORD),
        ("The [chef] met a man when {she} left.", "female", WORD),  # *he* could be the man
        ("The [chef] Anne said {she} left.", "female", "a name may show the gender too"),
        ("The [chef] said {he} lost his hat.", "male", OTHER),
        ("The clerk hid his face from the [chef] and left {him}.", "male", OTHER),
        ("The clerk hid his face from the [chef] and left {her}.", "female", OTHER),
        ("That [chef] chooses {him} words.", "male", PLACE),
        ("That [chef] chooses {them} words.", "neutral", PLACE),
        ("We met the [chef] and lost {them} hat.", "neutral", PLACE),
        ("That [chef] chooses {her} words.", "female", ""),
        ("The [chef] called {his} wife.", "male", ""),
        ("The [chef] called {her} older brother.", "female", ""),
        ("The [chef] called {her} son's teacher.", "female", ""),
        ("The [chef] is a human and {she} errs.", "female", ""),
        ("The farmer gave the [chef] apples as {he} likes them.", "male", ""),
        ("We met the [chef] and gave {him} money.", "male", ""),
        ("We met the [chef] and asked {him} science questions.", "male", ""),
        ("We met the [chef] but made {them} bread.", "neutral", ""),
    ],
)
def test_versions_only_if_every_mark_changes(text: str, gold: Gold, reason: str) -> None:
    one = marked(text, gold)
    if not reason:
        assert not strays(contrast(one))
        return
    with pytest.raises(CueScopeError, match=f"no he / she / they versions: {reason}"):
        contrast(one)


def marked(text: str, gold: Gold) -> Item:
    """An item of a sentence with [focus] and {cue}s."""
    plain, spans = "", {"]": [], "}": []}
    for char in text:
        if char in "[{":
            start = len(plain)
        elif char in spans:
            spans[char].append((start, len(plain)))
        else:
            plain += char
    return Item(
        plain, spans["]"][0], next(iter(spans["}"]), None), gold, more_cues=(*spans["}"][1:],)
    )


MARKS: dict[Gold, str] = {  # written down here, not taken from the lists that are tested
    "male": "he him his himself man men guy guys fellow husband father brother boyfriend male",
    "female": "she her hers herself woman women lady gal wife mother sister girlfriend female",
    "neutral": "they them their theirs themselves themself",
}
RELATIVE = re.compile(r"\b(his|her|their) (son|mother|wife|older brother)\b")  # someone else


def strays(one: ContrastSet) -> list[str]:
    """Marks of he or she in a version of another gender, and object pronouns before their noun."""
    found = []
    for version in one:
        text = RELATIVE.sub(r"\1 relative", version.text.lower())
        for gender in ("male", "female"):
            if gender != version.gold:
                found += [w for w in MARKS[gender].split() if re.search(rf"\b{w}\b", text)]
        found += re.findall(r"(?:him|them) words", text)
        cue = version.text[slice(*version.cue or (0, 0))].lower()
        found += [] if cue in MARKS[version.gold].split() else [cue]
    return found


def test_no_set_of_simplegen_has_marks_of_two_genders() -> None:
    sets, left_out = contrast_sets(load("simplegen"))
    assert not [(one.he.text, strays(one)) for one in sets if strays(one)]
    assert len(sets) == 306
    assert {why.partition(": ")[2]: n for why, n in left_out.items()} == {
        NOUN: 1944,
        WORD: 144,  # *My brother enjoys his work*
        PLACE + " a possessive must": 18,  # *chooses him words*
    }


@pytest.mark.slow
def test_no_set_of_winomt_has_marks_of_two_genders() -> None:
    sets, left_out = contrast_sets(load(f"winomt:{shared('winomt')}"))
    assert not [(one.he.text, strays(one)) for one in sets if strays(one)]
    assert len(sets) >= 1830
    assert sum(left_out.values()) <= 24


def test_strays_are_found() -> None:
    brother = Item("My brother likes his job as a chef.", (30, 34), (17, 20), "male")
    her = replace(brother, text=brother.text.replace("his", "her"), gold="female")
    assert strays(ContrastSet(brother, her, her)) == ["brother", "brother"]


PEOPLE = st.sampled_from("chef nurse wife brother policewoman man clerk human".split())
OWN = st.sampled_from(["the", "a", "his", "her", "their", "my"])


@given(OWN, PEOPLE, st.sampled_from(["he", "she", "they"]), OWN, PEOPLE)
def test_versions_differ_in_their_person_alone(
    a: str, one: str, who: str, b: str, two: str
) -> None:
    text = f"The nurse said {who} met {a} {one} and left {b} {two}."
    gold: Gold = GENDER[who]
    cues = cue_spans(text, (4, 9), gold)
    try:
        made = contrast(Item(text, (4, 9), cues[0], gold, more_cues=cues[1:]))
    except CueScopeError:
        return
    for version in made:
        assert {p.gender for p in pronouns(version.text)} == {version.gold} or (
            {p.gender for p in pronouns(version.text)} == {version.gold, "neutral"}
        )
        kept = version.text.split()
        for word in ("wife", "brother", "policewoman", "man"):
            for at in (i for i, other in enumerate(kept) if other.strip(".") == word):
                assert kept[at - 1] in ("his", "her", "their")  # never the person


def test_every_triple_of_winomt_is_made_from_each_of_its_three() -> None:
    reg = winomt.folder(shared("winomt"))["reg"]
    first = next(i for i, it in enumerate(reg) if it.gold == "neutral") - 2
    triples = [reg[i : i + 3] for i in range(first, len(reg), 3)]
    assert len(triples) == 240
    for triple in triples:
        for source in triple:
            assert [v.text for v in contrast(source)] == [t.text for t in triple]


@pytest.mark.slow
def test_twins_of_winomt_are_made_from_each_other() -> None:
    made, wrong = 0, []
    for twin in winomt.pairs(shared("winomt")):
        for one, other in (twin, reversed(list(twin))):
            if not obstacle(one)[0]:
                made += 1
                versions = contrast(one)
                version = versions.he if other.gold == "male" else versions.she
                wrong += [(version.text, other.text)] * (version.text != other.text)
    assert made >= 3120
    assert not wrong


@pytest.mark.parametrize(
    ("anti", "reason"),
    [
        ("The chef said she left.", ""),
        ("The chef said she has left.", "words differ: '' / 'has'"),
        ("The cook said she left.", "the focus nouns differ: 'chef' / 'cook'"),
        ("The chef said she left!", "words differ: '.' / '!'"),
        ("The chef said her left.", "the cues cannot have the same role: 'he' / 'her'"),
    ],
)
def test_a_pair_says_how_it_is_not_minimal(anti: str, reason: str) -> None:
    pro = item("The chef said he left.", "chef", "male")
    noun = "cook" if "cook" in anti else "chef"
    assert pair(pro, item(anti, noun, "female"), 0).reason == reason


@pytest.mark.parametrize(
    ("male", "female", "minimal"),
    [
        ("and demanded he pay.", "and demanded her pay.", False),
        ("and demanded his pay.", "and demanded her pay.", True),
        ("and demanded he pay.", "and demanded she pay.", True),
        ("and met him.", "and met her.", True),
        ("and met him.", "and met hers.", False),
        ("and the hat was his.", "and the hat was hers.", True),
        ("and his hat.", "and herself hat.", False),
        ("as he lost his hat.", "as she lost her hat.", True),
        ("as he lost his hat.", "as she lost hers hat.", True),  # both may stand alone
        ("as he lost his hat.", "as she lost she hat.", False),
    ],
)
def test_twins_whose_cues_cannot_have_one_role(male: str, female: str, minimal: bool) -> None:
    pro = item(f"We paid the chef {male}", "chef", "male")
    anti = item(f"We paid the chef {female}", "chef", "female")
    assert pair(pro, anti, 0).minimal is minimal


def test_a_noun_as_cue_has_no_role_to_differ_in() -> None:
    wife = Item("My wife is a chef.", (13, 17), (3, 7), "female")
    assert pair(wife, Item("My husband is a chef.", (16, 20), (3, 10), "male"), 0).minimal


def test_a_pair_of_one_gender_is_not_minimal() -> None:
    pro = item("The chef said he left.", "chef", "male")
    assert pair(pro, pro, 0).reason == "both are male"


def test_a_pronoun_that_changes_beside_the_cue_is_seen() -> None:
    pro = item("The clerk hid his face from the chef and left him.", "chef", "male")
    anti = item("The clerk hid her face from the chef and left her.", "chef", "female")
    assert pair(pro, anti, 0).reason == "words differ: 'his' / 'her'"


@given(st.from_regex(r"[a-z]{2,9}(ss|x|o|y|e|t|n|sh|ch)", fullmatch=True))
def test_a_plural_verb_survives_the_way_there_and_back(verb: str) -> None:
    singular = singular_verb(verb)
    if singular is not None and not verb.endswith(("ie", "oe", "xe", "she", "che", "sse", "zze")):
        assert plural_verb(singular) == verb


@given(st.text(max_size=60))
def test_any_text_has_pronouns_where_it_says(text: str) -> None:
    for pronoun in pronouns(text):
        assert text[pronoun.start : pronoun.end].lower() in (
            "he him his himself she her hers herself they them their theirs themselves themself"
        )
