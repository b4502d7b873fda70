"""Tables 3, 8 and 9 of paper B: the effect of every level of every cue, a row a model."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from cuescope.data.cues.levels import CUES
from cuescope.measures.anova import ALPHA, Anova
from cuescope.show.tables.shape import Table

HEADINGS = {
    "names": "Names",
    "recency": "Recency",
    "implicit_causality": "Implicit Causality",
    "stereotype": "Stereotype",
    "subject": "Subject",
    "pronoun": "Pronoun",
    "default_masculine": "Default M",
    "ambiguity": "Ambiguity",
}
System = tuple[str, str]  # language, model


def anova_table(found: Mapping[System, Anova], title: str = "") -> Table:
    """Coefficients against the reference group, significant ones bold (table 3).

    Cells that could not be estimated are N/A; the notes say why.
    """
    columns = [(cue, level) for cue, levels in CUES.items() for level in levels[:-1]]
    index = pd.MultiIndex.from_tuples(list(found), names=["Lang.", "Model"])
    heads = [(HEADINGS[cue], level if len(CUES[cue]) > 2 else "") for cue, level in columns]
    names = pd.MultiIndex.from_tuples(heads)
    values = np.full((len(found), len(columns)), np.nan)
    bold = np.zeros(values.shape, dtype=bool)
    notes = [
        f"coefficients against the reference group; bold (*): p < {ALPHA}; reference N, but "
        "'no name', 'no default', 'unambiguous'"
    ]
    reasons: dict[str, list[str]] = {}
    for row, (system, one) in enumerate(found.items()):
        for column, (cue, level) in enumerate(columns):
            effects = {e.level: e for e in one.cues[cue].effects} if cue in one.cues else {}
            if level in effects:
                values[row, column] = effects[level].coef
                bold[row, column] = effects[level].significant
        for cue, why in one.not_estimated.items():
            reasons.setdefault(f"{HEADINGS.get(cue, cue)}: {why}", []).append(" ".join(system))
    notes += [f"N/A ({', '.join(where)}): {why}" for why, where in reasons.items()]
    responses = " / ".join(dict.fromkeys(one.response for one in found.values()))
    return Table(
        title or f"Single effects of the bias cues on {responses}",
        pd.DataFrame(values, index=index, columns=names),
        pd.DataFrame(bold, index=index, columns=names),
        notes=tuple(dict.fromkeys(notes)),
    )


def anova_tables(found: Mapping[str, Mapping[System, Anova]]) -> dict[str, Table]:
    """One block a measure (S3E, SE, GE): tables 8 and 9."""
    return {name: anova_table(block, f"Bias cues: {name}") for name, block in found.items()}
