"""Real servers on a port of this machine, good and bad."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest
from tests.execute.lamp import LAMP, outputs, run
from tests.shared import REFERENCE

from fullproof.artefacts.suite import make_test
from fullproof.core.errors import UserError
from fullproof.execute import Enabled, Options, execute
from fullproof.formats import read_model
from fullproof.kinds.systems import open_sut

QUICK = Options(step_timeout=1)


class Lamp(BaseHTTPRequestHandler):
    """A lamp behind a REST interface, and behind our own protocol."""

    protocol_version = "HTTP/1.1"
    bright = False
    steps = 0
    fault = ""
    seen: ClassVar[list[tuple[str, str, object]]] = []
    ended: ClassVar[threading.Event] = threading.Event()

    def log_message(self, *_: object) -> None:
        """Be quiet."""

    def answer(self, body: object, status: int = 200) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("X-State", "bright" if type(self).bright else "dark")
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self) -> None:
        lamp = type(self)
        if self.path == "/actions":
            self.answer({"names": ["press", "look"] if lamp.bright else ["press"]})
        else:
            self.answer({"lamp": {"state": ["on" if lamp.bright else "off"]}})

    def do_POST(self) -> None:
        lamp = type(self)
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"null")
        lamp.seen.append((self.path, self.headers.get("Authorization", ""), body))
        lamp.steps += 1
        if lamp.steps % 4 == 0 and lamp.fault:
            if lamp.fault == "die":
                self.close_connection = True
                self.connection.close()
                return
            if lamp.fault == "hang":
                lamp.ended.wait(60)
            if lamp.fault == "nonsense":
                self.answer(b"<html>")
                return
            if lamp.fault == "flood":
                self.answer(b"x" * (2 << 20))
                return
        if self.path == "/reset":
            lamp.bright = False
            self.answer({"ready": True})
        elif self.path == "/level/20%2F3":
            self.answer({"y": body["x"]})
        else:
            if self.path == "/button" or (isinstance(body, dict) and body.get("input") == "press"):
                lamp.bright = not lamp.bright
            self.answer({"output": "on" if lamp.bright else "off"}, 201 if lamp.bright else 204 + 96)


@contextmanager
def serving(fault: str = "") -> Iterator[tuple[str, type[Lamp]]]:
    handler = type("Handler", (Lamp,), {"fault": fault, "seen": [], "ended": threading.Event()})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", handler
    finally:
        server.shutdown()
        server.server_close()


def test_a_server_of_our_protocol_needs_no_mapping():
    with serving() as (url, _):
        first, second = run(url, "ppl", "plp")
    assert outputs(first) == ["on", "off", "off"]
    assert outputs(second) == ["on", "on", "off"]
    assert first.error is second.error is None


def test_a_mapping_names_requests_and_where_the_output_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LAMP_TOKEN", "s3cret")
    with serving() as (url, lamp):
        (tmp_path / "lamp.yaml").write_text(
            f"url: {url}\nheaders: {{Authorization: 'Bearer ${{LAMP_TOKEN}}'}}\n"
            "inputs:\n  press: POST /button\n  look: GET /lamp\n"
            "step: POST /step\noutput: header X-State\nsymbols: {bright: 'on', dark: 'off'}\n"
            "enabled: {request: GET /actions, read: json names}\n"
        )
        options = Options(step_timeout=5.0, enabled=Enabled.REQUIRED)
        dark, bright = run(f"http:{tmp_path / 'lamp.yaml'}", "lp", "pl", options=options)
    assert outputs(dark) == []
    assert outputs(bright) == ["on", "on"]
    assert ("/button", "Bearer s3cret", None) in lamp.seen


@pytest.mark.parametrize(
    ("reading", "expected"),
    [("status", ["201", "300"]), ("json output", ["on", "off"]), ("text", ['{"output": "on"}', '{"output": "off"}'])],
)
def test_outputs_are_read_from_status_json_and_text(tmp_path: Path, reading: str, expected: list[str]):
    with serving() as (url, _):
        (tmp_path / "m.yaml").write_text(
            f"url: {url}\nstep: {{request: POST /step, body: {{input: '{{input}}'}}}}\noutput: {reading}\n"
        )
        (trace,) = run(f"http:{tmp_path / 'm.yaml'}", "pp")
    assert outputs(trace) == expected


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("die", "died: closed the connection without an answer"),
        ("hang", "no answer within 1 s"),
        ("nonsense", "answered '<html>' with status 200, expected JSON"),
        ("flood", "unexpected output: an answer of more than 1048576 bytes"),
    ],
)
def test_a_server_that_breaks_costs_one_test(fault: str, reason: str):
    with serving(fault) as (url, lamp):
        (broken,) = run(url, "plpl", options=QUICK)
        assert broken.error == reason
        assert outputs(broken) == ["on", "on"]
        lamp.fault = ""
        lamp.ended.set()
        (after,) = run(url, "pl", options=QUICK)
    assert after.error is None


def test_values_fill_paths_and_bodies(tmp_path: Path):
    model = read_model(REFERENCE / "brake" / "brake.yaml")
    with serving() as (url, _):
        (tmp_path / "m.yaml").write_text(
            f"url: {url}\nstep: {{request: 'POST /level/{{x}}', body: {{x: '{{x}}'}}}}\noutput: json y\n"
        )
        sut = open_sut(f"http:{tmp_path / 'm.yaml'}", model, step_timeout=5)
        (trace,) = execute(sut, [make_test([{"x": Fraction(20, 3)}])])
        sut.close()
    assert trace.error is None
    assert outputs(trace) == [{"y": Fraction(20, 3)}]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("reset: POST /r", "expected a key 'url'"),
        ("url: http://h\ninputs: {pres: POST /p}", "'pres' is not an input of the model"),
        ("url: http://h\nstep: FETCH /p", "is not a request, expected one such as 'POST /step'"),
        ("url: http://h\noutput: body", "expected status, text, json PATH or header NAME"),
        ("url: http://h\nheaders: {A: '${NO_SUCH_VARIABLE}'}", "the environment has no variable NO_SUCH_VARIABLE"),
        ("url: ftp://h", "expected http://HOST:PORT"),
        ("url: http://h\nfoo: 1", "unknown key 'foo'"),
    ],
)
def test_a_bad_mapping_is_one_clear_line(tmp_path: Path, text: str, complaint: str):
    (tmp_path / "m.yaml").write_text(text + "\n")
    with pytest.raises(UserError) as error:
        open_sut(f"http:{tmp_path / 'm.yaml'}", LAMP)
    assert complaint in str(error.value)


def test_nobody_at_home_is_one_line():
    with pytest.raises(UserError, match=r"cannot connect to 127\.0\.0\.1:9"):
        open_sut("http://user:pw@127.0.0.1:9/", LAMP)
