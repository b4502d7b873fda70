"""How each check of a card is judged: the thresholds in one place, a function a check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from cuescope.measures.card import Check, Verdict
from cuescope.measures.carriers import LEAST, Carrier
from cuescope.stats.value import Value

ADDS = 0.02  # of the gap: what a head must add to be worth a place in a set
HALF = 0.5  # of a loss, or of an effect
FAITHFUL, OTHERS = 0.8, 0.2  # of what all heads restore: by the set, and by the rest without it
CHANCE = 0.05  # of random sets
SELECTIVE = 2.0  # on target over off target
FEWEST = 8  # pairs, for a part of the data to be asked


def carries(one: Carrier, n: int, over: str) -> Check:
    """The one rule, over all heads of all sites."""
    effect = Value("effect", one.value, one.low, one.high, n, over=over)
    why = {"little": "too little", "unsure": "perhaps by chance", "opposes": "the other way round"}
    p = "" if one.p != one.p else "p < 0.001" if one.p < 0.001 else f"p = {one.p:.3f}"
    told = [why.get(one.word, ""), f"{p}, adjusted" if p else ""]
    verdict: Verdict = "passes" if one.carries else "fails"
    return Check("carries", verdict, {"effect": effect}, "; ".join(filter(None, told)))


def unmeasured(name: str, why: str) -> Check:
    """A check that could not be made, and why."""
    return Check(name, "not measured", {}, why)


def directions(male: Value, female: Value) -> Check:
    """
    >>> up, flat = Value("", 0.3, 0.2, 0.4, 60), Value("", 0.02, -0.1, 0.1, 60)
    >>> directions(up, up).verdict, directions(up, flat).why
    ('passes', 'not into the female sentence')
    """
    numbers = {"into male": male, "into female": female}
    flat = [way.removeprefix("into ") for way, one in numbers.items() if not above(one)]
    return _judged("directions", numbers, [f"not into the {way} sentence" for way in flat])


def held_out(chosen: Value, other: Value) -> Check:
    """Chosen on some nouns, measured on others."""
    numbers = {"found on": chosen, "on the others": other}
    why = []
    if not chosen.value >= LEAST:
        why.append("it would not have been found on half of the nouns")
    if not (other.value >= LEAST and above(other)):
        why.append("not on the others")
    return _judged("held out", numbers, why)


def ablation(lost: Mapping[str, Value]) -> Check:
    """What is lost without it, by what it says instead."""
    flat = [way for way, one in lost.items() if not above(one)]
    why = [f"nothing is clearly lost by {', '.join(flat)}"] if flat else []
    return _judged("ablation", lost, why)


def dose(gaps: Mapping[float, Value], grown: Value) -> Check:
    """The gap by loudness (1 as it is), in ascending order, and its growth over all of them."""
    steps = [gaps[factor].value for factor in sorted(gaps) if factor <= 2]
    why = []
    if not all(a < b for a, b in pairwise(steps)):
        why.append("louder is not always more")
    elif not above(grown):
        why.append("the growth may be chance")
    numbers = {f"×{factor:g}": gaps[factor] for factor in sorted(gaps)}
    return _judged("dose", numbers, why)


def repair(lost: Value, frozen: Value) -> Check:
    """What is lost as later heads react, against what is lost if they do not."""
    numbers = {"lost": lost, "frozen": frozen}
    if not above(frozen):
        return Check("repair", "not measured", numbers, "nothing is clearly lost, frozen")
    short = lost.value < HALF * frozen.value
    return _judged("repair", numbers, ["later heads make up for most of it"] if short else [])


def same_answer(same: Value, other: Value, difference: Value) -> Check:
    """Another sentence's words, of the same gender and of the other; `difference`: half of what
    the twin's own words do, less what those of the same gender do."""
    numbers = {"same gender": same, "other gender": other}
    why = [] if above(difference) else ["it may be half of what the twin's words do, or more"]
    return _judged("same answer", numbers, why)


def random_sets(found: Value, best: Value, share: Value, told: str) -> Check:
    """The set's share, the best of the random ones, and how many of these do as well."""
    numbers = {"set": found, "best random": best, "as good": share}
    why = [] if share.value <= CHANCE else ["random sets do as well"]
    return Check("random", "fails" if why else "passes", numbers, "; ".join([*why, told]))


def faithful(share: Value, curve: Sequence[Value], area: Value) -> Check:
    """The set's part of what all heads restore; along the way, by size of the set."""
    numbers = {"of all heads'": share}
    numbers |= {f"first {size}": one for size, one in enumerate(curve, 1)}
    numbers["area"] = area
    short = not share.value >= FAITHFUL
    return _judged("faithful", numbers, ["the other heads add much"] if short else [])


def complete(others: Value, removed: Value | None) -> Check:
    """What the others restore without the set; and what is lost without it."""
    numbers = {"others'": others} | ({"lost without the set": removed} if removed else {})
    much = not others.value <= OTHERS
    return _judged(
        "complete", numbers, ["the others restore some of it without the set"] if much else []
    )


def minimal(loss: Value) -> Check:
    """What its set loses by its leaving."""
    short = not (loss.value >= ADDS and above(loss))
    return _judged("minimal", {"its part": loss}, ["the set does as well without"] if short else [])


def transfer(elsewhere: Mapping[str, Value]) -> Check:
    """Its effect in other parts and sets."""
    if not elsewhere:
        return unmeasured("transfer", "there is nothing else to carry it to")
    flat = [where for where, one in elsewhere.items() if not (one.value >= LEAST and above(one))]
    return _judged(
        "transfer", elsewhere, [f"not clearly with {' and '.join(flat)}"] if flat else []
    )


def blocks(own: Value, most: Value, which: str) -> Check:
    """Its effect against that of the strongest feed-forward block."""
    numbers = {"head": own, which: most}
    less = not own.value >= most.value
    return _judged("blocks", numbers, ["a feed-forward block restores more"] if less else [])


def no_head(plain: Value, louder: Mapping[str, Value], contrast: Value) -> Check:
    """Pairs with both choices right: as it is, with the head louder, contrasted with the twin."""
    numbers = {"plain": plain, **louder, "no head": contrast}
    less = max(one.value for one in louder.values()) < contrast.value
    return _judged("no head", numbers, ["without any head more are turned"] if less else [])


def selective(on: Value, off: Value) -> Check:
    """What it does to the noun of the cue, and to the other person's, on the same pairs."""
    numbers = {"on target": on, "off target": off}
    if not above(on):
        why = "on these pairs it does not clearly move the noun of the cue"
        return Check("selective", "not measured", numbers, why)
    spills = abs(off.value) * SELECTIVE > on.value
    return _judged("selective", numbers, ["the other person is moved too"] if spills else [])


def above(one: Value, least: float = 0.0) -> bool:
    """Is the whole interval above? A number that is the same in all pairs has none."""
    return one.low > least if one.sure else one.n > 1 and one.value > least


def _judged(name: str, numbers: Mapping[str, Value], why: Sequence[str]) -> Check:
    few = [label for label, one in numbers.items() if one.n < 2]
    if few:
        return Check(name, "not measured", numbers, f"too few pairs for {', '.join(few)}")
    return Check(name, "fails" if why else "passes", numbers, "; ".join(why))
