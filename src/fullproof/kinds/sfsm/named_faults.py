"""Faults by name for symbolic machines with separable alphabets: suites, certification, mutants and membership.

They are faults of the finite machine over guard cells (``fault_cells``): a fault of a transition may show in some of
its cells or in all. Inputs are named by conditions, outputs by output expressions.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from fullproof.artefacts.guarantee import Guarantee
from fullproof.artefacts.request import Relation
from fullproof.core.counted import counted
from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.kinds.fsm.changes import VersionChange, change_between
from fullproof.kinds.fsm.named_faults import METHOD, ForAnother, older, stated_faults, suite_for_faults
from fullproof.kinds.sfsm.claimed import claimed_domain
from fullproof.kinds.sfsm.fault_cells import CellMachine, NamedExpressions, cell_machine, expressions_of
from fullproof.kinds.suite import GeneratedSuite, header_for
from fullproof.language.printer import to_text
from fullproof.language.substitute import literal, substitute
from fullproof.model import Model, Sfsm
from fullproof.model.named_faults import NamedFaults

if TYPE_CHECKING:
    from fullproof.artefacts.request import SuiteRequest
    from fullproof.artefacts.words import WordList
    from fullproof.generate.symbolic.guarantee import ExpressionDomain


def faults_asked(model: Sfsm, request: SuiteRequest, at: Place = NOWHERE) -> NamedFaults | None:
    """The faults that a request or the model names; None where neither does."""
    stated = stated_faults(model, request, at)
    if stated is None or stated[0].changed_since is None:
        return None if stated is None else stated[0]
    found, path = stated[0], stated[1]
    old = older(path, _symbolic)
    if old.inputs != model.inputs or old.outputs != model.outputs:
        raise UserError("the older model has other inputs or outputs", at=Place(file=str(path)))
    return _change(_plain(old), model, request, at).limiting(found)


def _symbolic(model: Model, at: Place) -> Sfsm:
    if not isinstance(model, Sfsm):
        raise UserError(f"this is a model of kind {model.kind}, and a symbolic machine was expected", at=at)
    return model


def _plain(model: Sfsm) -> Sfsm:
    """The same machine without constants, which another model may have with other values."""
    constants = {c.name: literal(c.value) for c in model.description.constants}
    rows = tuple(
        dataclasses.replace(t, guard=substitute(t.guard, constants), output=substitute(t.output, constants))
        for t in model.transitions
    )
    description = dataclasses.replace(
        model.description, constants=(), properties=(), fault_domain=type(model.description.fault_domain)()
    )
    return dataclasses.replace(model, transitions=rows, description=description)


def _change(old: Sfsm, new: Sfsm, request: SuiteRequest, at: Place) -> VersionChange:
    """What has changed, in conditions for inputs and in output expressions."""
    plain = _plain(new)
    both = (*plain.transitions, *old.transitions)
    guards, outputs = tuple(t.guard for t in both), tuple(t.output for t in both)
    now, before = (
        cell_machine(one, guards=guards, outputs=outputs, timeout=request.timeout, at=at) for one in (plain, old)
    )
    found = change_between(before.in_words_of(now), now.fsm)
    text = {symbol: to_text(now.condition(cell)) for cell, symbol in enumerate(now.fsm.inputs)}
    return VersionChange(
        tuple((state, text[symbol]) for state, symbol in found.transitions),
        tuple(t._replace(input=text[t.input]) for t in found.former),
        tuple((state, text[symbol]) for state, symbol in found.open),
    )


def machine_for(
    model: Sfsm, faults: NamedFaults, timeout: float | None, at: Place
) -> tuple[CellMachine, NamedExpressions]:
    """The finite machine for some faults, with the expressions that they name."""
    named = expressions_of(model, faults)
    guards, outputs = tuple(named.guards.values()), tuple(named.outputs.values())
    return cell_machine(model, guards=guards, outputs=outputs, timeout=timeout, at=at), named


def suite_for_named(model: Sfsm, request: SuiteRequest, faults: NamedFaults, sha256: str, at: Place) -> GeneratedSuite:
    """Generate by counterexamples over the cells; each input of a test shows the expression that is used there."""
    if request.properties:
        raise UserError("faults by name are tested for equivalence, not for properties", at=at)
    machine, named = machine_for(model, faults, request.timeout, at)
    extra = request.extra_states if request.extra_states is not None else model.description.fault_domain.extra_states
    asked = dataclasses.replace(request, extra_states=extra or 0)
    made = suite_for_faults(
        machine.fsm,
        asked,
        faults,
        sha256,
        at,
        stands_for=ForAnother(over=lambda further: machine.domain(named, further, at)),
    )
    proven = _guarantee(machine, made.header.guarantee, extra or 0)
    header = header_for(model, asked, sha256=sha256, method=METHOD, guarantee=proven)
    domain = claimed_domain(_expressions(machine, extra or 0), properties=())
    return dataclasses.replace(
        made,
        header=dataclasses.replace(header, faults=made.header.faults, domain=domain),
        model=model,
        alphabet=machine.chosen.inputs,
        words=_concrete(machine, made),
        notes=(*made.notes, *(() if machine.chosen.near is None else (machine.chosen.near.text(),))),
    )


def _expressions(machine: CellMachine, extra_states: int) -> ExpressionDomain:
    from fullproof.generate.symbolic.guarantee import ExpressionDomain

    model = machine.model
    return ExpressionDomain(
        alphabet=machine.alphabet.alphabet,
        states=len(model.states),
        extra_states=extra_states,
        deterministic=True,
        tolerant=any(v.tolerance for v in model.outputs),
        margin=machine.chosen.margin,
        assumptions=model.assumptions,
    )


def _guarantee(machine: CellMachine, made: Guarantee, extra_states: int) -> Guarantee:
    """In the words of symbolic machines, with what tolerances and assumptions demand."""
    from fullproof.generate.symbolic.guarantee import SEPARABLE, Claim, of_the_system

    if made.theorem is None:
        return made
    of_model, behaves, _ = made.hypotheses
    cells = counted(len(machine.alphabet.cells), "class", "classes")
    what = behaves.text.replace(
        "each transition may have instead",
        f"each transition may have instead, in each of {cells} of inputs that its guards distinguish",
    )
    return dataclasses.replace(
        made,
        says=Claim(relation=Relation.EQUIVALENCE).text(),
        hypotheses=(
            of_model,
            *of_the_system(dataclasses.replace(behaves, text=what), _expressions(machine, extra_states)),
        ),
        theorem=made.theorem.citing(SEPARABLE),
    )


def _concrete(machine: CellMachine, made: GeneratedSuite) -> WordList:
    """Each cell as the input at which the model's pair is recognised: there, any other pair answers otherwise."""
    from fullproof.artefacts.words import word_list

    number = {name: k for k, name in enumerate(machine.fsm.states)}
    target = {(number[t.source], t.input): number[t.target] for t in machine.fsm.transitions}
    words = []
    for piece in made.words.chunks():
        for word in piece:
            state, inputs = 0, list[int]()
            for cell in word.tolist():
                inputs.append(machine.chosen.chosen[machine.pairs[state][cell]])
                state = target[state, machine.fsm.inputs[cell]]
            words.append(inputs)
    return word_list(sorted(words))
