"""Certified probabilities beside the sampled ones: what is known of these very sentences."""

from __future__ import annotations

from cuescope.run.findings import Findings
from cuescope.run.findings_exact import CertifiedOf
from cuescope.show.report.answer_certainty import VERSIONS
from cuescope.show.report.say import many
from cuescope.show.report.tables import NONE, cell, table
from cuescope.stats.shown import outwards


def certified(findings: Findings) -> str:
    """P(feminine), GE and norm-H by version as intervals that contain them; nothing without."""
    known, study = findings.get("certified"), findings["uncertainty"]
    if not known or not known["sets"]:
        return ""
    drawn = study.get("feminine", {}) if study else {}
    sampled = study["measures"].get("ge") if study else None
    head = ("", "P(feminine), %", "H (GE)", "norm-H", "feminine samples, %", "H of the samples")
    rows = [
        [
            f"“{version}”",
            _between(known, f"P(feminine) {version}", 100, 1),
            _between(known, f"H {version}", 1, 3),
            _between(known, f"norm-H {version}", 1, 2),
            cell(drawn.get(version)),
            cell(sampled["values"].get(f"H {version}") if sampled else None, unit="number"),
        ]
        for version in VERSIONS
    ]
    delta = sampled["values"].get("ΔH") if sampled else None
    rows.append(
        ["ΔH", "", _between(known, "ΔH", 1, 2), "", "", cell(delta, unit="number", digits=2)]
    )
    return table("Certified, beside the samples", head, rows, _note(known))


def _between(known: CertifiedOf, name: str, scale: float, digits: int) -> str:
    ends = known["values"].get(name)
    return outwards((scale * ends[0], scale * ends[1]), digits) if ends else NONE


def _note(known: CertifiedOf) -> str:
    spent = ", or until no more could be spent on it" if known["exhausted"] else ""
    said = [
        f"The tree of all translations (ε = {known['epsilon']:g}) was enumerated until at most "
        f"{100 * known['width']:g} % of a sentence was undecided{spent}, for "
        f"{known['evaluations']:.0f} evaluations a sentence. The means of these "
        f"{many(known['sentences'], 'sentence')} lie between the two numbers; what is in "
        "brackets is how the samples' would vary with other nouns and templates.",
        f"The likeliest gender is certain in {known['majority']:,} of them.",
    ]
    if known["exhausted"]:
        said.append(_wider(known))
    if "outside" in known:
        said.append(
            f"The sampled share of feminine is further from its certified interval than 95 % of "
            f"chance in {many(known['outside'], 'sentence')}."
        )
    return " ".join(said)


def _wider(known: CertifiedOf) -> str:
    """How many sentences had spent what they may, and how much of them is undecided."""
    every = [
        100 * max(high - low for low, high in genders.values())
        for three in known["sets"]
        for genders in three.values()
    ]
    wide = sorted(every)[-known["exhausted"] :]
    if len(wide) == 1:
        return f"1 sentence is wider than asked: {wide[0]:.1f} % of it is undecided."
    return (
        f"{many(known['exhausted'], 'sentence')} are wider than asked: "
        f"{sum(wide) / len(wide):.1f} % of them on average is undecided, {wide[-1]:.1f} % at most."
    )
