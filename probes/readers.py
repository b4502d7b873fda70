"""The readers of gender against all reference data: what a change of rules must not lower.

Native speakers, MT-GenEval's references, paper A's published verdicts, and how many nouns are not
found in Google's, OPUS-MT's and Firefox's translations of WinoMT (with --unknown: which).

    python probes/readers.py [--lang it] [--unknown FILE]
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from cuescope.data import reference
from cuescope.errors import in_words
from cuescope.gender.reading import Reading
from cuescope.run.score import Score, score
from gender_agreement import geneval, human

SETS = ("reg", "pro", "anti")
LANGUAGES = ("es", "it", "pt", "fr", "de", "ru", "uk")
LONG = (("male", "masculine"), ("female", "feminine"))


def share(hits: int, n: int) -> str:
    return f"{100 * hits / max(n, 1):7.3f} % ({hits}/{n})"


def agreement(title: str, rows: Iterator[tuple[str, Reading | None, str]]) -> None:
    """Rows of an expected gender and our reading: agreement by phrase and with pronouns."""
    judged = [(expected, reading) for expected, reading, _ in rows]
    by = {
        what: sum(reading is not None and reading.by(what) == gold for gold, reading in judged)
        for what in ("phrase", "pronouns")
    }
    n = len(judged)
    print(f"{title:24} phrase {share(by['phrase'], n)}  pronouns {share(by['pronouns'], n)}")


def published(result: Score) -> None:
    """Agreement with paper A's verdicts that are not unknown, by gender and by right / wrong."""
    hits, n = Counter[str](), 0
    for name in SETS:
        path = reference.find("translations", "opus-mt", f"en-it.{name}.published.json")
        theirs = {key: set(lines) for key, lines in json.loads(path.read_text("utf-8")).items()}
        known = {i: gender for key, gender in LONG for i in theirs[f"predicted_{key}_indices"]}
        for v in result.sets[name]:
            if v.item.line in known:
                n += 1
                right = v.item.line in theirs["correct_indices"]
                hits["gender"] += v.reading.gender == known[v.item.line]
                hits["right"] += v.correct == right
                hits["gender, pronouns"] += v.reading.with_pronouns == known[v.item.line]
                hits["right, pronouns"] += v.correct_by("pronouns") == right
    for what, k in hits.items():
        print(f"paper A {what:16} {share(k, n)}")


def outputs() -> dict[tuple[str, str], dict[str, Path]]:
    """The stored translations by system and language."""
    folder = reference.find("translations")
    found = {("google", lang): {"reg": folder / "google" / f"en-{lang}.txt"} for lang in LANGUAGES}
    found = {key: files for key, files in found.items() if files["reg"].exists()}
    for system, lang in (("opus-mt", "it"), ("firefox", "pt")):
        found[system, lang] = {name: folder / system / f"en-{lang}.{name}.txt" for name in SETS}
    return found


def unknown(system: str, lang: str, result: Score, seconds: float) -> list[str]:
    verdicts = [v for each in result.sets.values() for v in each if not v.skipped]
    counts = Counter(v.reading.gender for v in verdicts)
    shown = "  ".join(f"{g} {counts[g]}" for g in ("masculine", "feminine", "neutral"))
    missing = share(counts["unknown"], len(verdicts))
    print(f"{system:8} {lang}  unknown {missing}  {shown}  {seconds:.1f} s CPU", flush=True)
    return [
        f"{system} {lang} {v.item.line}\t{v.item.noun}\t{v.translation}\t{v.reading.reason}"
        for v in verdicts
        if v.reading.gender == "unknown"
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lang", action="append", help="a language; all if absent")
    parser.add_argument("--unknown", type=Path, help="write the nouns that were not found here")
    given = parser.parse_args()
    chosen = given.lang or LANGUAGES
    data, listed = reference.folder(), list[str]()
    for lang in chosen:
        if lang in ("es", "it", "ru"):
            agreement(f"human {lang}", human(data, lang))
        if lang != "uk":
            agreement(
                f"MT-GenEval {lang}",
                (row for parity in (0, 1) for row in geneval(data, lang, parity, nouns=False)),
            )
    for (system, lang), files in outputs().items():
        if lang in chosen:
            begin = time.process_time()
            result = score("winomt", files, lang)
            listed += unknown(system, lang, result, time.process_time() - begin)
            if system == "opus-mt":
                published(result)
    if given.unknown:
        given.unknown.write_text("\n".join(listed) + "\n", "utf-8")


if __name__ == "__main__":
    in_words(main)
