"""Figures: what is drawn is the data, on any axes, and fit for print."""

from __future__ import annotations

import re
import subprocess
import sys
import warnings
import zlib

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
import torch

mpl.use("Agg")
import matplotlib.pyplot as plt

import cuescope as cs
from cuescope.inside.effect.sets import Step
from cuescope.inside.read.maps import AttentionMap
from cuescope.measures.uncertainty import Uncertainty
from cuescope.run.study import Study
from cuescope.show.figures import save
from cuescope.show.figures.arcs import WIDEST, arcs
from cuescope.show.figures.canvas import shown
from cuescope.signature import Signature
from cuescope.stats.scores import Scores
from cuescope.stats.value import Value


@pytest.fixture(autouse=True)
def _leave_nothing_behind():
    """Global settings as they were, warnings are errors, figures closed."""
    plt.close("all")  # other tests' figures
    before = dict(mpl.rcParams)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        yield
    assert dict(mpl.rcParams) == before
    plt.close("all")


def scores(values, measure="attention", site="encoder", **rows):
    values = np.asarray(values, float)
    frame = pd.DataFrame({"length": [4] * len(values), "pair": range(len(values)), **rows})
    return Scores(values, site, measure, frame)


def many(layers=6, heads=8, measure="attention", seed=0, **rows):
    values = np.random.default_rng(seed).gamma(1, 0.1, (6, layers, heads))
    return scores(values, measure, gold=["male", "female"] * 3, **rows)


def attention_map(tokens=("▁The", "▁mech", "anic", "▁she", "</s>"), site="encoder"):
    torch.manual_seed(0)
    weights = torch.softmax(3 * torch.randn(2, 3, len(tokens), len(tokens)), -1)
    return AttentionMap(site, weights, tuple(tokens), tuple(tokens))


def study():
    def one(a):
        return Uncertainty(("o", "a"), (a, 128 - a), np.eye(2), "gender", labels=("m", "f"))

    counts = [128, 100, 64, 120, 90, 70, 128, 80, 66]
    return Study((), {}, {"ge": [one(a) for a in counts]}, Signature())


VALUES = {
    name: {who: Value(f"accuracy {who}", 0.5, 0.4, 0.7, 10) for who in ("male", "female")}
    for name in ("pro", "anti")
}
TAKEN = [Step("encoder", 2, 1, 0.42), Step("encoder", 0, 7, 0.8), Step("cross", 1, 2, 0.95)]
FIGURES = {
    "heatmap": lambda ax=None: cs.heatmap(many(), ax),
    "compare": lambda ax=None: cs.compare(many(), many(measure="effect", seed=1), ax),
    "arcs": lambda ax=None: cs.arcs(attention_map(), 1, 2, ax, noun="mechanic", cue="she"),
    "steps": lambda ax=None: cs.steps(TAKEN, ax),
    "bars": lambda ax=None: cs.bars(VALUES, ax),
    "violin": lambda ax=None: cs.violin(study(), ax),
}
each = pytest.mark.parametrize("name", FIGURES)


# -- every figure ------------------------------------------------------------------------------


@each
def test_draws_on_the_given_axes_and_returns_them(name):
    figure, ax = plt.subplots()
    assert FIGURES[name](ax) is ax
    figure.canvas.draw()
    assert plt.get_fignums() == [figure.number], "no figure of its own"
    assert FIGURES[name]().figure is not figure


@pytest.mark.slow
@each
@pytest.mark.parametrize("layout", [None, "tight", "constrained", "tight_layout()"])
def test_neighbours_do_not_overlap(name, layout):
    """Four of a kind on any layout: nothing of one lies on the panel of another."""
    by_hand = layout == "tight_layout()"
    figure, axes = plt.subplots(2, 2, figsize=(10, 8), layout=None if by_hand else layout)
    for ax in axes.flat:
        FIGURES[name](ax)
    if by_hand:
        figure.tight_layout()
    figure.canvas.draw()
    for ax in axes.flat:
        bars = [bar.get_tightbbox() for bar in ax.child_axes]
        reach = mpl.transforms.Bbox.union([ax.get_window_extent(), *bars])
        for other in set(axes.flat) - {ax}:
            assert not reach.padded(-1).overlaps(other.get_window_extent().padded(-1))
        assert reach.x1 <= figure.bbox.x1 + 1, "within the figure"


@pytest.mark.slow
@each
def test_pdf_has_truetype_fonts_and_vectors(name, tmp_path):
    made = save(FIGURES[name](), tmp_path / "new" / f"{name}.pdf").read_bytes()
    unpacked = made + b"".join(_inflated(made))
    assert b"/Type3" not in unpacked
    assert b"/FontFile2" in unpacked, "TrueType, embedded"
    bar = name in ("heatmap", "compare")
    assert (b"/Subtype /Image" in unpacked) <= bar, "only a colour bar may be an image"
    assert save(FIGURES[name](), tmp_path / "again.pdf").read_bytes() == made


def _inflated(pdf):
    for part in re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.S):
        try:
            yield zlib.decompress(part)
        except zlib.error:
            continue


@pytest.mark.slow
def test_save_takes_axes_figures_and_lists_and_refuses_what_it_cannot_write(tmp_path):
    axes = cs.heatmap({"a": many(), "b": many()})
    for given in (axes, axes[0], axes[0].figure, np.array(axes)):
        assert save(given, tmp_path / "a.svg").stat().st_size > 1000
    assert save(axes, tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(cs.CueScopeError, match="no such kind of figure"):
        save(axes, tmp_path / "a.docx")
    with pytest.raises(cs.CueScopeError, match="no such kind of figure"):
        save(axes, tmp_path / "a")
    (tmp_path / "file").write_text("")
    with pytest.raises(cs.CueScopeError, match="cannot be written"):
        save(axes, tmp_path / "file" / "a.pdf")
    assert not list(tmp_path.glob(".*")), "nothing half-written"


def test_figures_import_no_matplotlib():
    code = "import cuescope.show.figures, sys; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


# -- heatmap -----------------------------------------------------------------------------------


def test_heatmap_draws_the_means_and_marks_what_is_above_the_threshold():
    ax = cs.heatmap(scores([[[0.1, 0.6, 0.2], [0.3, 0.0, 0.1]]]))
    mesh, dots = ax.collections
    assert mesh.get_array().tolist() == [[0.1, 0.6, 0.2], [0.3, 0.0, 0.1]]
    assert mesh.get_clim() == (0, 0.6)
    assert mesh.cmap.name == "cuescope one"
    assert dots.get_offsets().tolist() == [[1, 0], [0, 1]]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("head", "layer")
    assert ax.get_ylim() == (1.5, -0.5), "layers run down"
    (level,) = ax.child_axes[0].lines[-1].get_ydata()
    assert level == 0.25, "the bar says what a dot means"


def test_panels_share_one_scale_and_one_bar_and_signs_have_a_middle():
    axes = cs.heatmap({"she": scores([[[0.1]]], "effect"), "he": scores([[[-0.4]]], "effect")})
    assert [ax.collections[0].get_clim() for ax in axes] == [(-0.4, 0.4)] * 2
    assert [len(ax.child_axes) for ax in axes] == [0, 1]


def test_by_gender_is_all_male_female():
    found = many()
    axes = cs.heatmap(found, by="gold")
    assert [ax.get_title().split(":")[0] for ax in axes] == ["all", "male", "female"]
    for ax, part in zip(axes, [found, *(found.where(gold=g) for g in ("male", "female"))]):  # noqa: B905
        assert np.allclose(ax.collections[0].get_array(), part.mean().values)
    assert len({ax.collections[0].get_clim() for ax in axes}) == 1
    with pytest.raises(cs.CueScopeError, match="only scores can be split"):
        cs.heatmap(found.mean(), by="gold")


def test_large_and_small_models_and_empty_cells():
    ax = cs.heatmap(many(24, 16))
    assert ax.get_xticks().tolist() == list(range(0, 16, 2))
    values = np.full((2, 2, 2), np.nan)
    values[0, 0, 0] = 0.5
    ax = cs.heatmap(scores(values))
    assert np.ma.count_masked(ax.collections[0].get_array()) == 3
    cs.heatmap({"encoder": many(), "cross": many(2, 8)})[0].figure.canvas.draw()
    with pytest.raises(cs.CueScopeError, match="nothing to draw"):
        cs.heatmap(scores([[[np.nan]]]))
    with pytest.raises(cs.CueScopeError, match="do not match"):
        cs.heatmap({"a": many(), "b": many()}, ax=ax)


def test_a_subfigure_is_fine():
    figure = plt.figure(figsize=(8, 4))
    left, right = figure.subfigures(1, 2)
    cs.heatmap(many(), left.subplots())
    ax = cs.heatmap(many(), right.subplots())
    figure.canvas.draw()
    assert ax.child_axes[0].get_tightbbox().x1 <= figure.bbox.x1 + 1


# -- the others --------------------------------------------------------------------------------


def test_compare_draws_every_head_where_it_belongs():
    a, b = many(), many(measure="effect", seed=1)
    ax = cs.compare(a, b)
    drawn = ax.collections[0].get_offsets()
    assert np.allclose(drawn[:, 0], a.mean().values.ravel())
    assert np.allclose(drawn[:, 1], b.mean().values.ravel())
    layer, head = np.unravel_index(b.mean().values.argmax(), (6, 8))
    assert f"{layer}.{head}" in [text.get_text() for text in ax.texts]
    assert "ρ = " in ax.get_title()


def test_arcs_are_as_wide_as_the_weights():
    one = attention_map()
    ax = cs.arcs(one, 1, 2, noun="mechanic", cue="she")
    (lines,) = ax.collections
    drawn = sorted(width / WIDEST for width in lines.get_linewidths())
    weights = one.weights[1, 2].numpy().ravel()
    assert np.allclose(drawn, sorted(w for w in weights if w >= 0.02))
    mean = float(one.weights[1, 2][1:3, 3].mean())
    assert f"noun → cue: {mean:.2f}" in ax.get_title()
    bold = [text.get_text() for text in ax.texts if text.get_fontweight() == "bold"]
    assert bold == ["mech", "-anic", "she"]


def test_arcs_take_positions_and_refuse_what_is_not_there():
    one = attention_map()
    by_word = cs.arcs(one, 0, 0, noun="mechanic", cue="she").get_title()
    assert cs.arcs(one, 0, 0, noun=(1, 2), cue=3).get_title() == by_word
    assert cs.arcs(one, 0, 0).get_title() == "encoder 0.0"
    for wrong, said in [
        ({"noun": "nurse"}, "'nurse' is not in the sentence"),
        ({"cue": 9}, "cue lies outside"),
    ]:
        with pytest.raises(cs.CueScopeError, match=said):
            cs.arcs(one, 0, 0, **wrong)
    with pytest.raises(cs.CueScopeError, match="no such head"):
        cs.arcs(one, 0, 3)


def test_arcs_of_a_model_have_two_token_axes(tiny_model):
    mt = tiny_model("marian")
    for site, one in mt.maps("The mechanic called because she was late.").items():
        ax = cs.arcs(one, 1, 0)
        tokens = len(one.queries) + len(one.keys)
        assert len(ax.texts) == tokens + 2, "both columns have a heading"
        assert site in ax.get_title()


def test_arcs_keep_their_words_inside_the_axes():
    long = attention_map(["▁" + "supercalifragilistic" * 3, *["▁of"] * 60, "</s>"])
    for ax in (cs.arcs(long, 0, 0), cs.arcs(long, 0, 0, plt.subplots(figsize=(2, 2))[1])):
        ax.figure.canvas.draw()
        box = ax.get_window_extent()
        for text in ax.texts:
            place = text.get_window_extent()
            assert box.x0 - 2 <= place.x0
            assert place.x1 <= box.x1 + 2


def test_steps_and_bars_show_their_numbers():
    ax = cs.steps(TAKEN)
    tops = [bar.get_y() + bar.get_height() for bar in ax.patches[1::2]]
    assert tops == pytest.approx([0.42, 0.8, 0.95])
    assert [text.get_text() for text in ax.texts] == ["42 %", "80 %", "95 %"]
    assert [t.get_text() for t in ax.get_xticklabels()][1:] == ["+ encoder\n0.7", "+ cross\n1.2"]
    ax = cs.bars(VALUES)
    assert [bar.get_height() for bar in ax.patches] == [0.5] * 4
    assert ax.get_ylabel() == "accuracy"
    for nothing in (
        lambda: cs.steps([]),
        lambda: cs.bars({"pro": {"all": Value("x", 0, 0, 0, 0)}}),
    ):
        with pytest.raises(cs.CueScopeError, match="nothing to draw"):
            nothing()


def test_violins_of_a_study_stand_on_its_entropies():
    made = study()
    ax = cs.violin(made, title="100 $ and $x_$")
    means = [float(line.get_ydata()[0]) for line in ax.lines]
    assert means == pytest.approx(made.entropies("ge").mean(0).tolist())
    assert [t.get_text() for t in ax.get_xticklabels()] == ["he", "she", "they"]
    with pytest.raises(cs.CueScopeError, match="not measured"):
        cs.violin(made, measure="se")


# -- hostile text ------------------------------------------------------------------------------

HOSTILE = [
    "▁$x_$", r"▁\frac{", "▁<script>", "▁שלום", "▁مرحبا", "▁👩🏽‍🔧", "▁a\nb\x00\t",
    "▁" + "w" * 10_000, "▁", "&amp;", "\ud800",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Glyph")
@pytest.mark.parametrize("kind", ["png", "pdf", "svg"])
def test_hostile_tokens_are_drawn_as_they_are(kind, tmp_path):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph|.*missing from")
        ax = arcs(attention_map(HOSTILE), 0, 0, noun=[0], cue=[1])
        assert save(ax, tmp_path / f"a.{kind}").stat().st_size > 1000
        drawn = [text.get_text() for text in ax.texts]
    assert "$x_$" in drawn
    assert "<script>" in drawn
    assert max(map(len, drawn)) <= 20


def test_a_name_with_a_dollar_is_no_formula():
    axes = cs.heatmap({"cost $5_": many(), r"$\alpha$": many()})
    cs.bars({"$a_$": {"$b^$": Value("x $ y $", 0.5, 0.4, 0.6, 3)}}).figure.canvas.draw()
    axes[0].figure.canvas.draw()
    assert axes[1].get_title().startswith(r"$\alpha$")


def test_shown_marks_where_a_word_goes_on():
    assert shown(["▁", "mechanic", "s", ".", "▁she"]) == ["▁", "mechanic", "-s", ".", "she"]
