"""The pet store: every operation, every refusal, every fault."""

from __future__ import annotations

import io
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from itertools import combinations, product
from typing import Any

import pytest
from yarl import URL

from icepick.demo.http import Refusal
from icepick.demo.petstore import PETSTORE
from icepick.demo.petstore.domain import Petstore
from tests.demo.checking import CheckingClient, assert_routes_match, document_of, documented_answers

PET = "/api/v3/pet"
ORDER = "/api/v3/store/order"
INVENTORY = "/api/v3/store/inventory"
USER = "/api/v3/user"
LIST = f"{USER}/createWithList"
LOGIN = f"{USER}/login"
MAX = 2**63 - 1
TOO_LARGE = b'"' + b"x" * 2**20 + b'"'
JSON = {"Content-Type": "application/json"}
BYTES = {"Content-Type": "application/octet-stream"}


@pytest.fixture
def api(start) -> Callable[..., Awaitable[CheckingClient]]:
    async def run(*faults: str) -> CheckingClient:
        return CheckingClient.of(await start(PETSTORE, *faults), PETSTORE)

    return run


def pet(pet_id: int | None = 7, **fields: Any) -> dict[str, Any]:
    given = {} if pet_id is None else {"id": pet_id}
    return {**given, "name": "Rex", "photoUrls": [], "status": "available", **fields}


def order(order_id: int | None = 3, pet_id: int = 7, **fields: Any) -> dict[str, Any]:
    given = {} if order_id is None else {"id": order_id}
    return {**given, "petId": pet_id, "quantity": 1, **fields}


def user(username: str = "alice", **fields: Any) -> dict[str, Any]:
    return {"username": username, "password": "wonderland", **fields}


FULL_PET = pet(
    name="Ünal \u0000 😀",
    category={"id": 1, "name": "dogs"},
    photoUrls=["https://pets.example/1.png", "x"],
    tags=[{"id": 1, "name": "small"}, {"name": "calm"}],
)
FULL_ORDER = order(shipDate="2030-01-31t12:00:00.50+02:00", status="approved", complete=False)
FULL_USER = user(
    id=MAX,
    firstName="",
    lastName="L",
    email="alice@example.org",
    phone="1",
    userStatus=-5,
)


async def ids(api: CheckingClient, path: str) -> list[int]:
    answer = await api.get(path)
    assert answer.status == 200
    return [found["id"] for found in answer.body]


async def filled(api: CheckingClient) -> CheckingClient:
    assert (await api.post(PET, json=FULL_PET)).status == 201
    assert (await api.post(ORDER, json=FULL_ORDER)).status == 201
    assert (await api.post(USER, json=FULL_USER)).status == 201
    return api


async def state(api: CheckingClient) -> list[Any]:
    paths = (
        f"{PET}/findByStatus?status=available&status=pending&status=sold",
        INVENTORY,
        *(f"{ORDER}/{number}" for number in (1, 2, 3)),
        *(f"{USER}/{name}" for name in ("alice", "bob")),
    )
    return [(await api.get(path)).body for path in paths]


def test_routes_are_the_operations_of_the_document():
    assert_routes_match(PETSTORE)
    assert len({name for name, _ in documented_answers(document_of(PETSTORE))}) == 19


# Pets


async def test_a_pet_reads_back_as_sent(api):
    client = await api()
    added = await client.post(PET, json=FULL_PET)
    assert (added.status, added.body) == (201, FULL_PET)
    assert (await client.get(f"{PET}/7")).body == FULL_PET


async def test_pets_without_id_get_free_ids_that_do_not_come_back(api):
    client = await api()
    await client.post(PET, json=pet(2))
    assert (await client.post(PET, json=pet(None))).body == pet(1)
    assert (await client.post(PET, json=pet(None))).body == pet(3)
    await client.delete(f"{PET}/3")
    assert (await client.post(PET, json=pet(None))).body == pet(4)


async def test_ids_go_up_to_the_end_of_int64(api):
    client = await api()
    assert (await client.post(PET, json=pet(MAX))).status == 201
    assert (await client.get(f"{PET}/{MAX}")).body == pet(MAX)
    assert (await client.post(PET, json=pet(None))).body["id"] == 1


async def test_whole_numbers_may_be_spelled_with_a_fraction(api):
    client = await api()
    data = b'{"id": 5.0, "name": "Rex", "photoUrls": [], "status": "sold"}'
    added = await client.post(PET, data=data, headers=JSON)
    assert (added.status, repr(added.body["id"])) == (201, "5")


async def test_put_replaces_the_whole_pet_and_keeps_its_orders(api):
    client = await filled(await api())
    answer = await client.put(PET, json=pet(status="sold"))
    assert (answer.status, answer.body) == (200, pet(status="sold"))
    assert (await client.get(f"{PET}/7")).body == pet(status="sold")
    assert (await client.get(f"{ORDER}/3")).body == FULL_ORDER


async def test_the_form_changes_only_what_is_given(api):
    client = await filled(await api())
    renamed = await client.post(f"{PET}/7", params={"name": "Max"})
    assert (renamed.status, renamed.body) == (200, {**FULL_PET, "name": "Max"})
    await client.post(f"{PET}/7?status=sold")
    unchanged = await client.post(f"{PET}/7")
    assert unchanged.body == {**FULL_PET, "name": "Max", "status": "sold"}
    assert (await client.get(f"{PET}/7")).body == unchanged.body


async def test_pets_are_found_by_status(api):
    client = await api()
    for number, status in ((3, "sold"), (1, "sold"), (2, "pending")):
        await client.post(PET, json=pet(number, status=status))
    assert await ids(client, f"{PET}/findByStatus?status=sold") == [1, 3]
    assert await ids(client, f"{PET}/findByStatus?status=sold&status=pending") == [1, 2, 3]
    assert await ids(client, f"{PET}/findByStatus?status=sold&status=sold") == [1, 3]
    assert await ids(client, f"{PET}/findByStatus?status=available") == []


async def test_pets_are_found_by_tags(api):
    client = await api()
    await client.post(PET, json=pet(2, tags=[{"name": "small"}, {"name": "à b"}]))
    await client.post(PET, json=pet(1, tags=[{"name": "big"}]))
    await client.post(PET, json=pet(3))
    assert await ids(client, f"{PET}/findByTags?tags=%C3%A0+b") == [2]
    assert await ids(client, f"{PET}/findByTags?tags=big&tags=small") == [1, 2]
    assert await ids(client, f"{PET}/findByTags?tags=smal") == []


async def test_a_picture_is_counted_and_changes_nothing(api):
    client = await filled(await api())
    answer = await client.post(
        f"{PET}/7/uploadImage?additionalMetadata=left", data=b"\0\xff", headers=BYTES
    )
    assert answer.status == 200
    assert answer.body["message"] == "2 bytes received for pet 7, 'left'"
    assert (await client.get(f"{PET}/7")).body == FULL_PET


async def test_deleting_a_pet_takes_its_orders_and_no_others(api):
    client = await filled(await api())
    await client.post(PET, json=pet(8))
    await client.post(ORDER, json=order(4, 8))
    deleted = await client.delete(f"{PET}/7")
    assert (deleted.status, deleted.body) == (204, None)
    assert (await client.get(f"{PET}/7")).status == 404
    assert (await client.get(f"{ORDER}/3")).status == 404
    assert (await client.get(f"{ORDER}/4")).status == 200
    assert await ids(client, f"{PET}/findByStatus?status=available") == [8]
    assert (await client.post(PET, json=pet(7))).status == 201


# Orders and inventory


async def test_the_inventory_counts_every_status(api):
    client = await api()
    assert (await client.get(INVENTORY)).body == {"available": 0, "pending": 0, "sold": 0}
    await client.post(PET, json=pet(1))
    await client.post(PET, json=pet(2))
    await client.post(f"{PET}/2?status=sold")
    assert (await client.get(INVENTORY)).body == {"available": 1, "pending": 0, "sold": 1}


async def test_an_order_reads_back_as_sent_and_can_be_deleted(api):
    client = await filled(await api())
    assert (await client.get(f"{ORDER}/3")).body == FULL_ORDER
    assert (await client.post(ORDER, json=order(4))).status == 201
    assert (await client.delete(f"{ORDER}/3")).status == 204
    assert (await client.get(f"{ORDER}/3")).status == 404
    assert (await client.get(f"{ORDER}/4")).body == order(4)
    assert (await client.get(f"{PET}/7")).body == FULL_PET


async def test_orders_without_id_get_free_ids(api):
    client = await filled(await api())
    numbers = [(await client.post(ORDER, json=order(None))).body["id"] for _ in range(3)]
    assert numbers == [1, 2, 4]


async def test_an_unknown_pet_is_reported_before_a_taken_order_id(api):
    client = await filled(await api())
    assert (await client.post(ORDER, json=order(3, 8))).status == 404
    assert (await client.post(ORDER, json=order(3, 7))).status == 409


# Users


async def test_a_user_reads_back_as_sent(api):
    client = await api()
    created = await client.post(USER, json=FULL_USER)
    assert (created.status, created.body) == (201, FULL_USER)
    assert (await client.get(f"{USER}/alice")).body == FULL_USER


async def test_a_list_creates_who_is_missing_and_leaves_the_others(api):
    client = await filled(await api())
    given = [user("bob"), user("alice", firstName="other"), user("carol")]
    answer = await client.post(LIST, json=given)
    assert (answer.status, answer.body) == (201, [user("bob"), FULL_USER, user("carol")])
    assert (await client.get(f"{USER}/alice")).body == FULL_USER
    assert (await client.get(f"{USER}/carol")).body == user("carol")
    assert (await client.post(LIST, json=given)).status == 409


async def test_put_replaces_the_whole_user(api):
    client = await filled(await api())
    answer = await client.put(f"{USER}/alice", json={"password": "new"})
    assert (answer.status, answer.body) == (200, user(password="new"))
    assert (await client.get(f"{USER}/alice")).body == user(password="new")
    assert (await client.put(f"{USER}/alice", json=FULL_USER)).body == FULL_USER


async def test_a_deleted_user_is_gone_and_the_name_is_free(api):
    client = await filled(await api())
    assert (await client.delete(f"{USER}/alice")).status == 204
    assert (await client.get(f"{USER}/alice")).status == 404
    assert (await client.get(f"{LOGIN}?username=alice&password=wonderland")).status == 401
    assert (await client.post(USER, json=user())).status == 201


async def test_login_wants_the_password_of_the_user(api):
    client = await api()
    await client.post(USER, json=user(password="a&b é\0"))
    good = await client.get(LOGIN, params={"username": "alice", "password": "a&b é\0"})
    assert (good.status, good.body) == (200, "session of alice")
    bad = await client.get(LOGIN, params={"username": "alice", "password": "a&b"})
    assert (bad.status, "WWW-Authenticate" in bad.headers) == (401, True)
    assert (await client.get(LOGIN, params={"username": "bob", "password": "x"})).status == 401
    assert (await client.get(f"{USER}/logout")).status == 200


async def test_reset_returns_to_the_start(api):
    client = await api()
    before = await state(client)
    await filled(client)
    await client.post(PET, json=pet(None))
    async with client.client.post("/__reset__") as response:
        assert response.status == 204
    assert await state(client) == before
    assert (await client.post(PET, json=pet(None))).body["id"] == 1


# The state space

Action = Callable[[Petstore], Any]


def actions(users: int, pets: int, orders: int) -> list[Action]:
    """Every call that can change something, over this many values of each kind."""
    names = [f"u{number}" for number in range(users)]
    groups = [group for size in range(1, users + 1) for group in combinations(names, size)]
    pairs = list(product(range(1, orders + 1), range(1, pets + 1)))
    return [
        *(partial(Petstore.create_user, user=user(name)) for name in names),
        *(partial(Petstore.create_users, users=[user(name) for name in each]) for each in groups),
        *(partial(Petstore.delete_user, username=name) for name in names),
        *(partial(Petstore.add_pet, pet=pet(number)) for number in range(1, pets + 1)),
        *(partial(Petstore.delete_pet, pet_id=number) for number in range(1, pets + 1)),
        *(partial(Petstore.place_order, order=order(*pair)) for pair in pairs),
        *(partial(Petstore.delete_order, order_id=number) for number in range(1, orders + 1)),
    ]


def after(store: Petstore, action: Action) -> Petstore | None:
    """A copy of the store after the action, None where it is refused."""
    copied = Petstore()
    for kept in ("pets", "orders", "users"):
        setattr(copied, kept, dict(getattr(store, kept)))
    try:
        action(copied)
    except Refusal:
        return None
    return copied


def key(store: Petstore) -> Any:
    placed = frozenset((number, each["petId"]) for number, each in store.orders.items())
    return frozenset(store.users), frozenset(store.pets), placed


@pytest.mark.parametrize(
    ("values", "states", "transitions"),
    [((1, 1, 1), 6, 19), ((2, 2, 2), 72, 574), ((3, 3, 3), 1360, 19922)],
)
def test_the_state_space_is_that_of_the_published_model(values, states, transitions):
    possible, found, steps = actions(*values), {key(Petstore())}, 0
    queue = [Petstore()]
    while queue:
        store = queue.pop()
        reached = [after(store, action) for action in possible]
        following = [each for each in reached if each is not None]
        steps += len(following)
        for each in following:
            if key(each) not in found:
                found.add(key(each))
                queue.append(each)
    assert (len(found), steps) == (states, transitions)


# Refusals


@dataclass(frozen=True, slots=True)
class Refused:
    """A call on the filled store that must be refused, naming `field`, and change nothing."""

    method: str
    path: str
    status: int
    field: str = ""
    json: Any = None
    data: bytes | None = None
    headers: dict[str, str] | None = None

    async def send(self, api: CheckingClient) -> Any:
        options: dict[str, Any] = {"headers": self.headers}
        if self.data is not None:
            options["data"] = io.BytesIO(self.data)
            options["skip_auto_headers"] = ["Content-Type"]
        elif self.json is not None:
            options["json"] = self.json
        return await api.call(self.method, URL(self.path, encoded=True), **options)


BODIES = (
    ("PUT", PET),
    ("POST", PET),
    ("POST", ORDER),
    ("POST", USER),
    ("POST", LIST),
    ("PUT", f"{USER}/alice"),
)
WRONG_JSON = (
    b"",
    b"{",
    b"null",
    b"7",
    b'"x"',
    b"{}" * 2,
    b"NaN",
    b'{"id": NaN}',
    b'{"id": 1e999}',
    b'{"id": ' + b"1" * 5000 + b"}",
    b"\xff\xfe",
    b"\0",
    b"[" * 100_000,
    b"[" * 300 + b"]" * 300,
    b'{"name": "\\ud800"}',
    b'{"\\ud800": 1}',
    b"[[]]",
    b"[null]",
)
WRONG_PETS = (
    ("id", pet(0)),
    ("id", pet(-1)),
    ("id", pet(2**63)),
    ("id", pet(10**400)),
    ("id", pet(1.5)),
    ("id", pet("8")),
    ("id", pet(True)),
    ("id", {**pet(), "id": None}),
    ("name", pet(8, name="")),
    ("name", pet(8, name=None)),
    ("name", pet(8, name="x" * 101)),
    ("name", {"id": 8, "photoUrls": [], "status": "sold"}),
    ("photoUrls", {"id": 8, "name": "Rex", "status": "sold"}),
    ("photoUrls", pet(8, photoUrls={})),
    ("photoUrls.0", pet(8, photoUrls=[1])),
    ("status", {"id": 8, "name": "Rex", "photoUrls": []}),
    ("status", pet(8, status="Sold")),
    ("category", pet(8, category="dogs")),
    ("category.id", pet(8, category={"id": "1", "name": "dogs"})),
    ("tags.0", pet(8, tags=["small"])),
    ("tags.0.name", pet(8, tags=[{"name": ""}])),
    ("color", pet(8, color="red")),
)
WRONG_ORDERS = (
    ("id", order(0)),
    ("petId", {"id": 4, "quantity": 1}),
    ("petId", order(4, "7")),
    ("petId", order(4, 0)),
    ("quantity", {"id": 4, "petId": 7}),
    ("quantity", order(4, quantity=0)),
    ("quantity", order(4, quantity=2**31)),
    ("quantity", order(4, quantity=1.5)),
    ("shipDate", order(4, shipDate="tomorrow")),
    ("shipDate", order(4, shipDate="2030-02-30T00:00:00Z")),
    ("shipDate", order(4, shipDate="2030-01-31T00:00:00")),
    ("shipDate", order(4, shipDate=None)),
    ("status", order(4, status="sold")),
    ("complete", order(4, complete="true")),
    ("paid", order(4, paid=True)),
)
WRONG_USERS = (
    ("username", {"password": "x"}),
    ("username", user("")),
    ("username", user("..")),
    ("username", user("a/b")),
    ("username", user("bob\n")),
    ("username", user("login")),
    ("username", user("logout")),
    ("username", user("createWithList")),
    ("username", user("x" * 65)),
    ("password", {"username": "bob"}),
    ("password", user("bob", password="")),
    ("id", user("bob", id=0)),
    ("email", user("bob", email=1)),
    ("userStatus", user("bob", userStatus=2**31)),
    ("admin", user("bob", admin=True)),
)
WRONG_IDS = (
    *("0", "-1", "-0", "x", "+7", "%2B7", "%207", "7%20", "7%0A", "7_0", "%D9%A7", "7.0", "7e0"),
    *(str(2**63), "1" * 300, "NaN", "null", "%00", "%2F", "7%2F", "%2E%2E%2F7", "%ff", "%F0"),
)
WRONG_NAMES = ["%00", "%2F", "a%2Fb", "alice%20", "%2Balice", "al%0Aice", "%C3%A9", "%ff", "-a"]

REFUSED = [
    *(Refused(m, p, 400, data=data, headers=JSON) for m, p in BODIES for data in WRONG_JSON),
    *(Refused(m, p, 413, data=TOO_LARGE, headers=JSON) for m, p in BODIES),
    *(Refused(m, p, 415, "Content-Type", data=b"{}") for m, p in BODIES),
    *(
        Refused(m, p, 415, "Content-Type", data=b"{}", headers={"Content-Type": "text/plain"})
        for m, p in BODIES
    ),
    Refused("POST", PET, 400, data=b"{}", headers={"Content-Type": "application/json; charset=x"}),
    *(
        Refused(m, PET, 400, field, json=body)
        for m in ("POST", "PUT")
        for field, body in WRONG_PETS
    ),
    Refused("PUT", PET, 400, "id", json=pet(None)),
    Refused("PUT", PET, 404, "8", json=pet(8)),
    Refused("POST", PET, 409, "id", json=pet(7, name="Other")),
    *(Refused("POST", ORDER, 400, field, json=body) for field, body in WRONG_ORDERS),
    Refused("POST", ORDER, 404, "petId", json=order(4, 8)),
    Refused("POST", ORDER, 404, "petId", json=order(None, 8)),
    Refused("POST", ORDER, 409, "id", json=order(3, quantity=9)),
    *(Refused("POST", USER, 400, field, json=body) for field, body in WRONG_USERS),
    *(Refused("POST", LIST, 400, field, json=[user("dan"), body]) for field, body in WRONG_USERS),
    Refused("POST", USER, 409, "alice", json=user()),
    Refused("POST", LIST, 409, "username", json=[user()]),
    Refused("POST", LIST, 400, "[]", json=[]),
    Refused("POST", LIST, 400, "1.username", json=[user("bob"), user("bob", id=2)]),
    Refused("POST", LIST, 400, "body", json=[user(f"u{number}") for number in range(101)]),
    Refused("PUT", f"{USER}/alice", 400, "username", json=user("bob")),
    Refused("PUT", f"{USER}/alice", 400, "password", json={"username": "alice"}),
    Refused("PUT", f"{USER}/bob", 404, "bob", json=user("bob")),
    *(Refused(m, f"{PET}/{i}", 400, "petId") for m in ("GET", "POST", "DELETE") for i in WRONG_IDS),
    *(Refused(m, f"{PET}/8", 404, "8") for m in ("GET", "POST", "DELETE")),
    Refused("POST", f"{PET}/7?status=gone", 400, "status"),
    Refused("POST", f"{PET}/7?name=", 400, "name"),
    Refused("POST", f"{PET}/7?name=a&name=b", 400, "name"),
    Refused("POST", f"{PET}/7?name=a&status=", 400, "status"),
    *(Refused(m, f"{ORDER}/{i}", 400, "orderId") for m in ("GET", "DELETE") for i in WRONG_IDS),
    *(Refused(m, f"{ORDER}/4", 404, "4") for m in ("GET", "DELETE")),
    *(Refused(m, f"{USER}/{n}", 400, "username") for m in ("GET", "DELETE") for n in WRONG_NAMES),
    *(Refused(m, f"{USER}/bob", 404, "bob") for m in ("GET", "DELETE")),
    *(
        Refused("GET", f"{PET}/findByStatus{query}", 400, "status")
        for query in (
            "",
            "?status=",
            "?status=gone",
            "?status=sold,pending",
            "?status=sold&status=x",
        )
    ),
    *(Refused("GET", f"{PET}/findByTags{query}", 400, "tags") for query in ("", "?tags=")),
    Refused("GET", f"{LOGIN}?password=wonderland", 400, "username"),
    Refused("GET", f"{LOGIN}?username=alice", 400, "password"),
    Refused("GET", f"{LOGIN}?username=alice&username=bob&password=x", 400, "username"),
    Refused("GET", f"{LOGIN}?username=%00&password=x", 400, "username"),
    Refused("GET", f"{LOGIN}?username=alice&password=", 400, "password"),
    Refused("GET", f"{LOGIN}?username=alice&password=Wonderland", 401, "password"),
    Refused("GET", f"{LOGIN}?username=bob&password=wonderland", 401, "username"),
    Refused("POST", f"{PET}/7/uploadImage", 400, "body", data=b"", headers=BYTES),
    Refused("POST", f"{PET}/x/uploadImage", 400, "petId", data=b"x", headers=BYTES),
    Refused("POST", f"{PET}/8/uploadImage", 404, "8", data=b"x", headers=BYTES),
    Refused("POST", f"{PET}/7/uploadImage", 413, data=TOO_LARGE, headers=BYTES),
    Refused("POST", f"{PET}/7/uploadImage", 415, "Content-Type", data=b"{}", headers=JSON),
    Refused(
        "POST",
        f"{PET}/7/uploadImage?additionalMetadata={'x' * 201}",
        400,
        "additionalMetadata",
        data=b"x",
        headers=BYTES,
    ),
]


async def test_a_refused_call_says_why_and_changes_nothing(api):
    client = await filled(await api())
    before = await state(client)
    for call in REFUSED:
        answer = await call.send(client)
        assert answer.status == call.status, (call, answer)
        told = answer.body["message"] + " ".join(answer.body.get("details", ()))
        assert call.field in told, (call, answer)
        assert await state(client) == before, call


async def test_every_documented_answer_is_met(api):
    client = await filled(await api())
    for call in REFUSED:
        await call.send(client)
    await state(client)
    await client.put(PET, json=FULL_PET)
    await client.get(f"{PET}/7")
    await client.post(f"{PET}/7")
    await client.get(f"{PET}/findByTags?tags=small")
    await client.post(f"{PET}/7/uploadImage", data=b"x", headers=BYTES)
    await client.post(LIST, json=[user("bob")])
    await client.put(f"{USER}/bob", json=user("bob"))
    await client.get(f"{LOGIN}?username=bob&password=wonderland")
    await client.get(f"{USER}/logout")
    for path in (f"{USER}/bob", f"{ORDER}/3", f"{PET}/7"):
        await client.delete(path)
    assert client.seen == documented_answers(client.document)


@pytest.mark.parametrize(
    ("method", "path"),
    [("PATCH", PET), ("PUT", f"{PET}/7"), ("POST", INVENTORY), ("PUT", ORDER), ("GET", USER)],
)
async def test_other_methods_are_refused_with_405(api, method, path):
    client = await api()
    async with client.client.request(method, path) as response:
        assert response.status == 405
        assert response.headers["Allow"]


# Faults

Scenario = Callable[[CheckingClient], Awaitable[Any]]


async def status_of(api: CheckingClient, path: str) -> int:
    return (await api.get(path)).status


async def delete_pet_with_order(api: CheckingClient) -> int:
    await api.post(PET, json=pet())
    await api.post(ORDER, json=order())
    await api.delete(f"{PET}/7")
    return await status_of(api, f"{ORDER}/3")


async def update_pet_with_order(api: CheckingClient) -> int:
    await api.post(PET, json=pet())
    await api.post(ORDER, json=order())
    await api.put(PET, json=pet())
    return await status_of(api, f"{ORDER}/3")


async def update_pet_with_tags(api: CheckingClient) -> bool:
    await api.post(PET, json=pet())
    changed = await api.put(PET, json=pet(tags=[{"name": "small"}]))
    return (await api.get(f"{PET}/7")).body == changed.body


async def add_pet_twice(api: CheckingClient) -> tuple[int, str]:
    await api.post(PET, json=pet(name="first"))
    second = await api.post(PET, json=pet(name="second"))
    return second.status, (await api.get(f"{PET}/7")).body["name"]


async def change_status_with_form(api: CheckingClient) -> tuple[list[int], list[int]]:
    await api.post(PET, json=pet())
    await api.post(f"{PET}/7?status=sold")
    return (
        await ids(api, f"{PET}/findByStatus?status=available"),
        await ids(api, f"{PET}/findByStatus?status=sold"),
    )


async def count_after_delete(api: CheckingClient) -> int:
    await api.post(PET, json=pet())
    await api.delete(f"{PET}/7")
    return (await api.get(INVENTORY)).body["available"]


async def order_without_pet(api: CheckingClient) -> tuple[int, int]:
    placed = await api.post(ORDER, json=order())
    return placed.status, await status_of(api, f"{ORDER}/3")


async def delete_one_of_two_orders(api: CheckingClient) -> int:
    await api.post(PET, json=pet())
    await api.post(ORDER, json=order(3))
    await api.post(ORDER, json=order(4))
    await api.delete(f"{ORDER}/3")
    return await status_of(api, f"{ORDER}/4")


async def order_twice(api: CheckingClient) -> tuple[int, int]:
    await api.post(PET, json=pet())
    await api.post(ORDER, json=order(3))
    # Past the check, since no document speaks of a crash.
    async with api.client.post(ORDER, json=order(4)) as response:
        return response.status, await status_of(api, f"{ORDER}/3")


async def order_under_taken_id(api: CheckingClient) -> tuple[int, int]:
    await api.post(PET, json=pet())
    await api.post(ORDER, json=order(quantity=1))
    refused = await api.post(ORDER, json=order(quantity=2))
    return refused.status, (await api.get(f"{ORDER}/3")).body["quantity"]


async def list_with_existing_user(api: CheckingClient) -> bool:
    await api.post(USER, json=FULL_USER)
    await api.post(LIST, json=[user("alice"), user("bob")])
    return (await api.get(f"{USER}/alice")).body == FULL_USER


async def list_of_two(api: CheckingClient) -> tuple[int, int]:
    await api.post(LIST, json=[user("alice"), user("bob")])
    return await status_of(api, f"{USER}/alice"), await status_of(api, f"{USER}/bob")


async def log_in_after_update(api: CheckingClient) -> tuple[int, str]:
    await api.post(USER, json=user())
    await api.put(f"{USER}/alice", json=user(password="new"))
    stored = (await api.get(f"{USER}/alice")).body["password"]
    return await status_of(api, f"{LOGIN}?username=alice&password=new"), stored


async def log_in_after_delete(api: CheckingClient) -> int:
    await api.post(USER, json=user())
    await api.delete(f"{USER}/alice")
    return await status_of(api, f"{LOGIN}?username=alice&password=wonderland")


async def create_after_delete(api: CheckingClient) -> tuple[int, int]:
    await api.post(USER, json=user())
    await api.delete(f"{USER}/alice")
    gone = await status_of(api, f"{USER}/alice")
    return gone, (await api.post(USER, json=user())).status


CASES: dict[str, tuple[Scenario, Any, Any]] = {
    "delete-pet-keeps-orders": (delete_pet_with_order, 404, 200),
    "update-pet-drops-orders": (update_pet_with_order, 200, 404),
    "update-pet-drops-tags": (update_pet_with_tags, True, False),
    "add-pet-replaces": (add_pet_twice, (409, "first"), (201, "second")),
    "find-by-status-stale": (change_status_with_form, ([], [7]), ([7], [])),
    "inventory-counts-deleted": (count_after_delete, 0, 1),
    "order-for-missing-pet": (order_without_pet, (404, 404), (201, 200)),
    "delete-order-takes-siblings": (delete_one_of_two_orders, 200, 404),
    "second-order-crashes": (order_twice, (201, 200), (500, 200)),
    "refused-order-overwrites": (order_under_taken_id, (409, 1), (409, 2)),
    "list-overwrites-users": (list_with_existing_user, True, False),
    "list-stores-first-only": (list_of_two, (200, 200), (200, 404)),
    "update-user-resets-password": (log_in_after_update, (200, "new"), (401, "password")),
    "deleted-user-logs-in": (log_in_after_delete, 401, 200),
    "deleted-username-taken": (create_after_delete, (404, 201), (404, 409)),
}


def test_every_fault_has_a_case():
    assert [fault.name for fault in PETSTORE.faults] == list(CASES)


@pytest.mark.parametrize("fault", CASES)
async def test_a_fault_shows_and_the_correct_service_behaves(api, fault):
    scenario, correct, faulty = CASES[fault]
    assert await scenario(await api()) == correct
    assert await scenario(await api(fault)) == faulty


# Where one order for a pet is all there can be, it has no siblings to lose.
ENTANGLED = {("second-order-crashes", "delete-order-takes-siblings")}


@pytest.mark.parametrize("fault", CASES)
async def test_a_fault_leaves_the_other_scenarios_alone(api, fault):
    for name, (scenario, correct, _) in CASES.items():
        if name != fault and (fault, name) not in ENTANGLED:
            assert await scenario(await api(fault)) == correct, name


async def test_all_faults_together_start_and_answer(api):
    client = await api(*CASES)
    await filled(client)
    async with client.client.post("/__reset__") as response:
        assert response.status == 204
    assert (await client.get(INVENTORY)).body == {"available": 0, "pending": 0, "sold": 0}
