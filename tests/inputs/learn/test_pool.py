"""What responses held, side by side."""

from __future__ import annotations

from random import Random

from icepick.inputs import FromResponse, Responses
from icepick.inputs.pool import Wanted, latest

OWNER, ITEM = FromResponse("addItem", "owner"), FromResponse("addItem", "id")


def _pool() -> Responses:
    pool = Responses()
    for number in range(5):
        pool.record("addItem", {"id": f"item {number}"}, {"owner": f"owner {number}"})
    return pool


def test_values_of_one_object_come_together() -> None:
    wanted = {"o": Wanted("owner", (OWNER,)), "i": Wanted("item", (ITEM,))}
    for seed in range(20):
        found = _pool().together(wanted, Random(seed), newest=0)
        assert found["o"][-1] == found["i"][-1]


def test_the_newest_comes_first_where_asked() -> None:
    wanted = {"o": Wanted("owner", (OWNER,))}
    assert _pool().together(wanted, Random(1), newest=1) == {"o": "owner 4"}
    assert latest([1, 2, 3], Random(1), 1) == 3
    assert {latest([1, 2, 3], Random(seed), 0) for seed in range(30)} == {1, 2, 3}


def test_what_holds_for_certain_goes_before_similar_names() -> None:
    pool = _pool()
    pool.record("getThing", {"name": "thing", "owner_name": "x"})
    sources = (FromResponse("getThing", "name"), FromResponse("getThing", "owner_name"))
    wanted = {
        "o": Wanted("owner", (*sources, OWNER), (OWNER,)),
        "i": Wanted("item", (*sources, ITEM), (ITEM,)),
    }
    found = pool.together(wanted, Random(1), newest=1)
    assert found == {"o": "owner 4", "i": "item 4"}


def test_nothing_known_nothing_found() -> None:
    assert Responses().together({"o": Wanted("owner", (OWNER,))}, Random(1)) == {}
    assert _pool().together({"o": Wanted("x", (FromResponse("no", "x"),))}, Random(1)) == {}


def test_what_is_gone_is_not_given_out() -> None:
    pool = _pool()
    pool.forget("owner", "owner 4")
    assert pool.values(OWNER) == tuple(f"owner {number}" for number in range(4))
    assert pool.together({"o": Wanted("owner", (OWNER,))}, Random(1), newest=1) == {"o": "owner 3"}


def test_what_cannot_be_used_now_comes_last() -> None:
    pool = _pool()
    pool.postpone("owner 4")
    assert pool.values(OWNER)[0] == "owner 4"
    assert pool.together({"o": Wanted("owner", (OWNER,))}, Random(1), newest=1) == {"o": "owner 3"}


def test_a_short_value_is_forgotten_under_its_name_alone() -> None:
    pool = Responses()
    pool.record("a", {"id": 7, "pet": 7, "uuid": "0123456789-0123456789"})
    pool.record("b", {"ref": "0123456789-0123456789"})
    pool.forget("pet", 7)
    assert pool.values(FromResponse("a", "id")) == (7,)
    assert pool.values(FromResponse("a", "pet")) == ()
    pool.forget("thing_id", "0123456789-0123456789")
    assert pool.values(FromResponse("b", "ref")) == ()


def test_objects_inside_lists_and_envelopes() -> None:
    pool = Responses()
    pool.record("list", {"data": [{"id": 1, "owner": "a"}, {"id": 2, "owner": "b"}], "total": 2})
    ids, owners = FromResponse("list", "id"), FromResponse("list", "owner")
    wanted = {"i": Wanted("id", (ids,)), "o": Wanted("owner", (owners,))}
    found = {tuple(pool.together(wanted, Random(s), newest=0).values()) for s in range(20)}
    assert found == {(1, "a"), (2, "b")}
