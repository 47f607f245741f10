"""Wrong calls with several mistakes, taken apart; what a crash said of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from http import HTTPStatus
from itertools import repeat, takewhile
from typing import Any
from urllib.parse import unquote

from icepick.execute.answers import at, body_of, texts_in
from icepick.execute.types import Exchange, Response
from icepick.inputs import Case
from icepick.inputs.learn import Mutation, Oddity, OddityKind
from icepick.inputs.learn.bugs import crash_texts
from icepick.inputs.learn.mutate import put
from icepick.openapi.places import HOLE
from icepick.openapi.types import ABSENT, ParameterLocation
from icepick.resources.types import Path

_PARTS = {ParameterLocation.HEADER: "headers", ParameterLocation.COOKIE: "cookies"}


def case_of(mutation: Mutation) -> Case:
    """The call by its values; of one that is text and bytes, those of its path."""
    if isinstance(mutation.request, Case):
        return mutation.request
    texts = HOLE.split(mutation.operation.path)
    pattern = "".join("([^/]+)" if at % 2 else re.escape(text) for at, text in enumerate(texts))
    match = re.match(f"{pattern}$", mutation.request.target.partition("?")[0])
    values = map(unquote, match.groups()) if match else repeat("")
    return Case(mutation.operation, path=dict(zip(texts[1::2], values, strict=False)))


def parts_of(oddity: Oddity, right: Case) -> Iterator[Mutation]:
    """The call with each of its mistakes alone, the others put right."""
    mutation = oddity.mutation
    for mistake in mutation.mistakes:
        case = mutation.request
        others = [one.place for one in mutation.mistakes if one is not mistake]
        accepted = oddity.kind is not OddityKind.ACCEPTED or oddity.key == str(mistake)
        if not accepted or any(_inside(mistake.place, place) for place in others):
            continue
        for place in others:
            case = _put_right(case, place, right) if isinstance(case, Case) else case
        if isinstance(case, Case):
            yield replace(mutation, request=case, mistakes=(mistake,))


def _field(place: str) -> Path:
    """A place in a body, down to the first array."""
    return tuple(takewhile(lambda part: not part.isdigit(), place.split(".")))


def _inside(place: str, other: str) -> bool:
    """Whether putting the other place right would change this one too."""
    path, outer = _field(place), _field(other)
    return path[: len(outer)] == outer


def _put_right(case: Case, place: str, right: Case) -> Case:
    """A call with the value that another has at a place."""
    for one in case.operation.parameters:
        if place == f"{one.location.value} {one.name}":
            value = right.values(one.location).get(one.name, ABSENT)
            changed: Any = {**case.values(one.location), one.name: value}
            part = _PARTS.get(one.location, one.location.value)
            return replace(case, **{part: changed})
    path = () if place == "body" else _field(place)
    value, kind = at(right.body, path), case.content_type or right.content_type
    return replace(case, body=put(case.body, path, value), content_type=kind)


def crash_said(exchange: Exchange | None) -> tuple[str, ...]:
    """What an answer says of what went wrong, without what differs each time."""
    reply = exchange.reply if exchange is not None else None
    if not isinstance(reply, Response):
        return ()
    body = body_of(reply)
    return crash_texts("" if body is ABSENT else body, reply.header("Content-Type") or "")


def general_key(oddity: Oddity) -> str:
    """What tells a crash from another: it may quote what was sent, whatever that was.

    "Not implemented" says one thing of an operation, however it is worded.
    """
    if oddity.status == HTTPStatus.NOT_IMPLEMENTED:
        return HTTPStatus.NOT_IMPLEMENTED.phrase
    key, case = oddity.key, oddity.mutation.request
    if not isinstance(case, Case):
        return key
    values = [dict(case.path), dict(case.query), dict(case.headers), case.body]
    for text in sorted({"", *texts_in(values)}, key=len, reverse=True):
        for quote in "'\"":
            key = key.replace(f"{quote}{text}{quote}", f"{quote}?{quote}")
    return key
