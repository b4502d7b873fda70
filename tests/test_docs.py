"""The pages say what is true: their Python runs as printed, their commands parse, links lead on."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer

import cuescope.models
import import_graph as graph
import tiny
from cuescope.gender import languages
from cuescope.run.findings import write
from findings_of import findings
from test_help import ALL, parsed

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs").glob("*.md"))
TEXTS = [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
_BLOCK = re.compile(r"^```(\w*)(?: ([\w./-]+))?\n(.*?)^```", re.M | re.S)
CATALAN = {  # what the small model of adding-a-language.md has learnt
    f"The {noun} ate before {pronoun} left.": f"{form} va menjar."
    for noun, *forms in (
        ("mechanic", "El mecànic", "La mecànica"),
        ("hairdresser", "El perruquer", "La perruquera"),
        ("plumber", "El lampista", "La lampista"),
    )
    for pronoun, form in zip(("he", "she"), forms, strict=True)
}
_OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(page: Path) -> list[tuple[str, str, str]]:
    """Kind, file name (if the fence names one) and text of every block of a page."""
    return _BLOCK.findall(page.read_text("utf-8"))


def _marks(page: Path) -> list[pytest.MarkDecorator]:
    needs = any('load("firefox' in text for _, _, text in blocks(page))
    return [pytest.mark.model, pytest.mark.slow] if needs else []


RUNNABLE = [
    pytest.param(page, id=page.stem, marks=_marks(page))
    for page in PAGES
    if any(kind == "python" for kind, _, _ in blocks(page))
]


@pytest.fixture
def folder(tmp_path, monkeypatch, request):
    """A reader's folder: two runs, a model of their own; the real model is opened once for all."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("MPLBACKEND", "agg")
    for name, model, right in (("firefox", "firefox:en-pt", 0.2), ("opus", "mine/opus", 0.6)):
        found = findings(40, name=model, right=right, seed=3)
        found["model"]["weights"] = name
        write(tmp_path / "runs" / name, found)
    if request.node.get_closest_marker("model"):
        real, opened = cuescope.models.load, request.getfixturevalue("firefox")
        monkeypatch.setattr(
            cuescope.models,
            "load",
            lambda name, **options: opened if name == "firefox:en-pt" else real(name, **options),
        )
    return tmp_path


@pytest.mark.parametrize("page", RUNNABLE)
def test_python_runs_as_printed(page, folder, monkeypatch):
    if page.stem == "adding-a-model":
        from cuescope.models import families

        monkeypatch.setattr(families, "FAMILIES", families.FAMILIES)
    if page.stem == "adding-a-stage":
        from cuescope.run import stages

        monkeypatch.setattr(stages, "STAGES", stages.STAGES)
    if page.stem == "adding-a-report-section":
        from cuescope.show.report.body import SECTIONS

        monkeypatch.setitem(SECTIONS, "unmoved", "undone afterwards")
    if page.stem == "adding-a-language":
        tiny.taught(folder / "my-en-ca", CATALAN, "ca")
        monkeypatch.setattr(languages, "_KNOWN", dict(languages._KNOWN))
    if page.stem == "adding-a-measure":
        from cuescope.measures import registry

        registry.known()
        monkeypatch.setattr(registry, "_KNOWN", dict(registry._KNOWN))
    known: dict[str, object] = {"__name__": page.stem}
    for place, (kind, name, text) in enumerate(blocks(page)):
        if name:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, "utf-8")
        elif kind == "python" and ">>> " not in text:
            exec(compile(text, f"{page.name}, block {place}", "exec"), known)
        elif kind == "python":
            test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
            test.globs = known
            said: list[str] = []
            failed = doctest.DocTestRunner(optionflags=_OPTIONS).run(
                test, out=said.append, clear_globs=False
            )
            assert not failed.failed, "".join(said)
    for name in [
        n for n, m in sys.modules.items() if str(folder) in str(getattr(m, "__file__", ""))
    ]:
        monkeypatch.delitem(sys.modules, name)


def test_a_language_in_the_project(tmp_path):
    """The files that the page names, put into the package: no other is touched."""
    package = tmp_path / "src" / "cuescope"
    shutil.copytree(
        ROOT / "src" / "cuescope", package, ignore=shutil.ignore_patterns("__pycache__")
    )
    named = [(name, text) for _, name, text in blocks(ROOT / "docs" / "adding-a-language.md")]
    for name, text in named:
        if name.startswith("src/"):
            (tmp_path / name).write_text(text, "utf-8")
    code = (
        "from cuescope.gender import languages, read; from cuescope.inside.ready import "
        "target_language; from types import SimpleNamespace as mt; "
        "print(languages.codes(), target_language(mt(tgt='ca', name='')), "
        "languages.get('ca').missing(), read('La mecànica ve.', (3, 11), 'ca'))"
    )
    said = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(tmp_path / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.strip() == (
        "('ca', 'de', 'es', 'fr', 'it', 'pt', 'ru', 'uk') ca [] "
        "feminine: La (article: feminine), mecànica (noun form: feminine)"
    )


@pytest.mark.parametrize("lang", languages.codes())
def test_languages_of_the_project_have_their_phrases(lang):
    lines = (ROOT / "tests" / "gender_tables" / f"{lang}.tsv").read_text("utf-8").splitlines()
    assert sum(bool(line) and not line.startswith("#") for line in lines) >= 150
    assert languages.get(lang).missing() == []


def commands_of(page: Path) -> list[str]:
    """The `cuescope …` lines of a page's plain blocks, without comments and redirections."""
    text = "\n".join(body for kind, _, body in blocks(page) if kind in ("", "sh"))
    joined = text.replace("\\\n", " ")
    found = []
    for line in joined.splitlines():
        line = re.split(r"\s+#", line)[0]
        line = re.split(r" [>&]", line)[0].strip()
        if line.startswith("cuescope "):
            first, *more = re.split(r"\s+\|\s+", line)
            head = first.split()[:2]
            found += [first, *(" ".join([*head, other]) for other in more)]
    return found


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: page.stem)
def test_commands_parse(page):
    for line in commands_of(page):
        if re.fullmatch(r"cuescope --(install|show)-completion|cuescope --\w+", line):
            continue
        try:
            parsed(line)
        except typer.Exit:
            pass  # an option that prints and ends, as --schema
        except Exception as error:
            pytest.fail(f"{page.name}: {line}: {error}")


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#:]+)(?:#[\w-]*)?\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: page.stem)
def test_what_pages_name_is_there(page):
    """Modules by their dotted names, files by their paths: after a move, pages still lead there."""
    text = page.read_text("utf-8")
    known = graph.modules(graph.SOURCE)
    for name in re.findall(r"\bcuescope\.([a-z_]+(?:\.\w+)*)", text):
        if name.startswith("schema.json"):
            continue
        parts = name.split(".")
        depth = next((n for n in range(len(parts), 0, -1) if ".".join(parts[:n]) in known), 0)
        found = known.get(".".join(parts[:depth]), known[""])
        rest = parts[depth:]
        assert not rest or re.search(rf"\b{rest[0]}\b", found.read_text("utf-8")), name
    own = {name for _, name, _ in blocks(page)}
    places = (ROOT, ROOT / "src", graph.SOURCE)
    for path in set(re.findall(r"`([a-z_/\d]+\.py)\b", text)) - own:
        there = any((place / path).is_file() for place in places)
        assert there or ("/" not in path and any(graph.SOURCE.rglob(path))), path
    for path in re.findall(r"`((?:[a-z_]+/)+)`", text) if page.stem == "CONTRIBUTING" else ():
        assert any((place / path).is_dir() for place in places), path


def test_every_verb_has_a_page_with_gotchas():
    index = (ROOT / "docs" / "README.md").read_text("utf-8")
    for verb in {path[0] for path in ALL}:
        page = ROOT / "docs" / f"{verb}.md"
        assert page.exists(), verb
        assert f"]({verb}.md)" in index
        text = page.read_text("utf-8")
        assert "## Gotchas" in text or "Gotchas" in text, verb
        assert any(line.startswith(f"cuescope {verb}") for line in commands_of(page)), verb


@pytest.mark.parametrize(
    "name", ["model", "language", "challenge-set", "measure", "stage", "report-section"]
)
def test_worked_examples_are_short(name):
    """The first example of the page: what comes under a second heading is more than is needed."""
    page = ROOT / "docs" / f"adding-a-{name}.md"
    example = page.read_text("utf-8").split("\n## What must be there")[0]
    lines = [
        line
        for kind, file, text in _BLOCK.findall(example)
        if kind == "python" or file.endswith(".py")
        for line in text.splitlines()
        if line.strip()
    ]
    assert 0 < len(lines) < 60, len(lines)


def test_citation():
    """The fields that CFF 1.2.0 asks for, this version, and the four papers with their authors."""
    import yaml

    import cuescope

    told = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert told["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= set(told)
    assert str(told["version"]) == cuescope.__version__
    assert [one["notes"][:7] for one in told["references"]] == [f"Paper {x}" for x in "ABCD"]
    assert all(one["authors"] and one["title"] and one["type"] for one in told["references"])
