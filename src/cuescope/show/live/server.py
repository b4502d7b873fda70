"""A live page for this machine alone: one address, one token, one question at a time.

Loopback only. A request must name this very host (another name that was pointed here is refused),
come from this page or from none, carry the token, and be short. The model is asked under one lock.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cached_property
from hmac import compare_digest
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_urlsafe
from threading import Lock
from time import perf_counter
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

from cuescope.errors import CueScopeError

HOST = "127.0.0.1"
LARGEST = 20_000  # bytes of a question
TOKEN = "X-Cuescope-Token"
Ask = Callable[[Any], dict[str, Any]]


class Refused(Exception):
    """A request that is not answered, with its status and a word."""

    def __init__(self, status: HTTPStatus, why: str) -> None:
        super().__init__(why)
        self.status = status


class Server(ThreadingHTTPServer):
    """Serves one page and answers its questions; `ask` is called by one thread at a time."""

    daemon_threads = True
    allow_reuse_address = False

    def __init__(self, page: str, ask: Ask, port: int = 0) -> None:
        self.page, self.ask, self.lock = page.encode(), ask, Lock()
        self.token = token_urlsafe(32)
        try:
            super().__init__((HOST, port), Handler)
        except (OSError, OverflowError) as error:
            raise CueScopeError(
                f"port {port} of {HOST} cannot be had",
                expected="a free port, or 0 for any",
                found=str(error),
                do="--port 0",
            ) from None

    @cached_property
    def hosts(self) -> tuple[str, ...]:
        """The names under which a browser on this machine asks."""
        return tuple(f"{name}:{self.server_port}" for name in (HOST, "localhost"))

    @property
    def url(self) -> str:
        """Where the page is, with its token."""
        return f"http://{HOST}:{self.server_port}/?token={self.token}"


class Handler(BaseHTTPRequestHandler):
    """GET / gives the page, POST /look an answer; all else is refused."""

    server: Server
    server_version, sys_version = "cuescope", ""
    timeout = 10  # seconds for a request to come in
    HEADERS: ClassVar = {
        "Cache-Control": "no-store",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Referrer-Policy": "no-referrer",  # the address holds the token
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
    }

    def do_GET(self) -> None:
        """The page."""
        self._answer(self._page)

    def do_POST(self) -> None:
        """A look at a sentence."""
        self._answer(self._look)

    def _page(self) -> tuple[bytes, str]:
        parts = urlsplit(self.path)
        if parts.path != "/":
            raise Refused(HTTPStatus.NOT_FOUND, "there is one page here: /")
        self._known(parse_qs(parts.query).get("token", [""])[0])
        return self.server.page, "text/html; charset=utf-8"

    def _look(self) -> tuple[bytes, str]:
        if self.path != "/look":
            raise Refused(HTTPStatus.NOT_FOUND, "questions go to /look")
        self._known(self.headers.get(TOKEN, ""))
        if self.headers.get_content_type() != "application/json":
            raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "questions are JSON")
        given = self._body()
        began = perf_counter()
        with self.server.lock:
            found = self.server.ask(given)
        found["milliseconds"] = round(1000 * (perf_counter() - began), 1)
        return json.dumps(found, ensure_ascii=False, allow_nan=False).encode(), "application/json"

    def _body(self) -> Any:
        size = self.headers.get("Content-Length", "")
        if not size.isdecimal() or "Transfer-Encoding" in self.headers:
            raise Refused(HTTPStatus.LENGTH_REQUIRED, "say the length of the question")
        if len(size) > 9 or int(size) > LARGEST:
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"at most {LARGEST:,} bytes")
        try:
            return json.loads(self.rfile.read(int(size)))
        except (ValueError, RecursionError):
            raise Refused(HTTPStatus.BAD_REQUEST, "not JSON") from None

    def _known(self, token: str) -> None:
        if not compare_digest(token.encode(), self.server.token.encode()):
            raise Refused(HTTPStatus.FORBIDDEN, "open the address that `cuescope serve` printed")

    def _own(self) -> None:
        """From this page, or typed by hand: no other site, and no other name for this host."""
        if self.headers.get_all("Host", []) not in ([host] for host in self.server.hosts):
            raise Refused(HTTPStatus.FORBIDDEN, "another host's name")
        origins = {f"http://{host}" for host in self.server.hosts}
        if not set(self.headers.get_all("Origin", [])) <= origins:
            raise Refused(HTTPStatus.FORBIDDEN, "another page's question")
        if self.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            raise Refused(HTTPStatus.FORBIDDEN, "another site's question")

    def _answer(self, make: Callable[[], tuple[bytes, str]]) -> None:
        try:
            self._own()
            body, kind = make()
            status = HTTPStatus.OK
        except Refused as refused:
            body, kind = json.dumps({"error": str(refused)}).encode(), "application/json"
            status = refused.status
        except CueScopeError as error:
            body, kind = json.dumps({"error": str(error)}).encode(), "application/json"
            status = HTTPStatus.UNPROCESSABLE_ENTITY
        if status != HTTPStatus.OK:
            self.close_connection = True  # what was not read is not taken for the next request
        self.send_response(status)
        for name, value in self.HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the address holds the token."""
