from __future__ import annotations

import pytest

from icepick.glacier import parse_formula
from icepick.glacier.spelling import PARTS
from icepick.glacier.tree import (
    And,
    Arithmetic,
    ArithmeticOp,
    Boolean,
    Call,
    Compare,
    CompareOp,
    Field,
    Function,
    Implies,
    Index,
    Listing,
    Name,
    Not,
    Null,
    Number,
    Or,
    Part,
    Prev,
    Quantifier,
    QuantifierKind,
    Range,
    Read,
    Request,
    StatusClass,
    Strict,
    Text,
    walk,
)

A, B, C, D = (Name(name) for name in "abcd")
FOR, EXISTS = QuantifierKind.FOR, QuantifierKind.EXISTS
EQ, LE, IN = CompareOp.EQ, CompareOp.LE, CompareOp.IN


def get(part: Part, *parts: object) -> Read:
    return Read(part, Request(parts))  # type: ignore[arg-type]


def code_is(status: int, *parts: object) -> Compare:
    return Compare(EQ, get(Part.RES_CODE, *parts), Number(status))


REQ, RES = Read(Part.REQ_BODY), Read(Part.RES_BODY)
PID = Field(REQ, "pid")
T_TID = Field(Name("t"), "tid")


@pytest.mark.parametrize(
    ("paper", "released", "tree"),
    [
        pytest.param(
            "res_code(GET /players/req_body(@){pid}) = 404",
            "response_code(GET /players/request_body(this){pid}) == 404",
            code_is(404, "/players/", PID),
            id="Listing 2, line 5",
        ),
        pytest.param(
            "res_code(GET /players/req_body(@){pid}) = 200",
            "response_code(GET /players/{request_body(this).pid}) == 200",
            code_is(200, "/players/", PID),
            id="Listing 2, line 7",
        ),
        pytest.param(
            "req_body(@) = res_body(@)",
            "request_body(this) == response_body(this)",
            Compare(EQ, REQ, RES),
            id="Listing 2, line 8",
        ),
        pytest.param(
            "res_code(GET /players/{pid}) = 200",
            "response_code(GET /players/{pid}) == 200",
            code_is(200, "/players/", Name("pid")),
            id="Listing 3, line 5",
        ),
        pytest.param(
            "req_body(@) = prev(res_body(GET /players/{pid}))",
            "request_body(this) == previous(response_body(GET /players/{pid}))",
            Compare(EQ, REQ, Prev(get(Part.RES_BODY, "/players/", Name("pid")))),
            id="Listing 3, line 8",
        ),
        pytest.param(
            "for t in res_body(GET /tournaments) :-\n"
            "res_body(GET /tournaments/{t.tid}/players).len ≤\n"
            "res_body(GET /tournaments/{t.tid}/capacity)",
            "for t in response_body(GET /tournaments) : "
            "response_body(GET /tournaments/{t.tid}/players).length <= "
            "response_body(GET /tournaments/{t.tid}/capacity)",
            Quantifier(
                FOR,
                (Range(("t",), get(Part.RES_BODY, "/tournaments")),),
                Compare(
                    LE,
                    Call(Function.LEN, (get(Part.RES_BODY, "/tournaments/", T_TID, "/players"),)),
                    get(Part.RES_BODY, "/tournaments/", T_TID, "/capacity"),
                ),
            ),
            id="Listing 4",
        ),
        (
            "res_code(@) = 200",
            "response_code(this) == 200",
            Compare(EQ, Read(Part.RES_CODE), Number(200)),
        ),
        (
            "req_body(@){a.b} = null",
            "request_body(this).a.b == nil",
            Compare(EQ, Field(Field(REQ, "a"), "b"), Null()),
        ),
        (
            "path_param(@){id} != null",
            'path_param(this["id"]) != none',
            Compare(CompareOp.NE, Field(Read(Part.PATH_PARAM), "id"), Null()),
        ),
        (
            "query_param(@){name} = 'x'",
            'query_param(this){name} == "x"',
            Compare(EQ, Field(Read(Part.QUERY_PARAM), "name"), Text("x")),
        ),
        (
            "header(@){Location} = a",
            'response_header(this)["Location"] == a',
            Compare(EQ, Field(Read(Part.RES_HEADER), "Location"), A),
        ),
        (
            "req_header(@){X-Id} = a",
            "request_header(this){X-Id} == a",
            Compare(EQ, Field(Read(Part.REQ_HEADER), "X-Id"), A),
        ),
        ("a.len = 1", "length(a) == 1", Compare(EQ, Call(Function.LEN, (A,)), Number(1))),
        ("true", "T", Boolean(True)),
        ("false", "F", Boolean(False)),
        ("¬a ∧ b ∨ c ⇒ d", "!a && b || c => d", Implies(Or((And((Not(A), B)), C)), D)),  # noqa: RUF001
        (
            "∀ x ∈ a : x ≠ b",
            "for x in a :- x != b",
            Quantifier(FOR, (Range(("x",), A),), Compare(CompareOp.NE, Name("x"), B)),
        ),
        (
            "∃ x ∈ a :- x ≥ b",
            "exists x in a : x >= b",
            Quantifier(EXISTS, (Range(("x",), A),), Compare(CompareOp.GE, Name("x"), B)),
        ),
    ],
)
def test_both_spellings_give_one_tree(paper: str, released: str, tree: object) -> None:
    assert parse_formula(paper) == tree
    assert parse_formula(released) == tree


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a => b => c", Implies(A, Implies(B, C))),
        ("a || b && c", Or((A, And((B, C))))),
        ("(a || b) && c", And((Or((A, B)), C))),
        ("a && b && c", And((A, B, C))),
        ("(a && b) && c", And((And((A, B)), C))),
        ("!a = b", Not(Compare(EQ, A, B))),
        ("!!a", Not(Not(A))),
        (
            "a - b - c = d",
            Compare(
                EQ, Arithmetic(ArithmeticOp.SUBTRACT, Arithmetic(ArithmeticOp.SUBTRACT, A, B), C), D
            ),
        ),
        (
            "a + b * c = d",
            Compare(
                EQ, Arithmetic(ArithmeticOp.ADD, A, Arithmetic(ArithmeticOp.MULTIPLY, B, C)), D
            ),
        ),
        ("a = -1.5e3", Compare(EQ, A, Number(-1500.0))),
        ("a-1 < b", Compare(CompareOp.LT, Arithmetic(ArithmeticOp.SUBTRACT, A, Number(1)), B)),
        ("a > b", Compare(CompareOp.GT, A, B)),
        ("a in [1, 'x', null]", Compare(IN, A, Listing((Number(1), Text("x"), Null())))),
        ("a in []", Compare(IN, A, Listing(()))),
        ("res_code(@) in 2xx", Compare(IN, Read(Part.RES_CODE), StatusClass(2))),
        ("res_code(@) in 4XX", Compare(IN, Read(Part.RES_CODE), StatusClass(4))),
        ("a[0].b['x y'] = c", Compare(EQ, Field(Field(Index(A, 0), "b"), "x y"), C)),
        ("a{items.0.id} = b", Compare(EQ, Field(Index(Field(A, "items"), 0), "id"), B)),
        ("a.in.for.T = b", Compare(EQ, Field(Field(Field(A, "in"), "for"), "T"), B)),
        ("a['len'] = b{len}", Compare(EQ, Field(A, "len"), Field(B, "len"))),
        ("a.min = b.min()", Compare(EQ, Field(A, "min"), Call(Function.MIN, (B,)))),
        ("contains(a, b)", Call(Function.CONTAINS, (A, B))),
        ("a.contains(b)", Call(Function.CONTAINS, (A, B))),
        ("unique(a)", Call(Function.UNIQUE, (A,))),
        ("unique(a, id)", Call(Function.UNIQUE, (A, Text("id")))),
        ("a.unique(b.id)", Call(Function.UNIQUE, (A, Text("b.id")))),
        ("sum(a, 'price')", Call(Function.SUM, (A, Text("price")))),
        ("keys(a)", Call(Function.KEYS, (A,))),
        ("max(a)", Call(Function.MAX, (A,))),
        ("strict(a = b)", Strict(Compare(EQ, A, B))),
        ("prev(a && b)", Prev(And((A, B)))),
        (
            "prev(res_body(GET /a)){x}.len",
            Call(Function.LEN, (Field(Prev(get(Part.RES_BODY, "/a")), "x"),)),
        ),
        (
            "for x, y in a :- x != y",
            Quantifier(FOR, (Range(("x", "y"), A),), Compare(CompareOp.NE, Name("x"), Name("y"))),
        ),
        ("for x in a, y in b : c", Quantifier(FOR, (Range(("x",), A), Range(("y",), B)), C)),
        ("for x in a, y, z in b : c", Quantifier(FOR, (Range(("x",), A), Range(("y", "z"), B)), C)),
        (
            "for x in a : exists y in x.b :- c",
            Quantifier(
                FOR,
                (Range(("x",), A),),
                Quantifier(EXISTS, (Range(("y",), Field(Name("x"), "b")),), C),
            ),
        ),
        ("a && for x in b :- c || d", And((A, Quantifier(FOR, (Range(("x",), B),), Or((C, D)))))),
        ("(for x in b :- c) || d", Or((Quantifier(FOR, (Range(("x",), B),), C), D))),
        ("!for x in b :- c => d", Not(Quantifier(FOR, (Range(("x",), B),), Implies(C, D)))),
        ("a # a comment (\n&& b // another }", And((A, B))),
        ("res_body(get /a)", get(Part.RES_BODY, "/a")),
        ("header(GET /a){ETag} = b", Compare(EQ, Field(get(Part.RES_HEADER, "/a"), "ETag"), B)),
    ],
)
def test_structure(text: str, tree: object) -> None:
    assert parse_formula(text) == tree


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("/pets", ("/pets",)),
        ("/pets?status={s.status}&n=1", ("/pets?status=", Field(Name("s"), "status"), "&n=1")),
        ("/a/{pid}", ("/a/", Name("pid"))),
        ("/a/path_param(@){id}", ("/a/", Field(Read(Part.PATH_PARAM), "id"))),
        ('/a/path_param(this["id"])/b', ("/a/", Field(Read(Part.PATH_PARAM), "id"), "/b")),
        ("/a/res_body(@){b.id}/c", ("/a/", Field(Field(RES, "b"), "id"), "/c")),
        ("/a/req_body(@)", ("/a/", REQ)),
        ("/a/{x}{y}", ("/a/", Name("x"), Name("y"))),
        ("/a/req_body(@){x}{y}", ("/a/", Field(REQ, "x"), Name("y"))),
        ("/a/{prev(x)[0]}", ("/a/", Index(Prev(Name("x")), 0))),
        ("/a//b/x.json;v=1,2", ("/a//b/x.json;v=1,2",)),
        ("/my_req_body/x", ("/my_req_body/x",)),
        ("/request_body_x/y", ("/request_body_x/y",)),
    ],
)
def test_request_paths(path: str, parts: tuple[object, ...]) -> None:
    assert parse_formula(f"res_body(GET {path})") == get(Part.RES_BODY, *parts)


@pytest.mark.parametrize("name", sorted(PARTS.keys() - {"res_code", "response_code"}))
def test_every_part_may_stand_in_a_path_without_braces(name: str) -> None:
    tree = parse_formula(f"res_code(GET /a/{name}(@){{x}}/b) = 200")
    assert tree == code_is(200, "/a/", Field(Read(PARTS[name]), "x"), "/b")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r'"a\"b\\c\n\t\/"', 'a"b\\c\n\t/'),
        (r"'it\'s'", "it's"),
        (r'"\u00e9\ud83d\ude00"', "é😀"),
        (r'"\ud83d"', "\ud83d"),
        ('"# no comment // here"', "# no comment // here"),
        ('"(["', "(["),
        ("'é≤'", "é≤"),
    ],
)
def test_texts(text: str, value: str) -> None:
    assert parse_formula(text) == Text(value)


def test_spans_point_at_the_text_of_each_node() -> None:
    text = "for t in a :- t.x + 1 <= len(b)"
    spans = {text[slice(*node.span)] for node in walk(parse_formula(text))}
    assert spans == {
        text, "t in a", "a", "t.x + 1 <= len(b)", "t.x + 1", "t.x", "t", "1", "len(b)", "b",
    }  # fmt: skip


def test_words_of_the_language_are_only_whole_words() -> None:
    tree = parse_formula("forest && infinite && Tom && thisOne && nullable && getter")
    assert tree == And(
        tuple(Name(n) for n in ("forest", "infinite", "Tom", "thisOne", "nullable", "getter"))
    )
