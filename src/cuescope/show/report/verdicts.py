"""What became of a pair: does the noun follow the cue?"""

from __future__ import annotations

from cuescope.run.findings import PairOf

VERDICTS = {  # in the order of the list's filter
    "ignores": (
        "ignores the cue",
        "the noun is masculine in both twins, or feminine in both, and no phrase contradicts "
        "itself",
    ),
    "follows": (
        "follows the cue",
        "the noun has the right gender in both twins, and no phrase contradicts itself",
    ),
    "partly": ("partly", "the genders differ, but a twin shows none, or the wrong one"),
    "inconsistent": ("inconsistent", "a noun phrase contradicts itself"),
    "neutral": ("shows no gender", "neither twin's noun phrase shows one"),
    "unknown": ("unknown", "the noun was not found in a translation"),
    "unread": ("not read", "the noun was not looked for in a translation"),
}


def verdict(pair: PairOf) -> str:
    """One of VERDICTS; what cannot be read or contradicts itself is neither right nor wrong.

    >>> twin = {"gender": "masculine", "correct": True, "consistent": True, "skipped": ""}
    >>> verdict({"twins": [twin, twin | {"correct": False}]})
    'ignores'
    """
    twins = pair["twins"]
    genders = {twin["gender"] for twin in twins}
    if any(twin["skipped"] for twin in twins):
        return "unread"
    if "unknown" in genders:
        return "unknown"
    if not all(twin["consistent"] for twin in twins):
        return "inconsistent"
    if all(twin["correct"] for twin in twins):
        return "follows"
    if genders == {"neutral"}:
        return "neutral"
    return "ignores" if len(genders) == 1 else "partly"
