"""The pass relation of Definition 4 under K repetitions, for systems that give some answers rarely."""

import random
from collections import Counter

import pytest
from tests.oracles.rare_answers import Rare, fsm_run, hides_an_answer, possible, right_verdict, verdict
from tests.oracles.symbolic_attack import questions, words_of
from tests.oracles.symbolic_faults import World, mutants
from tests.strategies.attack_machines import attack_machine, is_complete

from fullproof.artefacts.request import SuiteRequest
from fullproof.artefacts.verdict import Verdict
from fullproof.kinds.sfsm.methods import answer
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition

KS = (2, 3, 5, 8, 13, 21, 34, 60)


def fsm(*rows: str) -> Fsm:
    transitions = tuple(FsmTransition(*row.split()) for row in rows)
    return Fsm(
        name="m",
        initial="s",
        states=tuple(dict.fromkeys(s for t in transitions for s in (t.source, t.target))),
        inputs=tuple(dict.fromkeys(t.input for t in transitions)),
        outputs=("0", "1"),
        transitions=transitions,
    )


COIN = fsm("s a 0 s", "s a 1 t", "s b 0 s", "t a 0 t", "t b 1 t")


@pytest.mark.requirement("JUDGE-6")
@pytest.mark.parametrize("repeat", KS)
def test_a_test_that_never_took_a_branch_does_not_pass(repeat: int) -> None:
    """The other test has seen both answers to a; no test has tried b after the answer 1."""
    seen = [(["a", "a"], [("0", "0"), ("0", "1"), ("1", "0")] * repeat), (["a", "b"], [("0", "0")] * repeat)]
    assert verdict(COIN, seen, repeat=repeat) is Verdict.INCONCLUSIVE
    wrong = fsm("s a 0 s", "s a 1 t", "s b 0 s", "t a 0 t", "t b 0 t")
    assert right_verdict(wrong, seen, repeat=repeat) is Verdict.INCONCLUSIVE  # nor would the wrong one
    seen[1][1].append(("1", "1"))
    assert verdict(COIN, seen, repeat=repeat) is Verdict.PASS


def _random_fsm(chance: random.Random) -> Fsm:
    """Complete, with up to two ways to answer."""
    states = ("s", "t", "u")
    cells = [(state, symbol) for state in states for symbol in "ab" for _ in range(chance.choice((1, 1, 2)))]
    return fsm(*dict.fromkeys(f"{s} {i} {chance.choice('01')} {chance.choice(states)}" for s, i in cells))


def _changed(model: Fsm, chance: random.Random) -> Fsm:
    """The same machine, or one that lacks an answer, or gives a wrong one, or goes astray."""
    rows = list(model.transitions)
    k = chance.randrange(len(rows))
    match chance.randrange(4):
        case 0:
            if sum(t[:2] == rows[k][:2] for t in rows) > 1:
                del rows[k]
        case 1:
            rows[k] = rows[k]._replace(output="1" if rows[k].output == "0" else "0")
        case 2:
            rows[k] = rows[k]._replace(target=chance.choice(model.states))
    return Fsm(
        name="system",
        initial=model.initial,
        states=model.states,
        inputs=model.inputs,
        outputs=model.outputs,
        transitions=tuple(dict.fromkeys(rows)),
    )


@pytest.mark.requirement("JUDGE-6")
def test_verdicts_are_those_of_the_definition() -> None:
    found: Counter = Counter()
    for seed in range(600):
        chance = random.Random(seed)
        model, repeat = _random_fsm(chance), chance.choice(KS)
        words = {tuple(chance.choices("ab", k=chance.randint(1, 4))) for _ in range(3)}
        suite = sorted(w for w in words if not any(w != v and v[: len(w)] == w for v in words))
        run = fsm_run(_changed(model, chance), suite, repeat=repeat, chance=chance)
        said = verdict(model, run, repeat=repeat)
        assert said is right_verdict(model, run, repeat=repeat), seed
        found[said] += 1
    assert min(found[v] for v in (Verdict.PASS, Verdict.FAIL, Verdict.INCONCLUSIVE)) > 40, found


def _models(count: int):
    found = (attack_machine(seed, loose=True, choices=True, extra=0) for seed in range(5000, 6000))
    complete = (model for model in found if is_complete(model) and len(model.states) == 2)
    return [next(complete) for _ in range(count)]


def attack(models: int, systems: int) -> Counter:
    """Suites of symbolic machines against systems of their fault domain, each with rare answers and some K."""
    found: Counter = Counter()
    for number, model in enumerate(_models(models)):
        chance = random.Random(number)
        (question,) = questions(model, SuiteRequest(method="general"), (0,))
        words = words_of(answer(question))
        alphabet = question.machine.classes.alphabet
        world = World(model, alphabet.guards, alphabet.outputs)
        reference = world.machine(model)
        right = world.dfa(reference)
        known = {world.dfa(mutant): mutant for mutant in mutants(reference, world, extra=0)}
        usable = [m for dfa, m in known.items() if len(dfa) <= len(right) and not world.undefined(dfa)]
        for machine in [reference] * systems + chance.sample(usable, min(systems, len(usable))):
            dfa, repeat = world.dfa(machine), chance.choice(KS)
            system = Rare(world, machine, chance)
            run = [(word, [system.execute(word) for _ in range(repeat)]) for word in words]
            letters = [
                (w, [tuple(world.letter({**x, **y}) for x, y in zip(w, out, strict=True)) for out in seen])
                for w, seen in run
            ]
            whole = all(possible(dfa, world, word) == set(seen) for word, seen in letters)
            said = verdict(model, run, repeat=repeat)
            found[said, dfa == right, "all seen" if whole else "some hidden"] += 1
            if whole and dfa == right:
                assert said is Verdict.PASS, (number, repeat)
            if whole and dfa != right:
                assert said is not Verdict.PASS, (number, repeat)
            if said is Verdict.FAIL and dfa == right:
                assert hides_an_answer(right, world, letters, repeat), (number, repeat)
    return found


@pytest.mark.requirement("JUDGE-6")
def test_symbolic_systems_are_judged_by_what_they_have_shown() -> None:
    found = attack(4, 8)
    assert found[Verdict.PASS, True, "all seen"] > 0
    assert found[Verdict.FAIL, False, "all seen"] > 0
    assert found[Verdict.INCONCLUSIVE, True, "some hidden"] > 0


@pytest.mark.slow
def test_more_symbolic_systems() -> None:
    found = attack(10, 12)
    assert sum(found.values()) > 200
