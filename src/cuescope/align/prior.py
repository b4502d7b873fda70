"""What is known of two languages before any data: a small dictionary, and look-alike words.

The weights enter the model as pseudo-counts, so one sentence can be aligned sensibly and
thousands of sentences overrule them.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from cuescope.align.fast_align import Floats, Ints, Prior
from cuescope.gender.languages import find, get, per_language
from cuescope.gender.words import words

Bits = NDArray[np.uint64]
BITS = 1024  # of a word's n-gram set; collisions then touch few pairs
SAME_STEM = 0.8  # weight of an inflected form of a dictionary word
SAME_KIND = 0.03  # weight of any two content words, or punctuation marks
PART = 0.5  # weight of one word of a term of several words
_PAIRS_AT_ONCE = 1 << 20
_LISTS_ENGLISH = "it"


def prior(source: Sequence[str], target: Sequence[str], languages: tuple[str, str]) -> Prior:
    """A function from word ids (from 1 on, both sides) to weights from 0 to 1.

    >>> weigh = prior(["nurse", "the"], ["infermiera", "la"], ("en", "it"))
    >>> weigh(np.array([2, 2]), np.array([1, 2]))
    array([0., 1.])
    """
    keys, values = _dictionary(source, target, languages)
    left, right = _grams(source), _grams(target)
    left_kind, right_kind = _kinds(source, languages[0]), _kinds(target, languages[1])

    def weigh(sources: Ints, targets: Ints) -> Floats:
        weight = np.zeros(len(sources))
        for at in range(0, len(sources), _PAIRS_AT_ONCE):
            s, t = sources[at : at + _PAIRS_AT_ONCE], targets[at : at + _PAIRS_AT_ONCE]
            alike = _alike(left[s - 1], right[t - 1])
            same = SAME_KIND * (left_kind[s - 1] & right_kind[t - 1] != 0)
            weight[at : at + _PAIRS_AT_ONCE] = np.maximum(alike, same)
        if len(keys):
            asked = (sources << 32) | targets
            place = np.minimum(np.searchsorted(keys, asked), len(keys) - 1)
            known = np.where(keys[place] == asked, values[place], 0.0)
            np.maximum(weight, known, out=weight)
        return weight

    return weigh


@per_language
@cache
def function_words(lang: str) -> frozenset[str]:
    """Articles, pronouns, prepositions, conjunctions, auxiliaries of a language, if known.

    >>> "the" in function_words("en"), "gli" in function_words("it")
    (True, True)
    """
    if lang == "en":  # one language's table lists them all
        listed = get(_LISTS_ENGLISH).dictionary
        return frozenset(chain.from_iterable(english for english, kind, _ in listed if kind == "f"))
    language = find(lang)
    return language.light if language else frozenset()


@per_language
@cache
def _terms(lang: str) -> dict[str, dict[str, float]]:
    """English word → words of the other language, with weights."""
    found: defaultdict[str, dict[str, float]] = defaultdict(dict)
    language = find(lang)
    for english, _, forms in language.dictionary if language else ():
        for word in english:
            found[word].update(dict.fromkeys(forms, 1.0))
    for noun, translations in _lexicon(lang):
        first, *more = reversed([w.form for w in words(noun, "en")])  # English heads come last
        for form in translations:
            parts = [w.form.lower() for w in words(form, lang)]
            parts = [p for p in parts if p not in function_words(lang)]
            for n, part in enumerate(parts):
                for word, is_head in [(first, n == 0), *((w, n > 0) for w in more)]:
                    weight = 1.0 if is_head else PART
                    found[word][part] = max(weight, found[word].get(part, 0.0))
    return dict(found)


def _lexicon(lang: str) -> Iterator[tuple[str, Iterable[str]]]:
    """The profession words of `cuescope.gender`, for the languages that have them."""
    language = find(lang)
    for entry in language.lexicon.values() if language else ():
        yield entry.english.lower(), (*entry.masculine, *entry.feminine, *entry.epicene)


def _dictionary(
    source: Sequence[str], target: Sequence[str], languages: tuple[str, str]
) -> tuple[Ints, Floats]:
    """Sorted keys `source id << 32 | target id` of known pairs, and their weights."""
    flipped = languages[1] == "en" and languages[0] != "en"
    english, other = (target, source) if flipped else (source, target)
    lang = languages[0] if flipped else languages[1]
    if "en" not in languages or lang == "en":
        return np.zeros(0, np.int64), np.zeros(0)
    ids = {word: n for n, word in enumerate(other, 1)}
    stems = defaultdict(list)
    for word in other:
        stems[word[:4]].append(word)
    found: dict[int, float] = {}
    for n, word in enumerate(english, 1):
        for form, weight in _known(word, _terms(lang)).items():
            hits = [(form, weight)] if form in ids else []
            hits += [(w, SAME_STEM * weight) for w in stems[form[:4]] if _same_stem(form, w)]
            for hit, value in hits:
                key = (ids[hit] << 32) | n if flipped else (n << 32) | ids[hit]
                found[key] = max(value, found.get(key, 0.0))
    keys = sorted(found)
    return np.array(keys, dtype=np.int64), np.array([found[k] for k in keys])


def _known(word: str, terms: dict[str, dict[str, float]]) -> dict[str, float]:
    """The entry of an English word, or of the singular it may be the plural of."""
    singulars = [word, word.removesuffix("s"), word.removesuffix("es")]
    if word.endswith("ies"):
        singulars.append(word[:-3] + "y")
    return next((terms[s] for s in singulars if s in terms), {})


def _same_stem(form: str, word: str) -> bool:
    """Whether two words may be inflections of one: they differ in a short ending only."""
    shared = max(4, min(len(form), len(word)) - 2)
    longest = max(len(form), len(word))
    return form != word and form[:shared] == word[:shared] and longest - shared <= 4


_LATIN = str.maketrans(
    "абвгґдеёєжзиіїйклмнопрстуфхцчшщыэюя", "abvggdeeejziiiiklmnoprstufkccssieua", "ьъ"
)
_SOUNDS = (("ch", "k"), ("qu", "k"), ("ph", "f"), ("th", "t"), ("c", "k"), ("y", "i"), ("w", "v"))


def _kinds(vocabulary: Sequence[str], lang: str) -> Ints:
    """0 for a function word, 1 for a content word, 2 for punctuation."""
    light = function_words(lang)
    marks = (not any(c.isalnum() for c in word) for word in vocabulary)
    pairs = zip(vocabulary, marks, strict=True)
    return np.array([2 if mark else int(w not in light) for w, mark in pairs], dtype=np.int64)


def _grams(vocabulary: Sequence[str]) -> Bits:
    """For each word, the set of its letter pairs and of its first letters, as bits."""
    bits = np.zeros((len(vocabulary), BITS // 64), dtype=np.uint64)
    for n, word in enumerate(vocabulary):
        plain = _fold(word)
        if len(plain) < 4 and plain.isalpha():
            continue  # short words look alike by chance
        grams = {a + b for a, b in pairwise(plain)}
        grams |= {"^" + plain[:k] for k in (1, 2, 3, 4)}
        for gram in grams:
            at = sum(ord(c) * 131**k for k, c in enumerate(gram)) % BITS
            bits[n, at // 64] |= np.uint64(1 << (at % 64))
    return bits


def _fold(word: str) -> str:
    """A rough common spelling: Latin letters without accents, one letter for like sounds."""
    plain = unicodedata.normalize("NFD", word.translate(_LATIN))
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    for written, sound in _SOUNDS:
        plain = plain.replace(written, sound)
    return "".join(c for c, after in pairwise(plain + " ") if c != after)


def _alike(left: Bits, right: Bits) -> Floats:
    """Dice's coefficient of the two sets, from 0 (at one half or less) to 1."""
    common = np.bitwise_count(left & right).sum(1, dtype=float)
    size = np.bitwise_count(left).sum(1, dtype=float) + np.bitwise_count(right).sum(1, dtype=float)
    dice = 2 * common / np.maximum(size, 1)
    alike: Floats = np.clip(2 * dice - 1, 0, 1)
    return alike
