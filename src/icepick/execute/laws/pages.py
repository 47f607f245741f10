"""The law of pages: together they are the list, each element once, and a filter holds on all."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, replace

from icepick.execute.answers import answer_of, at
from icepick.execute.events import PhaseStarted
from icepick.execute.laws.echo import same
from icepick.execute.laws.errands import Arrived, Errands, finding_of
from icepick.execute.paging import MOST_PAGES, is_paged, next_page, resolved
from icepick.execute.phases import Stage
from icepick.execute.routing import Listing
from icepick.execute.types import (
    Complaint,
    Exchange,
    Finding,
    Provenance,
    Purpose,
    Response,
    Verdict,
)
from icepick.inputs import query_text
from icepick.openapi.types import Json, Operation, Parameter, ParameterLocation
from icepick.resources.words import words

PAGES = "pages"
_ALIKE = 3
"""So many pages in a row that are the same are no pages."""

_SIZE = frozenset(
    {"limit", "size", "pagesize", "perpage", "count", "take", "maxresults", "first", "top"}
)
_FEW_PAGES = 6
_TRIES = 3
"""How often a list is read again that others change meanwhile."""


@dataclass(frozen=True, slots=True)
class Paged:
    """A list that comes in pages, and the parameter that says how long they are."""

    operation: Operation
    listing: Listing
    size: Parameter

    def of_size(self, size: int) -> Operation:
        """The operation as if pages were so long by default: a shorter one is the last."""
        sized = replace(self.size, schema={**self.size.schema, "default": size})
        parameters = [sized if one is self.size else one for one in self.operation.parameters]
        return replace(self.operation, parameters=tuple(parameters))

    @property
    def smallest(self) -> int:
        """The shortest page that may be asked for."""
        least = self.size.schema.get("minimum", 1)
        return max(1, least) if isinstance(least, int) else 1

    def identity(self, element: Json) -> str:
        """What an element is known by."""
        inside = isinstance(element, Mapping) and self.listing.identifier
        return str(at(element, self.listing.identifier) if inside else element)


@dataclass(frozen=True, slots=True)
class Seen:
    """A list that was read page by page."""

    pages: tuple[tuple[Json, ...], ...]
    exchanges: tuple[Exchange, ...]

    @property
    def elements(self) -> list[Json]:
        """What all pages hold."""
        return [one for page in self.pages for one in page]


def paged_lists(
    operations: Mapping[str, Operation], listings: Mapping[str, Listing]
) -> Iterator[Paged]:
    """The lists whose pages can be made shorter."""
    for name, listing in listings.items():
        operation = operations[name]
        size = next((one for one in _query(operation) if _plain(one.name) in _SIZE), None)
        others = any(one.required for one in _query(operation))
        if size is not None and not others and is_paged(operation, operation.path):
            yield Paged(operation, listing, size)


class Pages:
    """Reads lists through short pages and compares that with the list in one go."""

    def __init__(self, errands: Errands, lists: tuple[Paged, ...]) -> None:
        self._errands = errands
        self._lists = lists
        self._client = errands.kit.scene.client

    async def run(self, stage: Stage) -> None:
        """Look at every list twice: only what repeats counts."""
        if self._lists:
            stage.tell(PhaseStarted(PAGES, len(self._lists)))
        for paged in self._lists:
            if stage.is_over():
                return
            first = {one.complaint.about async for one in self._found(paged, stage)}
            if first:
                async for one in self._found(paged, stage):
                    if one.complaint.about in first:
                        stage.found(one)

    async def _found(self, paged: Paged, stage: Stage) -> AsyncIterator[Finding]:
        async with self._errands.arrive(paged.listing.resource, stage) as arrived:
            path = _path(paged, arrived) if arrived is not None else None
            if arrived is None or path is None:
                return
            whole = await self._read(paged.operation, paged, path, "")
            for about, query, wanted in _questions(paged, whole):
                found = await self._compared(paged, path, query, wanted)
                if found is not None:
                    told = replace(found[0], about=f"{about} {found[0].about}".strip())
                    yield finding_of(arrived, told, found[1])
                    return

    async def _compared(
        self, paged: Paged, path: str, query: str, wanted: tuple[str, Json] | None
    ) -> tuple[Complaint, tuple[Exchange, ...]] | None:
        """What is wrong with short pages, as long as the list itself stands still."""
        for _ in range(_TRIES):
            before = await self._read(paged.operation, paged, path, query)
            size = _size(paged, before)
            if before is None or size is None or not _holds(before.elements, wanted):
                return None
            short = _joined(query, query_text((paged.size,), {paged.size.name: size}))
            pages = await self._read(paged.of_size(size), paged, path, short)
            after = await self._read(paged.operation, paged, path, query)
            if pages is None or after is None:
                return None
            if _names(paged, before) == _names(paged, after):
                wrong = _wrong(paged, before, pages, wanted)
                if wrong is None:
                    return None
                text = f"{paged.operation.label} in pages of {size} {wrong[0]}"
                shown = (*before.exchanges, *pages.exchanges)
                return _complaint(text, wrong[1], shown), shown
        return None

    async def _read(self, operation: Operation, paged: Paged, path: str, query: str) -> Seen | None:
        """A list through all its pages; None where there are too many, or one is refused."""
        target = f"{path}?{query}" if query else path
        pages: list[tuple[Json, ...]] = []
        exchanges: list[Exchange] = []
        for _ in range(MOST_PAGES):
            exchange = await self._client.patiently(
                self._client.reading(target), Purpose.READ, operation.id
            )
            reply = exchange.reply
            answer = answer_of(reply) if isinstance(reply, Response) else None
            elements = at(answer.body, paged.listing.path) if answer is not None else None
            if answer is None or answer.status != 200 or not isinstance(elements, list):
                return None
            pages.append(tuple(elements))
            exchanges.append(exchange)
            seen = sum(map(len, pages))
            if len(pages) >= _ALIKE and len({repr(one) for one in pages[-_ALIKE:]}) == 1:
                return None  # it pays no heed to which page is asked for
            following = next_page(operation, target, answer, paged.listing, seen)
            if following is None:
                return Seen(tuple(pages), tuple(exchanges))
            target = resolved(following, path, exchange.request.url)
        return None


def _query(operation: Operation) -> tuple[Parameter, ...]:
    return operation.parameters_in(ParameterLocation.QUERY)


def _plain(name: str) -> str:
    return "".join(words(name))


def _joined(*queries: str) -> str:
    return "&".join(one for one in queries if one)


def _path(paged: Paged, arrived: Arrived) -> str | None:
    """Where the list is that has most of the instances."""
    operation = paged.operation
    found: dict[str, int] = {}
    for one in arrived.of(paged.listing.resource):
        path = one.path_to(operation)
        if path is not None:
            found[path] = found.get(path, 0) + 1
    return max(found, key=found.__getitem__, default=None)


def _questions(
    paged: Paged, whole: Seen | None
) -> Iterator[tuple[str, str, tuple[str, Json] | None]]:
    """The whole list, and filters by fields that some elements share and others do not."""
    if whole is None:
        return
    yield "", "", None
    for one in _query(paged.operation):
        if one is paged.size or not is_paged(paged.operation, f"/?{one.name}=1"):
            continue
        values = [at(element, (one.name,)) for element in whole.elements]
        for value in reversed(values):
            plain = isinstance(value, str | int) and not isinstance(value, bool)
            if plain and 1 < sum(same(value, other) for other in values) < len(values):
                yield f"by {one.name}", query_text((one,), {one.name: value}), (one.name, value)
                break


def _holds(elements: list[Json], wanted: tuple[str, Json] | None) -> bool:
    return wanted is None or all(same(at(one, (wanted[0],)), wanted[1]) for one in elements)


def _names(paged: Paged, seen: Seen) -> list[str]:
    return [paged.identity(one) for one in seen.elements]


def _size(paged: Paged, whole: Seen | None) -> int | None:
    """A length of pages that gives a few; None where the list fits into one."""
    number = len(whole.elements) if whole is not None else 0
    size = max(paged.smallest, -(-number // _FEW_PAGES))
    return size if size < number else None


def _wrong(
    paged: Paged, whole: Seen, pages: Seen, wanted: tuple[str, Json] | None
) -> tuple[str, str] | None:
    """What pages do not have right, and what that is about."""
    listed, found = _names(paged, whole), _names(paged, pages)
    stray = [paged.identity(one) for one in pages.elements if not _holds([one], wanted)]
    twice = [
        name for name in dict.fromkeys(found) if found.count(name) > max(1, listed.count(name))
    ]
    lacking = [name for name in listed if name not in found]
    if wanted is not None and stray:
        return f"has {stray[0]}, which has another {wanted[0]} than {wanted[1]!r}", "stray"
    for names, text in ((twice, "too often"), (lacking, "nowhere")):
        if names:
            return f"has {', '.join(names[:3])} {text}", text
    if _has_holes(pages):
        lengths = ", ".join(str(len(page)) for page in pages.pages)
        return f"has pages of {lengths}", "not full"
    return None


def _has_holes(pages: Seen) -> bool:
    """Whether a page before the last is shorter than others; how long they are at most is for the
    service to say."""
    return len({len(page) for page in pages.pages[:-1]}) > 1


def _complaint(text: str, about: str, shown: tuple[Exchange, ...]) -> Complaint:
    return Complaint(
        PAGES, Verdict.ERR, "pages together are the list, and each element is on one of them",
        text, Provenance.LAW, about, exchanges=tuple(one.number for one in shown),
    )  # fmt: skip
