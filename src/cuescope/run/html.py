"""A run and a score in a notebook, as HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuescope.stats.html import by_group, table

if TYPE_CHECKING:
    from cuescope.run.run import Run
    from cuescope.run.score import Score


def score(one: Score, title: str = "") -> str:
    """Accuracy by set, and what the pairs say."""
    groups = {name: one.accuracy(name) for name in one.sets}
    notes = [value.brief() for value in one.measures().values()]
    skipped = sum(bool(v.skipped) for verdicts in one.sets.values() for v in verdicts)
    notes += [f"{skipped} sentences skipped"] if skipped else []
    return by_group(groups, title=title or "gender accuracy", notes=notes)


def run(one: Run) -> str:
    """A run in short: the model, the pairs, accuracy and MPA."""
    title = f"{one.mt.name}: {len(one.pairs)} pairs, gender accuracy in {one.lang}"
    cut = [f"{one.unfinished} translations cut off"] if one.unfinished else []
    return score(one.score, title) + table([], notes=cut) * bool(cut)
