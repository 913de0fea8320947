"""Systems with strings against all strings that matter, listed one by one."""

from collections import Counter
from random import Random

from tests.oracles.ioco import DELTA, Concrete, shortest_difference, shows_difference
from tests.oracles.strings import listed, names_for, strings_in
from tests.strategies.string_sts import changed_sts, string_sts

from fullproof.analysis.ioco import Differs, IocoConforms, IocoUndecided, ioco
from fullproof.analysis.sts_semantics import StsSemantics
from fullproof.artefacts.execution import Execution, Received, Sent, Silence
from fullproof.artefacts.suite import make_test
from fullproof.artefacts.verdict import Verdict
from fullproof.concretise.value_choice import Mixed
from fullproof.formats.journal.rows import read_row, row_of
from fullproof.judge.sts import StsOracle
from fullproof.kinds.sts.model_system import StsModelSut
from fullproof.model import Sts

DEPTH = 3
OTHERS = 6
"""Two inputs of two strings, an output, and one more for outputs that may carry any other string."""


def in_names(event, names: dict[str, str]):
    if isinstance(event, Silence):
        return DELTA
    return event.gate, tuple(names[value.text] for value in event.values)


def test_comparisons_agree():
    seen = Counter()
    for seed in range(60):
        random = Random(f"strings {seed}")
        model = string_sts(random)
        other = changed_sts(random, model) if seed % 3 else string_sts(random)
        found = ioco(model, other, depth=DEPTH, timeout=60)
        seen[type(found)] += 1
        names = names_for(strings_in(model) | strings_in(other), OTHERS)
        expected, _ = shortest_difference(listed(model, names), listed(other, names), DEPTH)
        match found:
            case Differs():
                assert expected == len(found.trace) + 1, seed
                said = {v.text for e in (*found.trace, found.observed) for v in getattr(e, "values", ())}
                names = names_for(said | strings_in(model) | strings_in(other), 2)
                trace = [in_names(e, names) for e in found.trace]
                assert shows_difference(
                    listed(model, names), listed(other, names), trace, in_names(found.observed, names)
                )
            case IocoConforms():
                assert expected is None, seed
            case IocoUndecided():
                assert expected is None or expected > found.depth, seed
    assert seen[Differs] >= 15
    assert seen[IocoConforms] >= 15


def conversation(model: Sts, system: Sts, random: Random) -> Execution:
    """A random conversation with a system, in which it is given inputs that the model takes."""
    semantics, sut, chooser = StsSemantics(model), StsModelSut(system, random), Mixed(model, random)
    knowledge, events = semantics.start(), []
    for _ in range(14):
        if random.random() < 0.5:
            gate = random.choice(model.inputs)
            given = next(iter(knowledge.routes))
            values = chooser.propose(gate, 0, semantics.given(given))
            after = semantics.after_input(knowledge, (gate.name, values), synchronous=True)
            if not after.routes:
                continue
            sut.send(gate.name, values)
            events.append(Sent(gate.name, values))
        else:
            answer = sut.receive(1)
            events.append(Silence() if answer is None else Received(*answer))
            after = semantics.after_silence(knowledge) if answer is None else semantics.after_output(knowledge, answer)
        knowledge = after
        if not knowledge.routes:
            break
    test = make_test(["l0:one"])
    return Execution(test=test, events=tuple(events), reached=True, reason="", synchronous=True)


def is_allowed(model: Sts, found: Execution) -> bool:
    said = {value.text for event in found.events for value in getattr(event, "values", ())}
    names = names_for(said | strings_in(model), 3)
    concrete = Concrete(listed(model, names))
    states = concrete.first()
    for event in found.events:
        states = concrete.after_all(states, in_names(event, names))
    return bool(states)


def test_verdicts_agree_and_survive_a_journal():
    seen = Counter()
    for seed in range(150):
        random = Random(f"talk {seed}")
        model = string_sts(random)
        system = [model, changed_sts(random, model), string_sts(random)][seed % 3]
        found = conversation(model, system, random)
        again = read_row(row_of(found))
        assert again.events == found.events
        assert [type(v) for e in again.events for v in getattr(e, "values", ())] == [
            type(v) for e in found.events for v in getattr(e, "values", ())
        ]
        verdicts = {StsOracle(StsSemantics(model)).judge(one).verdict for one in (found, again)}
        assert len(verdicts) == 1
        fails = verdicts == {Verdict.FAIL}
        assert fails == (not is_allowed(model, found)), seed
        assert not (fails and system is model)
        seen[fails] += 1
    assert seen[True] >= 15
