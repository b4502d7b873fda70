"""Paper C's measure: does the English possessive keep the subject's gender?"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from cuescope.data import relationships, translations
from cuescope.errors import CueScopeError
from cuescope.files import at, read_lines
from cuescope.files.documents import csv_of
from cuescope.gender import languages
from cuescope.signature import Signature, hash_file, hash_text
from cuescope.stats import Logistic, McNemar, logistic, mcnemar, share, z_normalise
from cuescope.stats.intervals import Clusters
from cuescope.stats.value import Value

COLUMNS = (
    "sent",
    "lang",
    "subject_word",
    "relationship_word",
    "subject_gender",
    "relationship_topic",
    "relationship_gender",
    "relationship_type",
    "subject_word_en",
    "relationship_word_en",
    "relationship_word_category",
    "target_sent",
)
_NEEDED = (
    "lang",
    "subject_gender",
    "relationship_topic",
    "relationship_gender",
    "subject_word_en",
    "relationship_word_category",
    "target_sent",
)
KINDS = ("same_gender", "diff_gender")
FIGURES = ("income", "women_pct", "age")
CATEGORIES = ("subject_gender", "lang", "model", "relationship_word_category")
_POSSESSIVE = re.compile(r"\b(?:his|her|their)\b", re.IGNORECASE)
_OF = {"his": "male", "her": "female", "their": "neutral"}


def possessive_gender(translation: str) -> str:
    """The gender of the first possessive; `unknown` where there is none.

    >>> possessive_gender("The lawyer kissed her wife."), possessive_gender("They wed.")
    ('female', 'unknown')
    """
    found = _POSSESSIVE.search(translation)
    return _OF[found.group().lower()] if found else "unknown"


def read(path: str | Path, model: str | None = None) -> pd.DataFrame:
    """One system's output; `model` names the system.

    A CSV with paper C's columns, or `source ||| translation` lines of the generated sentences.
    """
    lines = read_lines(path)
    if lines and "|||" in lines[0]:
        header, rows = _generated(path, lines)
    else:
        rows = csv_of(lines, str(path))
        header = rows[0] if rows else []
    missing = [name for name in _NEEDED if name not in header]
    if missing:
        raise CueScopeError(
            f"{at(path, 0)}: missing column {', '.join(missing)}",
            expected=", ".join(COLUMNS),
            found=", ".join(header)[:200] or "an empty file",
        )
    if not rows[1:]:
        raise CueScopeError(
            f"{path} holds no sentences",
            expected="a row for each translation",
            found="the names of columns alone",
        )
    for number, row in enumerate(rows):
        if len(row) != len(header):
            raise CueScopeError(
                f"{at(path, number)}: wrong number of columns",
                expected=str(len(header)),
                found=str(len(row)),
            )
    frame = pd.DataFrame(rows[1:], columns=pd.Index(header))
    for number, gender in enumerate(frame["subject_gender"]):
        if gender not in ("male", "female"):
            raise CueScopeError(
                f"{at(path, number + 1)}: unknown subject_gender",
                expected="male, female",
                found=repr(gender),
            )
    return judged(frame, model or Path(path).stem)


def judged(frame: pd.DataFrame, model: str) -> pd.DataFrame:
    """A system's rows with the kind of couple, the possessive's gender, and whether it is right."""
    same = frame["subject_gender"] == frame["relationship_gender"]
    frame["relationship_type"] = same.map({True: "same_gender", False: "diff_gender"})
    frame["model"] = model
    frame["gender"] = frame["target_sent"].map(possessive_gender)
    frame["correct"] = frame["gender"] == frame["subject_gender"]
    return frame


def _generated(path: str | Path, lines: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """The rows that a CSV would hold, from translations of the generated sentences."""
    known = {row["sent"]: row for lang in relationships.KNOWN for row in relationships.rows(lang)}
    rows = [list(COLUMNS)]
    for number, (source, text) in enumerate(zip(*translations.split(path, lines), strict=True)):
        if source not in known:
            raise CueScopeError(
                f"{at(path, number)}: not a sentence of this set",
                expected="a sentence that `cuescope data show relationships` prints",
                found=repr(source),
            )
        rows.append([*known[source].values(), text])
    return list(COLUMNS), rows


def occupations(path: str | Path) -> pd.DataFrame:
    """Income, share of women and age by occupation; an empty field is a missing figure."""
    lines = read_lines(path)
    header = lines[0].split("\t") if lines else []
    wanted = ("occupation", *FIGURES)
    if any(name not in header for name in wanted):
        raise CueScopeError(
            f"{at(path, 0)}: missing column",
            expected=", ".join(wanted),
            found=", ".join(header)[:200] or "an empty file",
        )
    rows: dict[str, list[float]] = {}
    for number, line in enumerate(lines[1:], start=1):
        cells = line.split("\t")
        if len(cells) != len(header):
            raise CueScopeError(
                f"{at(path, number)}: wrong number of columns",
                expected=str(len(header)),
                found=str(len(cells)),
            )
        row = dict(zip(header, cells, strict=True))
        try:
            figures = [float(row[name]) if row[name].strip() else float("nan") for name in FIGURES]
        except ValueError as error:
            raise CueScopeError(f"{at(path, number)}: not a number", found=str(error)) from None
        rows[row["occupation"].strip()] = figures
    return pd.DataFrame.from_dict(rows, orient="index", columns=list(FIGURES))


@dataclass(frozen=True)
class Relationships:
    """Any number of systems' outputs, judged."""

    frame: pd.DataFrame = field(repr=False)
    figures: pd.DataFrame | None = field(default=None, repr=False)
    signature: Signature = field(default_factory=Signature)

    @classmethod
    def of(
        cls, systems: Mapping[str, str | Path], figures: str | Path | None = None
    ) -> Relationships:
        """Read the files of the systems, and the occupation figures for the regression."""
        frame = pd.concat([read(path, name) for name, path in systems.items()], ignore_index=True)
        return cls.of_frame(frame, list(systems), figures)

    @classmethod
    def of_frame(
        cls, frame: pd.DataFrame, systems: Sequence[str], figures: str | Path | None = None
    ) -> Relationships:
        """The same of rows that are judged already, of these systems."""
        table = None if figures is None else occupations(figures)
        known = Signature(
            data="relationships",
            systems="+".join(systems),
            translations=hash_text(frame["target_sent"]),
            figures="-" if figures is None else hash_file(Path(figures))[:12],
        )
        return cls(frame, table, known)

    def accuracy(self, model: str, kind: str) -> Value:
        """Accuracy of one system on same_gender or diff_gender sentences.

        They share occupations, and a template (a topic in a language).
        """
        chosen = self.frame[self.frame["model"] == model]
        return self._accuracy(f"accuracy {model} {kind}", chosen, kind)

    def _accuracy(self, label: str, rows: pd.DataFrame, kind: str) -> Value:
        chosen = rows[rows["relationship_type"] == kind]
        shared = Clusters(
            occupation=chosen["subject_word_en"].tolist(),
            template=(chosen["lang"] + " " + chosen["relationship_topic"]).tolist(),
        )
        right = chosen["correct"].tolist()
        return share(label, right, None, shared, signature=self.signature)

    def by(self, column: str | None = None) -> dict[str, dict[str, Value]]:
        """Accuracy by kind of couple, for each level of a column: the panels of figure 2.

        None: all systems and languages together (2a).
        """
        frame = self.frame
        levels = ["all"] if column is None else sorted(frame[column].unique())
        return {
            str(level): {
                kind: self._accuracy(
                    f"accuracy {level} {kind}",
                    frame if column is None else frame[frame[column] == level],
                    kind,
                )
                for kind in KINDS
            }
            for level in levels
        }

    def mcnemar(self, model: str) -> McNemar | None:
        """Same- against different-gender: the same subject, template and kind of partner.

        None where no sentence has its twin.
        """
        keys = ["lang", "subject_word_en", "subject_gender", "relationship_topic"]
        chosen = self.frame[self.frame["model"] == model]
        wide = (
            chosen.pivot_table(
                index=[*keys, "relationship_word_category"],
                columns="relationship_type",
                values="correct",
                aggfunc="first",
            )
            .reindex(columns=list(KINDS))
            .dropna()
        )
        if wide.empty:
            return None
        return mcnemar(*([bool(x) for x in wide[kind]] for kind in KINDS))

    @cached_property
    def _fit(self) -> Logistic | CueScopeError:
        frame = self.frame[self.frame["relationship_type"] == "same_gender"]
        # Spelt out as in Table 2, where French is the default because it comes first.
        named = {lang: languages.get(lang).english_name for lang in relationships.KNOWN}
        frame = frame.assign(lang=frame["lang"].replace(named))
        numbers: Sequence[str] = ()
        if self.figures is not None:
            # Normalised over the occupations, not the sentences; an unlisted occupation is average.
            scaled = self.figures.apply(lambda column: z_normalise(column.to_numpy(dtype=float)))
            frame = frame.join(scaled, on="subject_word_en").fillna(dict.fromkeys(FIGURES, 0.0))
            numbers = FIGURES
        try:
            return logistic(frame, "correct", CATEGORIES, numbers)
        except CueScopeError as error:
            return error

    @property
    def regression(self) -> Logistic | None:
        """Equation 1 on the same-gender sentences; without figures, the categories alone."""
        return self._fit if isinstance(self._fit, Logistic) else None

    @property
    def no_regression(self) -> str:
        """Why there is no regression, if there is none."""
        return "" if isinstance(self._fit, Logistic) else str(self._fit)

    def without_figures(self) -> dict[str, list[str]]:
        """Occupations for which a figure is missing; those count as average."""
        if self.figures is None:
            return {}
        names = sorted(self.frame["subject_word_en"].unique())
        table = self.figures.reindex(names)
        return {name: [str(o) for o in table.index[table[name].isna()]] for name in FIGURES}

    def to_json(self) -> dict[str, Any]:
        """The schema of the command line."""
        models = list(dict.fromkeys(self.frame["model"]))
        found: dict[str, Any] = {"accuracy": {}, "intervals": {}, "over": {}, "mcnemar": {}}
        for model in models:
            kinds = {kind: self.accuracy(model, kind) for kind in KINDS}
            found["accuracy"][model] = {kind: value.number() for kind, value in kinds.items()}
            found["intervals"][model] = {kind: value.interval() for kind, value in kinds.items()}
            found["over"][model] = {kind: value.over for kind, value in kinds.items()}
            test = self.mcnemar(model)
            found["mcnemar"][model] = vars(test) if test else None
        fit = self.regression
        found["assumed"] = "mcnemar and regression: as in the paper, sentences are independent"
        found["regression"] = fit.to_json() if fit else {"problem": self.no_regression}
        found["missing_figures"] = self.without_figures()
        found["signature"] = str(self.signature)
        return found

    def table(self) -> pd.DataFrame:
        """One row a sentence."""
        return self.frame
