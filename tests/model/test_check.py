"""Models that make no sense, and what is said about them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from icepick.errors import Code, ModelError
from icepick.model import Action, Conjunct, Field, Invariant, Model, Parameter, Resource, check
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
    MembersOf,
    Not,
    Null,
    Some,
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
    Numbers,
    OnDelete,
    OneOf,
    Reference,
    Rule,
    SetOf,
    Update,
)
from tests.model.examples import equal, features, less, petstore, tournaments, value

PET = Resource("Pet", 2, (Field("age", Numbers(0, 3)),), prefix="p")
ORDER = Resource("Order", 1, (Field("pet", Reference("Pet")),), prefix="o")
AGE = FieldOf("Pet", Var("p"), "age")


def acting(*effects: Effect, guard: Expression | None = None) -> Model:
    parameters = (value("p", "Pet"), value("o", "Order"), Parameter("S", SetOf("Pet")))
    conjuncts = () if guard is None else (Conjunct(guard),)
    return Model("Small", (PET, ORDER), (Action("act", parameters, conjuncts, effects),))


def guarded(condition: Expression) -> Model:
    return acting(guard=condition)


def holding(domain: Domain) -> Model:
    return Model("Small", (Resource("Thing", 1, (Field("f", domain),)),), ())


@pytest.mark.parametrize(
    "model", [tournaments(2, 2, 2), petstore(1, 2, 3), features(2, 1, 2)], ids=lambda m: m.name
)
def test_the_models_of_the_papers_make_sense(model: Model) -> None:
    check(model)


UNKNOWN = {
    "resource": guarded(Exists("Cat", Var("p"))),
    "variable": guarded(Exists("Pet", Var("q"))),
    "field": guarded(equal(FieldOf("Pet", Var("p"), "name"), Constant(1))),
    "counted field": guarded(less(CountDistinct("Pet", "x", "name", And(())), Constant(1))),
    "domain": holding(Reference("Cat")),
    "effect": acting(Create("Cat", Var("p"))),
    "rule": acting(Delete("Pet", Var("p"), (Rule("Cat", "pet", OnDelete.CASCADE),))),
    "parameter": Model("Small", (), (Action("act", (Parameter("S", SetOf("Cat")),)),)),
    "quantifier": guarded(Some("x", ValuesOf("Cat"), And(()))),
}
MISFITS = {
    "other resource": guarded(Exists("Order", Var("p"))),
    "kinds": guarded(equal(AGE, Constant("old"))),
    "boolean and number": guarded(equal(AGE, Constant(value=True))),
    "two resources": guarded(equal(Var("p"), Var("o"))),
    "order of values": guarded(Compare(Comparator.LESS, Var("p"), Var("p"))),
    "set as value": guarded(Exists("Pet", Var("S"))),
    "compared set": guarded(equal(Var("S"), Var("S"))),
    "members of a value": guarded(Every("x", MembersOf("p"), And(()))),
    "each of a value": acting(Delete("Pet", Each("p", "x"))),
    "assigned kind": acting(Update("Pet", Var("p"), (Assign("age", Var("p")),))),
    "missing field": acting(Create("Pet", Var("p"))),
    "null where none may be": acting(
        Delete("Pet", Var("p"), (Rule("Order", "pet", OnDelete.NULLIFY),))
    ),
    "rule that never applies": acting(
        Delete("Order", Var("o"), (Rule("Order", "pet", OnDelete.CASCADE),))
    ),
}
DUPLICATES = {
    "resources": Model("Small", (PET, PET), ()),
    "actions": replace(acting(), actions=acting().actions * 2),
    "invariants": replace(acting(), invariants=(Invariant("I", And(())),) * 2),
    "values": Model("Small", (PET, replace(ORDER, prefix="p")), ()),
    "fields": Model("Small", (replace(PET, fields=PET.fields * 2),), ()),
    "parameters": Model("Small", (PET,), (Action("act", (value("p", "Pet"),) * 2),)),
    "constants": holding(Choice(("a", "a"))),
    "shadowed parameter": guarded(Some("p", ValuesOf("Pet"), And(()))),
    "shadowed in a count": guarded(less(Count("Pet", "p", And(())), Constant(1))),
    "shadowed member": acting(Delete("Pet", Each("S", "p"))),
    "assigned twice": acting(Update("Pet", Var("p"), (Assign("age", Constant(1)),) * 2)),
}
EMPTY = {
    "resource": Model("Small", (Resource("Pet", 0),), ()),
    "numbers": holding(Numbers(2, 1)),
    "choice": holding(Choice(())),
    "too large numbers": holding(Numbers(0, 2**20)),
    "parameter": Model("Small", (PET,), (Action("a", (Parameter("n", OneOf(Numbers(1, 0))),)),)),
}


@pytest.mark.parametrize(
    ("code", "model"),
    [
        pytest.param(code, model, id=f"{code.name}: {name}")
        for code, models in (
            (Code.UNKNOWN_NAME, UNKNOWN),
            (Code.MISFIT, MISFITS),
            (Code.DUPLICATE_NAME, DUPLICATES),
            (Code.EMPTY_DOMAIN, EMPTY),
        )
        for name, model in models.items()
    ],
)
def test_a_model_that_makes_no_sense_is_refused(code: Code, model: Model) -> None:
    with pytest.raises(ModelError) as caught:
        check(model)
    assert caught.value.code is code


def test_null_can_be_compared_with_everything() -> None:
    check(guarded(Not(equal(AGE, Null()))))
    check(guarded(Not(equal(Var("p"), Null()))))


def test_errors_say_where() -> None:
    with pytest.raises(ModelError, match=r"action act: there is no resource Cat"):
        check(UNKNOWN["resource"])
    wrong = replace(acting(), invariants=(Invariant("Fed", Exists("Pet", Var("x"))),))
    with pytest.raises(ModelError, match=r"invariant Fed: nothing is called x here"):
        check(wrong)
