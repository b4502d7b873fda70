"""Which heads carry the cue, in words."""

from __future__ import annotations

from collections.abc import Iterator

from cuescope.findings import Findings, Site
from cuescope.report.carriers import FEWEST, Head, effects
from cuescope.report.say import SITES, counted, listed, many, percent, reasons, rho

_DOES = {  # one head, several heads
    "encoder": ("carries the {cue} to the noun", "carry the {cue} to the noun"),
    "cross": ("hands it to the decoder", "hand it to the decoder"),
    "decoder": ("carries it on in the decoder", "carry it on in the decoder"),
}
_SHOWN = 5  # heads named in a sentence


def heads(found: Findings, cue: str) -> list[str]:
    """A paragraph on the heads of every site."""
    if not found["model"]["sites"] and not found["sites"]:
        return ["This model has no attention heads that can be told apart."]
    said: list[str] = []
    for site in SITES:
        if site in found["sites"]:
            said.append(" ".join(_site(site, found["sites"][site], cue)))
        elif site in found["model"]["sites"]:
            said.append(f"The {SITES[site]} heads were not measured.")
        elif site == "decoder":
            said.append("The decoder of this model has no self-attention heads.")
        else:
            said.append(f"This model has no {SITES[site]} heads.")
    return said


def _site(name: str, site: Site, cue: str) -> Iterator[str]:
    grid, heads = site["effect"], f"the {site['layers'] * site['heads']} {SITES[name]} heads"
    found = effects(site)
    if grid is None:
        yield f"What {heads} carry was not measured."
        return
    if not found or not grid["all"]["n"]:
        why = reasons(site["skipped"].get("effect", {}))
        told = f" ({why})" if why else ""
        yield f"What {heads} carry is not known: no pair could be used{told}."
        return
    carry = [one for one in found if one.carries]
    yield f"{_carriers(name, site, carry, cue)} (n = {many(grid['all']['n'], 'pair')})."
    if against := [one for one in found[::-1] if one.opposes]:
        shown = listed([one.told() for one in against[:_SHOWN]])
        number = counted(len(against)).capitalize()
        yield f"{number} {_verb(against, 'works', 'work')} against it: {shown}."
    if unsure := [one for one in found if one.unsure]:
        number = counted(len(unsure)).capitalize() + " more" * bool(carry or against)
        reach = _verb(
            unsure, "reaches 5 %, but its interval does", "reach 5 %, but their intervals do"
        )
        few = grid["all"]["n"] < FEWEST
        yield "Too few pairs to tell." if few else f"{number} {reach} not exclude 0."
    yield from _blind(site, carry, cue)
    if len(site["together"]) > 1:
        last = percent(site["together"][-1]["restored"])
        names = [f"{each['layer']}.{each['head']}" for each in site["together"]]
        few = len(names) <= _SHOWN
        yield f"Together, {listed(names) if few else f'{len(names)} heads'} restore {last}."
    yield from _agreement(site)


def _carriers(name: str, site: Site, carry: list[Head], cue: str) -> str:
    one, several = (each.format(cue=cue) for each in _DOES[name])
    found, gap = effects(site), " of the gap between the twins"
    of = f"Of {site['layers'] * site['heads']} {SITES[name]} heads,"
    if not carry:
        return f"{of} none {one} alone: the strongest is {found[0].told(gap)}"
    told = [each.told("" if place else gap) for place, each in enumerate(carry[:_SHOWN])]
    if len(carry) > _SHOWN:
        told.append(f"{counted(len(carry) - _SHOWN)} more")
    rest = next((each for each in found if each not in carry), None)
    after = f"; the next, {rest.name}, restores {percent(rest.value)}" if rest else ""
    number = counted(len(carry))
    return f"{of} {number} {_verb(carry, one, several)}: {listed(told)}{after}"


def _blind(site: Site, carry: list[Head], cue: str) -> Iterator[str]:
    """Heads that carry the cue without looking at it: attention alone would miss them."""
    if site["attention"] is None or site["attention"]["all"]["threshold"] is None:
        return
    looks, uniform = site["attention"], site["attention"]["all"]["threshold"]

    def below(one: Head) -> bool:
        """By its interval, and for either gender."""
        highest = [looks["all"]["high"], *(grid["scores"] for grid in looks.values())]
        shares = [each[one.layer][one.head] for each in highest]
        return all(share is not None and share < uniform for share in shares)

    blind = [one.name for one in carry if below(one)]
    if blind:
        which = "It does" if len(carry) == 1 else f"{listed(blind)} {_verb(blind, 'does', 'do')}"
        yield (
            f"{which} so without looking at the {cue}, which gets less than the uniform share of "
            f"attention, {uniform:.2f}."
        )


def _agreement(site: Site) -> Iterator[str]:
    for each in site["agreements"]:
        value, low, high = each["rho"], each["low"], each["high"]
        if set(each["names"]) != {"attention", "effect"} or value is None:
            continue
        told = f"ρ = {rho(each)}"
        if low is not None and high is not None and low <= 0 <= high:
            yield f"Where a head looks says nothing certain of what it carries ({told})."
        elif value < 0:
            yield f"Heads that look at it more carry less of it ({told})."
        else:
            much = "little" if value < 0.4 else "something" if value < 0.7 else "much"
            yield f"Where a head looks says {much} of what it carries ({told})."


def _verb(things: list[Head] | list[str], one: str, several: str) -> str:
    return one if len(things) == 1 else several
