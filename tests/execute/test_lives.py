"""The life of a resource is whole when it was created, read, changed, deleted, and gone."""

from __future__ import annotations

import json

from icepick.execute.lives import Lives
from icepick.execute.types import (
    Exchange,
    Failure,
    FailureKind,
    Purpose,
    Reply,
    Request,
    Response,
)
from icepick.resources.find import find_resources
from tests.resources.conftest import Read, read
from tests.resources.documents import TEXT, crud, obj, op, ref

__all__ = ["read"]

PET = "http://x/pets/1"


def lives(read: Read, *marked: str) -> Lives:
    operations = {**crud("/pets", "petId", ref("Pet")), "GET /news": op(gives=ref("Pet"))}
    for label, operation in operations.items():
        operation["operationId"] = label
    return Lives(find_resources(read(operations, Pet=obj(id=TEXT, name=TEXT))), marked)


def exchange(method: str, url: str, reply: Reply | int) -> Exchange:
    path = "/pets/{petId}" if url == PET else "/pets"
    answer = Response(reply) if isinstance(reply, int) else reply
    return Exchange(1, 0.0, Purpose.CALL, Request(method, url), answer, f"{method} {path}")


def told(known: Lives, *exchanges: Exchange) -> dict[str, str]:
    for one in exchanges:
        known.add(one)
    [life] = known.told()
    assert life.resource == "Pet"
    assert life.is_whole is not bool(life.missing)
    return dict(life.missing)


CREATED = exchange("POST", "http://x/pets", 201)
SHOWN = exchange("GET", PET, 200)
CHANGED = exchange("PUT", PET, 200)
DELETED = exchange("DELETE", PET, 204)
MISSING = exchange("GET", PET, 404)


def test_a_whole_life(read: Read) -> None:
    assert told(lives(read), CREATED, SHOWN, CHANGED, DELETED, MISSING) == {}


def test_what_says_that_it_is_deleted_is_as_good_as_gone(read: Read) -> None:
    course = (CREATED, SHOWN, CHANGED, DELETED, SHOWN)
    assert told(lives(read, "Pet"), *course) == {}
    assert list(told(lives(read), *course)) == ["absent afterwards"]


def test_what_never_was_there_is_not_gone(read: Read) -> None:
    missing = told(lives(read), MISSING, CREATED, SHOWN, CHANGED, DELETED)
    assert missing == {"absent afterwards": "nothing was read after its deletion"}


def test_what_is_still_there_is_not_gone(read: Read) -> None:
    missing = told(lives(read), CREATED, SHOWN, CHANGED, DELETED, SHOWN)
    assert missing == {"absent afterwards": "it was read after its deletion, which answered 200"}


def test_a_number_that_is_given_again_is_not_what_was_deleted(read: Read) -> None:
    missing = told(lives(read), CREATED, SHOWN, CHANGED, DELETED, CREATED, SHOWN)
    assert missing == {"absent afterwards": "nothing was read after its deletion"}
    assert told(lives(read), CREATED, SHOWN, CHANGED, DELETED, CREATED, MISSING) == {}


def test_what_was_made_again_was_not_deleted_last(read: Read) -> None:
    missing = told(lives(read), CREATED, DELETED, CHANGED, SHOWN)
    assert missing == {"absent afterwards": "nothing was read after its deletion"}


def test_gaps_say_what_stood_in_the_way(read: Read) -> None:
    body = json.dumps({"message": "only for administrators"}).encode()
    refused = Response(403, (("Content-Type", "application/json"),), body)
    lost = Failure(FailureKind.TIMEOUT, "too slow")
    missing = told(
        lives(read), CREATED, SHOWN, exchange("PUT", PET, lost), exchange("DELETE", PET, refused)
    )
    assert missing == {
        "update": "no answer (timeout)",
        "delete": "answered 403: only for administrators",
        "absent afterwards": "none deleted",
    }
    assert told(lives(read))["create"] == "it was not called"


def refused(status: int, text: str) -> Response:
    body = json.dumps({"message": text}).encode()
    return Response(status, (("Content-Type", "application/json"),), body)


def test_what_is_said_most_often_stands_in_the_way(read: Read) -> None:
    said = [
        refused(400, "name is required"),
        refused(422, 'pets of "kind7" are switched off'),
        refused(422, 'pets of "kind8" are switched off'),
        refused(400, "id is not allowed"),
    ]
    missing = told(lives(read), *(exchange("POST", "http://x/pets", one) for one in said))
    assert missing["create"] == 'answered 422: pets of "kind8" are switched off'


def test_a_deletion_that_fails_is_why_nothing_was_read_afterwards(read: Read) -> None:
    failed = exchange("DELETE", PET, refused(500, "no such disk"))
    missing = told(lives(read), CREATED, SHOWN, CHANGED, failed, DELETED)
    said = "nothing was read after its deletion, which answered 500: no such disk"
    assert missing == {"absent afterwards": said}
