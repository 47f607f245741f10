"""Bodies as bytes, by their content type."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from icepick.inputs.files import kind_of
from icepick.inputs.serialise import pairs, scalar
from icepick.openapi.shape import Schemas, items, keyword, properties
from icepick.openapi.types import Json, MediaType, Parameter, ParameterLocation, Schema

_FILE_FORMATS = {"binary", "base64", "byte"}
_OCTETS = "application/octet-stream"
_ENCODER = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)
_NO_HEADERS: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class File:
    """A file as a value of a multipart field or of a whole body."""

    content: bytes
    name: str = "file.bin"
    content_type: str = _OCTETS


@dataclass(frozen=True, slots=True)
class Body:
    """What is sent, and the Content-Type that says what it is."""

    content_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class _Part:
    name: str
    content: bytes
    content_type: str | None = None
    filename: str | None = None


def body_bytes(media: MediaType, value: Json, schemas: Schemas) -> Body:
    """A value as the body of a request of this content type."""
    kind = media.content_type.split(";")[0].strip().lower()
    if isinstance(value, File):
        return Body(value.content_type if "*" in kind else media.content_type, value.content)
    if kind.startswith("multipart/"):
        return _multipart(kind, list(_parts(media, value, schemas)))
    if kind == "application/x-www-form-urlencoded":
        return Body(media.content_type, _form(media, value).encode("ascii"))
    if media.step and isinstance(value, dict):
        return Body(media.content_type, _json(patch_steps(value, media.step)))
    if kind.endswith(("/json", "+json")) or kind in {"*/*", "application/*"}:
        sent = "application/json" if "*" in kind else media.content_type
        return Body(sent, _json(value))
    return _raw(media.content_type, value)


def patch_steps(fields: Mapping[str, Json], step: str = "add") -> list[Json]:
    """A JSON patch that sets each field to its value."""
    return [
        {"op": step, "path": f"/{name.replace('~', '~0').replace('/', '~1')}", "value": value}
        for name, value in fields.items()
    ]


def _json(value: Json) -> bytes:
    return _ENCODER.encode(value).encode("utf-8")


def _raw(content_type: str, value: Json) -> Body:
    """Text as UTF-8, anything else as the octets that its characters stand for."""
    kind = content_type.split(";", maxsplit=1)[0].strip().lower()
    text = scalar(value)
    if kind.startswith("text/"):
        sent = "text/plain" if "*" in kind else content_type
        return Body(sent, text.encode("utf-8"))
    return Body(_OCTETS if "*" in kind else content_type, _octets(text))


def _octets(text: str) -> bytes:
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return text.encode("utf-8")


def _form(media: MediaType, value: Json) -> str:
    if not isinstance(value, dict):
        return quote(scalar(value), safe="")
    found: list[str] = []
    for name, inner in value.items():
        found += pairs(_as_parameter(name, media.encoding.get(name, {}), inner), inner)
    return "&".join(found)


def _as_parameter(name: str, encoding: Mapping[str, Json], value: Json) -> Parameter:
    """A field of a form, which is written like a parameter of a query."""
    style = str(encoding.get("style", "form"))
    explode = bool(encoding.get("explode", style == "form"))
    stated = encoding.get("contentType")
    document = stated if isinstance(value, dict | list) and "style" not in encoding else None
    return Parameter(
        name, ParameterLocation.QUERY, True, {}, style, explode,
        bool(encoding.get("allowReserved", False)), document,
    )  # fmt: skip


def _parts(media: MediaType, value: Json, schemas: Schemas) -> Iterator[_Part]:
    declared = properties(media.schema, schemas)
    for name, inner in value.items() if isinstance(value, dict) else (("value", value),):
        schema = declared[name].schema if name in declared else {}
        stated = media.encoding.get(name, {}).get("contentType")
        kind = str(stated).split(",", maxsplit=1)[0].strip() if stated else None
        element = items(schema, schemas) or {}
        if isinstance(inner, list):
            yield from (_part(name, item, element, schemas, kind) for item in inner)
        else:
            yield _part(name, inner, schema, schemas, kind)


def _part(name: str, value: Json, schema: Schema, schemas: Schemas, kind: str | None) -> _Part:
    if isinstance(value, File):
        return _Part(name, value.content, kind or value.content_type, value.name)
    if keyword(schema, "format", schemas) in _FILE_FORMATS:
        content = _octets(scalar(value))
        ending, usual = kind_of(content) or ("bin", _OCTETS)
        return _Part(name, content, _stated(kind, usual), f"{name}.{ending}")
    if isinstance(value, dict | list):
        return _Part(name, _json(value), _stated(kind, "application/json"))
    if kind is not None and kind.endswith(("/json", "+json")):
        return _Part(name, _json(value), kind)
    return _Part(name, scalar(value).encode("utf-8"), kind)


def _stated(kind: str | None, usual: str) -> str:
    return kind if kind and "*" not in kind else usual


def _multipart(kind: str, parts: list[_Part]) -> Body:
    boundary = _boundary(parts)
    chunks = []
    for part in parts:
        chunks += [f"--{boundary}\r\n{_headers(part)}\r\n".encode(), part.content, b"\r\n"]
    chunks.append(f"--{boundary}--\r\n".encode())
    return Body(f"{kind}; boundary={boundary}", b"".join(chunks))


def _headers(part: _Part) -> str:
    filename = f'; filename="{_escaped(part.filename)}"' if part.filename else ""
    lines = [f'Content-Disposition: form-data; name="{_escaped(part.name)}"{filename}']
    lines += [f"Content-Type: {part.content_type}"] if part.content_type else []
    return "".join(f"{line}\r\n" for line in lines)


def _escaped(name: str) -> str:
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def _boundary(parts: list[_Part]) -> str:
    """From the content itself, so that equal bodies are equal bytes; never a part of it."""
    digest = hashlib.sha256(b"\0".join(part.content for part in parts))
    while any(digest.hexdigest()[:32].encode() in part.content for part in parts):
        digest.update(b"again")
    return digest.hexdigest()[:32]
