"""What operations take and give."""

from __future__ import annotations

from icepick.resources.fields import leaves


def test_a_schema_is_walked_once() -> None:
    schema = {"properties": {"id": {"type": "integer"}, "tags": {"items": {"type": "string"}}}}
    schemas: dict[str, dict[str, object]] = {}
    first = leaves(schema, schemas)
    assert [str(one) for one in first] == ["id", "tags[]"]
    assert leaves(schema, schemas) is first
    assert leaves(dict(schema), schemas) is not first
