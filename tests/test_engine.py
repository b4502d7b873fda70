"""Several workers give what one gives, to the byte; those that are lost are replaced."""

from __future__ import annotations

import os
import signal
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from operator import add, truediv
from pathlib import Path
from time import monotonic, sleep

import pytest
import torch

import small_run
from cuescope.errors import CueScopeError
from cuescope.files import chunks
from cuescope.run import engine, forecast, forked, hired, stages
from cuescope.run.investigate import investigate
from cuescope.run.settings import Settings
from cuescope.run.store import Store
from cuescope.run.worker import Model, Worker, opened, packed
from cuescope.signature import Signature
from test_cli import run as command


class Here(Worker):
    """A worker in this process: with the sends `LOST` it is gone, `SLOW` are not answered."""

    LOST: tuple[int, ...] = ()
    SLOW: tuple[int, ...] = ()
    sends = 0
    mt = None  # no call of these tests needs one

    def send(self, sent):
        type(self).sends += 1
        self.sent, self.nth = sent, Here.sends

    def answer(self):
        if self.nth in self.LOST:
            raise hired.Lost("exit code -9")
        return self.do(self.sent)

    def end(self):
        pass

    @staticmethod
    def ready(some, seconds):
        return [one for one in reversed(some) if one.nth not in Here.SLOW]  # the last ones first


@pytest.fixture
def crew(small_model, monkeypatch):
    monkeypatch.setattr(Here, "sends", 0)
    return engine.Crew(small_model, 3, partial(Here, None))


def sums(crew, count=40):
    return list(crew.map([partial(add, n, 100) for n in range(count)]))


def test_what_comes_back_in_any_order_is_told_in_order(crew):
    assert sums(crew) == list(range(100, 140))
    assert sums(crew, 2) == [100, 101]
    assert not list(crew.map([]))


def test_a_lost_worker_is_replaced_and_its_chunk_made_again(crew, monkeypatch):
    monkeypatch.setattr(Here, "LOST", (1, 5, 6, 20))
    assert sums(crew) == list(range(100, 140))
    assert Here.sends == 44


def test_a_chunk_that_ends_every_worker_is_given_up_in_words(crew, monkeypatch):
    monkeypatch.setattr(Here, "LOST", range(1, 1000))
    with pytest.raises(CueScopeError, match="4 workers were lost with the same") as said:
        sums(crew)
    assert "exit code -9" in said.value.found


def test_a_chunk_that_does_not_come_back_is_given_to_another(crew, monkeypatch):
    monkeypatch.setattr(Here, "SLOW", (7,))
    monkeypatch.setattr(engine, "_PATIENCE", 0.0)
    monkeypatch.setattr(engine, "_LATE", 0.0)
    assert sums(crew) == list(range(100, 140))
    monkeypatch.setattr(Here, "SLOW", ())  # the straggler answers at last: nobody asked for it
    assert sums(crew, 5) == list(range(100, 105))


def test_what_a_worker_raises_is_raised_here(crew):
    with pytest.raises(ZeroDivisionError) as said:
        list(crew.map([partial(truediv, 1, n) for n in (2, 0)]))
    assert "in a worker" in said.value.__notes__[0]
    assert sums(crew) == list(range(100, 140))  # and the rest of the crew is of use


def test_chunks_are_kept_in_their_order_and_not_asked_for_again(crew, tmp_path):
    calls = [(str(n), partial(add, n, 100)) for n in range(6)]
    store = Store(tmp_path)

    def stopped():
        for made in chunks.each(calls):
            if made == 103:
                raise KeyboardInterrupt

    with chunks.shared(crew.map):
        with pytest.raises(KeyboardInterrupt):
            store.json("x", Signature({"of": "sums"}), stopped)
        before = Here.sends
        made = Store(tmp_path).json(
            "x", Signature({"of": "sums"}), lambda: list(chunks.each(calls))
        )
    assert made == list(range(100, 106))
    assert Here.sends - before == 2  # of the first run, four were kept


def test_cores_are_those_that_this_process_may_use(monkeypatch):
    assert chunks.cores() == len(os.sched_getaffinity(0))
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 3, 4})
    assert chunks.cores() == 3
    monkeypatch.delattr(os, "sched_getaffinity")  # as on macOS
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert chunks.cores() == 7


def test_an_engine_bears_on_no_number():
    usual = Settings("m")
    assert Settings("m", workers=3).on == "processes"
    assert Settings("m", ray="auto").on == "ray"
    assert usual.on == "serial"
    many = Settings("m", engine="ray", workers=3)
    assert (many.to_json(), many.numbers()) == (usual.to_json(), usual.numbers())


@pytest.mark.parametrize("wrong", [{"engine": "spark"}, {"engine": "serial", "workers": 2}])
def test_an_engine_that_is_none_is_refused(wrong):
    with pytest.raises(CueScopeError, match="out of range"):
        Settings("m", **wrong)


def test_a_worker_refuses_another_model_than_the_runs(small_model):
    told = Model(small_model.name, "en", "pt", "cpu", "weights:others")
    with pytest.raises(CueScopeError, match="cannot open this very model"):
        _ = Worker(told, 0).mt


TOLD = Model("m", "en", "pt", "cpu", "weights:these")


def begun(mt):
    """A nursery's two workers, and what they say of themselves."""
    made = forked.Nursery(mt, TOLD)
    assert made.fit
    some = [forked.Forked(made, number) for number in range(2)]
    for one in some:
        one.send(packed(os.getpid, mt))
    return made, some, [opened(one.answer()) for one in some]


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    return state != "Z"


def soon_gone(*pids):
    until = monotonic() + 20
    while any(map(alive, pids)):
        assert monotonic() < until
        sleep(0.01)
    return True


def test_copies_compute_and_end_with_whoever_made_them(small_model):
    made, some, pids = begun(small_model)
    assert pids == [one.pid for one in some]
    text = "The mechanic called because she was late."
    some[0].send(packed(partial(small_model.translate, [text]), small_model))
    assert opened(some[0].answer()) == small_model.translate([text])
    os.kill(pids[0], signal.SIGKILL)
    with pytest.raises(hired.Lost):
        some[0].answer()
    some[1].send(packed(partial(sleep, 60), small_model))  # busy, and let go all the same
    made.end()
    assert soon_gone(*pids, made._pid)
    with pytest.raises(hired.Lost, match="copied from is gone"):
        forked.Forked(made, 3)


def test_no_copy_outlives_a_run_that_is_killed(small_model):
    """Nor does a lock that it held."""
    ends, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        made, _, pids = begun(small_model)
        os.write(theirs, " ".join(map(str, [made._pid, *pids])).encode())
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    assert soon_gone(*map(int, os.read(ends, 100).split()))


def test_where_torch_would_not_differentiate_nothing_is_copied(small_model, monkeypatch):
    monkeypatch.setattr(forked, "_can_differentiate", lambda: False)
    with forked.nursery(small_model, TOLD) as found:
        assert found is None


def gradient():
    with torch.enable_grad():
        one = torch.ones(1, requires_grad=True)
        (3 * one).sum().backward()
    return one.grad.item()


def test_a_copy_differentiates_after_its_original_has(small_model):
    """Else it is not made: some builds of torch refuse."""
    assert gradient() == 3
    with forked.nursery(small_model, TOLD) as found:
        if found is not None:
            one = forked.Forked(found, 0)
            one.send(packed(gradient, small_model))
            assert opened(one.answer()) == 3


def test_no_ray_cluster_is_said():
    pytest.importorskip("ray")
    with pytest.raises(CueScopeError, match="no Ray cluster answers"), hired.cluster("x:y:z", 2):
        pass


# -- whole runs ----------------------------------------------------------------------------

USE = {"heads": 4, "sets": 2, "samples": 4, "examples": 1, "exact": 0.2, "seed": 3}


def whole(small_model, folder, **use):
    """Every stage that chunks are made in; what is in the folder, and the findings' parts."""
    settings = Settings(small_model.name, **USE, **use)
    pairs = small_run.chosen()
    with engine.working(small_model, settings):
        run = investigate(small_model, pairs, out=folder, settings=settings, batch_size=1)
        only = [name for name in stages.NAMES if name not in ("check", "circuit", "gender")]
        parts = stages.measure(run, only)
    kept = {path.name: path.read_bytes() for path in folder.iterdir()}
    return kept, {name: small_run.plain(part) for name, part in parts.items()}


@pytest.fixture(scope="module")
def serial(small_model, tmp_path_factory):
    return whole(small_model, tmp_path_factory.mktemp("serial"))


def killing(kind):
    """The same worker; with the tenth chunk of all, it is killed as the system kills."""

    class Killed(kind):
        sends = 0

        def send(self, sent):
            Killed.sends += 1
            end = self.pid if Killed.sends == 10 else None
            super().send(sent)
            if end:
                os.kill(end, signal.SIGKILL)

    return Killed


def same(found, expected):
    assert found[1] == expected[1]
    assert found[0].keys() == expected[0].keys()
    assert not [name for name, content in found[0].items() if content != expected[0][name]]


def none_copied(monkeypatch):
    """As where a process cannot be copied."""
    monkeypatch.setattr(engine, "nursery", lambda *_: nullcontext())


@pytest.mark.slow
@pytest.mark.parametrize("kind", [forked.Forked, hired.Process])
def test_two_processes_give_the_same_bytes_and_one_is_killed(
    small_model, serial, tmp_path, monkeypatch, kind
):
    if kind is hired.Process:
        none_copied(monkeypatch)
    killed = killing(kind)
    monkeypatch.setattr(engine, kind.__name__, killed)
    same(whole(small_model, tmp_path, workers=2), serial)
    assert killed.sends > 20


@pytest.mark.slow
def test_ray_gives_the_same_bytes_and_a_worker_is_killed(
    small_model, serial, tmp_path, monkeypatch
):
    pytest.importorskip("ray")
    for name in ("cuescope", "torch"):  # which Ray would let its workers import
        (tmp_path / f"{name}.py").write_text("raise SystemExit('a file of the working folder')")
    monkeypatch.chdir(tmp_path)
    killed = killing(hired.RayActor)
    monkeypatch.setattr(engine, "RayActor", killed)
    same(whole(small_model, tmp_path / "run", engine="ray", workers=2), serial)
    assert killed.sends > 20


# -- how long ------------------------------------------------------------------------------


def test_a_forecast_has_every_stage_and_keeps_nothing(small_model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    settings = Settings(small_model.name, only=("attention", "uncertainty"), **USE)
    every = small_run.chosen() * 4
    found = forecast.forecast(small_model, every, replace(settings, heads=40, sets=20))
    assert [one.name for one in found] == ["translate", "attention", "uncertainty"]
    assert all(min(one.seconds) > 0 for one in found)
    assert not list(tmp_path.iterdir())


def test_more_workers_share_what_can_be_shared():
    found = [
        forecast.Expected("effect", 9, (80.0, 80.0, 80.0, 80.0), (1.0, 1.0, 1.0, 1.0)),
        forecast.Expected("card", 9, (8.0, 8.0, 8.0, 8.0), (4.0, 4.0, 4.0, 4.0)),
    ]
    assert forecast.in_all(found, 1) == (93, 81, 93)  # cards, if there are any
    assert forecast.in_all(found, 8) == (16, 11, 16)


def test_too_few_pairs_to_time_are_said(small_model):
    with pytest.raises(CueScopeError, match="too few pairs"):
        forecast.forecast(small_model, small_run.chosen()[:1], Settings("m"))


def test_dry_run_of_investigate_says_how_long(small_model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    asked = ("--only", "attention", "--limit", "16", "--workers", "3", "--dry-run", "--lang", "pt")
    made = command("investigate", small_model.name, *asked)
    assert made.returncode == 0, made.stderr
    assert "3 workers: " in made.stdout
    assert "95 % intervals" in made.stdout
    assert not list(tmp_path.iterdir())
