"""transformers' tokenizers with offsets and language tags; the model's own call is kept beside."""

from __future__ import annotations

from typing import Any

from cuescope.codes import english_name
from cuescope.errors import CueScopeError
from cuescope.models import languages
from cuescope.models.families import Family
from cuescope.models.tokenizers import FastTokenizer, SentencePieceTokenizer, Tag, Tokenizer


def adapt(tokenizer: Any, family: Family, name: str, src: str | None, tgt: str | None) -> Tokenizer:
    """The tokenizer with offsets and language tags, from transformers' own."""
    if family.tags == "code":
        return _marian(tokenizer, name, tgt)
    if family.tags == "forced":
        return _tagged(tokenizer, name, src, tgt)
    ahead: tuple[int, ...] = ()
    prompt = ""
    if family.tags == "token":
        ahead, prompt = _token(tokenizer, family, name, tgt)
    if family.tags == "prompt":
        if src is None or tgt is None:
            languages.code(src if src is None else tgt, ["en", "de", "fr", "ro"], name, "src=, tgt")
        prompt = f"translate {english_name(src or '')} to "
        prompt += f"{english_name(tgt or '')}: "
    before, after = around(tokenizer)
    return FastTokenizer(
        tokenizer,
        prefix=(*before, *ahead),
        suffix=after,
        forced=around(tokenizer, target=True)[0],
        prompt="" if ahead else prompt,
        own=_Own(tokenizer, prompt),
    )


class _Own:
    """The tokenizer's own call, as the model's documentation has it."""

    def __init__(self, tokenizer: Any, ahead: str = "") -> None:
        self._tokenizer, self._ahead = tokenizer, ahead

    def __call__(self, text: str, *, target: bool = False) -> list[int]:
        if target:
            return list(self._tokenizer(text_target=text)["input_ids"])
        return list(self._tokenizer(self._ahead + text)["input_ids"])


def around(tokenizer: Any, *, target: bool = False) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The ids that a tokenizer itself puts before and after a text (BART: `<s>` and `</s>`)."""
    side = "text_target" if target else "text"
    inside = list(tokenizer(**{side: "a"}, add_special_tokens=False)["input_ids"])
    whole = list(tokenizer(**{side: "a"})["input_ids"])
    for at in range(len(whole) - len(inside) + 1):
        if whole[at : at + len(inside)] == inside:
            return tuple(whole[:at]), tuple(whole[at + len(inside) :])
    raise CueScopeError(
        "the tokenizer changes a text when it puts its marks around it",
        expected="the same ids, with more before and after them",
        found=f"{inside} → {whole}",
        do="report this model's tokenizer",
    )


def _token(
    tokenizer: Any, family: Family, name: str, tgt: str | None
) -> tuple[tuple[int, ...], str]:
    """MADLAD: `<2pt>` before the source. Its ids, and how it is written."""
    known = tokenizer.get_vocab()
    codes = family.codes(known)
    wanted = next((c for c in (tgt, f"<2{tgt}>") if c in codes), tgt)
    code = languages.code(wanted, codes, name, "tgt")
    ids = tuple(tokenizer(code, add_special_tokens=False)["input_ids"])
    if known[code] not in ids:
        raise CueScopeError(
            f"the tokenizer of {name} does not read {code} as the one token that it is",
            expected=f"{known[code]} ({code})",
            found=", ".join(map(str, ids)),
            do="take the tokenizer's files from the same model as the weights",
        )
    return ids, f"{code} "


def _marian(tokenizer: Any, name: str, tgt: str | None) -> SentencePieceTokenizer:
    codes = list(tokenizer.supported_language_codes)
    prefix: list[Tag] = []
    if codes:
        wanted = f">>{tgt}<<" if tgt and not tgt.startswith(">>") else tgt
        code = languages.code(wanted if wanted in codes else tgt, codes, name, "tgt")
        prefix = [(tokenizer.encoder[code], code)]
    return SentencePieceTokenizer(
        tokenizer.spm_source,
        tokenizer.spm_target,
        vocabulary=tokenizer.encoder,
        target_vocabulary=tokenizer.target_encoder if tokenizer.separate_vocabs else None,
        prefix=prefix,
        own=_Own(tokenizer, f"{prefix[0][1]} " if prefix else ""),
    )


def _tagged(tokenizer: Any, name: str, src: str | None, tgt: str | None) -> Tokenizer:
    """M2M100, NLLB, mBART: tags around the source, one forced on the decoder."""
    known = language_codes(tokenizer)
    tokenizer.src_lang = languages.code(src, list(known), name, "src")
    tokenizer.tgt_lang = languages.code(tgt, list(known), name, "tgt")
    target = known[tokenizer.tgt_lang]
    prefix, suffix = list(tokenizer.prefix_tokens), list(tokenizer.suffix_tokens)
    own = _Own(tokenizer)
    if not getattr(tokenizer, "is_fast", False):  # M2M100: plain SentencePiece

        def tag(index: int) -> Tag:
            return index, tokenizer.convert_ids_to_tokens(index)

        return SentencePieceTokenizer(
            tokenizer.sp_model,
            tokenizer.sp_model,
            vocabulary=tokenizer.encoder,
            prefix=[tag(i) for i in prefix],
            suffix=[tag(i) for i in suffix],
            forced=[tag(target)],
            own=own,
        )
    return FastTokenizer(tokenizer, prefix=prefix, suffix=suffix, forced=(target,), own=own)


def language_codes(tokenizer: Any) -> dict[str, int]:
    """The language codes that a tokenizer knows, with their ids; an unknown one has no id."""
    listed = getattr(tokenizer, "lang_code_to_id", None)
    if listed:
        return dict(listed)
    unk = tokenizer.unk_token_id
    codes = [t for t in tokenizer.all_special_tokens if "_" in t and not t.startswith("<")]
    return {t: i for t in codes if (i := tokenizer.convert_tokens_to_ids(t)) != unk}


def said(tokenizer: Any) -> tuple[str | None, str | None]:
    """Source and target language where a tokenizer of one pair says them (Marian).

    A model with codes in its vocabulary has many targets, whatever it calls them as a group.
    """
    found = [getattr(tokenizer, f"{side}_lang", None) for side in ("source", "target")]
    many = getattr(tokenizer, "supported_language_codes", None)
    return found[0] or None, None if many else found[1] or None
