"""Who imports whom in a source tree: read as text, so that deferred imports are seen as well."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).parents[1] / "src" / "cuescope"
# The rooms, lowest first: each may import those before it, and none after it. The order is declared
# here, once; the picture in CONTRIBUTING is drawn from it.
ORDER = (
    "_version",
    "errors",
    "signature",
    "files",
    "codes",
    "stats",
    "gender",
    "data",
    "align",
    "models",
    "sampling",
    "measures",
    "inside",
    "run",
    "mend",
    "audit",
    "show",
    "testing",
    "commands",
    "__main__",
)
GROUND = ("errors", "signature", "files", "codes")  # small, and open to all
COMING = ("mend", "audit")  # their places are kept; they may be absent
FRONT = ""  # `cuescope/__init__.py`, the front door: nothing inside comes in by it
NO_TORCH = ("stats", "gender", "data", "align", "measures")


class Import(NamedTuple):
    """One import: `module` asks for `target`, dotted names (ours without `cuescope.`)."""

    module: str
    target: str
    line: int
    ours: bool
    typing: bool  # under `if TYPE_CHECKING`
    deferred: bool  # inside a function

    @property
    def rooms(self) -> tuple[str, str]:
        """The rooms of both ends."""
        return room(self.module), room(self.target)

    def __str__(self) -> str:
        return f"{self.module}:{self.line} imports {self.target}"


def room(name: str) -> str:
    """The first name under `cuescope`."""
    return name.split(".")[0]


def modules(source: Path) -> dict[str, Path]:
    """Every module by its dotted name under the package; the package itself is `FRONT`."""
    found = {}
    for path in sorted(source.rglob("*.py")):
        parts = path.relative_to(source).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def top(source: Path) -> list[str]:
    """What a visitor finds at the top: packages and single files, without the package's own."""
    own = ("__init__", "__main__", "_version")
    names = {room(name) for name in modules(source)}
    return sorted(names - {FRONT, *own})


def imports(source: Path) -> list[Import]:
    """All imports of a package: at the top, inside functions, and for types alone."""
    known = modules(source)
    return [one for name, path in known.items() for one in _of(source.name, name, path, known)]


def _of(package: str, name: str, path: Path, known: dict[str, Path]) -> Iterator[Import]:
    here = [package, *filter(None, name.split("."))]
    if path.stem != "__init__":
        here = here[:-1]
    for node, typing, deferred in _places(path.read_text("utf-8")):
        for target in _targets(node, here, package, known):
            ours = target == package or target.startswith(f"{package}.")
            short = target.removeprefix(package).lstrip(".") if ours else target
            yield Import(
                name, _module(short, known) if ours else short, node.lineno, ours, typing, deferred
            )


@cache
def _places(text: str) -> list[tuple[ast.stmt | ast.Call, bool, bool]]:
    """Where a module may import; a copy of a tree has most of its texts in common with it."""
    return list(_walk(ast.parse(text)))


def _walk(
    node: ast.AST, typing: bool = False, deferred: bool = False
) -> Iterator[tuple[ast.stmt | ast.Call, bool, bool]]:
    """Statements and calls that may import, and where they stand."""
    if isinstance(node, ast.Import | ast.ImportFrom | ast.Call):
        yield node, typing, deferred
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        for inner in node.body:
            yield from _walk(inner, True, deferred)
        for inner in node.orelse:
            yield from _walk(inner, typing, deferred)
        return
    inside = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    for inner in ast.iter_child_nodes(node):
        yield from _walk(inner, typing, deferred or inside)


def _targets(
    node: ast.stmt | ast.Call, here: list[str], package: str, known: dict[str, Path]
) -> Iterator[str]:
    """Full names of what a node imports; `from x import y` is x.y where that is a module."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = here[: len(here) - node.level + 1] if node.level else []
        name = ".".join([*base, *filter(None, [node.module])])
        yield from (f"{name}.{alias.name}" for alias in node.names)
    elif isinstance(node, ast.Call) and node.args:
        called = ast.unparse(node.func)
        if called.endswith(("import_module", "__import__")):
            yield from _named(node.args[0])


def _named(given: ast.expr) -> Iterator[str]:
    """The module that `import_module` is given as text: whole, or up to the first `{`."""
    if isinstance(given, ast.Constant) and isinstance(given.value, str):
        yield given.value
    elif isinstance(given, ast.JoinedStr) and isinstance(given.values[0], ast.Constant):
        yield str(given.values[0].value).rstrip(".")


def _module(name: str, known: dict[str, Path]) -> str:
    """The module in which a name stands: the longest part of it that is one."""
    while name and name not in known:
        name = name.rpartition(".")[0]
    return name


def edges(found: list[Import]) -> dict[tuple[str, str], list[Import]]:
    """The imports between different rooms; the front door's own lie outside of the house."""
    between: dict[tuple[str, str], list[Import]] = {}
    for one in found:
        a, b = one.rooms
        if one.ours and a != b and a != FRONT:
            between.setdefault((a, b), []).append(one)
    return between


def back(found: list[Import], order: tuple[str, ...] = ORDER) -> list[str]:
    """The imports that go up: from a room to a later one, to the front door, or to a room that the
    order does not name."""
    at = {name: place for place, name in enumerate(order)}
    above = len(order)
    return [
        str(one)
        for (a, b), some in edges(found).items()
        for one in some
        if a not in at or at.get(b, above) > at[a]
    ]


def cycle(found: list[Import]) -> list[str]:
    """A way from a room back to itself, typing-only imports aside; empty if there is none."""
    ways: dict[str, set[str]] = {}
    for (a, b), some in edges(found).items():
        if not all(one.typing for one in some):
            ways.setdefault(a, set()).add(b)
    done: set[str] = set()

    def seek(name: str, path: list[str]) -> list[str]:
        if name in path:
            return [*path[path.index(name) :], name]
        if name in done:
            return []
        for after in sorted(ways.get(name, ())):
            if met := seek(after, [*path, name]):
                return met
        done.add(name)
        return []

    return next((met for name in sorted(ways) if (met := seek(name, []))), [])


def naming(found: list[Import], what: str, rooms: tuple[str, ...]) -> list[str]:
    """Imports of a library in some rooms and in all that they import, at any depth."""
    between = edges(found)
    reached, new = set[str](), set(rooms)
    while new:
        reached |= new
        new = {b for a, b in between if a in reached} - reached
    return [
        str(one)
        for one in found
        if not one.ours and room(one.target) == what and room(one.module) in reached
    ]
