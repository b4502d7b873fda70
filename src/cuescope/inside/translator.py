"""The Translator that people hold: it translates, samples, and can be looked into.

`models` know nothing of gender or of heads that speak: the verbs are here, the work in this room.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cuescope import models
from cuescope.data.items import Item
from cuescope.inside.heads import Given, named
from cuescope.inside.options import Integrating, Patching
from cuescope.models.translator import Progress
from cuescope.sampling.samples import Samples

if TYPE_CHECKING:
    import pandas as pd

    from cuescope.data.items import Pair
    from cuescope.inside.certified import Certified
    from cuescope.inside.options import Baseline, Into, Measure, Normalise, Side, Value, Where
    from cuescope.inside.read.maps import AttentionMap
    from cuescope.inside.ready import Ready, Subject, Twins
    from cuescope.inside.saliency import Saliency
    from cuescope.stats.scores import Scores


@dataclass(eq=False, repr=False)
class Translator(models.Translator):
    """A translation model with its heads open: interventions, effects, samples."""

    @classmethod
    def of(cls, mt: models.Translator) -> Translator:
        """The same model, with the verbs of this room."""
        return cls(**{one.name: getattr(mt, one.name) for one in fields(mt) if one.init})

    def sample(
        self,
        texts: Sequence[str] | str,
        n: int = 128,
        *,
        epsilon: float = 0.02,
        seed: int = 0,
        batch_size: int = 64,
        progress: Progress | None = None,
    ) -> list[Samples]:
        """`n` ε-samples of each text as counts of the distinct ones, the most frequent first."""
        from cuescope.sampling.tree import sample

        texts = [texts] if isinstance(texts, str) else texts
        return sample(self, texts, n, epsilon, seed, batch_size=batch_size, progress=progress)

    def enumerate(
        self,
        sources: Sequence[Item | str] | Item | str,
        width: float = 0.01,
        *,
        epsilon: float = 0.02,
        most: int = 4096,
        best: bool = False,
        lang: str | None = None,
        batch_size: int = 64,
        progress: Progress | None = None,
    ) -> Certified:
        """The probability of each gender of the focus noun, certified to an interval of `width`.

        `most` evaluations are spent on a source. With `best`, also the most probable translation of
        each gender. A plain text must name one person.
        """
        from cuescope.inside.exact import Enumerating, certify

        given = [sources] if isinstance(sources, str | Item) else sources
        how = Enumerating(width, epsilon, most, best, batch_size)
        return certify(self, given, how, lang=lang, progress=progress)

    def ablate(
        self,
        *,
        value: Value = "zero",
        over: Sequence[str] | None = None,
        seed: int = 0,
        **heads: Given,
    ) -> AbstractContextManager[None]:
        """Heads off, for anything inside: `with mt.ablate(encoder=["2.5"], value="mean")`."""
        from cuescope.inside.edit.outputs import ablate

        return ablate(self, value, over=over, seed=seed, **named(heads))

    def scale(self, factor: float, **heads: Given) -> AbstractContextManager[None]:
        """Heads louder or softer: `with mt.scale(2.0, encoder=[(2, 1)])`."""
        from cuescope.inside.edit.outputs import scale

        return scale(self, factor, **named(heads))

    def patched(
        self,
        twins: Sequence[Twins],
        *,
        into: Side = "male",
        where: Where = "all",
        embeddings: bool = False,
        **heads: Given,
    ) -> AbstractContextManager[None]:
        """Heads as in the twin: `with mt.patched(twins, encoder=[(2, 1)], into="male")`."""
        from cuescope.inside.edit.twin import patched

        return patched(self, twins, into=into, where=where, embeddings=embeddings, **named(heads))

    def floor(
        self, subjects: Sequence[Subject], least: float, **heads: Given
    ) -> AbstractContextManager[None]:
        """A least share of the noun's attention for the cue, in encoder heads."""
        from cuescope.inside.edit.floor import floor

        return floor(self, subjects, least, **named(heads))

    def twins(
        self,
        pairs: Sequence[Pair],
        *,
        forms: Sequence[tuple[str, str]] | None = None,
        lang: str | None = None,
        batch_size: int = 64,
        aligner: str = "builtin",
        progress: Progress | None = None,
    ) -> Ready[Twins]:
        """Pairs made ready for this model: translated, located, contrasted.

        `forms` gives the two translations of each pair, (feminine, masculine), for languages
        without a lexicon; `lang` the target language, if the model does not say it.
        """
        from cuescope.inside.ready import Making, twins

        made = Making(batch_size, aligner, progress)
        return twins(self, pairs, forms=forms, lang=lang, made=made)

    def patch(
        self,
        pairs: Sequence[Pair] | Ready[Twins],
        site: str,
        *,
        into: Into = "male",
        where: Where = "all",
        measure: Measure = "logit difference",
        normalise: Normalise = "mean",
        heads: Mapping[str, Given] | None = None,
        given: Mapping[str, Given] | None = None,
        progress: Progress | None = None,
    ) -> Scores:
        """The effect of each head of a site when it speaks as in the twin.

        `into` the male or the female sentence, or the mean of both. `heads` limits the sweep;
        `given` heads are patched all the time.
        """
        from cuescope.inside.effect.patch import patch

        how, ready = Patching(into, where, measure, normalise), self._ready(pairs)
        only, fixed = (None if some is None else named(some) for some in (heads, given))
        return patch(self, ready, (site,), how, heads=only, given=fixed, progress=progress)[site]

    def attribute(
        self,
        pairs: Sequence[Pair] | Ready[Twins],
        site: str,
        *,
        into: Into = "male",
        where: Where = "all",
        measure: Measure = "logit difference",
        normalise: Normalise = "mean",
        steps: int = 0,
        batch_size: int = 32,
        progress: Progress | None = None,
    ) -> Scores:
        """The same estimated by gradients: two forwards and one backward for all heads.

        `steps` > 0 averages the gradient over points between the twins: closer, slower.
        """
        from cuescope.inside.effect.attribution import attribute

        how, ready = Patching(into, where, measure, normalise), self._ready(pairs)
        found = attribute(
            self, ready, (site,), how, steps=steps, batch_size=batch_size, progress=progress
        )
        return found[site]

    def input_attribution(
        self,
        pairs: Sequence[Pair] | Ready[Twins],
        *,
        side: Side = "female",
        baseline: Baseline = "end",
        measure: Measure = "logit difference",
        steps: int = 50,
        progress: Progress | None = None,
    ) -> pd.DataFrame:
        """How much each source sub-word moves the choice: captum's integrated gradients."""
        from cuescope.inside.effect.inputs import input_attribution

        how = Integrating(side, baseline, measure, steps)
        return input_attribution(self, self._ready(pairs), how, progress=progress)

    def saliency(
        self,
        given: Item | str,
        *,
        noun: str | None = None,
        cue: str | None = None,
        forms: tuple[str, str] | None = None,
        lang: str | None = None,
        steps: int = 50,
    ) -> Saliency:
        """Which source words make the noun feminine: `cs.saliency` draws it.

        `noun` and `cue` where the rules do not say whose pronoun it is; `forms`, (feminine,
        masculine), for a language without gender rules.
        """
        from cuescope.inside.saliency import saliency
        from cuescope.inside.sentence import chosen, item_of, subject_of

        one = subject_of(self, item_of(given, noun, cue), lang=lang, forms=forms)
        return saliency(self, chosen(one), steps)

    def maps(self, text: str, translation: str | None = None) -> dict[str, AttentionMap]:
        """Whole attention maps of one sentence by site, for `arcs`; of the model's translation."""
        from cuescope.inside.read.maps import attention_maps

        return attention_maps(self, text, translation)

    def nnsight(self) -> Any:
        """This very module under nnsight, for free-form tracing."""
        from cuescope.inside.trace import nnsight

        return nnsight(self)

    def _ready(self, pairs: Sequence[Pair] | Ready[Twins]) -> Ready[Twins]:
        from cuescope.inside.ready import Ready

        return pairs if isinstance(pairs, Ready) else self.twins(pairs)


def load(name: str | Path, **options: Any) -> Translator:
    """Open a translation model and check that it is what it seems: see `cuescope.models.load`.

    >>> load("firefox:en-pt").sites                                          # doctest: +SKIP
    {'encoder': (6, 8), 'cross': (2, 8)}
    """
    return Translator.of(models.load(str(name), **options))
