"""Templates, numbers, checksums, frames and patterns of mapping files, against published values."""

import re
from pathlib import Path

import pytest

from fullproof.core.errors import UserError
from fullproof.execute.adapters.mapping import read_mapping
from fullproof.execute.adapters.protocol.frame import Delimited, FixedSize, LengthField
from fullproof.execute.adapters.protocol.mapping import ProtocolVocabulary, read_protocol_mapping
from fullproof.execute.adapters.protocol.number import CHECKSUMS, decode, encode
from fullproof.execute.adapters.protocol.pattern import MessageReader, read_ignored, read_patterns
from fullproof.execute.adapters.protocol.template import read_template, rendered
from fullproof.execute.sut import SutError


def sent(tmp_path: Path, text: str, **values: str) -> bytes:
    file = tmp_path / "t.yaml"
    file.write_text(f"send: {text}\n")
    return rendered(read_template(read_mapping(file, keys=["send"]), "send", {"x", "name"}), values)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"SET {name} {x}\\r\\n"', b"SET k 300\r\n"),
        ("{hex: 0A fF}", b"\x0a\xff"),
        ("[hex: '30', {length: varint, of: [{length: u16, of: '{name}'}, '{x}']}]", b"\x30\x06\x00\x01k300"),
        ("{u16: '{x}'}", b"\x01\x2c"),
        ("[{u16le: '{x}'}, {i8: -1}, {f32: 1.5}]", b"\x2c\x01\xff\x3f\xc0\x00\x00"),
        ('["$", {length: decimal, between: "\\r\\n", of: "{name}"}, "\\r\\n"]', b"$1\r\nk\r\n"),
        ("{length: u8, plus: 1, of: [abc]}", b"\x04abc"),
        # The example of the Modbus specification: read 10 registers from 0 of unit 1.
        ("{checksum: crc16-modbus, of: {hex: 01 03 00 00 00 0A}}", bytes.fromhex("0103 0000 000A C5CD")),
        ("[$, {checksum: xor8, as: hexadecimal, of: GPGLL}]", b"$GPGLL50"),
        ("{json: 1}", None),
    ],
)
def test_a_template_becomes_bytes(tmp_path: Path, text: str, expected: bytes | None) -> None:
    if expected is None:
        with pytest.raises(UserError, match="line 1, column"):
            sent(tmp_path, text)
    else:
        assert sent(tmp_path, text, x="300", name="k") == expected


def test_checksums_have_their_published_values() -> None:
    """The check values of the catalogue of CRC algorithms, over 123456789."""
    found = {name: function(b"123456789") for name, (function, _) in CHECKSUMS.items()}
    assert found["crc16-modbus"] == 0x4B37
    assert found["crc16-ccitt"] == 0x29B1
    assert found["crc16-xmodem"] == 0x31C3
    assert found["crc32"] == 0xCBF43926
    assert found["sum8"] == 0xDD
    assert found["lrc"] == 0x23
    assert CHECKSUMS["internet"][0](bytes.fromhex("0001f203f4f5f6f7")) == 0x220D  # RFC 1071, section 3


@pytest.mark.parametrize("number", [0, 1, 127, 128, 255, 300, 16_383, 16_384, 2_097_152])
@pytest.mark.parametrize("form", ["varint", "u32", "u32le", "i64", "f64", "decimal", "hexadecimal"])
def test_numbers_are_read_as_they_were_written(number: int, form: str) -> None:
    assert decode(encode(number, form), form) == number


@pytest.mark.parametrize(("number", "form"), [(256, "u8"), (-1, "u16"), (128, "i8"), (-1, "varint"), (0.5, "u8")])
def test_a_number_that_does_not_fit_is_refused(number: float, form: str) -> None:
    with pytest.raises(UserError):
        encode(number, form)


@pytest.mark.parametrize(
    ("framing", "stream", "messages", "rest"),
    [
        (Delimited(b"\r\n"), b"a\r\n\r\nb\r", [b"a", b""], b"b\r"),
        (FixedSize(3), b"abcdefgh", [b"abc", b"def"], b"gh"),
        (LengthField("varint", 1, 0), b"\x30\x02ab\xd0\x00\x30\x05a", [b"\x30\x02ab", b"\xd0\x00"], b"\x30\x05a"),
        (LengthField("u16", 0, -2), b"\x00\x04ab\x00", [b"\x00\x04ab"], b"\x00"),
    ],
)
def test_frames_do_not_depend_on_how_bytes_arrive(framing, stream: bytes, messages: list[bytes], rest: bytes) -> None:
    whole, found = bytearray(stream), []
    while (message := framing.cut(whole)) is not None:
        found.append(message)
    assert (found, bytes(whole)) == (messages, rest)
    single, again = bytearray(), []
    for byte in stream:
        single.append(byte)
        while (message := framing.cut(single)) is not None:
            again.append(message)
    assert (again, bytes(single)) == (messages, rest)


def test_a_length_beyond_all_bounds_is_an_error() -> None:
    with pytest.raises(SutError, match="a message of"):
        LengthField("u32", 0, 0).cut(bytearray(b"\xff\xff\xff\xff"))


def test_patterns_name_messages_and_take_values(tmp_path: Path) -> None:
    file = tmp_path / "p.yaml"
    file.write_text(
        "outputs:\n"
        "  'got {text}': 'MSG (?P<text>.*)\\n'\n"
        "  level: {hex: '90 (?P<y>.{2}) ?? 0A', as: {y: u16}, set: {lamp: W}}\n"
    )
    patterns = read_patterns(read_mapping(file, keys=["outputs"]), None, ("",))
    buffer = bytearray(b"MSG hi\n\x90\x01\x2c\x77\x0aMSG")
    reader = MessageReader(None, patterns)
    first, second = reader.take(buffer, ""), reader.take(buffer, "")
    assert first is not None
    assert second is not None
    assert (first.name, first.values) == ("got hi", {"text": "hi"})
    assert (second.name, second.values) == ("level", {"y": 300, "lamp": "W"})
    assert reader.take(buffer, "") is None
    assert buffer == b"MSG"


def test_what_is_ignored_and_what_a_name_stands_for_may_be_a_list_of_patterns(tmp_path: Path) -> None:
    file = tmp_path / "m.yaml"
    file.write_text(
        "frames: '\\n'\noutputs: {ok: [OK, {hex: '06'}]}\n"
        "ignore: ['#.*', {hex: '00 .. FF'}, {pattern: 'beat', on: b}]\n"
    )
    mapping = read_mapping(file, keys=["frames", "outputs", "ignore"])
    framing = Delimited(b"\n")
    patterns = read_patterns(mapping, framing, ("a", "b"))
    reader = MessageReader(framing, patterns, read_ignored(mapping, framing, ("a", "b")))
    received = b"# x\n\x06\n\x00\x01\xff\nbeat\nOK\n"

    def names(session: str) -> list[str | None]:
        buffer, found = bytearray(received), []
        while (message := reader.take(buffer, session)) is not None:
            found.append(message.name)
        return found

    assert names("a") == ["ok", None, "ok"]
    assert names("b") == ["ok", "ok"]


@pytest.mark.parametrize(
    ("ignored", "message"),
    [
        ("[{hex: '0'}]", "column 17: '0' is not bytes in hex"),
        ("[{pattern: a, as: {}}]", "column 23: unknown key 'as'"),
        ("{pattern: a, on: c}", "'c' is not a session"),
        ("[[a]]", "expected a text"),
    ],
)
def test_ignored_patterns_are_refused_with_their_place(tmp_path: Path, ignored: str, message: str) -> None:
    file = tmp_path / "m.yaml"
    file.write_text(f"ignore: {ignored}\n")
    with pytest.raises(UserError, match=re.escape(message)):
        read_ignored(read_mapping(file, keys=["ignore"]), None, ("a",))


GOOD = {"start": "./x", "frames": '"\\n"', "inputs": "{a: A, b: B}"}


@pytest.mark.parametrize(
    ("scheme", "changes", "message"),
    [
        ("exec", {"inputz": "1"}, "unknown key 'inputz'; did you mean 'inputs'?"),
        ("exec", {"inputs": "{a: A}"}, "does not say what to send for the input 'b'"),
        ("exec", {"inputs": "{a: A, b: B, c: C}"}, "'c' is not an input of the model"),
        ("exec", {"inputs": "{a: A, b: 'x {valu}'}"}, "there is no value {valu} to fill in"),
        ("exec", {"inputs": "{a: A, b: {hex: 0}}"}, "'0' is not bytes in hex"),
        ("exec", {"inputs": "{a: A, b: {u8: 256}}"}, "256 does not fit into u8"),
        ("exec", {"inputs": "{a: A, b: {length: u16}}"}, "expected a key 'of'"),
        ("exec", {"inputs": "{a: A, b: {checksum: crc99, of: x}}"}, "'crc99' is not a checksum"),
        ("exec", {"inputs": "{a: A, b: {answer: 1}}"}, "expected what to 'send'"),
        ("exec", {"inputs": "{a: A, b: {send: B, on: c9}}"}, "'c9' is not a session"),
        ("exec", {"outputs": "{on: '('}"}, "'(' is not a regular expression"),
        ("exec", {"outputs": "{on: {hex: 9}}"}, "'9' is not bytes in hex"),
        ("exec", {"outputs": "{'x {y}': on}"}, "there is no value {y}"),
        ("exec", {"frames": None}, "expected 'outputs' with patterns, or 'frames'"),
        ("exec", {"frames": None, "outputs": "{on: 'a*'}"}, "'a*' matches nothing at all"),
        ("exec", {"frames": "{size: 0}"}, "expected a whole number from 1"),
        ("exec", {"frames": "{length: decimal}"}, "'decimal' is not a length in front of bytes"),
        ("exec", {"answer": "{until: on}", "outputs": "{'off': B}"}, "'on' is not a name in 'outputs'"),
        ("exec", {"answer": "-1"}, "expected a whole number from 0 to 1000 for 'answer'"),
        ("exec", {"fence": "{send: x}"}, "expected one message with its answer"),
        ("exec", {"sessions": "[p, q]", "answer": "1"}, "does not say which session it is for"),
        ("exec", {"order": "sorted"}, "'sorted' is not known here, expected ordered or bag or set"),
        ("exec", {"ready": "{pattern: '['}"}, "'[' is not a regular expression"),
        ("exec", {"start": "'\"x'"}, "is not a command"),
        ("exec", {"start": None}, "expected a key 'start'"),
        ("exec", {"baud": "9600"}, "'baud' is for serial:, this is exec:"),
        ("tcp", {"start": None, "address": "here"}, "expected HOST:PORT"),
        ("tcp", {"start": None, "address": "'h:{port}'"}, "needs a key 'start'"),
        ("tcp", {"start": None, "address": "h:1", "reset": "restart"}, "'restart' needs a key 'start'"),
        ("tcp", {}, "expected a key 'address'"),
        ("serial", {"start": None}, "expected a key 'device'"),
    ],
)
def test_what_is_wrong_with_a_mapping_file_is_said_with_its_place(
    tmp_path: Path, scheme: str, changes: dict[str, str | None], message: str
) -> None:
    file = tmp_path / "m.yaml"
    file.write_text("".join(f"{key}: {value}\n" for key, value in {**GOOD, **changes}.items() if value is not None))
    with pytest.raises(UserError) as error:
        read_protocol_mapping(file, scheme, ProtocolVocabulary(("a", "b"), ()))
    assert message in str(error.value)
    assert str(error.value).startswith(f"{file}, line ")
    assert "column" in str(error.value)
