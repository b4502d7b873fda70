"""The main job: one model, one challenge set, everything measured on the same translations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from cuescope.data.items import Pair, numbered, sample
from cuescope.errors import CueScopeError
from cuescope.files.chunks import Told
from cuescope.inside.ready import output_language
from cuescope.inside.translator import Translator
from cuescope.models.decoding import Hypothesis
from cuescope.models.translator import Progress
from cuescope.run import looking
from cuescope.run.engine import working
from cuescope.run.run import Run
from cuescope.run.settings import Settings
from cuescope.run.store import Store
from cuescope.signature import Signature, hash_text

_CHUNK = 2  # batches translated before they are kept


def investigate(
    mt: Translator,
    pairs: Sequence[Pair],
    *,
    out: str | Path | None = None,
    settings: Settings | None = None,
    batch_size: int = 64,
    progress: Progress | None = None,
    **changes: Any,
) -> Run:
    """Translate both twins of every pair once, and measure on those translations.

    `changes` are settings: samples, heads, sets, seed, lang … (see `cuescope.run.settings`). With
    `out`, a folder, everything is kept there, `cuescope show` and `compare` take it, and an
    interrupted run goes on.
    """
    if not isinstance(mt, Translator):
        raise CueScopeError(
            "this is no open model",
            expected="what cs.load gives",
            found=repr(mt)[:80],
            do='mt = cs.load("firefox:en-pt")',
        )
    use = replace(settings or Settings(mt.name, data="given"), **changes)
    output_language(mt, use.lang)  # before anything is translated
    if not pairs:
        raise CueScopeError("no pairs to investigate", expected="at least one pair", found="none")
    _, texts = _chosen(pairs, use)
    signature = _signature(mt, texts)
    store = Store(out)
    whose = {"model": mt.name, "weights": signature["weights"], "data": use.data}
    store.claim({**whose, "under": signature.get("under", "no intervention")})
    with working(mt, use), looking.watched("translating", len(texts), progress) as told:
        lines = store.lines(
            "translations",
            signature | {"batch": batch_size},
            texts,
            partial(_translated, mt, batch_size, Told(told)),
            chunk=_CHUNK * batch_size,
            progress=told,
        )
    if not store.made:
        mt.recalled += 1
    return run_of(mt, pairs, lines, use, store)


def _translated(
    mt: Translator, batch_size: int, progress: Progress, texts: Sequence[str]
) -> list[dict[str, Any]]:
    found = mt.generate(texts, batch_size=batch_size, progress=progress)
    return [
        {
            "source": text,
            "translation": mt.tokenizer.decode(one.ids),
            "ids": list(one.ids),
            "finished": one.finished,
        }
        for text, one in zip(texts, found, strict=True)
    ]


def run_of(
    mt: Translator,
    pairs: Sequence[Pair],
    lines: Sequence[Mapping[str, Any]],
    settings: Settings,
    store: Store | None = None,
) -> Run:
    """A run of translations that are there, line by line."""
    chosen, texts = _chosen(pairs, settings)
    return Run(
        mt,
        pairs=chosen,
        hypotheses={
            line["source"]: Hypothesis(tuple(line["ids"]), line["finished"]) for line in lines
        },
        lang=output_language(mt, settings.lang),
        signature=_signature(mt, texts),
        settings=settings,
        left_out=_left_out(pairs),
        store=store or Store(),
    )


def _chosen(pairs: Sequence[Pair], settings: Settings) -> tuple[tuple[Pair, ...], list[str]]:
    """The pairs of a run, and their sentences in the order of translating."""
    chosen = tuple(sample(numbered(pairs), settings.limit))
    texts = list(dict.fromkeys(item.text for pair in chosen for item in pair))
    texts.sort(key=len, reverse=True)  # batches of like length, longest first
    return chosen, texts


def _signature(mt: Translator, texts: Sequence[str]) -> Signature:
    return mt.signature | {"sources": hash_text(texts), "search": "greedy"}


def _left_out(pairs: Sequence[Pair]) -> Counter[str]:
    """Pairs that are not minimal, and rows that were skipped, by reason."""
    found = Counter(pair.reason.partition(":")[0] for pair in getattr(pairs, "left_out", ()))
    if bad := len(getattr(pairs, "bad", ())):
        found["rows that could not be read"] += bad
    return found
