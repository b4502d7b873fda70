"""Tables in the papers' shape, as plain HTML that needs no script."""

from __future__ import annotations

from collections.abc import Sequence

from cuescope.findings import Findings, GridOf, Number, Site
from cuescope.html import escape
from cuescope.report.answer_certainty import MEASURES, VERSIONS, feminine
from cuescope.report.carriers import effects
from cuescope.report.say import many, model_name, rounded
from cuescope.report.verdicts import VERDICTS, counts

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
    """Gender accuracy by set: all, male, female, as paper A prints it; F1 and its gap beside."""
    if not found["accuracy"]:
        return '<p class="note">Accuracy was not measured.</p>'
    rows = []
    for name, by in found["accuracy"].items():
        f1 = found["f1"].get(name, {})
        rows.append(
            [
                escape(_SETS.get(name, name)),
                *(cell(by.get(who)) for who in ("all", "male", "female")),
                *(cell(f1.get(key)) for key in ("male", "female", "delta_g")),
                f"{by['all']['n']:,}" if "all" in by else NONE,
            ]
        )
    head = ("set", "All", "Male", "Female", "F1 male", "F1 female", "ΔG", "n")
    shift = ""
    if found["delta_s"] and found["delta_s"]["value"] is not None:
        shift = f" ΔS, mean F1 on PRO less that on ANTI: {cell(found['delta_s'])}."
    note = (
        "In per cent, with 95 % intervals. PRO: the cue agrees with the noun's stereotype; ANTI: "
        "it goes against it. A noun without a readable gender counts as wrong. ΔG: F1 male less "
        f"F1 female.{shift}"
    )
    return table("Gender accuracy", head, rows, note)


def minimal_pairs(found: Findings) -> str:
    """Minimal Pair Accuracy with Pro-F and Pro-M (paper A)."""
    mpa = found["mpa"]
    head = ("", "MPA", "strict MPA", "Pro-F", "Pro-M", "pairs")
    n = mpa["value"]["n"] if "value" in mpa else 0
    name = escape(model_name(found))
    row = [name, *(cell(mpa.get(k)) for k in ("value", "strict", "pro_f", "pro_m")), f"{n:,}"]
    note = (
        "MPA: both twins are right; strict: and no noun phrase contradicts itself. Pro-F, Pro-M: "
        "of the pairs that are right, the share whose noun is stereotypically female or male."
    )
    return table("Minimal pair accuracy", head, [row], note)


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


def heads(site: Site, count: int = 8) -> str:
    """The strongest heads of a site with all that was measured of them."""
    found = effects(site)
    if not found:
        return ""
    order = sorted(found, key=lambda one: -abs(one.value))[:count]
    rows = [
        [
            one.name
            + (" <b>carries</b>" if one.carries else " <b>opposes</b>" if one.opposes else ""),
            *(
                _of(site["effect"][who] if site["effect"] else None, *one[:2])
                for who in ("all", "male", "female")
            ),
            _of(site["gradient"]["all"] if site["gradient"] else None, *one[:2]),
            _of(
                site["attention"]["all"] if site["attention"] else None, *one[:2], scale=1, digits=2
            ),
        ]
        for one in order
    ]
    head = ("head", "effect, %", "into male", "into female", "attribution, %", "attention")
    return table("The strongest heads", head, rows)


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
    """How many pairs follow the cue, ignore it, and so on, and what those words mean."""
    total = max(1, len(found["pairs"]))
    rows = [
        [
            f"{VERDICTS[name][0]} <small>{VERDICTS[name][1]}</small>",
            f"{n:,}",
            f"{100 * n / total:.1f} %",
        ]
        for name, n in counts(found).items()
    ]
    return table("All pairs", ("verdict", "pairs", "share"), rows, text=[0])


def guards(found: Findings) -> str:
    """The checks of the wrapped model, one a row."""
    said = {True: "holds", False: "FAILED", None: "does not apply"}
    rows = [[escape(g["name"]), said[g["ok"]], escape(g["detail"])] for g in found["guards"]]
    if not rows:
        return '<p class="note">The wrapped model was not checked.</p>'
    return table("Guards of the wrapped model", ("guard", "", "detail"), rows, text=[0, 1, 2])
