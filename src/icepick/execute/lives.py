"""The lives of resources: which of them were seen whole, from creation to being gone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator

from icepick.execute.answers import answer_of
from icepick.execute.events import LifeCycle
from icepick.execute.said import refusal_text
from icepick.execute.types import Exchange, Failure
from icepick.resources.types import Resource, ResourceMap, Role, Use

CREATE, READ, UPDATE, DELETE = "create", "read", "update", "delete"
GONE = "absent afterwards"
_ROLES = {
    Role.READ: READ,
    Role.REPLACE: UPDATE,
    Role.UPDATE: UPDATE,
    Role.DELETE: DELETE,
}
_MEANS_GONE = frozenset({403, 404, 410})
_VARYING = re.compile(r"'[^']*'|\"[^\"]*\"|\S*\d\S*")


class Life:
    """What was seen of the life of one resource, and what was said where it was not."""

    def __init__(self, resource: Resource, *, is_marked: bool = False) -> None:
        self.resource = resource.name
        self._is_marked = is_marked
        """Whether what is deleted stays readable, and says that it is deleted."""
        found = {part for use in resource.uses for part in _parts(use)}
        self.parts = [one for one in (CREATE, READ, UPDATE, DELETE) if one in found] + [GONE]
        self.done: set[str] = set()
        self._said: dict[str, str] = {}
        self._refused: dict[str, Counter[str]] = {}
        """What was said in place of each part, without what differs each time, and how often."""
        self._words: dict[str, str] = {}
        self._created = 0
        self._deleted: dict[str, int] = {}
        """Addresses of what was deleted, with how many had been created by then."""

    @property
    def is_offered(self) -> bool:
        """Whether an instance can be made, looked at and removed."""
        return {CREATE, READ, DELETE} <= set(self.parts)

    def add(self, part: str, exchange: Exchange) -> None:
        """A call that is a part of it."""
        url, status = exchange.request.url.partition("?")[0], exchange.status or 0
        if part == READ and url in self._deleted:
            self._after(url, status)
        elif 200 <= status < 300:
            self.done.add(part)
            self._created += part == CREATE
            if part == DELETE:
                self._deleted[url] = self._created
            elif part in {CREATE, UPDATE}:
                self._deleted.pop(url, None)
        elif part not in self.done:
            self._refuse(part, _answer(exchange))

    def _refuse(self, part: str, said: str) -> None:
        status, _, words = said.partition(":")
        kind = f"{status}:{_VARYING.sub('?', words)}"
        self._words[kind] = said
        self._refused.setdefault(part, Counter())[kind] += 1

    def _after(self, url: str, status: int) -> None:
        if status in _MEANS_GONE or (self._is_marked and 200 <= status < 300):
            self.done.add(GONE)
        elif self._deleted.pop(url) == self._created:
            # One that was created since may have got the same number.
            self._said[GONE] = f"it was read after its deletion, which answered {status}"

    def told(self) -> LifeCycle:
        """What is missing, and why."""
        missing = [part for part in self.parts if part not in self.done]
        return LifeCycle(
            self.resource, tuple(self.parts), {part: self._reason(part) for part in missing}
        )

    def _reason(self, part: str) -> str:
        if part in self._said:
            return self._said[part]
        if part == GONE:
            return self._unread() if DELETE in self.done else "none deleted"
        return self._refusal(part) or "it was not called"

    def _unread(self) -> str:
        """Nobody asks for what a service fell over when it was to delete it."""
        failed = self._refusal(DELETE)
        fell = failed.startswith("answered 5")
        return f"nothing was read after its deletion{f', which {failed}' if fell else ''}"

    def _refusal(self, part: str) -> str:
        # Single refusals are about inputs that were tried; what stands in the way is said often.
        most = self._refused.get(part, Counter()).most_common(1)
        return self._words[most[0][0]] if most else ""


class Lives:
    """Takes the exchanges of a run, and says how much of each life cycle was seen."""

    def __init__(self, resources: ResourceMap, marked: Collection[str] = ()) -> None:
        self._lives = [
            Life(one, is_marked=one.name in marked)
            for one in resources.resources.values()
            if one.identifier
        ]
        self._parts: dict[str, list[tuple[Life, str]]] = {}
        for life in self._lives:
            for use in resources.resources[life.resource].uses:
                for part in _parts(use):
                    self._parts.setdefault(use.operation, []).append((life, part))

    def add(self, exchange: Exchange) -> None:
        """The next exchange; what cleans up is part of a life too."""
        for life, part in self._parts.get(exchange.operation or "", ()):
            life.add(part, exchange)

    def told(self) -> Iterator[LifeCycle]:
        """The life cycles that the service offers."""
        return (life.told() for life in self._lives if life.is_offered)


def _parts(use: Use) -> Iterator[str]:
    if use.creates:
        yield CREATE
    if use.role in _ROLES:
        yield _ROLES[use.role]


def _answer(exchange: Exchange) -> str:
    reply = exchange.reply
    if isinstance(reply, Failure):
        return f"no answer ({reply.kind.value})"
    return f"answered {reply.status}{refusal_text(answer_of(reply))}"
