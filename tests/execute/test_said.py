"""What a service says when it refuses, in one line."""

from __future__ import annotations

from typing import Any

import pytest

from icepick.execute.said import refusal_text
from icepick.glacier import Answer
from icepick.openapi.types import ABSENT


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (ABSENT, ""),
        ("  no  way ", ": no way"),
        ({"message": "full"}, ": full"),
        (
            {"errors": [{"message": "Invalid.", "extensions": {"code": "X"}}, {"message": "Odd."}]},
            ": Invalid.; Odd.",
        ),
        (
            {"detail": [{"loc": ["body", "age"], "msg": "field required", "type": "missing"}]},
            ": body.age: field required",
        ),
        (
            {"message": "validation error", "validation_errors": [{"message": "'a' is too short"}]},
            ": validation error; 'a' is too short",
        ),
        ({"code": 7}, ': {"code": 7}'),
        ({"error": "Bad Request", "errorDescription": "no image"}, ": no image"),
        ({"title": "Conflict", "error_message": "taken", "book_title": "x"}, ": taken"),
        ({"message": "Not Found", "code": 7}, ": Not Found"),
    ],
)
def test_the_words_rather_than_the_form(body: Any, text: str) -> None:
    assert refusal_text(Answer(400, {}, body)) == text
