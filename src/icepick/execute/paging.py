"""Lists that come in pages: where the next one is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import parse_qsl, quote, urljoin, urlsplit

from icepick.execute.answers import at
from icepick.execute.routing import Listing
from icepick.glacier import Answer
from icepick.openapi.types import ABSENT, Json, Operation, Parameter, ParameterLocation
from icepick.resources.words import words

MOST_PAGES = 50
_NEXT_LINK = re.compile(r'<([^<>]*)>\s*;[^,<]*\brel="?next"?', re.IGNORECASE)
_PAGE = {"page", "pagenumber", "pageno", "currentpage", "pageindex"}
_OFFSET = {"offset", "skip", "start", "from", "startat", "firstresult"}
_LIMIT = {"limit", "size", "pagesize", "perpage", "count", "take", "maxresults", "first", "top"}
_CURSOR = {"cursor", "pagetoken", "nexttoken", "continuationtoken", "after", "startingafter"}
_PAGING = _PAGE | _OFFSET | _CURSOR
_NEXT = {"next", "nextpage", "nextpageurl", "nexturl", "nextlink"}
_NEXT_CURSOR = {"nextcursor", "nextpagetoken", "nexttoken", "continuationtoken", "cursor", "next"}
_TOTAL = {"total", "totalcount", "totalitems", "totalelements", "count", "totalresults"}


def next_page(
    operation: Operation, target: str, answer: Answer, listing: Listing, seen: int
) -> str | None:
    """The request for the page after this one; None where this was the last one.

    `seen` is how many elements all pages so far had.
    """
    asked = dict(parse_qsl(urlsplit(target).query, keep_blank_values=True))
    return (
        _linked(answer)
        or _by_cursor(operation, target, answer, asked)
        or _by_number(operation, target, answer, listing, asked, seen)
    )


def resolved(link: str, path: str, url: str) -> str:
    """Where a link to the next page leads: below the base address, or as the web has it."""
    return link if link.partition("?")[0] == path else urljoin(url, link)


def is_paged(operation: Operation, target: str) -> bool:
    """Whether an operation gives pages, and this request does not ask for a certain one."""
    known = {_plain(p.name) for p in operation.parameters_in(ParameterLocation.QUERY)}
    if known.isdisjoint(_PAGING):
        return False
    asked = {_plain(name) for name, _ in parse_qsl(urlsplit(target).query)}
    return asked.isdisjoint(_PAGING | _LIMIT)


def _plain(name: str) -> str:
    return "".join(words(name))


def _linked(answer: Answer) -> str | None:
    """A link to the next page, in the head or in the body."""
    for name, value in answer.headers.items():
        found = _NEXT_LINK.search(str(value)) if name.lower() == "link" else None
        if found is not None:
            return found.group(1)
    for name, value in _about(answer.body):
        link = at(value, ("href",)) if isinstance(value, Mapping) else value
        if _plain(name) in _NEXT and isinstance(link, str) and _is_address(link):
            return link
    return None


def _is_address(text: str) -> bool:
    return text.startswith(("/", "http://", "https://", "?"))


def _about(body: Json) -> Iterator[tuple[str, Json]]:
    """What an answer says beside its elements: its own fields, and those of its objects."""
    if not isinstance(body, Mapping):
        return
    for name, value in body.items():
        yield str(name), value
        if isinstance(value, Mapping):
            yield from ((str(inner), found) for inner, found in value.items())


def _by_cursor(
    operation: Operation, target: str, answer: Answer, asked: Mapping[str, str]
) -> str | None:
    parameter = _named(operation, _CURSOR)
    if parameter is None:
        return None
    for name, value in _about(answer.body):
        fits = isinstance(value, str | int) and not isinstance(value, bool) and value != ""
        if _plain(name) in _NEXT_CURSOR and fits and str(value) != asked.get(parameter.name):
            return _asking(target, parameter.name, str(value))
    return None


def _by_number(
    operation: Operation,
    target: str,
    answer: Answer,
    listing: Listing,
    asked: Mapping[str, str],
    seen: int,
) -> str | None:
    elements = at(answer.body, listing.path)
    if not isinstance(elements, list) or not elements:
        return None
    total = _total(answer.body)
    if total is not None and seen >= total:
        return None
    if total is None and not _may_be_full(len(elements), _limit(operation)):
        return None
    page, offset = _named(operation, _PAGE), _named(operation, _OFFSET)
    if page is not None:
        first = page.schema.get("default", page.schema.get("minimum", 1))
        here = asked.get(page.name, str(first))
        return _asking(target, page.name, str(int(here) + 1)) if here.isdigit() else None
    return _asking(target, offset.name, str(seen)) if offset is not None else None


def _may_be_full(number: int, limit: int | None) -> bool:
    """Whether there may be more after so many elements; where nobody says how many a page has, it
    is a round number, and asking for one page too many does no harm."""
    if limit is not None:
        return number >= limit
    return number % 5 == 0 or (number >= 8 and number % 4 == 0)


def _total(body: Json) -> int | None:
    for name, value in _about(body):
        if _plain(name) in _TOTAL and isinstance(value, int) and not isinstance(value, bool):
            return value
    return None


def _limit(operation: Operation) -> int | None:
    parameter = _named(operation, _LIMIT)
    found = parameter.schema.get("default", ABSENT) if parameter is not None else ABSENT
    return found if isinstance(found, int) else None


def _named(operation: Operation, names: set[str]) -> Parameter | None:
    for one in operation.parameters_in(ParameterLocation.QUERY):
        if _plain(one.name) in names:
            return one
    return None


def _asking(target: str, name: str, value: str) -> str:
    """The same request with one parameter of its query set."""
    path, _, query = target.partition("?")
    wanted = quote(name, safe="")
    pairs = [p for p in query.split("&") if p and p.partition("=")[0] != wanted]
    joined = "&".join([*pairs, f"{wanted}={quote(value, safe='')}"])
    return f"{path}?{joined}"
