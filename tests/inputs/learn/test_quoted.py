"""What sentences of common frameworks say of a value."""

from __future__ import annotations

from typing import Any

import pytest

from icepick.inputs.learn.quoted import Said, read
from icepick.inputs.learn.relating import SaidRelation
from icepick.inputs.learn.types import Kind
from icepick.inputs.types import Hint
from icepick.openapi.types import ABSENT


def _hint(**parts: Any) -> Said:
    return Said(Hint(**parts))


def _relation(kind: Kind, *others: str, value: Any = ABSENT, reverse: bool = False) -> Said:
    return Said(relations=(SaidRelation(kind, others, value, reverse),))


REQUIRED = _hint(required=True)
NOT_BLANK = _hint(required=True, min_length=1)
UNIQUE, EXISTING, FORBIDDEN = Said(unique=True), Said(existing=True), Said(forbidden=True)

LISTS = [
    ("Must specify format of file contents as 'text' or 'base64'", ("text", "base64")),
    ("must be one of [low, high]", ("low", "high")),
    ('"color" must be one of [red, green, blue]', ("red", "green", "blue")),
    ("Input should be 'admin', 'user' or 'guest'", ("admin", "user", "guest")),
    ("value is not a valid enumeration member; permitted: 'low', 'high'", ("low", "high")),
    ("'x' is not one of ['asc', 'desc']", ("asc", "desc")),
    ('"x" is not one of "available", "pending" or "sold"', ("available", "pending", "sold")),
    ("Invalid enum value. Expected 'S' | 'M' | 'L', received 'XL'", ("S", "M", "L")),
    ("role must be one of the following values: admin, user", ("admin", "user")),
    (
        "not one of the values accepted for Enum class: [CARD, CASH]",
        ("CARD", "CASH"),
    ),
    ("Invalid value for sort. Allowed values: name, date, size", ("name", "date", "size")),
    ("status: valid values are open, closed", ("open", "closed")),
    ("Value must be 'EUR' or 'USD'", ("EUR", "USD")),
    ("gender can only be male or female", ("male", "female")),
    ("size must be either small, medium or large.", ("small", "medium", "large")),
]

SLUG = "^[a-z0-9]+(-[a-z0-9]+)*$"

HINTS = [
    ("No file type provided", _hint(required=True)),
    ("You must provide type", _hint(required=True)),
    # Patterns
    ("String should match pattern '^[A-Z]{3}$'", _hint(pattern="^[A-Z]{3}$")),
    ('must match "^[0-9]{4}$"', _hint(pattern="^[0-9]{4}$")),
    (
        '"sku" with value "a" fails to match the required pattern: /^[A-Z]{3}-\\d{4}$/',
        _hint(pattern="^[A-Z]{3}-\\d{4}$"),
    ),
    ('"ab" does not match "^[0-9]+$"', _hint(pattern="^[0-9]+$")),
    ('must match pattern "^[a-z]+$"', _hint(pattern="^[a-z]+$")),
    (
        "The field Code must match the regular expression '[A-Z]{2}\\d+'.",
        _hint(pattern="[A-Z]{2}\\d+"),
    ),
    ("pin must be 4 digits", _hint(pattern="^[0-9]{4}$")),
    # Lengths
    ("at least 8 characters", _hint(min_length=8)),
    ("size must be between 3 and 20", _hint(min_length=3, max_length=20)),
    ("length must be between 2 and 30", _hint(min_length=2, max_length=30)),
    ("is too short (minimum is 8 characters)", _hint(min_length=8)),
    ("is too long (maximum is 50 characters)", _hint(max_length=50)),
    ("Ensure this field has at least 8 characters.", _hint(min_length=8)),
    ("Ensure this field has no more than 10 characters.", _hint(max_length=10)),
    ("String should have at least 3 characters", _hint(min_length=3)),
    ("ensure this value has at most 5 characters", _hint(max_length=5)),
    ('"name" length must be at least 3 characters long', _hint(min_length=3)),
    (
        '"name" length must be less than or equal to 5 characters long',
        _hint(max_length=5),
    ),
    ("name must be longer than or equal to 4 characters", _hint(min_length=4)),
    ("name must be shorter than or equal to 9 characters", _hint(max_length=9)),
    ("must NOT have fewer than 3 characters", _hint(min_length=3)),
    ("must NOT have more than 10 characters", _hint(max_length=10)),
    ('"ab" is shorter than 3 characters', _hint(min_length=3)),
    ('"abcdef" is longer than 5 characters', _hint(max_length=5)),
    ("String must contain at least 5 character(s)", _hint(min_length=5)),
    (
        "The field Name must be a string with a minimum length of 6 and a maximum length of 20.",
        _hint(min_length=6, max_length=20),
    ),
    (
        "The field Name must be a string or array type with a minimum length of '3'.",
        _hint(min_length=3),
    ),
    ("must be exactly 2 characters", _hint(min_length=2, max_length=2)),
    (
        "password must be at least 8 characters and contain a digit and an upper-case letter",
        _hint(min_length=8, format="password"),
    ),
    # Ranges
    ("must be between 18 and 120", _hint(minimum=18, maximum=120)),
    ("must be greater than or equal to 1", _hint(minimum=1)),
    ("must be less than or equal to 10", _hint(maximum=10)),
    ("Input should be greater than 0", _hint(minimum=1)),
    ("Input should be less than 100", _hint(maximum=99)),
    ("ensure this value is greater than or equal to 5", _hint(minimum=5)),
    ("Ensure this value is less than or equal to 7.", _hint(maximum=7)),
    ("must be >= 3", _hint(minimum=3)),
    ("must be <= 4", _hint(maximum=4)),
    ('"age" must be larger than or equal to 1', _hint(minimum=1)),
    ("age must not be less than 21", _hint(minimum=21)),
    ("age must not be greater than 65", _hint(maximum=65)),
    ("The field Age must be between 1 and 99.", _hint(minimum=1, maximum=99)),
    ("-1 is less than the minimum of 0", _hint(minimum=0)),
    ("101 is greater than the maximum of 100", _hint(maximum=100)),
    ("Number must be greater than or equal to 5", _hint(minimum=5)),
    ("limit cannot exceed 100", _hint(maximum=100)),
    ("must be a positive integer", _hint(minimum=1)),
    ("must be greater than 0.5", _hint(minimum=0.51)),
    # Formats
    ("must be a well-formed email address", _hint(format="email")),
    ("Enter a valid email address.", _hint(format="email")),
    ("value is not a valid email address", _hint(format="email")),
    ("email must be an email", _hint(format="email")),
    ("Input should be a valid date or datetime, input is too short", _hint(format="date")),
    ("must be a valid date", _hint(format="date")),
    (
        "Date has wrong format. Use one of these formats instead: YYYY-MM-DD.",
        _hint(format="date"),
    ),
    ('"2024" is not a "date-time"', _hint(format="date-time")),
    ("startsAt must be a valid ISO 8601 date string", _hint(format="date-time")),
    ("must be a valid UUID", _hint(format="uuid")),
    ("id must be a UUID", _hint(format="uuid")),
    ('Cannot deserialize value of type `java.util.UUID` from String "a"', _hint(format="uuid")),
    ("Cannot make a value of type `java.time.OffsetDateTime`", _hint(format="date-time")),
    ('Cannot deserialize value of type `java.time.LocalDate` from "a"', _hint(format="date")),
    ("Cannot convert to required type 'java.net.URI'", _hint(format="uri")),
    ("Enter a valid URL.", _hint(format="uri")),
    ('"name" is not URL friendly', _hint(pattern=SLUG)),
    ("the key is not URL-safe", _hint(pattern=SLUG)),
    ("must be a valid slug", _hint(pattern=SLUG)),
    ("must be a valid URL", _hint(format="uri")),
    ("website must be a URL address", _hint(format="uri")),
    # Required
    ("is required", REQUIRED),
    ("Field required", REQUIRED),
    ("This field is required.", REQUIRED),
    ("The Name field is required.", REQUIRED),
    ("must not be null", REQUIRED),
    ("must not be blank", NOT_BLANK),
    ("can't be blank", NOT_BLANK),
    ("name should not be empty", NOT_BLANK),
    ('"name" is not allowed to be empty', NOT_BLANK),
    ("'name' is a required property", REQUIRED),
    ("must have required property 'name'", REQUIRED),
    ("Required request parameter 'page' for method parameter type int is not present", REQUIRED),
]

DEMANDS = [
    ("email 'a@b.c' is already taken by another user", UNIQUE),
    ("has already been taken", UNIQUE),
    ("user with this email already exists.", UNIQUE),
    ("must be unique", UNIQUE),
    ("username is already in use", UNIQUE),
    ('duplicate key value violates unique constraint "users_email_key"', UNIQUE),
    ("Invalid customer_id: must be a registered customer", EXISTING),
    ('Invalid pk "9" - object does not exist.', EXISTING),
    ("Invalid sku: there is no product 'ICE-1'", EXISTING),
    ("category not found", EXISTING),
    ("Extra inputs are not permitted", FORBIDDEN),
    ("property admin should not exist", FORBIDDEN),
    ("colour is not a known field", FORBIDDEN),
    ('"colour" is not allowed', FORBIDDEN),
]

RELATIONS = [
    ("is required when type is standard", _relation(Kind.REQUIRES, "type", value="standard")),
    (
        "company is required if account_type is 'business'",
        _relation(Kind.REQUIRES, "account_type", value="business"),
    ),
    ("phone_country is required if phone is given", _relation(Kind.REQUIRES, "phone")),
    ("The b field is required when card is present.", _relation(Kind.REQUIRES, "card")),
    ("Missing address for type order", _relation(Kind.REQUIRES, "type", value="order")),
    (
        '"a" missing required peer "b"',
        _relation(Kind.REQUIRES, "b", reverse=True),
    ),
    (
        "vat_id must be absent unless account_type is 'business'",
        _relation(Kind.ONLY_IF, "account_type", value="business"),
    ),
    (
        "discount is only allowed when plan is yearly",
        _relation(Kind.ONLY_IF, "plan", value="yearly"),
    ),
    ("must not be given together with card", _relation(Kind.NOT_WITH, "card")),
    ('"a" conflict with forbidden peer "b"', _relation(Kind.NOT_WITH, "b")),
    ("since must not be set when until is set", _relation(Kind.NOT_WITH, "until")),
    ("valid_from must be before valid_until", _relation(Kind.BEFORE, "valid_until")),
    ("end must be after start", _relation(Kind.AFTER, "start")),
    ('"max" must be greater than "ref:min"', _relation(Kind.AFTER, "min")),
    ("start cannot be after end", _relation(Kind.BEFORE, "end")),
    (
        "requiredFeature: must differ from sourceFeature 'x'",
        _relation(Kind.DIFFERENT, "sourceFeature"),
    ),
    ("confirmation must match password", _relation(Kind.EQUAL, "password")),
    ("either email or phone must be provided", _relation(Kind.ONE_OF, "email", "phone")),
    (
        '"value" must contain at least one of [email, phone]',
        _relation(Kind.ONE_OF, "email", "phone"),
    ),
]

NOTHING = [
    "",
    "Invalid Input",
    "Something went wrong",
    "Ungültige Eingabe",
    "入力が正しくありません",
    "order 12 is cancelled, not open",
    "Bad Request",
]


@pytest.mark.parametrize(("sentence", "values"), LISTS)
def test_lists(sentence: str, values: tuple[str, ...]) -> None:
    assert read(sentence).hint.allowed == values


@pytest.mark.parametrize(("sentence", "said"), [*HINTS, *DEMANDS, *RELATIONS])
def test_sentences(sentence: str, said: Said) -> None:
    assert read(sentence) == said


@pytest.mark.parametrize(
    ("sentence", "characters"),
    [
        ("name must only contain lowercase letters, numbers, and dashes.", "a-z0-9-"),
        ("Only alphanumeric characters, '-', '_' and '.' are allowed", "A-Za-z0-9_.-"),
        ("must consist of lower case alphanumerics, '-' or '.', and must begin so", "a-z0-9.-"),
        ("a slug consisting of letters, numbers, underscores or hyphens.", "A-Za-z0-9_-"),
        ("can only contain a-z, A-Z, 0-9 and spaces", "a-zA-Z0-9 "),
        ("must contain only uppercase letters", "A-Z"),
    ],
)
def test_characters(sentence: str, characters: str) -> None:
    assert read(sentence) == _hint(pattern=f"^[{characters}]+$")


@pytest.mark.parametrize(
    ("sentence", "pattern"),
    [
        ("may be made of [a-z0-9_] alone", "^[a-z0-9_]+$"),
        ("invalid name, allowed characters: [A-Za-z0-9-]", "^[A-Za-z0-9-]+$"),
        (
            "characters from [a-zA-Z0-9._-], starting and ending with a character in [a-zA-Z0-9]",
            "^[A-Za-z0-9][a-zA-Z0-9._-]*[A-Za-z0-9]$",
        ),
        (
            "must consist of lower case alphanumerics or '-', and must start and end with a letter",
            "^[a-z][a-z0-9-]*[a-z]$",
        ),
        (
            "must start with a letter and contain only letters, digits and underscores",
            "^[A-Za-z][A-Za-z0-9_]*$",
        ),
        (
            "can only contain lowercase letters and hyphens, and not begin or end with a hyphen",
            "^[a-z][a-z-]*[a-z]$",
        ),
        ("must not contain [A-Z]", None),
        ("must start with [a-z]", None),
    ],
)
def test_first_and_last_characters(sentence: str, pattern: str | None) -> None:
    assert read(sentence).hint.pattern == pattern


def test_characters_and_how_many_of_them() -> None:
    found = read("Expected 3-512 characters from [a-z0-9]")
    assert found == _hint(pattern="^[a-z0-9]+$", min_length=3, max_length=512)


@pytest.mark.parametrize("sentence", NOTHING)
def test_what_says_nothing(sentence: str) -> None:
    assert read(sentence) == Said()


def test_examples() -> None:
    assert read("must be a currency, e.g. EUR").examples == ("EUR",)


def test_a_dependency_on_what_is_no_input_is_none() -> None:
    said = read("must be before closing", lambda name: name == "until")
    assert said.relations == ()


def test_elements_are_not_characters() -> None:
    assert read("must have at least 2 elements") == Said()


def test_a_contradiction_is_not_believed() -> None:
    assert read("must be at least 9 and at most 3").hint == Hint()


def test_very_long_texts_are_cut() -> None:
    assert read("must be one of [" + ", ".join(f"v{n}" for n in range(10_000))).hint.allowed
