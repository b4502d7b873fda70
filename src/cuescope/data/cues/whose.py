"""Whose pronoun is it? Two people and a pronoun, read by grammar and by what verbs say of them.

Only what is rather sure gets an answer. Grammar comes first: who acts is not meant by an object of
the same verb (*the cook called the nurse and thanked her*). Where grammar leaves both open, verb
and predicate must fit: one asks because one *needs*, one is asked because one *can*.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple, get_args

from cuescope.data.cues.acts import kind_of_verb, verb_forms, word_list
from cuescope.data.cues.causality import forms, verbs
from cuescope.data.cues.english import word_class
from cuescope.data.cues.phrases import Sentence
from cuescope.data.cues.predicates import of_things, predicate
from cuescope.data.pronouns import Role

Side = Literal["first", "second"]
Words = tuple[int, int]  # first word, past the last

# What main clause and predicate must be for the cause to lie with one of the two.
_CAUSES = {  # main clause → predicates of the first, of the second
    "seek": ("wish, need, lack, ill, feel, like, duty, broken", "able, good thing"),
    "give": ("feel, duty, task", "need, ill, asked, good, feast"),
    "punish": ("feel, duty, broken, task", "bad, bad thing"),
    "reward": ("feel, like", "good, good thing"),
    "meet": ("feel, lack", ""),
    "tell": ("wish", "good"),
    # any verb of which the object is the cause
    "hold": ("feel, duty", "bad, good, bad thing, good thing"),
}
_FITTING: dict[tuple[str, str], Side] = {
    (clause, predicate): side
    for clause, causes in _CAUSES.items()
    for side, predicates in zip(get_args(Side), causes, strict=True)
    for predicate in predicates.split(", ")
    if predicate
}
_EITHER = "the pronoun may mean either"
_SUBJECTS = frozenset("i you he she it we they which there".split())
_CAUSAL = ("because", "since", "as")
_DUTY = re.compile(r"(must|should|can|could|may|ha[sd] to|ought|is allowed|was allowed)\b(?! not)")
_ANSWER = re.compile(
    r"(refused|declined|rejected|complied|accepted|agreed|promised|replied|answered|obeyed"
    r"|(is|was) (very )?(grateful|thankful)"
    r"|(did not |didn't )?(like|love|enjoy|appreciate)d? (it|them|that))\b"
)
_BILL = re.compile(r"(charged|billed|asked for a tip|(issued|sent|wrote) an? (receipt|bill))\b")
_TASTE = re.compile(r"(likes?|liked|needs?|needed|wants?|wanted|had|has|knows?|knew|is|was)\b")


class Scene(NamedTuple):
    """Two people, the first of whom acts, and a pronoun after both."""

    sentence: Sentence
    first: Words
    second: Words
    pronoun: int
    role: Role


class Answer(NamedTuple):
    """Who is meant, and by which rule; None where the rules cannot say."""

    side: Side | None
    rule: str


def whose(scene: Scene) -> Answer:
    """The one of the two whom the pronoun means, if a rule is sure of it."""
    if scene.role == "subject":
        return _subject(scene)
    if scene.role == "reflexive":
        return Answer(None, "a reflexive")
    return _object(scene) if scene.role == "object" else _possessive(scene)


def _verb(scene: Scene, *kinds: str) -> str:
    """The kind of the main verb, which stands between the two."""
    return kind_of_verb(scene.sentence, scene.first[1], scene.second[0], kinds)


# -- objects: grammar ----------------------------------------------------------------------------


def _object(scene: Scene) -> Answer:
    """Never the one who acts: the other one."""
    actor = _actor(scene)
    if actor is None:
        return Answer(None, "who acts on the pronoun is not clear")
    return Answer("second" if actor == "first" else "first", "not the one who acts")


def _possessive(scene: Scene) -> Answer:
    """*and wanted her job*: the other one's, unless it is a thing that everyone has."""
    words, at = scene.sentence, scene.pronoun
    owned = any(words.word(i) in word_list("own") for i in (at + 1, at + 2))
    before = words.word(at - 1)
    if before == "for" and at - 1 == scene.second[1] and _verb(scene, "punish", "reward"):
        return Answer("second", "judged for what is theirs")
    if before in _CAUSAL or (words.word(at - 3) in _CAUSAL and words.word(at - 2) == "it"):
        return _cause(scene, of_things(_after(scene)))
    if _joined(scene) is not None and _actor(scene) == "first" and not owned:
        return Answer("second", "what is the other one's")
    if words.word(scene.second[1]) == "to" and at - scene.second[1] in (2, 3):
        served = words.word(scene.second[1] + 1) in verb_forms("serve")[0]
        if served and _verb(scene, "seek", "control"):
            return Answer("first", "a service on what is one's own")
    return Answer(None, "a possessive may mean either")


def _after(scene: Scene) -> str:
    words = scene.sentence
    return " ".join(words.word(i) for i in range(scene.pronoun + 1, len(words.words)))


def _actor(scene: Scene) -> Side | None:
    """Who does what the pronoun's verb says: the first, or the second by control or as *who*."""
    words, start, end = scene.sentence, scene.second[1], scene.pronoun
    between = [words.word(i) for i in range(start, end)]
    if any(word in _SUBJECTS for word in between) or _new_clause(scene):
        return None
    if _joined(scene) is not None:
        return "first"
    if between[:1] in (["who"], ["that"]):
        return "second"
    if between[:1] == ["to"] or (between[:1] and _bare(scene)):
        return "second" if _verb(scene, "control", "bare") else "first"
    if between[:1] in (["for"], ["from"], ["of"]) and between[1:2] and between[1].endswith("ing"):
        return "second" if between[0] != "of" else None
    return "first" if "to" in between or not between else None


def _bare(scene: Scene) -> bool:
    """*let the clerk call her*: an infinitive without *to*."""
    words, after = scene.sentence, scene.sentence.word(scene.second[1])
    if _verb(scene, "bare"):
        return not words.closed(after)
    return bool(_verb(scene, "control")) and words.verb(after)


def _joined(scene: Scene) -> int | None:
    """Where *and*, *but* or *then* joins a second verb of the first one's to the main clause."""
    words = scene.sentence
    for index in range(scene.pronoun - 1, scene.second[1] - 1, -1):
        if words.word(index) in ("and", "but", "then", "or"):
            return index
    return None


def _new_clause(scene: Scene) -> bool:
    """Does a clause with a subject of its own begin between the second person and the pronoun?"""
    words, begun = scene.sentence, scene.second[1]
    for index in range(begun, scene.pronoun):
        word, following = words.word(index), words.word(index + 1)
        if word == "while" and words.word(index - 1) in word_class("determiners"):  # for a while
            continue
        opens = word in ("because", "since", "although", "though", "while", "when", "if", "whether")
        if opens or (word in ("as", "after", "before", "that", "until") and not _verbal(following)):
            return True
        if word in ("and", "but", "so", ",") and following in word_class("determiners"):
            later = range(index + 2, scene.pronoun)
            if any(words.finite(i) for i in later):
                return True
    return False


def _verbal(word: str) -> bool:
    return word.endswith("ing")


# -- subjects: what verbs say --------------------------------------------------------------------


def _subject(scene: Scene) -> Answer:
    link, said = scene.sentence.word(scene.pronoun - 1), _after(scene)
    known = link in word_class("conjunctions")
    unsure = f"after {link!r} the pronoun may mean either" if known else _EITHER
    if link in _CAUSAL or (link == "after" and _verb(scene, "punish")):
        return _cause(scene, predicate(said))
    if link == "that" and _verb(scene, "tell"):
        if _DUTY.match(said):
            return Answer("second", "told what they must or may")
        if re.match(r"(would|will|'ll)\b", said):
            return Answer("first", "told what one will do oneself")
        return _fitting("tell", predicate(said), unsure)
    if link in ("if", "whether") and _verb(scene, "inquire") and _TASTE.match(said):
        return Answer("second", "asked about themselves")
    if link in ("what", "when", "where", "how"):
        return _question(scene, said, unsure)
    if link in ("and", "but", "then") and _ANSWER.match(said) and _verb(scene, "offering", "give"):
        return Answer("second", "the answer is the other one's")
    if link in ("and", "then") and _BILL.match(said) and _verb(scene, "give"):
        return Answer("first", "the bill is of the one who acted")
    return Answer(None, unsure)


def _question(scene: Scene, said: str, unsure: str) -> Answer:
    """*asked what she wants*: the other one; *told what she wants*: oneself; duties turn round."""
    verb, duty = (
        _verb(scene, "inquire", "tell"),
        re.match(r"(should|must|could|can|ha[sd] to)\b", said),
    )
    wish = re.match(
        r"(wants?|wanted|needs?|needed|likes?|liked|thinks?|thought|would like)\b", said
    )
    if not verb or not (duty or wish):
        return Answer(None, unsure)
    return Answer(
        "second" if bool(wish) == (verb == "inquire") else "first", "a question or its answer"
    )


def _cause(scene: Scene, kind: str) -> Answer:
    unsure = "verb and cause say nothing sure together"
    verb = _verb(scene, "seek", "give", "punish", "reward", "meet") or _holds(scene)
    return Answer(None, unsure) if _negated(scene) else _fitting(verb, kind, unsure)


def _holds(scene: Scene) -> str:
    """A verb of which, by its implicit causality, the object is the cause."""
    words = scene.sentence
    at, passive = words.main_verb(scene.first[1])
    form = forms().get(words.word(at))
    if form is None or passive or at >= scene.second[0]:
        return ""
    known = verbs().get((form.lemma, words.word(at + 1))) or verbs().get((form.lemma, ""))
    return "hold" if known is not None and known.bias == "O" else ""


def _fitting(verb: str, kind: str, unsure: str) -> Answer:
    side = _FITTING.get((verb, kind))
    return Answer(side, f"{verb} & {kind}" if side else unsure)


def _negated(scene: Scene) -> bool:
    between = range(scene.first[1], scene.second[0])
    denied = ("not", "n't", "never", "no", "refused", "failed", "would", "unable", "without")
    return any(scene.sentence.word(i) in denied for i in between)
