"""The page, tables and figure of the relationship audit (paper C)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd

from cuescope.audit.possessive import WHOSE, Possessive, Whose
from cuescope.audit.relationships import Couples
from cuescope.gender import languages
from cuescope.measures.carriers import Carrier
from cuescope.measures.relationships import KINDS
from cuescope.show.audit.page import page, picture
from cuescope.show.audit.speed_tables import LIMIT
from cuescope.show.audit.words import of_share
from cuescope.show.compare.page import html_table
from cuescope.show.report.page import prose
from cuescope.show.tables.shape import Table
from cuescope.stats.html import escape
from cuescope.stats.shown import shown
from cuescope.stats.value import Value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

QUESTION = "Whose wife is it?"
_WHAT = (
    "Spanish, French, Italian and Portuguese say “su esposa”, “sua moglie” of a man's wife and of "
    "a woman's alike; English must say “his wife” or “her wife”, by the gender of the subject."
)
_SHORT = {"same_gender": "same gender", "diff_gender": "different gender"}
_MOST = 8  # occupations of panels 2e and 2f, heads of a table
_EXAMPLES = 20
_CATEGORIES = {"ENGAGE": "engaged", "FRIEND": "girlfriend, boyfriend", "SPOUSE": "wife, husband"}
_COLUMNS = {
    "subject_gender": "subject",
    "relationship_word_category": "partner",
    "relationship_topic": "template",
}
_HEADINGS = {"model": "System", "sent": "Source", "target_sent": "Translation"}
_TERMS = {  # as table 2 of the paper names them
    "subject_gender": "Subject gender",
    "lang": "Language",
    "model": "Model",
    "relationship_word_category": "Relationship target",
    "income": "Income",
    "women_pct": "Female representation",
    "age": "Age",
}
_PANELS = {  # of figure 2, but for the occupations: title → column
    "a  all": None,
    "b  by subject": "subject_gender",
    "c  by system": "model",
    "d  by language": "lang",
}


def answer(found: Couples) -> list[str]:
    """What was found, in sentences that are true of the numbers."""
    lines = []
    for model, kinds in found.relationships.by("model").items():
        same, other = (kinds[kind] for kind in KINDS)
        lines.append(
            f"{model}: the English possessive has the subject's gender in {of_share(same)} of the "
            f"sentences about two people of one gender, in {of_share(other)} of those about a "
            "woman and a man."
        )
        inside = found.inside.get(model)
        if isinstance(inside, Possessive):
            lines += _inside(inside)
        elif inside:
            lines.append(f"Inside {model} nothing can be told: {inside}.")
    lines += [f"{name}: {n:,} translations were {LIMIT}." for name, n in found.cut.items() if n]
    lines += [f"Left out: {what} ({why})." for what, why in found.left_out.items()]
    return lines


def _inside(found: Possessive) -> list[str]:
    told = {name: _logits(value) for name, value in found.pull.items()}
    verdict = _heavier(found.pull["subject"], found.pull["ratio"])
    lines = [
        f"At the choice between her and his, a woman as the subject moves the model by "
        f"{told['subject']} logits towards her, a man as the partner by {told['partner']}: "
        f"{told['ratio']} times as much; {verdict}. In all four sentences of a kind the subject "
        f"decides in {of_share(found.decided['by the subject'])} of {found.fours}, the partner in "
        f"{of_share(found.decided['by the partner'])}."
    ]
    for whose in WHOSE:
        heads = [
            one
            for (which, _), some in found.heads.items()
            for one in some
            if which == whose and one.carries
        ]
        heads.sort(key=lambda one: -one.value)
        sure = [f"{one.site} {one.name} ({100 * one.value:.0f} %)" for one in heads]
        named = ", ".join(sure[:_MOST]) or "none clearly"
        more = f", and {len(sure) - _MOST} more" if len(sure) > _MOST else ""
        lines.append(f"Heads that carry the {whose}'s gender into the possessive: {named}{more}.")
    return lines


def _heavier(subject: Value, times: Value) -> str:
    """Whose gender moves the choice more: the ratio tells, where the subject's clearly moves it."""
    if subject.low > 0 and times.low > 1:
        return "the partner's gender clearly weighs more than the subject's own"
    if subject.low > 0 and times.low > -1 and times.high < 1:
        return "the subject's gender clearly weighs more than the partner's"
    return "which of the two weighs more cannot be told"


def _logits(value: Value) -> str:
    bounds = (value.low, value.high) if value.sure else (None, None)
    return str(shown(value.value, *bounds, unit="number", digits=1))


def accuracy_table(found: Couples) -> Table:
    """Same- against different-gender by system, with McNemar's test."""
    rows = {}
    for model, kinds in found.relationships.by("model").items():
        test = found.relationships.mcnemar(model)
        p = "" if test is None else "< 0.001" if test.p < 0.001 else f"{test.p:.3f}"
        rows[model] = {_SHORT[kind]: _per_cent(kinds[kind]) for kind in KINDS} | {"McNemar p": p}
    notes = ("In per cent. p: as in the paper, as if sentences were independent.",)
    return _table("Accuracy of the possessive", rows, "system", notes)


def by_table(found: Couples, column: str, title: str) -> Table:
    """The same by any column."""
    made = found.relationships.by(column)
    rows = {
        _CATEGORIES.get(level, level): {
            _SHORT[kind]: _per_cent(value) for kind, value in two.items()
        }
        for level, two in made.items()
    }
    return _table(title, rows, _COLUMNS[column], ())


def regression_table(found: Couples) -> Table | None:
    """Table 2: which same-gender sentences are right."""
    fit = found.relationships.regression
    if fit is None:
        return None
    rows = {
        _term(name, found.relationships.frame): {
            "β": f"{t['coef']:.4f}",
            "SE": f"{t['se']:.3f}",
            "Z": f"{t['z']:.3f}",
            "p": "< 0.001" if t["p"] < 0.001 else f"{t['p']:.3f}",
        }
        for name, t in fit.terms.items()
    }
    missing = [
        f"No {name} for {', '.join(some)}: taken as average."
        for name, some in found.relationships.without_figures().items()
        if some
    ]
    notes = (
        f"N = {fit.nobs}, d.f. = {fit.df}, LLR = {fit.llr:.1f}. As in the paper, as if sentences "
        "were independent: of one occupation they are not.",
        *missing,
    )
    return _table("Logistic regression, same-gender sentences (table 2)", rows, "term", notes)


def _term(name: str, rows: pd.DataFrame) -> str:
    """A term as table 2 names it, with the level that it is compared with."""
    parts = re.fullmatch(r"(\w+)\[T\.(.+)\]", name)
    if parts is None:
        return _TERMS.get(name, name)
    column, level = parts.groups()
    default = min(_level(column, str(one)) for one in rows[column].unique())
    known = (_CATEGORIES.get(one, one) for one in (level, default))
    return "{}: {} (default {})".format(_TERMS[column], *known)


def _level(column: str, level: str) -> str:
    return languages.get(level).english_name if column == "lang" else level


def heads_table(inside: Possessive, whose: Whose) -> Table | None:
    """The heads with most of one gender's pull, and what they have of the other's; None: no head.

    A head may have no value: where no pair of twins is alike in length.
    """
    other: Whose = "partner" if whose == "subject" else "subject"
    known = {
        (which, site, one.name): one for (which, site), some in inside.heads.items() for one in some
    }
    ranked = [one for (which, _), some in inside.heads.items() if which == whose for one in some]
    ranked.sort(key=lambda one: -abs(one.value))
    rows = {}
    for one in ranked[:_MOST]:
        theirs = known.get((other, one.site, one.name))
        rows[f"{one.site} {one.name}"] = {
            f"{whose}'s gender": _effect(one),
            "": {"carries": "carries", "opposes": "opposes", "unsure": "unsure"}.get(one.word, ""),
            f"{other}'s gender": _effect(theirs) if theirs else "",
        }
    if not rows:
        return None
    notes = (
        "Share of the gap between the twins, in per cent, that the head restores alone when it "
        "speaks as in the twin.",
    )
    return _table(f"The heads with most of the {whose}'s gender", rows, "head", notes)


def heads_tables(inside: Possessive) -> list[Table]:
    """Those of both genders, as far as a head has a value."""
    return [table for whose in WHOSE if (table := heads_table(inside, whose))]


def _effect(one: Carrier) -> str:
    return str(shown(one.value, one.low, one.high))


def _per_cent(value: Value) -> str:
    if value.number() is None:
        return "N/A"
    return str(shown(value.value, *((value.low, value.high) if value.sure else (None, None))))


def _table(
    title: str, rows: Mapping[str, Mapping[str, str]], name: str, notes: tuple[str, ...]
) -> Table:
    made = pd.DataFrame.from_dict({k: dict(v) for k, v in rows.items()}, orient="index")
    made.index.name = name
    return Table(title, made, notes=notes, wrap=True)


def figure(found: Couples) -> list[Axes]:
    """Figure 2: accuracy, same against different gender, all (a) down to occupations (e, f).

    2e are the occupations with the highest same-gender accuracy, 2f those with the lowest.
    """
    from matplotlib import pyplot as plt

    from cuescope.show.figures.bars import bars

    panels = {title: found.relationships.by(column) for title, column in _PANELS.items()}
    jobs = found.relationships.by("subject_word_en")
    ranked = sorted(jobs, key=lambda job: -jobs[job]["same_gender"].value)
    panels["e  highest"] = {job: jobs[job] for job in ranked[:_MOST]}
    panels["f  lowest"] = {job: jobs[job] for job in ranked[::-1][:_MOST]}
    _, grid = plt.subplots(2, 3, figsize=(13, 7), layout="constrained")
    places: list[Any] = list(grid.ravel())
    for place, (title, values) in zip(places, panels.items(), strict=True):
        named = {
            level: {_SHORT[kind]: value for kind, value in two.items()}
            for level, two in values.items()
        }
        bars(named, place)
        place.set_ylabel("accuracy")
        place.set_ylim(0, 1)
        place.set_title(title, loc="left", fontsize="medium", pad=22)
        if len(named) > 3 or max(map(len, named)) > 12:
            place.tick_params(axis="x", labelrotation=60)
    return places


def couples_page(found: Couples) -> str:
    """One self-contained file."""
    said = "".join(f"<p>{prose(line)}</p>" for line in answer(found))
    parts = {"answer": ("Answer", f"<p>{_WHAT}</p>" + said + html_table(accuracy_table(found)))}
    told = "Accuracy for same- and different-gender couples; the tables have the numbers"
    by = (
        ("subject_gender", "By the subject's gender"),
        ("relationship_word_category", "By kind of partner"),
        ("relationship_topic", "By template"),
    )
    tables = "".join(html_table(by_table(found, *one)) for one in by)
    parts["figure"] = ("Figure 2", picture(figure(found), told) + tables)
    for number, (model, inside) in enumerate(found.inside.items()):
        if isinstance(inside, Possessive):
            skipped = "; ".join(f"{n} {why}" for why, n in inside.skipped.items()) or "none"
            note = f"<p class='note'>{inside.fours} fours; not used: {escape(skipped)}.</p>"
            made = "".join(html_table(one) for one in heads_tables(inside))
            parts[f"heads-{number}"] = (f"Heads: {model}", made + note)
    table = regression_table(found)
    why = f"<p>No regression: {escape(found.relationships.no_regression)}</p>"
    parts["regression"] = ("Regression", html_table(table) if table else why)
    parts["examples"] = ("Examples", _examples(found))
    names = ", ".join(dict.fromkeys(found.relationships.frame["model"]))
    return page(f"Relationships: {names}", QUESTION, parts, str(found.signature))


def _examples(found: Couples) -> str:
    """Wrong translations of same-gender sentences, drawn evenly from all."""
    frame = found.relationships.frame
    wrong = frame[(frame["relationship_type"] == "same_gender") & ~frame["correct"]]
    some = wrong.iloc[:: max(1, len(wrong) // _EXAMPLES)][:_EXAMPLES]
    columns = [name for name in ("model", "sent", "target_sent") if name in some]
    rows = "".join(
        "<tr>"
        + "".join(f'<td class="text"><bdi>{escape(str(v))}</bdi></td>' for v in row)
        + "</tr>"
        for row in some[columns].itertuples(index=False)
    )
    told = f"{len(wrong):,} same-gender sentences whose possessive has not the subject's gender"
    if not rows:
        return f"<p>{told}.</p>"
    head = "".join(f'<th scope="col" class="text">{_HEADINGS[name]}</th>' for name in columns)
    return (
        f'<p>{told}; some of them:</p><div class="scroll" tabindex="0" role="region" '
        f'aria-label="Examples"><table class="numbers"><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )
