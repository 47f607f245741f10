"""From a planned call to real inputs: model values become the identifiers of this sequence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from icepick.execute.answers import at, fields_of
from icepick.execute.binding.bound import Bound, Newborn, NotBound
from icepick.execute.binding.choosing import chosen
from icepick.execute.binding.deed import Deed
from icepick.execute.binding.emulator import Emulator, Instance
from icepick.execute.binding.subject import Chance, Subject
from icepick.inputs import Case, Made, Slot
from icepick.model.derive.derive import Derivation
from icepick.model.types import Delete, OnDelete
from icepick.openapi.shape import properties
from icepick.openapi.types import ABSENT, Json, Operation
from icepick.resources.types import Location, Path, Resource, Role
from icepick.resources.words import words
from icepick.sequences.types import Call, Kind
from icepick.sequences.upkeep import UPDATES


class Binder:
    """Makes the inputs of the calls of one model."""

    def __init__(self, subject: Subject, derivation: Derivation) -> None:
        self._subject = subject
        self._bindings = derivation.bindings
        self._actions = {action.name: action for action in derivation.model.actions}
        self._values = {
            resource.value_name(i): resource.name
            for resource in derivation.model.resources
            for i in range(resource.size)
        }

    def bind(
        self, call: Call, emulator: Emulator, chance: Chance, *, again: bool = False
    ) -> Bound | NotBound:
        """The inputs of a call; `again` where earlier ones were refused."""
        operation = self._subject.operations[call.operation]
        if call.action is None:
            return self._beside(call, operation, emulator, chance, again=again)
        action, binding = self._actions[call.action], self._bindings[call.action]
        names = (parameter.name for parameter in action.parameters)
        arguments = dict(zip(names, call.arguments, strict=True))
        deed = Deed(self._subject, operation, action, binding, arguments, emulator, chance, again)
        return deed.many() if binding.several is not None else deed.one(call.kind)

    def falling(self, call: Call, instances: list[Instance]) -> frozenset[str]:
        """The values that go with those that a call deletes, by the rules of the model."""
        effects = self._actions[call.action].effects if call.action is not None else ()
        rules = {
            (rule.resource, rule.field)
            for effect in effects
            for rule in (effect.rules if isinstance(effect, Delete) else ())
            if rule.on_delete is OnDelete.CASCADE
        }
        gone, found = {one for one in call.arguments if isinstance(one, str)}, set[str]()
        while gone and rules:
            gone = {
                one.value
                for one in instances
                if one.value not in found
                and any(
                    (one.resource, name) in rules and to in gone for name, to in one.fields.items()
                )
            }
            found |= gone
        return frozenset(found)

    # Updates, reads and actions

    def _beside(
        self, call: Call, operation: Operation, emulator: Emulator, chance: Chance, *, again: bool
    ) -> Bound | NotBound:
        instances: list[Instance] = []
        for value in call.arguments:
            found = self._named(str(value), call, emulator)
            if isinstance(found, NotBound):
                return found
            instances += [found] if found is not None else []
        given = _addressed(operation, instances)
        if call.kind is Kind.REFUSAL:
            given = self._unknown(operation, given, chance)
            given |= dict(self._same_identifier(operation, str(call.arguments[0]), given))
            case = self._subject.made(operation, chance, given)
            return case if isinstance(case, NotBound) else self._refusal(call, case)
        updates = call.kind is Kind.UPDATE and bool(instances)
        use = self._subject.use(operation, instances[0].resource) if instances else None
        if use is not None and use.role is Role.UPDATE_MANY:
            one, subject = instances[0], self._subject
            resource = subject.resources.resources[one.resource]
            query = chosen(operation, resource, one.address, subject.leaves)
            if query is None:
                return NotBound(f"nothing in its query chooses {one.value} alone")
            given |= query
        if updates:
            given |= dict(self._unchanged(operation, instances[0], emulator))
            if call.input == UPDATES[-1] and not again:
                given = {**dict(self._borrowed(operation, instances[0], emulator)), **given}
            given |= dict(self._changes(operation, instances[0], chance))
        elif use is None and instances:
            given = {**dict(self._told(operation, instances[0])), **given}
        case = self._subject.made(operation, chance, given)
        if isinstance(case, NotBound):
            return case
        return Bound(case, use, updated=instances[0].value if updates else None)

    def _refusal(self, call: Call, case: Case) -> Bound:
        """A call about something absent; should it come to be by that, it is ours to remove."""
        value = str(call.arguments[0])
        resource = self._subject.resources.resources[self._values[value]]
        use = self._subject.use(case.operation, resource.name)
        parameter = resource.identifier.parameter if resource.identifier is not None else ""
        if parameter not in case.path:
            return Bound(case, use)
        sent = case.path[parameter]
        return Bound(case, use, unasked=Newborn(value, resource.name, sent, {}, case.body))

    def _named(self, value: str, call: Call, emulator: Emulator) -> Instance | NotBound | None:
        """The instance of a value; one that is gone where a refusal is wanted."""
        found = emulator.find(value)
        if found is None and call.kind is Kind.REFUSAL:
            return emulator.past(value)
        return found or NotBound(f"{value} does not exist: its creation did not succeed")

    def _unknown(
        self, operation: Operation, given: dict[Slot, Json], chance: Chance
    ) -> dict[Slot, Json]:
        """The same with identifiers that nothing has in place of those that are missing."""
        for slot, leaf in self._subject.leaves.of(operation).by_slot.items():
            if leaf.location is Location.PATH and slot not in given:
                scope = f"unknown {leaf.name}"
                made = chance.fresh.value(leaf.schema, leaf.name, scope, in_path=True)
                if isinstance(made, Made):
                    given[slot] = made.value
        return given

    def _same_identifier(
        self, operation: Operation, value: str, given: Mapping[Slot, Json]
    ) -> Iterator[tuple[Slot, Json]]:
        """The identifier of the path once more in the body, where the body has a place for it."""
        resource = self._subject.resources.resources[self._values[value]]
        identifier = resource.identifier
        use = self._subject.use(operation, resource.name)
        start = use.request.path if use is not None and use.request is not None else ()
        if identifier is None or identifier.property is None:
            return
        slot = (Location.BODY, (*start, *identifier.property))
        sent = given.get((Location.PATH, (identifier.parameter,)), ABSENT)
        if sent is not ABSENT and slot in self._subject.leaves.of(operation).by_slot:
            yield slot, sent

    def _told(self, operation: Operation, instance: Instance) -> Iterator[tuple[Slot, Json]]:
        """Inputs that an instance has under the same name."""
        resource = self._subject.resources.resources[instance.resource]
        known = {tuple(words(path[-1])): value for path, value in fields_of(instance.sent)}
        if resource.identifier is not None and resource.identifier.property is not None:
            known[tuple(words(resource.identifier.property[-1]))] = instance.identifier
        for slot, leaf in self._subject.leaves.of(operation).by_slot.items():
            value = known.get(tuple(words(leaf.name)), ABSENT)
            if value is not ABSENT and not leaf.is_many:
                yield slot, value

    def _borrowed(
        self, operation: Operation, instance: Instance, emulator: Emulator
    ) -> Iterator[tuple[Slot, Json]]:
        """The names and the like of another one: a service that wants them unique says so."""
        use = self._subject.use(operation, instance.resource)
        start = use.request.path if use is not None and use.request is not None else ()
        others = [one for one in emulator.live() if one.resource == instance.resource]
        for other in [one for one in others if one is not instance][:1]:
            for leaf in self._subject.leaves.of(operation).unique:
                inside = leaf.path[len(start) :]
                value = other.kept.get(inside, at(other.sent, inside))
                if isinstance(value, str):
                    yield (leaf.location, leaf.path), value

    def _changes(
        self, operation: Operation, instance: Instance, chance: Chance
    ) -> Iterator[tuple[Slot, Json]]:
        """New values for an update without a body: the query has them, and all may be optional."""
        if operation.request_body is not None:
            return
        resource = self._subject.resources.resources[instance.resource]
        fixed = {one.field.path for one in resource.references}
        fixed |= {resource.identifier.property or ()} if resource.identifier is not None else set()
        fields = properties(resource.schema, self._subject.schemas)
        known = self._subject.leaves.of(operation).by_slot
        places = [
            slot
            for slot, leaf in known.items()
            if leaf.location is Location.QUERY and leaf.name in fields and slot[1] not in fixed
        ]
        number = chance.rng.randint(1, len(places)) if places else 0
        for slot in chance.rng.sample(places, number):
            schema = known[slot].schema
            made = self._subject.maker.element(schema, chance.rng, chance.options, {})
            if isinstance(made, Made):
                yield slot, made.value

    def _unchanged(
        self, operation: Operation, instance: Instance, emulator: Emulator
    ) -> Iterator[tuple[Slot, Json]]:
        """What an update repeats: the identifier, the references, the numbers of the model."""
        resource = self._subject.resources.resources[instance.resource]
        use = self._subject.use(operation, instance.resource)
        start = use.request.path if use is not None and use.request is not None else ()
        known = self._subject.leaves.of(operation).by_slot
        if resource.identifier is not None and resource.identifier.property is not None:
            slot = (Location.BODY, (*start, *resource.identifier.property))
            if slot in known:
                yield slot, instance.identifier
        for name, text in instance.fields.items():
            slot = (Location.BODY, (*start, *_path_of(resource, name)))
            if slot not in known:
                continue
            referred = emulator.find(text) if text in self._values else None
            if referred is not None:
                yield slot, referred.identifier
            elif text not in self._values and re.fullmatch(r"-?\d+", text):
                yield slot, int(text)


def _addressed(operation: Operation, instances: list[Instance]) -> dict[Slot, Json]:
    return {
        (Location.PATH, (name,)): value
        for one in reversed(instances)
        for name, value in one.parameters(operation.path).items()
    }


def _path_of(resource: Resource, field: str) -> Path:
    for reference in resource.references:
        if "_".join(reference.field.path) == field:
            return reference.field.path
    return (field,)
