from __future__ import annotations

from typing import Any

import pytest

from icepick.errors import Severity
from icepick.openapi import ParameterLocation
from icepick.openapi.operations import METHODS, path_parameters
from tests.openapi.building import OK, codes, operation, v3
from tests.openapi.conftest import Read

TEXT = {"type": "string"}


def test_everything_about_an_operation(read: Read) -> None:
    spec = read(
        operation(
            operationId="listPets",
            summary="s",
            description="d",
            deprecated=True,
            tags=["a", "b"],
            requires=["x"],
            **{"x-note": 1},
        )
    )
    found = spec.operation("listPets")
    assert found.label == "GET /pets"
    assert found.pointer == "/paths/~1pets/get"
    assert (found.summary, found.description, found.deprecated) == ("s", "d", True)
    assert found.tags == ("a", "b")
    assert found.extensions == {"requires": ["x"], "x-note": 1}
    assert not found.id_generated
    with pytest.raises(KeyError):
        spec.operation("nope")


def test_all_methods_in_either_case(read: Read) -> None:
    spec = read(v3({"/a": {method: {"responses": OK} for method in (*METHODS[:-1], "TRACE")}}))
    assert [o.method for o in spec.operations] == [method.upper() for method in METHODS]


def test_ids_are_made_and_stable(read: Read) -> None:
    paths = ["/", "/a/{id}", "/a-{id}", "/日本"]
    get = {"get": {"responses": OK}}
    document = v3(dict.fromkeys(paths, get))
    first, second = read(document), read(document)
    ids = [operation.id for operation in first.operations]
    assert ids == ["get_root", "get_a_id", "get_a_id_2", "get_root_2"]
    assert ids == [operation.id for operation in second.operations]
    assert all(operation.id_generated for operation in first.operations)


def test_an_id_that_is_taken(read: Read) -> None:
    get = {"operationId": "x", "responses": OK}
    spec = read(v3({"/a": {"get": get}, "/b": {"get": get}}))
    assert [o.id for o in spec.operations] == ["x", "get_b"]
    assert codes(spec) == ["DUPLICATE_OPERATION_ID /paths/~1b/get/operationId"]


@pytest.mark.parametrize("wrong", [3, None, [], "x", True])
def test_an_operation_that_is_none(wrong: Any, read: Read) -> None:
    spec = read(v3({"/a": {"get": wrong, "put": {"responses": OK}}}))
    assert spec.left_out == ("GET /a",)
    assert codes(spec) == ["BROKEN_OPERATION /paths/~1a/get"]
    assert spec.diagnostics[0].severity is Severity.ERROR


@pytest.mark.parametrize("path", ["/a{", "/a}", "/{}", "/a?b=1", "/a#b", "/{a{b}}"])
def test_paths_that_are_none(path: str, read: Read) -> None:
    spec = read(v3({path: {"get": {"responses": OK}}}))
    assert codes(spec)[0].startswith("BROKEN_PATH")
    assert spec.operations == ()


@pytest.mark.parametrize("item", [3, None, [], "x"])
def test_path_items_that_are_none(item: Any, read: Read) -> None:
    spec = read(v3({"/a": item, "/b": {"get": {"responses": OK}}, "x-c": 3}))
    assert codes(spec) == ["BROKEN_PATH /paths/~1a"]
    assert len(spec.operations) == 1


def test_a_path_without_slash(read: Read) -> None:
    spec = read(v3({"a": {"get": {"responses": OK}}}))
    assert codes(spec) == ["BROKEN_PATH /paths/a"]
    assert spec.operations[0].path == "/a"


def test_one_path_under_two_names(read: Read) -> None:
    def item(name: str) -> dict[str, Any]:
        parameter = {"name": name, "in": "path", "required": True, "schema": TEXT}
        return {"get": {"parameters": [parameter], "responses": OK}}

    spec = read(v3({"/{a}": item("a"), "/{b}": item("b")}))
    assert codes(spec) == ["DUPLICATE_PATH /paths/~1{b}"]


def test_path_parameters_fit_the_path(read: Read) -> None:
    parameter = {"name": "other", "in": "path", "required": True, "schema": TEXT}
    spec = read(v3({"/{id}/{id}": {"get": {"parameters": [parameter], "responses": OK}}}))
    assert codes(spec) == [
        "UNUSED_PATH_PARAMETER /paths/~1{id}~1{id}/get/parameters/0",
        "MISSING_PATH_PARAMETER /paths/~1{id}~1{id}/get",
    ]
    found = spec.operations[0].parameters_in(ParameterLocation.PATH)
    assert [(p.name, p.schema, p.required) for p in found] == [("id", TEXT, True)]


def test_names_in_braces() -> None:
    assert path_parameters("/a/{b}/c-{d.e}") == ("b", "d.e")
    assert path_parameters("/a") == ()


@pytest.mark.parametrize("tags", [{}, "x", 3])
def test_tags_must_be_a_list(tags: Any, read: Read) -> None:
    spec = read(operation(tags=tags))
    assert codes(spec) == ["WRONG_TYPE /paths/~1pets/get/tags"]
    assert spec.operations[0].tags == ()


def test_a_made_id_leaves_later_operations_theirs(read: Read) -> None:
    named = {"responses": OK, "operationId": "get_a"}
    spec = read(v3({"/a": {"get": {"responses": OK}}, "/b": {"get": named}}))
    assert [found.id for found in spec.operations] == ["get_a_2", "get_a"]
