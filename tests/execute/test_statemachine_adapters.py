"""State machines behind a server, in a shared library and on a page: real ones, right and wrong."""

import json
import shutil
import subprocess
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random

import pytest
from tests.browser import needs_browser
from tests.cli.harness import Shell
from tests.execute.lamp import SYSTEMS
from tests.judgement import event
from tests.shared import ROOT
from tests.strategies.statemachine_suites import write_suite

from fullproof.core.errors import UserError
from fullproof.execute.adapters.browser_mapping import read_browser_mapping
from fullproof.formats import read_model
from fullproof.kinds.statemachine.player import StateMachinePlayer

EXAMPLES = ROOT / "examples" / "statemachines"
LOCK = EXAMPLES / "door-lock.yaml"
CRUISE = EXAMPLES / "cruise-control.yaml"
COMPILER = shutil.which("cc") or shutil.which("gcc")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")


@pytest.fixture
def fullproof(capsys):
    return Shell(capsys)


@pytest.fixture
def verdict(fullproof, tmp_path):
    def run(model, system, *, count=15):
        suite = write_suite(tmp_path / "s.jsonl", model, count=count)
        ended = fullproof("run", model, "--suite", suite, "--sut", system, "--json")
        assert ended.code in (0, 1, 4, 6), ended.err
        return ended.err if ended.code == 4 else ended.json

    return run


@contextmanager
def serving(player):
    class Server(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # headers and body in one packet

        def log_message(self, *_):
            """Be quiet."""

        def do_POST(self):
            raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            given = json.loads(raw) if raw else None
            answer, headers = self.answered(given)
            data = json.dumps(answer).encode()
            self.send_response(200)
            for name, value in {**headers, "Content-Length": str(len(data))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def answered(self, given):
            if self.path == "/reset":
                player.reset()
                return {}, {}
            if self.path == "/step":
                return {"output": player.step(event(given["input"]))}, {}
            # Another interface: the signal in the path, the values in the body, the signals sent in a header.
            trigger = self.path.rpartition("/")[2] or None
            output = dict(player.step(event({"trigger": trigger, "code": given["digits"], "now": given["clock"]["s"]})))
            return {"door": {"isOpen": output["open"]}}, {"X-Signals": ", ".join(output["send"])}

    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def player(text=None, *, tmp_path=None):
    if text is None:
        return StateMachinePlayer(read_model(LOCK), Random(0))
    path = tmp_path / "faulty.yaml"
    path.write_text(text)
    return StateMachinePlayer(read_model(path), Random(0))


MAPPING = """url: {url}
inputs:
  close: {{request: POST /lock/close, body: {{digits: '{{code}}', clock: {{s: '{{now}}'}}}}}}
step: {{request: 'POST /lock/{{trigger}}', body: {{digits: '{{code}}', clock: {{s: '{{now}}'}}}}}}
output: {{open: json door.isOpen, send: header X-Signals}}
"""


def test_a_server_that_speaks_our_protocol(verdict):
    with serving(player()) as url:
        ended = verdict(LOCK, url)
    assert (ended["verdict"], ended["tests"]) == ("pass", 15)


def test_a_server_with_a_mapping_file(verdict, tmp_path):
    mapping = tmp_path / "lock.yaml"
    with serving(player()) as url:
        mapping.write_text(MAPPING.format(url=url))
        assert verdict(LOCK, f"http:{mapping}")["verdict"] == "pass"


def test_a_wrong_server_fails_and_is_diagnosed(verdict, tmp_path):
    faulty = LOCK.read_text().replace("send: [alarm]", "send: [beep]")
    with serving(player(faulty, tmp_path=tmp_path)) as url:
        ended = verdict(LOCK, url, count=40)
    assert ended["verdict"] == "fail"
    assert "signal beep sent instead of alarm on judged -> blocked" in ended["diagnosis"]["explanations"]


def test_values_that_an_event_leaves_out_stay_for_the_mapping(fullproof, tmp_path):
    suite, mapping = write_suite(tmp_path / "s.jsonl", LOCK, count=1), tmp_path / "lock.yaml"
    header = suite.read_text().splitlines()[0]
    inputs = [{"trigger": "enter", "code": 41, "now": 3}, {"trigger": "enter", "code": 42}, {"now": 33}]
    suite.write_text(f"{header}\n" + json.dumps({"id": "t-1", "inputs": inputs, "covers": []}) + "\n")
    with serving(player()) as url:
        mapping.write_text(MAPPING.format(url=url))
        ended = fullproof("run", LOCK, "--suite", suite, "--sut", f"http:{mapping}", "--json")
    assert (ended.code, ended.json["passed"]) == (0, 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("inputs: {shut: POST /x}\n", "'shut' is not an input signal of the model"),
        ("output: json open\n", "expected how to read each of open, send"),
        ("output: {open: json open}\n", "does not say how to read send"),
    ],
)
def test_a_mapping_file_that_does_not_fit_is_one_line(verdict, tmp_path, text, said):
    mapping = tmp_path / "lock.yaml"
    mapping.write_text("url: http://127.0.0.1:9\n" + text)
    err = verdict(LOCK, f"http:{mapping}")
    assert said in err
    assert err.count("\n") == 1


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lib")

    def built(fault=0):
        path = folder / f"lock{fault}.so"
        if not path.exists():
            command = [COMPILER, "-shared", "-fPIC", f"-DFAULT={fault}", "-o", path, SYSTEMS / "door_lock.c"]
            subprocess.run([str(word) for word in command], check=True)
        return path

    return built


@needs_compiler
def test_a_library_with_the_default_signature(verdict, library):
    assert verdict(LOCK, f"lib:{library()}")["verdict"] == "pass"


@needs_compiler
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        # Tries that are not counted: equivalent to a guard that ignores the third one, which is tried first.
        (1, "guard code != 42 and tries < 2 instead of code != 42 and tries < 3 on locked --enter--> judged"),
        # What closes by hand goes on a second longer, at the cost of what closes by itself.
        (2, "guard now <= since + 30 instead of now < since + 30 on unlocked --close--> locked"),
    ],
)
def test_a_wrong_library_fails_and_is_diagnosed(verdict, library, fault, said):
    ended = verdict(LOCK, f"lib:{library(fault)}", count=60)
    assert ended["verdict"] == "fail"
    assert said in ended["diagnosis"]["explanations"]


@needs_compiler
@pytest.mark.parametrize(
    "text",
    [
        "step: bool lock_step(const char *trigger, long long now, long long code)\nsent: const char *lock_sent(void)\n",
        "step: const char *numbered(unsigned char trigger, long long code, long long now, bool *open)\n"
        "inputs: {enter: 7, close: 9, none: 0}\n",
    ],
)
def test_a_library_with_a_mapping_file(verdict, library, tmp_path, text):
    mapping = tmp_path / "lock.yaml"
    mapping.write_text(f"library: {library()}\n{text}")
    assert verdict(LOCK, f"lib:{mapping}")["verdict"] == "pass"


@needs_compiler
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("step: const char *step(long long code, long long now, bool *open)\n", "such as 'int trigger'"),
        ("step: bool step(int trigger, long long code, long long now)\n", "expected it to return the signals sent"),
        ("sent: int lock_sent(void)\n", "expected one such as 'const char *sent(void)'"),
        ("inputs: {enter: 1}\n", "no number for 'close'"),
    ],
)
def test_a_signature_that_does_not_fit_is_one_line(verdict, library, tmp_path, text, said):
    mapping = tmp_path / "lock.yaml"
    mapping.write_text(f"library: {library()}\n{text}")
    err = verdict(LOCK, f"lib:{mapping}")
    assert said in err
    assert err.count("\n") == 1


PAGE = """<!doctype html><meta charset="utf-8"><title>Cruise control</title>
<input id="speed"> <input id="brake" type="checkbox">
<button id="set">set</button> <button id="goresume">resume</button> <button id="go">go</button>
<output id="throttle"></output>
<script>
let on = false, target = 0, pull = 0;
const event = (name) => {
  const v = Number(speed.value), b = brake.checked, may = v >= 30 && !b;
  if (on && !may) { on = false; pull = 0; }
  else if (name === "set" && may) { target = v; pull = 0; on = true; }
  else if (name === "resume" && may && (on || target >= 30)) { pull = 2 * (target - v) FAULT; on = true; }
  throttle.textContent = String(pull);
};
document.getElementById("set").onclick = () => event("set");
goresume.onclick = () => event("resume");
go.onclick = () => event(null);
</script>"""

PAGE_MAPPING = """page: index.html
reset: document
inputs:
  set:
    - fill '#speed' with {speed}
    - check '#brake' with {brake}
    - click '#set'
step:
  - fill '#speed' with {speed}
  - check '#brake' with {brake}
  - click '#go{trigger}'
output: number '#throttle'
"""


@needs_browser
@pytest.mark.parametrize(("fault", "expected"), [("", "pass"), ("+ 1", "fail")])
def test_a_page(verdict, tmp_path, fault, expected):
    (tmp_path / "index.html").write_text(PAGE.replace("FAULT", fault))
    mapping = tmp_path / "page.yaml"
    mapping.write_text(PAGE_MAPPING)
    assert verdict(CRUISE, f"browser:{mapping}", count=4)["verdict"] == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("output: {open: checked '#open'}\n", "does not say how to read send"),
        ("output: text '#open'\n", "expected how to read each of open, send"),
        (
            "output: {open: checked '#open', send: text '#s'}\ninputs: {shut: click '#x'}\n",
            "'shut' is not an input signal",
        ),
        ("output: {open: checked '#open', send: text '#s'}\nsilent: x\n", "'silent' is a symbol of an fsm"),
    ],
)
def test_a_mapping_of_a_page_that_does_not_fit_is_said(tmp_path, text, said):
    (tmp_path / "index.html").write_text("")
    mapping = tmp_path / "page.yaml"
    mapping.write_text("page: index.html\nstep: click '#go'\n" + text)
    with pytest.raises(UserError, match=said):
        read_browser_mapping(mapping, read_model(LOCK).interface)


def test_a_mapping_of_a_page_reads_the_signals(tmp_path):
    (tmp_path / "index.html").write_text("")
    mapping = tmp_path / "page.yaml"
    mapping.write_text(
        "page: index.html\nstep: click '#go'\ninputs: {close: click '#close'}\n"
        "output: {open: checked '#open', send: new '#log li'}\n"
    )
    read = read_browser_mapping(mapping, read_model(LOCK).interface)
    assert list(read.outputs) == ["open", "send"]
    assert [action.selector for action in read.inputs["close"].actions] == ["#close"]
