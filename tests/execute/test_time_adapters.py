"""Libraries, servers and web pages that let time pass; and systems in real time, by the clock of this machine."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from tests.cli.harness import Shell
from tests.execute.browser_site import Site
from tests.execute.timed_lamp import LAMP, SUITE, TEXT

from fullproof.artefacts.request import Relation
from fullproof.artefacts.verdict import Verdict
from fullproof.core.errors import UserError
from fullproof.execute import Options, execute
from fullproof.execute.sut import Sut
from fullproof.kinds import oracle_for
from fullproof.kinds.systems import open_sut

C = """
static int lit; static double left;
void reset(void) { lit = 0; }
const char *step(int trigger) { const char *said = lit ? "" : "bright"; lit = 1; left = LIMIT; return said; }
static const char *passed(double seconds) {
    if (!lit) return "";
    left -= seconds;
    if (left > 0) return "";
    lit = 0;
    return "dim";
}
const char *advance(double seconds) { return passed(seconds); }
const char *tick(unsigned ms) { return passed(ms / 1000.0); }
int wrong(unsigned ms) { return 0; }
const char *both(unsigned ms, int other) { return ""; }
"""
PAGE = """
<button id=b>press</button><ul id=log></ul>
<script>
let timer = null;
const say = (text) => requestAnimationFrame(() => {
  const item = document.createElement("li");
  item.textContent = text;
  document.getElementById("log").append(item);
});
document.getElementById("b").onclick = () => {
  if (timer === null) say("bright");
  clearTimeout(timer);
  timer = setTimeout(() => { timer = null; say("dim"); }, LIMIT);
};
</script>
"""
MAPPING = 'step: click "#b"\noutput: {all: [new "#log li"]}\n'


def verdicts(system: Sut) -> set[Verdict]:
    oracle = oracle_for(LAMP, Relation.EQUIVALENCE)
    options = Options(step_timeout=20.0)
    return {oracle.judge(execution).verdict for execution in execute(system, SUITE, options=options)}


def built(folder: Path, limit: float) -> Path:
    (folder / "lamp.c").write_text(C)
    library = folder / f"lamp-{limit:g}.so"
    command = ["cc", "-shared", "-fPIC", f"-DLIMIT={limit}", "-o", str(library), str(folder / "lamp.c")]
    subprocess.run(command, check=True)
    return library


def test_a_library_lets_time_pass(tmp_path: Path):
    for limit, wanted in ((5.0, Verdict.PASS), (6.0, Verdict.FAIL), (4.0, Verdict.FAIL)):
        with closing(open_sut(f"lib:{built(tmp_path, limit)}", LAMP)) as system:
            assert wanted in verdicts(system)
    (tmp_path / "ms.yaml").write_text("library: lamp-5.so\nadvance: const char *tick(unsigned ms)\n")
    with closing(open_sut(f"lib:{tmp_path / 'ms.yaml'}", LAMP)) as system:
        assert verdicts(system) == {Verdict.PASS}


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ("int wrong(unsigned ms)", "must return what step returns"),
        ("const char *both(unsigned ms, int other)", "expected a function that takes the time"),
        ("const char *tick(unsigned seconds)", "expected a function that takes the time"),
        ("const char *missing(unsigned ms)", "no function 'missing'"),
    ],
)
def test_a_wrong_function_for_time_is_refused(tmp_path: Path, declared: str, message: str):
    built(tmp_path, 5.0)
    (tmp_path / "map.yaml").write_text(f"library: lamp-5.so\nadvance: {declared}\n")
    with pytest.raises(UserError, match=message):
        open_sut(f"lib:{tmp_path / 'map.yaml'}", LAMP)


@pytest.mark.parametrize(("limit", "wanted"), [(5000, Verdict.PASS), (6000, Verdict.FAIL)])
def test_the_clock_of_a_page_is_turned(site: Site, limit: int, wanted: Verdict):
    page = PAGE.replace("LIMIT", str(limit))
    assert wanted in verdicts(site.system(page, MAPPING, model=LAMP))


class Server(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    left: float | None = None

    def log_message(self, *_: object) -> None: ...

    def do_POST(self) -> None:
        given = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        said: list[str] = []
        if self.path == "/reset":
            Server.left = None
        elif self.path == "/step":
            said = [] if Server.left is not None else ["bright"]
            Server.left = 5.0
        elif Server.left is not None:
            Server.left -= float(given["advance" if self.path == "/advance" else "seconds"])
            if Server.left <= 0:
                Server.left, said = None, ["dim"]
        body = json.dumps({"ready": True} if self.path == "/reset" else {"output": said}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="module")
def server() -> Iterator[int]:
    made = HTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made.server_port
    made.shutdown()
    made.server_close()


def test_a_server_lets_time_pass(server: int, tmp_path: Path):
    url = f"http://127.0.0.1:{server}"
    with closing(open_sut(url, LAMP)) as system:
        assert verdicts(system) == {Verdict.PASS}
    mapping = tmp_path / "map.yaml"
    mapping.write_text(f"url: {url}\nadvance: {{request: POST /clock, body: {{seconds: '{{seconds}}'}}}}\n")
    with closing(open_sut(f"http:{mapping}", LAMP)) as system:
        assert verdicts(system) == {Verdict.PASS}


def test_real_time_never_fails_a_right_system(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """By the clock of this machine, however busy it is: a model that plays, and a program with messages."""
    model = tmp_path / "lamp.yaml"
    model.write_text(TEXT.replace("5 s", "200 ms"))
    (tmp_path / "slow.yaml").write_text(TEXT.replace("5 s", "300 ms"))
    program = tmp_path / "lamp.py"
    program.write_text(PROGRAM)
    for number, system in enumerate((f"model:{model}", f"exec:{sys.executable} {program}")):
        report = tmp_path / str(number)
        ended = Shell(capsys)("run", model, "--faults", "duration,start", "--sut", system, "--clock", "real",
                              "--report", report)  # fmt: skip
        assert ended.code in (0, 6), ended.err
        if ended.code == 0:
            assert "In real time no step that counts was later" in (report / "report.html").read_text()
    ended = Shell(capsys)("run", model, "--faults", "duration", "--sut", f"model:{tmp_path / 'slow.yaml'}",
                          "--clock", "real", "--shrink-failures", "0", "--json")  # fmt: skip
    assert ended.code in (1, 6), ended.err


PROGRAM = """
import json, sys, time
off = None

def observed():
    global off
    if off is None or time.monotonic() < off:
        return []
    off = None
    return ["dim"]

for line in sys.stdin:
    message = json.loads(line)
    if "reset" in message:
        off, answer = None, {"ready": True}
    elif "observe" in message:
        answer = {"output": observed()}
    else:
        said = observed() + ([] if off is not None else ["bright"])
        off, answer = time.monotonic() + 0.2, {"output": said}
    print(json.dumps(answer), flush=True)
"""


def test_messages_cannot_let_time_pass():
    with pytest.raises(UserError, match="serial: with a mapping file of messages cannot let time pass"):
        open_sut("serial:map.yaml", LAMP)


def test_real_time_needs_a_model_with_timers(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    model = tmp_path / "plain.yaml"
    model.write_text("machine: fsm\ninitial: a\nstates:\n  a: [{when: x, then: y, to: a}]\n")
    ended = Shell(capsys)("run", model, "--sut", f"model:{model}", "--clock", "real")
    assert (ended.code, "--clock real is for models with timers, of which plain has none" in ended.err) == (4, True)
