from __future__ import annotations

import json

import pytest

import icepick.errors
from icepick.errors import (
    Code,
    Diagnostic,
    DocumentError,
    IcepickError,
    Place,
    ProtocolError,
    Severity,
    UsageError,
    place_in,
)


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (Place("a.json"), "a.json"),
        (Place("a.json", 3), "a.json:3"),
        (Place("a.json", 3, 7), "a.json:3:7"),
        (Place("a.json", 3, 7, "/x"), "a.json:3:7 at /x"),
        (Place("a.json", pointer="/x"), "a.json at /x"),
    ],
)
def test_a_place_as_text(place: Place, text: str) -> None:
    assert str(place) == text


def test_a_caret_under_the_column() -> None:
    assert Place("a", 1, 3, excerpt="abcd").caret() == "abcd\n  ^"
    assert Place("a", 1, 3).caret() is None
    assert Place("a", 1, excerpt="abcd").caret() is None


def test_the_place_of_a_character_counts_from_the_line_of_its_text() -> None:
    text = "first\n\tsecond \nthird"
    assert place_in(text, text.index("cond"), "a", 5) == Place("a", 6, 4, excerpt=" second")
    assert place_in(text, 0, "a") == Place("a", 1, 1, excerpt="first")
    assert place_in(text, len(text), "a") == Place("a", 3, 6, excerpt="third")
    assert place_in("x" * 2000, 1999, "a") == Place("a", 1, 2000)


def test_a_place_as_json_leaves_out_what_is_unknown() -> None:
    assert Place("a").to_json() == {"source": "a"}
    assert Place("a", 1, 2, "/x", "text").to_json() == {
        "source": "a",
        "line": 1,
        "column": 2,
        "pointer": "/x",
    }


@pytest.mark.parametrize("kind", [UsageError, DocumentError, ProtocolError])
def test_errors_carry_what_a_person_needs(kind: type[IcepickError]) -> None:
    error = kind(Code.SYNTAX, "it is broken", place=Place("a", 1), hint="mend it")
    assert isinstance(error, IcepickError)
    assert str(error) == "it is broken"
    assert json.loads(json.dumps(error.to_json())) == {
        "code": "ICP107",
        "message": "it is broken",
        "place": {"source": "a", "line": 1},
        "hint": "mend it",
    }
    assert kind(Code.USAGE, "m").to_json()["place"] is None


def test_diagnostics_are_data() -> None:
    one = Diagnostic(Code.BAD_PATTERN, Severity.WARNING, "m", Place("a", 1), operation="GET /x")
    assert one == Diagnostic(
        Code.BAD_PATTERN, Severity.WARNING, "m", Place("a", 1), operation="GET /x"
    )
    assert len({one, one}) == 1
    assert json.loads(json.dumps(one.to_json())) == {
        "code": "ICP214",
        "severity": "warning",
        "message": "m",
        "place": {"source": "a", "line": 1},
        "hint": None,
        "operation": "GET /x",
    }


def test_public_names() -> None:
    assert all(hasattr(icepick.errors, name) for name in icepick.errors.__all__)
    assert list(icepick.errors.__all__) == sorted(icepick.errors.__all__)
