"""The tree enumerated, best first: what is decided goes into its label's mass, the rest is a bound.

Which prefixes must be looked at follows from the width alone: with the frontier in falling order,
all before the point from which the rest is narrow enough. One at a time, best first, would look at
each of them too, so that many are taken at once and none in vain. Where what may be spent does not
reach that far, the likeliest are what counts: those far less likely than the first wait.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING

import torch

from cuescope.errors import CueScopeError
from cuescope.sampling.bounds import Bounds, Likely, total
from cuescope.sampling.grow import Prefix, Tree
from cuescope.sampling.truncate import check

if TYPE_CHECKING:
    from cuescope.models.translator import Progress, Translator

Decide = Callable[[int, str, bool], str | None]
"""(number of the source, text so far, has it ended) → label, or None while more words may tell."""

ROWS = 512  # prefixes advanced at once: at 32,000 words 64 MB of logits
KEPT = 8192  # steps of the decoder: of one with 6 layers of 512 numbers 24 kB each
MOST = 4096  # evaluations of one source
_LEAST = 1e-4  # of the width: a prefix less likely than that is never looked at
_NEAR = 1 / 8  # of the likeliest: what is less likely is not looked at together with it,
_FEW = 32  # unless there are no more than these to look at


@dataclass(eq=False)
class _Source:
    """One source's tree so far."""

    number: int
    text: str
    open: list[Prefix] = field(default_factory=list)
    decided: list[Prefix] = field(default_factory=list)  # not looked at any further
    masses: dict[str, list[float]] = field(default_factory=dict)
    left: list[float] = field(default_factory=list)  # undecided, and never looked at
    lost: dict[str, float] = field(default_factory=dict)  # decided: the most in any one place
    best: dict[str, Prefix] = field(default_factory=dict)  # the best that has ended, by label

    @property
    def undecided(self) -> float:
        return total([*self.left, *(prefix.mass for prefix in self.open)])

    def needed(self, width: float) -> list[Prefix]:
        """Those that any way to this width must look at, the likeliest first; what is far less
        likely than the first waits."""
        self.open.sort(key=_order)
        rest, place = total(self.left), len(self.open)
        if rest > width:
            return []
        while place and rest + self.open[place - 1].mass <= width:
            place -= 1
            rest += self.open[place].mass
        near = sum(one.mass >= _NEAR * self.open[0].mass for one in self.open[:place])
        return self.open[: min(place, max(near, _FEW))]

    def better(self) -> list[Prefix]:
        """Those that could still hold a more probable sequence than the best of a label.

        Until a label has one, its likeliest prefix alone, deepest first: a dive to the end.
        """
        dive: dict[str, Prefix] = {}
        found = []
        least = min((one.mass for one in self.best.values()), default=math.inf)
        for prefix in self.decided:
            assert prefix.label is not None
            best, before = self.best.get(prefix.label), dive.get(prefix.label)
            if best is not None:
                if _order(prefix) < _order(best):
                    found.append(prefix)
            elif before is None or _deeper(prefix) < _deeper(before):
                dive[prefix.label] = prefix
        found += [*dive.values(), *(p for p in self.open if p.mass > least)]
        return sorted(found, key=_order)


def _order(prefix: Prefix) -> tuple[float, tuple[int, ...]]:
    """The likeliest first; of equals, the lower ids."""
    return -prefix.mass, prefix.ids


def _deeper(prefix: Prefix) -> tuple[float, ...]:
    return -len(prefix.ids), -prefix.mass, *prefix.ids


@torch.no_grad()
def bounds(
    mt: Translator,
    texts: Sequence[str],
    decide: Decide,
    *,
    epsilon: float = 0.02,
    width: float = 0.01,
    most: int = MOST,
    best: bool = False,
    batch_size: int = 64,
    rows: int = ROWS,
    kept: int = KEPT,
    progress: Progress | None = None,
) -> list[Bounds]:
    """The probability of each label for each text, to this width or so many evaluations.

    With `best`, also the most probable sequence of each label, for as many evaluations again.
    """
    from cuescope.models.translator import by_length

    check(1, epsilon)
    check_width(width)
    sizes = {"most": most, "batch_size": batch_size, "rows": rows, "kept": kept}
    for name, value in sizes.items():
        if value < 1:
            raise CueScopeError(f"{name} out of range", expected="1 or more", found=str(value))
    lengths = [len(encoding) for encoding in mt.batch(texts).encodings] if texts else []
    found: dict[int, Bounds] = {}
    for chosen in by_length(lengths, batch_size):
        batch = mt.batch([texts[place] for place in chosen])
        tree = Tree(mt, batch, epsilon, kept)
        sources = [_Source(place, texts[place]) for place in chosen]
        work = _Work(tree, sources, decide, width, most, rows, best)
        work.bound()
        spent = list(tree.evaluations)
        if best:
            work.search()
        for row, source in enumerate(sources):
            found[source.number] = Bounds(
                source.text,
                {label: total(masses) for label, masses in sorted(source.masses.items())},
                source.undecided,
                spent[row],
                epsilon,
                width,
                work.likely(source) if best else {},
                tree.evaluations[row] - spent[row],
            )
        if progress:
            progress(len(chosen))
    return [found[place] for place in range(len(texts))]


def check_width(width: float) -> None:
    """Complain of a width that no interval of probabilities can have."""
    if not 0 <= width < 1:  # also false for NaN
        raise CueScopeError("width out of range", expected="0 ≤ width < 1", found=str(width))


@dataclass(eq=False)
class _Work:
    """A batch at work: the two searches are one loop that asks each source what it needs."""

    tree: Tree
    sources: list[_Source]
    decide: Decide
    width: float
    most: int
    rows: int
    keep: bool  # decided prefixes, for the search of the best

    def bound(self) -> None:
        """Grow until each source is as narrow as was asked, or has spent what it may."""
        for source, root in zip(self.sources, self.tree.roots(), strict=True):
            source.open.append(root)
        self._loop(lambda source: source.needed(self.width), [0] * len(self.sources))

    def search(self) -> None:
        """Grow inside what is decided until the best sequence of each label is known."""
        self._loop(lambda source: source.better(), list(self.tree.evaluations))

    def likely(self, source: _Source) -> dict[str, Likely]:
        """The best of each label, certain if nothing left over is likelier."""
        over = source.better()
        eos, decode = self.tree.mt.engine.eos_id, self.tree.mt.tokenizer.decode
        found = {}
        for label, one in sorted(source.best.items()):
            left = [p.mass for p in over if p.label in (None, label)]
            certain = max([*left, *source.left, source.lost.get(label, 0.0)], default=0) <= one.mass
            found[label] = Likely(
                one.ids, decode(one.ids), math.log(one.mass), one.ids[-1] == eos, certain
            )
        return found

    def _loop(self, wanted: Callable[[_Source], Iterable[Prefix]], spent: list[int]) -> None:
        needs: dict[int, list[Prefix]] = {}
        changed: set[int] = set(range(len(self.sources)))
        while True:
            for row in changed:
                left = self.most - (self.tree.evaluations[row] - spent[row])
                needs[row] = list(wanted(self.sources[row]))[: max(left, 0)]
                if not needs[row] and not self.keep:
                    for prefix in self.sources[row].open:
                        self.tree.leave(prefix)  # still undecided, but nobody will look
            lengths: dict[int, list[Prefix]] = {}
            for row in self._at_work([row for row in sorted(needs) if needs[row]]):
                for prefix in needs[row]:
                    lengths.setdefault(len(prefix.ids), []).append(prefix)
            if not lengths:
                return
            # The length with the most to do: few prefixes wait until there are enough of them.
            length = max(lengths, key=lambda length: (len(lengths[length]), -length))
            taken = sorted(lengths[length], key=_order)[: self.rows]
            self._take(sorted(taken, key=lambda prefix: (prefix.source, prefix.ids)))
            changed = {prefix.source for prefix in taken}

    def _at_work(self, rows: list[int]) -> Iterable[int]:
        """The first sources that are not done, as many as have room to grow; the others after
        them: all at once would push each other's steps out, and make them again."""
        held = accumulate(self.tree.states.held[row] for row in rows)
        return (
            row
            for row, so_far in zip(rows, held, strict=True)
            if row == rows[0] or so_far <= self.tree.kept // 4
        )

    def _take(self, prefixes: list[Prefix]) -> None:
        gone = set(map(id, prefixes))
        for row in {prefix.source for prefix in prefixes}:
            source = self.sources[row]
            source.open = [p for p in source.open if id(p) not in gone]
            source.decided = [p for p in source.decided if id(p) not in gone]
        children, left = self.tree.grow(prefixes, _LEAST * self.width)
        for prefix, born, rest in zip(prefixes, children, left, strict=True):
            source = self.sources[prefix.source]
            if rest and prefix.label is None:
                source.left.append(rest)
            elif rest and prefix.label is not None:
                source.lost[prefix.label] = max(rest, source.lost.get(prefix.label, 0.0))
            for child in born:
                self._place(source, child, new=prefix.label is None)
            self.tree.leave(prefix)

    def _place(self, source: _Source, child: Prefix, *, new: bool) -> None:
        """Where a child goes: into its label's mass, and to those that may be looked at again."""
        if new:
            text = self.tree.mt.tokenizer.decode(child.ids)
            child.label = self.decide(source.number, text, child.ended)
            if child.label is not None:
                source.masses.setdefault(child.label, []).append(child.mass)
        if child.label is None:
            if child.ended:
                raise CueScopeError(
                    "a finished translation has no label",
                    expected="a label from `decide` for every text that has ended",
                    found="None",
                )
            source.open.append(child)
        elif child.ended:
            before = source.best.get(child.label)
            if before is None or _order(child) < _order(before):
                source.best[child.label] = child
        elif self.keep:
            source.decided.append(child)
        else:
            self.tree.leave(child)
