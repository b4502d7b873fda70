"""Every reader of files, with a whole file to damage and what must hold of whatever it still reads.

A reading is right, or there is a `CueScopeError`; anything else that is raised is a fault, and so
is a value that the file does not hold.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

import cuescope as cs
import tiny
from cuescope.align.gold import read_gold
from cuescope.commands.causal import _forms
from cuescope.data import plain, translations
from cuescope.files.chunks import Log
from cuescope.gender.languages.tables import entries
from cuescope.gender.words import words
from cuescope.measures import relationships, simplegen
from cuescope.mend.mend import Mend
from cuescope.mend.store import hash_values
from cuescope.mend.store import load as load_mend
from cuescope.mend.store import save as save_mend
from cuescope.run import settings
from cuescope.run.store import Store
from cuescope.signature import Signature
from reader import Reader, file_in
from readers_findings import compared, findings_in, kept_findings, kept_score, reported, shown
from readers_models import (
    argos,
    configuration,
    ct2,
    ct2_config,
    hugging,
    marian,
    pickled,
    safetensors,
    shortlist,
    vocabulary,
)

TSV = (
    "text\tfocus\tgold\tpair\tstereotype\n"
    "The cook said that he was tired.\tcook\tmale\t1\tmale\n"
    "The cook said that she was tired.\tcook\tfemale\t1\tmale\n"
    "A nurse, née Århus, saw her dog.\t2:7\tfemale\t2\t\n"
    "A nurse, née Århus, saw his dog.\t2:7\tmale\t2\t\n"
)
ROWS = [
    dict(zip(TSV.split("\n")[0].split("\t"), line.split("\t"), strict=True))
    for line in TSV.split("\n")[1:-1]
]
SOURCES = [f"The cook number {n} said so." for n in range(12)]
YAML = (
    "model: firefox:en-pt\ndata: simplegen\nsites: &s [encoder, cross]\nsamples: 64\n"
    "epsilon: 0.02\nseed: 7\nruns:\n  - {out: a, sites: *s}\n  - {out: b, limit: 9}\n"
)
FACTS = Signature(model="m", seed=1)


def tsv(folder: Path) -> Reader:
    """A challenge set of one's own."""
    path = file_in(folder, "own.tsv", TSV)
    return Reader(path, lambda: _items(path))


def jsonl(folder: Path) -> Reader:
    """The same as JSON lines."""
    lines = [json.dumps({k: v for k, v in row.items() if v}, ensure_ascii=False) for row in ROWS]
    path = file_in(folder, "own.jsonl", "\n".join(lines) + "\n")
    return Reader(path, lambda: _items(path))


def _items(path: Path) -> None:
    items = plain.read(path)
    plain.pairs(path)
    text = path.read_bytes().decode("utf-8-sig")
    rows = [line for line in text.replace("\r\n", "\n").split("\n") if line.strip()]
    assert len(items) == len(rows) - (path.suffix == ".tsv")
    for item, row in zip(items, rows[path.suffix == ".tsv" :], strict=True):
        held = row if path.suffix == ".tsv" else str(json.loads(row)["text"])
        assert item.text in held
        assert item.text[slice(*item.focus)]
        assert item.gold in ("male", "female", "neutral")


def bars(folder: Path) -> Reader:
    """`source ||| translation` lines."""
    lines = [f"{source} ||| A cozinheira {n} disse.\n" for n, source in enumerate(SOURCES)]
    path = file_in(folder, "out.txt", "".join(lines))

    def read() -> None:
        found = translations.read(path, SOURCES)
        text = path.read_bytes().decode("utf-8-sig")
        assert len(found.texts) == len(SOURCES)
        assert all(one in text for one in found.texts)

    return Reader(path, read)


def columns(kind: str) -> Callable[[Path], Reader]:
    """Sources and translations beside each other: with tabs, or as JSON lines."""

    def make(folder: Path) -> Reader:
        said = [f"A cozinheira {n} disse." for n in range(len(SOURCES))]
        rows = list(zip(SOURCES, said, strict=True))
        lines = ["\t".join(row) for row in rows]
        if kind == "jsonl":
            lines = [json.dumps({"source": a, "translation": b}) for a, b in rows]
        path = file_in(folder, "out", "\n".join(lines) + "\n")

        def read() -> None:
            found = translations.read(path, SOURCES)
            assert len(found.texts) == len(SOURCES)

        return Reader(path, read)

    return make


def forms(folder: Path) -> Reader:
    """The two translations of each pair, as `patch --forms` takes them."""
    path = file_in(folder, "forms.tsv", "pair\tfeminine\tmasculine\n1\tA ré\tO réu\n2\tb\tc\n")

    def read() -> None:
        for pair in _forms(path, [1, 2]):
            assert all(pair)

    return Reader(path, read)


def lexicon(folder: Path) -> Reader:
    """A table of a language of one's own."""
    path = file_in(folder, "nouns.tsv", "# ours\nmechanic\tmecànic\tmecànica|x;y\nnurse\ta\tb\n")

    def read() -> None:
        for english, entry in entries(path).items():
            assert (english, entry.english) == (entry.english, english)
            assert all(isinstance(form, str) for form in entry.masculine)

    return Reader(path, read)


def csv_outputs(folder: Path) -> Reader:
    """Paper C's CSV."""
    import csv

    rows = [dict.fromkeys(relationships.COLUMNS, "x") for _ in range(6)]
    for row in rows:
        row |= {"subject_gender": "male", "relationship_gender": "female"}
        row["target_sent"] = "The lawyer, who is kind, kissed her wife."
    stream = io.StringIO()
    writer = csv.DictWriter(stream, relationships.COLUMNS)
    writer.writeheader()
    writer.writerows(rows)
    path = file_in(folder, "out.csv", stream.getvalue())

    def read() -> None:
        frame = relationships.read(path)
        assert set(frame["gender"]) <= {"male", "female", "unknown"}
        assert len(frame) <= len(path.read_bytes().splitlines())

    return Reader(path, read)


def dictionary(folder: Path) -> Reader:
    """SimpleGEN's dictionary of forms."""
    path = file_in(folder, "d.csv", "english,m,f\ncook,cozinheiro|chefe,cozinheira\nnurse,a,b\n")
    return Reader(path, lambda: simplegen.dictionary(path))


def yaml_settings(folder: Path) -> Reader:
    """Settings."""
    path = file_in(folder, "c.yaml", YAML)

    def read() -> None:
        for one in settings.load(path):
            json.dumps(one.to_json(), allow_nan=False).encode()
            assert 0 <= one.epsilon < 1
            assert one.samples >= 2

    return Reader(path, read)


def _scores() -> Any:
    import pandas as pd

    from cuescope.stats.scores import Scores

    rows = pd.DataFrame({"text": ["a", "é"], "pair": [3, 4], "ok": [True, False]})
    return Scores(np.array([[[0.1, 0.5]], [[1 / 3, -2.0]]]), "encoder", "effect", rows, unit="pair")


def kept(kind: str) -> Callable[[Path], Reader]:
    """A file of a run folder: what was written, or made anew."""

    def make(folder: Path) -> Reader:
        def read() -> None:
            store = Store(folder)
            if kind == "jsonl":
                lines = store.lines("x", FACTS, SOURCES, _lines, chunk=4)
                assert lines == _lines(SOURCES)
            elif kind == "npz":
                made = store.scores("x", FACTS, _scores)
                assert made.values.tolist() == _scores().values.tolist()
                assert made.rows.to_dict() == _scores().rows.to_dict()
            else:
                assert store.json("x", FACTS, lambda: {"é": [1.5, None]}) == {"é": [1.5, None]}

        folder.mkdir(parents=True, exist_ok=True)
        read()
        return Reader(folder / f"x.{kind}", read)

    return make


def chunk_log(folder: Path) -> Reader:
    """The chunks of what is being measured: each as it was made, or made anew."""
    path = file_in(folder, "x.part.jsonl", "")
    made = {f"chunk {n}": {"n": n, "values": np.arange(3.0) / (n + 1)} for n in range(5)}

    def read() -> None:
        log = Log(path, str(FACTS))
        for label, chunk in made.items():
            found = log.take(label, lambda chunk=chunk: chunk)
            assert (found["n"], *found["values"]) == (chunk["n"], *chunk["values"])

    read()
    return Reader(path, read)


def _lines(some: Any) -> list[dict[str, Any]]:
    return [{"source": text, "n": len(text)} for text in some]


def mend(folder: Path) -> Reader:
    """A mend."""
    folder.mkdir(parents=True, exist_ok=True)
    values = {"encoder.0.0": torch.arange(12.0).reshape(3, 4)}
    made = Mend("tuned", "m", "0123456789ab", {"encoder": [(0, 0)]}, values=values)
    save_mend(made, folder / "a.mend")
    truth = load_mend(folder / "a.mend")

    def read() -> None:
        found = load_mend(folder / "a.mend")
        assert hash_values(found.values) == hash_values(truth.values)
        assert (found.kind, found.heads) == (truth.kind, truth.heads)

    return Reader(folder / "a.mend", read)


def gold(folder: Path) -> Reader:
    """Links marked by hand."""
    text = "# gold\nThe cook sleeps .\tA cozinheira dorme .\t0-0 1-1 2-2 3-3\nA b\tc d\t0-1\n"
    path = file_in(folder, "en-pt.tsv", text)

    def read() -> None:
        for one in read_gold(path):
            assert all(i >= 0 and j >= 0 for i, j in one.links)

    return Reader(path, read)


def spans(folder: Path) -> Reader:
    """Sentences: where words stand among sub-words."""
    made = hugging(folder / "m")
    mt = cs.load(str(made), src="en", tgt="pt", check=False)
    path = file_in(folder, "text", "\n".join(tiny.SENTENCES))

    def read() -> None:
        text = path.read_bytes().decode("utf-8", "surrogateescape")
        for line in text.split("\n"):
            for encoding in (mt.tokenise(line), mt.tokenise_target(line)):
                ends = [at for at in encoding.offsets if at is not None]
                assert all(0 <= a <= b <= len(line) for a, b in ends)
                assert ends == sorted(ends)
            for word in words(line, "pt"):
                assert line[word.start : word.end]
                positions = mt.tokenise(line).positions(word.start, word.end)
                start, end = mt.tokenise(line).span(positions)
                assert start <= word.start < word.end <= end

    return Reader(path, read)


READERS: dict[str, Callable[[Path], Reader]] = {
    "marian": marian,
    "sentencepiece": vocabulary,
    "ctranslate2": ct2,
    "ctranslate2 config": ct2_config,
    "argosmodel": argos,
    "shortlist": shortlist,
    "safetensors": safetensors,
    "pytorch bin": pickled,
    "config.json": configuration,
    "tsv set": tsv,
    "jsonl set": jsonl,
    "||| file": bars,
    "tsv outputs": columns("\t"),
    "jsonl outputs": columns("jsonl"),
    "forms": forms,
    "lexicon": lexicon,
    "csv outputs": csv_outputs,
    "dictionary": dictionary,
    "yaml settings": yaml_settings,
    "findings": kept_findings,
    "findings in show": findings_in(shown),
    "findings in report": findings_in(reported),
    "findings in compare": findings_in(compared),
    "kept score": kept_score,
    "run folder json": kept("json"),
    "run folder jsonl": kept("jsonl"),
    "run folder npz": kept("npz"),
    "run folder part": chunk_log,
    "mend": mend,
    "gold links": gold,
    "spans": spans,
}
