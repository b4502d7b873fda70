"""Whose wife is it? Paper C's audit of models into English, and what they do inside."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cuescope.audit.knobs import Knobs
from cuescope.audit.possessive import Possessive, fours, possessive
from cuescope.audit.settings import RelationshipSettings
from cuescope.audit.systems import Model
from cuescope.audit.watched import Watch, watched
from cuescope.audit.workers import BLOCK, FACTS, crew, says
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

    relationships: Relationships
    inside: dict[str, Possessive | str] = field(default_factory=dict)  # by model; a reason if none
    left_out: dict[str, str] = field(default_factory=dict)  # languages of models, with the reason
    cut: dict[str, int] = field(default_factory=dict)  # translations of models without an end
    signature: Signature = field(default_factory=Signature)

    def to_json(self) -> dict[str, Any]:
        """What `score` writes, and the heads."""
        inside = {
            name: {"problem": one} if isinstance(one, str) else one.to_json()
            for name, one in self.inside.items()
        }
        more = {"inside": inside, "left_out": self.left_out, "cut": self.cut}
        return {**self.relationships.to_json(), **more}


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
        made = _model(one, fresh, watch)
        frames.append(made.frame)
        couples.inside[one.model] = made.inside
        couples.left_out.update(made.left_out)
        couples.cut[one.model] = made.cut
        signatures.append(str(made.facts))
    for name, path in (outputs or {}).items():
        frames.append(measure.read(path, name))
    if not frames:
        raise CueScopeError(
            "nothing to audit", expected="a model, or a system's output", found="neither"
        )
    names = [*(one.model for one in use), *(outputs or {})]
    found = Relationships.of_frame(pd.concat(frames, ignore_index=True), names, figures)
    known = {"models": hash_text(signatures)} if signatures else {}
    return replace(couples, relationships=found, signature=found.signature | known)


class _Made(NamedTuple):
    """One model's rows, what was seen inside it, and what it does not translate, or not whole."""

    frame: pd.DataFrame
    inside: Possessive | str
    left_out: dict[str, str]
    cut: int
    facts: Signature


def _model(use: RelationshipSettings, fresh: bool, watch: Watch | None) -> _Made:
    """What one model says, and what is behind it."""
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
    facts = mt.signature | {"sources": hash_text(texts), "search": "greedy", **FACTS}
    with crew(mt, use.jobs), watched(watch, "said", "translating", len(texts)) as told:
        make = says(model, _GREEDY, told)
        lines = store.lines("said", facts, texts, make, chunk=BLOCK, progress=told)
    said = {line["source"]: line["translation"] for line in lines}
    inside: Possessive | str = "no heads were asked for"
    if use.heads:
        with watched(watch, "heads", "patching heads", 4 * use.heads) as told:
            inside = possessive(mt, rows, said, use.heads, progress=told)
    frame = pd.DataFrame([{**row, "target_sent": said[row["sent"]]} for row in rows])
    frame = measure.judged(frame, use.model)
    shown = inside if isinstance(inside, str) else inside.to_json()
    store.write("inside.json", json.dumps(shown, ensure_ascii=False, indent=1, allow_nan=False))
    return _Made(frame, inside, left, sum(line["cut"] for line in lines), facts)


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
