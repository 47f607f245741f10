"""Tokens in answers: where they stand, and for how long they are good."""

from __future__ import annotations

import binascii
import json
import time
from base64 import urlsafe_b64decode
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from http.cookies import CookieError, SimpleCookie

from icepick.execute.transport.credentials import Pairs
from icepick.execute.types import Response
from icepick.openapi.source import path_of
from icepick.openapi.types import ABSENT, Json

_DEEPEST = 4
# Names in lower case, without - and _, the likeliest first.
_NAMES = (
    *("accesstoken", "token", "jwt", "idtoken", "authtoken", "bearertoken", "bearer"),
    *("sessiontoken", "sessionid", "apikey", "key"),
)
_LIFETIMES = ("expiresin", "expires", "ttl")
_DEADLINES = ("expiresat", "expiry", "expiration", "expirationtimestamp", "exp")


def token_in(response: Response, pointer: str | None) -> str | None:
    """The token in an answer: where the pointer says, or else by its usual names and places."""
    value = json_in(response.body)
    if pointer is not None:
        found = _at(value, pointer)
        return str(found) if isinstance(found, str | int) and found != "" else None
    named = next(tokens_in(value), None)
    if named is not None:
        return named
    scheme, _, token = (response.header("Authorization") or "").partition(" ")
    return token if scheme.lower() == "bearer" and token else None


def session_cookies(response: Response) -> Pairs:
    """The cookies that an answer sets."""
    jar: dict[str, str] = {}
    for name, value in response.headers:
        if name.lower() == "set-cookie":
            try:
                jar.update({key: morsel.coded_value for key, morsel in SimpleCookie(value).items()})
            except CookieError:
                continue
    return tuple((key, value) for key, value in jar.items() if value)


def lifetime(value: Json, token: str) -> float | None:
    """For how many seconds a token is good, by what the answer or the token itself says."""
    now = time.time()
    for name, found in _members(value):
        if name in _LIFETIMES and _positive(found):
            return float(found)
        if name in _DEADLINES and (until := _moment(found)) is not None and until > now:
            return until - now
    claims = _claims(token)
    if _positive(claims.get("exp")):
        begun = claims["iat"] if _positive(claims.get("iat")) else now
        return max(0.0, float(claims["exp"]) - begun) or None
    return None


def _positive(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0


def _moment(value: Json) -> float | None:
    if _positive(value):
        return float(value)
    try:
        date = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    if date is None:
        return None
    return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()


def _claims(token: str) -> Mapping[str, Json]:
    """What a JSON Web Token says of itself; nothing where the token is something else."""
    parts = token.split(".")
    if len(parts) != 3:
        return {}
    try:
        value = json.loads(urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
    except (ValueError, binascii.Error, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def json_in(text: bytes) -> Json:
    """The JSON that a text is; ABSENT where it is something else."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return ABSENT


def _at(value: Json, pointer: str) -> Json:
    for key in path_of("/" + pointer.lstrip("/")) if pointer.strip("/") else ():
        if isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        elif isinstance(value, dict) and key in value:
            value = value[key]
        else:
            return ABSENT
    return value


def tokens_in(value: Json) -> Iterator[str]:
    """The texts that look like a token, the likeliest first; an answer may be nothing else."""
    if isinstance(value, str) and value and not any(char.isspace() for char in value):
        yield value
    found = [(name, text) for name, text in _members(value) if isinstance(text, str) and text]
    for wanted in _NAMES:
        yield from (text for name, text in found if name == wanted)


def _members(value: Json) -> Iterator[tuple[str, Json]]:
    """All members of nested objects, the outermost first, their names made alike."""
    level = [value]
    for _ in range(_DEEPEST):
        objects = [each for each in level if isinstance(each, dict)]
        for each in objects:
            for key, item in each.items():
                yield key.lower().replace("-", "").replace("_", ""), item
        level = [item for each in objects for item in each.values()]
