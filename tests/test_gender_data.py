"""Agreement of the Romance readers with native speakers and references, where they are at hand."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from shared_data import shared

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def probe() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "gender_agreement", ROOT / "probes" / "gender_agreement.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("lang", "floor"), [("es", 0.97), ("it", 0.94)])
def test_native_speakers(probe: ModuleType, lang: str, floor: float) -> None:
    """They judge the sentence with its pronouns; what the phrase alone decides agrees as well."""
    counts = probe.report(lang, probe.human(shared("human").parent, lang), show=False)
    assert counts["with_pronouns"] / counts["n"] >= floor
    assert counts["agree"] / counts["decided"] >= floor
    assert counts["unknown"] / counts["n"] <= 0.02


@pytest.mark.slow
@pytest.mark.parametrize("parity", [0, 1])
@pytest.mark.parametrize("lang", ["es", "it", "pt", "fr"])
def test_marked_phrases(probe: ModuleType, lang: str, parity: int) -> None:
    counts = probe.report(
        lang, probe.geneval(shared("geneval").parent, lang, parity, nouns=True), show=False
    )
    assert counts["n"] > 900
    assert counts["agree"] / counts["n"] >= 0.98
    assert (counts["unknown"] + counts["neutral"]) / counts["n"] <= 0.01


@pytest.mark.slow
@pytest.mark.parametrize("name", ["reg", "pro", "anti"])
def test_published_verdicts(probe: ModuleType, name: str) -> None:
    """The published pipeline reads *dal falegname* as feminine: full agreement would be wrong."""
    counts = probe.report(name, probe.published(shared("translations").parent, name), show=False)
    assert counts["agree"] / counts["n"] >= 0.95
    assert counts["agree"] / counts["decided"] >= 0.975
    assert counts["with_pronouns"] / counts["n"] >= 0.955
    assert counts["unknown"] / counts["n"] <= 0.005
