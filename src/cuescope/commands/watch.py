"""Progress of a run on the error stream: a line per stage, and an estimate of the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cuescope.run.stages import Stage

_AT_ONCE = 0.5  # seconds: a stage this quick was kept, and says nothing about the speed


class Watch:
    """Shows each stage as it runs; keeps the seconds that each took."""

    def __init__(self, bars: Any, work: dict[str, float]) -> None:
        self._bars, self._work = bars, work
        self._whole = bars.add_task("[bold]in all", total=sum(work.values()) or 1.0)
        self.seconds: dict[str, float] = {}

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

        def told(count: int) -> None:
            nonlocal done
            count = min(count, units - done)  # some stages only guess how much there is
            done += count
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


@contextmanager
def watching(work: dict[str, float]) -> Iterator[Watch]:
    """Bars for stages that will take about so much work each, in any one unit."""
    from rich.console import Console
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
        _count(MofNCompleteColumn),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as bars:
        yield Watch(bars, work)


def _count(kind: type[Any]) -> Any:
    """How many of how many, but for the whole, whose units are nobody's."""

    class Count(kind):  # type: ignore[misc]
        def render(self, task: Any) -> Any:
            return "" if task.id == 0 else super().render(task)

    return Count()
