"""Options that belong together are the fields of one value: typer knows single options only."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import cache, wraps
from typing import Any, get_type_hints


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """A command in which a parameter that is a dataclass stands for an option a field, in place.

    `def patch(pairs: PairOptions, *, model: ModelOptions)` is called as
    `cuescope patch MODEL --data … --src …`.
    """
    kinds = get_type_hints(command, include_extras=True)
    given = inspect.signature(command).parameters
    groups = {name: kinds[name] for name in given if is_dataclass(kinds[name])}
    options: list[inspect.Parameter] = []
    for name, one in given.items():
        if name in groups:
            options += _options(groups[name])
        else:
            options.append(_option(name, kinds[name], one.default))

    @wraps(command)
    def called(**values: Any) -> None:
        made = {}
        for name, kind in groups.items():
            made[name] = kind(**{one.name: values.pop(one.name) for one in fields(kind)})
        command(**made, **values)

    vars(called)["__signature__"] = inspect.Signature(options)
    called.__annotations__ = {one.name: one.annotation for one in options}
    return called


@cache
def _options(kind: Any) -> tuple[inspect.Parameter, ...]:
    """The fields of a dataclass as parameters."""
    kinds = get_type_hints(kind, include_extras=True)
    missing = inspect.Parameter.empty
    return tuple(
        _option(one.name, kinds[one.name], missing if one.default is MISSING else one.default)
        for one in fields(kind)
    )


def _option(name: str, kind: Any, default: Any) -> inspect.Parameter:
    by_name = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, by_name, default=default, annotation=kind)
