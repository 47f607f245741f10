"""Files that are what their fields say, read back by other readers than their writer."""

from __future__ import annotations

import struct
import zlib
from email.parser import BytesParser
from random import Random
from typing import Any

import pytest

from icepick.inputs import Generator, Made, Options, body_bytes
from icepick.openapi.types import MediaType

BINARY = {"type": "string", "format": "binary"}


def _sent(name: str, **said: Any) -> tuple[str, str, bytes]:
    """The name, the type and the content of the one file of a form."""
    schema = {"type": "object", "required": [name], "properties": {name: {**BINARY, **said}}}
    media = MediaType("multipart/form-data", schema)
    made = Generator({}).body(media, Random(1))
    assert isinstance(made, Made)
    body = body_bytes(media, made.value, {})
    head = f"Content-Type: {body.content_type}\r\n\r\n".encode()
    [part] = list(BytesParser().parsebytes(head + body.content).walk())[1:]
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return part.get_filename() or "", part.get_content_type(), content


def _assert_picture(content: bytes) -> None:
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    rest, kinds = content[8:], []
    while rest:
        [length] = struct.unpack(">I", rest[:4])
        kinds.append(rest[4:8])
        assert zlib.crc32(rest[4 : 8 + length]) == struct.unpack(">I", rest[8 + length :][:4])[0]
        rest = rest[12 + length :]
    assert kinds == [b"IHDR", b"IDAT", b"IEND"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("photo", {}),
        ("userAvatar", {}),
        ("file", {"description": "The image of the product."}),
        ("file", {"contentMediaType": "image/png"}),
    ],
)
def test_a_field_for_pictures_gets_one(name: str, said: dict[str, str]) -> None:
    filename, kind, content = _sent(name, **said)
    assert (filename, kind) == (f"{name}.png", "image/png")
    _assert_picture(content)


def test_a_table() -> None:
    assert _sent("file", description="The prices as CSV")[:2] == ("file.csv", "text/csv")


@pytest.mark.parametrize(
    "said", [{}, {"description": "A photo of it", "contentMediaType": "application/pdf"}]
)
def test_other_files_are_bytes(said: dict[str, str]) -> None:
    assert _sent("file", **said)[:2] == ("file.bin", "application/octet-stream")


def test_a_body_that_is_a_picture() -> None:
    made = Generator({}).body(MediaType("image/png", BINARY), Random(1))
    assert isinstance(made, Made)
    _assert_picture(body_bytes(MediaType("image/png", BINARY), made.value, {}).content)


def test_odd_values_are_still_drawn() -> None:
    made = Generator({}).value(BINARY, Random(1), Options(realistic=False), name="photo")
    assert isinstance(made, Made)
    assert not str(made.value).startswith("\x89PNG")
