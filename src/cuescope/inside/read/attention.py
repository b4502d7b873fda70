"""How much the noun attends to its cue, per sentence, layer and head (paper A)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import torch
from torch import Tensor

from cuescope.data.items import Pair, numbered
from cuescope.errors import CueScopeError, Unfit
from cuescope.files.chunks import each
from cuescope.inside.options import Weight, check_option
from cuescope.inside.read.capture import Captured, Places, capture
from cuescope.inside.read.values import value_norms
from cuescope.inside.ready import Making, Positions, Ready, Subject, subjects
from cuescope.models.translator import Progress, Translator, by_length
from cuescope.signature import Signature
from cuescope.stats.scores import Scores

if TYPE_CHECKING:
    import pandas as pd

Where = Literal["noun", "cue", "choice"] | Callable[[Subject], Positions]
LOOKING = ("encoder", "cross")  # the sites that see the source, where the cue stands
_NONE = {"choice": "no contrast between the twins", "noun": "noun not found in the translation"}


def attention(
    mt: Translator,
    ready: Ready[Subject],
    sites: Sequence[str] = ("encoder",),
    *,
    query: Where = "noun",
    key: Where = "cue",
    measure: Weight = "attention",
    batch_size: int = 64,
    progress: Progress | None = None,
) -> dict[str, Scores]:
    """Scores per site: the mean over the cells noun row × cue column, from one forward pass.

    In `cross` the rows are the steps that *emit* the noun's sub-words, teacher-forced on the
    model's own translation (paper A). query="choice" takes the step at which the twins' contrast
    falls, as an article, after the contrast's own prefix: where patching measures its effect.
    `measure="norm"` takes ‖α·v·W_O‖ in place of the weight α.
    """
    check(mt, sites, query, measure, key)
    found = {site: np.full((len(ready), *mt.sites[site]), np.nan) for site in sites}
    batches = list(by_length([len(s.encoding) for s in ready], batch_size))
    work = [
        (
            f"attention {rows[0]} and {len(rows) - 1} more",
            partial(_means, mt, [ready[row] for row in rows], sites, query, key, measure),
        )
        for rows in batches
    ]
    for rows, means in zip(batches, each(work), strict=True):
        for site, values in zip(sites, means, strict=True):
            found[site][rows] = values
        if progress:
            progress(len(rows))
    whose = mt.signature | {**ready.facts(mt), "query": _name(query), "key": _name(key)}
    return {
        site: _scores(values, site, measure, ready, whose | {"site": site}, query)
        for site, values in found.items()
    }


@torch.no_grad()
def attend(
    mt: Translator,
    batch: Sequence[Subject],
    sites: Sequence[str],
    query: Where = "noun",
    key: Where = "cue",
    measure: Weight = "attention",
) -> Captured:
    """One batch's cells, by one forward pass: the decoder runs only if a site needs it."""
    keys = [_places(s, key, "encoder") for s in batch]
    places = {site: Places([_places(s, query, site) for s in batch], keys) for site in sites}
    source = mt.pad([s.encoding for s in batch])
    with capture(mt, places, weigh=value_norms(mt) if measure == "norm" else None) as seen:
        states = mt.engine.encode(source.ids, source.mask)
        if "cross" in sites:
            mt.engine.decode(states, source.mask, _fed(mt, batch, query))
    return seen


def _fed(mt: Translator, batch: Sequence[Subject], query: Where) -> Tensor:
    """What the decoder is fed: each sentence's translation, or the prefix of its choice."""
    if query != "choice":
        return mt.decoder_inputs(mt.pad([s.target for s in batch], target=True).ids)
    prefixes = [(mt.engine.start_id, *(s.choice.prefix if s.choice else ())) for s in batch]
    inputs = torch.full((len(batch), max(map(len, prefixes))), mt.engine.target_pad_id)
    for row, prefix in enumerate(prefixes):
        inputs[row, : len(prefix)] = torch.tensor(prefix)
    return inputs.to(mt.device)


def twin_subjects(
    mt: Translator,
    pairs: Sequence[Pair],
    *,
    lang: str | None = None,
    any_language: bool = False,
    aligner: str = "builtin",
    progress: Progress | None = None,
) -> Ready[Subject]:
    """Both twins of every pair as single sentences; pairs that are not minimal are counted.

    In `any_language`: without gender rules the source side is found, enough for the encoder.
    """
    items = [item for pair in numbered(pairs) for item in pair]
    made = Making(aligner=aligner, progress=progress)
    ready = subjects(mt, items, lang=lang, made=made, any_language=any_language)
    left = 2 * len(getattr(pairs, "left_out", ()))
    skipped = Counter(ready.skipped) + Counter({"pair not minimal": left})
    return Ready(ready, skipped, ready.data, ready.lang)


def _means(
    mt: Translator,
    some: Sequence[Subject],
    sites: Sequence[str],
    query: Where,
    key: Where,
    measure: Weight,
) -> list[Any]:
    seen = attend(mt, some, sites, query, key, measure)
    return [seen.mean(site).double().cpu().numpy() for site in sites]


def _places(subject: Subject, where: Where, site: str) -> Positions:
    """Source positions; for the rows of `cross`, the steps at which the noun is emitted.

    Row t of the decoder is fed token t−1 and emits token t, so a token's own place is its row.
    """
    if callable(where):
        return where(subject)
    if where == "choice":
        return (subject.choice.step,) if subject.choice else ()
    if site == "cross":
        return subject.steps
    return subject.noun if where == "noun" else subject.cue


def _scores(
    values: np.ndarray[tuple[int, int, int], np.dtype[np.float64]],
    site: str,
    measure: str,
    ready: Ready[Subject],
    signature: Signature,
    query: Where,
) -> Scores:
    known = np.isfinite(values[:, 0, 0])  # a sentence has all of its heads, or none
    skipped = dict(ready.skipped)
    if not known.all():
        reason = _NONE["choice" if query == "choice" else "noun"]
        skipped[reason] = skipped.get(reason, 0) + int((~known).sum())
    rows = table([subject for subject, ok in zip(ready, known, strict=True) if ok])
    return Scores(values[known], site, measure, rows, skipped, signature)


def table(batch: Sequence[Subject]) -> pd.DataFrame:
    """A row per sentence; `accurate_pair` is true where both twins have the right gender."""
    import pandas as pd

    rows = pd.DataFrame([subject.row() for subject in batch])
    if rows.empty:
        raise Unfit(
            "no sentence can be used",
            expected="sentences with a noun, a cue and a translation of the noun",
            do="see the reasons in `skipped`",
        )
    twins = rows.groupby("pair")["accurate"]
    rows["accurate_pair"] = (twins.transform("sum") == 2).where(rows["pair"].notna(), False)
    return rows


def check(
    mt: Translator,
    sites: Sequence[str],
    query: Where = "noun",
    measure: Weight = "attention",
    key: Where = "cue",
) -> None:
    """Raise for what `attention` could not measure, before anything is translated."""
    for site in sites:
        if site not in LOOKING or site not in mt.sites:
            raise CueScopeError(
                "no such site for attention to the cue",
                expected=" or ".join(LOOKING),
                found=repr(site),
                do="the cue is a word of the source: only these sites look at it",
            )
    for name, where, known in (
        ("query", query, ("noun", "cue", "choice")),
        ("key", key, ("noun", "cue")),
    ):
        if not callable(where) and where not in known:
            raise CueScopeError(
                f"no such {name}",
                expected=f"{', '.join(known)}, or a function of a subject",
                found=repr(where),
            )
    if query == "choice" and any(site != "cross" for site in sites):
        raise CueScopeError(
            "the choice is a step of the decoder",
            expected='sites=["cross"] with query="choice"',
            found=", ".join(sites),
        )
    if query == "cue" and "cross" in sites:
        raise CueScopeError(
            "the cue has no place in the translation",
            expected='query="noun", or a function that gives the decoding steps of a subject',
            found='query="cue" at the site cross',
        )
    check_option("measure", measure, Weight)


def _name(where: Where) -> str:
    return getattr(where, "__name__", "given") if callable(where) else where
