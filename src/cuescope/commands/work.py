"""Carry out what `investigate` and `run` ask for: from settings to a folder with a report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from cuescope.data.items import Pairs
    from cuescope.inside.translator import Translator
    from cuescope.run.findings import Findings
    from cuescope.run.settings import Settings

REPORT, NUMBERS = "report.html", "statistics.json"


def carry_out(settings: Settings, console: Console, *, fresh: bool = False) -> Findings:
    """One run: translate, measure, gather, write the report; what is kept is not done again."""
    from cuescope import data as sets
    from cuescope.commands.options import open_model
    from cuescope.models import catalog
    from cuescope.run.store import clear, locked

    use, folder = settings, settings.folder
    pairs = sets.pairs(use.data)
    if catalog.folder_of(use.model).is_dir():
        told = f"{use.model} is on this machine: the network is not needed"
        console.print(told, markup=False)
    mt = open_model(use.model, use.src, use.tgt, use.device, use.threads, check=False)
    with locked(folder):
        if fresh:
            clear(folder)
        return _measured(mt, pairs, use, folder)


def _measured(mt: Translator, pairs: Pairs, settings: Settings, folder: Path) -> Findings:
    from cuescope import files
    from cuescope.commands.watch import watching
    from cuescope.run import findings, stages
    from cuescope.run.investigate import investigate
    from cuescope.show.report import render

    size = stages.Size.of(settings, len(pairs), mt.sites)
    work = {stage.name: stage.cost * stage.units(size) for stage in stages.plan(settings.only)}
    with watching(work) as watch:
        with watch(stages.TRANSLATE, stages.TRANSLATE.units(size)) as told:
            run = investigate(mt, pairs, out=folder, settings=settings, progress=told)
        found = stages.findings(run, settings.only, watch)
        with watch.named("report", "writing the report", 1):
            findings.write(folder, found)
            files.write(folder / NUMBERS, _numbers(found, watch.seconds))
            files.write(folder / REPORT, render(found))
    return found


def _numbers(found: Findings, seconds: dict[str, float]) -> str:
    """The findings without sentences and maps, to read or to load elsewhere."""
    told = {name: value for name, value in found.items() if name not in ("pairs", "maps")}
    return json.dumps({**told, "seconds": seconds}, ensure_ascii=False, indent=1)
