"""Edges between given heads: path patching into query, key and value, at the places where it is.

A sender speaks as in the twin while every other head keeps saying what it said; what thus reaches
a later head's query, key or value is carried into that one alone, and the rest of the model runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np
import torch
from torch import Tensor, nn

from cuescope.files.chunks import kept
from cuescope.inside.effect import feed as feeding
from cuescope.inside.effect.feed import Feed
from cuescope.inside.effect.measure import leaning
from cuescope.inside.heads import Hook, Place, hooked, places, recorded, write
from cuescope.inside.options import Side
from cuescope.stats.intervals import Array

if TYPE_CHECKING:
    from cuescope.inside.ready import Twins
    from cuescope.models.translator import Translator

By = Literal["query", "key", "value"]
Spot = Literal["all", "cue", "noun", "end", "other"]  # of the source; all: everywhere
SPOTS: tuple[Spot, ...] = get_args(Spot)[1:]


class Node(NamedTuple):
    """A head of the circuit."""

    site: str
    layer: int
    head: int

    def __str__(self) -> str:
        return f"{self.site} {self.layer}.{self.head}"


class Path(NamedTuple):
    """From one head into what another reads, at some positions."""

    sender: Node
    receiver: Node
    by: By
    where: Spot


@dataclass
class Flow:
    """Changes of the choice per pair: each head's total and direct effect, and every path's.

    `wrote` is the cosine of what a head writes differently in the twin with the twins' difference
    at the end of its side (encoder states, or the state of the choice), by position.
    """

    gap: Array
    total: dict[Node, Array] = field(default_factory=dict)
    direct: dict[Node, Array] = field(default_factory=dict)
    paths: dict[Path, Array] = field(default_factory=dict)
    wrote: dict[tuple[Node, str], Array] = field(default_factory=dict)


def kinds(sender: Node, receiver: Node) -> tuple[By, ...]:
    """What of a receiver a sender can reach with all other heads held: nothing if it is not later.

    >>> kinds(Node("encoder", 0, 1), Node("cross", 0, 2))
    ('key', 'value')
    >>> kinds(Node("cross", 0, 1), Node("encoder", 3, 2))
    ()
    """
    if sender.site == "encoder":
        if receiver.site == "encoder":
            return get_args(By) if sender.layer < receiver.layer else ()
        return ("key", "value") if receiver.site == "cross" else ()
    if receiver.site == "encoder" or _rank(sender) >= _rank(receiver):
        return ()
    return ("query",) if receiver.site == "cross" else get_args(By)


def _rank(node: Node) -> tuple[int, bool]:
    return node.layer, node.site == "cross"


@torch.no_grad()
def flow(
    mt: Translator,
    twins: Sequence[Twins],
    nodes: Sequence[Node],
    into: Side = "male",
    *,
    least: float = 0.01,
) -> Flow:
    """All effects of and between some heads, for pairs of like length in one batch.

    Paths are told by position where one of their kind moves `least` of the mean gap or more.
    """
    sites = list(mt.sites)
    fed = feeding.feed(mt, twins, into)
    donors, hidden = feeding.from_twin(mt, twins, into, sites, "all")
    twin = {place: donor.values for place, donor in donors.items()}
    with recorded(mt, places(mt, sites)) as seen:
        plain = feeding.hidden_of(mt, fed)
    said = dict(seen)

    def leans(state: Tensor) -> Array:
        return np.asarray(leaning(mt, fed, state[None], "logit difference")[0])

    base = leans(plain)

    def under(hooks: Sequence[Hook]) -> Array:
        with hooked(mt, hooks):
            return leans(feeding.hidden_of(mt, fed)) - base

    found = Flow(leans(hidden) - base)
    spots = _spots(mt, twins, fed, into)
    some = least * abs(float(found.gap.mean()))
    for sender in nodes:
        found.total[sender] = under(_speaking(mt, [sender], twin, None))
        later = [one for one in nodes if kinds(sender, one)]
        read, hooks = _read(mt, later)
        found.direct[sender] = under([*_speaking(mt, [sender], twin, said), *hooks])
        for receiver in later:
            for by in kinds(sender, receiver):
                values = read[receiver.site, receiver.layer, by]
                told = f"{sender} {receiver} {by}"
                whole = kept(told, partial(under, [_receive(mt, receiver, by, values, None)]))
                found.paths[Path(sender, receiver, by, "all")] = whole
                source = sender.site == "encoder"  # what is read stands at source positions
                for spot in SPOTS if source and abs(whole.mean()) >= some else ():
                    edit = _receive(mt, receiver, by, values, spots[spot])
                    found.paths[Path(sender, receiver, by, spot)] = kept(
                        f"{told} {spot}", partial(under, [edit])
                    )
    _writes(mt, twins, fed, nodes, into, said, twin, (plain, hidden), spots, found)
    return found


def _speaking(
    mt: Translator,
    nodes: Sequence[Node],
    twin: Mapping[Place, Tensor],
    said: Mapping[Place, Tensor] | None,
) -> list[Hook]:
    """Some heads as in the twin; all others as they were, if `said` tells what that was."""
    wanted: dict[Place, list[Node]] = {place: [] for place in said or ()}
    for node in nodes:
        wanted.setdefault((node.site, node.layer), []).append(node)

    def before(place: Place) -> Any:
        def edit(_: nn.Module, args: tuple[Any, ...]) -> tuple[Any, ...]:
            x = (args[0] if said is None else said[place]).clone()
            for node in wanted[place]:
                part = mt.head_slice(*node)
                write(x, part, twin[place][..., part], None)
            return (x, *args[1:])

        return edit

    return [Hook(mt.out_proj(*place), before(place)) for place in wanted]


def _projection(mt: Translator, site: str, layer: int, by: By) -> nn.Module:
    found = getattr(mt.attention(site, layer), getattr(mt.family, by))
    assert isinstance(found, nn.Module)
    return found


def _read(
    mt: Translator, nodes: Sequence[Node]
) -> tuple[dict[tuple[str, int, By], Tensor], list[Hook]]:
    """What the layers of these heads read, while the hooks are on."""
    seen: dict[tuple[str, int, By], Tensor] = {}

    def keep(key: tuple[str, int, By]) -> Any:
        def after(_: nn.Module, __: Any, out: Tensor) -> None:
            seen[key] = out

        return after

    keys = {(node.site, node.layer, by) for node in nodes for by in get_args(By)}
    return seen, [Hook(_projection(mt, *key), keep(key), after=True) for key in sorted(keys)]


def _receive(mt: Translator, node: Node, by: By, values: Tensor, at: Tensor | None) -> Hook:
    part = mt.head_slice(*node)

    def after(_: nn.Module, __: Any, out: Tensor) -> Tensor:
        out = out.clone()
        write(out, part, values[..., part], at)
        return out

    return Hook(_projection(mt, node.site, node.layer, by), after, after=True)


def _spots(mt: Translator, twins: Sequence[Twins], fed: Feed, into: Side) -> dict[Spot, Tensor]:
    """Masks [pair, source] that divide each sentence: cue, noun, its end, all other words."""
    made = {spot: torch.zeros(fed.ids.shape, dtype=torch.bool, device=mt.device) for spot in SPOTS}
    for row, one in enumerate(twins):
        subject = one.twin(into)
        length = len(subject.encoding)
        for place in range(length):
            if place in subject.cue:
                spot: Spot = "cue"
            elif place in subject.noun:
                spot = "noun"
            else:
                spot = "end" if place == length - 1 else "other"
            made[spot][row, place] = True
    return made


def _writes(
    mt: Translator,
    twins: Sequence[Twins],
    fed: Feed,
    nodes: Sequence[Node],
    into: Side,
    said: Mapping[Place, Tensor],
    twin: Mapping[Place, Tensor],
    states: tuple[Tensor, Tensor],
    spots: Mapping[Spot, Tensor],
    found: Flow,
) -> None:
    """Which way each head writes, along the twins' difference at the end of its side."""
    ours = mt.engine.encode(fed.ids, fed.mask)
    other = feeding.feed(mt, twins, feeding.other(into), into)
    apart = mt.engine.encode(other.ids, other.mask) - ours
    rows = torch.arange(fed.pairs, device=mt.device)
    for node in nodes:
        place, part = (node.site, node.layer), mt.head_slice(*node)
        weight = mt.out_proj(*place).weight[:, part]
        wrote = (twin[place] - said[place])[..., part] @ weight.T
        if node.site == "encoder":
            for spot in ("cue", "noun", "end"):
                at = spots[spot][..., None]
                count = at.sum(1).clamp(min=1)
                mine, end = ((x * at).sum(1) / count for x in (wrote, apart))
                found.wrote[node, spot] = _cosine(mine, end)
        else:
            mine = wrote[rows, fed.steps]
            found.wrote[node, "choice"] = _cosine(mine, states[1] - states[0])


def _cosine(a: Tensor, b: Tensor) -> Array:
    return np.asarray(torch.cosine_similarity(a, b, dim=-1).double().cpu().numpy())
