"""Tables in the papers' shape, as plain HTML that needs no script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cuescope.run.findings import Findings, GridOf, Number, OrderOf, Site
from cuescope.show.report.answer_certainty import MEASURES, VERSIONS
from cuescope.show.report.carriers import effects
from cuescope.show.report.say import ORDERS, many
from cuescope.show.report.verdicts import VERDICTS, verdict
from cuescope.stats.html import escape
from cuescope.stats.shown import Unit, shown

_SETS = {"reg": "REG", "pro": "PRO", "anti": "ANTI", "other": "OTHER"}
NONE = "–"


def table(
    caption: str,
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    note: str = "",
    text: Sequence[int] = (),
) -> str:
    """A table of cells that are HTML already; the first of a row is its heading.

    `text` are the columns that hold words: they stand left and may break.
    """
    kinds = [' class="text"' if at in text else "" for at in range(len(head))]
    top = "".join(
        f'<th scope="col"{kind}>{cell}</th>' for kind, cell in zip(kinds, head, strict=True)
    )
    body = "".join(
        f'<tr><th scope="row"{kinds[0]}>{first}</th>'
        + "".join(f"<td{kind}>{cell}</td>" for kind, cell in zip(kinds[1:], rest, strict=True))
        + "</tr>"
        for first, *rest in rows
    )
    below = f'<p class="note">{note}</p>' if note else ""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{caption}">'
        f'<table class="numbers"><caption>{caption}</caption><thead><tr>{top}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>{below}"
    )


def cell(number: Number | None, *, unit: Unit = "share", digits: int | None = None) -> str:
    """A value and its interval.

    >>> cell({"value": 0.5, "low": -0.0001, "high": 1, "n": 9})
    '50.0 <span class="ci">[0.0, 100.0]</span>'
    """
    if number is None or not number["n"] or number["value"] is None:
        return NONE
    low, high = number["low"], number["high"]
    text = shown(number["value"], low, high, unit=unit, digits=digits, minus="−")
    return f'{text.value} <span class="ci">{text.interval}</span>' if text.low else text.value


def accuracy(findings: Findings) -> str:
    """Gender accuracy by set, as paper A prints it, F1 and its gap beside; then by order."""
    if not findings["accuracy"]:
        return '<p class="note">Accuracy was not measured.</p>'
    rows = []
    for name, by in findings["accuracy"].items():
        f1 = findings["f1"].get(name, {})
        more = (cell(f1.get(key)) for key in ("male", "female", "delta_g"))
        rows.append([escape(_SETS.get(name, name)), *_accuracies(by), *more, _n(by)])
    for order, one in _orders(findings).items():
        for name, by in one["accuracy"].items():
            label = f"{escape(_SETS.get(name, name))}, {order}"
            rows.append([label, *_accuracies(by), *[""] * 3, _n(by)])
    wide = findings["with_pronouns"]
    for name, by in (wide["accuracy"] if wide else {}).items():
        label = f"{escape(_SETS.get(name, name))}, with pronouns"
        rows.append([label, *_accuracies(by), *[""] * 3, _n(by)])
    head = ("set", "All", "Male", "Female", "F1 male", "F1 female", "ΔG", "n")
    note = (
        "In per cent, with 95 % intervals. PRO: the cue agrees with the noun's stereotype; ANTI: "
        "it goes against it. A noun without a readable gender counts as wrong. ΔG: F1 male less "
        f"F1 female. {_read(findings)}"
    )
    return table("Gender accuracy", head, rows, note)


def _read(findings: Findings) -> str:
    wide = (
        "; with pronouns: pronouns and other words about the noun decide where its phrase shows no "
        "gender"
    )
    return f"The noun's own phrase is read{wide if findings['with_pronouns'] else ''}."


def _accuracies(by: Mapping[Any, Number]) -> list[str]:
    return [cell(by.get(who)) for who in ("all", "male", "female")]


def _n(by: Mapping[Any, Number]) -> str:
    return f"{by['all']['n']:,}" if "all" in by else NONE


def _orders(findings: Findings) -> dict[Any, OrderOf]:
    """The orders, where there is more than the one that is the whole."""
    return dict(findings["orders"]) if len(findings["orders"]) > 1 else {}


def measures(findings: Findings) -> str:
    """A row for every measure of the findings, by order; then the cue that only moves."""
    orders = _orders(findings)
    columns = [findings["measures"], *(one["measures"] for one in orders.values())]
    declared = {name: one for column in reversed(columns) for name, one in column.items()}
    rows = [
        [escape(declared[name]["label"]), *_row([column.get(name) for column in columns])]
        for name in (*findings["measures"], *(n for n in declared if n not in findings["measures"]))
    ]
    none = [None] * len(orders)
    if findings["with_pronouns"]:
        rows.append(["MPA, with pronouns", *_row([findings["with_pronouns"]["mpa"], *none])])
    whole = (
        next(iter(findings["orders"].values()))["moved"] if len(findings["orders"]) == 1 else None
    )
    moved = [whole, *(one["moved"] for one in orders.values())]
    if any(moved):
        rows.append(["moved", *_row(moved)])
    if not rows:
        return ""
    head = ["", "all pairs", "n"]
    head += [cell for order in orders for cell in (ORDERS[order][0], "n")]
    said = " ".join(f"{escape(one['label'])}: {escape(one['says'])}" for one in declared.values())
    if any(moved):
        said += (
            " Moved: the share of the pairs looked into whose choice of gender leans more to the "
            "feminine with the feminine cue, decided by it or not."
        )
    note = f"{said} Shares in per cent. {'' if findings.get('unread') else _read(findings)}".strip()
    return table("Minimal pairs and more", head, rows, note)


def _row(numbers: Sequence[Number | None]) -> list[str]:
    """Value and n of each column; empty where the measure was not taken."""
    cells = []
    for number in numbers:
        unit: Unit = number.get("unit", "share") if number else "share"  # type: ignore[assignment]
        cells += [cell(number, unit=unit), f"{number['n']:,}"] if number else ["", ""]
    return cells


def confusion(findings: Findings) -> str:
    """How often each gold gender came out as each reading, set by set."""
    made = []
    for name, golds in findings["confusion"].items():
        rows = []
        for gold, readings in golds.items():
            if total := sum(readings.values()):
                share = (
                    f"{n:,}<span class='ci part'>{100 * n / total:.0f} %</span>"
                    for n in readings.values()
                )
                rows.append([f"{escape(gold)} cue", *share])
        if rows:
            head = ["", *(escape(reading) for reading in next(iter(golds.values())))]
            made.append(
                table(f"{escape(_SETS.get(name, name))}: how the noun was read", head, rows)
            )
    return f'<div class="columns">{"".join(made)}</div>' if made else ""


def heads(name: str, site: Site, count: int = 8) -> str:
    """The strongest heads of a site with all that was measured of them."""
    found = effects(site)
    if not found:
        return ""
    columns: dict[str, tuple[str, str, Unit, int]] = {
        "effect, %": ("effect", "all", "share", 0),
        "into male": ("effect", "male", "share", 0),
        "into female": ("effect", "female", "share", 0),
        "attribution, %": ("attribution", "all", "share", 0),
        "attention": ("attention", "all", "number", 2),
    }
    if name == "cross":
        columns["attention, noun"] = ("attention_at_noun", "all", "number", 2)
    rows = []
    for one in sorted(found, key=lambda one: -abs(one.value))[:count]:
        word = f" <b>{one.carrying}</b>" if one.carrying in ("carries", "opposes") else ""
        cells = [
            _of(site[key][who] if site[key] else None, *one[:2], unit, digits)  # type: ignore[literal-required]
            for key, who, unit, digits in columns.values()
        ]
        rows.append([one.name + word, *cells])
    return table("The strongest heads", ("head", *columns), rows)


def _of(grid: GridOf | None, layer: int, head: int, unit: Unit, digits: int) -> str:
    if grid is None:
        return NONE
    number: Number = {
        "value": grid["scores"][layer][head],
        "low": grid["low"][layer][head],
        "high": grid["high"][layer][head],
        "n": grid["n"],
    }
    return cell(number, unit=unit, digits=digits)


def entropies(findings: Findings) -> str:
    """H and norm-H by version, differences from “they”, ΔH, and the share of feminine samples."""
    study = findings["uncertainty"]
    if study is None:
        return ""
    shares, made = study.get("feminine", {}), []
    for name, measure in study["measures"].items():
        short, long = MEASURES.get(name, (name.upper(), escape(name)))
        values = measure["values"]
        rows = [
            [
                f"“{version}”",
                cell(values.get(f"H {version}"), unit="number"),
                cell(values.get(f"norm-H {version}"), unit="number", digits=2),
                *([cell(shares.get(version))] if shares else []),
            ]
            for version in VERSIONS
        ]
        pad = [""] * bool(shares)
        rows.append(["“he” and “she”", cell(values.get("H unambiguous"), unit="number"), "", *pad])
        for version in ("he", "she"):
            gap = cell(values.get(f"H {version} − they"), unit="number")
            rows.append([f"“{version}” − “they”", gap, "", *pad])
        rows.append(["ΔH", cell(values.get("ΔH"), unit="number", digits=2), "", *pad])
        head = ("", f"H ({short})", "norm-H", *(["feminine samples, %"] if shares else []))
        alpha = "" if measure["alpha"] is None or name != "s3e" else f" α = {measure['alpha']:g}."
        note = (
            f"{long[0].upper()}{long[1:]}, natural logarithm; samples are alike by: "
            f"{escape(measure['part'])}.{alpha} norm-H is H over the mean of the three versions. "
            "A difference is that of the same sentences; ΔH compares the mean of “he” and “she” "
            "with “they”: below 0 the cue makes the model surer. "
            f"{many(measure['certain'], 'sentence')} without any entropy."
        )
        made.append(
            table(f"{short} by pronoun, {many(len(study['sets']), 'sentence')}", head, rows, note)
        )
    return "".join(made)


def verdicts(findings: Findings) -> str:
    """How many pairs follow the cue, ignore it, and so on, by order, and what those words mean."""
    kinds = {"all pairs": findings["pairs"]} | {
        str(order): [p for p in findings["pairs"] if p["order"] == order]
        for order in _orders(findings)
    }
    rows = []
    there = {verdict(pair) for pair in findings["pairs"]}
    for name, (word, what) in VERDICTS.items():
        if name == "unread" and name not in there:
            continue
        row = [f"{word} <small>{what}</small>"]
        for pairs in kinds.values():
            n = sum(verdict(pair) == name for pair in pairs)
            row += [f"{n:,}", f"{100 * n / max(1, len(pairs)):.1f} %"]
        rows.append(row)
    head = ["verdict", *(part for kind in kinds for part in (kind, "share"))]
    return table("All pairs", head, rows, text=[0])


def guards(findings: Findings) -> str:
    """The checks of the wrapped model, one a row."""
    said = {True: "holds", False: "FAILED", None: "does not apply"}
    rows = [[escape(g["name"]), said[g["ok"]], escape(g["detail"])] for g in findings["guards"]]
    if not rows:
        return '<p class="note">The wrapped model was not checked.</p>'
    return table("Guards of the wrapped model", ("guard", "", "detail"), rows, text=[0, 1, 2])
