"""A diagram that grows statement by statement: which state lies where, and what the signs of the notation stand for."""

from __future__ import annotations

from typing import NoReturn

from fullproof.formats.diagrams.diagram import Diagram, DiagramArrow, DiagramShape, DiagramState, Start
from fullproof.formats.document.tree import Scalar

MAX_DEPTH = 40
"""Composite states inside each other."""


class GrowingDiagram:
    """The states around the statement that is being read. Rows and positions count from 0."""

    def __init__(self, diagram: Diagram) -> None:
        self.row = 0
        self.position = 0
        self.columns = diagram.columns
        self.found = diagram
        self.blocks: list[DiagramState] = []
        self.opened: list[tuple[int, int]] = []
        self.req: Scalar | None = None

    def finish(self) -> None:
        """Refuse what is left open at the end of the file."""
        if self.blocks:
            line, column = self.opened[-1]
            raise self.columns.error(f"the '{{' of state {self.around!r} is never closed, expected '}}'", line, column)
        if self.req is not None:
            raise self.columns.error_at("'req' is followed by no arrow", self.req)

    @property
    def block(self) -> str | None:
        """The identifier of the block that states and arrows are in: a composite state, or a region of it."""
        return self.blocks[-1].identifier if self.blocks else None

    @property
    def around(self) -> str | None:
        """The identifier of the composite state that is open here."""
        last = self.blocks[-1] if self.blocks else None
        return last.block if last is not None and last.shape is DiagramShape.REGION else self.block

    # --- arrows ---

    def arrow(self, source: str, target: str, label: Scalar | None, starts: tuple[int, int]) -> None:
        """An arrow between two ends as they are written: names, ``[*]``, ``[H]`` or ``name[H*]``."""
        line, column = self.row + 1, starts[0] + 1
        req, self.req = self.req, None
        if source == "[*]":
            self._start(target, label, req, starts)
            return
        found = DiagramArrow(
            source=self.end(source, starts[0]),
            target=self.final(starts[1]) if target == "[*]" else self.end(target, starts[1]),
            label=label,
            req=req,
            line=line,
            column=column,
        )
        self.found.lines.append(found)

    def _start(self, target: str, label: Scalar | None, req: Scalar | None, starts: tuple[int, int]) -> None:
        line, column = self.row + 1, starts[0] + 1
        if target == "[*]":
            self.refuse_at("an arrow from [*] to [*] says nothing", line, column)
        if req is not None:
            self.refuse_at("'req' cannot belong to the arrow from [*]", req.line, req.column)
        if self.block in self.found.starts:
            first = self.found.starts[self.block].line
            self.refuse_at(f"a second initial state, the first is on line {first}", line, column)
        identifier = self.end(target, starts[1])
        self.found.starts[self.block] = Start(target=identifier, label=label, line=line, column=column)

    def end(self, text: str, start: int) -> str:
        """The identifier of the state at the end of an arrow."""
        name, bracket, depth = text.partition("[H")
        if not bracket:
            return self.mention(text, start).identifier
        block = self.mention(name, start).identifier if name else self.block
        if block is None:
            self.refuse_at("the diagram itself is never left, so it has no history", self.row + 1, start + 1)
        shape = DiagramShape.DEEP_HISTORY if depth.startswith("*") else DiagramShape.HISTORY
        identifier = text if name else f"{text} {block}"
        return self.pseudo(identifier, block, shape, "h" if shape is DiagramShape.HISTORY else "h*", start)

    def final(self, start: int) -> str:
        """The final state of the block."""
        return self.pseudo(f"[*] {self.block or ''}", self.block, DiagramShape.FINAL, "final", start)

    def pseudo(self, identifier: str, block: str | None, shape: DiagramShape, name: str, start: int) -> str:
        """A state that a sign stands for, by an identifier that no state can have."""
        if identifier not in self.found.boxes:
            around = None if block is None else self.found.boxes[block]
            outer = None if around is None else around.name if around.shape is DiagramShape.REGION else block
            self.found.boxes[identifier] = DiagramState(
                identifier=identifier,
                name=name if outer is None else f"{outer}.{name}",
                block=block,
                line=self.row + 1,
                column=start + 1,
                shape=shape,
            )
        return identifier

    # --- states and blocks ---

    def mention(self, identifier: str, start: int) -> DiagramState:
        """A state that an arrow names: it belongs to the block, unless it is declared elsewhere."""
        if identifier in self.found.boxes:
            return self.found.boxes[identifier]
        box = DiagramState(
            identifier=identifier, name=identifier, block=self.block, line=self.row + 1, column=start + 1
        )
        self.found.boxes[identifier] = box
        return box

    def declare(self, identifier: str, start: int) -> DiagramState:
        """A state that is not only mentioned: it belongs where it is declared."""
        box = self.mention(identifier, start)
        if not box.placed:
            box.block, box.placed = self.block, True
            if any(outer is box for outer in self.blocks):
                self.refuse_at(f"state {identifier!r} lies inside itself", self.row + 1, start + 1)
        return box

    def lies_inside(self, identifier: str) -> bool:
        """Whether the state is known further inside than here: a remark from outside does not move it."""
        box = self.found.boxes.get(identifier)
        around = box.block if box else self.block
        while around is not None and around != self.block:
            around = self.found.boxes[around].block
        return box is not None and box.block != self.block and around == self.block

    def open(self, box: DiagramState) -> None:
        """Begin the block of a composite state."""
        if any(outer is box for outer in self.blocks):
            self.refuse(f"state {box.identifier!r} lies inside itself")
        if len(self.blocks) >= MAX_DEPTH:
            self.refuse(f"states nested more than {MAX_DEPTH} deep")
        if box.shape is not DiagramShape.STATE:
            self.refuse(f"{box.shape.value} {box.identifier!r} cannot have states inside it")
        if box.parallel:
            self.refuse(f"the regions of {box.identifier!r} are drawn already")
        box.composite = True
        self.blocks.append(box)
        self.opened.append((self.row + 1, self.position + 1))
        self.position += 1

    def separate(self) -> None:
        """End a region and begin the next one."""
        around = self.around
        if around is None:
            self.refuse("'--' separates the regions of a composite state, but this is the diagram itself")
        if self.blocks[-1].identifier == around:
            self._first_region(self.blocks[-1])
        else:
            self.blocks.pop()
        self._open_region(self.found.boxes[around])

    def _first_region(self, box: DiagramState) -> None:
        """What stands in the block so far is the first region of it."""
        box.parallel = True
        self._open_region(box)
        region = self.blocks.pop()
        for inner in self.found.boxes.values():
            history_of_all = inner.shape.is_history and inner.identifier.startswith(f"{box.identifier}[H")
            if inner.block == box.identifier and inner is not region and not history_of_all:
                inner.block = region.identifier
        if box.identifier in self.found.starts:
            self.found.starts[region.identifier] = self.found.starts.pop(box.identifier)
        for sign in ("[*]", "[H]", "[H*]"):  # the identifiers of what signs stand for follow
            self._rename_pseudo(f"{sign} {box.identifier}", f"{sign} {region.identifier}")

    def _rename_pseudo(self, old: str, new: str) -> None:
        box = self.found.boxes.pop(old, None)
        if box is None:
            return
        box.identifier = new
        self.found.boxes[new] = box
        for number, line in enumerate(self.found.lines):
            source, target = (new if end == old else end for end in (line.source, line.target))
            self.found.lines[number] = line.between(source, target)

    def _open_region(self, box: DiagramState) -> None:
        number = sum(other.block == box.identifier and other.shape is DiagramShape.REGION for other in self.boxes())
        identifier = f"{box.identifier} region {number + 1}"
        region = DiagramState(
            identifier=identifier,
            name=f"{box.name}.{number + 1}",
            block=box.identifier,
            line=self.row + 1,
            column=self.position + 1,
            shape=DiagramShape.REGION,
            composite=True,
            placed=True,
        )
        self.found.boxes[identifier] = region
        self.blocks.append(region)

    def boxes(self) -> list[DiagramState]:
        """All states so far."""
        return list(self.found.boxes.values())

    def close(self) -> None:
        """End the block of a composite state."""
        if not self.blocks:
            self.refuse("'}' closes nothing")
        if self.blocks.pop().shape is DiagramShape.REGION:
            self.blocks.pop()
        self.opened.pop()
        self.position += 1

    def refuse(self, message: str) -> NoReturn:
        """A mistake where the parser stands."""
        self.refuse_at(message, self.row + 1, self.position + 1)

    def refuse_at(self, message: str, line: int, column: int) -> NoReturn:
        """A mistake at a place."""
        raise self.columns.error(message, line, column)
