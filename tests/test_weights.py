"""Weights of Hugging Face folders: read as data whatever their format, and all of them there."""

from __future__ import annotations

import json
import os
import shutil

import pytest
import torch
from safetensors.torch import load_file, save_file

import cuescope as cs
import tiny

OLD = {"_use_new_zipfile_serialization": False}  # as before torch 1.6
NEW: dict[str, bool] = {}


@pytest.fixture
def copied(tiny_folder, tmp_path):
    """A small model's folder to change, and its weights."""

    def copy(family="marian"):
        folder = shutil.copytree(tiny_folder(family), tmp_path / family)
        path = folder / "model.safetensors"
        state = load_file(path)
        state = {name: value.clone() for name, value in state.items()}  # nothing of it mapped
        return folder, path, state

    return copy


def opened(folder, family="marian"):
    return cs.load(str(folder), **tiny.languages(family))


@pytest.mark.slow
@pytest.mark.parametrize("layout", [OLD, NEW], ids=["old", "zip"])
@pytest.mark.parametrize("family", ["marian", "nllb"])
def test_a_folder_with_a_pickle_alone_translates(copied, tiny_model, family, layout):
    folder, path, state = copied(family)
    path.unlink()
    torch.save(state, folder / "pytorch_model.bin", **layout)
    mt, original = opened(folder, family), tiny_model(family)
    assert mt.weights_hash == original.weights_hash
    assert mt.translate(tiny.SENTENCES[:2]) == original.translate(tiny.SENTENCES[:2])


def sharded(folder, state, ending, write):
    """Two shards and their index, as `save_pretrained` makes them."""
    names = sorted(state)
    halves = {
        f"part-{n}-of-2.{ending}": {name: state[name] for name in names[n - 1 :: 2]} for n in (1, 2)
    }
    for file, half in halves.items():
        write(half, folder / file)
    listed = {name: file for file, half in halves.items() for name in half}
    stem = "model.safetensors" if ending == "safetensors" else "pytorch_model.bin"
    index = folder / f"{stem}.index.json"
    index.write_text(json.dumps({"metadata": {}, "weight_map": listed}))
    return index


@pytest.mark.parametrize("ending", ["bin", "safetensors"])
def test_shards_are_put_together(copied, tiny_model, ending):
    folder, path, state = copied()
    path.unlink()
    index = sharded(folder, state, ending, torch.save if ending == "bin" else save_file)
    assert opened(folder).weights_hash == tiny_model("marian").weights_hash
    said = json.loads(index.read_text())
    for change, found in [
        ({**said["weight_map"], "model.more.weight": f"part-1-of-2.{ending}"}, "no model.more"),
        (dict.fromkeys(said["weight_map"], "../secret.bin"), "a shard called"),
        (dict.fromkeys(said["weight_map"], f"gone.{ending}"), f"no gone.{ending} beside it"),
        ([1, 2], "no list of shards"),
    ]:
        index.write_text(json.dumps({"weight_map": change}))
        with pytest.raises(cs.CueScopeError, match=found):
            opened(folder)


class Trap:
    """Unpickled by an ordinary `pickle.load`, this makes a folder."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize("layout", [OLD, NEW], ids=["old", "zip"])
@pytest.mark.parametrize("shard", [False, True], ids=["one file", "a shard"])
def test_a_pickle_that_carries_code_is_refused_and_nothing_runs(copied, tmp_path, shard, layout):
    folder, path, state = copied()
    path.unlink()
    sprung, file = tmp_path / "sprung", folder / "pytorch_model.bin"
    state["trap"] = Trap(sprung)
    if shard:
        sharded(folder, state, "bin", lambda half, to: torch.save(half, to, **layout))
        file = next(f for f in folder.glob("part-*.bin") if b"mkdir" in f.read_bytes())
    else:
        torch.save(state, file, **layout)
    with pytest.raises(cs.CueScopeError, match="holds more than tensors") as refused:
        opened(folder)
    assert "mkdir" in str(refused.value)
    assert "weights_only" not in str(refused.value), "no advice to trust it"
    assert not sprung.exists()
    torch.load(file, weights_only=False)  # the trap is a real one
    assert sprung.exists()


def test_safetensors_come_before_a_pickle(copied, tmp_path):
    folder, _, _ = copied()
    torch.save({"trap": Trap(tmp_path / "sprung")}, folder / "pytorch_model.bin")
    opened(folder)
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "cannot be read as weights"),
        (b"\x80\x02}q\x00.", "Invalid magic number"),
        (b"PK\3\4 no zip at all", "cannot be read as weights"),
    ],
)
def test_broken_files_are_said(copied, data, said):
    folder, path, _ = copied()
    path.unlink()
    (folder / "pytorch_model.bin").write_bytes(data)
    with pytest.raises(cs.CueScopeError, match=said):
        opened(folder)
    (folder / "pytorch_model.bin").unlink()
    with pytest.raises(cs.CueScopeError, match="has no weights that cuescope loads"):
        opened(folder)


def test_something_other_than_tensors_by_name_is_said(copied):
    folder, path, state = copied()
    path.unlink()
    for wrong in ({"state_dict": state}, [1, 2]):
        torch.save(wrong, folder / "pytorch_model.bin")
        with pytest.raises(cs.CueScopeError, match="something other than tensors by name"):
            opened(folder)


@pytest.mark.slow
@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_no_tensor_may_be_missing_foreign_or_of_another_shape(copied, family):
    """transformers fills what is missing with random numbers, and goes on."""
    folder, path, state = copied(family)
    one = [name for name in state if ".0." in name or "layer" not in name]
    for name in one:
        save_file({k: v for k, v in state.items() if k != name}, path)
        if name == "final_logits_bias" and family != "marian":
            opened(folder, family)  # zeros in every such model: fairseq has no bias there
            continue
        with pytest.raises(cs.CueScopeError, match="missing from the files") as refused:
            opened(folder, family)
        assert "weights of" in str(refused.value)
    kept = {k: v for k, v in state.items() if ".1." not in k}
    save_file(kept, path)
    with pytest.raises(cs.CueScopeError, match="missing from the files"):
        opened(folder, family)  # a whole layer
    save_file(state | {"model.encoder.layers.7.fc1.weight": torch.zeros(2, 2)}, path)
    with pytest.raises(cs.CueScopeError, match="no place in the network"):
        opened(folder, family)
    for name in (one[0], one[-1]):
        save_file(state | {name: torch.zeros(3, 5)}, path)
        with pytest.raises(cs.CueScopeError, match="another shape"):
            opened(folder, family)


def test_what_older_files_hold_besides_is_known(copied, tiny_model):
    folder, path, state = copied("nllb")
    extra = {"model.encoder.version": torch.ones(1)}
    extra["model.encoder.embed_positions.weights"] = torch.zeros(130, 32)
    for name in ("lm_head", "model.encoder.embed_tokens", "model.decoder.embed_tokens"):
        extra[f"{name}.weight"] = state["model.shared.weight"].clone()  # the tied ones, written out
    save_file(state | extra, path)
    assert opened(folder, "nllb").weights_hash == tiny_model("nllb").weights_hash


def test_code_of_a_model_is_never_run(copied, tmp_path, monkeypatch):
    """Neither asked for nor run, whatever would be answered."""
    folder, _, _ = copied()
    monkeypatch.setattr("builtins.input", lambda *_: "y")
    (folder / "code.py").write_text(f"import os\nos.mkdir({str(tmp_path / 'ran')!r})\n")
    config = json.loads((folder / "config.json").read_text())
    config["auto_map"] = {
        "AutoConfig": "code.Config",
        "AutoModelForSeq2SeqLM": "code.Model",
    }
    for kind in ("marian", "strange"):
        (folder / "config.json").write_text(json.dumps(config | {"model_type": kind}))
        if kind == "marian":
            opened(folder)  # transformers has the architecture itself
        else:
            with pytest.raises(cs.CueScopeError, match="which cuescope never does"):
                opened(folder)
    assert not (tmp_path / "ran").exists()


def test_nor_is_that_of_an_nli_model(monkeypatch):
    import transformers

    from cuescope.measures.nli import NLI

    told = []

    class Recorded:
        @staticmethod
        def from_pretrained(*_, **options):
            told.append(options.get("trust_remote_code"))
            if len(told) == 2:
                raise OSError("enough")

    for name in ("AutoTokenizer", "AutoModelForSequenceClassification"):
        monkeypatch.setattr(transformers, name, Recorded)
    with pytest.raises(cs.CueScopeError, match="cannot be opened"):
        _ = NLI("a-model")._loaded
    assert told == [False, False]
