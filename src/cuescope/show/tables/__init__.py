"""Tables in the shape of paper B's: pandas frames, and rich for the terminal."""

from __future__ import annotations

from cuescope.show.tables.anova import anova_table, anova_tables
from cuescope.show.tables.entropy import entropy_table, sentence_table
from cuescope.show.tables.models import correlation_table, model_table, ranking_table
from cuescope.show.tables.shape import Table

__all__ = [
    "Table",
    "anova_table",
    "anova_tables",
    "correlation_table",
    "entropy_table",
    "model_table",
    "ranking_table",
    "sentence_table",
]
