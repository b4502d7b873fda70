"""Opens Hugging Face encoder-decoders from a hub name or a folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from cuescope.errors import CueScopeError
from cuescope.files.fetch import offline
from cuescope.models import languages, weights
from cuescope.models.families import Family, family_of
from cuescope.models.hf_engine import HuggingFaceEngine
from cuescope.models.hf_tokenizers import adapt, said
from cuescope.models.tokenizers import Tokenizer


class Opened(NamedTuple):
    """A model's parts, and the languages that it was told or says itself."""

    engine: HuggingFaceEngine
    tokenizer: Tokenizer
    family: Family
    src: str | None
    tgt: str | None


def load(name: str, src: str | None, tgt: str | None, attention: str = "sdpa") -> Opened:
    """A model of a hub name or a folder. Weights are read as data, no code of a model is run."""
    from transformers import AutoConfig, AutoTokenizer

    where: dict[str, Any] = {"local_files_only": True} if Path(name).exists() or offline() else {}
    with quietly(), _said_clearly(name):
        config = AutoConfig.from_pretrained(name, trust_remote_code=False, **where)
        family_of(config.model_type, name)  # before anything large is fetched
        tokenizer = AutoTokenizer.from_pretrained(name, trust_remote_code=False, **where)
        family = family_of(config.model_type, name, tokenizer.get_vocab())
        pair = languages.pair((src, tgt), said(tokenizer), name)
        model = _network(name, config, family, attention, where)
        return Opened(
            HuggingFaceEngine(model, family), adapt(tokenizer, family, name, *pair), family, *pair
        )


def _network(name: str, config: Any, family: Family, attention: str, where: dict[str, Any]) -> Any:
    """The network with the weights of its files, all of which must have found their place."""
    from transformers import GenerationConfig
    from transformers.models.auto.modeling_auto import MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING

    try:
        settings = GenerationConfig.from_pretrained(name, **where)
    except OSError:  # older models say it in config.json
        settings = GenerationConfig.from_model_config(config)
    state = weights.read(name, **where)
    weights.plausible(name, config, state)
    held = set(state)
    model, found = MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING[type(config)].from_pretrained(
        None,
        config=config,
        state_dict=state,
        generation_config=settings,
        attn_implementation=attention,
        dtype="float32",
        ignore_mismatched_sizes=True,  # `check` says which
        output_loading_info=True,
    )
    weights.check(name, family, held, found)
    return model


@contextmanager
def quietly() -> Iterator[None]:
    """transformers without bars and tables: what matters of them is raised."""
    from transformers.utils import logging as talk

    bars, level = talk.is_progress_bar_enabled(), talk.get_verbosity()
    talk.disable_progress_bar()
    talk.set_verbosity_error()
    try:
        yield
    finally:
        talk.set_verbosity(level)
        if bars:
            talk.enable_progress_bar()


@contextmanager
def _said_clearly(name: str) -> Iterator[None]:
    """The hub, the disk and the parsers each have errors of their own."""
    try:
        yield
    except CueScopeError:
        raise
    except Exception as error:
        told = " ".join(str(error).split())
        remote = "remote code" in told or "trust_remote_code" in told
        raise CueScopeError(
            f"{name} could not be opened as a Hugging Face model",
            expected="a hub name, or a folder with config.json, the weights and the tokenizer",
            found=told[:300] or type(error).__name__,
            do="the model wants code of its own to be run, which cuescope never does"
            if remote
            else "take another model of this pair: the attention of this one passes by "
            "transformers' AttentionInterface, so that no head of it can be read or patched"
            if "does not support an attention implementation" in told
            else "check the spelling; offline, give the path of a folder (`cuescope models list`)",
        ) from error
