from __future__ import annotations

from typing import Any

import pytest

from icepick.openapi import read_spec
from icepick.openapi.types import Server
from tests.openapi.building import OK, codes, v2, v3
from tests.openapi.conftest import Read, Site


def _urls(document: Any, read: Read) -> list[str]:
    return [server.expanded() for server in read(document).servers]


def test_variables(read: Read) -> None:
    variables = {"h": {"default": "a", "enum": ["a", "b"]}, "p": {"default": 80}, "bad": 3}
    servers = [{"url": "http://{h}:{p}/{other}", "variables": variables, "description": "d"}]
    server = read(v3(servers=servers)).servers[0]
    assert server.expanded() == "http://a:80/{other}"
    assert server.expanded({"h": "b", "other": "x"}) == "http://b:80/x"
    assert server.variables["h"].choices == ("a", "b")
    assert list(server.variables) == ["h", "p"]


@pytest.mark.parametrize(
    ("servers", "expected"),
    [
        ({}, "WRONG_TYPE /servers"),
        (3, "WRONG_TYPE /servers"),
        ([3], "BROKEN_SERVER /servers/0"),
        ([{}], "BROKEN_SERVER /servers/0"),
        ([{"url": 3}], "BROKEN_SERVER /servers/0"),
        ([{"url": "/", "variables": []}], "WRONG_TYPE /servers/0/variables"),
        (
            [{"url": "/", "variables": {"a": {"enum": 3}}}],
            "WRONG_TYPE /servers/0/variables/a/enum",
        ),
    ],
)
def test_broken_servers(servers: Any, expected: str, read: Read) -> None:
    spec = read(v3(servers=servers))
    assert codes(spec) == [expected]
    assert [server.url for server in spec.servers] == ["/"]


def test_a_document_without_servers_stands_at_its_own_root(site: Site) -> None:
    assert read_spec(site.put("/v1/api.json", v3())).servers[0].url == site.url


@pytest.mark.parametrize(
    ("url", "expected"),
    [("/v2", "/v2"), ("sub/", "/v1/sub"), ("..", ""), ("http://h/x", None), ("//[", None)],
)
def test_relative_servers(url: str, expected: str | None, site: Site) -> None:
    spec = read_spec(site.put("/v1/api.json", v3(servers=[{"url": url}])))
    assert spec.servers[0].url == (url if expected is None else site.url + expected)


def test_servers_of_paths_and_operations(read: Read) -> None:
    item = {
        "servers": [{"url": "http://path"}],
        "get": {"responses": OK},
        "put": {"responses": OK, "servers": [{"url": "http://own"}]},
    }
    spec = read(v3({"/a": item, "/b": {"get": {"responses": OK}}}))
    assert [[s.url for s in o.servers] for o in spec.operations] == [
        ["http://path"],
        ["http://own"],
        [],
    ]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, ["/"]),
        ({"basePath": "/api/"}, ["/api"]),
        ({"host": "h"}, ["http://h"]),
        ({"host": "h", "basePath": "api"}, ["http://h/api"]),
        ({"host": "h", "schemes": ["https", "ws", "http"]}, ["https://h", "http://h"]),
        ({"host": "h", "schemes": []}, ["http://h"]),
        ({"host": "h", "schemes": ["wss", 3, {}]}, ["http://h"]),
        ({"host": 3, "basePath": 3}, ["/"]),
    ],
)
def test_swagger(given: Any, expected: list[str], read: Read) -> None:
    assert _urls(v2(**given), read) == expected


def test_swagger_takes_the_scheme_of_its_own_address(site: Site) -> None:
    spec = read_spec(site.put("/api.json", v2(host="h")))
    assert spec.servers[0].url == "http://h"


def test_what_is_no_address_has_no_path() -> None:
    assert Server("http://[x/v1").base_path == ""
    assert Server("https://example.com/v1/").base_path == "/v1"
    assert Server("/v2").base_path == "/v2"
