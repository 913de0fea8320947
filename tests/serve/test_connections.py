"""Requests that do not arrive take no place from those that do, and the secret is in no argument list."""

import contextlib
import os
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from tests.serve.bench import Bench

from fullproof.serve.connections import _MOST
from fullproof.serve.doorway import doorway, page_to


def connected(bench: Bench) -> socket.socket:
    return socket.create_connection(("127.0.0.1", bench.port), timeout=30)


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: "])
def test_half_sent_requests_cannot_lock_it(bench: Bench, sent: bytes) -> None:
    with contextlib.ExitStack() as stack:
        held = []
        for _ in range(_MOST + 50):
            connection = stack.enter_context(connected(bench))
            connection.sendall(sent)
            held.append(connection)
        assert bench.get("/api/models").status == 200
        held[0].settimeout(60)
        with contextlib.suppress(ConnectionResetError):
            assert held[0].recv(1) == b"", "the oldest has made room"


def test_who_may_not_come_in_does_not_keep_a_place(bench: Bench) -> None:
    with connected(bench) as connection:
        connection.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{bench.port}\r\n\r\n".encode())
        answer = b""
        while piece := connection.recv(1 << 16):
            answer += piece
    assert answer.startswith(b"HTTP/1.1 401")
    assert b"connection: close" in answer.lower()


def test_a_page_leads_to_the_workbench_and_only_we_can_read_it() -> None:
    with doorway() as folder:
        address = "http://127.0.0.1:8600/?token=a&b"
        named = page_to(address, folder)
        page = Path(unquote(urlsplit(named).path))
        assert "token" not in named
        assert 'content="0; url=http://127.0.0.1:8600/?token=a&amp;b"' in page.read_text()
        assert stat.S_IMODE(page.stat().st_mode) == 0o600
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not folder.exists()


def test_no_argument_list_has_the_token(tmp_path: Path) -> None:
    """The browser is a script that writes down its arguments, and opens what it was given."""
    browser = tmp_path / "browser"
    browser.write_text(
        f'#!/bin/sh\nprintf "%s\\n" "$@" > {tmp_path}/arguments.new\nmv {tmp_path}/arguments.new {tmp_path}/arguments\n'
    )
    browser.chmod(0o755)
    environment = os.environ | {"BROWSER": f"{browser} %s"}
    command = [sys.executable, "-m", "fullproof", "serve", "--port", "0", "--quiet"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        token = address.partition("token=")[2]
        assert token
        deadline = time.monotonic() + 60
        while not (tmp_path / "arguments").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        (given,) = (tmp_path / "arguments").read_text().splitlines()
        assert token not in given
        page = Path(unquote(urlsplit(given).path))
        assert address.replace("&", "&amp;") in page.read_text()
        for listed in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                assert token.encode() not in listed.read_bytes()
    finally:
        process.terminate()
        process.wait(30)
    assert not page.exists()
