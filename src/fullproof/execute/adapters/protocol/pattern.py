r"""Patterns that name messages, and take values from them.

In a mapping file, by name; of several that match, the first counts::

    outputs:
      ok: '\+OK'                                            # a regular expression for all of a message
      'got {text}': 'MSG (?P<text>.*)'                       # a group is a value, which may stand in the name
      level: {hex: '90 02 (?P<y>.{2})', as: {y: u16}}        # pairs of digits, ?? any byte, .. any bytes, groups
      alarm: {pattern: 'ALARM', set: {lamp: red}, on: c2}    # values that it stands for; only from one session
      done: [OK, {hex: '06'}]                                # one of several
    ignore: ['#.*', {hex: '00 ..', on: c2}]                  # messages that do not count
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from fullproof.core.errors import Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.execute.adapters.mapping import MappingFile, fill_in
from fullproof.execute.adapters.protocol.frame import Framing
from fullproof.execute.adapters.protocol.number import NUMBERS, decode, is_encoding
from fullproof.execute.adapters.protocol.template import check_names, filled
from fullproof.execute.json_protocol import LONGEST_LINE
from fullproof.execute.observation import Written, shown
from fullproof.execute.sut import SutError

_HEX_TOKEN = re.compile(r"\s+|(?P<pair>[0-9A-Fa-f]{2})|(?P<any>\?\?)|(?P<rest>\.\.)|(?P<group>\(\?P<\w+>[^()]*\))")


@dataclass(frozen=True, slots=True)
class Message:
    """What was received: its name, or None where no pattern matches it."""

    name: str | None
    session: str
    data: bytes
    values: Mapping[str, object] = field(default_factory=dict)
    label: str = ""
    """The key of its pattern in the mapping file."""
    anywhere: bool = True
    """Whether its pattern is for all sessions, so that the name needs the session's."""

    def text(self) -> str:
        """The bytes as text, for messages and as the symbol of a system that says it itself."""
        return self.data.decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class Pattern:
    """One entry of ``outputs`` or ``ignore``."""

    name: str
    regex: re.Pattern[bytes]
    session: str | None = None
    encodings: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, object] = field(default_factory=dict)

    def message(self, found: re.Match[bytes], session: str) -> Message:
        """The message that the pattern has found."""
        values: dict[str, object] = dict(self.constants)
        for group, data in found.groupdict().items():
            if data is not None:
                values[group] = self._value(group, data)
        name = filled(self.name, {group: str(value) for group, value in values.items()})
        return Message(name, session, found[0], values, self.name, anywhere=self.session is None)

    def _value(self, group: str, data: bytes) -> object:
        if group not in self.encodings:
            return Written(data.decode("utf-8", "replace"))
        try:
            return decode(data, self.encodings[group])
        except ValueError as error:
            raise SutError(f"{group} in {shown(data)} is not {self.encodings[group]}: {error}") from None


@dataclass(frozen=True, slots=True)
class MessageReader:
    """Takes messages from a buffer."""

    framing: Framing | None
    patterns: Sequence[Pattern]
    ignored: Sequence[Pattern] = ()

    def take(self, buffer: bytearray, session: str, *, silent: bool = False) -> Message | None:
        """The next message that counts; None where none is complete. ``silent``: a silence ends what is there."""
        while True:
            found = self._framed(buffer, session, silent=silent) if self.framing else self._cut(buffer, session)
            if found is None and len(buffer) > LONGEST_LINE:
                raise SutError(f"unexpected output: more than {LONGEST_LINE} bytes that are not a message")
            if found is not _IGNORED:
                return found

    def _framed(self, buffer: bytearray, session: str, *, silent: bool) -> Message | None:
        assert self.framing is not None
        data = self.framing.cut(buffer)
        if data is None and silent and buffer:
            data = bytes(buffer)
            buffer.clear()
        if data is None:
            return None
        for pattern in (*self.ignored, *self.patterns):
            if pattern.session in (None, session) and (found := pattern.regex.fullmatch(data)):
                return _IGNORED if pattern in self.ignored else pattern.message(found, session)
        message = Message(None, session, data)
        # Where nothing has a name, a message is called what it says, by `expect` and `until`, too.
        return message if self.patterns else replace(message, label=message.text())

    def _cut(self, buffer: bytearray, session: str) -> Message | None:
        for pattern in (*self.ignored, *self.patterns):
            if pattern.session in (None, session) and (found := pattern.regex.match(buffer)):
                message = _IGNORED if pattern in self.ignored else pattern.message(found, session)
                del buffer[: found.end()]
                return message
        return None


_IGNORED = Message("", "", b"")


def read_patterns(mapping: MappingFile, framing: Framing | None, sessions: Sequence[str]) -> tuple[Pattern, ...]:
    """The patterns of ``outputs``."""
    part = mapping.part("outputs")
    if part is None:
        if framing is None:
            wanted = "expected 'outputs' with patterns, or 'frames' that say how messages end"
            raise UserError(wanted, at=mapping.place("outputs"))
        return ()
    return tuple(pattern for name in part for pattern in _named(part, name, framing, sessions))


def read_ignored(mapping: MappingFile, framing: Framing | None, sessions: Sequence[str]) -> tuple[Pattern, ...]:
    """The patterns of ``ignore``: they have no name, and values of theirs would not count either."""
    if "ignore" not in mapping:
        return ()
    entries = mapping.listed("ignore")
    return tuple(_entry(entries, key, "", framing, sessions, keys=("pattern", "hex", "on")) for key in entries)


def groups_of(patterns: Iterable[Pattern]) -> set[str]:
    """The names of all values that messages may carry."""
    return {name for pattern in patterns for name in (*pattern.regex.groupindex, *pattern.constants)}


def compiled(text: str, *, at: Place, flags: int = 0) -> re.Pattern[bytes]:
    """A regular expression over bytes, or a UserError."""
    try:
        return re.compile(fill_in(text, at=at).encode(), flags)
    except re.error as error:
        raise UserError(f"{text!r} is not a regular expression: {error}", at=at) from None


def _named(part: MappingFile, name: str, framing: Framing | None, sessions: Sequence[str]) -> list[Pattern]:
    entries = part.listed(name)
    return [_checked(_entry(entries, key, name, framing, sessions), entries.place(key)) for key in entries]


def _entry(
    entries: MappingFile,
    entry: str,
    name: str,
    framing: Framing | None,
    sessions: Sequence[str],
    *,
    keys: tuple[str, ...] = ("pattern", "hex", "as", "set", "on"),
) -> Pattern:
    """A regular expression, or a pattern with what else is said of it."""
    if not entries.is_keys(entry):
        text = entries.text(entry) or ""
        return Pattern(name, _compiled(text, framing, at=entries.place(entry)))
    given = entries.part(entry, keys)
    assert given is not None
    if ("pattern" in given) == ("hex" in given):
        raise UserError("expected a 'pattern' or bytes in 'hex'", at=entries.place(entry))
    key = "pattern" if "pattern" in given else "hex"
    text = given.text(key) or ""
    regex = _compiled(text if key == "pattern" else _from_hex(text, at=given.place(key)), framing, at=given.place(key))
    constants = {} if (said := given.part("set")) is None else {name: said.plain(name) for name in said}
    session = given.text("on")
    if session is not None and session not in sessions:
        raise UserError(f"{session!r} is not a session{did_you_mean(session, sessions)}", at=given.place("on"))
    return Pattern(name, regex, session, _encodings(given, regex), constants)


def _encodings(given: MappingFile, regex: re.Pattern[bytes]) -> dict[str, str]:
    part = given.part("as", tuple(regex.groupindex))
    found = {} if part is None else {group: part.text(group) or "" for group in part}
    for group, encoding in found.items():
        if not is_encoding(encoding):
            assert part is not None
            raise UserError(f"{encoding!r} is not a number's form, expected {NUMBERS}", at=part.place(group))
    return found


def _checked(pattern: Pattern, at: Place) -> Pattern:
    check_names(pattern.name, (*pattern.regex.groupindex, *pattern.constants), at=at)
    return pattern


def _compiled(text: str, framing: Framing | None, *, at: Place) -> re.Pattern[bytes]:
    """In a message every byte is like the others; in a stream of lines a dot stops at the end of one."""
    regex = compiled(text, at=at, flags=re.DOTALL if framing else 0)
    if framing is None and regex.match(b""):
        raise UserError(f"{text!r} matches nothing at all, so that it cannot say where a message ends", at=at)
    return regex


def _from_hex(text: str, *, at: Place) -> str:
    found, position = [], 0
    while position < len(text):
        token = _HEX_TOKEN.match(text, position)
        if token is None:
            wanted = "pairs of digits, ?? for a byte, .. for any bytes, or a group such as (?P<y>.{2})"
            raise UserError(f"{text[position:]!r} is not bytes in hex: expected {wanted}", at=at)
        position = token.end()
        if token["pair"]:
            found.append(f"\\x{token['pair']}")
        elif token["any"] or token["rest"]:
            found.append("." if token["any"] else ".*")
        else:
            found.append(token["group"] or "")
    return "".join(found)
