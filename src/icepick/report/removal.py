"""How an exported test finds what it made: where the document or the finding shows the address."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from icepick.execute.types import Exchange, Finding, Response
from icepick.report.captures import Path, leaves, segments
from icepick.report.literals import Names, path_literal, shown_path
from icepick.report.text import parsed

Deletes = tuple[tuple[re.Pattern[str], str], ...]
"""Collections whose items can be deleted, and the name of the parameter that names an item."""

_ITEM = re.compile(r"DELETE (/.*)/\{([^{}/]+)\}/?")


def deletable(labels: Iterable[str]) -> Deletes:
    """What the operations of a document say can be deleted."""
    found = (_ITEM.fullmatch(label) for label in labels)
    return tuple((pattern_of(match[1]), match[2]) for match in found if match)


def pattern_of(template: str) -> re.Pattern[str]:
    """What the paths of a template look like, with a group for each parameter."""
    return re.compile(re.sub(r"\\\{[^{}]*\\\}", "([^/]+)", re.escape(template)))


class Removal:
    """Says which line of a test remembers what a POST made, so that it is deleted at the end.

    An address is never guessed: a DELETE of something else would be worse than what is left.
    """

    def __init__(
        self, finding: Finding, exchanges: Sequence[Exchange], url: str, deletes: Deletes = ()
    ) -> None:
        reads = [read for step in finding.steps for read in step.reads]
        self._urls = list(dict.fromkeys(_plain(e.request.url) for e in (*exchanges, *reads)))
        self._url = url
        self._deletes = deletes
        self._ids: dict[str, Path] = {}
        for exchange in exchanges:
            if exchange.request.method == "POST":
                for path in (*self._seen(exchange), *self._declared(exchange)):
                    self._ids.setdefault(_plain(exchange.request.url), path)

    def _seen(self, exchange: Exchange) -> Iterator[Path]:
        """Where the answer has what stands at the end of an address of an item."""
        names = {segments(item)[-1] for item in self._items(exchange)}
        yield from (path for path, value in _answered(exchange) if str(value) in names)

    def _declared(self, exchange: Exchange) -> Iterator[Path]:
        """Where the answer has the parameter by which an item is deleted."""
        collection = shown_path(_plain(exchange.request.url), self._url)
        for pattern, parameter in self._deletes:
            if pattern.fullmatch(collection):
                wanted = {parameter.lower(), *(["id"] if parameter.lower().endswith("id") else [])}
                named = [p for p, _ in _answered(exchange) if str(p[-1:][0]).lower() in wanted]
                yield from sorted(named, key=len)[:1]

    def _is_item(self, exchange: Exchange) -> bool:
        """Whether the call made the very thing that its address names."""
        path = shown_path(_plain(exchange.request.url), self._url)
        creating = exchange.request.method in {"POST", "PUT"} and exchange.status == 201
        return creating and any(
            pattern.fullmatch(path.rstrip("/").rpartition("/")[0]) for pattern, _ in self._deletes
        )

    def _items(self, exchange: Exchange) -> list[str]:
        """The addresses just below the one that was posted to."""
        base = _plain(exchange.request.url) + "/"
        return [u for u in self._urls if u.startswith(base) and "/" not in u[len(base) :]]

    def line(self, exchange: Exchange, number: int, names: Names) -> Iterator[str]:
        """The line, or none."""
        base = _plain(exchange.request.url)
        if self._is_item(exchange):
            literal = path_literal(shown_path(base, self._url), names)
            yield f"service.remove_later(answer_{number}, {literal})"
        if exchange.request.method != "POST":
            return
        if base in self._ids:
            where = ", ".join(map(repr, self._ids[base]))
            literal = path_literal(shown_path(base, self._url), names)
            yield f"service.remove_made(answer_{number}, {literal}, {where})"
            return
        sent = {str(value) for _, value in leaves(parsed(exchange.request.body))}
        for item in self._items(exchange):
            if segments(item)[-1] in sent:
                literal = path_literal(shown_path(item, self._url), names)
                yield f"service.remove_later(answer_{number}, {literal})"


def _answered(exchange: Exchange) -> Iterator[tuple[Path, str | int]]:
    """The values of an answer that made something."""
    reply = exchange.reply
    if isinstance(reply, Response) and 200 <= reply.status < 300:
        yield from ((path, value) for path, value in leaves(parsed(reply.body)) if path)


def _plain(url: str) -> str:
    return url.partition("?")[0].rstrip("/")
