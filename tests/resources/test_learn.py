"""What observed answers teach about resources."""

from __future__ import annotations

from icepick.resources.correct import Observation
from icepick.resources.learn import learn_resources
from icepick.resources.types import (
    Chooser,
    Evidence,
    Identifier,
    Payload,
    Provenance,
    Resource,
    ResourceMap,
    Role,
    Use,
)

GUESS = Evidence(Provenance.INFERRED, 0.5, "a guess")


def things(*uses: Use) -> ResourceMap:
    identifier = Identifier("thing_id", {}, ("id",), Chooser.SERVER, None, GUESS)
    thing = Resource("Thing", "/things", "/things/{thing_id}", identifier, None, {}, None, uses)
    return ResourceMap({"Thing": thing}, ())


def read(value: str, body: object, **more: object) -> Observation:
    return Observation("read", 200, body, inputs={("path", "thing_id"): value}, **more)


READ = Use("read", Role.READ, GUESS, response=Payload((), {}, many=False))
LIST = Use("list", Role.LIST, GUESS, response=Payload((), {"type": "object"}, many=True))


def identifier_of(resources: ResourceMap) -> Identifier:
    identifier = resources.resources["Thing"].identifier
    assert identifier is not None
    return identifier


def test_identifier_that_lives_elsewhere():
    seen = [read("a1", {"meta": {"key": "a1"}, "id": 7}), read("b2", {"meta": {"key": "b2"}})]
    learned = learn_resources(things(READ), seen)
    identifier = identifier_of(learned.resources)
    assert identifier.property == ("meta", "key")
    assert identifier.evidence.provenance is Provenance.LEARNED
    assert learned.changes == (
        "Thing: the identifier is meta.key; reads of 2 instances show the identifier there",
    )


def test_one_read_is_not_enough():
    learned = learn_resources(things(READ), [read("a1", {"key": "a1"})] * 3)
    assert identifier_of(learned.resources).property == ("id",)


def test_a_declared_place_that_holds_stays():
    seen = [read("1", {"id": 1, "key": "1"}), read("2", {"id": 2, "key": "2"})]
    assert learn_resources(things(READ), seen).changes == ()


def test_two_places_leave_it_open():
    seen = [read("1", {"no": 1, "key": "1"}), read("2", {"no": 2, "key": "2"})]
    assert learn_resources(things(READ), seen).changes == ()


CREATE = Use("create", Role.CREATE, GUESS, response=Payload((), {}, many=False), creates=True)


def test_an_identifier_that_is_given_again_after_a_deletion_is_one():
    made = [Observation("create", 200, {"name": name, "kind": "x"}) for name in "1222"]
    seen = [*made, read("2", {"name": "2"})]
    learned = learn_resources(things(CREATE, READ), seen)
    assert identifier_of(learned.resources).property == ("name",)


def test_a_name_that_repeats_and_leads_nowhere_is_no_identifier():
    made = [Observation("create", 200, {"name": name}) for name in "1222"]
    assert learn_resources(things(CREATE, READ), made).changes == ()
    same = [Observation("create", 200, {"name": "2"})] * 2
    seen = [*same, read("2", {"name": "2"})]
    assert learn_resources(things(CREATE, READ), seen).changes == ()


def test_failures_and_negative_tests_teach_nothing():
    bodies = [("a", {"key": "a"}), ("b", {"key": "b"})]
    negative = [read(value, body, negative=True) for value, body in bodies]
    failed = [
        Observation("read", 404, body, inputs={("path", "thing_id"): v}) for v, body in bodies
    ]
    assert learn_resources(things(READ), negative + failed).changes == ()


def test_collection_behind_an_envelope():
    body = {"page": 1, "result": {"things": [{"id": 1}]}}
    learned = learn_resources(things(LIST), [Observation("list", 200, body)])
    (use,) = learned.resources.resources["Thing"].uses
    assert use.response == Payload(("result", "things"), {"type": "object"}, many=True)


def test_list_of_identifiers_alone():
    learned = learn_resources(
        things(LIST), [Observation("list", 200, {"names": ["a", "b"], "total": 2})]
    )
    (use,) = learned.resources.resources["Thing"].uses
    assert use.response == Payload(("names",), {"type": "string"}, many=True)


def test_empty_or_ambiguous_lists_teach_nothing():
    for body in ({"things": []}, {"things": [1], "tags": ["x"]}, [{"id": 1}]):
        assert learn_resources(things(LIST), [Observation("list", 200, body)]).changes == ()


def test_a_thing_may_be_known_by_what_it_is_called_after():
    created = Use("create", Role.CREATE, GUESS, response=Payload((), {}, many=False))
    seen = [
        Observation("create", 201, {"thing": name, "kind": "text"}, inputs={})
        for name in ("width", "height")
    ]
    learned = learn_resources(things(created), seen)
    assert identifier_of(learned.resources).property == ("thing",)


def test_a_name_may_come_again_below_another_parent():
    def created(parent: str, name: str) -> Observation:
        return Observation("create", 201, {"thing": name}, inputs={("path", "box"): parent})

    create = Use("create", Role.CREATE, GUESS, response=Payload((), {}, many=False))
    for parents, found in (("ab", ("thing",)), ("aa", ("id",))):
        seen = [created(parent, "x") for parent in parents]
        assert identifier_of(learn_resources(things(create), seen).resources).property == found
