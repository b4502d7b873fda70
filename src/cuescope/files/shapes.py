"""Is a document of the shape that its TypedDict says? Where it is not, the place is told."""

from __future__ import annotations

import types
from collections.abc import Iterator
from functools import cache
from typing import (
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from cuescope.errors import CueScopeError
from cuescope.files.documents import short

_WORDS = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}


def check(document: object, kind: Any, where: str, do: str = "") -> None:
    """Raise at the first value that is not as `kind` says.

    More keys than it names may be there; one that may be null and is not there becomes null.
    """
    for place, expected, found in _wrong(document, kind, ""):
        raise CueScopeError(
            f"{where}: {place or 'the document'} is not what it should be",
            expected=expected,
            found=short(found),
            do=do,
        )


def _wrong(value: Any, kind: Any, at: str) -> Iterator[tuple[str, str, object]]:
    """Place, expectation and finding of whatever does not fit."""
    origin, inside = get_origin(kind), get_args(kind)
    if kind is Any or kind is object:
        return
    if origin is NotRequired:
        yield from _wrong(value, inside[0], at)
    elif origin in (Union, types.UnionType):
        if not any(_fits(value, one) for one in inside):
            told = [one for one in inside if one is not type(None)]
            if value is not None and len(told) == 1:
                yield from _wrong(value, told[0], at)
            else:
                yield at, " or ".join(map(_named, inside)), value
    elif origin is Literal:
        if not (isinstance(value, str | int) and value in inside):
            yield at, f"one of {', '.join(map(str, inside))}", value
    elif is_typeddict(kind):
        yield from _fields(value, kind, at)
    elif origin is dict:
        if not isinstance(value, dict):
            yield at, "an object", value
            return
        for key, one in value.items():
            yield from _wrong(key, inside[0], f"{at}.{key} (its name)")
            yield from _wrong(one, inside[1], f"{at}.{key}" if at else str(key))
    elif origin in (list, tuple):
        yield from _entries(value, origin, inside, at)
    elif not _plain(value, kind):
        yield at, _named(kind), value


def _fields(value: Any, kind: Any, at: str) -> Iterator[tuple[str, str, object]]:
    if not isinstance(value, dict):
        yield at, "an object", value
        return
    for name, hint in _hints(kind).items():
        place = f"{at}.{name}" if at else name
        if name in value:
            yield from _wrong(value[name], hint, place)
        elif get_origin(hint) is not NotRequired and _fits(None, hint):
            value[name] = None  # an earlier release did not write it
        elif get_origin(hint) is not NotRequired:
            yield place, _named(hint), None


def _entries(
    value: Any, origin: Any, inside: tuple[Any, ...], at: str
) -> Iterator[tuple[str, str, object]]:
    if not isinstance(value, list | tuple):
        yield at, "a list", value
        return
    several = origin is list or inside[-1] is Ellipsis
    if not several and len(value) != len(inside):
        yield at, f"{len(inside)} entries", value
        return
    kinds = [inside[0]] * len(value) if several else inside
    for number, (one, kind) in enumerate(zip(value, kinds, strict=True)):
        yield from _wrong(one, kind, f"{at}[{number}]")


def _fits(value: Any, kind: Any) -> bool:
    return next(_wrong(value, kind, ""), None) is None


def _plain(value: Any, kind: Any) -> bool:
    if kind is type(None) or kind is None:
        return value is None
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, kind)


def _named(kind: Any) -> str:
    if kind is type(None):
        return "null"
    if is_typeddict(kind) or get_origin(kind) is dict:
        return "an object"
    if get_origin(kind) in (list, tuple):
        return "a list"
    return _WORDS.get(kind, str(kind))


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)
