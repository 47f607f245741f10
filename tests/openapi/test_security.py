from __future__ import annotations

from typing import Any

import pytest

from icepick.openapi.types import ParameterLocation, SecurityKind
from tests.openapi.building import OK, codes, operation, v2, v3
from tests.openapi.conftest import Read

SCHEMES = {
    "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
    "basic": {"type": "http", "scheme": "Basic"},
    "bearer": {"type": "http", "scheme": "bearer"},
    "digest": {"type": "http", "scheme": "digest"},
    "oauth": {"type": "oauth2", "flows": {}},
    "openid": {"type": "openIdConnect"},
    "tls": {"type": "mutualTLS"},
}


def _document(own: Any = None, default: Any = None) -> dict[str, Any]:
    get = {"responses": OK} | ({} if own is None else {"security": own})
    document = v3({"/a": {"get": get}}, components={"securitySchemes": SCHEMES})
    return document if default is None else {**document, "security": default}


def test_schemes(read: Read) -> None:
    found = read(_document()).security_schemes
    assert {name: scheme.kind for name, scheme in found.items()} == {
        "key": SecurityKind.API_KEY,
        "basic": SecurityKind.BASIC,
        "bearer": SecurityKind.BEARER,
        "digest": SecurityKind.HTTP,
        "oauth": SecurityKind.OAUTH2,
        "openid": SecurityKind.OPENID,
        "tls": SecurityKind.MUTUAL_TLS,
    }
    assert found["key"].location is ParameterLocation.HEADER
    assert found["key"].parameter == "X-Key"
    assert found["digest"].scheme == "digest"


@pytest.mark.parametrize(
    ("flows", "expected"),
    [
        ({"password": {"tokenUrl": "/token", "scopes": {}}}, "/token"),
        ({"clientCredentials": {"tokenUrl": "/token", "scopes": {}}}, None),
        ({"password": []}, None),
        ("password", None),
    ],
)
def test_where_a_password_is_good_for_a_token(read: Read, flows: Any, expected: str | None) -> None:
    schemes = {"securitySchemes": {"oauth": {"type": "oauth2", "flows": flows}}}
    found = read(v3({"/a": {"get": {"responses": OK}}}, components=schemes)).security_schemes
    assert found["oauth"].token_url == expected


def test_where_a_password_is_good_for_a_token_in_swagger(read: Read) -> None:
    one = {"type": "oauth2", "flow": "password", "tokenUrl": "/t", "scopes": {}}
    found = read(v2(securityDefinitions={"o": one, "a": one | {"flow": "application"}}))
    schemes = found.security_schemes
    assert (schemes["o"].token_url, schemes["a"].token_url) == ("/t", None)


def test_swagger_schemes(read: Read) -> None:
    definitions = {"b": {"type": "basic"}, "k": {"type": "apiKey", "in": "query", "name": "k"}}
    found = read(v2(securityDefinitions=definitions)).security_schemes
    assert found["b"].kind is SecurityKind.BASIC
    assert found["k"].location is ParameterLocation.QUERY


@pytest.mark.parametrize(
    ("own", "default", "expected"),
    [
        (None, None, ()),
        (None, [{"key": []}], ({"key": ()},)),
        ([], [{"key": []}], ()),
        ([{"oauth": ["read"]}, {}], [{"key": []}], ({"oauth": ("read",)}, {})),
        ([{"key": [], "basic": None}], None, ({"key": (), "basic": ()},)),
    ],
)
def test_requirements(own: Any, default: Any, expected: Any, read: Read) -> None:
    spec = read(_document(own, default))
    assert spec.operations[0].security == expected
    assert codes(spec) == []


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ("x", "WRONG_TYPE /paths/~1a/get/security"),
        ({}, "WRONG_TYPE /paths/~1a/get/security"),
        ([3], "WRONG_TYPE /paths/~1a/get/security/0"),
        ([{"nobody": []}], "UNKNOWN_SECURITY /paths/~1a/get/security/0"),
    ],
)
def test_broken_requirements(own: Any, expected: str, read: Read) -> None:
    spec = read(_document(own))
    assert codes(spec) == [expected]
    assert spec.diagnostics[0].operation == "GET /a"


def test_what_makes_no_sense_leaves_the_default(read: Read) -> None:
    assert read(_document("x", [{"key": []}])).operations[0].security == ({"key": ()},)


@pytest.mark.parametrize(
    "scheme",
    [3, {}, {"type": "x"}, {"type": "apiKey"}, {"type": "apiKey", "in": "body"}, {"type": 3}],
)
def test_broken_schemes(scheme: Any, read: Read) -> None:
    spec = read(v3(components={"securitySchemes": {"s": scheme}}))
    assert codes(spec) == ["UNKNOWN_SECURITY /components/securitySchemes/s"]
    assert spec.security_schemes == {}


def test_an_undeclared_scheme_still_asks_for_something(read: Read) -> None:
    spec = read(operation(security=[{"nobody": []}]))
    assert spec.operations[0].security == ({"nobody": ()},)
