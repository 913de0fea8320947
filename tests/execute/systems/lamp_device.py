"""A lamp that speaks a text protocol on standard input and output, on a port, or on a terminal; good or bad.

``press`` -> ``LAMP on``; ``set 5`` -> ``level=5 bright=true``; ``all`` -> ``LAMP on`` to every client;
``reset`` -> ``READY``; ``emit 3`` -> ``out 3``; ``bye`` ends the connection. The fault happens at every third press.
"""

import os
import select
import socket
import sys

FAULT = next((word for word in sys.argv if word.startswith("fault=")), "fault=").partition("=")[2]


class Lamp:
    def __init__(self) -> None:
        self.bright = False
        self.presses = 0

    def answer(self, line: bytes) -> list[bytes]:
        word, _, rest = line.decode().strip().partition(" ")
        if word in ("press", "all"):
            self.bright = not self.bright
            self.presses += 1
            if self.presses % 3 == 0 and FAULT:
                return self.misbehave()
            return [b"# pressed\n", b"LAMP on\n" if self.bright else b"LAMP off\n"]
        if word == "set":
            return [f"level={float(rest):g} bright={str(float(rest) > 10).lower()}\n".encode()]
        if word == "reset":
            self.bright = False
            return [b"READY\n"]
        if word == "emit":
            return [f"out {rest}\n".encode()]
        return [] if word == "quiet" else [b"what?\n"]

    def misbehave(self) -> list[bytes]:
        if FAULT == "die":
            os._exit(7)
        return {
            "hang": [],
            "nonsense": [b"\xff\xfe~~~\n"],
            "flood": [b"x" * (3 << 20)],
            "storm": [b"LAMP on\n" * 20_000],
            "extra": [b"LAMP on\nLAMP off\n"],
        }[FAULT]


def serve(port: int) -> None:
    lamp = Lamp()
    server = socket.create_server(("127.0.0.1", port))
    os.write(1, b"listening\n")
    clients: list[socket.socket] = []
    while True:
        for ready in select.select([server, *clients], [], [])[0]:
            if ready is server:
                clients.append(server.accept()[0])
                clients[-1].sendall(b"HELLO\n")
                continue
            data = ready.recv(1 << 16)
            lines = data.splitlines()
            if not data or b"bye" in lines:
                ready.close()
                clients.remove(ready)
                continue
            for line in lines:
                for text in lamp.answer(line):
                    for client in clients if line == b"all" else [ready]:
                        client.sendall(text)


def talk(source: int, sink: int) -> None:
    lamp = Lamp()
    buffer = b""
    while data := os.read(source, 1 << 16):
        buffer += data
        *lines, buffer = buffer.split(b"\n")
        for line in lines:
            for text in lamp.answer(line):
                os.write(sink, text)


if __name__ == "__main__":
    ports = [word for word in sys.argv[1:] if word.isdecimal()]
    if ports:
        serve(int(ports[0]))
    else:
        talk(0, 1)
