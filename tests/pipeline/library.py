"""A library that keeps its tables as databases do: integer keys that the client may choose, keys of
two parts, references, and changes of everything that a filter lets through."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import web

from tests.resources.documents import NUMBER, TEXT, Json, document, many, obj, op, read_only, ref

Row = dict[str, Any]
Key = tuple[int, ...]


@dataclass
class Table:
    """Rows by key; `refers` says which column holds keys of which table."""

    name: str
    keys: tuple[str, ...]
    columns: dict[str, type]
    refers: dict[str, str] = field(default_factory=dict)
    rows: dict[Key, Row] = field(default_factory=dict)


class Library:
    """Writers, books, and who wrote what.

    `upserts` where PUT creates what is not there, `swallows` where it only says so; a `sloppy` one
    answers with null where its document has a text.
    """

    def __init__(
        self, *, upserts: bool = False, swallows: bool = False, sloppy: bool = False
    ) -> None:
        self.upserts = upserts
        self.swallows = swallows
        self.sloppy = sloppy
        self.tables = {
            "writers": Table("writers", ("id",), {"id": int, "name": str}),
            "books": Table(
                "books",
                ("id",),
                {"id": int, "title": str, "sequelId": int, "editorId": int},
                {"sequelId": "books", "editorId": "writers"},
            ),
            "authorships": Table(
                "authorships",
                ("writerId", "bookId"),
                {"writerId": int, "bookId": int, "role": str},
                {"writerId": "writers", "bookId": "books"},
            ),
        }
        self.stranger: Row = {"id": 1, "title": "before", "sequelId": None, "editorId": None}
        self.tables["books"].rows[(1,)] = dict(self.stranger)

    def routes(self) -> list[web.RouteDef]:
        found: list[web.RouteDef] = []
        for name, item in _ITEMS.items():
            table = self.tables[name]
            found += [
                web.get(f"/{name}", self._bound(self.list, table)),
                web.post(f"/{name}", self._bound(self.create, table)),
                web.put(f"/{name}", self._bound(self.change_many, table)),
                web.get(item, self._bound(self.read, table)),
                web.put(item, self._bound(self.replace, table)),
                web.delete(item, self._bound(self.delete, table)),
            ]
        found.append(web.get("/books/{id}/sequel", self._shown("sequelId")))
        return [*found, web.get("/books/{id}/editor", self._shown("editorId"))]

    def _bound(self, handler: Callable[..., Any], table: Table) -> Callable[[web.Request], Any]:
        async def bound(request: web.Request) -> web.Response:
            answer = handler(table, request, await _body(request))
            return answer if isinstance(answer, web.Response) else web.json_response(answer)

        return bound

    def list(self, table: Table, _request: web.Request, _body: Row) -> list[Row]:
        return [*table.rows.values()]

    def create(self, table: Table, _request: web.Request, body: Row) -> web.Response:
        if len(table.keys) == 1 and table.keys[0] not in body:
            body = {**body, table.keys[0]: max(table.rows, default=(0,))[0] + 1}
        self._check(table, body)
        key = _key(table, body)
        if key in table.rows:
            raise _no(409, "there is one already")
        more = {"made": None} if self.sloppy and table.name == "books" else {}
        table.rows[key] = {**dict.fromkeys(table.columns), **body, **more}
        return web.json_response(table.rows[key], status=201)

    def change_many(self, table: Table, request: web.Request, body: Row) -> list[Row]:
        wanted = {name.split(".")[1]: text for name, text in request.query.items()}
        if not wanted:
            raise _no(400, "no filter is given")
        found = [
            row for row in table.rows.values() if all(str(row[n]) == t for n, t in wanted.items())
        ]
        for row in found:
            self._check(table, {**row, **body})
            row.update({name: value for name, value in body.items() if name not in table.keys})
        return found

    def read(self, table: Table, request: web.Request, _body: Row) -> Row:
        return self._row(table, request)

    def replace(self, table: Table, request: web.Request, body: Row) -> Row:
        key = _address(table, request)
        named = dict(zip(table.keys, key, strict=True))
        self._check(table, {**body, **named})
        if self.upserts:
            table.rows.setdefault(key, {**dict.fromkeys(table.columns), **named})
        if self.swallows and key not in table.rows:
            return {**dict.fromkeys(table.columns), **body, **named}
        row = self._row(table, request)
        row.update({**dict.fromkeys(table.columns), **body, **named})
        return row

    def delete(self, table: Table, request: web.Request, _body: Row) -> web.Response:
        row = self._row(table, request)
        for other in self.tables.values():
            for column, target in other.refers.items():
                if target == table.name and any(
                    one[column] == row["id"] for one in other.rows.values()
                ):
                    raise _no(409, f"{other.name} refer to it")
        del table.rows[_key(table, row)]
        return web.Response(status=204)

    def _shown(self, column: str) -> Callable[[web.Request], Any]:
        """What a book refers to in a column."""
        books = self.tables["books"]

        async def shown(request: web.Request) -> web.Response:
            key = (self._row(books, request)[column],)
            found = self.tables[books.refers[column]].rows.get(key)
            if found is None:
                raise _no(404, "it has none")
            return web.json_response(found)

        return shown

    def _row(self, table: Table, request: web.Request) -> Row:
        found = table.rows.get(_address(table, request))
        if found is None:
            raise _no(404, "there is no such thing")
        return found

    def _check(self, table: Table, body: Row) -> None:
        for name, kind in table.columns.items():
            value = body.get(name)
            optional = name in {"id", "sequelId", "editorId"}
            if not (value is None and optional) and type(value) is not kind:
                raise _no(422, f"{name}: must be of type {kind.__name__}")
        if body.keys() - table.columns.keys():
            raise _no(422, "there are unknown columns")
        for column, target in table.refers.items():
            if body.get(column) is not None and (body[column],) not in self.tables[target].rows:
                raise _no(422, f"{column}: there is no such thing")


_MAYBE = {**NUMBER, "nullable": True}
_ITEMS = {
    "writers": "/writers/{id}",
    "books": "/books/{id}",
    "authorships": "/authorships/writer/{writerId}/book/{bookId}",
}


def _key(table: Table, row: Row) -> Key:
    return tuple(row[name] for name in table.keys)


def _address(table: Table, request: web.Request) -> Key:
    try:
        return tuple(int(request.match_info[name]) for name in table.keys)
    except ValueError:
        raise _no(404, "that is no number") from None


async def _body(request: web.Request) -> Row:
    if not request.can_read_body:
        return {}
    try:
        body = await request.json()
    except ValueError:
        raise _no(400, "that is no JSON") from None
    if not isinstance(body, dict):
        raise _no(422, "that is no object")
    return body


def _no(status: int, message: str) -> web.HTTPException:
    kinds = {400: web.HTTPBadRequest, 404: web.HTTPNotFound, 409: web.HTTPConflict}
    kind = kinds.get(status, web.HTTPUnprocessableEntity)
    return kind(text=json.dumps({"message": message}), content_type="application/json")


def library_operations() -> tuple[dict[str, Json], dict[str, Json]]:
    """The operations and schemas of a library, as its document has them."""
    schemas = {
        "Writer": obj("name", id=NUMBER, name=TEXT),
        "Book": obj(
            "title",
            id=NUMBER,
            title=TEXT,
            sequelId=_MAYBE,
            editorId=_MAYBE,
            made=read_only(TEXT),
        ),
        "Authorship": obj("role", writerId=NUMBER, bookId=NUMBER, role=TEXT),
    }
    operations: dict[str, Json] = {}
    for (name, item), schema in zip(_ITEMS.items(), schemas, strict=True):
        one = ref(schema)
        columns = list(schemas[schema]["properties"])
        filters = [f"where.{column}.{sign}" for column in columns for sign in ("eq", "neq")]
        operations |= {
            f"GET /{name}": op(gives=many(one)),
            f"POST /{name}": _needing(op(one, one, "201")),
            f"PUT /{name}": _needing(op(one, many(one), query=filters)),
            f"GET {item}": op(gives=one),
            f"PUT {item}": _needing(op(one, one)),
            f"DELETE {item}": op(status="204"),
        }
    views = {
        "GET /books/{id}/sequel": op(gives=ref("Book")),
        "GET /books/{id}/editor": op(gives=ref("Writer")),
    }
    return {**operations, **views}, schemas


def _needing(operation: Json) -> Json:
    """The same with a body that must be there, and refusals that are documented."""
    return {**operation, "requestBody": {**operation["requestBody"], "required": True}}


def library_document(folder: Path) -> str:
    """The path of the document of a library."""
    made = document(*library_operations())
    refusals = {str(status): {"description": "no"} for status in (400, 404, 409, 422)}
    for item in made["paths"].values():
        for operation in item.values():
            operation["responses"] |= refusals
            for parameter in operation["parameters"]:
                if (
                    parameter["in"] == "path"
                    or parameter["name"].split(".")[1].lower()[-2:] == "id"
                ):
                    parameter["schema"] = NUMBER
    made["servers"] = [{"url": "/"}]
    file = folder / "library.json"
    file.write_text(json.dumps(made), encoding="utf-8")
    return str(file)
