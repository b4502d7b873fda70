"""A run made in Python is a run like any other; what a student slips on says what to do."""

from __future__ import annotations

import pandas as pd
import pytest

import cuescope as cs
import tiny
from cuescope.errors import CueScopeError
from cuescope.run import findings, looking
from test_cli import run as command

NOUNS = {
    "mechanic": ("O mecânico", "A mecânica"),
    "nurse": ("O enfermeiro", "A enfermeira"),
    "cook": ("O cozinheiro", "A cozinheira"),
}
ROWS = [
    (f"The {noun} {verb} before {cue} left.", noun, cue)
    for noun in NOUNS
    for verb in ("ate", "slept")
    for cue in ("he", "she")
]
SMALL = {"heads": 4, "sets": 1, "samples": 2, "examples": 0, "exact": 0, "lang": "pt"}


@pytest.fixture(scope="module")
def mt(tmp_path_factory):
    said = {"ate": "comeu", "slept": "dormiu"}
    known = {
        text: f"{NOUNS[noun][cue == 'she']} {said[text.split()[2]]}." for text, noun, cue in ROWS
    }
    return cs.load(tiny.taught(tmp_path_factory.mktemp("model"), known, "pt"), tgt="pt")


@pytest.fixture(scope="module")
def pairs():
    return cs.pairs(ROWS)


@pytest.fixture(scope="module")
def run(mt, pairs):
    return cs.investigate(mt, pairs, **SMALL)


# -- pairs ---------------------------------------------------------------------------------


def test_pairs_of_rows_and_of_a_frame(pairs):
    assert len(pairs) == 6
    first = pairs[0]
    assert first.pro.text[slice(*first.pro.focus)] == "mechanic"
    assert [item.text[slice(*item.cue)] for item in first] == ["he", "she"]
    frame = pd.DataFrame(ROWS, columns=["text", "focus", "cue"])
    assert [pair.pro for pair in cs.pairs(frame)] == [pair.pro for pair in pairs]
    frame["pair"] = [n // 2 for n in range(len(frame))]
    frame["stereotype"] = ["male", None] * (len(frame) // 2)
    assert len(cs.pairs(frame)) == 6


def test_a_sentence_alone_gets_its_twin():
    pair = cs.pairs([("The nurse left as she was ill.", "nurse", "she")])[0]
    assert (pair.anti.text, pair.anti.gold) == ("The nurse left as he was ill.", "male")


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("The nurse left.", "doctor", "she")], "the focus 'doctor' stands 0 times"),
        ([("The nurse and the nurse left as she was ill.", "nurse", "she")], "stands 2 times"),
        ([("A lady is a nurse.", "nurse", "lady")], "gold is empty"),
        (["The nurse left as she was ill."], "not a sentence with its noun"),
        ([{"sentence": "x"}], "missing column"),
        ([{"text": "A nurse, she left.", "focus": "nurse", "gold": "woman"}], "unknown gold"),
    ],
)
def test_slips_in_rows(rows, said):
    with pytest.raises(CueScopeError, match=said):
        cs.pairs(rows)


# -- a run on the disk ---------------------------------------------------------------------


@pytest.mark.slow
def test_a_run_in_python_is_on_the_disk_and_the_cell_can_be_run_again(mt, pairs, tmp_path):
    for _ in range(2):
        made = cs.investigate(mt, pairs, out=tmp_path / "one", **SMALL)
        assert findings.read(tmp_path / "one")["measures"]["mpa"]["n"] == 6
    effect = made.patch("encoder")
    assert made.patch("encoder") is effect
    shown = command("show", tmp_path / "one")
    assert shown.returncode == 0
    assert "MPA" in shown.stdout
    for _ in range(2):  # under an intervention, too, with everything kept
        with mt.scale(0.0, encoder=["0.0", (0, 1)]):
            cs.investigate(mt, pairs, out=tmp_path / "two", **SMALL)
    both = command("compare", tmp_path / "one", tmp_path / "two", "--out", tmp_path / "c.html")
    assert both.returncode == 0, both.stderr


@pytest.mark.slow
def test_what_the_report_measured_is_kept(mt, pairs, tmp_path):
    folder = tmp_path / "run"
    made = cs.investigate(mt, pairs, out=folder, only=("gender",), **SMALL)
    made.report(tmp_path / "report.html")
    told = findings.read(folder)
    assert told["heads"]["cue after"]["encoder"]["effect"]
    cs.investigate(mt, pairs, out=folder, only=("gender",), **SMALL)
    assert findings.read(folder) == told  # opening it again takes nothing away


# -- verbs ---------------------------------------------------------------------------------


def test_versus_tells_before_and_after(mt, pairs, run):
    with mt.scale(-3.0, encoder=["0.0", "0.1", "0.2", "0.3"]):
        other = cs.investigate(mt, pairs, **SMALL)
    found = run.versus(other)
    assert found.named["mpa"].before.value == run.mpa().value.value
    assert found.named["mpa"].after.value == other.mpa().value.value
    assert found.named["mpa"].broke == len([one for one in found.pairs if one.kind == "broke"])
    for one in found.changes("broke"):
        for before, after in one.sentences:
            assert before.translation == run.translations[before.item.text]
            assert after.translation == other.translations[after.item.text]
    assert "the other against this run" in found._repr_html_()


def test_ablate_is_the_sweep_of_the_model(mt, run):
    from cuescope.inside.effect.ablation import ablation

    found = run.ablate("encoder", value="zero")
    expected = ablation(mt, run.twins, ("encoder",), value="zero")["encoder"]
    assert (found.values == expected.values).all()
    assert run.ablate("encoder", value="zero") is found


def test_heads_are_named_as_in_the_papers(mt):
    with mt.ablate(encoder="0.1"):
        mt.translate(ROWS[0][0])
        named = mt.signature["under"]
    with mt.ablate(encoder=[(0, 1)]):
        mt.translate(ROWS[0][0])
        assert mt.signature["under"] == named
    with pytest.raises(CueScopeError, match="named by layer and head"):
        mt.ablate(encoder=["first"])
    with pytest.raises(CueScopeError, match="met nothing"), mt.ablate(encoder="0.1"):
        pass


def test_progress_is_shown_where_there_is_a_bar(mt, pairs, monkeypatch):
    from contextlib import contextmanager

    seen = {}

    @contextmanager
    def bar(label, total):
        seen[label] = [total, 0]

        def told(done):
            seen[label][1] += done

        yield told

    monkeypatch.setattr(looking, "_BARS", [bar])
    made = cs.investigate(mt, pairs, **SMALL)
    made.patch("encoder")
    made.ablate("cross")
    assert seen["translating"] == [12, 12]
    assert seen["patching, encoder"] == [6, 6]
    assert seen["ablating, cross"] == [6, 6]


SLIPS = {
    "nothing has gold='feminine'": lambda mt, run: run.attention("encoder").where(gold="feminine"),
    "these are no pairs": lambda mt, run: cs.investigate(mt, "simplegen"),
    "as cs.pairs gives them": lambda mt, run: mt.patch(ROWS, "encoder"),
    "no open model": lambda mt, run: cs.investigate("firefox:en-pt", run.pairs),
    "scores of heads": lambda mt, run: cs.heatmap(run),
    "only text": lambda mt, run: mt.translate([3]),
    "which set does the file": lambda mt, run: cs.score("simplegen", "momc.pt", "pt"),
    "two scores of heads": lambda mt, run: cs.compare(run.attention("encoder"), 3),
}


@pytest.mark.parametrize("said", SLIPS)
def test_slips_are_told_in_words(mt, run, said):
    with pytest.raises(CueScopeError, match=said):
        SLIPS[said](mt, run)


# -- any target language -------------------------------------------------------------------


@pytest.fixture(scope="module")
def stranger(tmp_path_factory):
    """A model into a language without rules, a set, and the forms of its pairs."""
    folder = tmp_path_factory.mktemp("stranger")
    lines, forms, known = ["text\tfocus\tcue\tgold\tpair"], ["pair\tfeminine\tmasculine"], {}
    words = {"cook": ("kuiristo", "kuiristino"), "nurse": ("flegisto", "flegistino")}
    for at, (noun, (he, she)) in enumerate(words.items()):
        for cue, gold, form in (("he", "male", he), ("she", "female", she)):
            text = f"The {noun} ate before {cue} left."
            known[text] = f"La {form} manĝis."
            lines.append(f"{text}\t{noun}\t{cue}\t{gold}\t{at}")
        forms.append(f"{at}\tLa {she} manĝis.\tLa {he} manĝis.")
    (folder / "mine.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    (folder / "forms.tsv").write_text("\n".join(forms) + "\n", "utf-8")
    tiny.taught(folder / "model", known, "eo")
    return folder


@pytest.mark.slow
def test_the_encoder_looks_in_any_language(stranger):
    words = (stranger / "model", "--data", stranger / "mine.tsv", "--tgt", "eo")
    done = command("attention", *words, "--site", "encoder")
    assert done.returncode == 0, done.stderr
    assert "no gender rules for eo: no noun is read" in done.stderr
    assert "gold female (n=2)" in done.stdout
    refused = command("attention", *words, "--site", "cross")
    assert refused.returncode == 2
    assert "no gender rules" in refused.stderr


def test_patching_with_given_forms_needs_no_rules(stranger, tmp_path):
    words = (stranger / "model", "--data", stranger / "mine.tsv", "--tgt", "eo")
    done = command("patch", *words, "--forms", stranger / "forms.tsv")
    assert done.returncode == 0, done.stderr
    assert "mean of 2 pairs" in done.stdout
    assert command("patch", *words).returncode == 2
    (tmp_path / "half.tsv").write_text("0\tLa kuiristino\tLa kuiristo\n", "utf-8")
    half = command("patch", *words, "--forms", tmp_path / "half.tsv")
    assert "none for 1" in half.stderr
