"""Tables 4, 5 and 15 of paper B: entropies of ambiguous and unambiguous inputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import pandas as pd

from cuescope.show.tables.shape import Table


def entropy_table(
    frame: pd.DataFrame, measures: Mapping[str, str], by: Literal["mean", "first"] = "mean"
) -> Table:
    """Mean entropy of unambiguous and ambiguous items and ΔH, a row a model (tables 4 and 15).

    `frame` has columns lang, model, ambiguity and one per measure; `measures` gives each such
    column its heading. ΔH is of the two means and 0 where both are 0; by="first" divides by the
    unambiguous one alone, which is what the paper's tables print.

    >>> import pandas as pd
    >>> data = pd.DataFrame({"lang": "es", "model": "m", "ge": [0.3, 0.1],
    ...                      "ambiguity": ["unambiguous", "ambiguous"]})
    >>> entropy_table(data, {"ge": "GE"}).frame.iloc[0].tolist()
    [0.3, 0.1, 1.0]
    """
    parts = []
    for column, heading in measures.items():
        means = frame.pivot_table(column, ["lang", "model"], "ambiguity", "mean", sort=False)
        means = means.reindex(columns=["unambiguous", "ambiguous"])
        means.columns = pd.Index(["Unamb.", "Amb."])
        difference = means["Unamb."] - means["Amb."]
        size = means["Unamb."] if by == "first" else (means["Unamb."] + means["Amb."]) / 2
        means["ΔH"] = (difference / size).where(difference != 0, difference).round(12)
        parts.append(pd.concat({heading: means}, axis=1))
    made = pd.concat(parts, axis=1)
    made.index.names = ["Lang.", "Model"]
    return Table("Entropy of unambiguous and ambiguous inputs", made)


def sentence_table(frame: pd.DataFrame, measure: str) -> Table:
    """Single sentences down, models across (table 5).

    `frame` has columns text, lang, model and the measure.
    """
    made = frame.pivot_table(measure, "text", ["lang", "model"], "mean", sort=False)
    made.columns.names = [None, None]
    made.index.name = "Sentence"
    return Table(f"Single sentences: {measure}", made)
