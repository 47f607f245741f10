"""Which names a document gives."""

from __future__ import annotations

from icepick.openapi.names import declared_names
from tests.openapi.building import v3
from tests.openapi.conftest import Read


def test_names_of_properties_parameters_and_paths(read: Read) -> None:
    inner = {"type": "array", "items": {"type": "object", "properties": {"admin": {}}}}
    operation = {
        "parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer"}}],
        "requestBody": {"content": {"application/json": {"schema": {"properties": {"a": inner}}}}},
        "responses": {"200": {"description": "d"}},
    }
    assert declared_names(read(v3({"/users/{id}/secret": {"post": operation}}))) == {
        "a", "admin", "limit", "users", "secret",
    } | {"id"}  # fmt: skip
