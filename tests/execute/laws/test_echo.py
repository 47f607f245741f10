"""What a service keeps of what it is given."""

from __future__ import annotations

import pytest

from icepick.execute.laws.echo import Echo, Habit, is_completed, same
from icepick.openapi.types import ABSENT, Json


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (1, 1.0, True),
        (0.1 + 0.2, 0.3, True),
        (True, 1, False),
        (81_671_748_121, 81_671_748_122, False),
        (None, ABSENT, True),
        ("a", "A", False),
        ({"a": 1}, {"a": 1, "b": 2}, True),
        ({"a": 1, "b": 2}, {"a": 1}, False),
        ([1, 2], [2, 1], False),
        ([{"a": 1}], [{"a": 1.0, "id": 5}], True),
        ("PT3M", 180.0, True),
        ("P1D", "PT24H", True),
        ("PT3M", 181.0, False),
        ("-PT0.5S", -0.5, True),
        ("P", 0, False),
        ("5", 5, False),
        ("2026-01-30T23:54:08Z", "2026-01-31T00:54:08.000+01:00", True),
        ("2026-01-30T23:54:08Z", "2026-01-30T23:54:08", True),
        ("2026-01-30T23:54:08Z", "2026-01-30T22:54:08Z", False),
        ("2026-01-30T99:54:08Z", "2026-01-30T99:54:08+00:00", False),
        ([], ABSENT, True),
        ({}, None, True),
        ({}, {"a": 1}, True),
        ([], ["a"], False),
        (["a"], ABSENT, False),
    ],
)
def test_same(one: Json, other: Json, equal: bool) -> None:
    assert same(one, other) is equal


def habit(*pairs: tuple[Json, Json]) -> Habit:
    echo = Echo()
    for sent, shown in pairs:
        echo.observe("Pet", ("name",), sent, shown)
    return echo.habit("Pet", ("name",))


def test_what_was_completed_once_is_not_taken_for_kept_unseen() -> None:
    echo = Echo()
    echo.observe("Pet", ("owners",), ["me"], ["me"])
    assert echo.is_always_kept("Pet", ("owners",))
    echo.observe("Pet", ("owners",), ["you"], ["you", "me"])
    assert not echo.is_always_kept("Pet", ("owners",))
    assert not echo.is_always_kept("Pet", ("name",))


def test_what_came_back_once_is_kept() -> None:
    assert habit(("Rex", "Rex"), ("Tom", "Rex")) is Habit.KEPT


def test_what_is_always_the_same_belongs_to_the_service() -> None:
    assert habit(("a", "open"), ("b", "open"), ("c", "open")) is Habit.OWNED
    assert habit(("a", ABSENT), ("b", None)) is Habit.OWNED


def test_another_spelling_is_a_normal_form() -> None:
    assert habit((" Rex ", "rex"), ("TOM", "tom")) is Habit.NORMALISED
    assert habit(("2024-01-01", "2024-01-01T00:00:00Z"), ("2025-02-03", "2025-02-03T00:00:00Z"))
    assert habit((1.239, 1.24), (2.001, 2.0)) is Habit.NORMALISED
    assert habit((["b", "a"], ["a", "b"]), (["d", "c"], ["c", "d"])) is Habit.NORMALISED


def test_what_follows_no_rule_is_garbled_once_that_is_certain() -> None:
    assert habit((10, 11), (20, 21)) is Habit.UNCLEAR
    assert habit((10, 11), (20, 21), (30, 31)) is Habit.GARBLED


def test_habits_lists_what_a_person_should_know() -> None:
    echo = Echo()
    echo.observe("Pet", ("status",), "a", "open")
    echo.observe("Pet", ("name",), "Rex", "Rex")
    assert list(echo.habits()) == [("Pet", ("status",), Habit.OWNED)]


def test_what_is_empty_may_be_left_out_and_says_nothing_of_the_rest() -> None:
    echo = Echo()
    assert echo.observe("Pet", ("tags",), [], ABSENT)
    assert not echo.observe("Pet", ("tags",), ["a"], ABSENT)
    assert echo.habit("Pet", ("tags",)) is Habit.OWNED
    assert not same([], ["left"])
    assert same({}, {"more": 1})


def _begins(*pairs: tuple[Json, Json], name: str = "startsAt") -> Habit:
    echo = Echo()
    for sent, shown in pairs:
        echo.observe("Shift", (name,), sent, shown)
    return echo.habit("Shift", (name,))


MOVED = (
    ("2026-03-01T08:00:00Z", "2026-05-01T12:00:00Z"),
    ("2026-04-02T08:00:00Z", "2026-05-01T12:00:01.5Z"),
    ("2025-12-03T08:00:00Z", "2026-05-01T12:00:03Z"),
)
LATER = "2026-06-01T08:00:00Z"


def test_what_cannot_begin_before_it_is_written_is_no_fault() -> None:
    assert _begins(*MOVED) is Habit.OWNED
    assert _begins(*MOVED, (LATER, LATER)) is Habit.OWNED


@pytest.mark.parametrize(
    "more",
    [
        (LATER, "2026-05-01T12:00:04Z"),  # it could have begun then
        ("2026-04-05T08:00:00Z", "2026-04-05T08:00:00Z"),  # what is over is kept, too
        ("2026-04-05T08:00:00Z", "2026-04-09T08:00:00Z"),  # not the present
        ("2026-04-05T08:00:00Z", "soon"),
    ],
)
def test_a_beginning_that_is_lost_otherwise_is_one(more: tuple[Json, Json]) -> None:
    assert _begins(*MOVED, more) in {Habit.GARBLED, Habit.KEPT}


def test_what_is_no_beginning_is_to_be_kept() -> None:
    assert _begins(*MOVED, name="birthday") is Habit.GARBLED


@pytest.mark.parametrize(
    ("sent", "shown", "completed"),
    [
        ([{"id": "a", "within": "PT1M"}], [{"id": "b", "within": 60.0, "more": 1}], True),
        ([{"expect": ["a", "b"], "size": 1}], [{"expect": ["b", "a"], "size": 1}], True),
        ([{"id": "a", "size": 1}], [{"id": "a", "size": 2}], False),
        ([{"owner": "a"}], [{"owner": "b"}], False),
        ([{"parts": [{"id": "a", "size": 1}]}], [{"parts": [{"id": "b", "size": 1}]}], True),
        ([{"size": 1}], [{"size": 1}, {"size": 2}], True),
        ([{"size": 1}], [], False),
    ],
)
def test_elements_may_get_names_of_the_service(sent: Json, shown: Json, completed: bool) -> None:
    assert is_completed(sent, shown) is completed
