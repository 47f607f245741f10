"""What a sequence has in the service: what its calls created, changed and deleted there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from icepick.execute.answers import identifier_in
from icepick.execute.binding.addresses import address_in
from icepick.execute.binding.bound import Bound, Newborn
from icepick.execute.binding.emulator import Emulator, Instance
from icepick.execute.cleaning import still_there
from icepick.execute.events import LeftBehind
from icepick.execute.ownership import Ownership
from icepick.execute.types import Exchange
from icepick.glacier import Answer
from icepick.inputs import Case
from icepick.openapi.places import holes
from icepick.openapi.types import ABSENT, Json
from icepick.resources.types import Chooser, Identifier, Resource, ResourceMap, Role
from icepick.sequences.types import Call, Kind


class Holdings:
    """Keeps the emulator of one sequence in step with the answers to its calls."""

    def __init__(self, resources: ResourceMap, ownership: Ownership, sequence: int) -> None:
        self._resources = resources.resources
        self._ownership = ownership
        self._sequence = sequence
        self.emulator = Emulator()
        self.created: list[Instance] = []
        self.in_doubt: list[Instance] = []
        """What was created, if the service did it: no answer says so."""
        self.lost: list[tuple[str, Exchange]] = []
        """The same by resource where nobody knows the identifier."""
        self.known = False
        """Whether the last creation gave nothing new, but what was there already."""
        self.renamed = False
        """Whether the service gave what it created another identifier than it was sent."""

    def remains(self) -> list[Instance]:
        """What is to be removed, oldest first: it is there, or may be."""
        return [*still_there(self.created, self.emulator.live()), *self.in_doubt]

    def untraced(self) -> Iterator[LeftBehind]:
        """What may be there, and cannot be removed since nobody knows its name."""
        for resource, exchange in self.lost:
            status = exchange.status
            why = f"its creation was answered with {status}" if status else "no answer came"
            yield LeftBehind(resource, exchange.request.url, f"it may be there: {why}")

    def claim(self, bound: Bound) -> None:
        """Take possession of what a call is about to create under a name of its own."""
        for newborn in bound.created:
            if newborn.identifier is not ABSENT:
                self._ownership.take(newborn.resource, newborn.identifier, self._sequence)

    def perhaps(self, bound: Bound, exchange: Exchange) -> None:
        """What a call created, if it did, is to be removed: its values are new, and so ours."""
        for newborn in bound.created:
            if newborn.identifier is ABSENT:
                self.lost.append((newborn.resource, exchange))
            elif not self._ownership.was_there(newborn.resource, newborn.identifier):
                self.in_doubt.append(self.instance(newborn, newborn.identifier, bound))

    def happened(self, call: Call, bound: Bound, answer: Answer) -> None:
        """Do what a call did that succeeded."""
        self.known = self.renamed = False
        for newborn in bound.created:
            self._born(newborn, bound, answer)
        if bound.unasked is not None and call.kind is Kind.REFUSAL:
            self._stray(bound.unasked, bound)
        self._touch(call, bound)
        for value in bound.deleted:
            self.emulator.delete(value)

    def adopt(self, newborn: Newborn, known: Instance) -> None:
        """Take what is there already for what was to be created."""
        instance = replace(known, value=newborn.value)
        self._ownership.take(instance.resource, instance.identifier, self._sequence)
        self.emulator.add(instance)
        self.created.append(instance)

    def instance(self, newborn: Newborn, identifier: Json, bound: Bound) -> Instance:
        """What a call creates, under its identifier."""
        resource = self._resources[newborn.resource]
        address = _address(resource, newborn, identifier, bound.case, self.emulator)
        return Instance(
            newborn.value, newborn.resource, identifier, address, newborn.fields, newborn.sent,
            item_path=resource.item_path,
        )  # fmt: skip

    def _born(self, newborn: Newborn, bound: Bound, answer: Answer) -> None:
        resource = self._resources[newborn.resource]
        identifier, own = newborn.identifier, resource.identifier
        asks = identifier is ABSENT or _has_last_word(own, bound.case)
        if asks and own is not None and bound.use is not None:
            shown = identifier_in(answer, bound.use, own, resource.item_path)
            identifier = identifier if shown is ABSENT else shown
        if identifier is ABSENT:
            return
        instance = self.instance(newborn, identifier, bound)
        if identifier != newborn.identifier and self._is_known(instance):
            self.known = True
            return
        self._ownership.take(newborn.resource, identifier, self._sequence)
        self.renamed = newborn.identifier not in (ABSENT, identifier)
        before = self.emulator.find(newborn.value)
        if before is not None and before.identifier != identifier:
            # What was to be refused has made another one beside it.
            self.in_doubt.append(instance)
            return
        self.emulator.add(instance)
        self.created.append(instance)

    def _is_known(self, instance: Instance) -> bool:
        """Whether a service gave the one it has for the same data once more; under other data that
        would be two things with one name."""
        return any(
            one.resource == instance.resource
            and one.address == instance.address
            and _data(one.sent) == _data(instance.sent)
            for one in self.emulator.live()
        )

    def _stray(self, newborn: Newborn, bound: Bound) -> None:
        """What may have come to be unasked is removed at the end, and hidden until then."""
        if not self._ownership.was_there(newborn.resource, newborn.identifier):
            self._ownership.release(newborn.resource, newborn.identifier)
            self.in_doubt.append(self.instance(newborn, newborn.identifier, bound))

    def _touch(self, call: Call, bound: Bound) -> None:
        """A call may change what its subject refers to: an order takes from the stock."""
        if bound.case.operation.is_safe:
            return
        named = [one for one in call.arguments if isinstance(one, str)]
        touched = self.emulator.behind(named)
        is_field = bound.use is not None and bound.use.role is Role.FIELD
        if call.kind is Kind.ACTION or is_field:
            touched += [one for value in named if (one := self.emulator.find(value)) is not None]
        for instance in touched:
            instance.kept = {}


def _has_last_word(identifier: Identifier | None, case: Case) -> bool:
    """Whether a service may give another identifier than the one it was sent."""
    either = identifier is not None and identifier.chooser is Chooser.EITHER
    return either and identifier is not None and identifier.parameter not in case.path


def _data(sent: Json) -> Json:
    return {} if sent in (ABSENT, None) else sent


def _address(
    resource: Resource, newborn: Newborn, identifier: Json, case: Case, emulator: Emulator
) -> dict[str, Json]:
    """The path parameters that lead to a new instance."""
    path = resource.item_path or ""
    found: dict[str, Json] = {}
    for value in newborn.fields.values():
        referred = emulator.find(value)
        if referred is not None:
            found |= referred.parameters(path)
    sent = newborn.sent if isinstance(newborn.sent, dict) else {}
    found |= {name: sent[name] for name in holes(path) if name in sent and name not in found}
    found |= address_in(path, case.operation.path, case.path)
    if resource.identifier is not None:
        found[resource.identifier.parameter] = identifier
    return found
