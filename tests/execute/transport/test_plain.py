from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from icepick.execute.transport.http import HttpTransport, http_transport
from icepick.execute.transport.plain import Plain, Received
from icepick.execute.transport.secrets import Secrets
from icepick.execute.transport.settings import HttpSettings, new_session
from icepick.execute.types import FailureKind, Headers, Request
from tests.execute.servers import Answer, Raw, Seen, Site, free_port, http, site
from tests.execute.transport.test_http import failure, response

SETTINGS = HttpSettings(request_timeout=5, retries=0)


class Never(Plain):
    """Leaves everything to the session."""

    async def ask(self, request: Request, headers: Headers) -> Received | None:
        return None


@asynccontextmanager
async def talking(
    *answers: Answer, settings: HttpSettings = SETTINGS
) -> AsyncIterator[tuple[Site, HttpTransport]]:
    async with site(*answers) as found, http_transport(settings, None, Secrets()) as transport:
        yield found, transport


async def sent(found: Site, plain: Plain, request: Request) -> Seen:
    async with new_session(SETTINGS) as session:
        await HttpTransport(session, plain, SETTINGS, None, None).send(request)
    await plain.aclose()
    return replace(found.seen[-1], connection=0)


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "DELETE", "POST", "PUT", "PATCH"])
@pytest.mark.parametrize("body", [None, b"", b"{}", b"x" * 100_000])
@pytest.mark.parametrize(
    "headers",
    [
        (),
        (("Accept", "text/plain"), ("user-agent", "me"), ("Accept-Encoding", "identity")),
        (("Content-Type", "application/json"), ("X-A", "1"), ("X-A", "2\t3"), ("X-Empty", "")),
        (("Host", "example.org"),),
    ],
)
async def test_a_session_would_send_the_same(
    method: str, body: bytes | None, headers: Headers
) -> None:
    async with site(http(200, b"")) as found:
        request = Request(method, f"{found.url}/a%2Fb;c?d=e&f={{g}}", headers, body)
        ours = await sent(found, Plain(SETTINGS), request)
        theirs = await sent(found, Never(SETTINGS), request)
    assert ours == theirs


@pytest.mark.parametrize(
    ("method", "url", "headers"),
    [
        ("GET", "https://127.0.0.1:{port}/", ()),
        ("GET", "http://a@127.0.0.1:{port}/", ()),
        ("GET", "http://127.0.0.1:{port}/#a", ()),
        ("GET", "http://127.0.0.1:{port}/ HTTP/1.1", ()),
        ("GET", "http://127.0.0.1:{port}/\u00e9", ()),
        ("GET", "http://127.0.0.1:99999/", ()),
        ("GET", "http://127.0.0.1:{port}/", (("X-A", "a\r\nB: c"),)),
        ("GET", "http://127.0.0.1:{port}/", (("X A", "a"),)),
        ("GET", "http://127.0.0.1:{port}/", (("X-A", "\u00e9"),)),
        ("GET", "http://127.0.0.1:{port}/", (("transfer-encoding", "chunked"),)),
        ("GET /a", "http://127.0.0.1:{port}/", ()),
    ],
)
async def test_what_is_not_simple_is_left_to_the_session(
    method: str, url: str, headers: Headers
) -> None:
    async with site(http()) as found:
        plain = Plain(SETTINGS)
        address = url.format(port=found.url.rpartition(":")[2])
        assert await plain.ask(Request(method, address, headers), headers) is None
        await plain.aclose()
    assert found.connections == 0


async def test_what_nobody_asked_for_is_not_the_next_answer() -> None:
    twice = Raw(http(200, b"one").data + http(200, b"stray").data)
    async with talking(twice, http(200, b"two")) as (found, transport):
        request = Request("GET", found.url)
        assert response(await transport.send(request)).body == b"one"
        assert response(await transport.send(request)).body == b"two"


async def test_what_comes_to_an_idle_connection_is_not_the_next_answer() -> None:
    idle, told, tasks = asyncio.Event(), asyncio.Event(), []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tasks.append(asyncio.current_task())
        while await reader.readline():
            await reader.readuntil(b"\r\n\r\n")
            writer.write(http(200, b"asked").data)
            await idle.wait()
            writer.write(http(200, b"stray").data)
            told.set()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    async with server:
        async with http_transport(SETTINGS, None, Secrets()) as transport:
            for _ in range(3):
                idle.clear()
                assert response(await transport.send(Request("GET", url))).body == b"asked"
                told.clear()
                idle.set()
                await told.wait()
                await asyncio.sleep(0.02)
        await asyncio.gather(*tasks)


async def test_answers_without_a_body_leave_the_connection_as_it_was() -> None:
    bare = Raw(b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n")
    empty = Raw(b"HTTP/1.1 204 No\r\n\r\n")
    same = Raw(b"HTTP/1.1 304 Same\r\nContent-Length: 7\r\n\r\n")
    early = Raw(b"HTTP/1.1 100 Go on\r\n\r\nHTTP/1.1 103 Hints\r\n\r\n" + http(200, b"late").data)
    pieces = Raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n")
    async with talking(bare, empty, same, early, pieces) as (found, transport):
        got = [
            response(await transport.send(Request(method, found.url)))
            for method in ("HEAD", "DELETE", "GET", "POST", "GET")
        ]
    assert [one.body for one in got] == [b"", b"", b"", b"late", b"a"]
    assert found.connections == 1


OLD = Raw(b"HTTP/1.0 200 A\r\n\r\na", close=True)


@pytest.mark.parametrize(
    "raw", [http(200, b"a", close=True), http(200, b"a", "Connection: close"), OLD]
)
async def test_a_connection_that_is_closed_is_not_used_again(raw: Raw) -> None:
    async with talking(raw) as (found, transport):
        for _ in range(3):
            assert response(await transport.send(Request("POST", found.url))).body == b"a"
            await asyncio.sleep(0.01)
    assert found.connections == 3


async def test_there_are_no_more_connections_than_workers() -> None:
    settings = replace(SETTINGS, workers=2)
    async with talking(replace(http(200, b"a"), delay=0.02), settings=settings) as (
        found,
        transport,
    ):
        await asyncio.gather(*(transport.send(Request("GET", found.url)) for _ in range(8)))
    assert found.connections == 2


async def test_a_request_that_is_given_up_leaves_no_answer_behind() -> None:
    slow = replace(http(200, b"slow"), delay=0.1)
    async with talking(slow, http(200, b"quick")) as (found, transport):
        task = asyncio.ensure_future(transport.send(Request("GET", found.url)))
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await asyncio.sleep(0.1)
        assert response(await transport.send(Request("GET", found.url))).body == b"quick"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
async def test_nobody_listens_by_any_name(host: str) -> None:
    async with http_transport(SETTINGS, None, Secrets()) as transport:
        reply = await transport.send(Request("GET", f"http://{host}:{free_port()}/"))
    assert "no" in failure(reply, FailureKind.CONNECT).message


async def test_after_a_broken_connection_no_other_kept_one_is_tried() -> None:
    kept = 5

    def dropped(seen: Seen) -> Raw:
        again = [one.connection for one in found.seen].count(seen.connection) > 1
        if again and seen.connection < kept:
            return Raw(b"", reset=True)
        return replace(http(200, b"ok"), delay=0.1)

    settings = replace(SETTINGS, retries=2)
    async with talking(dropped, settings=settings) as (found, transport):
        asks = [Request("POST", found.url) for _ in range(kept)]
        await asyncio.gather(*map(transport.send, asks))
        assert found.connections == kept
        assert response(await transport.send(Request("POST", found.url))).body == b"ok"
    assert len(found.seen) == kept + 2
