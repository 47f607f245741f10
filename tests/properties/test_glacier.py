"""GLACIER on random formulas, environments and texts."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from icepick.errors import ContractError
from icepick.glacier import (
    ABSENT,
    Answer,
    MemoryEnvironment,
    Sent,
    compile_formula,
    parse_formula,
    prepare,
    print_formula,
    truth_of,
)
from icepick.glacier.code import Context
from icepick.glacier.evaluate import evaluate
from icepick.glacier.tree import (
    And,
    Arithmetic,
    ArithmeticOp,
    Boolean,
    Call,
    Compare,
    CompareOp,
    Expression,
    Field,
    Function,
    Gathered,
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
from icepick.glacier.values import Unknown
from tests.glacier.building import clause
from tests.glacier.naive import DoubtError, MissingError, Naive

RESPONSE_PARTS = [Part.RES_CODE, Part.RES_BODY, Part.RES_HEADER]
FIELDED = [Function.UNIQUE, Function.SUM, Function.MIN, Function.MAX]
QUICK = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


class Trees:
    """Random trees over given leaves: the grammar, seen from the side of the tree."""

    def __init__(
        self, names: st.SearchStrategy[str], leaves: st.SearchStrategy[Expression]
    ) -> None:
        self.names = names
        self.leaves = leaves

    def all(self, size: int) -> st.SearchStrategy[Expression]:
        return st.recursive(self.leaves, self.grown, max_leaves=size)

    def grown(self, inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
        several = st.lists(inner, min_size=2, max_size=3).map(tuple)
        equality = st.builds(Compare, st.sampled_from([CompareOp.EQ, CompareOp.NE]), inner, inner)
        ranges = st.builds(
            Range, st.lists(self.names, min_size=1, max_size=2, unique=True).map(tuple), inner
        )
        return st.one_of(
            equality,
            st.builds(Compare, st.sampled_from(CompareOp), inner, inner),
            st.builds(
                Compare,
                st.just(CompareOp.IN),
                inner,
                st.builds(StatusClass, st.integers(min_value=1, max_value=5)),
            ),
            st.builds(Strict, equality),
            st.builds(Not, inner),
            st.builds(And, several),
            st.builds(Or, several),
            st.builds(Implies, inner, inner),
            st.builds(
                Quantifier,
                st.sampled_from(QuantifierKind),
                st.lists(ranges, min_size=1, max_size=2).map(tuple),
                inner,
            ),
            st.builds(
                Gathered,
                inner,
                st.lists(ranges, min_size=1, max_size=2).map(tuple),
                st.none() | inner,
            ),
            st.builds(Arithmetic, st.sampled_from(ArithmeticOp), inner, inner),
            st.builds(Prev, inner),
            st.builds(Listing, st.lists(inner, max_size=3).map(tuple)),
            st.builds(Field, inner, self.names),
            st.builds(Index, inner, st.integers(min_value=0, max_value=2)),
            self.calls(inner, self.names),
            st.builds(Read, st.sampled_from(RESPONSE_PARTS), self.requests(inner)),
        )

    def calls(
        self, inner: st.SearchStrategy[Expression], names: st.SearchStrategy[str]
    ) -> st.SearchStrategy[Expression]:
        one = st.sampled_from([f for f in Function if f is not Function.CONTAINS])
        return st.one_of(
            st.builds(Call, one, st.tuples(inner)),
            st.builds(Call, st.just(Function.CONTAINS), st.tuples(inner, inner)),
            st.builds(Call, st.sampled_from(FIELDED), st.tuples(inner, st.builds(Text, names))),
        )

    def requests(self, inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Request]:
        return st.builds(
            lambda head, hole: Request((head,) if hole is None else (head, hole)),
            st.sampled_from(["/a", "/a/"]),
            st.none() | inner,
        )


NAMES = st.sampled_from(["a", "b", "x1", "_y", "forall", "len", "Über"])
FIELD_NAMES = NAMES | st.sampled_from(["x y", "Content-Type", "0", "", 'q"\\', "in", "$ref", "é\n"])
PATH_TEXTS = st.sampled_from(["/a", "/", "?b=", "&c", "/req_body", "x", "-", "//", ".json"])
SPELLED = Trees(
    NAMES,
    st.one_of(
        st.builds(Null),
        st.builds(Boolean, st.booleans()),
        st.builds(Number, st.integers() | st.floats(allow_nan=False, allow_infinity=False)),
        st.builds(Text, st.text(max_size=8)),
        st.builds(Text, st.sampled_from(["\ud83d", "\ud83d\ud83d", "\u2028", "'\"\\", "\x7f"])),
        st.builds(Name, NAMES),
        st.builds(Read, st.sampled_from(Part)),
        st.builds(Field, st.builds(Read, st.sampled_from(Part)), FIELD_NAMES),
        st.builds(Field, st.builds(Name, NAMES), FIELD_NAMES),
    ),
)


HOLES = SPELLED.all(3)


@st.composite
def requests(draw: st.DrawFn) -> Request:
    """Texts and expressions by turns, or expressions side by side."""
    parts: list[Any] = ["/a" + draw(PATH_TEXTS)]
    for _ in range(draw(st.integers(min_value=0, max_value=3))):
        parts.append(draw(HOLES))
        if draw(st.booleans()):
            parts.append(draw(PATH_TEXTS))
    return Request(tuple(parts))


@QUICK
@given(SPELLED.all(12))
def test_parsing_what_was_printed_gives_the_same_tree(tree: Expression) -> None:
    text = print_formula(tree)
    again = parse_formula(text)
    assert again == tree
    assert repr(again) == repr(tree)
    assert print_formula(again) == text


@QUICK
@given(requests())
def test_printed_requests_give_the_same_tree(request: Request) -> None:
    tree = Read(Part.RES_BODY, request)
    assert parse_formula(print_formula(tree)) == tree


@QUICK
@given(SPELLED.all(8))
def test_no_printed_parentheses_can_be_spared(tree: Expression) -> None:
    """Without any one pair of them, the text is another formula or none at all."""
    text = print_formula(tree)
    for start, end in _groups(text):
        bare = f"{text[:start]} {text[start + 1 : end]} {text[end + 1 :]}"
        with suppress(ContractError):
            assert parse_formula(bare) != tree, bare


def _groups(text: str) -> list[tuple[int, int]]:
    """The pairs of parentheses that are not those of a call; none where a text might hold some."""
    if '"' in text:
        return []
    opened: list[int] = []
    found = []
    for index, mark in enumerate(text):
        if mark == "(":
            opened.append(index)
        elif mark == ")":
            start = opened.pop()
            if start == 0 or not (text[start - 1].isalnum() or text[start - 1] == "_"):
                found.append((start, index))
    return found


DATE_TIMES = ["2024-05-01T10:00:00Z", "2024-05-01T12:00:00+02:00", "2024-05-01T11:00:00Z"]
SCALARS = st.sampled_from(
    [None, True, False, 0, 1, 2, 7, 1.0, 2.5, "", "x", "7", "true", "abc", *DATE_TIMES]
)
FIELD = st.sampled_from(["a", "b"])
SMALL = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELD, inner, max_size=2),
    max_leaves=5,
)
RECORD = st.fixed_dictionaries({"a": SCALARS}, optional={"b": SMALL})
RECORDS = st.lists(RECORD, max_size=3)
BODY = st.one_of(RECORD, RECORDS, st.lists(SCALARS, max_size=3), SMALL)
PATHS = ["/a", "/a/1", "/a/7", "/a/x"]
ANSWERS = st.builds(Answer, st.sampled_from([200, 200, 200, 404]), st.just({}), BODY)
LISTED = st.builds(Answer, st.just(200), st.just({}), RECORDS)
STATES = st.fixed_dictionaries({"/a": LISTED, "/a/1": ANSWERS}, optional={"/a/7": ANSWERS})
SPELT = st.sampled_from([1, "1", "7", "x", "true"])
PARAMETERS = st.fixed_dictionaries({"p": SPELT}, optional={"a": SPELT})
ENVIRONMENTS = st.builds(
    MemoryEnvironment,
    st.builds(Sent, PARAMETERS, PARAMETERS, st.just({}), RECORD | RECORD | BODY | st.just(ABSENT)),
    st.none() | ANSWERS | ANSWERS,
    STATES,
    STATES,
)

NAME = st.builds(Name, st.sampled_from(["a", "b", "p"]))
WHOLE = st.one_of(
    st.builds(Read, st.sampled_from([Part.REQ_BODY, Part.RES_BODY])),
    st.builds(lambda path: Read(Part.RES_BODY, Request((path,))), st.sampled_from(PATHS)),
    st.builds(lambda hole: Read(Part.RES_BODY, Request(("/a/", hole))), NAME),
)
VALUE = st.recursive(
    st.one_of(
        st.builds(Number, st.sampled_from([0, 1, 2, 7, 2.5])),
        st.builds(Text, st.sampled_from(["x", "7", "abc", *DATE_TIMES])),
        st.builds(Null),
        NAME,
        WHOLE,
        st.builds(Field, WHOLE | NAME, FIELD),
        st.builds(Field, st.builds(Read, st.sampled_from(Part)), FIELD),
        st.builds(lambda hole: Read(Part.RES_CODE, Request(("/a/", hole))), NAME),
        st.builds(Read, st.just(Part.RES_CODE)),
    ),
    lambda inner: st.one_of(
        st.builds(Arithmetic, st.sampled_from(ArithmeticOp), inner, inner),
        st.builds(Prev, inner),
        st.builds(Field, inner, FIELD),
        st.builds(Index, inner, st.integers(min_value=0, max_value=1)),
        st.builds(Listing, st.lists(inner, max_size=3).map(tuple)),
        SPELLED.calls(inner, FIELD),
    ),
    max_leaves=3,
)
KNOWN = st.one_of(
    st.builds(Number, st.sampled_from([0, 1, 2, 7])),
    st.builds(Text, st.sampled_from(["x", "7", *DATE_TIMES])),
    st.builds(Boolean, st.booleans()),
    st.builds(lambda: Field(Read(Part.REQ_BODY), "a")),
    st.builds(lambda name: Field(Name(name), "a"), FIELD),
    NAME,
)
COLLECTION = st.one_of(
    st.builds(Listing, st.lists(KNOWN, max_size=3).map(tuple)),
    st.builds(lambda: Read(Part.RES_BODY, Request(("/a",)))),
    st.builds(Listing, st.lists(WHOLE, max_size=2).map(tuple)),
    VALUE,
)
EQUALITY = st.builds(Compare, st.sampled_from([CompareOp.EQ, CompareOp.NE]), VALUE, VALUE)
PLAIN = st.one_of(
    st.builds(Boolean, st.booleans()),
    st.builds(Compare, st.sampled_from(CompareOp), KNOWN, KNOWN),
    st.builds(Compare, st.just(CompareOp.EQ), NAME | WHOLE, NAME | WHOLE),
    st.builds(Compare, st.just(CompareOp.NE), VALUE, st.builds(Null)),
    st.builds(Compare, st.just(CompareOp.IN), KNOWN, COLLECTION),
)
ATOM = st.one_of(
    PLAIN,
    PLAIN,
    EQUALITY,
    st.builds(Compare, st.sampled_from(CompareOp), VALUE, VALUE),
    st.builds(Compare, st.just(CompareOp.IN), VALUE, st.builds(StatusClass, st.just(2))),
    st.builds(Strict, EQUALITY),
    st.builds(Call, st.just(Function.CONTAINS), st.tuples(COLLECTION, KNOWN)),
    st.builds(Call, st.just(Function.UNIQUE), st.tuples(COLLECTION)),
    VALUE,
)
RANGES = st.builds(
    Range, st.lists(FIELD, min_size=1, max_size=2, unique=True).map(tuple), COLLECTION
)
FORMULA = st.recursive(
    ATOM,
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.builds(And, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        st.builds(Or, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        st.builds(Implies, inner, inner),
        st.builds(Prev, inner),
        st.builds(
            Quantifier,
            st.sampled_from(QuantifierKind),
            st.lists(RANGES, min_size=1, max_size=2).map(tuple),
            inner,
        ),
    ),
    max_leaves=4,
)


@settings(QUICK, max_examples=300)
@given(FORMULA, ENVIRONMENTS)
def test_compiled_formulas_mean_what_their_trees_mean(
    tree: Expression, env: MemoryEnvironment
) -> None:
    """The formula and each of its parts: parts are more often known than the whole."""
    for node in walk(tree):
        if isinstance(node, Expression):
            assert _compiled(node, env) == _naive(node, env), print_formula(node)


def _compiled(node: Expression, env: MemoryEnvironment) -> tuple[str, str]:
    compiled = compile_formula(node)
    value = compiled.code.run(Context(env, compiled.slots))
    return _shown(value), truth_of(compiled, env).value


def _naive(node: Expression, env: MemoryEnvironment) -> tuple[str, str]:
    naive = Naive(env, {})
    try:
        value = naive.value(node).json
    except MissingError:
        value = Unknown("", missing=True)
    except DoubtError:
        value = Unknown("")
    return _shown(value), {True: "true", False: "false", None: "unknown"}[naive.truth(node)]


def _shown(value: Any) -> str:
    """A value with its types, so that 1, 1.0 and true are three."""
    return f"unknown, missing: {value.missing}" if isinstance(value, Unknown) else repr(value)


@QUICK
@given(FORMULA, ENVIRONMENTS)
def test_every_outcome_explains_itself(tree: Expression, env: MemoryEnvironment) -> None:
    result = evaluate(prepare(clause(print_formula(tree))), env)
    assert bool(result.explanation) is (result.value.value == "false")
    assert bool(result.reason) is (result.value.value == "unknown")


SEEDS = (
    """for t in res_body(GET /tournaments) :- res_body(GET /tournaments/{t.tid}/players).len
    <= res_body(GET /tournaments/{t.tid}/capacity)""",
    """response_code(this) == 201 && response_body(this).status != nil // "x" """,
    "req_body(@) = prev(res_body(GET /players/{pid}?a=req_body(@){b.c})) => unique(a, b)",
    "for p1, p2 in C, x in D : !(p1['a'] in [1, -2.5e3, null]) || strict(a != \"b\\n\")",
)
WORDS = """( ) { } [ ] ' " \\ = < > ! && || : :- @ # // . , - 1 2xx T GET this for in exists
    res_body( req_body(@) prev( strict( len ≤ ∀ é"""
PIECES = st.sampled_from([*WORDS.split(), "GET /", "\n", "\t", "\0"])


@QUICK
@given(
    st.one_of(
        st.text(max_size=40),
        st.lists(PIECES, max_size=20).map(" ".join),
        st.lists(PIECES, max_size=20).map("".join),
    )
)
def test_random_text_is_a_tree_or_a_contract_error(text: str) -> None:
    _read(text)


@QUICK
@given(
    st.sampled_from(SEEDS),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 4), PIECES | st.just("")), max_size=4),
)
def test_mutated_text_is_a_tree_or_a_contract_error(
    text: str, changes: list[tuple[float, int, str]]
) -> None:
    for spot, removed, added in changes:
        at = int(spot * len(text))
        text = text[:at] + added + text[at + removed :]
    _read(text)


def _read(text: str) -> None:
    try:
        tree = parse_formula(text)
    except ContractError as error:
        place = error.place
    else:
        assert parse_formula(print_formula(tree)) == tree
        return
    assert place is not None
    assert place.line is not None
    assert place.caret() is not None
