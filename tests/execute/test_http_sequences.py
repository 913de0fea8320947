"""Sequences of requests, captured values, forms, classes of statuses and other resets, on a shop on this machine."""

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from fullproof.artefacts.suite import make_test
from fullproof.core.errors import UserError
from fullproof.execute import Options, execute
from fullproof.kinds.systems import open_sut
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition


class Shop(BaseHTTPRequestHandler):
    """``/login`` takes a form and gives a token; ``/carts`` makes a cart, which ``/pay/N`` pays once."""

    protocol_version = "HTTP/1.1"
    carts: dict[int, bool]
    last = 0

    def log_message(self, *_: object) -> None:
        """Be quiet."""

    def answer(self, status: int, body: object) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_POST(self) -> None:
        shop = type(self)
        data = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        if self.path == "/login":
            right = self.headers["Content-Type"] == "application/x-www-form-urlencoded"
            self.answer(200 if right else 415, {"token": f"t-{parse_qs(data).get('user', ['?'])[0]}"})
        elif self.headers.get("Authorization") != "Bearer t-ada & co":
            self.answer(401, {})
        elif self.path == "/carts":
            shop.last += 1
            shop.carts[shop.last] = False
            self.answer(201, {"cart": {"id": shop.last}})
        else:
            number = int(self.path.rpartition("/")[2] or 0)
            status = 404 if number not in shop.carts else 409 if shop.carts[number] else 202
            shop.carts[number] = True
            self.answer(status, {})

    def do_DELETE(self) -> None:
        type(self).carts.clear()
        self.answer(200, {})


@pytest.fixture
def shop() -> Iterator[str]:
    handler = type("FreshShop", (Shop,), {"carts": {}})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


MAPPING = """
url: {url}
headers: {{Authorization: 'Bearer {{token}}'}}
reset: [DELETE /carts, {{request: POST /login, form: {{user: ada & co}}, capture: {{token: json token}}}}]
inputs:
  buy: [{{request: POST /carts, capture: {{cart: json cart.id}}}}, 'POST /pay/{{cart}}']
  again: POST /pay/{{cart}}
  other: POST /pay/999
output: status
symbols: {{2xx: paid, 4xx: refused, '404': unknown}}
"""


def played(tmp_path: Path, mapping: str, *words: str) -> list[tuple[list[object], str | None]]:
    file = tmp_path / "m.yaml"
    file.write_text(mapping)
    symbols = dict.fromkeys(symbol for word in words for symbol in word.split())
    loops = tuple(FsmTransition("s", symbol, "paid", "s") for symbol in symbols)
    model = Fsm(name="s", initial="s", states=("s",), inputs=tuple(symbols), outputs=("paid",), transitions=loops)
    sut = open_sut(f"http:{file}", model, step_timeout=30)
    try:
        runs = list(execute(sut, [make_test(word.split()) for word in words], options=Options(step_timeout=30)))
    finally:
        sut.close()
    return [([step.output for step in run.steps], run.error) for run in runs]


def test_an_input_is_a_sequence_of_requests_with_captured_values(tmp_path: Path, shop: str) -> None:
    found = played(tmp_path, MAPPING.format(url=shop), "buy again other buy", "buy again other")
    assert found == [(["paid", "refused", "unknown", "paid"], None), (["paid", "refused", "unknown"], None)]


def test_a_request_that_fails_on_the_way_is_an_error(tmp_path: Path, shop: str) -> None:
    mapping = MAPPING.format(url=shop).replace("request: POST /carts", "request: POST /pay/7")
    (outputs, error), *_ = played(tmp_path, mapping, "buy again other")
    assert outputs == []
    assert error == "answered status 404 to POST /pay/7, with '{}'"


def test_a_reset_may_be_a_command_or_nothing(tmp_path: Path, shop: str) -> None:
    write = f"{sys.executable} -c \"open('ran', 'a').write('x')\""
    mapping = MAPPING.format(url=shop).replace(
        "reset: [", f"reset: [{{run: '{write.replace(chr(39), chr(39) * 2)}'}}, "
    )
    assert played(tmp_path, mapping, "buy again other", "buy")[1] == (["paid"], None)
    assert (tmp_path / "ran").read_text() == "xx"
    failing = MAPPING.format(url=shop).replace("reset: [", f"reset: [{{run: '{sys.executable} -c 1/0'}}, ")
    assert (played(tmp_path, failing, "buy again other")[0][1] or "").endswith("ended with status 1")
    none = MAPPING.format(url=shop).replace("reset: [", "reset: none\n# [")
    assert played(tmp_path, none, "other again buy")[0][0] == ["refused", "refused"]  # no token, and nothing was reset


def test_a_reset_may_be_refused_where_the_mapping_file_accepts_that(tmp_path: Path, shop: str) -> None:
    mapping = MAPPING.format(url=shop).replace("DELETE /carts", "POST /pay/5")
    assert played(tmp_path, mapping, "buy again other")[0][1] == "reset: answered status 401 to a reset"
    assert played(tmp_path, f"{mapping}accept: [401]\n", "buy again other")[0][1] is None


def test_a_request_has_headers_of_its_own_with_captured_values(tmp_path: Path, shop: str) -> None:
    stated = MAPPING.format(url=shop).replace("headers: {Authorization: 'Bearer {token}'}", "headers: {X-Shop: a}")
    carts = "{request: POST /carts, capture: {cart: json cart.id}"
    own = carts + ", headers: {authorization: 'Bearer {token}', X-Shop: null}"
    assert played(tmp_path, stated, "buy again other")[0][1] == "answered status 401 to POST /carts, with '{}'"
    assert played(tmp_path, stated.replace(carts, own), "buy again other") == [
        (["refused", "refused", "refused"], None)
    ]
    everywhere = MAPPING.format(url=shop)
    without = everywhere.replace(
        "again: POST /pay/{cart}", "again: {request: 'POST /pay/{cart}', headers: {Authorization: null}}"
    )
    assert without != everywhere
    assert played(tmp_path, without, "buy again other") == [(["paid", "refused", "unknown"], None)]
    other = everywhere.replace(
        "other: POST /pay/999", "other: {request: POST /login, body: {}, headers: {content-type: '{kind}'}}"
    )
    form = other.replace("capture: {token: json token}", "capture: {token: json token, kind: json token}")
    assert played(tmp_path, form, "other buy again")[0] == (["refused", "paid", "refused"], None)  # of another type


def test_a_captured_value_that_no_header_can_hold_is_an_error_that_does_not_show_it(tmp_path: Path, shop: str) -> None:
    mapping = MAPPING.format(url=shop).replace("user: ada & co", 'user: "ada\\r\\nX-Evil: 1"')
    (outputs, error), *_ = played(tmp_path, mapping, "buy again other")
    assert outputs == []
    assert error == "POST /carts cannot be sent: a header has characters that HTTP does not allow"


@pytest.mark.parametrize(
    ("headers", "message"),
    [("{'A B': x}", "'A B' cannot be the name of a header"), ('{A: "x\\ny"}', "a header has no line breaks")],
)
def test_headers_that_cannot_be_sent_are_refused_with_their_place(tmp_path: Path, headers: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        played(tmp_path, f"url: http://127.0.0.1:9\ninputs: {{a: {{request: GET /, headers: {headers}}}}}\n", "a")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("form: {user: ada & co}", "form: ada", "a form has keys with values"),
        ("form: {user: ada & co}", "form: {a: 1}, body: 1", "in the place of a body"),
        ("json cart.id", "jsn cart.id", "does not say what to read"),
        ("again: POST /pay", "again: POS /pay", "is not a request"),
        ("DELETE /carts, ", "{run: '\"x'}, ", "is not a command"),
        ("output: status", "output: status\naccept: [3xx]", "'3xx' is not a status from 400 to 599"),
    ],
)
def test_a_wrong_sequence_is_said_with_its_place(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(UserError) as error:
        played(tmp_path, MAPPING.format(url="http://127.0.0.1:1").replace(old, new), "buy again other")
    assert message in str(error.value)
    assert "m.yaml, line " in str(error.value)
