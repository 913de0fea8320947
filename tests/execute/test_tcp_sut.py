import socket
import threading
from contextlib import contextmanager

import pytest
from tests.execute.lamp import LAMP, outputs, run

from fullproof.core.errors import UserError
from fullproof.execute import Options
from fullproof.kinds.systems import open_sut

QUICK = Options(step_timeout=10)  # nothing here waits for its end


@contextmanager
def server(*conversations):
    """Accepts one client per conversation, in order; each is a function of a reader and a writer."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve():
            for conversation in conversations:
                try:
                    client, _ = listener.accept()
                    with client, client.makefile("r") as reader, client.makefile("w") as writer:
                        conversation(reader, writer)
                except OSError:
                    return

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"tcp:127.0.0.1:{listener.getsockname()[1]}"


def answering(*answers):
    def conversation(reader, writer):
        for _, answer in zip(reader, answers, strict=False):
            writer.write(answer + "\n")
            writer.flush()
        reader.read(1)  # wait for the other side

    return conversation


READY, ON, OFF = '{"ready": true}', '{"output": "on"}', '{"output": "off"}'


def test_a_server_answers():
    with server(answering(READY, ON, OFF, READY, ON)) as address:
        first, second = run(address, "pp", "p")
    assert outputs(first) == ["on", "off"]
    assert outputs(second) == ["on"]


def leaving(reader, writer):
    reader.readline()
    writer.write(READY + "\n")
    writer.flush()
    reader.readline()


def test_a_server_that_leaves_ends_the_test_and_the_next_connects_again():
    with server(leaving, answering(READY, ON)) as address:
        first, second = run(address, "pp", "p", options=QUICK)
    assert first.error.startswith("died: ")
    assert outputs(second) == ["on"]


def test_a_server_that_goes_away_for_good_is_an_error_of_every_later_test():
    with server(leaving) as address:
        sut = open_sut(address, LAMP, step_timeout=10)
    from tests.execute.lamp import word

    from fullproof.execute import execute

    first, *rest = execute(sut, [word("p")] * 3, options=QUICK)
    assert first.error is not None
    assert all("cannot connect to 127.0.0.1" in t.error for t in rest)


def test_a_silent_server_is_a_hang():
    with server(answering(READY), answering(READY, ON)) as address:
        first, second = run(address, "pp", "p", options=Options(step_timeout=1))
    assert first.error == "no answer within 1 s"
    assert outputs(second) == ["on"]


def test_a_flood_is_ended():
    def flooding(reader, writer):
        reader.readline()
        for _ in range(1000):
            writer.write("x" * 10_000)

    with server(flooding) as address:
        (trace,) = run(address, "p", options=Options(step_timeout=5))
    assert "unexpected output" in trace.error


@pytest.mark.parametrize(
    "spec", ["tcp:", "tcp:localhost", "tcp:localhost:", "tcp::80", "tcp:localhost:99999", "tcp:a:b"]
)
def test_addresses_are_checked(spec):
    with pytest.raises(UserError, match="expected HOST:PORT"):
        open_sut(spec, LAMP)


def test_a_refused_connection_is_the_users_error():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(UserError, match=f"cannot connect to 127.0.0.1:{port}: Connection refused"):
        open_sut(f"tcp:127.0.0.1:{port}", LAMP)
