from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import typer
from typer.testing import CliRunner

from cuescope.commands.score import score as command
from cuescope.errors import CueScopeError
from cuescope.run.score import Score, score
from shared_data import shared

PRO = [
    ("male", 1, "The cook left because he was ill.", "cook"),
    ("female", 1, "The nurse left because she was ill.", "nurse"),
    ("male", 1, "The lawyer left because he was rude.", "lawyer"),
]
ANTI = [
    ("female", 1, "The cook left because she was ill.", "cook"),
    ("male", 1, "The nurse left because he was ill.", "nurse"),
    ("female", 1, "The lawyer left because she was careless.", "lawyer"),
]
PRO_IT = [
    "Il cuoco se ne andò perché era malato.",
    "L'infermiera se ne andò perché era malata.",
    "L'avvocato se ne andò perché era maleducato.",
]
ANTI_IT = [
    "La cuoca se ne andò perché era malata.",
    "L'infermiera se ne andò perché era malato.",
    "L'avvocata se ne andò perché era distratta.",
]

app = typer.Typer()
app.command("score")(command)
app.command("other")(lambda: None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, rows in (("en_pro.txt", PRO), ("en_anti.txt", ANTI)):
        text = "".join("\t".join(map(str, row)) + "\n" for row in rows)
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "pro.it").write_text("\n".join(PRO_IT) + "\n", "utf-8")
    barred = [f"{row[2]} ||| {text}" for row, text in zip(ANTI, ANTI_IT, strict=True)]
    (tmp_path / "anti.it").write_text("\n".join(barred) + "\n", "utf-8")
    return tmp_path


def run(*args: object) -> Any:
    result = CliRunner().invoke(app, ["score", *map(str, args)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def scored(folder: Path, **options: Any) -> Score:
    outputs = {"pro": folder / "pro.it", "anti": folder / "anti.it"}
    return score(f"winomt:{folder}", outputs, "it", **options)


def test_accuracy_and_pairs(folder: Path) -> None:
    result = scored(folder)
    assert result.accuracy("pro")["all"].value == 1
    assert result.accuracy("anti")["all"].value == pytest.approx(2 / 3)
    assert result.mpa is not None
    assert (result.mpa.value.value, result.mpa.pairs, len(result.mpa.left_out)) == (0.5, 2, 1)
    assert result.mpa.left_out[0].reason == "words differ: 'rude' / 'careless'"
    everything = scored(folder, all_pairs=True).mpa
    assert everything is not None
    assert (everything.pairs, everything.left_out) == (3, ())
    assert "lang:it" in repr(result.accuracy("pro")["all"])


def test_one_set_has_no_pairs(folder: Path) -> None:
    result = score(f"winomt:{folder}", {"pro": folder / "pro.it"}, "it")
    assert result.mpa is None
    assert "mpa" not in result.to_json()


def test_pronouns_are_a_second_named_reading(folder: Path) -> None:
    """*Il capo vide l'assistente e la salutò*: the pronoun alone tells, in both twins."""
    for name, cue in (("pro", "her"), ("anti", "him")):
        gold = {"her": "female", "him": "male"}[cue]
        source = f"The boss saw the assistant and greeted {cue}."
        (folder / f"en_{name}.txt").write_text(f"{gold}\t4\t{source}\tassistant\n", "utf-8")
        clitic = {"her": "la", "him": "lo"}[cue]
        (folder / f"{name}.it").write_text(
            f"Il capo vide l'assistente e {clitic} salutò.\n", "utf-8"
        )
    result = scored(folder)
    assert result.accuracy("pro")["all"].value == 0
    assert result.accuracy("pro", "pronouns")["all"].value == 1
    assert result.accuracy("pro", "pronouns")["all"].name == "accuracy with pronouns"
    assert result.mpa is not None
    assert result.mpa_with_pronouns is not None
    assert (result.mpa.value.value, result.mpa_with_pronouns.value.value) == (0, 1)
    made = result.to_json()
    assert (made["mpa"]["value"], made["mpa_with_pronouns"]["value"]) == (0, 1)
    assert made["sets"]["pro"]["accuracy_with_pronouns"]["all"] == 1
    item = made["sets"]["pro"]["items"][0]
    assert (item["gender"], item["gender_with_pronouns"]) == ("neutral", "feminine")
    assert (item["correct"], item["correct_with_pronouns"]) == (False, True)
    assert [mark["word"] for mark in item["beyond"]] == ["la"]
    shown = run(
        *("--data", f"winomt:{folder}", "--lang", "it"),
        *("--translations", f"pro={folder / 'pro.it'}"),
        *("--translations", f"anti={folder / 'anti.it'}"),
    )
    assert "\nMPA = 0.0 %" in shown.stdout
    assert "\nMPA with pronouns = 100.0 %" in shown.stdout
    assert "\naccuracy with pronouns = 100.0 %" in shown.stdout


def test_a_word_that_is_not_the_noun_is_unknown_with_its_reason(folder: Path) -> None:
    texts = ["Il cuoco se ne andò perché era malato.", "La libreria se ne andò.", PRO_IT[2]]
    (folder / "pro.it").write_text("\n".join(texts) + "\n", "utf-8")
    item = scored(folder).to_json()["sets"]["pro"]["items"][1]
    assert (item["gender"], item["correct"]) == ("unknown", False)
    assert item["reason"].startswith("noun not found")


def test_an_empty_translation_is_unknown_not_lost(folder: Path) -> None:
    (folder / "pro.it").write_text("\n".join([PRO_IT[0], "", PRO_IT[2]]) + "\n", "utf-8")
    made = scored(folder).to_json()["sets"]["pro"]
    assert made["empty"] == 1
    assert made["items"][1]["gender"] == "unknown"
    assert made["items"][1]["reason"] == "empty translation"
    assert made["items"][1]["correct"] is False
    assert made["n"] == 3


def test_nothing_but_empty_lines_is_still_a_score(folder: Path) -> None:
    (folder / "pro.it").write_text("\n\n\n", "utf-8")
    (folder / "anti.it").write_text("\n\n\n", "utf-8")
    with pytest.raises(CueScopeError, match="blank lines"):
        scored(folder)
    made = scored(folder, force=True).to_json()
    assert made["warnings"][0].endswith("blank lines: 3 of 3, the first: line 1")
    assert made["sets"]["pro"]["accuracy"]["all"] == 0
    assert made["mpa"]["pro_f"] is None


def test_an_empty_set_is_an_empty_score(folder: Path) -> None:
    for name in ("en_pro.txt", "en_anti.txt", "pro.it", "anti.it"):
        (folder / name).write_text("", "utf-8")
    made = scored(folder).to_json()
    assert made["sets"]["pro"]["accuracy"] == {"all": None, "male": None, "female": None}
    assert json.dumps(made, allow_nan=False)


def test_the_json_of_the_command(folder: Path) -> None:
    out, table = folder / "out.json", folder / "out.csv"
    shown = run(
        *("--data", f"winomt:{folder}", "--lang", "it", "--json", out, "--table", table),
        *("--translations", f"pro={folder / 'pro.it'}"),
        *("--translations", f"anti={folder / 'anti.it'}"),
    )
    assert shown.exit_code == 0
    assert "masculine" in shown.stdout
    assert "left out: 1" in shown.stdout
    made = json.loads(out.read_text("utf-8"))
    assert set(made["sets"]) == {"pro", "anti"}
    assert set(made["sets"]["pro"]["accuracy"]) == {"all", "male", "female"}
    assert {"value", "strict", "pro_f", "pro_m", "pairs", "left_out"} <= set(made["mpa"])
    first = made["sets"]["anti"]["items"][0]
    assert {"line", "gender", "correct", "consistent", "evidence"} <= set(first)
    assert (first["line"], first["gender"], first["correct"]) == (0, "feminine", True)
    assert {"word", "start", "end", "rule", "gender"} == set(first["evidence"][0])
    rows = pd.read_csv(table)
    assert rows["gender"].tolist()[:3] == ["masculine", "feminine", "masculine"]
    assert rows["evidence"].str.len().min() > 0


def test_a_parquet_table(folder: Path) -> None:
    table = folder / "out.parquet"
    run("--data", f"winomt:{folder}", "--lang", "it", "--table", table,
        "--translations", f"pro={folder / 'pro.it'}")  # fmt: skip
    assert len(pd.read_parquet(table)) == 3


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (["--translations", "pro={d}/pro.it"], "which language"),
        (["--translations", "pro={d}/pro.it", "--lang", "xx"], "xx"),
        (["--translations", "pro={d}/nothing", "--lang", "it"], "cannot be read"),
        (["--translations", "{d}/pro.it", "--lang", "it"], "which set"),
        (["--translations", "reg={d}/pro.it", "--lang", "it"], "no set 'reg'"),
        (["--translations", "anti={d}/short", "--lang", "it"], "line by line"),
        (["--translations", "pro={d}/anti.it", "--lang", "it"], "line 1: this is not the source"),
        (["--translations", "pro={d}/a", "--translations", "pro={d}/b"], "given twice"),
        (["--translations", "pro={d}/pro.it", "--lang", "it", "--table", "x.doc"], "kind of table"),
        (["--translations", "pro={d}/pro.it", "--lang", "it", "--expected", "f"], "only for"),
    ],
)
def test_mistakes_are_errors_and_leave_nothing(
    folder: Path, args: list[str], complaint: str
) -> None:
    (folder / "short").write_text("Una riga.\n", "utf-8")
    before = sorted(folder.iterdir())
    filled = [arg.replace("{d}", str(folder)) for arg in args]
    with pytest.raises(CueScopeError) as error:
        run("--data", f"winomt:{folder}", "--json", folder / "out.json", *filled)
    assert complaint in str(error.value)
    assert sorted(folder.iterdir()) == before


def test_an_unnamed_file_is_the_set_of_its_length(folder: Path) -> None:
    (folder / "en_anti.txt").unlink()
    result = score(f"winomt:{folder}", {"": folder / "pro.it"}, "it")
    assert list(result.sets) == ["pro"]


def test_ones_own_set(tmp_path: Path) -> None:
    data = tmp_path / "own.tsv"
    rows = ["text\tfocus\tgold\tset\tpair\tstereotype"]
    for name, items in (("pro", PRO[:2]), ("anti", ANTI[:2])):
        for pair, (gold, _, text, noun) in enumerate(items):
            rows.append(f"{text}\t{noun}\t{gold}\t{name}\t{pair}\t{PRO[pair][0]}")
    data.write_text("\n".join(rows) + "\n", "utf-8")
    whole = tmp_path / "all.it"
    whole.write_text("\n".join(PRO_IT[:2] + ANTI_IT[:2]) + "\n", "utf-8")
    result = score(str(data), {"": whole}, "it")
    assert result.accuracy("all")["all"].value == 0.75
    assert result.mpa is not None
    assert result.mpa.value.value == 0.5


@pytest.mark.slow
def test_simplegen_by_three_protocols(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    shown = run(
        *("--data", "simplegen", "--lang", "es", "--expected", "f", "--json", out),
        *("--sources", shared("simplegen", "mofc.en.src")),
        *("--translations", shared("simplegen", "mofc.seed101.en-es.out")),
        *("--dictionary", shared("simplegen", "dictionary.en-es.csv")),
    )
    made = json.loads(out.read_text("utf-8"))
    assert made["counts"] == {"correct": 354, "inconclusive": 127, "wrong": 333}
    by_protocol = made["protocols"]
    assert by_protocol["Table A8"] == {"correct": 330, "inconclusive": 216, "wrong": 268}
    assert by_protocol["cuescope"]["inconclusive"] < 127
    assert sum(by_protocol["cuescope"].values()) == 814
    assert "Table A8" in shown.stdout


def test_simplegen_without_sources_must_name_its_set(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("Hola.\n", "utf-8")
    with pytest.raises(CueScopeError, match="which sentences"):
        run("--data", "simplegen", "--lang", "es", "--translations", path)
    path.write_text("A sentence of no set. ||| Hola.\n", "utf-8")
    with pytest.raises(CueScopeError, match="line 1: not a SimpleGEN sentence"):
        run("--data", "simplegen", "--lang", "es", "--translations", path)


@pytest.mark.slow
def test_relationships_by_the_command(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    done = run(
        *("--data", "relationships", "--json", out),
        *("--translations", shared("relationships", "google.csv")),
        *("--translations", shared("relationships", "amazon.csv")),
        *("--occupations", shared("relationships", "occupations.tsv")),
    )
    made = json.loads(out.read_text("utf-8"))
    assert "as if sentences were independent" in done.output
    assert "independent" in made["assumed"]
    assert made["accuracy"]["google"]["same_gender"] == pytest.approx(0.386, abs=0.0005)
    assert made["regression"]["nobs"] == 7380
    assert {"coef", "se", "z", "p"} == set(made["regression"]["terms"]["income"])


@pytest.mark.slow
def test_a_pronoun_swapped_release_is_skipped_and_counted() -> None:
    result = score(
        f"winomt:{shared('winomt')}", {"reg": shared("translations", "google", "en-es.txt")}, "es"
    )
    made = result.to_json()["sets"]["reg"]
    assert [row["line"] for row in made["skipped"]] == [2120, 2121]
    assert (made["n"], len(made["items"])) == (3886, 3888)
    assert [row["line"] for row in made["items"]] == list(range(3888))
