"""`icepick replay`: whether a fault still shows."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from icepick.demo.tournaments import TOURNAMENTS as SERVICE
from tests.cli.invoking import DELETE_KEEPS, SMALL, TOURNAMENTS, Icepick, icepick
from tests.glacier.live import served

__all__ = ["icepick"]


@pytest.fixture
def found(icepick: Icepick) -> Iterator[str]:
    with served(SERVICE, "delete-player-keeps") as url:
        icepick("run", TOURNAMENTS, "-u", url, *SMALL)
        yield url


def test_a_fault_that_is_still_there_shows(icepick: Icepick, found: str):
    done = icepick("replay", DELETE_KEEPS)
    assert done.code == 1
    assert "2. ERR deletePlayer(p1)" in done.out
    assert f"DELETE {found}/players/" in done.out
    assert "the fault still shows (2 calls)" in done.out


def test_a_fault_that_is_gone_does_not(icepick: Icepick, found: str):
    with served(SERVICE) as mended:
        done = icepick("replay", "1", "--url", mended, "--json")
    assert (done.code, done.json["shows"]) == (0, False)
    assert [one["verdict"] for one in done.json["calls"]] == ["OK", "OK"]


def test_a_service_that_is_gone_shows_nothing(icepick: Icepick, found: str):
    done = icepick("replay", "1", "--url", "http://127.0.0.1:9", "--retries", "0", "--json")
    assert (done.code, done.json["shows"]) == (2, None)


def test_a_finding_is_looked_for_in_earlier_runs_too(icepick: Icepick, found: str):
    with served(SERVICE) as clean:
        icepick("run", TOURNAMENTS, "-u", clean, *SMALL)
    assert icepick("replay", DELETE_KEEPS).code == 1
    assert icepick("replay", "1").code == 2


def test_an_unknown_finding_is_a_clear_error(icepick: Icepick, found: str):
    done = icepick("replay", "00000000")
    assert (done.code, "ICP613" in done.err) == (2, True)
    assert DELETE_KEEPS in done.err


def test_a_replay_leaves_the_journal_alone(icepick: Icepick, found: str, tmp_path: Path):
    (path,) = tmp_path.glob(".icepick/runs/*/journal.ndjson")
    before = path.read_bytes()
    icepick("replay", "1")
    assert path.read_bytes() == before
    assert len(list(tmp_path.glob(".icepick/runs/*"))) == 1


def test_a_fault_shows_that_comes_after_another_one(icepick: Icepick):
    faults = [fault.name for fault in SERVICE.faults[:3]]
    with served(SERVICE, *faults) as url:
        done = icepick("run", TOURNAMENTS, "-u", url, *SMALL, "--json")
        assert len(done.json["findings"]) >= 3
        for finding in done.json["findings"]:
            assert icepick("replay", finding["id"]).code == 1


@contextmanager
def counting(status: int) -> Iterator[str]:
    """A service that answers what is no number with this status."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            try:
                good = type(json.loads(body)["n"]) is int
            except (ValueError, KeyError, TypeError):
                good = False
            self.send_response(200 if good else status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_wrong_input_is_sent_as_it_was(icepick: Icepick, tmp_path: Path):
    number = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}
    body = {"required": True, "content": {"application/json": {"schema": number}}}
    answers = {"200": {"description": "ok"}, "400": {"description": "no"}}
    paths = {"/count": {"post": {"requestBody": body, "responses": answers}}}
    document = {"openapi": "3.0.3", "info": {"title": "n", "version": "1"}, "paths": paths}
    (tmp_path / "api.json").write_text(json.dumps(document))
    with counting(500) as url:
        done = icepick("run", "api.json", "-u", url, "--json")
        (finding, *_) = [one for one in done.json["findings"] if one["status"] == 500]
        assert icepick("replay", finding["id"]).code == 1
    with counting(400) as mended:
        assert icepick("replay", finding["id"], "-u", mended).code == 0
