"""Connections that know the common answer at sight.

Most answers are short, of a declared length and plain. Those are read here in one step; for any
other the same bytes go the long way, through the parser of aiohttp, with all its care.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from aiohttp.client_proto import ResponseHandler

from icepick.execute.transport.settings import LARGEST_FIELD
from icepick.execute.types import Headers

_HEAD = re.compile(
    rb"HTTP/1\.1 ([2-5][0-9]{2}) [\t -~]*((?:\r\n[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t -~]*)*)"
)
_LENGTH = re.compile(r"[0-9]{1,5}")
_LONGEST = 65_536
_NO_BODY = frozenset({204, 304})
_NOT_SIMPLE = frozenset({"transfer-encoding", "content-encoding", "upgrade", "trailer"})


@dataclass(frozen=True, slots=True)
class Head:
    """The first part of an answer, and how long its body is."""

    status: int
    headers: Headers
    length: int


class Received(NamedTuple):
    """An answer as it came; `truncated` where its body is longer than what is wanted of it.

    A tuple, since there is one for every request.
    """

    status: int
    headers: Headers
    body: bytes
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class _Unfinished:
    """More is to come before an answer can be told."""


_UNFINISHED: Final = _Unfinished()


class Connection(ResponseHandler):
    """A connection whose next answer is `Received` at sight, or is to be read the long way."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self._so_far = b""
        self._has_body = True
        self._asker: asyncio.Future[Received | None] | None = None
        self._deadline = 0.0
        self._alarm: asyncio.TimerHandle | None = None

    def ask(
        self, message: bytes, deadline: float, *, has_body: bool
    ) -> asyncio.Future[Received | None]:
        """Send a request; None comes where the answer is to be read the long way, TimeoutError
        where none has come by the deadline, in the time of the loop.

        `has_body` is False where the answer to this method never has a body, whatever it says.
        """
        self._so_far, self._has_body, self._deadline = b"", has_body, deadline
        asker = self._asker = self._loop.create_future()
        if not has_body or self.transport is None:
            self._go_the_long_way()
        if self.transport is not None:
            self.transport.write(message)
        if self._alarm is None:
            self._alarm = self._loop.call_at(deadline, self._look_at_the_clock)
        return asker

    def _look_at_the_clock(self) -> None:
        """One timer serves many requests: it is set again where the deadline has moved."""
        self._alarm = None
        if self._asker is None or self._asker.done():
            return
        if self._loop.time() < self._deadline:
            self._alarm = self._loop.call_at(self._deadline, self._look_at_the_clock)
        else:
            self._asker.set_exception(TimeoutError())

    def data_received(self, data: bytes) -> None:
        """Part of an answer, or a whole one."""
        if self._asker is None:
            super().data_received(data)
            return
        self._so_far = data = self._so_far + data
        found = _read(data)
        if found is None:
            self._go_the_long_way()
        elif isinstance(found, Received):
            self._so_far = b""
            self._settle(found)

    def connection_lost(self, exc: BaseException | None) -> None:
        """The other side has closed: what came so far may be a whole answer, or none."""
        if self._alarm is not None:
            self._alarm.cancel()
        if self._asker is not None:
            self._go_the_long_way()
        super().connection_lost(exc)

    def _go_the_long_way(self) -> None:
        data, self._so_far = self._so_far, b""
        self._settle(None)
        self.set_response_params(
            skip_payload=not self._has_body, read_until_eof=True,
            max_line_size=LARGEST_FIELD, max_field_size=LARGEST_FIELD,
        )  # fmt: skip
        if data:
            super().data_received(data)

    def _settle(self, found: Received | None) -> None:
        asker, self._asker = self._asker, None
        if asker is not None and not asker.done():
            asker.set_result(found)


def _read(data: bytes) -> Received | _Unfinished | None:
    """A simple answer; None where this is none."""
    end = data.find(b"\r\n\r\n")
    if end < 0:
        return _UNFINISHED if len(data) < _LONGEST else None
    head = _head(data[:end])
    if head is None:
        return None
    missing = end + 4 + head.length - len(data)
    if missing > 0:
        return _UNFINISHED
    return Received(head.status, head.headers, data[end + 4 :]) if missing == 0 else None


@lru_cache(maxsize=500)
def _head(data: bytes) -> Head | None:
    """A head that leaves nothing open; many are the same to the last byte."""
    found = _HEAD.fullmatch(data)
    if found is None:
        return None
    lines = found[2].decode("ascii").split("\r\n")[1:]
    headers = tuple(
        [(name, value.strip("\t ")) for name, _, value in (x.partition(":") for x in lines)]
    )
    status = int(found[1])
    length = 0 if status in _NO_BODY else _length(headers)
    return Head(status, headers, length) if length is not None and _is_simple(headers) else None


def _is_simple(headers: Headers) -> bool:
    for name, value in headers:
        known = name.lower()
        if known in _NOT_SIMPLE or (known == "connection" and value.lower() != "keep-alive"):
            return False
    return True


def _length(headers: Headers) -> int | None:
    """The length of the body, where just one is stated and it is not great."""
    stated = [value for name, value in headers if name.lower() == "content-length"]
    if len(stated) != 1 or not _LENGTH.fullmatch(stated[0]) or int(stated[0]) > _LONGEST:
        return None
    return int(stated[0])
