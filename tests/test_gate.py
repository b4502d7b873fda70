"""Two releases of a system: what fell, which sentences broke, and may it ship?"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cuescope as cs
from cuescope.errors import CueScopeError
from cuescope.run.release import gate, opened, versus
from cuescope.show.release.page import headline, markdown
from cuescope.testing import assert_no_drop
from test_cli import fails, run
from test_compare import made, saved
from test_docs import blocks

NOUNS = {  # English: Italian, masculine and feminine
    "cook": ("Il cuoco", "La cuoca"),
    "nurse": ("L'infermiere", "L'infermiera"),
    "teacher": ("Il maestro", "La maestra"),
    "writer": ("Lo scrittore", "La scrittrice"),
    "actor": ("L'attore", "L'attrice"),
    "waiter": ("Il cameriere", "La cameriera"),
    "painter": ("Il pittore", "La pittrice"),
    "worker": ("L'operaio", "L'operaia"),
}
ENDS = {"rested": "si è riposat", "was tired": "era stanc", "was late": "è arrivat"}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A set of 24 pairs, a release that has them all right, one in which six nouns lost *she*."""
    folder = tmp_path_factory.mktemp("gate")
    rows, good, bad = ["text\tfocus\tcue\tgold\tset\tpair"], [], []
    for at, (noun, end) in enumerate((n, e) for n in NOUNS for e in ENDS):
        for gold, cue in (("male", "he"), ("female", "she")):
            rows.append(f"The {noun} said that {cue} {end}.\t{noun}\t{cue}\t{gold}\t{cue}\t{at}")
            vowel = "o" if gold == "male" else "a"
            subject = NOUNS[noun][gold == "female"]
            good.append(f"{subject} ha detto che {ENDS[end]}{vowel}.")
            lost = gold == "female" and noun in list(NOUNS)[:6] and end == "rested"
            bad.append(good[-1].replace(subject, NOUNS[noun][0]) if lost else good[-1])
    (folder / "mine.tsv").write_text("\n".join(rows) + "\n", "utf-8")
    for name, lines in (("old.it", good), ("new.it", bad)):
        (folder / name).write_text("\n".join(lines) + "\n", "utf-8")
    for name in ("old", "new"):
        found = cs.score(str(folder / "mine.tsv"), {"": folder / f"{name}.it"}, "it")
        (folder / f"{name}.json").write_text(json.dumps(found.to_json()), "utf-8")
    return folder


def test_a_kept_score_is_the_score(place):
    found = cs.score(str(place / "mine.tsv"), {"": place / "new.it"}, "it")
    again = opened(place / "new.json").score
    assert again.to_json() == found.to_json()
    assert [one[0] for one in again.kept] == [one[0] for one in found.kept]


def test_a_release_against_itself_passes(place):
    found = gate(place / "old.json", place / "old.json")
    assert found.passed
    assert {rule.said for rule in found.rules} == {"nothing changed"}
    assert headline(found.release).startswith("candidate and baseline are right in the same 24")


def test_six_nouns_that_lost_the_cue_stop_it_and_are_named(place):
    found = gate(place / "new.json", place / "old.json")
    female = found.release.named["female"]
    assert (female.broke, female.mended, female.change.n) == (6, 0, 24)
    assert female.change.value == pytest.approx(-6 / 24)
    assert [rule.measure.name for rule in found.rules if rule.failed] == ["mpa", "female"]
    by_name = {rule.measure.name: rule for rule in found.rules}
    assert by_name["male"].said == "nothing changed"
    assert by_name["mpa"].p == pytest.approx(2 / 64)  # six nouns, all one way; two could fail
    broke = found.release.changes("broke")
    assert [one.noun for one in broke] == list(NOUNS)[:6]
    assert all(len(one.sentences) == 2 for one in broke)  # the twins, side by side
    assert not found.release.sentences  # beyond those pairs
    before, after = broke[0].sentences[1]
    assert (before.translation[:8], after.translation[:8]) == ("La cuoca", "Il cuoco")


def test_what_is_allowed_passes_and_a_floor_is_of_the_share_itself(place):
    drops = {"female": 30.0, "mpa": 20.0}
    found = gate(place / "new.json", place / "old.json", max_drop=drops)
    assert found.passed
    assert [r.said for r in found.rules] == [
        "fell within what is allowed (30 points)",
        "fell, but chance may explain it (allowed: 20 points)",
    ]
    assert gate(place / "new.json", place / "old.json", fail_under={"mpa": 75}).passed
    assert not gate(place / "new.json", place / "old.json", fail_under={"mpa": 76}).passed


def test_a_set_of_few_nouns_says_that_no_drop_can_be_told(tmp_path):
    """Three nouns, all broken: 1 in 8 by chance, whatever the sentences say."""
    rows, old, new = ["text\tfocus\tcue\tgold\tpair"], [], []
    for at, (noun, (man, woman)) in enumerate(list(NOUNS.items())[:3]):
        for gold, cue, said in (("male", "he", man), ("female", "she", woman)):
            rows.append(f"The {noun} left as {cue} was ill.\t{noun}\t{cue}\t{gold}\t{at}")
            old.append(f"{said} è andato via.")
            new.append(f"{man} è andato via.")
    for name, lines in (("mine.tsv", rows), ("old.it", old), ("new.it", new)):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    made = gate(
        tmp_path / "new.it", tmp_path / "old.it", data=str(tmp_path / "mine.tsv"), lang="it"
    )
    assert made.passed
    by_name = {rule.measure.name: rule for rule in made.rules}
    for name in ("mpa", "female"):
        assert by_name[name].measure.broke == 3
        assert "on too few nouns to tell it from chance" in by_name[name].said


def test_mended_the_other_way_round(place):
    found = versus(opened(place / "new.json"), opened(place / "old.json"))
    assert (len(found.changes("mended")), len(found.changes("broke"))) == (6, 0)
    assert gate(place / "old.json", place / "new.json").passed
    assert headline(found).startswith("old is better than new")


def test_files_of_translations_and_scores_in_memory(place):
    data = str(place / "mine.tsv")
    by_file = gate(place / "new.it", place / "old.it", data=data, lang="it")
    scores = [cs.score(data, {"": place / f"{n}.it"}, "it") for n in ("new", "old")]
    assert gate(*scores).to_json()["rules"] == by_file.to_json()["rules"]


def test_pytest_sees_the_sentences(place):
    with pytest.raises(AssertionError, match="Il cuoco ha detto che si è riposata"):
        assert_no_drop(place / "new.json", place / "old.json")
    assert assert_no_drop(place / "old.json", place / "new.json").passed


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"max_drop": {"bleu": 1}}, "no measure 'bleu'"),
        ({"max_drop": {"mpa": -1}}, "0 to 100"),
        ({"baseline": "nowhere.json"}, "cannot be read"),
        ({"baseline": "old.it"}, "into which language"),
    ],
)
def test_mistakes(place, change, complaint):
    given = {"candidate": "new.json", "baseline": "old.json", **change}
    for name in ("candidate", "baseline"):
        given[name] = place / given[name]
    with pytest.raises(CueScopeError, match=complaint):
        gate(**given)


def test_a_score_of_an_earlier_release_says_what_to_do(place, tmp_path):
    told = json.loads((place / "old.json").read_text("utf-8"))
    for one in told["sets"]["all"]["items"]:
        del one["source"]
    (tmp_path / "older.json").write_text(json.dumps(told), "utf-8")
    with pytest.raises(CueScopeError, match="score the translations again"):
        gate(tmp_path / "older.json", place / "old.json")


def test_sentences_that_are_in_one_release_only_are_counted(place, tmp_path):
    told = json.loads((place / "new.json").read_text("utf-8"))
    told["sets"]["all"]["items"] = told["sets"]["all"]["items"][:-2]
    told["pairs"] = told["pairs"][:-1]
    (tmp_path / "fewer.json").write_text(json.dumps(told), "utf-8")
    found = gate(tmp_path / "fewer.json", place / "old.json").release
    assert found.notes == ("46 sentences of 48 and 46 are in both",)
    assert found.named["mpa"].change.n == 23


# -- the commands --------------------------------------------------------------------------


def test_the_command_fails_with_code_1_and_json_alone(place):
    new, old = place / "new.json", place / "old.json"
    shown = run("gate", new, "--baseline", old, "--json", "-")
    assert shown.returncode == 1
    made_json = json.loads(shown.stdout)
    assert not made_json["passed"]
    assert len(made_json["changes"]) == 6
    assert run("gate", old, "--baseline", new).returncode == 0
    words = run("gate", new, "--baseline", old, "--sentences", 2)
    assert "Il cuoco ha detto che si è riposata." in words.stdout
    assert "… 4 more" in words.stdout
    assert words.stdout.rstrip().endswith("gate: failed (mpa, female)")
    fails(run("gate", new, "--baseline", old, "--max-drop", "mpa"), "not a number of points")


def test_markdown_cannot_be_broken_by_a_translation(place, tmp_path):
    told = json.loads((place / "new.json").read_text("utf-8"))
    told["sets"]["all"]["items"][1]["translation"] = "a|b <script> *x* `y` [z](u) @all"
    (tmp_path / "odd.json").write_text(json.dumps(told), "utf-8")
    text = markdown(gate(tmp_path / "odd.json", place / "old.json"))
    assert text.startswith("### ❌ Gender cue: gate failed (mpa, female)")
    row = next(line for line in text.splitlines() if "script" in line)
    assert row.count("|") == 4
    assert not re.search(r"<script|[`\[\]@]", row)


def test_compare_takes_scores(place, tmp_path):
    out, numbers = tmp_path / "c.html", tmp_path / "c.json"
    shown = run("compare", place / "old.json", place / "new.json", "--out", out, "--json", numbers)
    assert shown.returncode == 0
    assert "Broke: 6 pairs, 0 sentences beyond them" in shown.stdout
    told = json.loads(numbers.read_text("utf-8"))["releases"][0]
    assert (told["first"], told["second"], len(told["changes"])) == ("old", "new", 6)
    html = out.read_text("utf-8")
    assert "default-src 'none'" in html
    assert "new is worse than old" in html
    assert "La cuoca ha detto che si è riposata." in html
    assert html.count('<tr><th scope="row" class="text"><bdi>The cook said') == 2


def test_compare_tells_the_sentences_of_runs(tmp_path):
    runs = saved(tmp_path, made("BBBBn"), made("BBnBB", name="b-model"))
    shown = run("compare", *runs, "--out", tmp_path / "c.html")
    assert "Broke: 1 pair, 0 sentences beyond it" in shown.stdout
    assert "Mended: 1 pair, 0 sentences beyond it" in shown.stdout
    assert 'id="sentences"' in (tmp_path / "c.html").read_text("utf-8")
    assert gate(runs[0], runs[0]).passed


@pytest.mark.slow
def test_the_recipe_for_ci_runs(place, tmp_path):
    """The script of docs/gate.md, as it is printed."""
    page = Path(__file__).parents[1] / "docs" / "gate.md"
    script = next(text for _, name, text in blocks(page) if name == "ci-gate.sh")
    for name in ("mine.tsv", "old.json", "new.it"):
        shutil.copy(place / name, tmp_path / name)
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "cuescope"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cuescope "$@"\n')
    command.chmod(0o755)
    path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PATH": path, "PYTHONPATH": str(Path(cs.__file__).parents[1])},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1, done.stderr
    assert "### ❌ Gender cue: gate failed (mpa, female)" in done.stdout
    assert "La cuoca ha detto" in done.stdout
