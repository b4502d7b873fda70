"""NLI: translations of one meaning are those that entail each other."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from cuescope.errors import CueScopeError, first_line, refusal
from cuescope.measures.equivalence import by_entailment
from cuescope.measures.uncertainty import Group

MULTILINGUAL = "MoritzLaurer/mDeBERTa-v3-base-mnli-xnli"  # paper B's
LABELS = ("entailment", "neutral", "contradiction")

_closed = refusal(
    "the NLI model {} cannot be opened",
    expected="a folder, or a hub name, of a sequence classifier with safetensors",
    do="`hf download {}` where the hub is reachable; or choose another equivalence, such as "
    "Normalised()",
)


class NLI:
    """Two-way entailment by a sequence classifier: a hub name or a folder.

    `mode`: strict, both entail each other; loose, neither contradicts and one entails. Each pair of
    texts is asked once in a lifetime: answers stay in `cache`, a file under the user's cache folder
    unless named; `calls` counts what the model really had to answer.
    """

    def __init__(
        self,
        model: str = MULTILINGUAL,
        mode: Literal["strict", "loose"] = "strict",
        *,
        batch_size: int = 64,
        cache: str | Path | None = None,
        device: str = "cpu",
    ) -> None:
        if mode not in ("strict", "loose"):
            raise CueScopeError("no such mode", expected="strict or loose", found=mode)
        self.model, self.mode, self.batch_size = model, mode, batch_size
        self.device, self._cache, self.calls = device, cache, 0
        self.name = f"NLI ({model}, {mode})"

    def labels(self, groups: Sequence[Group]) -> list[list[int]]:
        """The number of each text's cluster."""
        texts = [group.texts for group in groups]
        return by_entailment(texts, self.ask, strict=self.mode == "strict")

    def ask(self, pairs: list[tuple[str, str]]) -> list[str]:
        """entailment, neutral or contradiction for each (premise, hypothesis)."""
        if not pairs:
            return []
        known: dict[tuple[str, str], str] = {}
        with self._open() as store:
            keys = {pair: self._key(pair) for pair in dict.fromkeys(pairs)}
            for pair, key in keys.items():
                row = store.execute("SELECT label FROM verdicts WHERE key = ?", (key,)).fetchone()
                if row and row[0] in self._loaded[2]:  # a disk may have lost a bit of it
                    known[pair] = row[0]
            new = sorted((p for p in keys if p not in known), key=lambda p: len(p[0]) + len(p[1]))
            for at in range(0, len(new), self.batch_size):
                part = new[at : at + self.batch_size]
                answers = self._classify(part)
                known.update(zip(part, answers, strict=True))
                rows = [(keys[pair], known[pair]) for pair in part]
                store.executemany("INSERT OR REPLACE INTO verdicts VALUES (?, ?)", rows)
                store.commit()  # an interrupted run keeps what was answered
            self.calls += len(new)
        return [known[pair] for pair in pairs]

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """The answers so far; a damaged file or a full disk is said, whenever it is met."""
        from cuescope.files.fetch import cache

        path = Path(self._cache) if self._cache else cache() / "nli.sqlite"
        known = "CREATE TABLE IF NOT EXISTS verdicts (key BLOB PRIMARY KEY, label TEXT)"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(path, timeout=60)) as store:
                store.execute(known)
                yield store
        except (sqlite3.Error, OSError) as error:
            raise CueScopeError(
                f"the answers in {path} cannot be read or kept",
                expected="a file that cuescope wrote, in a place that one may write to",
                found=str(error),
                do="delete it: it only saves time; CUESCOPE_CACHE names another place",
            ) from None

    def _key(self, pair: tuple[str, str]) -> bytes:
        return hashlib.sha256("\0".join([self._loaded[3], *pair]).encode()).digest()

    @cached_property
    def _loaded(self) -> tuple[Any, Any, list[str], str]:
        """Tokenizer, network, its labels in order, and a hash of its weights."""
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        try:
            tokenizer = AutoTokenizer.from_pretrained(self.model, trust_remote_code=False)
            network, found = AutoModelForSequenceClassification.from_pretrained(
                self.model, use_safetensors=True, trust_remote_code=False, output_loading_info=True
            )
        except Exception as error:  # the hub, the disk, safetensors, torch: each has its own
            raise _closed(self.model, first_line(error)) from None
        if lost := [*found["missing_keys"], *(key for key, *_ in found["mismatched_keys"])]:
            what = f"{len(lost)} tensors that its files lack or hold in another shape, as {lost[0]}"
            raise _closed(self.model, what)  # they would be random
        names = network.config.id2label
        labels = [self._label(str(names[i])) for i in sorted(names)]
        if "entailment" not in labels:
            raise CueScopeError(
                f"{self.model} is no NLI model",
                expected=f"a classifier with the labels {', '.join(LABELS)}",
                found=", ".join(map(str, names.values())),
                do=f"take one trained on entailment, such as {MULTILINGUAL}",
            )
        network = network.eval().requires_grad_(False).to(self.device)
        digest = hashlib.sha256(repr(labels).encode())
        for name, value in sorted(network.state_dict().items()):
            digest.update(name.encode() + value.cpu().contiguous().numpy().tobytes())
        return tokenizer, network, labels, digest.hexdigest()

    @staticmethod
    def _label(name: str) -> str:
        """A model's own spelling of a label; of two classes the other one is no entailment."""
        name = name.lower().replace("_", " ")
        if name in ("not entailment", "non entailment"):
            return "neutral"
        return next((label for label in LABELS if label in name), name)

    def _classify(self, pairs: list[tuple[str, str]]) -> list[str]:
        tokenizer, network, labels, _ = self._loaded
        given = tokenizer(
            [a for a, _ in pairs],
            [b for _, b in pairs],
            padding=True,
            truncation=True,
            return_tensors="pt",
        ).to(network.device)
        logits = network(**given).logits  # no parameter asks for a gradient: see `_loaded`
        return [labels[i] for i in logits.argmax(-1).tolist()]
