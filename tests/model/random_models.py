"""Random small models that make sense, for tests that compare engines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hypothesis import strategies as st

from icepick.model import Action, Conjunct, Field, Invariant, Model, Parameter, Resource
from icepick.model.expressions import (
    And,
    Comparator,
    Compare,
    Constant,
    Count,
    CountDistinct,
    Every,
    Exists,
    Expression,
    FieldOf,
    Implies,
    MembersOf,
    Not,
    Null,
    Or,
    Range,
    Some,
    Term,
    ValuesOf,
    Var,
)
from icepick.model.types import (
    Assign,
    Choice,
    Create,
    Delete,
    Domain,
    Each,
    Effect,
    Flag,
    Numbers,
    OnDelete,
    OneOf,
    Reference,
    Rule,
    SetOf,
    Target,
    Update,
)

PLAIN: tuple[Domain, ...] = (Numbers(0, 1), Choice(("a", "b")), Flag())
CONSTANTS: dict[type, tuple[Constant, ...]] = {
    Numbers: (Constant(0), Constant(1), Constant(2)),
    Choice: (Constant("a"), Constant("b"), Constant("c")),
    Flag: (Constant(value=True), Constant(value=False)),
}
EQUALITY = (Comparator.EQUAL, Comparator.UNEQUAL)


@dataclass(frozen=True)
class Scope:
    """Names at hand: values by resource, plain parameters by domain, and sets by resource."""

    values: tuple[tuple[str, str], ...]
    plain: tuple[tuple[str, Domain], ...] = ()
    sets: tuple[tuple[str, str], ...] = ()

    def more(self, name: str, resource: str) -> Scope:
        return Scope((*self.values, (name, resource)), self.plain, self.sets)


@st.composite
def models(draw: st.DrawFn) -> Model:
    """A model of one or two resources with one or two values each."""
    names = ["A", "B"][: draw(st.integers(1, 2))]
    resources = tuple(draw(_resources(name, names)) for name in names)
    empty = Model("Random", resources, ())
    actions = tuple(draw(_actions(empty, i)) for i in range(draw(st.integers(1, 4))))
    invariant = Invariant("Kept", draw(_conditions(empty, Scope(()), 2)))
    final = draw(st.none() | _conditions(empty, Scope(()), 2))
    return Model("Random", resources, (*_basic(empty), *actions), (invariant,), final)


@st.composite
def _resources(draw: st.DrawFn, name: str, names: list[str]) -> Resource:
    domains = st.sampled_from([*PLAIN, *map(Reference, names)])
    fields = [
        Field(f"f{i}", draw(domains), draw(st.booleans())) for i in range(draw(st.integers(0, 2)))
    ]
    return Resource(name, draw(st.integers(1, 2)), tuple(fields), name.lower())


def _basic(model: Model) -> list[Action]:
    """A way to create each kind of thing, so that something happens."""
    return [
        Action(
            f"new{resource.name}",
            (
                Parameter("x", OneOf(Reference(resource.name))),
                *(Parameter(f.name, OneOf(f.domain)) for f in resource.fields),
            ),
            (Conjunct(Not(Exists(resource.name, Var("x")))),),
            (
                Create(
                    resource.name,
                    Var("x"),
                    tuple(Assign(f.name, Var(f.name)) for f in resource.fields),
                ),
            ),
        )
        for resource in model.resources
    ]


@st.composite
def _actions(draw: st.DrawFn, model: Model, number: int) -> Action:
    names = [resource.name for resource in model.resources]
    parameters = [Parameter("p", OneOf(Reference(draw(st.sampled_from(names)))))]
    if draw(st.booleans()):
        parameters.append(Parameter("q", OneOf(draw(st.sampled_from(PLAIN)))))
    if draw(st.booleans()):
        parameters.append(Parameter("S", SetOf(draw(st.sampled_from(names)))))
    scope = _scope(parameters)
    guard = tuple(
        Conjunct(draw(_conditions(model, scope, 2))) for _ in range(draw(st.integers(0, 2)))
    )
    effects = tuple(draw(_effects(model, scope)) for _ in range(draw(st.integers(1, 2))))
    return Action(f"act{number}", tuple(parameters), guard, effects)


def _scope(parameters: list[Parameter]) -> Scope:
    scope = Scope(())
    for parameter in parameters:
        kind, name = parameter.kind, parameter.name
        if isinstance(kind, SetOf):
            scope = Scope(scope.values, scope.plain, (*scope.sets, (name, kind.resource)))
        elif isinstance(kind.domain, Reference):
            scope = scope.more(name, kind.domain.resource)
        else:
            scope = Scope(scope.values, (*scope.plain, (name, kind.domain)), scope.sets)
    return scope


@st.composite
def _effects(draw: st.DrawFn, model: Model, scope: Scope) -> Effect:
    choices: list[tuple[Target, str]] = [(Var(name), resource) for name, resource in scope.values]
    choices += [(Each(name, "m"), resource) for name, resource in scope.sets]
    target, name = draw(st.sampled_from(choices))
    inner = scope.more("m", name) if isinstance(target, Each) else scope
    resource = model.resource(name)
    kind = draw(st.sampled_from(["create", "update", "delete", "delete"]))
    if kind == "delete":
        return Delete(name, target, draw(_rules(model, name)))
    assigns = [Assign(f.name, draw(_terms_of(model, inner, f.domain))) for f in resource.fields]
    if kind == "create":
        return Create(name, target, tuple(assigns))
    return Update(name, target, tuple(a for a in assigns if draw(st.booleans())))


@st.composite
def _rules(draw: st.DrawFn, model: Model, deleted: str) -> tuple[Rule, ...]:
    """Rules for the fields that refer to what is deleted, and to what falls with it."""
    rules: dict[tuple[str, str], Rule] = {}
    reached = [deleted]
    for target in reached:
        for resource in model.resources:
            for field in resource.fields:
                key = (resource.name, field.name)
                if field.domain != Reference(target) or key in rules:
                    continue
                policies = [p for p in OnDelete if field.optional or p is not OnDelete.NULLIFY]
                rules[key] = Rule(*key, draw(st.sampled_from(policies)))
                if rules[key].on_delete is OnDelete.CASCADE and resource.name not in reached:
                    reached.append(resource.name)
    return tuple(rule for rule in rules.values() if draw(st.booleans()) or len(reached) > 1)


@st.composite
def _conditions(draw: st.DrawFn, model: Model, scope: Scope, depth: int) -> Expression:
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return draw(_atoms(model, scope))
    kind = draw(st.sampled_from(["and", "or", "not", "implies", "every", "some"]))
    inner = _conditions(model, scope, depth - 1)
    match kind:
        case "and":
            return And((draw(inner), draw(inner)))
        case "or":
            return Or((draw(inner), draw(inner)))
        case "not":
            return Not(draw(inner))
        case "implies":
            return Implies(draw(inner), draw(inner))
    over, resource = draw(_ranges(model, scope))
    variable = f"v{len(scope.values)}"
    within = draw(_conditions(model, scope.more(variable, resource), depth - 1))
    return Every(variable, over, within) if kind == "every" else Some(variable, over, within)


@st.composite
def _ranges(draw: st.DrawFn, model: Model, scope: Scope) -> tuple[Range, str]:
    choices: list[tuple[Range, str]] = [(ValuesOf(r.name), r.name) for r in model.resources]
    choices += [(MembersOf(name), resource) for name, resource in scope.sets]
    return draw(st.sampled_from(choices))


@st.composite
def _atoms(draw: st.DrawFn, model: Model, scope: Scope) -> Expression:
    references = [Reference(resource.name) for resource in model.resources]
    usable = [d for d in references if _values_at_hand(model, scope, d.resource)]
    if usable and draw(st.booleans()):
        domain = draw(st.sampled_from(usable))
        return Exists(domain.resource, draw(_values(model, scope, domain.resource)))
    counting = draw(st.booleans())
    if counting:
        comparator = draw(st.sampled_from(list(Comparator)))
        limit = Constant(draw(st.integers(0, 2)))
        return Compare(comparator, draw(_counts(model, scope)), limit)
    held = draw(st.sampled_from([*PLAIN, *usable]))
    comparators = list(Comparator) if isinstance(held, Numbers) else list(EQUALITY)
    left, right = draw(_terms_of(model, scope, held)), draw(_terms_of(model, scope, held))
    if isinstance(left, Null) and isinstance(right, Null):
        comparators = list(EQUALITY)
    return Compare(draw(st.sampled_from(comparators)), left, right)


@st.composite
def _counts(draw: st.DrawFn, model: Model, scope: Scope) -> Term:
    resource = draw(st.sampled_from(model.resources))
    variable = f"v{len(scope.values)}"
    inner = scope.more(variable, resource.name)
    condition = And(()) if draw(st.booleans()) else draw(_atoms(model, inner))
    if resource.fields and draw(st.booleans()):
        field = draw(st.sampled_from(resource.fields))
        return CountDistinct(resource.name, variable, field.name, condition)
    return Count(resource.name, variable, condition)


def _values_at_hand(model: Model, scope: Scope, resource: str) -> list[Term]:
    """Terms that are values of the resource: names, and fields of named instances."""
    names: list[Term] = [Var(name) for name, held in scope.values if held == resource]
    return [*names, *_fields_at_hand(model, scope, Reference(resource))]


def _fields_at_hand(model: Model, scope: Scope, domain: Domain) -> Iterator[Term]:
    for name, held in scope.values:
        for field in model.resource(held).fields:
            if field.domain == domain:
                yield FieldOf(held, Var(name), field.name)


def _values(model: Model, scope: Scope, resource: str) -> st.SearchStrategy[Term]:
    return st.sampled_from(_values_at_hand(model, scope, resource))


def _terms_of(model: Model, scope: Scope, domain: Domain) -> st.SearchStrategy[Term]:
    """Terms of the domain's kind, null among them."""
    terms: list[Term] = [Null()]
    if isinstance(domain, Reference):
        return st.sampled_from(_values_at_hand(model, scope, domain.resource) * 3 + terms)
    terms += CONSTANTS[type(domain)]
    terms += [Var(name) for name, held in scope.plain if held == domain]
    terms += _fields_at_hand(model, scope, domain)
    return st.sampled_from(terms)
