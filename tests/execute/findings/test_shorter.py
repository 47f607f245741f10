"""What is tried to make a sequence shorter."""

from __future__ import annotations

from icepick.execute.findings.shorter import shorter
from icepick.sequences.types import Call, Kind


def calls(*texts: str) -> tuple[Call, ...]:
    found = []
    for text in texts:
        name, *arguments = text.split()
        found.append(Call(Kind.TRANSITION, name, tuple(arguments), name))
    return tuple(found)


def names(sequence: tuple[Call, ...]) -> list[str]:
    return [" ".join((one.operation, *map(str, one.arguments))) for one in sequence]


def test_what_the_last_call_does_not_need_goes_first() -> None:
    whole = calls("player p1", "player p2", "tournament t1 2", "enrol e1 p1 t1", "leave e1")
    first = next(shorter(whole))
    assert names(first) == ["player p1", "tournament t1 2", "enrol e1 p1 t1", "leave e1"]


def test_earlier_incarnations_do_not_count() -> None:
    whole = calls("player p1", "gone p1", "player p1", "tournament t1 2", "enrol e1 p1 t1")
    found = [names(one) for one in shorter(whole)]
    assert found[0] == ["player p1", "tournament t1 2", "enrol e1 p1 t1"]


def test_every_call_but_the_last_is_left_out_in_turn() -> None:
    whole = calls("a x", "b x", "c x")
    found = [names(one) for one in shorter(whole)]
    assert ["a x", "c x"] in found
    assert ["b x", "c x"] in found
    assert all(one[-1] == "c x" for one in found)
    assert list(shorter(calls("a x"))) == []
