"""The languages whose gender can be read: those of the project, one file each, and a user's own."""

from __future__ import annotations

from collections.abc import Callable
from functools import _lru_cache_wrapper, cache
from importlib import import_module
from importlib.resources import files
from typing import TypeVar

from cuescope.codes import english_name
from cuescope.errors import CueScopeError
from cuescope.gender.languages.language import Language
from cuescope.gender.languages.romance import Romance
from cuescope.gender.languages.slavic import Slavic

__all__ = [
    "Language",
    "Romance",
    "Slavic",
    "add",
    "codes",
    "find",
    "get",
    "per_language",
    "reader_language",
    "remove",
    "without",
]

T = TypeVar("T")
L = TypeVar("L", bound=Language)
_KNOWN: dict[str, Language] = {}  # those asked for so far, and a user's own
_FORGET: list[Callable[[], None]] = []


def per_language(cached: _lru_cache_wrapper[T]) -> _lru_cache_wrapper[T]:
    """A cache that is emptied when a language comes or goes."""
    _FORGET.append(cached.cache_clear)
    return cached


@cache
def _shipped() -> frozenset[str]:
    """The project's languages: the files of this folder that are called by a code."""
    names = (place.name.partition(".") for place in files(__name__).iterdir())
    return frozenset(name for name, _, kind in names if kind == "py" and len(name) <= 3)


def codes() -> tuple[str, ...]:
    """The codes of all languages, in order.

    >>> codes()
    ('de', 'es', 'fr', 'it', 'pt', 'ru', 'uk')
    """
    return tuple(sorted(_shipped() | set(_KNOWN)))


def find(code: str | None) -> Language | None:
    """The language of a code, if there is one.

    >>> find("pt").english_name, find("xx")
    ('Portuguese', None)
    """
    found = _KNOWN.get(code or "")
    if found is None and code in _shipped():
        found = _KNOWN[code] = import_module(f"{__name__}.{code}").LANGUAGE
        found.introduce()
    return found


def get(code: str) -> Language:
    """The language of a code; one without rules is an error."""
    found = find(code)
    if found is None:
        raise CueScopeError(
            f"no gender rules for the language {code!r}",
            expected=f"one of {', '.join(codes())}",
            found=code,
            do="see docs/adding-a-language.md",
        )
    return found


def without(code: str) -> str:
    """Why nothing is read in a language without rules, in words.

    >>> without("en"), without("hu")
    ('no gender rules for English', 'no gender rules for hu')
    """
    return f"no gender rules for {english_name(code)}"


def reader_language(code: str, kind: type[L]) -> L:
    """The language of a code for a reader of one kind of languages; another kind is an error."""
    found = get(code)
    if not isinstance(found, kind):
        raise CueScopeError(
            f"the {kind.__name__} reader does not read {code!r}",
            expected=f"a cuescope.languages.{kind.__name__}",
            found=type(found).__name__,
        )
    return found


def add(language: Language) -> Language:
    """Make a language of your own known to every part of the package, for this session.

    Adding a code again replaces it, as a cell of a notebook does that is run twice.
    """
    if language.code in _shipped():
        raise CueScopeError(
            f"the project has the language {language.code!r} itself",
            expected=f"a code that is none of {', '.join(sorted(_shipped()))}",
            found=language.code,
            do=f"call it otherwise ({language.code}-mine) and name it: lang=",
        )
    if lacks := language.missing():
        raise CueScopeError(
            f"the language {language.code!r} is not complete",
            expected="all that the rules ask for",
            found=f"no {'; no '.join(lacks)}",
            do="see docs/adding-a-language.md",
        )
    _KNOWN[language.code] = language
    language.introduce()
    _forget()
    return language


def remove(code: str) -> None:
    """Forget a language of your own."""
    if code in _shipped() or _KNOWN.pop(code, None) is None:
        raise CueScopeError(
            f"no language {code!r} of your own",
            expected=", ".join(sorted(set(_KNOWN) - _shipped())) or "one that was added",
            found=code,
        )
    _forget()


def _forget() -> None:
    for forget in _FORGET:
        forget()
