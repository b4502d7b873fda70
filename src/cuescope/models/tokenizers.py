"""Text ↔ ids with character offsets: SentencePiece models and Hugging Face's fast tokenizers.

Both read plain text only: what looks like a special token in a sentence stays text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import sentencepiece

from cuescope.errors import CueScopeError, first_line
from cuescope.models.spans import Encoding, settle
from cuescope.signature import hash_text

Tag = tuple[int, str]  # a token that is no word: its id and how it is written


class Own(Protocol):
    """A model's own tokenizer, called as its documentation says: the ids that ours must equal."""

    def __call__(self, text: str, *, target: bool = False) -> Sequence[int]:
        """The ids of a source, or of a target, with all that goes around it."""
        ...


class Tokenizer(Protocol):
    """What a Translator needs of a tokenizer."""

    def source(self, text: str) -> Encoding:
        """A source sentence, with its tags and end of sentence."""
        ...

    def target(self, text: str) -> Encoding:
        """A target sentence as the decoder emits it, forced tags and end of sentence included."""
        ...

    def decode(self, ids: Sequence[int]) -> str:
        """Emitted ids as text, without tags."""
        ...

    def target_pieces(self, ids: Sequence[int]) -> tuple[str, ...]:
        """Emitted ids as the pieces they are."""
        ...

    @property
    def forced(self) -> tuple[int, ...]:
        """What the decoder is made to emit first: a language tag, or nothing."""
        ...

    @property
    def fingerprint(self) -> str:
        """A short hash of all that decides which ids a text gets."""
        ...

    @property
    def own(self) -> Own | None:
        """The model's own tokenizer; None where it has none that could be asked."""
        ...


def open_sentencepiece(path: Path) -> sentencepiece.SentencePieceProcessor:
    """A SentencePiece model from its file."""
    try:
        return sentencepiece.SentencePieceProcessor(model_file=str(path))
    except (OSError, RuntimeError) as error:
        raise CueScopeError(
            f"{path.name} is not a whole SentencePiece model",
            expected="a SentencePiece model file (.spm, .model)",
            found=first_line(error),
            do=f"get the file again; it was read from {path}",
        ) from error


class SentencePieceTokenizer:
    """A SentencePiece model for each side; ids are its own, or those of a separate vocabulary."""

    def __init__(
        self,
        source: sentencepiece.SentencePieceProcessor,
        target: sentencepiece.SentencePieceProcessor,
        *,
        vocabulary: Mapping[str, int] | None = None,
        target_vocabulary: Mapping[str, int] | None = None,
        prefix: Sequence[Tag] = (),
        suffix: Sequence[Tag] | None = None,
        forced: Sequence[Tag] = (),
        eos: str = "</s>",
        unk: str = "<unk>",
        own: Own | None = None,
    ) -> None:
        self.own = own
        self._sides = {
            "source": _Side(source, vocabulary, unk),
            "target": _Side(target, target_vocabulary or vocabulary, unk),
        }
        self._eos = {name: (side.id(eos), eos) for name, side in self._sides.items()}
        self._prefix = tuple(prefix)
        self._suffix = (self._eos["source"],) if suffix is None else tuple(suffix)
        self._forced = tuple(forced)
        self._silent = {i for i, _ in self._forced} | {self._eos["target"][0]}
        self.source_size = self._sides["source"].size
        self.target_size = self._sides["target"].size

    @property
    def forced(self) -> tuple[int, ...]:
        """The ids that the decoder is made to emit first."""
        return tuple(i for i, _ in self._forced)

    @cached_property
    def fingerprint(self) -> str:
        """Both models, the ids of their pieces, and what goes around a text."""
        around = repr((self._prefix, self._suffix, self._forced, self._eos))
        sides = (line for side in self._sides.values() for line in side.facts())
        return hash_text([around, *sides])

    def source(self, text: str) -> Encoding:
        """A source sentence."""
        return self._sides["source"].encode(text, self._prefix, self._suffix)

    def target(self, text: str) -> Encoding:
        """A target sentence as the decoder emits it."""
        return self._sides["target"].encode(text, self._forced, (self._eos["target"],))

    def target_pieces(self, ids: Sequence[int]) -> tuple[str, ...]:
        """Emitted ids as pieces."""
        return tuple(map(self._sides["target"].piece, ids))

    def decode(self, ids: Sequence[int]) -> str:
        """Emitted ids as text."""
        side = self._sides["target"]
        pieces = [side.piece(i) for i in ids if i not in self._silent]
        # Marian's own decoders leave the marks of a foreign piece in: make them blanks too.
        return str(side.spm.decode_pieces(pieces)).replace("▁", " ").strip()


class _Side:
    """One language's pieces and ids."""

    def __init__(
        self,
        spm: sentencepiece.SentencePieceProcessor,
        vocabulary: Mapping[str, int] | None,
        unk: str,
    ) -> None:
        self.spm = spm
        self._ids = dict(vocabulary) if vocabulary is not None else None
        self._unk = self._ids[unk] if self._ids is not None else spm.unk_id()
        self._pieces = {i: piece for piece, i in self._ids.items()} if self._ids else None
        self.size = len(self._ids) if self._ids is not None else spm.get_piece_size()

    def facts(self) -> Iterator[str]:
        yield hashlib.sha256(self.spm.serialized_model_proto()).hexdigest()
        yield repr(sorted((self._ids or {}).items()))

    def id(self, piece: str) -> int:
        if self._ids is not None:
            return self._ids.get(piece, self._unk)
        return int(self.spm.piece_to_id(piece))

    def piece(self, index: int) -> str:
        if self._pieces is not None:
            return self._pieces.get(index, "<unk>")
        return str(self.spm.id_to_piece(index)) if index < self.size else "<pad>"

    def encode(self, text: str, prefix: Sequence[Tag], suffix: Sequence[Tag]) -> Encoding:
        # A lone surrogate is no text in any encoding; SentencePiece would drop it silently.
        found = self.spm.encode(checked(text), return_type="offset_mapping")
        pieces = found["pieces"]
        return Encoding(
            text,
            (*(i for i, _ in prefix), *map(self.id, pieces), *(i for i, _ in suffix)),
            (*(name for _, name in prefix), *pieces, *(name for _, name in suffix)),
            (*[None] * len(prefix), *settle(text, pieces, found["offsets"]), *[None] * len(suffix)),
        )


class FastTokenizer:
    """A Hugging Face tokenizer of the `tokenizers` library (NLLB, mBART-50, T5, BART)."""

    def __init__(
        self,
        tokenizer: Any,
        *,
        prefix: Sequence[int] = (),
        suffix: Sequence[int] = (),
        forced: Sequence[int] = (),
        prompt: str = "",
        own: Own | None = None,
    ) -> None:
        self._tokenizer, self._prompt, self.own = tokenizer, prompt, own
        self._prefix, self._suffix = tuple(prefix), tuple(suffix)
        self.forced = tuple(forced)
        if not hasattr(tokenizer, "backend_tokenizer"):
            raise CueScopeError(
                "the model's tokenizer does not say where a piece stands in its text",
                expected="a fast one, of the `tokenizers` library (tokenizer.json)",
                found=f"{type(tokenizer).__name__}, which is written in Python",
                do="see docs/adding-a-model.md, Gotchas",
            )
        whole = tokenizer.backend_tokenizer.to_str()
        around = repr((self._prefix, self._suffix, self.forced, self._prompt))
        self.fingerprint = hash_text([around, whole])  # now: padding may be set later
        decoder = json.loads(whole).get("decoder") or {}
        self._bytes = _byte_letters() if decoder.get("type") == "ByteLevel" else None

    def source(self, text: str) -> Encoding:
        """A source sentence; a prompt is put before it and is no word."""
        return self._encode(text, self._prefix, self._suffix, self._prompt)

    def target(self, text: str) -> Encoding:
        """A target sentence as the decoder emits it."""
        return self._encode(text, self.forced, (self._tokenizer.eos_token_id,), "")

    def target_pieces(self, ids: Sequence[int]) -> tuple[str, ...]:
        """Emitted ids as pieces; bytes (BART) as the text they are, `�` for half a character."""
        pieces = self._tokenizer.convert_ids_to_tokens(list(ids))
        if self._bytes is None:
            return tuple(pieces)
        marks = set(self._tokenizer.all_special_ids)
        return tuple(
            piece if i in marks else _readable(piece, self._bytes)
            for i, piece in zip(ids, pieces, strict=True)
        )

    def decode(self, ids: Sequence[int]) -> str:
        """Emitted ids as text."""
        marks = set(self._tokenizer.all_special_ids)  # decode() itself leaves some of them in
        kept = [i for i in ids if i not in marks]
        return str(self._tokenizer.decode(kept, skip_special_tokens=True)).strip()

    def _encode(
        self, text: str, prefix: Sequence[int], suffix: Sequence[int], prompt: str
    ) -> Encoding:
        found = self._tokenizer(
            prompt + checked(text),
            add_special_tokens=False,
            split_special_tokens=True,
            return_offsets_mapping=True,
            verbose=False,
        )
        inside = found["input_ids"]
        pieces = self.target_pieces(inside)
        self._refuse_marks(text, inside)
        ahead = len(prompt)
        own = sum(end <= ahead for _, end in found["offset_mapping"]) if ahead else 0
        offsets = [(max(a - ahead, 0), b - ahead) for a, b in found["offset_mapping"][own:]]
        return Encoding(
            text,
            (*prefix, *inside, *suffix),
            (*self.target_pieces(prefix), *pieces, *self.target_pieces(suffix)),
            (
                *[None] * (len(prefix) + own),
                *settle(text, pieces[own:], offsets),
                *[None] * len(suffix),
            ),
        )

    def _refuse_marks(self, text: str, ids: Sequence[int]) -> None:
        """Some vocabularies read `</s>` in a sentence as the end itself: better said than done."""
        marks = set(self._tokenizer.all_special_ids) - {self._tokenizer.unk_token_id}
        if met := marks & set(ids):
            shown = " ".join(self._tokenizer.convert_ids_to_tokens(sorted(met)))
            raise CueScopeError(
                "a sentence holds one of the model's own marks",
                expected="plain text",
                found=f"{shown} in {text[:60]!r}",
                do="write it otherwise, or leave the sentence out",
            )


def _byte_letters() -> dict[str, int]:
    """The letters by which byte-level vocabularies write the 256 bytes: `Ġ` is the blank."""
    kept = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in kept]
    return {chr(b): b for b in kept} | {chr(256 + n): b for n, b in enumerate(others)}


def _readable(piece: str, letters: Mapping[str, int]) -> str:
    """A byte-level piece as text, its blank written as SentencePiece does.

    >>> _readable("ĠcafÃ©", _byte_letters())
    '▁café'
    """
    if not all(letter in letters for letter in piece):
        return piece  # an added token is written as it is
    return bytes(letters[letter] for letter in piece).decode("utf-8", "replace").replace(" ", "▁")


def checked(text: str) -> str:
    """The text itself, if it is text at all: a lone surrogate cannot be encoded."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise CueScopeError(
            "a sentence holds something that is no Unicode text",
            expected="valid Unicode",
            found=f"{text[error.start]!r} at character {error.start}",
            do="read the file with the encoding it was written in",
        ) from error
    return text
