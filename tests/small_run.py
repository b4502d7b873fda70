"""A whole run that is small: a model that has learnt four pairs by heart, every kind of kept file.

What a stage computes is remembered from the first run on: over many runs only what is written and
read is done again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

import cuescope as cs
import tiny
from cuescope.files.chunks import Log
from cuescope.run import findings, investigate, stages
from cuescope.run.gather import gather
from cuescope.run.settings import Settings
from cuescope.run.store import Store, locked
from cuescope.stats.scores import Scores

NOUNS = {"mechanic": ("mecânico", "mecânica"), "lawyer": ("advogado", "advogada")}
_TAKE = Log.take
ONLY = ("gender", "attention", "effect", "uncertainty")


def chosen() -> list[Any]:
    """Two pairs of each noun."""
    every = [pair for pair in cs.pairs("simplegen") if pair.pro.noun in NOUNS]
    return [pair for noun in NOUNS for pair in [p for p in every if p.pro.noun == noun][:2]]


def model(folder: Path) -> cs.Translator:
    """A model that translates the pairs, with the gender of the cue."""
    told = {}
    for item in (item for pair in chosen() for item in pair):
        man, woman = NOUNS[item.noun]
        told[item.text] = f"O {man} chegou." if item.gold == "male" else f"A {woman} chegou."
    tiny.taught(folder, told, "pt")
    return cs.load(str(folder), src="en", tgt="pt", check=False)


class Remembering(Store):
    """A store whose results are computed once, by whichever run asks first."""

    made: dict[tuple[str, ...], Any] = {}  # noqa: RUF012

    @classmethod
    def _once(cls, key: tuple[str, ...], make: Any) -> Any:
        if key not in cls.made:
            cls.made[key] = make()
        return cls.made[key]

    @classmethod
    def take(cls, log: Log, label: str, make: Any) -> Any:
        """A chunk of long work, likewise."""
        key = (log.path.name, log.facts, str(log._at), label)
        return _TAKE(log, label, lambda: cls._once(key, make))

    def lines(self, name: str, facts: Any, texts: Any, make: Any, **options: Any) -> Any:
        def once(some: Any) -> Any:
            return self._once((name, str(facts), *some), lambda: list(make(some)))

        return super().lines(name, facts, texts, once, **options)


class SmallRun:
    """The run, from a folder to findings; the same computation however often it is done."""

    def __init__(self, mt: cs.Translator) -> None:
        self.mt, self.pairs = mt, chosen()
        self.settings = Settings(
            mt.name, data="simplegen", sites=("encoder",), heads=4, sets=2, samples=4, only=ONLY
        )
        self.judged: dict[str, Any] = {}  # what a run works out of its translations

    def __call__(self, folder: Path, monkeypatch: Any, **changes: Any) -> dict[str, Any]:
        """Translate, measure, gather, write; what is kept and what was found, as plain data."""
        monkeypatch.setattr(investigate, "Store", Remembering)
        monkeypatch.setattr(Log, "take", lambda *given: Remembering.take(*given))
        weights = self.mt.signature["weights"]  # which nothing changes here: looked at once
        monkeypatch.setattr(self.mt._weights, "of", lambda *_, **__: weights)
        monkeypatch.setattr(investigate, "_CHUNK", 1)
        with locked(folder):
            run = investigate.investigate(
                self.mt, self.pairs, out=folder, settings=self.settings, batch_size=2, **changes
            )
            if self.judged and self.judged["translations"] == run.translations:
                vars(run).update(self.judged["worked out"])
            parts = stages.measure(run, ONLY)
            worked = {name: getattr(run, name) for name in ("verdicts", "score", "twins")}
            self.judged = {"translations": run.translations, "worked out": worked}
            found = gather(run, parts)
            told = {"translations": run.translations, **{n: plain(p) for n, p in parts.items()}}
            told["findings"] = json.loads(json.dumps(found, allow_nan=False))
            run.store.write(findings.NAME, findings.packed(found))
            run.store.write("report.html", "<p>written at the end</p>")
        return told


def plain(found: Any) -> Any:
    """Results as plain data, which can be compared."""
    if isinstance(found, Scores):
        return [np.nan_to_num(found.values, nan=-9.0).tolist(), found.rows["pair"].tolist()]
    if isinstance(found, dict):
        return {str(name): plain(one) for name, one in found.items()}
    return found
