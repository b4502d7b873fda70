"""Reference data come from one place that a user can name; without it, a sentence says so."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cuescope import data
from cuescope.data import reference
from cuescope.errors import CueScopeError, in_words

PROBES = Path(__file__).resolve().parents[1] / "probes"
LINE = "male\t1\tThe nurse said he left.\tnurse\n"


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with nothing: no variable, no folder beside the checkout, an empty cache."""
    for name in ("CUESCOPE_DATA", "CUESCOPE_MODELS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CUESCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(reference, "_ROOT", tmp_path / "checkout")
    return tmp_path


def test_the_cache_then_the_folder_beside_then_the_variable(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert reference.folder() == nowhere / "cache" / "data"
    beside = nowhere / "shared" / "data"
    beside.mkdir(parents=True)
    assert reference.folder() == nowhere / "cache" / "data", "an installed package has no checkout"
    (nowhere / "checkout").mkdir()
    (nowhere / "checkout" / "pyproject.toml").touch()
    assert reference.folder() == beside
    monkeypatch.setenv("CUESCOPE_DATA", str(nowhere / "mine"))
    assert reference.folder() == nowhere / "mine", "named, whether it is there or not"
    assert reference.folder("models") == nowhere / "cache" / "models"
    monkeypatch.setenv("CUESCOPE_MODELS", str(nowhere / "models"))
    assert reference.folder("models") == nowhere / "models"


def test_what_is_there_is_found(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUESCOPE_DATA", str(nowhere))
    (nowhere / "winomt").mkdir()
    (nowhere / "winomt" / "en.txt").write_text(LINE, "utf-8")
    assert reference.find("winomt", "en.txt").read_text("utf-8") == LINE
    assert [item.text for item in data.load("winomt")] == ["The nurse said he left."]
    assert data.load("winomt") == data.load(f"winomt:{nowhere / 'winomt'}")
    monkeypatch.setenv("CUESCOPE_MODELS", str(nowhere))
    assert reference.model("winomt") == nowhere / "winomt"


def test_what_is_not_there_is_told_with_what_to_do(nowhere: Path) -> None:
    with pytest.raises(CueScopeError, match="'winomt' is not on this machine") as winomt:
        data.load("winomt")
    assert "cuescope data get winomt" in winomt.value.do
    with pytest.raises(CueScopeError, match=r"'human/es\.csv' is not on this machine") as human:
        reference.find("human", "es.csv")
    assert "data get" not in human.value.do, "it cannot be fetched: do not say so"
    assert "CUESCOPE_DATA" in human.value.do
    with pytest.raises(CueScopeError, match="opus-mt-en-fr") as model:
        reference.model("opus-mt-en-fr")
    assert "CUESCOPE_MODELS" in model.value.do
    assert str(nowhere) in model.value.expected


def test_another_folder_may_be_named(nowhere: Path) -> None:
    (nowhere / "here" / "human").mkdir(parents=True)
    assert reference.find("human", within=nowhere / "here") == nowhere / "here" / "human"
    with pytest.raises(CueScopeError, match="'human' is not"):
        reference.find("human")


def test_a_mistake_is_said_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    def wrong() -> None:
        raise CueScopeError("no such head", do="count from 0")

    with pytest.raises(SystemExit) as stopped:
        in_words(wrong)
    assert stopped.value.code == 2
    assert capsys.readouterr().err == "cuescope: no such head\n  to do:    count from 0\n"
    in_words(lambda: None)
    with pytest.raises(ZeroDivisionError):  # a fault of the program is none of the user's
        in_words(lambda: print(1 // 0))


@pytest.mark.parametrize(
    ("probe", "lacks"),
    [
        ("bench_score", "translations/google/en-it.txt"),
        ("paper_a_outputs", "translations/opus-mt"),
        ("gender_agreement", "human"),
        ("bias_cues", "winomt"),
    ],
)
def test_a_probe_without_data_says_so(probe: str, lacks: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(PROBES / f"{probe}.py")],
        env={**os.environ, "CUESCOPE_DATA": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"cuescope: the reference data '{lacks}")
    assert "Traceback" not in done.stderr
    assert "CUESCOPE_DATA=DIR" in done.stderr


COMMANDS = [
    path for path in sorted(PROBES.glob("*.py")) if path.stem != "bench_page"
]  # of bench_all


@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: path.stem)
def test_every_probe_asks_the_one_place_and_ends_in_words(path: Path) -> None:
    text = path.read_text("utf-8")
    assert not re.search(r"""shared["'/]""", text)
    if "Imports no cuescope" not in text:
        assert text.rstrip().endswith("in_words(main)")
