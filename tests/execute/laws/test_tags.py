"""The laws of single items: entity tags, conditions, and refusals that change nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from icepick.execute.laws.extremes import EXTREMES
from icepick.execute.laws.tags import TAGS
from icepick.execute.types import Reply, Request, Response
from icepick.openapi.types import Json
from tests.execute.laws.test_pages import described, law_findings, shop_findings

DOCUMENT = """
openapi: 3.1.0
info: {title: Jars, version: "1"}
paths:
  /jars:
    post:
      operationId: createJar
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: "#/components/schemas/Jar"}}}
      responses:
        "201":
          description: The new jar.
          content: {application/json: {schema: {$ref: "#/components/schemas/Jar"}}}
  /jars/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: getJar
      responses:
        "200":
          description: The jar.
          content: {application/json: {schema: {$ref: "#/components/schemas/Jar"}}}
        "404": {description: There is no such jar.}
    put:
      operationId: replaceJar
      parameters: [CONDITION]
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: "#/components/schemas/Jar"}}}
      responses:
        "200":
          description: The jar.
          content: {application/json: {schema: {$ref: "#/components/schemas/Jar"}}}
        "404": {description: There is no such jar.}
    delete:
      operationId: deleteJar
      parameters: [CONDITION]
      responses:
        "204": {description: Gone.}
        "404": {description: There is no such jar.}
components:
  schemas:
    Jar:
      type: object
      required: [label, fill]
      properties:
        id: {type: integer, readOnly: true}
        label: {type: string}
        fill: {type: integer, minimum: 0, maximum: 100}
"""
CONDITION = "{name: If-Match, in: header, schema: {type: string}}"


class Jars:
    """Keeps jars, none of which is ever quite full; faults are flags."""

    def __init__(self, **faults: bool) -> None:
        self._faults = faults
        self._jars: dict[str, Json] = {}
        self._first: dict[str, str] = {}
        self._reads = 0

    async def send(self, request: Request) -> Reply:
        """Answer a request."""
        name = request.url.rpartition("/")[2]
        body = json.loads(request.body) if request.body else None
        if request.method == "POST":
            name = str(len(self._first) + 1)
            self._jars[name] = {"id": int(name), **body, "fill": min(body["fill"], 50)}
            self._first[name] = self._fresh_tag(name)
            return self._shown(name, 201)
        if name not in self._jars:
            return Response(404)
        if request.method == "GET":
            self._reads += 1
            return self._shown(name, 200)
        refused = self._refused(request, name)
        return refused or self._changed(request.method, name, body)

    def _refused(self, request: Request, name: str) -> Response | None:
        condition = dict(request.headers).get("If-Match")
        if condition is None or self._faults.get(f"blind {request.method}"):
            return None
        fits = condition == self._tag(name) and not condition.startswith("W/")
        return None if fits and not self._faults.get("never") else Response(412)

    def _changed(self, method: str, name: str, body: Mapping[str, Json]) -> Response:
        if method == "DELETE":
            del self._jars[name]
            return Response(204)
        full = body["fill"] == 100
        if not full or self._faults.get("hasty"):
            self._jars[name] = {**body, "id": int(name)}
        return Response(409) if full else self._shown(name, 200)

    def _tag(self, name: str) -> str:
        if self._faults.get("stale"):
            return self._first[name]
        return self._fresh_tag(name)

    def _fresh_tag(self, name: str) -> str:
        moving = self._reads if self._faults.get("restless") else 0
        state = f"{json.dumps(self._jars[name])} {moving}"
        found = f'"{hashlib.sha256(state.encode()).hexdigest()[:8]}"'
        return f"W/{found}" if self._faults.get("weak") else found

    def _shown(self, name: str, status: int) -> Response:
        headers = [("Content-Type", "application/json")]
        headers += [] if self._faults.get("bare") else [("ETag", self._tag(name))]
        return Response(status, tuple(headers), json.dumps(self._jars[name]).encode())


async def found(service: Jars, folder: Path, condition: str = CONDITION) -> list[tuple[str, str]]:
    api = described(DOCUMENT.replace("CONDITION", condition), folder)
    findings = await law_findings(api, service, "http://jars.test")
    return [(one.complaint.check, one.complaint.about) for one in findings]


@pytest.mark.parametrize("kind", ["", "weak", "bare"])
async def test_a_correct_service_is_silent(tmp_path: Path, kind: str) -> None:
    assert await found(Jars(**{kind: True}), tmp_path) == []


@pytest.mark.parametrize(
    ("fault", "about"),
    [
        ("stale", "replaceJar stale"),
        ("restless", "Jar restless"),
        ("blind PUT", "replaceJar ignores If-Match"),
        ("blind DELETE", "deleteJar ignores If-Match"),
    ],
)
async def test_a_fault_is_found(tmp_path: Path, fault: str, about: str) -> None:
    assert (TAGS, about) in await found(Jars(**{fault: True}), tmp_path)


async def test_a_condition_that_holds_is_not_in_the_way(tmp_path: Path) -> None:
    expected = [(TAGS, "replaceJar rejects If-Match"), (TAGS, "deleteJar rejects If-Match")]
    assert await found(Jars(never=True), tmp_path) == expected


async def test_nobody_promised_to_look_at_conditions(tmp_path: Path) -> None:
    service = Jars(**{"blind PUT": True, "blind DELETE": True})
    assert await found(service, tmp_path, condition="") == []


async def test_what_is_refused_changes_nothing(tmp_path: Path) -> None:
    expected = [(EXTREMES, "replaceJar fill refused and done")]
    assert await found(Jars(hasty=True), tmp_path) == expected


@pytest.mark.parametrize(
    ("fault", "operation"),
    [
        ("stale-etag-after-patch", "updateCustomer"),
        ("delete-ignores-if-match", "deleteCustomer"),
        ("refused-update-sticks", "replaceLine"),
    ],
)
def test_the_faults_of_the_shop(fault: str, operation: str) -> None:
    assert [one.operation for one in shop_findings(fault)] == [operation]


def test_the_shop_is_silent() -> None:
    assert shop_findings() == []
