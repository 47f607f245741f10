"""The shop over HTTP: every operation, every refusal, every fault."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any

import pytest
from aiohttp.test_utils import TestClient
from yarl import URL

from icepick.demo.http import Document
from icepick.demo.shop import SHOP
from icepick.demo.shop.domain import Shop
from tests.demo.checking import (
    Answer,
    CheckingClient,
    assert_routes_match,
    document_of,
    documented_answers,
    operations,
    validator,
)

NOBODY = "00000000-0000-4000-8000-000000000000"
CUSTOMER = {"name": "Ada Osei", "email": "ada@shop.example", "vip": True, "credit_limit": 250.5}
ADDRESS = {"street": "Quay 4", "city": "Bergen", "postal_code": "5003", "country": "NO"}
PRODUCT = {"title": "Ice pick", "price": 12.5, "stock": 10}
USER = {
    "username": "ada_osei",
    "email": "ada@shop.example",
    "password": "Secret-2024",
    "gender": "female",
}
WHOLE_USER = USER | {
    "display_name": "Ada",
    "age": 36,
    "phone": "5550100",
    "phone_country": "NO",
    "account_type": "business",
    "company": "Osei & Co",
    "vat_id": "NO12345678",
    "discount": 2.5,
    "city": "Bergen",
    "postal_code": "5003",
    "country": "NO",
    "locale": "nb",
    "newsletter": True,
    "newsletter_frequency": "weekly",
    "interests": ["ice", "snow"],
    "valid_from": "2024-03-01",
    "valid_until": "2025-03-01",
}
MERGE_PATCH = "application/merge-patch+json"


@dataclass(slots=True)
class Caller:
    """A client that has logged in; every answer but a crash is held against the document."""

    checking: CheckingClient
    token: str = ""

    @property
    def plain(self) -> TestClient:
        return self.checking.client

    def headers(self, **more: str) -> dict[str, str]:
        given = {name.replace("_", "-"): value for name, value in more.items()}
        return ({"Authorization": f"Bearer {self.token}"} if self.token else {}) | given

    async def call(self, method: str, path: str, body: Any = ..., **headers: str) -> Answer:
        """One call; the status must be documented and the body must fit."""
        options = self._options(method, body, headers)
        return await self.checking.call(method, URL("/v1" + path, encoded=True), **options)

    async def unchecked(self, method: str, path: str, body: Any = ..., **headers: str) -> Answer:
        """One call to a service that may crash."""
        options = self._options(method, body, headers)
        url = URL("/v1" + path, encoded=True)
        async with self.plain.request(method, url, **options) as response:
            return Answer(response.status, await response.json(content_type=None), {})

    def _options(self, method: str, body: Any, headers: dict[str, str]) -> dict[str, Any]:
        sent = self.headers(**headers)
        if body is ...:
            return {"headers": sent}
        kind = MERGE_PATCH if method == "PATCH" else "application/json"
        payload = body if isinstance(body, bytes) else json.dumps(body).encode()
        return {"headers": {"Content-Type": kind} | sent, "data": BytesIO(payload)}

    async def make(self, path: str, body: Any, method: str = "POST") -> Any:
        """The body of what a call created."""
        answer = await self.call(method, path, body)
        assert answer.status == 201, answer
        return answer.body

    async def customer(self, **fields: Any) -> str:
        return str((await self.make("/customers", CUSTOMER | fields))["id"])

    async def address(self, customer: str) -> str:
        return str((await self.make(f"/customers/{customer}/addresses", ADDRESS))["id"])

    async def product(self, sku: str = "ICE-0001", **fields: Any) -> str:
        return str((await self.make(f"/products/{sku}", PRODUCT | fields, "PUT"))["sku"])

    async def order(self, customer: str, **fields: Any) -> str:
        body = {"customer_id": customer, "type": "express", "priority": "low"} | fields
        given = {name: value for name, value in body.items() if value is not ...}
        return str((await self.make("/orders", given))["id"])

    async def line(self, order: str, quantity: int = 1, sku: str = "ICE-0001") -> str:
        body = {"sku": sku, "quantity": quantity}
        return str((await self.make(f"/orders/{order}/lines", body))["id"])

    async def read(self, path: str) -> Any:
        answer = await self.call("GET", path)
        assert answer.status == 200, answer
        return answer.body


Enter = Callable[..., Awaitable[Caller]]


@pytest.fixture(scope="module")
def document() -> Document:
    return document_of(SHOP)


@pytest.fixture
def enter(start, document) -> Enter:
    """`await enter("fault-name", ...)` gives a caller who has logged in to a fresh shop."""

    async def run(*faults: str, service: Any = SHOP) -> Caller:
        caller = Caller(CheckingClient(await start(service, *faults), document))
        account = {"username": "demo", "password": "demo-password"}
        caller.token = (await caller.make("/sessions", account))["token"]
        return caller

    return run


@pytest.fixture
async def shop(enter) -> Caller:
    return await enter()


def messages(answer: Answer) -> dict[str, str]:
    """The errors of an answer by field."""
    assert answer.headers["Content-Type"].startswith("application/problem+json")
    assert answer.body["status"] == answer.status
    for error in answer.body["errors"]:
        assert error["field"] in error["message"]
        assert error["message"] in answer.body["detail"]
    return {error["field"]: error["message"] for error in answer.body["errors"]}


# The document


def test_routes_are_the_operations_of_the_document():
    assert_routes_match(SHOP)


def test_operations_are_described(document):
    found = list(operations(document))
    assert len({each.name for each in found}) == len(found) == 34
    for each in found:
        assert each.content["summary"]
        assert each.content["tags"]
        assert each.content["operationId"] == each.name


def test_examples_fit_their_schemas(document):
    content = document.content
    for each in operations(document):
        for media in each.content.get("requestBody", {}).get("content", {}).values():
            if "example" in media:
                validator(content, media["schema"]).validate(media["example"])
    for schema in content["components"]["schemas"].values():
        for field in (schema, *schema.get("properties", {}).values()):
            for example in field.get("examples", []):
                validator(content, field).validate(example)


def test_users_have_21_fields_of_which_one_is_marked_as_required(document):
    schema = document.content["components"]["schemas"]["UserInput"]
    assert len(schema["properties"]) == 21
    assert schema["required"] == ["username"]
    assert set(schema["properties"]) == set(WHOLE_USER)


async def test_every_documented_answer_is_met(shop, document):
    for operation in operations(document):
        path = fill(operation.path.removeprefix("/v1"))
        await provoke(shop, operation.method, path, "requestBody" in operation.content)
    await meet_successes_and_conflicts(shop)
    assert documented_answers(document) - shop.checking.seen == set()


def fill(path: str) -> str:
    for name in ("customer_id", "address_id", "order_id", "line_id", "user_id"):
        path = path.replace(f"{{{name}}}", NOBODY)
    return path.replace("{sku}", "ZZZ-9999")


async def provoke(shop: Caller, method: str, path: str, has_body: bool) -> None:
    """Ask for what is not there, without a login and with all kinds of bad bodies."""
    anonymous = replace(shop, token="")
    if path != "/sessions":
        assert (await anonymous.call(method, path, {})).status == 401
        assert (await anonymous.call(method, path, b"not JSON")).status == 401
    if path.endswith(NOBODY) or NOBODY + "/" in path:
        assert (await shop.call(method, path, {})).status == 404
    if has_body:
        assert (await shop.call(method, path, b"not JSON")).status == 400
        assert (await shop.call(method, path, b"1" * 2_000_000)).status == 413
        assert (await shop.call(method, path, {}, Content_Type="text/plain")).status == 415


async def meet_successes_and_conflicts(shop: Caller) -> None:
    login = await shop.call("POST", "/sessions", {"username": "demo"})
    assert login.status == 422
    wrong = {"username": "demo", "password": "guess"}
    assert (await shop.call("POST", "/sessions", wrong)).status == 401
    for path in ("/customers", "/products", "/orders", "/users"):
        await shop.read(path)
        assert (await shop.call("GET", f"{path}?page=0")).status == 422
    await tour_customers(shop)
    await tour_orders(shop)
    await tour_users(shop)
    assert (await shop.call("DELETE", "/sessions/current")).status == 204


async def tour_customers(shop: Caller) -> None:
    await shop.customer(email="other@shop.example")
    customer = await shop.customer()
    path = f"/customers/{customer}"
    assert (await shop.call("GET", path)).status == 200
    taken = CUSTOMER | {"email": "other@shop.example"}
    assert (await shop.call("POST", "/customers", taken)).status == 409
    assert (await shop.call("POST", "/customers", {})).status == 422
    for method in ("PUT", "PATCH"):
        assert (await shop.call(method, path, CUSTOMER)).status == 200
        assert (await shop.call(method, path, taken)).status == 409
        assert (await shop.call(method, path, CUSTOMER, If_Match='"x"')).status == 412
        assert (await shop.call(method, path, [])).status == 422
    assert (await shop.call("DELETE", path, If_Match='"x"')).status == 412
    address = f"{path}/addresses/{await shop.address(customer)}"
    await shop.read(address)
    assert (await shop.call("GET", f"{path}/addresses?page=0")).status == 422
    assert (await shop.call("POST", f"{path}/addresses", {})).status == 422
    assert (await shop.call("PUT", address, ADDRESS)).status == 200
    assert (await shop.call("PUT", address, {})).status == 422
    await shop.read(f"{path}/addresses")
    assert (await shop.call("DELETE", address)).status == 204
    assert (await shop.call("DELETE", path)).status == 204


async def tour_orders(shop: Caller) -> None:
    customer, sku = await shop.customer(), await shop.product()
    home = await shop.address(customer)
    order = await shop.order(customer, type="standard", address_id=home, priority=...)
    path = f"/orders/{order}"
    assert (await shop.call("POST", "/orders", {})).status == 422
    assert (await shop.call("POST", f"{path}/submit")).status == 409
    line = f"{path}/lines/{await shop.line(order)}"
    for method, where in (("POST", f"{path}/lines"), ("PUT", line)):
        assert (await shop.call(method, where, {})).status == 422
        much = {"sku": sku, "quantity": 11}
        assert (await shop.call(method, where, much)).status == 409
    assert (await shop.call("PUT", line, {"sku": sku, "quantity": 2})).status == 200
    await shop.read(line)
    await shop.read(f"{path}/lines")
    await shop.read(path)
    await shop.read(f"/products/{sku}")
    assert (await shop.call("PUT", f"/products/{sku}", PRODUCT)).status == 200
    assert (await shop.call("PUT", f"/products/{sku}", PRODUCT | {"stock": 1})).status == 409
    assert (await shop.call("PUT", f"/products/{sku}", {})).status == 422
    for where in (f"/products/{sku}", f"/customers/{customer}", path):
        assert (await shop.call("DELETE", where)).status == 409
    assert (await shop.call("DELETE", f"/customers/{customer}/addresses/{home}")).status == 409
    assert (await shop.call("PATCH", path, {"note": "ring"})).status == 200
    assert (await shop.call("PATCH", path, {"note": 1})).status == 422
    assert (await shop.call("POST", f"{path}/submit")).status == 200
    assert (await shop.call("PATCH", path, {"note": "late"})).status == 409
    assert (await shop.call("DELETE", line)).status == 409
    assert (await shop.call("POST", f"{path}/cancel")).status == 409
    second = await shop.order(customer)
    line = f"/orders/{second}/lines/{await shop.line(second)}"
    assert (await shop.call("DELETE", line)).status == 204
    assert (await shop.call("POST", f"/orders/{second}/cancel")).status == 202
    assert (await shop.call("DELETE", f"/orders/{second}")).status == 204
    assert (await shop.call("DELETE", f"/products/{await shop.product('ICE-0002')}")).status == 204
    assert (await shop.call("GET", "/products/ICE-0002")).status == 404
    assert (await shop.call("DELETE", "/products/ICE-0002")).status == 404


async def tour_users(shop: Caller) -> None:
    path = f"/users/{(await shop.make('/users', USER))['id']}"
    other = USER | {"username": "other", "email": "other@shop.example"}
    await shop.make("/users", other)
    await shop.read(path)
    assert (await shop.call("POST", "/users", USER)).status == 409
    assert (await shop.call("POST", "/users", {})).status == 422
    assert (await shop.call("PATCH", path, {"username": "ada"})).status == 200
    assert (await shop.call("PATCH", path, {"username": "other"})).status == 409
    assert (await shop.call("PATCH", path, {"username": "!"})).status == 422
    assert (await shop.call("DELETE", path)).status == 204


# Sessions


async def test_login_gives_a_token_that_lasts(shop):
    account = {"username": "demo", "password": "demo-password"}
    session = await shop.make("/sessions", account)
    assert session["expires_in"] is None
    assert session["token"] != shop.token
    await shop.read("/customers")


@pytest.mark.parametrize("field", ["username", "password"])
async def test_wrong_credentials_are_refused(shop, field):
    account = {"username": "demo", "password": "demo-password"} | {field: "wrong"}
    answer = await shop.call("POST", "/sessions", account)
    assert answer.status == 401
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="shop"'


@pytest.mark.parametrize("value", ["", "Bearer", "Bearer ", "Bearer x", "Basic {}", "{}"])
async def test_a_call_without_a_valid_token_is_refused(shop, value):
    answer = await shop.call("GET", "/customers", Authorization=value.format(shop.token))
    assert answer.status == 401
    assert "WWW-Authenticate" in answer.headers


async def test_the_scheme_is_read_in_any_case(shop):
    answer = await shop.call("GET", "/customers", Authorization=f"bearer {shop.token}")
    assert answer.status == 200


async def test_logout_revokes_only_its_own_token(shop):
    account = {"username": "demo", "password": "demo-password"}
    other = replace(shop, token=(await shop.make("/sessions", account))["token"])
    assert (await shop.call("DELETE", "/sessions/current")).status == 204
    assert (await shop.call("GET", "/customers")).status == 401
    assert (await shop.call("DELETE", "/sessions/current")).status == 401
    await other.read("/customers")


async def test_a_token_can_be_made_to_expire(enter):
    class ShortLived(Shop):
        token_lifetime = 2

    shop = await enter(service=replace(SHOP, domain=ShortLived))
    account = {"username": "demo", "password": "demo-password"}
    assert (await shop.make("/sessions", account))["expires_in"] == 2
    statuses = [(await shop.call("GET", "/customers")).status for _ in range(3)]
    assert statuses == [200, 200, 401]


async def test_reset_starts_again(shop):
    first = await shop.customer()
    await shop.plain.post("/__reset__")
    assert (await shop.call("GET", "/customers")).status == 401
    account = {"username": "demo", "password": "demo-password"}
    again = replace(shop, token=(await shop.make("/sessions", account))["token"])
    assert (await again.read("/customers"))["total"] == 0
    assert await again.customer() == first


# Customers


async def test_a_customer_reads_back_as_it_was_sent(shop):
    answer = await shop.call("POST", "/customers", CUSTOMER)
    assert answer.status == 201
    customer = answer.body
    assert CUSTOMER.items() <= customer.items()
    read = await shop.call("GET", answer.headers["Location"].removeprefix("/v1"))
    assert read.body == customer
    assert read.headers["ETag"] == answer.headers["ETag"]
    listed = await shop.read("/customers")
    assert listed == {"data": [customer], "page": 1, "page_size": 20, "total": 1, "next": None}


async def test_customer_defaults(shop):
    body = {"name": "Åsa 李", "email": "a@b.example"}
    customer = await shop.make("/customers", body)
    assert customer["vip"] is False
    assert customer["credit_limit"] == 0
    assert customer["name"] == "Åsa 李"


async def test_put_replaces_and_patch_changes(shop):
    path = f"/customers/{await shop.customer()}"
    before = await shop.call("GET", path)
    patched = await shop.call("PATCH", path, {"name": "Ada"})
    assert patched.status == 200
    expected = before.body | {"name": "Ada", "updated_at": patched.body["updated_at"]}
    assert patched.body == expected
    assert patched.body["updated_at"] > before.body["updated_at"]
    assert patched.headers["ETag"] != before.headers["ETag"]
    replaced = await shop.call("PUT", path, {"name": "Eve", "email": "eve@shop.example"})
    assert replaced.status == 200
    assert replaced.body["vip"] is False
    assert replaced.body["credit_limit"] == 0
    assert replaced.headers["ETag"] != patched.headers["ETag"]
    assert await shop.read(path) == replaced.body


async def test_if_match_guards_against_lost_updates(shop):
    path = f"/customers/{await shop.customer()}"
    tag = (await shop.call("GET", path)).headers["ETag"]
    assert (await shop.call("PATCH", path, {"vip": False}, If_Match=tag)).status == 200
    before = await shop.read(path)
    for stale in (tag, f"W/{tag}", "nonsense", "", '"*"', '"x", "y"'):
        assert (await shop.call("PUT", path, CUSTOMER, If_Match=stale)).status == 412
        assert (await shop.call("DELETE", path, If_Match=stale)).status == 412
    assert await shop.read(path) == before
    current = (await shop.call("GET", path)).headers["ETag"]
    listed = await shop.call("PUT", path, CUSTOMER, If_Match=f'"x", {current}')
    assert listed.status == 200
    assert (await shop.call("DELETE", path, If_Match="*")).status == 204


async def test_emails_are_unique_in_any_case(shop):
    first = await shop.customer(email="Ada@Shop.example")
    second = await shop.customer(email="eve@shop.example")
    answer = await shop.call("POST", "/customers", CUSTOMER)
    assert answer.status == 409
    assert "already taken" in messages(answer)["email"]
    path = f"/customers/{second}"
    before = await shop.read(path)
    for method in ("PUT", "PATCH"):
        assert (await shop.call(method, path, CUSTOMER)).status == 409
    assert await shop.read(path) == before
    same = {"email": "ADA@shop.example"}
    assert (await shop.call("PATCH", f"/customers/{first}", same)).status == 200


async def test_email_filter(shop):
    await shop.customer(email="eve@shop.example")
    ada = await shop.customer()
    found = await shop.read("/customers?email=ADA%40shop.example")
    assert [each["id"] for each in found["data"]] == [ada]
    assert found["total"] == 1
    assert (await shop.read("/customers?email="))["data"] == []


async def test_pages(shop):
    ids = [await shop.customer(email=f"c{number}@shop.example") for number in range(5)]
    link, seen = "/v1/customers?page_size=2", []
    while link is not None:
        page = await shop.read(link.removeprefix("/v1"))
        assert page["total"] == 5
        seen.append([each["id"] for each in page["data"]])
        link = page["next"]
    assert seen == [ids[0:2], ids[2:4], ids[4:]]
    beyond = await shop.read("/customers?page=1000000")
    assert beyond["data"] == []
    assert beyond["next"] is None
    assert len((await shop.read("/customers?page_size=100"))["data"]) == 5


@pytest.mark.parametrize("name", ["page", "page_size"])
@pytest.mark.parametrize(
    "value", ["0", "-1", "", "x", "1.0", "%2B1", "+1", "1_0", "%D9%A1", "9" * 30, "1000001", "null"]
)
async def test_pages_that_cannot_be(shop, name, value):
    answer = await shop.call("GET", f"/users?{name}={value}")
    assert answer.status == 422
    assert list(messages(answer)) == [name]


async def test_a_customer_with_orders_stays(shop):
    customer = await shop.customer()
    order = await shop.order(customer)
    path = f"/customers/{customer}"
    assert (await shop.call("DELETE", path)).status == 409
    await shop.call("POST", f"/orders/{order}/cancel")
    assert (await shop.call("DELETE", path)).status == 409
    assert (await shop.call("DELETE", f"/orders/{order}")).status == 204
    address = f"{path}/addresses/{await shop.address(customer)}"
    assert (await shop.call("DELETE", path)).status == 204
    for gone in (path, f"{path}/addresses", address):
        assert (await shop.call("GET", gone)).status == 404
    assert (await shop.call("DELETE", path)).status == 404
    assert (await shop.read("/customers"))["total"] == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": None}, "name must be of type string"),
        ({"name": ""}, "name must have at least 1 characters"),
        ({"name": "x" * 101}, "name must have at most 100 characters"),
        ({"email": "ada"}, "email must be a valid email"),
        ({"vip": "yes"}, "vip must be of type boolean"),
        ({"credit_limit": -1}, "credit_limit must be at least 0"),
        ({"credit_limit": 10**400}, "credit_limit must be at most 1000000"),
        ({"id": NOBODY}, "id is not a known field"),
    ],
)
async def test_customers_that_cannot_be(shop, change, message):
    path = f"/customers/{await shop.customer(email='eve@shop.example')}"
    before = await shop.read(path)
    for method, where, body in (
        ("POST", "/customers", CUSTOMER | change),
        ("PUT", path, CUSTOMER | change),
        ("PATCH", path, change),
    ):
        answer = await shop.call(method, where, body)
        assert answer.status == 422
        assert message in answer.body["detail"]
        assert set(messages(answer)) == set(change)
    assert await shop.read(path) == before
    assert (await shop.read("/customers"))["total"] == 1


async def test_all_that_is_missing_is_named(shop):
    answer = await shop.call("POST", "/customers", {})
    expected = {"name": "name is required", "email": "email is required"}
    assert messages(answer) == expected
    not_an_object = await shop.call("POST", "/customers", [])
    assert messages(not_an_object) == {"body": "body must be of type object"}


# Addresses


async def test_addresses_belong_to_their_customer(shop):
    ada = await shop.customer()
    eve = await shop.customer(email="eve@shop.example")
    answer = await shop.call("POST", f"/customers/{ada}/addresses", ADDRESS)
    assert answer.status == 201
    assert ADDRESS | {"id": answer.body["id"], "customer_id": ada} == answer.body
    path = answer.headers["Location"].removeprefix("/v1")
    assert await shop.read(path) == answer.body
    assert (await shop.read(f"/customers/{ada}/addresses"))["data"] == [answer.body]
    assert (await shop.read(f"/customers/{eve}/addresses"))["data"] == []
    for method in ("GET", "PUT", "DELETE"):
        stolen = await shop.call(method, path.replace(ada, eve), ADDRESS)
        assert stolen.status == 404
    assert await shop.read(path) == answer.body


async def test_read_only_fields_of_an_address_are_ignored(shop):
    customer = await shop.customer()
    path = f"/customers/{customer}/addresses/{await shop.address(customer)}"
    before = await shop.read(path)
    changed = before | {"city": "Oslo", "id": NOBODY, "customer_id": NOBODY}
    assert (await shop.call("PUT", path, changed)).body == before | {"city": "Oslo"}
    assert await shop.read(path) == before | {"city": "Oslo"}


async def test_an_address_that_is_shipped_to_stays(shop):
    customer = await shop.customer()
    home, other = await shop.address(customer), await shop.address(customer)
    order = await shop.order(customer, address_id=home)
    path = f"/customers/{customer}/addresses"
    assert (await shop.call("DELETE", f"{path}/{home}")).status == 409
    assert (await shop.call("DELETE", f"{path}/{other}")).status == 204
    assert [each["id"] for each in (await shop.read(path))["data"]] == [home]
    await shop.call("POST", f"/orders/{order}/cancel")
    assert (await shop.call("DELETE", f"{path}/{home}")).status == 204


@pytest.mark.parametrize(
    "change", [{"country": "no"}, {"postal_code": "1"}, {"street": ""}, {"city": 1}, {"id": "x"}]
)
async def test_addresses_that_cannot_be(shop, change):
    path = f"/customers/{await shop.customer()}/addresses"
    answer = await shop.call("POST", path, ADDRESS | change)
    assert answer.status == 422
    assert set(messages(answer)) == set(change)


# Products


async def test_put_creates_and_replaces_products(shop):
    answer = await shop.call("PUT", "/products/ICE-0001", PRODUCT)
    assert answer.status == 201
    assert answer.headers["Location"] == "/v1/products/ICE-0001"
    assert answer.body == PRODUCT | {"sku": "ICE-0001"}
    changed = {"title": "Axe", "price": 1, "stock": 0}
    again = await shop.call("PUT", "/products/ICE-0001", changed)
    assert again.status == 200
    assert await shop.read("/products/ICE-0001") == changed | {"sku": "ICE-0001"}
    assert (await shop.read("/products"))["data"] == [again.body]
    assert (await shop.call("DELETE", "/products/ICE-0001")).status == 204
    assert (await shop.read("/products"))["data"] == []


@pytest.mark.parametrize(
    "sku",
    ["ice-0001", "ICE-001", "ICE-00011", "%C3%89CE-0001", "ICE-000%D9%A1", "ICE-0001%0A", "x"],
)
async def test_a_sku_that_cannot_be(shop, sku):
    answer = await shop.call("PUT", f"/products/{sku}", PRODUCT)
    assert answer.status == 422
    assert "sku must match the pattern" in messages(answer)["sku"]
    assert (await shop.call("GET", f"/products/{sku}")).status == 404


@pytest.mark.parametrize(
    "change", [{"price": 0}, {"price": None}, {"stock": -1}, {"stock": 0.5}, {"sku": "ICE-0001"}]
)
async def test_products_that_cannot_be(shop, change):
    answer = await shop.call("PUT", "/products/ICE-0001", PRODUCT | change)
    assert answer.status == 422
    assert set(messages(answer)) == set(change)
    assert (await shop.call("GET", "/products/ICE-0001")).status == 404


# Orders


async def test_orders_read_back(shop):
    customer = await shop.customer()
    home = await shop.address(customer)
    body = {"customer_id": customer, "type": "standard", "address_id": home}
    answer = await shop.call("POST", "/orders", body)
    assert answer.status == 201
    rest = {"priority": None, "note": None, "status": "open", "total": 0}
    assert (body | rest).items() <= answer.body.items()
    assert await shop.read(answer.headers["Location"].removeprefix("/v1")) == answer.body
    express = body | {"type": "express", "priority": "high", "note": "soon"}
    second = await shop.make("/orders", express)
    assert express.items() <= second.items()
    assert (await shop.read("/orders"))["data"] == [answer.body, second]


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"type": "air"}, "type", "type must be one of [standard, express]"),
        ({"type": "standard", "priority": ...}, "address_id", "is required if type is 'standard'"),
        ({"priority": ...}, "priority", "priority is required if type is 'express'"),
        ({"priority": "mid"}, "priority", "priority must be one of [low, high]"),
        ({"priority": None}, "priority", "priority must be of type string"),
        (
            {"customer_id": NOBODY},
            "customer_id",
            "Invalid customer_id: must be a registered customer",
        ),
        ({"customer_id": "x"}, "customer_id", "customer_id must be a valid uuid"),
        ({"customer_id": ...}, "customer_id", "customer_id is required"),
        (
            {"address_id": NOBODY},
            "address_id",
            "Invalid address_id: must be an address of the customer",
        ),
        ({"note": "x" * 501}, "note", "note must have at most 500 characters"),
        ({"status": "open"}, "status", "status is not a known field"),
    ],
)
async def test_orders_that_cannot_be(shop, change, field, message):
    body = {"customer_id": await shop.customer(), "type": "express", "priority": "low"} | change
    sent = {name: value for name, value in body.items() if value is not ...}
    answer = await shop.call("POST", "/orders", sent)
    assert answer.status == 422
    assert message in messages(answer)[field]
    assert (await shop.read("/orders"))["total"] == 0


async def test_priority_is_for_express_only(shop):
    customer = await shop.customer()
    home = await shop.address(customer)
    body = {"customer_id": customer, "type": "standard", "address_id": home, "priority": "low"}
    answer = await shop.call("POST", "/orders", body)
    assert messages(answer) == {"priority": "priority must be absent unless type is 'express'"}


async def test_order_filters(shop):
    ada = await shop.customer()
    eve = await shop.customer(email="eve@shop.example")
    first, second, third = await shop.order(ada), await shop.order(eve), await shop.order(ada)
    await shop.call("POST", f"/orders/{third}/cancel")
    for query, expected in (
        ("", [first, second, third]),
        (f"?customer_id={ada}", [first, third]),
        (f"?customer_id={ada}&page=2&page_size=1", [third]),
        ("?status=cancelled", [third]),
        ("?status=cancelling", []),
        (f"?status=open&customer_id={eve}", [second]),
        (f"?customer_id={NOBODY}", []),
    ):
        page = await shop.read(f"/orders{query}")
        assert [each["id"] for each in page["data"]] == expected
    answer = await shop.call("GET", "/orders?status=lost&customer_id=x&page=0")
    assert answer.status == 422
    assert set(messages(answer)) == {"status", "customer_id", "page"}


async def test_notes_change_while_the_order_is_open(shop):
    path = f"/orders/{await shop.order(await shop.customer())}"
    before = await shop.read(path)
    assert (await shop.call("PATCH", path, {"note": "ring"})).body == before | {"note": "ring"}
    assert (await shop.call("PATCH", path, {})).body == before | {"note": "ring"}
    assert (await shop.call("PATCH", path, {"note": None})).body == before
    assert (await shop.call("PATCH", path, {"status": "cancelled"})).status == 422
    await shop.call("POST", f"{path}/cancel")
    assert (await shop.call("PATCH", path, {"note": "late"})).status == 409
    assert await shop.read(path) == before | {"status": "cancelled"}


async def test_cancelling_settles_with_the_next_call(shop):
    path = f"/orders/{await shop.order(await shop.customer())}"
    answer = await shop.call("POST", f"{path}/cancel")
    assert answer.status == 202
    assert answer.body["status"] == "cancelling"
    for action in ("cancel", "submit"):
        assert (await shop.call("POST", f"{path}/{action}")).status == 409
    assert (await shop.read(path))["status"] == "cancelled"
    assert (await shop.call("DELETE", path)).status == 204
    assert (await shop.call("GET", path)).status == 404


async def test_submitting_needs_lines_and_is_final(shop):
    await shop.product()
    order = await shop.order(await shop.customer())
    path = f"/orders/{order}"
    assert (await shop.call("POST", f"{path}/submit")).status == 409
    line = f"{path}/lines/{await shop.line(order, 2)}"
    answer = await shop.call("POST", f"{path}/submit")
    assert answer.status == 200
    assert answer.body["status"] == "submitted"
    assert answer.body["total"] == 25
    body = {"sku": "ICE-0001", "quantity": 1}
    for method, where in (("POST", f"{path}/lines"), ("PUT", line), ("DELETE", line)):
        assert (await shop.call(method, where, body)).status == 409
    for action in ("cancel", "submit"):
        assert (await shop.call("POST", f"{path}/{action}")).status == 409
    assert (await shop.call("DELETE", path)).status == 409
    assert await shop.read(path) == answer.body


async def test_a_cancelled_order_goes_with_its_lines(shop):
    await shop.product()
    order = await shop.order(await shop.customer())
    await shop.line(order)
    assert (await shop.call("DELETE", f"/orders/{order}")).status == 409
    await shop.call("POST", f"/orders/{order}/cancel")
    assert (await shop.call("DELETE", "/products/ICE-0001")).status == 409
    assert (await shop.call("DELETE", f"/orders/{order}")).status == 204
    assert (await shop.call("GET", f"/orders/{order}/lines")).status == 404
    assert (await shop.call("DELETE", "/products/ICE-0001")).status == 204


# Lines


async def test_lines_read_back_and_add_up(shop):
    await shop.product()
    await shop.product("AXE-0001", price=0.1)
    order = await shop.order(await shop.customer())
    answer = await shop.call("POST", f"/orders/{order}/lines", {"sku": "ICE-0001", "quantity": 2})
    assert answer.status == 201
    path = answer.headers["Location"].removeprefix("/v1")
    expected = {"order_id": order, "sku": "ICE-0001", "quantity": 2, "unit_price": 12.5}
    assert answer.body == expected | {"id": path.split("/")[-1]}
    assert await shop.read(path) == answer.body
    second = await shop.line(order, 3, "AXE-0001")
    lines = await shop.read(f"/orders/{order}/lines")
    assert [each["id"] for each in lines] == [answer.body["id"], second]
    assert (await shop.read(f"/orders/{order}"))["total"] == 25.3
    changed = await shop.call("PUT", path, {"sku": "AXE-0001", "quantity": 1})
    assert changed.body == answer.body | {"sku": "AXE-0001", "quantity": 1, "unit_price": 0.1}
    assert (await shop.read(f"/orders/{order}"))["total"] == 0.4
    assert (await shop.call("DELETE", path)).status == 204
    assert (await shop.call("GET", path)).status == 404
    assert [each["id"] for each in await shop.read(f"/orders/{order}/lines")] == [second]


async def test_lines_belong_to_their_order(shop):
    await shop.product()
    customer = await shop.customer()
    order, other = await shop.order(customer), await shop.order(customer)
    line = await shop.line(order)
    body = {"sku": "ICE-0001", "quantity": 1}
    for method in ("GET", "PUT", "DELETE"):
        answer = await shop.call(method, f"/orders/{other}/lines/{line}", body)
        assert answer.status == 404


async def test_lines_reserve_stock(shop):
    await shop.product(stock=10)
    customer = await shop.customer()
    first, second = await shop.order(customer), await shop.order(customer)
    line = f"/orders/{first}/lines/{await shop.line(first, 6)}"
    body = {"sku": "ICE-0001", "quantity": 5}
    answer = await shop.call("POST", f"/orders/{second}/lines", body)
    assert answer.status == 409
    assert "at most 4" in messages(answer)["quantity"]
    assert await shop.read(f"/orders/{second}/lines") == []
    assert (await shop.call("PUT", line, body | {"quantity": 11})).status == 409
    assert (await shop.read(line))["quantity"] == 6
    assert (await shop.call("PUT", line, body | {"quantity": 10})).status == 200
    low = await shop.call("PUT", "/products/ICE-0001", PRODUCT | {"stock": 9})
    assert "at least 10" in messages(low)["stock"]
    assert (await shop.read("/products/ICE-0001"))["stock"] == 10
    await shop.call("POST", f"/orders/{first}/cancel")
    await shop.line(second, 10)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"quantity": 0}, "quantity must be at least 1"),
        ({"quantity": 1.5}, "quantity must be of type integer"),
        ({"quantity": True}, "quantity must be of type integer"),
        ({"sku": "AXE-0001"}, "Invalid sku: there is no product 'AXE-0001'"),
        ({"sku": None}, "sku must be of type string"),
        ({"unit_price": 1}, "unit_price is not a known field"),
    ],
)
async def test_lines_that_cannot_be(shop, change, message):
    await shop.product()
    path = f"/orders/{await shop.order(await shop.customer())}/lines"
    answer = await shop.call("POST", path, {"sku": "ICE-0001", "quantity": 1} | change)
    assert answer.status == 422
    assert messages(answer) == dict.fromkeys(change, message)
    assert await shop.read(path) == []


# Users


async def test_users_read_back_without_the_password(shop):
    answer = await shop.call("POST", "/users", WHOLE_USER)
    assert answer.status == 201
    shown = {name: value for name, value in WHOLE_USER.items() if name != "password"}
    rest = {"id": answer.body["id"], "created_at": answer.body["created_at"]}
    assert answer.body == shown | rest
    assert await shop.read(answer.headers["Location"].removeprefix("/v1")) == answer.body
    assert (await shop.read("/users"))["data"] == [answer.body]


async def test_user_defaults(shop):
    user = await shop.make("/users", USER)
    assert {"account_type": "private", "locale": "en", "newsletter": False}.items() <= user.items()
    assert "phone" not in user


async def test_what_a_user_needs_is_told_all_at_once(shop):
    answer = await shop.call("POST", "/users", {"age": "x", "phone": "5550100"})
    assert answer.status == 422
    assert messages(answer) == {
        "username": "username is required",
        "email": "email is required",
        "password": "password is required",
        "gender": "gender is required",
        "age": "age must be of type integer",
        "phone_country": "phone_country is required if phone is given",
    }


WEAK = "password must be at least 8 characters and contain a digit and an upper-case letter"


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"gender": "x"}, "gender", "gender must be one of [female, male, diverse]"),
        ({"password": "Short-1"}, "password", WEAK),
        ({"password": "no-upper-1"}, "password", WEAK),
        ({"password": "No-Digit-Here"}, "password", WEAK),
        ({"age": 17}, "age", "age must be between 18 and 120"),
        ({"age": 10**30}, "age", "age must be between 18 and 120"),
        ({"phone_country": ...}, "phone_country", "phone_country is required if phone is given"),
        ({"city": ...}, "city", "city is required if postal_code is given"),
        ({"country": ...}, "country", "country is required if city is given"),
        ({"company": ...}, "company", "company is required if account_type is 'business'"),
        (
            {"account_type": ..., "discount": ...},
            "vat_id",
            "vat_id must be absent unless account_type is 'business'",
        ),
        (
            {"account_type": "private", "vat_id": ...},
            "discount",
            "discount must be absent unless account_type is 'business'",
        ),
        (
            {"newsletter": False},
            "newsletter_frequency",
            "newsletter_frequency must be absent unless newsletter is true",
        ),
        ({"valid_until": "2024-03-01"}, "valid_from", "valid_from must be before valid_until"),
        ({"valid_until": "2024-02-30"}, "valid_until", "valid_until must be a valid date"),
        ({"interests": []}, "interests", "interests must have at least 1 elements"),
        ({"interests": ["a", "a"]}, "interests", "interests must not repeat an element"),
        ({"interests": [1]}, "interests.0", "interests.0 must be of type string"),
        ({"locale": "xx"}, "locale", "locale must be one of [en, de, fr, nb]"),
        ({"phone": None}, "phone", "phone must be of type string"),
    ],
)
async def test_users_that_cannot_be(shop, change, field, message):
    body = {name: value for name, value in (WHOLE_USER | change).items() if value is not ...}
    answer = await shop.call("POST", "/users", body)
    assert answer.status == 422
    assert messages(answer) == {field: message}
    assert (await shop.read("/users"))["total"] == 0


async def test_user_names_and_emails_are_unique(shop):
    first = await shop.make("/users", USER)
    both = await shop.call("POST", "/users", USER | {"email": "ADA@shop.example"})
    assert both.status == 409
    assert set(messages(both)) == {"username", "email"}
    other = await shop.make("/users", USER | {"username": "eve", "email": "eve@shop.example"})
    for change in ({"username": "ada_osei"}, {"email": "ada@shop.example"}):
        answer = await shop.call("PATCH", f"/users/{other['id']}", change)
        assert answer.status == 409
        assert set(messages(answer)) == set(change)
    assert await shop.read(f"/users/{other['id']}") == other
    assert (await shop.call("DELETE", f"/users/{first['id']}")).status == 204
    assert (await shop.call("GET", f"/users/{first['id']}")).status == 404
    await shop.make("/users", USER)


async def test_user_patches_merge(shop):
    user = await shop.make("/users", WHOLE_USER)
    path = f"/users/{user['id']}"
    changed = await shop.call("PATCH", path, {"phone": None, "age": 40, "password": "Other-2024"})
    expected = {name: value for name, value in user.items() if name != "phone"} | {"age": 40}
    assert changed.body == expected
    assert await shop.read(path) == expected
    for change, field in (
        ({"email": None}, "email"),
        ({"newsletter": False}, "newsletter_frequency"),
        ({"company": None}, "company"),
        ({"password": "weak"}, "password"),
        ({"valid_from": "2026-01-01"}, "valid_from"),
        ({"id": NOBODY}, "id"),
    ):
        answer = await shop.call("PATCH", path, change)
        assert answer.status == 422
        assert set(messages(answer)) == {field}
    assert await shop.read(path) == expected


# Odd input

ODD_VALUES = [
    *(None, True, 0, -1, 1.5, 1e300, 10**400, "", " ", "x" * 3000, "\0", "é١", "💥", "null", "1"),
    *([], [[]], [None], {}, {"": {}}, {"name": "x"}),
]
ODD_BODIES = [
    *(
        b"",
        b"{",
        b"NaN",
        b"[Infinity]",
        b'{"name": NaN}',
        b'{"a": 1e999}',
        b"\xff",
        b"\xef\xbb\xbf{}",
    ),
    *(b'"\\ud800"', b'{"\\ud800": 1}', b'{"name": "\\udfff"}', b"9" * 5000, b"[" * 100_000),
    *(b"[" * 300 + b"]" * 300, b'{"a":' * 99 + b"1" + b"}" * 99, b"null", b"1", b'"x"', b"[]"),
]


def writes(customer: str, order: str) -> list[tuple[str, str, dict[str, Any]]]:
    """Every kind of body, valid as it stands."""
    home = f"/customers/{customer}/addresses"
    return [
        ("POST", "/sessions", {"username": "demo", "password": "demo-password"}),
        ("POST", "/customers", CUSTOMER | {"email": "new@shop.example"}),
        ("PATCH", f"/customers/{customer}", CUSTOMER),
        ("POST", home, ADDRESS),
        ("PUT", "/products/ICE-0009", PRODUCT),
        ("POST", "/orders", {"customer_id": customer, "type": "express", "priority": "low"}),
        ("PATCH", f"/orders/{order}", {"note": "x"}),
        ("POST", f"/orders/{order}/lines", {"sku": "ICE-0001", "quantity": 1}),
        ("POST", "/users", WHOLE_USER),
    ]


async def test_odd_bodies_never_crash(shop):
    await shop.product()
    customer = await shop.customer()
    order = await shop.order(customer)
    for method, path, valid in writes(customer, order):
        for body in ODD_BODIES:
            answer = await shop.call(method, path, body)
            assert answer.status in {400, 422}, (method, path, body[:50], answer)
        for content_type in ("", "application/xml", "application/json-patch+json", "nonsense"):
            answer = await shop.call(method, path, valid, Content_Type=content_type)
            assert answer.status == 415
        garbled = await shop.call(method, path, b"nonsense", Content_Encoding="gzip")
        assert garbled.status == 400


async def test_odd_values_never_crash(shop):
    await shop.product()
    customer = await shop.customer()
    order = await shop.order(customer)
    for method, path, valid in writes(customer, order):
        for field in (*valid, "other"):
            for value in ODD_VALUES:
                await shop.call(method, path, valid | {field: value})


@pytest.mark.parametrize(
    "text",
    ["%00", "%2F", "..%2F", "%2E%2E", "%FF", "%F0%9F%92%A5", "+1", " 1", "1_0", "%D9%A1", "{x}"],
)
async def test_odd_ids_are_unknown(shop, document, text):
    for operation in operations(document):
        path = operation.path.removeprefix("/v1")
        for name in ("customer_id", "address_id", "order_id", "line_id", "user_id", "sku"):
            path = path.replace(f"{{{name}}}", text.replace(" ", "%20"))
        if path != operation.path.removeprefix("/v1"):
            answer = await shop.call(operation.method, path, {})
            assert answer.status == (422 if operation.name == "putProduct" else 404)


@pytest.mark.parametrize(
    "text", ["%00", "%FF", "%F0%9F%92%A5", "%", "%E9", "a%26page%3D3", "'", "a+b", "x" * 2000]
)
async def test_odd_queries_never_crash(shop, text):
    await shop.customer()
    found = await shop.read(f"/customers?email={text}&unknown={text}")
    assert found["data"] == []
    linked = await shop.read(f"/customers?page_size=1&unknown={text}")
    assert linked["total"] == 1
    answer = await shop.call("GET", f"/orders?status={text}&customer_id={text}")
    assert answer.status == 422


async def test_wrong_methods_and_paths(shop):
    for method, path, status in (
        ("DELETE", "/v1/customers", 405),
        ("POST", "/v1/products/ICE-0001", 405),
        ("PUT", f"/v1/orders/{NOBODY}", 405),
        ("GET", "/v1/sessions", 405),
        ("GET", "/v1/customers/", 404),
        ("GET", "/v1", 404),
        ("GET", "/customers", 404),
    ):
        async with shop.plain.request(method, path, headers=shop.headers()) as response:
            assert response.status == status
            assert (status == 405) == ("Allow" in response.headers)


# Faults: each scenario gives what it saw, which is one thing on the correct shop and another
# on the faulty one.

Scenario = Callable[[Caller], Awaitable[Any]]


async def patch_one_field(shop: Caller) -> Any:
    path = f"/customers/{await shop.customer()}"
    await shop.call("PATCH", path, {"name": "Ada"})
    found = await shop.read(path)
    return found["name"], found["vip"], found["credit_limit"]


async def list_a_full_page(shop: Caller) -> Any:
    await shop.customer()
    page = await shop.read("/customers?page_size=1")
    return len(page["data"]), page["total"]


async def list_two_pages(shop: Caller) -> Any:
    for number in range(2):
        await shop.customer(email=f"c{number}@shop.example")
    pages = [await shop.read(f"/customers?page_size=1&page={number}") for number in (1, 2)]
    return [page["data"][0]["email"] for page in pages]


async def delete_one_of_two_addresses(shop: Caller) -> Any:
    customer = await shop.customer()
    first, second = await shop.address(customer), await shop.address(customer)
    await shop.call("DELETE", f"/customers/{customer}/addresses/{first}")
    return (await shop.call("GET", f"/customers/{customer}/addresses/{second}")).status


async def read_address_of_deleted_customer(shop: Caller) -> Any:
    customer = await shop.customer()
    path = f"/customers/{customer}/addresses/{await shop.address(customer)}"
    await shop.call("DELETE", f"/customers/{customer}")
    return (await shop.call("GET", path)).status


async def read_cancelled_order(shop: Caller) -> Any:
    path = f"/orders/{await shop.order(await shop.customer())}"
    await shop.call("POST", f"{path}/cancel")
    return (await shop.read(path))["status"]


async def put_with_tag_from_before_patch(shop: Caller) -> Any:
    answer = await shop.call("POST", "/customers", CUSTOMER)
    path, tag = f"/customers/{answer.body['id']}", answer.headers["ETag"]
    await shop.call("PATCH", path, {"name": "Ada"})
    return (await shop.call("PUT", path, CUSTOMER, If_Match=tag)).status


async def put_credit_limit(shop: Caller) -> Any:
    path = f"/customers/{await shop.customer()}"
    await shop.call("PUT", path, CUSTOMER | {"credit_limit": 1})
    return (await shop.read(path))["credit_limit"]


async def update_one_of_two_lines(shop: Caller) -> Any:
    await shop.product()
    order = await shop.order(await shop.customer())
    first, second = await shop.line(order, 1), await shop.line(order, 2)
    body = {"sku": "ICE-0001", "quantity": 3}
    await shop.call("PUT", f"/orders/{order}/lines/{first}", body)
    return (await shop.read(f"/orders/{order}/lines/{second}"))["quantity"]


async def delete_customer_with_order(shop: Caller) -> Any:
    customer = await shop.customer()
    await shop.order(customer)
    return (await shop.call("DELETE", f"/customers/{customer}")).status


async def patch_to_taken_email(shop: Caller) -> Any:
    await shop.customer(email="eve@shop.example")
    path = f"/customers/{await shop.customer()}"
    return (await shop.call("PATCH", path, {"email": "eve@shop.example"})).status


async def replace_product(shop: Caller) -> Any:
    await shop.product()
    await shop.call("PUT", "/products/ICE-0001", PRODUCT)
    return (await shop.read("/products/ICE-0001"))["stock"]


async def call_after_logout(shop: Caller) -> Any:
    await shop.call("DELETE", "/sessions/current")
    return (await shop.call("GET", "/customers")).status


async def submit_empty_order(shop: Caller) -> Any:
    path = f"/orders/{await shop.order(await shop.customer())}"
    return (await shop.call("POST", f"{path}/submit")).status


async def ship_to_foreign_address(shop: Caller) -> Any:
    address = await shop.address(await shop.customer())
    other = await shop.customer(email="eve@shop.example")
    body = {"customer_id": other, "type": "standard", "address_id": address}
    return (await shop.call("POST", "/orders", body)).status


async def list_second_page_of_one_customer(shop: Caller) -> Any:
    ada = await shop.customer()
    eve = await shop.customer(email="eve@shop.example")
    for customer in (ada, eve):
        await shop.order(customer)
    page = await shop.read(f"/orders?customer_id={ada}&page=2&page_size=1")
    return len(page["data"]), page["total"]


async def total_after_deleting_a_line(shop: Caller) -> Any:
    await shop.product()
    order = await shop.order(await shop.customer())
    line = await shop.line(order)
    await shop.call("DELETE", f"/orders/{order}/lines/{line}")
    return (await shop.read(f"/orders/{order}"))["total"]


async def reserve_what_a_cancelled_order_held(shop: Caller) -> Any:
    await shop.product(stock=1)
    customer = await shop.customer()
    first = await shop.order(customer)
    await shop.line(first)
    await shop.call("POST", f"/orders/{first}/cancel")
    path = f"/orders/{await shop.order(customer)}/lines"
    return (await shop.call("POST", path, {"sku": "ICE-0001", "quantity": 1})).status


async def read_line_after_refused_update(shop: Caller) -> Any:
    await shop.product()
    order = await shop.order(await shop.customer())
    path = f"/orders/{order}/lines/{await shop.line(order)}"
    answer = await shop.call("PUT", path, {"sku": "ICE-0001", "quantity": 11})
    return answer.status, (await shop.read(path))["quantity"]


async def use_name_of_deleted_user(shop: Caller) -> Any:
    user = await shop.make("/users", USER)
    await shop.call("DELETE", f"/users/{user['id']}")
    return (await shop.call("POST", "/users", USER)).status


async def delete_with_wrong_tag(shop: Caller) -> Any:
    path = f"/customers/{await shop.customer()}"
    return (await shop.call("DELETE", path, If_Match='"x"')).status


BEHAVIOUR: dict[str, tuple[Scenario, Any, Any]] = {
    "patch-resets-omitted": (patch_one_field, ("Ada", True, 250.5), ("Ada", False, 0)),
    "page-drops-last": (list_a_full_page, (1, 1), (0, 1)),
    "page-repeats-item": (
        list_two_pages,
        ["c0@shop.example", "c1@shop.example"],
        ["c0@shop.example", "c0@shop.example"],
    ),
    "delete-takes-siblings": (delete_one_of_two_addresses, 200, 404),
    "orphan-addresses": (read_address_of_deleted_customer, 404, 200),
    "cancel-never-settles": (read_cancelled_order, "cancelled", "cancelling"),
    "stale-etag-after-patch": (put_with_tag_from_before_patch, 412, 200),
    "put-ignores-credit-limit": (put_credit_limit, 1, 250.5),
    "line-update-spreads": (update_one_of_two_lines, 2, 3),
    "delete-despite-orders": (delete_customer_with_order, 409, 204),
    "patch-allows-duplicate-email": (patch_to_taken_email, 409, 200),
    "put-loses-stock": (replace_product, 10, 0),
    "token-survives-logout": (call_after_logout, 401, 200),
    "submit-without-lines": (submit_empty_order, 409, 200),
    "foreign-address-accepted": (ship_to_foreign_address, 422, 201),
    "filter-lost-on-page-two": (list_second_page_of_one_customer, (0, 1), (1, 2)),
    "total-keeps-deleted-lines": (total_after_deleting_a_line, 0, 12.5),
    "cancel-keeps-reservation": (reserve_what_a_cancelled_order_held, 201, 409),
    "refused-update-sticks": (read_line_after_refused_update, (409, 1), (409, 11)),
    "deleted-username-taken": (use_name_of_deleted_user, 201, 409),
    "delete-ignores-if-match": (delete_with_wrong_tag, 412, 204),
}


def sending(method: str, path: str, body: Any = ...) -> Scenario:
    """One call that may crash: its status, and the message if it did."""

    async def scenario(shop: Caller) -> Any:
        answer = await shop.unchecked(method, path, body)
        return answer.status, answer.body.get("message")

    return scenario


async def create_customer_in_other_case(shop: Caller) -> Any:
    await shop.customer()
    body = CUSTOMER | {"email": "ADA@shop.example"}
    return await sending("POST", "/customers", body)(shop)


async def patch_long_note(shop: Caller) -> Any:
    path = f"/orders/{await shop.order(await shop.customer())}"
    return await sending("PATCH", path, {"note": "x" * 501})(shop)


async def create_half_a_line(shop: Caller) -> Any:
    path = f"/orders/{await shop.order(await shop.customer())}/lines"
    return await sending("POST", path, {"sku": "ICE-0001", "quantity": 1.5})(shop)


def posting_user(**fields: Any) -> Scenario:
    return sending("POST", "/users", USER | fields)


NOT_ASCII = (
    "UnicodeEncodeError: 'ascii' codec can't encode character '\\xc9' in position 0: "
    "ordinal not in range(128)"
)
ORDER = {"customer_id": NOBODY, "type": "express", "priority": "low"}
CRASHES: dict[str, tuple[Scenario, int, str]] = {
    "crash-phone-without-country": (
        posting_user(phone="5550100"),
        422,
        "KeyError: 'phone_country'",
    ),
    "crash-business-without-company": (
        posting_user(account_type="business"),
        422,
        "KeyError: 'company'",
    ),
    "crash-age-text": (
        posting_user(age="36"),
        422,
        "TypeError: '<' not supported between instances of 'str' and 'int'",
    ),
    "crash-password-number": (
        posting_user(password=12345678),
        422,
        "TypeError: object of type 'int' has no len()",
    ),
    "crash-empty-interests": (
        posting_user(interests=[]),
        422,
        "IndexError: list index out of range",
    ),
    "crash-impossible-date": (
        posting_user(valid_from="2024-02-30"),
        422,
        "ValueError: day is out of range for month",
    ),
    "crash-null-name": (
        sending("POST", "/customers", CUSTOMER | {"name": None}),
        422,
        "AttributeError: 'NoneType' object has no attribute 'strip'",
    ),
    "crash-huge-credit-limit": (
        sending("POST", "/customers", CUSTOMER | {"credit_limit": 10**400}),
        422,
        "OverflowError: int too large to convert to float",
    ),
    "crash-email-case": (
        create_customer_in_other_case,
        409,
        'UniqueViolationError: duplicate key breaks "customers_email_lower_key"',
    ),
    "crash-array-body": (
        sending("PUT", "/products/ICE-0001", []),
        422,
        "TypeError: list indices must be integers or slices, not str",
    ),
    "crash-null-price": (
        sending("PUT", "/products/ICE-0001", PRODUCT | {"price": None}),
        422,
        "TypeError: '<=' not supported between instances of 'NoneType' and 'int'",
    ),
    "crash-non-ascii-sku": (
        sending("PUT", "/products/%C3%89CE-0001", PRODUCT),
        422,
        NOT_ASCII,
    ),
    "crash-unknown-customer": (
        sending("POST", "/orders", ORDER),
        422,
        "AttributeError: 'NoneType' object has no attribute 'email'",
    ),
    "crash-unknown-order-type": (
        sending("POST", "/orders", ORDER | {"type": "air"}),
        422,
        "LookupError: no carrier is configured for this type of order",
    ),
    "crash-long-note": (
        patch_long_note,
        422,
        "DataError: value does not fit into column note(500)",
    ),
    "crash-fractional-quantity": (
        create_half_a_line,
        422,
        "TypeError: 'float' object cannot be interpreted as an integer",
    ),
    "crash-negative-page": (
        sending("GET", "/customers?page=-1"),
        422,
        "DataError: OFFSET must not be negative",
    ),
    "crash-page-size-text": (
        sending("GET", "/users?page_size=many"),
        422,
        "ValueError: invalid literal for int() with base 10: 'many'",
    ),
    "crash-missing-password": (
        sending("POST", "/sessions", {"username": "demo"}),
        422,
        "KeyError: 'password'",
    ),
}

SCENARIOS = BEHAVIOUR | {
    name: (scenario, (status, None), (500, message))
    for name, (scenario, status, message) in CRASHES.items()
}


def test_every_fault_has_a_scenario():
    assert {fault.name for fault in SHOP.faults} == set(SCENARIOS)
    assert len({message for _, _, message in CRASHES.values()}) == len(CRASHES)


@pytest.mark.parametrize("name", SCENARIOS)
async def test_fault_shows_and_only_where_it_is_on(enter, name):
    scenario, correct, faulty = SCENARIOS[name]
    assert await scenario(await enter()) == correct
    assert await scenario(await enter(name)) == faulty


@pytest.mark.parametrize("name", CRASHES)
async def test_a_crash_leaves_ordinary_calls_alone(enter, name):
    await meet_successes_and_ordinary_lists(await enter(name))


async def meet_successes_and_ordinary_lists(shop: Caller) -> None:
    await tour_customers(shop)
    await shop.make("/users", WHOLE_USER | {"username": "eve", "email": "eve@shop.example"})
    customer = await shop.customer()
    await shop.product()
    await shop.line(await shop.order(customer))
    for path in ("/customers", "/products", "/orders", "/users"):
        await shop.read(f"{path}?page=1&page_size=20")


async def test_all_faults_can_be_on_together(enter):
    shop = await enter(*(fault.name for fault in SHOP.faults))
    assert (await shop.read("/customers"))["total"] == 0
