"""The main job: one model, one challenge set, everything measured on the same translations."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cuescope import files
from cuescope.data.items import Item, Pair
from cuescope.errors import CueScopeError
from cuescope.measures.minimal_pairs import MPA
from cuescope.measures.value import Value
from cuescope.models.decoding import Hypothesis
from cuescope.models.translator import Progress, Translator
from cuescope.signature import Signature, hash_text

if TYPE_CHECKING:
    import pandas as pd

    from cuescope.scores import Grid, Scores
    from cuescope.scoring import Score
    from cuescope.subjects import Ready, Subject, Twins


@dataclass(frozen=True)
class Run:
    """What a model made of a set of minimal pairs, and what is measured from it."""

    mt: Translator
    pairs: tuple[Pair, ...] = field(repr=False)
    hypotheses: dict[str, Hypothesis] = field(repr=False)  # by source sentence
    lang: str
    signature: Signature

    @cached_property
    def translations(self) -> dict[str, str]:
        """Source sentence → translation."""
        decode = self.mt.tokenizer.decode
        return {text: decode(best.ids) for text, best in self.hypotheses.items()}

    @property
    def unfinished(self) -> int:
        """How many translations were cut off at the length limit."""
        return sum(not best.finished for best in self.hypotheses.values())

    @cached_property
    def score(self) -> Score:
        """The verdict on every translation: pro and anti are the two twins of the pairs."""
        from cuescope.judge import judge
        from cuescope.scoring import Score

        twins = {name: [getattr(pair, name) for pair in self.pairs] for name in ("pro", "anti")}
        flat = [item for items in twins.values() for item in items]
        verdicts = judge(flat, [self.translations[item.text] for item in flat], self.lang)
        half = len(self.pairs)
        sets = {"pro": tuple(verdicts[:half]), "anti": tuple(verdicts[half:])}
        return Score(sets, self.pairs, all_pairs=True, signature=self.signature)

    def accuracy(self) -> dict[str, dict[str, Value]]:
        """Gender accuracy by set: all, male, female."""
        return {name: self.score.accuracy(name) for name in self.score.sets}

    def mpa(self) -> MPA:
        """Minimal pair accuracy, with its strict form and Pro-F / Pro-M."""
        found = self.score.mpa
        assert found is not None  # both twins of every pair are translated
        return found

    def thin(self, most: int) -> Run:
        """The same run with at most so many pairs, evenly spread."""
        step = -(-len(self.pairs) // most)
        return replace(self, pairs=self.pairs[::step])

    def _made(self) -> dict[str, Any]:
        """The translations and readings of this run, twin by twin, for whoever looks inside."""
        both = zip(self.score.sets["pro"], self.score.sets["anti"], strict=True)
        verdicts = [verdict for pair in both for verdict in pair]
        return {
            "hypotheses": [self.hypotheses[verdict.item.text] for verdict in verdicts],
            "readings": [verdict.reading for verdict in verdicts],
        }

    @cached_property
    def twins(self) -> Ready[Twins]:
        """The pairs made ready for interventions, each with its contrast; the rest by reason."""
        from cuescope.subjects import twins

        return twins(self.mt, self.pairs, **self._made())

    @cached_property
    def subjects(self) -> Ready[Subject]:
        """The sentences of the pairs, with noun and cue found on both sides; the rest by reason."""
        from cuescope.subjects import subjects

        return subjects(self.mt, [item for pair in self.pairs for item in pair], **self._made())

    def attention(self, site: str, **options: Any) -> Scores:
        """Attention from the noun to the cue, per sentence, layer and head."""
        from cuescope.attention import attention

        return attention(self.mt, self.subjects, (site,), **options)[site]

    def patch(self, site: str, **options: Any) -> Scores:
        """The effect of every head of a site when it speaks as in the twin, per pair."""
        return self.mt.patch(self.twins, site, **options)

    def attribute(self, site: str, **options: Any) -> Scores:
        """The same by gradients."""
        return self.mt.attribute(self.twins, site, **options)

    def table(self) -> pd.DataFrame:
        """One row a sentence, with the evidence in words."""
        return self.score.table()

    def save(self, folder: str | Path, **grids: Grid) -> Path:
        """Write the run as files: translations, a row per sentence, the summary, head grids."""
        folder = Path(folder)
        for name, grid in grids.items():
            files.write(folder / f"{name}.json", json.dumps(grid.to_json(), indent=1))
        lines = [f"{source} ||| {text}\n" for source, text in self.translations.items()]
        files.write(folder / "translations.txt", "".join(lines))
        files.write(folder / "sentences.csv", self.table().to_csv(index=False))
        summary = json.dumps(self.score.to_json(), indent=1, ensure_ascii=False)
        files.write(folder / "score.json", summary)
        return folder


def investigate(
    mt: Translator,
    pairs: Sequence[Pair],
    *,
    lang: str | None = None,
    batch_size: int = 64,
    progress: Progress | None = None,
) -> Run:
    """Translate both twins of every pair once, and measure on those translations.

    `lang`, the target language, is the model's own unless it does not say.
    """
    from cuescope.subjects import target_language

    target = target_language(mt, lang)
    if not pairs:
        raise CueScopeError("no pairs to investigate", expected="at least one pair", found="none")
    items: list[Item] = [item for pair in pairs for item in pair]
    texts = list(dict.fromkeys(item.text for item in items))
    found = mt.generate(texts, batch_size=batch_size, progress=progress)
    return Run(
        mt,
        pairs=tuple(pairs),
        hypotheses=dict(zip(texts, found, strict=True)),
        lang=target,
        signature=mt.signature | {"sources": hash_text(texts), "search": "greedy"},
    )
