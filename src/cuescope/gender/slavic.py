"""Russian and Ukrainian: gender by noun form, agreeing words, past verb and relative pronoun."""

from __future__ import annotations

from dataclasses import replace

from ..words import Word
from .lexicon import Entry
from .reading import Evidence, Reading
from .slavic_clause import gendered, governed, predicate, relative
from .slavic_morph import Parse, can, inflections, parses, top
from .slavic_names import GENDER, evidence, is_name, read_name
from .slavic_nouns import foreign, known_noun, sexed_adjective

__all__ = ["inflections", "read_phrase"]

_UNDECLINED = Parse("noun", None, "sing", None, "", True, False, True, True, "")


def read_phrase(
    text: str, words: list[Word], span: tuple[int, int], lang: str, entry: Entry | None
) -> Reading:
    """The gender of the noun phrase at `span`.

    A masculine-form person noun (врач, менеджер) is feminine where an agreeing word says so, and
    masculine otherwise; a noun of common gender (коллега) is neutral where nothing agrees.

    >>> from cuescope.words import words
    >>> text = "Врач сказала, что придёт."
    >>> str(read_phrase(text, words(text, "ru"), (0, 4), "ru", None))
    'feminine: сказала (past verb: feminine)'
    """
    words = _joined(words)
    inside = [i for i, w in enumerate(words) if w.start < span[1] and w.end > span[0]]
    if not inside:
        return Reading("unknown", True)
    head = _head(words, inside, lang, entry)
    if head is None and (plain := _without_noun(words, inside, lang)):
        return plain
    if head is None:
        head = _neighbour(words, inside, lang)
    if head is None:
        return Reading("unknown", True, span=span)
    return _read_head(words, head, inside, lang)


def _joined(words: list[Word]) -> list[Word]:
    """Words with an apostrophe inside (кар'єра) put together again."""
    found: list[Word] = []
    for word in words:
        tight = len(found) > 1 and found[-1].end == word.start and found[-2].end == found[-1].start
        if tight and found[-1].form in "'’ʼ" and word.form[0].isalpha():
            first, mark = found[-2], found[-1]
            found[-2:] = [Word(first.form + mark.form + word.form, first.start, word.end)]
        else:
            found.append(word)
    return found


def _forms(entry: Entry | None, lang: str) -> frozenset[str]:
    forms = (*entry.masculine, *entry.feminine, *entry.epicene) if entry else ()
    heads = {
        next((part for part in form.split() if top(part, lang) == "noun"), form.split()[-1])
        for form in forms
    }
    return frozenset(surface for head in heads for surface in inflections(head, lang))


def _head(words: list[Word], inside: list[int], lang: str, entry: Entry | None) -> int | None:
    """The noun that the span is about: the entry's, else a person, else a name, else any noun."""
    known = _forms(entry, lang)
    best: tuple[int, int] | None = None
    for i in inside:
        form = words[i].form
        rank = 5 if form.lower() in known else _rank(form, lang, opening=i == 0)
        run_on = best is not None and rank == 3 and best == (3, i - 1)  # Ван Дорн
        if best and best == (rank, i - 1) and can(words[i - 1].form, lang, "adj"):
            run_on = True  # молодою дівчиною: the first is an adjective here
        if rank > 1 and (best is None or rank > best[0] or run_on):
            best = (rank, i)
    return best[1] if best else None


def _rank(form: str, lang: str, opening: bool) -> int:
    """How likely a word is the head: 4 a person, 3 a name, 2 another noun, 0 none."""
    if foreign(form) or known_noun(form, lang):
        return 4
    if "-" in form and (best := max(_rank(p, lang, opening) for p in form.split("-") if p)) == 4:
        return best
    found = parses(form, lang)
    if not found or not form[0].isalpha() or found[0].pos in ("prep", "conj"):
        return 0
    if found[0].pos == "pronoun":
        return 2 if "-" in form or form.endswith("сь") else 0
    nouns = [p for p in found if p.pos == "noun"]
    if any(p.animate and p.known and not p.name for p in nouns) and found[0].pos != "verb":
        return 4 if found[0].pos == "noun" else 2
    named = form[0].isupper() and not opening
    verbal = any(p.pos in ("verb", "short", "present", "infinitive") for p in found)
    if not nouns or (not named and (verbal or found[0].pos == "adj")):
        return 0
    return 3 if form[0].isupper() and found[0].pos != "verb" else 2


def _without_noun(words: list[Word], inside: list[int], lang: str) -> Reading | None:
    """A span without noun: its pronouns, past verbs, short forms and adjectives speak."""
    found: list[Evidence] = []
    for i in inside:
        form = words[i].form
        if slot := sexed_adjective(form, lang):
            found.append(evidence(words[i], "adjective's sense", slot))
            continue
        for pos, rule in (("pronoun", "pronoun"), ("verb", "past verb"), ("short", "short form")):
            if (parse := gendered(form, lang, pos)) and parse.slot in ("m", "f"):
                found.append(evidence(words[i], rule, parse.slot))
                break
        else:
            if not can(form, lang, "pronoun", "verb", "short"):
                found += _bare_adjective(words, i, lang)
    if not found:
        return None
    speaking = [e for e in found if e.rule != "adjective"] or found
    agree = len({e.gender for e in speaking}) == 1
    return Reading(speaking[0].gender, agree, tuple(speaking), (found[0].start, found[-1].end))


def _bare_adjective(words: list[Word], i: int, lang: str) -> list[Evidence]:
    """A nominalised adjective or participle (служащая, сопровождающего); m before n."""
    slots = {p.slot for p in parses(words[i].form, lang) if p.pos == "adj" and p.number == "sing"}
    if nouns := _right_noun(words, i, lang):
        slots &= nouns
    slot = "f" if slots == {"f"} else "m" if "m" in slots and "f" not in slots else None
    return [evidence(words[i], "adjective", slot)] if slot else []


def _right_noun(words: list[Word], i: int, lang: str) -> set[str | None]:
    if i + 1 < len(words) and top(words[i + 1].form, lang) == "noun":
        return {p.slot for p in parses(words[i + 1].form, lang) if p.pos == "noun"}
    return set()


def _neighbour(words: list[Word], inside: list[int], lang: str) -> int | None:
    near = [*range(inside[-1] + 1, inside[-1] + 4), *range(inside[0] - 1, inside[0] - 3, -1)]
    for i in near:
        if 0 <= i < len(words) and _rank(words[i].form, lang, i == 0) >= 2:
            return i
    return None


def _read_head(words: list[Word], head: int, inside: list[int], lang: str) -> Reading:
    word = words[head]
    if slot := foreign(word.form):
        return Reading(
            GENDER[slot],
            True,
            (evidence(word, "foreign noun", slot),),
            (word.start, word.end),
        )
    nouns = _noun_parses(word.form, lang)
    start, agreeing = _attributes(words, head, lang, nouns)
    nouns, fits = _compatible(nouns, [parse for _, parse in agreeing])
    cases = governed(words, start, lang)
    nouns = [p for p in nouns if p.case in cases or p.fixed] or nouns
    if is_name(word.form, nouns):
        return read_name(words, head, start, inside, nouns, lang)
    if len({p.slot for p in nouns}) > 1 and (
        verb := _subject_verb(words, start, head, lang, nouns)
    ):
        own = [p for p in nouns if p.case == "nomn" and p.slot in (verb[1].slot, "c")]
        nouns = own or nouns  # "маркиза улыбнулась"
    slots = {p.slot for p in nouns}
    slot = nouns[0].slot if nouns else None
    shown = [evidence(words[i], "agreeing word", p.slot or "m") for i, p in agreeing if p.slot]
    if slots - {"f", "n"}:  # a masculine form, or one open to both
        shown += _context(words, start, head, lang, nouns)
    elif verb := _subject_verb(words, start, head, lang, nouns):
        shown.append(evidence(words[verb[0]], "past verb", verb[1].slot or "n"))
        fits = fits and verb[1].slot == slot
    return _conclude(word, words[start].start, slot, shown, fits)


def _noun_parses(form: str, lang: str) -> list[Parse]:
    """The noun's parses, a listed reading or a hyphenated noun's person part first."""
    for part in [form, *form.split("-")] if "-" in form else [form]:
        nouns = [p for p in parses(part, lang) if p.pos == "noun"]
        if slot := known_noun(part, lang):
            own = [p for p in nouns if p.slot == slot] or [_UNDECLINED]
            return [replace(p, slot=slot, known=True, animate=True, name=False) for p in own]
        people = [p for p in nouns if p.animate and p.known and not p.name]
        if people and (part == form or len(part) > 3):
            return people
    nouns = [p for p in parses(form, lang) if p.pos == "noun"]
    other = [p for p in parses(form, lang) if p.pos in ("adj", "pronoun") and p.slot in ("m", "f")]
    return [p for p in nouns if p.animate] or nouns or other


def _attributes(
    words: list[Word], head: int, lang: str, nouns: list[Parse]
) -> tuple[int, list[tuple[int, Parse]]]:
    """Where the phrase begins, and the agreeing words left of the noun with a fitting parse."""
    frames = {(p.case, p.number) for p in nouns}
    fixed = any(p.fixed for p in nouns)
    found: list[tuple[int, Parse]] = []
    start = head
    for i in range(head - 1, max(head - 7, -1), -1):
        form = words[i].form
        fitting = [
            p
            for p in parses(form, lang)
            if p.pos == "adj" and ((p.case, p.number) in frames or fixed or p.fixed)
        ]
        if can(form, lang, "verb"):
            break
        slots = {p.slot for p in nouns}
        plain = top(form, lang) == "adj" or (
            fitting and fitting[0].tag.startswith(("NUMR", "NPRO"))
        )
        if fitting and (plain or slots & {p.slot for p in fitting}):  # "нова": also a star
            plural = [p for p in fitting if p.number == "plur"]
            own = next((p for p in fitting if p.slot in slots), (plural or fitting)[0])
            stranger = own.slot not in slots and "c" not in slots and own.number == "sing"
            if stranger and (own.slot == "n" or "pssv" in own.tag or "actv" in own.tag):
                break  # "после этого девушки", "моделью, предложенной дизайнером"
            if not own.fixed and own.number == "sing" and own.slot:
                found.append((i, own))
            start = i
        elif not (form[0].isdigit() or form in '«"„“'):
            break
    return start, found


def _compatible(nouns: list[Parse], agreeing: list[Parse]) -> tuple[list[Parse], bool]:
    """The noun's parses that its agreeing words allow; whether any was allowed by gender too."""
    if not agreeing:
        return nouns, True
    frames = {(p.case, p.number) for p in agreeing}
    slots = {p.slot for p in agreeing}
    by_case = [p for p in nouns if (p.case, p.number) in frames or p.fixed] or nouns
    both = [p for p in by_case if p.slot in slots or p.slot == "c"]
    if both:
        return both, True
    nominative = all(p.case in ("nomn", None) or p.fixed for p in by_case)
    masculine = all(p.slot == "m" for p in by_case)
    return by_case, masculine and nominative and slots == {"f"}


def _subject_verb(
    words: list[Word], start: int, head: int, lang: str, nouns: list[Parse]
) -> tuple[int, Parse] | None:
    """The predicate, if the noun can be its subject."""
    if not any(p.case in ("nomn", None) and p.number == "sing" for p in nouns):
        return None
    if governed(words, start, lang) and top(words[start - 1].form, lang) == "prep":
        return None
    found = predicate(words, start, head, lang)
    return found if found and found[1].slot in ("m", "f") else None


def _context(
    words: list[Word], start: int, head: int, lang: str, nouns: list[Parse]
) -> list[Evidence]:
    """What verb and relative pronoun say about a noun that may be of either gender."""
    found: list[Evidence] = []
    if verb := _subject_verb(words, start, head, lang, nouns):
        rule = "short form" if verb[1].pos == "short" else "past verb"
        found.append(evidence(words[verb[0]], rule, verb[1].slot or "m"))
    link = relative(words, head, lang) if any(p.number == "sing" for p in nouns) else None
    before = words[start - 1].form if start else ""
    rival = before and any(p.pos == "noun" and p.slot == "f" for p in parses(before, lang))
    if link and link[1].slot in ("m", "f") and not rival:
        found.append(evidence(words[link[0]], "relative", link[1].slot))
    return found


def _conclude(
    word: Word, start: int, slot: str | None, shown: list[Evidence], fits: bool
) -> Reading:
    """The verdict: a masculine or common form yields to feminine agreement, others do not."""
    span = (start, word.end)
    if slot in ("f", "n"):
        return Reading(GENDER[slot], fits, (*shown, evidence(word, "noun form", slot)), span)
    for gender in ("feminine", "masculine"):
        speaking = tuple(e for e in shown if e.gender == gender)
        if gender == "masculine" and slot == "m":
            speaking += (evidence(word, "noun form", slot),)
        if speaking:
            return Reading(speaking[0].gender, fits, speaking, span)
    return Reading("neutral", fits, (), span)
