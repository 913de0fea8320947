"""A transition system with lists on the command line: a bounded queue, right and wrong systems for it."""

import sys
from pathlib import Path

import pytest
from tests.cli.harness import Shell

MODEL = """
machine: sts
name: queue
constants: {room: 3}
variables: {items: 'list of int 0..3 max room = []', seen: 'list of enum low, high max 1 = []'}
inputs: {put: {item: int 0..3}, get: {}, load: {all: list of int 0..3 max room}, see: {level: 'enum low, high'}}
outputs:
  given: {item: int 0..3}
  now: {all: list of int 0..3 max room}
  levels: {levels: 'list of enum low, high max 1'}
  empty: {}
  full: {}
initial: ready
states:
  ready:
    - {gate: put, when: len(items) < room, set: {items: 'append(items, item)'}, to: shown}
    - {gate: put, when: len(items) == room, to: full}
    - {gate: get, when: len(items) > 0, to: giving}
    - {gate: get, when: 'items == []', to: empty}
    - {gate: load, set: {items: all}, to: shown}
    - {gate: see, set: {seen: '[level]'}, to: told}
  shown:
    - {gate: now, when: all == items, to: ready}
  told:
    - {gate: levels, when: levels == seen, to: ready}
  full:
    - {gate: full, to: ready}
  empty:
    - {gate: empty, to: ready}
  giving:
    - {gate: given, when: 'item == items[0]', set: {items: rest(items)}, to: ready}
"""

SYSTEMS = """
import json, sys

class Right:
    def __init__(self):
        self.reset()

    def reset(self):
        self.items, self.due = [], []

    def send(self, gate, *values):
        if gate == "load":
            assert type(values[0]) is list
            self.items = values[0]
            self.due.append(("now", [self.items]))
        elif gate == "see":
            self.due.append(("levels", [list(values)]))
        elif gate == "put" and len(self.items) < 3:
            self.items = self.items + [values[0]]
            self.due.append(("now", (tuple(self.items),)))
        elif gate == "put":
            self.due.append(("full", []))
        elif self.items:
            self.due.append(("given", [self.items.pop(0)]))
        else:
            self.due.append(("empty", []))

    def receive(self, timeout):
        found = self.due.pop(0) if self.due else None
        return found if found is None or found[0] != "now" else self.shown(*found)

    def shown(self, gate, values):
        return gate, values

class TooLong(Right):
    def shown(self, gate, values):
        return gate, [[*values[0], 0, 0, 0]]

class WrongElement(Right):
    def shown(self, gate, values):
        return gate, [[*values[0][1:], "x"]]

class Nested(Right):
    def shown(self, gate, values):
        return gate, [[[1]]]

class AText(Right):
    def shown(self, gate, values):
        return gate, [json.dumps(list(values[0]))]

class Other(Right):
    def shown(self, gate, values):
        return "other", values

class Lifo(Right):
    def send(self, gate, *values):
        if gate == "get":
            self.items.reverse()
        super().send(gate, *values)
        if gate == "get":
            self.items.reverse()

class Unequal(Right):
    def send(self, gate, *values):
        super().send(gate, *(sorted(value) if gate == "load" else value for value in values))

if __name__ == "__main__":
    system = globals()[sys.argv[1]]()
    for line in sys.stdin:
        message = json.loads(line)
        if "reset" in message:
            system.reset()
            print(json.dumps({"ready": True}), flush=True)
        else:
            system.send(message["send"][0], *message["send"][1])
            while found := system.receive(0):
                print(json.dumps({"emit": found}), flush=True)
"""


@pytest.fixture
def queue(tmp_path: Path) -> Path:
    (tmp_path / "queue.yaml").write_text(MODEL)
    (tmp_path / "systems.py").write_text(SYSTEMS)
    return tmp_path / "queue.yaml"


def sut(queue: Path, name: str) -> str:
    return f"python:{queue.with_name('systems.py')}:{name}"


def test_files_say_the_same(fullproof: Shell, queue: Path) -> None:
    texts = []
    for ending in ("yaml", "json", "mmd"):
        target, back = queue.with_name(f"again.{ending}"), queue.with_name("back.yaml")
        assert fullproof("convert", queue, target).code == 0
        assert fullproof("convert", target, back).code == 0
        texts.append(back.read_text())
    assert texts[0] == texts[1] == texts[2]
    ended = fullproof("compare", queue, back)
    assert (ended.code, ended.err) == (0, "")
    assert fullproof("convert", queue, queue.with_name("queue.scxml")).code == 4
    assert fullproof("draw", queue, "-o", queue.with_name("s.svg")).code == 0
    assert "append(items, item)" in queue.with_name("s.svg").read_text()


def test_check_finds_indices_and_lists_that_become_too_long(fullproof: Shell, queue: Path) -> None:
    assert "index-outside" not in fullproof("check", queue).out
    text = MODEL.replace("when: len(items) < room, set", "set").replace(
        "when: len(items) > 0, to: giving", "to: giving"
    )
    queue.write_text(text)
    ended = fullproof("check", queue, "--json")
    found = {finding["rule"]: finding for finding in ended.json["findings"]}
    assert found["range-left"]["severity"] == "error"
    assert "outside its range, list of int 0..3 max 3" in found["range-left"]["message"]
    assert found["index-outside"]["message"] == "there is no items[0] where items = []; its value is the default 0"


@pytest.mark.parametrize("values", ["random", "boundary"])
def test_a_right_system_passes(fullproof: Shell, queue: Path, values: str) -> None:
    given = ["run", queue, "--sut", sut(queue, "Right"), "--values", values, "--timeout", 0.01, "--steps", 100]
    ended = fullproof(*given, "--json")
    assert (ended.code, ended.json["coverage"]) == (0, {"transitions": 11, "of": 11})


def test_models_and_processes_pass(fullproof: Shell, queue: Path) -> None:
    assert fullproof("run", queue, "--sut", f"model:{queue}", "--steps", 100, "--jobs", 2).code == 0
    command = f"exec:{sys.executable} {queue.with_name('systems.py')}"
    assert fullproof("run", queue, "--sut", f"{command} Right", "--timeout", 0.5, "--steps", 30).code == 0
    assert fullproof("run", queue, "--sut", f"{command} TooLong", "--timeout", 0.5, "--steps", 30).code == 1


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("TooLong", "0, 0, 0] is outside list of int 0..3 max 3"),
        ("WrongElement", "x] is outside list of int 0..3 max 3"),
        ("Nested", "all = [[1]] is outside list of int 0..3 max 3"),
        ("AText", ']" is outside list of int 0..3 max 3'),
        ("Other", "other is not a gate of the model"),
        ("Lifo", "the model does not allow this output here"),
        ("Unequal", "the model does not allow this output here"),
    ],
)
def test_a_wrong_system_fails_and_its_journal_says_so_again(
    fullproof: Shell, queue: Path, name: str, said: str
) -> None:
    journal = queue.with_name("run.sqlite")
    given = [
        "run",
        queue,
        "--sut",
        sut(queue, name),
        "--timeout",
        0.01,
        "--seed",
        1,
        "--steps",
        150,
        "--stop-on-failure",
        "--shrink-failures",
        0,
    ]
    first, again = fullproof(*given, "--journal", journal), fullproof("judge", journal)
    assert (first.code, again.code) == (1, 1), first.out + first.err + again.err
    assert said in first.out
    assert "Traceback" not in first.err
    assert first.out.splitlines()[1:] == again.out.splitlines()[1:]


def test_purposes_are_written_and_read(fullproof: Shell, queue: Path) -> None:
    suite = queue.with_name("suite.jsonl")
    assert fullproof("generate", queue, "--coverage", "boundary", "-o", suite).code == 0
    ended = fullproof("run", queue, "--suite", suite, "--sut", f"model:{queue}")
    assert ended.code == 0, ended.out + ended.err
    assert "len(all) == 3" in suite.read_text()


def test_compare_speaks_of_lists(fullproof: Shell, queue: Path) -> None:
    other = queue.with_name("other.yaml")
    other.write_text(MODEL.replace("item == items[0]", "item == items[len(items) - 1]"))
    ended = fullproof("compare", queue, other, "--json")
    assert ended.code == 1
    (sent, *_) = ended.json["counterexample"]["trace"]
    assert all(type(value) in (list, int) for value in sent["send"][1])


@pytest.mark.parametrize(
    "head", ["sfsm\ninputs: {x: list of int max 2}", "statemachine\ninputs: {x: list of int max 2}"]
)
def test_other_kinds_have_no_lists(fullproof: Shell, tmp_path: Path, head: str) -> None:
    model = tmp_path / "m.yaml"
    model.write_text(f"machine: {head}\noutputs: {{y: int 0..1}}\ninitial: a\nstates:\n  a: []\n")
    ended = fullproof("check", model)
    assert (ended.code, ended.err.count("\n")) == (4, 1)
    assert "'x' is a list; only a machine of kind sts has lists" in ended.err


def test_lines_of_words_have_no_lists(fullproof: Shell, queue: Path) -> None:
    ended = fullproof("run", queue, "--sut", "torxakis:exec:cat")
    assert (ended.code, ended.err.count("\n")) == (4, 1)
    assert "gate load carries a list" in ended.err
