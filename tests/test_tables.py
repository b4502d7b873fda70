"""Tables in paper B's shapes: headings, N/A, bold, notes, and what rich prints."""

from __future__ import annotations

import io

import pandas as pd
import pytest
from rich.console import Console

from cuescope.measures.anova import anova
from cuescope.show.tables import (
    anova_table,
    anova_tables,
    correlation_table,
    entropy_table,
    model_table,
    ranking_table,
    sentence_table,
)
from cuescope.show.tables.models import SUBSETS, by_subset
from cuescope.stats.rank import rank_correlation
from test_anova import frame


def rendered(table) -> str:
    console = Console(file=io.StringIO(), width=240, force_terminal=True)
    console.print(table.to_rich())
    return console.file.getvalue()


def test_the_shape_of_table_3():
    spanish = anova(frame().drop(columns="default_masculine"), "norm_h")
    russian = anova(frame(seed=4), "norm_h")
    table = anova_table({("es", "firefox"): spanish, ("ru", "firefox"): russian})
    heads = list(dict.fromkeys(top for top, _ in table.frame.columns))
    assert heads == ["Names", "Recency", "Implicit Causality", "Stereotype", "Subject", "Pronoun",
                     "Default M", "Ambiguity"]  # fmt: skip
    assert table.frame.shape == (2, 20)
    cells = table.cells()
    assert cells["Default M"].iloc[0].tolist() == ["N/A", "N/A"]
    assert cells["Recency"]["F"].iloc[0].endswith("*")
    assert table.bold["Recency"]["F"].all()
    text = rendered(table)
    assert "\x1b[1m" in text
    assert "Implicit" in text
    blocks = anova_tables({"S3E": {("ru", "m"): russian}, "GE": {("ru", "m"): russian}})
    assert list(blocks) == ["S3E", "GE"]


def test_a_cue_that_was_not_estimated_is_noted():
    table = anova_table({("es", "m"): anova(frame().assign(names="no name"), "norm_h")})
    assert any("Names" in note and "0 others" in note for note in table.notes)


def test_the_shape_of_tables_4_and_15():
    data = pd.DataFrame(
        {
            "lang": ["es"] * 4 + ["fr"] * 4,
            "model": "m",
            "ambiguity": ["unambiguous", "unambiguous", "ambiguous", "ambiguous"] * 2,
            "s3e": [1.0, 2.0, 1.0, 1.0, 0, 0, 0, 0],
            "ge": [0.2, 0.4, 0.1, 0.1, 0.1, 0.1, 0.3, 0.3],
        }
    )
    table = entropy_table(data, {"s3e": "S3E", "ge": "GE"})
    assert table.frame.columns.tolist() == [
        (m, c) for m in ("S3E", "GE") for c in ("Unamb.", "Amb.", "ΔH")
    ]
    assert table.frame.loc[("es", "m")].tolist() == pytest.approx([1.5, 1, 0.4, 0.3, 0.1, 1])
    assert table.frame.loc[("fr", "m"), ("S3E", "ΔH")] == 0  # two certainties do not differ
    gone = entropy_table(data[data["ambiguity"] == "ambiguous"], {"ge": "GE"})
    assert gone.cells().iloc[0].tolist() == ["N/A", "0.10", "N/A"]


@pytest.mark.parametrize(
    ("unambiguous", "ambiguous", "printed"),
    [(1.23, 1.12, 0.09), (0.21, 0.13, 0.38), (1.79, 1.45, 0.19), (0.12, 0.03, 0.75)],
)
def test_paper_b_prints_the_difference_over_the_unambiguous(unambiguous, ambiguous, printed):
    data = pd.DataFrame({"lang": "es", "model": "m", "h": [unambiguous, ambiguous],
                         "ambiguity": ["unambiguous", "ambiguous"]})  # fmt: skip
    found = entropy_table(data, {"h": "H"}, by="first").frame.iloc[0, 2]
    assert found == pytest.approx(printed, abs=0.0051)


def test_the_shape_of_table_5():
    data = pd.DataFrame({"text": ["he", "she"] * 2, "lang": "es", "model": ["o", "o", "d", "d"],
                         "s3e": [0.75, 1.64, 0.82, 1.85]})  # fmt: skip
    table = sentence_table(data, "s3e")
    assert table.frame.columns.tolist() == [("es", "o"), ("es", "d")]
    assert table.frame.loc["she"].tolist() == [1.64, 1.85]


def test_tables_10_to_14():
    row = by_subset([1, 0, 1, 1], ["pro", "anti", "reg", "reg"], [False, False, True, False])
    table = model_table({("es", "m"): row}, "Gender accuracy", SUBSETS)
    assert table.frame.columns.tolist() == list(SUBSETS)
    assert row["Unamb."] == pytest.approx(2 / 3)
    accuracy = {"a": 3.0, "b": 2.0, "c": 1.0}
    delta = {"a": -0.3, "b": -0.2, "c": 0.1}
    ranks = ranking_table({"Gender Acc": accuracy, "ΔI": delta}, lower=["ΔI"])
    assert ranks.frame["Gender Acc"].tolist() == ranks.frame["ΔI"].tolist() == ["a", "b", "c"]
    several = [rank_correlation(accuracy, delta, m, draws=20) for m in ("kendall", "spearman")]
    shown = correlation_table({"ΔI (S3E)": several})
    assert shown.frame["Statistic"].tolist() == [-1.0, -1.0]
    assert "ΔI (S3E)" in rendered(shown)
    assert "Spearman" in shown.to_text()
