"""How the state of a resource can be seen through GETs: does it exist, what does it look like,
which of them are there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from icepick.glacier.inference.keys import Key, Keys, access, filled
from icepick.openapi.places import holes, last_segment
from icepick.openapi.shape import items, properties
from icepick.openapi.types import ApiSpec, Operation, ParameterLocation
from icepick.resources.fields import inputs
from icepick.resources.types import Field, Payload, Resource, Role, Use
from icepick.resources.words import noun, words

_PAGING = frozenset({"page", "limit", "offset", "cursor", "size", "skip", "start", "after", "top"})


@dataclass(frozen=True, slots=True)
class Existence:
    """Formulas that say whether an instance is there; `by_list` where only a list shows it."""

    present: str
    absent: str
    by_list: bool


class Views:
    """The GETs of an API as views on its resources."""

    def __init__(self, spec: ApiSpec, resources: Mapping[str, Resource]) -> None:
        self._spec = spec
        self._resources = resources
        self._operations = {operation.id: operation for operation in spec.operations}
        self._inputs: dict[str, tuple[Field, ...]] = {}

    def operation(self, use: Use) -> Operation:
        """The operation of a use."""
        return self._operations[use.operation]

    def inputs(self, operation: Operation) -> tuple[Field, ...]:
        """What an operation takes."""
        if operation.id not in self._inputs:
            self._inputs[operation.id] = inputs(operation, self._spec.schemas)
        return self._inputs[operation.id]

    def existence(self, resource: Resource, keys: Keys) -> Existence | None:
        """Whether the instance that `keys` name is there; None where no GET tells."""
        read = self._usable(resource, Role.READ)
        path = filled(self.operation(read).path, keys) if read else None
        if path is not None:
            code = f"res_code(GET {path})"
            return Existence(f"{code} = 200", f"{code} = 404", by_list=False)
        return self._listed(resource, keys)

    def _listed(self, resource: Resource, keys: Keys) -> Existence | None:
        listed = self.listing(resource, keys) or self._embedded(resource, keys)
        identifier = resource.identifier
        if listed is None or identifier is None or identifier.parameter not in keys:
            return None
        key = keys[identifier.parameter].alone
        text, shown = listed
        if not properties(shown.schema, self._spec.schemas):
            return Existence(f"contains({text}, {key})", f"!contains({text}, {key})", by_list=True)
        if identifier.property is None:
            return None
        return Existence(
            f"exists x in {text} :- {compared(resource, keys, '=')}",
            f"for x in {text} :- {compared(resource, keys, '!=')}",
            by_list=True,
        )

    def listing(
        self, resource: Resource, keys: Keys, *, whole: bool = True
    ) -> tuple[str, Payload] | None:
        """The collection that an instance is in; None where `whole` is asked and it has pages."""
        for use in resource.having(Role.LIST):
            operation = self.operation(use)
            path = filled(operation.path, keys)
            if path is None or use.response is None or not use.response.many:
                continue
            if not (whole and self.is_paged(operation)):
                return access(f"res_body(GET {path})", use.response.path), use.response
        return None

    def _embedded(self, resource: Resource, keys: Keys) -> tuple[str, Payload] | None:
        """The list of a resource inside what reading its parent shows."""
        parent = self._resources.get(resource.parent or "")
        body = self.body(parent, keys) if parent else None
        if parent is None or body is None:
            return None
        wanted = noun(last_segment(resource.collection_path or ""))
        for name, part in properties(parent.schema, self._spec.schemas).items():
            element = items(part.schema, self._spec.schemas)
            if element is not None and noun(name) == wanted:
                return access(body, (name,)), Payload((name,), element, many=True)
        return None

    @staticmethod
    def is_paged(operation: Operation) -> bool:
        """Whether a list may be only a part of the collection."""
        named = [
            set(words(parameter.name))
            for parameter in operation.parameters_in(ParameterLocation.QUERY)
        ]
        return any(name & _PAGING for name in named)

    def body(self, resource: Resource, keys: Keys) -> str | None:
        """What reading the instance shows; None where it cannot be read by itself."""
        read = self._usable(resource, Role.READ)
        if read is None or read.response is None or read.response.many:
            return None
        path = filled(self.operation(read).path, keys)
        return access(f"res_body(GET {path})", read.response.path) if path else None

    def _usable(self, resource: Resource, role: Role) -> Use | None:
        """A GET of that role which needs nothing but its path."""
        for use in resource.having(role):
            operation = self.operation(use)
            if operation.method == "GET" and not any(
                p.required and p.location is not ParameterLocation.PATH
                for p in operation.parameters
            ):
                return use
        return None


def compared(resource: Resource, keys: Keys, sign: str) -> str:
    """Whether an element `x` of a list is, or is not, the instance that `keys` name."""
    identifier = resource.identifier
    own = {identifier.parameter: identifier.property or ()} if identifier is not None else {}
    names = holes(resource.item_path or "") if resource.is_keyed else tuple(own)
    parts = [
        f"{access('x', own.get(name, (name,)))} {sign} {keys[name].alone}"
        for name in names
        if name in keys
    ]
    return (" && " if sign == "=" else " || ").join(parts)


def own_keys(operation: Operation) -> dict[str, Key]:
    """The path parameters of an operation as keys."""
    return {
        parameter.name: Key.parameter(parameter.name)
        for parameter in operation.parameters_in(ParameterLocation.PATH)
    }
