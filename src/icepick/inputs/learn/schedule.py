"""Which operation is learned next (Algorithm 1 of EmRest)."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from icepick.inputs.case import Slot
from icepick.openapi.types import ApiSpec, Operation
from icepick.resources.types import Field, Location, Resource, ResourceMap, Role

ATTEMPTS = 3
_CREATING = (Role.CREATE, Role.CREATE_MANY)
_METHODS = ("POST", "GET", "HEAD", "PUT", "PATCH", "OPTIONS", "TRACE")


def order(
    spec: ApiSpec, resources: ResourceMap | None = None
) -> tuple[tuple[Operation, ...], tuple[Operation, ...]]:
    """The operations that create, read and change, parents first; then the deletes, deepest first.

    With resources, what others refer to comes before what refers to it.
    """
    ranks = _ranks(spec, resources) if resources is not None else {}
    last = len(_METHODS)
    positions = {operation.id: index for index, operation in enumerate(spec.operations)}

    def early(one: Operation) -> tuple[int, int, int, int]:
        method = _METHODS.index(one.method) if one.method in _METHODS else last
        return depth(one), ranks.get(one.id, 0), method, positions[one.id]

    def late(one: Operation) -> tuple[int, int, int]:
        return -depth(one), -ranks.get(one.id, 0), positions[one.id]

    removing = [one for one in spec.operations if one.method == "DELETE"]
    others = [one for one in spec.operations if one.method != "DELETE"]
    return tuple(sorted(others, key=early)), tuple(sorted(removing, key=late))


def depth(operation: Operation) -> int:
    """The number of segments of its path."""
    return len([part for part in operation.path.split("/") if part])


def _ranks(spec: ApiSpec, resources: ResourceMap) -> dict[str, int]:
    """How many references lead from a resource to the ones that refer to none, by operation."""
    ranks = dict.fromkeys(resources.resources, 0)
    for _ in ranks:
        for name, resource in resources.resources.items():
            targets = [one.target for one in resource.references if one.target in ranks]
            known = [ranks[one] + 1 for one in targets if one != name]
            ranks[name] = min(max([*known, ranks[name]]), len(ranks))
    found: dict[str, int] = {}
    for operation in spec.operations:
        uses = resources.uses_of(operation.id)
        found[operation.id] = max((ranks[resource.name] for resource, _ in uses), default=0)
    return found


def needs(
    operation: Operation, spec: ApiSpec, resources: ResourceMap, *, deep: bool = False
) -> tuple[Operation, ...]:
    """The creations of what a call needs: its own resource, its parent, what it refers to.

    What another of them belongs to is left out, unless deep: it is there already, and a second
    one would only lead to things that do not belong together. Deep, an action also gets what
    belongs to its resource.
    """
    known = resources.resources
    wanted: list[str] = []
    for resource, use in resources.uses_of(operation.id):
        mine = [] if use.role in _CREATING else [resource.name]
        below = [one.name for one in known.values() if one.parent == resource.name]
        wanted += [*_above(resource, resources), *mine]
        wanted += [one.target for one in resource.references if one.writable]
        wanted += below if deep and use.role is Role.ACTION else []
    found = [known[one] for one in dict.fromkeys(wanted) if one in known]
    above = set() if deep else {name for one in found for name in _above(one, resources)}
    creations = [_creation(one) for one in found if one.name not in above]
    return tuple(
        one for one in order(spec, resources)[0] if one.id in creations and one is not operation
    )


def _creation(resource: Resource) -> str | None:
    uses = resource.having(Role.CREATE) or [use for use in resource.uses if use.creates]
    return uses[0].operation if uses else None


def _above(resource: Resource, resources: ResourceMap) -> list[str]:
    """The resources that one belongs to, the outermost first."""
    found: list[str] = []
    parent = resource.parent
    while parent is not None and parent in resources.resources and parent not in found:
        found.insert(0, parent)
        parent = resources.resources[parent].parent
    return found


def identity_of(operation: Operation, resources: ResourceMap) -> tuple[Slot, ...]:
    """The inputs by which a creation names what it makes; a new value there makes a new thing."""
    found: list[Slot] = []
    for resource, use in resources.uses_of(operation.id):
        identifier = resource.identifier
        if identifier is None or not (use.creates or use.role in _CREATING):
            continue
        if operation.path == resource.item_path:
            found.append((Location.PATH, (identifier.parameter,)))
        elif identifier.input is not None and not _is_borrowed(resource, identifier.input):
            found.append((identifier.input.location, identifier.input.path))
    return tuple(dict.fromkeys(found))


def _is_borrowed(resource: Resource, given: Field) -> bool:
    """Whether an identifier is that of something else: a new one would name nothing."""
    return any(
        one.writable and (one.field.location, one.field.path) == (given.location, given.path)
        for one in resource.references
    )


@dataclass(frozen=True, slots=True)
class Turn:
    """An operation whose turn it is; `anew` where it is to make one more thing for another."""

    operation: Operation
    anew: bool = False


class Schedule:
    """Gives out operations; one that failed comes again after the others, three times at most.

    Before it comes again, what it needs is created anew: things may be used up by then.
    """

    def __init__(
        self, spec: ApiSpec, resources: ResourceMap | None = None, attempts: int = ATTEMPTS
    ) -> None:
        first, last = order(spec, resources)
        self._spec = spec
        self._resources = resources
        self._waiting = deque(first)
        self._removing = deque(last)
        self._attempts = attempts
        self._tried: dict[str, int] = {}
        self._turns: deque[Turn] = deque()

    def next(self) -> Turn | None:
        """The next operation; None at the end."""
        if not self._turns:
            self._take()
        return self._turns.popleft() if self._turns else None

    def _take(self) -> None:
        if not self._waiting:
            self._waiting, self._removing = self._removing, deque()
        if not self._waiting:
            return
        found = self._waiting.popleft()
        self._tried[found.id] = self.attempt(found) + 1
        if self.attempt(found) > 1 and self._resources is not None:
            deep = self.attempt(found) > 2
            needed = needs(found, self._spec, self._resources, deep=deep)
            self._turns.extend(Turn(one, anew=True) for one in needed)
        self._turns.append(Turn(found))

    def attempt(self, operation: Operation) -> int:
        """How often an operation was given out for its own sake."""
        return self._tried.get(operation.id, 0)

    def done(self, turn: Turn, *, success: bool) -> None:
        """Say how it went; what was made for another is not tried again."""
        if not success and not turn.anew and self.attempt(turn.operation) <= self._attempts:
            self._waiting.append(turn.operation)
