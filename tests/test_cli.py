"""The command line as a user meets it: a process, its streams, its exit code."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from safetensors.torch import load_file, save_file

import tiny
from cuescope.commands.cli import main
from cuescope.models import catalog

SENTENCES = "The mechanic called because she was late.\nThe nurse said that he was tired.\n"


class Done(NamedTuple):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


def run(*args: object) -> Done:
    """The command's own `main`, with streams of its own; a process each would cost minutes."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    code: object = 0
    before = sys.argv
    sys.argv = ["cuescope", *map(str, args)]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main()
    except SystemExit as end:
        code = end.code
    finally:
        sys.argv = before
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode("utf-8"))
    return Done(int(code or 0), *texts)


def process(*args: object) -> subprocess.CompletedProcess[str]:
    """The same as a process of its own."""
    command = [sys.executable, "-m", "cuescope", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True)


def fails(done: Done | subprocess.CompletedProcess[str], *said: str) -> None:
    """One clear error: exit code 2, what was expected and found, no traceback."""
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    for words in ("cuescope: ", "expected: ", "found: ", *said):
        assert words in done.stderr, done.stderr


@pytest.mark.slow
@pytest.mark.model
def test_translate(tmp_path, firefox):
    source, out = tmp_path / "in.txt", tmp_path / "out.txt"
    source.write_text("\ufeff" + SENTENCES.replace("\n", "\r\n"), "utf-8")
    done = process("translate", "firefox:en-pt", "--in", source, "--out", out)
    assert done.returncode == 0, done.stderr
    texts = SENTENCES.splitlines()
    wanted = [f"{s} ||| {t}" for s, t in zip(texts, firefox.translate(texts), strict=True)]
    assert out.read_text("utf-8").splitlines() == wanted
    assert "2 sentences in" in done.stderr
    assert done.stdout == ""
    piped = run("translate", "firefox:en-pt", "--in", source, "--beam", 4, "--batch-size", 8)
    assert piped.stdout.count(" ||| ") == 2


BAD_TEXT = [
    (b"A nurse.\n\nA cook.\n", "line 2: empty"),
    (b"A nurse.\n   \n", "line 2: empty"),
    (b"", "is empty"),
    (b"A nurse.\ncaf\xe9\n", "line 2: not UTF-8"),
    (b"A nurse ||| um enfermeiro\n", "line 1: holds the separator"),
    (b"A nurse.\n" + b"word " * 5000 + b"\n", "sentence 2 is too long"),
]


@pytest.mark.model
@pytest.mark.parametrize(("text", "said"), BAD_TEXT, ids=[said for _, said in BAD_TEXT])
def test_bad_text(tmp_path, text, said):
    source, out = tmp_path / "in.txt", tmp_path / "out.txt"
    source.write_bytes(text)
    fails(run("translate", "firefox:en-pt", "--in", source, "--out", out), said)
    assert [p.name for p in tmp_path.iterdir()] == ["in.txt"], "nothing half-written"


def _folder(tmp_path: Path, **files: bytes) -> Path:
    folder = tmp_path / "model"
    folder.mkdir()
    for name, data in files.items():
        (folder / name.replace("__", ".")).write_bytes(data)
    return folder


@pytest.mark.slow
@pytest.mark.model
def test_bad_models(tmp_path):
    source = tmp_path / "in.txt"
    source.write_text(SENTENCES)
    whole = next(catalog.folder_of("firefox:en-pt").glob("model*.bin")).read_bytes()
    spm = next(catalog.folder_of("firefox:en-pt").glob("*.spm")).read_bytes()
    cut = _folder(tmp_path, model__bin=whole[:100_000], vocab__spm=spm)
    (tmp_path / "bert").mkdir()
    bert = _folder(tmp_path / "bert", config__json=b'{"model_type": "bert"}')
    for name, said in [
        ("nonsense", "no model is called 'nonsense'"),
        (cut, "not a whole Marian model file"),
        (bert, "an architecture that cuescope does not open"),
        (tmp_path / "bert", "holds no model that cuescope knows"),
        ("no-one/no-such-model", "could not be opened"),
        ("firefox:en-xx", "network is off"),
    ]:
        out = tmp_path / "out.txt"
        fails(run("translate", name, "--in", source, "--out", out), said)
        assert not out.exists()
    fails(run("translate", "firefox:en-pt", "--in", tmp_path / "none"), "cannot be read")
    fails(run("translate", "firefox:en-pt", "--in", source, "--out", "/proc/x/y"), "be written")
    fails(
        run("translate", "firefox:en-pt", "--in", source, "--device", "toaster"), "no such device"
    )


def test_a_process_says_the_same(tmp_path):
    fails(process("translate", "nonsense", "--in", tmp_path), "cannot be read")


def test_missing_language(tiny_folder, tmp_path):
    source = tmp_path / "in.txt"
    source.write_text(SENTENCES)
    fails(run("translate", tiny_folder("nllb"), "--in", source), "src=", "eng_Latn")
    done = run("translate", tiny_folder("nllb"), "--in", source, "--src", "en", "--tgt", "pt")
    assert done.returncode == 0
    assert done.stdout.count("|||") == 2


@pytest.fixture(autouse=True)
def _wide(monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")


@pytest.mark.slow
@pytest.mark.model
def test_check():
    done = run("check", "firefox:en-pt")
    assert done.returncode == 0
    assert done.stdout.count("holds") == 9
    assert "64 heads" in done.stdout


def test_check_fails_for_a_model_that_is_broken(tmp_path):
    """A head whose output never reaches the logits: found, and the exit code says so."""

    folder = tiny.marian(tmp_path)
    weights = load_file(folder / "model.safetensors")
    weights["model.encoder.layers.1.self_attn.out_proj.weight"][:, 8:16] = 0
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    done = run("check", folder)
    assert done.returncode == 1
    assert "no effect: encoder 1.1" in done.stdout


@pytest.mark.model
def test_models():
    listed = run("models", "list")
    assert listed.returncode == 0
    assert "firefox:en-pt" in listed.stdout
    path = run("models", "path", "firefox:en-pt")
    assert Path(path.stdout.strip()) == catalog.folder_of("firefox:en-pt")
    assert run("models", "get", "firefox:en-pt").stdout == path.stdout
    fails(run("models", "path", "firefox:en-xx"), "is not on this machine")
    fails(run("models", "get", "Helsinki-NLP/opus-mt-en-it"), "cannot be fetched by name")


def test_help_imports_nothing_heavy():
    """What makes `--help` quick; seconds are for a quiet machine (0.25 s)."""
    heavy = "{'torch', 'numpy', 'pandas', 'matplotlib'} & set(sys.modules)"
    code = f"import sys, cuescope.commands.cli; sys.exit(bool({heavy}))"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.parametrize(
    "args", [(), ("translate",), ("check",), ("models", "get"), ("models",), ("score",), ("data",)]
)
def test_every_help_text_prints(args):
    done = run(*args, "--help")
    assert done.returncode == 0
    assert "Usage: " in done.stdout


def test_version():
    assert run("--version").stdout.startswith("cuescope ")
