"""The one error class: what was expected, what was found, what to do."""

from __future__ import annotations

import sys
from collections.abc import Callable


class CueScopeError(Exception):
    """A mistake that a person can mend; the command line prints it and exits with code 2.

    >>> print(CueScopeError("no such head", expected="0 to 7", found="9", do="count from 0"))
    no such head
      expected: 0 to 7
      found:    9
      to do:    count from 0
    """

    def __init__(self, what: str, *, expected: str = "", found: str = "", do: str = "") -> None:
        self.what, self.expected, self.found, self.do = what, expected, found, do
        lines = [("expected: ", expected), ("found:    ", found), ("to do:    ", do)]
        super().__init__("\n".join([what, *(f"  {name}{text}" for name, text in lines if text)]))


class Unfit(CueScopeError):
    """These sentences do not allow a measure: a run says so in a note, and goes on.

    Every other error (a full disk, a package that is missing) ends it: it may pass.
    """


def in_words(run: Callable[[], None]) -> None:
    """Run a program; a mistake that a person can mend is said in words, with exit code 2."""
    try:
        run()
    except CueScopeError as error:
        print(f"cuescope: {error}", file=sys.stderr)
        sys.exit(2)
