"""The stage that looks for the fewest heads that carry the cue."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from cuescope.run.tried import tried

if TYPE_CHECKING:
    from cuescope.models.translator import Progress
    from cuescope.run.run import Run
    from cuescope.signature import Signature

_MOST, _LEAST = 6, 0.02  # heads of the smallest set, and what each must restore on top


def make(run: Run, progress: Progress) -> dict[Any, Any]:
    """The fewest heads that carry the cue, for each story by itself; on half of the pairs, as there
    is a climb for every head that is taken."""
    return {
        (site, story): run.store.json(
            name, facts, partial(tried, partial(_smallest, some, site, progress))
        )
        for site, story, some, name, facts in _searches(run)
    }


def kept(run: Run) -> dict[Any, Any] | None:
    """What of it is kept."""
    steps = {
        (site, story): run.store.kept_json(name, facts)
        for site, story, _, name, facts in _searches(run)
    }
    return {key: some for key, some in steps.items() if some is not None} or None


def searched(run: Run) -> Run:
    """The pairs on which sets of heads are chosen and judged."""
    return run.thin(max(1, run.settings.heads // 2), usable=True)


def _searches(run: Run) -> Iterator[tuple[str, str, Run, str, Signature]]:
    """Site, story, the pairs, and under which name and facts the heads are kept."""
    small = searched(run)
    for story in small.stories:
        some = small.of_story(story)
        assert some is not None  # a story is one of pairs
        for site in (name for name in run.settings.sites if name in run.mt.sites):
            facts = some.facts(site=site, measured="together", most=_MOST, least=_LEAST)
            name = f"together-{site}-{story}".replace(",", "").replace(" ", "-")
            yield site, story, some, name, facts


def _smallest(run: Run, site: str, progress: Progress) -> dict[str, Any]:
    """Heads taken one by one on some nouns, and what they restore on the others."""
    from cuescope.inside.effect.sets import greedy, split
    from cuescope.run.findings import number

    mine, others = split(run.twins)
    steps = greedy(
        run.mt, mine, (site,), judged=others, most=_MOST, least=_LEAST, progress=progress
    )
    return {
        "chosen_on": len(mine),
        "judged_on": len(others),
        "steps": [
            {"layer": step.layer, "head": step.head, "restored": number(step.held)}
            for step in steps
            if step.held is not None
        ],
    }
