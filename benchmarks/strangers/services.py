"""Random protocols put together from services as real ones have them, and faults in them; a seed decides everything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from random import Random

from fullproof.analysis.sts_semantics import StsSemantics
from fullproof.core.errors import UserError
from fullproof.language.formulas import atoms, conjunction, conjuncts
from fullproof.language.parser import parse_expression
from fullproof.language.syntax import TRUE, Binary, Comparison, Expression, Integer, Name
from fullproof.language.traversal import nodes
from fullproof.language.types import BoolType, IntType, Variable
from fullproof.model.sts import Assignment, Gate, Sts, Switch

ANY, SMALL, BYTE, AMOUNT = IntType(None, None), IntType(0, 9), IntType(0, 255), IntType(1, 100)


@dataclass
class Draft:
    """A protocol that grows by services around a hub."""

    random: Random
    hub: str
    variables: list[Variable] = field(default_factory=list)
    inputs: list[Gate] = field(default_factory=list)
    outputs: list[Gate] = field(default_factory=list)
    switches: list[Switch] = field(default_factory=list)
    locations: list[str] = field(default_factory=list)

    def variable(self, name: str, type_: IntType | BoolType, initial: int | bool) -> str:
        """A variable of the protocol."""
        self.variables.append(Variable(name=name, type=type_, initial=initial))
        return name

    def input(self, name: str, **parameters: IntType | BoolType) -> str:
        """An input gate."""
        self.inputs.append(_gate(name, parameters))
        return name

    def output(self, name: str, **parameters: IntType | BoolType) -> str:
        """An output gate."""
        self.outputs.append(_gate(name, parameters))
        return name

    def take(self, source: str, gate: str, target: str, when: str = "true", **updates: str) -> None:
        """A switch."""
        for location in (source, target):
            if location not in self.locations:
                self.locations.append(location)
        assigned = tuple(Assignment(variable=v, expression=parse_expression(e)) for v, e in updates.items())
        self.switches.append(
            Switch(source=source, gate=gate, guard=parse_expression(when), assignments=assigned, target=target)
        )

    def answer(self, gate: str, when: str, target: str | None = None, **updates: str) -> str:
        """A location from which the output leads back to the hub."""
        place = f"L{len(self.locations)}"
        self.take(place, gate, target or self.hub, when, **updates)
        return place


def _gate(name: str, parameters: dict[str, IntType | BoolType]) -> Gate:
    return Gate(name=name, parameters=tuple(Variable(name=p, type=t) for p, t in parameters.items()))


def account(d: Draft, k: int) -> None:
    """Money comes in and goes out, never below zero."""
    balance, due = d.variable(f"balance{k}", ANY, 0), d.variable(f"due{k}", ANY, 0)
    most = d.random.choice((200, 500, 1000))
    d.output(f"balance_is{k}", sum=ANY), d.output(f"refused{k}", missing=ANY)
    told = d.answer(f"balance_is{k}", f"sum == {balance}")
    lacking = d.answer(f"refused{k}", f"missing == {due}", **{due: "0"})
    d.input(f"pay{k}", amount=AMOUNT), d.input(f"draw{k}", amount=ANY)
    d.take(d.hub, f"pay{k}", told, f"{balance} + amount <= {most}", **{balance: f"{balance} + amount"})
    d.take(d.hub, f"pay{k}", lacking, f"{balance} + amount > {most}", **{due: f"{balance} + amount - {most}"})
    d.take(d.hub, f"draw{k}", told, f"0 < amount and amount <= {balance}", **{balance: f"{balance} - amount"})
    d.take(d.hub, f"draw{k}", lacking, f"amount > {balance} and amount > 0", **{due: f"amount - {balance}"})


def lock(d: Draft, k: int) -> None:
    """A code that is set, and a limit on wrong ones."""
    code, wrong = d.variable(f"code{k}", ANY, 1234), d.variable(f"wrong{k}", SMALL, 0)
    limit, locked = d.random.randint(2, 4), f"LOCKED{k}"
    d.output(f"opened{k}"), d.output(f"wrong_code{k}", left=SMALL), d.output(f"alarm{k}")
    yes = d.answer(f"opened{k}", "true", **{wrong: "0"})
    no = d.answer(f"wrong_code{k}", f"left == {limit} - {wrong}")
    noisy = d.answer(f"alarm{k}", "true", locked)
    d.input(f"set_code{k}", new=ANY), d.input(f"try_code{k}", guess=ANY), d.input(f"service{k}", key=ANY)
    d.take(d.hub, f"set_code{k}", yes, "new >= 1000", **{code: "new"})
    d.take(d.hub, f"try_code{k}", yes, f"guess == {code}")
    d.take(d.hub, f"try_code{k}", no, f"guess != {code} and {wrong} < {limit} - 1", **{wrong: f"{wrong} + 1"})
    d.take(d.hub, f"try_code{k}", noisy, f"guess != {code} and {wrong} >= {limit} - 1", **{wrong: "0"})
    d.take(locked, f"service{k}", yes, "key == 4711")
    d.take(locked, f"service{k}", locked, "key != 4711")


def frames(d: Draft, k: int) -> None:
    """Numbered frames, acknowledged in order."""
    want, data = d.variable(f"want{k}", SMALL, 0), d.variable(f"data{k}", ANY, 0)
    size = d.random.choice((2, 4, 8))
    d.output(f"ack{k}", number=SMALL, echo=ANY), d.output(f"nak{k}", number=SMALL)
    good = d.answer(f"ack{k}", f"number == {want} and echo == {data}")
    bad = d.answer(f"nak{k}", f"number == {want}")
    d.input(f"frame{k}", number=SMALL, body=ANY), d.input(f"restart{k}")
    updates = {want: f"({want} + 1) % {size}", data: "body"}
    d.take(d.hub, f"frame{k}", good, f"number == {want}", **updates)
    d.take(d.hub, f"frame{k}", bad, f"number != {want}")
    d.take(d.hub, f"restart{k}", bad, **{want: "0"})


def retries(d: Draft, k: int) -> None:
    """A request that is sent again after a timeout, some times."""
    tries, token = d.variable(f"tries{k}", SMALL, 0), d.variable(f"token{k}", BYTE, 0)
    limit, waiting = d.random.randint(2, 5), f"WAIT{k}"
    d.output(f"request{k}", id=BYTE), d.output(f"done{k}", id=BYTE), d.output(f"given_up{k}", after=SMALL)
    sending = d.answer(f"request{k}", f"id == {token}", waiting)
    finished = d.answer(f"done{k}", f"id == {token}", **{tries: "0"})
    failing = d.answer(f"given_up{k}", f"after == {tries}", **{tries: "0"})
    d.input(f"order{k}", id=BYTE), d.input(f"timeout{k}"), d.input(f"reply{k}", id=BYTE)
    d.take(d.hub, f"order{k}", sending, **{token: "id", tries: "0"})
    d.take(waiting, f"timeout{k}", sending, f"{tries} < {limit}", **{tries: f"{tries} + 1"})
    d.take(waiting, f"timeout{k}", failing, f"{tries} >= {limit}")
    d.take(waiting, f"reply{k}", finished, f"id == {token}")
    d.take(waiting, f"reply{k}", waiting, f"id != {token}")


def stock(d: Draft, k: int) -> None:
    """A stock that is sold, runs out, and is filled again."""
    left, sold = d.variable(f"left{k}", IntType(0, 20), 0), d.variable(f"sold{k}", ANY, 0)
    full = d.random.randint(3, 8)
    d.variables[-2] = replace(d.variables[-2], initial=full)
    d.output(f"sold{k}_is", total=ANY), d.output(f"empty{k}"), d.output(f"filled{k}", level=IntType(0, 20))
    ok, none = d.answer(f"sold{k}_is", f"total == {sold}"), d.answer(f"empty{k}", "true")
    filled = d.answer(f"filled{k}", f"level == {left}")
    d.input(f"buy{k}"), d.input(f"fill{k}", number=IntType(1, 10))
    d.take(d.hub, f"buy{k}", ok, f"{left} > 0", **{left: f"{left} - 1", sold: f"{sold} + 1"})
    d.take(d.hub, f"buy{k}", none, f"{left} == 0")
    d.take(d.hub, f"fill{k}", filled, f"{left} + number <= {full}", **{left: f"{left} + number"})
    d.take(d.hub, f"fill{k}", filled, f"{left} + number > {full}", **{left: f"{full}"})


def topics(d: Draft, k: int) -> None:
    """A subscription, and messages that it lets through."""
    topic, on = d.variable(f"topic{k}", BYTE, 0), d.variable(f"on{k}", BoolType(), False)
    value = d.variable(f"value{k}", ANY, 0)
    d.output(f"subscribed{k}", to=BYTE), d.output(f"message{k}", value=ANY), d.output(f"quiet{k}", was=BoolType())
    granted = d.answer(f"subscribed{k}", f"to == {topic}")
    sent = d.answer(f"message{k}", f"value == {value}")
    ended = d.answer(f"quiet{k}", f"was == {on}", **{on: "false"})
    d.input(f"subscribe{k}", to=BYTE), d.input(f"publish{k}", to=BYTE, value=ANY), d.input(f"unsubscribe{k}")
    d.take(d.hub, f"subscribe{k}", granted, **{topic: "to", on: "true"})
    d.take(d.hub, f"publish{k}", sent, f"{on} and to == {topic}", **{value: "value"})
    d.take(d.hub, f"publish{k}", d.hub, f"not ({on} and to == {topic})")
    d.take(d.hub, f"unsubscribe{k}", ended)


def levels(d: Draft, k: int) -> None:
    """Measurements with two thresholds and a hysteresis."""
    high, last = d.variable(f"high{k}", BoolType(), False), d.variable(f"last{k}", ANY, 0)
    low = d.random.randint(5, 40)
    top = low + d.random.randint(10, 60)
    d.output(f"alert{k}", value=ANY), d.output(f"calm{k}", value=ANY), d.output(f"same{k}")
    alert, calm = d.answer(f"alert{k}", f"value == {last}"), d.answer(f"calm{k}", f"value == {last}")
    same = d.answer(f"same{k}", "true")
    d.input(f"measure{k}", value=ANY)
    d.take(d.hub, f"measure{k}", alert, f"value >= {top} and not {high}", **{high: "true", last: "value"})
    d.take(d.hub, f"measure{k}", calm, f"value < {low} and {high}", **{high: "false", last: "value"})
    d.take(d.hub, f"measure{k}", same, f"not (value >= {top} and not {high}) and not (value < {low} and {high})")


def queue(d: Draft, k: int) -> None:
    """Two places, first in, first out."""
    one, two = d.variable(f"one{k}", ANY, 0), d.variable(f"two{k}", ANY, 0)
    count = d.variable(f"count{k}", IntType(0, 3), 0)
    d.output(f"item{k}", value=ANY), d.output(f"no_item{k}"), d.output(f"no_room{k}")
    item = d.answer(f"item{k}", f"value == {one}", **{one: two, two: "0", count: f"{count} - 1"})
    none, room = d.answer(f"no_item{k}", "true"), d.answer(f"no_room{k}", "true")
    d.input(f"put{k}", value=ANY), d.input(f"get{k}")
    d.take(d.hub, f"put{k}", d.hub, f"{count} == 0", **{one: "value", count: "1"})
    d.take(d.hub, f"put{k}", d.hub, f"{count} == 1", **{two: "value", count: "2"})
    d.take(d.hub, f"put{k}", room, f"{count} >= 2")
    d.take(d.hub, f"get{k}", item, f"{count} > 0")
    d.take(d.hub, f"get{k}", none, f"{count} == 0")


SERVICES: tuple[Callable[[Draft, int], None], ...] = (account, lock, frames, retries, stock, topics, levels, queue)


def random_protocol(seed: int) -> Sts:
    """Two to four services, in half of the protocols behind a session that is opened and closed."""
    random = Random(f"protocol {seed}")
    session = random.random() < 0.5
    draft = Draft(random, "READY")
    if session:
        draft.variable("client", ANY, 0)
        draft.input("connect", id=ANY), draft.input("disconnect"), draft.output("welcome", id=ANY)
        draft.output("rejected"), draft.output("goodbye", id=ANY)
        draft.take("OFF", "connect", "GREETING", "id > 0", client="id")
        draft.take("OFF", "connect", "REJECTING", "id <= 0")
        draft.take("GREETING", "welcome", "READY", "id == client")
        draft.take("REJECTING", "rejected", "OFF")
        draft.take("READY", "disconnect", "LEAVING")
        draft.take("LEAVING", "goodbye", "OFF", "id == client", client="0")
    for place, service in enumerate(random.sample(SERVICES, random.randint(2, 4)), 1):
        service(draft, place)
    return Sts(
        name=f"protocol-{seed}",
        initial="OFF" if session else "READY",
        states=tuple(draft.locations),
        variables=tuple(draft.variables),
        inputs=tuple(draft.inputs),
        outputs=tuple(draft.outputs),
        transitions=tuple(draft.switches),
    )


def faulty(model: Sts, seed: str) -> Iterator[tuple[str, Sts]]:
    """Different single faults, in random order without end but for repetition: name and faulty system."""
    random, seen = Random(seed), set[Sts]()
    for _ in range(1000):
        place = random.randrange(len(model.transitions))
        kind, made = random.choice(OPERATORS)(random, model, model.transitions[place])
        if made is None or made == model.transitions[place]:
            continue
        switches = list(model.transitions)
        switches[place : place + 1] = [made] if isinstance(made, Switch) else []
        mutant = replace(model, transitions=tuple(switches))
        if mutant not in seen and _is_typed(mutant):
            seen.add(mutant)
            yield f"{kind} at {model.transitions[place].source}:{model.transitions[place].gate}", mutant


def _is_typed(model: Sts) -> bool:
    try:
        StsSemantics(model)
    except UserError:  # e.g. truth values have no order
        return False
    return True


Made = tuple[str, Switch | None]


def _operator(random: Random, _: Sts, switch: Switch) -> Made:
    found = [a for a in atoms(switch.guard) if isinstance(a, Comparison) and len(a.operators) == 1]
    if not found:
        return "", None
    old = random.choice(found)
    others = {"<": ("<=",), "<=": ("<",), ">": (">=",), ">=": (">",), "==": ("<=", ">="), "!=": ("<", ">")}
    new = Comparison(old.operands, (random.choice(others[old.operators[0]]),))
    return f"{old.operators[0]} is {new.operators[0]}", replace(switch, guard=_put(switch.guard, old, new))


def _constant(random: Random, _: Sts, switch: Switch) -> Made:
    trees = [switch.guard, *(a.expression for a in switch.assignments)]
    found = [(t, n) for t, tree in enumerate(trees) for n in nodes(tree) if isinstance(n, Integer)]
    if not found:
        return "", None
    tree, old = random.choice(found)
    new = Integer(old.value + random.choice((1, 1, max(1, old.value))))
    trees[tree] = _put(trees[tree], old, new)
    return f"{old.value} is {new.value}", _rebuilt(switch, trees)


def _forgotten(random: Random, _: Sts, switch: Switch) -> Made:
    if not switch.assignments:
        return "", None
    lost = random.choice(switch.assignments)
    return f"{lost.variable} keeps its value", replace(
        switch, assignments=tuple(a for a in switch.assignments if a is not lost)
    )


def _target(random: Random, model: Sts, switch: Switch) -> Made:
    inner = {s.source for s in model.transitions if s.gate in {g.name for g in model.outputs}}
    alike = [s for s in model.states if (s in inner) == (switch.target in inner) and s != switch.target]
    if not alike:
        return "", None
    new = random.choice(alike)
    return f"leads to {new}", replace(switch, target=new)


def _dropped(random: Random, _: Sts, switch: Switch) -> Made:
    parts = list(conjuncts(switch.guard))
    if switch.guard == TRUE:
        return "", None
    lost = random.choice(parts)
    return "a condition is dropped", replace(switch, guard=conjunction(p for p in parts if p is not lost))


def _beyond(random: Random, model: Sts, switch: Switch) -> Made:
    """A value of a certain size, or one that is remembered wrongly."""
    numbers = {v.name for v in model.variables if isinstance(v.type, IntType)}
    places = [k for k, a in enumerate(switch.assignments) if isinstance(a.expression, Name) and a.variable in numbers]
    if not places:
        return "", None
    place, limit = random.choice(places), random.choice((100, 127, 1000, 32767))
    old = switch.assignments[place]
    name = old.expression.name if isinstance(old.expression, Name) else ""
    text = random.choice(
        (f"if {name} > {limit} then {limit} else {name}", f"if {name} < 0 then 0 - {name} else {name}")
    )
    new = replace(old, expression=parse_expression(text))
    changed = (*switch.assignments[:place], new, *switch.assignments[place + 1 :])
    return f"{old.variable} becomes {text}", replace(switch, assignments=changed)


OPERATORS = (_operator, _operator, _constant, _forgotten, _target, _dropped, _beyond)


def _rebuilt(switch: Switch, trees: list[Expression]) -> Switch:
    pairs = zip(switch.assignments, trees[1:], strict=True)
    return replace(switch, guard=trees[0], assignments=tuple(replace(a, expression=e) for a, e in pairs))


def _put(tree: Expression, old: Expression, new: Expression) -> Expression:
    """The tree with one node in the place of another, which is the very same object."""
    if tree is old:
        return new
    if isinstance(tree, Binary):
        return replace(tree, left=_put(tree.left, old, new), right=_put(tree.right, old, new))
    if isinstance(tree, Comparison):
        return replace(tree, operands=tuple(_put(side, old, new) for side in tree.operands))
    if hasattr(tree, "operand"):
        return replace(tree, operand=_put(tree.operand, old, new))
    return tree
