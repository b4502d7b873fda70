"""A run that is stopped at ten places of every stage: at most one chunk of work is done twice."""

from __future__ import annotations

import re
import shutil
from contextlib import contextmanager

import numpy as np
import pytest

import cuescope as cs
import tiny
from cuescope import files
from cuescope.errors import CueScopeError
from cuescope.files import chunks
from cuescope.inside.effect.edges import Node, flow
from cuescope.inside.effect.plans import Edit, climb
from cuescope.models import translator
from cuescope.run import stages
from cuescope.run.settings import Settings
from test_cli import run

NOUNS = {  # English: Portuguese, masculine and feminine
    "mechanic": ("O mecânico", "A mecânica"),
    "nurse": ("O enfermeiro", "A enfermeira"),
    "engineer": ("O engenheiro", "A engenheira"),
    "cook": ("O cozinheiro", "A cozinheira"),
}
ENDS = {"ate": "comeu", "slept": "dormiu"}
SETTINGS = Settings(
    "tiny",
    data="given",
    heads=6,
    sets=2,
    samples=4,
    examples=1,
    exact=0.2,
    measures=("ge",),
    lang="pt",
)
PLACES = 10


@pytest.fixture(scope="module")
def mt(tmp_path_factory):
    known = {
        f"The {noun} {verb} before {cue} left.": f"{NOUNS[noun][cue == 'she']} {said}."
        for noun in NOUNS
        for verb, said in ENDS.items()
        for cue in ("he", "she")
    }
    return cs.load(tiny.taught(tmp_path_factory.mktemp("model"), known, "pt"), tgt="pt")


@pytest.fixture(scope="module")
def pairs():
    return cs.pairs(
        [
            (f"The {noun} {verb} before {cue} left.", noun, cue)
            for noun in NOUNS
            for verb in ENDS
            for cue in ("he", "she")
        ]
    )


class Work:
    """Counts what the model does, and when a chunk is on the disk; stops when it is told to."""

    def __init__(self, mt, monkeypatch):
        self.done, self.stop, self.saved = 0, None, [0]
        module = mt.engine.module
        for part in ("encode", "decode", "step"):
            real = getattr(type(mt.engine), part)
            monkeypatch.setattr(type(mt.engine), part, self._counted(real))
        assert module is not None
        real_append = files.append

        def append(path, text):
            real_append(path, text)
            self.saved.append(self.done)

        for where in (files, chunks):
            monkeypatch.setattr(where, "append", append)

    def _counted(self, real):
        def call(*args, **options):
            if self.stop is not None and self.done >= self.stop:
                self.stop = None
                raise KeyboardInterrupt
            self.done += 1
            return real(*args, **options)

        return call

    @contextmanager
    def counting(self):
        """Counts from here on."""
        self.done, self.saved = 0, [0]
        yield
        self.saved.append(self.done)

    @property
    def chunk(self):
        """The most that was done between two chunks on the disk."""
        return max(b - a for a, b in zip(self.saved, self.saved[1:], strict=False))


@pytest.fixture
def work(mt, monkeypatch):
    real = translator.by_length

    def two(lengths, size, each=1):
        return real(lengths, min(size, 2), each)

    for name in ("models.translator", "inside.effect.attribution", "inside.read.attention"):
        monkeypatch.setattr(f"cuescope.{name}.by_length", two)
    return Work(mt, monkeypatch)


def opened(mt, pairs, folder):
    return cs.investigate(mt, pairs, out=folder, settings=SETTINGS, batch_size=2)


@pytest.fixture(scope="module")
def rows(tmp_path_factory, pairs):
    """The same pairs as a file, with three bad lines among them."""
    path = tmp_path_factory.mktemp("data") / "mine.tsv"
    lines = ["text\tfocus\tcue\tgold\tpair"]
    for pair in pairs:
        for item in pair:
            cue = item.text[slice(*item.cue)]
            lines.append(f"{item.text}\t{item.noun}\t{cue}\t{item.gold}\t{pair.index}")
    long = " and ".join(["he slept"] * 900)
    lines[3:3] = ["half a line", f"The cook said that {long}.\tcook\t4:8\tmale\t90"]
    lines.append("The cook ate.\tbaker\tshe\tfemale\t91")
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


OPTIONS = ("--lang", "pt", "--skip-bad", "--only", "attention,effect", "--heads", "4")


@pytest.mark.slow
def test_the_command_says_where_it_stopped_and_goes_on(mt, rows, work, tmp_path):
    """Ctrl-C, `show`, and the same command again."""
    words = ("investigate", mt.name, "--data", rows, "--out", tmp_path / "run", *OPTIONS)
    work.stop = 110
    stopped = run(*words)
    assert stopped.returncode == 130
    stage = re.search(r"stopped: ([^,\n]*)", stopped.stderr)[1]
    assert stage in ("attention of noun to cue", "patching every head")
    assert f"to go on: cuescope investigate {mt.name}" in stopped.stderr
    assert "1/3 translating both twins" in stopped.stderr  # no screen: a line a stage
    shown = run("show", tmp_path / "run")
    assert shown.returncode == 0
    assert f"begun last: {stage}" in shown.stdout
    assert "to go on:   cuescope investigate" in shown.stdout
    done = run(*words)
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "run" / "unfinished.json").exists()
    assert "not finished" not in run("show", tmp_path / "run").stdout
    for bad in ("line 4: wrong number of columns", "line 5: too long for", "line 20: the focus"):
        assert f"skipped: {rows}, {bad}" in done.stderr
    assert run(*(word for word in words if word != "--skip-bad")).returncode == 2


@pytest.mark.slow
def test_bad_lines_stay_without_a_translation_and_are_named(mt, tmp_path):
    given, out = tmp_path / "in.txt", tmp_path / "out.txt"
    long = " and ".join(["he slept"] * 900)
    given.write_text(f"The cook ate before he left.\n\nA ||| b\n{long}\n", "utf-8")
    assert run("translate", mt.name, "--in", given, "--out", out).returncode == 2
    done = run("translate", mt.name, "--in", given, "--out", out, "--skip-bad")
    assert done.returncode == 0
    lines = out.read_text("utf-8").splitlines()
    assert [bool(line.partition("|||")[2].strip()) for line in lines] == [True, False, False, False]
    for line in (2, 3, 4):
        assert f"skipped: {given}, line {line}: " in done.stderr


@pytest.mark.slow
def test_a_broken_stage_loses_one_chunk_at_most(mt, pairs, work, tmp_path):
    """Stage after stage: done whole, then stopped at ten places and begun again."""
    whole = tmp_path / "whole"
    told = {}
    for stage in (stages.TRANSLATE, *stages.STAGES):
        before = tmp_path / "before"
        shutil.rmtree(before, ignore_errors=True)
        if whole.is_dir():
            shutil.copytree(whole, before)

        def carry_out(folder, stage=stage):
            return stage.make(opened(mt, pairs, folder), lambda done: None)

        with work.counting():
            expected = carry_out(whole)
        amount, chunk = work.done, work.chunk
        told[stage.name] = (amount, chunk)
        for place in sorted({amount * n // PLACES for n in range(PLACES)} if amount else ()):
            folder = tmp_path / "broken"
            shutil.rmtree(folder, ignore_errors=True)
            if before.is_dir():
                shutil.copytree(before, folder)
            work.done, work.stop = 0, place
            with pytest.raises(KeyboardInterrupt):
                carry_out(folder)
            again = carry_out(folder)
            assert work.done - amount <= chunk, (stage.name, place, told)
            assert repr(again) == repr(expected), (stage.name, place)
            assert not list(folder.glob(f"*{chunks.KIND}"))
    for name in ("effect", "attribution", "together", "others", "card"):
        amount, chunk = told[name]
        assert not amount or chunk <= amount / 3, told  # a chunk is a small part of a stage


@pytest.mark.slow
def test_cards_and_circuits_are_kept_in_chunks_too(mt, pairs, work, tmp_path):
    """Climbs under plans, and the paths between heads: what these stages are made of."""
    twins = mt.twins(pairs)
    nodes = [Node("encoder", 0, 0), Node("cross", 0, 1)]
    jobs = {
        "plans": lambda: climb(
            mt, twins, [[Edit("encoder", 0, head)] for head in range(4)], "male"
        ),
        "paths": lambda: flow(mt, list(twins), nodes, "male"),
    }
    for name, job in jobs.items():
        with work.counting(), chunks.keeping(tmp_path / "whole", "facts"):
            expected = job()
        amount, chunk = work.done, work.chunk
        assert chunk < amount
        for place in sorted({amount * n // PLACES for n in range(PLACES)}):
            work.done, work.stop = 0, place
            with pytest.raises(KeyboardInterrupt), chunks.keeping(tmp_path / name, "facts"):
                job()
            with chunks.keeping(tmp_path / name, "facts"):
                again = job()
            assert repr(again) == repr(expected)
            if name == "plans":
                assert work.done - amount <= chunk


def test_a_log_of_other_facts_or_another_order_is_not_taken(tmp_path):
    path = tmp_path / "x.part.jsonl"
    with pytest.raises(KeyboardInterrupt), chunks.keeping(path, "a"):  # noqa: PT012
        chunks.kept("one", lambda: [np.arange(3.0), {"x": [1, "y"]}])
        chunks.kept("two", lambda: "second")
        raise KeyboardInterrupt
    made = []

    def again(facts, *labels):
        with pytest.raises(KeyboardInterrupt), chunks.keeping(path, facts):  # noqa: PT012
            for label in labels:
                chunks.kept(label, lambda label=label: made.append(label) or label)
            raise KeyboardInterrupt
        found, made[:] = made[:], []
        return found

    assert again("a", "one", "two", "three") == ["three"]
    text = path.read_text("utf-8")
    path.write_text(text.replace("second", "sec0nd"), "utf-8")  # a damaged line ends it
    assert again("a", "one", "two", "three") == ["two", "three"]
    assert again("a", "one", "other", "three") == ["other", "three"]
    assert again("b", "one") == ["one"]
    with chunks.keeping(path, "b"):
        assert chunks.kept("one", lambda: "anew") == "one"
    assert not path.exists()


def test_arrays_come_back_bit_for_bit(tmp_path):
    path = tmp_path / "x.part.jsonl"
    values = np.random.default_rng(0).normal(size=(3, 2)).astype(np.float32)
    for _ in range(2):
        with pytest.raises(CueScopeError), chunks.keeping(path, "a"):  # noqa: PT012
            found = chunks.kept("one", lambda: values)
            raise CueScopeError("stop")
        assert found.dtype == values.dtype
        np.testing.assert_array_equal(found, values)
