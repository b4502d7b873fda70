"""Text in which gated units must say nothing, and pronouns that mean nobody in the sentence."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from itertools import cycle
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from cuescope.data.items import Gold
from cuescope.data.lists import rows
from cuescope.mend import lessons
from cuescope.mend.targets import held

if TYPE_CHECKING:
    from cuescope.models.translator import Batch, Translator

SPOKEN = 2000  # sentences whose translations are quiet text for the decoder; of long lines a fourth
LONG = 4000  # lines of several sentences
_TURNS = (False, False, False, True)
CUES = ("he", "she", "him", "her", "his", "hers", "himself", "herself")
_CUE = re.compile(r"\b(he|she|him|her|his)\b", re.IGNORECASE)
_ROLE = {"he": 0, "she": 0, "him": 1, "her": 1, "his": 2}
# what joins two sentences: either whole, or without its full stop
_JOINTS = ("{0} {2}", "{0} {2}", "{1}; {2}", "{1}, and {2}", '{0} "{2}"', "{0} ({2})", "{1}: {2}")
# what stands in a lesson in place of the pronoun: subject, object, possessive
_INSTEAD = (
    "they/them/their",
    "they/them/their",
    "they/them/their",
    "I/me/my",
    "we/us/our",
    "you/you/your",
    "it/it/its",
    "Mary/Mary/Mary's",
    "John/John/John's",
    "the man/the man/the man's",
    "the woman/the woman/the woman's",
    "the boss/the boss/the boss's",
)


def without_cue(texts: Sequence[str], *, seed: int = 0) -> list[str]:
    """The sentences with other words in place of *he* and *she*: *they*, *I*, *Mary* … Grammar is
    not asked for: it is enough that no cue is left.

    >>> without_cue(["The cook said that she was late."], seed=1)
    ['The cook said that they was late.']
    """
    draw, found = random.Random(seed), []
    for text in texts:
        words = draw.choice(_INSTEAD).split("/")

        def other(match: re.Match[str], words: list[str] = words) -> str:
            word = words[_ROLE[match[1].lower()]]
            return word[0].upper() + word[1:] if match[1][0].isupper() else word

        found.append(_CUE.sub(other, text))
    return list(dict.fromkeys(found))


def alike(texts: Sequence[str], *, seed: int = 0) -> list[str]:
    """The sentences with words that begin as a pronoun does (*sherry*) in place of their people: a
    unit hears pieces of words, and must not take one of these for a cue.

    >>> alike(["The cook saw the singer."], seed=1)
    ['The cook saw the sheaf.']
    """
    draw, found = random.Random(seed), []
    words = [row[0] for row in rows("alike.tsv", "cuescope.mend.sentences")]
    names = sorted(lessons.nouns(), key=len, reverse=True)
    person = re.compile(rf"\b(?:{'|'.join(names)})\b", re.IGNORECASE)
    for text in texts:
        other = person.sub(lambda _: draw.choice(words), text)
        if other != text:
            found.append(other)
    return list(dict.fromkeys(found))


def nobody(times: int = 1, *, seed: int = 0) -> list[str]:
    """Sentences with *he* or *she* and no noun that it could mean: to be held where they are."""
    draw, found = random.Random(seed), []
    frames = [row[0] for row in rows("nobody.tsv", "cuescope.mend.sentences")]
    for text in lessons.plain(times, seed=seed, people=False):
        gold: Gold = draw.choice(("male", "female"))
        words = lessons.PRONOUNS[gold]
        low = text if text.split()[0] in lessons.slot("place") else text[0].lower() + text[1:]
        parts = {"text": text, "low": low, "cut": text[:-1], **words}
        parts |= {name.capitalize(): word.capitalize() for name, word in words.items()}
        found.append(draw.choice(frames).format(**parts))
    return list(dict.fromkeys(found))


def joined(texts: Sequence[str], count: int, *, seed: int = 0) -> list[str]:
    """Lines of several of the sentences: what stands late in a long line must be quiet too.

    >>> joined(["It rained.", "We stayed."], 1, seed=2)
    ['It rained; We stayed.']
    """
    draw, found = random.Random(seed), []
    for _ in range(count):
        first, *more = draw.sample(list(texts), min(len(texts), draw.randint(2, 4)))
        for text in more:
            first = draw.choice(_JOINTS).format(first, first[:-1], text, text[:-1])
        found.append(first)
    return found


class Quiet:
    """Batches of what has no cue: sentences, some with pieces replaced, pieces drawn blindly."""

    def __init__(self, mt: Translator, texts: Sequence[str], seed: int = 0) -> None:
        self.mt, self.texts, self.draw = mt, list(texts), random.Random(seed)
        words = [form for word in CUES for form in (word, word.capitalize())]
        self.cues = frozenset(mt.tokenise(word).ids[0] for word in words)
        barred = {*self.cues, *mt.engine.barred, mt.engine.eos_id}
        self.pieces = [i for i in range(mt.engine.rows - 1) if i not in barred]
        self.long = joined(self.texts, LONG, seed=seed)
        some = self.draw.sample(self.texts, min(SPOKEN, len(self.texts)))
        self.turn, self.turn_said = cycle(_TURNS), cycle(_TURNS)  # is it the turn of long lines?
        self.spoken, self.spoken_long = held(mt, some), held(mt, self.long[: SPOKEN // 4])

    def batch(self, count: int, *, blind: bool = True) -> tuple[Tensor, Tensor]:
        """Ids and mask of so many rows: half sentences, or long lines in every fourth batch, a
        quarter each of the other two; without pieces drawn blindly, half of them are sentences
        with pieces replaced."""
        texts = self.long if next(self.turn) else self.texts
        real = self.mt.batch(self.draw.sample(texts, min(len(texts), count // 2)))
        ids, mask, few = real.ids, real.mask, count // (4 if blind else 2)
        some = torch.tensor([[self.draw.random() < 0.3 for _ in row] for row in ids[:few].tolist()])
        inner = mask[:few].bool() & (ids[:few] != self.mt.engine.eos_id)
        inner &= ~self.shown(ids[:few]).any(1, keepdim=True)  # *she* + *rry* less *rry* is a cue
        mixed = torch.where(some.to(ids.device) & inner, self._drawn(few, ids), ids[:few])
        rows, masks = [ids, mixed], [mask, mask[:few]]
        if blind:
            drawn = self._drawn(few, ids)
            drawn[:, -1] = self.mt.engine.eos_id
            rows.append(drawn)
            masks.append(torch.ones_like(mask[:few]))
        return torch.cat(rows), torch.cat(masks)

    def said(self, count: int) -> tuple[Batch, Tensor, Tensor]:
        """Sentences, what the decoder is fed to say what the model says to them, and which of its
        steps are real."""
        spoken = self.spoken_long if next(self.turn_said) else self.spoken
        some = self.draw.sample(spoken, min(count, len(spoken)))
        longest = max(len(one.ids) for one in some)
        ids, real = torch.zeros(2, len(some), longest, dtype=torch.long)
        for row, one in enumerate(some):
            ids[row, : len(one.ids)] = torch.tensor(one.ids)
            real[row, : len(one.ids)] = 1
        inputs = self.mt.decoder_inputs(ids.to(self.mt.device))
        return self.mt.batch([one.source for one in some]), inputs, real.to(inputs.device).bool()

    def _drawn(self, count: int, like: Tensor) -> Tensor:
        width = like.shape[1]
        return like.new_tensor([self.draw.choices(self.pieces, k=width) for _ in range(count)])

    def shown(self, ids: Tensor) -> Tensor:
        """Where a cue stands."""
        return torch.isin(ids, ids.new_tensor(sorted(self.cues)))
