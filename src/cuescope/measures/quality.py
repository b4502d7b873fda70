"""Sentence-level quality of translations: COMET where it is installed, chrF, and which it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any, Literal

from cuescope.errors import CueScopeError, imported

Metric = Literal["comet", "chrf", "installed"]
COMET = "Unbabel/wmt22-comet-da"  # paper B's


@dataclass(frozen=True)
class Quality:
    """One score a translation, and the name of the metric that gave it."""

    metric: str
    scores: tuple[float, ...]


def quality(
    sources: Sequence[str],
    translations: Sequence[str],
    references: Sequence[str | Sequence[str]],
    metric: Metric,
    *,
    model: str = COMET,
) -> Quality:
    """The score of each translation; of several references the best, as for ambiguous sources.

    `metric` is "comet", "chrf", or "installed": COMET if it is there, chrF if not. The result says
    which.

    >>> quality(["a"], ["uma casa"], [["uma casa", "um lar"]], "chrf").scores
    (100.0,)
    """
    if metric not in ("comet", "chrf", "installed"):
        raise CueScopeError(
            "no such quality metric", expected="comet, chrf or installed", found=metric
        )
    several = [[given] if isinstance(given, str) else list(given) for given in references]
    if not len(sources) == len(translations) == len(several) or not all(several):
        raise CueScopeError(
            "quality needs a source and a reference for each translation",
            expected=f"{len(translations)} sources, each with at least one reference",
            found=f"{len(sources)} sources, {sum(map(bool, several))} with references",
        )
    if metric == "comet" or (metric == "installed" and find_spec("comet") is not None):
        return Quality(f"COMET ({model})", _comet(sources, translations, several, model))
    return _chrf(translations, several)


def _chrf(translations: Sequence[str], references: Sequence[Sequence[str]]) -> Quality:
    metrics = imported(
        "sacrebleu.metrics", "chrF needs sacrebleu, which is not installed", package="sacrebleu"
    )
    scorer = metrics.CHRF()
    scores = [
        max(float(scorer.sentence_score(text, [one]).score) for one in several)
        for text, several in zip(translations, references, strict=True)
    ]
    return Quality("chrF (sacrebleu)", tuple(scores))


def _comet(
    sources: Sequence[str],
    translations: Sequence[str],
    references: Sequence[Sequence[str]],
    model: str,
) -> tuple[float, ...]:
    triples = [
        {"src": source, "mt": text, "ref": one}
        for source, text, several in zip(sources, translations, references, strict=True)
        for one in several
    ]
    scores = iter(_comet_model(model).predict(triples, gpus=0, progress_bar=False).scores)
    return tuple(max(100 * float(next(scores)) for _ in several) for several in references)


@cache
def _comet_model(name: str) -> Any:
    do = "pip install unbabel-comet, or metric='chrf'"
    comet = imported("comet", "COMET is not installed", package="unbabel-comet", do=do)
    return comet.load_from_checkpoint(comet.download_model(name))
