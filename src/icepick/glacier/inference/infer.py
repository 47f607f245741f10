"""Infer contracts from resources and roles: what creating, updating and deleting mean."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass

from icepick.errors import Place
from icepick.glacier.contracts import Clause, Contracts, OperationContract, Provenance
from icepick.glacier.inference.keys import Key, access, holes, key_of
from icepick.glacier.inference.views import Existence, Views, own_keys
from icepick.glacier.parser import parse_formula
from icepick.glacier.printer import print_formula
from icepick.openapi.shape import properties
from icepick.openapi.types import ApiSpec
from icepick.resources.types import (
    Chooser,
    Location,
    Payload,
    Reference,
    Resource,
    ResourceMap,
    Role,
    Use,
)


@dataclass(frozen=True, slots=True)
class Inference:
    """The inferred contracts, and per operation what could not be inferred and why."""

    contracts: Contracts
    gaps: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _Draft:
    """A clause before it is parsed."""

    text: str
    reason: str
    confidence: float = 0.9


def infer_contracts(
    spec: ApiSpec, resources: ResourceMap, *, known: Container[str] = ()
) -> Inference:
    """The contracts of every state-changing operation, from REST conventions alone.

    Operations whose labels are `known` have contracts already and are passed over.
    """
    views = Views(spec, resources.resources)
    operations: dict[str, OperationContract] = {}
    gaps: dict[str, tuple[str, ...]] = {}
    for operation in spec.operations:
        for resource, use in (
            resources.uses_of(operation.id) if operation.label not in known else ()
        ):
            author = _Author(spec, resources, views, resource, use)
            contract = author.contract()
            if contract.requires or contract.ensures:
                operations.setdefault(operation.label, contract)
            if author.gaps:
                gaps.setdefault(operation.label, tuple(author.gaps))
    for operation in spec.operations:
        if operation.id in resources.standalone and operation.method not in {"GET", "HEAD"}:
            gaps[operation.label] = ("it belongs to no resource, so its effect is not known",)
    return Inference(Contracts(operations), gaps)


class _Author:
    """Writes the contract of one operation in one role."""

    def __init__(
        self, spec: ApiSpec, resources: ResourceMap, views: Views, resource: Resource, use: Use
    ) -> None:
        self._spec = spec
        self._resources = resources.resources
        self._views = views
        self._resource = resource
        self._use = use
        self._operation = views.operation(use)
        self._own = own_keys(self._operation)
        self.gaps: list[str] = []

    def contract(self) -> OperationContract:
        """Requires and ensures, each clause with its reason."""
        writers = {
            Role.CREATE: (self._create_requires, self._create_ensures),
            Role.CREATE_MANY: (self._nothing, self._many_ensures),
            Role.REPLACE: (self._change_requires, self._change_ensures),
            Role.UPDATE: (self._change_requires, self._change_ensures),
            Role.DELETE: (self._change_requires, self._delete_ensures),
            Role.ACTION: (self._change_requires, self._action_ensures),
        }
        requires, ensures = writers.get(self._use.role, (self._nothing, self._nothing))
        label = self._operation.label
        return OperationContract(
            label, tuple(map(self._clause, requires())), tuple(map(self._clause, ensures()))
        )

    def _clause(self, draft: _Draft) -> Clause:
        sure = min(draft.confidence, self._use.evidence.confidence)
        text = print_formula(parse_formula(draft.text))
        return Clause(
            parse_formula(text),
            text,
            Provenance.INFERRED,
            Place(self._spec.source, pointer=self._operation.pointer),
            round(sure, 2),
            draft.reason,
        )

    def _nothing(self) -> Iterator[_Draft]:
        yield from ()

    # What a call needs

    def _create_requires(self) -> Iterator[_Draft]:
        yield from self._parents_present()
        yield from self._owner_present()
        keys = self._keys_sent()
        there = self._views.existence(self._resource, keys) if keys is not None else None
        if there is not None:
            reason = f"a new {self._resource.name} must not exist yet"
            yield _Draft(self._if_chosen(there.absent), reason)
        elif keys is not None:
            self._gap_existence(self._resource)
        yield from self._references_present()

    def _change_requires(self) -> Iterator[_Draft]:
        keys = self._keys_addressed()
        there = self._views.existence(self._resource, keys) if keys is not None else None
        if there is None:
            self._gap_existence(self._resource)
            yield from self._parents_present()
        else:
            if there.by_list or self._use.creates:
                yield from self._parents_present()
            if not self._use.creates:
                yield _Draft(there.present, f"the {self._resource.name} must exist")
        if self._use.role in {Role.REPLACE, Role.UPDATE}:
            yield from self._references_present()

    def _if_chosen(self, text: str) -> str:
        """A statement on an identifier that the client may leave to the server."""
        identifier = self._resource.identifier
        given = identifier.input if identifier else None
        if identifier is None or given is None or identifier.chooser is not Chooser.EITHER:
            return text
        key = key_of(given.location, given.path)
        return f"{key.alone} != null => {text}" if key else text

    def _owner_present(self) -> Iterator[_Draft]:
        """`POST /posts/{id}/comments` makes a comment that has a path of its own elsewhere."""
        owner = self._resources.get(self._use.owner or "")
        keys = self._keys_of(owner) if owner else None
        there = self._views.existence(owner, keys) if owner and keys else None
        if owner is not None and there is not None:
            yield _Draft(there.present, f"the {owner.name} that the path names must exist")

    def _parents_present(self) -> Iterator[_Draft]:
        """Everything above the resource in its path, the outermost first."""
        chain: list[Resource] = []
        parent = self._resource.parent
        while parent is not None and parent in self._resources:
            chain.insert(0, self._resources[parent])
            parent = chain[0].parent
        for resource in chain:
            keys = self._keys_of(resource)
            there = self._views.existence(resource, keys) if keys else None
            if there is None:
                self._gap_existence(resource)
            else:
                reason = f"the {resource.name} that the path names must exist"
                yield _Draft(there.present, reason)

    def _references_present(self) -> Iterator[_Draft]:
        for reference in self._resource.references:
            key = self._key_sent(reference) if reference.writable else None
            if key is None:
                continue
            target = self._resources[reference.target]
            keys = self._keys_of(target, key)
            there = self._views.existence(target, keys) if keys else None
            if there is None:
                self.gaps.append(
                    f"`{reference.field}` refers to a {target.name}, but no GET can be made to "
                    f"see whether it exists"
                )
                continue
            yield self._reference_draft(reference, target, key, there)

    def _reference_draft(
        self, reference: Reference, target: Resource, key: Key, there: Existence
    ) -> _Draft:
        required = reference.field.required and self._use.role is not Role.UPDATE
        text = there.present if required else f"{key.alone} != null => {there.present}"
        reason = f"`{reference.field}` refers to a {target.name}: {reference.evidence.reason}"
        return _Draft(text, reason, reference.evidence.confidence)

    # What a call does

    def _create_ensures(self) -> Iterator[_Draft]:
        identifier = self._resource.identifier
        either = identifier is not None and identifier.chooser is Chooser.EITHER
        sent, answered = self._keys_sent(), self._keys_answered()
        keys = (answered or sent) if either else (sent or answered)
        if keys is None:
            self.gaps.append("the answer does not show the identifier of what was created")
        else:
            yield from self._now_present(keys)
            yield from self._counted(keys, "+ 1", "creation adds one to the collection")
        yield from self._echoed()
        yield from self._read_back(keys)

    def _many_ensures(self) -> Iterator[_Draft]:
        sent, identifier = self._use.request, self._resource.identifier
        if sent is None or identifier is None or identifier.property is None:
            self.gaps.append("the identifiers of what is created are not known")
            return
        keys = {**self._own, identifier.parameter: Key.of_variable("x", identifier.property)}
        there = self._views.existence(self._resource, keys)
        if there is None or there.by_list:
            self._gap_existence(self._resource)
            return
        listed = access("req_body(@)", sent.path)
        reason = f"every {self._resource.name} of the list must exist afterwards"
        yield _Draft(f"for x in {listed} :- {there.present}", reason)

    def _change_ensures(self) -> Iterator[_Draft]:
        keys = self._keys_addressed()
        if keys is not None:
            yield from self._now_present(keys)
            if not self._use.creates:
                yield from self._counted(keys, "", "an update adds and removes nothing")
        yield from self._echoed()
        yield from self._read_back(keys)

    def _delete_ensures(self) -> Iterator[_Draft]:
        keys = self._keys_addressed()
        there = self._views.existence(self._resource, keys) if keys is not None else None
        if keys is None or there is None:
            return
        yield _Draft(there.absent, f"the {self._resource.name} is gone")
        before = self._views.body(self._resource, keys)
        shown = self._use.response
        if before is not None and shown is not None and self._is_representation(shown):
            text = f"{access('res_body(@)', shown.path)} = prev({before})"
            yield _Draft(text, "the answer shows what was deleted", 0.8)
        yield from self._now_unlisted(keys, there)
        yield from self._counted(keys, "- 1", "deletion takes one from the collection")

    def _action_ensures(self) -> Iterator[_Draft]:
        self.gaps.append("what the action does is not known")
        yield from ()

    def _now_present(self, keys: Mapping[str, Key]) -> Iterator[_Draft]:
        there = self._views.existence(self._resource, keys)
        if there is None:
            self._gap_existence(self._resource)
            return
        yield _Draft(there.present, f"the {self._resource.name} can be found afterwards")
        identifier, listed = self._resource.identifier, self._views.listing(self._resource, keys)
        if there.by_list or listed is None or identifier is None or identifier.property is None:
            return
        if properties(listed[1].schema, self._spec.schemas):
            key = keys[identifier.parameter].alone
            text = f"exists x in {listed[0]} :- {access('x', identifier.property)} = {key}"
            yield _Draft(text, "the collection lists it", 0.85)

    def _now_unlisted(self, keys: Mapping[str, Key], there: Existence) -> Iterator[_Draft]:
        identifier, listed = self._resource.identifier, self._views.listing(self._resource, keys)
        if there.by_list or listed is None or identifier is None or identifier.property is None:
            return
        if properties(listed[1].schema, self._spec.schemas):
            key = keys[identifier.parameter].alone
            text = f"for x in {listed[0]} :- {access('x', identifier.property)} != {key}"
            yield _Draft(text, "the collection no longer lists it", 0.85)

    def _counted(self, keys: Mapping[str, Key], change: str, reason: str) -> Iterator[_Draft]:
        listed = self._views.listing(self._resource, keys)
        if listed is not None:
            length = f"len({listed[0]})"
            yield _Draft(f"{length} = prev({length}) {change}".rstrip(), reason, 0.7)

    def _echoed(self) -> Iterator[_Draft]:
        sent, shown = self._use.request, self._use.response
        if sent is None or shown is None or sent.many or shown.many:
            return
        if self._is_representation(sent) and self._is_representation(shown):
            text = f"{access('req_body(@)', sent.path)} = {access('res_body(@)', shown.path)}"
            yield _Draft(self._if_sent(text), "the answer shows what was sent", 0.8)

    def _read_back(self, keys: Mapping[str, Key] | None) -> Iterator[_Draft]:
        sent = self._use.request
        after = self._views.body(self._resource, keys) if keys is not None else None
        if sent is None or after is None or sent.many or not self._is_representation(sent):
            return
        text = f"{access('req_body(@)', sent.path)} = {after}"
        yield _Draft(self._if_sent(text), "what was sent can be read back", 0.85)

    def _if_sent(self, text: str) -> str:
        """A statement on the request body, with a condition where there may be none."""
        body = self._operation.request_body
        return text if body is not None and body.required else f"req_body(@) != null => {text}"

    def _is_representation(self, shown: Payload) -> bool:
        """Whether a body has enough in common with the resource to be compared with it."""
        own = set(properties(self._resource.schema, self._spec.schemas))
        theirs = set(properties(shown.schema, self._spec.schemas))
        return bool(theirs) and len(own & theirs) * 2 >= len(theirs)

    # How instances are named

    def _keys_sent(self) -> dict[str, Key] | None:
        """The keys of what is created, where the client chooses them."""
        identifier = self._resource.identifier
        if identifier is None:
            return None
        if identifier.parameter in self._own:
            return self._own
        if identifier.input is None:
            return None
        key = key_of(identifier.input.location, identifier.input.path)
        return {**self._own, identifier.parameter: key} if key else None

    def _keys_answered(self) -> dict[str, Key] | None:
        """The keys of what was created, where the answer shows them."""
        identifier, shown = self._resource.identifier, self._use.response
        if identifier is None or identifier.property is None or shown is None or shown.many:
            return None
        first = identifier.property[0]
        if first not in properties(shown.schema, self._spec.schemas):
            return None
        key = Key.of_call("res_body", (*shown.path, *identifier.property))
        return {**self._own, identifier.parameter: key}

    def _keys_addressed(self) -> dict[str, Key] | None:
        """The keys of the instance that a call is about: in the path, else in the body."""
        identifier, sent = self._resource.identifier, self._use.request
        if identifier is None or identifier.parameter in self._own:
            return self._own
        if identifier.property is None or sent is None or sent.many:
            return None
        key = Key.of_call("req_body", (*sent.path, *identifier.property))
        return {**self._own, identifier.parameter: key}

    def _key_sent(self, reference: Reference) -> Key | None:
        """A reference as this call sends it; None where it does not."""
        given = reference.field
        if given.is_many:
            return None
        start = self._use.request.path if self._use.request else ()
        path = (*start, *given.path) if given.location is Location.BODY else given.path
        if not self._takes(given.location, path):
            return None
        return key_of(given.location, path)

    def _takes(self, location: Location, path: tuple[str, ...]) -> bool:
        return any(
            taken.location is location and taken.path == path
            for taken in self._views.inputs(self._operation)
        )

    def _keys_of(self, target: Resource, key: Key | None = None) -> dict[str, Key] | None:
        """The keys that name an instance of another resource in this call."""
        if target.item_path is None or target.identifier is None:
            return None
        found: dict[str, Key] = {}
        for name in holes(target.item_path):
            if name == target.identifier.parameter and key is not None:
                found[name] = key
            elif name in self._own:
                found[name] = self._own[name]
            elif (above := self._ancestor_key(name)) is not None:
                found[name] = above
            else:
                return None
        return found

    def _ancestor_key(self, parameter: str) -> Key | None:
        """The key of something above a resource, where the same call refers to it."""
        for reference in self._resource.references:
            above = self._resources[reference.target].identifier
            if reference.writable and above is not None and above.parameter == parameter:
                return self._key_sent(reference)
        return None

    def _gap_existence(self, resource: Resource) -> None:
        gap = f"no GET shows whether one {resource.name} exists"
        if gap not in self.gaps:
            self.gaps.append(gap)
