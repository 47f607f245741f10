from __future__ import annotations

import time
from typing import Any

import pytest

from icepick.openapi import ApiSpec
from icepick.resources.find import find_resources
from icepick.resources.types import Resource
from tests.resources.conftest import Find, Read
from tests.resources.documents import NUMBER, TEXT, Json, crud, many, obj, op, ref, roles

PET = obj(id=NUMBER, name=TEXT)
LIMIT = 5.0
"""Seconds: far more than any of the large documents below takes."""


def _named(spec: ApiSpec, method: str, path: str) -> str:
    return next(o.id for o in spec.operations if (o.method, o.path) == (method, path))


def _roles(read: Read, operations: Json, name: str, **schemas: Any) -> dict[str, str]:
    """The roles that operations have for a resource, by method and path."""
    spec = read(operations, **schemas)
    labels = {operation.id: operation.label for operation in spec.operations}
    return {labels[use]: role for use, role in roles(find_resources(spec), name).items()}


def _one(find: Find, operations: Json, **schemas: Any) -> Resource:
    found = list(find(operations, **schemas).resources.values())
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize(
    "collection",
    ["/pets", "/pet", "/api/v1/pets", "/v2.1/pets", "/rest/pets", "/store/pets", "/Pets"],
)
def test_a_collection_and_its_items(find: Find, collection: str) -> None:
    pet = _one(find, crud(collection, "petId", ref("Pet")), Pet=PET)
    assert pet.name == "Pet"
    assert pet.collection_path == collection
    assert pet.item_path == f"{collection}/{{petId}}"
    assert (pet.parent, pet.schema_name, pet.is_singleton) == (None, "Pet", False)


def test_items_in_the_singular_beside_their_collection(read: Read) -> None:
    operations = {
        "GET /parcels": op(gives=many(ref("Parcel"))),
        "POST /parcels": op(ref("Parcel"), gives=obj(parcelId=TEXT)),
        "GET /parcel/{parcelId}": op(gives=ref("Parcel")),
        "DELETE /parcel/{parcelId}": op(),
        "GET /vans": op(gives=many(ref("Parcel"))),
    }
    found = _roles(read, operations, "Parcel", Parcel=obj(id=TEXT, weight=NUMBER))
    assert found == {
        "GET /parcels": "list",
        "POST /parcels": "create",
        "GET /parcel/{parcelId}": "read",
        "DELETE /parcel/{parcelId}": "delete",
    }


@pytest.mark.parametrize(
    ("summary", "status", "role"),
    [
        ("Create a single pet", "201", "create"),
        ("Create a single pet", "200", "action"),
        ("Feed a pet", "201", "action"),
    ],
)
def test_a_second_creation_on_the_item_path(
    read: Read, summary: str, status: str, role: str
) -> None:
    operations = crud("/pets", "petId", ref("Pet"))
    operations["POST /pets/{petId}"] = {**op(status=status), "summary": summary}
    found = _roles(read, operations, "Pet", Pet=PET)
    assert (found["POST /pets"], found["POST /pets/{petId}"]) == ("create", role)


@pytest.mark.parametrize("name", ["order-lines", "order_lines", "orderLines", "OrderLines"])
def test_every_way_to_join_words(find: Find, name: str) -> None:
    assert _one(find, crud(f"/{name}", "id", ref("Line")), Line=PET).name == "OrderLine"


def test_the_usual_roles(read: Read) -> None:
    operations = {**crud("/pets", "id", ref("Pet")), "PATCH /pets/{id}": op(ref("Pet"))}
    assert _roles(read, operations, "Pet", Pet=PET) == {
        "GET /pets": "list",
        "POST /pets": "create",
        "GET /pets/{id}": "read",
        "PUT /pets/{id}": "replace",
        "DELETE /pets/{id}": "delete",
        "PATCH /pets/{id}": "update",
    }


def test_nested_resources_have_parents(find: Find) -> None:
    servers = "/api/v1/servers"
    operations = {
        **crud(servers, "server_id", ref("Server")),
        **crud(f"{servers}/{{server_id}}/zones", "zone_id", ref("Zone")),
        **crud(f"{servers}/{{server_id}}/zones/{{zone_id}}/records", "record_id", ref("Record")),
    }
    found = find(operations, Server=PET, Zone=PET, Record=obj(id=NUMBER)).resources
    assert {name: one.parent for name, one in found.items()} == {
        "Server": None,
        "Zone": "Server",
        "Record": "Zone",
    }


def test_a_parent_is_known_from_the_paths_below_it(find: Find) -> None:
    operations = {
        "GET /servers": op(gives=many(ref("Server"))),
        "POST /servers": op(ref("Server"), ref("Server"), "201"),
        **crud("/servers/{sid}/zones", "zid", ref("Zone")),
    }
    found = find(operations, Server=PET, Zone=obj(id=NUMBER)).resources
    assert found["Server"].item_path == "/servers/{sid}"
    assert found["Zone"].parent == "Server"


def test_shallow_items_of_a_nested_collection(read: Read) -> None:
    operations = {
        **crud("/posts", "id", ref("Post")),
        "GET /posts/{id}/comments": op(gives=many(ref("Comment"))),
        "POST /posts/{id}/comments": op(ref("Comment"), ref("Comment"), "201"),
        "GET /comments/{id}": op(gives=ref("Comment")),
        "DELETE /comments/{id}": op(),
    }
    schemas = {"Post": PET, "Comment": obj(id=NUMBER, text=TEXT)}
    assert _roles(read, operations, "Comment", **schemas) == {
        "GET /posts/{id}/comments": "members",
        "POST /posts/{id}/comments": "create",
        "GET /comments/{id}": "read",
        "DELETE /comments/{id}": "delete",
    }


def test_two_resources_of_one_name_are_told_apart(find: Find) -> None:
    operations = {
        **crud("/books", "id", ref("Book")),
        **crud("/books/{id}/notes", "note", ref("Note")),
        **crud("/films", "id", ref("Film")),
        **crud("/films/{id}/notes", "note", ref("Note")),
    }
    found = find(operations, Book=PET, Film=obj(id=NUMBER), Note=obj(note=TEXT)).resources
    assert list(found) == ["Book", "Film", "Note", "FilmNote"]
    assert found["FilmNote"].parent == "Film"


@pytest.mark.parametrize("path", ["/pets/bulk", "/pets/createWithList", "/pets/batch"])
def test_creation_in_bulk(read: Read, path: str) -> None:
    operations = {**crud("/pets", "id", ref("Pet")), f"POST {path}": op(many(ref("Pet")))}
    assert _roles(read, operations, "Pet", Pet=PET)[f"POST {path}"] == "create many"


def test_a_collection_that_takes_lists(read: Read) -> None:
    operations = {
        "POST /pets": op(many(ref("Pet")), many(ref("Pet")), "201"),
        "GET /pets/{id}": op(gives=ref("Pet")),
    }
    assert _roles(read, operations, "Pet", Pet=PET)["POST /pets"] == "create many"


def test_a_change_of_what_a_filter_lets_through(read: Read) -> None:
    operations = {
        **crud("/pets", "id", ref("Pet")),
        "PUT /pets": op(ref("Pet"), many(ref("Pet")), query=["where.id.eq"]),
    }
    assert _roles(read, operations, "Pet", Pet=PET)["PUT /pets"] == "update many"
    operations["PUT /pets"] = op(ref("Pet"), ref("Pet"), query=["verbose"])
    assert _roles(read, operations, "Pet", Pet=PET)["PUT /pets"] == "replace"


def test_a_key_of_several_parts(find: Find) -> None:
    one, item = ref("Authorship"), "/authorships/author/{authorId}/book/{bookId}"
    operations = {
        **crud("/authors", "id", ref("Author")),
        **crud("/books", "id", ref("Book")),
        **crud("/copies", "id", ref("Copy")),
        "GET /authorships": op(gives=many(one)),
        "POST /authorships": op(one, one),
        f"GET {item}": op(gives=one),
        f"POST {item}": op(one, one),
        f"DELETE {item}": op(gives=one),
    }
    found = find(
        operations,
        Author=PET,
        Book=PET,
        Copy=obj(id=TEXT, bookId=TEXT),
        Authorship=obj("role", authorId=TEXT, bookId=TEXT, role=TEXT),
    ).resources
    assert set(found) == {"Author", "Book", "Copy", "Authorship"}
    authorship = found["Authorship"]
    assert (authorship.collection_path, authorship.item_path) == ("/authorships", item)
    assert authorship.is_keyed
    assert not found["Book"].is_keyed
    meant = {str(one.field): (one.target, one.field.required) for one in authorship.references}
    assert meant == {"authorId": ("Author", True), "bookId": ("Book", True)}
    assert [one.target for one in found["Copy"].references] == ["Book"]


def test_what_an_item_refers_to_is_no_list_of_members(read: Read) -> None:
    operations = {
        **crud("/pets", "id", ref("Pet")),
        **crud("/owners", "id", ref("Owner")),
        "GET /pets/{id}/owner": op(gives=ref("Owner")),
        "GET /owners/{id}/pets": op(gives=many(ref("Pet"))),
    }
    schemas = {"Pet": obj(id=NUMBER, ownerId=NUMBER), "Owner": PET}
    assert _roles(read, operations, "Pet", **schemas)["GET /pets/{id}/owner"] == "view"
    assert _roles(read, operations, "Pet", **schemas)["GET /owners/{id}/pets"] == "members"


def test_creation_by_put_on_the_item(find: Find) -> None:
    operations = {
        "GET /pets/{name}": op(gives=ref("Pet")),
        "PUT /pets/{name}": op(ref("Pet"), ref("Pet"), "201"),
    }
    pet = _one(find, operations, Pet=PET)
    assert [use.role.value for use in pet.uses if use.creates] == ["replace"]


def test_a_put_beside_a_post_replaces_only(find: Find) -> None:
    pet = _one(find, crud("/pets", "id", ref("Pet")), Pet=PET)
    assert [use.role.value for use in pet.uses if use.creates] == ["create"]


def test_creation_by_post_on_the_item(read: Read) -> None:
    operations = {
        "GET /pets": op(gives=many(TEXT)),
        "POST /pets/{name}": op(),
        "DELETE /pets/{name}": op(),
    }
    assert _roles(read, operations, "Pet") == {
        "GET /pets": "list",
        "POST /pets/{name}": "create",
        "DELETE /pets/{name}": "delete",
    }


@pytest.mark.parametrize("last", ["search", "filter", "query", "_search", "findByStatus"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_lists_under_a_path_of_their_own(read: Read, method: str, last: str) -> None:
    search = f"{method} /pets/{last}"
    takes = obj(text=TEXT) if method == "POST" else None
    operations = {**crud("/pets", "id", ref("Pet")), search: op(takes, many(ref("Pet")))}
    assert _roles(read, operations, "Pet", Pet=PET)[search] == "search"


@pytest.mark.parametrize("last", ["cancel", "mark-as-paid", "uploadImage", "actions/archive"])
def test_actions_on_items(read: Read, last: str) -> None:
    action = f"POST /orders/{{id}}/{last}"
    operations = {**crud("/orders", "id", ref("Order")), action: op(gives=ref("Order"))}
    assert _roles(read, operations, "Order", Order=PET)[action] == "action"


def test_a_property_under_its_own_path(read: Read) -> None:
    operations = {
        **crud("/pets", "id", ref("Pet")),
        "GET /pets/{id}/name": op(gives=TEXT),
        "PUT /pets/{id}/name": op(TEXT),
        "GET /pets/{id}/history": op(gives=many(TEXT)),
    }
    found = _roles(read, operations, "Pet", Pet=PET)
    assert found["GET /pets/{id}/name"] == "field"
    assert found["PUT /pets/{id}/name"] == "field"
    assert found["GET /pets/{id}/history"] == "view"


def test_sub_collections_of_an_association(read: Read) -> None:
    operations = {
        **crud("/players", "pid", ref("Player")),
        **crud("/tournaments", "tid", ref("Tournament")),
        **crud("/enrolments", "eid", ref("Enrolment")),
        "GET /tournaments/{tid}/players": op(gives=many(TEXT)),
        "GET /tournaments/{tid}/players/{pid}": op(gives={"type": "boolean"}),
    }
    schemas = {
        "Player": obj("pid", pid=TEXT),
        "Tournament": obj("tid", tid=NUMBER),
        "Enrolment": obj("eid", "pid", "tid", eid=NUMBER, pid=TEXT, tid=TEXT),
    }
    spec = read(operations, **schemas)
    found = find_resources(spec)
    assert list(found.resources) == ["Player", "Tournament", "Enrolment"]
    assert found.resources["Enrolment"].joins == ("Player", "Tournament")
    uses = {use.operation: use for use in found.resources["Player"].uses if use.owner}
    listed = uses[_named(spec, "GET", "/tournaments/{tid}/players")]
    asked = uses[_named(spec, "GET", "/tournaments/{tid}/players/{pid}")]
    assert (listed.role.value, listed.owner) == ("members", "Tournament")
    assert (asked.role.value, asked.owner) == ("member", "Tournament")


def test_an_association_by_path_alone(find: Find) -> None:
    operations = {
        **crud("/tags", "tagName", ref("Tag")),
        **crud("/pets", "id", ref("Pet")),
        "GET /pets/{id}/tags": op(gives=many(TEXT)),
        "PUT /pets/{id}/tags/{tagName}": op(),
        "DELETE /pets/{id}/tags/{tagName}": op(),
    }
    found = find(operations, Pet=PET, Tag=obj("name", name=TEXT)).resources
    (link,) = [one for one in found.values() if one.parent == "Pet"]
    assert link.item_path == "/pets/{id}/tags/{tagName}"
    assert link.joins == ("Pet", "Tag")
    assert [(str(r.field), r.target) for r in link.references] == [("tagName", "Tag")]


def test_singletons(find: Find) -> None:
    operations = {
        "GET /settings": op(gives=ref("Settings")),
        "PUT /settings": op(ref("Settings"), ref("Settings")),
        "POST /settings/reset": op(),
    }
    one = _one(find, operations, Settings=obj(theme=TEXT))
    assert one.is_singleton
    assert (one.item_path, one.collection_path) == ("/settings", None)
    assert [use.role.value for use in one.uses] == ["read", "replace", "action"]


def test_a_singleton_of_an_item(find: Find) -> None:
    operations = {
        **crud("/users", "id", ref("User")),
        "GET /users/{id}/avatar": op(gives=ref("Avatar")),
        "PUT /users/{id}/avatar": op(ref("Avatar")),
    }
    found = find(operations, User=PET, Avatar=obj(url=TEXT))
    used = {use.operation for one in found.resources.values() for use in one.uses}
    assert len(used) == len(operations)


def test_what_stands_below_a_singleton_belongs_to_it(find: Find) -> None:
    operations = {
        "GET /cart": op(gives=ref("Cart")),
        "DELETE /cart": op(),
        **crud("/cart/entries", "id", ref("Entry")),
    }
    found = find(operations, Cart=obj(total=NUMBER), Entry=PET).resources
    assert found["Cart"].is_singleton
    assert found["Entry"].parent == "Cart"


def test_what_is_created_counts_without_an_address(find: Find) -> None:
    operations = {
        "POST /messages": op(obj(text=TEXT), status="201"),
        "POST /messages/verify": op(obj(text=TEXT)),
    }
    message = _one(find, operations)
    assert (message.collection_path, message.item_path) == ("/messages", None)
    assert [use.role.value for use in message.uses if use.creates] == ["create"]


@pytest.mark.parametrize("name", ["current", "me", "self"])
def test_what_is_created_and_met_under_a_fixed_name(find: Find, name: str) -> None:
    operations = {
        "POST /sessions": op(obj(user=TEXT), obj(token=TEXT), "201"),
        f"DELETE /sessions/{name}": op(),
    }
    session = _one(find, operations)
    assert (session.name, session.item_path) == ("Session", f"/sessions/{name}")
    assert [use.role.value for use in session.uses] == ["create", "delete"]


def test_what_is_registered_is_what_is_shown(find: Find) -> None:
    operations = {
        "POST /register": op(obj(name=TEXT), ref("Member"), "201"),
        "GET /member": op(gives=ref("Member")),
    }
    member = _one(find, operations, Member=obj(name=TEXT))
    assert (member.item_path, member.collection_path) == ("/member", "/register")


def test_another_path_may_create_what_nothing_else_creates(read: Read) -> None:
    operations = {
        "GET /cart": op(gives=ref("Cart")),
        "DELETE /cart": op(),
        "POST /cart/checkout": op(obj(card=TEXT), ref("Order"), "201"),
        "GET /orders": op(gives=many(ref("Order"))),
        "GET /orders/{id}": op(gives=ref("Order")),
    }
    schemas = {"Cart": obj(total=NUMBER), "Order": PET}
    assert _roles(read, operations, "Order", **schemas)["POST /cart/checkout"] == "create"
    assert _roles(read, operations, "Cart", **schemas)["POST /cart/checkout"] == "action"


def test_to_remove_is_not_to_create(read: Read) -> None:
    operations = {
        "GET /entries": op(gives=many(ref("Entry"))),
        "GET /entries/{id}": op(gives=ref("Entry")),
        "POST /entries/remove-by-label": op(obj(label=TEXT)),
        "POST /entries/import": op(obj(label=TEXT)),
    }
    roles = _roles(read, operations, "Entry", Entry=PET)
    assert roles["POST /entries/remove-by-label"] == "action"
    assert roles["POST /entries/import"] == "create"


def test_a_collection_elsewhere_creates_what_has_its_address_here(read: Read) -> None:
    operations = {
        "GET /my/books": op(gives=many(ref("Book"))),
        "POST /my/books": op(ref("Book"), ref("Book"), "201"),
        "GET /books/{owner}/{title}": op(gives=ref("Book")),
        "DELETE /books/{owner}/{title}": op(),
    }
    assert _roles(read, operations, "Book", Book=obj(title=TEXT, owner=TEXT)) == {
        "GET /books/{owner}/{title}": "read",
        "DELETE /books/{owner}/{title}": "delete",
        "GET /my/books": "list",
        "POST /my/books": "create",
    }


def test_a_path_with_several_scopes(find: Find) -> None:
    operations = {
        "GET /logs/{region}/{level}": op(gives=many(ref("Log"))),
        "POST /logs/{region}/{level}": op(ref("Log"), ref("Log"), "201"),
        "GET /logs/{region}/{level}/{id}": op(gives=ref("Log")),
        "DELETE /logs/{region}/{level}/{id}": op(),
    }
    log = _one(find, operations, Log=PET)
    assert log.collection_path == "/logs/{region}/{level}"
    assert log.item_path == "/logs/{region}/{level}/{id}"


@pytest.mark.parametrize(
    "operations",
    [
        {"GET /add/{a}/{b}": op(gives=obj(result=NUMBER))},
        {"GET /languages": op(gives=many(obj(code=TEXT)))},
        {"POST /check": op(obj(text=TEXT), obj(errors=many(TEXT)))},
        {"GET /report": op(gives=obj(total=NUMBER)), "POST /report": op(gives=obj(total=NUMBER))},
        {"GET /users/login": op(query=["name"]), "POST /logout": op()},
        {"DELETE /cache": op()},
        {
            f"{method} /error": op(gives=ref("Page"))
            for method in ("GET", "PUT", "POST", "DELETE", "PATCH", "HEAD", "OPTIONS")
        },
    ],
)
def test_computations_lists_and_commands_are_no_resources(find: Find, operations: Json) -> None:
    found = find(operations, Page=obj(title=TEXT))
    assert found.resources == {}
    assert len(found.standalone) == len(operations)


def test_read_only_resources(find: Find) -> None:
    operations = {
        "GET /books/{isbn}": op(gives=ref("Book")),
        "GET /files/{file}": op(gives={"type": "string", "format": "binary"}),
        "GET /policy/{number}": op(gives=ref("CarPolicy")),
    }
    found = find(operations, Book=obj(isbn=TEXT), CarPolicy=obj(holder=TEXT))
    assert list(found.resources) == ["Book", "File", "Policy"]


def test_a_narrower_way_to_the_same_things_is_a_view(find: Find) -> None:
    operations = {
        "GET /persons/id/{id}": op(gives=ref("Person")),
        "GET /persons/teacher/id/{id}": op(gives=ref("Person")),
        "GET /rooms/id/{id}": op(gives=ref("Room")),
    }
    found = find(operations, Person=PET, Room=PET).resources
    assert [one.item_path for one in found.values()] == ["/persons/id/{id}", "/rooms/id/{id}"]


def test_another_key_leads_to_the_same_things(read: Read) -> None:
    operations = {
        **crud("/books", "id", ref("Book")),
        "GET /books/isbn/{isbn}": op(gives=ref("Book")),
        "PATCH /books/isbn/{isbn}": op(ref("Book"), ref("Book")),
        "DELETE /books/isbn/{isbn}": op(),
        "POST /books/isbn/{isbn}/lend": op(),
        "GET /books/kept-by/{reader}": op(gives=many(ref("Book"))),
    }
    spec = read(operations, Book=obj(id=TEXT, isbn=TEXT, title=TEXT))
    found = find_resources(spec)
    assert list(found.resources) == ["Book"]
    assert found.resources["Book"].references == ()
    labels = {operation.id: operation.label for operation in spec.operations}
    assert sorted(labels[one] for one in found.standalone) == [
        "DELETE /books/isbn/{isbn}",
        "GET /books/kept-by/{reader}",
        "PATCH /books/isbn/{isbn}",
        "POST /books/isbn/{isbn}/lend",
    ]


def test_what_is_called_like_the_collection_beside_it_is_something_to_do(read: Read) -> None:
    operations = {
        **crud("/jobs", "id", ref("Job")),
        **crud("/jobs/{id}/schedules", "schedule_id", ref("Schedule")),
        "POST /jobs/{id}/schedule": op(obj(until=TEXT)),
    }
    schemas = {"Job": PET, "Schedule": obj(schedule_id=TEXT, every=NUMBER)}
    assert "POST /jobs/{id}/schedule" not in _roles(read, operations, "Schedule", **schemas)
    assert _roles(read, operations, "Job", **schemas)["POST /jobs/{id}/schedule"] == "action"


def test_a_choice_in_a_path_is_no_identifier(find: Find) -> None:
    unit = {"type": "string", "enum": ["day", "week"]}
    counting = op(obj(since=TEXT), many(NUMBER))
    parameter = {"name": "unit", "in": "path", "required": True, "schema": unit}
    operations = {"POST /events/count-by/{unit}": {**counting, "parameters": [parameter]}}
    assert find(operations).resources == {}


def test_a_put_on_a_collection_creates_what_nothing_else_does(read: Read) -> None:
    operations = {
        "PUT /searches": op(obj("name", name=TEXT), ref("Search")),
        "GET /searches/{id}": op(gives=ref("Search")),
        "DELETE /searches/{id}": op(),
    }
    search = obj(id=TEXT, name=TEXT)
    assert _roles(read, operations, "Search", Search=search)["PUT /searches"] == "create"
    named = {**operations, "PUT /searches": op(ref("Search"), ref("Search"))}
    assert _roles(read, named, "Search", Search=search)["PUT /searches"] == "replace"


def test_an_answer_that_shows_the_owner_is_no_representation(find: Find) -> None:
    operations = {
        **crud("/teams", "id", ref("Team")),
        "POST /teams/{id}/badges": op(gives=ref("Team"), query=["badge_id"]),
        "DELETE /teams/{id}/badges/{badge_id}": op(),
    }
    badge = find(operations, Team=PET).resources["Badge"]
    assert badge.identifier is not None
    assert (badge.schema_name, badge.identifier.property) == (None, None)


@pytest.mark.parametrize(
    ("collection", "item"),
    [
        ("/items", "/items/{id}.json"),
        ("/items/", "/items/{id}/"),
        ("/items.json", "/items/{id}.json"),
        ("/items", "/items({id})"),
        ("/items", "/items/{$id}"),
        ("/items", "/items/{item-id}"),
        ("/items", "/items/{item.id}"),
        ("/items", "/items/{0}"),
        ("/items", "/items/{ID}"),
    ],
)
def test_odd_paths_and_parameters(find: Find, collection: str, item: str) -> None:
    operations = {
        f"GET {collection}": op(gives=many(ref("Item"))),
        f"POST {collection}": op(ref("Item"), ref("Item"), "201"),
        f"GET {item}": op(gives=ref("Item")),
        f"DELETE {item}": op(),
    }
    found = _one(find, operations, Item=PET)
    assert found.identifier is not None
    assert {use.role.value for use in found.uses} == {"list", "create", "read", "delete"}


def test_odata_entities_have_their_collection(find: Find) -> None:
    products = {
        "GET /Products": op(gives=obj(value=many(ref("Product")))),
        "POST /Products": op(ref("Product"), ref("Product"), "201"),
        "GET /Products({ID})": op(gives=ref("Product")),
        "DELETE /Products({ID})": op(),
        "POST /Products({ID})/Discount": op(),
    }
    product = _one(find, products, Product=obj(Name=TEXT, ID=NUMBER))
    assert (product.name, product.collection_path) == ("Product", "/Products")
    assert product.identifier is not None
    assert product.identifier.property == ("ID",)
    assert len(product.uses) == len(products)


def test_hal(find: Find) -> None:
    page = obj(_embedded=obj(pets=many(ref("Pet"))), _links=obj(self=obj(href=TEXT)), page=NUMBER)
    operations = {**crud("/pets", "id", ref("Pet")), "GET /pets": op(gives=page)}
    pet = _one(find, operations, Pet=obj(_links=obj(self=obj(href=TEXT)), id=NUMBER, name=TEXT))
    assert pet.identifier is not None
    assert pet.identifier.property == ("id",)
    (listing,) = [use for use in pet.uses if use.role.value == "list"]
    assert listing.response is not None
    assert (listing.response.path, listing.response.many) == (("_embedded", "pets"), True)


def test_json_api(find: Find) -> None:
    data = obj(id=TEXT, type=TEXT, attributes=obj(title=TEXT))
    one, all_of_them = obj(data=ref("Article")), obj(data=many(ref("Article")), links=TEXT)
    operations = {
        "GET /articles": op(gives=all_of_them),
        "POST /articles": op(one, one, "201"),
        "GET /articles/{id}": op(gives=one),
        "PATCH /articles/{id}": op(one, one),
    }
    article = _one(find, operations, Article=data)
    assert article.schema_name == "Article"
    assert article.identifier is not None
    assert article.identifier.property == ("id",)


def test_no_schemas_at_all(find: Find) -> None:
    operations = dict.fromkeys(
        ["GET /pets", "POST /pets", "GET /pets/{id}", "DELETE /pets/{id}"], op()
    )
    pet = _one(find, operations)
    assert pet.identifier is not None
    assert (pet.identifier.property, pet.schema) == (None, {})


def test_one_path_with_every_method(find: Find) -> None:
    methods = ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"]
    found = find({f"{method} /things/{{id}}": op() for method in methods})
    thing = found.resources["Thing"]
    assert {use.role.value for use in thing.uses} == {
        "read",
        "replace",
        "create",
        "delete",
        "update",
    }
    assert len(thing.uses) + len(found.standalone) == len(methods)


def test_every_operation_has_a_role_or_stands_alone(read: Read) -> None:
    operations = {
        **crud("/pets", "id", ref("Pet")),
        "GET /{anything}": op(),
        "GET /": op(),
        "POST /{a}{b}/{c}": op(),
        "DELETE /pets/{id}/{what}": op(),
    }
    spec = read(operations, Pet=PET)
    found = find_resources(spec)
    used = {use.operation for one in found.resources.values() for use in one.uses}
    assert used | set(found.standalone) == {operation.id for operation in spec.operations}
    assert not used & set(found.standalone)


def _timed(spec: ApiSpec) -> tuple[int, float]:
    start = time.process_time()
    found = find_resources(spec)
    return len(found.resources), time.process_time() - start


def test_five_hundred_operations(read: Read) -> None:
    operations: Json = {}
    schemas: Json = {}
    for number in range(100):
        name = f"Thing{number}X"
        operations |= crud(f"/things{number}x", "id", ref(name))
        schemas[name] = obj(id=NUMBER, name=TEXT, **{f"thing{(number + 1) % 100}x_id": TEXT})
    resources, seconds = _timed(read(operations, **schemas))
    assert resources == 100
    assert seconds < LIMIT


def test_thousands_of_schemas(read: Read) -> None:
    schemas = {f"S{n}": obj(id=NUMBER, next=ref(f"S{(n + 1) % 3000}")) for n in range(3000)}
    resources, seconds = _timed(read(crud("/things", "id", ref("S0")), **schemas))
    assert resources == 1
    assert seconds < LIMIT


def test_cyclic_and_wide_schemas(read: Read) -> None:
    wide = {f"p{number}": ref("Wide") for number in range(100)}
    schemas = {
        "Wide": obj(id=NUMBER, **wide),
        "Tree": obj(id=NUMBER, children=many(ref("Tree")), parent=ref("Tree")),
        "Both": {"allOf": [ref("Tree"), {"anyOf": [ref("Both"), obj(name=TEXT)]}]},
    }
    operations = {
        **crud("/wides", "id", ref("Wide")),
        **crud("/trees", "id", ref("Tree")),
        **crud("/boths", "id", ref("Both")),
    }
    resources, seconds = _timed(read(operations, **schemas))
    assert resources == 3
    assert seconds < LIMIT


def test_deep_paths(read: Read) -> None:
    path = "".join(f"/level{number}s/{{id{number}}}" for number in range(60))
    resources, seconds = _timed(read({f"DELETE {path}": op(), f"GET {path}": op()}))
    assert resources == 1
    assert seconds < LIMIT
