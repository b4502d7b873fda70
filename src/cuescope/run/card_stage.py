"""The cards as a stage of a run: which heads get one, and what is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from cuescope.errors import CueScopeError, Unfit
from cuescope.measures.carriers import Carrier
from cuescope.measures.off_target import OffTarget
from cuescope.run.card import MOST, SETS, Bench, Key, Known, judged, pairs_of, with_transfer
from cuescope.run.elsewhere import effects_in
from cuescope.run.findings import number
from cuescope.run.others import both_choices

if TYPE_CHECKING:
    from cuescope.inside.heads import Head
    from cuescope.measures.card import Card
    from cuescope.models.translator import Progress
    from cuescope.run.findings import Story
    from cuescope.run.run import Run
    from cuescope.signature import Signature

NO_EFFECTS = "the effects of the heads were not measured"


class _Asked(NamedTuple):
    """The heads of one site in one story, and under which name and facts their cards are kept."""

    key: Key
    heads: list[Carrier]
    left: int  # heads that carry the cue, too, and get no card
    name: str
    facts: Signature


def known_of(
    run: Run, effects: Mapping[str, Any], together: Mapping[Any, Any], others: Mapping[str, Any]
) -> Known:
    """What was measured before: sites that could not be are left out."""
    sets = {
        Key(story, site): [(step["layer"], step["head"]) for step in found["steps"]]
        for (site, story), found in together.items()
        if isinstance(found, dict)
    }
    off = {site: one for site, one in others.items() if isinstance(one, OffTarget)}
    story = both_choices(run)[1] if off else None
    named, sites = run.settings.transfer, list(run.mt.sites)
    return Known(
        {site: way for site, way in effects.items() if isinstance(way, dict)},
        sets,
        effects_in(named, run.signature, sites, run.settings.data),
        off={Key(story, site): one for site, one in off.items() if story},
    )


def cards_of(
    run: Run,
    effects: Mapping[str, Any],
    together: Mapping[Any, Any],
    others: Mapping[str, Any],
    progress: Progress,
) -> Any:
    """Cards and blocks as plain JSON, or why there are none."""
    known = known_of(run, effects, together, others)
    if not known.effects:
        return NO_EFFECTS
    benches: dict[Story, Bench] = {}

    def bench(story: Story) -> Bench:
        if story not in benches:
            benches[story] = Bench.of(run, known, story)
        return benches[story]

    def made(asked: _Asked) -> Any:
        try:
            found = bench(asked.key.story).cards(asked.key.site, asked.heads, progress)
        except Unfit as error:
            return f"{error.what}: {error.found}" if error.found else error.what
        return [card.to_json() for card in found]

    found = []
    for asked in _asked(run, known):
        kept = run.store.json(asked.name, asked.facts, partial(made, asked))
        found.append((asked, _transferred(run, known, asked, kept)))
    stories = dict.fromkeys(asked.key.story for asked, _ in found)
    blocks = {
        story: run.store.json(*_blocks_as(run, story), partial(_blocks, partial(bench, story)))
        for story in stories
    }
    return _gathered(found, blocks)


def kept_cards(
    run: Run, effects: Mapping[str, Any], together: Mapping[Any, Any], others: Mapping[str, Any]
) -> Any:
    """The same from what is kept; None unless the effects are, and every card that follows."""
    known = known_of(run, effects, together, others)
    if not known.effects:
        return None
    found = [(one, run.store.kept_json(one.name, one.facts)) for one in _asked(run, known)]
    if any(kept is None for _, kept in found):
        return None
    found = [(one, _transferred(run, known, one, kept)) for one, kept in found]
    stories = dict.fromkeys(asked.key.story for asked, _ in found)
    return _gathered(found, {s: run.store.kept_json(*_blocks_as(run, s)) for s in stories})


def card_of(
    run: Run,
    head: Head | str,
    site: str | None,
    story: Story | None,
    transfer: Mapping[str, Run],
    progress: Progress | None = None,
) -> Card:
    """One head's card, made for it alone; what it needs is measured if it is not kept."""
    from cuescope.run.stages import measure

    needed = ("effect", "together", "others")
    parts = measure(run, needed)
    known = known_of(run, *(parts[name] for name in needed))
    elsewhere = {
        name: known_of(other, measure(other, ["effect"])["effect"], {}, {}).effects
        for name, other in transfer.items()
    }
    known = known._replace(elsewhere={**known.elsewhere, **elsewhere})
    name = head if isinstance(head, str) else f"{head[0]}.{head[1]}"
    found = [
        (one, key)
        for key, heads in judged(run, known).items()
        for one in heads
        if one.name == name and key.site == (site or key.site) and key.story == (story or key.story)
    ]
    if not found:
        where = [f"at the {site} site"] * bool(site) + [f"with {story}"] * bool(story)
        raise CueScopeError(
            " ".join(["no head", name, *where, "was measured"]),
            expected=", ".join(
                f"{site} 0.0 to {layers - 1}.{heads - 1}"
                for site, (layers, heads) in run.mt.sites.items()
            ),
            found=f"measured: {', '.join(map(str, judged(run, known))) or 'nothing'}",
            do="name layer and head as (2, 1) or '2.1', the site and the story if need be",
        )
    one, key = max(found, key=lambda each: each[0].value)
    return Bench.of(run, known, key.story).cards(key.site, [one], progress)[0]


def _transferred(run: Run, known: Known, asked: _Asked, kept: Any) -> Any:
    """Other runs may be named after the cards were made: only that check is judged again."""
    if not known.elsewhere or isinstance(kept, str):
        return kept
    return with_transfer(run, known, asked.key, kept)


def _asked(run: Run, known: Known) -> Iterator[_Asked]:
    """The strongest heads that carry the cue, by story and site."""
    for key, heads in judged(run, known).items():
        carrying = [one for one in heads if one.carries]
        if carrying:
            facts = run.small.facts(
                site=key.site,
                story=key.story,
                measured="card",
                heads=" ".join(one.name for one in carrying[:MOST]),
                set=str(known.sets.get(key, [])),
                on=f"{pairs_of(run.settings.heads)} pairs, {SETS} sets",
                beside=key in known.off,
            )
            name = _named(f"card-{key.site}-{key.story}")
            yield _Asked(key, carrying[:MOST], len(carrying[MOST:]), name, facts)


def _blocks_as(run: Run, story: Story) -> tuple[str, Signature]:
    return _named(f"blocks-{story}"), run.small.facts(
        story=story, measured="blocks", on=pairs_of(run.settings.heads)
    )


def _named(text: str) -> str:
    return text.replace(",", "").replace(" ", "-")


def _blocks(bench: Callable[[], Bench]) -> Any:
    try:
        found, fit = bench().blocks
    except Unfit as error:
        return f"{error.what}: {error.found}" if error.found else error.what
    return {
        "pairs": len(fit),
        "blocks": [
            {"site": b.site, "layer": b.layer, "where": b.where, "restored": number(b.restored)}
            for b in found
        ],
    }


def _gathered(found: list[tuple[_Asked, Any]], blocks: dict[Any, Any]) -> dict[str, Any]:
    """As the findings hold it."""
    notes = [f"{a.key.site}, {a.key.story}: {kept}" for a, kept in found if isinstance(kept, str)]
    notes += [
        f"{a.key.site}, {a.key.story}: {a.left} further heads that carry the cue have no card "
        f"here: `run.card(…)` makes one"
        for a, _ in found
        if a.left
    ]
    notes += [f"blocks, {story}: {one}" for story, one in blocks.items() if isinstance(one, str)]
    return {
        "cards": [card for _, kept in found if isinstance(kept, list) for card in kept],
        "blocks": {story: one for story, one in blocks.items() if isinstance(one, dict)},
        "notes": notes,
    }
