"""The stages of a run, in order: each measures one thing and can be kept, skipped or run alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from cuescope.errors import CueScopeError
from cuescope.run.store import NotKept
from cuescope.stats.scores import Scores, both_ways

if TYPE_CHECKING:
    from cuescope.models.translator import Progress
    from cuescope.run.findings import Findings
    from cuescope.run.run import Run
    from cuescope.run.settings import Settings

Parts = dict[str, Any]  # by stage
Measured = dict[Any, Any]  # by site (and order): what was measured, or in words why it could not be
Watch = Callable[["Stage", int], AbstractContextManager["Progress"]]
_MOST, _LEAST = 6, 0.02  # heads of the smallest set, and what each must restore on top


class Size(NamedTuple):
    """How much there is to do, as far as it is known before anything is done."""

    pairs: int
    heads: int  # pairs on which the heads are measured, once for each site
    sets: int
    examples: int

    @staticmethod
    def of(settings: Settings, pairs: int, sites: Collection[str]) -> Size:
        """The size of a run over so many pairs."""
        pairs = min(pairs, settings.limit or pairs)
        inside = len(set(settings.sites) & set(sites))
        heads = min(settings.heads, pairs) * inside
        return Size(pairs, heads, settings.sets, min(settings.examples, pairs))


@dataclass(frozen=True)
class Stage:
    """One thing to measure. `cost` is the time of a unit against that of one translation."""

    name: str
    label: str
    make: Callable[[Run, Progress], Any]
    units: Callable[[Size], int]
    cost: float


def check(run: Run, told: Progress) -> list[dict[str, Any]]:
    """The guards."""
    from cuescope.models import checks

    def made() -> list[dict[str, Any]]:
        return [one._asdict() for one in checks.run(run.mt)]

    found: list[dict[str, Any]] = run.store.json("check", run.mt.signature, made)
    return found


def gender(run: Run, told: Progress) -> None:
    """Alignment and the reading of every noun, as files for people."""
    run.store.write("sentences.csv", run.table().to_csv(index=False))
    verdicts = [verdict for some in run.score.sets.values() for verdict in some]
    aligned = (verdict.alignment.pharaoh() for verdict in verdicts if verdict.alignment)
    run.store.write("alignments.txt", "".join(f"{line}\n" for line in dict.fromkeys(aligned)))


def attention(run: Run, told: Progress) -> Measured:
    """How much the noun looks at the cue; in `cross`, the step at which its gender is chosen, where
    the effect is measured, and, as "cross noun", the steps that emit it."""
    small, found = run.small, {}
    for site in _sites(run):
        if site == "encoder":
            found[site] = _tried(partial(small.attention, site, progress=told))
        elif site == "cross":
            chosen = partial(small.attention, site, query="choice", progress=told)
            found |= {site: _tried(chosen), "cross noun": _tried(partial(small.attention, site))}
    return found


def effect(run: Run, told: Progress) -> Measured:
    """What each head carries: it speaks as in the twin, either way."""
    small = run.small
    return _both_ways(small, lambda site, into: small.patch(site, into=into, progress=told))


def gradient(run: Run, told: Progress) -> Measured:
    """The same by gradients."""
    small = run.small
    return _both_ways(small, lambda site, into: small.attribute(site, into=into, progress=told))


def together(run: Run, told: Progress) -> Measured:
    """The fewest heads that carry the cue, for each story by itself; on half of the pairs, as there
    is a climb for every head that is taken."""
    small, found = run.thin(max(1, run.settings.heads // 2), usable=True), {}
    for story in small.stories:
        some = small.of_story(story)
        assert some is not None  # a story is one of pairs
        for site in _sites(run):
            facts = some.facts(site=site, measured="together", most=_MOST, least=_LEAST)
            name = f"together-{site}-{story}".replace(",", "").replace(" ", "-")
            made = partial(_tried, partial(_smallest, some, site, told))
            found[site, story] = run.store.json(name, facts, made)
    return found


def _smallest(run: Run, site: str, told: Progress) -> dict[str, Any]:
    """Heads taken one by one on some nouns, and what they restore on the others."""
    from cuescope.inside.effect.sets import split
    from cuescope.inside.effect.sets import together as climb
    from cuescope.run.findings import number

    steps = climb(run.mt, run.twins, (site,), most=_MOST, least=_LEAST, progress=told)
    mine, others = split(run.twins)
    return {
        "chosen_on": len(mine),
        "judged_on": len(others),
        "steps": [
            {"layer": step.layer, "head": step.head, "restored": number(step.held)}
            for step in steps
            if step.held is not None
        ],
    }


def uncertainty(run: Run, told: Progress) -> Any:
    """The entropies of he / she / they."""
    from cuescope.run.gather import uncertainty_of

    names = ("sets", "samples", "epsilon", "seed", "measures", "similarity", "equivalence")
    use = {name: getattr(run.settings, name) for name in names}
    _, left_out = run.contrast_sets()
    return run.store.json(
        "uncertainty",
        run.facts(**use),
        lambda: _tried(lambda: uncertainty_of(run.uncertainty(progress=told), left_out)),
    )


def maps(run: Run, told: Progress) -> Any:
    """Whole attention maps of some sentences, for the report's arcs."""
    from cuescope.run.maps import maps_of

    ranks = {site: _ranked(run, site) for site in _sites(run) if site != "decoder"}
    facts = run.facts(examples=run.settings.examples, ranks=ranks)
    return run.store.json("maps", facts, lambda: maps_of(run, ranks, told))


def _ranked(run: Run, site: str) -> list[tuple[int, int]]:
    """The heads of a site: those of the strongest effect first, or, unless that is known, of the
    most attention; else as they stand."""
    import numpy as np

    values = np.zeros(run.mt.sites[site])
    for known in (effect, attention):
        try:
            with run.store.kept_only():
                found = known(run, _unseen).get(site)
        except NotKept:
            continue
        if found is not None and not isinstance(found, str):
            scores = both_ways(**found) if isinstance(found, dict) else found
            values = -np.abs(np.nanmean(scores.values, axis=0))
            break
    order = np.argsort(values, axis=None, kind="stable")
    return [(int(at) // values.shape[1], int(at) % values.shape[1]) for at in order]


STAGES = (
    Stage("check", "checking the model", check, lambda size: 1, 200.0),
    Stage("gender", "reading the nouns' gender", gender, lambda size: size.pairs, 0.2),
    Stage("attention", "attention of noun to cue", attention, lambda size: 2 * size.heads, 0.4),
    Stage("effect", "patching every head", effect, lambda size: 2 * size.heads, 5.0),
    Stage("gradient", "gradients of every head", gradient, lambda size: 2 * size.heads, 1.2),
    Stage("together", "smallest set of heads", together, lambda size: size.heads, 20.0),
    Stage("uncertainty", "sampling he, she, they", uncertainty, lambda size: 3 * size.sets, 15.0),
    Stage("maps", "attention maps", maps, lambda size: 2 * size.examples, 3.0),
)


def plan(only: Collection[str]) -> list[Stage]:
    """The stages that will be run."""
    return [stage for stage in STAGES if not only or stage.name in only]


def measure(run: Run, only: Collection[str] = (), watch: Watch | None = None) -> Parts:
    """Run the stages; of those not wanted, take what is kept."""
    parts: Parts = {}
    size = Size.of(run.settings, len(run.pairs), run.mt.sites)
    wanted = plan(only)
    for stage in STAGES:
        if stage in wanted:
            with (watch or _unwatched)(stage, stage.units(size)) as told:
                parts[stage.name] = stage.make(run, told)
            continue
        try:
            with run.store.kept_only():
                parts[stage.name] = stage.make(run, _unseen)
        except NotKept:
            continue
    return parts


def findings(run: Run, only: Collection[str] = (), watch: Watch | None = None) -> Findings:
    """Run the stages, and gather what they found."""
    from cuescope.run.gather import gather

    return gather(run, measure(run, only, watch))


def _sites(run: Run) -> list[str]:
    return [site for site in run.settings.sites if site in run.mt.sites]


def _both_ways(run: Run, made: Callable[[str, str], Scores]) -> Measured:
    """Scores patched into the male and into the female twin, by site."""

    def both(site: str) -> dict[str, Scores]:
        return {into: made(site, into) for into in ("male", "female")}

    return {site: _tried(partial(both, site)) for site in _sites(run)}


def _tried(make: Callable[[], Any]) -> Any:
    """What is made, or why it cannot be: no sentence of a set may be fit for a measure."""
    try:
        return make()
    except CueScopeError as error:
        return f"{error.what}: {error.found}" if error.found else error.what


@contextmanager
def _unwatched(stage: Stage, units: int) -> Iterator[Progress]:
    yield _unseen


def _unseen(done: int) -> None:
    """Progress that nobody watches."""
