"""Which heads carry the cue, in words: for each story by itself."""

from __future__ import annotations

from collections.abc import Iterator

from cuescope.data.items import Order
from cuescope.run.findings import Agreement, Findings, Site, measured
from cuescope.show.report.carriers import Head, carriers, effects, ranked
from cuescope.show.report.say import (
    SITES,
    counted,
    cue_word,
    listed,
    many,
    percent,
    reasons,
    share,
    story_of,
)
from cuescope.stats.shown import rounded, shown

_DOES = {  # one head, several heads
    "encoder": ("carries the {cue}", "carry the {cue}"),
    "cross": ("hands it to the decoder", "hand it to the decoder"),
    "decoder": ("carries it on in the decoder", "carry it on in the decoder"),
}
_SHOWN = 5  # heads named in a sentence


def heads(findings: Findings) -> list[str]:
    """A paragraph on the heads of every site, for every story that the pairs have."""
    if not findings["model"]["sites"]:
        return ["This model has no attention heads that can be told apart."]
    said: list[str] = []
    for story, sites in findings["heads"].items():
        order: Order = "cue after" if story.startswith("cue after") else "cue before"
        for name in SITES:
            if name in sites:
                told = " ".join(_site(name, sites[name], cue_word(findings, order)))
                said.append(f"With {story_of(findings, story)}: {told[0].lower()}{told[1:]}")
    return [*said, *absent(findings, {name for _, name, _ in measured(findings)})]


def details(findings: Findings) -> list[str]:
    """How attention and effect agree, with ranks and correlations: for those who ask."""
    return [
        f"{SITES[name][0].upper()}{SITES[name][1:]} heads with {story_of(findings, story)}. "
        + " ".join(told)
        for story, name, site in measured(findings)
        if _judged(site) and (told := [*_looks(site, carriers(site))])
    ]


def _judged(site: Site) -> bool:
    return bool(site["effect"] and site["effect"]["all"]["n"] and site["enough"] and effects(site))


def absent(findings: Findings, there: set[str]) -> list[str]:
    """A sentence on each site of which nothing is told."""
    return [
        f"The {SITES[name]} heads were not measured."
        if name in findings["model"]["sites"]
        else f"This model has no {SITES[name]} heads."
        for name in SITES
        if name not in there
    ]


def _site(name: str, site: Site, cue: str) -> Iterator[str]:
    grid, heads = site["effect"], f"the {site['layers'] * site['heads']} {SITES[name]} heads"
    found = effects(site)
    if grid is None:
        yield f"What {heads} carry was not measured."
        yield from _attended(name, site, cue)
        return
    if not found or not grid["all"]["n"]:
        why = reasons(site["skipped"].get("effect", {}))
        told = f" ({why})" if why else ""
        yield f"What {heads} carry is not known: no pair could be used{told}."
        return
    if not site["enough"]:
        strongest = found[0].with_effect(" of the gap between the twins")
        yield (
            f"{many(grid['all']['n'], 'pair')} {_is(grid['all']['n'])} too few to say which of "
            f"{heads} carry the {cue}; the strongest is {strongest}."
        )
        return
    carry = carriers(site)
    yield f"{_carriers(name, site, found, carry, cue)} (n = {many(grid['all']['n'], 'pair')})."
    if against := [one for one in found[::-1] if one.carrying == "opposes"]:
        shown = listed([one.with_effect() for one in against[:_SHOWN]])
        number = counted(len(against)).capitalize()
        yield f"{number} {_verb(against, 'works', 'work')} against it: {shown}."
    already = {_next(found, carry)} if carry else set()
    yield from _unsure([one for one in found if one not in already], bool(carry or against))
    yield from _blind(name, site, carry, cue)
    yield from _together(site)


def _attended(name: str, site: Site, cue: str) -> Iterator[str]:
    """Where attention alone was measured: who looks most at the cue, which proves no use of it."""
    looks = site["attention"]
    if looks is None or looks["all"]["threshold"] is None or not (by := ranked(looks["all"])):
        return
    who = "the step of the choice" if name == "cross" else "the noun"
    first = str(shown(*by[0][2:5], unit="number", digits=2))
    yield (
        f"Of the attention of {who}, the {cue} gets most in {by[0].name}: {first}, where a "
        f"uniform share is {looks['all']['threshold']:.2f} "
        f"(n = {many(looks['all']['n'], 'pair')}); that it is used there does not follow."
    )


def _carriers(name: str, site: Site, found: list[Head], carry: list[Head], cue: str) -> str:
    one, several = (each.format(cue=cue) for each in _DOES[name])
    gap = " of the gap between the twins"
    of = f"Of {site['layers'] * site['heads']} {SITES[name]} heads,"
    if not carry:
        sure = not any(each.carrying == "unsure" and each.value > 0 for each in found)
        none = f"none {one} alone" if sure else f"none clearly {one} alone"
        return f"{of} {none}: the strongest is {found[0].with_effect(gap)}"
    told = [each.with_effect("" if place else gap) for place, each in enumerate(carry[:_SHOWN])]
    if len(carry) > _SHOWN:
        told.append(f"{counted(len(carry) - _SHOWN)} more")
    rest, after = _next(found, carry), ""
    if rest:
        more = rest.value > carry[-1].value  # of one that the rule cannot tell from chance
        what = f"of the others {rest.name}" if more else f"the next, {rest.name},"
        after = f"; {what} restores {percent(rest.value)}"
        after += ", perhaps by chance" * (rest.carrying == "unsure")
    return f"{of} {counted(len(carry))} {_verb(carry, one, several)}: {listed(told)}{after}"


def _next(found: list[Head], carry: list[Head]) -> Head | None:
    """The strongest of the others."""
    return next((each for each in found if each not in carry), None)


def _unsure(found: list[Head], more: bool) -> Iterator[str]:
    """Heads of which the rule cannot tell, those that restore and those that work against it."""
    unsure = [one for one in found if one.carrying == "unsure"]
    ways = (
        ([one for one in unsure if one.value > 0], "5 %"),
        ([one for one in unsure if one.value < 0], "−5 %"),
    )
    told = [
        f"{counted(len(some))}{' more' * (more and not at)} {_verb(some, 'reaches', 'reach')} {far}"
        for at, (some, far) in enumerate((some, far) for some, far in ways if some)
    ]
    if told:
        said = listed(told)
        yield f"{said[0].upper()}{said[1:]}, but perhaps by chance."


def _blind(name: str, site: Site, carry: list[Head], cue: str) -> Iterator[str]:
    """Heads that carry the cue and hardly look at it: attention alone would miss them."""
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
        where = " at the step of the choice" if name == "cross" else ""
        yield (
            f"{listed(blind)} {_verb(blind, 'gives', 'give')} the {cue} less than the uniform "
            f"share of attention{where}, {uniform:.2f}."
        )


def _together(site: Site) -> Iterator[str]:
    taken = site["together"]
    if taken is None or len(taken["steps"]) < 2:
        return
    names = [f"{each['layer']}.{each['head']}" for each in taken["steps"]]
    which = listed(names) if len(names) <= _SHOWN else f"{len(names)} heads"
    yield (
        f"Together, {which}, chosen on {many(taken['chosen_on'], 'pair')}, restore "
        f"{share(taken['steps'][-1]['restored'])} of the gap on {taken['judged_on']:,} others, "
        "of other nouns."
    )


def _looks(site: Site, carry: list[Head]) -> Iterator[str]:
    """Would attention have found the heads that carry it? Their ranks say, and the AUC."""
    for each in site["agreements"]:
        if set(each["names"]) != {"attention", "effect"} or each["at"] == "noun":
            continue
        known = [one.name for one in carry if one.name in each["carriers"]][:_SHOWN]
        if known:
            ranks = listed([str(each["carriers"][name]) for name in known])
            auc = "" if each["auc"] is None else f" (AUC {rounded(each['auc'], 2)})"
            which = f"{listed(known)} {_verb(known, 'ranks', 'rank')}"
            yield f"By attention {which} {ranks} of {each['heads']}{auc}."
        elif each["rho"] is not None:
            yield f"Over all heads, attention and effect: {correlation(each)}."


def correlation(one: Agreement) -> str:
    """ρ with its interval and the ceiling that noise sets, and r."""
    parts = []
    if one["rho"] is not None:
        told = f"ρ = {rounded(one['rho'], 2)}"
        if one["low"] is not None and one["high"] is not None:
            within = ", ".join(rounded(each, 2) for each in (one["low"], one["high"]))
            told += f" [{within}] over {one['over']}"
        if one["ceiling"] is not None:
            told += f", at most {rounded(one['ceiling'], 2)} with this noise"
        parts.append(told)
    if one["r"] is not None:
        parts.append(f"r = {rounded(one['r'], 2)}")
    return "; ".join(parts) or "not known"


def _verb(things: list[Head] | list[str], one: str, several: str) -> str:
    return one if len(things) == 1 else several


def _is(n: int) -> str:
    return "is" if n == 1 else "are"
