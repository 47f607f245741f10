"""Servers to send reproductions to: one that remembers every byte, one that chooses its own ids."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from uuid import uuid4


@dataclass(frozen=True)
class Received:
    method: str
    target: str
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str | None:
        return next((v for n, v in self.headers if n.lower() == name.lower()), None)


@contextmanager
def _serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Quiet(BaseHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def answer(self, status: int, value: object, **headers: str) -> None:
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        for name, text in headers.items():
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


@contextmanager
def echo() -> Iterator[tuple[str, list[Received]]]:
    """A server that keeps what it receives; headers are read as Latin-1, byte by byte."""
    received: list[Received] = []

    class Handler(_Quiet):
        def handle_any(self) -> None:
            received.append(
                Received(self.command, self.path, list(self.headers.items()), self.body())
            )
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

    for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
        setattr(Handler, f"do_{method}", Handler.handle_any)
    with _serving(Handler) as url:
        yield url, received


@contextmanager
def things(*, keeps: bool, tagged: bool = False) -> Iterator[str]:
    """A service that chooses its ids; with `keeps`, what is deleted stays.

    With `tagged`, only the entity tag of what is there lets it be deleted.
    """
    known: dict[str, object] = {}

    class Handler(_Quiet):
        def do_POST(self) -> None:
            name = str(uuid4())
            known[name] = {**json.loads(self.body()), "id": name}
            self.answer(201, {"data": known[name]})

        def do_GET(self) -> None:
            name = self.path.rsplit("/", 1)[-1]
            found = known.get(name)
            self.answer(404 if found is None else 200, found, ETag=f'"{name}"')

        def do_DELETE(self) -> None:
            name = self.path.rsplit("/", 1)[-1]
            found = known.get(name)
            if tagged and found is not None and self.headers.get("If-Match") != f'"{name}"':
                self.answer(412, found)
                return
            if not keeps:
                known.pop(name, None)
            self.answer(404 if found is None else 200, found)

    with _serving(Handler) as url:
        yield url
