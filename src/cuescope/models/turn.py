"""One thread at a time looks into a model: hooks and switches stand in all of it, for everyone."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import wraps
from threading import Lock, get_ident
from typing import Any, ParamSpec, TypeVar

import torch

from cuescope.errors import CueScopeError

# A child that is forked has none of the threads that torch began here, and would wait for them for
# ever: it computes on one of its own. (`fork` is not on Windows.)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: torch.set_num_threads(1))

P = ParamSpec("P")
Y = TypeVar("Y")
Called = TypeVar("Called", bound=Callable[..., Any])


class Turn:
    """Whose turn it is. Another thread is refused: run plain or edited, it might mean the other."""

    def __init__(self) -> None:
        self._lock, self._owner, self._depth = Lock(), 0, 0

    def __deepcopy__(self, _: object) -> Turn:
        return Turn()  # a copy of a model is another model

    @property
    def elsewhere(self) -> bool:
        """Does another thread look into the model now?"""
        return self._depth > 0 and self._owner != get_ident()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Inside, the model is this thread's; refused while it is another's."""
        with self._lock:
            if self.elsewhere:
                raise refused()
            self._owner = get_ident()
            self._depth += 1
        try:
            yield
        finally:
            with self._lock:
                self._depth -= 1


def alone(make: Callable[P, Iterator[Y]]) -> Callable[P, AbstractContextManager[Y]]:
    """`contextmanager` for what looks into a model: from its first line the model is ours."""
    inside = contextmanager(make)

    @wraps(make)
    def made(*args: P.args, **kwargs: P.kwargs) -> Iterator[Y]:
        mt: Any = args[0] if args else kwargs["mt"]
        with mt.turn.taken(), inside(*args, **kwargs) as found:
            yield found

    return contextmanager(made)


def own(function: Called) -> Called:
    """A hook for the thread that sets it: another one that runs into it is refused."""
    owner = get_ident()

    def guarded(*args: Any, **kwargs: Any) -> Any:
        if get_ident() != owner:
            raise refused()
        return function(*args, **kwargs)

    return guarded  # type: ignore[return-value]


def refused() -> CueScopeError:
    """What is said to the second thread."""
    return CueScopeError(
        "another thread is inside this model",
        expected="one thread at a time, while an intervention or a measurement lasts",
        found="a second thread that runs the same model",
        do="load a second model for it, or wait until the `with` of the first has ended",
    )
