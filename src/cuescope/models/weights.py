"""A Hugging Face model's weights from its files: safetensors, or pickles of tensors alone.

The files are read here and handed to transformers: it would ask the hub to convert a pickle, take
the answer from another branch, and fill what a file lacks with random numbers.
"""

from __future__ import annotations

import json
import pickle
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from cuescope.errors import CueScopeError, refusal
from cuescope.models.families import Family

FILES = (  # in the order of preference; an index names the shards
    "model.safetensors",
    "model.safetensors.index.json",
    "pytorch_model.bin",
    "pytorch_model.bin.index.json",
)
# What older files hold besides the network: fairseq's version mark, and sinusoids that the network
# computes itself.
_IGNORED = re.compile(r".*\b(version|embed_positions\.(weights?|_float_tensor))")

_broken = refusal(
    "{} cannot be read as weights",
    expected="a whole file of tensors by name",
    do="get the model again",
)


def read(name: str, **where: Any) -> dict[str, Tensor]:
    """Every tensor of a folder's or a hub model's weight files, by name; `where`: the hub's."""
    for file in FILES:
        path = _path(name, file, where)
        if path is None:
            continue
        if not file.endswith(".index.json"):
            return _tensors(path)
        return _shards(name, path, where)
    found = sorted(p.name for p in Path(name).iterdir())[:8] if Path(name).is_dir() else [name]
    raise CueScopeError(
        f"{name} has no weights that cuescope loads",
        expected=f"one of {', '.join(FILES)}",
        found=", ".join(found) or "an empty folder",
        do="save the model again with `save_pretrained`",
    )


def _path(name: str, file: str, where: dict[str, Any]) -> Path | None:
    """Where a file lies: in the folder, or in the hub's cache, fetched if need be."""
    from transformers.utils import cached_file

    if Path(name).is_dir():
        path = Path(name) / file
        return path if path.is_file() else None
    found = cached_file(name, file, _raise_exceptions_for_missing_entries=False, **where)
    return None if found is None else Path(found)


def _shards(name: str, index: Path, where: dict[str, Any]) -> dict[str, Tensor]:
    """The tensors of all shards that an index names; each must hold what is said of it."""
    try:
        listed = json.loads(index.read_text("utf-8"))["weight_map"]
        files = sorted({str(file) for file in listed.values()})
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise _broken(index.name, f"no list of shards ({error})") from error
    ending = index.name.removesuffix(".index.json").rsplit(".", 1)[-1]
    found: dict[str, Tensor] = {}
    for file in files:
        if not re.fullmatch(rf"[\w.-]+\.{ending}", file):
            raise _broken(index.name, f"a shard called {file!r}")
        path = _path(name, file, where)
        if path is None:
            raise _broken(index.name, f"no {file} beside it")
        found |= _tensors(path)
    if lost := sorted(set(listed) - set(found)):
        raise _broken(index.name, f"no {lost[0]} in its shards ({len(lost)} are lost)")
    return found


def _tensors(path: Path) -> dict[str, Tensor]:
    """One file's tensors, mapped into memory where its format allows it."""
    try:
        if path.suffix == ".safetensors":
            from safetensors.torch import load_file

            return load_file(path)
        mapped = zipfile.is_zipfile(path)  # the format before torch 1.6 is one stream
        # weights_only: an unpickler that knows tensors and plain containers, and calls nothing else
        found = torch.load(path, map_location="cpu", weights_only=True, mmap=mapped)
    except pickle.UnpicklingError as error:
        met = re.search(r"GLOBAL ([\w.]+)", str(error))
        if met is None:
            raise _broken(path.name, _said(error)) from error
        raise CueScopeError(
            f"{path.name} holds more than tensors, and was not loaded",
            expected="a pickle of tensors alone: anything else in it could run as code",
            found=met.group(1),
            do="do not trust this file; get the model as safetensors",
        ) from error
    except Exception as error:  # torch and safetensors have many, none of them documented
        raise _broken(path.name, _said(error)) from error
    if not isinstance(found, dict) or not all(isinstance(v, Tensor) for v in found.values()):
        raise _broken(path.name, "something other than tensors by name")
    return found


def _said(error: Exception) -> str:
    """What torch says of a file, without its advice to trust it all the same."""
    parts = [part for part in str(error).split("\n\n") if part and "weights_only" not in part]
    return " ".join(" ".join(parts).split())[:200] or type(error).__name__


_DEEP = ("encoder_layers", "decoder_layers", "num_layers", "num_decoder_layers")
_WIDE = (
    *("d_model", "hidden_size", "vocab_size", "decoder_vocab_size", "d_ff", "d_kv"),
    *("encoder_ffn_dim", "decoder_ffn_dim", "encoder_attention_heads", "decoder_attention_heads"),
    *("num_heads", "relative_attention_num_buckets"),
)
_LONG, _LONGEST = ("max_position_embeddings", "n_positions", "max_length"), 1 << 20


def plausible(name: str, config: Any, state: Mapping[str, Tensor]) -> None:
    """Raise, before anything is allocated, if the files cannot hold so large a network."""
    widest = max((side for value in state.values() for side in value.shape), default=0)
    told = config.to_dict()
    for option in (one for one in told if "dropout" in one):  # torch asks, at the first sentence
        found = told[option]
        if isinstance(found, int | float) and not 0 <= found <= 1:
            raise CueScopeError(
                f"the configuration of {name} is damaged",
                expected=f"{option}: a share, from 0 to 1",
                found=f"{option}: {found}",
                do="get the model again",
            )
    for names, most in ((_DEEP, len(state)), (_WIDE, max(8 * widest, 1024)), (_LONG, _LONGEST)):
        for option in names:
            found = told.get(option)
            if isinstance(found, int | float) and not 0 <= found <= most:
                raise CueScopeError(
                    f"the weights of {name} are not those of its configuration",
                    expected=f"{option}: at most {most:,}, as its {len(state):,} tensors allow",
                    found=f"{option}: {found}",
                    do="get the model again: config.json and the weights must be of one model",
                )


def check(name: str, family: Family, held: set[str], said: dict[str, Any]) -> None:
    """Raise if the files and the network do not match: what a file lacks would be random.

    `held`: the tensors of the files; `said`: what transformers says of loading them.
    """
    missing = set(said["missing_keys"])
    if family.own_bias and family.bias not in held:  # transformers takes zeros, and is silent
        missing.add(family.bias)
    strange = {key for key in said["unexpected_keys"] if not _IGNORED.fullmatch(key)}
    for keys, what in (
        (missing, "is missing from the files"),
        (strange, "has no place in the network"),
        ({str(key) for key, *_ in said["mismatched_keys"]}, "has another shape than the network's"),
    ):
        if keys:
            shown = ", ".join(sorted(keys)[:4])
            raise CueScopeError(
                f"the weights of {name} are not those of its configuration",
                expected=f"every tensor of the {family.name} network, and no other",
                found=f"{len(keys)} of which each {what}: {shown}",
                do="get the model again: config.json and the weights must be of one model",
            )
