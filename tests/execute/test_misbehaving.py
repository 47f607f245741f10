"""Runs against services and machines that misbehave: a clear end, a whole journal, no debris."""

from __future__ import annotations

import asyncio
import errno
import io
import json
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from icepick.demo.catalogue import SERVICES
from icepick.execute.engine import RunOptions
from icepick.execute.events import (
    CallJudged,
    Ending,
    Event,
    Exchanged,
    FindingFound,
    LeftBehind,
    NotConfirmed,
    Noted,
    PhaseStarted,
    RunEnded,
    RunStarted,
)
from icepick.execute.journal.journal import NAME, Journal, open_journal, read_journal
from icepick.execute.transport.auth import AuthOptions
from icepick.execute.transport.login import Login
from icepick.execute.transport.secrets import Secrets
from icepick.execute.transport.settings import HttpSettings
from icepick.execute.types import Failure, FailureKind, Verdict
from icepick.openapi import read_spec
from icepick.pipeline.models import Described, describe
from icepick.pipeline.reach import Reach
from icepick.pipeline.selection import Filters, Pattern, Trait, described
from icepick.pipeline.session import Session
from icepick.pipeline.settings import RunSettings
from tests.cli.invoking import DEMO, Icepick, icepick
from tests.execute.chaos import (
    JSON,
    Answer,
    Asked,
    Chaos,
    Trouble,
    answered,
    as_html,
    busy,
    changed,
    chaotic,
    cut,
    delayed,
    down,
    every,
    hung_up,
    longer,
    moved,
    none,
    of_type,
    once,
    reset,
    reset_after,
    sometimes,
    torn,
    unavailable,
    unavailable_after,
    when,
    with_body,
)
from tests.glacier.live import served

__all__ = ["icepick"]

EXAMPLES = Path(__file__).parents[2] / "examples"
ONE = {"Player": 1, "Tournament": 1, "Enrolment": 1}
SETTINGS = RunSettings(seed=1, bounds=ONE, wrong=0, engine=RunOptions(outage=1.5))
HTTP = HttpSettings(request_timeout=1.0)
LONGEST = 30.0


@dataclass(frozen=True)
class Ran:
    """A run that is over; `left` is what the service holds afterwards."""

    events: list[Event]
    seconds: float
    left: list[Any]

    @property
    def end(self) -> RunEnded:
        last = self.events[-1]
        assert isinstance(last, RunEnded)
        return last

    @property
    def found(self) -> set[tuple[str, str, Verdict]]:
        """Check, operation that is to blame, and level of each finding."""
        findings = [one.finding for one in self.events if isinstance(one, FindingFound)]
        return {
            (one.complaint.check, one.complaint.operation or one.operation, one.level)
            for one in findings
        }

    @property
    def verdicts(self) -> Counter[Verdict]:
        return Counter(one.judged.verdict for one in self.events if isinstance(one, CallJudged))

    def of(self, kind: type[Event]) -> list[Any]:
        return [one for one in self.events if isinstance(one, kind)]


Hear = Callable[[Session, Event], None]


def hear_nothing(_: Session, __: Event) -> None:
    """Whoever wants to interfere puts something else in its place."""


def tournaments() -> Described:
    return describe(read_spec(str(EXAMPLES / "tournaments.yaml")))


async def follow(session: Session, journal: Journal, hear: Hear) -> list[Event]:
    found: list[Event] = []
    async with asyncio.timeout(LONGEST):
        async for event in session.events():
            journal.write(event)
            found.append(event)
            hear(session, event)
    return found


def run(
    site: Chaos,
    folder: Path,
    hear: Hear = hear_nothing,
    settings: RunSettings = SETTINGS,
    http: HttpSettings = HTTP,
) -> Ran:
    """Run against a service; whatever happens, the journal has all of it."""
    session = Session(tournaments(), Reach(site.url, http=http), settings)
    begun = time.monotonic()
    with open_journal(folder, "run", Secrets(), pytest.fail) as journal:
        found = asyncio.run(follow(session, journal, hear))
    left = [one for path in ("/players", "/tournaments") for one in get(site.behind + path)]
    ran = Ran(found, time.monotonic() - begun, left)
    assert_complete(ran, journal)
    return ran


def assert_complete(ran: Ran, journal: Journal) -> None:
    kept = list(read_journal(journal.path))
    assert journal.complete
    assert list(map(type, kept)) == list(map(type, ran.events))
    assert isinstance(kept[0], RunStarted)
    assert kept[-1] == ran.end
    numbers = [one.exchange.number for one in kept if isinstance(one, Exchanged)]
    assert sorted(numbers) == list(range(1, ran.end.requests + 1))


def get(url: str) -> Any:
    with urlopen(url) as answer:
        return json.load(answer)


def post(url: str, body: dict[str, Any]) -> None:
    with urlopen(Request(url, json.dumps(body).encode(), {"Content-Type": JSON})) as answer:
        assert answer.status == 201


def is_call(method: str, start: str) -> Callable[[Asked], bool]:
    return lambda asked: asked.method == method and asked.path.startswith(start)


GET_PLAYER = is_call("GET", "/players/")
POST_PLAYER = is_call("POST", "/players")
GARBLED = Answer(200, b'{"error": "out of memory"}', (("Content-Type", JSON),))
GONE = Answer(404, b'{"code": "404", "message": "gone"}', (("Content-Type", JSON),))


def is_tournament(asked: Asked) -> bool:
    return asked.method == "GET" and asked.path.rpartition("/")[0] == "/tournaments"


def with_slash(asked: Asked) -> str:
    return f"{asked.path}?/"


# What a client has to put up with

HARMLESS: dict[str, Callable[[], Trouble]] = {
    "slow": lambda: every(40, delayed(0.1)),
    "resets": lambda: every(31, reset),
    "resets after the deed": lambda: every(31, reset_after),
    "torn bodies": lambda: every(31, changed(torn)),
    "connections dropped": lambda: changed(hung_up),
    "moved": lambda: when(lambda asked: not asked.path.endswith("?/"), moved(308, with_slash)),
    "busy": lambda: busy(503, 3),
    "not available now and then": lambda: sometimes(
        lambda asked: asked.method == "POST", lambda turn: turn % 7 == 3, unavailable
    ),
    "not available after the deed": lambda: sometimes(
        lambda asked: asked.method == "DELETE", lambda turn: turn % 5 == 4, unavailable_after
    ),
    "ten megabytes": lambda: sometimes(
        lambda asked: asked.path == "/players", lambda turn: turn < 5, changed(longer)
    ),
    "away for a moment": lambda: once(60, down(0.5)),
    "away while learning": lambda: once(5, down(0.5)),
    "away while cleaning": lambda: sometimes(
        lambda asked: asked.method == "DELETE", lambda turn: turn == 0, down(0.5)
    ),
}


@pytest.mark.parametrize("trouble", HARMLESS.values(), ids=HARMLESS)
def test_what_is_no_fault_of_the_service_is_no_finding(
    trouble: Callable[[], Trouble], tmp_path: Path
) -> None:
    with chaotic(SERVICES["tournaments"], trouble()) as site:
        ran = run(site, tmp_path)
    assert ran.end.ending is Ending.FINISHED
    assert set(ran.verdicts) == {Verdict.OK}
    assert ran.of(FindingFound) == ran.of(NotConfirmed) == ran.of(LeftBehind) == []
    assert ran.left == []


def test_a_service_that_asks_to_wait_is_waited_for(tmp_path: Path) -> None:
    with chaotic(SERVICES["tournaments"], busy(429, 2, "0.4")) as site:
        ran = run(site, tmp_path)
    assert set(ran.verdicts) == {Verdict.OK}
    assert ran.seconds > 0.8
    assert not [one for one in ran.of(Exchanged) if one.exchange.status == 429]


def test_connections_that_are_dropped_are_not_kept_any_more(tmp_path: Path) -> None:
    settings = replace(SETTINGS, engine=RunOptions(max_calls=5))
    with chaotic(SERVICES["tournaments"], every(9, reset)) as site:
        run(site, tmp_path, settings=settings)
    assert "close" not in site.asked[0].headers.get("Connection", "")
    assert site.asked[-1].headers["Connection"] == "close"


# What a service must not do

FAULTS: dict[str, tuple[Callable[[], Trouble], set[tuple[str, str, Verdict]]]] = {
    "cut bodies": (
        lambda: when(lambda asked: asked.path == "/players", changed(cut)),
        {("broken-json", "getPlayers", Verdict.ERR), ("broken-json", "postPlayer", Verdict.ERR)},
    ),
    "no JSON": (
        lambda: when(is_tournament, changed(with_body(b"{'tid': 1,}"))),
        {("broken-json", "getTournament", Verdict.ERR)},
    ),
    "pages": (
        lambda: when(POST_PLAYER, changed(as_html)),
        {("content-type", "postPlayer", Verdict.WARN)},
    ),
    "plain text": (
        lambda: when(lambda asked: asked.path == "/enrolments", changed(of_type("text/plain"))),
        {
            ("content-type", "getEnrolments", Verdict.WARN),
            ("content-type", "postEnrolment", Verdict.WARN),
        },
    ),
    "error pages": (
        lambda: when(is_call("POST", "/tournaments"), answered(as_html(Answer(502)))),
        {("server-error", "postTournament", Verdict.ERR)},
    ),
    "done and then broken": (
        lambda: when(is_call("POST", "/enrolments"), reset_after),
        {("no-answer", "postEnrolment", Verdict.ERR)},
    ),
    "done and then an error": (
        lambda: when(POST_PLAYER, changed(lambda answer: as_html(replace(answer, status=500)))),
        {("server-error", "postPlayer", Verdict.ERR)},
    ),
    "sent elsewhere": (
        lambda: when(POST_PLAYER, moved(307, lambda asked: f"http://h.invalid{asked.path}")),
        {("no-answer", "postPlayer", Verdict.ERR)},
    ),
}


@pytest.mark.parametrize(("trouble", "expected"), FAULTS.values(), ids=FAULTS)
def test_what_goes_wrong_each_time_is_a_finding(
    trouble: Callable[[], Trouble], expected: set[tuple[str, str, Verdict]], tmp_path: Path
) -> None:
    with chaotic(SERVICES["tournaments"], trouble()) as site:
        ran = run(site, tmp_path)
    assert ran.end.ending is Ending.FINISHED
    assert ran.found == expected
    assert ran.left == []


def test_success_with_an_error_inside(tmp_path: Path) -> None:
    with chaotic(SERVICES["tournaments"], when(GET_PLAYER, answered(GARBLED))) as site:
        ran = run(site, tmp_path)
    assert ("response-schema", "getPlayer", Verdict.ERR) in ran.found
    assert ran.left == []


def test_a_call_that_is_never_answered_in_time(tmp_path: Path) -> None:
    engine = RunOptions(outage=1.5, max_failures=1)
    settings = replace(SETTINGS, engine=engine, learn=False)
    with chaotic(SERVICES["tournaments"], when(POST_PLAYER, delayed(60))) as site:
        ran = run(site, tmp_path, settings=settings, http=HttpSettings(request_timeout=0.2))
    assert ran.end.ending is Ending.MAX_FAILURES
    assert ran.found == {("no-answer", "postPlayer", Verdict.WARN)}
    assert ran.left == []


def test_a_page_with_control_characters_stays_text(icepick: Icepick, tmp_path: Path) -> None:
    trouble = when(is_call("POST", "/tournaments"), answered(as_html(Answer(502))))
    document = str(EXAMPLES / "tournaments.yaml")
    bounds = ",".join(f"{name}=1" for name in ONE)
    with chaotic(SERVICES["tournaments"], trouble) as site:
        done = icepick(
            "run", document, "-u", site.url, "--bounds", bounds, "--wrong-inputs", "0",
            "--report", "html", "--report-dir", str(tmp_path),
        )  # fmt: skip
    assert done.code == 1
    assert "answered 502" in done.out
    assert not {"\x1b", "\x07"} & {*done.out, *done.err}
    assert "<h1>502</h1>" not in (tmp_path / "report.html").read_text()


# What does not happen again


def is_player(asked: Asked) -> bool:
    return asked.method == "GET" and asked.path.rpartition("/")[0] == "/players"


def gone_at(turn: int) -> Callable[[Answer], Answer]:
    """Denies once that there is something, when it was found so many times before."""
    found = 0

    def edit(answer: Answer) -> Answer:
        nonlocal found
        found += answer.status == 200
        return GONE if answer.status == 200 and found == turn + 1 else answer

    return edit


FLAKY: dict[str, Callable[[], Trouble]] = {
    "gone for once": lambda: when(is_player, changed(gone_at(5))),
    "no JSON for once": lambda: sometimes(GET_PLAYER, lambda turn: turn == 20, changed(cut)),
    "an error for once": lambda: sometimes(
        POST_PLAYER, lambda turn: turn == 4, answered(as_html(Answer(500)))
    ),
}


@pytest.mark.parametrize("trouble", FLAKY.values(), ids=FLAKY)
def test_what_happens_once_is_told_apart(trouble: Callable[[], Trouble], tmp_path: Path) -> None:
    # The turns are counted so that the trouble falls into the walk.
    settings = replace(SETTINGS, operations=False, calibrate=False)
    with chaotic(SERVICES["tournaments"], trouble()) as site:
        ran = run(site, tmp_path, settings=settings)
    assert ran.end.ending is Ending.FINISHED
    assert ran.of(FindingFound) == []
    assert len(ran.of(NotConfirmed)) > 0
    assert ran.left == []


# Going away for good


@pytest.mark.parametrize("number", [1, 5, 200])
def test_a_service_that_stays_away_ends_the_run(number: int, tmp_path: Path) -> None:
    with chaotic(SERVICES["tournaments"], once(number, down())) as site:
        ran = run(site, tmp_path)
    assert ran.end.ending is Ending.OUTAGE
    assert "nobody listens" in ran.end.text
    assert ran.seconds < 10
    assert ran.of(FindingFound) == ran.of(NotConfirmed) == []
    assert len(ran.left) <= len(ran.of(LeftBehind))


def test_a_service_that_falls_silent_ends_the_run(tmp_path: Path) -> None:
    silent = when(lambda asked: asked.number > 200, delayed(60))
    with chaotic(SERVICES["tournaments"], silent) as site:
        ran = run(site, tmp_path, http=HttpSettings(request_timeout=0.3))
    assert ran.end.ending is Ending.OUTAGE
    assert "no complete answer within 0.3 s" in ran.end.text
    assert ran.seconds < 15


def test_what_could_not_be_looked_into_is_left_for_later(tmp_path: Path) -> None:
    """The service dies when its fault is about to be confirmed."""
    dead = False

    def hear(_: Session, event: Event) -> None:
        nonlocal dead
        dead = dead or (isinstance(event, PhaseStarted) and event.name == "confirm")

    dying = when(lambda _: dead, down())
    with chaotic(SERVICES["tournaments"], dying, "delete-player-keeps") as site:
        ran = run(site, tmp_path, hear)
    assert ran.end.ending is Ending.OUTAGE
    assert ran.verdicts[Verdict.ERR] > 0
    assert ran.of(FindingFound) == ran.of(NotConfirmed) == []
    assert ran.seconds < 12


def test_nobody_waits_for_a_service_after_an_interrupt(tmp_path: Path) -> None:
    settings = replace(SETTINGS, engine=RunOptions(outage=25))

    def hear(session: Session, event: Event) -> None:
        if isinstance(event, Exchanged) and isinstance(event.exchange.reply, Failure):
            assert event.exchange.reply.kind is FailureKind.CONNECT
            session.stop()

    with chaotic(SERVICES["tournaments"], once(100, down())) as site:
        ran = run(site, tmp_path, hear, settings)
    assert ran.end.ending is Ending.INTERRUPTED
    assert ran.seconds < 12


@pytest.mark.parametrize("number", [3, 150])
def test_an_interrupt_leaves_nothing_behind(number: int, tmp_path: Path) -> None:
    def hear(session: Session, event: Event) -> None:
        if isinstance(event, Exchanged) and event.exchange.number == number:
            session.stop()

    with chaotic(SERVICES["tournaments"], none, "delete-player-keeps") as site:
        ran = run(site, tmp_path, hear)
    assert ran.end.ending is Ending.INTERRUPTED
    assert [one for one in ran.left if "pid" not in one] == []
    assert not [one for one in ran.of(PhaseStarted) if one.name == "confirm"]


def test_what_others_created_is_never_removed(tmp_path: Path) -> None:
    """No creation is answered, and lessons begin with the examples of the document."""
    theirs = {"pid": "100200300", "name": "Ada Byron", "email": "ada@example.com"}
    with chaotic(SERVICES["tournaments"], when(POST_PLAYER, reset_after)) as site:
        post(f"{site.behind}/players", theirs)
        ran = run(site, tmp_path)
    sent = [one.exchange.request for one in ran.of(Exchanged)]
    assert any(one.body and b"100200300" in one.body for one in sent)
    assert [one["pid"] for one in ran.left] == ["100200300"]


# Credentials that run out

TOKEN_USES = 25
EXPIRED = Answer(
    401,
    b'{"type": "about:blank", "title": "expired", "status": 401, "detail": "sign in again"}',
    (("Content-Type", "application/problem+json"),),
)


def expiring(signs_in: int) -> Trouble:
    """A token is good for some requests, and one can sign in so many times."""
    uses: Counter[str] = Counter()

    def refused(asked: Asked) -> bool:
        key = asked.headers.get("Authorization", "")
        uses[key] += 1
        return uses[key] > (TOKEN_USES if key else signs_in)

    return when(refused, answered(EXPIRED))


def run_customers(site: Chaos) -> Ran:
    spec = read_spec(str(DEMO / "shop" / "openapi.yaml"))
    wanted = Pattern(Trait.PATH, r"^/customers(/\{customer_id\})?$", regex=True)
    body = {"username": "demo", "password": "demo-password"}
    reach = Reach(site.url, AuthOptions(login=Login(f"{site.url}/v1/sessions", body)), HTTP)
    settings = replace(SETTINGS, bounds={"Customer": 1})
    session = Session(described(spec, Filters((wanted,)), ()), reach, settings)

    async def gathered() -> list[Event]:
        async with asyncio.timeout(LONGEST):
            return [event async for event in session.events()]

    return Ran(asyncio.run(gathered()), 0.0, [])


def test_credentials_that_expire_are_renewed() -> None:
    with chaotic(SERVICES["shop"], expiring(signs_in=1000)) as site:
        ran = run_customers(site)
    signs_in = [one for one in site.asked if one.path.endswith("/sessions")]
    assert len(signs_in) > 2
    assert ran.end.ending is Ending.FINISHED
    assert not [one for one in ran.of(Exchanged) if one.exchange.status == 401]
    assert ran.of(FindingFound) == ran.of(NotConfirmed) == []


def test_credentials_that_cannot_be_renewed_are_told() -> None:
    with chaotic(SERVICES["shop"], expiring(signs_in=1)) as site:
        ran = run_customers(site)
    assert ran.end.ending is Ending.FINISHED
    notes = [one for one in ran.of(Noted) if one.kind == "sign-in"]
    assert len(notes) == 1
    assert "answers 401" in notes[0].text
    assert "demo-password" not in notes[0].text


# Disks


class FullDisk(io.FileIO):
    """Takes so many bytes and no more."""

    room = 20_000

    def write(self, data: Any) -> int:
        if self.room <= 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        size = super().write(memoryview(data)[: self.room])
        self.room -= size
        return size


def test_a_disk_that_fills_up_costs_the_journal_and_not_the_run(tmp_path: Path) -> None:
    warnings: list[str] = []
    path = tmp_path / NAME
    head = tmp_path / "head"
    open_journal(head, "run", Secrets(), pytest.fail).close()
    path.write_bytes((head / "runs" / "run" / NAME).read_bytes())
    with chaotic(SERVICES["tournaments"], none, "delete-player-keeps") as site:
        session = Session(tournaments(), Reach(site.url, http=HTTP), SETTINGS)
        with Journal(path, FullDisk(path, "a"), Secrets(), warnings.append) as journal:
            found = asyncio.run(follow(session, journal, hear_nothing))
    assert isinstance(found[-1], RunEnded)
    assert [one for one in found if isinstance(one, FindingFound)]
    assert [("incomplete" in one, "No space left" in one) for one in warnings] == [(True, True)]
    kept = list(read_journal(path))
    assert 0 < len(kept) < len(found)
    assert kept == found[: len(kept)]


def test_a_folder_that_cannot_be_written_stops_before_anything_is_sent(
    icepick: Icepick, tmp_path: Path
) -> None:
    (tmp_path / ".icepick").write_text("a file where a folder should be")
    with served(SERVICES["tournaments"]) as url:
        done = icepick("run", str(EXAMPLES / "tournaments.yaml"), "-u", url)
        assert get(f"{url}/players") == []
    assert done.code == 2
    assert "the journal cannot be written" in done.err
    assert "Traceback" not in done.err
