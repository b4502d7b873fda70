"""What a Translator offers to look inside it; the work is done in `cuescope.hooks`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from cuescope.data.items import Pair
    from cuescope.hooks.heads import Head
    from cuescope.hooks.intervene import Value
    from cuescope.hooks.maps import AttentionMap
    from cuescope.models.translator import Translator
    from cuescope.scores import Scores
    from cuescope.subjects import Ready, Subject, Twins


class Inside:
    """Interventions for a `with`, and the effect of every head; imported when asked for."""

    def ablate(self: Any, *, value: Value = "zero", **heads: Any) -> AbstractContextManager[None]:
        """Heads off, for anything inside: `with mt.ablate(encoder=[(2, 5)], value="mean")`."""
        from cuescope.hooks.intervene import ablate

        return ablate(self, value, **heads)

    def scale(self: Any, factor: float, **heads: Sequence[Head]) -> AbstractContextManager[None]:
        """Heads louder or softer: `with mt.scale(2.0, encoder=[(2, 1)])`."""
        from cuescope.hooks.intervene import scale

        return scale(self, factor, **heads)

    def patched(self: Any, twins: Sequence[Twins], **options: Any) -> AbstractContextManager[None]:
        """Heads as in the twin: `with mt.patched(twins, encoder=[(2, 1)], into="male")`."""
        from cuescope.hooks.twin import patched

        return patched(self, twins, **options)

    def floor(
        self: Any, subjects: Sequence[Subject], least: float, **heads: Sequence[Head]
    ) -> AbstractContextManager[None]:
        """A least share of the noun's attention for the cue, in encoder heads."""
        from cuescope.hooks.floor import floor

        return floor(self, subjects, least, **heads)

    def twins(self: Any, pairs: Sequence[Pair], **options: Any) -> Ready[Twins]:
        """Pairs made ready for this model: translated, located, contrasted."""
        from cuescope.subjects import twins

        return twins(self, pairs, **options)

    def patch(self, pairs: Sequence[Pair] | Ready[Twins], site: str, **options: Any) -> Scores:
        """The effect of each head of a site when it speaks as in the twin."""
        from cuescope.hooks.sweep import patch

        return patch(self._me(), self._ready(pairs), (site,), **options)[site]

    def attribute(self, pairs: Sequence[Pair] | Ready[Twins], site: str, **options: Any) -> Scores:
        """The same by gradients: two forwards and one backward for all heads."""
        from cuescope.hooks.attribute import attribute

        return attribute(self._me(), self._ready(pairs), (site,), **options)[site]

    def maps(self, text: str, translation: str | None = None) -> dict[str, AttentionMap]:
        """Whole attention maps of one sentence by site, for `arcs`; of the model's translation."""
        from cuescope.hooks.maps import attention_maps

        return attention_maps(self._me(), text, translation)

    def nnsight(self) -> Any:
        """This very module under nnsight, for free-form tracing."""
        from cuescope.hooks.trace import nnsight

        return nnsight(self._me())

    def _me(self) -> Translator:
        return cast("Translator", self)

    def _ready(self, pairs: Any) -> Ready[Twins]:
        from cuescope.subjects import Ready

        return pairs if isinstance(pairs, Ready) else self.twins(pairs)
