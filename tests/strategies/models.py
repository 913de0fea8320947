"""Random models of the four kinds, valid by construction, with odd names where a test asks for them."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st
from tests.strategies.conditions import conditions, formulas, values_of

from fullproof.language.syntax import TRUE
from fullproof.language.types import BoolType, EnumType, IntType, RealType, Value, Variable
from fullproof.model import Fsm, Sfsm, StateMachine, Sts
from fullproof.model.common import Constant, Description, FaultDomain, Property, Requirement
from fullproof.model.fsm import FsmTransition
from fullproof.model.sfsm import SfsmTransition
from fullproof.model.statemachine import SmTransition
from fullproof.model.sts import INTERNAL, Assignment, Gate, Switch

AWKWARD = (
    *(
        "y",
        "no",
        "on",
        "null",
        "Null",
        "true",
        "0",
        "007",
        "1.0",
        "1e3",
        "-1",
        "0x1F",
        "2001-01-01",
        ".inf",
        "~",
        "=",
        "<<",
        "_nop",
    ),
    *("-", "- a", "a: b", "a:", ":a", "a, b", "#x", "a #b", "a#b", "'q'", '"', "it's", "[x]", "{}", "*", "&a", "!t"),
    *("%d", "@", "`", "|", ">", "?", "? a", "..", "---", "...", "a/b", "a / b", "/", " / ", "a;b", ";", ",", ":", "::"),
    *(
        "-->",
        "state",
        "note",
        "default",
        "digraph",
        "node",
        "\\",
        "\\n",
        'a\\"',
        "é",
        "größe",
        "日本",
        "😀",
        "a b",
        ".",
    ),
    *(".r", ".e", "01", "0-", "s0", "i0", "o0", "<b>", "&lt;", "direction LR", "%%", "\u00a0", "fullproof-line-7"),
)
"""Names that some format could take for something else."""

CONTROL = (
    " lead",
    "trail ",
    "x\ty",
    "line\nbreak",
    "\r",
    "\x7f",
    "\u2028",
    "\ufeff",
    "\x85",
    "\x00",
    "a\n\nb",
    "\u200b",
)
"""Names that no line-based format can hold as they are."""

plain_names = st.sampled_from([*"abcdefgh", "s0", "s1", "s2", "s3", "coin", "tea", "pr.a", "ts.out.ok"])
printable_names = st.sampled_from(AWKWARD) | plain_names
any_names = (
    printable_names
    | st.sampled_from(CONTROL)
    | st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
)

_VARIABLES = ("x", "y", "n", "no", "m2", "größe", "W", "X", "max", "real", "_", "null")
_VALUES = ("O", "A", "L1", "U", "on", "off")
_CONSTANTS = ("vmax", "delta", "c0", "G", "e")


def distinct(names: st.SearchStrategy[str], *, most: int, least: int = 1) -> st.SearchStrategy[list[str]]:
    """Draw different names."""
    return st.lists(names, min_size=least, max_size=most, unique=True)


@st.composite
def fsms(
    draw: st.DrawFn,
    *,
    max_states: int = 5,
    max_inputs: int = 3,
    max_outputs: int = 3,
    deterministic: bool = False,
    complete: bool = False,
    observable: bool = False,
    names: st.SearchStrategy[str] = plain_names,
) -> Fsm:
    """Draw a finite machine; without options it may be partial, nondeterministic and not observable."""
    states, inputs, outputs = (draw(distinct(names, most=most)) for most in (max_states, max_inputs, max_outputs))
    answers = st.lists(
        st.tuples(st.sampled_from(outputs), st.sampled_from(states)),
        unique_by=(lambda answer: answer[0]) if observable else (lambda answer: answer),
        min_size=1 if complete else 0,
        max_size=1 if deterministic else 3,
    )
    description = draw(descriptions(names=names))
    transitions = [
        FsmTransition(source, symbol, output, target, draw(requirements_of(description)))
        for source in states
        for symbol in inputs
        for output, target in draw(answers)
    ]
    return Fsm(
        name=draw(names),
        initial=draw(st.sampled_from(states)),
        states=tuple(states),
        inputs=tuple(inputs),
        outputs=tuple(outputs),
        transitions=tuple(transitions),
        description=description,
    )


@st.composite
def descriptions(draw: st.DrawFn, *, names: st.SearchStrategy[str] = plain_names) -> Description:
    """Draw constants, a number of extra states and requirements."""
    constants = draw(st.dictionaries(st.sampled_from(_CONSTANTS), constant_values, max_size=3))
    requirements = draw(st.dictionaries(names, any_texts, max_size=2))
    return Description(
        constants=tuple(Constant(name=name, value=value) for name, value in constants.items()),
        fault_domain=FaultDomain(extra_states=draw(st.integers(0, 3))),
        requirements=tuple(Requirement(name=name, text=text) for name, text in requirements.items()),
    )


any_texts = st.sampled_from(["Stop at once.", "a: b # c", "", " ", "- x", "two\nlines\n", "'", "~"]) | st.text(
    st.characters(exclude_categories=["Cs"]), max_size=20
)
constant_values: st.SearchStrategy[Value] = (
    st.booleans()
    | st.integers(-(10**6), 10**6)
    | st.builds(Fraction, st.integers(-99, 99), st.sampled_from([1, 2, 3, 7, 10, 1000]))
)


def requirements_of(description: Description) -> st.SearchStrategy[tuple[str, ...]]:
    """Draw what a transition may realise."""
    known = [entry.name for entry in description.requirements] or ["R1", "R 2"]
    return st.just(()) | st.lists(st.sampled_from(known), unique=True, max_size=2).map(tuple)


_numbers = st.builds(Fraction, st.integers(-20, 20), st.sampled_from([1, 2, 4, 5]))


@st.composite
def types(draw: st.DrawFn) -> BoolType | IntType | RealType | EnumType:
    """Draw any type, bounded or not."""
    match draw(st.sampled_from(["bool", "int", "real", "enum"])):
        case "bool":
            return BoolType()
        case "enum":
            return EnumType(tuple(draw(st.lists(st.sampled_from(_VALUES), min_size=1, max_size=4, unique=True))))
        case "int":
            low, high = sorted((draw(st.integers(-20, 20)), draw(st.integers(-20, 20))))
            return IntType(draw(st.sampled_from([None, low])), draw(st.sampled_from([None, high])))
        case _:
            low_real, high_real = sorted((draw(_numbers), draw(_numbers)))
            return RealType(draw(st.sampled_from([None, low_real])), draw(st.sampled_from([None, high_real])))


@st.composite
def variables(draw: st.DrawFn, name: str, *, initial: bool) -> Variable:
    """Draw a variable of any type, perhaps with a tolerance."""
    type_ = draw(types())
    tolerance = draw(st.sampled_from([None, None, Fraction(1, 10**6), Fraction(1, 3)]))
    return Variable(
        name=name,
        type=type_,
        initial=draw(values_of(type_)) if initial else None,
        tolerance=tolerance if isinstance(type_, RealType) else None,
    )


@st.composite
def declarations(draw: st.DrawFn, names: list[str], *, initial: bool) -> tuple[Variable, ...]:
    """Draw a variable for each name."""
    return tuple(draw(variables(name, initial=initial)) for name in names)


@st.composite
def sfsms(draw: st.DrawFn, *, max_states: int = 3, names: st.SearchStrategy[str] = plain_names) -> Sfsm:
    """Draw a symbolic machine over variables of any types."""
    words = draw(distinct(st.sampled_from(_VARIABLES), least=2, most=4))
    split = draw(st.integers(1, len(words) - 1))
    inputs = draw(declarations(words[:split], initial=False))
    outputs = draw(declarations(words[split:], initial=False))
    states = draw(distinct(names, most=max_states))
    base = draw(descriptions(names=names))
    constants = {constant.name: constant.value for constant in base.constants}
    guards, answers = conditions(inputs, constants), conditions(inputs + outputs, constants)
    description = Description(
        constants=base.constants,
        fault_domain=FaultDomain(
            extra_states=base.fault_domain.extra_states,
            guards=tuple(draw(st.lists(guards, max_size=1))),
            outputs=tuple(draw(st.lists(answers, max_size=1))),
        ),
        properties=tuple(
            Property(name=name, formula=draw(formulas(inputs + outputs, constants)))
            for name in draw(distinct(names, least=0, most=1))
        ),
        requirements=base.requirements,
    )
    return Sfsm(
        name=draw(names),
        initial=draw(st.sampled_from(states)),
        states=tuple(states),
        inputs=inputs,
        outputs=outputs,
        transitions=tuple(
            SfsmTransition(
                source=source,
                guard=draw(guards),
                output=draw(answers),
                target=draw(st.sampled_from(states)),
                requirements=draw(requirements_of(description)),
            )
            for source in states
            for _ in range(draw(st.integers(0, 2)))
        ),
        description=description,
    )


@st.composite
def stss(draw: st.DrawFn, *, max_states: int = 3, names: st.SearchStrategy[str] = plain_names) -> Sts:
    """Draw a symbolic transition system with up to four gates."""
    words = draw(distinct(st.sampled_from(_VARIABLES), least=1, most=5))
    split = draw(st.integers(0, len(words) - 1))
    known = draw(declarations(words[:split], initial=True))
    gates = [
        Gate(name=name, parameters=draw(declarations(words[split : split + draw(st.integers(0, 2))], initial=False)))
        for name in draw(distinct(names, most=4))
    ]
    inside = draw(st.integers(0, len(gates)))
    states = draw(distinct(names, most=max_states))
    description = draw(descriptions(names=names))
    constants = {constant.name: constant.value for constant in description.constants}

    def switch(source: str) -> Switch:
        gate = draw(st.sampled_from([*gates, INTERNAL]))
        scope = known + gate.parameters
        changed = draw(st.lists(st.sampled_from(known), unique=True, max_size=2)) if known else []
        return Switch(
            source=source,
            gate=gate.name,
            guard=draw(st.just(TRUE) | conditions(scope, constants)),
            assignments=tuple(
                Assignment(variable=v.name, expression=draw(conditions(scope, constants, wanted=v.type)))
                for v in changed
            ),
            target=draw(st.sampled_from(states)),
            requirements=draw(requirements_of(description)),
        )

    return Sts(
        name=draw(names),
        initial=draw(st.sampled_from(states)),
        states=tuple(states),
        variables=known,
        inputs=tuple(gates[:inside]),
        outputs=tuple(gates[inside:]),
        transitions=tuple(switch(source) for source in states for _ in range(draw(st.integers(0, 2)))),
        description=description,
    )


@st.composite
def statemachines(draw: st.DrawFn, *, max_states: int = 3, names: st.SearchStrategy[str] = plain_names) -> StateMachine:
    """Draw a state machine with signals, choice points and actions."""
    words = draw(distinct(st.sampled_from(_VARIABLES), least=0, most=5))
    cuts = sorted((draw(st.integers(0, len(words))), draw(st.integers(0, len(words)))))
    inputs = draw(declarations(words[: cuts[0]], initial=False))
    outputs = draw(declarations(words[cuts[0] : cuts[1]], initial=True))
    inner = draw(declarations(words[cuts[1] :], initial=True))
    signals = draw(distinct(names, least=0, most=4))
    received = draw(st.integers(0, len(signals)))
    states = draw(distinct(names, most=max_states))
    description = draw(descriptions(names=names))
    constants = {constant.name: constant.value for constant in description.constants}
    scope = inputs + outputs + inner

    def transition(source: str) -> SmTransition:
        changed = draw(st.lists(st.sampled_from(outputs + inner), max_size=2)) if outputs + inner else []
        return SmTransition(
            source=source,
            trigger=draw(st.sampled_from([None, *signals[:received]])),
            guard=draw(st.just(TRUE) | conditions(scope, constants)),
            actions=tuple(
                Assignment(variable=v.name, expression=draw(conditions(scope, constants, wanted=v.type)))
                for v in changed
            ),
            sends=tuple(draw(st.lists(st.sampled_from(signals[received:]), max_size=2)) if signals[received:] else ()),
            target=draw(st.sampled_from(states)),
            requirements=draw(requirements_of(description)),
        )

    return StateMachine(
        name=draw(names),
        initial=draw(st.sampled_from(states)),
        states=tuple(states),
        choices=tuple(draw(st.lists(st.sampled_from(states), unique=True, max_size=2))),
        signals_in=tuple(signals[:received]),
        signals_out=tuple(signals[received:]),
        inputs=inputs,
        outputs=outputs,
        variables=inner,
        transitions=tuple(transition(source) for source in states for _ in range(draw(st.integers(0, 2)))),
        description=description,
    )
