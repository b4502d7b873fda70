"""The Romance language of a code."""

from __future__ import annotations

from functools import cache

from cuescope.errors import CueScopeError
from cuescope.gender.languages import Romance, get, per_language


@per_language
@cache
def romance(lang: str) -> Romance:
    """What the registry holds for this code, if it is a Romance language."""
    found = get(lang)
    if not isinstance(found, Romance):
        raise CueScopeError(
            f"the Romance reader does not read {lang!r}",
            expected="a cuescope.languages.Romance",
            found=type(found).__name__,
        )
    return found
