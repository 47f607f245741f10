"""The commands that make something: what they print, write and return."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

DEMO = Path(__file__).parents[2] / "src" / "icepick" / "demo"
TOURNAMENTS = str(DEMO / "tournaments" / "openapi.yaml")


def icepick(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "icepick", *arguments], capture_output=True, text=True, check=False
    )


def test_graph_prints_resources():
    done = icepick("graph", TOURNAMENTS)
    assert done.returncode == 0
    assert "Enrolment  /enrolments/{eid}, joins Player and Tournament" in done.stdout
    assert "  pid -> Player" in done.stdout


def test_graph_explains_itself():
    assert (
        "named like the identifier of Player" in icepick("graph", TOURNAMENTS, "--explain").stdout
    )


def test_graph_writes_a_picture_and_a_page(tmp_path: Path):
    dot, html = tmp_path / "new" / "g.dot", tmp_path / "g.html"
    done = icepick("graph", TOURNAMENTS, "--dot", str(dot), "--html", str(html), "--json")
    found = json.loads(done.stdout)
    assert [r["name"] for r in found["resources"]] == ["Player", "Tournament", "Enrolment"]
    assert dot.read_text().startswith("digraph icepick {")
    assert "<title>Tournaments: resources</title>" in html.read_text()


def test_graph_page_shows_hostile_texts_as_text(tmp_path: Path):
    evil = "<script>alert(1)</script>"
    answer = {"200": {"description": "ok"}}
    paths = {f"/{evil}/{{id}}": {"delete": {"operationId": evil, "responses": answer}}}
    document = {"openapi": "3.0.3", "info": {"title": evil, "version": evil}, "paths": paths}
    file, html = tmp_path / "api.json", tmp_path / "g.html"
    file.write_text(json.dumps(document))
    assert icepick("graph", str(file), "--html", str(html)).returncode == 0
    assert "<script" not in html.read_text()


def test_a_file_that_cannot_be_written_is_a_clear_error(tmp_path: Path):
    done = icepick("graph", TOURNAMENTS, "--dot", str(tmp_path))
    assert done.returncode == 2
    assert "ICP005" in done.stderr
    assert "Traceback" not in done.stderr


def test_contracts_and_catalogue_build_an_extended_document(tmp_path: Path):
    file = tmp_path / "extended.yaml"
    inferred = json.loads(icepick("contracts", TOURNAMENTS, "-o", str(file), "--json").stdout)
    assert inferred["operations"]["POST /players"]["requires"] == [
        {
            "text": "res_code(GET /players/req_body(@){pid}) = 404",
            "provenance": "inferred",
            "confidence": 0.9,
            "reason": "a new Player must not exist yet",
        }
    ]
    added = icepick("catalogue", str(file), "--add", "capacity", "--in-place")
    assert added.returncode == 0
    assert "written to" in added.stdout
    checked = icepick("check", str(file))
    assert (checked.returncode, checked.stdout.splitlines()[-1]) == (
        0,
        "0 errors, 0 warnings, 0 notes",
    )
    assert file.read_text().count("invariants:") == 1


def test_contracts_say_what_is_missing():
    done = icepick("contracts", str(DEMO / "shop" / "openapi.yaml"), "--explain")
    assert "what the action does is not known" in done.stdout


def test_catalogue_lists_its_templates():
    done = icepick("catalogue")
    assert done.stdout.splitlines()[0].startswith("referential-integrity")
    assert len(json.loads(icepick("catalogue", "--json").stdout)["templates"]) == 9


@pytest.mark.parametrize(
    "arguments",
    [
        ["--add", "capacity"],
        ["-o", "x.yaml"],
        [TOURNAMENTS, "-o", "x.yaml"],
        [TOURNAMENTS, "--add", "capacity"],
        [TOURNAMENTS, "--add", "capacity", "-o", "x.yaml", "--in-place"],
        ["http://127.0.0.1:9/openapi.json", "--add", "capacity", "--in-place"],
    ],
)
def test_catalogue_writes_only_where_it_is_told(arguments: list[str], tmp_path: Path):
    done = icepick("catalogue", *arguments)
    assert done.returncode == 2
    assert "ICP002" in done.stderr
    assert not Path("x.yaml").exists()


@pytest.mark.parametrize("command", ["contracts", "catalogue"])
def test_a_file_that_is_something_else_is_not_overwritten(command: str, tmp_path: Path):
    notes = tmp_path / "notes.txt"
    notes.write_text("my notes")
    more = ["--add", "capacity"] if command == "catalogue" else []
    done = icepick(command, TOURNAMENTS, *more, "-o", str(notes))
    assert (done.returncode, notes.read_text()) == (2, "my notes")
    assert "ICP116" in done.stderr
    assert icepick(command, TOURNAMENTS, *more, "-o", str(notes), "--force").returncode == 0
    assert notes.read_text() != "my notes"


def test_a_read_only_file_stays(tmp_path: Path):
    file = tmp_path / "api.yaml"
    file.write_bytes(Path(TOURNAMENTS).read_bytes())
    file.chmod(0o444)
    done = icepick("catalogue", str(file), "--add", "capacity", "--in-place")
    assert done.returncode == 2
    assert file.read_bytes() == Path(TOURNAMENTS).read_bytes()


def test_a_full_disk_behind_the_output_is_a_clear_error():
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("there is no /dev/full here")
    with full.open("w") as output:
        done = subprocess.run(
            [sys.executable, "-m", "icepick", "check", TOURNAMENTS, "--json"],
            stdout=output, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert "ICP005" in done.stderr
    assert "Traceback" not in done.stderr


def test_check_finds_mistakes_of_contracts(tmp_path: Path):
    file = tmp_path / "mine.glacier"
    file.write_text("POST /players:\n  requires:\n    - req_body(@){pidd} != null\n")
    done = icepick("check", TOURNAMENTS, "--contracts", str(file))
    assert done.returncode == 1
    assert "did you mean `pid`?" in done.stdout
    assert f"{file}:3:" in done.stdout


def test_faults_one_per_line_the_papers_first():
    lines = icepick("demo-service", "tournaments", "--list-faults").stdout.splitlines()
    assert lines[:3] == [
        "delete-player-keeps",
        "delete-tournament-other",
        "delete-enrolment-keeps-membership",
    ]
    assert all(" " not in line for line in lines)


def test_an_unknown_fault_is_a_clear_error():
    done = icepick("demo-service", "shop", "--fault", "nope")
    assert done.returncode == 2
    assert "ICP003" in done.stderr


def test_demo_service_runs_until_it_is_interrupted():
    command = [sys.executable, "-m", "icepick", "demo-service", "petstore", "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        text = ""
        while not text.rstrip().endswith("\n}"):
            text += process.stdout.readline()
        url = json.loads(text)["url"]
        with urlopen(f"{url}/openapi.json") as answer:
            assert json.load(answer)["openapi"].startswith("3.0")
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10) == 0


def test_a_port_in_use_is_a_clear_error():
    command = [sys.executable, "-m", "icepick", "demo-service", "petstore", "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(5)]
        port = json.loads("".join(lines))["url"].rsplit(":", 1)[1]
        done = icepick("demo-service", "shop", "--port", port)
        process.send_signal(signal.SIGTERM)
    assert done.returncode == 2
    assert "ICP004" in done.stderr
