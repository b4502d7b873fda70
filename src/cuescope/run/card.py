"""The cards of a run: for every head that is said to carry the cue, the checks it must pass.

A story's nouns are halved as in the search for the smallest set: heads and sets are chosen on one
half, and everything on a card is measured on the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from cuescope.data.cue_kinds import kind_of
from cuescope.data.items import sample
from cuescope.errors import Unfit
from cuescope.measures import card_rules as rules
from cuescope.measures.card import CHECKS, Card, Check
from cuescope.measures.card_rules import unmeasured
from cuescope.measures.carriers import Carrier, carriers
from cuescope.run.elsewhere import of_story
from cuescope.run.findings import STORIES, Story
from cuescope.stats.scores import Scores, both_ways
from cuescope.stats.value import Value

if TYPE_CHECKING:
    from cuescope.inside.effect.card_blocks import Block
    from cuescope.inside.heads import Head
    from cuescope.inside.ready import Ready, Twins
    from cuescope.measures.off_target import OffTarget
    from cuescope.models.translator import Progress, Translator
    from cuescope.run.run import Run

Sides = Mapping[str, Scores]  # patched into the male, and into the female sentence
MOST = 4  # cards of a site in a story, the strongest heads first
MOST_PAIRS, FEWEST_PAIRS = 48, 12  # on which a card is measured; each random set on a third
SETS = 200


class Key(NamedTuple):
    """Where heads are looked at."""

    story: Story
    site: str


class Known(NamedTuple):
    """What a run knows before a card is made: effects by site, smallest sets, elsewhere."""

    effects: Mapping[str, Sides]
    sets: Mapping[Key, list[Head]]
    elsewhere: Mapping[str, Mapping[str, Sides]] = {}  # other runs, by name
    off: Mapping[Key, OffTarget] = {}  # what is done to the other person

    def of(self, run: Run, key: Key) -> dict[str, Scores]:
        """The effects of one story's pairs: into each side, and the mean of both."""
        pairs = run.small.stories.get(key.story, ())
        way = self.effects.get(key.site)
        if way is None:
            return {}
        some = {side: _of_pairs(scores, pairs) for side, scores in way.items()}
        return {**some, "all": both_ways(**some)} if all(map(len, some.values())) else {}


def judged(run: Run, known: Known) -> dict[Key, list[Carrier]]:
    """The one rule, over all heads of all stories and sites at once."""
    keys = [Key(story, site) for story in STORIES for site in known.effects]
    found = {key: made["all"] for key in keys if (made := known.of(run, key))}
    return carriers(found)


class Bench:
    """One story of a run, its nouns halved: what all of its cards are measured on."""

    def __init__(
        self,
        mt: Translator,
        story: Story,
        chosen: set[int],
        held: Ready[Twins],
        effects: Mapping[str, Mapping[str, Scores]],
        sets: Mapping[str, Sequence[Head]],
        elsewhere: Mapping[str, Mapping[str, Scores]],
        off: Mapping[str, OffTarget],
    ) -> None:
        self.mt, self.story, self.chosen, self.held = mt, story, chosen, held
        self.effects, self.sets, self.elsewhere, self.off = effects, sets, elsewhere, off
        self.few = _thinned(held, max(1, len(held) // 3))

    @classmethod
    def of(cls, run: Run, known: Known, story: Story) -> Bench:
        """The bench of a run."""
        chosen, held = _halves(run, story)
        sites = list(known.effects)
        effects = {site: known.of(run, Key(story, site)) for site in sites}
        there = {site: dict(_elsewhere(run, known, Key(story, site), chosen)) for site in sites}
        sets = {site: known.sets.get(Key(story, site), []) for site in sites}
        off = {key.site: one for key, one in known.off.items() if key.story == story}
        return cls(run.mt, story, chosen, held, effects, sets, there, off)

    @cached_property
    def measured_on(self) -> str:
        """On what, in words."""
        nouns = len({one.pair.pro.noun for one in self.held})
        return f"{len(self.held)} pairs with {nouns} nouns that had no say in the choice"

    @cached_property
    def blocks(self) -> tuple[list[Block], Ready[Twins]]:
        """Feed-forward blocks and the stream, once for all sites."""
        from cuescope.inside.effect.card_blocks import blocks

        return blocks(self.mt, self.held)

    def cards(
        self, site: str, heads: Sequence[Carrier], progress: Progress | None = None
    ) -> list[Card]:
        """The cards of some heads of one site."""
        names = [(one.layer, one.head) for one in heads]
        found: dict[Head, list[Check]] = {
            name: [_selective(self.off.get(site), name)] for name in names
        }
        effects = self.effects[site]
        for one in heads:
            found[one.layer, one.head] += self._of_effects(
                one, effects, self.elsewhere.get(site, {})
            )
        for wanted, make in self._measures(site, names, effects, progress):
            made = _tried(wanted, names, make)
            for name in names:
                found[name] += made[name]
        order = list(CHECKS)
        for checks in found.values():
            checks.sort(key=lambda check: order.index(check.name))
        return [
            Card(site, self.story, *name, tuple(found[name]), self.measured_on) for name in names
        ]

    def _measures(
        self,
        site: str,
        names: Sequence[Head],
        effects: Mapping[str, Scores],
        progress: Progress | None,
    ) -> Iterator[tuple[Sequence[str], Callable[[], Mapping[Head, Sequence[Check]]]]]:
        """Groups of checks that need the model, and what makes them for all heads at once."""
        from cuescope.inside.effect.card_heads import Examined, alone, same_answers
        from cuescope.inside.effect.card_sets import against_random, of_set

        mt, held = self.mt, self.held
        given = Examined(mt, held, site, names)
        yield ("ablation", "dose", "repair", "no head"), lambda: alone(given, progress)
        yield ("same answer",), lambda: same_answers(given, progress)
        members = self.sets.get(site, [])
        why = "the smallest set was not searched, or none was found"
        if not members:
            lacking = ("random", "faithful", "complete", "minimal")
            yield lacking, lambda: {name: [unmeasured(n, why) for n in lacking] for name in names}
        else:
            yield (
                ("faithful", "complete", "minimal"),
                lambda: of_set(mt, held, site, members, names, progress),
            )
            yield (
                ("random",),
                lambda: against_random(
                    mt, self.few, site, members, names, count=SETS, progress=progress
                ),
            )
        yield ("blocks",), lambda: self._against_blocks(names, effects["all"])

    def _against_blocks(self, names: Sequence[Head], effect: Scores) -> dict[Head, Sequence[Check]]:
        found, fit = self.blocks
        wanted = [b for b in found if b.site.endswith("feed-forward") and b.where == "all"]
        most = max(wanted, key=lambda block: block.restored.value)
        same = _of_pairs(effect, {one.pair.index for one in fit})
        return {n: [rules.blocks(_value(same, n), most.restored, most.name)] for n in names}

    def _of_effects(
        self, one: Carrier, effects: Mapping[str, Scores], elsewhere: Mapping[str, Scores]
    ) -> Iterator[Check]:
        """What the effects that were measured of all heads already tell."""
        head, grid = (one.layer, one.head), effects["all"].mean()
        yield rules.carries(one, grid.n, grid.over)
        kept = {side: _of_pairs(s, self.chosen, inside=False) for side, s in effects.items()}
        mine = _of_pairs(effects["all"], self.chosen)
        if not (len(mine) and all(map(len, kept.values()))):
            why = "no pairs are left on one half of the nouns"
            yield from (unmeasured(name, why) for name in ("directions", "held out", "transfer"))
            return
        yield rules.directions(_value(kept["male"], head), _value(kept["female"], head))
        yield rules.held_out(_value(mine, head), _value(kept["all"], head))
        yield transfer_of(elsewhere, head)


def transfer_of(elsewhere: Mapping[str, Scores], head: Head) -> Check:
    """What a head does elsewhere, where there are pairs enough to ask."""
    enough = {n: some for n, some in elsewhere.items() if len(some) >= rules.FEWEST}
    return rules.transfer({name: _value(some, head) for name, some in enough.items()})


def with_transfer(
    run: Run, known: Known, key: Key, cards: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Kept cards, their transfer judged with the other runs that were named since."""
    there = dict(_elsewhere(run, known, key, _halves(run, key.story)[0]))
    made = []
    for card in map(Card.from_json, cards):
        check = transfer_of(there, (card.layer, card.head))
        checks = tuple(check if one.name == check.name else one for one in card.checks)
        made.append(replace(card, checks=checks).to_json())
    return made


def _elsewhere(run: Run, known: Known, key: Key, chosen: set[int]) -> Iterator[tuple[str, Scores]]:
    """The effects by kind of cue, in the other stories, and in the same story of other runs."""
    if found := known.of(run, key):
        kept = _of_pairs(found["all"], chosen, inside=False)
        kinds = kept.rows["pair"].map({pair.index: kind_of(pair.pro) for pair in run.pairs})
        for kind in sorted(kinds.dropna().unique()) if kinds.nunique() > 1 else ():
            yield str(kind), kept.take((kinds == kind).to_numpy())
    for story in STORIES:
        if story != key.story and (found := known.of(run, key._replace(story=story))):
            yield story, found["all"]
    for name, effects in known.elsewhere.items():
        if key.site in effects:
            yield name, of_story(effects[key.site], key.story)


def _tried(
    wanted: Sequence[str],
    names: Sequence[Head],
    make: Callable[[], Mapping[Head, Sequence[Check]]],
) -> Mapping[Head, Sequence[Check]]:
    """The checks, or in words why they cannot be made."""
    try:
        return make()
    except Unfit as error:
        why = f"{error.what}: {error.found}" if error.found else error.what
        return {name: [unmeasured(one, why) for one in wanted] for name in names}


def _halves(run: Run, story: Story) -> tuple[set[int], Ready[Twins]]:
    """The pairs (by number) of the nouns on which heads are chosen; and, made ready, those of the
    others on which they are measured: of like length, as many as a card takes."""
    from cuescope.inside.effect.feed import UNLIKE
    from cuescope.inside.effect.sets import split
    from cuescope.run.together_stage import searched

    some, whole = searched(run).of_story(story), run.small.of_story(story)
    if some is None or whole is None:
        raise Unfit(f"no pair of the story {story!r}", expected=", ".join(run.stories))
    mine, _ = split(some.twins)
    nouns = {one.pair.pro.noun for one in mine}
    pairs = {one.pair.index for one in mine}
    one_noun = {one.pair.pro.noun for one in whole.twins} <= nouns  # then by pair
    chosen = {
        one.pair.index
        for one in whole.twins
        if (one.pair.index in pairs if one_noun else one.pair.pro.noun in nouns)
    }
    reasons = [
        "chosen on" if one.pair.index in chosen else "" if one.like_length else UNLIKE
        for one in whole.twins
    ]
    held = whole.twins.without(reasons)
    if not len(held):
        raise Unfit("no pair is left to measure on", found=repr(held.skipped))
    return chosen, _thinned(held, pairs_of(run.settings.heads))


def _selective(found: OffTarget | None, head: Head) -> Check:
    if found is None:
        why = "no choice at the other person's noun was looked at in this story"
        return unmeasured("selective", why)
    there = found.head(*head)
    return rules.selective(there["on"], there["off"])


def _value(scores: Scores, head: Head) -> Value:
    """The mean of one head with its interval."""
    grid = scores.mean()
    value, low, high = (float(part[head]) for part in (grid.values, grid.low, grid.high))
    return Value("effect", value, low, high, grid.n, scores.signature, over=grid.over)


def _of_pairs(scores: Scores, pairs: Any, *, inside: bool = True) -> Scores:
    return scores.take((scores.rows["pair"].isin(list(pairs)) == inside).to_numpy())


def pairs_of(heads: int) -> int:
    """How many pairs a card is measured on, where the heads were on so many.

    >>> pairs_of(240), pairs_of(96), pairs_of(30)
    (48, 19, 12)
    """
    return max(FEWEST_PAIRS, min(MOST_PAIRS, heads // 5))


def _thinned(twins: Ready[Twins], most: int) -> Ready[Twins]:
    """At most so many, drawn at random, in their order."""
    from cuescope.inside.ready import Ready

    return Ready(sample(list(twins), most), twins.skipped, twins.data, twins.lang)
