"""Violins by bins of quality: what is binned, what is drawn, and which metric is named."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from cuescope.errors import CueScopeError
from cuescope.measures import quality as module
from cuescope.measures.quality import Quality, quality
from cuescope.show.figures.violin import binned, violin


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    scores = Quality("chrF (sacrebleu)", tuple(rng.uniform(20, 90, 90)))
    groups = ["ambiguous", "unambiguous"] * 45
    return binned(rng.gamma(2, 0.5, 90), scores, groups, measure="H (GE)")


def test_bins_are_of_equal_size_and_rise(data):
    assert data.frame["bin"].value_counts().tolist() == [30, 30, 30]
    means = data.frame.groupby("bin")["quality"].mean()
    assert means.is_monotonic_increasing
    assert data.table()["size"].sum() == 90
    assert set(data.table()["metric"]) == {"chrF (sacrebleu)"}


def test_given_edges_and_missing_values():
    scores = Quality("chrF", (10.0, 20.0, 50.0, float("nan"), 99.0))
    found = binned([1, 2, 3, 4, float("nan")], scores, bins=[0, 20, 60])
    assert found.frame["bin"].tolist() == [0, 1, 1]  # an edge belongs to the bin that it opens
    assert found.left_out == 2
    assert binned([1, 2], Quality("chrF", (5.0, 70.0)), bins=[0, 60]).left_out == 1


def test_drawing_on_given_axes_names_the_metric(data):
    _, ax = plt.subplots()
    assert violin(data, ax, title="Firefox") is ax
    assert "chrF (sacrebleu)" in ax.get_xlabel()
    assert ax.get_ylabel() == "H (GE)"
    assert len(ax.collections) >= 6  # three bins of two groups
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["ambiguous", "unambiguous"]
    assert sum(text.get_text().startswith("n=") for text in ax.texts) == 6
    plt.close("all")


def test_groups_without_spread_are_drawn_as_points():
    found = binned([0.0, 0.0, 0.0, 1.0], Quality("chrF", (1.0, 2.0, 3.0, 4.0)), bins=2)
    ax = violin(found)
    ax.figure.canvas.draw()
    plt.close("all")


def test_what_cannot_be_binned_or_drawn_is_refused():
    scores = Quality("chrF", (1.0, 2.0))
    with pytest.raises(CueScopeError, match="do not match"):
        binned([1, 2, 3], scores)
    with pytest.raises(CueScopeError, match="cannot be filled"):
        binned([1, 2], scores, bins=3)
    with pytest.raises(CueScopeError, match="must rise"):
        binned([1, 2], scores, bins=[3, 1])
    with pytest.raises(CueScopeError, match="nothing to draw"):
        violin(binned([1, 2], scores, bins=[50, 60]))


def test_chrf_equals_sacrebleu_and_takes_the_best_reference():
    import sacrebleu

    texts, references = ["O cão dorme.", "A casa é azul."], ["O gato dorme.", "A casa era azul."]
    found = quality(["a", "b"], texts, references, "chrf")
    expected = [sacrebleu.sentence_chrf(t, [r]).score for t, r in zip(texts, references)]  # noqa: B905
    assert found.scores == pytest.approx(expected)
    assert found.metric == "chrF (sacrebleu)"
    best = quality(["a"], texts[:1], [[references[0], texts[0]]], "chrf")
    assert best.scores == pytest.approx((100.0,))


def test_comet_is_used_where_it_is_and_never_replaced_unasked(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    module._comet_model.cache_clear()
    with pytest.raises(CueScopeError, match="COMET is not installed"):
        quality(["a"], ["b"], ["c"], "comet")
    assert quality(["a"], ["b"], ["c"], "installed").metric == "chrF (sacrebleu)"

    def predict(triples, **_):
        return SimpleNamespace(scores=[0.9 if t["ref"] == t["mt"] else 0.4 for t in triples])

    fake = SimpleNamespace(
        download_model=str, load_from_checkpoint=lambda path: SimpleNamespace(predict=predict)
    )
    monkeypatch.setitem(sys.modules, "comet", fake)
    monkeypatch.setattr(module, "find_spec", lambda name: object())
    found = quality(["a", "d"], ["b", "e"], [["c", "b"], "f"], "installed")
    assert found.metric.startswith("COMET")
    assert found.scores == pytest.approx((90.0, 40.0))
    module._comet_model.cache_clear()


def test_bad_input_of_quality():
    with pytest.raises(CueScopeError, match="no such quality metric"):
        quality(["a"], ["b"], ["c"], "bleu")
    with pytest.raises(CueScopeError, match="needs a source and a reference"):
        quality(["a"], ["b"], [[]], "chrf")


def test_importing_the_figure_does_not_import_matplotlib():
    code = "import sys, cuescope.show.figures.violin; print('matplotlib' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "False"
