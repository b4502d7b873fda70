"""Plans: each a copy of the sentences with some heads (or whole blocks) changed, many in one climb.

A plan is a list of edits. What an edited head says instead: what it says in the twin, in this very
sentence (it is frozen), in another sentence, on average, anything, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from cuescope.errors import CueScopeError
from cuescope.files.chunks import each
from cuescope.inside.edit.outputs import replacement
from cuescope.inside.effect import feed as feeding
from cuescope.inside.effect.feed import Donor, Feed
from cuescope.inside.effect.measure import leaning
from cuescope.inside.effect.patch import ROWS, evenly
from cuescope.inside.effect.wave import Wave, check_fits
from cuescope.inside.heads import Hook, Place, hooked, layer_of, listening
from cuescope.inside.options import Side, Where
from cuescope.stats.intervals import Array

if TYPE_CHECKING:
    from cuescope.inside.ready import Twins
    from cuescope.models.translator import Progress, Translator

Says = Literal["twin", "own", "same", "other", "zero", "mean", "resample"]
# Sites that are no heads: what a feed-forward block adds, and the stream that leaves a layer.
FEED_FORWARD = {"encoder": "encoder feed-forward", "decoder": "decoder feed-forward"}
STREAM = "encoder stream"
MOST = 256  # plans of a climb


class Edit(NamedTuple):
    """One head (None: the whole block) that says something else; in part, or too much of it."""

    site: str
    layer: int
    head: int | None
    says: Says = "twin"
    dose: float = 1.0  # 1: all of it; 0: as it was; with zero, the head is scaled by 1 - dose
    where: Where = "all"

    @property
    def place(self) -> Place:
        """Site and layer."""
        return self.site, self.layer

    @property
    def side(self) -> str:
        """Does the encoder run it, or the decoder?"""
        return "encoder" if self.site.startswith("encoder") else "decoder"


Plan = Sequence[Edit]
Draw = Callable[[Place, int, int], Tensor]
Said = Mapping[tuple[Says, Where], Mapping[Place, Donor]]


class Climbed(NamedTuple):
    """How much the choice leans to the feminine form: plain, in the twin, and under each plan."""

    base: Array  # [pair]
    twin: Array
    values: Array  # [plan, pair]


@torch.no_grad()
def climb(
    mt: Translator,
    twins: Sequence[Twins],
    plans: Sequence[Plan],
    into: Side,
    *,
    others: Sequence[Twins] = (),
    over: Sequence[str] | None = None,
    seed: int = 0,
    rows: int = ROWS,
    progress: Progress | None = None,
) -> Climbed:
    """Run the sentences of the side `into` under every plan.

    `others` are the pairs whose sentences are the donors of "same" (with this side's cue) and
    "other" (with the other one's), pair by pair; `over` and `seed` are those of ablation.
    """
    from cuescope.models.translator import by_length

    _check(mt, twins, plans, into, others)
    draws = _draws(mt, plans, over, seed)
    base, twin = np.zeros(len(twins)), np.zeros(len(twins))
    values = np.zeros((len(plans), len(twins)))
    lengths = [len(one.twin(into).encoding) + one.at(into).step for one in twins]
    copies = 1 + min(MOST, len(plans))
    batches = list(by_length(lengths, evenly(len(twins), rows // copies), copies))
    work = []
    for some in batches:
        donors = [others[n] for n in some if others]
        made = partial(_climbed, mt, [twins[n] for n in some], donors, plans, into, draws)
        work.append((f"{len(plans)} plans {into} {some[0]} and {len(some) - 1} more", made))
    for some, (plain, theirs, under) in zip(batches, each(work), strict=True):
        base[some], twin[some], values[:, some] = plain, theirs, under
        if progress:
            progress(len(some))
    return Climbed(base, twin, values)


@torch.no_grad()
def _climbed(
    mt: Translator,
    batch: Sequence[Twins],
    others: Sequence[Twins],
    plans: Sequence[Plan],
    into: Side,
    draws: Mapping[Says, tuple[list[Place], Draw]],
) -> tuple[Array, Array, Array]:
    """The same of some pairs, in one batch."""
    fed = feeding.feed(mt, batch, into)
    said, theirs = _said(mt, batch, fed, plans, into, others)
    said |= {(says, "all"): _drawn(*draw, fed) for says, draw in draws.items()}
    rest, under = np.zeros(len(batch)), np.zeros((len(plans), len(batch)))
    for at in range(0, len(plans), MOST):
        wave = Planned(mt, fed, said, plans[at : at + MOST])
        found = leaning(mt, fed, wave.climb(), "logit difference")
        rest = found[0]
        for block, value in zip(wave.blocks, found[1:], strict=True):
            under[at + block.head] = value
    return rest, leaning(mt, fed, theirs[None], "logit difference")[0], under


class Planned(Wave):
    """A climb whose rows join at the first layer that their plan edits."""

    def __init__(self, mt: Translator, fed: Feed, said: Said, plans: Sequence[Plan]) -> None:
        join: dict[Place, list[int]] = {}
        self.edits: dict[Place, dict[Edit, list[int]]] = {}
        for number, plan in enumerate(plans):
            side, layer = min(((edit.side, edit.layer) for edit in plan), key=_turn)
            join.setdefault(("encoder" if side == "encoder" else "cross", layer), []).append(number)
            for edit in plan:
                self.edits.setdefault(edit.place, {}).setdefault(edit, []).append(number)
        heads = {place: () for place in self.edits if place[0] in mt.sites}
        super().__init__(mt, fed, {}, join, heads)
        self.said = said

    def _edit(self, place: Place) -> Any:
        """Before an output projection: write what the heads of each plan say instead."""

        def before(_: nn.Module, args: tuple[Any, ...]) -> tuple[Any, ...] | None:
            x = self._written(place, args[0])
            return None if x is None else (x, *args[1:])

        return before

    def _further(self, side: str) -> list[Hook]:
        """After feed-forward blocks and whole layers: the same."""
        hooks = []
        for place in self.edits:
            if place[0] in (FEED_FORWARD[side], STREAM) and place[0].startswith(side):

                def after(_: nn.Module, __: Any, out: Any, place: Place = place) -> Any:
                    first, rest = (out[0], out[1:]) if isinstance(out, tuple) else (out, None)
                    x = self._written(place, first)
                    return x if x is None or rest is None else (x, *rest)

                hooks.append(Hook(module_of(self.mt, place), after, after=True))
        return hooks

    def _written(self, place: Place, given: Tensor) -> Tensor | None:
        wanted = self.edits.get(place)
        if not wanted:
            return None
        x, pairs = given.clone(), self.fed.pairs
        blocks = x.view(-1, pairs, *x.shape[1:])
        rows = {block.head: number for number, block in enumerate(self.blocks, 1)}
        for edit, plans in wanted.items():
            donor = self.said[edit.says, edit.where][place]
            check_fits(x, donor.values, place)
            part = slice(None) if edit.head is None else self.mt.head_slice(*place, edit.head)
            new = donor.values[..., part].expand(pairs, x.shape[1], -1)
            for plan in plans:
                old = blocks[rows[plan]][..., part]
                moved = new if edit.dose == 1.0 else old + edit.dose * (new - old)
                kept = moved if donor.at is None else torch.where(donor.at[..., None], moved, old)
                blocks[rows[plan]][..., part] = kept
        return x


def module_of(mt: Translator, place: Place) -> nn.Module:
    """The module after which a block is met: a layer's last projection, or the layer itself."""
    site, layer = place
    found = layer_of(mt, site.split()[0], layer)
    if site == STREAM:
        return found
    *_, last = (module for module in found.modules() if isinstance(module, nn.Linear))
    return last


def layers_of(mt: Translator, side: str) -> int:
    """How many layers the encoder or the decoder has."""
    return mt.sites["encoder" if side == "encoder" else "cross"][0]


@contextmanager
def _recorded(mt: Translator, places: Sequence[Place]) -> Iterator[dict[Place, Tensor]]:
    """What heads, side by side, and blocks said in the last call: [row, position, width]."""
    seen: dict[Place, Tensor] = {}

    def block(place: Place) -> Any:
        def after(_: nn.Module, __: Any, out: Any) -> None:
            seen[place] = out[0] if isinstance(out, tuple) else out

        return Hook(module_of(mt, place), after, after=True)

    with hooked(mt, [listening(mt, p, seen) if p[0] in mt.sites else block(p) for p in places]):
        yield seen


def _said(
    mt: Translator,
    batch: Sequence[Twins],
    fed: Feed,
    plans: Sequence[Plan],
    into: Side,
    others: Sequence[Twins],
) -> tuple[dict[tuple[Says, Where], Mapping[Place, Donor]], Tensor]:
    """What heads and blocks say in other sentences, laid out for these; the twins' hidden state."""
    asked = {(e.says, e.where, e.place) for plan in plans for e in plan}
    found: dict[tuple[Says, Where], Mapping[Place, Donor]] = {}

    def run(says: Says, feed: Feed) -> tuple[dict[Place, Tensor], Tensor]:
        with _recorded(mt, sorted({p for s, _, p in asked if s == says})) as seen:
            hidden = feeding.hidden_of(mt, feed)
        return dict(seen), hidden

    seen, hidden = run("twin", feeding.feed(mt, batch, feeding.other(into), into))
    for says, where in {(s, w) for s, w, _ in asked}:
        if says == "twin":
            there = {p: v for p, v in seen.items() if (says, where, p) in asked}
            found[says, where] = feeding.laid_out(mt, batch, into, where, there)
        elif says == "own":
            found[says, where] = {p: Donor(v, None) for p, v in run(says, fed)[0].items()}
        elif says in ("same", "other"):
            side = into if says == "same" else feeding.other(into)
            there = run(says, feeding.feed(mt, others, side, into))[0]
            found[says, where] = {p: Donor(v, None) for p, v in there.items()}
    return found, hidden


def _draws(
    mt: Translator, plans: Sequence[Plan], over: Sequence[str] | None, seed: int
) -> dict[Says, tuple[list[Place], Draw]]:
    """Where heads are ablated, by what they say then, and from where that is drawn."""
    found: dict[Says, tuple[list[Place], Draw]] = {}
    kinds: tuple[Literal["zero", "mean", "resample"], ...] = ("zero", "mean", "resample")
    for says in kinds:
        places = sorted({e.place for plan in plans for e in plan if e.says == says})
        if places:
            found[says] = places, replacement(mt, places, says, over, seed)
    return found


def _drawn(places: Sequence[Place], draw: Draw, fed: Feed) -> dict[Place, Donor]:
    """What ablated heads say, for sentences of this length."""
    widths = {p: (fed.ids if p[0] == "encoder" else fed.inputs).shape[1] for p in places}
    return {p: Donor(draw(p, 0, widths[p]), None) for p in places}


def _turn(place: tuple[str, int]) -> tuple[bool, int]:
    """The order in which layers run."""
    return place[0] != "encoder", place[1]


def _check(
    mt: Translator,
    twins: Sequence[Twins],
    plans: Sequence[Plan],
    into: Side,
    others: Sequence[Twins],
) -> None:
    """Raise for what cannot be run."""
    edits = {edit for plan in plans for edit in plan}
    for edit in edits:
        if edit.site in mt.sites and edit.head is not None:
            mt.head_slice(edit.site, edit.layer, edit.head)
        if edit.says != "twin" and edit.where != "all":
            raise CueScopeError(
                "only the twin has a noun and a cue at other places",
                expected='where="all"',
                found=f"{edit.says} at the {edit.where}",
            )
    if not all(plans):
        raise CueScopeError("a plan without an edit", expected="one or more heads", found="none")
    moved = {e.where for e in edits if e.says == "twin" and e.side == "encoder"}
    for one in twins:
        if any(feeding.matched(one, into, where) is None for where in moved):
            raise CueScopeError(feeding.UNLIKE, found=one.twin(into).item.text)
    if any(edit.says in ("same", "other") for edit in edits) and len(others) != len(twins):
        raise CueScopeError(
            "no other sentences are given",
            expected=f"{len(twins)}, one for each pair",
            found=str(len(others)),
        )
