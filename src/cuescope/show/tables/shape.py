"""A table as a value: numbers, what is bold in it, a title and the notes below."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import pandas as pd
    from rich.table import Table as RichTable


@dataclass(frozen=True)
class Table:
    """Numbers to print: `frame` holds them, `bold` marks cells, a missing one is N/A.

    >>> import pandas as pd
    >>> print(Table("Effects", pd.DataFrame({"F": [0.414]}, index=["es"]), digits=2).to_text())
    Effects
           F
    es  0.41
    """

    title: str
    frame: pd.DataFrame
    bold: pd.DataFrame | None = None
    digits: int = 2
    notes: tuple[str, ...] = ()
    wrap: bool = False  # may a cell take several lines where the screen is narrow?

    def cells(self) -> pd.DataFrame:
        """The cells as text; bold ones end in a star, as plain text has no other means."""
        shown = self.frame.map(self._text)
        if self.bold is not None:
            marked = self.bold.reindex_like(self.frame).fillna(False).astype(bool)
            shown = shown.where(~marked, shown + "*")
        return shown

    def to_text(self) -> str:
        """The table for a file or a log."""
        return "\n".join([self.title, self.cells().to_string(), *self.notes])

    def to_rich(self) -> RichTable:
        """The table for a terminal, bold where it is bold."""
        from rich.table import Table as RichTable
        from rich.text import Text

        fold: Literal["fold", "ellipsis"] = "fold" if self.wrap else "ellipsis"
        made = RichTable(
            title=Text(self.title),  # a name in it may hold brackets
            caption=Text("\n".join(self.notes)) if self.notes else None,
            padding=(0, 1, 0, 0) if self.wrap else 0,
            pad_edge=False,
        )
        for name in self.frame.index.names:
            made.add_column(str(name or ""), overflow=fold)
        above: Hashable = None
        for column in self.frame.columns:
            made.add_column(
                _label(column, above), justify="right", no_wrap=not self.wrap, overflow=fold
            )
            above = column
        for row in range(len(self.frame)):
            cells = [Text(part) for part in _parts(self.frame.index[row])]
            for place in range(self.frame.shape[1]):
                bold = self.bold is not None and bool(self.bold.iloc[row, place])
                text = self._text(self.frame.iloc[row, place]) + "*" * bold  # a pipe has no bold
                cells.append(Text(text, style="bold" if bold else ""))
            made.add_row(*cells)
        return made

    def _repr_html_(self) -> str:
        from cuescope.stats import html

        rows = []
        for row in range(len(self.frame)):
            shown = [
                html.Cell(
                    self._text(self.frame.iloc[row, place]),
                    bold=self.bold is not None and bool(self.bold.iloc[row, place]),
                )
                for place in range(self.frame.shape[1])
            ]
            rows.append([*_parts(self.frame.index[row]), *shown])
        names = [str(name or "") for name in self.frame.index.names]
        head = [*names, *(" ".join(filter(None, _parts(column))) for column in self.frame.columns)]
        return html.table(rows, head, title=self.title, notes=self.notes)

    def _text(self, value: Any) -> str:
        if isinstance(value, str):
            return value
        return "N/A" if value is None or value != value else f"{value:.{self.digits}f}"


def _parts(key: Hashable) -> list[str]:
    return [str(part) for part in key] if isinstance(key, tuple) else [str(key)]


def _label(column: Hashable, above: Hashable) -> str:
    """A heading; what it shares with the column before is not said again."""
    if not isinstance(column, tuple):
        return str(column)
    top, *rest = _parts(column)
    known = isinstance(above, tuple) and above[0] == column[0]
    return "\n".join(["" if known else top.replace(" ", "\n"), *rest])
