"""The tournaments service over HTTP."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jsonschema_rs
from aiohttp import web

from icepick.demo.http import Document, json_body, refuse, whole_number
from icepick.demo.tournaments.domain import Tournaments
from icepick.demo.tournaments.records import Enrolment, Player, Tournament

# The default pattern leaves out braces, which would hide a malformed id behind "no such route".
_PID, _TID, _EID = "{pid:[^/]+}", "{tid:[^/]+}", "{eid:[^/]+}"


def routes(domain: Tournaments) -> list[web.RouteDef]:
    """Every operation of the document, answered by the domain."""
    reader = _Reader(Document.load("icepick.demo.tournaments", "openapi.yaml"))
    return [
        *_PlayerHandlers(domain, reader).routes(),
        *_TournamentHandlers(domain, reader).routes(),
        *_EnrolmentHandlers(domain, reader).routes(),
    ]


class _Reader:
    """Takes from a request what the document describes, and refuses everything else."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._ids = {
            name: jsonschema_rs.Draft202012Validator(parameter["schema"])
            for name, parameter in document.content["components"]["parameters"].items()
        }

    def pid(self, request: web.Request) -> str:
        text = request.match_info["pid"]
        self._check_id("pid", text)
        return text

    def tid(self, request: web.Request) -> int:
        return self._number(request, "tid")

    def eid(self, request: web.Request) -> int:
        return self._number(request, "eid")

    async def body(self, request: web.Request, schema: str) -> Any:
        value = await json_body(request)
        self._document.check(schema, value)
        return value

    def _number(self, request: web.Request, name: str) -> int:
        text = request.match_info[name]
        number = whole_number(text, name)
        if text != str(number):
            refuse(400, f"{name} must be written as {number}, not {text}")
        self._check_id(name, number)
        return number

    def _check_id(self, name: str, value: str | int) -> None:
        try:
            problems = [error.message for error in self._ids[name].iter_errors(value)]
        except ValueError as error:
            refuse(400, f"{name}: {error}")
        if problems:
            refuse(400, f"{name}: {problems[0]}")


class _PlayerHandlers:
    def __init__(self, domain: Tournaments, reader: _Reader) -> None:
        self._domain = domain
        self._read = reader

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/players", self.all),
            web.post("/players", self.post),
            web.get(f"/players/{_PID}", self.one),
            web.put(f"/players/{_PID}", self.put),
            web.delete(f"/players/{_PID}", self.delete),
            web.get(f"/players/{_PID}/tournaments", self.tournaments),
            web.get(f"/players/{_PID}/tournaments/{_TID}", self.check),
        ]

    async def all(self, _: web.Request) -> web.Response:
        return _array(self._domain.list_players())

    async def post(self, request: web.Request) -> web.Response:
        player = Player.from_json(await self._read.body(request, "Player"))
        return _object(self._domain.add_player(player), status=201)

    async def one(self, request: web.Request) -> web.Response:
        return _object(self._domain.read_player(self._read.pid(request)))

    async def put(self, request: web.Request) -> web.Response:
        pid = self._read.pid(request)
        player = Player.from_json(await self._read.body(request, "Player"))
        return _object(self._domain.update_player(pid, player))

    async def delete(self, request: web.Request) -> web.Response:
        return _object(self._domain.delete_player(self._read.pid(request)))

    async def tournaments(self, request: web.Request) -> web.Response:
        return web.json_response(self._domain.tournaments_of(self._read.pid(request)))

    async def check(self, request: web.Request) -> web.Response:
        pid, tid = self._read.pid(request), self._read.tid(request)
        return web.json_response(self._domain.plays_in(pid, tid))


class _TournamentHandlers:
    def __init__(self, domain: Tournaments, reader: _Reader) -> None:
        self._domain = domain
        self._read = reader

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/tournaments", self.all),
            web.post("/tournaments", self.post),
            web.get(f"/tournaments/{_TID}", self.one),
            web.put(f"/tournaments/{_TID}", self.put),
            web.delete(f"/tournaments/{_TID}", self.delete),
            web.get(f"/tournaments/{_TID}/capacity", self.capacity),
            web.get(f"/tournaments/{_TID}/players", self.players),
            web.get(f"/tournaments/{_TID}/players/{_PID}", self.check),
        ]

    async def all(self, _: web.Request) -> web.Response:
        return _array(self._domain.list_tournaments())

    async def post(self, request: web.Request) -> web.Response:
        tournament = Tournament.from_json(await self._read.body(request, "Tournament"))
        return _object(self._domain.add_tournament(tournament), status=201)

    async def one(self, request: web.Request) -> web.Response:
        return _object(self._domain.read_tournament(self._read.tid(request)))

    async def put(self, request: web.Request) -> web.Response:
        tid = self._read.tid(request)
        tournament = Tournament.from_json(await self._read.body(request, "Tournament"))
        return _object(self._domain.update_tournament(tid, tournament))

    async def delete(self, request: web.Request) -> web.Response:
        return _object(self._domain.delete_tournament(self._read.tid(request)))

    async def capacity(self, request: web.Request) -> web.Response:
        return web.json_response(self._domain.capacity_of(self._read.tid(request)))

    async def players(self, request: web.Request) -> web.Response:
        return web.json_response(self._domain.players_of(self._read.tid(request)))

    async def check(self, request: web.Request) -> web.Response:
        tid, pid = self._read.tid(request), self._read.pid(request)
        return web.json_response(self._domain.has_player(tid, pid))


class _EnrolmentHandlers:
    def __init__(self, domain: Tournaments, reader: _Reader) -> None:
        self._domain = domain
        self._read = reader

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/enrolments", self.all),
            web.post("/enrolments", self.post),
            web.get(f"/enrolments/{_EID}", self.one),
            web.delete(f"/enrolments/{_EID}", self.delete),
        ]

    async def all(self, _: web.Request) -> web.Response:
        return _array(self._domain.list_enrolments())

    async def post(self, request: web.Request) -> web.Response:
        enrolment = Enrolment.from_json(await self._read.body(request, "Enrolment"))
        return _object(self._domain.add_enrolment(enrolment), status=201)

    async def one(self, request: web.Request) -> web.Response:
        return _object(self._domain.read_enrolment(self._read.eid(request)))

    async def delete(self, request: web.Request) -> web.Response:
        return _object(self._domain.delete_enrolment(self._read.eid(request)))


def _object(record: Player | Tournament | Enrolment, *, status: int = 200) -> web.Response:
    return web.json_response(record.to_json(), status=status)


def _array(records: Sequence[Player | Tournament | Enrolment]) -> web.Response:
    return web.json_response([record.to_json() for record in records])
