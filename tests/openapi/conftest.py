from __future__ import annotations

import http.server
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from icepick.openapi import ApiSpec, ReadOptions, check_spec


@dataclass
class Site:
    """A server on loopback: what it answers by path, and the requests that it got."""

    url: str = ""
    answers: dict[str, tuple[int, dict[str, str], bytes]] = field(default_factory=dict)
    requests: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    def put(self, path: str, body: Any, status: int = 200, **headers: str) -> str:
        raw = body if isinstance(body, bytes) else _text(body).encode()
        self.answers[path] = (status, headers, raw)
        return self.url + path

    def headers_of(self, path: str) -> dict[str, str]:
        return next(headers for asked, headers in self.requests if asked == path)


def _text(content: Any) -> str:
    return content if isinstance(content, str) else json.dumps(content)


def _handler(site: Site) -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.requests.append((self.path, {k.lower(): v for k, v in self.headers.items()}))
            status, headers, body = site.answers.get(self.path, (404, {}, b"nothing here"))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            return

    return Handler


@pytest.fixture
def start() -> Iterator[Callable[..., Site]]:
    """Start servers; all of them end with the test."""
    servers: list[http.server.ThreadingHTTPServer] = []

    def started(seconds: float = 0) -> Site:
        site = Site()
        server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), _handler(site), bind_and_activate=False
        )
        # The port is ours from now on, though nobody listens yet.
        server.server_bind()
        site.url = f"http://127.0.0.1:{server.server_port}"

        def serve() -> None:
            if seconds:
                time.sleep(seconds)
                server.server_activate()
            server.serve_forever(0.02)

        if not seconds:
            server.server_activate()
        threading.Thread(target=serve, daemon=True).start()
        servers.append(server)
        return site

    yield started
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def site(start: Callable[..., Site]) -> Site:
    return start()


Write = Callable[..., str]
Read = Callable[..., ApiSpec]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a document, given as text, bytes or values, and return its path."""

    def written(content: Any, name: str = "api.json") -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else _text(content).encode())
        return str(path)

    return written


@pytest.fixture
def read(write: Write) -> Read:
    """Write a document and check it."""

    def checked(content: Any, name: str = "api.json", **options: Any) -> ApiSpec:
        return check_spec(write(content, name), ReadOptions(**options))

    return checked
