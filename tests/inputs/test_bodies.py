"""Bodies, read back by other readers than the writer."""

from __future__ import annotations

import json
from email.message import Message
from email.parser import BytesParser
from typing import Any
from urllib.parse import parse_qsl

import pytest

from icepick.inputs import Body, File, body_bytes
from icepick.openapi.types import MediaType

FORM = "application/x-www-form-urlencoded"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "photo": {"type": "string", "format": "binary"},
        "scans": {"type": "array", "items": {"type": "string", "format": "binary"}},
        "tags": {"type": "array", "items": {"type": "string"}},
        "owner": {"type": "object"},
    },
}


def _sent(content_type: str, value: Any, **more: Any) -> Body:
    return body_bytes(MediaType(content_type, SCHEMA, **more), value, {})


def _parts(body: Body) -> list[Message]:
    head = f"Content-Type: {body.content_type}\r\n\r\n".encode()
    message = BytesParser().parsebytes(head + body.content)
    assert message.is_multipart()
    return [part for part in message.walk() if part is not message]


def _content(part: Message) -> bytes:
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content


@pytest.mark.parametrize("kind", ["application/json", "application/merge-patch+json", "text/json"])
def test_json(kind: str) -> None:
    body = _sent(kind, {"a": ["ü", None]})
    assert body.content_type == kind
    assert json.loads(body.content) == {"a": ["ü", None]}


def test_any_type_is_sent_as_json() -> None:
    assert _sent("*/*", [1]) == Body("application/json", b"[1]")


def test_forms() -> None:
    value = {"name": "a b&c=ü+", "tags": ["x", "y"], "owner": {"id": 1}, "ok": True}
    assert parse_qsl(_sent(FORM, value).content.decode()) == [
        ("name", "a b&c=ü+"),
        ("tags", "x"),
        ("tags", "y"),
        ("id", "1"),
        ("ok", "true"),
    ]


def test_forms_follow_their_encoding() -> None:
    encoding = {
        "tags": {"style": "pipeDelimited", "explode": False},
        "owner": {"contentType": "application/json"},
    }
    body = _sent(FORM, {"tags": ["x", "y"], "owner": {"id": 1}}, encoding=encoding)
    assert parse_qsl(body.content.decode()) == [("tags", "x|y"), ("owner", '{"id":1}')]
    deep = _sent(FORM, {"owner": {"id": 1}}, encoding={"owner": {"style": "deepObject"}})
    assert parse_qsl(deep.content.decode()) == [("owner[id]", "1")]


def test_multipart() -> None:
    value = {"name": "ü", "photo": "\x00\xff", "tags": ["x", "y"], "owner": {"id": 1}}
    parts = _parts(_sent("multipart/form-data", value))
    names = [part.get_param("name", header="content-disposition") for part in parts]
    assert names == ["name", "photo", "tags", "tags", "owner"]
    assert _content(parts[0]).decode() == "ü"
    assert parts[1].get_filename() == "photo.bin"
    assert parts[1].get_content_type() == "application/octet-stream"
    assert _content(parts[1]) == b"\x00\xff"
    assert parts[4].get_content_type() == "application/json"
    assert json.loads(_content(parts[4])) == {"id": 1}


def test_files() -> None:
    file = File(b"\x89PNG\r\n--", 'a"b.png', "image/png")
    value = {"photo": file, "scans": [file, "x"]}
    parts = _parts(_sent("multipart/form-data", value))
    assert [part.get_content_type() for part in parts] == [
        "image/png",
        "image/png",
        "application/octet-stream",
    ]
    assert parts[0].get_filename() == "a%22b.png"
    assert _content(parts[0]) == file.content
    assert _sent("image/png", file) == Body("image/png", file.content)
    assert _sent("*/*", file).content_type == "image/png"


def test_the_encoding_names_the_type_of_a_part() -> None:
    encoding = {
        "photo": {"contentType": "image/png, image/jpeg"},
        "name": {"contentType": "text/csv"},
    }
    parts = _parts(_sent("multipart/form-data", {"photo": "x", "name": "y"}, encoding=encoding))
    assert [part.get_content_type() for part in parts] == ["image/png", "text/csv"]


def test_equal_bodies_are_equal_bytes() -> None:
    first, second = (_sent("multipart/form-data", {"name": "x"}) for _ in range(2))
    assert first == second
    assert first != _sent("multipart/form-data", {"name": "y"})


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("text/plain", "ü", "ü".encode()),
        ("text/plain; charset=utf-8", 5, b"5"),
        ("application/octet-stream", "\xff\x00", b"\xff\x00"),
        ("application/octet-stream", "\u20ac", "\u20ac".encode()),
        ("application/xml", "<a/>", b"<a/>"),
    ],
)
def test_text_and_octets(kind: str, value: Any, expected: bytes) -> None:
    assert _sent(kind, value) == Body(kind, expected)
