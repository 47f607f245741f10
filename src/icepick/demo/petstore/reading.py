"""What a request brings: bodies and parameters, checked against the document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from aiohttp import web

from icepick.demo.http import Document, json_body, refuse, whole_number


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads requests, and refuses with 400 what the document does not allow."""

    document: Document

    @classmethod
    def load(cls) -> Reader:
        """A reader for the document that lies beside this module."""
        return cls(Document.load("icepick.demo.petstore", "openapi.yaml"))

    async def body(self, request: web.Request, schema: str) -> Any:
        """The JSON body, fitting the schema."""
        value = _plain(await json_body(request))
        self.document.check(schema, value)
        return value

    def path_id(self, request: web.Request, name: str, schema: str) -> int:
        """An id from the path."""
        number = whole_number(request.match_info[name], name)
        self._check(schema, name, number)
        return number

    def username(self, request: web.Request) -> str:
        """The username from the path."""
        name = request.match_info["username"]
        self._check("Username", "username", name)
        return name

    def many(self, request: web.Request, name: str, schema: str) -> list[str]:
        """A query parameter that is given once or more."""
        values = request.query.getall(name, [])
        if not values:
            refuse(400, f"{name}: the query parameter is missing")
        for value in values:
            self._check(schema, name, value)
        return values

    def once(self, request: web.Request, name: str, schema: str) -> str:
        """A query parameter that is given exactly once."""
        value = self.at_most_once(request, name, schema)
        if value is None:
            refuse(400, f"{name}: the query parameter is missing")
        return value

    def at_most_once(self, request: web.Request, name: str, schema: str) -> str | None:
        """A query parameter that may be left out."""
        values = request.query.getall(name, [])
        if len(values) > 1:
            refuse(400, f"{name}: the query parameter is given {len(values)} times")
        for value in values:
            self._check(schema, name, value)
        return values[0] if values else None

    def _check(self, schema: str, name: str, value: Any) -> None:
        if found := self.document.problems(schema, value):
            refuse(400, f"{name}: {found[0].removeprefix('body: ')}")


async def image_body(request: web.Request) -> bytes:
    """The bytes of an uploaded picture; none at all is refused."""
    if request.content_type != "application/octet-stream":
        refuse(415, f"Content-Type must be application/octet-stream, not {request.content_type}")
    try:
        image = await request.read()
    except web.RequestPayloadError as error:
        refuse(400, f"body: {error}")
    if not image:
        refuse(400, "body: the picture is empty")
    return image


def _plain(value: Any) -> Any:
    """The value with whole numbers as int however they were spelled."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value
