"""Operations by which whoever calls may lose the way in: signing out, secrets, the own account."""

from __future__ import annotations

import re

from icepick.resources.fields import inputs
from icepick.resources.wording import Wording
from icepick.resources.words import words

_TOKENS = "tokens?|keys?|api ?keys?|secrets?|credentials?"
_OUT = re.compile(
    r"(?:log|sign) ?(?:out|off)(?: (?:all|everywhere|everyone|others))?"
    r"(?: (?:sessions|devices|users))?"
)
_SAYS_OUT = re.compile(r"^(?:user )?(?:log|sign)s? ?(?:out|off)\b|^(?:delete |post )?logout\b")
_TURN = re.compile(r"\b(?:rotate|reset|revoke|regenerate|invalidate|reissue|roll)[sd]?\b")
_PASSWORD = re.compile(r"\b(?:change|reset|forgot|forgotten|recover|update|set)\w*\b.*\bpassword\b")
_TWO_FACTOR = re.compile(r"\b(?:tfa|2 ?fa|mfa|otp|totp|two factor)\b")
ME = frozenset({"me", "self", "myself"})
_CALLER = frozenset({*ME, "current user", "current account", "auth", "authentication", "whoami"})
_ALONE_CALLER = re.compile("user|(?:my |user )?(?:account|profile)|login")
_OWN = frozenset({"password", "role", "roles", "status", "token", "email", "username", "admin"})


def signs_out(call: Wording) -> bool:
    """Whether a call ends the session that it is made in."""
    if call.is_called(_OUT):
        return True
    return call.changes and not call.has_holes and call.says(_SAYS_OUT)


def _is_about_me(call: Wording) -> bool:
    """Whether the last fixed part is the caller: `/users/me`, `/auth`, `/user` beside no others."""
    return not call.has_holes and (call.last in _CALLER or call.is_called(_ALONE_CALLER))


def changes_me(call: Wording) -> bool:
    """Whether a call changes what decides who the caller is and may do."""
    method = call.operation.method
    if not _is_about_me(call) or method not in {"PUT", "PATCH", "DELETE"}:
        return False
    fields = inputs(call.operation, call.schemas)
    named = {word for field in fields for word in words(field.name)}
    return method == "DELETE" or not fields or bool(named & _OWN)


def turns_secret(call: Wording) -> bool:
    """Whether a call makes a token or key of the caller another one."""
    if call.has_holes or not call.changes:
        return False
    mine = bool(ME & set(call.parts[:-1])) or call.parts[-2:-1] == ("user",)
    named = re.fullmatch(rf"(?:\w+ )?(?:{_TOKENS})", call.last) is not None
    text = f"{' '.join(call.parts)} {call.said}"
    turned = _TURN.search(text) is not None and re.search(rf"\b(?:{_TOKENS})\b", text) is not None
    return turned or (named and mine)


def touches_password(call: Wording) -> bool:
    """Whether a call is about a password."""
    if call.has_holes or not call.changes or call.is_collection:
        return False
    return "password" in " ".join(call.parts).split() or call.says(_PASSWORD)


def touches_two_factor(call: Wording) -> bool:
    """Whether a call is about a second factor for signing in."""
    return call.changes and not call.has_holes and bool(_TWO_FACTOR.search(" ".join(call.parts)))
