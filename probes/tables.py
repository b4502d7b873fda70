"""The tables of docs/card.md, circuit.md and selectivity.md, made from the runs themselves.

Two models, SimpleGEN and WinoMT: the heads on their cards, the paths between them, what they do to
the other person. What is kept in the folder is not measured again.

python probes/tables.py FOLDER                     measure what is lacking, print all tables
python probes/tables.py FOLDER --into docs         … and put them into the pages
python probes/tables.py --only-print RUN [RUN …]   the tables of given run folders
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from cuescope.data import reference
from cuescope.errors import CueScopeError, in_words
from cuescope.measures.card import CHECKS, Card
from cuescope.run.card import transfer_of
from cuescope.run.elsewhere import effects_in, of_story
from cuescope.run.findings import Findings, GridOf, Number, number, read
from cuescope.run.store import about_of
from cuescope.signature import Signature
from cuescope.stats.shown import shown

STAGES = "effect,others,together,card,circuit"


class Made(NamedTuple):
    """A run behind the tables: how many pairs are translated (0: all), and how many looked into."""

    model: str
    data: str
    limit: int
    heads: int


RUNS = {
    "firefox-simplegen": Made("firefox:en-pt", "simplegen", 0, 240),
    "firefox-winomt": Made("firefox:en-pt", "winomt", 200, 60),
    "opus-simplegen": Made("opus-mt-en-fr", "simplegen", 200, 90),
    "opus-winomt": Made("opus-mt-en-fr", "winomt", 160, 60),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--only-print", action="store_true", help="the folders are runs")
    parser.add_argument("--into", type=Path, help="the folder of the pages")
    args = parser.parse_args()
    if args.only_print:
        runs = args.folders
    else:
        runs = [args.folders[0] / name for name in RUNS]
        for name in RUNS:
            measure(args.folders[0], name)
    found = {folder: read(folder) for folder in runs}
    for page, make in TABLES.items():
        text = "\n".join(
            line for one in found.values() for line in (f"### {title(one)}", "", *make(one))
        )
        if page == "card":
            text += "\n".join(["", "### In the other set", "", *transfer(found)])
        if args.into:
            put(args.into / f"{page}.md", text)
        else:
            print(f"## {page}\n\n{text}")


def measure(folder: Path, name: str) -> None:
    """One run by the command; its cards look the heads up in the model's run on the other set."""
    one = RUNS[name]
    where = {"winomt": lambda: f"winomt:{reference.find('winomt', 'en.txt').parent}"}
    model = one.model if ":" in one.model else str(reference.model(one.model))
    data = where.get(one.data, lambda: one.data)()
    sizes = ["--limit", str(one.limit), "--heads", str(one.heads), "--out", str(folder / name)]
    command = [sys.executable, "-m", "cuescope", "investigate", model, "--data", data, *sizes]
    beside = [n for n, other in RUNS.items() if other.model == one.model and n != name]
    there = [folder / n for n in beside if (folder / n / "effect-encoder-male.npz").is_file()]
    looked = [part for place in there for part in ("--transfer", str(place))]
    subprocess.run([*command, "--only", STAGES, *looked], check=True)


def put(page: Path, text: str) -> None:
    """Between the marks of the page."""
    begin, end = "<!-- tables: begin -->", "<!-- tables: end -->"
    before, found, rest = page.read_text("utf-8").partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise CueScopeError(f"{page}: no place for the tables", expected=f"{begin} … {end}")
    page.write_text(f"{before}{begin}\n{text.rstrip()}\n{end}{after}", "utf-8")


def title(found: Findings) -> str:
    model, data = found["model"]["name"].split("/")[-1], found["data"]["name"].partition(":")[0]
    sets = {"simplegen": "SimpleGEN", "winomt": "WinoMT"}
    return f"`{model}`, {sets.get(data, data)}"


def cards(found: Findings) -> Iterator[str]:
    """A table for each story: a check a row, a head a column."""
    every = [Card.from_json(one) for one in found["cards"]]
    if not every:
        yield "No head is said to carry the cue.\n"
    for story in dict.fromkeys(card.story for card in every):
        here = [card for card in every if card.story == story]
        yield f"Story *{story}*, measured on {here[0].measured_on}.\n"
        rows = [[CHECKS[name].label, *(checked(card, name) for card in here)] for name in CHECKS]
        yield from table(["check", *(f"{card.site} {card.name}" for card in here)], rows)


def checked(card: Card, name: str) -> str:
    """The verdict with the first numbers, and with what is lacking."""
    check = card[name]
    if check.verdict == "not measured":
        return "not measured"
    numbers = [f"{label} {percent(number(one))}" for label, one in check.numbers.items()]
    failed = [check.why] if check.verdict == "fails" or not numbers else []
    return f"**{check.verdict}** " + "; ".join([*numbers[:6], *failed])


def transfer(found: Mapping[Path, Findings]) -> Iterator[str]:
    """What the heads that have a card do in the other set, in pairs of the same story."""
    rows = []
    for folder, told in found.items():
        weights = about_of(folder)["weights"]
        same = [o for o in found if o != folder and about_of(o)["weights"] == weights]
        signature = Signature({"weights": weights})
        names = [str(one) for one in same]
        there = effects_in(names, signature, ["encoder", "cross", "decoder"], "")
        for card in map(Card.from_json, told["cards"]):
            for effects in there.values():
                scores = of_story(effects[card.site], card.story)  # type: ignore[arg-type]
                check = transfer_of({"there": scores}, (card.layer, card.head))
                own = percent(number(card["carries"].numbers["effect"]))
                other = [f"{percent(number(one))}, {one.n} pairs" for one in check.numbers.values()]
                name = f"{card.site} {card.name}, *{card.story}*"
                cells = [own, *(other or [f"{len(scores)} pairs: too few to ask"])]
                rows.append([title(told), name, *cells, check.verdict if other else ""])
    yield from table(["found in", "head", "there", "in the other set", ""], rows)


def circuit(found: Findings) -> Iterator[str]:
    """The heads, and the paths that move 1 % of the gap or more."""
    told = found.get("circuit")
    if not isinstance(told, dict):
        yield f"No circuit: {told or 'not measured'}.\n"
        return
    fresh = "none of those" if told["apart"] else "some of those"
    pairs = f"{told['pairs']} pairs, {fresh} on which the heads were found"
    yield f"Story *{told['story']}*, {pairs}.\n"
    rows = []
    for one in told["heads"]:
        start = "choice" if one["site"] == "cross" else "noun"
        looks = sorted(one["looks"].get(start, {}).items(), key=lambda each: -each[1])[:2]
        words = [
            f"*{w['word']}* {100 * w['weight']:.0f} %" for w in one["words"].get(start, [])[:2]
        ]
        seen = ", ".join(f"{spot} {100 * share:.0f} %" for spot, share in looks)
        rows.append([one["name"], percent(one["total"]), seen, ", ".join(words)])
    yield from table(
        ["head", "total", "looks at, from the noun (choice)", "words it prefers"], rows
    )
    paths = [one for one in told["edges"] if one["where"] == "all"]
    strong = [one for one in paths if abs(one["effect"]["value"] or 0) >= 0.01]
    rows = []
    for one in sorted(strong, key=lambda one: -abs(one["effect"]["value"] or 0)):
        key = (one["sender"], one["receiver"], one["by"])
        at = {
            e["where"]: percent(e["effect"])
            for e in told["edges"]
            if (e["sender"], e["receiver"], e["by"]) == key
        }
        spots = [at.get(spot, "") for spot in ("noun", "cue", "end", "other")]
        rows.append([f"{key[0]} → {key[1]}", one["by"], percent(one["effect"]), *spots])
    yield from table(["path", "by", "all", "at the noun", "cue", "end", "other"], rows)


def selectivity(found: Findings) -> Iterator[str]:
    """What the cue, and each head that carries it, does to the other person."""
    told = found.get("selectivity")
    if not told:
        yield "No choice at the other person's noun was looked at.\n"
        return
    yield f"{told['pairs']} pairs, *{told['story']}*.\n"
    first = next(iter(told["sites"].values()))
    rows = [["the cue itself", "", "", plain(first["whole"])]]
    for name, site in told["sites"].items():
        known = found["heads"].get(told["story"], {}).get(name)
        words = known["carrying"] if known else {}
        for one in (one for one, word in words.items() if word == "carries"):
            at = tuple(map(int, one.split(".")))
            on, off, spill = (head(site[grid], *at) for grid in ("on", "off", "spill"))  # type: ignore[literal-required]
            rows.append([f"{name} {one}", percent(on), percent(off), plain(spill)])
    yield from table(["", "on target", "off target", "spill-over"], rows)


def head(grid: GridOf, layer: int, at: int) -> Number:
    value, low, high = (grid[name][layer][at] for name in ("scores", "low", "high"))  # type: ignore[literal-required]
    return {"value": value, "low": low, "high": high, "n": grid["n"]}


def percent(one: Number) -> str:
    small = abs(one["value"] or 0) < 0.0995
    return _shown(one, "share", 1 if small else 0, " %")


def plain(one: Number) -> str:
    return _shown(one, "number", 2, "")


def _shown(one: Number, unit: str, digits: int, sign: str) -> str:
    if one["value"] is None:
        return "–"
    ends = (one["low"], one["high"])
    return str(shown(one["value"], *ends, unit=unit, digits=digits, sign=sign, minus="−"))  # type: ignore[arg-type]


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


TABLES: dict[str, Callable[[Findings], Iterator[str]]] = {
    "card": cards,
    "circuit": circuit,
    "selectivity": selectivity,
}


if __name__ == "__main__":
    in_words(main)
