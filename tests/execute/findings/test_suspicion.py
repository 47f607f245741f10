"""Four hundred calls that fail alike are one suspicion."""

from __future__ import annotations

from dataclasses import replace

from icepick.execute.binding.chance import Origin
from icepick.execute.findings.suspicion import Suspicions, fingerprint, principal
from icepick.execute.types import (
    Complaint,
    Exchange,
    Judged,
    Provenance,
    Purpose,
    Request,
    Response,
    Verdict,
)
from icepick.sequences.types import Call, Kind, Step

CALL = Call(Kind.TRANSITION, "deletePet", ("p1",), "deletePet")


def complaint(check: str, about: str = "", level: Verdict = Verdict.ERR, **more: str) -> Complaint:
    return Complaint(check, level, "", "", Provenance.INFERRED, about, **more)  # type: ignore[arg-type]


def judged(*complaints: Complaint, status: int = 200) -> Judged:
    exchange = Exchange(1, 0.0, Purpose.CALL, Request("DELETE", "http://x"), Response(status))
    return Judged(
        "deletePet(p1)", "deletePet", "deletePet", "transition", Verdict.ERR,
        complaints=complaints, exchange=exchange,
    )  # fmt: skip


def steps(number: int) -> tuple[Step, ...]:
    return tuple(Step(CALL, state) for state in range(number))


def test_equal_complaints_are_one() -> None:
    found = Suspicions()
    for _ in range(400):
        found.add(0, steps(5), judged(complaint("ensures", "gone")))
    [only] = found.all()
    assert only.seen == 400


def test_a_call_that_was_made_before_is_an_example_of_its_own() -> None:
    found = Suspicions()
    other = Step(Call(Kind.TRANSITION, "addPet", ("p1",), "addPet"), 1)
    again = (*steps(1), other, *steps(1))
    for way in ((other, *steps(1)), again, (*steps(1), other, other, *steps(1))):
        found.add(0, way, judged(complaint("ensures", "gone")))
    [only] = found.all()
    assert [one.steps for one in only.examples] == [(other, *steps(1)), again]


def test_the_order_is_that_of_the_plan_whichever_came_first() -> None:
    seen = [("gone", (0, 2, 0)), ("there", (1, 0, 0)), ("gone", (1, 1, 0)), ("left", None)]

    def told(order: list[tuple[str, Origin | None]]) -> list[tuple[str, Origin | None]]:
        found = Suspicions()
        for about, origin in order:
            found.add(0, steps(3), judged(complaint("ensures", about)), origin)
        return [(one.key[1], one.examples[0].origin) for one in found.all()]

    expected = [("there", (1, 0, 0)), ("gone", (1, 1, 0)), ("left", None)]
    assert told(seen) == told(seen[::-1]) == expected


def test_other_clauses_actions_and_statuses_are_others() -> None:
    found = Suspicions()
    for one in (
        judged(complaint("ensures", "gone")),
        judged(complaint("ensures", "shorter")),
        judged(complaint("ensures", "gone"), status=500),
        replace(judged(complaint("ensures", "gone")), action="deleteUser"),
        replace(judged(complaint("ensures", "gone")), kind="refusal"),
    ):
        found.add(0, steps(1), one)
    assert len(found) == 5


def test_of_one_call_the_gravest_complaint_stands_for_all() -> None:
    several = judged(complaint("undocumented-status", "200", Verdict.WARN), complaint("ensures"))
    [(key, chosen)] = principal(several)
    assert chosen.check == "ensures"
    assert key[0] == "ensures"


def test_a_get_that_misbehaves_is_blamed_itself() -> None:
    several = judged(complaint("ensures"), complaint("server-error", operation="getPet"))
    assert [(one[0][0], one[0][2]) for one in principal(several)] == [
        ("ensures", "transition deletePet"),
        ("server-error", "getPet"),
    ]


def test_a_body_that_cannot_be_parsed_is_one_fault_whatever_the_call_was_for() -> None:
    found = Suspicions()
    broken = complaint("broken-json", operation="getPet")
    read = replace(judged(broken), operation="getPet", action="getPet", kind="read")
    for one in (judged(broken), read):
        found.add(0, steps(1), one)
    assert len(found) == 1
    found.add(0, steps(1), judged(complaint("broken-json", operation="getUser")))
    assert len(found) == 2


def test_the_shortest_example_of_each_action_is_kept() -> None:
    found = Suspicions()
    for number in (9, 3, 6):
        found.add(0, steps(number), judged(complaint("frame", "Pet vanished")))
    other = replace(judged(complaint("frame", "Pet vanished")), action="deleteUser")
    found.add(0, steps(2), other)
    [only] = found.all()
    assert only.seen == 4
    assert [len(one.steps) for one in only.examples] == [2, 3]


def test_fingerprints_stay_the_same() -> None:
    assert fingerprint(("ensures", "gone", "transition deletePet", "2xx")) == "80c25ce3"


def test_what_is_the_documents_fault_is_one_wherever_it_shows() -> None:
    found = Suspicions()
    warn = Verdict.WARN
    for one in ("getPet", "getUser"):
        named = complaint("undocumented-status", "404", warn, operation=one)
        found.add(0, steps(3), replace(judged(named, status=404), operation=one, action=one))
        found.add(0, steps(2), replace(judged(named, status=404), operation=one, kind="refusal"))
    [only] = found.all()
    assert [one.complaint.operation for one in only.examples] == ["getPet", "getUser"]
    assert [len(one.steps) for one in only.examples] == [2, 2]


def test_each_way_in_which_an_answer_leaves_its_document_is_a_fault() -> None:
    both = judged(
        complaint("response-schema", "2xx Pet.name"), complaint("response-schema", "2xx Pet.age")
    )
    assert [key[1] for key, _ in principal(both)] == ["2xx Pet.name", "2xx Pet.age"]


def test_a_server_error_is_one_whatever_the_call_is_for() -> None:
    found = Suspicions()
    crash = complaint("server-error", operation="deletePet")
    for kind in ("transition", "update", "wrong input"):
        found.add(0, steps(1), replace(judged(crash, status=500), kind=kind))
    assert len(found) == 1
    found.add(0, steps(1), replace(judged(crash, status=500), kind="refusal"))
    assert len(found) == 2


def test_the_shortest_example_is_kept_and_some_of_the_longest() -> None:
    found = Suspicions()
    for length in (5, 9, 2, 7, 4):
        found.add(0, steps(length), judged(complaint("ensures", "gone")))
    [only] = found.all()
    assert [len(one.steps) for one in only.examples] == [2]
    assert [len(one.steps) for one in only.longer] == [9, 7]
