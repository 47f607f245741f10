"""The tournaments service: its rules over HTTP, its document, and every fault beside the truth."""

from __future__ import annotations

import random
from dataclasses import dataclass
from io import BytesIO
from itertools import product
from typing import Any

import pytest
from yarl import URL

from icepick.demo.http import Refusal
from icepick.demo.tournaments import TOURNAMENTS
from icepick.demo.tournaments.domain import Tournaments
from icepick.demo.tournaments.records import Enrolment, Player, Tournament
from tests.demo.checking import (
    Answer,
    CheckingClient,
    assert_routes_match,
    document_of,
    documented_answers,
)

PIDS = {1: "100000001", 2: "200000002", 3: "100000003"}


def player(number: int, **changes: Any) -> dict[str, Any]:
    body = {"pid": PIDS[number], "name": f"Player {number}", "email": f"p{number}@example.org"}
    return {**body, **changes}


def tournament(tid: int, capacity: int = 2, /, **changes: Any) -> dict[str, Any]:
    return {"tid": tid, "tournamentName": f"Cup {tid}", "capacity": capacity, **changes}


def enrolment(eid: int, number: int, tid: int, /, **changes: Any) -> dict[str, Any]:
    return {"eid": eid, "pid": PIDS[number], "tid": tid, **changes}


@dataclass(frozen=True)
class Step:
    """One call of a sequence."""

    method: str
    path: str
    json: Any = None

    async def run(self, api: CheckingClient) -> Answer:
        options = {} if self.json is None else {"json": self.json}
        return await api.call(self.method, self.path, **options)


def get(path: str) -> Step:
    return Step("GET", path)


def add_player(number: int, **changes: Any) -> Step:
    return Step("POST", "/players", player(number, **changes))


def put_player(number: int, **changes: Any) -> Step:
    return Step("PUT", f"/players/{PIDS[number]}", player(number, **changes))


def get_player(number: int, rest: str = "") -> Step:
    return get(f"/players/{PIDS[number]}{rest}")


def delete_player(number: int) -> Step:
    return Step("DELETE", f"/players/{PIDS[number]}")


def add_tournament(tid: int, capacity: int = 2, /, **changes: Any) -> Step:
    return Step("POST", "/tournaments", tournament(tid, capacity, **changes))


def put_tournament(tid: int, capacity: int = 2, /, **changes: Any) -> Step:
    return Step("PUT", f"/tournaments/{tid}", tournament(tid, capacity, **changes))


def delete_tournament(tid: int) -> Step:
    return Step("DELETE", f"/tournaments/{tid}")


def enrol(eid: int, number: int, tid: int) -> Step:
    return Step("POST", "/enrolments", enrolment(eid, number, tid))


def delete_enrolment(eid: int) -> Step:
    return Step("DELETE", f"/enrolments/{eid}")


async def after(api: CheckingClient, *steps: Step) -> Answer:
    """The answer to the last step; those before it must succeed."""
    for step in steps[:-1]:
        answer = await step.run(api)
        assert answer.status in (200, 201), (step, answer)
    return await steps[-1].run(api)


async def everything(api: CheckingClient) -> dict[str, Any]:
    """All that the service shows of its state."""
    shown: dict[str, Any] = {}
    for kind, key, views in (
        ("players", "pid", ("", "/tournaments")),
        ("tournaments", "tid", ("", "/capacity", "/players")),
        ("enrolments", "eid", ("",)),
    ):
        shown[kind] = (await api.get(f"/{kind}")).body
        for item in shown[kind]:
            for view in views:
                path = f"/{kind}/{item[key]}{view}"
                shown[path] = (await api.get(path)).body
    return shown


@pytest.fixture
async def api(start) -> CheckingClient:
    return CheckingClient.of(await start(TOURNAMENTS), TOURNAMENTS)


SETTING = (
    add_player(1),
    add_player(2),
    add_player(3),
    add_tournament(1, 1),
    add_tournament(2, 2),
    enrol(1, 1, 1),
    enrol(2, 1, 2),
)


class TestPlayers:
    async def test_starts_empty(self, api):
        assert await everything(api) == {"players": [], "tournaments": [], "enrolments": []}

    async def test_created_is_answered_and_readable(self, api):
        created = await after(api, add_player(1))
        assert (created.status, created.body) == (201, {**player(1), "tournaments": []})
        assert (await get_player(1).run(api)).body == created.body
        assert (await api.get("/players")).body == [created.body]

    async def test_existing_pid_is_refused(self, api):
        refused = await after(api, add_player(1), add_player(1, name="Other"))
        assert refused.status == 409
        assert PIDS[1] in refused.body["message"]
        assert (await get_player(1).run(api)).body["name"] == "Player 1"

    async def test_update_reads_back_and_keeps_the_enrolments(self, api):
        updated = await after(api, *SETTING, put_player(1, name="New", email="new@example.org"))
        expected = {**player(1, name="New", email="new@example.org"), "tournaments": [1, 2]}
        assert (updated.status, updated.body) == (200, expected)
        assert (await get_player(1).run(api)).body == expected

    async def test_update_of_an_absent_player(self, api):
        assert (await put_player(1).run(api)).status == 404
        assert (await api.get("/players")).body == []

    async def test_update_with_another_pid(self, api):
        refused = await after(api, add_player(1), put_player(1, pid=PIDS[2]))
        assert refused.status == 409
        assert (await api.get("/players")).body == [{**player(1), "tournaments": []}]

    async def test_deleted_is_answered_and_gone(self, api):
        deleted = await after(api, add_player(1), delete_player(1))
        assert (deleted.status, deleted.body) == (200, {**player(1), "tournaments": []})
        assert (await get_player(1).run(api)).status == 404
        assert (await delete_player(1).run(api)).status == 404
        assert (await add_player(1).run(api)).status == 201

    async def test_enrolled_player_cannot_be_deleted(self, api):
        refused = await after(api, *SETTING, delete_player(1))
        assert refused.status == 409
        assert (await get_player(1).run(api)).status == 200
        freed = await after(api, delete_enrolment(1), delete_enrolment(2), delete_player(1))
        assert freed.status == 200

    async def test_tournaments_of_a_player(self, api):
        assert (await after(api, *SETTING, get_player(1, "/tournaments"))).body == [1, 2]
        assert (await get_player(2, "/tournaments").run(api)).body == []
        assert (await get_player(1, "/tournaments/2").run(api)).body is True
        assert (await get_player(2, "/tournaments/2").run(api)).status == 404
        assert (await get_player(1, "/tournaments/9").run(api)).status == 404

    async def test_views_of_an_absent_player(self, api):
        assert (await get_player(1, "/tournaments").run(api)).status == 404
        assert (await get_player(1, "/tournaments/1").run(api)).status == 404

    async def test_sent_tournaments_are_ignored(self, api):
        created = await after(api, add_tournament(1), add_player(1, tournaments=[1]))
        assert (created.status, created.body["tournaments"]) == (201, [])
        updated = await put_player(1, tournaments=[1]).run(api)
        assert (updated.status, updated.body["tournaments"]) == (200, [])


class TestTournaments:
    async def test_created_is_answered_and_readable(self, api):
        created = await after(api, add_tournament(0, 3))
        assert (created.status, created.body) == (201, {**tournament(0, 3), "players": []})
        assert (await api.get("/tournaments/0")).body == created.body
        assert (await api.get("/tournaments")).body == [created.body]
        assert (await api.get("/tournaments/0/capacity")).body == 3
        assert (await api.get("/tournaments/0/players")).body == []

    async def test_existing_tid_is_refused(self, api):
        refused = await after(api, add_tournament(1, 2), add_tournament(1, 5))
        assert refused.status == 409
        assert (await api.get("/tournaments/1/capacity")).body == 2

    async def test_update_reads_back_and_keeps_the_players(self, api):
        updated = await after(api, *SETTING, put_tournament(1, 7, tournamentName="New"))
        expected = {**tournament(1, 7, tournamentName="New"), "players": [PIDS[1]]}
        assert (updated.status, updated.body) == (200, expected)
        assert (await api.get("/tournaments/1")).body == expected
        assert (await api.get("/tournaments/1/capacity")).body == 7

    async def test_update_of_an_absent_tournament(self, api):
        assert (await put_tournament(1).run(api)).status == 404
        assert (await api.get("/tournaments")).body == []

    async def test_update_with_another_tid(self, api):
        refused = await after(api, add_tournament(1), put_tournament(1, tid=2))
        assert refused.status == 409
        assert (await api.get("/tournaments/2")).status == 404

    async def test_capacity_cannot_fall_below_the_enrolled(self, api):
        refused = await after(api, *SETTING, enrol(3, 2, 2), put_tournament(2, 1))
        assert refused.status == 409
        assert "capacity" in refused.body["message"]
        assert (await api.get("/tournaments/2/capacity")).body == 2
        assert (await put_tournament(1, 1).run(api)).status == 200

    async def test_deleted_is_answered_and_gone(self, api):
        deleted = await after(api, add_tournament(1), add_tournament(12), delete_tournament(1))
        assert (deleted.status, deleted.body) == (200, {**tournament(1), "players": []})
        assert (await api.get("/tournaments/1")).status == 404
        assert (await api.get("/tournaments/12")).status == 200
        assert (await delete_tournament(1).run(api)).status == 404

    async def test_tournament_with_players_cannot_be_deleted(self, api):
        assert (await after(api, *SETTING, delete_tournament(1))).status == 409
        assert (await api.get("/tournaments/1/players")).body == [PIDS[1]]
        assert (await after(api, delete_enrolment(1), delete_tournament(1))).status == 200

    async def test_players_of_a_tournament(self, api):
        await after(api, *SETTING, enrol(3, 2, 2))
        assert (await api.get("/tournaments/2/players")).body == [PIDS[1], PIDS[2]]
        assert (await api.get(f"/tournaments/2/players/{PIDS[2]}")).body is True
        assert (await api.get(f"/tournaments/2/players/{PIDS[3]}")).status == 404
        assert (await api.get(f"/tournaments/1/players/{PIDS[2]}")).status == 404

    @pytest.mark.parametrize("view", ["", "/capacity", "/players", f"/players/{PIDS[1]}"])
    async def test_views_of_an_absent_tournament(self, api, view):
        assert (await after(api, add_player(1), get(f"/tournaments/5{view}"))).status == 404

    async def test_sent_players_are_ignored(self, api):
        created = await after(api, add_player(1), add_tournament(1, players=[PIDS[1]]))
        assert (created.status, created.body["players"]) == (201, [])
        updated = await put_tournament(1, players=[PIDS[1]]).run(api)
        assert (updated.status, updated.body["players"]) == (200, [])

    async def test_an_integer_written_as_a_float_reads_back_as_integer(self, api):
        await after(api, add_tournament(1.0, 3.0))
        assert repr((await api.get("/tournaments/1/capacity")).body) == "3"
        assert (await add_tournament(1).run(api)).status == 409


class TestEnrolments:
    async def test_created_is_answered_and_seen_from_both_sides(self, api):
        created = await after(api, add_player(1), add_tournament(1), enrol(7, 1, 1))
        assert (created.status, created.body) == (201, enrolment(7, 1, 1))
        assert (await api.get("/enrolments/7")).body == created.body
        assert (await api.get("/enrolments")).body == [created.body]
        assert (await get_player(1).run(api)).body["tournaments"] == [1]
        assert (await api.get("/tournaments")).body[0]["players"] == [PIDS[1]]

    async def test_deleted_is_answered_and_gone_from_both_sides(self, api):
        deleted = await after(api, *SETTING, delete_enrolment(1))
        assert (deleted.status, deleted.body) == (200, enrolment(1, 1, 1))
        assert (await api.get("/enrolments/1")).status == 404
        assert (await delete_enrolment(1).run(api)).status == 404
        assert (await get_player(1).run(api)).body["tournaments"] == [2]
        assert (await api.get("/tournaments/1/players")).body == []
        assert (await enrol(1, 2, 1).run(api)).status == 201

    @pytest.mark.parametrize(
        ("refused", "status", "named"),
        [
            (enrol(1, 2, 2), 409, "eid"),
            (Step("POST", "/enrolments", enrolment(9, 1, 2, pid="299999999")), 404, "pid"),
            (enrol(9, 2, 8), 404, "tid"),
            (enrol(9, 1, 2), 409, "already"),
            (enrol(9, 2, 1), 403, "capacity"),
            # Several reasons at once: the earlier one of the documented order is given.
            (Step("POST", "/enrolments", enrolment(1, 1, 8, pid="299999999")), 409, "eid"),
            (Step("POST", "/enrolments", enrolment(9, 1, 8, pid="299999999")), 404, "pid"),
            (enrol(9, 1, 1), 409, "already"),
        ],
    )
    async def test_refused_changes_nothing(self, api, refused, status, named):
        await after(api, *SETTING)
        before = await everything(api)
        answer = await refused.run(api)
        assert answer.status == status
        assert named in answer.body["message"]
        assert await everything(api) == before


INVALID_FIELDS = {
    "/players": (
        {"pid": "300000001"}, {"pid": "10000000"}, {"pid": "1000000011"}, {"pid": "100000001\n"},
        {"pid": "1\uff100000001"}, {"pid": 100000001}, {"pid": None}, {"pid": ""},
        {"name": ""}, {"name": "x" * 101}, {"name": 5}, {"name": None}, {"name": ["x"]},
        {"email": "nobody"}, {"email": ""}, {"email": "a@b"}, {"email": " a@b.org"},
        {"email": "a@b.org\n"}, {"email": f"{'a' * 100}@b.org"}, {"email": True},
        {"tournaments": "x"}, {"tournaments": None}, {"tournaments": [1, 1]}, {"extra": 1},
    ),
    "/tournaments": (
        {"tid": -1}, {"tid": 1.5}, {"tid": "1"}, {"tid": True}, {"tid": None}, {"tid": 2**63},
        {"tid": 10**400}, {"tid": 1e300}, {"tid": 9.223372036854775807e18}, {"tid": [1]},
        {"capacity": 0}, {"capacity": -1}, {"capacity": "2"}, {"capacity": 2**31},
        {"capacity": None}, {"capacity": {}}, {"tournamentName": ""}, {"tournamentName": 1},
        {"tournamentName": "x" * 101}, {"players": {}}, {"players": ["x"]}, {"extra": None},
    ),
    "/enrolments": (
        {"eid": -1}, {"eid": 2**31}, {"eid": "1"}, {"eid": False}, {"pid": "1"}, {"pid": None},
        {"tid": -1}, {"tid": 2**63}, {"tid": "1"}, {"extra": ""},
    ),
}  # fmt: skip

VALID = {"/players": player(1), "/tournaments": tournament(1), "/enrolments": enrolment(1, 1, 1)}

NO_BODIES = [
    b"null", b"[]", b'"x"', b"1", b"true", b"1.5", b"{}", b'[{"pid": "100000001"}]', b'{"": ""}',
    b"", b"{", b"\x00", b"\xff\xfe", b"null x", b'{"tid": NaN}', b'{"tid": Infinity}',
    b'{"tid": 1e999, "tournamentName": "x", "capacity": 1}',
    b'{"tid": 01, "tournamentName": "x", "capacity": 1}',
    b'{"tid": ' + b"9" * 5000 + b"}",
    b'{"tid": 1, "tournamentName": "\\ud800", "capacity": 1}',
    b'{"pid": "100000001", "name": "\\udfff", "email": "a@b.org"}',
    b'{"\\ud800": 1}',
    b'{"x": ' + b"[" * 400 + b"]" * 400 + b"}",
    b"[" * 100_000,
]  # fmt: skip

JSON = {"Content-Type": "application/json"}

ID_PLACES = [
    ("/players/{}", "pid"),
    ("/players/{}/tournaments", "pid"),
    ("/players/{}/tournaments/1", "pid"),
    (f"/players/{PIDS[1]}/tournaments/{{}}", "tid"),
    ("/tournaments/{}", "tid"),
    ("/tournaments/{}/capacity", "tid"),
    ("/tournaments/{}/players", "tid"),
    (f"/tournaments/{{}}/players/{PIDS[1]}", "tid"),
    ("/tournaments/1/players/{}", "pid"),
    ("/enrolments/{}", "eid"),
]

MALFORMED = [
    "x", "1x", "+1", "-1", "-0", "01", "1_0", "%201", "1%20", "1.0", "1e3", "0x1", "%00", "1%00",
    "%2F", "1%2F2", "%2E%2E", "%FF", "%C3", "%D9%A1", "%EF%BC%91", "%ED%A0%80", "%25", "%7Btid%7D",
    "9223372036854775808", "9" * 19, "9" * 20, "9" * 5000, "null", "true", "NaN", "%0A1", "1%0A",
    "{tid}",
]  # fmt: skip


class TestValidation:
    @pytest.mark.parametrize("path", VALID)
    async def test_invalid_field_is_refused_by_name(self, api, path):
        for change in INVALID_FIELDS[path]:
            answer = await api.post(path, json={**VALID[path], **change})
            assert answer.status == 400, change
            assert next(iter(change)) in answer.body["message"]
        assert await everything(api) == {"players": [], "tournaments": [], "enrolments": []}

    @pytest.mark.parametrize("path", VALID)
    async def test_every_field_is_required(self, api, path):
        body = VALID[path]
        for name in body:
            answer = await api.post(path, json={key: body[key] for key in body if key != name})
            assert (answer.status, name in answer.body["message"]) == (400, True)

    @pytest.mark.parametrize(("path", "item"), [("/players", PIDS[1]), ("/tournaments", 1)])
    async def test_invalid_update_changes_nothing(self, api, path, item):
        await after(api, add_player(1), add_tournament(1))
        before = await everything(api)
        for change in INVALID_FIELDS[path]:
            answer = await api.put(f"{path}/{item}", json={**VALID[path], **change})
            assert answer.status == 400, change
        assert await everything(api) == before

    @pytest.mark.parametrize("path", VALID)
    async def test_payload_that_is_no_usable_body(self, api, path):
        for payload in NO_BODIES:
            answer = await api.post(path, data=payload, headers=JSON)
            assert answer.status == 400, payload[:80]

    async def test_other_media_types(self, api):
        for media in ("text/plain", "application/xml", "x", ""):
            answer = await api.post("/players", json=player(1), headers={"Content-Type": media})
            assert answer.status == 415, media
        assert (await api.post("/players")).status == 415

    async def test_unknown_charset(self, api):
        headers = {"Content-Type": "application/json; charset=nonsense"}
        assert (await api.post("/players", data=b"{}", headers=headers)).status == 400

    async def test_body_that_does_not_decompress(self, api):
        headers = {**JSON, "Content-Encoding": "gzip"}
        assert (await api.post("/players", json=player(1), headers=headers)).status == 400

    async def test_huge_body(self, api):
        answer = await api.post("/players", data=BytesIO(b" " * 2_000_000), headers=JSON)
        assert answer.status == 413

    async def test_any_text_is_a_name(self, api):
        await add_player(1).run(api)
        for name in ("\x00", "é", "日本", "😀", " ", "\u2028", "a\nb", '"', "\\", "x" * 100):
            assert (await after(api, put_player(1, name=name), get_player(1))).body["name"] == name

    async def test_malformed_ids_in_the_path(self, api):
        await after(api, add_player(1), add_tournament(1), enrol(1, 1, 1))
        for (path, name), text in product(ID_PLACES, MALFORMED):
            answer = await api.get(URL(path.format(text), encoded=True))
            assert (answer.status, answer.body["message"][:3]) == (400, name), (path, text)

    async def test_malformed_ids_in_changes(self, api):
        assert (await api.put("/players/x", json=player(1))).status == 400
        assert (await api.delete("/players/x")).status == 400
        assert (await api.put("/tournaments/x", json=tournament(1))).status == 400
        assert (await api.delete("/tournaments/x")).status == 400
        assert (await api.delete("/enrolments/x")).status == 400
        assert (await api.get("/enrolments/2147483648")).status == 400

    async def test_largest_ids(self, api):
        await after(api, add_player(1), add_tournament(2**63 - 1))
        created = await after(api, enrol(2**31 - 1, 1, 2**63 - 1))
        assert created.status == 201
        assert (await api.get(f"/tournaments/{2**63 - 1}/players")).body == [PIDS[1]]
        assert (await api.get(f"/enrolments/{2**31 - 1}")).body["tid"] == 2**63 - 1

    async def test_unsupported_methods(self, api):
        for method, path in (
            ("PATCH", "/players"),
            ("DELETE", "/tournaments"),
            ("PUT", "/enrolments/1"),
            ("POST", "/tournaments/1/capacity"),
        ):
            answer = await api.client.request(method, path)
            assert answer.status == 405
            assert "Allow" in answer.headers


class TestDocument:
    def test_operations_and_routes_are_the_same(self):
        assert_routes_match(TOURNAMENTS)

    def test_size(self):
        content = document_of(TOURNAMENTS).content
        assert len(content["paths"]) == 11
        assert len({name for name, _ in documented_answers(document_of(TOURNAMENTS))}) == 19
        assert list(content["components"]["schemas"]) == [
            "Player",
            "Tournament",
            "Enrolment",
            "Error",
        ]

    async def test_every_documented_answer_is_given(self, api):
        wrong = {"data": b"x", "headers": {"Content-Type": "text/plain"}}
        await after(api, *SETTING, delete_player(3), delete_enrolment(1), delete_tournament(1))
        await after(api, add_tournament(3, 1), enrol(3, 1, 3))
        for step in (
            enrol(2, 1, 2), enrol(9, 3, 2), enrol(9, 2, 3), add_player(1), add_tournament(2),
            put_player(1), put_player(3), put_player(1, pid=PIDS[2]), put_tournament(2),
            put_tournament(9), put_tournament(2, tid=3), delete_player(1), delete_player(3),
            delete_tournament(2), delete_tournament(9), delete_enrolment(9),
            Step("DELETE", "/players/x"), Step("DELETE", "/tournaments/x"),
            Step("DELETE", "/enrolments/x"),
        ):  # fmt: skip
            await step.run(api)
        for path in (
            "s", f"s/{PIDS[1]}", f"s/{PIDS[3]}", "s/x", "s/2", "s/9",
            f"s/{PIDS[1]}/tournaments", f"s/{PIDS[3]}/tournaments", "s/x/tournaments",
            f"s/{PIDS[1]}/tournaments/2", f"s/{PIDS[1]}/tournaments/9", "s/x/tournaments/x",
            "s/2/capacity", "s/9/capacity", "s/x/capacity",
            "s/2/players", "s/9/players", "s/x/players",
            f"s/2/players/{PIDS[1]}", f"s/9/players/{PIDS[1]}", "s/x/players/x",
        ):  # fmt: skip
            for kind in ("player", "tournament", "enrolment"):
                if path.count("/") < 2 or _has_view(kind, path):
                    await api.get(f"/{kind}{path}")
        for method, path in (
            ("POST", "/players"), ("PUT", f"/players/{PIDS[1]}"), ("POST", "/tournaments"),
            ("PUT", "/tournaments/2"), ("POST", "/enrolments"),
        ):  # fmt: skip
            await api.call(method, path, **wrong)
            await api.call(method, path, data=BytesIO(b" " * 2_000_000), headers=JSON)
            await api.call(method, path, json={})
        assert api.seen == documented_answers(api.document)


def _has_view(kind: str, path: str) -> bool:
    view = path.split("/")[2]
    return view in {"player": ("tournaments",), "tournament": ("capacity", "players")}.get(kind, ())


@dataclass(frozen=True)
class Case:
    """The shortest sequence that shows a fault: only its last answer differs."""

    fault: str
    steps: tuple[Step, ...]
    right: Any
    wrong: Any


def shown(answer: Answer) -> Any:
    """What a case compares: the body of a success, the status of a refusal."""
    return answer.body if answer.status < 300 else answer.status


def full(number: int, *tids: int, **changes: Any) -> dict[str, Any]:
    return {**player(number, **changes), "tournaments": list(tids)}


def held(tid: int, capacity: int, *numbers: int, **changes: Any) -> dict[str, Any]:
    return {**tournament(tid, capacity, **changes), "players": [PIDS[each] for each in numbers]}


JOINED = (add_player(1), add_tournament(1), enrol(1, 1, 1))
TWO_IN_ONE = (add_player(1), add_player(2), add_tournament(1, 1), enrol(1, 1, 1))

CASES = [
    Case("delete-player-keeps", (add_player(1), delete_player(1), get_player(1)), 404, full(1)),
    Case(
        "delete-tournament-other",
        (add_tournament(1), delete_tournament(1), get("/tournaments/1")),
        404,
        held(1, 2),
    ),
    Case(
        "delete-tournament-other",
        (add_tournament(1), add_tournament(2), delete_tournament(1), get("/tournaments")),
        [held(2, 2)],
        [held(1, 2)],
    ),
    Case(
        "delete-tournament-other",
        (*JOINED, add_tournament(2), delete_tournament(2), get("/tournaments")),
        [held(1, 2, 1)],
        [held(1, 2, 1), held(2, 2)],
    ),
    Case(
        "delete-enrolment-keeps-membership",
        (*JOINED, delete_enrolment(1), get("/tournaments/1/players")),
        [],
        [PIDS[1]],
    ),
    Case(
        "delete-enrolment-keeps-schedule",
        (*JOINED, delete_enrolment(1), get_player(1, "/tournaments")),
        [],
        [1],
    ),
    Case(
        "delete-enrolment-takes-all",
        (*JOINED, add_tournament(2), enrol(2, 1, 2), delete_enrolment(1), get("/enrolments")),
        [enrolment(2, 1, 2)],
        [],
    ),
    Case("delete-enrolled-player", (*JOINED, delete_player(1)), 409, full(1, 1)),
    Case(
        "delete-tournament-hides",
        (add_tournament(1), delete_tournament(1), add_tournament(2), get("/tournaments/1")),
        404,
        held(1, 2),
    ),
    Case(
        "delete-tournament-prefix",
        (add_tournament(1), add_tournament(12), delete_tournament(1), get("/tournaments")),
        [held(12, 2)],
        [held(1, 2)],
    ),
    Case("capacity-ignored", (*TWO_IN_ONE, enrol(2, 2, 1)), 403, enrolment(2, 2, 1)),
    Case(
        "capacity-off-by-one",
        (*TWO_IN_ONE, add_tournament(2), enrol(2, 2, 1)),
        403,
        enrolment(2, 2, 1),
    ),
    Case(
        "full-still-joins",
        (*TWO_IN_ONE, enrol(2, 2, 1), get("/tournaments/1/players")),
        [PIDS[1]],
        [PIDS[1], PIDS[2]],
    ),
    Case(
        "second-enrolment-crashes",
        (*JOINED, add_player(2), enrol(2, 2, 1)),
        enrolment(2, 2, 1),
        500,
    ),
    Case("enrolment-misses-schedule", (*JOINED, get_player(1)), full(1, 1), full(1)),
    Case("double-enrolment", (*JOINED, enrol(2, 1, 1)), 409, enrolment(2, 1, 1)),
    Case(
        "eid-used-up",
        (*JOINED, delete_enrolment(1), enrol(1, 1, 1)),
        enrolment(1, 1, 1),
        409,
    ),
    Case(
        "update-player-loses-email",
        (add_player(1), put_player(1, name="New", email="new@example.org")),
        full(1, name="New", email="new@example.org"),
        full(1, name="New"),
    ),
    Case(
        "update-tournament-lost",
        (add_tournament(1), put_tournament(1, 5), get("/tournaments/1/capacity")),
        5,
        2,
    ),
    Case(
        "update-tournament-drops-players",
        (*JOINED, put_tournament(1, 3)),
        held(1, 3, 1),
        held(1, 3),
    ),
    Case(
        "update-tournament-spreads",
        (add_tournament(1), add_tournament(2), put_tournament(1, 5), get("/tournaments/2")),
        held(2, 2),
        held(2, 5),
    ),
    Case("update-tournament-creates", (put_tournament(1),), 404, held(1, 2)),
    Case(
        "duplicate-player-overwrites",
        (add_player(1), add_player(1, name="Other")),
        409,
        full(1, name="Other"),
    ),
    Case(
        "duplicate-tournament-accepted", (add_tournament(1), add_tournament(1, 5)), 409, held(1, 5)
    ),
    Case(
        "player-resurrected",
        (add_player(1), delete_player(1), add_player(1, name="New"), get_player(1)),
        full(1, name="New"),
        full(1),
    ),
    Case("list-omits-newest", (add_player(1), get("/players")), [full(1)], []),
    Case("list-without-players", (*JOINED, get("/tournaments")), [held(1, 2, 1)], [held(1, 2)]),
    Case(
        "stale-read",
        (add_player(1), put_player(1, name="New"), get_player(1)),
        full(1, name="New"),
        full(1),
    ),
    Case("capacity-reports-room", (*JOINED, get("/tournaments/1/capacity")), 2, 1),
    Case(
        "check-any-tournament",
        (*JOINED, add_tournament(2), get(f"/tournaments/2/players/{PIDS[1]}")),
        404,
        True,
    ),
]


async def answers(api: CheckingClient, steps: tuple[Step, ...]) -> list[Answer]:
    return [await step.run(api) for step in steps]


async def raw(api: CheckingClient, step: Step) -> Answer:
    """As `Step.run`, for an answer that no document describes."""
    async with api.client.request(step.method, step.path, json=step.json) as response:
        return Answer(response.status, await response.json(), response.headers)


class TestFaults:
    def test_every_fault_has_a_case(self):
        names = [fault.name for fault in TOURNAMENTS.faults]
        assert list(dict.fromkeys(case.fault for case in CASES)) == names
        assert names[:3] == [
            "delete-player-keeps",
            "delete-tournament-other",
            "delete-enrolment-keeps-membership",
        ]

    @pytest.mark.parametrize("case", CASES, ids=lambda case: case.fault)
    async def test_shows_in_the_last_answer_only(self, start, case):
        correct = CheckingClient.of(await start(TOURNAMENTS), TOURNAMENTS)
        faulty = CheckingClient.of(await start(TOURNAMENTS, case.fault), TOURNAMENTS)
        *before, last = case.steps
        expected = await answers(correct, tuple(before))
        assert [(each.status, each.body) for each in await answers(faulty, tuple(before))] == [
            (each.status, each.body) for each in expected
        ]
        assert shown(await last.run(correct)) == case.right
        assert shown(await (raw(faulty, last) if case.wrong == 500 else last.run(faulty))) == (
            case.wrong
        )

    async def test_consequences(self, start):
        """What a fault leaves behind, beyond the first answer that betrays it."""
        hidden = await self.faulty(start, "delete-enrolled-player")
        await after(hidden, *JOINED, delete_player(1))
        assert (await hidden.get("/enrolments")).body == [enrolment(1, 1, 1)]
        assert (await delete_enrolment(1).run(hidden)).status == 200
        stale = await self.faulty(start, "stale-read")
        await after(stale, add_player(1), put_player(1, name="New"), get_player(1))
        assert (await get_player(1).run(stale)).body["name"] == "New"
        over = await self.faulty(start, "capacity-off-by-one")
        await after(over, *TWO_IN_ONE, add_player(3), add_tournament(2), enrol(2, 2, 1))
        assert (await enrol(3, 3, 1).run(over)).status == 403
        alone = await self.faulty(start, "capacity-off-by-one")
        assert (await after(alone, *TWO_IN_ONE, enrol(2, 2, 1))).status == 403

    async def faulty(self, start, *faults: str) -> CheckingClient:
        return CheckingClient.of(await start(TOURNAMENTS, *faults), TOURNAMENTS)

    @pytest.mark.parametrize("fault", [None, *(fault.name for fault in TOURNAMENTS.faults)])
    async def test_a_long_walk_stays_within_the_document(self, start, fault):
        api = await self.faulty(start, *([fault] if fault else []))
        chance = random.Random(7)
        for _ in range(150):
            step = chance.choice(WALK)
            if fault == "second-enrolment-crashes" and step.json and "eid" in step.json:
                assert (await raw(api, step)).status in (201, 403, 404, 409, 500)
            else:
                await step.run(api)

    async def test_reset_clears_the_state_of_faults(self, start):
        names = [fault.name for fault in TOURNAMENTS.faults]
        api = await self.faulty(start, *names)
        await answers(api, (add_player(1), put_player(1), add_tournament(1), delete_tournament(1)))
        assert (await api.client.post("/__reset__")).status == 204
        assert await everything(api) == {"players": [], "tournaments": [], "enrolments": []}


WALK = [
    *(make(number) for number in (1, 2) for make in (add_player, put_player, delete_player)),
    *(make(tid, 1) for tid in (1, 12) for make in (add_tournament, put_tournament)),
    *(delete_tournament(tid) for tid in (1, 12)),
    *(enrol(eid, number, tid) for eid, number, tid in product((1, 2), (1, 2), (1, 12))),
    *(delete_enrolment(eid) for eid in (1, 2)),
    *(get_player(number, view) for number in (1, 2) for view in ("", "/tournaments/12")),
    *(get(f"/tournaments/{tid}{view}") for tid in (1, 12) for view in ("", "/players")),
    *(get(f"/{kind}") for kind in ("players", "tournaments", "enrolments")),
]


def moves(size: int) -> list[tuple[str, Any]]:
    """Every action of the life-cycle model with `size` values for each resource."""
    numbers = range(1, size + 1)
    return [
        *(("add_player", Player(PIDS[p], "x", "x@x.org")) for p in numbers),
        *(("delete_player", PIDS[p]) for p in numbers),
        *(("add_tournament", Tournament(t, "x", c)) for t, c in product(numbers, numbers)),
        *(("delete_tournament", t) for t in numbers),
        *(
            ("add_enrolment", Enrolment(e, PIDS[p], t))
            for e, p, t in product(numbers, numbers, numbers)
        ),
        *(("delete_enrolment", e) for e in numbers),
    ]


def explore(size: int) -> tuple[int, int]:
    """States and transitions of the real domain, found by trying every action everywhere."""
    domain, actions = Tournaments(), moves(size)
    start = (frozenset(), frozenset())
    found, waiting, transitions = {start}, [({}, {}, {})], 0
    while waiting:
        state = waiting.pop()
        for name, value in actions:
            domain.players, domain.tournaments, domain.enrolments = map(dict, state)
            try:
                getattr(domain, name)(value)
            except Refusal:
                continue
            transitions += 1
            # The lists follow from the enrolments; only their order remembers the past.
            capacities = {(t.tid, t.capacity) for t in domain.tournaments.values()}
            key = (
                frozenset({*domain.players, *capacities}),
                frozenset(domain.enrolments.values()),
            )
            if key not in found:
                found.add(key)
                waiting.append((domain.players, domain.tournaments, domain.enrolments))
    return len(found), transitions


@pytest.mark.parametrize(("size", "states", "transitions"), [(1, 5, 10), (2, 192, 872)])
def test_life_cycles_are_those_of_the_paper(size, states, transitions):
    assert explore(size) == (states, transitions)
