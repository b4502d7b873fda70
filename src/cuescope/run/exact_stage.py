"""The stage that certifies: sentences enumerated and kept, nothing imported before it is made."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from cuescope.run.tried import tried

if TYPE_CHECKING:
    from cuescope.models.translator import Progress
    from cuescope.run.run import Run
    from cuescope.signature import Signature


def make(run: Run, progress: Progress) -> Any:
    """The sentences of the contrast sets enumerated, or why they cannot be."""
    if not run.settings.exact:
        return None
    made = partial(tried, lambda: run.certified(progress=progress).to_json())
    return run.store.json("exact", facts(run), made)


def kept(run: Run) -> Any:
    """What was kept of it."""
    return run.store.kept_json("exact", facts(run))


def facts(run: Run) -> Signature:
    """What certified probabilities depend on."""
    from cuescope.signature import hash_text

    chosen, _ = run.contrast_sets()
    sets = hash_text(f"{item.text}{item.focus}" for one in chosen for item in one)
    return run.facts(sets=sets, width=run.settings.exact, epsilon=run.settings.epsilon)
