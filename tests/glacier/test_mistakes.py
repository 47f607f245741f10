"""What people meet when a formula cannot be read: golden texts."""

from __future__ import annotations

import pytest

from icepick.errors import Code, ContractError
from icepick.glacier import parse_formula

VALUE = "a value such as res_code(@), a name, a number or a text"
FUNCTIONS = (
    "the functions are res_code, res_body, res_header, req_body, req_header, path_param, "
    "query_param, len, contains, unique, sum, min, max, keys, prev, strict"
)
PARTS = (
    "say which part of it: res_code(@), res_body(@), req_body(@), header(@), path_param(@) or "
    "query_param(@)"
)
UNCLOSED = (
    "a text ends on the line it starts on, with the quote it starts with; write \\n for a line "
    "break"
)


def shown(text: str) -> str:
    with pytest.raises(ContractError) as caught:
        parse_formula(text, "api.glc", 3)
    error = caught.value
    assert error.place is not None
    return f"{error.code.value} {error.place}: {error.message}\n{error.place.caret()}\n{error.hint}"


@pytest.mark.parametrize(
    ("text", "column", "message", "hint"),
    [
        ("a =< b", 4, "`<` cannot stand here", "write <= for `=<`"),
        ("a and b", 3, "`and` cannot stand here", "write && for `and`"),
        ("a or b", 3, "`or` cannot stand here", "write || for `or`"),
        ("not a", 5, "`a` cannot stand here", "write ! for `not`"),
        ("a implies b", 3, "`implies` cannot stand here", "write => for `implies`"),
        ("forall x in c :- x", 8, "`x` cannot stand here", "write `for x in collection :- ...`"),
        ("any x in c : x", 5, "`x` cannot stand here", "write `exists x in collection :- ...`"),
        (
            "for x in c x.a = 1",
            12,
            "`x` cannot stand here",
            "a quantifier needs `:-` between its collection and its body",
        ),
        (
            "for x in c",
            11,
            "the formula ends too early",
            "a quantifier needs `:-` between its collection and its body",
        ),
        ("a & b", 3, "`&` cannot stand here", "write && for `&`"),
        ("a | b", 3, "`|` cannot stand here", "write || for `|`"),
        ("a <> b", 4, "`>` cannot stand here", "write != for `<>`"),
        ("a === b", 5, "`=` cannot stand here", "write = (or strict(a = b) for exact equality)"),
        ("a -> b", 4, "`>` cannot stand here", "write => for `->`"),
        (
            "a / b = 1",
            3,
            "`/` cannot stand here",
            "there is no division; multiply the other side instead",
        ),
        (
            "a < b < c",
            7,
            "`<` cannot stand here",
            "comparisons do not chain; write `a < b && b < c`",
        ),
        ("a =", 4, "the formula ends too early", f"expected {VALUE}"),
        ("  ", 1, "the formula is empty", f"expected {VALUE}"),
        ("for x in : a", 10, "`:` cannot stand here", f"expected {VALUE}"),
        ("exists x : a", 10, "`:` cannot stand here", "expected `in` or `,`"),
        (
            "res_code(GET players) = 1",
            14,
            "`players` cannot stand here",
            "a request is written GET /path: its path starts with a slash",
        ),
        (
            "GET /x = 1",
            5,
            "`/` cannot stand here",
            "say what of the answer: res_code(GET /path) or res_body(GET /path)",
        ),
        ("a{b c} = 1", 5, "`c` cannot stand here", "expected `}`"),
        ("'abc", 1, "this text is never closed", UNCLOSED),
        (
            r"'\q' = a",
            2,
            "`\\q` is not an escape",
            "a text knows \\n \\t \\r \\b \\f \\\\ \\\" \\' \\/ and \\u with four digits",
        ),
        ("for T in c : a", 5, "`T` is a word of the language, not a name", "choose another name"),
        ("for x, x in c : a", 8, "`x` stands twice among the variables", None),
        ("a[1.5] = b", 3, "`1.5` cannot number an element", "elements are numbered from 0"),
        ("a = 1e999", 5, "this number is too large", None),
        (
            "res_body(GET /a {x}) = 1",
            16,
            "a path has no spaces",
            "close the gap, or write %20 for a space",
        ),
    ],
)
def test_syntax(text: str, column: int, message: str, hint: str | None) -> None:
    excerpt = text.rstrip()
    expected = f"ICP301 api.glc:3:{column}: {message}\n{excerpt}\n{' ' * (column - 1)}^\n{hint}"
    assert shown(text) == expected


@pytest.mark.parametrize(
    ("text", "column", "message", "hint"),
    [
        ("(a", 1, "this `(` is never closed", "a `)` is missing"),
        ("a = b)", 6, "this `)` closes nothing", "remove it, or open it with `(` further left"),
        ("len(a]", 6, "this `]` stands where `)` would close `(`", "a `)` is missing before it"),
        (
            "res_code(GET /a/{b) = 1",
            19,
            "this `)` stands where `}` would close `{`",
            "a `}` is missing before it",
        ),
    ],
)
def test_brackets(text: str, column: int, message: str, hint: str) -> None:
    assert shown(text) == (
        f"ICP302 api.glc:3:{column}: {message}\n{text}\n{' ' * (column - 1)}^\n{hint}"
    )


@pytest.mark.parametrize(
    ("text", "code", "message", "hint"),
    [
        (
            "response_cod(this) == 200",
            "ICP304",
            "there is no function `response_cod`",
            "did you mean `response_code`?",
        ),
        (
            "response_cod(GET /x) == 200",
            "ICP304",
            "there is no function `response_cod`",
            "did you mean `response_code`?",
        ),
        ("lenght(a) = 1", "ICP304", "there is no function `lenght`", "did you mean `length`?"),
        ("zzz(a)", "ICP304", "there is no function `zzz`", FUNCTIONS),
        ("@ = 1", "ICP305", "`@` (or `this`) is the exchange as a whole, not a value", PARTS),
        ("len(@) = 1", "ICP305", "`len` cannot take `@` as it is", "write res_body(...) around it"),
        (
            "len(GET /a) = 1",
            "ICP305",
            "`len` cannot take a request as it is",
            "write res_body(...) around it",
        ),
        ("len() = 1", "ICP305", "`len` takes one value, not 0", "write len(value)"),
        (
            "contains(a)",
            "ICP305",
            "`contains` takes a collection and a value, not 1 values",
            "write contains(collection, value)",
        ),
        (
            "res_body(a) = 1",
            "ICP305",
            "`res_body` takes an exchange: `@`, or a GET with its path",
            "write res_body(@) or res_body(GET /path)",
        ),
        (
            "req_body(GET /a) = 1",
            "ICP305",
            "`req_body` belongs to the request of this operation, not to a GET",
            "write req_body(@), or res_body(GET /path) for what the GET answers",
        ),
        (
            "strict(a < b)",
            "ICP305",
            "`strict` takes one equality",
            "write strict(a = b) or strict(a != b)",
        ),
        (
            "min(a, 1) = 2",
            "ICP305",
            "the second argument of `min` is the name of a field",
            'write min(collection, "field")',
        ),
    ],
)
def test_functions(text: str, code: str, message: str, hint: str) -> None:
    assert shown(text) == f"{code} api.glc:3:1: {message}\n{text}\n^\n{hint}"


def test_only_get() -> None:
    assert shown("res_code(DELETE /a) = 200") == (
        "ICP306 api.glc:3:10: a contract asks with GET only, not with DELETE\n"
        "res_code(DELETE /a) = 200\n"
        "         ^\n"
        "looking must not change the service; say what a GET shows before and after"
    )


def test_the_line_of_the_trouble_is_shown() -> None:
    assert shown("a = 1\n  && (b = 2) c\n  && d") == (
        "ICP301 api.glc:4:14: `c` cannot stand here\n"
        "  && (b = 2) c\n"
        "             ^\n"
        "expected a comparison (= != < <= > >= in), &&, || or =>, `in` or the end of the formula"
    )


@pytest.mark.parametrize(
    "text",
    [
        "(" * 10_000 + "a" + ")" * 10_000,
        "(" * 10_000,
        "[" * 10_000,
        "!" * 10_000 + "a",
        "a => " * 10_000 + "a",
        "a" + ".b" * 10_000 + " = 1",
        "a" + " + a" * 10_000 + " = 1",
        "for x in a : " * 10_000 + "b",
        "a = 1 && (" * 10_000 + "b" + ")" * 10_000,
    ],
    ids=["pairs", "open", "lists", "not", "implies", "fields", "sums", "quantifiers", "and"],
)
def test_deep_nesting_is_refused(text: str) -> None:
    with pytest.raises(ContractError) as caught:
        parse_formula(text)
    assert caught.value.code is Code.CONTRACT_TOO_DEEP


def test_long_but_flat_formulas_are_fine() -> None:
    text = " && ".join(["a = 1"] * 2_000)
    tree = parse_formula(text)
    assert len(tree.operands) == 2_000  # type: ignore[union-attr]
