from __future__ import annotations

import asyncio
import gzip

import pytest

from icepick.execute.transport.plain import Plain
from icepick.execute.transport.quick import Received
from icepick.execute.transport.settings import HttpSettings
from icepick.execute.types import Request

SETTINGS = HttpSettings(request_timeout=5)
PACKED = gzip.compress(b"packed", mtime=0)

SIMPLE = [
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
    b"HTTP/1.1 404 \r\ncontent-length:0\r\n\r\n",
    b"HTTP/1.1 204 No Content\r\nX-A: \t 1 \r\nX-A:2\r\n\r\n",
    b"HTTP/1.1 304 Same\r\nContent-Length: 7\r\n\r\n",
    b"HTTP/1.1 500 Oh\r\nConnection: Keep-Alive\r\nContent-Length: 1\r\n\r\na",
]
OTHERS = [
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%b"
    % (len(PACKED), PACKED),
    b"HTTP/1.1 100 Go on\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na",
    b"HTTP/1.1 200 OK\r\nX-A: \xff\r\nContent-Length: 1\r\n\r\na",
    b"HTTP/1.1 200 OK\r\nContent-Length: 70000\r\n\r\n" + b"a" * 70_000,
    b"HTTP/1.1 200 OK\r\nX-A: " + b"a" * 60_000 + b"\r\nContent-Length: 1\r\n\r\na",
]
CLOSING = [
    b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\na",
    b"HTTP/1.1 200 OK\r\n\r\nup to the end",
    b"HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na",
]
BROKEN = [
    b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\naa",
    b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ntoo short",
    b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\ntoo short",
    b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nNo colon\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Le",
    b"What?",
    b"",
]


async def told(*pieces: bytes, method: str = "GET") -> Received | str:
    """What comes of an answer that arrives in these pieces, before the connection is closed."""

    served = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        for piece in pieces:
            writer.write(piece)
            await asyncio.sleep(0.005 if len(pieces) > 1 else 0)
        writer.close()
        served.set()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    plain = Plain(SETTINGS)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    async with server:
        try:
            found = await plain.ask(Request(method, url), ())
        except Exception as error:  # noqa: BLE001 (whatever aiohttp raises is to be the same)
            return f"{type(error).__name__} {error}"
        finally:
            await served.wait()
            await plain.aclose()
    assert found is not None
    return found


async def the_long_way(monkeypatch: pytest.MonkeyPatch, *pieces: bytes) -> Received | str:
    with monkeypatch.context() as patch:
        patch.setattr("icepick.execute.transport.quick._read", lambda _: None)
        return await told(*pieces)


@pytest.mark.parametrize("raw", [*SIMPLE, *OTHERS, *CLOSING, *BROKEN])
async def test_both_ways_lead_to_the_same(raw: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    assert await told(raw) == await the_long_way(monkeypatch, raw)


@pytest.mark.parametrize("raw", [*SIMPLE, *OTHERS[:4], *CLOSING])
async def test_pieces_make_a_whole(raw: bytes) -> None:
    whole = await told(raw)
    cuts = {
        1,
        12,
        len(raw) // 2,
        raw.find(b"\r\n\r\n") + 2,
        raw.find(b"\r\n\r\n") + 4,
        len(raw) - 1,
    }
    for cut in sorted(cuts):
        assert await told(raw[:cut], raw[cut:]) == whole, cut


@pytest.mark.parametrize("raw", SIMPLE)
async def test_the_common_answer_needs_no_parser(
    raw: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    patched = "aiohttp.client_proto.HttpResponseParser"
    monkeypatch.setattr(patched, lambda *_, **__: pytest.fail("it was parsed the long way"))
    found = await told(raw)
    assert isinstance(found, Received)
    assert found.status == int(raw[9:12])


async def test_the_answer_to_head_has_no_body() -> None:
    found = await told(b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n", method="HEAD")
    assert found == Received(200, (("Content-Length", "7"),), b"")
