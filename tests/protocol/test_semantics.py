from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from icepick.protocol import ApiDomain, Event, Types, accepts, automaton_of, read_protocols
from icepick.protocol.automaton import Automaton, Edge, Key
from icepick.protocol.semantics import matches
from icepick.protocol.tree import Argument, Definition, Send
from tests.protocol.documents import demo
from tests.protocol.random_models import MODELS

Store = dict[tuple[Key, str], int]
VALUES = st.integers(0, 2)
EVENTS = st.one_of(
    st.builds(Event, st.just(True), st.sampled_from(["a", "b"]), st.tuples() | st.tuples(VALUES)),
    st.builds(
        Event, st.just(False), st.sampled_from(["200", "404"]), st.tuples() | st.tuples(VALUES)
    ),
)


def _step(automaton: Automaton, edge: Edge, event: Event, store: Store) -> Store | None:
    """The store after an edge that takes an event; None where it does not."""
    branch = edge.branch
    parts: Sequence[object] = branch.arguments if isinstance(branch, Send) else branch.variables
    if event.is_sent is not isinstance(branch, Send) or len(event.values) != len(parts):
        return None
    name = event.name
    if not (branch.operation == name if isinstance(branch, Send) else matches(branch.status, name)):
        return None
    scope = dict(automaton.states[edge.source].scope)
    after = dict(store)
    for part, value in zip(parts, event.values, strict=True):
        variable = getattr(part, "variable")  # noqa: B009 - arguments and variables alike
        if isinstance(part, Argument) and part.type is None:
            if variable not in scope or store[scope[variable], variable] != value:
                return None
        else:
            after[edge.key, variable] = value
    return after


def _simulated(automaton: Automaton, trace: Sequence[Event], *, prefix: bool) -> bool:
    alive: list[tuple[int, Store]] = [(0, {})]
    for event in trace:
        moved = [
            (edge.target, after)
            for state, store in alive
            for edge in automaton.edges_of(state)
            if (after := _step(automaton, edge, event, store)) is not None
        ]
        alive = moved
    return bool(alive) if prefix else any(automaton.is_end(state) for state, _ in alive)


def _event(edge: Edge, rng: Random) -> Event:
    """An event that an edge takes, if its values are right."""
    branch = edge.branch
    if isinstance(branch, Send):
        return Event(True, branch.operation, tuple(rng.randint(0, 1) for _ in branch.arguments))
    code = branch.status.replace("XX", "00")
    return Event(False, code, tuple(rng.randint(0, 1) for _ in branch.variables))


def _agree(definitions: Mapping[str, Definition], trace: list[Event]) -> bool:
    """Whether both accept a trace, having seen that they agree on it and all that begins it."""
    automaton = automaton_of("A", definitions)
    for size in range(len(trace) + 1):
        for prefix in (True, False):
            expected = accepts("A", definitions, trace[:size], prefix=prefix)
            assert _simulated(automaton, trace[:size], prefix=prefix) is expected
    return accepts("A", definitions, trace, prefix=True)


@settings(max_examples=200, deadline=None)
@given(MODELS, st.lists(EVENTS, max_size=5))
def test_the_automaton_accepts_what_the_equations_do(
    definitions: Mapping[str, Definition], trace: list[Event]
) -> None:
    _agree(definitions, trace)


def _walked(automaton: Automaton, rng: Random, most: int) -> list[Event]:
    """A trace that takes edges one after another, with values by chance."""
    state, trace = 0, list[Event]()
    while len(trace) < most and (edges := automaton.edges_of(state)):
        edge = rng.choice(edges)
        trace.append(_event(edge, rng))
        state = edge.target
    return trace


@settings(max_examples=200, deadline=None)
@given(MODELS, st.integers(0, 10**6))
def test_they_agree_on_traces_that_take_the_edges(
    definitions: Mapping[str, Definition], seed: int
) -> None:
    _agree(definitions, _walked(automaton_of("A", definitions), Random(seed), 8))


@pytest.mark.parametrize(
    "text",
    [
        "A = !a(x: Int).?C200().rec X.(+{!b(x).?C200(x: Int).X, !c(x).?C200().end})",
        "A = !a(x: Int).?C200().rec X[2].(!b(x).&{?C200(x: Int).X, ?C404().!c(x).?C200().X})",
        "A = !a(x: Int).?C200().B\nB = +{!b(x).?C200(x: Int).B, !c(x).?C200(x: Int).A}",
        (
            "A = !a(x: Int).?C200().B\nB = rec X.(!b(x: Int).?C200().rec Y[2].(!c(x).&{?C200().X, "
            "?C404(x: Int).Y}))"
        ),
    ],
)
def test_they_agree_on_what_variables_stand_for(text: str) -> None:
    definitions, rng = read_protocols(text).definitions, Random(1)
    automaton = automaton_of("A", definitions)
    found = [_agree(definitions, _walked(automaton, rng, 8)) for _ in range(150)]
    assert any(found)
    assert not all(found)


def _sent(name: str, *values: object) -> Event:
    return Event(True, name, values)


def _got(status: str, *values: object) -> Event:
    return Event(False, status, values)


@pytest.mark.parametrize(
    ("text", "trace", "is_one"),
    [
        ("S = end", [], True),
        ("S = !a().?C200().end", [_sent("a"), _got("200")], True),
        ("S = !a().?C200().end", [_sent("a")], False),
        ("S = !a().?C200().end", [_sent("a"), _got("404")], False),
        ("S = !a().?C4XX().end", [_sent("a"), _got("404")], True),
        ("S = rec X.X", [], False),
        ("S = rec X.(rec Y.X)", [], False),
        ("S = rec X[3].X", [], True),
        ("S = S", [], False),
        ("S = rec X.(!a().?C200().X)", [_sent("a"), _got("200")], False),
        ("S = rec X[2].(!a().?C200().X)", [_sent("a"), _got("200")] * 2, True),
        ("S = rec X[2].(!a().?C200().X)", [_sent("a"), _got("200")] * 3, False),
        ("S = rec X[2].(!a().?C200().X)", [_sent("a"), _got("200")], False),
        ("S = !a(x: Int).?C200().!b(x).?C200().end",
         [_sent("a", 1), _got("200"), _sent("b", 1), _got("200")], True),
        ("S = !a(x: Int).?C200().!b(x).?C200().end",
         [_sent("a", 1), _got("200"), _sent("b", 2), _got("200")], False),
    ],
)  # fmt: skip
def test_small_models(text: str, trace: list[Event], is_one: bool) -> None:
    assert accepts("S", read_protocols(text).definitions, trace) is is_one


def test_a_recursion_leads_back_to_the_values_that_it_started_with() -> None:
    text = "S = !a(x: Int).?C200().rec X.(+{!b(x).?C200(x: Int).X, !c(x).?C200().end})"
    definitions = read_protocols(text).definitions
    start = [_sent("a", 1), _got("200"), _sent("b", 1), _got("200", 7)]
    assert accepts("S", definitions, [*start, _sent("c", 1), _got("200")])
    assert not accepts("S", definitions, [*start, _sent("c", 7), _got("200")])


def test_a_trace_may_be_long() -> None:
    definitions = read_protocols("S = rec X.(+{!a().?C200().X, !b().?C200().end})").definitions
    trace = [_sent("a"), _got("200")] * 5000
    assert accepts("S", definitions, trace, prefix=True)
    assert accepts("S", definitions, [*trace, _sent("b"), _got("200")])
    assert not accepts("S", definitions, [*trace, _sent("c")], prefix=True)


def test_definitions_are_abbreviations_and_may_use_one_another() -> None:
    text = "S = !a(x: Int).?C200().T\nT = +{!b(x).?C200().S, !c(x).?C200().end}"
    definitions = read_protocols(text).definitions
    once = [_sent("a", 1), _got("200")]
    again = [_sent("b", 1), _got("200"), _sent("a", 2), _got("200")]
    end = [_got("200")]
    assert accepts("S", definitions, [*once, *again, _sent("c", 2), *end])
    assert not accepts("S", definitions, [*once, *again, _sent("c", 1), *end])


def test_types_and_assertions_decide_too() -> None:
    text = 'S = !a(x: Int(genX), y: String("lit")).?C200(z: Int)<z > x; isEven(z)>.end'
    functions = {"genX": int, "isEven": lambda z: z % 2 == 0}
    definitions = read_protocols(text).definitions
    domain = ApiDomain(Types(demo("petstore")), functions)

    def is_one(x: object, y: object, z: object) -> bool:
        return accepts("S", definitions, [_sent("a", x, y), _got("200", z)], domain)

    assert is_one(1, "lit", 4)
    assert not is_one("1", "lit", 4)
    assert not is_one(1, "other", 4)
    assert not is_one(1, "lit", "4")
    assert not is_one(5, "lit", 4)
    assert not is_one(1, "lit", 3)
