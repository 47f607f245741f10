"""Limits, progress, violations, and what else an exploration tells."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from icepick.errors import Code, ExploreError, ModelError
from icepick.explore import (
    Progress,
    Totals,
    decode,
    explore,
    outgoing,
    parents,
    path_to,
    state_text,
    trace,
)
from icepick.explore.machine import compile_model
from icepick.model import Action, Conjunct, Field, Invariant, Model, Parameter, Resource
from icepick.model.expressions import (
    And,
    Comparator,
    Compare,
    Constant,
    Count,
    Exists,
    FieldOf,
    Not,
    Or,
    Some,
    ValuesOf,
    Var,
)
from icepick.model.types import (
    Assign,
    Create,
    Delete,
    Numbers,
    OnDelete,
    OneOf,
    Reference,
    Rule,
    SetOf,
    Update,
)
from tests.model.examples import create, delete, equal, features, petstore, tournaments, value

CROWDED = Not(
    Compare(Comparator.AT_LEAST, Count("Enrolment", "x", And(())), Constant(2)),
)


def crowded(size: int = 2) -> Model:
    model = tournaments(size, size, size)
    return replace(model, invariants=(*model.invariants, Invariant("NeverTwo", CROWDED)))


@pytest.mark.parametrize("symmetry", [False, True])
@pytest.mark.parametrize("graph", [False, True])
def test_a_violated_invariant_has_a_shortest_trace(graph: bool, symmetry: bool) -> None:
    found = explore(crowded(), graph=graph, symmetry=symmetry)
    (violation,) = found.violations
    assert violation.invariant == "NeverTwo"
    steps = trace(found, violation.state)
    names = [step.action.action for step in steps]
    assert sorted(names) == sorted(
        ["postEnrolment", "postEnrolment", "postPlayer", "postPlayer", "postTournament"]
    ) or sorted(names) == sorted(
        ["postEnrolment", "postEnrolment", "postPlayer", "postTournament", "postTournament"]
    )
    assert len(steps[-1].state["Enrolment"]) == 2
    assert violation.states > 1


@pytest.mark.parametrize("symmetry", [False, True])
def test_every_step_of_a_trace_is_a_transition_of_the_model(symmetry: bool) -> None:
    machine = compile_model(crowded(3))
    found = explore(crowded(3), symmetry=symmetry)
    now = machine.layout.initial()
    for step in trace(found, found.found.states - 1):
        index = machine.actions.index(step.action)
        _, targets = machine.successors(index, now, machine.evaluation(now))
        assert targets.shape[1] == 1
        now = targets
        assert decode(machine.layout, now) == step.state


def test_paths_are_as_long_as_their_target_is_deep() -> None:
    found = explore(tournaments(2, 2, 2))
    for state in range(found.found.states):
        path = path_to(found, state)
        assert len(path) == found.depth(state)
        assert [source for source, _, _ in path[1:]] == [target for _, _, target in path[:-1]]


def test_the_limit_on_states_stops_cleanly() -> None:
    full = explore(tournaments(3, 3, 3))
    found = explore(tournaments(3, 3, 3), max_states=1_000)
    assert found.stopped == "there are more than 1000 states"
    assert 1_000 < found.found.states < 2_000
    assert found.expanded < found.found.states
    assert found.edges is not None
    assert len(found.edges.offsets) == found.expanded + 1
    assert int(found.edges.targets.max()) < found.found.states
    assert set(found.states[0].tolist()) <= set(full.states[0].tolist())
    whole = int(found.levels[-3])
    assert found.states[0, :whole].tolist() == full.states[0, :whole].tolist()
    assert outgoing(found, found.found.states - 1) == []


def test_the_limit_on_memory_stops_cleanly() -> None:
    found = explore(tournaments(4, 3, 4), max_memory=20_000_000)
    assert found.stopped == "more than 20000000 bytes are needed"
    assert 0 < found.expanded < found.found.states < 2_534_312


def test_the_limit_on_transitions_stops_cleanly() -> None:
    found = explore(tournaments(3, 3, 3), max_states=1_000, max_transitions=100, graph=False)
    assert found.stopped == "there are more than 100 transitions"
    assert 100 < found.found.transitions < 1_000
    assert explore(tournaments(2, 2, 2), max_transitions=872).stopped is None


def test_a_limit_that_is_not_reached_changes_nothing() -> None:
    found = explore(tournaments(2, 2, 2), max_states=10**6, max_memory=10**9)
    assert found.stopped is None
    assert found.totals == Totals(192, 872, 40)


def test_a_limit_that_is_met_exactly_is_no_reason_to_stop() -> None:
    assert explore(tournaments(2, 2, 2), max_states=192).stopped is None
    assert explore(tournaments(2, 2, 2), max_states=191).stopped is not None


def test_progress_is_reported_and_grows() -> None:
    seen: list[Progress] = []
    explore(tournaments(2, 2, 2), progress=seen.append)
    assert [p.states for p in seen] == sorted(p.states for p in seen)
    assert [p.depth for p in seen] == list(range(len(seen)))
    assert seen[-1] == Progress(6, 192, 872, 0)


def test_states_are_shown_with_names() -> None:
    found = explore(features(1, 1, 1))
    texts = [state_text(decode(found.machine.layout, found.states[:, i])) for i in range(17)]
    assert texts[0] == "nothing exists"
    assert (
        "Product p1; Feature f1 (product p1, kind basic); "
        "Configuration c1 (product p1, active f1, note f1, locked false)"
    ) in texts
    assert (
        "Product p1; Configuration c1 (product p1, active null, note dangling, locked true)"
    ) in texts


def test_a_dangling_reference_is_not_repaired_by_a_new_instance() -> None:
    found = explore(features(1, 1, 1))
    texts = [state_text(decode(found.machine.layout, found.states[:, i])) for i in range(17)]
    again = [t for t in texts if "Feature f1" in t and "note dangling" in t]
    assert again


def test_ground_actions_keep_their_operation_and_order() -> None:
    actions = compile_model(petstore(2, 1, 1)).actions
    assert [a.name for a in actions[:6]] == [
        "createUser(u1)",
        "createUser(u2)",
        "createUsersWithList({u1})",
        "createUsersWithList({u2})",
        "createUsersWithList({u1, u2})",
        "deleteUser(u1)",
    ]
    assert actions[2].operation == "createUsersWithListInput"
    assert actions[0].operation == "createUser"


def test_deadlocks_and_actions_that_nothing_enables_are_found() -> None:
    thing = Resource("Thing", 2)
    never = Action(
        "never",
        (value("x", "Thing"),),
        (Conjunct(Or(())),),
        (Delete("Thing", Var("x")),),
    )
    found = explore(Model("Growing", (thing,), (create("add", "x", "Thing"), never)))
    assert found.totals == Totals(4, 4, 1)
    assert found.deadlocks.tolist() == [3]
    assert found.untaken == ("never",)


def test_transitions_that_were_only_counted_cannot_be_asked_for() -> None:
    found = explore(tournaments(1, 1, 1), graph=False)
    for ask in (lambda: parents(found), lambda: outgoing(found, 0)):
        with pytest.raises(ExploreError) as caught:
            ask()
        assert caught.value.code is Code.NO_GRAPH


def test_too_many_choices_of_arguments_are_refused() -> None:
    model = Model(
        "Many",
        (Resource("Thing", 20),),
        (
            Action(
                "add",
                (Parameter("S", SetOf("Thing")),),
                (),
                (),
            ),
        ),
    )
    with pytest.raises(ExploreError) as caught:
        explore(model)
    assert caught.value.code is Code.MODEL_TOO_LARGE
    assert "1048575" in caught.value.message


def test_too_large_records_are_refused() -> None:
    fields = tuple(Field(f"f{i}", Numbers(0, 999)) for i in range(4))
    with pytest.raises(ExploreError) as caught:
        explore(Model("Wide", (Resource("Thing", 1, fields),), ()))
    assert caught.value.code is Code.MODEL_TOO_LARGE


def test_too_many_exchanges_of_values_are_refused() -> None:
    with pytest.raises(ExploreError) as caught:
        explore(petstore(1, 10, 1), symmetry=True)
    assert caught.value.code is Code.TOO_MANY_SYMMETRIES


def test_a_model_that_makes_no_sense_is_not_explored() -> None:
    with pytest.raises(ModelError):
        explore(Model("Wrong", (), (create("add", "x", "Thing"),)))


def tree() -> Model:
    """Nodes with a parent; deleting one takes the whole subtree."""
    parent = Field("parent", Reference("Node"), optional=True)
    add_below = Action(
        "addBelow",
        (value("x", "Node"), value("y", "Node")),
        (Conjunct(Not(Exists("Node", Var("x")))), Conjunct(Exists("Node", Var("y")))),
        (Create("Node", Var("x"), (Assign("parent", Var("y")),)),),
    )
    cut = delete("cut", "x", "Node", Rule("Node", "parent", OnDelete.CASCADE))
    return Model(
        "Tree",
        (Resource("Node", 3, (parent,), "n"),),
        (create("plant", "x", "Node"), add_below, cut),
    )


def test_a_cascade_follows_references_within_one_resource() -> None:
    found = explore(tree())
    # Labelled forests with roots on subsets of 3 nodes: 1 + 3*1 + 3*3 + 16.
    assert found.totals.states == 29
    chain = {"n1": {"parent": "null"}, "n2": {"parent": "n1"}, "n3": {"parent": "n2"}}
    layout = found.machine.layout
    (start,) = [i for i in range(29) if decode(layout, found.states[:, i])["Node"] == chain]
    after = {
        found.actions[action].name: decode(layout, found.states[:, target])["Node"]
        for action, target in outgoing(found, start)
    }
    assert after["cut(n1)"] == {}
    assert after["cut(n2)"] == {"n1": {"parent": "null"}}
    assert after["cut(n3)"] == {"n1": {"parent": "null"}, "n2": {"parent": "n1"}}


def test_an_assignment_outside_of_the_domain_disables_the_action() -> None:
    thing = Resource("Thing", 1, (Field("size", Numbers(1, 2)),))
    grow = Action(
        "add",
        (value("x", "Thing"), Parameter("n", OneOf(Numbers(0, 5)))),
        (Conjunct(Not(Exists("Thing", Var("x")))),),
        (Create("Thing", Var("x"), (Assign("size", Var("n")),)),),
    )
    assert explore(Model("Sizes", (thing,), (grow,))).totals == Totals(3, 2, 2)


def test_a_field_is_copied_from_another_instance() -> None:
    thing = Resource("Thing", 2, (Field("size", Numbers(1, 2)),))
    add = Action(
        "add",
        (value("x", "Thing"), Parameter("n", OneOf(Numbers(1, 2)))),
        (Conjunct(Not(Exists("Thing", Var("x")))),),
        (Create("Thing", Var("x"), (Assign("size", Var("n")),)),),
    )
    mine, other = (FieldOf("Thing", Var(name), "size") for name in ("x", "y"))
    copy = Action(
        "copy",
        (value("x", "Thing"), value("y", "Thing")),
        (Conjunct(Not(equal(mine, other))),),
        (Update("Thing", Var("x"), (Assign("size", other),)),),
    )
    found = explore(Model("Copies", (thing,), (add, copy)))
    assert found.totals.states == 9
    by_action = dict.fromkeys(("add", "copy"), 0)
    for ground, taken in zip(found.actions, found.taken.tolist(), strict=True):
        by_action[ground.action] += taken
    # Copying needs a source that exists; from an absent target it changes nothing.
    assert by_action == {"add": 12, "copy": 4 + 4}


def test_a_restricting_reference_needs_no_guard() -> None:
    explicit = tournaments(2, 2, 2)
    implicit = replace(
        explicit,
        actions=tuple(
            replace(a, guard=a.guard[:1]) if a.name.startswith("delete") else a
            for a in explicit.actions
        ),
    )
    assert explore(implicit).totals == explore(explicit).totals
    assert np.array_equal(explore(implicit).states, explore(explicit).states)


def test_some_over_a_resource_sees_values_that_do_not_exist() -> None:
    thing = Resource("Thing", 2)
    model = Model(
        "Gap",
        (thing,),
        (create("add", "x", "Thing"),),
        (),
        Some("x", ValuesOf("Thing"), Not(Exists("Thing", Var("x")))),
    )
    assert explore(model).totals == Totals(4, 4, 3)
