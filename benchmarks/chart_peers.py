"""Charts in other interpreters: XState, python-statemachine and sismic beside what is read here, on random charts."""

from __future__ import annotations

import importlib.util
import json
import logging
import re
import shutil
import signal
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from fullproof.analysis.run_to_completion import RunGoesWrong, RunToCompletion
from fullproof.core.errors import UserError
from fullproof.formats import read_model_text
from fullproof.formats.charts.written import ChartQuestions, plain_effect
from fullproof.language.printer import to_text
from fullproof.language.syntax import TRUE
from fullproof.model import StateMachine
from fullproof.model.chart import Effect, ExitsAndEntries, HistoryDepth, Vertex, state_names

CHARTS = 400
DRIVER = Path(__file__).parent / "peers" / "xstate_driver.cjs"


def xstate_is_missing() -> str | None:
    """Why XState cannot be asked; None where it can."""
    if shutil.which("node") is None:
        return "node is not installed"
    found = subprocess.run(["node", "-e", "require.resolve('xstate')"], capture_output=True, check=False, timeout=60)
    return "node finds no module xstate (npm install xstate; NODE_PATH)" if found.returncode else None


def is_missing(module: str) -> str | None:
    """Why a peer in Python cannot be asked; None where it can."""
    return None if importlib.util.find_spec(module) is not None else f"{module} is not installed (pip install)"


def compared_with_xstate(charts: int, seed: int) -> Counter[str]:
    """What became of random machines; a difference is a line of its own, with the machine."""
    from tests.strategies.xstate import EVENTS, random_machine

    dice = Random(seed)
    jobs = [(random_machine(dice), [dice.choice(EVENTS) for _ in range(6)]) for _ in range(charts)]
    lines = "".join(json.dumps({"machine": machine, "events": events}) + "\n" for machine, events in jobs)
    ran = subprocess.run(["node", str(DRIVER)], input=lines, capture_output=True, text=True, check=True, timeout=600)
    found: Counter[str] = Counter()
    for (machine, events), line in zip(jobs, ran.stdout.splitlines(), strict=True):
        found[_with_xstate(machine, events, json.loads(line))] += 1
    return found


def _with_xstate(machine: dict[str, Any], events: list[str], reply: dict[str, Any]) -> str:
    try:
        model = read_model_text(json.dumps(machine), Path("m.json"))
    except UserError:
        return "refused here"
    if "error" in reply:
        return "refused there"
    assert isinstance(model, StateMachine)
    wanted = [(answer["states"], answer["sent"], answer["context"]) for answer in reply["answers"]]
    try:
        mine = list(_played(model, events))
    except RunGoesWrong:
        return "refused here"
    for (states, sent, values), (their_states, their_sent, context) in zip(mine, wanted, strict=True):
        same = (sorted(states), sent) == (their_states, their_sent)
        if not same or any(context[name] != value for name, value in values.items()):
            return f"differs: {json.dumps(machine)} {events}"
    return "agrees"


def _played(model: StateMachine, events: list[str]) -> Iterator[tuple[tuple[str, ...], list[str], dict[str, Any]]]:
    """The active states, what is sent and the values at the start and after each event."""
    active, runner = dict(model.active), RunToCompletion(model)
    here = runner.start
    yield active.get(here.state, (here.state,)), list(model.greeting), dict(runner.values(here))
    for event in events:
        sent: list[str] = []
        if event in model.signals_in:
            (run,) = runner.runs(here, event, {})
            here, sent = run.end, list(run.sent)
        yield active.get(here.state, (here.state,)), sent, dict(runner.values(here))


Peer = Callable[[str, StateMachine, list[str]], list[list[str]] | None]
"""The active states at the start and after each event; None for a chart outside of what is comparable."""


def compared_on_scxml(peer: Peer, charts: int, seed: int) -> Counter[str]:
    """What became of random SCXML documents that are read here."""
    from tests.strategies.scxml import random_document

    logging.disable(logging.CRITICAL)
    dice, found = Random(seed), Counter[str]()
    for _ in range(charts):
        text, events = random_document(dice, most=7), [dice.choice(["a", "b", "a.b"]) for _ in range(5)]
        found[_on_scxml(peer, text, events)] += 1
    return found


@contextmanager
def _second() -> Iterator[None]:
    """A second of processor time, then a TimeoutError: some charts run for ever in a peer."""

    def ended(*_: object) -> None:
        raise TimeoutError

    old = signal.signal(signal.SIGVTALRM, ended)
    signal.setitimer(signal.ITIMER_VIRTUAL, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, old)


def _on_scxml(peer: Peer, text: str, events: list[str]) -> str:
    try:
        model = read_model_text(text, Path("m.scxml"))
        assert isinstance(model, StateMachine)
        mine = [sorted(states) for states, _, _ in _played(model, events)]
    except (UserError, RunGoesWrong):
        return "refused here"
    try:
        with _second():
            theirs = peer(text, model, events)
    except TimeoutError:
        return "no end there"
    except Exception as error:  # noqa: BLE001 (whatever a peer says against a chart)
        return f"refused there ({type(error).__name__})"
    if theirs is None:
        return "not comparable"
    return "agrees" if theirs == mine[: len(theirs)] else "differs"


def python_statemachine(text: str, _: StateMachine, events: list[str]) -> list[list[str]]:
    """python-statemachine reads SCXML itself; conditions are those of Python."""
    from statemachine.io.scxml.processor import SCXMLProcessor

    processor = SCXMLProcessor(trusted=True)
    processor.parse_scxml("m", text.replace("&amp;&amp;", " and ").replace("||", " or "))
    machine = processor.start()
    found = [sorted(state.id for state in machine.configuration if not state.states)]
    for event in events:
        if machine.is_terminated:
            break
        machine.send(event)
        found.append(sorted(state.id for state in machine.configuration if not state.states))
    return found if not machine.is_terminated else found[:-1]


def sismic(_: str, model: StateMachine, events: list[str]) -> list[list[str]] | None:
    """Sismic runs the states and transitions of the chart, written down for it."""
    from sismic.interpreter import Event, Interpreter
    from sismic.io.datadict import import_from_dict

    record = _for_sismic(model)
    if record is None:
        return None
    interpreter = Interpreter(import_from_dict(record))
    names = {vertex.name for vertex in model.chart.vertices} if model.chart else set()
    inside = {vertex.parent for vertex in model.chart.vertices} if model.chart else set()

    def leaves() -> list[str]:
        interpreter.execute(max_steps=100)
        return sorted(name for name in interpreter.configuration if name in names - inside)

    found = [leaves()]
    for event in events:
        interpreter.queue(Event(event))
        found.append(leaves())
    return found


def _for_sismic(model: StateMachine) -> dict[str, Any] | None:
    """The chart for sismic; None where it has no words for it, or means something else by them."""
    chart = model.chart
    assert chart is not None
    asks = ChartQuestions(chart)
    simple = all(len(state_names(arrow.target)) == 1 and arrow.source is not None for arrow in chart.arrows)
    simple &= all(len(state_names(vertex.initial)) < 2 and not vertex.initial_effect for vertex in chart.vertices)
    simple &= not any(arrow.way is ExitsAndEntries.LOCAL for arrow in chart.arrows)
    simple &= all(
        asks.known[n].parent == v.name for v in chart.vertices if not v.history for n in state_names(v.initial)
    )
    initial = state_names(chart.initial)
    if not (simple and asks.plain_actions and not asks.waits_for_done and len(initial) == 1):
        return None
    if asks.known[initial[0]].parent is not None or any(vertex.final for vertex in chart.vertices):
        return None
    values = "\n".join(f"{variable.name} = {variable.initial}" for variable in chart.variables)
    root = {"name": "root", "initial": initial[0], "states": [_node(v, asks) for v in asks.inside[None]]}
    return {"statechart": {"name": "m", "preamble": values, "root state": root}}


def _node(vertex: Vertex, asks: ChartQuestions) -> dict[str, Any]:
    found: dict[str, Any] = {"name": vertex.name}
    if vertex.history is not None:
        (memory,) = state_names(vertex.initial)
        return {**found, "type": f"{_DEPTHS[vertex.history]} history", "memory": memory}
    for word, effect in (("on entry", vertex.entry), ("on exit", vertex.exit)):
        if effect:
            found[word] = _code(effect)
    arrows = [arrow for arrow in asks.chart.arrows if arrow.source == vertex.name]
    found["transitions"] = [
        {
            **({} if arrow.way is ExitsAndEntries.INTERNAL else {"target": state_names(arrow.target)[0]}),
            **({} if arrow.trigger is None else {"event": arrow.trigger}),
            **({} if arrow.guard == TRUE else {"guard": _asked(to_text(arrow.guard))}),
            **({"action": _code(arrow.effect)} if arrow.effect else {}),
        }
        for arrow in arrows
    ]
    inside = asks.inside.get(vertex.name, [])
    if inside:
        found["parallel states" if vertex.parallel else "states"] = [_node(inner, asks) for inner in inside]
        if not vertex.parallel:
            found["initial"] = state_names(vertex.initial)[0]
    return found


_DEPTHS = {HistoryDepth.SHALLOW: "shallow", HistoryDepth.DEEP: "deep"}


def _code(effect: Effect) -> str:
    plain = plain_effect(effect)
    lines = [f"{a.variable} = {_asked(to_text(a.expression))}" for a in plain.assignments]
    return "\n".join([*lines, *(f"send('{event}')" for event in plain.raises)])


def _asked(text: str) -> str:
    return re.sub(r"\bin\(([\w.]+)\)", r"active('\1')", text)


def main() -> None:
    """Print a row for each peer that is installed, and for the others why they are skipped."""
    rows: list[tuple[str, str | None, Callable[[], Counter[str]]]] = [
        ("xstate", xstate_is_missing(), lambda: compared_with_xstate(CHARTS, 7)),
        (
            "python-statemachine",
            is_missing("statemachine"),
            lambda: compared_on_scxml(python_statemachine, CHARTS, 8),
        ),
        ("sismic", is_missing("sismic"), lambda: compared_on_scxml(sismic, CHARTS, 9)),
    ]
    for name, missing, compared in rows:
        if missing is not None:
            print(f"{name}: skipped, {missing}")
            continue
        counts = Counter[str]()
        for outcome, count in compared().items():
            counts[outcome.split(":")[0] if outcome.startswith("differs") else outcome] += count
        print(f"{name}: {CHARTS} charts, " + ", ".join(f"{count} {what}" for what, count in counts.most_common()))


if __name__ == "__main__":
    main()
