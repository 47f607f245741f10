"""Findings are told once; what is seen of one later is added to it."""

from __future__ import annotations

from icepick.execute.findings import Findings, titled
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


def crash(name: str, body: bytes, about: str = "", operation: str = "op") -> Finding:
    complaint = Complaint("server-error", Verdict.ERR, "", "", Provenance.LAW, about)
    request = Request("POST", "http://x")
    exchange = Exchange(1, 0.0, Purpose.CALL, request, Response(500, body=body))
    step = Judged(operation, operation, operation, "read", Verdict.ERR, exchange=exchange)
    return Finding(name, 0, Verdict.ERR, "t", operation, "l", "a", 500, complaint, (step,), 1)


def test_a_crash_in_the_same_words_is_told_once() -> None:
    found = Findings()
    assert found.add(crash("plain", b"cannot open 1234-abcd-99"))
    assert found.add(crash("refused", b"cannot open 77")) is None
    assert found.add(crash("other words", b"out of memory"))
    assert found.add(crash("another operation", b"cannot open 1", operation="other"))
    assert found.add(crash("a wrong input", b"cannot open 1", about="body name"))
    assert len(found) == 4


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


def test_a_title_names_what_is_accepted_by_place() -> None:
    texts = ("query limit: fraction", "body: empty", "query limit: negative", "a: null", "b: null")
    sightings = [Sighting("op", text) for text in texts]
    made = titled(finding("accepted-wrong", *sightings, happened="GET /x accepts"))
    assert made.title == (
        "GET /x accepts: query limit (fraction, negative), body (empty), a (null) and 1 more"
    )
