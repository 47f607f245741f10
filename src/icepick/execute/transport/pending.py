"""What is not done yet: the address that a service gives is asked until it is, and what is known to
take its time gets it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping
from urllib.parse import urljoin, urlsplit

from icepick.execute.answers import answer_of
from icepick.execute.transport.client import Client
from icepick.execute.types import Exchange, Purpose, Response
from icepick.glacier import Answer
from icepick.openapi.places import HOLE
from icepick.openapi.types import ABSENT, Json
from icepick.resources.types import ResourceMap

_ACCEPTED = 202
_ABSENT = frozenset({403, 404, 410})
_FIRST_PAUSE = 0.05
_STATE = re.compile(r"(?i)(?:job|task|operation|provisioning)?_?(?:status|state)")
_UNDER_WAY = re.compile(
    r"(?i)accepted|creating|deleting|in[ _-]?progress|new|not[ _-]?started|pending|processing"
    r"|queued|running|scheduled|started|waiting|working"
)
_RESULT = re.compile(
    r"(?i)_?(?:resource|result|target|item|entity)_?(?:href|link|location|ur[il])?"
)
_ADDRESS = re.compile(r"(?i)href|link|location|ur[il]")


async def outcome(
    client: Client, exchange: Exchange, resources: ResourceMap, sequence: int | None = None
) -> Answer:
    """The answer of a call; of one that was only accepted, what became of it.

    That is the thing itself where the address leads to it. A resource that tells how the call
    fares says nothing of the thing but where it is.
    """
    reply = exchange.reply
    answer = answer_of(reply) if isinstance(reply, Response) else Answer(0)
    if answer.status != _ACCEPTED or exchange.request.method == "GET":
        return answer
    where = _location(answer)
    if where is None:
        return answer
    address = urljoin(exchange.request.url, where)
    uses = resources.uses_of(exchange.operation or "")
    is_item = any(_leads_to(one.item_path, address) for one, _ in uses)
    last = await _polled(client, address, sequence, is_item=is_item)
    told = None
    if last is not None and isinstance(last.reply, Response):
        told = _told(address, last.reply, is_item=is_item)
    # What was said at first may be of the thing, unless it says how the call fares.
    body = answer.body if _state(answer.body) is ABSENT else ABSENT
    return told or Answer(_ACCEPTED, {}, body)


async def shown(client: Client, exchange: Exchange) -> None:
    """Wait until what a call did shows, where that is known to take its time."""
    lag = client.shared.lags.get(exchange.operation or "")
    if lag and exchange.request.method != "GET" and 200 <= (exchange.status or 0) < 300:
        await asyncio.sleep(lag)


def _leads_to(item_path: str | None, address: str) -> bool:
    """Whether an address is one of an instance."""
    pattern = "[^/]+".join(map(re.escape, HOLE.split((item_path or "").rstrip("/"))[::2]))
    path = urlsplit(address).path.rstrip("/")
    return bool(item_path) and re.search(f"{pattern}$", path) is not None


async def _polled(
    client: Client, address: str, sequence: int | None, *, is_item: bool
) -> Exchange | None:
    """The last answer of an address, as soon as it does not say that something is under way."""
    waited, pause = 0.0, _FIRST_PAUSE
    while True:
        reading = client.reading(address)
        exchange = await client.patiently(reading, Purpose.READ, None, sequence)
        if not _is_under_way(exchange, is_item=is_item):
            return exchange
        if waited + pause > client.settle:
            return None
        await asyncio.sleep(pause)
        waited, pause = waited + pause, 2 * pause


def _is_under_way(exchange: Exchange, *, is_item: bool) -> bool:
    reply = exchange.reply
    if not isinstance(reply, Response):
        return False
    state = ABSENT if is_item or reply.redirects else _state(answer_of(reply).body)
    under_way = isinstance(state, str) and _UNDER_WAY.fullmatch(state) is not None
    # Who says absent in other words says so of what is not there yet, too.
    unborn = _ABSENT if is_item else {404}
    return reply.status in {_ACCEPTED, *unborn} or under_way


def _told(url: str, reply: Response, *, is_item: bool) -> Answer | None:
    """What the last answer tells of the thing that was made."""
    answer, led = answer_of(reply), reply.redirects[-1:] or None
    if not 200 <= reply.status < 300:
        return None
    if is_item or led is not None or _state(answer.body) is ABSENT:
        return Answer(_ACCEPTED, {"Location": led[0] if led else url}, answer.body)
    for inner in _results(answer):
        if isinstance(inner, str):
            return Answer(_ACCEPTED, {"Location": urljoin(url, inner)})
        if isinstance(inner, Mapping):
            return Answer(_ACCEPTED, {}, inner)
    return None


def _results(answer: Answer) -> Iterator[Json]:
    """Where a resource that tells how a call fares names what came of it."""
    if (where := _location(answer)) is not None:
        yield where
    for name, value in answer.body.items() if isinstance(answer.body, Mapping) else ():
        if _RESULT.fullmatch(name) and isinstance(value, Mapping):
            inner = [one for key, one in value.items() if _ADDRESS.fullmatch(key)]
            yield inner[0] if len(value) == len(inner) == 1 else value
        elif _RESULT.fullmatch(name) and isinstance(value, str) and "/" in value:
            yield value


def _state(body: Json) -> Json:
    """What an answer says of how far something has come."""
    if not isinstance(body, Mapping):
        return ABSENT
    return next((value for name, value in body.items() if _STATE.fullmatch(name)), ABSENT)


def _location(answer: Answer) -> str | None:
    named = {name.lower(): value for name, value in answer.headers.items()}
    found = named.get("operation-location") or named.get("location")
    return found if isinstance(found, str) else None
