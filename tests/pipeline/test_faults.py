"""Conventions are learned, laws are not: what is wrong with how a service creates, updates and
deletes is found though the same service was asked before how it does things."""

from __future__ import annotations

import asyncio

import pytest

from icepick.demo.catalogue import SERVICES
from icepick.execute.engine import RunOptions
from icepick.execute.events import Event, FindingFound, PhaseStarted
from icepick.openapi import read_spec
from icepick.pipeline.models import Described, describe, models
from icepick.pipeline.reach import Reach
from icepick.pipeline.session import Session
from icepick.pipeline.settings import RunSettings
from tests.execute.test_engine import EXAMPLES
from tests.glacier.live import served
from tests.pipeline.running import demo, signing_in

BY_LAWS: dict[str, dict[str, dict[str, int]]] = {
    "tournaments": {
        "delete-player-keeps": {},
        "delete-tournament-other": {},
        "delete-enrolment-keeps-membership": {},
        "delete-enrolment-keeps-schedule": {"Tournament": 2},
        "delete-enrolment-takes-all": {"Tournament": 2, "Enrolment": 2},
        "delete-tournament-prefix": {"Tournament": 2, "Player": 2},
        "update-player-loses-email": {},
        "update-tournament-lost": {},
        "update-tournament-drops-players": {},
        "update-tournament-spreads": {"Tournament": 2},
        "duplicate-player-overwrites": {},
        "duplicate-tournament-accepted": {},
        "player-resurrected": {},
    },
    "petstore": {
        "update-pet-drops-orders": {},
        "delete-order-takes-siblings": {"Order": 2},
        "add-pet-replaces": {},
        "refused-order-overwrites": {},
        "list-stores-first-only": {"User": 2},
        "update-user-resets-password": {},
    },
    "features": {
        "product-leaves-configurations": {},
        "configuration-takes-features": {},
        "update-clears-description": {},
        "update-of-active-lost": {},
        "constraint-takes-all": {"Feature": 2, "Constraint": 2},
    },
    "shop": {
        "patch-resets-omitted": {},
        "orphan-addresses": {},
        "put-ignores-credit-limit": {},
        "put-loses-stock": {},
        "delete-takes-siblings": {"Address": 2},
        "line-update-spreads": {"Line": 2},
    },
}
"""Faults that break laws, and of what there have to be two for them to show."""

BY_CONTRACTS: dict[str, dict[str, dict[str, int]]] = {
    "tournaments": {"delete-enrolled-player": {}},
    "petstore": {"delete-pet-keeps-orders": {}, "deleted-user-logs-in": {}},
    "features": {
        "delete-required-feature": {"Feature": 2},
        "constraints-outlive-feature": {"Feature": 2},
    },
    "shop": {"delete-despite-orders": {}},
}
"""Faults that break what a person has written."""


def each(faults: dict[str, dict[str, dict[str, int]]]) -> list[object]:
    return [
        pytest.param(service, fault, bounds, id=f"{service} {fault}")
        for service, those in faults.items()
        for fault, bounds in those.items()
    ]


def settings(api: Described, bounds: dict[str, int]) -> RunSettings:
    one = {resource.name: 1 for found in models(api, {}) for resource in found.model.resources}
    some = RunOptions(max_failures=4)
    return RunSettings(bounds=one | bounds, wrong=0, learn=False, operations=False, engine=some)


def found(service: str, fault: str, api: Described, bounds: dict[str, int]) -> list[Event]:
    async def gathered(url: str) -> list[Event]:
        session = Session(api, Reach(url, signing_in(service, url)), settings(api, bounds))
        seen: list[Event] = []
        async for event in session.events():
            seen.append(event)
            if isinstance(event, FindingFound):
                session.stop()
        return seen

    with served(SERVICES[service], fault) as url:
        return asyncio.run(gathered(url))


def check(events: list[Event]) -> None:
    assert any(isinstance(one, PhaseStarted) and one.name == "calibrate" for one in events)
    assert [one for one in events if isinstance(one, FindingFound)]


@pytest.mark.parametrize(("service", "fault", "bounds"), each(BY_LAWS))
def test_laws_are_not_learned(service: str, fault: str, bounds: dict[str, int]) -> None:
    check(found(service, fault, describe(read_spec(demo(service))), bounds))


@pytest.mark.parametrize(("service", "fault", "bounds"), each(BY_CONTRACTS))
def test_what_is_written_is_not_learned(service: str, fault: str, bounds: dict[str, int]) -> None:
    check(found(service, fault, describe(read_spec(str(EXAMPLES / f"{service}.yaml"))), bounds))
