"""A run into a language without gender rules, in words: what was not measured, what to do."""

from __future__ import annotations

from collections.abc import Iterator

from cuescope.run.findings import Findings, measured
from cuescope.show.report.say import cue_word, listed


def unread(findings: Findings) -> str:
    """Why no noun was read; empty where nouns were."""
    return findings.get("unread", "")


def headline(findings: Findings) -> str:
    """The first sentence of such a run."""
    return (
        f"Whether the noun takes the gender of the {cue_word(findings)} was not measured: "
        f"there are {unread(findings)}."
    )


def verdict(findings: Findings) -> str:
    """The answer, where there is none."""
    return f"Not known: there are {unread(findings)}, so no noun was read."


def wanting(findings: Findings) -> Iterator[str]:
    """What was not measured for want of rules, what was, and how to have the rest."""
    patched = any(site["effect"] for _, _, site in measured(findings))
    sure = findings["uncertainty"] is not None
    not_had = ["accuracy", "minimal pair accuracy", "the other noun"]
    not_had += ["the entropy of gender" if sure else "how sure the model is"]
    not_had += [] if patched else ["what the heads carry"]
    yield f"For want of gender rules, these were not measured: {listed(not_had)}."
    if patched:
        yield (
            "The heads were patched between the two translations that the set gives for each pair, "
            "its references, whatever the model itself wrote."
        )
    rules = "To add rules: cs.languages.add, told in docs/adding-a-language.md."
    if not patched:
        rules += (
            " Without them, heads can be patched between given translations: "
            "the column reference of the set, told in docs/data.md."
        )
    yield rules
