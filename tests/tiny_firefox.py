"""A small Firefox model's folder: Marian's binary file, a vocabulary, a lexical shortlist."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import sentencepiece

import marian_writer
import tiny
from cuescope.models.shortlist import MAGIC, checksum


def folder(place: Path, seed: int = 0) -> Path:
    """The folder, with weights drawn anew for each seed."""
    place.mkdir(exist_ok=True)
    spm = tiny.train_sentencepiece(place, eos_id=0, unk_id=1, bos_id=-1, pad_id=-1)
    size = sentencepiece.SentencePieceProcessor(model_file=str(spm)).get_piece_size()
    (place / "vocab.xxyy.spm").write_bytes(spm.read_bytes())
    for name in ("trained.model", "trained.vocab", "corpus.txt"):
        (place / name).unlink()
    before, marian_writer.VOCABULARY = marian_writer.VOCABULARY, size
    try:
        weights = marian_writer.tensors(marian_writer.OPTIONS, seed)
        data = marian_writer.pack(marian_writer.OPTIONS, weights)
    finally:
        marian_writer.VOCABULARY = before
    (place / "model.xxyy.intgemm.alphas.bin").write_bytes(data)
    random = np.random.default_rng(seed)
    lists = [sorted(random.choice(size, 6, replace=False).tolist()) for _ in range(size)]
    (place / "lex.10.6.xxyy.s2t.bin").write_bytes(shortlist(lists, first=10, best=6))
    return place


def shortlist(lists: list[list[int]], *, first: int, best: int) -> bytes:
    """Marian's binary shortlist of these target words by source word."""
    offsets = np.cumsum([0, *map(len, lists)]).astype("<u8")
    words = np.array([word for one in lists for word in one], dtype="<u4")
    facts = struct.pack("<4Q", first, best, len(offsets), len(words))
    told = facts + offsets.tobytes() + words.tobytes()
    return struct.pack("<2Q", MAGIC, checksum(bytes(16) + told)) + told
