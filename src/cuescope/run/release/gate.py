"""May a release ship? Not if a share fell by more than is allowed, beyond chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cuescope.errors import CueScopeError, one_of
from cuescope.run.release.sides import Side, opened
from cuescope.run.release.versus import Compared, Release, versus
from cuescope.stats.fall import tarone

if TYPE_CHECKING:
    from cuescope.run.run import Run
    from cuescope.run.score import Score

ALPHA = 0.05
DEFAULT = ("mpa", "male", "female")  # no drop beyond chance, unless something else is asked for


@dataclass(frozen=True)
class Rule:
    """One demand on the release: at most such a drop, or at least such a share; in points."""

    measure: Compared
    allowed: float | None = None  # points
    least: float | None = None  # per cent
    p: float | None = None  # of the drop, adjusted for the rules that could have failed
    blind: bool = False  # so little changed that no drop could be beyond chance

    @property
    def failed(self) -> bool:
        """Is it broken: the drop beyond chance, or the share itself below the floor?"""
        if self.least is not None:
            return 100 * self.measure.after.value < self.least
        return self.p is not None and self.p < ALPHA

    @property
    def said(self) -> str:
        """The demand and what became of it, in words."""
        if self.least is not None:
            where = "below" if self.failed else "not below"
            return f"{where} the floor of {self.least:g} %"
        assert self.allowed is not None
        assert self.p is not None
        drop = -100 * self.measure.change.value
        limit = f"{self.allowed:g} points" if self.allowed else "none"
        if self.failed:
            return f"fell further than allowed ({limit}), beyond chance"
        if not self.measure.broke and not self.measure.mended:
            return "nothing changed"
        if drop <= 0:
            return "did not fall"
        if drop <= self.allowed:
            return f"fell within what is allowed ({limit})"
        if self.blind:
            return f"fell, but on too few nouns to tell it from chance (allowed: {limit})"
        return f"fell, but chance may explain it (allowed: {limit})"

    def to_json(self) -> dict[str, Any]:
        """For files."""
        demand = {"max_drop": self.allowed} if self.least is None else {"fail_under": self.least}
        told = {"measure": self.measure.name, **demand, "p": self.p}
        return {**told, "failed": self.failed, "said": self.said}


@dataclass(frozen=True)
class Gate:
    """The rules with what became of them, and the comparison behind."""

    rules: tuple[Rule, ...]
    release: Release

    @property
    def passed(self) -> bool:
        """Is no rule broken?"""
        return not any(rule.failed for rule in self.rules)

    def to_json(self) -> dict[str, Any]:
        """For files."""
        rules = [rule.to_json() for rule in self.rules]
        return {"passed": self.passed, "rules": rules, **self.release.to_json()}


def gate(
    candidate: str | Path | Score | Run | Side,
    baseline: str | Path | Score | Run | Side,
    *,
    max_drop: Mapping[str, float] | None = None,
    fail_under: Mapping[str, float] | None = None,
    data: str | None = None,
    lang: str | None = None,
) -> Gate:
    """The candidate against the baseline, by rules in points of per cent.

    A drop counts if it is larger than allowed beyond chance (5 % over all rules together).
    Without rules, MPA and the accuracy of either gender may not fall. A floor is for the share
    itself, whatever its interval.
    """
    first, second = (opened(one, data=data, lang=lang) for one in (baseline, candidate))
    if first.label == second.label:
        first, second = replace(first, label="baseline"), replace(second, label="candidate")
    if first.lang != second.lang:
        raise CueScopeError(
            "the releases translate into different languages",
            expected=f"{first.label}: {first.lang}",
            found=f"{second.label}: {second.lang}",
        )
    found = versus(first, second)
    if max_drop is None:
        wanted = dict.fromkeys(() if fail_under else DEFAULT, 0.0)
        wanted = {name: allowed for name, allowed in wanted.items() if name in found.named}
    else:
        wanted = dict(max_drop)
    drops = [(_measure(found, name), _sane(name, allowed)) for name, allowed in wanted.items()]
    falls = [measure.fall(allowed / 100) for measure, allowed in drops]
    rules = [
        Rule(measure, allowed=allowed, p=p, blind=one.least >= ALPHA)
        for (measure, allowed), one, p in zip(drops, falls, tarone(falls, ALPHA), strict=True)
    ]
    rules += [
        Rule(_measure(found, name), least=_sane(name, least))
        for name, least in (fail_under or {}).items()
    ]
    return Gate(tuple(rules), found)


def _measure(found: Release, name: str) -> Compared:
    do = "mpa needs both twins of pairs" if "mpa" in name else ""
    one_of(name, found.named, f"no measure {name!r} in both releases", do)
    return found.named[name]


def _sane(name: str, points: float) -> float:
    if not 0 <= points <= 100:
        raise CueScopeError(f"{name}: points of per cent", expected="0 to 100", found=f"{points:g}")
    return points
