from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from icepick.errors import Code, ContractError, IcepickError
from icepick.openapi.types import ABSENT
from icepick.protocol import (
    ProtocolError,
    check_protocols,
    from_arazzo,
    parse_protocol,
    print_text,
    read_protocols,
    to_arazzo,
)
from icepick.protocol.tree import (
    Argument,
    Clause,
    End,
    External,
    Function,
    Internal,
    Literal,
    Receive,
    Reference,
    Send,
    Session,
    Type,
)
from tests.protocol.documents import demo


def _body(text: str) -> Session:
    [definition] = parse_protocol(text).definitions
    return definition.body


def _send(text: str) -> Send:
    body = _body(f"S = {text}")
    assert isinstance(body, Internal)
    return body.branches[0]


def _receive(text: str) -> Receive:
    body = _body(f"S = {text}")
    assert isinstance(body, External)
    return body.branches[0]


def test_arguments() -> None:
    send = _send(
        "!op(a: Int(gen), b: String[], c, d: Any(null), body.e = f, g = h: Int(-1.5e2), "
        '"lit", i = [1, {"k": true}], j = absent) . end'
    )
    assert send.operation == "op"
    assert [(one.variable, one.place) for one in send.arguments] == [
        ("a", None),
        ("b", None),
        ("c", None),
        ("d", None),
        ("f", "body.e"),
        ("h", "g"),
        (None, None),
        (None, "i"),
        (None, "j"),
    ]
    assert send.arguments[1].type == Type("String", many=True)
    assert send.arguments[2] == Argument("c")
    literals = [one.made.value for one in send.arguments if isinstance(one.made, Literal)]
    assert literals == [None, -150.0, "lit", [1, {"k": True}], ABSENT]


@pytest.mark.parametrize(
    ("text", "operation"),
    [
        ("!a.b/c-d() . end", "a.b/c-d"),
        ('!"GET /pets"() . end', "GET /pets"),
        ("!rec() . end", "rec"),
        ("!op ( ) . end", "op"),
    ],
)
def test_operations_have_the_names_that_documents_give_them(text: str, operation: str) -> None:
    assert _send(text).operation == operation


@pytest.mark.parametrize(("code", "status"), [("C201", "201"), ("404", "404"), ("c4xx", None),
                                              ("C4xx", "4XX"), ("5XX", "5XX")])  # fmt: skip
def test_response_codes(code: str, status: str | None) -> None:
    if status is None:
        with pytest.raises(ProtocolError):
            _receive(f"?{code}() . end")
    else:
        assert _receive(f"?{code}() . end").status == status


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("<x > 1 && y < 2>", ["x > 1 && y < 2"]),
        ("<x >= 1 => y <= 2> // why\n ", ["x >= 1 => y <= 2"]),
        ("<x = \"> .\"; y = ';'>", ['x = "> ."', "y = ';'"]),
        ("< check(a, b) ; other() >", ["check", "other"]),
        ("<contains(a, b)>", ["contains(a, b)"]),
        ("<len(a) > 0>", ["len(a) > 0"]),
        ("<>", []),
    ],
)
def test_assertions_end_before_the_full_stop(text: str, pieces: list[str]) -> None:
    found = _receive(f"?C200(){text} . end").assertions
    assert [one.name if isinstance(one, Function) else one.text for one in found] == pieces


def test_a_clause_knows_where_it_stands_in_the_file() -> None:
    text = "// first line\nS = ?C200(a: Int)<\n  a = bound> . end"
    [clause] = parse_protocol(text).definitions[0].body.branches[0].assertions  # type: ignore[union-attr]
    assert isinstance(clause, Clause)
    assert text[slice(*clause.span)] == "a = bound"
    assert text[slice(*clause.formula.span)] == "a = bound"


def test_several_definitions_comments_and_includes() -> None:
    parsed = parse_protocol(
        '# a comment\ninclude "common.protocol"\nA = B // to the end\nB = (end) C = rec X.(A)'
    )
    assert [one.path for one in parsed.includes] == ["common.protocol"]
    assert [one.name for one in parsed.definitions] == ["A", "B", "C"]
    assert parsed.definitions[0].body == Reference("B")
    assert parsed.definitions[1].body == End()
    assert parse_protocol("").definitions == ()


def _caret(error: IcepickError) -> str:
    assert error.place is not None
    return error.place.caret() or ""


@pytest.mark.parametrize(
    ("text", "message", "caret", "hint"),
    [
        (
            "S = !a() ?C200() . end",
            "`?` cannot stand here",
            "S = !a() ?C200() . end\n         ^",
            "a full stop leads from one message to the next: !call(...) . ?C200(...) . end",
        ),
        (
            "S = !a() . ?C200()",
            "the protocol ends too early",
            "S = !a() . ?C200()\n                  ^",
            None,
        ),
        (
            "S = !a() . ?OK() . end",
            "`OK` cannot stand here",
            "S = !a() . ?OK() . end\n            ^",
            "a response is a code or a class of codes: ?C201(...) or ?C4XX(...)",
        ),
        (
            "S = +{!a() . ?C200(), !b() . ?C200() . end}",
            "`,` cannot stand here",
            "S = +{!a() . ?C200(), !b() . ?C200() . end}\n                    ^",
            "say how it goes on: `. end` where the protocol is over here",
        ),
        (
            "S = !a . ?C200() . end",
            "`a` cannot stand here",
            "S = !a . ?C200() . end\n     ^",
            "a call is written !operationId(arguments), with () where there are none",
        ),
        (
            "S = ?C200()<x = 1> end",
            "`<` cannot stand here",
            "S = ?C200()<x = 1> end\n           ^",
            "an assertion ends with `>` and a full stop: <assertion> . how it goes on",
        ),
        (
            "S = !a(x Int) . end",
            "`Int` cannot stand here",
            "S = !a(x Int) . end\n         ^",
            None,
        ),
        ("S = end;", "`;` cannot stand here", "S = end;\n       ^", None),
        (
            "S = +{[0] !a() . end}",
            "`0` is no weight",
            "S = +{[0] !a() . end}\n       ^",
            "a weight says how often a branch is taken beside the others: a number above 0",
        ),
        (
            "S = rec X[0].(!a() . X)",
            "`0` cannot bound a recursion",
            "S = rec X[0].(!a() . X)\n          ^",
            "give a number from 1 to 1000",
        ),
        (
            "S = +{ ... }",
            "a choice needs at least one branch",
            "S = +{ ... }\n       ^",
            None,
        ),
        (
            "S = !a(none: Int) . end",
            "`none` is a word of GLACIER, not a name",
            "S = !a(none: Int) . end\n       ^",
            "choose another name for the variable",
        ),
        (
            'S = !a("\\q") . end',
            "`\\q` is not an escape",
            'S = !a("\\q") . end\n        ^',
            None,
        ),
    ],
)
def test_mistakes_are_pointed_at(text: str, message: str, caret: str, hint: str | None) -> None:
    with pytest.raises(ProtocolError) as caught:
        parse_protocol(text)
    assert caught.value.code is Code.PROTOCOL_SYNTAX
    assert caught.value.message == message
    assert _caret(caught.value) == caret
    if hint is not None:
        assert caught.value.hint == hint


@pytest.mark.parametrize(
    ("text", "message", "caret"),
    [
        ("S = +{ !a() . end", "this `{` is never closed", "S = +{ !a() . end\n     ^"),
        ("S = end )", "this `)` closes nothing", "S = end )\n        ^"),
        (
            "S = +{ !a( . end }",
            "this `}` stands where `)` would close `(`",
            "S = +{ !a( . end }\n                 ^",
        ),
        ("S = !a('x) . end", "this text is never closed", "S = !a('x) . end\n       ^"),
    ],
)
def test_brackets_are_pointed_at_where_they_open(text: str, message: str, caret: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        parse_protocol(text)
    assert caught.value.code is Code.PROTOCOL_BRACKETS
    assert caught.value.message == message
    assert _caret(caught.value) == caret


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("S = +{ !a() . end", "a `}` is missing"),
        ("S = end )", "remove it, or open it with `(` further up"),
        ("S = +{ !a( . end }", "a `)` is missing before it"),
        ("S = !a() // it's (\n . end )", "remove it, or open it with `(` further up"),
        (
            "S = !a('x) . end",
            "a text ends on the line it starts on, with the quote it starts with",
        ),
    ],
)
def test_brackets_are_put_right_in_the_words_of_protocols(text: str, hint: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        parse_protocol(text)
    assert caught.value.hint == hint


def test_a_mistake_in_an_assertion_is_pointed_at_in_the_file() -> None:
    with pytest.raises(ContractError) as caught:
        parse_protocol("S = !a() .\n  ?C200(x: Int)<x = = 1> . end")
    assert caught.value.code is Code.CONTRACT_SYNTAX
    assert caught.value.place is not None
    assert caught.value.place.line == 2
    assert _caret(caught.value) == "  ?C200(x: Int)<x = = 1> . end\n" + " " * 20 + "^"


_SOUP = [
    *("S", "=", "+{", "&{", "}", "(", ")", "!a(", "!", "?C200(", "?", ".", ",", "rec X.", "X"),
    *("end", "...", "<x = 1>", "<", ">", "x: Int", ":", "body.a =", "[2]", "[", "]", '"t"', '"'),
    *("absent", "include", "// c\n", "\n", " ", "#", "'", "\\", "5", "-1.5", "null", "é", "\u2028"),
]


@settings(deadline=None)
@given(st.lists(st.sampled_from(_SOUP), max_size=14))
def test_whatever_is_written_is_read_or_refused_with_a_place(words: list[str]) -> None:
    caught: IcepickError | None = None
    try:
        parse_protocol("S = " + " ".join(words))
    except (ProtocolError, ContractError) as error:
        caught = error
    assert caught is None or (caught.place is not None and caught.place.line is not None)


def test_a_long_flow_survives_everything() -> None:
    text = "S = " + "!listOrders(token: String) . ?C200() . " * 95 + "end"
    printed = print_text(parse_protocol(text))
    assert print_text(parse_protocol(printed)) == printed
    protocols = read_protocols(text)
    assert check_protocols(protocols, demo("shop")) == ()
    exported = to_arazzo(protocols, demo("shop"))
    assert print_text(from_arazzo(exported.text(), "f.yaml", demo("shop")).text).count("!") == 95


def test_what_is_nested_too_deep_is_refused() -> None:
    with pytest.raises(ProtocolError) as caught:
        parse_protocol("S = " + "(" * 300 + "end" + ")" * 300)
    assert caught.value.code is Code.PROTOCOL_TOO_DEEP
    flow = "!a() . ?C200() . "
    with pytest.raises(ProtocolError) as caught:
        parse_protocol("S = " + flow * 2000 + "end")
    assert caught.value.code is Code.PROTOCOL_TOO_DEEP
    parse_protocol("S = " + flow * 90 + "end")
