"""Mermaid's ``stateDiagram-v2``, statement by statement.

A statement ends with its line; ``{`` and ``}`` may share a line with others. Statements about the layout (direction,
notes, styles) are skipped, unsupported ones that would change the meaning are refused.
"""

from __future__ import annotations

import re

from fullproof.formats.columns import ColumnTable
from fullproof.formats.diagrams.diagram import Diagram, DiagramShape, DiagramState
from fullproof.formats.diagrams.drawing import GrowingDiagram
from fullproof.formats.document.tree import Scalar
from fullproof.formats.mermaid.text import decoded

_HEADER = re.compile(r"\s*stateDiagram(-v2)?\s*(?:%%(?!\{).*)?\Z")
_OURS = re.compile(r"\s*%%\s*fullproof:\s?")
_REQ = re.compile(r"\s*req\s*:\s*")
_ID = r"[^\s:{}\[\]\"<>;,%#-]+"
_CLASS = r"(?::::[\w-]+)?"
_END = rf"(?:\[\*\]|(?:{_ID})?\[H\*?\]|{_ID}){_CLASS}"
_ARROW = re.compile(rf"(?P<source>{_END})\s*-->\s*(?P<target>{_END})")
_STATE = re.compile(rf'state\s+(?:"(?P<text>[^"\n]*)"\s+as\s+(?P<alias>{_ID})|(?P<id>{_ID})){_CLASS}')
_PSEUDO = re.compile(r"\s*(?:<<\s*(\w+)\s*>>|\[\[\s*(\w+)\s*\]\])")
_ALONE = re.compile(rf"(?P<id>{_ID}){_CLASS}")
_LOOKS = re.compile(
    r"(?:classDef|class|style|click|linkStyle|scale)\s+\S.*|hide\s+empty\s+description|accTitle\s*:.*|accDescr\s*:.*"
    r"|direction\s+(?:TB|TD|BT|LR|RL)\s*;?\s*|note\s+(?:left|right)\s+of\s+[^\s:]+\s*:.*|note\s+\".*\"\s+as\s+\S+\s*"
)
_NOTE = re.compile(r"note\s+(?:left|right)\s+of\s+\S+\s*\Z")
_DESCRIPTION = re.compile(r"accDescr\s*\{")


def parse_diagram(text: str, diagram: Diagram) -> None:
    """Read the statements; UserErrors carry columns among decoded characters (``Columns.in_file`` translates)."""
    _Parser(text, diagram).read()


class _Parser(GrowingDiagram):
    def __init__(self, text: str, diagram: Diagram) -> None:
        super().__init__(diagram)
        self.rows = text.split("\n")

    def read(self) -> None:
        self.front_matter()
        self.header()
        while self.row < len(self.rows):
            self.statements()
            self.row, self.position = self.row + 1, 0
        self.finish()

    # --- what stands before the first statement ---

    def front_matter(self) -> None:
        first = next(number for number, row in enumerate(self.rows) if row.strip())
        if self.rows[first].rstrip() != "---":
            return
        ends = (number for number in range(first + 1, len(self.rows)) if self.rows[number].rstrip() == "---")
        end = next(ends, None)
        if end is None:
            raise self.columns.error("the front matter is never closed, expected a second line '---'", first + 1, 1)
        self.found.title = self.title("\n".join(["" if n <= first else self.rows[n] for n in range(end)]))
        self.row = end + 1

    def title(self, text: str) -> Scalar | None:
        from fullproof.formats.document.tree import Fields
        from fullproof.formats.yaml.reader import parse_yaml

        if not text.strip():
            return None
        root = parse_yaml(text, file=self.columns.file)
        if not isinstance(root, Fields):
            raise self.columns.error_at("the front matter should be keys with values", root)
        for key, value in root.entries:
            if key.text == "title":
                if isinstance(value, Scalar) and not value.empty and value.text:
                    return value
                raise self.columns.error_at("expected a title, found none", key)
        return None

    def header(self) -> None:
        while self.row < len(self.rows):
            row = self.rows[self.row]
            if row.strip() and not self.comment():
                if not _HEADER.match(row):
                    column = len(row) - len(row.lstrip()) + 1
                    message = f"expected stateDiagram-v2, found {_shown(row)}"
                    raise self.columns.error(message, self.row + 1, column)
                self.row, self.position = self.row + 1, 0
                self.found.header = self.row
                return
            self.row, self.position = self.row + 1, 0
        raise self.columns.error("expected stateDiagram-v2, found the end of the file", max(self.row, 1), 1)

    # --- statements ---

    def comment(self) -> bool:
        """Read a comment that begins here to its end: one of fullproof, any other, or a directive ``%%{ ... }%%``."""
        row = self.rows[self.row]
        ours = _OURS.match(row) if not row[: self.position].strip() else None
        if ours:
            self.ours(row[ours.end() :], ours.end() + 1)
        elif row.startswith("%%{", self.blank()):
            start = self.row
            while "}%%" not in self.rows[self.row]:
                self.row += 1
                if self.row == len(self.rows):
                    raise self.columns.error("the directive is never closed, expected }%%", start + 1, 1)
        elif not row.startswith("%%", self.blank()):
            return False
        self.position = len(self.rows[self.row])
        return True

    def ours(self, text: str, column: int) -> None:
        match = _REQ.match(text)
        if match is None:
            self.found.declarations.append(Scalar(text, self.row + 1, column))
        elif self.req is not None:
            raise self.columns.error("two lines with 'req' for one arrow", self.row + 1, column)
        else:
            self.req = Scalar(text[match.end() :], self.row + 1, column + match.end())

    def blank(self) -> int:
        row = self.rows[self.row]
        while self.position < len(row) and row[self.position].isspace():
            self.position += 1
        return self.position

    def statements(self) -> None:
        """All statements of a row: most have one."""
        while self.blank() < len(self.rows[self.row]):
            if self.comment():
                return
            self.statement()
            row = self.rows[self.row]
            if self.blank() < len(row) and row[self.position] == ";":
                self.position += 1
            elif not row.startswith(("}", "%%"), self.position) and row[: self.position].rstrip()[-1:] not in (
                "{",
                "}",
            ):
                self.expect_end()

    def statement(self) -> None:
        row, start = self.rows[self.row], self.position
        if row.startswith("}", start):
            self.close()
        elif row.startswith("--", start) and not row.startswith("-->", start):
            self.position = start + len(row[start:]) - len(row[start:].lstrip("-"))
            self.separate()
        elif match := _ARROW.match(row, start):
            self.drawn(match)
        elif _LOOKS.fullmatch(row, start):
            self.position = len(row)
        elif _NOTE.match(row, start):
            self.skip_to(re.compile(r"\s*end\s+note\s*\Z"), "the note is never closed, expected end note")
        elif _DESCRIPTION.match(row, start):
            self.skip_to(re.compile(r".*\}\s*\Z"), "the accDescr is never closed, expected '}'")
        elif match := _STATE.match(row, start):
            self.state(match)
        elif match := _ALONE.match(row, start):
            self.alone(match)
        else:
            self.refuse(f"expected a statement such as a --> b, found {_shown(row[start:])}")

    def skip_to(self, end: re.Pattern[str], message: str) -> None:
        start, column = self.row, self.position
        while not end.match(self.rows[self.row]):
            self.row += 1
            if self.row == len(self.rows):
                raise self.columns.error(message, start + 1, column + 1)
        self.position = len(self.rows[self.row])

    def drawn(self, match: re.Match[str]) -> None:
        row = self.rows[self.row]
        source, target = (re.sub(r":::.*", "", match[group]) for group in ("source", "target"))
        self.position = match.end()
        label = self.text() if row.startswith(":", self.blank()) else None
        self.arrow(source, target, label, (match.start("source"), match.start("target")))

    def text(self) -> Scalar | None:
        """The text after a ``:`` that stands here, to the end of the line, decoded."""
        row = self.rows[self.row]
        self.position += 1
        start = self.blank()
        raw = row[start:].rstrip()
        raw = raw[:-1].rstrip() if raw.endswith(";") and not re.search(r"#\w+;\Z", raw) else raw
        self.position = len(row)
        text = decoded(self.columns, self.row + 1, start + 1, raw)
        return Scalar(text, self.row + 1, start + 1, quoted=True) if text else None

    def state(self, match: re.Match[str]) -> None:
        row = self.rows[self.row]
        identifier = match["alias"] or match["id"]
        box = self.declare(identifier, match.start("alias") if match["alias"] else match.start("id"))
        self.position = match.end()
        if match["text"] is not None:
            self.rename(box, match.start("text"), match["text"])
        if pseudo := _PSEUDO.match(row, self.position):
            word = (pseudo[1] or pseudo[2]).lower()
            if word not in ("choice", "fork", "join"):
                message = f"<<{word[:40]}>> is not supported: expected <<choice>>, <<fork>> or <<join>>"
                self.refuse_at(message, self.row + 1, pseudo.start() + 1)
            box.shape = DiagramShape[word.upper()]
            self.position = pseudo.end()
        self.blank()
        if row.startswith("{", self.position):
            self.open(box)
        elif row.startswith(":", self.position):
            self.remark(box)

    def rename(self, box: DiagramState, start: int, raw: str) -> None:
        name = decoded(ColumnTable(self.columns.file), 1, 1, raw)
        if not name:
            self.refuse_at("the name of a state is empty", self.row + 1, start + 1)
        if box.named and box.name != name:
            message = f"state {box.identifier!r} is called {_shown(box.name)} before"
            self.refuse_at(message, self.row + 1, start + 1)
        box.name, box.named = name, True

    def alone(self, match: re.Match[str]) -> None:
        if match["id"].lower() in ("end", "note", "state", "direction", "as"):
            self.refuse(f"expected a statement such as a --> b, found {_shown(self.rows[self.row][self.position :])}")
        rest = self.rows[self.row][match.end() :].lstrip()
        if re.match(r"-|<|=|\.", rest):
            column = len(self.rows[self.row]) - len(rest) + 1
            self.refuse_at(f"expected --> and a state, found {_shown(rest)}", self.row + 1, column)
        remark = rest.startswith(":")
        inside = remark and self.lies_inside(match["id"])
        box = self.mention(match["id"], match.start()) if inside else self.declare(match["id"], match.start())
        self.position = match.end()
        self.blank()
        if remark:
            self.remark(box)

    def remark(self, box: DiagramState) -> None:
        text = self.text()
        if text is not None:
            box.remarks.append(text)

    def expect_end(self) -> None:
        rest = self.rows[self.row][self.position :]
        if rest:
            self.refuse(f"expected the end of the line, or ': label', found {_shown(rest)}")


def _shown(text: str) -> str:
    text = text.strip()
    return repr(text if len(text) <= 40 else text[:37] + "...")
