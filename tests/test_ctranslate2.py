"""CTranslate2: the real OPUS-MT package against the engine itself, and converted small models."""

from __future__ import annotations

import json
import re
import struct
import zipfile

import numpy as np
import pytest
import torch

import cuescope as cs
import tiny
from cuescope.models import catalog, ct2_file

ctranslate2 = pytest.importorskip("ctranslate2")

# Own sentences: subject × what happened, with 他 / 她 as the cue, and some of everyday life.
WHO = "护士回家了 医生打了电话 律师没有来 机械师迟到了 老师笑了 秘书写了一封信 工程师很高兴"
WHO += " 司机停了车 厨师离开了 经理开了会 会计在办公室 警察跑得很快 作家睡不着"
WHO += " 农民买了一匹马 清洁工关了门"
WHY = "很累 生病了 忘了时间 想休息 找到了工作 喜欢音乐 没有钱 听到了好消息 等朋友 害怕 要去北京"
WHY += " 丢了钥匙 饿了 不知道 有时间"
LIFE = "我今天去图书馆借了三本书。 请把窗户打开。 昨天下了一场大雨。 这家餐厅的面条很好吃。"
LIFE += " 你叫什么名字？ 火车八点从上海出发。 孩子们在公园里玩。 我不同意你的意见。"
LIFE += " 他每天早上跑步。 她会说三种语言。"
LIFE += " 中国有很多河流和山。 明天的会议取消了。 这个问题很难回答。 我们应该保护环境。"
LIFE += " 科学家发现了一种新的鱼。 冬天的夜晚很长。 医院就在学校旁边。 这件衣服太贵了。"
LIFE += " 他们终于赢得了比赛。 谢谢你的帮助！"
CHINESE = [
    f"{who}，因为{cue}{why}。"
    for cue in "他她"
    for who, why in zip(WHO.split(), WHY.split(), strict=True)
] + LIFE.split()


def test_there_are_fifty_sentences():
    assert len(set(CHINESE)) == 50


@pytest.mark.model
@pytest.mark.slow
def test_greedy_equals_the_engines_own(opus, tmp_path):
    """The same words as CTranslate2 in float32, for fifty sentences."""
    package = next(catalog.folder_of("argos:zh-en").glob("*.argosmodel"))
    with zipfile.ZipFile(package) as zipped:
        zipped.extractall(tmp_path)
    folder = next(tmp_path.iterdir())
    engine = ctranslate2.Translator(str(folder / "model"), compute_type="float32", intra_threads=1)
    pieces = [[p for p in opus.tokenise(text).pieces if p != "</s>"] for text in CHINESE]
    theirs = engine.translate_batch(pieces, beam_size=1)
    ours = opus.generate(CHINESE)
    for text, mine, other in zip(CHINESE, ours, theirs, strict=True):
        assert [*opus.tokenizer.target_pieces(mine.ids[:-1])] == other.hypotheses[0], text
        assert mine.finished
    nurse = opus.translate(["护士说他很累。", "护士说她很累。"])
    assert nurse == ["The nurse said he was tired.", "The nurse said she was tired."]
    # The unpacked folder is the same model, once its SentencePiece model lies beside it.
    (folder / "model" / "sentencepiece.model").write_bytes(
        (folder / "sentencepiece.model").read_bytes()
    )
    assert cs.load(str(folder / "model"), check=False).weights_hash == opus.weights_hash


def convert(folder, out, quantization):
    """What a user does: CTranslate2's own converter, the SentencePiece models copied beside."""
    converter = ctranslate2.converters.TransformersConverter(str(folder))
    converter.convert(str(out), quantization=quantization, force=True)
    for name in ("source.spm", "target.spm", "sentencepiece.bpe.model", "trained.model"):
        if (folder / name).exists():
            (out / name).write_bytes((folder / name).read_bytes())
            if name != "source.spm":
                break
    return out


QUANTISED = {None: 1e-3, "int8": 0.5, "int16": 0.01, "float16": 0.05, "bfloat16": 0.5}


@pytest.mark.slow
@pytest.mark.parametrize("quantization", QUANTISED, ids=str)
@pytest.mark.parametrize("family", ["marian", "nllb", "mbart"])
def test_converted_models_come_back(tiny_folder, tiny_model, tmp_path, family, quantization):
    """Original → CTranslate2 → cuescope: the same logits, up to what the quantisation lost."""
    original = tiny_model(family)
    folder = convert(tiny_folder(family), tmp_path / "ct2", quantization)
    mt = cs.load(str(folder), **tiny.languages(family))
    assert mt.family.name == original.family.name
    assert mt.sites == original.sites
    sources, targets = tiny.SENTENCES[:3], tiny.SENTENCES[3:6]
    ours, theirs = mt.logits(sources, targets), original.logits(sources, targets)
    common = min(ours.shape[-1], theirs.shape[-1])
    for row, target in enumerate(targets):
        length = len(mt.tokenise_target(target))
        gap = (ours[row, :length, :common] - theirs[row, :length, :common]).abs().mean()
        assert float(gap) < QUANTISED[quantization] * float(theirs.std())


def rewrite(path, change):
    """A `model.bin` with other variables: {name: value, or None to leave it out}."""
    found = ct2_file.read(path.read_bytes(), path.name)
    variables = {
        name: value for name, value in found.raw.items() if change.get(name, 0) is not None
    }
    variables |= {name: value for name, value in change.items() if value is not None}
    aliases = {k: v for k, v in found.aliases.items() if change.get(k, 0) is not None}

    def text(string):
        return struct.pack("<H", len(string) + 1) + string.encode() + b"\0"

    types = {"float32": 0, "int8": 1, "int16": 2}
    parts = [struct.pack("<I", 6), text(found.specification), struct.pack("<I", 7)]
    parts.append(struct.pack("<I", len(variables)))
    for name, value in sorted(variables.items()):
        shape = struct.pack(f"<B{value.ndim}I", value.ndim, *value.shape)
        size = struct.pack("<BI", types[value.dtype.name], value.nbytes)
        parts += [text(name), shape, size, value.tobytes()]
    parts.append(struct.pack("<I", len(aliases)))
    parts += [text(alias) + text(name) for alias, name in sorted(aliases.items())]
    path.write_bytes(b"".join(parts))


SIDES = ("encoder", "decoder")
UNSAID = {f"{side}/scale_embeddings": None for side in SIDES}
SPELT = "{}/embeddings/multiply_by_sqrt_depth"
OLDER = {
    "scale not said": UNSAID,
    "heads not said": {f"{side}/num_heads": None for side in SIDES},
    "pre_norm not said": {f"{side}/pre_norm": None for side in SIDES},
    "nothing said": UNSAID
    | {f"{s}/{name}": None for s in SIDES for name in ("num_heads", "pre_norm")},
    "spelt the old way": UNSAID | {SPELT.format(s): np.array(1, np.int8) for s in SIDES},
    "the old way, no": UNSAID | {SPELT.format(s): np.array(0, np.int8) for s in SIDES},
    "a yes": {f"{side}/scale_embeddings": np.array(1, np.int8) for side in SIDES},
    "a no": {f"{side}/scale_embeddings": np.array(0, np.int8) for side in SIDES},
    "a factor of one": {f"{side}/scale_embeddings": np.array(1, np.float32) for side in SIDES},
}


@pytest.mark.slow
@pytest.mark.parametrize("change", OLDER)
def test_older_files_mean_what_the_engine_takes_them_for(tiny_folder, tmp_path, change):
    """CTranslate2 itself on the very file: the same words, and the same probabilities."""
    folder = convert(tiny_folder("nllb"), tmp_path / "ct2", None)
    rewrite(folder / "model.bin", OLDER[change])
    if SPELT.format("encoder") in OLDER[change]:  # files of that age have no number either
        one_table(folder / "model.bin")
    mt = cs.load(str(folder), **tiny.languages("nllb"))
    assert mt.sites["encoder"][1] == (8 if "num_heads" in str(OLDER[change]) else 4)
    assert_equals_the_engine(mt, folder)


def one_table(path):
    """The source embeddings as older files call them."""
    table = ct2_file.read(path.read_bytes(), "").raw["decoder/embeddings/weight"]
    rewrite(path, {"encoder/embeddings_0/weight": None, "encoder/embeddings/weight": table})


def assert_equals_the_engine(mt, folder):
    engine = ctranslate2.Translator(str(folder), compute_type="float32", intra_threads=1)
    sources, targets = tiny.SENTENCES[:3], tiny.SENTENCES[3:6]
    tag = [*mt.tokenizer.target_pieces(mt.tokenizer.forced)]
    pieces = [[*mt.tokenise(text).pieces] for text in sources]
    mt.limits = cs.models.decoding.Limits(most=12)
    theirs = engine.translate_batch(
        pieces, target_prefix=[tag] * 3, beam_size=1, max_decoding_length=12
    )
    for mine, other in zip(mt.generate(sources), theirs, strict=True):
        ids = mine.ids[:-1] if mine.finished else mine.ids
        assert [*mt.tokenizer.target_pieces(ids)] == other.hypotheses[0][: len(ids)]
    wanted = [[*mt.tokenise_target(text).pieces[:-1]] for text in targets]
    scored = engine.score_batch(pieces, wanted)
    for mine, other in zip(mt.score(sources, targets), scored, strict=True):
        assert mine.logprobs == pytest.approx(other.log_probs[len(tag) :], abs=2e-3)


def test_a_norm_that_the_network_has_not_is_said(tiny_folder, tmp_path):
    """Post-norm weights in a file that says nothing are taken for pre-norm by the engine."""
    folder = convert(tiny_folder("marian"), tmp_path / "ct2", None)
    rewrite(folder / "model.bin", OLDER["pre_norm not said"])
    with pytest.raises(cs.CueScopeError, match="no encoder/layer_norm"):
        cs.load(str(folder))
    rewrite(folder / "model.bin", {"encoder/pre_norm": np.array(0, np.int8)})
    with pytest.raises(cs.CueScopeError, match="pre_norm on one side only"):
        cs.load(str(folder))


def test_damage_is_said(tiny_folder, tmp_path):
    folder = convert(tiny_folder("marian"), tmp_path / "ct2", None)
    model = folder / "model.bin"
    whole = model.read_bytes()
    for data, said in [
        (whole[: len(whole) // 2], "not a whole CTranslate2 model"),
        (b"\x63" + whole[1:], "not a whole CTranslate2 model"),
        (b"", "not a whole CTranslate2 model"),
        (whole.replace(b"layer_0/ffn/linear_0/weight", b"layer_0/ffn/linear_9/weight"), "lacks"),
        (whole.replace(b"layer_1/ffn/linear_0/weight", b"layer_2/ffn/linear_0/weight"), "lacks"),
    ]:
        model.write_bytes(data)
        with pytest.raises(cs.CueScopeError, match=said):
            cs.load(str(folder))
    model.write_bytes(whole)
    (folder / "source.spm").unlink()
    (folder / "target.spm").unlink()
    with pytest.raises(cs.CueScopeError, match="no SentencePiece model"):
        cs.load(str(folder))
    package = tmp_path / "broken.argosmodel"
    package.write_bytes(b"PK\3\4 no zip at all")
    with pytest.raises(cs.CueScopeError, match="not a whole Argos package"):
        cs.load(str(package))


@pytest.mark.slow
def test_every_variable_is_needed_and_no_other_has_a_place(tiny_folder, tmp_path):
    """Each called otherwise: one is missing then, and one is foreign."""
    folder = convert(tiny_folder("marian", (1, 1)), tmp_path / "ct2", None)
    model = folder / "model.bin"
    whole = model.read_bytes()
    names = sorted(set(re.findall(rb"(?:en|de)coder/[\w/]+", whole)))
    assert len(names) > 50
    for name in names:
        model.write_bytes(whole.replace(name + b"\0", name[:-1] + b"~\0"))
        assert model.read_bytes() != whole, name
        with pytest.raises(cs.CueScopeError):
            cs.load(str(folder), check=False)


@pytest.mark.slow
def test_a_bias_that_was_lost_is_not_taken_for_none(tiny_folder, tmp_path, monkeypatch):
    folder = convert(tiny_folder("marian", (1, 1)), tmp_path / "ct2", None)
    every = ct2_file.read((folder / "model.bin").read_bytes(), "model.bin")
    whole = {name: every.take(name) for name in (*every.raw, *every.aliases)}
    biases = [name for name in whole if re.search(r"linear_\d/bias", name)]
    assert len(biases) == 11

    def opened(*lost):
        held = {name: value for name, value in whole.items() if name not in lost}
        made = ct2_file.Variables(every.specification, held, {})
        monkeypatch.setattr(ct2_file, "read", lambda *_: made)
        return cs.load(str(folder), check=False)

    assert opened().signature["weights"] == opened(*biases).signature["weights"], "zeros here"
    for name in biases:
        with pytest.raises(cs.CueScopeError, match="with a bias, and one without"):
            opened(name)


def test_argos_packages_are_read_without_unpacking(tiny_folder, tmp_path):
    """A package as Argos makes them, from a folder: one zip, one folder inside."""
    folder = convert(tiny_folder("marian"), tmp_path / "ct2", "int8")
    package = tmp_path / "en_pt.argosmodel"
    with zipfile.ZipFile(package, "w") as zipped:
        zipped.writestr(
            "translate-en_pt/metadata.json", json.dumps({"from_code": "en", "to_code": "pt"})
        )
        zipped.write(folder / "source.spm", "translate-en_pt/sentencepiece.model")
        for name in ("model.bin", "config.json", "shared_vocabulary.json"):
            zipped.write(folder / name, f"translate-en_pt/model/{name}")
    mt = cs.load(str(package))
    assert (mt.src, mt.tgt) == ("en", "pt")
    plain = cs.load(str(folder))
    text = tiny.SENTENCES[0]
    assert torch.equal(mt.logits([text], [text]), plain.logits([text], [text]))
    assert [p.name for p in tmp_path.iterdir() if p.is_dir()] == ["ct2"]
