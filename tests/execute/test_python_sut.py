import json
import subprocess
import sys
import textwrap
import threading
import time
from fractions import Fraction
from pathlib import Path

import pytest
from tests.execute.lamp import LAMP, SYSTEMS, lamp, outputs, run, word

from fullproof.artefacts.suite import make_test
from fullproof.core.errors import UserError
from fullproof.execute import Enabled, Options, execute
from fullproof.kinds.systems import open_sut
from fullproof.language.parser import parse_expression
from fullproof.language.types import BoolType, EnumType, IntType, RealType, Variable
from fullproof.model import Sfsm
from fullproof.model.sfsm import SfsmTransition

QUICK = Options(step_timeout=0.5)


def test_a_lamp_answers_and_forgets_at_each_reset():
    first, second = run(lamp("Lamp"), "ppl", "plp")
    assert outputs(first) == ["on", "off", "off"]
    assert outputs(second) == ["on", "on", "off"]
    assert first.error is second.error is None


@pytest.mark.parametrize("name", ["make_lamp", "House.Kitchen", "EnumLamp"])
def test_factories_nested_classes_and_string_enums_are_fine(name):
    (trace,) = run(lamp(name), "pp")
    assert outputs(trace) == ["on", "off"]
    assert all(type(output) is str for output in outputs(trace))


def test_a_class_without_reset_is_made_anew_for_every_test():
    traces = run(lamp("NoReset"), "p", "p", "p")
    assert [outputs(t) for t in traces] == [["on"]] * 3


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("CrashAtThird", "raised RuntimeError: the bulb is broken"),
        ("ExitAtThird", "called sys.exit(7)"),
        ("SleepAtThird", "no answer within 0.5 s"),
        ("SpinAtThird", "no answer within 0.5 s"),
    ],
)
def test_a_system_that_breaks_ends_its_test_and_the_next_runs_on_a_fresh_one(name, reason):
    broken, good, broken_again = run(lamp(name), "plpl", "pl", "ppp", options=QUICK)
    assert reason in broken.error
    assert outputs(broken) == ["on", "on"]
    assert "lamps.py" in broken.evidence
    assert good.error is None
    assert outputs(good) == ["on", "on"]
    assert broken_again.error is not None  # the fresh object has counted only "pl" before
    assert outputs(broken_again) == []


def test_the_place_of_the_error_is_named():
    (trace,) = run(lamp("CrashAtThird"), "ppp")
    line = next(n for n, text in enumerate((SYSTEMS / "lamps.py").read_text().splitlines(), 1) if "the bulb" in text)
    assert f"lamps.py, line {line}" in trace.error
    assert "\n" not in trace.error


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("AnswersFraction", "answered 0.5 (float), expected an output symbol: a str, int, bool, None, bytes or enum"),
        ("AnswersUnprintable", "answered <Unprintable"),
        ("RaisesUnprintable", "raised UnprintableError"),
        ("BadReset", "reset: raised OSError: no power"),
        ("HangingReset", "reset: no answer within 0.5 s"),
    ],
)
def test_nonsense_ends_the_test(name, reason):
    (trace,) = run(lamp(name), "pp", options=QUICK)
    assert trace.error.startswith(reason)
    assert outputs(trace) == []


def test_a_hang_is_ended_in_other_threads_too():
    traces = []
    thread = threading.Thread(target=lambda: traces.extend(run(lamp("SpinAtThird"), "ppp", "p", options=QUICK)))
    thread.start()
    thread.join(120)
    assert not thread.is_alive()
    assert "no answer within 0.5 s" in traces[0].error
    assert outputs(traces[1]) == ["on"]


def test_a_slow_reader_of_traces_is_not_taken_for_a_hang():
    sut = open_sut(lamp("Lamp"), LAMP)
    for trace in execute(sut, [word("p")] * 2, options=QUICK):
        time.sleep(1)  # longer than the limit
        assert trace.error is None


def test_the_alarm_is_given_back():
    import signal

    before = signal.getsignal(signal.SIGALRM)
    run(lamp("Lamp"), "p", options=QUICK)
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_grey_boxes_tell_what_is_enabled_and_are_not_asked_for_more():
    sut = open_sut(lamp("GreyLamp"), LAMP)
    traces = list(execute(sut, [word("lpp")], options=Options(enabled=Enabled.IF_OFFERED)))
    assert [step.enabled for step in traces[0].steps] == [{"press", "look"}, {"press", "look"}]
    assert outputs(traces[0]) == ["off", "on"]
    assert traces[0].enabled_at_end == {"look"}
    assert traces[0].error is None


def test_a_black_box_cannot_be_made_grey():
    sut = open_sut(lamp("Lamp"), LAMP)
    (trace,) = execute(sut, [word("p")], options=Options(enabled=Enabled.IF_OFFERED))
    assert trace.steps[0].enabled is None
    with pytest.raises(UserError, match="does not say which inputs are enabled"):
        list(execute(sut, [word("p")], options=Options(enabled=Enabled.REQUIRED)))


def test_nonsense_about_enabled_inputs_is_an_error():
    sut = open_sut(lamp("BadEnabled"), LAMP)
    (trace,) = execute(sut, [word("p")], options=Options(enabled=Enabled.IF_OFFERED))
    assert "says that 5 is enabled" in trace.error


def test_what_the_system_prints_stays_off_standard_output():
    script = textwrap.dedent(
        """
        from tests.execute.lamp import lamp, outputs, run
        print("before", flush=True)
        print(outputs(run(lamp("Chatterbox"), "pl")[0]))
        """
    )
    root = Path(__file__).parent.parent.parent
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=root, check=True)
    assert done.stdout.splitlines() == ["before", "['on', 'on']"]
    for source in ("print", "the descriptor", "a child"):
        assert f"said by {source}" in done.stderr


def test_closing_calls_close_once_and_survives_it():
    sut = open_sut(lamp("Closing"), LAMP)
    sut.close()
    sut.close()
    assert type(sut)  # what it raised is gone
    module = sys.modules["fullproof_sut_lamps"]
    assert module.Closing.closed == 1


def test_closing_does_not_wait_for_ever():
    sut = open_sut(lamp("HangingClose"), LAMP, step_timeout=0.5)
    begin = time.monotonic()
    sut.close()
    assert time.monotonic() - begin < 50, "it sleeps for 60 s"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (lamp("Lampp"), "no 'Lampp' in .*did you mean 'Lamp'"),
        (lamp("NOT_CALLABLE"), "neither a class nor a factory"),
        (lamp("NeedsArgument"), r"NeedsArgument\(\) raised TypeError: .*'port'"),
        (lamp("NoStep"), "NoStep has no method step; it has reset, stpe"),
        (lamp("make_nothing"), "make_nothing has no method step"),
        (lamp("StepTakesTwo"), r"StepTakesTwo.step\(symbol, other\) does not take one input symbol"),
        (lamp("BrokenConstructor"), r"lamps.py, line \d+: BrokenConstructor\(\) raised ConnectionError: no lamp"),
        (lamp("SlowConstructor"), r"SlowConstructor\(\) did not return within 0.5 s"),
        (f"python:{SYSTEMS}/lamp.py:Lamp", "lamp.py: no such file; did you mean 'lamps.py'"),
        ("python:nowhere/lamp.py:Lamp", "nowhere/lamp.py: no such file$"),
        ("python:lamps", "expected python:path/to/file.py:Name"),
        ("python:no_such_package.lamps:Lamp", "no module named 'no_such_package'"),
        ("python::Lamp", "expected python:path/to/file.py:Name"),
        ("pyton:lamps.py:Lamp", "unknown kind of system 'pyton'; did you mean 'python'"),
        ("lamps.py", "expected python:FILE.py:Name"),
        ("http://127.0.0.1:9", "cannot connect to 127.0.0.1:9"),
        ("lib:lamp.so", "no such shared library"),
        ("", "expected python:FILE.py:Name"),
    ],
)
def test_a_system_that_cannot_be_opened_is_the_users_error(spec, message):
    with pytest.raises(UserError, match=message) as caught:
        open_sut(spec, LAMP, step_timeout=0.5)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import os\nimport no_such_thing\n", r"bad.py, line 2: cannot import .*No module named 'no_such_thing'"),
        ("x = 1\ndef f(:\n", r"bad.py, line 2, column \d+: cannot import .*SyntaxError"),
        ("def f():\n    return 1 / 0\nf()\n", r"bad.py, line 2: cannot import .*ZeroDivisionError"),
        ("import sys\nsys.exit(2)\n", r"bad.py, line 2: cannot import .*called sys.exit\(2\)"),
        ("\0", r"cannot import .*(SyntaxError|ValueError)"),
    ],
)
def test_code_that_cannot_be_imported_is_the_users_error(tmp_path, text, message):
    (tmp_path / "bad.py").write_text(text)
    with pytest.raises(UserError, match=message):
        open_sut(f"python:{tmp_path}/bad.py:Lamp", LAMP)


def test_a_file_finds_the_modules_beside_it_and_dataclasses_work(tmp_path):
    (tmp_path / "beside_it.py").write_text("WORD = 'on'\n")
    (tmp_path / "user.py").write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\nimport beside_it\n"
        "@dataclass\nclass User:\n    n: int = 0\n    def step(self, s): return beside_it.WORD\n"
    )
    (trace,) = run(f"python:{tmp_path}/user.py:User", "p")
    assert outputs(trace) == ["on"]


def test_a_module_is_found_in_the_working_directory(tmp_path, monkeypatch):
    (tmp_path / "lamp_package").mkdir()
    (tmp_path / "lamp_package" / "one.py").write_text("class L:\n    def step(self, s): return 'off'\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [p for p in sys.path if p])
    (trace,) = run("python:lamp_package.one:L", "p")
    assert outputs(trace) == ["off"]


def symbolic(*outputs: Variable) -> Sfsm:
    return Sfsm(
        name="symbolic",
        initial="s",
        states=("s",),
        inputs=(Variable(name="x", type=RealType()), Variable(name="b", type=BoolType())),
        outputs=outputs,
        transitions=(
            SfsmTransition(source="s", guard=parse_expression("true"), output=parse_expression("true"), target="s"),
        ),
    )


REAL = Variable(name="y", type=RealType())
INT = Variable(name="y", type=IntType())
ENUM = Variable(name="y", type=EnumType(("1", "two")))


def observe(tmp_path, body: str, *outputs: Variable, x: Fraction = Fraction(1)):
    (tmp_path / "s.py").write_text(f"from fractions import Fraction\nclass S:\n    def step(self, x, b): {body}\n")
    sut = open_sut(f"python:{tmp_path}/s.py:S", symbolic(*outputs))
    (trace,) = execute(sut, [make_test([{"x": x, "b": True}])])
    return trace


@pytest.mark.parametrize(
    ("x", "seen"), [(Fraction(4), "int 4"), (Fraction(1, 10), "float 0.1"), (Fraction(1, 3), "Fraction 1/3")]
)
def test_values_arrive_as_python_would_write_them(tmp_path, x, seen):
    trace = observe(tmp_path, "return f'{type(x).__name__} {x}'", ENUM, x=x)
    assert trace.steps[0].output == {"y": seen}


@pytest.mark.parametrize(
    ("body", "output", "value"),
    [
        ("return x / 10", REAL, Fraction(1, 10)),
        ("return 3", REAL, Fraction(3)),
        ("return Fraction(1, 3)", REAL, Fraction(1, 3)),
        ("return '20/3'", REAL, Fraction(20, 3)),
        ("return {'y': 2.5}", REAL, Fraction(5, 2)),
        ("from decimal import Decimal; return Decimal('0.3')", REAL, Fraction(3, 10)),
        ("import numpy; return numpy.float64(0.1)", REAL, Fraction(1, 10)),
        ("import numpy; return numpy.int32(7)", INT, 7),
        ("return 2.0", INT, 2),
        ("return 2.5", INT, Fraction(5, 2)),
        ("return '1'", ENUM, "1"),
        ("return '1'", INT, "1"),
        ("return {'y': ' 1'}", INT, " 1"),
        ("return '2.0'", INT, "2.0"),
        ("return '4/2'", INT, "4/2"),
        ("return 'nonsense'", REAL, "nonsense"),
        ("return b", REAL, True),
    ],
)
def test_answers_become_exact_values(tmp_path, body, output, value):
    trace = observe(tmp_path, body, output)
    assert trace.error is None
    assert trace.steps[0].output == {"y": value}
    assert type(trace.steps[0].output["y"]) is type(value)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return None", "answered None (NoneType) for y"),
        ("return float('nan')", "answered nan (float) for y"),
        ("return float('inf')", "answered inf (float) for y"),
        ("return [1]", "answered [1] (list) for y"),
        ("return 10 ** 5000", "for y, which is not a value"),
        ("return {'z': 1}", "without the output y"),
        ("return {'y': 1, 'z': 1}", "with 'z', which is not an output of the model"),
        ("return complex(1, 2)", "answered (1+2j) (complex) for y"),
    ],
)
def test_what_is_no_value_at_all_is_an_error(tmp_path, body, reason):
    trace = observe(tmp_path, body, REAL)
    assert reason in trace.error


def test_several_outputs_come_by_name(tmp_path):
    z = Variable(name="z", type=BoolType())
    assert observe(tmp_path, "return {'z': b, 'y': x}", REAL, z).steps[0].output == {"y": 1, "z": True}
    assert "expected the outputs y, z by name" in observe(tmp_path, "return 1", REAL, z).error


def test_step_must_take_the_inputs_of_the_model(tmp_path):
    (tmp_path / "s.py").write_text("class S:\n    def step(self, speed): return 1\n")
    with pytest.raises(UserError, match=r"S.step\(speed\) does not take the inputs by name: x, b"):
        open_sut(f"python:{tmp_path}/s.py:S", symbolic(REAL))


def test_nobody_ends_the_process_in_which_a_run_is(tmp_path: Path) -> None:
    """Else a run would end with whatever code the system likes, 0 for instance."""
    (tmp_path / "m.yaml").write_text(
        "machine: fsm\nname: m\ninitial: s\nstates:\n  s: [{when: a, then: x, to: s}, {when: b, then: x, to: s}]\n"
    )
    (tmp_path / "s.py").write_text(
        "import os\nclass S:\n  def reset(self): ...\n"
        "  def step(self, symbol):\n    if symbol == 'b': os._exit(0)\n    return 'x'\n"
        "class Forks(S):\n"
        "  def step(self, symbol):\n    child = os.fork()\n    if not child: os._exit(0)\n"
        "    assert os.waitpid(child, 0)[1] == 0\n    return 'x'\n"
    )
    for name, expected in (("S", ("error", 1)), ("Forks", ("pass", 0))):
        command = [sys.executable, "-m", "fullproof", "run", "m.yaml", "--sut", f"python:s.py:{name}", "--json"]
        ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (json.loads(ended.stdout)["verdict"], ended.returncode) == expected
