"""Where tokens come from: a login operation, an OAuth 2 endpoint, a command."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
from base64 import b64encode
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from icepick.errors import Code, UsageError
from icepick.execute.transport.credentials import Credential, Placement
from icepick.execute.transport.tokens import json_in, lifetime, session_cookies, token_in, tokens_in
from icepick.execute.types import Failure, Headers, Reply, Request, Response
from icepick.openapi.types import Json, Operation

Send = Callable[[Request], Awaitable[Reply]]

_LONGEST_ANSWER = 200
_NO_FORM = frozenset({400, 415, 422})


@dataclass(frozen=True, slots=True)
class Grant:
    """A credential, the secret texts in it, and for how many seconds it is good, where known."""

    credential: Credential
    secrets: tuple[str, ...]
    lifetime: float | None = None


@dataclass(frozen=True, slots=True)
class Denial:
    """Why there is no credential, and what to do."""

    message: str
    hint: str


Source = Callable[[Send], Awaitable[Grant | Denial]]


@dataclass(frozen=True, slots=True)
class Login:
    """A request that signs in, and where its answer has the token (a JSON pointer).

    Without a pointer, the token is looked for by its usual names, then among the cookies. With
    `cookie`, the cookies of the answer are what counts.
    """

    url: str
    body: Mapping[str, Json]
    method: str = "POST"
    form: bool = False
    pointer: str | None = None
    cookie: bool = False

    @property
    def secrets(self) -> tuple[str, ...]:
        """The values of the body that are secrets by their names."""
        private = re.compile(r"pass|secret|token|key|pin|pwd|otp|code", re.IGNORECASE)
        return tuple(str(v) for k, v in self.body.items() if v and private.search(k))


@dataclass(frozen=True, slots=True)
class OAuth2:
    """A token endpoint: client credentials, or a password where there is a user."""

    token_url: str
    client_id: str
    client_secret: str = ""
    username: str | None = None
    password: str | None = None
    scope: str | None = None


def login_target(text: str, operations: Iterable[Operation], base_url: str) -> tuple[str, str]:
    """Method and address of a login: an operation id, `/path`, `METHOD /path` or a whole URL."""
    for operation in operations:
        if text in {operation.id, operation.label}:
            return operation.method, base_url.rstrip("/") + operation.path
    method, space, path = text.strip().partition(" ")
    method, path = (method.upper(), path.strip()) if space else ("POST", method)
    if path.startswith("/"):
        return method, base_url.rstrip("/") + path
    if path.startswith(("http://", "https://")):
        return method, path
    raise UsageError(
        Code.BAD_AUTH,
        f"{text!r} is neither an operation of the document nor a path",
        hint="name the operation that signs in, such as POST /sessions",
    )


def login_source(login: Login, placement: Placement) -> Source:
    """Sign in by a request of its own."""

    async def obtain(send: Send) -> Grant | Denial:
        reply = await send(_login_request(login))
        if isinstance(reply, Failure) or reply.status >= 400:
            return _denied(f"{login.method} {login.url}", reply)
        cookies = session_cookies(reply)
        if not login.cookie:
            found = token_in(reply, login.pointer)
            if found is not None:
                return _grant(found, lifetime(json_in(reply.body), found), placement)
        if cookies and login.pointer is None:
            return Grant(Credential(cookies=cookies), tuple(value for _, value in cookies))
        return Denial(
            f"{login.method} {login.url} answers {reply.status} without a token",
            "say where the token is, with a JSON pointer into the answer such as /data/token",
        )

    return obtain


def oauth2_source(options: OAuth2, placement: Placement) -> Source:
    """A token from an OAuth 2 endpoint; the client says who it is in a header, or else in the body.

    The standard asks servers for the header, and some know only the other way; where there is no
    client, the endpoint may be an operation of the service that takes JSON alone.
    """

    async def obtain(send: Send) -> Grant | Denial:
        inside = {"client_id": options.client_id, "client_secret": options.client_secret}
        form, headers = _token_form(options), _client(options)
        reply = await send(_form_request("POST", options.token_url, form, headers))
        if headers and isinstance(reply, Response) and reply.status in {400, 401}:
            reply = await send(_form_request("POST", options.token_url, {**form, **inside}))
        if not headers and isinstance(reply, Response) and reply.status in _NO_FORM:
            reply = await send(_login_request(Login(options.token_url, form)))
        if isinstance(reply, Failure) or reply.status >= 400:
            return _denied(f"POST {options.token_url}", reply)
        found = token_in(reply, None)
        if found is None:
            return Denial(f"{options.token_url} answers without a token", "check the address")
        return _grant(found, lifetime(json_in(reply.body), found), placement)

    return obtain


def command_source(command: str, placement: Placement, seconds: float = 30.0) -> Source:
    """A token from the standard output of a command, plain or in a JSON object."""

    async def obtain(_send: Send) -> Grant | Denial:
        output = await _output(shlex.split(command), seconds)
        if isinstance(output, Denial):
            return output
        value = json_in(output)
        text = output.decode("utf-8", "replace").strip()
        found = next(tokens_in(value), None) if isinstance(value, dict) else text
        if not found or any(char.isspace() for char in found):
            return Denial("the command for the token prints none", "it must print the token alone")
        return _grant(found, lifetime(value, found), placement)

    return obtain


def _grant(token: str, seconds: float | None, placement: Placement) -> Grant:
    bare = token.removeprefix("Bearer ").strip()
    return Grant(placement.credential(bare), (bare,), seconds)


def _denied(request: str, reply: Reply) -> Denial:
    if isinstance(reply, Failure):
        return Denial(f"{request}: {reply.message}", "is the service running, at that address?")
    answer = " ".join(reply.body[:_LONGEST_ANSWER].decode("utf-8", "replace").split())
    message = f"{request} answers {reply.status}" + (f": {answer}" if answer else "")
    return Denial(message, "check the user, the password and the fields of the body")


def _login_request(login: Login) -> Request:
    if login.form:
        form = {
            key: value if isinstance(value, str) else json.dumps(value)
            for key, value in login.body.items()
        }
        return _form_request(login.method, login.url, form)
    headers = (("Content-Type", "application/json"), ("Accept", "application/json, */*;q=0.5"))
    return Request(login.method, login.url, headers, json.dumps(login.body).encode())


def _form_request(method: str, url: str, form: Mapping[str, str], headers: Headers = ()) -> Request:
    kind = ("Content-Type", "application/x-www-form-urlencoded")
    accept = ("Accept", "application/json, */*;q=0.5")
    return Request(method, url, (kind, accept, *headers), urlencode(form).encode())


def _client(options: OAuth2) -> Headers:
    """Who the client is; nothing where it has no name, for an empty one may be refused."""
    if not options.client_id:
        return ()
    pair = f"{quote(options.client_id, safe='')}:{quote(options.client_secret, safe='')}"
    return (("Authorization", f"Basic {b64encode(pair.encode()).decode()}"),)


def _token_form(options: OAuth2) -> dict[str, str]:
    form = {"grant_type": "client_credentials" if options.username is None else "password"}
    if options.username is not None:
        form |= {"username": options.username, "password": options.password or ""}
    return form | ({"scope": options.scope} if options.scope else {})


async def _output(command: list[str], seconds: float) -> bytes | Denial:
    hint = "run it by hand: it must print the token and end with code 0"
    try:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.DEVNULL, stdout=-1, stderr=-1
        )
    except (OSError, ValueError, TypeError) as error:
        return Denial(f"the command for the token does not start: {error}", hint)
    try:
        output, errors = await asyncio.wait_for(process.communicate(), seconds)
    except TimeoutError:
        return Denial(f"the command for the token ran longer than {seconds:g} s", hint)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        said = errors.decode("utf-8", "replace").strip().splitlines()
        reason = f": {said[-1]}" if said else ""
        return Denial(
            f"the command for the token ended with code {process.returncode}{reason}", hint
        )
    return output
