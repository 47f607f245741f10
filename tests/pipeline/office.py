"""A correct service of projects and their tasks, in whatever manner services have: names, keys,
envelopes, pages, codes, what becomes of what is deleted. Nothing that it does is a fault."""

from __future__ import annotations

import itertools
import json
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import jsonschema_rs
from aiohttp import web

Json = Any
Key = tuple[str, str]
"""The kind of a thing, and its own key as a text."""

PROJECT, TASK = "project", "task"
_LATER = 0.15
_USUAL = 20


@dataclass(frozen=True)
class Manner:
    """How the service does things."""

    camel: bool = False
    plural: bool = True
    slash: bool = False
    key: str = "id"
    chooser: str = "number"  # number, uuid, client, put
    located: bool = False
    wrap: str = ""  # "", data, result
    listed: str = ""  # "", items, hal
    paged: str = ""  # "", page, offset, cursor
    created: int = 201
    patch: bool = False
    updated: int = 200
    deleted: int = 204
    later: bool = False
    again: int = 404
    absent: int = 404
    gone: int = 404
    soft: bool = False
    parent: str = "refuse"  # refuse, cascade, orphan
    nested: bool = False
    tags: bool = False
    invalid: int = 400
    unique: bool = False
    normal: bool = False
    secret: bool = False
    lag: bool = False  # 201, and not there at once
    silent: bool = False  # no Location
    nest: str = ""  # "", attributes (as JSON:API has it), wrapped (the request alone)
    brief: bool = False  # lists show keys and names alone
    merging: bool = False  # PUT leaves alone what it does not name
    moving: bool = False  # every read counts
    newest: bool = False  # lists begin with what came last
    empty: int = 200  # 204 or 404 where a list has nothing
    quota: int = 0  # so many of a kind, no more
    strict: bool = False  # what is not declared is refused
    shows: bool = False  # a deletion shows what it deleted

    def name(self, *words: str) -> str:
        """A property of several words."""
        if self.camel:
            return words[0] + "".join(word.capitalize() for word in words[1:])
        return "_".join(words)

    def path(self, *parts: str) -> str:
        """An address, as this service writes them."""
        return "/" + "/".join(parts) + ("/" if self.slash else "")

    def collection(self, kind: str) -> str:
        return f"{kind}s" if self.plural else kind

    @property
    def owner(self) -> str:
        """The property of a task that says whose it is."""
        return self.name(PROJECT, self.key)

    @property
    def removed(self) -> str:
        return self.name("deleted", "at")

    def parameter(self, kind: str) -> str:
        return self.name(kind, self.key)

    def item(self, kind: str) -> str:
        return self.path(*self._above(kind), self.collection(kind), f"{{{self.parameter(kind)}}}")

    def all(self, kind: str) -> str:
        return self.path(*self._above(kind), self.collection(kind))

    def _above(self, kind: str) -> tuple[str, ...]:
        if kind == PROJECT or not self.nested:
            return ()
        return (self.collection(PROJECT), f"{{{self.parameter(PROJECT)}}}")

    @property
    def chosen(self) -> bool:
        return self.chooser in {"client", "put"}

    def key_schema(self) -> Json:
        kinds: dict[str, Json] = {
            "number": {"type": "integer", "minimum": 1},
            "uuid": {"type": "string", "format": "uuid"},
        }
        plain = {"type": "string", "minLength": 1, "maxLength": 40, "pattern": "^[a-z0-9-]+$"}
        return kinds.get(self.chooser, plain)


# The document


def document(manner: Manner) -> Json:
    """What the service says of itself."""
    paths: dict[str, Json] = {}
    for kind in (PROJECT, TASK):
        _describe(manner, kind, paths)
    schemas = {kind.capitalize(): shown(manner, kind) for kind in (PROJECT, TASK)}
    for kind in (PROJECT, TASK):
        if manner.nest == "wrapped":
            schemas[f"New{kind}"] = sent(manner, kind)
    schemas["Error"] = {
        "type": "object",
        "required": ["error"],
        "properties": {"error": {"type": "string"}},
    }
    return {
        "openapi": "3.0.3",
        "info": {"title": "Office", "version": "1"},
        "paths": paths,
        "components": {"schemas": schemas},
    }


def thing(manner: Manner, kind: str) -> Json:
    """The schema of a project or a task."""
    read = {"readOnly": True}
    found: dict[str, Json] = {
        manner.key: {**manner.key_schema(), **({} if manner.chooser == "client" else read)},
        manner.name("created", "at"): {"type": "string", "format": "date-time", **read},
    }
    required = [manner.key] if manner.chooser == "client" else []
    if manner.soft:
        found[manner.removed] = {
            "type": "string", "format": "date-time", "nullable": True, **read,
        }  # fmt: skip
    if kind == PROJECT:
        found["name"] = {"type": "string", "minLength": 1, "maxLength": 60}
        found["notes"] = {"type": "string", "maxLength": 200}
        required.append("name")
        if manner.secret:
            found["password"] = {"type": "string", "minLength": 4, "writeOnly": True}
    else:
        found["title"] = {"type": "string", "minLength": 1, "maxLength": 60}
        found["priority"] = {"type": "integer", "minimum": 1, "maximum": 5, "default": 3}
        found["done"] = {"type": "boolean", "default": False}
        required.append("title")
        owner = {**manner.key_schema()}
        if manner.parent == "orphan":
            owner["nullable"] = True
        if manner.nested:
            owner["readOnly"] = True
        elif manner.parent != "orphan":
            required.append(manner.owner)
        found[manner.owner] = owner
    if manner.moving:
        found["views"] = {"type": "integer", **read}
    more: Json = {"additionalProperties": False} if manner.strict else {}
    return {"type": "object", "required": required, "properties": found, **more}


def sent(manner: Manner, kind: str, *, partly: bool = False) -> Json:
    """The schema of what a client sends."""
    whole = thing(manner, kind)
    inner = {**whole, "required": []} if partly else whole
    if manner.nest == "wrapped":
        return {"type": "object", "required": [kind], "properties": {kind: inner}}
    return _placed(manner, kind, inner) if manner.nest else inner


def shown(manner: Manner, kind: str) -> Json:
    """The schema of what the service shows."""
    whole = thing(manner, kind)
    return _placed(manner, kind, whole) if manner.nest == "attributes" else whole


def _placed(manner: Manner, kind: str, schema: Json) -> Json:
    """What a thing is, apart from its key."""
    key = manner.key
    inside = {k: v for k, v in schema["properties"].items() if k != key}
    required = [one for one in schema["required"] if one != key]
    attributes = {**schema, "properties": inside, "required": required}
    own = [one for one in schema["required"] if one == key]
    kinds = {"type": "string", "enum": [kind]}
    return {
        "type": "object",
        "required": ["type", "attributes", *own],
        "properties": {
            key: schema["properties"][key], "type": kinds, "attributes": attributes,
        },
    }  # fmt: skip


def _ref(kind: str) -> Json:
    return {"$ref": f"#/components/schemas/{kind.capitalize()}"}


def _content(schema: Json) -> Json:
    return {"content": {"application/json": {"schema": schema}}}


def _describe(manner: Manner, kind: str, paths: dict[str, Json]) -> None:
    taken = {"$ref": f"#/components/schemas/New{kind}"} if manner.nest == "wrapped" else _ref(kind)
    body = {"required": True, **_content(taken)}
    partly = _content(sent(manner, kind, partly=True))
    partly["required"] = True
    above = [_parameter(manner, PROJECT)] if kind == TASK and manner.nested else []
    here = [*above, _parameter(manner, kind)]
    one = _enveloped(manner, _ref(kind))
    shown = None if manner.located else one
    everything = _answers(manner, 200, _listed_schema(manner, kind))
    if manner.empty != 200:
        everything.setdefault(str(manner.empty), {"description": "there is nothing"})
    paths[manner.all(kind)] = {
        "get": {
            "operationId": f"list_{kind}", "parameters": [*above, *_paging(manner)],
            "responses": everything,
        },
    }  # fmt: skip
    made = _answers(manner, manner.created, shown, located=manner.located)
    if manner.chooser != "put":
        paths[manner.all(kind)]["post"] = {
            "operationId": f"create_{kind}", "parameters": above, "requestBody": body,
            "responses": made,
        }  # fmt: skip
    after = one if manner.updated == 200 else None
    changed = _answers(manner, manner.updated, after, conditional=True)
    condition = [{"name": "If-Match", "in": "header", "required": False,
                  "schema": {"type": "string"}}] if manner.tags else []  # fmt: skip
    put = {**changed, **made} if manner.chooser == "put" else changed
    item = paths[manner.item(kind)] = {
        "parameters": here,
        "get": {"operationId": f"get_{kind}", "responses": _answers(manner, 200, one)},
        "delete": {
            "operationId": f"delete_{kind}",
            "responses": _answers(manner, manner.deleted, one if manner.shows else None),
        },
    }  # fmt: skip
    if not manner.patch or manner.chooser == "put":
        item["put"] = {
            "operationId": f"replace_{kind}", "parameters": condition, "requestBody": body,
            "responses": put,
        }  # fmt: skip
    if manner.patch:
        item["patch"] = {
            "operationId": f"change_{kind}", "parameters": condition, "requestBody": partly,
            "responses": changed,
        }  # fmt: skip


def _parameter(manner: Manner, kind: str) -> Json:
    name = manner.parameter(kind)
    return {"name": name, "in": "path", "required": True, "schema": manner.key_schema()}


def _paging(manner: Manner) -> list[Json]:
    number = {"type": "integer", "minimum": 1, "maximum": 100}
    names: dict[str, list[tuple[str, Json]]] = {
        "": [],
        "page": [
            ("page", {"type": "integer", "minimum": 1}),
            (manner.name("page", "size"), number),
        ],
        "offset": [("offset", {"type": "integer", "minimum": 0}), ("limit", number)],
        "cursor": [("cursor", {"type": "string"}), ("limit", number)],
    }
    return [{"name": name, "in": "query", "schema": schema} for name, schema in names[manner.paged]]


def _enveloped(manner: Manner, schema: Json) -> Json:
    if not manner.wrap:
        return schema
    inside = {manner.wrap: schema}
    if manner.wrap == "result":
        inside["success"] = {"type": "boolean"}
    return {"type": "object", "required": list(inside), "properties": inside}


def _listed_schema(manner: Manner, kind: str) -> Json:
    every: Json = {"type": "array", "items": _ref(kind)}
    if manner.brief:
        whole = thing(manner, kind)["properties"]
        known = {name: whole[name] for name in (manner.key, "name", "title") if name in whole}
        every["items"] = {"type": "object", "properties": known}
    names = manner.collection(kind)
    if manner.listed == "hal":
        inside = {"type": "object", "required": [names], "properties": {names: every}}
        links = {"type": "object"}
        every = {
            "type": "object", "required": ["_embedded"],
            "properties": {"_embedded": inside, "_links": links},
        }  # fmt: skip
    elif manner.listed == "items" or manner.paged == "cursor":
        properties: dict[str, Json] = {"items": every, "total": {"type": "integer"}}
        if manner.paged == "cursor":
            properties[manner.name("next", "cursor")] = {"type": "string", "nullable": True}
        every = {"type": "object", "required": ["items"], "properties": properties}
    return _enveloped(manner, every) if manner.listed != "hal" else every


def _answers(
    manner: Manner,
    status: int,
    schema: Json | None,
    *,
    located: bool = False,
    conditional: bool = False,
) -> Json:
    good: Json = {"description": "done", **(_content(schema) if schema else {})}
    if located:
        good["headers"] = {"Location": {"schema": {"type": "string"}}}
    bad = {"description": "refused", **_content({"$ref": "#/components/schemas/Error"})}
    codes = {400, 409, 415, manner.invalid, manner.absent, manner.gone, manner.again} - {204}
    codes |= {412, 428} if conditional and manner.tags else set()
    found = {str(code): bad for code in sorted(codes)}
    if manner.again == 204:
        found["204"] = {"description": "done"}
    found[str(status)] = good
    return found


# The service


@dataclass
class Thing:
    """What is kept of a project or a task."""

    key: Json
    values: dict[str, Json]
    owner: Json = None
    since: float = 0.0
    until: float | None = None
    version: int = 1


class RefusedError(Exception):
    """The answer to a call that is not done."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


@dataclass
class Office:
    """The service; its `fault` is what it does wrong: `keeps` what it says to have deleted, `loses`
    what it says to have changed."""

    manner: Manner
    fault: str = ""
    things: dict[Key, Thing] = field(default_factory=dict)
    past: dict[Key, Thing] = field(default_factory=dict)
    numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(101))

    def __post_init__(self) -> None:
        spec = document(self.manner)
        self._checks = {
            (kind, partly): jsonschema_rs.Draft7Validator(
                _plain(sent(self.manner, kind, partly=partly)),
                validate_formats=True,
            )
            for kind in (PROJECT, TASK)
            for partly in (False, True)
        }
        self._spec = spec

    def routes(self) -> tuple[web.RouteDef, ...]:
        found = []
        for kind in (PROJECT, TASK):
            every, item = self._spec["paths"][self.manner.all(kind)], self.manner.item(kind)
            found.append(web.get(self.manner.all(kind), self._handler(kind, self.every)))
            if "post" in every:
                found.append(web.post(self.manner.all(kind), self._handler(kind, self.create)))
            found.append(web.get(item, self._handler(kind, self.read), allow_head=False))
            found.append(web.delete(item, self._handler(kind, self.delete)))
            found += [
                web.route(method.upper(), item, self._handler(kind, self.write))
                for method in ("put", "patch")
                if method in self._spec["paths"][item]
            ]
        return tuple(found)

    def _handler(self, kind: str, handle: Any) -> Any:
        async def handled(request: web.Request) -> web.Response:
            try:
                self._settle()
                if kind == TASK and self.manner.nested:
                    self._found(PROJECT, request)
                return await handle(kind, request)
            except RefusedError as refused:
                return web.json_response({"error": str(refused)}, status=refused.status)

        return handled

    def _settle(self) -> None:
        """What was to go later goes."""
        now = time.monotonic()
        due = [key for key, one in self.things.items() if (one.until or now + 1) <= now]
        for key in due:
            if key in self.things:
                self._remove(key)

    def _remove(self, key: Key) -> None:
        one = self.things.pop(key)
        self.past[key] = one
        if key[0] == PROJECT:
            for other, task in list(self.things.items()):
                if other[0] == TASK and task.owner == one.key:
                    if self.manner.parent == "cascade" or self.manner.nested:
                        self._remove(other)
                    else:
                        task.owner = None
                        task.values[self.manner.owner] = None

    # What calls do

    async def every(self, kind: str, request: web.Request) -> web.Response:
        manner, now = self.manner, time.monotonic()
        known = [one for key, one in self.things.items() if key[0] == kind and one.since <= now]
        if kind == TASK and manner.nested:
            owner = self._found(PROJECT, request)
            known = [one for one in known if one.owner == owner.key]
        known = known[::-1] if manner.newest else known
        if not known and manner.empty == 204:
            return web.Response(status=204)
        if not known and manner.empty == 404:
            raise RefusedError(404, "there is nothing")
        page, more = self._page(known, request)
        shown = [self._listed(kind, one) for one in page]
        if manner.listed == "hal":
            links = {"self": {"href": request.path_qs}}
            if more is not None:
                query = {**request.query, **more}
                links["next"] = {"href": str(request.rel_url.with_query(query))}
            inside = {manner.collection(kind): shown}
            return web.json_response({"_embedded": inside, "_links": links})
        body: Json = shown
        if manner.listed == "items" or manner.paged == "cursor":
            body = {"items": shown, "total": len(known)}
        if manner.paged == "cursor":
            body[manner.name("next", "cursor")] = more["cursor"] if more is not None else None
        return web.json_response(self._wrapped(body))

    def _page(
        self, known: list[Thing], request: web.Request
    ) -> tuple[list[Thing], dict[str, str] | None]:
        """The part of a list that is asked for, and what to ask for next."""
        manner, counted = self.manner, self.manner.paged == "page"
        if not manner.paged:
            return known, None
        asked = manner.name("page", "size") if counted else "limit"
        size = self._number(request, asked, _USUAL, 1, 100)
        at = self._number(request, manner.paged, int(counted), int(counted), 10**9)
        start = (at - 1) * size if counted else at
        following = at + 1 if counted else start + size
        more = {manner.paged: str(following)} if start + size < len(known) else None
        return known[start : start + size], more

    def _number(self, request: web.Request, name: str, usual: int, low: int, high: int) -> int:
        text = request.query.get(name)
        if text is None:
            return usual
        if not (text.isascii() and text.isdigit()) or not low <= int(text) <= high:
            raise RefusedError(self.manner.invalid, f"{name} must be a number from {low} to {high}")
        return int(text)

    async def create(self, kind: str, request: web.Request) -> web.Response:
        body = await self._body(kind, request, partly=False)
        manner = self.manner
        if manner.chooser == "client":
            key = body[manner.key]
        elif manner.chooser == "uuid":
            key = str(uuid.uuid4())
        else:
            key = next(self.numbers)
        return self._create(kind, key, body, request)

    def _create(self, kind: str, key: Json, body: Json, request: web.Request) -> web.Response:
        manner, at = self.manner, (kind, str(key))
        if at in self.things:
            raise RefusedError(409, f"{kind} {key} exists already")
        if manner.quota and sum(one == kind for one, _ in self.things) >= manner.quota:
            raise RefusedError(409, f"no more than {manner.quota} {kind}s are in your plan")
        self._unique(kind, key, body)
        values = self._kept(kind, body)
        owner = None
        if kind == TASK:
            owner = (
                self._found(PROJECT, request).key if manner.nested
                else self._owner(body.get(manner.owner))
            )  # fmt: skip
            values[manner.owner] = owner
            values.setdefault("priority", 3)
            values.setdefault("done", False)
        values[manner.name("created", "at")] = "2026-01-02T03:04:05Z"
        since = time.monotonic() + (_LATER if manner.created == 202 or manner.lag else 0.0)
        self.things[at] = one = Thing(key, values, owner, since)
        where = self._address(kind, one)
        if manner.located:
            return web.Response(status=manner.created, headers={"Location": where})
        return web.json_response(
            self._wrapped(self._shown(kind, one)), status=manner.created,
            headers={**({} if manner.silent else {"Location": where}), **self._tag(one)},
        )  # fmt: skip

    def _address(self, kind: str, one: Thing) -> str:
        manner = self.manner
        holes = {manner.parameter(kind): one.key}
        if kind == TASK and manner.nested:
            holes[manner.parameter(PROJECT)] = one.owner
        return manner.item(kind).format(**{k: quote(str(v), safe="") for k, v in holes.items()})

    def _owner(self, key: Json) -> Json:
        if key is None and self.manner.parent == "orphan":
            return None
        known = self.things.get((PROJECT, str(key)))
        if known is None or known.since > time.monotonic():
            raise RefusedError(
                self.manner.invalid, f"{self.manner.owner}: there is no project {key}"
            )
        return known.key

    def _unique(self, kind: str, key: Json, body: Json) -> None:
        name = body.get("name")
        if name is not None and not self._normal(name):
            raise RefusedError(self.manner.invalid, "name: a blank is no name")
        if not self.manner.unique or name is None:
            return
        for (other, _), one in self.things.items():
            if other == kind and one.key != key and one.values.get("name") == self._normal(name):
                raise RefusedError(409, f"the name {name} is taken")

    def _normal(self, text: str) -> str:
        return text.strip().lower() if self.manner.normal else text

    def _kept(self, kind: str, body: Mapping[str, Json]) -> dict[str, Json]:
        """What a body says of what a client may write."""
        properties = thing(self.manner, kind)["properties"]
        kept = {}
        for name, value in body.items():
            if name in properties and not properties[name].get("readOnly"):
                kept[name] = self._normal(value) if name == "name" else value
        kept.pop(self.manner.key, None)
        return kept

    async def read(self, kind: str, request: web.Request) -> web.Response:
        one = self._found(kind, request, gone=True)
        if self.manner.moving:
            one.values["views"] = one.values.get("views", 0) + 1
        return web.json_response(self._wrapped(self._shown(kind, one)), headers=self._tag(one))

    async def write(self, kind: str, request: web.Request) -> web.Response:
        manner, partly = self.manner, request.method == "PATCH"
        at = self._key(kind, request)
        if at not in self.things and manner.chooser == "put" and not partly:
            body = await self._body(kind, request, partly=False)
            if not jsonschema_rs.is_valid(manner.key_schema(), at[1]):
                raise RefusedError(manner.invalid, f"{at[1]} is no key")
            return self._create(kind, at[1], body, request)
        one = self._found(kind, request)
        body = await self._body(kind, request, partly=partly)
        self._condition(one, request)
        if manner.chooser == "client" and str(body.get(manner.key, one.key)) != str(one.key):
            raise RefusedError(manner.invalid, f"{manner.key} cannot be changed")
        self._unique(kind, one.key, body)
        kept = self._kept(kind, body)
        if kind == TASK and not manner.nested and (manner.owner in body or not partly):
            one.owner = self._owner(body.get(manner.owner))
            kept[manner.owner] = one.owner
        stays = {manner.name("created", "at"), "views", *((manner.owner,) if manner.nested else ())}
        if self.fault == "loses":
            pass
        elif partly or manner.merging:
            one.values |= kept
        else:
            usual = {"priority": 3, "done": False} if kind == TASK else {}
            old = {name: value for name, value in one.values.items() if name in stays}
            secret = {n: v for n, v in one.values.items() if n == "password"}
            one.values = {**usual, **secret, **old, **kept}
        one.version += 1
        if manner.updated == 204:
            return web.Response(status=204, headers=self._tag(one))
        return web.json_response(self._wrapped(self._shown(kind, one)), headers=self._tag(one))

    def _condition(self, one: Thing, request: web.Request) -> None:
        if not self.manner.tags:
            return
        given = request.headers.get("If-Match")
        if given is None:
            raise RefusedError(428, "If-Match is required")
        if given not in {"*", self._tag(one)["ETag"]}:
            raise RefusedError(412, "it was changed meanwhile")

    async def delete(self, kind: str, request: web.Request) -> web.Response:
        manner, at = self.manner, self._key(kind, request)
        if at not in self.things and (manner.again == 204 and at in self.past):
            return web.Response(status=204)
        if at in self.past and at not in self.things and manner.again != 204:
            raise RefusedError(manner.again, f"{kind} {at[1]} is gone")
        one = self._found(kind, request)
        owners = [task.owner for key, task in self.things.items() if key[0] == TASK]
        if kind == PROJECT and manner.parent == "refuse" and one.key in owners:
            raise RefusedError(409, "it has tasks")
        last = self._wrapped(self._shown(kind, one))
        if self.fault == "keeps":
            pass
        elif manner.later:
            one.until = time.monotonic() + _LATER
        else:
            self._remove(at)
        if manner.shows:
            return web.json_response(last, status=manner.deleted)
        return web.Response(status=manner.deleted)

    # What they need

    def _key(self, kind: str, request: web.Request) -> Key:
        return kind, request.match_info[self.manner.parameter(kind)]

    def _found(self, kind: str, request: web.Request, *, gone: bool = False) -> Thing:
        at = self._key(kind, request)
        one = self.things.get(at)
        inside = one is not None and one.since <= time.monotonic()
        if one is not None and kind == TASK and self.manner.nested:
            inside = inside and str(one.owner) == self._key(PROJECT, request)[1]
        if one is not None and inside:
            return one
        past = self.past.get(at)
        if past is None:
            raise RefusedError(self.manner.absent, f"there is no {kind} {at[1]}")
        if self.manner.soft and gone:
            past.values[self.manner.removed] = "2026-02-03T04:05:06Z"
            return past
        raise RefusedError(self.manner.gone, f"{kind} {at[1]} is gone")

    async def _body(self, kind: str, request: web.Request, *, partly: bool) -> Json:
        if request.content_type != "application/json":
            raise RefusedError(415, "only JSON is read here")
        try:
            body = json.loads(await request.read(), parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            raise RefusedError(400, f"no JSON: {error}") from error
        check = self._checks[kind, partly]
        for problem in check.iter_errors(body):
            where = ".".join(map(str, problem.instance_path)) or "body"
            raise RefusedError(self.manner.invalid, f"{where}: {problem.message}"[:300])
        if self.manner.nest == "wrapped":
            return body[kind]
        if self.manner.nest == "attributes":
            own = {self.manner.key: body[self.manner.key]} if self.manner.key in body else {}
            return {**body["attributes"], **own}
        return body

    def _shown(self, kind: str, one: Thing) -> Json:
        hidden = {"password"}
        shown = {self.manner.key: one.key}
        shown |= {name: value for name, value in one.values.items() if name not in hidden}
        if self.manner.soft:
            shown.setdefault(self.manner.removed, None)
        if self.manner.nest != "attributes":
            return shown
        key = shown.pop(self.manner.key)
        return {self.manner.key: key, "type": kind, "attributes": shown}

    def _listed(self, kind: str, one: Thing) -> Json:
        if not self.manner.brief:
            return self._shown(kind, one)
        values = {self.manner.key: one.key, **one.values}
        return {k: values[k] for k in (self.manner.key, "name", "title") if k in values}

    def _wrapped(self, body: Json) -> Json:
        if not self.manner.wrap:
            return body
        more = {"success": True} if self.manner.wrap == "result" else {}
        return {self.manner.wrap: body, **more}

    def _tag(self, one: Thing) -> dict[str, str]:
        return {"ETag": f'"{one.version}"'} if self.manner.tags else {}


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")


def _plain(schema: Json) -> Json:
    """A schema of OpenAPI 3.0 as JSON Schema: what may be null says so in its type."""
    if isinstance(schema, list):
        return [_plain(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: _plain(value) for name, value in schema.items() if name != "nullable"}
    if schema.get("nullable") is True:
        found["type"] = [found["type"], "null"]
    return found
