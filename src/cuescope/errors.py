"""The one error class: what was expected, what was found, what to do."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Sized
from typing import Any

_LONGEST = 900  # characters of each part of a complaint


class CueScopeError(Exception):
    """A mistake that a person can mend; the command line prints it and exits with code 2.

    >>> print(CueScopeError("no such head", expected="0 to 7", found="9", do="count from 0"))
    no such head
      expected: 0 to 7
      found:    9
      to do:    count from 0
    """

    def __init__(self, what: str, *, expected: str = "", found: str = "", do: str = "") -> None:
        what, expected, found, do = (_short(text) for text in (what, expected, found, do))
        self.what, self.expected, self.found, self.do = what, expected, found, do
        lines = [("expected: ", expected), ("found:    ", found), ("to do:    ", do)]
        super().__init__("\n".join([what, *(f"  {name}{text}" for name, text in lines if text)]))


def _short(text: str) -> str:
    """A complaint is read by people: a line of a megabyte is not told whole."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


class Unfit(CueScopeError):
    """These sentences do not allow a measure: a run says so in a note, and goes on.

    Every other error (a full disk, a package that is missing) ends it: it may pass.
    """


def refusal(what: str, *, expected: str, do: str) -> Callable[[object, str], CueScopeError]:
    """An error that is met in several places: told the thing and what was found, it is made.

    >>> raise refusal("{} is no model", expected="a folder", do="look again")("here", "a file")
    Traceback (most recent call last):
    cuescope.errors.CueScopeError: here is no model
      expected: a folder
      found:    a file
      to do:    look again
    """

    def made(thing: object, found: str) -> CueScopeError:
        told, mend = (text.replace("{}", str(thing)) for text in (what, do))
        return CueScopeError(told, expected=expected, found=found, do=mend)

    return made


def one_each(
    sources: Sized,
    translations: Sized,
    what: str = "sources and translations",
    each: str = "translations",
) -> None:
    """Raise unless there is a translation for every source."""
    if len(sources) != len(translations):
        raise CueScopeError(
            f"{what} do not match line by line",
            expected=f"{len(sources)} {each}",
            found=str(len(translations)),
            do="give one for each source, in the same order",
        )


def one_of(name: str, known: Iterable[str], what: str, do: str = "") -> None:
    """Raise unless a name is known; those that are stand in the complaint."""
    names = list(known)
    if name not in names:
        raise CueScopeError(what, expected=" or ".join(names), found=name, do=do)


def imported(module: str, what: str, *, package: str = "", do: str = "") -> Any:
    """A module that only some users need, or the words for one who has not got it.

    >>> imported("nowhere", "the parser needs it, which is not installed", do="pip install it")
    Traceback (most recent call last):
    cuescope.errors.CueScopeError: the parser needs it, which is not installed
      expected: the package nowhere
      found:    No module named 'nowhere'
      to do:    pip install it
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = package or module
        do = do or f"python -m pip install {package}"
        raise CueScopeError(
            what, expected=f"the package {package}", found=first_line(error), do=do
        ) from error


def first_line(error: Exception) -> str:
    """What a library says of a failure, in a line; its class where it says nothing."""
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def in_words(run: Callable[[], None]) -> None:
    """Run a program; a mistake that a person can mend is said in words, with exit code 2.

    So is what the system refuses (a disk that fails, a place that is not ours) wherever it is met.
    """
    try:
        run()
    except CueScopeError as error:
        print(f"cuescope: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        raise  # who reads has seen enough: no mistake
    except OSError as error:
        print(f"cuescope: {_refused(error)}", file=sys.stderr)
        sys.exit(2)


def _refused(error: OSError) -> CueScopeError:
    """What the system said, and of which file."""
    return CueScopeError(
        f"{error.filename or 'something'} cannot be read or written",
        expected="a disk that works and has room, and a place that one may use",
        found=error.strerror or first_line(error),
        do="mend that or choose another place, and run it again",
    )
