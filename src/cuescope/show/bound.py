"""A run as a notebook has it: it shows its progress, writes its findings and its report."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import ParamSpec

from cuescope import files
from cuescope.run import findings, looking, stages
from cuescope.run.investigate import investigate as translate_pairs
from cuescope.run.run import Run
from cuescope.show.watch import bar, watching

__all__ = ["Run", "investigate"]

P = ParamSpec("P")


def _with_findings(translated: Callable[P, Run]) -> Callable[P, Run]:
    """The same, and `cuescope show` and `compare` take the folder from then on."""

    @wraps(translated)
    def investigate(*given: P.args, **options: P.kwargs) -> Run:
        run = translated(*given, **options)
        if run.store.folder is not None and not _told_by(run, run.store.folder):
            findings.write(run.store.folder, stages.findings(run, (stages.TRANSLATE.name,)))
        return run

    return investigate


def _told_by(run: Run, folder: Path) -> bool:
    """Are there findings of these very translations? They may know more than is kept."""
    if not (folder / findings.NAME).is_file():
        return False
    known = findings.read(folder)["signature"]
    return known == str(run.facts(**run.settings.numbers()))


investigate = _with_findings(translate_pairs)


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
