"""Which operations let somebody in."""

from __future__ import annotations

import pytest

from icepick.resources.signing import signs_in
from tests.resources.conftest import Read
from tests.resources.documents import TEXT, obj, op


@pytest.mark.parametrize(
    ("operation", "fields", "expected"),
    [
        ("POST /auth/login", ("email", "password"), True),
        ("POST /sessions", ("userName", "userPassword"), True),
        ("POST /log-in", ("name", "pin"), True),
        ("POST /oauth/token", ("username", "password", "grant_type"), True),
        ("POST /users", ("email", "password"), False),
        ("POST /users/login", ("email",), False),
        ("POST /vault/items", ("name", "secret"), False),
    ],
)
def test_signs_in(read: Read, operation: str, fields: tuple[str, ...], *, expected: bool) -> None:
    spec = read({operation: op(obj(**dict.fromkeys(fields, TEXT)), obj())})
    assert signs_in(spec.operations[0], spec.schemas) is expected
