"""The page of benchmarks says what the rows of its run say, whichever way they fall."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

# last: some probes are called as helpers of the tests are
sys.path.append(str(Path(__file__).resolve().parents[1] / "probes"))

import bench_page


def contest(ours: float, hooks: float, name: str = "OPUS-MT shape, random") -> bench_page.Contest:
    """A sweep of which two rounds are there: seconds of ours, and of the loop."""
    made = bench_page.Contest(
        f"{bench_page.SWEEP}, 144 heads: {name}",
        lambda: 0,
        {bench_page.HOOKS: (lambda: 0, 1.0)},
        1,
        2,
    )
    times = {"cuescope": ours, bench_page.HOOKS: hooks}
    made.times = {who: [spent, 1.01 * spent] for who, spent in times.items()}
    made.clock = {who: [2 * spent, 2 * spent] for who, spent in times.items()}
    made.memory = dict.fromkeys(times, 7e6)
    made.multiplied = {"cuescope": 60e9, bench_page.HOOKS: 240e9}
    return made


@pytest.mark.parametrize(("hooks", "said"), [(12.0, "at least 10×"), (9.0, "less than 10×")])
def test_the_verdict_is_that_of_the_ratio(hooks, said):
    told = bench_page.page([contest(1.0, hooks)], [], {1: 100e9}, "the command", (60.0, 50.0))
    assert f"{hooks:.1f}× [{hooks:.1f}, {hooks:.1f}], {said}" in told
    assert f"4.0 times the operations, each {hooks / 4:.1f} times as long: {hooks:.1f}×" in told
    assert ("less than 10×" in told) == (hooks < 10)
    assert "`the command`: 1 minutes" in told


def test_the_page_holds_one_run(tmp_path):
    one = contest(1.0, 12.0)
    told = bench_page.page([one], [["sentences", "1, 2", "1.0"]], {1: 1e9}, "x", (1.0, 1.0))
    assert told.count("# Benchmarks") == told.count("## On 1 thread\n") == 1
    assert "| sentences | 1, 2 | 1.0 |" in told


def test_a_contest_ends_when_its_time_is_up():
    calls = []
    made = bench_page.Contest("x", lambda: calls.append(1), {}, 1, 9)
    made.run(seconds=0.0)
    assert len(made.times["cuescope"]) == 2
    assert len(calls) == 3, "one of them for memory"
