"""The law of sessions: who has signed out is not let in any more."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from icepick.execute.events import PhaseStarted
from icepick.execute.findings.suspicion import fingerprint
from icepick.execute.phases import Stage
from icepick.execute.transport.client import Client
from icepick.execute.transport.credentials import Credential, signed
from icepick.execute.transport.login import Denial, Grant, Login, login_source
from icepick.execute.transport.placements import placement
from icepick.execute.transport.secrets import Secrets
from icepick.execute.types import (
    Complaint,
    Exchange,
    Finding,
    Judged,
    Provenance,
    Purpose,
    Reply,
    Request,
    Verdict,
)
from icepick.inputs import Case
from icepick.openapi.types import ApiSpec, Operation
from icepick.resources.fields import json_media
from icepick.resources.words import words

SESSIONS = "sessions"
_LEAVING = ("logout", "signout", "logoff", "signoff")
_REFUSED = frozenset({401, 403})
_LAW = "credentials that were given back are refused"
_MOST_PROBES = 5
_PAUSES = (0.0, 0.5, 2.0)
"""A service may need a moment until all of it has heard that somebody left."""


@dataclass(frozen=True, slots=True)
class Door:
    """How one comes in and out, and calls that only those inside may make."""

    enter: Operation
    logins: tuple[Login, ...]
    leave: Operation
    probes: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class SignIn:
    """What a person said about signing in, and where secrets are kept from being shown."""

    login: Login | None = None
    send_as: str | None = None
    examples: bool = True
    """Whether those of the document may be tried: who signs out may end the session of others."""
    secrets: Secrets = field(default_factory=Secrets)


class Sessions:
    """Signs in a second time, signs out, and tries the same credentials again.

    The run goes on with credentials of its own. A token that says itself until when it is good
    needs no service to remember it, so nothing can be given back and nothing is held against it.
    """

    def __init__(self, spec: ApiSpec, client: Client, base: str, sign_in: SignIn) -> None:
        self._client = client
        self._secrets = sign_in.secrets
        self._place = placement(spec.security_schemes, sign_in.send_as)
        self._door = door(spec, base, sign_in)

    async def run(self, stage: Stage) -> None:
        """Look twice, with new credentials each time: only what repeats counts."""
        if self._door is None:
            return
        stage.tell(PhaseStarted(SESSIONS))
        for login in self._door.logins:
            shown = await self._let_in(self._door, login)
            if shown and await self._let_in(self._door, login):
                stage.found(_finding(self._door, shown))
                return

    async def _let_in(self, door: Door, login: Login) -> tuple[Exchange, ...]:
        """The exchanges that show credentials to be good after they were given back."""
        grant, entered = await self._entered(door, login)
        if grant is None or _says_when(grant):
            return ()
        inside = await self._inside(door, grant)
        if inside is None:
            return ()
        probe, before = inside
        left = await self._as(grant.credential, door.leave)
        if left.status is None or not 200 <= left.status < 300:
            return ()
        for pause in _PAUSES:
            await asyncio.sleep(pause)
            after = await self._as(grant.credential, probe)
            if after.status != before.status:
                return ()
        return (*entered, before, left, after)

    async def _inside(self, door: Door, grant: Grant) -> tuple[Operation, Exchange] | None:
        """A call that is made for these credentials, and for no others."""
        for probe in door.probes:
            stranger = await self._as(_garbled(grant.credential), probe)
            if stranger.status not in _REFUSED:
                continue
            before = await self._as(grant.credential, probe)
            if before.status is not None and 200 <= before.status < 300:
                return probe, before
        return None

    async def _entered(self, door: Door, login: Login) -> tuple[Grant | None, list[Exchange]]:
        exchanges: list[Exchange] = []

        async def send(request: Request) -> Reply:
            exchanges.append(await self._client.exchange(request, Purpose.CALL, door.enter.id))
            return exchanges[-1].reply

        grant = await login_source(login, self._place)(send)
        if isinstance(grant, Denial):
            return None, exchanges
        self._secrets.add(*grant.secrets)
        for name, _ in grant.credential.headers:
            self._secrets.add_header(name)
        return grant, exchanges

    async def _as(self, credential: Credential, operation: Operation) -> Exchange:
        request = signed(self._client.request(Case(operation)), credential)
        return await self._client.exchange(request, Purpose.CALL, operation.id)


def door(spec: ApiSpec, base: str, sign_in: SignIn) -> Door | None:
    """The way in and out, where the document shows one; None where it does not."""
    guarded = [one for one in spec.operations if one.security and _is_bare(one)]
    probes = tuple(one for one in guarded if one.method == "GET" and not _is_way_out(one))
    for enter in spec.operations:
        logins = tuple(_logins(enter, base, sign_in))
        leave = next((one for one in guarded if _leaves(one, enter)), None)
        if logins and leave is not None and probes:
            return Door(enter, logins, leave, probes[:_MOST_PROBES])
    return None


def _logins(operation: Operation, base: str, sign_in: SignIn) -> Iterator[Login]:
    """What is known to sign in by this operation: what a person said, and the examples."""
    url, login = base + operation.path, sign_in.login
    if login is not None and (login.method, login.url) == (operation.method, url):
        yield login
    media = json_media(operation.request_body)
    open_to_all = operation.method == "POST" and not operation.security
    if sign_in.examples and open_to_all and media is not None:
        for body in media.examples:
            if isinstance(body, Mapping):
                yield Login(url, body)


def _is_bare(operation: Operation) -> bool:
    """Whether a call takes nothing but credentials."""
    body = operation.request_body
    asked = any(one.required for one in operation.parameters)
    return "{" not in operation.path and not asked and not (body is not None and body.required)


def _is_way_out(operation: Operation) -> bool:
    last = operation.path.rstrip("/").rpartition("/")[2]
    return any(word in "".join(words(text)) for text in (operation.id, last) for word in _LEAVING)


def _leaves(operation: Operation, enter: Operation) -> bool:
    below = operation.method == "DELETE" and operation.path.startswith(enter.path)
    return below or _is_way_out(operation)


def _says_when(grant: Grant) -> bool:
    """Whether the credentials are a JSON Web Token: three parts, the first of them an object."""
    return any(text.count(".") == 2 and text.startswith("eyJ") for text in grant.secrets)


def _garbled(credential: Credential) -> Credential:
    """Credentials of the same form that are nobody's."""

    def pairs(given: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        return tuple((name, _reversed(value)) for name, value in given)

    return Credential(pairs(credential.headers), pairs(credential.query), pairs(credential.cookies))


def _reversed(value: str) -> str:
    scheme, space, token = value.rpartition(" ")
    return scheme + space + token[::-1]


def _finding(door: Door, shown: tuple[Exchange, ...]) -> Finding:
    last, name = shown[-1], door.leave.id
    probe = next(one for one in door.probes if one.id == last.operation)
    text = f"{probe.label} answered {last.status} to credentials that {name} had given back"
    numbers = tuple(one.number for one in shown)
    complaint = Complaint(
        SESSIONS, Verdict.ERR, _LAW, text, Provenance.LAW, name, exchanges=numbers
    )
    steps = tuple(
        Judged(
            one.operation or "", one.operation or "", one.operation or "", SESSIONS,
            Verdict.ERR if one is last else Verdict.OK, "", (complaint,) if one is last else (),
            one,
        )
        for one in shown
    )  # fmt: skip
    return Finding(
        fingerprint((SESSIONS, name, SESSIONS, "")), 0, Verdict.ERR, text, name,
        f"{name} ({SESSIONS})", name, last.status, complaint, steps, len(steps),
    )  # fmt: skip
