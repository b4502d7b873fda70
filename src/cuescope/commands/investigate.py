"""cuescope investigate: the main job, from a model's name to a folder with a report."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from cuescope.commands.groups import grouped
from cuescope.commands.options import Data, Lang, ModelOptions, in_panel, listed
from cuescope.run.settings import Settings
from cuescope.run.stages import STAGES

_HOW_MUCH = "How much"
_RUN = "The run"
_FOLDER = "Folder of the run; artifacts/MODEL-DATA if not given."
_ONLY = (
    f"Run only these stages, with commas: {', '.join(s.name for s in STAGES)}. "
    "What is kept of the others stays in the report."
)
_TRANSFER = (
    "Folder of another run of this model: the cards say what the heads do there. Once for each."
)
_ENGINE = "Who computes: serial, processes or ray; processes if there are several workers."
_WORKERS = "Processes that compute, one thread each; 0: one a core, if an engine is named."
_RAY = "Ray cluster that computes; without it, ray is one of this machine."


def _setting(name: str) -> Any:
    """An option that says what its setting says, and its default, which --quick may change."""
    one: Any = Settings.__dataclass_fields__[name]
    told, default = one.metadata["told"], str(one.default)
    if known := one.metadata.get("known"):
        told, default = f"{told}, with commas: {', '.join(known)}", ", ".join(one.default)
    return typer.Option(
        help=f"{told[0].upper()}{told[1:]}; {default} if not given.",
        min=one.metadata.get("least"),
        rich_help_panel=_HOW_MUCH,
        show_default=False,
    )


@grouped
def investigate(
    *,
    data: Data = "simplegen",
    out: Annotated[Path | None, in_panel(_RUN, _FOLDER, metavar="DIR")] = None,
    quick: Annotated[
        bool,
        in_panel(_HOW_MUCH, "A first look, in a minute.", "--quick"),
    ] = False,
    only: Annotated[str | None, in_panel(_RUN, _ONLY)] = None,
    transfer: Annotated[list[str] | None, in_panel(_RUN, _TRANSFER, metavar="DIR")] = None,
    dry: Annotated[
        bool,
        in_panel(_RUN, "Say what would be done and how long; keep nothing.", "--dry-run"),
    ] = False,
    fresh: Annotated[
        bool,
        in_panel(_RUN, "Begin anew: forget what is kept.", "--fresh"),
    ] = False,
    skip_bad: Annotated[
        bool,
        in_panel(_RUN, "Skip rows that cannot be read or translated; name them.", "--skip-bad"),
    ] = False,
    engine: Annotated[str | None, in_panel(_RUN, _ENGINE, metavar="NAME")] = None,
    workers: Annotated[int, in_panel(_RUN, _WORKERS)] = 0,
    ray: Annotated[str | None, in_panel(_RUN, _RAY, metavar="ADDRESS")] = None,
    limit: Annotated[int | None, _setting("limit")] = None,
    heads: Annotated[int | None, _setting("heads")] = None,
    sets: Annotated[int | None, _setting("sets")] = None,
    samples: Annotated[int | None, _setting("samples")] = None,
    exact: Annotated[float | None, _setting("exact")] = None,
    examples: Annotated[int | None, _setting("examples")] = None,
    measures: Annotated[str | None, _setting("measures")] = None,
    seed: Annotated[int, typer.Option(help="Of the samples.", min=0)] = 0,
    lang: Lang = None,
    model: ModelOptions,
) -> None:
    """Does this model use the cue? Translate, look inside, write a report.

    Everything is measured on the same translations and kept in one folder; a
    run that was interrupted goes on where it stopped.

    Examples:

      cuescope investigate firefox:en-pt --quick

      cuescope investigate firefox:en-pt --data winomt:DIR --samples 64

      cuescope investigate my-model/ --data mine.tsv --only attention,effect

      cuescope investigate firefox:en-pt --workers 8 --dry-run
    """
    from rich.console import Console

    from cuescope.commands.forecast import tell
    from cuescope.commands.summary import finish
    from cuescope.commands.work import carry_out

    settings = Settings(
        **asdict(model),
        data=data,
        out=str(out) if out else None,
        lang=lang,
        engine=engine or "",
        workers=workers,
        ray=ray,
        seed=seed,
        only=listed(only),
        transfer=tuple(transfer or ()),
        skip_bad=skip_bad,
    )
    given: dict[str, Any] = {"limit": limit, "heads": heads, "sets": sets, "samples": samples}
    given |= {"exact": exact, "examples": examples, "measures": listed(measures) or None}
    chosen = {name: value for name, value in given.items() if value is not None}
    settings = replace(settings.quick() if quick else settings, **chosen)
    console = Console()
    if dry:
        return tell([settings], console)
    found = carry_out(settings, console, fresh=fresh)
    finish(found, settings.folder, console)
