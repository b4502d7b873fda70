"""How much the noun attends to its cue, per sentence, layer and head (paper A)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np
import torch

from cuescope.data.items import Pair, numbered
from cuescope.errors import CueScopeError
from cuescope.hooks.capture import Captured, Places, capture
from cuescope.hooks.values import value_norms
from cuescope.models.translator import Progress, Translator, by_length
from cuescope.scores import Scores
from cuescope.signature import Signature
from cuescope.subjects import Positions, Ready, Subject, subjects

if TYPE_CHECKING:
    import pandas as pd

Where = Literal["noun", "cue"] | Callable[[Subject], Positions]
SITES = ("encoder", "cross")
MEASURES = ("attention", "norm")
_NO_STEPS = "noun not found in the translation"


def attention(
    mt: Translator,
    ready: Ready[Subject],
    sites: Sequence[str] = ("encoder",),
    *,
    query: Where = "noun",
    key: Where = "cue",
    measure: str = "attention",
    batch_size: int = 64,
    progress: Progress | None = None,
) -> dict[str, Scores]:
    """Scores per site: the mean over the cells noun row × cue column, from one forward pass.

    In `cross` the rows are the steps that *emit* the noun's sub-words, teacher-forced on the
    model's own translation. `measure="norm"` takes ‖α·v·W_O‖ in place of the weight α.
    """
    check(mt, sites, query, measure)
    found = {site: np.full((len(ready), *mt.sites[site]), np.nan) for site in sites}
    for rows in by_length([len(s.encoding) for s in ready], batch_size):
        seen = attend(mt, [ready[row] for row in rows], sites, query, key, measure)
        for site in sites:
            found[site][rows] = seen.mean(site).double().cpu().numpy()
        if progress:
            progress(len(rows))
    facts = {"data": ready.data, "query": _name(query), "key": _name(key)}
    return {
        site: _scores(values, site, measure, ready, mt.signature | {**facts, "site": site})
        for site, values in found.items()
    }


@torch.no_grad()
def attend(
    mt: Translator,
    batch: Sequence[Subject],
    sites: Sequence[str],
    query: Where = "noun",
    key: Where = "cue",
    measure: str = "attention",
) -> Captured:
    """One batch's cells, by one forward pass: the decoder runs only if a site needs it."""
    keys = [_places(s, key, "encoder") for s in batch]
    places = {site: Places([_places(s, query, site) for s in batch], keys) for site in sites}
    source = mt.pad([s.encoding for s in batch])
    with capture(mt, places, weigh=value_norms(mt) if measure == "norm" else None) as seen:
        states = mt.engine.encode(source.ids, source.mask)
        if "cross" in sites:
            target = mt.pad([s.target for s in batch], target=True)
            mt.engine.decode(states, source.mask, mt.decoder_inputs(target.ids))
    return seen


def twin_subjects(
    mt: Translator, pairs: Sequence[Pair], *, progress: Progress | None = None
) -> Ready[Subject]:
    """Both twins of every pair as single sentences; pairs that are not minimal are counted."""
    items = [item for pair in numbered(pairs) for item in pair]
    ready = subjects(mt, items, progress=progress)
    left = 2 * len(getattr(pairs, "left_out", ()))
    skipped = Counter(ready.skipped) + Counter({"pair not minimal": left})
    return Ready(ready, skipped, ready.data)


def _places(subject: Subject, where: Where, site: str) -> Positions:
    """Source positions; for the rows of `cross`, the steps at which the noun is emitted.

    Row t of the decoder is fed token t−1 and emits token t, so a token's own place is its row.
    """
    if callable(where):
        return where(subject)
    if site == "cross":
        return subject.steps
    return subject.noun if where == "noun" else subject.cue


def _scores(
    values: np.ndarray[tuple[int, int, int], np.dtype[np.float64]],
    site: str,
    measure: str,
    ready: Ready[Subject],
    signature: Signature,
) -> Scores:
    known = np.isfinite(values[:, 0, 0])  # a sentence has all of its heads, or none
    skipped = dict(ready.skipped)
    if not known.all():
        skipped[_NO_STEPS] = skipped.get(_NO_STEPS, 0) + int((~known).sum())
    rows = table([subject for subject, ok in zip(ready, known, strict=True) if ok])
    return Scores(values[known], site, measure, rows, skipped, signature)


def table(batch: Sequence[Subject]) -> pd.DataFrame:
    """A row per sentence; `accurate_pair` is true where both twins have the right gender."""
    import pandas as pd

    rows = pd.DataFrame([subject.row() for subject in batch])
    if rows.empty:
        raise CueScopeError(
            "no sentence can be used",
            expected="sentences with a noun, a cue after it and a translation of the noun",
            do="see the reasons in `skipped`",
        )
    twins = rows.groupby("pair")["accurate"]
    rows["accurate_pair"] = (twins.transform("sum") == 2).where(rows["pair"].notna(), False)
    return rows


def check(
    mt: Translator, sites: Sequence[str], query: Where = "noun", measure: str = "attention"
) -> None:
    """Raise for what `attention` could not measure, before anything is translated."""
    for site in sites:
        if site not in SITES or site not in mt.sites:
            raise CueScopeError(
                "no such site for attention to the cue",
                expected=" or ".join(SITES),
                found=repr(site),
                do="the cue is a word of the source: only these sites look at it",
            )
    if query == "cue" and "cross" in sites:
        raise CueScopeError(
            "the cue has no place in the translation",
            expected='query="noun", or a function that gives the decoding steps of a subject',
            found='query="cue" at the site cross',
        )
    if measure not in MEASURES:
        raise CueScopeError("no such measure", expected=" or ".join(MEASURES), found=repr(measure))


def _name(where: Where) -> str:
    return getattr(where, "__name__", "given") if callable(where) else where
