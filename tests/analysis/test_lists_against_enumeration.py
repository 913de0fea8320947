"""Systems with lists against all lists, one by one."""

from collections import Counter
from random import Random

from tests.oracles.ioco import DELTA, Concrete, shortest_difference, shows_difference
from tests.strategies.list_sts import changed_sts, list_sts

from fullproof.analysis.ioco import Differs, IocoConforms, IocoUndecided, ioco
from fullproof.analysis.sts_semantics import StsSemantics
from fullproof.artefacts.execution import Execution, Received, Sent, Silence
from fullproof.artefacts.suite import make_test
from fullproof.artefacts.verdict import Verdict
from fullproof.concretise.value_choice import Mixed
from fullproof.formats.journal.rows import read_row, row_of
from fullproof.judge.sts import StsOracle
from fullproof.kinds.sts.model_system import StsModelSut
from fullproof.language.values import in_range
from fullproof.model import Sts

DEPTH = 3


def label(event):
    return DELTA if isinstance(event, Silence) else (event.gate, event.values)


def test_comparisons_agree():
    seen = Counter()
    for seed in range(40):
        random = Random(f"lists {seed}")
        model = list_sts(random)
        other = changed_sts(random, model) if seed % 3 else list_sts(random)
        found = ioco(model, other, depth=DEPTH, timeout=60)
        seen[type(found)] += 1
        expected, _ = shortest_difference(model, other, DEPTH)
        match found:
            case Differs():
                assert expected == len(found.trace) + 1, seed
                trace = [label(event) for event in found.trace]
                assert shows_difference(model, other, trace, label(found.observed))
            case IocoConforms():
                assert expected is None, seed
            case IocoUndecided():
                assert expected is None or expected > found.depth, seed
    assert seen[Differs] >= 8
    assert seen[IocoConforms] >= 8


def conversation(model: Sts, system: Sts, random: Random) -> Execution:
    """A random conversation with a system, in which it is given inputs that the model takes."""
    semantics, sut, chooser = StsSemantics(model), StsModelSut(system, random), Mixed(model, random)
    knowledge, events = semantics.start(), []
    for _ in range(14):
        if random.random() < 0.5:
            gate = random.choice(model.inputs)
            values = chooser.propose(gate, 0, semantics.given(next(iter(knowledge.routes))))
            assert all(in_range(value, p.type) for value, p in zip(values, gate.parameters, strict=True))
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
    return Execution(test=make_test(["l0:one"]), events=tuple(events), reached=True, reason="", synchronous=True)


def test_verdicts_agree_and_survive_a_journal():
    seen = Counter()
    for seed in range(45):
        random = Random(f"talk {seed}")
        model = list_sts(random)
        system = [model, changed_sts(random, model), list_sts(random)][seed % 3]
        found = conversation(model, system, random)
        again = read_row(row_of(found))
        assert [repr(e) for e in again.events] == [repr(e) for e in found.events]
        verdicts = {StsOracle(StsSemantics(model)).judge(one).verdict for one in (found, again)}
        assert len(verdicts) == 1
        concrete = Concrete(model)
        states = concrete.first()
        for event in found.events:
            states = concrete.after_all(states, label(event))
        fails = verdicts == {Verdict.FAIL}
        assert fails == (not states), seed
        assert not (fails and system is model)
        seen[fails] += 1
    assert seen[True] >= 4
