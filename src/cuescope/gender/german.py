"""German: the gender of a noun phrase from determiner, adjectives, noun form and case."""

from __future__ import annotations

from ..words import Word
from .german_grammar import (
    ADJECTIVE,
    ALL,
    ENDINGS,
    PRONOUNS,
    Cell,
    Cells,
    cells,
    determiner,
    possessor,
    preposition,
)
from .german_nouns import Noun, analyse, classes, inflections
from .lexicon import Entry
from .reading import Evidence, Gender, Reading

__all__ = ["inflections", "read_phrase"]

_GENDER: dict[str, Gender] = {"m": "masculine", "f": "feminine", "n": "neutral"}
_ADVERBS = frozenset(
    "sehr so ganz besonders recht ziemlich äußerst höchst eher noch schon einst heute damals "
    "bereits weithin allgemein international politisch sogenannten".split()
)
_FUNCTION = frozenset(
    "ich du wir man es und oder aber denn sondern doch als wie dass daß ob weil da wenn nachdem "
    "bevor während obwohl damit falls sobald seit bis nicht auch nur hier dort dann nun jetzt "
    "gestern morgen war ist hat hatte wurde wird sind waren haben hatten wurden werden kann "
    "konnte soll sollte will wollte muss musste darf durfte was wer wo warum wann wohin sich "
    "uns euch mir mich dir dich ihnen ihrer beide viele einige mehrere andere zwei drei vier "
    "fünf sechs sieben acht neun zehn nach im am vom zum zur beim dessen deren denen dies diese "
    "dieser dieses obgleich sowie sowohl weder noch entweder zwar jedoch trotzdem deshalb daher "
    "dabei danach davor dazu dafür dagegen darauf daraufhin später zunächst schließlich "
    "außerdem zudem laut gemäß".split()
)
_ANYONE = {
    **dict.fromkeys("jemand jemanden jemandem jemandes irgendjemand irgendjemanden".split(), "n"),
    **dict.fromkeys("irgendjemandem irgendwer irgendwen irgendwem wen wem".split(), "n"),
    **dict.fromkeys("niemand niemanden niemandem keiner jedermann".split(), "n"),
}
_SINGULAR = frozenset(
    "ist war hat wird will kann muss soll darf mag kam ging sah gab nahm sprach rief half schrieb "
    "bat stand fand hielt ließ trug schlug lief fuhr saß lag zog warf blieb begann bekam".split()
)
_SEXED = {"weiblich": "f", "weiblichst": "f", "männlich": "m", "mütterlich": "f", "väterlich": "m"}


def read_phrase(
    text: str, words: list[Word], span: tuple[int, int], lang: str, entry: Entry | None
) -> Reading:
    """The gender of the noun phrase at `span`: the noun's form, settled by its phrase.

    A fixed-gender noun (die Person, der Mensch) reads with its grammatical gender, a neuter one
    (das Opfer) as neutral, unless its sense is plain (das Mädchen).

    >>> from cuescope.words import words
    >>> text = "Sie dankte der netten Angestellten."
    >>> str(read_phrase(text, words(text, "de"), (23, 34), "de", None))
    'feminine: der (determiner: feminine), Angestellten (nominalised adjective: feminine)'
    """
    inside = [i for i, w in enumerate(words) if w.start < span[1] and w.end > span[0]]
    if not inside:
        return Reading("unknown", True)
    head = _head(words, inside, entry)
    if head is None and (plain := _without_noun(words, inside)):
        return plain
    if head is None:
        head = _neighbour(words, inside, entry)
    if head is None:
        return Reading("unknown", True, span=span)
    return _read_head(words, head)


def _is_noun(words: list[Word], i: int) -> bool:
    form = words[i].form
    if not form[0].isalpha():
        return False
    low = form.lower()
    if determiner(low) or possessor(low) or preposition(low) or low in _FUNCTION:
        return False
    if form[0].isupper():
        opening = i == 0 or words[i - 1].form in {".", "!", "?", ":", "„", '"', "»", "“"}
        return not opening or analyse(low) is not None or not low.endswith(ENDINGS)
    return low in classes()["english-feminine"] | classes()["english-masculine"]


def _entry_forms(entry: Entry | None) -> frozenset[str]:
    forms = (*entry.masculine, *entry.feminine, *entry.epicene) if entry else ()
    heads = {form.split()[-1] for form in forms}
    return frozenset(surface for head in heads for surface in inflections(head))


def _head(words: list[Word], inside: list[int], entry: Entry | None) -> int | None:
    """The noun that the span is about: the entry's, else the first known person, else the last."""
    known = _entry_forms(entry)
    nouns = [i for i in inside if _is_noun(words, i)]
    for i in nouns:
        low = words[i].form.lower()
        if low in known or any(low.endswith(form) for form in known if len(form) > 4):
            return i
    for i in inside:
        if words[i].form.lower() in known:
            return i
    for i in nouns:
        noun = analyse(words[i].form)
        if noun and noun.person or _english(words[i].form):
            return i
    for i in inside:
        if words[i].form.lower() in _ANYONE:
            return i
    return nouns[-1] if nouns else None


def _english(form: str) -> str | None:
    low = form.lower().removesuffix("'s").removesuffix("'")
    for sense in ("feminine", "masculine"):
        if low in classes()["english-" + sense]:
            return sense[0]
    return None


def _without_noun(words: list[Word], inside: list[int]) -> Reading | None:
    """A span of pronouns or of sexed adjectives: their own gender."""
    found: list[Evidence] = []
    for i in inside:
        low = words[i].form.lower()
        sense = PRONOUNS.get(low) or possessor(low)
        rule = "pronoun" if low in PRONOUNS else "possessive"
        if sense is None:
            stem = next((low.removesuffix(e) for e in ENDINGS if low.endswith(e)), low)
            sense, rule = _SEXED.get(stem), "adjective's sense"
        if sense:
            found.append(_evidence(words[i], rule, _GENDER[sense]))
    if not found:
        return None
    senses = {e.gender for e in found}
    return Reading(found[0].gender, len(senses) == 1, tuple(found), (found[0].start, found[-1].end))


def _neighbour(words: list[Word], inside: list[int], entry: Entry | None) -> int | None:
    """The nearest noun when the span itself has none: right past adjectives, then left."""
    first, last = inside[0], inside[-1]
    right = range(last + 1, min(last + 5, len(words)))
    for i in right:
        if _is_noun(words, i):
            return i
        if not (_adjective(words[i].form) or words[i].form.lower() in _ADVERBS):
            break
    for i in range(first - 1, max(first - 3, -1), -1):
        if _is_noun(words, i):
            return i
    return next((i for i in range(last + 1, min(last + 4, len(words))) if _is_noun(words, i)), None)


def _adjective(form: str) -> str | None:
    """The ending of a word that may be an attributive adjective."""
    low = form.lower()
    if low in _FUNCTION or determiner(low) or preposition(low) or not low[-1].isalpha():
        return None
    if form[0].isupper():
        return None
    return next((e for e in ENDINGS if low.endswith(e) and len(low) > len(e) + 2), None)


def _evidence(word: Word, rule: str, gender: Gender) -> Evidence:
    return Evidence(word.form, word.start, word.end, rule, gender)


def _before(words: list[Word], head: int) -> tuple[int | None, list[int], Cells | None]:
    """Left of the head: its determiner, its adjectives, and what a preposition leaves open."""
    adjectives: list[int] = []
    i = head - 1
    while i >= 0 and head - i < 9:
        form = words[i].form
        low = form.lower()
        if determiner(low) and not (low == "sein" and words[i].form == "sein" and adjectives):
            case = preposition(words[i - 1].form) if i else None
            return i, adjectives, case
        if (case := preposition(low)) is not None:
            return None, adjectives, case
        if _adjective(form):
            adjectives.append(i)
        elif i == 0 and form[0].isupper() and _adjective(low) and adjectives + [head] == [i + 1]:
            adjectives.append(i)
        elif form == "," or low in ("und", "oder"):
            if not (adjectives and adjectives[-1] == i + 1 and i and _adjective(words[i - 1].form)):
                break
        elif not (low in _ADVERBS or form[0].isdigit() or _skippable(words, i, head)):
            break
        i -= 1
    return None, adjectives, None


def _skippable(words: list[Word], i: int, head: int) -> bool:
    """A word that may stand inside a noun phrase: Berliner, New, quotation marks, a numeral."""
    form = words[i].form
    if form in "„“\"'»«()-.":
        return True
    return form[0].isupper() and i > 0 and (form.endswith("er") or _english(form) is not None)


def _read_head(words: list[Word], head: int) -> Reading:
    word = words[head]
    low = word.form.lower()
    if low in _ANYONE:
        return Reading(
            "neutral",
            True,
            (_evidence(word, "indefinite pronoun", "neutral"),),
            (word.start, word.end),
        )
    at, adjectives, case = _before(words, head)
    found = determiner(words[at].form) if at is not None else None
    kind = found[1] if found else "none"
    noun = analyse(word.form, kind)
    if (english := _english(word.form)) and not (noun and noun.sense):
        noun = Noun(english, ALL, "English noun")
    if found and case and not found[0] & case:
        case = None  # "bis der Arzt kommt": a conjunction
    noun = noun or Noun(None, ALL, "unknown noun", person=False)
    agreeing, fits = _frame(
        found[0] if found else ALL, case, _endings(words, adjectives), kind, noun
    )
    plural = {cell.slot for cell in agreeing & noun.cells} == {"pl"}
    if plural and Cell("f", "nom") in agreeing and _singular_verb(words, head):
        agreeing &= cells("m f n")
        fits = noun.rule == "agent suffix"  # a loan word: "die Developer kam"
        noun = Noun("f", agreeing, "loan word") if fits and agreeing <= cells("f") else noun
    joint = agreeing & noun.cells
    sense = noun.sense or _settle({cell.slot for cell in joint or agreeing}, noun, kind)
    if sense is None and at is not None and words[at].form.lower() == "der" and case is None:
        if not (at and _is_noun(words, at - 1)):  # after a noun it is a genitive
            sense = "m"
    if sense is None:
        return _last_resort(words, head)
    gender = _GENDER[sense]
    evidence: list[Evidence] = []
    own = gender if not noun.sense else _shown({c.slot for c in agreeing}, noun)
    if at is not None and own:
        evidence.append(_evidence(words[at], "determiner", own))
    if not evidence and noun.sense is None:
        evidence += [_evidence(words[i], "adjective ending", gender) for i in adjectives[:1]]
    if noun.rule != "unknown noun" or not evidence:
        evidence.append(_evidence(word, noun.rule, gender))
    start = words[at].start if at is not None else word.start
    return Reading(gender, fits, tuple(evidence), (start, word.end))


def _singular_verb(words: list[Word], head: int) -> bool:
    """Does a finite verb in the singular follow the noun?"""
    verb = words[head + 1].form if head + 1 < len(words) else ""
    return verb in _SINGULAR or (verb.islower() and len(verb) > 4 and verb.endswith("te"))


def _endings(words: list[Word], adjectives: list[int]) -> list[str]:
    return [_adjective(words[i].form.lower()) or "e" for i in adjectives]


def _frame(
    article: Cells, case: Cells | None, endings: list[str], kind: str, noun: Noun
) -> tuple[Cells, bool]:
    """The cells that the phrase leaves open, and whether the noun fits into them.

    The preposition and, without a determiner, the adjectives are guesses about words that may
    not belong to the phrase: they are dropped where they leave nothing.
    """
    adjectives = ALL
    for ending in endings:
        adjectives &= ADJECTIVE[kind].get(ending, frozenset())
    given = case or ALL
    for cells_left in (article & adjectives & given, article & adjectives):
        if cells_left & noun.cells:
            return cells_left, True
    sure = kind != "none" and bool(endings)
    return article, bool(article & noun.cells) and not sure


def _shown(slots: set[str], noun: Noun) -> Gender | None:
    """The gender that determiner and adjectives show, if one remains beside noun and number."""
    if noun.sense and noun.sense in slots:
        return _GENDER[noun.sense]
    singular = slots - {"pl"}
    if singular == {"m", "n"}:
        return "masculine"
    return _GENDER[singular.pop()] if len(singular) == 1 else None


def _settle(slots: set[str], noun: Noun, kind: str) -> str | None:
    """The gender of a noun that has none by form; a person is not neuter where `m` is open."""
    singular = slots - {"pl"}
    if singular == {"m", "n"} or singular == {"m"}:
        return "m"
    if len(singular) == 1:
        return singular.pop()
    if kind == "none" and noun.rule == "nominalised adjective" and singular == {"m", "f"}:
        return "m"  # "Angestellter" alone: the genitive feminine would have a noun before it
    return None


def _last_resort(words: list[Word], head: int) -> Reading:
    """A relative pronoun after the noun; else the noun is there and shows no gender."""
    word = words[head]
    nothing = Reading("neutral", True, (), (word.start, word.end))
    if head + 2 >= len(words) or words[head + 1].form != ",":
        return nothing
    relative = words[head + 2]
    after = {"der": "m", "den": "m", "dem": "m", "dessen": "m", "die": "f", "deren": "f"}
    sense = after.get(relative.form.lower())
    if sense is None:
        return nothing
    shown = _evidence(relative, "relative pronoun", _GENDER[sense])
    return Reading(_GENDER[sense], True, (shown,), (word.start, word.end))
