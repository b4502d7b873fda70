"""Commands that are imported when they are called: to list them takes a line of each."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command


class Lazily(TyperGroup):
    """A group whose commands stand in `TOLD`, by panel: name and first line of the help.

    The command `patch` is the function `patch` of the module `cuescope.commands.patch`, or the
    group `app` there.
    """

    TOLD: ClassVar[Mapping[str, Mapping[str, str]]] = {}

    def __init__(self, **facts: Any) -> None:
        super().__init__(**facts)
        self.commands = {
            name: TyperCommand(name, help=line, rich_help_panel=panel)
            for panel, lines in self.TOLD.items()
            for name, line in lines.items()
        }

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is called, loaded."""
        if args and args[0] in self.commands:
            self.load(args[0])
        return super().resolve_command(ctx, args)

    def load(self, name: str) -> None:
        """Put the command itself in the place of its line."""
        module = import_module(f"cuescope.commands.{name}")
        app = getattr(module, "app", None)
        if app is None:
            app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
            app.command(name)(getattr(module, name))
        panel = self.commands[name].rich_help_panel  # type: ignore[attr-defined]
        self.commands[name] = loaded = get_command(app)
        loaded.name, loaded.rich_help_panel = name, panel  # type: ignore[attr-defined]

    def whole(self) -> Lazily:
        """The same with every command loaded, to look at their options."""
        for name in self.commands:
            self.load(name)
        return self
