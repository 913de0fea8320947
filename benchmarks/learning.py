"""From nothing to a certified model: what learning costs, in inputs and resets, with one extra state.

Beside it: the suite for the known model plus the questions of the same learner when its counterexamples are free, and
AALpy's own equivalence oracles, of which none knows when it is done.

Run: python -m benchmarks.learning [NAME ...], with parts of the names of machines. Seconds are those of the processor.
"""

from __future__ import annotations

import random
import sys
import time
from collections import deque
from pathlib import Path
from typing import Any

from aalpy.base import SUL, Oracle
from aalpy.learning_algs import run_Lsharp
from aalpy.oracles import RandomWMethodEqOracle, RandomWordEqOracle, StatePrefixEqOracle, WMethodEqOracle

from fullproof import learn
from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.formats import read_model
from fullproof.generate.finite.suite import finite_suite
from fullproof.model import Fsm
from fullproof.testing.observations import AnswerTree

WIKI = Path(__file__).parent.parent.parent / "shared/models/automata-wiki"
MACHINES = (
    *("TLS/OpenSSL_1.0.2_server_regular", "TLS/OpenSSL_1.0.1g_server_regular", "TLS/OpenSSL_1.0.2_client_regular"),
    *("TLS/GnuTLS_3.3.12_server_regular", "TLS/GnuTLS_3.3.8_client_regular", "TLS/NSS_3.17.4_client_regular"),
    *("TLS/miTLS_0.1.3_server_regular", "TLS/RSA_BSAFE_C_4.0.4_server_regular", "TLS/GnuTLS_3.3.8_server_regular"),
    *("MQTT/mosquitto__two_client", "MQTT/mosquitto__single_client", "MQTT/emqtt__simple", "MQTT/VerneMQ__simple"),
    *("MQTT/hbmqtt__non_clean", "MQTT/ActiveMQ__single_client", "MQTT/emqtt__invalid"),
    *("Bankcard/4_learnresult_MAESTRO_fix", "Bankcard/learnresult_fix", "Bankcard/Rabo_learnresult_MAESTRO_fix"),
    "CoffeeMachine/coffeemachine",
)
GOAL = 1.2


class Machine(SUL):  # type: ignore[misc]
    """A machine as AALpy asks it; questions of the learner are answered once."""

    def __init__(self, model: Fsm) -> None:
        super().__init__()
        self.rows = {(t.source, t.input): (t.output, t.target) for t in model.transitions}
        self.initial = self.state = model.initial
        self.cost = 0
        self._seen = AnswerTree()

    def pre(self) -> None:
        """Reset."""
        self.state, self.cost = self.initial, self.cost + 1

    def post(self) -> None:
        """Nothing to end."""

    def step(self, letter: str) -> str:
        """One input."""
        self.cost += 1
        output, self.state = self.rows[self.state, letter]
        return output

    def query(self, word: Any) -> list[str]:
        """A question of the learner."""
        known = self._seen.answers(word)
        if known is None:
            self.pre()
            known = [self.step(letter) for letter in word]
            self._seen.add(word, known)
        return known


class Free(Oracle):  # type: ignore[misc]
    """Shortest counterexamples at no cost."""

    def find_cex(self, hypothesis: Any) -> tuple[str, ...] | None:
        """A shortest difference between the machine and the hypothesis."""
        rows, first = self.sul.rows, (self.sul.initial, hypothesis.initial_state)
        queue: deque[tuple[Any, tuple[str, ...]]] = deque([(first, ())])
        seen = {(first[0], id(first[1]))}
        while queue:
            (state, twin), word = queue.popleft()
            for symbol in self.alphabet:
                output, target = rows[state, symbol]
                if twin.output_fun[symbol] != output:
                    return (*word, symbol)
                there = twin.transitions[symbol]
                if (target, id(there)) not in seen:
                    seen.add((target, id(there)))
                    queue.append(((target, there), (*word, symbol)))
        return None


def system_of(model: Fsm) -> Any:
    """The machine as a system for ``fullproof.learn``."""
    rows = {(t.source, t.input): (t.output, t.target) for t in model.transitions}

    class System:
        def reset(self) -> None:
            self.state = model.initial

        def step(self, symbol: str) -> str:
            output, self.state = rows[self.state, symbol]
            return output

    return System


def learnt(model: Fsm, oracle: Any) -> tuple[int, int]:
    """Cost and states with an oracle, which is made from an alphabet and a system."""
    random.seed(1)
    machine, inputs = Machine(model), list(model.inputs)
    options = {"extension_rule": "SepSeq", "separation_rule": "SepSeq", "cache_and_non_det_check": False}
    found = run_Lsharp(inputs, machine, oracle(inputs, machine), automaton_type="mealy", print_level=0, **options)
    return machine.cost, len(found.states)


OTHERS = {
    "random words": lambda inputs, sul: RandomWordEqOracle(inputs, sul, num_walks=500),
    "random W": lambda inputs, sul: RandomWMethodEqOracle(inputs, sul),
    "state prefixes": lambda inputs, sul: StatePrefixEqOracle(inputs, sul),
}


def main(names: list[str]) -> None:
    """Print the table."""
    heads = ["machine", "states", "inputs", "suite", "questions", "learn", "ratio", *OTHERS, "W", "s"]
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    worst = 0.0
    for name in MACHINES:
        if names and not any(part in name for part in names):
            continue
        path = WIKI / f"{name}.dot"
        if not path.exists():
            print(f"skipped: {path.name} is not there", file=sys.stderr)
            continue
        model = read_model(path)
        assert isinstance(model, Fsm)
        begin = time.process_time()
        suite = finite_suite(model, SuiteRequest(relation=Relation.EQUIVALENCE), extra_states=1)
        cost = sum(len(piece) + piece.total for piece in suite.words.chunks())
        questions, _ = learnt(model, Free)
        found = learn(system_of(model), model.inputs, extra_states=1)
        assert found.states == len(model.states), name
        ours = found.tests + found.steps
        worst = max(worst, ratio := ours / (cost + questions))
        most = len(model.states) + 1
        others = {**OTHERS, "W": lambda inputs, sul, most=most: WMethodEqOracle(inputs, sul, most)}
        cells = []
        for oracle in others.values():
            spent, states = learnt(model, oracle)
            cells.append(f"{spent:,}" + ("" if states == len(model.states) else f" ({states} states)"))
        row = [name.split("/")[1], str(len(model.states)), str(len(model.inputs)), f"{cost:,}", f"{questions:,}"]
        row += [f"{ours:,}", f"{ratio:.2f}", *cells, f"{time.process_time() - begin:.0f}"]
        print(f"| {' | '.join(row)} |", flush=True)
    print(f"\nworst ratio {worst:.2f}, goal {GOAL}")


if __name__ == "__main__":
    main(sys.argv[1:])
