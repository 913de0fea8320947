"""Models of which nothing can be seen are named as such; ``--observe state`` makes their states visible."""

import json
import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

CHART = """<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" initial="idle" name="chart">
  <state id="idle"><transition event="start" target="running"/></state>
  <state id="running"><transition event="pause" target="paused"/><transition event="stop" target="idle"/></state>
  <state id="paused"><transition event="resume" target="running"/></state>
</scxml>
"""
FSM = """machine: fsm
name: quiet
initial: idle
ignore: {inputs: [start, pause, resume, stop], output: ok}
states:
  idle: [{when: start, then: ok, to: running}]
  running: [{when: pause, then: ok, to: paused}, {when: stop, then: ok, to: idle}]
  paused: [{when: resume, then: ok, to: running}]
"""
SFSM = """machine: sfsm
name: level
inputs: {x: int 0..9}
outputs: {y: int 0..9}
initial: low
states:
  low: [{when: x < 7, then: y == x, to: low}, {when: x >= 7, then: y == x, to: high}]
  high: [{when: x <= 3, then: y == x, to: low}, {when: x > 3, then: y == x, to: high}]
"""
STS = """machine: sts
name: deaf
inputs: {a: {}}
outputs: {}
initial: p
states:
  p: [{gate: a, to: q}]
  q: [{gate: a, to: p}]
"""
SYSTEMS = """
MOVES = {("idle", "start"): "running", ("running", "pause"): "paused", ("running", "stop"): "idle",
         ("paused", "resume"): "running"}


class Chart:
    moves = MOVES

    def reset(self):
        self.at = "idle"

    def step(self, trigger=None):
        self.at = self.moves.get((self.at, trigger), self.at)
        return {}

    def state(self):
        return self.at


class WrongChart(Chart):
    moves = {**MOVES, ("paused", "resume"): "idle"}


class Quiet(Chart):
    def step(self, symbol):
        super().step(symbol)
        return "ok"

    @property
    def state(self):
        return self.at


class WrongQuiet(Quiet):
    moves = {**MOVES, ("running", "stop"): "paused"}


class Level:
    falls = 3

    def reset(self):
        self.state = "low"

    def step(self, x):
        if x >= 7 or x <= self.falls:
            self.state = "high" if x >= 7 else "low"
        return x


class WrongLevel(Level):
    falls = 6


class Mute:
    def reset(self):
        pass

    def step(self, trigger=None):
        return {}
"""
MODELS = {"chart.scxml": CHART, "quiet.yaml": FSM, "level.yaml": SFSM, "deaf.yaml": STS}


@pytest.fixture
def folder(tmp_path):
    for name, text in MODELS.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "systems.py").write_text(SYSTEMS)
    return tmp_path


def rules(found):
    return {finding["rule"] for finding in found["findings"]}


@pytest.mark.parametrize("name", MODELS)
def test_check_and_generate_say_that_nothing_is_observable(fullproof, folder, name):
    found = fullproof("check", folder / name, "--json")
    assert {"nothing-observable", "equivalent-states"} <= rules(found.json)
    listed = next(f for f in found.json["findings"] if f["rule"] == "equivalent-states")["witness"]["states"]
    assert len(listed) == {"chart.scxml": 3, "quiet.yaml": 3}.get(name, 2)
    made = fullproof("generate", folder / name, "-o", folder / "s.jsonl", "--json")
    assert made.json["guarantee"].startswith("Nothing is observable")
    assert any(note.startswith("warning: nothing is observable") for note in made.json["notes"])
    if name in ("chart.scxml", "quiet.yaml"):
        assert "count as one: " + " = ".join(listed) in made.json["guarantee"]


@pytest.mark.parametrize("name", ["chart.scxml", "quiet.yaml", "level.yaml"])
def test_an_observed_state_is_something_to_observe(fullproof, folder, name):
    found = fullproof("check", folder / name, "--observe", "state", "--json")
    assert not {"nothing-observable", "equivalent-states"} & rules(found.json)
    made = fullproof("generate", folder / name, "--observe", "state", "-o", folder / "s.jsonl", "--json")
    assert "Nothing is observable" not in made.json["guarantee"]
    assert "The active state, which the system shows, counts as an output." in made.json["guarantee"]
    assert json.loads((folder / "s.jsonl").read_text().splitlines()[0])["observe"] == "state"


def seen_of(ended):
    """What failures show, without what is concluded from them."""
    concluded = {"shortest", "cause", "group"}
    return [{k: v for k, v in failure.items() if k not in concluded} for failure in ended.json["failures"]]


@pytest.mark.parametrize(
    ("name", "system"), [("chart.scxml", "Chart"), ("quiet.yaml", "Quiet"), ("level.yaml", "Level")]
)
def test_a_wrong_state_fails(fullproof, folder, name, system):
    fullproof("generate", folder / name, "--observe", "state", "-o", folder / "s.jsonl")
    for wrong in ("", "Wrong"):
        sut = ("--sut", f"python:{folder}/systems.py:{wrong}{system}", "--json")
        blind = fullproof("run", folder / name, *sut)
        assert (blind.code, blind.json["verdict"]) == (0, "pass")
        assert blind.json["guarantee"].startswith("Nothing is observable")
        seen = fullproof("run", folder / name, "--observe", "state", *sut)
        assert seen.json["verdict"] == ("fail" if wrong else "pass")
        # A suite says what it observes, and so does a journal.
        by_suite = fullproof(
            *("run", folder / name, "--suite", folder / "s.jsonl", "--report", folder / f"r{wrong}"),
            *("--shrink-failures", 0, *sut),
        )
        assert by_suite.json["verdict"] == seen.json["verdict"]
        again = fullproof("judge", folder / f"r{wrong}" / "run.sqlite", "--json")
        assert again.json["verdict"] == seen.json["verdict"]
        assert seen_of(again) == seen_of(by_suite)


def test_reports_say_that_nothing_is_observable(fullproof, folder):
    sut = f"python:{folder}/systems.py:WrongChart"
    fullproof("run", folder / "chart.scxml", "--sut", sut, "--report", folder / "report")
    assert "Nothing is observable" in (folder / "report" / "report.html").read_text()


@pytest.mark.parametrize("name", ["chart.scxml", "quiet.yaml", "level.yaml"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_models_and_processes_show_their_state(fullproof, folder, name, jobs):
    command = f"{sys.executable} -m fullproof simulate {folder / name} --observe state"
    for sut in (f"model:{folder / name}", f"exec:{command}"):
        ran = fullproof("run", folder / name, "--observe", "state", "--sut", sut, "--jobs", jobs, "--json")
        assert (ran.code, ran.json["verdict"]) == (0, "pass"), ran
    silent = f"exec:{sys.executable} -m fullproof simulate {folder / name}"
    ran = fullproof("run", folder / name, "--observe", "state", "--sut", silent, "--jobs", jobs, "--json")
    assert ran.json["verdict"] == "error"
    assert "does not show its state" in ran.json["failures"][0]["reason"]


@pytest.mark.parametrize("protocol", ["HTTP/1.0", "HTTP/1.1"])
def test_a_server_shows_its_state(fullproof, folder, protocol):
    namespace: dict[str, type] = {}
    exec(SYSTEMS, namespace)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = protocol
        system = namespace["Quiet"]()

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or "{}")
            if self.path == "/reset":
                self.system.reset()
                answer = {"ready": True}
            else:
                answer = {"output": self.system.step(body["input"]), "state": self.system.state}
            text = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.flush()
            self.wfile.write(text)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}"
    mapping = folder / "map.yaml"
    mapping.write_text(f"url: {url}\nstep: {{request: POST /step, body: {{input: '{{input}}'}}}}\n"
                       "output: json output\nstate: json state\n")  # fmt: skip
    for sut in (url, f"http:{mapping}"):
        for wrong in (False, True):
            Handler.system = namespace["WrongQuiet" if wrong else "Quiet"]()
            ran = fullproof("run", folder / "quiet.yaml", "--observe", "state", "--sut", sut, "--json")
            assert ran.json["verdict"] == ("fail" if wrong else "pass"), [f["reason"] for f in ran.json["failures"]]
    server.shutdown()


def test_what_cannot_show_a_state_is_named(fullproof, folder):
    muted = fullproof(
        *("run", folder / "chart.scxml", "--observe", "state", "--json"),
        *("--sut", f"python:{folder}/systems.py:Mute"),
    )
    assert muted.json["verdict"] == "error"
    assert "does not show its state" in muted.json["failures"][0]["reason"]
    for command in ("check", "generate", "simulate"):
        refused = fullproof(command, folder / "deaf.yaml", "--observe", "state")
        assert refused.code == 4
        assert "sts" in refused.err
        assert refused.err.count("\n") == 1


def test_suites_that_observe_the_state_are_neither_certified_nor_scored_by_outputs(fullproof, folder):
    fullproof("generate", folder / "quiet.yaml", "--observe", "state", "-o", folder / "s.jsonl")
    refused = fullproof("certify", folder / "quiet.yaml", folder / "s.jsonl")
    assert refused.code == 4
    assert "observes the state" in refused.err


def test_names_of_states_that_are_no_names_of_the_language(fullproof, folder):
    (folder / "odd.yaml").write_text(
        "machine: statemachine\nname: odd\nsignals: {in: [go], out: []}\ninputs: {}\noutputs: {y: int = 0}\n"
        "variables: {state: int = 0}\ninitial: y\nstates:\n"
        "  y: [{trigger: go, do: [y = 1, state = state + 0], to: 'if'}]\n"
        "  'if': [{trigger: go, do: [y = 1], to: a b}]\n  a b: [{trigger: go, do: [y = 1], to: a_b}]\n  a_b: []\n"
    )
    ran = fullproof(
        *("run", folder / "odd.yaml", "--observe", "state", "--sut", f"model:{folder / 'odd.yaml'}", "--json")
    )
    assert (ran.code, ran.json["verdict"]) == (0, "pass"), ran
    assert ran.json["coverage"]["transitions"] == 3


def test_pairs_of_outputs_and_states_are_never_mixed_up():
    from fullproof.model.state_output import symbol_with_state

    parts = ["a", "b", "a @ b", "b @ a", '"a"', 'a @ "b"', "", " ", '"', "\\"]
    assert len({symbol_with_state(y, s) for y in parts for s in parts}) == len(parts) ** 2


def test_tcp_shows_the_state(fullproof, folder):
    from fullproof.artefacts.request import Observe
    from fullproof.execute.simulate import serve
    from fullproof.formats import read_model
    from fullproof.kinds import play

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    ready = threading.Event()
    model = read_model(folder / "quiet.yaml")
    threading.Thread(
        target=lambda: serve(
            model, f"127.0.0.1:{port}", play=play, observe=Observe.STATE, announce=lambda _: ready.set()
        ),
        daemon=True,
    ).start()
    assert ready.wait(10)
    ran = fullproof(*("run", folder / "quiet.yaml", "--observe", "state", "--sut", f"tcp:127.0.0.1:{port}", "--json"))
    assert ran.json["verdict"] == "pass"
