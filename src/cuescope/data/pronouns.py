"""English third-person pronouns: which gender, which role, and which *her* is meant."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from cuescope.data.items import Gold, Span
from cuescope.data.lists import word_list

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
_NO_NOUN, _LY_NOUNS, _MASS = map(word_list, ("no_noun", "ly_nouns", "mass"))
# Verbs, by what may come after their object
_GIVING, _SHOWING, _ASKING = map(word_list, ("giving", "showing", "asking"))
_MAKING, _HELPING, _TAKING_HOME = map(word_list, ("making", "helping", "taking_home"))
_GIVEN, _CLAUSAL, _STATES = map(word_list, ("given", "clausal", "states"))
_BASE_VERBS = word_list("base_verbs")


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


def roles_of(form: str) -> tuple[Role, ...]:
    """What a form can be; nothing if it is none of these pronouns.

    >>> roles_of("he"), roles_of("her"), roles_of("wife")
    (('subject',), ('object', 'possessive'), ())
    """
    if form == "themself":
        return ("reflexive",)
    return tuple(role for forms in FORMS.values() for role, own in forms.items() if own == form)


def _role(form: str, text: str, match: re.Match[str]) -> Role:
    roles = roles_of(form)
    if len(roles) == 1:
        return roles[0]
    owns = _owns_what_follows(text, *match.span())
    if form == "her":
        return "possessive" if owns else "object"
    return "possessive" if owns else "independent"


def takes_a_possessor(text: str, pronoun: Pronoun) -> bool:
    """Is a possessor all that can stand in the place of this pronoun?

    >>> texts = "chose him words", "gave him words"
    >>> [takes_a_possessor(text, pronouns(text)[0]) for text in texts]
    [True, False]
    """
    return _owns_what_follows(text, *pronoun.span)


def _owns_what_follows(text: str, start: int, end: int) -> bool:
    """Is a noun phrase next, so that the pronoun is its possessor and not an object?"""
    following = [word.lower() for word in _WORD.findall(text, end)]
    word, then = [*following, "", ""][:2]
    if not word[:1].isalnum() or word in _NO_NOUN:
        return False
    ends = not then[:1].isalnum() or then in _NO_NOUN
    before = text[:start].split()
    if text[start:end].lower() == "his":  # never an object, whatever the verb
        return True
    verb = before[-1].lower() if before else ""
    return not (
        (word.endswith("ly") and ends and word not in _LY_NOUNS)
        or verb in _CLAUSAL  # what she does comes next
        or (verb in _GIVING and not _needs_a_determiner(following))
        or (verb in _SHOWING and (word in _GIVEN or word.isdigit()))
        or (verb in _ASKING and then in ("question", "questions"))
        or (verb in _MAKING and word in _STATES and ends)
        or (verb in _HELPING and word.removesuffix("ed") in _BASE_VERBS)
        or (verb in _TAKING_HOME and word in ("home", "back"))
    )


def _needs_a_determiner(words: list[str]) -> bool:
    """Does an adjective with one thing that can be counted come next? *lent her enormous truck*.

    >>> [_needs_a_determiner(["new", word]) for word in ("truck", "trucks", "advice")]
    [True, False, False]
    """
    ends = (n for n, word in enumerate(words) if not word[0].isalnum() or word in _NO_NOUN)
    phrase = words[: next(ends, len(words))]
    if len(phrase) < 2 or not phrase[-1].isalpha():
        return False
    plural = phrase[-1].endswith("s") and not phrase[-1].endswith("ss")
    return not plural and not phrase[-1].endswith("ly") and phrase[-1] not in _MASS | _GIVEN


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
