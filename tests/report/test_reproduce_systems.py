"""Scripts of real systems behind every adapter, run as processes: exit code 1 with the fault, 0 without."""

import json
import shutil
import socketserver
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.browser import needs_browser
from tests.cli.harness import Shell
from tests.report.systems import small
from tests.report.test_reproduce import FAULTS, MODELS, OFFERS, TWO

from fullproof.artefacts.request import GREY_BOX, Relation
from fullproof.execute.adapters import ANSWERING, REACTIVE
from fullproof.kinds import KINDS

SMALL = Path(small.__file__)
COMPILER = shutil.which("cc") or shutil.which("gcc")
QUICK = {
    ("fsm", "equivalence", "python"),
    ("fsm", "strong-reduction", "exec"),
    ("sts", "ioco", "tcp"),
    ("statemachine", "equivalence", "http"),
    ("fsm", "reduction", "lib"),
    ("sfsm", "property", "model"),
}
"""Each adapter but the browser, each kind, and relations that are judged in ways of their own; all others are slow."""
LIBRARY = {
    "fsm": (
        """#include <string.h>
        static int lit;
        void reset(void) { lit = 0; }
        const char *step(const char *input) {
            if (strcmp(input, "look") == 0) return !lit ? "dim" : FAULT ? "on" : "bright";
            lit = !lit;
            return lit ? "on" : "off";
        }
        int enabled(const char *input) { return lit || strcmp(input, "press") == 0; }""",
        "reset: void reset(void)\nstep: const char *step(const char *input)\nenabled: int enabled(const char *input)\n",
    ),
    "sfsm": (
        """void reset(void) {}
        int step(int x) { return x < 5 ? (FAULT ? 2 : 0) : 1; }""",
        "reset: void reset(void)\nstep: int step(int x)\n",
    ),
    "statemachine": (
        """static _Bool is_wide;
        void reset(void) { is_wide = 0; }
        const char *step(int trigger, int x, _Bool *wide) {
            const char *sent = "";
            if (trigger == 0 && x < 5) is_wide = 1;
            else if (trigger == 1 && is_wide) { is_wide = 0; sent = FAULT ? "" : "beep"; }
            *wide = is_wide;
            return sent;
        }""",
        "reset: void reset(void)\nstep: const char *step(int trigger, int x, _Bool *wide)\n",
    ),
}
PAGE = {
    "fsm": (
        """<button id="press">press</button> <button id="look">look</button> <output id="out"></output>
        <script>
        let lit = false;
        look.disabled = GREY;
        press.onclick = () => { lit = !lit; look.disabled = GREY && !lit; out.textContent = lit ? "on" : "off" };
        look.onclick = () => { out.textContent = !lit ? "dim" : FAULT ? "on" : "bright" };
        </script>""",
        "step: click '#{input}'\noutput: text '#out'\n",
    ),
    "sfsm": (
        """<input id="x"> <button id="weigh">weigh</button> <output id="out"></output>
        <script>
        weigh.onclick = () => { out.textContent = x.value < 5 ? (FAULT ? 2 : 0) : 1 };
        </script>""",
        "step: [\"fill '#x' with {x}\", \"click '#weigh'\"]\noutput: {y: number '#out'}\n",
    ),
}


def combinations():
    """All that a page and a library of this file can be; slow are those of which the parts are tried in others."""
    for kind in (made() for made in KINDS.values()):
        for relation in (kind.relation,) if kind.name == "statemachine" else kind.judged:  # those that have suites
            for scheme in (REACTIVE if kind.reactive else ANSWERING).schemes:
                if scheme in SYSTEMS and (kind.name, scheme) not in LEFT_OUT:
                    named = (kind.name, relation.value, scheme)
                    marks = [] if named in QUICK else [pytest.mark.slow]
                    marks += [needs_browser] if scheme == "browser" else []
                    yield pytest.param(kind.name, relation, scheme, marks=marks, id="-".join(named))


Switch = Callable[[bool], None]


def model_text(kind: str, relation: Relation) -> str:
    """The model; that of an fsm is complete where the relation asks for it."""
    return TWO if (kind, relation) == ("fsm", Relation.REDUCTION) else MODELS[kind][0]


def _switch(faulty: bool) -> None:
    """Make the systems of ``small`` wrong or right; they look at each reset."""
    small.FAULT.touch() if faulty else small.FAULT.unlink()


def _python(kind: str, _relation: Relation, _stack: ExitStack) -> tuple[str, Switch]:
    return f"python:{SMALL}:{small.SYSTEMS[kind].__name__}", _switch


def _exec(kind: str, _relation: Relation, _stack: ExitStack) -> tuple[str, Switch]:
    return f"exec:{sys.executable} {SMALL} {kind}", _switch


def _tcp(kind: str, _relation: Relation, stack: ExitStack) -> tuple[str, Switch]:
    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            small.serve(self.rfile, lambda text: self.wfile.write(text.encode()), kind)

    return f"tcp:127.0.0.1:{_serving(socketserver.ThreadingTCPServer(('127.0.0.1', 0), Handler), stack)}", _switch


def _http(kind: str, _relation: Relation, stack: ExitStack) -> tuple[str, Switch]:
    system = small.SYSTEMS[kind]()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Be quiet."""

        def do_POST(self) -> None:
            given = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
            (answer,) = small.answers(system, {"reset": True} if self.path == "/reset" else given)
            data = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    return f"http://127.0.0.1:{_serving(ThreadingHTTPServer(('127.0.0.1', 0), Handler), stack)}", _switch


def _serving(server: socketserver.TCPServer, stack: ExitStack) -> int:
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    stack.callback(server.server_close)
    stack.callback(server.shutdown)
    return int(server.server_address[1])


def _lib(kind: str, _relation: Relation, _stack: ExitStack) -> tuple[str, Switch]:
    if COMPILER is None:
        pytest.skip("there is no C compiler")
    source, mapping = LIBRARY[kind]
    Path("system.c").write_text(source)
    Path("map.yaml").write_text(f"library: ./system.so\n{mapping}")

    def switch(faulty: bool) -> None:
        command = [COMPILER, "-shared", "-fPIC", f"-DFAULT={int(faulty)}", "-o", "system.so", "system.c"]
        subprocess.run(command, check=True)

    return "lib:map.yaml", switch


def _browser(kind: str, relation: Relation, _stack: ExitStack) -> tuple[str, Switch]:
    page, mapping = PAGE[kind]
    Path("map.yaml").write_text(f"page: page.html\nreset: document\n{mapping}")

    def switch(faulty: bool) -> None:
        said = f"const FAULT = {int(faulty)}, GREY = {int(relation in GREY_BOX)}"
        Path("page.html").write_text(f"<!doctype html><meta charset='utf-8'><script>{said}</script>{page}")

    return "browser:map.yaml", switch


def _model(kind: str, relation: Relation, _stack: ExitStack) -> tuple[str, Switch]:
    right, wrong = OFFERS if relation in GREY_BOX else FAULTS[kind]
    text = model_text(kind, relation)

    def switch(faulty: bool) -> None:
        Path("system.yaml").write_text(text.replace(right, wrong) if faulty else text)

    return "model:system.yaml", switch


SYSTEMS = {
    "python": _python, "exec": _exec, "tcp": _tcp, "http": _http, "lib": _lib, "browser": _browser, "model": _model,
}  # fmt: skip
LEFT_OUT = {("statemachine", "browser"), ("sts", "http")}
"""A page for a state machine would be that of the sfsm once more."""


@pytest.mark.parametrize(("kind", "relation", "scheme"), [*combinations()])
def test_a_script_finds_the_fault_of_a_real_system_and_that_it_is_gone(
    kind, relation, scheme, tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Path("model.yaml").write_text(model_text(kind, relation))
    with ExitStack() as stack:
        system, switch = SYSTEMS[scheme](kind, relation, stack)
        switch(True)
        asked = ["--property", "P"] if relation is Relation.PROPERTY else ["--relation", relation.value]
        words = ["run", "model.yaml", "--sut", system, *asked, "--report", "r", "--timeout", "0.1"]
        ended = Shell(capsys)(*words)
        assert ended.code == 1, ended.out + ended.err
        (script, *_) = sorted(Path("r").glob("reproduce-*.py"))

        def reproduced() -> subprocess.CompletedProcess[str]:
            return subprocess.run([sys.executable, script], capture_output=True, text=True, check=False, timeout=120)

        seen = reproduced()
        assert seen.returncode == 1, seen.stdout + seen.stderr
        switch(False)
        seen = reproduced()
        assert seen.returncode == 0, seen.stdout + seen.stderr
