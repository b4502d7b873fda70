"""How far does our reading of gender agree with native speakers, references and published verdicts?

Reads the reference data (CUESCOPE_DATA, or the folder given with --data) and prints, per language,
agreement and abstentions by the noun's own phrase and with pronouns (a native speaker judges the
whole sentence), and with --list every disagreement with our evidence.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from cuescope.data import reference
from cuescope.errors import CueScopeError, in_words
from cuescope.gender import Reading, locate, read
from cuescope.gender.reading import By
from cuescope.gender.romance.words import weigh
from cuescope.gender.words import words

MARK = re.compile(r"<([FM])>(.*?)</\1>")
LONG = {"M": "masculine", "F": "feminine", "male": "masculine", "female": "feminine"}
NEEDS = {"human": ["human"], "geneval": ["geneval"], "published": ["translations", "winomt"]}
Row = tuple[str, Reading | None, str]  # expected gender, our reading, what to show


def lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


def find(text: str, noun: str, lang: str) -> Reading | None:
    span = locate(text, noun, lang)
    return None if span is None else read(text, span, lang, noun=noun)


def human(data: Path, lang: str) -> Iterator[Row]:
    """Rows that a native speaker marked: entity found, masculine or feminine."""
    with (data / "human" / f"{lang}.csv").open(encoding="utf-8") as stream:
        for row in csv.reader(stream):
            if row[3] == "Y" and row[4] in ("M", "F"):
                noun = row[1].removeprefix("the ").removeprefix("The ").removeprefix("a ")
                yield LONG[row[4]], find(row[2], noun, lang), f"{row[0]} {noun}: {row[2]}"


def marked(line: str) -> Iterator[tuple[str, str, int, int]]:
    """The marked phrases of a line: its gender, the line without marks, and the phrase's place."""
    clean = re.sub(r"</?[FM]>", "", line)
    for match in MARK.finditer(line):
        start = len(re.sub(r"</?[FM]>", "", line[: match.start()]))
        phrase = match.group(2)
        lead = len(phrase) - len(phrase.lstrip())
        if phrase.strip():
            yield match.group(1), clean, start + lead, start + lead + len(phrase.strip())


def has_noun(phrase: str, lang: str) -> bool:
    """Counted: phrases with a listed noun, or with a determiner and some content word."""
    if lang not in ("es", "it", "pt", "fr"):
        return any(len(w.form) > 3 and w.form[0].isalpha() for w in words(phrase, lang))
    weights = [weigh(w.form, lang) for w in words(phrase, lang)]
    content = [w for w in weights if w.kind == "content"]
    return any(w.rule in ("noun form", "noun list") for w in content) or (
        bool(content) and any(w.kind == "determiner" for w in weights)
    )


def geneval(data: Path, lang: str, parity: int, nouns: bool) -> Iterator[Row]:
    """Marked phrases of the references, even or odd lines; `nouns`: only those with a noun."""
    for name in ("feminine", "masculine"):
        for i, line in enumerate(lines(data / "geneval" / f"{name}.en_{lang}.{lang}")):
            for mark, clean, start, end in marked(line) if i % 2 == parity else ():
                if not nouns or has_noun(clean[start:end], lang):
                    around = (
                        f"{name} {i} [{clean[start:end]}] {clean[max(0, start - 30) : end + 30]}"
                    )
                    yield LONG[mark], read(clean, (start, end), lang), around


def published(data: Path, name: str) -> Iterator[Row]:
    """Sentences with a published verdict; ours is located by the lexicon alone."""
    folder = data / "translations" / "opus-mt"
    verdicts = json.loads((folder / f"en-it.{name}.published.json").read_text("utf-8"))
    source = {"reg": "en", "pro": "en_pro", "anti": "en_anti"}[name]
    nouns = [line.split("\t")[3] for line in lines(data / "winomt" / f"{source}.txt")]
    texts = [line.split(" ||| ")[1] for line in lines(folder / f"en-it.{name}.txt")]
    for key, gender in (("male", "masculine"), ("female", "feminine")):
        for i in verdicts[f"predicted_{key}_indices"]:
            yield gender, find(texts[i], nouns[i], "it"), f"{i} {nouns[i]}: {texts[i]}"


def verdicts(data: Path, name: str, by: By = "phrase") -> dict[int, tuple[bool, bool, bool]]:
    """By line: is the published verdict right, is ours, and do they agree."""
    stored = json.loads(
        (data / "translations" / "opus-mt" / f"en-it.{name}.published.json").read_text("utf-8")
    )
    gold = {i: LONG[sex] for sex in ("male", "female") for i in stored[f"{sex}_indices"]}
    found = {}
    for theirs, reading, text in published(data, name):
        line = int(text.split()[0])
        if line in gold:
            ours = reading.by(by) if reading else "unknown"
            found[line] = (theirs == gold[line], ours == gold[line], ours == theirs)
    return found


def accuracy(data: Path) -> None:
    """Accuracy and minimal-pair accuracy, published and ours, where there is a verdict."""
    names = ("reg", "pro", "anti")
    both: tuple[By, ...] = ("phrase", "pronouns")
    sets = {(by, name): verdicts(data, name, by) for by in both for name in names}
    for name in names:
        n = len(sets["phrase", name])
        theirs = sum(v[0] for v in sets["phrase", name].values()) / n
        ours = [sum(v[1] for v in sets[by, name].values()) / n for by in both]
        _compared(f"accuracy it {name:16}", n, theirs, ours)
    twins = {
        by: [(sets[by, "pro"][i], sets[by, "anti"][i]) for i in sets[by, "pro"] if i in other]
        for by in both
        for other in [sets[by, "anti"]]
    }
    n = len(twins["phrase"])
    theirs = sum(a[0] and b[0] for a, b in twins["phrase"]) / n
    _compared(
        f"{'MPA it':28}", n, theirs, [sum(a[1] and b[1] for a, b in twins[by]) / n for by in both]
    )


def _compared(title: str, n: int, theirs: float, ours: list[float]) -> None:
    print(
        f"{title} n={n:5}  published {theirs:6.1%}  ours {ours[0]:6.1%}"
        f"  with pronouns {ours[1]:6.1%}"
    )


def report(title: str, rows: Iterator[Row], show: bool) -> Counter[str]:
    counts: Counter[str] = Counter()
    for expected, reading, text in rows:
        got = "unknown" if reading is None else reading.gender
        wider = "unknown" if reading is None else reading.with_pronouns
        counts["n"] += 1
        counts["agree"] += got == expected
        counts["with_pronouns"] += wider == expected
        counts["unknown"] += got == "unknown"
        counts["neutral"] += got == "neutral"
        counts["decided"] += got in ("masculine", "feminine")
        if show and got != expected:
            print(f"    {expected} | {reading or 'not found'} | {text}")
    n = max(counts["n"], 1)
    print(
        f"{title:28} n={counts['n']:5}  agree {counts['agree'] / n:6.1%}"
        f"  unknown {counts['unknown'] / n:5.1%}  neutral {counts['neutral'] / n:5.1%}"
        f"  of the decided {counts['agree'] / max(counts['decided'], 1):6.1%}"
        f"  with pronouns {counts['with_pronouns'] / n:6.1%}"
    )
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of the reference data")
    parser.add_argument("--only", choices=("human", "geneval", "published"))
    parser.add_argument("--lang", action="append", help="a language; all if absent")
    parser.add_argument("--list", action="store_true", help="print every disagreement")
    given = parser.parse_args()
    data = given.data or reference.folder()
    for needed in NEEDS[given.only] if given.only else [n for each in NEEDS.values() for n in each]:
        reference.find(needed, within=data)
    for lang in given.lang or ["es", "it", "pt", "fr", "de", "ru"]:
        for title, rows in jobs(data, lang, given.only):
            try:
                report(title, rows, given.list)
            except (CueScopeError, ModuleNotFoundError, FileNotFoundError) as problem:
                print(f"{title:28} left out: {str(problem).splitlines()[0]}")


def jobs(data: Path, lang: str, only: str | None) -> Iterator[tuple[str, Iterator[Row]]]:
    """What can be compared for a language."""
    if only in (None, "human") and lang in ("es", "it", "ru"):
        yield f"human {lang}", human(data, lang)
    if only in (None, "geneval"):
        for parity, nouns in ((0, True), (1, True), (0, False), (1, False)):
            title = f"geneval {lang} {'odd' if parity else 'even'} {'nouns' if nouns else 'all'}"
            yield title, geneval(data, lang, parity, nouns)
    if only in (None, "published") and lang == "it":
        for name in ("reg", "pro", "anti"):
            yield f"published it {name}", published(data, name)
        accuracy(data)


if __name__ == "__main__":
    in_words(main)
