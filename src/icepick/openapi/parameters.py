"""Parameters and bodies of requests, in all dialects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from icepick.errors import Code, Severity
from icepick.openapi.context import Context
from icepick.openapi.references import BrokenPartError
from icepick.openapi.schemas import SchemaReader
from icepick.openapi.source import Node
from icepick.openapi.types import (
    Json,
    MediaType,
    Parameter,
    ParameterLocation,
    RequestBody,
    Schema,
)

_STYLES = {
    ParameterLocation.PATH: ("simple", {"simple", "label", "matrix"}),
    ParameterLocation.QUERY: ("form", {"form", "spaceDelimited", "pipeDelimited", "deepObject"}),
    ParameterLocation.HEADER: ("simple", {"simple"}),
    ParameterLocation.COOKIE: ("form", {"form"}),
}
_COLLECTION_FORMATS = {
    "csv": ("form", False),
    "ssv": ("spaceDelimited", False),
    "tsv": ("spaceDelimited", False),
    "pipes": ("pipeDelimited", False),
    "multi": ("form", True),
}
_NOT_OF_THE_SCHEMA = {
    *("name", "in", "required", "description", "style", "explode", "collectionFormat"),
    *("allowReserved", "allowEmptyValue", "schema", "content", "examples"),
}
_SAYS_NOTHING = frozenset({"title", "description", "examples", "deprecated"})
_IGNORED_HEADERS = {"accept", "content-type", "authorization"}
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")

RawParameters = dict[tuple[str, str], Node]
"""Parameters as written, by location and name."""


class RequestReader:
    """Reads what a request carries: parameters and body."""

    def __init__(self, context: Context, schemas: SchemaReader) -> None:
        self._context = context
        self._documents = context.documents
        self._schemas = schemas

    def raw_parameters(self, owner: Node, label: str) -> RawParameters:
        """The parameters of a path or an operation, references followed."""
        found: RawParameters = {}
        listed = owner.get("parameters")
        if listed is not None and not isinstance(listed.value, list):
            raise BrokenPartError(Code.BROKEN_OPERATION, "`parameters` must be a list", listed)
        for element in listed.elements() if listed else ():
            node = self._documents.follow(element)
            name, location = node.text("name"), node.text("in")
            if not name or not location:
                raise BrokenPartError(
                    Code.BROKEN_OPERATION, "a parameter needs both `name` and `in`", element
                )
            if (location, name) in found:
                self._context.warn(
                    Code.DUPLICATE_PARAMETER,
                    f"the {location} parameter {name!r} stands twice; the first one counts",
                    element,
                    label,
                )
            found.setdefault((location, name), node)
        return found

    def parameters(self, raw: RawParameters, label: str) -> tuple[Parameter, ...]:
        """Those of path, query, header and cookie."""
        return tuple(
            self._parameter(node, label)
            for (location, name), node in raw.items()
            if location not in {"body", "formData"}
            and not (location == "header" and name.lower() in _IGNORED_HEADERS)
        )

    def _parameter(self, node: Node, label: str) -> Parameter:
        try:
            location = ParameterLocation(node.text("in"))
        except ValueError:
            raise BrokenPartError(
                Code.BROKEN_OPERATION,
                f"the parameter {node.text('name')!r} is in {node.text('in')!r}, which is no place",
                node,
                "one of path, query, header, cookie",
            ) from None
        style, explode = self._style(node, location, label)
        content_type, schema_node = self._content(node)
        return Parameter(
            name=node.text("name"),
            location=location,
            required=location is ParameterLocation.PATH or node.flag("required"),
            schema=_as_text(self._schemas.read(schema_node, label), location),
            style=style,
            explode=explode,
            allow_reserved=node.flag("allowReserved"),
            content_type=content_type,
            examples=self.examples(node),
            description=node.text("description"),
            deprecated=node.flag("deprecated"),
        )

    def _style(self, node: Node, location: ParameterLocation, label: str) -> tuple[str, bool]:
        default, known = _STYLES[location]
        if self._context.is_swagger:
            given = _COLLECTION_FORMATS.get(node.text("collectionFormat"), ("", False))
            return given if given[0] in known else (default, False)
        style = node.text("style", default)
        if style not in known:
            message = (
                f"style {style!r} does not exist in {location.value} parameters; {default} is used"
            )
            self._context.warn(Code.BROKEN_SCHEMA, message, node, label)
            style = default
        return style, node.flag("explode", default=style == "form")

    def _content(self, node: Node) -> tuple[str | None, Node | None]:
        """The content type, if the value is a document, and the schema's node."""
        if self._context.is_swagger:
            return None, inline_schema(node)
        for content_type, media in self._context.members(node, "content"):
            return content_type, media.get("schema")
        return None, node.get("schema")

    def examples(self, node: Node) -> tuple[Json, ...]:
        """The values of `example` and `examples`; external ones are left out."""
        found = [node.value["example"]] if "example" in node.value else []
        for _, example in self._context.members(node, "examples"):
            try:
                target = self._documents.follow(example)
            except BrokenPartError as error:
                self._context.broken(error, severity=Severity.WARNING)
                continue
            if target.is_mapping and "value" in target.value:
                found.append(target.value["value"])
        return tuple(found)

    def body(self, operation: Node, raw: RawParameters, label: str) -> RequestBody | None:
        """The request body, whether it stands by itself or among the parameters (2.0)."""
        if self._context.is_swagger:
            return self._swagger_body(operation, raw, label)
        child = operation.get("requestBody")
        if child is None:
            return None
        node = self._documents.follow(child)
        content = self.content(node, label)
        if not content:
            raise BrokenPartError(Code.BROKEN_OPERATION, "the request body has no content", node)
        return RequestBody(node.flag("required"), content, node.text("description"))

    def content(self, owner: Node, label: str) -> dict[str, MediaType]:
        """The bodies under `content`, by content type."""
        found = {}
        for content_type, media in self._context.members(owner, "content", label):
            if not media.is_mapping:
                message = f"{content_type} must be an object; any value is allowed"
                self._context.warn(Code.WRONG_TYPE, message, media, label)
                media = Node(media.source, media.path, {})  # noqa: PLW2901
            found[content_type] = MediaType(
                content_type,
                self._schemas.read(media.get("schema"), label),
                self.examples(media),
                self._encoding(media, label),
            )
        return found

    def _encoding(self, media: Node, label: str) -> dict[str, Mapping[str, Json]]:
        members = self._context.members(media, "encoding", label)
        return {name: part.value for name, part in members if part.is_mapping}

    def _swagger_body(self, operation: Node, raw: RawParameters, label: str) -> RequestBody | None:
        consumes = self.media_types(operation, "consumes", label)
        bodies = [node for (location, _), node in raw.items() if location == "body"]
        fields = [node for (location, _), node in raw.items() if location == "formData"]
        if bodies:
            body = bodies[-1]  # that of the path, if there is one, stands first
            schema = self._schemas.read(body.get("schema"), label)
            kinds = [kind for kind in consumes if kind not in _FORMS] or ["application/json"]
            content = {kind: MediaType(kind, schema) for kind in kinds}
            return RequestBody(body.flag("required"), content, body.text("description"))
        if not fields:
            return None
        schema = self._form(fields, label)
        kinds = [kind for kind in consumes if kind in _FORMS] or [_form_type(fields)]
        required = any(node.flag("required") for node in fields)
        return RequestBody(required, {kind: MediaType(kind, schema) for kind in kinds})

    def media_types(self, operation: Node, key: str, label: str) -> list[str]:
        """What a Swagger 2.0 operation, or else its document, lists under `consumes` and such."""
        owner = self._context.root if operation.get(key) is None else operation
        elements = self._context.elements(owner, key, label if owner is operation else None)
        return [element.value for element in elements if isinstance(element.value, str)]

    def _form(self, fields: Iterable[Node], label: str) -> Schema:
        nodes = {node.text("name"): node for node in fields}
        properties = {}
        for name, node in nodes.items():
            description = {"description": text} if (text := node.text("description")) else {}
            properties[name] = {**self._schemas.read(inline_schema(node), label), **description}
        required = [name for name, node in nodes.items() if node.flag("required")]
        schema: dict[str, Json] = {"type": "object", "properties": properties}
        return {**schema, "required": required} if required else schema


def inline_schema(node: Node) -> Node:
    """The schema that a Swagger 2.0 parameter or header is itself, less what is no schema."""
    kept = {key: value for key, value in node.value.items() if key not in _NOT_OF_THE_SCHEMA}
    return Node(node.source, node.path, kept)


def _form_type(fields: Iterable[Node]) -> str:
    """A file needs multipart; everything else fits a urlencoded form."""
    files = any(node.text("type") == "file" for node in fields)
    return _FORMS[1] if files else _FORMS[0]


def _as_text(schema: Schema, location: ParameterLocation) -> Schema:
    """The schema of a parameter; what stands in a path is text where nothing else is said: null
    or an empty list would leave a hole, which is another path."""
    if location is not ParameterLocation.PATH or not schema.keys() <= _SAYS_NOTHING:
        return schema
    return {**schema, "type": "string"}
