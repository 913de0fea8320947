"""The model that all lamps of these tests should be, and what runs them."""

from pathlib import Path

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.suite import Test, make_test
from fullproof.execute import Options, execute
from fullproof.kinds.systems import open_sut
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition

SYSTEMS = Path(__file__).parent / "systems"

LAMP = Fsm(
    name="lamp",
    initial="dark",
    states=("dark", "bright"),
    inputs=("press", "look"),
    outputs=("on", "off"),
    transitions=(
        FsmTransition("dark", "press", "on", "bright"),
        FsmTransition("dark", "look", "off", "dark"),
        FsmTransition("bright", "press", "off", "dark"),
        FsmTransition("bright", "look", "on", "bright"),
    ),
)


def word(text: str) -> Test:
    """``ppl`` is press, press, look."""
    return make_test({"p": "press", "l": "look"}[letter] for letter in text)


def outputs(trace: Execution) -> list[object]:
    return [step.output for step in trace.steps]


def run(spec: str, *words: str, options: Options | None = None) -> list[Execution]:
    options = options or Options(step_timeout=5.0)
    sut = open_sut(spec, LAMP, step_timeout=options.step_timeout)
    try:
        return list(execute(sut, map(word, words), options=options))
    finally:
        sut.close()


def lamp(name: str) -> str:
    return f"python:{SYSTEMS / 'lamps.py'}:{name}"
