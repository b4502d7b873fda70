"""A mended model as a folder that its maker's own engine opens."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from safetensors import SafetensorError

from cuescope import files
from cuescope.errors import CueScopeError, first_line
from cuescope.files.fetch import new_folder
from cuescope.mend import fold, gated, slices
from cuescope.mend.mend import Mend
from cuescope.models import catalog, marian_file, marian_grow
from cuescope.models.firefox import find_files

if TYPE_CHECKING:
    from torch import Tensor

    from cuescope.models.translator import Translator

_MARIAN = {
    "encoder": "encoder_l{}_self_W",
    "decoder": "decoder_l{}_self_W",
    "cross": "decoder_l{}_context_W",
}
_TOKENIZER = (
    "*.spm",
    "*.model",
    "vocab*",
    "tokenizer*",
    "special_tokens*",
    "generation*",
    "merges*",
)


def export(mend: Mend, mt: Translator, to: Path | str, card: str = "") -> Path:
    """Write the mended model, whole or not at all: Marian's int8 binary, or safetensors.

    `card` becomes its README; the mend itself lies beside.
    """
    to = Path(to)
    kind, place = catalog.locate(mt.name)
    if to.exists() and (not to.is_dir() or any(to.iterdir())):
        raise CueScopeError(
            f"{to} is there already",
            expected="a new folder",
            found="something in it",
            do="name another folder, or remove this one",
        )
    writers = {"firefox": _firefox, "huggingface": _huggingface}
    if kind not in writers:
        raise CueScopeError(
            f"{mt.name} cannot be exported",
            expected=" or ".join(writers),
            found=kind,
            do="open the original model of Firefox or Hugging Face",
        )
    fold.values(mend, mt)  # it is for this model, and can be folded
    try:
        with new_folder(to) as made:
            writers[kind](mend, mt, Path(place), made)
            mend.save(made / "mend.safetensors")
            files.write(made / "README.md", card or _plain_card(mend, mt))
    except SafetensorError as error:  # a full disk, too, as its writer tells it
        raise files.unwritable(to, OSError(first_line(error))) from None
    except OSError as error:
        raise files.unwritable(to, error) from None
    return to


def _plain_card(mend: Mend, mt: Translator) -> str:
    return f"# {mt.name}, mended\n\n{mend!r}; not judged.\n\n`{mend.signature}`\n"


def matrices(mend: Mend, mt: Translator) -> dict[str, np.ndarray]:
    """The matrices that a mend changes, whole, by Marian's names, (in, out) as there."""
    changed = fold.values(mend, mt)
    found: dict[str, Any] = {}
    for name, value in changed.items():
        site, (layer, _), letter = slices.parts(name)
        key = _MARIAN[site].format(layer + 1) + letter
        if key not in found:
            found[key] = slices.projection(mt, site, layer, letter).weight.detach().clone()
        slices.view(mt, name, found[key]).copy_(value)
    return {key: weight.cpu().numpy().T for key, weight in found.items()}


def _firefox(mend: Mend, mt: Translator, place: Path, to: Path) -> None:
    model, *vocabularies = find_files(place)
    files.write(to / model.name, _marian(mend, mt, model))
    for vocabulary in set(vocabularies):
        shutil.copyfile(vocabulary, to / vocabulary.name)


def _marian(mend: Mend, mt: Translator, model: Path) -> bytes:
    if mend.kind == "gated":
        return marian_grow.grown(model, gated.as_marian(mend.values))
    return marian_file.replaced(model, matrices(mend, mt))


def _huggingface(mend: Mend, mt: Translator, place: Path, to: Path) -> None:
    from cuescope.models.huggingface import quietly

    made: Any = fold.fold(mend, mt).engine.module
    if mend.kind == "gated":
        for side in gated.sides(mend):
            width = getattr(made.config, f"{side}_ffn_dim") + gated.count(mend)
            setattr(made.config, f"{side}_ffn_dim", width)
    with quietly():
        made.save_pretrained(to, safe_serialization=True)
    for pattern in _TOKENIZER:
        for one in place.glob(pattern):
            if not (to / one.name).exists():
                shutil.copyfile(one, to / one.name)


def snapped(mend: Mend, mt: Translator) -> Mend:
    """A tuned mend as the model's file will hold it: in int8 where that is, else as it is.

    Within the range of its matrix, that is: so all other weights keep their bytes, and the mend
    here, the folded model and the exported file are the same numbers.
    """
    kind, place = catalog.locate(mt.name)
    if kind != "firefox":
        return mend
    model, *_ = find_files(Path(place))
    if mend.kind == "gated":
        return replace(mend, values=gated.on_grid(mend.values, marian_grow.grids(model)))
    within = {}
    for name, value in mend.values.items():
        site, (layer, _), letter = slices.parts(name)
        most = float(slices.projection(mt, site, layer, letter).weight.abs().max())
        within[name] = value.clamp(-most, most)
    mend = replace(mend, values=within)
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / model.name
        path.write_bytes(marian_file.replaced(model, matrices(mend, mt)))
        tensors = marian_file.read(path).tensors
    values: dict[str, Tensor] = {}
    for name, value in mend.values.items():
        site, (layer, _), letter = slices.parts(name)
        matrix = tensors[_MARIAN[site].format(layer + 1) + letter].T
        values[name] = slices.view(mt, name, value.new_tensor(np.ascontiguousarray(matrix))).clone()
    return replace(mend, values=values)


def file_grids(mt: Translator) -> dict[str, marian_grow.Grid]:
    """What the model's file can hold of more units, by block: any number, but for Firefox's
    int8."""
    there = gated.blocks(mt)
    kind, place = catalog.locate(mt.name)
    if kind == "firefox":
        return marian_grow.grids(find_files(Path(place))[0])
    return dict.fromkeys(there, marian_grow.FREE)
