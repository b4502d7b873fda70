"""Opens Hugging Face encoder-decoders from a hub name or a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cuescope.errors import CueScopeError
from cuescope.fetch import offline
from cuescope.models import languages
from cuescope.models.families import Family, family_of
from cuescope.models.hf_engine import HuggingFaceEngine
from cuescope.models.tokenizers import FastTokenizer, SentencePieceTokenizer, Tag, Tokenizer


def load(
    name: str, src: str | None, tgt: str | None, attention: str = "sdpa"
) -> tuple[HuggingFaceEngine, Tokenizer, Family]:
    """Engine, tokenizer and family of a hub name or a folder. Safetensors only, no remote code."""
    from transformers import AutoConfig, AutoModelForSeq2SeqLM, AutoTokenizer
    from transformers.utils import logging as talk

    local = {"local_files_only": True} if Path(name).exists() or offline() else {}
    bars = talk.is_progress_bar_enabled()
    talk.disable_progress_bar()
    try:
        config = AutoConfig.from_pretrained(name, **local)
        family = family_of(config.model_type, name)
        model = AutoModelForSeq2SeqLM.from_pretrained(
            name,
            config=config,
            attn_implementation=attention,
            use_safetensors=True,
            dtype="float32",
            **local,
        )
        tokenizer = AutoTokenizer.from_pretrained(name, **local)
    except CueScopeError:
        raise
    except Exception as error:  # the hub, the disk and the parsers each have errors of their own
        raise _unreadable(name, error) from error
    finally:
        if bars:
            talk.enable_progress_bar()
    return HuggingFaceEngine(model, family), adapt(tokenizer, family, name, src, tgt), family


def _unreadable(name: str, error: Exception) -> CueScopeError:
    said = " ".join(str(error).split())
    pickled = "safetensors" in said and Path(name).is_dir()
    return CueScopeError(
        f"{name} could not be opened as a Hugging Face model",
        expected="a hub name, or a folder with config.json, *.safetensors and the tokenizer",
        found=said[:300] or type(error).__name__,
        do="save the model again with safetensors: pickled weights are not loaded"
        if pickled
        else "check the spelling; offline, give the path of a folder (`cuescope models list`)",
    )


def adapt(tokenizer: Any, family: Family, name: str, src: str | None, tgt: str | None) -> Tokenizer:
    """The tokenizer with offsets and language tags, from transformers' own."""
    if family.tags == "code":
        return _marian(tokenizer, name, tgt)
    if family.tags == "none":
        return FastTokenizer(tokenizer, suffix=(tokenizer.eos_token_id,))
    if family.tags == "prompt":
        if src is None or tgt is None:
            languages.code(src if src is None else tgt, ["en", "de", "fr", "ro"], name, "src=, tgt")
        prompt = f"translate {languages.english_name(src or '')} to "
        prompt += f"{languages.english_name(tgt or '')}: "
        return FastTokenizer(tokenizer, suffix=(tokenizer.eos_token_id,), prompt=prompt)
    return _tagged(tokenizer, name, src, tgt)


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
    )


def _tagged(tokenizer: Any, name: str, src: str | None, tgt: str | None) -> Tokenizer:
    """M2M100, NLLB, mBART: tags around the source, one forced on the decoder."""
    known = language_codes(tokenizer)
    tokenizer.src_lang = languages.code(src, list(known), name, "src")
    target = known[languages.code(tgt, list(known), name, "tgt")]
    prefix, suffix = list(tokenizer.prefix_tokens), list(tokenizer.suffix_tokens)
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
        )
    return FastTokenizer(tokenizer, prefix=prefix, suffix=suffix, forced=(target,))


def language_codes(tokenizer: Any) -> dict[str, int]:
    """The language codes that a tokenizer knows, with their ids; an unknown one has no id."""
    listed = getattr(tokenizer, "lang_code_to_id", None)
    if listed:
        return dict(listed)
    unk = tokenizer.unk_token_id
    codes = [t for t in tokenizer.all_special_tokens if "_" in t and not t.startswith("<")]
    return {t: i for t in codes if (i := tokenizer.convert_tokens_to_ids(t)) != unk}
