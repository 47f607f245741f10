"""A finding is replayed in the model that it came from, whatever other models there are."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from icepick.demo.tournaments import TOURNAMENTS
from icepick.execute.engine import RunOptions
from icepick.execute.events import Event
from icepick.execute.types import Finding, Judged, Verdict
from icepick.openapi import read_spec
from icepick.pipeline.beginning import Earlier
from icepick.pipeline.models import Described, describe
from icepick.pipeline.planning import Planned, planned
from icepick.pipeline.rerun import Past, past_of, shows, steps_of, without_sequences
from icepick.pipeline.session import Session
from icepick.pipeline.settings import RunSettings
from icepick.sequences.types import Step
from tests.glacier.live import served
from tests.pipeline.running import demo, quick

FAULT = "delete-player-keeps"


@pytest.fixture(scope="module")
def api() -> Described:
    return describe(read_spec(demo("tournaments")))


@pytest.fixture(scope="module")
def plans(api: Described) -> tuple[Planned, ...]:
    """Three models; the others have all calls of the first, and the last a second player."""
    bounds = [(1, 1), (1, 2), (2, 1)]
    return tuple(planned(api, _settings(*each))[0] for each in bounds)


def _settings(players: int = 1, tournaments: int = 1) -> RunSettings:
    bounds = {"Player": players, "Tournament": tournaments, "Enrolment": 1}
    return RunSettings(seed=1, bounds=bounds, wrong=0, operations=False, correction=False)


def _past(api: Described, url: str, plans: tuple[Planned, ...], walked: int) -> Past:
    """The past of a run that walked one of the models only."""
    others = [
        (number, index)
        for number, one in enumerate(plans)
        if number != walked
        for index, _ in enumerate(one.plan.sequences())
    ]
    settings = replace(_settings(), engine=RunOptions(workers=1, done=frozenset(others)))

    async def gathered() -> list[Event]:
        session = Session(api, quick(url), settings, earlier=Earlier(plans))
        return [event async for event in session.events()]

    return past_of(asyncio.run(gathered()))


def _of_deletion(past: Past) -> Finding:
    (found,) = [one for one in past.findings.values() if one.action == "deletePlayer"]
    return found


@pytest.mark.parametrize("walked", [0, 1, 2])
def test_the_steps_are_those_of_the_model_that_showed_the_fault(
    api: Described, plans: tuple[Planned, ...], walked: int
) -> None:
    with served(TOURNAMENTS, FAULT) as url:
        past = _past(api, url, plans, walked)
    finding = _of_deletion(past)
    found = steps_of(finding, plans, past)
    assert found is not None
    model, steps = found
    assert model is plans[walked]
    assert [one.state for one in steps] == [one.target for one in finding.steps]


def test_without_a_past_the_states_of_the_finding_decide(
    api: Described, plans: tuple[Planned, ...]
) -> None:
    with served(TOURNAMENTS, FAULT) as url:
        finding = _of_deletion(_past(api, url, plans, 0))
    first = steps_of(finding, plans)
    assert first is not None
    assert first[0] is plans[0]
    elsewhere = tuple(replace(one, target=None) for one in finding.steps)
    unknown = steps_of(replace(finding, steps=elsewhere), plans)
    assert unknown == first


def test_calls_that_no_model_has_have_no_steps(api: Described, plans: tuple[Planned, ...]) -> None:
    with served(TOURNAMENTS, FAULT) as url:
        finding = _of_deletion(_past(api, url, plans, 0))
    strange = tuple(replace(one, label="deletePlayer(p9)") for one in finding.steps)
    assert steps_of(replace(finding, steps=strange), plans) is None


def _replayed(
    api: Described, url: str, plans: tuple[Planned, ...], steps: tuple[Step, ...], model: int
) -> tuple[Judged, ...]:
    idle = tuple(map(without_sequences, plans))
    session = Session(api, quick(url), _settings(), "replay", Earlier(idle))
    return asyncio.run(session.replay(steps, model))


def test_a_replay_makes_the_calls_of_the_model_that_is_named(
    api: Described, plans: tuple[Planned, ...]
) -> None:
    with served(TOURNAMENTS, FAULT) as url:
        past = _past(api, url, plans, 2)
        finding = _of_deletion(past)
        found = steps_of(finding, plans, past)
        assert found is not None
        judged = _replayed(api, url, plans, found[1], plans.index(found[0]))
    assert [one.label for one in judged] == ["postPlayer(p2)", "deletePlayer(p2)"]
    assert [one.verdict for one in judged] == [Verdict.OK, Verdict.ERR]
    assert [shows(one, finding) for one in judged] == [False, True]
