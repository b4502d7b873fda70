"""Small models with random weights and locally trained tokenizers, as users have them."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import sentencepiece
import torch

SENTENCES = [
    "The mechanic called because she was late.",
    "The nurse said that he was tired and went home.",
    "A carpenter, an engineer and the construction worker met the co-worker's lawyer.",
    "O médico e a enfermeira falaram com o desenvolvedor.",
    "L'impiegato dell'ufficio parla all'avvocata: perché?",
    "Der Ärztin gefällt die naïve Idee nicht; Århus ist schön.",
    "La ingeniera llegó tarde porque había una reunión.",
    "Врач сказала, что она устала. Лікарка втомилася.",
    "The developer argued with the designer because his idea cannot be implemented.",
]
LANGUAGES = {"nllb": ("eng_Latn", "por_Latn"), "m2m": ("en", "pt"), "mbart": ("en_XX", "pt_XX")}


def train_sentencepiece(
    folder: Path, kind: str = "unigram", sentences: Sequence[str] = SENTENCES, **special: Any
) -> Path:
    """A SentencePiece model of the sentences above; `special` are ids of pad, eos and so on."""
    lines = [s for s in sentences for _ in range(4)]
    random.Random(0).shuffle(lines)
    corpus = folder / "corpus.txt"
    corpus.write_text("\n".join(lines), "utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(corpus),
        model_prefix=str(folder / "trained"),
        vocab_size=220,
        model_type=kind,
        character_coverage=1.0,
        hard_vocab_limit=False,
        minloglevel=2,
        **special,
    )
    return folder / "trained.model"


def sizes(layers: tuple[int, int], width: int = 32) -> dict[str, Any]:
    """Facts of a small BART-like network; init_std is raised so that its distribution is peaked."""
    return {
        "d_model": width,
        "encoder_layers": layers[0],
        "decoder_layers": layers[1],
        "encoder_attention_heads": 4,
        "decoder_attention_heads": 4,
        "encoder_ffn_dim": 64,
        "decoder_ffn_dim": 64,
        "max_position_embeddings": 128,
        "init_std": 0.2,
        "scale_embedding": True,
    }


def marian(
    folder: Path,
    layers: tuple[int, int] = (2, 2),
    codes: tuple[str, ...] = (),
    *,
    sentences: Sequence[str] = SENTENCES,
    target: str = "pt",
) -> Path:
    """An OPUS-MT model's folder; with `codes`, a multilingual one (`>>fra<<`)."""
    from transformers import MarianConfig, MarianMTModel, MarianTokenizer

    spm = train_sentencepiece(folder, sentences=sentences)
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(spm))
    known = [pieces.id_to_piece(i) for i in range(3, pieces.get_piece_size())]
    vocabulary = ["</s>", "<unk>", *known, *codes, "<pad>"]
    for name in ("source.spm", "target.spm"):
        (folder / name).write_bytes(spm.read_bytes())
    path = folder / "vocab.json"
    path.write_text(json.dumps({p: i for i, p in enumerate(vocabulary)}), "utf-8")
    tokenizer = MarianTokenizer(
        source_spm=str(folder / "source.spm"),
        target_spm=str(folder / "target.spm"),
        vocab=str(path),
        source_lang="en",
        target_lang=target,
    )
    pad = len(vocabulary) - 1
    config = MarianConfig(
        **sizes(layers),
        vocab_size=len(vocabulary),
        pad_token_id=pad,
        eos_token_id=0,
        decoder_start_token_id=pad,
        activation_function="swish",
        bad_words_ids=[[pad]],
    )
    return save(folder, MarianMTModel, config, tokenizer)


def taught(folder: Path, translations: Mapping[str, str], target: str) -> Path:
    """An OPUS-MT model's folder that has learnt a few translations by heart."""
    from transformers import MarianMTModel, MarianTokenizer

    folder.mkdir(exist_ok=True)
    marian(folder, (1, 1), sentences=[*translations, *translations.values()], target=target)
    tokenizer = MarianTokenizer.from_pretrained(folder)
    model = MarianMTModel.from_pretrained(folder).eval()  # no dropout
    torch.manual_seed(0)
    batch = tokenizer(
        list(translations),
        text_target=list(translations.values()),
        padding=True,
        return_tensors="pt",
    )
    batch["labels"][batch["labels"] == tokenizer.pad_token_id] = -100
    steps = torch.optim.Adam(model.parameters(), lr=3e-3)
    for _ in range(400):
        loss = model(**batch).loss
        steps.zero_grad()
        loss.backward()
        steps.step()
        if loss < 0.02:
            break
    model.save_pretrained(folder)
    return folder


def m2m(folder: Path, layers: tuple[int, int] = (2, 2)) -> Path:
    """An M2M100 model's folder."""
    from transformers import M2M100Config, M2M100ForConditionalGeneration, M2M100Tokenizer

    spm = train_sentencepiece(folder)
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(spm))
    known = [pieces.id_to_piece(i) for i in range(3, pieces.get_piece_size())]
    vocabulary = ["<s>", "<pad>", "</s>", "<unk>", *known]
    path = folder / "vocab.json"
    path.write_text(json.dumps({p: i for i, p in enumerate(vocabulary)}), "utf-8")
    tokenizer = M2M100Tokenizer(vocab_file=str(path), spm_file=str(spm), src_lang="en")
    config = M2M100Config(
        **sizes(layers), vocab_size=len(vocabulary) + 108, activation_function="relu"
    )
    return save(folder, M2M100ForConditionalGeneration, config, tokenizer)


def nllb(folder: Path, layers: tuple[int, int] = (2, 2)) -> Path:
    """An NLLB model's folder: M2M100's network with a fast tokenizer and its own codes."""
    from transformers import M2M100Config, M2M100ForConditionalGeneration, NllbTokenizer
    from transformers.models.nllb.tokenization_nllb import FAIRSEQ_LANGUAGE_CODES

    _fairseq_sentencepiece(folder, "bpe")
    tokenizer = NllbTokenizer.from_pretrained(
        folder,
        src_lang="eng_Latn",
        tgt_lang="por_Latn",
        extra_special_tokens=FAIRSEQ_LANGUAGE_CODES,
    )
    config = M2M100Config(**sizes(layers), vocab_size=len(tokenizer), activation_function="relu")
    return save(folder, M2M100ForConditionalGeneration, config, tokenizer)


def mbart(folder: Path, layers: tuple[int, int] = (2, 2)) -> Path:
    """An mBART-50 model's folder."""
    from transformers import MBart50Tokenizer, MBartConfig, MBartForConditionalGeneration

    _fairseq_sentencepiece(folder)
    tokenizer = MBart50Tokenizer.from_pretrained(folder, src_lang="en_XX", tgt_lang="pt_XX")
    config = MBartConfig(
        **sizes(layers),
        vocab_size=len(tokenizer),
        decoder_start_token_id=2,
        forced_eos_token_id=None,
        normalize_before=True,  # as the real ones say; CTranslate2's converter asks
        normalize_embedding=True,
    )
    return save(folder, MBartForConditionalGeneration, config, tokenizer)


def bart(folder: Path, layers: tuple[int, int] = (2, 2)) -> Path:
    """A BART model's folder: byte-level pieces, `<s>` before every text."""
    from tokenizers import ByteLevelBPETokenizer
    from transformers import BartConfig, BartForConditionalGeneration, BartTokenizer

    trained = ByteLevelBPETokenizer()
    marks = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    trained.train_from_iterator(SENTENCES * 4, 420, show_progress=False, special_tokens=marks)
    trained.save_model(str(folder))
    tokenizer = BartTokenizer.from_pretrained(folder)
    config = BartConfig(
        **sizes(layers),
        vocab_size=len(tokenizer),
        decoder_start_token_id=2,
        forced_bos_token_id=0,
        forced_eos_token_id=None,
    )
    return save(folder, BartForConditionalGeneration, config, tokenizer)


def madlad(folder: Path, layers: tuple[int, int] = (2, 2), *, added: bool = False) -> Path:
    """T5's network with a tag as a token: of the SentencePiece model, or `added` to it."""
    return t5(folder, layers, tags=("<2pt>", "<2de>", "<2zh>", "<2zh_Hant>"), added=added)


def t5(
    folder: Path,
    layers: tuple[int, int] = (2, 2),
    kinds: Any = None,
    *,
    tags: tuple[str, ...] = (),
    added: bool = False,
) -> Path:
    """A T5 model's folder; `kinds` are other classes of config and model with its layout."""
    from transformers import T5Config, T5ForConditionalGeneration, T5Tokenizer

    configured, network = kinds or (T5Config, T5ForConditionalGeneration)

    special: Any = {"pad_id": 0, "eos_id": 1, "unk_id": 2, "bos_id": -1}
    if tags and not added:
        special["user_defined_symbols"] = list(tags)
    spm = train_sentencepiece(folder, **special)
    (folder / "spiece.model").write_bytes(spm.read_bytes())
    tokenizer = T5Tokenizer.from_pretrained(folder, extra_ids=4)
    if added:
        tokenizer.add_special_tokens({"additional_special_tokens": list(tags)})
    config = configured(
        vocab_size=len(tokenizer),
        d_model=32,
        d_kv=8,
        d_ff=64,
        num_layers=layers[0],
        num_decoder_layers=layers[1],
        num_heads=4,
        initializer_factor=2.0,
        decoder_start_token_id=0,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
    )
    return save(folder, network, config, tokenizer)


def _fairseq_sentencepiece(folder: Path, kind: str = "unigram") -> None:
    spm = train_sentencepiece(folder, kind)
    (folder / "sentencepiece.bpe.model").write_bytes(spm.read_bytes())


def save(folder: Path, kind: Any, config: Any, tokenizer: Any) -> Path:
    """Random weights that are the same every time, with their tokenizer, as a model's folder."""
    torch.manual_seed(len(kind.__name__))
    model = kind(config).eval()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


# Each row is a parameter of every test of the families.
FAMILIES = {
    "marian": marian,
    "m2m": m2m,
    "nllb": nllb,
    "mbart": mbart,
    "bart": bart,
    "t5": t5,
    "madlad": madlad,
}


def languages(family: str) -> dict[str, str]:
    """What `load` has to be told for a family."""
    if family == "t5":
        return {"src": "en", "tgt": "de"}
    if family == "madlad":
        return {"tgt": "pt"}
    return dict(zip(("src", "tgt"), LANGUAGES.get(family, ()), strict=False))
