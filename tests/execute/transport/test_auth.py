from __future__ import annotations

import asyncio
import json
import shlex
import sys
from base64 import b64encode, urlsafe_b64encode
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from icepick.demo.catalogue import SERVICES
from icepick.demo.serve import running
from icepick.errors import Code, ExecuteError, UsageError
from icepick.execute.transport.auth import AuthOptions, RenewedAuth, auth_for
from icepick.execute.transport.credentials import Credential, Placement, carries, signed
from icepick.execute.transport.http import HttpTransport, http_transport
from icepick.execute.transport.login import (
    Denial,
    Grant,
    Login,
    OAuth2,
    Send,
    command_source,
    login_target,
)
from icepick.execute.transport.placements import placement
from icepick.execute.transport.secrets import Secrets
from icepick.execute.transport.settings import HttpSettings
from icepick.execute.transport.tokens import lifetime, token_in
from icepick.execute.types import Reply, Request, Response
from icepick.openapi import read_spec
from icepick.openapi.types import ParameterLocation, SecurityKind, SecurityScheme
from tests.execute.servers import Answer, Raw, Seen, Site, http, site

SETTINGS = HttpSettings(request_timeout=5, retries=0)
KEY = SecurityScheme("key", SecurityKind.API_KEY, ParameterLocation.HEADER, "X-Key")
QUERY_KEY = SecurityScheme("q", SecurityKind.API_KEY, ParameterLocation.QUERY, "api key")
COOKIE_KEY = SecurityScheme("c", SecurityKind.API_KEY, ParameterLocation.COOKIE, "sid")
BEARER = SecurityScheme("b", SecurityKind.BEARER, scheme="bearer")


def by_name(*schemes: SecurityScheme) -> dict[str, SecurityScheme]:
    return {scheme.name: scheme for scheme in schemes}


async def sent(
    options: AuthOptions,
    request: Request | None = None,
    *schemes: SecurityScheme,
    settings: HttpSettings = SETTINGS,
) -> Seen:
    """How one request arrives."""
    auth = auth_for(by_name(*schemes), options)
    async with site(http()) as found, http_transport(settings, auth, Secrets()) as transport:
        asked = request or Request("GET", "/x")
        await transport.send(replace(asked, url=found.url + asked.url))
    return found.seen[-1]


def json_answer(value: Any, status: int = 200, *headers: str) -> Raw:
    return http(status, json.dumps(value).encode(), "Content-Type: application/json", *headers)


async def test_basic() -> None:
    seen = await sent(AuthOptions(basic="joe:a:b"))
    assert seen.headers["authorization"] == f"Basic {b64encode(b'joe:a:b').decode()}"


async def test_a_bearer_token() -> None:
    assert (await sent(AuthOptions(token="abc"))).headers["authorization"] == "Bearer abc"
    assert (await sent(AuthOptions(token="Bearer abc"))).headers["authorization"] == "Bearer abc"


@pytest.mark.parametrize(
    ("schemes", "send_as", "place"),
    [
        ((), None, Placement(ParameterLocation.HEADER, "Authorization", "Bearer ")),
        ((KEY, BEARER), None, Placement(ParameterLocation.HEADER, "Authorization", "Bearer ")),
        ((KEY,), None, Placement(ParameterLocation.HEADER, "X-Key")),
        ((KEY,), "bearer", Placement(ParameterLocation.HEADER, "Authorization", "Bearer ")),
        ((BEARER,), "header:X-T", Placement(ParameterLocation.HEADER, "X-T")),
        ((BEARER,), "header:X-T=JWT ", Placement(ParameterLocation.HEADER, "X-T", "JWT ")),
        ((BEARER,), "cookie:sid", Placement(ParameterLocation.COOKIE, "sid")),
        (
            (SecurityScheme("t", SecurityKind.HTTP, scheme="token"),),
            None,
            Placement(ParameterLocation.HEADER, "Authorization", "Token "),
        ),
        (
            (replace(KEY, parameter="Authorization"),),
            None,
            Placement(ParameterLocation.HEADER, "Authorization", "Bearer "),
        ),
    ],
)
def test_where_a_token_goes(
    schemes: tuple[SecurityScheme, ...], send_as: str | None, place: Placement
) -> None:
    assert placement(by_name(*schemes), send_as) == place


async def test_api_keys_go_where_the_document_says() -> None:
    assert (await sent(AuthOptions(api_keys=("k=v",)), None, KEY)).headers["x-key"] == "k=v"
    seen = await sent(AuthOptions(api_keys=("s/1",)), Request("GET", "/x?a=1"), QUERY_KEY)
    assert seen.target == "/x?a=1&api%20key=s%2F1"
    cookies = Request("GET", "/x", (("Cookie", "theme=dark"),))
    seen = await sent(AuthOptions(api_keys=("s1",)), cookies, COOKIE_KEY)
    assert seen.headers["cookie"] == "theme=dark; sid=s1"


async def test_several_api_keys_are_told_apart_by_their_names() -> None:
    both = AuthOptions(api_keys=("key=one", "q=two"), token="three")
    seen = await sent(both, None, KEY, QUERY_KEY, BEARER)
    assert seen.headers["x-key"] == "one"
    assert seen.headers["authorization"] == "Bearer three"
    assert seen.target == "/x?api%20key=two"


async def test_an_api_key_whose_place_is_stated() -> None:
    seen = await sent(AuthOptions(api_keys=("header:X-Mine=abc=",)))
    assert seen.headers["x-mine"] == "abc="


@pytest.mark.parametrize(
    ("options", "schemes"),
    [
        (AuthOptions(basic="joe-hunter2"), ()),
        (AuthOptions(api_keys=("hunter2",)), ()),
        (AuthOptions(api_keys=("hunter2",)), (KEY, QUERY_KEY)),
        (AuthOptions(api_keys=("hunter2",)), (replace(KEY, location=ParameterLocation.PATH),)),
        (AuthOptions(basic="a:hunter2", token="hunter2"), ()),
        (AuthOptions(token="hunter2", send_as="body:x"), ()),
        (AuthOptions(command=""), ()),
        (AuthOptions(command="echo 'hunter2"), ()),
    ],
)
def test_credentials_that_make_no_sense(
    options: AuthOptions, schemes: tuple[SecurityScheme, ...]
) -> None:
    with pytest.raises(UsageError) as caught:
        auth_for(by_name(*schemes), options)
    assert caught.value.code is Code.BAD_AUTH
    assert caught.value.hint
    assert "hunter2" not in str(caught.value.to_json())


def test_nothing_given_is_no_authentication() -> None:
    assert auth_for(by_name(KEY, BEARER), AuthOptions()) is None


@pytest.mark.parametrize(
    ("options", "request_", "schemes"),
    [
        (AuthOptions(token="t"), Request("GET", "/x", (("authorization", "mine"),)), ()),
        (AuthOptions(api_keys=("k",)), Request("GET", "/x", (("x-KEY", "mine"),)), (KEY,)),
        (AuthOptions(api_keys=("k",)), Request("GET", "/x?api+key=mine"), (QUERY_KEY,)),
        (
            AuthOptions(api_keys=("k",)),
            Request("GET", "/x", (("Cookie", "sid=mine"),)),
            (COOKIE_KEY,),
        ),
    ],
)
async def test_what_a_request_says_itself_wins(
    options: AuthOptions, request_: Request, schemes: tuple[SecurityScheme, ...]
) -> None:
    seen = await sent(options, request_, *schemes)
    values = [*seen.headers.values(), seen.target]
    assert sum("mine" in value for value in values) == 1
    assert not any(value in {"t", "k", "Bearer t"} for value in values)


async def test_a_given_header_wins_over_a_token() -> None:
    settings = replace(SETTINGS, headers=(("Authorization", "Custom x"),))
    seen = await sent(AuthOptions(token="t"), settings=settings)
    assert seen.headers["authorization"] == "Custom x"


async def test_credentials_go_along_a_redirect_and_are_not_part_of_its_address() -> None:
    auth = auth_for(by_name(QUERY_KEY, KEY), AuthOptions(api_keys=("q=one", "key=two")))
    answers = http(307, b"", "Location: /new"), http()
    async with site(*answers) as found, http_transport(SETTINGS, auth, Secrets()) as transport:
        reply = await transport.send(Request("POST", f"{found.url}/old"))
    assert [seen.target for seen in found.seen] == ["/old?api%20key=one", "/new?api%20key=one"]
    assert [seen.headers["x-key"] for seen in found.seen] == ["two", "two"]
    assert isinstance(reply, Response)
    assert reply.redirects == (f"{found.url}/new",)


async def test_another_server_sees_no_credentials() -> None:
    async with site(http()) as own, site(http()) as other:
        settings = replace(SETTINGS, headers=(("X-Tenant", "a"),), origins=(f"{own.url}/v1",))
        auth = auth_for({}, AuthOptions(token="abc"))
        async with http_transport(settings, auth, Secrets()) as transport:
            for found in (own, other):
                await transport.send(Request("GET", f"{found.url}/x"))
    assert own.seen[0].headers["authorization"] == "Bearer abc"
    assert own.seen[0].headers["x-tenant"] == "a"
    assert not {"authorization", "x-tenant"} & other.seen[0].headers.keys()


async def test_a_login_with_an_api_key_beside_it() -> None:
    async with site(json_answer({"token": "abc"}), http(401), http(500)) as found:
        options = replace(login(found), api_keys=("two",))
        auth = auth_for(by_name(KEY), replace(options, send_as="bearer"))
        async with http_transport(SETTINGS, auth, Secrets()) as transport:
            await transport.send(Request("GET", f"{found.url}/x"))
    assert [seen.headers["x-key"] for seen in found.seen] == ["two"] * 3
    assert [seen.headers.get("authorization") for seen in found.seen] == [None, "Bearer abc", None]
    assert auth is not None
    assert "500" in (auth.trouble or "")


def test_signing_changes_nothing_where_there_is_nothing_to_add() -> None:
    request = Request("GET", "http://h/x", (("Authorization", "mine"),))
    assert signed(request, Credential((("authorization", "t"),))) is request


@pytest.mark.parametrize(
    "credential",
    [
        Credential((("Authorization", "Bearer a"),)),
        Credential(query=(("k", "a b"),)),
        Credential(cookies=(("sid", "1"), ("x", "2"))),
    ],
)
def test_what_was_sent_is_recognised(credential: Credential) -> None:
    request = Request("GET", "http://h/x?y=1", (("Cookie", "z=3"),))
    assert carries(signed(request, credential), credential)
    assert not carries(request, credential)


async def test_credentials_are_kept_secret() -> None:
    for options, text in (
        (AuthOptions(basic="joe:hunter2"), f"hunter2 {b64encode(b'joe:hunter2').decode()}"),
        (AuthOptions(token="hunter2"), "hunter2"),
        (AuthOptions(api_keys=("hunter2",)), "hunter2"),
    ):
        secrets = Secrets()
        async with http_transport(SETTINGS, auth_for(by_name(KEY), options), secrets):
            assert secrets.mask(text) in {"***", "*** ***"}


def guarded(tokens: Callable[[int], str], good: Callable[[str], bool]) -> Callable[[Seen], Raw]:
    """A service with a login; the n-th login gives `tokens(n)`."""
    logins = []

    def answer(seen: Seen) -> Raw:
        if seen.target == "/login":
            logins.append(seen)
            return json_answer({"data": {"token": tokens(len(logins))}}, 201)
        return http(200) if good(seen.headers.get("authorization", "")) else http(401)

    return answer


def logins(found: Site) -> int:
    return sum(seen.target == "/login" for seen in found.seen)


def login(found: Site, **more: Any) -> AuthOptions:
    body = {"user": "joe", "password": "hunter2"}
    return AuthOptions(login=Login(f"{found.url}/login", body, **more))


@asynccontextmanager
async def signed_in(
    *answers: Answer, secrets: Secrets | None = None, **more: Any
) -> AsyncIterator[tuple[Site, HttpTransport]]:
    async with site(*answers) as found:
        auth = auth_for({}, login(found, **more))
        async with http_transport(SETTINGS, auth, secrets or Secrets()) as transport:
            yield found, transport


def status(reply: Reply) -> int:
    assert isinstance(reply, Response), reply
    return reply.status


async def test_a_login_happens_before_the_first_request() -> None:
    secrets = Secrets()
    async with signed_in(
        guarded(lambda n: f"token-{n}", lambda a: a == "Bearer token-1"), secrets=secrets
    ) as (found, transport):
        assert logins(found) == 1
        assert status(await transport.send(Request("GET", f"{found.url}/x"))) == 200
    assert json.loads(found.seen[0].body) == {"user": "joe", "password": "hunter2"}
    assert "authorization" not in found.seen[0].headers
    assert secrets.mask("joe hunter2 token-1") == "joe *** ***"


async def test_all_who_are_refused_share_one_login() -> None:
    async with signed_in(guarded(lambda n: f"token-{n}", lambda a: a == "Bearer token-2")) as (
        found,
        transport,
    ):
        asked = [transport.send(Request("GET", f"{found.url}/{n}")) for n in range(20)]
        replies = await asyncio.gather(*asked)
    assert [status(reply) for reply in replies] == [200] * 20
    assert logins(found) == 2


async def test_a_401_to_a_fresh_token_is_an_answer() -> None:
    async with signed_in(guarded(lambda n: f"token-{n}", lambda _: False)) as (found, transport):
        for _ in range(5):
            assert status(await transport.send(Request("GET", f"{found.url}/admin"))) == 401
    assert logins(found) == 2
    assert len(found.seen) == 2 + 6


async def test_a_login_that_gives_the_same_token_again_is_no_renewal() -> None:
    async with signed_in(guarded(lambda _: "same", lambda _: False)) as (found, transport):
        assert status(await transport.send(Request("GET", f"{found.url}/x"))) == 401
    assert [seen.target for seen in found.seen] == ["/login", "/x", "/login"]


async def test_a_request_with_a_token_of_its_own_causes_no_login() -> None:
    async with signed_in(guarded(lambda n: f"token-{n}", lambda _: False)) as (found, transport):
        request = Request("GET", f"{found.url}/x", (("Authorization", "Bearer forged"),))
        assert status(await transport.send(request)) == 401
    assert logins(found) == 1


BEARER_ABC = ("authorization", "Bearer abc")
COOKIES = ("Set-Cookie: sid=a1; Path=/; HttpOnly", "Set-Cookie: x=2", "Location: /home")


@pytest.mark.parametrize(
    ("answer", "more", "header"),
    [
        (json_answer({"access_token": "abc"}), {}, BEARER_ABC),
        (json_answer({"user": {"id": 7}, "result": {"accessToken": "abc"}}), {}, BEARER_ABC),
        (json_answer("abc"), {}, BEARER_ABC),
        (json_answer({"token": {"x": 1}, "key": "abc"}), {}, BEARER_ABC),
        (json_answer({"t": ["x", "abc"]}), {"pointer": "/t/1"}, BEARER_ABC),
        (json_answer({"a/b": {"~": 12}}), {"pointer": "/a~1b/~0"}, (BEARER_ABC[0], "Bearer 12")),
        (http(204, b"", "Authorization: Bearer abc"), {}, BEARER_ABC),
        (http(302, b"", *COOKIES), {}, ("cookie", "sid=a1; x=2")),
        (json_answer({"token": "abc"}, 200, *COOKIES), {"cookie": True}, ("cookie", "sid=a1; x=2")),
    ],
)
async def test_where_the_token_is(
    answer: Raw, more: dict[str, Any], header: tuple[str, str]
) -> None:
    async with signed_in(answer, http(), **more) as (found, transport):
        await transport.send(Request("GET", f"{found.url}/x"))
    name, value = header
    assert found.seen[-1].headers[name] == value


async def test_a_login_by_form() -> None:
    async with signed_in(json_answer({"token": "abc"}), form=True) as (found, _):
        pass
    assert found.seen[0].body == b"user=joe&password=hunter2"
    assert found.seen[0].headers["content-type"] == "application/x-www-form-urlencoded"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (json_answer({"error": "hunter2 is wrong"}, 403), "403"),
        (json_answer({"welcome": "joe"}), "without a token"),
        (http(200, b"<html>"), "without a token"),
        (Raw(b"", close=True), "connection"),
    ],
)
async def test_a_login_that_does_not_work(answer: Raw, words: str) -> None:
    async with site(answer) as found:
        with pytest.raises(ExecuteError) as caught:
            async with http_transport(SETTINGS, auth_for({}, login(found)), Secrets()):
                pass
    assert caught.value.code is Code.SIGN_IN_FAILED
    assert words in caught.value.message
    assert "hunter2" not in caught.value.message
    assert caught.value.hint


async def test_a_login_that_stops_working_costs_no_exception() -> None:
    async with site(
        json_answer({"token": "abc"}), http(401), http(500), http(401), http(500)
    ) as found:
        auth = auth_for({}, login(found))
        async with http_transport(SETTINGS, auth, Secrets()) as transport:
            assert status(await transport.send(Request("GET", f"{found.url}/x"))) == 401
    assert isinstance(auth, RenewedAuth)
    assert auth.trouble is not None
    assert "500" in auth.trouble


class Ticking:
    """A clock that a test moves."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


async def no_send(_: Request) -> Reply:
    raise AssertionError


async def test_a_token_is_renewed_before_it_expires() -> None:
    given: list[str] = []

    async def source(_: Send) -> Grant | Denial:
        given.append(f"token-{len(given)}")
        credential = Credential((("Authorization", given[-1]),))
        return Grant(credential, (given[-1],), lifetime=100.0)

    clock = Ticking()
    auth = RenewedAuth(source, clock=clock)
    await auth.start(no_send, Secrets())
    used = []
    for clock.now in (0.0, 89.0, 91.0, 150.0, 182.0):
        request = await auth.apply(Request("GET", "http://h/"))
        used.append(request.headers[0][1])
    assert used == ["token-0", "token-0", "token-1", "token-1", "token-2"]


async def test_senders_who_wait_share_a_failed_renewal() -> None:
    asked: list[int] = []

    async def source(_: Send) -> Grant | Denial:
        asked.append(1)
        await asyncio.sleep(0.01)
        if len(asked) > 1:
            return Denial("no", "nothing")
        return Grant(Credential((("Authorization", "old"),)), ("old",))

    auth = RenewedAuth(source)
    await auth.start(no_send, Secrets())
    sent = await auth.apply(Request("GET", "http://h/"))
    outcomes = await asyncio.gather(*(auth.refresh(sent) for _ in range(10)))
    assert outcomes == [False] * 10
    assert len(asked) == 2


def jwt(**claims: int) -> str:
    middle = urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip("=")
    return f"e30.{middle}.sig"


@pytest.mark.parametrize(
    ("value", "token", "seconds"),
    [
        ({"expires_in": 60}, "t", 60),
        ({"data": {"expiresIn": 60.5}}, "t", 60.5),
        ({"expires_in": None}, "t", None),
        ({"expires_in": True}, "t", None),
        ({"expires_at": "2001-01-01T00:00:00Z"}, "t", None),
        ({}, jwt(iat=1000, exp=1600), 600),
        ({}, "a.b.c", None),
        ({"expires_at": "soon"}, "t", None),
        ("text", "t", None),
    ],
)
def test_how_long_a_token_lives(value: Any, token: str, seconds: float | None) -> None:
    assert lifetime(value, token) == seconds


def test_a_moment_to_expire_at() -> None:
    assert (lifetime({"expires_at": "2999-01-01T00:00:00Z"}, "t") or 0) > 1e9


def test_a_pointer_to_nothing() -> None:
    response = Response(200, (), b'{"a": {"b": ""}, "l": [1]}')
    for pointer in ("/a/b", "/a/c", "/l/1", "/l/x", "/a", ""):
        assert token_in(response, pointer) is None


async def test_oauth2_client_credentials() -> None:
    async with site(json_answer({"access_token": "abc", "expires_in": 3600}), http()) as found:
        options = AuthOptions(oauth2=OAuth2(f"{found.url}/token", "me", "s3cret/", scope="a b"))
        secrets = Secrets()
        async with http_transport(SETTINGS, auth_for({}, options), secrets) as transport:
            await transport.send(Request("GET", f"{found.url}/x"))
    asked, seen = found.seen
    assert asked.body == b"grant_type=client_credentials&scope=a+b"
    assert asked.headers["authorization"] == f"Basic {b64encode(b'me:s3cret%2F').decode()}"
    assert seen.headers["authorization"] == "Bearer abc"
    assert secrets.mask("s3cret/") == "***"


async def test_oauth2_password_at_a_server_that_wants_the_client_in_the_body() -> None:
    answers = json_answer({"error": "invalid_client"}, 401), json_answer({"access_token": "abc"})
    async with site(*answers) as found:
        oauth2 = OAuth2(f"{found.url}/token", "me", "s3cret", "joe", "hunter2")
        async with http_transport(SETTINGS, auth_for({}, AuthOptions(oauth2=oauth2)), Secrets()):
            pass
    assert found.seen[1].body == (
        b"grant_type=password&username=joe&password=hunter2&client_id=me&client_secret=s3cret"
    )


def python(code: str) -> str:
    return shlex.join([sys.executable, "-c", code])


@pytest.mark.parametrize(
    "printed", ["print('abc')", 'print(\'{"token": "abc", "expires_in": 60}\')']
)
async def test_a_command(printed: str) -> None:
    seen = await sent(AuthOptions(command=python(printed)))
    assert seen.headers["authorization"] == "Bearer abc"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (python("import sys; sys.exit('no key')"), "code 1: no key"),
        (python("pass"), "prints none"),
        (python("print('two words')"), "prints none"),
        ("no-such-program-at-all", "does not start"),
    ],
)
async def test_a_command_that_does_not_work(command: str, words: str) -> None:
    with pytest.raises(ExecuteError) as caught:
        await sent(AuthOptions(command=command))
    assert words in caught.value.message


async def test_a_command_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    late = tmp_path / "late"
    code = f"import time, pathlib; time.sleep(1); pathlib.Path({str(late)!r}).touch()"
    outcome = await command_source(python(code), placement({}, None), 0.3)(no_send)
    assert isinstance(outcome, Denial)
    assert "longer than 0.3 s" in outcome.message
    await asyncio.sleep(1)
    assert not late.exists()


async def test_a_command_is_no_shell(tmp_path: Path) -> None:
    with pytest.raises(ExecuteError):
        await sent(AuthOptions(command=f"echo a; touch {tmp_path / 'made'}"))
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("logIn", ("POST", "/v1/sessions")),
        ("POST /sessions", ("POST", "/v1/sessions")),
        ("/sessions", ("POST", "/v1/sessions")),
        ("put /other", ("PUT", "/v1/other")),
    ],
)
async def test_the_login_of_a_document(text: str, found: tuple[str, str]) -> None:
    async with running(SERVICES["shop"]) as url:
        spec = await asyncio.to_thread(read_spec, f"{url}/openapi.json")
    ids = {operation.label: operation.id for operation in spec.operations}
    asked = ids["POST /sessions"] if text == "logIn" else text
    method, path = found
    assert login_target(asked, spec.operations, "http://h/v1/") == (method, f"http://h{path}")
    with pytest.raises(UsageError):
        login_target("nonsense", spec.operations, "http://h")


async def test_the_shop_survives_a_logout_in_the_middle() -> None:
    async with running(SERVICES["shop"]) as url:
        spec = await asyncio.to_thread(read_spec, f"{url}/openapi.json")
        body = {"username": "demo", "password": "demo-password"}
        method, address = login_target("POST /sessions", spec.operations, f"{url}/v1")
        options = AuthOptions(login=Login(address, body, method))
        auth = auth_for(spec.security_schemes, options)
        async with http_transport(SETTINGS, auth, Secrets()) as transport:
            products = Request("GET", f"{url}/v1/products")
            assert status(await transport.send(products)) == 200
            assert (
                status(await transport.send(Request("DELETE", f"{url}/v1/sessions/current"))) == 204
            )
            replies = await asyncio.gather(*(transport.send(products) for _ in range(10)))
            assert [status(reply) for reply in replies] == [200] * 10
