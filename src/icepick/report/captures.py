"""Values that the service chose in one answer and that later requests use: ids, mostly.

They differ when a sequence is run again, so whoever writes it down has to say where they are from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from icepick.execute.types import Exchange, Request, Response
from icepick.openapi.types import Json
from icepick.report.text import parsed

Path = tuple[str | int, ...]
"""Names and positions from the root of a JSON value."""

_LARGEST = 1_000_000
_MOST_LEAVES = 2_000
_IDENTIFYING = re.compile(
    r"(?:id|uuid|guid|key|token|slug|code|number|ref|href|url)s?$", re.IGNORECASE
)
_LONG = 8


@dataclass(frozen=True, slots=True)
class Capture:
    """A value, the exchange (by position) whose answer gave it first, and where it stood there.

    Without a path it was the last segment of the header Location.
    """

    step: int
    path: Path
    value: str | int

    @property
    def text(self) -> str:
        """The value as it stands in a URL before it is encoded."""
        return str(self.value)


def captures(exchanges: Sequence[Exchange]) -> tuple[Capture, ...]:
    """The values that earlier answers gave to later requests, in the order of the answers."""
    used = [frozenset(_texts(exchange.request)) for exchange in exchanges]
    found: dict[str, Capture] = {}
    sent: set[str] = set()
    for step, exchange in enumerate(exchanges):
        sent |= used[step]
        later = frozenset().union(*used[step + 1 :])
        for path, value in _answered(exchange):
            text = str(value)
            if text in later and text not in sent and text not in found:
                found[text] = Capture(step, path, value)
    return tuple(found.values())


def segments(url: str) -> list[str]:
    """What stands between the slashes of a URL's path, decoded."""
    return [unquote(part) for part in urlsplit(url).path.split("/")]


def leaves(value: Json) -> Iterator[tuple[Path, str | int]]:
    """The texts and whole numbers of a JSON value with their paths, at most so many."""
    waiting: list[tuple[Path, Json]] = [((), value)]
    for _ in range(_MOST_LEAVES):
        if not waiting:
            return
        path, here = waiting.pop()
        if isinstance(here, dict):
            waiting += [((*path, key), item) for key, item in reversed(here.items())]
        elif isinstance(here, list):
            waiting += [((*path, i), item) for i, item in reversed(list(enumerate(here)))]
        elif isinstance(here, str | int) and not isinstance(here, bool):
            yield path, here


def _texts(request: Request) -> Iterator[str]:
    """Every value that a request carries, as text."""
    parts = urlsplit(request.url)
    yield from filter(None, segments(request.url))
    for pair in parts.query.split("&"):
        yield unquote(pair.partition("=")[2])
    if request.body and len(request.body) <= _LARGEST:
        yield from (str(value) for _, value in leaves(parsed(request.body)))


def _answered(exchange: Exchange) -> Iterator[tuple[Path, str | int]]:
    """What an answer gave that may identify something."""
    reply = exchange.reply
    if not isinstance(reply, Response) or not 200 <= reply.status < 300:
        return
    if len(reply.body) <= _LARGEST:
        for path, value in leaves(parsed(reply.body)):
            if identifies(path, value):
                yield path, value
    location = reply.header("Location")
    if location and (last := segments(location)[-1]):
        yield (), last


def identifies(path: Path, value: str | int) -> bool:
    """A name that says so, or a text too long to be the same by chance."""
    if isinstance(value, str) and len(value) >= _LONG:
        return True
    names = [part for part in path if isinstance(part, str)]
    return bool(str(value)) and (not names or _IDENTIFYING.search(names[-1]) is not None)
