from __future__ import annotations

import pytest

from icepick.resources.fields import leaves, objects
from icepick.resources.payloads import payload
from tests.resources.documents import NUMBER, TEXT, Json, many, obj

PET = obj(id=NUMBER, name=TEXT)
NAMED = ("pet",)


@pytest.mark.parametrize(
    ("schema", "path", "is_many"),
    [
        (PET, (), False),
        (many(PET), (), True),
        (obj(data=PET), ("data",), False),
        (obj(data=many(PET), page=NUMBER, total=NUMBER, next=TEXT), ("data",), True),
        (obj(items=many(PET), nextPageToken=TEXT), ("items",), True),
        (obj(results=many(PET), count=NUMBER), ("results",), True),
        (obj(content=many(PET), totalPages=NUMBER, numberOfElements=NUMBER), ("content",), True),
        (obj(pet=PET), ("pet",), False),
        (obj(pets=many(PET), petsCount=NUMBER), ("pets",), True),
        (obj(data=obj(items=many(PET), total=NUMBER), status=TEXT), ("data", "items"), True),
        (obj(_embedded=obj(pets=many(PET)), _links=obj(self=TEXT)), ("_embedded", "pets"), True),
        (obj(value=many(PET), **{"@odata.context": TEXT}), ("value",), True),
        (obj(object=TEXT, data=many(PET), has_more={"type": "boolean"}), ("data",), True),
    ],
)
def test_the_representation_is_found_in_its_envelope(
    schema: Json, path: tuple[str, ...], is_many: bool
) -> None:
    found = payload(schema, NAMED, {})
    assert found is not None
    assert (found.path, found.many) == (path, is_many)
    assert found.schema == PET


@pytest.mark.parametrize(
    "schema",
    [
        obj(id=NUMBER, data=obj(weight=NUMBER)),
        obj(number=TEXT, customer=TEXT, items=many(obj(sku=TEXT))),
        obj(sku=TEXT, title=TEXT, _embedded=obj(maker=obj(name=TEXT))),
        obj(pet_id=NUMBER, items=many(TEXT)),
    ],
)
def test_a_representation_with_a_part_called_like_an_envelope_is_none(schema: Json) -> None:
    found = payload(schema, NAMED, {})
    assert found is not None
    assert (found.path, found.many) == ((), False)


def test_no_body_has_no_payload() -> None:
    assert payload(None, NAMED, {}) is None


def test_values_and_objects_are_found_at_any_depth() -> None:
    schema = obj("pet", pet=obj("id", id=NUMBER, tags=many(obj(label=TEXT))), note=TEXT)
    assert [(str(field), field.required) for field in leaves(schema, {})] == [
        ("note", False),
        ("pet.id", True),
        ("pet.tags[].label", False),
    ]
    assert [path for path, _ in objects(schema, {})] == [("pet",), ("pet", "tags", "[]")]


def test_schemas_that_contain_themselves_come_to_an_end() -> None:
    schemas = {
        "Node": obj(id=NUMBER, next={"$ref": "#/$defs/Node"}, all=many({"$ref": "#/$defs/Node"})),
        "Loop": {"$ref": "#/$defs/Loop"},
        "Nested": many({"$ref": "#/$defs/Nested"}),
    }
    assert 1 < len(list(leaves(schemas["Node"], schemas))) < 1_000
    assert list(leaves(schemas["Loop"], schemas)) == []
    assert len(list(leaves(schemas["Nested"], schemas))) == 1


def test_wide_schemas_that_contain_themselves_come_to_an_end() -> None:
    wide = {f"p{number}": {"$ref": "#/$defs/Wide"} for number in range(200)}
    schemas = {"Wide": obj(**wide)}
    assert len(list(leaves(schemas["Wide"], schemas))) <= 3_000
