"""What stays on a service because nothing removes it: only so much of it is made in a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from icepick.execute.binding.emulator import Instance
from icepick.execute.events import LeftBehind
from icepick.execute.types import Exchange
from icepick.resources.types import Resource, ResourceMap, Role, Use

IN_CHAINS, IN_LESSONS, IN_WALK, IN_CONFIRMING, IN_LAWS, IN_ALL = 5, 10, 20, 45, 50, 60
"""How many of a resource may be left on the service by the end of each part of a run: what comes
later finds some room too, most of it those calls that make a finding sure."""

STAYING = "staying"
"""The kind of notes on resources of which no more were made."""

_CREATING = frozenset({Role.CREATE, Role.CREATE_MANY})


class Staying:
    """Counts what a run leaves on a service, by resource, and says when it is enough.

    What no operation deletes stays as soon as it is created; anything else once its deletion was
    refused. As long as more is removed than left, there is no end to it.
    """

    def __init__(self, most: int = IN_ALL) -> None:
        self.most = most
        self._forever = frozenset[str]()
        self._strays: list[LeftBehind] = []
        self._resources = ResourceMap({}, ())
        self._changing: dict[str, list[tuple[Resource, Use]]] = {}
        """By operation the resources that it creates or deletes."""
        self._left: dict[str, set[str]] = {}
        self._removed: Counter[str] = Counter()
        self._spare: dict[tuple[str, bool], list[Instance]] = {}
        self._declined: Counter[str] = Counter()

    def believe(self, resources: ResourceMap) -> None:
        """Go by these resources from now on."""
        self._resources = resources
        self._changing = {}
        for resource in resources.resources.values():
            for use in resource.uses:
                if use.role is Role.DELETE or use.creates:
                    self._changing.setdefault(use.operation, []).append((resource, use))
        self._forever = frozenset(_forever(resources.resources.values()))

    def stays(self, resource: str) -> bool:
        """Whether no operation deletes such a thing, nor what holds it."""
        return resource in self._forever

    def see(self, exchange: Exchange) -> None:
        """Take in what became of a call."""
        changed = self._changing.get(exchange.operation or "")
        if not changed or not 200 <= (exchange.status or 0) < 300:
            return
        for resource, use in changed:
            if use.role is Role.DELETE:
                self._removed[resource.name] += 1
            elif use.creates and resource.name in self._forever:
                put = exchange.request.method == "PUT"
                self._add(resource.name, exchange.request.url if put else str(exchange.number))
            elif use.creates and _is_adrift(resource):
                why = f"nothing addresses it; request {exchange.number} created it"
                self._strays.append(LeftBehind(resource.name, exchange.request.url, why))

    def refused(self, instance: Instance) -> None:
        """Something that can be deleted was not."""
        if instance.resource not in self._forever:
            self._add(instance.resource, f"{sorted(instance.address.items())}")

    def _add(self, resource: str, which: str) -> None:
        self._left.setdefault(resource, set()).add(which)

    def is_enough(self, resource: str) -> bool:
        """Whether no more of a resource are to be made now."""
        return self._has(resource, self.most)

    def is_full(self, resource: str) -> bool:
        """Whether there is no room for one more, whatever it is for: sequences that run side by
        side can use some at once, which are there for others afterwards."""
        return self._has(resource, IN_CONFIRMING)

    def _has(self, resource: str, most: int) -> bool:
        left = len(self._left.get(resource, ()))
        return left >= most and left > self._removed[resource]

    def why_no_more(self, operation: str) -> str:
        """Why an operation is not to be called for what it creates; empty where it may be."""
        for resource, use in self._resources.uses_of(operation):
            if use.role in _CREATING and self.is_enough(resource.name):
                return self.declined(resource.name)
        return ""

    def declined(self, resource: str) -> str:
        """Note that one more was wanted; what is said of it."""
        self._declined[resource] += 1
        return f"{self.most} of {resource} stay on the service, and that is enough"

    def keep(self, spare: list[Instance], left: int, *, spoiled: bool) -> None:
        """Nobody uses these any more. They are as good as new, unless something else was left
        behind with them, or may have been."""
        clean = left == len(spare) and not spoiled
        for one in spare:
            self._spare.setdefault((one.resource, clean), []).append(one)

    def take(self, resource: str, *, clean: bool) -> Instance | None:
        """One that stays and that nobody uses; one that is not clean where that is no harm."""
        free = self._spare.get((resource, True)) or (
            None if clean else self._spare.get((resource, False))
        )
        return free.pop(0) if free else None

    def told(self) -> Iterator[tuple[str, str]]:
        """The resources of which no more were made, and what is to be said of each."""
        for resource, times in sorted(self._declined.items()):
            left = len(self._left.get(resource, ()))
            yield resource, f"{left} stay on the service; {times} more were wanted and not created"

    def strays(self) -> Iterator[LeftBehind]:
        """What was created and has no address, so that nobody could remove it."""
        return iter(self._strays)


def _is_adrift(resource: Resource) -> bool:
    """Whether what is created has no address, lies in nothing that has, and nothing removes it."""
    removed = resource.having(Role.DELETE, Role.DELETE_MANY)
    return resource.item_path is None and resource.parent is None and not removed


def _forever(resources: Iterable[Resource]) -> Iterator[str]:
    known = list(resources)
    removable = [one.item_path for one in known if one.item_path and one.having(Role.DELETE)]
    for one in known:
        path = one.item_path
        # What lies below something goes with it.
        gone = path and any(f"{path}/".startswith(f"{over.rstrip('/')}/") for over in removable)
        made = any(use.creates for use in one.uses)
        if path and made and not gone and one.identifier is not None:
            yield one.name
