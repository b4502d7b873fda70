"""Tables in the papers' shape, as plain HTML that needs no script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cuescope.html import escape
from cuescope.run.findings import Findings, GridOf, Number, OrderOf, Site
from cuescope.show.report.answer_certainty import MEASURES, VERSIONS, feminine
from cuescope.show.report.carriers import effects
from cuescope.show.report.say import ORDERS, many, rounded
from cuescope.show.report.verdicts import VERDICTS, verdict

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


def cell(number: Number | None, *, scale: float = 100, digits: int = 1) -> str:
    """A value and its interval.

    >>> cell({"value": 0.5, "low": -0.0001, "high": 1, "n": 9})
    '50.0 <span class="ci">[0.0, 100.0]</span>'
    """
    if number is None or not number["n"] or number["value"] is None:
        return NONE
    shown, low, high = rounded(scale * number["value"], digits), number["low"], number["high"]
    if low is None or high is None:
        return shown
    within = ", ".join(rounded(scale * bound, digits) for bound in (low, high))
    return f'{shown} <span class="ci">[{within}]</span>'


def accuracy(found: Findings) -> str:
    """Gender accuracy by set, as paper A prints it, F1 and its gap beside; then by order."""
    if not found["accuracy"]:
        return '<p class="note">Accuracy was not measured.</p>'
    rows = []
    for name, by in found["accuracy"].items():
        f1 = found["f1"].get(name, {})
        more = (cell(f1.get(key)) for key in ("male", "female", "delta_g"))
        rows.append([escape(_SETS.get(name, name)), *_accuracies(by), *more, _n(by)])
    for order, one in _orders(found).items():
        for name, by in one["accuracy"].items():
            label = f"{escape(_SETS.get(name, name))}, {order}"
            rows.append([label, *_accuracies(by), *[""] * 3, _n(by)])
    wide = found["with_pronouns"]
    for name, by in (wide["accuracy"] if wide else {}).items():
        label = f"{escape(_SETS.get(name, name))}, with pronouns"
        rows.append([label, *_accuracies(by), *[""] * 3, _n(by)])
    head = ("set", "All", "Male", "Female", "F1 male", "F1 female", "ΔG", "n")
    shift = ""
    if found["delta_s"] and found["delta_s"]["value"] is not None:
        shift = f" ΔS, mean F1 on PRO less that on ANTI: {cell(found['delta_s'])}."
    note = (
        "In per cent, with 95 % intervals. PRO: the cue agrees with the noun's stereotype; ANTI: "
        "it goes against it. A noun without a readable gender counts as wrong. ΔG: F1 male less "
        f"F1 female.{shift} {_READ}"
    )
    return table("Gender accuracy", head, rows, note)


_READ = (
    "The noun's own phrase is read; with pronouns: pronouns and other words about the noun decide "
    "where its phrase shows no gender."
)


def _accuracies(by: Mapping[Any, Number]) -> list[str]:
    return [cell(by.get(who)) for who in ("all", "male", "female")]


def _n(by: Mapping[Any, Number]) -> str:
    return f"{by['all']['n']:,}" if "all" in by else NONE


def _orders(found: Findings) -> dict[Any, OrderOf]:
    """The orders, where there is more than the one that is the whole."""
    return dict(found["orders"]) if len(found["orders"]) > 1 else {}


def minimal_pairs(found: Findings) -> str:
    """Minimal Pair Accuracy with Pro-F and Pro-M (paper A), by order; the cue that only moves."""
    head = ("", "MPA", "strict MPA", "Pro-F", "Pro-M", "pairs", "moved", "pairs")
    whole = next(iter(found["orders"].values()))["moved"] if len(found["orders"]) == 1 else None
    rows = [_pairs("all pairs", found["mpa"], whole)]
    rows += [_pairs(ORDERS[o][0], one["mpa"], one["moved"]) for o, one in _orders(found).items()]
    if found["with_pronouns"]:
        rows.append(_pairs("with pronouns", {"value": found["with_pronouns"]["mpa"]}, None))
    note = (
        "MPA: both twins are right; strict: and no noun phrase contradicts itself. Pro-F, Pro-M: "
        "of the pairs that are right, the share whose noun is stereotypically female or male. "
        "Moved: the share of the pairs looked into whose choice of gender leans more to the "
        f"feminine with the feminine cue, decided by it or not. {_READ}"
    )
    return table("Minimal pair accuracy", head, rows, note)


def _pairs(label: str, mpa: Mapping[str, Number], moved: Number | None) -> list[str]:
    n = f"{mpa['value']['n']:,}" if "value" in mpa else NONE
    cells = [cell(mpa[k]) if k in mpa else "" for k in ("value", "strict", "pro_f", "pro_m")]
    return [label, *cells, n, cell(moved) if moved else "", f"{moved['n']:,}" if moved else ""]


def confusion(found: Findings) -> str:
    """How often each gold gender came out as each reading, set by set."""
    made = []
    for name, golds in found["confusion"].items():
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
    columns = {
        "effect, %": ("effect", "all", 100.0, 0),
        "into male": ("effect", "male", 100.0, 0),
        "into female": ("effect", "female", 100.0, 0),
        "attribution, %": ("attribution", "all", 100.0, 0),
        "attention": ("attention", "all", 1.0, 2),
    }
    if name == "cross":
        columns["attention, noun"] = ("attention_at_noun", "all", 1.0, 2)
    rows = []
    for one in sorted(found, key=lambda one: -abs(one.value))[:count]:
        word = f" <b>{one.carrying}</b>" if one.carrying in ("carries", "opposes") else ""
        cells = [
            _of(site[key][who] if site[key] else None, *one[:2], scale=scale, digits=digits)  # type: ignore[literal-required]
            for key, who, scale, digits in columns.values()
        ]
        rows.append([one.name + word, *cells])
    return table("The strongest heads", ("head", *columns), rows)


def _of(grid: GridOf | None, layer: int, head: int, scale: float = 100, digits: int = 0) -> str:
    if grid is None:
        return NONE
    number: Number = {
        "value": grid["scores"][layer][head],
        "low": grid["low"][layer][head],
        "high": grid["high"][layer][head],
        "n": grid["n"],
    }
    return cell(number, scale=scale, digits=digits)


def entropies(found: Findings) -> str:
    """H and norm-H by version, differences from “they”, ΔH, and the share of feminine samples."""
    study = found["uncertainty"]
    if study is None:
        return ""
    shares, made = feminine(study), []
    for name, measure in study["measures"].items():
        short, long = MEASURES.get(name, (name.upper(), escape(name)))
        values = measure["values"]
        rows = [
            [
                f"“{version}”",
                cell(values.get(f"H {version}"), scale=1, digits=3),
                cell(values.get(f"norm-H {version}"), scale=1, digits=2),
                *([cell(shares.get(version))] if shares else []),
            ]
            for version in VERSIONS
        ]
        pad = [""] * bool(shares)
        rows.append(
            ["“he” and “she”", cell(values.get("H unambiguous"), scale=1, digits=3), "", *pad]
        )
        for version in ("he", "she"):
            gap = cell(values.get(f"H {version} − they"), scale=1, digits=3)
            rows.append([f"“{version}” − “they”", gap, "", *pad])
        rows.append(["ΔH", cell(values.get("ΔH"), scale=1, digits=2), "", *pad])
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


def verdicts(found: Findings) -> str:
    """How many pairs follow the cue, ignore it, and so on, by order, and what those words mean."""
    kinds = {"all pairs": found["pairs"]} | {
        str(order): [p for p in found["pairs"] if p["order"] == order] for order in _orders(found)
    }
    rows = []
    for name, (word, what) in VERDICTS.items():
        row = [f"{word} <small>{what}</small>"]
        for pairs in kinds.values():
            n = sum(verdict(pair) == name for pair in pairs)
            row += [f"{n:,}", f"{100 * n / max(1, len(pairs)):.1f} %"]
        rows.append(row)
    head = ["verdict", *(part for kind in kinds for part in (kind, "share"))]
    return table("All pairs", head, rows, text=[0])


def guards(found: Findings) -> str:
    """The checks of the wrapped model, one a row."""
    said = {True: "holds", False: "FAILED", None: "does not apply"}
    rows = [[escape(g["name"]), said[g["ok"]], escape(g["detail"])] for g in found["guards"]]
    if not rows:
        return '<p class="note">The wrapped model was not checked.</p>'
    return table("Guards of the wrapped model", ("guard", "", "detail"), rows, text=[0, 1, 2])
