"""Contrast sets enumerated: certified genders and entropies of he, she and they."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from cuescope.data.items import ContrastSet, Item
from cuescope.errors import CueScopeError, Unfit
from cuescope.files.chunks import Told
from cuescope.inside.certified import GENDERS, Certified, ge_between
from cuescope.measures.box import Interval, mean_between, norm_between, relative_between
from cuescope.run import unread
from cuescope.run.study import VERSIONS
from cuescope.sampling.bounds import Bounds
from cuescope.signature import Signature

if TYPE_CHECKING:
    from cuescope.inside.translator import Translator
    from cuescope.models.translator import Progress
    from cuescope.run.findings_exact import CertifiedOf, LikelyOf
    from cuescope.run.run import Run

MOST = 1024  # evaluations of one sentence in a run
_CHUNK = 24  # sentences enumerated before they are kept


@dataclass(frozen=True)
class Exact:
    """The bounds of every version of some contrast sets, and what follows from them.

    The intervals hold what is true of these very sentences under the ε-truncated model: nothing is
    sampled, and nothing is said of other sentences.
    """

    sets: tuple[ContrastSet, ...] = field(repr=False)
    certified: Certified = field(repr=False)  # he, she, they, set by set

    @property
    def signature(self) -> Signature:
        """From which this can be made again."""
        return self.certified.signature

    def probabilities(self, gender: str) -> list[list[Interval]]:
        """P of a gender [set][version]."""
        return _threes([one.interval(gender) for one in self.certified])

    @cached_property
    def entropies(self) -> list[list[Interval]]:
        """GE [set][version]."""
        return _threes([ge_between(one) for one in self.certified])

    @cached_property
    def values(self) -> dict[str, Interval]:
        """Means over the sets: P of each gender, H and norm-H of each version, and ΔH."""
        found: dict[str, Interval] = {}
        for gender in GENDERS:
            rows = self.probabilities(gender)
            for at, version in enumerate(VERSIONS):
                found[f"P({gender}) {version}"] = mean_between([row[at] for row in rows])
        norm = [norm_between(row) for row in self.entropies]
        for at, version in enumerate(VERSIONS):
            found[f"H {version}"] = mean_between([row[at] for row in self.entropies])
            found[f"norm-H {version}"] = mean_between([row[at] for row in norm])
        found["H unambiguous"] = mean_between([found["H he"], found["H she"]])
        found["H ambiguous"] = found["H they"]
        found["ΔH"] = relative_between(found["H unambiguous"], found["H ambiguous"])
        return found

    def to_json(self) -> CertifiedOf:
        """As plain JSON."""
        found: CertifiedOf = {
            "width": self.certified[0].width,
            "epsilon": self.certified[0].epsilon,
            "evaluations": self.certified.evaluations / len(self.certified),
            "sentences": len(self.certified),
            "exhausted": self.certified.exhausted,
            "majority": sum(one.majority is not None for one in self.certified),
            "values": dict(self.values),
            "sets": [
                {
                    version: {g: one.interval(g) for g in GENDERS}
                    for version, one in zip(VERSIONS, three, strict=True)
                }
                for three in _threes(list(self.certified))
            ],
            "texts": [
                {version: item.text for version, item in zip(VERSIONS, one, strict=True)}
                for one in self.sets
            ],
            "signature": str(self.signature),
        }
        if any(one.best for one in self.certified):
            found["best"] = [
                dict(zip(VERSIONS, three, strict=True))
                for three in _threes([_best(one) for one in self.certified])
            ]
        return found


def _best(one: Bounds) -> dict[str, LikelyOf]:
    """The most probable translation of each gender."""
    return {
        gender: {"text": best.text, "logprob": best.truncated, "certain": best.certain}
        for gender, best in one.best.items()
    }


def _threes(flat: Sequence[Any]) -> list[list[Any]]:
    return [list(flat[at : at + 3]) for at in range(0, len(flat), 3)]


def exact(
    mt: Translator,
    sets: Sequence[ContrastSet],
    width: float = 0.01,
    *,
    epsilon: float = 0.02,
    most: int = MOST,
    best: bool = False,
    lang: str | None = None,
    progress: Progress | None = None,
) -> Exact:
    """Every version of every set, enumerated to this width; `best`: see `mt.enumerate`."""
    if not sets:
        raise Unfit("no contrast sets", expected="at least one", found="none")
    items = [item for one in sets for item in one]
    options: dict[str, Any] = {"epsilon": epsilon, "most": most, "best": best, "lang": lang}
    return Exact(tuple(sets), mt.enumerate(items, width, progress=progress, **options))


def exact_of(run: Run, facts: Signature, progress: Progress | None = None) -> Exact:
    """The contrast sets of a run; sentences are kept piece by piece, and a broken run goes on."""
    use = run.settings
    if not use.exact:
        raise CueScopeError(
            "this run is not to be enumerated",
            expected="the setting `exact`, a width above 0",
            found="0",
            do="investigate with exact=0.01, or ask `mt.enumerate` itself",
        )
    unread.refuse(run, "P(gender)")
    chosen, _ = run.contrast_sets()
    if not chosen:
        raise Unfit("no contrast sets", expected="at least one", found="none")
    items = {_key(item): item for one in chosen for item in one}
    options: dict[str, Any] = {"epsilon": use.epsilon, "most": MOST, "lang": run.lang}
    make = partial(_bounds, run.mt, items, use.exact, options, Told(progress))
    lines = run.store.lines("exact", facts, list(items), make, chunk=_CHUNK, progress=progress)
    known = dict(zip(items, map(Bounds.from_json, lines), strict=True))
    every = tuple(item for one in chosen for item in one)
    bounds = tuple(known[_key(item)] for item in every)
    return Exact(tuple(chosen), Certified(every, bounds, facts))


def _bounds(
    mt: Translator,
    items: Mapping[str, Item],
    width: float,
    options: Mapping[str, Any],
    progress: Progress,
    keys: Sequence[str],
) -> list[dict[str, Any]]:
    found = mt.enumerate([items[key] for key in keys], width, progress=progress, **options)
    return [one.to_json() for one in found]


def _key(item: Item) -> str:
    """What tells a sentence: one text may ask for two nouns."""
    return f"{item.text}\t{item.focus}\t{item.noun}"
