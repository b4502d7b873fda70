"""Whose gender does the possessive take? Heads that carry the subject's, or the partner's, into it.

At *the lawyer kissed her / his wife* the model chooses between two words. Fours of sentences differ
in the subject's gender and in the partner's; each change alone is a pair of twins, and the heads
are patched from one twin into the other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from cuescope.data import relationships
from cuescope.data.items import Gold, Item, Pair, sample
from cuescope.inside.effect.patch import patch
from cuescope.inside.options import Patching
from cuescope.inside.ready import Ready, Twins, twins
from cuescope.inside.translator import Translator
from cuescope.measures.carriers import Carrier, carriers
from cuescope.models.translator import Progress
from cuescope.signature import Signature
from cuescope.stats import measured, share
from cuescope.stats.intervals import Array, Clusters, ratio
from cuescope.stats.scores import Scores
from cuescope.stats.value import Value

Whose = Literal["subject", "partner"]
WHOSE: tuple[Whose, Whose] = ("subject", "partner")
_CHOICE = re.compile(r"\b(?:his|her)\b")
_OTHER: dict[Gold, Gold] = {"male": "female", "female": "male"}
Four = dict[tuple[Gold, Gold], dict[str, str]]  # by gender of subject and partner: a row of the set


@dataclass(frozen=True)
class Possessive:
    """What moves the choice between her and his, and by which heads."""

    fours: int
    skipped: dict[str, int]
    pull: dict[str, Value]  # logits: by how much each gender moves the choice; their ratio
    decided: dict[str, Value]  # shares of fours: who decides
    heads: dict[tuple[Whose, str], list[Carrier]] = field(repr=False)  # by whose gender, and site
    scores: dict[tuple[Whose, str], Scores] = field(repr=False)

    def to_json(self) -> dict[str, Any]:
        """For a file."""
        from cuescope.run.numbers import number

        return {
            "fours": self.fours,
            "skipped": self.skipped,
            "pull": {name: number(value) for name, value in self.pull.items()},
            "decided": {name: number(value) for name, value in self.decided.items()},
            "heads": {
                f"{whose}, {site}": [one.to_json() for one in found]
                for (whose, site), found in self.heads.items()
            },
        }


def fours(rows: Sequence[Mapping[str, str]]) -> list[Four]:
    """The rows that differ only in the two genders, four by four."""
    keys = ("lang", "subject_word_en", "relationship_topic", "relationship_word_category")
    found: dict[tuple[str, ...], Four] = {}
    for row in rows:
        genders: Any = (row["subject_gender"], row["relationship_gender"])
        found.setdefault(tuple(row[key] for key in keys), {})[genders] = dict(row)
    return [four for four in found.values() if len(four) == len(_OTHER) ** 2]


def forms(four: Four, said: Mapping[str, str]) -> tuple[str, str] | str:
    """The model's own translation with her and with his, or why these four have no one choice.

    All four must say the same words up to the possessive: then it is the same choice.
    """
    texts = [said[row["sent"]] for row in four.values()]
    places = [_CHOICE.search(text) for text in texts]
    if any(place is None for place in places):
        return "a translation without his or her"
    starts = {text[: place.start()] for text, place in zip(texts, places, strict=True) if place}
    if len(starts) > 1:
        return "the translations part before the possessive"
    assert places[0] is not None
    start, rest = starts.pop(), texts[0][places[0].end() :]
    return f"{start}her{rest}", f"{start}his{rest}"


def pairs_of(four: Four, whose: Whose, index: int) -> list[Pair]:
    """Twins in which one gender changes, and the other is held: male and female in turn.

    The `female` twin is the one that asks for *her*: by a woman as the subject, or, for the
    partner, by a husband where couples are of two genders.
    """
    made: list[Pair] = []
    for held in _OTHER:
        items: dict[Gold, Item] = {}
        for gender in _OTHER:
            key = (gender, held) if whose == "subject" else (held, gender)
            gold = gender if whose == "subject" else _OTHER[gender]
            items[gold] = _item(four[key], gold, whose)
        made.append(Pair(items["male"], items["female"], 2 * index + len(made)))
    return made


def _item(row: Mapping[str, str], gold: Gold, whose: Whose) -> Item:
    start = row["sent"].index(row["subject_word"])
    focus = (start, start + len(row["subject_word"]))
    target: str = relationships.TARGETS[row["lang"]][row["relationship_word_category"]][
        "male" if row["relationship_gender"] == "male" else "female"
    ]
    at = row["sent"].index(target)
    cue = (0, focus[1]) if whose == "subject" else (at, at + len(target))
    return Item(
        row["sent"],
        focus,
        cue,
        gold,
        set=row["relationship_type"],
        noun=row["subject_word_en"],
        lang=row["lang"],
        template=row["relationship_topic"],
    )


def possessive(
    mt: Translator,
    rows: Sequence[Mapping[str, str]],
    said: Mapping[str, str],
    limit: int,
    *,
    progress: Progress | None = None,
) -> Possessive | str:
    """The two pulls on the possessive, and the heads that carry each; or why nothing can be told.

    `said` are the model's translations of the rows' sentences. At most `limit` fours are used.
    """
    skipped: Counter[str] = Counter()
    usable: list[tuple[Four, tuple[str, str]]] = []
    for four in fours(rows):
        found = forms(four, said)
        if isinstance(found, str):
            skipped[found] += 1
        else:
            usable.append((four, found))
    usable = list(sample(usable, limit))
    if not usable:
        return "no four sentences share one choice between his and her"
    scores: dict[tuple[Whose, str], Scores] = {}
    ready: dict[Whose, Ready[Twins]] = {}
    for whose in WHOSE:
        pairs = [p for n, (four, _) in enumerate(usable) for p in pairs_of(four, whose, n)]
        told = [form for _, form in usable for _ in _OTHER]
        ready[whose] = twins(mt, pairs, forms=told)
        sites = [site for site in ("encoder", "cross") if site in mt.sites]
        swept = patch(mt, ready[whose], sites, Patching(into="male"), progress=progress)
        scores |= {(whose, site): one for site, one in swept.items()}
    skipped.update(ready["subject"].skipped)
    leaning = _leaning(scores["subject", "cross"], len(usable))
    return Possessive(
        len(usable),
        dict(skipped),
        _pull(leaning, [four for four, _ in usable], mt.signature),
        _decided(leaning, [four for four, _ in usable], mt.signature),
        carriers(scores),
        scores,
    )


def _leaning(found: Scores, count: int) -> Array:
    """logit(her) − logit(his) [four, partner male / female, subject male / female].

    Cross-attention has a value for every pair: it asks for no like lengths.
    """
    table = np.full((count, 2, 2), np.nan)
    columns = (found.rows[name].tolist() for name in ("pair", "base", "twin"))
    for pair, base, twin in zip(*columns, strict=True):
        four, held = divmod(pair, 2)
        table[four, held] = base, twin
    return table


def _clusters(some: Sequence[Four]) -> Clusters:
    first = [next(iter(four.values())) for four in some]
    return Clusters(
        occupation=[row["subject_word_en"] for row in first],
        template=[row["relationship_topic"] for row in first],
    )


def _pull(leaning: Array, some: Sequence[Four], signature: Signature) -> dict[str, Value]:
    """By how much the choice moves towards her: by a woman as the subject, by a man as partner."""
    subject = (leaning[..., 1] - leaning[..., 0]).mean(1)
    partner = (leaning[:, 0] - leaning[:, 1]).mean(1)
    shared, ones = _clusters(some), np.ones(len(leaning))

    def value(label: str, top: Array, below: Array) -> Value:
        table = np.stack([top, below], axis=1)
        return measured(label, table, ratio, shared, percent=False, signature=signature)

    return {
        "subject": value("pull of the subject's gender", subject, ones),
        "partner": value("pull of the partner's gender", partner, ones),
        "ratio": value("partner over subject", partner, subject),
    }


def _decided(leaning: Array, some: Sequence[Four], signature: Signature) -> dict[str, Value]:
    """Who decides, in all four sentences alike: the subject, the partner, or neither."""
    her = leaning > 0
    by_subject = (her[..., 1] & ~her[..., 0]).all(1)
    by_partner = her[:, 0].all(-1) & ~her[:, 1].any(-1)
    found = {
        "by the subject": by_subject,
        "by the partner": by_partner,
        "always his": ~her.any((1, 2)),
        "always her": her.all((1, 2)),
    }
    found["mixed"] = ~np.any(list(found.values()), axis=0)
    shared = _clusters(some)
    return {
        name: share(name, hits.tolist(), None, shared, signature=signature)
        for name, hits in found.items()
    }
