"""A target language without gender rules: what needs none is measured, the rest is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import cuescope as cs
import tiny
from cuescope.commands.cli import app
from cuescope.data.items import Pair, Pairs
from cuescope.errors import CueScopeError, Unfit
from cuescope.inside.read.attention import attention, twin_subjects
from cuescope.inside.ready import output_language
from cuescope.run import findings
from cuescope.show.report import render
from sentences import of_page
from small_run import chosen

SETTINGS: dict[str, Any] = {"heads": 4, "sets": 2, "samples": 4, "examples": 1}
FORMS = {"male": "A férfi {} megérkezett.", "female": "A női {} megérkezett."}


def with_references(pairs: list[Pair]) -> list[Pair]:
    """The pairs, each sentence with its right translation."""
    return [
        Pair(*(replace(i, reference=FORMS[i.gold].format(i.noun)) for i in p), p.index, p.reason)
        for p in pairs
    ]


@pytest.fixture(scope="module")
def mt(tmp_path_factory: pytest.TempPathFactory) -> cs.Translator:
    folder = tmp_path_factory.mktemp("hu")
    told = {i.text: i.reference for pair in with_references(chosen()) for i in pair}
    tiny.taught(folder, told, "hu")
    return cs.load(str(folder), src="en", tgt="hu", check=False)


@pytest.fixture(scope="module")
def blind(mt: cs.Translator) -> cs.run.Run:
    return cs.investigate(mt, chosen(), **SETTINGS)


@pytest.fixture(scope="module")
def given(mt: cs.Translator) -> cs.run.Run:
    return cs.investigate(mt, with_references(chosen()), **SETTINGS)


@pytest.mark.slow
def test_attention_of_the_encoder_needs_no_rules(mt: cs.Translator, blind: cs.run.Run) -> None:
    ready = twin_subjects(mt, chosen(), any_language=True)
    plain = attention(mt, ready, ("encoder",))["encoder"]
    assert np.allclose(blind.attention("encoder").values, plain.values)
    assert len(plain) == 2 * len(chosen())


def test_patching_between_references_is_patching_between_given_forms(
    mt: cs.Translator, given: cs.run.Run
) -> None:
    pairs = with_references(chosen())
    forms = [(pair.forms or ("", "")) for pair in pairs]
    assert forms[0] == ("A női mechanic megérkezett.", "A férfi mechanic megérkezett.")
    plain = mt.patch(mt.twins(chosen(), forms=forms), "encoder", into="female")
    found = given.patch("encoder", into="female")
    assert np.allclose(found.values, plain.values, equal_nan=True)
    assert np.nanmax(np.abs(found.values)) > 0.01
    assert given.attention("cross", query="choice").values.shape[0] == 2 * len(chosen())


def test_what_needs_rules_is_refused_in_words(blind: cs.run.Run, given: cs.run.Run) -> None:
    for ask in (blind.accuracy, blind.mpa, blind.selectivity, blind.uncertainty, blind.certified):
        with pytest.raises(Unfit, match="no gender rules for hu"):
            ask()
    for ask in (lambda: blind.patch("encoder"), lambda: blind.attention("cross", query="choice")):
        with pytest.raises(Unfit, match="no gender rules for hu"):
            ask()
    with pytest.raises(Unfit, match="attention from the translation cannot be measured"):
        given.attention("cross")
    with pytest.raises(CueScopeError, match="were not read"):
        blind.versus(given)
    assert "no gender rules for hu: no noun is read" in blind._repr_html_()
    assert set(blind.table()["skipped"]) == {"no gender rules for hu"}


@pytest.mark.slow
def test_findings_of_such_runs_open_again(
    tmp_path: Path, blind: cs.run.Run, given: cs.run.Run
) -> None:
    for run, patched in ((blind, False), (given, True)):
        found = run.findings()
        findings.write(tmp_path, found)
        again = findings.read(tmp_path)
        assert again["unread"] == "no gender rules for hu"
        assert again["accuracy"] == again["measures"] == again["confusion"] == {}
        assert [note for note in again["notes"] if "no gender rules" in note] == []
        page = of_page(render(again))
        assert "was not measured: there are no gender rules for hu" in page
        assert ("translations that the set gives for each pair" in page) is patched
        assert "they count as wrong" not in page
        assert "The noun's own phrase is read" not in page
        (story,) = {story.split(",")[0] for story in again["heads"]}
        assert again["heads"][story]["encoder"]["attention"] is not None
        assert (again["heads"][story]["encoder"]["effect"] is not None) is patched


def test_semantic_entropy_needs_no_rules(blind: cs.run.Run) -> None:
    study = blind.uncertainty(measures=("ge", "se"), equivalence="normalised")
    assert list(study.measured) == ["se"]


def test_one_command_from_a_table_to_a_report(tmp_path: Path, mt: cs.Translator) -> None:
    rows = ["text\tfocus\tcue\tgold\tpair\treference"]
    for pair in with_references(chosen()):
        for i in pair:
            focus, cue = (f"{a}:{b}" for a, b in (i.focus, i.cue or (0, 0)))
            rows.append(f"{i.text}\t{focus}\t{cue}\t{i.gold}\t{pair.index}\t{i.reference}")
    (tmp_path / "mine.tsv").write_text("\n".join(rows) + "\n")
    only = ["--only", "gender,attention,effect", "--tgt", "hu", "--src", "en"]
    options = ["--data", str(tmp_path / "mine.tsv"), "--out", str(tmp_path / "run"), *only]
    made = CliRunner().invoke(app, ["investigate", mt.name, *options])
    assert made.exit_code == 0, made.output
    said = " ".join(made.output.split())
    assert "no gender rules for hu: no noun will be read" in said
    assert "Not known: there are no gender rules for hu, so no noun was read." in said
    assert "accuracy, the cue" not in said
    assert (tmp_path / "run" / "report.html").is_file()


def test_a_language_named_wrongly_is_not_taken_for_one_without_rules(tmp_path: Path) -> None:
    tiny.marian(tmp_path, (1, 1), sentences=["A cook."], target="pt")
    mt = cs.load(str(tmp_path), src="en", tgt="pt", check=False)
    assert output_language(mt) == "pt"
    with pytest.raises(CueScopeError, match="no gender rules"):
        output_language(mt, "pr")


def test_a_model_of_no_known_language_is_asked_for_it(
    mt: cs.Translator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mt, "tgt", None)
    with pytest.raises(CueScopeError, match="does not say its target language"):
        output_language(mt)
    assert output_language(mt, "fi") == "fi"


def test_a_twin_that_is_made_has_no_reference() -> None:
    row = {"text": "The cook left as he was ill.", "focus": "cook", "cue": "he", "reference": "So."}
    (pair,) = cs.pairs([row])
    assert [item.reference for item in pair] == ["So.", ""]
    assert pair.forms is None
    assert Pairs([pair])[0].forms is None
