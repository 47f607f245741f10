"""Services that misbehave on purpose: they answer with the bytes that a test gives them."""

from __future__ import annotations

import asyncio
import socket
import ssl
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

CERTIFICATE = """\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg+j29cwbU6+9UrKfR
vdID9W8UguADecT5BHO/5by0bd6hRANCAAQ3hk4Xr6BmmKAz7pDL0BuMxdkhHAGR
II947eTeqkqBbcpH+2Dg+xbgwbjbx6yif2i9TS/NOjNlT/8oaDobbgRj
-----END PRIVATE KEY-----
-----BEGIN CERTIFICATE-----
MIIBaDCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABDeGThevoGaYoDPu
kMvQG4zF2SEcAZEgj3jt5N6qSoFtykf7YOD7FuDBuNvHrKJ/aL1NL806M2VP/yho
OhtuBGOjTjBMMA8GA1UdEwEB/wQFMAMBAf8wGgYDVR0RBBMwEYcEfwAAAYIJbG9j
YWxob3N0MB0GA1UdDgQWBBQNDluzwDvMwCw1iaFv5HhlXWRajTAKBggqhkjOPQQD
AgNJADBGAiEAzs2EXMstHLJUGoyB7pxmvGXkRUcQ9st1xPgGZe5DEK4CIQDipVtN
5eyrCg0ql7Ii/Zwy0YET1DGKC0KxC9Wtyb2w+Q==
-----END CERTIFICATE-----
"""
"""Of 127.0.0.1, signed by itself, with a key that was made for these tests."""


def certificate(folder: Path) -> Path:
    """A file with the certificate and its key."""
    path = folder / "certificate.pem"
    path.write_text(CERTIFICATE)
    return path


@dataclass(frozen=True, slots=True)
class Seen:
    """A request as it came; connections count from 0."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes
    connection: int


@dataclass(frozen=True, slots=True)
class Raw:
    """Bytes to answer with, when, and what becomes of the connection."""

    data: bytes
    delay: float = 0.0
    close: bool = False
    reset: bool = False


Answer = Raw | Callable[[Seen], Raw]


def http(status: int = 200, body: bytes = b"{}", *headers: str, close: bool = False) -> Raw:
    """A proper answer."""
    lines = [f"HTTP/1.1 {status} Text", f"Content-Length: {len(body)}", *headers, "", ""]
    return Raw("\r\n".join(lines).encode() + body, close=close)


@dataclass(slots=True)
class Site:
    """A service: its address, and what it was asked."""

    url: str = ""
    seen: list[Seen] = field(default_factory=list)
    connections: int = 0


@asynccontextmanager
async def site(*answers: Answer, tls: Path | None = None) -> AsyncIterator[Site]:
    """A service on loopback: the n-th request gets the n-th answer, later ones the last."""
    found = Site()
    tasks: set[asyncio.Task[None]] = set()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tasks.add(asyncio.ensure_future(serve(reader, writer)))

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number, found.connections = found.connections, found.connections + 1
        try:
            while (seen := await _request(reader, number)) is not None:
                found.seen.append(seen)
                answer = answers[min(len(found.seen), len(answers)) - 1]
                raw = answer if isinstance(answer, Raw) else answer(seen)
                if not await _send(raw, writer):
                    break
        except OSError:
            pass
        finally:
            writer.close()

    context = None
    if tls is not None:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(tls)
    server = await asyncio.start_server(accept, "127.0.0.1", 0, ssl=context)
    port = server.sockets[0].getsockname()[1]
    found.url = f"{'https' if tls else 'http'}://127.0.0.1:{port}"
    try:
        yield found
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _request(reader: asyncio.StreamReader, connection: int) -> Seen | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except (asyncio.IncompleteReadError, OSError):
        return None
    first, *lines = head.split("\r\n")
    method, _, rest = first.partition(" ")
    pairs = (line.partition(": ") for line in lines if line)
    headers = {name.lower(): value for name, _, value in pairs}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Seen(method, rest.removesuffix(" HTTP/1.1"), headers, body, connection)


async def _send(raw: Raw, writer: asyncio.StreamWriter) -> bool:
    """Answer; whether the connection stays."""
    await asyncio.sleep(raw.delay)
    writer.write(raw.data)
    if raw.reset:
        found = writer.get_extra_info("socket")
        found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()
        return False
    await writer.drain()
    return not raw.close


def free_port() -> int:
    """A port at which nobody listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port
