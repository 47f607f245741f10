"""`icepick run`: what it prints, writes and returns, and how it ends."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest

from icepick.demo.shop import SHOP as SHOP_SERVICE
from icepick.demo.tournaments import TOURNAMENTS as SERVICE
from tests.cli.invoking import (
    DELETE_KEEPS,
    SHOP,
    SMALL,
    TOURNAMENTS,
    Icepick,
    events,
    get,
    icepick,
    journal,
    spawned,
    wait_for,
    wait_for_calls,
)
from tests.glacier.live import served

__all__ = ["icepick"]

WITH_CONTRACTS = str(Path(__file__).parents[2] / "examples" / "tournaments.yaml")


@pytest.fixture(scope="module")
def good() -> Iterator[str]:
    with served(SERVICE) as url:
        yield url


@pytest.fixture(scope="module")
def faulty() -> Iterator[str]:
    with served(SERVICE, "delete-player-keeps") as url:
        yield url


def post(url: str, body: dict[str, object]) -> None:
    kind = {"Content-Type": "application/json"}
    with urlopen(Request(url, json.dumps(body).encode(), kind)) as answer:
        assert answer.status == 201


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# Results


def test_a_fault_is_found_and_told_with_a_way_to_see_it(
    icepick: Icepick, faulty: str, tmp_path: Path
):
    done = icepick("run", TOURNAMENTS, "-u", faulty, *SMALL, "--seed", "7")
    assert done.code == 1
    assert f"ERR {DELETE_KEEPS} deletePlayer does not ensure" in done.out
    assert "curl -sS -i -X DELETE" in done.out
    assert f"icepick replay {DELETE_KEEPS}" in done.out
    assert "seed 7" in done.out
    assert events(tmp_path)[-1]["event"] == "run-ended"


def test_nothing_is_kept_of_a_service_that_is_not_there(icepick: Icepick, tmp_path: Path):
    url = f"http://127.0.0.1:{free_port()}"
    done = icepick("run", TOURNAMENTS, "-u", url, *SMALL, "--outage", "0.2", "--retries", "0")
    assert done.code == 2
    assert events(tmp_path)[-1]["ending"] == "outage"
    assert not (tmp_path / ".icepick" / "learned").exists()


def test_a_clean_service_gives_no_findings_and_keeps_nothing(icepick: Icepick, good: str):
    done = icepick("run", f"{good}/openapi.json", *SMALL)
    assert (done.code, "no findings" in done.out) == (0, True)
    assert get(f"{good}/players") == get(f"{good}/tournaments") == []


def test_the_seed_of_a_run_is_random_and_told(icepick: Icepick, good: str):
    runs = [icepick("run", TOURNAMENTS, "-u", good, *SMALL, "--max-calls", "1") for _ in range(2)]
    first, second = (one.out.split("seed ")[1].split()[0] for one in runs)
    assert first != second


def test_json_is_one_object_and_all_else_goes_elsewhere(icepick: Icepick, faulty: str):
    done = icepick("run", TOURNAMENTS, "-u", faulty, *SMALL, "--json")
    assert done.json["format"] == "icepick-report/1"
    assert [one["id"] for one in done.json["findings"]] == [DELETE_KEEPS]
    assert done.json["run"]["settings"]["bounds"] == {"Player": 1, "Tournament": 1, "Enrolment": 1}
    assert "survey" in done.err


def test_reports_of_all_kinds_are_written(icepick: Icepick, faulty: str, tmp_path: Path):
    folder = tmp_path / "deep" / "reports"
    done = icepick(
        "run", TOURNAMENTS, "-u", faulty, *SMALL,
        "--report", "html,junit", "--report", "json,har", "--report-dir", str(folder),
    )  # fmt: skip
    assert done.code == 1
    assert "<!doctype html>" in (folder / "report.html").read_text().lower()
    assert DELETE_KEEPS in (folder / "junit.xml").read_text()
    assert json.loads((folder / "report.json").read_text())["requests"] > 0
    entries = json.loads((folder / "report.har").read_text())["log"]["entries"]
    exchanged = [one for one in events(tmp_path) if one["event"] == "exchanged"]
    assert len(entries) == len(exchanged)


def test_a_report_needs_the_journal_alone(icepick: Icepick, faulty: str, tmp_path: Path):
    ran = icepick("run", TOURNAMENTS, "-u", faulty, *SMALL)
    done = icepick("report", "--report", "html")
    assert done.code == 0
    assert DELETE_KEEPS in done.out
    # The last line is about the reports that were written, which are others.
    assert done.out.startswith(ran.out[: ran.out.rindex("1 finding")])
    assert (journal(tmp_path).parent / "report.html").exists()


def test_a_report_without_a_run_is_a_clear_error(icepick: Icepick):
    done = icepick("report")
    assert (done.code, "ICP604" in done.err) == (2, True)


def test_a_dry_run_sends_nothing(icepick: Icepick, tmp_path: Path):
    done = icepick("run", TOURNAMENTS, "-u", "http://example.com", *SMALL, "--dry-run")
    assert done.code == 0
    assert "POST /players" in done.out
    assert "postPlayer(p1)" in done.out
    assert done.out.splitlines()[-1].endswith("nothing was sent")
    assert not (tmp_path / ".icepick").exists()


def test_explain_says_what_was_left_out(icepick: Icepick, good: str):
    done = icepick("run", TOURNAMENTS, "-u", good, *SMALL, "--explain")
    assert "Enrolment /enrolments/{eid}" in done.out
    assert "5 states, 10 transitions" in done.out


def test_contracts_from_beside_the_document_count(icepick: Icepick, good: str, tmp_path: Path):
    (tmp_path / "mine.glacier").write_text("POST /players:\n  ensures:\n    - res_code(@) = 299\n")
    ask = ("run", TOURNAMENTS, "-u", good, *SMALL, "--json")
    assert icepick(*ask).code == 0
    done = icepick(*ask, "--contracts", "mine.glacier")
    assert done.code == 1
    assert "res_code(@) = 299" in {one["complaint"]["promised"] for one in done.json["findings"]}


# Baselines and what counts


def test_a_baseline_lets_known_findings_pass(icepick: Icepick, faulty: str, tmp_path: Path):
    known = str(tmp_path / "state" / "known.json")
    ask = ("run", TOURNAMENTS, "-u", faulty, *SMALL, "--baseline", known)
    assert icepick(*ask, "--baseline-update").code == 0
    again = icepick(*ask)
    assert (again.code, "(known)" in again.out) == (0, True)
    Path(known).write_text('{"format": "icepick-baseline/1", "findings": []}')
    assert icepick(*ask).code == 1


def test_a_baseline_that_is_missing_stops_before_the_run(
    icepick: Icepick, good: str, tmp_path: Path
):
    done = icepick("run", TOURNAMENTS, "-u", good, *SMALL, "--baseline", "none.json")
    assert (done.code, "ICP101" in done.err) == (2, True)
    assert not (tmp_path / ".icepick").exists()
    assert icepick("run", TOURNAMENTS, "-u", good, *SMALL, "--baseline-update").code == 2


def test_what_was_not_tested_can_count(icepick: Icepick, good: str):
    """An enrolment needs a player and a tournament, and these are left out."""
    only = ("--include-path", "/enrolments", "--include-path", "/enrolments/{eid}")
    ask = ("run", TOURNAMENTS, "-u", good, *only)
    done = icepick(*ask, "--json")
    assert (done.code, done.json["verdicts"]["NOT_TESTED"] > 0) == (0, True)
    assert icepick(*ask, "--fail-on", "not-tested").code == 1


# Filters


@pytest.mark.parametrize("document", [TOURNAMENTS, WITH_CONTRACTS])
def test_what_is_filtered_out_is_neither_called_nor_counted(
    icepick: Icepick, good: str, tmp_path: Path, document: str
):
    done = icepick(
        "run", document, "-u", good, "--include-path-regex", "^/players",
        "--exclude-path-regex", "tournaments", "--exclude-method", "put", "--json",
    )  # fmt: skip
    assert done.code == 0
    labels = {one["label"] for one in done.json["operations"]}
    assert "DELETE /players/{pid}" in labels
    assert not any("tournament" in label or label.startswith("PUT") for label in labels)
    sent = [one["exchange"]["request"] for one in events(tmp_path) if one["event"] == "exchanged"]
    assert not any("tournaments" in one["url"] or one["method"] == "PUT" for one in sent)


@pytest.mark.parametrize(
    "filters",
    [("--include-tag", "none"), ("--exclude-path-regex", "."), ("--include-tag-regex", "(")],
)
def test_a_filter_that_leaves_nothing_is_a_clear_error(icepick: Icepick, filters: tuple[str, ...]):
    done = icepick("run", TOURNAMENTS, "-u", "http://127.0.0.1:9", *filters)
    assert (done.code, "ICP612" in done.err) == (2, True)


def test_a_read_only_run_changes_nothing(icepick: Icepick, good: str, tmp_path: Path):
    done = icepick("run", TOURNAMENTS, "-u", good, "--read-only", "--json")
    sent = [one["exchange"]["request"] for one in events(tmp_path) if one["event"] == "exchanged"]
    assert {one["method"] for one in sent} == {"GET"}
    called = {one["label"] for one in done.json["operations"] if one["succeeded"]}
    assert {"GET /players", "GET /tournaments"} <= called


def test_a_read_only_run_takes_ids_from_lists(icepick: Icepick, tmp_path: Path):
    with served(SERVICE) as url:
        post(f"{url}/players", {"pid": "100000001", "name": "Ada", "email": "a@example.com"})
        post(f"{url}/tournaments", {"tid": 7, "tournamentName": "Open", "capacity": 3})
        post(f"{url}/enrolments", {"eid": 5, "pid": "100000001", "tid": 7})
        done = icepick("run", TOURNAMENTS, "-u", url, "--read-only", "--json")
    assert done.code == 0
    assert [one["label"] for one in done.json["operations"] if not one["succeeded"]] == []
    exchanged = [one for one in events(tmp_path) if one["event"] == "exchanged"]
    assert done.json["requests"] == len(exchanged)
    assert any("/enrolments/5" in one["exchange"]["request"]["url"] for one in exchanged)


# Addresses and secrets


def test_a_run_far_away_needs_to_be_allowed(icepick: Icepick, tmp_path: Path):
    done = icepick("run", TOURNAMENTS, "-u", "http://192.88.99.1:9", *SMALL)
    assert (done.code, "ICP608" in done.err) == (2, True)
    assert "--allow-host 192.88.99.1" in done.err
    assert not (tmp_path / ".icepick").exists()


@pytest.mark.parametrize(
    ("option", "value", "code"),
    [
        ("--rate-limit", "fast", "ICP601"),
        ("--proxy", "nowhere", "ICP607"),
        ("--tls-verify", "none.pem", "ICP606"),
        ("--workers", "0", "ICP002"),
        ("--report", "pdf", "ICP002"),
        ("--bounds", "Plaier=1", "ICP406"),
    ],
)
def test_an_option_that_makes_no_sense_stops_before_the_run(
    icepick: Icepick, good: str, tmp_path: Path, option: str, value: str, code: str
):
    done = icepick("run", TOURNAMENTS, "-u", good, option, value)
    assert (done.code, code in done.err) == (2, True)
    assert not (tmp_path / ".icepick").exists()


def test_nobody_says_where_the_service_is(icepick: Icepick, tmp_path: Path):
    (tmp_path / "api.json").write_text(
        '{"openapi": "3.0.3", "info": {"title": "a", "version": "1"}, "paths": '
        '{"/a": {"get": {"responses": {"200": {"description": "ok"}}}}}}'
    )
    done = icepick("run", "api.json")
    assert (done.code, "ICP609" in done.err) == (2, True)
    with_user = icepick("run", "api.json", "-u", "http://me:secret-word@127.0.0.1:9")
    assert (with_user.code, "ICP602" in with_user.err) == (2, True)
    assert "secret-word" not in with_user.out + with_user.err


def everything(folder: Path) -> str:
    return "".join(path.read_text() for path in folder.rglob("*") if path.is_file())


def test_secrets_appear_nowhere(icepick: Icepick, good: str, tmp_path: Path):
    secrets = ("t0ken-of-mine", "k3y-of-mine", "s3ssion-of-mine")
    done = icepick(
        "run", TOURNAMENTS, "-u", good, *SMALL, "--max-calls", "10",
        "--token", secrets[0], "--api-key", f"query:key={secrets[1]}",
        "-H", f"X-Session-Thing: {secrets[2]}", "--report", "html,junit,json,har",
    )  # fmt: skip
    assert done.code == 0
    text = everything(tmp_path) + done.out + done.err
    assert "run-ended" in text
    assert not any(secret in text for secret in secrets)


def test_a_login_lets_a_run_in_and_its_secrets_stay_out(icepick: Icepick, tmp_path: Path):
    with served(SHOP_SERVICE) as url:
        done = icepick(
            "run", SHOP, "-u", url, "--login", "POST /sessions", "--login-field", "username=demo",
            "--login-field", "password=demo-password", "--max-calls", "20",
            "--exclude-path-regex", "sessions", "--report", "json,har", "--json",
        )  # fmt: skip
    assert done.json["run"]["settings"]["auth"] == ["login"]
    assert done.json["verdicts"]["OK"] > 0
    assert "demo-password" not in everything(tmp_path) + done.out + done.err


def test_a_login_that_fails_leaves_no_run_behind(icepick: Icepick, tmp_path: Path):
    with served(SHOP_SERVICE) as url:
        done = icepick(
            "run", SHOP, "-u", url, "--login", "POST /sessions",
            "--login-field", "username=demo", "--login-field", "password=wrong-password",
        )  # fmt: skip
    assert (done.code, "ICP603" in done.err) == (2, True)
    assert "wrong-password" not in done.out + done.err
    assert not (tmp_path / ".icepick").exists()


# Ends of other kinds


def slowly(url: str, rate: str = "120/s") -> tuple[str, ...]:
    return ("run", TOURNAMENTS, "-u", url, *SMALL, "--rate-limit", rate)


def test_the_first_interrupt_ends_a_run_in_good_order(tmp_path: Path):
    with served(SERVICE) as url, spawned(tmp_path, *slowly(url)) as process:
        wait_for_calls(tmp_path, 20)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
        assert process.returncode == 130
        assert "interrupted" in out
        assert "stopping" in err
        assert events(tmp_path)[-1]["ending"] == "interrupted"
        assert get(f"{url}/players") == get(f"{url}/tournaments") == []


def test_the_second_interrupt_ends_it_at_once(tmp_path: Path):
    with served(SERVICE) as url, spawned(tmp_path, *slowly(url, "3/s")) as process:
        wait_for_calls(tmp_path, 4)
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
        assert time.monotonic() - start < 5
        assert process.returncode == 130
        assert "icepick resume" in err
        assert "cut off" in out
        assert "Traceback" not in err
        assert "never retrieved" not in err
    assert events(tmp_path)[-1]["event"] != "run-ended"


def demo_service(port: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "icepick", "demo-service", "tournaments", "--port", str(port)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


def is_up(port: int) -> bool:
    try:
        get(f"http://127.0.0.1:{port}/players")
    except URLError:
        return False
    return True


def test_a_service_that_comes_back_is_waited_for(tmp_path: Path):
    port = free_port()
    service = demo_service(port)
    try:
        wait_for(lambda: is_up(port))
        with spawned(tmp_path, *slowly(f"http://127.0.0.1:{port}")) as process:
            wait_for_calls(tmp_path, 20)
            service.kill()
            service.wait()
            time.sleep(0.3)
            service = demo_service(port)
            out, _ = process.communicate(timeout=40)
        assert (process.returncode, "finished" in out) == (0, True)
    finally:
        service.kill()
        service.wait()


def test_a_service_that_stays_away_ends_the_run_with_what_was_done(tmp_path: Path):
    port = free_port()
    service = demo_service(port)
    try:
        wait_for(lambda: is_up(port))
        command = (*slowly(f"http://127.0.0.1:{port}"), "--outage", "0.5", "--retries", "0")
        with spawned(tmp_path, *command) as process:
            wait_for_calls(tmp_path, 20)
            service.kill()
            out, _ = process.communicate(timeout=40)
        assert (process.returncode, "outage" in out) == (2, True)
    finally:
        service.kill()
        service.wait()
