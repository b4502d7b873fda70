"""CTranslate2's own engine on a folder that its own converter made from the same model."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cuescope import files
from cuescope.audit.systems import BATCH, Model, Said, clocked, limits
from cuescope.errors import CueScopeError, first_line
from cuescope.files.fetch import cache, new_folder
from cuescope.models import catalog
from cuescope.models.translator import Translator


class CTranslate2:
    """int8, one thread, with our tokens: the same sentences in, the same search."""

    def __init__(self, model: Model, beam: int) -> None:
        import ctranslate2

        self.mt, self.beam = model.load(), beam
        folder = converted(model.name, self.mt)
        self._engine: Any = ctranslate2.Translator(
            str(folder), compute_type="int8", inter_threads=1, intra_threads=1
        )
        pieces = self.mt.tokenizer.target_pieces(range(self.mt.engine.vocabulary))
        self._ids = {piece: index for index, piece in enumerate(pieces)}

    def says(self, texts: Sequence[str]) -> list[Said]:
        """The translations, in order; the limit is that of the longest, as the engine has one."""
        tokenizer = self.mt.tokenizer
        sources = [list(self.mt.tokenise(text).pieces) for text in texts]
        tags = list(tokenizer.target_pieces(tokenizer.forced))
        found = self._engine.translate_batch(
            sources,
            target_prefix=[tags] * len(sources) if tags else None,
            beam_size=self.beam,
            max_batch_size=max(1, BATCH // self.beam),
            max_decoding_length=limits(self.mt).of(max(map(len, sources), default=0)),
            return_end_token=True,
        )
        ids = [[self._ids[piece] for piece in one.hypotheses[0]] for one in found]
        end = self.mt.engine.eos_id
        return [Said(tokenizer.decode(one), one[-1:] != [end]) for one in ids]

    def seconds(self, texts: Sequence[str]) -> float:
        """On this process's clock of CPU: the engine's one thread is in it."""
        return clocked(self, texts)


def converted(name: str, mt: Translator) -> Path:
    """The model as a CTranslate2 folder in int8, made once and kept in the user's cache."""
    kind, place = catalog.locate(name)
    if kind == "ctranslate2" and Path(place).is_dir():
        return _inner(Path(place))
    folder = cache() / "ctranslate2" / mt.weights_hash
    with files.locked(folder.parent / ".lock", wait=True):
        if not folder.is_dir():
            try:
                with new_folder(folder) as made:
                    if kind == "ctranslate2":
                        with zipfile.ZipFile(place) as packed:
                            packed.extractall(made)
                    else:
                        _convert(place, made)
            except Exception as error:  # whatever a converter meets in a model it does not know
                raise CueScopeError(
                    f"CTranslate2 did not convert {name}", found=first_line(error)
                ) from None
    return _inner(folder)


def _convert(place: str, folder: Path) -> None:
    from ctranslate2.converters import TransformersConverter

    from cuescope.models.huggingface import quietly

    with quietly():  # a bar of its own, in the middle of ours
        TransformersConverter(place).convert(str(folder), quantization="int8", force=True)


def _inner(folder: Path) -> Path:
    """The folder that holds model.bin itself: a package has it further inside."""
    return next(folder.rglob("model.bin")).parent
