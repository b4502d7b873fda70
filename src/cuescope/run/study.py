"""Sample contrast sets once, and measure everything of paper B on those samples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from cuescope.data.contrast import contrast
from cuescope.data.items import ContrastSet, Item, sample
from cuescope.errors import CueScopeError, Unfit
from cuescope.gender.reading import Gender
from cuescope.measures import relative
from cuescope.measures.relative import of_means
from cuescope.measures.uncertainty import (
    Array,
    Group,
    Part,
    Tuned,
    Uncertainty,
    measure,
    tune_alpha,
)
from cuescope.sampling.samples import Samples
from cuescope.signature import Signature, hash_text
from cuescope.stats.intervals import FREE, Bounds, Clusters
from cuescope.stats.value import Value

if TYPE_CHECKING:
    import pandas as pd

    from cuescope.inside.translator import Translator
    from cuescope.models.translator import Progress

VERSIONS = ("he", "she", "they")
_ENTROPY: Bounds = (0.0, np.inf)
_NORM: Bounds = (0.0, 3.0)  # the three of a set have the mean 1


def contrast_sets(
    items: Sequence[Item], limit: int | None = None
) -> tuple[list[ContrastSet], Counter[str]]:
    """The different contrast sets of some items, and why others have none.

    A limit draws sets at random from all, not the first ones: challenge sets come sorted.

    >>> nurse = Item("The nurse left as she was ill.", (4, 9), (18, 21), "female")
    >>> sets, left_out = contrast_sets([nurse, nurse, Item("A man.", (2, 5), None, "male")])
    >>> len(sets), sum(left_out.values())
    (1, 1)
    """
    found: dict[tuple[str, tuple[int, int]], ContrastSet] = {}
    left_out: Counter[str] = Counter()
    for item in items:
        try:
            one = contrast(item)
        except CueScopeError as error:
            left_out[error.what] += 1
            continue
        found.setdefault((one.they.text, one.they.focus), one)
    return list(sample(list(found.values()), limit)), left_out


@dataclass(frozen=True)
class Study:
    """The samples of contrast sets, and their uncertainty by measure (ge, s3e, se)."""

    sets: tuple[ContrastSet, ...] = field(repr=False)
    samples: dict[str, Samples] = field(repr=False)  # by source
    measured: dict[str, list[Uncertainty]] = field(repr=False)  # he, she, they, set by set
    signature: Signature
    tuned: Tuned | None = None
    clustered: bool = True  # intervals over the sets' nouns and templates, not over single sets

    @property
    def plain(self) -> Study:
        """The same, with intervals as if no set had anything in common with another."""
        return replace(self, clustered=False)

    def entropies(self, name: str) -> Array:
        """H [set, version], versions in the order he, she, they."""
        return np.array([one.entropy() for one in self.measured[name]]).reshape(-1, 3)

    @cached_property
    def values(self) -> dict[str, dict[str, Value]]:
        """By measure: H and norm-H of each version, paired differences, H (un)ambiguous, ΔH.

        A difference is that of two versions of the same sentences, which are redrawn together.
        ΔH is that of the mean entropies, as in paper B's tables; "ΔH, printed" divides by the
        unambiguous mean alone, as those tables do.
        """
        return {name: self._values(name) for name in self.measured}

    def _values(self, name: str) -> dict[str, Value]:
        h = self.entropies(name)
        table = np.hstack([h, relative.norm_entropy(h), h[:, :2].mean(1, keepdims=True)])

        def column(at: int) -> Any:
            return lambda means: means[..., at]

        def less(at: int, other: int) -> Any:
            return lambda means: means[..., at] - means[..., other]

        def delta(by: Any) -> Any:
            return lambda means: relative.delta_entropy(means[..., 6], means[..., 2], by)

        wanted = {
            **{f"H {version}": (column(at), _ENTROPY) for at, version in enumerate(VERSIONS)},
            **{f"norm-H {v}": (column(3 + at), _NORM) for at, v in enumerate(VERSIONS)},
            "H he − they": (less(0, 2), FREE),
            "H she − they": (less(1, 2), FREE),
            "norm-H she − he": (less(4, 3), (-3.0, 3.0)),
            "H unambiguous": (column(6), _ENTROPY),
            "H ambiguous": (column(2), _ENTROPY),
            "ΔH": (delta("mean"), (-2.0, 2.0)),
            "ΔH, printed": (delta("first"), (-np.inf, 1.0)),
        }
        facts = self.signature | {"measure": name, "part": self.measured[name][0].part}
        shared = Clusters.of(one.they for one in self.sets) if self.clustered else None
        return {
            label: of_means(
                f"{label} ({name})", table, statistic, shared, bounds=bounds, signature=facts
            )
            for label, (statistic, bounds) in wanted.items()
        }

    def certain(self, name: str) -> int:
        """How many sets have no entropy at all: their norm-H is 1 and their ΔH 0 by definition."""
        return int((self.entropies(name).sum(1) == 0).sum())

    def _repr_html_(self) -> str:
        from cuescope.stats import html

        wanted = ("H he", "H she", "H they", "ΔH")
        groups = {m: {name: values[name] for name in wanted} for m, values in self.values.items()}
        drawn = ", ".join(f"{k} {self.signature[k]}" for k in ("samples", "epsilon", "seed"))
        certain = ", ".join(f"{self.certain(name)} ({name})" for name in self.measured)
        notes = [drawn, f"sets without any entropy: {certain}"]
        return html.by_group(groups, title=f"entropies of {len(self.sets)} sets", notes=notes)

    def table(self) -> pd.DataFrame:
        """One row a source: its samples, and H, its standard error and norm-H by measure."""
        import pandas as pd

        rows = [
            {
                "set": number,
                "version": version,
                "text": item.text,
                "noun": item.noun,
                "stereotype": item.stereotype,
                "line": item.line,
                "distinct": len(self.samples[item.text].texts),
                "unfinished": self.samples[item.text].unfinished,
            }
            for number, one in enumerate(self.sets)
            for version, item in zip(VERSIONS, one, strict=True)
        ]
        frame = pd.DataFrame(rows)
        for name, measured in self.measured.items():
            frame[f"H {name}"] = [one.entropy() for one in measured]
            frame[f"se {name}"] = [one.standard_error() for one in measured]
            for label in _genders(measured):
                frame[f"share {label}"] = [one.shares.get(label, 0.0) for one in measured]
            frame[f"norm-H {name}"] = relative.norm_entropy(self.entropies(name)).ravel()
        return frame

    def to_json(self) -> dict[str, Any]:
        """Values with intervals, and a row per source."""
        measures = {
            name: {
                "part": self.measured[name][0].part,
                "alpha": self.measured[name][0].alpha,
                "certain_sets": self.certain(name),
                "over": values["ΔH"].over,
                **{k: {"value": v.number(), "interval": v.interval()} for k, v in values.items()},
            }
            for name, values in self.values.items()
        }
        rows = self.table().to_dict("records")
        facts = dict(self.signature)
        return {"n": len(self.sets), "measures": measures, "items": rows, "signature": facts}


def _genders(measured: Sequence[Uncertainty]) -> list[str]:
    """The genders among the labels, if these labels are genders."""
    found = {label for one in measured for label in one.labels}
    return [gender for gender in get_args(Gender) if gender in found]


def study(
    mt: Translator,
    sets: Sequence[ContrastSet],
    parts: Mapping[str, Part],
    *,
    samples: int = 128,
    epsilon: float = 0.02,
    seed: int = 0,
    alpha: float | None = None,
    drawn: Sequence[Samples] | None = None,
    progress: Progress | None = None,
) -> Study:
    """Sample every version of every set and measure it by each of the named parts.

    S3E's α is tuned on the entropy of gender, which must then be among the parts, unless given.
    `drawn` are samples that were drawn before, with these settings: nothing is drawn then.
    """
    if not sets:
        raise Unfit("no contrast sets", expected="at least one", found="none")
    if "s3e" in parts and alpha is None and "ge" not in parts:
        raise CueScopeError(
            "S3E has no α",
            expected="ge among the measures, to tune α on, or α itself",
            found=", ".join(parts),
            do="add ge, or name α: alpha=, --alpha",
        )
    items = [item for one in sets for item in one]
    texts = list(dict.fromkeys(item.text for item in items))
    if drawn is None:
        drawn = mt.sample(texts, samples, epsilon=epsilon, seed=seed, progress=progress)
    known = {one.source: one for one in drawn}
    _check_drawn(known, texts, (samples, epsilon, seed))
    groups = [Group.of(known[item.text].texts, item=item) for item in items]
    measured = {name: measure(groups, part) for name, part in parts.items()}
    tuned = None
    if "s3e" in measured:
        if alpha is None:
            tuned = tune_alpha(measured["s3e"], measured["ge"])
        power = tuned.alpha if tuned else alpha
        assert power is not None
        measured["s3e"] = [one.at(power) for one in measured["s3e"]]
    facts = {"data": hash_text(texts), "samples": samples, "epsilon": epsilon, "seed": seed}
    return Study(tuple(sets), known, measured, mt.signature | facts, tuned)


def _check_drawn(
    known: Mapping[str, Samples], texts: Sequence[str], settings: tuple[int, float, int]
) -> None:
    """Are these the samples that the signature will speak of?"""
    for text in texts:
        one = known.get(text)
        found = one and (one.n, one.epsilon, one.seed)
        if found != settings:
            raise CueScopeError(
                "the samples are not those that were asked for",
                expected=f"n, ε, seed = {settings} for {text!r}",
                found=str(found or "no samples of this source"),
                do="draw them with these settings",
            )
