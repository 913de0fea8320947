"""The keys that every kind of model may carry: constants, fault domain, properties, requirements."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from fullproof.core.errors import Place, UserError
from fullproof.formats.document.document import Document
from fullproof.formats.document.fault_domain import PAVING, THRESHOLDS, read_excluded, read_pairs
from fullproof.formats.document.named_faults import KEYS as NAMED_FAULTS
from fullproof.formats.document.named_faults import read_named_faults
from fullproof.formats.document.tree import Node, Scalar, describe
from fullproof.language.declarations import check_name
from fullproof.language.durations import duration_from_text
from fullproof.language.list_functions import with_defaults
from fullproof.language.parser import parse_declaration, parse_expression, parse_formula
from fullproof.language.scope import Scope
from fullproof.language.syntax import TRUE, Expression
from fullproof.language.type_inference import expect_boolean
from fullproof.language.types import ListType, StringType, Value, Variable
from fullproof.language.values import number_from_json
from fullproof.model.common import Constant, Description, FaultDomain, Property, Requirement

Declared = list[tuple[Variable, Scalar]]
"""Variables with the keys that declare them."""


def read_constants(document: Document, record: Mapping[str, Node]) -> dict[str, Value]:
    """Named truth values and exact numbers: ``0.9`` is 9/10, ``20/3`` is that fraction, ``2 min`` is 120 (seconds)."""
    if "constants" not in record:
        return {}
    values: dict[str, Value] = {}
    for key, node in document.fields(record["constants"], "constants"):
        check_name(key.text[:60], at=document.place(key))
        text = node.text if isinstance(node, Scalar) else ""
        number = number_from_json(text, at=document.place(node)) if text else None
        if number is None:
            number = duration_from_text(text, at=document.place(node))
        value = {"true": True, "false": False}.get(text, number)
        if value is None:
            message = (
                f"constant {key.text[:60]!r} should be a number, a duration, true or false, found {describe(node)}"
            )
            raise document.error(message, node)
        values[key.text] = value
    return values


def read_variables(
    document: Document, node: Node, what: str, constants: Mapping[str, Value], *, strings: bool = False
) -> Declared:
    """Declarations such as ``x: real 0..400``; ``strings`` where the kind has strings and lists."""
    declared: Declared = []
    for key, value in document.fields(node, what):
        check_name(key.text[:60], at=document.place(key))
        if isinstance(value, Scalar) and value.empty:
            raise document.error(f"{key.text[:60]!r} has no type, expected for example {key.text[:60]}: int 0..10", key)
        read = partial(_declaration, name=key.text, constants=constants)
        variable = document.parsed(value, f"the type of {key.text[:60]!r}", read)
        if isinstance(variable.type, StringType | ListType) and not strings:
            word = "string" if isinstance(variable.type, StringType) else "list"
            raise document.error(f"{key.text[:60]!r} is a {word}; only a machine of kind sts has {word}s", value)
        declared.append((variable, key))
    return declared


def _declaration(text: str, at: Place, *, name: str, constants: Mapping[str, Value]) -> Variable:
    return parse_declaration(text, name=name, constants=constants, at=at)


def require_initial(document: Document, declared: Declared, what: str) -> None:
    """Raise where a variable that needs an initial value has none."""
    for variable, key in declared:
        if variable.initial is None:
            example = f"{key.text[:60]}: int = 0"
            raise document.error(f"{what} {key.text[:60]!r} needs an initial value, for example {example}", key)


def refuse_initial(document: Document, declared: Declared, what: str) -> None:
    """Raise where an initial value would have no meaning."""
    for variable, key in declared:
        if variable.initial is not None:
            raise document.error(f"{what} {key.text[:60]!r} cannot have an initial value", key)


def scope_of(document: Document, declared: Declared, constants: Mapping[str, Value]) -> Scope:
    """The scope of some variables; a name with two meanings is an error at its declaration."""
    variables = [variable for variable, _ in declared]
    try:
        return Scope(variables=tuple(variables), constants=constants)
    except UserError as error:
        for count, (_, key) in enumerate(declared, start=1):
            try:
                Scope(variables=tuple(variables[:count]), constants=constants)
            except UserError as first:
                raise document.error(first.message, key) from None
        raise document.error(error.message, document.root) from None


@dataclass(frozen=True, slots=True, eq=False)
class Condition:
    """Reads truth-valued expressions over a scope; one object for each scope, so that a document parses texts once."""

    scope: Scope

    def __call__(self, text: str, at: Place) -> Expression:
        """Parse and check."""
        expression = parse_expression(text, at=at)
        expect_boolean(expression, self.scope)
        return with_defaults(expression, self.scope)


def read_guard(document: Document, node: Node | None, condition: Condition) -> Expression:
    """The guard of a transition; where nothing is given, ``true``."""
    return TRUE if node is None else document.parsed(node, "a guard", condition)


@dataclass(frozen=True, slots=True, kw_only=True)
class DescriptionVocabulary:
    """The names that the optional keys of a kind may refer to; None where the kind has no such key."""

    guards: Callable[[Node], Expression] | None = None
    outputs: Callable[[Node], Expression] | None = None
    properties: Scope | None = None
    attributes: tuple[Variable, ...] | None = None
    """What may be paved."""
    inputs: tuple[Variable, ...] | None = None
    """What may have thresholds."""
    transitions_have_faults: bool = False
    """Whether the faults of transitions may be named."""


def read_description(
    document: Document, record: Mapping[str, Node], constants: Mapping[str, Value], speech: DescriptionVocabulary
) -> Description:
    """The optional keys."""
    return Description(
        constants=tuple(Constant(name=name, value=value) for name, value in constants.items()),
        fault_domain=_fault_domain(document, record.get("fault_domain"), speech),
        properties=_properties(document, record.get("properties"), speech.properties),
        requirements=_requirements(document, record.get("requirements")),
    )


def _fault_domain(document: Document, node: Node | None, speech: DescriptionVocabulary) -> FaultDomain:
    if node is None:
        return FaultDomain()
    special: tuple[str, ...] = () if speech.attributes is None else ("paving", "degree")
    if speech.inputs is not None:
        special = ("degree", "thresholds", "exclude", "pairs")
    if speech.transitions_have_faults:
        special += NAMED_FAULTS
    record = document.record(node, "fault_domain", ("extra_states", "guards", "outputs", *special))
    extra, degree = record.get("extra_states"), record.get("degree")
    return FaultDomain(
        extra_states=None if extra is None else document.whole_number(extra, "extra_states"),
        guards=_faults(document, record.get("guards"), "guards", speech.guards),
        outputs=_faults(document, record.get("outputs"), "outputs", speech.outputs),
        paving=PAVING.of_document(document, record.get("paving"), speech.attributes),
        degree=None if degree is None else document.whole_number(degree, "degree"),
        thresholds=THRESHOLDS.of_document(document, record.get("thresholds"), speech.inputs),
        excluded=read_excluded(document, record.get("exclude"), speech.guards, speech.outputs),
        pairs=read_pairs(document, record.get("pairs")),
        faults=read_named_faults(document, record) if speech.transitions_have_faults else None,
    )


def _faults(
    document: Document, node: Node | None, what: str, read: Callable[[Node], Expression] | None
) -> tuple[Expression, ...]:
    if node is None:
        return ()
    if read is None:
        raise document.error(f"the fault domain of this kind of machine has no {what!r}", node)
    return tuple(read(item) for item in document.one_or_more(node, f"{what} of the fault domain"))


def _properties(document: Document, node: Node | None, scope: Scope | None) -> tuple[Property, ...]:
    if node is None:
        return ()
    entries = document.fields(node, "properties")
    if scope is None and entries:
        raise document.error("properties refer to input and output variables, this kind of machine has none", node)
    found = []
    for key, value in entries:
        formula = document.parsed(value, f"property {key.text[:60]!r}", lambda text, at: parse_formula(text, at=at))
        expect_boolean(formula, scope or Scope())
        found.append(Property(name=key.text, formula=formula, at=document.place(value)))
    return tuple(found)


def _requirements(document: Document, node: Node | None) -> tuple[Requirement, ...]:
    if node is None:
        return ()
    return tuple(
        Requirement(name=key.text, text=document.scalar(value, f"requirement {key.text[:60]!r}").text)
        for key, value in document.fields(node, "requirements")
    )


def read_req(document: Document, node: Node | None, description: Description) -> tuple[str, ...]:
    """The requirements a transition names: any, or where the file lists requirements, one of those or a property."""
    if node is None:
        return ()
    items = document.one_or_more(node, "req")
    names = document.names(items, "requirement")
    if description.requirements:
        known = _known_requirements(description)
        for item in items:
            document.known(item, "requirement", known)
    return names


def _known_requirements(description: Description) -> Sequence[str]:
    return [*(entry.name for entry in description.requirements), *(entry.name for entry in description.properties)]
