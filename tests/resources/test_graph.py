"""The property graph, its sequences and its correction, on the paper's running example."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from icepick.openapi import ApiSpec
from icepick.resources.build import build_graph
from icepick.resources.correct import ChangeKind, Observation, Origin, correct
from icepick.resources.find import find_resources
from icepick.resources.graph import Consumes, Edge, PropertyGraph
from icepick.resources.sequences import Limits, call_sequences, crud_valid, generated_sequences
from tests.resources.conftest import Read
from tests.resources.documents import TEXT, obj, op, ref
from tests.resources.figure4 import petstore


@pytest.fixture
def spec(tmp_path: Path) -> ApiSpec:
    return petstore(tmp_path)


@pytest.fixture
def initial(spec: ApiSpec) -> PropertyGraph:
    """Figure 4a: what names and schemas alone tell."""
    return build_graph(spec)


def edges(graph: PropertyGraph) -> set[str]:
    return {str(edge) for edge in (*graph.produces, *graph.consumes, *graph.equal)}


INITIAL = {
    "findPetsByStatus -> Pet",
    "getPetById -> Pet",
    "getOrderById -> Order",
    "Pet -> addPet",
    "Order -> placeOrder",
    "Pet -> <status> findPetsByStatus",
    "Order -> <status> findPetsByStatus",
    "Order -> <petId> getPetById",
}

REFINED = (
    INITIAL - {"Order -> <status> findPetsByStatus", "Pet -> addPet", "Order -> placeOrder"}
) | {
    "addPet -> Pet",
    "placeOrder -> Order",
    "Pet -> <id> getPetById",
    "Order.petId = Pet.id",
}


def test_initial_graph_is_figure_4a(initial: PropertyGraph):
    assert edges(initial) == INITIAL
    assert initial.endpoints == (("getOrderById", "deleteOrder"),)


def the_edge(graph: PropertyGraph, text: str) -> Consumes:
    return next(edge for edge in graph.consumes if str(edge) == text)


def order(number: int, pet: int) -> dict[str, object]:
    return {"id": number, "petId": pet, "status": "succ"}


def pet(number: int, name: str = "cat") -> dict[str, object]:
    return {"id": number, "name": name, "status": "sold"}


def read_pet_of(graph: PropertyGraph, source: dict[str, object], answer: object) -> Observation:
    """getPetById called with the petId of an order."""
    edge = the_edge(graph, "Order -> <petId> getPetById")
    return Observation("getPetById", 200, answer, (Origin(edge, source),))


def refused(graph: PropertyGraph, edge: str, operation: str) -> list[Observation]:
    origin = Origin(the_edge(graph, edge), {})
    return [Observation(operation, 400, {"message": "no"}, (origin,))] * 3


def test_one_observation_leaves_the_equality_open(initial: PropertyGraph):
    """Pet.id is 1, and so are both the id and the petId of the order."""
    corrected = correct(initial, [read_pet_of(initial, order(1, 1), pet(1))])
    assert corrected.graph.equal == ()
    (candidates,) = corrected.graph.undecided.values()
    assert candidates.pairs == {(("id",), ("id",)), (("petId",), ("id",))}


def test_the_second_observation_decides(initial: PropertyGraph):
    seen = [
        read_pet_of(initial, order(1, 1), pet(1)),
        read_pet_of(initial, order(2, 4), pet(4, "dog")),
    ]
    corrected = correct(initial, seen)
    assert edges(corrected.graph) - INITIAL == {"Order.petId = Pet.id", "Pet -> <id> getPetById"}
    assert [change.kind for change in corrected.changes] == [ChangeKind.ADDED] * 2


def test_batches_make_no_difference(initial: PropertyGraph):
    first = read_pet_of(initial, order(1, 1), pet(1))
    second = read_pet_of(initial, order(2, 4), pet(4))
    in_two = correct(correct(initial, [first]).graph, [second])
    assert in_two.graph == correct(initial, [first, second]).graph


def test_refined_graph_is_figure_4b(initial: PropertyGraph):
    seen = [
        Observation("addPet", 200, pet(1)),
        Observation("placeOrder", 200, order(1, 1)),
        read_pet_of(initial, order(1, 1), pet(1)),
        read_pet_of(initial, order(2, 4), pet(4)),
        *refused(initial, "Order -> <status> findPetsByStatus", "findPetsByStatus"),
        *refused(initial, "Pet -> addPet", "addPet"),
        *refused(initial, "Order -> placeOrder", "placeOrder"),
    ]
    assert edges(correct(initial, seen).graph) == REFINED


def test_the_same_value_twice_is_one_observation(initial: PropertyGraph):
    """A coincidence repeats itself as long as the data stay the same."""
    seen = [read_pet_of(initial, order(7, 4), pet(4))] * 5
    assert correct(initial, seen).graph.equal == ()


def test_an_edge_is_dropped_after_three_failures_and_can_return(initial: PropertyGraph):
    edge = the_edge(initial, "Pet -> addPet")
    failures = refused(initial, "Pet -> addPet", "addPet")
    assert edge in correct(initial, failures[:2]).graph
    dropped = correct(initial, failures)
    assert edge not in dropped.graph
    assert dropped.graph.dropped == (edge,)
    back = correct(dropped.graph, [Observation("addPet", 200, None, (Origin(edge, {}),))])
    assert edge in back.graph
    assert [change.kind for change in back.changes] == [ChangeKind.RETURNED]


def test_a_success_between_failures_starts_the_count_anew(initial: PropertyGraph):
    failures = refused(initial, "Pet -> addPet", "addPet")
    works = Observation("addPet", 200, None, failures[0].origins)
    seen = [*failures[:2], works, *failures[:2]]
    assert the_edge(initial, "Pet -> addPet") in correct(initial, seen).graph


def test_nothing_is_learned_from_a_negative_test(initial: PropertyGraph):
    edge = the_edge(initial, "Pet -> addPet")
    seen = [
        Observation("addPet", 400, None, (Origin(edge, {}),), negative=True),
        Observation("placeOrder", 200, order(1, 1), negative=True),
    ] * 4
    corrected = correct(initial, seen)
    assert corrected.graph == initial
    assert corrected.changes == ()


def test_an_answer_behind_an_envelope_is_recognised(initial: PropertyGraph):
    corrected = correct(initial, [Observation("addPet", 201, {"data": [pet(3)], "total": 1})])
    (edge,) = [e for e in corrected.graph.produces if e.operation == "addPet"]
    assert (edge.schema, edge.path) == ("Pet", ("data", "[]"))


def test_an_object_of_two_likely_schemas_is_left_alone(initial: PropertyGraph):
    corrected = correct(initial, [Observation("addPet", 200, {"id": 1, "status": "new"})])
    assert corrected.changes == ()


def test_resources_add_what_names_alone_do_not_tell(spec: ApiSpec):
    graph = build_graph(spec, find_resources(spec))
    more = edges(graph) - INITIAL
    assert {"Order.petId = Pet.id", "Pet -> <id> getPetById", "Order -> <id> deleteOrder"} <= more


def refined(initial: PropertyGraph) -> PropertyGraph:
    seen: list[Observation] = [
        Observation("addPet", 200, pet(1)),
        Observation("placeOrder", 200, order(1, 1)),
        read_pet_of(initial, order(1, 1), pet(1)),
        read_pet_of(initial, order(2, 4), pet(4)),
        *refused(initial, "Pet -> addPet", "addPet"),
        *refused(initial, "Order -> <status> findPetsByStatus", "findPetsByStatus"),
    ]
    return correct(initial, seen).graph


def test_sequences_of_the_refined_graph(spec: ApiSpec, initial: PropertyGraph):
    graph = refined(initial)
    assert set(graph.producers("Pet")) == {"addPet", "getPetById", "findPetsByStatus"}
    assert set(graph.consumers("Pet")) == {"getPetById", "findPetsByStatus"}
    found = generated_sequences(graph, spec)
    assert ("placeOrder", "getPetById", "findPetsByStatus") in found
    assert ("getPetById", "findPetsByStatus") in found


def pairs_of(graph: PropertyGraph) -> set[tuple[str, str]]:
    return {
        (producer, consumer)
        for schema in graph.schemas
        for producer in graph.producers(schema)
        for consumer in graph.consumers(schema)
        if producer != consumer
    }


def test_every_valid_pair_and_every_operation_is_covered(spec: ApiSpec, initial: PropertyGraph):
    graph = refined(initial)
    found = call_sequences(graph, spec)
    steps = {step for sequence in found for step in pairwise(sequence)}
    methods = {operation.id: operation.method for operation in spec.operations}
    touched = {
        "addPet": {"Pet"},
        "getPetById": {"Pet", "Order"},
        "findPetsByStatus": {"Pet"},
        "placeOrder": {"Order"},
        "getOrderById": {"Order"},
    }
    valid = {
        pair
        for pair in pairs_of(graph)
        if crud_valid(pair, methods, {k: frozenset(v) for k, v in touched.items()})
    }
    assert valid <= steps
    assert {operation for sequence in found for operation in sequence} == set(methods)


def test_longest_chains_come_first_and_standalone_operations_last(
    spec: ApiSpec, initial: PropertyGraph
):
    lengths = [len(sequence) for sequence in call_sequences(refined(initial), spec)]
    assert lengths == sorted(lengths, reverse=True)
    assert ("deleteOrder",) in call_sequences(initial, spec)


@pytest.mark.parametrize(
    ("sequence", "valid"),
    [
        (("post", "get", "delete"), True),
        (("get", "put"), True),
        (("delete", "get"), False),
        (("get", "post"), False),
        (("delete", "other"), True),
    ],
)
def test_crud_rules(sequence: tuple[str, ...], valid: bool):
    methods = {"post": "POST", "get": "GET", "put": "PUT", "delete": "DELETE", "other": "GET"}
    touched = {name: frozenset({"Pet"}) for name in methods} | {"other": frozenset({"Order"})}
    assert crud_valid(sequence, methods, touched) is valid


def test_limits_hold(spec: ApiSpec, initial: PropertyGraph):
    found = call_sequences(refined(initial), spec, Limits(length=2))
    assert max(map(len, found)) == 2


def test_stronger_evidence_replaces_weaker(initial: PropertyGraph):
    weak: Edge = the_edge(initial, "Order -> <petId> getPetById")
    strong = replace(weak, evidence=replace(weak.evidence, confidence=0.99))
    graph = initial.plus(strong)
    assert the_edge(graph, str(weak)).evidence.confidence == 0.99
    assert len(graph.consumes) == len(initial.consumes)


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("id", ("path", "id")),
        ("path.id", ("path", "id")),
        ("where.ownerId.eq", ("query", "where.ownerId.eq")),
        ("query.where.ownerId.eq", ("query", "where.ownerId.eq")),
        ("no.such.thing", ("path", "no.such.thing")),
    ],
)
def test_the_input_that_a_link_means(read: Read, name: str, taken: tuple[str, str]) -> None:
    shown = op(gives=ref("Owner"))
    shown["responses"]["200"]["links"] = {
        "Pets": {"operationId": "get_pets_id", "parameters": {name: "$response.body#/id"}}
    }
    spec = read(
        {
            "GET /owners/{id}": shown,
            "GET /pets/{id}": op(gives=ref("Owner"), query=["where.ownerId.eq"]),
        },
        Owner=obj(id=TEXT, name=TEXT),
    )
    said = [one for one in build_graph(spec).consumes if one.evidence.confidence == 1.0]
    assert [one.input for one in said if "link" in one.evidence.reason] == [taken]
