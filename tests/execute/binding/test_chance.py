"""Choices depend on the seed and the call, and on nothing that happens beside it."""

from __future__ import annotations

from icepick.execute.binding.chance import Luck, for_call
from icepick.execute.binding.subject import Chance
from icepick.inputs import Generator, Options


def luck() -> Luck:
    return Luck(Generator({}), 7, Options(), 1)


def drawn(chance: Chance, name: str = "update", time: int = 1) -> list[float]:
    rng = for_call(chance, name, time).rng
    return [rng.random() for _ in range(3)]


def test_a_call_draws_the_same_whatever_was_drawn_before_it() -> None:
    one, other = luck().of(0, 3, 0), luck().of(0, 3, 0)
    other.rng.random()
    drawn(other, "create")
    assert drawn(one) == drawn(other)


def test_calls_times_sequences_and_attempts_draw_apart() -> None:
    draws = [
        drawn(luck().of(0, 3, 0)),
        drawn(luck().of(0, 3, 0), "delete"),
        drawn(luck().of(0, 3, 0), time=2),
        drawn(luck().of(0, 4, 0)),
        drawn(luck().of(0, 3, 1)),
        drawn(luck().of_replay(1)),
        drawn(luck().of_replay(2)),
    ]
    assert len({tuple(one) for one in draws}) == len(draws)


def test_a_replay_with_an_origin_draws_as_it_did_and_names_things_anew() -> None:
    first, again = luck().of(0, 3, 1), luck().of_replay(5, (0, 3, 1))
    assert drawn(first) == drawn(again)
    text = {"type": "string", "minLength": 8}
    names = [one.fresh.value(text, "name", "names") for one in (first, again)]
    assert names[0] != names[1]
