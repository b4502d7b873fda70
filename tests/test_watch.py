"""Progress of a run: the whole adds up, whatever the stages guessed, and kept ones do not count."""

from __future__ import annotations

import pytest

from cuescope.show import watch as watching
from cuescope.show.watch import Lines, Watch


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


def test_without_a_screen_a_line_a_stage(clock):
    said = []
    watch = Lines(said.append, {"a": 1.0, "b": 1.0})
    with watch.named("a", "translating", 1200) as told:
        told(600)
        assert watch.at == "translating, 600 of about 1,200"
        clock[0] += 75
    with watch.named("b", "patching", 3):
        pass
    with watch.named("report", "writing the report", 1):
        pass
    assert said == [
        "00:00  1/2 translating (1,200)",
        "01:15  2/2 patching (3)",
        "01:15  3 writing the report (1)",
    ]
    assert watch.seconds["a"] == 75


@pytest.mark.slow
def test_threads_are_measured(monkeypatch):
    from cuescope.models.threads import fastest

    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    quiet = {1: 1.0, 2: 0.55, 4: 0.3, 6: 0.29}
    busy = {1: 1.0, 2: 9.0, 4: 12.0, 6: 20.0}
    assert fastest(6, quiet.__getitem__) == 4  # six gain less than a tenth
    assert fastest(6, busy.__getitem__) == 1
    assert fastest(1) == 1
    assert fastest(2) in (1, 2)
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    assert fastest(2, busy.__getitem__) == 2  # told from outside


def test_a_bar_in_a_notebook_and_none_where_none_is_wanted(monkeypatch, capsys):
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    monkeypatch.delenv("CUESCOPE_PROGRESS", raising=False)
    for wanted in (True, False):
        if not wanted:
            monkeypatch.setenv("CUESCOPE_PROGRESS", "0")
        with watching.bar("patching", 4) as told, watching.watching({"a": 1.0}) as watch:
            told(2)
            with watch.named("a", "translating", 3):
                pass
        said = capsys.readouterr()
        assert said.out == ""
        assert ("translating (3)" in said.err) == wanted
