"""`icepick model` and `icepick explore` as a user types them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.test_commands import icepick

EXAMPLES = Path(__file__).parents[2] / "examples"
TOURNAMENTS = str(EXAMPLES / "tournaments.yaml")
ONE = "Player=1,Tournament=1,Enrolment=1"
SHARED = Path(__file__).parents[3] / "shared" / "data" / "ssg"


def explored(*arguments: str) -> dict[str, object]:
    done = icepick("explore", *arguments, "--json")
    assert done.returncode in {0, 1}, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_explore_counts():
    found = explored(TOURNAMENTS, "--bounds", ONE)
    assert (found["states"], found["transitions"], found["finals"]) == (5, 10, 1)
    assert {"depth", "actions", "seconds", "peak_rss_mb", "engine"} <= found.keys()


def test_explore_prints_a_summary():
    done = icepick("explore", TOURNAMENTS, "--bounds", ONE)
    assert "5 states, 10 transitions, 1 final, depth 3" in done.stdout


def test_symmetry_gives_the_same_totals_from_fewer_states():
    full = explored(TOURNAMENTS)
    found = explored(TOURNAMENTS, "--symmetry")
    assert (found["states"], found["transitions"]) == (full["states"], full["transitions"])
    assert int(str(found["representatives"])) < int(str(full["states"]))


def test_limits_stop_with_what_was_explored():
    found = explored(TOURNAMENTS, "--max-states", "50")
    assert found["stopped"] == "there are more than 50 states"


def test_graph_is_written(tmp_path: Path):
    dot, saved = tmp_path / "g.dot", tmp_path / "g.npz"
    explored(TOURNAMENTS, "--bounds", ONE, "--dot", str(dot), "--save", str(saved))
    assert dot.read_text().count("->") == 10
    assert saved.stat().st_size > 100
    assert explored(str(dot))["transitions"] == 10


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared data is not here")
def test_graphs_of_tlc_are_read():
    found = explored(str(SHARED / "tournaments-1-1-1.dot"))
    assert found["transitions"] == 10
    assert int(str(explored(str(SHARED / "tournaments-2-2-2-older-model.dot"))["states"])) > 100


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00\x81", b"not a graph"])
def test_a_dot_file_that_is_none_is_a_clear_error(content: bytes | None, tmp_path: Path):
    file = tmp_path / "g.dot"
    if content is not None:
        file.write_bytes(content)
    done = icepick("explore", str(file))
    assert done.returncode == 2
    assert "ICP001" not in done.stderr


def test_model_writes_tla(tmp_path: Path):
    done = icepick("model", TOURNAMENTS, "-o", str(tmp_path / "tla"), "--explain")
    assert done.returncode == 0
    assert "postEnrolment(e: Enrolment, p: Player, t: Tournament)" in done.stdout
    assert "not in the model: POST /players: req_body(@) = res_body(@)" in done.stdout
    module = (tmp_path / "tla" / "Tournaments.tla").read_text()
    assert r"\* res_code(GET /players/req_body(@){pid}) = 404" in module
    assert (tmp_path / "tla" / "Tournaments.cfg").exists()


def test_model_as_json():
    found = json.loads(icepick("model", TOURNAMENTS, "--json").stdout)
    assert found["models"][0]["unused"][0].keys() == {"operation", "clause", "reason"}


def test_a_document_without_contracts_gets_inferred_ones():
    service = EXAMPLES.parent / "src" / "icepick" / "demo" / "tournaments" / "openapi.yaml"
    found = explored(str(service), "--bounds", ONE)
    assert found["states"] == 5


def test_contracts_that_contradict_one_another(tmp_path: Path):
    """Without the guard on the capacity its invariant fails, and the trace shows how."""
    file = tmp_path / "api.yaml"
    text = Path(TOURNAMENTS).read_text()
    guard = next(line for line in text.splitlines() if ".len < " in line)
    file.write_text(text.replace(f"{guard}\n", "").replace(", capacity: 1..2", ""))
    done = icepick("explore", str(file))
    assert done.returncode == 1
    assert "contradiction for t in res_body(GET /tournaments)" in done.stdout
    assert "postEnrolment(e2, " in done.stdout


def test_unknown_resource_in_bounds():
    done = icepick("explore", TOURNAMENTS, "--bounds", "Nobody=1")
    assert done.returncode == 2
    assert "one of Player, Tournament, Enrolment" in done.stderr


@pytest.mark.parametrize("bounds", ["Player", "Player=x", "=2", "Player=0"])
def test_bad_bounds(bounds: str):
    assert icepick("explore", TOURNAMENTS, "--bounds", bounds).returncode == 2


def test_tlc_without_its_jar_is_a_clear_error(tmp_path: Path):
    done = icepick("explore", TOURNAMENTS, "--engine", "tlc", "--tlc-jar", str(tmp_path / "no.jar"))
    assert done.returncode == 2
    assert ("ICP504" if shutil.which("java") else "ICP503") in done.stderr
