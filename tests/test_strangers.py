"""What strangers hand in: absurd sizes, damage, places that are not there. Said, never a traceback.

The cases of an audit, each kept; tests/test_fuzz.py mutates whole files.
"""

from __future__ import annotations

import json
import os
import signal
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from safetensors.torch import save as pack

import cuescope as cs
import marian_writer
from cuescope import CueScopeError
from cuescope.align.gold import read_gold
from cuescope.data import plain
from cuescope.files import fetch
from cuescope.measures import relationships
from cuescope.measures.nli import NLI
from cuescope.mend import Mend
from cuescope.mend.store import FORMAT, hash_values
from cuescope.models import catalog, firefox, marian_file
from cuescope.run import findings
from cuescope.run.settings import Settings, load
from test_cli import run


def refused(said: str, run, *args, **options) -> CueScopeError:
    """The complaint, which is short whatever was handed in."""
    with pytest.raises(CueScopeError, match=said) as told:
        run(*args, **options)
    assert len(str(told.value)) < 3000
    return told.value


NINE = ",".join(["*x{0}"] * 9)
LISTS = "".join(f"x{n + 1}: &x{n + 1} [{NINE.format(n)}]\n" for n in range(12))
MERGED = "".join(f"x{n + 1}: &x{n + 1} {{<<: [{NINE.format(n)}]}}\n" for n in range(12))
YAML = {
    "aliases": ("x0: &x0 [l]\n" + LISTS, "too many aliases"),
    "merges": ("x0: &x0 {a: b}\n" + MERGED, "too many aliases"),
    "itself": ("model: m\nsites: &a [*a]\n", "not YAML"),
    "deep": ("[" * 5000, "nest too deep"),
    "digits": ("model: m\nseed: " + "9" * 5000, "not YAML"),
    "large": ("model: m\nseed: 0x" + "f" * 50, "seed out of range"),
    "half a character": ('model: "\\ud800"\n', "no Unicode text"),
    "no date": ("model: 2020-99-99\n", "not YAML"),
    "NaN": ("model: m\nepsilon: .nan\n", "epsilon out of range"),
    "infinite": ("model: m\nepsilon: .inf\n", "epsilon out of range"),
    "threads": ("model: m\nthreads: 100000\n", "threads out of range"),
    "object": ("model: !!python/object/apply:os.getcwd []\n", "not YAML"),
}


@pytest.mark.parametrize("case", YAML)
def test_settings(tmp_path, case):
    text, said = YAML[case]
    (tmp_path / "x.yaml").write_text(text)
    refused(said, load, tmp_path / "x.yaml")


def test_a_few_aliases_are_fine(tmp_path):
    (tmp_path / "x.yaml").write_text("model: m\nsites: &s [encoder]\nruns: [{sites: *s}]\n")
    assert load(tmp_path / "x.yaml")[0].sites == ("encoder",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * 100_000, "nest too deep"),
        ('{"text": ' + "9" * 5000 + "}", "not JSON"),
        ('{"text": "A \\ud800 cook", "focus": "cook", "gold": "male"}', "no Unicode text"),
        ('{"text": "A cook", "focus": "cook", "gold": ["male"]}', "unknown gold"),
        ('{"text": "A cook", "focus": "cook", "gold": "male", "pair": 1e999}', "pair is no number"),
    ],
)
def test_json_lines(tmp_path, text, said):
    (tmp_path / "x.jsonl").write_text(text)
    refused(said, plain.pairs, tmp_path / "x.jsonl")
    if "text" not in text:
        refused(said, findings.read, tmp_path / "x.jsonl")


def test_offsets_of_thousands_of_digits(tmp_path):
    (tmp_path / "x.tsv").write_text(f"text\tfocus\tgold\nA cook.\t2:{'9' * 5000}\tmale\n")
    refused("stands 0 times", plain.pairs, tmp_path / "x.tsv")


def test_a_complaint_is_short(tmp_path):
    (tmp_path / "x.tsv").write_text("x" * 10**6)
    assert refused("missing column", plain.pairs, tmp_path / "x.tsv").expected
    assert len(CueScopeError("a", found="b" * 10**6).found) < 1000


def test_a_csv_that_is_none(tmp_path):
    (tmp_path / "x.csv").write_text('a,"' + "b" * 200_000 + "\n")
    refused("is not CSV", relationships.read, tmp_path / "x.csv")


def test_gold_links_that_are_no_text(tmp_path):
    (tmp_path / "gold").write_bytes(b"a\tb\t0-0\nc\td\xff\t0-0\n")
    refused("line 2: not UTF-8", read_gold, tmp_path / "gold")


@pytest.mark.parametrize("size", [0, -1])
def test_a_batch_of_nothing(tiny_model, size):
    mt = tiny_model("marian")
    refused("batch_size out of range", mt.score, ["a b"], ["c d"], batch_size=size)
    refused("batch_size out of range", mt.translate, ["a b"], batch_size=size)


def test_translations_longer_than_the_model(tiny_model):
    """The audit's case: four of 3,000 words took 3.5 GB."""
    mt, long = tiny_model("marian"), " ".join(["mechanic"] * 3000)
    refused("translation 2 is too long", mt.score, ["a b", "a b"], ["c", long])
    refused("translation 1 is too long", mt.logits, ["a b"], [long])


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("dim-emb", 1_000_000),
        ("enc-depth", 10_000_000),
        ("transformer-dim-ffn", 10**9),
        ("transformer-heads", 0),
        ("transformer-heads", "many"),
        ("dec-depth", -1),
        *((name, None) for name in ("dim-emb", "enc-depth", "transformer-heads")),
    ],
)
def test_a_marian_file_with_an_absurd_option(option, value):
    """Refused before anything is allocated."""
    options = {**marian_writer.OPTIONS, option: value}
    if value is None:
        del options[option]
    made = marian_file.MarianFile(options, marian_writer.tensors(marian_writer.OPTIONS))
    assert option in refused("no network can have", firefox.build, made, "m").found


@pytest.mark.parametrize(
    ("option", "value"),
    [("d_model", 10**6), ("encoder_layers", 10**7), ("vocab_size", 10**10), ("encoder_layers", -1)],
)
def test_a_configuration_that_its_weights_do_not_explain(tiny_folder, tmp_path, option, value):
    folder = copied(tiny_folder("marian"), tmp_path)
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), option: value}))
    assert option in refused("not those of its configuration", cs.load, str(folder)).found


def copied(folder: Path, tmp_path: Path) -> Path:
    new = tmp_path / "copy"
    new.mkdir()
    for path in folder.iterdir():
        (new / path.name).write_bytes(path.read_bytes())
    return new


def test_a_package_that_unfolds_into_gigabytes(tmp_path):
    path = tmp_path / "bomb.argosmodel"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr("m/metadata.json", "{}")
        with zipped.open("m/model/model.bin", "w") as stream:
            for _ in range(64):
                stream.write(bytes(1 << 20))
    refused("too large to be what it says", cs.load, str(path))


def test_a_package_whose_parts_do_not_fit(tmp_path):
    path = tmp_path / "odd.argosmodel"
    for inside in ("[]", "[" * 10_000, '{"from_code": '):
        with zipfile.ZipFile(path, "w") as zipped:
            zipped.writestr("m/metadata.json", inside)
        refused("metadata.json", cs.load, str(path))


def test_an_nli_model_that_lacks_a_tensor(tmp_path):
    """transformers would fill it with random numbers."""
    from transformers import DistilBertConfig, DistilBertForSequenceClassification
    from transformers import DistilBertTokenizer as Tokenizer

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b"]
    (tmp_path / "vocab.txt").write_text("\n".join(words))
    Tokenizer(str(tmp_path / "vocab.txt")).save_pretrained(tmp_path)
    labels = {0: "entailment", 1: "neutral", 2: "contradiction"}
    small = {"dim": 8, "n_layers": 1, "n_heads": 2, "hidden_dim": 8, "vocab_size": len(words)}
    config = DistilBertConfig(id2label=labels, num_labels=3, **small)
    DistilBertForSequenceClassification(config).save_pretrained(tmp_path)
    assert NLI(str(tmp_path), cache=tmp_path / "c").ask([("a", "b")])[0] in labels.values()
    path = tmp_path / "model.safetensors"
    state = load_file(path)
    lost = "distilbert.transformer.layer.0.attention.q_lin.weight"
    for change in ({lost: None}, {lost: torch.zeros(3, 3)}):
        held = {name: value for name, value in {**state, **change}.items() if value is not None}
        save_file(held, path)
        told = refused(
            "cannot be opened", NLI(str(tmp_path), cache=tmp_path / "d").ask, [("a", "b")]
        )
        assert told.found


def test_no_home(monkeypatch):
    for name in ("CUESCOPE_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)

    def none(_: int) -> None:
        raise KeyError("no such user")

    monkeypatch.setattr("pwd.getpwuid", none)
    refused("no place for the cache", fetch.cache)


def test_a_cache_that_is_no_folder(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("CUESCOPE_CACHE", str(tmp_path / "file" / "cache"))
    monkeypatch.delenv("CUESCOPE_OFFLINE")
    refused("cannot be written", catalog.get, "firefox:en-xx")
    refused("cannot be", NLI("x", cache=tmp_path / "file" / "c")._open().__enter__)


def test_a_bit_that_flipped_in_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("CUESCOPE_CACHE", str(tmp_path))
    folder = catalog.folder_of("firefox:en-xx")
    folder.mkdir(parents=True)
    (folder / "model.bin").write_bytes(struct.pack("<QQ", 1, 1))
    (folder / "vocab.spm").write_bytes(b"x")
    catalog._keep_hashes(folder)
    assert catalog.locate("firefox:en-xx")[0] == "firefox"
    (folder / "vocab.spm").write_bytes(b"y")
    refused("damaged on this machine: vocab.spm", catalog.locate, "firefox:en-xx")
    (folder / "vocab.spm").unlink()
    refused("damaged on this machine: vocab.spm", catalog.locate, "firefox:en-xx")


FORKED = """
import os, torch
import cuescope.models.turn
torch.set_num_threads(2)
def work():
    torch.nn.functional.layer_norm(torch.randn(4000, 1000), (1000,)).softmax(-1)
work()
child = os.fork()
if child == 0:
    work()
    os._exit(7)
os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_fork_after_the_use_of_two_threads(monkeypatch):
    """The child has none of torch's threads, and would wait for them for ever."""
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    with subprocess.Popen([sys.executable, "-c", FORKED], start_new_session=True) as parent:
        try:
            assert parent.wait(120) == 7
        except subprocess.TimeoutExpired:
            os.killpg(parent.pid, signal.SIGKILL)
            raise


def test_settings_from_python():
    for change in ({"epsilon": float("nan")}, {"samples": 10**12}, {"seed": 2**70}):
        refused("out of range", Settings, "m", **change)


def test_findings_changed_after_they_were_written(tmp_path):
    from findings_of import findings as made

    findings.write(tmp_path, made(9))
    path = tmp_path / findings.NAME
    whole = path.read_text()
    assert findings.read(tmp_path)["pairs"]
    path.write_text(whole.replace('"n": 9', '"n": 8', 1))
    refused("changed after it was written", findings.read, tmp_path)
    told = json.loads(whole)
    del told["crc32"]  # as an earlier release, or a person, wrote it
    told["accuracy"]["pro"]["all"] = "high"
    path.write_text(json.dumps(told))
    assert "accuracy.pro.all" in refused("is not what it should be", findings.read, tmp_path).what


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"text": {"a": "A cook."}, "focus": "cook", "gold": "male"}', "text is no text"),
        ('{"text": 3, "focus": 3, "gold": "male"}', "text is no text"),
        ('{"text": "A cook.", "focus": [1, 2], "gold": "male"}', "lies outside the text"),
        ('{"text": "A cook.", "focus": [2, 2], "gold": "male"}', "lies outside the text"),
    ],
)
def test_what_is_no_sentence_and_no_word(tmp_path, text, said):
    (tmp_path / "x.jsonl").write_text(text)
    refused(said, plain.read, tmp_path / "x.jsonl")


def test_a_name_that_no_file_can_have(tmp_path):
    """As a YAML file may hold it: `data: "a\\0b.tsv"`."""
    refused("cannot be read", plain.read, tmp_path / "a\0b.tsv")


def test_outputs_without_a_row(tmp_path):
    (tmp_path / "x.csv").write_text(",".join(relationships.COLUMNS) + "\n")
    refused("holds no sentences", relationships.Relationships.of, {"a": tmp_path / "x.csv"})


def test_a_cluster_for_another_engine_is_not_ignored():
    refused("ray out of range", Settings, "m", engine="processes", workers=2, ray="auto")


def forged(path: Path, change: dict[str, object], values: dict[str, torch.Tensor]) -> Path:
    """A mend with other facts or values, of which nothing else gives it away."""
    facts = {"kind": "tuned", "model": "m", "weights": "0123", "heads": {"encoder": [[0, 1]]}}
    told = {"numbers": {}, "fitted": {}, **facts, **change, "values": hash_values(values)}
    path.write_bytes(pack(values, {FORMAT: json.dumps(told)}))
    return path


@pytest.mark.parametrize(
    "change",
    [
        {"numbers": {"factor": "x"}},
        {"numbers": 3},
        {"fitted": [1]},
        {"model": 3},
        {"weights": None},
        {"heads": {"encoder": [[1]]}},
        {"kind": "louder"},
        {"kind": "floor", "numbers": {"factor": 2.0}},
    ],
)
def test_a_mend_of_another_shape(tmp_path, change):
    good = {"encoder.0.1.q": torch.ones(2, 2)}
    assert Mend.load(forged(tmp_path / "good.mend", {}, good)).kind == "tuned"
    refused("is not", Mend.load, forged(tmp_path / "a.mend", change, good))


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 3])
def test_a_mend_whose_values_are_no_weights(tmp_path, number):
    """It would be folded into a model, and exported."""
    values = {"encoder.0.1.q": torch.full((2, 2), number)}
    refused("is not a mend", Mend.load, forged(tmp_path / "a.mend", {}, values))


def test_a_beam_without_bounds():
    assert run("translate", "m", "--in", "x", "--beam", 100_000).returncode == 2


@pytest.mark.parametrize("ends", [[0.1], [0.1, 0.2, 0.3], []])
def test_intervals_of_findings_have_two_ends(tmp_path, ends):
    """Three thousand mutations of findings in the report found it; 250 had not."""
    from readers_findings import everything

    told = everything()
    told["certified"]["exhausted"] = 1
    told["certified"]["sets"][0]["he"]["feminine"] = ends
    (tmp_path / findings.NAME).write_text(json.dumps(told))
    refused("2 entries", findings.read, tmp_path)
