"""Readers of models: Firefox, CTranslate2, Argos, Hugging Face."""

from __future__ import annotations

import io
import json
import random
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

import cuescope as cs
import marian_writer
import tiny
import tiny_firefox
from cuescope.models import shortlist as shortlists
from mutations import damaged, reshaped
from reader import Reader, file_in

TEXT = "The mechanic called because she was late."


def _opened(folder: Path, **languages: str) -> Callable[[], object]:
    """A model opens and translates; of the same signature, it translates the same."""
    torch.set_num_threads(1)
    first: dict[str, Any] = {}

    def read() -> None:
        mt = cs.load(str(folder), **languages, check=False)
        made = mt.generate([TEXT])[0].ids[:8]
        known = first.setdefault("known", {})
        told = mt.signature.without_version()
        assert known.setdefault(told, made) == made, "another translation, the same signature"

    return read


def marian(folder: Path) -> Reader:
    """Firefox's binary model."""
    options = {**marian_writer.OPTIONS}
    spm = tiny.train_sentencepiece(folder, pad_id=-1, bos_id=-1, eos_id=0, unk_id=1)
    import sentencepiece

    size = sentencepiece.SentencePieceProcessor(model_file=str(spm)).get_piece_size()
    before, marian_writer.VOCABULARY = marian_writer.VOCABULARY, size
    try:
        data = marian_writer.pack(options, marian_writer.tensors(options), int8=True)
    finally:
        marian_writer.VOCABULARY = before
    model = folder / "model"
    file_in(model, "vocab.enpt.spm", spm.read_bytes())
    return Reader(file_in(model, "model.enpt.bin", data), _opened(model, src="en", tgt="pt"))


def vocabulary(folder: Path) -> Reader:
    """The SentencePiece model beside it."""
    made = marian(folder)
    return Reader(made.file.parent / "vocab.enpt.spm", made.read)


def _converted(folder: Path) -> Path:
    import ctranslate2

    source = folder / "hf"
    source.mkdir(parents=True)
    tiny.marian(source, (1, 1))
    out = folder / "ct2"
    ctranslate2.converters.TransformersConverter(str(source)).convert(str(out), quantization="int8")
    for name in ("source.spm", "target.spm"):
        shutil.copy(source / name, out / name)
    return out


def ct2(folder: Path) -> Reader:
    """CTranslate2's binary model."""
    made = _converted(folder)
    return Reader(made / "model.bin", _opened(made, src="en", tgt="pt"))


def _configured(made: Path) -> Reader:
    """A model's configuration: its bytes damaged, or its values reshaped."""
    told = json.loads((made / "config.json").read_text())

    def damage(rng: random.Random) -> bytes:
        if rng.random() < 0.5:
            return damaged(json.dumps(told).encode(), rng)
        return json.dumps(reshaped(told, rng)).encode()

    return Reader(made / "config.json", _opened(made, src="en", tgt="pt"), damage)


def ct2_config(folder: Path) -> Reader:
    """Its configuration, reshaped."""
    return _configured(_converted(folder))


def argos(folder: Path) -> Reader:
    """A package of Argos: a zip file."""
    made, buffer = _converted(folder), io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr("m/metadata.json", '{"from_code": "en", "to_code": "pt"}')
        zipped.write(made / "source.spm", "m/sentencepiece.model")
        for path in made.iterdir():
            if not path.name.endswith(".spm"):
                zipped.write(path, f"m/model/{path.name}")
    path = file_in(folder, "m.argosmodel", buffer.getvalue())
    return Reader(path, _opened(path))


def hugging(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return tiny.marian(folder, (1, 1))


def shortlist(folder: Path) -> Reader:
    """Marian's lexical shortlist."""
    data = tiny_firefox.shortlist([[5, 7], [1], [2, 9, 30]], first=4, best=3)
    path = file_in(folder, "lex.bin", data)
    whole = shortlists.read(path)

    def read() -> None:
        found = shortlists.read(path)
        for name in ("first", "best", "offsets", "words"):
            assert np.array_equal(getattr(found, name), getattr(whole, name)), "another list"

    return Reader(path, read)


def safetensors(folder: Path) -> Reader:
    """A Hugging Face model's weights."""
    made = hugging(folder / "m")
    return Reader(made / "model.safetensors", _opened(made, src="en", tgt="pt"))


def pickled(folder: Path) -> Reader:
    """The same as a pickle of tensors."""
    from safetensors.torch import load_file

    made = hugging(folder / "m")
    torch.save(load_file(made / "model.safetensors"), made / "pytorch_model.bin")
    (made / "model.safetensors").unlink()
    return Reader(made / "pytorch_model.bin", _opened(made, src="en", tgt="pt"))


def configuration(folder: Path) -> Reader:
    """A Hugging Face model's config.json."""
    return _configured(hugging(folder / "m"))
