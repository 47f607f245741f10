from __future__ import annotations

from typing import Any

import pytest

from icepick.glacier import Answer, MemoryEnvironment, Sent
from tests.glacier.building import Counting, answers, exchange, outcome, value

# A missing field is unknown, so that `u` stands for unknown wherever it is put.
BODY = {"t": True, "f": False, "one": 1, "two": 2, "text": "abc", "null": None, "list": [1, 2, 3]}
ENV = exchange(res=BODY)


def of(text: str) -> str:
    """The value of a formula in which t, f and u stand for true, false and unknown."""
    for word in ("t", "f", "u"):
        text = text.replace(f"<{word}>", f"res_body(@){{{word}}}")
    return value(text, ENV)


@pytest.mark.parametrize(
    ("operator", "table"),
    [
        ("&&", "tt:t tf:f tu:u ft:f ff:f fu:f ut:u uf:f uu:u"),
        ("||", "tt:t tf:t tu:t ft:t ff:f fu:u ut:t uf:u uu:u"),
        ("=>", "tt:t tf:f tu:u ft:t ff:t fu:t ut:t uf:u uu:u"),
        ("=", "tt:t tf:f tu:u ft:f ff:t fu:u ut:u uf:u uu:u"),
        ("!=", "tt:f tf:t tu:u ft:t ff:f fu:u ut:u uf:u uu:u"),
    ],
)
def test_truth_tables(operator: str, table: str) -> None:
    names = {"t": "true", "f": "false", "u": "unknown"}
    for row in table.split():
        left, right, result = row[0], row[1], row[3]
        assert of(f"<{left}> {operator} <{right}>") == names[result], row


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("!<t>", "false"),
        ("!<f>", "true"),
        ("!<u>", "unknown"),
        ("<t>", "true"),
        ("<u>", "unknown"),
        ("res_body(@){one}", "unknown"),
        ("res_body(@){null}", "unknown"),
        ("!res_body(@){text}", "unknown"),
        ("<t> && res_body(@){one}", "unknown"),
        ("<f> && res_body(@){one}", "false"),
    ],
)
def test_truth_of_values(text: str, expected: str) -> None:
    assert of(text) == expected


@pytest.mark.parametrize("operator", ["<", "<=", ">", ">=", "=", "!=", "in"])
@pytest.mark.parametrize(("left", "right"), [("<u>", "1"), ("1", "<u>"), ("<u>", "<u>")])
def test_unknown_on_either_side_of_a_comparison(operator: str, left: str, right: str) -> None:
    assert of(f"{left} {operator} {right}") == "unknown"


@pytest.mark.parametrize("operator", ["+", "-", "*"])
@pytest.mark.parametrize(("left", "right"), [("<u>", "1"), ("1", "<u>"), ('"x"', "1"), ("1", "T")])
def test_unknown_on_either_side_of_arithmetic(operator: str, left: str, right: str) -> None:
    assert of(f"{left} {operator} {right} = 1") == "unknown"


@pytest.mark.parametrize(
    "call",
    [
        "<u>.len = 1",
        "contains(<u>, 1)",
        "contains([1], <u>)",
        "unique(<u>)",
        "sum(<u>) = 1",
        "min(<u>) = 1",
        "max(<u>) = 1",
        "keys(<u>) = 1",
        "prev(<u>) = 1",
        "[1, <u>] = 1",
        "<u>.a[0] = 1",
        "<u> in 2xx",
        "strict(<u> = 1)",
        "for x in <u> :- true",
        "exists x in <u> :- true",
    ],
)
def test_unknown_goes_through_functions(call: str) -> None:
    assert of(call) == "unknown"


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("1 < 2", "2 < 1"),
        ("2 <= 2", "3 <= 2"),
        ("2 > 1.5", "1 > 1.5"),
        ("2 >= 2.0", "1 >= 2"),
        ('"a" < "b"', '"b" < "a"'),
        ("1 = 1.0", "1 = 2"),
        ("1 != 2", "1 != 1.0"),
        ("1 + 2 * 3 = 7", "(1 + 2) * 3 = 7"),
        ("5 - 2 - 1 = 2", "5 - (2 - 1) = 2"),
        ("2 in [1, 2]", "3 in [1, 2]"),
        ("1 in res_body(@){list}", "4 in res_body(@){list}"),
        ('"b" in "abc"', '"d" in "abc"'),
        ("res_code(@) in 2xx", "res_code(@) in 4xx"),
        ("contains(res_body(@){list}, 2)", "contains(res_body(@){list}, 9)"),
        ('contains(res_body(@){text}, "bc")', 'contains(res_body(@){text}, "cb")'),
        ("res_body(@){list}.len = 3", "res_body(@){text}.len = 4"),
        ("len(keys(res_body(@))) = 7", "keys(res_body(@))[0] = 1"),
        ("unique(res_body(@){list})", "unique([1, 2, 1.0])"),
        ("unique([1, true, \"1\"])", "unique([[1], [1]])"),
        ("sum(res_body(@){list}) = 6", "sum([]) = 1"),
        ("min(res_body(@){list}) = 1", "max(res_body(@){list}) = 1"),
        ('max(["b", "a"]) = "b"', 'min(["b", "a"]) = "b"'),
        ("res_body(@){list}[2] = 3", "res_body(@){list}[2] = 1"),
        ("null = null", "null != null"),
    ],
)  # fmt: skip
def test_operators_and_functions(true: str, false: str) -> None:
    assert (value(true, ENV), value(false, ENV)) == ("true", "false")


@pytest.mark.parametrize(
    "text",
    [
        '1 < "2"',
        "true < false",
        "null < 1",
        "[1] < [2]",
        "1 in 2",
        "1 in res_body(@)",
        '1 in "12"',
        '"a" in 2xx',
        "1.len = 1",
        "null.len = 1",
        "keys([1]) = 1",
        "min([]) = 1",
        'max([1, "a"]) = 1',
        'sum([1, "a"]) = 1',
        "1e308 * 10 = 1",
        "1e308 * 10 * 0 = 0",
        "1 + true = 2",
        "res_body(@){one}.x = 1",
        "res_body(@){one}[0] = 1",
        "for x in 5 :- true",
        "for x in res_body(@) :- true",
        "sum([1], x) = 1",
    ],
)
def test_what_cannot_be_said_is_unknown(text: str) -> None:
    assert value(text, ENV) == "unknown"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("res_body(@){null} = null", "true"),
        ("res_body(@){null} != null", "false"),
        ("res_body(@){missing} = null", "true"),
        ("null = res_body(@){missing}", "true"),
        ("res_body(@){missing} != null", "false"),
        ("res_body(@){missing.more} = null", "true"),
        ("res_body(@){null.more} = null", "true"),
        ("res_body(@){list}[9] = null", "true"),
        ("strict(res_body(@){missing} = null)", "true"),
        ("res_body(@){one} = null", "false"),
        ("res_body(@){one} != null", "true"),
        ("path_param(@){id} = null", "true"),
        ("id = null", "true"),
        ("res_body(@){one.more} = null", "unknown"),
        ("res_body(@){missing} = res_body(@){null}", "unknown"),
        ("res_body(@){missing}.len = null", "unknown"),
        ("res_body(GET /gone) = null", "unknown"),
        ("res_code(GET /gone) = null", "unknown"),
    ],
)
def test_missing_counts_as_null_beside_null_only(text: str, expected: str) -> None:
    assert value(text, ENV) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("for x in [1, 2] :- x < 3", "true"),
        ("for x in [1, 2, 3] :- x < 3", "false"),
        ("for x in [] :- x < 3", "true"),
        ('for x in [1, "a"] :- x < 3', "unknown"),
        ('for x in ["a", 5] :- x < 3', "false"),
        ("for x in [1, 5] :- x", "unknown"),
        ("exists x in [1, 5] :- x > 3", "true"),
        ("exists x in [1, 2] :- x > 3", "false"),
        ("exists x in [] :- true", "false"),
        ('exists x in ["a", 1] :- x > 3', "unknown"),
        ('exists x in ["a", 5] :- x > 3', "true"),
        ("for x, y in [1, 2, 3] :- x != y", "true"),
        ("for x, y in [1, 2, 1] :- x != y", "false"),
        ("for x, y in [1] :- false", "true"),
        ("exists x, y in [1, 2] :- x > y", "true"),
        ("for x, y, z in [1, 2, 3] :- x + y + z = 6", "true"),
        ("for x, y in 5 :- true", "unknown"),
        ('for x, y in [1, "a"] :- x < y', "unknown"),
        ("for x in [1, 2], y in [3, 4] :- x < y", "true"),
        ("for x in [1, 3], y in [3, 4] :- x < y", "false"),
        ("exists x in [1, 2], y in [2, 3] :- x = y", "true"),
        ("for x in [[1], [2, 3]], y in x :- y > 0", "true"),
        ("for x in [1, 2] : exists y in [1, 2] :- x = y", "true"),
        ("for x in [[1]] : for x in x :- x = 1", "true"),
        ("for x in [1] :- (for x in [2] :- x = 2) && x = 1", "true"),
        ("(for x in [1] :- x = 1) && (for y in [2] :- y = 2)", "true"),
    ],
)
def test_quantifiers(text: str, expected: str) -> None:
    assert value(text) == expected


def test_parts_of_this_exchange() -> None:
    env = MemoryEnvironment(
        Sent({"id": "7"}, {"page": "2", "tags": ["a"]}, {"X-Key": "k"}, {"a": {"b": [1]}}),
        Answer(201, {"location": "/x/7", "ETag": "e"}, [1, 2]),
    )
    for text in (
        "res_code(@) = 201",
        "res_body(@)[1] = 2",
        "req_body(@){a.b.0} = 1",
        'header(@){Location} = "/x/7"',
        'res_header(@){etag} = "e"',
        'req_header(@){x-key} = "k"',
        'path_param(@){id} = "7"',
        'query_param(@){page} = "2"',
        'contains(query_param(@){tags}, "a")',
        'id = "7"',
        "header(@){Missing} = null",
    ):
        assert value(text, env) == "true", text


@pytest.mark.parametrize(
    "text",
    ["res_code(@) = 200", "res_body(@) = 1", "header(@){a} = 1", "res_body(@){a} = null"],
)
def test_there_is_no_response_before_the_call(text: str) -> None:
    result = outcome(text, MemoryEnvironment())
    assert (result.value.value, result.reason) == ("unknown", "there is no response yet")


def test_a_body_that_was_not_sent_is_no_null() -> None:
    env = MemoryEnvironment(Sent(), Answer(204))
    assert value("req_body(@) = res_body(@)", env) == "unknown"
    assert value("res_body(@) = null", env) == "true"
    assert outcome("req_body(@){a} = 1", env).reason == "the request has no body"


@pytest.mark.parametrize(
    ("hole", "path"),
    [
        (7, "/a/7"),
        (7.0, "/a/7"),
        (1.5, "/a/1.5"),
        ("x-1_~.z", "/a/x-1_~.z"),
        ("a/b c?d", "/a/a%2Fb%20c%3Fd"),
        ("é", "/a/%C3%A9"),
        (True, "/a/true"),
    ],
)
def test_values_in_paths(hole: Any, path: str) -> None:
    env = Counting(exchange(req={"id": hole}))
    outcome("res_code(GET /a/req_body(@){id}) = 200", env)
    outcome("res_code(GET /a/{req_body(@).id}/b/req_body(@){id}) = 200", env)
    assert env.asked == [path, f"{path}/b/{path.removeprefix('/a/')}"]


@pytest.mark.parametrize("hole", [None, [1], {"a": 1}, ""])
def test_values_that_cannot_stand_in_a_path(hole: Any) -> None:
    env = Counting(exchange(req={"id": hole}))
    assert value("res_code(GET /a/req_body(@){id}) = 404", env) == "unknown"
    assert env.asked == []


def test_queries() -> None:
    env = Counting(exchange(req={"s": "a&b", "e": ""}))
    outcome("res_code(GET /a?s={req_body(@).s}&e=req_body(@){e}) = 200", env)
    assert env.asked == ["/a?s=a%26b&e="]


def test_a_variable_comes_before_a_path_parameter_of_its_name() -> None:
    env = Counting(MemoryEnvironment(Sent({"pid": "p"})))
    outcome("res_code(GET /a/{pid}) = 1 || for pid in [1] :- res_code(GET /a/{pid}) = 1", env)
    assert env.asked == ["/a/p", "/a/1"]


def test_a_name_that_is_nothing() -> None:
    result = outcome("res_code(GET /a/{e.pid}) = 404", MemoryEnvironment())
    assert result.value.value == "unknown"
    assert result.reason == "`e` is neither a variable nor a path parameter here"


def test_before_and_now() -> None:
    env = MemoryEnvironment(now=answers(n=2), before=answers(n=1))
    assert value("res_body(GET /n) = prev(res_body(GET /n)) + 1", env) == "true"
    assert value("prev(res_body(GET /n) = 1)", env) == "true"
    assert value("for x in [1] :- prev(res_body(GET /n)) = x", env) == "true"
    assert value("prev(prev(res_body(GET /n))) = 1", env) == "true"


def test_this_response_has_no_before() -> None:
    result = outcome("prev(res_body(@)) = 1", ENV)
    assert result.reason == "the response of this call does not exist before it"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("res_body(GET /gone) = 1", "GET /gone failed"),
        ("prev(res_code(GET /gone)) = 1", "GET /gone failed"),
        ("res_body(GET /missing) = 1", "GET /missing answered 404"),
        ("res_body(@){a.b} = 1", "res_body(@){a} is missing"),
        ("res_body(@){one.b} = 1", "res_body(@){one.b} is asked of 1, which is not an object"),
        ('1 < "a"', '1 and "a" have no order'),
        ("for x in 5 :- true", "5 is not a collection"),
        ("res_body(@){one}", "1 is not a truth value"),
    ],
)
def test_reasons(text: str, reason: str) -> None:
    env = exchange(res=BODY, now={"/missing": Answer(404, body=1)})
    assert outcome(text, env).reason == reason


def test_the_body_of_a_refused_get_is_not_the_resource_but_its_code_and_headers_are() -> None:
    env = MemoryEnvironment(now={"/a": Answer(404, {"X": "1"}, {"message": "gone"})})
    assert value("res_body(GET /a){message} = 'gone'", env) == "unknown"
    assert value("res_code(GET /a) = 404", env) == "true"
    assert value("header(GET /a){x} = 1", env) == "true"


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("res_code(GET /a) = 1 && res_code(GET /b) = 200", ["/a"]),
        ("res_code(GET /a) = 200 && res_code(GET /b) = 200", ["/a", "/b"]),
        ("res_code(GET /a) = 200 || res_code(GET /b) = 200", ["/a"]),
        ("res_code(GET /a) = 1 => res_code(GET /b) = 200", ["/a"]),
        ("res_body(GET /none) = res_body(GET /b)", ["/none"]),
        ("res_code(GET /none) = 1 && res_code(GET /b) = 1", ["/none", "/b"]),
        ("for x in [1, 2] :- res_code(GET /{x}) = 1", ["/1", "/2"]),
        ("exists x in res_body(GET /a) :- res_code(GET /b) = 200", ["/a", "/b"]),
        ("res_body(GET /a) = res_body(GET /a)", ["/a"]),
        ("res_body(GET /a) = prev(res_body(GET /a))", ["/a", "before /a"]),
        ("prev(res_code(GET /a)) = 1 && res_code(GET /a) = 1", ["before /a"]),
    ],
)
def test_only_the_gets_that_are_needed_are_asked_for_in_order_and_once(
    text: str, asked: list[str]
) -> None:
    env = Counting(
        MemoryEnvironment(now=answers(a=[1, 2], b=[1]), before=answers(a=[1, 2])),
    )
    result = outcome(text, env)
    assert env.asked == asked
    assert [*result.asked, *(f"before {path}" for path in result.asked_before)] == asked


def test_deeply_nested_bodies_are_unknown_and_do_not_overflow() -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    env = exchange(deep, [deep])
    assert value("req_body(@) = res_body(@)", env) == "unknown"
    assert value("strict(req_body(@) = res_body(@))", env) == "unknown"
    assert value("unique(req_body(@))", env) == "unknown"
    assert value("req_body(@)", env) == "unknown"
