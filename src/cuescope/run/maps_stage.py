"""The stage that keeps attention maps of some sentences: the strongest heads first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuescope.run.heads_stage import kept_attention, kept_sides, sites

if TYPE_CHECKING:
    from cuescope.models.translator import Progress
    from cuescope.run.run import Run
    from cuescope.signature import Signature


def make(run: Run, progress: Progress) -> Any:
    """Whole attention maps of some sentences, for the report's arcs."""
    from cuescope.run.maps import maps_of

    ranks = _ranks(run)
    return run.store.json("maps", _drawn(run, ranks), lambda: maps_of(run, ranks, progress))


def kept(run: Run) -> Any:
    """What of it is kept."""
    return run.store.kept_json("maps", _drawn(run, _ranks(run)))


def _drawn(run: Run, ranks: dict[str, list[tuple[int, int]]]) -> Signature:
    return run.facts(examples=run.settings.examples, ranks=ranks)


def _ranks(run: Run) -> dict[str, list[tuple[int, int]]]:
    """The heads of each site: those of the strongest effect first, or, unless that is known, of the
    most attention; else as they stand."""
    import numpy as np

    from cuescope.stats.scores import both_ways

    effects, seen = kept_sides("effect", run) or {}, kept_attention(run) or {}
    ranks = {}
    for site in sites(run):
        if site == "decoder":
            continue
        values = np.zeros(run.mt.sites[site])
        scores = both_ways(**effects[site]) if site in effects else seen.get(site)
        if scores is not None:
            values = -np.abs(np.nanmean(scores.values, axis=0))
        order = np.argsort(values, axis=None, kind="stable")
        ranks[site] = [(int(at) // values.shape[1], int(at) % values.shape[1]) for at in order]
    return ranks
