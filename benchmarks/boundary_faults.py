"""Wrong guards outside of the fault domain: how many the default suites find, and found with one input for each class.

    python -m benchmarks.boundary_faults

Mutants have one wrong comparison: off by one (`<` for `<=`, a constant one larger or smaller, of real numbers, too),
swapped (`<` for `>`), or with another constant of the model. In a symbolic machine the wrong guard goes first, and what
it no longer admits goes to the next transition of the state, as in a chain of if and else; a model with a choice keeps
its other guards. Mutants that conform do not count. Models: the examples and reference models with symbolic guards, and
30 random ones. `before` is the same suite with one input for each class, so it has as many tests.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.artefacts.suite import Test
from fullproof.core.errors import NOWHERE, UserError
from fullproof.formats import read_model
from fullproof.kinds import kind_of
from fullproof.kinds.score import ScoringBasis
from fullproof.kinds.sfsm.methods import answer
from fullproof.kinds.sfsm.question import question_of
from fullproof.kinds.suite import GeneratedSuite
from fullproof.language.parser import parse_expression
from fullproof.language.scope import Scope
from fullproof.language.shallow_trees import conjunction, disjunction
from fullproof.language.syntax import Expression, Unary
from fullproof.language.type_inference import infer
from fullproof.language.types import BoolType, IntType, RealType, Variable
from fullproof.model import Sfsm, StateMachine
from fullproof.model.sfsm import SfsmTransition
from fullproof.mutate.expressions import exchangeable
from fullproof.mutate.rewrites import Rewriter, Slip
from fullproof.pipeline.suites import generate_suite

ROOT = Path(__file__).resolve().parent.parent
FILES = (
    "examples/airbag/model.yaml",
    "examples/brake/brake.yaml",
    "examples/braking-assistant/model.yaml",
    "examples/insulin-pump/model.yaml",
    "examples/temperature-alarm/model.yaml",
    "examples/temperature-alarm/careful.yaml",
    "examples/train-speed-monitor/model.yaml",
    "tests/data/reference/alarm/alarm.yaml",
    "tests/data/reference/state-machine/figure1.yaml",
    "examples/statemachines/cruise-control.yaml",
    "examples/statemachines/turn-indicator.yaml",
    "examples/statemachines/ventilator.yaml",
    "examples/statemachines/crossing-gate.yaml",
)
RANDOM = 30
MISTAKES = {
    Slip.STRICTNESS: "off by one",
    Slip.BOUNDARY: "off by one",
    Slip.OPERATOR: "swapped",
    Slip.CONSTANT: "constant",
}
Machine = Sfsm | StateMachine


def main(most: int = RANDOM) -> None:
    """Print a line for each model, and the sums."""
    begin = time.perf_counter()
    total: Counter[tuple[str, str]] = Counter()
    print(
        f"{'model':<28}{'tests':>6}   {'off by one':>18}{'swapped':>18}{'constant':>18}   (before -> after of mutants)"
    )
    for name, model in (*_files(), *((f"random {k}", random_machine(k)) for k in range(most))):
        print(f"{name[-28:]:<28}", end="", flush=True)
        found = counted(model)
        total += found
        print(f"{found['tests', '']:>6}   {_cells(found)}", flush=True)
    print(f"{'all':<28}{total['tests', '']:>6}   {_cells(total)}")
    for mistake in ("off by one", "swapped", "constant"):
        mutants = total["mutants", mistake]
        shares = " -> ".join(f"{100 * total[when, mistake] / max(1, mutants):.1f} %" for when in ("before", "after"))
        print(f"{mistake}: {shares} of {mutants:,} mutants")
    print(f"{time.perf_counter() - begin:.0f} s")


def _files() -> Iterator[tuple[str, Machine]]:
    for name in FILES:
        model = read_model(ROOT / name)
        assert isinstance(model, Sfsm | StateMachine)
        yield name, model


def _cells(found: Counter[tuple[str, str]]) -> str:
    return "".join(
        f"{found['before', m]:>6} ->{found['after', m]:>4} of{found['mutants', m]:>4}"
        for m in ("off by one", "swapped", "constant")
    )


def counted(model: Machine) -> Counter[tuple[str, str]]:
    """How many mutants of a model there are, and how many are found before and after."""
    request = SuiteRequest()
    after = generate_suite(model, request, sha256="", at=NOWHERE)
    tests = {"after": list(after.tests()), "before": _before(model, request, after)}
    assert len(tests["before"]) == len(tests["after"]), "there are as many tests"
    found: Counter[tuple[str, str]] = Counter({("tests", ""): len(tests["after"])})
    basis = ScoringBasis(relation=Relation.EQUIVALENCE, properties=(), timeout=5.0, header=after.header, claim=None)
    scorer = kind_of(model).scorer(model, basis)
    for mistake, mutant in mutants(model):
        try:
            scored = scorer(mutant, NOWHERE)
            killed = {when: any(scored.fails(test) is True for test in listed) for when, listed in tests.items()}
            if not any(killed.values()) and scored.conforms(None).conforms is not False:
                continue
        except UserError:
            continue  # two transitions at once
        found["mutants", mistake] += 1
        for when, is_killed in killed.items():
            found[when, mistake] += is_killed
    return found


def _before(model: Machine, request: SuiteRequest, after: GeneratedSuite) -> list[Test]:
    if isinstance(model, StateMachine):
        return list(after.tests())
    asked = replace(request, extra_states=after.header.extra_states)
    made = answer(question_of(model, asked, at=NOWHERE))
    return [
        Test(inputs=tuple(made.inputs[k] for k in word.tolist()), covers=())
        for piece in made.words.chunks()
        for word in piece
    ]


def mutants(model: Machine) -> Iterator[tuple[str, Machine]]:
    """Every model with one wrong guard, with the name of the mistake."""
    variables = model.inputs if isinstance(model, Sfsm) else (*model.inputs, *model.outputs, *model.variables)
    scope = Scope(variables, {c.name: c.value for c in model.description.constants})
    guards = dict.fromkeys(t.guard for t in model.transitions)
    rewriter = Rewriter(scope=scope, constants=exchangeable(model, guards, scope), epsilon=lambda _: Fraction(1))
    for k, t in enumerate(model.transitions):
        for slip, wrong in dict.fromkeys(rewriter.variants(t.guard)):
            if slip in MISTAKES and _is_condition(wrong, scope):
                yield MISTAKES[slip], _wrong(model, k, wrong)


def _is_condition(expression: Expression, scope: Scope) -> bool:
    try:
        return isinstance(infer(expression, scope), BoolType)
    except UserError:
        return False


def _wrong(model: Machine, place: int, guard: Expression) -> Machine:
    """A wrong guard goes first; what it no longer admits goes to the next transition of the state."""
    if isinstance(model, StateMachine):
        return _first(model, place, guard)
    same = [k for k, t in enumerate(model.transitions) if t.source == model.transitions[place].source]
    if _has_choice(model) or len(same) == 1:
        return replace(model, transitions=_replaced(model, place, guard))
    heir = same[(same.index(place) + 1) % len(same)]
    lost = conjunction((model.transitions[place].guard, Unary("not", guard)))
    rows = []
    for k, t in enumerate(model.transitions):
        if k == place:
            rows.append(replace(t, guard=guard))
        elif k in same:
            kept = conjunction((t.guard, Unary("not", guard)))
            rows.append(replace(t, guard=disjunction((kept, lost)) if k == heir else kept))
        else:
            rows.append(t)
    return replace(model, transitions=tuple(rows))


def _replaced(model: Sfsm, place: int, guard: Expression) -> tuple[SfsmTransition, ...]:
    return tuple(replace(t, guard=guard) if k == place else t for k, t in enumerate(model.transitions))


def _has_choice(model: Sfsm) -> bool:
    from fullproof.generate.symbolic.rows import NotSingle, rows_of

    return isinstance(rows_of(model), NotSingle)


def _first(model: StateMachine, place: int, guard: Expression) -> StateMachine:
    wrong = model.transitions[place]
    rows = []
    for k, t in enumerate(model.transitions):
        if k == place:
            rows.append(replace(t, guard=guard))
        elif (t.source, t.trigger) == (wrong.source, wrong.trigger):
            rows.append(replace(t, guard=conjunction((t.guard, Unary("not", guard)))))
        else:
            rows.append(t)
    return replace(model, transitions=tuple(rows))


def random_machine(number: int) -> Sfsm:
    """Two to five states, one or two inputs, each state with thresholds of its own on one of them or on their sum."""
    dice = random.Random(number)
    whole = number % 2 == 0
    type_ = IntType(0, 100) if whole else RealType(Fraction(0), Fraction(100))
    inputs = tuple(Variable(name=name, type=type_) for name in ("a", "b")[: dice.choice((1, 1, 2))])
    states = tuple(f"s{k}" for k in range(dice.randint(2, 5)))
    rows: list[SfsmTransition] = []
    for state in states:
        term = dice.choice([*(v.name for v in inputs), *(["a + b"] if len(inputs) > 1 else [])])
        marks = sorted(dice.sample(range(5, 96, 5), dice.randint(1, 3)))
        up = dice.choice(("<", "<="))
        down = {"<": ">=", "<=": ">"}[up]
        for k in range(len(marks) + 1):
            low = [f"{term} {down} {marks[k - 1]}"] if k else []
            high = [f"{term} {up} {marks[k]}"] if k < len(marks) else []
            rows.append(
                SfsmTransition(
                    source=state,
                    guard=parse_expression(" and ".join(low + high)),
                    output=parse_expression(f"y == {dice.randint(0, 3)}"),
                    target=dice.choice(states),
                )
            )
    return Sfsm(
        name=f"random-{number}",
        initial="s0",
        states=states,
        inputs=inputs,
        outputs=(Variable(name="y", type=IntType(0, 3)),),
        transitions=tuple(rows),
    )


if __name__ == "__main__":
    main()
