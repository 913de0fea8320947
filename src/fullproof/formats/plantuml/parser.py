"""PlantUML's state diagrams, statement by statement.

A statement is a line. Statements about the layout (skinparam, notes, directions, colours) are skipped, unsupported ones
that would change the meaning are refused.
"""

from __future__ import annotations

import re

from fullproof.core.suggest import did_you_mean
from fullproof.formats.diagrams.diagram import Diagram, DiagramShape, DiagramState
from fullproof.formats.diagrams.drawing import GrowingDiagram
from fullproof.formats.document.tree import Scalar
from fullproof.formats.plantuml.text import decoded

_BEGIN = re.compile(r"\s*@startuml\b.*")
_OURS = re.compile(r"\s*'\s*fullproof:\s?")
_REQ = re.compile(r"\s*req\s*:\s*")
_ID = r"[\w.]+"
_END = rf"(?:\[\*\]|(?:{_ID})?\[H\*?\]|{_ID})"
_WAY = r"(?:left|right|up|down|le?|ri?|up?|do?)"
_ARROW = re.compile(
    rf"(?P<first>{_END})\s*(?P<back><)?-+(?:\[(?P<style>[^\]\n]*)\])?{_WAY}?(?:\[(?P<later>[^\]\n]*)\])?-*(?P<on>>)?"
    rf"\s*(?P<second>{_END})(?![\w.\[])"
)
_STATE = re.compile(
    rf'state\s+(?:"(?P<text>[^"\n]*)"\s+as\s+(?P<alias>{_ID})|(?P<id>{_ID})\s+as\s+"(?P<later>[^"\n]*)"|(?P<plain>{_ID}))'
    r'|state\s+"(?P<alone>[^"\n]*)"'
)
_ALONE = re.compile(rf"(?P<id>{_ID})\s*(?=:)")
_STEREOTYPE = re.compile(r"\s*<<\s*([\w*]+)\s*>>")
_COLOUR = re.compile(r"\s*(?:#[\w#;:.\[\]|\\/-]+|\[\[.*?\]\])")
_LOOKS = re.compile(
    r"(?:skinparam|hide|show|scale|mainframe|caption|header|footer|left|right|center)\b[^{]*"
    r"|(?:left\s+to\s+right|top\s+to\s+bottom)\s+direction\s*|allow_mixing\s*|!(?:theme|pragma)\b.*"
    r"|(?:floating\s+)?note\s+(?:(?:left|right|top|bottom)(?:\s+of\s+[\w.]+)?|on\s+link)[^:\n]*:.*"
    r"|(?:floating\s+)?note\s+\".*\"\s+as\s+\S+.*"
)
_BLOCKS = (
    (re.compile(r"(?:floating\s+)?note\b.*"), re.compile(r"\s*end\s*note\s*"), "end note"),
    (re.compile(r"(?:skinparam\b.*|legend\b.*)\{\s*"), re.compile(r"\s*\}\s*"), "}"),
    (re.compile(r"legend\b.*"), re.compile(r"\s*end\s*legend\s*"), "end legend"),
    (re.compile(r"<style>.*"), re.compile(r".*</style>\s*"), "</style>"),
    (re.compile(r"title\s*"), re.compile(r"\s*end\s*title\s*"), "end title"),
)
"""What is skipped up to a line that ends it."""
_SHAPES = {
    "choice": DiagramShape.CHOICE,
    "fork": DiagramShape.FORK,
    "join": DiagramShape.JOIN,
    "end": DiagramShape.FINAL,
    "history": DiagramShape.HISTORY,
    "history*": DiagramShape.DEEP_HISTORY,
    "entrypoint": DiagramShape.CHOICE,
    "exitpoint": DiagramShape.CHOICE,
}


def parse_plantuml(text: str, diagram: Diagram) -> None:
    """Read the statements; UserErrors carry columns among decoded characters (``Columns.in_file`` translates)."""
    _PlantumlParser(text, diagram).read()


class _PlantumlParser(GrowingDiagram):
    def __init__(self, text: str, diagram: Diagram) -> None:
        super().__init__(diagram)
        self.rows = text.split("\n")
        self.reqs: dict[int, Scalar] = {}
        """The requirements that comments name, by their rows."""
        self.initials: set[str] = set()
        """States with the stereotype start, which are another way to write ``[*]``."""

    def read(self) -> None:
        self._without_comments()
        begins = [number for number, row in enumerate(self.rows) if _BEGIN.fullmatch(row)]
        if not begins:
            first = next((number for number, row in enumerate(self.rows) if row.strip()), 0)
            raise self.columns.error(f"expected @startuml, found {_shown(self.rows[first])}", first + 1, 1)
        if len(begins) > 1:
            raise self.columns.error("a second diagram, expected one in a file", begins[1] + 1, 1)
        self.row = begins[0]
        self.found.header = self.row + 1
        for number in range(begins[0] + 1, len(self.rows)):
            self.row = number
            if self.rows[number].strip() == "@enduml":
                break
            self._line()
        else:
            raise self.columns.error("the diagram is never closed, expected @enduml", len(self.rows), 1)
        self.finish()

    def _without_comments(self) -> None:
        """Read ``' fullproof: ...`` lines; blank all comments, so that columns stay."""
        inside = None
        for number, row in enumerate(self.rows):
            self.row = number
            if inside is None and (ours := _OURS.match(row)):
                self._ours(row[ours.end() :], ours.end() + 1)
            elif inside is None and row.lstrip().startswith("'"):
                pass
            else:
                inside = self._blanked(row, inside)
                continue
            self.rows[number] = ""
        if inside is not None:
            raise self.columns.error("the comment is never closed, expected '/", inside + 1, 1)
        self.row = 0

    def _blanked(self, row: str, inside: int | None) -> int | None:
        """Blank block comments ``/' ... '/`` of a line; where the one begins that is still open at its end."""
        kept, position = "", 0
        while position < len(row):
            sign = "'/" if inside is not None else "/'"
            end = row.find(sign, position)
            if inside is None:
                kept += row[position:] if end < 0 else row[position:end]
            else:
                kept += " " * ((len(row) if end < 0 else end + 2) - position)
            if end < 0:
                break
            position, inside = (end, self.row) if inside is None else (end + 2, None)
        self.rows[self.row] = kept
        return inside

    def _ours(self, text: str, column: int) -> None:
        if (match := _REQ.match(text)) is None:
            self.found.declarations.append(Scalar(text, self.row + 1, column))
        else:
            self.reqs[self.row] = Scalar(text[match.end() :], self.row + 1, column + match.end())

    # --- statements ---

    def _line(self) -> None:
        row = self.rows[self.row]
        self._take_req()
        self.position = len(row) - len(row.lstrip())
        rest = row[self.position :].rstrip()
        if not rest or self._skipping(rest):
            return
        if rest == "}":
            self.close()
        elif re.fullmatch(r"--+|\|\|+", rest):
            self.separate()
        elif match := _ARROW.match(row, self.position):
            self._arrow(match)
        elif match := _STATE.match(row, self.position):
            self._state(match)
        elif match := _ALONE.match(row, self.position):
            self._remarked(match)
        elif match := re.match(rf"{_ID}\s*\Z", rest):
            self.declare(match[0].strip(), self.position)
        else:
            self._refuse_line(rest)

    def _take_req(self) -> None:
        req = self.reqs.get(self.row)
        if req is not None and self.req is not None:
            raise self.columns.error("two lines with 'req' for one arrow", req.line, req.column)
        self.req = req if req is not None else self.req

    def _skipping(self, rest: str) -> bool:
        """Whether a line says nothing about the behaviour; a block of such lines is skipped up to its last one."""
        if (match := re.match(r"title\s+(?P<title>\S.*)", rest)) is not None:
            start = self.position + match.start("title")
            self.found.title = Scalar(decoded(self.columns, self.row + 1, start + 1, match[1]), self.row + 1, start + 1)
            return True
        if _LOOKS.fullmatch(rest):
            return True
        block = next(((end, word) for begin, end, word in _BLOCKS if begin.fullmatch(rest)), None)
        if block is not None:
            self._skip_block(rest, *block)
        return block is not None

    def _skip_block(self, rest: str, end: re.Pattern[str], word: str) -> None:
        for number in range(self.row, len(self.rows)):
            ended = (number > self.row or word == "</style>") and end.fullmatch(self.rows[number])
            self.rows[number] = ""
            if ended:
                return
        self.refuse(f"{_shown(rest)} is never closed, expected {word}")

    def _refuse_line(self, rest: str) -> None:
        if rest.startswith("!"):
            self.refuse(f"{_shown(rest)}: preprocessing is not supported; expand the file before")
        if "-" in rest and not rest.startswith(("state", "-")):
            self.refuse(f"expected an arrow such as a --> b, found {_shown(rest)}")
        self.refuse(f"expected a statement such as a --> b, found {_shown(rest)}")

    def _arrow(self, match: re.Match[str]) -> None:
        if bool(match["back"]) == bool(match["on"]):
            self.refuse("expected an arrow with one head, as in a --> b")
        self.position = match.end()
        label = self._label()
        if "hidden" in f"{match['style']},{match['later']}".split(","):
            return  # only moves states in the picture
        groups = ("second", "first") if match["back"] else ("first", "second")
        source, target = (match[group] for group in groups)
        source = "[*]" if source in self.initials else source
        self.arrow(source, target, label, (match.start(groups[0]), match.start(groups[1])))

    def _label(self) -> Scalar | None:
        """The text after ``:`` that may stand here; nothing else may."""
        row = self.rows[self.row]
        while (colour := _COLOUR.match(row, self.position)) or (colour := _STEREOTYPE.match(row, self.position)):
            self.position = colour.end()
        rest = row[self.position :].lstrip()
        if not rest:
            return None
        self.position = len(row) - len(rest)
        if not rest.startswith(":"):
            self.refuse(f"expected the end of the line, or ': text', found {_shown(rest)}")
        start = self.position + 1 + len(rest[1:]) - len(rest[1:].lstrip())
        text = decoded(self.columns, self.row + 1, start + 1, row[start:].rstrip())
        return Scalar(text, self.row + 1, start + 1, quoted=True) if text else None

    def _state(self, match: re.Match[str]) -> None:
        row = self.rows[self.row]
        if match["alone"] is not None:
            self.refuse('a state with a text needs an identifier, as in state "text" as s')
        group = next(name for name in ("alias", "id", "plain") if match[name] is not None)
        identifier = match[group]
        self.position = match.end()
        box = self.declare(identifier, match.start(group))
        named = next((name for name in ("text", "later") if match[name] is not None), None)
        if named is not None:
            self._rename(box, match.start(named), match[named])
        while (found := _STEREOTYPE.match(row, self.position)) or _COLOUR.match(row, self.position):
            if found is not None:
                self._stereotype(box, found)
            mark = found or _COLOUR.match(row, self.position)
            assert mark is not None
            self.position = mark.end()
        rest = row[self.position :].strip()
        if rest.startswith("{"):
            self.position = row.index("{", self.position)
            self.open(box)
            if rest == "{}":
                self.close()
            elif rest != "{":
                self.refuse(f"expected the end of the line after '{{', found {_shown(rest[1:])}")
        elif (label := self._label()) is not None:
            box.remarks.append(label)

    def _stereotype(self, box: DiagramState, found: re.Match[str]) -> None:
        word = found[1].lower()
        if word == "start":
            self.initials.add(box.identifier)
            self.found.boxes.pop(box.identifier)
        elif word in _SHAPES:
            box.shape = _SHAPES[word]
        elif "did you mean" in (hint := did_you_mean(word[:40], ("start", *_SHAPES))):
            self.refuse_at(f"unknown stereotype <<{found[1][:40]}>>{hint}", self.row + 1, found.start(1) + 1)

    def _rename(self, box: DiagramState, start: int, raw: str) -> None:
        from fullproof.formats.columns import ColumnTable

        name = decoded(ColumnTable(self.columns.file), 1, 1, raw)
        if not name:
            self.refuse_at("the name of a state is empty", self.row + 1, start + 1)
        if box.named and box.name != name:
            self.refuse_at(f"state {box.identifier!r} is called {_shown(box.name)} before", self.row + 1, start + 1)
        box.name, box.named = name, True

    def _remarked(self, match: re.Match[str]) -> None:
        inside = self.lies_inside(match["id"]) or match["id"] in self.found.boxes
        box = self.mention(match["id"], match.start()) if inside else self.declare(match["id"], match.start())
        self.position = match.end()
        label = self._label()
        if label is not None:
            box.remarks.append(label)


def _shown(text: str) -> str:
    text = text.strip()
    return repr(text if len(text) <= 40 else text[:37] + "...")
