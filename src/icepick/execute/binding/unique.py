"""Values that services often want to be unique are never sent twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from icepick.execute.binding.leaves import Leaves
from icepick.inputs import Case, Fresh, Made, Slot
from icepick.openapi.types import Json, Operation, Schema
from icepick.resources.types import Field, Path


def freshened(
    case: Case,
    leaves: Leaves,
    fresh: Fresh,
    given: frozenset[Slot],
    schema: Callable[[Operation, Field], Schema] = lambda _, leaf: leaf.schema,
) -> Case:
    """The call with a new value in each place that looks unique, but for those that were given;
    `schema` tells what values a place takes."""
    body = case.body
    if not isinstance(body, Mapping):
        return case
    for leaf in leaves.unique:
        if (leaf.location, leaf.path) in given or not _has(body, leaf.path):
            continue
        wanted = schema(case.operation, leaf)
        made = fresh.value(wanted, leaf.name, f"{case.operation.id} {leaf}")
        if isinstance(made, Made):
            body = _with(body, leaf.path, made.value)
    return case if body is case.body else replace(case, body=body)


def _has(body: Json, path: Path) -> bool:
    for part in path:
        if not isinstance(body, Mapping) or part not in body:
            return False
        body = body[part]
    return isinstance(body, str)


def _with(body: Json, path: Path, value: Json) -> Json:
    if not path:
        return value
    return {**body, path[0]: _with(body[path[0]], path[1:], value)}
