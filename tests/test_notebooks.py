"""The notebooks run as they are stored: no error, no noise, the same results."""

from __future__ import annotations

import os
import re
from pathlib import Path

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError

import cuescope

FOLDER = Path(__file__).parents[1] / "notebooks"
NAMES = sorted(path.stem for path in FOLDER.glob("*.ipynb"))
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_PERCENT = re.compile(r"(\d+(?:\.\d+)?) %")
each = pytest.mark.parametrize("name", NAMES)


def stored(name):
    return whole(nbformat.read(FOLDER / f"{name}.ipynb", as_version=4))


def whole(notebook):
    """Adjacent pieces of one stream as one: how often a kernel flushes depends on the machine."""
    for cell in code(notebook):
        pieces, cell.outputs = cell.outputs, []
        for piece in pieces:
            last = cell.outputs[-1] if cell.outputs else None
            if (
                last
                and last.output_type == piece.output_type == "stream"
                and last.name == piece.name
            ):
                last.text += piece.text
            else:
                cell.outputs.append(piece)
    return notebook


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def texts(cell):
    """What a cell printed or showed as plain text; a result with a face of its own has HTML."""
    for output in cell.outputs:
        if output.output_type == "stream":
            yield output.text
        elif "text/html" not in output.data and "image/png" not in output.data:
            yield output.data["text/plain"]


def everything(notebook):
    """All text of all outputs."""
    for cell in code(notebook):
        for output in cell.outputs:
            yield output.get("text", "")
            shown = output.get("data", {})
            yield from (part for kind, part in shown.items() if kind.startswith("text/"))


def noise(notebook):
    return [
        output.get("text") or output.get("evalue")
        for cell in code(notebook)
        for output in cell.outputs
        if output.output_type == "error" or output.get("name") == "stderr"
    ]


def test_six_notebooks_and_an_index():
    index = (FOLDER / "README.md").read_text("utf-8")
    assert [name[:2] for name in NAMES] == ["01", "02", "03", "04", "05", "06"]
    assert re.findall(r"\((\d\d-.*?)\.ipynb\)", index) == NAMES


@each
def test_stored_with_its_results_and_clean(name):
    notebook = stored(name)
    nbformat.validate(notebook)
    assert notebook.metadata.kernelspec.name == "python3"
    cells = code(notebook)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert not noise(notebook)
    assert (FOLDER / f"{name}.ipynb").stat().st_size < 400_000
    shown = "\n".join(everything(notebook))
    assert not re.search(r"(?<![\w.])/(home|root|work|tmp|usr|Users)\b|[A-Z]:\\", shown)
    for cell in notebook.cells:
        for link in re.findall(r"\]\((.*?)\)", cell.source) if cell.cell_type == "markdown" else ():
            assert (FOLDER / link).is_file(), link


@each
def test_prose_says_what_the_cells_found(name):
    """Every percentage of the prose is, rounded, one that a cell shows."""
    notebook = stored(name)
    prose = " ".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    shown = [float(number) for text in everything(notebook) for number in _PERCENT.findall(text)]
    for said in _PERCENT.findall(prose):
        digits = len(said.partition(".")[2])
        assert float(said) in {round(value, digits) for value in shown}, f"{said} %"


# Between two notebooks nothing of the first is left but what Python has imported.
_ANEW = """
get_ipython().reset(new_session=False)
import os, pandas
from matplotlib import pyplot
pandas.reset_option("^display")
pyplot.close("all")
pyplot.rcdefaults()
os.chdir({folder!r})
del os, pandas, pyplot
"""


@pytest.fixture(scope="module")
def kernel():
    """One kernel for all of them: most of the time of a small one is the import of torch."""
    from jupyter_client.manager import KernelManager

    settings = {
        "PYTHONPATH": str(Path(cuescope.__file__).parents[1]),
        "OMP_NUM_THREADS": "1",
        "CUESCOPE_PROGRESS": "0",
        "CUESCOPE_OFFLINE": "1",
    }
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel(env={**os.environ, **settings})
    yield manager
    manager.shutdown_kernel(now=True)


def execute(notebook, kernel):
    from nbclient import NotebookClient

    NotebookClient(notebook, km=kernel, timeout=300).execute()
    return whole(notebook)


def anew(kernel, folder):
    """A notebook's first cell knows no name, and stands in its folder."""
    cell = nbformat.v4.new_code_cell(_ANEW.format(folder=str(folder)))
    assert not noise(execute(nbformat.v4.new_notebook(cells=[cell]), kernel))


@pytest.mark.slow
@pytest.mark.model
@each
def test_runs_and_gives_what_is_stored(name, firefox, kernel, tmp_path):
    assert firefox, "the model is in the cache"
    anew(kernel, tmp_path)
    before, notebook = stored(name), execute(stored(name), kernel)
    assert not noise(notebook)
    for old, new in zip(code(before), code(notebook), strict=True):
        kinds = [sorted(output.get("data", {})) for output in new.outputs]
        assert kinds == [sorted(output.get("data", {})) for output in old.outputs], new.source
        for expected, found in zip(texts(old), texts(new), strict=True):
            assert alike(expected, found), f"{new.source}\n{expected}\n{found}"


@pytest.mark.slow
def test_a_notebook_knows_nothing_of_the_last_one(kernel, tmp_path):
    """No name, no option, no folder: what it uses it must say itself."""
    cells = ["import pandas as pd", "pd.options.display.max_colwidth = 7", "here = 1"]
    told = "import os, pandas; print(pandas.options.display.max_colwidth, os.getcwd())"

    def run(*sources):
        made = [nbformat.v4.new_code_cell(source) for source in sources]
        return execute(nbformat.v4.new_notebook(cells=made), kernel)

    run(*cells)
    anew(kernel, tmp_path)
    assert list(texts(run(told).cells[0])) == [f"50 {tmp_path}\n"]
    for name in ("here", "pd", "os"):
        with pytest.raises(CellExecutionError, match=f"name '{name}' is not defined"):
            run(name)
        anew(kernel, tmp_path)


def alike(expected, found):
    """The same words, and numbers that other arithmetic may move a little."""
    if _NUMBER.sub("#", expected) != _NUMBER.sub("#", found):
        return False
    numbers = [list(map(float, _NUMBER.findall(text))) for text in (expected, found)]
    return numbers[1] == pytest.approx(numbers[0], rel=0.05, abs=0.02)


def test_alike_can_fail():
    assert alike("MPA = 5.6 % (n=72)", "MPA = 5.61 % (n=72)")
    assert not alike("MPA = 5.6 % (n=72)", "MPA = 9.6 % (n=72)")
    assert not alike("O médico", "A médica")


def test_streams_are_whole_however_they_came():
    def cell(*outputs):
        made = [
            nbformat.v4.new_output("stream", name=given[0], text=given[1])
            if isinstance(given, tuple)
            else nbformat.v4.new_output("display_data", data={"text/plain": given})
            for given in outputs
        ]
        return nbformat.v4.new_code_cell("print()", outputs=made)

    def joined(*outputs):
        notebook = nbformat.v4.new_notebook(cells=[cell(*outputs)])
        (found,) = whole(notebook).cells
        return [(one.get("name"), one.get("text") or one.data) for one in found.outputs]

    line = ("stdout", "one\n"), ("stdout", "two\n"), ("stdout", "three\n")
    assert joined(*line) == joined(("stdout", "one\ntwo\n"), line[2]) != joined(*line[:2])
    assert joined(*line) == [("stdout", "one\ntwo\nthree\n")]
    # what stands between, or comes by the other stream, keeps them apart and in order
    figure = (None, {"text/plain": "a figure"})
    assert joined(line[0], "a figure", line[1]) == [line[0], figure, line[1]]
    assert joined(line[0], ("stderr", "!"), line[1]) == [line[0], ("stderr", "!"), line[1]]
    assert joined("a figure", "a figure") == [figure, figure]
    assert joined() == []
