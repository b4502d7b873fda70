"""A run and a score in a notebook, as HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuescope.stats.html import by_group, table

if TYPE_CHECKING:
    from cuescope.run.release import Release
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
    if one.unread:
        made = f"{one.mt.name}: {len(one.pairs)} pairs translated into {one.lang}"
        return table([], title=made, notes=[f"{one.unread}: no noun is read", *cut])
    return score(one.score, title) + table([], notes=cut) * bool(cut)


def release(one: Release) -> str:
    """Two releases: each share before and after, what changed, and the first sentences."""
    rows = [
        [m.label, *(str(v.shown()) for v in (m.before, m.after, m.change)), m.broke, m.mended]
        for m in one.measures
    ]
    head = ["", "before", "after", "change", "broke", "mended"]
    title = f"{one.second.label} against {one.first.label}"
    turned = [
        [change.kind, before.item.text, before.translation, after.translation]
        for change in (*one.pairs, *one.sentences)[:10]
        for before, after in change.sentences
    ]
    more = table(turned, ["", "source", "before", "after"], title="the first changes")
    return table(rows, head, title=title, notes=one.notes) + (more if turned else "")
