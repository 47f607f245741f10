"""Resources and graph as data (JSON) and as Graphviz text (DOT)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from icepick.openapi.types import ApiSpec
from icepick.resources.graph import Edge, PropertyGraph
from icepick.resources.sequences import Sequence
from icepick.resources.types import Evidence, Resource, ResourceMap


def to_json(
    resources: ResourceMap, graph: PropertyGraph, sequences: tuple[Sequence, ...]
) -> dict[str, Any]:
    """Everything that is known, with its evidence."""
    return {
        "resources": [_resource(resource) for resource in resources.resources.values()],
        "standalone": list(resources.standalone),
        "graph": {
            "schemas": {
                name: [".".join(field.path) for field in fields]
                for name, fields in graph.schemas.items()
            },
            "produces": [
                {"operation": e.operation, "schema": e.schema, "path": list(e.path), **_why(e)}
                for e in graph.produces
            ],
            "consumes": [
                {
                    "schema": e.schema,
                    "property": ".".join(e.path) or None,
                    "operation": e.operation,
                    "input": ".".join(e.input),
                    **_why(e),
                }
                for e in graph.consumes
            ],
            "equal": [{"left": str(e.left), "right": str(e.right), **_why(e)} for e in graph.equal],
            "endpoints": [list(pair) for pair in graph.endpoints],
        },
        "sequences": [list(sequence) for sequence in sequences],
    }


def _why(edge: Edge) -> dict[str, Any]:
    return {"evidence": _evidence(edge.evidence)}


def _evidence(evidence: Evidence) -> dict[str, Any]:
    return {
        "provenance": evidence.provenance.value,
        "confidence": evidence.confidence,
        "reason": evidence.reason,
    }


def _resource(resource: Resource) -> dict[str, Any]:
    identifier = resource.identifier
    return {
        "name": resource.name,
        "item_path": resource.item_path,
        "collection_path": resource.collection_path,
        "parent": resource.parent,
        "schema": resource.schema_name,
        "singleton": resource.is_singleton,
        "joins": list(resource.joins),
        "identifier": None
        if identifier is None
        else {
            "parameter": identifier.parameter,
            "property": ".".join(identifier.property) if identifier.property else None,
            "chosen_by": identifier.chooser.value,
            "input": str(identifier.input) if identifier.input else None,
            "evidence": _evidence(identifier.evidence),
        },
        "operations": [
            {
                "operation": use.operation,
                "role": use.role.value,
                "creates": use.creates,
                "owner": use.owner,
                "evidence": _evidence(use.evidence),
            }
            for use in resource.uses
        ],
        "references": [
            {
                "field": str(reference.field),
                "target": reference.target,
                "writable": reference.writable,
                "evidence": _evidence(reference.evidence),
            }
            for reference in resource.references
        ],
    }


def to_dot(graph: PropertyGraph, spec: ApiSpec) -> str:
    """The property graph for Graphviz: boxes are schemas, ellipses operations."""
    return "\n".join(_dot_lines(graph, spec)) + "\n"


def _dot_lines(graph: PropertyGraph, spec: ApiSpec) -> Iterator[str]:
    labels = {operation.id: operation.label for operation in spec.operations}
    yield "digraph icepick {"
    yield "  rankdir=LR; node [fontname=Helvetica]; edge [fontname=Helvetica, fontsize=10];"
    for name in graph.schemas:
        yield f"  {_quoted('schema ' + name)} [shape=box, style=rounded, label={_quoted(name)}];"
    for operation in graph.operations:
        yield f"  {_quoted(operation)} [label={_quoted(labels.get(operation, operation))}];"
    for made in graph.produces:
        yield f"  {_quoted(made.operation)} -> {_quoted('schema ' + made.schema)};"
    for taken in graph.consumes:
        label = f"<{'.'.join(taken.path)}>" if taken.path else ""
        target = f"{_quoted('schema ' + taken.schema)} -> {_quoted(taken.operation)}"
        yield f"  {target} [label={_quoted(label)}, style=dashed];"
    for same in graph.equal:
        pair = (
            f"{_quoted('schema ' + same.left.schema)} -> {_quoted('schema ' + same.right.schema)}"
        )
        yield f"  {pair} [dir=none, color=gray, label={_quoted(str(same))}];"
    for one, other in graph.endpoints:
        yield f"  {_quoted(one)} -> {_quoted(other)} [dir=none, style=dotted, constraint=false];"
    yield "}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
