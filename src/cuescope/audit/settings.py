"""The settings of the audits: the same for Python, the command line and a YAML file."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from cuescope.audit.knobs import GRIDS
from cuescope.data.relationships import KNOWN
from cuescope.errors import CueScopeError, one_of
from cuescope.run.settings import Settings, check, made, say, schema_of


def _folder(kind: str, model: str, out: str | None) -> Path:
    """Where an audit is kept: `out`, or artifacts/KIND-MODEL."""
    if out is not None:
        return Path(out)
    name = model.strip("/.").replace(":", "-").replace("/", "-").lstrip("-")
    return Path("artifacts") / f"audit-{kind}-{name}"


class _Audit:
    """What the settings of every audit can say of themselves."""

    KIND: ClassVar[str]

    @property
    def folder(self) -> Path:
        """Where the audit is kept."""
        own = vars(self)
        return _folder(self.KIND, own["model"], own["out"])

    def facts(self) -> dict[str, Any]:
        """As plain JSON: all that bears on the numbers."""
        idle = ("out", "jobs")
        return {k: v for k, v in vars(self).items() if k not in idle and v not in (None, ())}

    def words(self) -> str:
        """The same for people."""
        shown = {k: "+".join(v) if isinstance(v, tuple) else v for k, v in self.facts().items()}
        return ", ".join(f"{name} {value}" for name, value in shown.items())


@dataclass(frozen=True)
class SpeedSettings(_Audit):
    """What to measure of speed against bias, and how much of it.

    >>> SpeedSettings("firefox:en-pt", "dev.en", "dev.pt").folder.name
    'audit-speed-firefox-en-pt'
    >>> "knobs bs1+int8" in SpeedSettings("m", "a.en", "a.pt", knobs=("bs1", "int8")).words()
    True
    """

    KIND = "speed"

    model: str = field(metadata={"told": "firefox:en-pt, argos:zh-en, a folder, or a hub name"})
    sources: str = field(metadata={"told": "the test set's sentences, one a line"})
    references: str = field(metadata={"told": "their translations by people, line by line"})
    out: str | None = say(None, "folder of the audit [artifacts/audit-speed-MODEL]")
    grid: str = say("full", "the knobs: " + "; ".join(f"{k}: {v}" for k, v in GRIDS.items()))
    knobs: tuple[str, ...] = say((), "only these knobs of the grid (baseline, bs1, …); empty: all")
    lang: str | None = say(None, "target language, if the model does not say")
    src: str | None = say(None, "source language, for models of many languages")
    tgt: str | None = say(None, "target language, for models of many languages")
    dictionary: str | None = say(None, "check SimpleGEN by this dictionary (CSV), as paper D does")
    pairs: int = say(0, "SimpleGEN pairs, drawn at random from all; 0: all", least=0)
    test: int = say(0, "sentences of the test set, drawn at random; 0: all", least=0)
    others: str | None = say(None, "a set with two people for the other noun (winomt:DIR)")
    other_pairs: int = say(60, "pairs of that set, drawn at random; 0: all", least=0)
    timed: int = say(32, "sentences of the test set that are timed", least=1)
    rounds: int = say(5, "how often each knob is timed", least=2)
    jobs: int = say(0, "processes that translate, one core each; 0: as many as cores", least=0)

    def __post_init__(self) -> None:
        check(self)
        one_of(self.grid, GRIDS, "no such grid")


@dataclass(frozen=True)
class RelationshipSettings(_Audit):
    """What to measure of relationships, and how much of it."""

    KIND = "relationships"

    model: str = field(
        metadata={"told": "a model into English: firefox:pt-en, a folder, a hub name"}
    )
    out: str | None = say(None, "folder of the audit [artifacts/audit-relationships-MODEL]")
    langs: tuple[str, ...] = say(
        KNOWN, "source languages, as far as the model translates them", known=KNOWN
    )
    src: str | None = say(None, "source language, for models of many languages")
    tgt: str | None = say(None, "target language, for models of many languages")
    occupations: str | None = say(None, "figures per occupation (TSV), for the regression")
    limit: int = say(0, "sentences of each language, drawn at random, by fours; 0: all", least=0)
    heads: int = say(60, "fours of sentences on which the heads are measured; 0: none", least=0)
    jobs: int = say(0, "processes that translate, one core each; 0: as many as cores", least=0)

    def __post_init__(self) -> None:
        check(self)


KINDS = {kind.KIND: kind for kind in (SpeedSettings, RelationshipSettings)}


def schema() -> dict[str, Any]:
    """The JSON schema of a YAML file of runs or of audits, for editors."""
    audits = (
        {"title": f"An audit of {name}", **schema_of(kind, audit=name)}
        for name, kind in KINDS.items()
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Runs and audits of cuescope",
        "anyOf": [{"title": "A run of cuescope", **schema_of(Settings)}, *audits],
    }


def of_yaml(
    path: str | Path, given: list[dict[str, Any]]
) -> list[SpeedSettings] | list[RelationshipSettings]:
    """The audits of a YAML file, whose entries all say the same `audit:`."""
    named = {str(one.get("audit", "no audit")) for one in given}
    if len(named) > 1 or not named <= set(KINDS):
        raise CueScopeError(
            f"{path}: which audit?",
            expected=f"audit: {' or '.join(KINDS)}, the same for all of `runs`",
            found=", ".join(sorted(named)),
        )
    bare = [{k: v for k, v in one.items() if k != "audit"} for one in given]
    if named == {"speed"}:
        return made(path, bare, SpeedSettings)
    return made(path, bare, RelationshipSettings)
