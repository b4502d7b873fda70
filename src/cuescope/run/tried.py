"""What a stage makes, or in words why it cannot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cuescope.errors import Unfit


def tried(make: Callable[[], Any]) -> Any:
    """What is made, or why it cannot be: no sentence of a set may be fit for a measure."""
    try:
        return make()
    except Unfit as error:
        return f"{error.what}: {error.found}" if error.found else error.what
