"""The live page: who is refused, what a look is, and that an edit ends with its own look."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

import cuescope as cs
from cuescope.show.live.look import LONGEST, Asked, look
from cuescope.show.live.page import serving
from cuescope.show.live.server import HOST, LARGEST, TOKEN, Server

TEXT = "The mechanic called because she was late."


class Sever:
    """A server whose questions are counted, and never two at a time."""

    def __init__(self) -> None:
        self.asked, self.inside, self.most = 0, 0, 0
        self.server = Server("<p>page</p>", self.ask)
        threading.Thread(target=self.server.serve_forever, args=[0.01], daemon=True).start()

    def ask(self, given: Any) -> dict[str, Any]:
        self.asked, self.inside = self.asked + 1, self.inside + 1
        self.most = max(self.most, self.inside)
        threading.Event().wait(0.01)
        self.inside -= 1
        if given == "wrong":
            raise cs.CueScopeError("not so", expected="this", found="that")
        return {"seen": given}

    def __call__(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, str]:
        """`Host` and token are right unless they are given; an empty one is left out."""
        port = self.server.server_port
        own = {"Host": f"{HOST}:{port}", TOKEN: self.server.token}
        if body is not None:
            own |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
        own |= {name.replace("_", "-"): value for name, value in headers.items()}
        wire = http.client.HTTPConnection(HOST, port, timeout=10)
        wire.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in own.items():
            if value:
                wire.putheader(name, value)
        wire.endheaders(body)
        answer = wire.getresponse()
        told = answer.status, answer.read().decode()
        wire.close()
        return told


@pytest.fixture
def live() -> Iterator[Sever]:
    made = Sever()
    yield made
    made.server.shutdown()
    made.server.server_close()


def test_the_page_and_an_answer(live: Sever) -> None:
    assert live("GET", f"/?token={live.server.token}") == (200, "<p>page</p>")
    status, told = live("POST", "/look", b'{"text": "a"}')
    assert status == 200
    assert json.loads(told)["seen"] == {"text": "a"}
    local = f"localhost:{live.server.server_port}"
    assert live("POST", "/look", b"1", Host=local, Origin=f"http://{local}")[0] == 200


def test_only_this_machine(live: Sever) -> None:
    assert live.server.socket.getsockname()[0] == "127.0.0.1"
    assert live.server.url.startswith("http://127.0.0.1:")
    assert len(live.server.token) >= 40


REFUSED: dict[str, dict[str, str]] = {
    "no token": {"X-Cuescope-Token": ""},
    "another token": {"X-Cuescope-Token": "x" * 43},
    "a token that is no ASCII": {"X-Cuescope-Token": "é"},
    "another origin": {"Origin": "http://evil.example"},
    "this origin over https": {"Origin": "https://127.0.0.1"},
    "no origin of a sandboxed page": {"Origin": "null"},
    "another host, pointed here": {"Host": "evil.example"},
    "another host with this port": {"Host": "evil.example:{port}"},
    "this host, another port": {"Host": "127.0.0.1:1"},
    "no host": {"Host": ""},
    "another site, as browsers tell": {"Sec-Fetch-Site": "cross-site"},
    "a neighbour site": {"Sec-Fetch-Site": "same-site"},
}


@pytest.mark.parametrize("why", REFUSED)
def test_refused(live: Sever, why: str) -> None:
    port = str(live.server.server_port)
    headers = {name: value.replace("{port}", port) for name, value in REFUSED[why].items()}
    status, told = live("POST", "/look", b"{}", **headers)
    assert status in (400, 403)
    assert "seen" not in told
    assert live.asked == 0
    if "Token" not in "".join(headers):
        assert live("GET", f"/?token={live.server.token}", **headers)[0] in (400, 403)


def test_the_page_needs_the_token(live: Sever) -> None:
    for path in ("/", "/?token=", "/?token=x", f"/?token={live.server.token[:-1]}"):
        status, told = live("GET", path)
        assert status == 403
        assert "<p>" not in told
    assert live("GET", f"/other?token={live.server.token}")[0] == 404
    assert live("GET", "/../etc/passwd")[0] == 404


def test_what_is_over_long_or_no_question_is_refused(live: Sever) -> None:
    assert live("POST", "/look", b" " * (LARGEST + 1))[0] == 413
    assert live("POST", "/look", b"{}", Content_Length="99999999999999999999")[0] == 413
    assert live("POST", "/look", b"{}", Content_Length="-1")[0] == 411
    assert live("POST", "/look", b"2\r\n{}\r\n0\r\n\r\n", Transfer_Encoding="chunked")[0] == 411
    assert live("POST", "/look", b"{}", Content_Type="text/plain")[0] == 415
    assert live("POST", "/look", b"{no")[0] == 400
    assert live("POST", "/look", b"[" * 19_000)[0] == 400
    assert live("POST", "/elsewhere", b"{}")[0] == 404
    for method in ("PUT", "DELETE", "OPTIONS", "TRACE"):
        assert live(method, "/look", b"{}")[0] == 501
    assert live("GET", "/?token=" + "x" * 70_000)[0] in (403, 414)
    assert live.asked == 0


def test_an_error_is_for_people(live: Sever) -> None:
    status, told = live("POST", "/look", b'"wrong"')
    assert status == 422
    assert json.loads(told)["error"] == "not so\n  expected: this\n  found:    that"


def test_one_question_at_a_time(live: Sever) -> None:
    threads = [threading.Thread(target=live, args=("POST", "/look", b"{}")) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (live.asked, live.most) == (8, 1)


def test_a_taken_port_is_said(live: Sever) -> None:
    with pytest.raises(cs.CueScopeError, match="cannot be had"):
        Server("", live.ask, live.server.server_port)


def test_a_half_request_does_not_stop_the_others(live: Sever) -> None:
    with socket.create_connection((HOST, live.server.server_port)) as half:
        half.sendall(b"POST /look HTTP/1.1\r\nHost:")
        assert live("POST", "/look", b"{}")[0] == 200


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ([], "not a question"),
        ({"text": TEXT, "code": "1"}, "not a question"),
        ({"text": 3}, "not a question"),
        ({"text": "  "}, "no sentence"),
        ({"text": "a" * (LONGEST + 1)}, "too long"),
        ({"text": TEXT, "heads": [["encoder", 2]]}, "not a head"),
        ({"text": TEXT, "heads": [["encoder", 2, 1, 1e9]]}, "no such factor"),
        ({"text": TEXT, "heads": [["encoder", 2, 1, float("nan")]]}, "no such factor"),
    ],
)
def test_questions_are_checked(given: Any, why: str) -> None:
    with pytest.raises(cs.CueScopeError, match=why):
        Asked.of(given)


@pytest.mark.slow
@pytest.mark.model
def test_a_look_is_what_the_model_does(firefox: cs.Translator) -> None:
    """Translation, choice and grids against the verbs; an edit is there in its look alone."""
    mt = cs.Translator.of(firefox)
    plain = look(mt, Asked(TEXT))
    assert plain["translation"] == mt.translate(TEXT)[0]
    assert plain["versions"]["he"] == TEXT.replace("she", "he")
    heads = {("encoder", 2, 1): 4.0, ("encoder", 0, 7): 4.0, ("cross", 0, 0): 0.0}
    edited = look(mt, Asked(TEXT, heads=heads))
    with mt.scale(4.0, encoder=[(2, 1), (0, 7)]), mt.scale(0.0, cross=[(0, 0)]):
        assert edited["translation"] == mt.translate(TEXT)[0]
    assert edited["feminine"] != plain["feminine"]
    assert edited["before"] == {k: plain[k] for k in ("translation", "feminine")}
    assert look(mt, Asked(TEXT)) == plain
    with pytest.raises(cs.CueScopeError):
        look(mt, Asked(TEXT, heads={("encoder", 99, 0): 2.0}))
    assert look(mt, Asked(TEXT)) == plain
    maps, found = mt.maps(TEXT)["encoder"], plain["heads"]["cue after"]["encoder"]
    sentence = mt.tokenise(TEXT)
    noun, cue = sentence.find("mechanic"), sentence.find("she")
    by_hand = float(maps.weights[4, 3][list(noun)][:, list(cue)].sum(-1).mean())
    assert found["attention"]["all"]["scores"][4][3] == pytest.approx(by_hand, abs=0.004)


@pytest.mark.model
def test_what_is_not_known_is_said(firefox: cs.Translator) -> None:
    mt = cs.Translator.of(firefox)
    found = look(mt, Asked("The teenager slept.", noun="teenager"))
    assert found["versions"] == {}
    assert found["feminine"] is not None or found["why"]
    with pytest.raises(cs.CueScopeError, match="whose gender"):
        look(mt, Asked("The cook met the nurse before she left."))


def test_a_page_of_a_tiny_model(tiny_model: Any) -> None:
    """A decoder with self-attention: all sites are there, and the policy lets it ask only here."""
    mt = tiny_model("marian")
    with serving(mt, lang="pt") as server:
        assert (
            b"connect-src &#x27;self&#x27;" in server.page or b"connect-src 'self'" in server.page
        )
    explored = cs.explore(mt, TEXT, lang="pt")
    data = json.loads(explored.html.split('type="application/json">')[1].split("</script>")[0])
    assert set(data["maps"]["heads"]) == {"encoder", "decoder", "cross"}
    assert all(len(h) == 8 for h in data["maps"]["heads"].values())
    assert "connect-src 'none'" in explored.html
