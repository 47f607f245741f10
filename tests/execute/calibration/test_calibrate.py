"""Calibration sees how a service does things, on services that do them in many ways."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from icepick.execute.calibration.manners import (
    Departure,
    Manners,
    manners_from_json,
    manners_to_json,
)
from icepick.execute.events import DEVIATION, Event, FindingFound, NotConfirmed, Noted, ResourceSeen
from icepick.openapi import read_spec
from icepick.pipeline.beginning import Earlier
from icepick.pipeline.calibration import Known
from icepick.pipeline.models import describe
from icepick.pipeline.reach import Reach
from icepick.pipeline.session import Session
from icepick.pipeline.settings import RunSettings
from tests.pipeline.serving import serving


@dataclass
class Ways:
    """How the service under test does things."""

    absent: int = 404
    gone: int = 404
    deleted: int = 204
    again: int | None = None
    delay: float = 0.0
    keeps: bool = False
    marks: bool = False
    cascade: bool = False
    gone_at: dict[str, float] = field(default_factory=dict)


def _operation(shown: dict[str, object] | None, status: int = 200, **more: object) -> object:
    content = {"content": {"application/json": {"schema": shown}}} if shown else {}
    others = {"default": {"description": "whatever is not as it should be"}}
    return {"responses": {str(status): {"description": "", **content}, **others}, **more}


def _crud(path: str, schema: str) -> dict[str, object]:
    shown: dict[str, object] = {"$ref": f"#/components/schemas/{schema}"}
    body = {"content": {"application/json": {"schema": shown}}, "required": True}
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    parameters = [
        {"name": one, "in": "path", "required": True, "schema": {"type": "string"}} for one in names
    ]
    listed: dict[str, object] = {"type": "array", "items": shown}
    collection = path.rpartition("/")[0]
    return {
        collection: {
            "parameters": parameters[:-1],
            "get": _operation(listed),
            "post": _operation(shown, 201, requestBody=body),
        },
        path: {
            "parameters": parameters,
            "get": _operation(shown),
            "delete": _operation(None, 204),
        },
    }


def document(*, changing: bool = False) -> dict[str, object]:
    """Shelves, and books that stand on them; books can be changed where that is asked for."""
    properties = {"id": {"type": "string", "readOnly": True}, "label": {"type": "string"}}
    schema = {"type": "object", "required": ["label"], "properties": properties}
    books: Any = _crud("/shelves/{shelfId}/books/{bookId}", "Book")
    if changing:
        body = books["/shelves/{shelfId}/books"]["post"]["requestBody"]
        books["/shelves/{shelfId}/books/{bookId}"]["patch"] = _operation(None, requestBody=body)
    return {
        "openapi": "3.0.3",
        "info": {"title": "Library", "version": "1"},
        "paths": {**_crud("/shelves/{shelfId}", "Shelf"), **books},
        "components": {"schemas": {"Shelf": schema, "Book": schema}},
    }


class Library:
    """The service."""

    def __init__(self, ways: Ways) -> None:
        self.ways = ways
        self.held: dict[tuple[str, ...], dict[str, object]] = {}
        """Shelves by their name, books by that of their shelf and their own."""
        self.numbers = itertools.count(1)
        self.past: set[tuple[str, ...]] = set()
        self.asked: list[str] = []

    def routes(self) -> tuple[web.RouteDef, ...]:
        shelf, book = "/shelves/{shelf}", "/shelves/{shelf}/books/{book}"
        return (
            web.get("/shelves", self.listed), web.post("/shelves", self.created),
            web.get(shelf, self.shown), web.delete(shelf, self.removed),
            web.get(f"{shelf}/books", self.listed), web.post(f"{shelf}/books", self.created),
            web.get(book, self.shown), web.delete(book, self.removed),
            web.patch(book, self.moved),
        )  # fmt: skip

    def key(self, request: web.Request) -> tuple[str, ...]:
        self.asked.append(f"{request.method} {request.path}")
        return tuple(request.match_info[name] for name in ("shelf", "book") if name in
                     request.match_info)  # fmt: skip

    def find(self, key: tuple[str, ...]) -> dict[str, object] | None:
        until = self.ways.gone_at.get("/".join(key))
        if until is not None and time.monotonic() > until:
            self.drop(key)
        return self.held.get(key)

    def drop(self, key: tuple[str, ...]) -> None:
        for one in [other for other in self.held if other[: len(key)] == key]:
            del self.held[one]
            self.past.add(one)

    async def listed(self, request: web.Request) -> web.Response:
        key = self.key(request)
        if key and self.find(key) is None:
            return web.json_response({}, status=404)
        inside = [one for one in self.held if one[:-1] == key]
        found = [self.find(one) for one in inside]
        return web.json_response([one for one in found if one and not one.get("deleted")])

    async def created(self, request: web.Request) -> web.Response:
        key = self.key(request)
        if key and self.find(key) is None:
            return web.json_response({}, status=404)
        body = await request.json()
        if not isinstance(body, dict) or not isinstance(body.get("label"), str):
            return web.json_response({"message": "label is required"}, status=400)
        name = f"x{next(self.numbers)}"
        made = {"id": name, "label": body["label"]}
        self.held[*key, name] = made
        return web.json_response(made, status=201)

    async def shown(self, request: web.Request) -> web.Response:
        key = self.key(request)
        found = self.find(key)
        if found is None:
            status = self.ways.gone if key in self.past else self.ways.absent
            return web.json_response({}, status=status)
        return web.json_response(found)

    async def moved(self, request: web.Request) -> web.Response:
        """A change that gives a book another name."""
        key = self.key(request)
        if self.find(key) is None:
            return web.json_response({}, status=404)
        name = f"x{next(self.numbers)}"
        self.held[*key[:-1], name] = made = {**self.held.pop(key), "id": name}
        return web.json_response(made)

    async def removed(self, request: web.Request) -> web.Response:
        key, ways = self.key(request), self.ways
        found = self.find(key)
        if found is None:
            status = ways.again or (ways.gone if key in self.past else ways.absent)
            return web.Response(status=status)
        if len(key) == 1 and not ways.cascade and any(one[:-1] == key for one in self.held):
            return web.json_response({"message": "it holds books"}, status=409)
        if ways.marks:
            found["deleted"] = True
        elif ways.delay:
            ways.gone_at["/".join(key)] = time.monotonic() + ways.delay
        elif not ways.keeps:
            self.drop(key)
        return web.Response(status=ways.deleted)


@contextmanager
def library(ways: Ways) -> Iterator[tuple[Library, str]]:
    made = Library(ways)
    with serving(*made.routes()) as url:
        yield made, url


def run(
    url: str, folder: Path, earlier: Earlier | None = None, *, changing: bool = False
) -> tuple[list[Event], Session]:
    path = folder / "openapi.json"
    path.write_text(json.dumps(document(changing=changing)))
    settings = RunSettings(seed=1, wrong=0, settle=1.0)
    session = Session(describe(read_spec(str(path))), Reach(url), settings, "run", earlier)

    async def gathered() -> list[Event]:
        return [event async for event in session.events()]

    return asyncio.run(gathered()), session


def manners(events: list[Event]) -> dict[str, Manners]:
    return {one.manners.resource: one.manners for one in events if isinstance(one, ResourceSeen)}


def wrong(events: list[Event]) -> list[str]:
    found = [one.finding.title for one in events if isinstance(one, FindingFound)]
    return found + [one.unconfirmed.title for one in events if isinstance(one, NotConfirmed)]


def deviations(events: list[Event]) -> list[str]:
    return [one.text for one in events if isinstance(one, Noted) and one.kind == DEVIATION]


def test_a_usual_service_deviates_in_nothing(tmp_path: Path) -> None:
    with library(Ways()) as (_, url):
        events, _ = run(url, tmp_path)
    assert deviations(events) == []
    assert wrong(events) == []
    assert manners(events)["Shelf"] == Manners(
        "Shelf", 404, 204, 404, 404, Departure.AT_ONCE, on_delete={"Book.Shelf": "restrict"}
    )


WAYS = {
    "410 for what is gone": (Ways(gone=410), ["what was deleted answers 410"]),
    "403 for what is absent": (Ways(absent=403, gone=403), ["what is absent answers 403"]),
    "400 for what is absent": (Ways(absent=400, gone=400), ["what is absent answers 400"]),
    "idempotent": (Ways(again=204), ["deleting what is gone already answers 204"]),
    "marked": (Ways(marks=True), ["what is deleted stays readable, marked by deleted"]),
}


@pytest.mark.parametrize(("ways", "expected"), WAYS.values(), ids=WAYS)
def test_ways_are_noted_and_are_no_faults(ways: Ways, expected: list[str], tmp_path: Path) -> None:
    with library(ways) as (_, url):
        events, _ = run(url, tmp_path)
    assert set(deviations(events)) == set(expected)
    assert wrong(events) == []


def test_what_takes_its_time_is_waited_for(tmp_path: Path) -> None:
    with library(Ways(deleted=202, delay=0.2)) as (_, url):
        events, _ = run(url, tmp_path)
    assert manners(events)["Shelf"].departure is Departure.LATE
    assert wrong(events) == []


def test_what_goes_with_its_parent_is_learned(tmp_path: Path) -> None:
    with library(Ways(cascade=True)) as (_, url):
        events, _ = run(url, tmp_path)
    assert manners(events)["Shelf"].on_delete == {"Book.Shelf": "cascade"}
    assert wrong(events) == []


def test_a_service_that_never_deletes_has_a_finding_and_no_habit(tmp_path: Path) -> None:
    with library(Ways(keeps=True)) as (_, url):
        events, _ = run(url, tmp_path)
    assert manners(events)["Shelf"].departure is Departure.STAYS
    assert deviations(events) == []
    found = [one.finding.title for one in events if isinstance(one, FindingFound)]
    assert any("does not ensure res_code(GET /shelves/{shelfId}) = 404" in one for one in found)


def test_what_was_learned_is_used_again_and_a_change_is_told(tmp_path: Path) -> None:
    with library(Ways(absent=403, gone=403)) as (service, url):
        _, session = run(url, tmp_path)
        service.asked.clear()
        again, second = run(url, tmp_path, Earlier(known=session.known))
        assert second.known == session.known
    assert "what is absent answers 403" in deviations(again)
    assert not [one for one in again if getattr(one, "name", "") == "calibrate"]
    with library(Ways()) as (_, url):
        other = Known(session.known.manners, "another document")
        changed, _ = run(url, tmp_path, Earlier(known=other))
    told = [one.text for one in changed if isinstance(one, Noted) and one.kind == "changed"]
    assert told
    assert "what is absent answers 403" in told[0]


@pytest.mark.parametrize(
    "one",
    [
        Manners("Shelf"),
        Manners("Shelf", 403, 204, 410, 204, Departure.LATE, 0.4, (), {"Book.Shelf": "cascade"}),
        Manners("Shelf", departure=Departure.MARKED, mark=("deleted",)),
    ],
)
def test_manners_come_back_from_a_file_as_they_were(one: Manners) -> None:
    assert manners_from_json(json.loads(json.dumps(manners_to_json(one)))) == one


@pytest.mark.parametrize(
    "content", [None, [], {}, {"resource": 3}, {"resource": "A", "gone": "x"},
                {"resource": "A", "departure": "nowhere"}]
)  # fmt: skip
def test_what_is_no_manners_is_left_out(content: object) -> None:
    assert manners_from_json(content) is None


def test_a_refusal_of_the_form_is_not_taken_for_absence() -> None:
    assert Manners("Shelf", absent=400, gone=404).says_absent == 404
    assert Manners("Shelf", absent=400, gone=400).says_absent == 400
    assert Manners("Shelf", absent=400).says_absent == 404
    assert Manners("Shelf", absent=403).says_absent == 403
    assert Manners("Shelf", absent=200, gone=500).says_gone == 404


def test_what_a_change_took_elsewhere_says_nothing_of_deletions(tmp_path: Path) -> None:
    with library(Ways()) as (_, url):
        events, _ = run(url, tmp_path, changing=True)
    assert manners(events)["Book"].deleted is None
    assert manners(events)["Shelf"].deleted == 204
