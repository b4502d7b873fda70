"""What a run draws: samples of its contrast sets, kept as they come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from cuescope.files.chunks import Told
from cuescope.run import unread
from cuescope.signature import hash_text

if TYPE_CHECKING:
    from cuescope.inside.translator import Translator
    from cuescope.models.translator import Progress
    from cuescope.run.run import Run
    from cuescope.run.settings import Settings
    from cuescope.run.study import Study

_DRAWN = 12  # sources sampled before they are kept


def study_of(run: Run, use: Settings, sets: int | None, progress: Progress | None) -> Study:
    """The contrast sets sampled as the settings say, and their entropies; samples are kept."""
    from cuescope.measures.parts import part
    from cuescope.run.study import study
    from cuescope.sampling.samples import Samples

    names = unread.measures(run, use.measures)
    chosen, _ = run.contrast_sets(sets)
    texts = list(dict.fromkeys(item.text for one in chosen for item in one))
    drawing: dict[str, Any] = {"epsilon": use.epsilon, "seed": use.seed}
    run.facts()
    facts = run.mt.signature | {"data": hash_text(texts), "samples": use.samples, **drawing}
    lines = run.store.lines(
        "samples",
        facts,
        texts,
        partial(_sampled, run.mt, use.samples, drawing, Told(progress)),
        chunk=_DRAWN,
        progress=progress,
    )
    parts = {n: part(n, run.lang, use.similarity, use.equivalence) for n in names}
    drawn = [Samples.from_json(line) for line in lines]
    return study(run.mt, chosen, parts, samples=use.samples, drawn=drawn, **drawing)


def _sampled(
    mt: Translator,
    samples: int,
    drawing: Mapping[str, Any],
    progress: Progress,
    texts: Sequence[str],
) -> list[dict[str, Any]]:
    return [one.to_json() for one in mt.sample(texts, samples, progress=progress, **drawing)]
