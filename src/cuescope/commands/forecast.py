"""--dry-run: what `investigate` and `run` would do, and how long it would take."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from cuescope.data.items import Pairs
    from cuescope.run.forecast import Expected
    from cuescope.run.settings import Settings


def tell(settings: Sequence[Settings], console: Console) -> None:
    """Each run by itself, and all of them together on some numbers of workers; nothing is kept."""
    timed = [_tell(one, console) for one in settings]
    found = [stage for some in timed if some for stage in some]
    if found:
        _in_all(found, {one.workers for one in settings if one.workers}, console)


def _tell(settings: Settings, console: Console) -> list[Expected] | None:
    from rich.markup import escape
    from rich.table import Table

    from cuescope import data as sets
    from cuescope.models import catalog
    from cuescope.run.forecast import FEWEST
    from cuescope.run.stages import Size, plan

    pairs = sets.pairs(settings.data, skip_bad=settings.skip_bad)
    size = Size.of(settings, len(pairs), settings.sites)
    here = catalog.folder_of(settings.model).is_dir() or Path(settings.model).exists()
    where = (
        "on this machine" if here else "not on this machine: it would be fetched, and is not timed"
    )
    there = "goes on with what is there" if settings.folder.is_dir() else "new"
    fit = here and len(pairs) >= FEWEST
    found = _timed(settings, pairs) if fit else None
    times = {one.name: one for one in found or ()}
    table = Table("stage", "what", "units", "seconds", title_justify="left")
    table.title = escape(f"{settings.model} on {settings.data}")
    for stage in plan(settings.only):
        told = times.get(stage.name)
        units = f"{stage.units(size):,}"
        table.add_row(stage.name, stage.label, units, _seconds(told) if told else "not timed")
    console.print(table)
    console.print(f"model:  {where}", highlight=False)
    few = f" (not timed: fewer than {FEWEST})" if here and not fit else ""
    console.print(f"pairs:  {size.pairs:,} of {len(pairs):,}{few}", highlight=False)
    told_folder = f"folder: {settings.folder} ({there})\n"
    console.print(told_folder, highlight=False, soft_wrap=True, markup=False)
    return found


def _timed(settings: Settings, pairs: Pairs) -> list[Expected]:
    from cuescope.commands.options import open_model, progress
    from cuescope.run.forecast import PILOTS, forecast
    from cuescope.run.stages import plan

    use = settings
    mt = open_model(use.model, use.src, use.tgt, use.device, 1, check=False)
    with progress("timing a few chunks", (1 + PILOTS) * len(plan(use.only))) as told:
        return forecast(mt, pairs, use, told)


def _seconds(one: Expected) -> str:
    from cuescope.run.forecast import MAY_BE, interval

    if not any(one.seconds):
        return "cannot be timed"
    middle, low, high = interval(one.seconds)
    if one.name in MAY_BE:  # none if no head carries the cue
        return f"0 to {high:,.0f}"
    return f"{middle:,.0f} [{low:,.0f}, {high:,.0f}]"


def _in_all(found: Sequence[Expected], named: set[int], console: Console) -> None:
    from cuescope.run.forecast import in_all

    for workers in sorted({1, 2, 4, 8, *named}):
        middle, low, high = (_time(seconds) for seconds in in_all(found, workers))
        told = f"{workers:>4} worker{'s' if workers > 1 else ' '}: {middle} [{low}, {high}]"
        console.print(told, highlight=False, markup=False)
    told = (
        "from four small runs on one thread, with 95 % intervals; card and circuit are made only "
        "where heads carry the cue: low ends are without them, the others with as many as there "
        "can be. A core for each worker; what is kept already, the start of the workers and the "
        "report are not counted."
    )
    console.print(told, highlight=False, markup=False)


def _time(seconds: float) -> str:
    """As people say it.

    >>> _time(42.3), _time(420), _time(9000)
    ('42 s', '7 min', '2 h 30 min')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min"
