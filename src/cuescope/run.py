"""The main job: one model, one challenge set, everything measured on the same translations."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from cuescope import files
from cuescope.data.items import Item, Pair
from cuescope.errors import CueScopeError
from cuescope.measures.minimal_pairs import MPA
from cuescope.measures.value import Value
from cuescope.models.translator import Progress, Translator
from cuescope.signature import Signature, hash_text

if TYPE_CHECKING:
    import pandas as pd

    from cuescope.scoring import Score


@dataclass(frozen=True)
class Run:
    """What a model made of a set of minimal pairs, and what is measured from it."""

    pairs: tuple[Pair, ...] = field(repr=False)
    translations: dict[str, str] = field(repr=False)  # by source sentence
    unfinished: int  # translations cut off at the length limit
    lang: str
    signature: Signature

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

    def table(self) -> pd.DataFrame:
        """One row a sentence, with the evidence in words."""
        return self.score.table()

    def save(self, folder: str | Path) -> Path:
        """Write the run as files: translations, a row per sentence, the summary."""
        folder = Path(folder)
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
    from cuescope.gender import LANGUAGES

    target = (lang or mt.tgt or "")[:2]
    if target not in LANGUAGES:
        raise CueScopeError(
            f"the gender of nouns cannot be read in the output of {mt.name}",
            expected=f"a target language out of {', '.join(LANGUAGES)}",
            found=lang or mt.tgt or "a model that does not say its target language",
            do="name it: lang=, --lang",
        )
    if not pairs:
        raise CueScopeError("no pairs to investigate", expected="at least one pair", found="none")
    items: list[Item] = [item for pair in pairs for item in pair]
    texts = list(dict.fromkeys(item.text for item in items))
    found = mt.generate(texts, batch_size=batch_size, progress=progress)
    return Run(
        pairs=tuple(pairs),
        translations={
            text: mt.tokenizer.decode(best.ids) for text, best in zip(texts, found, strict=True)
        },
        unfinished=sum(not best.finished for best in found),
        lang=target,
        signature=mt.signature | {"sources": hash_text(texts), "search": "greedy"},
    )
