"""Derive the life-cycle model of an API from its contracts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from icepick.errors import Code, ModelError
from icepick.glacier.contracts import Contracts
from icepick.model.derive.actions import (
    ActionWriter,
    Derived,
    OnDeletes,
    Setting,
    Unused,
)
from icepick.model.derive.binding import Binding
from icepick.model.derive.layout import Layout
from icepick.model.derive.scope import Scope, UnmodelledError
from icepick.model.derive.translate import Translator
from icepick.model.expressions import Null
from icepick.model.types import (
    Action,
    Create,
    Field,
    Invariant,
    Model,
    Numbers,
    OnDelete,
    Reference,
)
from icepick.model.types import Resource as ModelResource
from icepick.openapi.types import ApiSpec
from icepick.resources.fields import inputs
from icepick.resources.types import Resource, ResourceMap, Role, Use

_SMALLEST = 2
"""How many values each resource gets where nobody says otherwise."""

_MODELLED = (Role.CREATE, Role.CREATE_MANY, Role.REPLACE, Role.DELETE)


@dataclass(frozen=True, slots=True)
class Derivation:
    """A model, the clauses it does not use, and what was assumed where no clause says anything.

    `bindings` say how the arguments of each action become inputs of its operation.
    """

    model: Model
    unused: tuple[Unused, ...]
    assumptions: tuple[str, ...]
    bindings: Mapping[str, Binding] = field(default_factory=dict)


def modelled(resources: ResourceMap) -> dict[str, Resource]:
    """The resources that have a life cycle: instances with an identifier that can be created."""
    return {
        name: resource
        for name, resource in resources.resources.items()
        if resource.identifier is not None and any(use.creates for use in resource.uses)
    }


def derive(
    spec: ApiSpec,
    resources: ResourceMap,
    contracts: Contracts,
    bounds: Mapping[str, int] | None = None,
    only: Iterable[str] | None = None,
) -> Derivation:
    """The model of the resources named by `only`, or of all that have a life cycle."""
    known = modelled(resources)
    chosen = {name: known[name] for name in known if only is None or name in set(only)}
    sizes = _sizes(chosen, bounds or {})
    on_delete = _on_delete(spec, Layout.of(known))
    layout = Layout.of(chosen)
    found = _translated(spec, resources, contracts, layout, sizes, on_delete)
    if layout.numbers:
        # Which numbers there are is known only now.
        found = _translated(spec, resources, contracts, layout, sizes, on_delete)
    derived, invariants, unused = found
    names = _names(chosen)
    actions = tuple(one.action for one in derived)
    model = Model(
        re.sub(r"\W", "", spec.title.title()) or "Api",
        tuple(_resource(name, layout, sizes, names, _nullable(actions)) for name in chosen),
        actions,
        tuple(invariants),
    )
    left_over = [unused_one for one in derived for unused_one in one.unused]
    return Derivation(
        model,
        (*left_over, *unused),
        tuple(_assumptions(resources, layout, on_delete)),
        {one.action.name: one.binding for one in derived},
    )


def _translated(
    spec: ApiSpec,
    resources: ResourceMap,
    contracts: Contracts,
    layout: Layout,
    sizes: Mapping[str, int],
    on_delete: OnDeletes,
) -> tuple[list[Derived], list[Invariant], list[Unused]]:
    """Actions and invariants for a layout, which learns on the way which numbers it needs."""
    translator = Translator(spec, resources, layout)
    setting = Setting(
        layout,
        translator,
        sizes,
        _names(layout.resources),
        on_delete,
        lambda operation: inputs(operation, spec.schemas),
    )
    operations = {operation.id: operation for operation in spec.operations}
    derived = []
    for resource, use in _uses(layout.resources):
        operation = operations[use.operation]
        writer = ActionWriter(setting, resource, use, operation)
        derived.append(writer.derive(contracts.of(operation.label)))
    invariants, unused = _invariants(contracts, translator)
    return derived, invariants, unused


def _uses(resources: Mapping[str, Resource]) -> Iterator[tuple[Resource, Use]]:
    """The operations that make and remove instances; each once."""
    seen: set[str] = set()
    for resource in resources.values():
        for use in resource.having(*_MODELLED):
            changes = use.creates or use.role is Role.DELETE
            if changes and use.operation not in seen:
                seen.add(use.operation)
                yield resource, use


def _invariants(
    contracts: Contracts, translator: Translator
) -> tuple[list[Invariant], list[Unused]]:
    found, unused = [], []
    for number, clause in enumerate(contracts.invariants, start=1):
        try:
            condition = translator.condition(clause.formula, Scope())
            found.append(Invariant(f"Inv{number}", condition, clause.text))
        except UnmodelledError as error:
            unused.append(Unused(None, clause, str(error)))
    return found, unused


def _names(resources: Mapping[str, Resource]) -> dict[str, str]:
    """A short name for the values of each resource: its first letter where that is free."""
    names: dict[str, str] = {}
    for name in resources:
        letter = name[0].lower()
        names[name] = letter if letter not in names.values() else name.lower()
    return names


def _sizes(resources: Mapping[str, Resource], bounds: Mapping[str, int]) -> dict[str, int]:
    for name, size in bounds.items():
        if name not in resources:
            raise ModelError(
                Code.UNKNOWN_RESOURCE,
                f"there is no resource {name!r} in the model",
                hint="one of " + ", ".join(resources),
            )
        if size < 1:
            raise ModelError(Code.BAD_BOUND, f"{name} needs at least one value, not {size}")
    return {name: bounds.get(name, _SMALLEST) for name in resources}


def _on_delete(spec: ApiSpec, layout: Layout) -> dict[str, OnDelete]:
    """What the document says about references whose target is deleted."""
    extension = spec.extensions.get("x-glacier")
    given = extension.get("on_delete") if isinstance(extension, Mapping) else None
    known = [f"{name}.{link.field}" for name, links in layout.links.items() for link in links]
    found: dict[str, OnDelete] = {}
    for name, value in given.items() if isinstance(given, Mapping) else ():
        if value == "unknown":
            continue  # the default holds, and is listed among the assumptions
        try:
            found[str(name)] = OnDelete(str(value))
        except ValueError:
            raise ModelError(
                Code.BAD_ON_DELETE,
                f"on_delete of {name} is {value!r}",
                hint="one of " + ", ".join([*OnDelete, "unknown"]),
            ) from None
        if name not in known:
            raise ModelError(
                Code.UNKNOWN_RESOURCE,
                f"on_delete names {name}, which refers to nothing in the model",
                hint="one of " + ", ".join(known),
            )
    return found


def _nullable(actions: Iterable[Action]) -> frozenset[tuple[str, str]]:
    """The fields that some creation leaves empty."""
    return frozenset(
        (effect.resource, assigned.field)
        for action in actions
        for effect in action.effects
        if isinstance(effect, Create)
        for assigned in effect.fields
        if isinstance(assigned.term, Null)
    )


def _resource(
    name: str,
    layout: Layout,
    sizes: Mapping[str, int],
    names: Mapping[str, str],
    nullable: frozenset[tuple[str, str]],
) -> ModelResource:
    fields = [
        Field(link.field, Reference(link.target), (name, link.field) in nullable)
        for link in layout.links[name]
    ]
    fields += [
        Field(field, Numbers(1, sizes[bounded]))
        for (owner, field), bounded in layout.numbers.items()
        if owner == name
    ]
    return ModelResource(name, sizes[name], tuple(fields), names[name])


def _assumptions(resources: ResourceMap, layout: Layout, on_delete: OnDeletes) -> Iterator[str]:
    for name, links in layout.links.items():
        for link in links:
            if f"{name}.{link.field}" not in on_delete:
                field = f"{name}.{link.field}"
                yield (
                    f"no {link.target} is deleted while {field} refers to it: restrict, unless "
                    f"`on_delete` under x-glacier says otherwise for {field}"
                )
    for name, link in layout.left_out:
        yield f"{name}.{link.field} is left empty: a {link.target} needs a {name} first"
    for name, resource in resources.resources.items():
        if name in layout.resources:
            continue
        if resource.identifier is not None:
            yield f"{name} is left out: nothing creates one"
        else:
            yield f"{name} is left out: its instances have no identifier"
