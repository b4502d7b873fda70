"""The workers that a run can hire: processes of this machine, or actors of a Ray cluster."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from cuescope.errors import CueScopeError, first_line, imported
from cuescope.files import chunks
from cuescope.run.worker import Model, Worker


class Lost(Exception):
    """A worker is gone."""


class Hired(Protocol):
    """A worker as it is seen from here."""

    def send(self, sent: bytes) -> None:
        """Give it a chunk; Lost if it is gone."""

    def answer(self) -> bytes:
        """What it made; Lost if it is gone."""

    def end(self) -> None:
        """Let it go, whatever it does."""

    @staticmethod
    def ready(some: Sequence[Any], seconds: float) -> Sequence[Any]:
        """Those that have an answer, or are gone."""


class Process:
    """A process of this machine, at the other end of a pipe."""

    def __init__(self, model: Model, number: int) -> None:
        from multiprocessing import Pipe
        from subprocess import DEVNULL, Popen

        self._ends, theirs = Pipe()
        root = str(Path(__file__).parents[2])
        begin = f"import sys; sys.path.append({root!r})\n"
        begin += f"from cuescope.run.worker import main; main({theirs.fileno()})"
        self.process = Popen(
            [sys.executable, "-P", "-c", begin],  # -P: nothing of the working folder is imported
            stdin=DEVNULL,
            pass_fds=[theirs.fileno()],
            env={**os.environ, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"},
        )
        theirs.close()
        self._ends.send(tuple(model))
        self._ends.send(number)

    def fileno(self) -> int:
        """To wait for it."""
        return self._ends.fileno()

    def send(self, sent: bytes) -> None:
        """Give it a chunk."""
        try:
            self._ends.send_bytes(sent)
        except OSError:
            raise self._lost() from None

    def answer(self) -> bytes:
        """What it made."""
        try:
            return self._ends.recv_bytes()
        except (EOFError, OSError):
            raise self._lost() from None

    def _lost(self) -> Lost:
        self.process.kill()
        return Lost(f"exit code {self.process.wait()}")

    def end(self) -> None:
        """Let it go."""
        self._ends.close()
        self.process.kill()
        self.process.wait()

    @staticmethod
    def ready(some: Sequence[Any], seconds: float) -> Sequence[Any]:
        """Those that have an answer, or are gone."""
        from multiprocessing.connection import wait

        return wait(some, seconds)


class RayActor:
    """A worker somewhere on a Ray cluster."""

    def __init__(self, model: Model, number: int) -> None:
        import ray

        gpus = 1 if model.device == "cuda" else 0
        kind: Any = ray.remote(num_cpus=1, num_gpus=gpus)(Worker)
        self.actor = kind.remote(model, number)
        self.asked: Any = None

    def send(self, sent: bytes) -> None:
        """Give it a chunk."""
        self.asked = self.actor.do.remote(sent)

    @property
    def process(self) -> int:
        """Its number on its machine."""
        import ray

        return int(ray.get(self.actor.process.remote()))

    def answer(self) -> bytes:
        """What it made."""
        import ray

        try:
            found: bytes = ray.get(self.asked)
        except ray.exceptions.RayError as error:
            raise Lost(f"{type(error).__name__}") from None
        return found

    def end(self) -> None:
        """Let it go."""
        import ray

        ray.kill(self.actor)

    @staticmethod
    def ready(some: Sequence[Any], seconds: float) -> Sequence[Any]:
        """Those that have an answer, or are gone."""
        import ray

        done, _ = ray.wait([one.asked for one in some], num_returns=1, timeout=seconds)
        return [one for one in some if one.asked in done]


@contextmanager
def _nowhere() -> Iterator[None]:
    """Stand in the root: Ray's workers import whatever lies in the folder in which it was begun."""
    if named := os.environ.get("CUESCOPE_CACHE"):
        os.environ["CUESCOPE_CACHE"] = str(Path(named).expanduser().absolute())
    before = Path.cwd()
    os.chdir(before.anchor)
    try:
        yield
    finally:
        os.chdir(before)


@contextmanager
def cluster(address: str | None, workers: int) -> Iterator[int]:
    """A Ray cluster that is there, or one of this machine for as long as this lasts: its cores."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is sent to anyone
    do = "pip install 'cuescope[ray]', or engine processes"
    ray = imported("ray", "Ray is not installed", do=do)
    ours = not ray.is_initialized()
    cores: Any = ray.cluster_resources
    if ours:
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
        if address is None:
            count = workers or chunks.cores()
            quiet |= {"num_cpus": count, "include_dashboard": False, "address": "local"}
            quiet |= {"object_store_memory": 80 * 2**20}
        else:
            quiet |= {"address": address}
        try:
            with _nowhere():
                ray.init(**quiet)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise CueScopeError(
                "no Ray cluster answers",
                expected=f"one at {address or 'this machine'}",
                found=first_line(error),
                do="start one (`ray start --head`), and give its address: --ray ADDRESS",
            ) from None
    try:
        yield int(cores().get("CPU", 1))
    finally:
        if ours:
            ray.shutdown()
