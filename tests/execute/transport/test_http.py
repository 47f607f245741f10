from __future__ import annotations

import asyncio
import gzip
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from random import Random

import pytest

from icepick import __version__
from icepick.demo.catalogue import SERVICES
from icepick.demo.serve import running
from icepick.errors import Code, UsageError
from icepick.execute.transport.http import HttpTransport, http_transport
from icepick.execute.transport.limits import RateLimit
from icepick.execute.transport.secrets import Secrets
from icepick.execute.transport.settings import HttpSettings
from icepick.execute.types import Failure, FailureKind, Reply, Request, Response
from tests.execute.servers import Answer, Raw, Seen, Site, certificate, free_port, http, site

QUICK = HttpSettings(request_timeout=5, retries=0)


@asynccontextmanager
async def talking(
    *answers: Answer, settings: HttpSettings = QUICK
) -> AsyncIterator[tuple[Site, HttpTransport]]:
    async with site(*answers) as found, http_transport(settings, None, Secrets()) as transport:
        yield found, transport


async def ask(answer: Answer, method: str = "GET", settings: HttpSettings = QUICK) -> Reply:
    async with talking(answer, settings=settings) as (found, transport):
        return await transport.send(Request(method, f"{found.url}/"))


def failure(reply: Reply, kind: FailureKind) -> Failure:
    assert isinstance(reply, Failure), reply
    assert reply.kind is kind, reply
    return reply


def response(reply: Reply) -> Response:
    assert isinstance(reply, Response), reply
    return reply


async def test_a_request_arrives_as_it_is() -> None:
    body = b'{"a": "\xc3\xa9"}'
    headers = (("Content-Type", "application/json"), ("X-Odd", "a  b"))
    async with talking(http(201, b"made", "X-Two: 1", "x-two: 2")) as (found, transport):
        request = Request("PATCH", f"{found.url}/a%2Fb/../c;d?q=%7B&r={{x}}&s=a+b", headers, body)
        reply = response(await transport.send(request))
    seen = found.seen[0]
    assert (seen.method, seen.body) == ("PATCH", body)
    assert seen.target == "/a%2Fb/../c;d?q=%7B&r={x}&s=a+b"
    assert seen.headers["content-type"] == "application/json"
    assert seen.headers["x-odd"] == "a  b"
    assert seen.headers["user-agent"] == f"icepick/{__version__}"
    assert (reply.status, reply.body, reply.truncated) == (201, b"made", False)
    assert reply.headers == (("Content-Length", "4"), ("X-Two", "1"), ("x-two", "2"))
    assert 0 < reply.seconds < 5


@pytest.mark.parametrize("method", ["POST", "PATCH", "DELETE", "GET"])
@pytest.mark.parametrize("body", [None, b"", b"x", b"x" * 2_000_000])
async def test_nothing_is_said_about_a_body_that_the_request_does_not_say(
    method: str, body: bytes | None
) -> None:
    async with talking(http()) as (found, transport):
        await transport.send(Request(method, found.url, (), body))
    assert "content-type" not in found.seen[0].headers
    assert found.seen[0].body == (body or b"")


async def test_given_headers_are_sent_and_those_of_a_request_win() -> None:
    settings = replace(QUICK, headers=(("X-Tenant", "a"), ("Accept", "text/plain")))
    async with talking(http(), settings=settings) as (found, transport):
        await transport.send(Request("GET", found.url, (("accept", "application/json"),)))
    assert found.seen[0].headers["x-tenant"] == "a"
    assert found.seen[0].headers["accept"] == "application/json"


async def test_connections_are_kept_and_cookies_are_not() -> None:
    async with talking(http(200, b"", "Set-Cookie: sid=1")) as (found, transport):
        for _ in range(3):
            response(await transport.send(Request("GET", found.url)))
    assert found.connections == 1
    assert all("cookie" not in seen.headers for seen in found.seen)


async def test_a_header_that_is_no_utf_8_is_kept() -> None:
    raw = Raw(b"HTTP/1.1 200 OK\r\nX-Name: caf\xe9\r\nContent-Length: 0\r\n\r\n")
    reply = response(await ask(raw))
    assert reply.header("x-name") == "caf\udce9"


async def test_a_compressed_body() -> None:
    packed = gzip.compress(b"x" * 5000)
    reply = response(await ask(http(200, packed, "Content-Encoding: gzip")))
    assert reply.body == b"x" * 5000


async def test_a_large_body_both_ways() -> None:
    body = bytes(range(256)) * 40_000
    async with talking(lambda seen: http(200, seen.body)) as (found, transport):
        reply = response(await transport.send(Request("PUT", found.url, (), body)))
    assert reply.body == body
    assert not reply.truncated


@pytest.mark.parametrize("encoding", ["", "Content-Encoding: gzip"])
async def test_a_body_over_the_limit_is_cut(encoding: str) -> None:
    body = gzip.compress(b"y" * 300_000) if encoding else b"y" * 300_000
    answer = http(200, body, *([encoding] if encoding else []))
    reply = response(await ask(answer, settings=replace(QUICK, max_body=1000)))
    assert (reply.body, reply.truncated) == (b"y" * 1000, True)


async def test_a_body_of_just_the_limit_is_whole() -> None:
    reply = response(await ask(http(200, b"z" * 1000), settings=replace(QUICK, max_body=1000)))
    assert (len(reply.body), reply.truncated) == (1000, False)


async def test_after_a_cut_body_the_next_answer_is_its_own() -> None:
    answers = http(200, b"y" * 300_000), http(200, b"next")
    async with talking(*answers, settings=replace(QUICK, max_body=10)) as (found, transport):
        await transport.send(Request("GET", found.url))
        assert response(await transport.send(Request("GET", found.url))).body == b"next"


async def test_a_body_that_does_not_end_is_taken_as_far_as_it_came() -> None:
    stream = Raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
    settings = replace(QUICK, stream=0.2)
    async with talking(stream, http(200, b"next"), settings=settings) as (found, transport):
        reply = response(await transport.send(Request("GET", found.url)))
        assert (reply.status, reply.body, reply.truncated) == (200, b"abc", True)
        assert response(await transport.send(Request("GET", found.url))).body == b"next"


async def test_a_stream_is_waited_for_once() -> None:
    stream = Raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
    settings = replace(QUICK, request_timeout=9.0, stream=1.5)
    async with talking(stream, settings=settings) as (found, transport):
        paths = ("/rooms/1f2/news", "/rooms/3d4/news", "/other")
        sent = [await transport.send(Request("GET", found.url + path)) for path in paths]
    assert all(response(reply).truncated for reply in sent)
    first, second, other = (reply.seconds for reply in sent)
    assert second < 1.2 < min(first, other)


async def test_a_body_that_stays_behind_its_length_is_no_answer() -> None:
    short = Raw(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
    settings = replace(QUICK, request_timeout=0.4, stream=0.1)
    failure(await ask(short, settings=settings), FailureKind.TIMEOUT)


async def test_nobody_listens() -> None:
    url = f"http://127.0.0.1:{free_port()}/"
    async with http_transport(replace(QUICK, retries=2), None, Secrets()) as transport:
        found = failure(await transport.send(Request("POST", url)), FailureKind.CONNECT)
    assert "refused" in found.message
    assert found.attempts == 3
    assert 0.3 <= found.seconds < 3


async def test_a_name_that_nobody_knows() -> None:
    async with http_transport(QUICK, None, Secrets()) as transport:
        reply = await transport.send(Request("GET", "http://no-such-name.invalid/"))
    assert "no-such-name.invalid is not known" in failure(reply, FailureKind.CONNECT).message


async def test_a_slow_answer() -> None:
    settings = replace(QUICK, request_timeout=0.2, retries=3)
    async with talking(Raw(b"", delay=2), settings=settings) as (found, transport):
        reply = await transport.send(Request("POST", found.url))
    assert "within 0.2 s" in failure(reply, FailureKind.TIMEOUT).message
    assert len(found.seen) == 1


async def test_a_body_that_never_ends() -> None:
    endless = Raw(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
    reply = await ask(endless, settings=replace(QUICK, request_timeout=0.2))
    failure(reply, FailureKind.TIMEOUT)


HEAD = b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize(
    "raw",
    [
        Raw(b"", close=True),
        Raw(b"", reset=True),
        Raw(b"HTTP/1.1 200 OK\r\nContent-Le", close=True),
        Raw(HEAD + b"Content-Length: 100\r\n\r\nabc", close=True),
        Raw(HEAD + b"Transfer-Encoding: chunked\r\n\r\n10\r\nabc", close=True),
    ],
)
async def test_a_connection_that_breaks(raw: Raw) -> None:
    async with talking(raw, settings=replace(QUICK, retries=2)) as (found, transport):
        reply = await transport.send(Request("DELETE", found.url))
        found_failure = failure(reply, FailureKind.RESET)
        assert "connection" in found_failure.message
        assert len(found.seen) == found_failure.attempts == 1  # it may have been done


@pytest.mark.parametrize(
    "data",
    [
        b"\x00\x01 hello\r\n\r\n",
        b"hello",
        b"HTTP/1.1 9999 OK\r\n\r\n",
        HEAD + b"X Y: 1\r\n\r\n",
        HEAD + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n",
        HEAD + b"Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello",
        HEAD + b"".join(b"X-%d: 1\r\n" % n for n in range(20_000)) + b"\r\n",
        HEAD + b"X-Long: " + b"a" * 200_000 + b"\r\n\r\n",
    ],
    ids=["control", "text", "status", "name", "lengths", "chunk", "gzip", "flood", "long"],
)
async def test_what_is_no_http(data: bytes) -> None:
    found = failure(await ask(Raw(data, close=True)), FailureKind.PROTOCOL)
    assert "\n" not in found.message
    assert len(found.message) < 300


PIECES = [
    *(HEAD, b"HTTP/1.0 200\r\n", b"HTTP/1.1 204 No\r\n", b"HTTP/1.1 100 Go on\r\n\r\n"),
    *(b"Content-Length: 5\r\n", b"Content-Length: -1\r\n", b"Transfer-Encoding: chunked\r\n"),
    *(b"Content-Encoding: gzip\r\n", b"Content-Encoding: zstd\r\n", b"Upgrade: h2c\r\n"),
    *(b"\r\n", b"\r\n\r\n", b"5\r\nhello\r\n", b"0\r\n\r\n", b"FFFFFFFFFFFFFFFFF\r\n", b"hello"),
    *(gzip.compress(b"packed"), b"\x00", b"\xff\xfe", b"Set-Cookie: \x01\r\n", b" folded\r\n"),
]


async def test_whatever_comes_is_a_reply() -> None:
    rng = Random(7)

    def answer(_: Seen) -> Raw:
        begin = HEAD if rng.random() < 0.6 else b""
        data = begin + b"".join(rng.choices(PIECES, k=rng.randrange(6)))
        return Raw(data[: rng.randrange(200)], close=True, reset=rng.random() < 0.1)

    kinds = set()
    async with talking(answer) as (found, transport):
        for _ in range(300):
            method = rng.choice(["GET", "HEAD", "POST"])
            reply = await transport.send(Request(method, found.url))
            if isinstance(reply, Failure):
                assert "cannot be sent" not in reply.message
                kinds.add(reply.kind)
            else:
                assert reply.status in {200, 204}
    assert kinds == {FailureKind.RESET, FailureKind.PROTOCOL}


async def test_an_upgrade_is_an_answer_without_a_body() -> None:
    raw = Raw(b"HTTP/1.1 101 Go\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nxx")
    assert response(await ask(raw)).status == 101


async def test_a_broken_read_is_repeated() -> None:
    answers = Raw(b"", close=True), Raw(b"", reset=True), http(200, b"at last")
    async with talking(*answers, settings=replace(QUICK, retries=2)) as (found, transport):
        assert response(await transport.send(Request("GET", found.url))).body == b"at last"


async def test_a_request_on_a_connection_that_was_idle_is_repeated() -> None:
    kept = http(200, b"first")
    answers = kept, Raw(b"", close=True), http(200, b"second")
    async with talking(*answers, settings=replace(QUICK, retries=1)) as (found, transport):
        await transport.send(Request("POST", found.url))
        assert response(await transport.send(Request("POST", found.url))).body == b"second"
    assert [seen.connection for seen in found.seen] == [0, 0, 1]


async def test_a_request_whose_answer_had_begun_is_not_repeated() -> None:
    answers = http(200, b"first"), Raw(b"HTTP/1.1 200 OK\r\nX-Ha", close=True), http()
    async with talking(*answers, settings=replace(QUICK, retries=1)) as (found, transport):
        await transport.send(Request("POST", found.url))
        failure(await transport.send(Request("POST", found.url)), FailureKind.RESET)
    assert len(found.seen) == 2


@pytest.mark.parametrize(
    ("url", "headers"),
    [
        ("http://", ()),
        ("http://[", ()),
        ("ftp://127.0.0.1/", ()),
        ("/relative", ()),
        ("http://127.0.0.1:99999/", ()),
        ("{url}/", (("X-Bad", "a\r\nInjected: yes"),)),
        ("{url}/", (("X-Bad", "\ud800"),)),
        ("{url}/\ud800", ()),
        ("{url}/a\r\nInjected: yes", ()),
    ],
)
async def test_what_cannot_be_sent(url: str, headers: tuple[tuple[str, str], ...]) -> None:
    async with talking(http()) as (found, transport):
        reply = await transport.send(Request("GET", url.format(url=found.url), headers))
        assert "cannot be sent" in failure(reply, FailureKind.PROTOCOL).message
        assert all("injected" not in seen.headers for seen in found.seen)


@pytest.mark.parametrize("asked", ["0", "0.1", "date", "skewed date"])
async def test_a_busy_service_is_given_time(asked: str) -> None:
    def busy(_: Seen) -> Raw:
        if "date" not in asked:
            return http(429, b"", f"Retry-After: {asked}")
        now = datetime.now(UTC) + timedelta(days=400 if "skewed" in asked else 0)
        until = format_datetime(now + timedelta(seconds=1), usegmt=True)
        date = format_datetime(now, usegmt=True)
        return http(503, b"", f"Retry-After: {until}", *([f"Date: {date}"] * ("skewed" in asked)))

    async with talking(busy, busy, http(200, b"ok")) as (found, transport):
        assert response(await transport.send(Request("POST", found.url))).body == b"ok"
    assert len(found.seen) == 3


async def test_everybody_waits_for_a_busy_service() -> None:
    times: list[float] = []

    def first_busy(_: Seen) -> Raw:
        times.append(time.monotonic())
        return http(429, b"", "Retry-After: 1") if len(times) == 1 else http()

    async with talking(first_busy) as (found, transport):
        first = asyncio.create_task(transport.send(Request("GET", found.url)))
        await asyncio.sleep(0.2)
        await asyncio.gather(first, *(transport.send(Request("GET", found.url)) for _ in range(3)))
        assert transport.waited == pytest.approx(1, abs=0.1)
    assert min(times[1:]) - times[0] > 0.9


async def test_who_is_not_told_how_long_waits_alone() -> None:
    times: list[float] = []

    def first_busy(_: Seen) -> Raw:
        times.append(time.monotonic())
        return http(503, b"") if len(times) == 1 else http()

    async with talking(first_busy) as (found, transport):
        assert response(await transport.send(Request("GET", found.url))).status == 200
        assert transport.waited == 0
    assert len(times) == 2


@pytest.mark.parametrize(
    ("method", "header"),
    [("GET", "Retry-After: 3600"), ("POST", "Retry-After: soon"), ("PATCH", "X-None: 1")],
)
async def test_a_pause_that_is_too_long_or_not_named_is_an_answer(method: str, header: str) -> None:
    async with talking(http(429, b"", header)) as (found, transport):
        assert response(await transport.send(Request(method, found.url))).status == 429
    assert len(found.seen) == 1


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "POST", "PATCH"])
async def test_who_is_busy_for_a_moment_is_asked_again(method: str) -> None:
    async with talking(http(503), http(503), http(200, b"ok")) as (found, transport):
        assert response(await transport.send(Request(method, found.url))).body == b"ok"
    assert len(found.seen) == 3


@pytest.mark.parametrize(
    ("method", "first", "repeated"),
    [("POST", 503, True), ("DELETE", 503, True), ("GET", 503, False), ("PUT", 429, False)],
)
async def test_what_is_refused_after_a_503_may_have_been_done(
    method: str, first: int, repeated: bool
) -> None:
    async with talking(http(first), http(409)) as (found, transport):
        reply = response(await transport.send(Request(method, found.url)))
    assert (reply.status, reply.repeated) == (409, repeated)


async def test_who_is_always_busy_is_not_asked_again_for_ever() -> None:
    async with talking(http(503)) as (found, transport):
        for _ in range(9):
            assert response(await transport.send(Request("GET", found.url))).status == 503
    assert len(found.seen) == 3 * 4 + 6


async def test_one_that_is_always_busy_does_not_stand_for_others() -> None:
    def busy(seen: Seen) -> Raw:
        first = [one.target for one in found.seen].count(seen.target) == 1
        return http(503) if "/never" in seen.target or first else http(200, b"ok")

    async with talking(busy) as (found, transport):
        for number in range(7):
            never = await transport.send(Request("POST", f"{found.url}/never"))
            assert response(never).status == 503
            reply = await transport.send(Request("POST", f"{found.url}/{number}"))
            assert response(reply).body == b"ok"


async def test_a_service_that_stays_busy_is_an_answer_in_the_end() -> None:
    settings = replace(QUICK, max_wait=0.8)
    async with talking(http(429, b"", "Retry-After: 0"), settings=settings) as (found, transport):
        assert response(await transport.send(Request("GET", found.url))).status == 429
    assert len(found.seen) == 4  # pauses of 0.1, 0.2 and 0.4 seconds


def moved(status: int, to: str) -> Raw:
    return http(status, b"moved", f"Location: {to}")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_redirects_on_one_host(status: int, method: str) -> None:
    async with talking(moved(status, "/new?x=1"), http(200, b"there")) as (found, transport):
        reply = await transport.send(Request(method, f"{found.url}/old", (("X-A", "b"),), b"body"))
    if method == "GET" or status in {307, 308}:
        assert response(reply).body == b"there"
        assert response(reply).redirects == (f"{found.url}/new?x=1",)
        last = found.seen[-1]
        assert (last.method, last.target, last.body) == (method, "/new?x=1", b"body")
        assert last.headers["x-a"] == "b"
    else:
        assert response(reply).status == status
        assert response(reply).redirects == ()


async def test_redirects_in_a_circle() -> None:
    async with talking(moved(302, "/again")) as (found, transport):
        failure(await transport.send(Request("GET", found.url)), FailureKind.REDIRECTS)
    assert len(found.seen) == 6


async def test_a_redirect_to_another_host_is_not_followed() -> None:
    async with site(http()) as other, talking(moved(307, f"{other.url}/x")) as (found, transport):
        reply = await transport.send(Request("POST", found.url))
        assert other.url in failure(reply, FailureKind.REDIRECTS).message
    assert other.seen == []


@pytest.mark.parametrize("to", ["http://[", "ftp://127.0.0.1/x", "data:,x"])
async def test_a_redirect_to_nowhere(to: str) -> None:
    failure(await ask(moved(302, to)), FailureKind.REDIRECTS)


async def test_a_redirect_without_an_address_is_an_answer() -> None:
    assert response(await ask(http(302))).status == 302


async def test_a_rate_limit() -> None:
    settings = replace(QUICK, rate_limit=RateLimit(4, 0.5))
    async with talking(http(), settings=settings) as (found, transport):
        begun = time.monotonic()
        await asyncio.gather(*(transport.send(Request("GET", found.url)) for _ in range(9)))
        assert 1.0 <= time.monotonic() - begun < 3


async def test_a_certificate_that_nobody_vouches_for(tmp_path: Path) -> None:
    pem = certificate(tmp_path)
    async with site(http(), tls=pem) as found:
        request = Request("GET", found.url)
        async with http_transport(QUICK, None, Secrets()) as transport:
            refused = failure(await transport.send(request), FailureKind.TLS)
            assert "self-signed certificate" in refused.message
        for verify in (False, pem):
            settings = replace(QUICK, tls_verify=verify, tls_cert=pem)
            async with http_transport(settings, None, Secrets()) as transport:
                assert response(await transport.send(request)).status == 200


async def test_tls_with_a_service_that_speaks_none() -> None:
    async with (
        running(SERVICES["tournaments"]) as url,
        http_transport(QUICK, None, Secrets()) as transport,
    ):
        reply = await transport.send(Request("GET", url.replace("http:", "https:")))
    assert "no tls with 127.0.0.1" in failure(reply, FailureKind.TLS).message


@pytest.mark.parametrize("option", ["tls_verify", "tls_cert"])
async def test_a_certificate_that_cannot_be_used(option: str, tmp_path: Path) -> None:
    bad = tmp_path / "bad.pem"
    by_option = {
        "tls_verify": replace(QUICK, tls_verify=bad),
        "tls_cert": replace(QUICK, tls_cert=bad),
    }
    settings = by_option[option]
    for text in (None, "nonsense"):
        if text is not None:
            bad.write_text(text)
        with pytest.raises(UsageError) as caught:
            async with http_transport(settings, None, Secrets()):
                pass
        assert caught.value.code is Code.BAD_TLS
        assert str(caught.value.place) == str(bad)


async def test_a_proxy() -> None:
    async with site(http(200, b"from the proxy")) as proxy:
        secrets = Secrets()
        settings = replace(QUICK, proxy=proxy.url.replace("://", "://joe:s3cret@"))
        async with http_transport(settings, None, secrets) as transport:
            for _ in range(2):
                reply = await transport.send(Request("GET", "http://service.invalid/a?b=c"))
                assert response(reply).body == b"from the proxy"
    assert {seen.target for seen in proxy.seen} == {"http://service.invalid/a?b=c"}
    assert {seen.headers["proxy-authorization"] for seen in proxy.seen} == {
        "Basic am9lOnMzY3JldA=="
    }
    assert secrets.mask("am9lOnMzY3JldA==") == "***"


async def test_a_proxy_that_is_not_there() -> None:
    settings = replace(QUICK, proxy=f"http://127.0.0.1:{free_port()}")
    async with http_transport(settings, None, Secrets()) as transport:
        reply = await transport.send(Request("GET", "http://service.invalid/"))
    assert "proxy" in failure(reply, FailureKind.CONNECT).message


async def test_a_proxy_that_refuses_a_tunnel() -> None:
    async with (
        site(http(407)) as proxy,
        http_transport(replace(QUICK, proxy=proxy.url), None, Secrets()) as transport,
    ):
        reply = await transport.send(Request("GET", "https://service.invalid/"))
    assert "407" in failure(reply, FailureKind.CONNECT).message
    assert proxy.seen[0].method == "CONNECT"


@pytest.mark.parametrize("proxy", ["nonsense", "socks5://h:1", "http://", "http://joe:s3cret@h:x"])
async def test_a_proxy_whose_address_makes_no_sense(proxy: str) -> None:
    with pytest.raises(UsageError) as caught:
        async with http_transport(replace(QUICK, proxy=proxy), None, Secrets()):
            pass
    assert caught.value.code is Code.BAD_PROXY
    assert "s3cret" not in caught.value.message


async def test_a_demo_service() -> None:
    async with (
        running(SERVICES["tournaments"]) as url,
        http_transport(HttpSettings(workers=4), None, Secrets()) as transport,
    ):
        asked = [transport.send(Request("GET", f"{url}/openapi.json")) for _ in range(20)]
        replies = await asyncio.gather(*asked)
    assert [response(reply).status for reply in replies] == [200] * 20
