"""Graph and sequences in bounded time, whatever the document."""

from __future__ import annotations

import time

import pytest

from icepick.openapi import ApiSpec
from icepick.resources.build import build_graph
from icepick.resources.find import find_resources
from icepick.resources.sequences import call_sequences
from tests.resources.conftest import Read
from tests.resources.documents import NUMBER, TEXT, Json, crud, many, obj, op, ref

LIMIT = 10.0
"""Seconds: generous, since machines differ; without bounds these documents take for ever."""


def chain(count: int) -> tuple[Json, Json]:
    """Resources of which each refers to the next, in a circle."""
    operations: Json = {}
    schemas: Json = {}
    for number in range(count):
        operations |= crud(f"/things{number}x", "id", ref(f"Thing{number}X"))
        following = f"thing{(number + 1) % count}x_id"
        schemas[f"Thing{number}X"] = obj(id=TEXT, name=TEXT, **{following: TEXT})
    return operations, schemas


def sequences_within_limit(spec: ApiSpec) -> int:
    start = time.process_time()
    graph = build_graph(spec, find_resources(spec))
    found = call_sequences(graph, spec)
    assert time.process_time() - start < LIMIT
    assert {o for sequence in found for o in sequence} == {o.id for o in spec.operations}
    return len(found)


def test_five_hundred_operations_in_a_circle(read: Read) -> None:
    operations, schemas = chain(100)
    assert sequences_within_limit(read(operations, **schemas)) > 100


def test_one_schema_for_everything(read: Read) -> None:
    schema = obj(id=TEXT, name=TEXT)
    operations: Json = {}
    for number in range(100):
        operations |= crud(f"/things{number}x", "id", ref("Thing"))
    sequences_within_limit(read(operations, Thing=schema))


def test_everything_refers_to_everything(read: Read) -> None:
    names = [f"kind{number}x" for number in range(20)]
    schemas = {
        f"Kind{n}X": obj(id=TEXT, **{f"{other}_id": TEXT for other in names}) for n in range(20)
    }
    operations: Json = {}
    for number in range(20):
        operations |= crud(f"/kind{number}xes", "id", ref(f"Kind{number}X"))
    sequences_within_limit(read(operations, **schemas))


@pytest.mark.parametrize(
    "operations",
    [
        {},
        {"GET /x": op()},
        {f"{method} /x": op() for method in ("GET", "PUT", "POST", "DELETE", "PATCH", "HEAD")},
        {"GET /a/{b}/{c}": op(gives=many({})), "POST /a": op(takes={"type": "array"})},
    ],
)
def test_documents_with_hardly_anything(read: Read, operations: Json) -> None:
    sequences_within_limit(read(operations))


def test_cyclic_schemas(read: Read) -> None:
    tree = obj(id=NUMBER, children=many(ref("Tree")), parent=ref("Tree"))
    sequences_within_limit(read(crud("/trees", "id", ref("Tree")), Tree=tree))
