"""`icepick resume`: a run that was killed comes to the same end."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

from icepick.demo.tournaments import TOURNAMENTS as SERVICE
from tests.cli.invoking import (
    DELETE_KEEPS,
    SMALL,
    TOURNAMENTS,
    Icepick,
    events,
    get,
    icepick,
    journal,
    spawned,
    wait_for_calls,
)
from tests.glacier.live import served

__all__ = ["icepick"]


def killed(folder: Path, url: str, calls: int, *more: str) -> None:
    command = ("run", TOURNAMENTS, "-u", url, *SMALL, "--rate-limit", "90/s", "-w", "2", *more)
    with spawned(folder, *command) as process:
        wait_for_calls(folder, calls)
        process.send_signal(signal.SIGKILL)
        process.wait()


def identifier(one: dict[str, Any]) -> Any:
    return one.get("pid") or one.get("tid")


def created(told: list[Any]) -> list[dict[str, Any]]:
    """What the answers to creations showed."""
    exchanges = [one["exchange"] for one in told if one["event"] == "exchanged"]
    return [
        json.loads(one["reply"]["body"])
        for one in exchanges
        if one["request"]["method"] == "POST" and one["reply"]["status"] == 201
    ]


def test_a_killed_run_goes_on_where_it_was(icepick: Icepick, tmp_path: Path):
    with served(SERVICE) as url:
        killed(tmp_path, url, 120)
        before = events(tmp_path)
        assert before[-1]["event"] != "run-ended"
        done = icepick("resume", "--json")
        assert done.code == 0
        left = [*get(f"{url}/players"), *get(f"{url}/tournaments")]
    # Nobody knows of a request that was under way when the process died.
    made = set(map(identifier, created(before)))
    assert made
    assert None not in made
    assert not made & set(map(identifier, left))
    after = events(tmp_path)
    assert after[: len(before)] == before
    assert (after[-1]["event"], after[-1]["ending"]) == ("run-ended", "finished")
    ended = [one["sequence"] for one in after if one["event"] == "sequence-ended"]
    assert sorted(ended) == list(range(len(ended)))
    (model,) = done.json["models"]
    assert model["coverage"]["transitions"] == {"covered": 10, "total": 10}
    assert done.json["requests"] == sum(one["event"] == "exchanged" for one in after)


def test_a_fault_seen_before_the_kill_is_found_after_it(icepick: Icepick, tmp_path: Path):
    with served(SERVICE, "delete-player-keeps") as url:
        killed(tmp_path, url, 120)
        assert not [one for one in events(tmp_path) if one["event"] == "finding-found"]
        done = icepick("resume", "--json")
    assert (done.code, [one["id"] for one in done.json["findings"]]) == (1, [DELETE_KEEPS])


def test_a_line_that_was_cut_off_does_no_harm(icepick: Icepick, tmp_path: Path):
    with served(SERVICE) as url:
        killed(tmp_path, url, 30)
        path = journal(tmp_path)
        path.write_bytes(path.read_bytes() + b'{"event":"exchang')
        assert icepick("resume").code == 0
    assert events(tmp_path)[-1]["event"] == "run-ended"


def test_a_finished_run_says_so(icepick: Icepick, tmp_path: Path):
    with served(SERVICE) as url:
        icepick("run", TOURNAMENTS, "-u", url, *SMALL)
    before = journal(tmp_path).read_bytes()
    done = icepick("resume")
    assert (done.code, "has finished" in done.out) == (0, True)
    assert journal(tmp_path).read_bytes() == before


def test_a_changed_document_is_not_gone_on_with(icepick: Icepick, tmp_path: Path):
    document = tmp_path / "api.yaml"
    document.write_bytes(Path(TOURNAMENTS).read_bytes())
    with served(SERVICE) as url:
        ask = ("run", "api.yaml", "-u", url, *SMALL, "--max-calls", "5")
        icepick(*ask)
        document.write_text(document.read_text().replace("/capacity", "/room"))
        done = icepick("resume", journal(tmp_path).parent.name)
    assert (done.code, "ICP614" in done.err) == (2, True)


def test_an_unknown_run_is_a_clear_error(icepick: Icepick):
    done = icepick("resume", "20200101-000000-aaaa")
    assert (done.code, "ICP604" in done.err) == (2, True)
