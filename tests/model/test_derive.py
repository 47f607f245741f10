"""Models derived from contracts: the numbers of the paper, and what each clause becomes."""

from __future__ import annotations

from pathlib import Path

import pytest

from icepick.errors import ModelError
from icepick.explore import explore
from icepick.glacier import load_contracts
from icepick.model.derive.derive import Derivation, derive
from icepick.model.expressions import Exists, FieldOf, Not, Var
from icepick.model.tla import tla_text
from icepick.model.types import Create, Delete, Numbers, OnDelete
from icepick.openapi import read_spec
from icepick.pipeline.models import Described, describe, models, neighbourhoods, slots
from icepick.resources.find import find_resources
from tests.golden.compare import assert_golden
from tests.resources.conftest import Read
from tests.resources.documents import NUMBER, TEXT, Json, crud, obj, op, ref

EXAMPLES = Path(__file__).parents[2] / "examples"


def derived(example: str, **bounds: int) -> Derivation:
    (only,) = models(describe(read_spec(str(EXAMPLES / f"{example}.yaml"))), bounds)
    return only


@pytest.mark.parametrize(
    ("size", "states", "transitions", "finals"),
    [(1, 5, 10, 1), (2, 192, 872, 40), (3, 46_700, 349_008, 10_368)],
)
def test_tournaments(size: int, states: int, transitions: int, finals: int) -> None:
    found = derived("tournaments", Player=size, Tournament=size, Enrolment=size)
    totals = explore(found.model).totals
    assert (totals.states, totals.transitions, totals.finals) == (states, transitions, finals)


@pytest.mark.parametrize(
    ("size", "states", "transitions", "finals"),
    [(1, 6, 19, 1), (2, 72, 574, 4), (3, 1_360, 19_922, 27)],
)
def test_petstore(size: int, states: int, transitions: int, finals: int) -> None:
    found = derived("petstore", User=size, Pet=size, Order=size)
    totals = explore(found.model).totals
    assert (totals.states, totals.transitions, totals.finals) == (states, transitions, finals)


@pytest.mark.parametrize("example", ["tournaments", "petstore", "features", "shop"])
def test_contracts_of_the_examples_do_not_contradict_one_another(example: str) -> None:
    for found in models(describe(read_spec(str(EXAMPLES / f"{example}.yaml"))), {}):
        exploration = explore(found.model, max_states=200_000)
        assert exploration.violations == ()
        assert exploration.untaken == ()


def test_a_number_compared_with_a_length_ranges_up_to_the_resource() -> None:
    model = derived("tournaments", Player=3, Tournament=1, Enrolment=1).model
    (capacity,) = model.resource("Tournament").fields
    assert (capacity.name, capacity.domain) == ("capacity", Numbers(1, 3))


def test_guards_carry_the_clauses_they_come_from() -> None:
    model = derived("tournaments").model
    (post,) = [action for action in model.actions if action.name == "postPlayer"]
    (conjunct,) = post.guard
    assert conjunct.condition == Not(Exists("Player", Var("p")))
    assert conjunct.clause == "res_code(GET /players/req_body(@){pid}) = 404"
    assert post.effects == (
        Create("Player", Var("p"), (), "res_code(GET /players/req_body(@){pid}) = 200"),
    )


def test_parameters_are_in_the_order_of_the_paper() -> None:
    model = derived("tournaments").model
    (post,) = [action for action in model.actions if action.name == "postEnrolment"]
    assert [parameter.name for parameter in post.parameters] == ["e", "p", "t"]


def test_the_document_says_what_deleting_does_to_references() -> None:
    model = derived("petstore").model
    (delete,) = [action for action in model.actions if action.name == "deletePet"]
    (effect,) = delete.effects
    assert isinstance(effect, Delete)
    assert [rule.on_delete for rule in effect.rules] == [OnDelete.CASCADE]


def test_every_clause_is_used_or_listed_with_a_reason() -> None:
    api = describe(read_spec(str(EXAMPLES / "tournaments.yaml")))
    found = derived("tournaments")
    used = {c.clause for a in found.model.actions for c in a.guard}
    used |= {effect.clause for a in found.model.actions for effect in a.effects}
    used |= {invariant.clause for invariant in found.model.invariants}
    listed = {unused.clause.text for unused in found.unused}
    actions = {action.operation for action in found.model.actions}
    labels = {o.label for o in api.spec.operations if o.id in actions}
    wanted = [c for label in labels for c in api.contracts.of(label).requires]
    wanted += [c for label in labels for c in api.contracts.of(label).ensures]
    assert {c.text for c in wanted} | {c.text for c in api.contracts.invariants} <= used | listed
    assert all(unused.reason for unused in found.unused)


def test_nested_resources_hold_their_parent() -> None:
    model = derived("shop").model
    delete = next(action for action in model.actions if action.name == "deleteAddress")
    create = next(action for action in model.actions if action.name == "createAddress")
    assert [field.name for field in model.resource("Address").fields] == ["Customer"]
    assert [parameter.name for parameter in create.parameters] == ["a", "c"]
    assert Exists("Address", Var("a")) in [conjunct.condition for conjunct in delete.guard]


def test_an_address_of_the_order_belongs_to_its_customer() -> None:
    model = derived("shop").model
    create = next(action for action in model.actions if action.name == "createOrder")
    conditions = str([conjunct.condition for conjunct in create.guard])
    assert str(FieldOf("Address", Var("a"), "Customer")) in conditions


def api_of(read: Read, operations: Json, **schemas: Json) -> Described:
    return describe(read(operations, **schemas))


def test_put_that_creates_is_an_action(read: Read) -> None:
    schema = obj("name", name=TEXT)
    operations = {
        "PUT /things/{name}": op(ref("Thing"), ref("Thing"), "201"),
        "GET /things/{name}": op(gives=ref("Thing")),
        "DELETE /things/{name}": op(status="204"),
    }
    (found,) = models(api_of(read, operations, Thing=schema), {"Thing": 2})
    totals = explore(found.model).totals
    assert (totals.states, totals.transitions) == (4, 8)


def test_a_resource_without_delete_only_grows(read: Read) -> None:
    schema = obj(id=NUMBER, name=TEXT)
    operations = {k: v for k, v in crud("/things", "id", ref("Thing")).items() if "DELETE" not in k}
    (found,) = models(api_of(read, operations, Thing=schema), {"Thing": 3})
    totals = explore(found.model).totals
    assert (totals.states, totals.transitions) == (8, 12)


def test_forty_resources_give_models_that_can_be_explored(read: Read) -> None:
    operations: Json = {}
    schemas: Json = {}
    for number in range(40):
        name = f"Thing{number}X"
        operations |= crud(f"/things{number}x", "id", ref(name))
        link = {f"thing{number - 1}x_id": TEXT} if number % 4 else {}
        schemas[name] = obj(*link, id=TEXT, name=TEXT, **link)
    api = api_of(read, operations, **schemas)
    found = models(api, {})
    covered = {resource.name for one in found for resource in one.model.resources}
    assert len(covered) == 40
    assert all(slots(one.model) <= 10_000_000 for one in found)
    assert all(explore(one.model).stopped is None for one in found)


def test_many_that_refer_to_one_are_neighbours_of_their_own(read: Read) -> None:
    operations = crud("/hubs", "id", ref("Hub"))
    schemas: Json = {"Hub": obj(id=TEXT)}
    for number in range(30):
        operations |= crud(f"/spokes{number}x", "id", ref(f"Spoke{number}X"))
        schemas[f"Spoke{number}X"] = obj("hub_id", id=TEXT, hub_id=TEXT)
    groups = neighbourhoods(api_of(read, operations, **schemas))
    assert {len(group) for group in groups} == {2}


@pytest.mark.parametrize("bounds", [{"Nobody": 1}, {"Player": 0}])
def test_bad_bounds_are_clear_errors(bounds: dict[str, int]) -> None:
    with pytest.raises(ModelError) as caught:
        derived("tournaments", **bounds)
    assert caught.value.code.value in {"ICP406", "ICP407"}


def test_the_released_contracts_give_a_model_too() -> None:
    data = Path(__file__).parents[3] / "shared" / "data"
    if not data.is_dir():
        pytest.skip("the shared data is not here")
    spec = read_spec(str(data / "oas" / "tournaments.json"))
    file = data / "glacier" / "tournaments-glacier-extended.json"
    contracts = load_contracts(str(file), spec).contracts
    found = derive(spec, find_resources(spec), contracts, {"Player": 1, "Tournament": 1})
    assert explore(found.model).totals.states > 4


@pytest.mark.parametrize("example", ["tournaments", "petstore", "features", "shop"])
def test_golden_tla(example: str) -> None:
    found = models(describe(read_spec(str(EXAMPLES / f"{example}.yaml"))), {})
    for number, one in enumerate(found, start=1):
        text = tla_text(one.model)
        assert_golden(f"tla/{example}-{number}.tla", text.module)
        assert_golden(f"tla/{example}-{number}.cfg", text.config)


def test_an_optional_reference_does_not_make_resources_wait_for_one_another(read: Read) -> None:
    """A project may name its default branch, and a branch needs a project."""
    project = obj(id=TEXT, default_branch=TEXT)
    operations = {
        **crud("/projects", "id", ref("Project")),
        **crud("/projects/{id}/branches", "branch", ref("Branch")),
    }
    api = api_of(read, operations, Project=project, Branch=obj(branch=TEXT, name=TEXT))
    (found,) = models(api, {})
    assert explore(found.model).untaken == ()
    assert "Project.default_branch is left empty: a Branch needs a Project first" in (
        found.assumptions
    )


def test_a_link_may_be_called_like_the_values_of_another_resource(read: Read) -> None:
    """Projects have a word of their own where pipelines have the letter."""
    repo = obj(
        "fork_project_id", "project", id=TEXT, fork_project_id=TEXT, pipeline_id=TEXT, project=TEXT
    )
    operations = {
        **crud("/pipelines", "id", ref("Pipeline")),
        **crud("/projects", "id", ref("Project")),
        **crud("/repos", "id", ref("Repo")),
    }
    plain = obj("name", id=TEXT, name=TEXT, project_id=TEXT)
    api = api_of(read, operations, Pipeline=plain, Project=obj(id=TEXT, name=TEXT), Repo=repo)
    (found,) = models(api, dict.fromkeys(("Pipeline", "Project", "Repo"), 1))
    (made,) = [one for one in found.model.actions if one.name == "post_repos"]
    assert len({one.name for one in made.parameters}) == len(made.parameters) == 4
    assert explore(found.model).untaken == ()


def test_a_document_without_life_cycles_gives_an_empty_model(read: Read) -> None:
    (found,) = models(api_of(read, {"GET /time": op(gives=TEXT)}), {})
    assert found.model.resources == ()


def test_no_two_have_the_same_key(read: Read) -> None:
    one, item = ref("Authorship"), "/authorships/author/{authorId}/book/{bookId}"
    operations = {
        **crud("/authors", "id", ref("Thing")),
        **crud("/books", "id", ref("Thing")),
        "GET /authorships": op(gives={"type": "array", "items": one}),
        "POST /authorships": op(one, one),
        f"GET {item}": op(gives=one),
        f"DELETE {item}": op(gives=one),
    }
    spec = read(
        operations,
        Thing=obj(id=NUMBER, name=TEXT),
        Authorship=obj("role", authorId=TEXT, bookId=TEXT, role=TEXT),
    )
    (found,) = models(describe(spec), {"Author": 1, "Book": 1, "Authorship": 2})
    # One pair is joined once: by the one value or the other, or not at all.
    assert explore(found.model).totals.states == 1 + 1 + 1 + 3
