"""Paths and the operations on them; a broken one is left out and reported, never the document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from icepick.errors import Code, Diagnostic, Severity
from icepick.openapi.context import Context
from icepick.openapi.parameters import RawParameters, RequestReader
from icepick.openapi.references import BrokenPartError
from icepick.openapi.responses import ResponseReader
from icepick.openapi.schemas import SchemaReader
from icepick.openapi.security import requirements
from icepick.openapi.servers import servers
from icepick.openapi.source import Node
from icepick.openapi.types import (
    Operation,
    Parameter,
    ParameterLocation,
    SecurityRequirement,
    SecurityScheme,
    Server,
)

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_HOLE = re.compile(r"\{([^{}]+)\}")
_EXTENSIONS = {"requires", "ensures", "invariants"}


def path_parameters(path: str) -> tuple[str, ...]:
    """The names in braces, in order."""
    return tuple(_HOLE.findall(path))


def extensions(node: Node) -> dict[str, object]:
    """Vendor extensions, and the bare contract keywords that people write beside them."""
    return {
        key: child.value
        for key, child in node.items()
        if key.startswith("x-") or key in _EXTENSIONS
    }


@dataclass(frozen=True, slots=True)
class _PathItem:
    """A path with what its operations inherit."""

    path: str
    node: Node
    security: tuple[SecurityRequirement, ...]
    servers: tuple[Server, ...]


class OperationReader:
    """Reads all operations of a document."""

    def __init__(
        self, context: Context, schemas: SchemaReader, schemes: Mapping[str, SecurityScheme]
    ) -> None:
        self._context = context
        self._schemes = schemes
        self._requests = RequestReader(context, schemas)
        self._responses = ResponseReader(context, schemas, self._requests)
        self._ids: dict[str, str] = {}
        self._declared: frozenset[str] = frozenset()
        self._shapes: dict[str, str] = {}
        self.nodes: dict[str, Node] = {}
        self.left_out: list[str] = []

    def operations(self) -> Iterator[Operation]:
        """Every usable operation, in the order of the document."""
        root = self._context.root
        self._declared = _declared_ids(root)
        default = requirements(root, self._schemes, self._context, None) or ()
        for path, child in self._context.members(root, "paths"):
            if not path.startswith("x-"):
                yield from self._path(path, child, default)

    def _path(
        self, path: str, child: Node, security: tuple[SecurityRequirement, ...]
    ) -> Iterator[Operation]:
        try:
            node = self._context.documents.follow(child)
            path = self._checked_path(path, child, node)
        except BrokenPartError as error:
            self._context.broken(error)
            return
        item = _PathItem(path, node, security, servers(node, self._context))
        for method in METHODS:
            raw = _raw(node, method)
            try:
                if raw is not None:
                    followed = self._context.documents.follow(raw)
                    yield self._operation(item, method.upper(), followed)
            except BrokenPartError as error:
                label = f"{method.upper()} {path}"
                self.left_out.append(label)
                self._context.diagnostics.append(_left_out(error, label))

    def _checked_path(self, path: str, child: Node, item: Node) -> str:
        if not item.is_mapping:
            raise BrokenPartError(Code.BROKEN_PATH, f"{path} is not an object; left out", child)
        bare = _HOLE.sub("", path)
        if any(mark in bare for mark in "{}?#"):
            raise BrokenPartError(
                Code.BROKEN_PATH,
                f"{path} is not a path template; left out",
                child,
                "braces come in pairs around a name, and a path has no ? or #",
            )
        if not path.startswith("/"):
            self._context.warn(
                Code.BROKEN_PATH, f"{path} does not start with a slash; taken as /{path}", child
            )
            path = "/" + path
        shape = _HOLE.sub("{}", path)
        if shape in self._shapes:
            message = f"{path} and {self._shapes[shape]} are the same path with other names"
            self._context.warn(Code.DUPLICATE_PATH, message, child)
        self._shapes.setdefault(shape, path)
        return path

    def _operation(self, item: _PathItem, method: str, node: Node) -> Operation:
        label = f"{method} {item.path}"
        if not node.is_mapping:
            raise BrokenPartError(Code.BROKEN_OPERATION, "it is not an object", node)
        raw = self._requests.raw_parameters(item.node, label)
        raw |= self._requests.raw_parameters(node, label)
        parameters = self._requests.parameters(raw, label)
        body = self._requests.body(node, raw, label)
        responses = self._responses.responses(node, label)
        own = requirements(node, self._schemes, self._context, label)
        operation_id, generated = self._id(label, node)
        self.nodes[operation_id] = node
        return Operation(
            id=operation_id,
            method=method,
            path=item.path,
            pointer=node.pointer,
            parameters=self._fitted(parameters, raw, label, node),
            request_body=body,
            responses=responses,
            security=item.security if own is None else own,
            servers=servers(node, self._context) or item.servers,
            tags=tuple(str(tag.value) for tag in self._context.elements(node, "tags", label)),
            summary=node.text("summary"),
            description=node.text("description"),
            deprecated=node.flag("deprecated"),
            id_generated=generated,
            extensions=extensions(node),
        )

    def _fitted(
        self, parameters: tuple[Parameter, ...], raw: RawParameters, label: str, node: Node
    ) -> tuple[Parameter, ...]:
        """The parameters made to agree with the path: each name in braces once, no other."""
        names = path_parameters(label)
        kept = []
        for parameter in parameters:
            if parameter.location is ParameterLocation.PATH and parameter.name not in names:
                spot = raw[(parameter.location.value, parameter.name)]
                message = f"the path has no {{{parameter.name}}}; the parameter is left out"
                self._context.warn(Code.UNUSED_PATH_PARAMETER, message, spot, label)
            else:
                kept.append(parameter)
        declared = {p.name for p in kept if p.location is ParameterLocation.PATH}
        for name in dict.fromkeys(names):
            if name not in declared:
                message = f"{{{name}}} of the path is not declared; taken as a text"
                hint = f"add a parameter {name!r} with `in: path`"
                self._context.warn(Code.MISSING_PATH_PARAMETER, message, node, label, hint)
                kept.append(_text_parameter(name))
        return tuple(kept)

    def _id(self, label: str, node: Node) -> tuple[str, bool]:
        """The operation's id, unique; made of method and path where missing or taken."""
        wanted = node.text("operationId").strip()
        if wanted and wanted in self._ids:
            message = f"the operationId {wanted!r} is taken by {self._ids[wanted]}"
            hint = "ids must be unique; icepick makes one from method and path"
            spot = node.get("operationId") or node
            self._context.warn(Code.DUPLICATE_OPERATION_ID, message, spot, label, hint)
        generated = not wanted or wanted in self._ids
        name = _made_id(label) if generated else wanted
        taken = self._ids.keys() | self._declared if generated else self._ids.keys()
        unique, number = name, 2
        while unique in taken:
            unique, number = f"{name}_{number}", number + 1
        self._ids[unique] = label
        return unique, generated


def _declared_ids(root: Node) -> frozenset[str]:
    """Every operationId of the document: a made one must not take the name of a later operation."""
    paths = root.get("paths")
    return frozenset(
        node.text("operationId").strip()
        for _, item in (paths.items() if paths else ())
        for _, node in item.items()
    )


def _raw(item: Node, method: str) -> Node | None:
    """The operation under a method, also where it is null: that is broken, not absent."""
    for key in (method, method.upper()):
        if key in item.value:
            return Node(item.source, (*item.path, key), item.value[key])
    return None


def _left_out(error: BrokenPartError, label: str) -> Diagnostic:
    message = f"{label} is left out: {error.message}"
    return Diagnostic(error.code, Severity.ERROR, message, error.node.place(), error.hint, label)


def _text_parameter(name: str) -> Parameter:
    return Parameter(
        name, ParameterLocation.PATH, True, {"type": "string"}, style="simple", explode=False
    )


def _made_id(label: str) -> str:
    method, *words = re.findall(r"[A-Za-z0-9]+", label)
    return "_".join([method.lower(), *(words or ["root"])])
