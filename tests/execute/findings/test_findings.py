"""Findings are told once; what is seen of one later is added to it."""

from __future__ import annotations

import pytest

from icepick.execute.findings.findings import Findings, titled
from icepick.execute.types import (
    Complaint,
    Exchange,
    Finding,
    Judged,
    Provenance,
    Purpose,
    Request,
    Response,
    Sighting,
    Verdict,
)


def finding(check: str, *sightings: Sighting, about: str = "", happened: str = "x") -> Finding:
    complaint = Complaint(check, Verdict.WARN, "", happened, Provenance.DECLARED, about)
    return Finding(
        f"{check} {about}", 0, Verdict.WARN, "a title", "op", "op", "op", 404, complaint, (), 1,
        sightings=sightings,
    )  # fmt: skip


def test_findings_are_numbered_and_told_once() -> None:
    found = Findings()
    first, second = found.add(finding("ensures")), found.add(finding("frame"))
    assert first is not None
    assert second is not None
    assert (first.number, second.number) == (1, 2)
    assert found.add(finding("ensures")) is None
    assert len(found) == 2


def test_another_place_is_told_with_the_same_number() -> None:
    found = Findings()
    status = "undocumented-status"
    assert found.add(finding(status, Sighting("getA", "answered 404"), about="404"))
    again = found.add(finding(status, Sighting("getB", "answered 404"), about="404"))
    assert again is not None
    assert again.number == 1
    assert again.title == "404 is answered by 2 operations and declared by none of them"
    assert found.add(finding(status, Sighting("getB", "otherwise"), about="404")) is None
    assert [one.operation for one in found.all()[0].sightings] == ["getA", "getB"]


def crash(
    name: str, body: bytes, about: str = "", operation: str = "op", sent: bytes = b"",
    status: int = 500,
) -> Finding:  # fmt: skip
    complaint = Complaint("server-error", Verdict.ERR, "", "", Provenance.LAW, about)
    request = Request("POST", "http://x", body=sent)
    exchange = Exchange(1, 0.0, Purpose.CALL, request, Response(status, body=body))
    step = Judged(operation, operation, operation, "read", Verdict.ERR, exchange=exchange)
    return Finding(name, 0, Verdict.ERR, "t", operation, "l", "a", 500, complaint, (step,), 1)


def test_a_crash_of_an_operation_in_the_same_words_is_told_once() -> None:
    found = Findings()
    assert found.add(crash("plain", b"no luck 1234"))
    assert found.add(crash("refused", b"no luck 77")) is None
    assert found.add(crash("other words", b"bad luck"))
    assert found.add(crash("another operation", b"no luck 1", operation="other"))
    assert found.add(crash("a wrong input", b"no luck 1", about="body name"))
    assert len(found) == 4


def test_words_that_tell_something_tell_the_same_wherever_they_show() -> None:
    found = Findings()
    said = b"UNIQUE constraint failed: %s"
    first = found.add(crash("one", said % b"pets.name"))
    again = found.add(crash("two", said % b"users.email", "body email", "other"))
    assert first is not None
    assert again is not None
    assert (first.title, again.number) == ("t", 1)
    assert again.title == "2 operations answer 500: UNIQUE constraint failed"
    assert [one.operation for one in again.sightings] == ["op", "other"]


@pytest.mark.parametrize(
    "said",
    [
        b"Internal Server Error",
        b"An unexpected error has occurred here",
        b"A programmatic error occurred, developers have been informed.",
        b"Oh no",
    ],
)
def test_what_any_crash_would_say_tells_nothing(said: bytes) -> None:
    found = Findings()
    assert found.add(crash("one", said))
    assert found.add(crash("two", said, operation="other"))
    assert len(found) == 2


def taken(operation: str, provenance: Provenance = Provenance.INFERRED) -> Finding:
    clause = f"req_body(@){{id}} != null => res_code(GET /{operation}/req_body(@){{id}}) = 404"
    complaint = Complaint("accepted", Verdict.WARN, clause, "", provenance, clause)
    step = Judged(operation, operation, operation, "refusal", Verdict.WARN)
    return Finding(
        operation, 0, Verdict.WARN, f"{operation} is", operation, "l", "a", 201, complaint, (step,),
        1,
    )  # fmt: skip


def test_words_that_quote_what_was_sent_are_the_same() -> None:
    found = Findings()
    assert found.add(crash("one", b"cannot make sense of 'oak'", sent=b"oak"))
    assert not found.add(crash("two", b"cannot make sense of 'elm'", sent=b"elm"))
    assert found.add(crash("six", b"cannot make sense of 'elm'", sent=b"ash"))


def test_to_overwrite_what_is_there_is_one_habit() -> None:
    found = Findings()
    assert found.add(taken("pets"))
    again = found.add(taken("users"))
    assert again is not None
    assert again.title == "2 operations create something under an identifier that is taken"
    assert [one.text for one in again.sightings] == ["pets is", "users is"]
    assert found.add(taken("written", Provenance.WRITTEN))
    assert len(found) == 2


def test_crashes_that_say_nothing_are_told_apart() -> None:
    found = Findings()
    assert found.add(crash("plain", b""))
    assert found.add(crash("refused", b""))


def test_a_title_says_what_is_broken_where() -> None:
    wanted = "Pet.name is null; the schema wants a string"
    one = finding("response-schema", Sighting("a", ""), happened=wanted)
    assert titled(one).title == "a title"
    two = finding("response-schema", Sighting("a", ""), Sighting("b", ""), happened=wanted)
    assert titled(two).title == (
        "Pet.name is null in answers of 2 operations; the schema wants a string"
    )
    other = finding(
        "response-schema", Sighting("a", ""), Sighting("b", ""), happened="Pet: it is too short"
    )
    assert titled(other).title == "Pet: it is too short in answers of 2 operations"


def test_bytes_that_are_no_body_are_accepted_by_several_operations_in_one_finding() -> None:
    found = Findings()
    for operation in ("a", "b"):
        told = found.add(finding("accepted-wrong", Sighting(operation, "body: empty"), about="x"))
    assert told is not None
    assert told.title == "2 operations accept what their schemas forbid: body (empty)"


def test_a_title_names_what_is_accepted_by_place() -> None:
    texts = ("query limit: fraction", "body: empty", "query limit: negative", "a: null", "b: null")
    sightings = [Sighting("op", text) for text in texts]
    made = titled(finding("accepted-wrong", *sightings, happened="GET /x accepts"))
    assert made.title == (
        "GET /x accepts: query limit (fraction, negative), body (empty), a (null) and 1 more"
    )


def test_what_is_not_implemented_is_one_finding_whatever_is_said_of_it() -> None:
    found = Findings()
    found.add(crash("a", b'{"message": "no forks here"}', operation="fork", status=501))
    both = found.add(crash("b", b'{"message": "functions?"}', operation="attach", status=501))
    assert both is not None
    assert both.title == "2 operations answer 501: they are not implemented"
    assert [one.operation for one in both.sightings] == ["fork", "attach"]
    assert len(found) == 1
