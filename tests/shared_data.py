"""Third-party data and models of reference: used where they are, never copied into the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from cuescope.data import reference
from cuescope.errors import CueScopeError


def shared(*parts: str) -> Path:
    """The path of reference data; the test is skipped where they are absent."""
    try:
        return reference.find(*parts)
    except CueScopeError as error:
        pytest.skip(f"{error.what}: {error.do}")


def shared_model(name: str) -> Path:
    """The folder of a reference model; the test is skipped where it is absent."""
    try:
        return reference.model(name)
    except CueScopeError as error:
        pytest.skip(f"{error.what}: {error.do}")
