"""verify: a run comes out again; what was changed is found, a near-tie is named."""

from __future__ import annotations

import shutil
from dataclasses import replace

import numpy as np
import pytest

import cuescope as cs
from cuescope.run import findings, stages, verify
from cuescope.run.kept_files import packed_lines, packed_scores, read_lines, read_scores
from small_run import SmallRun


@pytest.fixture(scope="module")
def made(tmp_path_factory, small_model):
    """A small run in a folder, its model and its pairs."""
    work = SmallRun(small_model)
    folder = tmp_path_factory.mktemp("verified") / "run"
    run = cs.investigate(work.mt, work.pairs, out=folder, settings=work.settings)
    findings.write(folder, stages.findings(run, work.settings.only))
    return folder, work.mt, work.pairs


def compared(folder, mt, pairs, **options):
    use = verify.settings_of(findings.read(folder))
    return list(verify.verify(folder, verify.opened(folder, mt, pairs, use), **options))


@pytest.fixture
def copy(made, tmp_path):
    folder, mt, pairs = made
    shutil.copytree(folder, tmp_path / "run")
    return tmp_path / "run", mt, pairs


def test_a_run_comes_out_again_and_nothing_is_touched(copy):
    folder, mt, pairs = copy
    before = {path: path.read_bytes() for path in folder.iterdir()}
    found = compared(folder, mt, pairs, share=0.5)
    assert {one.what for one in found} >= {"translations", "samples", "attention-encoder"}
    assert "effect-encoder-male" in {one.what for one in found}
    assert all(one.ok for one in found), found
    assert all(one.anew == -(-one.total // 2) for one in found)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_the_settings_come_back(made):
    folder, *_ = made
    use = verify.settings_of(findings.read(folder))
    assert (use.samples, use.sites, use.data) == (4, ("encoder",), "simplegen")


def test_another_translation_is_found_and_a_near_tie_is_named(copy, monkeypatch):
    folder, mt, pairs = copy
    facts, lines = read_lines(folder / "translations.jsonl")
    other = {**lines[0], "ids": lines[1]["ids"]}
    text = packed_lines([{"facts": facts}, other, *lines[1:]], 0)
    (folder / "translations.jsonl").write_text(text, "utf-8")
    first = compared(folder, mt, pairs, share=1)[0]
    assert not first.ok
    assert lines[0]["source"] in first.differing[0]
    monkeypatch.setattr(verify, "TIE", 1e9)
    first = compared(folder, mt, pairs, share=1)[0]
    assert first.ok
    assert "apart" in first.ties[0]


def test_another_number_is_found(copy):
    folder, mt, pairs = copy
    path = folder / "effect-encoder-male.npz"
    kept = read_scores(path)
    path.write_bytes(packed_scores(replace(kept, values=kept.values + 0.01), ""))
    wrong = [one.what for one in compared(folder, mt, pairs, share=1) if not one.ok]
    assert wrong == ["effect-encoder-male"]


def test_another_model_or_set_is_refused(copy):
    folder, mt, pairs = copy
    use = verify.settings_of(findings.read(folder))
    lines = read_lines(folder / "translations.jsonl")[1]
    (folder / "translations.jsonl").write_text(
        packed_lines([{"facts": "weights:x"}, *lines], 0), "utf-8"
    )
    with pytest.raises(cs.CueScopeError, match="another model"):
        verify.opened(folder, mt, pairs, use)


def test_sentences_that_are_not_there_are_said(copy):
    folder, mt, pairs = copy
    use = verify.settings_of(findings.read(folder))
    first = pairs[0]
    others = [replace(first, pro=replace(first.pro, text=first.pro.text + "!")), *pairs[1:]]
    with pytest.raises(cs.CueScopeError, match="no translation of a sentence"):
        verify.opened(folder, mt, others, use)


@pytest.mark.parametrize("batch_size", [1, 3, 64])
def test_the_batch_does_not_matter(made, tmp_path, batch_size):
    """Another batch: the same tokens, and numbers within the tolerance that `verify` states."""
    folder, mt, pairs = made
    use = verify.settings_of(findings.read(folder))
    run = cs.investigate(
        mt, pairs, out=tmp_path / "run", settings=replace(use, out=None), batch_size=batch_size
    )
    kept = read_lines(folder / "translations.jsonl")[1]
    assert run.translations == {line["source"]: line["translation"] for line in kept}
    then = read_scores(folder / "attention-encoder.npz")
    now = run.small.attention("encoder", batch_size=batch_size)
    np.testing.assert_allclose(now.values, then.values, atol=verify.NEAR)
