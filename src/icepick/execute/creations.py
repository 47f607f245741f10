"""What a run created itself, beside what it was merely shown: it changes nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from icepick.execute.answers import identifier_in, texts_in
from icepick.execute.binding.addresses import address_in
from icepick.execute.binding.emulator import Instance
from icepick.execute.ownership import Ownership
from icepick.glacier import Answer
from icepick.inputs import Case
from icepick.openapi.places import HOLE, blank
from icepick.openapi.shape import keyword
from icepick.openapi.types import ABSENT, ApiSpec, Json, Operation
from icepick.resources.types import Identifier, Resource, ResourceMap, Role

LESSONS = -1_000_000_000
"""The sequence, as it were, that what is created in lessons belongs to."""

_CREATING = frozenset({Role.CREATE, Role.REPLACE})


class Creations:
    """The instances that calls outside sequences created, by what those were answered."""

    def __init__(
        self, spec: ApiSpec, resources: ResourceMap, ownership: Ownership | None = None
    ) -> None:
        self._spec = spec
        self._resources = resources
        self._ownership = ownership
        self.all: list[Instance] = []
        self._shown: set[str] = set()
        self._ours: set[tuple[str, ...]] = set()
        """Kinds with one part of an address, or with all of them."""

    def show(self, body: Json) -> None:
        """Take in what an answer merely shows: it may be anybody's."""
        self._shown.update(texts_in(body))

    def hold(self, case: Case) -> bool:
        """Whether all that the path of a call names was created here, or is named by the call."""
        free = self._free(case.operation)
        return all(
            self._is_ours(case, name, str(value))
            or (name in free and str(value) not in self._shown)
            for name, value in case.path.items()
            if not self._is_listed(case.operation, name)
        )

    def _free(self, operation: Operation) -> set[str]:
        """The parameters by which a call names what it makes itself."""
        return {
            resource.identifier.parameter
            for resource, use in self._resources.uses_of(operation.id)
            if resource.identifier is not None and use.creates
        }

    def _is_listed(self, operation: Operation, name: str) -> bool:
        """Whether a parameter takes one of a few names in the document, which are nobody's."""
        schemas = (one.schema for one in operation.parameters if one.name == name)
        return any(keyword(one, "enum", self._spec.schemas) for one in schemas)

    def lack(self, operation: Operation) -> bool:
        """Whether a call would change a thing of a kind that there is none of."""
        free, ours = self._free(operation), {kind for kind, *_ in self._ours}
        return any(
            not ours & set(self._kinds(operation.path, name))
            for name in HOLE.findall(operation.path)
            if name not in free and not self._is_listed(operation, name)
        )

    def _is_ours(self, case: Case, name: str, value: str) -> bool:
        """Whether a part of a path names something that the run created, and of that kind; where
        more than one part names it, all of them together."""
        path = case.operation.path
        kinds = self._kinds(path, name)
        around = HOLE.findall(path[: path.find(f"{{{name}}}")])
        if not around or kinds == [""]:
            return any((kind, value) in self._ours for kind in kinds)
        values = tuple(str(case.path.get(one)) for one in (*around, name))
        return any((kind, *values) in self._ours for kind in kinds)

    def _kinds(self, path: str, name: str) -> list[str]:
        """The resources that a part of a path may name; any where it does not tell."""
        hole = f"{{{name}}}"
        start = blank(path[: path.find(hole) + len(hole)])
        known = self._resources.resources.values()
        kinds = [one.name for one in known if one.item_path and blank(one.item_path) == start]
        return kinds or [""]

    def _was_missing(self, resource: str, identifier: Json) -> bool:
        known = self._ownership
        return known is not None and known.was_missing(resource, identifier)

    def remember(self, case: Case, answer: Answer, *, sure: bool = True) -> None:
        """Note what a call created, so that it can be removed; where it is not sure that it did,
        only what nobody else can have created."""
        for resource, use in self._resources.uses_of(case.operation.id):
            identifier = resource.identifier
            if use.role not in _CREATING or identifier is None:
                continue
            found = identifier_in(answer, use, identifier, resource.item_path)
            found = _sent_as(identifier, case) if found is ABSENT else found
            if found is ABSENT or not (sure or self._was_missing(resource.name, found)):
                continue
            address = {**_around(resource, case), identifier.parameter: found}
            was_there = not use.creates and (not sure or self._has_created(resource.name, address))
            if not was_there:  # otherwise this was an update
                self._add(resource, found, address)

    def _add(self, resource: Resource, identifier: Json, address: Mapping[str, Json]) -> None:
        if self._ownership is not None:
            self._ownership.take(resource.name, identifier, LESSONS)
        born = Instance(str(identifier), resource.name, identifier, address)
        born.item_path = resource.item_path
        self.all.append(born)
        self._own(resource, address)

    def _own(self, resource: Resource, address: Mapping[str, Json]) -> None:
        for value in map(str, address.values()):
            self._ours |= {(resource.name, value), ("", value)}
        holes = HOLE.findall(resource.item_path or "")
        if all(name in address for name in holes):
            self._ours.add((resource.name, *(str(address[name]) for name in holes)))

    def _has_created(self, resource: str, address: Mapping[str, Json]) -> bool:
        """Whether it is one of those that were created; what else is named by names of the run's
        alone came to be by an update."""
        known = {name: str(value) for name, value in address.items()}
        return any(
            {name: str(value) for name, value in one.address.items()} == known
            for one in self.all
            if one.resource == resource
        )

    def clear(self) -> None:
        """Nothing of it is there any more."""
        self.all.clear()
        self._ours.clear()


def _sent_as(identifier: Identifier, case: Case) -> Json:
    """The identifier that a call gave to what it created."""
    found = case.path.get(identifier.parameter, ABSENT)
    if found is ABSENT and identifier.input is not None and isinstance(case.body, dict):
        return case.body.get(identifier.input.name, ABSENT)
    return found


def _around(resource: Resource, case: Case) -> dict[str, Json]:
    """The parts of an address that a call names, such as those of what holds the instance."""
    path = resource.item_path or ""
    sent = {**(case.body if isinstance(case.body, dict) else {}), **case.path}
    named = {name: sent[name] for name in HOLE.findall(path) if name in sent}
    return named | address_in(path, case.operation.path, case.path)
