from __future__ import annotations

import html
import json
from base64 import b64encode
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from icepick.execute.events import (
    CallJudged,
    Ending,
    Event,
    Exchanged,
    FindingFound,
    LeftBehind,
    Noted,
    RunEnded,
    RunStarted,
)
from icepick.execute.transport.secrets import Secrets, is_private
from icepick.execute.types import (
    Complaint,
    Exchange,
    Failure,
    FailureKind,
    Finding,
    Judged,
    Provenance,
    Purpose,
    Reply,
    Request,
    Response,
    Verdict,
)

SECRET = 'p/ä "w&rd+1'


def exchange(request: Request | None = None, reply: Reply | None = None) -> Exchange:
    asked = request or Request("GET", "http://h/x", (("Accept", "*/*"),))
    return Exchange(1, 0.0, Purpose.CALL, asked, reply or Response(200, (("A", "b"),), b"{}"), "op")


@pytest.mark.parametrize(
    "text",
    [
        SECRET,
        quote(SECRET, safe=""),
        quote(SECRET, safe="").lower(),
        quote(SECRET),
        quote_plus(SECRET),
        json.dumps(SECRET),
        json.dumps(SECRET, ensure_ascii=False),
        json.dumps(SECRET).replace("/", r"\/"),
        html.escape(SECRET),
    ],
)
def test_every_form_of_a_secret(text: str) -> None:
    secrets = Secrets(SECRET)
    for found in (secrets.mask(f"<{text}>"), secrets.mask_bytes(f"<{text}>".encode()).decode()):
        assert found.replace('"', "") == "<***>"


def test_the_form_of_basic_authentication() -> None:
    secrets = Secrets()
    secrets.add_basic("joe", "hunter2")
    coded = b64encode(b"joe:hunter2").decode()
    assert secrets.mask(f"joe hunter2 {coded}") == "joe *** ***"


def test_the_value_of_a_header_hides_its_token_too() -> None:
    assert Secrets("Bearer abcdef").mask("abcdef") == "***"


def test_a_longer_secret_is_not_cut_by_a_shorter_one() -> None:
    assert Secrets("abcd", "abcdefgh").mask("abcdefgh abcd") == "*** ***"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ('{"admin": true, "name": "admin"}', '{"admin": true, "name": "***"}'),
        (r"{\"admin\": \"admin\"}", r"{\"admin\": \"***\"}"),
        ("User.admin is null, said admin", "User.admin is null, said ***"),
        ("http://x/admin/users?admin=admin&b=admin", "http://x/admin/users?admin=***&b=***"),
        ("admin=admin", "admin=***"),
        ('form-data; name="admin"', 'form-data; name="admin"'),
        ("administrator", "***istrator"),
    ],
)
def test_a_name_of_the_document_stays_where_it_is_a_name(text: str, masked: str) -> None:
    secrets = Secrets("admin", names=["admin", "name"])
    assert secrets.mask(text) == masked
    assert secrets.mask_bytes(text.encode()) == masked.encode()
    assert "admin" not in Secrets("admin", names=["name"]).mask(text)


def test_short_texts_are_too_common() -> None:
    assert Secrets("", "a", "abc").mask("abcabc") == "abcabc"


@given(st.text(min_size=4), st.text(), st.text())
def test_no_secret_is_left(secret: str, before: str, after: str) -> None:
    secrets = Secrets(secret)
    # What stands around it may join with the mask to the secret again, if that has stars in it.
    if "*" not in secret:
        assert secret not in secrets.mask(before + secret + after)


@given(st.text())
def test_without_secrets_nothing_changes(text: str) -> None:
    assert Secrets().mask(text) is text


@pytest.mark.parametrize(
    ("name", "value", "masked"),
    [
        ("Authorization", "Bearer abc", "Bearer ***"),
        ("authorization", "abc", "***"),
        ("Proxy-Authorization", "Basic eA==", "Basic ***"),
        ("Cookie", "a=1; b=2", "a=***; b=***"),
        ("Set-Cookie", "sid=1; Path=/; Max-Age=3", "sid=***; Path=/; Max-Age=3"),
        ("X-API-Key", "abc", "***"),
        ("X-Mine", "abc", "***"),
        ("X-Other", "abc", "abc"),
    ],
)
def test_headers(name: str, value: str, masked: str) -> None:
    secrets = Secrets()
    secrets.add_header("x-mine")
    found = secrets.masked(
        exchange(Request("GET", "http://h/", ((name, value),)), Response(200, ((name, value),)))
    )
    assert found.request.headers == ((name, masked),)
    assert isinstance(found.reply, Response)
    assert found.reply.headers == ((name, masked),)


def test_what_is_known_of_a_header_is_hidden_everywhere() -> None:
    secrets = Secrets()
    secrets.add_header("Cookie", "sid=hunter2; theme=hunter3")
    secrets.add_header("Authorization", "Bearer hunter4")
    assert secrets.mask("sid hunter2 hunter3 hunter4") == "sid *** *** ***"


def test_names_of_headers() -> None:
    assert is_private("authorization")
    assert is_private("X-Api-Key")
    assert not is_private("Accept")


def test_an_exchange_with_nothing_to_hide_stays_as_it_is() -> None:
    for secrets in (Secrets(), Secrets("hunter2")):
        one = exchange()
        assert secrets.masked(one) is one


def everywhere(text: str) -> Exchange:
    """An exchange with a text in every place that has room for it."""
    request = Request("POST", f"http://h/{text}?k={text}", (("X-A", text),), text.encode())
    reply = Response(
        302, (("Location", f"/{text}"),), b"\xff" + text.encode(), redirects=(f"http://h/{text}",)
    )
    return exchange(request, reply)


def test_every_part_of_an_exchange() -> None:
    assert Secrets("hunter2").masked(everywhere("hunter2")) == everywhere("***")
    failed = exchange(reply=Failure(FailureKind.CONNECT, "no hunter2 here"))
    masked = Secrets("hunter2").masked(failed).reply
    assert masked == Failure(FailureKind.CONNECT, "no *** here")


def complaint(text: str) -> Complaint:
    bindings: dict[str, Any] = {"x": text, "y": [text, {"z": (text, 1)}]}
    return Complaint("ensures", Verdict.ERR, text, text, Provenance.LAW, text, bindings, (1,))


def judged(text: str) -> Judged:
    return Judged(
        "hunter2", "hunter2", "hunter2", "transition", Verdict.ERR, text, (complaint(text),),
        everywhere(text), (everywhere(text),), 1, 2,
    )  # fmt: skip


def finding(text: str) -> Finding:
    return Finding(
        "hunter2", 1, Verdict.ERR, text, "hunter2", "hunter2", "hunter2", 500, complaint(text),
        (judged(text),), 3,
    )  # fmt: skip


def events(text: str) -> list[Event]:
    """Events whose names are not secret, though they read like one."""
    return [
        Exchanged(everywhere(text), 1),
        CallJudged(0, 1, 2, judged(text)),
        FindingFound(finding(text)),
        Noted("hunter2", text, text),
        LeftBehind("hunter2", f"http://h/{text}", text),
        RunStarted("hunter2", 0.0, "1", text, text, text, 1, {"a": [text]}, {"hunter2": text}),
        RunEnded(0.0, Ending.FINISHED, 1, 2, text),
    ]


@pytest.mark.parametrize("number", range(7))
def test_every_part_of_an_event(number: int) -> None:
    assert Secrets("hunter2").masked_event(events("hunter2")[number]) == events("***")[number]


def test_findings_hide_credentials_that_nobody_registered() -> None:
    secret = exchange(Request("GET", "http://h/", (("Cookie", "sid=1"),)))
    step = Judged("l", "a", "o", "k", Verdict.ERR, exchange=secret, reads=(secret,))
    found = Secrets().masked_event(CallJudged(0, 0, 0, step))
    assert isinstance(found, CallJudged)
    assert found.judged.exchange is not None
    assert found.judged.exchange.request.headers == (("Cookie", "sid=***"),)
    assert found.judged.reads[0].request.headers == (("Cookie", "sid=***"),)


def test_events_without_secrets_stay_as_they_are() -> None:
    event = CallJudged(0, 0, 0, Judged("l", "a", "o", "k", Verdict.OK, exchange=exchange()))
    assert Secrets("hunter2").masked_event(event) is event
    noted = Noted("a", "b", "c")
    assert Secrets().masked_event(noted) is noted
