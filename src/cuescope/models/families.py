"""Architecture facts in one table: where the heads live, how languages are named."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

from torch import nn

from cuescope.errors import CueScopeError
from cuescope.models.sites import SITES

Tags = Literal[
    "none",  # one pair of languages
    "code",  # `>>fra<<` before the source, where the vocabulary has such codes (OPUS-MT)
    "forced",  # tags around the source, and one that the decoder is made to emit (M2M100, mBART)
    "prompt",  # words before the source (T5)
    "token",  # one token before the source, `<2pt>` (MADLAD)
]


@dataclass(frozen=True)
class Family:
    """One architecture. Paths are attribute names from the module down, `{}` the layer.

    A head is its slice of the input of `out`, the projection of an attention module.
    """

    name: str
    model_type: str  # Hugging Face's `config.model_type`; "" for our own network
    encoder: str  # attention modules per site
    decoder: str | None
    cross: str
    heads: str = "num_heads"  # on the attention module
    out: str = "out_proj"
    query: str = "q_proj"
    key: str = "k_proj"
    value: str = "v_proj"
    tags: Tags = "none"
    marks: str = ""  # a pattern: the family is known by such tokens in the vocabulary
    bias: str = ""  # added to the logits
    own_bias: bool = False  # it is trained, so that the files must hold it
    scale: str = ""  # config flag: hidden states are scaled by width^-½ before the logits

    def codes(self, vocabulary: Iterable[str]) -> list[str]:
        """The tokens by which a family of many languages is known."""
        return [token for token in vocabulary if re.fullmatch(self.marks, token)]

    def sites(self, module: nn.Module) -> dict[str, tuple[int, int]]:
        """Layers and heads of each site that a model has."""
        found = {}
        for site in SITES:
            path: str | None = getattr(self, site)
            if path is None:
                continue
            layers = len(self._resolve(module, path.split(".{}")[0]))
            try:
                heads = getattr(self._resolve(module, path.format(0)), self.heads)
            except AttributeError:
                continue  # a recurrent decoder has no self-attention
            found[site] = (layers, int(heads))
        return found

    def attention(self, module: nn.Module, site: str, layer: int) -> nn.Module:
        """The attention module of a site's layer."""
        found = self._resolve(module, getattr(self, site).format(layer))
        assert isinstance(found, nn.Module)
        return found

    def out_proj(self, attention: nn.Module) -> nn.Linear:
        """The projection whose input is the heads side by side."""
        found = getattr(attention, self.out)
        assert isinstance(found, nn.Linear)
        return found

    @staticmethod
    def _resolve(module: nn.Module, path: str) -> Any:
        found: Any = module
        for name in path.split("."):
            found = found[int(name)] if name.isdigit() else getattr(found, name)
        return found


def bart_shaped(name: str, model_type: str, **facts: Any) -> Family:
    """The layout that Marian, M2M100, mBART and BART share."""
    return Family(
        name,
        model_type,
        encoder="model.encoder.layers.{}.self_attn",
        decoder="model.decoder.layers.{}.self_attn",
        cross="model.decoder.layers.{}.encoder_attn",
        **facts,
    )


FIREFOX = Family(
    "Firefox (Marian)",
    "",
    encoder="encoder.layers.{}.self_attn",
    decoder="decoder.layers.{}.self_attn",
    cross="decoder.layers.{}.encoder_attn",
)

T5 = Family(
    "T5",
    "t5",
    encoder="encoder.block.{}.layer.0.SelfAttention",
    decoder="decoder.block.{}.layer.0.SelfAttention",
    cross="decoder.block.{}.layer.1.EncDecAttention",
    heads="n_heads",
    out="o",
    query="q",
    key="k",
    value="v",
    tags="prompt",
    scale="scale_decoder_outputs",
)

FAMILIES: tuple[Family, ...] = (
    FIREFOX,
    bart_shaped("Marian", "marian", tags="code", bias="final_logits_bias", own_bias=True),
    bart_shaped("M2M100 / NLLB", "m2m_100", tags="forced"),
    bart_shaped("mBART", "mbart", tags="forced", bias="final_logits_bias"),
    bart_shaped("BART", "bart", bias="final_logits_bias"),
    T5,
    replace(T5, name="T5 with tags (MADLAD)", tags="token", marks=r"<2\w+>"),
)


def add(family: Family) -> None:
    """Know one more family from here on, as a row of the table would; a script's own."""
    global FAMILIES
    if family in FAMILIES:
        return  # a cell that is run twice
    if any((f.model_type, f.marks) == (family.model_type, family.marks) for f in FAMILIES):
        raise CueScopeError(
            f"there is a family of {family.model_type or 'no model_type'} already",
            expected="another model_type, or `marks` by which its vocabulary is told apart",
            found=family.name,
        )
    FAMILIES += (family,)


# Known, and no row: what a row cannot say of them.
_CLOSED = {
    "fsmt": "take another model of this pair: FSMT's attention is time-first and passes by "
    "transformers' AttentionInterface, so that no head of it can be read or patched",
}


def configurations(module: nn.Module) -> list[Any]:
    """Every configuration in use: T5's stacks have copies of their own."""
    found = {id(c): c for m in module.modules() if (c := getattr(m, "config", None)) is not None}
    return list(found.values())


def family_of(model_type: str, name: str, vocabulary: Iterable[str] = ()) -> Family:
    """The family of a Hugging Face `model_type`; where two share one, its tokens tell them apart.

    >>> family_of("t5", "a model").name, family_of("t5", "a model", ["<2pt>", "a"]).name
    ('T5', 'T5 with tags (MADLAD)')
    """
    rows = [f for f in FAMILIES if f.model_type and f.model_type == model_type]
    fitting = [f for f in rows if f.marks and f.codes(vocabulary)]
    for family in (*fitting, *(f for f in rows if not f.marks)):
        return family
    raise CueScopeError(
        f"{name} has an architecture that cuescope does not open",
        expected=", ".join(f"{f.name} ({f.model_type})" for f in FAMILIES if f.model_type),
        found=model_type or "no model_type in its configuration",
        do=_CLOSED.get(
            model_type,
            "add a row: cuescope.models.families.add(…), see docs/adding-a-model.md",
        ),
    )
