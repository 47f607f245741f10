"""The models of the papers, built by hand and parametrised by their bounds."""

from __future__ import annotations

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
    Some,
    Term,
    ValuesOf,
    Var,
)
from icepick.model.references import absent, exists, unreferenced
from icepick.model.types import (
    Action,
    Assign,
    Choice,
    Conjunct,
    Create,
    Delete,
    Each,
    Field,
    Flag,
    Invariant,
    Model,
    Numbers,
    OnDelete,
    OneOf,
    Parameter,
    Reference,
    Resource,
    Rule,
    SetOf,
    Update,
)

ANY = And(())


def value(name: str, resource: str) -> Parameter:
    return Parameter(name, OneOf(Reference(resource)))


def equal(left: Term, right: Term) -> Compare:
    return Compare(Comparator.EQUAL, left, right)


def less(left: Term, right: Term) -> Compare:
    return Compare(Comparator.LESS, left, right)


def create(name: str, variable: str, resource: str) -> Action:
    return Action(
        name,
        (value(variable, resource),),
        (Conjunct(absent(resource, variable)),),
        (Create(resource, Var(variable)),),
    )


def delete(
    name: str, variable: str, resource: str, *rules: Rule, guard: tuple[Conjunct, ...] = ()
) -> Action:
    return Action(
        name,
        (value(variable, resource),),
        (Conjunct(exists(resource, variable)), *guard),
        (Delete(resource, Var(variable), rules),),
    )


def tournaments(players: int, contests: int, enrolments: int, limit: int | None = None) -> Model:
    """Players enrol in tournaments; `limit` bounds the enrolments that exist at a time."""
    capacity = Numbers(1, players)
    enrolment = (Field("pid", Reference("Player")), Field("tid", Reference("Tournament")))
    resources = (
        Resource("Player", players, prefix="p"),
        Resource("Tournament", contests, (Field("capacity", capacity),), prefix="t"),
        Resource("Enrolment", enrolments, enrolment, prefix="e"),
    )
    post_tournament = Action(
        "postTournament",
        (value("t", "Tournament"), Parameter("c", OneOf(capacity))),
        (Conjunct(absent("Tournament", "t"), "res_code(GET /tournaments/{tid}) = 404"),),
        (
            Create(
                "Tournament",
                Var("t"),
                (Assign("capacity", Var("c")),),
                "res_code(GET /tournaments/{tid}) = 200",
            ),
        ),
    )
    of_player = Conjunct(
        unreferenced("Enrolment", "pid", Var("p")),
        "res_body(GET /players/{pid}/tournaments).len = 0",
    )
    of_tournament = Conjunct(unreferenced("Enrolment", "tid", Var("t")))
    return Model(
        "Tournaments",
        resources,
        (
            create("postPlayer", "p", "Player"),
            delete("deletePlayer", "p", "Player", guard=(of_player,)),
            post_tournament,
            delete("deleteTournament", "t", "Tournament", guard=(of_tournament,)),
            _post_enrolment(limit),
            delete("deleteEnrolment", "e", "Enrolment"),
        ),
        (Invariant("CapacityKept", _capacity_kept()), Invariant("EnrolmentsJoin", _joins())),
    )


def _enrolled(tournament: str) -> Count:
    held = FieldOf("Enrolment", Var("x"), "tid")
    return Count("Enrolment", "x", equal(held, Var(tournament)))


def _post_enrolment(limit: int | None) -> Action:
    held = And(
        (
            equal(FieldOf("Enrolment", Var("x"), "pid"), Var("p")),
            equal(FieldOf("Enrolment", Var("x"), "tid"), Var("t")),
        )
    )
    guard = (
        Conjunct(absent("Enrolment", "e")),
        Conjunct(exists("Player", "p"), "res_code(GET /players/{pid}) = 200"),
        Conjunct(exists("Tournament", "t"), "res_code(GET /tournaments/{tid}) = 200"),
        Conjunct(Not(Some("x", ValuesOf("Enrolment"), held))),
        Conjunct(
            less(_enrolled("t"), FieldOf("Tournament", Var("t"), "capacity")),
            "res_body(GET /tournaments/{tid}/players).len "
            "< res_body(GET /tournaments/{tid}/capacity)",
        ),
    )
    if limit is not None:
        guard += (Conjunct(less(Count("Enrolment", "x", ANY), Constant(limit))),)
    fields = (Assign("pid", Var("p")), Assign("tid", Var("t")))
    return Action(
        "postEnrolment",
        (value("e", "Enrolment"), value("p", "Player"), value("t", "Tournament")),
        guard,
        (Create("Enrolment", Var("e"), fields),),
    )


def _capacity_kept() -> Expression:
    kept = Compare(Comparator.AT_MOST, _enrolled("t"), FieldOf("Tournament", Var("t"), "capacity"))
    condition = Implies(Exists("Tournament", Var("t")), kept)
    return Every("t", ValuesOf("Tournament"), condition)


def _joins() -> Expression:
    ends = And(
        (
            Exists("Player", FieldOf("Enrolment", Var("e"), "pid")),
            Exists("Tournament", FieldOf("Enrolment", Var("e"), "tid")),
        )
    )
    return Every("e", ValuesOf("Enrolment"), Implies(Exists("Enrolment", Var("e")), ends))


def petstore(users: int, pets: int, orders: int) -> Model:
    """Users come alone or in lists; a pet takes its orders with it."""
    resources = (
        Resource("User", users, prefix="u"),
        Resource("Pet", pets, prefix="p"),
        Resource("Order", orders, (Field("petId", Reference("Pet")),), prefix="o"),
    )
    create_list = Action(
        "createUsersWithList",
        (Parameter("S", SetOf("User")),),
        (Conjunct(Some("u", MembersOf("S"), Not(Exists("User", Var("u"))))),),
        (Create("User", Each("S", "u")),),
        operation="createUsersWithListInput",
    )
    place_order = Action(
        "placeOrder",
        (value("o", "Order"), value("p", "Pet")),
        (Conjunct(absent("Order", "o")), Conjunct(exists("Pet", "p"))),
        (Create("Order", Var("o"), (Assign("petId", Var("p")),)),),
    )
    return Model(
        "Petstore",
        resources,
        (
            create("createUser", "u", "User"),
            create_list,
            delete("deleteUser", "u", "User"),
            create("addPet", "p", "Pet"),
            delete("deletePet", "p", "Pet", Rule("Order", "petId", OnDelete.CASCADE)),
            place_order,
            delete("deleteOrder", "o", "Order"),
        ),
    )


def features(products: int, configurations: int, parts: int) -> Model:
    """A bit of everything: products with features, configurations that pick one of them.

    Deleting a product takes all that belongs to it; deleting a feature clears the choice of
    configurations and leaves their notes dangling.
    """
    product = Field("product", Reference("Product"))
    resources = (
        Resource("Product", products, prefix="p"),
        Resource(
            "Feature", parts, (product, Field("kind", Choice(("basic", "extra")))), prefix="f"
        ),
        Resource(
            "Configuration",
            configurations,
            (
                product,
                Field("active", Reference("Feature"), optional=True),
                Field("note", Reference("Feature"), optional=True),
                Field("locked", Flag()),
            ),
            prefix="c",
        ),
    )
    return Model(
        "Features",
        resources,
        (
            create("addProduct", "p", "Product"),
            delete(
                "deleteProduct",
                "p",
                "Product",
                Rule("Feature", "product", OnDelete.CASCADE),
                Rule("Configuration", "product", OnDelete.CASCADE),
                Rule("Configuration", "active", OnDelete.NULLIFY),
                Rule("Configuration", "note", OnDelete.ORPHAN),
            ),
            _add_feature(),
            delete(
                "deleteFeature",
                "f",
                "Feature",
                Rule("Configuration", "active", OnDelete.NULLIFY),
                Rule("Configuration", "note", OnDelete.ORPHAN),
            ),
            _add_configuration(),
            _activate(),
            _lock(),
            Action(
                "deleteConfigurations",
                (Parameter("S", SetOf("Configuration")),),
                (Conjunct(Every("x", MembersOf("S"), Exists("Configuration", Var("x")))),),
                (Delete("Configuration", Each("S", "x")),),
            ),
        ),
        (Invariant("SameProduct", _same_product()),),
        Compare(
            Comparator.EQUAL,
            CountDistinct("Configuration", "c", "active", _is_locked("c")),
            Constant(parts),
        ),
    )


def _is_locked(configuration: str) -> Expression:
    return equal(FieldOf("Configuration", Var(configuration), "locked"), Constant(value=True))


def _add_feature() -> Action:
    return Action(
        "addFeature",
        (
            value("f", "Feature"),
            value("p", "Product"),
            Parameter("k", OneOf(Choice(("basic", "extra")))),
        ),
        (Conjunct(absent("Feature", "f")), Conjunct(exists("Product", "p"))),
        (Create("Feature", Var("f"), (Assign("product", Var("p")), Assign("kind", Var("k")))),),
    )


def _add_configuration() -> Action:
    return Action(
        "addConfiguration",
        (value("c", "Configuration"), value("p", "Product")),
        (Conjunct(absent("Configuration", "c")), Conjunct(exists("Product", "p"))),
        (
            Create(
                "Configuration",
                Var("c"),
                (Assign("product", Var("p")), Assign("locked", Constant(value=False))),
            ),
        ),
    )


def _activate() -> Action:
    """Only features of the same product, and no extra ones while it is locked."""
    same = equal(
        FieldOf("Configuration", Var("c"), "product"), FieldOf("Feature", Var("f"), "product")
    )
    basic = equal(FieldOf("Feature", Var("f"), "kind"), Constant("basic"))
    return Action(
        "activate",
        (value("c", "Configuration"), value("f", "Feature")),
        (Conjunct(same), Conjunct(Implies(_is_locked("c"), basic))),
        (
            Update("Configuration", Var("c"), (Assign("active", Var("f")),)),
            Update("Configuration", Var("c"), (Assign("note", Var("f")),)),
        ),
    )


def _lock() -> Action:
    chosen = Not(equal(FieldOf("Configuration", Var("c"), "active"), Null()))
    return Action(
        "lock",
        (value("c", "Configuration"),),
        (Conjunct(exists("Configuration", "c")), Conjunct(chosen)),
        (Update("Configuration", Var("c"), (Assign("locked", Constant(value=True)),)),),
    )


def _same_product() -> Expression:
    active = FieldOf("Configuration", Var("c"), "active")
    same = equal(
        FieldOf("Configuration", Var("c"), "product"), FieldOf("Feature", active, "product")
    )
    condition = Implies(Exists("Feature", active), same)
    return Every("c", ValuesOf("Configuration"), condition)
