"""English third-person pronouns: which gender, which role, and which *her* is meant."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from cuescope.data.items import Gold, Span

Role = Literal["subject", "object", "possessive", "independent", "reflexive"]

FORMS: dict[Gold, dict[Role, str]] = {
    "male": {
        "subject": "he",
        "object": "him",
        "possessive": "his",
        "independent": "his",
        "reflexive": "himself",
    },
    "female": {
        "subject": "she",
        "object": "her",
        "possessive": "her",
        "independent": "hers",
        "reflexive": "herself",
    },
    "neutral": {
        "subject": "they",
        "object": "them",
        "possessive": "their",
        "independent": "theirs",
        "reflexive": "themselves",
    },
}
GENDER: dict[str, Gold] = {
    form: gender for gender, roles in FORMS.items() for form in roles.values()
} | {"themself": "neutral"}
PRONOUN = re.compile(rf"\b(?:{'|'.join(sorted(GENDER, key=len, reverse=True))})\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|[^\w\s]")

# What can follow the object *her* or the independent *his*, and does not open its noun phrase.
_NO_NOUN = frozenset(
    """a an the this these those some any each every another no all more less lots plenty much many
    my your our its i you he she it we they him them me us someone somebody anyone anybody everyone
    everybody something anything nothing everything nobody who whom which what that if whether when
    where why how while because since as than although though unless until before after and or but
    nor so yet to of in on at by with from for about into onto over under without within through
    during against around upon despite behind beside near via up off out away again too either also
    not never often just today tomorrow yesterday tonight now then there here later soon instead
    anyway anyways anywhere somewhere everywhere alone is was are were be been has had have did does
    do will would can could may might shall should must""".split()
)
_LY_NOUNS = frozenset(
    "family ally bully belly assembly reply supply jelly monopoly butterfly".split()
)
_GIVING = frozenset(
    """give gives gave given giving offer offers offered offering charge charges charged charging
    wish wishes wished wishing provide provides provided lend lends lent grant grants granted let
    lets letting""".split()
)
_SHOWING = frozenset(
    """show shows showed pay pays paid sell sells sold ask asks asked bring brings brought send
    sends sent teach teaches taught serve serves served hand hands handed""".split()
)
_GIVEN = frozenset(
    """advice bread cash credit directions documents feedback flowers food goods help identification
    information instructions money newspaper newspapers orders questions suggestions thanks tips
    water work""".split()
)
_MAKING = frozenset(
    """make makes made making keep keeps kept keeping leave leaves left leaving prove proves proved
    treat treats treated find finds found consider considered get gets got drive drives drove
    call called think thought want wanted wish wished""".split()
)
_STATES = frozenset(
    """afraid alive angry anxious ashamed asleep awake awful bad better bored busy calm comfortable
    confused crazy dead excited famous fine free furious guilty happy hungry ill innocent insane
    jealous late lonely mad nervous proud quiet ready responsible rich right sad safe satisfied sick
    speechless sure tired uncomfortable unhappy upset useful useless warm well worried worse wrong
    """.split()
)
_HELPING = frozenset(
    "make makes made help helps helped helping watch watched see saw hear heard have had".split()
)
_BASE_VERBS = frozenset(
    """be become bring build buy call carry catch change choose clean come complete cook cry cut
    decide do drive eat enter explain fall feel fight find finish fix get give go grow handle have
    hear identify improve keep know laugh lead learn leave lift live look lose make move open pack
    pay pick play prepare put reach read realize recover relax rest run say see sell send settle
    sing sit sleep smile solve speak stand start stay stop succeed take talk teach tell think travel
    try turn understand unload use wait walk want wash wear win write""".split()
)
_TAKING_HOME = frozenset(
    """call called write wrote pay pays paid drive drives drove take took send sent walk walked bring brought get got
    follow followed invite invited want wanted""".split()
)


class Pronoun(NamedTuple):
    """A pronoun in its place: gender and role."""

    start: int
    end: int
    gender: Gold
    role: Role

    @property
    def span(self) -> Span:
        """Where it stands."""
        return self.start, self.end


def pronouns(text: str) -> list[Pronoun]:
    """All third-person pronouns for people, with *her* and *his* told apart by what follows.

    >>> [(p.gender, p.role) for p in pronouns("She took her hat and they paid her.")]
    [('female', 'subject'), ('female', 'possessive'), ('neutral', 'subject'), ('female', 'object')]
    """
    found = []
    for match in PRONOUN.finditer(text):
        form = match.group().lower()
        found.append(Pronoun(*match.span(), GENDER[form], _role(form, text, match)))
    return found


def _role(form: str, text: str, match: re.Match[str]) -> Role:
    if form == "themself":
        return "reflexive"
    roles = [role for role, own in FORMS[GENDER[form]].items() if own == form]
    if len(roles) == 1:
        return roles[0]
    owns = _owns_what_follows(text, match)
    if form == "her":
        return "possessive" if owns else "object"
    return "possessive" if owns else "independent"


def _owns_what_follows(text: str, match: re.Match[str]) -> bool:
    """Is a noun phrase next, so that the pronoun is its possessor and not an object?"""
    following = _WORD.findall(text, match.end())[:2]
    word, then = ([w.lower() for w in following] + ["", ""])[:2]
    if not word[:1].isalnum() or word in _NO_NOUN:
        return False
    ends = not then[:1].isalnum() or then in _NO_NOUN
    before = text[: match.start()].split()
    if match.group().lower() == "his":  # never an object, whatever the verb
        return True
    verb = before[-1].lower() if before else ""
    return not (
        (word.endswith("ly") and ends and word not in _LY_NOUNS)
        or verb in _GIVING
        or (verb in _SHOWING and (word in _GIVEN or word.isdigit()))
        or (verb in _MAKING and word in _STATES and ends)
        or (verb in _HELPING and word.removesuffix("ed") in _BASE_VERBS)
        or (verb in _TAKING_HOME and word in ("home", "back"))
    )


def cue_spans(text: str, focus: Span, gold: Gold) -> tuple[Span, ...]:
    """The pronouns that show the focus noun's gender, nearest reading first.

    A pronoun before the noun belongs to someone else (*hid his face from the manager*), unless
    no other is there.

    >>> cue_spans("The clerk hid his face from the chef and left him.", (28, 32), "male")
    ((46, 49),)
    """
    fitting = [p.span for p in pronouns(text) if p.gender == gold]
    after = [span for span in fitting if span[0] >= focus[1]]
    return tuple(after or fitting)


def in_gender(pronoun: Pronoun, gender: Gold, form: str) -> str:
    """The same pronoun in another gender, with the capital of `form`."""
    new = FORMS[gender][pronoun.role]
    return new.capitalize() if form[:1].isupper() else new
