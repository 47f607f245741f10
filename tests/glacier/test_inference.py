"""Contracts inferred from documents: the paper's listings, and every demo service as a whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from icepick.glacier import parse_formula
from icepick.glacier.contracts import Provenance
from icepick.glacier.inference.infer import Inference, infer_contracts
from icepick.openapi import ApiSpec, read_spec
from icepick.resources.find import find_resources
from icepick.resources.types import CHANGING
from tests.golden.compare import assert_golden
from tests.resources.conftest import Read, read
from tests.resources.documents import TEXT, crud, obj, op, ref

__all__ = ["read"]

DEMO = Path(__file__).parents[2] / "src" / "icepick" / "demo"
DOCUMENTS = Path(__file__).parents[3] / "shared" / "data" / "oas"
needs_documents = pytest.mark.skipif(
    not DOCUMENTS.is_dir(), reason="needs the documents beside the repository"
)
SERVICES = ("tournaments", "petstore", "features", "shop")


def spec_of(name: str) -> ApiSpec:
    return read_spec(str(DEMO / name / "openapi.yaml"))


def inferred(name: str) -> Inference:
    spec = spec_of(name)
    return infer_contracts(spec, find_resources(spec))


def texts(inference: Inference, label: str) -> tuple[list[str], list[str]]:
    contract = inference.contracts.of(label)
    return [c.text for c in contract.requires], [c.text for c in contract.ensures]


def test_listing_2():
    requires, ensures = texts(inferred("tournaments"), "POST /players")
    assert requires == ["res_code(GET /players/req_body(@){pid}) = 404"]
    assert "res_code(GET /players/req_body(@){pid}) = 200" in ensures
    assert "req_body(@) = res_body(@)" in ensures


def test_listing_3():
    """The listing says req_body; its text says the answer, which is what can be compared."""
    requires, ensures = texts(inferred("tournaments"), "DELETE /players/{pid}")
    assert requires == ["res_code(GET /players/{pid}) = 200"]
    assert "res_code(GET /players/{pid}) = 404" in ensures
    assert "res_body(@) = prev(res_body(GET /players/{pid}))" in ensures


def test_references_in_the_body_must_exist():
    requires, _ = texts(inferred("tournaments"), "POST /enrolments")
    assert requires == [
        "res_code(GET /enrolments/req_body(@){eid}) = 404",
        "res_code(GET /players/req_body(@){pid}) = 200",
        "res_code(GET /tournaments/req_body(@){tid}) = 200",
    ]


def test_parents_must_exist():
    requires, _ = texts(inferred("features"), "POST /products/{productName}/features/{featureName}")
    assert requires[0] == "res_code(GET /products/{productName}) = 200"


def test_optional_reference_below_another_reference():
    requires, _ = texts(inferred("shop"), "POST /orders")
    address = "/customers/req_body(@){customer_id}/addresses/req_body(@){address_id}"
    assert f"req_body(@){{address_id}} != null => res_code(GET {address}) = 200" in requires


def test_server_made_identifier_is_read_from_the_answer():
    requires, ensures = texts(inferred("shop"), "POST /customers")
    assert requires == []
    assert ensures[0] == "res_code(GET /customers/res_body(@){id}) = 200"


def test_resource_without_a_read_is_seen_through_its_list():
    label = "DELETE /products/{productName}/features/{featureName}"
    _, ensures = texts(inferred("features"), label)
    listed = "res_body(GET /products/{productName}/features)"
    assert f"for x in {listed} :- x.name != path_param(@){{featureName}}" in ensures


def test_paged_collections_are_not_counted():
    _, ensures = texts(inferred("shop"), "POST /customers")
    assert not any(".len" in text for text in ensures)


def test_bulk_creation():
    _, ensures = texts(inferred("petstore"), "POST /user/createWithList")
    assert ensures == ["for x in req_body(@) :- res_code(GET /user/{x.username}) = 200"]


def test_what_cannot_be_inferred_is_said():
    gaps = inferred("shop").gaps
    assert gaps["POST /orders/{order_id}/cancel"] == ("what the action does is not known",)


@pytest.mark.parametrize("name", SERVICES)
def test_every_clause_is_canonical_and_says_why(name: str):
    for clause in inferred(name).contracts.clauses():
        assert clause.provenance is Provenance.INFERRED
        assert 0 < clause.confidence <= 1
        assert clause.reason
        assert parse_formula(clause.text) == clause.formula


@pytest.mark.parametrize("name", SERVICES)
def test_every_changing_operation_has_a_contract_or_a_gap(name: str):
    spec, inference = spec_of(name), inferred(name)
    resources = find_resources(spec)
    for operation in spec.operations:
        if any(use.role in CHANGING for _, use in resources.uses_of(operation.id)):
            label = operation.label
            assert label in inference.contracts.operations or label in inference.gaps


def listed(inference: Inference) -> str:
    lines = []
    for label, contract in inference.contracts.operations.items():
        lines.append(label)
        lines += [f"  requires {clause.text}" for clause in contract.requires]
        lines += [f"  ensures  {clause.text}" for clause in contract.ensures]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", SERVICES)
def test_golden(name: str):
    assert_golden(f"contracts/{name}.txt", listed(inferred(name)))


@needs_documents
@pytest.mark.parametrize("name", ["swagger-petstore", "features-service", "realworld-app"])
def test_golden_of_real_documents(name: str):
    spec = read_spec(str(DOCUMENTS / f"{name}.json"))
    inference = infer_contracts(spec, find_resources(spec))
    assert_golden(f"contracts/real-{name}.txt", listed(inference))


@needs_documents
def test_all_shared_documents_give_contracts_without_failing():
    for file in sorted(DOCUMENTS.iterdir()):
        spec = read_spec(str(file))
        infer_contracts(spec, find_resources(spec))


def test_a_resource_made_below_another_needs_that_one(read: Read) -> None:
    schemas = {"Post": obj(id=TEXT), "Comment": obj(id=TEXT, text=TEXT)}
    operations = {
        **crud("/posts", "postId", ref("Post")),
        "POST /posts/{postId}/comments": op(ref("Comment"), ref("Comment"), "201"),
        "GET /comments/{commentId}": op(gives=ref("Comment")),
        "DELETE /comments/{commentId}": op(status="204"),
    }
    spec = read(operations, **schemas)
    found = infer_contracts(spec, find_resources(spec))
    requires, _ = texts(found, "POST /posts/{postId}/comments")
    assert "res_code(GET /posts/{postId}) = 200" in requires


def test_a_put_that_creates_needs_its_parent(read: Read) -> None:
    schemas = {"Bucket": obj(name=TEXT), "Thing": obj(key=TEXT)}
    things = "/buckets/{name}/things/{key}"
    operations = {
        **crud("/buckets", "name", ref("Bucket")),
        f"PUT {things}": op(ref("Thing"), ref("Thing"), "201"),
        f"GET {things}": op(gives=ref("Thing")),
    }
    spec = read(operations, **schemas)
    requires, _ = texts(infer_contracts(spec, find_resources(spec)), f"PUT {things}")
    assert requires == ["res_code(GET /buckets/{name}) = 200"]


def test_a_parent_is_named_by_its_place_in_the_path(read: Read) -> None:
    """`/buckets/{id}` is the bucket of `/buckets/{bucket}/groups/{id}`, whose `id` is a group."""
    groups = "/buckets/{bucket}/groups/{id}"
    operations = {
        **crud("/buckets", "id", ref("Bucket")),
        f"PUT {groups}": op(ref("Group"), ref("Group"), "201"),
        f"GET {groups}": op(gives=ref("Group")),
    }
    spec = read(operations, Bucket=obj(id=TEXT), Group=obj(id=TEXT))
    requires, _ = texts(infer_contracts(spec, find_resources(spec)), f"PUT {groups}")
    assert requires == ["res_code(GET /buckets/{bucket}) = 200"]


def test_an_address_is_no_identifier(read: Read) -> None:
    schemas = {"Customer": obj(id=TEXT), "Order": obj(id=TEXT, customer={**TEXT, "format": "uri"})}
    operations = {
        **crud("/customers", "id", ref("Customer")),
        **crud("/orders", "id", ref("Order")),
    }
    spec = read(operations, **schemas)
    assert find_resources(spec).resources["Order"].references == ()


def test_what_lies_above_is_named_by_its_place_in_the_path(read: Read) -> None:
    """`{id}` is the bucket in one path and the group in another."""
    schemas = {"Bucket": obj(name=TEXT), "Group": obj(name=TEXT)}
    operations = {
        "GET /buckets/{id}": op(gives=ref("Bucket")),
        "PUT /buckets/{id}": op(ref("Bucket"), ref("Bucket"), "201"),
        "GET /buckets/{bucket_id}/groups/{id}": op(gives=ref("Group")),
        "PUT /buckets/{bucket_id}/groups/{id}": op(ref("Group"), ref("Group"), "201"),
    }
    spec = read(operations, **schemas)
    found = infer_contracts(spec, find_resources(spec))
    requires, _ = texts(found, "PUT /buckets/{bucket_id}/groups/{id}")
    assert requires == ["res_code(GET /buckets/{bucket_id}) = 200"]
