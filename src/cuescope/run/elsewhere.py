"""What the heads do in other runs of the same model, read from the folders of those runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from cuescope.errors import CueScopeError
from cuescope.inside.options import Side
from cuescope.run.kept_files import read_scores
from cuescope.run.numbers import Story
from cuescope.run.store import ABOUT, about_of
from cuescope.stats.scores import Scores, both_ways

if TYPE_CHECKING:
    from cuescope.signature import Signature

Effects = dict[str, dict[str, Scores]]  # by site, patched into each side


def effects_in(
    folders: Sequence[str], signature: Signature, sites: Sequence[str], data: str
) -> dict[str, Effects]:
    """The effects of all heads in each of these runs, named by its challenge set.

    A set that several runs have, or this one (`data`), is told by the folder too.
    """
    abouts = [(Path(folder), _about(Path(folder), signature)) for folder in folders]
    names = [_short(about["data"]) for _, about in abouts]
    found = {}
    for (folder, _), name in zip(abouts, names, strict=True):
        twice = [*names, _short(data)].count(name) > 1
        found[f"{name}, {folder.name}" if twice else name] = _effects(folder, sites)
    return found


def of_story(sides: Mapping[str, Scores], story: Story) -> Scores:
    """The effects in the pairs of one story, the mean of both directions."""
    order, _, own = story.partition(", ")
    both = both_ways(**sides)
    mine = (both.rows["contrast"] == "own prefix") == bool(own)
    return both.take(((both.rows["order"] == order) & mine).to_numpy())


def _short(data: str) -> str:
    return Path(data.partition(":")[0]).stem


def _about(folder: Path, signature: Signature) -> dict[str, str]:
    """Whose run it is: the same model as this one's, under the same interventions."""
    about = about_of(folder)
    if "data" not in about:
        raise CueScopeError(
            f"{folder} holds no run",
            expected=f"a folder with {ABOUT}",
            found="none" if folder.is_dir() else "no such folder",
            do="name the folder of another run of this model: --transfer DIR",
        )
    mine = {
        "weights": signature["weights"],
        "under": signature.get("under", "no intervention"),
    }
    if apart := [name for name in mine if about.get(name) != mine[name]]:
        raise CueScopeError(
            f"{folder} is a run of another model",
            expected=", ".join(f"{name} {mine[name]}" for name in apart),
            found=", ".join(f"{name} {about.get(name)}" for name in apart),
            do="heads are compared between sets, within one model",
        )
    return about


def _effects(folder: Path, sites: Sequence[str]) -> Effects:
    found: Effects = {}
    for site in sites:
        ways = {side: read_scores(folder / f"effect-{site}-{side}.npz") for side in get_args(Side)}
        some = {side: one for side, one in ways.items() if one is not None}
        if len(some) == len(ways):
            found[site] = some
    if not found:
        raise CueScopeError(
            f"{folder} keeps no effects of heads",
            expected="a run with the stage effect",
            found="none of the sites " + ", ".join(sites),
            do="run it with --only effect",
        )
    return found
