"""Build the property graph from a document: from names and schemas, and from what is known of the
resources."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from icepick.openapi.shape import Schemas, reachable
from icepick.openapi.types import ApiSpec, Operation, Schema
from icepick.resources.fields import inputs, leaves, request_schema, response_schema, success
from icepick.resources.graph import (
    Consumes,
    Edge,
    Equal,
    Produces,
    Property,
    PropertyGraph,
    endpoint_pairs,
)
from icepick.resources.identifiers import compatible
from icepick.resources.payloads import payload, schema_name
from icepick.resources.types import (
    Evidence,
    Field,
    Location,
    Path,
    Provenance,
    Resource,
    ResourceMap,
)
from icepick.resources.words import Words, is_generic, singular, words

_MOST_SOURCES = 12
"""A parameter name that more schemas share than this says nothing about where values come from."""

_FRAGMENT = re.compile(r"\$response\.body#/(.*)")


def build_graph(spec: ApiSpec, resources: ResourceMap | None = None) -> PropertyGraph:
    """The initial graph; without resources it has only what names and schemas tell."""
    builder = _Builder(spec, resources)
    paths: dict[str, list[str]] = defaultdict(list)
    for operation in spec.operations:
        paths[operation.path].append(operation.id)
    graph = PropertyGraph(
        operations=tuple(operation.id for operation in spec.operations),
        schemas=builder.nodes,
        endpoints=endpoint_pairs(paths),
    )
    edges: list[Edge] = []
    for operation in spec.operations:
        edges += builder.produced(operation)
        edges += builder.consumed(operation)
        edges += builder.linked(operation)
    return graph.plus(*edges, *builder.referring())


class _Builder:
    def __init__(self, spec: ApiSpec, resources: ResourceMap | None) -> None:
        self._spec = spec
        self._schemas = spec.schemas
        self._resources = resources.resources if resources else {}
        self._map = resources
        self.nodes = _schema_nodes(spec, self._resources)
        self._items: dict[str, list[Resource]] = defaultdict(list)
        for resource in self._resources.values():
            self._items[resource.item_path or ""].append(resource)
        self._by_name: dict[Words, list[tuple[str, Field]]] = defaultdict(list)
        for name, fields in self.nodes.items():
            for field in fields:
                if len(field.path) == 1:
                    self._by_name[words(field.name)].append((name, field))

    def node_of(self, schema: Schema, operation: Operation) -> str | None:
        """The node of a schema: its own name, or that of the resource it represents."""
        name = schema_name(schema, self._schemas)
        if name in self.nodes:
            return name
        for resource, _ in self._map.uses_of(operation.id) if self._map else ():
            node = _node_name(resource)
            if node in self.nodes:
                return node
        return None

    def produced(self, operation: Operation) -> Iterator[Produces]:
        """What an operation answers with."""
        schema = response_schema(operation)
        for found in _payloads(schema, self._nouns(operation), self._schemas):
            node = self.node_of(found[1], operation)
            if node is not None:
                why = Evidence(Provenance.DECLARED, 1.0, "the schema of its answer")
                yield Produces(operation.id, node, found[0], why)
                return

    def _nouns(self, operation: Operation) -> list[Words]:
        used = self._map.uses_of(operation.id) if self._map else ()
        return [words(resource.name) for resource, _ in used] or [()]

    def consumed(self, operation: Operation) -> Iterator[Consumes]:
        """What an operation takes: the schema of its body, and properties for its parameters."""
        sent = request_schema(operation)
        for path, inner in _payloads(sent, self._nouns(operation), self._schemas):
            node = self.node_of(inner, operation)
            if node is not None:
                why = Evidence(Provenance.DECLARED, 1.0, "the schema of its body")
                yield Consumes(node, (), operation.id, ("body", *path), why)
                break
        for given in inputs(operation, self._schemas):
            if given.location is not Location.BODY:
                yield from self._same_name(operation, given)
            yield from self._same_identifier(operation, given)

    def _same_name(self, operation: Operation, given: Field) -> Iterator[Consumes]:
        """The rule of the paper: a parameter takes any property of its name."""
        named = self._by_name.get(words(given.name), [])
        for node, prop in named if len(named) <= _MOST_SOURCES else ():
            if not compatible(prop.schema, given.schema, self._schemas):
                continue
            sure = 0.3 if is_generic(words(given.name)) else 0.6
            why = Evidence(Provenance.INFERRED, sure, "the parameter and the property share a name")
            yield Consumes(node, prop.path, operation.id, _input(given), why)

    def _same_identifier(self, operation: Operation, given: Field) -> Iterator[Consumes]:
        """A parameter in the path, or a reference in the body, takes the identifier it means."""
        for resource, evidence in self._meant(operation, given):
            node, identifier = _node_name(resource), resource.identifier
            if identifier is None or identifier.property is None or node not in self.nodes:
                continue
            yield Consumes(node, identifier.property, operation.id, _input(given), evidence)

    def _meant(self, operation: Operation, given: Field) -> Iterator[tuple[Resource, Evidence]]:
        for resource in self._along(operation) if given.location is Location.PATH else ():
            if resource.identifier and resource.identifier.parameter == given.name:
                reason = f"it addresses one {resource.name}"
                yield resource, Evidence(Provenance.INFERRED, 0.9, reason)
        for resource, use in self._map.uses_of(operation.id) if self._map else ():
            inner = use.request.inner(given.path) if use.request else given.path
            for reference in resource.references:
                if reference.field.path == inner and given.location is not Location.PATH:
                    yield self._resources[reference.target], reference.evidence

    def _along(self, operation: Operation) -> Iterator[Resource]:
        """The resources whose items a path goes through."""
        path = operation.path.rstrip("/")
        for end in [*(m.start() for m in re.finditer("/", path)), len(path)]:
            yield from self._items.get(path[:end], ())

    def linked(self, operation: Operation) -> Iterator[Consumes]:
        """The links that the document declares."""
        answer, schema = success(operation), response_schema(operation)
        node = self.node_of(schema, operation) if schema is not None else None
        for link in answer.links if answer and node else ():
            for name, expression in link.parameters.items():
                match = _FRAGMENT.fullmatch(expression) if isinstance(expression, str) else None
                if match is None or node is None:
                    continue
                why = Evidence(Provenance.DECLARED, 1.0, f"the link {link.name} says so")
                target = self._linked_input(link.operation_id, name)
                yield Consumes(
                    node, tuple(match.group(1).split("/")), link.operation_id, target, why
                )

    def _linked_input(self, operation: str, name: str) -> Path:
        """The input that a link means: a parameter by its name, which may have its place before
        it, as in `path.id`; a name can have dots of its own."""
        for one in self._spec.operations:
            for parameter in one.parameters if one.id == operation else ():
                if name in (parameter.name, f"{parameter.location.value}.{parameter.name}"):
                    return parameter.location.value, parameter.name
        location, _, bare = name.partition(".")
        return (location, bare) if location in set(Location) and bare else ("path", name)

    def referring(self) -> Iterator[Equal]:
        """Properties that hold another resource's identifier."""
        for resource in self._resources.values():
            node = _node_name(resource)
            for reference in resource.references:
                if reference.field.location is Location.PATH:
                    continue
                target = self._resources[reference.target]
                identifier, other = target.identifier, _node_name(target)
                known = node in self.nodes and other in self.nodes and node != other
                if known and identifier and identifier.property:
                    yield Equal.between(
                        Property(node, reference.field.path),
                        Property(other, identifier.property),
                        reference.evidence,
                    )


def _schema_nodes(spec: ApiSpec, resources: Mapping[str, Resource]) -> dict[str, tuple[Field, ...]]:
    """The named schemas that operations use and that have properties, and unnamed resources."""
    used: dict[str, Schema] = {}
    for operation in spec.operations:
        for schema in (request_schema(operation), response_schema(operation)):
            if schema is not None:
                used |= reachable(schema, spec.schemas)
    nodes = {name: _properties(schema, spec.schemas) for name, schema in used.items()}
    for resource in resources.values():
        if resource.schema_name is None:
            nodes.setdefault(resource.name, _properties(resource.schema, spec.schemas))
    return {name: fields for name, fields in nodes.items() if fields}


def _properties(schema: Schema, schemas: Schemas) -> tuple[Field, ...]:
    found = {field.path: field for field in leaves(schema, schemas) if len(field.path) <= 3}
    return tuple(found.values())


def _node_name(resource: Resource) -> str:
    return resource.schema_name or resource.name


def _payloads(
    schema: Schema | None, nouns: list[Words], schemas: Schemas
) -> Iterator[tuple[Path, Schema]]:
    """The content of a body, then the body itself."""
    for noun in nouns:
        found = payload(schema, tuple(map(singular, noun)), schemas)
        if found is not None:
            yield (*found.path, "[]") if found.many else found.path, found.schema
    if schema is not None:
        yield (), schema


def _input(given: Field) -> Path:
    return (given.location.value, *given.path)
