"""The configuration file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.invoking import TOURNAMENTS, Done, Icepick, icepick

__all__ = ["icepick"]


def dry(icepick: Icepick, *more: str) -> Done:
    return icepick("run", "--dry-run", "--json", *more)


def test_the_file_gives_defaults_and_the_command_line_beats_it(icepick: Icepick, tmp_path: Path):
    (tmp_path / "icepick.toml").write_text(
        f'schema = "{TOURNAMENTS}"\nseed = 5\nbounds = {{ Player = 1, Tournament = 1, '
        "Enrolment = 1 }\n"
    )
    found = dry(icepick).json
    assert found["seed"] == 5
    assert {call["call"] for s in found["models"][0]["sequences"] for call in s} >= {
        "postPlayer(p1)"
    }
    assert "p2" not in str(found)
    beaten = dry(icepick, "--seed", "6", "--bounds", "Player=2").json
    assert beaten["seed"] == 6
    assert "p2" in str(beaten)


def test_the_project_file_will_do_and_has_the_lower_rank(icepick: Icepick, tmp_path: Path):
    project = tmp_path / "pyproject.toml"
    project.write_text(f'[tool.other]\nx = 1\n[tool.icepick]\nschema = "{TOURNAMENTS}"\nseed = 8\n')
    assert dry(icepick, "--bounds", "Player=1").json["seed"] == 8
    (tmp_path / "icepick.toml").write_text("seed = 9\n")
    assert dry(icepick, TOURNAMENTS).json["seed"] == 9
    (tmp_path / "icepick.toml").unlink()
    project.write_text("[tool.other]\nx = 1\n")
    assert dry(icepick, TOURNAMENTS, "--seed", "1").code == 0


def test_the_environment_fills_in(
    icepick: Icepick, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("MY_TOKEN", "t0ken-of-mine")
    (tmp_path / "other.toml").write_text(
        'token = "${MY_TOKEN}"\nurl = "http://${MY_HOST:-192.88.99.1}:9"\n'
        'headers = { X-Price = "5 $$" }\n'
    )
    done = icepick("run", TOURNAMENTS, "--config", "other.toml")
    assert (done.code, "ICP608" in done.err, "192.88.99.1" in done.err) == (2, True, True)
    monkeypatch.delenv("MY_TOKEN")
    unset = icepick("run", TOURNAMENTS, "--config", "other.toml")
    assert (unset.code, "ICP611" in unset.err, "MY_TOKEN" in unset.err) == (2, True, True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sede = 1\n", "did you mean `seed`?"),
        ("seed = \n", ":1"),
        ("schema = 2020-01-01\n", "neither text nor number"),
    ],
)
def test_a_mistake_is_a_clear_error(icepick: Icepick, tmp_path: Path, text: str, said: str):
    (tmp_path / "icepick.toml").write_text(text)
    done = dry(icepick, TOURNAMENTS)
    assert (done.code, "ICP610" in done.err) == (2, True)
    assert said in done.err


def test_a_value_of_the_wrong_kind_names_its_option(icepick: Icepick, tmp_path: Path):
    (tmp_path / "icepick.toml").write_text('workers = "many"\n')
    done = dry(icepick, TOURNAMENTS)
    assert (done.code, "--workers" in done.err) == (2, True)


def test_a_file_that_is_not_there_is_a_clear_error(icepick: Icepick):
    done = dry(icepick, TOURNAMENTS, "--config", "none.toml")
    assert (done.code, "ICP610" in done.err) == (2, True)


def test_lists_and_flags(icepick: Icepick, tmp_path: Path):
    (tmp_path / "icepick.toml").write_text(
        'exclude-path-regex = ["enrolments", "tournaments"]\nrefusals = "none"\nno-updates = true\n'
    )
    found = dry(icepick, TOURNAMENTS)
    assert found.code == 2, "no-updates is the other side of updates"
    (tmp_path / "icepick.toml").write_text(
        'exclude-path-regex = ["enrolments", "tournaments"]\nrefusals = "none"\nupdates = false\n'
    )
    calls = str(dry(icepick, TOURNAMENTS).json)
    assert "POST /players" in calls
    assert "PUT" not in calls
    assert "tournaments" not in calls
    assert "refused" not in calls
