"""Updates and reads: every operation in every context, between creation and deletion."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from icepick.explore import Exploration, decode, explore
from icepick.openapi import read_spec
from icepick.pipeline.models import describe, models
from icepick.pipeline.upkeep import left_out, upkeep
from icepick.sequences import Kind, Options, Plan, Strategy, carried_out, plan
from tests.sequences.examples import api, model, petstore, tournaments
from tests.sequences.simulator import run


def planned(
    name: str, explored: Exploration, strategy: Strategy = Strategy.TOUR, seed: int = 0
) -> Plan:
    return plan(explored, Options(strategy, seed=seed), upkeep(api(name), explored.model))


def updates(made: Plan) -> list[tuple[str, str, int, int]]:
    """Operation, instance, input and state of each update."""
    return [
        (step.call.operation, str(step.call.arguments[0]), step.call.input, step.state)
        for sequence in made.sequences()
        for step in sequence.steps
        if step.call.kind is Kind.UPDATE
    ]


@pytest.mark.parametrize("symmetry", [False, True])
@pytest.mark.parametrize("strategy", Strategy)
def test_instances_exist_when_they_are_updated_or_read(strategy: Strategy, symmetry: bool) -> None:
    made = planned("tournaments", tournaments(2, symmetry=symmetry), strategy)
    assert sum(len(run(sequence)) for sequence in made.sequences()) > 50
    found = carried_out(made)
    assert found.updates.percent == found.reads.percent == 100.0


def test_three_in_a_row_with_the_same_input_twice_and_then_another() -> None:
    found = updates(planned("tournaments", tournaments(2)))
    rows = [found[i : i + 3] for i in range(0, len(found), 3)]
    for row in rows:
        assert [each[2] for each in row] == [1, 1, 2]
        assert len({(operation, instance, state) for operation, instance, _, state in row}) == 1


def test_each_update_in_every_context_once() -> None:
    explored = tournaments(2)
    layout = explored.machine.layout
    contexts: Counter[tuple[object, ...]] = Counter()
    for operation, instance, number, state in updates(planned("tournaments", explored)):
        if number != 2:
            continue
        shown = decode(layout, explored.states[:, state])
        resource = "Player" if instance.startswith("p") else "Tournament"
        field = "pid" if resource == "Player" else "tid"
        joined = sum(e[field] == instance for e in shown["Enrolment"].values())
        beside = len(shown[resource]) > 1
        contexts[operation, shown[resource][instance].get("capacity"), joined, beside] += 1
    # A tournament for one cannot have two players.
    assert contexts == Counter(
        [("updatePlayer", None, joined, beside) for joined in range(3) for beside in (False, True)]
        + [("updateTournament", "1", joined, b) for joined in range(2) for b in (False, True)]
        + [("updateTournament", "2", joined, b) for joined in range(3) for b in (False, True)]
    )


def test_the_seed_decides_where() -> None:
    explored = tournaments(2)
    first, again = (updates(planned("tournaments", explored, seed=1)) for _ in range(2))
    assert first == again
    assert first != updates(planned("tournaments", explored, seed=2))


def test_only_reads_that_no_contract_sends_get_a_place() -> None:
    reads = [one for one in upkeep(api("petstore"), petstore(1).model) if one.kind is Kind.READ]
    names = {one.operation for one in reads}
    assert {"findPetsByTags", "logoutUser"} <= names
    assert not names & {"getPetById", "getUserByName", "getOrderById", "getInventory"}


def test_no_operation_is_left_out_but_those_that_are_said() -> None:
    for name, missing in (
        ("tournaments", ()),
        ("petstore", ()),
        ("features", ()),
        ("shop", ("deleteSession",)),
    ):
        assert sorted(left_out(api(name), [model(name)])) == sorted(missing)


def test_an_action_is_the_last_call_of_its_sequence_in_every_context() -> None:
    bounds = {"Customer": 1, "Product": 1, "Order": 1, "User": 1, "Address": 1, "Line": 1}
    made = planned("shop", explore(model("shop", **bounds)))
    endings = []
    for sequence in made.sequences():
        *before, last = (step.call for step in sequence.steps)
        assert all(call.kind is not Kind.ACTION for call in before)
        endings += [last] if last.kind is Kind.ACTION else []
    assert {call.operation for call in endings} == {"createSession", "cancelOrder", "submitOrder"}
    assert ("cancelOrder", ("o1",)) in {(call.operation, call.arguments) for call in endings}
    assert carried_out(made).actions.percent == 100.0


def test_a_put_that_creates_updates_what_exists() -> None:
    bounds = {"Customer": 1, "Product": 1, "Order": 1, "User": 1, "Address": 1, "Line": 1}
    explored = explore(model("shop", **bounds))
    found = updates(planned("shop", explored))
    assert "putProduct" in {operation for operation, *_ in found}
    assert {"replaceAddress", "replaceLine", "updateOrder"} <= {o for o, *_ in found}


def test_reads_of_what_has_no_life_cycle_are_made_at_the_start(tmp_path: Path) -> None:
    answer = {"200": {"description": "ok"}}
    paths = {"/ping": {"get": {"operationId": "ping", "responses": answer}}}
    document = {"openapi": "3.0.3", "info": {"title": "T", "version": "1"}, "paths": paths}
    file = tmp_path / "api.json"
    file.write_text(json.dumps(document))
    described = describe(read_spec(str(file)))
    (derivation,) = models(described, {})
    made = plan(explore(derivation.model), Options(), upkeep(described, derivation.model))
    (sequence,) = made.sequences()
    assert [(step.call.name, step.state) for step in sequence.steps] == [("ping()", 0)]
    assert left_out(described, [derivation.model]) == ()
