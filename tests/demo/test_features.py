"""The Features-Service: every operation, every refusal, every fault."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import pytest
from aiohttp import FormData
from yarl import URL

from icepick.demo.features import FEATURES
from tests.demo.checking import (
    Answer,
    CheckingClient,
    assert_routes_match,
    document_of,
    documented_answers,
)

FORM = {"Content-Type": "application/x-www-form-urlencoded"}

CAR = "/products/car"
BASE = CAR + "/configurations/base"
REQUIRES = CAR + "/constraints/requires"
EXCLUDES = CAR + "/constraints/excludes"


@dataclass(frozen=True, slots=True)
class Call:
    """One request of a sequence; `data` is a form."""

    method: str
    path: str
    data: Any = None
    headers: dict[str, str] | None = None

    async def send(self, client: CheckingClient) -> Answer:
        # aiohttp warns of large bytes, not of a stream.
        data = BytesIO(self.data) if isinstance(self.data, bytes) else self.data
        url = URL(self.path, encoded=True)
        return await client.call(self.method, url, data=data, headers=self.headers)


def get(path: str) -> Call:
    return Call("GET", path)


def post(path: str, data: Any = None, **headers: str) -> Call:
    return Call("POST", path, data, headers or None)


def put(path: str, data: Any = None, **headers: str) -> Call:
    return Call("PUT", path, data, headers or None)


def delete(path: str) -> Call:
    return Call("DELETE", path)


def requires(source: str, target: str) -> Call:
    return post(REQUIRES, {"sourceFeature": source, "requiredFeature": target})


def excludes(source: str, target: str) -> Call:
    return post(EXCLUDES, {"sourceFeature": source, "excludedFeature": target})


def features(*names: str) -> list[Call]:
    return [post(f"{CAR}/features/{name}") for name in names]


def activated(*names: str) -> list[Call]:
    return [post(f"{BASE}/features/{name}") for name in names]


# In `car`: a requires b (constraint 1), b excludes c (constraint 2); `base` has a and b active.
POPULATED: tuple[Call, ...] = (
    post(CAR),
    *features("a", "b", "c", "d"),
    requires("a", "b"),
    excludes("b", "c"),
    post(BASE),
    post(CAR + "/configurations/other"),
    *activated("a", "b"),
    post("/products/van"),
)


@pytest.fixture
async def client(start) -> CheckingClient:
    """A client of the correct service, empty."""
    return await client_of(start)


@pytest.fixture
async def populated(client) -> CheckingClient:
    """A client of the correct service with POPULATED in it."""
    await run(client, POPULATED)
    return client


async def client_of(start, *faults: str) -> CheckingClient:
    return CheckingClient.of(await start(FEATURES, *faults), FEATURES)


async def run(client: CheckingClient, calls: Iterable[Call]) -> list[Answer]:
    """Send the calls; each must succeed."""
    answers = []
    for call in calls:
        answer = await call.send(client)
        assert 200 <= answer.status < 300, (call, answer)
        answers.append(answer)
    return answers


async def read(client: CheckingClient, path: str) -> Any:
    answer = await client.get(path)
    assert answer.status == 200
    return answer.body


async def state(client: CheckingClient) -> dict[str, Any]:
    """All that can be read."""
    found = {"/products": await read(client, "/products")}
    for product in found["/products"]:
        root = f"/products/{product}"
        configurations = await read(client, root + "/configurations")
        items = [f"/configurations/{name}" for name in configurations]
        paths = ["", "/features", "/configurations", *items, *(i + "/features" for i in items)]
        found |= {root + path: await read(client, root + path) for path in paths}
    return found


# What is done


async def test_a_fresh_service_has_no_products(client) -> None:
    assert await read(client, "/products") == []


async def test_a_product_is_created_empty(client) -> None:
    answer = await client.post("/products/estate%20car")
    assert answer.status == 201
    assert answer.headers["Location"] == "/products/estate%20car"
    assert answer.body == {"id": 1, "name": "estate car", "features": [], "constraints": []}
    assert await read(client, answer.headers["Location"]) == answer.body
    assert await read(client, "/products") == ["estate car"]


async def test_product_ids_count_up_and_are_not_used_again(client) -> None:
    answers = await run(client, [post(CAR), post("/products/van"), delete(CAR), post(CAR)])
    assert [answer.body["id"] for answer in answers if answer.body] == [1, 2, 3]


async def test_deleting_a_product_takes_all_that_belongs_to_it(populated) -> None:
    assert (await populated.delete(CAR)).status == 204
    assert (await populated.get(CAR)).status == 404
    assert await read(populated, "/products") == ["van"]
    await run(populated, [post(CAR)])
    assert await read(populated, CAR + "/features") == []
    assert await read(populated, CAR + "/configurations") == []
    assert (await read(populated, CAR))["constraints"] == []


async def test_a_feature_reads_back_as_sent(client) -> None:
    await run(client, [post(CAR)])
    text = "two tönnes & more\r\n\x00 \U0001f69a +%"
    answer = await client.post(CAR + "/features/tow%20bar", data={"description": text})
    assert answer.status == 201
    assert answer.headers["Location"] == CAR + "/features/tow%20bar"
    assert answer.body == {"id": 1, "name": "tow bar", "description": text}
    assert await read(client, CAR + "/features") == [answer.body]
    assert (await read(client, CAR))["features"] == [answer.body]


async def test_a_feature_without_a_body_has_an_empty_description(client) -> None:
    *_, answer = await run(client, [post(CAR), *features("a")])
    assert answer.body["description"] == ""


async def test_multipart_forms_are_accepted(client) -> None:
    form = FormData({"description": "zwölf\r\n\r\nZeilen "}, default_to_multipart=True)
    *_, answer = await run(client, [post(CAR), post(CAR + "/features/a", form)])
    assert answer.body["description"] == "zwölf\r\n\r\nZeilen "


async def test_a_multipart_form_without_fields_is_accepted(client) -> None:
    header = {"Content-Type": "multipart/form-data; boundary=x"}
    empty = post(CAR + "/features/a", b"--x--\r\n", **header)
    *_, answer = await run(client, [post(CAR), empty])
    assert answer.body["description"] == ""


async def test_an_update_reads_back(client) -> None:
    feature = CAR + "/features/a"
    steps = [post(CAR), post(feature, {"description": "old"})]
    *_, created = await run(client, steps)
    for data, expected in [
        ({"description": "new"}, "new"),
        (None, "new"),
        ({"description": ""}, ""),
    ]:
        updated = await client.put(feature, data=data)
        assert updated.status == 200
        assert updated.body == {**created.body, "description": expected}
        assert await read(client, CAR + "/features") == [updated.body]


async def test_deleting_a_feature_takes_the_constraints_that_it_does_not_block(client) -> None:
    steps = [post(CAR), *features("a", "b", "c")]
    await run(client, [*steps, requires("a", "b"), excludes("a", "c"), excludes("c", "a")])
    await run(client, [excludes("b", "c"), delete(CAR + "/features/a")])
    product = await read(client, CAR)
    assert [each["name"] for each in product["features"]] == ["b", "c"]
    assert [each["id"] for each in product["constraints"]] == [4]


async def test_a_required_feature_can_go_once_the_constraint_is_lifted(client) -> None:
    await run(client, [post(CAR), *features("a", "b"), requires("a", "b")])
    assert (await client.delete(CAR + "/features/b")).status == 400
    await run(client, [delete(CAR + "/constraints/1"), delete(CAR + "/features/b")])


async def test_a_configuration_is_created_empty_and_valid(client) -> None:
    *_, answer = await run(client, [post(CAR), post(BASE)])
    assert answer.headers["Location"] == BASE
    assert answer.body == {"name": "base", "valid": True, "activedFeatures": []}
    assert await read(client, BASE) == answer.body
    assert await read(client, CAR + "/configurations") == ["base"]


async def test_deleting_a_configuration_leaves_features_and_constraints(populated) -> None:
    before = await read(populated, CAR)
    assert (await populated.delete(BASE)).status == 204
    assert (await populated.get(BASE)).status == 404
    assert (await populated.get(BASE + "/features")).status == 404
    assert await read(populated, CAR + "/configurations") == ["other"]
    assert await read(populated, CAR) == before


async def test_activation_shows_in_the_configuration_only(client) -> None:
    other = CAR + "/configurations/other"
    steps = [post(CAR), *features("a", "b"), post(BASE), post(other)]
    *_, answer = await run(client, [*steps, *activated("a")])
    assert answer.status == 201
    assert answer.headers["Location"] == BASE + "/features/a"
    assert answer.body == {"id": 1, "name": "a", "description": ""}
    assert await read(client, BASE + "/features") == ["a"]
    assert (await read(client, BASE))["activedFeatures"] == [answer.body]
    assert await read(client, other + "/features") == []


async def test_valid_follows_activations_and_constraints(client) -> None:
    steps = [post(CAR), *features("a", "b"), requires("a", "b"), post(BASE)]
    await run(client, steps)
    for call, valid in [
        (post(BASE + "/features/a"), False),
        (post(BASE + "/features/b"), True),
        (requires("b", "a"), True),
        (delete(CAR + "/constraints/1"), True),
        (delete(BASE + "/features/a"), None),
        (delete(CAR + "/constraints/2"), True),
        (delete(BASE + "/features/a"), True),
        (requires("b", "a"), False),
        (delete(BASE + "/features/b"), True),
    ]:
        answer = await call.send(client)
        if valid is None:
            assert answer.status == 400
            continue
        assert answer.status in (201, 204)
        assert (await read(client, BASE))["valid"] is valid, call


@pytest.mark.parametrize(("first", "second"), [("a", "b"), ("b", "a")])
async def test_excludes_holds_in_both_directions(client, first, second) -> None:
    await run(client, [post(CAR), *features("a", "b"), excludes("a", "b"), post(BASE)])
    await run(client, activated(first))
    assert (await client.post(f"{BASE}/features/{second}")).status == 400
    await run(client, [delete(f"{BASE}/features/{first}"), *activated(second)])


async def test_constraints_are_numbered_over_all_products(client) -> None:
    van = "/products/van"
    steps = [post(CAR), *features("a", "b"), post(van)]
    steps += [post(f"{van}/features/{name}") for name in "ab"]
    await run(client, steps)
    first, second = await run(client, [requires("a", "b"), excludes("a", "b")])
    form = {"sourceFeature": "a", "excludedFeature": "b"}
    third = await client.post(van + "/constraints/excludes", data=form)
    assert first.body == {"id": 1, "type": "requires", "sourceFeature": "a", "requiredFeature": "b"}
    assert second.body["id"] == 2
    assert third.body == {"id": 3, "type": "excludes", **form}
    assert third.headers["Location"] == van + "/constraints/3"
    assert (await read(client, CAR))["constraints"] == [first.body, second.body]
    assert (await client.delete(CAR + "/constraints/3")).status == 404
    await run(client, [delete(van + "/constraints/3"), delete(CAR + "/constraints/1")])
    assert (await requires("a", "b").send(client)).body["id"] == 4


async def test_constraints_take_multipart_forms(client) -> None:
    await run(client, [post(CAR), *features("a", "b")])
    fields = {"sourceFeature": "a", "requiredFeature": "b"}
    await run(client, [post(REQUIRES, FormData(fields, default_to_multipart=True))])


async def test_a_reverse_excludes_and_requires_is_another_constraint(client) -> None:
    steps = [post(CAR), *features("a", "b"), excludes("a", "b"), excludes("b", "a")]
    *_, last = await run(client, [*steps, requires("a", "b"), requires("b", "a")])
    assert last.body["id"] == 4


async def test_reset_forgets_everything(populated) -> None:
    assert (await populated.client.post("/__reset__")).status == 204
    assert await read(populated, "/products") == []
    answer = await populated.post(CAR)
    assert answer.body["id"] == 1


# What is refused

LONG = "x" * 65
TOO_LARGE = b"x" * (2**20 + 1)

REFUSED: tuple[tuple[Call, int, str], ...] = (
    (get("/products/no"), 404, "productName"),
    (get("/products/-no"), 400, "productName"),
    (post(CAR), 409, "productName"),
    (post("/products/" + LONG), 400, "productName"),
    (post("/products/%7Bcar%7D"), 400, "productName"),
    (delete("/products/no"), 404, "productName"),
    (delete("/products/a%2F.."), 400, "productName"),
    (get("/products/no/features"), 404, "productName"),
    (get("/products/_/features"), 400, "productName"),
    (post("/products/no/features/a"), 404, "productName"),
    (post(CAR + "/features/a"), 409, "featureName"),
    (post(CAR + "/features/%C3%A9"), 400, "featureName"),
    (post("/products/%20car/features/a"), 400, "productName"),
    (post(CAR + "/features/e", {"description": "x" * 1001}), 400, "description"),
    (post(CAR + "/features/e", {"descripton": "x"}), 400, "descripton"),
    (post(CAR + "/features/e", b"description=1&description=2", **FORM), 400, "description"),
    (post(CAR + "/features/e", b"description=%FF", **FORM), 400, "form"),
    (post(CAR + "/features/e", b"description=\xff", **FORM), 400, "form"),
    (
        post(CAR + "/features/e", b"x", **FORM, **{"Content-Encoding": "gzip"}),
        415,
        "Content-Encoding",
    ),
    (post(CAR + "/features/e", b"a&" * 200, **FORM), 400, "form"),
    (post(CAR + "/features/e", TOO_LARGE, **FORM), 413, ""),
    (post(CAR + "/features/e", b"{}", **{"Content-Type": "application/json"}), 415, "Content-Type"),
    (post(CAR + "/features/e", b"description=x"), 415, "Content-Type"),
    (
        post(
            CAR + "/features/e", b"x", **{"Content-Type": FORM["Content-Type"] + ";charset=latin1"}
        ),
        415,
        "charset",
    ),
    (put("/products/no/features/a"), 404, "productName"),
    (put(CAR + "/features/no"), 404, "featureName"),
    (put(CAR + "/features/%00"), 400, "featureName"),
    (put(CAR + "/features/a", {"description": "x" * 1001}), 400, "description"),
    (put(CAR + "/features/a", TOO_LARGE, **FORM), 413, ""),
    (put(CAR + "/features/a", b"[]", **{"Content-Type": "application/json"}), 415, "Content-Type"),
    (delete("/products/no/features/a"), 404, "productName"),
    (delete(CAR + "/features/no"), 404, "featureName"),
    (delete(CAR + "/features/a%0A"), 400, "featureName"),
    (delete(CAR + "/features/b"), 400, "required by"),
    (delete(CAR + "/features/a"), 400, "active in"),
    (get("/products/no/configurations"), 404, "productName"),
    (get("/products/%2F/configurations"), 400, "productName"),
    (get("/products/no/configurations/base"), 404, "productName"),
    (get(CAR + "/configurations/no"), 404, "configurationName"),
    (get(CAR + "/configurations/a%2Fb"), 400, "configurationName"),
    (post("/products/no/configurations/base"), 404, "productName"),
    (post(BASE), 409, "configurationName"),
    (post(CAR + "/configurations/" + LONG), 400, "configurationName"),
    (delete("/products/no/configurations/base"), 404, "productName"),
    (delete(CAR + "/configurations/no"), 404, "configurationName"),
    (delete(CAR + "/configurations/-"), 400, "configurationName"),
    (get("/products/no/configurations/base/features"), 404, "productName"),
    (get(CAR + "/configurations/no/features"), 404, "configurationName"),
    (get(CAR + "/configurations/%7Bx%7D/features"), 400, "configurationName"),
    (post("/products/no/configurations/base/features/a"), 404, "productName"),
    (post(CAR + "/configurations/no/features/a"), 404, "configurationName"),
    (post(BASE + "/features/no"), 404, "featureName"),
    (post(BASE + "/features/a"), 409, "featureName"),
    (post(BASE + "/features/c"), 400, "exclude"),
    (post(BASE + "/features/%E0%A5%A7"), 400, "featureName"),
    (delete("/products/no/configurations/base/features/a"), 404, "productName"),
    (delete(CAR + "/configurations/no/features/a"), 404, "configurationName"),
    (delete(BASE + "/features/no"), 404, "featureName"),
    (delete(BASE + "/features/d"), 404, "featureName"),
    (delete(BASE + "/features/b"), 400, "required by"),
    (delete(BASE + "/features/@"), 400, "featureName"),
    (delete(CAR + "/constraints/99"), 404, "constraintId"),
    (delete("/products/no/constraints/1"), 404, "productName"),
    (delete("/products/van/constraints/1"), 404, "constraintId"),
    (delete(CAR + "/constraints/9223372036854775808"), 404, "constraintId"),
    *(
        (delete(f"{CAR}/constraints/{bad}"), 400, "constraintId")
        for bad in ("x", "+1", "%2B1", "%201", "1%20", "1_0", "%D9%A1", "1.0", "1e0", "9" * 99)
    ),
    (delete(CAR + "/constraints/requires"), 400, "constraintId"),
)


def refused_constraints(path: str, target: str, known: tuple[str, str]) -> Iterable[Any]:
    """The refusals that both kinds of constraints share."""

    def form(source: str, other: str) -> dict[str, str]:
        return {"sourceFeature": source, target: other}

    yield post(path), 400, "sourceFeature"
    yield post(path, {"sourceFeature": "a"}), 400, target
    yield post(path, {target: "a"}), 400, "sourceFeature"
    yield post(path, form("", "b")), 400, "sourceFeature"
    yield post(path, form("a", "b\n")), 400, target
    yield post(path, form("a", "a")), 400, target
    yield post(path, {**form("d", "a"), "extra": "x"}), 400, "extra"
    yield post(path.replace("car", "no"), form("a", "b")), 404, "productName"
    yield post(path.replace("car", "%00"), form("a", "b")), 400, "productName"
    yield post(path, form("no", "b")), 404, "sourceFeature"
    yield post(path, form("a", "no")), 404, target
    yield post(path, form(*known)), 409, "already"
    yield post(path, TOO_LARGE, **FORM), 413, ""
    yield post(path, b"[]", **{"Content-Type": "application/json"}), 415, "Content-Type"


ALL_REFUSED = (
    *REFUSED,
    *refused_constraints(REQUIRES, "requiredFeature", ("a", "b")),
    *refused_constraints(EXCLUDES, "excludedFeature", ("b", "c")),
)


async def test_a_refused_call_says_why_and_changes_nothing(populated) -> None:
    before = await state(populated)
    for call, status, word in ALL_REFUSED:
        answer = await call.send(populated)
        assert answer.status == status, (call, answer)
        assert answer.body["code"] == str(status)
        assert word in answer.body["message"], (call, answer)
        assert await state(populated) == before, call


PART = 'Content-Disposition: form-data; name="description"'

MULTIPART_REFUSED = {
    "no boundary": ("", f"--x\r\n{PART}\r\n\r\nv\r\n--x--\r\n"),
    "other boundary": ("; boundary=y", f"--x\r\n{PART}\r\n\r\nv\r\n--x--\r\n"),
    "no end": ("; boundary=x", f"--x\r\n{PART}\r\n\r\nv"),
    "no name": ("; boundary=x", "--x\r\n\r\nv\r\n--x--\r\n"),
    "a file": ("; boundary=x", f"--x\r\n{PART}; filename=f\r\n\r\nv\r\n--x--\r\n"),
    "not utf-8": ("; boundary=x", f"--x\r\n{PART}\r\n\r\n\xff\r\n--x--\r\n"),
    "bad base64": (
        "; boundary=x",
        f"--x\r\n{PART}\r\nContent-Transfer-Encoding: base64\r\n\r\n#\r\n--x--\r\n",
    ),
    "a mail": (
        "; boundary=x",
        f"--x\r\n{PART}\r\nContent-Type: message/rfc822\r\n\r\nv\r\n--x--\r\n",
    ),
}


async def test_a_malformed_multipart_form_is_refused(populated) -> None:
    before = await state(populated)
    for defect, (boundary, text) in MULTIPART_REFUSED.items():
        header = {"Content-Type": "multipart/form-data" + boundary}
        call = put(CAR + "/features/a", text.encode("latin-1"), **header)
        assert (await call.send(populated)).status == 400, defect
        assert await state(populated) == before


async def test_wellformed_names_are_accepted(client) -> None:
    for name in ("a", "Z9", "0", "a.b", "a..", "a-_.", "a%20b", "a%20", "x" * 64):
        paths = [f"/products/{name}", f"/products/{name}/features/{name}"]
        await run(client, [post(path) for path in paths])
        assert await read(client, "/products") == [URL(f"/{name}", encoded=True).name]
        await run(client, [delete(path) for path in reversed(paths)])


async def test_other_methods_are_not_allowed(populated) -> None:
    for method, path, allowed in [
        ("DELETE", "/products", "GET,HEAD"),
        ("PUT", CAR, "DELETE,GET,HEAD,POST"),
        ("GET", CAR + "/features/a", "DELETE,POST,PUT"),
        ("GET", CAR + "/constraints/1", "DELETE"),
    ]:
        async with populated.client.request(method, path) as response:
            assert response.status == 405
            assert response.headers["Allow"] == allowed


# The document


def test_routes_and_document_agree() -> None:
    assert_routes_match(FEATURES)


async def test_every_documented_answer_can_be_met(populated) -> None:
    for call, *_ in ALL_REFUSED:
        await call.send(populated)
    await state(populated)
    await run(
        populated,
        [
            put(CAR + "/features/a"),
            delete(BASE + "/features/a"),
            delete(BASE),
            delete(CAR + "/constraints/1"),
            delete(CAR + "/features/a"),
            delete(CAR),
        ],
    )
    assert populated.seen == documented_answers(document_of(FEATURES))


# The faults


def status(answer: Answer) -> Any:
    return answer.status


def body(answer: Answer) -> Any:
    return answer.body


def field(name: str) -> Callable[[Answer], Any]:
    return lambda answer: answer.body[name]


def names(answer: Answer) -> Any:
    return [each["name"] for each in answer.body]


@dataclass(frozen=True, slots=True)
class Case:
    """A sequence, what to look at in its last answer, and what is seen there."""

    fault: str
    calls: tuple[Call, ...]
    look: Callable[[Answer], Any]
    right: Any
    wrong: Any
    undocumented: bool = False


OTHER = CAR + "/configurations/other"
A = CAR + "/features/a"

CASES = (
    Case(
        "delete-required-feature",
        (post(CAR), *features("a", "b"), requires("b", "a"), delete(A)),
        status,
        right=400,
        wrong=204,
    ),
    Case(
        "deactivate-required-feature",
        (
            *(post(CAR), *features("a", "b"), requires("b", "a"), post(BASE)),
            *(*activated("a", "b"), delete(BASE + "/features/a")),
        ),
        status,
        right=400,
        wrong=204,
    ),
    Case(
        "excludes-one-way",
        (post(CAR), *features("a", "b"), excludes("a", "b"), post(BASE), *activated("a", "b")),
        status,
        right=400,
        wrong=201,
    ),
    Case(
        "product-leaves-configurations",
        (post(CAR), post(BASE), delete(CAR), post(CAR), get(CAR + "/configurations")),
        body,
        right=[],
        wrong=["base"],
    ),
    Case(
        "configuration-takes-features",
        (
            *(post(CAR), *features("a", "b"), post(BASE), *activated("a")),
            *(delete(BASE), get(CAR + "/features")),
        ),
        names,
        right=["a", "b"],
        wrong=["b"],
    ),
    Case(
        "constraint-id-reused",
        (
            *(post(CAR), *features("a", "b"), requires("a", "b")),
            *(delete(CAR + "/constraints/1"), requires("a", "b")),
        ),
        field("id"),
        right=2,
        wrong=1,
    ),
    Case(
        "update-clears-description",
        (post(CAR), post(A, {"description": "red"}), put(A)),
        field("description"),
        right="red",
        wrong="",
    ),
    Case(
        "update-of-active-lost",
        (
            *(post(CAR), *features("a"), post(BASE), *activated("a")),
            *(put(A, {"description": "red"}), get(CAR)),
        ),
        lambda answer: answer.body["features"][0]["description"],
        right="red",
        wrong="",
    ),
    Case(
        "valid-not-recomputed",
        (
            *(post(CAR), *features("a", "b"), requires("a", "b"), post(BASE)),
            *(*activated("a"), delete(BASE + "/features/a"), get(BASE)),
        ),
        field("valid"),
        right=True,
        wrong=False,
    ),
    Case(
        "active-features-unlisted",
        (post(CAR), *features("a", "b"), post(BASE), *activated("a"), get(CAR + "/features")),
        names,
        right=["a", "b"],
        wrong=["b"],
    ),
    Case(
        "constraint-takes-all",
        (
            *(post(CAR), *features("a", "b"), requires("a", "b"), excludes("a", "b")),
            *(delete(CAR + "/constraints/1"), get(CAR)),
        ),
        lambda answer: [each["id"] for each in answer.body["constraints"]],
        right=[2],
        wrong=[],
    ),
    Case(
        "activate-everywhere",
        (
            *(post(CAR), *features("a"), post(BASE), post(OTHER), *activated("a")),
            get(OTHER + "/features"),
        ),
        body,
        right=[],
        wrong=["a"],
    ),
    Case(
        "third-feature-crashes",
        (post(CAR), *features("a", "b", "c")),
        status,
        right=201,
        wrong=500,
        undocumented=True,
    ),
    Case(
        "duplicate-constraint",
        (post(CAR), *features("a", "b"), requires("a", "b"), requires("a", "b")),
        status,
        right=409,
        wrong=201,
    ),
    Case(
        "refused-activation-sticks",
        (
            *(post(CAR), *features("a", "b"), excludes("a", "b"), post(BASE)),
            *(*activated("b", "a"), get(BASE + "/features")),
        ),
        body,
        right=["b"],
        wrong=["b", "a"],
    ),
    Case(
        "constraints-outlive-feature",
        (
            *(post(CAR), *features("a", "b"), requires("a", "b"), delete(A)),
            delete(CAR + "/features/b"),
        ),
        status,
        right=204,
        wrong=400,
    ),
)


async def outcome(client: CheckingClient, case: Case) -> Any:
    """What the last call of the case's sequence shows."""
    for call in case.calls[:-1]:
        assert (await call.send(client)).status < 500
    last = case.calls[-1]
    if not case.undocumented:
        return case.look(await last.send(client))
    async with client.client.request(last.method, last.path) as response:
        return response.status


@pytest.mark.parametrize("faults", [(), *((case.fault,) for case in CASES)], ids=str)
async def test_a_fault_shows_in_its_own_sequence_and_no_other(start, faults) -> None:
    client = await client_of(start, *faults)
    for case in CASES:
        expected = case.wrong if case.fault in faults else case.right
        assert await outcome(client, case) == expected, case.fault
        await client.client.post("/__reset__")


def test_every_fault_has_a_case() -> None:
    assert [case.fault for case in CASES] == [fault.name for fault in FEATURES.faults]


async def test_all_faults_can_be_on_at_once(start) -> None:
    client = await client_of(start, *(fault.name for fault in FEATURES.faults))
    await run(client, [post(CAR), *features("a"), post(BASE), *activated("a"), delete(BASE)])
    assert await read(client, "/products") == ["car"]
