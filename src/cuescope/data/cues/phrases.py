"""A sentence as words of known classes: clauses, phrases and verbs found by what surrounds them."""

from __future__ import annotations

from cuescope.data.cues.causality import Form, forms
from cuescope.data.cues.english import is_person, people, word_class
from cuescope.data.items import Span
from cuescope.gender.words import words

_SIMPLE_JOINS = ("and", "or")
_LEADS = (",", "and", "but", '"')
_NO_FORM = Form("", False)


class Sentence:
    """The words of a sentence, lower-cased, with questions about their grammar."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = words(text, "en")
        self._low = [word.form.lower() for word in self.words]

    def word(self, index: int) -> str:
        """The word at a place; nothing outside the sentence."""
        return self._low[index] if 0 <= index < len(self._low) else ""

    def at(self, span: Span) -> tuple[int, int]:
        """The words (first, past the last) that a span of characters meets."""
        met = [i for i, w in enumerate(self.words) if w.start < span[1] and w.end > span[0]]
        return met[0], met[-1] + 1

    # -- clauses ---------------------------------------------------------------------------

    def main_clause(self) -> int:
        """Where the main clause begins: after a clause or phrase in front, adverbs, a question's
        auxiliary."""
        start = 0
        if self.word(0) in word_class("openers") and "," in self._low:
            start = self._low.index(",") + 1
        while self._is("adverbs", start) or self._ly(start) or self.word(start) in _LEADS:
            start += 1
        if self._is("auxiliaries", start) and self._low[-1:] == ["?"]:
            start += 1
        return start

    def opens_phrase(self, start: int, noun: int) -> bool:
        """Is there nothing from `start` to the noun but its own determiner and modifiers?"""
        between = self._low[start:noun]
        if between and between[0] in word_class("determiners"):
            between = between[1:]
        for join in _SIMPLE_JOINS:  # the cook and the clerk: both are the subject
            if between[1:2] == [join] and is_person(between[0]):
                between = between[2:]
                if between and between[0] in word_class("determiners"):
                    between = between[1:]
        between = [word for word in between if word not in ("very", "most", "other")]
        if len(between) > 3 or any(self.closed(word) for word in between):
            return False
        offset = noun - len(between)
        return not any(self.verbal(offset + i, noun) for i in range(len(between)))

    def phrase_start(self, noun: int) -> int:
        """Where the phrase of a noun begins: its determiner, if one is near."""
        for back in range(1, 4):
            if self.word(noun - back) in word_class("determiners"):
                return noun - back
            if self.closed(self.word(noun - back)):
                break
        return noun

    # -- verbs -----------------------------------------------------------------------------

    def finite(self, index: int) -> bool:
        """Does a verb stand here, adverbs aside?"""
        while self._is("adverbs", index):
            index += 1
        word = self.word(index)
        return self._is("auxiliaries", index) or self.verb(word) or word.endswith("ed")

    def has_verb(self, start: int, end: int) -> bool:
        """Is there a verb among these words?"""
        return any(
            self._is("auxiliaries", i) or self.verb(self.word(i)) or self.word(i).endswith("ed")
            for i in range(start, end)
            if self.word(i - 1) not in word_class("determiners")
        )

    def main_verb(self, after: int) -> tuple[int, bool]:
        """The verb that follows a subject, and whether it is passive in form."""
        passive, index = False, after
        while self._is("auxiliaries", index) or self._is("adverbs", index) or self._ly(index):
            passive = self._is("be", index) or (passive and not self._is("auxiliaries", index))
            index += 1
        return index, passive and not self.word(index).endswith("ing")

    def after_verb(self, subject: int) -> int:
        """The place after the verb that follows a subject, whatever word that verb is."""
        verb, _ = self.main_verb(subject)
        return subject if self.closed(self.word(verb)) else verb + 1

    def owns(self, index: int) -> bool:
        """Is this a possessive 's, which makes the noun before it no head? (Or *is*, *has*?)"""
        following = self.word(index + 1)
        return self.word(index) in ("'s", "'") and not (
            following in word_class("adverbs")
            or following in word_class("determiners")
            or following in word_class("adjectives")
            or (following.endswith("ing") and self._opens(index + 2))
        )

    # -- nouns -----------------------------------------------------------------------------

    def has_noun(self, start: int, end: int) -> bool:
        """Does a noun phrase begin among these words?"""
        return any(self._noun(index, start, end) for index in range(start, end))

    def first_person(self, start: int, focus: tuple[int, int]) -> tuple[int, int] | None:
        """The person that heads the main clause's subject, as words (first, past the last)."""
        if self.opens_phrase(start, focus[0]) and focus[0] >= start:
            return focus
        return self.person_phrase(start)

    def person_phrase(self, start: int) -> tuple[int, int] | None:
        """The person named by the noun phrase that begins here, if it is one."""
        if self._is("indefinites", start):
            return (start, start + 1) if is_person(self.word(start)) else None
        first = start + self._is("determiners", start)
        for length in (3, 2, 1):
            for begin in range(first, first + 3):
                words = self._low[begin : begin + length]
                between = self._low[first:begin]
                if any(self.closed(w) for w in [*between, *words]) or len(words) < length:
                    continue
                name, end = " ".join(words), begin + length
                if is_person(name) and (length == 1 or name in people()):
                    return None if self.owns(end) else (begin, end)
        return None

    def _noun(self, index: int, start: int, end: int) -> bool:
        word, following, before = self.word(index), self.word(index + 1), self.word(index - 1)
        last = index + 1 == end
        if word == "that":  # a relative or a conjunction, unless a noun is next
            return not last and self._noun_form(index + 1, end)
        if word in word_class("possessives") and word not in ("his", "her", "their"):
            return True
        if self._is("pronouns", index) or self._is("indefinites", index):
            return True
        if self._is("determiners", index):
            return not (last or following in word_class("pronouns") or self._adverbial(index))
        if word == "home":
            return before in word_class("prepositions")
        if not word[:1].isalnum() or self.closed(word) or self._ly(index):
            return False
        if self._is("determiners", index - 1):  # its phrase began, and was told, before
            return not self._adverbial(index - 1)
        if before in word_class("be") or word in word_class("adjectives"):
            return False
        if before in word_class("prepositions") - {"to"} and not word.endswith("ing"):
            return True
        if word in word_class("verbs") or forms().get(word, _NO_FORM).participle:
            return False
        if word.endswith(("ed", "ing")):
            return False
        if index == start and (word in forms() or self._low[-1] == "?") and self._opens(index + 1):
            return False  # the noun's own verb: the dentist likes her, did the dentist drop her
        if index > start and (before == "to" or before in word_class("auxiliaries")):
            return False
        return not (before in ("and", "then", "who", "that", "which") and self._acts(index))

    def _opens(self, index: int) -> bool:
        """Does a phrase of its own begin here: a determiner, a pronoun, a preposition?"""
        names = ("determiners", "pronouns", "indefinites", "prepositions")
        return any(self._is(name, index) for name in names)

    def _adverbial(self, index: int) -> bool:
        """A phrase that is no one and nothing: *a lot*, *every day*, *what to do*."""
        following = self.word(index + 1)
        amount = following in ("lot", "bit", "little") and self.word(index + 2) != "of"
        return amount or following in word_class("times") or following == "to"

    def _noun_form(self, index: int, end: int) -> bool:
        word = self.word(index)
        plain = word[:1].isalnum() and not self.closed(word) and not self.verb(word)
        return index < end and plain and not word.endswith("ed")

    def _acts(self, index: int) -> bool:
        """After *and*: a verb (and paid him), unless a determiner or a noun list shows a noun."""
        following = self.word(index + 1)
        return following not in (",", ".", "and", "because") or self.verb(self.word(index))

    # -- words -----------------------------------------------------------------------------

    def _is(self, name: str, index: int) -> bool:
        return self.word(index) in word_class(name)

    def _ly(self, index: int) -> bool:
        return self.word(index).endswith("ly") and self.word(index) not in ("family", "reply")

    def verb(self, word: str) -> bool:
        """Is a word one of the verbs that are listed?"""
        return word in word_class("verbs") or word in forms()

    def closed(self, word: str) -> bool:
        """Is a word of a closed class, or a mark, or no word at all?"""
        names = ("determiners", "prepositions", "conjunctions", "auxiliaries", "pronouns")
        inside = any(word in word_class(name) for name in (*names, "indefinites", "adverbs"))
        return inside or not word[:1].isalnum()

    def verbal(self, index: int, noun: int) -> bool:
        """Is a word before the noun a verb, not a modifier (*helped mechanics*, *retired cook*)?"""
        word, before = self.word(index), self.word(index - 1)
        modifier = before in word_class("determiners") or before in word_class("adverbs")
        return not modifier and (self.verb(word) or word.endswith("ed")) and index < noun
