"""A client that holds every answer of a demo service against the service's own document."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import jsonschema_rs
from aiohttp import web
from aiohttp.test_utils import TestClient
from yarl import URL

from icepick.demo.http import Document
from icepick.demo.service import DemoService

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


@dataclass(frozen=True, slots=True)
class Answer:
    """One response, read to its end; `body` is parsed if JSON, None if empty."""

    status: int
    body: Any
    headers: Mapping[str, str]

    @property
    def media(self) -> str:
        return self.headers.get("Content-Type", "").partition(";")[0].strip()


@dataclass(frozen=True, slots=True)
class Operation:
    """One method on one path template of the document."""

    method: str
    path: str
    content: Mapping[str, Any]

    @property
    def name(self) -> str:
        return str(self.content.get("operationId") or f"{self.method} {self.path}")

    @property
    def statuses(self) -> list[str]:
        return [str(status) for status in self.content["responses"]]


@dataclass(slots=True)
class CheckingClient:
    """Wraps a test client: each call must be documented, and so must its answer.

    `seen` collects (operationId, status) of every call. Calls that the document does not know
    (a wrong method, a wrong path) go through `client`, which checks nothing.
    """

    client: TestClient[Any, Any]
    document: Document
    seen: set[tuple[str, int]] = field(default_factory=set)
    validators: dict[tuple[str, str, str], Any] = field(default_factory=dict)

    @classmethod
    def of(cls, client: TestClient[Any, Any], service: DemoService) -> CheckingClient:
        return cls(client, document_of(service))

    async def call(self, method: str, path: str | URL, **options: Any) -> Answer:
        """Send the request (options as aiohttp takes them) and check what comes back."""
        operation = find_operation(self.document, method, _raw_path(path))
        async with self.client.request(method, path, **options) as response:
            payload = await response.read()
            answer = _answer(response.status, payload, response.headers)
        self.seen.add((operation.name, answer.status))
        self._check(operation, answer, f"{method.upper()} {path} -> {answer.status}")
        return answer

    async def get(self, path: str | URL, **options: Any) -> Answer:
        return await self.call("GET", path, **options)

    async def post(self, path: str | URL, **options: Any) -> Answer:
        return await self.call("POST", path, **options)

    async def put(self, path: str | URL, **options: Any) -> Answer:
        return await self.call("PUT", path, **options)

    async def patch(self, path: str | URL, **options: Any) -> Answer:
        return await self.call("PATCH", path, **options)

    async def delete(self, path: str | URL, **options: Any) -> Answer:
        return await self.call("DELETE", path, **options)

    def _check(self, operation: Operation, answer: Answer, where: str) -> None:
        """Assert that the status is documented and that the body fits what it promises."""
        responses = operation.content["responses"]
        key = _status_key(responses, answer.status)
        assert key is not None, f"{where}: only {operation.statuses} are documented; {answer.body}"
        if operation.method == "HEAD":
            return
        response = _resolved(self.document.content, responses[key])
        schema = _schema(self.document.content, response, answer, where)
        if schema is None:
            assert answer.body is None, f"{where}: no body is documented, got {answer.body!r}"
            return
        found = self._problems((operation.name, str(key), answer.media), schema, answer.body)
        assert not found, f"{where}: {answer.body!r} does not conform: {found}"

    def _problems(self, key: tuple[str, str, str], schema: Any, value: Any) -> list[str]:
        if key not in self.validators:
            self.validators[key] = validator(self.document.content, schema)
        return [
            f"/{'/'.join(map(str, error.instance_path))}: {error.message}"
            for error in self.validators[key].iter_errors(value)
        ]


@functools.cache
def document_of(service: DemoService) -> Document:
    """The document that lies beside the code of the service."""
    package, name = service.document.split(":")
    return Document.load(package, name)


def operations(document: Document) -> Iterator[Operation]:
    """Every operation of the document, its path led by the server's prefix."""
    prefix = _prefix(document.content)
    for path, item in document.content["paths"].items():
        for method in METHODS:
            if method in item:
                yield Operation(method.upper(), prefix + path, item[method])


def find_operation(document: Document, method: str, path: str) -> Operation:
    """The operation that a request addresses; fixed segments win over parameters."""
    fitting = [
        operation
        for operation in operations(document)
        if operation.method == method.upper() and _fits(operation.path, path)
    ]
    assert fitting, f"{method.upper()} {path} is not in the document"
    return min(fitting, key=lambda operation: operation.path.count("{"))


def validator(content: Mapping[str, Any], schema: Any) -> jsonschema_rs.Draft202012Validator:
    """Validates against a schema whose references point into the document."""
    # The document stands around the schema, so that "#/..." resolves as it does in the file.
    return jsonschema_rs.Draft202012Validator(
        {**_as_json_schema(content), "allOf": [_as_json_schema(schema)]}
    )


def documented_answers(document: Document) -> set[tuple[str, int]]:
    """Every (operationId, status) of the document, for comparison with `seen`."""
    return {
        (operation.name, int(status))
        for operation in operations(document)
        for status in operation.statuses
        if status.isdecimal()
    }


def assert_routes_match(service: DemoService) -> None:
    """Assert that the routes of a service are exactly the operations of its document."""
    documented = {(each.method, each.path) for each in operations(document_of(service))}
    app = web.Application()
    app.add_routes(service.routes(service.with_faults(())))
    routed = {
        (route.method, route.resource.canonical)
        for route in app.router.routes()
        if route.resource is not None
    }
    # aiohttp adds HEAD to every GET of its own accord.
    routed = {each for each in routed if each[0] != "HEAD" or each in documented}
    assert routed == documented


def _prefix(content: Mapping[str, Any]) -> str:
    if "swagger" in content:
        return str(content.get("basePath", "")).rstrip("/")
    servers = content.get("servers") or [{"url": "/"}]
    return URL(servers[0]["url"]).path.rstrip("/")


def _raw_path(path: str | URL) -> str:
    text = str(path) if isinstance(path, URL) else path
    return text.partition("#")[0].partition("?")[0]


def _fits(template: str, path: str) -> bool:
    wanted, given = template.split("/"), path.split("/")
    return len(wanted) == len(given) and all(
        bool(have) if "{" in want else want == have
        for want, have in zip(wanted, given, strict=True)
    )


def _answer(status: int, payload: bytes, headers: Mapping[str, str]) -> Answer:
    answer = Answer(status, None, headers)
    if not payload:
        return answer
    text = payload.decode()
    return replace(answer, body=json.loads(text) if answer.media.endswith("json") else text)


def _status_key(responses: Mapping[Any, Any], status: int) -> Any:
    """The key under which a status is documented; YAML may have read it as a number."""
    candidates = (str(status), status, f"{status // 100}XX", "default")
    return next((key for key in candidates if key in responses), None)


def _schema(
    content: Mapping[str, Any], response: Mapping[str, Any], answer: Answer, where: str
) -> Any:
    """The schema promised for the body, None where no body is promised."""
    if "swagger" in content:
        return response.get("schema")
    if not response.get("content"):
        return None
    media = answer.media
    assert media in response["content"], f"{where}: Content-Type {media!r} is not documented"
    return response["content"][media].get("schema", {})


def _resolved(content: Mapping[str, Any], node: Any) -> Any:
    while isinstance(node, Mapping) and "$ref" in node:
        target: Any = content
        for part in node["$ref"].removeprefix("#/").split("/"):
            target = target[part.replace("~1", "/").replace("~0", "~")]
        node = target
    return node


def _as_json_schema(node: Any) -> Any:
    """OpenAPI 2.0 and 3.0 say null and exclusive bounds in their own way; 3.1 passes as it is."""
    if isinstance(node, list):
        return [_as_json_schema(each) for each in node]
    if not isinstance(node, Mapping):
        return node
    # YAML reads an unquoted status code as a number, and JSON has no such keys.
    schema = {str(key): _as_json_schema(value) for key, value in node.items()}
    for bound, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if schema.get(exclusive) is True and bound in schema:
            schema[exclusive] = schema.pop(bound)
        elif isinstance(schema.get(exclusive), bool):
            del schema[exclusive]
    if node.get("nullable") is True or node.get("x-nullable") is True:
        return {"anyOf": [schema, {"type": "null"}]}
    return schema
