"""A small model whose heads are written by hand, so that it is known what each of them does.

Encoder 0.0 carries the cue to the noun; 0.1 looks the same way and says nothing of it. 1.0 and 1.1
carry it twice over: a feed-forward block takes no more than one of them says. The rest is noise.
"""

from __future__ import annotations

from pathlib import Path

import sentencepiece
import torch

from cuescope.data.contrast import pair
from cuescope.data.items import Item
from cuescope.inside.ready import Ready, Twins, twins
from cuescope.inside.translator import Translator
from cuescope.models.families import FIREFOX
from cuescope.models.firefox import _Own
from cuescope.models.marian_net import MarianNet, NetConfig
from cuescope.models.tokenizers import SentencePieceTokenizer

NOUNS = "nurse clerk cook guard judge miner pilot poet".split()
OTHER_NOUN = "guest"
FRAMES = (
    "the {noun} told the guest that {cue} left",
    "yesterday the {noun} met a guest because {cue} came",
    "the {noun} saw the guest while {cue} waited for the very late train",
    "when the {noun} meets a guest we hope that {cue} is well",
)
# What the first places of the stream mean.
NOUN, CUE, GENDER, WRITTEN, TWICE, CHOICE, OTHER, END, NOISE = range(9)
SIZE, WIDTH, HEADS = 20.0, 32, 4  # of a feature in an embedding, against positions of size 1


def build(
    folder: Path,
    *,
    carried: float = 0.6,
    doubled: float = 0.4,
    taken_back: float = 0.0,
    both: bool = False,
    by_end: bool = False,
    by_key: bool = False,
) -> Translator:
    """The model; with `taken_back`, head 1.2 takes back so much of what 0.0 wrote; with `both`, 0.0
    writes it at the other person's noun, too. With `by_end`, 0.0 brings the cue to the end of the
    sentence and 1.0 brings it from there to the noun; with `by_key`, the cross head looks at what
    0.0 wrote and reads what is the same in both twins."""
    torch.manual_seed(0)
    pieces = _words(folder)
    config = NetConfig(
        WIDTH, HEADS, 2, 1, 8, 8, postprocess="a", embedding="", source_vocabulary=len(pieces),
        target_vocabulary=len(pieces),
    )  # fmt: skip
    net = MarianNet(config)
    with torch.no_grad():
        for weight in net.parameters():
            weight.zero_()
        table = net.encoder.embed_tokens.weight
        table[:, NOISE:] = torch.randn(len(table), WIDTH - NOISE) / net.encoder.scale
        for word in NOUNS:
            table[pieces[f"▁{word}"], NOUN] = SIZE / net.encoder.scale
        table[pieces[f"▁{OTHER_NOUN}"], OTHER] = SIZE / net.encoder.scale
        for word, gender in (("she", 1.0), ("he", -1.0)):
            table[pieces[f"▁{word}"], CUE] = SIZE / net.encoder.scale
            table[pieces[f"▁{word}"], GENDER] = gender * SIZE / net.encoder.scale
        first, second = net.encoder.layers[0].self_attn, net.encoder.layers[1].self_attn
        for head in range(HEADS):
            _noise(first, head)
            _noise(second, head)
        _looks(first, 0, NOUN, CUE, GENDER, {WRITTEN: carried})
        if both:
            first.q_proj.weight[0, OTHER] = 1.0
        _looks(first, 1, NOUN, CUE, GENDER, {})
        if by_end:
            table[pieces["</s>"], END] = SIZE / net.encoder.scale
            _looks(first, 0, END, CUE, GENDER, {TWICE: 1.0})
            _looks(second, 0, NOUN, END, TWICE, {WRITTEN: carried}, size=1.0)
        if doubled:
            _looks(second, 0, NOUN, CUE, GENDER, {TWICE: 3.0})
            _looks(second, 1, NOUN, CUE, GENDER, {TWICE: 3.0})
        if taken_back:
            _looks(second, 2, NOUN, NOUN, WRITTEN, {WRITTEN: -taken_back}, size=1.0)
        # WRITTEN += doubled · clip(TWICE, -1, 1)
        ffn = net.encoder.layers[1].ffn
        ffn.fc1.weight[:2, TWICE] = 1.0
        ffn.fc1.bias[:2] = torch.tensor([1.0, -1.0])
        ffn.fc2.weight[WRITTEN, :2] = doubled * torch.tensor([1.0, -1.0])
        ffn.fc2.bias[WRITTEN] = -doubled
        cross = net.decoder.layers[0].encoder_attn
        if by_key:
            first.q_proj.bias[0] = -SIZE / 2  # only the noun looks at the cue
            _looks(cross, 0, None, WRITTEN, NOUN, {CHOICE: 1.0})
        else:
            _looks(cross, 0, None, NOUN, WRITTEN, {CHOICE: 1.0}, size=1.0)
        # After "x" the decoder looks at the other person's noun.
        net.decoder.embed_tokens.weight[pieces["▁x"], OTHER] = SIZE / net.decoder.scale
        cross.q_proj.weight[0, OTHER], cross.q_proj.weight[1, OTHER] = -1.0, 1.0
        cross.k_proj.weight[1, OTHER] = 1.0
        net.output.weight[pieces["▁a"], CHOICE] = 1.0
        net.output.weight[pieces["▁o"], CHOICE] = -1.0
        net.output.bias[:] = -9.0
        for word in ("▁a", "▁o"):
            net.output.bias[pieces[word]] = 0.0
    tokens = sentencepiece.SentencePieceProcessor(model_file=str(folder / "words.model"))
    tokenizer = SentencePieceTokenizer(tokens, tokens, own=_Own(tokens, tokens))
    return Translator("planted", net.eval().requires_grad_(False), tokenizer, FIREFOX, "en", "pt")


def made(mt: Translator, *, other: bool = False) -> Ready[Twins]:
    """Every noun in every frame, he and she; the choice at that noun, or at the other person's."""
    pairs = []
    for noun in NOUNS:
        for frame in FRAMES:
            she, he = (_item(frame, noun, *cue) for cue in (("she", "female"), ("he", "male")))
            pairs.append(pair(he, she, len(pairs)))
    before = "x " * other
    forms = [(f"{before}a nurse", f"{before}o nurse")] * len(pairs)
    found = twins(mt, pairs, forms=forms)
    assert len(found) == len(pairs), found.skipped
    return found


def _item(frame: str, noun: str, cue: str, gold: str) -> Item:
    text = frame.format(noun=noun, cue=cue)
    at, to = text.index(noun), text.index(f" {cue} ") + 1
    spans = ((at, at + len(noun)), (to, to + len(cue)))
    return Item(text, *spans, gold, gold, noun=noun, template=frame)  # type: ignore[arg-type]


def _words(folder: Path) -> dict[str, int]:
    """A vocabulary of whole words."""
    lines = [f.format(noun=n, cue=c) for f in FRAMES for n in NOUNS for c in ("she", "he")]
    corpus = folder / "corpus.txt"
    corpus.write_text("\n".join([*lines, *(["a o x"] * 9)]), "utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(corpus), model_prefix=str(folder / "words"), model_type="word", vocab_size=60,
        hard_vocab_limit=False, use_all_vocab=True, eos_id=0, unk_id=1, bos_id=-1, minloglevel=2,
    )  # fmt: skip
    model = sentencepiece.SentencePieceProcessor(model_file=str(folder / "words.model"))
    return {model.id_to_piece(i): i for i in range(model.get_piece_size())}


def _looks(attention, head, query, key, value, writes, size=SIZE):  # type: ignore[no-untyped-def]
    """A head that looks from one feature (None: from everywhere) to another, reads and writes."""
    at = head * attention.head_dim
    for name in ("q_proj", "k_proj", "v_proj"):
        projection = getattr(attention, name)
        projection.weight[at : at + attention.head_dim] = 0.0
        projection.bias[at : at + attention.head_dim] = 0.0
    attention.out_proj.weight[:, at : at + attention.head_dim] = 0.0
    if query is None:
        attention.q_proj.bias[at] = SIZE
    else:
        attention.q_proj.weight[at, query] = 1.0
    attention.k_proj.weight[at, key] = 1.0
    attention.v_proj.weight[at, value] = 1.0 / size
    for place, weight in writes.items():
        attention.out_proj.weight[place, at] = weight


def _noise(attention, head):  # type: ignore[no-untyped-def]
    part = slice(head * attention.head_dim, (head + 1) * attention.head_dim)
    for name in ("q_proj", "k_proj", "v_proj"):
        weight = getattr(attention, name).weight
        weight[part, NOISE:] = 0.2 * torch.randn(attention.head_dim, WIDTH - NOISE)
        weight[part, GENDER] = 0.0005 * torch.randn(attention.head_dim)
    attention.out_proj.weight[WRITTEN, part] = 0.02 * torch.randn(attention.head_dim)
