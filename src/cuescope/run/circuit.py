"""The circuit: the heads that carry the cue, what they pass to each other, look for and write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cuescope.data.items import sample
from cuescope.errors import CueScopeError, Unfit
from cuescope.measures.carriers import carriers
from cuescope.run.numbers import CircuitOf, EdgeOf, NodeOf, Story, number
from cuescope.run.tried import tried
from cuescope.stats import measured
from cuescope.stats.intervals import Array, Clusters, ratio
from cuescope.stats.scores import Scores, both_ways
from cuescope.stats.value import Value

if TYPE_CHECKING:
    import pandas as pd

    from cuescope.inside.effect.edges import Flow, Node
    from cuescope.inside.heads import Heads
    from cuescope.inside.ready import Twins
    from cuescope.models.translator import Progress
    from cuescope.run.run import Run
    from cuescope.signature import Signature

PAIRS = 24
MOST = 6  # heads
_SIDES = ("male", "female")


@dataclass(frozen=True)
class Circuit:
    """Heads with their total and direct effects, and the paths between them, as shares of the gap.

    `document` is what findings keep of it.
    """

    document: CircuitOf
    signature: Signature

    def heads(self) -> pd.DataFrame:
        """A row a head: effects, where it looks from the noun (or the choice), what it writes."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "head": one["name"],
                    "total": one["total"]["value"],
                    "direct": one["direct"]["value"],
                    **{f"from {start}": _first(words) for start, words in one["words"].items()},
                    **{f"writes at {w}": n["value"] for w, n in one["writes"].items()},
                }
                for one in self.document["heads"]
            ]
        )

    def edges(self, where: str = "all") -> pd.DataFrame:
        """A row a path, the strongest first; `where`: cue, noun, end or other positions alone."""
        import pandas as pd

        rows = [
            {
                **{name: one[name] for name in ("sender", "receiver", "by")},  # type: ignore[literal-required]
                **{name: one["effect"][name] for name in ("value", "low", "high")},  # type: ignore[literal-required]
            }
            for one in self.document["edges"]
            if one["where"] == where
        ]
        found = pd.DataFrame(rows, columns=["sender", "receiver", "by", "value", "low", "high"])
        return found.sort_values("value", key=abs, ascending=False, ignore_index=True)

    def __repr__(self) -> str:
        told = self.document
        return (
            f"Circuit({len(told['heads'])} heads, {len(self.edges())} edges, {told['pairs']} pairs)"
        )


def _first(words: Sequence[Mapping[str, Any]]) -> str:
    return ", ".join(f"{one['word']} {100 * one['weight']:.0f} %" for one in words[:2])


def carrying(run: Run) -> tuple[list[Node], Story]:
    """The heads that carry the cue in the story of most pairs, the strongest first."""
    from cuescope.inside.effect.edges import Node

    stories = run.small.stories
    if not stories:
        raise Unfit("no pair can be looked into", found=str(run.twins.skipped))
    story = max(stories, key=lambda one: len(stories[one]))
    effects: dict[str, Scores] = {}
    for site in (site for site in run.settings.sites if site in run.mt.sites):
        ways = [run.small.patch(site, into=side) for side in ("male", "female")]  # type: ignore[arg-type]
        both = both_ways(*ways)
        effects[site] = both.take(both.rows["pair"].isin(stories[story]).to_numpy())
    found = [one for some in carriers(effects).values() for one in some if one.carries]
    if not found:
        raise Unfit("no head is known to carry the cue", found=f"{len(stories[story])} pairs")
    found = sorted(found, key=lambda one: -one.value)[:MOST]
    return [Node(one.site, one.layer, one.head) for one in found], story


def circuit(
    run: Run, heads: Heads | None = None, pairs: int = PAIRS, progress: Progress | None = None
) -> CircuitOf:
    """The circuit of the heads that carry the cue, or of given ones, on pairs of one story.

    On pairs other than those on which the heads were found, if there are any.
    """
    from cuescope.inside.effect.edges import Node, flow
    from cuescope.inside.read.prefers import looks

    nodes, story = carrying(run) if heads is None else ([], _story(run))
    if heads is not None:
        nodes = [Node(site, *one) for site, some in heads.items() for one in some]
        for node in nodes:
            run.mt.head_slice(*node)
    twins, apart, skipped = _pairs(run, story, pairs)
    flows = []
    for side in _SIDES:
        flows.append(flow(run.mt, twins, nodes, side))  # type: ignore[arg-type]
        if progress:
            progress(len(twins))
    seen = looks(run.mt, [one for two in twins for one in two.sentences], nodes)
    share = _Shares(flows, Clusters.of(one.pair.pro for one in twins))
    return {
        "story": story,
        "pairs": len(twins),
        "apart": apart,
        "skipped": dict(skipped),
        "heads": [_node(node, share, seen) for node in nodes],
        "edges": [_edge(path, share) for path in share.paths()],
    }


def _story(run: Run) -> Story:
    stories = run.stories
    if not stories:
        raise Unfit("no pair can be looked into", found=str(run.twins.skipped))
    return max(stories, key=lambda one: len(stories[one]))


def _pairs(run: Run, story: Story, most: int) -> tuple[list[Twins], bool, Counter[str]]:
    """Pairs of the story with twins of like length, fresh ones if there are enough."""
    wanted = set(run.stories.get(story, ()))
    there = [one for one in run.twins if one.pair.index in wanted]
    like = [one for one in there if one.like_length]
    if not like:
        raise Unfit("no twins of like length", found=f"{len(there)} pairs with {story}")
    known = {pair.index for pair in run.small.pairs}
    fresh = [one for one in like if one.pair.index not in known]
    apart = len(fresh) >= most
    chosen = list(sample(fresh if apart else like, most))
    skipped = Counter({"twins of different length": len(there) - len(like)})
    return chosen, apart, +skipped


class _Shares:
    """Changes per pair as shares of the mean gap, both directions together."""

    def __init__(self, flows: Sequence[Flow], shared: Clusters) -> None:
        self.flows, self.shared = flows, shared
        self.gap = self._mean([one.gap for one in flows])

    def _mean(self, changes: Sequence[Array]) -> Array:
        pairs = zip(changes, self.flows, strict=True)
        return np.asarray(sum(c / one.gap.mean() for c, one in pairs) / len(self.flows))

    def value(self, name: str, changes: Sequence[Array]) -> Value:
        table = np.stack([self._mean(changes), self.gap], axis=1)
        return measured(name, table, ratio, self.shared)

    def plain(self, name: str, values: Sequence[Array]) -> Value:
        mean = np.mean(values, axis=0)
        table = np.stack([mean, np.ones_like(mean)], axis=1)
        return measured(name, table, ratio, self.shared, percent=False)

    def paths(self) -> list[Any]:
        """Those that both directions have."""
        return [path for path in self.flows[0].paths if all(path in f.paths for f in self.flows)]


def _node(node: Node, share: _Shares, seen: Mapping[Any, Any]) -> NodeOf:
    spots = dict.fromkeys(where for one, where in share.flows[0].wrote if one == node)
    found = {start: look for (one, start), look in seen.items() if one == node}
    return {
        "name": str(node),
        "site": node.site,
        "layer": node.layer,
        "head": node.head,
        "total": number(share.value("total", [f.total[node] for f in share.flows])),
        "direct": number(share.value("direct", [f.direct[node] for f in share.flows])),
        "looks": {start: dict(look.spots) for start, look in found.items()},
        "words": {
            start: [{"word": one.word, "weight": one.weight, "n": one.n} for one in look.words]
            for start, look in found.items()
        },
        "writes": {
            where: number(share.plain(where, [f.wrote[node, where] for f in share.flows]))
            for where in spots
        },
    }


def _edge(path: Any, share: _Shares) -> EdgeOf:
    return {
        "sender": str(path.sender),
        "receiver": str(path.receiver),
        "by": path.by,
        "where": path.where,
        "effect": number(share.value("path", [f.paths[path] for f in share.flows])),
    }


def made(run: Run, progress: Progress | None = None) -> Any:
    """The stage: made once and kept; or why it cannot be made."""
    return run.store.json(
        "circuit", _facts(run), lambda: tried(lambda: circuit(run, progress=progress))
    )


def kept(run: Run) -> Any:
    """What is kept of it."""
    return run.store.kept_json("circuit", _facts(run))


def _facts(run: Run) -> Signature:
    return run.facts(measured="circuit", heads=run.settings.heads, most=MOST, on=PAIRS)


def circuit_of(run: Run, heads: Heads | None, pairs: int) -> Circuit:
    """The circuit of a run: that of its stage, or of given heads or pairs."""
    told = made(run) if heads is None and pairs == PAIRS else circuit(run, heads, pairs)
    if isinstance(told, str):
        raise CueScopeError(
            "this run has no circuit", found=told, do="name heads: circuit(heads=…)"
        )
    return Circuit(told, _facts(run))
