"""Models of services that want a token: log in first, and send the token with every call."""

from __future__ import annotations

from dataclasses import dataclass, replace

from icepick.openapi.shape import properties
from icepick.openapi.types import ApiSpec, MediaType, Operation, SecurityKind
from icepick.protocol.tree import (
    Argument,
    Declared,
    External,
    Internal,
    Literal,
    Receive,
    Recursion,
    Send,
    Session,
    Type,
)
from icepick.resources.fields import json_media, success
from icepick.resources.words import words

TOKEN = "token"  # noqa: S105 - the name of a variable
_TOKENS = ({"token"}, {"access", "token"}, {"auth", "token"}, {"jwt"}, {"id", "token"})
_BEARER = {SecurityKind.BEARER, SecurityKind.OAUTH2, SecurityKind.OPENID}


@dataclass(frozen=True, slots=True)
class Login:
    """The call that gives a token, with its values as far as an example of the document tells."""

    operation: Operation
    status: str
    field: str
    arguments: tuple[Argument, ...]


def login_of(spec: ApiSpec) -> Login | None:
    """How to log in, where the document shows one way."""
    for operation in spec.operations:
        response = success(operation)
        media = json_media(response)
        body = json_media(operation.request_body)
        if needs_token(operation, spec) or operation.method != "POST" or not media or not body:
            continue
        fields = properties(media.schema, spec.schemas)
        field = next((name for name in fields if set(words(name)) in _TOKENS), None)
        if field is not None and response is not None and response.status.isdecimal():
            return Login(operation, response.status, field, _said(body))
    return None


def _said(body: MediaType) -> tuple[Argument, ...]:
    example = next((one for one in body.examples if isinstance(one, dict)), {})
    return tuple(
        Argument(None, None, Literal(value), f"body.{name}") for name, value in example.items()
    )


def needs_token(operation: Operation, spec: ApiSpec) -> bool:
    """Whether every way to call an operation has a token."""
    schemes = spec.security_schemes
    kinds = [{schemes[name].kind for name in one if name in schemes} for one in operation.security]
    return bool(kinds) and all(kind & _BEARER for kind in kinds)


def with_login(session: Session, login: Login, spec: ApiSpec) -> Session:
    """The session after a login, with the token in every call that needs it."""
    needy = {one.id for one in spec.operations if needs_token(one, spec)}
    variable = Declared(TOKEN, Type("String"), f"body.{login.field}")
    answer = Receive(login.status, (variable,), (), _signed(session, needy))
    return Internal((Send(login.operation.id, login.arguments, External((answer,))),))


def _signed(session: Session, needy: set[str]) -> Session:
    match session:
        case Internal(branches=sends):
            return replace(session, branches=tuple(_with_token(one, needy) for one in sends))
        case External(branches=receives):
            then = tuple(replace(one, then=_signed(one.then, needy)) for one in receives)
            return replace(session, branches=then)
        case Recursion(body=body):
            return replace(session, body=_signed(body, needy))
    return session


def _with_token(send: Send, needy: set[str]) -> Send:
    token = (Argument(TOKEN),) if send.operation in needy else ()
    return replace(send, arguments=(*token, *send.arguments), then=_signed(send.then, needy))
