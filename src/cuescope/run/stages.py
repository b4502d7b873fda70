"""The stages of a run, in order: each measures one thing and can be kept, skipped or run alone.

The settings take their names from here, so nothing is imported before a stage is made.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from cuescope.run import exact_stage, heads_stage, maps_stage, together_stage
from cuescope.run.heads_stage import Measured
from cuescope.run.tried import tried

if TYPE_CHECKING:
    from cuescope.models.translator import Progress
    from cuescope.run.findings import Findings
    from cuescope.run.run import Run
    from cuescope.run.settings import Settings
    from cuescope.signature import Signature

Parts = dict[str, Any]  # by stage
Watch = Callable[["Stage", int], AbstractContextManager["Progress"]]


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
    """One thing to measure: how it is made, and what of it is kept (None: nothing).

    `cost` is the time of a unit against that of one translation.
    """

    name: str
    label: str
    make: Callable[[Run, Progress], Any]
    kept: Callable[[Run], Any]
    units: Callable[[Size], int]
    cost: float


def _translations(run: Run, progress: Progress | None = None) -> dict[str, str]:
    """Every run has them: they are what a run is made of."""
    return run.translations


def _check(run: Run, progress: Progress) -> list[dict[str, Any]]:
    """The guards."""
    from cuescope.models import checks

    def made() -> list[dict[str, Any]]:
        return [guard._asdict() for guard in checks.run(run.mt)]

    guards: list[dict[str, Any]] = run.store.json("check", run.mt.signature, made)
    return guards


def _gender(run: Run, progress: Progress) -> None:
    """Alignment and the reading of every noun, as files for people."""
    run.store.write("sentences.csv", run.table().to_csv(index=False))
    verdicts = [verdict for some in run.score.sets.values() for verdict in some]
    aligned = (verdict.alignment.pharaoh() for verdict in verdicts if verdict.alignment)
    run.store.write("alignments.txt", "".join(f"{line}\n" for line in dict.fromkeys(aligned)))


def _circuit() -> Any:
    """What the heads that carry the cue pass to each other."""
    from cuescope.run import circuit

    return circuit


def _others() -> Any:
    """What each head does to the other person's noun, beside what it does to the focus noun."""
    from cuescope.run import others

    return others


def _card(run: Run, progress: Progress) -> Any:
    """The checks of every head that is said to carry the cue."""
    from cuescope.run.card_stage import cards_of

    return cards_of(run, *_known(run), progress)


def _kept_card(run: Run) -> Any:
    from cuescope.run.card_stage import kept_cards

    return kept_cards(run, *_known(run))


def _known(run: Run) -> tuple[Measured, Measured, Measured]:
    """What cards are made from, as far as it is kept."""
    effects = heads_stage.kept_sides("effect", run)
    parts = (effects, together_stage.kept(run), _others().kept_off_targets(run))
    effects, sets, others = (part or {} for part in parts)
    return effects, sets, others


def _uncertainty(run: Run, progress: Progress) -> Any:
    """The entropies of he / she / they."""
    from cuescope.run.gather import uncertainty_of

    _, left_out = run.contrast_sets()
    return run.store.json(
        "uncertainty",
        _sampled(run),
        lambda: tried(lambda: uncertainty_of(run.uncertainty(progress=progress), left_out)),
    )


def _sampled(run: Run) -> Signature:
    """What the entropies depend on: the settings of sampling, and the sets themselves."""
    from cuescope.signature import hash_text

    names = ("samples", "epsilon", "seed", "measures", "similarity", "equivalence")
    chosen, _ = run.contrast_sets()
    texts = hash_text(item.text for contrast in chosen for item in contrast)
    return run.facts(sets=texts, **{name: getattr(run.settings, name) for name in names})


TRANSLATE = Stage(  # made as the run is opened, whatever else is wanted
    "translate",
    "translating both twins",
    _translations,
    _translations,
    lambda size: 2 * size.pairs,
    1.0,
)
STAGES = (
    Stage(
        "check",
        "checking the model",
        _check,
        lambda run: run.store.kept_json("check", run.mt.signature),
        lambda size: 1,
        200.0,
    ),
    Stage(
        "gender",
        "reading the nouns' gender",
        _gender,
        lambda run: None,  # files for people: nothing is read back from them
        lambda size: size.pairs,
        0.2,
    ),
    Stage(
        "attention",
        "attention of noun to cue",
        heads_stage.attention,
        heads_stage.kept_attention,
        lambda size: 2 * size.heads,
        0.4,
    ),
    Stage(
        "effect",
        "patching every head",
        heads_stage.effect,
        partial(heads_stage.kept_sides, "effect"),
        lambda size: 2 * size.heads,
        5.0,
    ),
    Stage(
        "others",
        "patching towards the other noun",
        lambda run, progress: _others().off_targets(run, progress),
        lambda run: _others().kept_off_targets(run),
        lambda size: size.heads,
        5.0,
    ),
    Stage(
        "attribution",
        "attribution of every head",
        heads_stage.attribution,
        partial(heads_stage.kept_sides, "attribution"),
        lambda size: 2 * size.heads,
        1.2,
    ),
    Stage(
        "together",
        "smallest set of heads",
        together_stage.make,
        together_stage.kept,
        lambda size: size.heads,
        20.0,
    ),
    Stage(
        "card",
        "checks of the heads that carry it",
        _card,
        _kept_card,
        lambda size: size.heads,
        12.0,
    ),
    Stage(
        "uncertainty",
        "sampling he, she, they",
        _uncertainty,
        lambda run: run.store.kept_json("uncertainty", _sampled(run)),
        lambda size: 3 * size.sets,
        15.0,
    ),
    Stage(
        "exact",
        "certifying he, she, they",
        exact_stage.make,
        exact_stage.kept,
        lambda size: 3 * size.sets,
        8.0,
    ),
    Stage(
        "circuit",
        "paths between the heads",
        lambda run, progress: _circuit().made(run, progress),
        lambda run: _circuit().kept(run),
        lambda size: 48,
        20.0,
    ),
    Stage(
        "maps",
        "attention maps",
        maps_stage.make,
        maps_stage.kept,
        lambda size: 2 * size.examples,
        3.0,
    ),
)
NAMES = tuple(stage.name for stage in (TRANSLATE, *STAGES))


def plan(only: Collection[str]) -> list[Stage]:
    """The stages that will be run."""
    return [TRANSLATE, *(stage for stage in STAGES if not only or stage.name in only)]


def measure(run: Run, only: Collection[str] = (), watch: Watch | None = None) -> Parts:
    """Run the stages; of those not wanted, take what is kept."""
    from cuescope.run.engine import working

    parts: Parts = {}
    size = Size.of(run.settings, len(run.pairs), run.mt.sites)
    wanted = plan(only)
    reads = not any(stage in wanted for stage in STAGES)  # and the model does nothing
    with working(run.mt, run.settings), run.mt.still() if reads else nullcontext():
        for stage in STAGES:
            if stage in wanted:
                with (watch or _unwatched)(stage, stage.units(size)) as told:
                    parts[stage.name] = stage.make(run, told)
                continue
            with run.mt.still():
                kept = stage.kept(run)
            if kept is not None:
                parts[stage.name] = kept
    return parts


def findings(run: Run, only: Collection[str] = (), watch: Watch | None = None) -> Findings:
    """Run the stages, and gather what they found."""
    from cuescope.run.gather import gather

    parts = measure(run, only, watch)
    with run.mt.still():
        return gather(run, parts)


@contextmanager
def _unwatched(stage: Stage, units: int) -> Iterator[Progress]:
    yield lambda done: None
