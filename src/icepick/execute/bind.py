"""From a planned call to real inputs: model values become the identifiers of this sequence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from icepick.execute.addresses import address_in, holes
from icepick.execute.answers import at, fields_of
from icepick.execute.emulator import Emulator, Instance, value_of
from icepick.execute.leaves import AllLeaves
from icepick.execute.taught import Taught
from icepick.execute.unique import freshened
from icepick.inputs import Case, CaseMaker, Fresh, Made, NotMade, Options, Slot
from icepick.model.derive.binding import Binding
from icepick.model.derive.derive import Derivation
from icepick.model.expressions import Term, Var
from icepick.model.types import Action, Create, OneOf, Reference
from icepick.openapi.shape import Schemas, items, properties
from icepick.openapi.types import ABSENT, Json, Operation, Schema
from icepick.resources.types import (
    Chooser,
    Identifier,
    Location,
    Path,
    Resource,
    ResourceMap,
    Use,
)
from icepick.resources.words import words
from icepick.sequences.types import Argument, Call, Kind
from icepick.sequences.upkeep import UPDATES


@dataclass(frozen=True, slots=True)
class Newborn:
    """An instance that exists if the call succeeds; the service may still have to name it."""

    value: str
    resource: str
    identifier: Json
    fields: Mapping[str, str]
    sent: Json


@dataclass(frozen=True, slots=True)
class Bound:
    """A call with its inputs, and what it does to the emulator if it succeeds.

    `reborn` where it creates something under the identifier of something that is gone.
    """

    case: Case
    use: Use | None = None
    created: tuple[Newborn, ...] = ()
    deleted: tuple[str, ...] = ()
    updated: str | None = None
    reborn: bool = False

    @property
    def drawn(self) -> bool:
        """Whether chance had a part in the inputs: what is refused may be accepted with others."""
        return self.case.body is not ABSENT or bool(self.case.query)


@dataclass(frozen=True, slots=True)
class NotBound:
    """Why a call cannot be made."""

    reason: str


@dataclass(frozen=True, slots=True)
class Chance:
    """Where the choices of one sequence come from."""

    rng: Random
    fresh: Fresh
    options: Options


@dataclass(frozen=True, slots=True)
class Subject:
    """What calls are made of: the operations, the resources, and how inputs are made."""

    operations: Mapping[str, Operation]
    resources: ResourceMap
    schemas: Schemas
    maker: CaseMaker
    leaves: AllLeaves
    taught: Taught | None = None

    def use(self, operation: Operation, resource: str) -> Use | None:
        """What an operation does to a resource."""
        for owner, use in self.resources.uses_of(operation.id):
            if owner.name == resource:
                return use
        return None

    def made(
        self, operation: Operation, chance: Chance, given: Mapping[Slot, Json]
    ) -> Case | NotBound:
        """A call with these values; references that nobody binds are left out where that is legal,
        since an invented identifier would be refused."""
        leaves = self.leaves.of(operation)
        full = dict(given)
        for resource, use in self.resources.uses_of(operation.id):
            start = use.request.path if use.request else ()
            for reference in resource.references:
                slot = (Location.BODY, (*start, *reference.field.path))
                leaf = leaves.by_slot.get(slot)
                if slot not in given and leaf is not None and not leaf.required:
                    full[slot] = ABSENT
        made: Case | NotMade | None = None
        if self.taught is not None:
            made = self.taught.case(operation, full, chance.fresh, chance.rng)
        if made is None:
            made = self.maker.make(operation, chance.rng, chance.options, full)
        if isinstance(made, NotMade):
            return NotBound(f"no input could be made: {made}")
        return freshened(made, leaves, chance.fresh, frozenset(given))


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
        deed = _Deed(self._subject, operation, action, binding, arguments, emulator, chance, again)
        return deed.many() if binding.several is not None else deed.one(call.kind)

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
            return case if isinstance(case, NotBound) else Bound(case)
        updates = call.kind is Kind.UPDATE and bool(instances)
        use = self._subject.use(operation, instances[0].resource) if instances else None
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
                made = chance.fresh.value(leaf.schema, leaf.name, f"unknown {leaf.name}")
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


@dataclass(frozen=True, slots=True)
class _Deed:
    """One call of an action of the model."""

    subject: Subject
    operation: Operation
    action: Action
    binding: Binding
    arguments: Mapping[str, Argument]
    emulator: Emulator
    chance: Chance
    again: bool

    @property
    def resource(self) -> Resource:
        return self.subject.resources.resources[self.binding.resource]

    @property
    def own(self) -> str:
        """The value that is created or deleted."""
        value = self.arguments[self.action.parameters[0].name]
        return value if isinstance(value, str) else ""

    def one(self, kind: Kind) -> Bound | NotBound:
        """A call about one instance."""
        given = self._given(kind)
        if isinstance(given, NotBound):
            return given
        names = {} if self.again else dict(self._names_again(given))
        case = self.subject.made(self.operation, self.chance, {**given, **names})
        if isinstance(case, NotBound):
            return case
        effect = self.action.effects[0]
        if not isinstance(effect, Create):
            return Bound(case, self.binding.use, deleted=(self.own,))
        fields = {
            one.field: str(self.arguments[one.term.name])
            for one in effect.fields
            if isinstance(one.term, Var)
        }
        sent = _identifier_sent(case, self.resource.identifier)
        newborn = Newborn(self.own, self.binding.resource, sent, fields, case.body)
        past = self.emulator.past(self.own)
        reborn = bool(names) or (past is not None and past.identifier == sent)
        return Bound(case, self.binding.use, created=(newborn,), reborn=reborn)

    def _names_again(self, given: Mapping[Slot, Json]) -> Iterator[tuple[Slot, Json]]:
        """The names and the like that the value had before, every other time: what is deleted
        leaves them free. Where the identifier is one, it is enough."""
        identifier, past = self.resource.identifier, self.emulator.past(self.own)
        chosen = identifier is not None and identifier.chooser is not Chooser.SERVER
        if past is None or chosen or not self.emulator.births(self.own) % 2:
            return
        start = self.binding.use.request.path if self.binding.use.request is not None else ()
        for leaf in self.subject.leaves.of(self.operation).unique:
            inside = leaf.path[len(start) :]
            value = past.kept.get(inside, at(past.sent, inside))
            slot = (leaf.location, leaf.path)
            if isinstance(value, str) and slot not in given:
                yield slot, value

    def _given(self, kind: Kind) -> dict[Slot, Json] | NotBound:
        given: dict[Slot, Json] = {}
        for slot, term in self.binding.inputs.items():
            if slot not in self.subject.leaves.of(self.operation).by_slot:
                continue
            value = value_of(term, self.arguments, self.emulator)
            if _is_number(self.action, term) and isinstance(value, str):
                given[slot] = int(value)
                continue
            found = self._identifier(slot, value if isinstance(value, str) else "", kind)
            if isinstance(found, NotBound):
                return found
            given |= found
        return given

    def _identifier(self, slot: Slot, value: str, kind: Kind) -> dict[Slot, Json] | NotBound:
        """The identifier of a model value, which may have to be made up."""
        found = self.emulator.find(value)
        if found is not None:
            return {slot: found.identifier}
        if value == self.own and isinstance(self.action.effects[0], Create):
            return self._chosen(slot)
        if kind is not Kind.REFUSAL:
            what = value or slot[1][-1]
            return NotBound(f"{what} does not exist: its creation did not succeed")
        past = self.emulator.past(value)
        return {slot: past.identifier if past is not None else self._unknown(slot)}

    def _chosen(self, slot: Slot) -> dict[Slot, Json]:
        """The identifier of what is created, where the client chooses it."""
        identifier = self.resource.identifier
        if identifier is None:
            return {}
        if identifier.chooser is Chooser.SERVER and slot[0] is not Location.PATH:
            return {slot: ABSENT} if slot[0] is Location.BODY else {}
        if not self.again and (found := self._related(identifier)) is not None:
            return {slot: found}
        schema = identifier.input.schema if identifier.input else identifier.schema
        scope = f"{self.resource.name} identifier"
        made = self.chance.fresh.value(schema, identifier.parameter, scope)
        return {slot: made.value} if isinstance(made, Made) else {}

    def _related(self, identifier: Identifier) -> Json:
        """The identifier that the value had before, every other time, or one that begins like
        another: a service that confuses them is found out. None where there is none."""
        past = self.emulator.past(self.own)
        if past is not None:
            return past.identifier if self.emulator.births(self.own) % 2 else None
        schema = identifier.input.schema if identifier.input else identifier.schema
        for one in self.emulator.live():
            if one.resource == self.resource.name:
                scope = f"{self.resource.name} identifier"
                return self.chance.fresh.longer(one.identifier, schema, scope)
        return None

    def _unknown(self, slot: Slot) -> Json:
        """An identifier that nothing has."""
        leaf = self.subject.leaves.of(self.operation).by_slot[slot]
        made = self.chance.fresh.value(leaf.schema, leaf.name, f"unknown {leaf.name}")
        return made.value if isinstance(made, Made) else None

    def many(self) -> Bound | NotBound:
        """The creation of several instances at once; those that exist are sent with other data."""
        schema = self._element()
        members = next((one for one in self.arguments.values() if isinstance(one, tuple)), ())
        if schema is None:
            return NotBound("the list of what is to be created has no schema")
        bodies: list[Json] = []
        newborn: list[Newborn] = []
        for value in members:
            known = self.emulator.find(value)
            made = self._member(schema) if known is None else self._sent_again(schema, known)
            if isinstance(made, NotBound):
                return made
            bodies.append(made[1])
            if known is None:
                newborn.append(Newborn(value, self.binding.resource, made[0], {}, made[1]))
        slot = (Location.BODY, self.binding.several or ())
        case = self.subject.made(self.operation, self.chance, {slot: bodies})
        if isinstance(case, NotBound):
            return case
        return Bound(case, self.binding.use, created=tuple(newborn))

    def _element(self) -> Schema | None:
        sent = self.binding.use.request
        if sent is None or sent.many:
            return sent.schema if sent is not None else None
        return items(sent.schema, self.subject.schemas)

    def _sent_again(self, schema: Schema, known: Instance) -> tuple[Json, Json] | NotBound:
        """One that exists, under its identifier: with the same data nobody could tell whether it
        was overwritten."""
        if not self._names_members:
            return known.identifier, known.sent
        # Whether a list may overwrite what exists is for a contract to say.
        known.kept = {}
        return self._member(schema, known.identifier)

    @property
    def _names_members(self) -> bool:
        identifier = self.resource.identifier
        return (
            identifier is not None
            and identifier.property is not None
            and identifier.chooser is not Chooser.SERVER
        )

    def _member(self, schema: Schema, value: Json = ABSENT) -> tuple[Json, Json] | NotBound:
        identifier, chance = self.resource.identifier, self.chance
        chosen: dict[Path, Json] = {}
        if identifier and identifier.property and self._names_members:
            if value is ABSENT:
                scope = f"{self.resource.name} identifier"
                made = chance.fresh.value(identifier.schema, identifier.parameter, scope)
                value = made.value if isinstance(made, Made) else ABSENT
            if value is not ABSENT:
                chosen[identifier.property] = value
        body = self.subject.maker.element(schema, chance.rng, chance.options, chosen)
        if isinstance(body, NotMade):
            return NotBound(f"no input could be made: {body}")
        return value, body.value


def address_of(
    resource: Resource, newborn: Newborn, identifier: Json, case: Case, emulator: Emulator
) -> dict[str, Json]:
    """The path parameters that lead to a new instance."""
    path = resource.item_path or ""
    found: dict[str, Json] = {}
    for value in newborn.fields.values():
        referred = emulator.find(value)
        if referred is not None:
            found |= referred.parameters(path)
    found |= address_in(path, case.operation.path, case.path)
    if resource.identifier is not None:
        found[resource.identifier.parameter] = identifier
    return found


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


def _is_number(action: Action, term: Term) -> bool:
    if not isinstance(term, Var):
        return False
    for parameter in action.parameters:
        if parameter.name == term.name:
            kind = parameter.kind
            return isinstance(kind, OneOf) and not isinstance(kind.domain, Reference)
    return False


def _identifier_sent(case: Case, identifier: Identifier | None) -> Json:
    if identifier is None:
        return ABSENT
    given = identifier.input
    if identifier.parameter in holes(case.operation.path) and case.operation.method == "PUT":
        return case.path.get(identifier.parameter, ABSENT)
    if identifier.chooser is Chooser.SERVER:
        return ABSENT
    if given is None:
        return case.path.get(identifier.parameter, ABSENT)
    if given.location is Location.BODY:
        return at(case.body, given.path)
    return case.values(given.location).get(given.name, ABSENT)
