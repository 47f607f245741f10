from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from icepick.errors import Code
from icepick.openapi import ReadOptions, check_spec
from tests.openapi.building import codes, schema, schemas, v3
from tests.openapi.conftest import Read, Site, Write

TEXT = {"type": "string"}


def _ref(target: str) -> dict[str, str]:
    return {"$ref": target}


@pytest.mark.parametrize(
    ("reference", "found"),
    [
        ("#/components/schemas/Pet", True),
        ("#/components/schemas/a~1b", True),
        ("#/components/schemas/a%7E1b", True),
        ("#/components/schemas/%7Btilde~0%7D", True),
        ("#/components/schemas/sp%20ace", True),
        ("#/components/x-list/1", True),
        ("#named", True),
        ("#/components/x-list/-1", False),
        ("#/components/x-list/2", False),
        ("#/components/x-list/²", False),
        ("#/components/x-list/x", False),
        ("#/components/schemas/Pet/type/0", False),
        ("#/components/schemas/", False),
        ("#nobody", False),
        ("nope.json", False),
        ("nope.json#/x", False),
        ("\0.json", False),
    ],
)
def test_pointers(reference: str, found: bool, read: Read) -> None:
    document = schemas(
        {
            "Pet": TEXT,
            "a/b": TEXT,
            "{tilde~}": TEXT,
            "sp ace": TEXT,
            "Anchored": {"$anchor": "named", **TEXT},
            "S": _ref(reference),
        }
    )
    document["components"]["x-list"] = [3, TEXT]
    spec = read(document)
    assert codes(spec) == ([] if found else ["DANGLING_REFERENCE /components/schemas/S"])
    if found:
        assert spec.schemas[spec.schemas["S"]["$ref"].removeprefix("#/$defs/")] == TEXT


@pytest.mark.parametrize("value", [3, None, [], {}, True])
def test_a_reference_must_be_a_text(value: Any, read: Read) -> None:
    spec = read(schema({"$ref": value}))
    assert codes(spec) == ["DANGLING_REFERENCE /components/schemas/S"]


def test_a_broken_reference_costs_the_operation_alone(read: Read) -> None:
    paths = {
        "/a": {"get": {"parameters": [_ref("#/nope")], "responses": {}}},
        "/b": {"$ref": 3},
        "/c": {"get": {"responses": {"200": {"description": ""}}}},
    }
    spec = read(v3(paths))
    assert [o.label for o in spec.operations] == ["GET /c"]
    assert spec.left_out == ("GET /a",)
    assert codes(spec) == [
        "DANGLING_REFERENCE /paths/~1a/get/parameters/0",
        "DANGLING_REFERENCE /paths/~1b",
    ]
    assert "GET /a" in spec.diagnostics[0].message


def test_circles(read: Read) -> None:
    document = schemas({"A": _ref("#/components/schemas/B"), "B": _ref("#/components/schemas/A")})
    assert codes(read(document)) == [
        "CIRCULAR_REFERENCE /components/schemas/A",
        "CIRCULAR_REFERENCE /components/schemas/B",
    ]
    assert codes(read(schema(_ref("#/components/schemas/S")))) == [
        "CIRCULAR_REFERENCE /components/schemas/S"
    ]


def test_a_long_chain(read: Read) -> None:
    chain = {f"A{n}": _ref(f"#/components/schemas/A{n + 1}") for n in range(3000)}
    spec = read(schemas({**chain, "A3000": TEXT}))
    assert codes(spec) == []
    assert len(spec.schemas) == 3001


@pytest.mark.parametrize(
    ("target", "is_schema"),
    [
        ("#/info", False),
        ("#/paths", False),
        ("#/paths/~1pets/get", False),
        ("#/openapi", False),
        ("#/components/responses/R", False),
        ("#/components/parameters/P", False),
        ("#/components/parameters/P/schema", True),
        ("#/components/x/described", True),
        ("#/components/x/empty", True),
    ],
)
def test_references_to_what_is_no_schema(target: str, is_schema: bool, read: Read) -> None:
    document = schema(_ref(target))
    document["components"] |= {
        "responses": {"R": {"description": "r", "content": {}}},
        "parameters": {"P": {"name": "p", "in": "query", "required": True, "schema": TEXT}},
        "x": {"described": {"description": "anything"}, "empty": {}},
    }
    spec = read(document)
    assert codes(spec) == ([] if is_schema else ["BROKEN_SCHEMA /components/schemas/S"])


def test_files_beside_the_document(write: Write) -> None:
    write({"Pet": {"properties": {"owner": _ref("../api.json#/components/schemas/Owner")}}}, "s/x")
    write({"type": "object", "properties": {"self": _ref("#")}}, "s/Tree.yaml")
    document = schemas(
        {
            "Owner": {"properties": {"pet": _ref("s/x#/Pet"), "tree": _ref("./s/Tree.yaml")}},
            "Pet": TEXT,
        }
    )
    spec = check_spec(write(document))
    assert codes(spec) == []
    assert spec.schemas["Pet_2"]["properties"]["owner"] == _ref("#/$defs/Owner")
    assert spec.schemas["Tree"]["properties"]["self"] == _ref("#/$defs/Tree")
    assert sorted(spec.schemas) == ["Owner", "Pet", "Pet_2", "Tree"]


@pytest.mark.parametrize("name", ["api.json", "./api.json", "d/../api.json"])
def test_however_the_document_is_named_it_is_read_once(
    name: str, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"A": {"items": _ref("../api.json#/components/schemas/S")}}, "d/x.json")
    write(schema({"items": _ref("d/x.json#/A")}))
    monkeypatch.chdir(tmp_path)
    spec = check_spec(name)
    assert codes(spec) == []
    assert sorted(spec.schemas) == ["A", "S"]


def test_paths_and_operations_in_other_files(write: Write) -> None:
    get = {"operationId": "list", "responses": {"200": {"description": ""}}}
    write({"get": get}, "pets.json")
    write(get | {"operationId": "make"}, "make.json")
    spec = check_spec(write(v3({"/a": _ref("pets.json"), "/b": {"post": _ref("make.json")}})))
    assert codes(spec) == []
    assert [(o.id, o.label) for o in spec.operations] == [("list", "GET /a"), ("make", "POST /b")]


@pytest.mark.parametrize(
    "reference",
    [
        "../secret.json",
        "d/../../secret.json",
        "%2e%2e/secret.json",
        "link.json",
        "linked/secret.json",
        "//secret.json",
        "{absolute}",
        "file://{absolute}",
        "file:../secret.json",
        "ftp://127.0.0.1/secret.json",
    ],
)
def test_nothing_outside_the_folder(reference: str, write: Write, tmp_path: Path) -> None:
    secret = write(TEXT, "secret.json")
    path = write(schema(_ref(reference.format(absolute=secret))), "in/api.json")
    (tmp_path / "in" / "link.json").symlink_to(secret)
    (tmp_path / "in" / "linked").symlink_to(tmp_path)
    spec = check_spec(path)
    assert codes(spec) == ["OUTSIDE_REFERENCE /components/schemas/S"]
    assert spec.schemas == {"S": {}}


def test_a_document_behind_a_link_reads_beside_the_link(write: Write, tmp_path: Path) -> None:
    target = write(schema(_ref("x.json")), "real/api.json")
    write(TEXT, "x.json")
    (tmp_path / "api.json").symlink_to(target)
    assert codes(check_spec(str(tmp_path / "api.json"))) == []


def test_a_link_to_itself(write: Write, tmp_path: Path) -> None:
    (tmp_path / "loop.json").symlink_to(tmp_path / "loop.json")
    spec = check_spec(write(schema(_ref("loop.json"))))
    assert codes(spec) == ["DANGLING_REFERENCE /components/schemas/S"]


@pytest.mark.parametrize(
    ("base", "reference", "code"),
    [
        ("/v1/api.json", "x.json", None),
        ("/v1/api.json", "./sub/../x.json", None),
        ("/v1/api.json", "{url}/v1/x.json", None),
        ("/v1/api.json", "../x.json", Code.REMOTE_REFERENCE),
        ("/v1/api.json", "{url}/v1/../x.json", Code.REMOTE_REFERENCE),
        ("/v1/api.json", "{url}/v1/%2e%2e/x.json", Code.REMOTE_REFERENCE),
        ("/v1/api.json", "http://127.0.0.1.evil.example/v1/x.json", Code.REMOTE_REFERENCE),
        ("/v1/api.json", "//127.0.0.1:1/v1/x.json", Code.REMOTE_REFERENCE),
        ("/v1/api.json", "http://evil.example/x.json", Code.REMOTE_REFERENCE),
        ("/v1/api.json", "file:///etc/hosts", Code.OUTSIDE_REFERENCE),
        ("/v1/api.json", "//[", Code.DANGLING_REFERENCE),
        ("/v1/api.json", "http://[", Code.DANGLING_REFERENCE),
        ("", "http://127.0.0.1:1/x.json", Code.REMOTE_REFERENCE),
        ("", "x.json", None),
        ("?at=/a/b", "x.json", None),
    ],
)
def test_what_a_document_on_the_web_may_reach(
    base: str, reference: str, code: Code | None, site: Site
) -> None:
    for path in ("/v1/x.json", "/x.json"):
        site.put(path, TEXT)
    document = schema(_ref(reference.format(url=site.url)))
    path = "/" + base if not base.startswith("/") else base
    site.put(path, document)
    spec = check_spec(site.url + base)
    assert [d.code for d in spec.diagnostics if d.severity == "error"] == ([code] if code else [])


def test_references_without_end(site: Site, write: Write) -> None:
    for n in range(30):
        site.put(f"/{n}.json", {"items": _ref(f"{n + 1}.json")})

    spec = check_spec(
        write(schema(_ref(f"{site.url}/0.json"))),
        ReadOptions(allow_remote_refs=True, max_documents=10),
    )
    assert [d.code for d in spec.diagnostics][:1] == [Code.DANGLING_REFERENCE]
    assert len(site.requests) == 9
