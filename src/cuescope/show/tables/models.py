"""Tables 2 and 10 to 14 of paper B: a row a model, rankings, correlations of rankings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from cuescope.measures.anova import ALPHA
from cuescope.show.tables.shape import Table
from cuescope.stats.rank import Correlation

SUBSETS = ("All", "Pro", "Anti", "Unamb.", "Amb.")


def model_table(
    rows: Mapping[tuple[str, str], Mapping[str, float]],
    title: str,
    columns: Sequence[str] | None = None,
    digits: int = 2,
) -> Table:
    """Any measures of models by (language, model): tables 2, 10, 11 and 12.

    >>> model_table({("es", "m"): {"All": 55.2, "Pro": 67.95}}, "Accuracy").frame.shape
    (1, 2)
    """
    made = pd.DataFrame.from_dict(dict(rows), orient="index")
    made.index = pd.MultiIndex.from_tuples(list(rows), names=["Lang.", "Model"])
    if columns is not None:
        made = made.reindex(columns=list(columns))
    return Table(title, made, digits=digits)


def by_subset(
    values: Sequence[float], subsets: Iterable[str], ambiguous: Iterable[bool]
) -> dict[str, float]:
    """Means over all items, pro, anti, unambiguous and ambiguous ones: a row of tables 10, 11.

    >>> by_subset([1, 0, 1], ["pro", "anti", "reg"], [False, False, True])["Unamb."]
    0.5
    """
    data = pd.DataFrame({"v": list(values), "set": list(subsets), "amb": list(ambiguous)})
    chosen = {
        "All": data["v"],
        "Pro": data.loc[data["set"] == "pro", "v"],
        "Anti": data.loc[data["set"] == "anti", "v"],
        "Unamb.": data.loc[~data["amb"], "v"],
        "Amb.": data.loc[data["amb"], "v"],
    }
    return {name: float(part.mean()) for name, part in chosen.items()}


def ranking_table(scores: Mapping[str, Mapping[str, float]], lower: Iterable[str] = ()) -> Table:
    """Models in order, best first, a column a measure (table 13); `lower` is better for some.

    >>> ranking_table({"ΔI": {"a": 0.1, "b": -0.1}}, lower=["ΔI"]).frame["ΔI"].tolist()
    ['b', 'a']
    """
    down = set(lower)
    orders = {
        name: pd.Series(sorted(values, key=lambda m: values[m] * (1 if name in down else -1)))
        for name, values in scores.items()
    }
    made = pd.DataFrame(orders)
    made.index = pd.RangeIndex(1, len(made) + 1, name="Rank")
    return Table("Model rankings", made)


def correlation_table(found: Mapping[str, Iterable[Correlation]]) -> Table:
    """Statistic, interval and p for each metric (table 14), significant ones bold."""
    rows = [
        (each.method.capitalize(), metric, each.value, each.low, each.high, each.p)
        for metric, several in found.items()
        for each in several
    ]
    columns = ["Correlation", "Metric", "Statistic", "low", "high", "p-value"]
    made = pd.DataFrame(rows, columns=columns).set_index(["Correlation", "Metric"])
    made = made.sort_index(level=0, sort_remaining=False, ascending=False, kind="stable")
    bold = pd.DataFrame(False, index=made.index, columns=made.columns)
    bold["Statistic"] = made["p-value"] < ALPHA
    return Table("Rank correlations with gender accuracy", made, bold)
