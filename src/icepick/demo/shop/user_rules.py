"""What a user must fulfil beyond the schema; the messages are all that callers learn of it."""

from __future__ import annotations

from icepick.demo.shop.types import JsonObject
from icepick.demo.shop.validation import Rule

GENDERS = ("female", "male", "diverse")


def _required(field: str) -> Rule:
    return Rule(field, (), f"{field} is required", lambda user: field not in user)


def _required_with(field: str, other: str) -> Rule:
    message = f"{field} is required if {other} is given"
    return Rule(field, (other,), message, lambda user: other in user and field not in user)


def _only_for_business(field: str) -> Rule:
    message = f"{field} must be absent unless account_type is 'business'"
    return Rule(
        field,
        ("account_type",),
        message,
        lambda user: field in user and user["account_type"] != "business",
    )


def _has_weak_password(user: JsonObject) -> bool:
    password = user.get("password")
    if password is None:
        return False
    has_digit = any(letter.isdecimal() for letter in password)
    return len(password) < 8 or not has_digit or not any(map(str.isupper, password))


def _ends_before_it_starts(user: JsonObject) -> bool:
    both = "valid_from" in user and "valid_until" in user
    return both and bool(user["valid_from"] >= user["valid_until"])


RULES = (
    _required("email"),
    _required("password"),
    _required("gender"),
    Rule(
        "password",
        (),
        "password must be at least 8 characters and contain a digit and an upper-case letter",
        _has_weak_password,
    ),
    Rule(
        "gender",
        (),
        f"gender must be one of [{', '.join(GENDERS)}]",
        lambda user: user.get("gender", GENDERS[0]) not in GENDERS,
    ),
    Rule(
        "age",
        (),
        "age must be between 18 and 120",
        lambda user: not 18 <= user.get("age", 18) <= 120,
    ),
    _required_with("phone_country", "phone"),
    _required_with("city", "postal_code"),
    _required_with("country", "city"),
    Rule(
        "company",
        ("account_type",),
        "company is required if account_type is 'business'",
        lambda user: user["account_type"] == "business" and "company" not in user,
    ),
    _only_for_business("vat_id"),
    _only_for_business("discount"),
    Rule(
        "newsletter_frequency",
        ("newsletter",),
        "newsletter_frequency must be absent unless newsletter is true",
        lambda user: "newsletter_frequency" in user and user["newsletter"] is not True,
    ),
    Rule(
        "valid_from",
        ("valid_until",),
        "valid_from must be before valid_until",
        _ends_before_it_starts,
    ),
)
