"""`icepick protocol`: runs of models, and models as files."""

from __future__ import annotations

import json
import re
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from icepick.demo.petstore import PETSTORE
from icepick.demo.sockshop import SOCKSHOP
from tests.cli.invoking import DEMO, Icepick, events, icepick, journal, spawned, wait_for_calls
from tests.glacier.live import served

__all__ = ["icepick"]

EXAMPLES = Path(__file__).parents[2] / "examples" / "protocols"
FIGURE_3 = (str(EXAMPLES / "sockshop.protocol"), str(EXAMPLES / "sockshop.openapi.yaml"))
PETS = (str(EXAMPLES / "petstore.protocol"), str(DEMO / "petstore" / "openapi.yaml"))


@pytest.fixture(scope="module")
def good() -> Iterator[str]:
    with served(SOCKSHOP) as url:
        yield url


@pytest.fixture(scope="module")
def faulty() -> Iterator[str]:
    with served(SOCKSHOP, "second-card-crashes") as url:
        yield url


@pytest.fixture(scope="module")
def pets() -> Iterator[str]:
    with served(PETSTORE) as url:
        yield url


# Runs


def test_a_service_that_is_right(icepick: Icepick, good: str, tmp_path: Path) -> None:
    done = icepick("protocol", *FIGURE_3, "--url", good, "--seed", "5")
    assert done.code == 0, done.err
    assert "seed 5" in done.err
    assert re.search(r"branches 5/5.*responses 5/5.*pairs 22/22", done.out, re.DOTALL)
    assert "no findings" in done.out
    (start,) = [one for one in events(tmp_path) if one["event"] == "run-started"]
    assert start["settings"]["protocol"] == FIGURE_3[0]
    assert start["settings"]["strategy"] == "cover"


def test_a_fault_is_told_with_a_way_to_see_it(icepick: Icepick, faulty: str) -> None:
    done = icepick("protocol", *FIGURE_3, "--url", faulty, "--report", "html,junit,json,har")
    assert done.code == 1, done.err
    assert "!addCard: answered with 500 in place of ?C201" in done.out
    assert "curl" in done.out
    assert "1 finding" in done.out
    folder = journal(Path()).parent
    names = {path.name for path in folder.iterdir()}
    assert {"report.html", "junit.xml", "report.json", "report.har"} <= names
    assert "answered with 500" in (folder / "report.html").read_text(encoding="utf-8")
    again = icepick("report")
    assert "1 finding" in again.out
    assert re.search(r"pairs \d+/22", again.out)


def test_json_has_the_coverage_of_each_model(icepick: Icepick, pets: str) -> None:
    names = ("--model", "Users", "--model", "Lists")
    done = icepick("protocol", *PETS, "--url", pets, *names, "--json")
    assert done.code == 0, done.err
    found = {model["name"]: model["coverage"] for model in done.json["models"]}
    assert list(found) == ["Users", "Lists"]
    assert found["Lists"]["branches"] == {"covered": 6, "total": 6}
    assert found["Users"]["pairs"]["covered"] == found["Users"]["pairs"]["total"]


def test_runs_by_chance_with_their_logs(icepick: Icepick, faulty: str, tmp_path: Path) -> None:
    options = ("--strategy", "random", "--runs", "4", "--seed", "10", "--log", "logs")
    done = icepick("protocol", *FIGURE_3, "--url", faulty, *options)
    assert done.code == 1, done.err
    logs = sorted((tmp_path / "logs").glob("*.log"))
    assert [path.name for path in logs] == [f"S_shop-00{number}.log" for number in range(4)]
    assert logs[3].read_text().startswith(f"model S_shop, run 3, seed 13\nservice {faulty}\n")
    failed = {path.stem for path in logs if "ERR !addCard" in path.read_text()}
    assert failed
    scripts = {path.stem for path in (tmp_path / "logs").glob("*.sh")}
    assert scripts == failed
    script = (tmp_path / "logs" / f"{min(scripts)}.sh").read_text()
    assert "addCard answered 500" in script
    assert script.count("curl ") >= 3
    ended = [one for one in events(tmp_path) if one["event"] == "sequence-ended"]
    assert len(ended) == 4


def test_a_finding_made_again(icepick: Icepick, faulty: str, good: str) -> None:
    icepick("protocol", *FIGURE_3, "--url", faulty)
    still = icepick("protocol", *FIGURE_3, "--url", faulty, "--replay", "1")
    assert still.code == 1
    assert "the fault still shows (3 calls)" in still.out
    mended = icepick("protocol", *FIGURE_3, "--url", good, "--replay", "1", "--json")
    assert mended.code == 0
    assert mended.json["shows"] is False
    assert [call["verdict"] for call in mended.json["calls"]] == ["OK", "OK", "OK"]
    other = icepick("protocol", *PETS, "--url", good, "--replay", "1")
    assert other.code == 2
    assert "ICP614" in other.err


def test_a_baseline(icepick: Icepick, faulty: str) -> None:
    known = ("--baseline", "known.json")
    icepick("protocol", *FIGURE_3, "--url", faulty, *known, "--baseline-update")
    assert icepick("protocol", *FIGURE_3, "--url", faulty, *known).code == 0
    assert icepick("protocol", *FIGURE_3, "--url", faulty).code == 1


def test_nothing_is_sent_to_a_host_far_away(icepick: Icepick) -> None:
    done = icepick("protocol", *FIGURE_3, "--url", "http://service.invalid")
    assert done.code == 2
    assert "--allow-host" in done.err


def test_the_strategy_of_other_runs_in_the_configuration_is_none_of_ours(
    icepick: Icepick, good: str, tmp_path: Path
) -> None:
    (tmp_path / "icepick.toml").write_text('strategy = "tour"\nseed = 77\n')
    done = icepick("protocol", *FIGURE_3, "--url", good)
    assert done.code == 0, done.err
    assert "seed 77" in done.err
    wrong = icepick("protocol", *FIGURE_3, "--url", good, "--strategy", "tour")
    assert wrong.code == 2
    assert "'tour' is neither random nor cover" in wrong.err


def test_a_run_that_is_interrupted_cleans_up(tmp_path: Path, good: str) -> None:
    options = ("--strategy", "random", "--runs", "100000", "--max-length", "30")
    with spawned(tmp_path, "protocol", *FIGURE_3, "--url", good, *options) as process:
        wait_for_calls(tmp_path, 30)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "interrupted" in out
    told = events(tmp_path)
    assert told[-1]["event"] == "run-ended"
    statuses: dict[str, list[int]] = {"addCust": [], "deleteCust": []}
    for one in told:
        exchange = one.get("exchange", {})
        if one["event"] == "exchanged" and exchange.get("operation") in statuses:
            statuses[exchange["operation"]].append(exchange["reply"]["status"])
    assert statuses["addCust"].count(201) == statuses["deleteCust"].count(204) > 0


# What a person can get wrong


def test_a_model_with_errors_is_not_run(icepick: Icepick, good: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.protocol"
    file.write_text("S = !addCast() . ?C201() . end\n")
    done = icepick("protocol", str(file), FIGURE_3[1], "--url", good)
    assert done.code == 2
    assert "ICP710" in done.err
    assert "addCast" in done.err
    assert not list(tmp_path.glob(".icepick/runs/*"))


def test_checking_alone(icepick: Icepick, tmp_path: Path) -> None:
    done = icepick("protocol", *FIGURE_3, "--check")
    assert done.code == 0
    assert "S_shop 5 branches, 5 responses, 22 pairs" in done.out
    file = tmp_path / "wrong.protocol"
    file.write_text("S = !addCust(apiKey: String) . ?C418() . end\n")
    wrong = icepick("protocol", str(file), FIGURE_3[1], "--check")
    assert wrong.code == 1
    assert "ICP721" in wrong.out
    assert "^" in wrong.out
    as_json = icepick("protocol", str(file), FIGURE_3[1], "--check", "--json")
    assert [one["code"] for one in as_json.json["diagnostics"]] == ["ICP721"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((FIGURE_3[0],), "ICP002", "MODEL and SCHEMA"),
        ((), "ICP002", "given nothing"),
        ((*FIGURE_3, "--model", "Shop"), "ICP709", "S_shop"),
        (("missing.protocol", FIGURE_3[1]), "ICP704", "missing.protocol"),
        (("--from-arazzo", "missing.yaml", FIGURE_3[1]), "ICP741", "missing.yaml"),
    ],
)
def test_mistakes(icepick: Icepick, arguments: tuple[str, ...], code: str, said: str) -> None:
    done = icepick("protocol", *arguments, "--url", "http://127.0.0.1:9")
    assert done.code == 2
    assert code in done.err
    assert said in done.err


# Models as files


def test_a_first_model_is_written_and_works(icepick: Icepick, pets: str, tmp_path: Path) -> None:
    done = icepick("protocol", "--from-contracts", PETS[1], "-o", "first.protocol")
    assert done.code == 0, done.err
    before = (tmp_path / "first.protocol").read_text()
    again = icepick("protocol", "--from-contracts", PETS[1], "-o", "first.protocol")
    assert again.code == 2
    assert "--force" in again.err
    assert (tmp_path / "first.protocol").read_text() == before
    run = icepick("protocol", "first.protocol", PETS[1], "--url", pets)
    assert run.code == 0, run.out
    assert "no findings" in run.out


def test_a_linear_model_goes_to_arazzo_and_back(
    icepick: Icepick, pets: str, tmp_path: Path
) -> None:
    done = icepick("protocol", *PETS, "--to-arazzo", "flows.yaml")
    assert done.code == 0, done.err
    content = yaml.safe_load((tmp_path / "flows.yaml").read_text())
    assert [flow["workflowId"] for flow in content["workflows"]] == ["Lists"]
    back = icepick("protocol", "--from-arazzo", "flows.yaml", PETS[1], "-o", "back.protocol")
    assert back.code == 0, back.err
    shutil.copy(EXAMPLES / "gen.py", tmp_path)
    run = icepick("protocol", "back.protocol", PETS[1], "--url", pets)
    assert run.code == 0, run.out + run.err
    loops = icepick("protocol", *FIGURE_3, "--to-arazzo", "loops.yaml")
    assert loops.code == 2
    assert "ICP740" in loops.err


def test_a_model_is_printed_where_no_file_is_named(icepick: Icepick) -> None:
    done = icepick("protocol", "--from-contracts", PETS[1])
    assert done.code == 0
    assert "Pet =" in done.out
    as_json = json.loads(icepick("protocol", "--from-contracts", PETS[1], "--json").out)
    assert as_json["text"].strip() == done.out.strip()
