"""Fragments, the inputs they are about, and the counts of the paper's Figure 1."""

from __future__ import annotations

from pathlib import Path

import pytest

from icepick.inputs import Drawn, Fixed, FromResponse, Null, Strategy
from icepick.inputs.case import Slot
from icepick.inputs.learn.fragments import Fragments
from icepick.inputs.learn.knowledge import Knowledge
from icepick.inputs.learn.names import Names, valued, with_names
from icepick.inputs.learn.suspicion import Ran, invalid, suspicions
from icepick.inputs.learn.types import Complaint
from icepick.openapi.types import ABSENT
from icepick.resources.fields import inputs
from icepick.resources.types import Location
from tests.inputs.learn.documents import body, spec_of
from tests.inputs.test_strategies import LISTING_1

ID, TYPE, ADDRESS, PRIORITY = body("id"), body("type"), body("address"), body("priority")
RS, RBS = Drawn("integer"), FromResponse("GET:/customers", "id")
STANDARD, EXPRESS = Fixed("standard"), Fixed("express")
TEXT, NOTHING = Drawn("string"), Null()
LOW, HIGH = Fixed("low"), Fixed("high")

E1 = "Invalid id: Must be a registered customer"
E2 = "Invalid id: No phone number found"
E3 = "Missing address for type order"
ROWS: list[tuple[tuple[Strategy, ...], str]] = [
    ((RS, STANDARD, TEXT, LOW), f"{E1}."),
    ((RBS, EXPRESS, NOTHING, HIGH), ""),
    ((RBS, STANDARD, TEXT, LOW), f"{E2}."),
    ((RS, EXPRESS, TEXT, HIGH), f"{E1}."),
    ((RBS, STANDARD, NOTHING, HIGH), f"{E2}; {E3}"),
    ((RS, EXPRESS, NOTHING, LOW), f"{E1}."),
]


@pytest.fixture
def runs() -> tuple[list[Ran], Fragments]:
    fragments = Fragments()
    fragments.add(message for _, message in ROWS)
    slots = (ID, TYPE, ADDRESS, PRIORITY)
    return [
        Ran(dict(zip(slots, row, strict=True)), frozenset(fragments.inside(message)))
        for row, message in ROWS
    ], fragments


@pytest.fixture
def about(tmp_path: Path) -> dict[str, tuple[Slot, ...]]:
    spec = spec_of(LISTING_1, tmp_path)
    known = Knowledge(inputs(spec.operation("createOrder"), spec.schemas), spec.schemas)
    return {text: known.slots(Complaint(text), {}) for text in (E1, E2, E3)}


def test_the_fragments_of_figure_1(runs: tuple[list[Ran], Fragments]) -> None:
    assert runs[1].known == (E1, E2, E3)


def test_the_parameters_of_figure_1(about: dict[str, tuple[Slot, ...]]) -> None:
    assert about == {E1: (ID,), E2: (ID,), E3: (ADDRESS, TYPE)}


def test_the_counts_of_figure_1(
    runs: tuple[list[Ran], Fragments], about: dict[str, tuple[Slot, ...]]
) -> None:
    counts = {
        (fragment, tuple(str(way) for _, way in one.choice)): (one.hits, one.uses)
        for fragment, one in suspicions(runs[0], about)
    }
    nothing, text = str(NOTHING), str(TEXT)
    assert counts == {
        (E1, (str(RS),)): (3, 3),
        (E1, (str(RBS),)): (0, 3),
        (E2, (str(RS),)): (0, 3),
        (E2, (str(RBS),)): (2, 3),
        (E3, (text, str(STANDARD))): (0, 2),
        (E3, (nothing, str(EXPRESS))): (0, 2),
        (E3, (text, str(EXPRESS))): (0, 1),
        (E3, (nothing, str(STANDARD))): (1, 1),
    }


def test_the_invalid_combinations_of_figure_1(
    runs: tuple[list[Ran], Fragments], about: dict[str, tuple[Slot, ...]]
) -> None:
    found = {one.choice: one.suspicion for one in invalid(runs[0], about)}
    assert found == {
        ((ID, RS),): 1.0,
        ((ADDRESS, NOTHING), (TYPE, STANDARD)): 1.0,
    }


def test_one_use_does_not_condemn_a_way_to_draw() -> None:
    once = [Ran({ID: RS}, frozenset({E1}))]
    assert invalid(once, {E1: (ID,)}) == ()
    assert len(invalid(once * 2, {E1: (ID,)})) == 1
    assert len(invalid([Ran({ID: LOW}, frozenset({E1}))], {E1: (ID,)})) == 1


def test_runs_without_the_input_are_not_counted() -> None:
    mixed = [Ran({ID: LOW}, frozenset({E1})), Ran({TYPE: LOW}, frozenset({E1}))]
    assert [(one.hits, one.uses) for _, one in suspicions(mixed, {E1: (ID,)})] == [(1, 1)]


def test_a_later_message_cuts_an_earlier_one() -> None:
    fragments = Fragments()
    fragments.add(["name is bad; age is bad"])
    assert fragments.add(["age is bad"]) == ("age is bad", "name is bad")
    assert fragments.inside("name is bad; age is bad") == ("age is bad", "name is bad")


def test_no_fragment_holds_another() -> None:
    fragments = Fragments()
    fragments.add(["a is wrong", "b is wrong and a is wrong", "wrong", "c is wrong, b is wrong"])
    known = fragments.known
    assert not any(one in other for one in known for other in known if one is not other)


NAMES = Names(
    [
        body("email"),
        body("postal_code"),
        body("phone"),
        body("phone_country"),
        body("type"),
        body("lines", "[]", "qty"),
        body("profile", "birthDate"),
        (Location.QUERY, ("pageSize",)),
        (Location.PATH, ("id",)),
    ]
)


@pytest.mark.parametrize(
    ("name", "slot"),
    [
        ("email", body("email")),
        ("Email", body("email")),
        ("/postal_code", body("postal_code")),
        ("postalCode", body("postal_code")),
        ("postal-code", body("postal_code")),
        ("data.attributes.postal_code", body("postal_code")),
        ("lines[0].qty", body("lines", "[]", "qty")),
        ("/lines/3/qty", body("lines", "[]", "qty")),
        ("lines.3.qty", body("lines", "[]", "qty")),
        ("lines", body("lines", "[]", "qty")),
        ("profile.birth_date", body("profile", "birthDate")),
        ("create.request.profile.birthDate", body("profile", "birthDate")),
        ("page_size", (Location.QUERY, ("pageSize",))),
        ("colour", None),
        ("", None),
    ],
)
def test_names_of_inputs(name: str, slot: Slot | None) -> None:
    assert NAMES.slot(name) == slot


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("phone_country is required if phone is given", [body("phone_country"), body("phone")]),
        ("Postal code can't be blank", [body("postal_code")]),
        ("postalCode is bad", [body("postal_code")]),
        ("'email' is bad", [body("email")]),
        ("must be of type integer", []),
        ("required if type is 'x'", [body("type")]),
        ("Invalid id: no", [(Location.PATH, ("id",))]),
        ("there is no such id", []),
        ("profile.birthDate is bad", [body("profile", "birthDate")]),
        ("emails are bad", []),
    ],
)
def test_names_in_sentences(text: str, slots: list[Slot]) -> None:
    assert list(NAMES.mentioned(text)) == slots


def test_values_become_names() -> None:
    values = {body("id"): 34, body("name"): "Ada", body("vip"): True, body("x"): ABSENT}
    text = with_names("Invalid 34: Ada is true, 345 and Adam are not", values)
    assert text == "Invalid id: name is true, 345 and Adam are not"
    assert valued("a 3 b", {body("n"): 3}) == {}
