"""JUnit, HAR and JSON: read back by the parsers of others."""

from __future__ import annotations

import io
import json
import tracemalloc
from base64 import b64decode
from collections.abc import Iterator
from xml.etree import ElementTree as ET

import pytest

from icepick.execute.events import Exchanged
from icepick.execute.types import Failure, FailureKind
from icepick.report.har import write_har
from icepick.report.json_report import LONGEST_BODY, to_json
from icepick.report.junit import to_junit
from tests.report import hostile, records
from tests.report.records import answer, exchange


def _suite(text: str) -> ET.Element:
    suite = ET.fromstring(text.encode()).find("testsuite")
    assert suite is not None
    return suite


def test_junit_has_operations_and_findings() -> None:
    suite = _suite(to_junit(records.record()))
    cases = suite.findall("testcase")
    failing = [case for case in cases if case.find("failure") is not None]
    assert len(failing) == 3
    assert suite.get("tests") == str(len(cases))
    assert suite.get("failures") == "3"
    skipped = {c.get("name"): c.find("skipped") for c in cases if c.find("skipped") is not None}
    assert "GET /players" in skipped
    assert skipped["GET /players"].get("message") == "no call was planned"  # type: ignore[union-attr]
    failure = failing[1].find("failure")
    assert failure is not None
    assert failure.text is not None
    assert "promised (inferred): res_code(GET /players/{pid}) = 404" in failure.text
    assert "icepick replay 0f9e8d7c" in failure.text
    assert suite.get("timestamp") == "2026-09-21T14:13:20"


def test_junit_of_a_known_finding_does_not_fail() -> None:
    suite = _suite(to_junit(records.record(), known={"0f9e8d7c"}))
    assert (suite.get("failures"), len(suite.findall("testcase/failure"))) == ("2", 2)


def test_junit_survives_what_services_say() -> None:
    suite = _suite(to_junit(records.record(found=[hostile.finding()])))
    assert len(suite.findall("testcase/failure")) == 1
    assert not [element for element in suite.iter() if element.tag in {"script", "img", "svg"}]


def _har(exchanges: list[Exchanged]) -> dict[str, object]:
    file = io.StringIO()
    assert write_har(file, iter(exchanges), "0.1.0") == len(exchanges)
    log = json.loads(file.getvalue())["log"]
    assert log["version"] == "1.2"
    return log  # type: ignore[no-any-return]


def test_har_of_text_bytes_and_failures() -> None:
    text = exchange(1, "POST", "/a?x=1&y=%20z", answer(201, {"a": "ü"}), {"b": 1}, operation="op")
    raw = exchange(2, "PUT", "/b", answer(200, b"\xff\x00"), b"\xfe")
    failed = exchange(3, "GET", "/c", Failure(FailureKind.RESET, "closed", 0.5))
    entries = _har([Exchanged(text, 7), Exchanged(raw), Exchanged(failed)])["entries"]
    first, second, third = entries  # type: ignore[misc]
    assert first["startedDateTime"] == "2026-09-21T14:13:20.100000+00:00"
    assert first["request"]["queryString"] == [
        {"name": "x", "value": "1"},
        {"name": "y", "value": " z"},
    ]
    assert json.loads(first["request"]["postData"]["text"]) == {"b": 1}
    assert first["response"]["content"]["mimeType"] == "application/json; charset=utf-8"
    assert json.loads(first["response"]["content"]["text"]) == {"a": "ü"}
    assert first["comment"] == "exchange 1, call, operation op, sequence 7"
    assert second["response"]["content"]["encoding"] == "base64"
    assert b64decode(second["response"]["content"]["text"]) == b"\xff\x00"
    assert b64decode(second["request"]["postData"]["text"]) == b"\xfe"
    assert (third["response"]["status"], third["time"]) == (0, 500)
    assert third["response"]["_error"] == "reset: closed"


def test_har_has_every_field_that_the_format_requires() -> None:
    (entry,) = _har([Exchanged(exchange(1, "GET", "/", answer(200)))])["entries"]  # type: ignore[misc]
    common = {"httpVersion", "cookies", "headers", "headersSize", "bodySize"}
    assert {"startedDateTime", "time", "request", "response", "cache", "timings"} <= set(entry)
    assert common | {"method", "url", "queryString"} <= set(entry["request"])
    assert common | {"status", "statusText", "content", "redirectURL"} <= set(entry["response"])


def test_an_empty_har_is_one() -> None:
    assert _har([])["entries"] == []


def test_har_is_written_as_it_comes() -> None:
    def many() -> Iterator[Exchanged]:
        for i in range(2000):
            yield Exchanged(exchange(i, "GET", "/", answer(200, b"x" * 20_000)))

    class Nowhere(io.StringIO):
        def write(self, text: str) -> int:
            return len(text)

    tracemalloc.start()
    write_har(Nowhere(), many(), "0")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2_000_000


def test_json_has_everything_and_is_plain() -> None:
    found = json.loads(json.dumps(to_json(records.record(), {"77aa66bb"}), allow_nan=False))
    assert found["format"] == "icepick-report/1"
    assert [each["known"] for each in found["findings"]] == [False, False, True]
    assert found["findings"][1]["complaint"]["bindings"] == {"pid": "100000001"}
    assert found["findings"][1]["steps"][1]["exchange"]["response"]["status"] == 200
    assert found["findings"][1]["curl"].startswith("# step 1")
    assert found["verdicts"] == {"OK": 31, "WARN": 0, "ERR": 2, "NOT_TESTED": 4}
    assert found["models"][0]["coverage"]["states"] == {"covered": 12, "total": 12}
    assert found["models"][0]["gaps"][0]["number"] == 2
    assert found["operations"][0]["reason"] == "no call was planned"
    assert found["run"]["ending"] == "finished"
    assert found["clauses"][2]["false"] == 9


def test_json_of_hostile_and_huge_bodies() -> None:
    big = hostile.finding(b"\xff" * (LONGEST_BODY + 1))
    value = to_json(records.record(found=[hostile.finding(), big]))
    text = json.dumps(value, ensure_ascii=False)
    text.encode()
    (found,) = value["findings"]
    answered = found["steps"][0]["exchange"]["response"]
    assert (answered["cut"], answered["size"]) == (True, LONGEST_BODY + 1)
    assert len(b64decode(answered["base64"])) == LONGEST_BODY


@pytest.mark.parametrize("ending", [True, False])
def test_json_of_a_run_that_was_cut_off(ending: bool) -> None:
    events = records.run_events()[: None if ending else 20]
    assert (to_json(records.recorded(events))["run"]["ending"] is None) is not ending
