from __future__ import annotations

from typing import Any

import pytest

from tests.resources.conftest import Find
from tests.resources.documents import (
    NUMBER,
    TEXT,
    Json,
    crud,
    many,
    obj,
    op,
    read_only,
    ref,
    references,
)

CUSTOMER = obj(id=TEXT, name=TEXT)
UUID: Json = {"type": "string", "format": "uuid"}


def _order(find: Find, collection: Any = "/orders", **fields: Any) -> dict[str, tuple[str, bool]]:
    """The references of an order with these fields, beside customers and products."""
    operations = {
        **crud("/customers", "customer_id", ref("Customer")),
        **crud("/products", "sku", ref("Product")),
        **crud(collection, "id", ref("Order")),
    }
    schemas = {"Customer": CUSTOMER, "Product": obj(sku=TEXT, title=TEXT)}
    found = find(operations, **schemas, Order=obj(id=TEXT, **fields))
    return references(found.resources["Order"])


@pytest.mark.parametrize(
    "name",
    ["customer_id", "customerId", "customer-id", "customer", "customerUuid", "billing_customer_id"],
)
def test_a_field_named_after_a_resource(find: Find, name: str) -> None:
    assert _order(find, **{name: TEXT}) == {name: ("Customer", True)}


@pytest.mark.parametrize("name", ["sku", "productSku", "product_sku", "replaced_sku"])
def test_a_field_named_after_an_identifier(find: Find, name: str) -> None:
    assert _order(find, **{name: TEXT}) == {name: ("Product", True)}


@pytest.mark.parametrize("name", ["skus", "products", "product_ids"])
def test_a_list_of_identifiers(find: Find, name: str) -> None:
    assert _order(find, **{name: many(TEXT)}) == {f"{name}[]": ("Product", True)}


def test_a_field_that_only_the_service_writes(find: Find) -> None:
    assert _order(find, customer_id=read_only(TEXT)) == {"customer_id": ("Customer", False)}


def test_a_reference_inside_parts(find: Find) -> None:
    found = _order(find, lines=many(obj(sku=TEXT, count=NUMBER)), buyer=obj(customer_id=TEXT))
    assert found == {"buyer.customer_id": ("Customer", True), "lines[].sku": ("Product", True)}


def test_a_copy_of_a_resource_holds_its_identifier(find: Find) -> None:
    assert _order(find, buyer=ref("Customer")) == {"buyer.id": ("Customer", True)}
    assert _order(find, watchers=many(ref("Customer"))) == {"watchers[].id": ("Customer", True)}
    assert _order(find, customer=obj(id=TEXT)) == {"customer.id": ("Customer", True)}


def test_what_a_copy_refers_to_is_its_own_affair(find: Find) -> None:
    found = _order(find, customer=obj(id=TEXT, sku=TEXT, favourites=many(ref("Product"))))
    assert found == {"customer.id": ("Customer", True)}


def test_an_identifier_may_be_sent_where_a_copy_is_shown(find: Find) -> None:
    operations = {
        **crud("/customers", "id", ref("Customer")),
        "POST /orders": op(obj(customer=TEXT), ref("Order"), "201"),
        "GET /orders/{id}": op(gives=ref("Order")),
    }
    found = find(operations, Customer=CUSTOMER, Order=obj(id=TEXT, customer=ref("Customer")))
    assert references(found.resources["Order"]) == {
        "customer": ("Customer", True),
        "customer.id": ("Customer", False),
    }


def test_json_api_relationships(find: Find) -> None:
    customer = obj(data=obj(type=TEXT, id=TEXT))
    found = _order(find, relationships=obj(customer=customer))
    assert found == {"relationships.customer.data.id": ("Customer", True)}


def test_hal_links_are_no_references_but_embedded_things_are(find: Find) -> None:
    found = _order(find, _links=obj(customer=TEXT), _embedded=obj(customer=ref("Customer")))
    assert found == {"_embedded.customer.id": ("Customer", True)}


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("customer", {"type": "string", "enum": ["retail", "trade"]}),
        ("customer_id", {"type": "boolean"}),
        ("customers", {"type": "object", "additionalProperties": NUMBER}),
        ("name", TEXT),
        ("id_of_nothing", TEXT),
        ("customer_note", TEXT),
        ("status", TEXT),
        ("order_id", TEXT),
    ],
)
def test_a_field_that_refers_to_nothing(find: Find, name: str, schema: Json) -> None:
    assert _order(find, **{name: schema}) == {}


def test_a_path_says_how_and_not_what(find: Find) -> None:
    operations = {
        **crud("/contents", "path", ref("Content")),
        **crud("/sessions", "session_id", ref("Session")),
    }
    schemas = {"Content": obj(path=TEXT, text=TEXT), "Session": obj(id=TEXT, path=TEXT)}
    assert references(find(operations, **schemas).resources["Session"]) == {}


def test_a_description_may_tell(find: Find) -> None:
    described = {**TEXT, "description": "The id of the customer who pays"}
    assert _order(find, payer=described) == {"payer": ("Customer", True)}


@pytest.mark.parametrize(
    "text",
    [
        "The name of the customer",
        "The key of the customer.",
        "The id of the customer group's leader",
        "The id of the customer group",
        "The id of the order as others know it",
    ],
)
def test_a_description_may_tell_of_something_else(find: Find, text: str) -> None:
    assert _order(find, payer={**TEXT, "description": text}) == {}


def test_what_is_known_by_its_name_may_have_an_id_too(find: Find) -> None:
    operations = {
        **crud("/pools", "name", ref("Pool")),
        **crud("/jobs", "id", ref("Job")),
    }
    job = obj(id=TEXT, pool_id=TEXT, pool_name=TEXT, pool_code=TEXT)
    found = find(operations, Pool=obj(name=TEXT, id=TEXT), Job=job)
    assert references(found.resources["Job"]) == {"pool_name": ("Pool", True)}


def test_what_stands_beside_a_field_tells_whom_it_names(find: Find) -> None:
    operations = {
        **crud("/limits", "id", ref("Limit")),
        **crud("/v2/limits", "name", ref("Limit2")),
        **crud("/jobs", "id", ref("Job")),
    }
    limits = {"Limit": obj(id=TEXT), "Limit2": obj(id=TEXT, name=TEXT)}
    alone = find(operations, **limits, Job=obj(id=TEXT, top_limit_id=TEXT))
    assert references(alone.resources["Job"]) == {"top_limit_id": ("Limit", True)}
    beside = find(
        operations, **limits, Job=obj(id=TEXT, top_limit_id=TEXT, top_limit=ref("Limit2"))
    )
    assert references(beside.resources["Job"]) == {"top_limit.name": ("Limit2", True)}


def test_references_to_ones_own_kind(find: Find) -> None:
    assert _order(find, parent_id=TEXT) == {"parent_id": ("Order", True)}
    assert _order(find, parentIds=many(TEXT)) == {"parentIds[]": ("Order", True)}
    assert _order(find, related=many(obj(order_id=TEXT))) == {"related[].order_id": ("Order", True)}


def test_the_name_of_its_own_kind_around_a_resource_is_its_own(find: Find) -> None:
    assert _order(find, metadata=obj(order=TEXT, created=TEXT)) == {}


def test_an_association_that_shows_what_it_links_to(find: Find) -> None:
    operations = {
        **crud("/shops/{shop}/labels", "name", ref("Label")),
        **crud("/shops", "shop", ref("Shop")),
        **crud("/shops/{shop}/orders", "id", ref("Order")),
        "GET /shops/{shop}/orders/{id}/labels": op(gives=many(ref("Label"))),
        "PUT /shops/{shop}/orders/{id}/labels/{name}": op(),
        "DELETE /shops/{shop}/orders/{id}/labels/{name}": op(),
    }
    schemas = {
        "Label": obj(name=TEXT, order_id=TEXT),
        "Shop": obj(shop=TEXT),
        "Order": obj(id=TEXT),
    }
    found = find(operations, **schemas).resources
    assert references(found["Label"]) == {"order_id": ("Order", True)}
    assert references(found["OrderLabel"]) == {"name": ("Label", True)}
    assert found["OrderLabel"].joins == ("Order", "Label")


def test_a_nested_resource_shows_its_parent(find: Find) -> None:
    found = _order(find, "/customers/{customer_id}/orders", customer_id=read_only(TEXT))
    assert found == {"customer_id": ("Customer", False)}


def test_fields_are_named_inside_the_envelope(find: Find) -> None:
    operations = {
        **crud("/customers", "id", ref("Customer")),
        "POST /orders": op(obj(order=obj(customer_id=TEXT)), obj(order=ref("Order")), "201"),
        "GET /orders/{id}": op(gives=obj(order=ref("Order"))),
    }
    found = find(operations, Customer=CUSTOMER, Order=obj(id=TEXT, customer_id=TEXT))
    assert references(found.resources["Order"]) == {"customer_id": ("Customer", True)}


def test_fields_of_a_query_count_when_they_create(find: Find) -> None:
    operations = {
        **crud("/customers", "id", ref("Customer")),
        "GET /orders": op(gives=many(ref("Order")), query=["customer_id"]),
        "POST /orders": op(gives=ref("Order"), status="201", query=["customerId"]),
        "GET /orders/{id}": op(gives=ref("Order")),
    }
    found = find(operations, Customer=CUSTOMER, Order=obj(id=TEXT))
    assert references(found.resources["Order"]) == {"customerId": ("Customer", True)}


def test_two_references_make_an_association(find: Find) -> None:
    operations = {
        **crud("/players", "id", ref("Player")),
        **crud("/teams", "id", ref("Team")),
        **crud("/contracts", "id", ref("Contract")),
        **crud("/matches", "id", ref("Match")),
    }
    schemas = {
        "Player": CUSTOMER,
        "Team": CUSTOMER,
        "Contract": obj(id=UUID, player_id=UUID, team_id=UUID),
        "Match": obj(id=UUID, home_team_id=UUID, guest_team_id=UUID),
    }
    found = find(operations, **schemas).resources
    assert found["Contract"].joins == ("Player", "Team")
    assert found["Match"].joins == ()
    assert found["Player"].joins == ()


@pytest.mark.parametrize(
    ("field", "expected"),
    [("favouriteId", {"favouriteId": ("Category", True)}), ("favouriteText", {}), ("rankId", {})],
)
def test_a_path_below_the_item_shows_what_a_field_means(
    find: Find, field: str, expected: dict[str, tuple[str, bool]]
) -> None:
    operations = {
        **crud("/readers", "id", ref("Reader")),
        **crud("/categories", "id", ref("Category")),
        "GET /readers/{id}/favourite": op(gives=ref("Category")),
    }
    schemas = {"Reader": obj(id=TEXT, **{field: TEXT}), "Category": obj(id=TEXT, title=TEXT)}
    found = find(operations, **schemas)
    assert references(found.resources["Reader"]) == expected


def test_a_path_below_the_item_shows_one_of_its_own_kind(find: Find) -> None:
    operations = {
        **crud("/books", "id", ref("Book")),
        "GET /books/{id}/sequel": op(gives=ref("Book")),
    }
    found = find(operations, Book=obj(id=TEXT, sequelId=TEXT))
    assert references(found.resources["Book"]) == {"sequelId": ("Book", True)}


@pytest.mark.parametrize("nullable", [True, False])
def test_an_identifier_or_the_whole_thing_is_a_reference(find: Find, nullable: bool) -> None:
    either = {"oneOf": [TEXT, ref("Customer")], "nullable": nullable}
    assert _order(find, made_by=either) == {"made_by": ("Customer", True)}
    assert _order(find, seen_by=many(either)) == {"seen_by[]": ("Customer", True)}


def test_what_is_shown_in_the_place_of_an_identifier_has_references_of_its_own(find: Find) -> None:
    customer = obj(id=TEXT, favourite={"oneOf": [TEXT, ref("Product")]})
    operations = {
        **crud("/customers", "customer_id", ref("Customer")),
        **crud("/products", "sku", ref("Product")),
        **crud("/orders", "id", ref("Order")),
    }
    order = obj(id=TEXT, made_by={"anyOf": [TEXT, ref("Customer")]})
    found = find(operations, Customer=customer, Product=obj(sku=TEXT), Order=order)
    assert references(found.resources["Order"]) == {"made_by": ("Customer", True)}
    assert references(found.resources["Customer"]) == {"favourite": ("Product", True)}


def test_changing_several_at_once_says_nothing_of_one(find: Find) -> None:
    pet = obj(id=TEXT, name=TEXT, owner_id=TEXT)
    operations = {
        **crud("/pets", "id", ref("Pet")),
        **crud("/owners", "id", ref("Owner")),
        "PATCH /pets": op(obj(keys=many(TEXT), data=ref("Pet"))),
        "PATCH /owners": op({"oneOf": [many(ref("Owner")), ref("Owner")]}),
    }
    found = find(operations, Pet=pet, Owner=obj(id=TEXT))
    assert references(found.resources["Pet"]) == {"owner_id": ("Owner", True)}
    roles = {use.role.value for use in found.resources["Pet"].uses}
    assert "update many" in roles
    assert "update" not in roles


def test_one_or_many_is_one(find: Find) -> None:
    either = {"oneOf": [many(ref("Pet")), ref("Pet")]}
    operations = {**crud("/pets", "id", ref("Pet")), "POST /pets": op(either, ref("Pet"), "201")}
    pets = find(operations, Pet=obj(id=TEXT, name=TEXT)).resources["Pet"]
    assert [use.role.value for use in pets.uses if use.creates] == ["create"]


@pytest.mark.parametrize("hole", ["customer", "customer_id", "sku"])
def test_what_the_path_above_names_though_it_lies_elsewhere(find: Find, hole: str) -> None:
    found = _order(find, f"/orders/{{{hole}}}")
    assert found == {hole: ("Product" if hole == "sku" else "Customer", True)}


@pytest.mark.parametrize("hole", ["region", "version", "name"])
def test_what_the_path_above_names_may_be_nothing(find: Find, hole: str) -> None:
    assert _order(find, f"/orders/{{{hole}}}") == {}


def test_a_text_may_be_called_like_what_is_kept_elsewhere(find: Find) -> None:
    operations = {**crud("/comments", "id", ref("Comment")), **crud("/fields", "id", ref("Field"))}
    schemas = {"Comment": obj(id=TEXT, text=TEXT), "Field": obj(id=TEXT, comment=TEXT)}
    assert references(find(operations, **schemas).resources["Field"]) == {}
