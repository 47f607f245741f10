"""From a location to an `ApiSpec`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from icepick.errors import Code, Diagnostic, DocumentError, Place, Severity
from icepick.openapi.context import Context
from icepick.openapi.lint import lint
from icepick.openapi.operations import OperationReader, extensions
from icepick.openapi.options import ReadOptions
from icepick.openapi.references import Documents
from icepick.openapi.schemas import SchemaReader
from icepick.openapi.security import security_schemes
from icepick.openapi.servers import servers
from icepick.openapi.source import Node, Source
from icepick.openapi.types import ApiSpec, Dialect, Json, Operation, Response

_DIALECTS = {"2.0": Dialect.SWAGGER_2_0, "3.0": Dialect.OPENAPI_3_0, "3.1": Dialect.OPENAPI_3_1}


def read_spec(location: str, options: ReadOptions | None = None) -> ApiSpec:
    """Read the document at a path or URL; DocumentError where nothing of it is usable."""
    return _Reading(location, options or ReadOptions()).spec()


def check_spec(location: str, options: ReadOptions | None = None) -> ApiSpec:
    """As `read_spec`, with contradictions inside the document among the diagnostics."""
    reading = _Reading(location, options or ReadOptions())
    spec = reading.spec()
    places = {name: node.place() for name, node in reading.operations.nodes.items()}
    found = lint(spec, reading.schemas.all, places)
    return replace(spec, diagnostics=tuple(dict.fromkeys([*spec.diagnostics, *found])))


class _Reading:
    """One document on its way to an ApiSpec."""

    def __init__(self, location: str, options: ReadOptions) -> None:
        documents = Documents(location, options)
        self.context = Context(documents, _dialect(documents.root))
        self.schemas = SchemaReader(self.context)
        self.schemes = security_schemes(self.context)
        self.operations = OperationReader(self.context, self.schemas, self.schemes)

    def spec(self) -> ApiSpec:
        context = self.context
        _report_duplicate_keys(context)
        for node in _component_schemas(context):
            self.schemas.define(node)
        self.schemas.read(None)
        operations = tuple(self.operations.operations())
        if not operations:
            _report_no_operations(context)
        operations = _with_link_targets(operations, self.operations.nodes, context)
        root = context.root
        info = context.mapping(root, "info") or Node(root.source, ("info",), {})
        return ApiSpec(
            title=info.text("title", "untitled"),
            version=_version(info),
            dialect=context.dialect,
            source=root.source.name,
            servers=servers(root, context),
            operations=operations,
            schemas=self.schemas.schemas,
            security_schemes=self.schemes,
            tags=_tags(context),
            description=info.text("description"),
            extensions=extensions(root),
            diagnostics=tuple(dict.fromkeys(context.diagnostics)),
            left_out=tuple(self.operations.left_out),
        )


def _version(info: Node) -> str:
    """As written: YAML reads an unquoted 1.0 as a number."""
    version = info.get("version")
    return str(version.value) if version else ""


def _dialect(source: Source) -> Dialect:
    content = source.content
    if not isinstance(content, dict) or not ({"swagger", "openapi"} & content.keys()):
        raise DocumentError(
            Code.NOT_OPENAPI,
            f"{source.name} is not an OpenAPI document: it has no `openapi` or `swagger` key",
            place=Place(source.name, 1),
            hint=_guess(content),
        )
    key = "openapi" if "openapi" in content else "swagger"
    given = str(content[key])[:60]
    match = re.match(r"(2\.0|3\.[0-9]+)", given)
    dialect = _DIALECTS.get(match.group(1)) if match else None
    if dialect is None:
        raise DocumentError(
            Code.UNSUPPORTED_VERSION,
            f"{source.name} says `{key}: {given}`, a version that icepick does not read",
            place=source.place((key,)),
            hint="icepick reads Swagger 2.0, OpenAPI 3.0 and OpenAPI 3.1",
        )
    return dialect


def _guess(content: Json) -> str | None:
    if not isinstance(content, dict):
        return "an OpenAPI document is an object, not a list or a text"
    if "swaggerVersion" in content:
        return "Swagger 1.x is too old; convert the document to OpenAPI 3"
    if "asyncapi" in content:
        return "this is an AsyncAPI document, which describes messages, not a REST API"
    if "item" in content and "info" in content:
        return "this looks like a Postman collection; export it as OpenAPI"
    return None


def _component_schemas(context: Context) -> Iterator[Node]:
    root = context.root
    owner = root if context.is_swagger else context.mapping(root, "components")
    key = "definitions" if context.is_swagger else "schemas"
    for _, child in context.members(owner, key) if owner else ():
        yield child


def _report_duplicate_keys(context: Context) -> None:
    source = context.documents.root
    for path, key in source.duplicate_keys() if source.has_duplicate_keys else ():
        message = f"the key {key!r} stands twice here; the last one counts"
        context.warn(Code.DUPLICATE_KEY, message, Node(source, (*path, key), None))


def _report_no_operations(context: Context) -> None:
    message = "the document has no usable operation"
    place = (context.root.get("paths") or context.root).place()
    context.diagnostics.append(Diagnostic(Code.NO_OPERATIONS, Severity.ERROR, message, place))


def _with_link_targets(
    operations: tuple[Operation, ...], nodes: Mapping[str, Node], context: Context
) -> tuple[Operation, ...]:
    """Links resolved to operation ids; one that leads nowhere is dropped and reported."""
    targets = {operation.pointer: operation.id for operation in operations}
    targets |= {operation.id: operation.id for operation in operations}

    def resolved(operation: Operation, response: Response) -> Response:
        links = []
        for link in response.links:
            if link.operation_id in targets:
                links.append(replace(link, operation_id=targets[link.operation_id]))
            else:
                message = (
                    f"the link {link.name!r} leads to {link.operation_id!r}: no such operation"
                )
                spot = nodes[operation.id]
                context.warn(Code.UNKNOWN_LINK_TARGET, message, spot, operation.label)
        return replace(response, links=tuple(links))

    return tuple(
        replace(
            operation,
            responses={
                status: resolved(operation, response) if response.links else response
                for status, response in operation.responses.items()
            },
        )
        for operation in operations
    )


def _tags(context: Context) -> dict[str, str]:
    return {
        tag.text("name"): tag.text("description")
        for tag in context.elements(context.root, "tags")
        if tag.text("name")
    }
