"""The fault domain that the header of a suite carries: how it gets there, and how a model is read with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from fullproof.artefacts.suite import SuiteDomain, SuiteHeader
from fullproof.core.errors import Place, UserError
from fullproof.generate.symbolic.guarantee import ExpressionDomain
from fullproof.language.parser import parse_expression
from fullproof.language.printer import to_text
from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression
from fullproof.language.type_inference import expect_boolean
from fullproof.model import Sfsm


def claimed_domain(domain: ExpressionDomain, *, properties: Sequence[str]) -> SuiteDomain:
    """What a suite for this domain claims to cover, as its header says it."""
    alphabet = domain.alphabet
    return SuiteDomain(
        guards=_texts(alphabet.guards),
        outputs=_texts(alphabet.outputs),
        propositions=_texts(alphabet.propositions),
        properties=tuple(properties),
        states=domain.states,
        single=domain.deterministic,
        undecided=_texts(formula for formula, _ in domain.undecided),
        families=domain.families,
        never=domain.never,
        assumptions=_texts(domain.assumptions),
    )


def with_domain(model: Sfsm, header: SuiteHeader, at: Place) -> Sfsm:
    """The model with the whole fault domain of a suite, for judging runs and for reports.

    A suite that claims to detect a wrong expression has to observe every part of an answer that the expression
    distinguishes. Where the header names no domain, the model's own is used.
    """
    if header.domain is None:
        return model
    guards, outputs = claimed_expressions(model, header.domain, at=at)
    domain = model.description.fault_domain
    own_guards = {t.guard for t in model.transitions}
    own_outputs = {t.output for t in model.transitions}
    wider = replace(
        domain,
        extra_states=header.extra_states,
        guards=tuple(dict.fromkeys((*domain.guards, *(guard for guard in guards if guard not in own_guards)))),
        outputs=tuple(dict.fromkeys((*domain.outputs, *(output for output in outputs if output not in own_outputs)))),
    )
    return replace(model, description=replace(model.description, fault_domain=wider))


def claimed_expressions(
    model: Sfsm, domain: SuiteDomain, *, at: Place
) -> tuple[tuple[Expression, ...], tuple[Expression, ...]]:
    """The guards and the output expressions of a domain; a text that does not fit the model is a UserError."""
    inputs, whole = model.input_scope, model.scope
    guards = tuple(_expression(text, inputs, at) for text in domain.guards)
    return guards, tuple(_expression(text, whole, at) for text in domain.outputs)


def _expression(text: str, scope: Scope, at: Place) -> Expression:
    try:
        expression = parse_expression(text)
        expect_boolean(expression, scope)
    except UserError as error:
        raise UserError(f"the suite's fault domain has {text[:60]!r}: {error.message}", at=at) from None
    return expression


def _texts(expressions: Iterable[Expression]) -> tuple[str, ...]:
    return tuple(to_text(expression) for expression in expressions)
