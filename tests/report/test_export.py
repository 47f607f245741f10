from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from icepick.demo.tournaments import TOURNAMENTS
from icepick.execute.types import Complaint, Finding, Provenance, Purpose, Verdict
from icepick.report.export import export_tests
from tests.glacier.live import served
from tests.report import records
from tests.report.records import answer, crash, exchange, kept, lost
from tests.report.servers import things

ELSEWHERE = "http://gone.example:1"
"""The findings were made at another address, so that the environment has to be asked."""


def _pytest(folder: Path, text: str, url: str, **environment: str) -> tuple[int, str]:
    path = folder / "test_exported.py"
    path.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error"]
    done = subprocess.run(
        [*command, "-c", os.devnull, "--rootdir", str(folder), str(path)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=folder,
        env={
            "PATH": os.environ["PATH"],
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "ICEPICK_URL": url,
            **environment,
        },
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("finding", "fault"),
    [
        (crash(ELSEWHERE), "second-enrolment-crashes"),
        (kept(ELSEWHERE), "delete-player-keeps"),
        (lost(ELSEWHERE), "update-player-loses-email"),
    ],
    ids=["5xx", "clause", "read-back"],
)
def test_a_test_fails_with_its_fault_and_passes_without(
    tmp_path: Path, finding: Finding, fault: str
) -> None:
    text = export_tests([finding], ELSEWHERE)
    with served(TOURNAMENTS, fault) as url:
        code, said = _pytest(tmp_path, text, url)
        assert (code, "cannot get to the fault" in said) == (1, False), said
    with served(TOURNAMENTS) as url:
        for _ in range(2):  # the second run finds nothing that the first one left
            code, said = _pytest(tmp_path, text, url)
            assert code == 0, said


def test_every_finding_is_a_test_of_its_own(tmp_path: Path) -> None:
    text = export_tests(records.findings(ELSEWHERE), ELSEWHERE)
    with served(TOURNAMENTS, "delete-player-keeps") as url:
        code, said = _pytest(tmp_path, text, url)
    # The player that cannot be deleted also stands in the way of the test that needs it anew.
    assert code == 1
    assert "FAILED test_exported.py::test_2_a_deleted_player_can_still_be_read_0f9e8d7c" in said
    assert "cannot get to the fault: step 1 answered 409, not 201" in said


def _clause(
    promised: str, happened: str, exchanges: tuple[int, ...], **changes: object
) -> Complaint:
    fields = {"check": "ensures", "level": Verdict.ERR, "provenance": Provenance.INFERRED}
    return Complaint(
        promised=promised, happened=happened, exchanges=exchanges, **(fields | changes)
    )  # type: ignore[arg-type]


def _gone_thing() -> Finding:
    """Ids that the service chose: those of another run."""
    item = {"name": "x", "id": "0b6f9f0a-0000-4000-8000-000000000001"}
    path = f"/things/{item['id']}"
    made = exchange(1, "POST", "/things", answer(201, {"data": item}), {"name": "x"}, url=ELSEWHERE)
    gone = exchange(2, "DELETE", path, answer(200, item), url=ELSEWHERE)
    after = exchange(3, "GET", path, answer(200, item), purpose=Purpose.READ, url=ELSEWHERE)
    complaint = _clause("deleted is gone", "it is still there", (3,), check="gone")
    steps = (
        records.step("postThing(t1)", "postThing", made),
        records.step("deleteThing(t1)", "deleteThing", gone, reads=(after,)),
    )
    return records.replaced(kept(), steps=steps, complaint=complaint)


@pytest.mark.parametrize("keeps", [True, False])
def test_ids_are_taken_from_answers(tmp_path: Path, keeps: bool) -> None:
    text = export_tests([_gone_thing()], ELSEWHERE)
    assert "id_1 = answer_1.at('data', 'id')" in text
    assert "Not checked: the promise itself" in text
    with things(keeps=keeps) as url:
        code, said = _pytest(tmp_path, text, url)
    assert code == int(keeps), said


def _tagged(finding: Finding, tag: str, **changes: object) -> Finding:
    """The same, its last call made with an entity tag."""
    last = finding.steps[-1]
    assert last.exchange is not None
    request = last.exchange.request
    request = records.replaced(request, headers=(*request.headers, ("If-Match", tag)))
    made = records.replaced(last.exchange, request=request)
    last = records.replaced(last, exchange=made, **changes)
    return records.replaced(finding, steps=(*finding.steps[:-1], last))


@pytest.mark.parametrize("keeps", [True, False])
def test_an_entity_tag_is_read_anew(tmp_path: Path, keeps: bool) -> None:
    text = export_tests([_tagged(_gone_thing(), '"of another run"')], ELSEWHERE)
    with things(keeps=keeps, tagged=True) as url:
        code, said = _pytest(tmp_path, text, url)
    assert code == int(keeps), said
    assert "412" not in said


@pytest.mark.parametrize(
    ("tag", "kind", "check"),
    [("*", "transition", "gone"), ('"x"', "wrong input", "gone"), ('"x"', "read", "tags")],
)
def test_an_entity_tag_that_was_sent_on_purpose_stays(tag: str, kind: str, check: str) -> None:
    found = _tagged(_gone_thing(), tag, kind=kind)
    found = records.replaced(found, complaint=records.replaced(found.complaint, check=check))
    text = export_tests([found], ELSEWHERE)
    assert f"('If-Match', {tag!r})" in text


def _only_call(
    complaint: Complaint, status: int, body: object, kind: str = "transition"
) -> Finding:
    made = exchange(1, "GET", "/players", answer(status, body), url=ELSEWHERE)
    step = records.step("getPlayers()", "getPlayers", made, kind=kind, verdict=Verdict.ERR)
    return records.replaced(kept(), steps=(step,), complaint=complaint)


TYPES = '/0/n: "x" is not of types "integer", "null"'
MISSING = '/0: "n" is a required property'


@pytest.mark.parametrize(
    ("complaint", "status", "body", "assertion"),
    [
        (
            _clause("GET /500s answers 200, 404", "it", (1,), check="undocumented-status"),
            302,
            [],
            "assert answer_1.status == 200 or answer_1.status == 404",
        ),
        (_clause("it works", "refused", (1,)), 409, {}, "assert answer_1.status // 100 == 2"),
        (_clause("res_code(@) = 204", "200", (1,)), 200, [], "assert answer_1.status == 204"),
        (
            _clause("", TYPES, (1,), check="response-schema", about="/#/n type"),
            200,
            [{"n": "x"}],
            "assert isinstance(answer_1.at(0, 'n'), (int, type(None)))",
        ),
        (
            _clause("", MISSING, (1,), check="response-schema", about="/# required"),
            200,
            [{}],
            "assert answer_1.has(0, 'n')",
        ),
        (
            _clause("a body of text/csv", "", (1,), check="content-type"),
            200,
            [],
            "assert value.split(\";\")[0].strip().lower() in ['text/csv'], value",
        ),
        (
            _clause("", "", (1,), check="missing-header", about="ETag"),
            200,
            [],
            "value = answer_1.headers.get('ETag')",
        ),
        (_clause("", "", (1,), check="broken-json"), 200, b"{", "json.loads(answer_1.body)"),
        (_clause("", "", (1,), check="accepted"), 201, {}, "assert answer_1.status // 100 == 4"),
        (_clause("", "", (1,)), 500, {}, "assert answer_1.status < 500"),
    ],
)
def test_what_is_asserted(complaint: Complaint, status: int, body: object, assertion: str) -> None:
    text = export_tests([_only_call(complaint, status, body)], ELSEWHERE)
    ast.parse(text)
    assert assertion in text


def test_a_call_that_should_be_refused() -> None:
    complaint = _clause("it is refused", "it was not", (1,), check="requires")
    text = export_tests([_only_call(complaint, 200, [], "refusal")], ELSEWHERE)
    assert "assert answer_1.status // 100 == 4" in text


def test_a_schema_fault_passes_where_the_field_fits(tmp_path: Path) -> None:
    said = 'the body: 5 is not of type "array"'
    complaint = _clause("", said, (1,), check="response-schema", about=" type")
    text = export_tests([_only_call(complaint, 200, 5)], ELSEWHERE)
    with served(TOURNAMENTS) as url:
        code, said = _pytest(tmp_path, text, url)
    assert code == 0, said


NOWHERE = "assert [answer_1.seen()] != seen"


@pytest.mark.parametrize(
    ("happened", "about", "assertion"),
    [
        # What a wrong input showed is told with the call before it, and the status in `about`.
        (
            f"GET /players answered 200: {TYPES}",
            "200 /[]/n type",
            "isinstance(answer_1.at(0, 'n'), (int, type(None)))",
        ),
        # The words of a service do not pass for those of the validator.
        ("/0/n: \"'id' is a required property\" is not one of 1, 2", "/#/n enum", NOWHERE),
        ('/0/n: "/0/m: 1 is not of type "string"" is too long', "/#/n maxLength", NOWHERE),
        ('elsewhere: 1 is not of type "string"', "/#/n type", NOWHERE),
    ],
)
def test_a_schema_fault_is_told_by_its_keyword(happened: str, about: str, assertion: str) -> None:
    complaint = _clause("", happened, (1,), check="response-schema", about=about)
    assert assertion in export_tests([_only_call(complaint, 200, [{"n": "x"}])], ELSEWHERE)


HOSTILE = '"""\nimport os; os.abort()\r# coding: utf-16\x00\x0c {7*7} \ud800 \u2028 \\'


def test_text_of_others_stays_in_comments_and_literals() -> None:
    finding = kept()
    complaint = _clause(HOSTILE, HOSTILE, (23,), about=HOSTILE)
    body = HOSTILE.encode("utf-8", "surrogatepass")
    made = exchange(1, "POST", "/players/{x}/{{y}}?a={b}", answer(201, body), body)
    steps = (records.step(HOSTILE, HOSTILE, made), *finding.steps[1:])
    finding = records.replaced(finding, title=HOSTILE, complaint=complaint, steps=steps)
    text = export_tests([finding], "http://x.example/'+__import__('os').abort()+'")
    text.encode()
    tree = ast.parse(text)
    names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert len([name for name in names if name.startswith("test_")]) == 1
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call)
              and isinstance(node.func, ast.Name)}  # fmt: skip
    assert not called & {"abort", "__import__", "exec", "eval"}


def test_the_same_finding_gives_the_same_file() -> None:
    assert export_tests(records.findings(), records.URL) == export_tests(
        records.findings(), records.URL
    )


def test_credentials_come_from_the_environment(tmp_path: Path) -> None:
    secret = (("Authorization", "Bearer xyz"), ("X-Trace", "1"))
    finding = kept()
    first = finding.steps[0].exchange
    assert first is not None
    request = records.replaced(first.request, headers=secret)
    steps = (
        records.step("a", "b", records.replaced(first, request=request)),
        *finding.steps[1:],
    )
    text = export_tests([records.replaced(finding, steps=steps)], records.URL)
    assert "xyz" not in text
    assert "X-Trace" in text
    code, said = _pytest(tmp_path, text, "http://127.0.0.1:1", ICEPICK_AUTH="Authorization: x")
    assert code == 1
    assert re.search("ConnectionRefused", said)


def test_a_finding_without_a_call_fails_with_words() -> None:
    finding = records.replaced(kept(), steps=(records.step("x()", "x", None),))
    assert "the call was never made" in export_tests([finding], records.URL)


LABELS = ["DELETE /players/{pid}", "DELETE /tournaments/{tid}", "DELETE /enrolments/{eid}"]


def test_a_test_knows_from_the_document_how_to_remove_what_it_made() -> None:
    steps = tuple(records.replaced(step, reads=()) for step in crash().steps)
    finding = records.replaced(crash(), steps=steps)
    assert "remove_" not in export_tests([finding], records.URL).partition("def test_1")[2]
    text = export_tests([finding], records.URL, LABELS).partition("def test_1")[2]
    assert "service.remove_made(answer_3, '/tournaments', 'tid')" in text
    assert "service.remove_made(answer_5, '/enrolments', 'eid')" in text


@pytest.mark.parametrize(
    ("fault", "code"), [("delete-enrolment-takes-all", 1), ("delete-tournament-hides", 0)]
)
def test_a_clause_about_before_and_after_is_asked_again(
    tmp_path: Path, fault: str, code: int
) -> None:
    bodies = [
        ("/players", records.PLAYER),
        ("/tournaments", records.TOURNAMENT),
        ("/tournaments", {**records.TOURNAMENT, "tid": 8}),
        ("/enrolments", records.ENROLMENT),
        ("/enrolments", {**records.ENROLMENT, "eid": 4, "tid": 8}),
    ]
    steps = [
        records.step(path, path, exchange(i, "POST", path, answer(201, body), body, url=ELSEWHERE))
        for i, (path, body) in enumerate(bodies)
    ]
    last = exchange(9, "DELETE", "/enrolments/3", answer(200, records.ENROLMENT), url=ELSEWHERE)
    count = "res_body(GET /enrolments).len = prev(res_body(GET /enrolments).len) - 1"
    complaint = _clause(count, "0 = 2 - 1 is false", (8, 9, 10))
    finding = records.replaced(
        kept(), steps=(*steps, records.step("d", "d", last)), complaint=complaint
    )
    text = export_tests([finding], ELSEWHERE, LABELS)
    with served(TOURNAMENTS, fault) as url:
        assert _pytest(tmp_path, text, url)[0] == code


def test_a_promise_that_cannot_be_decided_is_skipped_with_words(tmp_path: Path) -> None:
    complaint = _clause("what is not deleted stays", "it vanished", (999,), check="frame")
    text = export_tests([records.replaced(kept(), complaint=complaint)], ELSEWHERE)
    code, said = _pytest(tmp_path, text, "http://127.0.0.1:1")
    assert code == 0
    assert "1 skipped" in said


def test_a_call_that_was_not_allowed_may_be_made_where_it_is() -> None:
    clause = "res_code(GET /players/1) = 404"
    finding = _only_call(_clause(clause, "200 = 404 is false", (1,), check="accepted"), 201, {})
    text = export_tests([finding], ELSEWHERE)
    assert text.index("before_1 = service.get('/players/1')") < text.index("answer_1 = service")
    assert "assert answer_1.status // 100 == 4 or (before_1.status == 404)" in text


@pytest.mark.parametrize("fault", ["duplicate-player-overwrites", None])
def test_what_is_sent_is_known_before_the_call(tmp_path: Path, fault: str | None) -> None:
    clause = "res_code(GET /players/req_body(@){pid}) = 404"
    made, again = (
        exchange(n, "POST", "/players", answer(201, records.PLAYER), records.PLAYER, url=ELSEWHERE)
        for n in (1, 2)
    )
    steps = (
        records.step("postPlayer(p1)", "postPlayer", made),
        records.step("postPlayer(p1)", "postPlayer", again, kind="refusal"),
    )
    complaint = _clause(clause, "200 = 404 is false", (2,), check="accepted")
    text = export_tests([records.replaced(kept(), steps=steps, complaint=complaint)], ELSEWHERE)
    with served(TOURNAMENTS, *([fault] if fault else [])) as url:
        code, said = _pytest(tmp_path, text, url)
    assert (code, "Error: name" in said, "UnboundLocal" in said) == (int(bool(fault)), False, False)


def test_what_is_made_at_its_own_address_is_removed_there() -> None:
    made = exchange(1, "POST", "/products/tv", answer(201), url=ELSEWHERE)
    finding = records.replaced(_gone_thing(), steps=(records.step("a", "b", made),))
    finding = records.replaced(finding, complaint=_clause("x", "y", (1,), check="gone"))
    labels = ["DELETE /products/{name}", "POST /products/{name}"]
    assert "remove_later(answer_1, '/products/tv')" in export_tests([finding], ELSEWHERE, labels)
    nested = export_tests([finding], ELSEWHERE, ["DELETE /products/{name}/features/{feature}"])
    assert "remove_later(answer_1" not in nested
