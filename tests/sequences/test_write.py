"""Plans on disk: what is written is what was planned."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from icepick.pipeline.upkeep import upkeep
from icepick.sequences import Options, Plan, Refusals, Strategy, Writer, carried_out, plan
from icepick.sequences.types import Batch, Call, Kind
from tests.sequences.examples import EXAMPLES, api, petstore, tournaments

TOURNAMENTS = str(EXAMPLES / "tournaments.yaml")
TWO = ("--bounds", "Player=2,Tournament=2,Enrolment=2")


def lines(made: Plan) -> list[dict[str, Any]]:
    file = io.BytesIO()
    carried_out(made, Writer(file, made.calls, made.graph.states, {"seed": made.options.seed}))
    return [json.loads(line) for line in file.getvalue().decode().splitlines()]


@pytest.mark.parametrize("strategy", Strategy)
def test_a_line_per_sequence(strategy: Strategy) -> None:
    explored = petstore(2)
    made = plan(
        explored,
        Options(strategy, refusals=Refusals.ONE),
        upkeep(api("petstore"), explored.model),
    )
    header, *rows = lines(made)
    assert header["seed"] == 0
    assert [call["name"] for call in header["calls"]] == [call.name for call in made.calls]
    assert len({call["name"] for call in header["calls"]}) == len(made.calls)
    wanted = [
        {
            "calls": [step.call.name for step in sequence.steps],
            "states": [0, *(step.state for step in sequence.steps)],
        }
        for sequence in made.sequences()
    ]
    assert rows == wanted


def test_sets_and_inputs_and_violations_can_be_read_without_taking_names_apart() -> None:
    explored = petstore(1)
    made = plan(explored, Options(refusals=Refusals.ONE), upkeep(api("petstore"), explored.model))
    calls = {call["name"]: call for call in lines(made)[0]["calls"]}
    assert calls["createUsersWithListInput({u1})"]["arguments"] == [["u1"]]
    assert calls["updatePet(p1) #2"]["input"] == 2
    assert calls["updatePet(p1) #2"]["kind"] == "update"
    clause = "res_code(GET /pet/{petId}) = 200"
    assert calls[f"refused deletePet(p1) [{clause}]"]["violated"] == [clause]


def test_names_of_others_are_written_as_they_are() -> None:
    name = 'Zürich "☃"'
    file = io.BytesIO()
    writer = Writer(file, (Call(Kind.READ, name, ()),), 1, {})
    one = np.array([0])
    writer.write(Batch(np.array([0, 1, 1]), one, one, one))
    _, first, second = map(json.loads, file.getvalue().decode().splitlines())
    assert first == {"calls": [f"{name}()"], "states": [0, 0]}
    assert second == {"calls": [], "states": [0]}


def test_a_plan_of_nothing_is_written_too() -> None:
    file = io.BytesIO()
    writer = Writer(file, (), 1, {})
    none = np.zeros(0, dtype=np.int64)
    writer.write(Batch(np.array([0, 0]), none, none, none))
    assert file.getvalue().splitlines()[1:] == [b'{"calls":[],"states":[0]}']


def icepick(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "icepick", "plan", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_prints_its_numbers_and_writes_its_lines(tmp_path: Path) -> None:
    out = tmp_path / "new" / "plan.ndjson"
    done = icepick(TOURNAMENTS, *TWO, "--strategy", "paper", "--json", "--out", str(out))
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["paths"] == 721
    assert (found["calls"], found["min"], found["max"], found["mean"]) == (5_198, 6, 8, 7.21)
    assert (found["states_covered"], found["transitions_covered"]) == (192, 872)
    assert found["seconds"] < 3
    assert 0 < found["peak_rss_mb"] < 500
    header, *rows = out.read_text().splitlines()
    assert json.loads(header)["strategy"] == "paper"
    assert len(rows) == 721
    assert sum(len(json.loads(row)["calls"]) for row in rows) == 5_198


def test_the_command_says_what_a_budget_leaves_out() -> None:
    done = icepick(TOURNAMENTS, *TWO, "--max-calls", "100", "--no-color")
    assert done.returncode == 0
    assert "the budget of 100 calls is spent" in done.stdout
    assert "100 calls (" in done.stdout


def test_the_same_seed_gives_the_same_file(tmp_path: Path) -> None:
    asked = (TOURNAMENTS, *TWO, "--refusals", "one", "--updates", "--symmetry", "--seed", "5")
    out = tmp_path / "plan.ndjson"
    assert icepick(*asked, "--out", str(out)).returncode == 0
    explored = tournaments(2, symmetry=True)
    operations = upkeep(api("tournaments"), explored.model)
    texts = {}
    for seed in (5, 6):
        options = Options(Strategy.TOUR, refusals=Refusals.ONE, seed=seed)
        texts[seed] = lines(plan(explored, options, operations))[1:]
    written = [json.loads(line) for line in out.read_text().splitlines()[1:]]
    assert written == texts[5] != texts[6]


def test_a_file_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    done = icepick(TOURNAMENTS, *TWO, "--out", str(tmp_path))
    assert done.returncode == 2
    assert "ICP005" in done.stderr
