"""Whose wife is it? Paper C's audit of models into English, and what they do inside."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cuescope.audit.knobs import Knobs
from cuescope.audit.possessive import Possessive, fours, possessive
from cuescope.audit.settings import RelationshipSettings
from cuescope.audit.systems import BATCH, Model
from cuescope.audit.watched import Watch, watched
from cuescope.audit.workers import BLOCK, crew
from cuescope.data import relationships as sentences
from cuescope.data.items import sample
from cuescope.errors import CueScopeError
from cuescope.inside.translator import Translator
from cuescope.measures import relationships as measure
from cuescope.measures.relationships import Relationships
from cuescope.models.languages import short
from cuescope.run.store import Store, clear
from cuescope.signature import Signature, hash_text

if TYPE_CHECKING:
    import pandas as pd

_GREEDY = Knobs(beam=1)


@dataclass(frozen=True)
class Couples:
    """One or more systems' outputs, judged, and what was seen inside those that are models."""

    found: Relationships
    inside: dict[str, Possessive | str] = field(default_factory=dict)  # by model; a reason if none
    left_out: dict[str, str] = field(default_factory=dict)  # languages of models, with the reason
    signature: Signature = field(default_factory=Signature)

    def to_json(self) -> dict[str, Any]:
        """What `score` writes, and the heads."""
        inside = {
            name: {"problem": one} if isinstance(one, str) else one.to_json()
            for name, one in self.inside.items()
        }
        return {**self.found.to_json(), "inside": inside, "left_out": self.left_out}


def audit(
    use: Sequence[RelationshipSettings],
    outputs: Mapping[str, str | Path] | None = None,
    *,
    occupations: str | Path | None = None,
    fresh: bool = False,
    watch: Watch | None = None,
) -> Couples:
    """Translate with every model, join the given outputs of other systems, and judge them all.

    Each model's translations are kept in its folder; an audit that was interrupted goes on.
    """
    import pandas as pd

    figures = occupations or next((one.occupations for one in use if one.occupations), None)
    frames: list[pd.DataFrame] = []
    couples = Couples(Relationships(pd.DataFrame()))
    signatures: list[str] = []
    for one in use:
        frame, inside, left, facts = _model(one, fresh, watch)
        frames.append(frame)
        couples.inside[one.model] = inside
        couples.left_out.update(left)
        signatures.append(str(facts))
    for name, path in (outputs or {}).items():
        frames.append(measure.read(path, name))
    if not frames:
        raise CueScopeError(
            "nothing to audit", expected="a model, or a system's output", found="neither"
        )
    names = [*(one.model for one in use), *(outputs or {})]
    found = Relationships.of_frame(pd.concat(frames, ignore_index=True), names, figures)
    known = {"models": hash_text(signatures)} if signatures else {}
    return replace(couples, found=found, signature=found.signature | known)


def _model(
    use: RelationshipSettings, fresh: bool, watch: Watch | None
) -> tuple[pd.DataFrame, Possessive | str, dict[str, str], Signature]:
    """One model's rows, what was seen inside it, and the languages that it does not translate."""
    import pandas as pd

    model = Model(use.model, use.src, use.tgt)
    mt = Translator.of(model.load())
    langs, left = _languages(mt, use)
    if fresh:
        clear(use.folder)
    store = Store(use.folder)
    whose = {"audit": "relationships", "model": use.model, "weights": mt.signature["weights"]}
    store.claim(whose)
    rows = [row for lang in langs for row in _drawn(lang, use.limit)]
    texts = sorted({row["sent"] for row in rows}, key=lambda text: (-len(text), text))
    facts = mt.signature | {"sources": hash_text(texts), "search": "greedy", "batch": BATCH}
    with crew(use.jobs) as workers, watched(watch, "said", "translating", len(texts)) as told:

        def make(some: Sequence[str]) -> list[dict[str, Any]]:
            found = workers.says(model, _GREEDY, some, told)
            return [{"source": a, "translation": b} for a, b in zip(some, found, strict=True)]

        lines = store.lines("said", facts, texts, make, chunk=4 * BLOCK, told=told)
    said = {line["source"]: line["translation"] for line in lines}
    inside: Possessive | str = "no heads were asked for"
    if use.heads:
        with watched(watch, "heads", "patching heads", 4 * use.heads) as told:
            inside = possessive(mt, rows, said, use.heads, progress=told)
    frame = pd.DataFrame([{**row, "target_sent": said[row["sent"]]} for row in rows])
    frame = measure.judged(frame, use.model)
    shown = inside if isinstance(inside, str) else inside.to_json()
    store.write("inside.json", json.dumps(shown, ensure_ascii=False, indent=1, allow_nan=False))
    return frame, inside, left, facts


def _drawn(lang: str, limit: int) -> list[dict[str, str]]:
    """The sentences of a language, or some of them: always four that differ in genders alone."""
    some = sample(fours(sentences.rows(lang)), -(-limit // 4))
    return [row for four in some for row in four.values()]


def _languages(mt: Translator, use: RelationshipSettings) -> tuple[list[str], dict[str, str]]:
    """The source languages that the model has, and why it has not the others."""
    target, source = short(mt.tgt), short(mt.src)
    if target not in (None, "en"):
        raise CueScopeError(
            f"{use.model} does not translate into English",
            expected="a model into English, whose possessive shows a gender: firefox:pt-en",
            found=f"{mt.src} → {mt.tgt}",
        )
    if source is None and len(use.langs) != 1:
        raise CueScopeError(
            f"which language does {use.model} translate from?",
            expected="one of --langs, where the model does not say",
            found=", ".join(use.langs),
        )
    own = source or use.langs[0]
    if own not in use.langs:
        raise CueScopeError(
            f"{use.model} translates from {own}, which is not asked for",
            expected=f"{own} among --langs",
            found=", ".join(use.langs),
        )
    others = [lang for lang in use.langs if lang != own]
    return [own], {f"{use.model}, {lang}": f"it translates from {own}" for lang in others}
