"""Mealy machines in Graphviz files, as on the Automata Wiki: ``s0 -> s1 [label="in / out"]``.

The initial state is the target of the edge from ``__start0`` (or another node whose name begins with ``__start``), else
the first state named. Grouping by subgraphs, ports, and attributes other than labels mean nothing here. A label of
several lines stands for several transitions. What this project's writer adds where a label would not do: ``input`` and
``output`` of an edge; ``name``, ``inputs`` and ``outputs`` (JSON lists) of the graph.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from fullproof.core.errors import Place, UserError
from fullproof.formats.dot.local_timers import LocalEdge, LocalTimerGraph, local_timer_machine, symbols_of
from fullproof.formats.dot.tokens import DotToken, tokens
from fullproof.formats.mealy import MealyBuilder, split_label
from fullproof.model.fsm import Fsm
from fullproof.model.statemachine import StateMachine

START = "__start"
NAMELESS = ("", "g", "G")
"""Names that tools give every graph: the file's name says more."""

_MAX_DEPTH = 100
_END = DotToken("", 0, 0, mark=True)


def read_graph(text: str, path: Path) -> Fsm | StateMachine:
    """Read the one directed graph of a file; where nodes have timers, it is a state machine (``local_timers``)."""
    parser = _Parser(text, path)
    parser.parse()
    return parser.timed_machine() if parser.timers else parser.graph()


def read_dot(text: str, path: Path) -> Fsm:
    """Read the one directed graph of a file, which is a Mealy machine."""
    parser = _Parser(text, path)
    parser.parse()
    return parser.graph()


class _Parser:
    def __init__(self, text: str, path: Path) -> None:
        self.file = str(path)
        self.tokens = list(tokens(text, file=self.file))
        self.at = 0
        self.machine = MealyBuilder(path)
        self.initial: DotToken | None = None
        self.settings: dict[str, DotToken] = {}
        self.stem, self.name = path.stem, ""
        self.timers: dict[str, DotToken] = {}
        self.edges: list[LocalEdge] = []

    def parse(self) -> None:
        if self.peek().keyword == "strict":
            self.next()
        head = self.next()
        if head.keyword != "digraph":
            raise self.error("expected 'digraph'", head)
        self.name = "" if self.peek().text == "{" and self.peek().mark else self.identifier()
        self.expect("{")
        self.statements()
        if self.peek() is not _END:
            raise self.error("expected the end of the file after the graph", self.peek())

    def timed_machine(self) -> StateMachine:
        """The machine with the timers of its nodes."""
        graph = LocalTimerGraph(
            file=self.file,
            name=self.settings["name"].text
            if "name" in self.settings
            else self.stem
            if self.name in NAMELESS
            else self.name,
            inputs=self.settings.get("inputs"),
            outputs=self.settings.get("outputs"),
            locations=list(self.machine.states),
            initial=next(iter(self.machine.states)) if self.initial is None else self.initial.text,
            timers=self.timers,
            edges=self.edges,
        )
        return local_timer_machine(graph)

    def graph(self) -> Fsm:
        self.apply_settings(self.name)
        initial = None if self.initial is None else self.initial.text
        return self.machine.build(initial=initial)

    def statements(self) -> None:
        """Everything between braces, the opening one read; nested braces only group."""
        depth = 1
        while depth:
            token = self.peek()
            if token is _END:
                raise self.error("the graph is not closed, expected '}'", token)
            if token.mark and token.text in "{};,":
                depth += {"{": 1, "}": -1}.get(token.text, 0)
                self.next()
            elif token.keyword == "subgraph":
                self.next()
                if not self.peek().mark:
                    self.next()
                if self.peek().text != "{":
                    raise self.error("expected '{' after subgraph", self.peek())
            else:
                self.statement()
            if depth > _MAX_DEPTH:
                raise self.error(f"braces are nested more than {_MAX_DEPTH} deep", token)
            if token.text == "}" and token.mark and depth and self.sees("->"):
                raise self.error("an edge joins two states, not groups of them", self.peek())

    def statement(self) -> None:
        first = self.peek()
        if first.keyword in ("graph", "node", "edge"):
            self.next()
            found = self.attributes()
            if first.keyword == "graph":
                self.settings.update(found)
            return
        nodes = [self.node()]
        if self.sees("="):
            self.next()
            self.settings[first.text] = self.identifier_token()
            return
        while self.sees("->") or self.sees("--"):
            arrow = self.next()
            if arrow.text == "--":
                raise self.error("expected '->', the edges of a machine are directed", arrow)
            if self.peek().keyword == "subgraph" or self.sees("{"):
                raise self.error("an edge joins two states, not groups of them", self.peek())
            nodes.append(self.node())
        found = self.attributes()
        if len(nodes) == 1 and not first.text.startswith(START):
            self.machine.states.setdefault(first.text, first.text)
            if "timers" in found:
                self.timers[first.text] = found["timers"]
        for source, target in pairwise(nodes):
            self.edge(source, target, found)

    def edge(self, source: DotToken, target: DotToken, found: dict[str, DotToken]) -> None:
        if target.text.startswith(START):
            raise self.error(f"{target.text!r} marks the initial state, no edge may end in it", target)
        if source.text.startswith(START):
            if self.initial is not None and self.initial.text != target.text:
                raise self.error(f"there is a second initial state, {self.initial.text!r} was the first", target)
            self.initial = target
            self.machine.states.setdefault(target.text, target.text)
            return
        if "input" in found and "output" in found:
            pairs = [(found["input"].text, found["output"].text)]
        else:
            pairs = self.split(source, found.get("label"))
        for symbol, output in pairs:
            if not symbol:
                raise self.error("the input before '/' is empty", found.get("label", source))
            self.machine.add(source.text, symbol, output, target.text, line=source.line)
            self.edges.append(LocalEdge(source, target.text, symbol, output, found.get("resets")))

    def split(self, source: DotToken, label: DotToken | None) -> list[tuple[str, str]]:
        if label is None:
            raise self.error('this edge has no label, expected [label="in / out"]', source)
        pairs = [split_label(line) for line in label.text.split("\n") if line.strip()]
        found = [pair for pair in pairs if pair is not None]
        if not found or len(found) < len(pairs):
            raise self.error(f"the label {label.text[:60]!r} has no '/', expected \"in / out\"", label)
        return found

    def attributes(self) -> dict[str, DotToken]:
        """``[name=value, ...]``, any number of times; a name alone is set to true."""
        found: dict[str, DotToken] = {}
        while self.sees("["):
            self.next()
            while not self.sees("]"):
                if self.sees(";") or self.sees(","):
                    self.next()
                    continue
                name = self.identifier_token()
                found[name.text] = name
                if self.sees("="):
                    self.next()
                    found[name.text] = self.identifier_token()
            self.next()
        return found

    def node(self) -> DotToken:
        node = self.identifier_token()
        if node.keyword:
            raise self.error(f"{node.text!r} is a word of the dot language, quote it to use it as a name", node)
        while self.sees(":"):
            self.next()
            self.identifier_token()
        return node

    def identifier(self) -> str:
        return self.identifier_token().text

    def identifier_token(self) -> DotToken:
        token = self.next()
        if token.mark:
            raise self.error("expected a name", token)
        while self.sees("+"):
            self.next()
            more = self.next()
            if more.mark:
                raise self.error("expected a text after '+'", more)
            token = DotToken(token.text + more.text, token.line, token.column)
        return token

    def apply_settings(self, name: str) -> None:
        """The graph's name, and its alphabets where they hold more than the labels say."""
        if name not in NAMELESS:
            self.machine.name = name
        if "name" in self.settings:
            self.machine.name = self.settings["name"].text
        for key, names in (("inputs", self.machine.inputs), ("outputs", self.machine.outputs)):
            if key not in self.settings:
                continue
            token = self.settings[key]
            listed = symbols_of(token)
            if listed is None:
                raise self.error(f"{key} of the graph should be a JSON list of texts", token)
            missing = [symbol for symbol in names if symbol not in set(listed)]
            if missing:
                raise self.error(f"{key} of the graph does not list {missing[0][:60]!r}, which a label uses", token)
            if len(set(listed)) < len(listed):
                raise self.error(f"{key} of the graph lists a symbol twice", token)
            names.clear()
            names.update((symbol, symbol) for symbol in listed)

    def sees(self, mark: str) -> bool:
        token = self.peek()
        return token.mark and token.text == mark

    def peek(self) -> DotToken:
        return self.tokens[self.at] if self.at < len(self.tokens) else _END

    def next(self) -> DotToken:
        token = self.peek()
        self.at += 1
        return token

    def expect(self, mark: str) -> None:
        token = self.next()
        if not token.mark or token.text != mark:
            raise self.error(f"expected {mark!r}", token)

    def error(self, message: str, token: DotToken) -> UserError:
        if token is _END:
            last = self.tokens[-1] if self.tokens else DotToken("", 1, 1)
            return UserError(f"the file ends too early: {message}", at=Place(file=self.file, line=last.line))
        found = f", found {token.text[:60]!r}" if message.startswith("expected") else ""
        return UserError(message + found, at=Place(file=self.file, line=token.line, column=token.column))
