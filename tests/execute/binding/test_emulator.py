"""Model values and the incarnations behind them."""

from __future__ import annotations

from icepick.execute.binding.emulator import Emulator, Instance, value_of
from icepick.model.expressions import FieldOf, Var


def instance(value: str, resource: str = "Player", **fields: str) -> Instance:
    return Instance(value, resource, f"id of {value}", {"id": f"id of {value}"}, fields)


def test_a_value_that_is_created_again_is_another_incarnation() -> None:
    emulator = Emulator()
    first, second = instance("p1"), instance("p1")
    emulator.add(first)
    emulator.delete("p1")
    assert emulator.find("p1") is None
    assert emulator.past("p1") is first
    emulator.add(second)
    assert emulator.find("p1") is second
    assert emulator.births("p1") == 1
    assert emulator.gone() == []


def test_who_is_gone_is_not_looked_for_where_another_lives_now() -> None:
    emulator = Emulator()
    address = {"team": "t1", "player": "p1"}
    for value in ("m1", "m2"):
        emulator.add(Instance(value, "Member", "p1", address, {"player": "p1"}))
        if value == "m1":
            emulator.delete(value)
    player = FieldOf("Member", Var("m"), "player")
    assert emulator.past("m1") is None
    assert value_of(player, {"m": "m1"}, emulator) is None
    emulator.delete("m2")
    assert value_of(player, {"m": "m1"}, emulator) == "p1"


def test_a_deletion_may_take_others_with_it() -> None:
    emulator = Emulator()
    for one in (instance("p1"), instance("o1"), instance("o2")):
        emulator.add(one)
    emulator.keep_only({"p1"})
    assert [one.value for one in emulator.live()] == ["p1"]
    assert [one.value for one in emulator.gone()] == ["o1", "o2"]


def test_what_stands_behind_an_instance() -> None:
    emulator = Emulator()
    emulator.add(instance("c1", "Customer"))
    emulator.add(instance("a1", "Address", Customer="c1"))
    emulator.add(instance("o1", "Order", address="a1", customer="c1"))
    emulator.add(instance("c2", "Customer"))
    assert [one.value for one in emulator.behind(["o1"])] == ["a1", "c1"]
    assert emulator.behind(["c1"]) == []
    assert emulator.behind(["nobody"]) == []


def test_terms_stand_for_values() -> None:
    emulator = Emulator()
    emulator.add(instance("a1", "Address", Customer="c1"))
    assert value_of(Var("a"), {"a": "a1"}, emulator) == "a1"
    assert value_of(FieldOf("Address", Var("a"), "Customer"), {"a": "a1"}, emulator) == "c1"
    emulator.delete("a1")
    assert value_of(FieldOf("Address", Var("a"), "Customer"), {"a": "a1"}, emulator) == "c1"
    assert value_of(FieldOf("Address", Var("a"), "Customer"), {"a": "a2"}, emulator) is None
