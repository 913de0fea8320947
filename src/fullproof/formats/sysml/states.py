"""The states, transitions and actions of a SysML v2 state definition, before their names mean anything."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NoReturn

from fullproof.core.errors import Place, UserError
from fullproof.formats.sysml.attributes import body_items
from fullproof.formats.sysml.expressions import last_name, read_expression
from fullproof.formats.sysml.tree import (
    Node,
    Rule,
    all_inside,
    child,
    children,
    declared_name,
    first,
    has,
    inside,
    name_text,
    place_of,
    shown,
    tokens,
)
from fullproof.language.syntax import Expression

MAX_DEPTH = 40
"""States inside each other."""

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SysmlAction:
    """An assignment, or a signal that is sent (no expression)."""

    name: str
    expression: Expression | None
    at: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """A transition with names as written, to be looked up from ``scope`` outwards."""

    scope: Path
    source: Path
    target: Path
    trigger: str | None
    trigger_at: Place
    guard: Expression | None
    effect: tuple[SysmlAction, ...]
    at: Place
    source_at: Place
    target_at: Place
    timed: bool = False
    """Whether the trigger is a time such as ``after 5 s``."""


@dataclass(slots=True, kw_only=True)
class SysmlState:
    """A state; the outermost one has the empty path."""

    path: Path
    at: Place
    keyword: str | None = None
    """``choice``, ``history`` or ``deepHistory``, for which SysML has no words of its own."""
    parallel: bool = False
    """The states inside it are regions."""
    actions: dict[str, list[SysmlAction]] = field(default_factory=dict)
    """What ``entry``, ``do`` and ``exit`` do."""
    entry_name: str | None = None
    """The name of the entry action: a transition from it says which inner state is initial."""
    initial: tuple[Path, Place] | None = None

    @property
    def entry(self) -> list[SysmlAction]:
        """What happens on entry: a do action of assignments and signals is done at once, after the entry action."""
        return [*self.actions.get("entry", ()), *self.actions.get("do", ())]

    @property
    def exit(self) -> list[SysmlAction]:
        """What happens on leaving."""
        return self.actions.get("exit", [])


@dataclass(slots=True)
class SysmlStates:
    """All states from the outermost on, and all transitions, in the order of the file."""

    states: dict[Path, SysmlState] = field(default_factory=dict)
    transitions: list[Transition] = field(default_factory=list)


def read_states(machine: Rule) -> SysmlStates:
    """Read the body of a state definition or usage."""
    reader = _Reader()
    reader.state(machine, (), keyword=None)
    return reader.found


def state_body(rule: Rule) -> Rule | None:
    """The body of a state; UserErrors are left to the reader."""
    return child(rule, "stateDefBody", "stateUsageBody")


class _Reader:
    def __init__(self) -> None:
        self.found = SysmlStates()

    def refuse(self, message: str, node: Node) -> NoReturn:
        raise UserError(message, at=place_of(node))

    # --- states ---

    def state(self, rule: Rule, path: Path, *, keyword: str | None) -> None:
        here = SysmlState(path=path, at=place_of(rule), keyword=keyword)
        if path in self.found.states:
            self.refuse(f"state {path[-1][:60]!r} is defined twice", rule)
        if len(path) > MAX_DEPTH:
            self.refuse(f"states nested more than {MAX_DEPTH} deep", rule)
        self.found.states[path] = here
        body = state_body(rule)
        if body is None or has(body, ";"):
            return
        here.parallel = has(body, "parallel")
        if here.parallel and not path:
            self.refuse("the outermost state is parallel, expected a parallel state inside it", rule)
        for item in body_items(body):
            self.item(item, here)

    def item(self, item: Rule, here: SysmlState) -> None:
        previous: Path | None = None
        for part in item.children:
            if not isinstance(part, Rule):
                continue
            if part.name == "behaviorUsageMember":
                previous = self.usage(part, here)
            elif part.name == "targetTransitionUsageMember":
                usage = child(part, "targetTransitionUsage")
                if usage is None or previous is None:
                    self.refuse("expected a state before its transition", part)
                self.transition(usage, here, source=previous, source_at=place_of(part))
            else:
                self.member(part, here)

    def member(self, part: Rule, here: SysmlState) -> None:
        match part.name:
            case "transitionUsageMember":
                for usage in children(part, "transitionUsage"):
                    self.named_transition(usage, here)
            case "entryActionMember":
                self.entry(part, here)
            case "entryTransitionMember":
                self.initial(part, here)
            case "doActionMember":
                self.action("do", part, here)
            case "exitActionMember":
                if not here.path:
                    self.refuse("the outermost state is never left, so its exit action never happens", part)
                self.action("exit", part, here)
            case "sourceSuccessionMember":
                self.refuse("'then' before a state is not supported, expected a transition", part)
            case _:
                self.other(part, here)

    def usage(self, member: Rule, here: SysmlState) -> Path | None:
        usage = inside(member, "stateUsage", *_HARMLESS, "assertConstraintUsage")
        if usage is None or (usage.name == "assertConstraintUsage" and here.path):
            self.refuse(f"{shown(member)} is not supported in a state", member)
        if usage.name != "stateUsage":
            return None
        declaration = child(usage, "actionUsageDeclaration")
        token = declared_name(declaration)
        if token is None:
            self.refuse("expected the name of the state", usage)
        if declaration is not None and inside(declaration, "featureSpecializationPart"):
            self.refuse("a state of a type is not supported, expected its body", token)
        name = name_text(token)
        if not name:
            self.refuse("the name of a state is empty", token)
        prefix = child(usage, "occurrenceUsagePrefix")
        keywords = [] if prefix is None else [first(k) for k in all_inside(prefix, "prefixMetadataFeature")]
        for keyword in keywords:
            if name_text(keyword) not in KEYWORDS or len(keywords) > 1:
                expected = ", ".join(f"#{word}" for word in KEYWORDS)
                self.refuse(f"unknown keyword #{name_text(keyword)[:40]}, expected one of {expected}", keyword)
        path = (*here.path, name)
        self.state(usage, path, keyword=name_text(keywords[0]) if keywords else None)
        return path

    def other(self, part: Rule, here: SysmlState) -> None:
        """Attributes are read elsewhere, but belong to the outermost state; what has no behaviour is passed over."""
        known = inside(part, *_ATTRIBUTES, *_HARMLESS)
        if known is None:
            self.refuse(f"{shown(part)} is not supported in a state", part)
        if known.name in _ATTRIBUTES and here.path:
            self.refuse("an attribute belongs to the outermost state", known)

    def entry(self, member: Rule, here: SysmlState) -> None:
        self.action("entry", member, here)
        name = declared_name(inside(member, "performActionUsageDeclaration"))
        if name is not None:
            here.entry_name = name_text(name)

    def action(self, word: str, member: Rule, here: SysmlState) -> None:
        if word in here.actions:
            self.refuse(f"a state has one {word} action, this is a second one", member)
        here.actions[word] = self.steps(member)

    def initial(self, member: Rule, here: SysmlState) -> None:
        if inside(member, "guardExpressionMember"):
            self.refuse("the way to the initial state cannot have a condition", member)
        target = inside(member, "transitionSuccessionMember")
        if target is not None:
            self.start(here, self.path_of(target), place_of(target))

    def start(self, here: SysmlState, target: Path, at: Place) -> None:
        if here.initial is not None:
            raise UserError(f"a second initial state, the first is on line {here.initial[1].line}", at=at)
        here.initial = (target, at)

    # --- transitions ---

    def named_transition(self, usage: Rule, here: SysmlState) -> None:
        source = child(usage, "featureChainMember")
        if source is None:
            self.refuse("expected 'first' and a state", usage)
        path = self.path_of(source)
        if len(path) == 1 and path[0] == here.entry_name:
            target = inside(usage, "transitionSuccessionMember")
            extra = inside(usage, "triggerActionMember", "guardExpressionMember", "effectBehaviorMember")
            if target is None or extra is not None:
                self.refuse("the way to the initial state has neither trigger nor guard nor actions", usage)
            self.start(here, self.path_of(target), place_of(target))
            return
        self.transition(usage, here, source=path, source_at=place_of(source))

    def transition(self, usage: Rule, here: SysmlState, *, source: Path, source_at: Place) -> None:
        target = inside(usage, "transitionSuccessionMember")
        trigger, guard = child(usage, "triggerActionMember"), child(usage, "guardExpressionMember")
        effect = child(usage, "effectBehaviorMember")
        condition = None if guard is None else child(guard, "ownedExpression")
        if target is None:
            self.refuse("expected 'then' and a state", usage)
        at = place_of(usage)
        found = Transition(
            scope=here.path,
            source=source,
            target=self.path_of(target),
            trigger=None if trigger is None else self.signal(trigger),
            trigger_at=at if trigger is None else place_of(trigger.children[-1]),
            guard=None if condition is None else read_expression(condition),
            effect=() if effect is None else tuple(self.steps(effect)),
            at=at,
            source_at=source_at,
            target_at=place_of(target),
            timed=trigger is not None and inside(trigger, "triggerExpression") is not None,
        )
        self.found.transitions.append(found)

    def path_of(self, rule: Rule) -> Path:
        """``a.b`` or ``a::b``"""
        names = [name for chain in all_inside(rule, "qualifiedName") for name in children(chain, "name")]
        return tuple(name_text(first(name)) for name in names)

    def signal(self, trigger: Rule) -> str:
        timed = inside(trigger, "triggerExpression")
        if timed is not None:
            word = first(timed).text
            if word == "after":
                return self.time(timed)
            hint = "a guard with 'if'" if word == "when" else "an input attribute for the time, and a guard"
            self.refuse(f"'accept {word}' is not supported, expected {hint}", timed)
        payload = inside(trigger, "payloadFeature")
        names = [] if payload is None else list(all_inside(payload, "qualifiedName"))
        if len(names) != 1:
            self.refuse(f"expected a signal after 'accept', found {shown(trigger)}", trigger)
        part = inside(trigger, "acceptParameterPart")
        ports = [] if part is None else children(part, "nodeParameterMember")
        return ".".join([*(name for port in ports for name in self.path_of(port)), last_name(names[0])])

    def time(self, timed: Rule) -> str:
        """``after 5 [SI::s]``, or a constant that is a number of seconds."""
        text = " ".join(token.text for token in list(tokens(timed))[1:])
        match = _DURATION.fullmatch(text)
        if match is None:
            self.refuse(f"expected a duration such as 'accept after 5 [s]', found {shown(timed)}", timed)
        return f"after {match['number']} {match['unit']}" if match["number"] else f"after {match['name']}"

    # --- actions ---

    def steps(self, rule: Rule) -> list[SysmlAction]:
        """The assignments and sent signals of an action, in the order of the text."""
        found = []
        for part in all_inside(rule, *_STEPS, *_FOREIGN):
            if part.name == "assignmentNodeDeclaration":
                found.append(self.assignment(part))
            elif part.name in ("sendNodeDeclaration", "sendNode"):
                found.append(self.sent(part))
            else:
                self.refuse(f"{shown(part)} is not supported in an action, expected assign or send", part)
        return found

    def assignment(self, rule: Rule) -> SysmlAction:
        target, value = child(rule, "featureChainMember"), child(rule, "nodeParameterMember")
        binding = inside(rule, "assignmentTargetBinding")
        expression = None if value is None else inside(value, "ownedExpression")
        names = () if target is None else self.path_of(target)
        if binding is not None or len(names) != 1 or expression is None or target is None:
            self.refuse("expected an attribute and a value, as in assign x := x + 1", rule)
        return SysmlAction(names[0], read_expression(expression), place_of(target))

    def sent(self, rule: Rule) -> SysmlAction:
        payload, receivers = child(rule, "nodeParameterMember"), child(rule, "senderReceiverPart")
        if payload is None:
            self.refuse("expected a signal after 'send'", rule)
        arguments = inside(payload, "argumentList")
        if arguments is not None and len(arguments.children) > 2:
            self.refuse("a signal carries no values, expected an out attribute for them", arguments)
        names = self.path_of(payload)
        if not names or any(t.text not in _JOINING for t in tokens(payload) if name_text(t) not in names):
            self.refuse(f"expected a signal after 'send', found {shown(payload)}", payload)
        parts = () if receivers is None else receivers.children
        ports = [name for part in parts if isinstance(part, Rule) for name in self.path_of(part)]
        return SysmlAction(".".join([*ports, names[-1]]), None, place_of(payload))


KEYWORDS = ("choice", "history", "deepHistory")
_DURATION = re.compile(
    r"(?P<number>[0-9.]+(?: / [0-9]+)?) \[ (?:SI :: )?(?P<unit>ms|s|min|h) \]"
    r"|(?P<name>[^\W\d]\w*)(?: \[ (?:SI :: )?s \])?"
)
_JOINING = ("::", ".", "(", ")", "new")
_ATTRIBUTES = ("attributeUsage", "defaultReferenceUsage", "referenceUsage")
_HARMLESS = (
    "importRule", "aliasMember", "definitionMember", "enumerationUsage", "partUsage", "itemUsage", "portUsage",
    "actionUsage", "calculationUsage", "constraintUsage", "requirementUsage", "concernUsage",
)  # fmt: skip
"""Members of a state that do nothing by themselves."""

_STEPS = ("assignmentNodeDeclaration", "sendNodeDeclaration", "sendNode")
_FOREIGN = (
    "ifNode", "whileLoopNode", "forLoopNode", "acceptNode", "acceptNodeDeclaration", "terminateNode", "controlNode",
    "behaviorUsageMember", "guardedSuccessionMember", "guardedTargetSuccession", "defaultTargetSuccession",
    "ownedReferenceSubsetting", "nonOccurrenceUsageMember", "structureUsageMember", "valuePart",
    "featureSpecializationPart",
)  # fmt: skip
"""Parts of actions that state machines of fullproof cannot express; a name alone performs an action that is
elsewhere."""
