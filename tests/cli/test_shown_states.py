"""``--observe state`` for C libraries and web pages: a system whose outputs are right and whose state is wrong."""

import shutil
import subprocess
from pathlib import Path

import pytest
from tests.browser import needs_browser
from tests.cli.harness import Shell

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")

DOOR = """
machine: fsm
name: door
initial: shut
states:
  shut: [{when: push, then: ok, to: open}, {when: lock, then: ok, to: locked}]
  open: [{when: push, then: ok, to: shut}, {when: lock, then: ok, to: open}]
  locked: [{when: push, then: ok, to: locked}, {when: lock, then: ok, to: shut}]
"""
LEVEL = """
machine: sfsm
name: level
inputs: {x: int 0..9}
outputs: {y: int}
initial: low
states:
  low: [{when: x > 5, then: y == x, to: high}, {when: x <= 5, then: y == x, to: low}]
  high: [{when: x > 2, then: y == x, to: high}, {when: x <= 2, then: y == x, to: low}]
"""
CHART = """
machine: statemachine
name: chart
signals: {in: [go, back], out: []}
initial: a
states:
  a: [{trigger: go, to: b}]
  b: [{trigger: back, to: a}, {trigger: go, to: c}]
  c: [{trigger: back, to: b}]
"""
LIBRARY = """
#include <string.h>
static int state;                       /* shut or low or a, then the others in the order of the model */
static const char *names[][3] = {{"shut", "open", "locked"}, {"low", "high", ""}, {"a", "b", "c"}};
void reset(void) { state = 0; }
const char *door_step(const char *input) {
    if (!strcmp(input, "push")) state = state == 0 ? 1 : state == 1 ? (WRONG ? 1 : 0) : 2;
    else state = state == 0 ? 2 : state == 1 ? 1 : 0;
    return "ok";
}
int level_step(int x) { state = x > (state && !WRONG ? 2 : 5); return x; }
void chart_step(const char *trigger) {
    if (!trigger) return;
    if (!strcmp(trigger, "go")) state = state < 2 ? state + 1 : 2;
    else state = WRONG && state == 2 ? 0 : state > 0 ? state - 1 : 0;
}
int number(void) { return state; }
int shifted(void) { return 7 - state; }
const char *door_state(void) { return names[0][state]; }
const char *level_state(void) { return names[1][state]; }
const char *chart_state(void) { return names[2][state]; }
"""
STEPS = {
    "door": "const char *door_step(const char *input)",
    "level": "int level_step(int x)",
    "chart": "void chart_step(const char *trigger)",
}
SHIFTED = {
    "door": "{shut: 7, open: 6, locked: 5}",
    "level": "{low: 7, high: 6}",
    "chart": "{a: 7, b: 6, c: 5}",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("states")
    for name, text in (("door", DOOR), ("level", LEVEL), ("chart", CHART)):
        (made / f"{name}.yaml").write_text(text)
    return made


@pytest.fixture(scope="module")
def libraries(folder: Path) -> Path:
    (folder / "library.c").write_text(LIBRARY)
    for wrong in (0, 1):
        command = ["cc", "-shared", "-fPIC", f"-DWRONG={wrong}", "-o", str(folder / f"{wrong}.so")]
        subprocess.run([*command, str(folder / "library.c")], check=True)
    return folder


@needs_compiler
@pytest.mark.parametrize(
    ("name", "way"),
    [("door", "text"), ("door", "number"), ("level", "text"), ("chart", "shifted")],
)
def test_a_library_says_its_state(fullproof: Shell, libraries: Path, name: str, way: str) -> None:
    state = {
        "text": f"state: const char *{name}_state(void)\n",
        "number": "state: int number(void)\n",
        "shifted": f"state: int shifted(void)\nstates: {SHIFTED[name]}\n",
    }[way]
    for wrong in (0, 1):
        mapping = libraries / f"{name}-{way}-{wrong}.map.yaml"
        mapping.write_text(f"library: {wrong}.so\nstep: {STEPS[name]}\n{state}")
        words = ("run", libraries / f"{name}.yaml", "--sut", f"lib:{mapping}", "--json")
        assert fullproof(*words).json["verdict"] == "pass", "its outputs are right"
        seen = fullproof(*words, "--observe", "state")
        assert seen.json["verdict"] == ("fail" if wrong else "pass"), seen.out


@needs_compiler
@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("state: void number(void)", "expected one such as 'const char *number(void)' or 'int number(void)'"),
        ("state: int number(int x)", "expected one such as 'const char *number(void)' or 'int number(void)'"),
        ("state: int nothing(void)", "there is no function 'nothing' in it"),
        ("states: {shut: 1}", "numbers of states need a function 'state' that returns one"),
        ("state: int number(void)\nstates: {shut: 1, open: 2}", "no number for 'locked'"),
        (
            "state: int number(void)\nstates: {shut: 1, open: 2, loked: 3}",
            "'loked' is not a state of the model; did you",
        ),
    ],
)
def test_a_bad_mapping_is_one_line(fullproof: Shell, libraries: Path, text: str, complaint: str) -> None:
    mapping = libraries / "bad.map.yaml"
    mapping.write_text(f"library: 0.so\nstep: {STEPS['door']}\n{text}\n")
    ended = fullproof("run", libraries / "door.yaml", "--observe", "state", "--sut", f"lib:{mapping}")
    assert (ended.code, ended.err.count("\n")) == (4, 1)
    assert complaint in ended.err


@needs_compiler
def test_a_library_without_such_a_function_shows_no_state(fullproof: Shell, libraries: Path) -> None:
    mapping = libraries / "mute.map.yaml"
    mapping.write_text(f"library: 0.so\nstep: {STEPS['door']}\n")
    ended = fullproof("run", libraries / "door.yaml", "--observe", "state", "--sut", f"lib:{mapping}", "--json")
    assert (ended.code, ended.json["verdict"]) == (1, "error")
    assert "does not show its state" in ended.json["failures"][0]["reason"]


PAGE = """<!doctype html><meta charset="utf-8"><title>Door</title><body data-state="shut">
<button id="push">push</button> <button id="lock">lock</button> <output id="out"></output><i id="lamp"></i>
<script>
const moves = {
  push: {shut: "open", open: "BACK", locked: "locked"},
  lock: {shut: "locked", open: "open", locked: "shut"},
};
for (const name of ["push", "lock"]) document.getElementById(name).onclick = () => {
  document.body.dataset.state = moves[name][document.body.dataset.state];
  lamp.textContent = {shut: "red", open: "green", locked: "blue"}[document.body.dataset.state];
  out.textContent = "ok";
};
</script>"""


@needs_browser
@pytest.mark.parametrize(
    "state",
    [
        "text '#lamp'\nsymbols: {red: shut, green: open, blue: locked}",
        pytest.param("attribute data-state of body", marks=pytest.mark.slow),
    ],
)
def test_a_page_says_its_state(fullproof: Shell, folder: Path, state: str) -> None:
    mapping = folder / "page.map.yaml"
    mapping.write_text(
        f"page: page.html\nreset: document\nstep: click '#{{input}}'\noutput: text '#out'\nstate: {state}\n"
    )
    words = ("run", folder / "door.yaml", "--sut", f"browser:{mapping}", "--json")
    for target, verdict in (("shut", "pass"), ("open", "fail")):
        (folder / "page.html").write_text(PAGE.replace("BACK", target))
        assert target == "shut" or fullproof(*words).json["verdict"] == "pass", "its outputs are right"
        seen = fullproof(*words, "--observe", "state")
        assert seen.json["verdict"] == verdict, seen.out
    mapping.write_text(mapping.read_text().replace(f"state: {state}\n", ""))
    mute = fullproof(*words, "--observe", "state").json
    assert mute["verdict"] == "error" and "does not show its state" in mute["failures"][0]["reason"]
