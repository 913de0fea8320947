"""Servers that send what they like when they like: one deadline for all of an answer, and no half answer."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from tests.execute.lamp import LAMP, outputs, run

from fullproof.core.errors import UserError
from fullproof.execute import Options
from fullproof.kinds.systems import open_sut

LIMIT = 1.0
READY = b'HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n{"ready": true}'
ON = b'{"output": "on"}'
Answer = Callable[[socket.socket], None]


@contextmanager
def serving(answer: Answer) -> Iterator[str]:
    """Answers a reset in good order, and a step by ``answer``."""
    listening = socket.create_server(("127.0.0.1", 0))
    ended = threading.Event()

    def serve() -> None:
        while not ended.is_set():
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            threading.Thread(target=talk, args=(connection,), daemon=True).start()

    def talk(connection: socket.socket) -> None:
        with connection:
            try:
                while request := connection.recv(1 << 16):
                    if request.startswith(b"POST /reset"):
                        connection.sendall(READY)
                    else:
                        answer(connection)
            except OSError:
                return  # the tester has hung up

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        ended.set()
        listening.close()


def saying(*pieces: bytes, pause: float = 0.0, close: bool = False) -> Answer:
    def answer(connection: socket.socket) -> None:
        for piece in pieces:
            connection.sendall(piece)
            time.sleep(pause)
        if close:
            connection.shutdown(socket.SHUT_RDWR)

    return answer


def bytewise(text: bytes) -> list[bytes]:
    return [text[place : place + 1] for place in range(len(text))]


HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n"
SLOW = {
    "a head byte by byte": bytewise(HEAD + ON),
    "headers without end": [b"HTTP/1.1 200 OK\r\n", *[b"X-A: b\r\n"] * 40],
    "100 Continue for ever": [b"HTTP/1.1 100 Continue\r\n\r\n"] * 40,
    "a body byte by byte": [HEAD, *bytewise(ON)],
    "chunks without end": [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", *[b"1\r\n \r\n"] * 40],
    "trailers without end": [
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n" + ON + b"\r\n0\r\n",
        *[b"X-T: a\r\n"] * 40,
    ],
}


@pytest.mark.parametrize("case", SLOW)
def test_one_deadline_covers_every_byte_of_an_answer(case: str) -> None:
    with serving(saying(*SLOW[case], pause=0.1)) as url:
        (trace,) = run(url, "p", options=Options(step_timeout=LIMIT))
    assert trace.error == "no answer within 1 s", "each piece came in time, all of them did not"


FLOODS = {
    "100 Continue": b"HTTP/1.1 100 Continue\r\n\r\n" * 4000,
    "trailers": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + b"X-T: a\r\n" * 4000,
}


@pytest.mark.parametrize("case", FLOODS)
def test_a_flood_ends(case: str) -> None:
    def answer(connection: socket.socket) -> None:
        connection.sendall(FLOODS[case])
        while True:
            connection.sendall(FLOODS[case].rpartition(b"0\r\n")[2])

    with serving(answer) as url:
        (trace,) = run(url, "p", options=Options(step_timeout=5.0))
    assert trace.error is not None
    assert "unexpected output: an answer of more than" in trace.error or "no answer within" in trace.error


SHORT = {
    "fewer bytes than announced": b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n" + ON,
    "no last chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n" + ON + b"\r\n",
    "half a chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n20\r\n" + ON,
}


@pytest.mark.parametrize("case", SHORT)
def test_a_body_that_ends_too_early_is_an_error(case: str) -> None:
    with serving(saying(SHORT[case], close=True)) as url:
        (trace,) = run(url, "p", options=Options(step_timeout=5.0))
    assert trace.error is not None
    assert trace.error.endswith("the body is too short")


def test_answers_in_pieces_are_answers() -> None:
    chunked = (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n" + ON[:8] + b"\r\n8\r\n" + ON[8:] + b"\r\n0\r\n"
    )
    pieces = [b"HTTP/1.1 100 Continue\r\n\r\n", chunked, b"X-T: a\r\n\r\n"]
    with serving(saying(*pieces, pause=0.02)) as url:
        first, second = run(url, "pp", "p", options=Options(step_timeout=5.0))
    assert (first.error, outputs(first), outputs(second)) == (None, ["on", "on"], ["on"])


def refusal(status: int) -> bytes:
    return b"HTTP/1.1 %d No\r\nContent-Length: 16\r\n\r\n" % status + ON


@pytest.mark.parametrize("status", [400, 404, 500, 503])
def test_the_status_of_a_step_is_checked(status: int) -> None:
    with serving(saying(refusal(status))) as url:
        (trace,) = run(url, "p")
    assert trace.error == f'answered status {status} to an input, with \'{{"output": "on"}}\''


@pytest.mark.parametrize("said", ["accept: [409, 422]", "accept: any", "accept: 409", "output: status"])
def test_a_mapping_says_which_refusals_are_outputs(tmp_path: Path, said: str) -> None:
    with serving(saying(refusal(409))) as url:
        (tmp_path / "m.yaml").write_text(f"url: {url}\n{said}\n")
        (trace,) = run(f"http:{tmp_path / 'm.yaml'}", "p")
    assert (trace.error, outputs(trace)) == (None, ["409" if "status" in said else "on"])


def test_a_status_may_say_that_an_input_is_not_offered(tmp_path: Path) -> None:
    shy = replace(LAMP, outputs=(*LAMP.outputs, "none"), unavailable="none")
    with serving(saying(refusal(405))) as url:
        (tmp_path / "m.yaml").write_text(f"url: {url}\nunavailable: [404, 405]\n")
        sut = open_sut(f"http:{tmp_path / 'm.yaml'}", shy, step_timeout=5.0)
        sut.reset()
        assert sut.step("press") == "none"
        with pytest.raises(UserError, match="the model has no 'unavailable' symbol to report"):
            open_sut(f"http:{tmp_path / 'm.yaml'}", LAMP)


def test_a_mapping_that_accepts_nonsense_is_refused(tmp_path: Path) -> None:
    for said in ("[409, any]", "[42]", "[200]", "many"):
        (tmp_path / "m.yaml").write_text(f"url: http://127.0.0.1:9\naccept: {said}\n")
        with pytest.raises(UserError, match="is not a status from 400 to 599"):
            open_sut(f"http:{tmp_path / 'm.yaml'}", LAMP)


@pytest.mark.parametrize("host", ["a" * 70, "a..b", "x" * 300 + ".example", "a b"])
@pytest.mark.parametrize("scheme", ["tcp:{}:80", "http://{}:80/"])
def test_addresses_that_cannot_be_are_the_users_error(host: str, scheme: str) -> None:
    with pytest.raises(UserError, match=r"is not a name of a host|cannot connect"):
        open_sut(scheme.format(host), LAMP, step_timeout=2.0)
