"""A model run in one of the ways of the grid: what it says, and the time it takes on one core."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, Protocol

from cuescope.audit.knobs import Knobs
from cuescope.mend.engine import Session, missing
from cuescope.models import catalog
from cuescope.models.decoding import Limits
from cuescope.models.translator import Translator

BATCH = 160  # rows at a time, those of a beam included
FACTOR = 2.0  # sub-words of a translation to one of its source: Firefox's own max-length-factor
_WARM = 8


class Said(NamedTuple):
    """A translation, and whether it was cut off at the limit; None: the engine does not tell."""

    text: str
    cut: bool | None


class Model(NamedTuple):
    """A model by name, as `cuescope.load` takes it."""

    name: str
    src: str | None = None
    tgt: str | None = None

    def load(self) -> Translator:
        """Open it, unchecked: `cuescope check` and the first row do that."""
        from cuescope.models import load

        return load(self.name, src=self.src, tgt=self.tgt, check=False)


class System(Protocol):
    """Anything that translates."""

    def says(self, texts: Sequence[str]) -> list[Said]:
        """The translations, in order."""
        ...

    def seconds(self, texts: Sequence[str]) -> float:
        """Seconds of CPU that it takes, without loading."""
        ...


def absent(model: Model, knobs: Knobs) -> str:
    """Why a row cannot be had here; empty if it can."""
    kind, _ = catalog.locate(model.name)
    if knobs.shortlist and (kind != "firefox" or catalog.shortlist(model.name) is None):
        return "no lexical shortlist came with this model"
    if knobs.engine == "bergamot":
        if kind != "firefox":
            return "Firefox's engine runs only Firefox's models"
        return f"no {lacking}" if (lacking := missing()) else ""
    if knobs.engine == "ctranslate2":
        if kind == "firefox":
            return "CTranslate2 has no recurrent decoder, and no reader of Firefox's files"
        if find_spec("ctranslate2") is None:
            return "the package ctranslate2 is not installed"
    return ""


def opened(model: Model, knobs: Knobs) -> System:
    """The system of a row, loaded."""
    if knobs.engine == "bergamot":
        place = Path(catalog.locate(model.name)[1])
        return Bergamot(place, catalog.shortlist(model.name) if knobs.shortlist else None)
    if knobs.engine == "ctranslate2":
        from cuescope.audit.ct2 import CTranslate2

        return CTranslate2(model, knobs.beam)
    from cuescope.audit import edits

    mt = model.load()
    mt.limits = limits(mt)
    if knobs.drop:
        edits.drop_layers(mt, knobs.drop)
    if knobs.bits:
        edits.round_weights(mt, knobs.bits)
    if knobs.engine == "int8":
        edits.dynamic_int8(mt)
    elif knobs.engine == "bfloat16":
        edits.bfloat16(mt)
    if knobs.shortlist:
        from cuescope.models import shortlist
        from cuescope.models.firefox import find_files

        path = catalog.shortlist(model.name)
        assert path is not None
        _, source, target = find_files(path.parent)
        mt = shortlist.Shortlisted.of(mt, shortlist.read(path, shared=source == target))
    return Own(mt, knobs.beam)


def limits(mt: Translator) -> Limits:
    """How long a translation of the audit may get: the same for all rows of a model.

    A row that never comes to its end would else take most of the time.
    """
    return replace(mt.limits, factor=FACTOR, extra=len(mt.tokenizer.forced))


class Own:
    """Our arithmetic, edited or not."""

    def __init__(self, mt: Translator, beam: int) -> None:
        self.mt, self.beam = mt, beam

    def says(self, texts: Sequence[str]) -> list[Said]:
        """The translations, in order."""
        found = self.mt.generate(texts, beam=self.beam, batch_size=BATCH)
        return [Said(self.mt.tokenizer.decode(one.ids), not one.finished) for one in found]

    def seconds(self, texts: Sequence[str]) -> float:
        """On this process's clock of CPU."""
        return clocked(self, texts)


def clocked(system: System, texts: Sequence[str]) -> float:
    """The CPU time of this process, after a few sentences that warm it."""
    system.says(texts[:_WARM])
    start = time.process_time()
    system.says(texts)
    return time.process_time() - start


class Bergamot:
    """Firefox's own engine, in node."""

    def __init__(self, folder: Path, shortlist: Path | None) -> None:
        self._session = Session(folder, shortlist)

    def says(self, texts: Sequence[str]) -> list[Said]:
        """The translations, in order."""
        return [Said(text, None) for text in self._session.ask(texts).said]

    def seconds(self, texts: Sequence[str]) -> float:
        """On node's own clock of CPU."""
        return self._session.ask(texts, _WARM).seconds
