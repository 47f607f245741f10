"""Form bodies, urlencoded or multipart, read strictly: no guessing and no replacement bytes."""

from __future__ import annotations

from collections.abc import Collection
from email import message_from_bytes
from email.message import Message
from typing import NoReturn
from urllib.parse import parse_qsl

from aiohttp import web

from icepick.demo.http import Refusal, refuse

URLENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
MOST_FIELDS = 100

Pairs = list[tuple[str, str]]


async def form_fields(request: web.Request, known: Collection[str]) -> dict[str, str]:
    """The fields of the form by name; empty where the request has no body."""
    payload = await _payload(request)
    pairs = _pairs(request, payload) if payload else []
    fields: dict[str, str] = {}
    for name, value in pairs:
        if name not in known:
            refuse(400, f"{name!r} is not a field of this form")
        if name in fields:
            refuse(400, f"{name}: given more than once")
        fields[name] = value
    return fields


async def _payload(request: web.Request) -> bytes:
    # What aiohttp makes of a truncated compressed body looks like a body that is complete.
    if coding := request.headers.get("Content-Encoding"):
        refuse(415, f"Content-Encoding must be absent, not {coding}")
    try:
        return await request.read()
    except web.RequestPayloadError as error:
        raise Refusal(400, f"the body is not what its headers say: {error}") from error


def _pairs(request: web.Request, payload: bytes) -> Pairs:
    if request.content_type == URLENCODED:
        _refuse_other_charset(request)
        return _urlencoded(payload)
    if request.content_type == MULTIPART:
        return _multipart(request.headers["Content-Type"], payload)
    raise Refusal(
        415, f"Content-Type must be {URLENCODED} or {MULTIPART}, not {request.content_type}"
    )


def _refuse_other_charset(request: web.Request) -> None:
    charset = request.charset or "utf-8"
    if charset.lower() not in ("utf-8", "utf8"):
        refuse(415, f"the charset of a form must be utf-8, not {charset}")


def _urlencoded(payload: bytes) -> Pairs:
    try:
        return parse_qsl(
            payload.decode(),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=MOST_FIELDS,
        )
    except ValueError as error:
        refuse(400, f"the body is not a form: {error}")


def _multipart(content_type: str, payload: bytes) -> Pairs:
    head = f"Content-Type: {content_type}\r\n\r\n".encode("utf-8", "surrogateescape")
    form = message_from_bytes(head + payload)
    if _has_no_parts(form, payload):
        return []
    if form.defects:
        _refuse_defects(form)
    return [_field(part) for part in form.get_payload() if isinstance(part, Message)]


def _has_no_parts(form: Message, payload: bytes) -> bool:
    """Whether the body is the closing line alone, which the parser takes for a defect."""
    return payload.strip() == f"--{form.get_boundary()}--".encode("utf-8", "surrogateescape")


def _field(part: Message) -> tuple[str, str]:
    name = part.get_param("name", header="Content-Disposition")
    if not isinstance(name, str):
        refuse(400, "a part of the form has no plain name")
    if part.is_multipart() or part.get_filename() is not None:
        refuse(400, f"{name}: must be text, not a file or a form of its own")
    return name, _text(name, part)


def _text(name: str, part: Message) -> str:
    content = part.get_payload(decode=True)
    # Some defects come to light only when the content is decoded.
    if part.defects:
        _refuse_defects(part)
    try:
        return content.decode() if isinstance(content, bytes) else ""
    except ValueError as error:
        refuse(400, f"{name}: not utf-8: {error}")


def _refuse_defects(message: Message) -> NoReturn:
    defects = ", ".join(type(defect).__name__ for defect in message.defects)
    refuse(400, f"the body is not a multipart form: {defects}")
