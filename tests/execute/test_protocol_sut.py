"""Systems that speak a protocol of their own, by a mapping file: good and bad, on a pipe, a port and a terminal."""

import os
import shutil
import sys
import termios
import threading
from pathlib import Path

import pytest
from tests.execute.lamp import SYSTEMS

from fullproof.artefacts.suite import make_test
from fullproof.core.errors import UserError
from fullproof.execute import Options, execute
from fullproof.formats import read_model
from fullproof.kinds.systems import check_sut, open_sut
from fullproof.model import Fsm, Model
from fullproof.model.fsm import FsmTransition
from fullproof.model.inputs import SignalEvent

DEVICE = f"{sys.executable} {SYSTEMS / 'lamp_device.py'}"
EXAMPLES = Path(__file__).parents[2] / "examples" / "systems"
PATIENT = Options(step_timeout=30)
TEXT = """
frames: "\\n"
inputs: {press: "press\\n"}
outputs: {'on': LAMP on, 'off': LAMP off, ready: READY, hello: HELLO}
ignore: ['# .*']
"""


def machine(*inputs: str) -> Fsm:
    """Only the inputs matter here: what a system answers is compared in the tests."""
    return Fsm(
        name="lamp", initial="s", states=("s",), inputs=inputs, outputs=("on",),
        transitions=tuple(FsmTransition("s", symbol, "on", "s") for symbol in inputs),
    )  # fmt: skip


def played(
    tmp_path: Path, scheme: str, mapping: str, *words: str, options: Options = PATIENT, model: Model | None = None
):
    """What the system answers to each word, and the error that ended it, if any."""
    file = tmp_path / "m.yaml"
    file.write_text(mapping)
    symbols = dict.fromkeys(symbol for word in words for symbol in word.split())
    sut = open_sut(f"{scheme}:{file}", model or machine(*symbols), step_timeout=options.step_timeout)
    try:
        runs = list(execute(sut, [make_test(word.split()) for word in words], options=options))
    finally:
        sut.close()
    return [([step.output for step in run.steps], run.error) for run in runs]


def test_a_process_is_started_anew_for_each_test(tmp_path: Path) -> None:
    found = played(tmp_path, "exec", f"start: {DEVICE}\n{TEXT}", "press press press", "press")
    assert found == [(["on", "off", "on"], None), (["on"], None)]


def test_a_reset_by_message_keeps_the_process(tmp_path: Path) -> None:
    mapping = f'start: {DEVICE} fault=nonsense\nreset: {{send: "reset\\n", expect: ready}}\n{TEXT}'
    found = played(tmp_path, "exec", mapping, "press press", "press press")
    # The third press of the process, the first of the second test, shows that it is still the same one.
    assert found[0] == (["on", "off"], None)
    assert found[1][0][0].startswith("unknown ")


def test_messages_without_patterns_are_called_what_they_say(tmp_path: Path) -> None:
    mapping = f'start: {DEVICE}\nframes: "\\n"\nstep: "{{input}}\\n"\nanswer: {{until: [LAMP on, LAMP off]}}\n'
    reset = 'reset: {send: "reset\\n", expect: READY}\n'
    found = played(tmp_path, "exec", mapping + reset, "press press", "press")
    assert found == [(["# pressed+LAMP on", "# pressed+LAMP off"], None), (["# pressed+LAMP on"], None)]


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("die", "died: exit status 7"),
        ("hang", "no answer within 2 s"),
        ("flood", "unexpected output: more than"),
        ("extra", "unexpected output: wrote 'LAMP off' without being asked"),
        ("storm", "unexpected output: wrote"),
    ],
)
def test_a_bad_system_costs_one_test(tmp_path: Path, fault: str, error: str) -> None:
    options = Options(step_timeout=2 if fault == "hang" else 30)
    mapping = f"start: {DEVICE} fault={fault}\n{TEXT}"
    found = played(tmp_path, "exec", mapping, "press press press press", "press", options=options)
    assert found[0][0][:2] == ["on", "off"]
    assert (found[0][1] or "").startswith(error)
    assert found[1] == (["on"], None)


def test_nonsense_is_an_observation(tmp_path: Path) -> None:
    found = played(tmp_path, "exec", f"start: {DEVICE} fault=nonsense\n{TEXT}", "press press press press")
    (outputs, error) = found[0]
    assert error is None
    assert outputs[2].startswith("unknown '")


SERVER = f"""
start: {DEVICE} {{port}}
address: 127.0.0.1:{{port}}
ready: {{pattern: listening, within: 60}}
sessions: [a, b]
setup: {{expect: hello}}
frames: "\\n"
reset: [reconnect, {{send: "reset\\n", expect: ready}}]
step: "{{input}}\\n"
outputs: {{'on': LAMP on, 'off': LAMP off, ready: READY, hello: HELLO, fenced: 'what\\?'}}
ignore: ['# .*']
fence: {{send: "fence\\n", expect: fenced}}
silent: nothing
closed: closed
"""


def test_several_clients_see_what_each_of_them_receives(tmp_path: Path) -> None:
    found = played(tmp_path, "tcp", SERVER, "a.press b.press b.all b.quiet", "a.bye b.press a.press")
    assert found[0] == (["a.on", "b.off", "a.on+b.on", "nothing"], None)
    assert found[1] == (["a.closed", "b.on", "a.closed"], None)


def test_a_server_is_restarted_where_the_mapping_file_says_so(tmp_path: Path) -> None:
    mapping = SERVER.replace("reset: [reconnect", "reset: [restart").replace(" {port}\n", " {port} fault=nonsense\n")
    found = played(tmp_path, "tcp", mapping, "a.press a.press", "a.press a.press")
    assert [outputs for outputs, _ in found] == [["a.on", "a.off"]] * 2


def test_a_teardown_that_fails_costs_no_test(tmp_path: Path) -> None:
    mapping = SERVER + 'teardown: {send: "bye\\n", expect: ready}\n'
    assert played(tmp_path, "tcp", mapping, "a.press", "a.press") == [(["a.on"], None)] * 2


def test_an_answer_may_end_by_silence_a_number_or_a_name_and_be_a_bag(tmp_path: Path) -> None:
    """Nothing ever comes where silence ends an answer, and all that comes does so at once: no clock decides."""
    third = '{send: "press\\n", answer: {messages: 2, silence: 60000}}'
    quiet = '{send: "quiet\\n", answer: {silence: 100}}'
    more = f"inputs: {{third: {third}, quiet: {quiet}, "
    mapping = f"start: {DEVICE} fault=extra\n{TEXT}order: bag\nsilent: nothing\n".replace("inputs: {", more)
    found = played(tmp_path, "exec", mapping, "press press third quiet")
    assert found[0] == (["on", "off", "off+on", "nothing"], None)
    mapping = mapping.replace("order: bag\n", "").replace("{messages: 2, silence: 60000}", "{until: 'off'}")
    assert played(tmp_path, "exec", mapping, "press press third quiet")[0][0] == ["on", "off", "on+off", "nothing"]


SFSM = """
machine: sfsm
name: dimmer
inputs: {x: real 0..100}
outputs: {y: real 0.., bright: bool}
initial: s
states:
  s:
    - {when: x > 10, then: y == x and bright, to: s}
    - {when: x <= 10, then: y == x and not bright, to: s}
"""


def test_values_go_into_templates_and_come_from_groups(tmp_path: Path) -> None:
    (tmp_path / "model.yaml").write_text(SFSM)
    model = read_model(tmp_path / "model.yaml")
    file = tmp_path / "m.yaml"
    groups = "level=(?P<y>[0-9.]+) bright=(?P<bright>true|false)"
    file.write_text(f'start: {DEVICE}\nframes: "\\n"\nstep: "set {{x}}\\n"\noutputs: {{level: "{groups}"}}\n')
    sut = open_sut(f"exec:{file}", model, step_timeout=30)
    try:
        sut.reset()
        assert sut.step({"x": 12}) == {"y": 12, "bright": True}
        assert sut.step({"x": 0.5}) == {"y": 0.5, "bright": False}
    finally:
        sut.close()


CHART = """
machine: statemachine
name: lamp
signals: {in: [press], out: ['on', 'off']}
initial: dark
states:
  dark:
    - {trigger: press, send: ['on'], to: bright}
  bright:
    - {trigger: press, send: ['off'], to: dark}
"""


def test_names_of_messages_are_signals_of_a_state_machine(tmp_path: Path) -> None:
    (tmp_path / "model.yaml").write_text(CHART)
    model = read_model(tmp_path / "model.yaml")
    file = tmp_path / "m.yaml"
    file.write_text(f"start: {DEVICE}\n{TEXT}")
    sut = open_sut(f"exec:{file}", model, step_timeout=30)
    try:
        sut.reset()
        event = SignalEvent("press")
        assert [sut.step(event), sut.step(event)] == [{"send": ["on"]}, {"send": ["off"]}]
    finally:
        sut.close()


STS = """
machine: sts
name: echo
inputs: {emit: {p: int}}
outputs: {out: {p: int}}
initial: l0
states:
  l0:
    - {gate: emit, when: 0 <= p <= 9, to: l0}
    - {gate: out, to: l0}
"""


def test_messages_are_outputs_of_a_reactive_system(tmp_path: Path) -> None:
    (tmp_path / "model.yaml").write_text(STS)
    model = read_model(tmp_path / "model.yaml")
    file = tmp_path / "m.yaml"
    file.write_text(
        f'start: {DEVICE}\nframes: "\\n"\ninputs: {{emit: "emit {{p}}\\n"}}\noutputs: {{out: "out (?P<p>[0-9]+)"}}\n'
    )
    check_sut(f"exec:{file}", model)
    sut = open_sut(f"exec:{file}", model, step_timeout=30)
    try:
        sut.reset()
        assert sut.receive(0) is None
        sut.send("emit", (3,))
        assert sut.receive(30) == ("out", (3,))
        assert sut.receive(0.05) is None
    finally:
        sut.close()


def test_a_serial_line_is_a_stream_like_others(tmp_path: Path) -> None:
    pytest.importorskip("serial")
    ours, theirs = os.openpty()
    sys.path.insert(0, str(SYSTEMS))
    try:
        from lamp_device import Lamp
    finally:
        sys.path.remove(str(SYSTEMS))

    def device() -> None:
        lamp, buffer = Lamp(), b""
        while True:
            try:
                buffer += os.read(ours, 100)
            except OSError:
                return
            *lines, buffer = buffer.split(b"\n")
            for text in (text for line in lines for text in lamp.answer(line)):
                os.write(ours, text)

    threading.Thread(target=device, daemon=True).start()
    mapping = f'device: {os.ttyname(theirs)}\nbaud: 115200\nreset: {{send: "reset\\n", expect: ready}}\n{TEXT}'
    try:
        assert played(tmp_path, "serial", mapping, "press press", "press") == [(["on", "off"], None), (["on"], None)]
    finally:
        os.close(theirs)
        os.close(ours)


def test_a_device_that_does_not_take_its_parity_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As Linux has it of pseudo terminals; the error of termios is no OSError."""
    serial = pytest.importorskip("serial")

    def refusing(*_: object, **__: object) -> None:
        raise termios.error(22, "Invalid argument")

    monkeypatch.setattr(serial, "Serial", refusing)
    with pytest.raises(UserError, match=r"^cannot open /dev/x: .* baud 9600 and parity even \(Invalid argument\)$"):
        played(tmp_path, "serial", "device: /dev/x\nbaud: 9600\nparity: even\n" + TEXT, "press")


@pytest.mark.parametrize(
    ("scheme", "mapping", "message"),
    [
        ("tcp", "address: 127.0.0.1:1\n" + TEXT, "cannot connect to 127.0.0.1:1"),
        ("tcp", f"start: {sys.executable} -c ''\naddress: 127.0.0.1:1\n" + TEXT, "exit status 0"),
        ("serial", "device: /dev/none\n" + TEXT, "cannot open /dev/none"),
        ("exec", f'start: {DEVICE}\nsetup: {{send: "reset\\n", expect: hello}}\n' + TEXT, "expected hello"),
    ],
)
def test_a_system_that_cannot_be_reached_is_one_line(tmp_path: Path, scheme: str, mapping: str, message: str) -> None:
    if scheme == "serial":
        pytest.importorskip("serial")
    with pytest.raises(UserError) as error:
        played(tmp_path, scheme, mapping, "press")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("folder", "mapping", "program"),
    [
        ("redis", "redis.yaml", "redis-server"),
        ("mosquitto", "mosquitto.yaml", "mosquitto"),
        ("smtp", "smtp.yaml", "python3"),
    ],
)
def test_known_servers_are_tested_by_their_mapping_files(
    folder: str, mapping: str, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is tried with the shortest sequences that take every transition of its model."""
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    if folder == "smtp" and sys.version_info >= (3, 12):
        pytest.skip("the standard library has no SMTP server any more")
    monkeypatch.chdir(EXAMPLES / folder)
    model = read_model(Path("model.yaml"))
    sut = open_sut(f"tcp:{mapping}", model, step_timeout=30)
    try:
        for state, word, outputs in _covered(model):
            runs = list(execute(sut, [make_test(word)], options=PATIENT))
            assert ([step.output for step in runs[0].steps], runs[0].error) == (outputs, None), state
    finally:
        sut.close()


def _covered(model: Fsm):
    """For each transition a shortest path to it."""
    paths: dict[str, tuple[list[str], list[str]]] = {model.initial: ([], [])}
    queue = [model.initial]
    while queue:
        state = queue.pop(0)
        inputs, outputs = paths[state]
        for edge in model.transitions:
            if edge.source != state:
                continue
            yield state, [*inputs, edge.input], [*outputs, edge.output]
            if edge.target not in paths:
                paths[edge.target] = ([*inputs, edge.input], [*outputs, edge.output])
                queue.append(edge.target)
