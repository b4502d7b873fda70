"""Third-party data beside the project: used where it is, never copied into it."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[1].parent / "shared" / "data"


def shared(*parts: str) -> Path:
    """The path of shared data; the test is skipped where it is absent."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"needs the reference data: ../shared/data/{'/'.join(parts)} is absent")
    return path
