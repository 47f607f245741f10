"""After something went wrong, the rest of a sequence is walked from a fresh start."""

from __future__ import annotations

from icepick.execute.legs import Leg
from icepick.sequences.types import Call, Kind, Step


def step(name: str, state: int) -> Step:
    return Step(Call(Kind.TRANSITION, name, (), name), state)


STEPS = (step("a", 1), step("b", 2), step("c", 3), step("d", 4))


def way(state: int) -> tuple[Step, ...]:
    return tuple(step(f"to{number}", number) for number in range(1, state + 1))


def names(steps: tuple[Step, ...]) -> list[str]:
    return [one.call.operation for one in steps]


def test_the_rest_is_reached_by_the_shortest_way() -> None:
    leg = Leg(STEPS)
    leg.passed()
    leg.passed()
    assert leg.again(way) == ()
    assert names(leg.steps) == ["to1", "to2", "c", "d"]
    assert leg.position == 2
    for _ in range(4):
        leg.passed()
    assert leg.is_done


def test_a_way_that_goes_wrong_is_not_tried_for_ever() -> None:
    leg = Leg(STEPS)
    leg.passed()
    leg.again(way)
    leg.passed()
    assert names(leg.again(way)) == ["b"]
    assert names(leg.steps) == ["to1", "to2", "c", "d"]


def test_what_the_model_cannot_reach_is_left_out() -> None:
    leg = Leg(STEPS)
    leg.passed()
    assert names(leg.again(lambda _: None)) == ["b", "c", "d"]
    assert leg.is_done


def test_a_call_without_an_answer_is_given_up_in_the_end() -> None:
    leg = Leg(STEPS)
    assert not leg.failed()
    assert leg.again(way) == ()
    assert not leg.failed()
    assert leg.again(way) == ()
    assert leg.failed()


def test_the_calls_taken_are_those_of_this_start() -> None:
    leg = Leg(STEPS)
    leg.passed()
    leg.passed()
    leg.again(way)
    leg.passed()
    leg.passed()
    assert names(leg.taken) == ["to1", "to2", "c"]
