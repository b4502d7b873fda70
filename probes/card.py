"""What do the claims about a model's heads stand? Their cards, as tables of Markdown.

Takes run folders of `cuescope investigate`, or of `--only effect,together,others,card`: what is
printed is what the runs found, a table for each site, a check a row, a head a column.

python probes/card.py [--brief] RUN [RUN …]        brief: values without their intervals
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from cuescope.errors import in_words
from cuescope.measures.card import CHECKS, Card
from cuescope.run.findings import read


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--brief", action="store_true")
    parser.add_argument("runs", nargs="+")
    args = parser.parse_args()
    for folder in args.runs:
        found = read(folder)
        model, data = found["model"]["name"].split("/")[-1], found["data"]["name"].partition(":")[0]
        print(f"### `{model}`, {data}\n")
        show([Card.from_json(one) for one in found["cards"]], args.brief)


def show(cards: Sequence[Card], brief: bool) -> None:
    """A table for each story."""
    if not cards:
        print("No head is said to carry the cue.\n")
    for story in dict.fromkeys(card.story for card in cards):
        here = [card for card in cards if card.story == story]
        print(f"Story *{story}*, measured on {here[0].measured_on}.\n")
        print("| check |", " | ".join(f"{card.site} {card.name}" for card in here), "|")
        print("|---|" + "---|" * len(here))
        for name in CHECKS:
            cells = [_cell(card, name, brief) for card in here]
            print(f"| {CHECKS[name].label} |", " | ".join(cells), "|")
        print()


def _cell(card: Card, name: str, brief: bool) -> str:
    """The verdict with the first numbers, or with what is lacking."""
    check = card[name]
    if check.verdict == "not measured":
        return "not measured" if brief else f"not measured: {check.why}"
    numbers = [
        f"{label} {one.shown().value if brief else one.shown()}"
        for label, one in check.numbers.items()
    ]
    failed = [check.why] if check.verdict == "fails" or not numbers else []
    return f"**{check.verdict}** " + "; ".join([*numbers[:5], *failed])


if __name__ == "__main__":
    in_words(main)
