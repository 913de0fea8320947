"""Suites for partial deterministic machines: their cost beside the completed twin and beside state counting.

The twin is the same machine with a self-loop and an output of its own wherever an input is undefined, which is more
than a partial model says: undefined inputs distinguish its states. Cost is inputs plus tests. The models are a parser
that is driven as libexpat is, a stack, a counter, a user interface, and random machines; then machines with pairs of
states that cannot be told apart, where ``counting`` and ``auto`` apply; the last one has too many:
it is refused. Arguments: the most extra states (default 1), and the methods (default all).
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable

from tests.strategies.partial_machines import fsm_of_table, merging_machine, sparse_machine

from fullproof.analysis.separation import separation
from fullproof.artefacts.request import SuiteRequest
from fullproof.core.counted import counted
from fullproof.core.deadline import Deadline
from fullproof.core.errors import NOWHERE, UserError
from fullproof.generate.finite.preparation import inseparable, prepare
from fullproof.kinds.fsm.smallest import smallest_suite
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition

Step = Callable[[tuple[object, ...], str], tuple[str, tuple[object, ...]] | None]
"""The answer and the next state, None where an input is undefined."""


def explored(name: str, initial: tuple[object, ...], inputs: list[str], step: Step) -> Fsm:
    """The machine of all states that can be reached."""
    states, transitions = [initial], []
    for state in states:  # grows while it is walked
        for symbol in inputs:
            found = step(state, symbol)
            if found is not None:
                if found[1] not in states:
                    states.append(found[1])
                transitions.append(FsmTransition(_text(state), symbol, found[0], _text(found[1])))
    outputs = sorted({t.output for t in transitions})
    return Fsm(
        name=name,
        initial=_text(initial),
        states=tuple(map(_text, states)),
        inputs=tuple(inputs),
        outputs=tuple(outputs),
        transitions=tuple(transitions),
    )


def _text(state: tuple[object, ...]) -> str:
    return "/".join(map(str, state))


def parser() -> Fsm:
    """A pull parser: nested elements up to a depth, suspended and resumed, finished; errors are final."""

    def step(state: tuple[object, ...], symbol: str) -> tuple[str, tuple[object, ...]] | None:
        mode, depth = str(state[0]), str(state[1])
        answer: tuple[str, tuple[object, ...]] | None = None
        if symbol == "status":
            answer = mode, state
        elif symbol == "reset" and mode in ("finished", "error"):
            answer = "ok", ("ready", "")
        elif symbol == "stop" and mode == "parsing":
            answer = "ok", ("suspended", depth)
        elif symbol == "resume" and mode == "suspended":
            answer = "ok", ("parsing", depth)
        elif symbol in ("open a", "open b") and mode in ("ready", "parsing") and len(depth) < 4:
            answer = "start", ("parsing", depth + symbol[-1])
        elif symbol in ("close a", "close b") and mode == "parsing" and depth:
            right = depth[-1] == symbol[-1]
            rest = depth[:-1]
            answer = ("end", ("parsing" if rest else "finished", rest)) if right else ("mismatch", ("error", ""))
        return answer

    names = ["status", "open a", "open b", "close a", "close b", "stop", "resume", "reset"]
    return explored("parser", ("ready", ""), names, step)


def stack() -> Fsm:
    """Two symbols, at most four deep; an empty stack has no top."""

    def step(state: tuple[object, ...], symbol: str) -> tuple[str, tuple[object, ...]] | None:
        held = str(state[0])
        if symbol in ("pop", "top"):
            return None if not held else (held[-1], (held[:-1] if symbol == "pop" else held,))
        if symbol == "empty":
            return "no" if held else "yes", state
        return None if len(held) == 4 else ("ok", (held + symbol[-1],))

    return explored("stack", ("",), ["push a", "push b", "pop", "top", "empty"], step)


def counter() -> Fsm:
    """0 to 30, of which only zero can be read."""

    def step(state: tuple[object, ...], symbol: str) -> tuple[str, tuple[object, ...]] | None:
        value = int(str(state[0]))
        if symbol == "zero":
            return "yes" if value == 0 else "no", state
        after = value + (1 if symbol == "up" else -1)
        return ("ok", (after,)) if 0 <= after <= 30 else None

    return explored("counter", (0,), ["up", "down", "zero"], step)


def shop() -> Fsm:
    """A user interface: screens with their own buttons, a basket of at most four items, a voucher."""

    def step(state: tuple[object, ...], symbol: str) -> tuple[str, tuple[object, ...]] | None:
        screen, items, voucher = str(state[0]), int(str(state[1])), bool(state[2])
        moves: dict[tuple[str, str], tuple[str, tuple[object, ...]]] = {
            ("list", "add"): (f"basket {items + 1}", ("list", items + 1, voucher)),
            ("list", "basket"): (f"{items} items", ("basket", items, voucher)),
            ("basket", "back"): ("list", ("list", items, voucher)),
            ("basket", "remove"): (f"basket {items - 1}", ("basket", items - 1, voucher)),
            ("basket", "voucher"): ("reduced", ("basket", items, True)),
            ("basket", "pay"): ("pay " + ("less" if voucher else "all"), ("pay", items, voucher)),
            ("pay", "cancel"): (f"{items} items", ("basket", items, voucher)),
            ("pay", "confirm"): ("thanks", ("list", 0, False)),
        }
        if (symbol == "add" and items == 4) or (symbol in ("remove", "pay") and items == 0):
            return None
        return None if symbol == "voucher" and voucher else moves.get((screen, symbol), _title(state, symbol))

    names = ["title", "add", "basket", "back", "remove", "voucher", "pay", "cancel", "confirm"]
    return explored("shop", ("list", 0, False), names, step)


def _title(state: tuple[object, ...], symbol: str) -> tuple[str, tuple[object, ...]] | None:
    return (str(state[0]), state) if symbol == "title" else None


def door() -> Fsm:
    """Two states that look alike: only what they define differs."""
    rows = [
        *(("open", "close", "ok", "closed"), ("open", "look", "open", "open"), ("closed", "unlatch", "ok", "open")),
        *(("closed", "lock", "ok", "locked"), ("closed", "look", "shut", "closed")),
        *(("locked", "key", "ok", "closed"), ("locked", "look", "shut", "locked")),
    ]
    return Fsm(
        name="door",
        initial="open",
        states=("open", "closed", "locked"),
        inputs=("close", "unlatch", "lock", "key", "look"),
        outputs=("ok", "open", "shut"),
        transitions=tuple(FsmTransition(*row) for row in rows),
    )


def twins() -> Fsm:
    """141 states with 72 pairs that no defined sequence distinguishes: 71 states have less than their originals."""
    ring = [f"s{k}" for k in range(70)]
    transitions = []
    for k, state in enumerate(ring):
        after = ring[(k + 1) % 70]
        transitions += [FsmTransition(state, "read", f"r{k}", state), FsmTransition(state, "next", "ok", after)]
    for k in range(71):
        original, twin = ring[k % 70], f"t{k}"
        transitions += [
            FsmTransition(original, "leave" if k < 70 else "other", "ok", twin),
            FsmTransition(twin, "read", f"r{k % 70}", twin),
            FsmTransition(twin, "back" if k < 70 else "other", "ok", original),
        ]
    return Fsm(
        name="twins",
        initial="s0",
        states=(*ring, *(f"t{k}" for k in range(71))),
        inputs=("read", "next", "leave", "other", "back"),
        outputs=("ok", *(f"r{k}" for k in range(70))),
        transitions=tuple(transitions),
    )


def twin_of(fsm: Fsm) -> Fsm:
    """The completed machine."""
    defined = {(t.source, t.input) for t in fsm.transitions}
    loops = [
        FsmTransition(state, symbol, "undefined", state)
        for state in fsm.states
        for symbol in fsm.inputs
        if (state, symbol) not in defined
    ]
    return Fsm(
        name=fsm.name,
        initial=fsm.initial,
        states=fsm.states,
        inputs=fsm.inputs,
        outputs=(*fsm.outputs, "undefined"),
        transitions=(*fsm.transitions, *loops),
    )


def cost(fsm: Fsm, method: str, extra: int) -> tuple[int, int]:
    """Tests, and inputs plus tests."""
    suite = smallest_suite(fsm, SuiteRequest(method=method), extra_states=extra, at=NOWHERE, clock=Deadline(None))
    pieces = [(len(piece), piece.total) for piece in suite.words.chunks()]
    tests = sum(piece[0] for piece in pieces)
    return tests, tests + sum(piece[1] for piece in pieces)


def main() -> None:
    """Print a line for each model, method and number of extra states."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    methods = sys.argv[2:] or ["hsi", "spy", "walks", "auto", "counting"]
    models = [parser(), stack(), counter(), shop()]
    for states, inputs, gaps in ((10, 4, 0.3), (20, 6, 0.5), (40, 8, 0.6)):
        table = sparse_machine(random.Random(states), states=states, inputs=inputs, outputs=3, gaps=gaps)
        models.append(fsm_of_table(table, name=f"random {states}"))
    models.append(door())
    for seed, states, inputs in ((0, 4, 3), (1, 4, 3), (0, 6, 3), (1, 6, 3), (3, 8, 4), (4, 8, 4)):
        table = merging_machine(random.Random(seed), states=states, inputs=inputs, outputs=3, gaps=0.35)
        pairs = separation(table).inseparable
        models.append(fsm_of_table(table, name=f"{counted(pairs, 'pair')}"))
    print(f"{'model':<12}{'states':>7}{'inputs':>7}{'gaps':>6}{'extra':>6}  {'method':<9}", end="")
    print(f"{'tests':>8}{'cost':>10}{'twin tests':>12}{'twin cost':>11}{'ratio':>7}{'seconds':>9}", flush=True)
    for fsm in models:
        for extra in range(most + 1):
            gaps = 1 - len(fsm.transitions) / (len(fsm.states) * len(fsm.inputs))
            for method in methods:
                if method == "counting" and len(fsm.states) ** (extra + 1) > 1000:
                    continue
                if method in ("hsi", "spy", "walks") and inseparable(prepare(fsm, partial=True)):
                    continue
                began = time.process_time()
                tests, price = cost(fsm, method, extra)
                seconds = time.process_time() - began
                twin = cost(twin_of(fsm), "auto" if method == "counting" else method, extra)
                print(f"{fsm.name:<12}{len(fsm.states):>7}{len(fsm.inputs):>7}{gaps:>6.0%}{extra:>6}  ", end="")
                print(f"{method:<9}{tests:>8,}{price:>10,}{twin[0]:>12,}{twin[1]:>11,}", end="")
                print(f"{price / twin[1]:>7.2f}{seconds:>9.1f}", flush=True)
    began = time.perf_counter()
    try:
        smallest_suite(twins(), SuiteRequest(), extra_states=0, at=NOWHERE, clock=Deadline(None))
    except UserError as error:
        print(f"twins, 141 states, refused after {time.perf_counter() - began:.1f} s: {error}")


if __name__ == "__main__":
    main()
