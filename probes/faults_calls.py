"""Refuse every call on files of whole commands, one after the other: what do they end in?

A library before libc counts the calls of a command on the files under its folder (open, read,
write, fsync, rename, mkdir, chmod, unlink, whoever makes them) and refuses the one of a number, in
turn for want of room and for a fault. The command must end in exit code 2 and one sentence, or have
done all the same what it does undisturbed; and, given again, it must come to the same files.

    python probes/faults_calls.py [--only score,…] [--share K]
"""

from __future__ import annotations

import argparse
import errno
import gzip
import json
import os
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from cuescope.errors import in_words
from faulty_calls import COMPILER, again_with_it, ended

ERRORS = (errno.ENOSPC, errno.EIO)


class Command(NamedTuple):
    """A command: its words, the folder whose calls are refused, what is laid there before."""

    name: str
    words: tuple[str, ...]
    folder: Path
    kept: Callable[[], dict[str, Any]]  # what it leaves, undisturbed
    again: Callable[[], None]  # as it was before


def run(words: tuple[str, ...]) -> None:
    """The command's own `main`."""
    from cuescope.commands.cli import main

    sys.argv = ["cuescope", *words]
    main()


def files_in(*folders: Path) -> dict[str, bytes]:
    """Every file but locks."""
    every = [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]
    kept = [path for path in every if ".new-" not in str(path) and path.name != ".lock"]
    return {str(path): path.read_bytes() for path in kept}


def emptied(*folders: Path) -> Callable[[], None]:
    """Take away what a command writes."""

    def again() -> None:
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)

    return again


def score(place: Path) -> Command:
    """`score --json --table`: reads a set and translations, writes two files."""
    from readers_findings import SAID, SET

    place.mkdir()
    (place / "mine.tsv").write_text(SET)
    (place / "one.it").write_text(SAID["one.it"])
    words = ("score", "--data", f"{place}/mine.tsv", "--lang", "it", "--translations")
    words += (f"{place}/one.it", "--json", f"{place}/out/a.json", "--table", f"{place}/out/a.csv")
    return Command("score", words, place, lambda: files_in(place / "out"), emptied(place / "out"))


def exported(place: Path, kind: str) -> Command:
    """`mend export` of a Firefox or a Hugging Face model."""
    import cuescope as cs
    import tiny
    import tiny_firefox
    from test_mend import tuned

    place.mkdir()
    if kind == "firefox":
        mt = cs.load(str(tiny_firefox.folder(place / "m")), src="en", tgt="pt", check=False)
    else:
        (place / "m").mkdir()
        mt = cs.load(str(tiny.marian(place / "m", (1, 1))), src="en", tgt="pt", check=False)
    tuned(mt, {"encoder": [(0, 1)]}).save(place / "a.mend")
    words = ("mend", "export", f"{place}/a.mend", "--to", f"{place}/out/mended")
    words += ("--src", "en", "--tgt", "pt")
    left = emptied(place / "out")
    return Command(f"mend export {kind}", words, place, lambda: files_in(place / "out"), left)


def got(place: Path, kind: str, server: Any) -> Command:
    """`models get` from Mozilla's storage, or from an archive."""
    from cuescope.models import catalog, sources
    from test_fetch import sha256

    os.environ |= {"CUESCOPE_CACHE": str(place), "CUESCOPE_OFFLINE": "0"}
    os.environ["no_proxy"] = "127.0.0.1"
    if kind == "mozilla":
        _mozilla(server, sources, sha256)
        name = "firefox:en-es"
    else:
        name = _archive(server, catalog, sources, sha256)
    words = ("models", "get", name)
    kept = lambda: files_in(place / "models")  # noqa: E731
    return Command(f"models get {kind}", words, place, kept, emptied(place))


def _mozilla(server: Any, sources: Any, sha256: Any) -> None:
    sources.MOZILLA = f"{server.url}/v1/"
    base = {"capabilities": {"attachments": {"base_url": f"{server.url}/cdn/"}}}
    server.files["/v1/"] = json.dumps(base).encode()
    records = []
    told = {
        "model": ("model.enes.bin", bytes(300_000)),
        "vocab": ("vocab.enes.spm.gz", gzip.compress(b"pieces" * 1000)),
    }
    for file_type, (filename, data) in told.items():
        server.files[f"/cdn/{filename}"] = data
        attachment = {"filename": filename, "location": filename, "hash": sha256(data)}
        facts = {"fromLang": "en", "toLang": "es", "version": "1.0", "attachment": attachment}
        records.append({**facts, "fileType": file_type})
    server.files["/v1/" + sources._RECORDS] = json.dumps({"data": records}).encode()


def _archive(server: Any, catalog: Any, sources: Any, sha256: Any) -> str:
    import io
    import zipfile

    inside = {"model.bin": bytes(200_000), "vocab.spm": b"pieces" * 99}
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as zipped:
        for name, data in inside.items():
            zipped.writestr(f"x/{name}", data)
    server.files["/a.whl"] = made.getvalue()
    archive = sources.Archive("a", "1", True, sha256(made.getvalue()))
    told = {name: (f"x/{name}", sha256(data)) for name, data in inside.items()}
    catalog.CATALOG["firefox:en-zz"] = catalog.Entry("firefox:en-zz", "", archive, told)
    sources.archive_link = lambda _: f"{server.url}/a.whl"
    return "firefox:en-zz"


def investigated(place: Path, stack: ExitStack) -> Command:
    """`investigate` on a model that remembers what it computed."""
    from faulty_command import ASKED, ONLY, command, learnt, left, prepared
    from small_run import model

    place.mkdir()
    mt = model(place / "model")
    data = learnt(place)
    stack.enter_context(prepared(mt))
    done = command(mt, place / "first")  # so that it remembers
    assert done.returncode == 0, done.stderr
    words = ("investigate", mt.name, "--out", f"{place}/run", "--data", str(data), *ASKED, *ONLY)
    return Command(
        "investigate", words, place / "run", lambda: left(place / "run"), emptied(place / "run")
    )


def wrong_with(code: int, said: str) -> str:
    """What is wrong with how a refused command ended; empty if nothing is."""
    sentences = [line for line in said.splitlines() if line.startswith("cuescope: ")]
    if code != 2 or len(sentences) != 1 or "Traceback" in said or "Exception ignored" in said:
        return f"code {code}: {said[-400:]}"
    return ""


def tried(command: Command, share: int) -> Counter[str]:
    """All schedules of one command."""
    found: Counter[str] = Counter()
    command.again()
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()), suppress(SystemExit):
        run(command.words)  # here, so that no child imports what it needs
    command.again()
    calls = ended(lambda: run(command.words), command.folder)
    assert calls.code == 0, calls.said
    truth = command.kept()
    for at in range(0, len(calls.calls), share):
        command.again()
        error = ERRORS[at % 2]
        done = ended(lambda: run(command.words), command.folder, at, error)
        found["calls"] += 1
        wrong = ""
        if done.code == 0:  # it found another way: then all is there
            found["another way"] += 1
            print(f"  {command.name}, {calls.calls[at]} ({at}): done another way", flush=True)
            wrong = "" if command.kept() == truth else "code 0, and not all is there"
        else:
            wrong = wrong_with(done.code, done.said)
        if done.code and not wrong:
            once_more = ended(lambda: run(command.words), command.folder)
            if once_more.code:
                wrong = f"given again: code {once_more.code}: {once_more.said[-300:]}"
            elif command.kept() != truth:
                wrong = "given again: other files"
        if wrong:
            found["faults"] += 1
            print(f"  {command.name}, {calls.calls[at]} ({at}): {wrong}", flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="as score,mend export firefox")
    parser.add_argument("--share", type=int, default=1, help="one call in K")
    asked = parser.parse_args()
    if not COMPILER:
        sys.exit("no C compiler: nothing was tried")
    scratch = Path(os.environ.setdefault("FAULTY", tempfile.mkdtemp()))
    again_with_it(scratch)
    import torch

    from test_fetch import Server

    torch.set_num_threads(1)
    server = Server()
    threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
    faults = 0
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, scratch)
        made = {
            "score": lambda: score(scratch / "score"),
            "mend export firefox": lambda: exported(scratch / "firefox", "firefox"),
            "mend export marian": lambda: exported(scratch / "marian", "marian"),
            "models get mozilla": lambda: got(scratch / "mozilla", "mozilla", server),
            "models get archive": lambda: got(scratch / "archive", "archive", server),
            "investigate": lambda: investigated(scratch / "investigate", stack),
        }
        for name in asked.only.split(",") if asked.only else made:
            found = tried(made[name](), asked.share)
            faults += found["faults"]
            print(
                f"{name}: {found['calls'] - found['faults']} of {found['calls']} calls refused end "
                f"well ({found['another way']} were done another way), "
                f"{time.process_time() + sum(os.times()[2:4]):.0f} s CPU so far",
                flush=True,
            )
    sys.exit(bool(faults))


if __name__ == "__main__":
    in_words(main)
