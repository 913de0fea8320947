"""Who may come in, and how much they may bring."""

import contextlib
import http.client
import json
import socket
import time

import pytest
from tests.serve.bench import Bench, model

TURNSTILE = """
machine: fsm
name: t
initial: a
states:
  a: [{when: x, then: y, to: b}]
  b: [{when: x, then: z, to: a}]
"""
QUESTION = json.dumps(model(TURNSTILE)).encode()
JSON = {"Content-Type": "application/json"}


def session(bench: Bench) -> dict[str, str]:
    """What a browser has after it opened the address: a cookie, and the token of the page."""
    welcome = bench.request("GET", "/?token=" + bench.token)
    assert welcome.status == 303 and welcome.headers["location"] == "/"
    cookie = welcome.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie
    assert bench.token not in cookie
    page = bench.request("GET", "/", headers={"Cookie": cookie.split(";")[0]})
    assert page.status == 200
    csrf = page.body.decode().split('name="csrf" content="')[1].split('"')[0]
    return {"Cookie": cookie.split(";")[0], "X-Fullproof-CSRF": csrf}


@pytest.mark.parametrize(
    "path",
    ["/", "/model", "/static/bench.js", "/api/models", "/api/openapi.json", "/?token=wrong", "/?" + "a=1&" * 100],
)
def test_nothing_without_the_secret(bench: Bench, path: str) -> None:
    assert bench.request("GET", path).status == 401
    assert bench.request("GET", path, headers={"Authorization": "Bearer x"}).status == 401
    assert bench.request("GET", path, headers={"Cookie": f"fullproof-{bench.port}=x"}).status == 401
    assert bench.request("GET", path, headers={"Cookie": "\xff=\xfe; ==;;"}).status == 401


def test_a_cookie_alone_does_nothing(bench: Bench) -> None:
    known = session(bench)
    allowed = bench.request("POST", "/api/check", QUESTION, {**JSON, **known})
    assert allowed.status == 200 and allowed.json["kind"] == "fsm"
    without = {"Cookie": known["Cookie"]}
    assert bench.request("POST", "/api/check", QUESTION, {**JSON, **without}).status == 403
    assert bench.request("DELETE", "/api/runs/x", headers=without).status == 403
    wrong = {**without, "X-Fullproof-CSRF": "x"}
    assert bench.request("POST", "/api/check", QUESTION, {**JSON, **wrong}).status == 403


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "localhost:1", "127.0.0.1.evil.example:80", ""])
def test_names_that_others_let_point_to_us(bench: Bench, host: str) -> None:
    known = {"Authorization": f"Bearer {bench.token}"}
    assert bench.request("GET", "/api/models", headers={**known, "Host": host}).status in (400, 421)
    assert bench.request("GET", "/api/models", headers={**known, "Host": f"localhost:{bench.port}"}).status == 200


def test_pages_of_other_origins(bench: Bench) -> None:
    known = session(bench)
    for origin in (
        "http://evil.example",
        "null",
        f"http://127.0.0.1:{bench.port + 1}",
        f"https://127.0.0.1:{bench.port}",
    ):
        assert bench.request("POST", "/api/check", QUESTION, {**JSON, **known, "Origin": origin}).status == 403
    assert bench.request("POST", "/api/check", QUESTION, {**JSON, **known, "Origin": bench.origin}).status == 200


def test_the_rules_are_on_every_answer(bench: Bench) -> None:
    for path in ("/", "/methods", "/static/workbench.css", "/api/models", "/nothing", "/api/nothing"):
        answer = bench.get(path)
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'self';") and "unsafe" not in policy and "http" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
    assert bench.request("GET", "/").headers["content-security-policy"] == policy


def test_only_this_machine_is_listened_to(bench: Bench) -> None:
    """A connection from another address of this machine is refused."""
    with socket.socket() as probe:
        probe.settimeout(2)
        assert probe.connect_ex(("127.0.0.2", bench.port)) != 0


def test_requests_are_limited_in_size(bench: Bench) -> None:
    large = json.dumps(model("x" * (5 << 20))).encode()
    known = {"Authorization": f"Bearer {bench.token}", **JSON}
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it was refused before it had been sent
        assert bench.request("POST", "/api/check", large, known).status == 413
    lying = {**known, "Content-Length": "99999999999"}
    assert bench.request("POST", "/api/check", QUESTION, lying).status == 413

    connection = http.client.HTTPConnection("127.0.0.1", bench.port, timeout=30)
    connection.putrequest("POST", "/api/check")
    for name, value in {**known, "Transfer-Encoding": "chunked"}.items():
        connection.putheader(name, value)
    connection.endheaders()
    piece = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    with contextlib.suppress(OSError):  # nobody reads on after the limit
        for _ in range(100):
            connection.send(piece)
    with contextlib.suppress(ConnectionResetError, http.client.RemoteDisconnected, BrokenPipeError):
        assert connection.getresponse().status == 413
    assert bench.ask("check", model(TURNSTILE)).status == 200


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'{"model": 3}',
        b'{"model": {"text": 3}}',
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"model": {"text": "x", "path": "/etc/passwd"}}',
    ],
    ids=range(9),
)
def test_what_is_no_question_is_refused(bench: Bench, body: bytes) -> None:
    answer = bench.request("POST", "/api/check", body, {"Authorization": f"Bearer {bench.token}", **JSON})
    assert answer.status in (400, 422)
    assert answer.json["message"]


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e%2fapp.py",
        "/runs/x/report.html",
        "/api/runs/../../etc/passwd",
        "/static/",
        "/%00",
        "/api/runs/%2e%2e/files/run.sqlite",
    ],
)
def test_no_path_leads_out(bench: Bench, path: str) -> None:
    assert bench.get(path).status in (400, 404)


def test_a_slow_client_keeps_nobody_waiting(bench: Bench) -> None:
    with socket.create_connection(("127.0.0.1", bench.port)) as slow:
        head = f"POST /api/check HTTP/1.1\r\nHost: 127.0.0.1:{bench.port}\r\nAuthorization: Bearer {bench.token}\r\n"
        slow.sendall(head.encode() + b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
        begin = time.monotonic()
        assert bench.ask("check", model(TURNSTILE)).status == 200
        assert time.monotonic() - begin < 60, "the slow one never ends"


def test_the_interface_describes_itself(bench: Bench) -> None:
    described = bench.get("/api/openapi.json").json
    assert described["openapi"].startswith("3.")
    wanted = {"check", "draw", "classes", "methods", "cost", "generate", "compare", "certify", "convert", "simulate"}
    assert {f"/api/{name}" for name in wanted | {"runs", "systems", "models"}} <= described["paths"].keys()
    for name in wanted:
        operation = described["paths"][f"/api/{name}"]["post"]
        assert operation["requestBody"] and "$ref" in json.dumps(operation["responses"]["200"])
    assert bench.get("/docs").status == bench.get("/redoc").status == 404
