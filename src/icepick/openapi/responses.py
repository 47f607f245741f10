"""What a service may answer: statuses, bodies, headers, links."""

from __future__ import annotations

import re
from collections.abc import Iterator

from icepick.errors import Code, Severity
from icepick.openapi.context import Context
from icepick.openapi.parameters import RequestReader, inline_schema
from icepick.openapi.references import BrokenPartError
from icepick.openapi.schemas import SchemaReader
from icepick.openapi.source import Node
from icepick.openapi.types import Header, Link, MediaType, Response

_STATUS = re.compile(r"[1-5]([0-9]{2}|XX)|default")
_JSON = "application/json"


class ResponseReader:
    """Reads the responses of operations."""

    def __init__(self, context: Context, schemas: SchemaReader, requests: RequestReader) -> None:
        self._context = context
        self._documents = context.documents
        self._schemas = schemas
        self._requests = requests

    def responses(self, operation: Node, label: str) -> dict[str, Response]:
        """Those of one operation by status; a broken one is left out and reported."""
        found = {}
        for status, child in self._context.members(operation, "responses", label):
            if status.startswith("x-"):
                continue
            try:
                response = self._response(status, child, operation, label)
                found[response.status] = response
            except BrokenPartError as error:
                self._context.broken(error, label)
        if not found:
            spot = operation.get("responses") or operation
            self._context.warn(Code.NO_RESPONSES, "no response is declared", spot, label)
        return found

    def _response(self, status: str, child: Node, operation: Node, label: str) -> Response:
        status = status.upper() if status.lower() != "default" else "default"
        if not _STATUS.fullmatch(status):
            raise BrokenPartError(
                Code.BROKEN_RESPONSE,
                f"{status!r} is not a status; the response is left out",
                child,
                "a code (201), a class (2XX) or default",
            )
        node = self._documents.follow(child)
        if not node.is_mapping:
            raise BrokenPartError(
                Code.BROKEN_RESPONSE, f"the response {status} is not an object; left out", node
            )
        return Response(
            status,
            node.text("description"),
            self._content(node, operation, label, status),
            self._headers(node, label),
            self._links(node, label),
        )

    def _content(
        self, node: Node, operation: Node, label: str, status: str
    ) -> dict[str, MediaType]:
        if not self._context.is_swagger:
            return self._requests.content(node, label)
        child = node.get("schema")
        if child is None:
            return {}
        schema = self._schemas.read(child, label)
        produces = self._requests.media_types(operation, "produces", label) or [_JSON]
        if status[0] not in "123" and _JSON not in produces:
            # Version 2.0 cannot say that what is wrong is told in another form than what is asked.
            produces = [*produces, _JSON]
        known = {kind: example.value for kind, example in self._members(node, "examples", label)}
        return {
            kind: MediaType(kind, schema, (known[kind],) if kind in known else ())
            for kind in produces
        }

    def _members(self, node: Node, key: str, label: str) -> Iterator[tuple[str, Node]]:
        return self._context.members(node, key, label)

    def _followed(self, node: Node, key: str, label: str) -> Iterator[tuple[str, Node]]:
        """The members under a key that can be used: one that cannot does not cost the response."""
        for name, child in self._members(node, key, label):
            try:
                target = self._documents.follow(child)
            except BrokenPartError as error:
                self._context.broken(error, label)
                continue
            if target.is_mapping:
                yield name, target
            else:
                message = f"{name!r} in `{key}` must be an object; left out"
                self._context.warn(Code.WRONG_TYPE, message, child, label)

    def _headers(self, node: Node, label: str) -> dict[str, Header]:
        found = {}
        for name, header in self._followed(node, "headers", label):
            swagger = self._context.is_swagger
            schema_node = inline_schema(header) if swagger else header.get("schema")
            schema = self._schemas.read(schema_node, label)
            found[name] = Header(name, header.flag("required"), schema, header.text("description"))
        return found

    def _links(self, node: Node, label: str) -> tuple[Link, ...]:
        return tuple(
            self._link(name, link, target, label)
            for name, link in self._followed(node, "links", label)
            if (target := self._link_target(name, link, label))
        )

    def _link(self, name: str, link: Node, target: str, label: str) -> Link:
        members = self._members(link, "parameters", label)
        return Link(
            name,
            target,
            {parameter: child.value for parameter, child in members},
            link.value.get("requestBody"),
            link.text("description"),
        )

    def _link_target(self, name: str, link: Node, label: str) -> str:
        try:
            target = link.text("operationId") or self._operation_at(link)
        except BrokenPartError as error:
            self._context.broken(error, label, Severity.WARNING)
            return ""
        if not target:
            message = f"the link {name!r} has no target"
            self._context.warn(Code.UNKNOWN_LINK_TARGET, message, link, label)
        return target

    def _operation_at(self, link: Node) -> str:
        """The operation that an `operationRef` means: its id, or else its pointer."""
        reference = link.text("operationRef")
        if not reference:
            return ""
        target = self._documents.target(Node(link.source, link.path, {"$ref": reference}))
        return target.text("operationId") or target.pointer
