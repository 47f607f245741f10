"""A first model for each resource of an API, so that nobody starts from an empty file.

A model creates what the resource needs, then the resource itself; goes round what can be done with
it; deletes it, sees that it is gone, and clears up behind itself. What its contracts ensure without
a look back becomes an assertion.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from icepick.glacier import Contracts, parse_formula, print_formula
from icepick.glacier.tree import Prev, walk
from icepick.openapi.shape import properties
from icepick.openapi.types import ApiSpec, Operation
from icepick.protocol.instances import Instance, Instances
from icepick.protocol.login import login_of, with_login
from icepick.protocol.printer import print_text
from icepick.protocol.tree import (
    Argument,
    Assertion,
    Clause,
    Declared,
    Definition,
    End,
    External,
    Internal,
    Receive,
    Recursion,
    Reference,
    Send,
    Session,
    Text,
    Type,
)
from icepick.resources.fields import request_schema, success
from icepick.resources.payloads import schema_name
from icepick.resources.types import Resource, ResourceMap, Role, Use

_LOOP = "X"
_ROUNDS = 5
_RULES = re.compile(r"\b(?:if|unless|otherwise)\b", re.IGNORECASE)
_LOOKS = (Role.READ, Role.LIST, Role.SEARCH, Role.MEMBERS, Role.MEMBER, Role.FIELD, Role.VIEW)
_GONE = ("404", "410")
_CONFLICT = ("409",)
_INVALID = ("422", "400")


def write_models(spec: ApiSpec, resources: ResourceMap, contracts: Contracts) -> Text:
    """The models as a tree; empty where no resource can be created."""
    found: list[Definition] = []
    login = login_of(spec)
    for resource in resources.resources.values():
        body = _Writer(spec, resources, contracts, resource).model()
        if body is not None and login is not None:
            body = with_login(body, login, spec)
        if body is not None:
            found.append(Definition(re.sub(r"\W", "_", resource.name), body))
    return Text((), tuple(found))


def write_protocol(spec: ApiSpec, resources: ResourceMap, contracts: Contracts) -> str:
    """The models as the text of a file."""
    head = (
        f"// A first model of {_one_line(spec.title)} for each of its resources, to be edited.\n"
        "// Values without a generator are made to fit the document; add your own in gen.py:\n"
        "//   name: String(genName)\n"
    )
    return f"{head}\n{print_text(write_models(spec, resources, contracts))}"


def _one_line(text: str) -> str:
    return " ".join(text.split()) or "the API"


class _Writer:
    """Writes the model of one resource."""

    def __init__(
        self, spec: ApiSpec, resources: ResourceMap, contracts: Contracts, resource: Resource
    ) -> None:
        self._spec = spec
        self._contracts = contracts
        self._resource = resource
        self._instances = Instances(spec, resources)
        self._names: set[str] = set()

    def model(self) -> Session | None:
        """The life of one instance; None where none can be created."""
        own = self._instances.need(self._resource)
        if own is None or self._resource.identifier is None:
            return None
        body: Session = self._round(own)
        for instance in reversed(self._instances.all):
            body = self._creation(instance, body)
        return body

    def _creation(self, instance: Instance, then: Session) -> Session:
        operation = instance.creation
        status = "201" if "201" in operation.responses else _success(operation)
        bound = instance.bound_by_answer(status)
        is_own = instance.resource is self._resource
        ensured = self._ensured(operation) if is_own else ()
        refusals = self._refusals(
            operation, rules=bool(instance.references) and not instance.is_chosen
        )
        branches = [Receive(status, bound, ensured, then)]
        branches += (Receive(refusal, (), (), End()) for refusal in refusals)
        arguments = instance.creating()
        return Internal((Send(operation.id, arguments, External(tuple(branches))),))

    def _refusals(self, operation: Operation, *, rules: bool) -> list[str]:
        """The answers to a call that breaks a rule which the document tells in words or not."""
        found = [_declared(operation, _INVALID)] if self._has_rules(operation) else []
        found += [_declared(operation, _CONFLICT)] if rules else []
        return [one for one in found if one is not None]

    def _has_rules(self, operation: Operation) -> bool:
        """Whether the document tells in words of values that go together."""
        schema = request_schema(operation)
        fields = properties(schema, self._spec.schemas).values() if schema is not None else ()
        return any(_RULES.search(str(one.schema.get("description", ""))) for one in fields)

    def _round(self, own: Instance) -> Session:
        ending = list(self._ending(own))
        again: Session = Reference(_LOOP)
        branches = [*self._uses(own, again), *self._repeated(own, again), *ending]
        if not branches:
            return End()
        if len(branches) == len(ending):
            return Internal(tuple(branches))
        bound = None if ending else _ROUNDS
        return Recursion(_LOOP, Internal(tuple(branches)), bound)

    def _uses(self, own: Instance, then: Session) -> Iterator[Send]:
        for use in self._resource.uses:
            operation = self._spec.operation(use.operation)
            arguments = self._arguments(operation, use, own)
            if arguments is None or operation is own.creation:
                continue
            if use.role in _LOOKS:
                yield Send(operation.id, arguments, self._look(operation, use, own, then))
            elif use.role in {Role.REPLACE, Role.UPDATE}:
                yield Send(operation.id, arguments, self._change(operation, then))
            elif use.role is Role.ACTION:
                yield Send(operation.id, arguments, _either(operation, then))

    def _arguments(
        self, operation: Operation, use: Use, own: Instance
    ) -> tuple[Argument, ...] | None:
        """What a call says of instances; None where one is missing that its path names."""
        arguments = self._instances.addressed(operation, own)
        if arguments is None:
            return None
        if use.role in {Role.REPLACE, Role.UPDATE}:
            return (*arguments, *own.repeated(operation, arguments))
        return arguments

    def _look(self, operation: Operation, use: Use, own: Instance, then: Session) -> External:
        status = _success(operation)
        identifier = self._resource.identifier
        name = schema_name(use.response.schema, self._spec.schemas) if use.response else None
        if use.role is not Role.READ or name is None or use.response is None:
            return _answer(status, then)
        if identifier is None or identifier.property is None or use.response.path:
            return _answer(status, then)
        variable = self._fresh_name("found")
        field = "".join(f"[{part!r}]".replace("'", '"') for part in identifier.property)
        text = f"{variable}{field} = {own.variable}"
        declared = Declared(variable, Type(name))
        return External((Receive(status, (declared,), _clauses([text]), then),))

    def _fresh_name(self, name: str) -> str:
        number = 1
        found = name
        while found in self._names or found in self._instances.names:
            number += 1
            found = f"{name}{number}"
        self._names.add(found)
        return found

    def _change(self, operation: Operation, then: Session) -> External:
        branches = [Receive(_success(operation), (), self._ensured(operation), then)]
        refusals = self._refusals(operation, rules=self._has_moods)
        branches += (Receive(refusal, (), (), then) for refusal in refusals)
        return External(tuple(branches))

    @property
    def _has_moods(self) -> bool:
        """Whether actions lead to states in which other calls are refused."""
        return bool(self._resource.having(Role.ACTION))

    def _repeated(self, own: Instance, then: Session) -> Iterator[Send]:
        """Creating the same again is refused, where the client chooses who is who."""
        operation = own.creation
        refusal = _declared(operation, _CONFLICT)
        use = next(use for use in self._resource.uses if use.operation == operation.id)
        if own.is_chosen and refusal and use.role is Role.CREATE:
            yield Send(operation.id, own.creating(again=True), _answer(refusal, then))

    def _ending(self, own: Instance) -> Iterator[Send]:
        for use in self._resource.having(Role.DELETE)[:1]:
            operation = self._spec.operation(use.operation)
            arguments = self._instances.addressed(operation, own)
            if arguments is None:
                continue
            status, ensured = _success(operation), self._ensured(operation)
            branches = [Receive(status, (), ensured, self._gone(own))]
            refusal = _declared(operation, _CONFLICT)
            if refusal and self._has_moods:
                branches.append(Receive(refusal, (), (), Reference(_LOOP)))
            yield Send(operation.id, arguments, External(tuple(branches)))

    def _gone(self, own: Instance) -> Session:
        session: Session = End()
        for instance in self._instances.all:
            if instance is not own:
                session = self._cleared(instance, session)
        uses = (*self._resource.having(Role.READ), *self._resource.having(Role.DELETE))
        for use in reversed(uses):
            operation = self._spec.operation(use.operation)
            arguments = self._instances.addressed(operation, own)
            status = _declared(operation, _GONE)
            if arguments is not None and status:
                session = Internal((Send(operation.id, arguments, _answer(status, session)),))
        return session

    def _cleared(self, instance: Instance, then: Session) -> Session:
        for use in instance.resource.having(Role.DELETE)[:1]:
            operation = self._spec.operation(use.operation)
            arguments = self._instances.addressed(operation, instance)
            if arguments is not None:
                sent = Send(operation.id, arguments, _answer(_success(operation), then))
                return Internal((sent,))
        return then

    def _ensured(self, operation: Operation) -> tuple[Assertion, ...]:
        """What the contract says of the state after the call alone."""
        formulas = [clause.formula for clause in self._contracts.of(operation.label).ensures]
        now = [one for one in formulas if not any(isinstance(n, Prev) for n in walk(one))]
        return _clauses(dict.fromkeys(print_formula(one) for one in now))


def _clauses(texts: Iterable[str]) -> tuple[Assertion, ...]:
    formulas = [parse_formula(text) for text in texts]
    return tuple(Clause(print_formula(one), one) for one in formulas)


def _answer(status: str, then: Session) -> External:
    return External((Receive(status, (), (), then),))


def _either(operation: Operation, then: Session) -> External:
    """An action may be refused for reasons that no document tells."""
    statuses = [_success(operation), _declared(operation, _CONFLICT)]
    return External(tuple(Receive(one, (), (), then) for one in statuses if one))


def _success(operation: Operation) -> str:
    found = success(operation)
    if found is not None and found.status.isdecimal():
        return found.status
    return "2XX"


def _declared(operation: Operation, statuses: Iterable[str]) -> str | None:
    return next((one for one in statuses if one in operation.responses), None)
