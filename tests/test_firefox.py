"""Firefox's real model against its native engine, on the reference data."""

from __future__ import annotations

import pytest
import sacrebleu

pytestmark = [pytest.mark.model, pytest.mark.slow]


def test_translations_are_the_native_engines(firefox, shared):
    """Every eleventh of the 7,056 sentences; `probes/firefox_parity.py` takes them all (87.2 %)."""
    pairs = []
    for name in ("reg", "pro", "anti"):
        text = shared("translations", "firefox", f"en-pt.{name}.txt").read_text("utf-8")
        pairs += [line.split(" ||| ") for line in text.splitlines()]
    assert len(pairs) == 7056
    sources, native = zip(*pairs[::11], strict=True)
    ours = firefox.translate(sources)
    same = sum(a == b for a, b in zip(ours, native, strict=True))
    assert same / len(ours) >= 0.86


def test_bleu_is_the_native_engines(firefox, shared):
    """Every fourth line of FLORES dev; the probe takes them all (46.7 against 46.8)."""
    texts = {
        name: shared("flores", f"en-pt.dev.{name}").read_text("utf-8").splitlines()[::4]
        for name in ("en", "pt", "native.pt")
    }
    ours = sacrebleu.corpus_bleu(firefox.translate(texts["en"]), [texts["pt"]]).score
    native = sacrebleu.corpus_bleu(texts["native.pt"], [texts["pt"]]).score
    assert abs(ours - native) <= 0.6  # 0.3 on the whole set; a quarter of it is noisier
    assert ours > 45


def test_the_story(firefox):
    """Production translation mostly ignores the pronoun."""
    twins = [f"The mechanic called because {cue} was late." for cue in ("he", "she")]
    assert all(t.startswith("O mecânico") for t in firefox.translate(twins))
