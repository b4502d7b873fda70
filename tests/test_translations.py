from __future__ import annotations

from pathlib import Path

import pytest

from cuescope.data import translations
from cuescope.errors import CueScopeError
from cuescope.files import read_lines, write

SOURCES = ["One cook.", "Two cooks."]


def file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "out.txt"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Un cuoco.\nDue cuochi.\n", ["Un cuoco.", "Due cuochi."]),
        ("Un cuoco.\r\nDue cuochi.", ["Un cuoco.", "Due cuochi."]),
        ("One cook. ||| Un cuoco.\nTwo  cooks.|||Due cuochi.\n", ["Un cuoco.", "Due cuochi."]),
        ("\nDue cuochi.\n", ["", "Due cuochi."]),
        ("One cook. |||\nTwo cooks. ||| Due\u2028cuochi.\n", ["", "Due\u2028cuochi."]),
    ],
)
def test_both_forms_are_read(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert translations.read(file(tmp_path, text), SOURCES) == (expected, {})


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("Un cuoco.\n", "do not match line by line"),
        ("a\nb\nc\n", "do not match line by line"),
        ("One cook. ||| Un cuoco.\n", "do not match line by line"),
        ("One cook. ||| Un cuoco.\nA cook. ||| Due.\n", "line 2: this is not the source"),
        ("One cook. ||| Un cuoco.\nDue cuochi.\n", "line 2: wrong number of columns"),
        ("One cook. ||| a ||| b\nTwo cooks. ||| c\n", "line 1: wrong number of columns"),
    ],
)
def test_mismatches_are_named(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(CueScopeError, match=complaint):
        translations.read(file(tmp_path, text), SOURCES)


def test_a_line_of_another_release_is_skipped_and_counted(tmp_path: Path) -> None:
    sources = [f"Cook {i}." for i in range(200)]
    lines = [f"{source} ||| Cuoco." for source in sources]
    lines[7] = "Chef 7. ||| Chef."
    texts, skipped = translations.read(file(tmp_path, "\n".join(lines)), sources)
    assert len(texts) == 200
    assert list(skipped) == [7]
    assert "line 8 translates another sentence: Chef 7." in skipped[7]


def test_bytes_that_are_not_text_are_named(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_bytes(b"Un cuoco.\nDue cuo\xffchi.\n")
    with pytest.raises(CueScopeError, match="line 2: not UTF-8"):
        read_lines(path)


def test_a_write_is_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "new" / "a.txt"
    write(target, "ü")
    assert target.read_text("utf-8") == "ü"
    assert [p.name for p in target.parent.iterdir()] == ["a.txt"]
    (tmp_path / "folder").mkdir()
    with pytest.raises(CueScopeError, match="cannot be written"):
        write(tmp_path / "folder", "x")
    assert not list(tmp_path.glob(".folder*"))
