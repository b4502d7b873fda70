"""A run as a notebook has it: it shows its progress, writes its findings and its report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cuescope import files
from cuescope.data.items import Pair
from cuescope.inside.translator import Translator
from cuescope.models.translator import Progress
from cuescope.run import findings, looking, stages
from cuescope.run.investigate import investigate as translated
from cuescope.run.run import Run
from cuescope.run.settings import Settings
from cuescope.show.watch import bar, watching

__all__ = ["Run", "investigate"]


def investigate(
    mt: Translator,
    pairs: Sequence[Pair],
    *,
    out: str | Path | None = None,
    settings: Settings | None = None,
    batch_size: int = 64,
    progress: Progress | None = None,
    **changes: Any,
) -> Run:
    """Translate both twins of every pair once, and measure on those translations.

    `changes` are settings: samples, heads, sets, seed, lang … (see `cuescope.run.settings`). With
    `out`, a folder, everything is kept there, `cuescope show` and `compare` take it, and an
    interrupted run goes on.
    """
    count = len(pairs) if hasattr(pairs, "__len__") else 0
    with looking.watched("translating", 2 * count, progress) as told:
        run = translated(
            mt,
            pairs,
            out=out,
            settings=settings,
            batch_size=batch_size,
            progress=told,
            **changes,
        )
    if run.store.folder is not None and not _told_by(run, run.store.folder):
        findings.write(run.store.folder, stages.findings(run, (stages.TRANSLATE.name,)))
    return run


def _told_by(run: Run, folder: Path) -> bool:
    """Are there findings of these very translations? They may know more than is kept."""
    if not (folder / findings.NAME).is_file():
        return False
    known = findings.read(folder)["signature"]
    return known == str(run.facts(**run.settings.numbers()))


def report(run: Run, path: str | Path = "report.html") -> Path:
    """Write everything as one self-contained page; returns its path.

    What was not measured before is measured now, stage by stage.
    """
    from cuescope.show.report import render

    size = stages.Size.of(run.settings, len(run.pairs), run.mt.sites)
    work = {stage.name: stage.cost * stage.units(size) for stage in stages.STAGES}
    with watching(work) as watch:
        found = stages.findings(run, watch=watch)
    if run.store.folder is not None:
        findings.write(run.store.folder, found)
    files.write(path, render(found))
    return Path(path)


Run.report = report
looking.show_with(bar)
