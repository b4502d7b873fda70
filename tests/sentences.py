"""What the report, the terminal and a comparison say, as text; and the sentences in their code.

A sentence is named by a pattern; `makes` changes made-up findings so that it must be said,
`unmakes` changes them again so that it may not.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from html import unescape
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from cuescope.commands.summary import finish
from cuescope.show.report import answer
from cuescope.show.report.body import body
from cuescope.show.report.data import ROOM, packed
from findings_of import findings, number

Change = Callable[[Any], object]


class Said(NamedTuple):
    """A sentence, what makes it true, and what makes it false."""

    pattern: str
    makes: Change
    unmakes: Change
    pairs: int = 60
    before: int = 0
    maps: int = 0
    screen: bool = False  # said by the terminal alone
    room: int = ROOM  # bytes of a page


@cache
def spoken(said: Said) -> tuple[str, str]:
    """What is told where a sentence is true, and where it is false."""
    found = findings(said.pairs, before=said.before, maps=said.maps)
    said.makes(found)
    first = told(found, said.screen, said.room)
    said.unmakes(found)
    return first, told(found, said.screen, said.room)


# -- changes of findings


def after(found: Any) -> Any:
    return found["orders"]["cue after"]


def site(found: Any, name: str = "encoder") -> Any:
    return found["heads"]["cue after"][name]


def nothing(found: Any) -> None:
    pass


def all_of(*changes: Change) -> Change:
    return lambda f: [change(f) for change in changes]


def put(**facts: Any) -> Change:
    return lambda f: f.update(facts)


def within(*path: Any, **facts: Any) -> Change:
    """New values of what stands so deep in the findings."""

    def change(found: Any) -> None:
        for key in path:
            found = found[key]
        found.update(facts)

    return change


def site_put(name: str = "encoder", **facts: Any) -> Change:
    return lambda f: site(f, name).update(facts)


def mpa(value: float) -> Change:
    return lambda f: f["measures"].setdefault("mpa", {}).update(number(value, n=60))


# -- what is told


def printed(found: Any, folder: Path) -> str:
    """What a run's folder ends with on the terminal, and the exit code."""
    import typer
    from rich.console import Console

    screen = StringIO()
    try:
        finish(found, folder, Console(file=screen, width=2000))
    except typer.Exit as left:
        screen.write(f"exit code {left.exit_code}\n")
    return _plain(screen.getvalue())


def told(found: Any, screen: bool = False, room: int = ROOM) -> str:
    """All that the findings of a run make the page say, line by line; or the terminal."""
    if screen:
        return printed(found, Path("nowhere"))
    _, left = packed(found, room)
    return _plain(f"{answer(found)}\n{of_page(body(found, answer(found), left))}")


def of_page(html: str) -> str:
    """The text of a page, a block a line, with what shows when pointing at something."""
    html = re.sub(r"(?s)<(script|style)\b.*?</\1>", "", html)
    shown = re.findall(r'title="([^"]*)"', html)
    html = re.sub(
        r"</?(?:p|h\d|li|div|td|th|tr|dt|dd|caption|title|text|small)\b[^<>]*>", "\n", html
    )
    return _plain(unescape("\n".join((re.sub(r"<[^<>]*>", "", html), *shown))))


def _plain(text: str) -> str:
    """One kind of space, no empty lines."""
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def sentence(text: str, pattern: str) -> str:
    """What a pattern finds, with the rest of the sentences that it begins and ends in."""
    found = re.search(pattern, text, re.M)
    if not found:
        return ""
    start = max(m.end() for m in re.finditer(r"^|\n|[.?] (?=[A-Z“])", text[: found.start() + 1]))
    end = re.search(r"[.?] (?=[A-Z“])|\n|$", text[max(found.end() - 1, 0) :])
    return text[start : max(found.end() - 1, 0) + (end.end() if end else 0)]


# -- the sentences in the code


def fragments(path: Path) -> Iterator[str]:
    """The texts of two words or more that a module can put into a sentence."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {id(part) for node in ast.walk(tree) for part in _no_prose(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) in skipped:
                continue
            for part in re.split(r"<[^<>]*>|<[^<>]*$|^[^<>]*=\"[^<>]*>|\{[^{}]*\}", node.value):
                text = " ".join(unescape(part).split())
                if '="' in text:
                    continue
                if sum(bool(re.search(r"[^\W\d_]", word)) for word in text.split()) >= 2:
                    yield text


def _no_prose(node: ast.AST) -> Iterator[ast.AST]:
    """Docstrings, errors, keys, and what is split into words."""
    if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and node.body:
        first = node.body[0]
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            yield first.value
    if isinstance(node, ast.Raise):
        yield from ast.walk(node)
    if isinstance(node, ast.Subscript):
        yield from ast.walk(node.slice)
    if isinstance(node, ast.Dict):
        yield from (part for key in node.keys if key for part in ast.walk(key))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in ("split", "compile"):
            yield from ast.walk(node)
        if node.func.attr == "get":
            yield from ast.walk(node.args[0])
