"""Libraries whose inputs are calls, with handles: compiled here, or found by the loader."""

import shutil
import subprocess
from ctypes.util import find_library
from pathlib import Path

import pytest
from tests.execute.lamp import outputs

from fullproof.artefacts.suite import make_test
from fullproof.core.errors import UserError
from fullproof.execute import execute
from fullproof.kinds.systems import open_sut
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")


COUNTER = """
#include <stdlib.h>
static int made;
void *counter_new(int first) { int *c = malloc(sizeof *c); *c = first; made++; return c; }
void counter_free(void *c) { free(c); }
int counter_add(void *c, int by) { return *(int *)c += by; }
double counter_scaled(void *c, double factor) { return *(int *)c * factor; }
const char *counter_name(void *c) { return *(int *)c > 2 ? "many" : "few"; }
int counters_made(void) { return made; }
"""
CALLS = """
library: {library}
functions:
  - void *counter_new(int first)
  - void counter_free(void *c)
  - int counter_add(void *c, int by)
  - const char *counter_name(void *c)
  - int counters_made(void)
setup: c = counter_new(0)
teardown: counter_free(c)
inputs: {{add: 'counter_add(c, 2)', name: counter_name(c), made: counters_made()}}
outputs: {{two: 2, four: 4, one: 1}}
"""


@pytest.fixture(scope="module")
def counter(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("counter")
    (folder / "counter.c").write_text(COUNTER)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", "counter.so", "counter.c"], cwd=folder, check=True)
    return folder / "counter.so"


def called(mapping: Path, *words: str) -> list[list[object]]:
    symbols = dict.fromkeys(symbol for word in words for symbol in word.split())
    loops = tuple(FsmTransition("s", symbol, "two", "s") for symbol in symbols)
    model = Fsm(name="c", initial="s", states=("s",), inputs=tuple(symbols), outputs=("two",), transitions=loops)
    sut = open_sut(f"lib:{mapping}", model, step_timeout=30)
    try:
        return [outputs(run) for run in execute(sut, [make_test(word.split()) for word in words])]
    finally:
        sut.close()


def test_handles_are_made_for_each_test_and_passed_on(counter: Path, tmp_path: Path) -> None:
    mapping = tmp_path / "m.yaml"
    mapping.write_text(CALLS.format(library=counter))
    assert called(mapping, "add add name add", "add name made") == [["two", "four", "many", "6"], ["two", "few", "two"]]


def test_a_library_without_a_way_back_is_loaded_anew(counter: Path, tmp_path: Path) -> None:
    mapping = tmp_path / "m.yaml"
    mapping.write_text(CALLS.format(library=counter) + "reset: reload\n")
    assert called(mapping, "add made name", "add made name") == [["two", "one", "few"]] * 2


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "counter_name(c)",
            "counter_nam(c)",
            "'counter_nam' is not declared in 'functions'; did you mean 'counter_name'?",
        ),
        ("counter_name(c)", "counter_name(d)", "there is no handle or value 'd'"),
        ("counter_name(c)", "counter_name()", "takes 1 arguments, found 0"),
        ("counter_name(c)", "counter_free(c)", "counter_free returns nothing"),
        ("counter_name(c)", "counter name", "is not a call"),
        ("void *counter_new(int first)", "struct c *counter_new(int first)", "the C type"),
        ("made: counters_made()", "other: counters_made()", "'other' is not an input of the model"),
        ("setup:", "state:", "unknown key 'state'"),
    ],
)
def test_a_wrong_call_is_said_with_its_place(counter: Path, tmp_path: Path, old: str, new: str, message: str) -> None:
    mapping = tmp_path / "m.yaml"
    mapping.write_text(CALLS.format(library=counter).replace(old, new))
    with pytest.raises(UserError) as error:
        called(mapping, "add name made")
    assert message in str(error.value)
    assert str(error.value).startswith(f"{mapping}, line ")


def test_a_library_is_found_by_its_name(tmp_path: Path) -> None:
    if find_library("c") is None:
        pytest.skip("the loader finds no C library")
    mapping = tmp_path / "m.yaml"
    mapping.write_text("library: c\nfunctions: [int abs(int n)]\nstep: abs(-4)\noutputs: {four: 4}\n")
    assert called(mapping, "a") == [["four"]]
    mapping.write_text("library: no_such_thing\nfunctions: [int abs(int n)]\nstep: abs(-4)\n")
    with pytest.raises(UserError, match=r"line 1, column 10: there is no file 'no_such_thing', and the loader finds"):
        called(mapping, "a")
