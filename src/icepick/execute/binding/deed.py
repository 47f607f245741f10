"""One call of an action of the model: the inputs that create or delete what it names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from icepick.execute.answers import at
from icepick.execute.binding.bound import Bound, Newborn, NotBound
from icepick.execute.binding.emulator import Emulator, Instance, value_of
from icepick.execute.binding.subject import Chance, Subject
from icepick.inputs import Case, Made, NotMade, Slot
from icepick.model.derive.binding import Binding
from icepick.model.expressions import Term, Var
from icepick.model.types import Action, Create, OneOf, Reference
from icepick.openapi.places import holes
from icepick.openapi.shape import items
from icepick.openapi.types import ABSENT, Json, Operation, Schema
from icepick.resources.types import Chooser, Identifier, Location, Path, Resource
from icepick.sequences.types import Argument, Kind


@dataclass(frozen=True, slots=True)
class Deed:
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
        """What kind of thing is created or deleted."""
        return self.subject.resources.resources[self.binding.resource]

    @property
    def own(self) -> str:
        """The value that is created or deleted."""
        value = self.arguments[self.action.parameters[0].name]
        return value if isinstance(value, str) else ""

    def one(self, kind: Kind) -> Bound | NotBound:
        """A call about one instance."""
        makes = isinstance(self.action.effects[0], Create)
        if not makes and kind is not Kind.REFUSAL and self.emulator.find(self.own) is None:
            # What it was before may be another one's by now.
            return _missing(self.own)
        given = self._given(kind)
        if isinstance(given, NotBound):
            return given
        names = {} if self.again else dict(self._names_again(given))
        effect = self.action.effects[0]
        creates = isinstance(effect, Create)
        given |= names
        case = self.subject.made(self.operation, self.chance, given, creates=creates)
        if isinstance(case, NotBound):
            return case
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
        known = self.subject.leaves.of(self.operation).by_slot
        for slot, term in self.binding.inputs.items():
            if slot not in known:
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
            return _missing(value or slot[1][-1])
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
        in_path = slot[0] is Location.PATH
        made = self.chance.fresh.value(schema, identifier.parameter, scope, in_path=in_path)
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
        in_path = slot[0] is Location.PATH
        scope = f"unknown {leaf.name}"
        made = self.chance.fresh.value(leaf.schema, leaf.name, scope, in_path=in_path)
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


def _missing(what: str) -> NotBound:
    return NotBound(f"{what} does not exist: its creation did not succeed")


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
