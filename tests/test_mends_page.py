"""The page of judged mends: its sentences are true of the numbers, its table has them all."""

from __future__ import annotations

import pytest

from cuescope.errors import CueScopeError
from cuescope.mend import judge
from cuescope.mend.louder import louder
from cuescope.show import mends
from test_mend_judge import pairs, system


@pytest.fixture
def found():
    systems = {
        "plain": system(False, False),
        "aimed": system(True, False),
        "loud": system(True, True, "O lago é fundo."),
    }
    material = judge.Material(pairs(), "pt", free=("The lake is deep.",))
    return judge.judged(systems, material)


def test_the_answer_tells_aimed_from_loud(found):
    plain, aimed, loud, best = mends.answer(found)
    assert plain.startswith("The plain model has both twins of a pair right in 0")
    assert aimed.startswith("aimed: 100")
    assert "+100.0 points pair by pair" in aimed
    assert "It is aimed" in aimed
    assert "another in 0" in aimed
    assert "It is not aimed" in loud
    assert "Not recommended" in loud
    assert "another in 100" in loud
    assert best.startswith("On the front")
    assert best.endswith(": aimed.")


def test_what_was_not_asked_is_not_said(found):
    """Without another noun, nothing is said of aim, and there is no figure to draw."""
    for one in found:
        for name in [n for n in one.values if n.startswith(("other", "free"))]:
            del one.values[name]
        one.change.pop("other_she", None)
    _, aimed, *rest = mends.answer(found)
    assert "Whether it is aimed was not judged" in aimed
    assert "under she" not in aimed
    assert "is another in" not in aimed
    assert len(rest) == 1
    assert mends.points(found) == {}
    with pytest.raises(CueScopeError, match="nothing to draw"):
        mends.figure(found)


def test_the_page_is_one_file_with_table_figure_and_signature(found, tiny_model):
    mend = louder(tiny_model("marian"), 2.0, encoder=[(0, 1)])
    html = mends.mends_page(found, {"aimed": mend, "loud": mend}, "four pairs of <mine>")
    assert "four pairs of &lt;mine&gt;" in html
    assert html.count("data:image/png;base64,") == 1
    assert "default-src 'none'" in html
    assert str(mend.signature["weights"]) in html
    for name in ("strict MPA", "accuracy, male", "other noun feminine, she", "no cue: changed"):
        assert name in html
    for one in found:
        del one.values["other_she"]
    assert "data:image" not in mends.mends_page(found, {"aimed": mend}, "four pairs")
