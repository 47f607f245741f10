"""Names in clauses that the document does not have: paths, parameters, fields and variables.

Each case is an operation and a role, a clause, and what is said under it.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from icepick.errors import Diagnostic, Place, Severity
from icepick.glacier import (
    Clause,
    Contracts,
    OperationContract,
    Provenance,
    Role,
    parse_formula,
)
from icepick.glacier.static import check_contracts
from icepick.openapi import ApiSpec, read_spec

Json = dict[str, Any]

TEXT: Json = {"type": "string"}
WHOLE: Json = {"type": "integer"}


def ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


def many(schema: Json, **more: Any) -> Json:
    return {"type": "array", "items": schema, **more}


def body(schema: Json) -> Json:
    return {"content": {"application/json": {"schema": schema}}}


def answer(schema: Json | None = None) -> Json:
    return {"description": "", **(body(schema) if schema is not None else {})}


def op(*parameters: Json, takes: Json | None = None, **answers: Json | None) -> Json:
    found: Json = {
        "parameters": list(parameters),
        "responses": {status[1:]: answer(schema) for status, schema in answers.items()},
    }
    return {**found, "requestBody": {"required": True, **body(takes)}} if takes else found


def parameter(name: str, where: str = "path", schema: Json = TEXT) -> Json:
    return {"name": name, "in": where, "required": where == "path", "schema": schema}


ISBN = parameter("isbn")
SCHEMAS: Json = {
    "Book": {
        "type": "object",
        "required": ["isbn", "title", "pages", "author"],
        "properties": {
            "isbn": {"type": "string", "minLength": 1},
            "title": TEXT,
            "pages": {"type": "integer", "minimum": 1, "maximum": 9000},
            "price": {"type": "number", "minimum": 0, "exclusiveMinimum": True},
            "status": {"type": "string", "enum": ["available", "lent"]},
            "author": ref("Author"),
            "tags": many(TEXT, uniqueItems=True, minItems=1),
            "note": {"type": "string", "nullable": True},
            "rare": {"type": "boolean"},
            "free": {"type": "object", "additionalProperties": WHOLE},
        },
    },
    "Author": {"allOf": [ref("Named"), {"properties": {"born": WHOLE}}]},
    "Named": {"type": "object", "required": ["name"], "properties": {"name": TEXT}},
    "Problem": {
        "type": "object",
        "additionalProperties": False,
        "properties": {"message": TEXT, "details": many(ref("Problem"))},
    },
    "Wooden": {
        "type": "object",
        "additionalProperties": False,
        "properties": {"wood": TEXT, "width": WHOLE},
    },
    "Metal": {
        "type": "object",
        "additionalProperties": False,
        "properties": {"alloy": TEXT, "width": TEXT},
    },
    "Shelf": {"oneOf": [ref("Wooden"), ref("Metal")]},
    "Animal": {
        "type": "object",
        "discriminator": {"propertyName": "kind"},
        "properties": {"kind": TEXT},
    },
}
DOCUMENT: Json = {
    "openapi": "3.0.3",
    "info": {"title": "Library", "version": "1"},
    "servers": [{"url": "http://localhost/api/v1"}],
    "paths": {
        "/books": {
            "get": op(parameter("author", "query"), r200=many(ref("Book"))),
            "post": op(takes=ref("Book"), r201=ref("Book"), r409=ref("Problem")),
        },
        "/books/{isbn}": {
            "get": op(ISBN, r200=ref("Book"), r404=ref("Problem")),
            "put": op(ISBN, parameter("force", "query"), takes=ref("Book"), r200=ref("Book")),
            "delete": op(ISBN, r204=None),
        },
        "/books/{isbn}/copies": {"get": op(ISBN, r200=many(WHOLE))},
        "/books/{isbn}/copies/{copy}": {
            "get": op(ISBN, parameter("copy", schema=WHOLE), r200={"type": "boolean"})
        },
        "/books/{isbn}/cover": {"put": op(ISBN, takes=TEXT, r204=None)},
        "/shelves/{number}": {"get": op(parameter("number", schema=WHOLE), r200=ref("Shelf"))},
        "/animals": {"get": op(r200=many(ref("Animal")))},
        "/capacity": {"get": op(r200=WHOLE)},
        "/problems": {"get": op(r200=many(ref("Problem")))},
    },
    "components": {"schemas": SCHEMAS},
}


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> ApiSpec:
    path = tmp_path_factory.mktemp("static") / "library.json"
    path.write_text(json.dumps(DOCUMENT), encoding="utf-8")
    spec = read_spec(str(path))
    assert spec.diagnostics == () or {d.severity for d in spec.diagnostics} == {Severity.NOTE}
    return spec


def contracts(where: str, text: str, place: Place | None = None) -> Contracts:
    """One clause: `where` is `invariants`, or `requires` or `ensures` and an operation."""
    clause = Clause(parse_formula(text), text, Provenance.WRITTEN, place or Place("library.glc", 7))
    role, _, label = where.partition(" ")
    if role == Role.INVARIANT:
        return Contracts(invariants=(clause,))
    return Contracts({label: OperationContract(label, **{role: (clause,)})})


def said(diagnostics: tuple[Diagnostic, ...]) -> str:
    """Under the clause, a caret for every diagnostic, what it says, and its hint."""
    lines = []
    for found in diagnostics:
        caret = (found.place.caret() or "\n?").splitlines()[1]
        lines.append(f"{caret} {found.severity.value} {found.code.value}")
        lines.append(found.message)
        lines += [f"  {found.hint}"] if found.hint else []
    return "\n".join(lines)


def cases(text: str) -> list[Any]:
    """Blocks of lines: where the clause stands, the clause, and what is said of it."""
    found = []
    for block in text.strip("\n").split("\n\n"):
        where, clause, *expected = block.splitlines()
        found.append(pytest.param(where, clause, "\n".join(expected), id=clause))
    return found


@pytest.mark.parametrize(
    ("where", "clause", "expected"),
    cases(
        """
ensures POST /books
res_code(GET /books/req_body(@){isbn}) = 200

ensures POST /books
res_code(GET /book/req_body(@){isbn}) = 200
             ^ error ICP320
the document has no path /book/req_body(@){isbn}
  did you mean `GET /books/{isbn}`?

ensures POST /books
res_code(GET /api/v1/books/req_body(@){isbn}) = 200

ensures DELETE /books/{isbn}
res_body(GET /books/{isbn}/cover) = null
             ^ error ICP321
/books/{isbn}/cover has no GET in the document, only PUT
  ask a path that has a GET, or add the GET to the document

ensures DELETE /books/{isbn}
res_code(GET /nothing/like/it) = 200
             ^ error ICP320
the document has no path /nothing/like/it

ensures DELETE /books/{isbn}
res_code(GET /books/{isbn}/{isbn}) = 200
             ^ error ICP320
the document has no path /books/{isbn}/{isbn}
  did you mean `GET /books/{isbn}`?

invariants
res_code(GET /books/) = 404

invariants
res_code(GET /shelves/first) = 404
             ^ error ICP320
the document has no path /shelves/first
  did you mean `GET /shelves/{number}`?

invariants
res_code(GET /shelves/1) = 404

invariants
for b in res_body(GET /books?author=Borges&page=2) :- b.rare
                                           ^ error ICP322
GET /books has no query parameter `page`
  it has `author`

invariants
for b in res_body(GET /books?auhtor=Borges) :- b.rare
                             ^ error ICP322
GET /books has no query parameter `auhtor`
  did you mean `author`?

ensures PUT /books/{isbn}
path_param(@){isbn} = res_body(@){isbn}

ensures PUT /books/{isbn}
path_param(this["id"]) = res_body(@){isbn}
                ^ error ICP322
PUT /books/{isbn} has no path parameter `id`
  it has `isbn`

ensures PUT /books/{isbn}
query_param(@){forse} = "yes"
               ^ error ICP322
PUT /books/{isbn} has no query parameter `forse`
  did you mean `force`?

ensures DELETE /books/{isbn}
query_param(this){force} = "yes"
                  ^ error ICP322
DELETE /books/{isbn} has no query parameter `force`
  it has no query parameters at all

ensures PUT /books/{isbn}
res_body(@){titel} = "x"
            ^ warning ICP323
the schema of Book declares no field `titel`
  did you mean `title`?

ensures PUT /books/{isbn}
res_body(@).author.nam = "x"
                   ^ warning ICP323
the schema of Author declares no field `nam`
  did you mean `name`?

ensures PUT /books/{isbn}
res_body(@){author.nam} = "x"
                   ^ warning ICP323
the schema of Author declares no field `nam`
  did you mean `name`?

ensures PUT /books/{isbn}
req_body(@)["author"]["brn"] = 1
                      ^ warning ICP323
the schema of Author declares no field `brn`
  did you mean `born`?

ensures PUT /books/{isbn}
res_body(@){author.born} = 1900

ensures PUT /books/{isbn}
res_body(@){free.whatever} = 1

ensures POST /books
res_code(@) = 409 => res_body(@){message} != null

ensures POST /books
res_body(@){message} != null
            ^ warning ICP323
the schema of Book declares no field `message`
  Book has `isbn`, `title`, `pages`, `price`, `status`, `author` and 4 more

invariants
for p in res_body(GET /problems) : for d in p.details : d.mesage != null
                                                          ^ error ICP323
Problem cannot have a field `mesage`: its schema allows no others
  did you mean `message`?

invariants
for p in res_body(GET /problems) :- p.zzz != p.message
                                      ^ error ICP323
Problem cannot have a field `zzz`: its schema allows no others
  Problem has `message` and `details`

invariants
res_body(GET /shelves/1){wood} = res_body(GET /shelves/1){wod}
                                                          ^ error ICP323
Shelf cannot have a field `wod`: its schema allows no others
  did you mean `wood`?

invariants
for a in res_body(GET /animals) :- a.wings = 2

invariants
for b in res_body(GET /books), c in res_body(GET /books/{b.isbn}/copies) :- c > 0 && b.rare

invariants
unique(res_body(GET /books), isbn) && unique(res_body(GET /books), "isnb")
                                                                    ^ warning ICP323
the schema of Book declares no field `isnb`
  did you mean `isbn`?

invariants
sum(res_body(GET /books), author.bron) > 0
                                 ^ warning ICP323
the schema of Author declares no field `bron`
  did you mean `born`?

invariants
sum([c for b in res_body(GET /books), c in res_body(GET /books/{b.isbn}/copies) :- b.rare]) > 0

invariants
[b.author.bron for b in res_body(GET /books) :- b.raer].len > 0
          ^ warning ICP323
the schema of Author declares no field `bron`
  did you mean `born`?
                                                  ^ warning ICP323
the schema of Book declares no field `raer`
  did you mean `rare`?

invariants
[1 for b in res_body(GET /books)].len > 0
       ^ note ICP329
the variable `b` is never used
  use it in the body, or leave the quantifier out

invariants
for eid in res_body(GET /books) :- res_code(GET /books/{e.isbn}) = 200
                                                        ^ error ICP324
`e` is not a variable here, and an invariant has no path parameters
  did you mean `eid`?

ensures DELETE /books/{isbn}
res_code(GET /books/{isnb}) = 404
                     ^ error ICP324
`isnb` is neither a variable nor a path parameter here
  did you mean `isbn`?

invariants
res_code(GET /books/{isbn}) = 404
                     ^ error ICP324
`isbn` is not a variable here, and an invariant has no path parameters
  bind it: for isbn in collection :- ...

invariants
for b in res_body(GET /books) : res_code(GET /books) = 200
    ^ note ICP329
the variable `b` is never used
  use it in the body, or leave the quantifier out

ensures DELETE /books/{isbn}
for isbn in res_body(GET /books) : isbn.rare
    ^ note ICP330
the variable `isbn` hides the path parameter of the same name
  choose another name for it

invariants
for b in res_body(GET /books) : exists b in res_body(GET /books) : b.rare
    ^ note ICP329
the variable `b` is never used
  use it in the body, or leave the quantifier out
                                       ^ note ICP330
the variable `b` hides an outer one of the same name
  choose another name for it

ensures DELETE /books/{isbn}
req_body(@) != prev(res_body(GET /books/{isbn}))
^ warning ICP334
DELETE /books/{isbn} takes no body

ensures DELETE /books/{isbn}
res_body(@) = prev(res_body(GET /books/{isbn}))
^ warning ICP334
the document declares no body for the answer of DELETE /books/{isbn}

ensures DELETE /books/{isbn}
res_body(@) = null

ensures POST /books
for x in res_body(@){details} : x.message != null
                     ^ warning ICP323
the schema of Book declares no field `details`
  Book has `isbn`, `title`, `pages`, `price`, `status`, `author` and 4 more

ensures PUT /books/{isbn}
header(@){ETag} != req_header(@){If-Match}

invariants
for p in res_body(GET /books/1/copies) :- res_body(GET /books/1/copies/{p})

ensures PUT /books/{isbn}
res_body(@) { author . nmae } = "x"
                       ^ warning ICP323
the schema of Author declares no field `nmae`
  did you mean `name`?

ensures PUT /books/{isbn}
res_code(GET /books/req_body(@){isnb}/copies/req_body(@){pages}) = 200
                                ^ warning ICP323
the schema of Book declares no field `isnb`
  did you mean `isbn`?
"""
    ),
)
def test_names(library: ApiSpec, where: str, clause: str, expected: str) -> None:
    assert said(check_contracts(contracts(where, clause), library)) == expected


def test_every_diagnostic_names_its_operation_and_place(library: ApiSpec) -> None:
    place = Place("library.glc", 7, 9, "/PUT ~1books~1{isbn}/ensures/0")
    [found] = check_contracts(
        contracts("ensures PUT /books/{isbn}", "res_body(@){rare}\n && no = 1", place), library
    )
    assert found.operation == "PUT /books/{isbn}"
    assert found.place == Place("library.glc", 8, 5, place.pointer, " && no = 1")


def test_the_caret_stands_in_the_line_of_the_file_where_that_is_known(library: ApiSpec) -> None:
    line = '    - "no = 1"  # comment'
    place = Place("library.glc", 7, 7, excerpt=line)
    [found] = check_contracts(contracts("invariants", "no = 1", place), library)
    assert found.place.caret() == f"{line}\n       ^"


def test_clauses_of_programs_are_pointed_at_in_their_own_text(library: ApiSpec) -> None:
    text = "res_code(GET /books/{isbn}) = 404"
    clause = Clause(
        parse_formula("response_code(GET /books/{isbn}) == 404"),
        text,
        Provenance.INFERRED,
        Place("library.json"),
    )
    [found] = check_contracts(Contracts(invariants=(clause,)), library)
    assert found.place == Place("library.json", None, 22, None, text)


@pytest.mark.parametrize(
    ("label", "hint"),
    [
        ("PATCH /books", "/books has GET, POST only"),
        ("GET /boks/{isbn}", "did you mean `GET /books/{isbn}`?"),
        ("PUT /books/{id}", "the document calls it PUT /books/{isbn}"),
        ("GET /zoo", None),
    ],
)
def test_operations(library: ApiSpec, label: str, hint: str | None) -> None:
    clause = "req_body(@){any} = path_param(@){thing} || no.such.name = 1"
    found = check_contracts(contracts(f"requires {label}", clause), library)
    assert (found[0].code.value, found[0].message) == (
        "ICP308",
        f"the document has no operation {label}",
    )
    assert (found[0].hint, found[0].place.line, found[0].operation) == (hint, 7, label)
    known = hint is not None and hint.startswith("the document calls it")
    assert (len(found) > 1) is known


def test_parameters_of_a_path_may_have_names_of_their_own(library: ApiSpec) -> None:
    found = check_contracts(
        contracts("ensures DELETE /books/{id}", "res_code(GET /books/{id}) = 404"), library
    )
    assert [d.code.value for d in found] == ["ICP308"]


def test_nothing_is_said_of_operations_that_could_not_be_read(library: ApiSpec) -> None:
    spec = replace(library, left_out=("PUT /films/{id}", "GET /films/{id}"))
    found = contracts("ensures PUT /films/{id}", "res_body(GET /films/{id}) = req_body(@)")
    assert check_contracts(found, spec) == ()
    assert [d.code.value for d in check_contracts(found, library)] == ["ICP308", "ICP320"]
