"""Is our float port of Firefox's model the model? Against its native int8 engine, all sentences.

Prints the share of WinoMT translations that are the same word for word, and BLEU on FLORES dev
for both. The native engine quantises activations too, so near-ties fall differently.
"""

from __future__ import annotations

import argparse

import sacrebleu

import cuescope as cs
from cuescope.data import reference
from cuescope.errors import in_words


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.parse_args()
    translations, flores = reference.find("translations", "firefox"), reference.find("flores")
    mt = cs.load("firefox:en-pt")
    total = same = 0
    for name in ("reg", "pro", "anti"):
        text = (translations / f"en-pt.{name}.txt").read_text("utf-8")
        sources, native = zip(*(line.split(" ||| ") for line in text.splitlines()), strict=True)
        equal = sum(a == b for a, b in zip(mt.translate(sources), native, strict=True))
        print(
            f"WinoMT {name:4}  {equal:5,} of {len(sources):5,}  {100 * equal / len(sources):.2f} %"
        )
        total, same = total + len(sources), same + equal
    print(f"WinoMT all   {same:5,} of {total:5,}  {100 * same / total:.2f} %")
    lines = {
        name: (flores / f"en-pt.dev.{name}").read_text("utf-8").splitlines()
        for name in ("en", "pt", "native.pt")
    }
    for who, output in (("cuescope", mt.translate(lines["en"])), ("native", lines["native.pt"])):
        print(f"FLORES dev BLEU {who:8}  {sacrebleu.corpus_bleu(output, [lines['pt']]).score:.2f}")


if __name__ == "__main__":
    in_words(main)
