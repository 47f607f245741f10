from __future__ import annotations

import json
from dataclasses import replace

import pytest

from icepick.execute.transport.auth import AuthOptions, auth_for
from icepick.execute.transport.flows import password_grant
from icepick.execute.transport.http import http_transport
from icepick.execute.transport.secrets import Secrets
from icepick.execute.transport.settings import HttpSettings
from icepick.execute.types import Request
from icepick.openapi.types import SecurityKind, SecurityScheme
from tests.execute.servers import Raw, Seen, http, site

FLOW = SecurityScheme("flow", SecurityKind.OAUTH2, token_url="login/token")
BASIC = SecurityScheme("basic", SecurityKind.BASIC, scheme="basic")
URL = "http://127.0.0.1:8000/v1"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("login/token", f"{URL}/login/token"),
        ("/login", "http://127.0.0.1:8000/login"),
        ("http://127.0.0.1:8000/login", "http://127.0.0.1:8000/login"),
        ("http://elsewhere.example/login", None),
        ("http://[", None),
    ],
)
def test_a_password_goes_to_the_service_alone(written: str, expected: str | None) -> None:
    found = password_grant({"flow": replace(FLOW, token_url=written)}, "joe:hunter:2", URL)
    assert (found.token_url if found else None) == expected
    assert found is None or (found.username, found.password) == ("joe", "hunter:2")


def test_basic_authentication_is_meant_where_it_is_declared() -> None:
    assert password_grant({"flow": FLOW, "basic": BASIC}, "joe:hunter2", URL) is None
    assert password_grant({"other": replace(FLOW, token_url=None)}, "joe:hunter2", URL) is None
    assert password_grant({"flow": FLOW}, "joe", URL) is None


async def test_a_token_is_got_without_a_client() -> None:
    def answer(seen: Seen) -> Raw:
        kind = "Content-Type: application/json"
        named = "authorization" in {name.lower() for name in seen.headers}
        if seen.target.endswith("/login/token"):
            return http(401) if named else http(200, b'{"access_token": "t0k"}', kind)
        return http(200 if named else 401)

    async with site(answer) as found:
        grant = password_grant({"flow": FLOW}, "joe:hunter2", found.url)
        auth = auth_for({"flow": FLOW}, AuthOptions(oauth2=grant))
        settings = HttpSettings(request_timeout=5, retries=0)
        async with http_transport(settings, auth, Secrets()) as transport:
            reply = await transport.send(Request("GET", f"{found.url}/x"))
    assert getattr(reply, "status", None) == 200
    assert found.seen[0].body == b"grant_type=password&username=joe&password=hunter2"
    assert "Bearer t0k" in found.seen[1].headers.values()


async def test_a_token_is_got_where_forms_are_not_read() -> None:
    def answer(seen: Seen) -> Raw:
        kind = "Content-Type: application/json"
        read = "application/json" in seen.headers.values()
        return http(200, b'{"access_token": "t0k"}', kind) if read else http(400, b"{}", kind)

    async with site(answer) as found:
        grant = password_grant({"flow": FLOW}, "joe:hunter2", found.url)
        auth = auth_for({"flow": FLOW}, AuthOptions(oauth2=grant))
        settings = HttpSettings(request_timeout=5, retries=0)
        async with http_transport(settings, auth, Secrets()) as transport:
            await transport.send(Request("GET", f"{found.url}/x"))
    sent = json.loads(found.seen[1].body)
    assert (sent["username"], sent["password"]) == ("joe", "hunter2")
    assert "Bearer t0k" in found.seen[2].headers.values()
