"""The Translator that people hold: it translates, samples, and can be looked into.

`models` know nothing of gender or of heads that speak: the verbs are here, the work in this room.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from cuescope import models
from cuescope.models.translator import Progress
from cuescope.sampling.samples import Samples

if TYPE_CHECKING:
    from cuescope.data.items import Pair
    from cuescope.inside.edit.louder import Value
    from cuescope.inside.heads import Head
    from cuescope.inside.read.maps import AttentionMap
    from cuescope.inside.ready import Ready, Subject, Twins
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

    def ablate(self, *, value: Value = "zero", **heads: Any) -> AbstractContextManager[None]:
        """Heads off, for anything inside: `with mt.ablate(encoder=[(2, 5)], value="mean")`."""
        from cuescope.inside.edit.louder import ablate

        return ablate(self, value, **heads)

    def scale(self, factor: float, **heads: Sequence[Head]) -> AbstractContextManager[None]:
        """Heads louder or softer: `with mt.scale(2.0, encoder=[(2, 1)])`."""
        from cuescope.inside.edit.louder import scale

        return scale(self, factor, **heads)

    def patched(self, twins: Sequence[Twins], **options: Any) -> AbstractContextManager[None]:
        """Heads as in the twin: `with mt.patched(twins, encoder=[(2, 1)], into="male")`."""
        from cuescope.inside.edit.twin import patched

        return patched(self, twins, **options)

    def floor(
        self: Any, subjects: Sequence[Subject], least: float, **heads: Sequence[Head]
    ) -> AbstractContextManager[None]:
        """A least share of the noun's attention for the cue, in encoder heads."""
        from cuescope.inside.edit.floor import floor

        return floor(self, subjects, least, **heads)

    def twins(self, pairs: Sequence[Pair], **options: Any) -> Ready[Twins]:
        """Pairs made ready for this model: translated, located, contrasted."""
        from cuescope.inside.ready import twins

        return twins(self, pairs, **options)

    def patch(self, pairs: Sequence[Pair] | Ready[Twins], site: str, **options: Any) -> Scores:
        """The effect of each head of a site when it speaks as in the twin."""
        from cuescope.inside.effect.patch import patch

        return patch(self, self._ready(pairs), (site,), **options)[site]

    def attribute(self, pairs: Sequence[Pair] | Ready[Twins], site: str, **options: Any) -> Scores:
        """The same by gradients: two forwards and one backward for all heads."""
        from cuescope.inside.effect.attribution import attribute

        return attribute(self, self._ready(pairs), (site,), **options)[site]

    def maps(self, text: str, translation: str | None = None) -> dict[str, AttentionMap]:
        """Whole attention maps of one sentence by site, for `arcs`; of the model's translation."""
        from cuescope.inside.read.maps import attention_maps

        return attention_maps(self, text, translation)

    def nnsight(self) -> Any:
        """This very module under nnsight, for free-form tracing."""
        from cuescope.inside.trace import nnsight

        return nnsight(self)

    def _ready(self, pairs: Any) -> Ready[Twins]:
        from cuescope.inside.ready import Ready

        return pairs if isinstance(pairs, Ready) else self.twins(pairs)


def load(name: str, **options: Any) -> Translator:
    """Open a translation model and check that it is what it seems: see `cuescope.models.load`.

    >>> load("firefox:en-pt").sites                                          # doctest: +SKIP
    {'encoder': (6, 8), 'cross': (2, 8)}
    """
    return Translator.of(models.load(name, **options))
