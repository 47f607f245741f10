"""Fields that refer to things of several kinds."""

from __future__ import annotations

import pytest

from icepick.resources.find import find_resources
from icepick.resources.pairs import called, pairs
from icepick.resources.types import Field, Location
from tests.resources.conftest import Read
from tests.resources.documents import TEXT, crud, obj


def named(*names: str, location: Location = Location.BODY) -> list[tuple[str, str]]:
    fields = [Field(tuple(name.split(".")), location, TEXT) for name in names]
    return [(str(kind), str(which)) for kind, which in pairs(fields)]


@pytest.mark.parametrize(
    ("kind", "which"),
    [
        ("commentable_type", "commentable_id"),
        ("resourceType", "resourceId"),
        ("content_type", "object_id"),
        ("collection", "item"),
        ("entity", "entityId"),
        ("about.kind", "about.object_id"),
        ("model", "record_uuid"),
    ],
)
def test_one_tells_the_kind_and_the_other_which(kind: str, which: str) -> None:
    assert named("text", which, kind) == [(kind, which)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("type", "id"),
        ("type", "name"),
        ("account_type", "user_id"),
        ("type", "shelf_id"),
        ("item", "object_id"),
        ("collection", "owner.item"),
        ("colour", "item"),
        ("item_collection", "item_collection"),
    ],
)
def test_others_do_not(one: str, other: str) -> None:
    assert named(one, other) == []


def test_they_stand_in_a_body() -> None:
    assert named("collection", "item", location=Location.QUERY) == []
    assert named("[].collection", "[].item") == []


@pytest.mark.parametrize("value", ["book-loans", "BookLoan", "bookloan", "library.bookloan"])
def test_a_kind_is_called_after_its_resource(read: Read, value: str) -> None:
    thing = obj("id", id=TEXT)
    operations = {**crud("/book-loans", "id", thing), **crud("/books", "id", thing)}
    resources = find_resources(read(operations)).resources.values()
    assert [one.name for one in called(value, resources)] == ["BookLoan"]
    assert [one.name for one in called("loan", resources)] == []
