"""The same place in a path under another name."""

from __future__ import annotations

from icepick.execute.binding.addresses import address_in
from icepick.openapi.places import holes


def test_by_place_where_a_path_begins_alike() -> None:
    bucket = {"id": "b"}
    path = "/buckets/{bucket_id}/collections/{id}"
    assert address_in(path, "/buckets/{id}", bucket) == {"bucket_id": "b"}
    collection = {"bucket_id": "b", "id": "c"}
    records = "/buckets/{bucket_id}/collections/{collection_id}/records/{id}"
    assert address_in(records, path, collection) == {"bucket_id": "b", "collection_id": "c"}


def test_by_name_elsewhere() -> None:
    assert address_in("/pets/{petId}/photos", "/pet/{petId}", {"petId": 5}) == {"petId": 5}
    assert address_in("/search/{word}", "/pet/{petId}", {"petId": 5}) == {}


def test_a_bare_id_is_that_of_what_stands_before_it() -> None:
    country = {"id": 5}
    assert address_in("/publishers/{id}/country", "/countries/{id}", country) == {}
    assert address_in("/v2/countries/{id}/flag", "/countries/{id}", country) == country


def test_the_own_path_is_filled_whole() -> None:
    path = "/a/{x}/b/{y}"
    assert address_in(path, path, {"x": 1, "y": 2}) == {"x": 1, "y": 2}
    assert holes(path) == ("x", "y")


def test_an_instance_without_a_path_of_its_own() -> None:
    assert address_in("/a/{x}", None, {"x": 1, "z": 2}) == {"x": 1}
