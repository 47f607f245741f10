from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from icepick.errors import Code, ContractError, Diagnostic, DocumentError
from icepick.glacier import (
    Answer,
    Contracts,
    MemoryEnvironment,
    OperationContract,
    Provenance,
    Sent,
    Truth,
    compile_formula,
    contracts_of,
    load_contracts,
    parse_formula,
    print_formula,
    truth_of,
)
from icepick.openapi import ApiSpec, read_spec

DATA = Path(__file__).parents[2].parent / "shared" / "data" / "glacier"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data is not here")


def texts(contract: OperationContract) -> tuple[list[str], list[str]]:
    return [c.text for c in contract.requires], [c.text for c in contract.ensures]


def shown(diagnostic: Diagnostic) -> str:
    return f"{diagnostic.code.value} {diagnostic.message}\n{diagnostic.place.caret()}"


@needs_data
@pytest.mark.parametrize(
    ("name", "operations", "invariants", "clauses"),
    [
        ("orders.glc", 2, 1, 5),
        ("swagger-petstore-glacier.json", 18, 1, 41),
        ("tournaments-glacier-extended.json", 19, 3, 58),
    ],
)
def test_real_files_load_whole(name: str, operations: int, invariants: int, clauses: int) -> None:
    loaded = load_contracts(str(DATA / name))
    contracts = loaded.contracts
    assert loaded.diagnostics == ()
    assert len(contracts.operations) == operations
    assert len(contracts.invariants) == invariants
    assert len(list(contracts.clauses())) == clauses
    for clause in contracts.clauses():
        assert parse_formula(print_formula(clause.formula)) == clause.formula
        assert clause.provenance is Provenance.WRITTEN
        assert clause.place.line is not None


@needs_data
def test_clauses_of_real_files_know_their_place() -> None:
    orders = load_contracts(str(DATA / "orders.glc")).contracts
    quantified = orders.of("GET /orders/{id}").ensures[0]
    assert quantified.text == 'for x in response_body(this) : x.status == "created"'
    assert (quantified.place.line, quantified.place.pointer) == (
        14,
        "/GET ~1orders~1{id}/ensures/0",
    )
    tournaments = load_contracts(str(DATA / "tournaments-glacier-extended.json")).contracts
    clause = tournaments.of("DELETE /tournaments/{tid}").requires[1]
    line = (DATA / "tournaments-glacier-extended.json").read_text().splitlines()
    assert clause.place.line is not None
    assert clause.text in line[clause.place.line - 1]
    assert clause.place.pointer == "/paths/~1tournaments~1{tid}/DELETE/requires/1"


CAPACITY = (
    "for t in res_body(GET /tournaments) :- res_body(GET /tournaments/{t.tid}/players).len <= "
    "res_body(GET /tournaments/{t.tid}/capacity)"
)
GLC = """\
# contracts of the shop
invariants: for o in res_body(GET /orders) : o.total >= 0   # a comment

POST /orders:
  requires:
    - !(req_body(@){quantity} <= 0)  // not nothing
    - "req_body(@){a} = 'b: c'"
    - 'x' in ["x", "y: z"]
    - [1] = [1]
    - @ = 1
    - for t in res_body(GET /tournaments) :-   # over
      res_body(GET /tournaments/{t.tid}/players).len ≤
      res_body(GET /tournaments/{t.tid}/capacity)
    - |
      for x in a : for y in b :
        x != y
    - true
  ensures: res_code(@) in 2xx
delete /orders/{id}:
  ensures: ["res_code(@) = 204", "res_body(@) = null"]
/pets:
  POST:
    operationId: addPet
    requires: res_code(GET /pets/req_body(@){id}) = 404
"""


@needs_data
@pytest.mark.parametrize("name", sorted(p.name for p in DATA.iterdir()) if DATA.is_dir() else [])
def test_the_shared_files_evaluate(name: str) -> None:
    """On a service that answers every GET with one object, each clause has a truth value."""
    body = {"id": 1, "pid": "1", "tid": 1, "status": "created", "quantity": 1, "username": "u"}
    answer = Answer(200, {}, body)
    env = MemoryEnvironment(Sent(body, {}, {}, body), answer, otherwise=answer)
    loaded = load_contracts(str(DATA / name))
    values = [truth_of(compile_formula(c.formula), env) for c in loaded.contracts.clauses()]
    assert len(values) > 3
    assert Truth.TRUE in values


def test_contract_files(tmp_path: Path) -> None:
    file = tmp_path / "shop.glacier"
    file.write_text(GLC, encoding="utf-8")
    loaded = load_contracts(str(file))
    contracts = loaded.contracts
    assert [print_formula(c.formula) for c in contracts.invariants] == [
        "for o in res_body(GET /orders) :- o.total >= 0"
    ]
    requires = contracts.of("POST /orders").requires
    assert [print_formula(c.formula) for c in requires] == [
        "!req_body(@){quantity} <= 0",
        'req_body(@){a} = "b: c"',
        '"x" in ["x", "y: z"]',
        "[1] = [1]",
        CAPACITY,
        "for x in a :- for y in b :- x != y",
        "true",
    ]
    assert [c.place.line for c in requires] == [6, 7, 8, 9, 11, 15, 17]
    assert texts(contracts.of("POST /orders"))[1] == ["res_code(@) in 2xx"]
    assert texts(contracts.of("DELETE /orders/{id}"))[1] == [
        "res_code(@) = 204",
        "res_body(@) = null",
    ]
    assert texts(contracts.of("POST /pets"))[0] == ["res_code(GET /pets/req_body(@){id}) = 404"]
    assert [shown(d) for d in loaded.diagnostics] == [
        "ICP305 `@` (or `this`) is the exchange as a whole, not a value\n    - @ = 1\n      ^"
    ]


def test_a_broken_clause_is_reported_in_its_file_and_the_others_load(tmp_path: Path) -> None:
    file = tmp_path / "a.glc"
    file.write_text(
        "POST /a:\n"
        "  ensures:\n"
        "    - a = 1\n"
        "    - b =< 2\n"
        "    - |\n"
        "      c = 1\n"
        "      && (d and e)\n"
        "    - f = 1\n"
        "    - 5\n"
        "    - {}\n"
        "  ensure: a = 1\n"
        "GET /a: 7\n",
        encoding="utf-8",
    )
    loaded = load_contracts(str(file))
    assert texts(loaded.contracts.of("POST /a"))[1] == ["a = 1", "f = 1", "5"]
    assert [(shown(d), d.place.line, d.operation) for d in loaded.diagnostics] == [
        ("ICP307 `ensure` is no part of a contract; it is left out\nNone", 11, "POST /a"),
        ("ICP301 `<` cannot stand here\n    - b =< 2\n         ^", 4, "POST /a"),
        ("ICP301 `and` cannot stand here\n      && (d and e)\n            ^", 7, "POST /a"),
        ("ICP301 `{` cannot stand here\n    - {}\n      ^", 10, "POST /a"),
        ("ICP307 the contract of GET /a is not a mapping; it is left out\nNone", 12, "GET /a"),
    ]


def test_places_in_json_with_escapes(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text('{"invariants": [\n  "a = 1 and b",\n  "a = \\"x\\" and b", 5]}')
    plain, escaped, number = load_contracts(str(file)).diagnostics
    assert shown(plain).endswith('\n  "a = 1 and b",\n         ^')
    assert (plain.place.line, plain.place.column) == (2, 10)
    assert shown(escaped).endswith('\na = "x" and b\n        ^')
    assert escaped.place.line == 3
    assert (number.code, number.hint) == (Code.BROKEN_CONTRACT, "put the clause in quotes")


def spec_of(tmp_path: Path, **more: Any) -> ApiSpec:
    responses = {"200": {"description": "fine"}}
    identified = {"in": "path", "name": "id", "required": True, "schema": {"type": "string"}}
    document = {
        "openapi": "3.0.3",
        "info": {"title": "Shop", "version": "1"},
        "paths": {
            "/orders": {
                "post": {
                    "operationId": "postOrder",
                    "responses": responses,
                    **more.get("post", {}),
                }
            },
            "/orders/{id}": {"get": {"parameters": [identified], "responses": responses}},
        },
        **more.get("root", {}),
    }
    file = tmp_path / "openapi.json"
    file.write_text(json.dumps(document, indent=1))
    return read_spec(str(file))


@pytest.mark.parametrize(
    ("root", "post"),
    [
        ({"invariants": ["a = 1"]}, {"requires": "b = 1", "ensures": ["c = 1", "d = 1"]}),
        (
            {"x-glacier": {"invariants": "a = 1"}},
            {"x-glacier": {"requires": ["b = 1"], "ensures": ["c = 1", "d = 1"]}},
        ),
        (
            {"x-invariants": ["a = 1"]},
            {
                "x-glacier-requires": "b = 1",
                "x-ensures": "c = 1",
                "x-glacier": {"ensures": "d = 1"},
            },
        ),
    ],
)
def test_extensions_of_a_document(tmp_path: Path, root: Any, post: Any) -> None:
    spec = spec_of(tmp_path, root=root, post=post)
    loaded = contracts_of(spec)
    assert loaded.diagnostics == ()
    assert [c.text for c in loaded.contracts.invariants] == ["a = 1"]
    assert texts(loaded.contracts.of("POST /orders")) == (["b = 1"], ["c = 1", "d = 1"])
    lines = Path(spec.source).read_text().splitlines()
    for clause in loaded.contracts.clauses():
        assert clause.place.line is not None
        assert clause.place.pointer is not None
        assert clause.text in "".join(lines[clause.place.line - 1 : clause.place.line + 1])
    assert load_contracts(spec.source) == loaded


def test_broken_extensions_are_reported(tmp_path: Path) -> None:
    spec = spec_of(
        tmp_path, root={"x-glacier": "a = 1"}, post={"x-glacier": {"ensures": "a and b"}}
    )
    loaded = contracts_of(spec)
    assert loaded.contracts == Contracts()
    assert [(d.code, d.operation) for d in loaded.diagnostics] == [
        (Code.BROKEN_CONTRACT, None),
        (Code.CONTRACT_SYNTAX, "POST /orders"),
    ]


def test_yaml_that_takes_a_quantifier_for_a_mapping(tmp_path: Path) -> None:
    file = tmp_path / "openapi.yaml"
    file.write_text(
        "openapi: 3.0.0\n"
        "info: {title: a, version: '1'}\n"
        "paths: {}\n"
        "x-glacier:\n"
        "  invariants:\n"
        "    - for x in res_body(GET /a) : x.b = 1\n"
    )
    [clause] = contracts_of(read_spec(str(file))).contracts.invariants
    assert clause.formula == parse_formula("for x in res_body(GET /a) :- x.b = 1")
    assert clause.place.line == 6


def test_operations_by_id_and_those_the_api_does_not_have(tmp_path: Path) -> None:
    spec = spec_of(tmp_path)
    file = tmp_path / "a.glc"
    file.write_text(
        "postOrder:\n  requires: a = 1\n"
        "POST /orders:\n  requires: b = 1\n"
        "GET /orders/{orderId}:\n  requires: c = 1\n"
        "dropOrder:\n  requires: d = 1\n"
    )
    loaded = load_contracts(str(file), spec)
    assert list(loaded.contracts.operations) == ["POST /orders"]
    assert texts(loaded.contracts.of("POST /orders"))[0] == ["a = 1", "b = 1"]
    assert [(d.code, d.message, d.hint, d.place.line) for d in loaded.diagnostics] == [
        (
            Code.UNKNOWN_OPERATION,
            "the API has no operation 'GET /orders/{orderId}'",
            "the document calls it GET /orders/{id}",
            5,
        ),
        (
            Code.UNKNOWN_OPERATION,
            "the API has no operation 'dropOrder'",
            "name an operation as `POST /path` or by its operationId",
            7,
        ),
    ]
    assert set(load_contracts(str(file)).contracts.operations) == {
        "postOrder", "POST /orders", "GET /orders/{orderId}", "dropOrder",
    }  # fmt: skip


def test_files_without_contracts(tmp_path: Path) -> None:
    file = tmp_path / "a.glc"
    file.write_text("- a\n- b\n")
    with pytest.raises(ContractError) as caught:
        load_contracts(str(file))
    assert caught.value.code is Code.NOT_A_CONTRACT_FILE
    with pytest.raises(DocumentError):
        load_contracts(str(tmp_path / "none.glc"))


def test_merged_contracts_keep_every_clause(tmp_path: Path) -> None:
    file = tmp_path / "a.glc"
    file.write_text("invariants: a = 1\nPOST /a:\n  requires: b = 1\n")
    one = load_contracts(str(file)).contracts
    two = one.merged(one)
    assert len(two.invariants) == len(two.of("POST /a").requires) == 2
    assert two.of("GET /none") == OperationContract("GET /none")
