"""Fitting gated units: small steps on them alone, and a price on every one that fires in text
without a cue.

A unit begins as a detector of a place where a cue stands (the discriminant of that place against
all of the quiet text), with its threshold above whatever quiet text gives it. Some are taken anew
on the way, at places that the cue has reached by then: the nouns. The decoder's begin there too,
where it says the gender.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from cuescope.errors import CueScopeError
from cuescope.mend import detect, gated
from cuescope.mend.gated import PARTS, blocks
from cuescope.mend.mend import Mend
from cuescope.mend.quiet import Quiet
from cuescope.mend.sense import BLOCK, Sides
from cuescope.mend.targets import Target
from cuescope.mend.tune import Lot, Tuner, mean
from cuescope.mend.tune import Told as Heard
from cuescope.signature import hash_text

if TYPE_CHECKING:
    from cuescope.models.marian_grow import Grid
    from cuescope.models.translator import Translator

Snap = Callable[[Mend], Mend]


@dataclass(frozen=True)
class Gating:
    """How gated units are fitted; the defaults are for models of Firefox's size."""

    units: int = 64  # a block, its ballast among them
    steps: int = 800
    rate: float = 3e-3  # of Adam, falling to 0 as a cosine; three times that for what units say
    batch: int = 20  # sentences with a cue in a step; half as many to hold
    hold: float = 1.0  # weight of staying where the plain model is
    other: float = 1.5  # so many times that at the words of people whom the pronoun does not mean
    least: float = 0.6  # logits by which the model must tell what sense says, for it to be learned
    sides: int = 32  # units that begin as detectors of whom a pronoun means
    off: float = 0.25  # price of a unit that is on in quiet text, squared
    quiet: int = 16  # rows of quiet text in a step
    margin: float = 0.5  # how far below its threshold a unit must be there
    still: int = 40  # steps between lowerings of thresholds: what is learned must do with them
    anew: tuple[float, ...] = (0.1, 0.25, 0.4)  # of the steps: when some units are taken anew
    fresh: int = 16  # how many, a block
    louder: float = 1.8  # what units say at the end, times what was fitted
    every: int = 50  # steps between looks at what is held out
    seed: int = 0


# where lessons have one person, and nobody is to be aimed at: said louder, and so held back more
LOUD = {"other": 3.0, "off": 5.0, "louder": 2.0}


class Gate:
    """Units beside a model's blocks, as numbers that can be moved."""

    def __init__(self, mt: Translator, grids: dict[str, Grid], quiet: Quiet, how: Gating) -> None:
        self.mt, self.quiet, self.how, self.on = mt, quiet, how, False
        self.blocks = blocks(mt)
        self.ceilings = {name: grids[name].ceiling for name in self.blocks}
        width = self.blocks[BLOCK].fc1.in_features
        shapes = {"in": (how.units, width), "bias": (how.units,), "out": (width, how.units)}
        self.units = {
            f"{name}.{part}": torch.zeros(shapes[part], device=mt.device)
            for name in self.blocks
            for part in PARTS
        }
        self.most = {  # within the range that the file's matrix has
            f"{name}.{part}": float(linear.weight.abs().max())
            for name, block in self.blocks.items()
            for part, linear in (("in", block.fc1), ("out", block.fc2))
        }
        self.seen: dict[str, Tensor] = {}
        self.before: dict[str, Tensor] = {}  # the threshold

    @contextmanager
    def attached(self) -> Iterator[None]:
        """The units in the model's blocks, by hooks."""

        def heard(name: str) -> Any:
            def before(_: Any, args: tuple[Tensor, ...]) -> None:
                self.seen[name] = args[0]

            return before

        def said(name: str) -> Any:
            def after(_: Any, __: Any, out: Tensor) -> Tensor:
                if not self.on:
                    return out
                into, bias, says = (self.units[f"{name}.{part}"] for part in PARTS)
                self.before[name] = self.seen[name] @ into.T + bias
                return out + self.before[name].clamp(0, self.ceilings[name]) @ says.T

            return after

        hooks = [b.fc1.register_forward_pre_hook(heard(n)) for n, b in self.blocks.items()]
        hooks += [b.fc2.register_forward_hook(said(n)) for n, b in self.blocks.items()]
        try:
            yield
        finally:
            for one in hooks:
                one.remove()

    def names(self, side: str) -> list[str]:
        """The blocks of the encoder, or of the decoder."""
        return [name for name in self.blocks if name.startswith(side)]

    @torch.no_grad()
    def begin(self, sources: Sequence[str], *, count: int, shown: bool) -> None:
        """`count` units a block of the encoder as detectors of places in the sources: of the cue,
        or of others. They take the place of those that say least.
        """
        batch = self.mt.batch(list(sources))
        self.mt.engine.encode(batch.ids, batch.mask)
        at = self.quiet.shown(batch.ids)
        at = at if shown else batch.mask.bool() & ~at
        self._detect(self.names("encoder")[0 if shown else 1 :], at, count, best=not shown)

    @torch.no_grad()
    def speak(self, lot: Lot, count: int) -> None:
        """`count` units a block of the decoder as detectors of steps at which gender is said."""
        engine = self.mt.engine
        engine.decode(engine.encode(lot.ids, lot.mask), lot.mask, lot.inputs)
        self._detect(self.names("decoder"), lot.focus, count, best=True)

    def _detect(self, names: Sequence[str], at: Tensor, count: int, *, best: bool) -> None:
        """Detectors of places of the last pass, over all that is quiet."""
        places = {name: self.seen[name][at] for name in names}
        used = {
            name: self.before[name].clamp(min=0).flatten(0, 1).mean(0)
            * self.units[f"{name}.out"].norm(dim=0)
            if self.on
            else torch.zeros(self.how.units)
            for name in names
        }
        calm = self._quietly(8 * 64, self.seen, blind=False)
        for name, some in places.items():
            found = detect.places(some, calm[name], count, best=best)
            self._put(name, used[name].topk(count, largest=False).indices, *found)

    @torch.no_grad()
    def split(self, sides: Sides) -> None:
        """Some units of the second block begin as detectors of pronouns that mean the first of two
        people, as many of those that mean the second, as far as the model can tell them."""
        half = self.how.sides // 2
        if min(len(sides.first), len(sides.second)) < detect.NEAR:
            return
        calm = self._quietly(8 * 64, self.seen, blind=False)[BLOCK]
        one, two, everywhere = sides
        for start, mine, theirs in ((0, one, two), (half, two, one)):
            rest = torch.cat([calm, theirs, everywhere])
            at = torch.arange(start, start + half, device=rest.device)
            self._put(BLOCK, at, *detect.side(mine, rest, calm, half))

    def _put(self, name: str, at: Tensor, into: Tensor, gap: Tensor, top: Tensor) -> None:
        """Detectors as units of a block: one that stands out by `gap` is on by about 1 there."""
        limit = self.most[f"{name}.in"] / into.abs().amax(1)
        size = torch.minimum((1.0 / gap.clamp(min=0.3)).clamp(max=3.0), limit)
        self.units[f"{name}.in"][at] = into * size[:, None]
        self.units[f"{name}.bias"][at] = -top * size - self.how.margin / 2
        self.units[f"{name}.out"][:, at] = 0.0

    def _quietly(
        self, count: int, what: dict[str, Tensor], *, blind: bool = True
    ) -> dict[str, Tensor]:
        """What blocks see (or units feel) in so many rows of quiet text: [place, ·] of each."""
        found: dict[str, list[Tensor]] = {name: [] for name in self.blocks}
        engine = self.mt.engine
        for at in range(0, count, 64):
            ids, mask = self.quiet.batch(min(64, count - at), blind=blind)
            engine.encode(ids, mask)
            for name in self.names("encoder"):
                found[name].append(what[name][mask.bool()])
            source, inputs, real = self.quiet.said(max(1, min(64, count - at) // 2))
            engine.decode(engine.encode(source.ids, source.mask), source.mask, inputs)
            for name in self.names("decoder"):
                found[name].append(what[name][real])
        return {name: torch.cat(some) for name, some in found.items()}

    def noise(self, count: int) -> Tensor:
        """How far units are on in quiet text, or nearly so: squared, a sentence."""
        felt = self._quietly(count, self.before)
        over = [torch.relu(one + self.how.margin) ** 2 for one in felt.values()]
        return torch.stack([one.sum() for one in over]).sum() / count

    @torch.no_grad()
    def silence(self, times: int = 24) -> int:
        """Lower every threshold that quiet text still passes, or nearly; how many there were."""
        lowered = 0
        for name, felt in self._quietly(64 * times, self.before, blind=False).items():
            over = felt.amax(0) + self.how.margin
            self.units[f"{name}.bias"] -= over.clamp(min=0)
            lowered += int((over > 0).sum())
        return lowered


def gate(
    mt: Translator,
    learn: Sequence[Target],
    keep: Sequence[Target],
    quiet: Quiet,
    grids: dict[str, Grid],
    *,
    held_out: Sequence[Target],
    snap: Snap,
    how: Gating | None = None,
    sides: Sides | None = None,
    fitted: dict[str, str] | None = None,
    told: Heard | None = None,
) -> Mend:
    """Units fitted on `learn`, held on `keep`, silent on quiet text; the model stays as it was."""
    how = how or Gating()
    if not learn or not held_out:
        raise CueScopeError(
            "nothing to fit on", expected="sentences to learn and sentences held out", found="none"
        )
    weights = mt.signature["weights"]
    torch.manual_seed(how.seed)
    draw = random.Random(how.seed)
    one = Gate(mt, grids, quiet, how)
    tuner = Tuner(mt, how.hold, [*learn, *keep, *held_out], how.other)
    made = _lots(tuner, learn, keep, how)
    judged = [tuner.lot(held_out[at : at + 64]) for at in range(0, len(held_out), 64)]
    texts = [target.source for target in learn]
    spoken = tuner.lot(draw.sample(list(learn), min(160, len(learn))))
    with one.attached():
        one.begin(draw.sample(texts, min(160, len(texts))), count=how.units, shown=True)
        if sides:
            one.split(sides)
        one.on = True
        optimizer, anew = _optimizer(one), sorted(int(share * how.steps) for share in how.anew)
        for step in range(how.steps):
            if step in anew and how.fresh:
                one.begin(draw.sample(texts, min(160, len(texts))), count=how.fresh, shown=False)
                one.speak(spoken, how.units if step == anew[0] else how.fresh)
            elif step and step % how.still == 0:
                one.silence(6)
            loss = _step(one, tuner, made[step % len(made)], optimizer, step)
            if told and ((step + 1) % how.every == 0 or step + 1 == how.steps):
                told(step + 1, loss, mean(tuner, judged))
        for value in one.units.values():
            value.requires_grad_(False)
        facts = {"count": f"{len(learn)}+{len(keep)}", **(fitted or {})}
        facts["targets"] = hash_text([f"{t.source}\t{t.text}" for t in (*learn, *keep, *held_out)])
        numbers = {n: float(x) for n, x in asdict(how).items() if isinstance(x, int | float)}
        mend = snap(Mend("gated", mt.name, weights, {}, numbers, one.units, facts))
        one.units = {name: value.clone() for name, value in mend.values.items()}
        lowered = one.silence()
    facts["lowered"] = f"{lowered} thresholds"
    # where none fires, louder changes nothing: the thresholds stay right
    said = gated.louder(one.units, how.louder)
    return snap(Mend("gated", mt.name, weights, {}, numbers, said, facts))


def _optimizer(one: Gate) -> torch.optim.Adam:
    groups = []
    for part in PARTS:
        some = [
            value.requires_grad_(True) for name, value in one.units.items() if name.endswith(part)
        ]
        groups.append({"params": some, "times": 3.0 if part == "out" else 1.0})
    return torch.optim.Adam(groups)


def _lots(
    tuner: Tuner, learn: Sequence[Target], keep: Sequence[Target], how: Gating
) -> list[list[Lot]]:
    """What each step takes: sentences to learn, and half as many to hold.

    Those of a step are of about one length, so that little of a batch is padding.
    """
    draw = random.Random(how.seed)

    def parts(some: Sequence[Target], size: int) -> list[Sequence[Target]]:
        order, found = draw.sample(some, len(some)), []
        for at in range(0, len(order), 8 * size):
            window = sorted(order[at : at + 8 * size], key=lambda one: len(one.ids))
            found += [window[n : n + size] for n in range(0, len(window), size)]
        return draw.sample(found, len(found))

    held = parts(keep, how.batch // 2)
    return [
        [tuner.lot(some) for some in (lesson, held[at % len(held)] if held else ()) if some]
        for at, lesson in enumerate(parts(learn, how.batch)[: how.steps])
    ]


def _step(
    one: Gate, tuner: Tuner, lots: Sequence[Lot], optimizer: torch.optim.Adam, step: int
) -> float:
    how = one.how
    rate = how.rate * (1 + math.cos(math.pi * step / how.steps)) / 2 * min(1.0, (step + 1) / 10)
    for group in optimizer.param_groups:
        group["lr"] = rate * group["times"]
    sizes = [len(lot.ids) for lot in lots]
    lessons = [tuner.loss(lot) * size for lot, size in zip(lots, sizes, strict=True)]
    learned = torch.stack(lessons).sum() / sum(sizes)
    loss = learned + how.off * one.noise(how.quiet)
    optimizer.zero_grad()
    torch.autograd.backward(loss)
    optimizer.step()
    with torch.no_grad():
        for name, most in one.most.items():
            one.units[name].clamp_(-most, most)
    return float(learned.detach())
