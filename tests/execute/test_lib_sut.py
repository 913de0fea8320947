"""Shared libraries in C, compiled here by the system's compiler."""

import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest
from tests.execute.lamp import LAMP, SYSTEMS, outputs, run

from fullproof.artefacts.suite import make_test
from fullproof.core.errors import UserError
from fullproof.execute import Enabled, Options, execute
from fullproof.kinds.systems import open_sut
from fullproof.language.syntax import Boolean
from fullproof.language.types import BoolType, EnumType, IntType, RealType, Variable
from fullproof.model import Sfsm
from fullproof.model.sfsm import SfsmTransition

COMPILER = shutil.which("cc") or shutil.which("gcc")
QUICK = Options(step_timeout=1.0)
MAPPING = "reset: void lamp_reset(void)\nstep: int lamp_step(int input)\n"

pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("lib")
    made: dict[int, Path] = {}

    def compiled(fault: int = 0) -> Path:
        if fault not in made:
            made[fault] = folder / f"lamp{fault}.so"
            command = [str(COMPILER), "-shared", "-fPIC", f"-DFAULT={fault}", "-o", str(made[fault])]
            subprocess.run([*command, str(SYSTEMS / "lamp.c")], check=True)
        return made[fault]

    return compiled


@pytest.fixture
def mapped(build, tmp_path: Path):
    def written(text: str = MAPPING, fault: int = 0) -> str:
        path = tmp_path / "lamp.yaml"
        path.write_text(f"library: {build(fault)}\n{text}")
        return f"lib:{path}"

    return written


def test_a_library_answers_and_forgets_at_each_reset(build, mapped):
    for spec in (f"lib:{build()}", mapped()):
        first, second = run(spec, "ppl", "plp")
        assert outputs(first) == ["on", "off", "off"]
        assert outputs(second) == ["on", "on", "off"]
        assert first.error is second.error is None


@pytest.mark.parametrize(
    ("fault", "reason"), [(1, "died: killed by SIGABRT"), (2, "no answer within 1 s")], ids=["abort", "endless loop"]
)
def test_a_crash_costs_one_test(mapped, fault, reason):
    broken, good = run(mapped(fault=fault), "plpl", "pl", options=QUICK)
    assert broken.error == reason
    assert outputs(broken) == ["on", "on"]
    assert good.error is None
    assert outputs(good) == ["on", "on"]


def test_what_it_prints_does_not_disturb(mapped):
    (trace,) = run(mapped(fault=3), "pl")
    assert (trace.error, outputs(trace)) == (None, ["on", "on"])


def test_a_number_that_is_no_output_is_seen_as_it_is(mapped):
    (trace,) = run(mapped(fault=4), "plp")
    assert outputs(trace) == ["on", "on", "77"]


def test_numbers_of_symbols_can_be_given(mapped):
    (trace,) = run(mapped(MAPPING + "inputs: {press: 1, look: 0}\noutputs: {'on': 1, 'off': 0}\n"), "pl")
    assert outputs(trace) == ["on", "off"]  # pressing is looking, and on is off: dark, then pressed


def test_enabled_inputs_are_asked_for(mapped):
    spec = mapped(MAPPING + "enabled: int lamp_enabled(int input)\n")
    dark, bright = run(spec, "lp", "pl", options=Options(step_timeout=5.0, enabled=Enabled.REQUIRED))
    assert outputs(dark) == []
    assert dark.enabled_at_end == frozenset({"press"})
    assert outputs(bright) == ["on", "on"]


FAN = Sfsm(
    name="fan",
    initial="s",
    states=("s",),
    inputs=(
        Variable(name="level", type=RealType()),
        Variable(name="hot", type=BoolType()),
        Variable(name="turns", type=IntType()),
    ),
    outputs=(
        Variable(name="speed", type=RealType()),
        Variable(name="mode", type=EnumType(("off", "low", "high"))),
        Variable(name="warmth", type=RealType()),
    ),
    transitions=(SfsmTransition(source="s", guard=Boolean(True), output=Boolean(True), target="s"),),
)
FAN_STEP = "void fan_step(double level, bool hot, long long turns, double *speed, int *mode, float *warmth)"


def test_values_are_exact_decimals(mapped):
    sut = open_sut(mapped(f"reset: void fan_reset(void)\nstep: {FAN_STEP}\n"), FAN)
    word = [{"level": Fraction(1, 10), "hot": False, "turns": 2}, {"level": Fraction(7), "hot": True, "turns": -1}]
    (trace,) = execute(sut, [make_test(word)])
    sut.close()
    assert trace.error is None
    assert outputs(trace) == [
        {"speed": Fraction(21, 10), "mode": "low", "warmth": Fraction(1, 10)},
        {"speed": Fraction(132, 10), "mode": "high", "warmth": Fraction(1, 10)},
    ]


def test_a_number_too_large_for_its_c_type_is_said(mapped):
    step = FAN_STEP.replace("long long turns", "int turns")
    sut = open_sut(mapped(f"reset: void fan_reset(void)\nstep: {step}\n"), FAN)
    (trace,) = execute(sut, [make_test([{"level": Fraction(0), "hot": True, "turns": 2**40}])])
    sut.close()
    assert "turns = 1099511627776 does not fit into int" in trace.error


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("step: int lamp_step(int input", "is no C declaration"),
        ("step: int lamp_step(struct s input)", "the C type 'struct s' is not known"),
        ("step: int lamp_step(int a, int b)", "expected one such as 'int step(int input)'"),
        ("step: int no_such_step(int input)", "there is no function 'no_such_step' in it"),
        ("stop: int lamp_step(int input)", "unknown key 'stop'; did you mean 'step'?"),
        ("reset: void lamp_reset(int x)", "reset takes nothing"),
        ("inputs: {press: 1}", "no number for 'look'"),
        ("inputs: {press: 1, look: 1}", "the number 1 is given twice"),
        ("step: [1]", "expected a text for 'step', found a list"),
    ],
)
def test_a_bad_mapping_is_one_clear_line(mapped, text, complaint):
    with pytest.raises(UserError) as error:
        open_sut(mapped(text + "\n"), LAMP)
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("step", "complaint"),
    [
        (
            "void fan_step(double level, bool hot, double *speed, int *mode, float *warmth)",
            "does not take the input 'turns'",
        ),
        (
            "void fan_step(double level, bool hot, long long turns)",
            "the outputs left for that are: speed, mode, warmth",
        ),
        ("void fan_step(int level)", "level cannot be a int, expected one such as double"),
        ("void fan_step(double lever)", "'lever' in void fan_step(double lever) is not an input of the model"),
    ],
)
def test_a_signature_that_does_not_fit_the_model_is_said(mapped, step, complaint):
    with pytest.raises(UserError) as error:
        open_sut(mapped(f"step: {step}\n"), FAN)
    assert complaint in str(error.value)


def test_a_missing_or_broken_library_is_one_line(tmp_path: Path):
    with pytest.raises(UserError, match="no such shared library"):
        open_sut(f"lib:{tmp_path / 'x.so'}", LAMP)
    (tmp_path / "y.so").write_text("nonsense")
    with pytest.raises(UserError, match=r"y\.so"):
        open_sut(f"lib:{tmp_path / 'y.so'}", LAMP)
