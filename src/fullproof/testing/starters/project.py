"""The files of a project: for a kind of models and a way to reach the system."""

from __future__ import annotations

import re
from string import Template

from fullproof.core.errors import UserError
from fullproof.core.suggest import did_you_mean
from fullproof.testing.starters.models import C_STEPS, C_SYSTEMS, MODELS, SYSTEMS

KINDS = {
    "fsm": "inputs and outputs are names, as of a vending machine or a protocol",
    "sfsm": "inputs and outputs are values, as of a controller",
    "statemachine": "signals with attributes, as of SysML or SCXML",
    "sts": "outputs come at any time, as of a network service",
}
WAYS = {
    "python": "a class of Python",
    "exec": "a process that reads and writes JSON Lines",
    "tcp": "a server that speaks JSON Lines",
    "http": "a server that speaks HTTP",
    "c": "functions of a shared library",
}
_REACTIVE = frozenset({"sts"})


def ways_for(kind: str) -> tuple[str, ...]:
    """How systems of a kind can be reached by what is written here."""
    if kind in _REACTIVE:
        return ("python", "exec", "tcp")
    return tuple(way for way in WAYS if way != "c" or kind in C_SYSTEMS)


def project_files(name: str, kind: str, way: str) -> dict[str, str]:
    """File names and texts; a UserError for what there is not."""
    if kind not in KINDS:
        raise UserError(f"unknown kind {kind!r}{did_you_mean(kind, KINDS)}")
    if way not in WAYS:
        raise UserError(f"unknown way {way!r} to reach a system{did_you_mean(way, WAYS)}")
    if way not in ways_for(kind):
        raise UserError(f"there is no start for {kind} by {way}: use {', '.join(ways_for(kind))}")
    identifier = "".join(letter if f"_{letter}".isidentifier() else "_" for letter in name)
    texts = {"name": _as_yaml(name), "identifier": identifier, "takes": "symbol" if kind == "fsm" else "values"}
    test, reactive = _TESTS[way], kind in _REACTIVE
    if reactive:
        test = _REACTIVE_TEST if way == "python" else test.replace("extra_states=1", "steps=300")
    files = {"model.yaml": MODELS[kind], f"test_{identifier}.py": test}
    if way == "c":
        files |= {"system.c": C_SYSTEMS[kind], "mapping.yaml": _MAPPING.replace("$step", C_STEPS[kind])}
    else:
        files["system.py"] = SYSTEMS[kind]
    if way in _SERVERS:
        files["serve.py"] = _REACTIVE_SERVERS[way] if reactive else _SERVERS[way]
    return {file: Template(text).safe_substitute(texts) for file, text in files.items()}


def _as_yaml(name: str) -> str:
    """The name as it is where YAML takes it for a text, else in quotes: a folder may be called ``a: b`` or ``#1``."""
    plain = re.fullmatch(r"[^\W\d]([\w. $-]*[\w$])?", name)
    return name if plain else "'" + name.replace("'", "''") + "'"


_MAPPING = """\
library: ./system.so
reset: void system_reset(void)
step: $step
"""

_REACTIVE_TEST = '''\
"""Run with: pytest"""

from pathlib import Path

import fullproof

HERE = Path(__file__).parent


def test_$identifier():
    result = fullproof.run(str(HERE / "model.yaml"), f"python:{HERE / 'system.py'}:System", steps=300)
    assert result, result.explanation()
'''

_PYTHON_TEST = '''\
"""Run with: pytest"""

from pathlib import Path

import fullproof

HERE = Path(__file__).parent
SYSTEM = f"python:{HERE / 'system.py'}:System"

test_$identifier = fullproof.suite(str(HERE / "model.yaml"), sut=SYSTEM, extra_states=1)
'''

_EXEC_TEST = '''\
"""Run with: pytest"""

import shlex
import sys
from pathlib import Path

import fullproof

HERE = Path(__file__).parent
COMMAND = shlex.join([sys.executable, str(HERE / "serve.py")])


def test_$identifier():
    result = fullproof.run(str(HERE / "model.yaml"), f"exec:{COMMAND}", extra_states=1)
    assert result, result.explanation()
'''

_SERVER_TEST = '''\
"""Run with: pytest"""

import subprocess
import sys
from pathlib import Path

import pytest

import fullproof

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def address():
    server = subprocess.Popen([sys.executable, HERE / "serve.py"], stdout=subprocess.PIPE, text=True)
    yield server.stdout.readline().strip()
    server.kill()
    server.wait()


def test_$identifier(address):
    result = fullproof.run(str(HERE / "model.yaml"), address, extra_states=1)
    assert result, result.explanation()
'''

_C_TEST = '''\
"""Run with: pytest"""

import subprocess
from pathlib import Path

import fullproof

HERE = Path(__file__).parent


def test_$identifier():
    subprocess.run(["cc", "-O2", "-Wall", "-shared", "-fPIC", "-o", "system.so", "system.c"], cwd=HERE, check=True)
    result = fullproof.run(str(HERE / "model.yaml"), f"lib:{HERE / 'mapping.yaml'}", extra_states=1)
    assert result, result.explanation()
'''
_TESTS = {"python": _PYTHON_TEST, "exec": _EXEC_TEST, "tcp": _SERVER_TEST, "http": _SERVER_TEST, "c": _C_TEST}

_ANSWER = '''

def answer(system, message):
    """One message in, one out; the inputs of a model with values are given by their names."""
    if "reset" in message:
        system.reset()
        return {"ready": True}
    given = message["input"]
    return {"output": system.step(**given) if isinstance(given, dict) else system.step(given)}

'''
_SERVERS = {
    "exec": '''\
"""Speaks JSON Lines on standard input and output for the system."""

import json
import sys

from system import System
'''
    + _ANSWER
    + """
system = System()
for line in sys.stdin:
    print(json.dumps(answer(system, json.loads(line))), flush=True)
""",
    "tcp": '''\
"""Speaks JSON Lines over TCP for the system; prints its address, as --sut takes it."""

import json
import socketserver

from system import System
'''
    + _ANSWER
    + """
class Handler(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True

    def handle(self):
        system = System()
        for line in self.rfile:
            self.wfile.write(json.dumps(answer(system, json.loads(line))).encode() + b"\\n")


with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
    server.daemon_threads = True
    print(f"tcp:127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()
""",
    "http": '''\
"""Speaks HTTP for the system, POST /reset and POST /step; prints its address, as --sut takes it."""

import json
from http.server import BaseHTTPRequestHandler, HTTPServer

from system import System
'''
    + _ANSWER
    + """
class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # an answer goes out in one piece
    system = System()

    def do_POST(self):
        text = self.rfile.read(int(self.headers["Content-Length"] or 0))
        message = {"reset": True} if self.path == "/reset" else json.loads(text)
        body = json.dumps(answer(self.system, message)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


server = HTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
server.serve_forever()
""",
}

_TALK = '''

def talk(system, lines, write):
    """Pass inputs on, and outputs as soon as there are any; a system of yours may write at any time."""
    for line in lines:
        message = json.loads(line)
        if "reset" in message:
            system.reset()
            write({"ready": True})
        else:
            gate, values = message["send"]
            system.send(gate, *values)
        while (found := system.receive(0)) is not None:
            write({"emit": [found[0], list(found[1])]})

'''
_REACTIVE_SERVERS = {
    "exec": '''\
"""Speaks JSON Lines on standard input and output for the system."""

import json
import sys

from system import System
'''
    + _TALK
    + """
talk(System(), sys.stdin, lambda answer: print(json.dumps(answer), flush=True))
""",
    "tcp": '''\
"""Speaks JSON Lines over TCP for the system; prints its address, as --sut takes it."""

import json
import socketserver

from system import System
'''
    + _TALK
    + """
class Handler(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True

    def handle(self):
        talk(System(), self.rfile, lambda answer: self.wfile.write(json.dumps(answer).encode() + b"\\n"))


with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
    server.daemon_threads = True
    print(f"tcp:127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()
""",
}
