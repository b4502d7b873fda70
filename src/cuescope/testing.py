"""For pytest: `assert_no_drop` fails a test with the table and the sentences of a gate."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cuescope.run.release import Gate, Side
    from cuescope.run.run import Run
    from cuescope.run.score import Score

__all__ = ["assert_no_drop"]


def assert_no_drop(
    candidate: str | Path | Score | Run | Side,
    baseline: str | Path | Score | Run | Side,
    *,
    max_drop: Mapping[str, float] | None = None,
    fail_under: Mapping[str, float] | None = None,
    data: str | None = None,
    lang: str | None = None,
    sentences: int = 10,
) -> Gate:
    """Raise AssertionError if the candidate must not ship; the rules are those of `cuescope gate`.

    Releases are run folders, files of `score --json`, files of translations (with `data` and
    `lang`), or scores and runs in memory. Gives back the gate that was passed.
    """
    from cuescope.run.release import gate
    from cuescope.show.release import sentences as told
    from cuescope.show.release import tables

    __tracebackhide__ = True
    found = gate(
        candidate, baseline, max_drop=max_drop, fail_under=fail_under, data=data, lang=lang
    )
    if not found.passed:
        broke = told.lines(found.release, "broke", sentences)
        raise AssertionError("\n".join([tables.rules(found).to_text(), *broke]))
    return found
