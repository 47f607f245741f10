"""What has no address of its own is looked at in lists, and lists hold what was put there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from icepick.demo.catalogue import SERVICES
from icepick.execute.binding.emulator import Emulator, Instance
from icepick.execute.events import Event, FindingFound
from icepick.execute.types import Reply, Request, Response
from icepick.openapi.types import Json
from icepick.pipeline.planning import planned
from icepick.pipeline.run import engine_for
from icepick.pipeline.settings import RunSettings
from tests.execute.laws.test_pages import described
from tests.execute.test_engine import run
from tests.glacier.live import served
from tests.glacier.test_inference import DEMO

READ = """
    get:
      operationId: getItem
      responses:
        "200":
          description: The item.
          content: {application/json: {schema: {$ref: "#/components/schemas/Item"}}}
        "404": {description: There is no such item.}
"""
DOCUMENT = """
openapi: 3.1.0
info: {title: Boxes, version: "1"}
paths:
  /boxes/{box}:
    parameters: [{name: box, in: path, required: true, schema: {$ref: "#/components/schemas/Name"}}]
    post:
      operationId: createBox
      responses:
        "201":
          description: The new box.
          content: {application/json: {schema: {$ref: "#/components/schemas/Box"}}}
        "409": {description: There is one already.}
    get:
      operationId: getBox
      responses:
        "200":
          description: The box.
          content: {application/json: {schema: {$ref: "#/components/schemas/Box"}}}
        "404": {description: There is no such box.}
    delete:
      operationId: deleteBox
      responses: {"204": {description: Gone.}, "404": {description: There is no such box.}}
  /boxes/{box}/items:
    parameters: [{name: box, in: path, required: true, schema: {$ref: "#/components/schemas/Name"}}]
    get:
      operationId: listItems
      responses:
        "200":
          description: The items.
          content:
            application/json:
              schema: {type: array, items: {$ref: "#/components/schemas/Item"}}
        "404": {description: There is no such box.}
  /boxes/{box}/items/{item}:
    parameters:
      - {name: box, in: path, required: true, schema: {$ref: "#/components/schemas/Name"}}
      - {name: item, in: path, required: true, schema: {$ref: "#/components/schemas/Name"}}READ
    post:
      operationId: addItem
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}
      responses:
        "201":
          description: The new item.
          content: {application/json: {schema: {$ref: "#/components/schemas/Item"}}}
        "404": {description: There is no such box.}
        "409": {description: There is one already.}
    put:
      operationId: replaceItem
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}
      responses:
        "200":
          description: The item.
          content: {application/json: {schema: {$ref: "#/components/schemas/Item"}}}
        "404": {description: There is no such item.}
    delete:
      operationId: deleteItem
      responses:
        "204": {description: Gone.}
        "404": {description: There is no such item.}
        "409": {description: It has to stay.}
components:
  schemas:
    Name: {type: string, pattern: "^[a-z]{3,20}$"}
    Box: {type: object, properties: {box: {$ref: "#/components/schemas/Name"}}}
    Note: {type: object, required: [note], properties: {note: {type: string, minLength: 1}}}
    Item:
      type: object
      properties:
        item: {$ref: "#/components/schemas/Name"}
        note: {type: string}
"""


class Boxes:
    """Boxes with items; `fault` says what is wrong with them."""

    def __init__(self, fault: str = "") -> None:
        self._fault = fault
        self._boxes: dict[str, dict[str, Json]] = {}
        self._orphans: dict[str, dict[str, Json]] = {}
        self._past: dict[str, dict[str, Json]] = {}

    async def send(self, request: Request) -> Reply:
        """Answer a request."""
        path = unquote(request.url.removeprefix("http://x.test"))
        found = re.fullmatch(r"/boxes/([^/]+)(/items)?(?:/([^/]+))?", path)
        if found is None:
            return _answer(404, {})
        box, items, item = found.groups()
        if item is not None:
            return self._item(request, box, item)
        if items and request.method == "GET" and box in self._boxes:
            return _answer(200, list(self._boxes[box].values()))
        return self._box(request.method, box) if not items else _answer(404, {})

    def _box(self, method: str, box: str) -> Reply:
        if method == "POST":
            if box in self._boxes:
                return _answer(409, {})
            self._boxes[box] = self._past.pop(box, {})
            return _answer(201, {"box": box})
        if box not in self._boxes:
            return _answer(404, {})
        if method == "DELETE":
            items = self._boxes.pop(box)
            if self._fault == "orphans":
                self._orphans[box] = items
            if self._fault == "comes back":
                self._past[box] = items
            return Response(204)
        return _answer(200, {"box": box})

    def _item(self, request: Request, box: str, item: str) -> Reply:
        items = self._boxes.get(box, self._orphans.get(box))
        if items is None or (request.method != "POST" and item not in items):
            return _answer(404, {})
        if request.method == "GET":
            return _answer(200, items[item])
        if request.method == "DELETE":
            if self._fault == "pins the last" and len(items) > 1 and item == list(items)[-1]:
                return _answer(409, {})
            del items[item]
            return Response(204)
        if request.method == "POST" and item in items:
            return _answer(409, {})
        made = {"item": item, **json.loads(request.body)}
        if request.method == "POST" or self._fault != "loses updates":
            items[item] = made
        if self._fault == "spreads" and request.method == "POST":
            for other in self._boxes.values():
                other.setdefault(item, made)
        return _answer(201 if request.method == "POST" else 200, made)


def _answer(status: int, body: Json) -> Response:
    return Response(status, (("Content-Type", "application/json"),), json.dumps(body).encode())


async def found(folder: Path, fault: str, *, readable: bool) -> list[tuple[str, str]]:
    """What a run finds: the action to blame, and what it is about."""
    api = described(DOCUMENT.replace("READ", READ.rstrip() if readable else ""), folder)
    settings = RunSettings(seed=1, wrong=0, operations=False)
    plans = planned(api, settings)
    engine = engine_for(api, plans, Boxes(fault), "http://x.test", settings)
    events: list[Event] = [event async for event in engine.events()]
    findings = [one.finding for one in events if isinstance(one, FindingFound)]
    return [(one.action, one.complaint.about) for one in findings]


@pytest.mark.parametrize("readable", [True, False])
async def test_boxes_that_keep_what_is_in_them_are_silent(tmp_path: Path, readable: bool) -> None:
    assert await found(tmp_path, "", readable=readable) == []


@pytest.mark.parametrize("readable", [True, False])
async def test_what_stays_since_its_deletion_was_refused_is_no_fault(
    tmp_path: Path, readable: bool
) -> None:
    assert await found(tmp_path, "pins the last", readable=readable) == []


@pytest.mark.parametrize("readable", [True, False])
async def test_an_update_reads_back_also_in_a_list(tmp_path: Path, readable: bool) -> None:
    found_here = await found(tmp_path, "loses updates", readable=readable)
    assert found_here == [("replaceItem", "Item note")]


async def test_what_lies_below_goes_with_it(tmp_path: Path) -> None:
    assert ("deleteBox", "Item left") in await found(tmp_path, "orphans", readable=True)


async def test_what_is_gone_stays_gone_when_its_box_is_made_again(tmp_path: Path) -> None:
    found_here = await found(tmp_path, "comes back", readable=True)
    assert ("createBox", "Item comes back") in found_here


def test_what_is_refused_does_not_appear_in_a_list() -> None:
    names = ("Product", "Configuration", "Constraint")
    bounds = {**dict.fromkeys(names, 1), "Feature": 2, "ConfigurationFeature": 2}
    settings = RunSettings(seed=1, bounds=bounds, wrong=0, operations=False)
    with served(SERVICES["features"], "refused-activation-sticks") as url:
        events = run("features", url, settings)
    findings = [one.finding for one in events if isinstance(one, FindingFound)]
    assert any("refused and listed" in one.complaint.about for one in findings)


def test_what_could_not_be_made_again_is_not_deleted_under_its_old_name() -> None:
    names = ("Product", "Configuration", "Constraint")
    bounds = {**dict.fromkeys(names, 1), "Feature": 2, "ConfigurationFeature": 2}
    settings = RunSettings(
        seed=0, bounds=bounds, wrong=0, learn=False, calibrate=False, operations=False
    )
    with served(SERVICES["features"]) as url:
        events = run("features", url, settings, str(DEMO / "features" / "openapi.yaml"))
    assert [one.finding.title for one in events if isinstance(one, FindingFound)] == []


def test_what_goes_with_its_owner_is_known_up_to_symmetry_too() -> None:
    names = ("Product", "Feature", "Constraint", "ConfigurationFeature")
    bounds = {**dict.fromkeys(names, 1), "Configuration": 2}
    settings = RunSettings(
        seed=0, bounds=bounds, symmetry=True, wrong=0, learn=False, operations=False
    )
    with served(SERVICES["features"]) as url:
        events = run("features", url, settings, str(DEMO / "features" / "openapi.yaml"))
    assert [one.finding.title for one in events if isinstance(one, FindingFound)] == []


async def test_nothing_appears_where_nobody_put_it(tmp_path: Path) -> None:
    found_here = await found(tmp_path, "spreads", readable=False)
    assert ("addItem", "listItems strangers") in found_here


def test_what_has_nothing_to_do_with_a_surprising_deletion_stays() -> None:
    document = str(DEMO / "features" / "openapi.yaml")
    names = ("Product", "Feature", "Configuration", "Constraint", "ConfigurationFeature")
    settings = RunSettings(seed=1, bounds=dict.fromkeys(names, 1), wrong=0, operations=False)
    with served(SERVICES["features"], "configuration-takes-features") as url:
        events = run("features", url, settings, document)
    findings = [one.finding for one in events if isinstance(one, FindingFound)]
    assert [one.complaint.about for one in findings] == ["Feature vanished"]


def test_what_refers_to_a_value_goes_with_it() -> None:
    emulator = Emulator()
    for value, fields in (("a", {}), ("b", {"in": "a"}), ("c", {"of": "b"}), ("d", {})):
        emulator.add(Instance(value, "Thing", value, {}, fields))
    emulator.delete("a")
    assert [one.value for one in emulator.before("a")] == ["b", "c"]
