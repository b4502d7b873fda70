"""Progress of a run on the error stream: bars with an estimate of the rest; a line a stage in a
notebook, and where there is no screen."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cuescope.run.stages import Stage

_AT_ONCE = 0.5  # seconds: a stage this quick was kept, and says nothing about the speed


class Watch:
    """Shows each stage as it runs; keeps the seconds that each took, and where it is."""

    def __init__(self, bars: Any, work: dict[str, float]) -> None:
        self._bars, self._work = bars, work
        self._whole = bars.add_task("[bold]in all", total=sum(work.values()) or 1.0)
        self.seconds: dict[str, float] = {}
        self.begun: Callable[[str, str], None] = lambda name, label: None  # told of every stage
        self.at = ""  # the stage that runs, and how far it is

    @contextmanager
    def __call__(self, stage: Stage, units: int) -> Iterator[Callable[[int], None]]:
        """One stage: what it yields is called with each number of units done."""
        with self.named(stage.name, stage.label, units) as told:
            yield told

    @contextmanager
    def named(self, name: str, label: str, units: int) -> Iterator[Callable[[int], None]]:
        """The same for anything."""
        task = self._bars.add_task(label, total=units)
        start, work, done = monotonic(), self._work.get(name, 0.0), 0
        self.at = label
        self.begun(name, label)

        def told(count: int) -> None:
            nonlocal done
            count = min(count, units - done)  # some stages only guess how much there is
            done += count
            self.at = f"{label}, {done:,} of about {units:,}"
            self._bars.advance(task, count)
            self._bars.advance(self._whole, work * count / max(units, 1))

        yield told
        took = monotonic() - start
        self.seconds[name] = round(took, 1)
        self._bars.update(task, completed=units, description=f"{label} [dim]{took:.0f} s")
        part = work * done / max(units, 1)
        if took < _AT_ONCE:
            left = self._bars.tasks[self._whole].total - work
            self._bars.update(self._whole, total=left, advance=-part)
        else:
            self._bars.advance(self._whole, work - part)


class Lines(Watch):
    """The same where there is no screen: a line as each stage begins, with the time so far."""

    def __init__(self, say: Callable[[str], None], work: dict[str, float]) -> None:
        from rich.progress import Progress

        super().__init__(Progress(disable=True), work)
        self._say, self._since, self._number = say, monotonic(), 0

    @contextmanager
    def named(self, name: str, label: str, units: int) -> Iterator[Callable[[int], None]]:
        """Says that it begins."""
        self._number += 1
        minutes, seconds = divmod(int(monotonic() - self._since), 60)
        of = f"/{len(self._work)}" if name in self._work else ""
        self._say(f"{minutes:02d}:{seconds:02d}  {self._number}{of} {label} ({units:,})")
        with super().named(name, label, units) as told:
            yield told


@contextmanager
def watching(work: dict[str, float]) -> Iterator[Watch]:
    """Bars for stages that will take about so much work each, in any one unit."""
    from rich.console import Console

    console = Console(stderr=True)
    if _quiet():
        yield Lines(lambda text: None, work)
        return
    if console.is_jupyter or not console.is_terminal:
        yield Lines(lambda text: print(text, file=sys.stderr, flush=True), work)
        return
    with _bars(console) as bars:
        yield Watch(bars, work)


@contextmanager
def bar(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """One bar that goes away, for a measure alone; nothing where there is no screen."""
    from rich.console import Console

    console = Console(stderr=True)
    if console.is_jupyter and not _quiet():  # rich's bars want ipywidgets there, these do not
        from tqdm.std import tqdm

        with tqdm(desc=label, total=total, leave=False, mininterval=0.5, delay=0.5) as shown:
            yield lambda done: shown.update(done) and None
        return
    if _quiet() or not console.is_terminal:
        yield lambda done: None
        return
    with _bars(console, transient=True) as bars:
        task = bars.add_task(label, total=total)
        yield lambda done: bars.advance(task, done)


def _quiet() -> bool:
    """Is nothing to be shown? For notebooks that are run by a machine: CUESCOPE_PROGRESS=0."""
    return os.environ.get("CUESCOPE_PROGRESS") == "0"


def _bars(console: Any, *, transient: bool = False) -> Any:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns: Sequence[Any] = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn() if transient else _count(MofNCompleteColumn),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=console, transient=transient)


def _count(kind: type[Any]) -> Any:
    """How many of how many, but for the whole, whose units are nobody's."""

    class Count(kind):  # type: ignore[misc]
        def render(self, task: Any) -> Any:
            return "" if task.id == 0 else super().render(task)

    return Count()
