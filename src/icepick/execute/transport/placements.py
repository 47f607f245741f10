"""Where a token or an API key goes: as a person says, or as the document declares."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from icepick.errors import Code, UsageError
from icepick.execute.transport.credentials import Credential, Placement
from icepick.openapi.types import ParameterLocation, SecurityKind, SecurityScheme

_STATED = re.compile(r"(header|query|cookie):([^=\s]+)(?:=(.*))?", re.DOTALL)
_TOKENS = (SecurityKind.BEARER, SecurityKind.OAUTH2, SecurityKind.OPENID)
_BEARER = Placement(ParameterLocation.HEADER, "Authorization", "Bearer ")


def placement(schemes: Mapping[str, SecurityScheme], send_as: str | None) -> Placement:
    """Where a token goes: as stated, as the document declares, or else as a bearer token."""
    if send_as is not None:
        return _stated(send_as)
    found = list(schemes.values())
    if any(scheme.kind in _TOKENS for scheme in found):
        return _BEARER
    for scheme in found:
        if scheme.kind is SecurityKind.API_KEY and (place := _place(scheme)) is not None:
            return _BEARER if place.name.lower() == "authorization" else place
        if scheme.kind is SecurityKind.HTTP and scheme.scheme:
            return replace(_BEARER, prefix=f"{scheme.scheme.capitalize()} ")
    return _BEARER


def api_key(text: str, schemes: Mapping[str, SecurityScheme]) -> Credential:
    """The API key that a person gives, in its place."""
    # Messages never repeat the text: most of it is a secret.
    stated = _STATED.fullmatch(text)
    if stated is not None and stated[3]:
        return _stated(f"{stated[1]}:{stated[2]}").credential(stated[3])
    places = {
        name: place
        for name, scheme in schemes.items()
        if scheme.kind is SecurityKind.API_KEY and (place := _place(scheme)) is not None
    }
    for name, place in places.items():
        if text.startswith(f"{name}=") and len(text) > len(name) + 1:
            return place.credential(text[len(name) + 1 :])
    different = list(dict.fromkeys(places.values()))
    if len(different) == 1:
        return different[0].credential(text)
    if different:
        message = f"the document declares {len(different)} API keys: {', '.join(places)}"
        raise bad_auth(message, f"say which one is meant: {next(iter(places))}=KEY")
    message = "the document declares no API key, so nobody says where it goes"
    raise bad_auth(message, "say it: header:NAME=KEY, query:NAME=KEY or cookie:NAME=KEY")


def _place(scheme: SecurityScheme) -> Placement | None:
    if scheme.location in {None, ParameterLocation.PATH} or not scheme.parameter:
        return None
    return Placement(scheme.location or ParameterLocation.HEADER, scheme.parameter)


def _stated(text: str) -> Placement:
    if text.lower() == "bearer":
        return _BEARER
    found = _STATED.fullmatch(text)
    if found is None:
        message = f"{text!r} is no way to send a token"
        raise bad_auth(message, "say bearer, header:NAME, query:NAME or cookie:NAME")
    return Placement(ParameterLocation(found[1]), found[2], found[3] or "")


def bad_auth(message: str, hint: str) -> UsageError:
    """What a person said about credentials makes no sense."""
    return UsageError(Code.BAD_AUTH, message, hint=hint)
