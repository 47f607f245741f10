"""What work tells is heard in order, at once, and to the end."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from icepick.execute.events import Noted
from icepick.execute.streaming import Events, streamed


def noted(text: str) -> Noted:
    return Noted("test", "", text)


async def test_what_is_told_is_heard_in_order_and_at_once() -> None:
    events, heard = Events(), list[str]()

    async def work() -> None:
        events.tell(noted("a"))
        events.tell(noted("b"))
        for text in "cd":
            await asyncio.sleep(0.01)
            assert len(heard) == "abcd".index(text)
            events.tell(noted(text))

    async for event in streamed(events, work()):
        assert isinstance(event, Noted)
        heard.append(event.text)
    assert heard == ["a", "b", "c", "d"]


async def test_an_error_comes_after_all_that_was_told_before_it() -> None:
    events, heard = Events(), list[object]()

    async def work() -> None:
        events.tell(noted("a"))
        await asyncio.sleep(0)
        events.tell(noted("b"))
        raise ValueError("broken")

    async def listen() -> None:
        async for event in streamed(events, work()):
            heard.append(event)

    with pytest.raises(ValueError, match="broken"):
        await listen()
    assert heard == [noted("a"), noted("b")]


async def test_the_work_ends_with_whoever_listens() -> None:
    events, ended = Events(), asyncio.Event()

    async def work() -> None:
        try:
            events.tell(noted("a"))
            await asyncio.sleep(60)
        finally:
            ended.set()

    async with aclosing(streamed(events, work())) as heard:
        async for event in heard:
            assert event == noted("a")
            break
    assert ended.is_set()
