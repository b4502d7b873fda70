"""Carry out what `investigate` and `run` ask for: from settings to a folder with a report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

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
    from cuescope.inside.ready import has_rules
    from cuescope.models import catalog
    from cuescope.run.engine import working
    from cuescope.run.store import clear, locked

    use, folder = settings, settings.folder
    if not use.skip_bad:
        pairs = sets.pairs(use.data)
    if catalog.folder_of(use.model).is_dir():
        told = f"{use.model} is on this machine: the network is not needed"
        console.print(told, markup=False)
    threads = use.threads or (0 if use.on == "serial" else 1)
    mt = open_model(use.model, use.src, use.tgt, use.device, threads, check=False)
    if use.skip_bad:
        pairs = sets.pairs(use.data, skip_bad=True, unfit=mt.unfit)
        for bad in pairs.bad:
            typer.echo(f"skipped: {bad}", err=True)
    if not has_rules(mt, use.lang):
        into = use.lang or mt.tgt or "its target language"
        typer.echo(f"no gender rules for {into}: no noun will be read", err=True)
    with locked(folder), working(mt, use):
        if fresh:
            clear(folder)
        return _measured(mt, pairs, use, folder)


def _stopped(at: str, folder: Path) -> None:
    """Say where it stopped, and how to go on."""
    from rich.console import Console

    told = Console(stderr=True)
    for line in (
        f"stopped: {at}",
        f"what is done is kept in {folder}; to go on: {_command()}",
    ):
        told.print(line, highlight=False, markup=False, soft_wrap=True)


def _command() -> str:
    """The command that was given, without what would begin anew."""
    import shlex
    import sys

    return shlex.join(["cuescope", *(word for word in sys.argv[1:] if word != "--fresh")])


def _measured(mt: Translator, pairs: Pairs, settings: Settings, folder: Path) -> Findings:
    from cuescope.run import findings, stages, unfinished
    from cuescope.run.investigate import investigate
    from cuescope.run.store import ABOUT
    from cuescope.show.report import render
    from cuescope.show.watch import watching

    size = stages.Size.of(settings, len(pairs), mt.sites)
    work = {stage.name: stage.cost * stage.units(size) for stage in stages.plan(settings.only)}
    with watching(work) as watch:
        before: list[str] = []

        def begun(name: str, label: str) -> None:
            if (folder / ABOUT).is_file():  # before that it is nobody's folder
                unfinished.note(folder, unfinished.Unfinished(label, tuple(before), _command()))
            before.append(label)

        watch.begun = begun
        try:
            with watch(stages.TRANSLATE, stages.TRANSLATE.units(size)) as told:
                run = investigate(mt, pairs, out=folder, settings=settings, progress=told)
            found = stages.findings(run, settings.only, watch)
            with watch.named("report", "writing the report", 1):
                run.store.write(findings.NAME, findings.packed(found))
                run.store.write(NUMBERS, _numbers(found, watch.seconds))
                run.store.write(REPORT, render(found))
        except KeyboardInterrupt:
            _stopped(watch.at, folder)
            raise
    unfinished.over(folder)
    return found


def _numbers(findings: Findings, seconds: dict[str, float]) -> str:
    """The findings without sentences and maps, to read or to load elsewhere."""
    told = {name: value for name, value in findings.items() if name not in ("pairs", "maps")}
    return json.dumps({**told, "seconds": seconds}, ensure_ascii=False, indent=1)
