"""Authentication: credentials chosen by what the document declares, renewed when they expire."""

from __future__ import annotations

import asyncio
import shlex
import time
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from icepick.errors import Code, ExecuteError
from icepick.execute.transport.credentials import Credential, carries, signed
from icepick.execute.transport.limits import Clock
from icepick.execute.transport.login import (
    Denial,
    Login,
    OAuth2,
    Send,
    Source,
    command_source,
    login_source,
    oauth2_source,
)
from icepick.execute.transport.placements import api_key, bad_auth, placement
from icepick.execute.transport.secrets import Secrets
from icepick.execute.types import Reply, Request
from icepick.openapi.types import SecurityScheme

_AGAIN = 5.0


class Authenticator(Protocol):
    """Adds credentials to requests, and gets new ones when they are refused."""

    @property
    def trouble(self) -> str | None:
        """Why the last renewal in the middle of a run did not work; None where it did."""

    async def start(self, send: Send, secrets: Secrets) -> None:
        """Sign in for the first time; ExecuteError where that does not work."""

    async def apply(self, request: Request) -> Request:
        """The request with credentials; the request itself where it has its own."""

    async def refresh(self, sent: Request) -> bool:
        """Whether there are other credentials by now than those that `sent` was refused with."""


@dataclass(frozen=True, slots=True)
class AuthOptions:
    """What a person says about credentials: one way to sign in, and any number of API keys.

    An API key is `KEY`, `SCHEME=KEY` with a scheme of the document, or `header:NAME=KEY` with
    header, query or cookie. `send_as` says how a token travels: `bearer`, or `header:NAME`.
    """

    basic: str | None = None
    token: str | None = None
    api_keys: tuple[str, ...] = ()
    login: Login | None = None
    oauth2: OAuth2 | None = None
    command: str | None = None
    send_as: str | None = None


def auth_for(schemes: Mapping[str, SecurityScheme], options: AuthOptions) -> Authenticator | None:
    """The way to authenticate; None where nothing is given, UsageError where it makes no sense."""
    keys = [api_key(text, schemes) for text in options.api_keys]
    parts: list[Authenticator] = [FixedAuth(key, _texts(key)) for key in keys]
    main = _main(schemes, options)
    if main is not None:
        parts.append(main)
    if len(parts) < 2:
        return parts[0] if parts else None
    return JoinedAuth(tuple(parts))


def _texts(credential: Credential) -> tuple[str, ...]:
    pairs = (*credential.headers, *credential.query, *credential.cookies)
    return tuple(value for _, value in pairs)


class FixedAuth:
    """Credentials that never change."""

    trouble: str | None = None

    def __init__(self, credential: Credential, secrets: tuple[str, ...]) -> None:
        self._credential = credential
        self._secrets = secrets

    async def start(self, send: Send, secrets: Secrets) -> None:  # noqa: ARG002 (as in Authenticator)
        """Nothing to do but to keep them secret."""
        secrets.add(*self._secrets)
        for name, _ in self._credential.headers:
            secrets.add_header(name)

    async def apply(self, request: Request) -> Request:
        """The request with them."""
        return signed(request, self._credential)

    async def refresh(self, sent: Request) -> bool:  # noqa: ARG002 (as in Authenticator)
        """There are no others."""
        return False


class RenewedAuth:
    """Credentials from a source, renewed before they expire and when they are refused.

    However many senders are refused at once, one signs in and the others wait for it.
    """

    def __init__(
        self, source: Source, secrets: tuple[str, ...] = (), clock: Clock = time.monotonic
    ) -> None:
        self._source = source
        self._given = secrets
        self._clock = clock
        self._lock = asyncio.Lock()
        self._attempts = 0
        self._credential = Credential()
        self._due: float | None = None
        self._send: Send | None = None
        self._secrets = Secrets()
        self.trouble: str | None = None

    async def start(self, send: Send, secrets: Secrets) -> None:
        """Sign in; ExecuteError where that does not work."""
        self._send, self._secrets = send, secrets
        secrets.add(*self._given)
        denial = await self._renew()
        if denial is not None:
            message = f"signing in did not work: {secrets.mask(denial.message)}"
            raise ExecuteError(Code.SIGN_IN_FAILED, message, hint=denial.hint)

    async def apply(self, request: Request) -> Request:
        """The request with credentials that are still good."""
        if self._due is not None and self._clock() >= self._due:
            await self._renewed()
        return signed(request, self._credential)

    async def refresh(self, sent: Request) -> bool:
        """Sign in again, unless somebody else has done so since."""
        if self._carries(sent):
            await self._renewed()
        return not self._carries(sent)

    async def _renewed(self) -> None:
        """Renew once for all who ask at the same time, whether it works or not."""
        seen = self._attempts
        async with self._lock:
            if self._attempts == seen:
                denial = await self._renew()
                self.trouble = self._secrets.mask(denial.message) if denial else None

    async def _renew(self) -> Denial | None:
        if self._send is None:
            raise RuntimeError("start() comes first")
        outcome = await self._source(self._send)
        self._attempts += 1
        if isinstance(outcome, Denial):
            self._due = self._clock() + _AGAIN if self._due is not None else None
            return outcome
        self._secrets.add(*outcome.secrets)
        for name, _ in outcome.credential.headers:
            self._secrets.add_header(name)
        self._credential = outcome.credential
        life = outcome.lifetime
        self._due = None if life is None else self._clock() + max(0.9 * life, life - 30)
        return None

    def _carries(self, sent: Request) -> bool:
        return carries(sent, self._credential)


class JoinedAuth:
    """Several credentials on every request, such as an API key beside a token."""

    def __init__(self, parts: tuple[Authenticator, ...]) -> None:
        self._parts = parts

    @property
    def trouble(self) -> str | None:
        """The trouble of the first that has any."""
        return next((part.trouble for part in self._parts if part.trouble is not None), None)

    async def start(self, send: Send, secrets: Secrets) -> None:
        """Sign in with each, the earlier ones in use already."""
        for number, part in enumerate(self._parts):
            await part.start(_signing(self._parts[:number], send), secrets)

    async def apply(self, request: Request) -> Request:
        """The request with all of them."""
        for part in self._parts:
            request = await part.apply(request)
        return request

    async def refresh(self, sent: Request) -> bool:
        """Whether any of them is another one by now."""
        return any([await part.refresh(sent) for part in self._parts])


def _signing(parts: tuple[Authenticator, ...], send: Send) -> Send:
    async def deliver(request: Request) -> Reply:
        for part in parts:
            request = await part.apply(request)
        return await send(request)

    return deliver


def _main(schemes: Mapping[str, SecurityScheme], options: AuthOptions) -> Authenticator | None:
    ways = (options.basic, options.token, options.login, options.oauth2, options.command)
    if sum(way is not None for way in ways) > 1:
        message = "there is more than one way to sign in"
        raise bad_auth(
            message, "give a password, a token, a login, OAuth 2 or a command, not several"
        )
    if options.basic is not None:
        return _basic(options.basic)
    place = placement(schemes, options.send_as)
    if options.token is not None:
        token = options.token.removeprefix("Bearer ").strip()
        return FixedAuth(place.credential(token), (token,))
    if options.login is not None:
        return RenewedAuth(login_source(options.login, place), options.login.secrets)
    if options.oauth2 is not None:
        known = tuple(filter(None, (options.oauth2.client_secret, options.oauth2.password)))
        return RenewedAuth(oauth2_source(options.oauth2, place), known)
    if options.command is not None:
        return RenewedAuth(command_source(_checked(options.command), place))
    return None


def _checked(command: str) -> str:
    try:
        if shlex.split(command):
            return command
    except ValueError as error:
        message = f"the command for the token cannot be read: {error}"
        raise bad_auth(message, "pair its quotes") from error
    raise bad_auth("the command for the token is empty", "name a program that prints the token")


def _basic(pair: str) -> Authenticator:
    _, colon, password = pair.partition(":")
    if not colon:
        raise bad_auth("user and password are not of the form USER:PASSWORD", "put a colon between")
    coded = b64encode(pair.encode()).decode()
    headers = (("Authorization", f"Basic {coded}"),)
    return FixedAuth(Credential(headers), (password, coded))
