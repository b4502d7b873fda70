"""Progress of a run: the whole adds up, whatever the stages guessed, and kept ones do not count."""

from __future__ import annotations

import pytest

from cuescope.commands import watch as watching
from cuescope.commands.watch import Watch


@pytest.fixture
def bars():
    from rich.progress import Progress

    return Progress()


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(watching, "monotonic", lambda: now[0])
    return now


def test_the_whole_is_the_sum_of_its_stages(bars, clock):
    watch = Watch(bars, {"a": 30.0, "b": 10.0})
    with watch.named("a", "first", 3) as told:
        told(1)
        assert bars.tasks[0].completed == pytest.approx(10)
        told(5)  # more than was guessed
        assert bars.tasks[0].completed == pytest.approx(30)
        clock[0] += 4
    with watch.named("b", "second", 100) as told:
        told(40)  # fewer than was guessed
        clock[0] += 2
    assert bars.tasks[0].completed == pytest.approx(bars.tasks[0].total) == 40
    assert bars.tasks[2].completed == 100
    assert watch.seconds == {"a": 4.0, "b": 2.0}


def test_what_was_kept_says_nothing_about_the_speed(bars, clock):
    watch = Watch(bars, {"a": 30.0, "b": 10.0})
    with watch.named("a", "kept", 3) as told:
        told(3)
    assert (bars.tasks[0].completed, bars.tasks[0].total) == (0, 10)


def test_an_error_passes_through(bars, clock):
    watch = Watch(bars, {"a": 1.0})
    with pytest.raises(KeyboardInterrupt), watch.named("a", "x", 3):
        raise KeyboardInterrupt
