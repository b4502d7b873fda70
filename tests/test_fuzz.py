"""A seeded share of `probes/fuzz.py`: damaged files are read right, or refused in words."""

from __future__ import annotations

import random

import pytest

from readers import READERS

# Opening a model of Hugging Face's takes a tenth of a second: fewer of those.
DEAR = {
    *("safetensors", "pytorch bin", "config.json", "ctranslate2", "ctranslate2 config"),
    "argosmodel",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_damage_is_read_right_or_said(tmp_path, name):
    if name in ("ctranslate2", "ctranslate2 config", "argosmodel"):
        pytest.importorskip("ctranslate2")
    (tmp_path / "files").mkdir()
    reader = READERS[name](tmp_path / "files")
    found = {
        reader.tried(random.Random(f"{name} {seed}")) for seed in range(8 if name in DEAR else 60)
    }
    assert found <= {"read", "said"}


def test_a_wrong_reading_is_a_fault(tmp_path):
    """The net holds: a reader that takes what was not written is found."""
    reader = READERS["run folder json"](tmp_path / "files")

    def careless() -> None:
        assert reader.file.read_bytes() == reader.whole, "another file, and nothing said"

    reader.read = careless
    with pytest.raises(AssertionError, match="nothing said"):
        reader.tried(random.Random(1))


@pytest.mark.parametrize("seed", [101, 604, 170, 214, 2468])
def test_a_share_that_is_none_is_refused(tmp_path, seed):
    """Dropout of 163 or -1: torch raised at the first sentence."""
    reader = READERS["config.json"](tmp_path / "files")
    assert reader.tried(random.Random(f"config.json {seed}")) == "said"
