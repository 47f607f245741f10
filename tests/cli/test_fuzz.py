"""`icepick fuzz`: inputs are learned and kept, wrong ones are tried, bad services are borne."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from icepick.demo.shop import SHOP as SHOP_SERVICE
from icepick.demo.tournaments import TOURNAMENTS as SERVICE
from tests.cli.invoking import SHOP, TOURNAMENTS, Done, Icepick, events, get, icepick
from tests.glacier.live import served
from tests.pipeline.serving import everything, serving

__all__ = ["icepick"]

LOGIN = (
    "--login", "POST /sessions", "--login-field", "username=demo",
    "--login-field", "password=demo-password",
)  # fmt: skip
USER = ("--include-operation-id", "createUser")


def things(folder: Path) -> str:
    """A document of things with a size and a colour, which can be made, read and removed."""
    thing = {
        "type": "object",
        "properties": {"size": {"type": "integer"}, "colour": {"type": "string"}},
    }
    content = {"application/json": {"schema": thing}}
    named = {"type": "object", "properties": {"id": {"type": "string"}}}
    made = {"application/json": {"schema": named}}
    answers = {
        "200": {"description": "ok", "content": made},
        "201": {"description": "made", "content": made},
        "400": {"description": "refused"},
    }
    identifier = [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}]
    document = {
        "openapi": "3.0.3",
        "info": {"title": "Things", "version": "1"},
        "paths": {
            "/things": {
                "post": {
                    "operationId": "makeThing",
                    "requestBody": {"required": True, "content": content},
                    "responses": answers,
                }
            },
            "/things/{id}": {
                "parameters": identifier,
                "get": {"operationId": "readThing", "responses": answers},
                "delete": {"operationId": "dropThing", "responses": answers},
            },
        },
    }
    path = folder / "things.json"
    path.write_text(json.dumps(document))
    return str(path)


def sent(folder: Path) -> list[dict[str, Any]]:
    """The requests of the only run."""
    return [one["exchange"]["request"] for one in events(folder) if one["event"] == "exchanged"]


def fuzz_shop(icepick: Icepick, url: str, *more: str) -> Done:
    return icepick("fuzz", SHOP, "-u", url, *LOGIN, *USER, *more)


# Learning


def test_every_operation_is_learned_and_what_was_made_is_removed(
    icepick: Icepick, tmp_path: Path
) -> None:
    with served(SERVICE) as url:
        ask = ("fuzz", TOURNAMENTS, "-u", url, "--phase", "learn", "--seed", "1", "--json")
        done = icepick(*ask)
        assert get(f"{url}/players") == get(f"{url}/tournaments") == []
    assert done.code == 0
    assert [one["label"] for one in done.json["operations"] if not one["succeeded"]] == []
    assert done.json["verdicts"]["OK"] == len(done.json["operations"])
    assert events(tmp_path)[-1]["ending"] == "finished"


def test_what_was_there_before_is_neither_changed_nor_deleted(
    icepick: Icepick, tmp_path: Path
) -> None:
    stored: dict[str, dict[str, object]] = {"1": {"id": "1", "size": 4}}
    touched: list[str] = []

    async def answer(request: web.Request) -> web.Response:
        name = request.path.rpartition("/")[2]
        if request.method == "POST":
            number = str(len(stored) + 1)
            stored[number] = {"id": number, "size": len(await request.read())}
            return web.json_response(stored[number], status=201)
        if name not in stored:
            return web.json_response({"message": f"there is no thing {name}"}, status=400)
        if request.method == "DELETE":
            touched.append(name)
            return web.json_response({"id": name})
        return web.json_response(stored[name])

    with serving(everything(answer)) as url:
        done = icepick("fuzz", things(tmp_path), "-u", url, "--max-calls", "150")
    assert done.code in {0, 1}
    assert "2" in touched
    assert "1" not in touched


def test_what_was_learned_is_kept_and_tried_once(icepick: Icepick, tmp_path: Path) -> None:
    with served(SHOP_SERVICE) as url:
        ask = ("fuzz", SHOP, "-u", url, *LOGIN, "--include-path-regex", "^/users", "--json")
        learn = (*ask, "--phase", "learn", "--seed")
        done = [icepick(*learn, "3"), icepick(*learn, "4"), icepick(*learn, "5", "--forget")]
    assert [one.code for one in done] == [0, 0, 0]
    counts = [{each["id"]: each["calls"] for each in one.json["operations"]} for one in done]
    calls = [one["createUser"] for one in counts]
    assert calls[0] > 1
    assert calls[1] == 1
    assert calls[2] > 1
    (kept,) = (tmp_path / ".icepick" / "learned").iterdir()
    assert kept.name.startswith("shop-127-0-0-1-")
    assert "demo-password" not in kept.read_text()


def test_a_run_begins_with_what_is_known(icepick: Icepick) -> None:
    with served(SHOP_SERVICE) as url:
        fuzz_shop(icepick, url, "--phase", "learn")
        ask = ("run", SHOP, "-u", url, *LOGIN, *USER, "--wrong-inputs", "0")
        known = icepick(*ask, "--json")
        forgotten = icepick(*ask, "--json", "--forget")
    assert "1 operation known from" in known.err
    assert "known from" not in forgotten.err
    refused = [one.json["operations"][0]["statuses"].get("422", 0) for one in (known, forgotten)]
    assert refused[0] == 0
    assert refused[1] > 0


def test_a_file_that_cannot_be_read_is_told_and_left_out(icepick: Icepick, tmp_path: Path) -> None:
    with served(SHOP_SERVICE) as url:
        fuzz_shop(icepick, url, "--phase", "learn")
        (kept,) = (tmp_path / ".icepick" / "learned").iterdir()
        kept.write_text("{")
        done = fuzz_shop(icepick, url, "--phase", "learn")
    assert done.code == 0
    assert "is not JSON" in done.err
    assert json.loads(kept.read_text())["operations"][0]["operation"] == "createUser"


def test_what_was_learned_is_shown_and_written_out(icepick: Icepick, tmp_path: Path) -> None:
    with served(SHOP_SERVICE) as url:
        done = fuzz_shop(
            icepick, url, "--explain", "--max-calls", "60", "--seed", "3",
            "--write-overlay", "out/shop.json", "--write-contracts", "out/shop.glc",
        )  # fmt: skip
    assert "  password is required" in done.out
    assert "  heard: password is required" in done.out
    actions = json.loads((tmp_path / "out" / "shop.json").read_text())["actions"]
    assert {"required": ["password"]} in [one["update"] for one in actions]
    assert "req_body(@){password} != null" in (tmp_path / "out" / "shop.glc").read_text()
    checked = icepick("check", SHOP, "--contracts", "out/shop.glc", "--json")
    assert (checked.code, checked.json["counts"]["error"]) == (0, 0)


# Wrong inputs


def test_a_crash_is_found_by_its_smallest_mistake_and_shows_again(icepick: Icepick) -> None:
    with served(SHOP_SERVICE, "crash-age-text") as url:
        done = fuzz_shop(icepick, url, "--max-calls", "250", "--seed", "3")
        assert done.code == 1
        titles = [line for line in done.out.splitlines() if line.startswith("ERR")]
        assert len(titles) == 1
        assert "POST /users answered 500 to a wrong input (age: " in titles[0]
        assert ";" not in titles[0]
        replayed = icepick("replay", titles[0].split()[1], *LOGIN)
    assert (replayed.code, "the fault still shows" in replayed.out) == (1, True)
    with served(SHOP_SERVICE) as mended:
        replayed = icepick("replay", titles[0].split()[1], *LOGIN, "-u", mended)
    assert (replayed.code, "does not show" in replayed.out) == (0, True)


def test_a_crash_that_takes_two_mistakes_keeps_both(icepick: Icepick, tmp_path: Path) -> None:
    async def answer(request: web.Request) -> web.Response:
        if request.method != "POST":
            return web.json_response({"id": "1"})
        try:
            body = await request.json()
        except (ValueError, RecursionError):
            body = None
        if not isinstance(body, dict):
            return web.json_response({"message": "no thing"}, status=400)
        wrong = [type(body.get("size", 1)) is not int, type(body.get("colour", "")) is not str]
        if all(wrong):
            return web.json_response({"message": "TypeError: both"}, status=500)
        return web.json_response({"message": "no"}, status=400) if any(wrong) else made()

    def made() -> web.Response:
        return web.json_response({"id": "1"}, status=201)

    with serving(everything(answer)) as url:
        ask = ("fuzz", things(tmp_path), "-u", url, "--max-calls", "600", "--seed", "1", "--json")
        done = icepick(*ask)
    crashes = [one for one in done.json["findings"] if one["level"] == "ERR"]
    assert len(crashes) == 1
    assert "size: " in crashes[0]["title"]
    assert "colour: " in crashes[0]["title"]


def test_a_crash_that_quotes_what_was_sent_is_one_finding(icepick: Icepick, tmp_path: Path) -> None:
    async def answer(request: web.Request) -> web.Response:
        try:
            body = await request.json() if request.method == "POST" else {}
        except (ValueError, RecursionError):
            body = {}
        size = body.get("size", 1) if isinstance(body, dict) else 1
        if isinstance(size, str):
            return web.json_response({"message": f"ValueError: no number: '{size}'"}, status=500)
        return web.json_response({"id": "1"}, status=201)

    with serving(everything(answer)) as url:
        ask = ("fuzz", things(tmp_path), "-u", url, "--max-calls", "500", "--seed", "1", "--json")
        done = icepick(*ask)
    crashes = [one["title"] for one in done.json["findings"] if one["level"] == "ERR"]
    assert len(crashes) == 1
    said = [one["exchange"]["reply"] for one in events(tmp_path) if one["event"] == "exchanged"]
    assert len({one.get("body") for one in said if one.get("status") == 500}) > 1


def test_the_same_seed_makes_the_same_calls(icepick: Icepick, tmp_path: Path) -> None:
    bodies = []
    for number in range(2):
        with served(SERVICE) as url:
            icepick("fuzz", TOURNAMENTS, "-u", url, "--seed", "5", "--max-calls", "200", "--forget")
        bodies.append([(one["method"], one["url"][len(url) :]) for one in sent(tmp_path)])
        (tmp_path / ".icepick" / "runs").rename(tmp_path / f"runs{number}")
    assert bodies[0] == bodies[1]
    assert len(bodies[0]) >= 200


def test_wrong_inputs_alone(icepick: Icepick, tmp_path: Path) -> None:
    with served(SERVICE) as url:
        ask = ("fuzz", TOURNAMENTS, "-u", url, "--phase", "wrong", "--max-calls", "100")
        assert icepick(*ask).code in {0, 1}
        assert get(f"{url}/players") == []
    phases = [one["name"] for one in events(tmp_path) if one["event"] == "phase-started"]
    assert phases == ["wrong input"]
    assert events(tmp_path)[-1]["ending"] == "max-calls"


# Services that are hard to learn from


def page(text: str, status: int) -> web.Response:
    return web.Response(text=text, status=status, content_type="text/html")


BAD = {
    "html": lambda: page("<html><body><h1>Bad Request</h1><p>size is wrong</p></body></html>", 400),
    "another language": lambda: web.json_response({"fehler": "Größe fehlt"}, status=400),
    "empty": lambda: web.Response(status=400),
    "always the same": lambda: web.json_response({"message": "Invalid request."}, status=400),
    "not what it says": lambda: web.Response(
        body=b"\xff\xfe{", status=400, content_type="application/json"
    ),
    "crashing": lambda: web.Response(status=500),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_service_that_takes_nothing_is_told_with_reasons(
    icepick: Icepick, tmp_path: Path, kind: str
) -> None:
    async def answer(_request: web.Request) -> web.Response:
        return BAD[kind]()

    with serving(everything(answer)) as url:
        ask = ("fuzz", things(tmp_path), "-u", url, "--max-calls", "300", "--seed", "1")
        done = icepick(*ask, "--report", "html,json", "--report-dir", "out")
        strict = icepick(*ask, "--phase", "learn", "--fail-on", "not-tested")
    assert done.code == (1 if kind == "crashing" else 0)
    assert strict.code == 1
    assert "Traceback" not in done.err
    assert "0 of 3 with a 2xx" in done.out
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert report["verdicts"]["NOT_TESTED"] == 3
    reasons = {one["id"]: one["reason"] for one in report["operations"]}
    assert "blocked" in reasons["makeThing"]
    assert "did not create" in reasons["dropThing"]
    assert "did not create" in (tmp_path / "out" / "report.html").read_text()


def test_the_parameter_in_the_way_is_named(icepick: Icepick, tmp_path: Path) -> None:
    async def answer(_request: web.Request) -> web.Response:
        return web.json_response({"message": "size must be a magic number"}, status=400)

    with serving(everything(answer)) as url:
        done = icepick("fuzz", things(tmp_path), "-u", url, "--phase", "learn")
    assert done.code == 0
    assert "not tested: blocked by size: size must be a magic" in done.out


def test_success_with_an_error_inside_is_taken_for_success(
    icepick: Icepick, tmp_path: Path
) -> None:
    async def answer(_request: web.Request) -> web.Response:
        return web.json_response({"success": False, "error": "no such thing"})

    with serving(everything(answer)) as url:
        done = icepick("fuzz", things(tmp_path), "-u", url, "--max-calls", "200", "--json")
    assert done.code in {0, 1}
    assert {one["level"] for one in done.json["findings"]} <= {"WARN"}
    made = {one["id"]: one["succeeded"] for one in done.json["operations"]}
    assert made["makeThing"]
    assert made["readThing"]


# Ends of other kinds


def test_a_service_that_is_not_there_is_an_outage(icepick: Icepick, tmp_path: Path) -> None:
    done = icepick(
        "fuzz", things(tmp_path), "-u", "http://127.0.0.1:9", "--outage", "0.2", "--retries", "0"
    )
    assert done.code == 2
    assert "the service does not answer" in done.out


def test_a_host_far_away_needs_to_be_allowed(icepick: Icepick, tmp_path: Path) -> None:
    done = icepick("fuzz", TOURNAMENTS, "-u", "http://192.88.99.1:9")
    assert (done.code, "ICP608" in done.err) == (2, True)
    assert not (tmp_path / ".icepick").exists()
