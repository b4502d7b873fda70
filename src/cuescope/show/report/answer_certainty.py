"""How sure the model is, in words."""

from __future__ import annotations

from collections.abc import Iterator

from cuescope.run.findings import Entropies, Findings, Number, UncertaintyOf
from cuescope.show.report.say import bounds, many, plain, share

VERSIONS = ("he", "she", "they")
MEASURES = {
    "ge": ("GE", "entropy of the noun's gender"),
    "s3e": ("S3E", "similarity-sensitive entropy"),
    "se": ("SE", "semantic entropy"),
}
_AGAINST_THEY = {
    -1: "With “{}” it is surer than with “they”, as it should be",
    0: "Whether it is surer with “{}” than with “they” cannot be told",
    1: "With “{}” it is less sure than with “they”, the wrong way",
}


def certainty(findings: Findings) -> list[str]:
    """Some sentences on how sure it is of he and she."""
    study = findings["uncertainty"]
    if study is None:
        return ["How sure the model is was not measured."]
    name = _measure(study)
    if name is None:
        return ["This is not known: no contrast set could be sampled."]
    return [" ".join((*_drawn(study), *_surer(study["measures"][name])))]


def details(findings: Findings) -> list[str]:
    """The entropies behind it, norm-H and ΔH."""
    study = findings["uncertainty"]
    name = _measure(study) if study else None
    if study is None or name is None:
        return []
    measure = study["measures"][name]
    known = [*_he_she(measure, MEASURES[name][1]), *_ambiguous(measure)]
    told = known or ["Their entropies are not known."]
    if measure["certain"]:
        told.append(f"{many(measure['certain'], 'sentence')} showed no entropy at all.")
    return [" ".join(told)]


def _measure(study: UncertaintyOf) -> str | None:
    name = next((each for each in MEASURES if each in study["measures"]), None)
    return name if study["sets"] else None


def _drawn(study: UncertaintyOf) -> Iterator[str]:
    sets, shares = many(len(study["sets"]), "sentence"), study.get("feminine", {})
    if shares:
        told = ", ".join(f"{share(shares[v])} for “{v}”" for v in VERSIONS if v in shares)
        yield (
            f"Of {study['samples']} translations sampled of each version of {sets}, "
            f"the noun is feminine in {told}."
        )
    else:
        yield f"{study['samples']} translations were sampled of each version of {sets}."


def _surer(measure: Entropies) -> Iterator[str]:
    """Judged by norm-H, which compares the versions of the same sentence, and paired."""
    if any(_absent(measure["values"].get(f"norm-H {v}")) for v in ("he", "she")):
        return
    side = _side(measure["values"].get("norm-H she − he"))
    if not side:
        yield "Whether it is surer of “she” or of “he” cannot be told."
    else:
        yield f"The model is {'less sure' if side > 0 else 'surer'} of “she” than of “he”."


def _he_she(measure: Entropies, what: str) -> Iterator[str]:
    values = measure["values"]
    if any(_absent(values.get(f"{kind} {v}")) for kind in ("H", "norm-H") for v in ("he", "she")):
        return
    yield (
        f"The {what} is {plain(values['H she'])} for “she”, {plain(values['H he'])} for “he”; "
        f"norm-H {plain(values['norm-H she'])} for “she”, {plain(values['norm-H he'])} for “he”."
    )


def _absent(number: Number | None) -> bool:
    return number is None or number["value"] is None


def _ambiguous(measure: Entropies) -> Iterator[str]:
    """Each pronoun against “they”: one may make it surer where the other does not."""
    values = measure["values"]
    for version in ("he", "she"):
        gap = values.get(f"H {version} − they")
        if gap is None or gap["value"] is None:
            continue
        differs = f"H of the same sentences differs by {plain(gap, 3)}"
        yield f"{_AGAINST_THEY[_side(gap) or 0].format(version)}: {differs}."
    delta = values.get("ΔH")
    if delta is not None and delta["value"] is not None:
        yield f"ΔH, “he” and “she” together against “they”, is {plain(delta)}."


def _side(number: Number | None) -> int | None:
    """1 or −1 where the interval of a difference lies above or below 0; 0 where it holds 0."""
    _, low, high = bounds(number) if number else (None, None, None)
    if low is None or high is None:
        return None
    return 1 if low > 0 else -1 if high < 0 else 0
