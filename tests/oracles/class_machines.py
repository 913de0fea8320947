"""The class machine of a symbolic machine over small types, by trying out all values."""

from collections.abc import Sequence

from tests.oracles.symbolic import valuations

from fullproof.artefacts.abstraction import ClassMachine, IoClass, IoClasses, SymbolicAlphabet
from fullproof.language.compile import compile_expression
from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression
from fullproof.model import Sfsm


def scope_of(model: Sfsm) -> Scope:
    return Scope((*model.inputs, *model.outputs), {c.name: c.value for c in model.description.constants})


def enumerated_machine(model: Sfsm, propositions: Sequence[Expression] = ()) -> ClassMachine:
    """All sign vectors that some values have, and where the transitions lead."""
    guards = tuple(dict.fromkeys(t.guard for t in model.transitions))
    outputs = tuple(dict.fromkeys(t.output for t in model.transitions))
    alphabet = SymbolicAlphabet(guards=guards, outputs=outputs, propositions=tuple(dict.fromkeys(propositions)))
    tests = [compile_expression(expression, scope_of(model)) for expression in alphabet.expressions]
    found = {}
    for values in valuations((*model.inputs, *model.outputs)):
        found.setdefault(tuple(bool(test(values)) for test in tests), values)
    g, o = len(guards), len(outputs)
    classes = tuple(
        IoClass(id=f"io{k}", guards=s[:g], outputs=s[g : g + o], propositions=s[g + o :], witness=w)
        for k, (s, w) in enumerate(found.items(), 1)
    )
    number = {state: k for k, state in enumerate(model.states)}
    after = tuple(
        tuple(
            tuple(
                sorted(
                    {
                        number[t.target]
                        for t in model.transitions
                        if t.source == state
                        and class_.guards[guards.index(t.guard)]
                        and class_.outputs[outputs.index(t.output)]
                    }
                )
            )
            for class_ in classes
        )
        for state in model.states
    )
    io = IoClasses(alphabet=alphabet, classes=classes, representatives=())
    return ClassMachine(states=model.states, initial=number[model.initial], classes=io, after=after)
