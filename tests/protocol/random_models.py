"""Random protocols: the grammar, seen from the side of the tree."""

from __future__ import annotations

from hypothesis import strategies as st

from icepick.glacier import parse_formula, print_formula
from icepick.protocol.tree import (
    Argument,
    Assertion,
    Clause,
    Declared,
    Definition,
    End,
    External,
    Function,
    Include,
    Internal,
    Literal,
    Named,
    Receive,
    Recursion,
    Reference,
    Send,
    Session,
    Text,
    Type,
)

NAMES = st.sampled_from(["x", "y", "z", "custId", "_a1"])
OPERATIONS = ["a", "b", "add"]
STATUSES = ["200", "404", "2XX"]
LOOPS = ["X", "Y", "A", "B"]


def clause(text: str) -> Clause:
    formula = parse_formula(text)
    return Clause(print_formula(formula), formula)


# Everything that can be written

_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
_scalars = st.none() | st.booleans() | st.integers(-(10**6), 10**6) | _texts
_values = st.recursive(
    _scalars | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_texts, inner, max_size=2),
    max_leaves=4,
)
_types = st.builds(Type, st.sampled_from(["Int", "String", "Customer", "a.b-c"]), st.booleans())
_places = st.none() | st.sampled_from(["id", "body", "body.a.b", "header.X-Token"])
_made = st.builds(Named, NAMES) | st.builds(Literal, _values)
_arguments: st.SearchStrategy[Argument] = st.one_of(
    st.builds(Argument, NAMES, place=_places),
    st.builds(Argument, NAMES, _types, st.none() | _made, _places),
    st.builds(Argument, st.none(), st.none(), st.builds(Literal, _values), _places),
)
_declared = st.builds(Declared, NAMES, _types, _places)
_clauses: st.SearchStrategy[Assertion] = st.sampled_from(
    [
        clause("x >= 3 && y < 5"),
        clause('res_body(@){name} = "> ."'),
        clause("x > 1 => y != x"),
        clause("for p in res_body(GET /pets) :- p.id != x"),
    ]
)
_assertions: st.SearchStrategy[Assertion] = _clauses | st.builds(
    Function, st.sampled_from(["check", "isFine"]), st.lists(NAMES, max_size=2).map(tuple)
)
_operations = st.sampled_from(["addCust", "pets.list", "get-it", "with space", "1st"])


def _several(
    one: st.SearchStrategy[object], least: int = 0
) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(one, min_size=least, max_size=2).map(tuple)


def _grown(inner: st.SearchStrategy[Session]) -> st.SearchStrategy[Session]:
    weights = st.sampled_from([1, 2, 0.5])
    sends = st.builds(Send, _operations, _several(_arguments), inner, weights)
    receives = st.builds(
        Receive, st.sampled_from(STATUSES), _several(_declared), _several(_assertions), inner
    )
    return st.one_of(
        st.builds(Internal, _several(sends, 1), st.booleans()),
        st.builds(External, _several(receives, 1)),
        st.builds(Recursion, st.sampled_from(LOOPS), inner, st.none() | st.integers(1, 9)),
    )


_ends: st.SearchStrategy[Session] = st.just(End()) | st.builds(Reference, st.sampled_from(LOOPS))
SESSIONS: st.SearchStrategy[Session] = st.recursive(_ends, _grown, max_leaves=8)
TEXTS = st.builds(
    Text,
    _several(st.builds(Include, _texts)),
    st.lists(st.builds(Definition, st.sampled_from(["S", "T_2", "µ"]), SESSIONS), max_size=3).map(
        tuple
    ),
)


# What can be run: values are whole numbers, and nothing is asserted

_INT = Type("Int")
_run_arguments = st.sampled_from(
    [(), (Argument("x", _INT),), (Argument("y", _INT),), (Argument("x"),), (Argument("y"),)]
)
_run_variables = st.sampled_from([(), (Declared("x", _INT),), (Declared("y", _INT),)])


def _running(inner: st.SearchStrategy[Session]) -> st.SearchStrategy[Session]:
    sends = st.builds(Send, st.sampled_from(OPERATIONS[:2]), _run_arguments, inner)
    receives = st.builds(Receive, st.sampled_from(STATUSES), _run_variables, st.just(()), inner)
    return st.one_of(
        st.builds(Internal, _several(sends, 1)),
        st.builds(External, _several(receives, 1)),
        st.builds(Recursion, st.sampled_from(["X", "Y"]), inner, st.none() | st.integers(1, 3)),
    )


_RUNNABLE: st.SearchStrategy[Session] = st.recursive(_ends, _running, max_leaves=7)
MODELS: st.SearchStrategy[dict[str, Definition]] = st.tuples(_RUNNABLE, _RUNNABLE).map(
    lambda bodies: {"A": Definition("A", bodies[0]), "B": Definition("B", bodies[1])}
)
