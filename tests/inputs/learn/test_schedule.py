"""The order of operations, and what comes again."""

from __future__ import annotations

import pytest

from icepick.inputs.learn import Schedule, identity_of, needs, order
from icepick.openapi import ApiSpec, read_spec
from icepick.resources.find import find_resources
from icepick.resources.types import Location, ResourceMap
from tests.glacier.test_inference import DEMO


@pytest.fixture(scope="module")
def shop() -> tuple[ApiSpec, ResourceMap]:
    spec = read_spec(str(DEMO / "shop" / "openapi.yaml"))
    return spec, find_resources(spec)


def _depth(path: str) -> int:
    return len([part for part in path.split("/") if part])


def test_parents_first_and_deletes_last(shop: tuple[ApiSpec, ResourceMap]) -> None:
    first, last = order(*shop)
    depths = [_depth(one.path) for one in first]
    assert depths == sorted(depths)
    assert {one.method for one in last} == {"DELETE"}
    assert [_depth(one.path) for one in last] == sorted(
        (_depth(one.path) for one in last), reverse=True
    )
    assert len(first) + len(last) == len(shop[0].operations)


def test_posts_before_reads_of_the_same_depth(shop: tuple[ApiSpec, ResourceMap]) -> None:
    names = [one.id for one in order(*shop)[0]]
    assert names.index("createUser") < names.index("listUsers")
    assert names.index("createCustomer") < names.index("createOrder")


def test_a_failed_operation_comes_again_three_times(shop: tuple[ApiSpec, ResourceMap]) -> None:
    schedule = Schedule(*shop)
    turns = []
    while (turn := schedule.next()) is not None:
        turns.append(turn)
        schedule.done(turn, success=turn.operation.id != "submitOrder")
    own = [turn.operation.id for turn in turns if not turn.anew]
    assert own.count("submitOrder") == 4
    assert all(own.count(one) == 1 for one in own if one != "submitOrder")
    removing = [index for index, one in enumerate(own) if one.startswith("delete")]
    assert min(removing) > max(i for i, one in enumerate(own) if one == "submitOrder")


def test_what_it_needs_is_made_anew_before(shop: tuple[ApiSpec, ResourceMap]) -> None:
    schedule = Schedule(*shop)
    seen: list[tuple[str, bool]] = []
    while (turn := schedule.next()) is not None:
        seen.append((turn.operation.id, turn.anew))
        schedule.done(turn, success=turn.operation.id != "createLine")
    second = [index for index, one in enumerate(seen) if one == ("createLine", False)][1]
    before = [name for name, anew in seen[second - 4 : second] if anew]
    assert {"createOrder", "putProduct"} <= set(before)


def test_needs_and_identities(shop: tuple[ApiSpec, ResourceMap]) -> None:
    spec, resources = shop
    assert [one.id for one in needs(spec.operation("deleteLine"), spec, resources)] == [
        "putProduct",
        "createLine",
    ]
    deep = [one.id for one in needs(spec.operation("submitOrder"), spec, resources, deep=True)]
    assert deep.index("createOrder") < deep.index("createLine")
    assert identity_of(spec.operation("putProduct"), resources) == ((Location.PATH, ("sku",)),)
    assert identity_of(spec.operation("listUsers"), resources) == ()


def test_without_resources_the_paths_decide(shop: tuple[ApiSpec, ResourceMap]) -> None:
    schedule = Schedule(shop[0])
    turn = schedule.next()
    assert turn is not None
    assert _depth(turn.operation.path) == 1
