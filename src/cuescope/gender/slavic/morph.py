"""Russian and Ukrainian morphology: pymorphy3's parses in the few terms that agreement needs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from cuescope.errors import CueScopeError
from cuescope.gender.languages.tables import classes
from cuescope.gender.slavic.language import slavic

WORDS = classes(files(__package__).joinpath("words.tsv"))
_SLOT = {"masc": "m", "femn": "f", "neut": "n", "ms-f": "c"}
_CASE = {"gen2": "gent", "acc2": "accs", "loc2": "loct"}
_NAMES = ("Name", "Surn", "Patr", "Geox", "Orgn")


@dataclass(frozen=True)
class Parse:
    """One way to read a word form.

    pos: noun, adj (any agreeing word), pronoun, verb (past), short, prep, conj, other.
    slot: m, f, n, c (common gender) or None; case and number are pymorphy's, number sing or plur.
    """

    pos: str
    slot: str | None
    number: str
    case: str | None
    lemma: str
    animate: bool
    name: bool
    fixed: bool
    known: bool
    tag: str


@cache
def analyzer(lang: str) -> Any:
    """pymorphy3's analyzer for `ru` or `uk`, or an error that names the command to get it."""
    try:
        import pymorphy3

        return pymorphy3.MorphAnalyzer(lang=lang)
    except (ImportError, ValueError) as error:
        raise CueScopeError(
            f"reading {lang} needs pymorphy3 and its {lang} dictionary",
            expected=f"the packages pymorphy3 and pymorphy3-dicts-{lang}",
            found=str(error),
            do="pip install 'cuescope[nlp]'",
        ) from error


def _pos(tag: Any, lemma: str) -> str:
    pos = tag.POS
    if pos == "NOUN":
        return "noun"
    if pos in ("ADJF", "PRTF"):
        return "adj"
    if pos == "NPRO":
        base = lemma.split("-")[0]
        some = lemma.endswith(("сь", "-то", "-нибудь", "-либо")) or lemma in ("никто", "ніхто")
        return "pronoun" if base in WORDS["personal"] or some else "adj"
    if pos == "NUMR":
        return "adj" if tag.gender else "other"
    if pos in ("ADJS", "PRTS"):
        return "short"
    if pos == "VERB":
        return "verb" if tag.tense == "past" else "present"
    return {"PREP": "prep", "CONJ": "conj", "INFN": "infinitive"}.get(str(pos), "other")


def _lemma_slot(lemma: str, lang: str) -> str | None:
    for parse in analyzer(lang).parse(lemma):
        if parse.tag.POS == "NOUN" and parse.normal_form == lemma and parse.tag.gender:
            return _SLOT.get(parse.tag.gender)
    return None


@lru_cache(maxsize=200_000)
def parses(form: str, lang: str) -> tuple[Parse, ...]:
    """Every reading of a word form, likeliest first.

    >>> [(p.pos, p.slot, p.case) for p in parses("врач", "ru")]
    [('noun', 'm', 'nomn')]
    """
    found: list[Parse] = []
    try:
        read = analyzer(lang).parse(form.replace("’", "'").replace("ʼ", "'"))
    except ValueError:  # pymorphy3 takes every digit for a number, "²" too
        return ()
    for parse in read:
        tag = parse.tag
        text = str(tag)
        pos = _pos(tag, parse.normal_form)
        slot = "c" if "ms-f" in text else _SLOT.get(str(tag.gender))
        number = "plur" if "plur" in text else "sing"
        if pos == "noun" and slot is None:
            slot = _lemma_slot(parse.normal_form, lang)
        found.append(
            Parse(
                pos,
                slot,
                number,
                _CASE.get(str(tag.case), tag.case),
                parse.normal_form,
                "anim" in text and "inan" not in text,
                any(name in text for name in _NAMES),
                "Fixd" in text or tag.case is None,
                _known(parse),
                text,
            )
        )
    if slavic(lang).surnames_last:
        found.sort(key=lambda parse: parse.name)
    return tuple(found)


def _known(parse: Any) -> bool:
    stack = parse.methods_stack
    return len(stack) == 1 and type(stack[0][0]).__name__ == "DictionaryAnalyzer"


def can(form: str, lang: str, *wanted: str) -> bool:
    """May the form be one of these parts of speech?"""
    return any(parse.pos in wanted for parse in parses(form, lang))


def top(form: str, lang: str) -> str:
    """The likeliest part of speech."""
    found = parses(form, lang)
    return found[0].pos if found else "other"


def _nominative(form: str, lang: str) -> Any:
    """pymorphy's parse of a dictionary form: a common noun first, then an adjective, a surname."""

    def rank(parse: Any) -> int:
        tag = str(parse.tag)
        named = any(name in tag for name in _NAMES)
        fixed_name = named and "Fixd" in tag
        kind = {"NOUN": 0, "ADJF": 1, "PRTF": 1, "NPRO": 1}.get(str(parse.tag.POS), 9)
        oblique = parse.tag.case not in ("nomn", None) or "plur" in tag
        return 8 * oblique + kind + 2 * named + 4 * fixed_name

    return min(analyzer(lang).parse(form), key=rank)


def _spoken(form: str, lang: str) -> set[str]:
    """Masculine forms that translations use beside the dictionary's (пекару)."""
    for ending, stays, tails in slavic(lang).spoken:
        if form.endswith(ending):
            stem = form.removesuffix(ending) + stays
            return {stem + tail for tail in tails.split()}
    return set()


def _lexeme(form: str, lang: str) -> dict[tuple[str, str], set[str]]:
    """The forms of a dictionary form by (case, number), of its own gender only."""
    base = _nominative(form, lang)
    table: dict[tuple[str, str], set[str]] = {}
    for other in base.lexeme:
        tag = other.tag
        number = "plur" if "plur" in str(tag) else "sing"
        same = base.tag.POS == tag.POS and (base.tag.POS != "PRTF" or base.tag.tense == tag.tense)
        if not same or (base.tag.POS == "PRTF" and base.tag.voice != tag.voice):
            continue
        if number == "sing" and tag.gender not in (base.tag.gender, None):
            continue
        case = _CASE.get(str(tag.case), str(tag.case))
        table.setdefault((case, number), set()).add(other.word)
    table.setdefault(("nomn", "sing"), set()).add(form.lower())
    if base.tag.POS == "NOUN" and base.tag.gender == "masc":
        table.setdefault(("other", "sing"), set()).update(_spoken(form.lower(), lang))
    return table


@cache
def inflections(form: str, lang: str) -> frozenset[str]:
    """The surface forms, lower case, in which a lexicon form may stand; leading adjectives agree.

    >>> sorted(inflections("портной", "ru"))[:3]
    ['портного', 'портной', 'портном']
    """
    parts = form.lower().split()
    head = next((i for i, part in enumerate(parts) if top(part, lang) == "noun"), len(parts) - 1)
    tables = [_lexeme(part, lang) for part in parts[: head + 1]]
    rest = "".join(" " + part for part in parts[head + 1 :])
    found: set[str] = {form.lower()}
    for key in tables[-1]:
        phrases = [""]
        for table in tables:
            phrases = [f"{p} {w}" for p in phrases for w in sorted(table.get(key, ()))]
        found |= {phrase.strip() + rest for phrase in phrases}
    return frozenset(found | {surface.replace("ё", "е") for surface in found})
