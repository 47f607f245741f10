"""Operations that let somebody in: they take a name with a secret, for a token or a session."""

from __future__ import annotations

from itertools import pairwise

from icepick.openapi.shape import Schemas
from icepick.openapi.types import Operation
from icepick.resources.fields import inputs
from icepick.resources.words import words

_DOORS = frozenset(
    {"auth", "authenticate", "authentication", "authorize", "login", "logins", "session",
     "sessions", "signin", "token", "tokens"}
)  # fmt: skip
_TWO_WORDS = frozenset({("log", "in"), ("sign", "in")})
_SECRETS = frozenset({"passphrase", "passwd", "password", "pin", "pwd", "secret"})
_PEOPLE = frozenset(
    {"account", "email", "handle", "id", "identifier", "login", "mail", "mobile", "name", "nick",
     "nickname", "phone", "user", "username"}
)  # fmt: skip


def names_somebody(name: str) -> bool:
    """Whether a field is called like one that says who somebody is."""
    return bool(_PEOPLE & set(words(name)))


def signs_in(operation: Operation, schemas: Schemas) -> bool:
    """Whether a call takes the secret of somebody to let them in."""
    fixed = (part for part in operation.path.split("/") if "{" not in part)
    said = [words(text) for text in (*fixed, operation.id)]
    taken = (words(field.path[-1]) for field in inputs(operation, schemas))
    is_door = any(_DOORS & set(one) or _TWO_WORDS & set(pairwise(one)) for one in said)
    return is_door and any(_SECRETS & set(one) for one in taken)
