"""The texts of answers, and the structures of common frameworks."""

from __future__ import annotations

from typing import Any

import pytest

from icepick.inputs.learn.frameworks import structured
from icepick.inputs.learn.messages import complaints, texts
from icepick.inputs.learn.types import Complaint

FRAMEWORKS = {
    "RFC 9457 with errors": (
        {
            "type": "about:blank",
            "title": "Invalid Input",
            "status": 422,
            "detail": "email is required",
            "errors": [{"field": "email", "message": "email is required"}],
        },
        [Complaint("email is required", ("email",))],
    ),
    "RFC 7807 invalid-params": (
        {
            "type": "https://example.com/validation",
            "title": "Your request parameters didn't validate.",
            "invalid-params": [{"name": "age", "reason": "must be a positive integer"}],
        },
        [Complaint("must be a positive integer", ("age",))],
    ),
    "RFC 9457 pointers": (
        {"title": "x", "errors": [{"detail": "must be red", "pointer": "#/profile/color"}]},
        [Complaint("must be red", ("/profile/color",))],
    ),
    "FastAPI": (
        {
            "detail": [
                {"loc": ["body", "age"], "msg": "Field required", "type": "missing", "input": {}},
                {"loc": ["query", "limit"], "msg": "Input should be 5", "type": "x"},
            ]
        },
        [
            Complaint("Field required", ("age",), "missing"),
            Complaint("Input should be 5", ("limit",), "x"),
        ],
    ),
    "Spring field errors": (
        {
            "timestamp": "2024-01-01T00:00:00.000+00:00",
            "status": 400,
            "error": "Bad Request",
            "path": "/users",
            "errors": [
                {
                    "codes": ["NotBlank.user.name", "NotBlank"],
                    "defaultMessage": "must not be blank",
                    "objectName": "user",
                    "field": "name",
                    "rejectedValue": "",
                    "code": "NotBlank",
                }
            ],
        },
        [Complaint("must not be blank", ("name",), "NotBlank")],
    ),
    "Bean Validation": (
        {"violations": [{"propertyPath": "create.user.age", "message": "must be >= 18"}]},
        [Complaint("must be >= 18", ("create.user.age",))],
    ),
    "Django REST framework": (
        {"email": ["Enter a valid email address."], "profile": {"age": ["A valid integer."]}},
        [
            Complaint("Enter a valid email address.", ("email",)),
            Complaint("A valid integer.", ("profile.age",)),
        ],
    ),
    "Django REST framework, many": (
        {"lines": [{}, {"qty": ["This field is required."]}]},
        [Complaint("This field is required.", ("lines.1.qty",))],
    ),
    "Django REST framework, whole": (
        {"non_field_errors": ["Passwords differ."], "name": ["Too short."]},
        [Complaint("Passwords differ."), Complaint("Too short.", ("name",))],
    ),
    "express-validator": (
        {
            "errors": [
                {"type": "field", "value": "x", "msg": "Invalid value", "path": "email",
                 "location": "body"}
            ]
        },
        [Complaint("Invalid value", ("email",), "field")],
    ),
    "express-validator 6": (
        {"errors": [{"value": "x", "msg": "Invalid value", "param": "email"}]},
        [Complaint("Invalid value", ("email",))],
    ),
    "joi": (
        {
            "statusCode": 400,
            "details": [
                {"message": '"a.b" is required', "path": ["a", "b"], "type": "any.required",
                 "context": {"key": "b"}}
            ],
        },
        [Complaint('"a.b" is required', ("a.b",), "any.required")],
    ),
    "zod": (
        {"error": {"name": "ZodError", "issues": [
            {"code": "too_small", "path": ["items", 0, "qty"], "message": "Number too small"}
        ]}},
        [Complaint("Number too small", ("items.0.qty",), "too_small")],
    ),
    "ajv": (
        {"errors": [
            {"instancePath": "", "keyword": "required", "params": {"missingProperty": "name"},
             "message": "must have required property 'name'"},
            {"instancePath": "/age", "keyword": "type", "params": {}, "message": "must be integer"},
        ]},
        [
            Complaint("must have required property 'name'", ("/name",), "required"),
            Complaint("must be integer", ("/age",), "type"),
        ],
    ),
    "class-validator": (
        {"message": [{"property": "age", "constraints": {"min": "age must not be less than 3"}}]},
        [Complaint("age must not be less than 3", ("age",), "min")],
    ),
    "ASP.NET": (
        {
            "type": "https://tools.ietf.org/html/rfc9110#section-15.5.1",
            "title": "One or more validation errors occurred.",
            "status": 400,
            "errors": {"Name": ["The Name field is required."], "$.age": ["Not a number."]},
        },
        [
            Complaint("The Name field is required.", ("Name",)),
            Complaint("Not a number.", ("age",)),
        ],
    ),
    "Rails": (
        {"errors": {"title": ["can't be blank"], "base": ["Nothing to do"]}},
        [Complaint("can't be blank", ("title",)), Complaint("Nothing to do")],
    ),
    "Laravel": (
        {"message": "The name is required.", "errors": {"name": ["The name is required."]}},
        [Complaint("The name is required.", ("name",))],
    ),
    "JSON:API": (
        {"errors": [
            {"status": "422", "source": {"pointer": "/data/attributes/title"}, "detail": "blank"},
            {"source": {"parameter": "sort"}, "detail": "cannot sort"},
        ]},
        [Complaint("blank", ("/data/attributes/title",)), Complaint("cannot sort", ("sort",))],
    ),
    "what is beside the text": (
        {"errors": [
            {
                "message": 'Validation failed for field "name". Value is required.',
                "extensions": {"field": "name", "path": [], "type": "required", "code": "BAD"},
            },
            {"message": "no", "extensions": {"code": "FORBIDDEN"}},
        ]},
        [
            Complaint(
                'Validation failed for field "name". Value is required.', ("name",), "required"
            ),
            Complaint("no"),
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_frameworks(name: str) -> None:
    document, found = FRAMEWORKS[name]
    assert structured(document) == tuple(found)


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        {},
        "text",
        7,
        {"message": "no"},
        {"error": {"code": 12, "message": "no"}},
        {"errors": ["Name can't be blank"]},
        {"detail": "no"},
        {"detail": [{"loc": 3}]},
        {"errors": [None, 3, {"field": None}]},
        {"data": [{"id": 1, "name": "Ada"}]},
    ],
)
def test_other_bodies_have_no_structure(document: Any) -> None:
    assert structured(document) == ()


def test_texts_without_what_says_nothing() -> None:
    document = {
        "timestamp": "2024-01-01T00:00:00Z",
        "status": "400",
        "path": "/users",
        "error": "Bad Request",
        "when": "2024-01-01T00:00:00.000+00:00",
        "see": "https://example.com/docs",
        "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
        "nested": {"reasons": ["name is too short", "name is too short"]},
    }
    assert texts(document) == ("Bad Request", "name is too short")


def test_pages_are_read_as_they_look() -> None:
    page = (
        "<html><head><title>400</title><style>p {color: red}</style></head>"
        "<body><h1>Bad&nbsp;Request</h1><p>name is <b>required</b></p><script>x()</script></body>"
    )
    assert texts(page, "text/html") == ("Bad Request", "name is", "required")


def test_plain_text_line_by_line() -> None:
    assert texts("name is required\n\nage is required\n", "text/plain") == (
        "name is required",
        "age is required",
    )


def test_json_that_does_not_say_so() -> None:
    found = complaints('{"errors": {"name": ["is required"]}}', "text/plain")
    assert found == (Complaint("is required", ("name",)),)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("", "text/plain"),
        ("{broken", "application/json"),
        ("[" * 5_000, "application/json"),
        (None, ""),
        ("<<<>>>&&&", "text/html"),
        ({"a": {"b": [None, True, 1.5]}}, "application/json"),
        ("\x00\x01", "application/octet-stream"),
    ],
)
def test_odd_bodies_do_no_harm(body: Any, kind: str) -> None:
    assert all(one.names == () for one in complaints(body, kind))


def test_a_wide_body_is_cut() -> None:
    assert len(complaints({"m": [f"text {n}" for n in range(10_000)]}, "application/json")) <= 60
