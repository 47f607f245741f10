from __future__ import annotations

import asyncio

import pytest

from icepick.errors import Code, UsageError
from icepick.execute.transport.limits import (
    Limiter,
    RateLimit,
    Slots,
    parse_rate,
    retry_after,
)
from icepick.execute.types import Response


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("5/s", RateLimit(5, 1)),
        ("300/m", RateLimit(300, 60)),
        ("10/5s", RateLimit(10, 5)),
        (" 1000 / H ", RateLimit(1000, 3600)),
        ("3/500ms", RateLimit(3, 0.5)),
        ("1/1.5s", RateLimit(1, 1.5)),
    ],
)
def test_a_rate(text: str, limit: RateLimit) -> None:
    assert parse_rate(text) == limit
    assert parse_rate(str(limit)) == limit


@pytest.mark.parametrize(
    "text",
    ["", "5", "/s", "0/s", "5/0s", "-5/s", "5/x", "5/s/s", "five/s", "\u0665/s", "5/1e3s", "5s"],
)
def test_what_is_no_rate(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_rate(text)
    assert caught.value.code is Code.BAD_RATE
    assert "5/s" in (caught.value.hint or "")


class Time:
    """A clock whose sleepers wake in order, as fast as the test runs."""

    def __init__(self) -> None:
        self.now = 0.0
        self._sleepers: list[tuple[float, int, asyncio.Event]] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        woken = asyncio.Event()
        self._sleepers.append((self.now + seconds, len(self._sleepers), woken))
        await woken.wait()

    async def run(self) -> None:
        while self._sleepers:
            first = min(self._sleepers, key=lambda one: one[:2])
            self._sleepers.remove(first)
            self.now = first[0]
            first[2].set()
            for _ in range(5):
                await asyncio.sleep(0)


async def turns(limit: RateLimit, senders: int, each: int) -> list[tuple[float, int]]:
    time = Time()
    limiter = Limiter(limit, time, time.sleep)
    taken: list[tuple[float, int]] = []

    async def sender(name: int) -> None:
        for _ in range(each):
            await limiter.turn()
            taken.append((time.now, name))
            await asyncio.sleep(0)

    tasks = [asyncio.create_task(sender(name)) for name in range(senders)]
    for _ in range(5):
        await asyncio.sleep(0)
    await time.run()
    await asyncio.gather(*tasks)
    return taken


async def test_never_more_than_the_limit_in_any_stretch() -> None:
    limit = RateLimit(3, 2.0)
    times = [at for at, _ in await turns(limit, senders=5, each=6)]
    assert times == sorted(times)
    assert all(later - earlier >= 2.0 for earlier, later in zip(times, times[3:], strict=False))
    assert times[-1] == 18.0  # 30 turns, 3 in 2 seconds, the first at once


async def test_senders_take_turns() -> None:
    names = [name for _, name in await turns(RateLimit(1, 1.0), senders=4, each=5)]
    assert names == [0, 1, 2, 3] * 5


async def test_the_same_clock_gives_the_same_turns() -> None:
    assert await turns(RateLimit(2, 0.7), 3, 4) == await turns(RateLimit(2, 0.7), 3, 4)


async def test_unused_time_is_not_saved_up() -> None:
    time = Time()
    limiter = Limiter(RateLimit(2, 1.0), time, time.sleep)
    await limiter.turn()
    time.now = 100.0
    await limiter.turn()
    await limiter.turn()
    waiting = asyncio.create_task(limiter.turn())
    await asyncio.sleep(0)
    assert not waiting.done()
    await time.run()
    await waiting
    assert time.now == 101.0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ((("Retry-After", "7"),), 7),
        ((("retry-after", " 1.5 "),), 1.5),
        ((("Retry-After", "Thu, 01 Jan 1970 00:01:40 GMT"),), 90),
        ((("Retry-After", "Thu, 01 Jan 1970 00:00:00 GMT"),), 0),
        (
            (
                ("Retry-After", "Thu, 01 Jan 1970 00:01:40 GMT"),
                ("Date", "Thu, 01 Jan 1970 00:01:00 GMT"),
            ),
            40,
        ),
        ((("Retry-After", "Thu, 01 Jan 1970 00:01:40 -0000"),), 90),
        ((("Retry-After", "-5"),), None),
        ((("Retry-After", "soon"),), None),
        ((("Retry-After", "Thu, 99 Jan 99999 00:01:40 GMT"),), None),
        ((), None),
    ],
)
def test_how_long_to_wait(headers: tuple[tuple[str, str], ...], seconds: float | None) -> None:
    assert retry_after(Response(429, headers), now=10.0) == seconds


async def holders(slots: Slots, *names: str) -> tuple[list[str], list[asyncio.Task[None]]]:
    """Whoever has got a slot, and all who want one."""
    got: list[str] = []

    async def hold(name: str) -> None:
        await slots.take()
        got.append(name)

    tasks = [asyncio.create_task(hold(name)) for name in names]
    await asyncio.sleep(0)
    return got, tasks


async def test_slots_are_handed_on_in_the_order_of_asking() -> None:
    slots = Slots(2)
    got, tasks = await holders(slots, *"abcd")
    assert got == ["a", "b"]
    slots.give()
    slots.give()
    await asyncio.gather(*tasks)
    assert got == ["a", "b", "c", "d"]
    for _ in range(2):
        slots.give()
    assert (await holders(slots, *"efg"))[0] == ["e", "f"]


@pytest.mark.parametrize("given_first", [False, True])
async def test_who_does_not_wait_any_more_takes_no_slot(given_first: bool) -> None:
    slots = Slots(1)
    got, tasks = await holders(slots, *"abc")
    if given_first:
        slots.give()
        tasks[1].cancel()
    else:
        tasks[1].cancel()
        await asyncio.sleep(0)
        slots.give()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert got == ["a", "c"]


async def test_a_slot_is_taken_at_once_only_where_one_is_free() -> None:
    slots = Slots(1)
    assert slots.taken()
    assert not slots.taken()
    got, tasks = await holders(slots, "a")
    assert got == []
    slots.give()
    await asyncio.gather(*tasks)
    assert not slots.taken()
