"""Firefox's engine as a process that is asked many times, with a made-up node in its place."""

from __future__ import annotations

import sys

import pytest

import tiny_firefox
from cuescope.errors import CueScopeError
from cuescope.mend import engine

NODE = f"""#!{sys.executable}
import json, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    if "stop" in asked["texts"]:
        sys.exit("no such word\\nthe engine fell over")
    if "sleep" in asked["texts"]:
        time.sleep(60)
    said = [f"{{asked['warm']}} {{text}} {{sys.argv[4]}}" for text in asked["texts"]]
    print(json.dumps({{"said": said, "seconds": 1.5}}), flush=True)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A model, and a node that says what it was asked."""
    place, bin_ = tmp_path / "bergamot", tmp_path / "bin"
    for path in (place / "translator.js", place / "worker" / "package.json", bin_ / "node"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(NODE, "utf-8")
    (bin_ / "node").chmod(0o755)
    monkeypatch.setenv("PATH", str(bin_), prepend=":")
    monkeypatch.setenv("CUESCOPE_BERGAMOT", str(place))
    return tiny_firefox.folder(tmp_path / "model")


def test_it_is_opened_once_and_asked_many_times(folder, tmp_path):
    with engine.Session(folder) as session:
        node = session._node
        assert session.ask(["olá\nmundo"], 3) == engine.Timed(["3 olá\nmundo -"], 1.5)
        assert session.ask(["b"]).said == ["0 b -"]
        assert node.poll() is None
    assert node.poll() is not None  # let go
    short = tmp_path / "lex.bin"
    with engine.Session(folder, short) as session:
        assert session.ask(["a"]).said == [f"0 a {short}"]
    assert engine.translate(folder, ["a", "b"]) == ["0 a -", "0 b -"]


def test_an_engine_that_nobody_holds_is_let_go(folder):
    session = engine.Session(folder)
    node = session._node
    session.ask(["a"])
    del session
    assert node.poll() is not None


def test_why_it_fell_over_is_said(folder, monkeypatch):
    with engine.Session(folder) as session:
        for _ in range(2):  # one that is gone says so again
            with pytest.raises(CueScopeError, match="did not translate") as error:
                session.ask(["stop"])
            assert error.value.found == "the engine fell over"
    monkeypatch.setattr(engine, "_WAIT", 0.5)
    with pytest.raises(CueScopeError) as error:
        engine.translate(folder, ["sleep"])
    assert error.value.found == "no answer in 0.5 seconds"
